//! The fewest moves of every board of a small level, by one breadth-first search backwards from the goals.

use std::collections::VecDeque;

/// The distance of every arrangement of the pebbles.
#[derive(Clone, Debug)]
pub(super) struct DistanceTable {
    /// By the rank of the arrangement; [`NONE`] where no goal can be reached.
    distances: Vec<u16>,
}

const NONE: u16 = u16::MAX;

impl DistanceTable {
    /// The table of a level, which takes two bytes for each arrangement. Boards come with their ranks; `successors`
    /// visits the boards that one move leads to, which are those that it comes from, since every move can be undone.
    pub fn new<B>(
        n_arrangements: usize,
        goals: impl Iterator<Item = (B, usize)>,
        successors: impl Fn(B, &mut dyn FnMut(B, usize)),
    ) -> Self {
        let mut distances = vec![NONE; n_arrangements];
        let mut open: VecDeque<(B, usize)> = goals.collect();
        open.iter().for_each(|&(_, rank)| distances[rank] = 0);
        while let Some((board, rank)) = open.pop_front() {
            let next_distance = distances[rank] + 1;
            successors(board, &mut |next, rank| {
                if distances[rank] == NONE {
                    distances[rank] = next_distance;
                    open.push_back((next, rank));
                }
            });
        }
        Self { distances }
    }

    /// The fewest moves of the board of a rank, if it can be solved.
    pub fn get(&self, rank: usize) -> Option<u32> {
        let distance = self.distances[rank];
        (distance != NONE).then_some(u32::from(distance))
    }
}
