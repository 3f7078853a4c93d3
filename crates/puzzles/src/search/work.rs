//! Parts that all algorithms share: the task, the counts and the limits.

use std::time::Instant;

use super::limits::{Cut, Estimate, Limits};
use crate::game::Puzzle;
use crate::progress::Progress;

/// Reason why a search ended without an answer.
pub(super) enum Stop {
    Cut(Cut),
    NotApplicable(String),
    Failed(String),
}

/// The moves to a goal; none if there is no path.
pub(super) type PathResult<P> = Result<Option<Vec<<P as Puzzle>::Move>>, Stop>;

/// Expansions between two looks at the clock and at the caller: few, since a heuristic of a script is slow.
const EXPANSIONS_BETWEEN_LOOKS: u64 = 64;

/// Expansions between two reports of progress.
const EXPANSIONS_BETWEEN_REPORTS: u64 = 1 << 14;

/// More states than this are never held: their numbers have 32 bits, and one expansion may add many.
const MOST_STATES: u64 = 1 << 31;

/// A search at work.
pub(super) struct Work<'a, P: Puzzle> {
    pub puzzle: &'a P,
    pub start: P::State,
    pub goals: &'a [P::State],
    pub max_depth: Option<u32>,
    pub n_expanded: u64,
    pub n_generated: u64,
    pub n_reopened: u64,
    pub peak_open: u64,
    pub peak_closed: u64,
    heuristic: Estimate<'a, P::State>,
    limits: &'a Limits,
    max_states: u64,
    progress: &'a dyn Progress,
    n_reported: u64,
    begun: Instant,
}

impl<'a, P: Puzzle> Work<'a, P> {
    pub fn new(
        puzzle: &'a P,
        start: P::State,
        heuristic: Estimate<'a, P::State>,
        goals: &'a [P::State],
        limits: &'a Limits,
        progress: &'a dyn Progress,
    ) -> Self {
        Self {
            puzzle,
            start,
            goals,
            max_depth: limits.max_depth,
            n_expanded: 0,
            n_generated: 0,
            n_reopened: 0,
            peak_open: 0,
            peak_closed: 0,
            heuristic,
            limits,
            max_states: (limits.max_states as u64).min(MOST_STATES),
            progress,
            n_reported: 0,
            begun: Instant::now(),
        }
    }

    /// Estimate of the heuristic, from 0 to infinity.
    pub fn estimate(&self, state: P::State) -> f64 {
        // The maximum of 0 and no number is 0; the sum makes a positive zero of a negative one, which sorts apart.
        (self.heuristic)(state).max(0.0) + 0.0
    }

    /// Begins the expansion of a state: `moves` are then its legal moves.
    pub fn expand(&mut self, state: P::State, moves: &mut Vec<P::Move>) -> Result<(), Stop> {
        self.begin_expansion()?;
        moves.clear();
        self.puzzle.legal_moves(state, moves);
        // Rules that failed have no moves here, which must not pass for a level without a solution.
        self.puzzle.script_error().map_or(Ok(()), |script_error| Err(Stop::Failed(script_error)))
    }

    fn begin_expansion(&mut self) -> Result<(), Stop> {
        if self.n_expanded >= self.limits.max_expanded {
            return Err(Stop::Cut(Cut::Expanded));
        }
        if self.n_expanded.is_multiple_of(EXPANSIONS_BETWEEN_LOOKS) {
            if self.progress.is_cancelled() {
                return Err(Stop::Cut(Cut::Cancelled));
            }
            if self.limits.max_time.is_some_and(|most| self.begun.elapsed() >= most) {
                return Err(Stop::Cut(Cut::Time));
            }
        }
        if self.n_expanded - self.n_reported >= EXPANSIONS_BETWEEN_REPORTS {
            self.report();
        }
        self.n_expanded += 1;
        Ok(())
    }

    /// The state after one move of a state that is being expanded.
    #[inline]
    pub fn generate(&mut self, state: P::State, action: P::Move) -> P::State {
        self.n_generated += 1;
        self.puzzle.play_unchecked(state, action)
    }

    /// Notes how many states are held now, and stops if these are too many.
    pub fn hold(&mut self, open: usize, closed: usize) -> Result<(), Stop> {
        self.note(open, closed);
        if (open + closed) as u64 > self.max_states { Err(Stop::Cut(Cut::States)) } else { Ok(()) }
    }

    /// Notes how many states are held at the end: a path that is found is not given up for its memory.
    pub fn note(&mut self, open: usize, closed: usize) {
        self.peak_open = self.peak_open.max(open as u64);
        self.peak_closed = self.peak_closed.max(closed as u64);
    }

    /// Notes how long the path is on which a search without memory stands.
    pub fn hold_path(&mut self, n_states: usize) {
        self.peak_open = self.peak_open.max(n_states as u64);
    }

    /// Tells the caller how many more expansions are done.
    pub fn report(&mut self) {
        self.progress.advance(self.n_expanded - self.n_reported);
        self.n_reported = self.n_expanded;
    }
}
