//! Layout of a Rush Hour level: its board, walls, pieces and exit, before any rule is applied.

use crate::game::picture::Side;

/// The start of a level. [`super::notation::parse`] makes sure that pieces lie on the board and
/// overlap neither each other nor a wall, and that the exit is at an end of the red piece's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of columns, from 1.
    pub width: usize,
    /// Number of rows, from 1.
    pub height: usize,
    /// Cells that no piece can enter, as (row, column) from 0, in ascending order.
    pub walls: Vec<(usize, usize)>,
    /// The pieces, in the order of a list or matrix, or of their letters on a drawn board.
    pub pieces: Vec<Piece>,
    /// The red piece, as an index into `pieces`.
    pub red: usize,
    /// Place where the red piece leaves the board.
    pub exit: Exit,
}

/// One piece, a car or a truck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its name, as the level gives it.
    pub name: String,
    /// The row of its first cell, from 0 on top.
    pub row: usize,
    /// The column of its first cell, from 0 on the left.
    pub column: usize,
    /// Number of cells, from 2.
    pub length: usize,
    /// The direction in which it lies and moves.
    pub orientation: Orientation,
}

/// The direction in which a piece lies and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Orientation {
    /// Along its row.
    Horizontal,
    /// Along its column.
    Vertical,
}

/// Place where the red piece leaves the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exit {
    /// The side of the board.
    pub side: Side,
    /// The row of an exit on the left or right, the column of one at the top or bottom, from 0.
    pub line: usize,
}

impl Piece {
    /// The cells that it covers, as (row, column), from its first one on.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (row, column, orientation) = (self.row, self.column, self.orientation);
        (0..self.length).map(move |step| match orientation {
            Orientation::Horizontal => (row, column + step),
            Orientation::Vertical => (row + step, column),
        })
    }

    /// The row of a horizontal piece, the column of a vertical one: the line that it never leaves.
    pub fn line(&self) -> usize {
        match self.orientation {
            Orientation::Horizontal => self.row,
            Orientation::Vertical => self.column,
        }
    }

    /// The exit of a red piece where the level names none: on its row to the right, or on its
    /// column at the bottom.
    pub fn default_exit(&self) -> Exit {
        let side = match self.orientation {
            Orientation::Horizontal => Side::Right,
            Orientation::Vertical => Side::Bottom,
        };
        Exit { side, line: self.line() }
    }
}

impl Orientation {
    /// The direction that runs from one side of the board to the opposite one.
    pub fn towards(side: Side) -> Self {
        match side {
            Side::Left | Side::Right => Self::Horizontal,
            Side::Top | Side::Bottom => Self::Vertical,
        }
    }
}
