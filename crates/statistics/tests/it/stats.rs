//! The statistics against scipy, statsmodels and pingouin.
//!
//! Each `tests/oracles/NAME.json` was written by the script `NAME.py` beside it, which can be run
//! again; it holds the inputs and the values that the other implementation gives.

use plymap_statistics::record::{LOWER, REASON, Record};
use plymap_statistics::stats::correlation::{self, CorrelationKind};
use plymap_statistics::stats::interval::{clustered_proportion, median_interval, proportion, proportion_of};
use plymap_statistics::stats::regression::{LineCoefficient, line};
use plymap_statistics::stats::resample::{self, Bootstrap, BootstrapInterval, bca_interval, percentile_interval};
use plymap_statistics::stats::{Confidence, PMethod, adjust, density, describe, kruskal, rank};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Beta, Binomial, Distribution};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Largest relative difference from a reference value of closed form.
const TOLERANCE: f64 = 1e-8;

#[test]
fn descriptions_are_those_of_numpy_and_scipy() {
    for case in cases("describe", "cases") {
        let x: Vec<f64> = get(&case, "x");
        let description = serde_json::to_value(describe::describe(&x)).unwrap();
        for name in ["mean", "sd", "median", "q1", "q3", "mad", "min", "max", "skewness"] {
            assert_close(description[name].as_f64(), get(&case, name), &format!("{name} of {}", case["name"]));
        }
        assert_eq!(description["n"], case["n"]);
        assert_eq!(rank::mid_ranks(&x).unwrap().ranks, get::<Vec<f64>>(&case, "ranks"), "ranks of {}", case["name"]);
        for (p, expected) in case["quantiles"].as_object().unwrap() {
            let quantile = describe::quantile(&x, p.parse().unwrap()).ok();
            assert_close(quantile, expected.as_f64(), &format!("quantile {p} of {}", case["name"]));
        }
    }
}

#[test]
fn densities_are_those_of_r() {
    for case in cases("density", "cases") {
        let (x, at): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "at"));
        let what = case["name"].to_string();
        assert_close(density::bandwidth(&x), get(&case, "bandwidth"), &format!("bandwidth of {what}"));
        let found = density::density(&x, at.len());
        for ((place, expected), (value, density)) in at.iter().zip(get::<Vec<f64>>(&case, "density")).zip(found) {
            assert_close(Some(value), Some(*place), &format!("place of {what}"));
            assert_close(Some(density), Some(expected), &format!("density of {what} at {place}"));
        }
    }
    assert!(density::density(&[2.0, 2.0], 5).is_empty() && density::density(&[], 5).is_empty());
}

#[test]
fn correlations_are_those_of_scipy() {
    for case in cases("correlation", "cases") {
        let what = format!("{} {} {}", case["method"], case["name"], case["confidence"]);
        let (x, y): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "y"));
        let correlation = correlation::correlate(get::<CorrelationKind>(&case, "method"), &x, &y, confidence(&case));
        assert_eq!(correlation.n, x.len());
        assert_eq!(correlation.df, Some(x.len() - 2));
        // Neither JSON nor a record has infinity: the t of a perfect correlation is null there.
        let record = correlation.record();
        assert_cells(&record, &case, &["estimate", "p_value", "statistic", "lower", "upper"], &what);
        let is_whole = record.text(REASON).is_none();
        assert_eq!(is_whole, record.number(LOWER).is_some(), "{what}: what is absent has a reason");
        let is_exact = correlation.method == CorrelationKind::Spearman && correlation.n <= correlation::MAX_EXACT;
        assert_eq!(correlation.p_method == PMethod::ExactPermutation, is_exact, "{what}: how p was computed");
        if correlation.estimate().is_some_and(|estimate| estimate.abs() == 1.0) {
            assert_eq!(record.number(LOWER), None, "{what}: a perfect correlation has no interval");
            assert!(!correlation.sentence().contains("CI"), "{what}: nor does its sentence");
        }
    }
}

#[test]
fn medians_have_conovers_intervals_and_proportions_have_wilsons() {
    for case in cases("interval", "medians") {
        let x: Vec<f64> = get(&case, "x");
        let what = format!("median of {} at {}", x.len(), case["confidence"]);
        let median = serde_json::to_value(median_interval(&x, confidence(&case))).unwrap();
        for name in ["estimate", "lower", "upper", "coverage"] {
            assert_close(median[name].as_f64(), get(&case, name), &format!("{what}: {name}"));
        }
    }
    for case in cases("interval", "proportions") {
        let share = proportion(get(&case, "successes"), get(&case, "n"), confidence(&case));
        let what = format!("{} of {} at {}", share.successes, share.n, share.confidence);
        assert_close(share.estimate, get(&case, "estimate"), &format!("{what}: estimate"));
        assert_close(share.lower, get(&case, "lower"), &format!("{what}: lower"));
        assert_close(share.upper, get(&case, "upper"), &format!("{what}: upper"));
    }
}

#[test]
fn proportions_over_participants_are_those_of_cluster_robust_variances() {
    for case in cases("interval", "clustered") {
        let clusters: Vec<(u64, u64)> = get(&case, "clusters");
        let share = clustered_proportion(&clusters, confidence(&case));
        let what = format!("{} at {}", case["name"], share.confidence);
        assert_close(share.estimate, get(&case, "estimate"), &format!("{what}: estimate"));
        assert_close(share.lower, get(&case, "lower"), &format!("{what}: lower"));
        assert_close(share.upper, get(&case, "upper"), &format!("{what}: upper"));
        assert_eq!(share.reason.is_some(), share.lower.is_none(), "{what}: what is absent has a reason");
        // Each move by itself, those of a participant apart from each other.
        let mut moves: Vec<(u64, usize)> = Vec::new();
        for (participant, &(successes, n)) in clusters.iter().enumerate() {
            moves.extend((0..n).map(|index| (u64::from(index < successes), participant)));
        }
        moves.sort_unstable();
        let (counts, participants): (Vec<(u64, u64)>, Vec<usize>) =
            moves.into_iter().map(|(is_success, participant)| ((is_success, 1), participant)).unzip();
        let single = proportion_of(&counts, Some(&participants), confidence(&case));
        assert_close(single.lower, share.lower, &format!("{what}: of single moves"));
        let pooled = proportion_of(&counts, None, confidence(&case));
        assert_eq!(pooled, proportion(share.successes, share.n, confidence(&case)), "{what}: as if independent");
        if let (Some(ends), Some(independent)) = (share.lower.zip(share.upper), pooled.lower.zip(pooled.upper)) {
            let is_as_wide = ends.0 <= independent.0 + 1e-12 && ends.1 >= independent.1 - 1e-12;
            assert!(is_as_wide, "{what}: never narrower than of independent moves");
        }
    }
}

/// 2,000 studies of 12 people with 100 moves each, whose shares have a mean of .3 and a standard deviation of .15. Of so
/// many intervals at 95 % the standard error of the share that holds .3 is .005.
#[test]
fn proportions_over_participants_hold_the_share_of_people_who_differ() {
    let mut random = ChaCha8Rng::seed_from_u64(1998);
    let people = Beta::new(2.5, 35.0 / 6.0).unwrap();
    let mut n_held = [0; 2];
    for _ in 0..2_000 {
        let counts = |_| (Binomial::new(100, people.sample(&mut random)).unwrap().sample(&mut random), 100);
        let clusters: Vec<(u64, u64)> = (0..12).map(counts).collect();
        let pooled = proportion(clusters.iter().map(|cluster| cluster.0).sum(), 1_200, Confidence::default());
        for (n_held, share) in n_held.iter_mut().zip([clustered_proportion(&clusters, Confidence::default()), pooled]) {
            *n_held += usize::from(share.lower.unwrap() <= 0.3 && 0.3 <= share.upper.unwrap());
        }
    }
    let [clustered, independent] = n_held.map(|n| n as f64 / 2_000.0);
    assert!((clustered - 0.95).abs() < 0.015, "{clustered}");
    assert!(independent < 0.5, "{independent}, as if moves were independent");
}

#[test]
fn lines_and_their_bands_are_those_of_statsmodels() {
    for case in cases("regression", "cases") {
        let what = format!("{} at {}", case["name"], case["confidence"]);
        let fit = line(&get::<Vec<f64>>(&case, "x"), &get::<Vec<f64>>(&case, "y"), confidence(&case));
        assert_coefficient(fit.intercept.unwrap(), &case["intercept"], &format!("{what}: intercept"));
        assert_coefficient(fit.slope.unwrap(), &case["slope"], &format!("{what}: slope"));
        assert_close(fit.r_squared, get(&case, "r_squared"), &format!("{what}: R²"));
        assert_close(fit.residual_sd, get(&case, "residual_sd"), &format!("{what}: residual sd"));
        for point in case["band"].as_array().unwrap() {
            let at = fit.at(get(point, "x")).unwrap();
            assert_close(Some(at.mean), get(point, "mean"), &format!("{what}: mean at {}", at.x));
            assert_close(Some(at.standard_error), get(point, "standard_error"), &format!("{what}: error at {}", at.x));
            assert_close(Some(at.lower), get(point, "lower"), &format!("{what}: lower at {}", at.x));
            assert_close(Some(at.upper), get(point, "upper"), &format!("{what}: upper at {}", at.x));
        }
    }
}

#[test]
fn r_squared_is_the_square_of_r() {
    for case in cases("regression", "cases") {
        let (x, y): (Vec<f64>, Vec<f64>) = (get(&case, "x"), get(&case, "y"));
        let r = correlation::pearson(&x, &y, Confidence::default()).estimate().unwrap();
        let r_squared = line(&x, &y, Confidence::default()).r_squared;
        assert_close(r_squared, Some(r * r), &format!("{}: R² and r²", case["name"]));
    }
}

#[test]
fn adjusted_p_values_are_those_of_statsmodels() {
    for case in cases("adjust", "cases") {
        let p: Vec<Option<f64>> = get(&case, "p");
        for (name, actual) in [("holm", adjust::holm(&p)), ("benjamini_hochberg", adjust::benjamini_hochberg(&p))] {
            let expected: Vec<Option<f64>> = get(&case, name);
            assert_eq!(actual.len(), expected.len());
            actual.into_iter().zip(expected).for_each(|(actual, expected)| assert_close(actual, expected, name));
        }
    }
}

#[test]
fn kruskal_wallis_is_that_of_scipy() {
    for case in cases("kruskal", "cases") {
        let what = case["name"].to_string();
        let comparison = kruskal::kruskal_wallis(&get::<Vec<Vec<f64>>>(&case, "groups"));
        assert_eq!(comparison.n, get::<usize>(&case, "n"));
        let test = comparison.test.unwrap();
        assert_close(Some(test.statistic), get(&case, "statistic"), &format!("{what}: H"));
        assert_close(Some(test.p_value), get(&case, "p_value"), &format!("{what}: p"));
        assert_close(Some(test.tie_correction), get(&case, "tie_correction"), &format!("{what}: tie correction"));
        assert_close(Some(test.epsilon_squared), get(&case, "epsilon_squared"), &format!("{what}: ε²"));
        for (group, expected) in comparison.groups.iter().zip(get::<Vec<f64>>(&case, "mean_ranks")) {
            assert_close(group.mean_rank, Some(expected), &format!("{what}: mean rank"));
        }
    }
}

#[test]
fn bootstrap_intervals_of_given_replicates_are_those_of_scipy() {
    for case in cases("resample", "exact") {
        let what = format!("{} {}", case["name"], case["method"]);
        let replicates: Vec<f64> = get(&case, "replicates");
        let (lower, upper) = match get(&case, "method") {
            resample::BootstrapMethod::Percentile => percentile_interval(&replicates, confidence(&case)),
            resample::BootstrapMethod::BiasCorrectedAccelerated => {
                let jackknife: Vec<f64> = get(&case, "jackknife");
                bca_interval(get(&case, "estimate"), &replicates, &jackknife, confidence(&case))
            }
        }
        .unwrap();
        let expected: [f64; 2] = get(&case, "interval");
        assert_close(Some(lower), Some(expected[0]), &format!("{what}: lower"));
        assert_close(Some(upper), Some(expected[1]), &format!("{what}: upper"));
    }
}

/// An end of a bootstrap interval varies from run to run with a standard deviation s, which the
/// script measured in m = 30 runs of as many resamples as here. Our one run and the mean of the m
/// runs therefore differ with standard deviation s √(1 + 1/m). Four of these are allowed: an
/// equally good implementation would fail with probability 6e-5 for each number compared (a little
/// more, as s itself is estimated), once and for all, since our seed is fixed. That is 0.08 to 0.29 of
/// the statistic's standard error, and 0.61 at the upper end of the BCa interval of a skewed mean.
#[test]
fn bootstrap_intervals_agree_with_scipy_within_their_monte_carlo_error() {
    for case in cases("resample", "monte_carlo") {
        let what = format!("{} {}", case["name"], case["method"]);
        let interval = resampled(&case);
        assert_close(interval.estimate, get(&case, "estimate"), &format!("{what}: estimate"));
        let allowed = 4.0 * (1.0 + 1.0 / get::<f64>(&case, "runs")).sqrt();
        let [lower, upper]: [f64; 2] = get(&case, "mean_ends");
        let [lower_sd, upper_sd]: [f64; 2] = get(&case, "sd_ends");
        assert_within(interval.lower.unwrap(), lower, allowed * lower_sd, &format!("{what}: lower"));
        assert_within(interval.upper.unwrap(), upper, allowed * upper_sd, &format!("{what}: upper"));
        let (error, error_sd) = (get(&case, "mean_error"), get::<f64>(&case, "sd_error"));
        assert_within(interval.standard_error.unwrap(), error, allowed * error_sd, &format!("{what}: standard error"));
    }
}

#[test]
fn resampling_trials_as_if_they_were_independent_gives_another_answer() {
    let clustered = cases("resample", "monte_carlo").into_iter().find(|case| case.get("clusters").is_some()).unwrap();
    let [x, y]: [Vec<f64>; 2] = get(&clustered, "columns");
    let whole = resampled(&clustered).standard_error.unwrap();
    let single = Bootstrap::new(20_240_607).pairs(&x, &y, pearson_or_nan).standard_error.unwrap();
    assert!((whole / single - 1.0).abs() > 0.1, "{whole} from participants, {single} from single trials");
}

fn resampled(case: &Value) -> BootstrapInterval {
    let options = Bootstrap {
        n_resamples: get(case, "n_resamples"),
        seed: 20_240_607,
        confidence: confidence(case),
        method: get(case, "method"),
    };
    let columns: Vec<Vec<f64>> = get(case, "columns");
    let describe = |values: &[f64]| describe::describe(values);
    match case["name"].as_str().unwrap() {
        "mean" => options.sample(&columns[0], |values| describe(values).mean.unwrap()),
        "median" => options.sample(&columns[0], |values| describe(values).median.unwrap()),
        "correlation" => options.pairs(&columns[0], &columns[1], pearson_or_nan),
        "clustered correlation" => {
            let clusters: Vec<u32> = get(case, "clusters");
            options.clustered_pairs(&clusters, &columns[0], &columns[1], pearson_or_nan)
        }
        other => panic!("no statistic named {other}"),
    }
}

fn pearson_or_nan(x: &[f64], y: &[f64]) -> f64 {
    correlation::coefficient(CorrelationKind::Pearson, x, y).unwrap_or(f64::NAN)
}

/// The cases of one list of an oracle's file.
pub(super) fn cases(name: &str, list: &str) -> Vec<Value> {
    let path = format!("{}/tests/oracles/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let document: Value = serde_json::from_str(&text).unwrap();
    let cases = document[list].as_array().unwrap().clone();
    assert!(!cases.is_empty(), "{path} has no {list}");
    cases
}

pub(super) fn get<T: DeserializeOwned>(case: &Value, name: &str) -> T {
    serde_json::from_value(case[name].clone()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(super) fn confidence(case: &Value) -> Confidence {
    get(case, "confidence")
}

fn assert_coefficient(coefficient: LineCoefficient, expected: &Value, what: &str) {
    assert_close(Some(coefficient.estimate), get(expected, "estimate"), what);
    assert_close(coefficient.standard_error, get(expected, "standard_error"), &format!("{what}, standard error"));
    assert_close(coefficient.lower, get(expected, "lower"), &format!("{what}, lower"));
    assert_close(coefficient.upper, get(expected, "upper"), &format!("{what}, upper"));
    assert_close(coefficient.statistic, get(expected, "statistic"), &format!("{what}, t"));
    assert_close(coefficient.p_value, get(expected, "p_value"), &format!("{what}, p"));
}

/// Compares the cells of a record with the values of a case that have the same names.
#[track_caller]
pub(super) fn assert_cells(record: &Record, case: &Value, names: &[&str], what: &str) {
    for name in names {
        assert_close(record.cell(name).number(), get(case, name), &format!("{what}: {name}"));
    }
}

/// Asserts that both are absent, or equal up to [`TOLERANCE`] relative to the expected value; an expected 0 admits
/// 1e-14, the rounding of a difference of numbers near 1.
#[track_caller]
pub(super) fn assert_close(actual: Option<f64>, expected: Option<f64>, what: &str) {
    match (actual, expected) {
        (None, None) => {}
        (Some(actual), Some(expected)) => {
            let allowed = if expected == 0.0 { 1e-14 } else { TOLERANCE * expected.abs() };
            assert_within(actual, expected, allowed, what);
        }
        (actual, expected) => panic!("{what}: found {actual:?}, expected {expected:?}"),
    }
}

#[track_caller]
pub(super) fn assert_within(actual: f64, expected: f64, allowed: f64, what: &str) {
    let difference = (actual - expected).abs();
    assert!(
        difference <= allowed,
        "{what}: found {actual}, expected {expected} ± {allowed:e}, differs by {difference:e}"
    );
}
