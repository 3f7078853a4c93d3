//! Depth-first search with remembered states, on a stack of its own: paths can be thousands of moves long.

use super::limits::Cut;
use super::tree::Tree;
use super::work::{PathResult, Stop, Work};
use crate::game::Puzzle;
use crate::numbering::Word;

/// A state that waits, and how it was reached.
struct Waiting<W, M> {
    word: W,
    arrival: Option<(u32, M)>,
    depth: u32,
}

pub(super) fn search<P: Puzzle, W: Word>(work: &mut Work<P>) -> PathResult<P> {
    let puzzle = work.puzzle;
    // Holds expanded states only: the path to a state is the one on which it was expanded.
    let mut tree = Tree::<W, P::Move>::new();
    let mut open = vec![Waiting { word: W::from_code(puzzle.encode(work.start)), arrival: None, depth: 0 }];
    work.hold(1, 0)?;
    let mut moves = Vec::new();
    let mut is_held_back = false;
    while let Some(Waiting { word, arrival, depth }) = open.pop() {
        if tree.find(word).is_some() {
            continue;
        }
        let state = puzzle.decode(word.code());
        if let Some((before, action)) = arrival
            && puzzle.is_goal(state)
        {
            return Ok(Some(tree.path_to(before, Some(action))));
        }
        if work.max_depth.is_some_and(|most| depth >= most) {
            is_held_back = true;
            continue;
        }
        work.expand(state, &mut moves)?;
        let (node, _) = tree.reach(word, arrival);
        let first = open.len();
        for &action in &moves {
            let word = W::from_code(puzzle.encode(work.generate(state, action)));
            if tree.find(word).is_none() {
                open.push(Waiting { word, arrival: Some((node, action)), depth: depth + 1 });
            }
        }
        // The first move is to be on top.
        open[first..].reverse();
        work.hold(open.len(), tree.len())?;
    }
    if is_held_back { Err(Stop::Cut(Cut::Depth)) } else { Ok(None) }
}
