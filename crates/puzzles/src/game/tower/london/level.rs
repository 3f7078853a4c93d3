//! One level of the Tower of London and the code of its positions.

use super::layout::Layout;
use crate::game::picture::{Form, Role, colours_of_letters};
use crate::game::tower::MAX_PEGS;
use crate::game::tower::drawing::{Item, Stand};

/// One position: the balls of each peg from the bottom, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Balls(pub(super) u64);

/// The rules of one level of the Tower of London.
#[derive(Clone, Debug)]
pub struct TowerOfLondon {
    /// Names of the colours, in ascending order.
    pub(super) colours: Vec<char>,
    pub(super) capacities: Vec<u8>,
    /// The number of the lowest slot of each peg.
    first_slots: Vec<u32>,
    /// Bits of one slot, which holds 0 if it is empty and else the number of the colour from 1.
    pub(super) slot_bits: u32,
    pub(super) n_slots: u32,
    pub(super) start: Balls,
    pub(super) target: Balls,
    /// Pegs of the same capacity that the target leaves empty: they can change places.
    pub(super) alike: Vec<(usize, usize)>,
}

/// Reason why a layout cannot be played, although it is well formed.
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

    pub(super) fn n_pegs(&self) -> usize {
        self.capacities.len()
    }

    fn alike_pegs(&self) -> Vec<(usize, usize)> {
        let pegs = || (0..self.n_pegs()).filter(|&peg: &usize| self.n_on(self.target, peg) == 0);
        let pairs = pegs().flat_map(|this| pegs().filter(move |&other| other > this).map(move |other| (this, other)));
        pairs.filter(|&(this, other)| self.capacities[this] == self.capacities[other]).collect()
    }

    pub(super) fn shift(&self, peg: usize, height: u8) -> u32 {
        (self.first_slots[peg] + u32::from(height)) * self.slot_bits
    }

    /// Content of a slot: 0 for nothing, else the number of the colour from 1.
    pub(super) fn slot(&self, balls: Balls, peg: usize, height: u8) -> u64 {
        (balls.0 >> self.shift(peg, height)) & ((1 << self.slot_bits) - 1)
    }

    /// Number of balls on a peg.
    pub(super) fn n_on(&self, balls: Balls, peg: usize) -> u8 {
        let room = self.capacities[peg];
        (0..room).find(|&height| self.slot(balls, peg, height) == 0).unwrap_or(room)
    }

    /// The colour of the uppermost ball of a peg, from 0.
    pub(super) fn top(&self, balls: Balls, peg: usize) -> Option<u8> {
        let height = self.n_on(balls, peg).checked_sub(1)?;
        Some(self.slot(balls, peg, height) as u8 - 1)
    }

    /// Calls `visit` with the colour of the ball, the pegs and the position after each legal move, in ascending order.
    #[inline]
    pub(super) fn for_each_step(&self, balls: Balls, mut visit: impl FnMut(u8, [usize; 2], Balls)) {
        let mut heights = [0; MAX_PEGS];
        for (peg, height) in heights[..self.n_pegs()].iter_mut().enumerate() {
            *height = self.n_on(balls, peg);
        }
        for from in 0..self.n_pegs() {
            let Some(height) = heights[from].checked_sub(1) else { continue };
            let colour = self.slot(balls, from, height);
            let lifted = balls.0 & !(colour << self.shift(from, height));
            let is_free = |&to: &usize| to != from && heights[to] < self.capacities[to];
            for to in (0..self.n_pegs()).filter(is_free) {
                visit(colour as u8 - 1, [from, to], Balls(lifted | colour << self.shift(to, heights[to])));
            }
        }
    }

    /// The colours on a peg from the bottom, from 0.
    fn on_peg(&self, balls: Balls, peg: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.n_on(balls, peg)).map(move |height| self.slot(balls, peg, height) as usize - 1)
    }

    /// The code of pegs that fit the level.
    pub(super) fn packed(&self, pegs: &[Vec<char>]) -> Balls {
        let mut balls = 0;
        for (peg, on_peg) in pegs.iter().enumerate() {
            for (height, name) in on_peg.iter().enumerate() {
                let colour = self.colours.iter().position(|colour| colour == name).unwrap_or(0);
                balls |= (colour as u64 + 1) << self.shift(peg, height as u8);
            }
        }
        Balls(balls)
    }

    pub(super) fn unpacked(&self, balls: Balls) -> Vec<Vec<char>> {
        (0..self.n_pegs()).map(|peg| self.on_peg(balls, peg).map(|colour| self.colours[colour]).collect()).collect()
    }

    /// The colour that a text names: as it is written, else whatever its case if only one fits.
    pub(super) fn colour_named(&self, text: &str) -> Option<u8> {
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
    pub(super) fn peg_of_top(&self, balls: Balls, colour: u8) -> Result<usize, String> {
        let name = self.colours[usize::from(colour)];
        let tops: Vec<usize> = (0..self.n_pegs()).filter(|&peg| self.top(balls, peg) == Some(colour)).collect();
        match tops[..] {
            [peg] => Ok(peg),
            [] => Err(format!("ball {name} lies below another one")),
            [..] => Err(format!("more than one ball {name} is uppermost: name the peg that it comes from")),
        }
    }

    pub(super) fn stand(&self, balls: Balls, role: fn(usize) -> Role) -> Stand {
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
    pub(super) fn balls_by_target(&self, balls: Balls) -> [u32; 2] {
        let mut counts = [0; 2];
        for peg in 0..self.n_pegs() {
            for height in 0..self.n_on(balls, peg).min(self.n_on(self.target, peg)) {
                let is_in_place = self.slot(balls, peg, height) == self.slot(self.target, peg, height);
                counts[usize::from(!is_in_place)] += 1;
            }
        }
        counts
    }

    /// Balls that have to move, those counted twice that have to come back to the very place where they are.
    ///
    /// A ball has to move if it is not in its place, or if any ball below it is not. No other ball can take the
    /// place of one whose colour is there once only, so that one has to come back.
    pub(super) fn balls_to_move(&self, balls: Balls) -> u32 {
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

    /// `true` if only one ball has this colour, numbered from 1.
    pub(super) fn is_single(&self, colour: u64) -> bool {
        let slots = (0..self.n_slots)
            .filter(|slot| (self.target.0 >> (slot * self.slot_bits)) & ((1 << self.slot_bits) - 1) == colour);
        slots.count() == 1
    }
}
