//! The perfect index of the Tower of London: how many balls lie on each peg, and in which order.

use super::level::TowerOfLondon;
use crate::game::PositionIndex;
use crate::game::arrangements::Arrangements;

/// Numbers of balls on pegs, and ranks, beyond which there is no index.
const MAX_HEIGHTS: usize = 1 << 16;
const MAX_RANKS: u64 = 1 << 28;

/// Mark of numbers of balls on pegs that are not those of the level together.
const NONE: u32 = u32::MAX;

/// The order of the balls, peg by peg from the bottom, and the number of balls on each peg.
#[derive(Clone, Debug)]
pub struct LondonIndex {
    rules: TowerOfLondon,
    arrangements: Arrangements,
    /// For all numbers of balls on the pegs, as the digits of a number, their own number.
    numbers: Vec<u32>,
    /// The digits of each number.
    heights: Vec<Vec<u8>>,
}

impl LondonIndex {
    pub(super) fn new(rules: &TowerOfLondon) -> Option<Self> {
        let n_balls: usize = (0..rules.n_pegs()).map(|peg| usize::from(rules.n_on(rules.start, peg))).sum();
        let mut counts = vec![0; rules.colours.len()];
        for peg in 0..rules.n_pegs() {
            rules.on_peg(rules.start, peg).for_each(|colour| counts[colour] += 1);
        }
        let arrangements = Arrangements::new(counts)?;
        let n_digits = rules.capacities.iter().try_fold(1usize, |n, &room| n.checked_mul(usize::from(room) + 1))?;
        if n_digits > MAX_HEIGHTS {
            return None;
        }
        let (mut numbers, mut heights) = (vec![NONE; n_digits], Vec::new());
        for (digits, number) in numbers.iter_mut().enumerate() {
            let mut rest = digits;
            let digit = |&room: &u8| {
                let height = rest % (usize::from(room) + 1);
                rest /= usize::from(room) + 1;
                height as u8
            };
            let of_pegs: Vec<u8> = rules.capacities.iter().map(digit).collect();
            if of_pegs.iter().map(|&height| usize::from(height)).sum::<usize>() == n_balls {
                *number = heights.len() as u32;
                heights.push(of_pegs);
            }
        }
        let n_ranks = arrangements.n().checked_mul(heights.len() as u64)?;
        (n_ranks <= MAX_RANKS).then(|| Self { rules: rules.clone(), arrangements, numbers, heights })
    }
}

impl PositionIndex for LondonIndex {
    fn n_ranks(&self) -> u64 {
        self.arrangements.n() * self.heights.len() as u64
    }

    fn rank(&self, code: u64) -> Option<u64> {
        let rules = &self.rules;
        let (mut digits, mut stride, mut n_bits) = (0, 1, 0);
        for (peg, &room) in rules.capacities.iter().enumerate() {
            let height = rules.n_on(super::Balls(code), peg);
            digits += usize::from(height) * stride;
            stride *= usize::from(room) + 1;
            n_bits += u32::from(height);
        }
        // Nothing lies above an empty place, or beyond the pegs.
        let n_taken = (0..u64::BITS / rules.slot_bits).filter(|slot| rules.slot_of(code, *slot) != 0).count() as u32;
        let number = self.numbers[digits];
        if number == NONE || n_taken != n_bits {
            return None;
        }
        let balls = (0..rules.n_pegs()).flat_map(|peg| rules.on_peg(super::Balls(code), peg));
        Some(u64::from(number) * self.arrangements.n() + self.arrangements.rank(balls)?)
    }

    fn unrank(&self, rank: u64) -> Option<u64> {
        let heights = self.heights.get((rank / self.arrangements.n()) as usize)?;
        let mut balls = self.arrangements.unrank(rank % self.arrangements.n());
        let slots = (0..self.rules.n_pegs()).flat_map(|peg| (0..heights[peg]).map(move |height| (peg, height)));
        let place = |code, (peg, height)| Some(code | (balls.next()? as u64 + 1) << self.rules.shift(peg, height));
        slots.into_iter().try_fold(0, place)
    }
}
