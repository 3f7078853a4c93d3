//! The Tower of Hanoi (Lucas, 1883): disks of different sizes on pegs, none on a smaller one.
//!
//! A position is the peg of every disk, packed into one 64-bit word; disk 1 is the smallest. Notation of
//! positions: `431/2/-` has disks 4, 3 and 1 on peg 1, from the bottom, disk 2 on peg 2 and nothing on peg 3.
//! With ten disks or more, dots separate them: `12.11.3/…`.

use serde::{Deserialize, Serialize};

use super::drawing::{self, Item, Stand};
use super::notation::{Part, Wrong, counted, first_reason};
use super::{PegMove, WrittenMove, stays};
use crate::game::picture::{Form, Picture, Role};
use crate::game::{Heuristic, MoveError, Puzzle, StateError, Subgoal, Wish};

mod layout;
mod obstacles;

pub use layout::{Layout, parse};

/// The options of the rules, as `[rules]` of a study gives them: there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {}

/// One position: the peg of each disk, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Disks(u64);

/// The rules of one level of the Tower of Hanoi.
#[derive(Clone, Debug)]
pub struct TowerOfHanoi {
    n_disks: usize,
    n_pegs: usize,
    /// Bits of the peg of one disk.
    disk_bits: u32,
    start: Disks,
    target: Disks,
    /// Pegs that the target leaves empty: they can change places.
    alike: Vec<(usize, usize)>,
    remarks: Vec<String>,
}

/// Why a layout cannot be played, although it is well formed.
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
        let mut rules = Self { n_disks, n_pegs, disk_bits, start, target, alike: Vec::new(), remarks };
        rules.start = rules.packed(layout.start());
        rules.target = rules.packed(layout.target());
        let empty = |&peg: &usize| rules.top(rules.target, peg).is_none();
        let pegs = || (0..n_pegs).filter(empty);
        rules.alike =
            pegs().flat_map(|one| pegs().filter(move |&other| other > one).map(move |other| (one, other))).collect();
        Ok(rules)
    }

    /// The code of the pegs of all disks, from the smallest.
    fn packed(&self, pegs: &[u8]) -> Disks {
        let peg_bits = pegs.iter().enumerate().map(|(disk, &peg)| u64::from(peg) << (disk as u32 * self.disk_bits));
        Disks(peg_bits.sum())
    }

    fn peg(&self, disks: Disks, disk: usize) -> usize {
        ((disks.0 >> (disk as u32 * self.disk_bits)) & ((1 << self.disk_bits) - 1)) as usize
    }

    fn moved(&self, disks: Disks, disk: usize, to: usize) -> Disks {
        let shift = disk as u32 * self.disk_bits;
        let mask = ((1 << self.disk_bits) - 1) << shift;
        Disks((disks.0 & !mask) | ((to as u64) << shift))
    }

    /// The uppermost disk of a peg, from 0: the smallest one.
    fn top(&self, disks: Disks, peg: usize) -> Option<usize> {
        (0..self.n_disks).find(|&disk| self.peg(disks, disk) == peg)
    }

    /// The uppermost disk of every peg; [`Self::n_disks`] where there is none.
    fn tops(&self, disks: Disks) -> [usize; super::MAX_PEGS] {
        let mut tops = [self.n_disks; super::MAX_PEGS];
        let mut missing = self.n_pegs;
        for disk in 0..self.n_disks {
            let top = &mut tops[self.peg(disks, disk)];
            if *top == self.n_disks {
                *top = disk;
                missing -= 1;
                if missing == 0 {
                    break;
                }
            }
        }
        tops
    }

    /// The disks of each peg, bottom first, numbered from 1.
    fn unpacked(&self, disks: Disks) -> Vec<Vec<usize>> {
        let mut pegs = vec![Vec::new(); self.n_pegs];
        (0..self.n_disks).rev().for_each(|disk| pegs[self.peg(disks, disk)].push(disk + 1));
        pegs
    }

    /// The pegs of all disks with two pegs exchanged.
    fn exchanged(&self, disks: Disks, one: usize, other: usize) -> Disks {
        let pegs = (0..self.n_disks).map(|disk| match self.peg(disks, disk) {
            peg if peg == one => other as u8,
            peg if peg == other => one as u8,
            peg => peg as u8,
        });
        self.packed(&pegs.collect::<Vec<u8>>())
    }

    /// Moves that are needed at least. A disk that is not on the peg of its target moves once. One that is there,
    /// while a larger one has to leave that peg or come to it, has to make way and come back: twice.
    fn disks_to_move(&self, disks: Disks) -> u32 {
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
    fn disk_named(&self, text: &str) -> Option<usize> {
        let lower = text.to_ascii_lowercase();
        let number = lower.strip_prefix("disk").or_else(|| lower.strip_prefix('d'))?.trim();
        number.parse::<usize>().ok()?.checked_sub(1)
    }

    /// The peg of a disk that is to move.
    fn peg_of_disk(&self, disks: Disks, disk: usize) -> Result<usize, String> {
        if disk >= self.n_disks {
            return Err(format!("there is no disk {}; the disks go from 1 to {}", disk + 1, self.n_disks));
        }
        let peg = self.peg(disks, disk);
        match self.top(disks, peg) {
            Some(top) if top != disk => Err(format!("disk {} lies below disk {}", disk + 1, top + 1)),
            _ => Ok(peg),
        }
    }

    fn stand(&self, disks: Disks) -> Stand {
        // Odd, as are the widths of disks, so that all have the same middle.
        let text_width = 2 * self.n_disks + 3;
        let item = |disk: &usize| {
            let label = disk.to_string();
            let width = 0.8 + 0.5 * disk.saturating_sub(1) as f64;
            let text = format!("{label:=^width$}", width = 2 * disk + 1);
            Item { label, width, form: Form::Block, role: Role::Piece(disk - 1), text }
        };
        Stand {
            pegs: self.unpacked(disks).iter().map(|peg| peg.iter().map(item).collect()).collect(),
            heights: vec![self.n_disks; self.n_pegs],
            spacing: 1.1 + 0.5 * (self.n_disks - 1) as f64,
            thickness: 0.6,
            text_width,
        }
    }
}

impl Puzzle for TowerOfHanoi {
    type State = Disks;
    type Move = PegMove;

    const REVERSIBLE: bool = true;

    fn remarks(&self) -> &[String] {
        &self.remarks
    }

    fn start(&self) -> Disks {
        self.start
    }

    fn is_goal(&self, disks: Disks) -> bool {
        disks == self.target
    }

    fn legal_moves(&self, disks: Disks, moves: &mut Vec<PegMove>) {
        let tops = self.tops(disks);
        for from in 0..self.n_pegs {
            let disk = tops[from];
            // An empty peg holds a disk larger than all for the one that comes, and none that could leave.
            let smaller = (0..self.n_pegs).filter(|&to| disk < tops[to]);
            moves.extend(smaller.map(|to| PegMove { from: from as u8, to: to as u8, item: Some(disk as u8) }));
        }
    }

    fn play_unchecked(&self, disks: Disks, action: PegMove) -> Disks {
        match self.top(disks, usize::from(action.from)) {
            Some(disk) => self.moved(disks, disk, usize::from(action.to)),
            None => disks,
        }
    }

    fn play(&self, disks: Disks, action: PegMove) -> Result<Disks, String> {
        let (from, to) = (usize::from(action.from), usize::from(action.to));
        let Some(disk) = self.top(disks, from) else {
            return Err(format!("there is no disk on peg {}", from + 1));
        };
        if from == to {
            return Err(stays("disk", action.from));
        }
        match self.top(disks, to) {
            Some(below) if below < disk => {
                Err(format!("disk {} cannot lie on disk {}, which is smaller", disk + 1, below + 1))
            }
            _ => Ok(self.moved(disks, disk, to)),
        }
    }

    fn piece(&self, action: PegMove) -> Option<u32> {
        action.item.map(u32::from)
    }

    fn code_bits(&self) -> u32 {
        self.n_disks as u32 * self.disk_bits
    }

    fn encode(&self, disks: Disks) -> u128 {
        u128::from(disks.0)
    }

    fn decode(&self, code: u128) -> Disks {
        Disks(code as u64)
    }

    fn parse_state(&self, text: &str) -> Result<Disks, StateError> {
        let wrong = |reason| StateError { text: text.to_owned(), reason };
        let read = layout::read_position(Part::whole(text), Some(self.n_disks));
        let (pegs, n_pegs) = read.map_err(|wrongs: Vec<Wrong>| wrong(first_reason(wrongs)))?;
        if n_pegs != self.n_pegs {
            let (found, expected) = (counted(n_pegs, "peg"), self.n_pegs);
            return Err(wrong(format!("it has {found}, and the level has {expected}")));
        }
        Ok(self.packed(&pegs))
    }

    fn format_state(&self, disks: Disks) -> String {
        layout::format_position(&self.unpacked(disks), self.n_disks)
    }

    fn parse_move(&self, disks: Disks, text: &str) -> Result<PegMove, MoveError> {
        let written = WrittenMove::read(text, self.n_pegs, " or the disk and the peg (d2>3)")?;
        let illegal = |reason| MoveError::Illegal { text: text.trim().to_owned(), reason };
        let numbered = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
        let disk = if written.is_item { numbered(&written.source) } else { self.disk_named(&written.source) };
        let from = match (written.from(text, self.n_pegs)?, disk) {
            (Some(peg), _) => peg,
            (None, Some(disk)) => self.peg_of_disk(disks, disk).map_err(illegal)?,
            (None, None) => return Err(illegal(format!("{:?} is neither a peg nor a disk", written.source))),
        };
        if let Some(item) = &written.item {
            let disk = self.disk_named(item).or_else(|| numbered(item));
            let Some(disk) = disk else { return Err(illegal(format!("{item:?} is no disk"))) };
            let peg = self.peg_of_disk(disks, disk).map_err(illegal)?;
            if peg != from {
                return Err(illegal(format!("disk {} is on peg {}, not on peg {}", disk + 1, peg + 1, from + 1)));
            }
        }
        Ok(PegMove { from: from as u8, to: written.to as u8, item: self.top(disks, from).map(|disk| disk as u8) })
    }

    fn is_null(&self, disks: Disks, action: PegMove) -> bool {
        action.from == action.to && self.top(disks, usize::from(action.from)).is_some()
    }

    fn move_between(&self, before: Disks, after: Disks) -> Option<PegMove> {
        let mut moved = (0..self.n_disks).filter(|&disk| self.peg(before, disk) != self.peg(after, disk));
        let (disk, None) = (moved.next()?, moved.next()) else { return None };
        let (from, to) = (self.peg(before, disk) as u8, self.peg(after, disk) as u8);
        let action = PegMove { from, to, item: Some(disk as u8) };
        (self.play(before, action) == Ok(after)).then_some(action)
    }

    fn format_move(&self, _disks: Disks, action: PegMove) -> String {
        action.notation()
    }

    fn picture(&self, disks: Disks) -> Picture {
        drawing::alone(&self.stand(disks))
    }

    fn last_wishes(&self, disks: Disks) -> Option<Subgoal> {
        self.disks_out_of_place(disks)
    }

    fn obstacles(&self, disks: Disks, wish: Wish) -> Option<Vec<Subgoal>> {
        self.disks_in_the_way(disks, wish)
    }

    fn granted(&self, disks: Disks, wish: Wish) -> Option<PegMove> {
        Some(self.move_of(disks, wish))
    }

    fn wish_notation(&self, disks: Disks, wish: Wish) -> String {
        let action = self.move_of(disks, wish);
        format!("{} {}", action.item.map_or(0, |disk| disk + 1), action.notation())
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        let meaning = "disks that have to move at least once".to_owned();
        vec![Heuristic { name: "disks-to-move".to_owned(), meaning, is_admissible: true }]
    }

    fn estimate(&self, _heuristic: usize, disks: Disks) -> f64 {
        f64::from(self.disks_to_move(disks))
    }

    fn symmetric(&self, disks: Disks, images: &mut Vec<Disks>) {
        images.extend(self.alike.iter().map(|&(one, other)| self.exchanged(disks, one, other)));
    }
}

#[cfg(test)]
mod tests;
