//! The boards of a strip, and what they have to do with each other: the chart's input.

use plymap_picture::Picture;

use crate::Heading;

/// One board of a storyboard.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The position after the move.
    pub board: Picture,
    /// The move that led here, such as `A+2`, or `start`.
    pub caption: String,
    /// Distance to the goal in this position, in moves; absent if no goal can be reached. Where it is absent
    /// from all frames of a strip, the strip shows none.
    pub distance: Option<u32>,
    /// A further line below the board, such as `2.4 s, 1 too many`; may be empty.
    pub note: String,
    /// `true` if the move that led here was an error, which is to stand out.
    pub is_error: bool,
}

/// The positions of a solution, the start first: boards in rows, on as many pages as they need. Pieces that moved have
/// a thick outline, a dashed one shows where they stood; a line runs round lamps that changed. Tiles with ranks, which
/// slide and merge all at once, are not marked.
///
/// Shapes and openings must lie inside of their board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Storyboard {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// The boards in their order.
    pub frames: Vec<Frame>,
    /// Relation of one board to the next.
    pub kind: StripKind,
    /// Meaning of the notes of the frames, for the caption, such as `the time of the move in seconds`; may be empty.
    pub note_meaning: String,
}

/// Relation of the boards of a strip to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StripKind {
    /// Each follows from the one before it by a move.
    #[default]
    Moves,
    /// Nothing: they stand side by side to be compared.
    Gallery,
}
