//! An n-tuple network: the value of an after-state as a sum of weights, each looked up by the tiles in a few
//! cells, and learned by temporal differences (Szubert and Jaśkowski 2014).

use super::board::{Board, Grid};

mod learn;
mod shared;
mod tuples;

pub(super) use learn::Lesson;
#[cfg(test)]
pub(super) use shared::store_key;
pub(super) use tuples::Tuples;

/// Weights are whole numbers of this part of a point. So sums are exact, whatever their order, and mirror
/// images have the same value to the last digit.
const UNITS_PER_POINT: f32 = 1024.0;

/// A network that has learned.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Network {
    tuples: Tuples,
    weights: Vec<i32>,
}

impl Network {
    /// A network with these weights, in 1024ths of a point; nothing if its tuples need more or fewer.
    pub fn new(tuples: Tuples, weights: Vec<i32>) -> Option<Self> {
        (weights.len() == tuples.n_weights()).then_some(Self { tuples, weights })
    }

    /// The weights, in 1024ths of a point.
    pub fn weights(&self) -> &[i32] {
        &self.weights
    }

    /// The points that the network expects to come after this after-state: 0 or more. That the game is over at
    /// the target it does not know.
    pub fn value(&self, grid: &Grid, after: Board) -> f64 {
        let cells = self.tuples.cells(grid.tiles(after));
        let sum: i64 = self.tuples.indices(&cells).map(|index| i64::from(self.weights[index])).sum();
        (sum as f64 / f64::from(UNITS_PER_POINT)).max(0.0)
    }
}

#[cfg(test)]
mod tests;
