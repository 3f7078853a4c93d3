//! Game of a tournament.

use std::time::Duration;

use plymap_puzzles::game::Attribute;

/// Game of a strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Name of the strategy.
    pub strategy: String,
    /// Name of the level.
    pub level: String,
    /// Number of the game, from 1.
    pub number: u32,
    /// Ending of the game.
    pub ending: GameEnding,
    /// Cost of its moves in the level's metric; where values are points, its score.
    pub cost: u64,
    /// Number of moves.
    pub n_moves: u64,
    /// Cost of an optimal solution, where values are distances and it is known.
    pub optimum: Option<u32>,
    /// Attributes of the last position.
    pub attributes: Vec<Attribute>,
    /// Duration of the game.
    pub elapsed: Duration,
}

/// Ending of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum GameEnding {
    /// Solved, or, where values are points, played to its end.
    Finished,
    /// The limit of moves ended it.
    MoveLimit,
    /// The strategy broke the rules, and plays no more.
    Disqualified(String),
}

impl Game {
    /// Returns true if the game counts for the results.
    pub fn is_scored(&self) -> bool {
        !matches!(self.ending, GameEnding::Disqualified(_))
    }

    /// Returns the excess of the solution's cost over that of an optimal one.
    pub fn excess(&self) -> Option<i64> {
        (self.ending == GameEnding::Finished).then_some(())?;
        Some(self.cost as i64 - i64::from(self.optimum?))
    }
}
