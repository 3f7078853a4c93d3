//! Random walks solved directly: states are taken out of a graph one after the other, until what is left is known.
//!
//! A walk that comes to a state which is taken out goes on from it as it would have, so that its probabilities are
//! those of ways around it (state reduction; Grassmann, Taksar & Heyman, 1985. *Operations Research*, 33, 1107–1116).
//! Nothing is ever subtracted, so that small probabilities keep their digits. Whoever has the fewest neighbours goes
//! first (minimum degree; George & Liu, 1989. *SIAM Review*, 31, 1–19): maps that are long and thin, as those of
//! towers are, stay thin.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use plymap_puzzles::graph::{LevelMap, StateGraph};

/// States in the order in which they are taken out.
pub(crate) struct Elimination {
    order: Vec<u32>,
    /// For each state of the graph its place in the order; [`NONE`] for those that are not in it.
    places: Vec<u32>,
    /// Places where the neighbours of each begin, and where the last ones end.
    starts: Vec<usize>,
    /// Places of those beside a state when it is taken out, rising; all of them lie behind its own.
    neighbours: Vec<u32>,
}

/// A chain of which all states were taken out.
pub(crate) struct Factors {
    /// Rates from each state to its neighbours.
    to: Vec<f64>,
    /// Parts of what a state adds that come from its neighbours.
    into: Vec<f64>,
    /// Rates by which each goes on.
    away: Vec<f64>,
}

const NONE: u32 = u32::MAX;

impl Elimination {
    /// An order of these states; nothing if to find or to use it takes more than so many visits of neighbours.
    pub(crate) fn new(graph: &StateGraph, states: &[u32], most_visits: usize) -> Option<Self> {
        let mut places = vec![NONE; graph.n_states()];
        states.iter().zip(0..).for_each(|(&node, number)| places[node as usize] = number);
        // By their numbers among `states`, who lies beside whom, either way.
        let mut beside: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
        for (&node, number) in states.iter().zip(0..) {
            for &after in graph.successors(node) {
                let other = places[after as usize];
                if other != NONE && other != number {
                    beside[number as usize].push(other);
                    beside[other as usize].push(number);
                }
            }
        }
        for list in &mut beside {
            list.sort_unstable();
            list.dedup();
        }
        let mut queue: BinaryHeap<_> = (0..).zip(&beside).map(|(number, list)| Reverse((list.len(), number))).collect();
        let mut rank = vec![NONE; states.len()];
        let mut order = Vec::with_capacity(states.len());
        let mut n_visits = 0;
        let mut merged = Vec::new();
        while let Some(Reverse((degree, number))) = queue.pop() {
            // Since it was put there, it was taken out, or has others beside it.
            if rank[number as usize] != NONE || beside[number as usize].len() != degree {
                continue;
            }
            rank[number as usize] = order.len() as u32;
            order.push(number);
            let front = std::mem::take(&mut beside[number as usize]);
            for &other in &front {
                let list = &mut beside[other as usize];
                n_visits += front.len() + list.len();
                // Counted while the order is sought: a map that fills up is given up before it costs more than passes
                // would.
                if n_visits > most_visits {
                    return None;
                }
                merged.clear();
                merged.extend(list.iter().chain(&front).copied().filter(|&next| next != number && next != other));
                merged.sort_unstable();
                merged.dedup();
                // The old entry stays and is passed over later, which is cheaper than to find and move it in the
                // heap.
                if merged.len() != list.len() {
                    queue.push(Reverse((merged.len(), other)));
                }
                list.clone_from(&merged);
            }
            beside[number as usize] = front;
        }
        let mut starts = vec![0];
        let mut neighbours = Vec::new();
        for &number in &order {
            neighbours.extend(beside[number as usize].iter().map(|&other| rank[other as usize]));
            neighbours[starts[starts.len() - 1]..].sort_unstable();
            starts.push(neighbours.len());
        }
        let order: Vec<u32> = order.into_iter().map(|number| states[number as usize]).collect();
        order.iter().zip(0..).for_each(|(&node, place)| places[node as usize] = place);
        Some(Self { order, places, starts, neighbours })
    }

    /// Finds for each state of the order the probability that a walk from it comes to a goal, if it goes on after
    /// each move with the probability `continuing`, below 1.
    pub(crate) fn solve(&self, map: &LevelMap, continuing: f64, values: &mut [f64]) {
        let n = self.order.len();
        // Of the next step from a state to each of its neighbours, and from them to it; to a goal, and to an end
        // without one.
        let (mut to, mut from) = (vec![0.0; self.neighbours.len()], vec![0.0; self.neighbours.len()]);
        let (mut won, mut lost) = (vec![0.0; n], vec![1.0 - continuing; n]);
        for (place, &node) in self.order.iter().enumerate() {
            let after = map.graph.successors(node);
            let each = continuing / after.len() as f64;
            for &next in after {
                match self.places[next as usize] as usize {
                    _ if map.is_goal(next) => won[place] += each,
                    other if other == NONE as usize => lost[place] += each,
                    other if other > place => to[self.slot(place, other)] = each,
                    other if other < place => from[self.slot(other, place)] = each,
                    // Where a move changes nothing, the next one is as good.
                    _ => {}
                }
            }
        }
        let mut columns = [won, lost];
        let away = self.reduce(&mut to, &mut from, &mut columns);
        let [won, _] = columns;
        for place in (0..n).rev() {
            let value_of = |slot: usize| values[self.order[self.neighbours[slot] as usize] as usize];
            let sum: f64 = self.front(place).map(|slot| to[slot] * value_of(slot)).sum();
            values[self.order[place] as usize] = (sum + won[place]) / away[place];
        }
    }

    /// Takes the states out of a chain of which `leaving` are the rates, by state, of the moves that lead out of the
    /// order; what leads from one state to another has the rate 1 for each arc.
    pub(crate) fn factors(&self, graph: &StateGraph, leaving: &[f64]) -> Factors {
        let (mut to, mut into) = (vec![0.0; self.neighbours.len()], vec![0.0; self.neighbours.len()]);
        for (place, &node) in self.order.iter().enumerate() {
            for &next in graph.successors(node) {
                match self.places[next as usize] as usize {
                    other if other == NONE as usize || other == place => {}
                    other if other > place => to[self.slot(place, other)] += 1.0,
                    other => into[self.slot(other, place)] += 1.0,
                }
            }
        }
        let mut columns = [self.order.iter().map(|&node| leaving[node as usize]).collect()];
        let away = self.reduce(&mut to, &mut into, &mut columns);
        for (place, away) in away.iter().enumerate() {
            into[self.front(place)].iter_mut().for_each(|rate| *rate /= away);
        }
        Factors { to, into, away }
    }

    /// The solution for what each state adds, by state: the sum over its arcs of the fall of the value along them.
    pub(crate) fn substitute(&self, factors: &Factors, added: &[f64]) -> Vec<f64> {
        let mut sums: Vec<f64> = self.order.iter().map(|&node| added[node as usize]).collect();
        for place in 0..sums.len() {
            for slot in self.front(place) {
                sums[self.neighbours[slot] as usize] += factors.into[slot] * sums[place];
            }
        }
        let mut values = vec![0.0; added.len()];
        for place in (0..sums.len()).rev() {
            let ahead = self.front(place).map(|slot| factors.to[slot] * sums[self.neighbours[slot] as usize]);
            sums[place] = (sums[place] + ahead.sum::<f64>()) / factors.away[place];
            values[self.order[place] as usize] = sums[place];
        }
        values
    }

    /// Takes all states out: `to` and `from` are the rates from each to its neighbours and back, `columns` those by
    /// which each leaves. Returns the rate by which each goes on when it is taken out.
    fn reduce(&self, to: &mut [f64], from: &mut [f64], columns: &mut [Vec<f64>]) -> Vec<f64> {
        let n = self.order.len();
        let mut away = vec![0.0; n];
        for place in 0..n {
            let front = self.front(place);
            let ahead = to[front.clone()].iter().sum::<f64>();
            away[place] = columns.iter().fold(ahead, |sum, column| sum + column[place]);
            for slot in front.clone() {
                let other = self.neighbours[slot] as usize;
                let (into, out) = (from[slot] / away[place], to[slot] / away[place]);
                for column in &mut *columns {
                    column[other] += into * column[place];
                }
                // All that lie behind it are its own neighbours, too.
                let mut place_of_other = self.starts[other];
                for next in slot + 1..front.end {
                    while self.neighbours[place_of_other] != self.neighbours[next] {
                        place_of_other += 1;
                    }
                    to[place_of_other] += into * to[next];
                    from[place_of_other] += from[next] * out;
                }
            }
        }
        away
    }

    /// Slots of the neighbours of the state at this place.
    fn front(&self, place: usize) -> Range<usize> {
        self.starts[place]..self.starts[place + 1]
    }

    /// Place of the neighbour at the place `other` among those of the state at `place`.
    fn slot(&self, place: usize, other: usize) -> usize {
        let start = self.starts[place];
        let neighbours = &self.neighbours[start..self.starts[place + 1]];
        start + neighbours.binary_search(&(other as u32)).expect("neighbours, either way")
    }
}
