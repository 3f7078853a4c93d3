//! Panguru: coloured pebbles on coloured plates, and one plate without a pebble, the hole. A move takes one
//! pebble along a straight line, over others if need be, into the hole. The level is solved when every pebble
//! lies on a plate of its colour; so the hole ends up on the plate that is left over.
//!
//! A position is the colour on every plate, packed. The 15 plates of the game have 10,216,206,000 positions, too
//! many for a map: the fewest moves of each come from a search of its own (iterative deepening, Korf 1985) that
//! keeps nothing. Small levels are mapped, and their values kept in a table.
//!
//! Notation of moves: the number of the plate from which a pebble moves, from 0, as `3`.

use super::picture::Picture;
use super::{
    Aim, Attribute, Heuristic, MoveError, PebbleMotion, Preparation, Puzzle, StateError, Unindexed, Valuation, Value,
    ValueError,
};

mod bound;
mod drawing;
mod heuristics;
mod layout;
mod level;
mod lines;
pub mod notation;
mod reach;
mod search;
mod table;

pub use layout::{Layout, LayoutError, MIN_PLATES};
pub use level::{Board, Options, Panguru, Step};
pub use lines::MAX_PLATES;

use lines::{members, single};

impl Puzzle for Panguru {
    type State = Board;
    type Move = Step;
    type Index = Unindexed;

    const REVERSIBLE: bool = true;

    fn start(&self) -> Board {
        self.start
    }

    fn is_goal(&self, board: Board) -> bool {
        self.n_misplaced(board) == 0
    }

    fn legal_moves(&self, board: Board, moves: &mut Vec<Step>) {
        let from_plates = members(self.lines.neighbours(self.hole(board)));
        moves.extend(from_plates.map(|from| Step { from: from as u8, colour: self.value_at(board, from) - 1 }));
    }

    fn for_each_successor(&self, board: Board, _moves: &mut Vec<Step>, visit: &mut impl FnMut(Board)) {
        let hole = self.hole(board);
        members(self.lines.neighbours(hole)).for_each(|from| visit(self.moved(board, from, hole)));
    }

    fn play_unchecked(&self, board: Board, step: Step) -> Board {
        self.moved(board, usize::from(step.from), self.hole(board))
    }

    fn play(&self, board: Board, step: Step) -> Result<Board, String> {
        let (from, hole) = (usize::from(step.from), self.hole(board));
        if from >= self.n_plates() {
            return Err(format!("there is no plate {from}; plates go from 0 to {}", self.n_plates() - 1));
        }
        if from == hole {
            return Err(format!("plate {from} is the hole: there is no pebble on it"));
        }
        if self.step_from(board, from) != step {
            return Err(format!("the pebble on plate {from} has another colour"));
        }
        if self.lines.neighbours(hole) & single(from) == 0 {
            let joined: Vec<String> = members(self.lines.neighbours(hole)).map(|plate| plate.to_string()).collect();
            return Err(format!(
                "no straight line joins plate {from} with the hole on plate {hole}; pebbles can move from {}",
                joined.join(" ")
            ));
        }
        Ok(self.moved(board, from, hole))
    }

    fn piece(&self, step: Step) -> Option<u32> {
        // Of pebbles of one colour nobody can tell which one moves.
        (self.counts[usize::from(step.colour) + 1] == 1).then_some(u32::from(step.colour))
    }

    fn code_bits(&self) -> u32 {
        self.bits * self.n_plates() as u32
    }

    fn encode(&self, board: Board) -> u128 {
        board.0
    }

    fn decode(&self, code: u128) -> Board {
        Board(code)
    }

    fn parse_state(&self, text: &str) -> Result<Board, StateError> {
        self.board_of(text).map_err(|reason| StateError { text: text.to_owned(), reason })
    }

    fn format_state(&self, board: Board) -> String {
        let mark = |plate: usize| self.pebble_at(board, plate).map_or(notation::HOLE, |colour| self.colours[colour]);
        (0..self.n_plates()).map(mark).collect()
    }

    fn parse_move(&self, board: Board, text: &str) -> Result<Step, MoveError> {
        let text = text.trim();
        let unreadable = || MoveError::Unreadable {
            text: text.to_owned(),
            expected: "write the number of the plate from which the pebble moves (3), or both plates (3>0)".to_owned(),
        };
        let illegal = |reason: String| MoveError::Illegal { text: text.to_owned(), reason };
        let ends = ["->", ">", "\u{2192}"].iter().find_map(|&arrow| text.split_once(arrow));
        let (from, to) = ends.map_or((text, None), |(from, to)| (from, Some(to)));
        let from = self.plate_numbered(from).ok_or_else(unreadable)?;
        let to = to.map(|to| self.plate_numbered(to).ok_or_else(unreadable)).transpose()?;
        let hole = self.hole(board);
        match to.transpose().map_err(illegal)? {
            Some(to) if to != hole => Err(illegal(format!("plate {to} is not the hole: that is on plate {hole}"))),
            _ => Ok(self.step_from(board, from.map_err(illegal)?)),
        }
    }

    fn move_between(&self, before: Board, after: Board) -> Option<Step> {
        let step = self.step_from(before, self.hole(after));
        (self.play(before, step) == Ok(after)).then_some(step)
    }

    fn format_move(&self, _board: Board, step: Step) -> String {
        step.from.to_string()
    }

    fn aim(&self) -> Aim {
        Aim::new(
            "Move the pebbles until each lies on a plate of its colour.",
            "Die Steine verschieben, bis jeder auf einem Teller seiner Farbe liegt.",
            "Déplacez les galets jusqu’à ce que chacun soit sur une assiette de sa couleur.",
        )
    }

    fn picture(&self, board: Board) -> Picture {
        drawing::picture(self, board)
    }

    fn pebble_motion(&self) -> Option<PebbleMotion> {
        let kinds = |board| (0..self.n_plates()).map(|plate| self.value_at(board, plate)).collect();
        Some(PebbleMotion {
            neighbours: (0..self.n_plates()).map(|plate| self.lines.neighbours(plate)).collect(),
            start: kinds(self.start),
            goals: self.goals().map(kinds).collect(),
            bits: self.bits,
        })
    }

    fn valuation(&self) -> Valuation {
        if self.is_small() { Valuation::Map } else { Valuation::Exact }
    }

    fn prepare(&self, _preparation: &Preparation) -> Result<(), ValueError> {
        if self.is_small() {
            self.table();
        }
        Ok(())
    }

    fn value(&self, board: Board) -> Result<Option<Value>, ValueError> {
        let moves = if self.is_small() { self.table().get(self.rank(board)) } else { self.fewest_moves(board)? };
        Ok(moves.map(Value::distance))
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        heuristics::list()
    }

    fn estimate(&self, heuristic: usize, board: Board) -> f64 {
        heuristics::estimate(self, heuristic, board)
    }

    fn attributes(&self, board: Board) -> Vec<Attribute> {
        vec![
            Attribute::new(
                "n_misplaced",
                self.n_misplaced(board),
                "pebbles that do not lie on a plate of their colour",
            ),
            Attribute::new("lower_bound", self.bound(&self.spread(board)), "no fewer moves can solve this position"),
        ]
    }
}

#[cfg(test)]
mod tests;
