//! Index of the lines of a log.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::event::Line;
use super::event::{Claim, Lease};
use super::numbers::{Did, Numbers};

/// The event that tells the number of a participant, and their condition as `action`.
pub const ASSIGN: &str = "assign";

/// The event of a consent that is refused.
pub(crate) const DECLINE: &str = "decline";

/// The event of a page that is left, and the `action` of the last one.
pub(crate) const LAST_PAGE: (&str, &str) = ("page", "end");

/// Rule by which numbers are given to those who begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbering {
    /// True if people are counted within the condition that their link names.
    pub is_by_condition: bool,
    /// Silence after which somebody who has not finished counts as gone, so that their number is given again.
    pub dropped_after: Option<Duration>,
}

/// A session that was begun.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Place at which the line of each event begins, in bytes.
    pub(super) places: Vec<u64>,
    /// Number of bytes of the lines.
    pub(super) n_bytes: u64,
    pub(super) claim: Option<Claim>,
    /// Without it, what a browser sent before it was killed could arrive after the page that came back has shown the board without it.
    pub(super) lease: Option<Lease>,
}

/// Index of the lines of a log: the sessions, and the numbers of participants.
#[derive(Debug)]
pub(crate) struct Index {
    pub(super) sessions: HashMap<(String, String), Session>,
    pub(super) numbers: Numbers,
}

impl Index {
    pub(super) fn new(Numbering { is_by_condition, dropped_after }: Numbering) -> Self {
        Self { sessions: HashMap::new(), numbers: Numbers::new(is_by_condition, dropped_after) }
    }

    pub(super) fn session(&mut self, participant: &str, session: &str) -> Option<&mut Session> {
        self.sessions.get_mut(&(participant.to_owned(), session.to_owned()))
    }

    /// Takes note of a line with so many bytes that begins at a place.
    pub(super) fn take(&mut self, place: u64, n_bytes: usize, line: &Line<'_>, now: Instant) -> Result<(), String> {
        let Line { participant, session, event, .. } = line;
        let session = self.sessions.entry((participant.to_string(), session.to_string())).or_default();
        if event.seq != session.places.len() as u64 {
            return Err(format!("its seq is {}, and should be {}", event.seq, session.places.len()));
        }
        if event.seq == 0 {
            session.claim = line.claim();
        }
        session.places.push(place);
        session.n_bytes += n_bytes as u64;
        let number = event.value.as_ref().filter(|_| event.event == ASSIGN).and_then(|value| value.parse().ok());
        if let Some(number) = number {
            self.numbers.assign(participant, &event.action, number, now);
        }
        let did = match event.event.as_str() {
            DECLINE => Did::Refused,
            name if (name, event.action.as_str()) == LAST_PAGE => Did::Finished,
            _ => Did::Something,
        };
        self.numbers.note(participant, did, now);
        Ok(())
    }
}
