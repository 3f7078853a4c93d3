//! The attempts of a labelled log, with the rows that were left out of each.

use super::attempt::Attempt;
use super::tally::Tally;
use crate::label::{LabelledAttempt, LabelledLog};
use plymap_log::{Consequence, FileRow, LogDiagnostic};
use plymap_puzzles::valuation::ValuedLevel;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// An attempt as it was measured, and where it stands in the log.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PlayedAttempt {
    /// The attempt.
    pub attempt: Attempt,
    /// Number of its rows in the table `moves`: none where all were left out.
    pub n_rows: u64,
    /// Its first row in the order of the files.
    pub first: Option<FileRow>,
}

/// The attempts of a labelled log, in ascending order of participant, session, level and number. `diagnostics` tell
/// which lack rows.
pub fn played_attempts(log: &LabelledLog, diagnostics: &[LogDiagnostic], levels: &[ValuedLevel]) -> Vec<PlayedAttempt> {
    with_gaps(log.attempts.iter().map(|labelled| attempt(log, labelled)).collect(), diagnostics, levels)
}

/// An attempt, and the place in the log of the row that ended it, if one did: its file, and its row there.
pub(crate) type EndedAttempt<'a> = (PlayedAttempt, Option<(&'a str, u64)>);

pub(crate) fn attempt<'a>(log: &'a LabelledLog, labelled: &LabelledAttempt) -> EndedAttempt<'a> {
    let mut attempt = Attempt {
        participant: labelled.participant.clone(),
        session: labelled.session.clone(),
        level: labelled.level.clone(),
        attempt: labelled.attempt,
        condition: labelled.condition.clone(),
        ..Attempt::default()
    };
    let mut ended_at = None;
    for row in labelled.rows.clone() {
        attempt.push(&log.rows.at(row));
        if ended_at.is_none() && attempt.end.is_final() {
            let at = log.places[row];
            ended_at = Some((log.files.get(at.file()).map_or("", String::as_str), at.row()));
        }
    }
    attempt.end = attempt.end.or_implied(labelled);
    Arc::make_mut(&mut attempt.tally).shrink();
    let first = log.places[labelled.rows.clone()].iter().min().copied();
    (PlayedAttempt { attempt, n_rows: labelled.rows.len() as u64, first }, ended_at)
}

/// The attempts with the number of their rows that were left out; attempts of which no row is left are
/// among them, without moves. What stands behind the row that ended an attempt is no gap in it.
pub(crate) fn with_gaps(
    attempts: Vec<EndedAttempt>,
    diagnostics: &[LogDiagnostic],
    levels: &[ValuedLevel],
) -> Vec<PlayedAttempt> {
    let known = levels.iter().map(|level| level.id.as_str()).collect();
    let mut left_out = rows_left_out(diagnostics, &known);
    let with_gap = |(mut played, ended_at): EndedAttempt| {
        let places = left_out.remove(&attempt_key(&played)).unwrap_or_default();
        let is_behind = |(file, row): (&str, u64)| ended_at.is_some_and(|(in_file, at)| file == in_file && row > at);
        let n_left_out = places.into_iter().filter(|&place| !is_behind(place)).count() as u64;
        Arc::make_mut(&mut played.attempt.tally).n_left_out = n_left_out;
        played
    };
    let mut attempts: Vec<PlayedAttempt> = attempts.into_iter().map(with_gap).collect();
    attempts.extend(left_out.into_iter().map(|((participant, session, level, attempt), places)| {
        let tally = Tally { n_left_out: places.len() as u64, ..Tally::default() };
        let attempt = Attempt { participant, session, level, attempt, tally: tally.into(), ..Attempt::default() };
        PlayedAttempt { attempt, n_rows: 0, first: None }
    }));
    attempts.sort_by_key(attempt_key);
    attempts
}

/// Participant, session, level and number of an attempt.
pub type AttemptKey = (String, String, String, i64);

/// The places of the rows that were rejected or excluded, by their attempts, as far as these and their levels are `known`:
/// file, and row in it. A row that was saved twice is no loss.
pub fn rows_left_out<'a>(
    diagnostics: impl IntoIterator<Item = &'a LogDiagnostic>,
    known: &HashSet<&str>,
) -> BTreeMap<AttemptKey, Vec<(&'a str, u64)>> {
    let mut left_out: BTreeMap<AttemptKey, Vec<(&str, u64)>> = BTreeMap::new();
    let is_lost = |diagnostic: &&LogDiagnostic| {
        matches!(diagnostic.consequence, Consequence::Rejected | Consequence::Excluded)
            && diagnostic.code != "duplicate-row"
    };
    for diagnostic in diagnostics.into_iter().filter(is_lost) {
        let (Some(participant), Some(session)) = (&diagnostic.participant, &diagnostic.session) else { continue };
        let (Some(level), Some(attempt)) = (&diagnostic.level, diagnostic.attempt) else { continue };
        if known.contains(level.as_str()) {
            let key = (participant.clone(), session.clone(), level.clone(), attempt);
            left_out.entry(key).or_default().push((diagnostic.file.as_str(), diagnostic.row));
        }
    }
    left_out
}

pub(crate) fn attempt_key(PlayedAttempt { attempt, .. }: &PlayedAttempt) -> AttemptKey {
    (attempt.participant.clone(), attempt.session.clone(), attempt.level.clone(), attempt.attempt)
}
