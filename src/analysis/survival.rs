//! How long attempts last until the level is solved, with those that were given up censored.

use std::collections::BTreeMap;

use super::Context;
use super::survival_cox::SurvivalCox;
use crate::table::Table;
use plymap_statistics::record::*;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::survival::kaplan_meier::*;
use plymap_statistics::stats::survival::log_rank::log_rank;

const SCOPE: Column = text("scope", "all trials, those of one condition, or of one level");
const GROUP: Column = text("group", "the condition or level");
const N_LEFT_OUT: Column = count("n_left_out", "trials of the study without a time, or of which rows were left out");
const LOG_RANK: Column = number(
    "log_rank",
    "log-rank statistic of all conditions, the same in each of their rows; trials of one person are not independent",
);
const MEDIANS: &[Column] = &[
    SCOPE,
    GROUP,
    N.means("number of trials with a time"),
    N_EVENTS.shown_as("n_solved").means("number of them that were solved"),
    N_CENSORED.means("number of censored trials, which ended without a solution"),
    N_LEFT_OUT,
    ESTIMATE.shown_as("median_s").means("median time to solve (Kaplan and Meier, 1958)").unit("s"),
    LOWER.shown_as("lower_s").means("lower end of its interval (log-log)").unit("s"),
    UPPER.shown_as("upper_s").means("upper end of its interval").unit("s"),
    LOG_RANK,
    DF.means("its degrees of freedom"),
    P_VALUE.means("its p from chi-squared"),
    SENTENCE.means("APA-formatted result"),
    REASON.means("why a result is missing"),
];
const CURVES: &[Column] = &[
    SCOPE,
    GROUP,
    TIME.shown_as("time_s").means("a time at which a trial was solved or ended").unit("s"),
    N_AT_RISK.means("number of trials at risk at this time"),
    AT_TIME.shown_as("n_solved").means("solved at this time"),
    CENSORED_AT_TIME.shown_as("n_censored").means("ended without a solution at this time"),
    ESTIMATE.shown_as("unsolved").means("estimated share that is not solved by then"),
    LOWER.means("lower end of its interval (Greenwood's variance, log-log)"),
    UPPER.means("upper end of its interval"),
];

/// Times to solve, as survival curves.
pub struct Survival {
    medians: Vec<Record>,
    points: Vec<Record>,
    sentences: Vec<String>,
    cox: SurvivalCox,
}

/// Times and whether each ended with a solution.
#[derive(Default)]
struct Times {
    times: Vec<f64>,
    solved: Vec<bool>,
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
        for trial in &data.trials {
            let (Some(time), Some(solved)) = (trial.time_s, trial.is_solved) else {
                n_untimed += 1;
                continue;
            };
            let groups = [Some(&mut all), by_level.get_mut(trial.level)];
            groups.into_iter().flatten().for_each(|group| group.push(time, solved));
            if let Some(condition) = &trial.condition {
                by_condition.entry(condition).or_default().push(time, solved);
            }
        }
        let groups: Vec<(&[f64], &[bool])> =
            by_condition.values().map(|times| (times.times.as_slice(), times.solved.as_slice())).collect();
        let conditions = (groups.len() > 1).then(|| log_rank(&groups));
        let test = conditions.as_ref().and_then(|found| found.test.clone().ok());
        let of_test = Record::new()
            .set(LOG_RANK, test.map(|test| test.statistic))
            .set(DF, test.map(|test| test.df))
            .set(P_VALUE, test.map(|test| test.p_value));
        let mut found = Self { medians: vec![], points: vec![], sentences: vec![], cox: SurvivalCox::new(context) };
        let mut add = |scope: &str, group: &str, times: &Times| {
            let curve = kaplan_meier(&times.times, &times.solved, context.confidence());
            let labels = Record::new().set(SCOPE, scope).set(GROUP, group);
            let median = labels.clone().overlaid(curve.quantile_record(&curve.median)).set(SENTENCE, curve.sentence(1));
            let median = median.set(N_LEFT_OUT, n_untimed);
            found.medians.push(if scope == "condition" { median.overlaid(of_test.clone()) } else { median });
            found.points.extend(curve.points.iter().map(|point| labels.clone().overlaid(point.record())));
            if scope == "all" && curve.reason.is_none() {
                let (n, n_censored, sentence) = (apa::count(curve.n), apa::count(curve.n_censored), curve.sentence(1));
                found.sentences.push(format!(
                    "Of {n} trials with a time, {n_censored} ended without a solution and are censored; {sentence}."
                ));
            }
        };
        add("all", "", &all);
        by_condition.iter().for_each(|(condition, times)| add("condition", condition, times));
        data.levels.iter().zip(&by_level).for_each(|(level, times)| add("level", level, times));
        found.sentences.extend(conditions.map(|test| format!("Between conditions: {} (log-rank).", test.sentence())));
        found
    }

    /// The tables `survival` (medians), `survival_curves` and, where there is a distance or a condition,
    /// `survival_cox`.
    pub fn tables(&self) -> Vec<Table> {
        let caption = "Time to solve by the Kaplan-Meier estimator; trials that were given up are censored.";
        let mut tables = vec![
            Table::of_records("survival", caption, MEDIANS, &self.medians),
            Table::of_records("survival_curves", "Kaplan-Meier curves of the time to solve.", CURVES, &self.points),
        ];
        tables.extend(self.cox.table());
        tables
    }

    /// The median time to solve, the test of conditions, and what the hazard depends on, in words.
    pub fn sentences(&self) -> Vec<String> {
        [&self.sentences[..], &self.cox.sentences()].concat()
    }
}

impl Times {
    fn push(&mut self, time: f64, is_solved: bool) {
        self.times.push(time);
        self.solved.push(is_solved);
    }
}
