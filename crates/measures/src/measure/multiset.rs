//! Numbers of which medians are taken: times, and moves of trials.

use plymap_statistics::stats::describe::quantile;
use serde::{Deserialize, Serialize};

/// From so many numbers on, equal ones are counted instead of held.
const MOST_HELD: usize = 1 << 16;

/// Some numbers. Clocks are coarse: of many millions of times few are different, and those are held with their counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Multiset(Values);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Values {
    /// All of them, as they came.
    Raw(Vec<f64>),
    Counted(Box<CountedValues>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct CountedValues {
    /// Those that are not counted yet, as they came.
    values: Vec<f64>,
    /// Numbers in ascending order, and how often each came.
    counted: Box<[(f64, u64)]>,
}

impl Default for Values {
    fn default() -> Self {
        Self::Raw(Vec::new())
    }
}

impl Multiset {
    /// Adds a number.
    pub fn push(&mut self, value: f64) {
        self.extend(&[value]);
    }

    /// Adds the numbers of another.
    pub fn add(&mut self, other: &Self) {
        if !other.counted().is_empty() {
            self.merge(other.counted());
        }
        self.extend(other.values());
    }

    fn extend(&mut self, others: &[f64]) {
        self.held().extend_from_slice(others);
        if self.values().len() >= MOST_HELD {
            self.count();
        }
    }

    fn held(&mut self) -> &mut Vec<f64> {
        match &mut self.0 {
            Values::Raw(values) => values,
            Values::Counted(many) => &mut many.values,
        }
    }

    /// Those that are held as they came.
    fn values(&self) -> &[f64] {
        match &self.0 {
            Values::Raw(values) => values,
            Values::Counted(many) => &many.values,
        }
    }

    /// Those that are counted.
    fn counted(&self) -> &[(f64, u64)] {
        match &self.0 {
            Values::Raw(_) => &[],
            Values::Counted(many) => &many.counted,
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.values().len() + self.counted().iter().map(|(_, n)| *n as usize).sum::<usize>()
    }

    /// `true` if there is none.
    pub fn is_empty(&self) -> bool {
        self.values().is_empty() && self.counted().is_empty()
    }

    /// The first that came, as long as they are few.
    pub fn first(&self) -> Option<f64> {
        self.values().first().copied()
    }

    /// All of them, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = f64> {
        let counted = self.counted().iter().flat_map(|&(value, n)| std::iter::repeat_n(value, n as usize));
        counted.chain(self.values().iter().copied())
    }

    /// Their sum, exact where they are whole numbers.
    pub fn sum(&self) -> f64 {
        self.counted().iter().map(|&(value, n)| value * n as f64).sum::<f64>() + self.values().iter().sum::<f64>()
    }

    /// Gives back what was taken ahead for more.
    pub fn shrink(&mut self) {
        self.held().shrink_to_fit();
    }

    /// Their median; absent without any.
    pub fn median(&self) -> Option<f64> {
        if self.counted().is_empty() {
            return quantile(self.values(), 0.5).ok();
        }
        let mut all = self.clone();
        all.count();
        let counted = all.counted();
        let n = counted.iter().map(|(_, n)| n).sum::<u64>();
        // The order statistic of this number, from 0.
        let order = |number: u64| {
            let mut n_below = 0;
            let holds = |&&(_, n): &&(f64, u64)| {
                n_below += n;
                n_below > number
            };
            counted.iter().find(holds).map(|&(value, _)| value)
        };
        // The same number twice where n is odd, so that one formula serves both cases.
        let (below, above) = (order((n - 1) / 2)?, order(n / 2)?);
        quantile(&[below, above], 0.5).ok()
    }

    /// Counts those that are held.
    fn count(&mut self) {
        let mut values = std::mem::take(self.held());
        values.sort_unstable_by(f64::total_cmp);
        let same = |left: &f64, right: &f64| left.total_cmp(right).is_eq();
        let counted: Vec<(f64, u64)> = values.chunk_by(same).map(|same| (same[0], same.len() as u64)).collect();
        self.merge(&counted);
    }

    fn merge(&mut self, others: &[(f64, u64)]) {
        let values = std::mem::take(self.held());
        let these = self.counted();
        // Both are sorted, so that one pass merges them.
        let mut merged: Vec<(f64, u64)> = Vec::with_capacity(these.len().max(others.len()));
        let (mut these, mut others) = (these.iter().peekable(), others.iter().peekable());
        while let Some(&next) = match (these.peek(), others.peek()) {
            (Some(left), Some(right)) if right.0.total_cmp(&left.0).is_lt() => others.next(),
            (Some(_), _) => these.next(),
            (None, _) => others.next(),
        } {
            match merged.last_mut() {
                Some(last) if last.0.total_cmp(&next.0).is_eq() => last.1 += next.1,
                _ => merged.push(next),
            }
        }
        self.0 = Values::Counted(Box::new(CountedValues { values, counted: merged.into() }));
    }
}

impl FromIterator<f64> for Multiset {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut multiset = Self::default();
        values.into_iter().for_each(|value| multiset.push(value));
        multiset
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn counted_numbers_have_the_median_of_held_ones() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for n in [1, 2, 1001, MOST_HELD - 1, MOST_HELD, 3 * MOST_HELD + 7, 4 * MOST_HELD + 2] {
            let values: Vec<f64> = (0..n).map(|_| f64::from(rng.random_range(0..900)) / 1000.0).collect();
            let whole: Multiset = values.iter().copied().collect();
            assert_eq!(whole.counted().is_empty(), n < MOST_HELD);
            assert_eq!(whole.median(), quantile(&values, 0.5).ok(), "of {n}");
            assert_eq!(whole.len(), n);
            let mut parts = Multiset::default();
            values.chunks(n.div_ceil(3)).for_each(|chunk| parts.add(&chunk.iter().copied().collect()));
            assert_eq!(parts.median(), whole.median());
            let (mut held, mut sorted): (Vec<f64>, _) = (whole.iter().collect(), values);
            held.sort_by(f64::total_cmp);
            sorted.sort_by(f64::total_cmp);
            assert_eq!(held, sorted);
        }
        assert_eq!(Multiset::default().median(), None);
    }
}
