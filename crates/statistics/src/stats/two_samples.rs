//! Comparison of two samples, independent or paired, with effect sizes.
//!
//! [`mann_whitney`], [`brunner_munzel`] and [`welch`] compare independent values, such as one value from each of two
//! groups of participants; [`wilcoxon`] compares two values of the same participants. Moves of one
//! player are not independent: compare the players' medians.

mod brunner_munzel;
mod mann_whitney;
mod shift;
mod welch;
mod wilcoxon;

pub use brunner_munzel::{BRUNNER_MUNZEL, BrunnerMunzel, RelativeEffectTest, brunner_munzel};
pub use mann_whitney::{Dominance, MANN_WHITNEY, MannWhitney, MannWhitneyTest, mann_whitney};
pub use welch::{WELCH, Welch, welch};
pub use wilcoxon::{SignedRankTest, WILCOXON, WILCOXON_COLUMNS, Wilcoxon, wilcoxon};

use super::{Confidence, NotEstimable, check_values};
use crate::estimator::Estimator;
use crate::record::Record;

/// A test of two samples as analyses and tables name it.
#[derive(Clone, Copy, Debug)]
pub struct TwoSampleTest {
    /// The test on the columns of any table.
    pub estimator: Estimator,
    /// Name of its effect size.
    pub effect: &'static str,
    /// Tests x against y.
    pub test: fn(&[f64], &[f64], Confidence) -> Record,
}

/// Refuses samples with values that no estimator can work with.
fn check_samples(x: &[f64], y: &[f64]) -> Result<(), NotEstimable> {
    check_values("x", x)?;
    check_values("y", y)
}
