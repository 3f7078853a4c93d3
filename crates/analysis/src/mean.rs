//! A mean over participants with its interval.

use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::describe::describe;

/// A mean over participants with its interval.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mean {
    pub mean: Option<f64>,
    pub lower: Option<f64>,
    pub upper: Option<f64>,
}

impl Mean {
    pub fn new(values: &[f64], confidence: Confidence) -> Self {
        let description = describe(values);
        let (lower, upper) = description.mean_interval(confidence).unzip();
        Self { mean: description.mean, lower, upper }
    }
}
