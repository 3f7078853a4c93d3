//! Which column is which, by its name and by what stands in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use regex::Regex;

use super::words::{self, plain};
use super::{Certainty, Remark};
use crate::log::{Clock, ColumnSpec, Event, Fill, Notation, Replace, Sample, SampleRow, Transform, Unit, is_instant};
use plymap_puzzles::game::MoveError;
use plymap_puzzles::rules::Rules;
use plymap_statistics::stats::describe::quantile;

/// The levels by name.
pub(super) type Levels<'a> = [(&'a str, &'a dyn Rules)];

/// So many rows are looked at where each cell is tried as a move or position.
const TRIED: usize = 200;
/// The share of cells that has to fit.
const FITS: f64 = 0.6;

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

    /// With a way in which moves may be written.
    pub fn with(mut self, actions: &Actions) -> Self {
        if let (Some((condition, n)), false) = (&actions.without, self.has_events) {
            self.steps.push(Transform::Where(condition.clone()));
            self.say("where", Certainty::Likely, format!("{n} rows of levels have no move"));
        }
        self.steps.extend(actions.steps.iter().cloned());
        for (key, column) in &actions.columns {
            if *column != ColumnSpec::column(key) {
                self.columns.insert((*key).to_owned(), column.clone());
            }
            self.say(key, actions.certainty, actions.reason.clone());
        }
        for (value, event, certainty, reason) in &actions.events {
            self.events.insert(value.clone(), (*event).to_owned());
            self.say(&format!("events.{value}"), *certainty, reason.clone());
        }
        self
    }
}

/// A way in which moves may be written.
#[derive(Clone, Debug)]
pub(super) struct Actions {
    steps: Vec<Transform>,
    columns: Vec<(&'static str, ColumnSpec)>,
    /// Values of the column of actions that are no moves.
    events: Vec<(String, &'static str, Certainty, String)>,
    certainty: Certainty,
    reason: String,
    /// A step that leaves out the rows without a move, and how many these are.
    without: Option<(String, usize)>,
}

/// The share of rows in which a text of the row is a move.
type Share<'s> = dyn Fn(&dyn Fn(&SampleRow) -> Option<String>) -> f64 + 's;

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
        let comma = Regex::new(r"^-?\d+,\d+$").expect("a test compiles it");
        let cells = || self.sample.rows.iter().flat_map(|row| row.cells.iter().flatten());
        let has_point = || cells().any(|cell| cell.parse::<f64>().is_ok() && cell.contains('.'));
        if cells().any(|cell| comma.is_match(cell)) && !has_point() {
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
            let reason = format!("{others} of {} rows name no level, as instructions do", self.sample.rows.len());
            self.found.say("where", Certainty::Likely, reason);
        }
        if !values.is_empty() {
            self.found.say(
                "replace",
                Certainty::Likely,
                format!("{} levels are written otherwise in the log", values.len()),
            );
            let replace = Replace { column: column.to_owned(), values, by: None };
            self.found.steps.push(Transform::Replace(replace));
        }
        let n_levels = self.level.iter().flatten().collect::<BTreeSet<_>>().len();
        let reason = format!("{n_levels} of {} levels are named in it", self.levels.len());
        match unknown.is_empty() {
            true => self.found.name("level", column, Certainty::Sure, reason),
            false => {
                let some: Vec<&str> = unknown.iter().take(3).copied().collect();
                let reason =
                    format!("{reason}; there is no level for {} of its values, such as {some:?}", unknown.len());
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
                format!("{} in it", counted(n, "person is named", "people are named")),
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
                self.found.name(
                    key,
                    name,
                    Certainty::Likely,
                    format!("by its name; it has {}", counted(n, "value", "values")),
                );
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

    /// The ways in which moves may be written, the most likely first.
    fn actions(&self) -> Vec<Actions> {
        let mut found: Vec<(f64, Actions)> = Vec::new();
        let play: Vec<(&SampleRow, usize)> =
            self.sample.rows.iter().zip(&self.level).filter_map(|(row, level)| Some((row, (*level)?))).collect();
        // Spread over the rows, for the first of them may be of one kind.
        let step = (play.len() / TRIED).max(1);
        let tried: Vec<(&SampleRow, usize)> = play.iter().step_by(step).copied().collect();
        let is_move = |level: usize, text: &str| {
            let rules = self.levels[level].1;
            !matches!(rules.play(rules.start(), text), Err(MoveError::Unreadable { .. }))
        };
        let share = |text: &dyn Fn(&SampleRow) -> Option<String>| {
            let texts: Vec<(usize, String)> =
                tried.iter().filter_map(|(row, level)| Some((*level, text(row)?))).collect();
            let n = texts.iter().filter(|(level, text)| is_move(*level, text)).count();
            if texts.is_empty() { 0.0 } else { n as f64 / texts.len() as f64 * (n as f64 / tried.len() as f64).sqrt() }
        };
        let plain_action = |steps: Vec<Transform>, column: ColumnSpec, reason: String| Actions {
            steps,
            columns: vec![("action", column)],
            events: Vec::new(),
            certainty: Certainty::Sure,
            reason,
            without: None,
        };
        for place in self.free() {
            let score = share(&|row| row.cells[place].clone());
            if score >= 0.2 {
                let reason = "its values are moves that the rules know".to_owned();
                let column = ColumnSpec::column(self.name(place));
                let events = self.events_among_moves(place, &is_move);
                let without = self.without(place);
                found.push((score, Actions { events, without, ..plain_action(Vec::new(), column, reason) }));
            }
        }
        found.extend(self.states(&tried));
        if found.iter().all(|(score, _)| *score < FITS) {
            found.extend(self.templates(&share, &plain_action));
            found.extend(self.notations(&tried, &is_move));
        }
        found.sort_by(|one, other| other.0.total_cmp(&one.0));
        found.into_iter().map(|(_, actions)| actions).take(6).collect()
    }

    /// The rows of levels that have something in a column, and how many have not.
    fn without(&self, place: usize) -> Option<(String, usize)> {
        let n = self.n_play() - self.column(place).filter(|(_, level, _)| level.is_some()).count();
        (n > 0).then(|| (format!("{} is not missing", quoted(self.name(place))), n))
    }

    /// Values among the moves that are events.
    fn events_among_moves(
        &self,
        place: usize,
        is_move: &dyn Fn(usize, &str) -> bool,
    ) -> Vec<(String, &'static str, Certainty, String)> {
        let mut values: BTreeSet<&str> = BTreeSet::new();
        for (_, level, cell) in self.column(place) {
            if level.is_some_and(|level| words::event(cell).is_some() && !is_move(level, cell)) {
                values.insert(cell);
            }
        }
        let of_value = |value: &str| {
            let (event, certainty, reason) = match words::event(value)? {
                "reset" => self.meaning_of_resets(place, value),
                event => (event, Certainty::Likely, "it stands among the moves".to_owned()),
            };
            Some((value.to_owned(), event, certainty, reason))
        };
        values.into_iter().filter_map(of_value).collect()
    }

    /// Columns of positions.
    fn states(&self, tried: &[(&SampleRow, usize)]) -> Option<(f64, Actions)> {
        let rate = |place: usize| {
            let cells: Vec<(usize, &str)> =
                tried.iter().filter_map(|(row, level)| Some((*level, row.cells[place].as_deref()?))).collect();
            let n = cells.iter().filter(|(level, cell)| self.levels[*level].1.parse_state(cell).is_ok()).count();
            (n as f64 >= FITS * cells.len() as f64 && n > 0).then(|| n as f64 / tried.len() as f64)
        };
        let columns: Vec<(usize, f64)> = self.free().filter_map(|place| Some((place, rate(place)?))).collect();
        let [(one, score), (other, _), ..] = columns[..] else { return None };
        let joins = |before: usize, after: usize| {
            let joined = |pair: &[usize]| {
                let cell = |row: usize, place: usize| self.sample.rows[row].cells[place].as_deref();
                cell(pair[0], after).is_some() && cell(pair[0], after) == cell(pair[1], before)
            };
            self.runs().iter().map(|run| run.windows(2).filter(|pair| joined(pair)).count()).sum::<usize>()
        };
        let (before, after) = if joins(one, other) >= joins(other, one) { (one, other) } else { (other, one) };
        let column = |place| ColumnSpec::column(self.name(place));
        let actions = Actions {
            steps: Vec::new(),
            columns: vec![("state_before", column(before)), ("state_after", column(after))],
            events: Vec::new(),
            certainty: Certainty::Sure,
            reason: "its values are positions, and each goes on from the one above it".to_owned(),
            without: self.without(after),
        };
        Some((score, actions))
    }

    /// Moves in two columns.
    fn templates(
        &self,
        share: &Share<'_>,
        actions: &dyn Fn(Vec<Transform>, ColumnSpec, String) -> Actions,
    ) -> Vec<(f64, Actions)> {
        let is_short = |place: &usize| self.distinct(*place).iter().all(|cell| cell.chars().count() <= 8);
        let short: Vec<usize> =
            self.free().filter(is_short).filter(|place| !self.distinct(*place).is_empty()).take(16).collect();
        let mut found = Vec::new();
        for &one in &short {
            for &other in short.iter().filter(|&&other| other != one) {
                for between in ["", "@", " "] {
                    let text = |row: &SampleRow| {
                        Some(format!("{}{between}{}", row.cells[one].as_ref()?, row.cells[other].as_ref()?))
                    };
                    let score = share(&text);
                    if score > 0.2 {
                        let template = format!("{{{}}}{between}{{{}}}", self.name(one), self.name(other));
                        let reason = format!("{:?} and {:?} together are moves", self.name(one), self.name(other));
                        found.push((score, actions(Vec::new(), ColumnSpec::Template { template }, reason)));
                    }
                }
            }
        }
        found
    }

    /// Moves in words, such as `B right 3`.
    fn notations(&self, tried: &[(&SampleRow, usize)], is_move: &dyn Fn(usize, &str) -> bool) -> Vec<(f64, Actions)> {
        let patterns = [
            (r"^(?P<piece>\S+)(?P<a>[ ,;:/_-]+)(?P<direction>\p{L}+)(?P<b>[ ,;:/_-]*)(?P<n>\d+)$", true),
            (r"^(?P<piece>\S+)(?P<a>[ ,;:/_-]+)(?P<direction>\p{L}+)$", false),
        ];
        let mut found = Vec::new();
        for place in self.free() {
            for (pattern, has_number) in patterns {
                let pattern = Regex::new(pattern).expect("a test compiles it");
                let mut read: BTreeSet<String> = BTreeSet::new();
                let mut words: BTreeMap<String, String> = BTreeMap::new();
                let (mut n, mut n_all) = (0, 0);
                for (row, level) in tried {
                    let Some(cell) = row.cells[place].as_deref() else { continue };
                    n_all += 1;
                    let Some(parts) = pattern.captures(cell) else { continue };
                    let word = parts["direction"].to_lowercase();
                    let Some((_, sign)) = words::DIRECTIONS.iter().find(|(known, _)| *known == word) else { continue };
                    let number = if has_number { &parts["n"] } else { "1" };
                    if is_move(*level, &format!("{}{sign}{number}", &parts["piece"])) {
                        n += 1;
                        let b = if has_number { format!("{}{{n}}", &parts["b"]) } else { String::new() };
                        read.insert(format!("{{piece}}{}{{direction}}{b}", &parts["a"]));
                        words.insert(word, (*sign).to_owned());
                    }
                }
                if n == 0 || 2 * n < n_all {
                    continue;
                }
                let write = if has_number { "{piece}{direction}{n}" } else { "{piece}{direction}1" };
                let said: Vec<String> = words.iter().map(|(word, sign)| format!("{word} = {sign}")).collect();
                let notation = Notation {
                    column: self.name(place).to_owned(),
                    read: read.into_iter().collect(),
                    write: write.to_owned(),
                    words: BTreeMap::from([("direction".to_owned(), words)]),
                };
                let actions = Actions {
                    steps: vec![Transform::Notation(notation)],
                    columns: vec![("action", ColumnSpec::column(self.name(place)))],
                    events: Vec::new(),
                    certainty: Certainty::Likely,
                    reason: format!("moves are written in words; {}", said.join(", ")),
                    without: self.without(place),
                };
                found.push((n as f64 / tried.len() as f64, actions));
            }
        }
        found
    }

    /// Times that the preset names, if they are times of moves; else a column of durations, for it tells the time of first
    /// moves too; else a clock.
    fn find_times(&mut self, usual: &BTreeMap<String, ColumnSpec>) {
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
                let reason = format!("{name:?} starts anew {} times within trials", readings.n_falls_within);
                self.found.say("clock", Certainty::Likely, reason);
            } else if 2 * readings.n_falls_between > readings.n_between && readings.n_between > 0 {
                self.found.clock = Some(Clock::Trial);
                let reason =
                    format!("{name:?} falls at {} of {} new trials", readings.n_falls_between, readings.n_between);
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
            if instant { crate::log::instant_seconds(cell) } else { number(cell) }
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
    let reason = format!("{n_missing} rows do not name the person, and each file names only one");
    let step = Transform::Fill(Fill { columns: vec![sample.columns[place].clone()], by: Vec::new() });
    Some((step, Remark { entry: "fill".to_owned(), certainty: Certainty::Likely, reason }))
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

/// The median time between moves that people are believed to have, in seconds, and a usual one.
const PLAUSIBLE: [f64; 2] = [0.05, 120.0];
const USUAL: f64 = 1.5;

/// The unit of durations in a column, by its name and by what people can do.
fn unit_of(name: &str, durations: &[f64]) -> (Unit, Certainty) {
    let name = name.to_lowercase();
    let has =
        |end: &str| Regex::new(&format!(r"(^|[^a-z]){end}([^a-z]|$)")).is_ok_and(|pattern| pattern.is_match(&name));
    let hint = match () {
        () if has("ms") || has("msec") || has("milliseconds?") => Some(Unit::Milliseconds),
        () if has("s") || has("secs?") || has("seconds?") || has("sek") => Some(Unit::Seconds),
        () => None,
    };
    let median = quantile(durations, 0.5).unwrap_or_default();
    let factors = [(Unit::Seconds, 1.0), (Unit::Milliseconds, 1e-3), (Unit::Microseconds, 1e-6)];
    let fits: Vec<(Unit, f64)> = factors
        .into_iter()
        .map(|(unit, factor)| (unit, median * factor))
        .filter(|(_, seconds)| (PLAUSIBLE[0]..=PLAUSIBLE[1]).contains(seconds))
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

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
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
    fn units_follow_from_names_and_from_what_people_can_do() {
        assert_eq!(unit_of("rt_ms", &[800.0, 1200.0]), (Unit::Milliseconds, Certainty::Sure));
        assert_eq!(unit_of("Zeit (s)", &[0.8, 1.2]), (Unit::Seconds, Certainty::Sure));
        assert_eq!(unit_of("RT", &[800.0, 1200.0]), (Unit::Milliseconds, Certainty::Likely));
        assert_eq!(unit_of("RT", &[2.0]), (Unit::Seconds, Certainty::Likely));
        assert_eq!(unit_of("RT", &[60.0]), (Unit::Milliseconds, Certainty::Ask), "60 ms or a minute");
        assert_eq!(unit_of("RT", &[0.0]), (Unit::Seconds, Certainty::Ask));
    }

    #[test]
    fn columns_are_quoted_where_they_are_no_words() {
        assert_eq!((quoted("level"), quoted("mouse.time")), ("level".to_owned(), "`mouse.time`".to_owned()));
    }
}
