//! The heuristics of sliding tiles, all of them bounds.

use super::frame::Frame;
use super::level::SlidingTiles;
use super::word::Word;
use crate::game::Heuristic;

/// All heuristics, in the order of their numbers.
pub(super) fn list() -> Vec<Heuristic> {
    vec![
        Heuristic::admissible("misplaced", "tiles that do not lie as in the goal"),
        Heuristic::admissible("manhattan", "steps of all tiles to their cells, along rows and columns"),
        Heuristic::admissible(
            "linear-conflict",
            "manhattan, and 2 for each tile that has to leave its row or column to let others of it pass",
        ),
        Heuristic::admissible(
            "pattern-database",
            "fewest moves of some tiles each among the others, added up; in the mirror too, where the frame has one",
        ),
    ]
}

/// Estimate of a position by the heuristic of this number, in moves; 0 for a number that no heuristic has.
pub(super) fn estimate<W: Word>(rules: &SlidingTiles<W>, number: usize, state: W) -> f64 {
    f64::from(match number {
        0 => misplaced(rules, state),
        1 => manhattan(rules, state),
        2 => manhattan(rules, state) + linear_conflict(rules, state),
        3 => rules.pattern_bound(state),
        _ => 0,
    })
}

/// The tiles with their cells and the cells on which they lie in the goal.
fn places<W: Word>(rules: &SlidingTiles<W>, state: W) -> impl Iterator<Item = (usize, usize)> {
    let tiles = (0..rules.frame.n_cells()).map(move |cell| (cell, usize::from(state.tile(cell))));
    tiles.filter(|&(_, tile)| tile > 0).map(|(cell, tile)| (cell, usize::from(rules.homes[tile])))
}

/// Each of them has to move, and a move takes one tile.
pub(super) fn misplaced<W: Word>(rules: &SlidingTiles<W>, state: W) -> u32 {
    places(rules, state).filter(|(cell, home)| cell != home).count() as u32
}

/// A move takes one tile by one step.
pub(super) fn manhattan<W: Word>(rules: &SlidingTiles<W>, state: W) -> u32 {
    places(rules, state).map(|(cell, home)| rules.frame.steps(cell, home)).sum()
}

/// Steps beyond [`manhattan`] (Hansson, Mayer and Yung 1992): of the tiles that lie in the row of their goals, all
/// but those of a longest run in the right order have to leave the row and come back; the same in columns.
fn linear_conflict<W: Word>(rules: &SlidingTiles<W>, state: W) -> u32 {
    let Frame { width, height, .. } = rules.frame;
    let conflicts = |n_lines: usize, line: &dyn Fn(usize) -> usize, place: &dyn Fn(usize) -> usize| -> usize {
        (0..n_lines)
            .map(|number| {
                let mut inside: Vec<(usize, usize)> = places(rules, state)
                    .filter(|&(cell, home)| line(cell) == number && line(home) == number)
                    .map(|(cell, home)| (place(cell), place(home)))
                    .collect();
                inside.sort_unstable();
                inside.len() - longest_run(inside.into_iter().map(|(_, home)| home))
            })
            .sum()
    };
    let (row, column) = (|cell: usize| cell / width, |cell: usize| cell % width);
    2 * (conflicts(height, &row, &column) + conflicts(width, &column, &row)) as u32
}

/// Length of the longest ascending run, which may leave out numbers (Schensted 1961).
fn longest_run(numbers: impl Iterator<Item = usize>) -> usize {
    let mut ends: Vec<usize> = Vec::new();
    for number in numbers {
        match ends.iter().position(|&end| end > number) {
            Some(at) => ends[at] = number,
            None => ends.push(number),
        }
    }
    ends.len()
}
