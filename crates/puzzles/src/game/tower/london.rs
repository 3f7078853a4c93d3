//! The Tower of London (Shallice, 1982): coloured balls on pegs of unequal height, from a given start to a
//! given target.
//!
//! A position is what lies on each peg from the bottom, packed into one 64-bit word. Notation of positions:
//! `RG/B/-` has red below green on peg 1, blue on peg 2 and nothing on peg 3.

use super::drawing;
use super::notation::{Part, TextDiagnostic, first_reason};
use super::{PegMove, WrittenMove, stays};
use crate::game::picture::{Picture, Role};
use crate::game::{
    Aim, Feature, Heuristic, MoveError, Puzzle, Specification, StateError, Subgoal, Unindexed, WishedMove,
};

mod layout;
mod level;
mod obstacles;

pub use layout::{CAPACITIES, Layout, Options, parse, parse_capacities};
pub use level::{Balls, LayoutError, TowerOfLondon};

impl Puzzle for TowerOfLondon {
    type State = Balls;
    type Move = PegMove;
    type Index = Unindexed;

    const REVERSIBLE: bool = true;

    fn start(&self) -> Balls {
        self.start
    }

    fn is_goal(&self, balls: Balls) -> bool {
        balls == self.target
    }

    fn specification(&self) -> Option<Specification> {
        let settings = vec![
            ("items", "balls".to_owned()),
            ("capacities", self.capacities.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")),
            ("goal", Puzzle::format_state(self, self.target)),
        ];
        Some(Specification { kind: "pegs", settings })
    }

    fn legal_moves(&self, balls: Balls, moves: &mut Vec<PegMove>) {
        self.for_each_step(balls, |ball, [from, to], _| {
            moves.push(PegMove { from: from as u8, to: to as u8, item: Some(ball) });
        });
    }

    fn for_each_successor(&self, balls: Balls, _moves: &mut Vec<PegMove>, visit: &mut impl FnMut(Balls)) {
        self.for_each_step(balls, |_, _, after| visit(after));
    }

    fn play_unchecked(&self, balls: Balls, action: PegMove) -> Balls {
        let (from, to) = (usize::from(action.from), usize::from(action.to));
        let Some(height) = self.n_on(balls, from).checked_sub(1) else { return balls };
        let colour = self.slot(balls, from, height);
        let lifted = Balls(balls.0 & !(colour << self.shift(from, height)));
        Balls(lifted.0 | (colour << self.shift(to, self.n_on(lifted, to))))
    }

    fn play(&self, balls: Balls, action: PegMove) -> Result<Balls, String> {
        let (from, to) = (usize::from(action.from), usize::from(action.to));
        if self.n_on(balls, from) == 0 {
            return Err(format!("there is no ball on peg {}", from + 1));
        }
        if from == to {
            return Err(stays("ball", action.from));
        }
        if self.n_on(balls, to) == self.capacities[to] {
            let room = self.capacities[to];
            return Err(format!("peg {} is full: it has room for {room} and holds {room}", to + 1));
        }
        Ok(self.play_unchecked(balls, action))
    }

    fn piece(&self, action: PegMove) -> Option<u32> {
        // Of balls of one colour nobody can tell which one moves.
        action.item.filter(|&ball| self.is_single(u64::from(ball) + 1)).map(u32::from)
    }

    fn code_bits(&self) -> u32 {
        self.n_slots * self.slot_bits
    }

    fn encode(&self, balls: Balls) -> u128 {
        u128::from(balls.0)
    }

    fn decode(&self, code: u128) -> Balls {
        Balls(code as u64)
    }

    fn parse_state(&self, text: &str) -> Result<Balls, StateError> {
        let wrong = |reason| StateError { text: text.to_owned(), reason };
        let part = Part::whole(text);
        let read = layout::read_position(part, Some(&self.capacities));
        let pegs = read.map_err(|diagnostics: Vec<TextDiagnostic>| wrong(first_reason(diagnostics)))?;
        layout::compare_balls(&pegs, &self.unpacked(self.start), "the level").map_err(wrong)?;
        Ok(self.packed(&pegs))
    }

    fn format_state(&self, balls: Balls) -> String {
        layout::format_position(&self.unpacked(balls))
    }

    fn parse_move(&self, balls: Balls, text: &str) -> Result<PegMove, MoveError> {
        let example = " or the ball and the peg (R>3)";
        let written = WrittenMove::read(text, self.n_pegs(), example)?;
        let illegal = |reason| MoveError::Illegal { text: text.trim().to_owned(), reason };
        // `B>3` is ball B, `B>C` is peg 2: a ball goes to a peg that is given as a number.
        let names_peg_by_letter = text.trim_end().ends_with(|last: char| !last.is_ascii_digit());
        let is_digit = written.source.bytes().all(|byte| byte.is_ascii_digit());
        let is_peg = !written.is_item && (is_digit || names_peg_by_letter);
        let colour = if is_peg { None } else { self.colour_named(&written.source) };
        let from = match colour {
            Some(colour) => self.peg_of_top(balls, colour).map_err(illegal)?,
            None => written.from(text, self.n_pegs())?.ok_or_else(|| {
                let names: String = self.colours.iter().collect();
                illegal(format!("there is no ball {:?}; the balls are {names}", written.source))
            })?,
        };
        if let Some(item) = &written.item {
            let names = || self.colours.iter().collect::<String>();
            let colour = self.colour_named(item);
            let colour =
                colour.ok_or_else(|| illegal(format!("there is no ball {item:?}; the balls are {}", names())))?;
            let peg = self.peg_of_top(balls, colour).map_err(illegal)?;
            if peg != from {
                return Err(illegal(format!("ball {item} is on peg {}, not on peg {}", peg + 1, from + 1)));
            }
        }
        Ok(PegMove { from: from as u8, to: written.to as u8, item: self.top(balls, from) })
    }

    fn is_null(&self, balls: Balls, action: PegMove) -> bool {
        action.from == action.to && self.n_on(balls, usize::from(action.from)) > 0
    }

    fn move_between(&self, before: Balls, after: Balls) -> Option<PegMove> {
        let mut moves = Vec::new();
        self.legal_moves(before, &mut moves);
        moves.into_iter().find(|&action| self.play_unchecked(before, action) == after)
    }

    fn format_move(&self, _balls: Balls, action: PegMove) -> String {
        action.notation()
    }

    fn picture(&self, balls: Balls) -> Picture {
        drawing::beside_target(&self.stand(balls, Role::Piece), &self.stand(self.target, Role::Target))
    }

    fn aim(&self) -> Aim {
        Aim::new(
            "Arrange the balls as in the goal, one at a time.",
            "Die Kugeln einzeln so umstecken, dass sie wie im Ziel liegen.",
            "Disposez les boules comme dans le but, une à la fois.",
        )
    }

    fn goal_moves(&self, balls: Balls) -> Option<Subgoal> {
        self.balls_out_of_place(balls)
    }

    fn obstacles(&self, balls: Balls, wished: WishedMove) -> Option<Vec<Subgoal>> {
        Some(self.balls_in_the_way(balls, wished))
    }

    fn as_legal_move(&self, balls: Balls, wished: WishedMove) -> Option<PegMove> {
        Some(self.move_of(balls, wished))
    }

    fn format_wished_move(&self, balls: Balls, wished: WishedMove) -> String {
        self.written_transfer(balls, wished)
    }

    fn features(&self) -> Vec<Feature> {
        vec![
            Feature::new("balls-in-place", "balls that are where the target has the same"),
            Feature::new("balls-in-wrong-place", "balls that are where the target has another one"),
        ]
    }

    fn feature(&self, feature: usize, balls: Balls) -> f64 {
        f64::from(self.balls_by_target(balls)[usize::from(feature > 0)])
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        vec![Heuristic::admissible("balls-to-move", "balls that have to move at least once")]
    }

    fn estimate(&self, _heuristic: usize, balls: Balls) -> f64 {
        f64::from(self.balls_to_move(balls))
    }

    fn symmetric(&self, balls: Balls, images: &mut Vec<Balls>) {
        let pegs = self.unpacked(balls);
        for &(this, other) in &self.alike {
            let mut image = pegs.clone();
            image.swap(this, other);
            images.push(self.packed(&image));
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
