//! Kind of event that a row of a log reports.

use std::fmt;

/// Kind of event that a row of a log reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Event {
    /// An attempt begins.
    Start,
    /// The participant moved.
    Move,
    /// The participant took a move back.
    Undo,
    /// The level was put back to its start; the next row belongs to a new attempt.
    Reset,
    /// The participant was given a hint.
    Hint,
    /// The participant gave up.
    GiveUp,
    /// The level was solved.
    Solved,
    /// The participant did something that changed nothing: a click beside the board, a piece that was put back.
    NullMove,
    /// The experiment ended the level: its time was up, or its last move was made.
    Limit,
}

impl Event {
    /// Names of all events, as the canonical log writes them.
    pub const NAMES: [&'static str; 9] =
        ["start", "move", "undo", "reset", "hint", "give_up", "solved", "null_move", "limit"];

    /// Names of events that an experiment records beside play: which condition a participant was assigned to, pages
    /// that were left, a consent that was refused, answers to questions. Such rows are left out, and counted.
    pub const BESIDE_PLAY: [&'static str; 4] = ["assign", "page", "decline", "answer"];

    const ALL: [Self; 9] = [
        Self::Start,
        Self::Move,
        Self::Undo,
        Self::Reset,
        Self::Hint,
        Self::GiveUp,
        Self::Solved,
        Self::NullMove,
        Self::Limit,
    ];

    /// Its name in the canonical log.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The event of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }

    /// `true` if it changes the position within an attempt: a move, or a move taken back.
    pub fn is_play(self) -> bool {
        matches!(self, Self::Move | Self::Undo)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_known_by_its_name() {
        for event in Event::ALL {
            assert_eq!(Event::from_name(event.name()), Some(event));
        }
        assert_eq!(Event::from_name("Move"), None);
    }
}
