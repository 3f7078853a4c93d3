//! Logistic mixed models, as formulas over a table, against R's lme4.
//!
//! `tests/oracles/glmm.R` made the reference values, with searches much tighter than lme4's own: by itself it stops up
//! to 0.004 below the largest log-likelihood.

use plymap_statistics::estimator::{Frame, Request, Values};
use plymap_statistics::methods;
use serde_json::Value;

use crate::formulas::{cases, compare_modes, estimate, near, number};

/// Largest difference of an estimate in standard errors.
const ESTIMATE: f64 = 1e-4;

#[test]
fn logistic_models_are_those_of_lme4() {
    let mut n_compared = 0;
    // Quadrature with several points is another approximation.
    for case in cases("glmm").iter().filter(|case| case["points"] == 1) {
        let name = case["name"].as_str().unwrap();
        let (found, fit) = (estimate("logistic-mixed", case), estimate("logistic-mixed-fit", case));
        near(&fit, 0, "deviance", number(case, "deviance"), 1e-6, name);
        near(&fit, 0, "aic", number(case, "aic"), 1e-6, name);
        near(&fit, 0, "bic", number(case, "bic"), 1e-6, name);
        let expected = case["fixed"].as_array().unwrap();
        assert_eq!(found.n_rows(), expected.len(), "{name}");
        for (row, expected) in expected.iter().enumerate() {
            let what = format!("{name}, {}", found.text(row, "term").unwrap());
            let error = number(expected, "standard_error");
            near(&found, row, "estimate", number(expected, "estimate"), ESTIMATE * error, &what);
            near(&found, row, "standard_error", error, ESTIMATE * error, &what);
            near(&found, row, "statistic", number(expected, "statistic"), 1e-3, &what);
            // R takes the normal distribution; ours has longer tails where labels are few.
            assert!(found.number(row, "p_value").unwrap() >= number(expected, "p_value") - 1e-4, "{what}");
            assert!(found.number(row, "lower").unwrap() <= number(expected, "lower") + 1e-3 * error, "{what}");
        }
        compare_variances(case, name);
        compare_modes("logistic-mixed-modes", case, 1e-3, name);
        n_compared += 1;
    }
    assert_eq!(n_compared, 13);
}

fn compare_variances(case: &Value, name: &str) {
    let found = estimate("logistic-mixed-variances", case);
    let mut row = 0;
    for term in case["random"].as_array().unwrap() {
        let names = term["names"].as_array().unwrap();
        let covariance = |left: usize, right: usize| term["covariance"][left][right].as_f64().unwrap();
        let pairs = (0..names.len()).flat_map(|left| (left + 1..names.len()).map(move |right| (left, right)));
        for (left, right) in (0..names.len()).map(|own| (own, own)).chain(pairs) {
            let what = format!("{name}, covariance of {left} and {right} of {}", term["group"]);
            near(&found, row, "variance", covariance(left, right), 1e-3 * covariance(left, left).max(0.1), &what);
            row += 1;
        }
    }
    assert_eq!(row, found.n_rows(), "{name}");
}

#[test]
fn likelihood_ratios_are_those_of_r() {
    let mut n_compared = 0;
    for case in cases("glmm").iter().filter(|case| case["points"] == 1) {
        let found = estimate("logistic-mixed-comparisons", case);
        for expected in case["dropped"].as_array().unwrap() {
            let smaller = expected["formula"].as_str().unwrap();
            let is_x = smaller.contains("~ condition + ") || smaller.contains("~ 1 + ");
            if is_x && !case["formula"].as_str().unwrap().contains('*') {
                assert_eq!(found.text(0, "term"), Some("x"));
                near(&found, 0, "statistic", number(expected, "chisq"), 1e-5, smaller);
                near(&found, 0, "p_value", number(expected, "p_value"), 1e-6, smaller);
                n_compared += 1;
            }
        }
    }
    assert_eq!(n_compared, 7);
}

#[test]
fn degrees_of_freedom_are_those_of_labels() {
    let df = |name: &str, term: usize| {
        let case = cases("glmm").into_iter().find(|case| case["name"] == name).unwrap();
        estimate("logistic-mixed", &case).number(term, "df")
    };
    // Thirty people, in two conditions; x varies within them and has no slope.
    assert_eq!([0, 1, 2].map(|term| df("one factor", term)), [Some(28.0), None, Some(28.0)]);
    // With a slope of x, of which each person has one.
    let case = cases("glmm").into_iter().find(|case| case["name"] == "slopes").unwrap();
    let people: std::collections::BTreeSet<&str> =
        case["data"]["participant"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(df("slopes", 1), Some(people.len() as f64 - 1.0));
}

#[test]
fn predictors_that_tell_everything_are_refused() {
    let numbers = |values: Vec<f64>| Values::Numbers(values.into_iter().map(Some).collect());
    let frame = Frame::new(vec![
        ("person".to_owned(), Values::Text((0..20).map(|row| Some(format!("p{}", row / 4))).collect())),
        ("x".to_owned(), numbers((0..20).map(f64::from).collect())),
        ("solved".to_owned(), Values::Flags((0..20).map(|row| Some(row > 10)).collect())),
        ("never".to_owned(), Values::Flags(vec![Some(false); 20])),
    ])
    .unwrap();
    let reason = |formula: &str| {
        let request = Request { formula: Some(formula.parse().unwrap()), ..Request::new(&frame) };
        let found = methods::named("logistic-mixed").unwrap().estimate(&request).unwrap();
        found.text(0, "reason").unwrap().to_owned()
    };
    assert!(reason("solved ~ x + (1 | person)").contains("the predictors separate the events from the others"));
    assert!(reason("never ~ x + (1 | person)").contains("at least 1 observations with the event"));
}
