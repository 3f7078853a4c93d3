//! The options of the rules of 2048.

use serde::{Deserialize, Serialize};

use super::board::{tile, value};

/// The tile that ends the game, if any does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WrittenTarget", into = "WrittenTarget")]
pub enum Target {
    /// The game goes on until no move is possible.
    #[default]
    None,
    /// A board with a tile of this exponent, or a larger one, is at its goal: 11 for 2048.
    Exponent(u32),
}

/// A target as files have it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenTarget {
    Tile(i64),
    Word(String),
}

impl TryFrom<WrittenTarget> for Target {
    type Error = String;

    fn try_from(written: WrittenTarget) -> Result<Self, String> {
        match written {
            WrittenTarget::Tile(tile) => target(&tile.to_string()),
            WrittenTarget::Word(word) => target(&word),
        }
    }
}

impl From<Target> for WrittenTarget {
    fn from(target: Target) -> Self {
        match target {
            Target::None => Self::Word("none".to_owned()),
            Target::Exponent(exponent) => Self::Tile(1 << exponent),
        }
    }
}

/// The evaluator of the positions at the end of the lookahead of an estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Leaf {
    /// A rule with weights chosen by hand. It needs no time to prepare, and plays weakly.
    #[default]
    Score,
    /// An n-tuple network that first learns by playing (Szubert and Jaśkowski 2014).
    Network,
}

/// The options of the rules, as `[rules]` of a study gives them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The tile that ends the game: `"none"`, 8, 16, 32 …; a level's own `target` comes first.
    pub target: Target,
    /// The probability that a new tile is a 4 and not a 2.
    pub four: f64,
    /// Number of moves of the player that an estimate looks ahead, where a board is too large for exact values.
    pub depth: u32,
    /// The evaluator of the positions at the end of an estimate's lookahead.
    pub leaf: Leaf,
    /// Number of games from which a network learns, 1 to [`MAX_TRAINING_GAMES`].
    pub training_games: u64,
}

impl Default for Options {
    fn default() -> Self {
        let training_games = DEFAULT_TRAINING_GAMES;
        Self { target: Target::None, four: 0.1, depth: 2, leaf: Leaf::Score, training_games }
    }
}

/// Number of games from which a network learns unless the options say otherwise.
pub const DEFAULT_TRAINING_GAMES: u64 = 10_000;

/// The most games that a network may learn from: days of learning on a 4x4 board.
pub const MAX_TRAINING_GAMES: u64 = 10_000_000;

/// The farthest that an estimate looks ahead.
pub const MAX_DEPTH: u32 = 3;

impl Options {
    /// Checks what the types cannot say.
    ///
    /// # Errors
    ///
    /// What is wrong, with the entry in backticks.
    pub fn check(&self) -> Result<(), String> {
        if !(0.0..=1.0).contains(&self.four) {
            return Err(format!("`four` is a probability from 0 to 1, not {}", self.four));
        }
        if !(1..=MAX_DEPTH).contains(&self.depth) {
            return Err(format!("`depth` is a whole number from 1 to {MAX_DEPTH}, not {}", self.depth));
        }
        if !(1..=MAX_TRAINING_GAMES).contains(&self.training_games) {
            return Err(format!(
                "`training_games` is a whole number from 1 to {MAX_TRAINING_GAMES}, not {}",
                self.training_games
            ));
        }
        Ok(())
    }
}

/// The smallest target: boards may begin with two 4s.
const MIN_TARGET: u32 = 3;

/// The largest exponent of a target.
const MAX_TARGET: u32 = 26;

/// A target as settings and options have it.
///
/// # Errors
///
/// What is wrong, in words.
pub fn target(text: &str) -> Result<Target, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(Target::None);
    }
    let exponent = tile(text).filter(|exponent| (MIN_TARGET..=MAX_TARGET).contains(exponent));
    exponent.map(Target::Exponent).ok_or_else(|| {
        let (first, last) = (value(MIN_TARGET), value(MAX_TARGET));
        format!("`target` is \"none\" or a tile: {first}, {}, {} … {last}, not {text}", 2 * first, 4 * first)
    })
}
