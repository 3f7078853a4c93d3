//! A row of play whose cells could be read.

use super::imported::Micros;
use super::position::Pegs;
use crate::raw::RowDiagnostic;

/// A row of play whose cells could be read.
pub(super) struct Click {
    pub position: Pegs,
    pub target: Pegs,
    pub peg: usize,
    pub rt: Option<Micros>,
    pub elapsed: Option<Micros>,
    pub number: Option<u64>,
}

pub(super) const LOOK_AT_ROW: &str =
    "look at the row in its file; the log goes on behind it from the recorded position";

pub(super) fn read_pegs(cell: Option<&String>, column: &'static str) -> Result<Pegs, RowDiagnostic> {
    cell.and_then(|text| Pegs::read(text)).ok_or_else(|| {
        let rule =
            "this is no position: it is written as [[1,2,0],[3,0],[0]], each peg from the bottom, 0 for an empty \
                    place above the balls"
                .to_owned();
        RowDiagnostic::uncut("bad-position", column, cell.cloned().unwrap_or_default(), rule, LOOK_AT_ROW)
    })
}

/// A ball in the hand.
pub(super) struct Hand {
    pub ball: u8,
    pub from: usize,
    /// The position while it is in the hand, and that before.
    pub lifted: Pegs,
    pub before: Pegs,
    pub row: usize,
    pub rt: Option<Micros>,
    pub recorded_number: Option<u64>,
}
