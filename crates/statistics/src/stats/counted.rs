//! Correlations of pairs of which each counts so many times, as in a resample: nothing is copied for them, and nothing is
//! sorted but once.

use super::correlation::CorrelationKind;
use crate::numeric::moments::Centred;
use crate::numeric::rank::with_equal_ties;

/// Fewest pairs that have a coefficient.
const FEWEST: f64 = 3.0;

/// Pairs whose coefficient is asked for many times, with other counts each time.
pub enum CountedPairs {
    /// For Pearson's r: deviations from the mean, in units of the largest.
    Values {
        /// The first variable.
        x: Vec<f64>,
        /// The second variable.
        y: Vec<f64>,
    },
    /// For Spearman's ρ.
    Ranks {
        /// The first variable.
        x: DenseRanks,
        /// The second variable.
        y: DenseRanks,
    },
}

impl CountedPairs {
    /// Pairs of finite numbers, as many of one as of the other. Nothing for Kendall's τb, which is no sum over pairs.
    ///
    /// Ties are those of all pairs, as [`mid_ranks`](crate::numeric::rank::mid_ranks) takes them.
    pub fn new(method: CorrelationKind, x: &[f64], y: &[f64]) -> Option<Self> {
        match method {
            CorrelationKind::Pearson => Some(Self::Values { x: deviations(x), y: deviations(y) }),
            CorrelationKind::Spearman => Some(Self::Ranks { x: DenseRanks::new(x), y: DenseRanks::new(y) }),
            CorrelationKind::Kendall => None,
        }
    }

    /// The coefficient of the pairs, each of which counts as many times as `counts` says; NaN with fewer than three pairs in all,
    /// and where all values of a variable are equal.
    ///
    /// ```
    /// use plymap_statistics::stats::correlation::{CorrelationKind, coefficient};
    /// use plymap_statistics::stats::counted::CountedPairs;
    ///
    /// let pairs = CountedPairs::new(CorrelationKind::Spearman, &[1.0, 2.0, 5.0], &[4.0, 9.0, 4.5]).unwrap();
    /// let repeated = coefficient(CorrelationKind::Spearman, &[1.0, 1.0, 5.0], &[4.0, 4.0, 4.5]).unwrap();
    /// assert_eq!(pairs.coefficient(&[2.0, 0.0, 1.0]), repeated);
    /// ```
    pub fn coefficient(&self, counts: &[f64]) -> f64 {
        let n: f64 = counts.iter().sum();
        if n < FEWEST {
            return f64::NAN;
        }
        match self {
            Self::Values { x, y } => product_moment(x, y, counts, n),
            Self::Ranks { x, y } => {
                let (of_x, of_y) = (x.centred(counts, n), y.centred(counts, n));
                let rows = x.places.iter().zip(&y.places).zip(counts);
                let product = rows.map(|((&x, &y), count)| count * of_x.ranks[x as usize] * of_y.ranks[y as usize]);
                quotient(product.sum(), of_x.squares, of_y.squares)
            }
        }
    }
}

fn deviations(values: &[f64]) -> Vec<f64> {
    if values.is_empty() { Vec::new() } else { Centred::new(values).deviations }
}

/// r of values with counts that sum to `n`.
fn product_moment(x: &[f64], y: &[f64], counts: &[f64], n: f64) -> f64 {
    let present = || x.iter().zip(y).zip(counts).filter(|(_, count)| **count > 0.0);
    let Some(((&first_x, &first_y), _)) = present().next() else { return f64::NAN };
    let (mut sums, mut is_constant) = ([0.0; 2], [true; 2]);
    for ((&x, &y), count) in present() {
        sums = [sums[0] + count * x, sums[1] + count * y];
        is_constant = [is_constant[0] && x == first_x, is_constant[1] && y == first_y];
    }
    if is_constant.contains(&true) {
        return f64::NAN;
    }
    let means = sums.map(|sum| sum / n);
    let (mut product, mut squares) = (0.0, [0.0; 2]);
    for ((x, y), count) in present() {
        let (x, y) = (x - means[0], y - means[1]);
        product += count * x * y;
        squares = [squares[0] + count * x * x, squares[1] + count * y * y];
    }
    quotient(product, squares[0], squares[1])
}

/// Correlation, of which what rounding leaves beside 1 is 1.
fn quotient(product: f64, left: f64, right: f64) -> f64 {
    let r = product / (left * right).sqrt();
    if 1.0 - r.abs() < 8.0 * f64::EPSILON { r.signum() } else { r }
}

/// The dense rank of each value, from 0; tied values share one. Ranks of dense ranks are ranks of values.
pub struct DenseRanks {
    places: Vec<u32>,
    n_places: usize,
}

impl DenseRanks {
    fn new(values: &[f64]) -> Self {
        let equal = with_equal_ties(values);
        let mut different = equal.clone();
        different.sort_unstable_by(f64::total_cmp);
        different.dedup_by(|right, left| right == left);
        let place = |value: &f64| different.partition_point(|other| other < value) as u32;
        Self { places: equal.iter().map(place).collect(), n_places: different.len() }
    }

    fn centred(&self, counts: &[f64], n: f64) -> CentredRanks {
        let mut ranks = vec![0.0; self.n_places];
        self.places.iter().zip(counts).for_each(|(&place, count)| ranks[place as usize] += count);
        let (mut n_before, mut squares) = (0.0, 0.0);
        for rank in &mut ranks {
            let count = *rank;
            *rank = n_before + (count - n) / 2.0;
            n_before += count;
            squares += count * *rank * *rank;
        }
        CentredRanks { ranks, squares }
    }
}

/// Mid-ranks less their mean, which is half of one more than their number.
struct CentredRanks {
    /// Centred mid-rank of each dense rank.
    ranks: Vec<f64>,
    /// The sum of their squares over all values.
    squares: f64,
}

/// Sums over pairs, of which those of clusters are enough for r of any number of them.
#[derive(Clone, Copy, Default)]
pub(super) struct PairSums {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
    yy: f64,
    /// The smallest and the largest value of each variable.
    ends: Option<[(f64, f64); 2]>,
}

impl PairSums {
    pub fn of(x: &[f64], y: &[f64], rows: &[usize]) -> Self {
        let mut sums = Self::default();
        for &row in rows {
            let (x, y) = (x[row], y[row]);
            let pair = Self { n: 1.0, x, y, xx: x * x, xy: x * y, yy: y * y, ends: Some([(x, x), (y, y)]) };
            sums.add(&pair, 1.0);
        }
        sums
    }

    pub fn add(&mut self, other: &Self, times: f64) {
        self.n += times * other.n;
        self.x += times * other.x;
        self.y += times * other.y;
        self.xx += times * other.xx;
        self.xy += times * other.xy;
        self.yy += times * other.yy;
        self.ends = match (self.ends, other.ends) {
            (Some(left), Some(right)) => {
                Some([0, 1].map(|place| (left[place].0.min(right[place].0), left[place].1.max(right[place].1))))
            }
            (left, right) => left.or(right),
        };
    }

    /// NaN as that of [`CountedPairs::coefficient`].
    pub fn coefficient(&self) -> f64 {
        if self.n < FEWEST || self.ends.is_none_or(|ends| ends.iter().any(|(low, high)| low == high)) {
            return f64::NAN;
        }
        let moment = |product: f64, left: f64, right: f64| product - left * right / self.n;
        let (xx, yy) = (moment(self.xx, self.x, self.x), moment(self.yy, self.y, self.y));
        let r = moment(self.xy, self.x, self.y) / (xx * yy).sqrt();
        // Sums lose more digits than deviations.
        if 1.0 - r.abs() < 1e-12 { r.signum() } else { r }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::correlation::coefficient;

    const METHODS: [CorrelationKind; 2] = [CorrelationKind::Pearson, CorrelationKind::Spearman];

    /// Coefficients are those of the pairs written so often, with ties, values near each other and large offsets.
    #[test]
    fn counts_are_repetitions() {
        let x = [3.5, -1.0, 3.5, 7.0, 0.0, -0.0, 0.1 + 0.2, 0.3, 12.0];
        let y = [1.0, 2.0, 5.0, 5.0, 4.0, 9.0, 8.0, 1.0, 3.0].map(|value| 1e6 + value);
        let mut n_seen = 0;
        for number in 0..4_000_usize {
            let counts: Vec<usize> =
                (0..9).map(|place| ((number * (place + 7) * 2_654_435_761) >> 9) % 4 / 2).collect();
            let rows: Vec<usize> = (0..9).flat_map(|row| std::iter::repeat_n(row, counts[row])).collect();
            let pick = |values: &[f64]| rows.iter().map(|&row| values[row]).collect::<Vec<f64>>();
            let as_numbers: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
            for method in METHODS {
                let counted = CountedPairs::new(method, &x, &y).unwrap().coefficient(&as_numbers);
                match coefficient(method, &pick(&x), &pick(&y)) {
                    Ok(expected) => assert!((counted - expected).abs() < 1e-13, "{method:?} {counts:?}"),
                    Err(_) => assert!(counted.is_nan(), "{method:?} {counts:?}: {counted}"),
                }
                n_seen += usize::from(!counted.is_nan());
            }
        }
        assert!(n_seen > 4_000, "{n_seen}");
        // Sums of two clusters, one of them drawn twice.
        let (x, y) = (Centred::new(&x).deviations, Centred::new(&y).deviations);
        let mut sums = PairSums::default();
        sums.add(&PairSums::of(&x, &y, &[0, 4, 5]), 2.0);
        sums.add(&PairSums::of(&x, &y, &[1, 3, 8]), 1.0);
        let pairs = CountedPairs::Values { x, y };
        assert!((sums.coefficient() - pairs.coefficient(&[2.0, 1.0, 0.0, 1.0, 2.0, 2.0, 0.0, 0.0, 1.0])).abs() < 1e-13);
    }

    #[test]
    fn perfect_and_constant_ones_are_told() {
        let x: Vec<f64> = (0..50).map(|place| 0.1 * f64::from(place)).collect();
        let y: Vec<f64> = x.iter().map(|x| 0.7 - 0.3 * x).collect();
        let rows: Vec<usize> = (0..50).collect();
        let counts: Vec<f64> = (0..50).map(|place| f64::from(place % 3)).collect();
        for method in METHODS {
            assert_eq!(CountedPairs::new(method, &x, &y).unwrap().coefficient(&counts), -1.0);
            assert!(CountedPairs::new(method, &x, &[0.1; 50]).unwrap().coefficient(&counts).is_nan());
        }
        assert!(CountedPairs::new(CorrelationKind::Kendall, &x, &y).is_none());
        assert_eq!(PairSums::of(&x, &y, &rows).coefficient(), -1.0);
        assert!(PairSums::of(&x, &[0.1; 50], &rows).coefficient().is_nan());
        assert!(PairSums::of(&x, &y, &rows[..2]).coefficient().is_nan());
    }
}
