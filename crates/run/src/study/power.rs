//! The section `[power]`: the question that `plymap power` answers.

use plymap_analysis::models::{CONDITION, ModelSpec, terms_of};
use plymap_measures::measure::Measure;
use plymap_players::cohort::Cohort;
use plymap_puzzles::diagnostic::EntryDiagnostic;
use serde::{Deserialize, Serialize};

/// `[power]`: the question that `plymap power` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Power {
    /// The two cohorts that are compared, or the one within which two measures are correlated.
    pub cohorts: Vec<String>,
    /// The measure of participants that is compared, a column of the table `participants`; or else `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    /// The mixed model, one of those of a report or of the study's own, whose test of the condition is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The measure that it is correlated with, where there is one cohort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<String>,
    /// The test; Welch's t for two cohorts, Pearson's r for one, where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<PowerTest>,
    /// Numbers of participants of each cohort that are tried.
    #[serde(default = "usual_numbers")]
    pub n: Vec<u32>,
    /// Number of simulated experiments for each of them.
    #[serde(default = "usual_repeats")]
    pub repeats: u32,
    /// The p value below which an effect counts as found.
    #[serde(default = "usual_alpha")]
    pub alpha: f64,
    /// The power that is wanted.
    #[serde(default = "usual_power")]
    pub target: f64,
}

fn usual_numbers() -> Vec<u32> {
    vec![5, 10, 15, 20, 30, 40, 60]
}

fn usual_repeats() -> u32 {
    200
}

fn usual_alpha() -> f64 {
    0.05
}

fn usual_power() -> f64 {
    0.8
}

/// A test whose power is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PowerTest {
    /// Welch's t test of two cohorts.
    Welch,
    /// The rank test of Kruskal and Wallis, of two cohorts.
    KruskalWallis,
    /// Pearson's r within one cohort.
    Pearson,
    /// Spearman's rank correlation within one cohort.
    Spearman,
    /// The test of the condition in a mixed model, of two cohorts; a study names the model instead.
    #[serde(skip)]
    Model,
}

impl Power {
    /// The test: that of the model, where one is named; Welch's t for two cohorts, Pearson's r for one, where the study
    /// names none.
    pub fn test(&self) -> PowerTest {
        match &self.model {
            Some(_) => PowerTest::Model,
            None => self.test.unwrap_or(if self.with.is_none() { PowerTest::Welch } else { PowerTest::Pearson }),
        }
    }
}

impl PowerTest {
    /// Returns true if the test compares two cohorts.
    pub fn compares(self) -> bool {
        matches!(self, Self::Welch | Self::KruskalWallis | Self::Model)
    }

    /// Its name in prose.
    pub fn title(self) -> &'static str {
        match self {
            Self::Welch => "Welch's t test",
            Self::KruskalWallis => "the Kruskal-Wallis test",
            Self::Pearson => "Pearson's r",
            Self::Spearman => "Spearman's ρ",
            Self::Model => "the test of the condition in a mixed model",
        }
    }
}

impl Power {
    /// The diagnostics of the section, in a study with these cohorts and models.
    pub(super) fn check(&self, cohorts: &[Cohort], models: &[ModelSpec]) -> Vec<EntryDiagnostic> {
        let help = "docs/simulation.md says what a study of power needs";
        let diagnostic = |(entry, message)| EntryDiagnostic::new("bad-power", &["power", entry], message, help);
        self.first_problem(cohorts, models).err().map(diagnostic).into_iter().collect()
    }

    /// The first problem, with the entry that has it.
    fn first_problem(&self, cohorts: &[Cohort], models: &[ModelSpec]) -> Result<(), (&'static str, String)> {
        if let Some(name) = self.cohorts.iter().find(|name| !cohorts.iter().any(|cohort| cohort.name == **name)) {
            let known: Vec<&str> = cohorts.iter().map(|cohort| cohort.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(("cohorts", format!("there is no cohort {name:?}; there are {known}")));
        }
        let n_cohorts = if self.with.is_some() { 1 } else { 2 };
        if self.cohorts.len() != n_cohorts {
            let design = if n_cohorts == 1 { "a correlation (`with`) is within" } else { "a comparison is between" };
            return Err(("cohorts", format!("{design} {n_cohorts} of the cohorts, not {}", self.cohorts.len())));
        }
        match (&self.measure, &self.model) {
            (None, None) => return Err(("cohorts", "neither a `measure` nor a `model` is asked about".to_owned())),
            (Some(_), Some(_)) => {
                return Err(("model", "ask about a `measure` or about a `model`, not both".to_owned()));
            }
            (None, Some(name)) => {
                let terms = terms_of(models, name).map_err(|message| ("model", message))?;
                if !terms.iter().any(|term| term == CONDITION) {
                    return Err(("model", format!("the model {name:?} has no condition; it has {}", terms.join(", "))));
                }
                if self.with.is_some() || self.test.is_some() {
                    return Err(("model", "a model has a test of its own: leave out `with` and `test`".to_owned()));
                }
            }
            (Some(_), None) => {}
        }
        if self.test.is_some_and(|test| test.compares() != self.with.is_none()) {
            let reason =
                "welch and kruskal-wallis compare two cohorts, pearson and spearman correlate `measure` `with` another";
            return Err(("test", reason.to_owned()));
        }
        for (entry, name) in [("measure", self.measure.as_ref()), ("with", self.with.as_ref())] {
            if let Some(name) = name.filter(|name| Measure::of_power_named(name).is_none()) {
                let known: Vec<&str> = Measure::all_of_power().map(|(measure, _)| measure.name()).collect();
                return Err((entry, format!("there is no measure {name:?}; there are {}", known.join(", "))));
            }
        }
        if self.n.is_empty() || self.n.iter().any(|n| !(2..=10_000).contains(n)) {
            return Err(("n", "numbers of participants are from 2 to 10000".to_owned()));
        }
        if !(10..=100_000).contains(&self.repeats) {
            return Err(("repeats", format!("repeats = {} is not from 10 to 100000", self.repeats)));
        }
        for (entry, value) in [("alpha", self.alpha), ("target", self.target)] {
            if !(value > 0.0 && value < 1.0) {
                return Err((entry, format!("{entry} = {value} is not between 0 and 1")));
            }
        }
        Ok(())
    }
}
