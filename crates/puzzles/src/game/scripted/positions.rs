//! The positions that a scripted puzzle has met, with their moves and whether they are goals.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// The code of a state: a hash of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(pub(super) u128);

impl Position {
    /// The 128-bit hash of Fowler, Noll and Vo (FNV-1a, 1991), both halves mixed by the finaliser of MurmurHash3
    /// (Appleby, 2008). Among 20 million states the chance that two share a code is below 1e-23.
    pub(super) fn of(text: &str) -> Self {
        const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        let hash = text.bytes().fold(OFFSET, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
        let low = mixed(hash as u64 ^ (hash >> 64) as u64);
        let high = mixed((hash >> 64) as u64);
        Self((u128::from(high) << 64) | u128::from(low))
    }
}

fn mixed(mut word: u64) -> u64 {
    word = (word ^ (word >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    word = (word ^ (word >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ (word >> 33)
}

/// Everything known so far; each of these questions is put to the script once.
#[derive(Debug, Default)]
pub(super) struct Positions {
    numbers: HashMap<Position, u32, BuildHasherDefault<AsItIs>>,
    records: Vec<Record>,
    arcs: Vec<Arc>,
    notations: Vec<Box<str>>,
    notation_numbers: HashMap<Box<str>, u32>,
}

/// Facts about one position.
#[derive(Debug)]
struct Record {
    position: Position,
    text: Box<str>,
    is_goal: Option<bool>,
    arcs: Option<Range<usize>>,
}

/// A move by the number of its notation, and the number of the position that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arc {
    notation: u32,
    after: u32,
}

/// Reason why a position could not be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NotKept {
    /// The limit of positions is reached.
    TooMany,
    /// Another position has the same code.
    Collision,
}

/// Passes a code on as its own hash: codes are spread evenly already.
#[derive(Debug, Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, code: u128) {
        self.0 = code as u64;
    }
}

impl Positions {
    /// Keeps a position by its text and gives it back; at most `limit` are kept.
    pub fn keep(&mut self, text: &str, limit: usize) -> Result<Position, NotKept> {
        let position = Position::of(text);
        match self.numbers.get(&position) {
            // The text is compared although the code is equal: a collision is not expected, but would make two
            // positions one unseen.
            Some(&number) if *self.records[number as usize].text == *text => Ok(position),
            Some(_) => Err(NotKept::Collision),
            None if self.records.len() >= limit.min(u32::MAX as usize) => Err(NotKept::TooMany),
            None => {
                self.numbers.insert(position, self.records.len() as u32);
                self.records.push(Record { position, text: text.into(), is_goal: None, arcs: None });
                Ok(position)
            }
        }
    }

    /// The text of a position that was kept.
    pub fn text(&self, position: Position) -> Option<&str> {
        self.record(position).map(|record| &*record.text)
    }

    pub fn is_goal(&self, position: Position) -> Option<bool> {
        self.record(position)?.is_goal
    }

    pub fn set_goal(&mut self, position: Position, is_goal: bool) {
        if let Some(record) = self.record_mut(position) {
            record.is_goal = Some(is_goal);
        }
    }

    /// The moves of a position with the positions that they lead to, if they are known.
    pub fn moves(&self, position: Position) -> Option<impl ExactSizeIterator<Item = (&str, Position)>> {
        let arcs = &self.arcs[self.record(position)?.arcs.clone()?];
        Some(
            arcs.iter().map(|arc| (&*self.notations[arc.notation as usize], self.records[arc.after as usize].position)),
        )
    }

    /// Keeps the moves of a position, in their order, with the texts of the positions that they lead to.
    pub fn set_moves(&mut self, position: Position, moves: &[(String, String)], limit: usize) -> Result<(), NotKept> {
        let mut arcs = Vec::with_capacity(moves.len());
        for (notation, after) in moves {
            let after = self.keep(after, limit)?;
            arcs.push(Arc { notation: self.notation(notation), after: self.numbers[&after] });
        }
        let first = self.arcs.len();
        let n_arcs = arcs.len();
        match self.record_mut(position) {
            // Another thread may have been faster; both found the same.
            Some(record) if record.arcs.is_none() => record.arcs = Some(first..first + n_arcs),
            _ => return Ok(()),
        }
        self.arcs.extend(arcs);
        Ok(())
    }

    fn notation(&mut self, notation: &str) -> u32 {
        if let Some(&number) = self.notation_numbers.get(notation) {
            return number;
        }
        // Each notation is kept once: a level has few, and an arc is then two numbers.
        let number = self.notations.len() as u32;
        self.notations.push(notation.into());
        self.notation_numbers.insert(notation.into(), number);
        number
    }

    fn record(&self, position: Position) -> Option<&Record> {
        self.numbers.get(&position).map(|&number| &self.records[number as usize])
    }

    fn record_mut(&mut self, position: Position) -> Option<&mut Record> {
        self.numbers.get(&position).map(|&number| &mut self.records[number as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_its_text() {
        let mut positions = Positions::default();
        let (first, second) = (positions.keep("{1 2}", 2).unwrap(), positions.keep("{2 1}", 2).unwrap());
        assert_ne!(first, second);
        assert_eq!(positions.keep("{1 2}", 2), Ok(first));
        assert_eq!(positions.text(second), Some("{2 1}"));
        assert_eq!(positions.keep("{3}", 2), Err(NotKept::TooMany));
    }

    #[test]
    fn moves_are_kept_once() {
        let mut positions = Positions::default();
        let start = positions.keep("a", 9).unwrap();
        let moves = [("x".to_owned(), "b".to_owned()), ("y".to_owned(), "a".to_owned())];
        assert!(positions.moves(start).is_none());
        positions.set_moves(start, &moves, 9).unwrap();
        positions.set_moves(start, &moves, 9).unwrap();
        let kept: Vec<_> = positions.moves(start).unwrap().collect();
        assert_eq!(kept, [("x", Position::of("b")), ("y", start)]);
        assert_eq!(positions.arcs.len(), 2);
    }
}
