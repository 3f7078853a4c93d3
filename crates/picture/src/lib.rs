#![doc = include_str!("../README.md")]

use std::sync::Arc;

mod image;

pub use image::{Image, ImagePart, Point};

/// A position drawn on a board of unit squares, row 0 on top.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Number of columns.
    pub width: f64,
    /// Number of rows.
    pub height: f64,
    /// Ground below all shapes.
    pub ground: Ground,
    /// Shapes on the board, drawn in this order.
    pub shapes: Vec<Shape>,
    /// Openings of the board, such as the exit of Rush Hour.
    pub openings: Vec<Opening>,
    /// The part of the picture that shows the goal, where a part of it does.
    pub goal: Option<GoalArea>,
    /// The position as lines of text, for terminals, where the shapes do not stand on whole cells; without
    /// it the shapes are written one character for each cell.
    pub text: Option<String>,
}

/// The part of a picture that shows what has to be reached, beside the position itself: it is set off and called the goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoalArea {
    /// Top, from 0.
    pub row: f64,
    /// Left, from 0.
    pub column: f64,
    /// Height.
    pub rows: f64,
    /// Width.
    pub columns: f64,
    /// Height that is left free at its top for its caption.
    pub caption: f64,
}

/// Ground below all shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// A framed board with the lines of its cells.
    Grid,
    /// Nothing: shapes stand on the page.
    Plain,
}

/// Shape of a thing on the board, inside a rectangle in units of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Top, from 0.
    pub row: f64,
    /// Left, from 0.
    pub column: f64,
    /// Height.
    pub rows: f64,
    /// Width.
    pub columns: f64,
    /// Form in which it fills its rectangle.
    pub form: Form,
    /// Role of the thing, which decides its colour.
    pub role: Role,
    /// A short name drawn on it; may be empty.
    pub label: String,
}

/// Form in which a shape fills its rectangle.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// All of it, with rounded corners.
    Block,
    /// As an ellipse.
    Disc,
    /// With nothing but its label.
    Label,
    /// As an image, which is stretched to it.
    Image(Arc<Image>),
}

/// Role of a thing on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The piece that the level is about (drawn red).
    Hero,
    /// Any other piece; the number picks its colour, in turn or as one of [`NAMED`].
    Piece(usize),
    /// A fixed obstacle (drawn grey).
    Wall,
    /// A place that pieces have to reach (drawn as a thick outline); the number picks its colour.
    Target(usize),
    /// A lamp that is on (drawn yellow) or off (drawn dark).
    Lamp(bool),
    /// A tile of a rank that grows, from 1 (drawn in ever stronger colour), such as 2, 4, 8, … in 2048.
    Ranked(usize),
    /// A part of the frame that never moves, such as the pegs of a tower (drawn in a neutral colour).
    Frame,
    /// A mark on what lies below it, such as a lamp to press (drawn as a small dot).
    Mark,
}

impl Role {
    /// Returns true if the label of a shape only names it, so that a board can do without: the letter of a piece, unlike the
    /// number of a tile.
    pub fn is_named(self) -> bool {
        matches!(self, Self::Hero | Self::Piece(_) | Self::Target(_))
    }
}

/// Number of the colours that numbers pick in turn, before they begin again.
pub const N_COLOURS: usize = 12;

/// Number of the first of these, which are light, so that letters on them can be dark.
pub const N_LIGHT_COLOURS: usize = 7;

/// The letters of colours that numbers do not pick in turn, with the numbers that pick them.
pub const NAMED: [(char, usize); 4] =
    [('R', usize::MAX), ('O', usize::MAX - 1), ('P', usize::MAX - 2), ('W', usize::MAX - 3)];

/// The letters of colours that numbers pick in turn, with these numbers: blue, yellow, green, cyan.
const IN_TURN: [(char, usize); 4] = [('B', 0), ('Y', 1), ('G', 2), ('C', 5)];

/// Numbers of colours for pieces that are called by letters: the colour that a letter stands for in English,
/// where there is one (B, C, G, O, P, R, W, Y), and for the others what is left, in turn.
pub fn colours_of_letters(letters: &[char]) -> Vec<usize> {
    // The colours of later letters are kept free too, so that no two pieces look alike.
    let used: Vec<usize> = letters.iter().filter_map(|&letter| named_colour(letter)).collect();
    let mut left = (0..).filter(|number| !used.contains(number));
    letters.iter().map(|&letter| named_colour(letter).or_else(|| left.next()).unwrap_or(0)).collect()
}

fn named_colour(letter: char) -> Option<usize> {
    let letter = letter.to_ascii_uppercase();
    NAMED.iter().chain(&IN_TURN).find(|(known, _)| *known == letter).map(|&(_, number)| number)
}

/// A gap in the frame of the board, beside one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Row of the cell, from 0.
    pub row: usize,
    /// Column of the cell, from 0.
    pub column: usize,
    /// Side of the cell that is open.
    pub side: Side,
}

/// One side of a board or a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Towards row 0.
    Top,
    /// Towards the last column.
    Right,
    /// Towards the last row.
    Bottom,
    /// Towards column 0.
    Left,
}

impl Picture {
    /// An empty board of whole cells.
    pub fn grid(width: usize, height: usize) -> Self {
        Self {
            width: width as f64,
            height: height as f64,
            ground: Ground::Grid,
            shapes: Vec::new(),
            openings: Vec::new(),
            goal: None,
            text: None,
        }
    }

    /// The position as text: the game's own where it gives one, else one character for each cell: a letter
    /// for a piece (the first of its label), `#` for a wall, `.` for an empty cell; `>`, `<`, `^`, `v` mark
    /// where the board is open.
    pub fn to_text(&self) -> String {
        if let Some(text) = &self.text {
            return text.clone();
        }
        let (n_columns, n_rows) = (self.width as usize, self.height as usize);
        let mut cells = vec![vec!['.'; n_columns]; n_rows];
        for shape in &self.shapes {
            let mark = match shape.role {
                Role::Wall => '#',
                _ => shape.label.chars().next().unwrap_or('?'),
            };
            for row in cells.iter_mut().skip(shape.row as usize).take(shape.rows as usize) {
                for cell in row.iter_mut().skip(shape.column as usize).take(shape.columns as usize) {
                    *cell = mark;
                }
            }
        }
        let opening = |row: usize, column: usize, side: Side| self.openings.contains(&Opening { row, column, side });
        let border = |row: usize, side: Side, mark: char| -> String {
            let marks = (0..n_columns).map(|column| if opening(row, column, side) { mark } else { '-' });
            format!("+{}+\n", marks.flat_map(|mark| ['-', mark]).skip(1).collect::<String>())
        };
        let last_row = n_rows.saturating_sub(1);
        let mut text = border(0, Side::Top, '^');
        for (row, line) in cells.iter().enumerate() {
            text.push(if opening(row, 0, Side::Left) { '<' } else { '|' });
            let spaced: Vec<String> = line.iter().map(char::to_string).collect();
            text.push_str(&spaced.join(" "));
            text.push(if opening(row, n_columns.saturating_sub(1), Side::Right) { '>' } else { '|' });
            text.push('\n');
        }
        text.push_str(&border(last_row, Side::Bottom, 'v'));
        text
    }
}

impl Shape {
    /// A block that fills whole cells.
    pub fn block(row: usize, column: usize, rows: usize, columns: usize, role: Role, label: String) -> Self {
        let (row, column, rows, columns) = (row as f64, column as f64, rows as f64, columns as f64);
        Self { row, column, rows, columns, form: Form::Block, role, label }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_the_colours_that_they_stand_for() {
        let [red, _, purple, _] = NAMED.map(|(_, number)| number);
        assert_eq!(colours_of_letters(&['G', 'r', 'B', 'P']), [2, red, 0, purple]);
        // A and Z stand for no colour: they take what B and Y leave.
        assert_eq!(colours_of_letters(&['A', 'B', 'Y', 'Z']), [2, 0, 1, 3]);
    }
}
