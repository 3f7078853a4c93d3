mod interference;
mod log_file;
mod repairs;
mod sessions;

use super::*;
use std::fs;
use std::path::{Path, PathBuf};

fn event(seq: u64, action: &str) -> Event {
    Event {
        seq,
        level: "one".to_owned(),
        attempt: 1,
        event: "hint".to_owned(),
        action: action.to_owned(),
        value: None,
        state_after: None,
        condition: None,
        block: None,
        trial: None,
        time_ms: 1_000.0 + seq as f64,
        onset_s: seq as f64,
    }
}

fn sender(participant: &str) -> Sender<'_> {
    Sender { participant, session: "1", claim: Some(claim_of(participant)), lease: None }
}

fn open(path: &Path) -> Journal {
    opened(path).unwrap().0
}

/// The events of somebody in whole lines of the log.
fn recorded(path: &Path, participant: &str) -> Vec<Event> {
    let bytes = fs::read(path).unwrap();
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let lines = lines.filter_map(|line| Line::read(line).ok().filter(|line| line.participant == participant));
    lines.map(|line| line.event.into_owned()).collect()
}

/// Opens a log that nobody records to. A program that another test has just started holds what was open here until it runs.
fn opened(path: &Path) -> Result<(Journal, u64), JournalError> {
    for _ in 0..1_000 {
        match Journal::open(path, Numbering::default()) {
            Err(JournalError::Locked { .. }) => std::thread::sleep(std::time::Duration::from_millis(5)),
            opened => return opened,
        }
    }
    Journal::open(path, Numbering::default())
}

/// A log with two events of P1.
fn begun(folder: &tempfile::TempDir) -> (PathBuf, Journal) {
    let path = folder.path().join("log.ndjson");
    let journal = open(&path);
    journal.append(sender("P1"), &[event(0, ""), event(1, "")]).unwrap();
    (path, journal)
}
