//! Comparison of two samples, independent or paired, with effect sizes.
//!
//! [`mann_whitney`] and [`welch`] compare independent values, such as one value from each of two
//! groups of participants; [`wilcoxon`] compares two values of the same participants. Moves of one
//! player are not independent: compare the players' medians.

mod mann_whitney;
mod shift;
mod welch;
mod wilcoxon;

pub use mann_whitney::{MannWhitney, mann_whitney};
pub use welch::{Welch, welch};
pub use wilcoxon::{Wilcoxon, wilcoxon};

use super::{NotEstimable, check_values};

/// Refuses samples with values that no estimator can work with.
fn check_samples(x: &[f64], y: &[f64]) -> Result<(), NotEstimable> {
    check_values("x", x)?;
    check_values("y", y)
}
