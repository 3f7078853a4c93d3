//! Small logs on a line, labelled, and what is measured of them.

use super::*;
use crate::testing::{Line, levels, rejected};
use plymap_log::Event;

fn measured(line: Line, diagnostics: &[LogDiagnostic]) -> Measures {
    Measures::new(&line.log(), diagnostics, &levels(&["A"]))
}

#[test]
fn giving_up_ends_an_attempt() {
    let line = Line::new().attempt("p1", "A", 1, "d u give_up d d d d d").attempt("p2", "A", 1, "d d d d d u give_up");
    let measures = measured(line, &[]);
    let [given_up, solved] = &measures.trials[..] else { panic!("two trials") };
    assert_eq!((given_up.is_solved, given_up.tally.n_moves, given_up.tally.time_s()), (Some(false), 2, Some(3.0)));
    assert_eq!((given_up.tally.n_after_give_up, given_up.tally.n_after_goal), (5, 0));
    assert_eq!(measures.attempts[0].end, AttemptEnd::GaveUp);
    // Who has solved the level cannot give it up.
    assert_eq!((solved.is_solved, solved.tally.n_moves, solved.tally.n_after_goal), (Some(true), 5, 1));
    assert_eq!((solved.tally.n_of(Event::GiveUp), solved.tally.n_after_give_up), (0, 0));
}

#[test]
fn a_limit_ends_an_attempt_that_is_neither_given_up_nor_left() {
    let line = Line::new().attempt("p1", "A", 1, "d u limit d").attempt("p1", "B", 1, "d");
    let mut log = line.log();
    log.imply_ends(&[]);
    let measures = Measures::new(&log, &[], &levels(&["A", "B"]));
    assert_eq!(measures.attempts[0].end.or_implied(&log.attempts[0]), AttemptEnd::Limit);
    let tally = &measures.trials[0].tally;
    assert_eq!((measures.trials[0].is_solved, tally.n_moves, tally.n_after_give_up), (Some(false), 2, 1));
    assert_eq!((tally.n_of(Event::Limit), tally.n_of(Event::GiveUp)), (1, 0));
}

#[test]
fn a_trial_without_a_move_lasts_until_its_end() {
    let line = Line::new().timed(Some(20.0)).attempt("p1", "A", 1, "limit");
    let line = line.timed(Some(4.0)).attempt("p2", "A", 1, "null_move give_up");
    let line = line.timed(None).attempt("p3", "A", 1, "start limit").attempt("p4", "A", 1, "start");
    let measures = measured(line, &[]);
    let times: Vec<Option<f64>> = measures.trials.iter().map(|trial| trial.time_s).collect();
    assert_eq!(times, [Some(20.0), Some(8.0), None, None]);
    for trial in &*measures.trials {
        assert_eq!((trial.is_solved, trial.n_moves, trial.n_attempts), (Some(false), Some(0.0), 1));
        assert_eq!((trial.share_optimal, trial.mean_regret, trial.first_move_latency_s), (None, None, None));
        assert_eq!((trial.median_inter_move_s, trial.excess_moves, trial.is_perfect()), (None, None, Some(false)));
    }
    assert_eq!(measures.trials[1].tally.n_of(Event::NullMove), 1);
    // The waiting of an attempt counts in that of its trial.
    let again = Line::new().timed(Some(5.0)).attempt("p1", "A", 1, "d reset").attempt("p1", "A", 2, "limit");
    assert_eq!(measured(again, &[]).trials[0].time_s, Some(15.0));
}

#[test]
fn open_attempts_of_whoever_goes_on_were_reset_or_given_up() {
    // A row of the first attempt of p2 was rejected: perhaps it was the one that solved the level.
    let diagnostics = [rejected("p2", 1, 99)];
    let mut log = Line::of_whoever_goes_on().log();
    let ends = |log: &LabelledLog| -> Vec<AttemptEnd> {
        let measures = Measures::new(log, &diagnostics, &levels(&["A", "B"]));
        measures.attempts.iter().map(|attempt| attempt.end).collect()
    };
    use AttemptEnd::{Finished, GaveUp, Open, Reset};
    assert_eq!(ends(&log), [Open, Open, Finished, Open, Open, Open, Reset, Open]);
    log.imply_ends(&diagnostics);
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
    let measures = measured(line, &[]);
    let all = Summary::new(measures.trials.iter());
    assert_eq!((all.n_trials, all.n_solved, all.n_perfect, all.n_imperfect), (4, 3, 1, 3));
    assert_eq!((all.n_solving_attempts, all.n_perfect_attempts), (3, 2));
}

#[test]
fn the_condition_is_that_of_the_first_row_that_has_one() {
    let line = Line::new().attempt("p1", "A", 1, "start d:fast d:slow").attempt("p1", "A", 2, "d:slow");
    let measures = measured(line, &[]);
    assert_eq!(measures.attempts[0].condition.as_deref(), Some("fast"));
    assert_eq!(measures.attempts[1].condition.as_deref(), Some("slow"));
    assert_eq!(measures.trials[0].condition.as_deref(), Some("fast"));
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
    let measures = measured(line("p2", line("p1", Line::new())), &[]);
    assert_eq!(measures.trials[0].tally.time_s(), Some(12_320_000_000.0));
    let mut sum = Tally::default();
    measures.trials.iter().for_each(|trial| sum.add(&trial.tally));
    assert_eq!(sum.time_s(), Some(24_640_000_000.0));
    let huge = measured(Line::new().timed(Some(f64::MAX)).attempt("p1", "A", 1, "d d"), &[]);
    assert!(huge.trials[0].tally.time_s().is_some_and(f64::is_finite));
}

#[test]
fn moves_without_a_regret_are_counted() {
    let measures = measured(Line::new().attempt("p1", "A", 1, "d u x fall d"), &[]);
    let tally = &measures.trials[0].tally;
    assert_eq!((tally.n_moves, tally.n_regrets, tally.n_without_regret()), (5, 2, 3));
    assert_eq!(tally.mean_regret(), Some(1.0));
    let table = trials_table(&measures);
    let column = table.data.column("n_without_regret").expect("a column");
    assert_eq!(column.u64().expect("counts").get(0), Some(3));
}
