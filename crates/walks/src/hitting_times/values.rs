//! Values of states with twice the digits, and what they leave of the equations.

use std::ops::Range;

use rayon::prelude::*;

use super::chain::Chain;

/// Half a unit in the last place of 1.
pub(super) const ROUNDING: f64 = f64::EPSILON / 2.0;

/// States of a part of the work that threads share.
pub(super) const CHUNK: usize = 1 << 13;

/// A value for each state, as an unevaluated sum of two numbers (Dekker, 1971. *Numerische Mathematik*, 18, 224–242).
///
/// A walk of a thousand million moves, in numbers of 16 digits, leaves its equation by some 1e-7 of a move however well it
/// is solved, and no more than that could be proved.
pub(super) struct Values {
    high: Vec<f64>,
    low: Vec<f64>,
}

impl Values {
    pub fn new(values: Vec<f64>) -> Self {
        Self { low: vec![0.0; values.len()], high: values }
    }

    /// The values as they are told, rounded.
    pub fn rounded(self) -> Vec<f64> {
        self.high
    }

    pub fn len(&self) -> usize {
        self.high.len()
    }

    pub fn add(&mut self, state: u32, correction: f64) {
        let (high, low) = (&mut self.high[state as usize], &mut self.low[state as usize]);
        let (sum, rest) = two_sum(*high, correction);
        (*high, *low) = two_sum(sum, *low + rest);
    }

    /// What the value of a state leaves of its equation, `each` for each move plus the sum over the moves of (the value
    /// after it − the value) = 0, and by how much rounding may have changed that.
    pub fn residual(&self, chain: &Chain, each: f64, state: u32) -> (f64, f64) {
        let after = chain.choices(state);
        let n = after.len() as f64;
        let (here, here_low) = (self.high[state as usize], self.low[state as usize]);
        let (mut sum, mut rest, mut size) = (each * n, 0.0, (each + here.abs()) * n);
        for &after in after {
            let value = self.high[after as usize];
            let (fall, lost) = two_sum(value, -here);
            let (next, also_lost) = two_sum(sum, fall);
            rest += lost + also_lost + (self.low[after as usize] - here_low);
            sum = next;
            size += value.abs();
        }
        // Each of the 4n terms of the rest is at most ROUNDING × (n + 3) × size, and so are their sums but for rounding
        // of their own, at most 4n times. The last sum rounds once.
        let residual = sum + rest;
        (residual, 4.0 * ((n + 4.0) * ROUNDING).powi(2) * size + ROUNDING * residual.abs())
    }

    /// The largest residual of these states as a part of their number of moves, with what rounding may hide.
    pub fn largest_residual(&self, chain: &Chain, each: f64, states: &[u32]) -> f64 {
        let part = |&state: &u32| {
            let (residual, hidden) = self.residual(chain, each, state);
            (residual.abs() + hidden) / chain.choices(state).len() as f64
        };
        let of_chunk = |states: &[u32]| states.iter().map(part).fold(0.0, largest);
        states.par_chunks(CHUNK).map(of_chunk).reduce(|| 0.0, largest)
    }
}

/// The larger of two numbers; not a number if one of them is none, so that no fault of arithmetic is taken for a proof.
pub(super) fn largest(one: f64, other: f64) -> f64 {
    if one.is_nan() || one > other { one } else { other }
}

/// A sum and what rounding took from it (Knuth, 1969. *The art of computer programming*, vol. 2, section 4.2.2).
fn two_sum(one: f64, other: f64) -> (f64, f64) {
    let sum = one + other;
    let part = sum - one;
    (sum, (one - (sum - part)) + (other - part))
}

/// Chunks of a vector of this length.
pub(super) fn chunks(length: usize) -> impl IndexedParallelIterator<Item = Range<usize>> {
    (0..length.div_ceil(CHUNK)).into_par_iter().map(move |chunk| chunk * CHUNK..((chunk + 1) * CHUNK).min(length))
}
