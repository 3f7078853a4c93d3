//! Statistics for experiments in which people each make many choices: numbers in, results out.

pub mod estimator;
pub mod model;
pub mod phase;
pub mod record;
pub mod sequence;
pub mod stats;
