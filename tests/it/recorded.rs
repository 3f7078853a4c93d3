//! Recorded human play, replayed and labelled, against what was recorded and published about it.

use plymap_measures::measure::Measures;
use plymap_report::RowCounts;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::correlation::spearman;
use plymap_statistics::stats::describe::quantile;

use crate::common::rush_hour_34;
use crate::imports::Played;
use crate::recorded_data::recorded_text;

fn recorded_play() -> Option<Played> {
    Some(Played::new(&rush_hour_34()?))
}

/// Row by row: the distances before and after and the number of legal moves are the recorded ones in all
/// 33,253 rows (goal rule `path-clear`).
#[test]
fn labels_equal_the_recorded_ones_in_every_row() {
    let Some(play) = recorded_play() else { return };
    assert_eq!(
        play.account.counts,
        RowCounts { read: 33_253, accepted: 33_253, rejected: 0, replayed: 33_253, excluded: 0, left_out: 0 }
    );
    let moves = &play.moves;
    // Columns of the log are kept as text; where a label has the same name, they are called log_….
    // The file has no d_after in ten rows: the red piece drives out after its path was clear.
    for (recorded, computed, n_recorded) in
        [("d_before", "value_before", 33_253), ("d_after", "value_after", 33_243), ("log_n_legal", "n_legal", 33_253)]
    {
        let recorded = moves.column(recorded).expect("a column of the log").str().expect("text");
        let computed = moves.column(computed).expect("a label").u32().expect("whole numbers");
        assert_eq!((recorded.len() - recorded.null_count(), computed.null_count()), (n_recorded, 0));
        let expected = |text: &str| text.parse::<f64>().expect("a number");
        let differs = recorded.iter().zip(computed.iter()).filter(|(recorded, computed)| {
            recorded.is_some_and(|text| Some(expected(text)) != computed.map(f64::from))
        });
        assert_eq!(differs.count(), 0, "{}", computed.name());
    }
    let column = |name: &str| moves.column(name).expect("a column").str().expect("text").iter();
    let rows = column("d_after").zip(column("d_before")).zip(column("action"));
    let unrecorded: Vec<_> = rows.filter(|((after, _), _)| after.is_none()).collect();
    assert_eq!(unrecorded.len(), 10);
    let is_exit = |((_, before), action): &((Option<&str>, Option<&str>), Option<&str>)| {
        before == &Some("0") && action.is_some_and(|action| action.starts_with("r@"))
    };
    assert!(unrecorded.iter().all(is_exit));
    // Each row of the file is there once.
    let mut rows: Vec<u64> =
        moves.column("source_row").expect("a column").u64().expect("whole numbers").iter().flatten().collect();
    rows.sort_unstable();
    assert!(rows.iter().copied().eq(2..=33_254));
}

/// Median response times in these 34 people; the published ones (3,711 ms and 1,175 ms) are over 39.
/// The numbers were computed from the file with pandas (tests/oracles/recorded_34.py).
#[test]
fn times_of_first_and_later_moves_are_those_of_the_file() {
    let (Some(play), Some(oracle)) = (recorded_play(), oracle()) else { return };
    let moves = &play.moves;
    let (ply, rt) = (
        moves.column("ply").expect("a column").u32().expect("numbers"),
        moves.column("rt_s").expect("a column").f64().expect("numbers"),
    );
    let median = |first: bool| {
        let chosen: Vec<f64> =
            ply.iter().zip(rt.iter()).filter(|(ply, _)| (*ply == Some(0)) == first).filter_map(|(_, rt)| rt).collect();
        quantile(&chosen, 0.5).expect("a median")
    };
    for (key, value) in [("median_first_s", median(true)), ("median_later_s", median(false))] {
        let expected = oracle[key].as_f64().expect("a number");
        assert!((value - expected).abs() < 1e-9, "{key}: {value} and {expected}");
    }
}

/// Attempts, solved attempts, moves and times of the measures against pandas on the same file.
#[test]
fn measures_are_those_of_the_file() {
    let (Some(play), Some(oracle)) = (recorded_play(), oracle()) else { return };
    let Measures { attempts, trials, .. } = &play.measures;
    let solved = || attempts.iter().filter(|attempt| attempt.is_solved());
    let whole = |key: &str| oracle[key].as_u64().expect("a whole number") as usize;
    assert_eq!(
        (attempts.len(), solved().count(), trials.len()),
        (whole("n_attempts"), whole("n_solved_attempts"), whole("n_trials"))
    );
    let moves: Vec<f64> = solved().map(|attempt| attempt.tally.n_moves as f64).collect();
    let times: Vec<f64> = solved().filter_map(|attempt| attempt.tally.time_s()).collect();
    let sum = |values: &[f64]| values.iter().sum::<f64>();
    assert_eq!(sum(&moves), oracle["sum_moves_solved"].as_f64().expect("a number"));
    assert!((sum(&times) - oracle["sum_time_solved_s"].as_f64().expect("a number")).abs() < 1e-6);
    let rho = spearman(&moves, &times, Confidence::default()).estimate().expect("a correlation");
    let expected = oracle["spearman_moves_time"].as_f64().expect("a number");
    assert!((rho - expected).abs() < 1e-8, "{rho} and {expected}");
}

fn oracle() -> Option<serde_json::Value> {
    let text = include_str!("../oracles/recorded_34.json");
    Some(serde_json::from_str(text).expect("JSON"))
}

/// The published correlation of moves with time over 2,976 solved attempts: Spearman's rho = 0.853.
#[test]
fn the_published_correlation_of_moves_with_time_is_reproduced() {
    let Some(text) = recorded_text("rush_hour/paths_86subj.csv.gz") else { return };
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let solved = rows.iter().filter(|row| row[4] == "True");
    let (moves, times): (Vec<f64>, Vec<f64>) =
        solved.map(|row| (row[3].parse::<f64>().expect("moves"), row[7].parse::<f64>().expect("a time"))).unzip();
    let result = spearman(&moves, &times, Confidence::default());
    assert_eq!(result.n, 2_976);
    assert_eq!(format!("{:.3}", result.estimate().expect("a correlation")), "0.853");
}
