//! Tower of London and Tower of Hanoi: balls or disks on pegs, of which only the uppermost one of a peg can move.
//!
//! One move takes the uppermost ball or disk of one peg to the top of another. The two games differ in what
//! limits a move: in the Tower of London ([`london`]) each peg has room for so many balls, in the Tower of
//! Hanoi ([`hanoi`]) no disk may lie on a smaller one.
//!
//! Notation of moves: `1>3` moves from peg 1 to peg 3; pegs are numbered from 1, from the left. `1-3`, `1→3`,
//! `1 3`, `13`, `A>C`, `peg1>peg3`, `left>right` and `[2, 1, 3]` are read as well, so are sentences such as `Move
//! disk 2 from A to C`, and so is a ball or disk that goes to a peg: `R>3`, `d2>3`.

mod drawing;
pub mod hanoi;
pub mod london;
pub(super) mod notation;
mod written;

use written::WrittenMove;
pub(crate) use written::pegs_in_order;

/// The most pegs that a level may have: a move names each by one digit.
pub const MAX_PEGS: usize = 9;

/// A move from the top of one peg to the top of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PegMove {
    /// The peg it comes from, from 0.
    pub from: u8,
    /// The peg it goes to, from 0.
    pub to: u8,
    /// Item that moves: the number of the ball's colour, or of the disk, from 0; absent if there is nothing.
    pub item: Option<u8>,
}

impl PegMove {
    /// The move in the notation of logs.
    fn notation(self) -> String {
        format!("{}>{}", self.from + 1, self.to + 1)
    }
}

/// Reason why a move from a peg to itself is none.
fn stays(what: &str, peg: u8) -> String {
    format!("the {what} stays on peg {}: to lift it and put it back is not a move", peg + 1)
}
