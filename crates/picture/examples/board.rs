//! A position of a sliding puzzle as text and as SVG.

use plymap_picture::{Opening, Picture, Role, Shape, Side};

fn main() {
    let mut board = Picture::grid(4, 3);
    board.shapes.push(Shape::block(1, 0, 1, 2, Role::Hero, "A".to_owned()));
    board.shapes.push(Shape::block(0, 2, 2, 1, Role::Piece(0), "B".to_owned()));
    board.shapes.push(Shape::block(2, 3, 1, 1, Role::Wall, String::new()));
    board.openings.push(Opening { row: 1, column: 3, side: Side::Right });
    print!("{}", board.to_text());

    println!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\">", board.width, board.height);
    for Shape { row, column, rows, columns, role, .. } in &board.shapes {
        let fill = match role {
            Role::Hero => "crimson",
            Role::Wall => "gray",
            _ => "steelblue",
        };
        println!("  <rect x=\"{column}\" y=\"{row}\" width=\"{columns}\" height=\"{rows}\" fill=\"{fill}\"/>");
    }
    println!("</svg>");
}
