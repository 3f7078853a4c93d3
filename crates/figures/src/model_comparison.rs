//! Models of choices compared: how far each is from the best one, and for how many participants it is the best.

use std::ops::Range;

use super::axis::{Axis, Plot, Scale, rises, within_reach};
use super::chart::{Chart, Page, evenly, with_interval};
use super::key::Key;
use super::label::{Label, note};
use super::message::Message;
use super::rows::{Rows, broken};
use super::series::SeriesMark;
use super::sheet::{INK, MARGIN, Mark, Number, Pen, Rect, SOFT_INK, Sheet, TextStyle, Translated, cell};
use super::{ChartError, Heading, PlottedData, Style};

/// Result of one criterion for one model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Difference to the best model in the unit of [`Criterion::x_title`], such as the mean over participants of the
    /// difference in BIC; absent where the model could not be fitted.
    pub difference: Option<f64>,
    /// Interval of the difference, in the same unit.
    pub interval: Option<(f64, f64)>,
    /// Number of participants for whom the model is the best; absent where it is not known.
    pub best_for: Option<u64>,
}

/// One model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Name; broken into lines where it is long.
    pub label: String,
    /// One outcome for each of [`ModelComparison::criteria`].
    pub outcomes: Vec<Outcome>,
}

/// One criterion by which models are compared; each has a panel of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Criterion {
    /// Title above its panel, such as `BIC`; may be empty where there is one criterion.
    pub name: String,
    /// Title of its axis with its unit, such as `ΔBIC for each participant`.
    pub x_title: Label,
}

/// The comparison of several models: a row for each model and a panel for each criterion. Panels that do not fit the
/// width and rows that do not fit the height go to further pages.
///
/// Every model must have one outcome for each criterion, intervals must rise, and no value may be beyond 10¹⁵.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelComparison {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Name of a difference, for the legend, such as `mean`; empty for `difference`.
    pub estimate: String,
    /// Level of the intervals for the legend, such as `95 %`; may be empty.
    pub confidence: String,
    /// Noun for those that the models are fitted to, in the plural; empty for `participants`.
    pub units: String,
    /// The criteria, from left to right.
    pub criteria: Vec<Criterion>,
    /// The models, from top to bottom.
    pub models: Vec<Model>,
}

impl Chart for ModelComparison {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        let criteria = self.criteria.len();
        for Model { label, outcomes } in &self.models {
            if outcomes.len() != criteria {
                let n_outcomes = outcomes.len();
                return Err(format!("model {label:?} has {n_outcomes} outcomes, but there are {criteria} criteria"));
            }
            let mut intervals = outcomes.iter().filter_map(|outcome| outcome.interval);
            if let Some((low, high)) = intervals.find(|interval| !rises(interval)) {
                return Err(format!("model {label:?} has the interval {low} to {high}: it must rise and be finite"));
            }
        }
        within_reach(Scale::Linear, self.outcomes().flat_map(values))
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        let mark = SeriesMark::new(0);
        let mark = if self.outcomes().any(|outcome| outcome.interval.is_some()) { mark.joined() } else { mark };
        let mut keys = vec![Key::mark(Mark::Series(mark), &self.estimate_name())];
        keys.push(Key::mark(Mark::Dashed(Pen::new(INK, 0.6)), Message::BestModel.count(0)));
        keys
    }

    fn notes(&self) -> Vec<Label> {
        let missing = self.outcomes().filter(|outcome| !outcome.difference.is_some_and(f64::is_finite)).count();
        note(missing, Message::DifferenceMissing, Message::DifferencesMissing).into_iter().collect()
    }

    fn reading(&self) -> String {
        let bars = match self.any_count() {
            true => format!("; bars and numbers count the {} for whom it is the best model", self.units()),
            false => String::new(),
        };
        format!(
            "Each row is one model, its mark the {} from the best model; further right is worse{bars}",
            self.estimate_name()
        )
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let (criteria, models) = (self.criteria.len(), self.models.len());
        if !self.outcomes().any(|outcome| outcome.difference.is_some_and(f64::is_finite)) {
            return Ok(vec![Page::empty(self.data(0..criteria, 0..models))]);
        }
        let labels: Vec<&String> = self.models.iter().map(|model| &model.label).collect();
        let least = 1.5 * style.small().em_mm();
        // How wide the names are does not depend on the room.
        let names_mm = Rows::new(&labels, style, f64::INFINITY, (least, least))?.left_mm();
        let width = style.width_mm - 2.0 * MARGIN - names_mm;
        let beside = ((width / (LEAST_PANEL_EM * style.small().em_mm())) as usize).clamp(1, criteria);
        let head_mm = self.head_mm(style, (width + PANEL_GAP_MM) / beside as f64 - PANEL_GAP_MM)?;
        let rows = Rows::new(&labels, style, room_mm - Rows::below_mm(style) - head_mm, (least, 5.0))?;
        let page = |(panels, models): (Range<usize>, &Range<usize>)| {
            let data = self.data(panels.clone(), models.clone());
            ((panels, models.clone()), data, head_mm + rows.height_mm(models) + Rows::below_mm(style))
        };
        let panels = evenly(criteria, criteria.div_ceil(beside));
        let pages = panels.flat_map(|panels| rows.pages().iter().map(move |models| (panels.clone(), models)));
        let pages = pages.map(page).collect();
        Ok(Page::all(pages, move |sheet, body, page| self.draw_page(sheet, body, &rows, page, head_mm)))
    }
}

impl ModelComparison {
    fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.models.iter().flat_map(|model| &model.outcomes)
    }

    fn counts(&self, panel: usize) -> impl Iterator<Item = u64> {
        self.models.iter().filter_map(move |model| model.outcomes[panel].best_for)
    }

    fn any_count(&self) -> bool {
        self.outcomes().any(|outcome| outcome.best_for.is_some())
    }

    fn units(&self) -> &str {
        if self.units.is_empty() { "participants" } else { &self.units }
    }

    fn estimate_name(&self) -> String {
        let name = if self.estimate.is_empty() { "difference" } else { &self.estimate };
        with_interval(name, &self.confidence, self.outcomes().any(|outcome| outcome.interval.is_some()))
    }

    fn data(&self, panels: Range<usize>, models: Range<usize>) -> PlottedData {
        let mut data = PlottedData::new("criterion,model,difference,low,high,best_for");
        for panel in panels {
            for model in &self.models[models.clone()] {
                let outcome = &model.outcomes[panel];
                let (low, high) = outcome.interval.unwrap_or((f64::NAN, f64::NAN));
                let numbers = [outcome.difference.unwrap_or(f64::NAN), low, high].map(cell);
                let count = outcome.best_for.map_or(String::new(), |count| count.to_string());
                let head = [self.criteria[panel].name.clone(), model.label.clone()];
                data.rows.push(head.into_iter().chain(numbers).chain([count]).collect());
            }
        }
        data
    }

    /// Title above the bars of a panel: who is counted, in lines that fit a panel of this width.
    fn bar_title(&self, style: &Style, panel_mm: f64) -> Result<Vec<Translated>, ChartError> {
        if !self.any_count() {
            return Ok(Vec::new());
        }
        let font = style.label();
        let lines = [Message::BestFor.into(), Label::Given(format!("({})", self.units()))];
        lines.iter().map(|line| font.cut(line, BAR_TITLE_SHARE * panel_mm)).collect()
    }

    /// The name of a criterion in at most three lines, left of what stands above the bars.
    fn criterion_lines(&self, panel: usize, style: &Style, panel_mm: f64) -> Result<Vec<Translated>, ChartError> {
        let (font, plain) = (style.label().bold(), style.label());
        let mut room = panel_mm;
        for line in self.bar_title(style, panel_mm)? {
            room = room.min(panel_mm - plain.width_of(&line)? - 1.5);
        }
        broken(&font, &self.criteria[panel].name, room)
    }

    /// Height of what stands above the panels.
    fn head_mm(&self, style: &Style, panel_mm: f64) -> Result<f64, ChartError> {
        let mut height = self.bar_title(style, panel_mm)?.len() as f64 * style.label().line_mm();
        for panel in 0..self.criteria.len() {
            let lines = self.criterion_lines(panel, style, panel_mm)?.len();
            height = height.max(lines as f64 * style.label().line_mm());
        }
        Ok(if height > 0.0 { height + HEAD_GAP_MM } else { 0.0 })
    }

    fn draw_page(
        &self,
        sheet: &Sheet,
        body: Rect,
        rows: &Rows,
        (panels, models): &(Range<usize>, Range<usize>),
        head_mm: f64,
    ) -> Result<(), ChartError> {
        let left = body.left + rows.left_mm();
        let pitch = (body.right() - left + PANEL_GAP_MM) / panels.len() as f64;
        let rows_mm = rows.height_mm(models);
        let names = Rect { left, top: body.top + head_mm, width: body.right() - left, height: rows_mm };
        for (row, place) in rows.places(models, names) {
            rows.draw_name(sheet, row, place)?;
        }
        for (slot, panel) in panels.clone().enumerate() {
            let place = Rect { left: left + slot as f64 * pitch, width: pitch - PANEL_GAP_MM, ..body };
            self.draw_panel(sheet, place, rows, (panel, models), head_mm)?;
        }
        Ok(())
    }

    /// One criterion: differences at the left, numbers of participants at the right.
    fn draw_panel(
        &self,
        sheet: &Sheet,
        around: Rect,
        rows: &Rows,
        (panel, models): (usize, &Range<usize>),
        head_mm: f64,
    ) -> Result<(), ChartError> {
        let small = sheet.style.small();
        let x = self.x_axis(panel);
        let most = self.counts(panel).max();
        let number_mm = most.map_or(Ok(0.0), |most| small.width_of(&Number::count(most)))?;
        let bars_mm = if most.is_some() { BAR_MM + 0.8 + number_mm } else { 0.0 };
        let room = around.width - if most.is_some() { bars_mm + BAR_GAP_MM } else { 0.0 };
        let (_, behind) = x.overhang(room, &small)?;
        // Where there are bars, the last label may reach below them.
        let width = if most.is_some() { room } else { room - behind - 0.2 };
        let place = Rect { left: around.left, top: around.top + head_mm, width, height: rows.height_mm(models) };
        let plot = Plot { place, x, y: Axis::fixed(Label::none(), 0.0, 1.0, true) };
        let names = self.criterion_lines(panel, sheet.style, around.width)?;
        draw_lines(sheet, place.left, place.top, &names, sheet.style.label().bold())?;
        let titles = self.bar_title(sheet.style, around.width)?;
        draw_lines(sheet, around.right(), place.top, &titles, sheet.style.label().colour(SOFT_INK).right())?;
        let zero = plot.at(0.0, 0.0).0;
        let places = rows.places(models, place);
        Rows::draw_guides(sheet, &places)?;
        sheet.dashed(&[(zero, place.top), (zero, place.bottom())], Pen::new(INK, 0.6))?;
        let bars = Rect { left: place.right() + BAR_GAP_MM, width: bars_mm, ..place };
        for &(model, row) in &places {
            let outcome = &self.models[model].outcomes[panel];
            draw_outcome(sheet, &plot, row, outcome)?;
            if let (Some(most), Some(count)) = (most, outcome.best_for) {
                draw_count(sheet, bars, row.centre().1, count, most)?;
            }
        }
        Rows::draw_axis(sheet, &plot, around)
    }

    /// The axis of the differences: it holds 0, where the best model is.
    fn x_axis(&self, panel: usize) -> Axis {
        let all = || self.models.iter().flat_map(|model| values(&model.outcomes[panel])).chain([0.0]);
        let title = &self.criteria[panel].x_title;
        let mut x = match all().any(|value| value.is_finite() && value != 0.0) {
            true => Axis::around(title, Scale::Linear, false, all()),
            false => Axis::fixed(title, 0.0, 1.0, false),
        };
        if x.low == 0.0 {
            x.low = -ROOM_LEFT * x.high;
        }
        x
    }
}

/// The narrowest panel that is drawn beside another, in em, with its numbers of participants.
const LEAST_PANEL_EM: f64 = 15.7;
/// Space between panels in millimetres.
const PANEL_GAP_MM: f64 = 4.0;
/// The longest bar of participants in millimetres.
const BAR_MM: f64 = 8.0;
/// Height of such a bar in millimetres.
const BAR_HEIGHT_MM: f64 = 1.5;
/// Space between the differences and the bars in millimetres.
const BAR_GAP_MM: f64 = 1.5;
/// Space between what stands above a panel and its first row in millimetres.
const HEAD_GAP_MM: f64 = 0.6;
/// The greatest share of a panel's width for what stands above its bars.
const BAR_TITLE_SHARE: f64 = 0.5;
/// Room left of the best model, as a share of the axis: its mark stays clear of the names.
const ROOM_LEFT: f64 = 0.03;
/// Width of the line of an interval, in points.
const INTERVAL_PT: f64 = 1.1;

/// The grey of the bars.
const BAR_COLOUR: plotters::style::RGBColor = plotters::style::RGBColor(153, 153, 153);

fn values(outcome: &Outcome) -> impl Iterator<Item = f64> {
    outcome.difference.into_iter().chain(outcome.interval.into_iter().flat_map(|(low, high)| [low, high]))
}

/// Lines of text whose last one ends above `bottom`.
fn draw_lines(sheet: &Sheet, x: f64, bottom: f64, lines: &[Translated], font: TextStyle) -> Result<(), ChartError> {
    let first = bottom - HEAD_GAP_MM - 0.25 * font.em_mm() - (lines.len() as f64 - 1.0) * font.line_mm();
    for (index, line) in lines.iter().enumerate() {
        sheet.text(x, first + index as f64 * font.line_mm(), line, font)?;
    }
    Ok(())
}

fn draw_count(sheet: &Sheet, bars: Rect, middle: f64, count: u64, most: u64) -> Result<(), ChartError> {
    let small = sheet.style.small();
    let length = if most > 0 { BAR_MM * count as f64 / most as f64 } else { 0.0 };
    if count > 0 {
        let top = middle - BAR_HEIGHT_MM / 2.0;
        let bar = Rect { left: bars.left, top, width: length.max(0.1), height: BAR_HEIGHT_MM };
        sheet.fill(&bar.corners(), BAR_COLOUR, 1.0)?;
    }
    sheet.text(bars.left + length + 0.8, middle + small.half_cap_mm(), &Number::count(count), small)
}

fn draw_outcome(sheet: &Sheet, plot: &Plot, row: Rect, outcome: &Outcome) -> Result<(), ChartError> {
    let (mark, middle) = (SeriesMark::new(0), row.centre().1);
    let at = |value: f64| plot.at(value, 0.0).0;
    if let Some((low, high)) = outcome.interval {
        sheet.line(&[(at(low), middle), (at(high), middle)], Pen::new(mark.colour, INTERVAL_PT))?;
    }
    match outcome.difference.filter(|value| value.is_finite()) {
        Some(value) => sheet.mark((at(value), middle), 0.75, Mark::Series(mark), 1.0),
        None => Rows::draw_no_value(sheet, row, true),
    }
}

#[cfg(test)]
mod tests;
