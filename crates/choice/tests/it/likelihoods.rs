//! The models of choice against statsmodels, scipy and groupBMC.
//!
//! `tests/oracles/choice.json` was written by `choice.py` beside it: 320 decisions, choices of six
//! kinds, and what the other implementations make of them.

use plymap_choice::{
    Alternative, Decision, Decisions, FitOptions, Folds, IntervalMethod, Model, Parameter, ParameterValues, Rule,
    cross_validate, fit, fit_all, log_likelihood, probabilities, selection,
};
use serde_json::Value;

use super::oracle::{CHOICE, ERROR, ESTIMATE, estimate_of, get};

/// Largest relative difference of a likelihood at given values, and of other closed forms.
const LIKELIHOOD: f64 = 1e-10;
#[test]
fn likelihoods_at_given_values_are_those_of_the_formulas() {
    for case in cases("fixed") {
        let decisions = recorded(&get::<String>(&case, "choices"));
        let (model, values) = model_of(&case);
        // A zero probability is minus infinity, which JSON has not.
        let expected = case["log_likelihood"].as_f64();
        let likelihood = log_likelihood(&decisions, &model, &values).ok();
        assert_close(likelihood, expected, LIKELIHOOD, &format!("{case}"));
    }
}

#[test]
fn fits_are_those_of_statsmodels_and_scipy() {
    for case in cases("fits") {
        let decisions = recorded(&get::<String>(&case, "choices"));
        let (model, _) = model_of(&case);
        let fit = fit(&decisions, &model, &FitOptions::default());
        let what = format!("{model} of {}", case["choices"]);
        assert!(fit.converged && fit.reason.is_none(), "{what}: {fit:?}");
        let expected: f64 = get(&case, "log_likelihood");
        assert_close(fit.log_likelihood, Some(expected), LIKELIHOOD, &what);
        let k: f64 = get(&case, "n_parameters");
        assert_close(fit.aic, Some(2.0 * k - 2.0 * expected), LIKELIHOOD, &what);
        assert_close(fit.bic, Some(k * 320.0_f64.ln() - 2.0 * expected), LIKELIHOOD, &what);
        for (name, value) in case["values"].as_object().unwrap() {
            let estimate = estimate_of(&fit, parameter(name));
            let what = format!("{what}: {name}");
            assert_close(estimate.estimate, value.as_f64(), ESTIMATE, &what);
            let error: f64 = get(&case["errors"], name);
            assert_close(estimate.standard_error, Some(error), ERROR, &what);
            let value = value.as_f64().unwrap();
            let (lower, upper) = wald(estimate.interval.unwrap(), value, error);
            assert_close(estimate.lower, Some(lower), ERROR, &format!("{what}, lower"));
            assert_close(estimate.upper, Some(upper), ERROR, &format!("{what}, upper"));
        }
        for (name, value) in case["whole"].as_object().unwrap() {
            let estimate = estimate_of(&fit, parameter(name));
            assert_eq!(estimate.estimate, value.as_f64(), "{what}: {name}");
            if let Some([lower, upper]) = case.get("whole_interval").map(|_| get::<[f64; 2]>(&case, "whole_interval")) {
                assert_eq!((estimate.lower, estimate.upper), (Some(lower), Some(upper)), "{what}: {name}");
            }
        }
    }
}

/// The interval of Wald, on the scale on which it is taken.
fn wald(method: IntervalMethod, value: f64, error: f64) -> (f64, f64) {
    let z = 1.959_963_984_540_054;
    match method {
        IntervalMethod::WaldLogit => {
            let end = |sign: f64| (value / (1.0 - value)).ln() + sign * z * error / (value * (1.0 - value));
            (1.0 / (1.0 + (-end(-1.0)).exp()), 1.0 / (1.0 + (-end(1.0)).exp()))
        }
        IntervalMethod::Wald => (value - z * error, value + z * error),
        IntervalMethod::WaldLog | IntervalMethod::Profile => panic!("none of these models has one"),
    }
}

#[test]
fn profile_intervals_are_those_of_scipy_also_at_the_ends_of_the_ranges() {
    for case in cases("profiles") {
        let decisions = recorded(&get::<String>(&case, "choices"));
        let (model, _) = model_of(&case);
        let what = format!("{model} of {}", case["choices"]);
        let options = FitOptions { profile: true, ..FitOptions::default() };
        let profiled = fit(&decisions, &model, &options);
        let estimate = estimate_of(&profiled, get(&case, "parameter"));
        assert_eq!(estimate.interval, Some(IntervalMethod::Profile), "{what}");
        assert_close(estimate.lower, case["lower"].as_f64(), ESTIMATE, &format!("{what}, lower"));
        assert_close(estimate.upper, case["upper"].as_f64(), ESTIMATE, &format!("{what}, upper"));
        let is_end = case.get("log_likelihood").is_some();
        assert_eq!((estimate.at_boundary, estimate.standard_error.is_none()), (is_end, is_end), "{what}");
        assert_eq!(estimate.reason.is_some(), is_end, "{what}");
        if is_end {
            assert_eq!(estimate.estimate, case["estimate"].as_f64(), "{what}");
            assert_close(profiled.log_likelihood, case["log_likelihood"].as_f64(), LIKELIHOOD, &what);
            // Without being asked for, the profile stands in where Wald has no answer.
            assert_eq!(estimate_of(&fit(&decisions, &model, &FitOptions::default()), estimate.parameter), estimate);
        }
    }
}

#[test]
fn levels_left_out_have_the_likelihood_that_scipy_gives_them() {
    for case in cases("held_out") {
        let decisions = recorded(&get::<String>(&case, "choices"));
        let (model, _) = model_of(&case);
        let validation = cross_validate(&decisions, &model, Folds::EachLevel);
        assert!(validation.converged && validation.reason.is_none());
        for (fold, expected) in validation.folds.iter().zip(get::<Vec<f64>>(&case, "folds")) {
            assert_close(fold.log_likelihood, Some(expected), ESTIMATE, &format!("{model}, a fold"));
        }
        assert_close(validation.log_likelihood, case["log_likelihood"].as_f64(), ESTIMATE, &format!("{model}"));
    }
}

/// The whole number of a fold is found without trying each; it has to be that of a fit to what is not left out.
#[test]
fn a_fold_has_the_likelihood_of_a_fit_to_the_other_levels() {
    let mut n_folds = 0;
    let choices: std::collections::BTreeSet<String> =
        cases("held_out").iter().map(|case| get(case, "choices")).collect();
    for choices in choices {
        let decisions = recorded(&choices);
        for rule in [Rule::Eureka, Rule::LookAhead] {
            for model in [Model::new(rule), Model::new(rule).with_habits()] {
                let validation = cross_validate(&decisions, &model, Folds::EachLevel);
                for (fold, &level) in validation.folds.iter().zip(&decisions.levels()) {
                    let without = fit(&decisions.on_levels(|other| other != level), &model, &FitOptions::default());
                    let held_out = decisions.on_levels(|other| other == level);
                    let expected =
                        without.log_likelihood.and_then(|_| log_likelihood(&held_out, &model, &without.values).ok());
                    assert_close(fold.log_likelihood, expected, ESTIMATE, &format!("{model} without level {level}"));
                    n_folds += 1;
                }
            }
        }
    }
    assert!(n_folds > 0);
}

#[test]
fn random_effects_selection_is_that_of_group_bmc() {
    for case in cases("selections") {
        let what = case["name"].to_string();
        let selection = selection::select(&get::<Vec<Vec<f64>>>(&case, "log_evidence"));
        assert!(selection.converged, "{what}: {:?}", selection.reason);
        // Iterated to the rounding of a double on both sides.
        assert_close(selection.free_energy, case["free_energy"].as_f64(), 1e-8, &format!("{what}: free energy"));
        assert_close(selection.free_energy_null, case["free_energy_null"].as_f64(), 1e-10, &format!("{what}: null"));
        assert_close(selection.omnibus_risk, case["omnibus_risk"].as_f64(), 1e-8, &format!("{what}: risk"));
        for (place, model) in selection.models.iter().enumerate() {
            let list = |name: &str| case[name][place].as_f64();
            assert_close(Some(model.alpha), list("alpha"), 1e-8, &format!("{what}: alpha"));
            // scipy's integral promises 1.5e-8, absolutely.
            for (actual, name) in [(model.exceedance, "exceedance"), (model.protected_exceedance, "protected")] {
                assert!((actual - list(name).unwrap()).abs() < 1e-7, "{what}: {name} {actual}");
            }
        }
        let total: f64 = selection.models.iter().map(|model| model.exceedance).sum();
        assert!((total - 1.0).abs() < 1e-10, "{what}: exceedance probabilities sum to {total}");
    }
}

#[test]
fn probabilities_sum_to_one_and_their_logarithms_to_the_likelihood() {
    for case in cases("fixed") {
        let decisions = recorded(&get::<String>(&case, "choices"));
        let (model, values) = model_of(&case);
        let all = probabilities(&decisions, &model, &values).unwrap();
        let mut logs = Vec::new();
        for (decision, distribution) in all.iter().enumerate() {
            assert!((distribution.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            logs.push(distribution[decisions.chosen(decision)].ln());
        }
        // A probability may be too small for a number while its logarithm is not.
        if logs.iter().all(|log| log.is_finite()) {
            let expected = log_likelihood(&decisions, &model, &values).ok();
            assert_close(Some(logs.iter().sum()), expected, LIKELIHOOD, &format!("{model}"));
        }
    }
}

#[test]
fn special_cases_of_models_are_one_another() {
    let decisions = recorded("soft");
    let at = |rule, values: &ParameterValues| log_likelihood(&decisions, &Model::new(rule), values).unwrap();
    let chance = at(Rule::Chance, &ParameterValues::default());
    let by_hand: f64 = (0..decisions.n()).map(|decision| -(decisions.n_legal(decision) as f64).ln()).sum();
    assert!((chance - by_hand).abs() < 1e-9);
    let values = ParameterValues { lapse: Some(1.0), inverse_temperature: Some(0.0), ..ParameterValues::default() };
    assert!((at(Rule::LapseOptimal, &values) - chance).abs() < 1e-9);
    assert!((at(Rule::SoftOptimal, &values) - chance).abs() < 1e-9);
    let far = ParameterValues { lapse: Some(0.4), eureka_distance: Some(0), ..values };
    assert!((at(Rule::Eureka, &far) - chance).abs() < 1e-9);
    // As published: λ / n, and (1 − λ) / n_optimal more where the choice is optimal.
    let good = Alternative { regret: Some(0.0), is_optimal: true, ..Alternative::default() };
    let bad = Alternative { regret: Some(1.0), ..Alternative::default() };
    let mut only = Decisions::new();
    only.push(&Decision {
        alternatives: &[good, bad, bad, good, bad],
        chosen: 3,
        distance: Some(2),
        level: 0,
        circles: &[],
    })
    .unwrap();
    let drawn = probabilities(&only, &Model::new(Rule::LapseOptimal), &far).unwrap();
    for (probability, expected) in drawn[0].iter().zip([0.38, 0.08, 0.08, 0.38, 0.08]) {
        assert!((probability - expected).abs() < 1e-15);
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_digit_of_a_fit() {
    let people: Vec<Decisions> = ["soft", "lapse", "eureka"].map(recorded).into();
    let models = [Model::new(Rule::LapseOptimal).with_habits(), Model::new(Rule::SoftOptimal)];
    let run = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| {
            let folds = Folds::Groups { n_folds: 3, seed: 9 };
            (fit_all(&people, &models, &FitOptions::default()), cross_validate(&people[0], &models[1], folds))
        })
    };
    assert_eq!(run(1), run(3));
}

/// The decisions of the oracle, with one of its lists of choices.
pub(crate) fn recorded(choices: &str) -> Decisions {
    let list = cases("choices").into_iter().find(|list| list["name"] == choices).unwrap();
    let chosen: Vec<usize> = get(&list, "chosen");
    let mut decisions = Decisions::with_depths(&[1, 3]);
    for (case, chosen) in cases("decisions").iter().zip(chosen) {
        let regrets: Vec<Option<f64>> = get(case, "regret");
        let [optimal, undo, same_piece]: [Vec<u8>; 3] = ["optimal", "undo", "same_piece"].map(|name| get(case, name));
        let look_ahead: Vec<Vec<f64>> = get(case, "look_ahead");
        let alternatives: Vec<Alternative> = (0..regrets.len())
            .map(|index| Alternative {
                regret: regrets[index],
                is_optimal: optimal[index] == 1,
                is_undo: undo[index] == 1,
                is_same_piece: same_piece[index] == 1,
                look_ahead: &look_ahead[index],
                ..Alternative::default()
            })
            .collect();
        let (distance, level) = (get(case, "distance"), get(case, "level"));
        decisions.push(&Decision { alternatives: &alternatives, chosen, distance, level, circles: &[] }).unwrap();
    }
    decisions
}

/// The model of a case, with its habits and values.
fn model_of(case: &Value) -> (Model, ParameterValues) {
    let empty = serde_json::Map::new();
    let values = case["values"].as_object().unwrap_or(&empty);
    let habits: Vec<String> = case.get("habits").map_or(Vec::new(), |_| get(case, "habits"));
    let number = |name: &str| values.get(name).and_then(Value::as_f64);
    let whole = |name: &str| number(name).map(|value| value as u32);
    let has = |name: &str| number(name).is_some() || habits.iter().any(|habit| habit == name);
    let model = Model { undo: has("undo"), same_piece: has("same_piece"), ..Model::new(get(case, "rule")) };
    let values = ParameterValues {
        lapse: number("lapse"),
        inverse_temperature: number("beta"),
        undo: number("undo"),
        same_piece: number("same_piece"),
        eureka_distance: whole("k"),
        depth: whole("depth"),
        ..ParameterValues::default()
    };
    (model, values)
}

fn parameter(name: &str) -> Parameter {
    match name {
        "lapse" => Parameter::Lapse,
        "beta" => Parameter::InverseTemperature,
        "undo" => Parameter::Undo,
        "same_piece" => Parameter::SamePiece,
        "k" => Parameter::EurekaDistance,
        "depth" => Parameter::Depth,
        other => panic!("no parameter named {other}"),
    }
}

fn cases(list: &str) -> Vec<Value> {
    super::oracle::cases(&CHOICE, list)
}

/// Asserts that both are absent, or equal up to a relative difference; an expected 0 exactly.
#[track_caller]
fn assert_close(actual: Option<f64>, expected: Option<f64>, tolerance: f64, what: &str) {
    match (actual, expected) {
        (None, None) => {}
        (Some(actual), Some(expected)) => {
            let difference = (actual - expected).abs();
            assert!(difference <= tolerance * expected.abs(), "{what}: found {actual}, expected {expected}");
        }
        (actual, expected) => panic!("{what}: found {actual:?}, expected {expected:?}"),
    }
}
