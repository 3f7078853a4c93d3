//! Numerical methods on plain numbers: moments, quantiles, ranks, distributions and searches for maxima.

pub mod distribution;
pub(crate) mod inverse_root;
pub mod moments;
pub mod newton;
pub(crate) mod noncentral;
pub(crate) mod permutation;
pub mod quantile;
pub mod random;
pub mod rank;
pub mod vector;
pub mod wide;
