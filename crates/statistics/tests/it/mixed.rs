//! The mixed model against R's lme4 and lmerTest.
//!
//! `tests/oracles/mixed.R` made the reference values, with an optimiser much tighter than lme4's
//! default.

use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::mixed::{
    Criterion, Design, Effect, FTest, Grouping, MixedModel, RandomTerm, logistic_mixed_model, mixed_model,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Largest relative difference of an estimate. lme4 stops where the deviance, known to about 1e-13
/// of itself, no longer falls; as it is a parabola there, θ is known to the square root of that,
/// some 1e-6, and with it the variances. Fixed effects and standard errors depend weakly on θ.
const ESTIMATE: f64 = 2e-6;

/// Largest relative difference of a criterion of likelihood, which is flat at its minimum.
const LIKELIHOOD: f64 = 1e-10;

/// Largest relative difference of degrees of freedom. Both sides take them from second derivatives by
/// differences, of which lmerTest's keep six digits or more, and fewer where a θ is near 0: there the
/// curvature, a difference of numbers that nearly cancel, changes with θ many times over, and θ itself is
/// known to 1e-5 of its value.
const DF: f64 = 1e-4;

/// Largest relative difference of a logarithm of p, or of p itself where it is not small. As log p is
/// about −t²/2 far out, it has twice the relative error of t; that of df adds to it.
const LOG_P: f64 = 1e-4;

#[test]
fn simulated_models_are_those_of_lme4_and_lmertest() {
    for case in cases() {
        let name = case["name"].as_str().unwrap();
        let model = simulated(&case);
        compare(&model, &case, name);
        for (number, expected) in case["contrasts"].as_array().unwrap().iter().enumerate() {
            let what = format!("{name}, contrast {number}");
            let contrast = model.contrast("a contrast", &get::<Vec<f64>>(expected, "weights"));
            compare_effect(&contrast, expected, &what);
        }
    }
}

#[test]
fn the_order_of_the_factors_does_not_matter() {
    let case = cases().into_iter().find(|case| case["name"] == "three factors").unwrap();
    let (y, design, groupings) = parts(&case);
    let forward = mixed_model(&y, &design, &intercepts(&groupings), Criterion::Reml, Confidence::default());
    let reversed: Vec<Grouping> = groupings.into_iter().rev().collect();
    let backward = mixed_model(&y, &design, &intercepts(&reversed), Criterion::Reml, Confidence::default());
    assert_within(backward.deviance.unwrap(), forward.deviance.unwrap(), 1e-9, "deviance");
    for (left, right) in forward.random.iter().zip(backward.random.iter().rev()) {
        assert_eq!(left.factor, right.factor);
        assert_within(left.sd(0), right.sd(0), 1e-6, &left.factor);
    }
}

#[test]
fn another_unit_and_another_zero_change_only_what_they_must() {
    let case = &cases()[0];
    let (y, design, groupings) = parts(case);
    let plain = mixed_model(&y, &design, &intercepts(&groupings), Criterion::Reml, Confidence::default());
    let moved: Vec<f64> = y.iter().map(|y| 1e6 + 1e-3 * y).collect();
    let moved = mixed_model(&moved, &design, &intercepts(&groupings), Criterion::Reml, Confidence::default());
    for (plain, moved) in plain.fixed.iter().zip(&moved.fixed).skip(1) {
        assert_within(moved.estimate.unwrap() * 1e3, plain.estimate.unwrap(), 1e-6, &plain.name);
        let df = plain.df.unwrap();
        assert_within(moved.df.unwrap(), df, 1e-4 * df, &format!("df of {}", plain.name));
    }
}

#[test]
fn a_singular_fit_is_the_model_without_the_factor() {
    let case = cases().into_iter().find(|case| case["name"] == "no variance of levels").unwrap();
    let (y, design, groupings) = parts(&case);
    let both = mixed_model(&y, &design, &intercepts(&groupings), Criterion::Reml, Confidence::default());
    let single = mixed_model(&y, &design, &intercepts(&groupings[..1]), Criterion::Reml, Confidence::default());
    assert_eq!((both.singular, single.singular), (Some(true), Some(false)));
    assert_eq!((both.random[1].sd(0), both.random[1].icc), (0.0, 0.0));
    for (left, right) in both.fixed.iter().zip(&single.fixed) {
        assert_within(left.df.unwrap(), right.df.unwrap(), 1e-3, &left.name);
    }
    assert!(both.sentence().ends_with("ICC = .25 (participant), .00 (level); singular: no variance of level"));
    assert_eq!(both.modes().iter().filter(|mode| mode.factor == "level" && mode.mode != 0.0).count(), 0);
}

#[test]
fn what_cannot_be_fitted_says_why() {
    let y = [1.0, 2.5, 2.0, 4.0, 3.0, 5.5];
    let fit = |y: &[f64], design: Design, groups: &[Grouping]| {
        let model = mixed_model(y, &design, &intercepts(groups), Criterion::Reml, Confidence::default());
        assert!(model.fixed.is_empty() && model.deviance.is_none() && !model.converged);
        assert!(model.term_test("intercept").reason.is_some() && model.contrast("none", &[1.0]).reason.is_some());
        assert!(model.sentence().contains("not estimable") && model.modes().is_empty());
        model.reason.unwrap().to_string()
    };
    let intercept = || Design::with_intercept(6);
    let group = |labels: [&str; 6]| Grouping::new("group", &labels);
    let halves = || group(["a", "a", "a", "b", "b", "b"]);
    let refused = "the mixed model is not defined here: ";
    assert_eq!(fit(&y, intercept(), &[group(["a"; 6])]), format!("{refused}all observations have the same group"));
    assert_eq!(
        fit(&y, intercept(), &[group(["a", "b", "c", "d", "e", "f"])]),
        format!("{refused}each observation has a group of its own, like a residual")
    );
    assert_eq!(
        fit(&y, intercept(), &[halves(), group(["x", "x", "x", "y", "y", "y"])]),
        format!("{refused}group and group divide the observations alike")
    );
    let twice = intercept().numeric("two", &[2.0; 6]).unwrap();
    assert_eq!(
        fit(&y, twice, &[halves()]),
        format!("{refused}the column two is a combination of the columns before it")
    );
    let line = intercept().numeric("line", &y.map(|y| 3.0 * y - 1.0)).unwrap();
    assert_eq!(fit(&y, line, &[halves()]), format!("{refused}the fixed effects alone leave no variance"));
    assert_eq!(fit(&[2.0; 6], intercept(), &[halves()]), "all values of y are equal");
    assert!(fit(&[1.0, 2.0, f64::NAN, 4.0, 5.0, 6.0], intercept(), &[halves()]).starts_with("y holds NaN"));
    assert!(fit(&y[..5], intercept(), &[halves()]).starts_with("y has 5 values but the design has 6"));
    assert!(fit(&[], Design::with_intercept(0), &[Grouping::new("group", &[""; 0])]).contains("found 0"));
    assert!(fit(&y, intercept(), &[]).contains("must be from 1 to 6"));
}

#[test]
fn a_model_without_fixed_effects_has_only_variances() {
    let y = [1.0, 1.5, -2.0, -1.0, 0.5, 1.0];
    let group = [Grouping::new("group", &["a", "a", "b", "b", "c", "c"])];
    let model = mixed_model(&y, &Design::empty(6), &intercepts(&group), Criterion::Reml, Confidence::default());
    assert!(model.converged && model.fixed.is_empty());
    // Balanced, known mean 0: the mean squares within and of the groups' means are the estimates.
    assert_within(model.residual_sd.unwrap().powi(2), (0.125 + 0.5 + 0.125) / 3.0, 1e-9, "within");
    let of_means = (1.25_f64.powi(2) + 1.5_f64.powi(2) + 0.75_f64.powi(2)) / 3.0;
    assert_within(model.random[0].covariance[0][0], of_means - 0.25 / 2.0, 1e-8, "between");
    assert_within(model.r2_marginal.unwrap(), 0.0, 1e-15, "nothing is explained");
}

#[test]
fn groups_without_any_residual_are_reported_and_not_divided_by() {
    let y = [1.0, 1.0, 2.0, 2.0, 5.0, 5.0];
    let group = [Grouping::new("group", &["a", "a", "b", "b", "c", "c"])];
    let model =
        mixed_model(&y, &Design::with_intercept(6), &intercepts(&group), Criterion::Reml, Confidence::default());
    assert!(!model.converged);
    assert_eq!(
        model.reason.unwrap().to_string(),
        "the mixed model is not defined here: the random effects leave no variance to the residuals"
    );
}

/// Three people in three conditions: what differs between the conditions is what differs between the people.
#[test]
fn conditions_of_one_person_each_have_no_test_and_leave_the_others_theirs() {
    let n = 60;
    let person = |row: usize| ["ann", "bob", "cy"][row % 3];
    let x: Vec<f64> = (0..n).map(|row| (row * 7 % 11) as f64).collect();
    let y: Vec<f64> = (0..n).map(|row| (row % 3) as f64 + 0.3 * x[row] + (row * 5 % 13) as f64).collect();
    let people: Vec<&str> = (0..n).map(person).collect();
    let conditions: Vec<&str> = (0..n).map(|row| ["calm", "hurry", "speed"][row % 3]).collect();
    let design = Design::with_intercept(n).factor("condition", &conditions, "calm").unwrap();
    let design = design.numeric("x", &x).unwrap();
    let people = intercepts(&[Grouping::new("participant", &people)]);
    // The restricted likelihood does not tell the variance of people, the likelihood has it at 0.
    let restricted = mixed_model(&y, &design, &people, Criterion::Reml, Confidence::default());
    assert!(restricted.reason.unwrap().to_string().contains("the variances are not identified"));
    let linear = mixed_model(&y, &design, &people, Criterion::Ml, Confidence::default());
    let events: Vec<bool> = y.iter().map(|y| *y > 8.0).collect();
    let logistic = logistic_mixed_model(&events, &design, &people, Confidence::default());
    for model in [linear, logistic] {
        assert_eq!((model.converged, &model.reason), (true, &None));
        let conditions = model.term_test("condition");
        assert_eq!((conditions.df1, conditions.df2, conditions.p_value), (Some(2), Some(0.0), None));
        for effect in &model.fixed {
            let is_tested = effect.name == "x";
            assert_eq!(effect.p_value.is_some() && effect.lower.is_some(), is_tested, "{effect:?}");
            assert_eq!(effect.reason.is_none(), is_tested, "{effect:?}");
            assert!(effect.estimate.is_some() && effect.standard_error.is_some(), "{effect:?}");
        }
        assert!(conditions.reason.unwrap().to_string().contains("as many effects as labels"));
    }
}

#[test]
fn a_wrong_contrast_is_refused() {
    let model = simulated(&cases()[0]);
    assert_eq!(
        model.contrast("short", &[1.0]).reason.unwrap().to_string(),
        "the contrast has 1 values but the model has 4; they must be paired"
    );
    assert!(model.contrast("nothing", &[0.0; 4]).reason.unwrap().to_string().contains("weights"));
    assert!(model.f_test::<[f64; 4]>("none", &[]).reason.unwrap().to_string().contains("needs contrasts"));
    assert!(model.term_test("colour").reason.unwrap().to_string().contains("no term colour"));
    let repeated = model.f_test("twice the same", &[[0.0, 1.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]]);
    assert_eq!(repeated.df1, Some(1));
    assert_within(repeated.statistic.unwrap(), model.fixed[1].statistic.unwrap().powi(2), 1e-9, "F is t²");
}

fn intercepts(groupings: &[Grouping]) -> Vec<RandomTerm> {
    groupings.iter().cloned().map(RandomTerm::intercepts).collect()
}

fn simulated(case: &Value) -> MixedModel {
    let (y, design, groupings) = parts(case);
    let criterion = if case["reml"] == true { Criterion::Reml } else { Criterion::Ml };
    mixed_model(&y, &design, &intercepts(&groupings), criterion, Confidence::default())
}

fn parts(case: &Value) -> (Vec<f64>, Design, Vec<Grouping>) {
    let y: Vec<f64> = get(case, "y");
    let design = Design::with_intercept(y.len())
        .factor("quality", &get::<Vec<String>>(case, "quality"), "better")
        .and_then(|design| design.numeric("distance", &get::<Vec<f64>>(case, "distance")))
        .unwrap();
    let grouping = |group: &Value| Grouping::new(&get::<String>(group, "name"), &get::<Vec<String>>(group, "labels"));
    let mut groupings: Vec<Grouping> = case["groups"].as_array().unwrap().iter().map(grouping).collect();
    // lme4 orders the factors by their size; the order of the names is as good as any.
    groupings.sort_by(|left, right| right.name.cmp(&left.name));
    (y, design, groupings)
}

fn compare(model: &MixedModel, case: &Value, name: &str) {
    assert!(model.converged && model.reason.is_none(), "{name}: {:?}", model.reason);
    assert_eq!(model.n, get::<usize>(case, "n"), "{name}: n");
    assert_eq!(model.singular, Some(get(case, "singular")), "{name}: singular");
    assert_eq!(model.fixed.len(), case["fixed"].as_array().unwrap().len(), "{name}: fixed effects");
    for (effect, expected) in model.fixed.iter().zip(case["fixed"].as_array().unwrap()) {
        compare_effect(effect, expected, &format!("{name}, {}", effect.name));
    }
    for expected in case["tests"].as_array().unwrap() {
        compare_test(&model.term_test(expected["name"].as_str().unwrap()), expected, name);
    }
    for term in &model.random {
        let what = format!("{name}, {}", term.factor);
        let expected = case["random"].as_array().unwrap().iter().find(|known| known["name"] == *term.factor).unwrap();
        compare_random(model, &term.factor, expected, &what);
        assert_eq!(term.n_labels, get::<usize>(expected, "n_levels"), "{what}: labels");
        // Where it is near 0, it is known in units of the residuals' only.
        let allowed = ESTIMATE * term.sd(0).max(model.residual_sd.unwrap());
        assert_within(term.sd(0), get(expected, "sd"), allowed, &format!("{what}: sd"));
        assert_within(term.icc, get(expected, "icc"), ESTIMATE, &format!("{what}: icc"));
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
        assert_relative(actual, get(case, field), allowed, &format!("{name}: {field}"));
    }
}

fn compare_effect(effect: &Effect, expected: &Value, what: &str) {
    assert_relative(effect.estimate, get(expected, "estimate"), ESTIMATE, what);
    assert_relative(effect.standard_error, get(expected, "standard_error"), ESTIMATE, &format!("{what}: error"));
    assert_relative(effect.statistic, get(expected, "statistic"), 2.0 * ESTIMATE, &format!("{what}: t"));
    assert_relative(effect.df, get(expected, "df"), DF, &format!("{what}: df"));
    assert_log_p(effect.p_value, expected, what);
    // The ends move with the quantile of t, which moves less than df.
    let allowed = DF * effect.standard_error.unwrap();
    assert_within(effect.lower.unwrap(), get(expected, "lower"), allowed, &format!("{what}: lower"));
    assert_within(effect.upper.unwrap(), get(expected, "upper"), allowed, &format!("{what}: upper"));
}

fn compare_test(test: &FTest, expected: &Value, name: &str) {
    let what = format!("{name}, F of {}", test.name);
    assert_relative(test.statistic, get(expected, "statistic"), 4.0 * ESTIMATE, &what);
    assert_eq!(test.df1, get(expected, "df1"), "{what}: df1");
    assert_relative(test.df2, get(expected, "df2"), DF, &format!("{what}: df2"));
    assert_log_p(test.p_value, expected, &what);
}

fn compare_random(model: &MixedModel, factor: &str, expected: &Value, what: &str) {
    let labels: Vec<String> = get(expected, "levels");
    let modes: Vec<f64> = get(expected, "modes");
    let actual: Vec<_> = model.modes().iter().filter(|mode| mode.factor == factor).collect();
    assert_eq!(actual.iter().map(|mode| &mode.label).collect::<Vec<_>>(), labels.iter().collect::<Vec<_>>(), "{what}");
    let spread = modes.iter().fold(0.0_f64, |largest, mode| largest.max(mode.abs()));
    for (mode, expected) in actual.iter().zip(modes) {
        let allowed = 4.0 * ESTIMATE * spread.max(0.01);
        assert_within(mode.mode, expected, allowed, &format!("{what}: mode of {}", mode.label));
    }
}

fn assert_log_p(p_value: Option<f64>, expected: &Value, what: &str) {
    let (actual, expected) = (p_value.unwrap().ln(), get::<f64>(expected, "p_value").ln());
    assert_within(actual, expected, LOG_P * expected.abs().max(1.0), &format!("{what}: log p"));
}

fn cases() -> Vec<Value> {
    let path = format!("{}/tests/oracles/mixed.json", env!("CARGO_MANIFEST_DIR"));
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    document["cases"].as_array().unwrap().clone()
}

fn get<T: DeserializeOwned>(case: &Value, name: &str) -> T {
    serde_json::from_value(case[name].clone()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[track_caller]
fn assert_relative(actual: Option<f64>, expected: f64, allowed: f64, what: &str) {
    assert_within(actual.unwrap_or_else(|| panic!("{what} is absent")), expected, allowed * expected.abs(), what);
}

#[track_caller]
fn assert_within(actual: f64, expected: f64, allowed: f64, what: &str) {
    let difference = (actual - expected).abs();
    assert!(difference <= allowed, "{what}: found {actual}, expected {expected} ± {allowed:e}");
}
