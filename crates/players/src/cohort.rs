//! Cohorts: many players from a few lines, who differ as people do.
//!
//! Any number of a cohort's policy, tempo or persistence can be a table that says how it is spread over the
//! participants:
//!
//! | table | each participant has |
//! |---|---|
//! | `{ from = 0.1, to = 0.4 }` | a uniformly distributed number from this range |
//! | `{ mean = 0.3, sd = 0.1, least = 0, most = 1 }` | one drawn from a normal distribution within limits |
//! | `{ median = 1.2, sigma = 0.3, least = 0.1, most = 9 }` | one drawn from a log-normal distribution within limits |
//! | `{ first = 0.05, last = 0.6 }` | the next of numbers that rise, or fall, evenly from the first to the last |
//!
//! `least` and `most` may be left out. Each number has its own random number stream, keyed by the seed, the participant
//! and the entry: another entry in the file changes no other number. Drawn numbers have four significant digits, so
//! that the table of players tells the whole truth.

use super::parameter::{ParameterError, within};
use super::persistence::Persistence;
use super::player::Player;
use super::policy::{External, PolicySpec, SpecError};
use super::stream::{Purpose, stream};
use super::tempo::Tempo;
use crate::policy::Policy;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The most participants of a cohort.
pub const MOST_PARTICIPANTS: u32 = 100_000;

/// Draws outside of `least` and `most` after which it is said that there is no number between them.
const PATIENCE: usize = 10_000;

/// The entries that take whole numbers.
const WHOLE: [&str; 5] = ["max_moves", "astray_by", "depth", "within", "max-positions"];

/// Cohort: players who are described together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cohort {
    /// Its name; participants are named after it.
    pub name: String,
    /// Number of participants.
    #[serde(default = "twenty")]
    pub n: u32,
    /// Experimental condition in the log; the name of the cohort where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Table of the policy.
    pub policy: toml::Table,
    /// Table of the tempo.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub tempo: toml::Table,
    /// Table of the persistence.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub persistence: toml::Table,
}

fn twenty() -> u32 {
    20
}

/// A participant of a cohort.
#[derive(Debug)]
pub struct Member {
    /// Name of the cohort.
    pub cohort: String,
    /// Description of its policy, with the numbers of this participant.
    pub spec: PolicySpec,
    /// The player.
    pub player: Player<Box<dyn Policy>>,
}

/// Error in the description of a cohort, with its name.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("cohort {cohort:?}: {source}")]
pub struct CohortError {
    /// Its name.
    pub cohort: String,
    /// The error.
    pub source: CohortFault,
}

/// Error in the description of a cohort.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CohortFault {
    /// A name that a log could not carry.
    #[error("its name is empty, or has blanks around it")]
    Name,
    /// Two cohorts have the same name.
    #[error("another cohort has the same name")]
    RepeatedName,
    /// A number or parameter is out of its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// Its policy is none.
    #[error(transparent)]
    Policy(#[from] SpecError),
    /// An entry cannot be read.
    #[error("`{table}`: {reason}")]
    Entry {
        /// `policy`, `tempo` or `persistence`.
        table: &'static str,
        /// Description of the error.
        reason: String,
    },
    /// A table does not say how numbers are spread.
    #[error(
        "`{entry}` is spread by {{ from, to }}, {{ mean, sd }}, {{ median, sigma }} or {{ first, last }}, all numbers: {reason}"
    )]
    Spread {
        /// The entry.
        entry: String,
        /// Description of the error.
        reason: String,
    },
}

impl Cohort {
    /// The participants, `NAME-1` and so on, all with the same number of digits; a single one bears the name of the
    /// cohort. Paths of policies start from `folder`.
    ///
    /// # Errors
    ///
    /// [`CohortError`].
    pub fn members(&self, seed: u64, folder: &Path) -> Result<Vec<Member>, CohortError> {
        let failed = |source| CohortError { cohort: self.name.clone(), source };
        if self.name.is_empty() || self.name.trim() != self.name {
            return Err(failed(CohortFault::Name));
        }
        within("n", f64::from(self.n), 1.0, f64::from(MOST_PARTICIPANTS)).map_err(|error| failed(error.into()))?;
        (0..self.n).map(|number| self.member(number, seed, folder).map_err(failed)).collect()
    }

    fn member(&self, number: u32, seed: u64, folder: &Path) -> Result<Member, CohortFault> {
        let width = self.n.to_string().len();
        let participant = match self.n {
            1 => self.name.clone(),
            _ => format!("{}-{:0width$}", self.name, number + 1),
        };
        // From 0 for the first to 1 for the last.
        let place = if self.n > 1 { f64::from(number) / f64::from(self.n - 1) } else { 0.0 };
        let person = Person { seed, name: &participant, place };
        let spec = PolicySpec::read(&person.resolved(&self.policy)?, folder, number as usize)?;
        let tempo: Tempo = read("tempo", person.resolved(&self.tempo)?)?;
        let persistence: Persistence = read("persistence", person.resolved(&self.persistence)?)?;
        tempo.check()?;
        persistence.check()?;
        let policy = spec.build(folder)?;
        let condition = Some(self.condition.clone().unwrap_or_else(|| self.name.clone()));
        let player = Player { participant, condition, policy, tempo, persistence };
        Ok(Member { cohort: self.name.clone(), spec, player })
    }

    /// Returns true if another program chooses for its players.
    pub fn asks_a_program(&self) -> bool {
        self.policy.get("kind").and_then(toml::Value::as_str) == Some(External::WORD)
    }

    /// The files that its play depends on, such as a script.
    pub fn files(&self, folder: &Path) -> Vec<PathBuf> {
        let first = Person { seed: 0, name: &self.name, place: 0.0 };
        let spec = first.resolved(&self.policy).ok().and_then(|table| PolicySpec::read(&table, folder, 0).ok());
        spec.map(|spec| spec.files(folder)).unwrap_or_default()
    }
}

/// The participants of several cohorts, in their order.
///
/// # Errors
///
/// [`CohortError`] of the first cohort that has a fault, or the name of another one.
pub fn members(cohorts: &[Cohort], seed: u64, folder: &Path) -> Result<Vec<Member>, CohortError> {
    let mut all = Vec::new();
    for (index, cohort) in cohorts.iter().enumerate() {
        if cohorts[..index].iter().any(|other| other.name == cohort.name) {
            return Err(CohortError { cohort: cohort.name.clone(), source: CohortFault::RepeatedName });
        }
        all.extend(cohort.members(seed, folder)?);
    }
    Ok(all)
}

fn read<T: serde::de::DeserializeOwned>(table: &'static str, entries: toml::Table) -> Result<T, CohortFault> {
    entries
        .try_into()
        .map_err(|error: toml::de::Error| CohortFault::Entry { table, reason: error.message().trim_end().to_owned() })
}

/// Participant whose numbers are drawn.
struct Person<'a> {
    seed: u64,
    name: &'a str,
    place: f64,
}

impl Person<'_> {
    /// A table in which every spread number is that of the person.
    fn resolved(&self, table: &toml::Table) -> Result<toml::Table, CohortFault> {
        let entry = |(entry, value): (&String, &toml::Value)| match value {
            toml::Value::Table(spread) => Ok((entry.clone(), self.number(entry, spread)?)),
            other => Ok((entry.clone(), other.clone())),
        };
        table.iter().map(entry).collect()
    }

    fn number(&self, entry: &str, spread: &toml::Table) -> Result<toml::Value, CohortFault> {
        let fault = |reason: String| CohortFault::Spread { entry: entry.to_owned(), reason };
        let has = |names: [&str; 2]| names.iter().all(|name| spread.contains_key(*name));
        let read = |name: &str| match spread.get(name) {
            Some(toml::Value::Float(number)) if number.is_finite() => Ok(Some(*number)),
            Some(toml::Value::Integer(number)) => Ok(Some(*number as f64)),
            Some(other) => Err(fault(format!("`{name}` is {other}"))),
            None => Ok(None),
        };
        let need = |name: &str| read(name).map(Option::unwrap_or_default);
        let limits = (read("least")?.unwrap_or(f64::NEG_INFINITY), read("most")?.unwrap_or(f64::INFINITY));
        let mut random = stream(self.seed, self.name, entry, Purpose::Person);
        let (kind, with_limits) = match () {
            () if has(["from", "to"]) => (["from", "to"], false),
            () if has(["first", "last"]) => (["first", "last"], false),
            () if has(["mean", "sd"]) => (["mean", "sd"], true),
            () if has(["median", "sigma"]) => (["median", "sigma"], true),
            () => return Err(fault("it has none of these pairs".to_owned())),
        };
        let (first, second) = (need(kind[0])?, need(kind[1])?);
        let known = |name: &str| kind.contains(&name) || (with_limits && ["least", "most"].contains(&name));
        if let Some(name) = spread.keys().find(|name| !known(name)) {
            return Err(fault(format!("`{name}` does not belong to {} and {}", kind[0], kind[1])));
        }
        if with_limits && second < 0.0 {
            return Err(fault(format!("`{}` is {second}, and must not be negative", kind[1])));
        }
        if kind[0] == "median" && first <= 0.0 {
            return Err(fault(format!("`median` is {first}, and must be above 0")));
        }
        let drawn = match kind[0] {
            "from" => first + (second - first) * random.random::<f64>(),
            "first" => first + (second - first) * self.place,
            name => truncated(&mut random, (first, second), name == "median", limits)
                .ok_or_else(|| fault(format!("hardly any number lies from {} to {}", limits.0, limits.1)))?,
        };
        Ok(match WHOLE.contains(&entry) {
            true => toml::Value::Integer(drawn.round() as i64),
            false => toml::Value::Float(four_digits(drawn)),
        })
    }
}

/// A normal or log-normal number within limits; none if hardly any lies there.
fn truncated(
    random: &mut ChaCha8Rng,
    (centre, spread): (f64, f64),
    is_log: bool,
    (least, most): (f64, f64),
) -> Option<f64> {
    // By rejection: numbers that are moved to a limit would pile up there.
    let mut draw = || {
        let z: f64 = random.sample(StandardNormal);
        if is_log { centre * (spread * z).exp() } else { centre + spread * z }
    };
    (0..PATIENCE).map(|_| draw()).find(|drawn| (least..=most).contains(drawn))
}

/// A number with four significant digits.
fn four_digits(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cohort(policy: &str) -> Cohort {
        toml::from_str(&format!("name = 'a'\nn = 200\npolicy = {policy}")).unwrap()
    }

    fn lapses(policy: &str, seed: u64) -> Vec<f64> {
        let members = cohort(policy).members(seed, Path::new("")).unwrap();
        let lapse = |member: &Member| {
            let settings = member.spec.settings();
            settings.iter().find(|(name, _)| name == "lapse").unwrap().1.parse().unwrap()
        };
        members.iter().map(lapse).collect()
    }

    fn fault(policy: &str) -> String {
        cohort(policy).members(1, Path::new("")).unwrap_err().to_string()
    }

    #[test]
    fn numbers_are_spread_as_the_table_says() {
        let even = lapses("{ kind = 'lapse-optimal', lapse = { from = 0.2, to = 0.4 } }", 1);
        assert!(even.iter().all(|lapse| (0.2..=0.4).contains(lapse)));
        let mean = even.iter().sum::<f64>() / 200.0;
        // The standard error of the mean of 200 even draws is 0.2 / sqrt(12 * 200).
        assert!((mean - 0.3).abs() < 4.0 * 0.2 / (12.0_f64 * 200.0).sqrt(), "{mean}");
        let steps = lapses("{ kind = 'lapse-optimal', lapse = { first = 0.1, last = 0.9 } }", 1);
        assert_eq!((steps[0], steps[199]), (0.1, 0.9));
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]));
        let normal = lapses("{ kind = 'lapse-optimal', lapse = { mean = 0.1, sd = 0.2, least = 0, most = 1 } }", 1);
        assert!(normal.iter().all(|lapse| (0.0..=1.0).contains(lapse)));
        assert_eq!(
            normal,
            lapses("{ kind = 'lapse-optimal', lapse = { mean = 0.1, sd = 0.2, least = 0, most = 1 } }", 1)
        );
        assert_ne!(
            normal,
            lapses("{ kind = 'lapse-optimal', lapse = { mean = 0.1, sd = 0.2, least = 0, most = 1 } }", 2)
        );
    }

    #[test]
    fn participants_are_named_after_their_cohort() {
        let members = cohort("{ kind = 'chance' }").members(1, Path::new("")).unwrap();
        assert_eq!(
            (members[0].player.participant.as_str(), members[199].player.participant.as_str()),
            ("a-001", "a-200")
        );
        assert_eq!(members[0].player.condition.as_deref(), Some("a"));
        let cohort: Cohort = toml::from_str("name = 'chance'\nn = 1\npolicy = { kind = 'chance' }").unwrap();
        assert_eq!(cohort.members(1, Path::new("")).unwrap()[0].player.participant, "chance");
    }

    #[test]
    fn what_is_wrong_names_the_cohort_and_the_entry() {
        let spread = |table: &str| fault(&format!("{{ kind = 'lapse-optimal', lapse = {table} }}"));
        assert!(spread("{ mean = 0.1 }").contains("cohort \"a\": `lapse` is spread by"));
        assert!(spread("{ from = 0, to = 'x' }").contains("`to` is \"x\""));
        assert!(spread("{ from = 0, to = 1, least = 0 }").contains("`least` does not belong to from and to"));
        assert!(spread("{ mean = 0, sd = 1, least = 99 }").contains("hardly any number lies from 99"));
        assert!(spread("{ from = 2, to = 3 }").contains("is not from 0 to 1"));
        assert!(fault("{ kind = 'nobody' }").contains("the kinds of policies are chance"));
        let mut other = cohort("{ kind = 'chance' }");
        other.tempo = "pace = 3".parse().unwrap();
        assert!(other.members(1, Path::new("")).unwrap_err().to_string().contains("`tempo`: unknown field `pace`"));
        let twice = members(&[cohort("{ kind = 'chance' }"), cohort("{ kind = 'chance' }")], 1, Path::new(""));
        assert_eq!(twice.unwrap_err().source, CohortFault::RepeatedName);
    }
}
