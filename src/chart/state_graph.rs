//! The state graph of a level: every position a player can come to, by its distance to the goal.

use plotters::style::RGBColor;

use super::axis::{Axis, Plot};
use super::sheet::{BLUE, Draft, INK, Key, Mark, Pen, Rect, SOFT_INK, Sheet, Type, YELLOW, cell, viridis};
use super::{ChartError, Figure, Heading, PlottedData, Style};
use crate::graph::layout::{self, Layer};

/// Up to this number of states each is drawn singly.
pub const MAX_SINGLE: usize = 2_000;
/// About the most bins of a figure that sums states up.
const MAX_BINS: f64 = 700.0;
/// Up to this number of states, edges inside a layer are bent so that they do not run through other states.
const MAX_BENT: usize = 300;
/// The bright end of viridis is left to the start, which is yellow.
const BRIGHTEST: f64 = 0.88;
const RED: RGBColor = RGBColor(204, 51, 17);
const DEAD: RGBColor = RGBColor(119, 119, 119);

/// How states that are neither start nor goal are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colouring {
    /// By distance to the goal, from dark (near) to bright (far).
    #[default]
    Distance,
    /// All blue.
    Blue,
}

/// The states of a level and the moves between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// For each state its distance to the nearest goal, in moves; absent where no goal can be reached.
    pub distance: Vec<Option<u32>>,
    /// The state in which the level starts.
    pub start: Option<u32>,
    /// For each state whether the level is solved in it.
    pub is_goal: Vec<bool>,
    /// Pairs of states that a move joins; each pair is drawn once, whatever its direction.
    pub edges: Vec<(u32, u32)>,
    /// Places of the states in any unit, x to the right and y upwards, one for each; without them states
    /// stand by their distance to the goal.
    pub positions: Option<Vec<(f64, f64)>>,
    /// Colours.
    pub colouring: Colouring,
    /// What the distance counts; empty for `moves`.
    pub unit: String,
}

/// Draws the state graph; above [`MAX_SINGLE`] states, neighbouring ones are summed up, and the
/// subtitle says so.
///
/// # Errors
///
/// [`ChartError::Input`] if a vector has not one entry for each state, or an edge or the start is no state.
pub fn draw(input: &Input, style: &Style) -> Result<Figure, ChartError> {
    check(input)?;
    let drawing = Drawing::new(input, style);
    let draft = |notes: Vec<String>, keys: Vec<Key>| Draft {
        heading: &input.heading,
        style,
        page: (1, 1),
        notes,
        keys,
        reading: drawing.reading(),
        data: drawing.data(),
    };
    if input.distance.is_empty() {
        return draft(Vec::new(), Vec::new()).draw_empty();
    }
    let draft = draft(drawing.notes(), drawing.keys());
    let body_mm = body_mm(style).min(draft.max_body_mm()?);
    draft.draw(body_mm, |sheet, body| drawing.draw(sheet, body))
}

fn body_mm(style: &Style) -> f64 {
    (0.68 * style.width.mm()).min(98.0)
}

/// A node of the drawing: one state, or a bin of them.
struct Node {
    x: f64,
    y: f64,
    distance: Option<u32>,
    size: u32,
    is_goal: bool,
}

/// Nodes and edges ready to be drawn.
struct Drawing<'a> {
    input: &'a Input,
    nodes: Vec<Node>,
    edges: Vec<(u32, u32, u32)>,
    start: Option<u32>,
    binned: bool,
    /// Least space between two nodes, in the unit of their places.
    spacing: f64,
    /// Whether x is the distance to the goal.
    by_distance: bool,
    farthest: u32,
    /// Where the states without a distance stand.
    beyond: Option<f64>,
}

impl<'a> Drawing<'a> {
    fn new(input: &'a Input, style: &Style) -> Self {
        let layers = layout::layers(&input.distance, &input.edges);
        let farthest = layers.iter().filter_map(|layer| layer.distance).max().unwrap_or(0);
        let centres = layout::centres(&layers);
        let beyond = layers.iter().zip(&centres).find(|(layer, _)| layer.distance.is_none()).map(|(_, &x)| x);
        let last = centres.last().copied().unwrap_or(0.0);
        // Layers are as far apart as the width allows; the axis takes some 8 mm of the height.
        let per_mm = (last + 1.2) / (style.width.mm() - 3.0);
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
            by_distance,
            farthest,
            beyond,
        };
        if drawing.binned {
            drawing.sum_up(&layers, positions, per_mm, height);
        } else {
            drawing.take_singly(positions);
        }
        drawing
    }

    fn take_singly(&mut self, positions: &[(f64, f64)]) {
        let node = |(index, &(x, y)): (usize, &(f64, f64))| Node {
            x,
            y,
            distance: self.input.distance[index],
            size: 1,
            is_goal: self.input.is_goal[index],
        };
        self.nodes = positions.iter().enumerate().map(node).collect();
        let pairs = self.input.edges.iter().filter(|(a, b)| a != b);
        let mut pairs: Vec<(u32, u32, u32)> = pairs.map(|&(a, b)| (a.min(b), a.max(b), 1)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        self.edges = pairs;
    }

    fn sum_up(&mut self, layers: &[Layer], positions: &[(f64, f64)], per_mm: f64, height: f64) {
        // Discs at most 0.34 of the way to the next layer, so that edges show, and none over another.
        let radius = (0.34_f64).min(1.7 * per_mm);
        let most = (height / (2.4 * radius)).floor().max(2.0);
        let share = |most: f64| -> f64 {
            let fullest = layers.iter().map(|layer| layer.nodes.len()).max().unwrap_or(1) as f64;
            layers.iter().map(|layer| (most * (layer.nodes.len() as f64 / fullest).sqrt()).max(1.0)).sum()
        };
        let most = (most * (MAX_BINS / share(most)).min(1.0)).max(2.0) as usize;
        let bins = layout::bins(layers, &self.input.edges, most);
        self.spacing = height / most as f64;
        let empty =
            |&layer: &u32| Node { x: 0.0, y: 0.0, distance: layers[layer as usize].distance, size: 0, is_goal: false };
        self.nodes = bins.layer_of.iter().map(empty).collect();
        for (state, &bin) in bins.bin_of.iter().enumerate() {
            let node = &mut self.nodes[bin as usize];
            node.size += 1;
            node.x += positions[state].0 / f64::from(bins.sizes[bin as usize]);
            node.y += positions[state].1 / f64::from(bins.sizes[bin as usize]);
            node.is_goal |= self.input.is_goal[state];
        }
        if self.by_distance {
            self.stack(&bins.layer_of, &layout::centres(layers));
        }
        self.start = self.input.start.map(|start| bins.bin_of[start as usize]);
        self.edges = bins.edges;
    }

    /// Puts the bins of each layer evenly above one another.
    fn stack(&mut self, layer_of: &[u32], centres: &[f64]) {
        let mut first = 0;
        for run in layer_of.chunk_by(|a, b| a == b) {
            for (rank, node) in self.nodes[first..first + run.len()].iter_mut().enumerate() {
                node.x = centres[run[0] as usize];
                node.y = (rank as f64 - (run.len() as f64 - 1.0) / 2.0) * self.spacing;
            }
            first += run.len();
        }
    }

    fn notes(&self) -> Vec<String> {
        if !self.binned {
            return Vec::new();
        }
        vec![format!("neighbouring states summed up in {} discs, area by number of states", self.nodes.len())]
    }

    fn keys(&self) -> Vec<Key> {
        let mut keys = Vec::new();
        if self.start.is_some() {
            keys.push(Key::Mark(Mark::RimmedDiamond(YELLOW), "start".to_owned()));
        }
        if self.nodes.iter().any(|node| node.is_goal) {
            keys.push(Key::Mark(Mark::Square(RED), if self.binned { "with goals" } else { "goal" }.to_owned()));
        }
        match self.input.colouring {
            Colouring::Blue => keys.push(Key::Mark(Mark::Disc(BLUE), "other state".to_owned())),
            Colouring::Distance if self.farthest == 0 => {}
            Colouring::Distance => {
                let (low, high) = ("0".to_owned(), self.farthest.to_string());
                keys.push(Key::Ramp { title: "distance to goal".to_owned(), low, high, from: 0.0, to: BRIGHTEST });
            }
        }
        if self.beyond.is_some() {
            keys.push(Key::Mark(Mark::Disc(DEAD), "no way to a goal".to_owned()));
        }
        keys
    }

    fn reading(&self) -> String {
        let place = match (self.by_distance, self.binned) {
            (true, false) => "states stand by their distance to the goal; the larger a layer, the more states it has",
            (true, true) => "discs stand by their distance to the goal",
            (false, _) => "they stand where the layout puts them",
        };
        let line = match self.binned {
            false => "Each line joins two states that one move leads between",
            true => "Each disc stands for states of one distance, each line for all moves between two discs",
        };
        format!("{line}; {place}")
    }

    /// The nodes and the edges as they are drawn: of states, or of discs with what they stand for.
    fn data(&self) -> PlottedData {
        let mut data = PlottedData::new(&["kind", "id", "target", "distance", "n", "has_start", "has_goal", "x", "y"]);
        let kind = if self.binned { "disc" } else { "state" };
        for (id, node) in self.nodes.iter().enumerate() {
            let distance = node.distance.map(|distance| distance.to_string()).unwrap_or_default();
            let has_start = self.start == Some(id as u32);
            let (x, y) = if self.by_distance { Default::default() } else { (cell(node.x), cell(node.y)) };
            let flags = [has_start.to_string(), node.is_goal.to_string()];
            let head = [kind.to_owned(), id.to_string(), String::new(), distance, node.size.to_string()];
            data.rows.push(head.into_iter().chain(flags).chain([x, y]).collect());
        }
        for (a, b, count) in &self.edges {
            let head = ["edge".to_owned(), a.to_string(), b.to_string(), String::new(), count.to_string()];
            data.rows.push(head.into_iter().chain(std::iter::repeat_n(String::new(), 4)).collect());
        }
        data
    }

    fn colour(&self, node: &Node) -> RGBColor {
        match (node.distance, self.input.colouring) {
            (None, _) => DEAD,
            _ if node.is_goal => RED,
            (_, Colouring::Blue) => BLUE,
            (Some(distance), Colouring::Distance) => {
                viridis(BRIGHTEST * f64::from(distance) / f64::from(self.farthest.max(1)))
            }
        }
    }

    /// The rectangle that the nodes span, as axes.
    fn axes(&self) -> (Axis, Axis) {
        let span =
            |values: &mut dyn Iterator<Item = f64>| values.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        let (left, right) = match self.by_distance {
            true => (-0.6, self.beyond.unwrap_or(f64::from(self.farthest)) + 0.6),
            false => padded(span(&mut self.nodes.iter().map(|node| node.x))),
        };
        let (low, high) = padded(span(&mut self.nodes.iter().map(|node| node.y)));
        (Axis::fixed(&self.title(), left, right, true), Axis::fixed("", low, high, false))
    }

    fn title(&self) -> String {
        format!("distance to goal ({})", if self.input.unit.is_empty() { "moves" } else { &self.input.unit })
    }

    fn draw(&self, sheet: &Sheet, body: Rect) -> Result<(), ChartError> {
        let (small, label) = (Type::new(sheet.style.small_pt), Type::new(sheet.style.label_pt));
        let below = if self.by_distance { Plot::below_mm(&small) + 1.3 * label.em_mm() + 0.5 } else { 0.0 };
        let place = Rect { height: body.height - below, ..body };
        let (x, y) = self.axes();
        let plot = self.undistorted(Plot { place, x, y });
        let radius_mm = self.radius(&plot);
        self.draw_edges(sheet, &plot)?;
        self.draw_nodes(sheet, &plot, radius_mm)?;
        if self.by_distance { self.draw_axis(sheet, &plot, body) } else { Ok(()) }
    }

    /// Widens one axis so that both have the same scale; layers keep the axis of distance as it is.
    fn undistorted(&self, mut plot: Plot) -> Plot {
        let per_mm = ((plot.x.high - plot.x.low) / plot.place.width, (plot.y.high - plot.y.low) / plot.place.height);
        let scale = per_mm.0.max(per_mm.1);
        let widened = |axis: &mut Axis, length: f64| {
            let missing = (scale * length - (axis.high - axis.low)) / 2.0;
            axis.low -= missing;
            axis.high += missing;
        };
        if !self.by_distance {
            widened(&mut plot.x, plot.place.width);
        }
        if !self.by_distance || per_mm.0 > per_mm.1 {
            widened(&mut plot.y, plot.place.height);
        }
        plot
    }

    /// The radius of a node that stands for one state, or for the fullest bin.
    fn radius(&self, plot: &Plot) -> f64 {
        let mm = plot.place.width / (plot.x.high - plot.x.low);
        match self.binned {
            false => (0.34 * self.spacing * mm).clamp(0.15, 1.1),
            true if self.by_distance => (0.34 * mm).min(0.42 * self.spacing * mm).clamp(0.25, 1.7),
            true => 1.6,
        }
    }

    fn draw_edges(&self, sheet: &Sheet, plot: &Plot) -> Result<(), ChartError> {
        let alpha = (15.0 / (self.edges.len() as f64).sqrt()).clamp(0.1, 0.8);
        let most = f64::from(self.edges.iter().map(|edge| edge.2).max().unwrap_or(1)).sqrt();
        for &(a, b, count) in &self.edges {
            let (a, b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
            let weight = if self.binned { f64::from(count).sqrt() / most } else { 0.0 };
            let pen = Pen::new(SOFT_INK, 0.35 + 0.5 * weight).alpha((alpha * (1.0 + 2.0 * weight)).min(0.8));
            sheet.line(&self.course(plot, a, b), pen)?;
        }
        Ok(())
    }

    /// The line between two nodes: straight, or bent where it would run through others of its layer.
    fn course(&self, plot: &Plot, a: &Node, b: &Node) -> Vec<(f64, f64)> {
        let (from, to) = (plot.at(a.x, a.y), plot.at(b.x, b.y));
        let apart = ((a.y - b.y).abs() / self.spacing).round();
        let bent = self.by_distance && a.distance == b.distance && a.x == b.x && apart > 1.0;
        if !bent || self.input.distance.len() > MAX_BENT {
            return vec![from, to];
        }
        // Outwards from the middle of the layer; the farther apart, the wider the bend.
        let layer = a.distance.map_or(a.x, f64::from);
        let side = if a.x < layer { -1.0 } else { 1.0 };
        let mm = plot.place.width / (plot.x.high - plot.x.low);
        let width = side * (0.05 * apart).min(0.3) * mm;
        let at = |part: f64| {
            let bulge = 4.0 * part * (1.0 - part) * width;
            (from.0 + part * (to.0 - from.0) + bulge, from.1 + part * (to.1 - from.1))
        };
        (0..=10).map(|step| at(f64::from(step) / 10.0)).collect()
    }

    fn draw_nodes(&self, sheet: &Sheet, plot: &Plot, radius: f64) -> Result<(), ChartError> {
        let most = f64::from(self.nodes.iter().map(|node| node.size).max().unwrap_or(1));
        let ordered =
            self.nodes.iter().filter(|node| !node.is_goal).chain(self.nodes.iter().filter(|node| node.is_goal));
        for node in ordered {
            let radius = if self.binned { radius * (f64::from(node.size) / most).sqrt() } else { radius }.max(0.15);
            let mark = if node.is_goal { Mark::Square(self.colour(node)) } else { Mark::Disc(self.colour(node)) };
            sheet.mark(plot.at(node.x, node.y), radius, mark, if self.binned { 0.85 } else { 1.0 })?;
        }
        let Some(start) = self.start.and_then(|start| self.nodes.get(start as usize)) else {
            return Ok(());
        };
        sheet.mark(plot.at(start.x, start.y), (1.3 * radius).clamp(0.8, 1.5), Mark::RimmedDiamond(YELLOW), 1.0)
    }

    fn draw_axis(&self, sheet: &Sheet, plot: &Plot, body: Rect) -> Result<(), ChartError> {
        let (small, label) = (Type::new(sheet.style.small_pt), Type::new(sheet.style.label_pt));
        let (base, pen) = (plot.place.bottom() + 0.5, Pen::new(INK, 0.5));
        let at = |value: f64| plot.at(value, plot.y.low).0;
        let tick = |x: f64, text: &str| {
            sheet.line(&[(x, base), (x, base + 0.9)], pen)?;
            sheet.text(x, base + 1.3 + 0.75 * small.em_mm(), text, small.centre())
        };
        if self.nodes.iter().any(|node| node.distance.is_some()) {
            let reach = Axis::fixed("", 0.0, f64::from(self.farthest.max(1)), true);
            let ticks = reach.ticks(at(reach.high) - at(0.0), &small, false)?;
            let used = ticks.into_iter().filter(|(value, _)| *value <= f64::from(self.farthest));
            sheet.line(&[(at(0.0), base), (at(f64::from(self.farthest)), base)], pen)?;
            used.into_iter().try_for_each(|(value, text)| tick(at(value), &text))?;
        }
        if let Some(beyond) = self.beyond {
            sheet.line(&[(at(beyond - 0.4), base), (at(beyond + 0.4), base)], pen)?;
            tick(at(beyond), "none")?;
        }
        let title = label.centre().colour(SOFT_INK);
        sheet.text(body.centre().0, body.bottom() - 0.25 * label.em_mm(), &plot.x.title, title)
    }
}

fn padded((low, high): (f64, f64)) -> (f64, f64) {
    let room = if high > low { 0.03 * (high - low) } else { 1.0 };
    (low - room, high + room)
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

fn check(input: &Input) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: input.heading.name.clone(), what });
    let states = input.distance.len();
    if input.is_goal.len() != states {
        return fault(format!("{states} distances but {} goal flags: give one for each state", input.is_goal.len()));
    }
    if let Some(positions) = &input.positions {
        if positions.len() != states {
            return fault(format!("{states} distances but {} positions: give one for each state", positions.len()));
        }
        if let Some(state) = positions.iter().position(|(x, y)| !(x.is_finite() && y.is_finite())) {
            return fault(format!("state {state} has the position {:?}: give finite numbers", positions[state]));
        }
    }
    let ends = input.edges.iter().flat_map(|&(a, b)| [a, b]).chain(input.start);
    match ends.into_iter().find(|&end| end as usize >= states) {
        Some(end) => fault(format!("an edge or the start names state {end}, but there are {states} states from 0")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Width, legible};
    use super::*;

    /// A tree in which node n hangs on node n / 3, the root being the goal, with a few edges inside layers.
    fn tree(states: u32) -> Input {
        let mut distance: Vec<Option<u32>> = Vec::new();
        for node in 0..states {
            let above = if node == 0 { None } else { distance[(node / 3) as usize] };
            distance.push(Some(above.map_or(0, |above: u32| above + 1)));
        }
        let edges = (1..states).flat_map(|node| [(node / 3, node), (node, (node + 1) % states)]).collect();
        let is_goal = (0..states).map(|node| node == 0).collect();
        Input { distance, is_goal, edges, start: states.checked_sub(1), ..Default::default() }
    }

    #[test]
    fn the_data_are_the_input() {
        let input = Input {
            distance: vec![Some(0), Some(1), None],
            is_goal: vec![true, false, false],
            edges: vec![(1, 0), (1, 2), (0, 1)],
            start: Some(1),
            ..Default::default()
        };
        let csv = draw(&input, &Style::default()).unwrap().to_csv().unwrap();
        let expected = "kind,id,target,distance,n,has_start,has_goal,x,y\n\
                        state,0,,0,1,false,true,,\nstate,1,,1,1,true,false,,\nstate,2,,,1,false,false,,\n\
                        edge,0,1,,1,,,,\nedge,1,2,,1,,,,\n";
        assert_eq!(csv, expected);
    }

    #[test]
    fn discs_stand_for_all_states() {
        let figure = draw(&tree(5_000), &Style::default()).unwrap();
        let of = |kind: &'static str| figure.data.rows.iter().filter(move |row| row[0] == kind);
        assert_eq!(of("disc").map(|row| row[4].parse::<u32>().unwrap()).sum::<u32>(), 5_000);
        assert_eq!(of("disc").filter(|row| row[5] == "true").count(), 1, "the start is in one of them");
        assert!(of("edge").all(|row| row[1] != row[2]));
    }

    #[test]
    fn a_level_without_a_goal_has_no_axis_of_distance() {
        let input = Input { distance: vec![None; 9], is_goal: vec![false; 9], start: Some(0), ..Default::default() };
        let figure = draw(&input, &Style::default()).unwrap();
        legible::check(&figure);
        assert!(figure.svg.contains(">none<") && !figure.svg.contains(">0<"));
    }

    #[test]
    fn every_width_and_amount_is_legible_and_the_same_twice() {
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            for states in [0, 1, 2, 20, 1_000, 2_001] {
                let mut input = tree(states);
                if states == 20 {
                    input.distance[19] = None;
                    input.colouring = Colouring::Blue;
                }
                let figure = draw(&input, &Style::new(width)).unwrap();
                legible::check(&figure);
                assert_eq!(figure, draw(&input, &Style::new(width)).unwrap());
                assert_eq!(figure.caption.contains("summed up"), states > 2_000);
            }
        }
    }

    #[test]
    fn given_positions_are_kept_undistorted() {
        let mut input = tree(4);
        input.positions = Some(vec![(0.0, 0.0), (10.0, 0.0), (10.0, 1.0), (0.0, 1.0)]);
        legible::check(&draw(&input, &Style::default()).unwrap());
        let drawing = Drawing::new(&input, &Style::default());
        let (x, y) = drawing.axes();
        let place = Rect { left: 0.0, top: 0.0, width: 100.0, height: 50.0 };
        let plot = drawing.undistorted(Plot { place, x, y });
        let (right, up) = (plot.at(10.0, 0.0).0 - plot.at(0.0, 0.0).0, plot.at(0.0, 0.0).1 - plot.at(0.0, 1.0).1);
        assert!((right - 10.0 * up).abs() < 1e-9, "{right} mm and {up} mm");
    }

    #[test]
    fn contradictions_are_named() {
        let mut input = tree(3);
        input.edges.push((0, 7));
        assert!(draw(&input, &Style::default()).unwrap_err().to_string().contains("state 7"));
        input.is_goal.pop();
        assert!(draw(&input, &Style::default()).unwrap_err().to_string().contains("2 goal flags"));
    }
}
