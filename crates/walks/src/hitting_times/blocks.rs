//! States among which play can come and go, in an order in which what lies behind is known.

use std::ops::Range;

use super::chain::Chain;

/// The strongly connected components of some states of a chain, each behind all to which it leads.
pub(super) struct Blocks {
    /// States, component by component.
    pub states: Vec<u32>,
    /// Where each component ends.
    pub ends: Vec<u32>,
}

impl Blocks {
    /// The components of the states for which `is_open` (Tarjan, 1972. *SIAM Journal on Computing*, 1, 146–160).
    pub fn new(chain: &Chain, is_open: impl Fn(u32) -> bool) -> Self {
        let n_states = chain.map.n_states();
        let mut search =
            Search { chain, is_open, place: vec![0; n_states], n_seen: 0, found: Vec::new(), blocks: Self::empty() };
        for root in 0..n_states as u32 {
            if (search.is_open)(root) && search.place[root as usize] == 0 {
                search.run(root);
            }
        }
        search.blocks
    }

    fn empty() -> Self {
        Self { states: Vec::new(), ends: Vec::new() }
    }

    /// Places of the states of each component.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start as usize..end as usize)
    }
}

struct Search<'a, F> {
    chain: &'a Chain<'a>,
    is_open: F,
    /// Place of each state in the order of the search, from 1; 0 where it was not seen yet, [`DONE`] where its component
    /// is complete.
    place: Vec<u32>,
    n_seen: u32,
    /// States whose component is not complete.
    found: Vec<u32>,
    blocks: Blocks,
}

const DONE: u32 = u32::MAX;

/// A state on the path from the root to the one that is looked at.
struct Step {
    state: u32,
    /// The next move.
    next: u32,
    /// First place that is reached from the state and those behind it.
    lowest: u32,
}

impl<F: Fn(u32) -> bool> Search<'_, F> {
    fn run(&mut self, root: u32) {
        // The path is a list of its own: deep maps would overflow the stack.
        let mut path = vec![self.enter(root)];
        while let Some(step) = path.last_mut() {
            if let Some(after) = self.next_new(step) {
                path.push(self.enter(after));
                continue;
            }
            let &mut Step { state, lowest, .. } = step;
            path.pop();
            if let Some(before) = path.last_mut() {
                before.lowest = before.lowest.min(lowest);
            }
            if lowest == self.place[state as usize] {
                self.complete(state);
            }
        }
    }

    fn enter(&mut self, state: u32) -> Step {
        self.n_seen += 1;
        self.place[state as usize] = self.n_seen;
        self.found.push(state);
        Step { state, next: 0, lowest: self.n_seen }
    }

    /// Looks at moves up to the next one that leads to a state which was not seen yet.
    fn next_new(&self, step: &mut Step) -> Option<u32> {
        for &after in &self.chain.choices(step.state)[step.next as usize..] {
            step.next += 1;
            match self.place[after as usize] {
                0 if (self.is_open)(after) => return Some(after),
                0 | DONE => {}
                place => step.lowest = step.lowest.min(place),
            }
        }
        None
    }

    fn complete(&mut self, first: u32) {
        let start = self.blocks.states.len();
        while let Some(state) = self.found.pop() {
            self.place[state as usize] = DONE;
            self.blocks.states.push(state);
            if state == first {
                break;
            }
        }
        // By number, which is breadth first from the start: neighbours lie near each other.
        self.blocks.states[start..].sort_unstable();
        self.blocks.ends.push(self.blocks.states.len() as u32);
    }
}
