//! Tower of London and Tower of Hanoi: balls or disks on pegs, of which only the uppermost one of a peg can move.
//!
//! One move takes the uppermost ball or disk of one peg to the top of another. The two games differ in what
//! limits a move: in the Tower of London ([`london`]) each peg has room for so many balls, in the Tower of
//! Hanoi ([`hanoi`]) no disk may lie on a smaller one.
//!
//! Notation of moves: `1>3` moves from peg 1 to peg 3; pegs are numbered from 1, from the left. `1-3`, `1→3`,
//! `1 3`, `13`, `A>C` and `peg1>peg3` are read as well, and so is a ball or disk that goes to a peg: `R>3`,
//! `d2>3`.

use super::MoveError;

mod drawing;
pub mod hanoi;
pub mod london;
mod notation;

/// The most pegs that a level may have: a move names each by one digit.
pub const MAX_PEGS: usize = 9;

/// A move from the top of one peg to the top of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PegMove {
    /// The peg it comes from, from 0.
    pub from: u8,
    /// The peg it goes to, from 0.
    pub to: u8,
    /// What moves: the number of the ball's colour, or of the disk, from 0; absent if there is nothing.
    pub item: Option<u8>,
}

impl PegMove {
    /// The move in the notation of logs.
    fn notation(self) -> String {
        format!("{}>{}", self.from + 1, self.to + 1)
    }
}

/// A move as it is written: what comes before the arrow, and the peg behind it, from 0.
struct WrittenMove<'a> {
    source: &'a str,
    to: usize,
}

/// What can stand between the two ends of a move; those that contain another one come first.
const ARROWS: [&str; 11] = ["->", "=>", ">", "\u{2192}", "\u{2013}", "\u{2212}", "-", " to ", ":", "_", " "];

impl<'a> WrittenMove<'a> {
    /// Splits a move into its two ends; `what` is what the game calls its pieces in an example of a move.
    fn read(text: &'a str, n_pegs: usize, example: &str) -> Result<Self, MoveError> {
        let trimmed = text.trim();
        let unreadable = || MoveError::Unreadable {
            text: trimmed.to_owned(),
            expected: format!("write the two pegs (1>3){example}; pegs are numbered from 1, from the left"),
        };
        let (source, target) = two_ends(trimmed).ok_or_else(unreadable)?;
        let to = peg_number(target).ok_or_else(unreadable)?;
        if source.is_empty() || !source.chars().all(|letter| letter.is_alphanumeric() || letter == ' ') {
            return Err(unreadable());
        }
        if to >= n_pegs {
            return Err(no_such_peg(trimmed, to, n_pegs));
        }
        Ok(Self { source, to })
    }

    /// The peg that the move comes from, if its source is a peg.
    fn from(&self, text: &str, n_pegs: usize) -> Result<Option<usize>, MoveError> {
        match peg_number(self.source) {
            Some(from) if from >= n_pegs => Err(no_such_peg(text.trim(), from, n_pegs)),
            from => Ok(from),
        }
    }
}

fn two_ends(text: &str) -> Option<(&str, &str)> {
    for arrow in ARROWS {
        if let Some((source, target)) = text.split_once(arrow) {
            return Some((source.trim(), target.trim()));
        }
    }
    // Two pegs without anything between them are two digits or two letters.
    let kind = |byte: &u8| (byte.is_ascii_digit(), byte.is_ascii_alphabetic());
    match text.as_bytes() {
        [from, to] if kind(from) == kind(to) && from.is_ascii_alphanumeric() => Some(text.split_at(1)),
        _ => None,
    }
}

/// The peg that a text names, from 0: a number from 1, or a letter from A; `peg` may stand before it.
fn peg_number(text: &str) -> Option<usize> {
    let lower = text.trim().to_ascii_lowercase();
    let name = lower.strip_prefix("peg").unwrap_or(&lower).trim();
    match name.as_bytes() {
        [letter @ b'a'..=b'i'] => Some(usize::from(letter - b'a')),
        digits if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            name.parse::<usize>().ok()?.checked_sub(1)
        }
        _ => None,
    }
}

fn no_such_peg(text: &str, peg: usize, n_pegs: usize) -> MoveError {
    let reason = format!("there is no peg {}; the pegs go from 1 to {n_pegs}", peg.saturating_add(1));
    MoveError::Illegal { text: text.to_owned(), reason }
}

/// Why a move from a peg to itself is none.
fn stays(what: &str, peg: u8) -> String {
    format!("the {what} stays on peg {}: to lift it and put it back is not a move", peg + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_in_many_ways() {
        let written = [
            "1>3",
            " 1-3",
            "1->3",
            "1→3",
            "1 3",
            "13",
            "A>C",
            "ac",
            "a-c",
            "peg1>peg3",
            "1 to 3",
            "Peg 1 > Peg 3",
            "1:3",
            "1−3",
            "1_3",
        ];
        for text in written {
            let ends = WrittenMove::read(text, 3, "").unwrap();
            assert_eq!((ends.from(text, 3).unwrap(), ends.to), (Some(0), 2), "{text}");
        }
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in ["", ">", "1>", ">3", "1>x", "1", "123", "1>0", "A1", "1>3>2", "1,3", "?>2"] {
            assert!(matches!(WrittenMove::read(text, 3, ""), Err(MoveError::Unreadable { .. })), "{text:?}");
        }
        let error = WrittenMove::read("1>4", 3, "").err().unwrap();
        assert_eq!(error.to_string(), "\"1>4\" is not possible here: there is no peg 4; the pegs go from 1 to 3");
        let ends = WrittenMove::read("9>1", 3, "").unwrap();
        assert!(matches!(ends.from("9>1", 3), Err(MoveError::Illegal { .. })));
    }
}
