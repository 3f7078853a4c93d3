#![doc = include_str!("../README.md")]

pub mod adjust;
pub mod apa;
pub mod estimator;
pub mod formula;
pub mod inference;
pub mod methods;
pub mod not_estimable;
pub mod numeric;
pub mod phase;
pub mod record;
pub mod sequence;
pub mod stats;
