//! Shapes of a learning curve.

use serde::{Deserialize, Serialize};

/// The shape of a learning curve over the trial number t, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// No change: y = a.
    Constant,
    /// y = a + b t.
    Linear,
    /// y = a + b exp(−c (t − 1)), c > 0: the part still to be learnt falls by the same share each trial.
    Exponential,
    /// y = a + b t^(−c), c > 0: the share that is learnt falls as trials go on.
    Power,
}

impl Shape {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Constant, Self::Linear, Self::Exponential, Self::Power];

    /// Names of its parameters, in the order of [`Curve::parameters`](super::Curve::parameters)]: `a` the asymptote (or level),
    /// `b` the amount (or slope), `c` the rate.
    pub fn parameter_names(self) -> &'static [&'static str] {
        &["a", "b", "c"][..match self {
            Self::Constant => 1,
            Self::Linear => 2,
            Self::Exponential | Self::Power => 3,
        }]
    }

    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Linear => "linear",
            Self::Exponential => "exponential",
            Self::Power => "power",
        }
    }
}
