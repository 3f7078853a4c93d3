//! Searches behind the object-safe interface of the rules.

use super::legal_move::{LegalMove, described};
use crate::game::{OwnFound, Puzzle, StateCode};
use crate::progress::Progress;
use crate::search::{Algorithm, Estimate, Found, Limits, Outcome, search};

/// Guide of a search.
#[derive(Clone, Copy)]
pub enum Guide<'a> {
    /// Nothing.
    None,
    /// The sum of some of the game's own heuristics ([`Rules::heuristics`](super::Rules::heuristics)), by their index.
    Game(&'a [usize]),
    /// A function of the caller, such as the distances of a map; see [`Estimate`] for what it has to say.
    Given(&'a (dyn Fn(StateCode) -> f64 + Sync)),
}

/// A search that is to be made; see [`search`].
#[derive(Clone, Copy)]
pub struct SearchRequest<'a> {
    /// The position from which a path is sought.
    pub start: StateCode,
    /// Algorithm of the search.
    pub algorithm: Algorithm,
    /// Guide of an algorithm that needs one.
    pub heuristic: Guide<'a>,
    /// All goals of the level, for an algorithm that needs them.
    pub goals: &'a [StateCode],
    /// Limits at which to give up.
    pub limits: &'a Limits,
    /// Told about expansions, and asked whether to stop.
    pub progress: &'a dyn Progress,
}

/// Searches as a request says, with the game's own types.
pub(super) fn searched<P: Puzzle>(puzzle: &P, request: &SearchRequest) -> Found<LegalMove> {
    let start = puzzle.decode(request.start.0);
    let goals: Vec<P::State> = if request.algorithm.needs_goals() {
        request.goals.iter().map(|goal| puzzle.decode(goal.0)).collect()
    } else {
        Vec::new()
    };
    let run = |heuristic: Option<Estimate<P::State>>| {
        let SearchRequest { algorithm, limits, progress, .. } = *request;
        search(puzzle, start, algorithm, heuristic, &goals, limits, progress)
    };
    let result = match request.heuristic {
        Guide::None => run(None),
        Guide::Given(estimate) => run(Some(&|state| estimate(StateCode(puzzle.encode(state))))),
        Guide::Game(indices) => match indices.iter().find(|&&index| index >= puzzle.heuristics().len()) {
            Some(index) => Found::not_applicable(format!("the level has no heuristic with the index {index}")),
            None => run(Some(&|state| indices.iter().map(|&index| puzzle.estimate(index, state)).sum())),
        },
    };
    told(puzzle, start, result)
}

/// The game's own search, with its moves told.
pub(super) fn searched_own<P: Puzzle>(
    puzzle: &P,
    state: StateCode,
    max_steps: u64,
    progress: &dyn Progress,
) -> OwnFound<LegalMove> {
    let start = puzzle.decode(state.0);
    let OwnFound { n_steps, moves, is_cut } = puzzle.search_own(start, max_steps, progress);
    OwnFound { n_steps, moves: moves.map(|moves| path(puzzle, start, moves)), is_cut }
}

fn told<P: Puzzle>(puzzle: &P, start: P::State, result: Found<P::Move>) -> Found<LegalMove> {
    let Found { outcome, cost, n_expanded, n_generated, n_reopened, peak_open, peak_closed, elapsed } = result;
    let outcome = match outcome {
        Outcome::Solved(moves) => Outcome::Solved(path(puzzle, start, moves)),
        Outcome::NoSolution => Outcome::NoSolution,
        Outcome::Cut(cut) => Outcome::Cut(cut),
        Outcome::NotApplicable(reason) => Outcome::NotApplicable(reason),
        Outcome::Failed(reason) => Outcome::Failed(reason),
    };
    Found { outcome, cost, n_expanded, n_generated, n_reopened, peak_open, peak_closed, elapsed }
}

fn path<P: Puzzle>(puzzle: &P, start: P::State, moves: Vec<P::Move>) -> Vec<LegalMove> {
    let mut state = start;
    let legal = moves.into_iter().map(|action| {
        let legal = described(puzzle, state, action);
        state = puzzle.play_unchecked(state, action);
        legal
    });
    legal.collect()
}
