//! One value for each category, down the side: heuristics, strategies, or participants compared with simulated
//! baselines.

use std::ops::Range;

use plotters::style::RGBColor;

use super::axis::{Axis, Plot, Scale, beyond_reach, reach_fault};
use super::rows::Rows;
use super::series::SeriesMark;
use super::sheet::{BLUE, Draft, INK, Key, Mark, PALE, Pen, Rect, SOFT_INK, Sheet, WHITE, cell, grouped};
use super::{ChartError, Figure, Heading, PlottedData, Reference, Style};

/// The most groups that one figure keeps apart.
pub const MOST_GROUPS: usize = 3;

/// One category.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Category {
    /// Name, such as that of a heuristic; broken into lines where it is long.
    pub label: String,
    /// Index into [`Input::groups`]; sets colour and shape. Absent where there are no groups.
    pub group: Option<usize>,
    /// The value, such as a mean, in the unit of the axis; absent where it does not exist.
    pub estimate: Option<f64>,
    /// Interval of the estimate, in the same unit.
    pub interval: Option<(f64, f64)>,
    /// The single values behind the estimate, such as one for each level, in the same unit; may be empty.
    pub points: Vec<f64>,
}

/// Values by category.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis with its unit, such as `expanded nodes`.
    pub x_title: String,
    /// Whether the axis is logarithmic. Values that are not positive are then left out, and the figure says how many.
    pub log: bool,
    /// What an estimate is, for the legend, such as `mean`; empty for `estimate`.
    pub estimate: String,
    /// Level of the intervals for the legend, such as `95 %`; may be empty.
    pub confidence: String,
    /// What one single value stands for, such as `level` or `game`; empty for `single value`.
    pub point: String,
    /// Names of the groups, at most 3; may be empty.
    pub groups: Vec<String>,
    /// A value to compare with, such as the optimum.
    pub reference: Option<Reference>,
    /// The categories, from top to bottom.
    pub categories: Vec<Category>,
}

/// Draws one row for each category, on as many pages as they need. All pages share the axis.
///
/// # Errors
///
/// [`ChartError::Input`] if there are more than 3 groups, a category is of no group that exists, an interval does not
/// rise, the reference has no place on the axis, or a value is beyond 10¹⁵ (on a logarithmic axis also below 10⁻¹⁵).
pub fn draw(input: &Input, style: &Style) -> Result<Vec<Figure>, ChartError> {
    let scale = if input.log { Scale::Log } else { Scale::Linear };
    check(input, scale)?;
    let (keys, notes) = (keys(input, scale), notes(input, scale));
    let draft = |page: (usize, usize), categories: Range<usize>| Draft {
        heading: &input.heading,
        style,
        page,
        notes: notes.clone(),
        keys: keys.clone(),
        reading: reading(input),
        data: data(input, &input.categories[categories]),
    };
    let all = || input.categories.iter().flat_map(values);
    if !all().any(|value| scale.shows(value)) {
        return Ok(vec![draft((1, 1), 0..input.categories.len()).draw_empty()?]);
    }
    let whole = all().all(|value| value.fract() == 0.0);
    let x = Axis::around(&input.x_title, scale, whole, all().chain(input.reference.iter().map(|line| line.value)));
    let labels: Vec<&str> = input.categories.iter().map(|category| category.label.as_str()).collect();
    let room = draft((99, 99), 0..0).max_body_mm()? - Rows::below_mm(style);
    let em = style.small().em_mm();
    let rows = Rows::new(&labels, style, room, (1.5 * em, 5.0))?;
    let pages = rows.pages();
    let page_of = |(number, page): (usize, &Range<usize>)| {
        let body_mm = rows.height_mm(page) + Rows::below_mm(style);
        let draft = draft((number + 1, pages.len()), page.clone());
        draft.draw(body_mm, |sheet, body| draw_page(sheet, body, input, &x, &rows, page))
    };
    pages.iter().enumerate().map(page_of).collect()
}

/// All values that a category asks to be shown.
fn values(category: &Category) -> impl Iterator<Item = f64> {
    let interval = category.interval.into_iter().flat_map(|(low, high)| [low, high]);
    category.estimate.into_iter().chain(interval).chain(category.points.iter().copied())
}

fn any_interval(input: &Input) -> bool {
    input.categories.iter().any(|category| category.interval.is_some())
}

fn point_name(input: &Input) -> &str {
    if input.point.is_empty() { "single value" } else { &input.point }
}

fn estimate_name(input: &Input) -> String {
    let name = if input.estimate.is_empty() { "estimate" } else { &input.estimate };
    match any_interval(input) {
        true => [name, "and its", &input.confidence, "interval"].join(" ").replace("  ", " "),
        false => name.to_owned(),
    }
}

fn mark(group: Option<usize>) -> SeriesMark {
    SeriesMark::new(group.unwrap_or(0))
}

fn keys(input: &Input, scale: Scale) -> Vec<Key> {
    let mut keys = Vec::new();
    for (index, group) in input.groups.iter().enumerate() {
        keys.push(Key::mark(Mark::Series(SeriesMark::new(index)), group));
    }
    // Where groups have marks of their own, the interval is what is left to explain.
    match (input.groups.is_empty(), any_interval(input)) {
        (true, true) => keys.push(Key::mark(Mark::Series(mark(None).joined()), &estimate_name(input))),
        (true, false) => keys.push(Key::mark(Mark::Series(mark(None)), &estimate_name(input))),
        (false, true) => keys.push(Key::mark(Mark::Line(Pen::new(INK, INTERVAL_PT)), &estimate_name(input))),
        (false, false) => {}
    }
    if input.categories.iter().flat_map(|category| &category.points).any(|&point| scale.shows(point)) {
        let colour = if input.groups.is_empty() { BLUE } else { SOFT_INK };
        keys.push(Key::mark(Mark::Disc(paler(colour)), &format!("one {}", point_name(input))));
    }
    if let Some(line) = &input.reference {
        keys.push(Key::mark(Mark::Dashed(Pen::new(INK, REFERENCE_PT)), &line.label));
    }
    keys
}

/// The colour of light marks, as it looks on white.
fn paler(colour: RGBColor) -> RGBColor {
    let mix = |part: u8| (255.0 - 0.45 * (255.0 - f64::from(part))).round() as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

fn notes(input: &Input, scale: Scale) -> Vec<String> {
    let hidden = |value: &f64| !scale.shows(*value);
    let number = |count: usize, name: &str| match count {
        1 => format!("1 {name}"),
        _ => format!("{} {name}s", grouped(count as u64)),
    };
    let reason = if input.log { "not shown (missing or not positive)" } else { "not shown (missing)" };
    let estimates = input.categories.iter().filter_map(|category| category.estimate).filter(hidden).count();
    let points = input.categories.iter().flat_map(|category| &category.points).filter(|value| hidden(value)).count();
    let intervals = input.categories.iter().filter_map(|category| category.interval);
    let (gone, cut) = intervals.fold((0, 0), |(gone, cut), (low, high)| match (hidden(&low), hidden(&high)) {
        (_, true) => (gone + 1, cut),
        (true, false) => (gone, cut + 1),
        (false, false) => (gone, cut),
    });
    let estimate = if input.estimate.is_empty() { "estimate" } else { &input.estimate };
    let notes = [
        (estimates, estimate, reason),
        (points, point_name(input), reason),
        (gone, "interval", reason),
        (cut, "interval", "cut at the edge of the axis (not positive below it)"),
    ];
    let said = notes.into_iter().filter(|(count, ..)| *count > 0);
    said.map(|(count, name, what)| format!("{} {what}", number(count, name))).collect()
}

fn reading(input: &Input) -> String {
    let axis = if input.log { "logarithmic" } else { "linear" };
    let points = match input.categories.iter().any(|category| !category.points.is_empty()) {
        true => format!("; each light mark is one {}, its height within the row means nothing", point_name(input)),
        false => String::new(),
    };
    let line = input.reference.as_ref().map_or(String::new(), |line| format!("; the dashed line is {}", line.label));
    format!("Each row is one category, its mark the {}{points}{line}; the axis is {axis}", estimate_name(input))
}

fn check(input: &Input, scale: Scale) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: input.heading.name.clone(), what });
    let groups = input.groups.len();
    if groups > MOST_GROUPS {
        return fault(format!("{groups} groups, but one figure keeps {MOST_GROUPS} apart: draw some in another one"));
    }
    for category in &input.categories {
        let label = &category.label;
        match category.group {
            Some(group) if group >= groups => {
                return fault(format!("category {label:?} is of group {group}, but there are {groups} groups"));
            }
            None if groups > 0 => {
                return fault(format!("category {label:?} has no group, but there are {groups}: give its group"));
            }
            _ => {}
        }
        if let Some((low, high)) =
            category.interval.filter(|(low, high)| !(low.is_finite() && high.is_finite() && low <= high))
        {
            return fault(format!("category {label:?} has the interval {low} to {high}: it must rise and be finite"));
        }
    }
    let references = input.reference.iter().map(|line| line.value);
    if let Some(value) = beyond_reach(scale, input.categories.iter().flat_map(values).chain(references)) {
        return fault(reach_fault(value));
    }
    match &input.reference {
        Some(line) if !scale.shows(line.value) => {
            let rule = if input.log { "positive on a logarithmic axis" } else { "a finite number" };
            fault(format!("the reference {:?} is {}: it must be {rule}", line.label, line.value))
        }
        _ => Ok(()),
    }
}

/// Width of the line of an interval, in points.
const INTERVAL_PT: f64 = 1.1;
/// Width of the line of the reference, in points.
const REFERENCE_PT: f64 = 0.6;

fn draw_page(
    sheet: &Sheet,
    body: Rect,
    input: &Input,
    x: &Axis,
    rows: &Rows,
    page: &Range<usize>,
) -> Result<(), ChartError> {
    let small = sheet.style.small();
    let room = body.width - rows.left_mm();
    // The right half of the last label reaches beyond the axis.
    let (_, behind) = x.overhang(room, &small)?;
    let (_, again) = x.overhang(room - behind, &small)?;
    let (left, width) = (body.left + rows.left_mm(), room - behind.max(again) - 0.2);
    let place = Rect { left, top: body.top, width, height: rows.height_mm(page) };
    let plot = Plot { place, x: x.clone(), y: Axis::fixed("", 0.0, 1.0, true) };
    let places = rows.places(page, place);
    for (_, row) in &places {
        let y = row.centre().1;
        sheet.line(&[(row.left, y), (row.right(), y)], Pen::new(PALE, 0.3))?;
    }
    if let Some(line) = &input.reference {
        let at = plot.at(line.value, 0.0).0;
        sheet.dashed(&[(at, place.top), (at, place.bottom())], Pen::new(INK, REFERENCE_PT))?;
    }
    for &(index, row) in &places {
        rows.draw_name(sheet, index, row)?;
        draw_category(sheet, &plot, row, &input.categories[index])?;
    }
    Rows::draw_axis(sheet, &plot, body)
}

fn draw_category(sheet: &Sheet, plot: &Plot, row: Rect, category: &Category) -> Result<(), ChartError> {
    let (mark, middle) = (mark(category.group), row.centre().1);
    let at = |value: f64| plot.at(value, 0.0).0;
    let points: Vec<f64> = category.points.iter().copied().filter(|&value| plot.x.holds(value)).collect();
    let alpha = match points.len() {
        0..=30 => 0.45,
        31..=200 => 0.3,
        _ => 0.15,
    };
    for (index, &value) in points.iter().enumerate() {
        // Multiples of the golden section fill the row evenly, the same way each time (Weyl, 1916).
        let shift = (index as f64 * 0.618_033_988_749_895).fract() - 0.5;
        let y = middle + shift * (row.height - 1.6).clamp(0.4, 3.0);
        sheet.disc((at(value), y), 0.42, mark.colour, alpha)?;
    }
    if let Some((low, high)) = category.interval.filter(|(_, high)| plot.x.scale.shows(*high)) {
        let low = if plot.x.holds(low) { low } else { plot.x.low };
        sheet.line(&[(at(low), middle), (at(high), middle)], Pen::new(WHITE, INTERVAL_PT + 1.0))?;
        sheet.line(&[(at(low), middle), (at(high), middle)], Pen::new(mark.colour, INTERVAL_PT))?;
    }
    match category.estimate.filter(|&value| plot.x.holds(value)) {
        Some(value) => {
            sheet.mark((at(value), middle), 1.0, Mark::Series(SeriesMark { colour: WHITE, ..mark }), 1.0)?;
            sheet.mark((at(value), middle), 0.75, Mark::Series(mark), 1.0)
        }
        None if points.is_empty() => {
            let kind = sheet.style.small().colour(SOFT_INK);
            let (width, height) = (kind.width_of(NO_VALUE)? + 0.8, 1.3 * kind.em_mm());
            // The white field keeps the row's line and the reference away from the letters.
            let field = Rect { left: row.left + 0.6, top: middle - height / 2.0, width, height };
            sheet.fill(&field.corners(), WHITE, 1.0)?;
            sheet.text(row.left + 1.0, middle + kind.half_cap_mm(), NO_VALUE, kind)
        }
        None => Ok(()),
    }
}

/// What stands in a row that has nothing to show.
const NO_VALUE: &str = "no value";

fn data(input: &Input, categories: &[Category]) -> PlottedData {
    let mut data = PlottedData::new(&["category", "group", "kind", "value", "low", "high"]);
    for category in categories {
        let group = category.group.and_then(|group| input.groups.get(group)).cloned().unwrap_or_default();
        let mut push = |kind: &str, numbers: [f64; 3]| {
            let head = [category.label.clone(), group.clone(), kind.to_owned()];
            data.rows.push(head.into_iter().chain(numbers.map(cell)).collect());
        };
        let (low, high) = category.interval.unwrap_or((f64::NAN, f64::NAN));
        push("estimate", [category.estimate.unwrap_or(f64::NAN), low, high]);
        for &point in &category.points {
            push(point_name(input), [point, f64::NAN, f64::NAN]);
        }
    }
    if let Some(line) = &input.reference {
        let head = [line.label.clone(), String::new(), "reference".to_owned()];
        data.rows.push(head.into_iter().chain([line.value, f64::NAN, f64::NAN].map(cell)).collect());
    }
    data
}

#[cfg(test)]
mod tests;
