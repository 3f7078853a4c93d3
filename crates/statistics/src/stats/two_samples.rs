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

pub use crate::estimator::comparison::TwoSampleTest;
