//! Whole figures of boards: their captions, their data, and whether they can go to print.

use super::super::{Width, draw, legible};
use super::*;
use legible::draw_one;
use plymap_picture::{Form, Ground, Side};

/// A board on which the red piece stands in column `at` of row 2, with an exit to the right.
fn board(size: usize, at: usize) -> Picture {
    let shape = |row, column, rows, columns, role, label: &str| {
        Shape::block(row, column, rows, columns, role, label.to_owned())
    };
    Picture {
        shapes: vec![
            shape(2, at, 1, 2, Role::Hero, "A"),
            shape(0, 0, 2, 1, Role::Piece(0), "B"),
            shape(3, 1, 1, 3, Role::Piece(1), "W"),
            shape(4, 4, 1, 1, Role::Wall, ""),
            shape(5, 5, 1, 1, Role::Target(3), "t"),
        ],
        openings: vec![Opening { row: 2, column: size - 1, side: Side::Right }],
        ..Picture::grid(size, size)
    }
}

fn strip(moves: usize, size: usize) -> Storyboard {
    let frame = |index: usize| Frame {
        board: board(size, index % 4),
        caption: if index == 0 { "start".to_owned() } else { "A+1".to_owned() },
        distance: Some((moves - index) as u32),
        note: String::new(),
        is_error: false,
    };
    let heading = Heading { name: "solution".to_owned(), title: "A solution".into(), ..Default::default() };
    Storyboard { heading, frames: (0..=moves).map(frame).collect(), ..Default::default() }
}

#[test]
fn the_data_are_the_input() {
    let input = Storyboard { frames: strip(1, 6).frames, ..Default::default() };
    let csv = draw(&input, &Style::default()).unwrap()[0].to_csv().unwrap();
    for line in [
        "0,start,1,hero,A,2,0,1,2",
        "1,A+1,0,hero,A,2,1,1,2",
        "1,A+1,0,opening right,,2,5,1,1",
        "0,start,1,board,,0,0,6,6",
    ] {
        assert!(csv.contains(&format!("\n{line}\n")), "{line} in {csv}");
    }
}

#[test]
fn every_width_and_length_is_legible() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        let style = Style::new(width);
        for size in [6, 12, 30] {
            for moves in [0, 1, 8, 60, 200] {
                let pages = draw(&strip(moves, size), &style).unwrap();
                pages.iter().for_each(legible::check);
                assert!(pages.iter().all(|page| page.height_mm <= style.max_height_mm));
                assert_eq!(pages, draw(&strip(moves, size), &style).unwrap());
            }
            let input = LoneBoard { heading: Heading::default(), board: board(size, 0) };
            legible::check(&draw_one(&input, &style));
        }
        let none = draw(&Storyboard::default(), &style).unwrap();
        assert!(none[0].svg.contains("no data"));
    }
}

#[test]
fn the_moved_piece_is_found() {
    let (before, after) = (board(6, 0), board(6, 2));
    let moved = change::moved(&before, &after);
    assert_eq!(moved.len(), 1);
    assert_eq!((moved[0].0.column, moved[0].1.column, moved[0].1.label.as_str()), (0.0, 2.0, "A"));
}

/// One drawing of each kind of game that is not like Rush Hour, with its next position.
fn other_games() -> [[Picture; 2]; 4] {
    let disc = |row: f64, column: f64, size: f64, role, label: &str| Shape {
        row,
        column,
        rows: size,
        columns: size,
        form: Form::Disc,
        role,
        label: label.to_owned(),
    };
    let lamps = |pressed: usize| {
        let lamp = |cell: usize| {
            Shape::block(cell / 5, cell % 5, 1, 1, Role::Lamp(cell.is_multiple_of(3) && cell != pressed), String::new())
        };
        let mut shapes: Vec<Shape> = (0..25).map(lamp).collect();
        shapes.push(disc(2.0, 2.0, 1.0, Role::Mark, ""));
        Picture { shapes, ..Picture::grid(5, 5) }
    };
    let tiles = |first: usize| {
        let tile = |cell: usize| {
            let rank = first + cell;
            Shape::block(cell / 4, cell % 4, 1, 1, Role::Ranked(rank), (1_u64 << rank).to_string())
        };
        Picture { shapes: (0..16).map(tile).collect(), ..Picture::grid(4, 4) }
    };
    let plates = |hole: usize| {
        let plate = |place: usize| disc(0.0, place as f64, 0.96, Role::Target(place), "");
        let pebble = |place: usize| disc(0.14, place as f64 + 0.14, 0.68, Role::Piece(0), "B");
        let pebbles = (0..5).filter(|&place| place != hole).map(pebble);
        let shapes = (0..5).map(plate).chain(pebbles).collect();
        Picture { shapes, ground: Ground::Plain, ..Picture::grid(5, 1) }
    };
    let pegs = |peg: usize| {
        let frame = |column: f64, rows: f64, columns: f64| Shape {
            row: 3.0 - rows,
            column,
            rows,
            columns,
            form: Form::Block,
            role: Role::Frame,
            label: String::new(),
        };
        let disk = Shape { row: 2.2, rows: 0.6, ..Shape::block(0, 2 * peg, 1, 2, Role::Piece(1), "1".to_owned()) };
        let goal = disc(1.0, 3.0, 0.5, Role::Target(1), "1");
        let shapes = vec![frame(0.0, 0.2, 6.0), frame(0.9, 3.0, 0.12), frame(2.9, 2.0, 0.12), disk, goal];
        Picture { shapes, ground: Ground::Plain, ..Picture::grid(6, 3) }
    };
    [[lamps(0), lamps(3)], [tiles(1), tiles(2)], [plates(0), plates(2)], [pegs(0), pegs(1)]]
}

fn strip_of(boards: &[Picture], moves: usize, distance: fn(usize) -> Option<u32>) -> Storyboard {
    let frame = |index: usize| Frame {
        board: boards[index % boards.len()].clone(),
        caption: "right+2@c3".to_owned(),
        distance: distance(index),
        note: String::new(),
        is_error: false,
    };
    let heading = Heading { title: "A solution".into(), ..Default::default() };
    Storyboard { heading, frames: (0..=moves).map(frame).collect(), ..Default::default() }
}

#[test]
fn every_game_is_legible_at_every_width() {
    for boards in other_games() {
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            let style = Style::new(width);
            for moves in [0, 4, 30] {
                let pages = draw(&strip_of(&boards, moves, |_| Some(3)), &style).unwrap();
                pages.iter().for_each(legible::check);
                assert!(pages.iter().all(|page| page.height_mm <= style.max_height_mm));
                assert!(!pages[0].svg.contains('…'), "the move is shown whole");
            }
            let input = LoneBoard { heading: Heading::default(), board: boards[0].clone() };
            legible::check(&draw_one(&input, &style));
        }
    }
}

#[test]
fn every_number_of_a_tile_is_drawn() {
    let tiles = &other_games()[1];
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        let style = Style::new(width);
        let lone = draw_one(&LoneBoard { heading: Heading::default(), board: tiles[1].clone() }, &style);
        let strip = draw(&strip_of(tiles, 1, |_| None), &style).unwrap();
        for rank in 2..=17 {
            let number = format!(">{}</text>", 1_u64 << rank);
            assert!(lone.svg.contains(&number) && strip[0].svg.contains(&number), "{number} at {width:?}");
        }
    }
}

#[test]
fn captions_are_true_of_the_game() {
    let caption = |board: Picture| {
        let heading = Heading::default();
        draw_one(&LoneBoard { heading, board }, &Style::default()).caption
    };
    let plain = Picture { shapes: board(6, 0).shapes.drain(..2).collect(), ..board(6, 0) };
    let expected = "The piece that the level is about is red; a gap in the frame with an arrow is an exit.";
    assert_eq!(caption(plain), expected);
    let [lamps, tiles, plates, _] = other_games();
    let expected = "Yellow lamps are on, dark ones are off; red dots mark where to move.";
    assert_eq!(caption(lamps[0].clone()), expected);
    assert_eq!(caption(tiles[0].clone()), "The higher a tile, the stronger its colour.");
    let strip = |boards: &[Picture], distance| {
        draw(&strip_of(boards, 1, distance), &Style::default()).unwrap()[0].caption.clone()
    };
    assert!(strip(&plates, |_| Some(1)).contains("the piece that moved has a thick outline"));
    assert!(strip(&lamps, |_| Some(1)).contains("a red line runs round the lamps"));
    let tiles = strip(&tiles, |_| None);
    assert!(!tiles.contains("piece") && tiles.ends_with("the number of the move and the move."), "{tiles}");
}

#[test]
fn a_strip_without_distances_shows_none() {
    let [lamps, ..] = other_games();
    let svg = |distance| draw(&strip_of(&lamps, 3, distance), &Style::default()).unwrap()[0].svg.clone();
    assert!(!svg(|_| None).contains("to go"));
    let dead_end = svg(|index| (index < 2).then_some(2));
    assert!(dead_end.contains(">2 to go<") && dead_end.contains(">no path to a goal<"));
}

#[test]
fn fractions_of_cells_are_rounded_in_the_data() {
    let [lamps, tiles, plates, pegs] = other_games();
    let csv = |board: &Picture| {
        let input = LoneBoard { heading: Heading::default(), board: board.clone() };
        draw_one(&input, &Style::default()).to_csv().unwrap()
    };
    for (board, line) in [
        (&lamps[0], "lamp off,,0,0,1,1"),
        (&lamps[0], "mark,,2,2,1,1"),
        (&tiles[0], "rank 3,8,0,2,1,1"),
        (&plates[0], "piece 0,B,0.14,2.14,0.68,0.68"),
        (&pegs[0], "frame,,2.8,0,0.2,6"),
    ] {
        assert!(csv(board).contains(&format!("0,,,{line}\n")), "{line} in {}", csv(board));
    }
}

#[test]
fn shapes_outside_of_the_board_are_named() {
    let mut input = strip(1, 6);
    input.frames[1].board.shapes[2].column = 5.0;
    let error = draw(&input, &Style::default()).unwrap_err().to_string();
    assert!(error.contains("\"W\" at row 3, column 5"), "{error}");
    for broken in [-1.0, f64::NAN, f64::INFINITY] {
        input.frames[1].board.shapes[2].column = broken;
        assert!(draw(&input, &Style::default()).is_err());
    }
    input.frames[1].board.width = f64::NAN;
    assert!(draw(&input, &Style::default()).unwrap_err().to_string().contains("a board of 6 × NaN cells"));
}

#[test]
fn notes_stand_below_boards_and_errors_stand_out() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for moves in [0, 1, 9, 60] {
            let mut input = strip(moves, 6);
            for (index, frame) in input.frames.iter_mut().enumerate() {
                frame.note = format!("{}.5 s, quality 0.{index}", index * index);
                frame.is_error = index % 4 == 3;
            }
            input.note_meaning = "below that the time of the move and its quality".to_owned();
            let pages = draw(&input, &Style::new(width)).unwrap();
            pages.iter().for_each(legible::check);
            let holds = |text: &str| pages.iter().filter(|page| page.svg.contains(text)).count() > 0;
            assert!(holds(">0.5 s, quality 0.0<"), "the note of the start");
            assert!(pages[0].caption.contains("the time of the move and its quality"));
            let errors = (0..=moves).filter(|index| index % 4 == 3).count();
            // A triangle and a bar for each error, and no other mark of that colour.
            let groups = pages.iter().flat_map(|page| page.svg.split("<g fill=\"#D55E00\">").skip(1));
            let marks = groups.map(|group| group.split("</g>").next().unwrap().matches("<polygon").count());
            assert_eq!(marks.sum::<usize>(), 2 * errors, "{moves} moves at {width:?}");
            assert_eq!(pages[0].caption.contains("orange triangle"), errors > 0);
            let rows = pages.iter().flat_map(|page| &page.data.rows).filter(|row| row[3] == "board");
            assert_eq!(rows.filter(|row| row[10] == "true").count(), errors);
        }
    }
}

#[test]
fn a_long_note_is_cut_not_clipped() {
    let mut input = strip(3, 6);
    input.frames[2].note = "a note that nobody could ever want to read below a board of a strip".repeat(3);
    input.frames[2].caption = input.frames[2].note.clone();
    input.frames[2].is_error = true;
    for width in [Width::Single, Width::Double] {
        let pages = draw(&input, &Style::new(width)).unwrap();
        pages.iter().for_each(legible::check);
        assert!(pages[0].svg.contains('…'));
    }
}
