//! One problem as one person played it once.

use super::imported::{ImportedRow, Micros, PlayedMove, Rest, RowOutcome};
use super::position::Pegs;
use super::read::RawRow;
use crate::event::Event;

/// One problem as one person played it once.
pub(super) struct Game {
    pub file: usize,
    pub participant: String,
    pub session: u32,
    pub condition: &'static str,
    pub problem: String,
    pub number_in_file: u32,
    pub target: Pegs,
    /// The position at its beginning; absent where the first row cannot be used.
    pub start: Option<Pegs>,
    /// The first position that is known with no ball in the hand.
    pub first_known: Option<Pegs>,
    /// Position of the balls, if that is known.
    pub current: Option<Pegs>,
    pub moves: Vec<(PlayedMove, u64)>,
    /// The line of the feedback that says that it was solved.
    pub solved: Option<u64>,
    pub limit: Option<Limit>,
    /// Duration, as its feedback says.
    pub recorded_time: Option<Micros>,
    pub min_moves: Option<u64>,
    /// Time of the put-backs, and of picks without a drop, since the last move; absent where one is unknown.
    pub waiting: Option<Micros>,
    pub n_put_backs: u32,
    /// Rows whose time the next move has.
    pub waiting_rows: Vec<usize>,
    /// Number of the last pair of clicks as the task counted them.
    pub recorded_number: Option<u64>,
    pub last_elapsed: Option<Micros>,
}

/// End of a problem that the task stopped before it was solved.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    pub line: u64,
    /// `true` if a row tells that the time was up before a peg was clicked.
    pub is_of_time: bool,
    pub onset: Option<Micros>,
    /// Time since the row before, as the row itself says.
    pub recorded: Option<Micros>,
    /// The same by the clock of the experiment.
    pub by_clock: Option<Micros>,
}

impl Game {
    /// The problem stands like this, with no ball in the hand.
    pub fn meet(&mut self, position: &Pegs) {
        if self.current.is_none() {
            self.start = Some(position.clone());
            self.current = Some(position.clone());
        }
        self.first_known.get_or_insert_with(|| position.clone());
    }

    /// Its feedback does not say that it was solved.
    pub fn end_unsolved(&mut self, feedback: &RawRow) {
        self.recorded_time = RawRow::time_if_any(feedback.problem_time.as_ref());
        // The problem was over when the feedback came, which is recorded at the end of its display.
        let shown = RawRow::time_if_any(feedback.elapsed.as_ref()).zip(RawRow::time_if_any(feedback.duration.as_ref()));
        let onset = shown.and_then(|(end, duration)| difference(end, duration));
        let by_clock = onset.zip(self.last_elapsed).and_then(|(onset, last)| difference(onset, last));
        let (onset, by_clock) = (onset.or(self.last_elapsed), by_clock.or(Some(Micros(0))));
        self.limit.get_or_insert(Limit { line: feedback.line, is_of_time: false, onset, recorded: None, by_clock });
    }

    /// The time of its moves.
    pub fn time_of_moves(&self) -> Option<Micros> {
        self.moves.iter().try_fold(Micros(0), |time, (played, _)| sum(Some(time), played.rt))
    }

    /// The time between its last move and the limit that ended it, as far as its own rows tell it.
    pub fn time_to_limit(&self) -> Option<Micros> {
        let limit = self.limit.filter(|_| self.solved.is_none())?;
        // In the order of trust: the row itself, the feedback, and last the clock, which counts loading and drawing
        // too.
        let of_problem = || difference(self.recorded_time?, self.time_of_moves()?);
        sum(self.waiting, limit.recorded).or_else(of_problem).or_else(|| sum(self.waiting, limit.by_clock))
    }

    /// End behind its last move: event, line, and duration. `to_limit` is the time until the limit that ended it.
    pub fn rest(&self, rows: &[ImportedRow], to_limit: Option<Micros>) -> Option<(Event, u64, Rest)> {
        let rest = |onset, rt| Rest { onset, rt, n_put_backs: self.n_put_backs, put_back: self.waiting };
        if self.solved.is_some() {
            return None;
        }
        if let Some(limit) = self.limit {
            return Some((Event::Limit, limit.line, rest(limit.onset, to_limit)));
        }
        // What cannot be read may have been a move.
        let changes_nothing =
            |outcome| matches!(outcome, RowOutcome::PutBackDrop | RowOutcome::Idle | RowOutcome::PickWithoutDrop);
        let last = self.waiting_rows.iter().map(|&row| &rows[row]).rfind(|row| changes_nothing(row.outcome))?;
        Some((Event::NullMove, last.line, rest(self.last_elapsed, self.waiting)))
    }
}

/// The time from the one to the other; absent if the clock went back.
pub(super) fn difference(later: Micros, earlier: Micros) -> Option<Micros> {
    Some(Micros(later.0 - earlier.0)).filter(|time| time.0 >= 0)
}

pub(super) fn sum(left: Option<Micros>, right: Option<Micros>) -> Option<Micros> {
    Some(Micros(left?.0 + right?.0))
}
