//! Mixed models with random slopes, as formulas over a table, against R's lme4, lmerTest and emmeans.
//!
//! `tests/oracles/mixed_slopes.R` made the reference values.

use plymap_statistics::estimator::Estimates;
use plymap_statistics::formula::Formula;
use serde_json::Value;

use crate::formulas::{cases, compare_modes, estimate, near, number};

/// Largest difference of an estimate or its error, in standard errors: both sides find θ to some 1e-5 where a covariance
/// is nearly singular and the deviance flat, and these depend weakly on it.
const ESTIMATE: f64 = 1e-4;

/// Largest relative difference of degrees of freedom. They rest on second derivatives by differences, of which R keeps
/// four digits where a variance is nearly 0 (`mixed_slopes.R` says so of "hardly any variance of slopes").
const DF: f64 = 2e-3;

/// Largest difference of a criterion of likelihood, which is flat at its minimum.
const LIKELIHOOD: f64 = 1e-6;

/// Largest difference of a variance or mode, in their own size: they change with θ itself, some ten times as much.
const VARIANCE: f64 = 2e-4;

#[test]
fn models_with_slopes_are_those_of_lme4() {
    for case in cases("mixed_slopes") {
        let name = case["name"].as_str().unwrap();
        compare_fit(&case, name);
        if case["reml"] == false {
            continue;
        }
        let table = estimate("mixed", &case);
        let expected = case["fixed"].as_array().unwrap();
        assert_eq!(table.n_rows(), expected.len(), "{name}");
        for (row, expected) in expected.iter().enumerate() {
            let what = format!("{name}, {}", table.text(row, "term").unwrap());
            assert_eq!(table.flag(row, "converged"), Some(true), "{what}");
            let error = number(expected, "standard_error");
            near(&table, row, "estimate", number(expected, "estimate"), ESTIMATE * error, &what);
            near(&table, row, "standard_error", error, ESTIMATE * error, &what);
            near(&table, row, "lower", number(expected, "lower"), DF * error, &what);
            near(&table, row, "upper", number(expected, "upper"), DF * error, &what);
            let df = number(expected, "df");
            near(&table, row, "df", df, DF * df, &what);
            near(&table, row, "p_value", number(expected, "p_value"), 1e-4, &what);
        }
        compare_tests(&case, name);
        compare_variances(&case, name);
        compare_modes("mixed-modes", &case, VARIANCE, name);
    }
}

fn compare_fit(case: &Value, name: &str) {
    let table = estimate("mixed-fit", case);
    let row = if case["reml"] == true { 0 } else { 1 };
    if case["reml"] == true {
        near(&table, 0, "deviance", number(case, "criterion"), LIKELIHOOD, name);
        near(&table, 1, "log_likelihood", number(case, "log_likelihood_ml"), LIKELIHOOD, name);
    } else {
        near(&table, 1, "log_likelihood", number(case, "log_likelihood"), LIKELIHOOD, name);
    }
    assert_eq!(table.flag(row, "singular"), case["singular"].as_bool(), "{name}");
    near(&table, row, "aic", number(case, "aic"), LIKELIHOOD, name);
    near(&table, row, "bic", number(case, "bic"), LIKELIHOOD, name);
}

fn compare_tests(case: &Value, name: &str) {
    let table = estimate("mixed-terms", case);
    assert_eq!(table.n_rows(), case["tests"].as_array().unwrap().len(), "{name}");
    for (row, expected) in case["tests"].as_array().unwrap().iter().enumerate() {
        let what = format!("{name}, F of {}", table.text(row, "term").unwrap());
        assert_eq!(table.text(row, "term").unwrap().replace(" : ", ":"), expected["name"].as_str().unwrap());
        let statistic = number(expected, "statistic");
        near(&table, row, "statistic", statistic, 2.0 * ESTIMATE * statistic.max(1.0), &what);
        near(&table, row, "p_value", number(expected, "p_value"), 1e-4, &what);
        near(&table, row, "df", number(expected, "df1"), 0.0, &what);
        let df = number(expected, "df2");
        near(&table, row, "df2", df, DF * df, &what);
    }
}

fn compare_variances(case: &Value, name: &str) {
    let table = estimate("mixed-variances", case);
    let residual = number(case, "residual_sd");
    near(&table, table.n_rows() - 1, "sd", residual, 1e-5 * residual, name);
    let mut row = 0;
    for term in case["random"].as_array().unwrap() {
        let names = term["names"].as_array().unwrap();
        let covariance = |left: usize, right: usize| term["covariance"][left][right].as_f64().unwrap();
        let pairs = (0..names.len()).flat_map(|left| (left + 1..names.len()).map(move |right| (left, right)));
        for (left, right) in (0..names.len()).map(|place| (place, place)).chain(pairs) {
            let what = format!("{name}, covariance of {left} and {right} of {}", term["group"]);
            // In the scale of the variances, and where these are near 0 in that of the residuals.
            let scale = (covariance(left, left) * covariance(right, right)).sqrt().max(1e-2 * residual * residual);
            near(&table, row, "variance", covariance(left, right), VARIANCE * scale, &what);
            row += 1;
        }
    }
    assert_eq!(row + 1, table.n_rows(), "{name}");
}

#[test]
fn marginal_means_are_those_of_emmeans() {
    let mut n_compared = 0;
    for case in cases("mixed_slopes") {
        let name = case["name"].as_str().unwrap();
        let means = case["marginal_means"].as_array().cloned().unwrap_or_default();
        if means.is_empty() || case["reml"] == false {
            continue;
        }
        let (table, differences) = (estimate("mixed-means", &case), estimate("mixed-contrasts", &case));
        for category in &means {
            for expected in category["means"].as_array().unwrap() {
                let row = row_of(&table, &[("term", &category["factor"]), ("label", &expected["label"])]);
                let (what, error) = (format!("{name}, {}", expected["label"]), number(expected, "standard_error"));
                near(&table, row, "estimate", number(expected, "mean"), ESTIMATE * error, &what);
                near(&table, row, "standard_error", error, ESTIMATE * error, &what);
                near(&table, row, "df", number(expected, "df"), DF * number(expected, "df"), &what);
                n_compared += 1;
            }
            for expected in category["differences"].as_array().unwrap() {
                let what = format!("{name}, {expected}");
                let (first, second) = expected["name"].as_str().unwrap().split_once(" - ").unwrap();
                let (first, second) = (Value::from(first), Value::from(second));
                let wanted = [("term", &category["factor"]), ("first", &first), ("second", &second)];
                let row = row_of(&differences, &wanted);
                let error = number(expected, "standard_error");
                near(&differences, row, "estimate", number(expected, "estimate"), ESTIMATE * error, &what);
                near(&differences, row, "standard_error", error, ESTIMATE * error, &what);
                near(&differences, row, "df", number(expected, "df"), DF * number(expected, "df"), &what);
                near(&differences, row, "p_value", number(expected, "p_value"), 1e-4, &what);
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 10, "{n_compared}");
}

#[test]
fn likelihood_ratios_are_those_of_r() {
    let mut n_compared = 0;
    for case in cases("mixed_slopes") {
        let table = estimate("mixed-comparisons", &case);
        let formula = case["formula"].as_str().unwrap();
        for expected in case["dropped"].as_array().unwrap() {
            let smaller: Formula = expected["formula"].as_str().unwrap().parse().unwrap();
            let without = |term: &str| {
                let mut formula: Formula = formula.parse().unwrap();
                formula.fixed.products.retain(|product| product.join(" : ") != term);
                formula
            };
            let Some(row) = (0..table.n_rows()).find(|&row| without(table.text(row, "term").unwrap()) == smaller)
            else {
                assert!(expected["formula"].as_str().unwrap().contains("(1 | participant)"), "fewer random effects");
                continue;
            };
            near(&table, row, "statistic", number(expected, "chisq"), 1e-5, formula);
            near(&table, row, "p_value", number(expected, "p_value"), 1e-5, formula);
            near(&table, row, "df", number(expected, "df"), 0.0, formula);
            n_compared += 1;
        }
    }
    assert_eq!(n_compared, 5);
}

fn row_of(table: &Estimates, wanted: &[(&str, &Value)]) -> usize {
    let is_wanted = |row: &usize| wanted.iter().all(|(column, value)| table.text(*row, column) == value.as_str());
    (0..table.n_rows()).find(is_wanted).unwrap_or_else(|| panic!("no row {wanted:?}"))
}
