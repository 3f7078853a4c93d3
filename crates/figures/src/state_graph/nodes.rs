//! The nodes and edges of the drawing: states, or discs that sum neighbouring states up.

use super::super::Style;
use super::apart::Visits;
use super::flows::Flows;
use super::graph::{MAX_SINGLE, StateGraph};
use super::traps::Rates;
use crate::layout::{self, Layer};

/// About the most discs for states that nobody came to.
const MAX_BINS: f64 = 700.0;

/// A node of the drawing: one state, or a disc that stands for several.
pub(super) struct Node {
    pub x: f64,
    pub y: f64,
    pub distance: Option<u32>,
    pub size: u32,
    pub is_goal: bool,
    pub visited: bool,
    /// The state, where it stands for one only.
    pub state: Option<u32>,
}

/// Data drawn on top of the graph.
pub(super) enum Overlay {
    /// Nothing: all states and edges are drawn in full.
    None,
    /// Moves that were made.
    Flows(Flows),
    /// Error rates.
    Rates(Rates),
}

/// Nodes and edges ready to be drawn.
pub(super) struct Drawing<'a> {
    pub input: &'a StateGraph,
    pub nodes: Vec<Node>,
    pub edges: Vec<(u32, u32, u32)>,
    pub start: Option<u32>,
    pub binned: bool,
    /// Least space between two nodes, in the unit of their places.
    pub spacing: f64,
    /// Space between neighbours above one another, in the same unit.
    pub row_spacing: f64,
    /// `true` if x is the distance to the goal.
    pub by_distance: bool,
    pub farthest: u32,
    /// Place of the states without a distance.
    pub beyond: Option<f64>,
    pub overlay: Overlay,
}

impl<'a> Drawing<'a> {
    pub fn new(input: &'a StateGraph, style: &Style) -> Self {
        let visits = Visits::of(input);
        let layers = layout::layers(&input.distance, &input.edges);
        let farthest = layers.iter().filter_map(|layer| layer.distance).max().unwrap_or(0);
        let centres = layout::centres(&layers);
        let beyond = layers.iter().zip(&centres).find(|(layer, _)| layer.distance.is_none()).map(|(_, &x)| x);
        let last = centres.last().copied().unwrap_or(0.0);
        // Layers are as far apart as the width allows; the axis takes some 8 mm of the height.
        let per_mm = (last + 1.2) / (style.width_mm - 3.0);
        let height = per_mm * (body_mm(style) - 8.0) * 0.96;
        let placement = layout::place(&layers, height);
        let by_distance = input.positions.is_none();
        let positions = input.positions.as_deref().unwrap_or(&placement.positions);
        let mut drawing = Self {
            input,
            nodes: Vec::new(),
            edges: Vec::new(),
            start: input.start,
            binned: input.distance.len() > MAX_SINGLE,
            spacing: if by_distance { placement.spacing } else { mean_spacing(positions) },
            row_spacing: placement.row_spacing,
            by_distance,
            farthest,
            beyond,
            overlay: Overlay::None,
        };
        let node_of = match drawing.binned {
            true => drawing.sum_up(layers, visits.as_ref(), positions, (per_mm, height)),
            false => drawing.take_singly(visits.as_ref(), positions),
        };
        drawing.overlay = if let Some(traffic) = &input.traffic {
            Overlay::Flows(Flows::of_traffic(traffic, &node_of))
        } else if let Some(trajectory) = &input.trajectory {
            Overlay::Flows(Flows::of_trajectory(trajectory, &node_of))
        } else if let Some(traps) = &input.traps {
            Overlay::Rates(Rates::new(traps, &node_of, drawing.nodes.len()))
        } else {
            Overlay::None
        };
        drawing
    }

    /// Returns the number of the node of each state.
    fn take_singly(&mut self, visits: Option<&Visits>, positions: &[(f64, f64)]) -> Vec<u32> {
        let node = |(index, &(x, y)): (usize, &(f64, f64))| Node {
            x,
            y,
            distance: self.input.distance[index],
            size: 1,
            is_goal: self.input.is_goal[index],
            visited: visits.is_some_and(|visits| visits.is_visited[index]),
            state: Some(index as u32),
        };
        self.nodes = positions.iter().enumerate().map(node).collect();
        let pairs = self.input.edges.iter().filter(|(a, b)| a != b);
        let mut pairs: Vec<(u32, u32, u32)> = pairs.map(|&(a, b)| (a.min(b), a.max(b), 1)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        self.edges = pairs;
        (0..positions.len() as u32).collect()
    }

    /// Returns the number of the disc of each state.
    fn sum_up(
        &mut self,
        layers: Vec<Layer>,
        visits: Option<&Visits>,
        positions: &[(f64, f64)],
        (per_mm, height): (f64, f64),
    ) -> Vec<u32> {
        // Discs at most 0.34 of the way to the next layer, so that edges show, and none over another.
        let radius = (0.34_f64).min(1.7 * per_mm);
        let fit = (height / (2.4 * radius)).floor().max(2.0);
        let share = |most: f64| -> f64 {
            let fullest = layers.iter().map(|layer| layer.nodes.len()).max().unwrap_or(1) as f64;
            layers.iter().map(|layer| (most * (layer.nodes.len() as f64 / fullest).sqrt()).max(1.0)).sum()
        };
        let most = (fit * (MAX_BINS / share(fit)).min(1.0)).max(2.0) as usize;
        let parts = layout::parts(&layers, most);
        let (layers, parts) = match visits {
            None => (layers, parts),
            Some(visits) => {
                // Visited states may stand closer: discs of 0.7 mm suffice for them.
                let closer = (height / (2.4 * radius.min(0.7 * per_mm))).floor().max(2.0);
                visits.split(&layers, &parts, closer as usize)
            }
        };
        let bins = layout::bins(&layers, &self.input.edges, &parts);
        self.spacing = height / most as f64;
        let empty = |&layer: &u32| Node {
            x: 0.0,
            y: 0.0,
            distance: layers[layer as usize].distance,
            size: 0,
            is_goal: false,
            visited: false,
            state: None,
        };
        self.nodes = bins.layer_of.iter().map(empty).collect();
        for (state, &bin) in bins.bin_of.iter().enumerate() {
            let node = &mut self.nodes[bin as usize];
            node.size += 1;
            node.x += positions[state].0 / f64::from(bins.sizes[bin as usize]);
            node.y += positions[state].1 / f64::from(bins.sizes[bin as usize]);
            node.is_goal |= self.input.is_goal[state];
            node.visited |= visits.is_some_and(|visits| visits.is_visited[state]);
            node.state = (node.size == 1).then_some(state as u32);
        }
        if self.by_distance {
            self.stack(height);
        }
        self.start = self.input.start.map(|start| bins.bin_of[start as usize]);
        self.edges = bins.edges;
        bins.bin_of
    }

    /// Puts the discs of each layer evenly above one another, closer where there are more than usual.
    fn stack(&mut self, height: f64) {
        let (spacing, mut least) = (self.spacing, self.spacing);
        for run in self.nodes.chunk_by_mut(|a, b| a.distance == b.distance) {
            let (count, spacing) = (run.len() as f64, spacing.min(height / run.len() as f64));
            least = least.min(spacing);
            for (rank, node) in run.iter_mut().enumerate() {
                node.x = node.distance.map_or(self.beyond.unwrap_or(0.0), f64::from);
                node.y = (rank as f64 - (count - 1.0) / 2.0) * spacing;
            }
        }
        (self.spacing, self.row_spacing) = (least, least);
    }

    /// `true` if anything is drawn on the graph, so that the graph itself is pale.
    pub fn is_pale(&self) -> bool {
        !matches!(self.overlay, Overlay::None)
    }
}

/// The space that each of evenly spread points would have.
fn mean_spacing(positions: &[(f64, f64)]) -> f64 {
    let spread = |axis: fn(&(f64, f64)) -> f64| {
        let values = || positions.iter().map(axis);
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    let area = spread(|point| point.0).max(1e-9) * spread(|point| point.1).max(1e-9);
    0.6 * (area / positions.len().max(1) as f64).sqrt()
}

/// Height of the graph, without its legend, in millimetres.
pub(super) fn body_mm(style: &Style) -> f64 {
    (0.68 * style.width_mm).min(98.0)
}
