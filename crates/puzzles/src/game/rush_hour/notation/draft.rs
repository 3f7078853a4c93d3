//! A level whose pieces are known but not yet checked against each other and the board.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::RED_NAMES;
use super::settings::{Marked, Settings, WrittenExit, side_name};
use crate::fault::{Fault, SourceText};
use crate::game::rush_hour::layout::{Exit, Layout, Orientation, Piece};

/// A level before the checks that all notations share.
pub(super) struct Draft {
    pub source: Arc<SourceText>,
    /// The bytes to blame if something is missing.
    pub whole: Range<usize>,
    pub width: usize,
    pub height: usize,
    pub settings: Settings,
    pub pieces: Vec<Marked<Piece>>,
    /// The names of pieces that are there but faulty, empty where even the name is; they are not missing.
    pub unread: Vec<String>,
    /// Which piece is red unless the settings name one.
    pub red: DefaultRed,
    /// What is wrong already.
    pub faults: Vec<Fault>,
}

/// Which piece is red if the level does not say so by name.
pub(super) enum DefaultRed {
    /// The one at this index of the pieces, or one that is there but faulty.
    At(Option<usize>),
    /// The one with this letter.
    Letter(&'static str),
    /// The only one with one of [`RED_NAMES`].
    Known,
}

impl Draft {
    /// The layout, if nothing is wrong.
    pub fn finish(mut self) -> Result<Layout, Vec<Fault>> {
        self.check_names();
        // On a board of unknown size every place would be a guess.
        if !self.faults.iter().any(|fault| fault.code == "bad-board-size") {
            self.check_places();
        }
        let red = self.find_red();
        let exit = red.and_then(|red| self.find_exit(red));
        match (red, exit) {
            (Some(red), Some(exit)) if self.faults.is_empty() => {
                let mut walls: Vec<_> = self.settings.walls.into_iter().map(|wall| wall.value).collect();
                walls.sort_unstable();
                walls.dedup();
                let pieces = self.pieces.into_iter().map(|piece| piece.value).collect();
                Ok(Layout { width: self.width, height: self.height, walls, pieces, red, exit })
            }
            _ => Err(self.faults),
        }
    }

    fn fault(&mut self, code: &'static str, span: Range<usize>, message: String, label: &str, help: &str) {
        let fault = Fault::error(code, &self.source, span, message);
        self.faults.push(fault.labelled(label).with_help(help));
    }

    fn check_names(&mut self) {
        let mut names = HashSet::new();
        for Marked { value: Piece { name, .. }, span } in &self.pieces {
            if !names.insert(name) {
                let message = format!("two pieces are called {name:?}");
                let fault = Fault::error("duplicate-piece", &self.source, span.clone(), message);
                self.faults.push(fault.labelled("this name is taken").with_help("give each piece a name of its own"));
            }
            // In a list of places, such as `A@12 B@3`, it would be read as something else.
            if name.contains('@') || name.starts_with(|first: char| first.is_whitespace() || first == ',') {
                let message = format!("a piece cannot be called {name:?}");
                let fault = Fault::error("bad-name", &self.source, span.clone(), message);
                let help = "a name has no @, and does not begin with a comma or a blank";
                self.faults.push(fault.labelled("this piece").with_help(help));
            }
        }
    }

    /// Pieces and walls lie on the board, and no two in one cell.
    fn check_places(&mut self) {
        let (width, height) = (self.width, self.height);
        let mut owners: Vec<Option<Owner>> = vec![None; width * height];
        for Marked { value: (row, column), span } in self.settings.walls.clone() {
            if row < height && column < width {
                owners[row * width + column] = Some(Owner::Wall);
            } else {
                let message = format!("the wall in row {}, column {} is outside of the board", row + 1, column + 1);
                let help = format!("the board has {width} columns and {height} rows");
                self.fault("wall-outside-board", span, message, "not on the board", &help);
            }
        }
        for at in 0..self.pieces.len() {
            let Marked { value: piece, span } = self.pieces[at].clone();
            if self.reaches_outside(&piece) {
                self.fault_outside(&piece, span);
                continue;
            }
            let mut met = Vec::new();
            for (row, column) in piece.cells() {
                match owners[row * width + column].replace(Owner::Piece(at)) {
                    Some(owner) if !met.contains(&owner) => {
                        met.push(owner);
                        self.fault_overlap(&piece, owner, (row, column), span.clone());
                    }
                    _ => {}
                }
            }
        }
    }

    fn reaches_outside(&self, piece: &Piece) -> bool {
        let (start, side, across) = match piece.orientation {
            Orientation::Horizontal => (piece.column, self.width, piece.row >= self.height),
            Orientation::Vertical => (piece.row, self.height, piece.column >= self.width),
        };
        across || start.saturating_add(piece.length) > side
    }

    fn fault_outside(&mut self, piece: &Piece, span: Range<usize>) {
        let Piece { name, length, .. } = piece;
        let (direction, row, column) = (direction(piece.orientation), piece.row + 1, piece.column + 1);
        let message = format!(
            "the piece {name:?} lies outside of the board: {direction}, {length} cells from row {row}, column {column}"
        );
        let help = format!("the board has {} columns and {} rows", self.width, self.height);
        self.fault("piece-outside-board", span, message, "leaves the board", &help);
    }

    fn fault_overlap(&mut self, piece: &Piece, owner: Owner, (row, column): (usize, usize), span: Range<usize>) {
        let cell = format!("row {}, column {}", row + 1, column + 1);
        match owner {
            Owner::Wall => {
                let message = format!("the piece {:?} lies on a wall in {cell}", piece.name);
                self.fault("piece-on-wall", span, message, "lies on a wall", "move the piece or take the wall away");
            }
            Owner::Piece(other) => {
                let message =
                    format!("the pieces {:?} and {:?} overlap in {cell}", self.pieces[other].value.name, piece.name);
                self.fault(
                    "overlapping-pieces",
                    span,
                    message,
                    "overlaps an earlier piece",
                    "move or shorten one of them",
                );
            }
        }
    }

    fn find_red(&mut self) -> Option<usize> {
        if let Some(Marked { value: name, span }) = self.settings.red.clone() {
            let found = self.named(&name);
            if found.is_none() && !self.unread.contains(&name) {
                let message = format!("the red piece {name:?} is not on the board");
                let help = format!("the pieces are {}", self.names());
                self.fault("missing-red-piece", span, message, "no piece has this name", &help);
            }
            return found;
        }
        match self.red {
            DefaultRed::At(at) => at,
            DefaultRed::Letter(letter) => self.named(letter).or_else(|| {
                if !self.unread.iter().any(|name| name == letter) {
                    self.faults.push(missing_red_letter(letter, &self.source, self.whole.clone()));
                }
                None
            }),
            DefaultRed::Known => self.find_known_red(),
        }
    }

    fn find_known_red(&mut self) -> Option<usize> {
        let is_known = |piece: &Marked<Piece>| RED_NAMES.contains(&piece.value.name.as_str());
        let known: Vec<usize> = (0..self.pieces.len()).filter(|&at| is_known(&self.pieces[at])).collect();
        let help = "say which piece is red by `\"red\": \"its id\"` in the object of the level";
        match known.as_slice() {
            // One of the faulty pieces may be the red one.
            [] if self.unread.iter().any(|name| name.is_empty() || RED_NAMES.contains(&name.as_str())) => None,
            [] => {
                let message = format!("none of the pieces {} is known to be red", self.names());
                self.fault("missing-red-piece", self.whole.clone(), message, "no red piece in this level", help);
                None
            }
            &[only] => Some(only),
            &[first, second, ..] => {
                let (first, second) = (&self.pieces[first].value.name, &self.pieces[second]);
                let message = format!("the pieces {first:?} and {:?} can both be the red one", second.value.name);
                self.fault("ambiguous-red-piece", second.span.clone(), message, "red or not?", help);
                None
            }
        }
    }

    fn find_exit(&mut self, red: usize) -> Option<Exit> {
        let red = &self.pieces[red].value;
        let mut written = self.settings.exits.iter();
        let Some(Marked { value: WrittenExit { side, line }, span }) = written.next().cloned() else {
            return Some(red.default_exit());
        };
        let exit = Exit { side, line: line.unwrap_or_else(|| red.line()) };
        if let Some(other) = written.find(|other| other.value != WrittenExit { side, line }) {
            let (span, message) = (other.span.clone(), "the level has more than one exit".to_owned());
            self.fault("several-exits", span, message, "another exit", "keep one exit");
            return None;
        }
        if Orientation::towards(side) != red.orientation || exit.line != red.line() {
            let (line_name, ends) = match red.orientation {
                Orientation::Horizontal => ("row", "left or right"),
                Orientation::Vertical => ("column", "top or bottom"),
            };
            let message = format!(
                "the red piece {:?} cannot reach the exit at the {}, line {}",
                red.name,
                side_name(side),
                exit.line + 1
            );
            let help = format!("it lies in {line_name} {}: put the exit at the {ends} of it", red.line() + 1);
            self.fault("exit-not-on-red-line", span, message, "not on the line of the red piece", &help);
            return None;
        }
        Some(exit)
    }

    fn named(&self, name: &str) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.value.name == name)
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.pieces.iter().map(|piece| piece.value.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}

/// That no piece of a drawn board has the letter of the red one.
pub(super) fn missing_red_letter(letter: &str, source: &Arc<SourceText>, whole: Range<usize>) -> Fault {
    Fault::error("missing-red-piece", source, whole, format!("there is no red piece {letter:?}"))
        .labelled("no red piece in this level")
        .with_help("call the red piece A, or give its letter in a line such as `# red: R`")
}

/// What lies in a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Wall,
    Piece(usize),
}

fn direction(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Horizontal => "horizontal",
        Orientation::Vertical => "vertical",
    }
}
