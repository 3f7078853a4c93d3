//! Rows with names down the side: how their names are broken, how high each is, how they fill pages.

use std::ops::Range;

use super::axis::Plot;
use super::chart::{Page, evenly};
use super::message::Message;
use super::sheet::{INK, MARGIN, PALE, Pen, Rect, SOFT_INK, Sheet, TextStyle, Translatable, Translated, WHITE};
use super::{ChartError, PlottedData, Style};

/// The most lines that a name takes; what does not fit is cut.
const NAME_LINES: usize = 3;
/// Number of halvings of the range of heights: millimetres become less than a thousandth.
const HALVINGS: usize = 14;
/// Space between the names and the plot in millimetres.
const GAP_MM: f64 = 1.2;
/// Distance between the lines of one name, in em.
const LEADING: f64 = 1.12;

/// The rows of a figure, over all of its pages.
pub(super) struct Rows {
    names: Vec<Vec<Translated>>,
    names_mm: f64,
    heights: Vec<f64>,
    pages: Vec<Range<usize>>,
}

impl Rows {
    /// Rows between `least_mm` and `most_mm` high, as high as fit `room_mm`; rows of a broken name are higher where
    /// it needs them to be.
    pub fn new(
        labels: &[impl Translatable],
        style: &Style,
        room_mm: f64,
        (least_mm, most_mm): (f64, f64),
    ) -> Result<Self, ChartError> {
        let small = style.small();
        let share = if style.width_mm < 100.0 { 0.42 } else { 0.36 };
        let widest = share * (style.width_mm - 2.0 * MARGIN);
        let names = labels.iter().map(|label| broken(&small, label, widest)).collect::<Result<Vec<_>, ChartError>>()?;
        let mut names_mm = 0.0_f64;
        for line in names.iter().flatten() {
            names_mm = names_mm.max(small.width_of(line)?);
        }
        let needed = |lines: usize| (lines.max(1) as f64 * LEADING + 0.4) * small.em_mm();
        let heights_for =
            |pitch: f64| -> Vec<f64> { names.iter().map(|lines| needed(lines.len()).max(pitch)).collect() };
        // The highest rows that fit one page; where none do, the lowest, on several pages.
        let fits = |pitch: f64| heights_for(pitch).iter().sum::<f64>() <= room_mm;
        let (mut low, mut high) = (least_mm, most_mm);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            if fits(middle) { low = middle } else { high = middle }
        }
        let heights = heights_for(if fits(most_mm) { most_mm } else { low });
        let pages = pages(&heights, room_mm);
        Ok(Self { names, names_mm, heights, pages })
    }

    /// Rows of each page; pages hold about as many rows each.
    pub fn pages(&self) -> &[Range<usize>] {
        &self.pages
    }

    /// A page for each range of rows, with `beside_mm` above and below them.
    pub fn on_pages<'a>(
        self,
        beside_mm: f64,
        data: impl Fn(Range<usize>) -> PlottedData,
        paint: impl Fn(&Sheet, Rect, &Self, &Range<usize>) -> Result<(), ChartError> + 'a,
    ) -> Vec<Page<'a>> {
        let page = |rows: &Range<usize>| (rows.clone(), data(rows.clone()), self.height_mm(rows) + beside_mm);
        Page::all(self.pages.iter().map(page).collect(), move |sheet, body, rows| paint(sheet, body, &self, rows))
    }

    /// Height of the lowest row of all pages in millimetres: what suits every row.
    pub fn least_mm(&self) -> f64 {
        self.heights.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Height of the rows of a page in millimetres.
    pub fn height_mm(&self, page: &Range<usize>) -> f64 {
        self.heights[page.clone()].iter().sum()
    }

    /// Room that the names take beside the plot, in millimetres.
    pub fn left_mm(&self) -> f64 {
        if self.names_mm > 0.0 { self.names_mm + GAP_MM } else { 0.0 }
    }

    /// The rows of a page with their places in the plot.
    pub fn places(&self, page: &Range<usize>, plot: Rect) -> Vec<(usize, Rect)> {
        let mut top = plot.top;
        let mut places = Vec::with_capacity(page.len());
        for row in page.clone() {
            places.push((row, Rect { top, height: self.heights[row], ..plot }));
            top += self.heights[row];
        }
        places
    }

    /// Draws the name of a row left of its place.
    pub fn draw_name(&self, sheet: &Sheet, row: usize, place: Rect) -> Result<(), ChartError> {
        let small = sheet.style.small();
        let lines = &self.names[row];
        let leading = LEADING * small.em_mm();
        let first = place.centre().1 - (lines.len() as f64 - 1.0) / 2.0 * leading + small.half_cap_mm();
        for (index, line) in lines.iter().enumerate() {
            sheet.text(place.left - GAP_MM, first + index as f64 * leading, line, small.right())?;
        }
        Ok(())
    }

    /// Draws a pale line through the middle of each row.
    pub fn draw_guides(sheet: &Sheet, places: &[(usize, Rect)]) -> Result<(), ChartError> {
        places.iter().try_for_each(|(_, row)| {
            let y = row.centre().1;
            sheet.line(&[(row.left, y), (row.right(), y)], Pen::new(PALE, 0.3))
        })
    }

    /// Says that a row has nothing to show, at its left end or in its middle.
    pub fn draw_no_value(sheet: &Sheet, row: Rect, centred: bool) -> Result<(), ChartError> {
        const NO_VALUE: Message = Message::NoValue;
        let font = sheet.style.label().colour(SOFT_INK);
        let (width, height) = (font.width_of(&NO_VALUE)? + 0.8, 1.3 * font.em_mm());
        let (centre, middle) = row.centre();
        let (left, x, font) = match centred {
            true => (centre - width / 2.0, centre, font.centre()),
            false => (row.left + 0.6, row.left + 1.0, font),
        };
        // The white field keeps the lines of the row and of a reference away from the letters.
        sheet.fill(&Rect { left, top: middle - height / 2.0, width, height }.corners(), WHITE, 1.0)?;
        sheet.text(x, middle + font.half_cap_mm(), &NO_VALUE, font)
    }

    /// Room below the rows for the axis and its title, in millimetres.
    pub fn below_mm(style: &Style) -> f64 {
        Plot::below_mm(&style.small()) + 1.3 * style.label().em_mm() + AXIS_GAP_MM
    }

    /// Draws the horizontal axis below the plot, its title at the bottom of the body.
    pub fn draw_axis(sheet: &Sheet, plot: &Plot, body: Rect) -> Result<(), ChartError> {
        let place = Rect { height: plot.place.height + AXIS_GAP_MM, ..plot.place };
        let axis = Plot { place, x: plot.x.clone(), y: plot.y.clone() };
        sheet.line(&[(place.left, place.bottom()), (place.right(), place.bottom())], Pen::new(INK, 0.5))?;
        axis.draw_x_ticks(sheet, true)?;
        axis.draw_x_title(sheet, body)
    }
}

/// Space between the last row and the axis in millimetres.
const AXIS_GAP_MM: f64 = 0.4;

/// Pages of about as many rows each, none higher than the room.
fn pages(heights: &[f64], room_mm: f64) -> Vec<Range<usize>> {
    let rows = heights.len();
    let split = |pages: usize| evenly(rows, pages).collect::<Vec<_>>();
    // A hundredth of a millimetre forgives the rounding of the sum.
    let fits = |range: &Range<usize>| heights[range.clone()].iter().sum::<f64>() <= room_mm + 0.01;
    (1..rows).map(split).find(|ranges| ranges.iter().all(fits)).unwrap_or_else(|| split(rows))
}

/// A name in as few lines as the width allows, at most [`NAME_LINES`], all about as long.
pub(super) fn broken(font: &TextStyle, name: &impl Translatable, width_mm: f64) -> Result<Vec<Translated>, ChartError> {
    let name = &font.translate(name);
    let mut lines = filled(font, name, width_mm)?;
    // A narrower column that needs no further line leaves no scrap such as a lone number in the last one.
    while (2..NAME_LINES).contains(&lines.len()) {
        let mut widest = 0.0_f64;
        for line in &lines {
            widest = widest.max(font.width_of(line)?);
        }
        let narrower = filled(font, name, widest - 0.1)?;
        if narrower.len() > lines.len() || narrower.iter().any(|line| line.ends_with('…')) {
            break;
        }
        lines = narrower;
    }
    Ok(lines)
}

/// The name's lines, each filled as far as it goes, broken behind spaces and the signs that join its parts.
fn filled(font: &TextStyle, name: &Translated, width_mm: f64) -> Result<Vec<Translated>, ChartError> {
    let mut lines: Vec<Translated> = Vec::new();
    for part in name.split_inclusive([' ', '+', '-', '_', '/', ',']) {
        let longer = lines.last().map(|line| Translated::as_is(format!("{}{part}", &**line)));
        let full = lines.len() == NAME_LINES;
        match (longer, lines.last_mut()) {
            (Some(longer), Some(line))
                if full || font.width_of(&Translated::as_is(longer.trim_end().to_owned()))? <= width_mm =>
            {
                *line = longer
            }
            _ => lines.push(Translated::as_is(part.to_owned())),
        }
    }
    lines.iter().map(|line| font.cut(&Translated::as_is(line.trim().to_owned()), width_mm)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Width;
    use super::*;

    #[test]
    fn long_names_are_broken_between_their_parts() {
        let font = TextStyle::new(6.0);
        let name = "collinear+collision+euclidean-min-min";
        assert_eq!(broken(&font, &name, 100.0).unwrap(), [name]);
        let lines = broken(&font, &name, 30.0).unwrap();
        assert!(lines.len() == 2 && lines.concat() == name, "{lines:?}");
        assert!(lines[0].ends_with(['+', '-']), "{lines:?}");
        let cut = broken(&font, &[name; 6].join("+"), 30.0).unwrap();
        assert!(cut.len() == NAME_LINES && cut[2].ends_with('…'), "{cut:?}");
        let lines = broken(&font, &"collision+manhattan-max-sum-2", 33.0).unwrap();
        assert!(lines.len() == 2 && lines[1].len() > 8, "{lines:?}");
        assert!(broken(&font, &"", 30.0).unwrap().is_empty());
    }

    #[test]
    fn every_row_stands_on_one_page_that_it_fits() {
        let style = Style::new(Width::Single);
        let labels = vec!["depth-first search with the longest of names"; 100];
        let rows = Rows::new(&labels, &style, 150.0, (3.0, 6.0)).unwrap();
        assert!(rows.pages().len() > 1);
        assert_eq!(rows.pages().iter().cloned().flatten().collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
        assert!(rows.pages().iter().all(|page| rows.height_mm(page) <= 150.01));
        let page =
            Rows::new(&["short", "depth-first search with the longest of names"], &style, 11.0, (3.0, 6.0)).unwrap();
        assert!(page.pages().len() == 1 && (page.height_mm(&(0..2)) - 11.0).abs() < 0.01, "{:?}", page.heights);
        assert!(page.heights[1] > page.heights[0] && page.least_mm() == page.heights[0], "{:?}", page.heights);
        let lengths: Vec<usize> = rows.pages().iter().map(Range::len).collect();
        assert!(lengths.iter().max().unwrap() - lengths.iter().min().unwrap() <= 1, "{lengths:?}");
    }
}
