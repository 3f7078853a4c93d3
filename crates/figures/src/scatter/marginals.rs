//! Histograms beside a single plot of points: of the horizontal values above it, of the vertical ones right of it.

use plotters::style::RGBColor;

use super::super::axis::{Axis, Plot, Scale};
use super::super::panels::Strips;
use super::super::sheet::{Rect, Sheet, cell, grouped};
use super::super::{ChartError, Style};

/// Fewest and most bins of a histogram.
const BINS: (f64, f64) = (5.0, 30.0);
/// Share of the axis that the bar takes where all values are the same.
const ONE_VALUE: f64 = 0.03;
/// Space between the plot and a histogram in millimetres.
const GAP_MM: f64 = 0.8;
/// The colour of the bars: a grey, for they count the points of all groups.
const BARS: RGBColor = RGBColor(166, 166, 166);

/// Room for the histograms.
pub(super) fn strips(style: &Style) -> Strips {
    let height = histogram_mm(style) + GAP_MM;
    Strips { above_mm: height, right_mm: height, below_mm: 0.0 }
}

/// Height of the highest bar in millimetres.
fn histogram_mm(style: &Style) -> f64 {
    (0.11 * style.width_mm).clamp(9.0, 15.0)
}

/// The histograms of both axes.
pub(super) struct Marginals {
    x: Vec<Bin>,
    y: Vec<Bin>,
}

/// One bar of a histogram.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bin {
    /// Ends in units of the data; the upper one is of the next bin, except in the last.
    pub low: f64,
    pub high: f64,
    /// The same as shares of the axis; half a unit may lie beyond it.
    pub shares: (f64, f64),
    pub count: usize,
}

impl Bin {
    /// Height of the bar for bars whose area is their count.
    fn density(&self) -> f64 {
        self.count as f64 / (self.shares.1 - self.shares.0).max(1e-9)
    }
}

impl Marginals {
    /// Counts of the points that both axes hold.
    pub fn new(x: &Axis, y: &Axis, points: impl Iterator<Item = (f64, f64)>) -> Self {
        let (all_x, all_y) = points.filter(|&(at_x, at_y)| x.holds(at_x) && y.holds(at_y)).unzip();
        Self { x: bins(x, all_x), y: bins(y, all_y) }
    }

    /// Addition to the text on how to read the figure.
    pub fn reading(&self, point: &str) -> String {
        let fullest = |bins: &[Bin]| bins.iter().map(|bin| bin.count).max().unwrap_or(0) as u64;
        let (x, y) = (grouped(fullest(&self.x)), grouped(fullest(&self.y)));
        format!(
            "; the areas of the bars above and at the right count {point}s, {x} in the fullest bar above and {y} in \
             that at the right"
        )
    }

    /// The numbers of the bars, as rows of the data: the count stands in the column of its own direction.
    pub fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        let row = |kind: &str, x: String, y: String, bin: &Bin| {
            vec![kind.to_owned(), x, y, cell(bin.low), cell(bin.high), String::new()]
        };
        let above = self.x.iter().map(move |bin| row("bar above", String::new(), bin.count.to_string(), bin));
        let right = self.y.iter().map(move |bin| row("bar at the right", bin.count.to_string(), String::new(), bin));
        above.chain(right)
    }

    /// Draws both beside the plot.
    pub fn draw(&self, sheet: &Sheet, plot: &Plot) -> Result<(), ChartError> {
        let (place, most_mm) = (plot.place, histogram_mm(sheet.style));
        let highest = |bins: &[Bin]| bins.iter().map(Bin::density).fold(f64::MIN_POSITIVE, f64::max);
        let (highest_x, highest_y) = (highest(&self.x), highest(&self.y));
        for bin in self.x.iter().filter(|bin| bin.count > 0) {
            let height = most_mm * bin.density() / highest_x;
            let (left, width) = along(place.left, place.width, bin.shares);
            let bar = Rect { left, top: place.top - GAP_MM - height, width, height };
            sheet.fill(&bar.corners(), BARS, 1.0)?;
        }
        for bin in self.y.iter().filter(|bin| bin.count > 0) {
            let width = most_mm * bin.density() / highest_y;
            let (low, high) = bin.shares;
            let (top, height) = along(place.top, place.height, (1.0 - high, 1.0 - low));
            let bar = Rect { left: place.right() + GAP_MM, top, width, height };
            sheet.fill(&bar.corners(), BARS, 1.0)?;
        }
        Ok(())
    }
}

/// Start and length of a bar, cut at the ends of the axis and a hairline shorter than its bin, so that neighbours
/// stay apart.
fn along(start: f64, length: f64, (low, high): (f64, f64)) -> (f64, f64) {
    let (low, high) = (low.max(0.0), high.min(1.0));
    (start + low * length, ((high - low) * length - 0.12).max(0.1))
}

/// Bins between the least and the greatest value. Their number is about the square root of the number of values. Whole
/// numbers are never split within a bin's border, so bins may differ in width; bars show counts by area.
fn bins(axis: &Axis, values: Vec<f64>) -> Vec<Bin> {
    let ends = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)));
    if ends.0 > ends.1 {
        return Vec::new();
    }
    let wanted = (values.len() as f64).sqrt().round().clamp(BINS.0, BINS.1);
    let edges = edges(axis, ends, wanted, values.iter().all(|value| value.fract() == 0.0));
    let mut counts = vec![0; edges.len() - 1];
    for value in values {
        let above = edges[1..edges.len() - 1].partition_point(|&edge| edge <= value);
        counts[above] += 1;
    }
    let bin = |(pair, &count): (&[f64], &usize)| Bin {
        low: pair[0],
        high: pair[1],
        shares: (axis.share(pair[0]), axis.share(pair[1])),
        count,
    };
    edges.windows(2).zip(&counts).map(bin).collect()
}

/// The borders of the bins, rising, at least two.
fn edges(axis: &Axis, (low, high): (f64, f64), wanted: f64, whole: bool) -> Vec<f64> {
    let value_at = |share: f64| match axis.scale {
        Scale::Linear => axis.low + share * (axis.high - axis.low),
        Scale::Log | Scale::Ratio => axis.low * (axis.high / axis.low).powf(share),
    };
    // Beyond that, halves are lost in the digits of the numbers.
    let whole = whole && high < 1e12 && low > -1e12;
    let edges: Vec<f64> = match (axis.scale, whole) {
        (_, false) if low == high => [-0.5, 0.5].map(|side| value_at(axis.share(low) + side * ONE_VALUE)).to_vec(),
        (Scale::Linear, true) => {
            let width = ((high - low + 1.0) / wanted).ceil();
            let bins = ((high - low + 1.0) / width).ceil() as usize;
            (0..=bins).map(|bin| low - 0.5 + bin as f64 * width).collect()
        }
        (scale, whole) => {
            let ends = (axis.share(low), axis.share(high));
            let step = (ends.1 - ends.0) / wanted;
            let inner = (1..wanted as usize).map(|edge| value_at(ends.0 + edge as f64 * step));
            let inner = inner.map(|edge| if whole { edge.floor() + 0.5 } else { edge });
            let room = if whole && scale != Scale::Linear { 0.5 } else { 0.0 };
            [low - room].into_iter().chain(inner).chain([high + room]).collect()
        }
    };
    let mut rising: Vec<f64> = Vec::with_capacity(edges.len());
    for edge in edges {
        if rising.last().is_none_or(|&last| edge > last) {
            rising.push(edge);
        }
    }
    rising
}
