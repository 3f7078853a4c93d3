//! Expected numbers of moves of players on the maps of levels.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use super::RunError;
use plymap_measures::level_tables::ExpectedMoves;
use plymap_players::policy::{Policy, PolicySpec};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_walks::hitting_times::{HittingError, HittingTimes};

/// A player of whom expected numbers of moves are asked for: `chance`, `greedy:HEURISTIC` or
/// `look-ahead:DEPTH:HEURISTIC`, of which what follows a colon can be left out.
#[derive(Clone, Debug)]
pub struct ExpectedPlayer {
    name: String,
    policy: Arc<dyn Policy>,
}

impl ExpectedPlayer {
    /// The player, as asked for.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl FromStr for ExpectedPlayer {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let mut table = toml::Table::new();
        let mut put = |entry: &str, value: toml::Value| table.insert(entry.to_owned(), value);
        let name = name.trim();
        let parts: Vec<&str> = name.split(':').collect();
        put("kind", parts[0].into());
        match parts[..] {
            ["chance" | "look-ahead"] => {}
            ["greedy"] => drop(put("heuristic", "first".into())),
            ["greedy", heuristic] => drop(put("heuristic", heuristic.into())),
            ["look-ahead", depth, ref rest @ ..] if rest.len() <= 1 => {
                let number: i64 = depth.parse().map_err(|_| {
                    format!("the depth {depth:?} of look-ahead is no number, such as look-ahead:3:first")
                })?;
                put("depth", number.into());
                put("heuristic", rest.first().copied().unwrap_or_default().into());
            }
            _ => {
                return Err(format!(
                    "{name:?} is no player: write chance, greedy, greedy:HEURISTIC, look-ahead, look-ahead:DEPTH or \
                     look-ahead:DEPTH:HEURISTIC"
                ));
            }
        }
        let policy = PolicySpec::new(table).and_then(|spec| spec.build(Path::new("")));
        Ok(Self { name: name.to_owned(), policy: policy.map_err(|error| error.to_string())?.into() })
    }
}

/// The hitting times of players at a level.
///
/// # Errors
///
/// [`RunError::ExpectedMoves`] if a player cannot play the level, [`RunError::Interrupted`].
pub fn expected_moves(
    level: &ValuedLevel,
    players: &[ExpectedPlayer],
    progress: &dyn Progress,
) -> Result<Vec<ExpectedMoves>, RunError> {
    let of_player = |player: &ExpectedPlayer| {
        let Some(whole) = level.whole.as_deref() else {
            return Ok(ExpectedMoves { player: player.name.clone(), times: Err(HittingError::Unmapped) });
        };
        let chain = player.policy.chain(&*level.rules, whole).map_err(|source| RunError::ExpectedMoves {
            level: level.id.clone(),
            player: player.name.clone(),
            source: Box::new(source),
        })?;
        let times = HittingTimes::new(&chain, progress);
        if matches!(times, Err(HittingError::Interrupted)) {
            return Err(RunError::Interrupted);
        }
        Ok(ExpectedMoves { player: player.name.clone(), times })
    };
    players.iter().map(of_player).collect()
}
