//! Description of what was measured: of solved trials, and of the times between moves; and its outliers.

use super::context::Context;
use super::dataset::{Dataset, Trial};
use super::measures::{TrialMeasure, capital, is_solved, n_not_solved, solved_word};
use super::outlier_limits::{N_OUTLIERS, N_WITHOUT_LOGARITHM, RULE, limits};
use plymap_measures::label::Quality;
use plymap_statistics::record::*;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::describe::{columns, describe};
use plymap_statistics::stats::outliers::{LOWER_LIMIT, UPPER_LIMIT};
use plymap_tables::Table;
use std::collections::BTreeMap;

/// The columns of the table `description`.
const DESCRIPTION: &[Column] = &[
    SCOPE
        .means("all trials pooled, those of one condition, level or participant, or the moves of one quality")
        .levels(&["pooled", "condition", "level", "participant", "quality"]),
    GROUP.means("the condition, level, participant or quality; empty for the pooled result; (none) for trials without a condition"),
    MEASURE.means("what is described: a column of the table trials, or inter_move_s, the time of a move after the first of an attempt"),
    UNIT.means("unit of the values; empty for counts and shares"),
    N.means("number of solved trials, or of moves, with a value"),
    N_MISSING.means("number of solved trials, or of moves, without a value; trials of which rows were left out have none"),
    N_EXCLUDED.means("number of trials that were not solved or are not known to have been; of moves, first ones of attempts. Illegal moves are not in the data"),
    columns::MEAN.unit(IN_UNIT),
    columns::SD.unit(IN_UNIT),
    columns::MIN.unit(IN_UNIT),
    columns::Q1.unit(IN_UNIT),
    columns::MEDIAN.unit(IN_UNIT),
    columns::Q3.unit(IN_UNIT),
    columns::MAX.unit(IN_UNIT),
    columns::MAD.unit(IN_UNIT),
    columns::SKEWNESS,
    N_OUTLIERS,
    LOWER_LIMIT.unit(IN_UNIT),
    UPPER_LIMIT.unit(IN_UNIT),
    N_WITHOUT_LOGARITHM,
    RULE.means("which values are outliers (Leys et al., 2013); of times, by their logarithms, with the limits taken back to seconds"),
    SENTENCE.means("APA-formatted result"),
    REASON,
];

/// The columns of the table `outliers`.
const OUTLIERS: &[Column] = &[
    SCOPE
        .means("the sample among which the trial is an outlier: all solved trials pooled, or those of one condition, level or participant")
        .levels(&["pooled", "condition", "level", "participant"]),
    GROUP.means("the condition, level or participant; empty for all pooled"),
    MEASURE.means("the measure, a column of the table trials"),
    UNIT.means("unit of value and limits; empty for counts and shares"),
    PARTICIPANT,
    SESSION,
    LEVEL,
    CONDITION,
    N.means("number of values in the sample"),
    VALUE,
    LOWER_LIMIT.unit(IN_UNIT),
    UPPER_LIMIT.unit(IN_UNIT),
    RULE,
    REASON.means("why no trial is listed, where none is"),
];
const IN_UNIT: &str = "as in column unit";
const SCOPE: Column = text("scope", "the sample");
const GROUP: Column = text("group", "the label of the sample");
const UNIT: Column = text("unit", "unit of the values");
const PARTICIPANT: Column = text("participant", "who played");
const SESSION: Column = text("session", "session of the participant");
const LEVEL: Column = text("level", "level that was played");
const CONDITION: Column = text("condition", "experimental condition");
const VALUE: Column = number("value", "value of the trial").unit(IN_UNIT);

/// Descriptions of all measures in all scopes. Time and memory grow with the number of trials and moves.
#[derive(Clone, Debug, PartialEq)]
pub struct DescriptionAnalysis {
    described: Vec<Record>,
    flagged: Vec<Record>,
    opening: String,
}

/// Trials that are described together.
struct Sample<'a> {
    scope: &'static str,
    group: Option<String>,
    trials: Vec<&'a Trial>,
}

impl DescriptionAnalysis {
    /// Describes the data.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let (mut described, mut flagged) = (Vec::new(), Vec::new());
        for sample in samples(data) {
            for measure in TrialMeasure::of_unit(data.unit) {
                let (record, outliers) = sample.describe(measure, data);
                described.push(record);
                flagged.extend(outliers);
            }
        }
        if flagged.is_empty() {
            flagged.push(nothing_flagged(&described, data));
        }
        described.extend(describe_times(data));
        Self { described, flagged, opening: opening(data) }
    }

    /// The tables `description` and `outliers`.
    pub fn tables(&self) -> Vec<Table> {
        let description = "Location, spread and shape of the measures of solved trials, pooled and by condition, level and participant, and of inter-move times by the quality of the move. Values of one participant are not independent of each other.";
        let outliers = "Solved trials that are outliers among others, one row for each measure and each sample in which they are. They are marked, not left out of anything.";
        vec![
            Table::of_records("description", description, DESCRIPTION, &self.described),
            Table::of_records("outliers", outliers, OUTLIERS, &self.flagged),
        ]
    }

    /// Returns sentences on the number of trials and on the moves, times and shares of optimal moves of solved ones.
    pub fn sentences(&self) -> Vec<String> {
        let say = |measure: TrialMeasure| {
            let is_match =
                |row: &&Record| row.text(SCOPE) == Some("pooled") && row.text(MEASURE) == Some(measure.column());
            let row = self.described.iter().find(is_match)?;
            row.number(columns::MEAN)?;
            let unit = row.text(UNIT).map_or(String::new(), |unit| format!(" ({unit})"));
            Some(format!("{}{unit}: {}.", capital(measure.title()), row.text(SENTENCE)?))
        };
        let measures = [TrialMeasure::NMoves, TrialMeasure::Time, TrialMeasure::ShareOptimal];
        std::iter::once(self.opening.clone()).chain(measures.into_iter().filter_map(say)).collect()
    }
}

impl Sample<'_> {
    /// The description of a measure of the solved trials, and those that are outliers.
    fn describe(&self, measure: TrialMeasure, data: &Dataset) -> (Record, Vec<Record>) {
        let solved: Vec<&Trial> = self.trials.iter().copied().filter(|trial| is_solved(trial)).collect();
        let valued: Vec<(&Trial, f64)> = solved.iter().filter_map(|&trial| Some((trial, measure.of(trial)?))).collect();
        let values: Vec<f64> = valued.iter().map(|&(_, value)| value).collect();
        let (record, outliers) = describe_values(&values, measure.is_time());
        let record = record
            .set(SCOPE, self.scope)
            .set(GROUP, self.group.as_deref())
            .set(MEASURE, measure.column())
            .set(UNIT, measure.unit(data.unit))
            .set(N_MISSING, solved.len() - values.len())
            .set(N_EXCLUDED, self.trials.len() - solved.len());
        let flag = |&index: &usize| {
            let (trial, value) = valued[index];
            let of_trial = Record::new()
                .set(PARTICIPANT, data.participants.get(trial.participant).map(String::as_str))
                .set(SESSION, trial.session.as_str())
                .set(LEVEL, data.levels.get(trial.level).map(String::as_str))
                .set(CONDITION, trial.condition.as_deref())
                .set(VALUE, value);
            record.clone().unset(REASON).with(of_trial)
        };
        let flagged = outliers.iter().map(flag).collect();
        (record, flagged)
    }
}

/// The description of a sample with the limits of its outliers, and their places.
fn describe_values(values: &[f64], is_time: bool) -> (Record, Vec<usize>) {
    let (description, limits) = (describe(values), limits(values, is_time));
    let reason = description.reason.clone().or(limits.reason.clone());
    (limits.record().with(description.record()).set(REASON, reason), limits.indices)
}

/// All trials, then those of each condition, level and participant.
fn samples(data: &Dataset) -> Vec<Sample<'_>> {
    let sample = |scope, group: &str, trials| Sample { scope, group: Some(group.to_owned()), trials };
    let mut samples = vec![Sample { scope: "pooled", group: None, trials: data.trials.iter().collect() }];
    if data.trials.iter().any(|trial| trial.condition.is_some()) {
        let mut by_condition: BTreeMap<Option<&str>, Vec<&Trial>> = BTreeMap::new();
        for trial in &*data.trials {
            by_condition.entry(trial.condition.as_deref()).or_default().push(trial);
        }
        let without = by_condition.remove(&None);
        let named = by_condition.into_iter().filter_map(|(name, trials)| Some((name?, trials)));
        samples.extend(named.map(|(name, trials)| sample("condition", name, trials)));
        samples.extend(without.map(|trials| sample("condition", "(none)", trials)));
    }
    let by = |scope, names: &[String], number: fn(&Trial) -> usize| {
        let mut groups = vec![Vec::new(); names.len()];
        for trial in &*data.trials {
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

/// Inter-move times by quality, over all trials, solved or not.
fn describe_times(data: &Dataset) -> Vec<Record> {
    let describe_quality = |quality: Quality| {
        let moves = || data.moves.iter().filter(|row| row.quality == quality);
        let later = || moves().filter(|row| row.ply > 0);
        let times: Vec<f64> = later().filter_map(|row| row.rt_s).filter(|time| time.is_finite()).collect();
        let (record, _) = describe_values(&times, true);
        record
            .set(SCOPE, "quality")
            .set(GROUP, quality.name())
            .set(MEASURE, "inter_move_s")
            .set(UNIT, "s")
            .set(N_MISSING, later().count() - times.len())
            .set(N_EXCLUDED, moves().count() - later().count())
    };
    let qualities = data.qualities().into_iter().filter(|&quality| quality != Quality::Illegal);
    qualities.map(describe_quality).collect()
}

/// The row that says why no trial is listed.
fn nothing_flagged(described: &[Record], data: &Dataset) -> Record {
    let has_limits = described.iter().any(|row| row.number(LOWER_LIMIT).is_some());
    let reason = if has_limits { "no value lies beyond its limits" } else { "no sample has limits of outliers" };
    let n_solved = data.trials.len() - n_not_solved(data);
    Record::new().set(SCOPE, "pooled").set(N, n_solved).set(REASON, reason)
}

fn opening(data: &Dataset) -> String {
    let n_solved = data.trials.len() - n_not_solved(data);
    let n_unknown = data.trials.iter().filter(|trial| trial.is_solved.is_none()).count();
    let unknown = match n_unknown {
        0 => String::new(),
        n => format!(" (of {} it is not known)", apa::count(n)),
    };
    let [n_participants, n_levels] = [data.participants.len(), data.levels.len()].map(apa::count);
    let (trials, word) = (apa::counted(data.trials.len(), "trial"), solved_word(data.unit));
    let were = if n_solved == 1 { "was" } else { "were" };
    let n_solved = apa::count(n_solved);
    format!("{n_solved} of {trials} {were} {word}{unknown}; participants: {n_participants}, levels played: {n_levels}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Cells, add_attempt, check_cells, context, dataset, hard_cases, step, trial};
    use plymap_tables::Table;

    /// The cells of a column in the rows whose scope, group and measure are these.
    fn cell(table: &Table, scope: &str, group: Option<&str>, measure: &str, column: &str) -> Option<String> {
        let cell_at = |name: &str, row: usize| table.cells(name)[row].clone();
        let is_row = |&row: &usize| {
            cell_at("scope", row).as_deref() == Some(scope)
                && cell_at("group", row).as_deref() == group
                && cell_at("measure", row).as_deref() == Some(measure)
        };
        let rows: Vec<usize> = (0..table.cells("scope").len()).filter(is_row).collect();
        assert_eq!(rows.len(), 1, "{scope} {group:?} {measure}");
        table.cells(column)[rows[0]].clone()
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
        let table = &DescriptionAnalysis::new(&context(&data)).tables()[0];
        let value = |scope, group, measure, column| cell(table, scope, group, measure, column).unwrap_or_default();
        // Moves of solved trials: 10, 14, 12 and 20; one trial lacks rows, one is not solved.
        let moves = |column| value("pooled", None, "n_moves", column);
        assert_eq!([moves("n"), moves("n_missing"), moves("n_excluded")], ["4", "1", "1"]);
        assert_eq!([moves("mean"), moves("median"), moves("mad"), moves("q1")], ["14", "13", "2", "11.5"]);
        let times = |column| value("pooled", None, "time_s", column);
        assert_eq!([times("n"), times("n_missing"), times("n_without_logarithm")], ["3", "2", "1"]);
        assert_eq!(value("participant", Some("p1"), "n_moves", "mean"), "20");
        assert_eq!(value("level", Some("l1"), "n_moves", "n_excluded"), "1");
        assert_eq!(value("condition", Some("(none)"), "n_moves", "n"), "2");
        assert!(value("level", Some("l1"), "n_moves", "reason").contains("at least 2 values, found 1"));
        let scopes: Vec<String> = table.cells("group").into_iter().step_by(7).map(Option::unwrap_or_default).collect();
        assert_eq!(scopes[..9], ["", "a", "b", "(none)", "l0", "l1", "l2", "p0", "p1"]);
    }

    #[test]
    fn inter_move_times_leave_out_first_moves() {
        let mut data = dataset(vec![trial(0, 0, 4.0, 20.0)]);
        let times = [Some(9.0), Some(2.0), None, Some(4.0)];
        add_attempt(&mut data, 0, 0, times.map(|time| step(Quality::Better, time)).to_vec());
        let table = &DescriptionAnalysis::new(&context(&data)).tables()[0];
        let value = |column| cell(table, "quality", Some("better"), "inter_move_s", column).unwrap_or_default();
        assert_eq!([value("n"), value("n_missing"), value("n_excluded"), value("mean")], ["2", "1", "1", "3"]);
        assert_eq!(cell(table, "quality", Some("worse"), "inter_move_s", "n").as_deref(), Some("0"));
        assert!(cell(table, "quality", Some("worse"), "inter_move_s", "reason").is_some());
    }

    #[test]
    fn every_outlier_that_is_counted_is_listed() {
        let mut trials: Vec<Trial> = (0..4)
            .flat_map(|p| (0..6).map(move |l| trial(p, l, 10.0 + (p + l) as f64, 20.0 + (3 * p + l) as f64)))
            .collect();
        trials[8].n_moves = Some(400.0);
        trials[15].time_s = Some(9000.0);
        let data = dataset(trials);
        let tables = DescriptionAnalysis::new(&context(&data)).tables();
        let counted: usize =
            tables[0].cells("n_outliers").into_iter().flatten().map(|n| n.parse::<usize>().unwrap()).sum();
        assert_eq!(tables[1].cells("value").len(), counted);
        // The pooled ones come first: trial 8 is p1 at l2, trial 15 is p2 at l3.
        assert_eq!(tables[1].cells("participant")[..2], [Some("p1".to_owned()), Some("p2".to_owned())]);
        assert_eq!(tables[1].cells("value")[..2], [Some("400".to_owned()), Some("9000".to_owned())]);
        assert_eq!(tables[1].cells("level")[..2], [Some("l2".to_owned()), Some("l3".to_owned())]);
        assert_eq!(tables[1].cells("scope")[..3].iter().flatten().collect::<Vec<_>>(), ["pooled", "pooled", "level"]);
    }

    #[test]
    fn the_sentences_count_trials_and_describe_them() {
        let data = small();
        let said = DescriptionAnalysis::new(&context(&data)).sentences();
        assert_eq!(said[0], "5 of 6 trials were solved; participants: 2, levels played: 3.");
        assert_eq!(said[1], "Number of moves: M = 14.00, SD = 4.32, Mdn = 13.00, n = 4.");
        assert_eq!(said[2], "Time (s): M = 16.67, SD = 15.28, Mdn = 20.00, n = 3.");
        assert_eq!(said.len(), 3);
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let tables = DescriptionAnalysis::new(&context(&data)).tables();
            tables.iter().for_each(check_cells);
            assert!(tables.iter().all(|table| !table.cells("scope").is_empty()));
            assert!(!DescriptionAnalysis::new(&context(&data)).sentences().is_empty());
        }
        let data = dataset(Vec::new());
        let tables = DescriptionAnalysis::new(&context(&data)).tables();
        assert_eq!(tables[1].cells("reason"), [Some("no sample has limits of outliers".to_owned())]);
    }
}
