//! The heuristics of Rush Hour: pieces that have to move before the level is solved.
//!
//! `blocking-cars` counts the pieces between the red piece and its exit, and the red piece itself if it has to move:
//! under the goal rule `exit`, where it is not at its exit yet. `blocking-chain` also counts pieces that stand in the
//! way of those pieces, in the way of these, and so on.
//!
//! # Why both are bounds
//!
//! Every piece that is counted has to move at least once in any solution, and a move moves one piece. So no
//! solution has fewer moves; under the metric `cell` no solution has fewer cells, since each move takes one at least.
//!
//! - Under `exit`, the red piece ends at its exit and slides over every cell before it; under `path-clear`, every cell
//!   before it ends up free, unless the red piece has slid over it. Whatever stands on one of these cells has to leave
//!   it at some time. A wall never does, nor a piece that moves along the same line: then no goal can be reached.
//! - A piece that has to leave a cell slides to one side or the other until it covers the cell no longer, and on its
//!   way covers all cells in between. Whatever stands on them has to leave them before, and a piece on the same line
//!   has to go on ahead. If only one side is possible, all that stands there has to move. If both are, only
//!   what has to move in either case is counted, since nobody knows which side it will be.
//!
//! No piece is counted twice: what is counted is a set. The rule is applied [`DEPTH`] times, from the red piece on.

use super::level::{GoalRule, RushHour};
use super::track::Track;
use crate::game::Heuristic;

/// Number of pieces that follow each other in a chain, not counting the red one: each further step takes several
/// times as long, and finds next to nothing on the levels that are known.
const DEPTH: usize = 3;

/// In place of a piece, where a cell is free.
const FREE: u16 = u16::MAX;

/// In place of a piece, where a cell is a wall.
const WALL: u16 = u16::MAX - 1;

/// Both heuristics, in the order of their numbers.
pub(super) fn list() -> Vec<Heuristic> {
    vec![
        Heuristic::admissible(
            "blocking-cars",
            "pieces between the red piece and its exit, and the red piece if it has to move",
        ),
        Heuristic::admissible(
            "blocking-chain",
            "as blocking-cars, and pieces that have to move so that these can make way, each counted once",
        ),
    ]
}

/// Estimate for pieces at these places by the heuristic of this number; infinite where no goal can be reached.
pub(super) fn estimate(rules: &RushHour, number: usize, places: &[usize]) -> f64 {
    let n_steps = match number {
        0 => 0,
        1 => DEPTH,
        _ => return 0.0,
    };
    let board = Board::new(rules, places);
    board.pieces_to_move(n_steps).map_or(f64::INFINITY, |pieces| f64::from(pieces.count()))
}

/// A set of pieces; a board of 1,024 cells has no more than 512.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pieces([u64; super::cells::MAX_CELLS / 128]);

impl Pieces {
    const NONE: Self = Self([0; super::cells::MAX_CELLS / 128]);

    fn insert(&mut self, piece: usize) {
        self.0[piece / 64] |= 1 << (piece % 64);
    }

    fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    fn common(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

/// Places on its line that a piece has to get to at some time.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// This place or one before it, if there is such a place.
    back: Option<usize>,
    /// This place or one behind it, if there is such a place.
    forward: Option<usize>,
}

/// The pieces of one position and the cells that they cover.
struct Board<'a> {
    rules: &'a RushHour,
    places: &'a [usize],
    /// Content of each cell: a piece, [`FREE`] or [`WALL`].
    cells: Vec<u16>,
}

impl<'a> Board<'a> {
    fn new(rules: &'a RushHour, places: &'a [usize]) -> Self {
        let mut cells = vec![FREE; rules.layout.width * rules.layout.height];
        for &(row, column) in &rules.layout.walls {
            cells[row * rules.layout.width + column] = WALL;
        }
        for (piece, (track, &place)) in rules.tracks.iter().zip(places).enumerate() {
            track.line[place..place + track.length].iter().for_each(|&cell| cells[usize::from(cell)] = piece as u16);
        }
        Self { rules, places, cells }
    }

    /// The pieces that are known to have to move; nothing if no goal can be reached.
    fn pieces_to_move(&self, n_steps: usize) -> Option<Pieces> {
        let rules = self.rules;
        let (red, place) = (&rules.tracks[rules.layout.red], self.places[rules.layout.red]);
        let mut pieces = Pieces::NONE;
        if rules.options.goal == GoalRule::Exit && place != rules.exit_place {
            pieces.insert(rules.layout.red);
        }
        let before =
            if place < rules.exit_place { place + red.length..red.line.len() } else { rules.exit_place..place };
        for &cell in &red.line[before] {
            pieces = pieces.union(self.leaving(red, None, cell, n_steps)?);
        }
        Some(pieces)
    }

    /// The pieces that have to move so that another piece can cover a cell: a piece on `track`, on its way to a
    /// place from which on all cells behind `limit` (see [`Way`]) have to be left to it. Nothing if that cannot be.
    fn leaving(&self, track: &Track, limit: Option<Limit>, cell: u16, n_steps: usize) -> Option<Pieces> {
        let piece = match self.cells[usize::from(cell)] {
            FREE => return Some(Pieces::NONE),
            WALL => return None,
            piece => usize::from(piece),
        };
        let other = &self.rules.tracks[piece];
        let way = if other.orientation == track.orientation {
            match limit? {
                Limit::Before(place) => Way { back: Some(place.checked_sub(other.length)?), forward: None },
                Limit::Behind(place) => {
                    Way { back: None, forward: Some(place).filter(|&place| place < other.n_places()) }
                }
            }
        } else {
            let at = other.line.iter().position(|&on_line| on_line == cell)?;
            Way { back: at.checked_sub(other.length), forward: Some(at + 1).filter(|&place| place < other.n_places()) }
        };
        self.moving(piece, way, n_steps)
    }

    /// The pieces that have to move so that this one can go one of these ways, with the piece itself.
    fn moving(&self, piece: usize, way: Way, n_steps: usize) -> Option<Pieces> {
        let mut pieces = Pieces::NONE;
        pieces.insert(piece);
        // Cutting the chain short leaves pieces out and never adds one: the number stays a bound.
        let Some(n_left) = n_steps.checked_sub(1) else { return Some(pieces) };
        let (track, place) = (&self.rules.tracks[piece], self.places[piece]);
        let over = |cells: std::ops::Range<usize>, limit: Limit| {
            let cells = &track.line[cells];
            cells.iter().try_fold(Pieces::NONE, |pieces, &cell| {
                Some(pieces.union(self.leaving(track, Some(limit), cell, n_left)?))
            })
        };
        let back = way.back.and_then(|target| over(target..place, Limit::Before(target)));
        let forward = way
            .forward
            .and_then(|target| over(place + track.length..target + track.length, Limit::Behind(target + track.length)));
        // Of two possible ways only what both need may count, or the number would be no bound.
        match (back, forward) {
            (None, None) => None,
            (Some(only), None) | (None, Some(only)) => Some(pieces.union(only)),
            (Some(back), Some(forward)) => Some(pieces.union(back.common(forward))),
        }
    }
}

/// The part of a line that a piece leaves to others on the same line.
#[derive(Clone, Copy, Debug)]
enum Limit {
    /// The cells before this one.
    Before(usize),
    /// The cells from this one on.
    Behind(usize),
}

#[cfg(test)]
mod tests;
