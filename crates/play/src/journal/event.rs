//! One line of a journal: an event of a session.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use plymap_tables::checksum::json;
use plymap_tables::checksum::json::Checked;

/// Byte order mark, which editors of Windows put before a text in UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Beginning of each line.
pub(crate) const LINE_START: &[u8] = br#"{"participant":""#;

/// Event of a session: one thing that a person did, with the names of the canonical log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Its number within the session, from 0.
    pub seq: u64,
    /// The level; empty where it is none of a level.
    pub level: String,
    /// The attempt at the level, from 1.
    pub attempt: u32,
    /// `move`, `undo`, `reset` and so on.
    pub event: String,
    /// The move, in the notation of the game; may be empty.
    #[serde(default)]
    pub action: String,
    /// The answer to a question; the number of the participant where a condition is assigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The position after it, where the rules alone do not tell it: that of a start that was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_after: Option<String>,
    /// The condition of the participant, where an experiment has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The block that the level is played in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// The number of the level within the session, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<u32>,
    /// The clock of the page, in milliseconds since it was loaded.
    pub time_ms: f64,
    /// The clock of the session, which goes on when the page is loaded again, in seconds.
    pub onset_s: f64,
}

impl Event {
    /// The first of a session, which tells nothing but when it was.
    pub fn of_no_level(time_ms: f64, onset_s: f64) -> Self {
        Self {
            seq: 0,
            level: String::new(),
            attempt: 1,
            event: String::new(),
            action: String::new(),
            value: None,
            state_after: None,
            condition: None,
            block: None,
            trial: None,
            time_ms,
            onset_s,
        }
    }
}

/// The hash of the secret of the page, or of the link, that began a session.
pub type Claim = [u8; 16];

/// A fencing token: what the page that opened a session last sends with its events. A number below 2^53, which JavaScript can hold.
pub type Lease = u64;

/// The claim of a secret.
pub fn claim_of(secret: &str) -> Claim {
    let digest: [u8; 32] = Sha256::digest(secret).into();
    *digest.first_chunk().expect("32 bytes begin with 16")
}

/// A line of the log.
#[derive(Serialize, Deserialize)]
pub(crate) struct Line<'a> {
    pub(super) participant: Cow<'a, str>,
    pub(super) session: Cow<'a, str>,
    #[serde(flatten)]
    pub(super) event: Cow<'a, Event>,
    /// Of the first event of a session, in hexadecimal: who has its secret may go on with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) claim: Option<Cow<'a, str>>,
    /// Of the text before it.
    #[serde(default, skip_serializing)]
    #[serde(rename = "crc32")]
    pub(super) _crc32: Option<Cow<'a, str>>,
}

impl Line<'_> {
    /// A line that is read back, with its end.
    pub(super) fn read(bytes: &[u8]) -> Result<Line<'_>, String> {
        match json::check(bytes) {
            Checked::Whole => serde_json::from_slice(bytes).map_err(|error| error.to_string()),
            Checked::Absent => Err("it has no checksum (`crc32`) at its end".to_owned()),
            Checked::Wrong => Err("it is not as it was written: its checksum (`crc32`) is another one".to_owned()),
        }
    }

    pub(super) fn claim(&self) -> Option<Claim> {
        let text = self.claim.as_deref().filter(|text| text.is_ascii())?;
        let bytes = (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok());
        bytes.collect::<Option<Vec<u8>>>()?.try_into().ok()
    }
}

/// Returns true if a line may have been recorded here, whole or damaged.
pub(crate) fn is_own(line: &[u8]) -> bool {
    line.strip_prefix(BOM).unwrap_or(line).starts_with(LINE_START) || json::has_sum(line)
}

/// The most events of a session: a move each second for a day.
pub const MOST_EVENTS: u64 = 86_400;

/// The most bytes of a session: so many moves have less, and one person is not to fill the disk for all.
pub const MOST_BYTES: u64 = 32 << 20;
