//! 2048: all tiles slide one way, equal ones merge, and a new tile appears in a cell that chance draws.
//!
//! A choice (`left`) leads to an after-state; the new tile makes the next position of it. Notation of moves:
//! `left+2@b3` slides to the left, then a tile of 2 appears in column b, row 3 from the top; `left` alone is
//! the choice. A move gains the sum of the tiles that merging made, and values are the points still to be
//! expected: exact on small boards, estimates on others.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use super::picture::{Picture, Role, Shape};
use super::{
    Attribute, Gesture, MoveError, Preparation, Puzzle, StateError, Strategy, Unit, Valuation, Value, ValueError,
};
use crate::game::direction::Direction;
use crate::progress::Silent;

mod board;
mod exact;
mod kept;
mod lookahead;
mod network;
pub mod notation;
mod players;
mod random;

pub use board::{Board, Grid, value};
pub use lookahead::source_score;

use exact::{Course, Numbering, Table};
use lookahead::Judge;
use network::{Lesson, Network};
use players::Player;

/// The tile that ends the game, if any does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WrittenTarget", into = "WrittenTarget")]
pub enum Target {
    /// The game goes on until no move is possible.
    #[default]
    None,
    /// A board with a tile of this exponent, or a larger one, is at its goal: 11 for 2048.
    Exponent(u32),
}

/// A target as files have it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenTarget {
    Tile(i64),
    Word(String),
}

impl TryFrom<WrittenTarget> for Target {
    type Error = String;

    fn try_from(written: WrittenTarget) -> Result<Self, String> {
        match written {
            WrittenTarget::Tile(tile) => notation::target(&tile.to_string()),
            WrittenTarget::Word(word) => notation::target(&word),
        }
    }
}

impl From<Target> for WrittenTarget {
    fn from(target: Target) -> Self {
        match target {
            Target::None => Self::Word("none".to_owned()),
            Target::Exponent(exponent) => Self::Tile(1 << exponent),
        }
    }
}

/// What judges the positions at the end of the lookahead of an estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Leaf {
    /// A rule with weights chosen by hand. It needs no time to prepare, and plays weakly.
    #[default]
    Score,
    /// An n-tuple network that first learns by playing (Szubert and Jaśkowski 2014).
    Network,
}

/// The options of the rules, as `[rules]` of a study gives them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The tile that ends the game: `"none"`, 8, 16, 32 …; a level's own `target` comes first.
    pub target: Target,
    /// The probability that a new tile is a 4 and not a 2.
    pub four: f64,
    /// How many moves of the player an estimate looks ahead, where a board is too large for exact values.
    pub depth: u32,
    /// What judges the positions at the end of an estimate's lookahead.
    pub leaf: Leaf,
    /// From how many games a network learns, 1 to [`MAX_TRAINING_GAMES`].
    pub training_games: u64,
}

impl Default for Options {
    fn default() -> Self {
        let training_games = DEFAULT_TRAINING_GAMES;
        Self { target: Target::None, four: 0.1, depth: 2, leaf: Leaf::Score, training_games }
    }
}

/// From how many games a network learns unless the options say otherwise.
pub const DEFAULT_TRAINING_GAMES: u64 = 10_000;

/// The most games that a network may learn from: days of learning on a 4x4 board.
pub const MAX_TRAINING_GAMES: u64 = 10_000_000;

/// The seed of the games from which networks learn. It is part of the name of kept networks.
const LEARNING_SEED: u64 = 1;

/// The farthest that an estimate looks ahead.
pub const MAX_DEPTH: u32 = 3;

impl Options {
    /// Checks what the types cannot say.
    ///
    /// # Errors
    ///
    /// What is wrong, with the entry in backticks.
    pub fn check(&self) -> Result<(), String> {
        if !(0.0..=1.0).contains(&self.four) {
            return Err(format!("`four` is a probability from 0 to 1, not {}", self.four));
        }
        if !(1..=MAX_DEPTH).contains(&self.depth) {
            return Err(format!("`depth` is a whole number from 1 to {MAX_DEPTH}, not {}", self.depth));
        }
        if !(1..=MAX_TRAINING_GAMES).contains(&self.training_games) {
            return Err(format!(
                "`training_games` is a whole number from 1 to {MAX_TRAINING_GAMES}, not {}",
                self.training_games
            ));
        }
        Ok(())
    }
}

/// A tile that chance puts on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NewTile {
    /// Its cell, row by row from 0.
    pub cell: u8,
    /// Its exponent: 1 for a 2, 2 for a 4.
    pub exponent: u8,
}

/// A choice of the player, and what chance made of it where that is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the tiles slide.
    pub direction: Direction,
    /// The tile that then appeared.
    pub tile: Option<NewTile>,
}

/// The rules of one level of 2048.
#[derive(Debug)]
pub struct Twenty48 {
    grid: Grid,
    start: Board,
    target: Option<u32>,
    options: Options,
    max_exponent: u32,
    /// How boards are numbered where they are valued exactly.
    numbering: Option<Numbering>,
    table: OnceLock<Table>,
    network: OnceLock<Arc<Network>>,
    /// Held while the table is computed, so that it is computed once.
    preparing: Mutex<()>,
}

/// How many bits a tile of an exponent up to this one takes.
fn bits(max_exponent: u32) -> u32 {
    u32::BITS - max_exponent.leading_zeros()
}

/// Why a board cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The tiles do not fit into one code.
    #[error("the tiles of a board of {width}x{height} do not fit into 128 bits: each takes {}", bits(*.max_exponent))]
    TooLarge {
        /// Number of columns.
        width: usize,
        /// Number of rows.
        height: usize,
        /// The largest exponent that can arise.
        max_exponent: u32,
    },
    /// The target cannot be reached.
    #[error("a tile of {} cannot arise on a board of {width}x{height}", value(*.target))]
    UnreachableTarget {
        /// Number of columns.
        width: usize,
        /// Number of rows.
        height: usize,
        /// The exponent of the target.
        target: u32,
        /// The largest exponent that can arise.
        max_exponent: u32,
    },
    /// No slide changes the board.
    #[error("no move is possible on this board")]
    NoMove,
}

impl Twenty48 {
    /// The rules of a level that begins with the tiles of these exponents, row by row; without tiles it
    /// begins with two that chance draws. The options must have passed [`Options::check`].
    ///
    /// # Errors
    ///
    /// [`SetupError`] if the board is too large, the target is beyond it, or no move is possible.
    pub fn new(width: usize, height: usize, exponents: &[u32], options: Options) -> Result<Self, SetupError> {
        let n_cells = width.saturating_mul(height);
        let reachable = max_exponent(n_cells, exponents, &options);
        let target = match options.target {
            Target::None => None,
            Target::Exponent(target) if target <= reachable => Some(target),
            Target::Exponent(target) => {
                return Err(SetupError::UnreachableTarget { width, height, target, max_exponent: reachable });
            }
        };
        let largest = exponents.iter().copied().max().unwrap_or(0);
        let max_exponent = target.map_or(reachable, |target| target.max(largest));
        let grid = Grid::new(width, height, max_exponent);
        let grid = grid.ok_or(SetupError::TooLarge { width, height, max_exponent })?;
        let start = grid.board(exponents.iter().copied());
        let base = target.map_or(max_exponent + 1, |target| target.min(max_exponent + 1));
        let numbering = Numbering::new(&grid, base);
        let (table, network, preparing) = (OnceLock::new(), OnceLock::new(), Mutex::new(()));
        let rules = Self { grid, start, target, options, max_exponent, numbering, table, network, preparing };
        let is_stuck = !rules.is_start_drawn() && !rules.is_goal(start) && !rules.can_move(start);
        if is_stuck { Err(SetupError::NoMove) } else { Ok(rules) }
    }

    /// The board.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How many positions in which it is the player's turn can be reached, mirror images counted once and
    /// positions with the target tile left out, and how many of them have no move; nothing before
    /// [`Puzzle::prepare`], or where values are estimates.
    pub fn n_canonical_states(&self) -> Option<(u64, u64)> {
        self.table.get().map(|table| (table.n_states, table.n_stuck))
    }

    /// Whether the level has no tiles, so that each attempt begins with two that chance draws.
    fn is_start_drawn(&self) -> bool {
        self.start == Board::EMPTY
    }

    /// The positions in which a level without tiles begins, each with its probability: two new tiles in
    /// two cells.
    fn drawn_starts(&self) -> Vec<(Board, f64)> {
        let n_cells = self.grid.n_cells();
        let n_pairs = (n_cells * (n_cells - 1) / 2) as f64;
        let tiles: Vec<(u32, f64)> = self.course().new_tiles().collect();
        let mut starts = Vec::new();
        for first in 0..n_cells {
            for second in first + 1..n_cells {
                for &(one, chance) in &tiles {
                    let board = self.grid.with_tile(Board::EMPTY, first, one);
                    let with = |&(other, also): &(u32, f64)| {
                        (self.grid.with_tile(board, second, other), chance * also / n_pairs)
                    };
                    starts.extend(tiles.iter().map(with));
                }
            }
        }
        starts
    }

    fn course(&self) -> Course<'_> {
        Course { grid: &self.grid, target: self.target, four: self.options.four }
    }

    fn can_move(&self, board: Board) -> bool {
        self.course().moves(board).next().is_some()
    }

    /// The rules and the start in words, so that kept values are not used for others.
    fn rules_in_words(&self) -> String {
        let (width, height) = (self.grid.width(), self.grid.height());
        let target = self.target.map_or("none".to_owned(), |target| value(target).to_string());
        let start = if self.is_start_drawn() { "drawn".to_owned() } else { format!("{:x}", self.start.0) };
        let base = self.numbering.map_or(0, |numbering| numbering.base);
        format!("{width}x{height}-target-{target}-four-{}-start-{start}-base-{base}", self.options.four)
    }

    /// The table of exact values, computed if need be.
    fn table(&self, numbering: Numbering, preparation: &Preparation) -> Result<&Table, ValueError> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let _one_at_a_time = self.preparing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let table = match self.kept(numbering, preparation) {
            Some(table) => table,
            None => self.computed(numbering, preparation)?,
        };
        Ok(self.table.get_or_init(|| table))
    }

    fn kept(&self, numbering: Numbering, preparation: &Preparation) -> Option<Table> {
        let words = self.rules_in_words();
        let (store, key) = (preparation.store?, store_key(&words));
        let table = kept::read_table(store.open(&key)?, &words, numbering);
        table.or_else(|| {
            store.note_damage(&key);
            None
        })
    }

    fn computed(&self, numbering: Numbering, preparation: &Preparation) -> Result<Table, ValueError> {
        let starts = match self.is_start_drawn() {
            true => self.drawn_starts().into_iter().map(|(board, _)| board).collect(),
            false => vec![self.start],
        };
        let table = Table::new(&self.course(), numbering, &starts, preparation)?;
        if let Some(store) = preparation.store.filter(|_| table.n_after_states() >= MIN_KEPT) {
            let words = self.rules_in_words();
            // A table that cannot be kept is as good as one that is; it is computed anew the next time.
            let _ = store.keep(&store_key(&words), &mut |to| kept::write_table(&table, &words, to));
        }
        Ok(table)
    }

    /// The network that these options ask for, learned if need be. It does not depend on the tiles with which
    /// the level begins, so that levels of one size share it.
    fn network(&self, preparation: &Preparation) -> Result<&Network, ValueError> {
        if let Some(network) = self.network.get() {
            return Ok(network);
        }
        let network = Network::shared(&self.lesson(), preparation)?;
        Ok(self.network.get_or_init(|| network))
    }

    /// What the network of this level learns from.
    fn lesson(&self) -> Lesson {
        Lesson {
            width: self.grid.width(),
            height: self.grid.height(),
            target: self.target,
            four: self.options.four,
            n_games: self.options.training_games,
            seed: LEARNING_SEED,
        }
    }

    fn judge(&self) -> Result<Judge<'_>, ValueError> {
        match self.options.leaf {
            Leaf::Score => Ok(Judge::Score),
            Leaf::Network => self.network(&ALONE).map(Judge::Network),
        }
    }

    fn points(&self, board: Board) -> Result<f64, ValueError> {
        let Some(numbering) = self.numbering else {
            return Ok(self.judge()?.value(&self.course(), board, self.options.depth));
        };
        self.table(numbering, &ALONE)?.value(&self.course(), board).ok_or_else(|| self.unreachable(board))
    }

    fn points_after(&self, after: Board) -> Result<f64, ValueError> {
        let Some(numbering) = self.numbering else {
            return Ok(self.judge()?.value_after(&self.course(), after, self.options.depth));
        };
        self.table(numbering, &ALONE)?.value_after(&self.course(), after).ok_or_else(|| self.unreachable(after))
    }

    /// The direction of the best move, gain included, as `rest` values what comes after; the first of the best.
    fn best_direction(
        &self,
        board: Board,
        rest: impl Fn(Board) -> Result<f64, ValueError>,
    ) -> Result<Option<Direction>, ValueError> {
        let mut moves = Vec::new();
        self.legal_moves(board, &mut moves);
        let worth = |choice: &Move| {
            let (after, gain) = self.grid.slid(board, choice.direction);
            Ok((choice.direction, f64::from(gain) + rest(after)?))
        };
        let choices: Vec<(Direction, f64)> = moves.iter().map(worth).collect::<Result<_, ValueError>>()?;
        Ok(players::best(choices))
    }

    /// The players of this level, in the order of [`Puzzle::strategies`].
    fn players(&self) -> impl Iterator<Item = Player> {
        let has_network = self.options.leaf == Leaf::Network;
        Player::ALL.into_iter().filter(move |&player| has_network || player != Player::Network)
    }

    fn points_before_start(&self) -> Result<f64, ValueError> {
        self.drawn_starts().into_iter().try_fold(0.0, |sum, (board, chance)| Ok(sum + chance * self.points(board)?))
    }

    fn unreachable(&self, board: Board) -> ValueError {
        ValueError::Beyond(format!(
            "the position {} cannot be reached from the start of this level: exact values are known of reachable \
             positions only",
            self.format_state(board)
        ))
    }

    /// Checks the tile that a log says has appeared.
    fn check_new_tile(&self, after: Board, tile: NewTile) -> Result<(), String> {
        let cell = usize::from(tile.cell);
        if cell >= self.grid.n_cells() {
            return Err(format!("cell {cell} is not on the board: cells go from 0 to {}", self.grid.n_cells() - 1));
        }
        let exponent = u32::from(tile.exponent);
        let name = notation::cell_name(&self.grid, cell);
        let possible: Vec<u32> = self.course().new_tiles().map(|(exponent, _)| exponent).collect();
        if !possible.contains(&exponent) {
            let possible: Vec<String> = possible.into_iter().map(|exponent| value(exponent).to_string()).collect();
            return Err(format!("a new tile is {}, not {}", possible.join(" or "), value(exponent)));
        }
        match self.grid.tile(after, cell) {
            0 => Ok(()),
            other => Err(format!("no tile can appear in {name}: after the slide a {} lies there", value(other))),
        }
    }
}

/// How values are prepared where nobody has asked for it before.
const ALONE: Preparation = Preparation { progress: &Silent, store: None };

/// Tables of fewer after-states are computed faster than they are worth keeping.
const MIN_KEPT: usize = 100_000;

fn store_key(rules_in_words: &str) -> String {
    format!("2048-{rules_in_words}.values")
}

/// An exponent that no tile can exceed on a board of this size that begins with these tiles.
///
/// From nothing, k cells hold at most a chain that ends in the largest new tile: exponent k + 1 with fours,
/// k without. Tiles that lie there from the beginning may go beyond: they count as new tiles of their size,
/// or each as a chain of its own, whichever bound is lower.
fn max_exponent(n_cells: usize, exponents: &[u32], options: &Options) -> u32 {
    let k = n_cells.min(board::MAX_CELLS) as u32;
    let new_tile = largest_new_tile(options.four);
    let chain = longest_chain(n_cells, options.four);
    let largest = exponents.iter().copied().max().unwrap_or(0).max(new_tile);
    let as_new = largest + k.saturating_sub(1);
    let total: u128 =
        exponents.iter().filter(|&&exponent| exponent > 0).map(|&exponent| 1 << exponent.max(chain)).sum();
    let as_chains = total.checked_ilog2().unwrap_or(0).max(chain);
    as_new.min(as_chains)
}

/// The exponent of the largest new tile.
fn largest_new_tile(four: f64) -> u32 {
    if four > 0.0 { 2 } else { 1 }
}

/// An exponent that no tile can exceed on a board that begins empty.
fn longest_chain(n_cells: usize, four: f64) -> u32 {
    (n_cells.min(board::MAX_CELLS) as u32).saturating_sub(1) + largest_new_tile(four)
}

impl Puzzle for Twenty48 {
    type State = Board;
    type Move = Move;

    const REVERSIBLE: bool = false;
    const CHANCE: bool = true;

    fn start(&self) -> Board {
        self.start
    }

    fn is_goal(&self, board: Board) -> bool {
        self.course().is_goal(board)
    }

    fn legal_moves(&self, board: Board, moves: &mut Vec<Move>) {
        if self.is_goal(board) {
            return;
        }
        let possible = Direction::ALL.into_iter().filter(|&direction| self.grid.slid(board, direction).0 != board);
        moves.extend(possible.map(|direction| Move { direction, tile: None }));
    }

    fn play_unchecked(&self, board: Board, action: Move) -> Board {
        let (after, _) = self.grid.slid(board, action.direction);
        match action.tile {
            Some(tile) => self.grid.with_tile(after, tile.cell.into(), tile.exponent.into()),
            None => after,
        }
    }

    fn play(&self, board: Board, action: Move) -> Result<Board, String> {
        if self.is_goal(board) {
            let target = self.target.map_or(0, value);
            return Err(format!("the game is over: the board holds a tile of {target} or more"));
        }
        let (after, _) = self.grid.slid(board, action.direction);
        let direction = action.direction.name();
        if after == board {
            return Err(match (self.can_move(board), board == Board::EMPTY) {
                (_, true) => "the board is empty: the log has to give the position that the attempt began with \
                              (two tiles that chance drew)"
                    .to_owned(),
                (true, _) => format!("a slide {direction} moves no tile"),
                (false, _) => "the game is over: no slide moves a tile".to_owned(),
            });
        }
        let Some(tile) = action.tile else {
            return Err(format!(
                "the log does not say which tile appeared: write it behind the direction, as in {direction}+2@{}, or \
                 give the position after each move",
                notation::cell_name(&self.grid, self.grid.empty_cells(after).next().unwrap_or(0))
            ));
        };
        self.check_new_tile(after, tile)?;
        Ok(self.play_unchecked(board, action))
    }

    fn cost(&self, board: Board, action: Move) -> u32 {
        self.grid.slid(board, action.direction).1
    }

    fn unit(&self) -> Unit {
        Unit::Points
    }

    fn code_bits(&self) -> u32 {
        self.grid.code_bits()
    }

    fn encode(&self, board: Board) -> u128 {
        board.0
    }

    fn decode(&self, code: u128) -> Board {
        Board(code)
    }

    fn parse_state(&self, text: &str) -> Result<Board, StateError> {
        notation::parse_state(self, text).map_err(|reason| StateError { text: text.to_owned(), reason })
    }

    fn format_state(&self, board: Board) -> String {
        notation::format_state(&self.grid, board)
    }

    fn parse_move(&self, _board: Board, text: &str) -> Result<Move, MoveError> {
        notation::parse_move(&self.grid, text)
    }

    /// The move that leads from one position to the next. Nothing if several do: slides in different
    /// directions can end in the same position.
    fn is_null(&self, board: Board, action: Move) -> bool {
        self.grid.slid(board, action.direction).0 == board
    }

    fn move_between(&self, before: Board, after: Board) -> Option<Move> {
        let mut choices = Vec::new();
        self.legal_moves(before, &mut choices);
        let told = |choice: Move| {
            let slid = self.play_unchecked(before, choice);
            let mut changed =
                (0..self.grid.n_cells()).filter(|&cell| self.grid.tile(slid, cell) != self.grid.tile(after, cell));
            let cell = changed.next().filter(|_| changed.next().is_none())?;
            let tile = NewTile { cell: cell as u8, exponent: self.grid.tile(after, cell) as u8 };
            let action = Move { tile: Some(tile), ..choice };
            self.play(before, action).is_ok().then_some(action)
        };
        let mut found = choices.into_iter().filter_map(told);
        found.next().filter(|_| found.next().is_none())
    }

    fn gesture(&self, action: Move) -> Option<Gesture> {
        Some(Gesture::Swipe(action.direction))
    }

    fn format_move(&self, _board: Board, action: Move) -> String {
        notation::format_move(&self.grid, action)
    }

    fn picture(&self, board: Board) -> Picture {
        let width = self.grid.width();
        let cells = self.grid.tiles(board).enumerate().filter(|&(_, exponent)| exponent > 0);
        let block = |(cell, exponent): (usize, u32)| {
            let label = value(exponent).to_string();
            Shape::block(cell / width, cell % width, 1, 1, Role::Ranked(exponent as usize), label)
        };
        let shapes = cells.map(block).collect();
        let text = Some(notation::drawing(&self.grid, board));
        Picture { shapes, text, ..Picture::grid(width, self.grid.height()) }
    }

    fn valuation(&self) -> Valuation {
        if self.numbering.is_some() { Valuation::Exact } else { Valuation::Estimate }
    }

    fn prepare(&self, preparation: &Preparation) -> Result<(), ValueError> {
        if let Some(numbering) = self.numbering {
            self.table(numbering, preparation)?;
        }
        if self.options.leaf == Leaf::Network {
            self.network(preparation)?;
        }
        Ok(())
    }

    /// The expected further points under optimal play; of the empty board of a level whose start is
    /// drawn, the mean over the draws.
    fn value(&self, board: Board) -> Result<Option<Value>, ValueError> {
        let is_before_start = board == Board::EMPTY && self.is_start_drawn();
        let points = if is_before_start { self.points_before_start() } else { self.points(board) };
        points.map(|points| Some(Value::Points(points)))
    }

    fn value_after(&self, after: Board) -> Result<Option<Value>, ValueError> {
        if after == Board::EMPTY {
            return self.value(after);
        }
        self.points_after(after).map(|points| Some(Value::Points(points)))
    }

    /// The two players of the source, the one that takes the best value, and with [`Leaf::Network`] the network.
    fn strategies(&self) -> Vec<Strategy> {
        self.players().map(Player::described).collect()
    }

    /// The first of the best directions. Nothing, too, where the player needs the exact value of a position that
    /// cannot be reached from the level's start. Values and networks that are not prepared are found first.
    fn choose(&self, strategy: usize, board: Board) -> Option<Move> {
        let course = self.course();
        let direction = match self.players().nth(strategy)? {
            _ if self.is_goal(board) => None,
            Player::Source(schedule) => players::source_choice(&course, board, schedule),
            Player::Expectimax => self.best_direction(board, |after| self.points_after(after)).ok()?,
            Player::Network => {
                let network = self.network(&ALONE).ok()?;
                self.best_direction(board, |after| Ok(Judge::Network(network).value_after(&course, after, 1))).ok()?
            }
        };
        direction.map(|direction| Move { direction, tile: None })
    }

    fn symmetric(&self, board: Board, images: &mut Vec<Board>) {
        let first = images.len();
        for image in self.grid.images(board) {
            if image != board && !images[first..].contains(&image) {
                images.push(image);
            }
        }
    }

    fn choice(&self, action: Move) -> Move {
        Move { tile: None, ..action }
    }

    fn outcomes(&self, board: Board, choice: Move, outcomes: &mut Vec<(Move, f64)>) {
        let after = self.play_unchecked(board, self.choice(choice));
        let n_empty = self.grid.empty_cells(after).count() as f64;
        for cell in self.grid.empty_cells(after) {
            outcomes.extend(self.course().new_tiles().map(|(exponent, chance)| {
                let tile = NewTile { cell: cell as u8, exponent: exponent as u8 };
                (Move { tile: Some(tile), ..choice }, chance / n_empty)
            }));
        }
    }

    fn starts(&self, starts: &mut Vec<(Board, f64)>) {
        if self.is_start_drawn() {
            starts.extend(self.drawn_starts());
        } else {
            starts.push((self.start, 1.0));
        }
    }

    fn attributes(&self, board: Board) -> Vec<Attribute> {
        let attribute = |name, value: String, meaning| Attribute { name, value, meaning };
        let mut attributes = vec![
            attribute("largest_tile", value(self.grid.largest(board)).to_string(), "value of the largest tile"),
            attribute("n_empty", self.grid.empty_cells(board).count().to_string(), "number of empty cells"),
            attribute("tile_sum", self.grid.sum(board).to_string(), "sum of the values of all tiles"),
        ];
        if let Some((n_states, n_stuck)) = self.n_canonical_states() {
            let counts = [
                (
                    "n_positions",
                    n_states,
                    "positions of the level in which it is the player's turn, mirror images counted once, those with the target tile left out",
                ),
                ("n_stuck_positions", n_stuck, "those of them without a move"),
            ];
            attributes.extend(counts.map(|(name, n, meaning)| attribute(name, n.to_string(), meaning)));
        }
        attributes
    }
}

#[cfg(test)]
mod tests;
