//! Small multiples: one panel for each level, on shared axes, over as many pages as they need.

use std::ops::Range;

use super::axis::{Axis, Plot, TICK_MM};
use super::chart::{Page, evenly};
use super::label::Label;
use super::message::Message;
use super::names::LevelNames;
use super::sheet::{MARGIN, Rect, Sheet, Translated};
use super::{ChartError, PlottedData, Style};

/// The most panels on one page.
pub const PANELS_PER_PAGE: usize = 24;

/// Head of a panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PanelHead {
    /// Name of the level, or of whatever the panel shows; wrapped to at most two lines, then cut.
    pub title: String,
    /// Its n and its statistic; wrapped to at most three lines. Where it needs more, brackets at its end are left out,
    /// and then it is cut.
    pub statistic: String,
}

/// `true` if there is one panel alone, with nothing above it: it is as wide as the figure.
pub(super) fn is_alone<'a>(mut heads: impl Iterator<Item = &'a PanelHead>) -> bool {
    heads.next().is_some_and(|head| head.title.is_empty()) && heads.next().is_none()
}

/// Panels and the axes that they share.
pub(super) struct Multiples<'a> {
    pub style: &'a Style,
    pub x: Axis,
    pub y: Axis,
    /// Names of the places 0 to 1, 1 to 2 and so on of the horizontal axis, instead of its numbers; may be empty.
    pub names: Vec<String>,
    /// Heads of the panels.
    pub heads: Vec<PanelHead>,
    /// The axes of panels that have axes of their own; empty, or one entry for each panel. If any panel has, every
    /// panel has labels at both of its axes.
    pub own_axes: Vec<Option<(Axis, Axis)>>,
}

/// Room beside a panel that stands alone, in millimetres, which whoever draws it may fill.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strips {
    pub above_mm: f64,
    pub right_mm: f64,
    /// Below the title of the horizontal axis.
    pub below_mm: f64,
}

impl<'a> Multiples<'a> {
    pub fn new(style: &'a Style, x: Axis, y: Axis, heads: impl Iterator<Item = PanelHead>) -> Self {
        Self { style, x, y, names: Vec::new(), heads: heads.collect(), own_axes: Vec::new() }
    }

    /// All panels, [`PANELS_PER_PAGE`] at most on a page. `draw` gets the number of the panel, `data` the
    /// panels of a page.
    pub fn pages(
        self,
        room_mm: f64,
        data: impl Fn(Range<usize>) -> PlottedData,
        draw: impl Fn(&Sheet, &Plot, usize) -> Result<(), ChartError> + 'a,
    ) -> Result<Vec<Page<'a>>, ChartError> {
        if is_alone(self.heads.iter()) {
            let draw = move |sheet: &Sheet, plot: &Plot| draw(sheet, plot, 0);
            return Ok(vec![self.page(data(0..1), Strips::default(), draw)]);
        }
        let panels = self.heads.len();
        let grid = self.grid(self.columns(panels), room_mm)?;
        let page = |range: Range<usize>| {
            let rows = range.len().div_ceil(grid.columns);
            let body_mm = rows as f64 * grid.cell_mm.1 - GAP_MM - grid.labels_mm + grid.below_mm;
            (range.clone(), data(range), body_mm)
        };
        let pages = evenly(panels, panels.div_ceil(grid.per_page)).map(page).collect();
        Ok(Page::all(pages, move |sheet, body, range| self.draw_panels(sheet, body, &grid, range.clone(), &draw)))
    }

    /// One plot as wide as the figure, with free strips around it and the titles of its axes.
    pub fn page(
        self,
        data: PlottedData,
        strips: Strips,
        draw: impl Fn(&Sheet, &Plot) -> Result<(), ChartError> + 'a,
    ) -> Page<'a> {
        let beside = strips.above_mm + strips.below_mm;
        let body_mm = (0.72 * self.style.width_mm).min(110.0) + beside;
        let paint = move |sheet: &Sheet, body: Rect| {
            let (width, height) = (body.width - strips.right_mm, body.height - beside);
            let inner = Rect { left: body.left, top: body.top + strips.above_mm, width, height };
            let place = self.room(inner)?;
            let plot = Plot { place, x: self.x.clone(), y: self.y.clone() };
            draw(sheet, &plot)?;
            plot.draw_axes(sheet, true, true)?;
            Plot::axis_titles(sheet, &self.x, &self.y, place, inner.left, inner.bottom())
        };
        Page { shrinks: true, ..Page::new(data, body_mm, paint) }
    }

    fn columns(&self, panels: usize) -> usize {
        // Three columns in 85 mm and six in 180 mm; fewer where the text is larger.
        let most = ((self.style.width_mm / (COLUMN_EM * self.style.label().em_mm())) as usize).clamp(1, 6);
        let even = (1..=most).find(|&columns| columns * columns >= panels).unwrap_or(most);
        even.clamp(1, most)
    }

    /// The plot's own place inside the body: room for labels and titles taken off.
    fn room(&self, body: Rect) -> Result<Rect, ChartError> {
        let (small, label) = (self.style.small(), self.style.label());
        let below = Plot::below_mm(&small) + 1.3 * label.em_mm();
        let height = body.height - below - 0.5 * small.em_mm();
        let left = Plot::left_mm(&self.y, height, &small)? + 1.3 * label.em_mm();
        // The right half of the last label is about as wide whatever the length of the axis.
        let (_, right) = self.x.overhang(body.width - left, &small)?;
        let width = body.width - left - right;
        let (_, right) = self.x.overhang(width, &small)?;
        let width = width.min(body.width - left - right);
        Ok(Rect { left: body.left + left, top: body.top + 0.5 * small.em_mm(), width, height })
    }

    fn grid(&self, columns: usize, room_mm: f64) -> Result<Grid, ChartError> {
        let (small, label) = (self.style.small(), self.style.label());
        let mut y_labels = 0.0_f64;
        for y in self.own_axes.iter().flatten().map(|(_, y)| y).chain([&self.y]) {
            y_labels = y_labels.max(Plot::left_mm(y, 15.0, &small)?).max(Plot::left_mm(y, 60.0, &small)?);
        }
        let left = y_labels + 1.3 * label.em_mm();
        let width = self.style.width_mm - 2.0 * MARGIN - left;
        // Labels of neighbouring panels must not read as one number.
        let (mut before, mut behind) = (0.0_f64, 0.0_f64);
        for x in self.own_axes.iter().flatten().map(|(x, _)| x).chain([&self.x]) {
            if !self.names.is_empty() {
                break;
            }
            let overhang = x.overhang(width / columns as f64 - GAP_MM, &small)?;
            (before, behind) = (before.max(overhang.0), behind.max(overhang.1));
        }
        let any_own = self.own_axes.iter().any(Option::is_some);
        let least = if any_own { y_labels + 0.8 * small.em_mm() + behind } else { GAP_MM };
        let gap = least.max(before + behind + 0.8 * small.em_mm());
        let cell_width = (width - behind + gap) / columns as f64;
        let plot_width = cell_width - gap;
        let mut head_mm = 0.0_f64;
        for (index, head) in self.heads.iter().enumerate() {
            head_mm = head_mm
                .max(HeadLines::new(head, self.has_own_axes(index), self.style, plot_width)?.height_mm(self.style));
        }
        let names = match self.names.len() {
            0 => None,
            count => Some(LevelNames::new(&self.names, plot_width / count as f64, &small, NAMES_MM)?),
        };
        let below_mm = match &names {
            None => Plot::below_mm(&small) + 1.3 * label.em_mm(),
            Some(names) => TICK_MM + 0.8 + names.depth_mm,
        };
        let labels_mm = if any_own { Plot::below_mm(&small) } else { 0.0 };
        let room = room_mm - below_mm + GAP_MM + labels_mm;
        let plot_height = (0.75 * plot_width).min(60.0);
        let cell_height = head_mm + plot_height + labels_mm + GAP_MM;
        let rows = ((room / cell_height).floor() as usize).max(1);
        Ok(Grid {
            columns,
            per_page: (rows * columns).min(PANELS_PER_PAGE),
            left,
            gap,
            head_mm,
            labels_mm,
            below_mm,
            names,
            cell_mm: (cell_width, cell_height),
            plot_mm: (plot_width, plot_height),
        })
    }

    fn draw_panels(
        &self,
        sheet: &Sheet,
        body: Rect,
        grid: &Grid,
        range: Range<usize>,
        draw: impl Fn(&Sheet, &Plot, usize) -> Result<(), ChartError>,
    ) -> Result<(), ChartError> {
        let count = range.len();
        for (slot, panel) in range.enumerate() {
            let (row, column) = (slot / grid.columns, slot % grid.columns);
            let left = body.left + grid.left + column as f64 * grid.cell_mm.0;
            let top = body.top + row as f64 * grid.cell_mm.1;
            let place = Rect { left, top: top + grid.head_mm, width: grid.plot_mm.0, height: grid.plot_mm.1 };
            let (x, y) = self.own_axes.get(panel).and_then(Option::as_ref).map_or((&self.x, &self.y), |(x, y)| (x, y));
            let plot = Plot { place, x: x.clone(), y: y.clone() };
            let head = Rect { left, top, width: grid.plot_mm.0, height: grid.head_mm };
            self.draw_head(sheet, panel, head)?;
            draw(sheet, &plot, panel)?;
            // The outer panels carry the labels of shared axes.
            let every = grid.labels_mm > 0.0;
            let (has_x, has_y) = (every || slot + grid.columns >= count, every || column == 0);
            match &grid.names {
                None => plot.draw_axes(sheet, has_x, has_y)?,
                Some(names) => {
                    plot.draw_frame(sheet)?;
                    plot.draw_y_ticks(sheet, has_y)?;
                    if has_x {
                        names.draw(sheet, place, place.width / self.names.len() as f64)?;
                    }
                }
            }
        }
        let rows = count.div_ceil(grid.columns);
        let used = Rect {
            left: body.left + grid.left,
            top: body.top + grid.head_mm,
            width: grid.cell_mm.0 * grid.columns.min(count) as f64 - grid.gap,
            height: rows as f64 * grid.cell_mm.1 - grid.head_mm - grid.labels_mm - GAP_MM,
        };
        // Where the last row is not full, labels of the row above it stand in its free cells.
        Plot::axis_titles(sheet, &self.x, &self.y, used, body.left, body.bottom())
    }

    fn has_own_axes(&self, panel: usize) -> bool {
        self.own_axes.get(panel).is_some_and(Option::is_some)
    }

    /// Title and statistic at the bottom of a place, close to their panel.
    fn draw_head(&self, sheet: &Sheet, panel: usize, place: Rect) -> Result<(), ChartError> {
        let (label, plain) = (self.style.label().bold(), self.style.label());
        let lines = HeadLines::new(&self.heads[panel], self.has_own_axes(panel), self.style, place.width)?;
        let (left, top) = (place.left, place.bottom() - lines.height_mm(self.style));
        for (index, line) in lines.title.iter().enumerate() {
            sheet.text(left, top + index as f64 * label.line_mm() + label.em_mm(), line, label)?;
        }
        let top = top + lines.title.len().max(1) as f64 * label.line_mm();
        for (index, line) in lines.statistic.iter().enumerate() {
            sheet.text(left, top + (index as f64 + 0.8) * plain.line_mm(), line, plain)?;
        }
        Ok(())
    }
}

/// The most lines of the title and of the statistic of a panel.
const HEAD_LINES: (usize, usize) = (2, 3);

/// Head of a panel, in lines.
struct HeadLines {
    title: Vec<Translated>,
    statistic: Vec<Translated>,
}

impl HeadLines {
    fn new(head: &PanelHead, has_own_axes: bool, style: &Style, width_mm: f64) -> Result<Self, ChartError> {
        let (label, plain) = (style.label().bold(), style.label());
        let title = label.wrapped_name(&head.title, width_mm, HEAD_LINES.0)?;
        let mut statistic = Label::from(&head.statistic);
        if has_own_axes {
            // In front: of a long statistic only the first lines are shown.
            let parts = [Message::OwnAxes.into(), statistic];
            statistic = Label::Parts(parts.into_iter().filter(|part| !part.is_empty()).collect());
        }
        let mut statistic = plain.translate(&statistic);
        // A reason in brackets is left out as a whole: half a sentence says nothing.
        while plain.wrapped(&statistic, width_mm)?.len() > HEAD_LINES.1 {
            let Some(shorter) = without_last_brackets(&statistic) else { break };
            statistic = Translated::as_is(shorter.to_owned());
        }
        let statistic = plain.wrapped_within(&statistic, width_mm, HEAD_LINES.1)?;
        Ok(Self { title, statistic })
    }

    /// Height of the title, which has one line at least, of the statistic and of the space below them.
    fn height_mm(&self, style: &Style) -> f64 {
        let (title, statistic) = (self.title.len().max(1) as f64, self.statistic.len() as f64);
        (title + statistic) * style.label().line_mm() + 0.8
    }
}

/// A text without the round brackets that it ends with; nothing where it does not, or nothing else would be left.
fn without_last_brackets(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let inside = text.strip_suffix(')')?;
    let mut depth = 1;
    let opening = inside.char_indices().rev().find_map(|(index, letter)| {
        depth += match letter {
            ')' => 1,
            '(' => -1,
            _ => 0,
        };
        (depth == 0).then_some(index)
    })?;
    // `r(48)` and `f(x)` are no remarks.
    let before = text[..opening].strip_suffix(' ')?.trim_end_matches([' ', ',', ';']);
    (!before.is_empty()).then_some(before)
}

/// Width of a column of panels, in em of their titles.
const COLUMN_EM: f64 = 10.0;
/// Least space between panels in millimetres.
const GAP_MM: f64 = 3.0;
/// The longest turned name below a panel in millimetres.
const NAMES_MM: f64 = 18.0;

/// Places of panels on a page; lengths in millimetres.
struct Grid {
    columns: usize,
    per_page: usize,
    left: f64,
    /// Space between neighbours of a row.
    gap: f64,
    head_mm: f64,
    /// Room for labels below every panel, where they do not share the axis.
    labels_mm: f64,
    below_mm: f64,
    /// Names below the horizontal axis, instead of numbers.
    names: Option<LevelNames>,
    cell_mm: (f64, f64),
    plot_mm: (f64, f64),
}

#[cfg(test)]
mod tests {
    use super::super::Width;
    use super::*;

    fn lines(title: &str, statistic: &str, width_mm: f64) -> (Vec<String>, Vec<String>) {
        let head = PanelHead { title: title.to_owned(), statistic: statistic.to_owned() };
        let lines = HeadLines::new(&head, false, &Style::new(Width::Single), width_mm).unwrap();
        let text = |lines: Vec<Translated>| lines.iter().map(|line| line.to_string()).collect();
        (text(lines.title), text(lines.statistic))
    }

    #[test]
    fn names_of_levels_take_two_lines_before_they_are_cut() {
        assert_eq!(lines("three-discs", "", 15.0).0, ["three-", "discs"]);
        assert_eq!(lines("three_discs flat", "", 15.0).0, ["three_", "discs flat"]);
        assert_eq!(lines("three-discs", "", 40.0).0, ["three-discs"]);
        assert_eq!(lines("1", "", 15.0).0, ["1"]);
        let (title, _) = lines("Donaudampfschifffahrtsgesellschaft", "", 15.0);
        assert_eq!(title.len(), 2);
        assert!(title[1].ends_with('…') && !title[0].ends_with('…'), "{title:?}");
    }

    #[test]
    fn a_long_statistic_loses_its_brackets_and_then_its_end() {
        let text = "ρ not estimable, n = 2 (Spearman's ρ needs at least 3 pairs, found 2)";
        assert_eq!(lines("", text, 24.0).1, ["ρ not estimable,", "n = 2"]);
        assert_eq!(lines("", text, 60.0).1.join(" "), text);
        let (_, cut) = lines("", "one two three four five six seven eight nine ten", 15.0);
        assert!(cut.len() == 3 && cut[2].ends_with('…'), "{cut:?}");
        assert_eq!(without_last_brackets("a (b (c) d)"), Some("a"));
        for text in ["a", "(a)", "r(48)", "a) b", ""] {
            assert_eq!(without_last_brackets(text), None, "{text}");
        }
    }
}
