//! A log that is moved, cut, written to and removed at random while it is recorded to.

use super::*;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::fs::File;
use std::io::Write as _;

/// Page of a participant: all that they did, and how much of it was confirmed.
struct Client {
    name: String,
    events: Vec<Event>,
    n_confirmed: usize,
    lease: Option<Lease>,
}

impl Client {
    /// Sends some of what waits, now and then with some of what was confirmed, and looks whether what is confirmed is in the log.
    fn send(&mut self, journal: &Journal, path: &Path, generator: &mut ChaCha8Rng) -> bool {
        let first = self.n_confirmed - generator.random_range(0..3).min(self.n_confirmed);
        let last = (first + generator.random_range(1..5)).min(self.events.len());
        let sender = Sender { lease: self.lease, ..sender(&self.name) };
        match journal.append(sender, &self.events[first.min(last)..last]) {
            Ok(n_events) => {
                self.n_confirmed = n_events as usize;
                let logged = recorded(path, &self.name);
                assert_eq!(logged, self.events[..self.n_confirmed], "{} is told that all is in the log", self.name);
                true
            }
            // The log was cut, or begun anew: the page sends from there on.
            Err(Refused::Gap { n_events, .. }) => {
                self.n_confirmed = n_events as usize;
                false
            }
            // A process that was started again knows of no page.
            Err(Refused::Overtaken { .. }) => {
                self.lease = journal.lease(sender).ok().and_then(|opened| opened.lease);
                false
            }
            Err(Refused::LogFile(_) | Refused::Io(_)) => false,
            Err(other) => panic!("{}: {other}", self.name),
        }
    }
}

/// Counts of what is done to a log and to the process that records to it.
#[derive(Debug, Default)]
struct Counts {
    kills: u32,
    kills_in_a_line: u32,
    moves: u32,
    saves_by_rename: u32,
    removals: u32,
    truncations: u32,
    appends: u32,
    full_disks: u32,
    restarts: u32,
    repairs: u32,
    confirmed: u32,
    errors: u32,
}

/// A log, the process that records to it, and what others do to both.
struct World {
    folder: tempfile::TempDir,
    path: PathBuf,
    journal: Option<Journal>,
    counts: Counts,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recorded.ndjson");
        Self { folder, path, journal: None, counts: Counts::default() }
    }

    fn restart(&mut self) {
        self.journal = None;
        self.counts.restarts += 1;
        // The researcher does what the messages say.
        for _ in 0..4 {
            match opened(&self.path) {
                Ok((journal, _)) => {
                    self.journal = Some(journal);
                    return;
                }
                Err(JournalError::Removed { path, copy }) => fs::rename(copy, path).unwrap(),
                Err(error @ (JournalError::Damaged { .. } | JournalError::Foreign { .. })) => {
                    self.counts.repairs += 1;
                    match repair(&self.path) {
                        Ok(done) => assert!(done.is_some(), "{error}: nothing to repair"),
                        // Nothing in it was recorded.
                        Err(_) => fs::rename(&self.path, self.folder.path().join("foreign")).unwrap(),
                    }
                }
                Err(error) => panic!("{error}"),
            }
        }
        panic!("what the messages say does not help");
    }

    fn room(&self, room: Option<(u64, bool)>) {
        if let Some(journal) = &self.journal {
            journal.state().log.room = room;
        }
    }

    /// One of the things that happen.
    fn happen(&mut self, generator: &mut ChaCha8Rng) {
        let away = self.folder.path().join("away.ndjson");
        let is_there = self.path.is_file();
        match generator.random_range(0..9) {
            0 => {
                self.counts.kills += 1;
                self.journal = None;
            }
            1 => {
                self.counts.kills_in_a_line += 1;
                self.room(Some((generator.random_range(0..400), true)));
            }
            2 if is_there => {
                self.counts.moves += 1;
                fs::rename(&self.path, &away).unwrap();
            }
            2 | 3 if away.is_file() => fs::rename(&away, &self.path).unwrap(),
            4 if is_there => {
                self.counts.saves_by_rename += 1;
                let copy = self.folder.path().join("copy");
                fs::copy(&self.path, &copy).unwrap();
                fs::rename(&copy, &self.path).unwrap();
            }
            5 if is_there => {
                self.counts.removals += 1;
                fs::remove_file(&self.path).unwrap();
            }
            6 if is_there => {
                self.counts.truncations += 1;
                let file = File::options().write(true).open(&self.path).unwrap();
                let length = file.metadata().unwrap().len();
                file.set_len(generator.random_range(0..=length)).unwrap();
            }
            7 if is_there => {
                self.counts.appends += 1;
                let text = ["a note\n", "half of a ", "{\"participant\":\"P1\",\"session\":\"1\"}\n"];
                let mut file = File::options().append(true).open(&self.path).unwrap();
                file.write_all(text[generator.random_range(0..3)].as_bytes()).unwrap();
            }
            8 => {
                self.counts.full_disks += 1;
                self.room(Some((generator.random_range(0..600), false)));
            }
            _ => self.room(None),
        }
    }

    fn send(&mut self, client: &mut Client, generator: &mut ChaCha8Rng) {
        let Some(journal) = &self.journal else { return };
        match client.send(journal, &self.path, generator) {
            true => self.counts.confirmed += 1,
            false => self.counts.errors += 1,
        }
        // A process that was to end within a line has ended.
        let state = journal.state();
        let has_ended = state.log.room.is_some_and(|(room, ends)| ends && room == 0);
        drop(state);
        if has_ended {
            self.journal = None;
        }
    }
}

/// Three people play while the log is moved, cut, written to and removed, the disk fills up, and the process is killed. What is
/// confirmed is under the name of the log at that moment; once pages that hold it have sent again what was cut away, all is there,
/// each once and in order.
fn mix(seed: u64) -> Counts {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut world = World::new();
    let client = |name: &str| {
        let events = (0..12).map(|seq| event(seq, &format!("{name} {seq}"))).collect();
        Client { name: name.to_owned(), events, n_confirmed: 0, lease: Some(1) }
    };
    let mut clients = ["P1", "P2", "P3"].map(client);
    world.restart();
    for _ in 0..40 {
        match generator.random_range(0..5) {
            0 => world.happen(&mut generator),
            1 if world.journal.is_none() || generator.random_bool(0.3) => world.restart(),
            _ => world.send(&mut clients[generator.random_range(0..3)], &mut generator),
        }
    }
    world.restart();
    for client in &mut clients {
        // The page opens the session again, and sends again what was cut away.
        let opened = world.journal.as_ref().expect("it runs").lease(sender(&client.name)).unwrap();
        (client.n_confirmed, client.lease) = (opened.n_events as usize, opened.lease);
        while client.n_confirmed < client.events.len() {
            world.send(client, &mut generator);
        }
        assert_eq!(recorded(&world.path, &client.name), client.events, "seed {seed}");
    }
    world.counts
}

#[test]
fn what_is_confirmed_is_under_the_name_of_the_log_whatever_happens() {
    let n_mixes = std::env::var("PLYMAP_LOG_MIXES").map_or(500, |text| text.parse().unwrap());
    let mut all = Counts::default();
    for seed in 0..n_mixes {
        let counts = mix(seed);
        all.kills += counts.kills;
        all.kills_in_a_line += counts.kills_in_a_line;
        all.moves += counts.moves;
        all.saves_by_rename += counts.saves_by_rename;
        all.removals += counts.removals;
        all.truncations += counts.truncations;
        all.appends += counts.appends;
        all.full_disks += counts.full_disks;
        all.restarts += counts.restarts;
        all.repairs += counts.repairs;
        all.confirmed += counts.confirmed;
        all.errors += counts.errors;
    }
    println!("{n_mixes} mixes: {all:?}");
    let least = [all.kills, all.kills_in_a_line, all.moves, all.saves_by_rename, all.removals, all.truncations];
    let least = least.into_iter().chain([all.appends, all.full_disks, all.restarts, all.repairs, all.errors]).min();
    assert!(least > Some(n_mixes as u32 / 10), "{all:?}");
}
