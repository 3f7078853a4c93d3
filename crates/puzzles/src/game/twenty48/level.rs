//! One level of 2048: its board, and the values of its positions.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::board::{Board, Grid, MAX_CELLS, largest_new_tile, longest_chain, value};
use super::exact::{Course, Numbering, Table};
use super::kept;
use super::lookahead::LeafEvaluator;
use super::moves::Move;
use super::network::{Lesson, Network};
use super::options::{Leaf, Options, Target};
use super::players::{Player, best};
use crate::game::direction::Direction;
use crate::game::{Preparation, Puzzle, ValueError};
use crate::progress::Silent;

/// The seed of the games from which networks learn. It is part of the name of kept networks.
pub(super) const LEARNING_SEED: u64 = 1;

/// The rules of one level of 2048.
#[derive(Debug)]
pub struct Twenty48 {
    pub(super) grid: Grid,
    pub(super) start: Board,
    pub(super) target: Option<u32>,
    pub(super) options: Options,
    pub(super) max_exponent: u32,
    /// Numbering of boards where they are valued exactly.
    pub(super) numbering: Option<Numbering>,
    pub(super) table: OnceLock<Table>,
    pub(super) network: OnceLock<Arc<Network>>,
    /// Held while the table is computed, so that it is computed once.
    preparing: Mutex<()>,
}

/// Number of bits of a tile of an exponent up to this one.
fn bits(max_exponent: u32) -> u32 {
    u32::BITS - max_exponent.leading_zeros()
}

/// Reason why a board cannot be played.
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

    /// Number of positions with the player to move that can be reached, mirror images counted once and
    /// positions with the target tile left out, and how many of them have no move; nothing before
    /// [`Puzzle::prepare`], or where values are estimates.
    pub fn n_canonical_states(&self) -> Option<(u64, u64)> {
        self.table.get().map(|table| (table.n_states, table.n_stuck))
    }

    /// `true` if the level has no tiles, so that each attempt begins with two that chance draws.
    pub(super) fn is_start_drawn(&self) -> bool {
        self.start == Board::EMPTY
    }

    /// The positions in which a level without tiles begins, each with its probability: two new tiles in
    /// two cells.
    pub(super) fn drawn_starts(&self) -> Vec<(Board, f64)> {
        let n_cells = self.grid.n_cells();
        let n_pairs = (n_cells * (n_cells - 1) / 2) as f64;
        let tiles: Vec<(u32, f64)> = self.course().new_tiles().collect();
        let mut starts = Vec::new();
        for first in 0..n_cells {
            for second in first + 1..n_cells {
                for &(exponent, chance) in &tiles {
                    let board = self.grid.with_tile(Board::EMPTY, first, exponent);
                    let with = |&(other, also): &(u32, f64)| {
                        (self.grid.with_tile(board, second, other), chance * also / n_pairs)
                    };
                    starts.extend(tiles.iter().map(with));
                }
            }
        }
        starts
    }

    pub(super) fn course(&self) -> Course<'_> {
        Course { grid: &self.grid, target: self.target, four: self.options.four }
    }

    pub(super) fn can_move(&self, board: Board) -> bool {
        self.course().moves(board).next().is_some()
    }

    /// The rules and the start in words, so that kept values are not used for others.
    pub(super) fn rules_in_words(&self) -> String {
        let (width, height) = (self.grid.width(), self.grid.height());
        let target = self.target.map_or("none".to_owned(), |target| value(target).to_string());
        let start = if self.is_start_drawn() { "drawn".to_owned() } else { format!("{:x}", self.start.0) };
        let base = self.numbering.map_or(0, |numbering| numbering.base);
        format!("{width}x{height}-target-{target}-four-{}-start-{start}-base-{base}", self.options.four)
    }

    /// The table of exact values, computed if need be.
    pub(super) fn table(&self, numbering: Numbering, preparation: &Preparation) -> Result<&Table, ValueError> {
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
    pub(super) fn network(&self, preparation: &Preparation) -> Result<&Network, ValueError> {
        if let Some(network) = self.network.get() {
            return Ok(network);
        }
        let network = Network::shared(&self.lesson(), preparation)?;
        Ok(self.network.get_or_init(|| network))
    }

    /// Lesson of the network of this level.
    pub(super) fn lesson(&self) -> Lesson {
        Lesson {
            width: self.grid.width(),
            height: self.grid.height(),
            target: self.target,
            four: self.options.four,
            n_games: self.options.training_games,
            seed: LEARNING_SEED,
        }
    }

    fn leaf_evaluator(&self) -> Result<LeafEvaluator<'_>, ValueError> {
        match self.options.leaf {
            Leaf::Score => Ok(LeafEvaluator::Score),
            Leaf::Network => self.network(&ALONE).map(LeafEvaluator::Network),
        }
    }

    pub(super) fn points(&self, board: Board) -> Result<f64, ValueError> {
        let Some(numbering) = self.numbering else {
            return Ok(self.leaf_evaluator()?.value(&self.course(), board, self.options.depth));
        };
        self.table(numbering, &ALONE)?.value(&self.course(), board).ok_or_else(|| self.unreachable(board))
    }

    pub(super) fn points_after(&self, after: Board) -> Result<f64, ValueError> {
        let Some(numbering) = self.numbering else {
            return Ok(self.leaf_evaluator()?.value_after(&self.course(), after, self.options.depth));
        };
        self.table(numbering, &ALONE)?.value_after(&self.course(), after).ok_or_else(|| self.unreachable(after))
    }

    /// The direction of the best move, gain included, as `rest` values what comes after; the first of the best.
    pub(super) fn best_direction(
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
        Ok(best(choices))
    }

    /// The players of this level, in the order of [`Puzzle::strategies`].
    pub(super) fn players(&self) -> impl Iterator<Item = Player> {
        let has_network = self.options.leaf == Leaf::Network;
        Player::ALL.into_iter().filter(move |&player| has_network || player != Player::Network)
    }

    pub(super) fn points_before_start(&self) -> Result<f64, ValueError> {
        self.drawn_starts().into_iter().try_fold(0.0, |sum, (board, chance)| Ok(sum + chance * self.points(board)?))
    }

    fn unreachable(&self, board: Board) -> ValueError {
        ValueError::Beyond(format!(
            "the position {} cannot be reached from the start of this level: exact values are known of reachable \
             positions only",
            self.format_state(board)
        ))
    }
}

/// Preparation of values where nobody has asked for it before.
pub(super) const ALONE: Preparation = Preparation { progress: &Silent, store: None };

/// Tables of fewer after-states are computed faster than they are worth keeping.
const MIN_KEPT: usize = 100_000;

pub(super) fn store_key(rules_in_words: &str) -> String {
    format!("2048-{rules_in_words}.values")
}

/// An exponent that no tile can exceed on a board of this size that begins with these tiles.
///
/// From nothing, k cells hold at most a chain that ends in the largest new tile: exponent k + 1 with fours,
/// k without. Tiles that lie there from the beginning may go beyond: they count as new tiles of their size,
/// or each as a chain of its own, whichever bound is lower.
fn max_exponent(n_cells: usize, exponents: &[u32], options: &Options) -> u32 {
    let k = n_cells.min(MAX_CELLS) as u32;
    let new_tile = largest_new_tile(options.four);
    let chain = longest_chain(n_cells, options.four);
    let largest = exponents.iter().copied().max().unwrap_or(0).max(new_tile);
    let as_new = largest + k.saturating_sub(1);
    let total: u128 =
        exponents.iter().filter(|&&exponent| exponent > 0).map(|&exponent| 1 << exponent.max(chain)).sum();
    let as_chains = total.checked_ilog2().unwrap_or(0).max(chain);
    as_new.min(as_chains)
}
