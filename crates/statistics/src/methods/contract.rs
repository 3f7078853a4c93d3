//! Contract of every estimator, whatever the data.

use std::collections::HashSet;

use super::{ESTIMATORS, named, tables};
use crate::adjust::Adjustment;
use crate::estimator::*;
use crate::record::{ColumnKind, N, N_MISSING, REASON};

/// Columns for every role: measures, labels, a trial number, an event and a time, `n` rows, some measures missing.
fn frame(n: usize, number: impl Fn(usize) -> f64) -> Frame {
    let numbers = |shift: usize| {
        Values::Numbers((0..n).map(|row| (row % 29 != shift).then(|| number(row * (shift + 2)))).collect())
    };
    let text = |prefix: &str, n_labels: usize, each: usize| {
        Values::Text((0..n).map(|row| (row != 11).then(|| format!("{prefix}{}", row / each % n_labels))).collect())
    };
    let columns = vec![
        ("a", numbers(1)),
        ("b", numbers(2)),
        ("c", numbers(3)),
        ("time", Values::Numbers((0..n).map(|row| Some((row * 37 % 101) as f64)).collect())),
        ("trial", Values::Numbers((0..n).map(|row| Some((row % 8 + 1) as f64)).collect())),
        ("group", text("g", 3, 1)),
        ("quality", text("q", 2, 2)),
        ("half", text("h", 2, 40)),
        ("participant", text("p", 10, 8)),
        ("item", text("i", 8, 1)),
        ("solved", Values::Flags((0..n).map(|row| (row != 5).then_some(row * row % 5 < 3)).collect())),
    ];
    Frame::new(columns.into_iter().map(|(name, values)| (name.to_owned(), values)).collect()).unwrap()
}

fn smooth(row: usize) -> f64 {
    (row as f64 * 0.7).sin() * 3.0 + (row * 31 % 17) as f64
}

/// Every role that the estimator takes, filled.
fn request<'a>(frame: &'a Frame, table: ResultTable) -> Request<'a> {
    let columns = |need: &Need| -> &[&str] {
        match (need.role, need.kind) {
            (Role::X, Kind::Label) => &["group"],
            (Role::Y, Kind::Label) => &["quality"],
            (Role::X, _) => &["a", "b"],
            // Standard errors are above 0.
            (Role::Y, _) if table.name == "random-effects" => &["trial"],
            (Role::Y, _) => &["c"],
            (Role::Group, _) => &["group"],
            (Role::Participant, _) => &["participant"],
            (Role::Item, _) => &["item"],
            (Role::Trial, _) => &["trial"],
            (Role::Time, _) => &["time"],
            (Role::Event, _) => &["solved"],
            (Role::Stratum, _) => &["group"],
            (Role::Predictor, _) => &["a", "quality"],
            (Role::Random, _) => &["participant", "item"],
            (Role::Given, _) => &["b"],
        }
    };
    let mut request = Request { n_resamples: Some(199), ..Request::new(frame) };
    for need in table.estimator.roles {
        request = request.role(need.role, columns(need));
    }
    request
}

/// Whatever is missing is explained; each row counts what it rests on and what was left out.
fn check(estimator: ResultTable, request: &Request) -> Estimates {
    let table = estimator.estimate(request).unwrap_or_else(|error| panic!("{}: {error}", estimator.name));
    assert!(table.n_rows() > 0, "{} gives no row", estimator.name);
    assert_eq!(table.unlisted(), Vec::<&str>::new(), "{} sets columns that it does not list", estimator.name);
    for row in 0..table.n_rows() {
        for count in [N, N_MISSING] {
            assert!(table.number(row, count.name).is_some(), "{} row {row} has no {}", estimator.name, count.name);
        }
        let is_numeric = |name: &&str| ["estimate", "p_value"].contains(name);
        if table.names().filter(is_numeric).any(|name| table.number(row, name).is_none()) && !has_no_test(&table, row) {
            let reason = table.text(row, REASON.name);
            assert!(reason.is_some_and(|reason| !reason.is_empty()), "{} row {row} has no reason", estimator.name);
        }
    }
    table
}

/// Descriptions among tests: they have no p value, which the meaning of their column says.
fn has_no_test(table: &Estimates, row: usize) -> bool {
    table.text(row, "part").is_some_and(|part| part.starts_with("pooled") || part.ends_with("weighted"))
}

#[test]
fn every_estimator_answers_on_ordinary_data() {
    let frame = frame(80, smooth);
    for estimator in tables() {
        let table = check(estimator, &request(&frame, estimator));
        let has_result = |row: usize| {
            table
                .names()
                .any(|name| !["n", "n_missing", "confidence"].contains(&name) && table.number(row, name).is_some())
        };
        assert!((0..table.n_rows()).any(has_result), "{} finds nothing", estimator.name);
        if table.names().any(|name| name == "estimate") {
            assert!((0..table.n_rows()).any(|row| table.number(row, "estimate").is_some()), "{}", estimator.name);
        }
    }
}

#[test]
fn one_fit_gives_all_tables_as_they_are_alone() {
    for frame in [frame(80, smooth), frame(3, smooth)] {
        for estimator in ESTIMATORS {
            let tables = estimator.tables();
            let request = request(&frame, tables[0]);
            let alone: Vec<Estimates> = tables.iter().map(|table| table.estimate(&request).unwrap()).collect();
            assert_eq!(estimator.estimate_all(&request).unwrap(), alone, "{}", estimator.name);
            assert_eq!(tables[0].name, estimator.name);
        }
    }
}

#[test]
fn every_estimator_says_why_where_there_is_nothing_to_estimate() {
    for estimator in tables() {
        check(estimator, &request(&frame(0, smooth), estimator));
        check(estimator, &request(&frame(1, smooth), estimator));
        check(estimator, &request(&frame(3, smooth), estimator));
        check(estimator, &request(&frame(40, |_| 2.5), estimator));
        check(estimator, &request(&frame(40, |_| f64::NAN), estimator));
        check(estimator, &request(&frame(40, |row| if row == 8 { f64::INFINITY } else { smooth(row) }), estimator));
        for scale in [1e-300, 1e-170, 1e-90, 1e90, 1e150, 1e300] {
            check(estimator, &request(&frame(40, |row| scale * smooth(row)), estimator));
        }
    }
}

#[test]
fn equal_numbers_differ_in_no_test_however_many_each_participant_has() {
    let rows: Vec<(usize, usize)> = (0..6).flat_map(|who| [(who, 0), (who, 0), (who, 0), (who, 1)]).collect();
    let text = |prefix: &str, column: fn(&(usize, usize)) -> usize| {
        Values::Text(rows.iter().map(|row| Some(format!("{prefix}{}", column(row)))).collect())
    };
    for value in [0.1, 0.2, 0.7, 1.1] {
        let columns = [
            ("participant", text("p", |row| row.0)),
            ("group", text("g", |row| row.1)),
            ("y", Values::Numbers(vec![Some(value); rows.len()])),
        ];
        let frame = Frame::new(columns.map(|(name, values)| (name.to_owned(), values)).to_vec()).unwrap();
        let request = Request::new(&frame).role(Role::Y, &["y"]).role(Role::Group, &["group"]);
        let request = request.role(Role::Participant, &["participant"]);
        for name in ["wilcoxon", "friedman", "mann-whitney", "kruskal-wallis", "welch", "dunn"] {
            let table = named(name).unwrap().estimate(&request).unwrap();
            let p_value = table.number(0, "p_value").unwrap_or(1.0);
            assert!(p_value > 0.999, "{name} of {value}: p = {p_value}");
        }
    }
}

#[test]
fn equal_means_of_shares_differ_in_no_test() {
    let rows: Vec<(usize, usize, f64)> =
        (0..8).flat_map(|who| [(who, 0, 1.0 / 3.0), (who, 0, 2.0 / 3.0), (who, 1, 0.5), (who, 1, 0.5)]).collect();
    let text = |column: fn(&(usize, usize, f64)) -> usize| {
        Values::Text(rows.iter().map(|row| Some(column(row).to_string())).collect())
    };
    let columns = [
        ("participant", text(|row| row.0)),
        ("group", text(|row| row.1)),
        ("y", Values::Numbers(rows.iter().map(|row| Some(row.2)).collect())),
    ];
    let frame = Frame::new(columns.map(|(name, values)| (name.to_owned(), values)).to_vec()).unwrap();
    let request = Request::new(&frame).role(Role::Y, &["y"]).role(Role::Group, &["group"]);
    let request = request.role(Role::Participant, &["participant"]);
    for name in ["wilcoxon", "friedman", "mann-whitney", "kruskal-wallis", "dunn"] {
        let p_value = named(name).unwrap().estimate(&request).unwrap().number(0, "p_value").unwrap_or(1.0);
        assert!(p_value > 0.999, "{name}: p = {p_value}");
    }
}

#[test]
fn several_tests_of_one_hypothesis_do_not_make_its_family_larger() {
    let frame = frame(80, smooth);
    for (name, kind) in
        [("logistic-fit", "test"), ("cox-fit", "test"), ("icc", "form"), ("proportional-hazards", "scale")]
    {
        let estimator = named(name).unwrap();
        // One of the scales is the logarithm of the time.
        let conditions = vec![plymap_expression::Expression::parse("time>0").unwrap()];
        let mut request = Request { adjust: Adjustment::Holm, conditions, ..request(&frame, estimator) };
        if let Some(predictors) = request.roles.get_mut(&Role::Predictor) {
            predictors.truncate(1);
        }
        let table = estimator.estimate(&request).unwrap();
        let kinds: HashSet<&str> = (0..table.n_rows()).filter_map(|row| table.text(row, kind)).collect();
        assert!(kinds.len() > 1, "{name}");
        // One hypothesis: nothing is to be adjusted.
        for row in (0..table.n_rows()).filter(|&row| table.text(row, "term") != Some("(all)")) {
            assert_eq!(table.number(row, "p_adjusted"), table.number(row, "p_value"), "{name}, row {row}");
        }
        // Two groups: two hypotheses.
        let table = estimator.estimate(&Request { by: vec!["half".to_owned()], ..request }).unwrap();
        let p =
            |row: usize, column: &str| table.number(row, column).filter(|_| table.text(row, "term") != Some("(all)"));
        for label in kinds {
            let rows: Vec<usize> = (0..table.n_rows()).filter(|&row| table.text(row, kind) == Some(label)).collect();
            let p_values: Vec<Option<f64>> = rows.iter().map(|&row| p(row, "p_value")).collect();
            let adjusted: Vec<Option<f64>> = rows.iter().map(|&row| p(row, "p_adjusted")).collect();
            assert_eq!(adjusted, Adjustment::Holm.apply(&p_values), "{name}, {label}");
            assert!(p_values.iter().flatten().count() > 1, "{name}, {label}");
        }
    }
}

#[test]
fn participants_times_labels_may_be_many() {
    let n = 30_000;
    let labels = |prefix: &str| Values::Text((0..n).map(|row| Some(format!("{prefix}{row}"))).collect());
    let columns = [
        ("participant", labels("p")),
        ("group", labels("g")),
        ("y", Values::Numbers((0..n).map(|row| Some(row as f64)).collect())),
    ];
    let frame = Frame::new(columns.map(|(name, values)| (name.to_owned(), values)).to_vec()).unwrap();
    let request = Request::new(&frame).role(Role::Y, &["y"]).role(Role::Participant, &["participant"]);
    for (name, label) in
        [("mann-whitney", Role::Group), ("wilcoxon", Role::Group), ("friedman", Role::Group), ("icc", Role::Item)]
    {
        let table = named(name).unwrap().estimate(&request.clone().role(label, &["group"])).unwrap();
        assert!(table.text(0, "reason").is_some(), "{name}");
    }
}

#[test]
fn every_estimator_works_by_groups_whatever_the_name_of_their_column() {
    let frame = frame(80, smooth);
    for estimator in tables() {
        let request = Request { by: vec!["quality".to_owned(), "group".to_owned()], ..request(&frame, estimator) };
        let table = check(estimator, &request);
        let names: Vec<&str> = table.names().collect();
        assert_eq!(names.len(), names.iter().collect::<HashSet<_>>().len(), "{}: {names:?}", estimator.name);
        // The row without labels is a group of its own, the last.
        assert_eq!((table.text(0, names[0]), table.text(table.n_rows() - 1, names[0])), (Some("q0"), None));
    }
}

#[test]
fn adjusted_p_values_stand_beside_the_others() {
    let frame = frame(80, smooth);
    for estimator in tables() {
        let request = Request { adjust: Adjustment::Holm, ..request(&frame, estimator) };
        match estimator.estimate(&request) {
            Ok(table) => {
                let names: Vec<&str> = table.names().collect();
                let index = names.iter().position(|name| *name == "p_value").unwrap();
                assert_eq!(names[index + 1], "p_adjusted");
            }
            Err(error) => assert!(error.to_string().ends_with("has no p value that could be adjusted"), "{error}"),
        }
    }
}

#[test]
fn names_are_unique_and_columns_are_explained() {
    let names: HashSet<&str> = tables().map(|table| table.name).collect();
    assert_eq!(names.len(), tables().count());
    for estimator in tables() {
        assert!(estimator.summary.ends_with('.') && estimator.source.ends_with('.'), "{}", estimator.name);
        let columns: HashSet<&str> = estimator.columns.iter().map(|column| column.name).collect();
        assert_eq!(columns.len(), estimator.columns.len(), "{}", estimator.name);
        assert_eq!(estimator.columns.last().unwrap().name, REASON.name, "{}", estimator.name);
        assert!(estimator.columns.iter().all(|column| !column.meaning.is_empty()));
        let n = estimator.columns.iter().find(|column| column.name == N.name).map(|column| column.kind);
        assert_eq!(n, Some(ColumnKind::Count), "{}", estimator.name);
    }
}
