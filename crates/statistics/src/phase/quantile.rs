//! A split of times at one of their quantiles.
//!
//! The simplest way to tell thinking from acting, and the one with least to say: it assumes nothing
//! about times, but fixes the share of thinking beforehand. Quantiles are those of type 7 of Hyndman
//! & Fan (1996), *The American Statistician*, 50, 361–365.

use serde::Serialize;

use super::times::LogTimes;
use crate::apa;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::quantile::quantile;
use crate::phase::labels::{Labels, Mode};

/// A threshold between acting and thinking.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuantileSplit {
    /// Number of times.
    pub n: usize,
    /// Share of the times that were to lie below the threshold.
    pub proportion: f64,
    /// The quantile, in seconds; longer times are thinking.
    pub threshold_s: Option<f64>,
    /// Number of times above the threshold. With ties at the threshold it is less than
    /// (1 − `proportion`) n.
    pub n_thinking: Option<usize>,
    /// Reason why the others are absent.
    pub reason: Option<NotEstimable>,
}

/// Splits times (in seconds) at a quantile: those strictly above it are thinking.
///
/// `proportion` lies strictly between 0 and 1; 0.5 splits at the median. Needs two times that differ.
///
/// ```
/// let split = plymap_statistics::phase::quantile::quantile_split(&[1.0, 2.0, 3.0, 9.0], 0.5);
/// assert_eq!((split.threshold_s, split.n_thinking), (Some(2.5), Some(2)));
/// ```
pub fn quantile_split(times_s: &[f64], proportion: f64) -> QuantileSplit {
    let mut split = QuantileSplit { n: times_s.len(), proportion, threshold_s: None, n_thinking: None, reason: None };
    match threshold(times_s, proportion) {
        Ok(threshold) => {
            split.threshold_s = Some(threshold);
            split.n_thinking = Some(times_s.iter().filter(|&&time| time > threshold).count());
        }
        Err(reason) => split.reason = Some(reason),
    }
    split
}

impl QuantileSplit {
    /// `split at 1.07 s, thinking: 600 of 1,200 moves`.
    pub fn sentence(&self) -> String {
        match (self.threshold_s, self.n_thinking) {
            (Some(threshold), Some(n_thinking)) => {
                format!(
                    "split at {} s, thinking: {} of {}",
                    apa::number(threshold, 2),
                    apa::count(n_thinking),
                    apa::counted(self.n, "move")
                )
            }
            _ => apa::not_estimable("split", self.n, self.reason.as_ref()),
        }
    }
}

fn threshold(times_s: &[f64], proportion: f64) -> Result<f64, NotEstimable> {
    LogTimes::new(&[times_s])?.spread("a split of times", 2)?;
    check_proportion(proportion)?;
    quantile(times_s, proportion)
}

fn check_proportion(proportion: f64) -> Result<(), NotEstimable> {
    if proportion > 0.0 && proportion < 1.0 {
        return Ok(());
    }
    let (value, allowed) = (proportion.to_string(), "between 0 and 1, both excluded");
    Err(NotEstimable::OutOfRange { quantity: "the proportion of a split", value, allowed })
}

/// Labels by the quantile of the times. Their logarithms keep the order, and a threshold that is one
/// of the times, exactly; between two times, any threshold gives the same labels.
pub(super) fn labels(times: &LogTimes, proportion: f64) -> Result<Labels, NotEstimable> {
    check_count("a split of times", "moves", times.len(), 2)?;
    times.spread("a split of times", 2)?;
    check_proportion(proportion)?;
    let threshold = quantile(times.logs(), proportion)?;
    let mode = |&log: &f64| if log > threshold { Mode::Thinking } else { Mode::Acting };
    Ok(Labels { modes: times.logs().iter().map(mode).collect(), ..Labels::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_at_the_threshold_are_acting() {
        let split = quantile_split(&[1.0, 2.0, 2.0, 2.0, 5.0], 0.5);
        assert_eq!((split.threshold_s, split.n_thinking), (Some(2.0), Some(1)));
        assert_eq!(split.sentence(), "split at 2.00 s, thinking: 1 of 5 moves");
    }

    #[test]
    fn seconds_and_their_logarithms_are_split_alike() {
        for n in 2..40_usize {
            let times: Vec<f64> = (0..n).map(|index| 0.1 + (index * 13 % 17) as f64 * 0.3).collect();
            for proportion in [0.1, 0.5, 2.0 / 3.0, 0.9] {
                let modes = labels(&LogTimes::new(&[&times]).unwrap(), proportion).unwrap().modes;
                let n_thinking = modes.iter().filter(|&&mode| mode == Mode::Thinking).count();
                assert_eq!(Some(n_thinking), quantile_split(&times, proportion).n_thinking, "{n} at {proportion}");
            }
        }
    }

    #[test]
    fn what_cannot_be_split_says_why() {
        let reason = |times: &[f64], proportion| quantile_split(times, proportion).reason.unwrap().to_string();
        assert_eq!(reason(&[], 0.5), "a split of times needs at least 2 moves, found 0");
        assert_eq!(reason(&[3.0, 3.0], 0.5), "all values of the times between moves are equal");
        assert!(reason(&[3.0, 4.0], 1.0).starts_with("the proportion of a split is 1"));
        assert!(reason(&[3.0, 4.0], f64::NAN).starts_with("the proportion of a split is NaN"));
    }
}
