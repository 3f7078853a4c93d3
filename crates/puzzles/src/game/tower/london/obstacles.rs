//! Obstacles of a ball, as Olieslagers, Bnaya & Ma have it (repository JeroenOlieslagers/rush_hour,
//! `src/TOL/TOL_functions.jl`).

use super::level::{Balls, TowerOfLondon};
use crate::game::tower::PegMove;
use crate::game::{Subgoal, WishedMove};

/// A place for a ball: peg and height, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    peg: usize,
    height: u8,
}

/// The transfer of a ball from one place to another, wished whether legal or not.
#[derive(Clone, Copy, Debug)]
struct Transfer {
    from: Slot,
    to: Slot,
    /// `true` if it goes to its place in the target, so that what belongs below it must be there first.
    is_final: bool,
}

/// Aim with a ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// It goes to its place.
    Place,
    /// It leaves the place to which another one goes.
    MakeRoom,
    /// It is taken off another one.
    TakeOff,
}

impl TowerOfLondon {
    /// The transfers of all balls that are not in their places; absent where two balls have the same colour, so that
    /// nothing says which of them belongs where.
    pub(super) fn balls_out_of_place(&self, balls: Balls) -> Option<Subgoal> {
        let colours = 1..=self.colours.len() as u64;
        if balls == self.target || !colours.clone().all(|colour| self.is_single(colour)) {
            return None;
        }
        let places =
            colours.filter_map(|colour| Some((self.place_of(balls, colour)?, self.place_of(self.target, colour)?)));
        let out = places.filter(|(from, to)| from != to);
        let alternatives = out.map(|(from, to)| Transfer { from, to, is_final: true }.code()).collect();
        Some(Subgoal { name: vec![u64::MAX], alternatives })
    }

    /// Obstacles: what lies on the ball, what belongs below it, and what is where it goes to.
    pub(super) fn balls_in_the_way(&self, balls: Balls, wished: WishedMove) -> Vec<Subgoal> {
        let transfer = Transfer::from_code(wished);
        let Transfer { from, to, is_final } = transfer;
        let above = (from.height + 1..self.capacities[from.peg]).map(|height| Slot { peg: from.peg, height });
        let mut subgoals: Vec<Subgoal> = above
            .filter(|&slot| self.ball(balls, slot) > 0)
            .map(|slot| self.subgoal(balls, self.ball(balls, slot), Aim::TakeOff, slot, transfer))
            .collect();
        let below = (0..to.height).map(|height| Slot { peg: to.peg, height }).filter(|_| is_final);
        let missing = below.filter(|&slot| self.ball(balls, slot) != self.ball(self.target, slot));
        subgoals
            .extend(missing.map(|slot| self.subgoal(balls, self.ball(self.target, slot), Aim::Place, slot, transfer)));
        if self.ball(balls, to) > 0 {
            subgoals.push(self.subgoal(balls, self.ball(balls, to), Aim::MakeRoom, to, transfer));
        }
        subgoals
    }

    /// The move that a wished one is, where nothing is in its way.
    pub(super) fn move_of(&self, balls: Balls, wished: WishedMove) -> PegMove {
        let Transfer { from, to, .. } = Transfer::from_code(wished);
        PegMove { from: from.peg as u8, to: to.peg as u8, item: self.top(balls, from.peg) }
    }

    /// The ball and the pegs of a wished move.
    pub(super) fn written_transfer(&self, balls: Balls, wished: WishedMove) -> String {
        let Transfer { from, to, .. } = Transfer::from_code(wished);
        let colour = self.ball(balls, from).checked_sub(1).and_then(|colour| self.colours.get(colour as usize));
        let ball = colour.map(|colour| format!("{colour} ")).unwrap_or_default();
        format!("{ball}{}>{}", from.peg + 1, to.peg + 1)
    }

    fn ball(&self, balls: Balls, slot: Slot) -> u64 {
        self.slot(balls, slot.peg, slot.height)
    }

    fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        (0..self.n_pegs()).flat_map(|peg| (0..self.capacities[peg]).map(move |height| Slot { peg, height }))
    }

    fn place_of(&self, balls: Balls, ball: u64) -> Option<Slot> {
        self.slots().find(|&slot| self.ball(balls, slot) == ball)
    }

    fn subgoal(&self, balls: Balls, ball: u64, aim: Aim, slot: Slot, before: Transfer) -> Subgoal {
        let name = vec![ball, aim as u64, slot.peg as u64, u64::from(slot.height)];
        let aside = |to: Slot| Transfer { from: slot, to, is_final: false };
        let alternatives: Vec<Transfer> = match aim {
            Aim::Place => {
                let place = self.place_of(balls, ball).into_iter();
                place.map(|from| Transfer { from, to: slot, is_final: true }).collect()
            }
            // Neither to where the other ball comes from nor to where it goes.
            Aim::MakeRoom => {
                let other = |to: &Slot| ![slot.peg, before.from.peg, before.to.peg].contains(&to.peg);
                let free = |to: &Slot| to.height == self.n_on(balls, to.peg);
                self.slots().filter(|to| other(to) && free(to)).map(aside).collect()
            }
            // Also to a full peg, whose uppermost ball must then make room.
            Aim::TakeOff => {
                let top = |peg: usize| self.n_on(balls, peg).min(self.capacities[peg] - 1);
                self.slots().filter(|to| to.peg != slot.peg && to.height == top(to.peg)).map(aside).collect()
            }
        };
        Subgoal { name, alternatives: alternatives.into_iter().map(Transfer::code).collect() }
    }
}

impl Transfer {
    fn code(self) -> WishedMove {
        let slot = |slot: Slot| (slot.peg as u64) << 8 | u64::from(slot.height);
        WishedMove(u64::from(self.is_final) << 32 | slot(self.from) << 16 | slot(self.to))
    }

    fn from_code(wished: WishedMove) -> Self {
        let slot = |bits: u64| Slot { peg: (bits >> 8 & 0xff) as usize, height: bits as u8 };
        Self { from: slot(wished.0 >> 16), to: slot(wished.0), is_final: wished.0 >> 32 == 1 }
    }
}
