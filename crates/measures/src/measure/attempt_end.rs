//! Ends of attempts, and so the rows that are measured.
//!
//! Whoever walks over the rows of an attempt asks [`AttemptEnd`] whether a row is measured, so that all counts are of
//! the same rows.

use crate::label::{LabelledAttempt, LabelledRow};
use plymap_log::Event;

/// State of an attempt after some of its rows, and its end after all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum AttemptEnd {
    /// With the level solved, or the game over.
    Finished,
    /// With a reset, logged or implied.
    Reset,
    /// With a give-up, logged or implied.
    GaveUp,
    /// With a limit of time or moves: what would have come is not known.
    Limit,
    /// With its session, behind which the participant came again.
    Interrupted,
    /// With the last row of the log.
    #[default]
    Open,
}

impl AttemptEnd {
    /// `true` if the attempt is over: nothing that follows under its number is measured.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Finished | Self::GaveUp | Self::Limit)
    }

    /// `true` if a row that comes now is measured.
    pub fn measures(self, row: &LabelledRow) -> bool {
        !self.is_final() && !row.step.played.is_some_and(|played| played.is_after_goal)
    }

    /// State of the attempt after a row that is measured. A reset within a numbered attempt does not end it if more
    /// is played.
    #[must_use]
    pub fn after(self, row: &LabelledRow) -> Self {
        match (row.made(), row.event) {
            (Some((_, label)), _) if label.is_end => Self::Finished,
            (None, Event::Reset) => Self::Reset,
            (None, Event::GiveUp) => Self::GaveUp,
            (None, Event::Limit) => Self::Limit,
            _ => Self::Open,
        }
    }

    /// End of the attempt: where no row says it, with its session ([`LabelledAttempt::is_interrupted`]), or else as
    /// its log implies ([`LabelledAttempt::implied_end`]).
    #[must_use]
    pub fn or_implied(self, attempt: &LabelledAttempt) -> Self {
        match (self, attempt.implied_end) {
            (Self::Open, _) if attempt.is_interrupted => Self::Interrupted,
            (Self::Open, Some(Event::Reset)) => Self::Reset,
            (Self::Open, Some(Event::GiveUp)) => Self::GaveUp,
            _ => self,
        }
    }
}
