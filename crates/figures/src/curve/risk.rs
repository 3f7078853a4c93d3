//! The numbers at risk below survival curves: a row for each curve, a column at each label of the axis.

use super::super::axis::Plot;
use super::super::panels::Strips;
use super::super::series::SeriesMark;
use super::super::sheet::{MARGIN, Mark, Number, SOFT_INK, Sheet};
use super::super::{ChartError, Style};
use super::input::{Curve, Curves};

/// Height of a row, in em.
const ROW_EM: f64 = 1.35;
/// Space above the rows in millimetres.
const GAP_MM: f64 = 0.8;
/// Room for the mark of a curve before its numbers in millimetres.
const MARK_MM: f64 = 2.4;

/// The curves that have numbers at risk, with their index.
fn rows(curves: &[Curve]) -> impl Iterator<Item = (usize, &Curve)> {
    curves.iter().enumerate().filter(|(_, curve)| !curve.at_risk.is_empty())
}

/// Room for the rows and their title.
pub(super) fn strips(curves: &[Curve], style: &Style) -> Strips {
    let lines = match rows(curves).count() {
        0 => return Strips::default(),
        rows => rows + 1,
    };
    let below_mm = GAP_MM + lines as f64 * ROW_EM * style.label().em_mm();
    Strips { below_mm, ..Strips::default() }
}

/// Number at risk at a time: as many as just before the next exit.
fn at_risk(curve: &Curve, time: f64) -> u64 {
    let next = curve.at_risk.partition_point(|&(exit, _)| exit < time);
    curve.at_risk.get(next).map_or(0, |&(_, count)| count)
}

/// Draws the rows below the title of the axis.
pub(super) fn draw(sheet: &Sheet, plot: &Plot, chart: &Curves, curves: &[Curve]) -> Result<(), ChartError> {
    if rows(curves).next().is_none() {
        return Ok(());
    }
    let (small, label) = (sheet.style.small(), sheet.style.label());
    let row_mm = ROW_EM * label.em_mm();
    let (left, right) = (MARGIN, sheet.style.width_mm - MARGIN);
    let top = plot.place.bottom() + Plot::below_mm(&small) + 1.3 * label.em_mm() + GAP_MM;
    let kind = label.colour(SOFT_INK);
    sheet.text(left, top + kind.em_mm(), &kind.cut(&chart.risk_title(), right - left)?, kind)?;
    let ticks = plot.x.ticks(plot.place.width, &small, false)?;
    let mut columns = Vec::with_capacity(ticks.len());
    for (time, _) in ticks {
        let mut widest = 0.0_f64;
        for (_, curve) in rows(curves) {
            widest = widest.max(small.width_of(&Number::count(at_risk(curve, time)))?);
        }
        // A wide number at an end of the axis moves inwards rather than into the mark or off the sheet.
        let middle = plot.place.left + plot.x.share(time) * plot.place.width;
        let middle = middle.min(right - widest / 2.0).max(left + MARK_MM + widest / 2.0);
        columns.push((time, middle, widest));
    }
    let apart = 0.7 * small.em_mm();
    let fits = |stride: &usize| {
        let kept: Vec<_> = columns.iter().step_by(*stride).collect();
        kept.windows(2).all(|pair| pair[1].1 - pair[0].1 >= (pair[0].2 + pair[1].2) / 2.0 + apart)
    };
    let stride = (1..=columns.len().max(1)).find(fits).unwrap_or(1);
    for (row, (index, curve)) in rows(curves).enumerate() {
        let middle = top + (row as f64 + 1.55) * row_mm;
        sheet.mark((left + 0.9, middle), 0.7, Mark::Series(SeriesMark::new(index)), 1.0)?;
        for &(time, x, _) in columns.iter().step_by(stride) {
            sheet.text(x, middle + small.half_cap_mm(), &Number::count(at_risk(curve, time)), small.centre())?;
        }
    }
    Ok(())
}
