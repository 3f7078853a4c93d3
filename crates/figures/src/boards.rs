//! Boards, and the storyboard of a solution.

use std::ops::Range;

use super::chart::{Chart, Page, evenly};
use super::sheet::MARGIN;
use super::{ChartError, Heading, PlottedData, Style};
use plymap_picture::Picture;
use plymap_picture::{NAMED, Opening, Role, Shape};

mod board;
mod border;
mod change;
mod storyboard;
mod strip;

use strip::Strip;

pub use board::paint;
pub use storyboard::{Frame, Storyboard, StripKind};
pub use strip::LEAST_BOARD_MM;

pub(super) use board::{draw, least_cell_mm};
pub(super) use border::Border;
pub(super) use change::moved;

/// The widest board that stands alone, in millimetres.
const LONE_BOARD_MM: f64 = 60.0;
/// The widest cell of a board that stands alone, in millimetres.
const LONE_CELL_MM: f64 = 10.0;

/// One position. Its shapes and openings must lie inside of the board.
#[derive(Clone, Debug, PartialEq)]
pub struct LoneBoard {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// The position.
    pub board: Picture,
}

impl Chart for LoneBoard {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        check(&self.board)
    }

    fn reading(&self) -> String {
        as_sentence(legend(&[&self.board], true))
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let board = &self.board;
        let (caption, note) = (String::new(), String::new());
        let data = data(&[Frame { board: board.clone(), caption, distance: None, note, is_error: false }], 0, false);
        if is_empty(board) {
            return Ok(vec![Page::empty(data)]);
        }
        let border = Border::around([board].into_iter());
        let least = board::least_cell_mm(board, style.small_pt)?;
        let room = style.width_mm - 2.0 * MARGIN - border.across();
        let width = room.min(LONE_BOARD_MM.max(least * board.width));
        let height = room_mm - border.down();
        let cell = (width / board.width).min(height / board.height).min(LONE_CELL_MM.max(least));
        Ok(vec![Page::new(data, cell * board.height + border.down(), move |sheet, body| {
            board::draw(sheet, border.inside((body.left, body.top), cell, board), board, None)
        })])
    }
}

impl Chart for Storyboard {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        self.frames.iter().try_for_each(|frame| check(&frame.board))
    }

    fn reading(&self) -> String {
        strip_reading(self)
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let has_marks = self.frames.iter().any(|frame| frame.is_error || !frame.note.is_empty());
        if self.frames.iter().all(|frame| is_empty(&frame.board)) {
            return Ok(vec![Page::empty(data(&self.frames, 0, has_marks))]);
        }
        let (strip, frames) = (Strip::new(self, style, room_mm)?, self.frames.len());
        // Whole rows on each page, as evenly as they go.
        let page = |rows: Range<usize>| {
            let shown = rows.start * strip.columns..(rows.end * strip.columns).min(frames);
            let data = data(&self.frames[shown.clone()], shown.start, has_marks);
            (shown, data, rows.len() as f64 * strip.pitch.1)
        };
        let pages = evenly(frames.div_ceil(strip.columns), frames.div_ceil(strip.columns * strip.rows));
        Ok(Page::all(pages.map(page).collect(), move |sheet, body, shown| {
            shown.clone().try_for_each(|index| strip.draw_frame(sheet, body, self, index, index - shown.start))
        }))
    }
}

pub(super) fn is_empty(board: &Picture) -> bool {
    board.width <= 0.0 || board.height <= 0.0
}

/// Meanings of the shapes on these boards, a phrase each; of a lone board also which piece it is about, and what its
/// openings and walls are.
pub(super) fn legend(boards: &[&Picture], is_lone: bool) -> Vec<&'static str> {
    let has = |is: fn(Role) -> bool| boards.iter().any(|board| board.shapes.iter().any(|shape| is(shape.role)));
    let mut phrases = Vec::new();
    if is_lone && has(|role| role == Role::Hero) {
        phrases.push("the piece that the level is about is red");
    }
    if is_lone && boards.iter().any(|board| !board.openings.is_empty()) {
        phrases.push("a gap in the frame with an arrow is an exit");
    }
    if is_lone && has(|role| role == Role::Wall) {
        phrases.push("walls are grey");
    }
    if has(|role| matches!(role, Role::Target(_))) {
        phrases.push("a coloured outline shows where a piece of its colour has to be");
    }
    if has(|role| matches!(role, Role::Lamp(_))) {
        phrases.push("yellow lamps are on, dark ones are off");
    }
    if has(|role| role == Role::Mark) {
        phrases.push("red dots mark where to move");
    }
    if has(|role| matches!(role, Role::Ranked(_))) {
        phrases.push("the higher a tile, the stronger its colour");
    }
    phrases
}

/// Phrases as one sentence.
pub(super) fn as_sentence(phrases: Vec<&str>) -> String {
    let mut text = phrases.join("; ");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// Text on how to read a storyboard.
fn strip_reading(input: &Storyboard) -> String {
    let boards: Vec<&Picture> = input.frames.iter().map(|frame| &frame.board).collect();
    if input.kind == StripKind::Gallery {
        return as_sentence(legend(&boards, true).into_iter().chain(marks_reading(input)).collect());
    }
    let has = |is: fn(Role) -> bool| boards.iter().any(|board| board.shapes.iter().any(|shape| is(shape.role)));
    let most_moved = boards.windows(2).map(|pair| change::moved(pair[0], pair[1]).len()).max().unwrap_or(0);
    let mut phrases = vec!["Boards follow one another from left to right and from top to bottom"];
    if most_moved > 1 {
        phrases.push("pieces that moved have a thick outline, dashed outlines show where they stood");
    } else if has(|role| matches!(role, Role::Hero | Role::Piece(_))) {
        phrases.push("the piece that moved has a thick outline, the dashed outline shows where it stood");
    }
    if has(|role| matches!(role, Role::Lamp(_))) {
        phrases.push("a red line runs round the lamps that the move switched");
    }
    phrases.extend(legend(&boards, false));
    phrases.push(match input.frames.iter().any(|frame| frame.distance.is_some()) {
        true => "below each board the number of the move, the move, and how many moves are left to the goal",
        false => "below each board the number of the move and the move",
    });
    phrases.extend(marks_reading(input));
    phrases.join("; ")
}

/// Meanings of notes and of marks of errors, where there are any.
fn marks_reading(input: &Storyboard) -> Vec<&str> {
    let mut phrases = Vec::new();
    if !input.note_meaning.is_empty() && input.frames.iter().any(|frame| !frame.note.is_empty()) {
        phrases.push(input.note_meaning.as_str());
    }
    if input.frames.iter().any(|frame| frame.is_error) {
        phrases.push("an orange triangle and an orange bar mark moves that are errors");
    }
    phrases
}

pub(super) fn check(board: &Picture) -> Result<(), String> {
    if !board.width.is_finite() || !board.height.is_finite() {
        return Err(format!("a board of {} × {} cells cannot be drawn", board.height, board.width));
    }
    // Sums of fractions miss the edge by a little.
    let end = |start: f64, length: f64, limit: f64| start >= -1e-6 && length >= 0.0 && start + length <= limit + 1e-6;
    let outside =
        |shape: &&Shape| !end(shape.row, shape.rows, board.height) || !end(shape.column, shape.columns, board.width);
    let beyond = |opening: &&Opening| opening.row as f64 >= board.height || opening.column as f64 >= board.width;
    let is_goal_outside = board
        .goal
        .is_some_and(|area| !end(area.row, area.rows, board.height) || !end(area.column, area.columns, board.width));
    let what = match (board.shapes.iter().find(outside), board.openings.iter().find(beyond)) {
        _ if is_goal_outside => "the part that shows the goal".to_owned(),
        (Some(shape), _) => format!("the shape {:?} at row {}, column {}", shape.label, shape.row, shape.column),
        (_, Some(opening)) => format!("the opening at row {}, column {}", opening.row, opening.column),
        _ => return Ok(()),
    };
    Err(format!("{what} lies outside of the board of {} × {} cells", board.height, board.width))
}

/// The boards and their shapes; `has_marks` tells whether the strip has notes or errors on any page.
fn data(frames: &[Frame], first: usize, has_marks: bool) -> PlottedData {
    let marks = if has_marks { ",note,is_error" } else { "" };
    let mut data = PlottedData::new(&format!("board,caption,distance,kind,label,row,column,rows,columns{marks}"));
    for (index, frame) in frames.iter().enumerate() {
        let distance = frame.distance.map(|distance| distance.to_string()).unwrap_or_default();
        let head = [(first + index).to_string(), frame.caption.clone(), distance];
        let mut push = |kind: String, label: &str, numbers: [f64; 4]| {
            let cells = [kind, label.to_owned()].into_iter().chain(numbers.map(rounded));
            let marks = has_marks.then(|| [frame.note.clone(), frame.is_error.to_string()]);
            data.rows.push(head.iter().cloned().chain(cells).chain(marks.into_iter().flatten()).collect());
        };
        push("board".to_owned(), "", [0.0, 0.0, frame.board.height, frame.board.width]);
        if let Some(area) = frame.board.goal {
            push("goal".to_owned(), "", [area.row, area.column, area.rows, area.columns]);
        }
        for shape in &frame.board.shapes {
            push(kind(shape.role), &shape.label, [shape.row, shape.column, shape.rows, shape.columns]);
        }
        for opening in &frame.board.openings {
            let kind = format!("opening {}", format!("{:?}", opening.side).to_lowercase());
            push(kind, "", [opening.row as f64, opening.column as f64, 1.0, 1.0]);
        }
    }
    data
}

/// Name of a role in the data.
fn kind(role: Role) -> String {
    match role {
        Role::Hero => "hero".to_owned(),
        Role::Piece(number) => format!("piece {}", colour_name(number)),
        Role::Wall => "wall".to_owned(),
        Role::Target(number) => format!("target {}", colour_name(number)),
        Role::Lamp(is_on) => format!("lamp {}", if is_on { "on" } else { "off" }),
        Role::Ranked(rank) => format!("rank {rank}"),
        Role::Frame => "frame".to_owned(),
        Role::Mark => "mark".to_owned(),
    }
}

/// The number of a colour, or its letter.
fn colour_name(number: usize) -> String {
    let named = NAMED.iter().find(|(_, known)| *known == number);
    named.map_or(number.to_string(), |(letter, _)| letter.to_string())
}

/// A length in cells, to the ten-thousandth.
fn rounded(cells: f64) -> String {
    ((cells * 1e4).round() / 1e4).to_string()
}

#[cfg(test)]
mod tests;
