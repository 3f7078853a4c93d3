//! Rollouts of random moves that come to a goal: their probability as a function of their length.
//!
//! A rollout goes on after each of its moves with the probability 1 − γ, and so has L = 1 / γ moves on average. The logarithm
//! of the probability to come to a goal is smooth in t = ln(L − 1), and kept as series of Chebyshev polynomials
//! (Trefethen, 2013. *Approximation theory and approximation practice*, chapters 3 and 8). The nearest singularities are π
//! away from the range, where γ is negative. One series over the whole range is exact to 1e-9 with 56 terms; series over
//! a twelfth of it need 12, and fits spend their time there.

use std::sync::{Arc, LazyLock, OnceLock};

use plymap_statistics::not_estimable::NotEstimable;
use plymap_statistics::numeric::vector::exponentials;
use plymap_statistics::numeric::wide::{self, Work};

/// The ends of t: rollouts of 1.0003 to 3,000 moves.
pub const ENDS: (f64, f64) = (-8.0, 8.0);

/// Number of lengths from which fits start.
pub const N_STARTS: usize = 19;

/// A length from which fits start, as its t.
pub fn start_length(start: usize) -> f64 {
    0.75 * start as f64 - 7.5
}

/// Number of lengths for which the probabilities are given.
const N_LENGTHS: usize = 56;

/// Number of parts of the range, each with its own series.
const N_PARTS: usize = 12;

/// Number of terms of the series of a part.
const N_TERMS: usize = 12;

/// The lengths L of rollouts for which [`RolloutCurve::new`] takes probabilities, from the longest to the shortest.
pub fn rollout_lengths() -> [f64; N_LENGTHS] {
    let (middle, half) = (0.5 * (ENDS.0 + ENDS.1), 0.5 * (ENDS.1 - ENDS.0));
    std::array::from_fn(|place| 1.0 + (middle + half * node(place, N_LENGTHS)).exp())
}

/// The probability that a rollout comes to a goal, as a function of its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RolloutCurve {
    /// The series of the logarithm for each part of the range; `None` where no rollout comes to a goal.
    parts: Option<Box<[[f64; N_TERMS]; N_PARTS]>>,
}

impl RolloutCurve {
    /// The curve through the probabilities for each of [`rollout_lengths`]; where one of them is 0, all are.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] unless there is one probability from 0 to 1 for each length.
    pub fn new(probabilities: &[f64]) -> Result<Self, NotEstimable> {
        let logs: [f64; N_LENGTHS] = probabilities.try_into().map_err(|_| NotEstimable::UnequalLengths {
            left_name: "rollouts of a move",
            left: probabilities.len(),
            right_name: "the list of their lengths",
            right: N_LENGTHS,
        })?;
        if let Some(value) = logs.iter().find(|log| !(0.0..=1.0).contains(*log)) {
            let (quantity, allowed) = ("a probability", "from 0 to 1");
            return Err(NotEstimable::OutOfRange { quantity, value: value.to_string(), allowed });
        }
        if logs.contains(&0.0) {
            return Ok(Self::default());
        }
        let logs = logs.map(f64::ln);
        let mut parts = Box::new([[0.0; N_TERMS]; N_PARTS]);
        for (term, factors) in parts.as_flattened_mut().iter_mut().zip(FACTORS.iter()) {
            *term = factors.iter().zip(&logs).map(|(factor, log)| factor * log).sum();
        }
        Ok(Self { parts: Some(parts) })
    }
}

/// Share of each term of each part in the logarithm at each length: the series of the whole range, read at the points of
/// the part.
static FACTORS: LazyLock<Vec<[f64; N_LENGTHS]>> = LazyLock::new(|| {
    let whole: Vec<[f64; N_LENGTHS]> =
        (0..N_LENGTHS).map(|order| std::array::from_fn(|place| weight(order, place, N_LENGTHS))).collect();
    let of_part = |part: usize| {
        let read = |place: usize| {
            let x = -1.0 + (2.0 * part as f64 + 1.0 + node(place, N_TERMS)) / N_PARTS as f64;
            let terms = polynomials::<N_LENGTHS>(x);
            std::array::from_fn(|length| terms.iter().zip(&whole).map(|(term, whole)| term * whole[length]).sum())
        };
        let points: [[f64; N_LENGTHS]; N_TERMS] = std::array::from_fn(read);
        std::array::from_fn::<[f64; N_LENGTHS], N_TERMS, _>(|order| {
            std::array::from_fn(|length| {
                points.iter().enumerate().map(|(place, values)| weight(order, place, N_TERMS) * values[length]).sum()
            })
        })
    };
    (0..N_PARTS).flat_map(of_part).collect()
});

/// The Chebyshev points of a number, from 1 to −1.
fn node(place: usize, n: usize) -> f64 {
    angle(place, n).cos()
}

fn angle(place: usize, n: usize) -> f64 {
    std::f64::consts::PI * (place as f64 + 0.5) / n as f64
}

/// The share of the function at a point that a term takes.
fn weight(order: usize, place: usize, n: usize) -> f64 {
    let scale = if order == 0 { 1.0 } else { 2.0 } / n as f64;
    scale * (order as f64 * angle(place, n)).cos()
}

fn polynomials<const N: usize>(x: f64) -> [f64; N] {
    let mut values = [1.0; N];
    values[1] = x;
    for order in 2..N {
        values[order] = 2.0 * x * values[order - 1] - values[order - 2];
    }
    values
}

/// The polynomials of a part of the range at a point, with their first and second derivatives by t.
pub struct Basis {
    part: usize,
    terms: [[f64; N_TERMS]; 3],
}

impl Basis {
    pub fn new(t: f64) -> Self {
        let width = (ENDS.1 - ENDS.0) / N_PARTS as f64;
        let part = (((t - ENDS.0) / width) as usize).min(N_PARTS - 1);
        let scale = 2.0 / width;
        let x = (t - ENDS.0 - width * part as f64) * scale - 1.0;
        let values = polynomials(x);
        let [mut slopes, mut bends] = [[0.0; N_TERMS]; 2];
        slopes[1] = scale;
        for order in 2..N_TERMS {
            let next = |terms: &[f64; N_TERMS]| 2.0 * x * terms[order - 1] - terms[order - 2];
            slopes[order] = next(&slopes) + 2.0 * scale * values[order - 1];
            bends[order] = next(&bends) + 4.0 * scale * slopes[order - 1];
        }
        Self { part, terms: [values, slopes, bends] }
    }

    /// The probabilities of all curves.
    pub fn values(&self, curves: &Curves) -> Vec<f64> {
        let mut values = wide::run(Values { blocks: curves.part(self.part), basis: self });
        values.truncate(curves.all.len());
        values
    }

    /// The probabilities of all curves, each with its first and second derivative by t.
    pub fn probabilities(&self, curves: &Curves) -> Vec<[f64; 3]> {
        let mut probabilities = wide::run(Probabilities { blocks: curves.part(self.part), basis: self });
        probabilities.truncate(curves.all.len());
        probabilities
    }
}

/// Number of curves whose series are summed side by side.
const N_LANES: usize = 4;

/// The series of a part of some curves, term by term.
type Block = [[f64; N_LANES]; N_TERMS];

/// Curves of which the series of the same part of the range stand side by side: all of them are needed at a time, and as the
/// length changes little, the same part again.
#[derive(Debug, Default)]
pub struct Curves {
    all: Vec<Arc<RolloutCurve>>,
    parts: [OnceLock<Vec<Block>>; N_PARTS],
    starts: [OnceLock<Vec<f64>>; N_STARTS],
}

impl Curves {
    /// These curves, numbered in their order.
    pub fn new(curves: &[Arc<RolloutCurve>]) -> Self {
        Self { all: curves.to_vec(), ..Self::default() }
    }

    /// The probabilities of all curves at a length from which fits start: several models ask for the same.
    pub fn at_start(&self, start: usize) -> &[f64] {
        self.starts[start].get_or_init(|| Basis::new(start_length(start)).values(self))
    }

    fn part(&self, part: usize) -> &[Block] {
        let block = |curves: &[Arc<RolloutCurve>]| {
            // The exponential function of the series of none is 0.
            let mut block = [[0.0; N_LANES]; N_TERMS];
            block[0] = [-1e4; N_LANES];
            for (lane, curve) in curves.iter().enumerate() {
                if let Some(parts) = &curve.parts {
                    block.iter_mut().zip(&parts[part]).for_each(|(terms, term)| terms[lane] = *term);
                }
            }
            block
        };
        self.parts[part].get_or_init(|| self.all.chunks(N_LANES).map(block).collect())
    }
}

/// The probabilities of the curves of some blocks.
struct Values<'a> {
    blocks: &'a [Block],
    basis: &'a Basis,
}

impl Work for Values<'_> {
    type Result = Vec<f64>;

    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let mut values = vec![0.0; N_LANES * self.blocks.len()];
        for (values, block) in values.as_chunks_mut::<N_LANES>().0.iter_mut().zip(self.blocks) {
            *values = sums(block, &self.basis.terms[0]);
        }
        exponentials(&mut values);
        values
    }
}

/// The same with their derivatives.
struct Probabilities<'a> {
    blocks: &'a [Block],
    basis: &'a Basis,
}

impl Work for Probabilities<'_> {
    type Result = Vec<[f64; 3]>;

    #[inline(always)]
    fn run(self) -> Vec<[f64; 3]> {
        let Self { blocks, basis } = self;
        let values = Values { blocks, basis }.run();
        let mut all = vec![[0.0; 3]; values.len()];
        let of_blocks = all.as_chunks_mut::<N_LANES>().0.iter_mut().zip(values.as_chunks::<N_LANES>().0);
        for ((all, values), block) in of_blocks.zip(blocks) {
            let (slopes, bends) = (sums(block, &basis.terms[1]), sums(block, &basis.terms[2]));
            for lane in 0..N_LANES {
                let (value, slope) = (values[lane], slopes[lane]);
                all[lane] = [value, value * slope, value * (bends[lane] + slope * slope)];
            }
        }
        all
    }
}

/// Σ of products of the terms of each curve with those of the basis; of each curve four sums, each of every fourth term.
#[inline(always)]
fn sums(block: &Block, terms: &[f64; N_TERMS]) -> [f64; N_LANES] {
    const { assert!(N_TERMS.is_multiple_of(4)) };
    let mut fourths = [[0.0; N_LANES]; 4];
    for (series, terms) in block.as_chunks::<4>().0.iter().zip(terms.as_chunks::<4>().0) {
        for fourth in 0..4 {
            for lane in 0..N_LANES {
                fourths[fourth][lane] += series[fourth][lane] * terms[fourth];
            }
        }
    }
    std::array::from_fn(|lane| (fourths[0][lane] + fourths[2][lane]) + (fourths[1][lane] + fourths[3][lane]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With two moves to the goal, each the right one of three, (q / 3)² of the rollouts come there, with q = 1 − 1 /
    /// L, but for those that go round: a rational function of q.
    fn exact(length: f64) -> f64 {
        let q = 1.0 - 1.0 / length;
        (q / 3.0).powi(12) / (1.0 - 0.9 * q * q)
    }

    #[test]
    fn a_series_stands_for_what_it_was_made_from() {
        let curve = RolloutCurve::new(&rollout_lengths().map(exact)).unwrap();
        let none = RolloutCurve::new(&[0.0; N_LENGTHS]).unwrap();
        let curves = Curves::new(&[none, curve].map(Arc::new));
        for step in 0..=160 {
            let t = ENDS.0 + 0.1 * f64::from(step);
            let value = |t: f64| exact(1.0 + t.exp());
            let [probability, slope, bend] = Basis::new(t).probabilities(&curves)[1];
            // The series of its logarithm is off by 8.9e-10 at most.
            assert!((probability / value(t) - 1.0).abs() < 9e-10, "{t}");
            let h = 1e-4;
            let numeric =
                [(value(t + h) - value(t - h)) / (2.0 * h), (value(t + h) + value(t - h) - 2.0 * value(t)) / (h * h)];
            let is_close = |left: f64, right: f64| (left - right).abs() < 1e-4 * (value(t) + left.abs());
            assert!(is_close(slope, numeric[0]) && is_close(bend, numeric[1]), "{t}");
        }
        let basis = Basis::new(0.0);
        let work = || Probabilities { blocks: curves.part(basis.part), basis: &basis };
        assert_eq!(work().run(), wide::run(work()));
        assert_eq!((Basis::new(0.0).values(&curves)[0], Basis::new(0.0).probabilities(&curves)[0]), (0.0, [0.0; 3]));
        assert!(RolloutCurve::new(&[0.5; 3]).is_err() && RolloutCurve::new(&[1.5; N_LENGTHS]).is_err());
    }
}
