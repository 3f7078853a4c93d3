//! The moves that were made, as lines of the drawing: how often each, where each runs, how it is drawn.

use plotters::style::RGBColor;

use super::super::ChartError;
use super::super::sheet::{BLUE, MM_PER_PT, Pen, SOFT_INK, Sheet, VERMILION};
use super::graph::{Step, Traffic, Trajectory};

/// The least width of a line, in millimetres.
const LEAST_MM: f64 = 0.18;
/// Above this number of lines, rare moves are drawn faintly.
pub(super) const MANY: usize = 250;
/// The most lines that are drawn in colour where there are many.
const MOST_COLOURED: usize = 120;
/// Space between lines that run side by side, in millimetres.
const LANE_GAP_MM: f64 = 0.12;
/// The shortest line with a head, in millimetres.
const SHORTEST_WITH_HEAD_MM: f64 = 1.0;

/// Moves of one kind from one node to another.
pub(super) struct Flow {
    pub from: u32,
    pub to: u32,
    pub kind: Step,
    pub count: u64,
    /// Numbers of the moves of a trajectory, from 1.
    pub numbers: Vec<usize>,
}

/// All moves that were made.
pub(super) struct Flows {
    pub flows: Vec<Flow>,
    /// Moves inside one node, which are not drawn, and how many of these are errors.
    pub inside: (u64, u64),
    /// The node in which a trajectory begins, the one in which it ends, and how many steps it has; absent for traffic.
    pub ends: Option<(u32, u32, usize)>,
    /// `true` if every line has a head, not only errors.
    pub all_heads: bool,
    /// For each node how often it was come to or left, whichever is more; empty where lines are few.
    visits: Vec<u64>,
    /// The least number of moves of a line in colour; rarer ones are pale.
    pub least_coloured: u64,
}

impl Flows {
    pub fn of_traffic(traffic: &Traffic, node_of: &[u32]) -> Self {
        let node = |state: u32| node_of[state as usize];
        let kinds = |n_errors: u64, count: u64| [(Step::Optimal, count - n_errors), (Step::Error, n_errors)];
        let used = traffic.moves.iter().flat_map(|used| {
            let ends = (node(used.from), node(used.to));
            kinds(used.n_errors, used.count).map(|(kind, count)| (ends.0, ends.1, kind, count, 0))
        });
        let mut flows = Self::summed(used.filter(|used| used.3 > 0).collect());
        if flows.flows.len() > MANY {
            flows.count_visits();
            let mut counts: Vec<u64> = flows.flows.iter().map(|flow| flow.count).collect();
            counts.sort_unstable_by_key(|&count| std::cmp::Reverse(count));
            // All lines of one number together, or none: which of them came first would say nothing.
            flows.least_coloured = (counts[MOST_COLOURED] + 1).min(counts[0]);
        }
        flows
    }

    /// Number of pale lines, and of the moves that they stand for.
    pub fn pale(&self) -> (usize, u64) {
        let pale = self.flows.iter().filter(|flow| !self.is_coloured(flow));
        pale.fold((0, 0), |(lines, moves), flow| (lines + 1, flow.count.saturating_add(moves)))
    }

    /// `true` if the moves of a line are frequent enough for its colour.
    pub fn is_coloured(&self, flow: &Flow) -> bool {
        flow.count >= self.least_coloured
    }

    fn count_visits(&mut self) {
        let nodes = self.flows.iter().map(|flow| flow.from.max(flow.to) as usize + 1).max().unwrap_or(0);
        let mut both = vec![(0_u64, 0_u64); nodes];
        for flow in &self.flows {
            let left = &mut both[flow.from as usize].0;
            *left = left.saturating_add(flow.count);
            let arrived = &mut both[flow.to as usize].1;
            *arrived = arrived.saturating_add(flow.count);
        }
        self.visits = both.into_iter().map(|(left, arrived)| left.max(arrived)).collect();
    }

    /// Number of visits of a node, as a share of the most visited one; absent where lines are few.
    pub fn share_of_visits(&self, node: u32) -> Option<f64> {
        let most = self.visits.iter().copied().max()?.max(1) as f64;
        Some(self.visits.get(node as usize).copied().unwrap_or(0) as f64 / most)
    }

    pub fn of_trajectory(trajectory: &Trajectory, node_of: &[u32]) -> Self {
        let nodes: Vec<u32> = trajectory.states.iter().map(|&state| node_of[state as usize]).collect();
        let steps = nodes.windows(2).zip(&trajectory.steps).enumerate();
        let steps = steps.map(|(index, (pair, &kind))| (pair[0], pair[1], kind, 1, index + 1));
        let mut flows = Self::summed(steps.collect());
        flows.ends = nodes.first().zip(nodes.last()).map(|(&first, &last)| (first, last, trajectory.steps.len()));
        flows.all_heads = true;
        flows
    }

    fn summed(mut used: Vec<(u32, u32, Step, u64, usize)>) -> Self {
        used.sort_unstable();
        let mut flows = Self {
            flows: Vec::new(),
            inside: (0, 0),
            ends: None,
            all_heads: false,
            visits: Vec::new(),
            least_coloured: 0,
        };
        for run in used.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
            let (from, to, kind, ..) = run[0];
            let count = run.iter().fold(0, |sum: u64, used| sum.saturating_add(used.3));
            if from == to {
                flows.inside.0 = flows.inside.0.saturating_add(count);
                flows.inside.1 = flows.inside.1.saturating_add(if kind == Step::Error { count } else { 0 });
            } else {
                let numbers = run.iter().map(|used| used.4).filter(|&number| number > 0).collect();
                flows.flows.push(Flow { from, to, kind, count, numbers });
            }
        }
        flows
    }

    /// The greatest number of moves that one line stands for.
    pub fn most(&self) -> u64 {
        self.flows.iter().map(|flow| flow.count).max().unwrap_or(0)
    }

    pub fn has(&self, kind: Step) -> bool {
        self.flows.iter().any(|flow| flow.kind == kind)
    }

    /// Width of a line for a number of moves, where the widest is `widest` millimetres wide.
    pub fn width_mm(&self, count: u64, widest: f64) -> f64 {
        // A jump is no move; what was never made more than once needs no widths.
        let most = self.most().max(1) as f64;
        let full = if most < 2.0 { widest.min(0.35) } else { widest };
        (full * (count as f64 / most).sqrt()).max(LEAST_MM)
    }

    /// For each line how far it runs to the right of the straight one: moves keep to the right of those that go
    /// back, as on a road.
    pub fn lanes(&self, widest: f64) -> Vec<f64> {
        let mut order: Vec<usize> = (0..self.flows.len()).collect();
        let pair = |flow: &Flow| (flow.from.min(flow.to), flow.from.max(flow.to));
        order.sort_by_key(|&index| (pair(&self.flows[index]), self.flows[index].from, self.flows[index].kind));
        let mut lanes = vec![0.0; self.flows.len()];
        for group in order.chunk_by(|&a, &b| pair(&self.flows[a]) == pair(&self.flows[b])) {
            let width = |index: usize| self.width_mm(self.flows[index].count, widest);
            let is_two_way = group.iter().any(|&index| self.flows[index].from != self.flows[group[0]].from);
            let total: f64 = group.iter().map(|&index| width(index) + LANE_GAP_MM).sum::<f64>() - LANE_GAP_MM;
            let mut next = if is_two_way { LANE_GAP_MM / 2.0 } else { -total / 2.0 };
            let mut direction = self.flows[group[0]].from;
            for &index in group {
                if self.flows[index].from != direction {
                    (next, direction) = (LANE_GAP_MM / 2.0, self.flows[index].from);
                }
                lanes[index] = next + width(index) / 2.0;
                next += width(index) + LANE_GAP_MM;
            }
        }
        lanes
    }

    /// Opacity of a line: where there are many, rare moves are faint, errors less so.
    pub fn alpha(&self, kind: Step, count: u64) -> f64 {
        let share = (count as f64 / self.most().max(1) as f64).sqrt();
        // The more lines, the fainter the rare errors: all of them together must not hide the main trajectories.
        let errors = (0.55 * (800.0 / self.flows.len().max(1) as f64).sqrt()).clamp(0.25, 0.55);
        let least = if kind == Step::Error { errors } else { 0.3 };
        if self.flows.len() > MANY { least + (0.9 - least) * share } else { 0.9 }
    }
}

/// Style of a line.
pub(super) struct Look {
    pub kind: Step,
    /// Width in millimetres.
    pub width: f64,
    pub alpha: f64,
}

impl Look {
    pub fn draw(&self, sheet: &Sheet, course: &[(f64, f64)], has_head: bool) -> Result<(), ChartError> {
        let colour: RGBColor = match self.kind {
            Step::Optimal => BLUE,
            Step::Error => VERMILION,
            Step::Jump => SOFT_INK,
        };
        let has_head = has_head || self.kind == Step::Error;
        let (total, head) = (length(course), (1.6 * self.width + 0.75).min(2.6));
        let has_head = has_head && total >= SHORTEST_WITH_HEAD_MM.max(1.15 * head);
        let end = if has_head { total - 0.8 * head } else { total };
        let pen = Pen::new(colour, self.width / MM_PER_PT).alpha(self.alpha);
        let line = part(course, 0.0, end);
        match self.kind {
            Step::Optimal => sheet.line(&line, pen)?,
            // The wider a line, the longer its dashes: they must not become squares.
            Step::Error => sheet.dashed_in(&line, pen, (0.45 + 0.9 * self.width).min(1.4))?,
            Step::Jump => sheet.dashed_in(&line, pen, 0.25)?,
        }
        if !has_head {
            return Ok(());
        }
        let (tip, back) = (along(course, total), along(course, total - head));
        let (dx, dy) = unit(back, tip);
        let half = 0.42 * head;
        let corners = [tip, (back.0 - dy * half, back.1 + dx * half), (back.0 + dy * half, back.1 - dx * half)];
        sheet.fill(&corners, colour, self.alpha)
    }
}

fn unit(from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let length = (to.0 - from.0).hypot(to.1 - from.1).max(1e-9);
    ((to.0 - from.0) / length, (to.1 - from.1) / length)
}

pub(super) fn length(points: &[(f64, f64)]) -> f64 {
    points.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1)).sum()
}

/// The point at a length along a line.
pub(super) fn along(points: &[(f64, f64)], at: f64) -> (f64, f64) {
    let mut left = at.max(0.0);
    for pair in points.windows(2) {
        let step = (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1);
        if left <= step && step > 0.0 {
            let share = left / step;
            return (pair[0].0 + share * (pair[1].0 - pair[0].0), pair[0].1 + share * (pair[1].1 - pair[0].1));
        }
        left -= step;
    }
    points.last().copied().unwrap_or_default()
}

/// The line between two lengths along it.
fn part(points: &[(f64, f64)], from: f64, to: f64) -> Vec<(f64, f64)> {
    let (mut part, mut passed) = (vec![along(points, from)], 0.0);
    for pair in points.windows(2) {
        passed += (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1);
        if passed > from && passed < to {
            part.push(pair[1]);
        }
    }
    part.push(along(points, to));
    part
}

/// The line so far to the right of its direction, in millimetres.
pub(super) fn shifted(points: &[(f64, f64)], right: f64) -> Vec<(f64, f64)> {
    let last = points.len().saturating_sub(1);
    let shift = |(index, &(x, y)): (usize, &(f64, f64))| {
        let (dx, dy) = unit(points[index.saturating_sub(1)], points[(index + 1).min(last)]);
        // On the sheet y runs downwards: a quarter turn clockwise is to the right.
        (x - right * dy, y + right * dx)
    };
    points.iter().enumerate().map(shift).collect()
}

/// The line without what lies below the nodes at its ends, where anything is left.
pub(super) fn trimmed(points: &[(f64, f64)], (first, last): (f64, f64)) -> Vec<(f64, f64)> {
    let total = length(points);
    if total > first + last + 0.3 { part(points, first, total - last) } else { points.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_shifted() {
        let corner = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)];
        assert_eq!(length(&corner), 7.0);
        assert_eq!(along(&corner, 5.0), (3.0, 2.0));
        assert_eq!(part(&corner, 1.0, 5.0), [(1.0, 0.0), (3.0, 0.0), (3.0, 2.0)]);
        assert_eq!(trimmed(&corner, (1.0, 2.0)), [(1.0, 0.0), (3.0, 0.0), (3.0, 2.0)]);
        assert_eq!(trimmed(&corner, (4.0, 4.0)), corner, "nothing would be left");
        // To the right of a line to the east is the south, which is downwards on the sheet.
        assert_eq!(shifted(&[(0.0, 0.0), (9.0, 0.0)], 0.5), [(0.0, 0.5), (9.0, 0.5)]);
    }

    #[test]
    fn there_and_back_keep_to_their_right() {
        let flow = |from, to, kind, count| (from, to, kind, count, 0);
        let used = [flow(0, 1, Step::Optimal, 4), flow(1, 0, Step::Error, 1), flow(2, 3, Step::Error, 1)];
        let flows = Flows::summed(used.to_vec());
        let lanes = flows.lanes(1.0);
        // The widest line is 1 mm wide, that of a quarter of the moves half of it.
        assert_eq!(lanes, [0.5 + LANE_GAP_MM / 2.0, 0.25 + LANE_GAP_MM / 2.0, 0.0]);
    }

    #[test]
    fn of_many_lines_the_most_frequent_have_their_colour() {
        let used = |from: u32, count: u64| crate::state_graph::UsedMove { from, to: from + 1, count, n_errors: 0 };
        // 100 lines of 9 moves, 100 of 3 and 100 of 1: those of 3 would be too many.
        let moves: Vec<_> = (0..300).map(|from| used(from, [9, 3, 1][from as usize / 100])).collect();
        let nodes: Vec<u32> = (0..301).collect();
        let flows = Flows::of_traffic(&Traffic { moves: moves.clone() }, &nodes);
        assert_eq!((flows.least_coloured, flows.pale()), (4, (200, 400)));
        let few = Flows::of_traffic(&Traffic { moves: moves[..MANY].to_vec() }, &nodes);
        assert_eq!(few.pale(), (0, 0));
        let same = moves.into_iter().map(|used| crate::state_graph::UsedMove { count: 2, ..used }).collect();
        assert_eq!(Flows::of_traffic(&Traffic { moves: same }, &nodes).pale(), (0, 0), "none is rarer than others");
    }

    #[test]
    fn moves_inside_a_node_are_counted() {
        let traffic = |from, to, count, n_errors| crate::state_graph::UsedMove { from, to, count, n_errors };
        let moves = vec![traffic(0, 1, 5, 2), traffic(0, 2, 3, 0), traffic(1, 2, 7, 7), traffic(2, 1, 1, 1)];
        // The states 1 and 2 share a node.
        let flows = Flows::of_traffic(&Traffic { moves }, &[0, 1, 1]);
        assert_eq!(flows.inside, (8, 8));
        let drawn: Vec<_> = flows.flows.iter().map(|flow| (flow.from, flow.to, flow.kind, flow.count)).collect();
        assert_eq!(drawn, [(0, 1, Step::Optimal, 6), (0, 1, Step::Error, 2)]);
    }
}
