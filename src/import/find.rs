//! Which column is which, by its name and by what stands in it.

use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use regex::Regex;

use super::{Certainty, Remark, words};
use crate::log::{Clock, ColumnSpec, Event, Fill, Replace, Sample, SampleRow, Transform};
use crate::nearest::plain;
use plymap_puzzles::rules::Rules;

pub(super) use actions::Actions;

mod actions;
mod times;

/// The levels by name.
pub(super) type Levels<'a> = [(&'a str, &'a dyn Rules)];

/// What was found: entries of `[log]` and `[columns]`, and why.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub steps: Vec<Transform>,
    pub columns: BTreeMap<String, ColumnSpec>,
    pub events: BTreeMap<String, String>,
    pub clock: Option<Clock>,
    pub decimal_comma: bool,
    pub path: Option<String>,
    pub remarks: Vec<Remark>,
    /// Whether a column tells events.
    has_events: bool,
}

impl Found {
    fn say(&mut self, entry: &str, certainty: Certainty, reason: impl Into<String>) {
        self.remarks.push(Remark { entry: entry.to_owned(), certainty, reason: reason.into() });
    }

    fn name(&mut self, key: &str, column: &str, certainty: Certainty, reason: impl Into<String>) {
        // A column that has the canonical name needs no entry.
        if key != column {
            self.columns.insert(key.to_owned(), ColumnSpec::column(column));
        }
        self.say(key, certainty, reason);
    }
}

/// A sample with the level of each row.
pub(super) struct Finder<'a> {
    sample: &'a Sample,
    levels: &'a Levels<'a>,
    /// Of each row.
    level: Vec<Option<usize>>,
    used: BTreeSet<usize>,
    /// The column of participants.
    people: Option<usize>,
    found: Found,
}

impl<'a> Finder<'a> {
    /// Finds the column of levels; nothing without it.
    pub fn new(sample: &'a Sample, levels: &'a Levels<'a>) -> Option<Self> {
        let level = vec![None; sample.rows.len()];
        let mut finder = Self { sample, levels, level, used: BTreeSet::new(), people: None, found: Found::default() };
        finder.find_levels().then_some(finder)
    }

    /// Everything but the moves.
    pub fn find(mut self, usual: &BTreeMap<String, ColumnSpec>) -> (Found, Vec<Actions>) {
        static COMMA: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^-?\d+,\d+$").expect("a test compiles it"));
        let cells = || self.sample.rows.iter().flat_map(|row| row.cells.iter().flatten());
        let has_point = || cells().any(|cell| cell.parse::<f64>().is_ok() && cell.contains('.'));
        if cells().any(|cell| COMMA.is_match(cell)) && !has_point() {
            self.found.decimal_comma = true;
            self.found.say("decimal_comma", Certainty::Sure, "numbers have a comma, and none has a point");
        }
        self.find_participants(usual);
        let actions = self.actions();
        self.find_events();
        self.find_by_name("condition", &words::CONDITION, usual, |_, _| true);
        self.find_by_name("session", &words::SESSION, usual, |finder, column| {
            2 * finder.distinct(column).len() <= finder.n_play()
        });
        self.find_by_name("attempt", &words::ATTEMPT, usual, Self::numbers_attempts);
        self.find_times(usual);
        (self.found, actions)
    }

    fn column(&self, place: usize) -> impl Iterator<Item = (&'a SampleRow, Option<usize>, &'a str)> {
        let rows = self.sample.rows.iter().zip(self.level.clone());
        rows.filter_map(move |(row, level)| Some((row, level, row.cells[place].as_deref()?)))
    }

    fn name(&self, place: usize) -> &'a str {
        &self.sample.columns[place]
    }

    fn free(&self) -> impl Iterator<Item = usize> {
        (0..self.sample.columns.len()).filter(|place| !self.used.contains(place))
    }

    /// Rows whose level is known.
    fn n_play(&self) -> usize {
        self.level.iter().flatten().count()
    }

    /// What stands in a column in rows whose level is known.
    fn distinct(&self, place: usize) -> BTreeSet<&'a str> {
        self.column(place).filter(|(_, level, _)| level.is_some()).map(|(_, _, cell)| cell).collect()
    }

    fn find_levels(&mut self) -> bool {
        let exact: HashMap<&str, usize> =
            self.levels.iter().enumerate().map(|(number, (id, _))| (*id, number)).collect();
        let mut alike: HashMap<String, usize> = HashMap::new();
        for (number, (id, _)) in self.levels.iter().enumerate() {
            alike.insert(plain(id), number);
        }
        // Files of levels are often logged with their ending, or with the folder that they lie in.
        let stem = |text: &str| {
            let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
            plain(name.rsplit_once('.').map_or(name, |(stem, _)| stem))
        };
        let known = |cell: &str| {
            exact.get(cell).or_else(|| alike.get(&plain(cell))).or_else(|| alike.get(&stem(cell))).copied()
        };
        let mut best: Option<((usize, bool, usize), usize)> = None;
        for place in 0..self.sample.columns.len() {
            let n_all = self.column(place).count();
            let met: Vec<usize> = self.column(place).filter_map(|(_, _, cell)| known(cell)).collect();
            if met.is_empty() || 2 * met.len() < n_all {
                continue;
            }
            let n_levels = met.iter().collect::<BTreeSet<_>>().len();
            let score = (n_levels, words::LEVEL.contains(&plain(self.name(place)).as_str()), met.len());
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, place));
            }
        }
        let Some((_, place)) = best else {
            let [(id, _)] = self.levels else { return false };
            self.level.fill(Some(0));
            self.found.columns.insert("level".to_owned(), ColumnSpec::Value { value: (*id).to_owned() });
            self.found.say("level", Certainty::Likely, "no column names the level, and there is only one");
            return true;
        };
        self.level = self.sample.rows.iter().map(|row| known(row.cells[place].as_deref()?)).collect();
        self.used.insert(place);
        let column = self.name(place);
        let (mut others, mut values, mut unknown) = (0, toml::Table::new(), BTreeSet::new());
        for row in &self.sample.rows {
            match row.cells[place].as_deref() {
                None => others += 1,
                Some(cell) if exact.contains_key(cell) => {}
                Some(cell) => match known(cell) {
                    Some(number) => drop(values.insert(cell.to_owned(), self.levels[number].0.into())),
                    None => drop(unknown.insert(cell)),
                },
            }
        }
        if others > 0 {
            self.found.steps.push(Transform::Where(format!("{} is not missing", quoted(column))));
            let reason =
                format!("{others} of {} without a level, as instructions are", counted(self.sample.rows.len(), "row"));
            self.found.say("where", Certainty::Likely, reason);
        }
        if !values.is_empty() {
            self.found.say(
                "replace",
                Certainty::Likely,
                format!("the log writes {} otherwise", counted(values.len(), "level")),
            );
            let replace = Replace { column: column.to_owned(), values, by: None };
            self.found.steps.push(Transform::Replace(replace));
        }
        let n_levels = self.level.iter().flatten().collect::<BTreeSet<_>>().len();
        let reason = format!("it names {n_levels} of {}", counted(self.levels.len(), "level"));
        match unknown.is_empty() {
            true => self.found.name("level", column, Certainty::Sure, reason),
            false => {
                let some: Vec<&str> = unknown.iter().take(3).copied().collect();
                let reason =
                    format!("{reason}; there is no level for {}, such as {some:?}", counted(unknown.len(), "value"));
                self.found.name("level", column, Certainty::Ask, reason);
            }
        }
        true
    }

    fn find_participants(&mut self, usual: &BTreeMap<String, ColumnSpec>) {
        let n_files = self.sample.files.len();
        if let Some(place) = usual.get("participant").and_then(|column| self.place_of(column)) {
            self.used.insert(place);
            self.people = Some(place);
            return self.found.say(
                "participant",
                Certainty::Sure,
                format!("{:?}, as the preset says", self.name(place)),
            );
        }
        if let Some(place) = called_after_people(self.sample).filter(|place| !self.used.contains(place)) {
            self.used.insert(place);
            self.people = Some(place);
            let n = self.column(place).map(|(_, _, cell)| cell).collect::<BTreeSet<_>>().len();
            let certainty = if n > 1 || n_files > 1 { Certainty::Sure } else { Certainty::Likely };
            return self.found.name(
                "participant",
                self.name(place),
                certainty,
                format!("it names {}", counted(n, "person")),
            );
        }
        if n_files > 1 {
            let (pattern, reason) = self.path_of_participants();
            self.found.path = Some(pattern);
            return self.found.say("path", Certainty::Ask, reason);
        }
        self.found.columns.insert("participant".to_owned(), ColumnSpec::Value { value: "1".to_owned() });
        let reason =
            "no column is called after people, and there is one file: name the column, if several people played";
        self.found.say("participant", Certainty::Ask, reason);
    }

    /// What the names of files have in common is no name of a person.
    fn path_of_participants(&self) -> (String, String) {
        let names: Vec<String> = self
            .sample
            .files
            .iter()
            .map(|file| file.path.file_name().unwrap_or_default().to_string_lossy().into_owned())
            .collect();
        let first = &names[0];
        let common = |ends: &dyn Fn(&str, &str) -> bool, parts: Vec<&str>| -> String {
            parts
                .into_iter()
                .filter(|part| names.iter().all(|name| ends(name, part)))
                .max_by_key(|part| part.len())
                .unwrap_or("")
                .to_owned()
        };
        let marks = |(at, letter): (usize, char)| (!letter.is_alphanumeric()).then_some((at, letter.len_utf8()));
        let places: Vec<(usize, usize)> = first.char_indices().filter_map(marks).collect();
        let before =
            common(&|name, part| name.starts_with(part), places.iter().map(|(at, n)| &first[..at + n]).collect());
        let behind = common(&|name, part| name.ends_with(part), places.iter().map(|(at, _)| &first[*at..]).collect());
        let reason = format!("no column is called after people: each of the {} files is taken for one", names.len());
        (format!("{before}{{participant}}{behind}"), reason)
    }

    fn place_of(&self, column: &ColumnSpec) -> Option<usize> {
        place_of(self.sample, column)
    }

    fn find_by_name(
        &mut self,
        key: &str,
        words: &[&str],
        usual: &BTreeMap<String, ColumnSpec>,
        fits: impl Fn(&Self, usize) -> bool,
    ) {
        if usual.get(key).is_some_and(|column| self.place_of(column).is_some()) {
            return;
        }
        let is_it = |place: usize| words.contains(&plain(self.name(place)).as_str());
        let place = self.free().find(|&place| is_it(place) && !self.distinct(place).is_empty() && fits(self, place));
        if let Some(place) = place {
            self.used.insert(place);
            let name = self.name(place);
            if name != key {
                let n = self.distinct(place).len();
                self.found.name(key, name, Certainty::Likely, format!("by its name; it has {}", counted(n, "value")));
            }
        }
    }

    /// Whether a column counts runs of the same person at the same level. One that has the same everywhere may count
    /// something else, and tells nothing.
    fn numbers_attempts(&self, place: usize) -> bool {
        self.distinct(place).len() > 1
            && self.runs().iter().all(|run| {
                let numbers: Vec<Option<i64>> =
                    run.iter().map(|&row| self.sample.rows[row].cells[place].as_ref()?.parse().ok()).collect();
                numbers.iter().all(Option::is_some) && numbers.windows(2).all(|pair| pair[0] <= pair[1])
            })
    }

    /// Who played in a row, as far as it is known.
    fn person(&self, row: usize) -> (usize, Option<&'a str>) {
        let row = &self.sample.rows[row];
        (row.file, self.people.and_then(|place| row.cells[place].as_deref()))
    }

    /// Rows of the same person at the same level, one behind the other; rows of other people may stand between them.
    fn runs(&self) -> Vec<Vec<usize>> {
        let mut runs: Vec<Vec<usize>> = Vec::new();
        let mut open: HashMap<(usize, Option<&str>), usize> = HashMap::new();
        for (row, level) in self.level.iter().enumerate() {
            let Some(level) = level else { continue };
            match open.get(&self.person(row)) {
                Some(&run) if self.level[runs[run][0]] == Some(*level) => runs[run].push(row),
                _ => {
                    open.insert(self.person(row), runs.len());
                    runs.push(vec![row]);
                }
            }
        }
        runs
    }

    fn find_events(&mut self) {
        let mut best: Option<(usize, usize)> = None;
        for place in self.free() {
            let values = self.distinct(place);
            // In a column of events some rows say that they are moves, or say nothing.
            let n_told = self.column(place).filter(|(_, level, _)| level.is_some()).count();
            let has_moves = n_told < self.n_play() || values.iter().any(|value| words::event(value) == Some("move"));
            if values.is_empty() || values.len() > 20 || !has_moves {
                continue;
            }
            let n =
                self.column(place).filter(|(_, level, cell)| level.is_some() && words::event(cell).is_some()).count();
            let is_named = ["event", "eventtype", "type", "ereignis"].contains(&plain(self.name(place)).as_str());
            if n > 0 && (2 * n >= n_told || is_named) && best.is_none_or(|(known, _)| n > known) {
                best = Some((n, place));
            }
        }
        let Some((_, place)) = best else { return };
        self.used.insert(place);
        self.found.has_events = true;
        let name = self.name(place);
        let values = self.distinct(place);
        if name != "event" {
            let reason = format!(
                "{} of its {} values are words for events",
                values.iter().filter(|value| words::event(value).is_some()).count(),
                values.len()
            );
            self.found.name("event", name, Certainty::Sure, reason);
        }
        for value in values {
            let (event, certainty, reason) = match words::event(value) {
                Some("reset") => self.meaning_of_resets(place, value),
                Some(event) => (event, Certainty::Likely, "by its name".to_owned()),
                None => {
                    ("ignore", Certainty::Ask, "what does it mean? Such rows are left out until you say so".to_owned())
                }
            };
            if Event::from_name(value).is_none_or(|known| known.name() != event) {
                self.found.events.insert(value.to_owned(), event.to_owned());
                self.found.say(&format!("events.{value}"), certainty, reason);
            }
        }
    }

    /// What resets are for: to begin anew, or to leave a level.
    fn meaning_of_resets(&self, place: usize, value: &str) -> (&'static str, Certainty, String) {
        let is_it = |row: usize| self.sample.rows[row].cells[place].as_deref() == Some(value);
        let gives_up =
            |row: usize| self.sample.rows[row].cells[place].as_deref().and_then(words::event) == Some("give_up");
        let runs = self.runs();
        let n = runs.iter().flatten().filter(|row| is_it(**row)).count();
        let n_last = runs.iter().filter(|run| run.last().is_some_and(|&row| is_it(row))).count();
        let before_end = |run: &Vec<usize>| run.windows(2).filter(|pair| is_it(pair[0]) && gives_up(pair[1])).count();
        let n_before_end: usize = runs.iter().map(before_end).sum();
        match () {
            () if n_last == n => {
                let reason = format!("each of the {n} is the last row of its trial; say \"reset\" if nobody gave up");
                ("give_up", Certainty::Ask, reason)
            }
            () if n_before_end == n => (
                "ignore",
                Certainty::Likely,
                format!("each of the {n} stands before a row that says the level was given up"),
            ),
            () => ("reset", Certainty::Likely, format!("of {n}, {n_last} are the last rows of their trials")),
        }
    }
}

/// The column of a sample that an entry names.
fn place_of(sample: &Sample, column: &ColumnSpec) -> Option<usize> {
    match column {
        ColumnSpec::Column { column, .. } => sample.columns.iter().position(|name| name == column),
        ColumnSpec::FirstOf(list) => list.iter().find_map(|column| place_of(sample, column)),
        _ => None,
    }
}

/// The column whose name is a word for participants.
fn called_after_people(sample: &Sample) -> Option<usize> {
    let is_used = |place: &usize| sample.rows.iter().any(|row| row.cells[*place].is_some());
    let named = |word: &str| {
        sample.columns.iter().enumerate().filter(|(_, name)| plain(name) == *word).map(|(place, _)| place).find(is_used)
    };
    words::PARTICIPANT.iter().find_map(|word| named(word))
}

/// A step that fills in the participant, where programs name the person in one row of each file alone.
pub(super) fn fill_of_participants(
    sample: &Sample,
    usual: &BTreeMap<String, ColumnSpec>,
) -> Option<(Transform, Remark)> {
    let usual = usual.get("participant").and_then(|column| place_of(sample, column));
    let place = usual.or_else(|| called_after_people(sample))?;
    let named: Vec<(usize, &str)> =
        sample.rows.iter().filter_map(|row| Some((row.file, row.cells[place].as_deref()?))).collect();
    let files: BTreeSet<usize> = named.iter().map(|(file, _)| *file).collect();
    let people: BTreeSet<_> = named.iter().collect();
    let n_missing = sample.rows.len() - named.len();
    if people.len() != files.len() || n_missing <= named.len() {
        return None;
    }
    let reason = format!("{} without a person, and each file names only one", counted(n_missing, "row"));
    let step = Transform::Fill(Fill { columns: vec![sample.columns[place].clone()], by: Vec::new() });
    Some((step, Remark { entry: "fill".to_owned(), certainty: Certainty::Likely, reason }))
}

/// A column as expressions name it.
pub(super) fn quoted(column: &str) -> String {
    let is_word = column.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && column.chars().next().is_some_and(|letter| letter.is_alphabetic());
    if is_word { column.to_owned() } else { format!("`{column}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_quoted_where_they_are_no_words() {
        assert_eq!((quoted("level"), quoted("mouse.time")), ("level".to_owned(), "`mouse.time`".to_owned()));
    }
}
