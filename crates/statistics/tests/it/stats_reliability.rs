//! Reliability against pingouin, statsmodels, scipy and enumeration.

use plymap_statistics::stats::reliability::{cronbach_alpha, intraclass, odd_even, one_way, split_half};

use super::stats::{assert_close, assert_within, cases, confidence, get};

#[test]
fn intraclass_correlations_are_those_of_pingouin() {
    for case in cases("reliability", "intraclass") {
        let reliability = intraclass(&get::<Vec<Vec<f64>>>(&case, "table"), confidence(&case));
        let expected = case["forms"].as_array().unwrap();
        assert_eq!(reliability.forms.len(), expected.len());
        for (form, expected) in reliability.forms.iter().zip(expected) {
            let what = format!("{} of {}", form.form.name(), case["name"]);
            assert_eq!(form.form.name(), get::<String>(expected, "form"));
            assert_eq!((form.df1, form.df2), (get(expected, "df1"), get(expected, "df2")), "{what}");
            assert_close(Some(form.estimate), get(expected, "estimate"), &what);
            assert_close(Some(form.statistic), get(expected, "statistic"), &format!("{what}: F"));
            assert_close(Some(form.p_value), get(expected, "p_value"), &format!("{what}: p"));
            assert_close(form.lower, get(expected, "lower"), &format!("{what}: lower"));
            assert_close(form.upper, get(expected, "upper"), &format!("{what}: upper"));
        }
    }
}

#[test]
fn cronbachs_alpha_is_that_of_pingouin_and_the_consistency_of_the_mean() {
    for case in cases("reliability", "alpha") {
        let table: Vec<Vec<f64>> = get(&case, "table");
        let what = case["name"].to_string();
        let alpha = cronbach_alpha(&table, confidence(&case));
        assert_close(alpha.estimate, get(&case, "estimate"), &what);
        assert_close(alpha.lower, get(&case, "lower"), &format!("{what}: lower"));
        assert_close(alpha.upper, get(&case, "upper"), &format!("{what}: upper"));
        let consistency = &intraclass(&table, confidence(&case)).forms[5];
        assert_close(alpha.estimate, Some(consistency.estimate), &format!("{what}: ICC(3,k)"));
        assert_close(alpha.lower, consistency.lower, &format!("{what}: lower end of ICC(3,k)"));
    }
}

#[test]
fn one_way_correlations_of_unequal_groups_are_those_of_the_analysis_of_variance() {
    for case in cases("reliability", "one_way") {
        let what = case["name"].to_string();
        let row = serde_json::to_value(one_way(&get::<Vec<Vec<f64>>>(&case, "groups"), confidence(&case))).unwrap();
        let names = [
            "n0",
            "estimate",
            "lower",
            "upper",
            "statistic",
            "p_value",
            "mean_reliability",
            "mean_lower",
            "mean_upper",
        ];
        for name in names {
            assert_close(row[name].as_f64(), get(&case, name), &format!("{what}: {name}"));
        }
    }
}

/// The mean of S random splits differs from that of all splits with standard deviation sd / √S; four of these are
/// allowed. A quantile of S = 20,000 splits lies, with four standard deviations √(.025 · .975 / S) = .0011 of its
/// proportion, between the quantiles of all splits at .006 less and more; as few splits exist, these can be equal.
#[test]
fn random_splits_are_drawn_from_all_splits() {
    for case in cases("reliability", "split_half") {
        let trials: Vec<Vec<f64>> = get(&case, "trials");
        let what = case["name"].to_string();
        let mean = |trials: &[f64]| trials.iter().sum::<f64>() / trials.len() as f64;
        let n_splits = 20_000;
        let halves = split_half(&trials, mean, n_splits, 20_261_130, confidence(&case));
        assert_eq!((halves.n, halves.n_failed), (trials.len(), 0));
        let reliability = halves.outcome.unwrap();
        let root = (n_splits as f64).sqrt();
        let sd: f64 = get(&case, "sd");
        assert_within(reliability.estimate, get(&case, "mean"), 4.0 * sd / root, &what);
        let half_sd: f64 = get(&case, "half_sd");
        assert_within(reliability.half_correlation, get(&case, "half_mean"), 4.0 * half_sd / root, &what);
        let [low_min, low_max, high_min, high_max]: [f64; 4] = get(&case, "near_quantiles");
        let (lower, upper) = (reliability.lower, reliability.upper);
        assert!(low_min - 1e-12 <= lower && lower <= low_max + 1e-12, "{what}: {lower} in {low_min} to {low_max}");
        assert!(high_min - 1e-12 <= upper && upper <= high_max + 1e-12, "{what}: {upper} in {high_min} to {high_max}");
        let single = odd_even(&trials, mean, confidence(&case));
        let (lower, upper) = single.interval().unzip();
        assert_close(single.estimate(), get(&case, "odd_even"), &format!("{what}: odd-even"));
        assert_close(lower, get(&case, "odd_even_lower"), &format!("{what}: odd-even, lower"));
        assert_close(upper, get(&case, "odd_even_upper"), &format!("{what}: odd-even, upper"));
        assert_close(single.half_correlation.p_value(), get(&case, "odd_even_p"), &format!("{what}: odd-even, p"));
    }
}
