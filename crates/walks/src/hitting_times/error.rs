//! Why there are no hitting times.

/// The largest bound of an error with which values are told: relative for numbers of moves, absolute for probabilities.
pub const LARGEST_ERROR: f64 = 1e-9;

/// Reason why there are no hitting times.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HittingError {
    /// The error could not be proved to be small.
    #[error(
        "the expected numbers of moves could not be found to {LARGEST_ERROR:e}: what was found may be wrong by {reached:.1e}"
    )]
    Unsolved {
        /// Bound that was reached; infinite where there was none.
        reached: f64,
    },
    /// There are no states to tell them of.
    #[error("the level has no map")]
    Unmapped,
    /// The caller asked to stop.
    #[error("the computation of expected numbers of moves was interrupted")]
    Interrupted,
}
