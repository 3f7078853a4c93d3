//! Small logs on a line, labelled, for the tests of this crate and of those above it.

use std::collections::HashSet;
use std::sync::Arc;

use plymap_log::replay::{Played, Step};
use plymap_log::{Consequence, Event, FileRow, LogDiagnostic};
use plymap_puzzles::diagnostic::SourceText;
use plymap_puzzles::distance::MoveEvaluation;
use plymap_puzzles::game::{Distance, LevelText, StateCode, Value};
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::ValuedLevel;

use crate::label::{Label, LabelledAttempt, LabelledLog, LabelledRow, Quality};

/// A row, and the file and line in which it stands.
type PlacedRow = (LabelledRow, FileRow);

/// Attempts at levels that are five moves long.
#[derive(Default)]
pub struct Line {
    attempts: Vec<(LabelledAttempt, Vec<PlacedRow>)>,
    files: Vec<String>,
    file: usize,
    next_row: u64,
    rt_s: Option<f64>,
}

/// The code of a position at this distance from the goal, or of one that is lost: three disks on three pegs, two bits
/// for each, can be as many positions.
fn code(at: Option<u32>) -> StateCode {
    let number = at.unwrap_or(26);
    StateCode(u128::from(number % 3 + (number / 3 % 3) * 4 + (number / 9) * 16))
}

impl Line {
    /// No attempt yet, in the file `log.csv`, each row of one second.
    pub fn new() -> Self {
        Self { files: vec!["log.csv".to_owned()], next_row: 2, rt_s: Some(1.0), ..Self::default() }
    }

    /// Attempts of two participants who went on: open, finished and reset ones, of which some were given up in truth.
    pub fn of_whoever_goes_on() -> Self {
        Self::new()
            .attempt("p1", "A", 1, "d u")
            .attempt("p1", "A", 2, "d")
            .attempt("p1", "B", 1, "d d d d d")
            .attempt("p1", "B", 2, "d")
            .attempt("p2", "A", 1, "d")
            .attempt("p2", "A", 2, "d d")
            .attempt("p2", "B", 1, "d u reset")
            .attempt("p2", "B", 2, "d")
    }

    /// The files of the log, in the order in which they were read.
    pub fn of_files(self, names: &[&str]) -> Self {
        Self { files: names.iter().map(|&name| name.to_owned()).collect(), ..self }
    }

    /// The attempts that follow stand in this file.
    pub fn in_file(mut self, name: &str) -> Self {
        self.file = self.files.iter().position(|known| known == name).expect("a file of the log");
        self.next_row = 2;
        self
    }

    /// The time of each row that follows.
    pub fn timed(mut self, rt_s: Option<f64>) -> Self {
        self.rt_s = rt_s;
        self
    }

    /// An attempt in the words of a log: `d` goes a step to the goal, `u` one away from it, `fall` into a dead end, `x`
    /// is an illegal move that is kept; all others are events. `d:fast` has the condition fast.
    pub fn attempt(mut self, participant: &str, level: &str, attempt: i64, words: &str) -> Self {
        // The distance to the goal; absent in a dead end.
        let mut history = vec![Some(5_u32)];
        let mut visited: HashSet<Option<u32>> = history.iter().copied().collect();
        let (mut ply, mut was_solved) = (0, false);
        let mut first_condition = None;
        let mut rows = Vec::new();
        for word in words.split_whitespace() {
            let (word, condition) = word.split_once(':').map_or((word, None), |(word, name)| (word, Some(name)));
            first_condition = first_condition.or(condition);
            let before = history[history.len() - 1];
            let mut played = None;
            let mut event = Event::Move;
            let to = match word {
                "d" => Some(before.map(|at| at - 1)),
                "u" => Some(before.map(|at| at + 1)),
                "fall" => Some(None),
                "x" => None,
                _ => {
                    event = Event::from_name(word).expect("an event");
                    match event {
                        Event::Undo if history.len() > 1 => drop(history.pop()),
                        Event::Reset => history = vec![Some(5)],
                        _ => {}
                    }
                    None
                }
            };
            if event == Event::Move {
                let before_last = history.len().checked_sub(2).map(|index| history[index]);
                played = Some(Played {
                    ply,
                    is_legal: to.is_some(),
                    chosen: code(to.unwrap_or(before)),
                    cost: u32::from(to.is_some()),
                    is_after_goal: was_solved,
                    is_undo: to.is_some() && before_last == to,
                    is_revisit: to.is_some_and(|to| !visited.insert(to)),
                    same_piece_as_last: None,
                });
                ply += 1;
                history.extend(to);
                was_solved |= to == Some(Some(0));
            }
            let after = history[history.len() - 1];
            let label = played.map(|played| label(&played, before, after));
            let step = Step { row: 0, level: 0, before: code(before), after: code(after), played };
            rows.push((
                LabelledRow { event, rt_s: self.rt_s, step, label, is_time_in_next: false },
                FileRow::new(self.file, self.next_row),
            ));
            self.next_row += 1;
        }
        let attempt = LabelledAttempt {
            participant: participant.to_owned(),
            session: "1".to_owned(),
            level: level.to_owned(),
            attempt,
            condition: first_condition.map(str::to_owned),
            rows: 0..0,
            implied_end: None,
            is_interrupted: false,
        };
        self.attempts.push((attempt, rows));
        self
    }

    /// The labelled log, in the order of the canonical log.
    pub fn log(mut self) -> LabelledLog {
        self.attempts.sort_by_key(|(played, _)| (played.participant.clone(), played.level.clone(), played.attempt));
        let mut log = LabelledLog { files: self.files, ..LabelledLog::default() };
        for (attempt, rows) in self.attempts {
            let start = log.rows.len();
            log.attempts.push(LabelledAttempt { rows: start..start + rows.len(), ..attempt });
            let (rows, places): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
            rows.into_iter().for_each(|row| log.rows.push(row));
            log.places.extend(places);
        }
        log
    }
}

/// The label of a move between positions at these distances, one of three legal ones.
fn label(played: &Played, before: Option<u32>, after: Option<u32>) -> Label {
    let value = |at: Option<u32>| at.map(|at| Value::Distance(Distance(at)));
    let n_optimal = u32::from(before.is_some());
    let evaluation = MoveEvaluation { n_legal: 3, n_optimal, before: value(before), after: value(after), rank: 1 };
    let is_solved = after == Some(0);
    let (regret, quality) = match (played.is_legal, before, after) {
        (false, ..) => (None, Quality::Illegal),
        (_, Some(before), Some(after)) => {
            let quality = if after < before { Quality::Better } else { Quality::Worse };
            (Some(f64::from(after) + 1.0 - f64::from(before)), quality)
        }
        _ => (None, Quality::DeadEnd),
    };
    Label { evaluation, regret, quality, is_goal: is_solved, is_end: is_solved }
}

/// Levels of these names, five moves long as far as their distance says.
pub fn levels(names: &[&str]) -> Vec<ValuedLevel> {
    names.iter().map(|name| level(name)).collect()
}

/// A Tower of Hanoi of 3 disks whose start is said to be five moves from the goal.
fn level(name: &str) -> ValuedLevel {
    let text = "3 disks 3 pegs\n";
    let source = Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() });
    let level = LevelText { text, source: &source, span: 0..text.len() };
    let game = Game::named("tower-of-hanoi").expect("a game");
    let rules = (game.load)(&level, &RuleOptions::default()).expect("a level");
    let start_value = Some(Value::Distance(Distance(5)));
    ValuedLevel {
        id: name.to_owned(),
        game: "tower-of-hanoi",
        extra: Vec::new(),
        remarks: Vec::new(),
        rules: rules.into(),
        whole: None,
        start_value,
    }
}

/// Diagnostic of a rejected row of an attempt at level A.
pub fn rejected(participant: &str, attempt: i64, row: u64) -> LogDiagnostic {
    LogDiagnostic {
        code: "missing-action".into(),
        consequence: Consequence::Rejected,
        file: "log.csv".to_owned(),
        row,
        column: String::new(),
        value: String::new(),
        rule: String::new(),
        fix: String::new(),
        participant: Some(participant.to_owned()),
        session: Some("1".to_owned()),
        level: Some("A".to_owned()),
        attempt: Some(attempt),
    }
}
