//! Agreement of two methods of labelling the same moves.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{PhaseMethod, Segmentation};
use crate::apa;
use crate::not_estimable::{NotEstimable, check_count};

/// Agreement of two lists of labels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Number of moves that have both labels.
    pub n: usize,
    /// Number of them with the same label twice.
    pub n_equal: usize,
    /// `n_equal` / n, from 0 to 1.
    pub share_equal: Option<f64>,
    /// Cohen's κ: agreement beyond that of independent labels, at most 1; absent where both lists hold
    /// one and the same label only, because nothing but agreement was possible then.
    pub kappa: Option<f64>,
    /// Adjusted Rand index, at most 1 and 0 on average for independent labels. It compares the groups,
    /// whatever their names: 1 also where two labels are exchanged. 1 by definition where both lists are
    /// one group, or both hold no two equal labels.
    pub adjusted_rand: Option<f64>,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// Agreement of two methods.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodAgreement {
    /// One method.
    pub left: PhaseMethod,
    /// The other method.
    pub right: PhaseMethod,
    /// Agreement.
    #[serde(flatten)]
    pub agreement: Agreement,
}

/// Agreement of two lists of labels of the same moves.
///
/// Cohen (1960). A coefficient of agreement for nominal scales. *Educational and Psychological
/// Measurement*, 20, 37–46. Hubert & Arabie (1985). Comparing partitions. *Journal of Classification*, 2,
/// 193–218. The same as scikit-learn's `cohen_kappa_score` and `adjusted_rand_score`. There are no
/// intervals: the usual ones take moves for independent, which labels of successive moves are not. Resample
/// participants instead.
///
/// ```
/// let found = plymap_statistics::phase::agreement::agreement(&[0, 0, 1, 1], &[0, 0, 1, 0]);
/// assert_eq!((found.share_equal, found.kappa, found.adjusted_rand), (Some(0.75), Some(0.5), Some(0.0)));
/// ```
pub fn agreement<L: Ord + Copy>(left: &[L], right: &[L]) -> Agreement {
    let n_equal = left.iter().zip(right).filter(|(left, right)| left == right).count();
    let n = left.len().min(right.len());
    let mut result = Agreement { n, n_equal, share_equal: None, kappa: None, adjusted_rand: None, reason: None };
    result.reason = result.complete(left, right).err();
    result
}

/// Agreement of every two of several segmentations of the same moves.
///
/// Moves without a label in either of two are left out of their comparison.
pub fn agreements(segmentations: &[Segmentation]) -> Vec<MethodAgreement> {
    let mut rows = Vec::new();
    for (number, left) in segmentations.iter().enumerate() {
        for right in &segmentations[number + 1..] {
            rows.push(MethodAgreement { left: left.method, right: right.method, agreement: compare(left, right) });
        }
    }
    rows
}

fn compare(left: &Segmentation, right: &Segmentation) -> Agreement {
    let lengths = |segmentation: &Segmentation| -> Vec<usize> { segmentation.modes.iter().map(Vec::len).collect() };
    if lengths(left) != lengths(right) {
        let mut refused = agreement::<u8>(&[], &[]);
        let (quantity, why) = ("agreement", "the two segmentations are of different attempts".to_owned());
        refused.reason = Some(NotEstimable::Undefined { quantity, why });
        return refused;
    }
    let both = left.modes.iter().flatten().zip(right.modes.iter().flatten());
    let (left_labels, right_labels): (Vec<_>, Vec<_>) = both.filter_map(|(left, right)| left.zip(*right)).unzip();
    let mut kappa = agreement(&left_labels, &right_labels);
    if left_labels.is_empty() {
        // Why there are no labels says more than that there are none.
        kappa.reason = left.reason.clone().or_else(|| right.reason.clone()).or(kappa.reason);
    }
    kappa
}

impl Agreement {
    fn complete<L: Ord + Copy>(&mut self, left: &[L], right: &[L]) -> Result<(), NotEstimable> {
        if left.len() != right.len() {
            let (left_name, right_name) = ("the first list of labels", "the second");
            let (left, right) = (left.len(), right.len());
            return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
        }
        check_count("agreement", "labelled moves", self.n, 1)?;
        self.share_equal = Some(self.n_equal as f64 / self.n as f64);
        let left_sizes = counts(left.iter().copied());
        let right_sizes = counts(right.iter().copied());
        let joint_sizes = counts(left.iter().copied().zip(right.iter().copied()));
        self.adjusted_rand = Some(adjusted_rand(&left_sizes, &right_sizes, &joint_sizes, self.n));
        // In whole numbers, so that agreement by chance alone is known exactly: n is below 2^53.
        let by_chance = |(label, &size): (&L, &usize)| size as u128 * right_sizes.get(label).map_or(0, |&n| n as u128);
        let by_chance: u128 = left_sizes.iter().map(by_chance).sum();
        let (n, n_equal) = (self.n as u128, self.n_equal as u128);
        if by_chance == n * n {
            let why = "every label of both is the same".to_owned();
            return Err(NotEstimable::Undefined { quantity: "Cohen's κ", why });
        }
        // (n n_equal − by_chance) / (n² − by_chance), without a negative whole number.
        let beyond = (n * n_equal) as i128 - by_chance as i128;
        self.kappa = Some(beyond as f64 / (n * n - by_chance) as f64);
        Ok(())
    }

    /// `κ = .82, 95.1 % of 800 moves labelled alike, adjusted Rand index = .81`, with the numbers as they
    /// are.
    pub fn sentence(&self) -> String {
        let (Some(share), Some(rand)) = (self.share_equal, self.adjusted_rand) else {
            return apa::not_estimable("agreement", self.n, self.reason.as_ref());
        };
        let kappa = match (self.kappa, &self.reason) {
            (Some(kappa), _) => format!("κ = {}", apa::bounded(kappa, 2)),
            (None, Some(reason)) => format!("κ not estimable ({reason})"),
            (None, None) => "κ not estimable".to_owned(),
        };
        let (percent, rand) = (apa::number(100.0 * share, 1), apa::bounded(rand, 2));
        format!("{kappa}, {percent} % of {} labelled alike, adjusted Rand index = {rand}", apa::counted(self.n, "move"))
    }
}

fn counts<L: Ord>(labels: impl Iterator<Item = L>) -> BTreeMap<L, usize> {
    let mut counts = BTreeMap::new();
    labels.for_each(|label| *counts.entry(label).or_insert(0) += 1);
    counts
}

/// Number of pairs of moves that share a group.
fn pairs<L>(sizes: &BTreeMap<L, usize>) -> f64 {
    sizes.values().map(|&size| size as f64 * (size as f64 - 1.0) / 2.0).sum()
}

/// Hubert & Arabie (1985), equation 5.
fn adjusted_rand<L>(
    left: &BTreeMap<L, usize>,
    right: &BTreeMap<L, usize>,
    joint: &BTreeMap<(L, L), usize>,
    n: usize,
) -> f64 {
    let (left_pairs, right_pairs, joint_pairs) = (pairs(left), pairs(right), pairs(joint));
    // The same groups, whatever their number: also one move, one group, or only groups of one.
    if joint_pairs == left_pairs && joint_pairs == right_pairs {
        return 1.0;
    }
    let all = n as f64 * (n as f64 - 1.0) / 2.0;
    let expected = left_pairs * right_pairs / all;
    (joint_pairs - expected) / ((left_pairs + right_pairs) / 2.0 - expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phase::{Move, PhaseMethod, Segmenter};

    #[test]
    fn exchanged_labels_are_the_same_groups_but_the_opposite_of_agreement() {
        let exchanged = agreement(&[0, 0, 1, 1], &[1, 1, 0, 0]);
        assert_eq!((exchanged.n_equal, exchanged.kappa, exchanged.adjusted_rand), (0, Some(-1.0), Some(1.0)));
        assert_eq!(exchanged.sentence(), "κ = −1.00, 0.0 % of 4 moves labelled alike, adjusted Rand index = 1.00");
    }

    #[test]
    fn where_only_agreement_is_possible_there_is_no_kappa() {
        let constant = agreement(&["a"; 5], &["a"; 5]);
        assert_eq!((constant.share_equal, constant.kappa, constant.adjusted_rand), (Some(1.0), None, Some(1.0)));
        assert!(constant.sentence().starts_with("κ not estimable (Cohen's κ is not defined here"));
        assert_eq!(agreement::<u8>(&[], &[]).reason.unwrap().to_string(), "agreement needs labelled moves, found none");
        assert!(agreement(&[1, 2], &[1]).reason.is_some());
        assert_eq!(agreement(&[1], &[2]).kappa, Some(0.0));
    }

    #[test]
    fn every_two_methods_are_compared_where_both_have_labels() {
        let moves: Vec<Move> =
            (0..40).map(|i| Move { is_first: i == 0, ..Move::later(1.0 + (i * 7 % 11) as f64) }).collect();
        let split = |proportion| Segmenter::new(PhaseMethod::Quantile { proportion }, 1);
        let with_first = Segmenter { with_first_moves: true, ..split(0.5) };
        let rows =
            agreements(&[split(0.5), split(0.8), with_first].map(|segmenter| segmenter.segment(&[moves.as_slice()])));
        assert_eq!(rows.len(), 3);
        assert!(rows.iter().all(|row| row.agreement.n == 39));
        let (left, right) = (split(0.5).segment(&[&moves[1..]]), split(0.5).segment(&[&moves[2..]]));
        assert!(compare(&left, &right).reason.unwrap().to_string().contains("different attempts"));
    }
}
