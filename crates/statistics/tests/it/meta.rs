//! Random effects against R's metafor.

use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::meta::random_effects;
use serde_json::Value;

use super::oracle::{assert_close, cases, get};

#[test]
fn random_effects_are_those_of_metafor() {
    let mut n_compared = 0;
    for case in cases("meta", "cases") {
        let (z, variances): (Vec<f64>, Vec<f64>) = (get(&case, "z"), get(&case, "variance"));
        let pooled = random_effects(&z, &variances, Confidence::default()).expect("effects");
        let is_own = |analysis: &&Value| analysis["method"] == "REML" && analysis["test"] == "adhoc";
        let expected = case["analyses"].as_array().expect("analyses").iter().find(is_own).expect("REML and t");
        let (lower, upper) = pooled.interval;
        for (name, actual) in [
            ("tau2", pooled.tau * pooled.tau),
            ("estimate", pooled.estimate),
            ("standard_error", pooled.standard_error),
            ("statistic", pooled.statistic),
            ("df", pooled.df as f64),
            ("p_value", pooled.p_value),
            ("lower", lower),
            ("upper", upper),
            ("i2", 100.0 * pooled.i_squared),
            ("q", pooled.q),
            ("q_p_value", pooled.q_p_value),
            ("prediction_lower", pooled.prediction.0),
            ("prediction_upper", pooled.prediction.1),
        ] {
            // metafor's scoring ends at steps of 1e-14 of a variance that is flat at its maximum.
            assert_close(Some(actual), get(expected, name), 1e-6, &format!("{}: {name}", case["name"]));
            n_compared += 1;
        }
    }
    assert!(n_compared > 100);
}

/// In "three" too, where Q is above its degrees of freedom and the factor below 1 all the same.
#[test]
fn the_interval_is_never_narrower_than_that_of_a_common_effect() {
    let mut n_raised = 0;
    for case in cases("meta", "cases") {
        let (z, variances): (Vec<f64>, Vec<f64>) = (get(&case, "z"), get(&case, "variance"));
        let pooled = random_effects(&z, &variances, Confidence::default()).expect("effects");
        let (lower, upper) = pooled.interval;
        assert!(upper - lower > get::<f64>(&case, "common_width"), "{}", case["name"]);
        let is_unmodified = |analysis: &&Value| analysis["method"] == "REML" && analysis["test"] == "knha";
        let unmodified = case["analyses"].as_array().expect("analyses").iter().find(is_unmodified).expect("REML and t");
        // The second number is rounded, as are sums in another order.
        n_raised += usize::from(pooled.standard_error > get::<f64>(unmodified, "standard_error") * (1.0 + 1e-6));
    }
    assert_eq!(n_raised, 4);
}
