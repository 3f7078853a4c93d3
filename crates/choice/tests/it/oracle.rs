//! Reading reference values, and how exactly fits are held to them.

use std::sync::LazyLock;

use plymap_choice::{Estimate, ModelFit, Parameter};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Likelihoods, fits, intervals and selections, written by `choice.py`.
pub static CHOICE: LazyLock<Value> = LazyLock::new(|| read("choice"));

/// Infinite estimates, written by `choice_separation.py`.
pub static SEPARATION: LazyLock<Value> = LazyLock::new(|| read("choice_separation"));

/// Largest relative difference of a fitted value. Both sides stop where the slope is rounding: the
/// estimates then differ by some 1e-9 standard errors.
pub const ESTIMATE: f64 = 1e-6;
/// Largest relative difference of a standard error; both take it from exact second derivatives.
pub const ERROR: f64 = 1e-4;

fn read(name: &str) -> Value {
    let path = format!("{}/tests/oracles/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap()
}

/// The cases of one list of an oracle's file.
pub fn cases(oracle: &Value, list: &str) -> Vec<Value> {
    let cases = oracle[list].as_array().unwrap().clone();
    assert!(!cases.is_empty(), "no {list}");
    cases
}

pub fn get<T: DeserializeOwned>(case: &Value, name: &str) -> T {
    serde_json::from_value(case[name].clone()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub fn estimate_of(fit: &ModelFit, parameter: Parameter) -> &Estimate {
    fit.parameters.iter().find(|estimate| estimate.parameter == parameter).unwrap()
}
