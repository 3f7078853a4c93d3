//! Values of positions and their units.

use std::fmt;

/// The fewest moves from a state to the nearest goal, in the moves of the level's metric.
///
/// Absent (`None` where it is wrapped in an `Option`) if no goal can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Distance(pub u32);

impl fmt::Display for Distance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Unit of the values of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Unit {
    /// Moves to the goal; fewer is better.
    #[default]
    Moves,
    /// Moves of one cell to the goal; fewer is better.
    Cells,
    /// Expected further points; more is better.
    Points,
}

impl Unit {
    /// The word that tables and axes show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Cells => "cells",
            Self::Points => "points",
        }
    }

    /// `true` if values are distances to a goal.
    pub fn is_distance(self) -> bool {
        self != Self::Points
    }
}

/// Value of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Distance to the nearest goal; less is better.
    Distance(Distance),
    /// Expected further points under optimal play; more is better.
    Points(f64),
}

impl Value {
    /// A distance of so many moves.
    pub fn distance(moves: u32) -> Self {
        Self::Distance(Distance(moves))
    }

    /// The distance, if it is one.
    pub fn as_distance(self) -> Option<Distance> {
        match self {
            Self::Distance(distance) => Some(distance),
            Self::Points(_) => None,
        }
    }

    /// The number, whatever its unit.
    pub fn number(self) -> f64 {
        match self {
            Self::Distance(Distance(moves)) => f64::from(moves),
            Self::Points(points) => points,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Distance(distance) => distance.fmt(formatter),
            Self::Points(points) => write!(formatter, "{points:.2}"),
        }
    }
}

/// Source of the values of a level's positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Valuation {
    /// By a map of every position, and breadth-first search backwards from the goals.
    Map,
    /// By an algorithm of the game, exactly.
    Exact,
    /// By an algorithm of the game that looks ahead as far as time allows: an estimate.
    Estimate,
}

/// Reason why a position could not be valued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// It is beyond what the game can compute; the text says why, and what to do.
    #[error("{0}")]
    Beyond(String),
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}
