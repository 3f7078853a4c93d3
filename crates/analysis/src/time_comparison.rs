//! The comparison of inter-move times between the groups of one factor.

use super::columns;
use super::time_factors::Factor;
use plymap_statistics::record::*;
use plymap_statistics::stats::friedman::friedman;
use plymap_statistics::stats::interval::{COVERAGE, median_interval};
use plymap_statistics::stats::two_samples::WILCOXON;
use plymap_statistics::stats::{Confidence, apa};

/// The columns of the table `time_medians`.
pub(super) const MEDIAN_COLUMNS: &[Column] = &[
    FACTOR,
    GROUP,
    N.means("number of participants with a timed move in the group"),
    N_PARTICIPANTS.means("number of all participants"),
    N_MOVES,
    N_MISSING.means("number of moves of the group without a time"),
    N_UNKNOWN,
    N_EXCLUDED.means(
        "number of first moves of attempts, of any group: their time is another one. Illegal moves are not in the data",
    ),
    ESTIMATE.shown_as("median_s").means("median of the participants' medians").unit("s"),
    LOWER.shown_as("lower_s").means("lower end of its interval, from order statistics").unit("s"),
    UPPER.shown_as("upper_s").means("upper end of its interval").unit("s"),
    CONFIDENCE.means("level of the interval that was asked for"),
    COVERAGE.means("level that the interval has, at least as large"),
    SENTENCE.means("APA-formatted result"),
    REASON.means("why the median, or its interval, is missing"),
];

/// The columns of the table `time_tests`.
pub(super) const TEST_COLUMNS: &[Column] = &[
    FACTOR,
    TEST,
    GROUPS,
    FIRST.means("first group of a pair"),
    SECOND.means("second group of a pair"),
    N.means("number of participants with a median in each group"),
    N_MISSING.means("number of participants with a timed move who lack a median in one of the groups"),
    N_EXCLUDED.means("number of first moves of attempts, and of moves that belong to no group"),
    ESTIMATE.means("Hodges-Lehmann shift, first minus second group; of friedman empty").unit("s"),
    LOWER.means("lower end of the interval of the shift").unit("s"),
    UPPER.means("upper end of the interval of the shift").unit("s"),
    CONFIDENCE,
    EFFECT,
    EFFECT_SIZE.means("the effect size"),
    STATISTIC.means("chi-squared of friedman, sum of positive ranks of wilcoxon"),
    whole("df", "degrees of freedom of friedman"),
    P_VALUE.means("two-sided p; of friedman from chi-squared"),
    P_METHOD,
    P_ADJUSTED,
    SENTENCE.means("APA-formatted result"),
    REASON,
];

pub(super) const FACTOR: Column = columns::FACTOR.means(
    "what the moves are grouped by: quality; optimal; distance to the goal before the move, and n_legal, the number of legal moves, both cut at the quartiles of the timed moves",
)
.levels(&["quality", "optimal", "distance", "n_legal"]);
pub(super) const GROUP: Column =
    text("group", "the group of moves; of distance and n_legal, its smallest and largest value");
pub(super) const TEST: Column = columns::TEST
    .means("friedman, of all groups at once, or wilcoxon (signed ranks), of a pair")
    .levels(&["friedman", "wilcoxon"]);
pub(super) const N_MOVES: Column = count("n_moves", "number of moves with a time");
const N_UNKNOWN: Column =
    count("n_unknown", "number of moves that belong to no group of the factor, such as those without a distance");
pub(super) const GROUPS: Column = text(
    "groups",
    "the groups that take part; of friedman, those in which half of the participants or more have a median",
);
const EFFECT: Column = text("effect", "which effect size: Kendall's W, or matched rank-biserial r");
pub(super) const P_ADJUSTED: Column = columns::P_ADJUSTED.means(
    "p after Holm (1979): of friedman over the factors of a question, which are quality alone, and distance with n_legal as what makes a position hard; of wilcoxon over all pairs of the factor",
);

/// A factor with the medians of the participants.
pub(super) struct Comparison<'a> {
    factor: &'a Factor,
    confidence: Confidence,
    /// Median times in seconds, by group and participant.
    medians: Vec<Vec<Option<f64>>>,
    /// Groups with a timed move.
    filled: Vec<usize>,
}

impl<'a> Comparison<'a> {
    /// Takes the medians of all participants.
    pub fn new(factor: &'a Factor, confidence: Confidence) -> Self {
        let groups = 0..factor.groups.len();
        let medians: Vec<Vec<Option<f64>>> = groups.clone().map(|group| factor.medians(group)).collect();
        let has_moves = |group: &usize| medians[*group].iter().any(Option::is_some);
        let filled = groups.filter(has_moves).collect();
        Self { factor, confidence, medians, filled }
    }

    /// The rows of the table `time_medians`.
    pub fn medians(&self) -> Vec<Record> {
        let factor = self.factor;
        if factor.groups.is_empty() {
            // Bins are made of timed moves: without any there is no group to name.
            let reason = "no move after the first of its attempt has a time and a known group";
            return vec![self.median("(none)", &[], 0).set(N_MOVES, 0_usize).set(REASON, reason)];
        }
        let row = |(group, name): (usize, &String)| {
            let n_moves = factor.times_s[group].iter().map(Vec::len).sum::<usize>();
            self.median(name, &self.medians[group], factor.n_untimed[group]).set(N_MOVES, n_moves)
        };
        factor.groups.iter().enumerate().map(row).collect()
    }

    fn median(&self, group: &str, medians: &[Option<f64>], n_untimed: usize) -> Record {
        let values: Vec<f64> = medians.iter().flatten().copied().collect();
        median_interval(&values, self.confidence)
            .record()
            .set(FACTOR, self.factor.name)
            .set(GROUP, group)
            .set(N_PARTICIPANTS, medians.len())
            .set(N_MISSING, n_untimed)
            .set(N_UNKNOWN, self.factor.n_unknown)
            .set(N_EXCLUDED, self.factor.n_first)
    }

    /// The rows of the table `time_tests`. Each names the family of tests that its p value is adjusted with, those of one
    /// question: whether moves of other quality take other times, or whether positions do.
    pub fn tests(&self) -> Vec<Record> {
        let mut rows = Vec::new();
        if !self.factor.is_pair {
            rows.push(self.friedman());
        }
        rows.extend(self.pairs().into_iter().map(|pair| self.wilcoxon(pair)));
        rows
    }

    /// All pairs of groups with times; of a factor of two groups always that one.
    fn pairs(&self) -> Vec<(usize, usize)> {
        if self.factor.is_pair {
            return vec![(0, 1)];
        }
        let after = |index: usize| self.filled[index + 1..].iter().copied();
        self.filled
            .iter()
            .enumerate()
            .flat_map(|(index, &first)| after(index).map(move |second| (first, second)))
            .collect()
    }

    fn n_with_times(&self) -> usize {
        let n_participants = self.medians.first().map_or(0, Vec::len);
        (0..n_participants).filter(|&number| self.medians.iter().any(|group| group[number].is_some())).count()
    }

    /// The record with what it is about.
    fn name(&self, record: Record, test: &str, effect: &str, groups: &[usize]) -> Record {
        let names: Vec<&str> = groups.iter().map(|&group| self.factor.groups[group].as_str()).collect();
        record
            .set(FACTOR, self.factor.name)
            .set(TEST, test)
            .set(EFFECT, effect)
            .set(GROUPS, names.join("; "))
            .set(N_EXCLUDED, self.factor.n_first + self.factor.n_unknown)
            .set(CONFIDENCE, self.confidence.level())
    }

    fn friedman(&self) -> Record {
        let n_with_times = self.n_with_times();
        let is_common =
            |group: &usize| 2 * self.medians[*group].iter().flatten().count() >= n_with_times && n_with_times > 0;
        let common: Vec<usize> = (0..self.factor.groups.len()).filter(is_common).collect();
        let complete =
            |number: usize| common.iter().map(|&group| self.medians[group][number]).collect::<Option<Vec<f64>>>();
        let n_participants = if common.is_empty() { 0 } else { self.medians[0].len() };
        let participants: Vec<Vec<f64>> = (0..n_participants).filter_map(complete).collect();
        let n = participants.len();
        let record = if common.len() == 2 {
            let reason = "only two groups have a median of half of the participants or more: see wilcoxon";
            Record::new()
                .set(SENTENCE, format!("χ² not estimable, n = {} ({reason})", apa::count(n)))
                .set(REASON, reason)
        } else {
            let test = friedman(&participants);
            // In sentences of the other test W is the sum of ranks.
            let sentence = test.sentence().replace(", W = ", ", Kendall's W = ");
            let record = test.record();
            let effect = record.number(ESTIMATE);
            record.unset(ESTIMATE).set(EFFECT_SIZE, effect).set(SENTENCE, sentence)
        };
        let record = record.set(N, n).set(N_MISSING, n_with_times - n);
        self.name(record, "friedman", "Kendall's W", &common).family(if self.factor.name == "quality" {
            "friedman of quality"
        } else {
            "friedman of positions"
        })
    }

    /// The test of two groups.
    fn wilcoxon(&self, (first, second): (usize, usize)) -> Record {
        let both = self.medians[first].iter().zip(&self.medians[second]).filter_map(|(&x, &y)| x.zip(y));
        let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
        let record = (WILCOXON.test)(&x, &y, self.confidence).set(N_MISSING, self.n_with_times() - x.len());
        let groups = &self.factor.groups;
        self.name(record, WILCOXON.estimator.name, WILCOXON.effect, &[first, second])
            .family(&format!("wilcoxon of {}", self.factor.name))
            .set(FIRST, groups[first].as_str())
            .set(SECOND, groups[second].as_str())
    }
}
