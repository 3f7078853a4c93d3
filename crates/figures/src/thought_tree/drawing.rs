//! Arrangement of board, list and tree on the page, and their drawing.

use std::cmp::{Ordering, Reverse};

use super::columns::{Columns, MARK_RADIUS_MM};
use super::moves::{List, draw_arrows};
use super::tree::{ThoughtTree, WishedMove};
use crate::boards::{self, Border};
use crate::message::Message;
use crate::sheet::{BLUE, INK, MARGIN, Mark, PALE, Pen, Rect, SOFT_INK, Sheet, TextStyle, WHITE};
use crate::{ChartError, Style};

/// Width of the lines between nodes in points.
pub(super) const EDGE_PT: f64 = 0.4;

/// Space between board, list and tree in millimetres.
const BETWEEN_MM: f64 = 4.0;
/// The board is about this share of the width, within these widths in millimetres.
const BOARD: (f64, f64, f64) = (0.27, 32.0, 48.0);
/// The widest cell of the board in millimetres.
const WIDEST_CELL_MM: f64 = 8.0;
/// The greatest share of the height that the board takes.
const HIGHEST_BOARD: f64 = 0.4;
/// Distance from a wished move to the arc that joins its lines, as a share of the space for these; and how far it
/// reaches up and down at most, in millimetres, so that it meets no arc of the next move.
const ARC: (f64, f64) = (0.5, 1.3);
/// Points of such an arc.
const ARC_STEPS: usize = 10;

/// Everything that is drawn, with its place; places are in millimetres from the upper left corner of the drawing.
pub(super) struct Drawing<'a> {
    chart: &'a ThoughtTree,
    style: &'a Style,
    board: Rect,
    list: ((f64, f64), List),
    tree: ((f64, f64), Columns),
    pub height: f64,
}

impl<'a> Drawing<'a> {
    /// The tree beside the board or below it, as more of it is drawn or as takes less height.
    pub fn new(chart: &'a ThoughtTree, style: &'a Style, room_mm: f64) -> Result<Self, ChartError> {
        let beside = Self::arranged(chart, style, room_mm, true)?;
        let below = Self::arranged(chart, style, room_mm, false)?;
        let shown = |drawing: &Self| (drawing.depths().len(), Reverse(drawing.moves_not_listed()));
        let is_beside = match shown(&beside).cmp(&shown(&below)) {
            Ordering::Equal => beside.height < below.height,
            order => order.is_gt(),
        };
        Ok(if is_beside { beside } else { below })
    }

    fn arranged(chart: &'a ThoughtTree, style: &'a Style, room_mm: f64, is_beside: bool) -> Result<Self, ChartError> {
        let inner = style.width_mm - 2.0 * MARGIN;
        let border = Border::around([&chart.board].into_iter());
        let width = (BOARD.0 * inner).clamp(BOARD.1, BOARD.2) - border.across();
        let highest = (HIGHEST_BOARD * room_mm - border.down()) / chart.board.height;
        let least = boards::least_cell_mm(&chart.board, style.small_pt)?;
        let widest = (inner - border.across()) / chart.board.width;
        let cell = (width / chart.board.width).min(highest).min(WIDEST_CELL_MM).max(least).min(widest);
        let board = border.inside((0.0, 0.0), cell, &chart.board);
        let (across, down) = (board.width + border.across(), board.height + border.down());
        // Below the board and beside the tree, or beside the board and above the tree.
        let below_board = (0.0, down + BETWEEN_MM);
        let list_room = if is_beside { room_mm - below_board.1 } else { HIGHEST_BOARD * room_mm };
        let list = List::new(chart, style, list_room)?;
        let beside_board = Some((across + BETWEEN_MM, 0.0)).filter(|at| !is_beside && at.0 + list.width() <= inner);
        let list_at = beside_board.unwrap_or(below_board);
        let list_bottom = if list.height > 0.0 { list_at.1 + list.height } else { 0.0 };
        let (left_mm, high) = (across.max(if is_beside { list.width() } else { 0.0 }), down.max(list_bottom));
        let at = if is_beside { (left_mm + BETWEEN_MM, 0.0) } else { (0.0, high + BETWEEN_MM) };
        let head = head_mm(style);
        let columns = Columns::new(chart, style, (inner - at.0, room_mm - at.1 - head))?;
        let height = high.max(at.1 + head + columns.height);
        Ok(Self { chart, style, board, list: (list_at, list), tree: (at, columns), height })
    }

    /// The depths that are drawn.
    pub fn depths(&self) -> Vec<u32> {
        self.tree.1.steps.iter().map(|&(depth, _)| depth).collect()
    }

    /// `true` if thoughts go on behind a move that is drawn.
    pub fn is_cut(&self) -> bool {
        self.chart.wishes.iter().zip(&self.tree.1.boxes).any(|(wish, place)| place.is_some() && self.goes_on(wish))
    }

    /// `true` if the obstacles of a wished move are too deep to be drawn.
    fn goes_on(&self, wish: &WishedMove) -> bool {
        !wish.obstacles.is_empty() && wish.obstacles.iter().all(|&obstacle| self.tree.1.marks[obstacle].is_none())
    }

    pub fn moves_not_listed(&self) -> usize {
        self.list.1.n_left_out
    }

    pub fn draw(&self, sheet: &Sheet, body: Rect) -> Result<(), ChartError> {
        let at = |(x, y): (f64, f64)| (body.left + x, body.top + y);
        let board = Rect { left: body.left + self.board.left, top: body.top + self.board.top, ..self.board };
        boards::draw(sheet, board, &self.chart.board, None)?;
        draw_arrows(sheet, board, self.chart)?;
        self.list.1.draw(sheet, at(self.list.0))?;
        self.draw_head(sheet, at(self.tree.0), body.right())?;
        let (left, top) = self.tree.0;
        let at = at((left, top + head_mm(self.style)));
        self.draw_edges(sheet, at)?;
        self.draw_nodes(sheet, at)
    }

    /// The depths above their columns.
    fn draw_head(&self, sheet: &Sheet, (left, top): (f64, f64), right: f64) -> Result<(), ChartError> {
        let font = sheet.style.label().colour(SOFT_INK);
        let title = font.cut(&Message::DepthInTree, right - left)?;
        sheet.text(left, top + font.em_mm(), &title, font)?;
        for &(depth, middle) in &self.tree.1.steps {
            let base = top + font.line_mm() + font.em_mm();
            sheet.text(left + middle, base, &depth.to_string(), font.centre())?;
        }
        Ok(())
    }

    fn draw_edges(&self, sheet: &Sheet, at: (f64, f64)) -> Result<(), ChartError> {
        let pen = Pen::new(SOFT_INK, EDGE_PT);
        let Columns { boxes, marks, .. } = &self.tree.1;
        for (obstacle, node) in self.chart.obstacles.iter().zip(marks) {
            let Some((x, y)) = *node else { continue };
            let from = (at.0 + x + MARK_RADIUS_MM, at.1 + y);
            for place in obstacle.ways.iter().filter_map(|&way| boxes[way]) {
                sheet.dashed_in(&[from, (at.0 + place.left, at.1 + place.centre().1)], pen, 0.55)?;
            }
        }
        for (wish, place) in self.chart.wishes.iter().zip(boxes) {
            let Some(place) = *place else { continue };
            let from = (at.0 + place.right(), at.1 + place.centre().1);
            let end = |&obstacle: &usize| marks[obstacle].map(|(x, y)| (at.0 + x - MARK_RADIUS_MM, at.1 + y));
            let ends: Vec<(f64, f64)> = wish.obstacles.iter().filter_map(end).collect();
            for &end in &ends {
                sheet.line(&[from, end], pen)?;
            }
            if ends.len() > 1 {
                sheet.line(&arc(from, &ends), pen)?;
            }
            if self.goes_on(wish) {
                for dot in 0..3 {
                    sheet.disc((from.0 + 0.7 + 0.7 * f64::from(dot), from.1), 0.2, SOFT_INK, 1.0)?;
                }
            }
        }
        Ok(())
    }

    fn draw_nodes(&self, sheet: &Sheet, at: (f64, f64)) -> Result<(), ChartError> {
        let Columns { boxes, labels, marks, .. } = &self.tree.1;
        let font = TextStyle::new(sheet.style.small_pt).centre();
        for ((wish, place), label) in self.chart.wishes.iter().zip(boxes).zip(labels) {
            let Some(place) = place else { continue };
            let place = Rect { left: at.0 + place.left, top: at.1 + place.top, ..*place };
            let (ground, ink) = if wish.legal.is_some() { (BLUE, WHITE) } else { (PALE, INK) };
            sheet.fill(&place.corners(), ground, 1.0)?;
            let (x, y) = place.centre();
            sheet.text(x, y + font.half_cap_mm(), label, font.colour(ink))?;
        }
        for (obstacle, node) in self.chart.obstacles.iter().zip(marks) {
            let Some((x, y)) = node else { continue };
            let mark = if obstacle.ways.is_empty() { Mark::Cross(INK) } else { Mark::Disc(INK) };
            sheet.mark((at.0 + x, at.1 + y), MARK_RADIUS_MM, mark, 1.0)?;
        }
        Ok(())
    }
}

/// Height of what stands above the tree.
fn head_mm(style: &Style) -> f64 {
    2.0 * style.label().line_mm() + 0.6
}

/// The arc across the lines from one point to several.
fn arc(from: (f64, f64), ends: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let angle = |end: &(f64, f64)| (end.1 - from.1).atan2(end.0 - from.0);
    let low = ends.iter().map(angle).fold(f64::INFINITY, f64::min);
    let high = ends.iter().map(angle).fold(f64::NEG_INFINITY, f64::max);
    let across = ends.iter().map(|end| end.0 - from.0).fold(f64::INFINITY, f64::min);
    let steepest = low.sin().abs().max(high.sin().abs());
    let radius = (ARC.0 * across).min(ARC.1 / steepest.max(1e-9));
    let point = |step: usize| {
        let angle = low + (high - low) * step as f64 / ARC_STEPS as f64;
        (from.0 + radius * angle.cos(), from.1 + radius * angle.sin())
    };
    (0..=ARC_STEPS).map(point).collect()
}
