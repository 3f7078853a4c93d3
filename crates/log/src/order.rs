//! Order of rows, and what follows from it: attempts, numbers of moves, and times.

use super::entry::{Entry, EntryGroup, Index, NO_GROUP};
use super::event::Event;
use super::spec::Clock;
use super::stray::{Breaks, Side};
use super::time::Time;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};

mod finding;
mod repeated;

pub(super) use finding::{Finding, RowFinding};
pub(super) use repeated::{Copies, copies};
use repeated::{notice_same_rows, reject_repeated_rows};

/// The source of the times of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeSource {
    /// Both were logged, or the only one that is known was.
    Logged,
    /// The response time is the difference of two onsets.
    RtFromOnset,
    /// The onset is a sum of response times.
    OnsetFromRt,
}

impl TimeSource {
    /// Their names in the canonical log.
    pub const NAMES: [&'static str; 3] = ["logged", "rt from onset", "onset from rt"];
}

/// Columns that the files do not have and that are derived from the rest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Derived {
    pub attempt: bool,
    pub index: bool,
    pub rt: bool,
    pub onset: bool,
    /// As the study says it.
    pub clock: Option<Clock>,
}

impl Derived {
    /// Source of the times of a row.
    pub(super) fn time_source(&self, row: &Entry) -> Option<TimeSource> {
        match (row.onset, row.rt) {
            (None, None) => None,
            (_, Some(_)) if self.rt || row.is_rt_from_onset => Some(TimeSource::RtFromOnset),
            (Some(_), _) if self.onset => Some(TimeSource::OnsetFromRt),
            _ => Some(TimeSource::Logged),
        }
    }
}

/// Numbers attempts (from 1 within each group) and moves (from 0 within each attempt) that the files do not number.
/// Returns what the attempts began with.
///
/// An attempt ends with its reset; a start begins one, and so does a row whose index is smaller than
/// that of the row before it. Resets and starts before anything was done begin nothing.
///
/// `breaks` tell where rows without a place may be missing: they take their number too.
pub(super) fn derive_attempts(
    rows: &mut [Entry],
    groups: &[EntryGroup],
    derived: &Derived,
    breaks: &Breaks,
    copies: &Copies,
) -> Beginnings {
    let mut runs = vec![Run::default(); groups.len()];
    let mut next_index: HashMap<(u32, i64), i64> = HashMap::new();
    let n_names = groups.iter().map(|group| group.participant as usize + 1).max().unwrap_or(0);
    let mut last_of_participant: Vec<Option<usize>> = vec![None; n_names];
    let mut beginnings = Beginnings::new();
    // Attempts that the log identifies may each have their clock, unless the study says otherwise.
    let is_known = derived.attempt || matches!(derived.clock, Some(Clock::Running | Clock::Trial));
    let mut strays = breaks.all.as_slice();
    // Strays that may belong to the attempt of a row behind them, with where they were counted already.
    let mut pending: BTreeMap<usize, Vec<Option<(u32, i64)>>> = BTreeMap::new();
    for number in 0..rows.len() {
        if rows[number].group == NO_GROUP {
            let n = strays.iter().take_while(|stray| stray.culprit == number).count();
            let (of_row, rest) = strays.split_at(n);
            strays = rest;
            let mut counted = None;
            for stray in of_row {
                let anchor = &rows[stray.anchor];
                last_of_participant[groups[anchor.group as usize].participant as usize] = Some(number);
                if !rows[number].event.is_play() {
                    continue;
                }
                match stray.anchor < number {
                    true => {
                        counted = Some(anchor.place());
                        *next_index.entry(anchor.place()).or_default() += 1;
                    }
                    false => pending.entry(stray.anchor).or_default().push(counted),
                }
            }
            continue;
        }
        // A copy belongs where its original does, and counts nothing.
        if let Some(&first) = copies.get(&number) {
            rows[number].attempt = rows[first].attempt;
            continue;
        }
        let row = &mut rows[number];
        if derived.attempt {
            row.attempt = runs[row.group as usize].attempt_of(row);
        }
        for counted in pending.remove(&number).unwrap_or_default() {
            if counted != Some(row.place()) {
                *next_index.entry(row.place()).or_default() += 1;
            }
        }
        if derived.index && row.event.is_play() {
            // A rejected move takes its number too, so that what is behind it shows the gap.
            let next = next_index.entry((row.group, row.attempt)).or_default();
            row.index = Index::new(*next);
            *next += 1;
        }
        let participant = groups[row.group as usize].participant;
        let before = last_of_participant[participant as usize].replace(number);
        let begins = |&before: &usize| is_beginning(&rows[before], &rows[number]);
        if let Some(before) = before.filter(begins).filter(|_| is_known && derived.rt) {
            beginnings.insert(number, before);
        }
    }
    beginnings
}

/// For the first row of an attempt, the reset or start of the attempt before that began it.
pub(super) type Beginnings = HashMap<usize, usize>;

/// `true` if a row is the first of its attempt because of the one before it, of the same participant.
///
/// With another level in between, the time between the two was spent there; in another file, the clock may be another.
fn is_beginning(before: &Entry, row: &Entry) -> bool {
    let is_event = matches!(before.event, Event::Reset | Event::Start) && !before.is_rejected;
    is_event
        && (before.at.file(), before.group, before.attempt.saturating_add(1)) == (row.at.file(), row.group, row.attempt)
}

/// Puts the rows that are not rejected in order, rejects repeated rows, and fills in missing times.
///
/// Rows are ordered by `ranks` of their groups, attempt and index. A row without an index stays behind
/// the row that it follows in its file. `beginnings` are what [`derive_attempts`] found. `texts` gives
/// what a row says beside its times, as numbers; two moves with the same index that differ were numbered
/// badly, but were made, and stay in the order of the file.
pub(super) fn arrange(
    rows: &mut [Entry],
    ranks: &[u32],
    derived: &Derived,
    beginnings: &Beginnings,
    texts: &dyn Fn(usize) -> Vec<u32>,
) -> (Vec<u32>, Vec<RowFinding>) {
    // Numbers are sorted and not rows: an entry has 48 bytes, its number 4.
    let mut order = sorted(rows, ranks, |row| !row.is_rejected);
    let mut findings = Vec::new();
    if derived.index {
        notice_same_rows(rows, &order, texts, &mut findings);
    } else {
        reject_repeated_rows(rows, &order, texts, &mut findings);
    }
    if findings.iter().any(|finding| rows[finding.row].is_rejected) {
        order.retain(|&row| !rows[row as usize].is_rejected);
    }
    let mut rest = order.as_slice();
    let mut last_group = None;
    while let Some(&first) = rest.first() {
        let first = first as usize;
        let n = rest.iter().take_while(|&&row| rows[row as usize].place() == rows[first].place()).count();
        let (attempt, behind) = rest.split_at(n);
        let is_first_of_trial = last_group.replace(rows[first].group) != Some(rows[first].group);
        let starts_clock = match derived.clock.unwrap_or_default() {
            Clock::Running => false,
            Clock::Trial => is_first_of_trial,
            Clock::Attempt => true,
        };
        walk_attempt(rows, attempt, derived, beginnings, starts_clock, &mut findings);
        rest = behind;
    }
    (order, findings)
}

/// Progress of the rows of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    attempt: i64,
    /// `true` if the attempt has a row beside starts and resets.
    is_played: bool,
    is_reset: bool,
    last_index: Option<i64>,
}

impl Run {
    fn attempt_of(&mut self, row: &Entry) -> i64 {
        let falls = self.last_index.zip(row.index()).is_some_and(|(last, index)| index < last);
        let begins = match row.event {
            Event::Reset => false,
            Event::Start => self.is_played || self.is_reset,
            _ => self.is_reset || falls,
        };
        if begins || self.attempt == 0 {
            *self = Self { attempt: self.attempt + 1, ..Self::default() };
        }
        match row.event {
            Event::Reset => self.is_reset = self.is_played,
            Event::Start => {}
            _ => self.is_played = true,
        }
        if row.event != Event::Reset {
            self.last_index = row.index().or(self.last_index);
        }
        self.attempt
    }
}

/// A rejected row that makes those behind it worthless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Behind {
    pub row: usize,
    /// `true` if it is beyond doubt that it belongs to the same attempt.
    pub is_of_attempt: bool,
}

/// For rows the first row of their attempt that was rejected, or may belong to it, where that stands before them in the
/// order of play. To be asked before repeated rows are rejected, which nothing depends on.
pub(super) fn behind_rejected(rows: &[Entry], ranks: &[u32], breaks: &Breaks) -> HashMap<usize, Behind> {
    let mut places: HashMap<usize, Option<(u32, i64)>> = HashMap::new();
    for lost in &breaks.all {
        let here = Some(rows[lost.anchor].place()).filter(|_| !lost.is_shared);
        places.entry(lost.culprit).and_modify(|place| *place = place.filter(|_| *place == here)).or_insert(here);
    }
    let stray = |culprit: usize| Behind { row: culprit, is_of_attempt: places[&culprit].is_some() };
    let (mut from, mut after, mut whole) = (HashMap::new(), HashMap::new(), HashMap::new());
    for lost in &breaks.all {
        match lost.side {
            Side::From => from.entry(lost.anchor).or_insert(lost.culprit),
            Side::Behind => after.entry(lost.anchor).or_insert(lost.culprit),
            Side::Whole => whole.entry(rows[lost.anchor].place()).or_insert(lost.culprit),
        };
    }
    // All other attempts are whole.
    let mut broken: HashSet<(u32, i64), foldhash::fast::RandomState> =
        rows.iter().filter(is_rejected).map(Entry::place).collect();
    broken.extend(breaks.all.iter().map(|lost| rows[lost.anchor].place()));
    let mut behind = HashMap::new();
    if broken.is_empty() {
        return behind;
    }
    let mut here = None;
    let mut first: Option<Behind> = None;
    // Only broken attempts are sorted: rejected rows are few, and logs are long.
    for number in sorted(rows, ranks, |row| row.group != NO_GROUP && broken.contains(&row.place())) {
        let number = number as usize;
        let row = &rows[number];
        if here != Some(row.place()) {
            here = Some(row.place());
            first = whole.get(&row.place()).copied().map(stray);
        }
        first = first.or_else(|| from.get(&number).copied().map(stray));
        behind.extend(first.map(|first| (number, first)));
        let rejected = row.is_rejected.then_some(Behind { row: number, is_of_attempt: true });
        first = first.or(rejected).or_else(|| after.get(&number).copied().map(stray));
    }
    behind
}

fn is_rejected(row: &&Entry) -> bool {
    row.is_rejected && row.group != NO_GROUP
}

/// The rows that are wanted, in the order of play.
fn sorted(rows: &[Entry], ranks: &[u32], is_wanted: impl Fn(&Entry) -> bool) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows.len() as u32).filter(|&number| is_wanted(&rows[number as usize])).collect();
    // Both times most rows stand in their order already, and equal ones stay in that of the files.
    order.par_sort_by_key(|&number| {
        let row = &rows[number as usize];
        (ranks[row.group as usize], row.attempt)
    });
    let mut keyed: Vec<(i64, u32)> = Vec::new();
    let is_of_one = |&left: &u32, &right: &u32| rows[left as usize].place() == rows[right as usize].place();
    for attempt in order.chunk_by_mut(is_of_one) {
        let mut last = -1;
        keyed.clear();
        keyed.extend(attempt.iter().map(|&number| {
            last = rows[number as usize].index().unwrap_or(last);
            (last, number)
        }));
        if !keyed.is_sorted_by_key(|&(last, _)| last) {
            keyed.sort_by_key(|&(last, _)| last);
            attempt.iter_mut().zip(&keyed).for_each(|(number, &(_, sorted))| *number = sorted);
        }
    }
    order
}

/// Goes through one attempt, notes what is wrong with its numbers and times, and derives the times that it can.
fn walk_attempt(
    rows: &mut [Entry],
    attempt: &[u32],
    derived: &Derived,
    beginnings: &Beginnings,
    starts_clock: bool,
    findings: &mut Vec<RowFinding>,
) {
    let mut last_index: Option<i64> = None;
    // Behind a reset the player looks at the board again: that time belongs to the attempt that it begins.
    let mut before =
        attempt.first().and_then(|&first| beginnings.get(&(first as usize))).copied().filter(|_| !starts_clock);
    // Nanoseconds since the attempt began; nothing once a duration is unknown.
    let mut elapsed: Option<i64> = Some(0);
    for number in attempt.iter().map(|&number| number as usize) {
        let expected = last_index.map_or(0, |last| last.saturating_add(1));
        let is_hole = rows[number].index().is_some_and(|index| index > expected);
        if is_hole && !derived.index {
            let kind = last_index.map_or(Finding::LateStart, |before| Finding::Gap { before });
            findings.push(RowFinding { row: number, kind });
        }
        last_index = rows[number].index().or(last_index);
        if starts_clock && before.is_none() && derived.rt && !is_hole {
            // Since the clock started, nothing but this row happened.
            rows[number].rt = rows[number].onset;
        }
        follow_onset(rows, number, before, is_hole, derived, findings);
        if derived.onset {
            elapsed = elapsed.filter(|_| !is_hole);
            sum_onset(&mut rows[number], &mut elapsed);
        }
        before = Some(number);
    }
}

/// Compares the onset of a row with the one before it: their difference is the duration of what lies between.
fn follow_onset(
    rows: &mut [Entry],
    number: usize,
    before: Option<usize>,
    is_hole: bool,
    derived: &Derived,
    findings: &mut Vec<RowFinding>,
) {
    if derived.onset {
        return;
    }
    let Some(before) = before else { return };
    let Some((earlier, later)) = rows[before].onset.zip(rows[number].onset) else { return };
    let nanos = later.nanos().saturating_sub(earlier.nanos());
    // Programs write no response time where nobody responded; when it was over they write all the same.
    let is_end = matches!(rows[number].event, Event::Limit | Event::GiveUp);
    let takes_difference = derived.rt || is_end && rows[number].rt.is_none();
    if nanos < 0 {
        findings.push(RowFinding { row: number, kind: Finding::Backwards { before, is_time_lost: takes_difference } });
    } else if takes_difference && !is_hole {
        // Across a hole the difference would be the time of several moves.
        rows[number].rt = Some(Time::new(nanos));
        rows[number].is_rt_from_onset = true;
    }
}

fn sum_onset(row: &mut Entry, elapsed: &mut Option<i64>) {
    match row.rt {
        Some(rt) => {
            *elapsed = elapsed.and_then(|elapsed| elapsed.checked_add(rt.nanos()));
            row.onset = elapsed.map(Time::new);
        }
        // Starts, hints and resets often have no duration of their own; a move that has none hides one.
        None if row.event.is_play() => *elapsed = None,
        None => {}
    }
}

#[cfg(test)]
mod tests;
