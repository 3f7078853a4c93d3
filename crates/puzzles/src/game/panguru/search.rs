//! The fewest moves to the goal by iterative deepening (IDA*: Korf, 1985).
//!
//! Memory is one path: nothing is kept between searches. Two kinds of detour are left out: taking a move back,
//! and bringing two pebbles of one colour forward by one plate each where the second could have come alone.

use super::bound::Bounds;
use super::lines::{Lines, MAX_PLATES, Plates, members, single};

/// The longest path that is searched, since the search goes as deep as the path is long.
const MAX_MOVES: u32 = 4096;

/// A position as the search changes it: what lies where, seen from the plates and from the colours.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    /// The colour on each plate; anything at the hole.
    pub colours: [u8; MAX_PLATES],
    /// The plates on which each colour lies.
    pub pebbles: [Plates; MAX_PLATES],
    pub hole: usize,
}

/// End of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FewestMoves {
    /// The fewest moves.
    Moves(u32),
    /// There is no path to the goal.
    NoWay,
    /// The limit was passed; the goal is at least so many moves away.
    TooLong(u32),
}

/// Searches from a position, looking at no more than `limit` positions.
pub(super) fn fewest_moves(
    lines: &Lines,
    bounds: &Bounds,
    n_colours: usize,
    start: &Spread,
    limit: u64,
) -> FewestMoves {
    let mut costs = [0; MAX_PLATES];
    for (colour, cost) in costs[..n_colours].iter_mut().enumerate() {
        *cost = bounds.of_colour(lines, colour, start.pebbles[colour]);
    }
    let bound = costs.iter().sum();
    if bound == 0 {
        return FewestMoves::Moves(0);
    }
    let mut search = Search { lines, bounds, spread: start.clone(), costs, left: limit };
    let mut most = bound;
    loop {
        match search.deepen(start.hole, lines.neighbours(start.hole), bound, most) {
            Ended::Solved => return FewestMoves::Moves(most),
            Ended::Short(u32::MAX) => return FewestMoves::NoWay,
            Ended::Short(missing) if most + missing > MAX_MOVES => return FewestMoves::TooLong(most + missing),
            Ended::Short(missing) => most += missing,
            Ended::OutOfLimit => return FewestMoves::TooLong(most),
        }
    }
}

struct Search<'a> {
    lines: &'a Lines,
    bounds: &'a Bounds,
    spread: Spread,
    /// The lower bound of each colour.
    costs: [u32; MAX_PLATES],
    /// Number of positions that may still be looked at.
    left: u64,
}

/// End of the search below one position.
enum Ended {
    Solved,
    /// Not solved: at least so many more moves are needed; `u32::MAX` if no path goes on.
    Short(u32),
    OutOfLimit,
}

impl Search<'_> {
    /// Searches on from a position with the hole on `hole`, where a pebble from any plate of `choices` may
    /// move next, `bound` moves are needed at least and `left` moves may be made.
    fn deepen(&mut self, hole: usize, choices: Plates, bound: u32, left: u32) -> Ended {
        let mut missing = u32::MAX;
        for from in members(choices) {
            let Some(rest) = self.left.checked_sub(1) else { return Ended::OutOfLimit };
            self.left = rest;
            let colour = self.spread.colours[from] as usize;
            let (pebbles, cost) = (self.spread.pebbles[colour], self.costs[colour]);
            let moved = pebbles ^ single(from) ^ single(hole);
            let next_cost = self.bounds.of_colour(self.lines, colour, moved);
            // A move changes one colour: its share of the sum is taken anew, the rest stays.
            let next_bound = bound - cost + next_cost;
            // The bound never exceeds the moves that are needed, so that no solution is cut off (Korf 1985).
            if next_bound >= left {
                missing = missing.min(next_bound + 1 - left);
                continue;
            }
            if next_bound == 0 {
                return Ended::Solved;
            }
            self.spread.colours[hole] = colour as u8;
            self.spread.pebbles[colour] = moved;
            self.costs[colour] = next_cost;
            // Another pebble of this colour that could have moved into the hole itself is left out: after two moves
            // the board would be the one that its single move makes.
            let could_come_alone = moved & self.lines.neighbours(hole);
            let choices = self.lines.neighbours(from) & !single(hole) & !could_come_alone;
            let ended = self.deepen(from, choices, next_bound, left - 1);
            // The hole below was this plate, and another pebble may have come here.
            self.spread.colours[from] = colour as u8;
            self.spread.pebbles[colour] = pebbles;
            self.costs[colour] = cost;
            match ended {
                Ended::Short(more) => missing = missing.min(more),
                ended => return ended,
            }
        }
        Ended::Short(missing)
    }
}
