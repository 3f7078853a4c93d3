//! Places of the nodes of the tree: a column of obstacles and a column of wished moves for each depth.

use super::tree::ThoughtTree;
use crate::layout;
use crate::sheet::{Rect, TextStyle, Translated, widest};
use crate::{ChartError, Style};

/// Radius of the mark of an obstacle in millimetres.
pub(super) const MARK_RADIUS_MM: f64 = 0.6;
/// Room for the dots of thoughts that are not drawn, in millimetres.
const DOTS_MM: f64 = 2.6;
/// The least and the greatest space between two columns, for the lines, in millimetres.
const GAP_MM: (f64, f64) = (2.4, 9.0);
/// The least space between two columns as a share of the height of the fullest one: lines must not run too steep.
const STEEPEST: f64 = 0.035;
/// Free room beside a label in its box, on each side, in millimetres.
const PADDING_MM: f64 = 0.6;
/// Free room between two boxes, and between two marks, of a column, in millimetres.
const APART_MM: (f64, f64) = (0.8, 0.7);
/// The widest label, in millimetres.
const WIDEST_LABEL_MM: f64 = 16.0;
/// Height of a tree as a multiple of its fullest column, where there is room: edges then run more level.
const LOOSE: f64 = 1.25;
/// Number of rounds in which all nodes are drawn towards their neighbours.
const ROUNDS: usize = 24;

/// The part of a tree that fits, in millimetres from its upper left corner.
pub(super) struct Columns {
    /// The depths that are drawn, with the middle of their boxes, or of their marks where no wished move is as deep.
    pub steps: Vec<(u32, f64)>,
    /// Of each wished move its box, absent where it is not drawn.
    pub boxes: Vec<Option<Rect>>,
    /// Of each wished move what stands in its box.
    pub labels: Vec<Translated>,
    /// Of each obstacle the middle of its mark, absent where it is not drawn.
    pub marks: Vec<Option<(f64, f64)>>,
    pub height: f64,
    box_mm: f64,
}

/// Nodes of one depth.
struct Step {
    depth: u32,
    wishes: Vec<usize>,
    obstacles: Vec<usize>,
    /// Width of its boxes.
    width: f64,
    /// Width of the column of its marks.
    marks_mm: f64,
}

impl Columns {
    /// The depths that fit a width and a height, each node near those that it is joined with.
    pub fn new(chart: &ThoughtTree, style: &Style, (width, height): (f64, f64)) -> Result<Self, ChartError> {
        // Notations are no phrases.
        let font = TextStyle::new(style.small_pt);
        let labels: Vec<Translated> =
            chart.wishes.iter().map(|wish| font.cut(&wish.label, WIDEST_LABEL_MM)).collect::<Result<_, _>>()?;
        let box_mm = 1.3 * font.em_mm();
        let apart = (box_mm + APART_MM.0, 2.0 * MARK_RADIUS_MM + APART_MM.1);
        let mut steps = steps(chart, &labels, &font)?;
        let n_all = steps.len();
        let rows_mm = |step: &Step| {
            let (wishes, obstacles) = (step.wishes.len().max(1) as f64, step.obstacles.len().max(1) as f64);
            ((wishes - 1.0) * apart.0).max((obstacles - 1.0) * apart.1) + box_mm
        };
        let fits = |n: usize| {
            let dots = if n < n_all { DOTS_MM } else { 0.0 };
            let fullest = steps[..n].iter().map(rows_mm).fold(0.0, f64::max);
            let least = nodes_mm(&steps[..n]) + gaps(&steps[..n]) * GAP_MM.0.max(STEEPEST * fullest) + dots;
            least <= width && fullest <= height
        };
        let n = (1..=n_all).rev().find(|&n| fits(n)).unwrap_or(0);
        steps.truncate(n);
        let fullest = steps.iter().map(rows_mm).fold(0.0, f64::max);
        let high = (LOOSE * fullest).min(height);
        let (places, height) = levels(chart, &steps, apart, box_mm, high);
        let dots = if n < n_all { DOTS_MM } else { 0.0 };
        let gap = ((width - dots - nodes_mm(&steps)) / gaps(&steps).max(1.0)).min(GAP_MM.1);
        let mut columns = Self {
            steps: Vec::new(),
            boxes: vec![None; chart.wishes.len()],
            labels,
            marks: vec![None; chart.obstacles.len()],
            height,
            box_mm,
        };
        columns.set(chart, &steps, gap, &places);
        Ok(columns)
    }

    /// Sets the nodes of these depths into columns.
    fn set(&mut self, chart: &ThoughtTree, steps: &[Step], gap: f64, places: &[f64]) {
        let mut left = 0.0;
        for (index, step) in steps.iter().enumerate() {
            let mut middle = left + step.width / 2.0;
            if index > 0 {
                middle = left + gap + step.marks_mm / 2.0;
                for &obstacle in &step.obstacles {
                    self.marks[obstacle] = Some((middle, places[chart.wishes.len() + obstacle]));
                }
                left = middle + step.marks_mm / 2.0;
                if !step.wishes.is_empty() {
                    left += gap;
                    middle = left + step.width / 2.0;
                }
            }
            for &wish in &step.wishes {
                let top = places[wish] - self.box_mm / 2.0;
                self.boxes[wish] = Some(Rect { left, top, width: step.width, height: self.box_mm });
            }
            self.steps.push((step.depth, middle));
            left += step.width;
        }
    }
}

/// Number of spaces for lines between the columns.
fn gaps(steps: &[Step]) -> f64 {
    steps.iter().skip(1).map(|step| if step.wishes.is_empty() { 1.0 } else { 2.0 }).sum()
}

/// Width of all boxes and marks.
fn nodes_mm(steps: &[Step]) -> f64 {
    let marks: f64 = steps.iter().skip(1).map(|step| step.marks_mm).sum();
    marks + steps.iter().map(|step| step.width).sum::<f64>()
}

/// All depths, ascending.
fn steps(chart: &ThoughtTree, labels: &[Translated], font: &TextStyle) -> Result<Vec<Step>, ChartError> {
    let all = chart.wishes.iter().map(|wish| wish.depth).chain(chart.obstacles.iter().map(|obstacle| obstacle.depth));
    let mut depths: Vec<u32> = all.collect();
    depths.sort_unstable();
    depths.dedup();
    let step = |depth: u32| {
        let wishes: Vec<usize> = (0..chart.wishes.len()).filter(|&wish| chart.wishes[wish].depth == depth).collect();
        let obstacles = (0..chart.obstacles.len()).filter(|&place| chart.obstacles[place].depth == depth).collect();
        let texts: Vec<Translated> = wishes.iter().map(|&wish| labels[wish].clone()).collect();
        let (width, marks_mm) = match wishes.is_empty() {
            false => (widest(&texts, font)? + 2.0 * PADDING_MM, 2.0 * MARK_RADIUS_MM),
            // The depth stands above the marks.
            true => (0.0, font.width_of(&depth.to_string())?.max(2.0 * MARK_RADIUS_MM)),
        };
        Ok(Step { depth, wishes, obstacles, width, marks_mm })
    };
    depths.into_iter().map(step).collect()
}

/// Place of each node from above, first of the wished moves and then of the obstacles, and the height of all.
fn levels(chart: &ThoughtTree, steps: &[Step], apart: (f64, f64), box_mm: f64, most_mm: f64) -> (Vec<f64>, f64) {
    let bounds = (box_mm / 2.0, most_mm - box_mm / 2.0);
    let n_wishes = chart.wishes.len();
    let rank = |depth: u32| steps.iter().position(|step| step.depth == depth).map(|rank| 2 * rank as u32);
    let wishes = chart.wishes.iter().map(|wish| rank(wish.depth).map(|rank| rank + 1));
    let ranks: Vec<Option<u32>> = wishes.chain(chart.obstacles.iter().map(|obstacle| rank(obstacle.depth))).collect();
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for (place, wish) in chart.wishes.iter().enumerate() {
        edges.extend(wish.obstacles.iter().map(|&obstacle| (place as u32, (n_wishes + obstacle) as u32)));
    }
    for (place, obstacle) in chart.obstacles.iter().enumerate() {
        edges.extend(obstacle.ways.iter().map(|&wish| ((n_wishes + place) as u32, wish as u32)));
    }
    edges.retain(|&(a, b)| ranks[a as usize].is_some() && ranks[b as usize].is_some());
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); ranks.len()];
    for &(a, b) in &edges {
        beside[a as usize].push(b as usize);
        beside[b as usize].push(a as usize);
    }
    let mut layers = layout::layers(&ranks, &edges);
    layers.retain(|layer| layer.distance.is_some());
    let mut places = vec![(bounds.0 + bounds.1) / 2.0; ranks.len()];
    for round in 0..ROUNDS {
        for index in 0..layers.len() {
            let layer = &layers[if round % 2 == 0 { index } else { layers.len() - 1 - index }];
            let apart = match layer.distance.is_some_and(|rank| rank % 2 == 1) {
                true => apart.0,
                // Marks stand as far apart as boxes where there is room: one sees which line leads where.
                false => ((bounds.1 - bounds.0) / (layer.nodes.len() as f64 - 1.0)).max(apart.1).min(apart.0),
            };
            let wanted = |&node: &u32| match &beside[node as usize][..] {
                [] => places[node as usize],
                others => others.iter().map(|&other| places[other]).sum::<f64>() / others.len() as f64,
            };
            let wanted: Vec<f64> = layer.nodes.iter().map(wanted).collect();
            for (&node, place) in layer.nodes.iter().zip(spread(&wanted, apart, bounds)) {
                places[node as usize] = place;
            }
        }
    }
    // Edges that run level already need less height.
    let drawn = || layers.iter().flat_map(|layer| &layer.nodes).map(|&node| places[node as usize]);
    let (first, last) = (drawn().fold(f64::INFINITY, f64::min), drawn().fold(f64::NEG_INFINITY, f64::max));
    let height = if layers.is_empty() { 0.0 } else { last - first + box_mm };
    (places.iter().map(|place| place - first + bounds.0).collect(), height)
}

/// Places in the given order, so far apart at least and within bounds, whose squared distances from the wanted ones are
/// the least: isotonic regression by pooling adjacent violators (Ayer, Brunk, Ewing, Reid & Silverman, 1955), for
/// places less the least room before them must ascend.
fn spread(wanted: &[f64], apart: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (index, wanted) in wanted.iter().enumerate() {
        let mut block = (wanted - index as f64 * apart, 1);
        while let Some(&(mean, n)) = blocks.last().filter(|(mean, _)| *mean > block.0) {
            block = ((mean * n as f64 + block.0 * block.1 as f64) / (n + block.1) as f64, n + block.1);
            blocks.pop();
        }
        blocks.push(block);
    }
    let last = (high - wanted.len().saturating_sub(1) as f64 * apart).max(low);
    let bases = blocks.into_iter().flat_map(|(mean, n)| std::iter::repeat_n(mean.clamp(low, last), n));
    bases.enumerate().map(|(index, base)| base + index as f64 * apart).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_near_the_wanted_ones_and_apart() {
        assert_eq!(spread(&[1.0, 5.0, 9.0], 2.0, (0.0, 10.0)), [1.0, 5.0, 9.0]);
        assert_eq!(spread(&[5.0, 5.0, 5.0], 2.0, (0.0, 10.0)), [3.0, 5.0, 7.0]);
        assert_eq!(spread(&[9.0, 1.0], 2.0, (0.0, 10.0)), [4.0, 6.0], "the order is kept");
        assert_eq!(spread(&[-5.0, 20.0], 2.0, (0.0, 10.0)), [0.0, 10.0]);
        assert!(spread(&[], 2.0, (0.0, 10.0)).is_empty());
    }
}
