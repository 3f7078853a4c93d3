//! Moves against time: one point for each trial, with the fitted line and its band.

use std::collections::BTreeMap;

use super::axis::{Axis, Plot, Scale};
use super::panels::{Multiples, PanelHead};
use super::sheet::{BLUE, INK, Key, Mark, Number, OKABE_ITO, Pen, Sheet, cell, grouped, viridis};
use super::{ChartError, Figure, Heading, PlottedData, Style};
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
    /// Index into [`Input::groups`]; sets colour and shape.
    pub group: Option<usize>,
}

/// A fitted line with its band, at rising values of x. All vectors have the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fit {
    /// Where the line was evaluated.
    pub x: Vec<f64>,
    /// The fitted values.
    pub y: Vec<f64>,
    /// Lower end of the band.
    pub lower: Vec<f64>,
    /// Upper end of the band.
    pub upper: Vec<f64>,
    /// Level of the band for the legend, such as `95 %`; may be empty.
    pub confidence: String,
}

/// What the two axes mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Axes {
    /// Title of the horizontal axis with its unit.
    pub x_title: String,
    /// Title of the vertical axis with its unit.
    pub y_title: String,
    /// Whether both axes are logarithmic; values that are not positive are then left out, and the
    /// figure says how many.
    pub log: bool,
    /// What one point stands for, such as `trial`.
    pub point: String,
}

impl Default for Axes {
    fn default() -> Self {
        Self {
            x_title: "moves".to_owned(),
            y_title: "time to solve (s)".to_owned(),
            log: true,
            point: "trial".to_owned(),
        }
    }
}

/// One plot over all trials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle (n, coefficient, interval).
    pub heading: Heading,
    /// What the axes mean.
    pub axes: Axes,
    /// The trials.
    pub points: Vec<Point>,
    /// Names of the groups that points refer to; may be empty.
    pub groups: Vec<String>,
    /// The fitted line, where there is one.
    pub fit: Option<Fit>,
    /// Whether histograms of the shown points stand above (horizontal values) and right of the plot (vertical ones).
    pub marginals: bool,
}

/// One level of a figure with small multiples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Name and statistic.
    pub head: PanelHead,
    /// The trials.
    pub points: Vec<Point>,
    /// The fitted line, where there is one.
    pub fit: Option<Fit>,
}

/// One plot for each level, on shared axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelsInput {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// What the axes mean.
    pub axes: Axes,
    /// Names of the groups that points refer to; may be empty.
    pub groups: Vec<String>,
    /// The levels, in the order in which they are drawn.
    pub levels: Vec<Level>,
}

/// Draws all trials in one plot.
///
/// # Errors
///
/// [`ChartError::Input`] if the vectors of the fit differ in length or a group does not exist.
pub fn draw(input: &Input, style: &Style) -> Result<Figure, ChartError> {
    let level = Level { head: PanelHead::default(), points: input.points.clone(), fit: input.fit.clone() };
    let levels = std::slice::from_ref(&level);
    let (mut multiples, hexagons) = prepared(&input.heading, &input.axes, &input.groups, levels, style)?;
    let mut data = data(&input.axes, &input.groups, levels, false);
    if !multiples.shows_any(levels) {
        return multiples.draw_empty(data);
    }
    if !input.marginals {
        return multiples.draw_one(data, |sheet, plot| draw_level(sheet, plot, &level, &hexagons));
    }
    let marginals = Marginals::new(&multiples.x, &multiples.y, &input.points);
    multiples.reading.push_str(&marginals.reading(&input.axes.point));
    data.rows.extend(marginals.rows());
    multiples.draw_one_within(data, marginals::strips(style), |sheet, plot| {
        marginals.draw(sheet, plot)?;
        draw_level(sheet, plot, &level, &hexagons)
    })
}

/// Draws one plot for each level, on as many pages as they need.
///
/// # Errors
///
/// [`ChartError::Input`] if the vectors of a fit differ in length or a group does not exist.
pub fn draw_levels(input: &LevelsInput, style: &Style) -> Result<Vec<Figure>, ChartError> {
    let (multiples, hexagons) = prepared(&input.heading, &input.axes, &input.groups, &input.levels, style)?;
    if !multiples.shows_any(&input.levels) {
        return Ok(vec![multiples.draw_empty(data(&input.axes, &input.groups, &input.levels, true))?]);
    }
    let heads: Vec<PanelHead> = input.levels.iter().map(|level| level.head.clone()).collect();
    multiples.draw_pages(
        &heads,
        |range| data(&input.axes, &input.groups, &input.levels[range], true),
        |sheet, plot, panel| draw_level(sheet, plot, &input.levels[panel], &hexagons),
    )
}

/// How points are binned: the radius of a hexagon and the count that is drawn brightest.
struct Hexagons {
    radius_mm: f64,
    fullest: usize,
}

fn prepared<'a>(
    heading: &'a Heading,
    axes: &Axes,
    groups: &[String],
    levels: &[Level],
    style: &'a Style,
) -> Result<(Multiples<'a>, Hexagons), ChartError> {
    check(heading, groups, levels)?;
    let scale = if axes.log { Scale::Log } else { Scale::Linear };
    let shown = |point: &&Point| scale.shows(point.x) && scale.shows(point.y);
    let points = || levels.iter().flat_map(|level| &level.points).filter(shown);
    let fits = || levels.iter().filter_map(|level| level.fit.as_ref());
    let x_values = points().map(|point| point.x).chain(fits().flat_map(|fit| fit.x.iter().copied()));
    let is_whole = points().all(|point| point.x.fract() == 0.0);
    let x = Axis::around(&axes.x_title, scale, is_whole, x_values);
    let y_values = points().map(|point| point.y).chain(fits().flat_map(|fit| fit.y.iter().copied()));
    let y = Axis::around(&axes.y_title, scale, false, y_values);
    let hidden = levels.iter().map(|level| level.points.len()).sum::<usize>() - points().count();
    let binned = levels.iter().any(|level| level.points.len() > MAX_POINTS);
    let mut notes = Vec::new();
    if hidden > 0 {
        let reason = if axes.log { "missing or not positive" } else { "missing" };
        notes.push(format!("{} not shown ({reason})", grouped(hidden as u64)));
    }
    let mut keys = Vec::new();
    let mut hexagons = Hexagons { radius_mm: if levels.len() > 1 { 0.7 } else { 1.2 }, fullest: 1 };
    if binned {
        // The fullest bin of any panel, at the size that a single plot about has.
        let place = super::sheet::Rect { left: 0.0, top: 0.0, width: style.width.mm() * 0.8, height: 60.0 };
        let plot = Plot { place, x: x.clone(), y: y.clone() };
        for level in levels.iter().filter(|level| level.points.len() > MAX_POINTS) {
            let counts = bins(&plot, &level.points, hexagons.radius_mm);
            hexagons.fullest = hexagons.fullest.max(counts.values().copied().max().unwrap_or(1));
        }
        let (low, high) = (Number::count(1), Number::count(hexagons.fullest as u64));
        keys.push(Key::Ramp { title: format!("{}s in a hexagon (log)", axes.point), low, high, from: 0.0, to: 1.0 });
    } else if groups.is_empty() {
        keys.push(Key::Mark(Mark::Disc(BLUE), format!("one {}", axes.point)));
    } else {
        keys.extend(groups.iter().enumerate().map(|(group, name)| Key::Mark(mark(Some(group)), name.clone())));
    }
    if let Some(fit) = fits().next() {
        keys.push(Key::Mark(Mark::Line(Pen::new(INK, 1.0)), "fit".to_owned()));
        keys.push(Key::Mark(
            Mark::Field(INK, 0.2),
            format!("{} interval of the fit", fit.confidence).trim_start().to_owned(),
        ));
    }
    let point = &axes.point;
    let what = if binned { format!("Hexagons count {point}s") } else { format!("Each point is one {point}") };
    let axes_text = if axes.log { "both axes are logarithmic" } else { "both axes are linear" };
    let reading = format!("{what}; {axes_text}");
    Ok((Multiples { heading, style, page: (1, 1), x, y, names: Vec::new(), notes, keys, reading }, hexagons))
}

impl Multiples<'_> {
    fn shows_any(&self, levels: &[Level]) -> bool {
        levels.iter().flat_map(|level| &level.points).any(|p| self.x.holds(p.x) && self.y.holds(p.y))
    }
}

fn check(heading: &Heading, groups: &[String], levels: &[Level]) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: heading.name.clone(), what });
    for level in levels {
        if let Some(fit) = &level.fit {
            let lengths = [fit.x.len(), fit.y.len(), fit.lower.len(), fit.upper.len()];
            if lengths.iter().any(|&length| length != fit.x.len()) {
                return fault(format!(
                    "x, y, lower and upper of the fit have {lengths:?} values: give as many of each"
                ));
            }
        }
        if let Some(group) = level.points.iter().filter_map(|point| point.group).find(|&group| group >= groups.len()) {
            return fault(format!("a point is of group {group}, but there are {} groups", groups.len()));
        }
    }
    Ok(())
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

fn draw_level(sheet: &Sheet, plot: &Plot, level: &Level, hexagons: &Hexagons) -> Result<(), ChartError> {
    let shown: Vec<&Point> = level.points.iter().filter(|point| plot.holds(point.x, point.y)).collect();
    if shown.is_empty() {
        return sheet.no_data(plot.place, "");
    }
    if level.points.len() > MAX_POINTS {
        draw_bins(sheet, plot, level, hexagons)?;
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
    level.fit.as_ref().map_or(Ok(()), |fit| draw_fit(sheet, plot, fit))
}

fn draw_fit(sheet: &Sheet, plot: &Plot, fit: &Fit) -> Result<(), ChartError> {
    let band = |values: &[f64]| -> Vec<(f64, f64)> {
        let inside = fit.x.iter().zip(values).filter(|(x, y)| plot.x.holds(**x) && plot.y.scale.shows(**y));
        inside.map(|(&x, &y)| plot.at(x, y.clamp(plot.y.low, plot.y.high))).collect()
    };
    let mut field = band(&fit.lower);
    field.extend(band(&fit.upper).into_iter().rev());
    if field.len() > 2 {
        sheet.fill(&field, INK, 0.2)?;
    }
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

fn draw_bins(sheet: &Sheet, plot: &Plot, level: &Level, hexagons: &Hexagons) -> Result<(), ChartError> {
    let radius = hexagons.radius_mm;
    let fullest = (hexagons.fullest as f64).ln().max(1e-9);
    for ((q, r), count) in bins(plot, &level.points, radius) {
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

fn data(axes: &Axes, groups: &[String], levels: &[Level], by_level: bool) -> PlottedData {
    let header: &[&str] = match by_level {
        true => &["level", "statistic", "kind", "x", "y", "lower", "upper", "group"],
        false => &["kind", "x", "y", "lower", "upper", "group"],
    };
    let mut data = PlottedData::new(header);
    for level in levels {
        let head = if by_level { vec![level.head.title.clone(), level.head.statistic.clone()] } else { Vec::new() };
        let mut push = |cells: [String; 6]| data.rows.push(head.iter().cloned().chain(cells).collect());
        for point in &level.points {
            let group = point.group.and_then(|group| groups.get(group)).cloned().unwrap_or_default();
            push([axes.point.clone(), cell(point.x), cell(point.y), String::new(), String::new(), group]);
        }
        if let Some(fit) = &level.fit {
            for index in 0..fit.x.len() {
                let numbers = [fit.x[index], fit.y[index], fit.lower[index], fit.upper[index]].map(cell);
                let [x, y, lower, upper] = numbers;
                push(["fit".to_owned(), x, y, lower, upper, String::new()]);
            }
        }
    }
    data
}

#[cfg(test)]
mod tests;
