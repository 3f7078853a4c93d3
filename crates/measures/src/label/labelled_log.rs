//! The labelled rows of a log, attempt by attempt.

use super::rows::LabelledRows;
use plymap_log::{Consequence, Event, FileRow, LogDiagnostic};
use plymap_puzzles::game::{StateCode, Unit};
use plymap_puzzles::valuation::ValuedLevel;
use std::collections::HashSet;
use std::ops::Range;

/// The rows of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledAttempt {
    /// Participant.
    pub participant: String,
    /// Session.
    pub session: String,
    /// At which level.
    pub level: String,
    /// Number of the attempt, as logged.
    pub attempt: i64,
    /// Experimental condition of its first row that has one.
    pub condition: Option<String>,
    /// Its rows in [`LabelledLog::rows`].
    pub rows: Range<usize>,
    /// End without a row of its own: a reset or a give-up, where the study says that open attempts have such ends.
    pub implied_end: Option<Event>,
    /// `true` if it is the last of its session, behind which the participant came again: it is interrupted if no row
    /// ends it.
    pub is_interrupted: bool,
}

/// The replayed rows of a log, attempt by attempt: what measures, analyses and figures are made from.
#[derive(Clone, Debug, Default)]
pub struct LabelledLog {
    /// The attempts, in the order of the canonical log.
    pub attempts: Vec<LabelledAttempt>,
    /// Their rows, one attempt after the other; those of the table `moves`, in its order.
    pub rows: LabelledRows,
    /// Place of each row; files are those of [`LabelledLog::files`].
    pub places: Vec<FileRow>,
    /// Paths of the files of the log, in the order in which they were read: the order of play.
    pub files: Vec<String>,
}

/// Participant, session and level, and the number of the attempt.
pub(crate) type AttemptOf<'a> = ((&'a str, &'a str, &'a str), i64);

impl LabelledLog {
    /// The attempts at a level with all of their rows, those that are not measured too.
    pub fn attempts_at<'a>(&'a self, level: &str) -> impl Iterator<Item = &'a LabelledAttempt> {
        self.attempts.iter().filter(move |attempt| attempt.level == level)
    }

    /// The positions that an attempt was in: where it began, and where it was after each of its rows.
    pub fn positions(&self, attempt: &LabelledAttempt) -> impl Iterator<Item = StateCode> {
        let first = attempt.rows.clone().next().map(|number| self.rows.at(number).step.before);
        first.into_iter().chain(self.rows.range(attempt.rows.clone()).map(|row| row.step.after))
    }

    /// Numbers of the attempts in the order of play: participant by participant, as their rows stand in the files.
    fn in_order_of_play(&self) -> Vec<usize> {
        let key = |attempt: &LabelledAttempt| {
            (attempt.participant.clone(), self.places[attempt.rows.clone()].iter().min().copied())
        };
        let mut order: Vec<usize> = (0..self.attempts.len()).collect();
        order.sort_by_cached_key(|&number| key(&self.attempts[number]));
        order
    }

    /// Finds the last attempt of each session behind which the participant came again.
    pub fn mark_interrupted(&mut self) {
        let mut later: HashSet<&str> = HashSet::new();
        let mut last: Vec<usize> = Vec::new();
        let mut participant = "";
        for number in self.in_order_of_play().into_iter().rev() {
            let attempt = &self.attempts[number];
            if attempt.participant != participant {
                participant = &attempt.participant;
                later.clear();
            }
            if later.insert(&attempt.session) && later.len() > 1 {
                last.push(number);
            }
        }
        last.into_iter().for_each(|number| self.attempts[number].is_interrupted = true);
    }

    /// Takes it that whoever leaves an attempt and goes on playing in the same session has reset it, where the next
    /// attempt is at the same level, or else given it up. What rows end themselves stays as it is; the last attempt of
    /// a session stays open, and so does one with rows that were left out.
    pub fn imply_ends(&mut self, diagnostics: &[LogDiagnostic]) {
        let gaps: HashSet<AttemptOf> = diagnostics
            .iter()
            .filter(|diagnostic| matches!(diagnostic.consequence, Consequence::Rejected | Consequence::Excluded))
            .filter_map(|diagnostic| {
                let names =
                    (diagnostic.participant.as_deref()?, diagnostic.session.as_deref()?, diagnostic.level.as_deref()?);
                Some((names, diagnostic.attempt?))
            })
            .collect();
        let place_of = |number: usize| {
            let LabelledAttempt { participant, session, level, attempt, .. } = &self.attempts[number];
            ((participant.as_str(), session.as_str(), level.as_str()), *attempt)
        };
        let implied = |pair: &[usize]| {
            let ((place, attempt), (next, _)) = (place_of(pair[0]), place_of(pair[1]));
            let end = if place == next { Event::Reset } else { Event::GiveUp };
            let is_of_session = (place.0, place.1) == (next.0, next.1);
            (is_of_session && !gaps.contains(&(place, attempt))).then_some((pair[0], end))
        };
        let implied: Vec<(usize, Event)> = self.in_order_of_play().windows(2).filter_map(implied).collect();
        implied.into_iter().for_each(|(number, end)| self.attempts[number].implied_end = Some(end));
    }

    /// Makes room for so many more rows.
    pub(super) fn reserve(&mut self, n_rows: usize) {
        self.rows.reserve(n_rows);
        self.places.reserve(n_rows);
    }

    /// Gives back what was taken ahead for more rows.
    pub fn shrink(&mut self) {
        self.rows.shrink();
        self.places.shrink_to_fit();
        self.attempts.shrink_to_fit();
    }

    /// Adds the attempts of other rows of the same log.
    pub fn append(&mut self, other: Self) {
        let start = self.rows.len();
        let behind = |attempt: LabelledAttempt| LabelledAttempt {
            rows: start + attempt.rows.start..start + attempt.rows.end,
            ..attempt
        };
        self.attempts.extend(other.attempts.into_iter().map(behind));
        self.rows.append(other.rows);
        self.places.extend(other.places);
        self.files = other.files;
    }
}

/// The unit of the values of some levels, which are of one game under the same rules.
pub fn unit_of(levels: &[ValuedLevel]) -> Unit {
    levels.first().map_or(Unit::Moves, |level| level.rules.unit())
}
