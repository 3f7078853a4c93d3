#![doc = include_str!("../README.md")]

pub mod estimator;
pub mod formula;
pub mod methods;
pub mod model;
pub mod phase;
pub mod record;
pub mod sequence;
pub mod stats;
