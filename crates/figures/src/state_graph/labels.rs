//! Letters and numbers beside marks, placed so that none covers another.

use plotters::style::RGBColor;

use super::super::ChartError;
use super::super::sheet::{Pen, Rect, SOFT_INK, Sheet, WHITE};

/// A text that belongs to a mark.
pub(super) struct Label {
    pub at: (f64, f64),
    /// Radius of the mark in millimetres.
    pub radius: f64,
    pub text: String,
    pub colour: RGBColor,
}

/// Greatest distance from a mark to its label, in millimetres.
const REACH_MM: f64 = 12.0;

/// Draws the labels beside their marks, each where it covers no other label and as few marks as can be. A label that
/// stands farther away is joined with its mark by a line. Texts are short and few, so that each finds a place; one that
/// is wider than the plot has none, and stands in the data only.
pub(super) fn draw(
    sheet: &Sheet,
    bounds: Rect,
    labels: &[Label],
    marks: &[((f64, f64), f64)],
) -> Result<(), ChartError> {
    let font = sheet.style.small().bold();
    let mut occupied: Vec<Rect> = Vec::new();
    let mut placed = Vec::new();
    for label in labels {
        let size = (font.width_of(&label.text)?, 0.74 * font.em_mm());
        if let Some(place) = best(label, size, bounds, &occupied, marks) {
            occupied.push(place);
            placed.push((label, place));
        }
    }
    for (label, place) in &placed {
        let (x, y) = place.centre();
        if gap(label, place) > 0.9 {
            let share = 1.0 - (place.height / 2.0 + 0.3) / (x - label.at.0).hypot(y - label.at.1);
            let end = (label.at.0 + share * (x - label.at.0), label.at.1 + share * (y - label.at.1));
            sheet.line(&[label.at, end], Pen::new(SOFT_INK, 0.3))?;
        }
        // Lines below a text would make it hard to read.
        sheet.fill(&Rect { left: place.left - 0.2, width: place.width + 0.4, ..*place }.corners(), WHITE, 0.7)?;
    }
    for (label, place) in &placed {
        let (x, y) = place.centre();
        sheet.text(x, y + font.half_cap_mm(), &label.text, font.centre().colour(label.colour))?;
    }
    Ok(())
}

/// Free space between a mark and its label.
fn gap(label: &Label, place: &Rect) -> f64 {
    distance(label.at, place) - label.radius
}

/// Distance of a point from a rectangle.
fn distance((x, y): (f64, f64), place: &Rect) -> f64 {
    let dx = (place.left - x).max(x - place.right()).max(0.0);
    let dy = (place.top - y).max(y - place.bottom()).max(0.0);
    dx.hypot(dy)
}

fn best(
    label: &Label,
    (width, height): (f64, f64),
    bounds: Rect,
    occupied: &[Rect],
    marks: &[((f64, f64), f64)],
) -> Option<Rect> {
    let at_angle = |turn: u32, away: f64| {
        // Upper right first, then around.
        let angle = (f64::from(turn) * 30.0 - 60.0).to_radians();
        let (dx, dy) = (angle.cos(), angle.sin());
        let reach = label.radius + away;
        let (x, y) = (label.at.0 + dx * (reach + width / 2.0), label.at.1 + dy * (reach + height / 2.0));
        Rect { left: x - width / 2.0, top: y - height / 2.0, width, height }
    };
    let is_inside = |place: &Rect| {
        let (right, bottom) = (place.right() <= bounds.right(), place.bottom() <= bounds.bottom());
        place.left >= bounds.left && place.top >= bounds.top && right && bottom
    };
    let is_free = |place: &Rect| occupied.iter().all(|other| are_apart(place, other));
    let steps = ((REACH_MM - 0.3) / 0.6) as u32;
    let places = (0..steps).flat_map(|step| (0..12).map(move |turn| (turn, 0.3 + 0.6 * f64::from(step))));
    let cost = |place: &Rect, away: f64| {
        let covered: f64 =
            marks.iter().map(|&(at, radius)| (radius + 0.15 - distance(at, place)).clamp(0.0, 1.0)).sum();
        away + 3.0 * covered
    };
    let places = places.map(|(turn, away)| (at_angle(turn, away), away));
    let usable = places.filter(|(place, _)| is_inside(place) && is_free(place));
    let costed = usable.map(|(place, away)| (cost(&place, away), place));
    costed.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, place)| place)
}

fn are_apart(a: &Rect, b: &Rect) -> bool {
    a.right() + 0.5 < b.left || b.right() + 0.5 < a.left || a.bottom() + 0.5 < b.top || b.bottom() + 0.5 < a.top
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_inside_apart_and_beside_marks() {
        let bounds = Rect { left: 0.0, top: 0.0, width: 20.0, height: 20.0 };
        let label = |x: f64| Label { at: (x, 0.5), radius: 1.0, text: "A".to_owned(), colour: SOFT_INK };
        let marks = [((1.0, 0.5), 1.0), ((3.0, 0.5), 1.0)];
        let first = best(&label(1.0), (1.5, 2.0), bounds, &[], &marks).unwrap();
        assert!(first.top >= 0.0 && distance((1.0, 0.5), &first) >= 1.0 && distance((3.0, 0.5), &first) >= 1.0);
        let second = best(&label(1.0), (1.5, 2.0), bounds, &[first], &marks).unwrap();
        assert!(second.left > first.right() || second.top > first.bottom() || second.bottom() < first.top);
        assert!(best(&label(1.0), (30.0, 2.0), bounds, &[], &marks).is_none(), "it is wider than the plot");
    }
}
