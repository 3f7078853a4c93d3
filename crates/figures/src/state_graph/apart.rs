//! The states that people came to, kept apart from the others where states are summed up.

use crate::layout::{self, Layer};

use super::graph::StateGraph;

/// About the most discs for states that people came to.
const MAX_VISITED: usize = 1_200;
/// Greatest weight of a move, in weights of the rarest one, when states are put in order.
const MOST_PULL: f64 = 20.0;

/// The states that people came to.
pub(super) struct Visits {
    /// For each state whether anybody came to it.
    pub is_visited: Vec<bool>,
    /// The pairs of states that moves were made between, several times where that was often.
    pairs: Vec<(u32, u32)>,
    /// States that are to stand alone even where other visited ones are summed up.
    alone: Vec<u32>,
}

impl Visits {
    /// Returns the states that people came to; none if the input has neither traffic, trajectory nor traps.
    pub fn of(input: &StateGraph) -> Option<Self> {
        let mut visits = Self { is_visited: vec![false; input.distance.len()], pairs: Vec::new(), alone: Vec::new() };
        if let Some(traffic) = &input.traffic {
            let most = traffic.moves.iter().map(|used| used.count).max().unwrap_or(0).max(1) as f64;
            // Moves that were made often pull their states closer together.
            let copies = |count: u64| 1 + (MOST_PULL * count as f64 / most) as usize;
            let used = traffic.moves.iter().filter(|used| used.count > 0);
            visits.pairs =
                used.flat_map(|used| std::iter::repeat_n((used.from, used.to), copies(used.count))).collect();
        } else if let Some(trajectory) = &input.trajectory {
            visits.pairs = trajectory.states.windows(2).map(|pair| (pair[0], pair[1])).collect();
            // A trajectory of a single state has no pair.
            trajectory.states.iter().for_each(|&state| visits.is_visited[state as usize] = true);
        } else if let Some(traps) = &input.traps {
            traps.states.iter().for_each(|trap| visits.is_visited[trap.state as usize] = true);
            visits.alone = traps.states.iter().filter(|trap| trap.flagged).map(|trap| trap.state).collect();
        } else {
            return None;
        }
        visits.pairs.iter().flat_map(|&(from, to)| [from, to]).for_each(|end| visits.is_visited[end as usize] = true);
        Some(visits)
    }

    /// Each layer in parts: some states nobody came to, the visited ones, the rest of the others; with
    /// the number of discs for each. A layer has about `fit` discs at most, each visited state one of its own
    /// if there is room. `usual` tells how many discs a layer would have.
    pub fn split(&self, layers: &[Layer], usual: &[usize], fit: usize) -> (Vec<Layer>, Vec<usize>) {
        let visited = self.ordered(layers);
        let wish = |room: usize| visited.iter().map(|nodes| nodes.len().min(room)).sum::<usize>();
        let most = (2..=fit.max(2)).rev().find(|&room| wish(room) <= MAX_VISITED).unwrap_or(2);
        let mut is_alone = vec![false; self.is_visited.len()];
        self.alone.iter().for_each(|&state| is_alone[state as usize] = true);
        let (mut split, mut parts) = (Vec::new(), Vec::new());
        for ((layer, visited), &usual) in layers.iter().zip(&visited).zip(usual) {
            let mut push = |nodes: &[u32], wanted: usize| {
                if !nodes.is_empty() {
                    split.push(Layer { distance: layer.distance, nodes: nodes.to_vec() });
                    parts.push(wanted.clamp(1, nodes.len()));
                }
            };
            let others: Vec<u32> =
                layer.nodes.iter().copied().filter(|&node| !self.is_visited[node as usize]).collect();
            // What visited states leave free, but at least a third.
            let for_others = usual.min((fit - visited.len().min(fit)).max(fit / 3)).max(1);
            let room = most.min(fit.saturating_sub(if others.is_empty() { 0 } else { for_others })).max(1);
            let below = if for_others < 2 { others.len() } else { others.len() / 2 };
            push(&others[..below], for_others.div_ceil(2));
            let alone = visited.iter().filter(|&&node| is_alone[node as usize]).count();
            if visited.len() <= room || alone > room / 3 {
                push(visited, room);
            } else {
                // Runs between those that stand alone, each with its share of the discs.
                let share = (room - alone) as f64 / (visited.len() - alone) as f64;
                for run in visited.chunk_by(|&a, &b| !is_alone[a as usize] && !is_alone[b as usize]) {
                    push(run, (share * run.len() as f64).round() as usize);
                }
            }
            push(&others[below..], for_others / 2);
        }
        (split, parts)
    }

    /// The visited states of each layer, ordered so that few of the moves that were made cross.
    fn ordered(&self, layers: &[Layer]) -> Vec<Vec<u32>> {
        let mut number = vec![u32::MAX; self.is_visited.len()];
        let (mut states, mut distances) = (Vec::new(), Vec::new());
        for layer in layers {
            for &node in layer.nodes.iter().filter(|&&node| self.is_visited[node as usize]) {
                number[node as usize] = states.len() as u32;
                states.push(node);
                distances.push(layer.distance);
            }
        }
        let pairs: Vec<(u32, u32)> =
            self.pairs.iter().map(|&(from, to)| (number[from as usize], number[to as usize])).collect();
        let mut ordered = layout::layers(&distances, &pairs).into_iter().peekable();
        let of_layer = |layer: &Layer| {
            let visited_layer = ordered.next_if(|visited| visited.distance == layer.distance);
            visited_layer
                .map_or(Vec::new(), |visited| visited.nodes.iter().map(|&node| states[node as usize]).collect())
        };
        layers.iter().map(of_layer).collect()
    }
}
