//! The error of every chart.

/// Reason for which a figure could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChartError {
    /// The input contradicts itself.
    #[error("figure {figure}: {what}")]
    Input {
        /// Name of the figure.
        figure: String,
        /// The fault, naming the value, and the rule.
        what: String,
    },
    /// plotters refused to draw.
    #[error("the figure could not be drawn: {0}")]
    Draw(String),
    /// The SVG could not be read back for its conversion.
    #[error("figure {figure}: its SVG could not be read: {reason}")]
    Svg {
        /// Name of the figure.
        figure: String,
        /// Message of the SVG reader.
        reason: String,
    },
    /// The SVG could not be converted.
    #[error("figure {figure}: no {format} could be made of it: {reason}")]
    Convert {
        /// Name of the figure.
        figure: String,
        /// `PDF`, `PNG` or `CSV`.
        format: &'static str,
        /// The fault and, where it helps, a remedy.
        reason: String,
    },
}
