//! The perfect index of the Tower of Hanoi: every arrangement of disks on pegs is a position.

use crate::game::PositionIndex;

/// Ranks beyond which there is no index: a map of so many states would not fit into memory.
const MAX_RANKS: u64 = 1 << 28;

/// The pegs of all disks as the digits of a number, the smallest disk first.
#[derive(Clone, Debug)]
pub struct HanoiIndex {
    n_pegs: u64,
    disk_bits: u32,
    /// The value of the digit of each disk.
    strides: Vec<u64>,
    n_ranks: u64,
}

impl HanoiIndex {
    pub(super) fn new(n_disks: usize, n_pegs: usize, disk_bits: u32) -> Option<Self> {
        let n_pegs = n_pegs as u64;
        let strides: Vec<u64> = (0..n_disks as u32).map_while(|disk| n_pegs.checked_pow(disk)).collect();
        let n_ranks = n_pegs.checked_pow(n_disks as u32).filter(|&n| n <= MAX_RANKS)?;
        Some(Self { n_pegs, disk_bits, strides, n_ranks })
    }

    /// The rank after a disk went from one peg to another.
    #[inline]
    pub(super) fn moved(&self, rank: u64, disk: usize, from: usize, to: usize) -> u64 {
        rank.wrapping_sub(from as u64 * self.strides[disk]) + to as u64 * self.strides[disk]
    }
}

impl PositionIndex for HanoiIndex {
    fn n_ranks(&self) -> u64 {
        self.n_ranks
    }

    fn rank(&self, code: u64) -> Option<u64> {
        let (mut rest, mut rank) = (code, 0);
        for stride in &self.strides {
            let peg = rest & ((1 << self.disk_bits) - 1);
            if peg >= self.n_pegs {
                return None;
            }
            rank += peg * stride;
            rest >>= self.disk_bits;
        }
        (rest == 0).then_some(rank)
    }

    fn unrank(&self, rank: u64) -> Option<u64> {
        let pegs = self.strides.iter().map(|stride| rank / stride % self.n_pegs);
        let code = pegs.zip(0..).fold(0, |code, (peg, disk)| code | peg << (disk * self.disk_bits));
        (rank < self.n_ranks).then_some(code)
    }
}
