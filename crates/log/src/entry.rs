//! A row of the canonical log while its order is found, and the group that it belongs to.

use std::num::NonZeroU64;

use super::event::Event;
use super::time::Time;

/// A row of the canonical log, its texts aside.
///
/// Rejected rows stay among the others until the end: where one was lost, the moves around it are no
/// neighbours, and the moves behind it keep their number.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Number of its participant, session and level; [`NO_GROUP`] where these or the attempt are not beyond doubt.
    pub group: u32,
    /// Attempt; 0 until it is derived.
    pub attempt: i64,
    pub index: Option<Index>,
    pub event: Event,
    pub onset: Option<Time>,
    pub rt: Option<Time>,
    pub at: FileRow,
    pub is_rejected: bool,
    /// `true` if `rt` is the difference to the onset before it.
    pub is_rt_from_onset: bool,
}

/// Place of a row: the number of its file, and its row there. Places are ordered as files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct FileRow(u64);

impl FileRow {
    /// Bits of the row; those above are the number of the file.
    const ROW_BITS: u32 = 40;

    /// The row of this number in a file.
    ///
    /// # Panics
    ///
    /// If there are 16 million files, or a million million rows; both are more than a log can have.
    pub fn new(file: usize, row: u64) -> Self {
        let file = file as u64;
        assert!(row >> Self::ROW_BITS == 0 && file >> (u64::BITS - Self::ROW_BITS) == 0, "row {row} of file {file}");
        Self(file << Self::ROW_BITS | row)
    }

    /// The number of the file.
    pub fn file(self) -> usize {
        (self.0 >> Self::ROW_BITS) as usize
    }

    /// The row in it, as `source_row` counts.
    pub fn row(self) -> u64 {
        self.0 & ((1 << Self::ROW_BITS) - 1)
    }
}

impl Entry {
    /// Its group and attempt.
    pub(super) fn place(&self) -> (u32, i64) {
        (self.group, self.attempt)
    }

    pub(super) fn index(&self) -> Option<i64> {
        self.index.map(Index::get)
    }
}

/// Number of a move within its attempt, from 0; held plus 1, so that `Option` takes no more room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Index(NonZeroU64);

impl Index {
    /// Nothing of a negative number.
    pub(super) fn new(index: i64) -> Option<Self> {
        Some(Self(NonZeroU64::new(u64::try_from(index).ok()? + 1)?))
    }

    fn get(self) -> i64 {
        (self.0.get() - 1) as i64
    }
}

/// The group of a rejected row whose place is not beyond doubt: a [`Stray`].
pub(super) const NO_GROUP: u32 = u32::MAX;

/// Participant, session and level of a group of rows, as numbers of their texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EntryGroup {
    pub participant: u32,
    pub session: u32,
    pub level: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// docs/scale.md says how much a row takes.
    #[test]
    fn rows_stay_small_and_know_their_place() {
        assert_eq!(size_of::<Entry>(), 48);
        let last = FileRow::new((1 << 24) - 1, (1 << 40) - 1);
        assert_eq!((last.file(), last.row()), ((1 << 24) - 1, (1 << 40) - 1));
        assert!(FileRow::new(1, 7) < FileRow::new(1, 8) && FileRow::new(1, 8) < FileRow::new(2, 1));
        assert!(std::panic::catch_unwind(|| FileRow::new(0, 1 << 40)).is_err());
    }
}
