//! Solutions that come nearer pass by pass, each of which visits each move once.

use std::ops::Range;

use rayon::prelude::*;

use super::values::{CHUNK, chunks, largest};
use plymap_puzzles::graph::StateGraph;
use plymap_puzzles::progress::Progress;

/// Passes after which a block is given up.
const MOST_PASSES: usize = 100_000;

/// Equations of some states with numbers of their own: for each, (number of moves that leave the state) × value − sum of
/// the values of the states to which its moves lead.
pub(super) struct Equations {
    /// The moves from these states to others of them.
    pub graph: StateGraph,
    /// Number of moves of each state that lead to others.
    pub away: Vec<f64>,
}

/// Reason why there is no solution.
pub(super) enum Gave {
    /// The caller asked to stop.
    Interrupted,
    /// Passes come no nearer.
    Up,
}

/// How far the solution of a block has come.
pub(super) struct Course<'a> {
    progress: &'a dyn Progress,
    n_states: u64,
    n_told: u64,
}

impl<'a> Course<'a> {
    pub fn new(progress: &'a dyn Progress, n_states: usize) -> Self {
        Self { progress, n_states: n_states as u64, n_told: 0 }
    }

    /// Says that this share of the work on the block is done, at least.
    pub fn tell(&mut self, share: f64) -> Result<(), Gave> {
        let n_done = (share.clamp(0.0, 1.0) * self.n_states as f64) as u64;
        self.progress.advance(n_done.saturating_sub(self.n_told));
        self.n_told = self.n_told.max(n_done);
        if self.progress.is_cancelled() { Err(Gave::Interrupted) } else { Ok(()) }
    }
}

/// A sum over states, and the largest of their residuals.
type Sums = (f64, f64);

/// Solves symmetric equations by conjugate gradients, scaled by the number of moves (Hestenes & Stiefel, 1952. *Journal of
/// Research of the National Bureau of Standards*, 49, 409–436).
pub(super) fn conjugate_gradients(
    equations: &Equations,
    added: Vec<f64>,
    wanted: f64,
    course: &mut Course,
) -> Result<Vec<f64>, Gave> {
    let n = added.len();
    let mut residual = added;
    let (mut square, first) = squares(equations, &residual);
    let mut direction: Vec<f64> =
        residual.iter().zip(&equations.away).map(|(residual, away)| residual / away).collect();
    let (mut values, mut images) = (vec![0.0; n], vec![0.0; n]);
    for _ in 0..MOST_PASSES {
        let curvature = apply(equations, &direction, &mut images, |place, image| direction[place] * image);
        let step = square / curvature;
        let (next, left) = walk(equations, step, (&direction, &images), (&mut values, &mut residual));
        if !next.is_finite() {
            return Err(Gave::Up);
        }
        if left <= wanted * first {
            return Ok(values);
        }
        course.tell((left / first).ln() / wanted.ln())?;
        let share = next / square;
        square = next;
        direction.par_chunks_mut(CHUNK).zip(residual.par_chunks(CHUNK)).zip(equations.away.par_chunks(CHUNK)).for_each(
            |((direction, residual), away)| {
                for ((direction, residual), away) in direction.iter_mut().zip(residual).zip(away) {
                    *direction = residual / away + share * *direction;
                }
            },
        );
    }
    Err(Gave::Up)
}

/// Multiplies the matrix with a vector, and sums what `term` makes of each number of the image.
fn apply(equations: &Equations, vector: &[f64], images: &mut [f64], term: impl Fn(usize, f64) -> f64 + Sync) -> f64 {
    let of_chunk = |(range, images): (Range<usize>, &mut [f64])| {
        let mut sum = 0.0;
        for (place, image) in range.zip(images) {
            let after = equations.graph.successors(place as u32).iter();
            let values: f64 = after.map(|&after| vector[after as usize]).sum();
            *image = equations.away[place] * vector[place] - values;
            sum += term(place, *image);
        }
        sum
    };
    let sums: Vec<f64> = chunks(vector.len()).zip(images.par_chunks_mut(CHUNK)).map(of_chunk).collect();
    // Joined in their order, so that the number of threads changes nothing.
    sums.into_iter().sum()
}

/// Goes a step along a direction: the sum of the squares of what is left, each divided by the moves of its state.
fn walk(
    equations: &Equations,
    step: f64,
    (direction, images): (&[f64], &[f64]),
    (values, residual): (&mut [f64], &mut [f64]),
) -> Sums {
    let parts = values.par_chunks_mut(CHUNK).zip(residual.par_chunks_mut(CHUNK)).zip(chunks(direction.len()));
    let of_chunk = |((values, residual), range): ((&mut [f64], &mut [f64]), Range<usize>)| {
        let start = range.start;
        let mut sums = (0.0, 0.0);
        for place in range {
            values[place - start] += step * direction[place];
            let left = &mut residual[place - start];
            *left -= step * images[place];
            sums = joined(sums, term_of(*left, equations.away[place]));
        }
        sums
    };
    let sums: Vec<Sums> = parts.map(of_chunk).collect();
    sums.into_iter().fold((0.0, 0.0), joined)
}

fn squares(equations: &Equations, residual: &[f64]) -> Sums {
    residual.iter().zip(&equations.away).fold((0.0, 0.0), |sums, (&left, &away)| joined(sums, term_of(left, away)))
}

fn term_of(left: f64, away: f64) -> Sums {
    (left * left / away, left.abs() / away)
}

fn joined(one: Sums, other: Sums) -> Sums {
    (one.0 + other.0, largest(one.1, other.1))
}

/// Solves equations of any kind by stabilised biconjugate gradients, scaled by the number of moves (van der Vorst, 1992.
/// *SIAM Journal on Scientific and Statistical Computing*, 13, 631–644). It begins anew where it breaks down.
pub(super) fn biconjugate_gradients(
    equations: &Equations,
    added: Vec<f64>,
    wanted: f64,
    course: &mut Course,
) -> Result<Vec<f64>, Gave> {
    let n = added.len();
    let scaled = |vector: &[f64]| -> Vec<f64> {
        vector.par_iter().zip(&equations.away).with_min_len(CHUNK).map(|(value, away)| value / away).collect()
    };
    let dot = |one: &[f64], other: &[f64]| -> f64 {
        let of_chunk = |(one, other): (&[f64], &[f64])| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
        let sums: Vec<f64> = one.par_chunks(CHUNK).zip(other.par_chunks(CHUNK)).map(of_chunk).collect();
        sums.into_iter().sum()
    };
    // Goes a step along a vector.
    let go = |to: &mut [f64], step: f64, along: &[f64]| {
        to.par_iter_mut().zip(along).with_min_len(CHUNK).for_each(|(to, along)| *to += step * along);
    };
    let (_, first) = squares(equations, &added);
    let mut residual = added;
    let mut values = vec![0.0; n];
    let (mut image, mut turned) = (vec![0.0; n], vec![0.0; n]);
    let mut shadow = residual.clone();
    let mut direction = residual.clone();
    let mut product = dot(&shadow, &residual);
    for _ in 0..MOST_PASSES / 2 {
        let scaled_direction = scaled(&direction);
        let along = apply(equations, &scaled_direction, &mut image, |place, image| shadow[place] * image);
        let step = product / along;
        go(&mut residual, -step, &image);
        let scaled_residual = scaled(&residual);
        let turn = apply(equations, &scaled_residual, &mut turned, |place, image| residual[place] * image);
        let size = dot(&turned, &turned);
        let length = if size > 0.0 { turn / size } else { 0.0 };
        go(&mut values, step, &scaled_direction);
        go(&mut values, length, &scaled_residual);
        go(&mut residual, -length, &turned);
        let (_, left) = squares(equations, &residual);
        if left <= wanted * first {
            return Ok(values);
        }
        course.tell((left / first).ln() / wanted.ln())?;
        if !left.is_finite() {
            return Err(Gave::Up);
        }
        let next = dot(&shadow, &residual);
        let share = next / product * (step / length);
        if !share.is_finite() || next.abs() < f64::EPSILON * dot(&residual, &residual) {
            // What was orthogonal by chance, or by rounding, says no more: another shadow.
            shadow.clone_from(&residual);
            direction.clone_from(&residual);
            product = dot(&shadow, &residual);
            continue;
        }
        product = next;
        go(&mut direction, -length, &image);
        direction.par_iter_mut().zip(&residual).with_min_len(CHUNK).for_each(|(direction, residual)| {
            *direction = residual + share * *direction;
        });
    }
    Err(Gave::Up)
}
