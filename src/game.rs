//! The rules of a puzzle, and the laws they obey.
//!
//! A game implements [`Puzzle`] with its own types for states and moves. Every later stage works
//! with [`Rules`], the same rules behind one object-safe face: states are opaque [`StateCode`]s
//! and moves are [`LegalMove`]s that carry their notation. `Rules` is implemented once, for every
//! `Puzzle`; a game never implements it by hand.
//!
//! # Laws
//!
//! The law suite (`tests/it/laws.rs`) holds every registered game to these:
//!
//! 1. `legal_moves` lists moves in ascending order, without repetition, and `play` accepts each.
//! 2. `decode(encode(s)) == s` and `parse_state(format_state(s)) == s` for every reachable state.
//! 3. `parse_move(s, format_move(s, m)) == m` for every legal move `m` of `s`.
//! 4. If [`Puzzle::REVERSIBLE`], every legal move is undone by one legal move.
//! 5. Every code of a reachable state fits into [`Puzzle::code_bits`] bits.

use std::fmt::{self, Debug};
use std::hash::Hash;

pub mod picture;
pub mod registry;
pub mod rush_hour;

pub use picture::Picture;
pub use registry::{Game, LevelText, RuleOptions};

/// The compact code of a state, as its game encodes it.
///
/// Two states of a level are equal exactly if their codes are. Codes of different levels have
/// nothing to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateCode(pub u128);

/// One legal move of a state, with what later stages need to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalMove {
    /// The move in the notation of logs, such as `A+2`.
    pub notation: String,
    /// The state that the move leads to.
    pub after: StateCode,
    /// What the move costs in the level's metric: 1, or the number of cells under the metric `cell`.
    pub cost: u32,
    /// Which part of the puzzle moves (a piece, a disk, a lamp), where the game has such parts.
    pub piece: Option<u32>,
}

/// In what unit states are valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Moves to the goal; fewer is better.
    Moves,
    /// Moves of one cell to the goal; fewer is better.
    Cells,
}

impl Unit {
    /// The word that tables and axes show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Cells => "cells",
        }
    }
}

/// Why a logged action could not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move in this game's notation.
    #[error("{text:?} is not a move: {expected}")]
    Unreadable {
        /// The text as it was logged.
        text: String,
        /// What a move looks like.
        expected: String,
    },
    /// The text is a move, but the rules do not allow it here.
    #[error("{text:?} is not possible here: {reason}")]
    Illegal {
        /// The text as it was logged.
        text: String,
        /// Which rule it breaks.
        reason: String,
    },
}

/// Why a text is not a state of the level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a position of this level: {reason}")]
pub struct StateError {
    /// The text as it was given.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

/// The rules of one level of a game, without chance.
pub trait Puzzle: Send + Sync {
    /// A position. Small, because maps hold millions of them.
    type State: Copy + Ord + Hash + Debug + Send + Sync;
    /// One action of the player.
    type Move: Copy + Ord + Debug + Send + Sync;

    /// Whether every move can be undone by one move.
    ///
    /// A claim about the game, checked by the law suite; it lets a map do without backward arcs.
    const REVERSIBLE: bool;

    /// The position in which the level starts.
    fn start(&self) -> Self::State;

    /// Whether the level is solved in this position.
    fn is_goal(&self, state: Self::State) -> bool;

    /// Appends all legal moves of a position to `moves`, in ascending order.
    fn legal_moves(&self, state: Self::State, moves: &mut Vec<Self::Move>);

    /// The position after a legal move; any position, or a panic, after another one.
    fn play_unchecked(&self, state: Self::State, action: Self::Move) -> Self::State;

    /// The position after a move.
    ///
    /// # Errors
    ///
    /// A reason in words, if the rules do not allow the move here.
    fn play(&self, state: Self::State, action: Self::Move) -> Result<Self::State, String>;

    /// Calls `visit` with the code of each position that one legal move leads to, in the order of
    /// the moves. A game may do this faster than move by move; the result must be the same.
    fn for_each_successor(&self, state: Self::State, moves: &mut Vec<Self::Move>, visit: &mut impl FnMut(Self::State))
    where
        Self: Sized,
    {
        moves.clear();
        self.legal_moves(state, moves);
        for &action in moves.iter() {
            visit(self.play_unchecked(state, action));
        }
    }

    /// What a move costs in the level's metric; 1 unless the game has another one.
    fn cost(&self, _action: Self::Move) -> u32 {
        1
    }

    /// The unit of distances in the level's metric.
    fn unit(&self) -> Unit {
        Unit::Moves
    }

    /// Which part of the puzzle moves, where the game has such parts.
    fn piece(&self, _action: Self::Move) -> Option<u32> {
        None
    }

    /// How many bits the largest code of a position takes, at most 128.
    fn code_bits(&self) -> u32;

    /// The code of a position.
    fn encode(&self, state: Self::State) -> u128;

    /// The position with this code. The code must come from [`Puzzle::encode`].
    fn decode(&self, code: u128) -> Self::State;

    /// Reads a position, in the notation of [`Puzzle::format_state`] or another one of the game.
    ///
    /// # Errors
    ///
    /// [`StateError`] if the text is no position of this level.
    fn parse_state(&self, text: &str) -> Result<Self::State, StateError>;

    /// The position on one line, as tables show it.
    fn format_state(&self, state: Self::State) -> String;

    /// Reads an action as players' logs give it. It need not be legal.
    ///
    /// # Errors
    ///
    /// [`MoveError::Unreadable`] if the text is no move in this game's notation, and
    /// [`MoveError::Illegal`] if it names something that this level does not have.
    fn parse_move(&self, state: Self::State, text: &str) -> Result<Self::Move, MoveError>;

    /// The action between two positions, where one action joins them.
    fn move_between(&self, before: Self::State, after: Self::State) -> Option<Self::Move>;

    /// The move in the notation of logs.
    fn format_move(&self, state: Self::State, action: Self::Move) -> String;

    /// The position as a drawing, for figures and terminals.
    fn picture(&self, state: Self::State) -> Picture;
}

/// The rules of one level, with the game's own types hidden.
///
/// All stages after the rules work with this trait. It is implemented for every [`Puzzle`].
pub trait Rules: Send + Sync {
    /// The position in which the level starts.
    fn start(&self) -> StateCode;
    /// Whether the level is solved in this position.
    fn is_goal(&self, state: StateCode) -> bool;
    /// All legal moves, in ascending order.
    fn legal_moves(&self, state: StateCode) -> Vec<LegalMove>;
    /// Plays an action as a log gives it.
    ///
    /// # Errors
    ///
    /// [`MoveError`] if the text cannot be read as a move, or the rules do not allow it here.
    fn play(&self, state: StateCode, text: &str) -> Result<LegalMove, MoveError>;
    /// The action that leads from one position to another, where there is one.
    fn move_between(&self, before: StateCode, after: StateCode) -> Option<LegalMove>;
    /// Reads a position.
    ///
    /// # Errors
    ///
    /// [`StateError`] if the text is no position of this level.
    fn parse_state(&self, text: &str) -> Result<StateCode, StateError>;
    /// The position on one line.
    fn format_state(&self, state: StateCode) -> String;
    /// The position as a drawing.
    fn picture(&self, state: StateCode) -> Picture;
    /// Whether every move can be undone by one move.
    fn is_reversible(&self) -> bool;
    /// The unit of distances.
    fn unit(&self) -> Unit;
    /// Maps every position that can be reached.
    ///
    /// # Errors
    ///
    /// [`crate::graph::MapError`] if a limit is passed or the caller asks to stop.
    fn map(&self, options: &crate::graph::MapOptions) -> Result<crate::graph::LevelMap, crate::graph::MapError>;
}

impl<P: Puzzle> Rules for P {
    fn start(&self) -> StateCode {
        StateCode(self.encode(Puzzle::start(self)))
    }

    fn is_goal(&self, state: StateCode) -> bool {
        Puzzle::is_goal(self, self.decode(state.0))
    }

    fn legal_moves(&self, state: StateCode) -> Vec<LegalMove> {
        let state = self.decode(state.0);
        let mut moves = Vec::new();
        Puzzle::legal_moves(self, state, &mut moves);
        moves.into_iter().map(|action| described(self, state, action, self.play_unchecked(state, action))).collect()
    }

    fn play(&self, state: StateCode, text: &str) -> Result<LegalMove, MoveError> {
        let state = self.decode(state.0);
        let action = self.parse_move(state, text)?;
        match Puzzle::play(self, state, action) {
            Ok(after) => Ok(described(self, state, action, after)),
            Err(reason) => Err(MoveError::Illegal { text: text.to_owned(), reason }),
        }
    }

    fn move_between(&self, before: StateCode, after: StateCode) -> Option<LegalMove> {
        let (before, after) = (self.decode(before.0), self.decode(after.0));
        let action = Puzzle::move_between(self, before, after)?;
        Some(described(self, before, action, after))
    }

    fn parse_state(&self, text: &str) -> Result<StateCode, StateError> {
        Ok(StateCode(self.encode(Puzzle::parse_state(self, text)?)))
    }

    fn format_state(&self, state: StateCode) -> String {
        Puzzle::format_state(self, self.decode(state.0))
    }

    fn picture(&self, state: StateCode) -> Picture {
        Puzzle::picture(self, self.decode(state.0))
    }

    fn is_reversible(&self) -> bool {
        P::REVERSIBLE
    }

    fn unit(&self) -> Unit {
        Puzzle::unit(self)
    }

    fn map(&self, options: &crate::graph::MapOptions) -> Result<crate::graph::LevelMap, crate::graph::MapError> {
        crate::graph::enumerate(self, options)
    }
}

fn described<P: Puzzle>(puzzle: &P, before: P::State, action: P::Move, after: P::State) -> LegalMove {
    LegalMove {
        notation: puzzle.format_move(before, action),
        after: StateCode(puzzle.encode(after)),
        cost: puzzle.cost(action),
        piece: puzzle.piece(action),
    }
}

impl fmt::Debug for dyn Rules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Rules(start = {})", self.format_state(self.start()))
    }
}
