//! The four directions in which boards are swiped, and the words that logs have for them.

/// Direction in which everything on the board goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards the first row.
    Up,
    /// Towards the last column.
    Right,
    /// Towards the last row.
    Down,
    /// Towards the first column.
    Left,
}

impl Direction {
    /// All directions, in the order of legal moves.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// The word that logs have for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Right => "right",
            Self::Down => "down",
            Self::Left => "left",
        }
    }

    /// The direction back.
    pub fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
        }
    }
}

/// Words of logs for directions, in lower case; longer words stand before the letters that they begin with.
pub const WORDS: [(&str, Direction); 20] = [
    ("arrowup", Direction::Up),
    ("arrowright", Direction::Right),
    ("arrowdown", Direction::Down),
    ("arrowleft", Direction::Left),
    ("up", Direction::Up),
    ("right", Direction::Right),
    ("down", Direction::Down),
    ("left", Direction::Left),
    ("u", Direction::Up),
    ("r", Direction::Right),
    ("d", Direction::Down),
    ("l", Direction::Left),
    ("↑", Direction::Up),
    ("→", Direction::Right),
    ("↓", Direction::Down),
    ("←", Direction::Left),
    ("⬆", Direction::Up),
    ("➡", Direction::Right),
    ("⬇", Direction::Down),
    ("⬅", Direction::Left),
];
