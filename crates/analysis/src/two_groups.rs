//! Groups of trials compared by tests that know that people give several trials.

use std::collections::{BTreeMap, BTreeSet};

use plymap_measures::measure::Trial;
use plymap_statistics::record::*;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::friedman::friedman;
use plymap_statistics::stats::kruskal::kruskal_wallis;
use plymap_statistics::stats::quantile::quantile;
use plymap_statistics::stats::two_samples::{mann_whitney, wilcoxon};
use plymap_tables::{ColumnDoc, Columns, Table, count, number, text};
use serde::Serialize;

use super::columns::{EFFECT, TEST};
pub use super::group_factors::{Factor, GROUP_MEASURES, GroupMeasure, NamedTrials};
use super::measures::mean;

impl MeanOfUnit {
    fn new(values: &[f64]) -> Option<Self> {
        Some(Self { mean: mean(values)?, n_trials: values.len() })
    }
}

fn is_solved(trial: &Trial) -> bool {
    trial.is_solved == Some(true)
}

/// Returns true if a measure is averaged over solved trials alone: there are any, and it is not whether they are solved.
fn is_of_solved(names: NamedTrials, measure: &GroupMeasure) -> bool {
    measure.key != "solved" && names.trials.iter().any(is_solved)
}

/// Values of a measure in the groups of a factor: one of each unit of analysis and group, the mean over its trials; of
/// times and numbers of moves the geometric mean.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupedMeans {
    /// True if they are of solved trials alone.
    pub only_solved: bool,
    /// The groups, in the order of their names unless another is asked for.
    pub groups: Vec<MeansOfGroup>,
}

/// The values of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct MeansOfGroup {
    /// Name of the group.
    pub label: String,
    /// Mean of each unit of analysis, by its name.
    means: BTreeMap<String, MeanOfUnit>,
}

/// Mean over the trials of a unit of analysis with a value; of their logarithms where groups differ by a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MeanOfUnit {
    mean: f64,
    n_trials: usize,
}

impl GroupedMeans {
    /// Averages a measure over the trials of each unit in each group of a factor: over the solved ones, where there are
    /// any and neither factor nor measure is whether they are solved.
    pub fn new<'a>(trials: impl Into<NamedTrials<'a>>, factor: Factor, measure: &GroupMeasure) -> Self {
        let names = trials.into();
        let only_solved = factor != Factor::Solved && is_of_solved(names, measure);
        let place = |trial: &Trial| Some((factor.group(names, trial)?, factor.unit(names, trial)));
        Self::grouped(names, measure, only_solved, place)
    }

    /// The same with these groups first, in this order.
    #[must_use]
    pub fn ordered(mut self, first: &[String]) -> Self {
        self.groups.sort_by_key(|group| first.iter().position(|name| *name == group.label).unwrap_or(first.len()));
        self
    }

    /// Averages a measure over the trials of each participant in the same way, all in one group.
    pub fn of_participants<'a>(trials: impl Into<NamedTrials<'a>>, measure: &GroupMeasure) -> Self {
        let names = trials.into();
        let place = |trial: &Trial| Some((String::new(), names.participants[trial.participant].clone()));
        Self::grouped(names, measure, is_of_solved(names, measure), place)
    }

    fn grouped(
        names: NamedTrials,
        measure: &GroupMeasure,
        only_solved: bool,
        place: impl Fn(&Trial) -> Option<(String, String)>,
    ) -> Self {
        let mut values: BTreeMap<String, BTreeMap<String, Vec<f64>>> = BTreeMap::new();
        for trial in names.trials.iter().filter(|trial| !only_solved || is_solved(trial)) {
            if let Some(((group, unit), value)) = place(trial).zip(measure.averaged(trial)) {
                values.entry(group).or_default().entry(unit).or_default().push(value);
            }
        }
        let group = |(label, units): (String, BTreeMap<String, Vec<f64>>)| MeansOfGroup {
            label,
            means: units.into_iter().filter_map(|(unit, values)| Some((unit, MeanOfUnit::new(&values)?))).collect(),
        };
        Self { only_solved, groups: values.into_iter().map(group).collect() }
    }

    /// Returns the mean of each unit of analysis in the unit of the measure, and the number of trials that it is over; of
    /// units in several groups that of the last.
    pub fn by_unit(&self, measure: &GroupMeasure) -> BTreeMap<&str, (f64, usize)> {
        let means = self.groups.iter().flat_map(|group| &group.means);
        means.map(|(unit, mean)| (unit.as_str(), (measure.back(mean.mean), mean.n_trials))).collect()
    }

    /// Returns true if values are compared within units: at least half of them have a value in every group, or fewer than
    /// two are in one of two groups alone.
    pub fn is_paired(&self) -> bool {
        let n_complete = self.complete().len();
        let n_alone = |group: &MeansOfGroup| group.means.keys().filter(|unit| self.n_groups_of(unit) == 1).count();
        let has_few = self.groups.len() == 2 && self.groups.iter().any(|group| n_alone(group) < 2);
        n_complete > 1 && (has_few || 2 * n_complete >= self.units().len())
    }

    /// Returns the units that have a value in some group.
    fn units(&self) -> BTreeSet<&String> {
        self.groups.iter().flat_map(|group| group.means.keys()).collect()
    }

    /// Returns the units that have a value in every group.
    fn complete(&self) -> Vec<&String> {
        let Some((first, others)) = self.groups.split_first() else { return Vec::new() };
        first.means.keys().filter(|unit| others.iter().all(|group| group.means.contains_key(*unit))).collect()
    }

    /// Returns the number of groups in which a unit has a value.
    fn n_groups_of(&self, unit: &str) -> usize {
        self.groups.iter().filter(|group| group.means.contains_key(unit)).count()
    }

    /// Returns true if no unit has a value in several groups, so that these are independent.
    pub fn is_independent(&self) -> bool {
        self.units().iter().all(|unit| self.n_groups_of(unit) == 1)
    }

    /// The units of each group that are compared: of paired values those in every group; of two groups otherwise those in
    /// one alone; of several groups all.
    fn used(&self) -> Vec<Vec<(&str, MeanOfUnit)>> {
        let n_wanted = match (self.is_paired(), self.groups.len()) {
            (true, n_groups) => Some(n_groups),
            (false, 2) => Some(1),
            (false, _) => None,
        };
        let is_used = |unit: &str| n_wanted.is_none_or(|n_wanted| self.n_groups_of(unit) == n_wanted);
        let mut used = Vec::new();
        for group in &self.groups {
            let units = group.means.iter().filter(|(unit, _)| is_used(unit));
            used.push(units.map(|(unit, mean)| (unit.as_str(), *mean)).collect());
        }
        used
    }

    /// The values that are compared, of each group with the name of their unit. Logarithms where groups differ by a factor.
    pub fn compared(&self) -> Vec<(&str, Vec<(&str, f64)>)> {
        let mut compared = Vec::new();
        for (group, used) in self.groups.iter().zip(self.used()) {
            compared.push((group.label.as_str(), used.into_iter().map(|(unit, mean)| (unit, mean.mean)).collect()));
        }
        compared
    }

    /// The test of more than two groups, `friedman` where units are in all of them and `kruskal-wallis` where each is in one,
    /// and its result; none where they are in some.
    pub fn omnibus(&self) -> Option<(&'static str, Record)> {
        if self.is_paired() {
            let row = |unit: &&String| self.groups.iter().map(|group| group.means[*unit].mean).collect::<Vec<f64>>();
            return Some(("friedman", friedman(&self.complete().iter().map(row).collect::<Vec<_>>()).record()));
        }
        let values = |units: Vec<(&str, MeanOfUnit)>| units.iter().map(|(_, mean)| mean.mean).collect::<Vec<f64>>();
        let samples: Vec<Vec<f64>> = self.used().into_iter().map(values).collect();
        self.is_independent().then(|| ("kruskal-wallis", kruskal_wallis(&samples).record()))
    }
}

/// Two groups compared.
#[derive(Clone, Debug, Serialize)]
pub struct TwoGroups {
    n_rows: usize,
    /// True if only solved trials are compared.
    only_solved: bool,
    /// What the values are of: `participant`, or `level` where two participants are compared.
    unit_of_analysis: &'static str,
    a: GroupSummary,
    b: GroupSummary,
    is_paired: bool,
    is_ratio: bool,
    /// `wilcoxon` or `mann-whitney`; none in a pilot.
    test: Option<&'static str>,
    statistics: String,
    /// Second over first group where `is_ratio`, else second less first.
    estimate: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    confidence: f64,
    p: Option<f64>,
    reason: Option<String>,
    /// Units of analysis that are left out: of pairs those in one group alone, else those in both.
    n_left_out: usize,
}

/// What the estimate is where groups differ by a factor, and where by an amount.
const RATIO: &str = "second over first group (Hodges-Lehmann); empty for the first";
const DIFFERENCE: &str = "second less first group (Hodges-Lehmann), in the unit of the values; empty for the first";

/// One group.
#[derive(Clone, Debug, Serialize)]
struct GroupSummary {
    label: String,
    n_trials: usize,
    n: usize,
    median: Option<f64>,
    p25: Option<f64>,
    p75: Option<f64>,
    mean: Option<f64>,
}

/// A test with the shift of its second sample from the first.
struct Comparison {
    test: &'static str,
    statistics: String,
    shift: Option<f64>,
    interval: Option<(f64, f64)>,
    p: Option<f64>,
    reason: Option<String>,
}

impl TwoGroups {
    /// Compares two groups of trials.
    ///
    /// A person gives several trials, so that the values that are compared are one of each person and group. Where at
    /// least half of the people are in both groups, or fewer than two in one alone, their values are paired (Wilcoxon's
    /// signed ranks), else independent (Mann–Whitney) without those in both; estimate and interval are the Hodges–Lehmann shift, of logarithms where a ratio is meant.
    pub fn new(
        means: &GroupedMeans,
        factor: Factor,
        [a, b]: [&str; 2],
        measure: &GroupMeasure,
        confidence: Confidence,
    ) -> Self {
        let empty = |label: &str| MeansOfGroup { label: label.to_owned(), means: BTreeMap::new() };
        let group = |label: &str| means.groups.iter().find(|group| group.label == label).cloned();
        let [a, b] = [a, b].map(|label| group(label).unwrap_or_else(|| empty(label)));
        let two = GroupedMeans { only_solved: means.only_solved, groups: vec![a, b] };
        let is_paired = two.is_paired();
        let used = two.used();
        let [x, y] = [0, 1].map(|group| used[group].iter().map(|(_, mean)| mean.mean).collect::<Vec<f64>>());
        let summary = |group: usize| GroupSummary::new(&two.groups[group].label, &used[group], measure);
        let (a, b) = (summary(0), summary(1));
        // The second group less the first: a change from the first is what is said.
        let Comparison { test, statistics, shift, interval, p, reason } = match is_paired {
            true => Comparison::paired(&y, &x, confidence),
            false => Comparison::independent(&y, &x, confidence),
        };
        let (n_units, n_complete) = (two.units().len(), two.complete().len());
        Self {
            n_rows: a.n_trials + b.n_trials,
            only_solved: two.only_solved,
            unit_of_analysis: factor.unit_of_analysis(),
            a,
            b,
            is_paired,
            is_ratio: measure.is_ratio,
            test: Some(test),
            statistics,
            estimate: shift.map(|shift| measure.back(shift)),
            lower: interval.map(|(lower, _)| measure.back(lower)),
            upper: interval.map(|(_, upper)| measure.back(upper)),
            confidence: confidence.level(),
            p,
            reason,
            n_left_out: if is_paired { n_units - n_complete } else { n_complete },
        }
    }

    /// Leaves the test out: of so few people there are estimates with their intervals.
    #[must_use]
    pub fn of_pilot(self) -> Self {
        Self { test: None, statistics: String::new(), p: None, ..self }
    }

    /// Whether the groups are compared by a factor or by an amount.
    fn effect(&self) -> &'static str {
        if self.is_ratio { "ratio" } else { "difference" }
    }

    /// The row of a table: the test and the effect.
    pub fn record(&self, confidence: Confidence) -> Record {
        Record::new()
            .set(FIRST, self.a.label.as_str())
            .set(SECOND, self.b.label.as_str())
            .set(N, if self.is_paired { self.a.n } else { self.a.n + self.b.n })
            .set(TEST, self.test)
            .set(EFFECT, self.effect())
            .set(ESTIMATE, self.estimate)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
            .set(CONFIDENCE, self.confidence)
            .set(P_VALUE, self.p)
            .set(SENTENCE, self.sentence(confidence))
            .set(REASON, self.reason.as_deref())
    }

    /// A row for each group, and what the second differs by from the first. The table is called after measure and factor.
    pub fn table(&self, factor: Factor, measure: &GroupMeasure) -> Table {
        // What compares both stands in the row of the second.
        let rows = &[(&self.a, None), (&self.b, Some(self))][..];
        let in_unit = |column| ColumnDoc::from(column).unit(measure.unit);
        let average = if self.is_ratio { "geometric mean of these values" } else { "mean of these values" };
        let unit_of_analysis = format!("number of {}s with a value: one of each", self.unit_of_analysis);
        let shift = if self.is_ratio { ESTIMATE.means(RATIO) } else { ESTIMATE.means(DIFFERENCE) };
        let name = format!("groups-{}-by-{}", measure.key.replace('_', "-"), factor.name());
        Columns::new()
            .column(rows, text("group", "name of the group"), |(group, _)| group.label.clone())
            .column(rows, ColumnDoc::new("n", &unit_of_analysis), |(group, _)| group.n as u64)
            .column(rows, count("n_trials", "number of trials that these values are of"), |(group, _)| {
                group.n_trials as u64
            })
            .column(rows, in_unit(number("median", "median of these values")), |(group, _)| group.median)
            .column(rows, in_unit(number("p25", "first quartile of these values")), |(group, _)| group.p25)
            .column(rows, in_unit(number("p75", "third quartile of these values")), |(group, _)| group.p75)
            .column(rows, ColumnDoc::new("mean", average).unit(measure.unit), |(group, _)| group.mean)
            .column(rows, shift, |(_, two)| two.and_then(|two| two.estimate))
            .column(rows, LOWER, |(_, two)| two.and_then(|two| two.lower))
            .column(rows, UPPER, |(_, two)| two.and_then(|two| two.upper))
            .column(rows, CONFIDENCE, |(_, two)| two.map(|two| two.confidence))
            .column(rows, P_VALUE, |(_, two)| two.and_then(|two| two.p))
            .column(rows, TEST, |(_, two)| two.and_then(|two| two.test))
            .column(rows, EFFECT, |(_, two)| two.map(Self::effect))
            .column(rows, REASON, |(_, two)| two.and_then(|two| two.reason.clone()))
            .into_table(&name, "Two groups by one measure: a value of each unit of analysis, the mean over its trials.")
    }

    /// The effect of the second group with its interval, and the test, in APA style: `speed, compared with accuracy, ratio
    /// 0.60, 95 % CI [0.50, 0.72]; U = 9.0, p < .001, …`.
    pub fn sentence(&self, confidence: Confidence) -> String {
        let Some(estimate) = self.estimate else { return self.statistics.clone() };
        let interval = apa::interval(confidence, self.lower.zip(self.upper), |value| apa::number(value, 2));
        let (effect, estimate) = (self.effect(), apa::number(estimate, 2));
        let (a, b) = (&self.a.label, &self.b.label);
        format!("{b}, compared with {a}, {effect} {estimate}{interval}; {}", self.statistics)
    }
}

impl Comparison {
    fn paired(x: &[f64], y: &[f64], confidence: Confidence) -> Self {
        let result = wilcoxon(x, y, confidence);
        let test = result.test.as_ref();
        Self {
            test: "wilcoxon",
            statistics: result.sentence(),
            shift: result.shift,
            interval: test.ok().and_then(|test| test.shift_interval.as_ref().ok().copied()),
            p: test.ok().map(|test| test.p_value),
            reason: test.err().map(ToString::to_string),
        }
    }

    fn independent(x: &[f64], y: &[f64], confidence: Confidence) -> Self {
        let result = mann_whitney(x, y, confidence);
        let dominance = result.dominance.as_ref();
        let test = dominance.ok().and_then(|dominance| dominance.test.as_ref().ok());
        Self {
            test: "mann-whitney",
            statistics: result.sentence(),
            shift: dominance.ok().map(|dominance| dominance.shift),
            interval: test.and_then(|test| test.shift_interval.as_ref().ok().copied()),
            p: test.map(|test| test.p_value),
            reason: dominance.err().map(ToString::to_string),
        }
    }
}

impl GroupSummary {
    fn new(label: &str, units: &[(&str, MeanOfUnit)], measure: &GroupMeasure) -> Self {
        let values: Vec<f64> = units.iter().map(|(_, mean)| mean.mean).collect();
        let at = |share: f64| quantile(&values, share).ok().map(|value| measure.back(value));
        Self {
            label: label.to_owned(),
            n_trials: units.iter().map(|(_, mean)| mean.n_trials).sum(),
            n: values.len(),
            median: at(0.5),
            p25: at(0.25),
            p75: at(0.75),
            mean: mean(&values).map(|value| measure.back(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means(groups: &[(&str, &[(&str, f64)])]) -> GroupedMeans {
        let group = |(label, values): &(&str, &[(&str, f64)])| MeansOfGroup {
            label: (*label).to_owned(),
            means: values
                .iter()
                .map(|(unit, value)| ((*unit).to_owned(), MeanOfUnit { mean: *value, n_trials: 2 }))
                .collect(),
        };
        GroupedMeans { only_solved: false, groups: groups.iter().map(group).collect() }
    }

    #[test]
    fn values_of_people_in_both_groups_are_paired() {
        let regret = GroupMeasure::named("mean_regret").unwrap();
        let means = means(&[
            ("a", &[("p1", 9.0), ("p2", 12.0), ("p3", 7.0), ("p4", 8.0), ("p5", 99.0)]),
            ("b", &[("p1", 5.0), ("p2", 6.0), ("p3", 8.0), ("p4", 5.0)]),
        ]);
        let compared = TwoGroups::new(&means, Factor::Condition, ["b", "a"], regret, Confidence::default());
        // As the example of `wilcoxon`: W+ = 9 of 10 and p = 4 / 16.
        assert_eq!((compared.is_paired, compared.test, compared.p), (true, Some("wilcoxon"), Some(0.25)));
        assert_eq!((compared.a.n, compared.b.n, compared.n_left_out), (4, 4, 1));
        // Two trials each, without those of the one that is left out.
        assert_eq!((compared.a.n_trials, compared.b.n_trials, compared.n_rows), (8, 8, 16));
        assert!(compared.statistics.starts_with("W = 9.0, p = .250"), "{}", compared.statistics);
        // Four pairs are too few for an interval of 95 %.
        let told = format!("a, compared with b, difference 3.25; {}", compared.statistics);
        assert_eq!(compared.sentence(Confidence::default()), told);
        let of_pilot = compared.of_pilot();
        assert_eq!((of_pilot.test, of_pilot.p, of_pilot.estimate), (None, None, Some(3.25)));
    }

    #[test]
    fn of_few_people_in_both_groups_the_others_are_compared() {
        let regret = GroupMeasure::named("mean_regret").unwrap();
        let means = means(&[
            ("a", &[("p1", 1.0), ("p2", 2.0), ("p3", 3.0), ("p4", 4.0), ("p5", 5.0)]),
            ("b", &[("p1", 6.0), ("p2", 7.0), ("p6", 8.0), ("p7", 9.0)]),
        ]);
        let compared = TwoGroups::new(&means, Factor::Condition, ["a", "b"], regret, Confidence::default());
        assert_eq!((compared.is_paired, compared.test), (false, Some("mann-whitney")));
        assert_eq!((compared.a.n, compared.b.n, compared.n_left_out), (3, 2, 2));
        // 3, 4, 4, 5, 5 and 6: the differences of 8 and 9 from 3, 4 and 5.
        assert_eq!(compared.estimate, Some(4.5));
    }

    #[test]
    fn where_nobody_is_in_one_group_alone_the_others_are_pairs() {
        let regret = GroupMeasure::named("mean_regret").unwrap();
        let alone = ["p1", "p2", "p3", "p4", "p5", "p6"].map(|unit| (unit, 1.0));
        let means = means(&[("a", &alone), ("b", &[("p1", 2.0), ("p2", 3.0)])]);
        let compared = TwoGroups::new(&means, Factor::Solved, ["a", "b"], regret, Confidence::default());
        assert_eq!((compared.is_paired, compared.a.n, compared.b.n, compared.n_left_out), (true, 2, 2, 4));
    }

    #[test]
    fn people_in_one_group_each_are_independent_and_times_a_ratio() {
        let time = GroupMeasure::named("time_s").unwrap();
        let logs = |values: [f64; 3]| values.map(f64::ln);
        let ([a, b, c], [d, e, f]) = (logs([10.0, 20.0, 40.0]), logs([20.0, 40.0, 80.0]));
        let means = means(&[("x", &[("p1", a), ("p2", b), ("p3", c)]), ("y", &[("p4", d), ("p5", e), ("p6", f)])]);
        let compared = TwoGroups::new(&means, Factor::Condition, ["x", "y"], time, Confidence::default());
        assert_eq!((compared.is_paired, compared.test), (false, Some("mann-whitney")));
        assert!((compared.estimate.unwrap() - 2.0).abs() < 1e-9, "everybody of y takes twice as long");
        assert!((compared.a.median.unwrap() - 20.0).abs() < 1e-9);
        assert!(compared.sentence(Confidence::default()).starts_with("y, compared with x, ratio 2.00"));
    }

    #[test]
    fn several_groups_are_tested_as_one_design() {
        let within = means(&[
            ("a", &[("p1", 1.0), ("p2", 2.0), ("p3", 4.0)]),
            ("b", &[("p1", 2.0), ("p2", 3.0), ("p3", 3.0)]),
            ("c", &[("p1", 3.0), ("p2", 9.0), ("p3", 5.0)]),
        ]);
        let said = |means: &GroupedMeans| {
            means.omnibus().map(|(test, record)| (test, record.text(SENTENCE).unwrap().to_owned()))
        };
        // As the example of `friedman`.
        assert_eq!(said(&within).unwrap(), ("friedman", "χ²(2) = 4.67, p = .097, W = .78, n = 3".to_owned()));
        let between = means(&[("a", &[("p1", 1.0), ("p2", 2.0)]), ("b", &[("p3", 3.0), ("p4", 4.0)])]);
        let (test, sentence) = said(&between).unwrap();
        assert!(test == "kruskal-wallis" && sentence.starts_with("H(1) = 2.40"), "{sentence}");
        // People in two of three groups are neither in all nor in one: they are shown without a test.
        let some = means(&[
            ("a", &[("p1", 1.0), ("p2", 2.0)]),
            ("b", &[("p2", 2.0), ("p3", 3.0)]),
            ("c", &[("p3", 3.0), ("p1", 9.0)]),
        ]);
        assert_eq!((said(&some), some.compared().iter().map(|(_, values)| values.len()).sum()), (None, 6_usize));
    }
}
