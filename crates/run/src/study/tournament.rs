//! The sections `[tournament]` and `[[strategy]]`: how strategies compete.

use std::path::Path;

use plymap_players::policy::{PolicySpec, SpecError};
use plymap_puzzles::diagnostic::EntryDiagnostic;
use serde::{Deserialize, Serialize};

/// `[tournament]`: how strategies compete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tournament {
    /// Number of games of each strategy at each level.
    pub games: u32,
    /// Number of moves after which a game is ended.
    pub max_moves: u32,
}

impl Default for Tournament {
    fn default() -> Self {
        Self { games: 100, max_moves: 100_000 }
    }
}

impl Tournament {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// `[[strategy]]`: a player of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strategy {
    /// Its name.
    pub name: String,
    /// Policy by which it chooses its moves.
    pub policy: toml::Table,
}

impl Strategy {
    /// Its policy. Paths start from `folder`.
    ///
    /// # Errors
    ///
    /// [`SpecError`].
    pub fn spec(&self, folder: &Path) -> Result<PolicySpec, SpecError> {
        PolicySpec::read(&self.policy, folder, 0)
    }
}

impl Tournament {
    /// The diagnostics of the section.
    pub(super) fn check(&self) -> Vec<EntryDiagnostic> {
        let message = "a tournament needs at least one game of one move";
        let empty = || EntryDiagnostic::new("bad-tournament", &["tournament"], message, "games = 100 is usual");
        (self.games == 0 || self.max_moves == 0).then(empty).into_iter().collect()
    }
}

/// The diagnostics of all strategies. Paths of policies start from `folder`.
pub(super) fn check_strategies(strategies: &[Strategy], folder: &Path) -> Vec<EntryDiagnostic> {
    let mut diagnostics = Vec::new();
    let mut report = |message: String| {
        let help = "docs/policies.md lists all policies, docs/tournament.md says how strategies compete";
        diagnostics.push(EntryDiagnostic::new("bad-strategy", &["strategy"], message, help));
    };
    for (index, strategy) in strategies.iter().enumerate() {
        let is_named = !strategy.name.is_empty() && strategy.name.trim() == strategy.name;
        if !is_named || strategies[..index].iter().any(|other| other.name == strategy.name) {
            report(format!("the name {:?} of a strategy is empty, or that of another one", strategy.name));
        }
        if let Err(error) = strategy.spec(folder).and_then(|spec| spec.build(folder).map(drop)) {
            report(format!("strategy {:?}: {error}", strategy.name));
        }
    }
    diagnostics
}
