//! Settings of a file that its readers need.

use std::fmt;

use polars::prelude::DataFrame;
use serde::{Deserialize, Deserializer, Serialize, de};

/// A log that is a table in memory.
#[derive(Clone, Debug)]
pub struct Frame(pub DataFrame);

/// Tables are the same where all their cells are.
impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals_missing(&other.0)
    }
}

/// Treatment of a header that has a name twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepeatedColumns {
    /// The file is refused: nobody knows which of them is meant.
    #[default]
    Reject,
    /// The second gets `_2` behind its name, the third `_3`, and so on.
    Number,
}

/// Unit of the times in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Unit {
    /// Seconds.
    #[serde(rename = "s")]
    Seconds,
    /// Milliseconds.
    #[serde(rename = "ms")]
    Milliseconds,
    /// Microseconds; also written `µs`.
    #[serde(rename = "us")]
    Microseconds,
    /// Nanoseconds.
    #[serde(rename = "ns")]
    Nanoseconds,
    /// Date and time such as `2026-03-01T10:00:00.250+01:00`; without an offset it is assumed to be UTC.
    #[serde(rename = "iso8601")]
    Iso8601,
    /// Seconds since 1970-01-01T00:00:00Z.
    #[serde(rename = "epoch_s")]
    EpochSeconds,
    /// Milliseconds since 1970-01-01T00:00:00Z.
    #[serde(rename = "epoch_ms")]
    EpochMilliseconds,
}

impl Unit {
    const ALL: [(&str, Self); 7] = [
        ("s", Self::Seconds),
        ("ms", Self::Milliseconds),
        ("us", Self::Microseconds),
        ("ns", Self::Nanoseconds),
        ("iso8601", Self::Iso8601),
        ("epoch_s", Self::EpochSeconds),
        ("epoch_ms", Self::EpochMilliseconds),
    ];

    /// The unit of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        // The micro sign and the Greek letter look the same and are both typed.
        let name = if matches!(name, "\u{b5}s" | "\u{3bc}s") { "us" } else { name };
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, unit)| *unit)
    }

    /// `true` if values are points of the calendar rather than durations.
    pub fn is_instant(self) -> bool {
        matches!(self, Self::Iso8601 | Self::EpochSeconds | Self::EpochMilliseconds)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(_, unit)| unit == self).map_or("s", |(name, _)| name);
        formatter.write_str(name)
    }
}

impl<'de> Deserialize<'de> for Unit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::from_name(&name).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|(name, _)| *name).collect();
            de::Error::custom(format!("unknown unit {name:?}; units are {}", known.join(", ")))
        })
    }
}
