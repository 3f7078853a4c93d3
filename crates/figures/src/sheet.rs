//! The sheet that figures are drawn on: plotters' drawing area, in millimetres.

use plotters::coord::Shift;
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon, Text};
use plotters::prelude::{DrawingArea, IntoDrawingArea};
use plotters::style::text_anchor::{Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, RGBColor, ShapeStyle};

pub(super) use super::colours::*;
use super::error::ChartError;
use super::label::Label;
use super::message::Message;
use super::series::{LINE_PT, SeriesMark, Shape};
use super::style::Style;
use super::svg::{BASELINE_EM, FAMILY, SvgBackend, UNITS_PER_MM, units};
use super::text::draw_error;
pub(super) use super::text::{MM_PER_PT, Number, TextStyle, Translatable, Translated, cell, grouped, widest};

/// Free border around every figure, in millimetres.
pub(super) const MARGIN: f64 = 1.5;

/// A rectangle in millimetres from the upper left corner of the sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub fn centre(&self) -> (f64, f64) {
        (self.left + self.width / 2.0, self.top + self.height / 2.0)
    }

    pub fn corners(&self) -> [(f64, f64); 4] {
        let (right, bottom) = (self.right(), self.bottom());
        [(self.left, self.top), (right, self.top), (right, bottom), (self.left, bottom)]
    }

    /// The same rectangle without a border on each side.
    pub fn inset(&self, mm: f64) -> Self {
        let (width, height) = ((self.width - 2.0 * mm).max(0.0), (self.height - 2.0 * mm).max(0.0));
        Self { left: self.left + mm, top: self.top + mm, width, height }
    }
}

/// A line's colour and its width in points.
#[derive(Clone, Copy)]
pub struct Pen {
    colour: RGBAColor,
    width_pt: f64,
}

impl Pen {
    pub fn new(colour: RGBColor, width_pt: f64) -> Self {
        Self { colour: colour.mix(1.0), width_pt }
    }

    pub fn alpha(self, alpha: f64) -> Self {
        // Three digits suffice for a screen and keep the file short.
        Self { colour: RGBAColor(self.colour.0, self.colour.1, self.colour.2, (alpha * 1e3).round() / 1e3), ..self }
    }

    fn style(&self) -> ShapeStyle {
        let width = (self.width_pt.max(0.3) * MM_PER_PT * UNITS_PER_MM).ceil() as u32;
        ShapeStyle { color: self.colour, filled: false, stroke_width: width }
    }
}

/// A shape that stands for a datum or, in a legend, for its meaning.
#[derive(Clone, Copy)]
pub enum Mark {
    Disc(RGBColor),
    Square(RGBColor),
    Diamond(RGBColor),
    Triangle(RGBColor),
    Cross(RGBColor),
    /// A diamond with a dark rim, which stands out among any other marks.
    RimmedDiamond(RGBColor),
    /// A filled field, as of a bar or a band.
    Field(RGBColor, f64),
    /// A box with a line at its median.
    Quartiles,
    Line(Pen),
    Dashed(Pen),
    /// A short upright line, as for a censored observation.
    Tick(Pen),
    /// The mark of one series among several.
    Series(SeriesMark),
}

/// Half the height of [`Mark::Tick`] in millimetres.
const TICK_HALF_MM: f64 = 0.8;
/// Width of a mark in a legend in millimetres.
pub(super) const MARK_MM: f64 = 4.0;

/// The sheet of one figure.
pub(super) struct Sheet<'a> {
    area: DrawingArea<SvgBackend<'a>, Shift>,
    pub style: &'a Style,
}

impl<'a> Sheet<'a> {
    /// A sheet to be drawn on with a backend.
    pub fn new(backend: SvgBackend<'a>, style: &'a Style) -> Self {
        Self { area: backend.into_drawing_area(), style }
    }

    /// Ends the drawing.
    pub fn finish(self) -> Result<(), ChartError> {
        self.area.present().map_err(draw_error)
    }

    pub fn line(&self, points: &[(f64, f64)], pen: Pen) -> Result<(), ChartError> {
        self.area.draw(&PathElement::new(in_units(points), pen.style())).map_err(draw_error)
    }

    pub fn dashed(&self, points: &[(f64, f64)], pen: Pen) -> Result<(), ChartError> {
        self.dashed_in(points, pen, 1.0)
    }

    /// A dashed line whose dashes and gaps are this share of the usual ones.
    pub fn dashed_in(&self, points: &[(f64, f64)], pen: Pen, share: f64) -> Result<(), ChartError> {
        let (dash, gap) = (units(1.2 * share), units(0.8 * share));
        self.area
            .draw(&DashedPathElement::new(in_units(points), dash.max(1), gap.max(1), pen.style()))
            .map_err(draw_error)
    }

    /// A closed line.
    pub fn outline(&self, points: &[(f64, f64)], pen: Pen) -> Result<(), ChartError> {
        // The second point again: a closed corner instead of two ends.
        let closed: Vec<_> = points.iter().chain(points.iter().take(2)).copied().collect();
        self.line(&closed, pen)
    }

    pub fn fill(&self, points: &[(f64, f64)], colour: RGBColor, alpha: f64) -> Result<(), ChartError> {
        let alpha = (alpha * 1e3).round() / 1e3;
        self.area.draw(&Polygon::new(in_units(points), colour.mix(alpha).filled())).map_err(draw_error)
    }

    pub fn disc(&self, (x, y): (f64, f64), radius: f64, colour: RGBColor, alpha: f64) -> Result<(), ChartError> {
        let alpha = (alpha * 1e3).round() / 1e3;
        let disc = Circle::new((units(x), units(y)), units(radius).max(1), colour.mix(alpha).filled());
        self.area.draw(&disc).map_err(draw_error)
    }

    /// A circle that is not filled.
    pub fn ring(&self, (x, y): (f64, f64), radius: f64, pen: Pen) -> Result<(), ChartError> {
        let ring = Circle::new((units(x), units(y)), units(radius).max(1), pen.style());
        self.area.draw(&ring).map_err(draw_error)
    }

    /// Text whose base line starts, ends or has its middle at the point, as its alignment says.
    pub fn text(
        &self,
        x: f64,
        y: f64,
        words: &(impl Translatable + ?Sized),
        font: TextStyle,
    ) -> Result<(), ChartError> {
        let size = font.em_mm() * UNITS_PER_MM;
        let style = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        let turn = if font.upwards { FontTransform::Rotate270 } else { FontTransform::None };
        let drop = BASELINE_EM * font.em_mm();
        let at = if font.upwards { (units(x - drop), units(y)) } else { (units(x), units(y - drop)) };
        let face = FontDesc::new(FontFamily::Name(FAMILY), size, style).transform(turn);
        let style = plotters::style::TextStyle::from(face).color(&font.colour).pos(Pos::new(font.align, VPos::Top));
        self.area.draw(&Text::new(words.translated(&font), at, style)).map_err(draw_error)
    }

    /// A mark with its middle at the point; `size` is the radius of a disc of the same weight.
    pub fn mark(&self, (x, y): (f64, f64), size: f64, mark: Mark, alpha: f64) -> Result<(), ChartError> {
        match mark {
            Mark::Disc(colour) => self.disc((x, y), size, colour, alpha),
            Mark::Square(colour) => self.fill(&around((x, y), size * 0.89).corners(), colour, alpha),
            Mark::Diamond(colour) => {
                let r = size * 1.25;
                self.fill(&[(x, y - r), (x + r, y), (x, y + r), (x - r, y)], colour, alpha)
            }
            Mark::RimmedDiamond(colour) => {
                self.mark((x, y), size + 0.4, Mark::Diamond(WHITE), 1.0)?;
                self.mark((x, y), size + 0.22, Mark::Diamond(INK), 1.0)?;
                self.mark((x, y), size, Mark::Diamond(colour), 1.0)
            }
            Mark::Triangle(colour) => {
                let r = size * 1.35;
                self.fill(&[(x, y - r), (x + 0.866 * r, y + 0.5 * r), (x - 0.866 * r, y + 0.5 * r)], colour, alpha)
            }
            Mark::Cross(colour) => {
                let pen = Pen::new(colour, 0.6).alpha(alpha);
                self.line(&[(x - size, y - size), (x + size, y + size)], pen)?;
                self.line(&[(x - size, y + size), (x + size, y - size)], pen)
            }
            Mark::Field(colour, alpha) => {
                let field = Rect { left: x - MARK_MM / 2.0, top: y - 0.9, width: MARK_MM, height: 1.8 };
                self.fill(&field.corners(), colour, alpha)
            }
            Mark::Quartiles => {
                let field = Rect { left: x - 0.6, top: y - 1.0, width: 1.2, height: 2.0 };
                self.fill(&field.corners(), PALE, 1.0)?;
                self.outline(&field.corners(), Pen::new(INK, 0.6))?;
                self.line(&[(x - 0.6, y), (x + 0.6, y)], Pen::new(INK, 1.4))
            }
            Mark::Line(pen) => self.line(&[(x - MARK_MM / 2.0, y), (x + MARK_MM / 2.0, y)], pen),
            Mark::Dashed(pen) => self.dashed(&[(x - MARK_MM / 2.0, y), (x + MARK_MM / 2.0, y)], pen),
            Mark::Tick(pen) => self.line(&[(x, y - TICK_HALF_MM), (x, y + TICK_HALF_MM)], pen),
            Mark::Series(mark) => self.series_mark((x, y), size, mark, alpha),
        }
    }

    fn series_mark(&self, at: (f64, f64), size: f64, mark: SeriesMark, alpha: f64) -> Result<(), ChartError> {
        if mark.joined {
            self.mark(at, size, Mark::Line(Pen::new(mark.colour, LINE_PT)), 1.0)?;
        }
        let pen = Pen::new(mark.colour, 0.6);
        match (mark.shape, mark.open) {
            (Shape::Disc, false) => self.disc(at, size, mark.colour, alpha),
            (Shape::Disc, true) => {
                self.disc(at, size, WHITE, 1.0)?;
                self.ring(at, size, pen)
            }
            (_, false) => self.fill(&mark.corners(at, size), mark.colour, alpha),
            (_, true) => {
                let corners = mark.corners(at, size);
                self.fill(&corners, WHITE, 1.0)?;
                self.outline(&corners, pen)
            }
        }
    }

    /// `no data` and the reason, in the middle of a rectangle.
    pub fn no_data(&self, place: Rect, reason: &Label) -> Result<(), ChartError> {
        let font = self.style.label().colour(SOFT_INK).centre();
        let mut text = font.translate(&Message::NoData);
        if !reason.is_empty() {
            text = Translated::as_is(format!("{}: {}", &*text, &*font.translate(reason)));
        }
        let lines = font.wrapped(&text, place.width - 2.0)?;
        let (x, middle) = place.centre();
        let first = middle - (lines.len() as f64 - 1.0) / 2.0 * font.line_mm() + font.half_cap_mm();
        for (index, line) in lines.iter().enumerate() {
            self.text(x, first + index as f64 * font.line_mm(), line, font)?;
        }
        Ok(())
    }
}

/// The square around a point.
pub(super) fn around((x, y): (f64, f64), half: f64) -> Rect {
    Rect { left: x - half, top: y - half, width: 2.0 * half, height: 2.0 * half }
}

fn in_units(points: &[(f64, f64)]) -> Vec<(i32, i32)> {
    points.iter().map(|&(x, y)| (units(x), units(y))).collect()
}
