//! Errors in a row against models of people, beside all ways in which they could come, counted out in Python.

use plymap_statistics::sequence::modelled::{Expected, Following, against_models};
use plymap_statistics::stats::Confidence;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::oracle::{CLOSED_FORM, assert_close, cases, get};

/// The mean of n replicates differs from that of all with standard deviation sd / √n, and the share of those as extreme
/// with √(p (1 − p) / n). Five of these are allowed.
#[test]
fn replicates_agree_with_all_ways_in_which_events_can_come() {
    let n = 19_999;
    for case in cases("modelled", "cases") {
        let (all, each) = against_models(&people(&case), n, 3, Confidence::default());
        let what = case["name"].to_string();
        assert_following(&all.after_none, get(&case, "after_none"), &what);
        assert_following(&all.after_event, get(&case, "after_event"), &what);
        let test = all.outcome.unwrap();
        assert_close(Some(test.difference), get(&case, "difference"), CLOSED_FORM, &what);
        let (mean, sd): (f64, f64) = (get(&case, "mean"), get(&case, "sd"));
        assert!((test.expected - mean).abs() < 5.0 * sd / (n as f64).sqrt(), "{what}: {} and {mean}", test.expected);
        // Halved, because the smaller of two one-sided p values was doubled.
        let p = get::<f64>(&case, "p_at_least").min(get(&case, "p_at_most"));
        let allowed = 5.0 * (p * (1.0 - p) / n as f64).sqrt() + 1.0 / n as f64;
        assert!((test.p_value.min(1.0) / 2.0 - p.min(0.5)).abs() < allowed, "{what}: {} and {p}", test.p_value);
        assert_eq!(each.len(), people(&case).len());
    }
}

/// Positions that are hard come together: errors do, and no order of them says so, but a model that knows it. Errors are
/// drawn without memory; the seed is one of many, and a p above .05 is what 19 of 20 give.
#[test]
fn what_a_model_expects_is_no_dependence() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let hard_and_easy: Vec<Expected> = (0..4_000)
        .map(|number: usize| {
            let probability = if (number / 20).is_multiple_of(2) { 0.8 } else { 0.1 };
            Expected { happened: random.random::<f64>() < probability, probability, follows: number > 0 }
        })
        .collect();
    let ignorant: Vec<Expected> = hard_and_easy.iter().map(|step| Expected { probability: 0.45, ..*step }).collect();
    let outcome = |people: Vec<Expected>| against_models(&[people], 999, 1, Confidence::default()).0.outcome.unwrap();
    let (knowing, ignorant) = (outcome(hard_and_easy), outcome(ignorant));
    assert!(ignorant.difference > 0.2 && ignorant.p_value == 0.002, "{ignorant:?}");
    assert!(knowing.p_value > 0.05 && knowing.difference.abs() < 0.1, "{knowing:?}");
}

#[test]
fn without_events_there_is_nothing_to_compare() {
    let never = vec![Expected { happened: false, probability: 0.5, follows: true }; 9];
    let (all, each) = against_models(&[never, Vec::new()], 99, 1, Confidence::default());
    let reason = all.outcome.unwrap_err().to_string();
    assert!(reason.contains("nobody has moves after an event and moves after none"), "{reason}");
    assert!(each.iter().all(|contrast| contrast.outcome.is_err()) && each[1].after_none.share().is_none());
}

fn people(case: &Value) -> Vec<Vec<Expected>> {
    let recorded: Vec<Vec<(u8, f64, bool)>> = get(case, "people");
    let of_move = |&(happened, probability, follows): &(u8, f64, bool)| Expected {
        happened: happened == 1,
        probability,
        follows,
    };
    recorded.iter().map(|moves| moves.iter().map(of_move).collect()).collect()
}

fn assert_following(actual: &Following, (n, n_events, expected, shuffled): (u64, u64, f64, Option<f64>), what: &str) {
    assert_eq!((actual.n, actual.n_events), (n, n_events), "{what}");
    assert_close(Some(actual.expected), Some(expected), CLOSED_FORM, what);
    assert_close(actual.shuffled_share(), shuffled, CLOSED_FORM, what);
}
