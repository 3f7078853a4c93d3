//! Positions as drawings: the frame with its tiles, and the goal beside it.

use super::frame::Frame;
use crate::game::picture::{Form, GoalArea, Ground, Picture, Role, Shape};

/// Height of a tile of the goal, in cells, and its width with one and with two digits.
const SMALL: f64 = 0.5;
const WIDTHS: [f64; 2] = [SMALL, 0.75];

/// Height of the caption of the goal.
const CAPTION: f64 = 0.6;

/// Left of the goal, behind the frame.
const GAP: f64 = 0.3;

/// Space between the goal and the edge of its area.
const MARGIN: f64 = 0.2;

/// The rank of all tiles, which picks their colour.
const RANK: usize = 3;

/// The position as a drawing; `tile` and `goal` tell the tile on a cell, 0 for the blank.
pub(super) fn picture(frame: &Frame, tile: impl Fn(usize) -> u8, goal: impl Fn(usize) -> u8) -> Picture {
    let Frame { width, height, .. } = *frame;
    let mut shapes = vec![Shape::block(0, 0, height, width, Role::Frame, String::new())];
    let on_board = (0..frame.n_cells()).filter(|&cell| tile(cell) > 0);
    shapes.extend(
        on_board.map(|cell| Shape::block(cell / width, cell % width, 1, 1, Role::Ranked(RANK), tile(cell).to_string())),
    );
    let small = WIDTHS[usize::from(frame.n_cells() > 10)];
    let area = GoalArea {
        row: 0.0,
        column: width as f64 + GAP,
        rows: height as f64 * SMALL + CAPTION + MARGIN,
        columns: width as f64 * small + 2.0 * MARGIN,
        caption: CAPTION,
    };
    let in_goal = (0..frame.n_cells()).filter(|&cell| goal(cell) > 0);
    shapes.extend(in_goal.map(|cell| Shape {
        row: area.row + CAPTION + MARGIN / 2.0 + (cell / width) as f64 * SMALL,
        column: area.column + MARGIN + (cell % width) as f64 * small,
        rows: SMALL,
        columns: small,
        form: Form::Label,
        role: Role::Frame,
        label: goal(cell).to_string(),
    }));
    Picture {
        width: area.column + area.columns,
        height: (height as f64).max(area.rows),
        ground: Ground::Plain,
        shapes,
        goal: Some(area),
        text: Some(text(frame, tile)),
        ..Picture::grid(0, 0)
    }
}

/// The position for terminals, columns aligned to the right.
fn text(frame: &Frame, tile: impl Fn(usize) -> u8) -> String {
    let longest = (frame.n_cells() - 1).to_string().len();
    let cell = |cell: usize| match tile(cell) {
        0 => format!("{:>longest$}", "."),
        tile => format!("{tile:>longest$}"),
    };
    let line = |row: usize| {
        let cells: Vec<String> = (row * frame.width..(row + 1) * frame.width).map(cell).collect();
        cells.join(" ") + "\n"
    };
    (0..frame.height).map(line).collect()
}
