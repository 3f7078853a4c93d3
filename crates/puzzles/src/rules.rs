//! The rules of one level behind one object-safe interface.
//!
//! A game implements [`Puzzle`] with its own types for states and moves. Every later stage works with
//! [`Rules`]: states are opaque [`StateCode`]s and moves are [`LegalMove`]s that carry their notation.
//! `Rules` is implemented once, for every `Puzzle`.

use std::fmt;

use crate::game::lists::rows_of_list;
use crate::game::{
    Aim, Attribute, Feature, Heuristic, MoveError, OwnFound, OwnSearch, PebbleMotion, Picture, PositionIndex,
    Preparation, Puzzle, RankedDistances, SlidingBlocks, Specification, StateCode, StateError, Strategy, Subgoal, Unit,
    Valuation, Value, ValueError, WishedMove,
};
use crate::graph::{LevelMap, MapError, MapOptions, enumerate};
use crate::progress::Progress;
use crate::search::Found;

mod legal_move;
mod search;

use legal_move::described;

pub use legal_move::LegalMove;
pub use search::{Guide, SearchRequest};

/// The rules of one level, with the game's own types hidden.
///
/// All stages after the rules work with this trait. It is implemented for every [`Puzzle`].
pub trait Rules: Send + Sync {
    // Positions and moves.

    /// The position in which the level starts.
    fn start(&self) -> StateCode;

    /// `true` if the level is solved in this position.
    fn is_goal(&self, state: StateCode) -> bool;

    /// `true` if play ends in this position: the level is solved, or, where points are counted, no move is
    /// left.
    fn is_end(&self, state: StateCode) -> bool {
        self.is_goal(state) || (!self.unit().is_distance() && self.legal_moves(state).is_empty())
    }

    /// All legal moves, in ascending order.
    fn legal_moves(&self, state: StateCode) -> Vec<LegalMove>;

    /// Appends the positions that the legal moves lead to, in their order, and where chance follows in the order of
    /// [`Puzzle::outcomes`]: what [`Rules::outcomes`] leads to, without its notation. Move by move as the rules say,
    /// never by [`Puzzle::for_each_successor`], so that it can prove what maps make of that.
    fn successors(&self, state: StateCode, after: &mut Vec<StateCode>);

    /// Plays an action as a log gives it.
    ///
    /// # Errors
    ///
    /// [`MoveError`] if the text cannot be read as a move, or the rules do not allow it here.
    fn play(&self, state: StateCode, text: &str) -> Result<LegalMove, MoveError>;

    /// Plays an action where the position after it is recorded too: where chance follows moves, that
    /// position tells what chance did, if the text does not.
    ///
    /// # Errors
    ///
    /// As for [`Rules::play`].
    fn play_to(&self, state: StateCode, text: &str, next: StateCode) -> Result<LegalMove, MoveError>;

    /// The action that leads from one position to another, where there is one.
    fn move_between(&self, before: StateCode, after: StateCode) -> Option<LegalMove>;

    /// `true` if a logged action would change nothing in this position; see [`Puzzle::is_null`]. What cannot be read
    /// would not.
    fn is_null_move(&self, state: StateCode, text: &str) -> bool;

    /// `true` if every move can be undone by one move.
    fn is_reversible(&self) -> bool;

    /// The unit of values.
    fn unit(&self) -> Unit;

    /// The level as blocks that slide along their lines, where it is one.
    fn sliding_blocks(&self) -> Option<SlidingBlocks>;

    /// The level as pebbles on a graph; see [`Puzzle::pebble_motion`].
    fn pebble_motion(&self) -> Option<PebbleMotion>;

    /// What the level is made of beyond its start; see [`Puzzle::specification`].
    fn specification(&self) -> Option<Specification>;

    /// Mirror images of a position, which have its value.
    fn symmetric(&self, state: StateCode) -> Vec<StateCode>;

    /// A numbering of all positions of the level, where there is one; see [`Puzzle::index`].
    fn index(&self) -> Option<Box<dyn PositionIndex>>;

    /// The distances of all states of the level by the ranks of its index; see [`Puzzle::ranked_distances`]. Absent where
    /// the index has more than `max_ranks`, too.
    fn ranked_distances(&self, max_ranks: u64) -> Option<(Box<dyn PositionIndex>, RankedDistances)>;

    /// Maps every position that can be reached.
    ///
    /// # Errors
    ///
    /// [`MapError`] if a limit is passed or the caller asks to stop.
    fn map(&self, options: &MapOptions) -> Result<LevelMap, MapError>;

    // Notation and pictures.

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

    /// The aim of the level, for those who play it.
    fn aim(&self) -> Aim;

    // Chance.

    /// `true` if chance follows the moves of the player.
    fn has_chance(&self) -> bool;

    /// Outcomes of each legal move, with their probabilities: the same moves with probability 1 in games
    /// without chance.
    fn outcomes(&self, state: StateCode) -> Vec<Vec<(LegalMove, f64)>>;

    /// The positions in which an attempt can start, with their probabilities; see [`Puzzle::starts`].
    fn starts(&self) -> Vec<(StateCode, f64)>;

    /// `true` if each attempt starts in a position that chance draws.
    fn is_start_drawn(&self) -> bool {
        self.starts().len() > 1
    }

    // Values.

    /// Source of the values of positions.
    fn valuation(&self) -> Valuation;

    /// Does whatever takes long before the game can value positions.
    ///
    /// # Errors
    ///
    /// [`ValueError`], see [`Puzzle::prepare`].
    fn prepare(&self, preparation: &Preparation) -> Result<(), ValueError>;

    /// The value of a position by the game's own algorithm.
    ///
    /// # Errors
    ///
    /// [`ValueError`], see [`Puzzle::value`].
    fn value(&self, state: StateCode) -> Result<Option<Value>, ValueError>;

    /// The value of what a choice leads to, before chance has its turn; see [`LegalMove::after`].
    ///
    /// # Errors
    ///
    /// [`ValueError`], see [`Puzzle::value_after`].
    fn value_after(&self, state: StateCode) -> Result<Option<Value>, ValueError>;

    /// The values of what each legal move leads to, before chance has its turn, in the order of
    /// [`Rules::legal_moves`].
    ///
    /// # Errors
    ///
    /// [`ValueError`], see [`Puzzle::values_after`].
    fn values_after(&self, state: StateCode) -> Result<Vec<Option<Value>>, ValueError>;

    // Searches and players.

    /// The heuristics of the level.
    fn heuristics(&self) -> Vec<Heuristic>;

    /// Estimate of a position by one of [`Rules::heuristics`], by its index.
    fn estimate(&self, heuristic: usize, state: StateCode) -> f64;

    /// Features that hill climbers see of a position; see [`Puzzle::features`].
    fn features(&self) -> Vec<Feature>;

    /// One of [`Rules::features`], by its index, of a position.
    fn feature(&self, feature: usize, state: StateCode) -> f64;

    /// Searches a path to a goal; see [`search`](crate::search::search). The path is given move by move.
    fn search(&self, request: &SearchRequest) -> Found<LegalMove>;

    /// The search algorithm that belongs to this game alone, where it has one.
    fn own_search(&self) -> Option<OwnSearch>;

    /// Searches a path to a goal by [`Rules::own_search`], with at most `max_steps` of its steps; see
    /// [`Puzzle::search_own`].
    fn search_own(&self, state: StateCode, max_steps: u64, progress: &dyn Progress) -> OwnFound<LegalMove>;

    /// The strategies that belong to this game alone.
    fn strategies(&self) -> Vec<Strategy>;

    /// The move that one of [`Rules::strategies`], by its index, chooses; nothing where no move is legal.
    fn choose(&self, strategy: usize, state: StateCode) -> Option<LegalMove>;

    // Thought, as an AND-OR tree.

    /// Moves with which reasoning backwards from the goal begins; see [`Puzzle::goal_moves`].
    fn goal_moves(&self, state: StateCode) -> Option<Subgoal>;

    /// Obstacles of a wished move; see [`Puzzle::obstacles`].
    fn obstacles(&self, state: StateCode, wished: WishedMove) -> Option<Vec<Subgoal>>;

    /// The legal move that a wished is; see [`Puzzle::as_legal_move`].
    fn as_legal_move(&self, state: StateCode, wished: WishedMove) -> Option<LegalMove>;

    /// A wished move for people to read; see [`Puzzle::format_wished_move`].
    fn format_wished_move(&self, state: StateCode, wished: WishedMove) -> String;

    // Reports.

    /// Attributes of a position beyond its value.
    fn attributes(&self, state: StateCode) -> Vec<Attribute>;

    /// Remarks on what was taken for granted where the level allows several readings; they are to be said.
    fn remarks(&self) -> &[String];

    /// Error inside scripted rules.
    fn script_error(&self) -> Option<String>;
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
        moves.into_iter().map(|action| described(self, state, action)).collect()
    }

    fn successors(&self, state: StateCode, after: &mut Vec<StateCode>) {
        let state = self.decode(state.0);
        let mut moves = Vec::new();
        Puzzle::legal_moves(self, state, &mut moves);
        let mut outcomes = Vec::new();
        for &choice in &moves {
            outcomes.clear();
            Puzzle::outcomes(self, state, choice, &mut outcomes);
            let codes = outcomes.iter().map(|&(action, _)| self.encode(self.play_unchecked(state, action)));
            after.extend(codes.map(StateCode));
        }
    }

    fn play(&self, state: StateCode, text: &str) -> Result<LegalMove, MoveError> {
        let state = self.decode(state.0);
        let action = self.parse_move(state, text)?;
        let reason = match Puzzle::play(self, state, action) {
            Ok(_) => return Ok(described(self, state, action)),
            Err(reason) => reason,
        };
        // A choice that the rules allow is no illegal move: what is missing or wrong is what chance did.
        let mut legal = Vec::new();
        if P::CHANCE {
            Puzzle::legal_moves(self, state, &mut legal);
        }
        if legal.contains(&self.choice(action)) {
            return Err(MoveError::Unreadable { text: text.to_owned(), expected: reason });
        }
        Err(MoveError::Illegal { text: text.to_owned(), reason })
    }

    fn play_to(&self, state: StateCode, text: &str, next: StateCode) -> Result<LegalMove, MoveError> {
        if !P::CHANCE {
            return Rules::play(self, state, text);
        }
        let (before, next) = (self.decode(state.0), self.decode(next.0));
        let written = self.parse_move(before, text)?;
        let choice = self.choice(written);
        if written != choice {
            return Rules::play(self, state, text);
        }
        let mut outcomes = Vec::new();
        let mut legal = Vec::new();
        Puzzle::legal_moves(self, before, &mut legal);
        if legal.contains(&choice) {
            Puzzle::outcomes(self, before, choice, &mut outcomes);
        }
        match outcomes.iter().find(|&&(action, _)| self.play_unchecked(before, action) == next) {
            Some(&(action, _)) => Ok(described(self, before, action)),
            None if legal.contains(&choice) => {
                let after = self.play_unchecked(before, choice);
                let expected = format!("no outcome of it is {}", Puzzle::format_state(self, next));
                let expected =
                    format!("{expected}: it leads to {} before chance has its turn", Puzzle::format_state(self, after));
                Err(MoveError::Unreadable { text: text.to_owned(), expected })
            }
            None => Rules::play(self, state, text),
        }
    }

    fn move_between(&self, before: StateCode, after: StateCode) -> Option<LegalMove> {
        let (before, after) = (self.decode(before.0), self.decode(after.0));
        let action = Puzzle::move_between(self, before, after)?;
        Some(described(self, before, action))
    }

    fn is_null_move(&self, state: StateCode, text: &str) -> bool {
        let state = self.decode(state.0);
        self.parse_move(state, text).is_ok_and(|action| self.is_null(state, action))
    }

    fn is_reversible(&self) -> bool {
        P::REVERSIBLE
    }

    fn unit(&self) -> Unit {
        Puzzle::unit(self)
    }

    fn sliding_blocks(&self) -> Option<SlidingBlocks> {
        Puzzle::sliding_blocks(self)
    }

    fn pebble_motion(&self) -> Option<PebbleMotion> {
        Puzzle::pebble_motion(self)
    }

    fn specification(&self) -> Option<Specification> {
        Puzzle::specification(self)
    }

    fn symmetric(&self, state: StateCode) -> Vec<StateCode> {
        let mut images = Vec::new();
        Puzzle::symmetric(self, self.decode(state.0), &mut images);
        images.into_iter().map(|image| StateCode(self.encode(image))).collect()
    }

    fn index(&self) -> Option<Box<dyn PositionIndex>> {
        Puzzle::index(self).map(|index| Box::new(index) as Box<dyn PositionIndex>)
    }

    fn ranked_distances(&self, max_ranks: u64) -> Option<(Box<dyn PositionIndex>, RankedDistances)> {
        let index = Puzzle::index(self).filter(|index| index.n_ranks() <= max_ranks)?;
        let distances = Puzzle::ranked_distances(self, &index)?;
        Some((Box::new(index), distances))
    }

    fn map(&self, options: &MapOptions) -> Result<LevelMap, MapError> {
        enumerate(self, options)
    }

    fn parse_state(&self, text: &str) -> Result<StateCode, StateError> {
        let read = Puzzle::parse_state(self, text).or_else(|error| match rows_of_list(text) {
            Some(rows) => Puzzle::parse_state(self, &rows),
            None => Err(error),
        });
        Ok(StateCode(self.encode(read?)))
    }

    fn format_state(&self, state: StateCode) -> String {
        Puzzle::format_state(self, self.decode(state.0))
    }

    fn picture(&self, state: StateCode) -> Picture {
        Puzzle::picture(self, self.decode(state.0))
    }

    fn aim(&self) -> Aim {
        Puzzle::aim(self)
    }

    fn has_chance(&self) -> bool {
        P::CHANCE
    }

    fn outcomes(&self, state: StateCode) -> Vec<Vec<(LegalMove, f64)>> {
        let state = self.decode(state.0);
        let mut moves = Vec::new();
        Puzzle::legal_moves(self, state, &mut moves);
        let outcomes_of = |choice| {
            let mut outcomes = Vec::new();
            Puzzle::outcomes(self, state, choice, &mut outcomes);
            outcomes.into_iter().map(|(action, chance)| (described(self, state, action), chance)).collect()
        };
        moves.into_iter().map(outcomes_of).collect()
    }

    fn starts(&self) -> Vec<(StateCode, f64)> {
        let mut starts = Vec::new();
        Puzzle::starts(self, &mut starts);
        starts.into_iter().map(|(state, chance)| (StateCode(self.encode(state)), chance)).collect()
    }

    fn valuation(&self) -> Valuation {
        Puzzle::valuation(self)
    }

    fn prepare(&self, preparation: &Preparation) -> Result<(), ValueError> {
        Puzzle::prepare(self, preparation)
    }

    fn value(&self, state: StateCode) -> Result<Option<Value>, ValueError> {
        Puzzle::value(self, self.decode(state.0))
    }

    fn value_after(&self, state: StateCode) -> Result<Option<Value>, ValueError> {
        Puzzle::value_after(self, self.decode(state.0))
    }

    fn values_after(&self, state: StateCode) -> Result<Vec<Option<Value>>, ValueError> {
        let state = self.decode(state.0);
        let mut choices = Vec::new();
        Puzzle::legal_moves(self, state, &mut choices);
        Puzzle::values_after(self, state, &choices)
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        Puzzle::heuristics(self)
    }

    fn estimate(&self, heuristic: usize, state: StateCode) -> f64 {
        Puzzle::estimate(self, heuristic, self.decode(state.0))
    }

    fn features(&self) -> Vec<Feature> {
        Puzzle::features(self)
    }

    fn feature(&self, feature: usize, state: StateCode) -> f64 {
        Puzzle::feature(self, feature, self.decode(state.0))
    }

    fn search(&self, request: &SearchRequest) -> Found<LegalMove> {
        search::searched(self, request)
    }

    fn own_search(&self) -> Option<OwnSearch> {
        Puzzle::own_search(self)
    }

    fn search_own(&self, state: StateCode, max_steps: u64, progress: &dyn Progress) -> OwnFound<LegalMove> {
        search::searched_own(self, state, max_steps, progress)
    }

    fn strategies(&self) -> Vec<Strategy> {
        Puzzle::strategies(self)
    }

    fn choose(&self, strategy: usize, state: StateCode) -> Option<LegalMove> {
        let state = self.decode(state.0);
        Puzzle::choose(self, strategy, state).map(|action| described(self, state, action))
    }

    fn goal_moves(&self, state: StateCode) -> Option<Subgoal> {
        Puzzle::goal_moves(self, self.decode(state.0))
    }

    fn obstacles(&self, state: StateCode, wished: WishedMove) -> Option<Vec<Subgoal>> {
        Puzzle::obstacles(self, self.decode(state.0), wished)
    }

    fn as_legal_move(&self, state: StateCode, wished: WishedMove) -> Option<LegalMove> {
        let state = self.decode(state.0);
        Puzzle::as_legal_move(self, state, wished).map(|action| described(self, state, action))
    }

    fn format_wished_move(&self, state: StateCode, wished: WishedMove) -> String {
        Puzzle::format_wished_move(self, self.decode(state.0), wished)
    }

    fn attributes(&self, state: StateCode) -> Vec<Attribute> {
        Puzzle::attributes(self, self.decode(state.0))
    }

    fn remarks(&self) -> &[String] {
        Puzzle::remarks(self)
    }

    fn script_error(&self) -> Option<String> {
        Puzzle::script_error(self)
    }
}

impl fmt::Debug for dyn Rules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Rules(start = {})", self.format_state(self.start()))
    }
}
