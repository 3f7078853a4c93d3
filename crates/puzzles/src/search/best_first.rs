//! Best-first search: uniform cost (Dijkstra 1959), greedy (Doran and Michie 1966) and A* (Hart, Nilsson and Raphael
//! 1968) differ in nothing but the order in which states are selected, and in whether a cheaper path counts.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::tree::Tree;
use super::work::{PathResult, Work};
use crate::game::Puzzle;
use crate::numbering::Word;

/// Key by which states are selected, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The cost of the path to them, g.
    Cost,
    /// The estimate of the heuristic, h.
    Estimate,
    /// The sum of both, f.
    Sum,
}

/// An entry of the queue. A state whose path became cheaper has a second entry, and the first one is dropped.
struct Waiting {
    priority: f64,
    estimate: f64,
    /// Entries are numbered as they come.
    number: u64,
    node: u32,
    cost: u32,
}

impl Ord for Waiting {
    /// The greatest entry is selected first: lowest priority, then smallest estimate, then first come.
    fn cmp(&self, other: &Self) -> Ordering {
        let priority = other.priority.total_cmp(&self.priority);
        priority.then(other.estimate.total_cmp(&self.estimate)).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

/// Facts about a reached state.
struct Reached {
    /// Cost of the cheapest path so far.
    cost: u32,
    estimate: f64,
    is_open: bool,
}

struct Queue {
    order: Order,
    heap: BinaryHeap<Waiting>,
    n_entries: u64,
    reached: Vec<Reached>,
    n_open: usize,
}

impl Queue {
    /// Lets a state wait that does not wait yet, or waits with a dearer path.
    fn open(&mut self, node: u32) {
        let Reached { cost, estimate, is_open } = &mut self.reached[node as usize];
        self.n_open += usize::from(!*is_open);
        *is_open = true;
        let priority = match self.order {
            Order::Cost => f64::from(*cost),
            Order::Estimate => *estimate,
            Order::Sum => f64::from(*cost) + *estimate,
        };
        self.heap.push(Waiting { priority, estimate: *estimate, number: self.n_entries, node, cost: *cost });
        self.n_entries += 1;
    }

    /// Takes the next state, which is closed then.
    fn select(&mut self) -> Option<u32> {
        while let Some(Waiting { node, cost, .. }) = self.heap.pop() {
            let reached = &mut self.reached[node as usize];
            // Other entries are stale: a heap cannot change an entry in place, so a cheaper path is pushed as a
            // second one.
            if reached.is_open && reached.cost == cost {
                reached.is_open = false;
                self.n_open -= 1;
                return Some(node);
            }
        }
        None
    }
}

pub(super) fn search<P: Puzzle, W: Word>(work: &mut Work<P>, order: Order) -> PathResult<P> {
    let puzzle = work.puzzle;
    let estimate = |work: &Work<P>, state| if order == Order::Cost { 0.0 } else { work.estimate(state) };
    let mut tree = Tree::<W, P::Move>::new();
    let mut queue = Queue { order, heap: BinaryHeap::new(), n_entries: 0, reached: Vec::new(), n_open: 0 };
    let (root, _) = tree.reach(W::from_code(puzzle.encode(work.start)), None);
    queue.reached.push(Reached { cost: 0, estimate: estimate(work, work.start), is_open: false });
    if queue.reached[0].estimate < f64::INFINITY {
        queue.open(root);
    }
    work.hold(queue.n_open, tree.len() - queue.n_open)?;
    let mut moves = Vec::new();
    while let Some(node) = queue.select() {
        let state = tree.state(puzzle, node);
        // Tested when selected and not when generated: a cheaper path to it may have waited until now (Hart, Nilsson
        // and Raphael 1968).
        if puzzle.is_goal(state) {
            return Ok(Some(tree.path_to(node, None)));
        }
        work.expand(state, &mut moves)?;
        let cost_here = queue.reached[node as usize].cost;
        for &action in &moves {
            let after = work.generate(state, action);
            let cost = cost_here.saturating_add(puzzle.cost(state, action));
            let (next, is_new) = tree.reach(W::from_code(puzzle.encode(after)), Some((node, action)));
            // The heuristic is asked once for each state: those of scripts are slow.
            if is_new {
                queue.reached.push(Reached { cost, estimate: estimate(work, after), is_open: false });
            } else if order == Order::Estimate || cost >= queue.reached[next as usize].cost {
                continue;
            } else {
                tree.redirect(next, (node, action));
                queue.reached[next as usize].cost = cost;
            }
            let reached = &queue.reached[next as usize];
            if reached.estimate < f64::INFINITY {
                work.n_reopened += u64::from(!is_new && !reached.is_open);
                queue.open(next);
            }
        }
        work.hold(queue.n_open, tree.len() - queue.n_open)?;
    }
    Ok(None)
}
