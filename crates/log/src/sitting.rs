//! Sittings that no column tells: whoever loads a page again, or comes back in another file, plays anew.
//!
//! The rows of a participant fall into segments, which end with a file and where a counter of the log starts again. A
//! segment with a level that an earlier one of the sitting has begins the next sitting. Files of other levels continue
//! it, so that one person with a file for each level has one sitting.

use std::collections::HashMap;

use super::entry::{Entry, EntryGroup, NO_GROUP};

/// The sittings of a log: of those behind the first of a participant.
#[derive(Debug, Default)]
pub(super) struct Sittings {
    /// Rows with the number of their sitting, from 2.
    pub of_rows: Vec<(usize, usize)>,
    /// The first row of each, with its number.
    pub begins: Vec<(usize, usize)>,
}

/// Value of a counter of the log, by its number, in a row.
pub(super) type Counter<'c> = dyn Fn(usize, usize) -> Option<f64> + 'c;

/// Progress of an attempt at a level: its number and that of its last move.
type Reached = (i64, Option<i64>);

/// Rows of a participant between two borders.
struct Segment {
    first: usize,
    /// Levels with what their first and last row say.
    levels: HashMap<u32, (Reached, Reached)>,
}

/// A participant while the rows are walked through.
#[derive(Default)]
struct Person {
    segments: Vec<Segment>,
    file: usize,
    counters: Vec<Option<f64>>,
}

/// Finds the sittings of each participant. Rows that are `left_out` tell nothing.
pub(super) fn sittings(
    rows: &[Entry],
    groups: &[EntryGroup],
    left_out: &HashMap<usize, usize>,
    (n_counters, counter): (usize, &Counter<'_>),
) -> Sittings {
    let mut people: HashMap<u32, Person> = HashMap::new();
    let is_placed = |number: usize| rows[number].group != NO_GROUP && !left_out.contains_key(&number);
    for number in (0..rows.len()).filter(|&number| is_placed(number)) {
        let row = &rows[number];
        let EntryGroup { participant, level, .. } = groups[row.group as usize];
        let person = people.entry(participant).or_default();
        person.counters.resize(n_counters, None);
        let mut is_border = person.segments.is_empty() || row.at.file() != person.file;
        for (place, last) in person.counters.iter_mut().enumerate() {
            let now = counter(number, place);
            is_border |= last.zip(now).is_some_and(|(last, now)| now < last);
            *last = now.or(*last);
        }
        if is_border {
            person.file = row.at.file();
            person.segments.push(Segment { first: number, levels: HashMap::new() });
        }
        let reached = (row.attempt, row.index());
        if let Some(segment) = person.segments.last_mut() {
            segment.levels.entry(level).and_modify(|(_, last)| *last = reached).or_insert((reached, reached));
        }
    }
    let numbers: HashMap<u32, Vec<usize>> =
        people.iter().map(|(&participant, person)| (participant, numbered(&person.segments))).collect();
    let mut sittings = Sittings::default();
    if numbers.values().flatten().all(|&number| number == 1) {
        return sittings;
    }
    for (participant, person) in &people {
        let numbers = &numbers[participant];
        for place in (1..numbers.len()).filter(|&place| numbers[place] > numbers[place - 1]) {
            sittings.begins.push((person.segments[place].first, numbers[place]));
        }
    }
    sittings.begins.sort_unstable();
    let mut places: HashMap<u32, usize> = HashMap::new();
    for number in (0..rows.len()).filter(|&number| is_placed(number)) {
        let participant = groups[rows[number].group as usize].participant;
        let segments = &people[&participant].segments;
        let place = places.entry(participant).or_default();
        *place += usize::from(segments.get(*place + 1).is_some_and(|next| next.first <= number));
        let sitting = numbers[&participant][*place];
        sittings.of_rows.extend((sitting > 1).then_some((number, sitting)));
    }
    sittings
}

/// The number of the sitting of each segment, from 1.
fn numbered(segments: &[Segment]) -> Vec<usize> {
    let mut sitting = 1;
    let mut played: HashMap<u32, Reached> = HashMap::new();
    let number = |segment: &Segment| {
        let begins_again = |(level, (first, _)): (&u32, &(Reached, Reached))| {
            played.get(level).is_some_and(|&last| !goes_on(last, *first))
        };
        if segment.levels.iter().any(begins_again) {
            sitting += 1;
            played.clear();
        }
        played.extend(segment.levels.iter().map(|(&level, &(_, last))| (level, last)));
        sitting
    };
    segments.iter().map(number).collect()
}

/// `true` if the log itself says that a row continues the count of attempts or moves.
fn goes_on((attempt, index): Reached, (next_attempt, next_index): Reached) -> bool {
    next_attempt > attempt || next_attempt == attempt && next_index.zip(index).is_some_and(|(next, last)| next > last)
}

#[cfg(test)]
mod tests {
    use super::super::entry::{FileRow, Index};
    use super::super::event::Event;
    use super::*;

    /// Sittings of the rows of one participant: file, level, counter, and attempt and index where the log numbers them.
    fn numbers(moves: &[(usize, u32, f64, i64, i64)]) -> Vec<usize> {
        let row = |(line, &(file, level, _, attempt, index)): (usize, &(usize, u32, f64, i64, i64))| Entry {
            group: level,
            attempt,
            index: Index::new(index),
            event: Event::Move,
            onset: None,
            rt: None,
            at: FileRow::new(file, line as u64),
            is_rejected: false,
            is_rt_from_onset: false,
        };
        let rows: Vec<Entry> = moves.iter().enumerate().map(row).collect();
        let groups = [0, 1, 2].map(|level| EntryGroup { participant: 0, session: 0, level });
        let numbered = sittings(&rows, &groups, &HashMap::new(), (1, &|row, _| Some(moves[row].2)));
        let later: HashMap<usize, usize> = numbered.of_rows.into_iter().collect();
        (0..rows.len()).map(|row| later.get(&row).copied().unwrap_or(1)).collect()
    }

    #[test]
    fn a_level_that_comes_again_behind_a_border_begins_a_sitting() {
        let reload = [(0, 0, 0.0, 0, -1), (0, 1, 1.0, 0, -1), (1, 1, 0.0, 0, -1), (1, 2, 1.0, 0, -1)];
        assert_eq!(numbers(&reload), [1, 1, 2, 2], "another file");
        let counter = [(0, 0, 0.0, 0, -1), (0, 1, 1.0, 0, -1), (0, 2, 0.0, 0, -1), (0, 1, 1.0, 0, -1)];
        assert_eq!(numbers(&counter), [1, 1, 2, 2], "a counter that starts again, from where it does");
        assert_eq!(numbers(&[(0, 0, 0.0, 0, -1), (0, 1, 1.0, 0, -1), (0, 0, 2.0, 0, -1)]), [1, 1, 1], "no border");
    }

    #[test]
    fn what_goes_on_is_one_sitting() {
        assert_eq!(numbers(&[(0, 0, 0.0, 0, -1), (1, 1, 0.0, 0, -1), (2, 2, 0.0, 0, -1)]), [1, 1, 1], "a file a level");
        assert_eq!(numbers(&[(0, 0, 0.0, 1, 4), (1, 0, 1.0, 1, 5)]), [1, 1], "the next move");
        assert_eq!(numbers(&[(0, 0, 0.0, 1, 4), (1, 0, 1.0, 2, 0)]), [1, 1], "the next attempt");
        assert_eq!(numbers(&[(0, 0, 0.0, 1, 4), (1, 0, 1.0, 1, 0)]), [1, 2], "the first move");
    }
}
