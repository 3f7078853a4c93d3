//! One level of the Tower of Hanoi and the code of its positions.

use super::layout::Layout;
use crate::game::picture::{Form, Role};
use crate::game::tower::MAX_PEGS;
use crate::game::tower::drawing::{Item, Stand};

/// One position: the peg of each disk, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Disks(pub(super) u64);

/// The rules of one level of the Tower of Hanoi.
#[derive(Clone, Debug)]
pub struct TowerOfHanoi {
    pub(super) n_disks: usize,
    pub(super) n_pegs: usize,
    /// Bits of the peg of one disk.
    pub(super) disk_bits: u32,
    /// The lowest bit of every disk in the code.
    lowest_bits: u64,
    pub(super) start: Disks,
    pub(super) target: Disks,
    /// Pegs that the target leaves empty: they can change places.
    pub(super) alike: Vec<(usize, usize)>,
    pub(super) remarks: Vec<String>,
}

/// Reason why a layout cannot be played, although it is well formed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{disks} disks on {pegs} pegs need {bits} bits, and a state code has 64: at most {most} disks are possible on so \
     many pegs"
)]
pub struct LayoutError {
    /// Number of disks.
    pub disks: usize,
    /// Number of pegs.
    pub pegs: usize,
    /// Bits that a code would need.
    pub bits: usize,
    /// The most disks that a code has room for.
    pub most: usize,
}

impl TowerOfHanoi {
    /// The rules of a level with this layout.
    ///
    /// # Errors
    ///
    /// [`LayoutError`] if the level is too large for a 64-bit code.
    pub fn new(layout: &Layout) -> Result<Self, LayoutError> {
        let (n_disks, n_pegs) = (layout.start().len(), layout.n_pegs());
        let disk_bits = usize::BITS - (n_pegs - 1).leading_zeros();
        let bits = n_disks * disk_bits as usize;
        if bits > 64 {
            return Err(LayoutError { disks: n_disks, pegs: n_pegs, bits, most: 64 / disk_bits as usize });
        }
        let (start, target, remarks) = (Disks(0), Disks(0), layout.remarks().to_vec());
        let lowest_bits = (0..n_disks as u32).fold(0, |bits, disk| bits | 1 << (disk * disk_bits));
        let mut rules = Self { n_disks, n_pegs, disk_bits, lowest_bits, start, target, alike: Vec::new(), remarks };
        rules.start = rules.packed(layout.start());
        rules.target = rules.packed(layout.target());
        let pegs = || (0..n_pegs).filter(|&peg: &usize| rules.top(rules.target, peg).is_none());
        rules.alike =
            pegs().flat_map(|this| pegs().filter(move |&other| other > this).map(move |other| (this, other))).collect();
        Ok(rules)
    }

    /// The code of the pegs of all disks, from the smallest.
    pub(super) fn packed(&self, pegs: &[u8]) -> Disks {
        let peg_bits = pegs.iter().enumerate().map(|(disk, &peg)| u64::from(peg) << (disk as u32 * self.disk_bits));
        Disks(peg_bits.sum())
    }

    pub(super) fn peg(&self, disks: Disks, disk: usize) -> usize {
        ((disks.0 >> (disk as u32 * self.disk_bits)) & ((1 << self.disk_bits) - 1)) as usize
    }

    pub(super) fn moved(&self, disks: Disks, disk: usize, to: usize) -> Disks {
        let shift = disk as u32 * self.disk_bits;
        let mask = ((1 << self.disk_bits) - 1) << shift;
        Disks((disks.0 & !mask) | ((to as u64) << shift))
    }

    /// The uppermost disk of a peg, from 0: the smallest one.
    pub(super) fn top(&self, disks: Disks, peg: usize) -> Option<usize> {
        (0..self.n_disks).find(|&disk| self.peg(disks, disk) == peg)
    }

    /// The uppermost disk of every peg; [`Self::n_disks`] where there is none.
    fn tops(&self, disks: Disks) -> [usize; MAX_PEGS] {
        let mut tops = [self.n_disks; MAX_PEGS];
        for (peg, top) in tops[..self.n_pegs].iter_mut().enumerate() {
            // The lowest bit of each disk is set where any bit of its peg differs from this one.
            let differs = disks.0 ^ (peg as u64 * self.lowest_bits);
            let elsewhere = (0..self.disk_bits).fold(0, |bits, shift| bits | differs >> shift);
            let here = !elsewhere & self.lowest_bits;
            if here != 0 {
                *top = (here.trailing_zeros() / self.disk_bits) as usize;
            }
        }
        tops
    }

    /// Calls `visit` with disk, peg and new peg of each legal move, in ascending order.
    #[inline]
    pub(super) fn for_each_step(&self, disks: Disks, mut visit: impl FnMut(usize, usize, usize)) {
        let tops = self.tops(disks);
        for from in 0..self.n_pegs {
            let disk = tops[from];
            // An empty peg holds a disk larger than all for the one that comes, and none that could leave.
            (0..self.n_pegs).filter(|&to| disk < tops[to]).for_each(|to| visit(disk, from, to));
        }
    }

    /// The disks of each peg, bottom first, numbered from 1.
    pub(super) fn unpacked(&self, disks: Disks) -> Vec<Vec<usize>> {
        let mut pegs = vec![Vec::new(); self.n_pegs];
        (0..self.n_disks).rev().for_each(|disk| pegs[self.peg(disks, disk)].push(disk + 1));
        pegs
    }

    /// The pegs of all disks with two pegs exchanged.
    pub(super) fn exchanged(&self, disks: Disks, this: usize, other: usize) -> Disks {
        let pegs = (0..self.n_disks).map(|disk| match self.peg(disks, disk) {
            peg if peg == this => other as u8,
            peg if peg == other => this as u8,
            peg => peg as u8,
        });
        self.packed(&pegs.collect::<Vec<u8>>())
    }

    /// Moves that are needed at least. A disk that is not on the peg of its target moves once. One that is there,
    /// while a larger one has to leave that peg or come to it, has to make way and come back: twice.
    pub(super) fn disks_to_move(&self, disks: Disks) -> u32 {
        // Pegs that a larger disk has to leave or to come to, as a set of bits.
        let mut disturbed = 0u32;
        let mut moves = 0;
        for disk in (0..self.n_disks).rev() {
            let (peg, target) = (self.peg(disks, disk), self.peg(self.target, disk));
            if peg != target {
                moves += 1;
            } else if disturbed & (1 << peg) != 0 {
                moves += 2;
            } else {
                continue;
            }
            disturbed |= (1 << peg) | (1 << target);
        }
        moves
    }

    /// The number that a text gives to a disk: `d2`, `disk 2`; from 0.
    pub(super) fn disk_named(&self, text: &str) -> Option<usize> {
        let lower = text.to_ascii_lowercase();
        let number = lower.strip_prefix("disk").or_else(|| lower.strip_prefix('d'))?.trim();
        number.parse::<usize>().ok()?.checked_sub(1)
    }

    /// The peg of a disk that is to move.
    pub(super) fn peg_of_disk(&self, disks: Disks, disk: usize) -> Result<usize, String> {
        if disk >= self.n_disks {
            return Err(format!("there is no disk {}; the disks go from 1 to {}", disk + 1, self.n_disks));
        }
        let peg = self.peg(disks, disk);
        match self.top(disks, peg) {
            Some(top) if top != disk => Err(format!("disk {} lies below disk {}", disk + 1, top + 1)),
            _ => Ok(peg),
        }
    }

    pub(super) fn stand(&self, disks: Disks) -> Stand {
        // Odd, as are the widths of disks, so that all have the same middle.
        let text_width = 2 * self.n_disks + 3;
        let spacing = 1.1 + 0.5 * (self.n_disks - 1) as f64;
        Stand {
            pegs: self.unpacked(disks).iter().map(|peg| peg.iter().copied().map(item).collect()).collect(),
            heights: vec![self.n_disks; self.n_pegs],
            spacing,
            // Of a wide stand a twentieth of its width, so that numbers of up to twelve disks can be read on a telephone;
            // a row is 1 high.
            thickness: (0.05 * spacing * self.n_pegs as f64).clamp(0.6, 0.95),
            text_width,
        }
    }
}

fn item(disk: usize) -> Item {
    let label = disk.to_string();
    let width = 0.8 + 0.5 * disk.saturating_sub(1) as f64;
    let text = format!("{label:=^width$}", width = 2 * disk + 1);
    Item { label, width, form: Form::Block, role: Role::Piece(disk - 1), text }
}
