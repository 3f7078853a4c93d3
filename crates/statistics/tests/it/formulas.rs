//! Models as formulas over the tables of an oracle.

use plymap_statistics::estimator::{Estimates, Frame, Request, Values};
use plymap_statistics::methods;
use serde_json::Value;

/// Estimates of an estimator for the formula and the data of a case.
pub fn estimate(estimator: &str, case: &Value) -> Estimates {
    let frame = Frame::new(case["data"].as_object().unwrap().iter().map(column).collect()).unwrap();
    let formula = Some(case["formula"].as_str().unwrap().parse().unwrap());
    let request = Request { formula, ..Request::new(&frame) };
    let table = methods::named(estimator).unwrap().estimate(&request).unwrap();
    (0..table.n_rows()).for_each(|row| assert_eq!(table.text(row, "reason"), None, "{}", case["name"]));
    table
}

fn column((name, values): (&String, &Value)) -> (String, Values) {
    let values = values.as_array().unwrap();
    let values = match () {
        () if name == "solved" => Values::Flags(values.iter().map(|value| Some(value == 1)).collect()),
        () if values[0].is_number() => Values::Numbers(values.iter().map(Value::as_f64).collect()),
        () => Values::Text(values.iter().map(|value| value.as_str().map(str::to_owned)).collect()),
    };
    (name.clone(), values)
}

/// The cases of an oracle.
pub fn cases(oracle: &str) -> Vec<Value> {
    let path = format!("{}/tests/oracles/{oracle}.json", env!("CARGO_MANIFEST_DIR"));
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    document["cases"].as_array().unwrap().clone()
}

pub fn number(case: &Value, name: &str) -> f64 {
    case[name].as_f64().unwrap_or_else(|| panic!("{name} of {case}"))
}

#[track_caller]
pub fn near(table: &Estimates, row: usize, column: &str, expected: f64, allowed: f64, what: &str) {
    let actual = table.number(row, column).unwrap_or_else(|| panic!("{what}: no {column}"));
    let difference = (actual - expected).abs();
    assert!(difference <= allowed, "{what}: {column} is {actual}, expected {expected} ± {allowed:e}");
}

/// Compares the predicted random effects.
pub fn compare_modes(estimator: &str, case: &Value, allowed: f64, name: &str) {
    let table = estimate(estimator, case);
    let modes = case["modes"].as_array().unwrap();
    let value_of = |group: &str, label: &str, effect: &str| {
        let group = modes.iter().find(|term| term["group"] == group)?;
        let label = group["labels"].as_array()?.iter().position(|known| known == label)?;
        let effect = group["names"].as_array()?.iter().position(|known| known == effect)?;
        group["values"][label][effect].as_f64()
    };
    let sizes =
        modes.iter().map(|term| term["labels"].as_array().unwrap().len() * term["names"].as_array().unwrap().len());
    assert_eq!(table.n_rows(), sizes.sum::<usize>(), "{name}");
    for row in 0..table.n_rows() {
        let text = |column: &str| table.text(row, column).unwrap();
        let effect = text("effect").replace(" = ", "").replace("intercept", "(Intercept)");
        let what = format!("{name}, {effect} of {} {}", text("factor"), text("label"));
        let expected = value_of(text("factor"), text("label"), &effect).unwrap_or_else(|| panic!("{what}"));
        near(&table, row, "mode", expected, allowed * expected.abs().max(0.1), &what);
    }
}
