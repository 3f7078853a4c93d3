//! Searches for a path to the goal, with their costs counted.
//!
//! Studies compare search algorithms by what they cost: how many states they look at, how many they hold in memory,
//! how long the path is that they find. [`search`] runs any [`Algorithm`] on any [`Puzzle`] without chance, and
//! counts. All numbers but the time are the same on every run.
//!
//! # What is counted
//!
//! - *Expanded*: states whose successors were generated. A state that is expanded several times counts each time.
//! - *Generated*: successors produced, repeated ones included. Successors come in the order of the legal moves. An
//!   expansion that meets its end at a goal produces no further ones.
//! - *Open*: states that wait for their expansion; the number is the largest that was reached. For IDA* it is the
//!   longest path, its start included.
//! - *Closed*: states that are remembered and do not wait: the expanded ones, and those that a heuristic called dead
//!   ends. The number is the largest that was reached. IDA* remembers none.
//! - *Reopened*: closed states that were opened again because a cheaper path to them was found. Only A* does so.
//!
//! Open and closed are looked at before the first expansion and after each one. If the start is a goal, nothing is
//! expanded and all counts are 0.
//!
//! # The algorithms
//!
//! Where nothing else is said they follow Russell and Norvig (2021, *Artificial Intelligence*, 4th edition,
//! chapter 3). The goal test is made either when a state is *generated*, or when it is *selected* for expansion.
//!
//! | Algorithm | Next to be expanded | Goal test | The path found |
//! |---|---|---|---|
//! | breadth-first (Moore 1959) | the first generated | generated | fewest moves |
//! | depth-first | the last generated; of the successors of one state, that of the first move | selected | some path |
//! | uniform cost (Dijkstra 1959) | lowest cost g | selected | lowest cost |
//! | greedy best-first (Doran and Michie 1966) | lowest estimate h | selected | some path |
//! | A* (Hart, Nilsson and Raphael 1968) | lowest f = g + h | selected | lowest cost, if h is admissible |
//! | IDA* (Korf 1985) | depth-first, f at most a threshold | selected | lowest cost, if h is admissible |
//! | bidirectional (Pohl 1971) | the smaller frontier, a layer at a time | generated | fewest moves |
//!
//! - *Ties*. Uniform cost and A* take the smaller h first, then the state whose present path was found first. Greedy
//!   takes the state that was generated first.
//! - *Remembered states*. Breadth-first, depth-first, greedy and bidirectional search expand no state twice. In
//!   depth-first search a state can wait several times, and counts as often, until it is expanded; then it does not
//!   wait again, and the entries that are left are dropped when they come up. A* opens a state again whenever it finds
//!   a cheaper path to it; so its path is a cheapest one also where an admissible heuristic is not consistent.
//! - *Estimates* below 0, and such that are no numbers, count as 0. A state with an infinite estimate is never
//!   expanded. Each state is estimated once, except by IDA*.
//! - *IDA\** leaves out successors that lie on the path to them, which includes every move that undoes the last one.
//!   They are generated, but not looked at. The next threshold is the lowest f above the present one. A level without
//!   a solution is only recognised after all paths without a repeated state.
//! - *Bidirectional* search expands whole layers from the start or from all goals: always the frontier with fewer
//!   states, that of the start if both have as many. It needs moves of cost 1 that can be undone: the
//!   states before a state are then those after it. Frontiers meet first in a state that has just been generated, and
//!   this path is a shortest one: if all states within a moves of the start and within b moves of a goal are known and
//!   none is in both, every path has a + b + 1 moves or more; and a state of the new layer that the other side knows
//!   lies on a path of a + 1 + b moves at most. So the layer needs no finishing.
//! - *The depth limit* of depth-first search: states at that depth are tested, and not expanded. Since a state is not
//!   expanded twice, paths within the limit can be missed; the outcome is then [`Cut::Depth`], never
//!   [`Outcome::NoSolution`].

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::game::Puzzle;
use crate::numbering::Word;
use crate::progress::Progress;

mod best_first;
mod bidirectional;
mod breadth_first;
mod depth_first;
mod ida_star;
mod limits;
mod tree;
mod work;

pub use limits::{Cut, Estimate, Limits};

use best_first::Order;
use work::{PathResult, Stop, Work};

/// A search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// Breadth-first search (Moore 1959): fewest moves.
    BreadthFirst,
    /// Depth-first search with remembered states: some path, often a very long one.
    DepthFirst,
    /// Uniform-cost search (Dijkstra 1959): lowest cost.
    UniformCost,
    /// Greedy best-first search (Doran and Michie 1966): some path, guided by the heuristic alone.
    Greedy,
    /// A* (Hart, Nilsson and Raphael 1968): lowest cost if the heuristic is admissible.
    AStar,
    /// Iterative-deepening A* (Korf 1985): as A*, with the memory of one path.
    IdaStar,
    /// Breadth-first search from the start and from all goals (Pohl 1971): fewest moves.
    Bidirectional,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::BreadthFirst,
        Self::DepthFirst,
        Self::UniformCost,
        Self::Greedy,
        Self::AStar,
        Self::IdaStar,
        Self::Bidirectional,
    ];

    /// Its name in files: `breadth-first`.
    pub fn name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth-first",
            Self::DepthFirst => "depth-first",
            Self::UniformCost => "uniform-cost",
            Self::Greedy => "greedy",
            Self::AStar => "a-star",
            Self::IdaStar => "ida-star",
            Self::Bidirectional => "bidirectional",
        }
    }

    /// `true` if it is guided by a heuristic.
    pub fn needs_heuristic(self) -> bool {
        matches!(self, Self::Greedy | Self::AStar | Self::IdaStar)
    }

    /// `true` if it starts from the goals too, and so has to be given all of them.
    pub fn needs_goals(self) -> bool {
        self == Self::Bidirectional
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A text names no algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no search algorithm: there are {}", Algorithm::ALL.map(Algorithm::name).join(", "))]
pub struct UnknownAlgorithm {
    /// The text as it was given.
    pub text: String,
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(text: &str) -> Result<Self, UnknownAlgorithm> {
        let known = Self::ALL.into_iter().find(|algorithm| algorithm.name() == text);
        known.ok_or_else(|| UnknownAlgorithm { text: text.to_owned() })
    }
}

/// End of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<M> {
    /// The moves from the start to a goal.
    Solved(Vec<M>),
    /// There is none: everything that the start leads to was searched, except what the heuristic called dead ends.
    NoSolution,
    /// A limit was reached first.
    Cut(Cut),
    /// The algorithm does not fit the game, or something that it needs is missing; the reason in words.
    NotApplicable(String),
    /// The rules failed: a script with an error in it; the reason in words.
    Failed(String),
}

/// Result and cost of a search; the [module](self) defines the counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// Outcome.
    pub outcome: Outcome<M>,
    /// Sum of the costs of the moves found; absent unless solved.
    pub cost: Option<u32>,
    /// States expanded.
    pub n_expanded: u64,
    /// Successors generated.
    pub n_generated: u64,
    /// Closed states that were opened again.
    pub n_reopened: u64,
    /// Most states that were open at a time.
    pub peak_open: u64,
    /// Most states that were closed at a time.
    pub peak_closed: u64,
    /// Time that the search took. The only number that differs between runs.
    pub elapsed: Duration,
}

impl<M> Found<M> {
    /// The moves from the start to a goal, if it found some.
    pub fn moves(&self) -> Option<&[M]> {
        match &self.outcome {
            Outcome::Solved(moves) => Some(moves),
            _ => None,
        }
    }

    /// The outcome of a search that did not begin.
    pub(crate) fn not_applicable(reason: String) -> Self {
        Self {
            outcome: Outcome::NotApplicable(reason),
            cost: None,
            n_expanded: 0,
            n_generated: 0,
            n_reopened: 0,
            peak_open: 0,
            peak_closed: 0,
            elapsed: Duration::ZERO,
        }
    }
}

/// Searches a path from `start` to a goal.
///
/// `heuristic` guides the algorithms that need one ([`Algorithm::needs_heuristic`]); the others do not call it.
/// `goals` are all goals that count, for the one that needs them ([`Algorithm::needs_goals`]); the others ask
/// [`Puzzle::is_goal`]. `progress` is told about expansions, and asked whether to stop.
pub fn search<P: Puzzle>(
    puzzle: &P,
    start: P::State,
    algorithm: Algorithm,
    heuristic: Option<Estimate<P::State>>,
    goals: &[P::State],
    limits: &Limits,
    progress: &dyn Progress,
) -> Found<P::Move> {
    if let Err(reason) = check(puzzle, algorithm, heuristic.is_some(), goals) {
        return Found::not_applicable(reason);
    }
    let mut work = Work::new(puzzle, start, heuristic.unwrap_or(&|_| 0.0), goals, limits, progress);
    let begun = Instant::now();
    let ended = if puzzle.is_goal(start) {
        Ok(Some(Vec::new()))
    } else if puzzle.code_bits() <= u64::BITS {
        run::<P, u64>(&mut work, algorithm)
    } else {
        run::<P, u128>(&mut work, algorithm)
    };
    let elapsed = begun.elapsed();
    work.report();
    let outcome = match (puzzle.script_error(), ended) {
        (Some(script_error), _) => Outcome::Failed(script_error),
        (None, Ok(Some(moves))) => Outcome::Solved(moves),
        (None, Ok(None)) => Outcome::NoSolution,
        (None, Err(Stop::Cut(cut))) => Outcome::Cut(cut),
        (None, Err(Stop::NotApplicable(reason))) => Outcome::NotApplicable(reason),
        (None, Err(Stop::Failed(reason))) => Outcome::Failed(reason),
    };
    let mut result = Found { outcome, elapsed, ..Found::not_applicable(String::new()) };
    result.cost = result.moves().map(|moves| cost(puzzle, start, moves));
    (result.n_expanded, result.n_generated, result.n_reopened) = (work.n_expanded, work.n_generated, work.n_reopened);
    (result.peak_open, result.peak_closed) = (work.peak_open, work.peak_closed);
    result
}

/// The reason why an algorithm does not fit a game, as an error.
fn check<P: Puzzle>(puzzle: &P, algorithm: Algorithm, has_heuristic: bool, goals: &[P::State]) -> Result<(), String> {
    if P::CHANCE {
        return Err("chance follows the moves of this game: no list of moves is sure to reach a goal".to_owned());
    }
    if !puzzle.unit().is_distance() {
        return Err("this game counts points: it has no goal to search for".to_owned());
    }
    if algorithm.needs_heuristic() && !has_heuristic {
        return Err(format!("{algorithm} needs a heuristic"));
    }
    if !algorithm.needs_goals() {
        return Ok(());
    }
    if !P::REVERSIBLE {
        return Err(format!("{algorithm} needs moves that can be undone, and this game does not promise it"));
    }
    if goals.is_empty() {
        return Err(format!("{algorithm} starts from all goals of the level too, and was given none"));
    }
    match goals.iter().find(|&&goal| !puzzle.is_goal(goal)) {
        Some(&other) => Err(format!("{} was given as a goal, and is none", puzzle.format_state(other))),
        None => Ok(()),
    }
}

fn run<P: Puzzle, W: Word>(work: &mut Work<P>, algorithm: Algorithm) -> PathResult<P> {
    match algorithm {
        Algorithm::BreadthFirst => breadth_first::search::<P, W>(work),
        Algorithm::DepthFirst => depth_first::search::<P, W>(work),
        Algorithm::UniformCost => best_first::search::<P, W>(work, Order::Cost),
        Algorithm::Greedy => best_first::search::<P, W>(work, Order::Estimate),
        Algorithm::AStar => best_first::search::<P, W>(work, Order::Sum),
        Algorithm::IdaStar => ida_star::search(work),
        Algorithm::Bidirectional => bidirectional::search::<P, W>(work),
    }
}

fn cost<P: Puzzle>(puzzle: &P, start: P::State, moves: &[P::Move]) -> u32 {
    let mut state = start;
    let costs = moves.iter().map(|&action| {
        let cost = puzzle.cost(state, action);
        state = puzzle.play_unchecked(state, action);
        cost
    });
    costs.fold(0, u32::saturating_add)
}

#[cfg(test)]
mod tests;
