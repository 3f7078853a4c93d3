//! `steps` of `[log]`: what is done with the rows of the files before anybody asks what their columns mean.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// One step. Steps are taken from top to bottom, each on the rows that the one before it gives; expressions are those
/// of [`plymap_expression`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PipelineStep {
    /// Keeps the rows for which an expression holds.
    Where(String),
    /// Computes columns: name to expression. All see the row as it came into the step.
    Set(BTreeMap<String, String>),
    /// Fills empty cells with what stands above them in the same file.
    Fill(Fill),
    /// Makes one row for each element of a cell.
    Split(Split),
    /// Makes one row for each of several sets of columns, such as `move1`, `time1`, `move2`, `time2`.
    Wide(Wide),
    /// Replaces values of a column.
    Replace(Replace),
    /// Rewrites a column from one notation into another.
    Notation(Notation),
    /// Joins two rows to one, such as the pick and the drop of a piece.
    Pair(Pair),
    /// Adds the columns of another file.
    Join(Join),
}

/// Columns that are filled down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fill {
    /// The columns.
    pub columns: Vec<String>,
    /// Columns that must be the same in the row above, such as the participant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
}

/// A cell that holds several elements.
///
/// Without `by` the cell is JSON, or a list as Python prints it: an array of objects, whose keys become columns; an
/// array of values, which take the place of the cell; an array of arrays, whose values become `NAME_1`, `NAME_2`, …;
/// an object of arrays of the same length, which are read side by side; or one object, whose keys become columns of
/// the same row. A key that is the name of another column of the row gets the name of the cell before it: `moves_rt`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// The column of the cell.
    pub column: String,
    /// Columns whose cells have as many elements, and are taken apart beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// Separator of the elements of a text; where it is empty, each character but blanks is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Number of characters of an element, where nothing stands between elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<usize>,
    /// `true` if a number behind an element tells how often it is meant: `R5` is five of `R`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub times: bool,
    /// Columns whose elements come behind those of the first, under its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<String>,
    /// Columns that the elements become, in the same row: `["disk", "from", "to"]` of `[1, "A", "C"]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub into: Vec<String>,
    /// `true` if a row whose cell is missing or has no element stays, without one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_empty: bool,
    /// Column for the number of the element, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

/// Columns that repeat with a number in their names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wide {
    /// New column to the names of the old ones, with `{n}` where the number stands: `action = "move{n}"`; several of
    /// them, as in `"moves[{n}][{n}]"`, count in their order.
    pub columns: BTreeMap<String, String>,
    /// Column for the number; several are joined by points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

/// Values of a column that are replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replace {
    /// The column.
    pub column: String,
    /// Old value to new one; values that are not listed stay. With `by`, such a table for each value of that column.
    pub values: toml::Table,
    /// The column on which it depends, such as the level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A notation of moves, and how the game writes them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notation {
    /// The column.
    pub column: String,
    /// Patterns of its values, such as `"{piece} {direction} {n}"`; the first that fits counts.
    pub read: Vec<String>,
    /// Notation of the game, such as `"{piece}{direction}{n}"`.
    pub write: String,
    /// For a part that `read` names, the words in the log and what they stand for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, BTreeMap<String, String>>,
}

/// Two rows that are one move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// Holds for the first row.
    pub first: String,
    /// Holds for the second, which takes the columns of the first under `prefix` with it.
    pub second: String,
    /// Columns that both have the same, such as the participant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
    /// Prefix of the columns of the first row; `first_` where it is not given.
    #[serde(default = "first_prefix")]
    pub prefix: String,
}

fn first_prefix() -> String {
    "first_".to_owned()
}

/// Another file, whose rows are looked up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The file, in any format of logs.
    pub file: PathBuf,
    /// Column of the log to column of the file; both must be the same.
    pub by: BTreeMap<String, String>,
}

impl PipelineStep {
    /// The name of its kind.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Where(_) => "where",
            Self::Set(_) => "set",
            Self::Fill(_) => "fill",
            Self::Split(_) => "split",
            Self::Wide(_) => "wide",
            Self::Replace(_) => "replace",
            Self::Notation(_) => "notation",
            Self::Pair(_) => "pair",
            Self::Join(_) => "join",
        }
    }
}

/// Counts of what a step did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepCount {
    /// The step, as [`PipelineStep::name`].
    pub step: String,
    /// Its setting, as it is written.
    pub detail: String,
    /// Rows that came in.
    pub n_in: u64,
    /// Rows that it gave.
    pub n_out: u64,
    /// Rows that it left out.
    pub n_left_out: u64,
    /// Number of those that were left out because a missing value left its condition open.
    pub n_undecided: u64,
}
