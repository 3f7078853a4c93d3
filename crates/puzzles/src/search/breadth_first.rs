//! Breadth-first search (Moore 1959), with the goal test when a state is generated.

use super::tree::Tree;
use super::work::{PathResult, Work};
use crate::game::Puzzle;
use crate::numbering::Word;

pub(super) fn search<P: Puzzle, W: Word>(work: &mut Work<P>) -> PathResult<P> {
    let puzzle = work.puzzle;
    // States are expanded in the order in which they were reached, so the tree is the queue too.
    let mut tree = Tree::<W, P::Move>::new();
    tree.reach(W::from_code(puzzle.encode(work.start)), None);
    work.hold(1, 0)?;
    let mut moves = Vec::new();
    let mut node = 0;
    while (node as usize) < tree.len() {
        let state = tree.state(puzzle, node);
        work.expand(state, &mut moves)?;
        let closed = node as usize + 1;
        for &action in &moves {
            let after = work.generate(state, action);
            let (_, is_new) = tree.reach(W::from_code(puzzle.encode(after)), Some((node, action)));
            // A state that is not new was no goal when it was.
            if is_new && puzzle.is_goal(after) {
                // The goal itself waits for nothing.
                work.note(tree.len() - 1 - closed, closed);
                return Ok(Some(tree.path_to(node, Some(action))));
            }
        }
        work.hold(tree.len() - closed, closed)?;
        node += 1;
    }
    Ok(None)
}
