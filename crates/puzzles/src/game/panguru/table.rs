//! The fewest moves of every board of a small level, by one breadth-first search backwards from the goals.

use std::collections::VecDeque;

use super::{Board, NO_COLOUR, Panguru};
use crate::game::Puzzle;

/// The distance of every arrangement of the pebbles.
#[derive(Clone, Debug)]
pub(super) struct DistanceTable {
    /// By [`rank`]; [`NONE`] where no goal can be reached.
    distances: Vec<u16>,
}

const NONE: u16 = u16::MAX;

impl DistanceTable {
    /// The table of a level, which takes two bytes for each arrangement.
    pub fn new(rules: &Panguru) -> Self {
        let mut distances = vec![NONE; rules.n_arrangements as usize];
        let mut open: VecDeque<Board> = goals(rules).collect();
        open.iter().for_each(|&goal| distances[rank(rules, goal)] = 0);
        let mut moves = Vec::new();
        while let Some(board) = open.pop_front() {
            let next_distance = distances[rank(rules, board)] + 1;
            rules.for_each_successor(board, &mut moves, &mut |next| {
                let distance = &mut distances[rank(rules, next)];
                if *distance == NONE {
                    *distance = next_distance;
                    open.push_back(next);
                }
            });
        }
        Self { distances }
    }

    /// The fewest moves of a board, if it can be solved.
    pub fn get(&self, rules: &Panguru, board: Board) -> Option<u32> {
        let distance = self.distances[rank(rules, board)];
        (distance != NONE).then_some(u32::from(distance))
    }
}

/// The boards in which every pebble lies on a plate of its colour.
fn goals(rules: &Panguru) -> impl Iterator<Item = Board> + '_ {
    (0..rules.n_plates()).filter_map(|hole| {
        let value = |plate: usize| if plate == hole { 0 } else { u128::from(rules.wanted[plate]) + 1 };
        let is_full = (0..rules.n_plates()).all(|plate| plate == hole || rules.wanted[plate] != NO_COLOUR);
        let code = (0..rules.n_plates()).fold(0, |code, plate| code | value(plate) << (plate as u32 * rules.bits));
        (is_full && rules.check_counts(Board(code)).is_ok()).then_some(Board(code))
    })
}

/// The number of a board among all arrangements of its pebbles, from 0: they are in the order of their first
/// plates, then their second, and so on.
fn rank(rules: &Panguru, board: Board) -> usize {
    let mut counts = rules.counts;
    // How many arrangements share the plates seen so far.
    let mut n_alike = rules.n_arrangements as usize;
    let mut rank = 0;
    for plate in 0..rules.n_plates() {
        let value = usize::from(rules.value_at(board, plate));
        let n_left = rules.n_plates() - plate;
        let n_smaller: usize = counts[..value].iter().map(|&count| usize::from(count)).sum();
        rank += n_alike * n_smaller / n_left;
        n_alike = n_alike * usize::from(counts[value]) / n_left;
        counts[value] -= 1;
    }
    rank
}
