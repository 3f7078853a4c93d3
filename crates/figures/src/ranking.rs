//! One value for each category, down the side: heuristics, strategies, or participants compared with simulated
//! baselines.

use std::ops::Range;

use plotters::style::RGBColor;

use super::axis::{Axis, Plot, Scale, rises, within_reach};
use super::chart::{Chart, Page, with_interval};
use super::key::Key;
use super::label::Label;
use super::rows::Rows;
use super::series::SeriesMark;
use super::sheet::{BLUE, INK, Mark, Pen, Rect, SOFT_INK, Sheet, WHITE, cell, grouped};
use super::{ChartError, Heading, PlottedData, Reference, Style};

/// The most groups that one figure keeps apart.
pub const MOST_GROUPS: usize = 3;

/// One category.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Category {
    /// Name, such as that of a heuristic; broken into lines where it is long.
    pub label: String,
    /// Index into [`Ranking::groups`]; sets colour and shape. Absent where there are no groups.
    pub group: Option<usize>,
    /// The value, such as a mean, in the unit of the axis; absent where it does not exist.
    pub estimate: Option<f64>,
    /// Interval of the estimate, in the same unit.
    pub interval: Option<(f64, f64)>,
    /// The single values behind the estimate, such as one for each level, in the same unit; may be empty.
    pub points: Vec<f64>,
}

/// Values by category: one row for each, on as many pages as they need. All pages share the axis.
///
/// There must be at most 3 groups, each category of one that exists; intervals must rise, the reference must have a
/// place on the axis, and no value may be beyond 10¹⁵ (on a logarithmic axis also below 10⁻¹⁵).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis with its unit, such as `expanded nodes`.
    pub x_title: Label,
    /// `true` if the axis is logarithmic. Values that are not positive are then left out, and the figure says how many.
    pub log: bool,
    /// `true` if the values of a logarithmic axis are ratios, which are labelled as `×½`, `×1` and `×2`.
    pub ratio: bool,
    /// Name of an estimate, for the legend, such as `mean`; empty for `estimate`.
    pub estimate: String,
    /// Level of the intervals for the legend, such as `95 %`; may be empty.
    pub confidence: String,
    /// Noun for what one single value stands for, such as `level` or `game`; empty for `single value`.
    pub point: String,
    /// Names of the groups, at most 3; may be empty.
    pub groups: Vec<Label>,
    /// A value to compare with, such as the optimum.
    pub reference: Option<Reference>,
    /// The categories, from top to bottom.
    pub categories: Vec<Category>,
}

impl Chart for Ranking {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        let groups = self.groups.len();
        if groups > MOST_GROUPS {
            return Err(format!("{groups} groups, but one figure keeps {MOST_GROUPS} apart: draw some in another one"));
        }
        for category in &self.categories {
            let label = &category.label;
            match category.group {
                Some(group) if group >= groups => {
                    return Err(format!("category {label:?} is of group {group}, but there are {groups} groups"));
                }
                None if groups > 0 => {
                    return Err(format!("category {label:?} has no group, but there are {groups}: give its group"));
                }
                _ => {}
            }
            if let Some((low, high)) = category.interval.filter(|interval| !rises(interval)) {
                return Err(format!("category {label:?} has the interval {low} to {high}: it must rise and be finite"));
            }
        }
        let references = self.reference.iter().map(|line| line.value);
        within_reach(self.scale(), self.values().chain(references))?;
        match &self.reference {
            Some(line) if !self.scale().shows(line.value) => {
                let rule = if self.log { "positive on a logarithmic axis" } else { "a finite number" };
                Err(format!("the reference {:?} is {}: it must be {rule}", line.label, line.value))
            }
            _ => Ok(()),
        }
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        let (mut keys, estimate) = (Vec::new(), self.estimate_name());
        for (index, group) in self.groups.iter().enumerate() {
            keys.push(Key::mark(Mark::Series(SeriesMark::new(index)), group));
        }
        // Where groups have marks of their own, the interval is what is left to explain.
        match (self.groups.is_empty(), self.any_interval()) {
            (true, true) => keys.push(Key::mark(Mark::Series(mark(None).joined()), &estimate)),
            (true, false) => keys.push(Key::mark(Mark::Series(mark(None)), &estimate)),
            (false, true) => keys.push(Key::mark(Mark::Line(Pen::new(INK, INTERVAL_PT)), &estimate)),
            (false, false) => {}
        }
        if self.categories.iter().flat_map(|category| &category.points).any(|&point| self.scale().shows(point)) {
            let colour = if self.groups.is_empty() { BLUE } else { SOFT_INK };
            keys.push(Key::mark(Mark::Disc(paler(colour)), &format!("one {}", self.point_name())));
        }
        if let Some(line) = &self.reference {
            keys.push(Key::mark(Mark::Dashed(Pen::new(INK, REFERENCE_PT)), &line.label));
        }
        keys
    }

    fn notes(&self) -> Vec<Label> {
        let hidden = |value: &f64| !self.scale().shows(*value);
        let number = |count: usize, name: &str| match count {
            1 => format!("1 {name}"),
            _ => format!("{} {name}s", grouped(count as u64)),
        };
        let reason = if self.log { "not shown (missing or not positive)" } else { "not shown (missing)" };
        let estimates = self.categories.iter().filter_map(|category| category.estimate).filter(hidden).count();
        let points = self.categories.iter().flat_map(|category| &category.points).filter(|value| hidden(value)).count();
        let intervals = self.categories.iter().filter_map(|category| category.interval);
        let (gone, cut) = intervals.fold((0, 0), |(gone, cut), (low, high)| match (hidden(&low), hidden(&high)) {
            (_, true) => (gone + 1, cut),
            (true, false) => (gone, cut + 1),
            (false, false) => (gone, cut),
        });
        let estimate = if self.estimate.is_empty() { "estimate" } else { &self.estimate };
        let notes = [
            (estimates, estimate, reason),
            (points, self.point_name(), reason),
            (gone, "interval", reason),
            (cut, "interval", "cut at the edge of the axis (not positive below it)"),
        ];
        let said = notes.into_iter().filter(|(count, ..)| *count > 0);
        said.map(|(count, name, what)| Label::Given(format!("{} {what}", number(count, name)))).collect()
    }

    fn reading(&self) -> String {
        let axis = if self.log { "logarithmic" } else { "linear" };
        let points = match self.categories.iter().any(|category| !category.points.is_empty()) {
            true => format!("; each light mark is one {}, its height within the row means nothing", self.point_name()),
            false => String::new(),
        };
        let line = self.reference.as_ref().map_or(String::new(), |line| format!("; the dashed line is {}", line.label));
        format!("Each row is one category, its mark the {}{points}{line}; the axis is {axis}", self.estimate_name())
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        if !self.values().any(|value| self.scale().shows(value)) {
            return Ok(vec![Page::empty(self.data(&self.categories))]);
        }
        let whole = self.values().all(|value| value.fract() == 0.0);
        let shown = self.values().chain(self.reference.iter().map(|line| line.value));
        let x = Axis::around(&self.x_title, self.scale(), whole, shown);
        let labels: Vec<&String> = self.categories.iter().map(|category| &category.label).collect();
        let (below_mm, least_mm) = (Rows::below_mm(style), 1.5 * style.small().em_mm());
        // Many rows are as high as they need to be; a few may stand apart.
        let most_mm = if labels.len() > SPACIOUS { least_mm } else { least_mm.max(5.0) };
        let rows = Rows::new(&labels, style, room_mm - below_mm, (least_mm, most_mm))?;
        let data = |page: Range<usize>| self.data(&self.categories[page]);
        let paint = move |sheet: &Sheet, body, rows: &Rows, page: &_| self.draw_page(sheet, body, &x, rows, page);
        Ok(rows.on_pages(below_mm, data, paint))
    }
}

impl Ranking {
    fn scale(&self) -> Scale {
        if self.ratio { Scale::Ratio } else { Scale::new(self.log) }
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        self.categories.iter().flat_map(values)
    }

    fn any_interval(&self) -> bool {
        self.categories.iter().any(|category| category.interval.is_some())
    }

    fn point_name(&self) -> &str {
        if self.point.is_empty() { "single value" } else { &self.point }
    }

    fn estimate_name(&self) -> String {
        let name = if self.estimate.is_empty() { "estimate" } else { &self.estimate };
        with_interval(name, &self.confidence, self.any_interval())
    }

    fn data(&self, categories: &[Category]) -> PlottedData {
        let mut data = PlottedData::new("category,group,kind,value,low,high");
        for category in categories {
            let group = category.group.and_then(|group| self.groups.get(group)).map(Label::english).unwrap_or_default();
            let mut push = |kind: &str, numbers: [f64; 3]| {
                let head = [category.label.clone(), group.clone(), kind.to_owned()];
                data.rows.push(head.into_iter().chain(numbers.map(cell)).collect());
            };
            let (low, high) = category.interval.unwrap_or((f64::NAN, f64::NAN));
            push("estimate", [category.estimate.unwrap_or(f64::NAN), low, high]);
            for &point in &category.points {
                push(self.point_name(), [point, f64::NAN, f64::NAN]);
            }
        }
        if let Some(line) = &self.reference {
            let head = [line.label.english(), String::new(), "reference".to_owned()];
            data.rows.push(head.into_iter().chain([line.value, f64::NAN, f64::NAN].map(cell)).collect());
        }
        data
    }

    fn draw_page(
        &self,
        sheet: &Sheet,
        body: Rect,
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
        let plot = Plot { place, x: x.clone(), y: Axis::fixed(Label::none(), 0.0, 1.0, true) };
        let places = rows.places(page, place);
        Rows::draw_guides(sheet, &places)?;
        if let Some(line) = &self.reference {
            let at = plot.at(line.value, 0.0).0;
            sheet.dashed(&[(at, place.top), (at, place.bottom())], Pen::new(INK, REFERENCE_PT))?;
        }
        for &(index, row) in &places {
            rows.draw_name(sheet, index, row)?;
            draw_category(sheet, &plot, row, &self.categories[index])?;
        }
        Rows::draw_axis(sheet, &plot, body)
    }
}

/// All values that a category asks to be shown.
fn values(category: &Category) -> impl Iterator<Item = f64> {
    let interval = category.interval.into_iter().flat_map(|(low, high)| [low, high]);
    category.estimate.into_iter().chain(interval).chain(category.points.iter().copied())
}

fn mark(group: Option<usize>) -> SeriesMark {
    SeriesMark::new(group.unwrap_or(0))
}

/// The colour of light marks, as it looks on white.
fn paler(colour: RGBColor) -> RGBColor {
    let mix = |part: u8| (255.0 - 0.45 * (255.0 - f64::from(part))).round() as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

/// The most categories whose rows have more height than they need.
const SPACIOUS: usize = 12;
/// Width of the line of an interval, in points.
const INTERVAL_PT: f64 = 1.1;
/// Width of the line of the reference, in points.
const REFERENCE_PT: f64 = 0.6;

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
        None if points.is_empty() => Rows::draw_no_value(sheet, row, false),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
