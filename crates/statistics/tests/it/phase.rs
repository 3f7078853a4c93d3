//! Phases of thinking and acting against scikit-learn, hmmlearn, ruptures and exact enumeration.
//!
//! `tests/oracles/phase.json` was written by the script `phase.py` beside it.

use plymap_statistics::phase::agreement::agreement;
use plymap_statistics::phase::change_points::change_points;
use plymap_statistics::phase::em::Em;
use plymap_statistics::phase::null::shuffle_test;
use plymap_statistics::phase::{PhaseMethod, Segmenter, hidden_markov, mixture};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Largest difference of values of closed form, relative to the reference or to 1.
const CLOSED_FORM: f64 = 1e-8;

/// EM stops where a step no longer raises the log-likelihood by more than its rounding, about 1e-13 here.
/// The likelihood is flat at its maximum, so the parameters are then right to the root of that over the
/// curvature (some hundreds) and over the share of the way that one step goes (at least a hundredth):
/// about 3e-7.
const AFTER_EM: f64 = 1e-6;

/// EM as far as floating point goes.
const TO_THE_END: Em = Em { n_starts: 1, max_iterations: 100_000, tolerance: 0.0, seed: 1 };

#[test]
fn mixtures_are_those_of_scikit_learn() {
    for case in cases("mixture") {
        let (what, times) = (case["name"].to_string(), get::<Vec<f64>>(&case, "times"));
        let start: mixture::Parameters = get(&case, "start");
        let membership = start.membership(&times).unwrap();
        let at_start = &case["given"];
        assert_close(membership.log_likelihood, get(at_start, "log_likelihood"), CLOSED_FORM, &what);
        for (actual, expected) in membership.posterior.iter().zip(get::<Vec<Vec<f64>>>(at_start, "posterior")) {
            assert_all_close(actual, &expected, CLOSED_FORM, &format!("{what}: posterior"));
        }
        let twelve = Em { max_iterations: 12, ..TO_THE_END };
        for (name, em, allowed) in [("after_12", twelve, CLOSED_FORM), ("converged", TO_THE_END, AFTER_EM)] {
            let (what, expected) = (format!("{what}: {name}"), &case[name]);
            let optimum = mixture::refine(&times, &start, &em).outcome.unwrap();
            let parameters = optimum.parameters;
            assert_all_close(&parameters.weights, &get::<Vec<f64>>(expected, "weights"), allowed, &what);
            assert_all_close(&parameters.means, &get::<Vec<f64>>(expected, "means"), allowed, &what);
            assert_all_close(&parameters.sds, &get::<Vec<f64>>(expected, "sds"), allowed, &what);
            assert_close(optimum.log_likelihood, get(expected, "log_likelihood"), CLOSED_FORM, &what);
        }
        let optimum = mixture::refine(&times, &start, &TO_THE_END).outcome.unwrap();
        assert_eq!((optimum.converged, &optimum.reason), (true, &None), "{what}");
        assert_close(optimum.bic, get(&case["converged"], "bic"), CLOSED_FORM, &format!("{what}: BIC"));
    }
}

#[test]
fn starts_of_our_own_reach_the_maximum_that_scikit_learn_reaches_from_near_it() {
    for case in cases("mixture") {
        let times: Vec<f64> = get(&case, "times");
        let k = get::<mixture::Parameters>(&case, "start").weights.len();
        let optimum = mixture::mixture(&times, k, &Em::new(5)).outcome.unwrap();
        let expected: f64 = get(&case["converged"], "log_likelihood");
        // Ours stops when a step gains less than 1e-9 for each time.
        assert!(optimum.log_likelihood > expected - 1e-4, "{}: {:?}, {expected}", case["name"], optimum);
    }
    for case in cases("hidden_markov") {
        let attempts: Vec<Vec<f64>> = get(&case, "attempts");
        let k = get::<hidden_markov::Parameters>(&case, "start").means.len();
        let optimum = hidden_markov::hidden_markov(&attempts, k, &Em::new(5)).outcome.unwrap();
        let expected: f64 = get(&case["converged"], "log_likelihood");
        assert!(optimum.log_likelihood > expected - 1e-4, "{}: {:?}, {expected}", case["name"], optimum);
    }
}

#[test]
fn hidden_markov_models_are_those_of_hmmlearn() {
    for case in cases("hidden_markov") {
        let (what, attempts) = (case["name"].to_string(), get::<Vec<Vec<f64>>>(&case, "attempts"));
        let start: hidden_markov::Parameters = get(&case, "start");
        let decoding = start.decode(&attempts).unwrap();
        let at_start = &case["given"];
        assert_close(decoding.log_likelihood, get(at_start, "log_likelihood"), CLOSED_FORM, &what);
        assert_eq!(decoding.path.concat(), get::<Vec<usize>>(at_start, "path"), "{what}: path");
        let posterior = decoding.posterior.concat();
        for (actual, expected) in posterior.iter().zip(get::<Vec<Vec<f64>>>(at_start, "posterior")) {
            assert_all_close(actual, &expected, CLOSED_FORM, &format!("{what}: posterior"));
        }
        // A BIC at given parameters: ours of the likelihood above, with our number of parameters.
        let fitted = hidden_markov::refine(&attempts, &start, &TO_THE_END);
        let bic = fitted.n_parameters as f64 * (fitted.n as f64).ln() - 2.0 * decoding.log_likelihood;
        assert_close(bic, get(at_start, "bic"), CLOSED_FORM, &format!("{what}: BIC"));
        let optimum = fitted.outcome.unwrap();
        let expected_bic = fitted.n_parameters as f64 * (fitted.n as f64).ln() - 2.0 * optimum.log_likelihood;
        assert_eq!(optimum.bic, expected_bic, "{what}: BIC");
        let twelve = Em { max_iterations: 12, ..TO_THE_END };
        for (name, em, allowed) in [("after_12", twelve, CLOSED_FORM), ("converged", TO_THE_END, AFTER_EM)] {
            let (what, expected) = (format!("{what}: {name}"), &case[name]);
            let optimum = hidden_markov::refine(&attempts, &start, &em).outcome.unwrap();
            let parameters = optimum.parameters;
            assert_all_close(&parameters.start, &get::<Vec<f64>>(expected, "start"), allowed, &what);
            let rows: Vec<Vec<f64>> = get(expected, "transitions");
            assert_all_close(&parameters.transitions.concat(), &rows.concat(), allowed, &what);
            assert_all_close(&parameters.means, &get::<Vec<f64>>(expected, "means"), allowed, &what);
            assert_all_close(&parameters.sds, &get::<Vec<f64>>(expected, "sds"), allowed, &what);
            assert_close(optimum.log_likelihood, get(expected, "log_likelihood"), CLOSED_FORM, &what);
        }
    }
}

#[test]
fn change_points_are_at_the_exact_minimum() {
    for case in cases("change_points") {
        let what = case["name"].to_string();
        let attempts: Vec<Vec<f64>> = get(&case, "attempts");
        let partition = change_points(&attempts, get(&case, "penalty"), get(&case, "min_moves")).outcome.unwrap();
        assert_close(partition.noise_sd, get(&case, "noise_sd"), CLOSED_FORM, &format!("{what}: σ"));
        assert_close(partition.price, get(&case, "price"), CLOSED_FORM, &format!("{what}: price"));
        assert_close(partition.mean, get(&case, "mean"), CLOSED_FORM, &format!("{what}: mean"));
        assert_close(partition.cost, get(&case, "cost"), CLOSED_FORM, &format!("{what}: cost"));
        let expected: Vec<Vec<usize>> = get(&case, "ends");
        assert_eq!(partition.n_changes(), expected.iter().map(|ends| ends.len() - 1).sum::<usize>(), "{what}");
        assert_eq!(partition.ends, expected, "{what}");
    }
}

#[test]
fn agreement_is_that_of_scikit_learn() {
    for case in cases("agreement") {
        let what = case["name"].to_string();
        let alike = agreement(&get::<Vec<u8>>(&case, "left"), &get::<Vec<u8>>(&case, "right"));
        assert_close(alike.share_equal.unwrap(), get(&case, "share_equal"), CLOSED_FORM, &what);
        assert_close(alike.adjusted_rand.unwrap(), get(&case, "adjusted_rand"), CLOSED_FORM, &what);
        match get::<Option<f64>>(&case, "kappa") {
            Some(kappa) => assert_close(alike.kappa.unwrap(), kappa, CLOSED_FORM, &what),
            None => assert!(alike.kappa.is_none() && alike.reason.is_some(), "{what}"),
        }
    }
}

/// Mean, standard deviation and shares of N shuffles differ from the exact ones by chance. Four standard
/// errors are allowed; that of the standard deviation is taken for a normal variable.
#[test]
fn shuffled_numbers_of_phases_have_their_exact_distribution() {
    const N: usize = 20_000;
    let n = N as f64;
    for case in cases("shuffles") {
        let what = case["name"].to_string();
        let attempts: Vec<Vec<f64>> = get(&case, "attempts");
        let median = Segmenter::new(PhaseMethod::Quantile { proportion: 0.5 }, 1);
        let null = shuffle_test(&attempts, &median, N, 20_240_607).n_phases;
        assert_eq!(null.observed, Some(get(&case, "observed")), "{what}");
        let (mean, sd): (f64, f64) = (get(&case, "mean"), get(&case, "sd"));
        let within = |actual: f64, expected: f64, error: f64| (actual - expected).abs() <= 4.0 * error;
        assert!(within(null.null_mean.unwrap(), mean, sd / n.sqrt()), "{what}: {null:?}, {mean}");
        assert!(within(null.null_sd.unwrap(), sd, sd / (2.0 * n).sqrt()), "{what}: {null:?}, {sd}");
        for (share, name) in [(null.p_low, "p_low"), (null.p_high, "p_high")] {
            let p: f64 = get(&case, name);
            let error = (p * (1.0 - p) / n).sqrt() + 1.0 / n;
            assert!(within(share.unwrap(), p, error), "{what}: {share:?}, {name} {p}");
        }
        let z = (null.observed.unwrap() - null.null_mean.unwrap()) / null.null_sd.unwrap();
        assert_eq!(null.z, Some(z), "{what}");
    }
}

fn cases(list: &str) -> Vec<Value> {
    let path = format!("{}/tests/oracles/phase.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let document: Value = serde_json::from_str(&text).unwrap();
    let cases = document[list].as_array().unwrap().clone();
    assert!(!cases.is_empty(), "{path} has no {list}");
    cases
}

fn get<T: DeserializeOwned>(case: &Value, name: &str) -> T {
    serde_json::from_value(case[name].clone()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Equal up to `allowed`, relative to the expected value if that is above 1 in size.
#[track_caller]
fn assert_close(actual: f64, expected: f64, allowed: f64, what: &str) {
    let difference = (actual - expected).abs();
    assert!(
        difference <= allowed * expected.abs().max(1.0),
        "{what}: found {actual}, expected {expected}, differs by {difference:e}"
    );
}

#[track_caller]
fn assert_all_close(actual: &[f64], expected: &[f64], allowed: f64, what: &str) {
    assert_eq!(actual.len(), expected.len(), "{what}");
    actual.iter().zip(expected).for_each(|(&actual, &expected)| assert_close(actual, expected, allowed, what));
}
