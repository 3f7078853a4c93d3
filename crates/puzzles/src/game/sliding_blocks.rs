//! A level as blocks that slide along their lines on a board: what it is, without how it is played.

/// A board with blocks that slide, each along the line on which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlidingBlocks {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Cells that no block can enter, as (row, column) from 0.
    pub walls: Vec<(usize, usize)>,
    /// The blocks with their places at the start.
    pub blocks: Vec<SlidingBlock>,
    /// The block that is to get out, as an index into `blocks`.
    pub target: usize,
    /// `true` if it leaves at the right or lower end of its line, `false` if at the left or upper one.
    pub leaves_at_end: bool,
    /// `true` if the level is solved as soon as nothing stands between the target and its end of the line, `false` if
    /// the target has to stand there.
    pub is_path_enough: bool,
    /// `true` if a block moves by one cell, `false` if it slides over any number of free cells.
    pub moves_one_cell: bool,
}

/// A block on the line on which it slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlidingBlock {
    /// The row of its first cell, from 0 on top.
    pub row: usize,
    /// The column of its first cell, from 0 on the left.
    pub column: usize,
    /// Number of its cells.
    pub length: usize,
    /// `true` if it slides along its row, `false` if along its column.
    pub is_horizontal: bool,
    /// The lowest bit in the code of a position that holds its place: the number of cells before it on its line. As
    /// many bits hold it as its last place needs.
    pub shift: u32,
}
