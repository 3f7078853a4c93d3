//! Readings of the places of pieces in a list, where they cannot be meant as they usually are.

use std::collections::HashSet;

use crate::game::rush_hour::layout::Piece;

/// Reading of the two numbers of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// `true` if the column comes before the row.
    pub is_swapped: bool,
    /// Number of the first row and column.
    pub base: usize,
}

/// Rows before columns, both from 0.
pub(super) const FROM_0: Reading = Reading { is_swapped: false, base: 0 };

/// With so many pieces it is no accident that only column before row leaves them apart and on the board.
const MIN_SWAPPED: usize = 4;

impl Reading {
    /// The usual reading of places, unless pieces would overlap or leave the board and one other reading alone is
    /// sound: rows and columns counted from the other end of 0 and 1, or else, where nothing names them, columns
    /// before rows. `pieces` have the numbers as they are written.
    pub fn of(pieces: &[Piece], usual: Self, has_names: bool, board: (usize, usize)) -> Self {
        let is_sound = |reading: &Self| reading.is_sound(pieces, board);
        if pieces.len() < 2 || is_sound(&usual) {
            return usual;
        }
        let other = Self { base: 1 - usual.base, ..usual };
        if is_sound(&other) {
            return other;
        }
        let swapped = [usual, other].map(|reading| Self { is_swapped: true, ..reading });
        let mut sound =
            swapped.into_iter().filter(|reading| !has_names && pieces.len() >= MIN_SWAPPED && is_sound(reading));
        match (sound.next(), sound.next()) {
            (Some(only), None) => only,
            _ => usual,
        }
    }

    /// Remark on it, where it is not the usual one.
    pub fn remark(self, usual: Self) -> Option<String> {
        let count = format!("rows and columns are counted from {}", self.base);
        let swap = "the column is taken to stand before the row";
        let what = match (self.is_swapped != usual.is_swapped, self.base != usual.base) {
            (false, false) => return None,
            (false, true) => count,
            (true, false) => swap.to_owned(),
            (true, true) => format!("{swap}, and {count}"),
        };
        Some(format!("{what}: read otherwise, pieces would overlap or leave the board"))
    }

    /// Row and column from 0 of numbers as they are written; absent where they count from 1 and one is 0.
    pub fn place(self, first: usize, second: usize) -> Option<(usize, usize)> {
        let (row, column) = if self.is_swapped { (second, first) } else { (first, second) };
        Some((row.checked_sub(self.base)?, column.checked_sub(self.base)?))
    }

    /// `true` if pieces read so lie on the board, and no two in one cell.
    fn is_sound(self, pieces: &[Piece], (width, height): (usize, usize)) -> bool {
        let mut occupied = HashSet::new();
        let mut is_free = |cell: (usize, usize)| cell.0 < height && cell.1 < width && occupied.insert(cell);
        pieces.iter().all(|piece| {
            let Some((row, column)) = self.place(piece.row, piece.column) else { return false };
            Piece { row, column, ..piece.clone() }.cells().all(&mut is_free)
        })
    }
}
