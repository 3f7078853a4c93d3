//! From which states a player comes to a goal: for certain, possibly, or never.

use std::borrow::Cow;

use super::chain::Chain;

/// Whether a player comes from a state to a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    Goal,
    Certain,
    Possible,
    Impossible,
}

impl Arrival {
    pub fn is_certain(self) -> bool {
        matches!(self, Self::Goal | Self::Certain)
    }
}

impl Chain<'_> {
    /// Whether the player comes to a goal from each state. Never, if no moves of the player lead to one; possibly, if
    /// some lead to a state from which none do; for certain else, as a finite chain leaves all other states.
    pub(super) fn arrivals(&self) -> Vec<Arrival> {
        let backward = match (&self.moves, self.map.graph.backward_arcs()) {
            (Cow::Owned(moves), _) => Cow::Owned(moves.reversed()),
            (Cow::Borrowed(_), Some(backward)) => Cow::Borrowed(backward),
            (&Cow::Borrowed(moves), None) => Cow::Borrowed(moves),
        };
        let map = self.map;
        // Marks whoever has a way to what was marked before.
        let spread = |arrivals: &mut [Arrival], from: Arrival, mark: Arrival| {
            let mut queue: Vec<u32> =
                (0..arrivals.len() as u32).filter(|&state| arrivals[state as usize] == from).collect();
            while let Some(state) = queue.pop() {
                for &before in backward.of(state) {
                    let arrival = &mut arrivals[before as usize];
                    // What a goal leads to is behind the end of play.
                    if *arrival != mark && *arrival != from && !map.is_goal(before) {
                        *arrival = mark;
                        queue.push(before);
                    }
                }
            }
        };
        let at_first = |state: u32| if map.is_goal(state) { Arrival::Goal } else { Arrival::Impossible };
        let mut arrivals: Vec<Arrival> = (0..map.n_states() as u32).map(at_first).collect();
        spread(&mut arrivals, Arrival::Goal, Arrival::Certain);
        spread(&mut arrivals, Arrival::Impossible, Arrival::Possible);
        arrivals
    }
}
