//! The laws of a table of distances, and where one is broken.

use std::fmt;

/// A law that a table of distances obeys; see the description of the crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// The start is in the table.
    Start,
    /// Each state is in the table once.
    Once,
    /// A move leads to a state of the table.
    Closed,
    /// A state of the table can be reached from the start.
    Reached,
    /// A goal has the distance 0.
    Goal,
    /// No move lowers the distance by more than 1, and none leads out of the states without a distance.
    Lowered,
    /// A state with a distance is a goal, or has a move after which it is 1 less.
    Attained,
}

impl Law {
    /// The law in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Start => "the start is in the table",
            Self::Once => "each state is in the table once",
            Self::Closed => "every move leads to a state of the table",
            Self::Reached => "every state of the table can be reached from the start",
            Self::Goal => "goals, and they alone, have the distance 0",
            Self::Lowered => "no move lowers the distance by more than 1, or leads out of the states without one",
            Self::Attained => "a state with a distance above 0 has a move after which it is 1 less",
        }
    }
}

/// Place in a table of distances where a law is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Name of the level.
    pub level: String,
    /// The law.
    pub law: Law,
    /// The state in the notation of the level.
    pub state: String,
    /// Its number, in the order of the table from 0; absent if it is not in the table.
    pub number: Option<usize>,
    /// Its distance in the table; absent where no goal can be reached, or it is not in the table.
    pub distance: Option<u32>,
    /// The move at fault, where there is one.
    pub step: Option<Step>,
}

/// A move from a state to another, with what the table says of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move in the notation of logs.
    pub notation: String,
    /// The state after it in the notation of the level.
    pub after: String,
    /// The distance of that state; absent where no goal can be reached, or it is not in the table.
    pub distance: Option<u32>,
}

/// A distance in words.
fn value(distance: Option<u32>) -> String {
    distance.map_or_else(|| "no distance".to_owned(), |distance| format!("the distance {distance}"))
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { level, law, state, number, distance, step } = self;
        let place = number.map(|number| format!(" (state {number})")).unwrap_or_default();
        write!(formatter, "level {level:?}: {state}{place} ")?;
        let has = value(*distance);
        match (law, step) {
            (Law::Start, _) => write!(formatter, "is its start, and not in the table")?,
            (Law::Once, _) => write!(formatter, "is in the table before")?,
            (Law::Reached, _) => write!(formatter, "is in the table, and no moves lead to it from the start")?,
            (Law::Goal, _) if *distance == Some(0) => write!(formatter, "has the distance 0, and is no goal")?,
            (Law::Goal, _) => write!(formatter, "is a goal, and has {has}")?,
            (Law::Closed, Some(Step { notation, after, .. })) => {
                write!(formatter, "allows the move {notation} to {after}, which is not in the table")?;
            }
            (_, Some(Step { notation, after, distance })) => {
                let there = value(*distance);
                let nearest = if *law == Law::Attained { " at best" } else { "" };
                write!(formatter, "has {has}, and its move {notation} leads{nearest} to {after}, which has {there}")?;
            }
            (_, None) => write!(formatter, "has {has}, and no move")?,
        }
        write!(formatter, "; yet {}", law.text())
    }
}
