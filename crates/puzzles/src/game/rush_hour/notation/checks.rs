//! The checks of pieces against each other and the board, common to all notations.

use std::collections::HashSet;
use std::ops::Range;

use super::reading::FROM_0;
use super::settings::{ListedCell, WrittenExit, side_name};
use super::setup::Setup;
use crate::diagnostic::Diagnostic;
use crate::game::rush_hour::layout::{Exit, Layout, Orientation, Piece};
use crate::level::Spanned;

impl Setup {
    /// The layout and what was taken for granted, if nothing is wrong.
    pub fn finish(mut self) -> Result<(Layout, Vec<String>), Vec<Diagnostic>> {
        self.place_listed();
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
                let layout = Layout { width: self.width, height: self.height, walls, pieces, red, exit };
                Ok((layout, self.remarks))
            }
            _ => Err(self.faults),
        }
    }

    /// Gives walls and exit of an object of JSON their places.
    fn place_listed(&mut self) {
        let walls = std::mem::take(&mut self.settings.listed_walls);
        let exit = self.settings.listed_exit.take();
        let base = self.reading.base;
        if self.reading != FROM_0 && !(walls.is_empty() && exit.is_none()) {
            let swap = if self.reading.is_swapped { ", and the column of a wall stands before its row" } else { "" };
            self.remarks.push(format!("walls and exit are counted from {base}, as the pieces are{swap}"));
        }
        let from_1 = "write rows and columns from 1, as those of the pieces";
        for Spanned { value, span } in walls {
            let width = self.width.max(1);
            let place = match value {
                ListedCell::Number(number) if base == 0 => Some((number / width, number % width)),
                ListedCell::Number(number) => {
                    let message = format!(
                        "is cell {number} counted from 0 or from {base}, as rows and columns of the pieces are?"
                    );
                    self.fault("ambiguous-base", span, message, "which cell?", "write the wall as [row, column]");
                    continue;
                }
                ListedCell::Pair(first, second) => self.reading.place(first, second),
            };
            match place {
                Some(value) => self.settings.walls.push(Spanned { value, span }),
                None => self.fault(
                    "ambiguous-base",
                    span,
                    "a wall is counted from 0, and pieces from 1".to_owned(),
                    "from 0?",
                    from_1,
                ),
            }
        }
        let Some(Spanned { value: WrittenExit { side, line }, span }) = exit else { return };
        match line.map(|line| line.checked_sub(base)) {
            Some(None) => self.fault(
                "ambiguous-base",
                span,
                "the exit is counted from 0, and pieces from 1".to_owned(),
                "from 0?",
                from_1,
            ),
            line => self.settings.exits.push(Spanned { value: WrittenExit { side, line: line.flatten() }, span }),
        }
    }

    fn check_names(&mut self) {
        let mut names = HashSet::new();
        for Spanned { value: Piece { name, .. }, span } in &self.pieces {
            if !names.insert(name) {
                let message = format!("two pieces are called {name:?}");
                let fault = Diagnostic::error("duplicate-piece", &self.source, span.clone(), message);
                self.faults.push(fault.labelled("this name is taken").with_help("give each piece a name of its own"));
            }
            // In a list of places, such as `A@12 B@3`, it would be read as something else.
            if name.contains('@') || name.starts_with(|first: char| first.is_whitespace() || first == ',') {
                let message = format!("a piece cannot be called {name:?}");
                let fault = Diagnostic::error("bad-name", &self.source, span.clone(), message);
                let help = "a name has no @, and does not begin with a comma or a blank";
                self.faults.push(fault.labelled("this piece").with_help(help));
            }
        }
    }

    /// Pieces and walls lie on the board, and no two in one cell.
    fn check_places(&mut self) {
        let (width, height) = (self.width, self.height);
        let mut owners: Vec<Option<Owner>> = vec![None; width * height];
        for Spanned { value: (row, column), span } in self.settings.walls.clone() {
            if row < height && column < width {
                owners[row * width + column] = Some(Owner::Wall);
            } else {
                let message = format!("the wall in row {}, column {} is outside of the board", row + 1, column + 1);
                let help = format!("the board has {width} columns and {height} rows");
                self.fault("wall-outside-board", span, message, "not on the board", &help);
            }
        }
        for at in 0..self.pieces.len() {
            let Spanned { value: piece, span } = self.pieces[at].clone();
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

    fn find_exit(&mut self, red: usize) -> Option<Exit> {
        let red = &self.pieces[red].value;
        let mut written = self.settings.exits.iter();
        let Some(Spanned { value: WrittenExit { side, line }, span }) = written.next().cloned() else {
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
}

/// Owner of a cell.
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
