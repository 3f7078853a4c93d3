//! One game of a tournament.

use std::time::Duration;

use plymap_puzzles::game::Attribute;

/// One game of a strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Name of the strategy.
    pub strategy: String,
    /// Name of the level.
    pub level: String,
    /// Number of the game, from 1.
    pub number: u32,
    /// How it ended.
    pub ending: GameEnding,
    /// What its moves cost in the level's metric; where values are points, its score.
    pub cost: u64,
    /// Number of moves.
    pub n_moves: u64,
    /// The fewest that a solution costs, where values are distances and it is known.
    pub optimum: Option<u32>,
    /// What the game knows of the last position.
    pub attributes: Vec<Attribute>,
    /// How long it took.
    pub elapsed: Duration,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum GameEnding {
    /// Solved, or, where values are points, played to its end.
    Finished,
    /// The limit of moves ended it.
    Cut,
    /// The strategy broke the rules, and plays no more.
    Disqualified(String),
}

impl Game {
    /// Whether it counts for the results.
    pub fn is_scored(&self) -> bool {
        !matches!(self.ending, GameEnding::Disqualified(_))
    }

    /// What the solution cost beyond the fewest possible.
    pub fn excess(&self) -> Option<i64> {
        (self.ending == GameEnding::Finished).then_some(())?;
        Some(self.cost as i64 - i64::from(self.optimum?))
    }
}
