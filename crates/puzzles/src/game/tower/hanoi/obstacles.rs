//! What is in the way of a disk: smaller ones where it lies and where it goes, and larger ones that belong below it.

use super::level::{Disks, TowerOfHanoi};
use crate::game::tower::PegMove;
use crate::game::{Subgoal, Wish};

/// A disk that is wished to go to a peg.
#[derive(Clone, Copy)]
struct Wished {
    disk: usize,
    to: usize,
    /// Whether it goes to its place in the target.
    is_final: bool,
}

impl TowerOfHanoi {
    /// Each disk that is not on its peg is wished there.
    pub(super) fn disks_out_of_place(&self, disks: Disks) -> Option<Subgoal> {
        let wished = |disk: usize| Wished { disk, to: self.peg(self.target, disk), is_final: true };
        let is_out = |own: &Wished| self.peg(disks, own.disk) != own.to;
        let ways: Vec<Wish> = (0..self.n_disks).rev().map(wished).filter(is_out).map(Wished::wish).collect();
        (!ways.is_empty()).then(|| Subgoal { name: vec![u64::MAX], ways })
    }

    /// Larger disks that belong below it must be there first, and smaller ones off both pegs; absent where these have no
    /// other peg.
    pub(super) fn disks_in_the_way(&self, disks: Disks, wish: Wish) -> Option<Vec<Subgoal>> {
        let Wished { disk, to, is_final } = Wished::of(wish);
        let from = self.peg(disks, disk);
        let is_missing = |&own: &usize| self.peg(self.target, own) == to && self.peg(disks, own) != to;
        let larger = (disk + 1..self.n_disks).rev().filter(|_| is_final).filter(is_missing);
        let place = |own: usize| Subgoal {
            name: vec![own as u64, to as u64],
            ways: vec![Wished { disk: own, to, is_final: true }.wish()],
        };
        let mut found: Vec<Subgoal> = larger.map(place).collect();
        let smaller = (0..disk).rev().filter(|&own| [from, to].contains(&self.peg(disks, own)));
        let others: Vec<usize> = (0..self.n_pegs).filter(|peg| ![from, to].contains(peg)).collect();
        for own in smaller {
            let ways: Vec<Wish> = others.iter().map(|&to| Wished { disk: own, to, is_final: false }.wish()).collect();
            if ways.is_empty() {
                return None;
            }
            found.push(Subgoal { name: vec![own as u64, from.min(to) as u64, from.max(to) as u64], ways });
        }
        Some(found)
    }

    /// The move of a wish that nothing is in the way of.
    pub(super) fn move_of(&self, disks: Disks, wish: Wish) -> PegMove {
        let Wished { disk, to, .. } = Wished::of(wish);
        PegMove { from: self.peg(disks, disk) as u8, to: to as u8, item: Some(disk as u8) }
    }
}

impl Wished {
    fn wish(self) -> Wish {
        Wish(u64::from(self.is_final) << 32 | (self.disk as u64) << 8 | self.to as u64)
    }

    fn of(wish: Wish) -> Self {
        Self { disk: (wish.0 >> 8 & 0xff) as usize, to: (wish.0 & 0xff) as usize, is_final: wish.0 >> 32 == 1 }
    }
}
