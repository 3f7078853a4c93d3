//! Chance and lapse-optimal on recorded play of Rush Hour and the Tower of London.
//!
//! `tests/oracles/choice_recorded.json` was written by `choice_recorded.py`, which replays the raw logs,
//! searches their positions and fits the models by itself. These two models depend on a decision only
//! through the number of legal and of optimal moves and whether the choice was optimal; the file holds how
//! often each of these occurs, so that the fit can be compared without the logs.

use plymap_choice::{Alternative, Decision, Decisions, FitOptions, Model, ModelFit, Rule, fit};
use serde_json::Value;

#[test]
fn recorded_play_has_the_likelihoods_that_were_computed_from_the_raw_logs() {
    let document = document();
    for (game, n_people, n_decisions) in [("rush_hour", 34, 33_232), ("tower_of_london", 80, 14_198)] {
        let people = document[game].as_array().unwrap();
        assert_eq!(people.len(), n_people, "{game}");
        let mut n = 0;
        for person in people {
            let decisions = decisions_of(person);
            let [chance, lapse] = [Rule::Chance, Rule::LapseOptimal]
                .map(|rule| fit(&decisions, &Model::new(rule), &FitOptions::default()));
            n += chance.n;
            assert_eq!(chance.n as u64, person["n"].as_u64().unwrap());
            assert_likelihood(&chance, person, "nll_chance");
            assert_likelihood(&lapse, person, "nll_lapse");
            // The likelihood is flat at its top: ten digits of it fix five of the rate. Here both sides
            // solve for a slope of 0, and agree to more.
            let rate = person["lambda"].as_f64().unwrap();
            let fitted = lapse.values.lapse.unwrap();
            assert!((fitted - rate).abs() < 1e-7 * rate, "{game} {}: λ {fitted}, expected {rate}", person["id"]);
        }
        assert_eq!(n, n_decisions, "{game}");
    }
}

/// Six of the 34 are among the 42 people whose likelihoods Olieslagers et al. published; the script says
/// under which exclusions. Compared here is what they printed.
#[test]
fn the_published_likelihoods_of_people_in_both_files_are_reproduced() {
    let document = document();
    let people = document["published"].as_array().unwrap();
    assert_eq!(people.len(), 6);
    for person in people {
        for (ours, theirs) in [("nll_chance", "published_nll_random"), ("nll_lapse", "published_nll_opt_rand")] {
            let (ours, theirs) = (person[ours].as_f64().unwrap(), person[theirs].as_f64().unwrap());
            assert!((ours - theirs).abs() < 1e-8, "{person}");
        }
        let fitted = fit(&decisions_of(person), &Model::new(Rule::LapseOptimal), &FitOptions::default());
        assert_likelihood(&fitted, person, "published_nll_opt_rand");
    }
}

fn document() -> Value {
    serde_json::from_str(include_str!("../../oracles/choice_recorded.json")).unwrap()
}

fn decisions_of(person: &Value) -> Decisions {
    let mut decisions = Decisions::new();
    let rows: Vec<[usize; 4]> = serde_json::from_value(person["decisions"].clone()).unwrap();
    for [n_legal, n_optimal, is_optimal, count] in rows {
        let alternatives: Vec<Alternative> =
            (0..n_legal).map(|index| Alternative { is_optimal: index < n_optimal, ..Alternative::default() }).collect();
        let chosen = if is_optimal == 1 { 0 } else { n_optimal };
        for _ in 0..count {
            decisions
                .push(&Decision { alternatives: &alternatives, chosen, distance: None, level: 0, circles: &[] })
                .unwrap();
        }
    }
    decisions
}

/// Sums of a few thousand logarithms in another order differ by some 1e-13 of their size.
#[track_caller]
fn assert_likelihood(fit: &ModelFit, person: &Value, name: &str) {
    let (actual, expected) = (-fit.log_likelihood.unwrap(), person[name].as_f64().unwrap());
    assert!((actual - expected).abs() < 1e-11 * expected, "{} {name}: {actual}, expected {expected}", person["id"]);
    assert!(fit.converged && fit.reason.is_none());
}
