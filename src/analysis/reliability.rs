//! Reliability of the measures of participants: would other trials put them in the same order?

use polars::prelude::PolarsResult;
use rayon::prelude::*;

use super::Context;
use super::dataset::{Dataset, TrialRow};
use super::measures::{TrialMeasure, is_solved, mean, n_not_solved, solved_word};
use crate::table::{Columns, Table};
use plymap_statistics::stats::reliability::{Form, intraclass, odd_even, one_way, split_half};
use plymap_statistics::stats::{Confidence, apa};

/// Most random splits.
const MOST_SPLITS: usize = 5_000;
/// Fewest random splits.
const FEWEST_SPLITS: usize = 500;
/// Splits times trials up to which splits are not cut.
const WORK: usize = 10_000_000;

/// The table `reliability`.
///
/// # Errors
///
/// Never in practice: the columns are of equal length.
pub fn tables(context: &Context) -> PolarsResult<Vec<Table>> {
    Reliability::new(context).tables()
}

/// The split-half reliability of moves, time and the share of optimal moves.
pub fn sentences(context: &Context) -> Vec<String> {
    Reliability::new(context).sentences()
}

/// The reliability of all measures. The time is that of the random splits: 5,000 up to 2,000 solved trials, fewer
/// above, but at least 500.
#[derive(Clone, Debug, PartialEq)]
pub struct Reliability {
    rows: Vec<Row>,
    word: &'static str,
}

/// One coefficient of one measure.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    measure: TrialMeasure,
    coefficient: &'static str,
    method: &'static str,
    n: usize,
    n_trials: usize,
    n_levels: Option<usize>,
    n_left_out: usize,
    n_missing: usize,
    n_excluded: usize,
    estimate: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    confidence: Confidence,
    interval: String,
    statistic: Option<f64>,
    df1: Option<usize>,
    df2: Option<usize>,
    p_value: Option<f64>,
    sentence: String,
    reason: Option<String>,
}

/// The solved trials of each participant that have a measure, in their order.
struct Measured<'a> {
    context: &'a Context<'a>,
    measure: TrialMeasure,
    trials: Vec<Vec<(&'a TrialRow, f64)>>,
    values: Vec<Vec<f64>>,
    n_missing: usize,
}

impl Reliability {
    /// Estimates the reliability of each measure.
    pub fn new(context: &Context) -> Self {
        let measures = TrialMeasure::of_unit(context.data.unit);
        let of_measures: Vec<Vec<Row>> =
            measures.into_par_iter().map(|measure| Measured::new(context, measure).rows()).collect();
        Self { rows: of_measures.into_iter().flatten().collect(), word: solved_word(context.data.unit) }
    }

    /// The table `reliability`.
    ///
    /// # Errors
    ///
    /// Never in practice: the columns are of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        let rows = &self.rows;
        let whole = |value: Option<usize>| value.map(|value| value as i64);
        let table = Columns::new()
            .text(rows, "measure", "the measure of participants: mean over solved trials of this column of the table trials", |row| {
                row.measure.column().to_owned()
            })
            .text(
                rows,
                "coefficient",
                "split-half: mean over random splits of the correlation of the halves, and odd-even: of odd with even trials in their order, both after Spearman and Brown; ICC(1), ICC(1,n0): of one trial, and of the mean of as many as there are, where levels count as error; ICC(2,1), ICC(3,1), ICC(3,k): of participants by levels (Shrout and Fleiss, 1979), the last two with the difficulty of levels taken out",
                |row| row.coefficient.to_owned(),
            )
            .text(
                rows,
                "method",
                "how it was estimated; the one-way analysis takes any number of trials of each participant, the two-way one needs a value of each participant at each level",
                |row| row.method.to_owned(),
            )
            .count(rows, "n", "number of participants", |row| row.n as u64)
            .count(rows, "n_trials", "number of solved trials with the measure that are used", |row| row.n_trials as u64)
            .whole(rows, "n_levels", "", "number of levels, of the coefficients of participants by levels", |row| whole(row.n_levels))
            .count(
                rows,
                "n_left_out",
                "number of participants who are not used: with fewer than two trials for the halves, without any for ICC(1), who lack a level for participants by levels",
                |row| row.n_left_out as u64,
            )
            .count(rows, "n_missing", "number of solved trials without the measure", |row| row.n_missing as u64)
            .count(rows, "n_excluded", "number of trials that were not solved or are not known to have been", |row| {
                row.n_excluded as u64
            })
            .number(rows, "estimate", "", "the reliability", |row| row.estimate)
            .number(rows, "lower", "", "lower end of the interval", |row| row.lower)
            .number(rows, "upper", "", "upper end of the interval", |row| row.upper)
            .number(rows, "confidence", "", "level of the interval", |row| Some(row.confidence.level()))
            .text(
                rows,
                "interval",
                "what the interval is: that of random splits tells how much the result depends on the split, and is no confidence interval",
                |row| row.interval.clone(),
            )
            .number(rows, "statistic", "", "F of intraclass correlations; empty where it is infinite", |row| {
                row.statistic.filter(|value| value.is_finite())
            })
            .whole(rows, "df1", "", "numerator degrees of freedom", |row| whole(row.df1))
            .whole(rows, "df2", "", "denominator degrees of freedom", |row| whole(row.df2))
            .number(rows, "p_value", "", "probability of so large an F without differences between participants", |row| row.p_value)
            .text(rows, "sentence", "APA-formatted result", |row| row.sentence.clone())
            .label(rows, "reason", "why the first of the missing values is missing", |row| row.reason.clone())
            .into_table(
                "reliability",
                "Reliability of the measures of participants, over their solved trials. Participants who solved easier levels than others differ by that as well.",
            )?;
        Ok(vec![table])
    }

    /// The split-half reliability of moves, time and the share of optimal moves.
    pub fn sentences(&self) -> Vec<String> {
        let asked = [TrialMeasure::NMoves, TrialMeasure::Time, TrialMeasure::ShareOptimal];
        let find = |measure: TrialMeasure| {
            let row = self.rows.iter().find(|row| row.measure == measure && row.coefficient == "split-half")?;
            let (title, word) = (measure.title(), self.word);
            Some(format!("Split-half reliability of {title}, mean of {word} trials: {}.", row.sentence))
        };
        asked.into_iter().filter_map(find).collect()
    }
}

impl<'a> Measured<'a> {
    fn new(context: &'a Context<'a>, measure: TrialMeasure) -> Self {
        let data = context.data;
        let mut trials: Vec<Vec<(&TrialRow, f64)>> = vec![Vec::new(); data.participants.len()];
        let mut n_missing = 0;
        for trial in data.trials.iter().filter(|trial| is_solved(trial)) {
            match (trials.get_mut(trial.participant), measure.of(trial)) {
                (Some(own), Some(value)) => own.push((trial, value)),
                _ => n_missing += 1,
            }
        }
        // Stable, and trials without a trial number stay in the order of the table.
        trials.iter_mut().for_each(|own| own.sort_by_key(|(trial, _)| trial.order));
        let values = trials.iter().map(|own| own.iter().map(|&(_, value)| value).collect()).collect();
        Self { context, measure, trials, values, n_missing }
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![self.split_half(), self.odd_even()];
        rows.extend(self.one_way());
        rows.extend(self.by_level());
        rows
    }

    /// A row without a result.
    fn row(&self, coefficient: &'static str, n: usize, n_trials: usize) -> Row {
        Row {
            measure: self.measure,
            coefficient,
            method: match coefficient {
                "split-half" => "random halves",
                "odd-even" => "odd and even trials",
                "ICC(1)" | "ICC(1,n0)" => "one-way analysis of variance",
                _ => "two-way analysis of variance",
            },
            n,
            n_trials,
            n_levels: None,
            n_left_out: self.values.len() - n,
            n_missing: self.n_missing,
            n_excluded: n_not_solved(self.context.data),
            estimate: None,
            lower: None,
            upper: None,
            confidence: self.context.confidence,
            interval: "confidence interval".to_owned(),
            statistic: None,
            df1: None,
            df2: None,
            p_value: None,
            sentence: String::new(),
            reason: None,
        }
    }

    /// Number of trials of participants with at least this many.
    fn n_trials(&self, fewest: usize) -> usize {
        self.values.iter().map(Vec::len).filter(|&n| n >= fewest).sum()
    }

    fn split_half(&self) -> Row {
        let n_trials = self.n_trials(2);
        let n_splits = (WORK / n_trials.max(1)).clamp(FEWEST_SPLITS, MOST_SPLITS);
        let confidence = self.context.confidence;
        let result = split_half(&self.values, mean_or_nan, n_splits, self.context.seed, confidence);
        Row {
            estimate: result.estimate,
            lower: result.lower,
            upper: result.upper,
            interval: format!("range of {n_splits} random splits"),
            sentence: result.sentence(),
            reason: result.reason.as_ref().map(ToString::to_string),
            ..self.row("split-half", result.n, n_trials)
        }
    }

    fn odd_even(&self) -> Row {
        let row = |n: usize| self.row("odd-even", n, self.n_trials(2));
        if self.trials.iter().flatten().any(|(trial, _)| trial.order.is_none()) {
            let reason = "the order of the trials is not known".to_owned();
            let n = self.values.iter().filter(|own| own.len() > 1).count();
            let sentence = format!("rSB not estimable, n = {n} ({reason})");
            return Row { sentence, reason: Some(reason), ..row(n) };
        }
        let result = odd_even(&self.values, mean_or_nan, self.context.confidence);
        Row {
            estimate: result.estimate,
            lower: result.lower,
            upper: result.upper,
            sentence: result.sentence(),
            reason: result.half_correlation.reason.as_ref().map(ToString::to_string),
            ..row(result.n)
        }
    }

    fn one_way(&self) -> [Row; 2] {
        let result = one_way(&self.values, self.context.confidence);
        let single = Row {
            estimate: result.estimate,
            lower: result.lower,
            upper: result.upper,
            statistic: result.statistic,
            df1: result.df1,
            df2: result.df2,
            p_value: result.p_value,
            sentence: result.sentence(),
            reason: result.reason.as_ref().map(ToString::to_string),
            ..self.row("ICC(1)", result.n_groups, result.n)
        };
        let ends = result.mean_lower.zip(result.mean_upper);
        let interval = ends.map_or(String::new(), |(lower, upper)| {
            format!(", {} CI [{}, {}]", result.confidence, apa::bounded(lower, 2), apa::bounded(upper, 2))
        });
        let sentence = match (result.mean_reliability, result.n0) {
            (Some(estimate), Some(n0)) => {
                format!("ICC(1,n0) = {}{interval}, n0 = {}", apa::bounded(estimate, 2), apa::number(n0, 2))
            }
            _ => single.sentence.replacen("ICC(1)", "ICC(1,n0)", 1),
        };
        let of_mean = Row {
            coefficient: "ICC(1,n0)",
            estimate: result.mean_reliability,
            lower: result.mean_lower,
            upper: result.mean_upper,
            sentence,
            ..single.clone()
        };
        [single, of_mean]
    }

    /// The coefficients of the table of participants by levels: of the levels that half of the participants or more
    /// solved, and the participants who solved all of those.
    fn by_level(&self) -> Vec<Row> {
        let (levels, table) = complete_table(self.context.data, &self.trials);
        let result = intraclass(&table, self.context.confidence);
        let forms = [Form::AgreementSingle, Form::ConsistencySingle, Form::ConsistencyMean];
        let row = |form: Form| {
            // Who did not solve all levels has no place in the two-way table; the one-way one has no such gaps.
            let instead = |why: &dyn std::fmt::Display| format!("{why}; ICC(1) needs no complete table");
            let reason = result.reason.as_ref().map(|why| instead(why));
            let row = Row {
                n_levels: Some(levels.len()),
                reason: reason.clone(),
                ..self.row(form.name(), table.len(), table.len() * levels.len())
            };
            let Some(own) = result.forms.iter().find(|own| own.form == form) else {
                let why = reason.map_or(String::new(), |reason| format!(" ({reason})"));
                let sentence = format!("{} not estimable, n = {}{why}", form.name(), table.len());
                return Row { sentence, ..row };
            };
            Row {
                estimate: Some(own.estimate),
                lower: own.lower,
                upper: own.upper,
                statistic: Some(own.statistic),
                df1: Some(own.df1),
                df2: Some(own.df2),
                p_value: Some(own.p_value),
                sentence: own.sentence(result.confidence),
                ..row
            }
        };
        forms.into_iter().map(row).collect()
    }
}

fn mean_or_nan(values: &[f64]) -> f64 {
    mean(values).unwrap_or(f64::NAN)
}

/// Levels at which half of the participants (of those with any value) or more have a value, and one row for each
/// participant who has a value at all of them; of several trials at a level the first counts.
fn complete_table(data: &Dataset, trials: &[Vec<(&TrialRow, f64)>]) -> (Vec<usize>, Vec<Vec<f64>>) {
    let first = |own: &Vec<(&TrialRow, f64)>| {
        let mut values = vec![None; data.levels.len()];
        for (trial, value) in own {
            if let Some(place @ None) = values.get_mut(trial.level) {
                *place = Some(*value);
            }
        }
        values
    };
    let by_level: Vec<Vec<Option<f64>>> = trials.iter().filter(|own| !own.is_empty()).map(first).collect();
    let is_common = |level: &usize| 2 * by_level.iter().filter(|own| own[*level].is_some()).count() >= by_level.len();
    let levels: Vec<usize> = (0..data.levels.len()).filter(|level| !by_level.is_empty() && is_common(level)).collect();
    let complete = |own: &Vec<Option<f64>>| levels.iter().map(|&level| own[level]).collect::<Option<Vec<f64>>>();
    let table = by_level.iter().filter_map(complete).collect();
    (levels, table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture::{Cells, check_cells, context, dataset, hard_cases, trial};

    const MOVES: [[f64; 4]; 5] = [
        [10.0, 14.0, 30.0, 12.0],
        [13.0, 19.0, 41.0, 14.0],
        [9.0, 12.0, 25.0, 11.0],
        [15.0, 20.0, 50.0, 19.0],
        [8.0, 13.0, 22.0, 12.0],
    ];

    fn small() -> Dataset {
        dataset((0..5).flat_map(|p| (0..4).map(move |l| trial(p, l, MOVES[p][l], 3.0 * MOVES[p][l]))).collect())
    }

    fn moves(data: &Dataset) -> Vec<Row> {
        let all = Reliability::new(&context(data)).rows;
        all.into_iter().filter(|row| row.measure == TrialMeasure::NMoves).collect()
    }

    #[test]
    fn coefficients_are_those_of_the_estimators() {
        let data = small();
        let rows = moves(&data);
        let names: Vec<&str> = rows.iter().map(|row| row.coefficient).collect();
        assert_eq!(names, ["split-half", "odd-even", "ICC(1)", "ICC(1,n0)", "ICC(2,1)", "ICC(3,1)", "ICC(3,k)"]);
        let confidence = Confidence::default();
        let halves = split_half(&MOVES, mean_or_nan, 5_000, 7, confidence);
        assert_eq!((rows[0].estimate, rows[0].lower, rows[0].n), (halves.estimate, halves.lower, 5));
        let one = one_way(&MOVES, confidence);
        assert_eq!((rows[2].estimate, rows[3].estimate), (one.estimate, one.mean_reliability));
        let forms = intraclass(&MOVES, confidence).forms;
        assert_eq!((rows[4].estimate, rows[6].estimate), (Some(forms[1].estimate), Some(forms[5].estimate)));
        assert_eq!((rows[6].n, rows[6].n_levels, rows[6].n_trials), (5, Some(4), 20));
        // Levels differ much more than people: only consistency sees the people.
        assert!(rows[2].estimate.unwrap() < 0.0 && rows[6].estimate.unwrap() > 0.7);
    }

    #[test]
    fn odd_and_even_follow_the_order_of_play() {
        let mut data = small();
        let last_first = |trial: &mut TrialRow| trial.order = Some([2, 0, 1, 3][trial.level]);
        data.trials.iter_mut().for_each(last_first);
        // Played are levels 1, 2, 0 and 3: odd trials are at 1 and 0, even ones at 2 and 3.
        let played = MOVES.map(|own| [own[1], own[2], own[0], own[3]]);
        let expected = odd_even(&played, mean_or_nan, Confidence::default());
        assert_eq!(moves(&data)[1].estimate, expected.estimate);
        data.trials[3].order = None;
        let row = &moves(&data)[1];
        assert_eq!((row.estimate, row.reason.as_deref()), (None, Some("the order of the trials is not known")));
    }

    #[test]
    fn participants_who_lack_a_common_level_are_left_out_of_the_table() {
        let mut data = small();
        // One participant did not solve level 1; only two solved level 3.
        data.trials[1].is_solved = Some(false);
        for p in 0..3 {
            data.trials[4 * p + 3].n_moves = None;
        }
        let rows = moves(&data);
        // The one-way form takes every trial that there is.
        let values: Vec<Vec<f64>> = (0..5)
            .map(|p| (0..4).filter(|&l| (p, l) != (0, 1) && (p > 2 || l < 3)).map(|l| MOVES[p][l]).collect())
            .collect();
        let one = one_way(&values, Confidence::default());
        assert_eq!((rows[2].estimate, rows[2].n, rows[2].n_trials), (one.estimate, 5, 16));
        assert_eq!((rows[2].method, rows[5].method), ("one-way analysis of variance", "two-way analysis of variance"));
        let expected = intraclass(&[1, 2, 3, 4].map(|p: usize| MOVES[p][..3].to_vec()), Confidence::default());
        assert_eq!((rows[5].n, rows[5].n_levels, rows[5].n_left_out), (4, Some(3), 1));
        assert_eq!(rows[5].estimate, Some(expected.forms[2].estimate));
        assert_eq!((rows[0].n, rows[0].n_trials, rows[0].n_missing, rows[0].n_excluded), (5, 16, 3, 1));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let table = tables(&context(&data)).unwrap().remove(0);
            check_cells(&table);
            assert_eq!(table.texts("measure").len(), 7 * TrialMeasure::of_unit(data.unit).len());
            for (estimate, reason) in table.texts("estimate").iter().zip(table.texts("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
            assert_eq!(sentences(&context(&data)).len(), 3);
        }
    }
}
