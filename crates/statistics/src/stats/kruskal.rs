//! Comparison of several groups by ranks.

use serde::Serialize;

use crate::apa;
use crate::estimator::comparison::{ASSUMPTIONS, GROUPS, VALUES, each_outcome};
use crate::estimator::{Estimate, Estimator};
use crate::inference::PMethod;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::chi_squared_upper;
use crate::numeric::moments::mean;
use crate::numeric::rank::mid_ranks;
use crate::record::*;

/// The test on the columns of any table.
pub const KRUSKAL_WALLIS: Estimator = Estimator {
    name: "kruskal-wallis",
    summary: "Kruskal-Wallis test of all groups at once, with ε².",
    assumptions: ASSUMPTIONS,
    source: "Kruskal and Wallis (1952); Kelley (1935).",
    roles: GROUPS,
    columns: &[
        OUTCOME,
        VALUES,
        N_GROUPS,
        N_ROWS,
        N_MISSING,
        N_SHARED,
        ESTIMATE.means("effect size ε², from 0 to 1"),
        STATISTIC.means("H, corrected for ties"),
        DF,
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: Estimate::Table(|sample| {
        each_outcome(sample, |groups| {
            let all: Vec<usize> = (0..groups.labels.len()).collect();
            vec![kruskal_wallis(&groups.values).record().set(N_SHARED, groups.n_shared(&all))]
        })
    }),
};

/// One group of a Kruskal–Wallis test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GroupRank {
    /// Number of values in the group.
    pub n: usize,
    /// Mean of their ranks among all values; absent for an empty group.
    pub mean_rank: Option<f64>,
}

/// A Kruskal–Wallis test with its effect size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KruskalWallis {
    /// Number of values in all groups.
    pub n: usize,
    /// Number of groups that are not empty.
    pub n_groups: usize,
    /// The groups in the order of the input, empty ones included.
    pub groups: Vec<GroupRank>,
    /// The test, or why there is none.
    pub test: Result<KruskalWallisTest, NotEstimable>,
}

/// The test that all groups have one distribution. Its p value is an approximation, rough for groups of fewer than five.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct KruskalWallisTest {
    /// The statistic H, corrected for ties.
    pub statistic: f64,
    /// Divisor of H for ties, 1 − Σ(t³ − t) / (n³ − n); 1 without ties.
    pub tie_correction: f64,
    /// Probability of so large an H where all groups have one distribution.
    pub p_value: f64,
    /// Effect size ε² = H / (n − 1), from 0 (groups alike) to 1.
    pub epsilon_squared: f64,
}

/// Tests whether groups of independent values have one distribution, by ranks; empty groups are
/// left out.
///
/// Kruskal & Wallis (1952). Use of ranks in one-criterion variance analysis. *Journal of the
/// American Statistical Association*, 47, 583–621. Effect size: Kelley (1935). *Proceedings of the
/// National Academy of Sciences*, 21, 554–559; Tomczak & Tomczak (2014). *Trends in Sport Sciences*,
/// 21, 19–25. Moves of the same player are not independent: compare the players' medians, or take
/// the test as a description.
pub fn kruskal_wallis<G: AsRef<[f64]>>(groups: &[G]) -> KruskalWallis {
    let pooled: Vec<f64> = groups.iter().flat_map(|group| group.as_ref()).copied().collect();
    let ranked = mid_ranks(&pooled);
    let mut rest = ranked.as_ref().map_or(&[][..], |ranked| &ranked.ranks);
    let mut ranked_groups = Vec::with_capacity(groups.len());
    for n in groups.iter().map(|group| group.as_ref().len()) {
        let (ranks, others) = rest.split_at(n.min(rest.len()));
        ranked_groups.push(GroupRank { n, mean_rank: (!ranks.is_empty()).then(|| mean(ranks)) });
        rest = others;
    }
    let n_groups = ranked_groups.iter().filter(|group| group.n > 0).count();
    let test = ranked.and_then(|ranked| KruskalWallisTest::new(&ranked_groups, n_groups, &ranked.ties));
    KruskalWallis { n: pooled.len(), n_groups, groups: ranked_groups, test }
}

impl KruskalWallis {
    /// Degrees of freedom, `n_groups` − 1; absent for fewer than two groups.
    pub fn df(&self) -> Option<usize> {
        self.n_groups.checked_sub(1).filter(|&df| df > 0)
    }

    /// `H(3) = 14.20, p = .003, ε² = .12, n = 120`.
    pub fn sentence(&self) -> String {
        apa::outcome("H", self.n, &self.test, |test| {
            let (statistic, p) = (apa::number(test.statistic, 2), apa::p_value(test.p_value));
            let (df, effect) = (self.n_groups - 1, apa::bounded(test.epsilon_squared, 2));
            format!("H({df}) = {statistic}, {p}, ε² = {effect}, n = {}", apa::count(self.n))
        })
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_GROUPS, self.n_groups)
            .set(DF, self.df())
            .set(SENTENCE, self.sentence())
            .outcome(&self.test, |record, test| {
                record
                    .set(ESTIMATE, test.epsilon_squared)
                    .set(STATISTIC, test.statistic)
                    .set(P_VALUE, test.p_value)
                    .set(P_METHOD, PMethod::ChiSquaredApproximation)
            })
    }
}

impl KruskalWallisTest {
    fn new(groups: &[GroupRank], n_groups: usize, ties: &[usize]) -> Result<Self, NotEstimable> {
        let n_values = groups.iter().map(|group| group.n).sum();
        check_count("the Kruskal–Wallis test", "groups with values", n_groups, 2)?;
        check_count("the Kruskal–Wallis test", "values", n_values, 3)?;
        if ties == [n_values] {
            return Err(NotEstimable::NoVariance { variable: "the groups" });
        }
        let n = n_values as f64;
        let tied: f64 = ties.iter().map(|&size| (size as f64).powi(3) - size as f64).sum();
        let tie_correction = 1.0 - tied / (n.powi(3) - n);
        // Around the mean rank, so that equal groups give 0 and not a difference of large numbers.
        let mean_rank = (n + 1.0) / 2.0;
        let between =
            |group: &GroupRank| group.mean_rank.map_or(0.0, |own_mean| group.n as f64 * (own_mean - mean_rank).powi(2));
        let between: f64 = groups.iter().map(between).sum();
        let statistic = 12.0 / (n * (n + 1.0)) * between / tie_correction;
        let p_value = chi_squared_upper(statistic, (n_groups - 1) as f64);
        Ok(Self { statistic, tie_correction, p_value, epsilon_squared: statistic / (n - 1.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_do_not_overlap_have_the_largest_h() {
        let test = kruskal_wallis(&[vec![1.0, 2.0], vec![3.0, 4.0], vec![]]);
        assert_eq!((test.n, test.n_groups, test.df()), (4, 2, Some(1)));
        assert!((test.test.unwrap().statistic - 2.4).abs() < 1e-14);
        assert_eq!(test.groups[2], GroupRank { n: 0, mean_rank: None });
    }

    #[test]
    fn equal_values_and_single_groups_cannot_be_compared() {
        let alike = kruskal_wallis(&[[1.0, 1.0], [1.0, 1.0]]);
        assert_eq!(alike.test.unwrap_err().to_string(), "all values of the groups are equal");
        assert!(kruskal_wallis(&[[1.0, 2.0, 3.0]]).test.is_err());
        assert!(kruskal_wallis::<Vec<f64>>(&[]).test.is_err());
    }
}
