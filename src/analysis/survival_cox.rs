//! What the time to solve depends on: Cox regressions on the distance of the level and on the condition.

use std::collections::{BTreeMap, BTreeSet};

use super::Context;
use super::conditions::MOST_CONDITIONS;
use crate::table::Table;
use plymap_statistics::record::*;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::covariate::*;
use plymap_statistics::stats::survival::cox::{CONCORDANCE, Cox, CoxGroups, cox_grouped};
use plymap_statistics::stats::survival::proportional_hazards::TimeScale;

const DISTANCE: &str = "start_distance";

const STRATA: Column = text(
    "strata",
    "none: one baseline hazard for all trials; level: one for each level, so that conditions are compared within levels",
)
.levels(&["none", "level"]);
const COVARIATE: Column =
    text("covariate", "start_distance of the level, or a condition, compared with the first one by name");
const N_CENSORED: Column =
    count("n_censored", "number of censored trials, which ended without a solution, given up for instance");
const N_LEFT_OUT: Column =
    count("n_left_out", "number of trials without a time, distance or condition, or of which rows were left out");
const N_LEVELS: Column = count("n_levels", "number of levels");
const CLUSTERS: Column =
    text("clusters", "clusters of the robust standard error: participants; also levels, where these are enough")
        .levels(&["participant", "participant and level", "none"]);
const PROPORTIONAL: Column = number(
    "proportional_chi_squared",
    "test of proportional hazards (Grambsch and Therneau, 1994; time as the Kaplan-Meier curve): does the hazard ratio change over time? Assumes independent trials",
);
const PROPORTIONAL_P: Column = number("proportional_p", "its p, from chi-squared with one degree of freedom");
const COLUMNS: &[Column] = &[
    STRATA,
    COVARIATE,
    N.means("number of trials"),
    N_EVENTS.shown_as("n_solved").means("number of them that were solved"),
    N_CENSORED,
    N_LEFT_OUT,
    N_PARTICIPANTS,
    N_LEVELS,
    CLUSTERS,
    ESTIMATE.means(
        "change of the log hazard of a solution for one move more of distance, or in this condition instead of the first one: above 0 where solutions come sooner",
    ),
    STANDARD_ERROR.means(
        "cluster-robust standard error (Lin and Wei, 1989; two-way clusters: Cameron, Gelbach and Miller, 2011), its variance times G / (G − 1) for G clusters, the fewer of two kinds",
    ),
    LOWER,
    UPPER,
    RATIO.shown_as("hazard_ratio").means("hazard ratio: the exponential of the estimate"),
    RATIO_LOWER.shown_as("hazard_ratio_lower").means("lower end of its interval"),
    RATIO_UPPER.shown_as("hazard_ratio_upper").means("upper end of its interval"),
    CONFIDENCE,
    STATISTIC.means("t: estimate / standard_error; z where trials are taken as independent"),
    DF.means("degrees of freedom of t: number of clusters less 1, of the fewer of two kinds (Cameron and Miller, 2015)"),
    P_VALUE.means("two-sided p of the hypothesis of no effect"),
    PROPORTIONAL,
    PROPORTIONAL_P,
    CONCORDANCE.means(
        "concordance index (Harrell's C): share of pairs of trials that the model orders correctly, the same for all covariates of a model; not with strata",
    ),
    SENTENCE.means("APA-formatted result"),
    REASON.means("why the result is missing, or how the standard error had to be made"),
];

/// The regressions of a study. The time grows with the number of trials times the squared number of covariates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SurvivalCox {
    records: Vec<Record>,
    sentences: Vec<String>,
}

/// A trial with all that a model needs.
#[derive(Clone, Copy)]
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
        let entries = entries(context, &names);
        let has_conditions = (2..=MOST_CONDITIONS).contains(&names.len());
        let mut found = Self::default();
        if data.unit.is_distance() {
            found.fit(context, Strata::None, &entries, if has_conditions { &names } else { &[] });
        }
        if has_conditions {
            found.fit(context, Strata::Level, &entries, &names);
        }
        if names.len() > MOST_CONDITIONS {
            let reason = format!("there are {} conditions; at most {MOST_CONDITIONS} are compared", names.len());
            let row = shared(context, Strata::Level, &entries).set(CONFIDENCE, context.confidence().level());
            let row = row.set(COVARIATE, "condition").set(CLUSTERS, "participant");
            found.records.push(row.set(SENTENCE, not_estimable(entries.len(), Some(&reason))).set(REASON, reason));
        }
        found.sentences.truncate(4);
        found
    }

    /// The table `survival_cox`; absent where there is neither a distance nor a condition.
    pub fn table(&self) -> Option<Table> {
        if self.records.is_empty() {
            return None;
        }
        let caption = "What the time to solve depends on: Cox regressions (Cox, 1972; ties after Efron, 1977), with trials that ended without a solution censored.";
        Some(Table::of_records("survival_cox", caption, COLUMNS, &self.records))
    }

    /// The hazard ratios in words, with what speaks against them.
    pub fn sentences(&self) -> Vec<String> {
        self.sentences.clone()
    }

    /// Adds the rows of a model; without conditions, of the distance alone.
    fn fit(&mut self, context: &Context, strata: Strata, entries: &[Entry], conditions: &[&str]) {
        let is_known = |entry: &&Entry| {
            (strata == Strata::Level || entry.distance.is_some())
                && (conditions.is_empty() || entry.condition.is_some())
        };
        let entries: Vec<Entry> = entries.iter().filter(is_known).copied().collect();
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
        let (model, clusters, note) = clustered(context, strata, &entries, &covariates);
        let shared = shared(context, strata, &entries)
            .set(CLUSTERS, clusters)
            .set(CONCORDANCE, model.concordance.map(|found| found.estimate))
            .set(CONFIDENCE, context.confidence().level());
        let proportional = model.proportionality(TimeScale::KaplanMeier);
        for (name, _) in &columns {
            let effect = model.effects.iter().find(|effect| effect.name == *name);
            let effect = effect.map(|own| match n_clusters(clusters, &entries) {
                Some(n) => own.with_few_clusters(n, context.confidence()),
                None => own.clone(),
            });
            let effect = effect.as_ref();
            let tests = proportional.and_then(|tests| tests.covariates.iter().find(|own| own.name == *name));
            let test = tests.and_then(|own| own.test);
            let reason = if covariates.iter().any(|covariate| covariate.name == *name) {
                model.reason.as_ref().map(ToString::to_string).or(note.clone())
            } else if model.n == 0 {
                Some("no trial has a time and all of the covariates".to_owned())
            } else {
                Some(format!("all values of {name} are equal"))
            };
            let sentence = match effect {
                Some(effect) => effect.sentence("HR", context.confidence()),
                None => not_estimable(model.n, reason.as_deref()),
            };
            // Conditions are compared within levels; the distance has no other place than the first model.
            if effect.is_some() && (strata == Strata::Level || *name == DISTANCE) {
                self.sentences.push(said(strata, name, &sentence));
            }
            let row =
                shared.clone().overlaid(effect.map_or_else(Record::new, |own| own.record("HR", context.confidence())));
            let row = row.set(DF, effect.and_then(|own| own.df));
            let row = row.set(PROPORTIONAL, test.map(|test| test.statistic));
            let row = row.set(PROPORTIONAL_P, test.map(|test| test.p_value));
            self.records.push(row.set(COVARIATE, *name).set(SENTENCE, sentence).set(REASON, reason));
        }
    }
}

fn entries(context: &Context, conditions: &[&str]) -> Vec<Entry> {
    let data = context.data;
    let distance = |row: &super::dataset::LevelRow| row.measures.iter().find(|(name, _)| *name == DISTANCE)?.1;
    let distances: BTreeMap<&str, f64> =
        data.level_rows.iter().filter_map(|row| Some((row.name.as_str(), distance(row)?))).collect();
    let entry = |trial: &super::dataset::Trial| {
        let level = data.levels.get(trial.level)?;
        Some(Entry {
            time: trial.time_s.filter(|time| time.is_finite())?,
            is_solved: trial.is_solved?,
            participant: trial.participant,
            level: trial.level,
            distance: distances.get(level.as_str()).copied(),
            condition: trial.condition.as_deref().and_then(|own| conditions.binary_search(&own).ok()),
        })
    };
    data.trials.iter().filter_map(entry).collect()
}

/// The model with standard errors for clusters of participants and of levels, or of participants where levels are too
/// few or strata; for none where participants are no clusters. What the clusters are, and why not more of them.
fn clustered(
    context: &Context,
    strata: Strata,
    entries: &[Entry],
    covariates: &[Covariate],
) -> (Cox, &'static str, Option<String>) {
    let times: Vec<f64> = entries.iter().map(|entry| entry.time).collect();
    let events: Vec<bool> = entries.iter().map(|entry| entry.is_solved).collect();
    let levels: Vec<usize> = entries.iter().map(|entry| entry.level).collect();
    let participants: Vec<usize> = entries.iter().map(|entry| entry.participant).collect();
    let by = |clusters: Option<&[usize]>, second_clusters: Option<&[usize]>| {
        let strata = (strata == Strata::Level).then_some(&levels[..]);
        cox_grouped(&times, &events, covariates, CoxGroups { clusters, second_clusters, strata }, context.confidence())
    };
    let mut note = None;
    if strata == Strata::None {
        let model = by(Some(&participants), Some(&levels));
        if !model.effects.is_empty() {
            return (model, "participant and level", None);
        }
        note = Some("levels are too few to be clusters of a robust standard error".to_owned());
    }
    let model = by(Some(&participants), None);
    if !model.effects.is_empty() {
        return (model, "participant", note);
    }
    // One participant, or clusters that balance each other: the trials are then taken as independent.
    let why = match &model.reason {
        _ if model.n_clusters == Some(1) => "there is one participant".to_owned(),
        Some(reason) if model.converged => reason.to_string(),
        _ => return (model, "participant", None),
    };
    (by(None, None), "none", Some(format!("trials are assumed independent: {why}")))
}

/// What all rows of a model share.
fn shared(context: &Context, strata: Strata, entries: &[Entry]) -> Record {
    let distinct = |of: fn(&Entry) -> usize| entries.iter().map(of).collect::<BTreeSet<_>>().len();
    let n_solved = entries.iter().filter(|entry| entry.is_solved).count();
    Record::new()
        .set(STRATA, if strata == Strata::None { "none" } else { "level" })
        .set(N, entries.len())
        .set(N_EVENTS, n_solved)
        .set(N_CENSORED, entries.len() - n_solved)
        .set(N_LEFT_OUT, context.data.trials.len() - entries.len())
        .set(N_PARTICIPANTS, distinct(|entry| entry.participant))
        .set(N_LEVELS, distinct(|entry| entry.level))
}

fn not_estimable(n: usize, reason: Option<&str>) -> String {
    let reason = reason.map_or(String::new(), |reason| format!(" ({reason})"));
    format!("HR not estimable, n = {}{reason}", apa::count(n))
}

/// A hazard ratio in words.
fn said(strata: Strata, covariate: &str, sentence: &str) -> String {
    let (what, within) = match strata {
        Strata::Level => (format!("condition {covariate}"), ", stratified by level"),
        Strata::None => (covariate.replace('_', " "), ""),
    };
    format!("Hazard of a solution, {what}{within}: {sentence}.")
}

/// The fewest clusters of one kind; absent where trials are taken as independent.
fn n_clusters(clusters: &str, entries: &[Entry]) -> Option<usize> {
    let distinct = |of: fn(&Entry) -> usize| entries.iter().map(of).collect::<BTreeSet<_>>().len();
    let (participants, levels) = (distinct(|entry| entry.participant), distinct(|entry| entry.level));
    let least = match clusters {
        "participant and level" => participants.min(levels),
        "participant" => participants,
        _ => return None,
    };
    (least > 1).then_some(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dataset::{Dataset, Trial};
    use crate::analysis::fixture::{Cells, check_cells, context, dataset, hard_cases, trial};
    use plymap_statistics::stats::Confidence;

    /// Ten participants at six levels: farther levels take longer, and so does condition b; some are given up.
    fn small() -> Dataset {
        let of = |p: usize, l: usize| {
            let time = (20 + 9 * l + (p * 17 + l * 29) % 40 + 25 * (p % 2)) as f64;
            let condition = Some(["a", "b"][p % 2].to_owned());
            Trial { condition, is_solved: Some(!(p + 2 * l).is_multiple_of(7)), ..trial(p, l, 9.0, time) }
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
        let table = found.table().unwrap();
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
            let groups = CoxGroups { clusters: Some(clusters), second_clusters: None, strata };
            cox_grouped(&times, &events, covariates, groups, Confidence::default())
        };
        let whole: Vec<usize> = (0..60).collect();
        let three = [&who, &levels, &whole].map(|clusters| by(clusters, &covariates, None));
        let error = |model: &Cox| model.effects[0].standard_error.powi(2);
        let expected = error(&three[0]) + error(&three[1]) - error(&three[2]);
        // Six levels are the fewer clusters.
        let expected = (expected.max(error(&three[0])).max(error(&three[1])) * 6.0 / 5.0).sqrt();
        assert_eq!((number(&table, "df", 0), number(&table, "df", 2)), (5.0, 9.0));
        assert!((number(&table, "standard_error", 0) - expected).abs() < 1e-12);
        assert!((number(&table, "estimate", 0) - three[0].effects[0].estimate).abs() < 1e-12);
        assert!(number(&table, "estimate", 0) < 0.0 && number(&table, "estimate", 2) < 0.0);
        let within = by(&who, &covariates[1..], Some(&levels));
        assert!((number(&table, "hazard_ratio", 2) - within.effects[0].ratio).abs() < 1e-12);
        let expected = within.effects[0].with_few_clusters(10, Confidence::default());
        assert!((number(&table, "standard_error", 2) - expected.standard_error).abs() < 1e-12);
        assert!((number(&table, "p_value", 2) - expected.p_value).abs() < 1e-12);
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
        let table = SurvivalCox::new(&context(&data)).table().unwrap();
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
        let table = SurvivalCox::new(&context(&one)).table().unwrap();
        assert_eq!(table.texts("clusters"), [Some("none".to_owned())]);
        assert!(table.texts("reason")[0].as_ref().unwrap().contains("there is one participant"));
        few.trials.retain(|trial| trial.level < 2);
        let table = SurvivalCox::new(&context(&few)).table().unwrap();
        assert_eq!(table.texts("clusters"), [Some("participant".to_owned())]);
        assert!(table.texts("reason")[0].as_ref().unwrap().contains("levels are too few"));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let found = SurvivalCox::new(&context(&data));
            found.sentences();
            let Some(table) = found.table() else {
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
