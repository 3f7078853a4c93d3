//! Checks of the input.

use super::graph::{StateGraph, Step, Traffic, Trajectory, Traps};

/// Fault of the graph, if any.
pub(super) fn graph_fault(input: &StateGraph) -> Option<String> {
    let states = input.distance.len();
    if input.is_goal.len() != states {
        let flags = input.is_goal.len();
        return Some(format!("{states} distances but {flags} goal flags: give one for each state"));
    }
    if let Some(positions) = &input.positions {
        if positions.len() != states {
            let n_positions = positions.len();
            return Some(format!("{states} distances but {n_positions} positions: give one for each state"));
        }
        if let Some(state) = positions.iter().position(|(x, y)| !(x.is_finite() && y.is_finite())) {
            return Some(format!("state {state} has the position {:?}: give finite numbers", positions[state]));
        }
    }
    let mut ends = input.edges.iter().flat_map(|&(a, b)| [a, b]).chain(input.start);
    let end = ends.find(|&end| end as usize >= states)?;
    Some(format!("an edge or the start names state {end}, but there are {states} states from 0"))
}

/// Fault of the data drawn on it, if any.
pub(super) fn overlay_fault(input: &StateGraph) -> Option<String> {
    let overlays = [input.traffic.is_some(), input.trajectory.is_some(), input.traps.is_some()];
    if overlays.iter().filter(|&&is_given| is_given).count() > 1 {
        return Some("more than one of traffic, trajectory and traps is given: draw a figure of each".to_owned());
    }
    let states = input.distance.len();
    let traffic = input.traffic.as_ref().and_then(|traffic| traffic_fault(traffic, states));
    let trajectory = || input.trajectory.as_ref().and_then(|trajectory| trajectory_fault(trajectory, states));
    let traps = || input.traps.as_ref().and_then(|traps| traps_fault(traps, states));
    traffic.or_else(trajectory).or_else(traps).or_else(|| {
        let (from, to) = unjoined(&input.edges, moves(input))?;
        Some(format!("a move was made between the states {from} and {to}, but no edge joins them"))
    })
}

fn traffic_fault(traffic: &Traffic, states: usize) -> Option<String> {
    let end = traffic.moves.iter().flat_map(|used| [used.from, used.to]).find(|&end| end as usize >= states);
    if let Some(end) = end {
        return Some(format!("a move that was made names state {end}, but there are {states} states from 0"));
    }
    let used = traffic.moves.iter().find(|used| used.n_errors > used.count)?;
    let (from, to, n_errors, count) = (used.from, used.to, used.n_errors, used.count);
    Some(format!("the move from state {from} to {to} was an error {n_errors} times but made {count} times"))
}

fn trajectory_fault(trajectory: &Trajectory, states: usize) -> Option<String> {
    if let Some(end) = trajectory.states.iter().find(|&&end| end as usize >= states) {
        return Some(format!("the trajectory names state {end}, but there are {states} states from 0"));
    }
    let (visited, steps) = (trajectory.states.len(), trajectory.steps.len());
    (steps != visited.saturating_sub(1)).then(|| {
        format!("the trajectory has {visited} states but {steps} steps: give one step between each two states")
    })
}

fn traps_fault(traps: &Traps, states: usize) -> Option<String> {
    let mut known = vec![false; states];
    for trap in &traps.states {
        let state = trap.state;
        let Some(known) = known.get_mut(state as usize) else {
            return Some(format!("an error rate names state {state}, but there are {states} states from 0"));
        };
        if std::mem::replace(known, true) {
            return Some(format!("state {state} has two error rates: give one"));
        }
        if trap.n_errors > trap.n_visits {
            let (errors, visits) = (trap.n_errors, trap.n_visits);
            return Some(format!("state {state} has {errors} errors in {visits} visits"));
        }
    }
    None
}

/// The moves that were made from one state to another.
fn moves(input: &StateGraph) -> Vec<(u32, u32)> {
    let used = input.traffic.iter().flat_map(|traffic| &traffic.moves).map(|used| (used.from, used.to));
    let steps = input.trajectory.iter().flat_map(|trajectory| trajectory.states.windows(2).zip(&trajectory.steps));
    let steps = steps.filter(|(_, step)| **step != Step::Jump).map(|(pair, _)| (pair[0], pair[1]));
    used.chain(steps).filter(|(from, to)| from != to).collect()
}

/// The first of the pairs that no edge joins.
fn unjoined(edges: &[(u32, u32)], pairs: Vec<(u32, u32)>) -> Option<(u32, u32)> {
    let sorted = |(a, b): (u32, u32)| (a.min(b), a.max(b));
    let mut wanted: Vec<(u32, u32)> = pairs.iter().copied().map(sorted).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut joined = vec![false; wanted.len()];
    if !wanted.is_empty() {
        for &edge in edges {
            if let Ok(place) = wanted.binary_search(&sorted(edge)) {
                joined[place] = true;
            }
        }
    }
    let missing = joined.iter().position(|&joined| !joined).map(|place| wanted[place])?;
    pairs.into_iter().find(|&pair| sorted(pair) == missing)
}
