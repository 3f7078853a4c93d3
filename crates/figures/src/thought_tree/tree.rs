//! A position, its legal moves, and the AND-OR tree of thoughts: the chart's input.

use plymap_picture::Picture;

use crate::Heading;

/// A position, and the thoughts backwards from the goal.
///
/// A wished move is an AND node: all obstacles in its way must go. An obstacle is an OR node: any of its ways takes it
/// away. Nodes are told by their depth, so that several chains of thought may come to the same one. Depths that do not
/// fit the page are left out, the deepest first, and the figure says how much that is.
///
/// Places must exist. The obstacles of a wished move must be one step deeper than it, the ways of an obstacle as deep
/// as it, and roots at depth 1. Boards must be of one size, and their shapes and openings must lie inside of them.
#[derive(Clone, Debug, PartialEq)]
pub struct ThoughtTree {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// The position.
    pub board: Picture,
    /// The legal moves that are listed; those that wished moves name have an arrow on the board.
    pub moves: Vec<LegalMove>,
    /// AND nodes: moves that somebody wishes to make.
    pub wishes: Vec<WishedMove>,
    /// OR nodes: what is in the way of them.
    pub obstacles: Vec<Obstacle>,
    /// Places in `wishes` of the last moves of the level, where thinking begins.
    pub roots: Vec<usize>,
}

/// A move that can be made now.
#[derive(Clone, Debug, PartialEq)]
pub struct LegalMove {
    /// Its notation, such as `A+3`.
    pub label: String,
    /// The position behind it.
    pub after: Picture,
    /// The probability that it is made next, 0 to 1; absent where there is no model of that.
    pub probability: Option<f64>,
}

/// A move that somebody wishes to make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WishedMove {
    /// Its notation, such as `A+3`.
    pub label: String,
    /// Its depth, from 1 for the last move of the level.
    pub depth: u32,
    /// Places in `obstacles` of all that must go first.
    pub obstacles: Vec<usize>,
    /// Its place in `moves`, if it is legal.
    pub legal: Option<usize>,
}

/// Something that is in the way of wished moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Obstacle {
    /// Its depth: one more than that of the moves that it is in the way of.
    pub depth: u32,
    /// Places in `wishes` of the moves that take it away, any of which is enough; empty where nothing does, or thought
    /// would go in a circle.
    pub ways: Vec<usize>,
}

impl ThoughtTree {
    /// The least depth at which thought comes to a legal move.
    pub(super) fn first_depth(&self, legal: usize) -> Option<u32> {
        self.wishes.iter().filter(|wish| wish.legal == Some(legal)).map(|wish| wish.depth).min()
    }

    pub(super) fn has_probabilities(&self) -> bool {
        self.moves.iter().any(|legal| legal.probability.is_some())
    }
}
