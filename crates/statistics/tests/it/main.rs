//! All integration tests in one binary: each further one would link everything again.

mod estimator;
mod estimator_models;
mod estimator_oracles;
mod formulas;
mod logit;
mod meta;
mod mixed;
mod mixed_diagnostics;
mod mixed_logistic;
mod mixed_slopes;
mod modelled;
mod oracle;
mod phase;
mod phase_recovery;
mod rasch;
mod separation;
mod sequence;
mod stats;
mod stats_comparison;
mod stats_correlation;
mod stats_learning;
mod stats_reliability;
mod survival;
