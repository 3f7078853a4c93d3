//! Moves against time: one point for each trial, with the fitted line.

use std::collections::BTreeMap;

use super::axis::{Axis, Plot, Scale};
use super::chart::{Chart, Page};
use super::key::Key;
use super::label::{Label, note};
use super::message::Message;
use super::panels::{Multiples, PanelHead, is_alone};
use super::sheet::{BLUE, INK, Mark, Number, OKABE_ITO, Pen, Rect, Sheet, cell, viridis};
use super::{ChartError, Heading, PlottedData, Style};
use marginals::Marginals;

mod marginals;

/// Above this number of points in one plot, points become hexagonal bins.
pub const MAX_POINTS: usize = 3_000;

/// One trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Horizontal value, such as the number of moves.
    pub x: f64,
    /// Vertical value, such as the time to solve in seconds.
    pub y: f64,
    /// Index into [`Scatter::groups`]; sets colour and shape.
    pub group: Option<usize>,
}

/// A fitted line at rising values of x. Both vectors have the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fit {
    /// Values of x at which the line was evaluated.
    pub x: Vec<f64>,
    /// The fitted values.
    pub y: Vec<f64>,
}

/// Meaning of the two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Axes {
    /// Title of the horizontal axis with its unit.
    pub x_title: Label,
    /// Title of the vertical axis with its unit.
    pub y_title: Label,
    /// `true` if both axes are logarithmic; values that are not positive are then left out, and the
    /// figure says how many.
    pub log: bool,
    /// Noun for what one point stands for, such as `trial`.
    pub point: String,
}

impl Default for Axes {
    fn default() -> Self {
        Self {
            x_title: Message::Moves.into(),
            y_title: Message::TimeToSolve.into(),
            log: true,
            point: "trial".to_owned(),
        }
    }
}

/// One panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Name and statistic.
    pub head: PanelHead,
    /// The trials.
    pub points: Vec<Point>,
    /// The fitted line, where there is one.
    pub fit: Option<Fit>,
}

/// Trials in one plot or many, on shared axes and as many pages as they need; a single panel without a title fills the
/// figure.
///
/// The vectors of a fit must have the same length, and groups must exist.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    /// Name, title, subtitle (n, coefficient, interval).
    pub heading: Heading,
    /// Meaning of the axes.
    pub axes: Axes,
    /// Names of the groups that points refer to; may be empty.
    pub groups: Vec<Label>,
    /// `true` if histograms of the shown points stand above (horizontal values) and right of the plot (vertical ones),
    /// where a single panel fills the figure.
    pub marginals: bool,
    /// Meaning of the lines of panels, for the legend; empty for `fit`.
    pub line: Label,
    /// The panels, in the order in which they are drawn.
    pub panels: Vec<Panel>,
}

impl Chart for Scatter {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        let groups = self.groups.len();
        for Panel { fit, points, .. } in &self.panels {
            if let Some(fit) = fit {
                let lengths = [fit.x.len(), fit.y.len()];
                if lengths[0] != lengths[1] {
                    return Err(format!("x and y of the fit have {lengths:?} values: give as many of each"));
                }
            }
            if let Some(group) = points.iter().filter_map(|point| point.group).find(|&group| group >= groups) {
                return Err(format!("a point is of group {group}, but there are {groups} groups"));
            }
        }
        Ok(())
    }

    fn keys(&self, style: &Style) -> Vec<Key> {
        let mut keys = Vec::new();
        if self.is_binned() {
            let (low, high) = (Number::count(1), Number::count(self.hexagons(style).fullest as u64));
            let title = Label::Given(format!("{}s in a hexagon (log)", self.axes.point));
            keys.push(Key::Ramp { title, low, high, from: 0.0, to: 1.0 });
        } else if self.groups.is_empty() {
            keys.push(Key::Mark(Mark::Disc(BLUE), Label::Given(format!("one {}", self.axes.point))));
        } else {
            keys.extend(self.groups.iter().enumerate().map(|(group, name)| Key::mark(mark(Some(group)), name)));
        }
        if self.fits().next().is_some() {
            keys.push(Key::mark(Mark::Line(Pen::new(INK, 1.0)), Label::given_or(&self.line, Message::Fit)));
        }
        keys
    }

    fn notes(&self) -> Vec<Label> {
        let all = self.panels.iter().map(|panel| panel.points.len()).sum::<usize>();
        let reason = if self.axes.log { Message::NotShownMissingOrNotPositive } else { Message::NotShownMissing };
        note(all - self.shown().count(), reason, reason).into_iter().collect()
    }

    fn reading(&self) -> String {
        let point = &self.axes.point;
        let what = match self.is_binned() {
            true => format!("Hexagons count {point}s"),
            false => format!("Each point is one {point}"),
        };
        let axes = if self.axes.log { "both axes are logarithmic" } else { "both axes are linear" };
        let marginals = self.marginals().map_or(String::new(), |marginals| marginals.reading(point));
        format!("{what}; {axes}{marginals}")
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        if self.shown().next().is_none() {
            return Ok(vec![Page::empty(self.data(&self.panels))]);
        }
        let ((x, y), hexagons) = (self.plot_axes(), self.hexagons(style));
        let multiples = Multiples::new(style, x, y, self.panels.iter().map(|panel| panel.head.clone()));
        let Some(marginals) = self.marginals() else {
            let draw =
                move |sheet: &Sheet, plot: &Plot, panel: usize| draw_panel(sheet, plot, &self.panels[panel], &hexagons);
            return multiples.pages(room_mm, |range| self.data(&self.panels[range]), draw);
        };
        let mut data = self.data(&self.panels);
        data.rows.extend(marginals.rows());
        let draw = move |sheet: &Sheet, plot: &Plot| {
            marginals.draw(sheet, plot)?;
            draw_panel(sheet, plot, &self.panels[0], &hexagons)
        };
        Ok(vec![multiples.page(data, marginals::strips(style), draw)])
    }
}

impl Scatter {
    fn is_alone(&self) -> bool {
        is_alone(self.panels.iter().map(|panel| &panel.head))
    }

    /// The points that have a place on the axes.
    fn shown(&self) -> impl Iterator<Item = &Point> {
        let scale = Scale::new(self.axes.log);
        let points = self.panels.iter().flat_map(|panel| &panel.points);
        points.filter(move |point| scale.shows(point.x) && scale.shows(point.y))
    }

    fn fits(&self) -> impl Iterator<Item = &Fit> {
        self.panels.iter().filter_map(|panel| panel.fit.as_ref())
    }

    fn plot_axes(&self) -> (Axis, Axis) {
        let scale = Scale::new(self.axes.log);
        let is_whole = self.shown().all(|point| point.x.fract() == 0.0);
        let x_values = self.shown().map(|point| point.x).chain(self.fits().flat_map(|fit| fit.x.iter().copied()));
        let y_values = self.shown().map(|point| point.y).chain(self.fits().flat_map(|fit| fit.y.iter().copied()));
        let x = Axis::around(&self.axes.x_title, scale, is_whole, x_values);
        (x, Axis::around(&self.axes.y_title, scale, false, y_values))
    }

    fn is_binned(&self) -> bool {
        self.panels.iter().any(|panel| panel.points.len() > MAX_POINTS)
    }

    fn hexagons(&self, style: &Style) -> Hexagons {
        let radius_mm = if self.panels.len() > 1 { 0.7 } else { 1.2 };
        // The fullest bin of any panel, at the size that a single plot about has.
        let place = Rect { left: 0.0, top: 0.0, width: style.width_mm * 0.8, height: 60.0 };
        let (x, y) = self.plot_axes();
        let plot = Plot { place, x, y };
        let binned = self.panels.iter().filter(|panel| panel.points.len() > MAX_POINTS);
        let fullest = |panel: &Panel| bins(&plot, &panel.points, radius_mm).into_values().max();
        Hexagons { radius_mm, fullest: binned.filter_map(fullest).max().unwrap_or(1) }
    }

    /// The histograms, where they are wanted and have room.
    fn marginals(&self) -> Option<Marginals> {
        let (x, y) = self.plot_axes();
        let has_any = self.marginals && self.is_alone() && self.shown().next().is_some();
        has_any.then(|| Marginals::new(&x, &y, self.panels[0].points.iter().map(|point| (point.x, point.y))))
    }

    fn data(&self, panels: &[Panel]) -> PlottedData {
        let (columns, head_cells) = if self.is_alone() { ("", 0) } else { ("level,statistic,", 2) };
        let mut data = PlottedData::new(&format!("{columns}kind,x,y,lower,upper,group"));
        for Panel { head, points, fit } in panels {
            let head = [head.title.clone(), head.statistic.clone()].into_iter().take(head_cells);
            let mut push = |cells: [String; 6]| data.rows.push(head.clone().chain(cells).collect());
            for point in points {
                let group =
                    point.group.and_then(|group| self.groups.get(group)).map(Label::english).unwrap_or_default();
                push([self.axes.point.clone(), cell(point.x), cell(point.y), String::new(), String::new(), group]);
            }
            for (fit, index) in fit.iter().flat_map(|fit| (0..fit.x.len()).map(move |index| (fit, index))) {
                let [x, y] = [&fit.x, &fit.y].map(|values| cell(values[index]));
                push(["fit".to_owned(), x, y, String::new(), String::new(), String::new()]);
            }
        }
        data
    }
}

/// Binning of points: the radius of a hexagon and the count that is drawn brightest.
struct Hexagons {
    radius_mm: f64,
    fullest: usize,
}

fn mark(group: Option<usize>) -> Mark {
    let Some(group) = group else {
        return Mark::Disc(BLUE);
    };
    let colour = OKABE_ITO[group % OKABE_ITO.len()];
    match group % 5 {
        0 => Mark::Disc(colour),
        1 => Mark::Triangle(colour),
        2 => Mark::Square(colour),
        3 => Mark::Diamond(colour),
        _ => Mark::Cross(colour),
    }
}

fn draw_panel(sheet: &Sheet, plot: &Plot, panel: &Panel, hexagons: &Hexagons) -> Result<(), ChartError> {
    let shown: Vec<&Point> = panel.points.iter().filter(|point| plot.holds(point.x, point.y)).collect();
    if shown.is_empty() {
        return sheet.no_data(plot.place, &Label::none());
    }
    if panel.points.len() > MAX_POINTS {
        draw_bins(sheet, plot, panel, hexagons)?;
    } else {
        let (radius, alpha) = match shown.len() {
            0..=60 => (0.6, 0.7),
            61..=500 => (0.5, 0.5),
            _ => (0.4, 0.3),
        };
        let smaller = if plot.place.width < 40.0 { 0.8 } else { 1.0 };
        for point in shown {
            sheet.mark(plot.at(point.x, point.y), radius * smaller, mark(point.group), alpha)?;
        }
    }
    panel.fit.as_ref().map_or(Ok(()), |fit| draw_fit(sheet, plot, fit))
}

fn draw_fit(sheet: &Sheet, plot: &Plot, fit: &Fit) -> Result<(), ChartError> {
    let line: Vec<(f64, f64)> = fit.x.iter().copied().zip(fit.y.iter().copied()).collect();
    for piece in plot.clipped(&line) {
        sheet.line(&piece, Pen::new(INK, 1.0))?;
    }
    Ok(())
}

/// Points counted in hexagons with a corner on top; keys are axial coordinates.
fn bins(plot: &Plot, points: &[Point], radius: f64) -> BTreeMap<(i64, i64), usize> {
    let mut counts = BTreeMap::new();
    for point in points.iter().filter(|point| plot.holds(point.x, point.y)) {
        let (x, y) = plot.at(point.x, point.y);
        let (x, y) = ((x - plot.place.left) / radius, (y - plot.place.top) / radius);
        let (q, r) = (x / 3_f64.sqrt() - y / 3.0, 2.0 / 3.0 * y);
        // The nearest centre: round all three cube coordinates, correct the one that erred most.
        let s = -q - r;
        let (mut round_q, mut round_r, round_s) = (q.round(), r.round(), s.round());
        let errors = ((round_q - q).abs(), (round_r - r).abs(), (round_s - s).abs());
        if errors.0 > errors.1 && errors.0 > errors.2 {
            round_q = -round_r - round_s;
        } else if errors.1 > errors.2 {
            round_r = -round_q - round_s;
        }
        *counts.entry((round_q as i64, round_r as i64)).or_insert(0) += 1;
    }
    counts
}

fn draw_bins(sheet: &Sheet, plot: &Plot, panel: &Panel, hexagons: &Hexagons) -> Result<(), ChartError> {
    let radius = hexagons.radius_mm;
    // Logarithms, so that bins of few points still differ beside very full ones.
    let fullest = (hexagons.fullest as f64).ln().max(1e-9);
    for ((q, r), count) in bins(plot, &panel.points, radius) {
        let x = plot.place.left + radius * 3_f64.sqrt() * (q as f64 + r as f64 / 2.0);
        let y = plot.place.top + radius * 1.5 * r as f64;
        let corner = |turn: i32| {
            let angle = std::f64::consts::PI * (f64::from(turn) / 3.0 + 1.0 / 6.0);
            (x + radius * angle.cos(), y + radius * angle.sin())
        };
        let share = ((count as f64).ln() / fullest).min(1.0);
        sheet.fill(&[0, 1, 2, 3, 4, 5].map(corner), viridis(share), 1.0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
