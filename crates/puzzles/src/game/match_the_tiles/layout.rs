//! The board of a level: walls, goals and the blocks as they stand at the start.

/// One cell of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A wall, which stops blocks.
    Wall,
    /// A cell on which a block can stand.
    Floor {
        /// The colour of the goal on it, a lower-case letter.
        goal: Option<char>,
        /// The colour of the block on it, a lower-case letter.
        block: Option<char>,
    },
}

impl Cell {
    /// A cell with nothing on it.
    pub const EMPTY: Self = Self::Floor { goal: None, block: None };

    /// The colour of the goal on it.
    pub fn goal(&self) -> Option<char> {
        match *self {
            Self::Wall => None,
            Self::Floor { goal, .. } => goal,
        }
    }

    /// The colour of the block on it.
    pub fn block(&self) -> Option<char> {
        match *self {
            Self::Wall => None,
            Self::Floor { block, .. } => block,
        }
    }

    /// The cell as levels write it: `x`, `.`, `a` (goal), `A` (block) or `Ab` (block on a goal).
    pub fn token(&self) -> String {
        match *self {
            Self::Wall => "x".to_owned(),
            Self::EMPTY => ".".to_owned(),
            Self::Floor { goal, block } => {
                block.map(|block| block.to_ascii_uppercase()).into_iter().chain(goal).collect()
            }
        }
    }
}

/// The board of a level. The readers of levels make sure that it is a full rectangle with as many goals as
/// blocks of each colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// All cells, row by row.
    pub cells: Vec<Cell>,
}

impl Layout {
    /// The colours of all blocks and goals, ascending.
    pub fn colours(&self) -> Vec<char> {
        let mut colours: Vec<char> =
            self.cells.iter().flat_map(|cell| cell.block().into_iter().chain(cell.goal())).collect();
        colours.sort_unstable();
        colours.dedup();
        colours
    }
}
