//! The Tower of Hanoi (Lucas, 1883): disks of different sizes on pegs, none on a smaller one.
//!
//! A position is the peg of every disk, packed into one 64-bit word; disk 1 is the smallest. Notation of
//! positions: `431/2/-` has disks 4, 3 and 1 on peg 1, from the bottom, disk 2 on peg 2 and nothing on peg 3.
//! With ten disks or more, dots separate them: `12.11.3/…`.

use serde::{Deserialize, Serialize};

use super::drawing;
use super::notation::{Part, TextDiagnostic, counted, first_reason};
use super::{PegMove, WrittenMove, stays};
use crate::game::picture::Picture;
use crate::game::{
    Aim, Heuristic, MoveError, PositionIndex as _, Puzzle, Specification, StateError, Subgoal, WishedMove,
};

mod index;
mod layout;
mod level;
mod obstacles;

pub use index::HanoiIndex;
pub use layout::{Layout, parse};
pub use level::{Disks, LayoutError, TowerOfHanoi};

/// The options of the rules, as `[rules]` of a study gives them: there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {}

impl Puzzle for TowerOfHanoi {
    type State = Disks;
    type Move = PegMove;
    type Index = HanoiIndex;

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

    fn specification(&self) -> Option<Specification> {
        let settings = vec![
            ("items", "disks".to_owned()),
            ("capacities", String::new()),
            ("goal", Puzzle::format_state(self, self.target)),
        ];
        Some(Specification { kind: "pegs", settings })
    }

    fn legal_moves(&self, disks: Disks, moves: &mut Vec<PegMove>) {
        self.for_each_step(disks, |disk, from, to| {
            moves.push(PegMove { from: from as u8, to: to as u8, item: Some(disk as u8) });
        });
    }

    fn for_each_successor(&self, disks: Disks, _moves: &mut Vec<PegMove>, visit: &mut impl FnMut(Disks)) {
        self.for_each_step(disks, |disk, _, to| visit(self.moved(disks, disk, to)));
    }

    fn index(&self) -> Option<HanoiIndex> {
        HanoiIndex::new(self.n_disks, self.n_pegs, self.disk_bits)
    }

    fn for_each_indexed_successor(
        &self,
        index: &HanoiIndex,
        code: u64,
        _moves: &mut Vec<PegMove>,
        visit: &mut impl FnMut(u64, u64),
    ) {
        let rank = index.rank(code).expect("every position has a rank");
        self.for_each_step(Disks(code), |disk, from, to| {
            visit(index.moved(rank, disk, from, to), self.moved(Disks(code), disk, to).0);
        });
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
        let (pegs, n_pegs) = read.map_err(|diagnostics: Vec<TextDiagnostic>| wrong(first_reason(diagnostics)))?;
        if n_pegs != self.n_pegs {
            let (n_pegs_text, expected) = (counted(n_pegs, "peg"), self.n_pegs);
            return Err(wrong(format!("it has {n_pegs_text}, and the level has {expected}")));
        }
        Ok(self.packed(&pegs))
    }

    fn format_state(&self, disks: Disks) -> String {
        layout::format_position(&self.unpacked(disks), self.n_disks)
    }

    fn parse_move(&self, disks: Disks, text: &str) -> Result<PegMove, MoveError> {
        let written = WrittenMove::read(text, self.n_pegs, " or the disk and the peg (d2>3)")?;
        let illegal = |reason| MoveError::Illegal { text: text.trim().to_owned(), reason };
        let disk = if written.is_item { peg_number(&written.source) } else { self.disk_named(&written.source) };
        let from = match (written.from(text, self.n_pegs)?, disk) {
            (Some(peg), _) => peg,
            (None, Some(disk)) => self.peg_of_disk(disks, disk).map_err(illegal)?,
            (None, None) => return Err(illegal(format!("{:?} is neither a peg nor a disk", written.source))),
        };
        if let Some(item) = &written.item {
            let disk = self.disk_named(item).or_else(|| peg_number(item));
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
        let target = self.stand(self.target).into_target();
        drawing::below_target(&self.stand(disks), &target)
    }

    fn aim(&self) -> Aim {
        Aim::new(
            "Put the disks as in the goal, one at a time, and never on a smaller one.",
            "Die Scheiben einzeln so umlegen wie im Ziel, und nie auf eine kleinere.",
            "Placez les disques comme dans le but, un à la fois, et jamais sur un plus petit.",
        )
    }

    fn goal_moves(&self, disks: Disks) -> Option<Subgoal> {
        self.disks_out_of_place(disks)
    }

    fn obstacles(&self, disks: Disks, wished: WishedMove) -> Option<Vec<Subgoal>> {
        self.disks_in_the_way(disks, wished)
    }

    fn as_legal_move(&self, disks: Disks, wished: WishedMove) -> Option<PegMove> {
        Some(self.move_of(disks, wished))
    }

    fn format_wished_move(&self, disks: Disks, wished: WishedMove) -> String {
        let action = self.move_of(disks, wished);
        format!("{} {}", action.item.map_or(0, |disk| disk + 1), action.notation())
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        vec![Heuristic::admissible("disks-to-move", "disks that have to move at least once")]
    }

    fn estimate(&self, _heuristic: usize, disks: Disks) -> f64 {
        f64::from(self.disks_to_move(disks))
    }

    fn symmetric(&self, disks: Disks, images: &mut Vec<Disks>) {
        images.extend(self.alike.iter().map(|&(this, other)| self.exchanged(disks, this, other)));
    }
}

fn peg_number(text: &str) -> Option<usize> {
    text.parse::<usize>().ok()?.checked_sub(1)
}

#[cfg(test)]
mod tests;
