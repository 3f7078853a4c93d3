//! Which rows follow each other, and what that tells: attempts, numbers of moves, and times.

use super::columns::Mapping;
use super::entry::{Entry, EntryGroup, Index, NO_GROUP};
use super::event::Event;
use super::raw::Flaw;
use super::reject::Consequence;
use super::role::Role;
use super::spec::Clock;
use super::stray::{Breaks, Side};
use super::time::Time;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::BuildHasher as _;

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

/// What the files do not have and is found from the rest.
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
    /// Where the times of a row come from.
    pub(super) fn time_source(&self, row: &Entry) -> Option<TimeSource> {
        match (row.onset, row.rt) {
            (None, None) => None,
            (_, Some(_)) if self.rt || row.is_rt_from_onset => Some(TimeSource::RtFromOnset),
            (Some(_), _) if self.onset => Some(TimeSource::OnsetFromRt),
            _ => Some(TimeSource::Logged),
        }
    }
}

/// Something that only the order of rows shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowFinding {
    /// The row.
    pub row: usize,
    pub kind: Finding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// An earlier row says the same in everything.
    Duplicate { first: usize },
    /// An earlier row has the same index, but says something else.
    Repeated { first: usize },
    /// A row before it says the same in everything, in a log that does not number its moves.
    Same { first: usize },
    /// The move before this one has an index that is smaller by more than 1.
    Gap { before: i64 },
    /// The first index of the attempt is not 0.
    LateStart,
    /// The row happened before the row that it follows.
    Backwards { before: usize, is_time_lost: bool },
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
            let n = strays.iter().take_while(|found| found.culprit == number).count();
            let (of_row, rest) = strays.split_at(n);
            strays = rest;
            let mut counted = None;
            for found in of_row {
                let anchor = &rows[found.anchor];
                last_of_participant[groups[anchor.group as usize].participant as usize] = Some(number);
                if !rows[number].event.is_play() {
                    continue;
                }
                match found.anchor < number {
                    true => {
                        counted = Some(place(anchor));
                        *next_index.entry(place(anchor)).or_default() += 1;
                    }
                    false => pending.entry(found.anchor).or_default().push(counted),
                }
            }
            continue;
        }
        if let Some(&first) = copies.get(&number) {
            rows[number].attempt = rows[first].attempt;
            continue;
        }
        let row = &mut rows[number];
        if derived.attempt {
            row.attempt = runs[row.group as usize].attempt_of(row);
        }
        for counted in pending.remove(&number).unwrap_or_default() {
            if counted != Some(place(row)) {
                *next_index.entry(place(row)).or_default() += 1;
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

/// Rows that were saved before, with the row that they repeat.
pub(super) type Copies = HashMap<usize, usize>;

/// Finds rows of the files that were saved twice: everything that they say is the same, what tells one row from another
/// too. Where steps take cells apart a row of a file stands for several here, which then come again all together. Rows
/// without a time are copies only right behind each other: counters start again with each sitting.
pub(super) fn copies(
    rows: &[Entry],
    takes_apart: bool,
    texts: &dyn Fn(usize) -> Vec<u32>,
    is_numbered: &dyn Fn(usize) -> bool,
) -> Copies {
    let hasher = foldhash::fast::RandomState::default();
    let mut found = Copies::new();
    // Most contents come once: they are held as hashes, and compared where two are the same.
    let mut known: HashMap<u64, usize> = HashMap::new();
    let mut last: HashMap<u32, usize> = HashMap::new();
    let mut end = 0;
    // Many rows may stand on one line of JSON.
    for of_file_row in rows.chunk_by(|one, other| takes_apart && one.at == other.at) {
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
        let own = content(start);
        let has_time = of_file_row.iter().any(|row| row.onset.is_some() || row.rt.is_some());
        let before = match has_time {
            true => Some(*known.entry(hasher.hash_one((group, &own))).or_insert(start)),
            false => last.insert(group, start),
        };
        let is_same = |first: &usize| *first != start && rows[*first].group == group && content(*first) == own;
        if let Some(first) = before.filter(is_same) {
            found.extend((0..of_file_row.len()).map(|place| (start + place, first + place)));
        }
    }
    found
}

/// For the first row of an attempt, the reset or start of the attempt before that began it.
pub(super) type Beginnings = HashMap<usize, usize>;

/// Whether a row is the first of its attempt because of the one before it, of the same participant.
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
    let mut order = sorted(rows, ranks, |row| !row.is_rejected);
    let mut found = Vec::new();
    if derived.index {
        notice_same_rows(rows, &order, texts, &mut found);
    } else {
        reject_repeated_rows(rows, &order, texts, &mut found);
    }
    if found.iter().any(|finding| rows[finding.row].is_rejected) {
        order.retain(|&row| !rows[row as usize].is_rejected);
    }
    let mut rest = order.as_slice();
    let mut last_group = None;
    while let Some(&first) = rest.first() {
        let first = first as usize;
        let n = rest.iter().take_while(|&&row| place(&rows[row as usize]) == place(&rows[first])).count();
        let (attempt, behind) = rest.split_at(n);
        let is_first_of_trial = last_group.replace(rows[first].group) != Some(rows[first].group);
        let starts_clock = match derived.clock.unwrap_or_default() {
            Clock::Running => false,
            Clock::Trial => is_first_of_trial,
            Clock::Attempt => true,
        };
        walk_attempt(rows, attempt, derived, beginnings, starts_clock, &mut found);
        rest = behind;
    }
    (order, found)
}

/// How far the rows of a group have come.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    attempt: i64,
    /// Whether the attempt has a row beside starts and resets.
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

fn place(row: &Entry) -> (u32, i64) {
    (row.group, row.attempt)
}

/// A rejected row that makes those behind it worthless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Behind {
    pub row: usize,
    /// Whether it is beyond doubt that it belongs to the same attempt.
    pub is_of_attempt: bool,
}

/// For rows the first row of their attempt that was rejected, or may belong to it, where that stands before them in the
/// order of play. To be asked before repeated rows are rejected, which nothing depends on.
pub(super) fn behind_rejected(rows: &[Entry], ranks: &[u32], breaks: &Breaks) -> HashMap<usize, Behind> {
    let mut places: HashMap<usize, Option<(u32, i64)>> = HashMap::new();
    for found in &breaks.all {
        let here = Some(place(&rows[found.anchor])).filter(|_| !found.is_shared);
        places.entry(found.culprit).and_modify(|place| *place = place.filter(|_| *place == here)).or_insert(here);
    }
    let stray = |culprit: usize| Behind { row: culprit, is_of_attempt: places[&culprit].is_some() };
    let (mut from, mut after, mut whole) = (HashMap::new(), HashMap::new(), HashMap::new());
    for found in &breaks.all {
        match found.side {
            Side::From => from.entry(found.anchor).or_insert(found.culprit),
            Side::Behind => after.entry(found.anchor).or_insert(found.culprit),
            Side::Whole => whole.entry(place(&rows[found.anchor])).or_insert(found.culprit),
        };
    }
    // All other attempts are whole.
    let is_rejected = |row: &&Entry| row.is_rejected && row.group != NO_GROUP;
    let mut broken: HashSet<(u32, i64), foldhash::fast::RandomState> =
        rows.iter().filter(is_rejected).map(place).collect();
    broken.extend(breaks.all.iter().map(|found| place(&rows[found.anchor])));
    let mut behind = HashMap::new();
    if broken.is_empty() {
        return behind;
    }
    let mut here = None;
    let mut first: Option<Behind> = None;
    for number in sorted(rows, ranks, |row| row.group != NO_GROUP && broken.contains(&place(row))) {
        let number = number as usize;
        let row = &rows[number];
        if here != Some(place(row)) {
            here = Some(place(row));
            first = whole.get(&place(row)).copied().map(stray);
        }
        first = first.or_else(|| from.get(&number).copied().map(stray));
        behind.extend(first.map(|first| (number, first)));
        let rejected = row.is_rejected.then_some(Behind { row: number, is_of_attempt: true });
        first = first.or(rejected).or_else(|| after.get(&number).copied().map(stray));
    }
    behind
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
    let is_of_one = |&one: &u32, &other: &u32| place(&rows[one as usize]) == place(&rows[other as usize]);
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

/// What a row holds apart from its place.
type RowContent = (Event, Option<i64>, Option<i64>, Vec<u32>);

fn content_of(rows: &[Entry], number: usize, texts: &dyn Fn(usize) -> Vec<u32>) -> RowContent {
    let row = &rows[number];
    (row.event, row.onset.map(Time::nanos), row.rt.map(Time::nanos), texts(number))
}

/// Notes moves that say the same as one before them where nothing numbers them. They stay: a player can make the same
/// move twice, and clocks are coarse.
///
/// Rows with an instant are compared with their whole attempt, others with the move right before them.
fn notice_same_rows(rows: &[Entry], order: &[u32], texts: &dyn Fn(usize) -> Vec<u32>, found: &mut Vec<RowFinding>) {
    let mut attempt = None;
    let mut last: Option<(RowContent, usize)> = None;
    let mut known: HashMap<RowContent, usize> = HashMap::new();
    for number in order.iter().map(|&number| number as usize).filter(|&number| rows[number].event.is_play()) {
        let row = &rows[number];
        if attempt != Some(place(row)) {
            attempt = Some(place(row));
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
            found.push(RowFinding { row: number, kind: Finding::Same { first } });
        }
        if row.onset.is_some() {
            known.entry(here.clone()).or_insert(number);
        }
        last = Some((here, first.unwrap_or(number)));
    }
}

fn reject_repeated_rows(
    rows: &mut [Entry],
    order: &[u32],
    texts: &dyn Fn(usize) -> Vec<u32>,
    found: &mut Vec<RowFinding>,
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
        let Some(first) = first.filter(|&first| place(&rows[first]) == place(row) && rows[first].index == row.index)
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
        found.push(RowFinding { row: number, kind });
    }
}

/// Goes through one attempt, notes what is wrong with its numbers and times, and derives the times that it can.
fn walk_attempt(
    rows: &mut [Entry],
    attempt: &[u32],
    derived: &Derived,
    beginnings: &Beginnings,
    starts_clock: bool,
    found: &mut Vec<RowFinding>,
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
            found.push(RowFinding { row: number, kind });
        }
        last_index = rows[number].index().or(last_index);
        if starts_clock && before.is_none() && derived.rt && !is_hole {
            // Since the clock started, nothing but this row happened.
            rows[number].rt = rows[number].onset;
        }
        follow_onset(rows, number, before, is_hole, derived, found);
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
    found: &mut Vec<RowFinding>,
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
        found.push(RowFinding { row: number, kind: Finding::Backwards { before, is_time_lost: takes_difference } });
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

impl Finding {
    /// What became of the row.
    pub(super) fn consequence(self) -> Consequence {
        match self {
            Self::Duplicate { .. } => Consequence::Rejected,
            Self::Backwards { is_time_lost: true, .. } => Consequence::TimeMissing,
            _ => Consequence::Kept,
        }
    }

    /// The same in words, said of `row`.
    pub(super) fn flaw(self, mapping: &Mapping, rows: &[Entry], row: &Entry, files: &[String]) -> Flaw {
        let index = row.index().map_or_else(String::new, |index| index.to_string());
        let index_column = mapping.source_name(Role::MoveIndex);
        let stands = |number: usize| match &rows[number] {
            other if other.at.file() == row.at.file() => format!("row {}", other.at.row()),
            other => format!("row {} of {}", other.at.row(), files[other.at.file()]),
        };
        match self {
            Self::Duplicate { first } => {
                let rule = format!("the row says the same as {}", stands(first));
                let fix = "nothing is lost; find out how the row came to be written twice";
                Flaw::new("duplicate-row", index_column, &index, rule, fix)
            }
            Self::Same { first } => {
                let rule =
                    format!("the row says the same as {}, and nothing tells whether it was made twice", stands(first));
                let fix = "find out whether the row was written twice; a column that numbers the rows of the file, named in \
                           row_number of [log], would tell";
                Flaw::new("repeated-row", mapping.source_name(Role::Action), "", rule, fix)
            }
            Self::Repeated { first } => {
                let rule = format!(
                    "{}, of the same attempt, has the same index; the order of the file decides",
                    stands(first)
                );
                let fix = "if there are many, name the column that identifies the attempts in [columns]";
                Flaw::new("repeated-index", index_column, &index, rule, fix)
            }
            Self::Gap { before } => {
                let rule = format!("move_index goes from {before} to {index} within the attempt");
                Flaw::new("index-gap", index_column, &index, rule, "find out whether moves are missing from the log")
            }
            Self::LateStart => {
                let rule = format!("the first move_index of the attempt is {index}, not 0");
                let fix = "find out whether moves are missing; if the log counts from 1, say `first = 1` with the \
                           column in [columns]";
                Flaw::new("index-not-from-0", index_column, &index, rule, fix)
            }
            Self::Backwards { before, .. } => {
                let rule = format!("the row happened before {}, which it follows", stands(before));
                let onset = row.onset.map_or_else(String::new, |onset| onset.seconds().to_string());
                let fix = "check the order of the rows and the clock of the machine that wrote them";
                Flaw::new("time-backwards", mapping.source_name(Role::Onset), &onset, rule, fix)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::FileRow;
    use super::*;
    use Event::{GiveUp, Hint, Limit, Move, Reset, Start, Undo};

    const GROUP: EntryGroup = EntryGroup { participant: 0, session: 1, level: 2 };

    fn row(event: Event, index: Option<i64>) -> Entry {
        let index = index.and_then(Index::new);
        Entry {
            group: 0,
            attempt: 0,
            index,
            event,
            onset: None,
            rt: None,
            at: FileRow::new(0, 0),
            is_rejected: false,
            is_rt_from_onset: false,
        }
    }

    fn attempts(events: &[(Event, Option<i64>)]) -> Vec<i64> {
        let mut rows: Vec<Entry> = events.iter().map(|&(event, index)| row(event, index)).collect();
        derive_attempts(
            &mut rows,
            &[GROUP],
            &Derived { attempt: true, ..Derived::default() },
            &Breaks::default(),
            &Copies::new(),
        );
        rows.iter().map(|row| row.attempt).collect()
    }

    #[test]
    fn moves_without_a_number_that_say_the_same_are_noticed_and_stay() {
        let at = |nanos| Some(Time::new(nanos));
        let derived = Derived { index: true, ..Derived::default() };
        let found = |times: &[(Option<i64>, i64)]| {
            let mut rows: Vec<Entry> = times
                .iter()
                .enumerate()
                .map(|(index, &(onset, rt))| Entry {
                    onset: onset.and_then(at),
                    rt: at(rt),
                    at: FileRow::new(0, index as u64),
                    ..row(Move, Some(index as i64))
                })
                .collect();
            let (order, found) = arranged(&mut rows, derived);
            assert_eq!(order.len(), rows.len(), "both stay");
            found.iter().map(|found| (found.row, found.kind)).collect::<Vec<_>>()
        };
        let same = |first| Finding::Same { first };
        assert_eq!(found(&[(None, 5), (None, 5), (None, 5), (None, 6), (None, 5)]), [(1, same(0)), (2, same(0))]);
        assert_eq!(found(&[(Some(1), 5), (Some(2), 5), (Some(2), 6), (Some(2), 5)]), [(3, same(1))]);
    }

    fn arranged(rows: &mut [Entry], derived: Derived) -> (Vec<u32>, Vec<RowFinding>) {
        arrange(rows, &[0], &derived, &Beginnings::new(), &|_| Vec::new())
    }

    #[test]
    fn an_attempt_begins_with_the_reset_or_start_right_before_it() {
        let beginnings = |events: &[Event]| {
            let mut rows: Vec<Entry> = events.iter().map(|&event| row(event, None)).collect();
            let derived = Derived { attempt: true, rt: true, ..Derived::default() };
            let breaks = Breaks::default();
            let mut found: Vec<_> =
                derive_attempts(&mut rows, &[GROUP], &derived, &breaks, &Copies::new()).into_iter().collect();
            found.sort_unstable();
            found
        };
        assert_eq!(beginnings(&[Start, Move, Reset, Move, Reset, Reset, Start, Move]), [(3, 2), (6, 5)]);
        assert_eq!(beginnings(&[Move, Start, Move]), [], "what lies before a start is no event that begins");
    }

    #[test]
    fn a_clock_that_is_said_to_run_on_does_so_through_resets() {
        let beginnings = |clock: Option<Clock>| {
            let attempts = [(Move, 1), (Reset, 1), (Move, 2)];
            let mut rows: Vec<Entry> = attempts.map(|(event, attempt)| Entry { attempt, ..row(event, None) }).to_vec();
            let derived = Derived { rt: true, clock, ..Derived::default() };
            derive_attempts(&mut rows, &[GROUP], &derived, &Breaks::default(), &Copies::new())
                .into_iter()
                .collect::<Vec<_>>()
        };
        assert_eq!(beginnings(None), [], "each attempt that a column numbers may have its clock");
        assert_eq!(beginnings(Some(Clock::Running)), [(2, 1)]);
        assert_eq!(beginnings(Some(Clock::Attempt)), []);
    }

    #[test]
    fn the_end_of_an_attempt_without_a_duration_lasts_from_the_row_before_it() {
        let at = |seconds: i64| Some(Time::new(seconds * 1_000_000_000));
        let derived = Derived { index: true, ..Derived::default() };
        for (event, seconds, source) in [
            (Limit, Some(18.0), Some(TimeSource::RtFromOnset)),
            (GiveUp, Some(18.0), Some(TimeSource::RtFromOnset)),
            (Hint, None, Some(TimeSource::Logged)),
        ] {
            let mut rows =
                [Entry { onset: at(2), rt: at(2), ..row(Move, Some(0)) }, Entry { onset: at(20), ..row(event, None) }];
            arranged(&mut rows, derived);
            assert_eq!((rows[1].rt.map(Time::seconds), derived.time_source(&rows[1])), (seconds, source), "{event}");
            assert_eq!(derived.time_source(&rows[0]), Some(TimeSource::Logged));
        }
        // What the log says itself stays.
        let mut rows = [
            Entry { onset: at(2), rt: at(2), ..row(Move, Some(0)) },
            Entry { onset: at(20), rt: at(5), ..row(Limit, None) },
        ];
        arranged(&mut rows, derived);
        assert_eq!((rows[1].rt, derived.time_source(&rows[1])), (at(5), Some(TimeSource::Logged)));
    }

    #[test]
    fn resets_end_attempts_and_starts_begin_them() {
        let plain = |events: &[Event]| attempts(&events.iter().map(|&event| (event, None)).collect::<Vec<_>>());
        assert_eq!(plain(&[Move, Reset, Move, Undo, Reset, Start, Move]), [1, 1, 2, 2, 2, 3, 3]);
        assert_eq!(plain(&[Start, Start, Reset, Move, Reset, Reset, Hint]), [1, 1, 1, 1, 1, 1, 2]);
        assert_eq!(plain(&[Move, Start, Move]), [1, 2, 2]);
    }

    #[test]
    fn a_falling_index_begins_an_attempt_once() {
        let indexed =
            [(Move, Some(0)), (Move, Some(1)), (Hint, None), (Move, Some(0)), (Reset, Some(0)), (Move, Some(0))];
        assert_eq!(attempts(&indexed), [1, 1, 1, 2, 2, 3]);
    }

    #[test]
    fn durations_are_differences_of_onsets_and_onsets_their_sums() {
        let at = |nanos| Some(Time::new(nanos));
        let mut rows: Vec<Entry> = [1_200_000_000, 1_300_000_000, 1_100_000_000]
            .iter()
            .enumerate()
            .map(|(index, &onset)| Entry { onset: at(onset), ..row(Move, Some(index as i64)) })
            .collect();
        let (_, found) = arranged(&mut rows, Derived { rt: true, ..Derived::default() });
        assert_eq!(rows.iter().map(|row| row.rt.map(Time::seconds)).collect::<Vec<_>>(), [None, Some(0.1), None]);
        assert_eq!(found, [RowFinding { row: 2, kind: Finding::Backwards { before: 1, is_time_lost: true } }]);

        let mut rows: Vec<Entry> = [(0, at(100)), (1, at(50)), (3, at(10)), (4, at(10))]
            .map(|(index, rt)| Entry { rt, ..row(Move, Some(index)) })
            .to_vec();
        let (_, found) = arranged(&mut rows, Derived { onset: true, ..Derived::default() });
        let onsets: Vec<_> = rows.iter().map(|row| row.onset.map(Time::nanos)).collect();
        assert_eq!(onsets, [Some(100), Some(150), None, None], "what happened in the gap took an unknown time");
        assert_eq!(found, [RowFinding { row: 2, kind: Finding::Gap { before: 1 } }]);
    }
}
