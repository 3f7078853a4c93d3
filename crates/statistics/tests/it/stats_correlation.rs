//! Kendall's τb, partial, repeated-measures and matrix correlation, and the bootstrap of clusters,
//! against scipy, statsmodels, pingouin and enumeration.

use plymap_statistics::record::{LOWER, REASON};
use plymap_statistics::stats::PMethod;
use plymap_statistics::stats::adjust::Adjustment;
use plymap_statistics::stats::correlation::{CorrelationKind, correlate};
use plymap_statistics::stats::matrix::{MatrixColumn, correlation_matrix};
use plymap_statistics::stats::partial::partial_correlation;
use plymap_statistics::stats::repeated::{decompose, repeated_correlation};
use plymap_statistics::stats::resample::{self, Bootstrap};

use super::stats::{assert_cells, assert_close, assert_within, cases, confidence, get};

#[test]
fn kendalls_tau_is_that_of_scipy() {
    for case in cases("kendall", "cases") {
        let what = format!("{} at {}", case["name"], case["confidence"]);
        let (x, y): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "y"));
        let correlation = correlate(CorrelationKind::Kendall, &x, &y, confidence(&case));
        assert_eq!((correlation.n, correlation.df), (x.len(), None));
        let record = correlation.record();
        assert_cells(&record, &case, &["estimate", "statistic", "p_value", "lower", "upper"], &what);
        if let Some(exact) = get::<Option<bool>>(&case, "exact") {
            assert_eq!(correlation.p_method == PMethod::ExactPermutation, exact, "{what}: how p was computed");
            assert!(correlation.sentence().starts_with("τb = "));
        }
        let is_whole = record.text(REASON).is_none();
        assert_eq!(is_whole, record.number(LOWER).is_some(), "{what}: what is absent has a reason");
    }
}

/// "covariates almost alike" have a condition number of some thousands; the reference, from the residuals of
/// least squares, loses as many digits as we do, far fewer than eight of sixteen.
#[test]
fn partial_correlations_are_those_of_pingouin() {
    for case in cases("partial", "cases") {
        let what = format!("{} {}", case["method"], case["name"]);
        let (x, y): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "y"));
        let covariates: Vec<Vec<f64>> = get(&case, "covariates");
        let partial = partial_correlation(get(&case, "method"), &x, &y, &covariates, confidence(&case));
        assert_eq!((partial.n_covariates, partial.df), (covariates.len(), get(&case, "df")));
        assert_cells(&partial.record(), &case, &["estimate", "statistic", "p_value", "lower", "upper"], &what);
    }
}

#[test]
fn repeated_measures_correlations_are_those_of_pingouin_and_statsmodels() {
    for case in cases("repeated", "cases") {
        let what = case["name"].to_string();
        let groups: Vec<u32> = get(&case, "groups");
        let (x, y): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "y"));
        let correlation = repeated_correlation(&groups, &x, &y, confidence(&case));
        assert_eq!(correlation.n, get::<usize>(&case, "n"), "{what}");
        assert_eq!(
            (correlation.n_groups, correlation.n_singletons),
            (get(&case, "n_groups"), get(&case, "n_singletons")),
            "{what}"
        );
        let names = ["df", "estimate", "slope", "statistic", "p_value", "lower", "upper"];
        assert_cells(&correlation.record(), &case, &names, &what);
        let parts = decompose(&groups, &x, &y, confidence(&case));
        assert_eq!(parts.within, correlation);
        for (name, value) in [
            ("pooled", parts.pooled),
            ("between", parts.between.estimate()),
            ("between_p", parts.between.p_value()),
            ("between_weighted", parts.between_weighted),
            ("eta_squared_x", parts.eta_squared_x),
            ("eta_squared_y", parts.eta_squared_y),
        ] {
            assert_close(value, get(&case, name), &format!("{what}: {name}"));
        }
    }
}

#[test]
fn the_pairs_of_a_matrix_are_those_of_scipy_and_their_p_values_those_of_statsmodels() {
    for case in cases("matrix", "cases") {
        let names: Vec<String> = get(&case, "names");
        let columns: Vec<Vec<Option<f64>>> = get(&case, "columns");
        let measures: Vec<MatrixColumn> =
            names.iter().zip(&columns).map(|(name, values)| MatrixColumn { name, values }).collect();
        let adjustment: Adjustment = get(&case, "adjustment");
        let matrix = correlation_matrix(&measures, get(&case, "method"), adjustment, Default::default());
        let expected = case["pairs"].as_array().unwrap();
        assert_eq!((matrix.pairs.len(), matrix.n_tests), (expected.len(), expected.len()));
        for (pair, expected) in matrix.pairs.iter().zip(expected) {
            let what = format!("{} {} {} {}", case["method"], case["adjustment"], pair.x, pair.y);
            assert_eq!((&pair.x, &pair.y), (&get(expected, "x"), &get(expected, "y")));
            assert_eq!(pair.correlation.n, get::<usize>(expected, "n"), "{what}");
            assert_close(pair.correlation.estimate(), get(expected, "estimate"), &what);
            assert_close(pair.correlation.p_value(), get(expected, "p_value"), &format!("{what}: p"));
            assert_close(pair.p_adjusted, get(expected, "p_adjusted"), &format!("{what}: adjusted p"));
        }
    }
}

/// As for the plain bootstrap, four standard deviations of a run of as many resamples are allowed around the mean
/// of the script's runs; the standard error, whose own relative error is about 1 / √(2 · 20,000), 4 times that.
#[test]
fn the_bootstrap_of_clusters_draws_from_the_distribution_of_all_resamples() {
    for case in cases("cluster_bootstrap", "cases") {
        let (clusters, values): (Vec<u32>, Vec<f64>) = (get(&case, "clusters"), get(&case, "values"));
        let method: resample::BootstrapMethod = get(&case, "method");
        let what = case["method"].to_string();
        let options = Bootstrap {
            n_resamples: get(&case, "n_resamples"),
            seed: 20_261_125,
            confidence: confidence(&case),
            method,
        };
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let interval = options.clustered_sample(&clusters, &values, mean);
        assert_eq!((interval.n_units, interval.n), (5, values.len()));
        assert_close(interval.estimate, get(&case, "estimate"), &format!("{what}: estimate"));
        let allowed = 4.0 * (1.0 + 1.0 / get::<f64>(&case, "runs")).sqrt();
        let [lower, upper]: [f64; 2] = get(&case, "mean_ends");
        let [lower_sd, upper_sd]: [f64; 2] = get(&case, "sd_ends");
        assert_within(interval.lower.unwrap(), lower, allowed * lower_sd, &format!("{what}: lower"));
        assert_within(interval.upper.unwrap(), upper, allowed * upper_sd, &format!("{what}: upper"));
        let error: f64 = get(&case, "standard_error");
        let spread = error / (2.0 * get::<f64>(&case, "n_resamples")).sqrt();
        assert_within(interval.standard_error.unwrap(), error, 4.0 * spread, &format!("{what}: standard error"));
    }
}
