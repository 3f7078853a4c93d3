//! The mixed model of recorded response times against R's lme4 and lmerTest.
//!
//! `tests/oracles/mixed_recorded.R` made the reference values. The tolerances and their reasons are those of the
//! simulated models, in `crates/statistics/tests/it/mixed.rs`.

use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::mixed::{
    Criterion, Design, Effect, FTest, Grouping, MixedModel, RandomTerm, mixed_model,
};
use serde_json::Value;

use crate::recorded_data::recorded_text;

/// Largest relative difference of an estimate.
const ESTIMATE: f64 = 2e-6;

/// Largest relative difference of a criterion of likelihood.
const LIKELIHOOD: f64 = 1e-10;

/// Largest relative difference of degrees of freedom.
const DF: f64 = 1e-4;

/// Largest relative difference of a logarithm of p, or of p itself where it is not small.
const LOG_P: f64 = 1e-4;

#[test]
fn the_recorded_moves_of_34_people_give_the_model_of_lme4() {
    let Some(text) = recorded_text("rush_hour/moves_34subj.csv.gz") else { return };
    // Ten moves have no distance after them.
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect::<Vec<&str>>()).collect();
    let rows: Vec<Vec<&str>> = rows.into_iter().filter(|row| !row[7].is_empty()).collect();
    assert_eq!(rows.len(), 33_243);
    let number = |row: &Vec<&str>, column: usize| row[column].parse::<f64>().unwrap();
    let column = |value: &dyn Fn(&Vec<&str>) -> f64| rows.iter().map(value).collect::<Vec<f64>>();
    let labels = |column: usize| rows.iter().map(|row| row[column]).collect::<Vec<&str>>();
    let quality: Vec<&str> = rows
        .iter()
        .map(|row| match number(row, 7) - number(row, 6) {
            change if change < 0.0 => "better",
            0.0 => "same",
            _ => "worse",
        })
        .collect();
    let design = Design::with_intercept(rows.len())
        .factor("quality", &quality, "better")
        .and_then(|design| design.numeric("d_before", &column(&|row| number(row, 6))))
        .and_then(|design| design.numeric("log_n_legal", &column(&|row| number(row, 8).ln())))
        .unwrap();
    let groupings = [Grouping::new("subject", &labels(0)), Grouping::new("instance", &labels(1))];
    let y = column(&|row| number(row, 5).ln());
    let model =
        mixed_model(&y, &design, &groupings.map(RandomTerm::intercepts), Criterion::Reml, Confidence::default());
    let oracle: Value = serde_json::from_str(include_str!("../../oracles/mixed_recorded.json")).unwrap();
    compare(&model, &oracle["cases"][0]);
    assert_eq!(model.fixed[1].sentence(), "b = 0.09, 95 % CI [0.07, 0.10], t(32831.0) = 11.01, p < .001");
    assert_eq!(model.term_test("quality").sentence(), "F(2, 32940.1) = 61.47, p < .001");
}

fn compare(model: &MixedModel, case: &Value) {
    assert!(model.converged && model.reason.is_none(), "{:?}", model.reason);
    assert_eq!((Some(model.n as u64), model.singular), (case["n"].as_u64(), case["singular"].as_bool()));
    let fixed = list(&case["fixed"]);
    assert_eq!(model.fixed.len(), fixed.len());
    for (effect, expected) in model.fixed.iter().zip(fixed) {
        compare_effect(effect, expected);
    }
    for expected in list(&case["tests"]) {
        compare_test(&model.term_test(expected["name"].as_str().unwrap()), expected);
    }
    assert_eq!(model.random.len(), list(&case["random"]).len());
    for factor in &model.random {
        let expected = list(&case["random"]).iter().find(|effect| effect["name"] == *factor.factor).unwrap();
        assert_eq!(Some(factor.n_labels as u64), expected["n_levels"].as_u64(), "labels of {}", factor.factor);
        // Where it is near 0, it is known in units of the residuals' only.
        let allowed = ESTIMATE * factor.sd(0).max(model.residual_sd.unwrap());
        assert_within(factor.sd(0), &expected["sd"], allowed, &format!("sd of {}", factor.factor));
        assert_within(factor.icc, &expected["icc"], ESTIMATE, &format!("icc of {}", factor.factor));
        compare_modes(model, &factor.factor, expected);
    }
    for (actual, field, allowed) in [
        (model.residual_sd, "residual_sd", ESTIMATE),
        (model.deviance, "criterion", LIKELIHOOD),
        (model.log_likelihood, "log_likelihood", LIKELIHOOD),
        (model.aic, "aic", LIKELIHOOD),
        (model.bic, "bic", LIKELIHOOD),
        (model.r2_marginal, "r2_marginal", ESTIMATE),
        (model.r2_conditional, "r2_conditional", ESTIMATE),
    ] {
        assert_relative(actual, &case[field], allowed, field);
    }
}

fn compare_effect(effect: &Effect, expected: &Value) {
    let what = |field: &str| format!("{field} of {}", effect.name);
    for (actual, field, allowed) in [
        (effect.estimate, "estimate", ESTIMATE),
        (effect.standard_error, "standard_error", ESTIMATE),
        (effect.statistic, "statistic", 2.0 * ESTIMATE),
        (effect.df, "df", DF),
    ] {
        assert_relative(actual, &expected[field], allowed, &what(field));
    }
    assert_log_p(effect.p_value, expected, &what("p"));
    // The ends move with the quantile of t, which moves less than df.
    let allowed = DF * effect.standard_error.unwrap();
    assert_within(effect.lower.unwrap(), &expected["lower"], allowed, &what("lower end"));
    assert_within(effect.upper.unwrap(), &expected["upper"], allowed, &what("upper end"));
}

fn compare_test(test: &FTest, expected: &Value) {
    let what = format!("F of {}", test.name);
    assert_relative(test.statistic, &expected["statistic"], 4.0 * ESTIMATE, &what);
    assert_eq!(test.df1.map(|df| df as u64), expected["df1"].as_u64(), "{what}: df1");
    assert_relative(test.df2, &expected["df2"], DF, &format!("{what}: df2"));
    assert_log_p(test.p_value, expected, &what);
}

fn compare_modes(model: &MixedModel, factor: &str, expected: &Value) {
    let fitted: Vec<_> = model.modes().iter().filter(|mode| mode.factor == factor).collect();
    let labels: Vec<&str> = list(&expected["levels"]).iter().map(|label| label.as_str().unwrap()).collect();
    assert_eq!(fitted.iter().map(|mode| mode.label.as_str()).collect::<Vec<_>>(), labels, "{factor}");
    let modes = list(&expected["modes"]);
    let spread = modes.iter().filter_map(Value::as_f64).fold(0.0_f64, |largest, mode| largest.max(mode.abs()));
    for (mode, expected) in fitted.iter().zip(modes) {
        let allowed = 4.0 * ESTIMATE * spread.max(0.01);
        assert_within(mode.mode, expected, allowed, &format!("{factor}: mode of {}", mode.label));
    }
}

fn list(values: &Value) -> &[Value] {
    values.as_array().expect("a list")
}

#[track_caller]
fn assert_log_p(actual: Option<f64>, expected: &Value, what: &str) {
    let (actual, expected) = (actual.unwrap().ln(), expected["p_value"].as_f64().unwrap().ln());
    let allowed = LOG_P * expected.abs().max(1.0);
    assert!((actual - expected).abs() <= allowed, "log p of {what}: found {actual}, expected {expected} ± {allowed:e}");
}

#[track_caller]
fn assert_relative(actual: Option<f64>, expected: &Value, allowed: f64, what: &str) {
    let actual = actual.unwrap_or_else(|| panic!("{what} is absent"));
    assert_within(actual, expected, allowed * expected.as_f64().unwrap().abs(), what);
}

#[track_caller]
fn assert_within(actual: f64, expected: &Value, allowed: f64, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!((actual - expected).abs() <= allowed, "{what}: found {actual}, expected {expected} ± {allowed:e}");
}
