//! Columns that number rows or tell the time, where they start again within a level: somebody began anew there.

use plymap_statistics::stats::apa::counted;

use super::Finder;
use crate::import::{Certainty, words};
use crate::log::ColumnSpec;

impl Finder<'_> {
    /// Finds a counter that starts again within levels: one that numbers the moves of attempts, or one of all rows, which a
    /// page that is loaded again starts anew. Without it two attempts would be read as one.
    pub(super) fn find_counters(&mut self) {
        if self.found.columns.contains_key("attempt") || self.found.columns.contains_key("session") {
            return;
        }
        let counters: Vec<(usize, Counter)> =
            self.free().filter_map(|place| Some((place, self.counter(place)?))).collect();
        let of_attempts = counters.iter().find(|(_, counter)| counter.first.is_some());
        let Some((place, counter)) = of_attempts.or(counters.first()) else { return };
        let name = self.name(*place);
        self.used.insert(*place);
        let n = counted(counter.n_falls, "time");
        if let Some(first) = counter.first {
            let column = ColumnSpec::Column { column: name.to_owned(), unit: None, first: Some(first) };
            self.found.columns.insert("move_index".to_owned(), column);
            let reason = format!("it numbers the moves of attempts, and starts again {n} within a level");
            return self.found.say("move_index", Certainty::Likely, reason);
        }
        self.number_rows(name, &n);
    }

    /// Takes a column as one that tells rows apart, and sessions where it starts again.
    pub(super) fn number_rows(&mut self, name: &str, n: &str) {
        self.found.row_number = vec![name.to_owned()];
        let reason = format!("{name:?} starts again {n} within a level: a further session begins there");
        self.found.say("row_number", Certainty::Likely, reason);
    }

    /// How a column counts, if it starts again within levels.
    fn counter(&self, place: usize) -> Option<Counter> {
        if !words::may_count(self.name(place)) || !self.is_whole(place) {
            return None;
        }
        let runs = self.runs();
        let number = |row: usize| self.sample.rows[row].cells[place].as_deref()?.parse::<i64>().ok();
        let runs: Vec<Vec<i64>> =
            runs.iter().map(|run| run.iter().map(|&row| number(row)).collect()).collect::<Option<_>>()?;
        let steps = || runs.iter().flat_map(|run| run.windows(2)).map(|pair| (pair[0], pair[1]));
        let n_falls = steps().filter(|(one, other)| other <= one).count();
        if n_falls == 0 || 4 * n_falls > steps().count() {
            return None;
        }
        let first = *runs.first()?.first()?;
        let is_of_attempts = first <= 1
            && runs.iter().all(|run| run[0] == first)
            && steps().all(|(one, other)| other == one + 1 || other == first);
        Some(Counter { n_falls, first: is_of_attempts.then_some(first) })
    }
}

/// A counter of rows.
struct Counter {
    n_falls: usize,
    /// The number of the first move of each attempt, if it counts these.
    first: Option<i64>,
}
