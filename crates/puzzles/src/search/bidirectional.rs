//! Breadth-first search from both ends (Pohl 1971), a layer at a time, for moves of cost 1 that can be undone.

use super::tree::Tree;
use super::work::{PathResult, Stop, Work};
use crate::game::Puzzle;
use crate::numbering::Word;

/// One of the two searches.
struct Side<W, M> {
    tree: Tree<W, M>,
    /// Number of states that are expanded. The rest of the tree is the frontier: between layers, one whole layer.
    n_expanded: usize,
}

impl<W: Word, M: Copy> Side<W, M> {
    fn new(roots: impl Iterator<Item = W>) -> Self {
        let mut tree = Tree::new();
        for root in roots {
            tree.reach(root, None);
        }
        Self { tree, n_expanded: 0 }
    }

    fn n_open(&self) -> usize {
        self.tree.len() - self.n_expanded
    }
}

/// Place where the sides met: a state of the side that was expanded, the move from there, and the state after it on the
/// other side.
struct Meeting<M> {
    node: u32,
    action: M,
    other: u32,
}

pub(super) fn search<P: Puzzle, W: Word>(work: &mut Work<P>) -> PathResult<P> {
    let word = |state: &P::State| W::from_code(work.puzzle.encode(*state));
    let mut forward = Side::<W, P::Move>::new(std::iter::once(word(&work.start)));
    let mut backward = Side::<W, P::Move>::new(work.goals.iter().map(word));
    work.hold(forward.n_open() + backward.n_open(), 0)?;
    let mut moves = Vec::new();
    // Where one frontier is empty, that side knows all states it is joined with, and the other end is not among them.
    while forward.n_open() > 0 && backward.n_open() > 0 {
        // The smaller frontier first, which keeps both small (Pohl 1971).
        if forward.n_open() <= backward.n_open() {
            if let Some(Meeting { node, action, other }) = expand_layer(work, &mut forward, &backward, &mut moves)? {
                let path = forward.tree.path_to(node, Some(action));
                return complete(work, path, &backward.tree, other).map(Some);
            }
        } else if let Some(Meeting { node, other, .. }) = expand_layer(work, &mut backward, &forward, &mut moves)? {
            let mut path = forward.tree.path_to(other, None);
            let (before, after) = (forward.tree.state(work.puzzle, other), backward.tree.state(work.puzzle, node));
            path.push(move_between(work.puzzle, before, after)?);
            return complete(work, path, &backward.tree, node).map(Some);
        }
    }
    Ok(None)
}

/// Expands the frontier of one side, up to the first state that the other side knows.
fn expand_layer<P: Puzzle, W: Word>(
    work: &mut Work<P>,
    side: &mut Side<W, P::Move>,
    other: &Side<W, P::Move>,
    moves: &mut Vec<P::Move>,
) -> Result<Option<Meeting<P::Move>>, Stop> {
    let puzzle = work.puzzle;
    for node in side.n_expanded as u32..side.tree.len() as u32 {
        let state = side.tree.state(puzzle, node);
        work.expand(state, moves)?;
        side.n_expanded += 1;
        for &action in moves.iter() {
            if puzzle.cost(state, action) != 1 {
                return Err(Stop::NotApplicable("bidirectional needs moves that all cost 1".to_owned()));
            }
            let word = W::from_code(puzzle.encode(work.generate(state, action)));
            if let Some(other_node) = other.tree.find(word) {
                // The state is known to the other side already, and so is not held a second time.
                work.note(side.n_open() + other.n_open(), side.n_expanded + other.n_expanded);
                return Ok(Some(Meeting { node, action, other: other_node }));
            }
            side.tree.reach(word, Some((node, action)));
        }
        work.hold(side.n_open() + other.n_open(), side.n_expanded + other.n_expanded)?;
    }
    Ok(None)
}

/// Adds the moves from a state of the backward tree to its root, a goal.
fn complete<P: Puzzle, W: Word>(
    work: &Work<P>,
    mut path: Vec<P::Move>,
    backward: &Tree<W, P::Move>,
    mut node: u32,
) -> Result<Vec<P::Move>, Stop> {
    while let Some(next) = backward.before(node) {
        let (before, after) = (backward.state(work.puzzle, node), backward.state(work.puzzle, next));
        path.push(move_between(work.puzzle, before, after)?);
        node = next;
    }
    Ok(path)
}

/// The first legal move from one state to another.
fn move_between<P: Puzzle>(puzzle: &P, before: P::State, after: P::State) -> Result<P::Move, Stop> {
    let mut moves = Vec::new();
    puzzle.legal_moves(before, &mut moves);
    let joining = moves.into_iter().find(|&action| puzzle.play_unchecked(before, action) == after);
    joining.ok_or_else(|| {
        let (before, after) = (puzzle.format_state(before), puzzle.format_state(after));
        Stop::Failed(format!("a move leads from {after} to {before}, and none back, although the game promises it"))
    })
}
