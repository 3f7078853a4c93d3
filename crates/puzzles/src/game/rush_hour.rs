//! Rush Hour, the sliding-block puzzle: pieces slide along their own line until the red one is out.
//!
//! A position is the place of every piece on its line, packed into one 64-bit word. One move slides
//! one piece over free cells: any distance under the metric `slide`, one cell under `cell`.
//!
//! Notation of moves: `A+2` slides piece `A` two cells to the right or down, `A-1` one cell to the
//! left or up; `A@14` slides it until its first cell (its left or upper end) lies on cell 14, where
//! cells are numbered row by row from 0; `A@r3c3` names the row and the column of that cell from 1.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::lights_out::notation::row_and_column;
use super::picture::{Opening, Picture, Role, Shape, Side};
use super::{Feature, Heuristic, MoveError, Puzzle, StateError, Subgoal, Unit, Wish};

mod cells;
mod heuristics;
pub mod layout;
pub mod notation;
mod obstacles;

use cells::{CellSet, WideCells};
use layout::{Layout, Orientation};
use obstacles::{slide_of, subgoal};

/// When the level counts as solved. Published data sets differ in exactly this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoalRule {
    /// The red piece touches its exit.
    #[default]
    Exit,
    /// Nothing stands between the red piece and its exit.
    PathClear,
}

/// What one move is.
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
    /// When the level counts as solved.
    pub goal: GoalRule,
    /// What one move is.
    pub metric: Metric,
    /// Other names that logs use for pieces: name in the log -> name in the level.
    pub pieces: BTreeMap<String, String>,
}

/// The most cells that a board may have.
pub const MAX_CELLS: usize = 1024;

/// One position: for each piece, its place on its line, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(u64);

/// One slide of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slide {
    /// Which piece, in the order of the level.
    pub piece: u16,
    /// Cells moved: positive to the right or down.
    pub cells: i16,
}

/// A piece and the line it slides on.
#[derive(Clone, Debug)]
struct Track {
    name: String,
    length: usize,
    /// The cells of its line, in order.
    line: Vec<u16>,
    /// Where its place stands in the code.
    shift: u32,
    mask: u64,
    first_place: usize,
    orientation: Orientation,
}

impl Track {
    fn n_places(&self) -> usize {
        self.line.len() - self.length + 1
    }

    fn place(&self, position: Position) -> usize {
        ((position.0 >> self.shift) & self.mask) as usize
    }
}

/// Why a layout cannot be played, although it is well formed.
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
    layout: Layout,
    options: Options,
    tracks: Vec<Track>,
    start: Position,
    code_bits: u32,
    /// The place of the red piece where it touches its exit.
    exit_place: usize,
    /// Whether all names are single characters that a board string can show.
    has_board_string: bool,
    cells: Cells,
    /// What was taken for granted when the level was read.
    remarks: Vec<String>,
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
    fn for_each_range(&self, tracks: &[Track], position: Position, mut visit: impl FnMut(usize, usize, usize)) {
        let occupied = self.occupied(tracks, position);
        for (piece, track) in tracks.iter().enumerate() {
            let (back, forward) = self.range_among(occupied, track, position, piece);
            visit(piece, back, forward);
        }
    }

    /// How far one piece can slide: (places back, places forward).
    fn range(&self, tracks: &[Track], position: Position, piece: usize) -> (usize, usize) {
        self.range_among(self.occupied(tracks, position), &tracks[piece], position, piece)
    }

    #[inline]
    fn range_among(&self, occupied: S, track: &Track, position: Position, piece: usize) -> (usize, usize) {
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
        let (start, remarks) = (Position(start), Vec::new());
        Ok(Self { layout, options, tracks, start, code_bits, exit_place, has_board_string, cells, remarks })
    }

    /// The same rules with what was taken for granted when the level was read; see [`notation::parse_with_remarks`].
    pub fn with_remarks(mut self, remarks: Vec<String>) -> Self {
        self.remarks = remarks;
        self
    }

    fn for_each_range(&self, position: Position, visit: impl FnMut(usize, usize, usize)) {
        match &self.cells {
            Cells::Word(cells) => cells.for_each_range(&self.tracks, position, visit),
            Cells::Wide(cells) => cells.for_each_range(&self.tracks, position, visit),
        }
    }

    fn range(&self, position: Position, piece: usize) -> (usize, usize) {
        match &self.cells {
            Cells::Word(cells) => cells.range(&self.tracks, position, piece),
            Cells::Wide(cells) => cells.range(&self.tracks, position, piece),
        }
    }

    /// How far a piece may slide in one move, given how far it can slide.
    fn limited(&self, (back, forward): (usize, usize)) -> (usize, usize) {
        match self.options.metric {
            Metric::Slide => (back, forward),
            Metric::Cell => (back.min(1), forward.min(1)),
        }
    }

    fn shifted(&self, position: Position, piece: usize, cells: i64) -> Position {
        Position(position.0.wrapping_add((cells << self.tracks[piece].shift) as u64))
    }

    fn with_place(&self, position: Position, piece: usize, place: usize) -> Position {
        let track = &self.tracks[piece];
        Position((position.0 & !(track.mask << track.shift)) | ((place as u64) << track.shift))
    }

    fn piece_named(&self, name: &str) -> Option<usize> {
        let name = self.options.pieces.get(name).map_or(name, String::as_str);
        self.tracks.iter().position(|track| track.name == name)
    }

    fn piece_names(&self) -> String {
        self.tracks.iter().map(|track| track.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Number of the first cell of a piece, row by row from 0.
    fn first_cell(&self, position: Position, piece: usize) -> usize {
        let track = &self.tracks[piece];
        track.line[track.place(position)] as usize
    }

    /// The places of all pieces from a board string, in which each piece stands on its own line.
    fn places_from_board(&self, text: &str) -> Result<Position, String> {
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
        for (cell, (given, expected)) in cells.iter().zip(redrawn.chars()).enumerate() {
            let given = if matches!(given, 'o' | '.') { '.' } else { *given };
            if given != expected {
                return Err(format!(
                    "cell {cell} holds {given:?}, and the pieces and walls of the level give {expected:?}"
                ));
            }
        }
        Ok(position)
    }

    /// The places of all pieces from a list such as `A@12 B@3`.
    fn places_from_list(&self, text: &str) -> Result<Position, String> {
        let mut position = self.start;
        let mut seen = vec![false; self.tracks.len()];
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
            seen[piece] = true;
            position = self.with_place(position, piece, place);
            rest = cell[end..].trim_start_matches(between_entries);
        }
        if let Some(missing) = seen.iter().position(|seen| !seen) {
            return Err(format!("piece {} is missing", self.tracks[missing].name));
        }
        Ok(position)
    }

    /// The place of a piece whose first cell is the one that `cell` names.
    fn place_of_cell(&self, piece: usize, cell: &str) -> Result<usize, String> {
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

    fn board_string(&self, position: Position) -> String {
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

    /// Whether no two pieces, and no piece and a wall, share a cell.
    fn is_free_of_collisions(&self, position: Position) -> bool {
        let mut taken = vec![false; self.layout.width * self.layout.height];
        let walls = self.layout.walls.iter().map(|&(row, column)| row * self.layout.width + column);
        let pieces = self.tracks.iter().flat_map(|track| {
            let place = track.place(position);
            track.line[place..place + track.length].iter().map(|&cell| cell as usize)
        });
        walls.chain(pieces).all(|cell| !std::mem::replace(&mut taken[cell], true))
    }
}

/// What stands between the entries of a list of places.
fn between_entries(character: char) -> bool {
    character.is_whitespace() || character == ','
}

/// The lines on which the pieces of a layout slide, with their places in the code.
fn tracks(layout: &Layout) -> Vec<Track> {
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

/// Whether every piece is named by one character that means nothing else on a board.
fn has_board_string(layout: &Layout) -> bool {
    layout.pieces.iter().all(|piece| {
        let mut characters = piece.name.chars();
        let first = characters.next();
        characters.next().is_none() && first.is_some_and(|name| !name.is_whitespace() && !".ox@,".contains(name))
    })
}

impl Puzzle for RushHour {
    type State = Position;
    type Move = Slide;

    const REVERSIBLE: bool = true;

    fn remarks(&self) -> &[String] {
        &self.remarks
    }

    fn start(&self) -> Position {
        self.start
    }

    fn is_goal(&self, position: Position) -> bool {
        let red = &self.tracks[self.layout.red];
        let place = red.place(position);
        match self.options.goal {
            GoalRule::Exit => place == self.exit_place,
            GoalRule::PathClear => {
                let (back, forward) = self.range(position, self.layout.red);
                if self.exit_place == 0 { back == place } else { place + forward == self.exit_place }
            }
        }
    }

    fn legal_moves(&self, position: Position, moves: &mut Vec<Slide>) {
        self.for_each_range(position, |piece, back, forward| {
            let (back, forward) = self.limited((back, forward));
            let slides = (1..=back as i16).rev().map(|cells| -cells).chain(1..=forward as i16);
            moves.extend(slides.map(|cells| Slide { piece: piece as u16, cells }));
        });
    }

    fn for_each_successor(&self, position: Position, _moves: &mut Vec<Slide>, visit: &mut impl FnMut(Position)) {
        self.for_each_range(position, |piece, back, forward| {
            let (back, forward) = self.limited((back, forward));
            let step = 1u64 << self.tracks[piece].shift;
            for cells in (1..=back as u64).rev() {
                visit(Position(position.0 - cells * step));
            }
            for cells in 1..=forward as u64 {
                visit(Position(position.0 + cells * step));
            }
        });
    }

    fn play_unchecked(&self, position: Position, slide: Slide) -> Position {
        self.shifted(position, slide.piece as usize, i64::from(slide.cells))
    }

    fn play(&self, position: Position, slide: Slide) -> Result<Position, String> {
        let piece = slide.piece as usize;
        let name = &self.tracks[piece].name;
        if slide.cells == 0 {
            return Err(format!("piece {name} stays where it is"));
        }
        let (back, forward) = self.range(position, piece);
        let wanted = slide.cells.unsigned_abs() as usize;
        let possible = if slide.cells < 0 { back } else { forward };
        if wanted > possible {
            let direction = match (self.tracks[piece].orientation, slide.cells < 0) {
                (Orientation::Horizontal, true) => "left",
                (Orientation::Horizontal, false) => "right",
                (Orientation::Vertical, true) => "up",
                (Orientation::Vertical, false) => "down",
            };
            return Err(format!("piece {name} can slide {possible} cells {direction}, not {wanted}"));
        }
        Ok(self.play_unchecked(position, slide))
    }

    fn cost(&self, _position: Position, slide: Slide) -> u32 {
        match self.options.metric {
            Metric::Slide => 1,
            Metric::Cell => u32::from(slide.cells.unsigned_abs()),
        }
    }

    fn unit(&self) -> Unit {
        match self.options.metric {
            Metric::Slide => Unit::Moves,
            Metric::Cell => Unit::Cells,
        }
    }

    fn piece(&self, slide: Slide) -> Option<u32> {
        Some(u32::from(slide.piece))
    }

    fn code_bits(&self) -> u32 {
        self.code_bits
    }

    fn encode(&self, position: Position) -> u128 {
        u128::from(position.0)
    }

    fn decode(&self, code: u128) -> Position {
        Position(code as u64)
    }

    fn parse_state(&self, text: &str) -> Result<Position, StateError> {
        let parsed = if text.contains('@') || !self.has_board_string {
            self.places_from_list(text)
        } else {
            self.places_from_board(text)
        };
        let checked = parsed.and_then(|position| {
            let collides = !self.is_free_of_collisions(position);
            if collides { Err("two pieces, or a piece and a wall, share a cell".to_owned()) } else { Ok(position) }
        });
        checked.map_err(|reason| StateError { text: text.to_owned(), reason })
    }

    fn format_state(&self, position: Position) -> String {
        if self.has_board_string {
            return self.board_string(position);
        }
        let mut text = String::new();
        for (piece, track) in self.tracks.iter().enumerate() {
            let separator = if piece == 0 { "" } else { " " };
            let _ = write!(text, "{separator}{}@{}", track.name, self.first_cell(position, piece));
        }
        text
    }

    fn parse_move(&self, position: Position, text: &str) -> Result<Slide, MoveError> {
        let text = text.trim();
        let unreadable = || MoveError::Unreadable {
            text: text.to_owned(),
            expected: "write piece@cell (A@14, A@r3c3) or piece+cells (A+2, A-1)".to_owned(),
        };
        let illegal = |reason: String| MoveError::Illegal { text: text.to_owned(), reason };
        let split = text.rfind(['@', '+', '-', '\u{2212}']).filter(|&at| at > 0).ok_or_else(unreadable)?;
        let (name, rest) = text.split_at(split);
        let sign = rest.chars().next().ok_or_else(unreadable)?;
        let number = &rest[sign.len_utf8()..];
        let is_whole = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        if !is_whole && (sign != '@' || row_and_column(number).is_none()) {
            return Err(unreadable());
        }
        let piece = self
            .piece_named(name)
            .ok_or_else(|| illegal(format!("there is no piece {name:?}; the pieces are {}", self.piece_names())))?;
        let cells = if sign == '@' {
            let place = self.place_of_cell(piece, number).map_err(illegal)?;
            place as i64 - self.tracks[piece].place(position) as i64
        } else {
            let cells: i64 = number.parse().map_err(|_| unreadable())?;
            if sign == '+' { cells } else { -cells }
        };
        let cells = i16::try_from(cells).map_err(|_| illegal(format!("no board is {cells} cells long")))?;
        Ok(Slide { piece: piece as u16, cells })
    }

    fn is_null(&self, _position: Position, slide: Slide) -> bool {
        slide.cells == 0
    }

    fn move_between(&self, before: Position, after: Position) -> Option<Slide> {
        let mut changed =
            (0..self.tracks.len()).filter(|&piece| self.tracks[piece].place(before) != self.tracks[piece].place(after));
        let piece = changed.next()?;
        if changed.next().is_some() {
            return None;
        }
        let cells = self.tracks[piece].place(after) as i16 - self.tracks[piece].place(before) as i16;
        let slide = Slide { piece: piece as u16, cells };
        self.play(before, slide).is_ok().then_some(slide)
    }

    fn format_move(&self, _position: Position, slide: Slide) -> String {
        format!("{}{:+}", self.tracks[slide.piece as usize].name, slide.cells)
    }

    fn picture(&self, position: Position) -> Picture {
        let wall = |&(row, column): &(usize, usize)| Shape::block(row, column, 1, 1, Role::Wall, String::new());
        let mut shapes: Vec<Shape> = self.layout.walls.iter().map(wall).collect();
        for (piece, track) in self.tracks.iter().enumerate() {
            let cell = self.first_cell(position, piece);
            let (rows, columns) = match track.orientation {
                Orientation::Horizontal => (1, track.length),
                Orientation::Vertical => (track.length, 1),
            };
            let role = if piece == self.layout.red { Role::Hero } else { Role::Piece(piece) };
            let (row, column) = (cell / self.layout.width, cell % self.layout.width);
            shapes.push(Shape::block(row, column, rows, columns, role, track.name.clone()));
        }
        let (row, column) = match self.layout.exit.side {
            Side::Left => (self.layout.exit.line, 0),
            Side::Right => (self.layout.exit.line, self.layout.width - 1),
            Side::Top => (0, self.layout.exit.line),
            Side::Bottom => (self.layout.height - 1, self.layout.exit.line),
        };
        let openings = vec![Opening { row, column, side: self.layout.exit.side }];
        Picture { shapes, openings, ..Picture::grid(self.layout.width, self.layout.height) }
    }

    fn last_wishes(&self, position: Position) -> Option<Subgoal> {
        let way = self.way_out(position).filter(|_| !Puzzle::is_goal(self, position))?;
        Some(subgoal(vec![way]))
    }

    fn obstacles(&self, position: Position, wish: Wish) -> Option<Vec<Subgoal>> {
        self.pieces_in_the_way(position, slide_of(wish))
    }

    fn granted(&self, _position: Position, wish: Wish) -> Option<Slide> {
        let Slide { piece, cells } = slide_of(wish);
        let cells = if self.options.metric == Metric::Cell { cells.signum() } else { cells };
        Some(Slide { piece, cells })
    }

    fn wish_notation(&self, position: Position, wish: Wish) -> String {
        self.format_move(position, slide_of(wish))
    }

    fn features(&self) -> Vec<Feature> {
        let feature = |name: &str, meaning: &str| Feature { name: name.to_owned(), meaning: meaning.to_owned() };
        vec![
            feature("pieces-before-exit", "pieces between the red piece and its exit"),
            feature("cells-before-exit", "cells between the red piece and its exit"),
        ]
    }

    fn feature(&self, feature: usize, position: Position) -> f64 {
        let Some(way) = self.way_out(position) else { return 0.0 };
        match feature {
            0 => self.n_in_the_way(position, way) as f64,
            _ => f64::from(way.cells.unsigned_abs()),
        }
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        heuristics::list()
    }

    fn estimate(&self, heuristic: usize, position: Position) -> f64 {
        let places: Vec<usize> = self.tracks.iter().map(|track| track.place(position)).collect();
        heuristics::estimate(self, heuristic, &places)
    }
}
