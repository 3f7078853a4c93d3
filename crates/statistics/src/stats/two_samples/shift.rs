//! Order statistics of all pairwise differences or means, without listing them.
//!
//! Hodges & Lehmann (1963). Estimates of location based on rank tests. *Annals of Mathematical
//! Statistics*, 34, 598–611. Moses' intervals: Hollander, Wolfe & Chicken (2014). *Nonparametric
//! statistical methods* (3rd ed.), sections 3.3 and 4.3.

/// All differences x − y, or all means of two values of one sample (each with itself included),
/// in ascending order, as far as they are asked for.
pub(super) struct Pairwise {
    ascending: Vec<f64>,
    others: Option<Vec<f64>>,
}

impl Pairwise {
    /// The differences of each value of `x` and each of `y`.
    pub fn differences(x: &[f64], y: &[f64]) -> Self {
        Self { ascending: sorted(x), others: Some(sorted(y)) }
    }

    /// The Walsh averages: (v + w) / 2 of all n (n + 1) / 2 pairs of values, v = w included.
    pub fn averages(values: &[f64]) -> Self {
        Self { ascending: sorted(values), others: None }
    }

    /// Number of them.
    pub fn len(&self) -> u64 {
        let n = self.ascending.len() as u64;
        self.others.as_ref().map_or(n * (n + 1) / 2, |others| n * others.len() as u64)
    }

    /// Their median.
    pub fn median(&self) -> f64 {
        let n = self.len();
        let (low, high) = (self.smallest(n.div_ceil(2)), self.smallest(n / 2 + 1));
        low + (high - low) / 2.0
    }

    /// The k-th smallest, from 1: bisection over all floating-point numbers, in 64 passes.
    pub fn smallest(&self, k: u64) -> f64 {
        let (mut low, mut high) = (key(f64::MIN), key(f64::MAX));
        while low < high {
            let middle = low + ((i128::from(high) - i128::from(low)) / 2) as i64;
            if self.count_up_to(value(middle)) >= k {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        value(low)
    }

    /// Returns the interval from the k-th smallest to the k-th largest; `None` for k = 0.
    pub fn interval(&self, k: u64) -> Option<(f64, f64)> {
        (k > 0).then(|| (self.smallest(k), self.smallest(self.len() + 1 - k)))
    }

    /// Number of values at most `limit`. Rounding keeps the order of sums, so one pass suffices.
    fn count_up_to(&self, limit: f64) -> u64 {
        match &self.others {
            Some(others) => {
                let mut beyond = 0;
                let n_up_to = |x: &f64| {
                    // Differences to x fall along `others`: those from `beyond` on are small enough.
                    while beyond < others.len() && x - others[beyond] > limit {
                        beyond += 1;
                    }
                    (others.len() - beyond) as u64
                };
                self.ascending.iter().map(n_up_to).sum()
            }
            None => {
                let mut partners = self.ascending.len();
                let mut count = 0;
                for (place, value) in self.ascending.iter().enumerate() {
                    while partners > 0 && (value + self.ascending[partners - 1]) / 2.0 > limit {
                        partners -= 1;
                    }
                    count += partners.saturating_sub(place) as u64;
                }
                count
            }
        }
    }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    // Adding 0 turns −0 into 0.
    let mut sorted: Vec<f64> = values.iter().map(|value| value + 0.0).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// A whole number for each float, in the same order.
fn key(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

fn value(key: i64) -> f64 {
    f64::from_bits(if key < 0 { i64::MIN.wrapping_sub(key) } else { key } as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: [f64; 6] = [3.0, -1.5, 8.25, 0.0, 3.0, 12.0];
    const Y: [f64; 5] = [0.5, -7.0, 4.0, 4.0, 1e6];

    fn assert_is_sorted_list(pairwise: &Pairwise, mut listed: Vec<f64>) {
        listed.sort_by(f64::total_cmp);
        assert_eq!(pairwise.len(), listed.len() as u64);
        for (place, expected) in listed.iter().enumerate() {
            assert_eq!(pairwise.smallest(place as u64 + 1), *expected, "place {place}");
        }
    }

    #[test]
    fn order_statistics_are_those_of_the_listed_pairs() {
        let differences = X.iter().flat_map(|x| Y.iter().map(move |y| x - y)).collect();
        assert_is_sorted_list(&Pairwise::differences(&X, &Y), differences);
        let averages = (0..6).flat_map(|i| (i..6).map(move |j| (X[i] + X[j]) / 2.0)).collect();
        assert_is_sorted_list(&Pairwise::averages(&X), averages);
    }

    #[test]
    fn floats_and_keys_have_the_same_order() {
        let ascending = [f64::MIN, -1.0, -f64::MIN_POSITIVE, 0.0, 1e-300, 2.0, f64::MAX];
        assert!(ascending.windows(2).all(|pair| key(pair[0]) < key(pair[1])));
        assert!(ascending.iter().all(|&float| value(key(float)) == float));
    }
}
