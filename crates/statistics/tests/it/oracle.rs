//! Reading and comparing reference values, for the tests of survival and of sequences.

use plymap_statistics::stats::Confidence;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Largest relative difference from a reference value of closed form.
pub const CLOSED_FORM: f64 = 1e-8;

/// The cases of one list of an oracle's file.
pub fn cases(name: &str, list: &str) -> Vec<Value> {
    let path = format!("{}/tests/oracles/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let document: Value = serde_json::from_str(&text).unwrap();
    let cases = document[list].as_array().unwrap().clone();
    assert!(!cases.is_empty(), "{path} has no {list}");
    cases
}

pub fn get<T: DeserializeOwned>(case: &Value, name: &str) -> T {
    serde_json::from_value(case[name].clone()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A list of 0 and 1 as no and yes.
pub fn flags(case: &Value, name: &str) -> Vec<bool> {
    get::<Vec<u8>>(case, name).into_iter().map(|flag| flag == 1).collect()
}

pub fn confidence(case: &Value) -> Confidence {
    get(case, "confidence")
}

/// Asserts that both are absent, or equal up to a share of the expected value; an expected 0 admits 1e-14, the rounding
/// of a difference of numbers near 1.
#[track_caller]
pub fn assert_close(actual: Option<f64>, expected: Option<f64>, tolerance: f64, what: &str) {
    match (actual, expected) {
        (None, None) => {}
        (Some(actual), Some(expected)) => {
            let allowed = if expected == 0.0 { 1e-14 } else { tolerance * expected.abs() };
            let difference = (actual - expected).abs();
            assert!(
                difference <= allowed,
                "{what}: found {actual}, expected {expected} ± {allowed:e}, differs by {difference:e}"
            );
        }
        (actual, expected) => panic!("{what}: found {actual:?}, expected {expected:?}"),
    }
}
