//! The Tower of London (Shallice, 1982): coloured balls on pegs of unequal height, from a given start to a
//! given target.
//!
//! A position is what lies on each peg from the bottom, packed into one 64-bit word. Notation of positions:
//! `RG/B/-` has red below green on peg 1, blue on peg 2 and nothing on peg 3.

use serde::{Deserialize, Serialize};

use super::drawing::{self, Item, Stand};
use super::notation::{Part, Wrong, first_reason};
use super::{PegMove, WrittenMove, stays};
use crate::game::picture::{Form, Picture, Role, colours_of_letters};
use crate::game::{Feature, Heuristic, MoveError, Puzzle, StateError, Subgoal, Wish};

mod layout;
mod obstacles;

pub use layout::{Layout, parse, parse_capacities};

/// The capacities of Shallice's apparatus, which hold where neither level nor study gives others.
pub const CAPACITIES: [u8; 3] = [3, 2, 1];

/// The options of the rules, as `[rules]` of a study gives them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// How many balls each peg has room for, from the left, as in `"3 2 1"`: for levels that do not say.
    pub capacities: String,
}

impl Default for Options {
    fn default() -> Self {
        Self { capacities: CAPACITIES.map(|room| room.to_string()).join(" ") }
    }
}

impl Options {
    /// Checks what the types cannot say.
    ///
    /// # Errors
    ///
    /// What is wrong, with the entry in backticks.
    pub fn check(&self) -> Result<(), String> {
        parse_capacities(&self.capacities).map(drop).map_err(|reason| format!("`capacities`: {reason}"))
    }
}

/// One position: the balls of each peg from the bottom, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Balls(u64);

/// The rules of one level of the Tower of London.
#[derive(Clone, Debug)]
pub struct TowerOfLondon {
    /// Names of the colours, in ascending order.
    colours: Vec<char>,
    capacities: Vec<u8>,
    /// The number of the lowest slot of each peg.
    first_slots: Vec<u32>,
    /// Bits of one slot, which holds 0 if it is empty and else the number of the colour from 1.
    slot_bits: u32,
    n_slots: u32,
    start: Balls,
    target: Balls,
    /// Pegs of the same capacity that the target leaves empty: they can change places.
    alike: Vec<(usize, usize)>,
}

/// Why a layout cannot be played, although it is well formed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{slots} places for balls of {colours} colours need {bits} bits, and a state code has 64: \
     take away room on the pegs, or colours"
)]
pub struct LayoutError {
    /// Places on all pegs together.
    pub slots: usize,
    /// Number of colours.
    pub colours: usize,
    /// Bits that a code would need.
    pub bits: usize,
}

impl TowerOfLondon {
    /// The rules of a level with this layout.
    ///
    /// # Errors
    ///
    /// [`LayoutError`] if the level is too large for a 64-bit code.
    pub fn new(layout: &Layout) -> Result<Self, LayoutError> {
        let mut colours: Vec<char> = layout.start().iter().flatten().copied().collect();
        colours.sort_unstable();
        colours.dedup();
        let slot_bits = usize::BITS - colours.len().leading_zeros();
        let slots: usize = layout.capacities().iter().map(|&room| usize::from(room)).sum();
        let bits = slots * slot_bits as usize;
        if bits > 64 {
            return Err(LayoutError { slots, colours: colours.len(), bits });
        }
        let mut first_slots = Vec::with_capacity(layout.capacities().len());
        let mut n_slots = 0;
        for &room in layout.capacities() {
            first_slots.push(n_slots);
            n_slots += u32::from(room);
        }
        let mut rules = Self {
            colours,
            capacities: layout.capacities().to_vec(),
            first_slots,
            slot_bits,
            n_slots,
            start: Balls(0),
            target: Balls(0),
            alike: Vec::new(),
        };
        rules.start = rules.packed(layout.start());
        rules.target = rules.packed(layout.target());
        rules.alike = rules.alike_pegs();
        Ok(rules)
    }

    fn n_pegs(&self) -> usize {
        self.capacities.len()
    }

    fn alike_pegs(&self) -> Vec<(usize, usize)> {
        let empty = |&peg: &usize| self.n_on(self.target, peg) == 0;
        let pegs = || (0..self.n_pegs()).filter(empty);
        let pairs = pegs().flat_map(|one| pegs().filter(move |&other| other > one).map(move |other| (one, other)));
        pairs.filter(|&(one, other)| self.capacities[one] == self.capacities[other]).collect()
    }

    fn shift(&self, peg: usize, height: u8) -> u32 {
        (self.first_slots[peg] + u32::from(height)) * self.slot_bits
    }

    /// What lies in a slot: 0 nothing, else the number of the colour from 1.
    fn slot(&self, balls: Balls, peg: usize, height: u8) -> u64 {
        (balls.0 >> self.shift(peg, height)) & ((1 << self.slot_bits) - 1)
    }

    /// How many balls lie on a peg.
    fn n_on(&self, balls: Balls, peg: usize) -> u8 {
        let room = self.capacities[peg];
        (0..room).find(|&height| self.slot(balls, peg, height) == 0).unwrap_or(room)
    }

    /// The colour of the uppermost ball of a peg, from 0.
    fn top(&self, balls: Balls, peg: usize) -> Option<u8> {
        let height = self.n_on(balls, peg).checked_sub(1)?;
        Some(self.slot(balls, peg, height) as u8 - 1)
    }

    /// The colours on a peg from the bottom, from 0.
    fn on_peg(&self, balls: Balls, peg: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.n_on(balls, peg)).map(move |height| self.slot(balls, peg, height) as usize - 1)
    }

    /// The code of pegs that fit the level.
    fn packed(&self, pegs: &[Vec<char>]) -> Balls {
        let mut balls = 0;
        for (peg, on_peg) in pegs.iter().enumerate() {
            for (height, name) in on_peg.iter().enumerate() {
                let colour = self.colours.iter().position(|colour| colour == name).unwrap_or(0);
                balls |= (colour as u64 + 1) << self.shift(peg, height as u8);
            }
        }
        Balls(balls)
    }

    fn unpacked(&self, balls: Balls) -> Vec<Vec<char>> {
        (0..self.n_pegs()).map(|peg| self.on_peg(balls, peg).map(|colour| self.colours[colour]).collect()).collect()
    }

    /// The colour that a text names: as it is written, else whatever its case if only one fits.
    fn colour_named(&self, text: &str) -> Option<u8> {
        let mut letters = text.chars();
        let (name, None) = (letters.next()?, letters.next()) else { return None };
        let exact = self.colours.iter().position(|&colour| colour == name);
        let folded = || {
            let same = |colour: &char| colour.to_lowercase().eq(name.to_lowercase());
            let mut fitting = self.colours.iter().enumerate().filter(|(_, colour)| same(colour));
            fitting.next().filter(|_| fitting.next().is_none()).map(|(number, _)| number)
        };
        exact.or_else(folded).map(|number| number as u8)
    }

    /// The peg on which a ball of this colour is uppermost.
    fn peg_of_top(&self, balls: Balls, colour: u8) -> Result<usize, String> {
        let name = self.colours[usize::from(colour)];
        let tops: Vec<usize> = (0..self.n_pegs()).filter(|&peg| self.top(balls, peg) == Some(colour)).collect();
        match tops[..] {
            [peg] => Ok(peg),
            [] => Err(format!("ball {name} lies below another one")),
            [..] => Err(format!("more than one ball {name} is uppermost: name the peg that it comes from")),
        }
    }

    fn stand(&self, balls: Balls, role: fn(usize) -> Role) -> Stand {
        let shown = colours_of_letters(&self.colours);
        let item = |colour: usize| {
            let label = self.colours[colour].to_string();
            Item { text: label.clone(), label, width: 1.0, form: Form::Disc, role: role(shown[colour]) }
        };
        Stand {
            pegs: (0..self.n_pegs()).map(|peg| self.on_peg(balls, peg).map(item).collect()).collect(),
            heights: self.capacities.iter().map(|&room| usize::from(room)).collect(),
            spacing: 1.3,
            thickness: 1.0,
            text_width: 4,
        }
    }

    /// Balls where the target has the same, and balls where it has another one.
    fn balls_by_target(&self, balls: Balls) -> [u32; 2] {
        let mut found = [0; 2];
        for peg in 0..self.n_pegs() {
            for height in 0..self.n_on(balls, peg).min(self.n_on(self.target, peg)) {
                let is_in_place = self.slot(balls, peg, height) == self.slot(self.target, peg, height);
                found[usize::from(!is_in_place)] += 1;
            }
        }
        found
    }

    /// Balls that have to move, those counted twice that have to come back to the very place where they are.
    ///
    /// A ball has to move if it is not in its place, or if any ball below it is not. No other ball can take the
    /// place of one whose colour is there once only, so that one has to come back.
    fn balls_to_move(&self, balls: Balls) -> u32 {
        let mut moves = 0;
        for peg in 0..self.n_pegs() {
            let mut is_settled = true;
            for height in 0..self.n_on(balls, peg) {
                let colour = self.slot(balls, peg, height);
                let is_in_place = colour == self.slot(self.target, peg, height);
                is_settled &= is_in_place;
                moves += match (is_settled, is_in_place) {
                    (true, _) => 0,
                    (false, true) if self.is_single(colour) => 2,
                    (false, _) => 1,
                };
            }
        }
        moves
    }

    /// Whether only one ball has this colour, numbered from 1.
    fn is_single(&self, colour: u64) -> bool {
        let slots = (0..self.n_slots)
            .filter(|slot| (self.target.0 >> (slot * self.slot_bits)) & ((1 << self.slot_bits) - 1) == colour);
        slots.count() == 1
    }
}

impl Puzzle for TowerOfLondon {
    type State = Balls;
    type Move = PegMove;

    const REVERSIBLE: bool = true;

    fn start(&self) -> Balls {
        self.start
    }

    fn is_goal(&self, balls: Balls) -> bool {
        balls == self.target
    }

    fn legal_moves(&self, balls: Balls, moves: &mut Vec<PegMove>) {
        for from in 0..self.n_pegs() {
            let item = self.top(balls, from);
            if item.is_none() {
                continue;
            }
            let has_room = |&to: &usize| to != from && self.n_on(balls, to) < self.capacities[to];
            moves.extend((0..self.n_pegs()).filter(has_room).map(|to| PegMove {
                from: from as u8,
                to: to as u8,
                item,
            }));
        }
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
        let pegs = read.map_err(|wrongs: Vec<Wrong>| wrong(first_reason(wrongs)))?;
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

    fn last_wishes(&self, balls: Balls) -> Option<Subgoal> {
        self.balls_out_of_place(balls)
    }

    fn obstacles(&self, balls: Balls, wish: Wish) -> Option<Vec<Subgoal>> {
        Some(self.balls_in_the_way(balls, wish))
    }

    fn granted(&self, balls: Balls, wish: Wish) -> Option<PegMove> {
        Some(self.move_of(balls, wish))
    }

    fn wish_notation(&self, balls: Balls, wish: Wish) -> String {
        self.written_wish(balls, wish)
    }

    fn features(&self) -> Vec<Feature> {
        let feature = |name: &str, meaning: &str| Feature { name: name.to_owned(), meaning: meaning.to_owned() };
        vec![
            feature("balls-in-place", "balls that are where the target has the same"),
            feature("balls-in-wrong-place", "balls that are where the target has another one"),
        ]
    }

    fn feature(&self, feature: usize, balls: Balls) -> f64 {
        f64::from(self.balls_by_target(balls)[usize::from(feature > 0)])
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        let meaning = "balls that have to move at least once".to_owned();
        vec![Heuristic { name: "balls-to-move".to_owned(), meaning, is_admissible: true }]
    }

    fn estimate(&self, _heuristic: usize, balls: Balls) -> f64 {
        f64::from(self.balls_to_move(balls))
    }

    fn symmetric(&self, balls: Balls, images: &mut Vec<Balls>) {
        let pegs = self.unpacked(balls);
        for &(one, other) in &self.alike {
            let mut image = pegs.clone();
            image.swap(one, other);
            images.push(self.packed(&image));
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
