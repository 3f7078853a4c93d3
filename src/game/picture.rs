//! A drawing of a position that knows nothing of games: figures and terminals render it.

/// A position drawn on a grid of unit squares, row 0 on top.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// What lies on the board, drawn in this order.
    pub shapes: Vec<Shape>,
    /// Where the board is open, as on the exit of Rush Hour.
    pub openings: Vec<Opening>,
}

/// One thing on the board: a rectangle of whole cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// First row, from 0.
    pub row: usize,
    /// First column, from 0.
    pub column: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// What it is, which decides how it is coloured.
    pub role: Role,
    /// A short name drawn on it; may be empty.
    pub label: String,
}

/// What a shape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The piece that the level is about (drawn red).
    Hero,
    /// Any other piece; the number picks its colour.
    Piece(usize),
    /// A fixed obstacle (drawn grey).
    Wall,
    /// A place that pieces have to reach (drawn as an outline); the number picks its colour.
    Target(usize),
}

/// A gap in the frame of the board, beside one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Row of the cell, from 0.
    pub row: usize,
    /// Column of the cell, from 0.
    pub column: usize,
    /// Which side of the cell is open.
    pub side: Side,
}

/// One side of a board or a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Towards row 0.
    Top,
    /// Towards the last column.
    Right,
    /// Towards the last row.
    Bottom,
    /// Towards column 0.
    Left,
}

impl Picture {
    /// The position as text, one character for each cell: a letter for a piece (the first of its
    /// label), `#` for a wall, `.` for an empty cell; `>`, `<`, `^`, `v` mark where the board is open.
    pub fn to_text(&self) -> String {
        let mut cells = vec![vec!['.'; self.width]; self.height];
        for shape in &self.shapes {
            let mark = match shape.role {
                Role::Wall => '#',
                _ => shape.label.chars().next().unwrap_or('?'),
            };
            for row in cells.iter_mut().skip(shape.row).take(shape.rows) {
                for cell in row.iter_mut().skip(shape.column).take(shape.columns) {
                    *cell = mark;
                }
            }
        }
        let opening = |row: usize, column: usize, side: Side| self.openings.contains(&Opening { row, column, side });
        let border = |row: usize, side: Side, mark: char| -> String {
            let marks = (0..self.width).map(|column| if opening(row, column, side) { mark } else { '-' });
            format!("+{}+\n", marks.flat_map(|mark| ['-', mark]).skip(1).collect::<String>())
        };
        let last_row = self.height.saturating_sub(1);
        let mut text = border(0, Side::Top, '^');
        for (row, line) in cells.iter().enumerate() {
            text.push(if opening(row, 0, Side::Left) { '<' } else { '|' });
            let spaced: Vec<String> = line.iter().map(char::to_string).collect();
            text.push_str(&spaced.join(" "));
            text.push(if opening(row, self.width.saturating_sub(1), Side::Right) { '>' } else { '|' });
            text.push('\n');
        }
        text.push_str(&border(last_row, Side::Bottom, 'v'));
        text
    }
}
