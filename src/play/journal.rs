//! What people do in a browser, appended to a log as NDJSON: one event a line, in order, each once.
//!
//! Pages number the events of a sitting from 0 and send them again until they are confirmed. An event is confirmed when it is on
//! disk. What comes a second time is compared with what is there, so that a network that doubles requests, a page that is loaded
//! again and a server that is killed neither lose nor double anything.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// How each line begins.
const LINE_START: &[u8] = br#"{"participant":""#;

/// The event that tells the number of a participant.
const ASSIGN: &str = "assign";

/// So many participants have numbers of their own: whoever makes up names cannot fill the memory.
const MOST_NUMBERED: usize = 100_000;

/// The longest line that is read back; what a page may send is far shorter.
const LONGEST_LINE: u64 = 1 << 20;

/// One thing that a person did, with the names of the canonical log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Its number within the sitting, from 0.
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
    /// The answer to a question; the number of the participant where a condition was assigned.
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
    /// The number of the level within the sitting, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<u32>,
    /// The clock of the page, in milliseconds since it was loaded.
    pub time_ms: f64,
    /// The clock of the sitting, which goes on when the page is loaded again, in seconds.
    pub onset_s: f64,
}

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    participant: Cow<'a, str>,
    session: Cow<'a, str>,
    #[serde(flatten)]
    event: Cow<'a, Event>,
}

/// Why a log cannot be appended to.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be opened, read or written.
    #[error("{path}: {source}")]
    Io {
        /// The log.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// Another process appends to it.
    #[error("{path} is being recorded to by another process: stop it, or name another file")]
    Locked {
        /// The log.
        path: PathBuf,
    },
    /// It holds something else.
    #[error("{path}:{line} is no recorded event: {why}; name another file, or move this one away")]
    Foreign {
        /// The log.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
}

/// Why events were not taken.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The first of them comes after one that is not there.
    #[error("the first event that was sent is number {first}, but number {n_events} is not here yet")]
    Gap {
        /// The first that was sent.
        first: u64,
        /// How many there are.
        n_events: u64,
    },
    /// One of them is there with other content.
    #[error(
        "event {seq} of this sitting is recorded already, and is another one: is the sitting open in a second window?"
    )]
    Conflict {
        /// Its number.
        seq: u64,
        /// How many there are.
        n_events: u64,
    },
    /// Their numbers do not follow one another.
    #[error("events must be numbered one after the other; {next} follows {seq}")]
    OutOfOrder {
        /// One number.
        seq: u64,
        /// The next.
        next: u64,
    },
    /// The disk did not take them.
    #[error("the events could not be written: {0}")]
    Io(#[from] io::Error),
}

/// A log to which sittings are appended.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// How many bytes are whole lines.
    length: u64,
    /// Whether more bytes may be there, of a line that was not written to its end.
    is_torn: bool,
    /// By participant and session, where the line of each event begins.
    sittings: HashMap<(String, String), Vec<u64>>,
    /// The number of each participant, from 0, in the order in which they came.
    numbers: HashMap<String, u64>,
    /// That of the next.
    next_number: u64,
}

impl Journal {
    /// Opens a log, or begins it, for this process alone. A last line that was not written to its end, because the power failed
    /// or the process was killed, was never confirmed, and is cut off; the number of its bytes is returned.
    ///
    /// # Errors
    ///
    /// [`JournalError`].
    pub fn open(path: &Path) -> Result<(Self, u64), JournalError> {
        let io_error = |source| JournalError::Io { path: path.to_owned(), source };
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io_error)?;
        file.try_lock().map_err(|error| match error {
            std::fs::TryLockError::WouldBlock => JournalError::Locked { path: path.to_owned() },
            std::fs::TryLockError::Error(source) => io_error(source),
        })?;
        let mut reader = BufReader::new(file.try_clone().map_err(io_error)?);
        let mut journal =
            Self { file, length: 0, is_torn: false, sittings: HashMap::new(), numbers: HashMap::new(), next_number: 0 };
        let (mut line, mut number) = (Vec::new(), 0);
        let n_cut = loop {
            line.clear();
            let n_read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(io_error)? as u64;
            number += 1;
            let foreign = |why: String| JournalError::Foreign { path: path.to_owned(), line: number, why };
            if n_read == 0 || (line.last() != Some(&b'\n') && n_read < LONGEST_LINE) {
                // What begins in another way was not written here, and is not ours to cut.
                let is_own = line.iter().zip(LINE_START).all(|(own, start)| own == start);
                break if is_own { n_read } else { return Err(foreign("it is no JSON of an event".to_owned())) };
            }
            let Line { participant, session, event } =
                serde_json::from_slice(&line).map_err(|error| foreign(error.to_string()))?;
            // Pages tell it, and whatever they tell, there is a next one.
            let assigned = event.value.as_deref().filter(|_| event.event == ASSIGN);
            if let Some(number) = assigned.and_then(|value| value.parse::<u32>().ok()).map(u64::from) {
                journal.numbers.entry(participant.clone().into_owned()).or_insert(number);
                journal.next_number = journal.next_number.max(number + 1);
            }
            journal.number(&participant);
            let places = journal.sittings.entry((participant.into_owned(), session.into_owned())).or_default();
            if event.seq != places.len() as u64 {
                return Err(foreign(format!("its seq is {}, and should be {}", event.seq, places.len())));
            }
            places.push(journal.length);
            journal.length += n_read;
        };
        if n_cut > 0 {
            journal.file.set_len(journal.length).map_err(io_error)?;
        }
        journal.file.sync_all().map_err(io_error)?;
        Ok((journal, n_cut))
    }

    /// The number of a participant, from 0, in the order in which they come; it stays when the log is opened again, if it was
    /// recorded with the condition.
    pub fn number(&mut self, participant: &str) -> u64 {
        if let Some(number) = self.numbers.get(participant) {
            return *number;
        }
        let number = self.next_number;
        if self.numbers.len() < MOST_NUMBERED {
            self.next_number += 1;
            self.numbers.insert(participant.to_owned(), number);
        }
        number
    }

    /// The events of a sitting that are on disk.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn events(&self, participant: &str, session: &str) -> io::Result<Vec<Event>> {
        let event = |place: &u64| {
            let line = self.line_at(*place)?;
            Ok(serde_json::from_slice::<Line>(&line)?.event.into_owned())
        };
        self.places(participant, session).iter().map(event).collect()
    }

    /// Appends events, and returns when they are on disk: how many the sitting then has. Those that are there already are compared
    /// with what is sent.
    ///
    /// # Errors
    ///
    /// [`Refused`]; then nothing was written.
    pub fn append(&mut self, participant: &str, session: &str, events: &[Event]) -> Result<u64, Refused> {
        let n_events = self.places(participant, session).len() as u64;
        if let Some(pair) = events.windows(2).find(|pair| pair[1].seq != pair[0].seq.saturating_add(1)) {
            return Err(Refused::OutOfOrder { seq: pair[0].seq, next: pair[1].seq });
        }
        let Some(first) = events.first().map(|event| event.seq) else { return Ok(n_events) };
        if first > n_events {
            return Err(Refused::Gap { first, n_events });
        }
        let (known, new) = events.split_at(events.len().min((n_events - first) as usize));
        let line = |event: &Event| -> io::Result<Vec<u8>> {
            let event = Cow::Borrowed(event);
            let line = Line { participant: participant.into(), session: session.into(), event };
            let mut bytes = serde_json::to_vec(&line)?;
            bytes.push(b'\n');
            Ok(bytes)
        };
        for event in known {
            // As text: a number that is read from it may differ in its last digit.
            let place = self.places(participant, session)[event.seq as usize];
            if self.line_at(place)? != line(event)? {
                return Err(Refused::Conflict { seq: event.seq, n_events });
            }
        }
        let (mut lines, mut places) = (Vec::new(), Vec::with_capacity(new.len()));
        for event in new {
            places.push(self.length + lines.len() as u64);
            lines.extend(line(event)?);
        }
        // Nothing half: what was not confirmed would be in the way of what comes next.
        if self.is_torn {
            self.file.set_len(self.length)?;
        }
        self.is_torn = true;
        self.file.write_all(&lines)?;
        self.file.sync_data()?;
        self.is_torn = false;
        self.length += lines.len() as u64;
        let all = self.sittings.entry((participant.to_owned(), session.to_owned())).or_default();
        all.extend(places);
        Ok(all.len() as u64)
    }

    fn places(&self, participant: &str, session: &str) -> &[u64] {
        self.sittings.get(&(participant.to_owned(), session.to_owned())).map_or(&[], Vec::as_slice)
    }

    fn line_at(&self, place: u64) -> io::Result<Vec<u8>> {
        let mut file = &self.file;
        // Appending goes to the end, wherever this leaves the file.
        file.seek(SeekFrom::Start(place))?;
        let mut line = Vec::new();
        BufReader::new(file).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        Ok(line)
    }
}
