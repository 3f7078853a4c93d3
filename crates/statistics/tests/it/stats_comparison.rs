//! Tests of two and more samples, of tables of counts, and rules for outliers, against scipy, statsmodels,
//! scikit-posthocs and R.

use plymap_statistics::stats::association::association;
use plymap_statistics::stats::friedman::friedman;
use plymap_statistics::stats::outliers::{Rule, outliers};
use plymap_statistics::stats::posthoc::dunn;
use plymap_statistics::stats::two_samples::{brunner_munzel, mann_whitney, welch, wilcoxon};
use plymap_statistics::stats::{NotEstimable, PMethod, kruskal};
use serde_json::Value;

use super::stats::{assert_close, assert_within, cases, confidence, get};

/// Compares the fields of a result with those of a case that have the same names.
fn assert_fields(result: &impl serde::Serialize, case: &Value, names: &[&str], what: &str) {
    let fields = serde_json::to_value(result).unwrap();
    for name in names {
        assert_close(fields[name].as_f64(), get(case, name), &format!("{what}: {name}"));
    }
}

fn assert_ends(interval: &Result<(f64, f64), NotEstimable>, case: &Value, names: [&str; 2], what: &str) {
    let (lower, upper) = interval.clone().ok().unzip();
    for (end, name) in [lower, upper].into_iter().zip(names) {
        assert_close(end, get(case, name), &format!("{what}: {name}"));
    }
}

#[test]
fn the_mann_whitney_test_is_that_of_scipy() {
    for case in cases("two_samples", "mann_whitney") {
        let what = format!("{} at {}", case["name"], case["confidence"]);
        let (x, y): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "y"));
        let dominance = mann_whitney(&x, &y, confidence(&case)).dominance.unwrap();
        assert_fields(&dominance, &case, &["u", "superiority", "cliffs_delta", "shift"], &what);
        let test = dominance.test.unwrap();
        assert_fields(&test, &case, &["z", "p_value"], &what);
        assert_ends(&test.shift_interval, &case, ["shift_lower", "shift_upper"], &what);
        assert_ends(&test.delta_interval, &case, ["cliffs_delta_lower", "cliffs_delta_upper"], &what);
        assert_eq!(test.p_method == PMethod::ExactPermutation, get::<bool>(&case, "exact"), "{what}");
    }
}

#[test]
fn the_brunner_munzel_test_is_that_of_scipy() {
    for case in cases("brunner_munzel", "cases") {
        let what = format!("{} at {}", case["name"], case["confidence"]);
        let (x, y): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "y"));
        let comparison = brunner_munzel(&x, &y, confidence(&case));
        assert_close(comparison.relative_effect, get(&case, "relative_effect"), &what);
        assert_fields(&comparison.test.unwrap(), &case, &["statistic", "df", "p_value", "lower", "upper"], &what);
    }
}

#[test]
fn the_signed_rank_test_is_that_of_scipy_and_exact_with_ties() {
    for case in cases("two_samples", "wilcoxon") {
        let what = format!("{} at {}", case["name"], case["confidence"]);
        let (x, y): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "y"));
        let comparison = wilcoxon(&x, &y, confidence(&case));
        assert_fields(&comparison, &case, &["shift", "n_different"], &what);
        let test = comparison.test.unwrap();
        assert_fields(&test, &case, &["w_plus", "w_minus", "z", "p_value", "rank_biserial"], &what);
        assert_ends(&test.shift_interval, &case, ["shift_lower", "shift_upper"], &what);
        assert_eq!(test.p_method == PMethod::ExactPermutation, get::<bool>(&case, "exact"), "{what}");
    }
}

/// Differences near 1e6 have lost six digits of their values, so that these agree to 1e-8 all the same.
#[test]
fn welchs_test_and_hedges_g_are_those_of_scipy() {
    for case in cases("two_samples", "welch") {
        let what = format!("{} at {}", case["name"], case["confidence"]);
        let (x, y): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "y"));
        let comparison = welch(&x, &y, confidence(&case));
        let names = [
            "difference",
            "lower",
            "upper",
            "statistic",
            "df",
            "p_value",
            "sd_x",
            "sd_y",
            "hedges_g",
            "hedges_g_lower",
            "hedges_g_upper",
        ];
        assert_fields(&comparison, &case, &names, &what);
        assert_eq!(comparison.reason, None, "{what}");
    }
}

/// The exact shifts are order statistics in R too. effectsize finds the noncentrality by iteration: its ends differ
/// from those of scipy's `nct` by up to 2e-7 of the interval's width in these cases; 1e-5 is allowed.
#[test]
fn shifts_and_hedges_g_are_those_of_r() {
    for case in cases("two_samples_r", "shifts") {
        let (x, y): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "y"));
        let what = format!("{} of {} and {} at {}", case["test"], x.len(), y.len(), case["confidence"]);
        let (p, shift, interval) = match case["test"].as_str().unwrap() {
            "wilcoxon" => {
                let comparison = wilcoxon(&x, &y, confidence(&case));
                let test = comparison.test.unwrap();
                (test.p_value, comparison.shift, test.shift_interval)
            }
            _ => {
                let dominance = mann_whitney(&x, &y, confidence(&case)).dominance.unwrap();
                let test = dominance.test.unwrap();
                (test.p_value, Some(dominance.shift), test.shift_interval)
            }
        };
        assert_close(Some(p), get(&case, "p_value"), &format!("{what}: p"));
        assert_close(shift, get(&case, "shift"), &format!("{what}: shift"));
        assert_ends(&interval, &case, ["lower", "upper"], &what);
    }
    for case in cases("two_samples_r", "effects") {
        let (x, y): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "y"));
        let comparison = welch(&x, &y, confidence(&case));
        let what = format!("g of {} and {}", x.len(), y.len());
        assert_close(comparison.hedges_g, get(&case, "hedges_g"), &what);
        let (lower, upper): (f64, f64) = (get(&case, "lower"), get(&case, "upper"));
        let allowed = 1e-5 * (upper - lower);
        assert_within(comparison.hedges_g_lower.unwrap(), lower, allowed, &format!("{what}: lower"));
        assert_within(comparison.hedges_g_upper.unwrap(), upper, allowed, &format!("{what}: upper"));
    }
}

#[test]
fn the_friedman_test_is_that_of_scipy_and_w_that_of_pingouin() {
    for case in cases("friedman", "cases") {
        let what = case["name"].to_string();
        let comparison = friedman(&get::<Vec<Vec<f64>>>(&case, "table"));
        assert_fields(&comparison.test.unwrap(), &case, &["statistic", "p_value", "kendalls_w"], &what);
        for (actual, expected) in comparison.mean_ranks.iter().zip(get::<Vec<f64>>(&case, "mean_ranks")) {
            assert_close(Some(*actual), Some(expected), &format!("{what}: mean rank"));
        }
    }
}

/// The reference for z is the normal quantile of scikit-posthocs' p, which is as exact as p.
#[test]
fn dunns_test_is_that_of_scikit_posthocs() {
    for case in cases("posthoc", "cases") {
        let groups: Vec<Vec<f64>> = get(&case, "groups");
        let comparison = dunn(&groups, get(&case, "adjustment"));
        let expected = case["pairs"].as_array().unwrap();
        assert_eq!(comparison.pairs.len(), expected.len());
        for (pair, expected) in comparison.pairs.iter().zip(expected) {
            let what = format!("{} {}: {} and {}", case["name"], case["adjustment"], pair.first, pair.second);
            let names = ["first", "second", "rank_difference", "statistic", "p_value", "p_adjusted"];
            assert_fields(pair, expected, &names, &what);
        }
        let whole = kruskal::kruskal_wallis(&groups);
        let difference = whole.groups[0].mean_rank.unwrap() - whole.groups[1].mean_rank.unwrap();
        assert_close(Some(comparison.pairs[0].rank_difference), Some(difference), "mean ranks of both tests");
    }
}

#[test]
fn the_test_of_independence_is_that_of_scipy() {
    for case in cases("association", "cases") {
        let what = case["name"].to_string();
        let measures = association(&get::<Vec<Vec<u64>>>(&case, "table"));
        assert_fields(
            &measures.test.unwrap(),
            &case,
            &["chi_squared", "df", "p_value", "g", "g_p_value", "cramers_v"],
            &what,
        );
        let (expected, residuals): (Vec<f64>, Vec<f64>) = (get(&case, "expected"), get(&case, "residuals"));
        assert_eq!(measures.cells.len(), expected.len());
        for (cell, (expected, residual)) in measures.cells.iter().zip(expected.into_iter().zip(residuals)) {
            let what = format!("{what}: cell {}, {}", cell.row, cell.column);
            assert_close(cell.expected, Some(expected), &what);
            // Observed less expected: of independent counts, a rounding.
            let allowed = 1e-8 * residual.abs() + 1e-12;
            assert_within(cell.residual.unwrap(), residual, allowed, &format!("{what}, residual"));
        }
    }
}

#[test]
fn outliers_are_those_of_numpy_and_scipy() {
    for case in cases("outliers", "cases") {
        let multiple = get(&case, "multiple");
        let rule = match case["rule"].as_str().unwrap() {
            "mad" => Rule::Mad { threshold: multiple },
            _ => Rule::TukeyFences { factor: multiple },
        };
        let what = format!("{} by {rule:?}", case["name"]);
        let marked = outliers(&get::<Vec<f64>>(&case, "x"), rule);
        assert_fields(&marked, &case, &["lower_limit", "upper_limit", "n_below"], &what);
        assert_eq!(marked.indices, get::<Vec<usize>>(&case, "indices"), "{what}");
        assert_eq!(marked.n_below + marked.n_above, marked.indices.len(), "{what}");
    }
}
