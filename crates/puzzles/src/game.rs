//! The rules of a puzzle, and the laws they obey.
//!
//! A game implements [`Puzzle`] with its own types for states and moves. Every later stage works
//! with [`Rules`](crate::rules::Rules), the same rules behind one object-safe interface, which is implemented
//! once, for every `Puzzle`; a game never implements it by hand.
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
//! 6. A value that the game finds itself ([`Puzzle::value`]) is the one that a map of the level gives, and
//!    [`Puzzle::values_after`] agrees with [`Puzzle::value_after`].
//! 7. A heuristic that is said to be admissible ([`Heuristic::is_admissible`]) never exceeds the distance to
//!    the goal, and every heuristic is 0 or more, and infinite only where no goal can be reached.
//! 8. The probabilities of [`Puzzle::outcomes`] sum to 1, and `play` accepts each outcome.
//! 9. The positions that [`Puzzle::symmetric`] lists have the same value.
//! 10. What a game wishes without [`Puzzle::obstacles`] is one of its legal moves ([`Puzzle::as_legal_move`]).
//! 11. [`Puzzle::for_each_successor`] visits what the legal moves lead to, in their order.
//! 12. [`Puzzle::index`] gives each reachable position a rank of its own; a map by it, and the distances by its ranks, are
//!     those without it.

use std::fmt::Debug;
use std::hash::Hash;
use std::io;
use std::ops::Range;
use std::sync::Arc;

mod aim;
pub mod direction;
mod index;
mod kept;
pub mod lights_out;
mod ranked_distances;

pub(crate) mod lists;
pub mod match_the_tiles;
pub mod panguru;
mod pebble_motion;
pub mod rush_hour;
pub mod scripted;
mod sliding_blocks;
pub mod sliding_tiles;
mod specification;
#[cfg(test)]
mod testing;
pub mod tower;
pub mod twenty48;
mod value;

pub use aim::Aim;
pub use index::{PositionIndex, Unindexed};
pub use pebble_motion::PebbleMotion;
pub use picture::Picture;
pub use plymap_picture as picture;
pub use ranked_distances::RankedDistances;
pub use sliding_blocks::{SlidingBlock, SlidingBlocks};
pub use specification::Specification;
pub use value::{Distance, Unit, Valuation, Value, ValueError};

use crate::diagnostic::SourceText;
use crate::progress::Progress;

/// The text of one level inside its file.
#[derive(Clone, Debug)]
pub struct LevelText<'a> {
    /// The level's own text.
    pub text: &'a str,
    /// The file it stands in.
    pub source: &'a Arc<SourceText>,
    /// Bytes of the file that hold it.
    pub span: Range<usize>,
}

/// The compact code of a state, as its game encodes it.
///
/// Two states of a level are equal exactly if their codes are. Codes of different levels have
/// nothing to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateCode(pub u128);

/// Reason why a logged action could not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move in this game's notation.
    #[error("{text:?} is not a move: {expected}")]
    Unreadable {
        /// The text as it was logged.
        text: String,
        /// Form of a move.
        expected: String,
    },
    /// The text is a move, but the rules do not allow it here.
    #[error("{text:?} is not possible here: {reason}")]
    Illegal {
        /// The text as it was logged.
        text: String,
        /// Rule that it breaks.
        reason: String,
    },
}

/// Reason why a text is not a state of the level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a position of this level: {reason}")]
pub struct StateError {
    /// The text as it was given.
    pub text: String,
    /// Reason in words.
    pub reason: String,
}

/// One more thing that a game knows of a position, such as the number of its solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// A short name, as a table would have it: `n_solutions`.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// Meaning in a few words.
    pub meaning: &'static str,
}

impl Attribute {
    /// An attribute with this name, value and meaning.
    pub fn new(name: &'static str, value: impl ToString, meaning: &'static str) -> Self {
        Self { name, value: value.to_string(), meaning }
    }

    /// The value as a whole number, if it is one.
    pub fn whole(&self) -> Option<i64> {
        self.value.parse().ok()
    }
}

/// A heuristic of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heuristic {
    /// Its name, as studies give it: `blocking-cars`.
    pub name: String,
    /// Meaning in a few words: what it counts.
    pub meaning: String,
    /// `true` if it claims never to exceed the distance to the goal in the level's metric.
    pub is_admissible: bool,
}

impl Heuristic {
    /// A heuristic that claims never to exceed the distance to the goal.
    pub fn admissible(name: &str, meaning: &str) -> Self {
        Self { name: name.to_owned(), meaning: meaning.to_owned(), is_admissible: true }
    }
}

/// Number that somebody sees in a position without looking ahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its name, as tables have it: `pieces-before-exit`.
    pub name: String,
    /// Meaning in a few words: what it counts.
    pub meaning: String,
}

impl Feature {
    /// A feature with this name and meaning.
    pub fn new(name: &str, meaning: &str) -> Self {
        Self { name: name.to_owned(), meaning: meaning.to_owned() }
    }
}

/// A search algorithm that one game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnSearch {
    /// Its name, as studies give it: `column-search`.
    pub name: &'static str,
    /// Method of the search, and its unit of steps.
    pub meaning: &'static str,
}

/// Result of [`Puzzle::search_own`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFound<M> {
    /// Steps of the search.
    pub n_steps: u64,
    /// A path to a goal; nothing if there is none, or none was found in time.
    pub moves: Option<Vec<M>>,
    /// `true` if the search ended at its limit.
    pub is_cut: bool,
}

/// A strategy that one game has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Its name: `source-fast`.
    pub name: String,
    /// Way of choosing, in a few words.
    pub meaning: String,
}

/// Place where a game may keep what took long to compute.
pub trait Store: Sync {
    /// Bytes that were kept under this key, if any.
    fn open(&self, key: &str) -> Option<Box<dyn io::Read>>;

    /// Keeps what `write` writes under this key; nothing half-written remains if it fails.
    ///
    /// # Errors
    ///
    /// What the system, or `write`, says.
    fn keep(&self, key: &str, write: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>) -> io::Result<()>;

    /// Takes note that what was kept under this key is not as it was written, so that it is computed anew.
    fn note_damage(&self, key: &str);
}

/// Means of a game while it prepares to value positions.
#[derive(Clone, Copy)]
pub struct Preparation<'a> {
    /// Told about progress, and asked whether to stop.
    pub progress: &'a dyn Progress,
    /// Place where results that took long are kept, if any.
    pub store: Option<&'a dyn Store>,
}

/// A move that one wants to make, legal or not, in a code of the game's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WishedMove(pub u64);

/// Something that must be done before a wished move can be made, and the moves that do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subgoal {
    /// Identity of the thought, in codes of the game's own.
    pub name: Vec<u64>,
    /// The moves, legal or not, in an order of the game's own.
    pub alternatives: Vec<WishedMove>,
}

/// Movement of the hand for a move that does not take a piece to its new place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gesture {
    /// A swipe over the board.
    Swipe(direction::Direction),
    /// A press of a cell of the board; rows and columns from 0.
    Press {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
}

/// The rules of one level of a game.
///
/// What is required comes first: positions, moves, codes, notation, pictures. The rest are capabilities in groups,
/// each with a default. They are one trait and not one for each group, since [`Rules`](crate::rules::Rules) offers
/// all of them of every game: with a trait for each group every game would have to implement the ones that it has
/// nothing to say to.
pub trait Puzzle: Send + Sync {
    // Required: positions and moves.

    /// A position. Small, because maps hold millions of them.
    type State: Copy + Ord + Hash + Debug + Send + Sync;

    /// One action of the player.
    type Move: Copy + Ord + Debug + Send + Sync;

    /// The numbering of the positions of a level that [`Puzzle::index`] makes: [`Unindexed`] in games that have none.
    type Index: PositionIndex + 'static;

    /// `true` if every move can be undone by one move.
    ///
    /// A claim about the game, checked by the law suite; it lets a map do without backward arcs.
    const REVERSIBLE: bool;

    /// The position in which the level starts.
    fn start(&self) -> Self::State;

    /// `true` if the level is solved in this position.
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

    /// The action between two positions, where one action joins them.
    fn move_between(&self, before: Self::State, after: Self::State) -> Option<Self::Move>;

    // Required: codes, notation and pictures.

    /// Number of bits of the largest code of a position, at most 128.
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

    /// The move in the notation of logs.
    fn format_move(&self, state: Self::State, action: Self::Move) -> String;

    /// The position as a drawing, for figures and terminals.
    fn picture(&self, state: Self::State) -> Picture;

    /// The aim of the level, for those who play it.
    fn aim(&self) -> Aim {
        Aim::default()
    }

    // Optional: moves and gestures.

    /// Cost of a move in the level's metric: 1 unless the game has another one. Where values are
    /// points, the points that the move gains.
    fn cost(&self, _state: Self::State, _action: Self::Move) -> u32 {
        1
    }

    /// The unit of values in the level's metric.
    fn unit(&self) -> Unit {
        Unit::Moves
    }

    /// `true` if an action that [`Puzzle::parse_move`] read would change nothing, so that it is no move: a piece that
    /// is put back, a swipe that moves no tile.
    fn is_null(&self, _state: Self::State, _action: Self::Move) -> bool {
        false
    }

    /// Number of the part of the puzzle that moves, where the game has such parts.
    fn piece(&self, _action: Self::Move) -> Option<u32> {
        None
    }

    /// Movement of the hand, where a move does not take a piece to its new place: nothing for moves of pieces, which
    /// the pictures before and after them tell.
    fn gesture(&self, _state: Self::State, _action: Self::Move) -> Option<Gesture> {
        None
    }

    /// Calls `visit` with each position that one legal move leads to, in the order of the moves, and where
    /// chance follows in the order of [`Puzzle::outcomes`]. A game may do this faster than move by move; the result
    /// must be the same.
    fn for_each_successor(&self, state: Self::State, moves: &mut Vec<Self::Move>, visit: &mut impl FnMut(Self::State))
    where
        Self: Sized,
    {
        moves.clear();
        self.legal_moves(state, moves);
        let mut outcomes = Vec::new();
        for &action in moves.iter() {
            if Self::CHANCE {
                outcomes.clear();
                self.outcomes(state, action, &mut outcomes);
                outcomes.iter().for_each(|&(action, _)| visit(self.play_unchecked(state, action)));
            } else {
                visit(self.play_unchecked(state, action));
            }
        }
    }

    /// The level as blocks that slide along their lines, where it is one, for a second reading of its rules.
    fn sliding_blocks(&self) -> Option<SlidingBlocks> {
        None
    }

    /// The level as pebbles on a graph with one free vertex, where it is one.
    fn pebble_motion(&self) -> Option<PebbleMotion> {
        None
    }

    /// What the level is made of beyond its start, where all of its positions tell the rest.
    fn specification(&self) -> Option<Specification> {
        None
    }

    /// Appends positions that are mirror images of this one, and so have the same value.
    fn symmetric(&self, _state: Self::State, _images: &mut Vec<Self::State>) {}

    // Optional: a numbering of positions.

    /// A numbering of all positions of the level, with which maps need no hash table. Absent where the game or this
    /// level has none; levels whose codes have more than 64 bits have none.
    fn index(&self) -> Option<Self::Index> {
        None
    }

    /// Calls `visit` with rank and code of each position that one legal move leads to, in the order of
    /// [`Puzzle::for_each_successor`]. A game may do this faster than position by position; the result must be the
    /// same.
    fn for_each_indexed_successor(
        &self,
        index: &Self::Index,
        code: u64,
        moves: &mut Vec<Self::Move>,
        visit: &mut impl FnMut(u64, u64),
    ) where
        Self: Sized,
    {
        self.for_each_successor(self.decode(u128::from(code)), moves, &mut |after| {
            let code = self.encode(after) as u64;
            visit(index.rank(code).expect("positions behind legal moves have a rank"), code);
        });
    }

    /// The distances of all states of the level by the ranks of its index, where the game finds them faster than by a map.
    fn ranked_distances(&self, _index: &Self::Index) -> Option<RankedDistances> {
        None
    }

    // Optional: chance.

    /// `true` if chance follows the moves of the player, as the new tile in 2048. Then
    /// [`Puzzle::legal_moves`] lists choices, [`Puzzle::play_unchecked`] of a choice gives the after-state,
    /// and [`Puzzle::play`] and logs take moves that tell what chance did.
    const CHANCE: bool = false;

    /// The player's part of a move, without what chance did.
    fn choice(&self, action: Self::Move) -> Self::Move {
        action
    }

    /// Appends what a choice can turn into: each move with the part of chance told, and its probability.
    fn outcomes(&self, _state: Self::State, choice: Self::Move, outcomes: &mut Vec<(Self::Move, f64)>) {
        outcomes.push((choice, 1.0));
    }

    /// Appends the positions in which an attempt can start, with their probabilities: more than one only
    /// where chance draws the start, so that only a log can tell which it was.
    fn starts(&self, starts: &mut Vec<(Self::State, f64)>) {
        starts.push((self.start(), 1.0));
    }

    // Optional: values.

    /// Source of the values of positions: a map of the level unless the game has its own way.
    fn valuation(&self) -> Valuation {
        Valuation::Map
    }

    /// Does whatever takes long before positions can be valued. Called once, before [`Puzzle::value`].
    ///
    /// # Errors
    ///
    /// [`ValueError`] if the caller asked to stop, or the level is beyond what the game can compute.
    fn prepare(&self, _preparation: &Preparation) -> Result<(), ValueError> {
        Ok(())
    }

    /// The value of a position by the game's own algorithm; nothing if no goal can be reached. A game
    /// whose [`Puzzle::valuation`] is not [`Valuation::Map`] must have one.
    ///
    /// # Errors
    ///
    /// [`ValueError`] if this position is beyond what the game can compute.
    fn value(&self, _state: Self::State) -> Result<Option<Value>, ValueError> {
        Err(ValueError::Beyond("this game has no algorithm of its own".to_owned()))
    }

    /// The value of a position that a move leads to, before chance has its turn: of an after-state. What
    /// the move itself gains is not in it.
    ///
    /// # Errors
    ///
    /// As for [`Puzzle::value`].
    fn value_after(&self, state: Self::State) -> Result<Option<Value>, ValueError> {
        self.value(state)
    }

    /// Values of what some choices lead to: [`Puzzle::value_after`] of each, in their order. A game that finds
    /// them all at once faster than one by one does so.
    ///
    /// # Errors
    ///
    /// As for [`Puzzle::value`].
    fn values_after(&self, state: Self::State, choices: &[Self::Move]) -> Result<Vec<Option<Value>>, ValueError> {
        choices.iter().map(|&choice| self.value_after(self.play_unchecked(state, choice))).collect()
    }

    // Optional: searches and players.

    /// The heuristics of this level: numbers that are quickly computed, and the smaller the nearer a goal seems.
    fn heuristics(&self) -> Vec<Heuristic> {
        Vec::new()
    }

    /// Estimate of a position by one of [`Puzzle::heuristics`], by its index: 0 or more, infinite where it knows that
    /// no goal can be reached.
    fn estimate(&self, _heuristic: usize, _state: Self::State) -> f64 {
        0.0
    }

    /// Features that hill climbers see of a position: the heuristics of the level, unless the game has something else.
    fn features(&self) -> Vec<Feature> {
        let feature = |heuristic: Heuristic| Feature { name: heuristic.name, meaning: heuristic.meaning };
        self.heuristics().into_iter().map(feature).collect()
    }

    /// One of [`Puzzle::features`], by its index, of a position. It may be infinite where a heuristic is.
    fn feature(&self, feature: usize, state: Self::State) -> f64 {
        self.estimate(feature, state)
    }

    /// The search algorithm that belongs to this game alone, where it has one.
    fn own_search(&self) -> Option<OwnSearch> {
        None
    }

    /// Searches a path to a goal by [`Puzzle::own_search`], with at most `max_steps` of its steps; `progress` is asked
    /// whether to stop.
    fn search_own(&self, _state: Self::State, _max_steps: u64, _progress: &dyn Progress) -> OwnFound<Self::Move> {
        OwnFound { n_steps: 0, moves: None, is_cut: false }
    }

    /// The strategies that belong to this game alone, such as players of its literature.
    fn strategies(&self) -> Vec<Strategy> {
        Vec::new()
    }

    /// The move that one of [`Puzzle::strategies`], by its index, chooses; nothing where no move is legal.
    fn choose(&self, _strategy: usize, _state: Self::State) -> Option<Self::Move> {
        None
    }

    // Optional: thought, as an AND-OR tree.

    /// The moves that would end the level, whatever is in their way: where reasoning backwards from the goal begins
    /// ([`thought`](crate::thought)). Absent where the game does not say what is in the way of a move, and in
    /// positions in which nothing is left to do.
    fn goal_moves(&self, _state: Self::State) -> Option<Subgoal> {
        None
    }

    /// Obstacles that must go before a wished move can be made, each with the moves that would take it away; nothing
    /// where it is legal. Absent where it can never be.
    fn obstacles(&self, _state: Self::State, _wished: WishedMove) -> Option<Vec<Subgoal>> {
        None
    }

    /// The legal move that a wished move without [`Puzzle::obstacles`] is.
    fn as_legal_move(&self, _state: Self::State, _wished: WishedMove) -> Option<Self::Move> {
        None
    }

    /// A wished move for people to read: in the notation of logs, though it need not be legal.
    fn format_wished_move(&self, _state: Self::State, _wished: WishedMove) -> String {
        String::new()
    }

    // Optional: reports.

    /// Attributes of a position beyond its value.
    fn attributes(&self, _state: Self::State) -> Vec<Attribute> {
        Vec::new()
    }

    /// Remarks on what was taken for granted where the level allows several readings.
    fn remarks(&self) -> &[String] {
        &[]
    }

    /// Error inside the rules since the level was loaded; only scripted rules can fail.
    fn script_error(&self) -> Option<String> {
        None
    }
}
