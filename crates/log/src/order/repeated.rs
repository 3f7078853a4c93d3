//! Rows that come again: saved twice, or with the number of another move.

use std::collections::HashMap;
use std::hash::BuildHasher as _;

use super::finding::{Finding, RowFinding};
use crate::entry::{Entry, NO_GROUP};
use crate::event::Event;
use crate::time::Time;

/// Rows that were saved before, with the row that they repeat.
pub(crate) type Copies = HashMap<usize, usize>;

/// Finds rows of the files that were saved twice: everything that they say is the same, what tells one row from another
/// too. Where steps take cells apart a row of a file stands for several here, which then come again all together. Rows
/// without a time are copies only right behind each other: counters start again with each session.
pub(crate) fn copies(
    rows: &[Entry],
    takes_apart: bool,
    texts: &dyn Fn(usize) -> Vec<u32>,
    is_numbered: &dyn Fn(usize) -> bool,
) -> Copies {
    let hasher = foldhash::fast::RandomState::default();
    let mut copies = Copies::new();
    // Most contents come once: they are held as hashes, and compared where two are the same.
    let mut known: HashMap<u64, usize> = HashMap::new();
    let mut last: HashMap<u32, usize> = HashMap::new();
    let mut end = 0;
    // Many rows may stand on one line of JSON.
    for of_file_row in rows.chunk_by(|left, right| takes_apart && left.at == right.at) {
        let start = end;
        end += of_file_row.len();
        let group = of_file_row[0].group;
        let is_whole = of_file_row.iter().all(|row| row.group == group && !row.is_rejected);
        if group == NO_GROUP || !is_whole || !(start..end).all(is_numbered) {
            continue;
        }
        let content = |start: usize| -> Vec<RowContent> {
            (start..(start + of_file_row.len()).min(rows.len())).map(|number| content_of(rows, number, texts)).collect()
        };
        let this = content(start);
        let has_time = of_file_row.iter().any(|row| row.onset.is_some() || row.rt.is_some());
        let before = match has_time {
            true => Some(*known.entry(hasher.hash_one((group, &this))).or_insert(start)),
            false => last.insert(group, start),
        };
        let is_same = |first: &usize| *first != start && rows[*first].group == group && content(*first) == this;
        if let Some(first) = before.filter(is_same) {
            copies.extend((0..of_file_row.len()).map(|place| (start + place, first + place)));
        }
    }
    copies
}

/// Content of a row apart from its place.
type RowContent = (Event, Option<i64>, Option<i64>, Vec<u32>);

fn content_of(rows: &[Entry], number: usize, texts: &dyn Fn(usize) -> Vec<u32>) -> RowContent {
    let row = &rows[number];
    (row.event, row.onset.map(Time::nanos), row.rt.map(Time::nanos), texts(number))
}

/// Notes moves that say the same as one before them where nothing numbers them. They stay: a player can make the same
/// move twice, and clocks are coarse.
///
/// Rows with an instant are compared with their whole attempt, others with the move right before them.
pub(super) fn notice_same_rows(
    rows: &[Entry],
    order: &[u32],
    texts: &dyn Fn(usize) -> Vec<u32>,
    findings: &mut Vec<RowFinding>,
) {
    let mut attempt = None;
    let mut last: Option<(RowContent, usize)> = None;
    let mut known: HashMap<RowContent, usize> = HashMap::new();
    for number in order.iter().map(|&number| number as usize).filter(|&number| rows[number].event.is_play()) {
        let row = &rows[number];
        if attempt != Some(row.place()) {
            attempt = Some(row.place());
            last = None;
            known.clear();
        }
        let here = content_of(rows, number, texts);
        let first = match row.onset {
            Some(_) => known.get(&here).copied(),
            None => last.as_ref().filter(|(before, _)| *before == here).map(|&(_, first)| first),
        };
        // What stands in one cell was not written twice.
        if let Some(first) = first.filter(|&first| rows[first].at != row.at) {
            findings.push(RowFinding { row: number, kind: Finding::Same { first } });
        }
        if row.onset.is_some() {
            known.entry(here.clone()).or_insert(number);
        }
        last = Some((here, first.unwrap_or(number)));
    }
}

pub(super) fn reject_repeated_rows(
    rows: &mut [Entry],
    order: &[u32],
    texts: &dyn Fn(usize) -> Vec<u32>,
    findings: &mut Vec<RowFinding>,
) {
    // The first move with this index in its attempt, and what it and those behind it say; numbering
    // is mostly right, so that hardly anything is ever put in there.
    let mut first: Option<usize> = None;
    let mut known: HashMap<RowContent, usize> = HashMap::new();
    for number in order.iter().map(|&number| number as usize) {
        let row = &rows[number];
        if row.index.is_none() || !row.event.is_play() {
            continue;
        }
        let Some(first) = first.filter(|&first| rows[first].place() == row.place() && rows[first].index == row.index)
        else {
            first = Some(number);
            known.clear();
            continue;
        };
        if known.is_empty() {
            known.insert(content_of(rows, first, texts), first);
        }
        let other = *known.entry(content_of(rows, number, texts)).or_insert(number);
        let kind = if other == number { Finding::Repeated { first } } else { Finding::Duplicate { first: other } };
        rows[number].is_rejected = other != number;
        findings.push(RowFinding { row: number, kind });
    }
}
