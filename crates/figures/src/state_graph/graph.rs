//! The states of a level, the moves between them, and what people did there: the chart's input.

use crate::Heading;
use crate::label::Label;

/// Up to this number of states each is drawn singly.
pub const MAX_SINGLE: usize = 2_000;

/// Up to this number of flagged states each has a letter, and up to this number of errors on a trajectory each has the
/// number of its move.
pub const MAX_LETTERS: usize = 12;

/// Colouring of states that are neither start nor goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colouring {
    /// By distance to the goal, from dark (near) to bright (far).
    #[default]
    Distance,
    /// All blue.
    Blue,
}

/// The states of a level and the moves between them.
///
/// At most one of `traffic`, `trajectory` and `traps` may be given. With any of them, states that nobody came to, and
/// edges, are pale. Above [`MAX_SINGLE`] states, neighbours are summed up; states that people came to are then kept
/// apart from the others, each alone where there is room, and the subtitle says so.
///
/// Every vector must have one entry for each state, and edges, start and moves must name states that exist. A move must
/// be joined by an edge and not be more often an error than made; a trajectory must have one step between each two
/// states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateGraph {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// For each state its distance to the nearest goal, in moves; absent where no goal can be reached.
    pub distance: Vec<Option<u32>>,
    /// The state in which the level starts.
    pub start: Option<u32>,
    /// For each state whether the level is solved in it.
    pub is_goal: Vec<bool>,
    /// Pairs of states that a move joins; each pair is drawn once, whatever its direction.
    pub edges: Vec<(u32, u32)>,
    /// Places of the states in any unit, x to the right and y upwards, one for each; without them states
    /// stand by their distance to the goal.
    pub positions: Option<Vec<(f64, f64)>>,
    /// Colours.
    pub colouring: Colouring,
    /// Unit of the distance; empty for `moves`.
    pub unit: String,
    /// The moves that people made, to be drawn on the graph, the wider the more often.
    pub traffic: Option<Traffic>,
    /// The trajectory of one person, to be drawn on the graph.
    pub trajectory: Option<Trajectory>,
    /// Error rates of people: states are then coloured by their error rate instead of their distance.
    pub traps: Option<Traps>,
}

/// Moves that were made, by one person or many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The moves; entries with the same states are summed up.
    pub moves: Vec<UsedMove>,
}

/// A move from one state to another, and how often it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsedMove {
    /// The state before the move.
    pub from: u32,
    /// The state behind it; an edge must join the two, whatever its direction.
    pub to: u32,
    /// Number of times that it was made.
    pub count: u64,
    /// Number of times that it was an error, that is not optimal: all times or none, unless several moves lead from the
    /// one state to the other, or chance decides.
    pub n_errors: u64,
}

/// The trajectory of one person through the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trajectory {
    /// The states in the order in which the person came to them, the first before any move.
    pub states: Vec<u32>,
    /// Steps from each state to the next: one fewer than states.
    pub steps: Vec<Step>,
}

/// Step from one state to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// An optimal move; an edge must join the two states.
    #[default]
    Optimal,
    /// A move that is not optimal; an edge must join the two states.
    Error,
    /// No move of the game, such as an undo or a restart. It may join any two states.
    Jump,
}

/// The states that people moved from, and how often they erred there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traps {
    /// One entry for each state that was visited, each state once.
    pub states: Vec<Trap>,
    /// Meaning of a flag, for the legend; empty for `more errors than by chance`.
    pub flag: Label,
}

/// A state, how often people moved from it, and how often they erred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trap {
    /// The state.
    pub state: u32,
    /// Number of times that people had to choose a move there; 0 for a state that was only arrived at, such as a goal.
    pub n_visits: u64,
    /// Number of times that the move was an error.
    pub n_errors: u64,
    /// `true` if the state is to stand out, as one with more errors than chance explains. Flagged states get a rim and,
    /// if there are at most [`MAX_LETTERS`], the letters A, B, C … in the order of the entries.
    pub flagged: bool,
}
