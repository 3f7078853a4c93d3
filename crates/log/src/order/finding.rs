//! Findings that only the order of rows shows, and their words.

use crate::columns::Mapping;
use crate::entry::Entry;
use crate::raw::RowDiagnostic;
use crate::reject::Consequence;
use crate::role::Role;

/// Something that only the order of rows shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowFinding {
    /// The row.
    pub row: usize,
    pub kind: Finding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// An earlier row says the same in everything.
    Duplicate { first: usize },
    /// An earlier row has the same index, but says something else.
    Repeated { first: usize },
    /// A row before it says the same in everything, in a log that does not number its moves.
    Same { first: usize },
    /// The move before this one has an index that is smaller by more than 1.
    Gap { before: i64 },
    /// The first index of the attempt is not 0.
    LateStart,
    /// The row happened before the row that it follows.
    Backwards { before: usize, is_time_lost: bool },
}

impl Finding {
    /// Consequence for the row.
    pub(crate) fn consequence(self) -> Consequence {
        match self {
            Self::Duplicate { .. } => Consequence::Rejected,
            Self::Backwards { is_time_lost: true, .. } => Consequence::TimeMissing,
            _ => Consequence::Kept,
        }
    }

    /// The same in words, said of `row`.
    pub(crate) fn diagnostic(self, mapping: &Mapping, rows: &[Entry], row: &Entry, files: &[String]) -> RowDiagnostic {
        let index = row.index().map_or_else(String::new, |index| index.to_string());
        let index_column = mapping.source_name(Role::MoveIndex);
        let stands = |number: usize| match &rows[number] {
            other if other.at.file() == row.at.file() => format!("row {}", other.at.row()),
            other => format!("row {} of {}", other.at.row(), files[other.at.file()]),
        };
        match self {
            Self::Duplicate { first } => {
                let rule = format!("the row says the same as {}", stands(first));
                let fix = "nothing is lost; find out how the row came to be written twice";
                RowDiagnostic::new("duplicate-row", index_column, &index, rule, fix)
            }
            Self::Same { first } => {
                let rule =
                    format!("the row says the same as {}, and nothing tells whether it was made twice", stands(first));
                let fix = "find out whether the row was written twice; a column that numbers the rows of the file, named in \
                           row_number of [log], would tell";
                RowDiagnostic::new("repeated-row", mapping.source_name(Role::Action), "", rule, fix)
            }
            Self::Repeated { first } => {
                let rule = format!(
                    "{}, of the same attempt, has the same index; the order of the file decides",
                    stands(first)
                );
                let fix = "if there are many, name the column that identifies the attempts in [columns]";
                RowDiagnostic::new("repeated-index", index_column, &index, rule, fix)
            }
            Self::Gap { before } => {
                let rule = format!("move_index goes from {before} to {index} within the attempt");
                RowDiagnostic::new(
                    "index-gap",
                    index_column,
                    &index,
                    rule,
                    "find out whether moves are missing from the log",
                )
            }
            Self::LateStart => {
                let rule = format!("the first move_index of the attempt is {index}, not 0");
                let fix = "find out whether moves are missing; if the log counts from 1, say `first = 1` with the \
                           column in [columns]";
                RowDiagnostic::new("index-not-from-0", index_column, &index, rule, fix)
            }
            Self::Backwards { before, .. } => {
                let rule = format!("the row happened before {}, which it follows", stands(before));
                let onset = row.onset.map_or_else(String::new, |onset| onset.seconds().to_string());
                let fix = "check the order of the rows and the clock of the machine that wrote them";
                RowDiagnostic::new("time-backwards", mapping.source_name(Role::Onset), &onset, rule, fix)
            }
        }
    }
}
