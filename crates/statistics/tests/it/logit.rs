//! Logistic regression against statsmodels, and with clusters against R's clubSandwich.

use plymap_statistics::sequence::hazard::hazard_model;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::covariate::{Covariate, Effect, JointTest};
use plymap_statistics::stats::logit::{Logit, logit};
use serde_json::Value;

use crate::oracle::{CLOSED_FORM, assert_close, cases, confidence, flags, get};

/// Both iterate by Newton's method, whose last step here is below 1e-8 standard deviations: its square
/// is left, which is below the tolerance of closed forms.
#[test]
fn logistic_regressions_are_those_of_statsmodels() {
    for case in cases("logit", "cases") {
        let model = fit(&case, None);
        assert!(model.fit.maximum.unwrap().n_iterations < 20);
        compare(&model, &case);
        assert!(model.fit.effects().iter().all(|effect| effect.df.is_none()));
    }
}

/// clubSandwich takes the inverse root of a matrix with a row for each trial of a cluster; here it is a sum over
/// matrices with a row for each coefficient. Clusters of one trial, and those that alone determine an effect, are
/// among the cases.
#[test]
fn cluster_robust_errors_and_their_degrees_of_freedom_are_those_of_clubsandwich() {
    for case in cases("logit_cr2", "cases") {
        let clusters: Vec<usize> = get(&case, "clusters");
        let model = fit(&case, Some(&clusters));
        compare(&model, &case);
        let effects = model.intercept.iter().chain(model.fit.effects());
        for (number, (effect, df)) in effects.zip(get::<Vec<f64>>(&case, "df")).enumerate() {
            assert_close(effect.df, Some(df), CLOSED_FORM, &format!("{}: df of coefficient {number}", case["name"]));
        }
    }
}

#[test]
fn a_sentence_tells_degrees_of_freedom_that_are_no_whole_number() {
    let case = cases("logit_cr2", "cases").swap_remove(0);
    let model = fit(&case, Some(&get::<Vec<usize>>(&case, "clusters")));
    // By the values of clubSandwich: exp(0.1239), exp(0.1239 ± 3.742 · 0.1141).
    let sentence = model.fit.effects()[0].sentence("OR", confidence(&case));
    assert_eq!(sentence, "OR = 1.13, 95 % CI [0.74, 1.73], t(2.4) = 1.09, p = .376");
}

/// A matrix with a row and a column for each trial of a participant would fill 3 GB.
#[test]
fn twenty_thousand_trials_of_a_participant_need_no_matrix_of_their_size() {
    let n = 100_000;
    let participants: Vec<usize> = (0..n).map(|trial| trial / 20_000).collect();
    let distance: Vec<f64> = (0..n).map(|trial| (trial * 7 % 31) as f64 + participants[trial] as f64).collect();
    let trained: Vec<f64> = participants.iter().map(|who| (who % 2) as f64).collect();
    let errors: Vec<bool> =
        (0..n).map(|trial| trial * 13 % 101 < 30 + trial * 7 % 31 - 5 * participants[trial]).collect();
    let covariates =
        [Covariate { name: "distance", values: &distance }, Covariate { name: "trained", values: &trained }];
    let model = logit(&errors, &covariates, Some(&participants), Confidence::default());
    assert_eq!((model.fit.reason(), model.fit.effects().len()), (None, 2));
    assert!(
        model.fit.effects().iter().all(|effect| (1.0..5.0).contains(&effect.df.unwrap())),
        "{:?}",
        model.fit.effects()
    );
}

#[test]
fn neither_the_order_of_the_trials_nor_the_unit_of_a_covariate_changes_a_test() {
    for case in cases("logit_cr2", "cases") {
        let clusters: Vec<usize> = get(&case, "clusters");
        let values: Vec<Vec<f64>> = get(&case, "covariates");
        let events = flags(&case, "events");
        let model = fit(&case, Some(&clusters));
        let turned = |values: &[f64]| values.iter().rev().map(|value| 1e3 * value - 7e4).collect::<Vec<f64>>();
        let values: Vec<Vec<f64>> = values.iter().map(|values| turned(values)).collect();
        let covariates: Vec<Covariate> = values.iter().map(|values| Covariate { name: "x", values }).collect();
        let events: Vec<bool> = events.into_iter().rev().collect();
        let clusters: Vec<usize> = clusters.iter().rev().map(|cluster| 1_000 - cluster).collect();
        let other = logit(&events, &covariates, Some(&clusters), confidence(&case));
        for (effect, other) in model.fit.effects().iter().zip(other.fit.effects()) {
            let what = format!("{}: {}", case["name"], effect.name);
            assert_close(Some(other.statistic), Some(effect.statistic), CLOSED_FORM, &what);
            assert_close(other.df, effect.df, CLOSED_FORM, &what);
        }
    }
}

#[test]
fn a_hazard_model_allows_for_the_participants() {
    let case = cases("logit_cr2", "cases").swap_remove(0);
    let participants: Vec<usize> = get(&case, "clusters");
    let values: Vec<Vec<f64>> = get(&case, "covariates");
    let covariates: Vec<Covariate> = values.iter().map(|values| Covariate { name: "x", values }).collect();
    let model = hazard_model(&flags(&case, "events"), &covariates, &participants, confidence(&case));
    assert_eq!(model.fit.effects(), fit(&case, Some(&participants)).fit.effects());
    assert_ne!(model.fit.effects(), fit(&case, None).fit.effects());
}

fn fit(case: &Value, clusters: Option<&[usize]>) -> Logit {
    let values: Vec<Vec<f64>> = get(case, "covariates");
    let covariates: Vec<Covariate> = values.iter().map(|values| Covariate { name: "x", values }).collect();
    logit(&flags(case, "events"), &covariates, clusters, confidence(case))
}

fn compare(model: &Logit, case: &Value) {
    assert_eq!(model.fit.reason(), None, "{}", case["name"]);
    assert!(model.fit.maximum.is_some());
    compare_effects(model, case);
    for (name, actual) in [
        ("log_likelihood", model.fit.log_likelihood()),
        ("log_likelihood_null", model.fit.log_likelihood_null),
        ("mcfadden_r_squared", model.fit.mcfadden_r_squared()),
    ] {
        assert_close(actual, get(case, name), CLOSED_FORM, &format!("{}: {name}", case["name"]));
    }
    let ratio = model.fit.likelihood_ratio().map(JointTest::from);
    for (name, test) in [("likelihood_ratio", ratio), ("wald", model.fit.wald)] {
        let [statistic, df, p]: [f64; 3] = get(case, name);
        let what = format!("{}: {name}", case["name"]);
        let fewest = model.fit.effects().iter().filter_map(|effect| effect.df).fold(f64::INFINITY, f64::min);
        if name == "wald" && fewest.is_finite() {
            // Of few clusters it is Hotelling's; the other implementation has χ².
            let df2 = fewest - df + 1.0;
            assert_eq!(test.is_some(), df2 >= 1.0, "{what}");
            if let Some(test) = test {
                assert_close(Some(test.statistic), Some(statistic * df2 / (fewest * df)), CLOSED_FORM, &what);
                assert!(test.df2 == Some(df2) && test.p_value >= p, "{what}");
            }
            continue;
        }
        let test = test.unwrap();
        assert_eq!(test.df as f64, df);
        assert_close(Some(test.statistic), Some(statistic), CLOSED_FORM, &what);
        // The relative error of a small p is that of the statistic, times half of the statistic.
        let magnified = CLOSED_FORM * f64::max(1.0, statistic);
        assert_close(Some(test.p_value), Some(p), magnified, &format!("{what}, p"));
    }
}

fn compare_effects(model: &Logit, case: &Value) {
    let effects: Vec<&Effect> = model.intercept.iter().chain(model.fit.effects()).collect();
    type Part = (&'static str, fn(&Effect) -> f64);
    let parts: [Part; 6] = [
        ("estimate", |effect| effect.estimate),
        ("standard_error", |effect| effect.standard_error),
        ("statistic", |effect| effect.statistic),
        ("p_value", |effect| effect.p_value),
        ("lower", |effect| effect.lower),
        ("upper", |effect| effect.upper),
    ];
    for (name, part) in parts {
        let expected: Vec<f64> = get(case, name);
        assert_eq!(effects.len(), expected.len());
        for (number, (effect, expected)) in effects.iter().zip(expected).enumerate() {
            let what = format!("{}: {name} of coefficient {number}", case["name"]);
            assert_close(Some(part(effect)), Some(expected), CLOSED_FORM, &what);
        }
    }
}
