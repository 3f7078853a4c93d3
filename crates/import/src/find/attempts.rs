//! Search for what tells the plays of one level by one person apart: a number of the attempt or session, or a counter
//! that starts again.

use super::actions::Actions;
use super::element_numbers::{LIST, NUMBER, forget_numbers};
use super::finder::Finder;
use crate::proposal::Certainty;
use crate::words;
use plymap_log::{ColumnSpec, SampleRow};
use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, BTreeSet, HashMap};

impl Finder<'_> {
    /// `true` if a column counts runs of the same person at the same level. One that has the same everywhere may count
    /// something else, and tells nothing; one that has another number in each row counts rows.
    pub(super) fn numbers_attempts(&self, place: usize) -> bool {
        let mut is_twice = false;
        self.distinct(place).len() > 1
            && self.runs().iter().all(|run| {
                let numbers: Vec<Option<i64>> =
                    run.iter().map(|&row| self.sample.rows[row].cell(place)?.parse().ok()).collect();
                is_twice |= numbers.windows(2).any(|pair| pair[0] == pair[1]);
                numbers.iter().all(Option::is_some) && numbers.windows(2).all(|pair| pair[0] <= pair[1])
            })
            && is_twice
    }

    /// Finds a column that tells the times that a level was played by the same person, where it was several times: of
    /// sessions if it is called so, else of attempts.
    pub(super) fn find_repetitions(&mut self) {
        if ["session", "attempt"].iter().any(|key| self.found.spec.columns.contains_key(*key) || self.has_column(key)) {
            return;
        }
        let find = |finder: &Self, is_called_so: fn(&str) -> bool| {
            finder.free().find(|&place| is_called_so(finder.name(place)) && finder.tells_plays(place))
        };
        let session = find(self, words::session_number);
        let entry = match session {
            Some(place) => Some(("session", place)),
            None => {
                let attempt = find(self, words::repetition).filter(|&place| self.is_whole(place));
                attempt.map(|place| ("attempt", place))
            }
        };
        if let Some((key, place)) = entry {
            self.used.insert(place);
            let reason = "it tells the times apart that somebody played the same level";
            self.found.name(key, self.name(place), Certainty::Likely, reason);
        }
    }

    /// Returns true if each play has a value of its own in a column, and some level was played again.
    fn tells_plays(&self, place: usize) -> bool {
        let runs = self.runs();
        let cell = |row: usize| self.sample.rows[row].cell(place);
        let mut plays: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
        // A number of its own in each row is none of a play.
        let steps = || runs.iter().flat_map(|run| run.windows(2));
        if 2 * steps().filter(|pair| cell(pair[0]) == cell(pair[1])).count() < steps().count() {
            return false;
        }
        let mut n_plays = 0;
        for run in &runs {
            let segments = run.chunk_by(|&left, &right| cell(left) == cell(right));
            for segment in segments {
                let Some(cell) = cell(segment[0]) else { return false };
                n_plays += 1;
                plays.entry((self.person(segment[0]), self.level[segment[0]])).or_default().insert(cell);
            }
        }
        n_plays == plays.values().map(BTreeSet::len).sum::<usize>() && plays.values().any(|values| values.len() > 1)
    }

    /// Takes the number of an element as that of the move, where each cell, or each list in it, is an attempt of its
    /// own.
    pub(super) fn numbers_elements(&mut self, actions: &Actions) -> bool {
        if actions.needs_number || !self.has_column(NUMBER) {
            return false;
        }
        let is_told = self.found.spec.columns.contains_key("attempt");
        let first_list = if is_told { None } else { self.first_of_lists() };
        let reason = match first_list {
            Some(_) => "each list is an attempt of its own",
            None if !is_told && self.has_repeated_cells() => {
                "somebody played a level in several rows, each of which is an attempt"
            }
            None => {
                forget_numbers(&mut self.found.spec.steps);
                return false;
            }
        };
        let first = self.numbers(NUMBER).into_iter().flatten().min().filter(|&first| first > 0);
        let column = ColumnSpec::Column { column: NUMBER.to_owned(), unit: None, first: first.map(i64::from) };
        self.found.spec.columns.insert("move_index".to_owned(), column);
        self.found.say("move_index", Certainty::Likely, reason);
        if let Some(first) = first_list {
            let template = format!("{{{LIST} + {}}}", 1 - first);
            self.found.spec.columns.insert("attempt".to_owned(), ColumnSpec::Template { template });
        }
        true
    }

    /// The numbers of a column, one for each row.
    fn numbers(&self, name: &str) -> Vec<Option<u32>> {
        let place = self.sample.place(name);
        let number = |row: &SampleRow| row.cell(place?)?.parse().ok();
        self.sample.rows.iter().map(number).collect()
    }

    /// The number of the first list, where each can be an attempt: those of a person at a level are numbered through,
    /// and some have several.
    fn first_of_lists(&self) -> Option<i64> {
        let numbers: Vec<Option<(u32, u32)>> =
            self.numbers(LIST).into_iter().zip(self.numbers(NUMBER)).map(|(list, element)| list.zip(element)).collect();
        let mut last: HashMap<_, (u32, u32)> = HashMap::new();
        let mut has_several = false;
        for (row, numbers) in numbers.iter().enumerate() {
            let (Some(numbers), Some(level)) = (numbers, self.level[row]) else { continue };
            if let Some(before) = last.insert((self.person(row), level), *numbers) {
                if before >= *numbers {
                    return None;
                }
                has_several |= before.0 != numbers.0;
            }
        }
        let least = numbers.iter().flatten().map(|(list, _)| i64::from(*list)).min();
        least.filter(|_| has_several)
    }

    /// `true` if the numbers of elements begin anew at a level, so that they come from several cells.
    fn has_repeated_cells(&self) -> bool {
        let mut last: HashMap<_, u32> = HashMap::new();
        let mut rows = self.numbers(NUMBER).into_iter().enumerate();
        rows.any(|(row, number)| {
            let place = self.level[row].map(|level| (self.person(row), level));
            place
                .zip(number)
                .is_some_and(|(place, number)| last.insert(place, number).is_some_and(|last| last >= number))
        })
    }

    /// Finds a counter that starts again within levels: one that numbers the moves of attempts, or one of all rows,
    /// which a page that is loaded again starts anew. Without it two attempts would be read as one.
    pub(super) fn find_counters(&mut self) {
        if self.found.spec.columns.contains_key("attempt") || self.found.spec.columns.contains_key("session") {
            return;
        }
        let counters: Vec<(usize, Counter)> =
            self.free().filter_map(|place| Some((place, self.counter(place)?))).collect();
        let of_attempts = counters.iter().find(|(_, counter)| counter.first.is_some());
        let Some((place, counter)) = of_attempts.or(counters.first()) else { return };
        let name = self.name(*place);
        // A clock that starts again tells times, too.
        if counter.first.is_some() || !words::tells_times(name) {
            self.used.insert(*place);
        }
        let n = counted(counter.n_falls, "time");
        if let Some(first) = counter.first {
            let column = ColumnSpec::Column { column: name.to_owned(), unit: None, first: Some(first) };
            self.found.spec.columns.insert("move_index".to_owned(), column);
            let reason = format!("it numbers the moves of attempts, and starts again {n} within a level");
            return self.found.say("move_index", Certainty::Likely, reason);
        }
        self.number_rows(name, &n);
    }

    /// Takes a column as one that tells rows apart, and sessions where it starts again.
    pub(super) fn number_rows(&mut self, name: &str, n: &str) {
        // A preset knows what tells the rows of its program apart.
        if !self.known.row_number.is_empty() || !self.known.usual_row_number.is_empty() {
            return;
        }
        self.found.spec.row_number = vec![name.to_owned()];
        let reason = format!("{name:?} starts again {n} within a level: a further session begins there");
        self.found.say("row_number", Certainty::Likely, reason);
    }

    /// Counting of a column, if it starts again within levels.
    fn counter(&self, place: usize) -> Option<Counter> {
        if !words::may_count(self.name(place)) || !self.is_whole(place) {
            return None;
        }
        let runs = self.runs();
        let number = |row: usize| self.sample.rows[row].cell(place)?.parse::<i64>().ok();
        let runs: Vec<Vec<i64>> =
            runs.iter().map(|run| run.iter().map(|&row| number(row)).collect()).collect::<Option<_>>()?;
        let steps = || runs.iter().flat_map(|run| run.windows(2)).map(|pair| (pair[0], pair[1]));
        let n_falls = steps().filter(|(left, right)| right <= left).count();
        if n_falls == 0 || 4 * n_falls > steps().count() {
            return None;
        }
        let first = *runs.first()?.first()?;
        let is_of_attempts = first <= 1
            && runs.iter().all(|run| run[0] == first)
            && steps().all(|(left, right)| right == left + 1 || right == first);
        // What counts rows, or is a clock, has not started again where it stands still.
        let n_falls = if is_of_attempts { n_falls } else { steps().filter(|(left, right)| right < left).count() };
        (n_falls > 0).then_some(Counter { n_falls, first: is_of_attempts.then_some(first) })
    }
}

/// A counter of rows.
struct Counter {
    n_falls: usize,
    /// The number of the first move of each attempt, if it counts these.
    first: Option<i64>,
}
