//! Lamps that a press inverts.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::bits::Bits;

/// The farthest that a pattern may reach from the pressed lamp, in rows or columns.
const MAX_OFFSET: u32 = 1023;

/// Marks of a lamp that is off.
pub(super) const OFF: [char; 4] = ['.', '0', 'o', 'O'];

/// Marks of a lamp that is on.
pub(super) const ON: [char; 4] = ['*', '1', 'x', 'X'];

/// Lamps that a press inverts, as seen from the pressed one. Lamps beyond the edge do not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Neighbourhood {
    /// The pressed lamp and the four beside it.
    #[default]
    Plus,
    /// As [`Neighbourhood::Plus`] on a board without edges: the first row is below the last one, the first column
    /// right of the last one. On boards with a side of 1 or 2 a neighbour that is met twice is inverted once.
    Torus,
    /// The pressed lamp and the four that touch its corners.
    Diagonal,
    /// The pressed lamp and the eight around it, as the king of chess moves.
    Moore,
    /// The lamps at these offsets: rows down and columns to the right, in ascending order, each once.
    Pattern(Vec<(i32, i32)>),
}

const PLUS: [(i32, i32); 5] = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)];
const DIAGONAL: [(i32, i32); 5] = [(0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];
const MOORE: [(i32, i32); 9] = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)];

impl Neighbourhood {
    /// The lamps that each press inverts, on a board of so many columns and rows: one set for each cell, row by
    /// row. The board must have at most `B::CAPACITY` cells.
    pub fn presses<B: Bits>(&self, width: usize, height: usize) -> Vec<B> {
        let cells = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        cells.map(|(row, column)| B::of_cells(self.reached(width, height, row, column))).collect()
    }

    /// The cells that a press reaches; a cell may come twice.
    fn reached(&self, width: usize, height: usize, row: usize, column: usize) -> Vec<usize> {
        let wraps = self.wraps();
        let place = |at: usize, offset: i32, side: usize| {
            let (at, side) = (at as i32 + offset, side as i32);
            let at = if wraps { at.rem_euclid(side) } else { at };
            (0..side).contains(&at).then_some(at as usize)
        };
        let cell =
            |&(rows, columns): &(i32, i32)| Some(place(row, rows, height)? * width + place(column, columns, width)?);
        self.offsets().iter().filter_map(cell).collect()
    }

    /// `true` if the first row is below the last one, and the first column right of the last one.
    pub fn wraps(&self) -> bool {
        *self == Self::Torus
    }

    /// The offsets of the lamps that a press inverts, rows down and columns to the right.
    pub fn offsets(&self) -> &[(i32, i32)] {
        match self {
            Self::Plus | Self::Torus => &PLUS,
            Self::Diagonal => &DIAGONAL,
            Self::Moore => &MOORE,
            Self::Pattern(offsets) => offsets,
        }
    }

    /// The neighbourhood with these offsets, rows down and columns to the right.
    ///
    /// # Errors
    ///
    /// What is wrong, in words: there is no offset, one is there twice, or one reaches too far.
    pub fn pattern(mut offsets: Vec<(i32, i32)>) -> Result<Self, String> {
        if offsets.is_empty() {
            return Err("the pattern inverts no lamp".to_owned());
        }
        if let Some((rows, columns)) = offsets.iter().find(is_far) {
            return Err(format!("{rows},{columns} reaches farther than {MAX_OFFSET} rows or columns"));
        }
        offsets.sort_unstable();
        match offsets.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("{},{} is there twice, which would invert nothing", pair[0].0, pair[0].1)),
            None => Ok(Self::Pattern(offsets)),
        }
    }
}

fn is_far(&&(rows, columns): &&(i32, i32)) -> bool {
    rows.unsigned_abs().max(columns.unsigned_abs()) > MAX_OFFSET
}

/// Notation of a neighbourhood, for messages.
pub(super) const EXPECTED: &str = "write plus, torus, diagonal, moore (or king), offsets from the pressed lamp as \
    row,column (`0,0 0,1 1,0`: itself, the one to its right, the one below), or a drawing with the pressed lamp in \
    its middle (`*.*/.*./*.*`)";

impl FromStr for Neighbourhood {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        match text.to_ascii_lowercase().as_str() {
            "plus" => Ok(Self::Plus),
            "torus" => Ok(Self::Torus),
            "diagonal" => Ok(Self::Diagonal),
            "moore" | "king" => Ok(Self::Moore),
            _ if text.contains(',') => Self::pattern(offsets(text)?),
            _ if text.chars().any(|mark| ON.contains(&mark)) => Self::pattern(drawn(text)?),
            _ => Err(format!("{text:?} is not a neighbourhood")),
        }
    }
}

/// Reads `0,0 -1,0`, maybe with `(…)` around each pair and `;` between them.
fn offsets(text: &str) -> Result<Vec<(i32, i32)>, String> {
    let pairs = text.split(|mark: char| mark.is_whitespace() || mark == ';').filter(|pair| !pair.is_empty());
    pairs.map(|pair| offset(pair).ok_or_else(|| format!("{pair:?} is not an offset such as -1,0"))).collect()
}

fn offset(pair: &str) -> Option<(i32, i32)> {
    let bare = pair.trim_start_matches('(').trim_end_matches(')').replace('\u{2212}', "-");
    let (rows, columns) = bare.split_once(',')?;
    Some((rows.parse().ok()?, columns.parse().ok()?))
}

/// Reads `.*./***/.*.`, the pressed lamp in the middle.
fn drawn(text: &str) -> Result<Vec<(i32, i32)>, String> {
    let rows: Vec<Vec<char>> = text.split('/').map(|row| row.trim().chars().collect()).collect();
    let (height, width) = (rows.len(), rows[0].len());
    if rows.iter().any(|row| row.len() != width) {
        return Err(format!("the rows of the drawing {text:?} differ in length"));
    }
    if height % 2 == 0 || width % 2 == 0 {
        return Err(format!("the drawing {text:?} has {height} rows and {width} columns, so none in the middle"));
    }
    let mut offsets = Vec::new();
    for (row, marks) in rows.iter().enumerate() {
        for (column, mark) in marks.iter().enumerate() {
            if ON.contains(mark) {
                offsets.push((row as i32 - height as i32 / 2, column as i32 - width as i32 / 2));
            } else if !OFF.contains(mark) {
                return Err(format!("{mark:?} is neither `*` (inverted) nor `.`"));
            }
        }
    }
    Ok(offsets)
}

impl fmt::Display for Neighbourhood {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plus => formatter.write_str("plus"),
            Self::Torus => formatter.write_str("torus"),
            Self::Diagonal => formatter.write_str("diagonal"),
            Self::Moore => formatter.write_str("moore"),
            Self::Pattern(offsets) => {
                let pairs: Vec<String> = offsets.iter().map(|(rows, columns)| format!("{rows},{columns}")).collect();
                formatter.write_str(&pairs.join(" "))
            }
        }
    }
}

impl TryFrom<String> for Neighbourhood {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map_err(|reason| format!("{reason}: {EXPECTED}"))
    }
}

impl From<Neighbourhood> for String {
    fn from(neighbourhood: Neighbourhood) -> Self {
        neighbourhood.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(neighbourhood: &str, width: usize, height: usize, cell: usize) -> Vec<usize> {
        let neighbourhood: Neighbourhood = neighbourhood.parse().unwrap();
        neighbourhood.presses::<u64>(width, height)[cell].cells().collect()
    }

    #[test]
    fn presses_stay_on_the_board() {
        // 0 1 2
        // 3 4 5
        // 6 7 8
        assert_eq!(cells("plus", 3, 3, 4), [1, 3, 4, 5, 7]);
        assert_eq!(cells("plus", 3, 3, 2), [1, 2, 5]);
        assert_eq!(cells("torus", 3, 3, 2), [0, 1, 2, 5, 8]);
        assert_eq!(cells("diagonal", 3, 3, 0), [0, 4]);
        assert_eq!(cells("king", 3, 3, 0), [0, 1, 3, 4]);
        assert_eq!(cells("0,0 0,1 1,0", 3, 3, 4), [4, 5, 7]);
        assert_eq!(cells("0,2", 3, 3, 4), Vec::<usize>::new());
    }

    #[test]
    fn a_neighbour_that_is_met_twice_on_a_torus_is_inverted_once() {
        assert_eq!(cells("torus", 2, 3, 0), [0, 1, 2, 4]);
        assert_eq!(cells("torus", 1, 1, 0), [0]);
    }

    #[test]
    fn a_drawing_and_its_offsets_are_the_same() {
        let drawn: Neighbourhood = "*.*/.*./*.*".parse().unwrap();
        assert_eq!(Ok(drawn.clone()), "(1,1); 1,-1 \u{2212}1,1 -1,-1 0,0".parse());
        assert_eq!(Ok(drawn.clone()), drawn.to_string().parse());
        let diagonal = Neighbourhood::Diagonal;
        assert_eq!(drawn.presses::<u64>(5, 4), diagonal.presses::<u64>(5, 4));
    }

    #[test]
    fn what_is_no_neighbourhood_is_refused() {
        let cases = [
            ("star", "is not a neighbourhood"),
            ("", "is not a neighbourhood"),
            ("0,0 1", "is not an offset"),
            ("0,0 0,0", "is there twice"),
            ("0,5000", "reaches farther"),
            ("-2147483648,0", "reaches farther"),
            ("**/..", "none in the middle"),
            ("*.*/.", "differ in length"),
            ("*?*", "is neither"),
        ];
        for (text, message) in cases {
            let error = text.parse::<Neighbourhood>().unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
