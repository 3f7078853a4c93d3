//! Policies as studies name them, and the one list of all kinds.

use super::and_or::AndOr;
use super::chance::Chance;
use super::cyclic::Cyclic;
use super::eureka::Eureka;
use super::external::External;
use super::fitted;
use super::greedy::Greedy;
use super::habits::{Habits, WithHabits};
use super::hill_climbing::HillClimbing;
use super::kind::{Kind, SpecError};
use super::lapse_optimal::LapseOptimal;
use super::look_ahead::LookAhead;
use super::lua::LuaPolicy;
use super::own::OwnStrategy;
use super::rule::Policy;
use super::soft_optimal::SoftOptimal;
use serde::Deserialize;
use std::fmt;
use std::path::{Path, PathBuf};

/// All kinds of policies.
pub const KINDS: &[PolicyKind] = &[
    PolicyKind::of::<Chance>(),
    PolicyKind::of::<Cyclic>(),
    PolicyKind::of::<Greedy>(),
    PolicyKind::of::<LookAhead>(),
    PolicyKind::of::<LapseOptimal>(),
    PolicyKind::of::<SoftOptimal>(),
    PolicyKind::of::<Eureka>(),
    PolicyKind::of::<HillClimbing>(),
    PolicyKind::of::<AndOr>(),
    PolicyKind::of::<OwnStrategy>(),
    PolicyKind::of::<LuaPolicy>(),
    PolicyKind::of::<External>(),
];

/// The entries that every kind takes, beside its own: its name and the [`Habits`].
const COMMON: [&str; 3] = ["kind", "undo", "same-piece"];

/// Policy, or the error in building it.
type Built = Result<Box<dyn Policy>, SpecError>;

/// A kind of policy.
#[derive(Clone, Copy, Debug)]
pub struct PolicyKind {
    /// Its name in studies: `soft-optimal`.
    pub name: &'static str,
    /// Description of its choice, in a few words.
    pub meaning: &'static str,
    /// The entries that only this kind has; `undo` and `same-piece` are those of all.
    pub entries: &'static [&'static str],
    check: fn(&toml::Table) -> Result<(), SpecError>,
    build: fn(&toml::Table, &Path) -> Built,
    settings: fn(&toml::Table) -> toml::Table,
    files: fn(&toml::Table, &Path) -> Vec<PathBuf>,
}

impl PolicyKind {
    /// The kind of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    const fn of<K: Kind>() -> Self {
        Self {
            name: K::NAME,
            meaning: K::MEANING,
            entries: K::ENTRIES,
            check: |table| read::<K>(table).map(drop),
            build: |table, folder| {
                let mut policy = read::<K>(table)?;
                policy.open(folder)?;
                Ok(Box::new(policy))
            },
            settings: |table| {
                let table = read::<K>(table).ok().and_then(|policy| toml::Table::try_from(policy).ok());
                table.unwrap_or_default()
            },
            files: |table, folder| read::<K>(table).map(|policy| policy.files(folder)).unwrap_or_default(),
        }
    }
}

/// A policy as a study describes it: a table with its `kind`, its parameters and its habits.
///
/// Everything is checked but what lies in files.
#[derive(Clone, Deserialize)]
#[serde(try_from = "toml::Table")]
pub struct PolicySpec {
    kind: &'static PolicyKind,
    /// The entries of the kind's own.
    entries: toml::Table,
    habits: Habits,
    /// Tables that parameters were taken from.
    tables: Vec<PathBuf>,
}

impl PolicySpec {
    /// Reads the table of a policy; that of a fitted model ([`fitted::FITTED`]) is that of its kind, with the
    /// estimated parameters. Paths start from `folder`; `number` is that of the player among those described together.
    ///
    /// # Errors
    ///
    /// As [`PolicySpec::new`], or if the table of parameters does not have them.
    pub fn read(table: &toml::Table, folder: &Path, number: usize) -> Result<Self, SpecError> {
        let spec = Self::new(fitted::resolved(table.clone(), folder, number)?)?;
        Ok(Self { tables: fitted::files(table, folder), ..spec })
    }

    /// Reads the table of a policy.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if the kind or an entry is not known, or a value is not one that the entry takes.
    pub fn new(mut table: toml::Table) -> Result<Self, SpecError> {
        let known = || KINDS.iter().map(|kind| kind.name).chain([fitted::FITTED]).collect();
        let kind = match table.remove("kind") {
            Some(toml::Value::String(name)) => match PolicyKind::named(&name) {
                Some(kind) => kind,
                None => return Err(SpecError::UnknownKind { name, known: known() }),
            },
            Some(other) => return Err(SpecError::UnknownKind { name: other.to_string(), known: known() }),
            None => return Err(SpecError::NoKind { known: known() }),
        };
        let factor = |entry: &str, value: Option<toml::Value>| match value {
            None => Ok(1.0),
            Some(toml::Value::Float(factor)) => Ok(factor),
            Some(toml::Value::Integer(factor)) => Ok(factor as f64),
            Some(other) => {
                let reason = format!("`{entry}` is a number, not {other}");
                Err(SpecError::Entry { kind: kind.name, reason })
            }
        };
        let undo = factor("undo", table.remove("undo"))?;
        let habits = Habits { undo, same_piece: factor("same-piece", table.remove("same-piece"))? };
        habits.check().map_err(|source| SpecError::Parameter { kind: kind.name, source })?;
        if let Some(entry) = table.keys().find(|entry| !kind.entries.contains(&entry.as_str())) {
            let known = kind.entries.iter().chain(&COMMON[1..]).copied().collect();
            return Err(SpecError::UnknownEntry { kind: kind.name, entry: entry.clone(), known });
        }
        (kind.check)(&table)?;
        Ok(Self { kind, entries: table, habits, tables: Vec::new() })
    }

    /// Its kind.
    pub fn kind(&self) -> &'static PolicyKind {
        self.kind
    }

    /// Its habits.
    pub fn habits(&self) -> Habits {
        self.habits
    }

    /// The policy. Paths among its entries start from `folder`.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if a file cannot be read, or a script is wrong.
    pub fn build(&self, folder: &Path) -> Result<Box<dyn Policy>, SpecError> {
        let policy = (self.kind.build)(&self.entries, folder)?;
        if self.habits == Habits::default() {
            return Ok(policy);
        }
        Ok(Box::new(WithHabits { policy, habits: self.habits }))
    }

    /// Every entry in force, defaults included, as name and value; `kind` is the first.
    pub fn settings(&self) -> Vec<(String, String)> {
        let text = |value: toml::Value| match value {
            toml::Value::String(text) => text,
            other => other.to_string(),
        };
        let mut settings = vec![("kind".to_owned(), self.kind.name.to_owned())];
        settings.extend((self.kind.settings)(&self.entries).into_iter().map(|(name, value)| (name, text(value))));
        settings.push(("undo".to_owned(), self.habits.undo.to_string()));
        settings.push(("same-piece".to_owned(), self.habits.same_piece.to_string()));
        settings
    }

    /// The files that results depend on, such as a script: a manifest lists them with their hash.
    pub fn files(&self, folder: &Path) -> Vec<PathBuf> {
        self.tables.iter().cloned().chain((self.kind.files)(&self.entries, folder)).collect()
    }
}

impl TryFrom<toml::Table> for PolicySpec {
    type Error = SpecError;

    fn try_from(table: toml::Table) -> Result<Self, SpecError> {
        Self::new(table)
    }
}

impl PartialEq for PolicySpec {
    fn eq(&self, other: &Self) -> bool {
        // Not the tables: where parameters were read from changes nothing about the play.
        self.kind.name == other.kind.name && self.entries == other.entries && self.habits == other.habits
    }
}

impl fmt::Debug for PolicySpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.settings()).finish()
    }
}

/// A policy from the entries of its own, checked.
fn read<K: Kind>(table: &toml::Table) -> Result<K, SpecError> {
    let fail = |reason| SpecError::Entry { kind: K::NAME, reason };
    let policy: K = table.clone().try_into().map_err(|error| fail(told::<K>(table, &error)))?;
    policy.check().map_err(|source| SpecError::Parameter { kind: K::NAME, source })?;
    policy.complete().map_err(fail)?;
    Ok(policy)
}

/// Returns the error of a value as a message. That of TOML does not name the entry, so each entry is tried alone.
fn told<K: Kind>(table: &toml::Table, error: &toml::de::Error) -> String {
    let alone = |(entry, value): (&String, &toml::Value)| {
        let single = toml::Table::from_iter([(entry.clone(), value.clone())]);
        let error = single.try_into::<K>().err()?;
        Some(format!("`{entry}`: {}", error.message()))
    };
    table.iter().find_map(alone).unwrap_or_else(|| error.message().to_owned())
}

/// Checks that an entry which a kind needs is not empty; `message` is the error.
fn needed(value: &str, message: &str) -> Result<(), String> {
    if value.trim().is_empty() { Err(message.to_owned()) } else { Ok(()) }
}

impl Kind for Chance {
    const NAME: &'static str = "chance";
    const MEANING: &'static str = "uniformly at random among all legal moves";
    const ENTRIES: &'static [&'static str] = &[];
}

impl Kind for Cyclic {
    const NAME: &'static str = "cyclic";
    const MEANING: &'static str = "cycles through moves, whatever the position";
    const ENTRIES: &'static [&'static str] = &["order"];
}

impl Kind for Greedy {
    const NAME: &'static str = "greedy";
    const MEANING: &'static str = "to the position with the least estimate of a heuristic";
    const ENTRIES: &'static [&'static str] = &["heuristic"];

    fn complete(&self) -> Result<(), String> {
        needed(&self.heuristic, "`heuristic` is missing: name one of the level's, or `distance`")
    }
}

impl Kind for LookAhead {
    const NAME: &'static str = "look-ahead";
    const MEANING: &'static str = "a search of limited depth, with a heuristic at its end";
    const ENTRIES: &'static [&'static str] = &["depth", "heuristic", "beta", "max-positions"];
}

impl Kind for LapseOptimal {
    const NAME: &'static str = "lapse-optimal";
    const MEANING: &'static str = "optimal but for lapses, in which every legal move is equally probable";
    const ENTRIES: &'static [&'static str] = &["lapse"];
}

impl Kind for SoftOptimal {
    const NAME: &'static str = "soft-optimal";
    const MEANING: &'static str = "the more a move loses, the less probable it is (softmax)";
    const ENTRIES: &'static [&'static str] = &["beta", "dead-end-loss"];
}

impl Kind for Eureka {
    const NAME: &'static str = "eureka";
    const MEANING: &'static str = "optimal within some distance of the goal, chance elsewhere";
    const ENTRIES: &'static [&'static str] = &["within", "lapse"];
}

impl Kind for HillClimbing {
    const NAME: &'static str = "hill-climbing";
    const MEANING: &'static str = "to what looks best after the move, by features of the position";
    const ENTRIES: &'static [&'static str] = &["first", "second"];
}

impl Kind for AndOr {
    const NAME: &'static str = "and-or";
    const MEANING: &'static str = "backwards from the goal: what is in the way, what is in the way of that, and so on";
    const ENTRIES: &'static [&'static str] = &["stopping", "lapse", "new-piece"];
}

impl Kind for OwnStrategy {
    const NAME: &'static str = "game";
    const MEANING: &'static str = "a strategy that belongs to the game";
    const ENTRIES: &'static [&'static str] = &["strategy"];

    fn complete(&self) -> Result<(), String> {
        needed(&self.strategy, "`strategy` is missing: name one of the game's")
    }
}
