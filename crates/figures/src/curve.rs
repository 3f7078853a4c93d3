//! Curves with bands over a continuous quantity, such as power against the number of participants; as steps, survival
//! curves with censored observations and numbers at risk.

use std::borrow::Cow;

use super::axis::{Axis, Scale, beyond_reach, reach_fault};
use super::panels::Multiples;
use super::series::{MOST_SERIES, SeriesMark, colour_of};
use super::sheet::{INK, Key, Mark, Pen, SOFT_INK, cell, grouped};
use super::{ChartError, Figure, Heading, PlottedData, Reference, Style};

mod lines;
mod risk;

/// One computed point of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Horizontal value, such as the number of participants.
    pub x: f64,
    /// Vertical value, such as the power; the curve has a gap where it is not finite.
    pub y: f64,
    /// Lower and upper end of the band.
    pub band: Option<(f64, f64)>,
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Name for the legend, such as `r = 0.3`.
    pub label: String,
    /// Its points, at rising x. A survival curve starts with a point of its own, such as 1 at the time 0.
    pub points: Vec<Point>,
    /// Where the curve gets a small upright mark, such as the times of censored observations; may be empty.
    pub marks: Vec<f64>,
    /// Number at risk at each time at which someone leaves, by an event or censored, just before it; rising times. It
    /// holds back to the time before; after the last one nobody is at risk. May be empty.
    pub at_risk: Vec<(f64, u64)>,
}

/// The curves of one plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis with its unit.
    pub x_title: String,
    /// Title of the vertical axis with its unit.
    pub y_title: String,
    /// Whether the horizontal axis is logarithmic; points without a place on it are left out and counted.
    pub x_log: bool,
    /// Whether the vertical axis is logarithmic; points without a place on it are left out and counted.
    pub y_log: bool,
    /// Ends of the vertical axis, such as 0 and 1 for a power; absent to fit the points.
    pub y_range: Option<(f64, f64)>,
    /// What the bands are, for the legend, such as `95 % interval`; empty for `band`.
    pub band: String,
    /// Whether a value and its band hold until the next x, as in a curve of survival; else straight lines join the
    /// points.
    pub step: bool,
    /// Whether curves stop at whole numbers that they have no point at, such as a trial that nobody made: where all x are
    /// whole and at least half of the steps between them are 1, no line and no band joins points that are farther apart.
    pub breaks: bool,
    /// What one of [`Curve::marks`] is, such as `censored`; empty for `mark`.
    pub mark: String,
    /// What stands above the rows of [`Curve::at_risk`]; empty for `number at risk`.
    pub at_risk: String,
    /// A value on the vertical axis to compare with, such as a power of 0.8.
    pub reference: Option<Reference>,
    /// The curves, at most 8, in the order of the legend.
    pub curves: Vec<Curve>,
}

/// Draws all curves in one plot, with a mark at each computed point; steps have a few marks that only distinguish them.
/// Numbers at risk stand below the axis, at its labels.
///
/// # Errors
///
/// [`ChartError::Input`] if there are more than 8 curves, the x of a curve or the times of its numbers at risk do not
/// rise, a mark is not finite, a band's ends are not in order, the range or the reference has no place on the axis, or
/// a value is beyond 10¹⁵ (on a logarithmic axis also below 10⁻¹⁵).
pub fn draw(input: &Input, style: &Style) -> Result<Figure, ChartError> {
    check(input, scales(input))?;
    draw_page(input, style, (1, 1), axes(std::slice::from_ref(input)))
}

/// Draws a page for each input, such as one for each group. All pages share both axes.
///
/// # Errors
///
/// As [`draw`], and [`ChartError::Input`] if one axis is logarithmic or of a given range in some inputs only.
pub fn draw_groups(inputs: &[Input], style: &Style) -> Result<Vec<Figure>, ChartError> {
    for input in inputs {
        check(input, scales(input))?;
        let axes = |input: &Input| (input.x_log, input.y_log, input.y_range);
        if axes(input) != axes(&inputs[0]) {
            let rule = "all groups must have the same scales and the same range, for they share their axes";
            let what = format!("{:?} has other axes than the group before it: {rule}", input.heading.subtitle);
            return Err(ChartError::Input { figure: input.heading.name.clone(), what });
        }
    }
    let pages = inputs.iter().enumerate();
    pages.map(|(page, input)| draw_page(input, style, (page + 1, inputs.len()), axes(inputs))).collect()
}

fn scales(input: &Input) -> (Scale, Scale) {
    (scale(input.x_log), scale(input.y_log))
}

/// The points of some inputs that have a place on their axes.
fn shown(inputs: &[Input]) -> impl Iterator<Item = &Point> {
    inputs.iter().flat_map(|input| {
        let (x, y) = scales(input);
        let points = input.curves.iter().flat_map(|curve| &curve.points);
        points.filter(move |point| x.shows(point.x) && y.shows(point.y))
    })
}

/// Axes that show all points of some inputs, of which there is one at least.
fn axes(inputs: &[Input]) -> (Axis, Axis) {
    let first = &inputs[0];
    let whole = shown(inputs).all(|point| point.x.fract() == 0.0);
    let x = Axis::around(&first.x_title, scale(first.x_log), whole, shown(inputs).map(|point| point.x));
    (x, y_axis(inputs))
}

fn draw_page(input: &Input, style: &Style, page: (usize, usize), (x, y): (Axis, Axis)) -> Result<Figure, ChartError> {
    let data = data(input);
    let input = &broken(input);
    let points = || input.curves.iter().flat_map(|curve| &curve.points);
    let drawn = shown(std::slice::from_ref(input)).filter(|point| y.holds(point.y)).count();
    let hidden = points().filter(|point| point.x.is_finite() && point.y.is_finite()).count() - drawn;
    let off = |curve: &Curve| {
        curve.marks.iter().filter(|&&at| lines::place(curve, input.step, (&x, &y), at).is_none()).count()
    };
    let off: usize = input.curves.iter().map(off).sum();
    let mut notes = Vec::new();
    if hidden > 0 {
        notes.push(format!("{} not shown (beyond the axes)", grouped(hidden as u64)));
    }
    if off > 0 {
        notes.push(format!("{} ({}) not shown (no curve there)", grouped(off as u64), mark_name(input)));
    }
    let (heading, keys, reading) = (&input.heading, keys(input), reading(input));
    let multiples = Multiples { heading, style, page, x, y, names: Vec::new(), notes, keys, reading };
    match drawn {
        0 => multiples.draw_empty(data),
        _ => multiples.draw_one_within(data, risk::strips(input, style), |sheet, plot| {
            lines::draw(sheet, plot, input)?;
            risk::draw(sheet, plot, input)
        }),
    }
}

/// The input with a point without a value in each gap, see [`Input::breaks`].
fn broken(input: &Input) -> Cow<'_, Input> {
    let steps = || input.curves.iter().flat_map(|curve| curve.points.windows(2)).map(|pair| pair[1].x - pair[0].x);
    let is_whole = input.curves.iter().flat_map(|curve| &curve.points).all(|point| point.x.fract() == 0.0);
    let is_by_one = is_whole && 2 * steps().filter(|&step| step == 1.0).count() >= steps().count();
    if !(input.breaks && is_by_one) {
        return Cow::Borrowed(input);
    }
    let mut input = input.clone();
    for curve in &mut input.curves {
        let behind = curve.points.iter().skip(1).map(|point| point.x).collect::<Vec<f64>>();
        let gap = |(point, next): (&Point, Option<&f64>)| {
            let is_gap = next.is_some_and(|next| next - point.x > 1.0);
            let missing = Point { x: point.x + 1.0, y: f64::NAN, band: None };
            std::iter::once(*point).chain(is_gap.then_some(missing)).collect::<Vec<Point>>()
        };
        curve.points =
            curve.points.iter().enumerate().flat_map(|(index, point)| gap((point, behind.get(index)))).collect();
    }
    Cow::Owned(input)
}

fn scale(log: bool) -> Scale {
    if log { Scale::Log } else { Scale::Linear }
}

fn y_axis(inputs: &[Input]) -> Axis {
    let (title, scale) = (&inputs[0].y_title, scale(inputs[0].y_log));
    if let Some((low, high)) = inputs[0].y_range {
        return Axis { title: title.clone(), scale, low, high, whole: false };
    }
    let ends = |point: &Point| point.band.into_iter().flat_map(|(low, high)| [low, high]).chain([point.y]);
    let references = inputs.iter().flat_map(|input| &input.reference).map(|line| line.value);
    Axis::around(title, scale, false, shown(inputs).flat_map(ends).chain(references))
}

fn any_band(input: &Input) -> bool {
    input.curves.iter().flat_map(|curve| &curve.points).any(|point| point.band.is_some())
}

fn mark_name(input: &Input) -> &str {
    if input.mark.is_empty() { "mark" } else { &input.mark }
}

fn any_mark(input: &Input) -> bool {
    input.curves.iter().any(|curve| !curve.marks.is_empty())
}

fn keys(input: &Input) -> Vec<Key> {
    let mut keys = Vec::new();
    for (index, curve) in input.curves.iter().enumerate() {
        let mark = Mark::Series(SeriesMark::new(index).joined());
        // A single curve of steps has no marks to be distinguished by.
        let line = Mark::Line(Pen::new(colour_of(index), lines::LINE_PT));
        keys.push(Key::mark(if lines::distinguished_by_marks(input) { mark } else { line }, &curve.label));
    }
    if any_mark(input) {
        keys.push(Key::mark(Mark::Tick(Pen::new(INK, lines::TICK_PT)), mark_name(input)));
    }
    if any_band(input) {
        let label = if input.band.is_empty() { "band" } else { &input.band };
        keys.push(Key::mark(Mark::Field(SOFT_INK, 0.25), label));
    }
    if let Some(line) = &input.reference {
        keys.push(Key::mark(Mark::Dashed(Pen::new(INK, 0.6)), &line.label));
    }
    keys
}

fn reading(input: &Input) -> String {
    let band = match (any_band(input), input.band.is_empty()) {
        (false, _) => String::new(),
        (true, true) => ", with bands".to_owned(),
        (true, false) => format!(", bands are the {}", input.band),
    };
    let line = input.reference.as_ref().map_or(String::new(), |line| format!("; the dashed line is {}", line.label));
    let axes = match (input.x_log, input.y_log) {
        (true, true) => "; both axes are logarithmic",
        (true, false) => "; the horizontal axis is logarithmic",
        (false, true) => "; the vertical axis is logarithmic",
        (false, false) => "",
    };
    let points = match (input.step, lines::distinguished_by_marks(input)) {
        (false, _) => "Marks are computed points, joined by straight lines",
        (true, false) => "The value holds until the next step",
        (true, true) => "Values hold until the next step; marks on the lines only distinguish them",
    };
    let ticks = match any_mark(input) {
        true => format!("; short upright lines: {}", mark_name(input)),
        false => String::new(),
    };
    format!("{points}{band}{ticks}{line}{axes}")
}

fn check(input: &Input, scales: (Scale, Scale)) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: input.heading.name.clone(), what });
    if input.curves.len() > MOST_SERIES {
        let number = input.curves.len();
        return fault(format!("{number} curves, but one figure keeps {MOST_SERIES} apart: draw some in another one"));
    }
    for Curve { label, points, marks, at_risk } in &input.curves {
        if let Some(pair) =
            points.windows(2).find(|pair| pair[0].x.partial_cmp(&pair[1].x) != Some(std::cmp::Ordering::Less))
        {
            let (a, b) = (pair[0].x, pair[1].x);
            return fault(format!("curve {label:?} has the x {a} before {b}: they must rise"));
        }
        if let Some(mark) = marks.iter().find(|mark| !mark.is_finite()) {
            return fault(format!("curve {label:?} has a mark at {mark}: it must be finite"));
        }
        let rises = |pair: &[(f64, u64)]| pair[0].0.is_finite() && pair[1].0.is_finite() && pair[0].0 < pair[1].0;
        if let Some(pair) = at_risk.windows(2).find(|pair| !rises(pair)) {
            let (a, b) = (pair[0].0, pair[1].0);
            return fault(format!("curve {label:?} has numbers at risk at {a} before {b}: these must rise"));
        }
        let wrong = |band: &(f64, f64)| !(band.0.is_finite() && band.1.is_finite() && band.0 <= band.1);
        if let Some((low, high)) = points.iter().filter_map(|point| point.band).find(wrong) {
            return fault(format!("curve {label:?} has a band from {low} to {high}: it must rise and be finite"));
        }
    }
    let points = || input.curves.iter().flat_map(|curve| &curve.points);
    let bands = points().filter_map(|point| point.band).chain(input.y_range).flat_map(|(low, high)| [low, high]);
    let y = points().map(|point| point.y).chain(bands).chain(input.reference.iter().map(|line| line.value));
    let far = beyond_reach(scales.0, points().map(|point| point.x)).or_else(|| beyond_reach(scales.1, y));
    if let Some(value) = far {
        return fault(reach_fault(value));
    }
    let rule = if input.y_log { "positive on a logarithmic axis" } else { "finite" };
    if let Some((low, high)) =
        input.y_range.filter(|(low, high)| !(scales.1.shows(*low) && scales.1.shows(*high) && low < high))
    {
        return fault(format!("the vertical axis goes from {low} to {high}: its ends must rise and be {rule}"));
    }
    if let Some(line) = &input.reference {
        let (label, value) = (&line.label, line.value);
        let beyond = input.y_range.filter(|(low, high)| !(*low..=*high).contains(&value));
        if !scales.1.shows(value) {
            return fault(format!("the reference {label:?} is {value}: it must be {rule}"));
        } else if let Some((low, high)) = beyond {
            return fault(format!("the reference {label:?} is {value}, but the axis goes from {low} to {high}"));
        }
    }
    Ok(())
}

fn data(input: &Input) -> PlottedData {
    let mut data = PlottedData::new(&["kind", "curve", "x", "y", "lower", "upper"]);
    for curve in &input.curves {
        for point in &curve.points {
            let (lower, upper) = point.band.unwrap_or((f64::NAN, f64::NAN));
            let head = ["point".to_owned(), curve.label.clone()];
            data.rows.push(head.into_iter().chain([point.x, point.y, lower, upper].map(cell)).collect());
        }
        let marks = curve.marks.iter().map(|&x| (mark_name(input), x, f64::NAN));
        let at_risk = curve.at_risk.iter().map(|&(x, count)| (risk::title(input), x, count as f64));
        for (kind, x, y) in marks.chain(at_risk) {
            let head = [kind.to_owned(), curve.label.clone()];
            data.rows.push(head.into_iter().chain([x, y, f64::NAN, f64::NAN].map(cell)).collect());
        }
    }
    if let Some(line) = &input.reference {
        let head = ["reference".to_owned(), line.label.clone()];
        data.rows.push(head.into_iter().chain([f64::NAN, line.value, f64::NAN, f64::NAN].map(cell)).collect());
    }
    data
}

#[cfg(test)]
mod tests;
