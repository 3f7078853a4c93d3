//! The equations of all states of one kind, solved block by block, with a bound of what is left of them.

use rayon::prelude::*;

use super::arrival::Arrival;
use super::block::Block;
use super::blocks::Blocks;
use super::chain::Chain;
use super::error::HittingError;
use super::iterative::{Course, Gave};
use super::values::{CHUNK, Values, largest};
use plymap_puzzles::progress::Progress;

/// Corrections of the solution of a block, of which each gains some digits.
const MOST_CORRECTIONS: usize = 20;

/// The least by which one solution makes what is left smaller: digits beyond are lost to rounding, and are found by the
/// next correction.
const LEAST_FACTOR: f64 = 1e-11;

/// Blocks between two looks at whether to stop.
const BLOCKS_BETWEEN_REPORTS: usize = 1 << 14;

/// For each open state: `each` for each move, plus the sum over the moves of (value after it − value) = 0. The values of
/// other states are given.
#[derive(Clone, Copy)]
pub(super) struct System<'a> {
    pub chain: &'a Chain<'a>,
    pub each: f64,
    pub arrivals: &'a [Arrival],
    pub open: Arrival,
    pub progress: &'a dyn Progress,
}

impl System<'_> {
    /// The values, of which those of open states are 0 at first, and the largest part of the moves of a state that they
    /// leave, which is sought to be at most `aim`.
    pub fn solve(&self, values: Vec<f64>, aim: f64) -> Result<(Vec<f64>, f64), HittingError> {
        let blocks = Blocks::new(self.chain, |state| self.arrivals[state as usize] == self.open);
        let mut values = Values::new(values);
        let mut numbers = Vec::new();
        let mut n_done = 0;
        for (number, range) in blocks.ranges().enumerate() {
            let states = &blocks.states[range.clone()];
            if let &[state] = states {
                self.solve_one(&mut values, state);
            } else {
                numbers.resize(values.len(), 0);
                self.tell(range.start - n_done)?;
                self.solve_block(&mut values, states, &mut numbers, aim).map_err(|gave| match gave {
                    Gave::Interrupted => HittingError::Interrupted,
                    Gave::Up => HittingError::Unsolved { reached: f64::INFINITY },
                })?;
                n_done = range.end;
            }
            if number % BLOCKS_BETWEEN_REPORTS == 0 {
                self.tell(range.end - n_done)?;
                n_done = range.end;
            }
        }
        self.tell(blocks.states.len() - n_done)?;
        // From the moves alone, whatever was done before.
        let left = values.largest_residual(self.chain, self.each, &blocks.states);
        Ok((values.rounded(), left))
    }

    fn tell(&self, n_states: usize) -> Result<(), HittingError> {
        self.progress.advance(n_states as u64);
        if self.progress.is_cancelled() { Err(HittingError::Interrupted) } else { Ok(()) }
    }

    /// Solves the equation of a state to which no move leads back but from itself.
    fn solve_one(&self, values: &mut Values, state: u32) {
        let away = self.chain.choices(state).iter().filter(|&&after| after != state).count() as f64;
        // The second time for the digits beyond those of one number.
        for _ in 0..2 {
            let (residual, _) = values.residual(self.chain, self.each, state);
            values.add(state, residual / away);
        }
    }

    /// Solves the equations of a block by a first solution and corrections of it, for which what is left is found in
    /// numbers with more digits (iterative refinement; Wilkinson, 1963. *Rounding errors in algebraic processes*).
    fn solve_block(&self, values: &mut Values, states: &[u32], numbers: &mut [u32], aim: f64) -> Result<(), Gave> {
        let block = Block::new(self.chain, states, numbers);
        let mut course = Course::new(self.progress, states.len());
        let mut last = f64::INFINITY;
        for number in 0..MOST_CORRECTIONS {
            let (added, left) = self.left(values, states);
            let is_enough = if block.is_direct() { left == 0.0 || number == 2 } else { left <= aim };
            // What comes no nearer stays as it is; whether that is enough is seen at the end.
            if is_enough || left > last / 2.0 {
                break;
            }
            last = left;
            let wanted = (aim / left / 2.0).clamp(LEAST_FACTOR, 0.5);
            let corrections = block.solve(added, wanted, &mut course)?;
            states.iter().zip(corrections).for_each(|(&state, correction)| values.add(state, correction));
        }
        course.tell(1.0)
    }

    /// What the values leave of the equations of these states, and the largest part of the moves of one.
    fn left(&self, values: &Values, states: &[u32]) -> (Vec<f64>, f64) {
        let residual = |&state: &u32| values.residual(self.chain, self.each, state);
        let left: Vec<(f64, f64)> = states.par_iter().with_min_len(CHUNK).map(residual).collect();
        let part = |(&(left, hidden), &state): (&(f64, f64), &u32)| {
            (left.abs() + hidden) / self.chain.choices(state).len() as f64
        };
        let most = left.iter().zip(states).map(part).fold(0.0, largest);
        (left.into_iter().map(|(left, _)| left).collect(), most)
    }
}
