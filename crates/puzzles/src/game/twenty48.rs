//! 2048: all tiles slide one way, equal ones merge, and a new tile appears in a cell that chance draws.
//!
//! A choice (`left`) leads to an after-state; the new tile makes the next position of it. Notation of moves:
//! `left+2@b3` slides to the left, then a tile of 2 appears in column b, row 3 from the top; `left` alone is
//! the choice. A move gains the sum of the tiles that merging made, and values are the points still to be
//! expected: exact on small boards, estimates on others.

use super::picture::{Picture, Role, Shape};
use super::{
    Aim, Attribute, Gesture, MoveError, Preparation, Puzzle, StateError, Strategy, Unindexed, Unit, Valuation, Value,
    ValueError,
};
use crate::game::direction::Direction;

mod board;
mod exact;
mod kept;
mod level;
mod lookahead;
mod moves;
mod network;
pub mod notation;
mod options;
mod players;
mod random;

pub use board::{Board, Grid, value};
pub use level::{SetupError, Twenty48};
pub use lookahead::source_score;
pub use moves::{Move, NewTile};
pub use options::{DEFAULT_TRAINING_GAMES, Leaf, MAX_DEPTH, MAX_TRAINING_GAMES, Options, Target};

use level::ALONE;
use lookahead::LeafEvaluator;
use players::Player;

impl Twenty48 {
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

impl Puzzle for Twenty48 {
    type State = Board;
    type Move = Move;
    type Index = Unindexed;

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
        let with_tile = |choice: Move| {
            let slid = self.play_unchecked(before, choice);
            let mut changed =
                (0..self.grid.n_cells()).filter(|&cell| self.grid.tile(slid, cell) != self.grid.tile(after, cell));
            let cell = changed.next().filter(|_| changed.next().is_none())?;
            let tile = NewTile { cell: cell as u8, exponent: self.grid.tile(after, cell) as u8 };
            let action = Move { tile: Some(tile), ..choice };
            self.play(before, action).is_ok().then_some(action)
        };
        let mut moves = choices.into_iter().filter_map(with_tile);
        moves.next().filter(|_| moves.next().is_none())
    }

    fn gesture(&self, _board: Board, action: Move) -> Option<Gesture> {
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

    fn aim(&self) -> Aim {
        match self.target.map(value) {
            Some(target) => Aim::new(
                format!("Join equal tiles until there is one of {target}, and gain as many points as you can."),
                format!(
                    "Gleiche Steine verbinden, bis es einen mit {target} gibt, und möglichst viele Punkte sammeln."
                ),
                format!(
                    "Fusionnez des tuiles égales jusqu’à en avoir une de {target}, et gagnez le plus de points possible."
                ),
            ),
            None => Aim::new(
                "Join equal tiles, and gain as many points as you can before no tile can move.",
                "Gleiche Steine verbinden und möglichst viele Punkte sammeln, bevor sich kein Stein mehr schieben lässt.",
                "Fusionnez des tuiles égales et gagnez le plus de points possible, avant que plus rien ne bouge.",
            ),
        }
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
                self.best_direction(board, |after| Ok(LeafEvaluator::Network(network).value_after(&course, after, 1)))
                    .ok()?
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
        let mut attributes = vec![
            Attribute::new("largest_tile", value(self.grid.largest(board)), "value of the largest tile"),
            Attribute::new("n_empty", self.grid.empty_cells(board).count(), "number of empty cells"),
            Attribute::new("tile_sum", self.grid.sum(board), "sum of the values of all tiles"),
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
            attributes.extend(counts.map(|(name, n, meaning)| Attribute::new(name, n, meaning)));
        }
        attributes
    }
}

#[cfg(test)]
mod tests;
