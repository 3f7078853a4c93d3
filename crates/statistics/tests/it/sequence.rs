//! Sequences of moves against scipy, statsmodels, lifelines, and second implementations in Python.

use plymap_statistics::sequence::cost::{Course, ErrorCosts, error_costs};
use plymap_statistics::sequence::dependence::{OrderTest, first_order, second_order};
use plymap_statistics::sequence::hazard::{hazard, hazard_after, quantile_edges};
use plymap_statistics::sequence::residuals::transition_residuals;
use plymap_statistics::sequence::revisits::revisits;
use plymap_statistics::sequence::runs::{RunLength, runs, runs_test};
use plymap_statistics::sequence::same_piece::same_piece;
use plymap_statistics::sequence::shuffle::Shuffles;
use plymap_statistics::sequence::transitions::transitions;
use plymap_statistics::sequence::trap::{Visit, traps};
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::interval::Proportion;
use serde_json::Value;

use crate::oracle::{CLOSED_FORM, assert_close, cases, confidence, flags, get};

/// Successes, number, estimate, lower and upper end.
type Share = (u64, u64, Option<f64>, Option<f64>, Option<f64>);

#[test]
fn transitions_and_their_intervals_are_those_of_statsmodels() {
    for case in cases("sequence", "codes") {
        let table = transitions(&attempts(&case), None, get(&case, "n_codes"), confidence(&case));
        let expected: Vec<Share> = get(&case, "transitions");
        assert_eq!(table.transitions.len(), expected.len());
        for (transition, expected) in table.transitions.iter().zip(expected) {
            assert_share(&transition.share, expected, &format!("{}: {transition:?}", case["name"]));
        }
    }
}

#[test]
fn tests_of_dependence_are_those_of_scipy() {
    for case in cases("sequence", "codes") {
        let (attempts, n_codes) = (attempts(&case), get(&case, "n_codes"));
        assert_order(&first_order(&attempts, n_codes), &case["first_order"], &format!("{}, first", case["name"]));
        assert_order(&second_order(&attempts, n_codes), &case["second_order"], &format!("{}, second", case["name"]));
    }
}

#[test]
fn residuals_and_odds_ratios_of_transitions_are_those_of_statsmodels() {
    for case in cases("sequence", "codes") {
        let cells = transition_residuals(&attempts(&case), get(&case, "n_codes"), confidence(&case)).unwrap();
        let expected: Vec<[Option<f64>; 4]> = get(&case, "residuals");
        assert_eq!(cells.len(), expected.len());
        for (cell, expected) in cells.iter().zip(expected) {
            let what = format!("{}: {} to {}", case["name"], cell.from, cell.to);
            let parts = [cell.residual, cell.odds_ratio, cell.lower, cell.upper];
            parts.into_iter().zip(expected).for_each(|(part, value)| assert_close(part, value, CLOSED_FORM, &what));
            assert_eq!(cell.reason.is_some(), cell.odds_ratio.is_none(), "{what}: what is absent has a reason");
        }
    }
}

#[test]
fn streaks_and_runs_tests_are_those_of_statsmodels() {
    for case in cases("sequence", "codes") {
        let attempts = attempts(&case);
        for expected in case["runs"].as_array().unwrap() {
            let what = format!("{}, code {}", case["name"], expected["code"]);
            let streaks = runs(&attempts, get(expected, "code"));
            assert_eq!(streaks.n_with_code, get::<usize>(expected, "n_with_code"), "{what}");
            assert_eq!(streaks.n_runs, get::<usize>(expected, "n_code_runs"), "{what}");
            assert_eq!(streaks.longest, get::<usize>(expected, "longest"), "{what}");
            assert_eq!(streaks.n_at_end, get::<usize>(expected, "n_at_end"), "{what}");
            assert_eq!(spread(&streaks.lengths), get::<Vec<usize>>(expected, "lengths"), "{what}");
            let test = runs_test(&attempts, get(expected, "code"));
            assert_eq!(test.n_runs, get::<usize>(expected, "n_runs"), "{what}");
            assert_close(Some(test.expected), get(expected, "expected"), CLOSED_FORM, &what);
            assert_close(test.statistic, get(expected, "statistic"), CLOSED_FORM, &what);
            assert_close(test.p_value, get(expected, "p_value"), CLOSED_FORM, &what);
        }
    }
}

#[test]
fn revisits_and_same_pieces_are_those_of_looking_back_from_each_move() {
    for case in cases("sequence", "states") {
        let what = case["name"].to_string();
        let paths = revisits(&get::<Vec<Vec<u32>>>(&case, "attempts"), None, confidence(&case));
        for (name, share) in
            [("unique", &paths.unique), ("revisits", &paths.revisits), ("undos", &paths.undos), ("loops", &paths.loops)]
        {
            assert_share(share, get(&case, name), &format!("{what}: {name}"));
        }
        assert_eq!(paths.n_stays, get::<u64>(&case, "n_stays"));
        let lengths: Vec<usize> =
            paths.lengths.iter().flat_map(|length| std::iter::repeat_n(length.length, length.n)).collect();
        assert_eq!(lengths, get::<Vec<usize>>(&case, "lengths"));
        let pieces = same_piece(&get::<Vec<Vec<u32>>>(&case, "pieces"), None, confidence(&case));
        assert_share(&pieces.same, get(&case, "same"), &format!("{what}: same piece"));
        assert_close(pieces.expected, get(&case, "chance"), CLOSED_FORM, &what);
        assert_eq!(spread(&pieces.lengths), get::<Vec<usize>>(&case, "piece_runs"));
    }
}

#[test]
fn hazards_are_those_of_numpy_and_statsmodels() {
    for case in cases("sequence", "hazard") {
        let covariate: Vec<f64> = get(&case, "covariate");
        let edges: Vec<f64> = get(&case, "edges");
        let binned = hazard(&flags(&case, "events"), &covariate, None, &edges, confidence(&case));
        let expected: Vec<Share> = get(&case, "bins");
        assert_eq!((binned.bins.len(), binned.n_outside), (expected.len(), get(&case, "n_outside")));
        for (bin, expected) in binned.bins.iter().zip(expected) {
            assert_share(&bin.hazard, expected, &format!("hazard from {}", bin.from));
        }
        let edges = quantile_edges(&covariate, get(&case, "n_bins")).unwrap();
        let expected: Vec<f64> = get(&case, "quantile_edges");
        assert_eq!(edges.len(), expected.len());
        edges
            .iter()
            .zip(expected)
            .for_each(|(edge, value)| assert_close(Some(*edge), Some(value), CLOSED_FORM, "edge"));
        let errors: Vec<Vec<u8>> = get(&case, "errors");
        let errors: Vec<Vec<bool>> = errors.iter().map(|row| row.iter().map(|&error| error == 1).collect()).collect();
        let after = hazard_after(&errors, confidence(&case));
        assert_share(&after.after_event, get(&case, "after_event"), "after an event");
        assert_share(&after.after_none, get(&case, "after_none"), "after none");
        for (actual, expected) in
            [after.ratio, after.lower, after.upper].into_iter().zip(get::<Vec<f64>>(&case, "ratio"))
        {
            assert_close(actual, Some(expected), CLOSED_FORM, "ratio");
        }
    }
}

#[test]
fn traps_are_those_of_scipys_exact_tests() {
    type Row = (u32, u64, u64, f64, f64, f64, f64, f64, usize, usize, f64);
    for case in cases("sequence", "trap") {
        let visits: Vec<(u32, u32, u8, f64)> = get(&case, "visits");
        let visits: Vec<Visit> = visits
            .into_iter()
            .map(|(state, participant, error, chance)| Visit { state, participant, is_error: error == 1, chance })
            .collect();
        let by_state = traps(&visits, get(&case, "n_min"), confidence(&case));
        let expected: Vec<Row> = get(&case, "states");
        assert_eq!(by_state.states.len(), expected.len());
        assert_eq!(by_state.n_states, by_state.states.len() + by_state.n_rare);
        for (trap, row) in by_state.states.iter().zip(expected) {
            let what = format!("state {}", trap.state);
            assert_eq!((trap.state, trap.n_participants, trap.n_participants_erring), (row.0, row.8, row.9));
            assert_share(&trap.errors, (row.1, row.2, Some(row.3), Some(row.4), Some(row.5)), &what);
            assert_close(Some(trap.chance), Some(row.6), CLOSED_FORM, &what);
            assert_close(trap.p_value, Some(row.7), CLOSED_FORM, &format!("{what}: p"));
            assert_close(trap.p_adjusted, Some(row.10), CLOSED_FORM, &format!("{what}: adjusted p"));
        }
    }
}

#[test]
fn costs_of_errors_are_those_of_looking_ahead_and_their_medians_those_of_lifelines() {
    for case in cases("sequence", "cost") {
        let distances: Vec<Vec<Option<u32>>> = get(&case, "distances");
        let times: Vec<Vec<f64>> = get(&case, "times");
        let courses: Vec<Course> =
            distances.iter().zip(&times).map(|(distances, times)| Course { distances, times }).collect();
        let costs = error_costs(&courses);
        let expected: Vec<(usize, usize, usize, f64, u8, u8)> = get(&case, "errors");
        assert_eq!(costs.errors.len(), expected.len());
        for (error, row) in costs.errors.iter().zip(expected) {
            assert_eq!((error.attempt, error.ply, error.moves), (row.0, row.1, row.2));
            assert_eq!((u8::from(error.is_recovered), u8::from(error.is_nested)), (row.4, row.5));
            assert_close(Some(error.seconds), Some(row.3), CLOSED_FORM, "seconds");
        }
        for (name, outermost_only) in [("all", false), ("outermost", true)] {
            assert_medians(&costs, outermost_only, &case[name]);
        }
    }
}

/// The mean of n shuffles differs from that over all orders with standard deviation sd / √n, and the
/// share of shuffles that are as extreme from the true p with √(p (1 − p) / n). Five of these are
/// allowed, which a right implementation exceeds with probability 6e-7 for each number compared; and
/// 1 / n for the one that is added to both counts of the p value.
#[test]
fn shuffles_agree_with_all_orders_within_their_monte_carlo_error() {
    let shuffles = Shuffles { n: 19_999, seed: 20_240_703 };
    let n = shuffles.n as f64;
    let mean_close = |actual: f64, mean: f64, sd: f64, what: &str| {
        let allowed = 5.0 * sd / n.sqrt() + 1e-9;
        assert!((actual - mean).abs() <= allowed, "{what}: found {actual}, expected {mean} ± {allowed}");
    };
    let p_close = |actual: f64, p: f64, what: &str| {
        let allowed = 5.0 * (p * (1.0 - p) / n).sqrt() + 1.0 / n;
        assert!((actual - p).abs() <= allowed, "{what}: found {actual}, expected {p} ± {allowed}");
    };
    for case in cases("sequence", "shuffles") {
        let what = case["name"].to_string();
        let attempts = attempts(&case);
        let shuffled = shuffles.pairs(&attempts, get(&case, "n_codes")).outcome.unwrap();
        assert_close(Some(shuffled.statistic), get(&case, "statistic"), CLOSED_FORM, &what);
        mean_close(shuffled.expected, get(&case, "mean"), get(&case, "sd"), &format!("{what}: G²"));
        p_close(shuffled.p_value, get(&case, "p"), &format!("{what}: p of G²"));
        let [expected, sds, at_least, at_most]: [Vec<f64>; 4] =
            ["expected", "sds", "p_at_least", "p_at_most"].map(|name| get(&case, name));
        for (index, cell) in shuffled.transitions.iter().enumerate() {
            let what = format!("{what}: {} to {}", cell.from, cell.to);
            mean_close(cell.expected, expected[index], sds[index], &what);
            // Halved, because the smaller of two one-sided p values was doubled.
            p_close(cell.p_value / 2.0, at_least[index].min(at_most[index]).min(0.5), &format!("{what}: p"));
        }
        let runs = shuffles.runs(&attempts, get(&case, "code"));
        let [n_runs, mean, sd, few, many]: [f64; 5] = get(&case, "runs");
        assert_eq!(runs.n_runs as f64, n_runs);
        let test = runs.outcome.unwrap();
        mean_close(test.expected_runs, mean, sd, &format!("{what}: runs"));
        p_close(test.p_few, few, &format!("{what}: few runs"));
        p_close(test.p_many, many, &format!("{what}: many runs"));
        let [longest, mean, sd, long]: [f64; 4] = get(&case, "longest");
        assert_eq!(runs.longest as f64, longest);
        mean_close(test.expected_longest, mean, sd, &format!("{what}: longest"));
        p_close(test.p_longest, long, &format!("{what}: long longest"));
    }
}

fn attempts(case: &Value) -> Vec<Vec<u8>> {
    get(case, "attempts")
}

/// Each length as often as it comes.
fn spread(lengths: &[RunLength]) -> Vec<usize> {
    lengths.iter().flat_map(|length| std::iter::repeat_n(length.length, length.n)).collect()
}

#[track_caller]
fn assert_share(proportion: &Proportion, expected: Share, what: &str) {
    assert_eq!((proportion.successes, proportion.n), (expected.0, expected.1), "{what}");
    assert_close(proportion.estimate, expected.2, CLOSED_FORM, what);
    assert_close(proportion.lower, expected.3, CLOSED_FORM, what);
    assert_close(proportion.upper, expected.4, CLOSED_FORM, what);
}

#[track_caller]
fn assert_order(order: &OrderTest, expected: &Value, what: &str) {
    assert_eq!(order.n, get::<u64>(expected, "n"), "{what}");
    assert_eq!(order.n_small_cells, get::<usize>(expected, "n_small_cells"), "{what}");
    let dependence = order.outcome.as_ref().unwrap();
    for (name, test) in [("likelihood_ratio", dependence.likelihood_ratio), ("pearson", dependence.pearson)] {
        let [statistic, df, p]: [f64; 3] = get(expected, name);
        assert_eq!(test.df as f64, df, "{what}: {name}");
        assert_close(Some(test.statistic), Some(statistic), CLOSED_FORM, &format!("{what}: {name}"));
        assert_close(Some(test.p_value), Some(p), CLOSED_FORM * statistic.max(1.0), &format!("{what}: p of {name}"));
    }
    assert_close(Some(dependence.mutual_information), get(expected, "mutual_information"), CLOSED_FORM, what);
    assert_close(dependence.share_of_entropy, get(expected, "share_of_entropy"), CLOSED_FORM, what);
}

#[track_caller]
fn assert_medians(costs: &ErrorCosts, outermost_only: bool, expected: &Value) {
    let summary = costs.summary(outermost_only, Confidence::default());
    for (name, curve) in [("moves", &summary.moves), ("seconds", &summary.seconds)] {
        let expected: [Option<f64>; 3] = get(expected, name);
        let quartiles = [curve.median.estimate, curve.median.lower, curve.median.upper];
        quartiles.into_iter().zip(expected).for_each(|(actual, value)| assert_close(actual, value, CLOSED_FORM, name));
    }
}
