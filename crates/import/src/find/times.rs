//! Search for the column of times: durations or a clock, and the unit.

use super::finder::Finder;
use super::numbers::{self, Written, written};
use crate::proposal::Certainty;
use crate::quoted::quoted;
use crate::words;
use plymap_log::{Clock, ColumnSpec, PLAUSIBLE_MEDIAN, PipelineStep, Unit, instant_seconds, is_instant};
use plymap_statistics::stats::apa::counted;
use plymap_statistics::stats::describe::quantile;
use plymap_tables::did_you_mean::plain;
use regex::Regex;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

/// A column that may be one of times.
struct TimeColumn {
    place: usize,
    readings: Readings,
    is_called_duration: bool,
    is_called_clock: bool,
    /// A value that is the same in all rows of a trial is a time of the trial.
    is_of_moves: bool,
}

impl TimeColumn {
    fn can_be_duration(&self) -> bool {
        !self.readings.is_instant && self.is_of_moves && self.readings.values.iter().all(|&value| value >= 0.0)
    }

    fn can_be_clock(&self) -> bool {
        self.readings.is_clock() && (self.readings.is_instant || self.is_called_clock)
    }
}

/// `true` if a name has one of these words in it; short ones must be all of it but the unit.
fn has_word(name: &str, words: &[&str]) -> bool {
    // Some programs write before a point whose time it is: `player.rt`, `key_resp.rt`.
    let last = plain(name.rsplit('.').next().unwrap_or(name));
    let name = plain(name);
    words.iter().any(|word| match word.len() {
        0..3 => ["", "ms", "s"].iter().any(|unit| [&name, &last].contains(&&format!("{word}{unit}"))),
        _ => name.contains(word),
    })
}

/// `true` if a column is called after an average, which is no time of its row.
fn is_average(name: &str) -> bool {
    let mut parts = name.split(|letter: char| !letter.is_alphanumeric());
    parts.any(|part| words::AVERAGE.contains(&part.to_lowercase().as_str()))
}

impl Finder<'_> {
    /// Times that the preset names, if they are times of moves; else a column of durations, for it tells the time of
    /// first moves too; else a clock.
    pub(super) fn find_times(&mut self) {
        let runs = self.runs();
        let (usual_rt, usual_onset) = (self.usual("rt"), self.usual("onset"));
        let n_told =
            |place: usize| runs.iter().flatten().filter(|&&row| self.sample.rows[row].cell(place).is_some()).count();
        if let Some(place) =
            usual_rt.filter(|&place| 2 * n_told(place) >= self.n_play() && self.is_of_moves(place, &runs))
        {
            let reason = format!("{:?}, as the preset says", self.name(place));
            return self.found.say("rt", Certainty::Likely, reason);
        }
        let mut columns: Vec<TimeColumn> =
            self.free().collect::<Vec<_>>().into_iter().filter_map(|place| self.time_column(place, &runs)).collect();
        let has_clock = columns.iter().any(TimeColumn::can_be_clock);
        let duration = columns
            .iter()
            .position(|column| is_duration(column) && column.is_called_duration)
            // What is called after a clock and runs as none may be durations.
            .or_else(|| columns.iter().position(|column| !has_clock && is_duration(column) && column.is_called_clock));
        if let Some(duration) = duration {
            let column = columns.swap_remove(duration);
            self.name_duration(&column);
            return self.name_canonical("onset", &columns);
        }
        columns.sort_by_key(|column| (Some(column.place) != usual_onset, !column.is_called_clock, column.place));
        if let Some(clock) = columns.iter().find(|column| column.can_be_clock()) {
            self.name_clock(clock, usual_onset);
        }
        self.name_canonical("rt", &columns);
        self.name_canonical("onset", &columns);
        if !self.found.notes.iter().any(|note| ["rt", "onset"].contains(&note.entry.as_str())) {
            self.found.say("onset", Certainty::Ask, "no column of times was found: name one as onset or rt");
        }
    }

    fn is_of_moves(&self, place: usize, runs: &[Vec<usize>]) -> bool {
        let cell = |row: usize| self.sample.rows[row].cell(place);
        let long = || runs.iter().filter(|run| run.len() > 1);
        let n_same = long().filter(|run| run.iter().all(|&row| cell(row) == cell(run[0]))).count();
        n_same == 0 || 2 * n_same < long().count()
    }

    fn time_column(&self, place: usize, runs: &[Vec<usize>]) -> Option<TimeColumn> {
        let name = self.name(place);
        if is_average(name) {
            return None;
        }
        let (is_called_duration, is_called_clock) = (has_word(name, &words::DURATION), has_word(name, &words::CLOCK));
        let readings = self.readings(place, runs)?;
        let is_of_moves = self.is_of_moves(place, runs);
        Some(TimeColumn { place, readings, is_called_duration, is_called_clock, is_of_moves })
    }

    fn name_duration(&mut self, column: &TimeColumn) {
        let TimeColumn { place, readings, is_called_duration, .. } = column;
        let (unit, certainty) = self.unit_of(column, &readings.values);
        let median = format!("{:.4}", quantile(&readings.values, 0.5).unwrap_or_default());
        let median = median.trim_end_matches('0').trim_end_matches('.');
        let (certainty, why) = match (is_called_duration, certainty) {
            (true, _) => (certainty, "it is called after durations"),
            (false, Certainty::Sure) => (Certainty::Likely, "it does not grow as a clock does"),
            (false, _) => (Certainty::Ask, "it does not grow as a clock does, and may be durations"),
        };
        self.use_times("rt", *place, readings, unit);
        let doubt = if readings.are_zero() { ALL_ZERO } else { "" };
        self.found.say("rt", certainty, format!("{why}, with a median of {median}, read in {unit}{doubt}"));
    }

    fn name_clock(&mut self, column: &TimeColumn, usual_onset: Option<usize>) {
        let TimeColumn { place, readings, .. } = column;
        let name = self.name(*place);
        if Some(*place) == usual_onset {
            self.used.insert(*place);
            self.found.say("onset", Certainty::Likely, format!("{name:?}, as the preset says"));
        } else {
            let (unit, certainty) = match readings.instant_unit() {
                Some(unit) => (unit, Certainty::Sure),
                None => self.unit_of(column, &readings.steps),
            };
            self.use_times("onset", *place, readings, unit);
            self.found.say("onset", certainty, format!("its values grow from row to row of a trial, read in {unit}"));
        }
        if readings.instant_unit().is_some() {
            return;
        }
        let has_counter = self.found.spec.columns.contains_key("move_index") || !self.found.spec.row_number.is_empty();
        let numbers_attempts = has_counter || self.found.spec.columns.contains_key("attempt");
        let n_falls = counted(readings.n_falls_within, "time");
        if readings.n_falls_within > 0 && numbers_attempts {
            self.found.spec.clock = Some(Clock::Attempt);
            self.found.say("clock", Certainty::Likely, format!("{name:?} starts anew {n_falls} within trials"));
        } else if readings.n_falls_within > 0 {
            // Nothing else tells that somebody began anew there.
            self.number_rows(name, &n_falls);
        }
        if self.found.spec.clock.is_some() {
        } else if 2 * readings.n_falls_between > readings.n_between && readings.n_between > 0 {
            self.found.spec.clock = Some(Clock::Trial);
            let (n, new_trials) = (readings.n_falls_between, counted(readings.n_between, "new trial"));
            self.found.say("clock", Certainty::Likely, format!("{name:?} falls at {n} of {new_trials}"));
        }
    }

    /// A column that is called `rt_s` or `onset_s` is read whether or not it is proposed, so it must be said.
    fn name_canonical(&mut self, key: &str, columns: &[TimeColumn]) {
        let is_it = |column: &&TimeColumn| self.name(column.place) == format!("{key}_s");
        let is_free = |column: &&TimeColumn| !self.used.contains(&column.place);
        let Some(column) = columns.iter().filter(is_free).find(is_it) else { return };
        let values = if key == "rt" { &column.readings.values } else { &column.readings.steps };
        let (unit, certainty) = self.unit_of(column, values);
        self.use_times(key, column.place, &column.readings, unit);
        let median = quantile(values, 0.5).unwrap_or_default();
        let doubt = match certainty {
            Certainty::Ask if column.readings.are_zero() => ALL_ZERO.to_owned(),
            Certainty::Ask => format!("; its median is {median}: is that the unit?"),
            _ => String::new(),
        };
        self.found.say(key, certainty, format!("it is called so, and read in {unit}{doubt}"));
    }

    /// Takes a column as times, and its numbers as they are written.
    fn use_times(&mut self, key: &str, place: usize, readings: &Readings, unit: Unit) {
        let name = self.name(place);
        self.used.insert(place);
        // Some columns say by their names what they are.
        if name != format!("{key}_s") || unit != Unit::Seconds {
            self.found.spec.columns.insert(key.to_owned(), ColumnSpec::with_unit(name, unit));
        }
        let Some(Written { style, unit, certainty }) = readings.written else { return };
        if style.decimal_comma {
            self.found.spec.decimal_comma = true;
            self.found.say("decimal_comma", certainty, format!("as the numbers of {name:?} are written"));
        }
        if let Some(mark) = style.thousands {
            self.found.spec.thousands = Some(mark);
            let reason =
                format!("in {name:?} three digits stand behind each {mark:?}, and numbers below 1000 have none");
            self.found.say("thousands", certainty, reason);
        }
        if unit.is_some() {
            let number = format!("extract({}, '{}')", quoted(name), numbers::WITH_UNIT.replace('\'', "''"));
            self.found.spec.steps.push(PipelineStep::Set(BTreeMap::from([(name.to_owned(), number)])));
            self.found.say("set", Certainty::Likely, format!("the unit stands behind each number of {name:?}"));
        }
    }

    /// The unit of a column, as it stands in its cells or as its name and its values tell.
    fn unit_of(&self, column: &TimeColumn, durations: &[f64]) -> (Unit, Certainty) {
        let name = self.name(column.place);
        match column.readings.written.and_then(|written| written.unit) {
            Some(unit) => (unit, Certainty::Sure),
            None => unit_of(name, durations),
        }
    }

    /// A column read as times; nothing where it is none.
    fn readings(&self, place: usize, runs: &[Vec<usize>]) -> Option<Readings> {
        let cells: Vec<&str> =
            self.column(place).filter(|(_, level, _)| level.is_some()).map(|(_, _, cell)| cell).collect();
        let instant = !cells.is_empty() && cells.iter().all(|cell| is_instant(cell));
        let written = if instant { None } else { written(&cells, is_of_milliseconds(self.name(place))) };
        let number = |cell: &str| written?.number(cell);
        let value = |row: usize| {
            let cell = self.sample.rows[row].cell(place)?;
            if instant { instant_seconds(cell) } else { number(cell) }
        };
        if !instant && written.is_none() {
            return None;
        }
        let mut readings = Readings { is_instant: instant, written, ..Readings::default() };
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

fn is_duration(column: &TimeColumn) -> bool {
    column.can_be_duration() && !column.can_be_clock()
}

/// Course of the values of a column from row to row.
#[derive(Clone, Debug, Default)]
struct Readings {
    is_instant: bool,
    /// Style of its numbers; nothing where they are instants.
    written: Option<Written>,
    values: Vec<f64>,
    /// Differences within trials that are not below 0.
    steps: Vec<f64>,
    n_falls_within: usize,
    /// Pairs of trials of the same person, and how many of them the value falls between.
    n_between: usize,
    n_falls_between: usize,
}

impl Readings {
    /// `true` if values grow as those of a clock do: by steps that are not all the same, and with few falls.
    fn is_clock(&self) -> bool {
        let n = self.steps.len();
        let grows = self.steps.iter().filter(|&&step| step > 0.0).count();
        let is_counter = self.steps.iter().all(|&step| step == 0.0 || step == 1.0);
        // Whole seconds often do not grow, and never fall.
        let never_falls = self.n_falls_within == 0 && n >= 10 && 10 * grows >= 3 * n;
        n > 0 && (5 * grows >= 3 * n || never_falls) && 5 * self.n_falls_within <= n && !is_counter
    }

    fn are_zero(&self) -> bool {
        self.values.iter().all(|&value| value == 0.0)
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

/// What is odd about a column without a time.
const ALL_ZERO: &str = "; all of its values are 0: were times recorded at all?";

/// A usual time between moves, in seconds.
const USUAL: f64 = 1.5;

/// One of these words, with no letter beside it.
fn word(words: &str) -> Regex {
    Regex::new(&format!("(^|[^a-z])({words})([^a-z]|$)")).expect("a test compiles it")
}

/// `true` if a name says that a column has milliseconds.
fn is_of_milliseconds(name: &str) -> bool {
    static MILLISECONDS: LazyLock<Regex> = LazyLock::new(|| word("ms|msec|millis|milliseconds?"));
    MILLISECONDS.is_match(&name.to_lowercase())
}

/// The unit of durations in a column, by its name and by what people can do.
fn unit_of(name: &str, durations: &[f64]) -> (Unit, Certainty) {
    static SECONDS: LazyLock<Regex> = LazyLock::new(|| word("s|secs?|seconds?|sek"));
    let name = name.to_lowercase();
    let hint = match () {
        () if is_of_milliseconds(&name) => Some(Unit::Milliseconds),
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
    match (hint, &fits[..]) {
        (Some(unit), _) if fits.iter().any(|(known, _)| *known == unit) => (unit, Certainty::Sure),
        (None, [(unit, _)]) => (*unit, Certainty::Likely),
        (_, []) => (hint.unwrap_or(Unit::Seconds), Certainty::Ask),
        (_, fits) => {
            let nearest =
                fits.iter().min_by(|left, right| distance_to_usual(left.1).total_cmp(&distance_to_usual(right.1)));
            (nearest.map_or(Unit::Seconds, |(unit, _)| *unit), Certainty::Ask)
        }
    }
}

fn distance_to_usual(seconds: f64) -> f64 {
    (seconds / USUAL).ln().abs()
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
