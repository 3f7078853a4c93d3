//! Adjustment of p values for the number of tests.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::record::*;

/// The error rate that an adjustment controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adjustment {
    /// None: p values as they are.
    None,
    /// Family-wise error rate, under any dependence (Holm, 1979).
    Holm,
    /// False discovery rate, under independence or positive dependence (Benjamini & Hochberg, 1995).
    BenjaminiHochberg,
}

impl Adjustment {
    /// Adjusted p values, in the order of `p_values`.
    ///
    /// The family is the tests that were made: an absent p value, or one that is no probability,
    /// does not count and stays absent.
    pub fn apply(self, p_values: &[Option<f64>]) -> Vec<Option<f64>> {
        match self {
            Self::None => p_values.iter().map(|&p| p.filter(is_probability)).collect(),
            Self::Holm => holm(p_values),
            Self::BenjaminiHochberg => benjamini_hochberg(p_values),
        }
    }

    /// Sets the adjusted p values of records, over those of each family of tests apart.
    pub fn apply_to<'a>(self, records: impl IntoIterator<Item = &'a mut Record>, adjusted: Column) {
        let mut families: BTreeMap<Option<String>, Vec<&mut Record>> = BTreeMap::new();
        for record in records.into_iter().filter(|record| !record.skip_adjustment) {
            families.entry(record.family.clone()).or_default().push(record);
        }
        for family in families.into_values() {
            let p_values: Vec<Option<f64>> = family.iter().map(|record| record.number(P_VALUE)).collect();
            let p_adjusted = self.apply(&p_values);
            let n_tests = p_adjusted.iter().flatten().count();
            for (record, p_value) in family.into_iter().zip(p_adjusted).filter(|(_, p)| p.is_some()) {
                *record = std::mem::take(record).set(adjusted, p_value);
                record.n_tests = n_tests;
            }
        }
    }
}

/// Holm's step-down adjustment: the i-th smallest of m p values is multiplied by m − i + 1, and no
/// adjusted value is below that of a smaller p.
///
/// Holm (1979). A simple sequentially rejective multiple test procedure. *Scandinavian Journal of
/// Statistics*, 6, 65–70. Absent p values are treated as in [`Adjustment::apply`].
pub fn holm(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let ascending = ascending(p_values);
    let mut adjusted = vec![None; p_values.len()];
    let mut at_least = 0.0;
    for (rank, &(index, p)) in ascending.iter().enumerate() {
        at_least = f64::max(at_least, (p * (ascending.len() - rank) as f64).min(1.0));
        adjusted[index] = Some(at_least);
    }
    adjusted
}

/// Benjamini and Hochberg's step-up adjustment: the i-th smallest of m p values is multiplied by
/// m / i, and no adjusted value is above that of a larger p.
///
/// Benjamini & Hochberg (1995). Controlling the false discovery rate. *Journal of the Royal
/// Statistical Society B*, 57, 289–300. Absent p values are treated as in [`Adjustment::apply`].
pub fn benjamini_hochberg(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let ascending = ascending(p_values);
    let mut adjusted = vec![None; p_values.len()];
    let mut at_most = 1.0;
    for (rank, &(index, p)) in ascending.iter().enumerate().rev() {
        at_most = f64::min(at_most, p * ascending.len() as f64 / (rank + 1) as f64);
        adjusted[index] = Some(at_most);
    }
    adjusted
}

/// The p values that count, smallest first, each with its index in the input.
fn ascending(p_values: &[Option<f64>]) -> Vec<(usize, f64)> {
    let mut present: Vec<(usize, f64)> =
        p_values.iter().enumerate().filter_map(|(index, p)| Some((index, p.filter(is_probability)?))).collect();
    present.sort_by(|left, right| left.1.total_cmp(&right.1));
    present
}

fn is_probability(p: &f64) -> bool {
    (0.0..=1.0).contains(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_was_not_made_does_not_make_the_family_larger() {
        assert_eq!(holm(&[Some(0.02), None, Some(0.03)]), [Some(0.04), None, Some(0.04)]);
        assert_eq!(benjamini_hochberg(&[Some(0.25), Some(f64::NAN), Some(0.5)]), [Some(0.5), None, Some(0.5)]);
        assert_eq!(Adjustment::None.apply(&[Some(0.5), Some(1.5)]), [Some(0.5), None]);
        assert!(holm(&[]).is_empty());
    }
}
