//! Reliability of the measures of participants: would other trials put them in the same order?

use super::columns::{CONFIDENCE, LOWER, N_NOT_SOLVED, SENTENCE, UPPER};
use super::context::Context;
use super::dataset::{Dataset, Trial};
use super::measures::{TrialMeasure, is_solved, n_not_solved, solved_word};
use plymap_statistics::record::{
    Column, ColumnKind, DF, DF2, ESTIMATE, MEASURE, N, N_MISSING, P_VALUE, REASON, Record, STATISTIC, count, text,
    whole,
};
use plymap_statistics::stats::moments::mean;
use plymap_statistics::stats::reliability::{
    Form, SPLITS, affordable_splits, intraclass, odd_even, one_way, split_half,
};
use plymap_tables::Table;
use rayon::prelude::*;

const COEFFICIENT: Column = text(
    "coefficient",
    "split-half: mean over random splits of the correlation of the halves, and odd-even: of odd with even trials in their order, both after Spearman and Brown; ICC(1), ICC(1,n0): of one trial, and of the mean of as many as there are, where levels count as error; ICC(2,1), ICC(3,1), ICC(3,k): of participants by levels (Shrout and Fleiss, 1979), the last two with the difficulty of levels taken out",
)
.levels(&["split-half", "odd-even", "ICC(1)", "ICC(1,n0)", "ICC(2,1)", "ICC(3,1)", "ICC(3,k)"]);
const ANALYSIS: Column = text(
    "method",
    "how it was estimated; the one-way analysis takes any number of trials of each participant, the two-way one needs a value of each participant at each level",
)
.levels(&[
    "random halves",
    "odd and even trials",
    "one-way analysis of variance",
    "two-way analysis of variance",
]);
const N_TRIALS: Column = count("n_trials", "number of solved trials with the measure that are used");
const N_LEVELS: Column = whole("n_levels", "number of levels, of the coefficients of participants by levels");
const N_LEFT_OUT: Column = count(
    "n_left_out",
    "number of participants who are not used: with fewer than two trials for the halves, without any for ICC(1), who lack a level for participants by levels",
);
const INTERVAL: Column = text(
    "interval",
    "what the interval is: that of random splits tells how much the result depends on the split, and is no confidence interval",
)
.levels(&["range of random splits", "confidence interval"]);

const COLUMNS: &[Column] = &[
    MEASURE.means("the measure of participants: mean over solved trials of this column of the table trials"),
    COEFFICIENT,
    ANALYSIS,
    N.means("number of participants"),
    N_TRIALS,
    N_LEVELS,
    N_LEFT_OUT,
    N_MISSING.means("number of solved trials without the measure"),
    N_NOT_SOLVED,
    ESTIMATE.means("the reliability"),
    LOWER,
    UPPER,
    CONFIDENCE,
    INTERVAL,
    SPLITS.means("number of random splits: 5,000 for up to 2,000 trials, fewer for more but at least 500"),
    STATISTIC.means("F of intraclass correlations; empty where it is infinite"),
    Column { kind: ColumnKind::Whole, ..DF.shown_as("df1").means("numerator degrees of freedom") },
    Column { kind: ColumnKind::Whole, ..DF2 },
    P_VALUE.means("probability of so large an F without differences between participants"),
    SENTENCE,
    REASON,
];

/// The reliability of all measures. The time is that of the random splits, see [`affordable_splits`].
#[derive(Clone, Debug, PartialEq)]
pub struct Reliability {
    records: Vec<Record>,
    word: &'static str,
}

/// The solved trials of each participant that have a measure, in their order.
struct Measured<'a> {
    context: &'a Context<'a>,
    measure: TrialMeasure,
    trials: Vec<Vec<(&'a Trial, f64)>>,
    values: Vec<Vec<f64>>,
    n_missing: usize,
}

impl Reliability {
    /// Estimates the reliability of each measure.
    pub fn new(context: &Context) -> Self {
        let measures = TrialMeasure::of_unit(context.data.unit);
        let of_measures: Vec<Vec<Record>> =
            measures.into_par_iter().map(|measure| Measured::new(context, measure).records()).collect();
        Self { records: of_measures.into_iter().flatten().collect(), word: solved_word(context.data.unit) }
    }

    /// The table `reliability`.
    pub fn tables(&self) -> Vec<Table> {
        let table = Table::of_records(
            "reliability",
            "Reliability of the measures of participants, over their solved trials. Participants who solved easier levels than others differ by that as well.",
            COLUMNS,
            &self.records,
        );
        vec![table]
    }

    /// The split-half reliability of moves, time and the share of optimal moves.
    pub fn sentences(&self) -> Vec<String> {
        let measures = [TrialMeasure::NMoves, TrialMeasure::Time, TrialMeasure::ShareOptimal];
        let find = |measure: TrialMeasure| {
            let is_match = |record: &&Record| {
                record.text(MEASURE) == Some(measure.column()) && record.text(COEFFICIENT) == Some("split-half")
            };
            let result = self.records.iter().find(is_match)?.text(SENTENCE)?;
            let (title, word) = (measure.title(), self.word);
            Some(format!("Split-half reliability of {title}, mean of {word} trials: {result}."))
        };
        measures.into_iter().filter_map(find).collect()
    }
}

impl<'a> Measured<'a> {
    fn new(context: &'a Context<'a>, measure: TrialMeasure) -> Self {
        let data = context.data;
        let mut trials: Vec<Vec<(&Trial, f64)>> = vec![Vec::new(); data.participants.len()];
        let mut n_missing = 0;
        for trial in data.trials.iter().filter(|trial| is_solved(trial)) {
            match (trials.get_mut(trial.participant), measure.of(trial)) {
                (Some(of_participant), Some(value)) => of_participant.push((trial, value)),
                _ => n_missing += 1,
            }
        }
        // Stable, and trials without a trial number stay in the order of the table.
        trials.iter_mut().for_each(|trials| trials.sort_by_key(|(trial, _)| trial.order));
        let values = trials.iter().map(|trials| trials.iter().map(|&(_, value)| value).collect()).collect();
        Self { context, measure, trials, values, n_missing }
    }

    fn records(&self) -> Vec<Record> {
        let anova = one_way(&self.values, self.context.confidence());
        let one_way = |coefficient, result| {
            self.record(coefficient, "one-way analysis of variance", anova.n_groups, anova.n, result)
        };
        let mut records = vec![
            self.split_half(),
            self.odd_even(),
            one_way("ICC(1)", anova.record()),
            one_way("ICC(1,n0)", anova.mean_record()),
        ];
        records.extend(self.by_level());
        records
    }

    /// A result with what it rests on: `n` participants and `n_trials` trials.
    fn record(&self, coefficient: &str, analysis: &str, n: usize, n_trials: usize, result: Record) -> Record {
        result
            .set(MEASURE, self.measure.column())
            .set(COEFFICIENT, coefficient)
            .set(ANALYSIS, analysis)
            .set(N, n)
            .set(N_TRIALS, n_trials)
            .set(N_LEFT_OUT, self.values.len() - n)
            .set(N_MISSING, self.n_missing)
            .set(N_NOT_SOLVED, n_not_solved(self.context.data))
            .set(CONFIDENCE, self.context.confidence().level())
            .set(INTERVAL, "confidence interval")
    }

    /// A result of halves, of the participants with two trials or more.
    fn halves(&self, coefficient: &str, analysis: &str, result: Record) -> Record {
        let used = self.values.iter().filter(|values| values.len() > 1);
        let n_trials = used.clone().map(Vec::len).sum();
        self.record(coefficient, analysis, used.count(), n_trials, result)
    }

    fn split_half(&self) -> Record {
        let n_splits = self.context.resamples(affordable_splits(&self.values));
        let reliability = split_half(&self.values, mean, n_splits, self.context.seed(), self.context.confidence());
        self.halves("split-half", "random halves", reliability.record()).set(INTERVAL, "range of random splits")
    }

    fn odd_even(&self) -> Record {
        let halves = |result| self.halves("odd-even", "odd and even trials", result);
        if self.trials.iter().flatten().any(|(trial, _)| trial.order.is_none()) {
            let reason = "the order of the trials is not known";
            let n = self.values.iter().filter(|values| values.len() > 1).count();
            let sentence = format!("rSB not estimable, n = {n} ({reason})");
            return halves(Record::new().set(SENTENCE, sentence).set(REASON, reason));
        }
        // Its test is that of the correlation of the halves; those of the table are of variances.
        halves(odd_even(&self.values, mean, self.context.confidence()).record())
            .unset(STATISTIC)
            .unset(DF)
            .unset(P_VALUE)
    }

    /// The coefficients of the table of participants by levels: of the levels that half of the participants or more
    /// solved, and the participants who solved all of those.
    fn by_level(&self) -> Vec<Record> {
        let (levels, table) = complete_table(self.context.data, &self.trials);
        let intraclass = intraclass(&table, self.context.confidence());
        // Who did not solve all levels has no place in the two-way table; the one-way one has no such gaps.
        let reason = intraclass.reason.as_ref().map(|why| format!("{why}; ICC(1) needs no complete table"));
        let record = |form: Form| {
            let estimate = intraclass.forms.iter().find(|estimate| estimate.form == form);
            let result = estimate.map_or_else(
                || {
                    let why = reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
                    Record::new().set(SENTENCE, format!("{} not estimable, n = {}{why}", form.name(), table.len()))
                },
                |estimate| intraclass.record(estimate),
            );
            let n_trials = table.len() * levels.len();
            self.record(form.name(), "two-way analysis of variance", table.len(), n_trials, result)
                .set(N_LEVELS, levels.len())
                .set(REASON, reason.clone())
        };
        [Form::AgreementSingle, Form::ConsistencySingle, Form::ConsistencyMean].map(record).into()
    }
}

/// Levels at which half of the participants (of those with any value) or more have a value, and one row for each
/// participant who has a value at all of them; of several trials at a level the first counts.
fn complete_table(data: &Dataset, trials: &[Vec<(&Trial, f64)>]) -> (Vec<usize>, Vec<Vec<f64>>) {
    let first = |trials: &Vec<(&Trial, f64)>| {
        let mut values = vec![None; data.levels.len()];
        for (trial, value) in trials {
            if let Some(place @ None) = values.get_mut(trial.level) {
                *place = Some(*value);
            }
        }
        values
    };
    let by_level: Vec<Vec<Option<f64>>> = trials.iter().filter(|trials| !trials.is_empty()).map(first).collect();
    let is_common = |level: &usize| 2 * by_level.iter().filter(|row| row[*level].is_some()).count() >= by_level.len();
    let levels: Vec<usize> = (0..data.levels.len()).filter(|level| !by_level.is_empty() && is_common(level)).collect();
    let complete = |values: &Vec<Option<f64>>| levels.iter().map(|&level| values[level]).collect::<Option<Vec<f64>>>();
    let table = by_level.iter().filter_map(complete).collect();
    (levels, table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Cells, check_cells, context, dataset, hard_cases, numbers, trial};
    use plymap_statistics::stats::Confidence;

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

    fn moves(data: &Dataset) -> Vec<Record> {
        let all = Reliability::new(&context(data)).records;
        all.into_iter().filter(|record| record.text(MEASURE) == Some("n_moves")).collect()
    }

    fn estimate(record: &Record) -> Option<f64> {
        record.number(ESTIMATE)
    }

    #[test]
    fn coefficients_are_those_of_the_estimators() {
        let data = small();
        let rows = moves(&data);
        let names: Vec<&str> = rows.iter().filter_map(|row| row.text(COEFFICIENT)).collect();
        assert_eq!(names, ["split-half", "odd-even", "ICC(1)", "ICC(1,n0)", "ICC(2,1)", "ICC(3,1)", "ICC(3,k)"]);
        let confidence = Confidence::default();
        let halves = split_half(&MOVES, mean, 5_000, 7, confidence).outcome.unwrap();
        assert_eq!(numbers(&rows[0], [ESTIMATE, LOWER, N]), [Some(halves.estimate), Some(halves.lower), Some(5.0)]);
        let anova = one_way(&MOVES, confidence);
        assert_eq!((estimate(&rows[2]), estimate(&rows[3])), (anova.estimate, anova.mean_reliability));
        let forms = intraclass(&MOVES, confidence).forms;
        assert_eq!((estimate(&rows[4]), estimate(&rows[6])), (Some(forms[1].estimate), Some(forms[5].estimate)));
        assert_eq!(numbers(&rows[6], [N, N_LEVELS, N_TRIALS]), [Some(5.0), Some(4.0), Some(20.0)]);
        // Levels differ much more than people: only consistency sees the people.
        assert!(estimate(&rows[2]).unwrap() < 0.0 && estimate(&rows[6]).unwrap() > 0.7);
    }

    #[test]
    fn odd_and_even_follow_the_order_of_play() {
        let mut data = small();
        let last_first = |trial: &mut Trial| trial.order = Some([2, 0, 1, 3][trial.level]);
        data.trials_mut().iter_mut().for_each(last_first);
        // Played are levels 1, 2, 0 and 3: odd trials are at 1 and 0, even ones at 2 and 3.
        let played = MOVES.map(|moves| [moves[1], moves[2], moves[0], moves[3]]);
        let expected = odd_even(&played, mean, Confidence::default());
        assert_eq!(estimate(&moves(&data)[1]), expected.estimate());
        data.trials_mut()[3].order = None;
        let row = &moves(&data)[1];
        assert_eq!((estimate(row), row.text(REASON)), (None, Some("the order of the trials is not known")));
    }

    #[test]
    fn participants_who_lack_a_common_level_are_left_out_of_the_table() {
        let mut data = small();
        // One participant did not solve level 1; only two solved level 3.
        data.trials_mut()[1].is_solved = Some(false);
        for p in 0..3 {
            data.trials_mut()[4 * p + 3].n_moves = None;
        }
        let rows = moves(&data);
        // The one-way form takes every trial that there is.
        let values: Vec<Vec<f64>> = (0..5)
            .map(|p| (0..4).filter(|&l| (p, l) != (0, 1) && (p > 2 || l < 3)).map(|l| MOVES[p][l]).collect())
            .collect();
        let anova = one_way(&values, Confidence::default());
        assert_eq!(numbers(&rows[2], [ESTIMATE, N, N_TRIALS]), [anova.estimate, Some(5.0), Some(16.0)]);
        let analyses = [2, 5].map(|index: usize| rows[index].text(ANALYSIS));
        assert_eq!(analyses, [Some("one-way analysis of variance"), Some("two-way analysis of variance")]);
        let expected = intraclass(&[1, 2, 3, 4].map(|p: usize| MOVES[p][..3].to_vec()), Confidence::default());
        assert_eq!(numbers(&rows[5], [N, N_LEVELS, N_LEFT_OUT]), [Some(4.0), Some(3.0), Some(1.0)]);
        assert_eq!(estimate(&rows[5]), Some(expected.forms[2].estimate));
        let counts = numbers(&rows[0], [N, N_TRIALS, N_MISSING, N_NOT_SOLVED]);
        assert_eq!(counts, [5.0, 16.0, 3.0, 1.0].map(Some));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let table = Reliability::new(&context(&data)).tables().remove(0);
            check_cells(&table);
            assert_eq!(table.cells("measure").len(), 7 * TrialMeasure::of_unit(data.unit).len());
            for (estimate, reason) in table.cells("estimate").iter().zip(table.cells("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
            assert_eq!(Reliability::new(&context(&data)).sentences().len(), 3);
        }
    }
}
