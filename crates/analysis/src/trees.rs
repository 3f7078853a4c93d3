//! The AND-OR trees of the positions that were met: where thoughts backwards from the goal end.

use rayon::prelude::*;

use super::dataset::Dataset;
use plymap_puzzles::game::StateCode;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::thought::{NoTree, Tree};

/// Positions beyond which nobody's trees are built: one can take 50 ms.
const MOST_POSITIONS: usize = 50_000;

/// The trees of all positions that were met, each some 200 bytes.
pub(super) struct Trees {
    /// Absent where there is no tree.
    trees: Vec<Option<TreeOfPosition>>,
}

/// Summary of the AND-OR tree of a position.
#[derive(Clone, Debug)]
pub(super) struct TreeOfPosition {
    /// Number of nodes: wished moves and subgoals.
    pub n_nodes: u32,
    /// Number of legal moves that are in the tree.
    pub n_leaves: u32,
    /// Greatest depth of a legal move; 0 if none is in the tree.
    pub depth: u32,
    /// Offsets in `shares` of the list of each legal move and of that of circles, and the end.
    offsets: Box<[u32]>,
    /// Probabilities by depth, from 1.
    shares: Box<[f64]>,
}

impl Trees {
    /// Builds the tree of each position, whose rules and code may be unknown.
    ///
    /// # Errors
    ///
    /// In words, why there are no trees.
    pub fn new(data: &Dataset, rules: &[Option<&dyn Rules>], codes: &[Option<StateCode>]) -> Result<Self, String> {
        if data.positions.len() > MOST_POSITIONS {
            let n = data.positions.len();
            return Err(format!("{n} positions were met; trees are built of at most {MOST_POSITIONS}"));
        }
        let of_position = |(position, (level, _)): (usize, &(usize, String))| match (rules[*level], codes[position]) {
            (Some(rules), Some(code)) => TreeOfPosition::new(rules, code),
            _ => Err(NoTree::NoGoalMoves),
        };
        let trees: Vec<Result<TreeOfPosition, NoTree>> =
            data.positions.par_iter().enumerate().map(of_position).collect();
        if trees.iter().all(Result::is_err) {
            let others = trees.iter().filter_map(|tree| tree.as_ref().err()).find(|why| **why != NoTree::NoGoalMoves);
            let unsaid = || "the rules do not say what is in the way of a move".to_owned();
            return Err(others.map_or_else(unsaid, ToString::to_string));
        }
        Ok(Self { trees: trees.into_iter().map(Result::ok).collect() })
    }

    /// The tree of a position, if it has one.
    pub fn of(&self, position: usize) -> Option<&TreeOfPosition> {
        self.trees[position].as_ref()
    }
}

impl TreeOfPosition {
    fn new(rules: &dyn Rules, state: StateCode) -> Result<Self, NoTree> {
        let tree = Tree::new(rules, state)?;
        let ends = tree.ends()?;
        let (mut offsets, mut shares) = (vec![0], Vec::new());
        for list in ends.moves.iter().chain([&ends.circles]) {
            shares.extend(list);
            offsets.push(shares.len() as u32);
        }
        Ok(Self {
            n_nodes: (tree.and_nodes().len() + tree.or_nodes().len()) as u32,
            n_leaves: tree.leaves().len() as u32,
            depth: tree.depth().unwrap_or(0),
            offsets: offsets.into(),
            shares: shares.into(),
        })
    }

    fn list(&self, number: usize) -> &[f64] {
        let ends = self.offsets.get(number).zip(self.offsets.get(number + 1));
        ends.map_or(&[], |(&first, &last)| &self.shares[first as usize..last as usize])
    }

    /// The probabilities that a thought ends in a legal move, by depth from 1; none if the move is not in the tree.
    pub fn thoughts(&self, number: usize) -> &[f64] {
        if number + 2 < self.offsets.len() { self.list(number) } else { &[] }
    }

    /// The probabilities that a thought ends in a circle, by depth from 1.
    pub fn circles(&self) -> &[f64] {
        self.list(self.offsets.len() - 2)
    }

    /// The least depth at which a legal move is in the tree.
    pub fn depth_of(&self, number: usize) -> Option<u32> {
        self.thoughts(number).iter().position(|share| *share > 0.0).map(|place| place as u32 + 1)
    }
}
