//! Series that share a plot: each has a colour and a shape, so that it is known without colour too.

use plotters::style::RGBColor;

use super::colours::{INK, OKABE_ITO};

/// The most series that one plot keeps apart.
pub(super) const MOST_SERIES: usize = 8;

/// The grey that stands in for the yellow of Okabe and Ito (2008), which a thin line on white paper loses.
const GREY: RGBColor = RGBColor(153, 153, 153);

/// Shapes that stay apart when they are small, filled or open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Disc,
    Triangle,
    Square,
    Diamond,
    /// A triangle that stands on its tip.
    Wedge,
    Plus,
    Cross,
    Hourglass,
}

const SHAPES: [Shape; MOST_SERIES] = [
    Shape::Disc,
    Shape::Triangle,
    Shape::Square,
    Shape::Diamond,
    Shape::Wedge,
    Shape::Plus,
    Shape::Cross,
    Shape::Hourglass,
];

/// The mark of a series.
#[derive(Clone, Copy)]
pub struct SeriesMark {
    pub shape: Shape,
    pub colour: RGBColor,
    /// Only its rim is coloured.
    pub open: bool,
    /// A line runs through it, as in a legend.
    pub joined: bool,
}

impl SeriesMark {
    /// The mark of the series with this number, from 0; from [`MOST_SERIES`] on they repeat.
    pub fn new(series: usize) -> Self {
        let (colour, shape) = (colour_of(series), SHAPES[series % MOST_SERIES]);
        Self { shape, colour, open: false, joined: false }
    }

    /// The black open disc by which a legend explains open marks of any series.
    pub fn any_open() -> Self {
        Self { shape: Shape::Disc, colour: INK, open: true, joined: false }
    }

    pub fn open(self) -> Self {
        Self { open: true, ..self }
    }

    pub fn joined(self) -> Self {
        Self { joined: true, ..self }
    }

    /// The corners of its shape around a point; `size` is the radius of a disc of the same weight.
    pub fn corners(&self, (x, y): (f64, f64), size: f64) -> Vec<(f64, f64)> {
        let placed = |corners: &[(f64, f64)]| corners.iter().map(|(dx, dy)| (x + size * dx, y + size * dy)).collect();
        match self.shape {
            // A disc is drawn as a circle; its square would stand for it.
            Shape::Disc | Shape::Square => placed(&[(-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89)]),
            Shape::Triangle => placed(&[(0.0, -1.35), (1.17, 0.68), (-1.17, 0.68)]),
            Shape::Wedge => placed(&[(0.0, 1.35), (1.17, -0.68), (-1.17, -0.68)]),
            Shape::Diamond => placed(&[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]),
            Shape::Hourglass => placed(&[(-1.0, -1.15), (1.0, -1.15), (-1.0, 1.15), (1.0, 1.15)]),
            Shape::Plus => placed(&PLUS),
            Shape::Cross => {
                let turned = PLUS.map(|(dx, dy)| ((dx - dy) * 0.5_f64.sqrt(), (dx + dy) * 0.5_f64.sqrt()));
                placed(&turned)
            }
        }
    }
}

/// Width of the lines that join the marks of a series, in points.
pub(super) const LINE_PT: f64 = 0.6;

const ARM: f64 = 0.38;
const TIP: f64 = 1.25;
const PLUS: [(f64, f64); 12] = [
    (-ARM, -TIP),
    (ARM, -TIP),
    (ARM, -ARM),
    (TIP, -ARM),
    (TIP, ARM),
    (ARM, ARM),
    (ARM, TIP),
    (-ARM, TIP),
    (-ARM, ARM),
    (-TIP, ARM),
    (-TIP, -ARM),
    (-ARM, -ARM),
];

/// The colour of the series with this number, from 0.
pub(super) fn colour_of(series: usize) -> RGBColor {
    OKABE_ITO.get(series % MOST_SERIES).copied().unwrap_or(GREY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_series_share_a_colour_or_a_shape() {
        let marks: Vec<SeriesMark> = (0..MOST_SERIES).map(SeriesMark::new).collect();
        for (index, a) in marks.iter().enumerate() {
            for b in &marks[index + 1..] {
                assert!(a.colour != b.colour && a.shape != b.shape, "series {index} and a later one");
            }
        }
    }

    #[test]
    fn shapes_are_of_about_the_same_weight() {
        // The area of a polygon by the shoelace formula. A disc of radius 1 has π.
        let area = |corners: &[(f64, f64)]| {
            let next = corners.iter().cycle().skip(1);
            let twice: f64 = corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
            (twice / 2.0).abs()
        };
        for shape in [Shape::Square, Shape::Triangle, Shape::Wedge, Shape::Diamond, Shape::Plus, Shape::Cross] {
            let corners = SeriesMark { shape, ..SeriesMark::any_open() }.corners((5.0, 7.0), 1.0);
            assert!((1.9..=3.5).contains(&area(&corners)), "{shape:?}: {}", area(&corners));
        }
    }
}
