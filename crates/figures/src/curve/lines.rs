//! The lines, bands and marks of curves, straight or as steps.

use super::super::ChartError;
use super::super::axis::{Axis, Plot};
use super::super::series::{SeriesMark, colour_of};
use super::super::sheet::{INK, Mark, Pen, Sheet};
use super::input::{Curve, Curves, Point};

/// Width of the lines in points.
pub(super) const LINE_PT: f64 = 0.9;
/// Width of the upright marks in points.
pub(super) const TICK_PT: f64 = 0.5;
/// Number of marks that tell a curve of steps from the others.
const TELLING: usize = 4;

/// Draws bands, reference, lines and marks, in this order.
pub(super) fn draw(sheet: &Sheet, plot: &Plot, chart: &Curves, curves: &[Curve]) -> Result<(), ChartError> {
    for (index, curve) in curves.iter().enumerate() {
        draw_band(sheet, plot, curve, chart.step, index)?;
    }
    if let Some(line) = &chart.reference {
        let y = plot.at(plot.x.low, line.value).1;
        sheet.dashed(&[(plot.place.left, y), (plot.place.right(), y)], Pen::new(INK, 0.6))?;
    }
    for (index, curve) in curves.iter().enumerate() {
        for piece in plot.clipped(&line(curve, chart.step)) {
            sheet.line(&piece, Pen::new(colour_of(index), LINE_PT))?;
        }
    }
    for (index, curve) in curves.iter().enumerate() {
        for place in curve.marks.iter().filter_map(|&at| place(curve, chart.step, (&plot.x, &plot.y), at)) {
            sheet.mark(on_sheet(plot, place), 1.0, Mark::Tick(Pen::new(colour_of(index), TICK_PT)), 1.0)?;
        }
    }
    for (index, curve) in curves.iter().enumerate() {
        let (places, size) = match chart.step {
            true => (telling_places(plot, chart, curves, index), 0.8),
            false => {
                let held = curve.points.iter().filter(|point| plot.holds(point.x, point.y));
                let size = if curve.points.len() > 40 { 0.45 } else { 0.7 };
                (held.map(|point| plot.at(point.x, point.y)).collect(), size)
            }
        };
        for place in places {
            sheet.mark(place, size, Mark::Series(SeriesMark::new(index)), 1.0)?;
        }
    }
    Ok(())
}

/// The corners of a curve's line.
fn line(curve: &Curve, step: bool) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = Vec::with_capacity(2 * curve.points.len());
    for point in &curve.points {
        if let Some(&(_, y)) = line.last().filter(|_| step) {
            line.push((point.x, y));
        }
        line.push((point.x, point.y));
    }
    line
}

/// Place of a curve at `at`, as shares of both axes; nothing where it has a gap, has not begun, has ended or leaves
/// the axes.
pub(super) fn place(curve: &Curve, step: bool, (x, y): (&Axis, &Axis), at: f64) -> Option<(f64, f64)> {
    let behind = curve.points.partition_point(|point| point.x <= at);
    let from = curve.points[..behind].last().filter(|point| x.scale.shows(point.x) && y.scale.shows(point.y))?;
    let share = match curve.points.get(behind) {
        _ if from.x == at => y.share(from.y),
        Some(_) if step => y.share(from.y),
        // The line is straight on the sheet, whatever the scale of the axes.
        Some(to) if y.scale.shows(to.y) => {
            let part = (x.share(at) - x.share(from.x)) / (x.share(to.x) - x.share(from.x));
            y.share(from.y) + part * (y.share(to.y) - y.share(from.y))
        }
        _ => return None,
    };
    let held = (0.0..=1.0).contains(&share) && (0.0..=1.0).contains(&x.share(at));
    held.then(|| (x.share(at), share))
}

fn on_sheet(plot: &Plot, (x, y): (f64, f64)) -> (f64, f64) {
    (plot.place.left + x * plot.place.width, plot.place.bottom() - y * plot.place.height)
}

/// Places on a curve of steps for the marks that tell it from the others: spread over the axis, those of two curves
/// apart. A curve that would get none has one at its first point.
fn telling_places(plot: &Plot, chart: &Curves, all: &[Curve], index: usize) -> Vec<(f64, f64)> {
    let (curve, curves) = (&all[index], all.len() as f64);
    let ends = curve.points.iter().filter(|point| plot.holds(point.x, point.y)).map(|point| plot.x.share(point.x));
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
    let mut places = Vec::new();
    if chart.distinguished_by_marks(all) && low < high {
        for number in 0..TELLING {
            let share = low + (high - low) * (number as f64 + (index as f64 + 0.5) / curves) / TELLING as f64;
            let behind =
                curve.points.partition_point(|point| plot.x.scale.shows(point.x) && plot.x.share(point.x) <= share);
            let height = curve.points[..behind].last().filter(|point| plot.holds(point.x, point.y));
            places.extend(height.map(|point| on_sheet(plot, (share, plot.y.share(point.y)))));
        }
    }
    if places.is_empty() && (low == high || chart.distinguished_by_marks(all)) {
        let first = curve.points.iter().find(|point| plot.holds(point.x, point.y));
        places.extend(first.map(|point| plot.at(point.x, point.y)));
    }
    places
}

/// The band between each two neighbours that have one, or of each step; a single point shows its band as a line.
fn draw_band(sheet: &Sheet, plot: &Plot, curve: &Curve, step: bool, index: usize) -> Result<(), ChartError> {
    let ends = |point: &Point| {
        let (low, high) = point.band?;
        let usable = plot.x.holds(point.x) && point.y.is_finite() && plot.y.scale.shows(high);
        let low = if plot.y.scale.shows(low) { low } else { plot.y.low };
        let clamped = |value: f64| plot.at(point.x, value.clamp(plot.y.low, plot.y.high));
        usable.then(|| (clamped(low), clamped(high)))
    };
    let ends: Vec<_> = curve.points.iter().map(ends).collect();
    let mut start = 0;
    for run in ends.split(Option::is_none) {
        // A step reaches to the next point even where that one has no band.
        let next = curve.points.get(start + run.len()).filter(|point| step && plot.x.holds(point.x));
        let next = next.map(|point| plot.at(point.x, plot.y.low).0);
        start += run.len() + 1;
        let low = border(run.iter().flatten().map(|end| end.0), step, next);
        let high = border(run.iter().flatten().map(|end| end.1), step, next);
        match (low.as_slice(), high.as_slice()) {
            ([], _) => {}
            (&[low], &[high]) => sheet.line(&[low, high], Pen::new(colour_of(index), 1.2).alpha(0.5))?,
            _ => {
                let field: Vec<(f64, f64)> = low.iter().chain(high.iter().rev()).copied().collect();
                sheet.fill(&field, colour_of(index), 0.2)?;
            }
        }
    }
    Ok(())
}

/// One border of a band, on the sheet: straight or, as steps, up to `next` where there is one.
fn border(ends: impl Iterator<Item = (f64, f64)>, step: bool, next: Option<f64>) -> Vec<(f64, f64)> {
    let mut border: Vec<(f64, f64)> = Vec::new();
    for (x, y) in ends {
        if let Some(&(_, before)) = border.last().filter(|_| step) {
            border.push((x, before));
        }
        border.push((x, y));
    }
    if let (Some(next), Some(&(_, y))) = (next, border.last()) {
        border.push((next, y));
    }
    border
}
