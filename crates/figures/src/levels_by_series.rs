//! One value for each level and series, such as the expanded nodes of each search algorithm on each level.

use std::ops::Range;

use super::axis::{Axis, Plot, Scale, TICK_MM, within_reach};
use super::chart::{Chart, Page, evenly};
use super::key::Key;
use super::label::{Label, note};
use super::message::Message;
use super::names::LevelNames;
use super::series::{LINE_PT, MOST_SERIES, SeriesMark};
use super::sheet::{INK, MARGIN, Mark, PALE, Pen, Rect, SOFT_INK, Sheet, cell};
use super::{ChartError, Heading, PlottedData, Style};

/// The most levels on one page.
pub const LEVELS_PER_PAGE: usize = 70;

/// Value of one level in one series.
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
    /// One value for each level, in the order of [`LevelsBySeries::levels`].
    pub values: Vec<Value>,
}

/// Values by level and series: all series in one plot, on a page for each 70 levels. All pages share the vertical axis.
///
/// There must be at most 8 series, each of one value for each level; limits must have a place on the axis, and no value
/// may be beyond 10¹⁵ (on a logarithmic axis also below 10⁻¹⁵).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelsBySeries {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis; empty for `level`.
    pub x_title: Label,
    /// Title of the vertical axis with its unit, such as `time (ms)`.
    pub y_title: Label,
    /// `true` if the vertical axis is logarithmic. Values that are not positive are then left out, and the figure
    /// says how many.
    pub log: bool,
    /// Names of the levels, from left to right.
    pub levels: Vec<String>,
    /// The series, at most 8, in the order of the legend.
    pub series: Vec<Series>,
}

impl Chart for LevelsBySeries {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        let scale = Scale::new(self.log);
        if self.series.len() > MOST_SERIES {
            let number = self.series.len();
            return Err(format!("{number} series, but one figure keeps {MOST_SERIES} apart: draw some in another one"));
        }
        for series in &self.series {
            let (values, levels) = (series.values.len(), self.levels.len());
            if values != levels {
                return Err(format!(
                    "series {:?} has {values} values for {levels} levels: give one for each",
                    series.label
                ));
            }
            for (value, level) in series.values.iter().zip(&self.levels) {
                if let Value::Cut(limit) = value
                    && !scale.shows(*limit)
                {
                    let rule = if self.log { "positive on a logarithmic axis" } else { "a finite number" };
                    return Err(format!(
                        "series {:?} has the limit {limit} at level {level:?}: it must be {rule}",
                        series.label
                    ));
                }
            }
        }
        within_reach(scale, self.places())
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        let marks = self.series.iter().enumerate();
        let mut keys = marks
            .map(|(index, series)| Key::mark(Mark::Series(SeriesMark::new(index).joined()), &series.label))
            .collect::<Vec<_>>();
        if self.any_cut() {
            keys.push(Key::Mark(Mark::Series(SeriesMark::any_open()), Message::CutAtLimit.into()));
        }
        keys
    }

    fn notes(&self) -> Vec<Label> {
        let hidden = self.places().filter(|&value| !Scale::new(self.log).shows(value)).count();
        note(hidden, Message::NotShownNotPositive, Message::NotShownNotPositive).into_iter().collect()
    }

    fn reading(&self) -> String {
        let axis = if self.log { "logarithmic" } else { "linear" };
        let cut = match self.any_cut() {
            true => "; an open mark stands at the limit where the work was stopped, dashed lines lead to it",
            false => "",
        };
        format!(
            "Each mark is one level of one series, the series stand side by side, lines break where a value is missing; \
             the vertical axis is {axis}{cut}"
        )
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let (scale, levels) = (Scale::new(self.log), self.levels.len());
        let shown: Vec<f64> = self.places().filter(|&value| scale.shows(value)).collect();
        if shown.is_empty() {
            return Ok(vec![Page::empty(self.data(0..levels))]);
        }
        let whole = shown.iter().all(|value| value.fract() == 0.0);
        let y = Axis::around(&self.y_title, scale, whole, shown.into_iter());
        let page = |levels: Range<usize>| {
            let (layout, y) = (Layout::new(self, levels.clone(), style, &y, room_mm)?, y.clone());
            let names = "; each tick is a level, not every level is named";
            let reading = layout.names.thinned.then(|| self.reading() + names);
            let body_mm = layout.above_mm + layout.height_mm + layout.below_mm;
            let paint = move |sheet: &Sheet, body| self.draw_page(sheet, body, &y, &layout);
            Ok(Page { reading, ..Page::new(self.data(levels), body_mm, paint) })
        };
        evenly(levels, levels.div_ceil(LEVELS_PER_PAGE)).map(page).collect()
    }
}

impl LevelsBySeries {
    /// All places on the vertical axis that values ask for.
    fn places(&self) -> impl Iterator<Item = f64> {
        self.series.iter().flat_map(|series| &series.values).filter_map(|value| value.place())
    }

    fn any_cut(&self) -> bool {
        self.series.iter().flat_map(|series| &series.values).any(|value| matches!(value, Value::Cut(_)))
    }

    fn data(&self, levels: Range<usize>) -> PlottedData {
        let mut data = PlottedData::new("level,series,value,kind");
        for level in levels {
            for series in &self.series {
                let (value, kind) = match series.values[level] {
                    Value::Found(value) if value.is_finite() => (cell(value), "found"),
                    Value::Cut(limit) => (cell(limit), "cut"),
                    _ => (String::new(), "missing"),
                };
                data.rows.push(vec![self.levels[level].clone(), series.label.clone(), value, kind.to_owned()]);
            }
        }
        data
    }

    fn draw_page(&self, sheet: &Sheet, body: Rect, y: &Axis, layout: &Layout) -> Result<(), ChartError> {
        let left = body.left + layout.left_mm;
        let place =
            Rect { left, top: body.top + layout.above_mm, width: body.right() - left, height: layout.height_mm };
        let x = Axis::fixed(Label::none(), 0.0, layout.levels.len() as f64, true);
        let plot = Plot { place, x, y: y.clone() };
        self.draw_guides(sheet, &plot)?;
        for (index, series) in self.series.iter().enumerate() {
            let points = points(&plot, layout, series, layout.shift_mm(index, self.series.len()));
            draw_lines(sheet, &points, index)?;
        }
        for (index, series) in self.series.iter().enumerate() {
            // In a second pass, so that no line covers the mark of another series.
            let mark = SeriesMark::new(index);
            for (at, cut) in
                points(&plot, layout, series, layout.shift_mm(index, self.series.len())).into_iter().flatten()
            {
                sheet.mark(at, layout.radius_mm(), Mark::Series(if cut { mark.open() } else { mark }), 1.0)?;
            }
        }
        plot.draw_frame(sheet)?;
        plot.draw_y_ticks(sheet, true)?;
        layout.names.draw(sheet, place, layout.pitch_mm)?;
        let kind = sheet.style.label().colour(SOFT_INK).centre();
        let title = Label::given_or(&self.x_title, Message::Level);
        let (x, y) = place.centre();
        sheet.text(x, body.bottom() - 0.25 * kind.em_mm(), &kind.cut(&title, place.width)?, kind)?;
        let title = kind.cut(&self.y_title, place.height + 4.0)?;
        sheet.text(body.left + 0.78 * kind.em_mm(), y, &title, kind.upwards())
    }

    /// Pale lines at the labelled values, and a dashed line at a limit that all series share.
    fn draw_guides(&self, sheet: &Sheet, plot: &Plot) -> Result<(), ChartError> {
        let (left, right) = (plot.place.left, plot.place.right());
        for (value, _) in plot.y.ticks(plot.place.height, &sheet.style.small(), true)? {
            let y = plot.at(0.0, value).1;
            sheet.line(&[(left, y), (right, y)], Pen::new(PALE, 0.3))?;
        }
        let cuts = self.series.iter().flat_map(|series| &series.values).filter_map(|value| match value {
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
}

impl Value {
    /// Place at which it is drawn.
    fn place(self) -> Option<f64> {
        match self {
            Self::Missing => None,
            Self::Found(value) | Self::Cut(value) => Some(value).filter(|value| value.is_finite()),
        }
    }
}

/// Layout of a page; lengths in millimetres.
struct Layout {
    /// The levels of the page.
    levels: Range<usize>,
    names: LevelNames,
    left_mm: f64,
    above_mm: f64,
    height_mm: f64,
    below_mm: f64,
    pitch_mm: f64,
}

impl Layout {
    fn new(
        input: &LevelsBySeries,
        levels: Range<usize>,
        style: &Style,
        y: &Axis,
        room_mm: f64,
    ) -> Result<Self, ChartError> {
        let (small, label) = (style.small(), style.label());
        let above_mm = 0.5 * small.em_mm();
        let (titles, most) = (TICK_MM + 0.8 + 1.4 * label.em_mm(), (0.25 * style.width_mm).min(25.0));
        let height_mm = (0.58 * style.width_mm).min(75.0).min(room_mm - above_mm - titles - most).max(10.0);
        let left_mm = Plot::left_mm(y, height_mm, &small)? + 1.3 * label.em_mm();
        let named = &input.levels[levels.clone()];
        let width_mm = style.width_mm - 2.0 * MARGIN - left_mm;
        // The right half of a last name that is wider than its place must not leave the page.
        let last_mm = named.last().map_or(Ok(0.0), |last| small.width_of(last))?.min(2.0 * small.em_mm());
        let beyond_mm = (last_mm - width_mm / named.len() as f64).max(0.0) / 2.0;
        let pitch_mm = (width_mm - beyond_mm) / named.len() as f64;
        let names = LevelNames::new(named, pitch_mm, &small, most)?;
        let below_mm = titles + names.depth_mm;
        Ok(Self { levels, names, left_mm, above_mm, height_mm, below_mm, pitch_mm })
    }

    /// Shift of a series to the right of the middle of its level: neighbours keep marks of equal values apart.
    fn shift_mm(&self, series: usize, n_series: usize) -> f64 {
        let step = (0.65 * self.pitch_mm / n_series as f64).min(2.2);
        (series as f64 - (n_series as f64 - 1.0) / 2.0) * step
    }

    /// Radius of a mark: smaller where they stand close.
    fn radius_mm(&self) -> f64 {
        (0.3 * self.pitch_mm).clamp(0.45, 0.8)
    }
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

#[cfg(test)]
mod tests;
