//! Logistic mixed models, as formulas over a table, against R's lme4.
//!
//! `tests/oracles/glmm.R` made the reference values, with searches much tighter than lme4's own: by itself it stops up
//! to 0.004 below the largest log-likelihood.

use plymap_statistics::estimator::{Frame, Request, Values};
use plymap_statistics::methods;
use serde_json::Value;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::formulas::{cases, compare_modes, estimate, near, number};

/// Largest difference of an estimate or its error, in standard errors.
const ESTIMATE: f64 = 1e-4;

/// Largest difference of a variance or mode, in their own size: they change with θ itself, which the deviance of rare
/// events holds less tightly.
const VARIANCE: f64 = 1e-3;

#[test]
fn logistic_models_are_those_of_lme4() {
    let mut n_compared = 0;
    // Quadrature with several points is another approximation.
    for case in cases("glmm").iter().filter(|case| case["points"] == 1) {
        let name = case["name"].as_str().unwrap();
        let (table, fit) = (estimate("logistic-mixed", case), estimate("logistic-mixed-fit", case));
        near(&fit, 0, "deviance", number(case, "deviance"), 1e-6, name);
        near(&fit, 0, "aic", number(case, "aic"), 1e-6, name);
        near(&fit, 0, "bic", number(case, "bic"), 1e-6, name);
        assert_eq!(fit.flag(0, "singular"), case["singular"].as_bool(), "{name}");
        let expected = case["fixed"].as_array().unwrap();
        assert_eq!(table.n_rows(), expected.len(), "{name}");
        for (row, expected) in expected.iter().enumerate() {
            let what = format!("{name}, {}", table.text(row, "term").unwrap());
            let error = number(expected, "standard_error");
            near(&table, row, "estimate", number(expected, "estimate"), ESTIMATE * error, &what);
            near(&table, row, "standard_error", error, ESTIMATE * error, &what);
            let z = number(expected, "statistic");
            near(&table, row, "statistic", z, 2.0 * ESTIMATE * z.abs().max(1.0), &what);
            // R takes the normal distribution for all; so is ours where there are no degrees of freedom.
            let (p, half) = match table.number(row, "df") {
                None => (number(expected, "p_value"), (number(expected, "upper") - number(expected, "lower")) / 2.0),
                Some(df) => {
                    let student = StudentsT::new(0.0, 1.0, df).unwrap();
                    (2.0 * student.cdf(-z.abs()), student.inverse_cdf(0.975) * error)
                }
            };
            near(&table, row, "p_value", p, ESTIMATE, &what);
            near(&table, row, "lower", number(expected, "estimate") - half, 5.0 * ESTIMATE * error, &what);
            near(&table, row, "upper", number(expected, "estimate") + half, 5.0 * ESTIMATE * error, &what);
        }
        compare_variances(case, name);
        compare_modes("logistic-mixed-modes", case, VARIANCE, name);
        n_compared += 1;
    }
    assert_eq!(n_compared, 13);
}

fn compare_variances(case: &Value, name: &str) {
    let table = estimate("logistic-mixed-variances", case);
    let mut row = 0;
    for term in case["random"].as_array().unwrap() {
        let names = term["names"].as_array().unwrap();
        let covariance = |left: usize, right: usize| term["covariance"][left][right].as_f64().unwrap();
        let pairs = (0..names.len()).flat_map(|left| (left + 1..names.len()).map(move |right| (left, right)));
        for (left, right) in (0..names.len()).map(|place| (place, place)).chain(pairs) {
            let what = format!("{name}, covariance of {left} and {right} of {}", term["group"]);
            let scale = (covariance(left, left) * covariance(right, right)).sqrt().max(0.1);
            near(&table, row, "variance", covariance(left, right), VARIANCE * scale, &what);
            row += 1;
        }
    }
    assert_eq!(row, table.n_rows(), "{name}");
}

#[test]
fn likelihood_ratios_are_those_of_r() {
    let mut n_compared = 0;
    for case in cases("glmm").iter().filter(|case| case["points"] == 1) {
        let table = estimate("logistic-mixed-comparisons", case);
        for expected in case["dropped"].as_array().unwrap() {
            let smaller = expected["formula"].as_str().unwrap();
            let is_x = smaller.contains("~ condition + ") || smaller.contains("~ 1 + ");
            if is_x && !case["formula"].as_str().unwrap().contains('*') {
                assert_eq!(table.text(0, "term"), Some("x"));
                near(&table, 0, "statistic", number(expected, "chisq"), 1e-5, smaller);
                near(&table, 0, "p_value", number(expected, "p_value"), 1e-6, smaller);
                near(&table, 0, "df", number(expected, "df"), 0.0, smaller);
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
    // The difference of slopes between conditions is one between people.
    let case = cases("glmm").into_iter().find(|case| case["name"] == "slopes, crossed").unwrap();
    let table = estimate("logistic-mixed", &case);
    let row = (0..table.n_rows()).find(|&row| table.text(row, "term").unwrap().contains(" : ")).unwrap();
    let texts = |column: &str| case["data"][column].as_array().unwrap().iter().filter_map(Value::as_str);
    let people = texts("participant").collect::<std::collections::BTreeSet<&str>>().len() as f64;
    assert_eq!(table.number(row, "df"), Some(people - 2.0));
}

#[test]
fn joint_tests_are_those_of_their_contrasts() {
    let case = cases("glmm").into_iter().find(|case| case["name"] == "crossed").unwrap();
    let (effects, terms) = (estimate("logistic-mixed", &case), estimate("logistic-mixed-terms", &case));
    let contrasts = estimate("logistic-mixed-contrasts", &case);
    // x and condition have one contrast each: F is t², with the same degrees of freedom and p.
    for row in 0..2 {
        let t = effects.number(row + 1, "statistic").unwrap();
        near(&terms, row, "statistic", t * t, 1e-9 * t * t, "F is t²");
        near(&terms, row, "p_value", effects.number(row + 1, "p_value").unwrap(), 1e-9, "p");
        assert_eq!(terms.number(row, "df2"), effects.number(row + 1, "df"));
    }
    near(&contrasts, 0, "estimate", -effects.number(2, "estimate").unwrap(), 1e-12, "first less second");
    near(&contrasts, 0, "p_value", effects.number(2, "p_value").unwrap(), 1e-12, "p of the contrast");
}

#[test]
fn a_large_value_of_a_predictor_separates_nothing() {
    // One value is so far out that the log odds there exceed 30, and the maximum is finite.
    let x = (0..120).map(|row| if row == 7 { 400.0 } else { f64::from(row * 37 % 23) / 10.0 - 1.0 });
    let solved = (0..120).map(|row| Some(row == 7 || (row * 29 + row / 7) % 5 < 2 + row % 2));
    let frame = Frame::new(vec![
        ("person".to_owned(), Values::Text((0..120).map(|row| Some(format!("p{}", row / 8))).collect())),
        ("x".to_owned(), Values::Numbers(x.map(Some).collect())),
        ("solved".to_owned(), Values::Flags(solved.collect())),
    ])
    .unwrap();
    let formula = Some("solved ~ x + (1 | person)".parse().unwrap());
    let table = methods::named("logistic-mixed").unwrap().estimate(&Request { formula, ..Request::new(&frame) });
    assert_eq!(table.unwrap().text(0, "reason"), None);
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
        let table = methods::named("logistic-mixed").unwrap().estimate(&request).unwrap();
        table.text(0, "reason").unwrap().to_owned()
    };
    assert!(reason("solved ~ x + (1 | person)").contains("the predictors separate the events from the others"));
    assert!(reason("never ~ x + (1 | person)").contains("needs observations with the event"));
}
