//! What the time to solve depends on: Cox regressions on the distance of the level and on the condition.

use std::collections::{BTreeMap, BTreeSet};

use polars::prelude::PolarsResult;

use super::Context;
use super::conditions::MOST_CONDITIONS;
use super::effect_columns::{Names, effect_columns};
use crate::table::{Columns, Table};
use plymap_statistics::stats::chi_squared::ChiSquaredTest;
use plymap_statistics::stats::covariate::{Covariate, Effect};
use plymap_statistics::stats::survival::cox::{Cox, Groups, cox_grouped};
use plymap_statistics::stats::survival::proportional_hazards::{ProportionalHazards, TimeScale};
use plymap_statistics::stats::{Confidence, apa};

/// The regressions of a study. The time grows with the number of trials times the squared number of covariates.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SurvivalCox {
    rows: Vec<Row>,
    confidence: Confidence,
}

/// One covariate of one model.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    strata: &'static str,
    covariate: String,
    n: usize,
    n_solved: usize,
    n_left_out: usize,
    n_participants: usize,
    n_levels: usize,
    clusters: &'static str,
    effect: Option<Effect>,
    proportional: Option<ChiSquaredTest>,
    concordance: Option<f64>,
    reason: Option<String>,
}

/// A trial with all that a model needs.
struct Entry {
    time: f64,
    is_solved: bool,
    participant: usize,
    level: usize,
    distance: Option<f64>,
    condition: Option<usize>,
}

/// Which of the two models.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strata {
    /// One baseline hazard: distance, and condition beside it.
    None,
    /// One for each level, within which conditions are compared.
    Level,
}

impl SurvivalCox {
    /// Fits the models to the trials whose time, end, distance and, where there are several, condition are known.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let names: BTreeSet<&str> = data.trials.iter().filter_map(|trial| trial.condition.as_deref()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let distance_of: BTreeMap<&str, f64> = data
            .level_rows
            .iter()
            .filter_map(|row| {
                let (_, value) = row.measures.iter().find(|(name, _)| *name == "start_distance")?;
                Some((row.name.as_str(), (*value)?))
            })
            .collect();
        let entries: Vec<Entry> = data
            .trials
            .iter()
            .filter_map(|trial| {
                let level = data.levels.get(trial.level)?;
                Some(Entry {
                    time: trial.time_s.filter(|time| time.is_finite())?,
                    is_solved: trial.is_solved?,
                    participant: trial.participant,
                    level: trial.level,
                    distance: distance_of.get(level.as_str()).copied(),
                    condition: trial.condition.as_deref().and_then(|own| names.binary_search(&own).ok()),
                })
            })
            .collect();
        let has_conditions = (2..=MOST_CONDITIONS).contains(&names.len());
        let mut rows = Vec::new();
        if data.unit.is_distance() {
            rows.extend(fit(context, Strata::None, &entries, if has_conditions { &names } else { &[] }));
        }
        if has_conditions {
            rows.extend(fit(context, Strata::Level, &entries, &names));
        }
        if names.len() > MOST_CONDITIONS {
            let reason = format!("there are {} conditions; at most {MOST_CONDITIONS} are compared", names.len());
            rows.push(Row { reason: Some(reason), ..empty(Strata::Level, &entries, data.trials.len(), "condition") });
        }
        Self { rows, confidence: context.confidence }
    }

    /// The table `survival_cox`; absent where there is neither a distance nor a condition.
    ///
    /// # Errors
    ///
    /// Never in practice: the columns are of equal length.
    pub fn table(&self) -> PolarsResult<Option<Table>> {
        if self.rows.is_empty() {
            return Ok(None);
        }
        let rows = &self.rows[..];
        let names = Names {
            estimate: "change of the log hazard of a solution for one move more of distance, or in this condition instead of the first one: above 0 where solutions come sooner",
            ratio: "hazard_ratio",
            ratio_meaning: "hazard ratio: the exponential of the estimate",
            standard_error: "cluster-robust standard error (Lin and Wei, 1989; two-way clusters: Cameron, Gelbach and Miller, 2011); too small for few clusters",
        };
        let columns = Columns::new()
            .text(rows, "strata", "none: one baseline hazard for all trials; level: one for each level, so that conditions are compared within levels", |row| row.strata.to_owned())
            .text(rows, "covariate", "start_distance of the level, or a condition, compared with the first one by name", |row| row.covariate.clone())
            .count(rows, "n", "number of trials", |row| row.n as u64)
            .count(rows, "n_solved", "number of them that were solved", |row| row.n_solved as u64)
            .count(rows, "n_censored", "number of censored trials, which ended without a solution, given up for instance", |row| (row.n - row.n_solved) as u64)
            .count(rows, "n_left_out", "number of trials without a time, distance or condition, or of which rows were left out", |row| row.n_left_out as u64)
            .count(rows, "n_participants", "number of participants", |row| row.n_participants as u64)
            .count(rows, "n_levels", "number of levels", |row| row.n_levels as u64)
            .text(rows, "clusters", "clusters of the robust standard error: participants; also levels, where these are enough", |row| row.clusters.to_owned());
        effect_columns(columns, rows, &names, self.confidence, |row: &Row| row.effect.as_ref())
            .number(rows, "proportional_chi_squared", "", "test of proportional hazards (Grambsch and Therneau, 1994; time as the Kaplan-Meier curve): does the hazard ratio change over time? Assumes independent trials", |row| row.proportional.map(|test| test.statistic))
            .number(rows, "proportional_p", "", "its p, from chi-squared with one degree of freedom", |row| row.proportional.map(|test| test.p_value))
            .number(rows, "concordance", "", "concordance index (Harrell's C): share of pairs of trials that the model orders correctly, the same for all covariates of a model; not with strata", |row| row.concordance)
            .text(rows, "sentence", "APA-formatted result", |row| self.sentence(row))
            .label(rows, "reason", "why the result is missing, or how the standard error had to be made", |row| row.reason.clone())
            .into_table("survival_cox", "What the time to solve depends on: Cox regressions (Cox, 1972; ties after Efron, 1977), with trials that ended without a solution censored.")
            .map(Some)
    }

    fn sentence(&self, row: &Row) -> String {
        match &row.effect {
            Some(effect) => effect.sentence("HR", self.confidence),
            None => match &row.reason {
                Some(reason) => format!("HR not estimable, n = {} ({reason})", row.n),
                None => format!("HR not estimable, n = {}", row.n),
            },
        }
    }

    /// The hazard ratios in words, with what speaks against them.
    pub fn sentences(&self) -> Vec<String> {
        let said = |row: &Row| {
            let (what, within) = match row.strata {
                "level" => (format!("condition {}", row.covariate), ", stratified by level"),
                _ => (row.covariate.replace('_', " "), ""),
            };
            row.effect.as_ref()?;
            let proportional = row.proportional.map_or(String::new(), |test| {
                let verdict = if test.p_value < 0.05 { "changes over time" } else { "is not seen to change over time" };
                format!(
                    " (the ratio {verdict}: χ²({}) = {}, {})",
                    test.df,
                    apa::number(test.statistic, 2),
                    apa::p_value(test.p_value)
                )
            });
            Some(format!("Hazard of a solution, {what}{within}: {}{proportional}.", self.sentence(row)))
        };
        // Conditions are compared within levels; the distance has no other place than the first model.
        let is_main = |row: &&Row| row.strata == "level" || row.covariate == DISTANCE;
        self.rows.iter().filter(is_main).filter_map(said).take(4).collect()
    }
}

const DISTANCE: &str = "start_distance";

fn empty(strata: Strata, entries: &[Entry], n_trials: usize, covariate: &str) -> Row {
    let distinct = |of: fn(&Entry) -> usize| entries.iter().map(of).collect::<BTreeSet<_>>().len();
    Row {
        strata: if strata == Strata::None { "none" } else { "level" },
        covariate: covariate.to_owned(),
        n: entries.len(),
        n_solved: entries.iter().filter(|entry| entry.is_solved).count(),
        n_left_out: n_trials - entries.len(),
        n_participants: distinct(|entry| entry.participant),
        n_levels: distinct(|entry| entry.level),
        clusters: "participant",
        effect: None,
        proportional: None,
        concordance: None,
        reason: None,
    }
}

/// The rows of a model; without conditions, of the distance alone.
fn fit(context: &Context, strata: Strata, entries: &[Entry], conditions: &[&str]) -> Vec<Row> {
    let is_known = |entry: &&Entry| {
        (strata == Strata::Level || entry.distance.is_some()) && (conditions.is_empty() || entry.condition.is_some())
    };
    let entries: Vec<Entry> = entries.iter().filter(is_known).map(|entry| Entry { ..*entry }).collect();
    let mut columns: Vec<(&str, Vec<f64>)> = Vec::new();
    if strata == Strata::None {
        columns.push((DISTANCE, entries.iter().filter_map(|entry| entry.distance).collect()));
    }
    for (number, name) in conditions.iter().enumerate().skip(1) {
        let is_own = |entry: &Entry| f64::from(u8::from(entry.condition == Some(number)));
        columns.push((name, entries.iter().map(is_own).collect()));
    }
    // A covariate that is the same in all trials has no effect, and must not take that of the others with it.
    let varies = |(_, values): &&(&str, Vec<f64>)| values.iter().any(|value| *value != values[0]);
    let covariates: Vec<Covariate> =
        columns.iter().filter(varies).map(|(name, values)| Covariate { name, values }).collect();
    let times: Vec<f64> = entries.iter().map(|entry| entry.time).collect();
    let events: Vec<bool> = entries.iter().map(|entry| entry.is_solved).collect();
    let levels: Vec<usize> = entries.iter().map(|entry| entry.level).collect();
    let participants: Vec<usize> = entries.iter().map(|entry| entry.participant).collect();
    let n_levels = context.data.levels.len();
    let both: Vec<usize> = entries.iter().map(|entry| entry.participant * n_levels + entry.level).collect();
    let by = |clusters: Option<&[usize]>| {
        let strata = (strata == Strata::Level).then_some(&levels[..]);
        cox_grouped(&times, &events, &covariates, Groups { clusters, strata }, context.confidence)
    };
    let mut model = by(Some(&participants));
    let mut clusters = "participant";
    let mut note = None;
    if model.effects.is_empty() && model.converged {
        // One participant, or clusters that balance each other: the trials are then taken as independent.
        note = model.reason.as_ref().map(|reason| format!("trials are assumed independent: {reason}"));
        (model, clusters) = (by(None), "none");
    } else if model.n_clusters == Some(1) {
        note = Some("trials are assumed independent: there is one participant".to_owned());
        (model, clusters) = (by(None), "none");
    } else if strata == Strata::None && !model.effects.is_empty() {
        let (of_levels, of_both) = (by(Some(&levels)), by(Some(&both)));
        // With no more levels than effects, their scores are nearly 0 by the fit itself.
        let is_enough = of_levels.n_clusters.is_some_and(|n| n > model.effects.len() + 1);
        if is_enough && !of_levels.effects.is_empty() && !of_both.effects.is_empty() {
            let found = model.effects.iter().zip(&of_levels.effects).zip(&of_both.effects);
            model.effects =
                found.map(|((one, other), both)| Effect::two_way(one, other, both, context.confidence)).collect();
            clusters = "participant and level";
        } else {
            note = Some("levels are too few to be clusters of a robust standard error".to_owned());
        }
    }
    let proportional = model.proportionality(TimeScale::KaplanMeier);
    let row = |(name, _): &(&str, Vec<f64>)| Row {
        clusters,
        effect: model.effects.iter().find(|effect| effect.name == *name).cloned(),
        proportional: proportional.and_then(|tests| test_of(tests, name)),
        concordance: model.concordance.map(|found| found.estimate),
        reason: reason(&model, &covariates, name, note.as_ref()),
        ..empty(strata, &entries, context.data.trials.len(), name)
    };
    columns.iter().map(row).collect()
}

fn test_of(tests: &ProportionalHazards, name: &str) -> Option<ChiSquaredTest> {
    tests.covariates.iter().find(|own| own.name == name)?.test
}

fn reason(model: &Cox, covariates: &[Covariate], name: &str, note: Option<&String>) -> Option<String> {
    if !covariates.iter().any(|covariate| covariate.name == name) {
        return Some(match model.n {
            0 => "no trial has a time and all of the covariates".to_owned(),
            _ => format!("all values of {name} are equal"),
        });
    }
    model.reason.as_ref().map(ToString::to_string).or(note.cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dataset::{Dataset, TrialRow};
    use crate::analysis::fixture::{Cells, check_cells, context, dataset, hard_cases, trial};

    /// Ten participants at six levels: farther levels take longer, and so does condition b; some are given up.
    fn small() -> Dataset {
        let of = |p: usize, l: usize| {
            let time = (20 + 9 * l + (p * 17 + l * 29) % 40 + 25 * (p % 2)) as f64;
            let condition = Some(["a", "b"][p % 2].to_owned());
            TrialRow { condition, is_solved: Some(!(p + 2 * l).is_multiple_of(7)), ..trial(p, l, 9.0, time) }
        };
        dataset((0..10).flat_map(|p| (0..6).map(move |l| of(p, l))).collect())
    }

    fn number(table: &Table, column: &str, row: usize) -> f64 {
        table.texts(column)[row].as_ref().unwrap_or_else(|| panic!("no {column}")).parse().unwrap()
    }

    #[test]
    fn rows_are_distance_and_conditions_and_conditions_within_levels() {
        let data = small();
        let found = SurvivalCox::new(&context(&data));
        let table = found.table().unwrap().unwrap();
        check_cells(&table);
        let text = |column: &str| table.texts(column).into_iter().flatten().collect::<Vec<_>>();
        assert_eq!(text("strata"), ["none", "none", "level"]);
        assert_eq!(text("covariate"), ["start_distance", "b", "b"]);
        assert_eq!(text("clusters"), ["participant and level", "participant and level", "participant"]);
        assert_eq!(text("n"), ["60"; 3]);
        let n_solved = data.trials.iter().filter(|trial| trial.is_solved == Some(true)).count();
        assert_eq!(text("n_solved"), [n_solved.to_string(), n_solved.to_string(), n_solved.to_string()]);
        let times: Vec<f64> = data.trials.iter().map(|trial| trial.time_s.unwrap()).collect();
        let events: Vec<bool> = data.trials.iter().map(|trial| trial.is_solved.unwrap()).collect();
        let distance: Vec<f64> = data.trials.iter().map(|trial| 5.0 + trial.level as f64).collect();
        let is_b: Vec<f64> = data.trials.iter().map(|trial| (trial.participant % 2) as f64).collect();
        let covariates =
            [Covariate { name: "start_distance", values: &distance }, Covariate { name: "b", values: &is_b }];
        let who: Vec<usize> = data.trials.iter().map(|trial| trial.participant).collect();
        let levels: Vec<usize> = data.trials.iter().map(|trial| trial.level).collect();
        let by = |clusters: &[usize], covariates: &[Covariate], strata| {
            let groups = Groups { clusters: Some(clusters), strata };
            cox_grouped(&times, &events, covariates, groups, Confidence::default())
        };
        let whole: Vec<usize> = (0..60).collect();
        let three = [&who, &levels, &whole].map(|clusters| by(clusters, &covariates, None));
        let error = |model: &Cox| model.effects[0].standard_error.powi(2);
        let expected = error(&three[0]) + error(&three[1]) - error(&three[2]);
        let expected = expected.max(error(&three[0])).max(error(&three[1])).sqrt();
        assert!((number(&table, "standard_error", 0) - expected).abs() < 1e-12);
        assert!((number(&table, "estimate", 0) - three[0].effects[0].estimate).abs() < 1e-12);
        assert!(number(&table, "estimate", 0) < 0.0 && number(&table, "estimate", 2) < 0.0);
        let within = by(&who, &covariates[1..], Some(&levels));
        assert!((number(&table, "hazard_ratio", 2) - within.effects[0].ratio).abs() < 1e-12);
        assert!((number(&table, "standard_error", 2) - within.effects[0].standard_error).abs() < 1e-12);
        let test = within.proportionality(TimeScale::KaplanMeier).unwrap().covariates[0].test.unwrap();
        assert!((number(&table, "proportional_p", 2) - test.p_value).abs() < 1e-12);
        let said = found.sentences();
        assert_eq!(said.len(), 2);
        assert!(said[0].starts_with("Hazard of a solution, start distance: HR = 0."), "{}", said[0]);
        assert!(said[1].starts_with("Hazard of a solution, condition b, stratified by level: HR = 0."), "{}", said[1]);
    }

    #[test]
    fn trials_without_a_time_or_condition_are_counted_as_left_out() {
        let mut data = small();
        data.trials[0].time_s = None;
        data.trials[1].is_solved = None;
        data.trials[2].condition = None;
        data.level_rows[5].measures[0].1 = None;
        let table = SurvivalCox::new(&context(&data)).table().unwrap().unwrap();
        // The last level has no distance: its ten trials are in the model of conditions only.
        assert_eq!(table.texts("n_left_out"), ["13", "13", "3"].map(|n| Some(n.to_owned())));
        assert_eq!(table.texts("n_levels"), ["5", "5", "6"].map(|n| Some(n.to_owned())));
    }

    #[test]
    fn one_participant_has_trials_that_are_assumed_independent_and_few_levels_are_reported() {
        let mut one = small();
        one.trials.iter_mut().for_each(|trial| trial.condition = None);
        let mut few = one.clone();
        one.trials.retain(|trial| trial.participant == 4);
        let table = SurvivalCox::new(&context(&one)).table().unwrap().unwrap();
        assert_eq!(table.texts("clusters"), [Some("none".to_owned())]);
        assert!(table.texts("reason")[0].as_ref().unwrap().contains("there is one participant"));
        few.trials.retain(|trial| trial.level < 2);
        let table = SurvivalCox::new(&context(&few)).table().unwrap().unwrap();
        assert_eq!(table.texts("clusters"), [Some("participant".to_owned())]);
        assert!(table.texts("reason")[0].as_ref().unwrap().contains("levels are too few"));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let found = SurvivalCox::new(&context(&data));
            found.sentences();
            let Some(table) = found.table().unwrap() else {
                assert!(!data.unit.is_distance());
                continue;
            };
            check_cells(&table);
            for (estimate, reason) in table.texts("estimate").iter().zip(table.texts("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
        }
    }
}
