//! Labelled rows, packed: where a move leads and what it is worth is held once for all rows that made it.

use super::row::{Label, LabelledRow};
use plymap_log::Event;
use plymap_log::replay::{Played, Step};
use plymap_puzzles::game::StateCode;
use plymap_tables::interner::Interner;
use std::ops::Range;

/// The labelled rows of a log, in its order. Each takes 24 bytes, and each different move of a level 150, more while
/// they come.
#[derive(Clone, Debug, Default)]
pub struct LabelledRows {
    rows: Vec<PackedRow>,
    transitions: Interner<Transition>,
    /// Of each transition.
    labels: Vec<Option<Label>>,
}

/// Transition of a row; its label depends on nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Transition {
    pub level: u32,
    pub before: StateCode,
    pub after: StateCode,
    pub choice: Option<Choice>,
}

/// The move of a transition that is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Choice {
    pub chosen: StateCode,
    pub cost: u32,
    pub is_legal: bool,
}

#[derive(Clone, Copy, Debug)]
struct PackedRow {
    /// Not a number where the time is missing.
    rt_s: f64,
    /// Number of the row in the canonical log.
    row: u32,
    transition: u32,
    /// 0 for rows that are no moves.
    ply: u32,
    event: Event,
    marks: u8,
}

/// Marks of a row that is a move; see [`Played`].
pub(super) const AFTER_GOAL: u8 = 1;
pub(super) const UNDO: u8 = 2;
pub(super) const REVISIT: u8 = 4;
pub(super) const HAS_PIECES: u8 = 8;
pub(super) const SAME_PIECE: u8 = 16;
const TIME_IN_NEXT: u8 = 32;
const MOVE: u8 = 64;

/// Of a row that is a move, whether it has a mark.
pub(super) fn has_mark(marks: u8, mark: u8) -> Option<bool> {
    (marks & MOVE != 0).then_some(marks & mark != 0)
}

impl PackedRow {
    fn has(self, mark: u8) -> bool {
        self.marks & mark != 0
    }

    fn rt_s(self) -> Option<f64> {
        Some(self.rt_s).filter(|time| !time.is_nan())
    }
}

impl LabelledRows {
    /// Number of them.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// `true` if there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The row of this number.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    pub fn at(&self, number: usize) -> LabelledRow {
        let packed = self.rows[number];
        let (Transition { level, before, after, choice }, label) = self.of_transition(packed.transition);
        let played = choice.map(|Choice { chosen, cost, is_legal }| Played {
            ply: packed.ply,
            is_legal,
            chosen,
            cost,
            is_after_goal: packed.has(AFTER_GOAL),
            is_undo: packed.has(UNDO),
            is_revisit: packed.has(REVISIT),
            same_piece_as_last: packed.has(HAS_PIECES).then(|| packed.has(SAME_PIECE)),
        });
        LabelledRow {
            event: packed.event,
            rt_s: packed.rt_s(),
            step: Step { row: packed.row, level, before, after, played },
            label,
            is_time_in_next: packed.has(TIME_IN_NEXT),
        }
    }

    /// Of a row, its number in the canonical log, its event and its time.
    pub(super) fn log_row(&self, number: usize) -> (u32, Event, Option<f64>) {
        let packed = self.rows[number];
        (packed.row, packed.event, packed.rt_s())
    }

    /// Of a row that is a move, its number in its attempt.
    pub(super) fn ply(&self, number: usize) -> Option<u32> {
        let packed = self.rows[number];
        packed.has(MOVE).then_some(packed.ply)
    }

    /// The marks of a row.
    pub(super) fn marks(&self, number: usize) -> u8 {
        self.rows[number].marks
    }

    /// Step of rows with this transition, and their label.
    pub(super) fn of_transition(&self, number: u32) -> (Transition, Option<Label>) {
        (self.transitions.items()[number as usize], self.labels[number as usize])
    }

    /// The number of what a row did, the same for all that did the same.
    pub fn transition(&self, number: usize) -> u32 {
        self.rows[number].transition
    }

    /// Number of such numbers.
    pub fn n_transitions(&self) -> usize {
        self.labels.len()
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = LabelledRow> {
        self.range(0..self.len())
    }

    /// The rows of these numbers.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    pub fn range(&self, rows: Range<usize>) -> impl Iterator<Item = LabelledRow> {
        rows.map(|number| self.at(number))
    }

    /// The number of the row of this number in the canonical log, if it is among these, which rise.
    pub(crate) fn number_of(&self, row: u32) -> Option<usize> {
        self.rows.binary_search_by_key(&row, |packed| packed.row).ok()
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: LabelledRow) {
        let LabelledRow { event, rt_s, step, label, is_time_in_next } = row;
        let pushed: Result<u32, std::convert::Infallible> = self.push_judged(event, rt_s, step, None, || Ok(label));
        let Ok(_) = pushed;
        debug_assert_eq!(self.at(self.len() - 1).label, label, "the label depends on what a row did alone");
        if is_time_in_next && let Some(last) = self.rows.last_mut() {
            last.marks |= TIME_IN_NEXT;
        }
    }

    /// Adds a row, whose label `judge` tells if no row before it did the same, and gives the number of its transition,
    /// which is `known` where one did.
    ///
    /// # Errors
    ///
    /// What `judge` says; the row is not added then.
    pub(super) fn push_judged<E>(
        &mut self,
        event: Event,
        rt_s: Option<f64>,
        step: Step,
        known: Option<u32>,
        judge: impl FnOnce() -> Result<Option<Label>, E>,
    ) -> Result<u32, E> {
        let Step { row, level, before, after, played } = step;
        let choice = played.map(|Played { chosen, cost, is_legal, .. }| Choice { chosen, cost, is_legal });
        let this = Transition { level, before, after, choice };
        debug_assert!(known.is_none_or(|known| self.transitions.items()[known as usize] == this), "one did the same");
        // An oracle is asked once for each transition, of which a log has far fewer than rows.
        let transition = match known.or_else(|| self.transitions.get(&this)) {
            Some(known) => known,
            None => {
                // Before its transition, so that none is left without one.
                self.labels.push(judge()?);
                self.transitions.number(this)
            }
        };
        let marks = played.map_or(0, |played| {
            MOVE | mark_if(played.is_after_goal, AFTER_GOAL)
                | mark_if(played.is_undo, UNDO)
                | mark_if(played.is_revisit, REVISIT)
                | mark_if(played.same_piece_as_last.is_some(), HAS_PIECES)
                | mark_if(played.same_piece_as_last == Some(true), SAME_PIECE)
        });
        let ply = played.map_or(0, |played| played.ply);
        self.rows.push(PackedRow { rt_s: rt_s.unwrap_or(f64::NAN), row, transition, ply, event, marks });
        Ok(transition)
    }

    /// Adds the time of each of these rows to the last one. A time that is not known makes the sum unknown.
    pub(super) fn carry_times(&mut self, rows: impl Iterator<Item = usize>) {
        let Some(last) = self.rows.len().checked_sub(1) else { return };
        let mut sum = self.rows[last].rt_s;
        for row in rows {
            // NaN stands for an unknown time, and makes the sum unknown by itself.
            sum += std::mem::replace(&mut self.rows[row].rt_s, f64::NAN);
            self.rows[row].marks |= TIME_IN_NEXT;
        }
        // Logs have times to the nanosecond at best; their sums have no finer digits.
        self.rows[last].rt_s = (sum * 1e9).round() / 1e9;
    }

    /// Adds all rows of others of the same log.
    pub(super) fn append(&mut self, other: Self) {
        let labelled = other.transitions.into_items().into_iter().zip(other.labels);
        let numbers: Vec<u32> = labelled
            .map(|(transition, label)| {
                if self.transitions.get(&transition).is_none() {
                    self.labels.push(label);
                }
                self.transitions.number(transition)
            })
            .collect();
        let renumbered = |row: PackedRow| PackedRow { transition: numbers[row.transition as usize], ..row };
        self.rows.extend(other.rows.into_iter().map(renumbered));
    }

    /// Leaves out all rows but these, whose numbers rise.
    pub(crate) fn keep(&mut self, rows: impl Iterator<Item = usize>) {
        let mut n_kept = 0;
        for number in rows {
            self.rows[n_kept] = self.rows[number];
            n_kept += 1;
        }
        self.rows.truncate(n_kept);
        self.rows.shrink_to_fit();
    }

    /// Makes room for so many more rows.
    pub(super) fn reserve(&mut self, n_rows: usize) {
        self.rows.reserve(n_rows);
    }

    /// Gives back what was taken for more rows.
    pub(super) fn shrink(&mut self) {
        self.transitions.close();
        self.labels.shrink_to_fit();
        self.rows.shrink_to_fit();
    }
}

fn mark_if(is_set: bool, mark: u8) -> u8 {
    if is_set { mark } else { 0 }
}
