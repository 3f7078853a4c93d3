//! Logistic regression against statsmodels.

use plymap_statistics::sequence::hazard::hazard_model;
use plymap_statistics::stats::covariate::{Covariate, Effect};
use plymap_statistics::stats::logit::{Logit, logit};
use serde_json::Value;

use crate::oracle::{CLOSED_FORM, assert_close, cases, confidence, flags, get};

/// Both iterate by Newton's method, whose last step here is below 1e-8 standard deviations: its square
/// is left, which is below the tolerance of closed forms.
#[test]
fn logistic_regressions_are_those_of_statsmodels() {
    for case in cases("logit", "cases") {
        let clusters: Option<Vec<usize>> = get(&case, "clusters");
        let what = format!("{}, clusters {}", case["name"], clusters.is_some());
        let found = fit(&case, clusters.as_deref());
        assert_eq!(found.reason, None, "{what}");
        assert!(found.converged && found.n_iterations.unwrap() < 20);
        let effects: Vec<Effect> = found.intercept.iter().chain(&found.effects).cloned().collect();
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
            let expected: Vec<f64> = get(&case, name);
            assert_eq!(effects.len(), expected.len());
            for (effect, expected) in effects.iter().zip(expected) {
                let what = format!("{what}: {name} of {}", effect.name);
                assert_close(Some(part(effect)), Some(expected), CLOSED_FORM, &what);
            }
        }
        for (name, found) in [
            ("log_likelihood", found.log_likelihood),
            ("log_likelihood_null", found.log_likelihood_null),
            ("mcfadden_r_squared", found.mcfadden_r_squared),
        ] {
            assert_close(found, get(&case, name), CLOSED_FORM, &format!("{what}: {name}"));
        }
        for (name, test) in [("likelihood_ratio", found.likelihood_ratio), ("wald", found.wald)] {
            let [statistic, df, p]: [f64; 3] = get(&case, name);
            let test = test.unwrap();
            assert_eq!(test.df as f64, df);
            assert_close(Some(test.statistic), Some(statistic), CLOSED_FORM, &format!("{what}: {name}"));
            // The relative error of a small p is that of the statistic, times half of the statistic.
            let magnified = CLOSED_FORM * f64::max(1.0, statistic);
            assert_close(Some(test.p_value), Some(p), magnified, &format!("{what}: p of {name}"));
        }
    }
}

#[test]
fn a_hazard_model_allows_for_the_participants() {
    let case = cases("logit", "cases").into_iter().find(|case| !case["clusters"].is_null()).unwrap();
    let participants: Vec<usize> = get(&case, "clusters");
    let values: Vec<Vec<f64>> = get(&case, "covariates");
    let covariates: Vec<Covariate> = values.iter().map(|values| Covariate { name: "x", values }).collect();
    let found = hazard_model(&flags(&case, "events"), &covariates, &participants, confidence(&case));
    assert_eq!(found.effects, fit(&case, Some(&participants)).effects);
    assert_ne!(found.effects, fit(&case, None).effects);
}

fn fit(case: &Value, clusters: Option<&[usize]>) -> Logit {
    let values: Vec<Vec<f64>> = get(case, "covariates");
    let covariates: Vec<Covariate> = values.iter().map(|values| Covariate { name: "x", values }).collect();
    logit(&flags(case, "events"), &covariates, clusters, confidence(case))
}
