//! Which column tells times: durations or a clock, and in which unit.

use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use regex::Regex;

use super::Finder;
use crate::import::Certainty;
use crate::import::words;
use crate::log::{Clock, ColumnSpec, PLAUSIBLE_MEDIAN, Unit, instant_seconds, is_instant};
use crate::nearest::plain;
use plymap_statistics::stats::describe::quantile;

impl Finder<'_> {
    /// Times that the preset names, if they are times of moves; else a column of durations, for it tells the time of first
    /// moves too; else a clock.
    pub(super) fn find_times(&mut self, usual: &BTreeMap<String, ColumnSpec>) {
        let mut clocks: Vec<(bool, usize, Readings)> = Vec::new();
        let (mut durations, mut perhaps): (Vec<(usize, Readings)>, Vec<_>) = (Vec::new(), Vec::new());
        let runs = self.runs();
        let place = |key: &str| usual.get(key).and_then(|column| self.place_of(column));
        let (usual_rt, usual_onset) = (place("rt"), place("onset"));
        let cell = |row: usize, place: usize| self.sample.rows[row].cells[place].as_deref();
        let is_told = |place: usize| {
            let n = runs.iter().flatten().filter(|&&row| cell(row, place).is_some()).count();
            10 * n >= 9 * self.n_play()
        };
        // What is the same in all rows of a trial is a time of the trial.
        let is_of_moves = |place: usize| {
            let long = || runs.iter().filter(|run| run.len() > 1);
            let n_same = long().filter(|run| run.iter().all(|&row| cell(row, place) == cell(run[0], place))).count();
            n_same == 0 || 2 * n_same < long().count()
        };
        if let Some(place) = usual_rt.filter(|&place| is_told(place) && is_of_moves(place)) {
            let reason = format!("{:?}, as the preset says", self.name(place));
            return self.found.say("rt", Certainty::Likely, reason);
        }
        for place in self.free().collect::<Vec<_>>() {
            let Some(readings) = self.readings(place, &runs) else { continue };
            let name = plain(self.name(place));
            let is_called = |words: &[&str]| {
                words.iter().any(|word| {
                    if word.len() < 3 {
                        name == *word || name == format!("{word}ms") || name == format!("{word}s")
                    } else {
                        name.contains(word)
                    }
                })
            };
            let can_be_duration =
                !readings.is_instant && is_of_moves(place) && readings.values.iter().all(|&value| value >= 0.0);
            if readings.is_clock() && (readings.is_instant || is_called(&words::CLOCK)) {
                clocks.push((is_called(&words::CLOCK), place, readings));
            } else if can_be_duration && is_called(&words::DURATION) {
                durations.push((place, readings));
            } else if can_be_duration && is_called(&words::CLOCK) {
                perhaps.push((place, readings));
            }
        }
        // What is called after a clock and runs as none may be durations.
        let is_sure = !durations.is_empty();
        let durations = if is_sure || !clocks.is_empty() { durations } else { perhaps };
        // The time of a move itself is known for the first one too, which a running clock does not tell.
        if let Some((place, readings)) = durations.into_iter().next() {
            let name = self.name(place);
            let (unit, certainty) = unit_of(name, &readings.values);
            self.used.insert(place);
            self.found.columns.insert("rt".to_owned(), ColumnSpec::with_unit(name, unit));
            let median = format!("{:.4}", quantile(&readings.values, 0.5).unwrap_or_default());
            let median = median.trim_end_matches('0').trim_end_matches('.');
            let (certainty, why) = match is_sure {
                true => (certainty, "it is called after durations"),
                false => (Certainty::Ask, "it does not grow as a clock does, and may be durations"),
            };
            return self.found.say("rt", certainty, format!("{why}, with a median of {median}, read in {unit}"));
        }
        clocks.sort_by_key(|(is_called, place, _)| (Some(*place) != usual_onset, !is_called, *place));
        let Some((_, place, readings)) = clocks.into_iter().next() else {
            return self.found.say("onset", Certainty::Ask, "no column of times was found: name one as onset or rt");
        };
        self.used.insert(place);
        let name = self.name(place);
        if Some(place) == usual_onset {
            self.found.say("onset", Certainty::Likely, format!("{name:?}, as the preset says"));
        } else {
            let (unit, certainty) = match readings.instant_unit() {
                Some(unit) => (unit, Certainty::Sure),
                None => unit_of(name, &readings.steps),
            };
            self.found.columns.insert("onset".to_owned(), ColumnSpec::with_unit(name, unit));
            self.found.say("onset", certainty, format!("its values grow from row to row of a trial, read in {unit}"));
        }
        if readings.instant_unit().is_none() {
            if readings.n_falls_within > 0 {
                self.found.clock = Some(Clock::Attempt);
                let reason = format!("{name:?} starts anew {} within trials", counted(readings.n_falls_within, "time"));
                self.found.say("clock", Certainty::Likely, reason);
            } else if 2 * readings.n_falls_between > readings.n_between && readings.n_between > 0 {
                self.found.clock = Some(Clock::Trial);
                let reason = format!(
                    "{name:?} falls at {} of {}",
                    readings.n_falls_between,
                    counted(readings.n_between, "new trial")
                );
                self.found.say("clock", Certainty::Likely, reason);
            }
        }
    }

    /// A column read as times; nothing where it is none.
    fn readings(&self, place: usize, runs: &[Vec<usize>]) -> Option<Readings> {
        let cells: Vec<&str> =
            self.column(place).filter(|(_, level, _)| level.is_some()).map(|(_, _, cell)| cell).collect();
        let instant = !cells.is_empty() && cells.iter().all(|cell| is_instant(cell));
        let number = |cell: &str| {
            let text = if self.found.decimal_comma { cell.replacen(',', ".", 1) } else { cell.to_owned() };
            text.parse::<f64>().ok().filter(|value| value.is_finite())
        };
        let value = |row: usize| {
            let cell = self.sample.rows[row].cells[place].as_deref()?;
            if instant { instant_seconds(cell) } else { number(cell) }
        };
        let n_numbers = cells.iter().filter(|cell| instant || number(cell).is_some()).count();
        if n_numbers == 0 || 10 * n_numbers < 9 * cells.len() {
            return None;
        }
        let mut readings = Readings { is_instant: instant, ..Readings::default() };
        let mut last: HashMap<(usize, Option<&str>), f64> = HashMap::new();
        for run in runs {
            let values: Vec<f64> = run.iter().filter_map(|&row| value(row)).collect();
            readings.values.extend(&values);
            let (Some(first), Some(end)) = (values.first(), values.last()) else { continue };
            if let Some(before) = last.insert(self.person(run[0]), *end) {
                readings.n_between += 1;
                readings.n_falls_between += usize::from(*first < before);
            }
            for pair in values.windows(2) {
                let step = pair[1] - pair[0];
                match step < 0.0 {
                    true => readings.n_falls_within += 1,
                    false => readings.steps.push(step),
                }
            }
        }
        Some(readings)
    }
}

/// What the values of a column do from row to row.
#[derive(Clone, Debug, Default)]
struct Readings {
    is_instant: bool,
    values: Vec<f64>,
    /// Differences within trials that are not below 0.
    steps: Vec<f64>,
    n_falls_within: usize,
    /// Pairs of trials of the same person, and how many of them the value falls between.
    n_between: usize,
    n_falls_between: usize,
}

impl Readings {
    /// Whether values grow as those of a clock do: by steps that are not all the same, and with few falls.
    fn is_clock(&self) -> bool {
        let n = self.steps.len();
        let grows = self.steps.iter().filter(|&&step| step > 0.0).count();
        let is_counter = self.steps.iter().all(|&step| step == 0.0 || step == 1.0);
        n > 0 && 5 * grows >= 3 * n && 20 * self.n_falls_within <= n && !is_counter
    }

    fn instant_unit(&self) -> Option<Unit> {
        let within = |low: f64, high: f64| self.values.iter().all(|value| (low..high).contains(value));
        match () {
            () if self.is_instant => Some(Unit::Iso8601),
            () if within(1e9, 2.5e9) => Some(Unit::EpochSeconds),
            () if within(1e12, 2.5e12) => Some(Unit::EpochMilliseconds),
            () => None,
        }
    }
}

/// A usual time between moves, in seconds.
const USUAL: f64 = 1.5;

/// One of these words, with no letter beside it.
fn word(words: &str) -> Regex {
    Regex::new(&format!("(^|[^a-z])({words})([^a-z]|$)")).expect("a test compiles it")
}

/// The unit of durations in a column, by its name and by what people can do.
fn unit_of(name: &str, durations: &[f64]) -> (Unit, Certainty) {
    static MILLISECONDS: LazyLock<Regex> = LazyLock::new(|| word("ms|msec|milliseconds?"));
    static SECONDS: LazyLock<Regex> = LazyLock::new(|| word("s|secs?|seconds?|sek"));
    let name = name.to_lowercase();
    let hint = match () {
        () if MILLISECONDS.is_match(&name) => Some(Unit::Milliseconds),
        () if SECONDS.is_match(&name) => Some(Unit::Seconds),
        () => None,
    };
    let median = quantile(durations, 0.5).unwrap_or_default();
    let factors = [(Unit::Seconds, 1.0), (Unit::Milliseconds, 1e-3), (Unit::Microseconds, 1e-6)];
    let fits: Vec<(Unit, f64)> = factors
        .into_iter()
        .map(|(unit, factor)| (unit, median * factor))
        .filter(|(_, seconds)| PLAUSIBLE_MEDIAN.contains(seconds))
        .collect();
    let far = |seconds: f64| (seconds / USUAL).ln().abs();
    match (hint, &fits[..]) {
        (Some(unit), _) if fits.iter().any(|(known, _)| *known == unit) => (unit, Certainty::Sure),
        (None, [(unit, _)]) => (*unit, Certainty::Likely),
        (_, []) => (hint.unwrap_or(Unit::Seconds), Certainty::Ask),
        (_, fits) => {
            let nearest = fits.iter().min_by(|one, other| far(one.1).total_cmp(&far(other.1)));
            (nearest.map_or(Unit::Seconds, |(unit, _)| *unit), Certainty::Ask)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_follow_from_names_and_from_what_people_can_do() {
        assert_eq!(unit_of("rt_ms", &[800.0, 1200.0]), (Unit::Milliseconds, Certainty::Sure));
        assert_eq!(unit_of("Zeit (s)", &[0.8, 1.2]), (Unit::Seconds, Certainty::Sure));
        assert_eq!(unit_of("RT", &[800.0, 1200.0]), (Unit::Milliseconds, Certainty::Likely));
        assert_eq!(unit_of("RT", &[2.0]), (Unit::Seconds, Certainty::Likely));
        assert_eq!(unit_of("RT", &[60.0]), (Unit::Milliseconds, Certainty::Ask), "60 ms or a minute");
        assert_eq!(unit_of("RT", &[0.0]), (Unit::Seconds, Certainty::Ask));
    }
}
