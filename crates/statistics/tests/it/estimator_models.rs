//! Models on the columns of a table against statsmodels, scipy and R. In front of the data of each case stands a row
//! without values, which must be counted and change nothing.

use plymap_statistics::estimator::{Estimates, Request, Role};
use plymap_statistics::stats::Confidence;
use serde_json::Value;

use super::estimator_oracles::{Columns, compare, run, same};
use super::stats::{assert_close, assert_within, cases, confidence, get};

/// Tests of all predictors at once: statistic, degrees of freedom and p. Statistics of iterative fits agree to six
/// digits or more, and log p to as many.
fn assert_tests(table: &Estimates, case: &Value, names: &[&str]) {
    for (row, name) in names.iter().enumerate() {
        let (what, expected) = (format!("{} {name}", case["name"]), get::<Option<[f64; 3]>>(case, name));
        assert_eq!(table.text(row, "test"), Some(name.replace('_', "-").as_str()));
        assert_eq!(table.number(row, "statistic").is_some(), expected.is_some(), "{what}");
        if let Some([statistic, df, p]) = expected {
            assert_within(table.number(row, "statistic").unwrap(), statistic, 1e-5 * statistic, &what);
            assert_eq!(table.number(row, "df"), Some(df), "{what}");
            let log_p = table.number(row, "p_value").unwrap().ln();
            assert_within(log_p, p.ln(), 1e-4 * p.ln().abs().max(1.0), &what);
        }
    }
}

/// Events, which the files write as 0 and 1.
fn events(case: &Value) -> Vec<bool> {
    get::<Vec<u8>>(case, "events").into_iter().map(|event| event == 1).collect()
}

#[test]
fn lines_curves_and_logistic_models_of_columns_are_those_of_statsmodels_scipy_and_r() {
    for case in cases("regression", "cases") {
        let frame = Columns::default().numbers("x", &get::<Vec<f64>>(&case, "x"));
        let frame = frame.numbers("y", &get::<Vec<f64>>(&case, "y")).frame();
        let request = Request::new(&frame).role(Role::X, &["x"]).role(Role::Y, &["y"]);
        let table = run("line", request, confidence(&case));
        for (row, name) in ["intercept", "slope"].iter().enumerate() {
            let columns = same(&["estimate", "standard_error", "lower", "upper", "p_value"]);
            compare(&table, row, &case[name], &columns, &format!("{} {name}", case["name"]));
        }
        compare(&table, 1, &case, &same(&["r_squared", "residual_sd"]), &case["name"].to_string());
    }
    for case in cases("learning", "cases") {
        let frame = Columns::default().numbers("trial", &get::<Vec<f64>>(&case, "trials"));
        let frame = frame.numbers("y", &get::<Vec<f64>>(&case, "y")).frame();
        let request = Request::new(&frame).role(Role::Trial, &["trial"]).role(Role::Y, &["y"]);
        let table = run("learning", request.clone(), confidence(&case));
        for (row, curve) in get::<Vec<Value>>(&case, "curves").iter().enumerate() {
            assert_eq!(table.text(row, "shape"), curve["shape"].as_str());
            // Flat at the minimum; see tests/it/stats_learning.rs.
            let (actual, expected) = (table.number(row, "r_squared"), get::<Option<f64>>(curve, "r_squared"));
            if let (Some(actual), Some(expected)) = (actual, expected) {
                assert_within(actual, expected, 1e-8, &format!("{} {}", case["name"], curve["shape"]));
            }
        }
        let parameters = run("learning-parameters", request, confidence(&case));
        let curves: Vec<Value> = get(&case, "curves");
        let of_curve = |curve: &Value| -> Vec<(f64, f64)> {
            get::<Vec<f64>>(curve, "estimates").into_iter().zip(get::<Vec<f64>>(curve, "errors")).collect()
        };
        for (row, (estimate, error)) in curves.iter().flat_map(of_curve).enumerate() {
            let (what, allowed) = (format!("{} row {row}", case["name"]), 1e-5 * error);
            assert_within(parameters.number(row, "estimate").unwrap(), estimate, allowed, &what);
            assert_within(parameters.number(row, "standard_error").unwrap(), error, allowed, &what);
        }
    }
    for case in cases("logit", "cases").into_iter().chain(cases("logit_cr2", "cases")) {
        let names: Vec<String> =
            (0..get::<Vec<Value>>(&case, "covariates").len()).map(|place| format!("x{place}")).collect();
        let mut frame = Columns::default().flags("error", &events(&case));
        for (name, values) in names.iter().zip(get::<Vec<Vec<f64>>>(&case, "covariates")) {
            frame = frame.numbers(name, &values);
        }
        let clusters: Option<Vec<usize>> = get(&case, "clusters");
        let frame = frame.text("participant", clusters.as_deref().unwrap_or(&vec![0; events(&case).len()]));
        let frame = frame.frame();
        let mut request = Request::new(&frame).role(Role::Event, &["error"]).role(Role::Predictor, &names);
        if clusters.is_some() {
            request = request.role(Role::Participant, &["participant"]);
        }
        let fit = run("logistic-fit", request.clone(), confidence(&case));
        // Wald's test of few clusters is F: see tests/it/logit.rs.
        let tests: &[&str] = if clusters.is_some() { &["likelihood_ratio"] } else { &["likelihood_ratio", "wald"] };
        assert_tests(&fit, &case, tests);
        compare(&fit, 0, &case, &[("log_likelihood", "log_likelihood"), ("r_squared", "mcfadden_r_squared")], "fit");
        let table = run("logistic", request, confidence(&case));
        for (row, _) in get::<Vec<f64>>(&case, "estimate").iter().enumerate() {
            for name in ["estimate", "standard_error", "lower", "upper"] {
                let expected = get::<Vec<f64>>(&case, name)[row];
                // Newton's method of either ends within this of the maximum; see tests/it/logit.rs.
                let allowed = 1e-6 * expected.abs().max(1e-6);
                assert_within(table.number(row, name).unwrap(), expected, allowed, &format!("{} {name}", case["name"]));
            }
            let df = clusters.as_ref().map(|_| get::<Vec<f64>>(&case, "df")[row]);
            assert_close(table.number(row, "df"), df, &format!("{} df", case["name"]));
        }
    }
}

/// The same numbers as of the library, by the roles of columns.
#[test]
fn cox_models_of_columns_with_participants_and_items_are_those_of_r() {
    for case in cases("cox_clusters", "cases") {
        let names: Vec<String> = get(&case, "names");
        let mut frame = Columns::default().numbers("time", &get::<Vec<f64>>(&case, "times"));
        frame = frame.flags("solved", &events(&case)).text("participant", &get::<Vec<Value>>(&case, "clusters"));
        for (name, values) in names.iter().zip(get::<Vec<Vec<f64>>>(&case, "covariates")) {
            frame = frame.numbers(name, &values);
        }
        for (column, name) in [("item", "second"), ("stratum", "strata")] {
            if case[name].is_array() {
                frame = frame.text(column, &get::<Vec<Value>>(&case, name));
            }
        }
        let frame = frame.frame();
        let mut request = Request::new(&frame).role(Role::Time, &["time"]).role(Role::Event, &["solved"]);
        request = request.role(Role::Predictor, &names).role(Role::Participant, &["participant"]);
        if case["second"].is_array() {
            request = request.role(Role::Item, &["item"]);
        }
        if case["strata"].is_array() {
            request = request.role(Role::Stratum, &["stratum"]);
        }
        let table = run("cox", request.clone(), Confidence::default());
        for row in 0..names.len() {
            for name in ["estimate", "standard_error", "df", "statistic", "p_value", "lower", "upper"] {
                let expected = get::<Vec<f64>>(&case, name)[row];
                let what = format!("{} {name}", case["name"]);
                assert_within(table.number(row, name).unwrap(), expected, 1e-6 * expected.abs(), &what);
            }
        }
        let fit = run("cox-fit", request, Confidence::default());
        for (column, expected) in ["statistic", "df", "df2", "p_value"].iter().zip(get::<[f64; 4]>(&case, "wald")) {
            assert_within(fit.number(1, column).unwrap(), expected, 1e-6 * expected, &case["name"].to_string());
        }
    }
}

#[test]
fn survival_and_rasch_models_of_columns_are_those_of_r() {
    for case in cases("survival", "kaplan_meier") {
        let frame = Columns::default().numbers("time", &get::<Vec<f64>>(&case, "times"));
        let frame = frame.flags("solved", &events(&case)).frame();
        let request = Request::new(&frame).role(Role::Time, &["time"]).role(Role::Event, &["solved"]);
        let table = run("kaplan-meier", request.clone(), confidence(&case));
        let expected: [Option<f64>; 3] = get(&case, "median");
        for (name, expected) in ["estimate", "lower", "upper"].into_iter().zip(expected) {
            assert_close(table.number(1, name), expected, &format!("{} {name}", case["name"]));
        }
        let curve = run("survival-curve", request, confidence(&case));
        for (row, expected) in get::<Vec<f64>>(&case, "survival").into_iter().enumerate() {
            assert_close(curve.number(row, "estimate"), Some(expected), &case["name"].to_string());
        }
    }
    for case in cases("survival", "kaplan_meier_clustered") {
        let frame = Columns::default().numbers("time", &get::<Vec<f64>>(&case, "times"));
        let frame = frame.flags("solved", &events(&case)).text("participant", &get::<Vec<usize>>(&case, "clusters"));
        let frame = frame.frame();
        let request = Request::new(&frame).role(Role::Time, &["time"]).role(Role::Event, &["solved"]);
        let request = request.role(Role::Participant, &["participant"]);
        let curve = run("survival-curve", request, confidence(&case));
        for (row, expected) in get::<Vec<Option<f64>>>(&case, "standard_error").into_iter().enumerate() {
            assert_close(curve.number(row, "standard_error"), expected, &case["name"].to_string());
            assert_eq!(curve.number(row, "n_clusters"), case["n_clusters"].as_f64());
        }
    }
    for case in cases("survival", "log_rank") {
        let frame = Columns::default().numbers("time", &get::<Vec<f64>>(&case, "times"));
        let frame = frame.flags("solved", &events(&case));
        let frame = frame.text("group", &get::<Vec<Value>>(&case, "group")).frame();
        let request = Request::new(&frame).role(Role::Time, &["time"]).role(Role::Event, &["solved"]);
        let request = request.role(Role::Group, &["group"]);
        let table = run("log-rank", request.clone(), Confidence::default());
        compare(&table, 0, &case, &same(&["statistic", "df", "p_value"]), &case["name"].to_string());
        let groups = run("log-rank-groups", request, Confidence::default());
        for (column, name) in [("n_events", "observed"), ("expected", "expected")] {
            for (row, expected) in get::<Vec<f64>>(&case, name).into_iter().enumerate() {
                assert_close(groups.number(row, column), Some(expected), &format!("{} {name}", case["name"]));
            }
        }
    }
    for case in cases("survival", "cox") {
        let names: Vec<String> = get(&case, "names");
        let mut frame = Columns::default().numbers("time", &get::<Vec<f64>>(&case, "times"));
        frame = frame.flags("solved", &events(&case));
        for (name, values) in names.iter().zip(get::<Vec<Vec<f64>>>(&case, "covariates")) {
            frame = frame.numbers(name, &values);
        }
        let clusters: Option<Vec<usize>> = get(&case, "clusters");
        let zeros = vec![0; get::<Vec<f64>>(&case, "times").len()];
        let frame = frame.text("participant", clusters.as_deref().unwrap_or(&zeros)).frame();
        let mut request = Request::new(&frame).role(Role::Time, &["time"]).role(Role::Event, &["solved"]);
        request = request.role(Role::Predictor, &names);
        if clusters.is_some() {
            request = request.role(Role::Participant, &["participant"]);
        }
        let fit = run("cox-fit", request.clone(), confidence(&case));
        if clusters.is_none() {
            assert_tests(&fit, &case, &["likelihood_ratio", "wald", "score"]);
        }
        compare(&fit, 0, &case, &[("concordance", "concordance"), ("concordance_error", "concordance_error")], "fit");
        let table = run("cox", request.clone(), confidence(&case));
        for row in 0..names.len() {
            let names: &[&str] = match clusters {
                Some(_) => &["estimate", "ratio"],
                None => &["estimate", "standard_error", "ratio", "ratio_lower", "ratio_upper"],
            };
            for name in names {
                let expected = get::<Vec<f64>>(&case, name)[row];
                let what = format!("{} {name}", case["name"]);
                assert_within(table.number(row, name).unwrap(), expected, 1e-6 * expected.abs(), &what);
            }
        }
        let tests = run("proportional-hazards", request, confidence(&case));
        let expected: Value = case["proportionality"][0].clone();
        for (row, expected) in get::<Vec<f64>>(&expected, "statistic").into_iter().enumerate() {
            let actual = tests.number(row, "statistic").unwrap();
            assert_within(actual, expected, 1e-5 * expected.max(1e-3), &format!("{} row {row}", case["name"]));
        }
    }
    for case in cases("survival", "cox_stratified") {
        let names: Vec<String> = get(&case, "names");
        let frame = Columns::default().numbers("time", &get::<Vec<f64>>(&case, "times"));
        let frame = frame.flags("solved", &events(&case)).text("level", &get::<Vec<Value>>(&case, "strata"));
        let mut frame = frame.text("participant", &get::<Vec<Value>>(&case, "clusters"));
        for (name, values) in names.iter().zip(get::<Vec<Vec<f64>>>(&case, "covariates")) {
            frame = frame.numbers(name, &values);
        }
        let frame = frame.frame();
        let request = Request::new(&frame).role(Role::Time, &["time"]).role(Role::Event, &["solved"]);
        let plain = request.role(Role::Predictor, &names).role(Role::Stratum, &["level"]);
        let robust = run("cox", plain.clone().role(Role::Participant, &["participant"]), Confidence::default());
        let plain = run("cox", plain, Confidence::default());
        for row in 0..names.len() {
            let few = (20.0_f64 / 19.0).sqrt();
            for (table, column, name, factor) in [
                (&plain, "estimate", "estimate", 1.0),
                (&plain, "standard_error", "standard_error", 1.0),
                (&robust, "standard_error", "robust_error", few),
            ] {
                let expected = get::<Vec<f64>>(&case, name)[row] * factor;
                let what = format!("{} {name}", case["name"]);
                assert_within(table.number(row, column).unwrap(), expected, 1e-6 * expected.abs(), &what);
            }
        }
    }
    for case in cases("rasch", "cases") {
        let frame = Columns::default().text("participant", &get::<Vec<String>>(&case, "participant"));
        let frame = frame.text("level", &get::<Vec<String>>(&case, "level"));
        let frame = frame.flags("solved", &get::<Vec<bool>>(&case, "solved")).frame();
        let request = Request::new(&frame).role(Role::Participant, &["participant"]).role(Role::Item, &["level"]);
        let request = request.role(Role::Event, &["solved"]);
        // As well as lme4 knows the maximum; see tests/it/rasch.rs.
        // The scripts leave out levels and participants without a finite estimate.
        let compare_rows = |name: &str, expected: Vec<Option<f64>>| {
            let table = run(name, request.clone(), Confidence::default());
            let actual: Vec<f64> = (0..table.n_rows()).filter_map(|row| table.number(row, "estimate")).collect();
            let expected: Vec<f64> = expected.into_iter().flatten().collect();
            assert_eq!(actual.len(), expected.len(), "{name} {}", case["name"]);
            for (row, (actual, expected)) in actual.into_iter().zip(expected).enumerate() {
                let what = format!("{name} {} row {row}", case["name"]);
                assert_within(actual, expected, 1e-5 * expected.abs().max(1.0), &what);
            }
        };
        compare_rows("rasch", get(&case, "difficulties"));
        compare_rows("rasch-abilities", get(&case, "abilities"));
        compare_rows("rasch-conditional", get(&case["conditional"], "difficulties"));
        compare_rows("rasch-fit", vec![Some(get(&case, "ability_sd"))]);
    }
}

#[test]
fn mixed_models_of_columns_are_those_of_lme4() {
    for case in cases("mixed", "cases").into_iter().filter(|case| case["reml"] == true && case["singular"] == false) {
        let what = case["name"].to_string();
        let frame = Columns::default().numbers("y", &get::<Vec<f64>>(&case, "y"));
        let frame = frame.text("quality", &get::<Vec<String>>(&case, "quality"));
        let mut frame = frame.numbers("distance", &get::<Vec<f64>>(&case, "distance"));
        let groups: Vec<Value> = get(&case, "groups");
        let names: Vec<String> = groups.iter().map(|group| get(group, "name")).collect();
        for (name, group) in names.iter().zip(&groups) {
            frame = frame.text(name, &get::<Vec<String>>(group, "labels"));
        }
        let frame = frame.frame();
        let request = Request::new(&frame).role(Role::Y, &["y"]).role(Role::Random, &names);
        let request = request.role(Role::Predictor, &["quality", "distance"]);
        let table = run("mixed", request.clone(), Confidence::default());
        for (row, expected) in get::<Vec<Value>>(&case, "fixed").iter().enumerate() {
            for name in ["estimate", "standard_error", "statistic"] {
                let expected: f64 = get(expected, name);
                // As well as lme4 knows the minimum, and ten times that; see tests/it/mixed.rs.
                let allowed = 2e-5 * expected.abs().max(1e-2);
                assert_within(table.number(row, name).unwrap(), expected, allowed, &format!("{what} {row} {name}"));
            }
        }
        let terms = run("mixed-terms", request.clone(), Confidence::default());
        for (row, expected) in get::<Vec<Value>>(&case, "tests").iter().enumerate() {
            assert_eq!(terms.text(row, "term"), expected["name"].as_str());
            let f: f64 = get(expected, "statistic");
            assert_within(terms.number(row, "statistic").unwrap(), f, 1e-4 * f, &format!("{what}: F"));
        }
        // The first contrast of the script: worse less same, which stand last in the order of labels.
        let contrasts = run("mixed-contrasts", request.clone(), Confidence::default());
        let (expected, row) = (get::<f64>(&case["contrasts"][0], "estimate"), 2);
        assert_eq!((contrasts.text(row, "first"), contrasts.text(row, "second")), (Some("same"), Some("worse")));
        assert_within(-contrasts.number(row, "estimate").unwrap(), expected, 2e-5 * expected.abs(), &what);
        let fit = run("mixed-fit", request.clone(), Confidence::default());
        assert_eq!((fit.text(0, "criterion"), fit.text(1, "criterion")), (Some("reml"), Some("ml")));
        for (column, name) in [("aic", "aic"), ("bic", "bic"), ("r_squared_conditional", "r2_conditional")] {
            let expected: f64 = get(&case, name);
            assert_within(fit.number(0, column).unwrap(), expected, 1e-5 * expected.abs(), &format!("{what}: {name}"));
        }
        let modes = run("mixed-modes", request.clone(), Confidence::default());
        let of_factor = |factor: &Value| get::<Vec<f64>>(factor, "modes");
        for (row, mode) in get::<Vec<Value>>(&case, "random").iter().flat_map(of_factor).enumerate() {
            assert_within(modes.number(row, "mode").unwrap(), mode, 1e-4, &format!("{what}: mode {row}"));
        }
        let variances = run("mixed-variances", request, Confidence::default());
        for (row, expected) in get::<Vec<Value>>(&case, "random").iter().enumerate() {
            let sd: f64 = get(expected, "sd");
            assert_within(variances.number(row, "sd").unwrap(), sd, 1e-4 * sd, &format!("{what}: sd"));
        }
        assert_close(variances.number(0, "n"), get(&case, "n"), &what);
    }
}
