//! Places of the cells of a correlation matrix, and their drawing.

use super::super::rows::Rows;
use super::super::sheet::{
    MARGIN, Mark, Number, PALE, Pen, Rect, SOFT_INK, Sheet, TextStyle, Translated, diverging, readable_on,
};
use super::super::{ChartError, Style};
use super::triangle::{Block, Pair, Triangle};

/// The widest and the highest cell in millimetres: larger ones would look like posters.
const MOST_MM: (f64, f64) = (20.0, 7.0);
/// Height of a row whose name takes two lines, in em.
const TWO_LINES_EM: f64 = 2.64;
/// Width of a cell that turned digits need, in em: their height is 0.73.
const TURNED_EM: f64 = 0.9;
/// The longest name below a column in millimetres.
const TURNED_MM: f64 = 30.0;
/// Space between the cells and what stands below them in millimetres.
const BELOW_GAP_MM: f64 = 0.8;

/// Direction of coefficients in their cells.
#[derive(Clone, Copy)]
enum Print {
    Across,
    /// Turned, to be read from below.
    Upwards,
    /// Not at all: significant ones get a dot.
    Dots,
}

/// One page: a block of cells with its names.
pub(super) struct Layout {
    pub block: Block,
    rows: Rows,
    width_mm: f64,
    print: Print,
    /// Names below the columns.
    feet: Vec<Translated>,
    feet_turned: bool,
    feet_mm: f64,
}

impl Layout {
    /// The layout of a block; `named` for names and not only numbers below the columns, which blocks beside the
    /// diagonal need.
    pub fn new(
        measures: &[String],
        triangle: &Triangle,
        block: Block,
        named: bool,
        style: &Style,
        room_mm: f64,
    ) -> Result<Self, ChartError> {
        // The last column of a block on the diagonal would hold no cell.
        let on_diagonal = block.rows == block.columns;
        let columns = block.columns.start..(block.columns.end - usize::from(on_diagonal));
        let block = Block { rows: block.rows, columns };
        let labels: Vec<Translated> = block.rows.clone().map(|row| numbered(measures, row, &style.small())).collect();
        let em = style.small().em_mm();
        let first = Rows::new(&labels, style, f64::INFINITY, (1.5 * em, 1.5 * em))?;
        let width = style.width_mm - 2.0 * MARGIN - first.left_mm();
        let width = (width / block.columns.len().max(1) as f64).min(MOST_MM.0);
        let (feet, feet_turned, feet_mm) = feet(measures, &block, named, width, style)?;
        let needs: Vec<f64> = (0..labels.len()).map(|row| first.height_mm(&(row..row + 1))).collect();
        // Rows of one height, save for names of three lines, which would stretch all others.
        let least = needs.iter().copied().fold(0.0_f64, f64::max).min(TWO_LINES_EM * em);
        let fits = |height: f64| needs.iter().map(|need| need.max(height)).sum::<f64>() <= room_mm - feet_mm;
        let (print, height) = print(triangle, &block, style, (width, least), fits)?;
        let rows = Rows::new(&labels, style, f64::INFINITY, (height, height))?;
        Ok(Self { block, rows, width_mm: width, print, feet, feet_turned, feet_mm })
    }

    pub fn height_mm(&self) -> f64 {
        self.rows_mm() + self.feet_mm
    }

    /// `true` if turned names below neighbouring columns do not touch.
    pub fn has_room(&self, style: &Style) -> bool {
        self.block.columns.len() < 2 || self.width_mm >= 1.05 * style.small().em_mm()
    }

    fn rows_mm(&self) -> f64 {
        self.rows.height_mm(&(0..self.block.rows.len()))
    }

    /// `true` if coefficients are printed in the cells.
    pub fn shows_text(&self) -> bool {
        !matches!(self.print, Print::Dots)
    }

    pub fn draw(&self, sheet: &Sheet, body: Rect, triangle: &Triangle) -> Result<(), ChartError> {
        let (left, width) = (body.left + self.rows.left_mm(), self.width_mm);
        let field = Rect { left, width: body.right() - left, ..body };
        let places = self.rows.places(&(0..self.block.rows.len()), field);
        for &(row, place) in &places {
            self.rows.draw_name(sheet, row, place)?;
        }
        for (row, column) in triangle.cells(&self.block) {
            let left = left + (column - self.block.columns.start) as f64 * width;
            let (_, place) = places[row - self.block.rows.start];
            self.draw_cell(sheet, Rect { left, width, ..place }, triangle.get(row, column))?;
        }
        let small = sheet.style.small();
        let base = body.top + self.rows_mm() + BELOW_GAP_MM;
        for (index, foot) in self.feet.iter().enumerate() {
            let middle = left + (index as f64 + 0.5) * width;
            match self.feet_turned {
                true => sheet.text(middle + small.half_cap_mm(), base, foot, small.upwards().right())?,
                false => sheet.text(middle, base + 0.75 * small.em_mm(), foot, small.centre())?,
            }
        }
        Ok(())
    }

    fn draw_cell(&self, sheet: &Sheet, place: Rect, pair: Option<&Pair>) -> Result<(), ChartError> {
        let (x, y) = place.centre();
        let Some((pair, value)) = pair.and_then(|pair| Some((pair, pair.estimate?))) else {
            sheet.outline(&place.corners(), Pen::new(PALE, 0.3))?;
            let size = (0.25 * place.width.min(place.height)).min(0.8);
            return sheet.mark((x, y), size, Mark::Cross(SOFT_INK), 1.0);
        };
        let ground = diverging(value);
        sheet.fill(&place.corners(), ground, 1.0)?;
        sheet.outline(&place.corners(), Pen::new(PALE, 0.3))?;
        let ink = readable_on(ground);
        let font = sheet.style.small().colour(ink).centre();
        let font = if pair.significant { font.bold() } else { font };
        let number = Number::new(apa(value));
        match self.print {
            Print::Across => sheet.text(x, y + font.half_cap_mm(), &number, font),
            Print::Upwards => sheet.text(x + font.half_cap_mm(), y, &number, font.upwards()),
            Print::Dots if pair.significant => {
                sheet.disc((x, y), (0.22 * place.width.min(place.height)).min(0.6), ink, 1.0)
            }
            Print::Dots => Ok(()),
        }
    }
}

/// The name of a measure with its number.
fn numbered(measures: &[String], measure: usize, font: &TextStyle) -> Translated {
    Translated::as_is(format!("{}. {}", measure + 1, &*font.translate(&measures[measure])))
}

/// Names below the columns, `true` if they are turned, and the room that they take.
fn feet(
    measures: &[String],
    block: &Block,
    named: bool,
    width: f64,
    style: &Style,
) -> Result<(Vec<Translated>, bool, f64), ChartError> {
    let small = style.small();
    let mut feet = Vec::with_capacity(block.columns.len());
    let mut widest = 0.0_f64;
    for column in block.columns.clone() {
        let text = if named { numbered(measures, column, &small) } else { Translated::as_is((column + 1).to_string()) };
        let text = small.cut(&text, TURNED_MM)?;
        widest = widest.max(small.width_of(&text)?);
        feet.push(text);
    }
    let turned = named || widest + 0.3 * small.em_mm() > width;
    Ok((feet, turned, BELOW_GAP_MM + if turned { widest + 0.3 } else { small.em_mm() }))
}

/// Print of coefficients in cells of a width, and the least height of the rows; higher ones than `least` only
/// where all of them still fit.
fn print(
    triangle: &Triangle,
    block: &Block,
    style: &Style,
    (width, least): (f64, f64),
    fits: impl Fn(f64) -> bool,
) -> Result<(Print, f64), ChartError> {
    let higher = |height: f64| if height > least && fits(height) { height } else { least };
    let widest = |font: TextStyle| -> Result<f64, ChartError> {
        let mut widest = 0.0_f64;
        for pair in triangle.cells(block).filter_map(|(row, column)| triangle.get(row, column)) {
            let font = if pair.significant { font.bold() } else { font };
            widest = widest.max(pair.estimate.map_or(Ok(0.0), |value| font.width_of(&Number::new(apa(value))))?);
        }
        Ok(widest)
    };
    let font = style.small();
    let number_mm = widest(font)?;
    if number_mm + 0.5 <= width {
        // Flat cells: names beside them are flat too, and the figure stays low.
        return Ok((Print::Across, higher((0.62 * width).min(MOST_MM.1))));
    }
    let height = (number_mm + 0.7).max(least);
    if TURNED_EM * font.em_mm() <= width && fits(height) {
        return Ok((Print::Upwards, height));
    }
    Ok((Print::Dots, higher(width.min(MOST_MM.1))))
}

/// A coefficient in the style of the APA: two decimals, no zero before the point. What is neither 0 nor 1 is printed as
/// neither: with three decimals, or as beyond what a number about as wide as `−1.00` can say, so that it fits its cell.
pub(super) fn apa(coefficient: f64) -> String {
    let (size, is_negative) = (coefficient.abs(), coefficient < 0.0);
    let text = |decimals: usize| format!("{size:.decimals$}");
    let is_end = |digits: &String| digits.starts_with('1') || digits.bytes().all(|digit| matches!(digit, b'0' | b'.'));
    let is_exact = size == 0.0 || size == 1.0;
    match ([2, 3].map(text).into_iter().find(|digits| is_exact || !is_end(digits)), is_negative) {
        (Some(digits), _) => {
            format!("{}{}", if is_negative { "−" } else { "" }, digits.strip_prefix('0').unwrap_or(&digits))
        }
        (None, false) => if size < 0.5 { "<.001" } else { ">.999" }.to_owned(),
        (None, true) => if size < 0.5 { ">−.01" } else { "<−.99" }.to_owned(),
    }
}
