//! One value for each level and series, such as the expanded nodes of each search algorithm on each level.

use super::axis::{Axis, Plot, Scale, TICK_MM, beyond_reach, reach_fault};
use super::names::LevelNames;
use super::series::{LINE_PT, MOST_SERIES, SeriesMark};
use super::sheet::{Draft, INK, Key, MARGIN, Mark, PALE, Pen, Rect, SOFT_INK, Sheet, cell, grouped};
use super::{ChartError, Figure, Heading, PlottedData, Style};

/// The most levels on one page.
pub const LEVELS_PER_PAGE: usize = 70;

/// What was found for one level in one series.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Value {
    /// Nothing is known; the line has a gap.
    #[default]
    Missing,
    /// The value, in the unit of the axis. One that is not finite counts as missing.
    Found(f64),
    /// The work was stopped at this limit, in the unit of the axis: the value is not below it.
    Cut(f64),
}

/// One series, such as an algorithm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Name for the legend.
    pub label: String,
    /// One value for each level, in the order of [`Input::levels`].
    pub values: Vec<Value>,
}

/// Values by level and series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis; empty for `level`.
    pub x_title: String,
    /// Title of the vertical axis with its unit, such as `time (ms)`.
    pub y_title: String,
    /// Whether the vertical axis is logarithmic. Values that are not positive are then left out, and the figure
    /// says how many.
    pub log: bool,
    /// Names of the levels, from left to right.
    pub levels: Vec<String>,
    /// The series, at most 8, in the order of the legend.
    pub series: Vec<Series>,
}

/// Draws all series in one plot, on a page for each 70 levels. All pages share the vertical axis.
///
/// # Errors
///
/// [`ChartError::Input`] if there are more than 8 series, a series has not one value for each level, a limit has
/// no place on the axis, or a value is beyond 10¹⁵ (on a logarithmic axis also below 10⁻¹⁵).
pub fn draw(input: &Input, style: &Style) -> Result<Vec<Figure>, ChartError> {
    let scale = if input.log { Scale::Log } else { Scale::Linear };
    check(input, scale)?;
    let keys = keys(input);
    let notes = notes(input, scale);
    let draft = |page: (usize, usize), levels: std::ops::Range<usize>, thinned: bool| Draft {
        heading: &input.heading,
        style,
        page,
        notes: notes.clone(),
        keys: keys.clone(),
        reading: reading(input, thinned),
        data: data(input, levels),
    };
    let shown: Vec<f64> = places(input).filter(|&value| scale.shows(value)).collect();
    if shown.is_empty() {
        return Ok(vec![draft((1, 1), 0..input.levels.len(), false).draw_empty()?]);
    }
    let whole = shown.iter().all(|value| value.fract() == 0.0);
    let y = Axis::around(&input.y_title, scale, whole, shown.into_iter());
    let pages = input.levels.len().div_ceil(LEVELS_PER_PAGE);
    let room = draft((99, 99), 0..0, true).max_body_mm()?;
    let page_of = |page: usize| {
        // Pages of equal length, as in small multiples.
        let levels = (page * input.levels.len() / pages)..((page + 1) * input.levels.len() / pages);
        let layout = Layout::new(input, levels.clone(), style, &y, room)?;
        let body_mm = layout.above_mm + layout.height_mm + layout.below_mm;
        draft((page + 1, pages), levels, layout.names.thinned)
            .draw(body_mm, |sheet, body| draw_page(sheet, body, input, &y, &layout))
    };
    (0..pages).map(page_of).collect()
}

/// All places on the vertical axis that values ask for.
fn places(input: &Input) -> impl Iterator<Item = f64> {
    input.series.iter().flat_map(|series| &series.values).filter_map(|value| value.place())
}

impl Value {
    /// Where it is drawn.
    fn place(self) -> Option<f64> {
        match self {
            Self::Missing => None,
            Self::Found(value) | Self::Cut(value) => Some(value).filter(|value| value.is_finite()),
        }
    }
}

fn any_cut(input: &Input) -> bool {
    input.series.iter().flat_map(|series| &series.values).any(|value| matches!(value, Value::Cut(_)))
}

fn keys(input: &Input) -> Vec<Key> {
    let marks = input.series.iter().enumerate();
    let mut keys = marks
        .map(|(index, series)| Key::mark(Mark::Series(SeriesMark::new(index).joined()), &series.label))
        .collect::<Vec<_>>();
    if any_cut(input) {
        keys.push(Key::Mark(Mark::Series(SeriesMark::any_open()), "cut at the limit".to_owned()));
    }
    keys
}

fn notes(input: &Input, scale: Scale) -> Vec<String> {
    let hidden = places(input).filter(|&value| !scale.shows(value)).count();
    match hidden {
        0 => Vec::new(),
        _ => vec![format!("{} not shown (not positive)", grouped(hidden as u64))],
    }
}

fn reading(input: &Input, thinned: bool) -> String {
    let axis = if input.log { "logarithmic" } else { "linear" };
    let cut = match any_cut(input) {
        true => "; an open mark stands at the limit where the work was stopped, dashed lines lead to it",
        false => "",
    };
    let names = if thinned { "; each tick is a level, not every level is named" } else { "" };
    format!(
        "Each mark is one level of one series, the series stand side by side, lines break where a value is missing; \
         the vertical axis is {axis}{cut}{names}"
    )
}

fn check(input: &Input, scale: Scale) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: input.heading.name.clone(), what });
    if input.series.len() > MOST_SERIES {
        let number = input.series.len();
        return fault(format!("{number} series, but one figure keeps {MOST_SERIES} apart: draw some in another one"));
    }
    for series in &input.series {
        let (values, levels) = (series.values.len(), input.levels.len());
        if values != levels {
            return fault(format!(
                "series {:?} has {values} values for {levels} levels: give one for each",
                series.label
            ));
        }
        for (value, level) in series.values.iter().zip(&input.levels) {
            if let Value::Cut(limit) = value
                && !scale.shows(*limit)
            {
                let rule = if input.log { "positive on a logarithmic axis" } else { "a finite number" };
                return fault(format!(
                    "series {:?} has the limit {limit} at level {level:?}: it must be {rule}",
                    series.label
                ));
            }
        }
    }
    beyond_reach(scale, places(input)).map_or(Ok(()), |value| fault(reach_fault(value)))
}

/// What stands where on a page; lengths in millimetres.
struct Layout {
    /// The levels of the page.
    levels: std::ops::Range<usize>,
    names: LevelNames,
    left_mm: f64,
    above_mm: f64,
    height_mm: f64,
    below_mm: f64,
    pitch_mm: f64,
}

impl Layout {
    fn new(
        input: &Input,
        levels: std::ops::Range<usize>,
        style: &Style,
        y: &Axis,
        room_mm: f64,
    ) -> Result<Self, ChartError> {
        let (small, label) = (style.small(), style.label());
        let above_mm = 0.5 * small.em_mm();
        let (titles, most) = (TICK_MM + 0.8 + 1.4 * label.em_mm(), (0.25 * style.width.mm()).min(25.0));
        let height_mm = (0.58 * style.width.mm()).min(75.0).min(room_mm - above_mm - titles - most).max(10.0);
        let left_mm = Plot::left_mm(y, height_mm, &small)? + 1.3 * label.em_mm();
        let pitch_mm = (style.width.mm() - 2.0 * MARGIN - left_mm) / levels.len() as f64;
        let names = LevelNames::new(&input.levels[levels.clone()], pitch_mm, &small, most)?;
        let below_mm = titles + names.depth_mm;
        Ok(Self { levels, names, left_mm, above_mm, height_mm, below_mm, pitch_mm })
    }

    /// How far right of the middle of its level a series stands: neighbours keep marks of equal values apart.
    fn shift_mm(&self, series: usize, of: usize) -> f64 {
        let step = (0.65 * self.pitch_mm / of as f64).min(2.2);
        (series as f64 - (of as f64 - 1.0) / 2.0) * step
    }

    /// Radius of a mark: smaller where they stand close.
    fn radius_mm(&self) -> f64 {
        (0.3 * self.pitch_mm).clamp(0.45, 0.8)
    }
}

fn draw_page(sheet: &Sheet, body: Rect, input: &Input, y: &Axis, layout: &Layout) -> Result<(), ChartError> {
    let left = body.left + layout.left_mm;
    let place = Rect { left, top: body.top + layout.above_mm, width: body.right() - left, height: layout.height_mm };
    let x = Axis::fixed("", 0.0, layout.levels.len() as f64, true);
    let plot = Plot { place, x, y: y.clone() };
    draw_guides(sheet, &plot, input)?;
    for (index, series) in input.series.iter().enumerate() {
        let points = points(&plot, layout, series, layout.shift_mm(index, input.series.len()));
        draw_lines(sheet, &points, index)?;
    }
    for (index, series) in input.series.iter().enumerate() {
        let mark = SeriesMark::new(index);
        for (at, cut) in points(&plot, layout, series, layout.shift_mm(index, input.series.len())).into_iter().flatten()
        {
            sheet.mark(at, layout.radius_mm(), Mark::Series(if cut { mark.open() } else { mark }), 1.0)?;
        }
    }
    plot.draw_frame(sheet)?;
    plot.draw_y_ticks(sheet, true)?;
    layout.names.draw(sheet, place, layout.pitch_mm)?;
    let kind = sheet.style.label().colour(SOFT_INK).centre();
    let title = if input.x_title.is_empty() { "level" } else { &input.x_title };
    let (x, y) = place.centre();
    sheet.text(x, body.bottom() - 0.25 * kind.em_mm(), &kind.cut(title, place.width)?, kind)?;
    let title = kind.cut(&input.y_title, place.height + 4.0)?;
    sheet.text(body.left + 0.78 * kind.em_mm(), y, &title, kind.upwards())
}

/// Pale lines at the labelled values, and a dashed line at a limit that all series share.
fn draw_guides(sheet: &Sheet, plot: &Plot, input: &Input) -> Result<(), ChartError> {
    let (left, right) = (plot.place.left, plot.place.right());
    for (value, _) in plot.y.ticks(plot.place.height, &sheet.style.small(), true)? {
        let y = plot.at(0.0, value).1;
        sheet.line(&[(left, y), (right, y)], Pen::new(PALE, 0.3))?;
    }
    let cuts = input.series.iter().flat_map(|series| &series.values).filter_map(|value| match value {
        Value::Cut(limit) => Some(*limit),
        _ => None,
    });
    let mut limits: Vec<f64> = cuts.collect();
    limits.sort_by(f64::total_cmp);
    limits.dedup();
    if let [limit] = limits[..] {
        let y = plot.at(0.0, limit).1;
        sheet.dashed(&[(left, y), (right, y)], Pen::new(INK, 0.3))?;
    }
    Ok(())
}

/// A mark's place, and whether its value was cut; absent where there is no value.
type Point = Option<((f64, f64), bool)>;

/// The marks of a series on the levels of the page.
fn points(plot: &Plot, layout: &Layout, series: &Series, shift_mm: f64) -> Vec<Point> {
    let values = series.values[layout.levels.clone()].iter().enumerate();
    let point = |(level, value): (usize, &Value)| {
        let place = value.place().filter(|&place| plot.y.holds(place))?;
        let (x, y) = plot.at(level as f64 + 0.5, place);
        Some(((x + shift_mm, y), matches!(value, Value::Cut(_))))
    };
    values.map(point).collect()
}

fn draw_lines(sheet: &Sheet, points: &[Point], index: usize) -> Result<(), ChartError> {
    let pen = Pen::new(SeriesMark::new(index).colour, LINE_PT).alpha(0.8);
    for pair in points.windows(2) {
        if let [Some((from, from_cut)), Some((to, to_cut))] = *pair {
            match from_cut || to_cut {
                true => sheet.dashed(&[from, to], pen)?,
                false => sheet.line(&[from, to], pen)?,
            }
        }
    }
    Ok(())
}

fn data(input: &Input, levels: std::ops::Range<usize>) -> PlottedData {
    let mut data = PlottedData::new(&["level", "series", "value", "kind"]);
    for level in levels {
        for series in &input.series {
            let (value, kind) = match series.values[level] {
                Value::Found(value) if value.is_finite() => (cell(value), "found"),
                Value::Cut(limit) => (cell(limit), "cut"),
                _ => (String::new(), "missing"),
            };
            data.rows.push(vec![input.levels[level].clone(), series.label.clone(), value, kind.to_owned()]);
        }
    }
    data
}

#[cfg(test)]
mod tests;
