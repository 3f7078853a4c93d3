//! The comparison of inter-move times between the groups of one factor.

use super::time_factors::Factor;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::adjust::{Adjustment, holm};
use plymap_statistics::stats::friedman::friedman;
use plymap_statistics::stats::interval::{MedianInterval, median_interval};
use plymap_statistics::stats::posthoc::{DunnPair, dunn};
use plymap_statistics::stats::two_samples::{mann_whitney, wilcoxon};

/// One group of moves; its fields are explained in the table `time_medians`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MedianRow {
    pub factor: &'static str,
    pub group: String,
    pub n_participants: usize,
    pub n_moves: usize,
    pub n_missing: usize,
    pub n_unknown: usize,
    pub n_excluded: usize,
    pub result: MedianInterval,
    pub reason: Option<String>,
}

/// One test; its fields are explained in the table `time_tests`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TestRow {
    pub factor: &'static str,
    pub units: &'static str,
    pub test: &'static str,
    pub groups: String,
    pub first: Option<String>,
    pub second: Option<String>,
    pub n: usize,
    pub n_first: Option<usize>,
    pub n_second: Option<usize>,
    pub n_missing: usize,
    pub n_excluded: usize,
    pub estimate: Option<f64>,
    pub lower: Option<f64>,
    pub upper: Option<f64>,
    pub confidence: Confidence,
    pub effect: &'static str,
    pub effect_size: Option<f64>,
    pub effect_lower: Option<f64>,
    pub effect_upper: Option<f64>,
    pub statistic: Option<f64>,
    pub df: Option<usize>,
    pub p_value: Option<f64>,
    pub p_method: Option<String>,
    pub p_adjusted: Option<f64>,
    pub sentence: String,
    pub reason: Option<String>,
}

/// One factor with the participants' medians.
pub(super) struct Comparison<'a> {
    factor: &'a Factor,
    confidence: Confidence,
    /// By group and participant.
    medians: Vec<Vec<Option<f64>>>,
    /// Groups with a timed move.
    filled: Vec<usize>,
}

impl<'a> Comparison<'a> {
    /// Takes the medians of all participants.
    pub fn new(factor: &'a Factor, confidence: Confidence) -> Self {
        let medians: Vec<Vec<Option<f64>>> = (0..factor.groups.len()).map(|group| factor.medians(group)).collect();
        let has_moves = |group: &usize| medians[*group].iter().any(Option::is_some);
        let filled = (0..factor.groups.len()).filter(has_moves).collect();
        Self { factor, confidence, medians, filled }
    }

    /// The rows of the table `time_medians`.
    pub fn medians(&self) -> Vec<MedianRow> {
        let factor = self.factor;
        let row = |group: usize, name: &String| {
            let values: Vec<f64> = self.medians[group].iter().flatten().copied().collect();
            let result = median_interval(&values, self.confidence);
            MedianRow {
                factor: factor.name,
                group: name.clone(),
                n_participants: self.medians[group].len(),
                n_moves: factor.times_s[group].iter().map(Vec::len).sum(),
                n_missing: factor.n_untimed[group],
                n_unknown: factor.n_unknown,
                n_excluded: factor.n_first,
                reason: result.reason.as_ref().map(ToString::to_string),
                result,
            }
        };
        if factor.groups.is_empty() {
            // Bins are made of timed moves: without any there is no group to name.
            let result = median_interval(&[], self.confidence);
            return vec![MedianRow {
                factor: factor.name,
                group: "(none)".to_owned(),
                n_participants: 0,
                n_moves: 0,
                n_missing: 0,
                n_unknown: factor.n_unknown,
                n_excluded: factor.n_first,
                result,
                reason: Some("no move after the first of its attempt has a time and a known group".to_owned()),
            }];
        }
        factor.groups.iter().enumerate().map(|(group, name)| row(group, name)).collect()
    }

    /// The rows of the table `time_tests`.
    pub fn tests(&self) -> Vec<TestRow> {
        let mut rows = Vec::new();
        if !self.factor.is_pair {
            rows.push(self.friedman());
        }
        let pairs = self.pairs();
        rows.extend(adjusted(pairs.iter().map(|&pair| self.wilcoxon(pair)).collect()));
        if self.filled.len() > 2 {
            rows.extend(self.dunn());
        }
        let pooled: Vec<Vec<f64>> = (0..self.factor.groups.len()).map(|group| self.factor.pooled(group)).collect();
        rows.extend(adjusted(pairs.iter().map(|&pair| self.mann_whitney(pair, &pooled)).collect()));
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

    /// A row without a result.
    fn row(&self, test: &'static str, units: &'static str, effect: &'static str, groups: &[usize]) -> TestRow {
        let names: Vec<&str> = groups.iter().map(|&group| self.factor.groups[group].as_str()).collect();
        TestRow {
            factor: self.factor.name,
            units,
            test,
            groups: names.join("; "),
            first: None,
            second: None,
            n: 0,
            n_first: None,
            n_second: None,
            n_missing: 0,
            n_excluded: self.factor.n_first + self.factor.n_unknown,
            estimate: None,
            lower: None,
            upper: None,
            confidence: self.confidence,
            effect,
            effect_size: None,
            effect_lower: None,
            effect_upper: None,
            statistic: None,
            df: None,
            p_value: None,
            p_method: None,
            p_adjusted: None,
            sentence: String::new(),
            reason: None,
        }
    }

    fn pair_row(&self, test: &'static str, units: &'static str, effect: &'static str, pair: (usize, usize)) -> TestRow {
        let name = |group: usize| Some(self.factor.groups[group].clone());
        let row = self.row(test, units, effect, &[pair.0, pair.1]);
        TestRow { first: name(pair.0), second: name(pair.1), ..row }
    }

    fn friedman(&self) -> TestRow {
        let n_with_times = self.n_with_times();
        let is_common =
            |group: &usize| 2 * self.medians[*group].iter().flatten().count() >= n_with_times && n_with_times > 0;
        let common: Vec<usize> = (0..self.factor.groups.len()).filter(is_common).collect();
        let complete =
            |number: usize| common.iter().map(|&group| self.medians[group][number]).collect::<Option<Vec<f64>>>();
        let n_participants = if common.is_empty() { 0 } else { self.medians[0].len() };
        let participants: Vec<Vec<f64>> = (0..n_participants).filter_map(complete).collect();
        let row = TestRow {
            n: participants.len(),
            n_missing: n_with_times - participants.len(),
            ..self.row("friedman", "participants", "Kendall's W", &common)
        };
        if common.len() == 2 {
            let reason = "only two groups have a median of half of the participants or more: see wilcoxon".to_owned();
            let sentence = format!("χ² not estimable, n = {} ({reason})", participants.len());
            return TestRow { sentence, reason: Some(reason), ..row };
        }
        let result = friedman(&participants);
        TestRow {
            effect_size: result.kendalls_w,
            statistic: result.statistic,
            df: result.df,
            p_value: result.p_value,
            p_method: result.p_value.map(|_| result.p_method.to_string()),
            sentence: result.sentence(),
            reason: result.reason.map(|reason| reason.to_string()),
            ..row
        }
    }

    fn wilcoxon(&self, pair: (usize, usize)) -> TestRow {
        let both = self.medians[pair.0].iter().zip(&self.medians[pair.1]).filter_map(|(&x, &y)| x.zip(y));
        let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
        let result = wilcoxon(&x, &y, self.confidence);
        TestRow {
            n: result.n,
            n_missing: self.n_with_times() - result.n,
            estimate: result.shift,
            lower: result.shift_lower,
            upper: result.shift_upper,
            effect_size: result.rank_biserial,
            statistic: result.w_plus,
            p_value: result.p_value,
            p_method: result.p_value.map(|_| result.p_method.to_string()),
            sentence: result.sentence(),
            reason: result.reason.as_ref().map(ToString::to_string),
            ..self.pair_row("wilcoxon", "participants", "matched rank-biserial r", pair)
        }
    }

    fn dunn(&self) -> Vec<TestRow> {
        let pooled: Vec<Vec<f64>> = (0..self.factor.groups.len()).map(|group| self.factor.pooled(group)).collect();
        let result = dunn(&pooled, Adjustment::Holm);
        let effect = "difference of mean ranks";
        if let Some(reason) = result.reason {
            let sentence = format!("z not estimable, n = {} ({reason})", result.n);
            let row = self.row("dunn", "moves", effect, &self.filled);
            return vec![TestRow { n: result.n, sentence, reason: Some(reason.to_string()), ..row }];
        }
        let row = |pair: &DunnPair| TestRow {
            n: pair.n_first + pair.n_second,
            n_first: Some(pair.n_first),
            n_second: Some(pair.n_second),
            n_missing: self.factor.n_untimed[pair.first] + self.factor.n_untimed[pair.second],
            effect_size: Some(pair.rank_difference),
            statistic: Some(pair.statistic),
            p_value: Some(pair.p_value),
            p_method: Some(pair.p_method.to_string()),
            p_adjusted: Some(pair.p_adjusted),
            sentence: pair.sentence(),
            ..self.pair_row("dunn", "moves", effect, (pair.first, pair.second))
        };
        result.pairs.iter().map(row).collect()
    }

    fn mann_whitney(&self, pair: (usize, usize), pooled: &[Vec<f64>]) -> TestRow {
        let result = mann_whitney(&pooled[pair.0], &pooled[pair.1], self.confidence);
        TestRow {
            n: result.n_x + result.n_y,
            n_first: Some(result.n_x),
            n_second: Some(result.n_y),
            n_missing: self.factor.n_untimed[pair.0] + self.factor.n_untimed[pair.1],
            estimate: result.shift,
            lower: result.shift_lower,
            upper: result.shift_upper,
            effect_size: result.cliffs_delta,
            effect_lower: result.cliffs_delta_lower,
            effect_upper: result.cliffs_delta_upper,
            statistic: result.u,
            p_value: result.p_value,
            p_method: result.p_value.map(|_| result.p_method.to_string()),
            sentence: result.sentence(),
            reason: result.reason.as_ref().map(ToString::to_string),
            ..self.pair_row("mann-whitney", "moves", "Cliff's delta", pair)
        }
    }
}

/// The rows with p values adjusted over all of them.
fn adjusted(mut rows: Vec<TestRow>) -> Vec<TestRow> {
    let p_values: Vec<Option<f64>> = rows.iter().map(|row| row.p_value).collect();
    for (row, p) in rows.iter_mut().zip(holm(&p_values)) {
        row.p_adjusted = p;
    }
    rows
}
