//! What people do in a browser, appended to a log as NDJSON: one event a line, in order, each once.
//!
//! Pages number the events of a sitting from 0 and send them again until they are confirmed. An event is confirmed when it is on
//! disk, and the name of the log leads to it. What comes a second time is compared with what is there, so that a network that
//! doubles requests, a page that is loaded again and a server that is killed neither lose nor double anything.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead as _, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use plymap_tables::checksum::json::Checked;
use plymap_tables::checksum::{hexadecimal, json};

mod file;
mod numbers;
mod repair;
#[cfg(test)]
mod tests;

pub use file::Trouble;
use file::{Failed, LONGEST_LINE, LogFile, line_at};
use numbers::{Did, Numbers};
pub use repair::{Repaired, repair};

/// What editors of Windows put before a text of UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// How each line begins.
const LINE_START: &[u8] = br#"{"participant":""#;

/// The event that tells the number of a participant, and their condition as `action`.
pub const ASSIGN: &str = "assign";

/// The event of a consent that is refused.
const DECLINE: &str = "decline";

/// The event of a page that is left, and the `action` of the last one.
const LAST_PAGE: (&str, &str) = ("page", "end");

/// The most events of a sitting: a move each second for a day.
pub const MOST_EVENTS: u64 = 86_400;

/// The most bytes of a sitting: so many moves have less, and one person is not to fill the disk for all.
pub const MOST_BYTES: u64 = 32 << 20;

/// The most events that are read back at once.
pub const PAGE_OF_EVENTS: usize = 500;

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
    /// The number of the level within the sitting, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<u32>,
    /// The clock of the page, in milliseconds since it was loaded.
    pub time_ms: f64,
    /// The clock of the sitting, which goes on when the page is loaded again, in seconds.
    pub onset_s: f64,
}

impl Event {
    /// The first of a sitting, which tells nothing but when it was.
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

/// The hash of the secret of the page, or of the link, that began a sitting.
pub type Claim = [u8; 16];

/// A fencing token: what the page that opened a sitting last sends with its events. A number below 2^53, which JavaScript can hold.
pub type Lease = u64;

/// The claim of a secret.
pub fn claim_of(secret: &str) -> Claim {
    let digest: [u8; 32] = Sha256::digest(secret).into();
    *digest.first_chunk().expect("32 bytes begin with 16")
}

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    participant: Cow<'a, str>,
    session: Cow<'a, str>,
    #[serde(flatten)]
    event: Cow<'a, Event>,
    /// Of the first event of a sitting, in hexadecimal: who has its secret may go on with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claim: Option<Cow<'a, str>>,
    /// Of the text before it.
    #[serde(default, skip_serializing)]
    #[serde(rename = "crc32")]
    _crc32: Option<Cow<'a, str>>,
}

impl Line<'_> {
    /// A line that is read back, with its end.
    fn read(bytes: &[u8]) -> Result<Line<'_>, String> {
        match json::check(bytes) {
            Checked::Whole => serde_json::from_slice(bytes).map_err(|error| error.to_string()),
            Checked::Absent => Err("it has no checksum (`crc32`) at its end".to_owned()),
            Checked::Wrong => Err("it is not as it was written: its checksum (`crc32`) is another one".to_owned()),
        }
    }

    fn claim(&self) -> Option<Claim> {
        let text = self.claim.as_deref().filter(|text| text.is_ascii())?;
        let bytes = (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok());
        bytes.collect::<Option<Vec<u8>>>()?.try_into().ok()
    }
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
    /// It was removed while it was recorded to.
    #[error(
        "{path} is not there, but {copy} is, a copy of it that was written when it was removed: move it back to that name, or \
         away to begin a new log"
    )]
    Removed {
        /// The log.
        path: PathBuf,
        /// The copy.
        copy: PathBuf,
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
    /// Recorded events are followed by something else, or some are missing.
    #[error(
        "{path}:{line} was not recorded there: {why}; start plymap serve with --repair, which keeps all events that follow one \
         another and sets the rest aside"
    )]
    Damaged {
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
    /// The sitting is as long as one can be.
    #[error("a sitting has at most {MOST_EVENTS} events and {} MiB, and this one has them all", MOST_BYTES >> 20)]
    Full,
    /// The sender does not hold the lease of the sitting.
    #[error(
        "another page has opened this sitting since, or the server was started again: take the lease of the sitting \
         (POST /api/sittings/<participant>/<session>/lease), and send what is not recorded with it"
    )]
    Overtaken {
        /// How many events there are.
        n_events: u64,
    },
    /// Somebody else began the sitting.
    #[error("this sitting was begun by another link, or in another browser: only that one can go on with it")]
    NotYours,
    /// Somebody else does something to the log.
    #[error(transparent)]
    Trouble(#[from] Trouble),
    /// The disk did not take them, or does not give them back.
    #[error("the log could not be written or read: {0}")]
    Io(#[from] io::Error),
}

impl From<Failed> for Refused {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Io(error) => Self::Io(error),
            Failed::Trouble(trouble) => Self::Trouble(trouble),
        }
    }
}

/// How numbers are given to those who begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbering {
    /// Whether people are counted within the condition that their link names.
    pub is_by_condition: bool,
    /// After how long a silence somebody who has not finished counts as gone, so that their number is given again.
    pub dropped_after: Option<Duration>,
}

/// A sitting that was begun.
#[derive(Debug, Default)]
struct Sitting {
    /// Where the line of each event begins.
    places: Vec<u64>,
    /// How many bytes the lines have.
    n_bytes: u64,
    claim: Option<Claim>,
    /// Without it, what a browser sent before it was killed could arrive after the page that came back has shown the board without it.
    lease: Option<Lease>,
}

/// All that is known of the lines of a log.
#[derive(Debug)]
struct Index {
    sittings: HashMap<(String, String), Sitting>,
    numbers: Numbers,
}

impl Index {
    fn new(Numbering { is_by_condition, dropped_after }: Numbering) -> Self {
        Self { sittings: HashMap::new(), numbers: Numbers::new(is_by_condition, dropped_after) }
    }

    fn sitting(&mut self, participant: &str, session: &str) -> Option<&mut Sitting> {
        self.sittings.get_mut(&(participant.to_owned(), session.to_owned()))
    }

    /// Takes note of a line with so many bytes that begins at a place.
    fn take(&mut self, place: u64, n_bytes: usize, line: &Line<'_>, now: Instant) -> Result<(), String> {
        let Line { participant, session, event, .. } = line;
        let sitting = self.sittings.entry((participant.to_string(), session.to_string())).or_default();
        if event.seq != sitting.places.len() as u64 {
            return Err(format!("its seq is {}, and should be {}", event.seq, sitting.places.len()));
        }
        if event.seq == 0 {
            sitting.claim = line.claim();
        }
        sitting.places.push(place);
        sitting.n_bytes += n_bytes as u64;
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

#[derive(Debug)]
struct State {
    log: LogFile,
    index: Index,
    /// What was last said of the log.
    said: Option<Trouble>,
    news: Vec<String>,
}

/// A log to which sittings are appended.
#[derive(Debug)]
pub struct Journal {
    /// What is held while lines are written, and never while they are read.
    state: Mutex<State>,
}

/// Events of a sitting, from one on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventPage {
    /// How many the sitting has.
    pub n_events: u64,
    /// Those that were asked for, [`PAGE_OF_EVENTS`] at most.
    pub events: Vec<Event>,
    /// What has to come with new events from now on, where the sitting was opened to record more of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
}

/// Who sends something.
#[derive(Clone, Copy, Debug)]
pub struct Sender<'a> {
    /// The participant.
    pub participant: &'a str,
    /// The session.
    pub session: &'a str,
    /// The claim of their secret, if they have one.
    pub claim: Option<Claim>,
    /// The lease of the sitting, if they have taken it.
    pub lease: Option<Lease>,
}

impl Journal {
    /// Opens a log, or begins it, for this process alone. A last line that was not written to its end, because the power failed
    /// or the process was killed, was never confirmed, and is cut off; the number of its bytes is returned.
    ///
    /// # Errors
    ///
    /// [`JournalError`]; the file is as it was.
    pub fn open(path: &Path, numbering: Numbering) -> Result<(Self, u64), JournalError> {
        let io_error = |source| JournalError::Io { path: path.to_owned(), source };
        if !fs::metadata(path).is_ok_and(|named| named.len() > 0)
            && let Some(copy) = file::rescued_copy(path)
        {
            return Err(JournalError::Removed { path: path.to_owned(), copy });
        }
        let mut log = LogFile::open(path)?;
        // Nobody did anything since the log was last written to.
        let silence = log.modified().and_then(|then| SystemTime::now().duration_since(then).ok()).unwrap_or_default();
        let now = Instant::now();
        let (mut index, then) = (Index::new(numbering), now.checked_sub(silence).unwrap_or(now));
        let (mut lines, mut line, mut number) = (log.lines(), Vec::new(), 0);
        let n_cut = loop {
            line.clear();
            let n_read = lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(io_error)? as u64;
            number += 1;
            let is_foreign = number == 1 && !is_own(&line);
            let wrong = |why: String| {
                let path = path.to_owned();
                if is_foreign {
                    JournalError::Foreign { path, line: number, why }
                } else {
                    JournalError::Damaged { path, line: number, why }
                }
            };
            let is_unfinished = line.last() != Some(&b'\n') && n_read < LONGEST_LINE;
            if n_read == 0 || (is_unfinished && is_beginning(&line)) {
                break n_read;
            }
            if is_unfinished {
                line.push(b'\n');
            }
            if line.ends_with(b"\r\n") {
                return Err(wrong("it ends as lines of Windows do, as an editor may save them".to_owned()));
            }
            let read = Line::read(&line).map_err(wrong)?;
            index.take(log.length(), line.len(), &read, then).map_err(wrong)?;
            log.know(&line);
            if is_unfinished {
                log.end_line().map_err(io_error)?;
                break 0;
            }
        };
        log.cut().map_err(io_error)?;
        Ok((Self { state: Mutex::new(State { log, index, said: None, news: Vec::new() }) }, n_cut))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked while it wrote left bytes that the next check finds.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What happened to the log since this was last asked, in words for the researcher. Looks whether it is where it was: nobody
    /// may be playing when it is removed.
    pub fn news(&self) -> Vec<String> {
        let mut state = self.state();
        let _ = state.check();
        std::mem::take(&mut state.news)
    }

    /// Whether the log is where it was, and as it was left.
    ///
    /// # Errors
    ///
    /// What somebody else did to it; of one that was removed there is a copy then.
    pub fn check(&self) -> Result<(), Trouble> {
        self.state().log.check()
    }

    /// The events of a sitting that are on disk, from one on.
    ///
    /// # Errors
    ///
    /// The sitting is somebody else's, or the file cannot be read, or is not where it was.
    pub fn events(&self, sender: Sender<'_>, from: usize) -> Result<EventPage, Refused> {
        self.page(sender, from, None)
    }

    /// Takes the lease of a sitting: from now on only events that come with it are recorded. Returns the first events of the
    /// sitting.
    ///
    /// # Errors
    ///
    /// As those of [`events`](Self::events).
    pub fn lease(&self, sender: Sender<'_>) -> Result<EventPage, Refused> {
        self.page(sender, 0, Some(rand::random::<Lease>() >> 11))
    }

    fn page(&self, sender: Sender<'_>, from: usize, lease: Option<Lease>) -> Result<EventPage, Refused> {
        let (file, places, n_events) = {
            let mut state = self.state();
            state.check()?;
            let Some(sitting) = state.owned(sender)? else {
                return Ok(EventPage { n_events: 0, events: Vec::new(), lease });
            };
            sitting.lease = lease.or(sitting.lease);
            let asked = sitting.places.iter().skip(from).take(PAGE_OF_EVENTS).copied().collect::<Vec<u64>>();
            let n_events = sitting.places.len() as u64;
            (state.log.reader(), asked, n_events)
        };
        let event = |place| -> io::Result<Event> {
            let line = line_at(&file, place)?;
            let line = Line::read(&line).map_err(io::Error::other)?;
            Ok(line.event.into_owned())
        };
        let events = places.into_iter().map(event).collect::<io::Result<_>>()?;
        Ok(EventPage { n_events, events, lease })
    }

    /// Begins a sitting with the event that tells its number and condition, unless it has begun. `condition` says which one a
    /// number has.
    ///
    /// # Errors
    ///
    /// [`Refused`]; then nothing was written.
    pub fn begin(
        &self,
        sender: Sender<'_>,
        pool: &str,
        first: Event,
        condition: impl Fn(u64) -> Option<String>,
    ) -> Result<(), Refused> {
        let mut state = self.state();
        if state.owned(sender)?.is_some() {
            return state.check();
        }
        let numbers = &mut state.index.numbers;
        let known = numbers.known(sender.participant, pool);
        let number = known.unwrap_or_else(|| numbers.next(pool, Instant::now()));
        let condition = condition(number);
        let action = condition.clone().unwrap_or_default();
        let value = Some(number.to_string());
        let event = Event { seq: 0, event: ASSIGN.to_owned(), action, value, condition, ..first };
        state.write(sender, &[event])
    }

    /// Appends events, and returns when they are on disk: how many the sitting then has. Those that are there already are compared
    /// with what is sent.
    ///
    /// # Errors
    ///
    /// [`Refused`]; then nothing is confirmed.
    pub fn append(&self, sender: Sender<'_>, events: &[Event]) -> Result<u64, Refused> {
        if let Some(pair) = events.windows(2).find(|pair| pair[1].seq != pair[0].seq.saturating_add(1)) {
            return Err(Refused::OutOfOrder { seq: pair[0].seq, next: pair[1].seq });
        }
        // How many events of the sitting were compared with those that are sent.
        let mut compared = 0;
        loop {
            let (file, known, n_events) = {
                let mut state = self.state();
                let (claim, n_events, known) = match state.owned(sender)? {
                    None => (sender.claim, 0, Vec::new()),
                    Some(Sitting { places, lease, .. }) if *lease != sender.lease => {
                        return Err(Refused::Overtaken { n_events: places.len() as u64 });
                    }
                    Some(sitting) => {
                        let first = events.first().map_or(0, |event| event.seq) as usize;
                        let known = sitting.places.iter().skip(first).take(events.len()).copied().collect();
                        (sitting.claim, sitting.places.len() as u64, known)
                    }
                };
                let Some(first) = events.first().map(|event| event.seq) else {
                    state.check()?;
                    return Ok(n_events);
                };
                if first > n_events {
                    return Err(Refused::Gap { first, n_events });
                }
                if known.len() == compared {
                    let new = &events[compared..];
                    if n_events + new.len() as u64 > MOST_EVENTS {
                        return Err(Refused::Full);
                    }
                    if new.is_empty() {
                        state.check()?
                    } else {
                        state.write(Sender { claim, ..sender }, new)?
                    }
                    return Ok(n_events + new.len() as u64);
                }
                (state.log.reader(), known, n_events)
            };
            // Read without the lock; what was recorded stays as it is, and what was added meanwhile is compared in the next round.
            for (place, event) in known.iter().zip(events).skip(compared) {
                if !is_recorded(&file, *place, event)? {
                    // Where the log was cut, nothing can be said of what it held.
                    self.state().check()?;
                    return Err(Refused::Conflict { seq: event.seq, n_events });
                }
            }
            compared = known.len();
        }
    }
}

/// Whether a line may have been recorded here, whole or damaged.
fn is_own(line: &[u8]) -> bool {
    line.strip_prefix(BOM).unwrap_or(line).starts_with(LINE_START) || json::has_sum(line)
}

/// Whether bytes are the beginning of a line, rather than a whole one, or what was not written here and is not ours to cut.
fn is_beginning(bytes: &[u8]) -> bool {
    let is_own = bytes.iter().zip(LINE_START).all(|(own, start)| own == start);
    is_own && !json::has_sum(bytes)
}

/// Whether the line at a place is that of an event. As text: a number that is read from it may differ in its last digit.
fn is_recorded(file: &Arc<File>, place: u64, event: &Event) -> io::Result<bool> {
    let line = line_at(file, place)?;
    let Ok(Line { participant, session, claim, .. }) = Line::read(&line) else { return Ok(false) };
    let sent = line_of(Line { participant, session, claim, event: Cow::Borrowed(event), _crc32: None })?;
    Ok(line == sent)
}

fn line_of(line: Line<'_>) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(&line)?;
    json::sign(&mut bytes);
    Ok(bytes)
}

impl State {
    /// The sitting of a sender; nothing where it has not begun.
    fn owned(&mut self, sender: Sender<'_>) -> Result<Option<&mut Sitting>, Refused> {
        let sitting = self.index.sitting(sender.participant, sender.session);
        match sitting.as_ref().and_then(|sitting| sitting.claim) {
            Some(claim) if sender.claim != Some(claim) => Err(Refused::NotYours),
            _ => Ok(sitting),
        }
    }

    /// Whether the log is where it was, and as it was left.
    fn check(&mut self) -> Result<(), Refused> {
        let checked = self.log.check();
        // Only what is written tells that the disk takes more again.
        if checked.is_err() || !matches!(self.said, Some(Trouble::Unwritable { .. })) {
            self.say(checked.as_ref().err());
        }
        Ok(checked?)
    }

    /// Tells the researcher once of each trouble, and when it is over.
    fn say(&mut self, trouble: Option<&Trouble>) {
        if self.said.as_ref() == trouble {
            return;
        }
        self.news.push(match trouble {
            Some(trouble) => format!("nothing is recorded: {trouble}. Pages keep what is done meanwhile."),
            None => "the log is where it was, and recording goes on".to_owned(),
        });
        self.said = trouble.cloned();
    }

    /// Writes events that follow those of the sitting.
    fn write(
        &mut self,
        Sender { participant, session, claim, lease }: Sender<'_>,
        events: &[Event],
    ) -> Result<(), Refused> {
        let claim = claim.map(|claim| hexadecimal(&claim));
        let line = |event| {
            let Event { seq, .. }: &Event = event;
            let claim = claim.as_deref().filter(|_| *seq == 0).map(Cow::Borrowed);
            Line {
                participant: participant.into(),
                session: session.into(),
                claim,
                event: Cow::Borrowed(event),
                _crc32: None,
            }
        };
        let (mut bytes, mut places) = (Vec::new(), Vec::with_capacity(events.len()));
        for event in events {
            let own = line_of(line(event))?;
            places.push((self.log.length() + bytes.len() as u64, own.len()));
            bytes.extend(own);
        }
        let n_before = self.index.sitting(participant, session).map_or(0, |sitting| sitting.n_bytes);
        if n_before + bytes.len() as u64 > MOST_BYTES {
            return Err(Refused::Full);
        }
        let written = self.log.append(&bytes);
        let trouble = match &written {
            Ok(confirmed) => confirmed.as_ref().err().cloned(),
            Err(Failed::Trouble(trouble)) => Some(trouble.clone()),
            Err(Failed::Io(error)) => Some(self.log.unwritable(error)),
        };
        self.say(trouble.as_ref());
        let confirmed = written?;
        let now = Instant::now();
        for ((place, n_bytes), event) in places.into_iter().zip(events) {
            self.index.take(place, n_bytes, &line(event), now).map_err(io::Error::other)?;
        }
        if let Some(sitting) = self.index.sitting(participant, session) {
            sitting.lease = lease;
        }
        Ok(confirmed?)
    }
}
