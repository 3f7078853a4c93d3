//! Players that 2048 has of its own: the two of its source (Parpaite, Seegers and Le Garrec 2015), the one
//! that looks ahead, and the network.

use super::board::{Board, Grid};
use super::exact::Course;
use super::lookahead::source_score;
use crate::game::Strategy;
use crate::game::direction::Direction;

/// A player of 2048.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Player {
    /// Looks ahead by the source's score.
    Source(Schedule),
    /// Takes the move that the values of positions call best.
    Expectimax,
    /// Takes the move after which the network expects most.
    Network,
}

impl Player {
    /// All players, the one that has to learn last.
    pub const ALL: [Self; 4] =
        [Self::Source(Schedule::FAST), Self::Source(Schedule::EFFICIENT), Self::Expectimax, Self::Network];

    /// Its name, and how it chooses.
    pub fn described(self) -> Strategy {
        let (name, meaning) = match self {
            Self::Source(Schedule::FAST) => {
                ("source-fast", "expectimax over the score of the source, 2 to 4 moves ahead (Parpaite et al. 2015)")
            }
            Self::Source(_) => {
                ("source-efficient", "as source-fast, but one move further ahead (Parpaite et al. 2015)")
            }
            Self::Expectimax => ("expectimax", "the move of the highest value, gain included: exact or estimated"),
            Self::Network => ("network", "the move after which the learned network expects most, gain included"),
        };
        Strategy { name: name.to_owned(), meaning: meaning.to_owned() }
    }
}

/// Number of moves that a player of the source looks ahead: the more, the fewer cells are empty.
///
/// The source says only that the depth grows as cells fill, and that its players differ in it. These numbers
/// are ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Schedule {
    /// The depth where many cells are empty.
    shallow: u32,
    /// With so many empty cells or fewer it is one more.
    few: usize,
    /// With so many empty cells or fewer it is two more.
    very_few: usize,
}

impl Schedule {
    /// Of `source-fast`. Its largest tiles are about those that the source prints; no other schedule was compared.
    pub const FAST: Self = Self { shallow: 2, few: 6, very_few: 2 };
    /// Of `source-efficient`: one deeper throughout.
    pub const EFFICIENT: Self = Self { shallow: Self::FAST.shallow + 1, ..Self::FAST };

    fn depth(self, n_empty: usize) -> u32 {
        self.shallow + u32::from(n_empty <= self.few) + u32::from(n_empty <= self.very_few)
    }
}

/// The direction that a player of the source chooses; the first of the best ones, nothing if none is legal.
pub(super) fn source_choice(course: &Course, board: Board, schedule: Schedule) -> Option<Direction> {
    let depth = schedule.depth(course.grid.empty_cells(board).count());
    let worth = |direction| {
        let (after, _) = course.grid.slid(board, direction);
        (after != board).then(|| score_after(course, after, depth))
    };
    best(Direction::ALL.into_iter().filter_map(|direction| Some((direction, worth(direction)?))))
}

/// The first of the choices that are worth most.
pub(super) fn best<T>(choices: impl IntoIterator<Item = (T, f64)>) -> Option<T> {
    choices.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(choice, _)| choice)
}

/// Value of a position without a move in the lookahead, as the source does not say: its own score.
fn lost(grid: &Grid, board: Board) -> f64 {
    source_score(grid, board).into()
}

/// The score of an after-state, which is what the first of `depth` moves led to.
///
/// The source takes the mean over one board for each empty cell, so the new tile is the same in each: here the
/// more frequent one.
fn score_after(course: &Course, after: Board, depth: u32) -> f64 {
    let grid = course.grid;
    if depth <= 1 || course.is_goal(after) {
        return source_score(grid, after).into();
    }
    // Mirror images add the same numbers in the same order, so that they tie.
    let after = grid.canonical(after);
    let new_tile = if course.four > 0.5 { 2 } else { 1 };
    let (mut total, mut n_cells) = (0.0, 0.0);
    for cell in grid.empty_cells(after) {
        let board = grid.with_tile(after, cell, new_tile);
        let scores = course.moves(board).map(|(after, _)| score_after(course, after, depth - 1));
        total += scores.reduce(f64::max).unwrap_or_else(|| lost(grid, board));
        n_cells += 1.0;
    }
    total / n_cells
}

#[cfg(test)]
mod tests;
