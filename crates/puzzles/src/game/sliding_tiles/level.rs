//! One level of sliding tiles: its goal, and the fewest moves of its positions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::frame::{Frame, MAX_CELLS};
use super::layout::{Directions, Layout, Options};
use super::notation;
use super::patterns::Database;
use super::search::{Ended, Search};
use super::word::Word;
use crate::game::direction::Direction;
use crate::game::{MoveError, Preparation, ValueError};
use crate::progress::Silent;

/// One move: a tile slides onto the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slide {
    /// Cell that the tile leaves, row by row from 0.
    pub cell: u8,
    /// Number of the tile; 0 for what a log has where no tile slides.
    pub tile: u8,
}

/// The rules of one level of sliding tiles; `W` holds a position.
#[derive(Debug)]
pub struct SlidingTiles<W> {
    pub(super) frame: Frame,
    pub(super) start: W,
    pub(super) goal: W,
    /// Cell of each tile in the goal, and of the blank as tile 0.
    pub(super) homes: [u8; MAX_CELLS],
    /// Turns and mirrorings that leave the goal of the blank where it is: where each cell goes.
    pub(super) symmetries: Vec<Vec<u8>>,
    /// `true` if moves lead from the start to the goal, and so from every position of the level.
    pub(super) is_solvable: bool,
    pub(super) remarks: Vec<String>,
    directions: Directions,
    search_limit: u64,
    database: OnceLock<Arc<Database>>,
    /// Fewest moves that were found; those who look at a position look at its neighbours next.
    known: Mutex<HashMap<W, u32>>,
}

/// So many positions are remembered; then all are forgotten.
const MAX_KNOWN: usize = 1 << 16;

impl<W: Word> SlidingTiles<W> {
    /// The rules of a level, which must have at most [`Word::CAPACITY`] cells, each tile once at start and goal.
    pub fn new(layout: &Layout, options: &Options) -> Self {
        let frame = Frame::new(layout.width, layout.height);
        let (start, goal) = (W::of_tiles(layout.start.iter().copied()), W::of_tiles(layout.goal.iter().copied()));
        let mut homes = [0; MAX_CELLS];
        layout.goal.iter().enumerate().for_each(|(cell, &tile)| homes[usize::from(tile)] = cell as u8);
        let is_solvable = frame.class(start) == frame.class(goal);
        let odd = "no moves lead from the start to the goal: half of all positions are of another class than the goal \
                   (Johnson and Story 1879), and exchanging any two tiles of the start makes it solvable";
        Self {
            frame,
            start,
            goal,
            homes,
            symmetries: frame.symmetries(homes[0].into()),
            is_solvable,
            remarks: if is_solvable { Vec::new() } else { vec![odd.to_owned()] },
            directions: options.directions,
            search_limit: options.search_limit,
            database: OnceLock::new(),
            known: Mutex::default(),
        }
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The mirror image of a position: each tile becomes the one whose home is the image of its own.
    pub(super) fn image(&self, state: W, symmetry: &[u8]) -> W {
        let mut image = W::EMPTY;
        for (cell, &to) in symmetry.iter().enumerate() {
            let home = symmetry[usize::from(self.homes[usize::from(state.tile(cell))])];
            image = image.toggled(to.into(), self.goal.tile(home.into()));
        }
        image
    }

    /// The pattern database of the level, computed if need be.
    pub(super) fn database(&self, preparation: &Preparation) -> Result<&Database, ValueError> {
        if let Some(database) = self.database.get() {
            return Ok(database);
        }
        let database = Database::shared(&self.frame, self.homes[0].into(), preparation)?;
        Ok(self.database.get_or_init(|| database))
    }

    fn search(&self, state: W) -> Result<Search<'_>, ValueError> {
        let database = self.database(&ALONE)?;
        let homes = (0..self.frame.n_cells()).map(|cell| self.homes[usize::from(state.tile(cell))]);
        Ok(Search::new(&self.frame, database, homes, state.blank(), self.search_limit))
    }

    /// The fewest moves to the goal; nothing if there is no way.
    pub(super) fn fewest_moves(&self, state: W) -> Result<Option<u32>, ValueError> {
        if !self.is_solvable {
            return Ok(None);
        }
        if let Some(moves) = self.known(state) {
            return Ok(Some(moves));
        }
        let moves = self.search(state)?.fewest_moves().map_err(|at_least| self.beyond(at_least))?;
        self.remember(state, moves);
        Ok(Some(moves))
    }

    /// The fewest moves after a move from a position with so many: one less or one more, as a bounded search tells.
    pub(super) fn moves_after(&self, after: W, before: u32) -> Result<u32, ValueError> {
        if let Some(moves) = self.known(after) {
            return Ok(moves);
        }
        let moves = match before.checked_sub(1) {
            None => before + 1,
            Some(nearer) => match self.search(after)?.within(nearer) {
                Ended::Solved => nearer,
                Ended::Short => before + 1,
                Ended::OutOfLimit => return Err(self.beyond(before)),
            },
        };
        self.remember(after, moves);
        Ok(moves)
    }

    fn known(&self, state: W) -> Option<u32> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&state).copied()
    }

    fn remember(&self, state: W, moves: u32) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert(state, moves);
    }

    fn beyond(&self, at_least: u32) -> ValueError {
        let Self { frame: Frame { width, height, .. }, search_limit, .. } = self;
        ValueError::Beyond(format!(
            "the search for the fewest moves of this position of {width}x{height} cells looked at {search_limit} \
             positions without an end: it needs {at_least} moves or more. Raise `search-limit` in [rules], or begin \
             nearer to the goal"
        ))
    }

    /// Estimate by the pattern database; nothing where it cannot be had.
    pub(super) fn pattern_bound(&self, state: W) -> u32 {
        self.search(state).map_or(0, |search| search.bound())
    }

    /// Reads a position of the level.
    pub(super) fn state_of(&self, text: &str) -> Result<W, String> {
        let state = W::of_tiles(notation::tiles_of_state(&self.frame, text)?);
        if self.frame.class(state) == self.frame.class(self.start) {
            Ok(state)
        } else {
            Err("no moves lead here from the start of the level: half of all positions are of another class (Johnson \
                 and Story 1879), as those with two tiles exchanged"
                .to_owned())
        }
    }

    /// Reads a move: the number of the tile, a direction, or the press of a cell.
    pub(super) fn slide_of(&self, state: W, text: &str) -> Result<Slide, MoveError> {
        let blank = state.blank();
        let slide_from = |cell: usize| Slide { cell: cell as u8, tile: state.tile(cell) };
        match notation::read_move(&self.frame, text)? {
            notation::WrittenMove::Tile(tile) => {
                let cell = (0..self.frame.n_cells()).find(|&cell| state.tile(cell) == tile);
                Ok(slide_from(cell.unwrap_or(blank)))
            }
            notation::WrittenMove::Press(cell) => Ok(slide_from(cell)),
            notation::WrittenMove::Direction(direction) => {
                let from = self.source(blank, direction);
                Ok(from.map_or(Slide { cell: blank as u8, tile: 0 }, slide_from))
            }
        }
    }

    /// Cell of the tile that slides where a log has this direction; nothing where the frame ends.
    fn source(&self, blank: usize, direction: Direction) -> Option<usize> {
        let Frame { width, height, .. } = self.frame;
        let (row, column) = (blank / width, blank % width);
        // The blank goes where the tile comes from.
        let towards = match self.directions {
            Directions::Blank => direction,
            Directions::Tile => direction.opposite(),
        };
        match towards {
            Direction::Up => (row > 0).then(|| blank - width),
            Direction::Down => (row + 1 < height).then(|| blank + width),
            Direction::Left => (column > 0).then(|| blank - 1),
            Direction::Right => (column + 1 < width).then(|| blank + 1),
        }
    }
}

/// Preparation of values where nobody has asked for it before.
const ALONE: Preparation = Preparation { progress: &Silent, store: None };
