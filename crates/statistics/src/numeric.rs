//! Numerical methods on plain numbers: moments, quantiles, ranks, distributions and searches for maxima.

pub(crate) mod cone;
pub mod distribution;
pub(crate) mod inverse_root;
pub mod moments;
pub(crate) mod newton;
pub(crate) mod noncentral;
pub(crate) mod permutation;
pub mod quantile;
pub mod rank;
pub(crate) mod vector;
