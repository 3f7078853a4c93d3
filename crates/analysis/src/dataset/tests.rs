use std::collections::HashMap;

use super::*;
use plymap_measures::testing::{Line, levels, rejected};

/// The dataset of some attempts at the levels A and B.
fn data_of(line: Line) -> Dataset {
    let (log, levels) = (line.log(), levels(&["A", "B"]));
    Dataset::new(&log, &Measures::new(&log, &[], &levels), &levels)
}

/// The distances before and after the moves of each stretch of the only attempt.
fn stretches(words: &str) -> Vec<Vec<(f64, f64)>> {
    let data = data_of(Line::new().attempt("p1", "A", 1, words));
    let ends = |row: &MoveRow| (row.value_before.unwrap_or(-1.0), row.value_after.unwrap_or(-1.0));
    data.stretches(&data.attempts[0]).map(|moves| moves.iter().map(ends).collect()).collect()
}

/// docs/scale.md says how much a move takes.
#[test]
fn moves_stay_small_and_share_what_they_did() {
    assert_eq!(size_of::<MoveRow>(), 40);
    let data = data_of(Line::new().attempt("p1", "A", 1, "d u d").attempt("p2", "A", 1, "d"));
    let same = |a: &MoveRow, b: &MoveRow| a.fact == b.fact;
    let pairs = || data.moves.iter().flat_map(|a| data.moves.iter().map(move |b| (a, b)));
    assert!(pairs().any(|(a, b)| a.row != b.row && same(a, b)));
    assert!(pairs().filter(|(a, b)| same(a, b)).all(|(a, b)| Arc::ptr_eq(&a.fact, &b.fact)));
}

#[test]
fn undos_resets_and_illegal_moves_part_an_attempt() {
    assert_eq!(stretches("d d d").len(), 1);
    assert_eq!(stretches("d d undo undo d"), [vec![(5.0, 4.0), (4.0, 3.0)], vec![(5.0, 4.0)]]);
    // Back at the start, the position is that before the reset, and still nobody went on from there.
    assert_eq!(stretches("d u reset d"), [vec![(5.0, 4.0), (4.0, 5.0)], vec![(5.0, 4.0)]]);
    assert_eq!(stretches("d x d"), [vec![(5.0, 4.0)], vec![(4.0, 3.0)]]);
    // A hint splits nothing, and what has no move has no stretch.
    assert_eq!(stretches("start d hint d").len(), 1);
    assert!(stretches("start reset").is_empty());
}

#[test]
fn lost_positions_are_no_choices() {
    let data = data_of(Line::new().attempt("p1", "A", 1, "d fall d d undo undo undo d"));
    let attempt = &data.attempts[0];
    let choices: Vec<usize> = data.choices(attempt).map(<[MoveRow]>::len).collect();
    assert_eq!((choices, data.n_lost(attempt)), (vec![2, 1], 2));
}

#[test]
fn qualities_are_those_that_the_maps_and_the_log_can_have() {
    let mut data = data_of(Line::new().attempt("p1", "A", 1, "d u d"));
    // The line of these tests has states from which no goal can be reached.
    assert_eq!(data.qualities(), [Quality::Better, Quality::Same, Quality::Worse, Quality::DeadEnd]);
    for row in &mut data.level_rows {
        row.measures.iter_mut().filter(|(name, _)| *name == N_DEAD_ENDS).for_each(|(_, n)| *n = Some(0.0));
    }
    assert_eq!(data.qualities(), [Quality::Better, Quality::Same, Quality::Worse]);
    data.moves[0].quality = Quality::DeadEnd;
    assert!(data.qualities().contains(&Quality::DeadEnd));
    // Of a level that was not mapped it is not known.
    data.moves[0].quality = Quality::Better;
    data.level_rows[0].measures.clear();
    assert!(data.qualities().contains(&Quality::DeadEnd));
    assert!(data_of(Line::new().attempt("p1", "A", 1, "d x d")).qualities().contains(&Quality::Illegal));
}

#[test]
fn dataset_and_measures_count_the_same_moves() {
    let line = Line::new()
        .attempt("p1", "A", 1, "d u give_up d d d d d")
        .attempt("p1", "A", 2, "d d d d d u")
        .attempt("p1", "A", 3, "d d")
        .attempt("p2", "B", 1, "d reset x d d");
    let (log, levels) = (line.log(), levels(&["A", "B"]));
    let measures = Measures::new(&log, &[], &levels);
    let data = Dataset::new(&log, &measures, &levels);
    let ends: Vec<AttemptEnd> = data.attempts.iter().map(|attempt| attempt.end).collect();
    assert_eq!(ends, [AttemptEnd::GaveUp, AttemptEnd::Finished, AttemptEnd::Open]);
    for trial in &*measures.trials {
        let attempts = data.attempts.iter().filter(|attempt| attempt.participant == trial.participant);
        let n_moves: usize = attempts.map(|attempt| attempt.moves.len()).sum();
        let n_illegal = trial.tally.n_by_quality[Quality::Illegal.index()];
        assert_eq!(n_moves as u64 + n_illegal, trial.tally.n_moves, "{}", trial.participant);
    }
}

#[test]
fn trials_come_in_the_order_in_which_files_are_read() {
    let order = |files: &[&str]| {
        let line = Line::new().of_files(files).in_file("run10.csv").attempt("p1", "A", 1, "d");
        let data = data_of(line.in_file("run2.csv").attempt("p1", "B", 1, "d"));
        data.trials.iter().map(|trial| trial.order).collect::<Vec<_>>()
    };
    assert_eq!(order(&["run2.csv", "run10.csv"]), [Some(1), Some(0)]);
    assert_eq!(order(&["run10.csv", "run2.csv"]), [Some(0), Some(1)]);
}

#[test]
fn a_trial_of_which_no_row_could_be_replayed_is_a_trial() {
    let (log, levels) = (Line::new().attempt("good", "A", 1, "d d d d d").log(), levels(&["A"]));
    let measures = Measures::new(&log, &[rejected("bad", 1, 9)], &levels);
    let data = Dataset::new(&log, &measures, &levels);
    assert_eq!(data.participants, ["bad", "good"]);
    let trials: Vec<_> = data.trials.iter().map(|trial| (trial.participant, trial.is_solved, trial.order)).collect();
    assert_eq!(trials, [(0, None, None), (1, Some(true), Some(0))]);
    assert_eq!(data.attempts_by_participant().iter().map(Vec::len).collect::<Vec<_>>(), [0, 1]);
}

/// The dataset of some attempts at level A, for the tests of analyses.
pub(crate) fn of_line(line: Line) -> Dataset {
    data_of(line)
}

#[test]
fn the_ends_of_attempts_are_those_of_the_measures() {
    let line = Line::of_whoever_goes_on();
    let diagnostics = [rejected("p2", 1, 99)];
    let mut log = line.log();
    for is_implied in [false, true] {
        if is_implied {
            log.imply_ends(&diagnostics);
        }
        let measures = Measures::new(&log, &diagnostics, &levels(&["A", "B"]));
        let data = Dataset::new(&log, &measures, &levels(&["A", "B"]));
        let key = |participant: &str, level: &str, attempt| (participant.to_owned(), level.to_owned(), attempt);
        let ends: HashMap<_, _> = measures
            .attempts
            .iter()
            .map(|attempt| (key(&attempt.participant, &attempt.level, attempt.attempt), attempt.end))
            .collect();
        for attempt in &data.attempts {
            let key =
                key(&measures.participants[attempt.participant], &measures.levels[attempt.level], attempt.attempt);
            assert_eq!(ends[&key], attempt.end, "{key:?}");
        }
        assert_eq!(data.attempts.len(), 7, "all but the one behind a solution");
    }
}
