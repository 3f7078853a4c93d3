//! Events of participants in the browser, appended to a log as NDJSON: one event a line, in order, each once.
//!
//! Pages number the events of a session from 0 and send them again until they are confirmed. An event is confirmed when it is on
//! disk, and the name of the log leads to it. What comes a second time is compared with what is there, so that a network that
//! doubles requests, a page that is loaded again and a server that is killed neither lose nor double anything.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufRead as _, Read as _};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use serde::Serialize;

use plymap_tables::checksum::{hexadecimal, json};

mod error;
mod event;
mod file;
mod index;
mod numbers;
mod repair;
#[cfg(test)]
mod tests;

pub use event::{MOST_BYTES, MOST_EVENTS};
pub use index::{ASSIGN, Numbering};
use index::{Index, Session};

pub use event::{Claim, Event, Lease, claim_of};
use event::{LINE_START, Line, is_own};

use error::AppendError;
pub use error::{JournalError, LogFileError, Refused};
use file::{LONGEST_LINE, LogFile, line_at};
pub use repair::{Repaired, repair};

/// The most events that are read back at once.
pub const PAGE_OF_EVENTS: usize = 500;

#[derive(Debug)]
struct State {
    log: LogFile,
    index: Index,
    /// Error that was last reported; none once it is over.
    reported: Option<LogFileError>,
    news: Vec<String>,
}

/// A log to which sessions are appended.
#[derive(Debug)]
pub struct Journal {
    /// Lock that is held while lines are written, and never while they are read.
    state: Mutex<State>,
}

/// Events of a session, from one on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventPage {
    /// Number of events of the session.
    pub n_events: u64,
    /// Those that were asked for, [`PAGE_OF_EVENTS`] at most.
    pub events: Vec<Event>,
    /// Lease that new events must carry from now on, if the session was opened to record more of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
}

/// Sender of a request.
#[derive(Clone, Copy, Debug)]
pub struct Sender<'a> {
    /// The participant.
    pub participant: &'a str,
    /// The session.
    pub session: &'a str,
    /// The claim of their secret, if they have one.
    pub claim: Option<Claim>,
    /// The lease of the session, if they have taken it.
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
        Ok((Self { state: Mutex::new(State { log, index, reported: None, news: Vec::new() }) }, n_cut))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked while it wrote left bytes that the next check finds.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns messages for the researcher on what happened to the log since the last call. Checks the log first, as
    /// nobody may be playing when it is removed.
    pub fn news(&self) -> Vec<String> {
        let mut state = self.state();
        let _ = state.check();
        std::mem::take(&mut state.news)
    }

    /// Checks that the log is where it was, and as it was left.
    ///
    /// # Errors
    ///
    /// What somebody else did to it; of one that was removed there is a copy then.
    pub fn check(&self) -> Result<(), LogFileError> {
        self.state().log.check()
    }

    /// The events of a session that are on disk, from one on.
    ///
    /// # Errors
    ///
    /// The session is somebody else's, or the file cannot be read, or is not where it was.
    pub fn events(&self, sender: Sender<'_>, from: usize) -> Result<EventPage, Refused> {
        self.page(sender, from, None)
    }

    /// Takes the lease of a session: from now on only events that come with it are recorded. Returns the first events of the
    /// session.
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
            let Some(session) = state.owned(sender)? else {
                return Ok(EventPage { n_events: 0, events: Vec::new(), lease });
            };
            session.lease = lease.or(session.lease);
            let page = session.places.iter().skip(from).take(PAGE_OF_EVENTS).copied().collect::<Vec<u64>>();
            let n_events = session.places.len() as u64;
            (state.log.reader(), page, n_events)
        };
        let event = |place| -> io::Result<Event> {
            let line = line_at(&file, place)?;
            let line = Line::read(&line).map_err(io::Error::other)?;
            Ok(line.event.into_owned())
        };
        let events = places.into_iter().map(event).collect::<io::Result<_>>()?;
        Ok(EventPage { n_events, events, lease })
    }

    /// Begins a session with the event that tells its number and condition, unless it has begun. `condition` says which one a
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

    /// Appends events, and returns when they are on disk: how many the session then has. Those that are there already are compared
    /// with what is sent.
    ///
    /// # Errors
    ///
    /// [`Refused`]; then nothing is confirmed.
    pub fn append(&self, sender: Sender<'_>, events: &[Event]) -> Result<u64, Refused> {
        if let Some(pair) = events.windows(2).find(|pair| pair[1].seq != pair[0].seq.saturating_add(1)) {
            return Err(Refused::OutOfOrder { seq: pair[0].seq, next: pair[1].seq });
        }
        // How many events of the session were compared with those that are sent.
        let mut compared = 0;
        loop {
            let (file, known, n_events) = {
                let mut state = self.state();
                let (claim, n_events, known) = match state.owned(sender)? {
                    None => (sender.claim, 0, Vec::new()),
                    Some(Session { places, lease, .. }) if *lease != sender.lease => {
                        return Err(Refused::Overtaken { n_events: places.len() as u64 });
                    }
                    Some(session) => {
                        let first = events.first().map_or(0, |event| event.seq) as usize;
                        let known = session.places.iter().skip(first).take(events.len()).copied().collect();
                        (session.claim, session.places.len() as u64, known)
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

/// Returns true if bytes are the beginning of a line, rather than a whole one, or what was not written here and is
/// not ours to cut.
fn is_beginning(bytes: &[u8]) -> bool {
    let is_own = bytes.iter().zip(LINE_START).all(|(byte, start)| byte == start);
    is_own && !json::has_sum(bytes)
}

/// Returns true if the line at a place is that of an event. Compared as text: a number that is read from it may
/// differ in its last digit.
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
    /// The session of a sender; nothing where it has not begun.
    fn owned(&mut self, sender: Sender<'_>) -> Result<Option<&mut Session>, Refused> {
        let session = self.index.session(sender.participant, sender.session);
        match session.as_ref().and_then(|session| session.claim) {
            Some(claim) if sender.claim != Some(claim) => Err(Refused::NotYours),
            _ => Ok(session),
        }
    }

    /// Checks that the log is where it was, and as it was left.
    fn check(&mut self) -> Result<(), Refused> {
        let checked = self.log.check();
        // Only what is written tells that the disk takes more again.
        if checked.is_err() || !matches!(self.reported, Some(LogFileError::Unwritable { .. })) {
            self.report(checked.as_ref().err());
        }
        Ok(checked?)
    }

    /// Tells the researcher once of each error, and when it is over.
    fn report(&mut self, error: Option<&LogFileError>) {
        if self.reported.as_ref() == error {
            return;
        }
        self.news.push(match error {
            Some(error) => format!("nothing is recorded: {error}. Pages keep what is done meanwhile."),
            None => "the log is where it was, and recording goes on".to_owned(),
        });
        self.reported = error.cloned();
    }

    /// Writes events that follow those of the session.
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
            let line_bytes = line_of(line(event))?;
            places.push((self.log.length() + bytes.len() as u64, line_bytes.len()));
            bytes.extend(line_bytes);
        }
        let n_before = self.index.session(participant, session).map_or(0, |session| session.n_bytes);
        if n_before + bytes.len() as u64 > MOST_BYTES {
            return Err(Refused::Full);
        }
        let written = self.log.append(&bytes);
        let error = match &written {
            Ok(confirmed) => confirmed.as_ref().err().cloned(),
            Err(AppendError::LogFile(error)) => Some(error.clone()),
            Err(AppendError::Io(error)) => Some(self.log.unwritable(error)),
        };
        self.report(error.as_ref());
        let confirmed = written?;
        let now = Instant::now();
        for ((place, n_bytes), event) in places.into_iter().zip(events) {
            self.index.take(place, n_bytes, &line(event), now).map_err(io::Error::other)?;
        }
        if let Some(session) = self.index.session(participant, session) {
            session.lease = lease;
        }
        Ok(confirmed?)
    }
}
