//! Obstacles of a disk: smaller ones where it lies and where it goes, and larger ones that belong below it.

use super::level::{Disks, TowerOfHanoi};
use crate::game::tower::PegMove;
use crate::game::{Subgoal, WishedMove};

/// The transfer of a disk to a peg, wished whether legal or not.
#[derive(Clone, Copy)]
struct Transfer {
    disk: usize,
    to: usize,
    /// `true` if it goes to its place in the target.
    is_final: bool,
}

impl TowerOfHanoi {
    /// The transfers of all disks that are not on their pegs.
    pub(super) fn disks_out_of_place(&self, disks: Disks) -> Option<Subgoal> {
        let transfer = |disk: usize| Transfer { disk, to: self.peg(self.target, disk), is_final: true };
        let is_out = |moved: &Transfer| self.peg(disks, moved.disk) != moved.to;
        let alternatives: Vec<WishedMove> =
            (0..self.n_disks).rev().map(transfer).filter(is_out).map(Transfer::code).collect();
        (!alternatives.is_empty()).then(|| Subgoal { name: vec![u64::MAX], alternatives })
    }

    /// Larger disks that belong below it must be there first, and smaller ones off both pegs; absent where these have
    /// no other peg.
    pub(super) fn disks_in_the_way(&self, disks: Disks, wished: WishedMove) -> Option<Vec<Subgoal>> {
        let Transfer { disk, to, is_final } = Transfer::from_code(wished);
        let from = self.peg(disks, disk);
        let is_missing = |&other: &usize| self.peg(self.target, other) == to && self.peg(disks, other) != to;
        let larger = (disk + 1..self.n_disks).rev().filter(|_| is_final).filter(is_missing);
        let place = |other: usize| Subgoal {
            name: vec![other as u64, to as u64],
            alternatives: vec![Transfer { disk: other, to, is_final: true }.code()],
        };
        let mut subgoals: Vec<Subgoal> = larger.map(place).collect();
        let smaller = (0..disk).rev().filter(|&other| [from, to].contains(&self.peg(disks, other)));
        let others: Vec<usize> = (0..self.n_pegs).filter(|peg| ![from, to].contains(peg)).collect();
        for other in smaller {
            let alternatives: Vec<WishedMove> =
                others.iter().map(|&to| Transfer { disk: other, to, is_final: false }.code()).collect();
            if alternatives.is_empty() {
                return None;
            }
            subgoals.push(Subgoal { name: vec![other as u64, from.min(to) as u64, from.max(to) as u64], alternatives });
        }
        Some(subgoals)
    }

    /// The move that a wished one is, where nothing is in its way.
    pub(super) fn move_of(&self, disks: Disks, wished: WishedMove) -> PegMove {
        let Transfer { disk, to, .. } = Transfer::from_code(wished);
        PegMove { from: self.peg(disks, disk) as u8, to: to as u8, item: Some(disk as u8) }
    }
}

impl Transfer {
    fn code(self) -> WishedMove {
        WishedMove(u64::from(self.is_final) << 32 | (self.disk as u64) << 8 | self.to as u64)
    }

    fn from_code(wished: WishedMove) -> Self {
        Self { disk: (wished.0 >> 8 & 0xff) as usize, to: (wished.0 & 0xff) as usize, is_final: wished.0 >> 32 == 1 }
    }
}
