//! Expected numbers of moves of players who remember nothing, for every state of a map, with a proof of their digits.
//!
//! A player chooses uniformly at random among c(s) of the moves of a state s ([`Chain`]), which lead to s₁, …: the
//! expected number of moves to a goal, the hitting time h, is 0 at goals, and elsewhere
//!
//! c(s) h(s) − Σ h(sᵢ) = c(s),
//!
//! the smallest solution that is not negative (Kemeny & Snell, 1960. *Finite Markov chains*, theorem 3.2.4; Norris, 1997.
//! *Markov chains*, theorem 1.3.5; for walks on graphs, Levin & Peres, 2017. *Markov chains and mixing times*, chapter
//! 10). Where a goal is reached with a probability below 1, h is infinite: which states those are follows from the moves
//! alone, by the states from which no goal can be reached. There the probability of arrival p solves
//! c(s) p(s) − Σ p(sᵢ) = 0 with 1 where it is certain and 0 where it is impossible.
//!
//! # Proof
//!
//! Let A be the matrix of the equations of the states from which arrival is certain, and ε the largest of |r(s)| / c(s),
//! where r = c − A h̃ is what the values h̃ that were found leave. A is a nonsingular M-matrix, and so A⁻¹ has no negative
//! entry (Berman & Plemmons, 1979. *Nonnegative matrices in the mathematical sciences*, theorem 6.2.3). As
//! A (h − h̃) = r, and −ε A h ≤ r ≤ ε A h since A h = c, it follows that
//!
//! |h(s) − h̃(s)| ≤ ε h(s) for every state.
//!
//! So ε bounds the relative error of each value, however the values were found. It is computed anew at the end, in numbers
//! with twice the digits, with a bound of all rounding in it, and values are told only if it is at most
//! [`LARGEST_ERROR`]. For probabilities, with the expected number w of moves in states where arrival is neither certain
//! nor impossible in the place of h, |p(s) − p̃(s)| ≤ ε w(s).
//!
//! # Solution
//!
//! Strongly connected components are solved one behind the other. Small ones, and thin ones, as those of towers, by
//! elimination; others by gradients.

use arrival::Arrival;
use plymap_puzzles::progress::Progress;
use system::System;
use values::{ROUNDING, largest};

mod arrival;
mod block;
mod blocks;
mod chain;
mod error;
mod iterative;
mod system;
#[cfg(test)]
mod tests;
mod values;

pub use chain::{Chain, true_distances};
pub use error::{HittingError, LARGEST_ERROR};

/// What gradients aim at.
const AIM: f64 = LARGEST_ERROR / 8.0;

/// For each state the expected number of moves of a player to a goal, and the probability to come to one.
#[derive(Clone, Debug)]
pub struct HittingTimes {
    /// Expected number of moves; infinite where arrival is not certain, 0 at goals.
    pub moves: Vec<f64>,
    /// Probability that the player comes to a goal.
    pub arrival: Vec<f64>,
    /// Proved bound of the relative error of each number of moves.
    pub moves_error: f64,
    /// Proved bound of the error of each probability.
    pub arrival_error: f64,
}

impl HittingTimes {
    /// The hitting times of a player. They take some 70 bytes a state and 4 a move beside the map; by elimination, on maps
    /// of towers, some 250 bytes a state.
    ///
    /// # Errors
    ///
    /// [`HittingError`] if they were not found to [`LARGEST_ERROR`], or the caller asks to stop.
    pub fn new(chain: &Chain, progress: &dyn Progress) -> Result<Self, HittingError> {
        let arrivals = chain.arrivals();
        let count = |kind: Arrival| arrivals.iter().filter(|&&arrival| arrival == kind).count();
        let (n_certain, n_possible) = (count(Arrival::Certain), count(Arrival::Possible));
        // Where arrival is possible only, there are two systems of equations.
        progress.begin("expected moves", Some((n_certain + 2 * n_possible) as u64));
        let nothing = || vec![0.0; arrivals.len()];
        let system = System { chain, each: 1.0, arrivals: &arrivals, open: Arrival::Certain, progress };
        let (mut moves, moves_error) = system.solve(nothing(), AIM)?;
        let told = |error: f64| {
            if error <= LARGEST_ERROR { Ok(error) } else { Err(HittingError::Unsolved { reached: error }) }
        };
        told(moves_error)?;
        let mut arrival: Vec<f64> = arrivals.iter().map(|arrival| f64::from(u8::from(arrival.is_certain()))).collect();
        let mut arrival_error = 0.0;
        if n_possible > 0 {
            let system = System { open: Arrival::Possible, ..system };
            let (stays, error) = system.solve(nothing(), AIM)?;
            let longest = stays.into_iter().fold(0.0, largest) / (1.0 - told(error)?);
            let (found, error) = System { each: 0.0, ..system }.solve(arrival, AIM / longest)?;
            arrival = found.into_iter().map(|probability| probability.clamp(0.0, 1.0)).collect();
            arrival_error = told(error * longest)?;
        }
        let uncertain = moves.iter_mut().zip(&arrivals).filter(|(_, arrival)| !arrival.is_certain());
        uncertain.for_each(|(moves, _)| *moves = f64::INFINITY);
        progress.end();
        // The values that are told are rounded once more.
        Ok(Self { moves, arrival, moves_error: moves_error + 2.0 * ROUNDING, arrival_error: arrival_error + ROUNDING })
    }
}
