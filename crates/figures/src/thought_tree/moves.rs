//! The legal moves: their list beside the board, and their arrows on it.

use plotters::style::RGBColor;
use plymap_picture::{Picture, Shape};

use super::tree::ThoughtTree;
use crate::boards;
use crate::message::Message;
use crate::sheet::{BLUE, INK, MM_PER_PT, Number, Pen, Rect, SOFT_INK, Sheet, Translated, WHITE, widest};
use crate::{ChartError, Style};

/// The widest notation in the list, in millimetres.
const WIDEST_LABEL_MM: f64 = 18.0;
/// Room between the columns of the list, in millimetres.
const BETWEEN_MM: f64 = 2.2;
/// Width of the arrow of an impossible and of a certain move, and of one without a probability, in points.
const ARROW_PT: (f64, f64, f64) = (0.5, 2.0, 1.0);

/// The list: for each move its notation, the first depth at which thought comes to it, and its probability.
pub(super) struct List {
    /// The head, then the moves by their depth, as many as fit.
    rows: Vec<Vec<Translated>>,
    /// Ends of the columns, the first one beginning at 0.
    stops: Vec<f64>,
    pub n_left_out: usize,
    pub height: f64,
}

impl List {
    /// The moves that fit a height.
    pub fn new(chart: &ThoughtTree, style: &Style, height: f64) -> Result<Self, ChartError> {
        let font = style.label();
        let n_columns = if chart.has_probabilities() { 3 } else { 2 };
        let mut order: Vec<(Option<u32>, usize)> =
            (0..chart.moves.len()).map(|legal| (chart.first_depth(legal), legal)).collect();
        order.sort_by_key(|&(depth, legal)| (depth.is_none(), depth, legal));
        let n_shown = order.len().min(((height / font.line_mm()) as usize).saturating_sub(1));
        let mut rows = vec![
            [Message::Move, Message::Depth, Message::Probability].map(|message| font.translate(&message)).to_vec(),
        ];
        for &(depth, legal) in &order[..n_shown] {
            let legal_move = &chart.moves[legal];
            let label = font.cut(&Translated::as_is(legal_move.label.clone()), WIDEST_LABEL_MM)?;
            let [depth, p] = [depth.map(|depth| depth.to_string()), legal_move.probability.map(probability)]
                .map(|cell| font.translate(&Number::new(cell.unwrap_or("–".to_owned()))));
            rows.push(vec![label, depth, p]);
        }
        let (mut stops, mut end) = (Vec::new(), -BETWEEN_MM);
        for column in 0..n_columns {
            let cells: Vec<Translated> = rows.iter().map(|row| row[column].clone()).collect();
            end += BETWEEN_MM + widest(&cells, &font)?;
            stops.push(end);
        }
        let n_rows = if n_shown == 0 { 0 } else { n_shown + 1 };
        rows.truncate(n_rows);
        Ok(Self { rows, stops, n_left_out: order.len() - n_shown, height: n_rows as f64 * font.line_mm() })
    }

    pub fn width(&self) -> f64 {
        self.stops.last().copied().unwrap_or(0.0)
    }

    pub fn draw(&self, sheet: &Sheet, (left, top): (f64, f64)) -> Result<(), ChartError> {
        for (index, row) in self.rows.iter().enumerate() {
            let font = sheet.style.label().colour(if index == 0 { SOFT_INK } else { INK });
            let base = top + (index as f64 + 0.5) * font.line_mm() + font.half_cap_mm();
            sheet.text(left, base, &row[0], font)?;
            for (cell, stop) in row.iter().zip(&self.stops).skip(1) {
                sheet.text(left + stop, base, cell, font.right())?;
            }
        }
        Ok(())
    }
}

/// A probability with two decimals and nothing before the point, as it cannot exceed 1.
fn probability(value: f64) -> String {
    match format!("{value:.2}") {
        text if text == "0.00" && value > 0.0 => "<.01".to_owned(),
        text => text.strip_prefix('0').map(str::to_owned).unwrap_or(text),
    }
}

/// Width of the white around an arrow in points.
const RIM_PT: f64 = 0.5;

/// An arrow on the board, in cells, with its width in points.
struct Arrow {
    from: (f64, f64),
    to: (f64, f64),
    width_pt: f64,
    /// The place of the piece and the direction, the same for arrows that would lie on one another.
    lane: (u64, u64, i64, i64),
    /// Room for such arrows across.
    across: f64,
}

/// Draws the moves that thought comes to. Moves of one piece in one direction run side by side.
pub(super) fn draw_arrows(sheet: &Sheet, board: Rect, chart: &ThoughtTree) -> Result<(), ChartError> {
    let cell = board.width / chart.board.width;
    let most = chart.moves.iter().filter_map(|legal| legal.probability).fold(0.0, f64::max);
    let mut arrows: Vec<Arrow> = Vec::new();
    for (_, legal) in chart.moves.iter().enumerate().filter(|(place, _)| chart.first_depth(*place).is_some()) {
        let width_pt = match legal.probability {
            Some(value) if most > 0.0 => ARROW_PT.0 + (ARROW_PT.1 - ARROW_PT.0) * value / most,
            Some(_) => ARROW_PT.0,
            None => ARROW_PT.2,
        };
        arrows.extend(arrows_of(&chart.board, &legal.after, width_pt));
    }
    let place = |(index, arrow): (usize, &Arrow)| {
        let lane = |others: &[Arrow]| others.iter().filter(|other| other.lane == arrow.lane).count();
        let (before, n) = (lane(&arrows[..index]), lane(&arrows));
        let aside = (before as f64 - (n as f64 - 1.0) / 2.0) * (0.8 * arrow.across / n as f64).min(0.25);
        let (dx, dy) = unit(arrow.from, arrow.to);
        let at = |(x, y): (f64, f64)| (board.left + cell * (x - dy * aside), board.top + cell * (y + dx * aside));
        (at(arrow.from), at(arrow.to), arrow.width_pt)
    };
    let placed: Vec<_> = arrows.iter().enumerate().map(place).collect();
    // White parts them from what they cross, and hides none of them.
    for (rim_pt, colour) in [(RIM_PT, WHITE), (0.0, BLUE)] {
        for &(from, to, width_pt) in &placed {
            draw_arrow(sheet, (from, to), width_pt, rim_pt, colour)?;
        }
    }
    Ok(())
}

/// The arrows of a move: of each piece that it moves from its foremost square to where that comes.
fn arrows_of(before: &Picture, after: &Picture, width_pt: f64) -> Vec<Arrow> {
    let middle = |shape: &Shape| (shape.column + shape.columns / 2.0, shape.row + shape.rows / 2.0);
    let arrow = |(from, to): (&Shape, &Shape)| {
        let (start, end) = (middle(from), middle(to));
        let (dx, dy) = unit(start, end);
        let side = from.rows.min(from.columns);
        // From the middle of a piece to the middle of its foremost square.
        let ahead = dx.abs() * (from.columns - side) / 2.0 + dy.abs() * (from.rows - side) / 2.0;
        // The letter in the middle stays free.
        let (behind, ahead) = (ahead.max(0.42 * side), ahead);
        let lane = (start.0.to_bits(), start.1.to_bits(), (dx * 1e3).round() as i64, (dy * 1e3).round() as i64);
        Arrow {
            from: (start.0 + dx * behind, start.1 + dy * behind),
            to: (end.0 + dx * ahead, end.1 + dy * ahead),
            width_pt,
            lane,
            across: side,
        }
    };
    boards::moved(before, after).into_iter().map(arrow).collect()
}

/// The direction from one point to another, of length 1.
fn unit(from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1e-9);
    (dx / length, dy / length)
}

/// A line with a head, all of it wider by a rim.
fn draw_arrow(
    sheet: &Sheet,
    (from, (x, y)): ((f64, f64), (f64, f64)),
    width_pt: f64,
    rim_pt: f64,
    colour: RGBColor,
) -> Result<(), ChartError> {
    let (dx, dy) = unit(from, (x, y));
    let (rim, width) = (rim_pt * MM_PER_PT, width_pt * MM_PER_PT);
    let long = (0.8 + 1.5 * width).min(0.7 * (x - from.0).hypot(y - from.1));
    let (tip, half) = (1.8 * rim, 0.5 * long + 1.4 * rim);
    let corner = |along: f64, aside: f64| (x + dx * along - dy * aside, y + dy * along + dx * aside);
    sheet.line(&[from, corner(-0.9 * long, 0.0)], Pen::new(colour, width_pt + 2.0 * rim_pt))?;
    sheet.fill(&[corner(tip, 0.0), corner(-long - rim, half), corner(-long - rim, -half)], colour, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_picture::Role;

    #[test]
    fn an_arrow_goes_from_the_foremost_square_to_where_it_comes() {
        let piece = |row, column, rows, columns| {
            let shapes = vec![Shape::block(row, column, rows, columns, Role::Hero, "A".to_owned())];
            Picture { shapes, ..Picture::grid(6, 6) }
        };
        let arrow = |before, after| {
            let [Arrow { from, to, .. }] = arrows_of(&before, &after, 1.0)[..] else { panic!("one arrow") };
            [from, to].map(|(x, y)| ((x * 100.0).round() / 100.0, (y * 100.0).round() / 100.0))
        };
        assert_eq!(arrow(piece(2, 0, 1, 2), piece(2, 3, 1, 2)), [(1.5, 2.5), (4.5, 2.5)]);
        assert_eq!(arrow(piece(2, 0, 3, 1), piece(1, 0, 3, 1)), [(0.5, 2.5), (0.5, 1.5)]);
        assert_eq!(arrow(piece(2, 2, 1, 1), piece(2, 4, 1, 1)), [(2.92, 2.5), (4.5, 2.5)], "its letter stays free");
        assert!(arrows_of(&piece(2, 2, 1, 1), &piece(2, 2, 1, 1), 1.0).is_empty());
    }

    #[test]
    fn probabilities_have_two_decimals() {
        let written = [0.0, 0.004, 0.125, 0.5, 0.999, 1.0].map(probability);
        assert_eq!(written, [".00", "<.01", ".12", ".50", "1.00", "1.00"]);
    }
}
