//! The quality of a move: what it did to the value of the position.

use plymap_puzzles::game::{Unit, Value};
use std::fmt;

/// Effect of a move on the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum Quality {
    /// The goal is nearer.
    Better,
    /// The goal is as far as before.
    Same,
    /// The goal is farther.
    Worse,
    /// No goal can be reached any more.
    DeadEnd,
    /// No other move lets expect more points.
    Best,
    /// It gives away up to [`SLIP`] of the expected points.
    Slip,
    /// It gives away up to [`MISTAKE`] of them.
    Mistake,
    /// It gives away more.
    Blunder,
    /// The rules do not allow the move; the position did not change.
    Illegal,
}

/// The largest share of the expected points that a slip gives away.
pub const SLIP: f64 = 0.02;

/// The largest share of the expected points that a mistake gives away.
pub const MISTAKE: f64 = 0.1;

impl Quality {
    /// All of them, the best first.
    pub const ALL: [Self; 9] = [
        Self::Better,
        Self::Same,
        Self::Worse,
        Self::DeadEnd,
        Self::Best,
        Self::Slip,
        Self::Mistake,
        Self::Blunder,
        Self::Illegal,
    ];

    /// Those that moves can have where values are in this unit, the best first.
    pub fn of_unit(unit: Unit) -> &'static [Self] {
        if unit.is_distance() {
            &[Self::Better, Self::Same, Self::Worse, Self::DeadEnd, Self::Illegal]
        } else {
            &[Self::Best, Self::Slip, Self::Mistake, Self::Blunder, Self::Illegal]
        }
    }

    /// Its index in [`Quality::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The word that tables show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Same => "same",
            Self::Worse => "worse",
            Self::DeadEnd => "dead-end",
            Self::Best => "best",
            Self::Slip => "slip",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::Illegal => "illegal",
        }
    }

    /// Quality of a legal move from a position of one value to one of another.
    pub fn of_values(before: Option<Value>, after: Option<Value>, regret: Option<f64>) -> Self {
        if let (Some(Value::Points(points)), Some(regret)) = (before, regret) {
            return Self::of_loss(regret, points);
        }
        let distance = |value: Option<Value>| value.and_then(Value::as_distance);
        match (distance(before), distance(after)) {
            (_, None) => Self::DeadEnd,
            (None, Some(_)) => Self::Better,
            (Some(before), Some(after)) if after < before => Self::Better,
            (Some(before), Some(after)) if after == before => Self::Same,
            _ => Self::Worse,
        }
    }

    /// Quality of a move that loses so many of the expected points.
    fn of_loss(lost: f64, expected: f64) -> Self {
        match lost {
            _ if lost <= 0.0 => Self::Best,
            _ if lost <= SLIP * expected => Self::Slip,
            _ if lost <= MISTAKE * expected => Self::Mistake,
            _ => Self::Blunder,
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
