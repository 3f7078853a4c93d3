//! Infinite parameters, and the likelihood that is left, against linear programming in scipy.
//!
//! `tests/oracles/choice_separation.json` was written by `choice_separation.py` beside it.

use plymap_choice::{Alternative, Decision, Decisions, FitOptions, Model, ModelFit, Parameter, Rule, fit};
use serde_json::Value;

use super::oracle::{ERROR, ESTIMATE, SEPARATION, cases, estimate_of, get};

/// A model whose rule the case names, fitted to its decisions.
fn fitted(case: &Value) -> ModelFit {
    let mut decisions = Decisions::new();
    for decision in case["decisions"].as_array().unwrap() {
        let moves: Vec<(f64, bool, bool, f64, f64)> = get(decision, "moves");
        let alternatives: Vec<Alternative> = moves
            .into_iter()
            .map(|(regret, is_undo, is_same_piece, first, second)| Alternative {
                regret: Some(regret),
                is_optimal: regret == 0.0,
                is_undo,
                is_same_piece,
                features: [first, second],
                ..Alternative::default()
            })
            .collect();
        let chosen = get(decision, "chosen");
        decisions.push(&Decision { alternatives: &alternatives, chosen, ..Decision::default() }).unwrap();
    }
    let rule: Rule = serde_json::from_value(case["rule"].clone()).unwrap();
    fit(&decisions, &Model::new(rule).with_habits(), &FitOptions::default())
}

/// Asserts that both are absent, or equal up to a share of the larger of the expected value and 1: some are 0.
#[track_caller]
fn assert_close(actual: Option<f64>, expected: Option<f64>, tolerance: f64, what: &str) {
    let is_close = match (actual, expected) {
        (Some(actual), Some(expected)) => (actual - expected).abs() <= tolerance * expected.abs().max(1.0),
        (actual, expected) => actual == expected,
    };
    assert!(is_close, "{what}: found {actual:?}, expected {expected:?}");
}

#[test]
fn an_estimate_is_absent_exactly_where_linear_programming_finds_a_separation() {
    let mut n_of = [0; 3];
    for (number, case) in cases(&SEPARATION, "cases").into_iter().enumerate() {
        let fitted = fitted(&case);
        let what = format!("case {number}, {}", fitted.model);
        assert!(fitted.converged, "{what}");
        // What remains of moves that become impossible is less than rounding of the sum.
        assert_close(fitted.log_likelihood, case["log_likelihood"].as_f64(), 1e-9, &what);
        assert_eq!(fitted.n_parameters, get::<usize>(&case, "n_parameters"), "{what}");
        for (name, status) in case["status"].as_object().unwrap() {
            let what = format!("{what}: {name}");
            let parameter: Parameter = serde_json::from_value(Value::from(name.as_str())).unwrap();
            let estimate = estimate_of(&fitted, parameter);
            let reason = estimate.reason.as_ref().map(ToString::to_string).unwrap_or_default();
            let status = status.as_str().unwrap();
            match status {
                "finite" => {
                    n_of[0] += 1;
                    let what = format!("{what} ({reason})");
                    assert_close(estimate.estimate, case["values"][name].as_f64(), ESTIMATE, &what);
                    assert_close(estimate.standard_error, case["errors"][name].as_f64(), ERROR, &what);
                    assert_eq!(estimate.at_boundary, estimate.standard_error.is_none(), "{what}");
                    continue;
                }
                "endless" => {
                    n_of[1] += 1;
                    assert!(reason.contains("no finite maximum likelihood estimate"), "{what}: {reason}");
                    assert!(estimate.lower.is_none() || estimate.upper.is_none(), "{what}");
                    assert_eq!(estimate.limit.is_none(), reason.ends_with("together with others"), "{what}");
                }
                "flat" => {
                    n_of[2] += 1;
                    assert!(reason.contains("changed together with others"), "{what}: {reason}");
                }
                _ => assert!(reason.ends_with("no decision depends on it"), "{what}: {reason}"),
            }
            assert_eq!((estimate.estimate, estimate.standard_error), (None, None), "{what}");
            assert_eq!(estimate.at_boundary, status == "endless", "{what}");
        }
    }
    assert!(n_of[0] > 150 && n_of[1] > 150 && n_of[2] > 0, "{n_of:?}");
}
