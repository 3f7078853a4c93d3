//! Survival analysis of the time until a level is solved; trials that end otherwise, given up or with a limit, are
//! censored then.

use super::columns::{self, LOG_RANK, UNSOLVED};
use super::context::Context;
use super::survival_cox::SurvivalCox;
use super::survival_differences::{Censoring, NO_END, SurvivalDifferences};
use super::survival_times::{Known, MOST_VISITS, N_PERMUTATIONS, known};
use plymap_statistics::record::*;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::survival::kaplan_meier::*;
use plymap_statistics::stats::survival::sorted::SortedTimes;
use plymap_tables::Table;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const SCOPE: Column = columns::SCOPE.means("all trials, those of one condition, or of one level");
const GROUP: Column = columns::GROUP.means("the condition or level");
const N_LEFT_OUT: Column = count("n_left_out", "trials of the study without a time, or of which rows were left out");
const NEVER: Column = number(
    "median_if_never_s",
    "the median if the trials that ended without a solution would never have been solved; empty where it is not reached",
)
.unit("s");
const BEST_CASE: Column =
    number("median_best_case_s", "the median if they would have been solved the next moment").unit("s");
const P_LOG_RANK: Column = P_VALUE.means(
    "its p: the share of permutations of participants between conditions, with all of their trials, that give so large a statistic or a larger one; empty where participants have several conditions",
);
const MEDIANS: &[Column] = &[
    SCOPE,
    GROUP,
    N.means("number of trials with a time"),
    N_EVENTS.shown_as("n_solved").means("number of them that were solved"),
    N_CENSORED.means("number of censored trials, which ended without a solution"),
    N_LEFT_OUT,
    N_PARTICIPANTS.means("number of participants of the trials with a time"),
    ESTIMATE.shown_as("median_s").means("median time to solve (Kaplan and Meier, 1958)").unit("s"),
    LOWER
        .shown_as("lower_s")
        .means("lower end of its interval, where the lower limits of survival_curves reach one half (Brookmeyer and Crowley, 1982)")
        .unit("s"),
    UPPER
        .shown_as("upper_s")
        .means("upper end of its interval, where the upper limits do; empty where they stay above")
        .unit("s"),
    NEVER,
    BEST_CASE,
    LOG_RANK,
    DF.means("number of conditions less 1"),
    P_LOG_RANK,
    SENTENCE.means("APA-formatted result"),
    REASON.means("why a result is missing"),
];
const CURVES: &[Column] = &[
    SCOPE,
    GROUP,
    TIME.shown_as(columns::TIME.name).means("a time at which a trial was solved or ended").unit("s"),
    N_AT_RISK.means("number of trials at risk at this time"),
    AT_TIME.shown_as("n_solved").means("solved at this time"),
    CENSORED_AT_TIME.shown_as(columns::N_CENSORED.name).means(columns::N_CENSORED.meaning),
    ESTIMATE.shown_as(UNSOLVED.name).means(UNSOLVED.meaning),
    LOWER.means("lower end of its interval on the scale of ln(−ln S), by the variance between participants (Williams, 1995) and t with one degree of freedom less than there are participants; where all trials are of one participant, by Greenwood's variance and z, as if trials were independent"),
    UPPER.means("upper end of its interval"),
];

/// Times to solve, as survival curves.
pub struct Survival {
    medians: Vec<Record>,
    points: Vec<Record>,
    sentences: Vec<String>,
    differences: SurvivalDifferences,
    cox: SurvivalCox,
}

/// Times, whether each ended with a solution, and whose it is.
#[derive(Default)]
struct Times {
    times: Vec<f64>,
    solved: Vec<bool>,
    participants: Vec<usize>,
}

impl Survival {
    /// Takes each trial's time until it was solved or ended without a solution: curves of all, of each condition and of
    /// each level, and the log-rank test of the conditions.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let mut all = Times::default();
        let mut by_level: Vec<Times> = data.levels.iter().map(|_| Times::default()).collect();
        let mut by_condition: BTreeMap<&str, Times> = BTreeMap::new();
        let mut n_untimed = 0_usize;
        for trial in &*data.trials {
            let (Some(time), Some(solved)) = (trial.time_s, trial.is_solved) else {
                n_untimed += 1;
                continue;
            };
            let groups = [Some(&mut all), by_level.get_mut(trial.level)];
            groups.into_iter().flatten().for_each(|group| group.push(trial.participant, time, solved));
            if let Some(condition) = &trial.condition {
                by_condition.entry(condition).or_default().push(trial.participant, time, solved);
            }
        }
        let known = known(context);
        let test = PermutedLogRank::new(context, &known);
        let of_test = Record::new()
            .set(LOG_RANK, test.as_ref().map(|test| test.statistic))
            .set(DF, test.as_ref().map(|test| test.df))
            .set(P_LOG_RANK, test.as_ref().and_then(|test| test.p_value));
        let mut result = Self {
            medians: vec![],
            points: vec![],
            sentences: vec![],
            differences: SurvivalDifferences::new(context, &known),
            cox: SurvivalCox::new(context),
        };
        let mut add = |scope: &str, group: &str, times: &Times| {
            let n_participants = times.participants.iter().collect::<BTreeSet<_>>().len();
            let curve = times.curve(n_participants, context);
            let labels = Record::new().set(SCOPE, scope).set(GROUP, group);
            let median = labels.clone().overlaid(curve.quantile_record(&curve.median)).set(SENTENCE, curve.sentence(1));
            let if_other = [Censoring::Never, Censoring::AtOnce].map(|censoring| times.median(censoring, context));
            let median = median.set(N_LEFT_OUT, n_untimed).set(N_PARTICIPANTS, n_participants);
            let median = median.set(NEVER, if_other[0]).set(BEST_CASE, if_other[1]);
            result.medians.push(if scope == "condition" { median.overlaid(of_test.clone()) } else { median });
            result.points.extend(curve.points.iter().map(|point| labels.clone().overlaid(point.record())));
            if scope == "all" && curve.reason.is_none() {
                let (trials, sentence) = (apa::counted(curve.n, "trial"), curve.sentence(1));
                let n_censored = apa::count(curve.n_censored);
                let are = if curve.n_censored == 1 { "is" } else { "are" };
                result.sentences.push(format!(
                    "Of {trials} with a time, {n_censored} ended without a solution and {are} censored; {sentence}."
                ));
                if curve.n_censored > 0 {
                    result.sentences.push(format!(
                        "That takes trials that were ended for as hard as those that went on. Whoever gives up may have been far from a solution: if none of these trials would ever have been solved, the median is {}; if all at once, {}.",
                        seconds(if_other[0]),
                        seconds(if_other[1])
                    ));
                }
            }
        };
        add("all", "", &all);
        by_condition.iter().for_each(|(condition, times)| add("condition", condition, times));
        data.levels.iter().zip(&by_level).for_each(|(level, times)| add("level", level, times));
        result.sentences.extend(test.filter(|_| !context.is_pilot()).and_then(|test| {
            let p = apa::p_value(test.p_value?);
            let n = apa::counted(test.n_permutations, "permutation");
            Some(format!(
                "Between conditions: log-rank χ² = {}, {p} ({n} of participants between conditions).",
                apa::number(test.statistic, 2)
            ))
        }));
        result
    }

    /// The tables `survival` (medians), `survival_curves` and, where there are conditions, `survival_differences`; where there
    /// is a distance or a condition, `survival_cox`.
    pub fn tables(&self) -> Vec<Table> {
        let caption = "Time to solve by the Kaplan-Meier estimator; trials that ended without a solution are censored when they did.";
        let mut tables = vec![
            Table::of_records("survival", caption, MEDIANS, &self.medians),
            Table::of_records("survival_curves", "Kaplan-Meier curves of the time to solve.", CURVES, &self.points),
        ];
        tables.extend(self.differences.table());
        tables.extend(self.cox.table());
        tables
    }

    /// The median time to solve, the test of conditions, and what the hazard depends on, in words.
    pub fn sentences(&self) -> Vec<String> {
        [&self.sentences[..], &self.differences.sentences(), &self.cox.sentences()].concat()
    }
}

/// The log-rank statistic of the conditions, compared with those of other assignments of the participants: that keeps the
/// trials of a person together, and asks nothing of their distribution.
struct PermutedLogRank {
    statistic: f64,
    df: usize,
    p_value: Option<f64>,
    n_permutations: usize,
}

impl PermutedLogRank {
    /// Absent where there are no two conditions with a statistic.
    fn new(context: &Context, known: &[Known]) -> Option<Self> {
        let conditions: Vec<&str> =
            known.iter().map(|row| row.condition).collect::<BTreeSet<_>>().into_iter().collect();
        let place = |condition: &str| conditions.binary_search(&condition).expect("it is one of them");
        let (times, solved): (Vec<f64>, Vec<bool>) = known.iter().map(|row| (row.time, row.is_solved)).unzip();
        let times = SortedTimes::new(&times, &solved).ok().filter(|_| conditions.len() > 1)?;
        let statistic = |condition_of: &dyn Fn(&Known) -> usize| {
            let groups: Vec<usize> = known.iter().map(condition_of).collect();
            times.log_rank(&groups, conditions.len()).test.ok()
        };
        let test = statistic(&|row| place(row.condition))?;
        let mut result = Self { statistic: test.statistic, df: test.df, p_value: None, n_permutations: 0 };
        let mut conditions_of: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        known.iter().for_each(|row| _ = conditions_of.entry(row.participant).or_default().insert(row.condition));
        if conditions_of.values().all(|conditions| conditions.len() == 1) {
            let n_people = conditions_of.keys().last().map_or(0, |last| last + 1);
            let labels: Vec<usize> = conditions_of.values().flatten().map(|condition| place(condition)).collect();
            let affordable = (MOST_VISITS / known.len().max(1)).clamp(199, N_PERMUTATIONS);
            result.n_permutations = context.resamples(affordable);
            let is_as_large = |number: &usize| {
                let mut labels = labels.clone();
                labels.shuffle(&mut ChaCha8Rng::seed_from_u64(context.seed().wrapping_add(*number as u64)));
                let mut of_person = vec![0; n_people];
                conditions_of.keys().zip(labels).for_each(|(&person, label)| of_person[person] = label);
                // What differs by rounding is as large.
                statistic(&|row| of_person[row.participant])
                    .is_some_and(|permuted| permuted.statistic >= result.statistic * (1.0 - 1e-9))
            };
            let n = (0..result.n_permutations).into_par_iter().filter(is_as_large).count();
            result.p_value = Some((n + 1) as f64 / (result.n_permutations + 1) as f64);
        }
        Some(result)
    }
}

impl Times {
    /// The median if something else is assumed of censored times.
    fn median(&self, censoring: Censoring, context: &Context) -> Option<f64> {
        let assumed = self.times.iter().zip(&self.solved).map(|(&time, &is_solved)| censoring.of(time, is_solved));
        let (times, solved): (Vec<f64>, Vec<bool>) = assumed.unzip();
        // A median between a time and none is none.
        kaplan_meier(&times, &solved, context.confidence()).median.estimate.filter(|&median| median < NO_END / 4.0)
    }

    /// The curve, whose intervals allow for trials of one person where there are several people.
    fn curve(&self, n_participants: usize, context: &Context) -> KaplanMeier {
        if n_participants > 1 {
            kaplan_meier_clustered(&self.times, &self.solved, &self.participants, context.confidence())
        } else {
            kaplan_meier(&self.times, &self.solved, context.confidence())
        }
    }

    fn push(&mut self, participant: usize, time: f64, is_solved: bool) {
        self.participants.push(participant);
        self.times.push(time);
        self.solved.push(is_solved);
    }
}

/// `12.3 s`, or `not reached` where there is no median.
fn seconds(median: Option<f64>) -> String {
    median.map_or("not reached".to_owned(), |median| format!("{} s", apa::number(median, 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Dataset, Trial};
    use crate::testing::{Cells, check_cells, context, dataset, hard_cases, trial};
    use plymap_measures::measure::Measures;
    use plymap_measures::testing::{Line, levels};
    use plymap_statistics::stats::Confidence;
    use plymap_statistics::stats::survival::log_rank::log_rank;

    /// Six people at three levels, three of them slow ones.
    fn small() -> Dataset {
        let trial_at = |(p, l): (usize, usize)| {
            let time = 10.0 + ((p * 7 + l * 5) % 11) as f64 + if p < 3 { 6.0 } else { 0.0 };
            let is_solved = Some((p + l) % 5 != 0);
            let condition = Some(if p < 3 { "slow" } else { "quick" }.to_owned());
            Trial { condition, is_solved, ..trial(p, l, 10.0, time) }
        };
        dataset((0..6).flat_map(|p| (0..3).map(move |l| (p, l))).map(trial_at).collect())
    }

    #[test]
    fn participants_are_permuted_with_all_of_their_trials() {
        let data = small();
        let test = PermutedLogRank::new(&context(&data), &known(&context(&data))).unwrap();
        // All ways to choose three of six.
        let statistic = |chosen: u32| {
            let mut groups = [Times::default(), Times::default()];
            for trial in &*data.trials {
                let group = usize::from(chosen & (1 << trial.participant) == 0);
                groups[group].push(trial.participant, trial.time_s.unwrap(), trial.is_solved.unwrap());
            }
            let [first, second] = &groups;
            log_rank(&[(&first.times, &first.solved), (&second.times, &second.solved)]).test.unwrap().statistic
        };
        let all: Vec<f64> = (0..64_u32).filter(|chosen| chosen.count_ones() == 3).map(statistic).collect();
        let observed = statistic(0b111);
        assert!((test.statistic - observed).abs() < 1e-12);
        let exact = all.iter().filter(|other| **other >= observed - 1e-9).count() as f64 / all.len() as f64;
        assert!((test.p_value.unwrap() - exact).abs() < 0.03, "{:?} for {exact}", test.p_value);
        let said = Survival::new(&context(&data)).sentences();
        assert!(said[2].contains("(1,999 permutations of participants between conditions)"), "{}", said[2]);
        assert!(said[1].contains("the median is 20.5 s; if all at once, 17.5 s."), "{}", said[1]);
    }

    #[test]
    fn who_was_in_both_conditions_is_not_permuted() {
        let mut data = small();
        data.trials_mut()[0].condition = Some("quick".to_owned());
        let test = PermutedLogRank::new(&context(&data), &known(&context(&data))).unwrap();
        assert_eq!(test.p_value, None);
        data.trials_mut().iter_mut().for_each(|trial| trial.condition = None);
        assert!(PermutedLogRank::new(&context(&data), &known(&context(&data))).is_none());
    }

    #[test]
    fn intervals_allow_for_trials_of_one_person_where_there_are_several_people() {
        let data = small();
        let points = |data: &Dataset| Survival::new(&context(data)).points;
        let of_all = |points: &[Record]| points.iter().find_map(|point| point.number(LOWER)).unwrap();
        let (times, solved): (Vec<f64>, Vec<bool>) =
            data.trials.iter().map(|trial| (trial.time_s.unwrap(), trial.is_solved.unwrap())).unzip();
        let people: Vec<usize> = data.trials.iter().map(|trial| trial.participant).collect();
        let lower = |curve: KaplanMeier| curve.points.iter().find_map(|point| point.lower).unwrap();
        let between = lower(kaplan_meier_clustered(&times, &solved, &people, Confidence::default()));
        let independent = lower(kaplan_meier(&times, &solved, Confidence::default()));
        assert_eq!(of_all(&points(&data)), between);
        let mut alone = data;
        alone.trials_mut().iter_mut().for_each(|trial| trial.participant = 0);
        assert_eq!(of_all(&points(&alone)), independent);
        assert!(between != independent);
    }

    /// Three of eight are solved before a limit of 20 s, which two met without a move: no median is reached. Had the others
    /// been censored with their last moves, that of 12 s would seem to be.
    #[test]
    fn trials_are_censored_with_their_limit() {
        let mut line = Line::new();
        for (participant, step_s) in [("p1", 1.0), ("p2", 2.0), ("p3", 2.4)] {
            line = line.timed(Some(step_s)).attempt(participant, "A", 1, "d d d d d");
        }
        for participant in ["p4", "p5", "p6"] {
            line = line.timed(Some(5.0)).attempt(participant, "A", 1, "d u hint limit");
        }
        for participant in ["p7", "p8"] {
            line = line.timed(Some(20.0)).attempt(participant, "A", 1, "limit");
        }
        let (log, levels) = (line.log(), levels(&["A"]));
        let data = Dataset::new(&log, &Measures::new(&log, &[], &levels), &levels);
        let survival = Survival::new(&context(&data));
        let all = &survival.medians[0];
        assert_eq!(
            [N, N_EVENTS, N_CENSORED, N_LEFT_OUT].map(|column| all.number(column)),
            [Some(8.0), Some(3.0), Some(5.0), Some(0.0)]
        );
        assert_eq!(all.number(ESTIMATE), None);
        assert!(survival.sentences[0].contains("5 ended without a solution"), "{}", survival.sentences[0]);
        let last = survival.points.iter().rfind(|point| point.text(SCOPE) == Some("all")).unwrap();
        assert_eq!((last.number(TIME), last.number(CENSORED_AT_TIME)), (Some(20.0), Some(5.0)));
        let of_last_moves = [5.0, 10.0, 12.0, 10.0, 10.0, 10.0];
        let solved = [true, true, true, false, false, false];
        assert_eq!(kaplan_meier(&of_last_moves, &solved, Confidence::default()).median.estimate, Some(12.0));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let survival = Survival::new(&context(&data));
            survival.tables().iter().for_each(check_cells);
            let medians = &survival.tables()[0];
            for (median, reason) in medians.cells("median_s").iter().zip(medians.cells("reason")) {
                assert!(median.is_some() || reason.is_some());
            }
        }
    }
}
