//! How moves are written: in one column or two, in words, or as the positions around them.

use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::{Finder, Found, quoted};
use crate::import::Certainty;
use crate::import::words;
use crate::log::{ColumnSpec, Notation, SampleRow, Transform};
use plymap_puzzles::game::MoveError;

/// So many rows are looked at where each cell is tried as a move or position.
const TRIED: usize = 200;
/// The share of cells that has to fit.
const FITS: f64 = 0.6;

/// A way in which moves may be written.
#[derive(Clone, Debug)]
pub(in crate::import) struct Actions {
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

impl Found {
    /// With a way in which moves may be written.
    pub(in crate::import) fn with(mut self, actions: &Actions) -> Self {
        if let (Some((condition, n)), false) = (&actions.without, self.has_events) {
            self.steps.push(Transform::Where(condition.clone()));
            self.say("where", Certainty::Likely, format!("{} without a move", counted(*n, "row")));
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

impl Finder<'_> {
    /// The ways in which moves may be written, the most likely first.
    pub(super) fn actions(&self) -> Vec<Actions> {
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
        // It takes longer to compile them than to look through a column with them.
        static PATTERNS: LazyLock<[(Regex, bool); 2]> = LazyLock::new(|| {
            let patterns = [
                (r"^(?P<piece>\S+)(?P<a>[ ,;:/_-]+)(?P<direction>\p{L}+)(?P<b>[ ,;:/_-]*)(?P<n>\d+)$", true),
                (r"^(?P<piece>\S+)(?P<a>[ ,;:/_-]+)(?P<direction>\p{L}+)$", false),
            ];
            patterns.map(|(pattern, has_number)| (Regex::new(pattern).expect("a test compiles it"), has_number))
        });
        let mut found = Vec::new();
        for place in self.free() {
            for (pattern, has_number) in &*PATTERNS {
                let mut read: BTreeSet<String> = BTreeSet::new();
                let mut words: BTreeMap<String, String> = BTreeMap::new();
                let (mut n, mut n_all) = (0, 0);
                for (row, level) in tried {
                    let Some(cell) = row.cells[place].as_deref() else { continue };
                    n_all += 1;
                    let Some(parts) = pattern.captures(cell) else { continue };
                    let word = parts["direction"].to_lowercase();
                    let Some((_, sign)) = words::DIRECTIONS.iter().find(|(known, _)| *known == word) else { continue };
                    let number = if *has_number { &parts["n"] } else { "1" };
                    if is_move(*level, &format!("{}{sign}{number}", &parts["piece"])) {
                        n += 1;
                        let b = if *has_number { format!("{}{{n}}", &parts["b"]) } else { String::new() };
                        read.insert(format!("{{piece}}{}{{direction}}{b}", &parts["a"]));
                        words.insert(word, (*sign).to_owned());
                    }
                }
                if n == 0 || 2 * n < n_all {
                    continue;
                }
                let write = if *has_number { "{piece}{direction}{n}" } else { "{piece}{direction}1" };
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
}
