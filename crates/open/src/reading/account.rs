//! How the number of rows comes about: from those of the files to moves and all others.

use std::collections::BTreeMap;

use plymap_import::Trial;
use plymap_log::{Event, StepCount};
use serde::Serialize;

/// Keys of the parts beside those of events: moves that the rules do not allow, and rows that cannot be used.
pub const BESIDE_EVENTS: [&str; 4] = ["illegal", "rejected", "excluded", "unknown_level"];

/// Rows of the files, what steps make of them, and what becomes of each: the parts add up to the rows behind the steps.
#[derive(Debug, Default, Serialize)]
pub struct Account {
    n_files: usize,
    /// Rows in the files.
    n_in_files: u64,
    /// Steps that change the number of rows.
    steps: Vec<StepCount>,
    /// Rows behind the steps.
    n_read: u64,
    parts: Vec<PartOfRows>,
}

/// Rows of which the same becomes.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct PartOfRows {
    /// Name of an event, or one of [`BESIDE_EVENTS`].
    key: &'static str,
    n: u64,
}

impl Account {
    /// Counts the rows of a log that was replayed.
    pub fn of(trial: &Trial) -> Self {
        let (log, replay) = (&trial.log, &trial.replay);
        let mut n_events: BTreeMap<Event, u64> = BTreeMap::new();
        let (mut n_moves, mut n_illegal) = (0, 0);
        for step in &replay.steps {
            match (step.played, log.rows.at(step.row as usize).event()) {
                (Some(played), _) if played.is_legal => n_moves += 1,
                (Some(_), _) => n_illegal += 1,
                // A move that changed nothing.
                (None, Event::Move) => *n_events.entry(Event::NullMove).or_default() += 1,
                (None, event) => *n_events.entry(event).or_default() += 1,
            }
        }
        let n_unknown = replay.diagnostics.iter().filter(|it| it.code == "unknown-level").count() as u64;
        let [illegal, rejected, excluded, unknown_level] = BESIDE_EVENTS;
        let left_out = [
            (rejected, log.n_rejected + replay.n_rejected),
            (excluded, replay.n_excluded - n_unknown),
            (unknown_level, n_unknown),
        ];
        let parts = [(Event::Move.name(), n_moves), (illegal, n_illegal)].into_iter();
        let parts = parts.chain(n_events.into_iter().map(|(event, n)| (event.name(), n))).chain(left_out);
        Self {
            n_files: log.files.len(),
            n_in_files: log.files.iter().map(|file| file.n_rows).sum(),
            steps: log.steps.iter().filter(|step| step.n_in != step.n_out).cloned().collect(),
            n_read: log.n_read,
            parts: parts.filter(|(_, n)| *n > 0).map(|(key, n)| PartOfRows { key, n }).collect(),
        }
    }
}
