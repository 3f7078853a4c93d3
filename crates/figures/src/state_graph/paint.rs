//! The drawing itself: edges, nodes, what lies on them.

use plotters::style::RGBColor;

use super::super::ChartError;
use super::super::axis::Plot;
use super::super::sheet::{BLUE, INK, Mark, Pen, Rect, SOFT_INK, Sheet, VERMILION, WHITE, YELLOW, viridis};
use super::flows::{Flows, Look, MANY, along, length, shifted, trimmed};
use super::graph::{Colouring, MAX_LETTERS, Step};
use super::labels::{self, Label};
use super::nodes::{Drawing, Node, Overlay};

/// Up to this number of states, edges inside a layer are bent so that they do not run through other states.
const MAX_BENT: usize = 300;
/// The bright end of viridis is left to the start, which is yellow.
pub(super) const BRIGHTEST: f64 = 0.88;
pub(super) const RED: RGBColor = RGBColor(204, 51, 17);
pub(super) const DEAD: RGBColor = RGBColor(119, 119, 119);
/// Share of its colour that a state keeps where nobody came.
const PALENESS: f64 = 0.28;

/// Radii of nodes and widths of lines, in millimetres.
pub(super) struct Radii {
    /// One state, or the fullest disc.
    pub plain: f64,
    /// The least of a state that somebody came to, or of the one that was visited most.
    pub visited: f64,
    /// Width of the line of the most moves.
    pub widest_flow: f64,
    /// The least of a node that holds a goal.
    goal: f64,
    /// States of the fullest disc.
    most: f64,
}

/// The least radius of a disc of several states, which print still shows, in millimetres.
const SEEN_MM: f64 = 0.35;

impl Radii {
    pub fn new(drawing: &Drawing, plot: &Plot) -> Self {
        let mm = plot.place.width / (plot.x.high - plot.x.low);
        let spacing = drawing.spacing * mm;
        let plain = match drawing.binned {
            false => (0.34 * spacing).clamp(0.15, 1.1),
            true if drawing.by_distance => (0.34 * mm).min(0.42 * spacing).clamp(0.25, 1.7),
            true => 1.6,
        };
        let most = f64::from(drawing.nodes.iter().map(|node| node.size).max().unwrap_or(1));
        let area = plot.place.width * plot.place.height / std::f64::consts::PI;
        let visited = drawing.nodes.iter().filter(|node| node.visited).count().max(1) as f64;
        // Visited states stand out, but all of them together leave most of the graph free.
        let visited = match &drawing.overlay {
            Overlay::None => plain,
            Overlay::Flows(_) => (0.06 * area / visited).sqrt().min(0.65).max(plain.min(0.65)),
            Overlay::Rates(rates) => {
                let weight: f64 = rates.by_node.iter().map(|rate| rate.n_visits as f64).sum::<f64>();
                let largest = (0.16 * area * rates.most_visits as f64 / weight.max(1.0)).sqrt().clamp(0.5, 2.4);
                // Discs that stand above one another may overlap by a little only.
                if drawing.binned { largest.min((0.9 * spacing).max(0.8)) } else { largest }
            }
        };
        // So do goals, which are few as a rule.
        let goals = drawing.nodes.iter().filter(|node| node.is_goal).count().max(1) as f64;
        let goal = (0.02 * area / goals).sqrt().min(if drawing.binned { 0.8 } else { 0.6 });
        Self { plain, visited, widest_flow: (1.3 * visited).clamp(0.45, 1.1), goal, most }
    }

    /// The radius of a node.
    pub fn of(&self, drawing: &Drawing, index: u32) -> f64 {
        let node = &drawing.nodes[index as usize];
        let plain = if drawing.binned { self.plain * (f64::from(node.size) / self.most).sqrt() } else { self.plain };
        // Pale ones are no larger than those that somebody came to.
        let plain = match (node.is_goal, &drawing.overlay) {
            (true, Overlay::None) => plain.max(self.goal),
            (true, _) if !node.visited => plain.max(self.goal.min(0.55)),
            _ => plain,
        };
        let least_width = if drawing.binned { SEEN_MM } else { 0.15 };
        match &drawing.overlay {
            Overlay::Flows(flows) if node.visited => {
                let share = flows.share_of_visits(index).unwrap_or(1.0);
                let least = if node.is_goal { 0.55 } else { 0.4 * self.visited };
                plain.min(self.visited).max(self.visited * share.sqrt()).max(least)
            }
            Overlay::Rates(rates) if node.visited => {
                let least = if node.is_goal { 0.55 } else { 0.0 };
                self.of_visits(rates.by_node[index as usize].n_visits, rates.most_visits).max(least)
            }
            // Pale dots, not to be taken for visits.
            Overlay::Rates(_) => (0.7 * plain).clamp(0.7 * least_width, 0.6),
            // No larger than those that somebody came to.
            Overlay::Flows(_) if !drawing.binned => plain.min(self.visited).max(0.15),
            _ => plain.max(least_width),
        }
    }

    /// The radius of a state that was visited so often.
    pub fn of_visits(&self, n_visits: u64, most: u64) -> f64 {
        (self.visited * (n_visits as f64 / most as f64).sqrt()).max(0.3)
    }
}

/// The most numbers of errors beside one line.
const MOST_NUMBERS: usize = 3;
impl Flows {
    /// Points along all lines, about a millimetre apart.
    pub fn points<'a>(&'a self, plot: &'a Plot, drawing: &'a Drawing) -> impl Iterator<Item = (f64, f64)> + 'a {
        self.flows.iter().flat_map(move |flow| {
            let (from, to) = (&drawing.nodes[flow.from as usize], &drawing.nodes[flow.to as usize]);
            let course = drawing.course(plot, from, to, true);
            let steps = length(&course).floor() as usize;
            (0..=steps).map(move |step| along(&course, step as f64)).collect::<Vec<_>>()
        })
    }

    /// Draws all lines. Few: jumps below, errors on top, and wide lines below narrow ones; many: frequent moves on
    /// top. Returns the numbers that are to stand beside errors of a trajectory.
    pub fn draw(&self, sheet: &Sheet, plot: &Plot, drawing: &Drawing, radii: &Radii) -> Result<Vec<Label>, ChartError> {
        let rank = |kind: Step| match kind {
            Step::Jump => 0,
            Step::Optimal => 1,
            Step::Error => 2,
        };
        let lanes = self.lanes(radii.widest_flow);
        let mut order: Vec<usize> = (0..self.flows.len()).collect();
        if self.flows.len() > MANY {
            // What was done often must not be hidden below what was done once.
            order.sort_by_key(|&index| (self.flows[index].count, rank(self.flows[index].kind)));
        } else {
            order.sort_by_key(|&index| (rank(self.flows[index].kind), std::cmp::Reverse(self.flows[index].count)));
        }
        let mut labels = Vec::new();
        let n_errors = self.flows.iter().filter(|flow| flow.kind == Step::Error).map(|flow| flow.numbers.len());
        let is_numbered = n_errors.sum::<usize>() <= MAX_LETTERS;
        for index in order {
            let flow = &self.flows[index];
            let (from, to) = (&drawing.nodes[flow.from as usize], &drawing.nodes[flow.to as usize]);
            let course = drawing.course(plot, from, to, true);
            let course = shifted(&course, lanes[index]);
            let course = trimmed(&course, (radii.of(drawing, flow.from), radii.of(drawing, flow.to)));
            if !self.is_coloured(flow) {
                sheet.line(&course, Pen::new(SOFT_INK, 0.4).alpha(0.18))?;
                continue;
            }
            let width = self.width_mm(flow.count, radii.widest_flow);
            let look = Look { kind: flow.kind, width, alpha: self.alpha(flow.kind, flow.count) };
            look.draw(sheet, &course, self.all_heads)?;
            if flow.kind == Step::Error && is_numbered && !flow.numbers.is_empty() {
                let mut numbers: Vec<String> = flow.numbers.iter().map(usize::to_string).collect();
                if numbers.len() > MOST_NUMBERS {
                    numbers.truncate(MOST_NUMBERS);
                    numbers.push("…".to_owned());
                }
                let text = numbers.join(", ");
                labels.push(Label { at: along(&course, 0.5 * length(&course)), radius: 0.3, text, colour: VERMILION });
            }
        }
        Ok(labels)
    }
}

impl Drawing<'_> {
    pub fn draw(&self, sheet: &Sheet, body: Rect) -> Result<(), ChartError> {
        let (small, label) = (sheet.style.small(), sheet.style.label());
        let below = if self.by_distance { Plot::below_mm(&small) + 1.3 * label.em_mm() + 0.5 } else { 0.0 };
        let place = Rect { height: body.height - below, ..body };
        let plot = self.plot(place);
        let radii = Radii::new(self, &plot);
        self.draw_edges(sheet, &plot)?;
        self.draw_nodes(sheet, &plot, &radii, |node| !self.is_pale() || !node.visited)?;
        let mut labels = match &self.overlay {
            Overlay::Flows(flows) => flows.draw(sheet, &plot, self, &radii)?,
            _ => Vec::new(),
        };
        if self.is_pale() {
            self.draw_nodes(sheet, &plot, &radii, |node| node.visited)?;
        }
        self.draw_start(sheet, &plot, &radii)?;
        labels.splice(0..0, self.labels(&plot, &radii));
        let visited = self.nodes.iter().enumerate().filter(|(_, node)| node.visited);
        let mut marks: Vec<_> =
            visited.map(|(index, node)| (plot.at(node.x, node.y), radii.of(self, index as u32))).collect();
        if let Overlay::Flows(flows) = &self.overlay
            && !labels.is_empty()
        {
            marks.extend(flows.points(&plot, self).map(|point| (point, 0.2)));
        }
        labels::draw(sheet, place, &labels, &marks)?;
        if self.by_distance { self.draw_axis(sheet, &plot, body) } else { Ok(()) }
    }

    fn draw_edges(&self, sheet: &Sheet, plot: &Plot) -> Result<(), ChartError> {
        let alpha = (15.0 / (self.edges.len() as f64).sqrt()).clamp(0.1, 0.8);
        let alpha = if self.is_pale() { (0.4 * alpha).max(0.05) } else { alpha };
        let mm = plot.place.width / (plot.x.high - plot.x.low);
        let most = f64::from(self.edges.iter().map(|edge| edge.2).max().unwrap_or(1)).sqrt();
        for &(a, b, count) in &self.edges {
            let (a, b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
            // Lines up and down through a layer of discs would be dark bars on which nothing can be read.
            if self.binned && self.is_pale() && self.by_distance && a.distance == b.distance {
                continue;
            }
            let weight = if self.binned { f64::from(count).sqrt() / most } else { 0.0 };
            let course = self.course(plot, a, b, false);
            // Steep lines, which are long, are fainter: all have as much ink, and none of them form dark bars.
            let steep = match (course.first(), course.last()) {
                (Some(from), Some(to)) if self.binned && self.is_pale() && self.by_distance => {
                    (1.5 * mm / (from.0 - to.0).hypot(from.1 - to.1).max(1e-9)).min(1.0)
                }
                _ => 1.0,
            };
            let alpha = (steep * alpha * (1.0 + 2.0 * weight)).min(0.8);
            let alpha = if steep < 1.0 { (100.0 * alpha).ceil() / 100.0 } else { alpha };
            sheet.line(&course, Pen::new(SOFT_INK, 0.35 + 0.5 * weight).alpha(alpha))?;
        }
        Ok(())
    }

    /// The line between two nodes: straight, or bent where it would run through others of its layer. Lines that are
    /// few enough `may_bend` in any graph.
    pub fn course(&self, plot: &Plot, a: &Node, b: &Node, may_bend: bool) -> Vec<(f64, f64)> {
        let (from, to) = (plot.at(a.x, a.y), plot.at(b.x, b.y));
        let apart = ((a.y - b.y).abs() / self.row_spacing).round();
        let bent = self.by_distance && a.distance == b.distance && a.x == b.x && apart > 1.0;
        if !bent || (self.input.distance.len() > MAX_BENT && !may_bend) {
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

    fn draw_nodes(
        &self,
        sheet: &Sheet,
        plot: &Plot,
        radii: &Radii,
        wanted: impl Fn(&Node) -> bool,
    ) -> Result<(), ChartError> {
        let mut order: Vec<u32> = (0..self.nodes.len() as u32).collect();
        order.retain(|&index| wanted(&self.nodes[index as usize]));
        order.sort_by_key(|&index| self.nodes[index as usize].is_goal);
        if let Overlay::Rates(rates) = &self.overlay {
            // Small discs on top of large ones, flagged ones on top of all.
            let rate = |index: u32| &rates.by_node[index as usize];
            let key = |index: u32| (rate(index).n_flagged > 0, std::cmp::Reverse(rate(index).n_visits));
            let errors = |index: u32| rate(index).share().unwrap_or(0.0);
            order.sort_by(|&a, &b| key(a).cmp(&key(b)).then(errors(a).total_cmp(&errors(b))));
        }
        order.into_iter().try_for_each(|index| self.draw_node(sheet, plot, radii, index))
    }

    fn draw_node(&self, sheet: &Sheet, plot: &Plot, radii: &Radii, index: u32) -> Result<(), ChartError> {
        let node = &self.nodes[index as usize];
        let (at, radius) = (plot.at(node.x, node.y), radii.of(self, index));
        let colour = self.colour(index);
        let mark = |colour| if node.is_goal { Mark::Square(colour) } else { Mark::Disc(colour) };
        if !self.is_pale() {
            return sheet.mark(at, radius, mark(colour), if self.binned { 0.85 } else { 1.0 });
        }
        if !node.visited {
            let colour = match self.overlay {
                Overlay::Rates(_) if !node.is_goal => DEAD,
                _ => colour,
            };
            return sheet.mark(at, radius, mark(pale(colour)), 1.0);
        }
        let is_flagged = matches!(&self.overlay, Overlay::Rates(rates) if rates.by_node[index as usize].n_flagged > 0);
        let (rim, around) = if is_flagged { (INK, 0.38) } else { (WHITE, 0.0) };
        match self.overlay {
            // A dark rim tells visited states from others even where their colours are alike.
            Overlay::Flows(_) => sheet.mark(at, radius, mark(INK), 1.0)?,
            _ => {
                sheet.mark(at, radius + around + 0.12, mark(WHITE), 1.0)?;
                sheet.mark(at, radius + around, mark(rim), 1.0)?;
                if is_flagged {
                    sheet.mark(at, radius + 0.12, mark(WHITE), 1.0)?;
                }
            }
        }
        let inner = if matches!(self.overlay, Overlay::Flows(_)) { (radius - 0.13).max(0.7 * radius) } else { radius };
        sheet.mark(at, inner, mark(colour), 1.0)
    }

    /// The full colour of a node.
    fn colour(&self, index: u32) -> RGBColor {
        let node = &self.nodes[index as usize];
        if let Overlay::Rates(rates) = &self.overlay
            && let Some(share) = rates.by_node[index as usize].share()
        {
            return rates.colour(share);
        }
        match (node.distance, self.input.colouring) {
            (None, _) => DEAD,
            _ if node.is_goal => RED,
            (_, Colouring::Blue) => BLUE,
            _ if matches!(self.overlay, Overlay::Rates(_)) => DEAD,
            (Some(distance), Colouring::Distance) => {
                viridis(BRIGHTEST * f64::from(distance) / f64::from(self.farthest.max(1)))
            }
        }
    }

    fn draw_start(&self, sheet: &Sheet, plot: &Plot, radii: &Radii) -> Result<(), ChartError> {
        let Some((index, node)) = self.start.and_then(|start| Some((start, self.nodes.get(start as usize)?))) else {
            return Ok(());
        };
        let radius = match self.overlay {
            Overlay::None => (1.3 * radii.plain).clamp(0.8, 1.5),
            Overlay::Flows(_) => (1.3 * radii.of(self, index)).clamp(0.8, 1.2),
            // Its colour must show around the mark.
            Overlay::Rates(_) => (0.4 * radii.of(self, index)).clamp(0.45, 0.8),
        };
        sheet.mark(plot.at(node.x, node.y), radius, Mark::RimmedDiamond(YELLOW), 1.0)
    }

    /// Letters of flagged states, numbers at the ends of a trajectory.
    fn labels(&self, plot: &Plot, radii: &Radii) -> Vec<Label> {
        let label = |index: u32, text: String| {
            let node = &self.nodes[index as usize];
            let radius = radii.of(self, index).max(if self.start == Some(index) { 1.2 } else { 0.0 });
            Label { at: plot.at(node.x, node.y), radius, text, colour: INK }
        };
        match &self.overlay {
            Overlay::None => Vec::new(),
            Overlay::Flows(flows) => match flows.ends {
                None => Vec::new(),
                Some((first, last, 0)) if first == last => vec![label(first, "0".to_owned())],
                Some((first, last, steps)) if first == last => vec![label(first, format!("0, {steps}"))],
                Some((first, last, steps)) => vec![label(first, "0".to_owned()), label(last, steps.to_string())],
            },
            Overlay::Rates(rates) => {
                let lettered = rates.by_node.iter().enumerate().filter(|(_, rate)| !rate.letters.is_empty());
                lettered.map(|(index, rate)| label(index as u32, rate.letters.clone())).collect()
            }
        }
    }
}

/// The colour on paper that it does not quite cover.
pub(super) fn pale(colour: RGBColor) -> RGBColor {
    let mix = |part: u8| (255.0 - PALENESS * (255.0 - f64::from(part))).round() as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}
