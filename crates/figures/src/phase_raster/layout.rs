//! Heights of the rows of a raster, the rows that are named, and their pages.

use super::attempts::Group;
use crate::sheet::{MARGIN, Rect};
use crate::{ChartError, Style};

/// Least and greatest height of a row in millimetres.
const ROW_MM: (f64, f64) = (1.2, 5.0);
/// Space between the names and the plot in millimetres.
const GAP_MM: f64 = 1.2;
/// Number of halvings of a range of heights: millimetres become less than a thousandth.
const HALVINGS: usize = 18;

/// One line of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Line {
    /// The head of a group; `continued` where the group began on an earlier page.
    Head { group: usize, continued: bool },
    /// An attempt of a group.
    Attempt { group: usize, row: usize },
}

/// A line and the place that it has.
pub(super) struct PlacedLine {
    pub line: Line,
    pub place: Rect,
}

/// Heights in millimetres, and the lines of every page.
pub(super) struct Layout {
    pitch: f64,
    head_mm: f64,
    pub names_mm: f64,
    /// Every how many rows of a group one is named.
    pub stride: usize,
    pub pages: Vec<Vec<Line>>,
}

impl Layout {
    /// Rows as high as fit `room_mm`; where not even the lowest do, several pages of them.
    pub fn new(groups: &[Group], style: &Style, room_mm: f64) -> Result<Self, ChartError> {
        let small = style.small();
        let head_mm = 1.5 * style.label().em_mm();
        let rows: usize = groups.iter().map(|group| group.attempts.len()).sum();
        let heads = groups.iter().filter(|group| has_head(group)).count();
        let one_page = (room_mm - heads as f64 * head_mm) / rows.max(1) as f64;
        let pitch = one_page.clamp(ROW_MM.0, ROW_MM.1);
        let stride = (1.08 * small.em_mm() / pitch).ceil().max(1.0) as usize;
        let widest = 0.3 * (style.width_mm - 2.0 * MARGIN);
        let mut names_mm = 0.0_f64;
        for attempt in groups.iter().flat_map(|group| &group.attempts) {
            names_mm = names_mm.max(small.width_of(&attempt.label)?.min(widest));
        }
        let mut layout = Self { pitch, head_mm, names_mm, stride, pages: Vec::new() };
        layout.pages = layout.evenly(groups, room_mm);
        Ok(layout)
    }

    /// Room that the names take beside the plot, in millimetres.
    pub fn left_mm(&self) -> f64 {
        if self.names_mm > 0.0 { self.names_mm + GAP_MM } else { 0.0 }
    }

    /// Height of the lines of a page in millimetres.
    pub fn height_mm(&self, lines: &[Line]) -> f64 {
        lines.iter().map(|line| self.line_mm(line)).sum()
    }

    fn line_mm(&self, line: &Line) -> f64 {
        if matches!(line, Line::Head { .. }) { self.head_mm } else { self.pitch }
    }

    /// The lines of a page with their places.
    pub fn places(&self, lines: &[Line], plot: Rect) -> Vec<PlacedLine> {
        let mut top = plot.top;
        let mut places = Vec::with_capacity(lines.len());
        for &line in lines {
            let height = self.line_mm(&line);
            places.push(PlacedLine { line, place: Rect { top, height, ..plot } });
            top += height;
        }
        places
    }

    /// As few pages as the room allows, about as high each.
    fn evenly(&self, groups: &[Group], room_mm: f64) -> Vec<Vec<Line>> {
        let mut best = self.filled(groups, room_mm);
        let (mut low, mut high) = (0.0, room_mm);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            let pages = self.filled(groups, middle);
            if pages.len() <= best.len() && pages.iter().all(|lines| self.height_mm(lines) <= room_mm + 0.01) {
                (best, high) = (pages, middle);
            } else {
                low = middle;
            }
        }
        best
    }

    /// Pages filled one after the other up to a height. A head never stands alone at the end of a page.
    fn filled(&self, groups: &[Group], height_mm: f64) -> Vec<Vec<Line>> {
        let mut pages: Vec<Vec<Line>> = Vec::new();
        let mut used = f64::INFINITY;
        for (group, content) in groups.iter().enumerate() {
            for row in 0..content.attempts.len() {
                let head = has_head(content).then_some(Line::Head { group, continued: row > 0 });
                let head_mm = if head.is_some() { self.head_mm } else { 0.0 };
                let needed = self.pitch + if row == 0 { head_mm } else { 0.0 };
                // A hundredth of a millimetre forgives the rounding of the sum.
                let opens = used + needed > height_mm + 0.01;
                if opens {
                    pages.push(Vec::new());
                    used = 0.0;
                }
                let Some(page) = pages.last_mut() else {
                    continue;
                };
                if let Some(head) = head.filter(|_| opens || row == 0) {
                    page.push(head);
                    used += head_mm;
                }
                page.push(Line::Attempt { group, row });
                used += self.pitch;
            }
        }
        pages
    }
}

fn has_head(group: &Group) -> bool {
    !group.head.title.is_empty() && !group.attempts.is_empty()
}
