//! How attempts end, and so which of their rows are measured.
//!
//! Whoever walks over the rows of an attempt asks [`AttemptEnd`] whether a row is measured, so that all counts are of
//! the same rows.

use crate::label::{LabelledAttempt, LabelledRow};
use plymap_log::Event;

/// How an attempt stands after some of its rows, and after all of them how it ended.
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
    /// Whether the attempt is over: nothing that follows under its number is measured.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Finished | Self::GaveUp | Self::Limit)
    }

    /// Whether a row that comes now is measured.
    pub fn measures(self, row: &LabelledRow) -> bool {
        !self.is_final() && !row.step.played.is_some_and(|played| played.is_after_goal)
    }

    /// How the attempt stands after a row that is measured. A reset within a numbered attempt does not end it if more
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

    /// How the attempt ended: where no row says it, with its session ([`LabelledAttempt::is_interrupted`]), or else as its log
    /// implies ([`LabelledAttempt::implied_end`]).
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
