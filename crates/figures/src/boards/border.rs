//! The room around a board, for its border and the arrows of its openings.

use plymap_picture::{Picture, Side};

use crate::sheet::Rect;

/// Room beside an open side of a board, for the arrow, in millimetres.
const ARROW_MM: f64 = 1.5;

/// Room beside a closed side of a board, for half its border, in millimetres.
const BORDER_MM: f64 = 0.2;

/// Room around a board, in millimetres.
#[derive(Clone, Copy)]
pub(crate) struct Border {
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    pub(super) left: f64,
}

impl Border {
    /// Room for the arrows of all openings of the boards.
    pub(crate) fn around<'a>(boards: impl Iterator<Item = &'a Picture> + Clone) -> Self {
        let room = |side: Side| {
            let mut openings = boards.clone().flat_map(|board| &board.openings);
            if openings.any(|opening| opening.side == side) { ARROW_MM } else { BORDER_MM }
        };
        Self { top: room(Side::Top), right: room(Side::Right), bottom: room(Side::Bottom), left: room(Side::Left) }
    }

    pub(crate) fn across(&self) -> f64 {
        self.left + self.right
    }

    pub(crate) fn down(&self) -> f64 {
        self.top + self.bottom
    }

    /// The place of a board whose border starts at a point.
    pub(crate) fn inside(&self, (x, y): (f64, f64), cell: f64, board: &Picture) -> Rect {
        let (width, height) = (cell * board.width, cell * board.height);
        Rect { left: x + self.left, top: y + self.top, width, height }
    }
}
