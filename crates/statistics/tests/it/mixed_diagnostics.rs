//! Residuals of mixed models, and the influence of single labels, against R's lme4.
//!
//! `tests/oracles/mixed_diagnostics.R` made the reference values.

use plymap_statistics::formula::Formula;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::correlation::{CorrelationKind, correlate};
use plymap_statistics::stats::mixed::{Criterion, Diagnostics, Grouping, MixedModel, Outcome, Specification, Variable};
use serde_json::Value;

use super::formulas::cases;
use super::oracle::get;

fn model(case: &Value) -> MixedModel {
    let data = &case["data"];
    let labels = |name: &str| get::<Vec<String>>(data, name);
    let y: Vec<f64> = get(data, "y");
    let outcome = match case["event"] == true {
        true => Outcome::Event(y.iter().map(|&value| value == 1.0).collect()),
        false => Outcome::Number(y),
    };
    let x: Vec<f64> = get(data, "x");
    let variables = vec![Variable::number("x", &x), Variable::factor("group", &labels("group"), "a")];
    let variables = variables.into_iter().collect::<Result<_, _>>().expect("variables");
    let factors = ["participant", "level"].map(|name| Grouping::new(name, &labels(name))).to_vec();
    let formula: Formula = case["formula"].as_str().unwrap().parse().expect("a formula");
    let specification = Specification::new(formula, outcome, variables, factors).expect("a model");
    specification.fit(Criterion::Reml, Confidence::default()).expect("a design")
}

/// Changes of all effects for each label of a factor, in alphabetical order.
fn changes(diagnostics: &Diagnostics, factor: &str) -> Vec<Vec<f64>> {
    diagnostics.influence.iter().filter(|label| label.factor == factor).map(|label| label.changes.clone()).collect()
}

/// The same, as the oracle has it: a row for each effect.
fn expected(case: &Value, what: &str, factor: &str) -> Vec<Vec<f64>> {
    let rows: Vec<Vec<f64>> = get(&case[what], factor);
    (0..rows[0].len()).map(|label| rows.iter().map(|row| row[label]).collect()).collect()
}

#[track_caller]
fn close(actual: &[f64], expected: &[f64], allowed: f64, what: &str) {
    assert_eq!(actual.len(), expected.len(), "{what}");
    for (actual, expected) in actual.iter().zip(expected) {
        assert!((actual - expected).abs() <= allowed, "{what}: {actual} for {expected}");
    }
}

#[test]
fn residuals_and_influence_are_those_of_lme4() {
    for case in cases("mixed_diagnostics") {
        let name = case["name"].as_str().unwrap();
        let model = model(&case);
        let checks = model.diagnostics().expect("diagnostics");
        // glmer stops its search earlier than lmer is made to.
        let allowed = if case["event"] == true { 1e-3 } else { 1e-4 };
        close(&checks.fitted, &get::<Vec<f64>>(&case, "fitted"), allowed, &format!("{name}: fitted"));
        close(&checks.residuals, &get::<Vec<f64>>(&case, "residuals"), 5.0 * allowed, &format!("{name}: residuals"));
        for factor in ["participant", "level"] {
            let what = format!("{name}: {factor}");
            let ours = changes(checks, factor);
            if case["event"] != true {
                close(&ours.concat(), &expected(&case, "changes", factor).concat(), 1e-4, &what);
            }
            // Fitted again without a label, with variances of its own, a model moves where the fixed variances say; less so
            // where labels are few, and each has much to say of the variances.
            let refitted = expected(&case, "without", factor);
            let cut = |all: &[Vec<f64>]| all.iter().flat_map(|changes| changes[1..].to_vec()).collect::<Vec<f64>>();
            let r = correlate(CorrelationKind::Pearson, &cut(&ours), &cut(&refitted), Confidence::default()).estimate();
            let least = if factor == "participant" { 0.95 } else { 0.8 };
            assert!(r.is_some_and(|r| r > least), "{what}: {r:?}");
        }
    }
}
