//! Cox regressions of the time to solve on the distance of the level and on the condition.

use super::columns::{self, PROPORTIONAL_P, STRATA};
use super::conditions::MOST_CONDITIONS;
use super::context::Context;
use plymap_statistics::record::*;
use plymap_statistics::stats::covariate::*;
use plymap_statistics::stats::survival::cox::{CONCORDANCE, Cox, CoxGroups, cox_grouped};
use plymap_statistics::stats::survival::split_hazards::{SplitHazard, split_hazards};
use plymap_statistics::stats::{Confidence, apa};
use plymap_tables::Table;
use std::collections::{BTreeMap, BTreeSet};

const DISTANCE: &str = "start_distance";

const COVARIATE: Column =
    columns::COVARIATE.means("start_distance of the level, or a condition, compared with the first one by name");
const N_CENSORED: Column =
    count("n_censored", "number of censored trials, which ended without a solution, given up for instance");
const N_LEFT_OUT: Column =
    count("n_left_out", "number of trials without a time, distance or condition, or of which rows were left out");
const N_LEVELS: Column = count("n_levels", "number of levels");
const CLUSTERS: Column = text(
    "clusters",
    "clusters of the robust standard error: participants; also levels without strata, where they are enough",
)
.levels(&[BY_PARTICIPANT, TWO_WAY, INDEPENDENT]);
const BY_PARTICIPANT: &str = "participant";
const TWO_WAY: &str = "participant and level";
/// No clusters: trials are taken as independent.
const INDEPENDENT: &str = "none";
const SPLIT: Column =
    number("split_s", "the time by which half of the solved trials were solved, where the time is split in two")
        .unit("s");
const EARLY: Column = number("hazard_ratio_before", "hazard ratio until then");
const LATE: Column = number("hazard_ratio_after", "hazard ratio after it, of the trials that go on");
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
        "cluster-robust standard error (Lin and Wei, 1989; two-way clusters: Cameron, Gelbach and Miller, 2011), its variance times G / df for the G participants or levels whose degrees of freedom these are",
    ),
    LOWER,
    UPPER,
    RATIO.shown_as("hazard_ratio").means("hazard ratio: the exponential of the estimate"),
    RATIO_LOWER.shown_as("hazard_ratio_lower").means("lower end of its interval"),
    RATIO_UPPER.shown_as("hazard_ratio_upper").means("upper end of its interval"),
    CONFIDENCE,
    STATISTIC.means("t: estimate / standard_error; z where trials are taken as independent"),
    DF.means(
        "degrees of freedom of t, those of the unit that the covariate varies over: number of levels less 2 of the distance; of a condition between participants number of participants less number of conditions, within them number of participants less 1",
    ),
    P_VALUE.means("two-sided p of the hypothesis of no effect"),
    SPLIT,
    EARLY,
    LATE,
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

/// Stratification of the baseline hazard, one for each of the two models.
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
        let mut result = Self::default();
        if data.unit.is_distance() {
            result.fit(context, Strata::None, &entries, if has_conditions { &names } else { &[] });
        }
        if has_conditions {
            result.fit(context, Strata::Level, &entries, &names);
        }
        if names.len() > MOST_CONDITIONS {
            let reason = format!("there are {} conditions; at most {MOST_CONDITIONS} are compared", names.len());
            let row = shared(context, Strata::Level, &entries).set(CONFIDENCE, context.confidence().level());
            let row = row.set(COVARIATE, "condition").set(CLUSTERS, BY_PARTICIPANT);
            result.records.push(row.set(SENTENCE, not_estimable(entries.len(), Some(&reason))).set(REASON, reason));
        }
        result.sentences.truncate(4);
        result
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
        // Of a condition of one person nothing tells what is the person's own; the trials of a cluster alone sum to no error.
        let people = |number: usize| {
            let of_condition = entries.iter().filter(|entry| entry.condition == Some(number));
            of_condition.map(|entry| entry.participant).collect::<BTreeSet<_>>().len()
        };
        let several: Vec<usize> = (0..conditions.len()).filter(|&number| people(number) > 1).collect();
        let compared = if several.len() > 1 { &several[..] } else { &[] };
        let is_known = |entry: &&Entry| {
            (strata == Strata::Level || entry.distance.is_some())
                && (compared.is_empty() || entry.condition.is_some_and(|number| compared.contains(&number)))
        };
        let entries: Vec<Entry> = entries.iter().filter(is_known).copied().collect();
        let mut columns: Vec<(&str, Vec<f64>)> = Vec::new();
        if strata == Strata::None {
            columns.push((DISTANCE, entries.iter().filter_map(|entry| entry.distance).collect()));
        }
        let reference = several.first().copied().unwrap_or(0);
        for (number, name) in conditions.iter().enumerate().filter(|(number, _)| *number != reference) {
            let is_own = |entry: &Entry| f64::from(u8::from(entry.condition == Some(number)));
            columns.push((name, entries.iter().map(is_own).collect()));
        }
        // A covariate that is the same in all trials has no effect, and must not take that of the others with it.
        let is_alone = |name: &str| {
            let number = conditions.iter().position(|condition| *condition == name);
            number.is_some_and(|number| !compared.contains(&number))
        };
        let varies =
            |(name, values): &&(&str, Vec<f64>)| !is_alone(name) && values.iter().any(|value| *value != values[0]);
        let covariates: Vec<Covariate> =
            columns.iter().filter(varies).map(|(name, values)| Covariate { name, values }).collect();
        let rows = Rows::new(strata, &entries);
        let (model, clusters, note) = clustered(context, &rows, &covariates);
        let shared = shared(context, strata, &entries)
            .set(CLUSTERS, clusters)
            .set(CONCORDANCE, model.concordance.map(|concordance| concordance.estimate))
            .set(CONFIDENCE, context.confidence().level());
        let varying = Varying::new(&rows, clusters, &covariates, context.confidence());
        for (name, _) in &columns {
            let effect = model.fit.effects().iter().find(|effect| effect.name == *name);
            let place = covariates.iter().position(|covariate| covariate.name == *name);
            let change = place.zip(varying.as_ref());
            let reason = if covariates.iter().any(|covariate| covariate.name == *name) {
                model.fit.reason().map(ToString::to_string).or(note.clone())
            } else if is_alone(name) {
                Some("conditions are compared of which each has two participants or more: nothing tells one of a single participant from what is the participant's own".to_owned())
            } else if model.fit.n == 0 {
                Some("no trial has a time and all of the covariates".to_owned())
            } else {
                Some(format!("all values of {name} are equal"))
            };
            let sentence = match effect {
                Some(effect) => effect.sentence("HR", context.confidence()),
                None => not_estimable(model.fit.n, reason.as_deref()),
            };
            // Conditions are compared within levels; the distance has no other place than the first model.
            let is_told = strata == Strata::Level || *name == DISTANCE;
            if effect.is_some() && is_told && clusters != INDEPENDENT {
                let change = change.filter(|_| !context.is_pilot());
                let varies = change.map_or(String::new(), |(place, all)| all.said(place, context.confidence(), strata));
                self.sentences.push(said(strata, name, &sentence) + &varies);
            }
            let row = shared
                .clone()
                .overlaid(effect.map_or_else(Record::new, |effect| effect.record("HR", context.confidence())));
            let row = row.set(DF, effect.and_then(|effect| effect.df));
            let row = match change {
                Some((place, varying)) => {
                    let hazard = &varying.hazards[place];
                    row.set(SPLIT, varying.split)
                        .set(EARLY, hazard.before.exp())
                        .set(LATE, hazard.after.exp())
                        .set(PROPORTIONAL_P, varying.p_value(hazard))
                }
                None => row,
            };
            self.records.push(row.set(COVARIATE, *name).set(SENTENCE, sentence).set(REASON, reason));
        }
    }
}

/// The effects of the covariates before and after half of the solutions, in their order.
struct Varying {
    split: f64,
    hazards: Vec<SplitHazard>,
    /// True if their change has a standard error that allows for clusters, as a test needs.
    is_robust: bool,
}

impl Varying {
    /// Estimates the effects in both halves with the clusters of the model, or without a test where these are too few
    /// for twice the covariates; absent where an effect cannot be estimated in one of the halves.
    fn new(rows: &Rows, clusters: &str, covariates: &[Covariate], confidence: Confidence) -> Option<Self> {
        let (times, events) = (&rows.times, &rows.events);
        let mut solved: Vec<f64> =
            times.iter().zip(events).filter(|(_, event)| **event).map(|(time, _)| *time).collect();
        solved.sort_by(f64::total_cmp);
        let split = *solved.get(solved.len().checked_sub(1)? / 2)?;
        let hazards_of = |groups| split_hazards(times, events, covariates, groups, split, confidence).ok();
        let robust = if clusters == INDEPENDENT { None } else { hazards_of(rows.groups(clusters)) };
        let is_robust = robust.is_some();
        let hazards = robust.or_else(|| hazards_of(rows.groups(INDEPENDENT)))?;
        Some(Self { split, hazards, is_robust })
    }

    /// p of the hypothesis that a ratio does not change.
    fn p_value(&self, hazard: &SplitHazard) -> Option<f64> {
        self.is_robust.then_some(hazard.change.p_value)
    }

    /// Returns a sentence on the change of a covariate's ratio, empty unless the change is significant.
    fn said(&self, place: usize, confidence: Confidence, strata: Strata) -> String {
        let hazard = &self.hazards[place];
        match self.p_value(hazard).filter(|&p| p < 1.0 - confidence.level()) {
            Some(p) => format!(
                " It is not constant ({}): it is {} until {} s, and {} after that, so that the ratio above is a mean of both.{}",
                apa::p_value(p),
                apa::ratio(hazard.before.exp()),
                apa::number(self.split, 1),
                apa::ratio(hazard.after.exp()),
                match strata {
                    Strata::Level => " The difference of mean times does not rest on it.",
                    Strata::None => "",
                }
            ),
            None => String::new(),
        }
    }
}

/// Variables of the trials of a model, one value per trial.
struct Rows {
    times: Vec<f64>,
    events: Vec<bool>,
    participants: Vec<usize>,
    levels: Vec<usize>,
    has_strata: bool,
}

impl Rows {
    fn new(strata: Strata, entries: &[Entry]) -> Self {
        Self {
            times: entries.iter().map(|entry| entry.time).collect(),
            events: entries.iter().map(|entry| entry.is_solved).collect(),
            participants: entries.iter().map(|entry| entry.participant).collect(),
            levels: entries.iter().map(|entry| entry.level).collect(),
            has_strata: strata == Strata::Level,
        }
    }

    /// The strata, and clusters as the column of this name says.
    fn groups(&self, clusters: &str) -> CoxGroups<'_> {
        CoxGroups {
            clusters: (clusters != INDEPENDENT).then_some(&self.participants[..]),
            second_clusters: (clusters == TWO_WAY).then_some(&self.levels[..]),
            strata: self.has_strata.then_some(&self.levels[..]),
        }
    }
}

fn entries(context: &Context, conditions: &[&str]) -> Vec<Entry> {
    let data = context.data;
    let distances: BTreeMap<&str, f64> =
        data.level_rows.iter().filter_map(|row| Some((row.name.as_str(), row.measure(DISTANCE)?))).collect();
    let entry = |trial: &super::dataset::Trial| {
        let level = data.levels.get(trial.level)?;
        Some(Entry {
            time: trial.time_s.filter(|time| time.is_finite())?,
            is_solved: trial.is_solved?,
            participant: trial.participant,
            level: trial.level,
            distance: distances.get(level.as_str()).copied(),
            condition: trial.condition.as_deref().and_then(|name| conditions.binary_search(&name).ok()),
        })
    };
    data.trials.iter().filter_map(entry).collect()
}

/// The model with standard errors for clusters of participants and of levels, or of participants where levels are too
/// few or strata; for none where there is one participant. What the clusters are, and why not more of them.
fn clustered(context: &Context, rows: &Rows, covariates: &[Covariate]) -> (Cox, &'static str, Option<String>) {
    let by = |clusters| cox_grouped(&rows.times, &rows.events, covariates, rows.groups(clusters), context.confidence());
    let mut note = None;
    if !rows.has_strata {
        let model = by(TWO_WAY);
        if !model.fit.effects().is_empty() {
            return (model, TWO_WAY, None);
        }
        let few = "levels are too few to be clusters of a robust standard error, so that an effect of distance is one of these levels";
        note = Some(few.to_owned());
    }
    let model = by(BY_PARTICIPANT);
    if !model.fit.effects().is_empty() {
        return (model, BY_PARTICIPANT, note);
    }
    // The trials of one participant are all that there is; no sentence is made of them.
    if model.fit.n_clusters == Some(1) {
        let note = "trials are assumed independent: there is one participant".to_owned();
        return (by(INDEPENDENT), INDEPENDENT, Some(note));
    }
    (model, BY_PARTICIPANT, None)
}

/// Returns the values common to all rows of a model.
fn shared(context: &Context, strata: Strata, entries: &[Entry]) -> Record {
    let distinct = |factor: fn(&Entry) -> usize| entries.iter().map(factor).collect::<BTreeSet<_>>().len();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Dataset, Trial};
    use crate::testing::{Cells, check_cells, context, dataset, hard_cases, trial};
    use plymap_statistics::stats::Confidence;

    /// Ten participants at six levels: farther levels take longer, and so does condition b; some are given up.
    fn small() -> Dataset {
        let trial_at = |p: usize, l: usize| {
            let time = (20 + 9 * l + (p * 17 + l * 29) % 40 + 25 * (p % 2)) as f64;
            let condition = Some(["a", "b"][p % 2].to_owned());
            Trial { condition, is_solved: Some(!(p + 2 * l).is_multiple_of(7)), ..trial(p, l, 9.0, time) }
        };
        dataset((0..10).flat_map(|p| (0..6).map(move |l| trial_at(p, l))).collect())
    }

    fn number(table: &Table, column: &str, row: usize) -> f64 {
        table.cells(column)[row].as_ref().unwrap_or_else(|| panic!("no {column}")).parse().unwrap()
    }

    #[test]
    fn a_condition_of_one_participant_is_told_and_takes_nothing_with_it() {
        let mut data = small();
        let without = SurvivalCox::new(&context(&dataset(
            data.trials.iter().filter(|trial| trial.participant != 9).cloned().collect(),
        )));
        data.trials_mut()
            .iter_mut()
            .filter(|trial| trial.participant == 9)
            .for_each(|trial| trial.condition = Some("0".into()));
        let cox = SurvivalCox::new(&context(&data));
        let (table, without) = (cox.table().unwrap(), without.table().unwrap());
        check_cells(&table);
        let text = |table: &Table, column: &str| table.cells(column);
        // The condition comes first by its name, and is no reference.
        let covariates: Vec<String> = text(&table, "covariate").into_iter().flatten().collect();
        assert_eq!(covariates, ["start_distance", "0", "b", "0", "b"]);
        for (row, other) in [(0, 0), (2, 1), (4, 2)] {
            for column in ["estimate", "standard_error", "df", "p_value"] {
                assert_eq!(text(&table, column)[row], text(&without, column)[other], "{column}");
            }
        }
        for row in [1, 3] {
            assert_eq!((&text(&table, "estimate")[row], &text(&table, "p_value")[row]), (&None, &None));
            assert!(text(&table, "reason")[row].as_ref().unwrap().contains("single participant"));
        }
        // With as many conditions as people, the distance is all that is left.
        data.trials_mut().iter_mut().for_each(|trial| trial.condition = Some(format!("c{}", trial.participant)));
        let table = SurvivalCox::new(&context(&data)).table().unwrap();
        let tested = text(&table, "p_value").iter().filter(|cell| cell.is_some()).count();
        assert_eq!((tested, text(&table, "clusters")[0].as_deref()), (1, Some("participant and level")));
    }

    #[test]
    fn rows_are_distance_and_conditions_and_conditions_within_levels() {
        let data = small();
        let cox = SurvivalCox::new(&context(&data));
        let table = cox.table().unwrap();
        check_cells(&table);
        let text = |column: &str| table.cells(column).into_iter().flatten().collect::<Vec<_>>();
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
        let groups = CoxGroups { clusters: Some(&who), second_clusters: Some(&levels), strata: None };
        let both = cox_grouped(&times, &events, &covariates, groups, Confidence::default());
        // Six levels have six distances; ten people are in two conditions.
        assert_eq!([0, 1, 2].map(|row| number(&table, "df", row)), [4.0, 8.0, 8.0]);
        for (row, effect) in both.fit.effects().iter().enumerate() {
            for (column, expected) in [
                ("estimate", effect.estimate),
                ("standard_error", effect.standard_error),
                ("df", effect.df.unwrap()),
                ("statistic", effect.statistic),
                ("p_value", effect.p_value),
            ] {
                assert!((number(&table, column, row) - expected).abs() < 1e-12, "{column} of row {row}");
            }
        }
        assert!(number(&table, "estimate", 0) < 0.0 && number(&table, "estimate", 2) < 0.0);
        let within = by(&who, &covariates[1..], Some(&levels));
        assert!((number(&table, "hazard_ratio", 2) - within.fit.effects()[0].ratio).abs() < 1e-12);
        let expected = &within.fit.effects()[0];
        assert!((number(&table, "standard_error", 2) - expected.standard_error).abs() < 1e-12);
        assert!((number(&table, "p_value", 2) - expected.p_value).abs() < 1e-12);
        // Half of the solutions come first: they are one fit, what goes on after them another.
        let mut solved: Vec<f64> = (0..60).filter(|&row| events[row]).map(|row| times[row]).collect();
        solved.sort_by(f64::total_cmp);
        let split = solved[(solved.len() - 1) / 2];
        let ratio = |is_late: bool| {
            let rows: Vec<usize> = (0..60).filter(|&row| !is_late || times[row] > split).collect();
            let until = if is_late { f64::MAX } else { split };
            let cut_times: Vec<f64> = rows.iter().map(|&row| times[row].min(until)).collect();
            let solved: Vec<bool> = rows.iter().map(|&row| events[row] && times[row] <= until).collect();
            let levels: Vec<usize> = rows.iter().map(|&row| data.trials[row].level).collect();
            let values: Vec<f64> = rows.iter().map(|&row| is_b[row]).collect();
            let groups = CoxGroups { strata: Some(&levels), ..CoxGroups::default() };
            cox_grouped(&cut_times, &solved, &[Covariate { name: "b", values: &values }], groups, Confidence::default())
                .fit
                .effects()[0]
                .estimate
        };
        let near =
            |column: &str, expected: f64| assert!((number(&table, column, 2) - expected).abs() < 1e-9, "{column}");
        near("split_s", split);
        near("hazard_ratio_before", ratio(false).exp());
        near("hazard_ratio_after", ratio(true).exp());
        let groups = CoxGroups { clusters: Some(&who), second_clusters: None, strata: Some(&levels) };
        let change = split_hazards(&times, &events, &covariates[1..], groups, split, Confidence::default()).unwrap();
        near("proportional_p", change[0].change.p_value);
        assert_eq!(change[0].change.df, Some(8.0));
    }

    #[test]
    fn trials_without_a_time_or_condition_are_counted_as_left_out() {
        let mut data = small();
        data.trials_mut()[0].time_s = None;
        data.trials_mut()[1].is_solved = None;
        data.trials_mut()[2].condition = None;
        data.level_rows[5].measures[0].1 = None;
        let table = SurvivalCox::new(&context(&data)).table().unwrap();
        // The last level has no distance: its ten trials are in the model of conditions only.
        assert_eq!(table.cells("n_left_out"), ["13", "13", "3"].map(|n| Some(n.to_owned())));
        assert_eq!(table.cells("n_levels"), ["5", "5", "6"].map(|n| Some(n.to_owned())));
    }

    #[test]
    fn one_participant_has_trials_that_are_assumed_independent_and_few_levels_are_reported() {
        let mut single = small();
        single.trials_mut().iter_mut().for_each(|trial| trial.condition = None);
        let mut few = single.clone();
        single.trials_mut().retain(|trial| trial.participant == 4);
        let table = SurvivalCox::new(&context(&single)).table().unwrap();
        assert_eq!(table.cells("clusters"), [Some("none".to_owned())]);
        assert!(table.cells("reason")[0].as_ref().unwrap().contains("there is one participant"));
        few.trials_mut().retain(|trial| trial.level < 2);
        let table = SurvivalCox::new(&context(&few)).table().unwrap();
        assert_eq!(table.cells("clusters"), [Some("participant".to_owned())]);
        assert!(table.cells("reason")[0].as_ref().unwrap().contains("levels are too few"));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let cox = SurvivalCox::new(&context(&data));
            cox.sentences();
            let Some(table) = cox.table() else {
                assert!(!data.unit.is_distance());
                continue;
            };
            check_cells(&table);
            for (estimate, reason) in table.cells("estimate").iter().zip(table.cells("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
        }
    }
}
