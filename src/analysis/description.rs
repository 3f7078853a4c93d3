//! Description of what was measured: of solved trials, and of the times between moves; and its outliers.

use std::collections::BTreeMap;

use polars::prelude::PolarsResult;

use super::Context;
use super::dataset::{Dataset, TrialRow};
use super::measures::{TrialMeasure, capital, is_solved, n_not_solved, solved_word};
use super::outlier_limits::{Limits, limits};
use crate::label::Quality;
use crate::table::{Columns, Table};
use plymap_statistics::stats::apa;
use plymap_statistics::stats::describe::{self, describe};

/// The tables `description` and `outliers`.
///
/// # Errors
///
/// Never in practice: the columns are of equal length.
pub fn tables(context: &Context) -> PolarsResult<Vec<Table>> {
    DescriptionAnalysis::new(context).tables()
}

/// What a paper says first: how many trials there are, and their moves and times.
pub fn sentences(context: &Context) -> Vec<String> {
    DescriptionAnalysis::new(context).sentences()
}

/// Descriptions of all measures in all scopes. Time and memory grow with the number of trials and moves.
#[derive(Clone, Debug, PartialEq)]
pub struct DescriptionAnalysis {
    rows: Vec<Row>,
    flagged: Vec<Flagged>,
    opening: String,
}

/// One measure in one sample.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    scope: &'static str,
    group: Option<String>,
    measure: &'static str,
    unit: Option<&'static str>,
    n_missing: usize,
    n_excluded: usize,
    result: describe::Description,
    limits: Limits,
}

/// A trial that is an outlier.
#[derive(Clone, Debug, PartialEq)]
struct Flagged {
    scope: &'static str,
    group: Option<String>,
    measure: Option<&'static str>,
    unit: Option<&'static str>,
    participant: Option<String>,
    session: Option<String>,
    level: Option<String>,
    condition: Option<String>,
    n: usize,
    value: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    rule: Option<&'static str>,
    reason: Option<String>,
}

/// Trials that are described together.
struct Sample<'a> {
    scope: &'static str,
    group: Option<String>,
    trials: Vec<&'a TrialRow>,
}

impl DescriptionAnalysis {
    /// Describes the data.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let (mut rows, mut flagged) = (Vec::new(), Vec::new());
        for sample in samples(data) {
            let known: Vec<&TrialRow> = sample.trials.iter().copied().filter(|trial| is_solved(trial)).collect();
            for measure in TrialMeasure::of_unit(data.unit) {
                let row = describe_trials(&sample, &known, measure, data);
                flagged.extend(flag(&row, &known, measure, data));
                rows.push(row);
            }
        }
        rows.extend(describe_times(data));
        if flagged.is_empty() {
            flagged.push(nothing_flagged(&rows, data));
        }
        Self { rows, flagged, opening: opening(data) }
    }

    /// The tables `description` and `outliers`.
    ///
    /// # Errors
    ///
    /// Never in practice: the columns are of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        Ok(vec![self.description()?, self.outliers()?])
    }

    /// How many trials there are, and the moves and the times of solved ones.
    pub fn sentences(&self) -> Vec<String> {
        let pooled = |measure: TrialMeasure| {
            let row = self.rows.iter().find(|row| row.scope == "pooled" && row.measure == measure.column())?;
            row.result.mean?;
            let unit = row.unit.map_or(String::new(), |unit| format!(" ({unit})"));
            Some(format!("{}{unit}: {}.", capital(measure.title()), apa::description(&row.result, 2)))
        };
        let measures = [TrialMeasure::NMoves, TrialMeasure::Time, TrialMeasure::ShareOptimal];
        let said = measures.into_iter().filter_map(pooled);
        std::iter::once(self.opening.clone()).chain(said).collect()
    }

    fn description(&self) -> PolarsResult<Table> {
        let rows = &self.rows;
        let in_unit = "as in column unit";
        Columns::new()
            .text(
                rows,
                "scope",
                "all trials pooled, those of one condition, level or participant, or the moves of one quality",
                |row| row.scope.to_owned(),
            )
            .label(
                rows,
                "group",
                "the condition, level, participant or quality; empty for the pooled result; (none) for trials without a condition",
                |row| row.group.clone(),
            )
            .text(
                rows,
                "measure",
                "what is described: a column of the table trials, or inter_move_s, the time of a move after the first of an attempt",
                |row| row.measure.to_owned(),
            )
            .label(rows, "unit", "unit of the values; empty for counts and shares", |row| row.unit.map(str::to_owned))
            .count(rows, "n", "number of solved trials, or of moves, with a value", |row| row.result.n as u64)
            .count(
                rows,
                "n_missing",
                "number of solved trials, or of moves, without a value; trials of which rows were left out have none",
                |row| row.n_missing as u64,
            )
            .count(
                rows,
                "n_excluded",
                "number of trials that were not solved or are not known to have been; of moves, first ones of attempts. Illegal moves are not in the data",
                |row| row.n_excluded as u64,
            )
            .number(rows, "mean", in_unit, "arithmetic mean", |row| row.result.mean)
            .number(rows, "sd", in_unit, "standard deviation, denominator n − 1", |row| row.result.sd)
            .number(rows, "min", in_unit, "smallest value", |row| row.result.min)
            .number(rows, "q1", in_unit, "first quartile (type 7 of Hyndman and Fan, 1996)", |row| row.result.q1)
            .number(rows, "median", in_unit, "median", |row| row.result.median)
            .number(rows, "q3", in_unit, "third quartile", |row| row.result.q3)
            .number(rows, "max", in_unit, "largest value", |row| row.result.max)
            .number(rows, "mad", in_unit, "median absolute deviation from the median, raw", |row| row.result.mad)
            .number(rows, "skewness", "", "adjusted Fisher-Pearson skewness G1", |row| row.result.skewness)
            .whole(
                rows,
                "n_outliers",
                "",
                "number of values beyond the limits; empty where there are no limits",
                |row| row.limits.lower.map(|_| row.limits.indices.len() as i64),
            )
            .number(rows, "lower_limit", in_unit, "values below it are outliers", |row| row.limits.lower)
            .number(rows, "upper_limit", in_unit, "values above it are outliers", |row| row.limits.upper)
            .count(
                rows,
                "n_without_logarithm",
                "number of times that are not above 0: they have no logarithm and take no part in the rule of outliers",
                |row| row.limits.n_without_logarithm as u64,
            )
            .text(
                rows,
                "rule",
                "which values are outliers (Leys et al., 2013); of times, by their logarithms, with the limits taken back to seconds",
                |row| row.limits.rule.to_owned(),
            )
            .text(rows, "sentence", "APA-formatted result", |row| apa::description(&row.result, 2))
            .label(rows, "reason", "why the first of the missing values is missing", |row| {
                row.result.reason.as_ref().or(row.limits.reason.as_ref()).map(ToString::to_string)
            })
            .into_table(
                "description",
                "Location, spread and shape of the measures of solved trials, pooled and by condition, level and participant, and of inter-move times by the quality of the move. Values of one participant are not independent of each other.",
            )
    }

    fn outliers(&self) -> PolarsResult<Table> {
        let rows = &self.flagged;
        let in_unit = "as in column unit";
        let text = |value: Option<&'static str>| value.map(str::to_owned);
        Columns::new()
            .text(
                rows,
                "scope",
                "the sample among which the trial is an outlier: all solved trials pooled, or those of one condition, level or participant",
                |row| row.scope.to_owned(),
            )
            .label(rows, "group", "the condition, level or participant; empty for all pooled", |row| row.group.clone())
            .label(rows, "measure", "the measure, a column of the table trials", |row| text(row.measure))
            .label(rows, "unit", "unit of value and limits; empty for counts and shares", |row| text(row.unit))
            .label(rows, "participant", "who played", |row| row.participant.clone())
            .label(rows, "session", "sitting", |row| row.session.clone())
            .label(rows, "level", "level that was played", |row| row.level.clone())
            .label(rows, "condition", "experimental condition", |row| row.condition.clone())
            .count(rows, "n", "number of values in the sample", |row| row.n as u64)
            .number(rows, "value", in_unit, "value of the trial", |row| row.value)
            .number(rows, "lower_limit", in_unit, "values below it are outliers", |row| row.lower)
            .number(rows, "upper_limit", in_unit, "values above it are outliers", |row| row.upper)
            .label(rows, "rule", "which values are outliers (Leys et al., 2013)", |row| text(row.rule))
            .label(rows, "reason", "why no trial is listed, where none is", |row| row.reason.clone())
            .into_table(
                "outliers",
                "Solved trials that are outliers among others, one row for each measure and each sample in which they are. They are marked, not left out of anything.",
            )
    }
}

/// All trials, then those of each condition, level and participant.
fn samples(data: &Dataset) -> Vec<Sample<'_>> {
    let sample = |scope, group: &str, trials| Sample { scope, group: Some(group.to_owned()), trials };
    let mut samples = vec![Sample { scope: "pooled", group: None, trials: data.trials.iter().collect() }];
    if data.trials.iter().any(|trial| trial.condition.is_some()) {
        let mut by_condition: BTreeMap<Option<&str>, Vec<&TrialRow>> = BTreeMap::new();
        for trial in &data.trials {
            by_condition.entry(trial.condition.as_deref()).or_default().push(trial);
        }
        let without = by_condition.remove(&None);
        let named = by_condition.into_iter().filter_map(|(name, trials)| Some((name?, trials)));
        samples.extend(named.map(|(name, trials)| sample("condition", name, trials)));
        samples.extend(without.map(|trials| sample("condition", "(none)", trials)));
    }
    let by = |scope, names: &[String], number: fn(&TrialRow) -> usize| {
        let mut groups = vec![Vec::new(); names.len()];
        for trial in &data.trials {
            if let Some(group) = groups.get_mut(number(trial)) {
                group.push(trial);
            }
        }
        names.iter().zip(groups).map(|(name, trials)| sample(scope, name, trials)).collect::<Vec<_>>()
    };
    samples.extend(by("level", &data.levels, |trial| trial.level));
    samples.extend(by("participant", &data.participants, |trial| trial.participant));
    samples
}

fn describe_trials(sample: &Sample, solved: &[&TrialRow], measure: TrialMeasure, data: &Dataset) -> Row {
    let values: Vec<f64> = solved.iter().filter_map(|trial| measure.of(trial)).collect();
    Row {
        scope: sample.scope,
        group: sample.group.clone(),
        measure: measure.column(),
        unit: measure.unit(data.unit),
        n_missing: solved.len() - values.len(),
        n_excluded: sample.trials.len() - solved.len(),
        limits: limits(&values, measure.is_time()),
        result: describe(&values),
    }
}

/// Inter-move times by quality, over all trials, solved or not.
fn describe_times(data: &Dataset) -> Vec<Row> {
    let describe_quality = |&quality: &Quality| {
        let own = || data.moves.iter().filter(|made| made.quality == quality);
        let later = || own().filter(|made| made.ply > 0);
        let times: Vec<f64> = later().filter_map(|made| made.rt_s).filter(|time| time.is_finite()).collect();
        Row {
            scope: "quality",
            group: Some(quality.name().to_owned()),
            measure: "inter_move_s",
            unit: Some("s"),
            n_missing: later().count() - times.len(),
            n_excluded: own().count() - later().count(),
            limits: limits(&times, true),
            result: describe(&times),
        }
    };
    let qualities = Quality::of_unit(data.unit).iter().filter(|&&quality| quality != Quality::Illegal);
    qualities.map(describe_quality).collect()
}

fn flag(row: &Row, solved: &[&TrialRow], measure: TrialMeasure, data: &Dataset) -> Vec<Flagged> {
    let valued: Vec<(&TrialRow, f64)> = solved.iter().filter_map(|&trial| Some((trial, measure.of(trial)?))).collect();
    let flagged = |&index: &usize| {
        let (trial, value) = valued[index];
        Flagged {
            scope: row.scope,
            group: row.group.clone(),
            measure: Some(row.measure),
            unit: row.unit,
            participant: data.participants.get(trial.participant).cloned(),
            session: Some(trial.session.clone()),
            level: data.levels.get(trial.level).cloned(),
            condition: trial.condition.clone(),
            n: row.result.n,
            value: Some(value),
            lower: row.limits.lower,
            upper: row.limits.upper,
            rule: Some(row.limits.rule),
            reason: None,
        }
    };
    row.limits.indices.iter().map(flagged).collect()
}

/// The row that says why no trial is listed.
fn nothing_flagged(rows: &[Row], data: &Dataset) -> Flagged {
    let has_limits = rows.iter().any(|row| row.scope != "quality" && row.limits.lower.is_some());
    let reason = if has_limits { "no value lies beyond its limits" } else { "no sample has limits of outliers" };
    Flagged {
        scope: "pooled",
        group: None,
        measure: None,
        unit: None,
        participant: None,
        session: None,
        level: None,
        condition: None,
        n: data.trials.len() - n_not_solved(data),
        value: None,
        lower: None,
        upper: None,
        rule: None,
        reason: Some(reason.to_owned()),
    }
}

fn opening(data: &Dataset) -> String {
    let n_solved = data.trials.len() - n_not_solved(data);
    let n_unknown = data.trials.iter().filter(|trial| trial.is_solved.is_none()).count();
    let unknown = match n_unknown {
        0 => String::new(),
        n => format!(" (of {n} it is not known)"),
    };
    let (n_trials, n_participants, n_levels) = (data.trials.len(), data.participants.len(), data.levels.len());
    let word = solved_word(data.unit);
    format!("{n_solved} of {n_trials} trials were {word}{unknown}; participants: {n_participants}, levels: {n_levels}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture::{Cells, add_attempt, check_cells, context, dataset, hard_cases, step, trial};
    use crate::table::Table;

    /// The cells of a column in the rows whose scope, group and measure are these.
    fn cell(table: &Table, scope: &str, group: Option<&str>, measure: &str, column: &str) -> Option<String> {
        let found = |name: &str, row: usize| table.texts(name)[row].clone();
        let is_row = |&row: &usize| {
            found("scope", row).as_deref() == Some(scope)
                && found("group", row).as_deref() == group
                && found("measure", row).as_deref() == Some(measure)
        };
        let rows: Vec<usize> = (0..table.texts("scope").len()).filter(is_row).collect();
        assert_eq!(rows.len(), 1, "{scope} {group:?} {measure}");
        table.texts(column)[rows[0]].clone()
    }

    /// Two participants at three levels: one trial is not solved, one has no time, one lacks rows.
    fn small() -> Dataset {
        let mut trials = vec![
            trial(0, 0, 10.0, 20.0),
            trial(0, 1, 14.0, 60.0),
            trial(0, 2, 12.0, 0.0),
            trial(1, 0, 20.0, 30.0),
            trial(1, 1, 99.0, 999.0),
            trial(1, 2, 30.0, 40.0),
        ];
        trials[1].time_s = None;
        trials[4].is_solved = Some(false);
        trials[5].n_moves = None;
        trials[0].condition = Some("b".to_owned());
        trials[3].condition = Some("a".to_owned());
        dataset(trials)
    }

    #[test]
    fn a_row_says_what_is_missing_and_what_was_left_out() {
        let data = small();
        let table = &tables(&context(&data)).unwrap()[0];
        let of = |scope, group, measure, column| cell(table, scope, group, measure, column).unwrap_or_default();
        // Moves of solved trials: 10, 14, 12 and 20; one trial lacks rows, one is not solved.
        let moves = |column| of("pooled", None, "n_moves", column);
        assert_eq!([moves("n"), moves("n_missing"), moves("n_excluded")], ["4", "1", "1"]);
        assert_eq!([moves("mean"), moves("median"), moves("mad"), moves("q1")], ["14", "13", "2", "11.5"]);
        let times = |column| of("pooled", None, "time_s", column);
        assert_eq!([times("n"), times("n_missing"), times("n_without_logarithm")], ["3", "2", "1"]);
        assert_eq!(of("participant", Some("p1"), "n_moves", "mean"), "20");
        assert_eq!(of("level", Some("l1"), "n_moves", "n_excluded"), "1");
        assert_eq!(of("condition", Some("(none)"), "n_moves", "n"), "2");
        assert!(of("level", Some("l1"), "n_moves", "reason").contains("at least 2 values, found 1"));
        let scopes: Vec<String> = table.texts("group").into_iter().step_by(7).map(Option::unwrap_or_default).collect();
        assert_eq!(scopes[..9], ["", "a", "b", "(none)", "l0", "l1", "l2", "p0", "p1"]);
    }

    #[test]
    fn inter_move_times_leave_out_first_moves() {
        let mut data = dataset(vec![trial(0, 0, 4.0, 20.0)]);
        let times = [Some(9.0), Some(2.0), None, Some(4.0)];
        add_attempt(&mut data, 0, 0, times.map(|time| step(Quality::Better, time)).to_vec());
        let table = &tables(&context(&data)).unwrap()[0];
        let of = |column| cell(table, "quality", Some("better"), "inter_move_s", column).unwrap_or_default();
        assert_eq!([of("n"), of("n_missing"), of("n_excluded"), of("mean")], ["2", "1", "1", "3"]);
        assert_eq!(cell(table, "quality", Some("worse"), "inter_move_s", "n").as_deref(), Some("0"));
        assert!(cell(table, "quality", Some("worse"), "inter_move_s", "reason").is_some());
    }

    #[test]
    fn every_outlier_that_is_counted_is_listed() {
        let mut trials: Vec<TrialRow> = (0..4)
            .flat_map(|p| (0..6).map(move |l| trial(p, l, 10.0 + (p + l) as f64, 20.0 + (3 * p + l) as f64)))
            .collect();
        trials[8].n_moves = Some(400.0);
        trials[15].time_s = Some(9000.0);
        let data = dataset(trials);
        let made = tables(&context(&data)).unwrap();
        let counted: usize =
            made[0].texts("n_outliers").into_iter().flatten().map(|n| n.parse::<usize>().unwrap()).sum();
        assert_eq!(made[1].texts("value").len(), counted);
        // The pooled ones come first: trial 8 is p1 at l2, trial 15 is p2 at l3.
        assert_eq!(made[1].texts("participant")[..2], [Some("p1".to_owned()), Some("p2".to_owned())]);
        assert_eq!(made[1].texts("value")[..2], [Some("400".to_owned()), Some("9000".to_owned())]);
        assert_eq!(made[1].texts("level")[..2], [Some("l2".to_owned()), Some("l3".to_owned())]);
        assert_eq!(made[1].texts("scope")[..3].iter().flatten().collect::<Vec<_>>(), ["pooled", "pooled", "level"]);
    }

    #[test]
    fn the_sentences_count_trials_and_describe_them() {
        let data = small();
        let said = sentences(&context(&data));
        assert_eq!(said[0], "5 of 6 trials were solved; participants: 2, levels: 3.");
        assert_eq!(said[1], "Number of moves: M = 14.00, SD = 4.32, Mdn = 13.00, n = 4.");
        assert_eq!(said[2], "Time (s): M = 16.67, SD = 15.28, Mdn = 20.00, n = 3.");
        assert_eq!(said.len(), 3);
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let made = tables(&context(&data)).unwrap();
            made.iter().for_each(check_cells);
            assert!(made.iter().all(|table| !table.texts("scope").is_empty()));
            assert!(!sentences(&context(&data)).is_empty());
        }
        let data = dataset(Vec::new());
        let made = tables(&context(&data)).unwrap();
        assert_eq!(made[1].texts("reason"), [Some("no sample has limits of outliers".to_owned())]);
    }
}
