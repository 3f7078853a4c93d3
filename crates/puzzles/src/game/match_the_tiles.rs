//! Match-the-Tiles: one swipe moves all blocks as far as they go, and each has to end on a goal of its colour.
//!
//! A position is the cells of all blocks, packed into one word of up to 128 bits. Blocks of one colour are
//! interchangeable, so their cells are kept in ascending order. Moves cannot be undone in general, and
//! there are positions from which no goal can be reached.
//!
//! Notation of moves: `up`, `right`, `down`, `left`.

use serde::{Deserialize, Serialize};

use super::picture::{Picture, Role, Shape};
use super::{Aim, Attribute, Gesture, Heuristic, MoveError, Puzzle, Specification, StateError, Unindexed};
use crate::game::direction::{Direction, WORDS};

mod heuristics;
pub mod layout;
pub mod notation;
mod slides;

use heuristics::Heuristics;
use layout::{Cell, Layout};
use slides::Slides;

/// The options of the rules; there is none yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {}

/// The most blocks that a code of 128 bits can hold: 25 on 32 cells, at 5 bits each.
const MAX_BLOCKS: usize = 25;

/// The widest code of a position, in bits.
const MAX_BITS: u32 = u128::BITS;

/// Free space around a block inside its cell, as a share of the cell: a goal below it stays visible.
const BLOCK_INSET: f64 = 0.1;

/// One position: the cells of all blocks, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(u128);

/// The direction of this name: a word, its first letter or an arrow, in any case; words that programs put before
/// it, as in `swipe_up` or `ArrowUp`, do not count.
fn direction_named(text: &str) -> Option<Direction> {
    let lower = text.to_lowercase();
    let mut word = lower.trim_end_matches('\u{fe0f}');
    for prefix in ["swipe", "move", "direction", "arrow", "key", "k_"] {
        word = word.strip_prefix(prefix).unwrap_or(word).trim_start_matches([' ', '_', '-', ':']);
    }
    WORDS.iter().find(|(known, _)| *known == word).map(|&(_, direction)| direction)
}

/// Reason why a layout cannot be played, although it is well formed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// The cells of all blocks do not fit into one code.
    #[error(
        "the cells of {blocks} blocks on {cells} free cells need {bits} bits, and a state code has {MAX_BITS}: \
         take blocks away, or make the board smaller"
    )]
    TooManyBlocks {
        /// Number of blocks.
        blocks: usize,
        /// Number of cells that are no wall.
        cells: usize,
        /// Bits that a code would need.
        bits: u32,
    },
}

/// The rules of one level of Match-the-Tiles.
///
/// Inside, cells are the free ones (those without a wall), numbered row by row; blocks are in the order of
/// their colours.
#[derive(Clone, Debug)]
pub struct MatchTheTiles {
    layout: Layout,
    /// The place on the board of each free cell, row by row.
    places: Vec<usize>,
    /// The letters of the colours, ascending.
    colours: Vec<char>,
    /// The colour of each block.
    block_colours: Vec<u8>,
    /// The blocks of each colour that has more than one.
    twins: Vec<std::ops::Range<usize>>,
    /// The colour of the goal on each free cell, `NO_GOAL` where there is none.
    goal_colours: Vec<u8>,
    slides: [Slides; 4],
    /// For each colour, the fewest swipes that a block needs from each free cell to one of its goals if it
    /// can stop wherever it wants.
    swipes_to_goal: Vec<Vec<u16>>,
    heuristics: Heuristics,
    bits_per_block: u32,
    start: Position,
}

const NO_GOAL: u8 = u8::MAX;

/// The cells of all blocks, unpacked; those behind the last block are 0.
type Cells = [u16; MAX_BLOCKS];

impl MatchTheTiles {
    /// The rules of a level with this layout.
    ///
    /// # Errors
    ///
    /// [`LayoutError`] if the level is too large for a code of 128 bits.
    pub fn new(layout: Layout) -> Result<Self, LayoutError> {
        let places: Vec<usize> = (0..layout.cells.len()).filter(|&place| layout.cells[place] != Cell::Wall).collect();
        let colours = layout.colours();
        let mut blocks: Vec<(u8, u16)> = Vec::new();
        let mut goal_colours = vec![NO_GOAL; places.len()];
        let number = |letter: char| colours.iter().position(|&colour| colour == letter).map(|colour| colour as u8);
        for (cell, &place) in places.iter().enumerate() {
            blocks.extend(layout.cells[place].block().and_then(number).map(|colour| (colour, cell as u16)));
            goal_colours[cell] = layout.cells[place].goal().and_then(number).unwrap_or(NO_GOAL);
        }
        blocks.sort_unstable();
        let bits_per_block = usize::BITS - places.len().saturating_sub(1).leading_zeros();
        let bits = bits_per_block * blocks.len() as u32;
        if bits > MAX_BITS || blocks.len() > MAX_BLOCKS {
            return Err(LayoutError::TooManyBlocks { blocks: blocks.len(), cells: places.len(), bits });
        }
        let slides = Direction::ALL.map(|swipe| Slides::new(&layout, &places, swipe));
        let swipes_to_goal = (0..colours.len() as u8).map(|colour| slides::swipes_to(&slides, &goal_colours, colour));
        let mut rules = Self {
            swipes_to_goal: swipes_to_goal.collect(),
            heuristics: Heuristics::new(&layout, &places, &goal_colours, colours.len()),
            block_colours: blocks.iter().map(|&(colour, _)| colour).collect(),
            twins: twins(&blocks),
            start: Position(0),
            layout,
            places,
            colours,
            goal_colours,
            slides,
            bits_per_block,
        };
        rules.start = rules.packed(blocks.iter().map(|&(_, cell)| cell));
        Ok(rules)
    }

    fn n_blocks(&self) -> usize {
        self.block_colours.len()
    }

    fn packed(&self, cells: impl DoubleEndedIterator<Item = u16>) -> Position {
        Position(cells.rev().fold(0, |code, cell| (code << self.bits_per_block) | u128::from(cell)))
    }

    fn unpacked(&self, position: Position) -> Cells {
        let mut cells = [0; MAX_BLOCKS];
        let mask = (1 << self.bits_per_block) - 1;
        let mut code = position.0;
        for cell in &mut cells[..self.n_blocks()] {
            *cell = (code & mask) as u16;
            code >>= self.bits_per_block;
        }
        cells
    }

    fn swiped(&self, cells: &Cells, swipe: Direction) -> Position {
        let mut after = [0; MAX_BLOCKS];
        let after = &mut after[..self.n_blocks()];
        self.slides[swipe as usize].slide(&cells[..self.n_blocks()], after);
        for twins in &self.twins {
            after[twins.clone()].sort_unstable();
        }
        self.packed(after.iter().copied())
    }

    /// The blocks with their colours and their cells.
    fn blocks(&self, position: Position) -> impl Iterator<Item = (u8, usize)> + '_ {
        let cells = self.unpacked(position);
        self.block_colours.iter().zip(cells).map(|(&colour, cell)| (colour, cell as usize))
    }

    /// The board in this position; without its goals if they are not asked for.
    fn board(&self, position: Position, with_goals: bool) -> Vec<Cell> {
        let without_blocks = |cell: &Cell| match cell {
            Cell::Wall => Cell::Wall,
            Cell::Floor { goal, .. } => Cell::Floor { goal: goal.filter(|_| with_goals), block: None },
        };
        let mut cells: Vec<Cell> = self.layout.cells.iter().map(without_blocks).collect();
        for (colour, cell) in self.blocks(position) {
            if let Cell::Floor { block, .. } = &mut cells[self.places[cell]] {
                *block = Some(self.colours[colour as usize]);
            }
        }
        cells
    }

    /// The position that a drawn board shows, its walls and goals checked against those of the level.
    fn position_of(&self, text: &str) -> Result<Position, String> {
        let rows = notation::read_position(text)?;
        let Layout { width, height, cells: level, .. } = &self.layout;
        let (width, n_cells) = (*width, rows.iter().map(Vec::len).sum::<usize>());
        let is_ragged = rows.len() > 1 && (rows.len() != *height || rows.iter().any(|row| row.len() != width));
        if is_ragged || n_cells != level.len() {
            let lengths: Vec<String> = rows.iter().map(|row| row.len().to_string()).collect();
            let (listed, has) = (lengths.join(", "), if rows.len() == 1 { "row has" } else { "rows have" });
            return Err(format!("its {has} {listed} cells, and the board has {height} rows of {width} cells"));
        }
        let mut blocks: Vec<(u8, u16)> = Vec::new();
        for (place, (drawn_cell, known)) in rows.iter().flatten().zip(level).enumerate() {
            let at = || format!("row {}, column {}", place / width + 1, place % width + 1);
            if (*drawn_cell == Cell::Wall) != (*known == Cell::Wall) {
                let (drawn, is) = if *known == Cell::Wall { ("no wall", "a wall") } else { ("a wall", "none") };
                return Err(format!("it has {drawn} at {}, where the level has {is}", at()));
            }
            if let Some(goal) = drawn_cell.goal().filter(|&goal| known.goal() != Some(goal)) {
                return Err(format!("it has a goal {goal:?} at {}, where the level has none", at()));
            }
            if let Some(letter) = drawn_cell.block() {
                let colour = self.colours.iter().position(|&colour| colour == letter);
                let colour = colour.ok_or_else(|| format!("the level has no block {:?}", block_letter(letter)))?;
                let cell = self.places.partition_point(|&free| free < place);
                blocks.push((colour as u8, cell as u16));
            }
        }
        blocks.sort_unstable();
        for (colour, &letter) in self.colours.iter().enumerate() {
            let n_blocks = blocks.iter().filter(|block| block.0 as usize == colour).count();
            let wanted = self.block_colours.iter().filter(|&&other| other as usize == colour).count();
            if n_blocks != wanted {
                let letter = block_letter(letter);
                return Err(format!("it has {n_blocks} blocks {letter:?}, and the level has {wanted}"));
            }
        }
        Ok(self.packed(blocks.iter().map(|&(_, cell)| cell)))
    }
}

/// The letter of a block of a colour, which levels name by the letter of its goal.
fn block_letter(colour: char) -> char {
    colour.to_ascii_uppercase()
}

/// The runs of more than one block of the same colour.
fn twins(blocks: &[(u8, u16)]) -> Vec<std::ops::Range<usize>> {
    let mut first = 0;
    let runs = blocks.chunk_by(|this, other| this.0 == other.0).map(|run| {
        first += run.len();
        first - run.len()..first
    });
    runs.filter(|run| run.len() > 1).collect()
}

impl Puzzle for MatchTheTiles {
    type State = Position;
    type Move = Direction;
    type Index = Unindexed;

    const REVERSIBLE: bool = false;

    fn start(&self) -> Position {
        self.start
    }

    fn is_goal(&self, position: Position) -> bool {
        let cells = self.unpacked(position);
        self.block_colours.iter().zip(cells).all(|(&colour, cell)| self.goal_colours[cell as usize] == colour)
    }

    fn specification(&self) -> Option<Specification> {
        let goals = self.layout.cells.iter().map(|cell| cell.goal().unwrap_or('.'));
        Some(Specification { kind: "swipes", settings: vec![("goals", goals.collect())] })
    }

    fn legal_moves(&self, position: Position, moves: &mut Vec<Direction>) {
        let cells = self.unpacked(position);
        moves.extend(Direction::ALL.into_iter().filter(|&swipe| self.swiped(&cells, swipe) != position));
    }

    fn for_each_successor(&self, position: Position, _moves: &mut Vec<Direction>, visit: &mut impl FnMut(Position)) {
        let cells = self.unpacked(position);
        for swipe in Direction::ALL {
            let after = self.swiped(&cells, swipe);
            if after != position {
                visit(after);
            }
        }
    }

    fn play_unchecked(&self, position: Position, swipe: Direction) -> Position {
        self.swiped(&self.unpacked(position), swipe)
    }

    fn play(&self, position: Position, swipe: Direction) -> Result<Position, String> {
        let after = self.play_unchecked(position, swipe);
        if after == position {
            let towards = swipe.name();
            return Err(format!("no block can go {towards}: each is stopped by the edge, a wall or another block"));
        }
        Ok(after)
    }

    fn code_bits(&self) -> u32 {
        self.bits_per_block * self.n_blocks() as u32
    }

    fn encode(&self, position: Position) -> u128 {
        position.0
    }

    fn decode(&self, code: u128) -> Position {
        Position(code)
    }

    fn parse_state(&self, text: &str) -> Result<Position, StateError> {
        self.position_of(text).map_err(|reason| StateError { text: text.to_owned(), reason })
    }

    fn format_state(&self, position: Position) -> String {
        let cells = self.board(position, false);
        let rows = cells.chunks(self.layout.width).map(|row| row.iter().map(Cell::token).collect::<String>());
        rows.collect::<Vec<_>>().join("/")
    }

    fn parse_move(&self, _position: Position, text: &str) -> Result<Direction, MoveError> {
        let text = text.trim();
        direction_named(text).ok_or_else(|| MoveError::Unreadable {
            text: text.to_owned(),
            expected: "write up, right, down or left (or U, R, D, L, or an arrow)".to_owned(),
        })
    }

    fn is_null(&self, position: Position, swipe: Direction) -> bool {
        self.play_unchecked(position, swipe) == position
    }

    fn move_between(&self, before: Position, after: Position) -> Option<Direction> {
        // Each swipe changes the sum of rows or of columns in its own direction, so one at most fits.
        let cells = self.unpacked(before);
        Direction::ALL.into_iter().find(|&swipe| before != after && self.swiped(&cells, swipe) == after)
    }

    fn gesture(&self, _position: Position, swipe: Direction) -> Option<Gesture> {
        Some(Gesture::Swipe(swipe))
    }

    fn format_move(&self, _position: Position, swipe: Direction) -> String {
        swipe.name().to_owned()
    }

    fn picture(&self, position: Position) -> Picture {
        let Layout { width, height, .. } = self.layout;
        let board = self.board(position, true);
        let number = |letter: char| self.colours.iter().position(|&colour| colour == letter).unwrap_or_default();
        let mut shapes = Vec::new();
        let mut blocks = Vec::new();
        for (place, cell) in board.iter().enumerate() {
            let square = |role, label| Shape::block(place / width, place % width, 1, 1, role, label);
            if *cell == Cell::Wall {
                shapes.push(square(Role::Wall, String::new()));
            }
            if let Some(letter) = cell.goal() {
                let label = if cell.block().is_none() { letter.to_string() } else { String::new() };
                shapes.push(square(Role::Target(number(letter)), label));
            }
            if let Some(letter) = cell.block() {
                let block = square(Role::Piece(number(letter)), block_letter(letter).to_string());
                let (row, column) = (block.row + BLOCK_INSET, block.column + BLOCK_INSET);
                let side = 1.0 - 2.0 * BLOCK_INSET;
                blocks.push(Shape { row, column, rows: side, columns: side, ..block });
            }
        }
        shapes.extend(blocks);
        let text = Some(notation::drawn(&board, width));
        Picture { shapes, text, ..Picture::grid(width, height) }
    }

    fn aim(&self) -> Aim {
        Aim::new(
            "Swipe all blocks at once until every block lies on a goal of its colour.",
            "Alle Blöcke zugleich schieben, bis jeder auf einem Ziel seiner Farbe liegt.",
            "Faites glisser tous les blocs à la fois, jusqu’à ce que chacun soit sur un but de sa couleur.",
        )
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        self.heuristics.list()
    }

    fn estimate(&self, heuristic: usize, position: Position) -> f64 {
        self.heuristics.estimate(heuristic, self.blocks(position), &self.swipes_to_goal)
    }

    fn attributes(&self, position: Position) -> Vec<Attribute> {
        let matched = self.blocks(position).filter(|&(colour, cell)| self.goal_colours[cell] == colour).count();
        vec![Attribute::new("n_matched", matched, "blocks on a goal of their colour")]
    }
}

#[cfg(test)]
mod tests;
