//! Small logs on a line, labelled, and what is measured of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::*;
use crate::analysis::dataset::Dataset;
use crate::label::Label;
use plymap_log::replay::{Played, Step};
use plymap_puzzles::distance::Judgement;
use plymap_puzzles::fault::SourceText;
use plymap_puzzles::game::{Distance, LevelText, StateCode, Value};
use plymap_puzzles::registry::{Game, RuleOptions};

/// A row, and the file and line in which it stands.
type PlacedRow = (LabelledRow, FileRow);

/// Attempts at levels that are five moves long.
#[derive(Default)]
pub(crate) struct Line {
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
    pub fn new() -> Self {
        Self { files: vec!["log.csv".to_owned()], next_row: 2, rt_s: Some(1.0), ..Self::default() }
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
        let mut seen: HashSet<Option<u32>> = history.iter().copied().collect();
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
                    is_revisit: to.is_some_and(|to| !seen.insert(to)),
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
        self.attempts.sort_by_key(|(of, _)| (of.participant.clone(), of.level.clone(), of.attempt));
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
    let judgement = Judgement { n_legal: 3, n_optimal, before: value(before), after: value(after), rank: 1 };
    let is_solved = after == Some(0);
    let (regret, quality) = match (played.is_legal, before, after) {
        (false, ..) => (None, Quality::Illegal),
        (_, Some(before), Some(after)) => {
            let quality = if after < before { Quality::Better } else { Quality::Worse };
            (Some(f64::from(after) + 1.0 - f64::from(before)), quality)
        }
        _ => (None, Quality::DeadEnd),
    };
    Label { judgement, regret, quality, is_goal: is_solved, is_end: is_solved }
}

/// Levels of these names, five moves long as far as their distance says.
pub(crate) fn levels(names: &[&str]) -> Vec<ValuedLevel> {
    let level = |name: &&str| {
        let text = "3 disks 3 pegs\n";
        let source = Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() });
        let level = LevelText { text, source: &source, span: 0..text.len() };
        let game = Game::named("tower-of-hanoi").expect("a game");
        let rules = (game.load)(&level, &RuleOptions::default()).expect("a level");
        let start_value = Some(Value::Distance(Distance(5)));
        ValuedLevel {
            id: (*name).to_owned(),
            game: "tower-of-hanoi",
            extra: Vec::new(),
            remarks: Vec::new(),
            rules: rules.into(),
            whole: None,
            start_value,
        }
    };
    names.iter().map(level).collect()
}

/// That a row of an attempt at level A was rejected.
pub(crate) fn rejected(participant: &str, attempt: i64, row: u64) -> LogIssue {
    LogIssue {
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

fn measured(line: Line, issues: &[LogIssue]) -> Measures {
    Measures::new(&line.log(), issues, &levels(&["A"]))
}

#[test]
fn giving_up_ends_an_attempt() {
    let line = Line::new().attempt("p1", "A", 1, "d u give_up d d d d d").attempt("p2", "A", 1, "d d d d d u give_up");
    let found = measured(line, &[]);
    let [given_up, solved] = &found.trials[..] else { panic!("two trials") };
    assert_eq!((given_up.is_solved, given_up.tally.n_moves, given_up.tally.time_s()), (Some(false), 2, Some(3.0)));
    assert_eq!((given_up.tally.n_after_give_up, given_up.tally.n_after_goal), (5, 0));
    assert_eq!(found.attempts[0].end, AttemptEnd::GaveUp);
    // Who has solved the level cannot give it up.
    assert_eq!((solved.is_solved, solved.tally.n_moves, solved.tally.n_after_goal), (Some(true), 5, 1));
    assert_eq!((solved.tally.n_of(Event::GiveUp), solved.tally.n_after_give_up), (0, 0));
}

#[test]
fn a_limit_ends_an_attempt_that_is_neither_given_up_nor_left() {
    let line = Line::new().attempt("p1", "A", 1, "d u limit d").attempt("p1", "B", 1, "d");
    let mut log = line.log();
    log.imply_ends(&[]);
    let found = Measures::new(&log, &[], &levels(&["A", "B"]));
    assert_eq!(found.attempts[0].end.or_implied(&log.attempts[0]), AttemptEnd::Limit);
    let tally = &found.trials[0].tally;
    assert_eq!((found.trials[0].is_solved, tally.n_moves, tally.n_after_give_up), (Some(false), 2, 1));
    assert_eq!((tally.n_of(Event::Limit), tally.n_of(Event::GiveUp)), (1, 0));
}

#[test]
fn a_trial_without_a_move_lasts_until_its_end() {
    let line = Line::new().timed(Some(20.0)).attempt("p1", "A", 1, "limit");
    let line = line.timed(Some(4.0)).attempt("p2", "A", 1, "null_move give_up");
    let line = line.timed(None).attempt("p3", "A", 1, "start limit").attempt("p4", "A", 1, "start");
    let found = measured(line, &[]);
    let times: Vec<Option<f64>> = found.trials.iter().map(|trial| trial.time_s).collect();
    assert_eq!(times, [Some(20.0), Some(8.0), None, None]);
    for trial in &*found.trials {
        assert_eq!((trial.is_solved, trial.n_moves, trial.n_attempts), (Some(false), Some(0.0), 1));
        assert_eq!((trial.share_optimal, trial.mean_regret, trial.first_move_latency_s), (None, None, None));
        assert_eq!((trial.median_inter_move_s, trial.excess_moves, trial.is_perfect()), (None, None, Some(false)));
    }
    assert_eq!(found.trials[1].tally.n_of(Event::NullMove), 1);
    // The waiting of an attempt counts in that of its trial.
    let again = Line::new().timed(Some(5.0)).attempt("p1", "A", 1, "d reset").attempt("p1", "A", 2, "limit");
    assert_eq!(measured(again, &[]).trials[0].time_s, Some(15.0));
}

#[test]
fn open_attempts_of_whoever_goes_on_were_reset_or_given_up() {
    let line = Line::new()
        .attempt("p1", "A", 1, "d u")
        .attempt("p1", "A", 2, "d")
        .attempt("p1", "B", 1, "d d d d d")
        .attempt("p1", "B", 2, "d")
        .attempt("p2", "A", 1, "d")
        .attempt("p2", "A", 2, "d d")
        .attempt("p2", "B", 1, "d u reset")
        .attempt("p2", "B", 2, "d");
    // A row of the first attempt of p2 was rejected: perhaps it was the one that solved the level.
    let issues = [rejected("p2", 1, 99)];
    let mut log = line.log();
    let ends = |log: &LabelledLog| {
        let measures = Measures::new(log, &issues, &levels(&["A", "B"]));
        let of_measures: Vec<AttemptEnd> = measures.attempts.iter().map(|own| own.end).collect();
        // Analyses take the ends from the log.
        let data = Dataset::new(log, &measures, &levels(&["A", "B"]));
        let ends: HashMap<_, _> =
            data.attempts.iter().map(|own| ((own.participant, own.level, own.attempt), own.end)).collect();
        for (place, own) in measures.attempts.iter().enumerate() {
            let at = |names: &[String], name: &String| names.iter().position(|known| known == name).unwrap();
            let key = (at(&measures.participants, &own.participant), at(&measures.levels, &own.level), own.attempt);
            assert!(ends.get(&key).is_none_or(|end| *end == of_measures[place]));
        }
        assert_eq!(ends.len(), 7, "all but the one behind a solution");
        of_measures
    };
    use AttemptEnd::{Finished, GaveUp, Open, Reset};
    assert_eq!(ends(&log), [Open, Open, Finished, Open, Open, Open, Reset, Open]);
    log.imply_ends(&issues);
    assert_eq!(ends(&log), [Reset, GaveUp, Finished, Open, Open, GaveUp, Reset, Open]);
}

#[test]
fn who_gives_up_may_solve_the_level_in_the_next_attempt() {
    let line = Line::new().attempt("p1", "A", 1, "d give_up").attempt("p1", "A", 2, "d d d d d");
    let trial = &measured(line, &[]).trials[0];
    assert_eq!((trial.is_solved, trial.n_attempts, trial.tally.n_moves), (Some(true), 2, 6));
}

#[test]
fn a_perfect_attempt_may_be_the_second() {
    let line = Line::new()
        .attempt("p1", "A", 1, "d reset")
        .attempt("p1", "A", 2, "d d d d d")
        .attempt("p2", "A", 1, "d d d d d")
        .attempt("p3", "A", 1, "d u d d d d d")
        .attempt("p4", "A", 1, "d give_up");
    let found = measured(line, &[]);
    let all = Summary::new(found.trials.iter());
    assert_eq!((all.n_trials, all.n_solved, all.n_perfect, all.n_imperfect), (4, 3, 1, 3));
    assert_eq!((all.n_solving_attempts, all.n_perfect_attempts), (3, 2));
}

#[test]
fn the_condition_is_that_of_the_first_row_that_has_one() {
    let line = Line::new().attempt("p1", "A", 1, "start d:fast d:slow").attempt("p1", "A", 2, "d:slow");
    let found = measured(line, &[]);
    assert_eq!(found.attempts[0].condition.as_deref(), Some("fast"));
    assert_eq!(found.attempts[1].condition.as_deref(), Some("slow"));
    assert_eq!(found.trials[0].condition.as_deref(), Some("fast"));
}

#[test]
fn what_is_left_out_behind_the_solution_is_no_gap() {
    let line = || Line::new().attempt("p1", "A", 1, "d d d d d").attempt("p2", "A", 1, "d d d give_up");
    // Rows 2 to 6 are of the first attempt, 7 to 10 of the second.
    let trial = &measured(line(), &[rejected("p1", 1, 7), rejected("p1", 1, 8)]).trials[0];
    assert!(trial.n_moves.is_some());
    assert_eq!((trial.tally.n_left_out, trial.excess_moves), (0, Some(0.0)));
    let trial = &measured(line(), &[rejected("p1", 1, 4), rejected("p1", 1, 8)]).trials[0];
    assert_eq!((trial.tally.n_left_out, trial.excess_moves), (1, None));
    assert_eq!(measured(line(), &[rejected("p2", 1, 12)]).trials[1].is_solved, Some(false));
    // Where nothing ended the attempt, all that is missing may be part of it.
    let open = measured(Line::new().attempt("p1", "A", 1, "d d"), &[rejected("p1", 1, 12)]);
    assert_eq!((open.trials[0].is_solved, open.trials[0].tally.n_left_out), (None, 1));
}

#[test]
fn times_of_day_are_summed_like_any_other() {
    let line = |p: &str, line: Line| line.timed(Some(1_760_000_000.0)).attempt(p, "A", 1, "u d d d d d d");
    let found = measured(line("p2", line("p1", Line::new())), &[]);
    assert_eq!(found.trials[0].tally.time_s(), Some(12_320_000_000.0));
    let mut sum = Tally::default();
    found.trials.iter().for_each(|trial| sum.add(&trial.tally));
    assert_eq!(sum.time_s(), Some(24_640_000_000.0));
    let huge = measured(Line::new().timed(Some(f64::MAX)).attempt("p1", "A", 1, "d d"), &[]);
    assert!(huge.trials[0].tally.time_s().is_some_and(f64::is_finite));
}

#[test]
fn moves_without_a_regret_are_counted() {
    let found = measured(Line::new().attempt("p1", "A", 1, "d u x fall d"), &[]);
    let tally = &found.trials[0].tally;
    assert_eq!((tally.n_moves, tally.n_regrets, tally.n_without_regret()), (5, 2, 3));
    assert_eq!(tally.mean_regret(), Some(1.0));
    let table = trials_table(&found);
    let column = table.data.column("n_without_regret").expect("a column");
    assert_eq!(column.u64().expect("counts").get(0), Some(3));
}
