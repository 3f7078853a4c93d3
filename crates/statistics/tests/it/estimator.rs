//! Estimators on the columns of a table: roles, filters, groups, missing values, errors, and their result beside that
//! of the direct call on the obvious slices.

use std::collections::BTreeMap;

use plymap_expression::Expression;
use plymap_statistics::estimator::{Average, Estimates, EstimatorError, Frame, Request, Role, Values};
use plymap_statistics::methods;
use plymap_statistics::record::{ESTIMATE, P_VALUE, STATISTIC};
use plymap_statistics::stats::adjust::{Adjustment, holm};
use plymap_statistics::stats::correlation::spearman;
use plymap_statistics::stats::mixed::{Criterion, Design, Grouping, RandomTerm, mixed_model};
use plymap_statistics::stats::resample::Bootstrap;
use plymap_statistics::stats::two_samples::{mann_whitney, wilcoxon};
use plymap_statistics::stats::{Confidence, describe, reliability};

const MOVES: [f64; 12] = [8.0, 12.0, 9.0, 30.0, 21.0, 17.0, 9.0, 14.0, 11.0, 28.0, 24.0, 13.0];
const SECONDS: [f64; 12] = [11.0, 25.0, 14.0, 41.0, 44.0, 30.0, 9.0, 26.0, 13.0, 37.0, 52.0, 28.0];

/// Four participants at three levels, and a trial without a time.
fn trials() -> Frame {
    let participants = ["ann", "bob", "cem", "dea"].map(|name| [name; 3]).concat();
    let text = |labels: &[&str]| labels.iter().map(|label| Some((*label).to_owned())).chain([None]).collect();
    let numbers =
        |values: &[f64], last: Option<f64>| Values::Numbers(values.iter().copied().map(Some).chain([last]).collect());
    let solved: Vec<Option<bool>> = (0..13).map(|row| Some(row % 4 != 1)).collect();
    Frame::new(vec![
        ("participant".to_owned(), Values::Text(text(&participants))),
        ("level".to_owned(), Values::Text(text(&["l-1", "l-2", "l-3"].repeat(4)))),
        ("n_moves".to_owned(), numbers(&MOVES, Some(5.0))),
        ("time_s".to_owned(), numbers(&SECONDS, None)),
        ("solved".to_owned(), Values::Flags(solved)),
    ])
    .unwrap()
}

fn estimate(name: &str, request: &Request) -> Estimates {
    methods::named(name).unwrap().estimate(request).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn error(name: &str, request: &Request) -> String {
    methods::named(name).and_then(|table| table.estimate(request)).unwrap_err().to_string()
}

fn conditions(texts: &[&str]) -> Vec<Expression> {
    texts.iter().map(|text| Expression::parse(text).unwrap()).collect()
}

#[test]
fn a_correlation_is_that_of_the_rows_that_have_both_values() {
    let frame = trials();
    let request = Request::new(&frame).role(Role::X, &["n_moves"]).role(Role::Y, &["time_s"]);
    let table = estimate("spearman", &request);
    let direct = spearman(&MOVES, &SECONDS, Confidence::default());
    assert_eq!((table.n_rows(), table.text(0, "x"), table.text(0, "y")), (1, Some("n_moves"), Some("time_s")));
    assert_eq!((table.number(0, "n"), table.number(0, "n_missing")), (Some(12.0), Some(1.0)));
    for name in ["estimate", "lower", "upper", "statistic", "p_value"] {
        assert_eq!(table.number(0, name), direct.record().cell(name).number(), "{name}");
    }
    assert_eq!(table.text(0, "sentence"), Some(direct.sentence().as_str()));
    assert_eq!(table.number(0, "n_filtered"), None, "without conditions nothing is said of them");
}

#[test]
fn conditions_choose_the_rows_and_are_counted() {
    let frame = trials();
    let request = Request {
        conditions: conditions(&["solved=true", "time_s>10"]),
        ..Request::new(&frame).role(Role::X, &["n_moves"])
    };
    let table = estimate("describe", &request);
    let kept: Vec<f64> = (0..12).filter(|row| row % 4 != 1 && SECONDS[*row] > 10.0).map(|row| MOVES[row]).collect();
    let direct = describe::describe(&kept);
    assert_eq!((table.number(0, "mean"), table.number(0, "sd")), (direct.mean, direct.sd));
    assert_eq!((table.number(0, "n"), table.number(0, "n_filtered")), (Some(8.0), Some(5.0)));
    assert!(
        table.caption.contains("8 of 13 rows meet solved=true and time_s>10; 1 have no value"),
        "{}",
        table.caption
    );
}

#[test]
fn each_group_tells_how_many_of_its_own_rows_the_conditions_left_out() {
    let frame = trials();
    let request = Request {
        conditions: conditions(&["solved=true"]),
        by: vec!["level".to_owned()],
        ..Request::new(&frame).role(Role::X, &["n_moves"])
    };
    let table = estimate("describe", &request);
    let counts: Vec<[Option<f64>; 2]> =
        (0..table.n_rows()).map(|row| [table.number(row, "n"), table.number(row, "n_filtered")]).collect();
    // Rows 1, 5 and 9 are not solved, one of each level; the last row has no level.
    assert_eq!(counts[..3], [[Some(3.0), Some(1.0)]; 3]);
    assert_eq!(counts[3..], [[Some(1.0), Some(0.0)]]);
}

#[test]
fn groups_are_estimated_apart_and_adjusted_together() {
    let frame = trials();
    let request = Request {
        by: vec!["level".to_owned()],
        adjust: Adjustment::Holm,
        ..Request::new(&frame).role(Role::X, &["n_moves"]).role(Role::Y, &["time_s"])
    };
    let table = estimate("pearson", &request);
    assert_eq!(table.names().next(), Some("level"));
    let labels: Vec<Option<&str>> = (0..table.n_rows()).map(|row| table.text(row, "level")).collect();
    assert_eq!(labels, [Some("l-1"), Some("l-2"), Some("l-3"), None], "rows without a level are not dropped");
    let p_values: Vec<Option<f64>> = (0..4).map(|row| table.number(row, "p_value")).collect();
    let adjusted: Vec<Option<f64>> = (0..4).map(|row| table.number(row, "p_adjusted")).collect();
    assert_eq!(p_values.iter().flatten().count(), 3);
    assert_eq!(adjusted, holm(&p_values));
    assert_eq!((table.number(3, "n"), table.number(3, "n_missing")), (Some(0.0), Some(1.0)));
    assert_eq!(table.text(3, "reason"), Some("Pearson's r needs at least 3 pairs, found 0"));
}

#[test]
fn participants_count_once_in_each_group() {
    let frame = trials();
    let request = Request::new(&frame).role(Role::Y, &["time_s"]).role(Role::Group, &["solved"]);
    let table = estimate("mann-whitney", &request);
    let seconds = |is_solved: bool| -> Vec<f64> {
        (0..12).filter(|row| (row % 4 != 1) == is_solved).map(|row| SECONDS[row]).collect()
    };
    let direct = mann_whitney(&seconds(false), &seconds(true), Confidence::default()).record();
    assert_eq!((table.text(0, "first"), table.text(0, "second")), (Some("false"), Some("true")));
    assert_eq!(
        (table.number(0, "statistic"), table.number(0, "estimate")),
        (direct.number(STATISTIC), direct.number(ESTIMATE))
    );
    assert_eq!((table.number(0, "n"), table.number(0, "n_shared")), (Some(12.0), None));
    let by_participant = estimate("mann-whitney", &request.role(Role::Participant, &["participant"]));
    // Rows 1, 5 and 9 are not solved: ann's 25, bob's 30 and dea's 37 seconds.
    let solved = [12.5, (41.0 + 44.0) / 2.0, 16.0, 40.0];
    let direct = mann_whitney(&[25.0, 30.0, 37.0], &solved, Confidence::default()).record();
    assert_eq!((by_participant.number(0, "n"), by_participant.number(0, "n_rows")), (Some(7.0), Some(12.0)));
    assert_eq!(
        (by_participant.number(0, "statistic"), by_participant.number(0, "p_value")),
        (direct.number(STATISTIC), direct.number(P_VALUE))
    );
    assert_eq!(by_participant.number(0, "n_shared"), Some(3.0), "ann, bob and dea are in both");
}

#[test]
fn pairs_of_participants_are_those_who_have_both_values() {
    let frame = trials();
    let request = Request {
        conditions: conditions(&["n_moves!=30"]),
        ..Request::new(&frame)
            .role(Role::Y, &["time_s"])
            .role(Role::Group, &["level"])
            .role(Role::Participant, &["participant"])
    };
    let table = estimate("wilcoxon", &request);
    assert_eq!(table.n_rows(), 3);
    // Bob has no l-1.
    let direct = wilcoxon(&[11.0, 9.0, 37.0], &[25.0, 26.0, 52.0], Confidence::default()).record();
    assert_eq!((table.text(0, "first"), table.text(0, "second")), (Some("l-1"), Some("l-2")));
    assert_eq!((table.number(0, "n"), table.number(0, "n_excluded")), (Some(3.0), Some(1.0)));
    assert_eq!(
        (table.number(0, "statistic"), table.number(0, "p_value")),
        (direct.number(STATISTIC), direct.number(P_VALUE))
    );
    assert_eq!((table.number(2, "n"), table.number(2, "n_excluded")), (Some(4.0), Some(0.0)));
    let all = estimate("friedman", &request);
    assert_eq!((all.number(0, "n"), all.number(0, "n_excluded")), (Some(3.0), Some(1.0)));
}

#[test]
fn the_median_can_stand_for_a_participant() {
    let frame = trials();
    let request = Request { n_resamples: Some(100), ..Request::new(&frame) }
        .role(Role::Y, &["time_s"])
        .role(Role::Participant, &["participant"]);
    let trials: Vec<Vec<f64>> = SECONDS.chunks(3).map(<[f64]>::to_vec).collect();
    let median = |values: &[f64]| describe::quantile(values, 0.5).unwrap();
    let direct = reliability::split_half(&trials, median, 100, 1, Confidence::default());
    let table = estimate("split-half", &Request { measure: Average::Median, ..request });
    assert_eq!(
        (table.number(0, "estimate"), table.number(0, "n_splits")),
        (direct.record().number(ESTIMATE), Some(100.0))
    );
    let groups = Request::new(&frame).role(Role::Y, &["time_s"]).role(Role::Group, &["solved"]);
    let request = Request { measure: Average::Median, ..groups.role(Role::Participant, &["participant"]) };
    let solved = [12.5, (41.0 + 44.0) / 2.0, 13.0, 40.0];
    let direct = |solved: &[f64]| mann_whitney(&[25.0, 30.0, 37.0], solved, Confidence::default()).record();
    assert_eq!(estimate("mann-whitney", &request).number(0, "estimate"), direct(&solved).number(ESTIMATE));
    assert_ne!(direct(&solved).number(ESTIMATE), direct(&[12.5, 42.5, 16.0, 40.0]).number(ESTIMATE));
}

#[test]
fn participants_are_resampled_whole() {
    let frame = trials();
    let request = Request { n_resamples: Some(499), seed: 7, ..Request::new(&frame) }.role(Role::X, &["time_s"]);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let options = Bootstrap { n_resamples: 499, ..Bootstrap::new(7) };
    let rows = estimate("bootstrap-mean", &request);
    let direct = options.sample(&SECONDS, mean);
    assert_eq!((rows.number(0, "lower"), rows.number(0, "upper")), (direct.lower, direct.upper));
    let whole = estimate("bootstrap-mean", &request.role(Role::Participant, &["participant"]));
    let clusters = ["ann", "bob", "cem", "dea"].map(|name| [name; 3]).concat();
    let direct = options.clustered_sample(&clusters, &SECONDS, mean);
    assert_eq!((whole.number(0, "lower"), whole.number(0, "upper")), (direct.lower, direct.upper));
    assert_eq!((whole.number(0, "n_units"), whole.number(0, "n")), (Some(4.0), Some(12.0)));
    assert_ne!(whole.number(0, "lower"), rows.number(0, "lower"));
}

#[test]
fn a_predictor_is_a_number_or_a_category_with_a_reference() {
    let frame = trials();
    let base = Request::new(&frame).role(Role::Y, &["log(time_s)"]).role(Role::Random, &["participant"]);
    let request = base.clone().role(Role::Predictor, &["n_moves", "level"]);
    let table = estimate("mixed", &request);
    let terms = |table: &Estimates| -> Vec<String> {
        (0..table.n_rows()).map(|row| table.text(row, "term").unwrap().to_owned()).collect()
    };
    assert_eq!(terms(&table), ["intercept", "n_moves", "level = l-2", "level = l-3"]);
    let logs = SECONDS.map(f64::ln);
    let design = Design::with_intercept(12).numeric("n_moves", &MOVES).unwrap();
    let design = design.factor("level", &["l-1", "l-2", "l-3"].repeat(4), "l-1").unwrap();
    let group = Grouping::new("participant", &["ann", "bob", "cem", "dea"].map(|name| [name; 3]).concat());
    let groups = [RandomTerm::intercepts(group)];
    let direct = mixed_model(&logs, &design, &groups, Criterion::Reml, Confidence::default());
    for (row, effect) in direct.fixed.iter().enumerate() {
        assert_eq!((table.number(row, "estimate"), table.number(row, "df")), (effect.estimate, effect.df));
    }
    assert_eq!((table.number(0, "n"), table.number(0, "n_missing")), (Some(12.0), Some(1.0)));
    let references = BTreeMap::from([("level".to_owned(), "l-3".to_owned())]);
    let other = estimate("mixed", &Request { references, ..request.clone() });
    assert_eq!(terms(&other), ["intercept", "n_moves", "level = l-1", "level = l-2"]);
    // The difference of two labels does not depend on the reference, but for where the search for the variance ends.
    let pairs = estimate("mixed-contrasts", &request.role(Role::Predictor, &["level", "n_moves"]));
    assert_eq!((pairs.text(1, "first"), pairs.text(1, "second")), (Some("l-1"), Some("l-3")));
    assert!((pairs.number(1, "estimate").unwrap() - other.number(2, "estimate").unwrap()).abs() < 1e-6);
    assert_eq!(pairs.n_rows(), 3, "a number has no labels that could be compared");
    let category = estimate("mixed", &base.role(Role::Predictor, &["factor(solved)"]));
    assert_eq!(terms(&category), ["intercept", "solved = true"]);
}

#[test]
fn the_p_value_of_an_intercept_does_not_count_among_the_tests() {
    let frame = trials();
    let request = Request {
        adjust: Adjustment::Holm,
        ..Request::new(&frame).role(Role::X, &["n_moves"]).role(Role::Y, &["time_s"])
    };
    let table = estimate("line", &request);
    assert_eq!((table.text(0, "term"), table.number(0, "p_adjusted")), (Some("intercept"), None));
    assert!(table.number(0, "p_value").is_some());
    assert_eq!(table.number(1, "p_adjusted"), table.number(1, "p_value"));
}

#[test]
fn outliers_are_named_by_their_row_in_the_table() {
    let values = [3.0, 5.0, 4.0, 5.0, 6.0, 4.0, 90.0, 5.0, 3.0];
    let frame = Frame::new(vec![("time_s".to_owned(), Values::Numbers(values.map(Some).to_vec()))]).unwrap();
    let request = Request { conditions: conditions(&["time_s!=6"]), ..Request::new(&frame).role(Role::X, &["time_s"]) };
    let table = estimate("outlier-rows", &request);
    assert_eq!((table.n_rows(), table.number(0, "row"), table.number(0, "value")), (1, Some(7.0), Some(90.0)));
    let strict = estimate("outlier-rows", &Request { threshold: Some(1000.0), ..request });
    assert_eq!(strict.text(0, "reason"), Some("no value is an outlier"));
}

#[test]
fn columns_are_compared_over_the_rows_that_both_have() {
    let numbers = |values: [Option<f64>; 4]| Values::Numbers(values.to_vec());
    let frame = Frame::new(vec![
        ("before".to_owned(), numbers([Some(9.0), Some(12.0), Some(7.0), Some(8.0)])),
        ("after".to_owned(), numbers([Some(5.0), Some(6.0), Some(8.0), Some(5.0)])),
        ("later".to_owned(), numbers([None, None, Some(1.0), Some(0.0)])),
    ])
    .unwrap();
    let request = Request::new(&frame).role(Role::X, &["before", "after", "later"]);
    let table = estimate("wilcoxon-columns", &request);
    assert_eq!((table.number(0, "statistic"), table.number(0, "p_value")), (Some(9.0), Some(4.0 / 16.0)));
    assert_eq!(
        (table.number(0, "n"), table.number(1, "n"), table.number(1, "n_missing")),
        (Some(4.0), Some(2.0), Some(2.0))
    );
    let all = estimate("friedman-columns", &request);
    assert_eq!((all.number(0, "n"), all.number(0, "n_missing")), (Some(2.0), Some(2.0)));
    let logs = estimate("describe", &Request::new(&frame).role(Role::X, &["log(later)"]));
    assert_eq!(
        (logs.number(0, "n"), logs.number(0, "n_missing"), logs.number(0, "mean")),
        (Some(1.0), Some(3.0), Some(0.0))
    );
}

#[test]
fn p_values_of_a_column_are_adjusted() {
    let values = vec![Some(0.02), None, Some(0.03), Some(1.5)];
    let frame = Frame::new(vec![("p".to_owned(), Values::Numbers(values))]).unwrap();
    let adjusted = estimate("adjust", &Request::new(&frame).role(Role::X, &["p"]));
    assert_eq!((adjusted.number(0, "p_holm"), adjusted.number(1, "p_holm")), (Some(0.04), Some(0.04)));
    assert_eq!((adjusted.number(1, "row"), adjusted.number(1, "p_benjamini_hochberg")), (Some(3.0), Some(0.03)));
    assert_eq!((adjusted.number(0, "n"), adjusted.number(0, "n_missing")), (Some(2.0), Some(2.0)));
    assert_eq!(adjusted.text(2, "reason"), Some("it is not from 0 to 1"));
}

#[test]
fn a_request_that_makes_no_sense_says_what_to_change() {
    let frame = trials();
    let with = |roles: &[(Role, &[&str])]| {
        roles.iter().fold(Request::new(&frame), |request, (role, columns)| request.role(*role, columns))
    };
    let moves: (Role, &[&str]) = (Role::X, &["n_moves"]);
    assert_eq!(
        error("spearmann", &with(&[])),
        "there is no estimator \"spearmann\" (did you mean \"spearman\"?); plymap stats --list-estimators lists them"
    );
    assert_eq!(error("spearman", &with(&[moves])), "spearman needs --y, the outcome, or the second measure of a pair");
    assert_eq!(
        error("describe", &with(&[moves, (Role::Group, &["level"])])),
        "describe takes no --group; it takes --x; --by estimates each group on its own"
    );
    let two: (Role, &[&str]) = (Role::Predictor, &["n_moves", "level"]);
    let line = "it takes --x, --y, and makes a line of each pair; a model of several predictors is mixed, with --formula \
                'y ~ a + b + (1 | participant)'";
    assert_eq!(error("lm", &with(&[(Role::Y, &["time_s"]), two])), format!("line takes no --predictor; {line}"));
    let curve = with(&[(Role::Time, &["time_s"]), (Role::Event, &["solved"]), (Role::Group, &["level"])]);
    assert_eq!(
        error("survfit", &curve),
        "kaplan-meier takes no --group; it takes --time, --event, --participant; --by makes a curve of each group, and \
         log-rank compares them"
    );
    assert_eq!(error("matrix-pearson", &with(&[moves])), "matrix-pearson takes 2 or more columns for --x, found 1");
    assert_eq!(
        error("describe", &with(&[(Role::X, &["moves"])])),
        "there is no column \"moves\" (did you mean \"n_moves\"?); the columns are participant, level, n_moves, \
         time_s, solved"
    );
    assert_eq!(
        error("describe", &with(&[(Role::X, &["level"])])),
        "column \"level\" is no number: row 1 holds \"l-1\""
    );
    assert!(error("proportion", &with(&[(Role::Event, &["n_moves"])])).contains("must be true or false, or 1 or 0"));
    let by = Request { by: vec!["levle".to_owned()], ..with(&[moves]) };
    assert!(error("describe", &by).contains("did you mean \"level\"?"));
    let adjusted = Request { adjust: Adjustment::Holm, ..with(&[moves]) };
    assert_eq!(error("describe", &adjusted), "describe has no p value that could be adjusted");
    let mixed = with(&[(Role::Y, &["time_s"]), (Role::Random, &["participant"]), (Role::Predictor, &["level"])]);
    let reference = |column: &str, label: &str| Request {
        references: BTreeMap::from([(column.to_owned(), label.to_owned())]),
        ..mixed.clone()
    };
    assert!(error("mixed", &reference("n_moves", "8")).contains("is no predictor that is a category"));
    assert!(error("mixed", &reference("level", "l-4")).contains("has no label \"l-4\" to be the reference (did you"));
    let many: (Role, &[&str]) = (Role::Random, &["participant"; 7]);
    assert_eq!(
        error("mixed", &with(&[(Role::Y, &["time_s"]), many])),
        "mixed takes 1 to 6 columns for --random, found 7"
    );
    let formula = |text: &str| Request { formula: Some(text.parse().unwrap()), ..with(&[]) };
    assert_eq!(
        error("spearman", &formula("time_s ~ n_moves + (1 | participant)")),
        "spearman takes no formula; it takes --x, --y"
    );
    assert_eq!(error("lm", &formula("time_s ~ n_moves + level")), format!("line takes no formula; {line}"));
    assert_eq!(
        error("coxph", &formula("Surv(time_s, solved) ~ n_moves")),
        "cox takes no formula; it takes --time, --event, --predictor, --participant, --item, --stratum"
    );
    for computed in ["scale(n_moves)", "poly(n_moves, 2)", "I(n_moves^2)"] {
        let said = error("mixed", &formula(&format!("time_s ~ {computed} + (1 | participant)")));
        assert!(said.starts_with(&format!("there is no column {computed:?}")), "{said}");
        assert!(said.contains("what else is computed must be a column of the table"), "{said}");
    }
    assert!(error("mixed", &formula("Surv(time_s, solved) ~ n_moves + (1 | level)")).contains("of the estimator cox"));
    let twice = Request { roles: mixed.roles.clone(), ..formula("time_s ~ n_moves + (1 | participant)") };
    assert_eq!(error("mixed", &twice), "the formula names the columns of --y already; leave it away");
    assert!(
        error("mixed", &formula("time_s ~ n_mvoes + (1 | participant)")).contains("there is no column \"n_mvoes\"")
    );
    assert_eq!(
        error("mixed", &formula("time_s ~ n_moves")),
        "the formula time_s ~ 1 + n_moves has no random effects; add a factor, such as (1 | participant)"
    );
    assert!(matches!(methods::named("regress-all"), Err(EstimatorError::UnknownEstimator { .. })));
}

#[test]
fn the_same_request_gives_the_same_table() {
    let frame = trials();
    let request = Request { by: vec!["level".to_owned()], ..Request::new(&frame) }
        .role(Role::X, &["n_moves"])
        .role(Role::Y, &["time_s"]);
    let table = estimate("bootstrap-pearson", &request);
    assert_eq!(table, estimate("bootstrap-pearson", &request));
}
