//! The weights of a network that has learned.

use super::tuples::Tuples;
use crate::game::twenty48::board::{Board, Grid};

/// Weights are whole numbers of this part of a point. So sums are exact, whatever their order, and mirror
/// images have the same value to the last digit.
pub(super) const UNITS_PER_POINT: f32 = 1024.0;

/// A network that has learned.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Network {
    pub(super) tuples: Tuples,
    pub(super) weights: Vec<i32>,
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
