//! The storyboard: where its boards stand, and what stands below each.

use plotters::style::RGBColor;

use super::super::sheet::{INK, MARGIN, Mark, Rect, SOFT_INK, Sheet, TextStyle, VERMILION};
use super::super::{ChartError, Style};
use super::board;
use super::border::Border;
use super::storyboard::{Frame, Storyboard, StripKind};
use crate::label::Label;
use crate::message::Message;
use plymap_picture::Ground;

/// The narrowest board of a storyboard, in millimetres.
pub const LEAST_BOARD_MM: f64 = 14.0;
/// The widest board of a storyboard whose labels do not ask for more, in millimetres.
const WIDEST_BOARD_MM: f64 = 30.0;
/// Room between the boards of a storyboard, in millimetres.
const GAP_MM: f64 = 0.8;
/// Room between drawings without a frame, in millimetres.
const PLAIN_GAP_MM: f64 = 4.0;

/// Vermilion is too bright for small text; this shade of it has the contrast of text.
const DARK_VERMILION: RGBColor = RGBColor(170, 70, 0);
/// Size of the triangle before an error, in em.
const ERROR_MARK_EM: f64 = 0.5;
/// Height of the bar between the board and the caption of an error, in millimetres.
const BAR_MM: f64 = 0.4;

/// Layout of a storyboard; lengths in millimetres.
pub(super) struct Strip {
    pub columns: usize,
    /// Rows that fit a page.
    pub rows: usize,
    /// Space from one board to the next, across and down.
    pub pitch: (f64, f64),
    cell: f64,
    border: Border,
    /// Space between two boards, part of the pitch.
    gap: f64,
    /// `true` if distances stand below the boards.
    has_distances: bool,
    /// `true` if a further line stands below them.
    has_notes: bool,
}

impl Strip {
    /// The columns that leave the fewest places of the last row free, of all that keep the strip no higher
    /// than 0.9 of its width; as many as fit where that cannot be. Boards are so wide that the labels which tell
    /// a state fit, where the sheet allows it.
    pub fn new(input: &Storyboard, style: &Style, room: f64) -> Result<Self, ChartError> {
        let boards = input.frames.iter().map(|frame| &frame.board);
        let border = Border::around(boards.clone());
        let across = boards.clone().map(|board| board.width).fold(1.0, f64::max);
        let down = boards.clone().map(|board| board.height).fold(1.0, f64::max);
        let gap = if boards.clone().any(|board| board.ground == Ground::Plain) { PLAIN_GAP_MM } else { GAP_MM };
        let mut least: f64 = 0.0;
        for board in boards {
            least = least.max(across * board::least_cell_mm(board, style.small_pt)?);
        }
        let has_distances = input.frames.iter().any(|frame| frame.distance.is_some());
        let has_notes = input.frames.iter().any(|frame| !frame.note.is_empty());
        let lines = 1.0 + f64::from(u8::from(has_distances)) + f64::from(u8::from(has_notes));
        // The last board of a row needs no gap behind it.
        let width = style.width_mm - 2.0 * MARGIN + gap;
        let text = lines * style.label().line_mm() + 2.0;
        let beside = border.across() + gap;
        let captions = widest_caption_mm(input, style)?.min(WIDEST_BOARD_MM);
        let (narrowest, widest) = (LEAST_BOARD_MM.max(captions).max(least), WIDEST_BOARD_MM.max(least));
        let layout = |columns: usize| {
            let board = (width / columns as f64 - beside).min(widest);
            // A tall board must not need more than a page.
            let cell = (board / across).min((room - text - border.down()) / down);
            let pitch = (cell * across + beside, cell * down + border.down() + text);
            let rows = ((room / pitch.1).floor() as usize).max(1);
            Self { columns, rows, pitch, cell, border, gap, has_distances, has_notes }
        };
        let frames = input.frames.len();
        let most = ((width / (narrowest + beside)).floor() as usize).max(1);
        let fewest = ((width / (widest + beside)).ceil() as usize).clamp(1, most);
        let low = |strip: &Self| frames.div_ceil(strip.columns) as f64 * strip.pitch.1 <= (0.9 * width).min(room);
        let free = |strip: &Self| (frames.next_multiple_of(strip.columns) - frames, strip.columns);
        Ok((fewest..=most).map(layout).filter(low).min_by_key(free).unwrap_or_else(|| layout(most)))
    }

    pub fn draw_frame(
        &self,
        sheet: &Sheet,
        body: Rect,
        input: &Storyboard,
        index: usize,
        slot: usize,
    ) -> Result<(), ChartError> {
        let frame = &input.frames[index];
        let label = sheet.style.label();
        let corner = (
            body.left + (slot % self.columns) as f64 * self.pitch.0,
            body.top + (slot / self.columns) as f64 * self.pitch.1,
        );
        let place = self.border.inside(corner, self.cell, &frame.board);
        let follows = index.checked_sub(1).filter(|_| input.kind == StripKind::Moves);
        let before = follows.map(|before| &input.frames[before].board);
        board::draw(sheet, place, &frame.board, before)?;
        let (left, room) = (corner.0, self.pitch.0 - self.gap);
        let mut base = place.bottom() + self.border.bottom + 0.5 + label.em_mm();
        let caption = numbered(input.kind, index, &frame.caption);
        if frame.is_error {
            let bar = Rect { top: base - label.em_mm() - 0.45, height: BAR_MM, ..place };
            sheet.fill(&bar.corners(), VERMILION, 1.0)?;
        }
        self.draw_caption(sheet, frame, &caption, (left, base))?;
        if self.has_distances {
            let left_to_go = match frame.distance {
                Some(0) => Message::Goal.into(),
                Some(distance) => Message::MovesToGo.with([distance.to_string()]),
                None => Label::from(Message::NoPathToGoal),
            };
            base += label.line_mm();
            sheet.text(left, base, &label.cut(&left_to_go, room)?, label.colour(SOFT_INK))?;
        }
        if self.has_notes && !frame.note.is_empty() {
            base += label.line_mm();
            let colour = if frame.is_error { DARK_VERMILION } else { SOFT_INK };
            sheet.text(left, base, &label.cut(&frame.note, room)?, label.colour(colour))?;
        }
        Ok(())
    }

    /// The move; an error has a triangle before it.
    fn draw_caption(&self, sheet: &Sheet, frame: &Frame, caption: &String, at: (f64, f64)) -> Result<(), ChartError> {
        let (bold, room) = (sheet.style.label().bold(), self.pitch.0 - self.gap);
        let (mut left, base) = at;
        if frame.is_error {
            let size = ERROR_MARK_EM * bold.em_mm();
            sheet.mark((left + 0.88 * size, base - 0.5 * size), 0.72 * size, Mark::Triangle(VERMILION), 1.0)?;
            left += error_indent_mm(&bold);
        }
        let room = room - (left - at.0);
        let colour = if frame.is_error { DARK_VERMILION } else { INK };
        sheet.text(left, base, &bold.cut(caption, room)?, bold.colour(colour))
    }
}

/// Room for the triangle before the caption of an error.
fn error_indent_mm(kind: &TextStyle) -> f64 {
    2.2 * ERROR_MARK_EM * kind.em_mm()
}

/// The caption of a frame, with the number of its move where it has one.
fn numbered(kind: StripKind, index: usize, caption: &str) -> String {
    if index == 0 || kind == StripKind::Gallery { caption.to_owned() } else { format!("{index}. {caption}") }
}

/// The widest line of text below a board: captions, and notes.
fn widest_caption_mm(input: &Storyboard, style: &Style) -> Result<f64, ChartError> {
    let label = style.label();
    let mut widest: f64 = 0.0;
    for (index, frame) in input.frames.iter().enumerate() {
        let indent = if frame.is_error { error_indent_mm(&label) } else { 0.0 };
        let caption = numbered(input.kind, index, &frame.caption);
        widest = widest.max(indent + label.bold().width_of(&caption)?).max(label.width_of(&frame.note)?);
    }
    Ok(widest)
}
