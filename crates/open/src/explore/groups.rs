//! Two groups or conditions compared by a test that knows that people give several trials.

use std::collections::BTreeMap;

use plymap_measures::measure::Trial;
use plymap_statistics::stats::quantile::quantile;
use plymap_statistics::stats::two_samples::{mann_whitney, wilcoxon};
use serde::{Deserialize, Serialize};

use super::View;
use super::averages::mean;
use crate::problem::Problem;

/// A measure of a trial that groups are compared by.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MeasureName {
    /// Key of the measure, a column of the table `trials`.
    pub key: &'static str,
    /// Unit; empty where it has none.
    pub unit: &'static str,
    /// True if groups differ by a factor rather than by an amount, as times do.
    pub is_ratio: bool,
    /// Value of a trial.
    #[serde(skip)]
    pub value: fn(&Trial) -> Option<f64>,
}

/// All of them.
pub const MEASURES: &[MeasureName] = &[
    MeasureName { key: "time_s", unit: "s", is_ratio: true, value: |trial| trial.time_s },
    MeasureName { key: "n_moves", unit: "", is_ratio: true, value: |trial| trial.n_moves },
    MeasureName { key: "excess_moves", unit: "", is_ratio: false, value: |trial| trial.excess_moves },
    MeasureName { key: "share_optimal", unit: "", is_ratio: false, value: |trial| trial.share_optimal },
    MeasureName { key: "mean_regret", unit: "", is_ratio: false, value: |trial| trial.mean_regret },
    MeasureName { key: "first_move_latency_s", unit: "s", is_ratio: true, value: |trial| trial.first_move_latency_s },
    MeasureName { key: "median_inter_move_s", unit: "s", is_ratio: true, value: |trial| trial.median_inter_move_s },
    MeasureName {
        key: "solved",
        unit: "",
        is_ratio: false,
        value: |trial| trial.is_solved.map(|solved| f64::from(u8::from(solved))),
    },
];

/// Request to compare two groups.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupRequest {
    /// What divides trials into groups: `condition`, `level`, `solved` or `participant`.
    pub by: String,
    /// Value of the first group.
    pub a: String,
    /// Value of the second group.
    pub b: String,
    /// Key of the measure.
    pub measure: String,
}

/// Two groups compared.
#[derive(Clone, Debug, Serialize)]
pub struct Groups {
    n_rows: usize,
    /// What the values are of: `participant`, or `level` where two participants are compared.
    unit_of_analysis: &'static str,
    a: Group,
    b: Group,
    is_paired: bool,
    is_ratio: bool,
    /// `wilcoxon` or `mann-whitney`.
    test: &'static str,
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
    pairs: Vec<Pair>,
}

/// One group.
#[derive(Clone, Debug, Serialize)]
struct Group {
    label: String,
    n_trials: usize,
    n: usize,
    median: Option<f64>,
    p25: Option<f64>,
    p75: Option<f64>,
    mean: Option<f64>,
}

/// Values of a unit of analysis in both groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Pair {
    unit: String,
    a: Option<f64>,
    b: Option<f64>,
}

impl Groups {
    /// Compares two groups of the trials of a view.
    ///
    /// A person gives several trials, so that the values that are compared are one of each person and group: the mean over
    /// the trials, of times and numbers of moves the geometric mean. Where at least half of the people are in both groups, their
    /// values are paired (Wilcoxon's signed ranks), else independent (Mann–Whitney); estimate and interval are the Hodges–Lehmann shift, of
    /// logarithms where a ratio is meant.
    ///
    /// # Errors
    ///
    /// Neither such groups nor such a measure is there.
    pub fn new(view: &View, request: &GroupRequest) -> Result<Self, Problem> {
        let measure = MEASURES
            .iter()
            .find(|measure| measure.key == request.measure)
            .ok_or_else(|| Problem::missing(format!("there is no measure {:?}", request.measure)))?;
        let measures = &view.play.measures;
        let group_of = |trial: &Trial| -> Option<String> {
            match request.by.as_str() {
                "condition" => trial.condition.clone(),
                "level" => Some(measures.levels[trial.level].clone()),
                "participant" => Some(measures.participants[trial.participant].clone()),
                _ => trial.is_solved.map(|solved| solved.to_string()),
            }
        };
        if !["condition", "level", "participant", "solved"].contains(&request.by.as_str()) {
            return Err(Problem::missing(format!("trials cannot be divided by {:?}", request.by)));
        }
        let is_of_people = request.by != "participant";
        let mut units: BTreeMap<&str, [Vec<f64>; 2]> = BTreeMap::new();
        let mut n_trials = [0, 0];
        for trial in measures.trials.iter() {
            let group = group_of(trial);
            let number = match group.as_deref() {
                Some(group) if group == request.a => 0,
                Some(group) if group == request.b => 1,
                _ => continue,
            };
            let value = (measure.value)(trial).filter(|value| !measure.is_ratio || *value > 0.0);
            let unit = match is_of_people {
                true => &measures.participants[trial.participant],
                false => &measures.levels[trial.level],
            };
            if let Some(value) = value {
                n_trials[number] += 1;
                units.entry(unit).or_default()[number].push(if measure.is_ratio { value.ln() } else { value });
            }
        }
        let pairs: Vec<Pair> = units
            .into_iter()
            .map(|(unit, [a, b])| Pair { unit: unit.to_owned(), a: mean(a.into_iter()), b: mean(b.into_iter()) })
            .collect();
        Ok(compared(view, request, measure, pairs, n_trials))
    }
}

fn compared(
    view: &View,
    request: &GroupRequest,
    measure: &MeasureName,
    pairs: Vec<Pair>,
    n_trials: [usize; 2],
) -> Groups {
    let confidence = view.study.statistics.confidence;
    let both: Vec<(f64, f64)> = pairs.iter().filter_map(|pair| pair.a.zip(pair.b)).collect();
    let n_units = pairs.len();
    // Where most are in both groups, differences within them are compared; else the groups, without those in both.
    let is_paired = both.len() > 1 && 2 * both.len() >= n_units;
    let back = |value: f64| if measure.is_ratio { value.exp() } else { value };
    let of = |part: fn(&Pair) -> Option<f64>| -> Vec<f64> {
        let used = pairs.iter().filter(|pair| (pair.a.is_some() && pair.b.is_some()) == is_paired);
        used.filter_map(part).collect()
    };
    let (a, b) = (of(|pair| pair.a), of(|pair| pair.b));
    let group = |label: &str, values: &[f64], n_trials: usize| Group {
        label: label.to_owned(),
        n_trials,
        n: values.len(),
        median: quantile(values, 0.5).ok().map(back),
        p25: quantile(values, 0.25).ok().map(back),
        p75: quantile(values, 0.75).ok().map(back),
        mean: mean(values.iter().copied()).map(back),
    };
    // The second group less the first: a change from the first is what is said.
    let (test, statistics, estimate, interval, p, reason) = match is_paired {
        true => {
            let result = wilcoxon(&b, &a, confidence);
            let test = result.test.as_ref();
            let interval = test.ok().and_then(|test| test.shift_interval.as_ref().ok().copied());
            let (p, reason) = (test.ok().map(|test| test.p_value), test.err().map(ToString::to_string));
            ("wilcoxon", result.sentence(), result.shift, interval, p, reason)
        }
        false => {
            let result = mann_whitney(&b, &a, confidence);
            let dominance = result.dominance.as_ref();
            let test = dominance.ok().and_then(|dominance| dominance.test.as_ref().ok());
            let interval = test.and_then(|test| test.shift_interval.as_ref().ok().copied());
            let reason = dominance.err().map(ToString::to_string);
            let shift = dominance.ok().map(|dominance| dominance.shift);
            ("mann-whitney", result.sentence(), shift, interval, test.map(|test| test.p_value), reason)
        }
    };
    Groups {
        n_rows: n_trials[0] + n_trials[1],
        unit_of_analysis: if request.by == "participant" { "level" } else { "participant" },
        a: group(&request.a, &a, n_trials[0]),
        b: group(&request.b, &b, n_trials[1]),
        is_paired,
        is_ratio: measure.is_ratio,
        test,
        statistics,
        estimate: estimate.map(back),
        lower: interval.map(|(lower, _)| back(lower)),
        upper: interval.map(|(_, upper)| back(upper)),
        confidence: confidence.level(),
        p,
        reason,
        n_left_out: if is_paired { n_units - both.len() } else { both.len() },
        pairs: pairs.into_iter().map(|Pair { unit, a, b }| Pair { unit, a: a.map(back), b: b.map(back) }).collect(),
    }
}
