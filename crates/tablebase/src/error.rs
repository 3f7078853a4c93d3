//! Errors of tables.

use std::io;
use std::path::{Path, PathBuf};

/// Reason why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// Distances are found backwards from the goals, which needs moves that can be undone.
    #[error("a tablebase needs moves that can be undone, without chance: use `plymap map`")]
    Irreversible,
    /// The game gives its positions no numbers.
    #[error(
        "this game does not number the positions of the level, and a tablebase has one place for each: use `plymap map`"
    )]
    Unnumbered,
    /// More positions than can be numbered.
    #[error("the level has too many positions for any table")]
    TooMany,
    /// The table would take more memory than is allowed.
    #[error(
        "a table of {n_positions} positions takes {} of memory, and --memory allows {}: give it {:.2}{}",
        size(*bytes), size(*allowed), (gib(*bytes) * 100.0).ceil() / 100.0,
        if *smaller { ", or take --bits 2" } else { "" }
    )]
    TooLarge {
        /// Number of positions.
        n_positions: u64,
        /// Bytes that it needs.
        bytes: u64,
        /// Bytes that are allowed.
        allowed: u64,
        /// `true` if two bits for each position would be enough.
        smaller: bool,
    },
    /// A distance does not fit into a byte.
    #[error("a goal is more than 254 moves away, which does not fit into a byte: take --bits 2")]
    TooFar,
    /// The file is there.
    #[error("{} is there already: go on with it by --resume, or name another file", .0.display())]
    Exists(PathBuf),
    /// The file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Reason.
        source: io::Error,
    },
    /// The file could not be written, or the system gave no memory.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Reason.
        source: io::Error,
    },
    /// The file is no table, or a damaged one.
    #[error("{} is no tablebase: {reason}", path.display())]
    NotATable {
        /// The file.
        path: PathBuf,
        /// Reason.
        reason: String,
    },
    /// The file is the table of another level.
    #[error("{} is the tablebase of another level: {difference}", path.display())]
    OtherLevel {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// The file was begun with other options.
    #[error("{} has {has} bits for each position, and --bits asks for {wanted}", path.display())]
    OtherBits {
        /// The file.
        path: PathBuf,
        /// Bits that it has.
        has: u8,
        /// Bits that are asked for.
        wanted: u8,
    },
    /// There are other numbers of positions at each distance than there should be.
    #[error(
        "the table is damaged: it has other numbers of positions at each distance than its head says; make it anew"
    )]
    Miscounted,
    /// A part of the file is not as it was written.
    #[error("{} is damaged at byte {byte}: make it anew by `plymap tablebase`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// First byte of the part.
        byte: usize,
    },
    /// It is no position of the level.
    #[error("{0} is no position of the level")]
    NoPosition(String),
    /// The table is not finished.
    #[error(
        "{} is not finished, it has {n_layers} layers: go on with it by `plymap tablebase --resume`", path.display()
    )]
    Unfinished {
        /// The file.
        path: PathBuf,
        /// Number of distances of which all positions are found.
        n_layers: usize,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl TablebaseError {
    /// True if the level can have no such table, whatever its file.
    pub fn is_of_level(&self) -> bool {
        matches!(self, Self::Irreversible | Self::Unnumbered | Self::TooMany | Self::TooLarge { .. } | Self::TooFar)
    }

    /// The same error with the file in which it is.
    pub(crate) fn in_file(self, path: Option<&Path>) -> Self {
        match (self, path) {
            (Self::Miscounted, Some(path)) => {
                Self::NotATable { path: path.into(), reason: Self::Miscounted.to_string() }
            }
            (error, _) => error,
        }
    }
}

/// A size for people to read.
fn size(bytes: u64) -> String {
    if bytes < 1 << 28 { format!("{} KiB", bytes.div_ceil(1 << 10)) } else { format!("{:.1} GiB", gib(bytes)) }
}

fn gib(bytes: u64) -> f64 {
    bytes as f64 / (1 << 30) as f64
}
