//! One level of Rush Hour: the lines of its pieces, its cells, and how far pieces can slide.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cells::{CellSet, MAX_CELLS, WideCells};
use super::colours::colours;
use super::layout::{Layout, Orientation};
use super::track::{Position, Track};
use crate::game::lights_out::notation::row_and_column;
use crate::game::picture::Side;

/// Condition under which the level counts as solved. Published data sets differ in exactly this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoalRule {
    /// The red piece touches its exit.
    #[default]
    Exit,
    /// Nothing stands between the red piece and its exit.
    PathClear,
}

/// Unit of one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// A slide of any length is one move.
    #[default]
    Slide,
    /// Each cell counts as one move.
    Cell,
}

/// The options of the rules, as `[rules]` of a study gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Condition under which the level counts as solved.
    pub goal: GoalRule,
    /// Unit of one move.
    pub metric: Metric,
    /// Other names that logs use for pieces: name in the log -> name in the level.
    pub pieces: BTreeMap<String, String>,
}

/// One slide of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slide {
    /// Number of the piece, in the order of the level.
    pub piece: u16,
    /// Cells moved: positive to the right or down.
    pub cells: i16,
}

/// Reason why a layout cannot be played, although it is well formed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// More cells than the rules can hold.
    #[error("the board has {cells} cells; at most {MAX_CELLS} are possible")]
    TooManyCells {
        /// Number of cells of the board.
        cells: usize,
    },
    /// The places of all pieces do not fit into one code.
    #[error(
        "the positions of {pieces} pieces on a board of {width}x{height} need {bits} bits, and a state code has 64: \
         take pieces away, or make the board smaller"
    )]
    TooManyPieces {
        /// Number of pieces.
        pieces: usize,
        /// Columns of the board.
        width: usize,
        /// Rows of the board.
        height: usize,
        /// Bits that a code would need.
        bits: u32,
    },
}

/// The rules of one level of Rush Hour.
#[derive(Clone, Debug)]
pub struct RushHour {
    pub(super) layout: Layout,
    pub(super) options: Options,
    pub(super) tracks: Vec<Track>,
    /// Number of the colour of each piece.
    pub(super) colours: Vec<usize>,
    pub(super) start: Position,
    pub(super) code_bits: u32,
    /// The place of the red piece where it touches its exit.
    pub(super) exit_place: usize,
    /// `true` if all names are single characters that a board string can show.
    pub(super) has_board_string: bool,
    cells: Cells,
    /// Remarks on what was taken for granted when the level was read.
    pub(super) remarks: Vec<String>,
}

/// Occupied cells, in one machine word where the board is small enough.
#[derive(Clone, Debug)]
enum Cells {
    Word(CellTables<u64>),
    Wide(CellTables<WideCells>),
}

/// For each piece the cells it covers at each place, and for each cell its own set.
#[derive(Clone, Debug)]
struct CellTables<S> {
    walls: S,
    covered: Vec<Vec<S>>,
    single: Vec<Vec<S>>,
}

impl<S: CellSet> CellTables<S> {
    fn new(layout: &Layout, tracks: &[Track]) -> Self {
        let set = |cells: &[u16]| cells.iter().fold(S::EMPTY, |set, &cell| set.union(S::single(cell as usize)));
        let walls: Vec<u16> = layout.walls.iter().map(|&(row, column)| (row * layout.width + column) as u16).collect();
        Self {
            walls: set(&walls),
            covered: tracks.iter().map(|track| track.line.windows(track.length).map(set).collect()).collect(),
            single: tracks
                .iter()
                .map(|track| track.line.iter().map(|&cell| S::single(cell as usize)).collect())
                .collect(),
        }
    }

    fn occupied(&self, tracks: &[Track], position: Position) -> S {
        tracks
            .iter()
            .zip(&self.covered)
            .fold(self.walls, |set, (track, covered)| set.union(covered[track.place(position)]))
    }

    /// Calls `visit` with each piece that can slide and how far: (piece, places back, places forward).
    #[inline]
    pub(super) fn for_each_range(
        &self,
        tracks: &[Track],
        position: Position,
        mut visit: impl FnMut(usize, usize, usize),
    ) {
        let occupied = self.occupied(tracks, position);
        for (piece, track) in tracks.iter().enumerate() {
            let (back, forward) = self.range_among(occupied, track, position, piece);
            visit(piece, back, forward);
        }
    }

    /// Room of one piece to slide: (places back, places forward).
    pub(super) fn range(&self, tracks: &[Track], position: Position, piece: usize) -> (usize, usize) {
        self.range_among(self.occupied(tracks, position), &tracks[piece], position, piece)
    }

    #[inline]
    fn range_among(&self, occupied: S, track: &Track, position: Position, piece: usize) -> (usize, usize) {
        // The cells that the piece covers itself are not looked at, so that one set of all pieces serves each of
        // them.
        let place = track.place(position);
        let line = &self.single[piece];
        let back = line[..place].iter().rev().take_while(|cell| !occupied.meets(**cell)).count();
        let forward = line[place + track.length..].iter().take_while(|cell| !occupied.meets(**cell)).count();
        (back, forward)
    }
}

impl RushHour {
    /// The rules of a level with this layout.
    ///
    /// # Errors
    ///
    /// [`LayoutError`] if the board has too many cells, or the level is too large for a 64-bit code.
    pub fn new(layout: Layout, options: Options) -> Result<Self, LayoutError> {
        if layout.width * layout.height > MAX_CELLS {
            return Err(LayoutError::TooManyCells { cells: layout.width * layout.height });
        }
        let tracks = tracks(&layout);
        let code_bits: u32 = tracks.iter().map(|track| track.mask.count_ones()).sum();
        if code_bits > u64::BITS {
            let (pieces, width, height) = (tracks.len(), layout.width, layout.height);
            return Err(LayoutError::TooManyPieces { pieces, width, height, bits: code_bits });
        }
        let start = tracks.iter().fold(0, |code, track| code | ((track.first_place as u64) << track.shift));
        let exit_place = match layout.exit.side {
            Side::Right | Side::Bottom => tracks[layout.red].n_places() - 1,
            Side::Left | Side::Top => 0,
        };
        let cells = if layout.width * layout.height <= 64 {
            Cells::Word(CellTables::new(&layout, &tracks))
        } else {
            Cells::Wide(CellTables::new(&layout, &tracks))
        };
        let has_board_string = has_board_string(&layout);
        let colours = colours(&tracks, layout.red, layout.width);
        let (start, remarks) = (Position(start), Vec::new());
        Ok(Self { layout, options, tracks, colours, start, code_bits, exit_place, has_board_string, cells, remarks })
    }

    /// The same rules with what was taken for granted when the level was read; see [`super::notation::parse_with_remarks`].
    pub fn with_remarks(mut self, remarks: Vec<String>) -> Self {
        self.remarks = remarks;
        self
    }

    pub(super) fn for_each_range(&self, position: Position, visit: impl FnMut(usize, usize, usize)) {
        match &self.cells {
            Cells::Word(cells) => cells.for_each_range(&self.tracks, position, visit),
            Cells::Wide(cells) => cells.for_each_range(&self.tracks, position, visit),
        }
    }

    pub(super) fn range(&self, position: Position, piece: usize) -> (usize, usize) {
        match &self.cells {
            Cells::Word(cells) => cells.range(&self.tracks, position, piece),
            Cells::Wide(cells) => cells.range(&self.tracks, position, piece),
        }
    }

    /// Most cells of one move.
    pub(super) fn most_cells(&self) -> u32 {
        match self.options.metric {
            Metric::Slide => u32::MAX,
            Metric::Cell => 1,
        }
    }

    /// Room of a piece in one move, given its room to slide.
    pub(super) fn limited(&self, (back, forward): (usize, usize)) -> (usize, usize) {
        let most = self.most_cells() as usize;
        (back.min(most), forward.min(most))
    }

    pub(super) fn shifted(&self, position: Position, piece: usize, cells: i64) -> Position {
        // Places are packed side by side, so that a legal slide is one addition: no place runs over into the next.
        Position(position.0.wrapping_add((cells << self.tracks[piece].shift) as u64))
    }

    fn with_place(&self, position: Position, piece: usize, place: usize) -> Position {
        let track = &self.tracks[piece];
        Position((position.0 & !(track.mask << track.shift)) | ((place as u64) << track.shift))
    }

    pub(super) fn piece_named(&self, name: &str) -> Option<usize> {
        let name = self.options.pieces.get(name).map_or(name, String::as_str);
        self.tracks.iter().position(|track| track.name == name)
    }

    pub(super) fn piece_names(&self) -> String {
        self.tracks.iter().map(|track| track.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Number of the first cell of a piece, row by row from 0.
    pub(super) fn first_cell(&self, position: Position, piece: usize) -> usize {
        let track = &self.tracks[piece];
        track.line[track.place(position)] as usize
    }

    /// The places of all pieces from a board string, in which each piece stands on its own line.
    pub(super) fn places_from_board(&self, text: &str) -> Result<Position, String> {
        let cells: Vec<char> = text.chars().filter(|&mark| !mark.is_whitespace() && mark != '/').collect();
        let n_cells = self.layout.width * self.layout.height;
        if cells.len() != n_cells {
            let (width, height) = (self.layout.width, self.layout.height);
            return Err(format!("it has {} cells, and a board of {width}x{height} has {n_cells}", cells.len()));
        }
        let mut position = Position(0);
        for (piece, track) in self.tracks.iter().enumerate() {
            let shown = |cell: &u16| track.name.chars().eq([cells[*cell as usize]]);
            let Some(place) = track.line.windows(track.length).position(|window| window.iter().all(shown)) else {
                return Err(format!("piece {} is not on its line with its length of {}", track.name, track.length));
            };
            position = self.with_place(position, piece, place);
        }
        let redrawn = self.board_string(position);
        for (cell, (drawn, expected)) in cells.iter().zip(redrawn.chars()).enumerate() {
            let drawn = if matches!(drawn, 'o' | '.') { '.' } else { *drawn };
            if drawn != expected {
                return Err(format!(
                    "cell {cell} holds {drawn:?}, and the pieces and walls of the level give {expected:?}"
                ));
            }
        }
        Ok(position)
    }

    /// The places of all pieces from a list such as `A@12 B@3`.
    pub(super) fn places_from_list(&self, text: &str) -> Result<Position, String> {
        let mut position = self.start;
        let mut is_placed = vec![false; self.tracks.len()];
        let mut rest = text.trim_start_matches(between_entries);
        while !rest.is_empty() {
            // Names may hold blanks and commas: the longest one that fits is meant.
            let fitting = self
                .tracks
                .iter()
                .enumerate()
                .filter(|(_, track)| rest.strip_prefix(&track.name).is_some_and(|rest| rest.starts_with('@')));
            let Some((piece, track)) = fitting.max_by_key(|(_, track)| track.name.len()) else {
                return Err(format!("{rest:?} does not begin with piece@cell; the pieces are {}", self.piece_names()));
            };
            let cell = &rest[track.name.len() + 1..];
            let end = cell.find(between_entries).unwrap_or(cell.len());
            let place = self.place_of_cell(piece, &cell[..end])?;
            is_placed[piece] = true;
            position = self.with_place(position, piece, place);
            rest = cell[end..].trim_start_matches(between_entries);
        }
        if let Some(missing) = is_placed.iter().position(|placed| !placed) {
            return Err(format!("piece {} is missing", self.tracks[missing].name));
        }
        Ok(position)
    }

    /// The place of a piece whose first cell is the one that `cell` names.
    pub(super) fn place_of_cell(&self, piece: usize, cell: &str) -> Result<usize, String> {
        let track = &self.tracks[piece];
        let n_cells = self.layout.width * self.layout.height;
        let of_row = |(row, column): (usize, usize)| {
            let is_there = (1..=self.layout.height).contains(&row) && (1..=self.layout.width).contains(&column);
            is_there.then(|| (row - 1) * self.layout.width + column - 1)
        };
        let number = cell.parse().ok().or_else(|| of_row(row_and_column(cell)?)).ok_or_else(|| {
            format!("{cell:?} is neither a cell number from 0 to {} nor a row and column from r1c1", n_cells - 1)
        })?;
        if number >= n_cells {
            return Err(format!("cell {number} is not on the board: cells go from 0 to {}", n_cells - 1));
        }
        let place = track.line[..track.n_places()].iter().position(|&on_line| on_line as usize == number);
        place.ok_or_else(|| {
            format!("piece {} cannot have its first cell on {number}: it is not on its line", track.name)
        })
    }

    pub(super) fn board_string(&self, position: Position) -> String {
        let mut cells = vec!["."; self.layout.width * self.layout.height];
        for &(row, column) in &self.layout.walls {
            cells[row * self.layout.width + column] = "x";
        }
        for track in &self.tracks {
            let place = track.place(position);
            for &cell in &track.line[place..place + track.length] {
                cells[cell as usize] = &track.name;
            }
        }
        cells.concat()
    }

    /// `true` if no two pieces, and no piece and a wall, share a cell.
    pub(super) fn is_free_of_collisions(&self, position: Position) -> bool {
        let mut occupied = vec![false; self.layout.width * self.layout.height];
        let walls = self.layout.walls.iter().map(|&(row, column)| row * self.layout.width + column);
        let pieces = self.tracks.iter().flat_map(|track| {
            let place = track.place(position);
            track.line[place..place + track.length].iter().map(|&cell| cell as usize)
        });
        walls.chain(pieces).all(|cell| !std::mem::replace(&mut occupied[cell], true))
    }
}

/// Separator between the entries of a list of places.
fn between_entries(character: char) -> bool {
    character.is_whitespace() || character == ','
}

/// The lines on which the pieces of a layout slide, with their places in the code.
pub(super) fn tracks(layout: &Layout) -> Vec<Track> {
    let mut shift = 0;
    let mut tracks = Vec::with_capacity(layout.pieces.len());
    for piece in &layout.pieces {
        let cell = |row: usize, column: usize| (row * layout.width + column) as u16;
        let (line, first_place): (Vec<u16>, usize) = match piece.orientation {
            Orientation::Horizontal => {
                ((0..layout.width).map(|column| cell(piece.row, column)).collect(), piece.column)
            }
            Orientation::Vertical => ((0..layout.height).map(|row| cell(row, piece.column)).collect(), piece.row),
        };
        let n_places = line.len() - piece.length + 1;
        let bits = usize::BITS - (n_places - 1).leading_zeros();
        // Places and not cells: a piece has a place on its line only, and few bits make codes of 64 bits enough for
        // large boards.
        let mask = (1 << bits) - 1;
        // Codes beyond 64 bits are refused by the caller; the shift must not overflow before that.
        tracks.push(Track {
            name: piece.name.clone(),
            length: piece.length,
            line,
            shift: shift % u64::BITS,
            mask,
            first_place,
            orientation: piece.orientation,
        });
        shift += bits;
    }
    tracks
}

/// `true` if every piece is named by one character that means nothing else on a board.
pub(super) fn has_board_string(layout: &Layout) -> bool {
    layout.pieces.iter().all(|piece| {
        let mut characters = piece.name.chars();
        let first = characters.next();
        characters.next().is_none() && first.is_some_and(|name| !name.is_whitespace() && !".ox@,".contains(name))
    })
}
