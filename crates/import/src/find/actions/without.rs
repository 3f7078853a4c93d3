//! Rows of levels without a move: of another kind, or of trials that nobody answered.

use std::collections::{BTreeMap, BTreeSet};

use plymap_log::{PipelineStep, SampleRow};
use plymap_statistics::stats::apa::counted;

use crate::find::finder::Finder;
use crate::find::found::Found;
use crate::proposal::Certainty;
use crate::quoted::quoted;

/// Largest number of values of a column that tells kinds of rows.
const KINDS: usize = 20;

/// Rows of levels that have no move.
#[derive(Clone, Debug, Default)]
pub(super) struct Without {
    /// The column of moves, as expressions name it.
    column: String,
    /// Number of rows of the kind of those with a move: nobody answered.
    n_unanswered: usize,
    /// Number of rows of another kind, and the condition for those of the kind of moves.
    n_others: usize,
    is_of_kind: String,
}

impl Found {
    /// Rows of another kind than moves are left out; where nobody answered, nothing was moved, and the time counts.
    pub(super) fn leave_out(&mut self, without: &Without) {
        let Without { column, n_unanswered, n_others, is_of_kind } = without;
        // Columns that are numbered go on behind the last move of a row.
        let is_padded = self.spec.steps.iter().any(|step| matches!(step, PipelineStep::Wide(_)));
        let (n_unanswered, n_others) = match is_padded {
            true => (&0, &(n_unanswered + n_others)),
            false => (n_unanswered, n_others),
        };
        if *n_others > 0 {
            let condition = match *n_unanswered {
                0 => format!("{column} is not missing"),
                _ => is_of_kind.clone(),
            };
            self.spec.steps.push(PipelineStep::Where(condition));
            self.say("where", Certainty::Likely, format!("{} without a move", counted(*n_others, "row")));
        }
        if *n_unanswered > 0 {
            let event = format!("if({column} is missing, 'null_move', 'move')");
            self.spec.steps.push(PipelineStep::Set(BTreeMap::from([("event".to_owned(), event)])));
            let reason = format!("{} of trials without an answer: nothing was moved", counted(*n_unanswered, "row"));
            self.say("set", Certainty::Likely, reason);
        }
    }
}

fn is_number_or_truth(cell: &str) -> bool {
    cell.parse::<f64>().is_ok() || ["true", "false", "yes", "no"].contains(&cell.to_lowercase().as_str())
}

impl Finder<'_> {
    /// The rows of levels that have nothing in a column of moves. A column with few values can tell which of them are
    /// of another kind. Files that lack the column tell no kinds, and their rows alone leave no trial unanswered.
    pub(super) fn without(&self, place: usize) -> Option<Without> {
        let rows = || self.sample.rows.iter().zip(&self.level).filter(|(_, level)| level.is_some()).map(|(row, _)| row);
        let n = rows().filter(|row| row.cell(place).is_none()).count();
        if n == 0 {
            return None;
        }
        let column = quoted(self.name(place));
        let play: Vec<&SampleRow> = rows().filter(|row| self.sample.file_has(row.file, place)).collect();
        if play.iter().all(|row| row.cell(place).is_some()) {
            return Some(Without { column, n_others: n, ..Without::default() });
        }
        let kind = self.free().filter(|&other| other != place).find(|&other| self.tells_kinds(other, place, &play));
        let Some(kind) = kind else {
            return Some(Without { column, n_unanswered: n, ..Without::default() });
        };
        let of_moves = kinds(&play, kind, |row| row.cell(place).is_some());
        let is_other = |row: &&SampleRow| row.cell(place).is_none() && !of_moves.contains(&row.cell(kind));
        let n_others = rows().filter(is_other).count();
        let name = quoted(self.name(kind));
        let is_one = |value: &Option<&str>| match value {
            Some(value) => format!("{name} == '{}'", value.replace('\'', "''")),
            None => format!("{name} is missing"),
        };
        let is_of_kind = of_moves.iter().map(is_one).collect::<Vec<_>>().join(" or ");
        Some(Without { column, n_unanswered: n - n_others, n_others, is_of_kind })
    }

    /// `true` if a column of few values has others in rows without a move than in those with one.
    fn tells_kinds(&self, column: usize, moves: usize, play: &[&SampleRow]) -> bool {
        // What a file lacks says nothing of its rows.
        if !play.iter().all(|row| self.sample.file_has(row.file, column)) {
            return false;
        }
        let mut values: BTreeSet<Option<&str>> = BTreeSet::new();
        for row in play {
            let cell = row.cell(column);
            // What came of a trial is no kind of row.
            if cell.is_some_and(is_number_or_truth) {
                return false;
            }
            values.insert(cell);
            if values.len() > KINDS {
                return false;
            }
        }
        // The kinds of moves are fewer than all, and the fewer the better.
        let of_moves = kinds(play, column, |row| row.cell(moves).is_some());
        let of_others = kinds(play, column, |row| row.cell(moves).is_none());
        values.len() > 1 && of_moves.len() <= 2 && !of_others.is_subset(&of_moves)
    }
}

/// Values of a column in some of the rows.
fn kinds<'r>(play: &[&'r SampleRow], column: usize, is_one: impl Fn(&SampleRow) -> bool) -> BTreeSet<Option<&'r str>> {
    play.iter().filter(|row| is_one(row)).map(|row| row.cell(column)).collect()
}
