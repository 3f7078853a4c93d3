//! Differences between groups, after a Kruskal–Wallis test.

use serde::Serialize;

use crate::adjust::Adjustment;
use crate::apa;
use crate::estimator::comparison::{ASSUMPTIONS, GROUPS, VALUES, each_outcome};
use crate::estimator::{Estimate, Estimator};
use crate::inference::PMethod;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::normal_two_sided;
use crate::numeric::moments::mean;
use crate::numeric::rank::mid_ranks;
use crate::record::*;

/// The test on the columns of any table.
pub const DUNN: Estimator = Estimator {
    name: "dunn",
    summary: "Dunn's test of each pair of groups by their ranks among all, after a Kruskal-Wallis test; give --adjust.",
    assumptions: ASSUMPTIONS,
    source: "Dunn (1964).",
    roles: GROUPS,
    columns: &[
        OUTCOME,
        FIRST,
        SECOND,
        VALUES.means("number of values of all groups: rows, or participants where they are named"),
        N_FIRST,
        N_SECOND,
        N_ROWS,
        N_MISSING,
        N_SHARED,
        ESTIMATE.means("mean rank of the first less that of the second label"),
        STATISTIC.means("z"),
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: Estimate::Table(|sample| {
        each_outcome(sample, |groups| {
            // Adjusted with all other rows of the table, if at all.
            let comparisons = dunn(&groups.values, Adjustment::None);
            if comparisons.pairs.is_empty() {
                return vec![Record::new().set(REASON, comparisons.reason)];
            }
            let row = |pair: &DunnPair| {
                comparisons
                    .record(pair)
                    .set(FIRST, groups.labels[pair.first].as_str())
                    .set(SECOND, groups.labels[pair.second].as_str())
                    .set(N_SHARED, groups.n_shared(&[pair.first, pair.second]))
            };
            comparisons.pairs.iter().map(row).collect()
        })
    }),
};

/// More groups than this are refused: their pairs would be no table that anyone can read.
pub const MOST_GROUPS: usize = 500;

/// One pair of groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DunnPair {
    /// Number of the first group in the input, from 0.
    pub first: usize,
    /// Number of the second group in the input, from 0.
    pub second: usize,
    /// Number of values of the first group.
    pub n_first: usize,
    /// Number of values of the second group.
    pub n_second: usize,
    /// Mean rank of the first group among all values, minus that of the second.
    pub rank_difference: f64,
    /// The standard normal statistic, with the sign of `rank_difference`.
    pub statistic: f64,
    /// Two-sided p value of the hypothesis that the two groups have one distribution.
    pub p_value: f64,
    /// Method of the p value.
    pub p_method: PMethod,
    /// The p value adjusted over all pairs.
    pub p_adjusted: f64,
}

/// Dunn's test of all pairs of groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dunn {
    /// Number of values in all groups.
    pub n: usize,
    /// Adjustment of the p values.
    pub adjustment: Adjustment,
    /// All pairs of groups that are not empty, the first with the second, third, …, then the second
    /// with the third, ….
    pub pairs: Vec<DunnPair>,
    /// Reason why there are no pairs.
    pub reason: Option<NotEstimable>,
}

/// Compares each group with each other one by their mean ranks among all values, with the variance
/// that allows for ties; empty groups are left out.
///
/// Dunn (1964). Multiple comparisons using rank sums. *Technometrics*, 6, 241–252. The same as
/// `posthoc_dunn` of scikit-posthocs. The effect size of the whole, ε², is in
/// [`super::kruskal::KruskalWallis`]; that of a pair is Cliff's δ of
/// [`super::two_samples::mann_whitney`]. At most [`MOST_GROUPS`] groups.
///
/// ```
/// use plymap_statistics::stats::{adjust::Adjustment, posthoc::dunn};
///
/// let groups = [vec![1.0, 2.0, 3.0], vec![2.5, 4.0, 5.0], vec![6.0, 7.0, 8.0]];
/// let test = dunn(&groups, Adjustment::Holm);
/// assert_eq!((test.pairs.len(), test.pairs[1].second), (3, 2));
/// assert!(test.pairs[1].p_adjusted < 0.05 && test.pairs[0].p_adjusted > 0.05);
/// ```
pub fn dunn<G: AsRef<[f64]>>(groups: &[G], adjustment: Adjustment) -> Dunn {
    let groups: Vec<&[f64]> = groups.iter().map(AsRef::as_ref).collect();
    let n = groups.iter().map(|group| group.len()).sum();
    match compare(&groups, n, adjustment) {
        Ok(pairs) => Dunn { n, adjustment, pairs, reason: None },
        Err(reason) => Dunn { n, adjustment, pairs: Vec::new(), reason: Some(reason) },
    }
}

impl Dunn {
    /// `z = −2.83, p = .014 (adjusted over 3 tests)`, of one pair.
    pub fn sentence(&self, pair: &DunnPair) -> String {
        let z = apa::number(pair.statistic, 2);
        match self.adjustment {
            Adjustment::None => format!("z = {z}, {}", apa::p_value(pair.p_value)),
            _ => {
                let family = apa::TestFamily::of_tests(self.pairs.len());
                apa::adjusted(
                    &format!("z = {z}, {}", apa::p_value(pair.p_value)),
                    pair.p_value,
                    pair.p_adjusted,
                    family,
                )
            }
        }
    }

    /// The row of a table, of one pair.
    pub fn record(&self, pair: &DunnPair) -> Record {
        Record::new()
            .set(N_FIRST, pair.n_first)
            .set(N_SECOND, pair.n_second)
            .set(ESTIMATE, pair.rank_difference)
            .set(STATISTIC, pair.statistic)
            .set(P_VALUE, pair.p_value)
            .set(P_METHOD, pair.p_method)
            .set(SENTENCE, self.sentence(pair))
    }
}

fn compare(groups: &[&[f64]], n: usize, adjustment: Adjustment) -> Result<Vec<DunnPair>, NotEstimable> {
    let pooled: Vec<f64> = groups.iter().flat_map(|group| *group).copied().collect();
    let ranked = mid_ranks(&pooled)?;
    let mut rest = ranked.ranks.as_slice();
    let mut mean_ranks = Vec::new();
    for (number, group) in groups.iter().enumerate().filter(|(_, group)| !group.is_empty()) {
        let (ranks, others) = rest.split_at(group.len());
        mean_ranks.push((number, group.len(), mean(ranks)));
        rest = others;
    }
    check_count("Dunn's test", "groups with values", mean_ranks.len(), 2)?;
    check_count("Dunn's test", "values", n, 3)?;
    if mean_ranks.len() > MOST_GROUPS {
        let (quantity, value) = ("the number of groups", mean_ranks.len().to_string());
        return Err(NotEstimable::OutOfRange { quantity, value, allowed: "at most 500" });
    }
    if ranked.ties == [n] {
        return Err(NotEstimable::NoVariance { variable: "the groups" });
    }
    let total = n as f64;
    let tied: f64 = ranked.ties.iter().map(|&size| (size as f64).powi(3) - size as f64).sum();
    let variance = total * (total + 1.0) / 12.0 - tied / (12.0 * (total - 1.0));
    let mut pairs = Vec::new();
    for (place, &(first, n_first, rank_first)) in mean_ranks.iter().enumerate() {
        for &(second, n_second, rank_second) in &mean_ranks[place + 1..] {
            let rank_difference = rank_first - rank_second;
            let error = (variance * (1.0 / n_first as f64 + 1.0 / n_second as f64)).sqrt();
            let (statistic, p_method) = (rank_difference / error, PMethod::NormalApproximation);
            let p_value = normal_two_sided(statistic);
            let p_adjusted = p_value;
            pairs.push(DunnPair {
                first,
                second,
                n_first,
                n_second,
                rank_difference,
                statistic,
                p_value,
                p_method,
                p_adjusted,
            });
        }
    }
    let p_values: Vec<Option<f64>> = pairs.iter().map(|pair| Some(pair.p_value)).collect();
    for (pair, adjusted) in pairs.iter_mut().zip(adjustment.apply(&p_values)) {
        pair.p_adjusted = adjusted.unwrap_or(pair.p_value);
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_groups_keep_their_numbers() {
        let test = dunn(&[vec![1.0, 2.0], vec![], vec![3.0, 4.0]], Adjustment::Holm);
        assert_eq!((test.pairs.len(), test.pairs[0].first, test.pairs[0].second), (1, 0, 2));
        assert_eq!(test.pairs[0].rank_difference, -2.0);
        assert_eq!(test.sentence(&test.pairs[0]), "z = −1.55, p = .121");
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let reason = |groups: &[Vec<f64>]| dunn(groups, Adjustment::None).reason.unwrap().to_string();
        assert_eq!(reason(&[]), "Dunn's test needs at least 2 groups with values, found 0");
        assert_eq!(reason(&[vec![1.0; 2], vec![1.0; 2]]), "all values of the groups are equal");
        assert_eq!(reason(&[vec![1.0], vec![2.0]]), "Dunn's test needs at least 3 values, found 2");
        assert!(reason(&[vec![f64::NAN], vec![1.0]]).contains("holds NaN"));
    }
}
