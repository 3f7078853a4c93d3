//! The columns of the canonical log.

/// A column of the canonical log that the files can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Participant.
    Participant,
    /// The session of the participant.
    Session,
    /// The level that was played.
    Level,
    /// Run at the level between resets.
    Attempt,
    /// Position of the row within its attempt.
    MoveIndex,
    /// The kind of event.
    Event,
    /// The move, in the notation of the game.
    Action,
    /// The recorded position before the row.
    StateBefore,
    /// The recorded position after the row.
    StateAfter,
    /// Time at which the row happened.
    Onset,
    /// Response time.
    Rt,
    /// Experimental condition.
    Condition,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Participant,
        Self::Session,
        Self::Level,
        Self::Attempt,
        Self::MoveIndex,
        Self::Event,
        Self::Action,
        Self::StateBefore,
        Self::StateAfter,
        Self::Onset,
        Self::Rt,
        Self::Condition,
    ];

    /// Text columns that every canonical log has, beside those that name the group.
    pub(crate) const TEXTS: [Self; 4] = [Self::Action, Self::StateBefore, Self::StateAfter, Self::Condition];

    /// Name of the column in the canonical log.
    pub fn name(self) -> &'static str {
        match self {
            Self::Participant => "participant",
            Self::Session => "session",
            Self::Level => "level",
            Self::Attempt => "attempt",
            Self::MoveIndex => "move_index",
            Self::Event => "event",
            Self::Action => "action",
            Self::StateBefore => "state_before",
            Self::StateAfter => "state_after",
            Self::Onset => "onset_s",
            Self::Rt => "rt_s",
            Self::Condition => "condition",
        }
    }

    /// Name in `[columns]`: times go without their unit there, because the entry has its own.
    pub fn key(self) -> &'static str {
        match self {
            Self::Onset => "onset",
            Self::Rt => "rt",
            _ => self.name(),
        }
    }

    pub(crate) fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.key() == key || role.name() == key)
    }
}
