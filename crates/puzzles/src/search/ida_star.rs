//! Iterative-deepening A* (Korf 1985): depth-first searches with growing thresholds, in the memory of one path.

use super::work::{PathResult, Stop, Work};
use crate::game::Puzzle;

/// A state on the path, and which of its moves have been tried.
struct Step<S> {
    state: S,
    cost: u32,
    /// Its moves, as a range of the list of all moves on the path; the last one tried stands before `next`.
    first: usize,
    next: usize,
    end: usize,
}

/// End of a search within a threshold.
enum Ended<M> {
    Solved(Vec<M>),
    /// The lowest f above the threshold; infinite if no state was held back.
    Above(f64),
}

pub(super) fn search<P: Puzzle>(work: &mut Work<P>) -> PathResult<P> {
    let mut threshold = work.estimate(work.start);
    while threshold < f64::INFINITY {
        match within(work, threshold)? {
            Ended::Solved(moves) => return Ok(Some(moves)),
            Ended::Above(next) => threshold = next,
        }
    }
    Ok(None)
}

/// Searches depth first among the states with f up to the threshold.
fn within<P: Puzzle>(work: &mut Work<P>, threshold: f64) -> Result<Ended<P::Move>, Stop> {
    let puzzle = work.puzzle;
    let (mut path, mut moves, mut buffer) = (Vec::new(), Vec::new(), Vec::new());
    let mut above = f64::INFINITY;
    enter(work, work.start, 0, &mut path, &mut moves, &mut buffer)?;
    while let Some(step) = path.last_mut() {
        if step.next == step.end {
            moves.truncate(step.first);
            path.pop();
            continue;
        }
        let (state, cost, action) = (step.state, step.cost, moves[step.next]);
        step.next += 1;
        let after = work.generate(state, action);
        // Backwards, because the state before the last move is the one that comes up most often.
        if path.iter().rev().any(|step| step.state == after) {
            continue;
        }
        let cost = cost.saturating_add(puzzle.cost(state, action));
        let sum = f64::from(cost) + work.estimate(after);
        // The lowest f above is the next threshold, so that no path with an f between is left out (Korf 1985).
        if sum > threshold {
            above = above.min(sum);
        } else if puzzle.is_goal(after) {
            work.hold_path(path.len() + 1);
            return Ok(Ended::Solved(path.iter().map(|step| moves[step.next - 1]).collect()));
        } else {
            enter(work, after, cost, &mut path, &mut moves, &mut buffer)?;
        }
    }
    Ok(Ended::Above(above))
}

/// Expands a state at the end of the path.
fn enter<P: Puzzle>(
    work: &mut Work<P>,
    state: P::State,
    cost: u32,
    path: &mut Vec<Step<P::State>>,
    moves: &mut Vec<P::Move>,
    buffer: &mut Vec<P::Move>,
) -> Result<(), Stop> {
    work.expand(state, buffer)?;
    let first = moves.len();
    moves.extend_from_slice(buffer);
    path.push(Step { state, cost, first, next: first, end: moves.len() });
    work.hold_path(path.len());
    Ok(())
}
