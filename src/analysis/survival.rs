//! How long attempts last until the level is solved, with those that were given up censored.

use polars::prelude::PolarsResult;

use super::Context;
use super::survival_cox::SurvivalCox;
use crate::table::{Columns, Table};
use plymap_statistics::stats::survival::kaplan_meier::{KaplanMeier, kaplan_meier};
use plymap_statistics::stats::survival::log_rank::{LogRank, log_rank};

/// Times to solve, as survival curves.
pub struct Survival {
    curves: Vec<Curve>,
    conditions: Option<LogRank>,
    cox: SurvivalCox,
    n_untimed: u64,
}

struct Curve {
    scope: &'static str,
    group: String,
    curve: KaplanMeier,
}

/// Times and whether each ended with a solution.
#[derive(Default)]
struct Times {
    times: Vec<f64>,
    solved: Vec<bool>,
}

impl Survival {
    /// Takes each trial's time until it was solved or ended without a solution.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let mut all = Times::default();
        let mut by_level: Vec<Times> = data.levels.iter().map(|_| Times::default()).collect();
        let mut by_condition: std::collections::BTreeMap<&str, Times> = Default::default();
        let mut n_untimed = 0;
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
        let curve = |scope, group: &str, times: &Times| Curve {
            scope,
            group: group.to_owned(),
            curve: kaplan_meier(&times.times, &times.solved, context.confidence),
        };
        let mut curves = vec![curve("all", "", &all)];
        curves.extend(by_condition.iter().map(|(condition, times)| curve("condition", condition, times)));
        curves.extend(data.levels.iter().zip(&by_level).map(|(level, times)| curve("level", level, times)));
        let groups: Vec<(&[f64], &[bool])> =
            by_condition.values().map(|times| (times.times.as_slice(), times.solved.as_slice())).collect();
        let conditions = (groups.len() > 1).then(|| log_rank(&groups));
        Self { curves, conditions, cox: SurvivalCox::new(context), n_untimed }
    }

    /// The tables `survival` (medians), `survival_curves` and, where there is a distance or a condition,
    /// `survival_cox`.
    ///
    /// # Errors
    ///
    /// Never in practice: polars builds the frame from columns of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        let rows = &self.curves[..];
        let test = self.conditions.as_ref().and_then(|found| found.test.as_ref());
        let of_conditions = |row: &Curve| test.filter(|_| row.scope == "condition");
        let medians = Columns::new()
            .text(rows, "scope", "all trials, those of one condition, or of one level", |row| row.scope.to_owned())
            .text(rows, "group", "the condition or level", |row| row.group.clone())
            .count(rows, "n", "number of trials with a time", |row| row.curve.n as u64)
            .count(rows, "n_solved", "number of them that were solved", |row| row.curve.n_events as u64)
            .count(rows, "n_censored", "number of censored trials, which ended without a solution", |row| row.curve.n_censored as u64)
            .count(rows, "n_left_out", "trials of the study without a time, or of which rows were left out", |_| self.n_untimed)
            .number(rows, "median_s", "s", "median time to solve (Kaplan and Meier, 1958)", |row| row.curve.median.estimate)
            .number(rows, "lower_s", "s", "lower end of its interval (log-log)", |row| row.curve.median.lower)
            .number(rows, "upper_s", "s", "upper end of its interval", |row| row.curve.median.upper)
            .number(rows, "log_rank", "", "log-rank statistic of all conditions, the same in each of their rows; trials of one person are not independent", |row| of_conditions(row).map(|test| test.statistic))
            .number(rows, "df", "", "its degrees of freedom", |row| of_conditions(row).map(|test| test.df as f64))
            .number(rows, "p_value", "", "its p from chi-squared", |row| of_conditions(row).map(|test| test.p_value))
            .text(rows, "sentence", "APA-formatted result", |row| row.curve.sentence(1))
            .label(rows, "reason", "why a result is missing", |row| {
                row.curve.reason.as_ref().or(row.curve.median.reason.as_ref()).map(ToString::to_string)
            })
            .into_table("survival", "Time to solve by the Kaplan-Meier estimator; trials that were given up are censored.")?;
        let points: Vec<(&Curve, &plymap_statistics::stats::survival::kaplan_meier::SurvivalPoint)> =
            self.curves.iter().flat_map(|curve| curve.curve.points.iter().map(move |point| (curve, point))).collect();
        let points = &points[..];
        let curves = Columns::new()
            .text(points, "scope", "all trials, those of one condition, or of one level", |row| row.0.scope.to_owned())
            .text(points, "group", "the condition or level", |row| row.0.group.clone())
            .number(points, "time_s", "s", "a time at which a trial was solved or ended", |row| Some(row.1.time))
            .count(points, "n_at_risk", "number of trials at risk at this time", |row| row.1.n_at_risk as u64)
            .count(points, "n_solved", "solved at this time", |row| row.1.n_events as u64)
            .count(points, "n_censored", "ended without a solution at this time", |row| row.1.n_censored as u64)
            .number(points, "unsolved", "", "estimated share that is not solved by then", |row| Some(row.1.survival))
            .number(points, "lower", "", "lower end of its interval (Greenwood's variance, log-log)", |row| row.1.lower)
            .number(points, "upper", "", "upper end of its interval", |row| row.1.upper)
            .into_table("survival_curves", "Kaplan-Meier curves of the time to solve.")?;
        let mut tables = vec![medians, curves];
        tables.extend(self.cox.table()?);
        Ok(tables)
    }

    /// The median time to solve, the test of conditions, and what the hazard depends on, in words.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if let Some(all) = self.curves.first().filter(|all| all.curve.reason.is_none()) {
            sentences.push(format!(
                "Of {} trials with a time, {} ended without a solution and are censored; {}.",
                all.curve.n,
                all.curve.n_censored,
                all.curve.sentence(1)
            ));
        }
        if let Some(test) = &self.conditions {
            sentences.push(format!("Between conditions: {} (log-rank).", test.sentence()));
        }
        sentences.extend(self.cox.sentences());
        sentences
    }
}

impl Times {
    fn push(&mut self, time: f64, is_solved: bool) {
        self.times.push(time);
        self.solved.push(is_solved);
    }
}
