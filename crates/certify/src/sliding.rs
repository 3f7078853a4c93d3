//! A second reading of the rules of boards with blocks that slide: tables of millions of states in a moment.
//!
//! All positions in which no two blocks meet are numbered ([`Space`]), and have a byte each. A table is right if, for
//! each position, the least byte that one move leads to is what the laws ask for. What is reversible makes the laws
//! simple: a move leads from a state in the table to one in the table exactly if the move back does, so that a byte that
//! is higher than each distance stands for positions outside the table, and another one for states without a distance.

use plymap_puzzles::game::{SlidingBlocks, StateCode};

use crate::certificate::Certificate;
use crate::claim::{Claim, NONE};
use codes::Codes;
use lines::Board;
use near::{ABSENT, NO_GOAL, Near};
use reach::{Cells, Reached};
use space::Space;

mod codes;
mod gap;
mod joint;
mod lines;
mod near;
mod reach;
mod space;
#[cfg(test)]
mod tests;

/// What is not worth it: tables of which each state stands for more than so many positions.
const MOST_POSITIONS_FOR_A_STATE: usize = 8;

/// Small tables may have so many positions whatever their states.
const FEW_POSITIONS: usize = 1 << 16;

/// What the second reading says of a table.
pub(crate) enum Verdict {
    /// It is right.
    Right(Certificate),
    /// It is wrong.
    Wrong,
    /// The board, or the distances, are beyond it.
    Beyond,
}

/// Looks at a table by what the level is made of alone.
pub(crate) fn verdict(level: &SlidingBlocks, start: StateCode, claim: &Claim) -> Verdict {
    let most = FEW_POSITIONS.max(claim.n_states() * MOST_POSITIONS_FOR_A_STATE);
    let is_small = claim.distances.iter().all(|&distance| distance == NONE || distance < u32::from(NO_GOAL));
    let space = Board::new(level).and_then(|board| {
        let goals = Goals::new(level, &board);
        Some((goals, Space::new(board, most)?))
    });
    let Some((goals, space)) = space.filter(|_| claim.expand_goals && is_small) else { return Verdict::Beyond };
    checked(level, (&space, &goals), start, claim).map_or(Verdict::Wrong, Verdict::Right)
}

fn checked(
    level: &SlidingBlocks,
    (space, goals): (&Space, &Goals),
    start: StateCode,
    claim: &Claim,
) -> Option<Certificate> {
    let codes = Codes::new(space)?;
    let mut distances = vec![ABSENT; space.n_positions()];
    for (state, &distance) in claim.states.iter().zip(&claim.distances) {
        let byte = &mut distances[codes.position(u64::try_from(state.0).ok()?)?];
        if *byte != ABSENT {
            return None;
        }
        *byte = if distance == NONE { NO_GOAL } else { distance as u8 };
    }
    let start = u64::try_from(start.0).ok()?;
    let Reached { n_positions, boxes } = Cells::reached_from(space, &codes, start)?;
    // The start is in the table, and by the laws so is what it leads to: if that is as much as there is, it is all.
    if distances[codes.position(start)?] == ABSENT || n_positions != claim.n_states() as u64 {
        return None;
    }
    let near = Near::new(space, &distances, level.moves_one_cell, &boxes);
    if !is_lawful(&distances, &near.least) {
        return None;
    }
    let n_goals = goals.checked(space, &distances, &boxes)?;
    let n_without_distance = distances.iter().map(|&distance| u64::from(distance == NO_GOAL)).sum();
    Some(Certificate { n_states: claim.n_states() as u64, n_moves: near.n_moves, n_goals, n_without_distance })
}

/// True if the least distance that is at hand in each position is the one that its own asks for.
fn is_lawful(distances: &[u8], least: &[u8]) -> bool {
    let expected = |distance: u8| match distance {
        0 | NO_GOAL | ABSENT => distance,
        distance => distance - 1,
    };
    // Without a branch for each, so that many are compared at once.
    distances.iter().zip(least).fold(0, |differs, (&distance, &least)| differs | (expected(distance) ^ least)) == 0
}

/// What makes a position a goal: the way of the row of the target, and the columns that the target has to pass.
struct Goals {
    /// The row of the target, among the rows with blocks.
    row: usize,
    /// For each of its ways: nothing if it is no goal however the columns stand, else the cells that must be free of them.
    free: Vec<Option<u32>>,
}

impl Goals {
    fn new(level: &SlidingBlocks, board: &Board) -> Self {
        let (row, target) = board.target;
        let line = &board.rows[row];
        let length = line.blocks[target].length;
        let free = line.ways.iter().map(|way| {
            let place = way.places[target] as usize;
            let (from, to) = if level.leaves_at_end { (place + length, board.width) } else { (0, place) };
            let ahead = (from..to).fold(0u32, |set, cell| set | 1 << cell);
            let is_free = (way.cells | board.walls_of_target) & ahead == 0;
            (ahead == 0 || (level.is_path_enough && is_free)).then_some(ahead)
        });
        Self { row, free: free.collect() }
    }

    /// The number of goals, if they alone have the distance 0.
    fn checked(&self, space: &Space, distances: &[u8], boxes: &[bool]) -> Option<u64> {
        let mut n_goals = 0;
        let row = &space.rows[self.row];
        for number in 0..space.n_boxes() {
            let distances = &distances[space.of_box(number)];
            if !boxes[number] {
                // Where moves do not lead, they are not looked at either.
                if distances.iter().any(|&distance| distance != ABSENT) {
                    return None;
                }
                continue;
            }
            let Some(ahead) = self.free[row.way(number)] else {
                if distances.contains(&0) {
                    return None;
                }
                continue;
            };
            // Whether each position of the box is a goal, column by column.
            let mut is_goal = vec![true];
            for (column, gap) in space.columns.iter().zip(space.gaps_of(number)) {
                let is_passed = ahead >> column.line.at & 1 == 1;
                let stands_aside = |way: &u16| column.line.ways[*way as usize].cells >> row.line.at & 1 == 0;
                let is_free = gap.ways.iter().map(|way| !is_passed || stands_aside(way));
                is_goal = is_free.flat_map(|is_free| is_goal.iter().map(move |&is_goal| is_goal && is_free)).collect();
            }
            for (&distance, &is_goal) in distances.iter().zip(&is_goal) {
                if distance != ABSENT && is_goal != (distance == 0) {
                    return None;
                }
                n_goals += u64::from(distance == 0);
            }
        }
        Some(n_goals)
    }
}
