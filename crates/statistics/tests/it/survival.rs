//! Survival against R's survival package and lifelines.

use plymap_statistics::stats::chi_squared::ChiSquaredTest;
use plymap_statistics::stats::covariate::{Covariate, Effect};
use plymap_statistics::stats::survival::cox::{Cox, CoxGroups, cox, cox_grouped};
use plymap_statistics::stats::survival::kaplan_meier::{
    KaplanMeier, SurvivalQuantile, kaplan_meier, kaplan_meier_clustered,
};
use plymap_statistics::stats::survival::log_rank::{LogRank, log_rank};
use plymap_statistics::stats::survival::proportional_hazards::TimeScale;
use plymap_statistics::stats::survival::split_hazards::split_hazards;
use serde_json::Value;

use crate::oracle::{CLOSED_FORM, assert_close, cases, confidence, flags, get};

/// Both programs iterate until the next step would not matter to the digits that they keep: here a
/// last step below 1e-8 standard deviations leaves an error of its square, R was asked for a relative
/// change of the likelihood below 1e-13. What is left is rounding, larger in second derivatives.
const ITERATIVE: f64 = 1e-6;

#[test]
fn kaplan_meier_curves_are_those_of_survfit() {
    for case in cases("survival", "kaplan_meier") {
        let what = format!("{} at {}", case["name"], case["confidence"]);
        let curve = curve_of(&case);
        for (index, point) in curve.points.iter().enumerate() {
            let at = format!("{what}, time {}", point.time);
            assert_eq!(point.time, get::<Vec<f64>>(&case, "time")[index]);
            let counts =
                [("n_at_risk", point.n_at_risk), ("n_events", point.n_events), ("n_censored", point.n_censored)];
            for (name, count) in counts {
                assert_eq!(count, get::<Vec<usize>>(&case, name)[index], "{at}: {name}");
            }
            let expected = |name| get::<Vec<Option<f64>>>(&case, name)[index];
            assert_close(Some(point.survival), expected("survival"), CLOSED_FORM, &at);
            assert_close(point.standard_error, expected("standard_error"), CLOSED_FORM, &format!("{at}: error"));
            assert_close(point.lower, expected("lower"), CLOSED_FORM, &format!("{at}: lower"));
            assert_close(point.upper, expected("upper"), CLOSED_FORM, &format!("{at}: upper"));
        }
        assert_eq!(curve.points.len(), get::<Vec<f64>>(&case, "time").len());
        let table = curve.at_risk(&get::<Vec<f64>>(&case, "marks"));
        let at_risk: Vec<usize> = table.iter().map(|row| row.n_at_risk).collect();
        assert_eq!(at_risk, get::<Vec<usize>>(&case, "marks_at_risk"), "{what}");
    }
}

#[test]
fn medians_and_other_quantiles_of_survival_are_those_of_survfit() {
    for case in cases("survival", "kaplan_meier") {
        let what = format!("{} at {}", case["name"], case["confidence"]);
        let curve = curve_of(&case);
        assert_quantile(&curve.median, get(&case, "median"), &what);
        for (share, expected) in
            get::<Vec<f64>>(&case, "shares").iter().zip(get::<Vec<[Option<f64>; 3]>>(&case, "quantiles"))
        {
            assert_quantile(&curve.quantile(*share), expected, &format!("{what}, share {share}"));
        }
    }
}

#[test]
fn restricted_means_are_those_of_survfit() {
    for case in cases("survival", "kaplan_meier") {
        let what = format!("{} at {}", case["name"], case["confidence"]);
        let curve = curve_of(&case);
        for (mark, expected) in get::<Vec<f64>>(&case, "marks")[1..].iter().zip(get::<Vec<f64>>(&case, "restricted")) {
            assert_close(curve.restricted_mean(*mark), Some(expected), CLOSED_FORM, &format!("{what}, until {mark}"));
        }
        let last = curve.points.last().expect("a point");
        let is_known = curve.restricted_mean(last.time + 1.0).is_some();
        assert_eq!(is_known, last.survival == 0.0, "{what}: nobody is known to be at risk beyond the last time");
    }
}

#[test]
fn kaplan_meier_curves_are_those_of_lifelines() {
    for case in cases("survival_lifelines", "kaplan_meier") {
        let curve = curve_of(&case);
        let inside: Vec<_> = curve.points.iter().filter(|point| point.lower.is_some()).collect();
        assert_eq!(inside.len(), get::<Vec<f64>>(&case, "time").len());
        for (index, point) in inside.iter().enumerate() {
            assert_eq!(point.time, get::<Vec<f64>>(&case, "time")[index]);
            for (name, value) in [("survival", Some(point.survival)), ("lower", point.lower), ("upper", point.upper)] {
                let expected = get::<Vec<f64>>(&case, name)[index];
                assert_close(value, Some(expected), CLOSED_FORM, &format!("{name} of {}", case["name"]));
            }
        }
    }
}

#[test]
fn curves_of_clusters_have_the_robust_errors_of_survfit() {
    for case in cases("survival", "kaplan_meier_clustered") {
        let what = case["name"].to_string();
        let curve = clustered_curve_of(&case);
        assert_eq!(curve.points.len(), get::<Vec<f64>>(&case, "time").len(), "{what}");
        assert_eq!(curve.n_clusters, get(&case, "n_clusters"), "{what}");
        for (index, point) in curve.points.iter().enumerate() {
            let expected = |name| get::<Vec<Option<f64>>>(&case, name)[index];
            let parts = [
                ("survival", Some(point.survival)),
                ("standard_error", point.standard_error),
                ("lower", point.lower),
                ("upper", point.upper),
            ];
            for (name, value) in parts {
                let at = format!("{what}, time {}: {name}", point.time);
                assert_close(value, expected(name), CLOSED_FORM, &at);
            }
        }
        assert_quantile(&curve.median, get(&case, "median"), &what);
    }
}

/// The influence of each time is halved, and the cluster's sum of them stays the same.
#[test]
fn who_is_there_twice_in_one_cluster_changes_no_interval() {
    for case in cases("survival", "kaplan_meier_clustered") {
        let once = clustered_curve_of(&case);
        let twice = kaplan_meier_clustered(
            &get::<Vec<f64>>(&case, "times").repeat(2),
            &flags(&case, "events").repeat(2),
            &get::<Vec<usize>>(&case, "clusters").repeat(2),
            confidence(&case),
        );
        for (single, doubled) in once.points.iter().zip(&twice.points) {
            let what = format!("{}, time {}", case["name"], single.time);
            assert_eq!(2 * single.n_at_risk, doubled.n_at_risk);
            assert_close(doubled.standard_error, single.standard_error, CLOSED_FORM, &what);
            assert_close(doubled.lower, single.lower, CLOSED_FORM, &what);
            assert_close(doubled.upper, single.upper, CLOSED_FORM, &what);
        }
        assert_eq!(twice.median, once.median, "{}", case["name"]);
    }
}

#[test]
fn clusters_that_are_alike_or_only_one_give_no_interval() {
    let times = [3.0, 5.0, 8.0, 3.0, 5.0, 8.0];
    let curve = |clusters: &[usize]| kaplan_meier_clustered(&times, &[true; 6], clusters, Default::default());
    let alike = curve(&[0, 0, 0, 1, 1, 1]);
    assert_eq!(alike.median.estimate, Some(5.0));
    assert!(alike.points.iter().all(|point| point.standard_error.is_none() && point.lower.is_none()));
    let lone = curve(&[4; 6]);
    assert_eq!(lone.reason.unwrap().to_string(), "a cluster-robust standard error needs at least 2 clusters, found 1");
    assert!(curve(&[0, 1]).reason.unwrap().to_string().contains("paired"));
}

#[test]
fn log_rank_tests_are_those_of_survdiff() {
    for case in cases("survival", "log_rank") {
        let what = case["name"].to_string();
        let test = log_rank_of(&case);
        for (group, (observed, expected)) in
            test.groups.iter().zip(get::<Vec<f64>>(&case, "observed").iter().zip(get::<Vec<f64>>(&case, "expected")))
        {
            assert_eq!(group.observed as f64, *observed, "{what}");
            assert_close(Some(group.expected), Some(expected), CLOSED_FORM, &what);
        }
        let expected = [get::<f64>(&case, "statistic"), get(&case, "df"), get(&case, "p_value")];
        assert_test(test.test.ok(), &expected, CLOSED_FORM, &what);
    }
}

#[test]
fn log_rank_tests_are_those_of_lifelines() {
    for case in cases("survival_lifelines", "log_rank") {
        let test = log_rank_of(&case).test.unwrap();
        assert_close(Some(test.statistic), get(&case, "statistic"), CLOSED_FORM, "statistic");
        assert_close(Some(test.p_value), get(&case, "p_value"), CLOSED_FORM, "p");
    }
}

#[test]
fn cox_models_are_those_of_coxph() {
    for case in cases("survival", "cox") {
        let what = case["name"].to_string();
        let model = cox_of(&case);
        assert_eq!(model.fit.reason(), None, "{what}");
        type Part = (&'static str, fn(&Effect) -> f64);
        let all: [Part; 7] = [
            ("estimate", |effect| effect.estimate),
            ("ratio", |effect| effect.ratio),
            ("standard_error", |effect| effect.standard_error),
            ("statistic", |effect| effect.statistic),
            ("p_value", |effect| effect.p_value),
            ("ratio_lower", |effect| effect.ratio_lower),
            ("ratio_upper", |effect| effect.ratio_upper),
        ];
        // What few clusters change is compared below.
        let parts = if model.fit.n_clusters.is_some() { &all[..2] } else { &all };
        for (name, part) in parts {
            let actual: Vec<f64> = model.fit.effects().iter().map(part).collect();
            assert_all(&actual, &get::<Vec<f64>>(&case, name), ITERATIVE, &format!("{what}: {name}"));
        }
        if let Some(n) = model.fit.n_clusters {
            // No covariate has one value in each cluster.
            let factor = (n as f64 / (n as f64 - 1.0)).sqrt();
            let expected: Vec<f64> = get::<Vec<f64>>(&case, "standard_error").iter().map(|se| se * factor).collect();
            let errors: Vec<f64> = model.fit.effects().iter().map(|effect| effect.standard_error).collect();
            assert_all(&errors, &expected, ITERATIVE, &what);
            assert!(model.fit.effects().iter().all(|effect| effect.df == Some(n as f64 - 1.0)), "{what}");
        }
        // Likelihoods are flat at their maximum: an error of the estimates enters by its square.
        assert_close(model.fit.log_likelihood(), get(&case, "log_likelihood"), CLOSED_FORM, &what);
        assert_close(model.fit.log_likelihood_null, get(&case, "log_likelihood_null"), CLOSED_FORM, &what);
        for (name, test) in [("likelihood_ratio", model.fit.likelihood_ratio()), ("score", model.score)] {
            assert_test(test, &get::<Vec<f64>>(&case, name), ITERATIVE, &format!("{what}: {name}"));
        }
        if model.fit.n_clusters.is_none() {
            let wald = model.fit.wald.unwrap();
            let plain = ChiSquaredTest { statistic: wald.statistic, df: wald.df, p_value: wald.p_value };
            assert_test(Some(plain), &get::<Vec<f64>>(&case, "wald"), ITERATIVE, &format!("{what}: wald"));
        }
        let concordance = model.concordance.unwrap();
        assert_close(Some(concordance.estimate), get(&case, "concordance"), CLOSED_FORM, &what);
        assert_close(Some(concordance.standard_error), get(&case, "concordance_error"), CLOSED_FORM, &what);
    }
}

#[test]
fn cox_models_with_few_clusters_have_the_degrees_of_freedom_of_what_their_covariates_vary_over() {
    for case in cases("cox_clusters", "cases") {
        let what = case["name"].to_string();
        let (names, values): (Vec<String>, Vec<Vec<f64>>) = (get(&case, "names"), get(&case, "covariates"));
        let covariates: Vec<Covariate> =
            names.iter().zip(&values).map(|(name, values)| Covariate { name, values }).collect();
        let numbers = |name: &str| case[name].is_array().then(|| get::<Vec<usize>>(&case, name));
        let (clusters, second, strata) = (numbers("clusters"), numbers("second"), numbers("strata"));
        let groups =
            CoxGroups { clusters: clusters.as_deref(), second_clusters: second.as_deref(), strata: strata.as_deref() };
        let (times, events) = (get::<Vec<f64>>(&case, "times"), flags(&case, "events"));
        let model = cox_grouped(&times, &events, &covariates, groups, Default::default());
        assert_eq!(model.fit.reason(), None, "{what}");
        type Part = (&'static str, fn(&Effect) -> f64);
        let parts: [Part; 7] = [
            ("estimate", |effect| effect.estimate),
            ("standard_error", |effect| effect.standard_error),
            ("df", |effect| effect.df.unwrap()),
            ("statistic", |effect| effect.statistic),
            ("p_value", |effect| effect.p_value),
            ("lower", |effect| effect.lower),
            ("upper", |effect| effect.upper),
        ];
        for (name, part) in parts {
            let actual: Vec<f64> = model.fit.effects().iter().map(part).collect();
            assert_all(&actual, &get::<Vec<f64>>(&case, name), ITERATIVE, &format!("{what}: {name}"));
        }
        let expected: Option<[f64; 4]> = case["wald"].is_array().then(|| get(&case, "wald"));
        assert_eq!(model.fit.wald.is_some(), expected.is_some(), "{what}");
        if let Some((wald, [statistic, df, df2, p])) = model.fit.wald.zip(expected) {
            assert_eq!(wald.df as f64, df, "{what}");
            assert_close(wald.df2, Some(df2), CLOSED_FORM, &what);
            assert_close(Some(wald.statistic), Some(statistic), ITERATIVE, &what);
            assert_close(Some(wald.p_value), Some(p), ITERATIVE, &what);
        }
    }
}

#[test]
fn hazard_ratios_split_at_a_time_are_those_of_surv_split() {
    for case in cases("cox_clusters", "splits") {
        let what = case["name"].to_string();
        let (values, clusters): (Vec<f64>, Vec<usize>) = (get(&case, "x"), get(&case, "clusters"));
        let strata = case["strata"].is_array().then(|| get::<Vec<usize>>(&case, "strata"));
        let groups = CoxGroups { clusters: Some(&clusters), second_clusters: None, strata: strata.as_deref() };
        let covariates = [Covariate { name: "x", values: &values }];
        let (times, events) = (get::<Vec<f64>>(&case, "times"), flags(&case, "events"));
        let splits = split_hazards(&times, &events, &covariates, groups, get(&case, "at"), Default::default()).unwrap();
        let [split] = splits.as_slice() else { panic!("{what}") };
        for (name, part) in [
            ("before", split.before),
            ("after", split.after),
            ("standard_error", split.change.standard_error),
            ("df", split.change.df.unwrap()),
            ("p_value", split.change.p_value),
        ] {
            assert_close(Some(part), get(&case, name), ITERATIVE, &format!("{what}: {name}"));
        }
    }
}

/// Each of two people in a condition of their own: nothing tells how people differ.
#[test]
fn a_condition_between_two_people_has_no_degrees_of_freedom() {
    let times: Vec<f64> = (0..12).map(|i| f64::from(5 + (i * 5) % 13)).collect();
    let condition: Vec<f64> = (0..12).map(|i| f64::from(i % 2)).collect();
    let who: Vec<usize> = (0..12).map(|i| i % 2).collect();
    let covariates = [Covariate { name: "condition", values: &condition }];
    let model = cox(&times, &[true; 12], &covariates, Some(&who), Default::default());
    assert!(model.fit.effects().is_empty() && model.fit.maximum.is_some());
    assert!(model.fit.reason().unwrap().to_string().starts_with("a cluster-robust standard error"));
}

/// A condition of one participant is fitted by that participant: of all others nothing tells how far people lie apart
/// in it.
#[test]
fn a_condition_of_one_person_has_no_hazard_ratio_and_one_of_two_few_degrees_of_freedom() {
    let times: Vec<f64> = (0..48).map(|i| f64::from(5 + (i * 5) % 13 + i % 8)).collect();
    let who: Vec<usize> = (0..48).map(|i| i % 8).collect();
    let fit = |n: usize| {
        let condition: Vec<f64> = who.iter().map(|&cluster| f64::from(u8::from(cluster < n))).collect();
        cox(&times, &[true; 48], &[Covariate { name: "condition", values: &condition }], Some(&who), Default::default())
    };
    let alone = fit(1);
    let why = "a cluster-robust standard error needs at least 2 clusters with each value of a covariate, found 1";
    assert_eq!((alone.fit.effects().len(), alone.fit.reason().unwrap().to_string()), (0, why.to_owned()));
    // Welch's for two against six of equal variance, and for four against four those of a regression over people.
    let df = |n| fit(n).fit.effects()[0].df.unwrap();
    assert_close(Some(df(2)), Some((1.0 / 2.0 + 1.0 / 6.0_f64).powi(2) / (1.0 / 4.0 + 1.0 / 180.0)), CLOSED_FORM, "df");
    assert_eq!(df(4), 6.0);
}

#[test]
fn tests_of_proportional_hazards_are_those_of_cox_zph() {
    for case in cases("survival", "cox") {
        let model = cox_of(&case);
        for expected in case["proportionality"].as_array().unwrap() {
            let what = format!("{} on {}", case["name"], expected["scale"]);
            let scale = match expected["scale"].as_str().unwrap() {
                "km" => TimeScale::KaplanMeier,
                "identity" => TimeScale::Identity,
                _ => TimeScale::Log,
            };
            let result = model.proportionality(scale).unwrap();
            let tests: Vec<_> = result.covariates.iter().map(|covariate| covariate.test).chain([result.all]).collect();
            let [statistics, dfs, ps]: [Vec<f64>; 3] = ["statistic", "df", "p_value"].map(|name| get(expected, name));
            assert_eq!(tests.len(), statistics.len());
            for (index, test) in tests.into_iter().enumerate() {
                assert_test(test, &[statistics[index], dfs[index], ps[index]], ITERATIVE, &what);
            }
        }
    }
}

#[test]
fn stratified_cox_models_are_those_of_coxph_with_strata() {
    for case in cases("survival", "cox_stratified") {
        let what = format!("strata, {}", case["name"]);
        let (names, values): (Vec<String>, Vec<Vec<f64>>) = (get(&case, "names"), get(&case, "covariates"));
        let covariates: Vec<Covariate> =
            names.iter().zip(&values).map(|(name, values)| Covariate { name, values }).collect();
        let (clusters, strata): (Vec<usize>, Vec<usize>) = (get(&case, "clusters"), get(&case, "strata"));
        let fit = |clusters| {
            let groups = CoxGroups { clusters, second_clusters: None, strata: Some(&strata) };
            let (times, events) = (get::<Vec<f64>>(&case, "times"), flags(&case, "events"));
            cox_grouped(&times, &events, &covariates, groups, Default::default())
        };
        let (plain, robust) = (fit(None), fit(Some(&clusters)));
        assert_eq!((plain.fit.reason(), plain.n_strata, robust.fit.n_clusters), (None, Some(4), Some(20)), "{what}");
        let part = |model: &Cox, part: fn(&Effect) -> f64| model.fit.effects().iter().map(part).collect::<Vec<f64>>();
        assert_all(&part(&plain, |e| e.estimate), &get::<Vec<f64>>(&case, "estimate"), ITERATIVE, &what);
        assert_all(&part(&plain, |e| e.standard_error), &get::<Vec<f64>>(&case, "standard_error"), ITERATIVE, &what);
        let few = (20.0_f64 / 19.0).sqrt();
        let expected: Vec<f64> = get::<Vec<f64>>(&case, "robust_error").iter().map(|se| se * few).collect();
        assert_all(&part(&robust, |e| e.standard_error), &expected, ITERATIVE, &what);
        assert_close(plain.fit.log_likelihood(), get(&case, "log_likelihood"), CLOSED_FORM, &what);
        assert_close(plain.fit.log_likelihood_null, get(&case, "log_likelihood_null"), CLOSED_FORM, &what);
        assert_test(plain.score, &get::<Vec<f64>>(&case, "score"), ITERATIVE, &what);
        for (expected, scale) in
            case["proportionality"].as_array().unwrap().iter().zip([TimeScale::KaplanMeier, TimeScale::Identity])
        {
            let result = plain.proportionality(scale).unwrap();
            let tests: Vec<_> = result.covariates.iter().map(|covariate| covariate.test).chain([result.all]).collect();
            let [statistics, dfs, ps]: [Vec<f64>; 3] = ["statistic", "df", "p_value"].map(|name| get(expected, name));
            for (index, test) in tests.into_iter().enumerate() {
                assert_test(test, &[statistics[index], dfs[index], ps[index]], ITERATIVE, &what);
            }
        }
    }
}

/// A covariate of the stratum alone, as the distance of a level is, tells nothing within strata.
#[test]
fn a_covariate_that_is_constant_within_strata_has_no_effect() {
    let times: Vec<f64> = (0..40).map(|i| f64::from((i * 17) % 41) + 0.5).collect();
    let strata: Vec<usize> = (0..40).map(|i| i % 4).collect();
    let distance: Vec<f64> = strata.iter().map(|&level| 3.0 + level as f64).collect();
    let groups = CoxGroups { clusters: None, second_clusters: None, strata: Some(&strata) };
    let covariates = [Covariate { name: "distance", values: &distance }];
    let model = cox_grouped(&times, &[true; 40], &covariates, groups, Default::default());
    assert!(model.fit.effects().is_empty());
    let reason = "the effect of each covariate is not defined here: distance does not vary within strata";
    assert_eq!(model.fit.reason().unwrap().to_string(), reason);
    assert!(cox(&times, &[true; 40], &covariates, None, Default::default()).fit.reason().is_none());
}

#[test]
fn cox_models_are_those_of_lifelines() {
    let by_r = cases("survival", "cox");
    for case in cases("survival_lifelines", "cox") {
        let what = case["name"].to_string();
        let data = by_r.iter().find(|other| other["name"] == case["name"]).unwrap();
        let model = cox_of(data);
        let estimates: Vec<f64> = model.fit.effects().iter().map(|effect| effect.estimate).collect();
        let errors: Vec<f64> = model.fit.effects().iter().map(|effect| effect.standard_error).collect();
        assert_all(&estimates, &get::<Vec<f64>>(&case, "estimate"), ITERATIVE, &what);
        assert_all(&errors, &get::<Vec<f64>>(&case, "standard_error"), ITERATIVE, &what);
        assert_close(model.fit.log_likelihood(), get(&case, "log_likelihood"), CLOSED_FORM, &what);
    }
}

/// Cox (1972): without ties, the score test of a covariate of 0 and 1 is the log-rank test.
#[test]
fn the_score_test_of_two_groups_without_ties_is_the_log_rank_test() {
    let times: Vec<f64> = (0..40).map(|i| f64::from((i * 17) % 41) + 0.5).collect();
    let events: Vec<bool> = (0..40).map(|i| i % 5 != 2).collect();
    let group: Vec<f64> = (0..40).map(|i| f64::from((i / 3) % 2)).collect();
    let model = cox(&times, &events, &[Covariate { name: "group", values: &group }], None, Default::default());
    let part = |wanted: f64| -> (Vec<f64>, Vec<bool>) {
        (0..40).filter(|&i| group[i] == wanted).map(|i| (times[i], events[i])).unzip()
    };
    let (first, second) = (part(0.0), part(1.0));
    let test = log_rank(&[(&first.0, &first.1), (&second.0, &second.1)]).test.unwrap();
    assert_close(Some(model.score.unwrap().statistic), Some(test.statistic), 1e-12, "score and log-rank");
}

fn curve_of(case: &Value) -> KaplanMeier {
    kaplan_meier(&get::<Vec<f64>>(case, "times"), &flags(case, "events"), confidence(case))
}

fn clustered_curve_of(case: &Value) -> KaplanMeier {
    let (times, clusters): (Vec<f64>, Vec<usize>) = (get(case, "times"), get(case, "clusters"));
    kaplan_meier_clustered(&times, &flags(case, "events"), &clusters, confidence(case))
}

fn log_rank_of(case: &Value) -> LogRank {
    let (times, events): (Vec<f64>, Vec<bool>) = (get(case, "times"), flags(case, "events"));
    let group: Vec<usize> = get(case, "group");
    let mut groups = vec![(Vec::new(), Vec::new()); get(case, "n_groups")];
    for index in 0..times.len() {
        groups[group[index]].0.push(times[index]);
        groups[group[index]].1.push(events[index]);
    }
    let groups: Vec<(&[f64], &[bool])> = groups.iter().map(|(times, events)| (&times[..], &events[..])).collect();
    log_rank(&groups)
}

fn cox_of(case: &Value) -> Cox {
    let names: Vec<String> = get(case, "names");
    let values: Vec<Vec<f64>> = get(case, "covariates");
    let covariates: Vec<Covariate> =
        names.iter().zip(&values).map(|(name, values)| Covariate { name, values }).collect();
    // R writes no clusters as an empty object.
    let clusters: Option<Vec<usize>> = case["clusters"].is_array().then(|| get(case, "clusters"));
    cox(&get::<Vec<f64>>(case, "times"), &flags(case, "events"), &covariates, clusters.as_deref(), confidence(case))
}

#[track_caller]
fn assert_quantile(quantile: &SurvivalQuantile, expected: [Option<f64>; 3], what: &str) {
    for (actual, expected) in [quantile.estimate, quantile.lower, quantile.upper].into_iter().zip(expected) {
        assert_close(actual, expected, CLOSED_FORM, what);
    }
    assert_eq!(quantile.reason.is_some(), quantile.estimate.is_none(), "{what}");
}

#[track_caller]
fn assert_test(test: Option<ChiSquaredTest>, expected: &[f64], tolerance: f64, what: &str) {
    let test = test.unwrap_or_else(|| panic!("{what}: no test"));
    assert_eq!(test.df as f64, expected[1], "{what}: degrees of freedom");
    assert_close(Some(test.statistic), Some(expected[0]), tolerance, &format!("{what}: statistic"));
    // The relative error of a small p is that of the statistic, times half of the statistic.
    let magnified = tolerance * f64::max(1.0, expected[0]);
    assert_close(Some(test.p_value), Some(expected[2]), magnified, &format!("{what}: p"));
}

#[track_caller]
fn assert_all(actual: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(actual.len(), expected.len(), "{what}");
    actual
        .iter()
        .zip(expected)
        .for_each(|(actual, expected)| assert_close(Some(*actual), Some(*expected), tolerance, what));
}
