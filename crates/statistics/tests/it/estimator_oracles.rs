//! Estimators on the columns of a table against scipy, statsmodels, pingouin, scikit-posthocs and R. In front of the
//! data of each case stands a row without values, which must be counted and change nothing.

use plymap_statistics::estimator::{Estimates, Frame, Request, Role, Values};
use plymap_statistics::methods;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::adjust::Adjustment;
use serde_json::Value;

use super::stats::{assert_close, cases, confidence, get};

/// Columns with a first row in which all but the text is missing.
#[derive(Default)]
pub(super) struct Columns(pub Vec<(String, Values)>);

impl Columns {
    pub fn numbers(mut self, name: &str, values: &[f64]) -> Self {
        let values = std::iter::once(None).chain(values.iter().copied().map(Some)).collect();
        self.0.push((name.to_owned(), Values::Numbers(values)));
        self
    }

    pub fn flags(mut self, name: &str, values: &[bool]) -> Self {
        let values = std::iter::once(None).chain(values.iter().copied().map(Some)).collect();
        self.0.push((name.to_owned(), Values::Flags(values)));
        self
    }

    pub fn text<S: ToString>(mut self, name: &str, values: &[S]) -> Self {
        let values = std::iter::once("(none)".to_owned()).chain(values.iter().map(ToString::to_string));
        self.0.push((name.to_owned(), Values::Text(values.map(Some).collect())));
        self
    }

    pub fn frame(self) -> Frame {
        Frame::new(self.0).unwrap()
    }
}

/// Values of several groups as one column, and the number of the group as another.
fn long(groups: &[Vec<f64>]) -> (Vec<f64>, Vec<usize>) {
    let labels = groups.iter().enumerate().flat_map(|(place, group)| vec![place; group.len()]);
    (groups.concat(), labels.collect())
}

pub(super) fn run(name: &str, request: Request, confidence: Confidence) -> Estimates {
    let table = methods::named(name).unwrap().estimate(&Request { confidence, ..request }).unwrap();
    assert_eq!(table.number(0, "n_missing"), Some(1.0), "{name} counts the row without values");
    table
}

pub(super) fn compare(table: &Estimates, row: usize, case: &Value, pairs: &[(&str, &str)], what: &str) {
    for (column, expected) in pairs {
        assert_close(table.number(row, column), get(case, expected), &format!("{what}: {column}"));
    }
}

pub(super) fn same(names: &[&'static str]) -> Vec<(&'static str, &'static str)> {
    names.iter().map(|name| (*name, *name)).collect()
}

#[test]
fn correlations_of_columns_are_those_of_scipy_and_pingouin() {
    let columns = same(&["estimate", "lower", "upper", "statistic", "p_value"]);
    for case in cases("correlation", "cases").into_iter().chain(cases("kendall", "cases")) {
        let frame = Columns::default().numbers("x", &get::<Vec<f64>>(&case, "x"));
        let frame = frame.numbers("y", &get::<Vec<f64>>(&case, "y")).frame();
        let method: String = case.get("method").map_or("kendall".to_owned(), |_| get(&case, "method"));
        let request = Request::new(&frame).role(Role::X, &["x"]).role(Role::Y, &["y"]);
        let table = run(&method, request, confidence(&case));
        compare(&table, 0, &case, &columns, &format!("{method} {}", case["name"]));
    }
    for case in cases("matrix", "cases") {
        let names: Vec<String> = get(&case, "names");
        let columns: Vec<Vec<Option<f64>>> = get(&case, "columns");
        let columns = names.iter().cloned().zip(columns.into_iter().map(Values::Numbers));
        let frame = Frame::new(columns.collect()).unwrap();
        let adjust: Adjustment = get(&case, "adjustment");
        let request = Request { adjust, ..Request::new(&frame).role(Role::X, &names) };
        let method: String = get(&case, "method");
        let table = methods::named(&format!("matrix-{method}")).unwrap().estimate(&request).unwrap();
        for (row, pair) in get::<Vec<Value>>(&case, "pairs").iter().enumerate() {
            assert_eq!((table.text(row, "x"), table.text(row, "y")), (pair["x"].as_str(), pair["y"].as_str()));
            compare(&table, row, pair, &same(&["n", "estimate", "p_value"]), "matrix");
            if adjust != Adjustment::None {
                compare(&table, row, pair, &[("p_adjusted", "p_adjusted")], "matrix");
            }
            let n_missing = table.number(row, "n_missing").unwrap();
            assert_eq!(n_missing + table.number(row, "n").unwrap(), frame.n_rows() as f64);
        }
    }
    for case in cases("partial", "cases") {
        let covariates: Vec<Vec<f64>> = get(&case, "covariates");
        let names: Vec<String> = (0..covariates.len()).map(|place| format!("z{place}")).collect();
        let frame = Columns::default().numbers("x", &get::<Vec<f64>>(&case, "x"));
        let frame = frame.numbers("y", &get::<Vec<f64>>(&case, "y"));
        let frame = names.iter().zip(&covariates).fold(frame, |frame, (name, data)| frame.numbers(name, data)).frame();
        if names.is_empty() {
            continue;
        }
        let request = Request::new(&frame).role(Role::X, &["x"]).role(Role::Y, &["y"]).role(Role::Given, &names);
        let method: String = get(&case, "method");
        let table = run(&format!("partial-{method}"), request, confidence(&case));
        compare(&table, 0, &case, &columns, &case["name"].to_string());
    }
    for case in cases("repeated", "cases") {
        let frame = Columns::default().numbers("x", &get::<Vec<f64>>(&case, "x"));
        let frame = frame.numbers("y", &get::<Vec<f64>>(&case, "y"));
        let frame = frame.text("participant", &get::<Vec<Value>>(&case, "groups")).frame();
        let request = Request::new(&frame).role(Role::X, &["x"]).role(Role::Y, &["y"]);
        let request = request.role(Role::Participant, &["participant"]);
        let table = run("repeated", request.clone(), confidence(&case));
        compare(&table, 0, &case, &columns, &case["name"].to_string());
        compare(&table, 0, &case, &[("slope", "slope"), ("df", "df"), ("n_singletons", "n_singletons")], "repeated");
        let parts = run("decomposition", request, confidence(&case));
        for (row, name) in [(0, "pooled"), (1, "between"), (2, "between_weighted"), (3, "estimate")] {
            compare(&parts, row, &case, &[("estimate", name)], &format!("{} {name}", case["name"]));
        }
    }
}

#[test]
fn comparisons_of_columns_are_those_of_scipy_and_scikit_posthocs() {
    for case in cases("two_samples", "mann_whitney") {
        let frame = groups(&case).frame();
        let request = two(&frame);
        let table = run_groups("mann-whitney", &request, confidence(&case));
        compare(&table, 0, &case, &[("statistic", "u"), ("p_value", "p_value"), ("estimate", "shift")], "U");
        compare(&table, 0, &case, &[("effect_size", "cliffs_delta"), ("effect_lower", "cliffs_delta_lower")], "δ");
    }
    for case in cases("two_samples", "welch") {
        let frame = groups(&case).frame();
        let request = two(&frame);
        let table = run_groups("welch", &request, confidence(&case));
        compare(&table, 0, &case, &same(&["statistic", "df", "p_value", "lower", "upper"]), "t");
        compare(&table, 0, &case, &[("estimate", "difference"), ("effect_size", "hedges_g")], "g");
    }
    for case in cases("two_samples", "wilcoxon") {
        let frame = Columns::default().numbers("x", &get::<Vec<f64>>(&case, "x"));
        let frame = frame.numbers("y", &get::<Vec<f64>>(&case, "y")).frame();
        let table = run("wilcoxon-columns", Request::new(&frame).role(Role::X, &["x", "y"]), confidence(&case));
        let columns = [("statistic", "w_plus"), ("p_value", "p_value"), ("effect_size", "rank_biserial")];
        compare(&table, 0, &case, &columns, &case["name"].to_string());
    }
    for case in cases("kruskal", "cases") {
        let (values, labels) = long(&get::<Vec<Vec<f64>>>(&case, "groups"));
        let frame = Columns::default().numbers("y", &values).text("group", &labels).frame();
        let table = run_groups("kruskal-wallis", &two(&frame), Confidence::default());
        compare(&table, 0, &case, &[("statistic", "statistic"), ("p_value", "p_value")], "H");
        compare(&table, 0, &case, &[("estimate", "epsilon_squared"), ("n", "n")], "ε²");
    }
    for case in cases("posthoc", "cases") {
        let (values, labels) = long(&get::<Vec<Vec<f64>>>(&case, "groups"));
        let frame = Columns::default().numbers("y", &values).text("group", &labels).frame();
        let adjust: Adjustment = get(&case, "adjustment");
        let table = run_groups("dunn", &Request { adjust, ..two(&frame) }, Confidence::default());
        let pairs: Vec<Value> = get(&case, "pairs");
        assert_eq!(table.n_rows(), pairs.len());
        for (row, pair) in pairs.iter().enumerate() {
            assert_eq!(table.text(row, "first"), Some(pair["first"].to_string().as_str()));
            compare(&table, row, pair, &same(&["statistic", "p_value"]), "Dunn");
            if adjust != Adjustment::None {
                compare(&table, row, pair, &[("p_adjusted", "p_adjusted")], "Dunn");
            }
        }
    }
}

fn groups(case: &Value) -> Columns {
    let (values, labels) = long(&[get::<Vec<f64>>(case, "x"), get::<Vec<f64>>(case, "y")]);
    Columns::default().numbers("y", &values).text("group", &labels)
}

fn two(frame: &Frame) -> Request<'_> {
    Request::new(frame).role(Role::Y, &["y"]).role(Role::Group, &["group"])
}

fn run_groups(name: &str, request: &Request, confidence: Confidence) -> Estimates {
    run(name, request.clone(), confidence)
}

/// A table of participants by items as one row for each cell, in an order that tells nothing.
fn cells(table: &[Vec<f64>]) -> Frame {
    let mut cells: Vec<(usize, usize, f64)> = Vec::new();
    for (participant, row) in table.iter().enumerate() {
        cells.extend(row.iter().enumerate().map(|(item, value)| (participant, item, *value)));
    }
    cells.sort_by_key(|(participant, item, _)| (item * 7 + participant * 13) % 19);
    let column = |value: fn(&(usize, usize, f64)) -> usize| cells.iter().map(value).collect::<Vec<_>>();
    let values: Vec<f64> = cells.iter().map(|(_, _, value)| *value).collect();
    let frame = Columns::default().numbers("y", &values).text("participant", &column(|cell| cell.0));
    frame.text("item", &column(|cell| cell.1)).frame()
}

fn by_participant(frame: &Frame) -> Request<'_> {
    Request::new(frame).role(Role::Y, &["y"]).role(Role::Participant, &["participant"])
}

#[test]
fn tables_of_participants_by_items_are_those_of_pingouin_and_scipy() {
    for case in cases("friedman", "cases") {
        let frame = cells(&get::<Vec<Vec<f64>>>(&case, "table"));
        let table = run("friedman", by_participant(&frame).role(Role::Group, &["item"]), Confidence::default());
        compare(&table, 0, &case, &[("statistic", "statistic"), ("p_value", "p_value")], "Friedman");
        compare(&table, 0, &case, &[("estimate", "kendalls_w")], &case["name"].to_string());
    }
    for case in cases("reliability", "alpha") {
        let frame = cells(&get::<Vec<Vec<f64>>>(&case, "table"));
        let table = run("alpha", by_participant(&frame).role(Role::Item, &["item"]), confidence(&case));
        compare(&table, 0, &case, &same(&["estimate", "lower", "upper"]), &case["name"].to_string());
    }
    for case in cases("reliability", "intraclass") {
        let table: Vec<Vec<f64>> = get(&case, "table");
        let frame = cells(&table);
        let long = run("icc", by_participant(&frame).role(Role::Item, &["item"]), confidence(&case));
        let names: Vec<String> = (0..table[0].len()).map(|item| format!("item {item}")).collect();
        let column = |item: usize| table.iter().map(|row| row[item]).collect::<Vec<f64>>();
        let frame =
            names.iter().enumerate().fold(Columns::default(), |frame, (item, name)| frame.numbers(name, &column(item)));
        let frame = frame.frame();
        let wide = run("icc-columns", Request::new(&frame).role(Role::X, &names), confidence(&case));
        for (row, form) in get::<Vec<Value>>(&case, "forms").iter().enumerate() {
            for table in [&long, &wide] {
                assert_eq!(table.text(row, "form"), form["form"].as_str());
                compare(table, row, form, &same(&["estimate", "lower", "upper", "statistic", "p_value"]), "ICC");
                compare(table, row, form, &[("df", "df1"), ("df2", "df2")], "ICC");
            }
        }
    }
    for case in cases("reliability", "one_way") {
        let (values, labels) = long(&get::<Vec<Vec<f64>>>(&case, "groups"));
        let frame = Columns::default().numbers("y", &values).text("participant", &labels).frame();
        let table = run("icc-one-way", by_participant(&frame), confidence(&case));
        compare(&table, 0, &case, &same(&["estimate", "lower", "upper", "statistic", "p_value"]), "one-way");
    }
    for case in cases("reliability", "split_half") {
        let (values, labels) = long(&get::<Vec<Vec<f64>>>(&case, "trials"));
        let order: Vec<f64> = (0..values.len()).map(|row| row as f64).collect();
        let frame = Columns::default().numbers("y", &values).text("participant", &labels).numbers("trial", &order);
        let frame = frame.frame();
        let table = run("odd-even", by_participant(&frame).role(Role::Trial, &["trial"]), confidence(&case));
        let columns = [("estimate", "odd_even"), ("lower", "odd_even_lower"), ("p_value", "odd_even_p")];
        compare(&table, 0, &case, &columns, &case["name"].to_string());
    }
}

#[test]
fn descriptions_and_counts_of_columns_are_those_of_scipy() {
    for case in cases("describe", "cases") {
        let frame = Columns::default().numbers("x", &get::<Vec<f64>>(&case, "x")).frame();
        let table = run("describe", Request::new(&frame).role(Role::X, &["x"]), Confidence::default());
        let names = same(&["n", "mean", "sd", "min", "q1", "median", "q3", "max", "mad", "skewness"]);
        compare(&table, 0, &case, &names, &case["name"].to_string());
    }
    for case in cases("interval", "medians") {
        let frame = Columns::default().numbers("x", &get::<Vec<f64>>(&case, "x")).frame();
        let table = run("median", Request::new(&frame).role(Role::X, &["x"]), confidence(&case));
        compare(&table, 0, &case, &same(&["estimate", "lower", "upper", "coverage"]), "median");
    }
    for case in cases("interval", "proportions") {
        let (n_true, n): (usize, usize) = (get(&case, "successes"), get(&case, "n"));
        let flags: Vec<bool> = (0..n).map(|row| row < n_true).collect();
        let frame = Columns::default().flags("solved", &flags).frame();
        let table = run("proportion", Request::new(&frame).role(Role::Event, &["solved"]), confidence(&case));
        compare(&table, 0, &case, &same(&["estimate", "lower", "upper"]), "proportion");
    }
    for case in cases("outliers", "cases") {
        let frame = Columns::default().numbers("x", &get::<Vec<f64>>(&case, "x")).frame();
        let request = Request { threshold: get(&case, "multiple"), ..Request::new(&frame).role(Role::X, &["x"]) };
        let is_mad = case["rule"] == "mad";
        let limits = run(if is_mad { "outliers" } else { "outliers-tukey" }, request.clone(), Confidence::default());
        compare(&limits, 0, &case, &same(&["lower_limit", "upper_limit"]), &case["name"].to_string());
        let rows = run(if is_mad { "outlier-rows" } else { "outlier-rows-tukey" }, request, Confidence::default());
        // Places from 0 are rows from 1, after the row without values.
        let expected: Vec<f64> = get::<Vec<f64>>(&case, "indices").iter().map(|place| place + 2.0).collect();
        let places: Vec<f64> = (0..rows.n_rows()).filter_map(|row| rows.number(row, "row")).collect();
        assert_eq!(places, expected, "{}", case["name"]);
    }
    for case in cases("association", "cases") {
        let table: Vec<Vec<usize>> = get(&case, "table");
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for (row, counts) in table.iter().enumerate() {
            for (column, count) in counts.iter().enumerate() {
                x.extend(vec![format!("row {row}"); *count]);
                y.extend(vec![format!("column {column}"); *count]);
            }
        }
        let mut frame = Columns::default().text("x", &x).text("y", &y);
        for (_, values) in &mut frame.0 {
            if let Values::Text(values) = values {
                values[0] = None;
            }
        }
        let frame = frame.frame();
        let request = Request::new(&frame).role(Role::X, &["x"]).role(Role::Y, &["y"]);
        let cells = run("chi-squared-cells", request.clone(), Confidence::default());
        let expected: Vec<Option<f64>> = get(&case, "expected");
        let observed: Vec<usize> = table.concat();
        if cells.n_rows() == observed.len() {
            for (row, (observed, expected)) in observed.into_iter().zip(expected).enumerate() {
                assert_eq!(cells.number(row, "observed"), Some(observed as f64));
                assert_close(cells.number(row, "expected"), expected, &case["name"].to_string());
            }
        }
        let table = run("chi-squared", request, Confidence::default());
        let columns = [("statistic", "chi_squared"), ("p_value", "p_value"), ("estimate", "cramers_v"), ("g", "g")];
        compare(&table, 0, &case, &columns, &case["name"].to_string());
    }
}
