use super::*;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

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

/// What a page holds: all that its person did, and how much of it was confirmed.
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
                let found = recorded(path, &self.name);
                assert_eq!(found, self.events[..self.n_confirmed], "{} is told that all is in the log", self.name);
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
            Err(Refused::Trouble(_) | Refused::Io(_)) => false,
            Err(other) => panic!("{}: {other}", self.name),
        }
    }
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

/// What is done to a log and to the process that records to it, and how often.
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
    troubles: u32,
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
            false => self.counts.troubles += 1,
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
        let one = mix(seed);
        all.kills += one.kills;
        all.kills_in_a_line += one.kills_in_a_line;
        all.moves += one.moves;
        all.saves_by_rename += one.saves_by_rename;
        all.removals += one.removals;
        all.truncations += one.truncations;
        all.appends += one.appends;
        all.full_disks += one.full_disks;
        all.restarts += one.restarts;
        all.repairs += one.repairs;
        all.confirmed += one.confirmed;
        all.troubles += one.troubles;
    }
    println!("{n_mixes} mixes: {all:?}");
    let least = [all.kills, all.kills_in_a_line, all.moves, all.saves_by_rename, all.removals, all.truncations];
    let least = least.into_iter().chain([all.appends, all.full_disks, all.restarts, all.repairs, all.troubles]).min();
    assert!(least > Some(n_mixes as u32 / 10), "{all:?}");
}

#[test]
fn a_log_that_is_moved_is_said_and_goes_on_where_it_is_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let (path, away) = (folder.path().join("log.ndjson"), folder.path().join("away"));
    let journal = open(&path);
    let all: Vec<Event> = (0..4).map(|seq| event(seq, "")).collect();
    journal.append(sender("P1"), &all[..1]).unwrap();
    fs::rename(&path, &away).unwrap();
    for _ in 0..2 {
        let found = journal.append(sender("P1"), &all[1..2]);
        assert!(matches!(&found, Err(Refused::Trouble(Trouble::Moved { .. }))), "{found:?}");
    }
    assert!(
        matches!(journal.append(sender("P1"), &all[..1]), Err(Refused::Trouble(_))),
        "nor what is known is confirmed"
    );
    assert!(matches!(journal.events(sender("P1"), 0), Err(Refused::Trouble(_))), "nor read back");
    let [news] = journal.news().try_into().unwrap();
    assert!(news.contains("log.ndjson was moved or renamed") && news.contains("move it back"), "{news}");
    fs::rename(&away, &path).unwrap();
    assert_eq!(journal.append(sender("P1"), &all[1..2]).unwrap(), 2);
    assert_eq!(journal.news(), ["the log is where it was, and recording goes on"]);

    // Removed: a copy is written beside it, which can be put back.
    fs::remove_file(&path).unwrap();
    let Err(Refused::Trouble(Trouble::Removed { rescued: Some(copy), .. })) = journal.append(sender("P1"), &all[2..3])
    else {
        panic!("it is removed")
    };
    assert_eq!(copy, folder.path().join("log.ndjson.rescued-1"));
    fs::rename(&copy, &path).unwrap();
    assert_eq!(journal.append(sender("P1"), &all[2..3]).unwrap(), 3);
    // Saved by an editor that renames: as it was, then with a change.
    for (text, is_fine) in [("", true), ("x", false)] {
        let copy = folder.path().join("copy");
        fs::write(&copy, fs::read_to_string(&path).unwrap() + text).unwrap();
        fs::rename(&copy, &path).unwrap();
        assert_eq!(journal.append(sender("P1"), &all[3..4]).is_ok(), is_fine);
    }
    drop(journal);
    assert!(matches!(Journal::open(&path, Numbering::default()), Err(JournalError::Damaged { line: 5, .. })));
    let done = repair(&path).unwrap().unwrap();
    assert_eq!((done.n_events, fs::read_to_string(done.aside.unwrap()).unwrap().as_str()), (4, "x"));
    assert_eq!(repair(&path).unwrap(), None, "nothing is left to do");
    assert_eq!(open(&path).events(sender("P1"), 0).unwrap().events, all);
}

#[test]
fn a_log_that_is_cut_or_added_to_confirms_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.ndjson");
    let journal = open(&path);
    journal.append(sender("P1"), &[event(0, ""), event(1, "")]).unwrap();
    let whole = fs::read(&path).unwrap();
    for (bytes, word) in
        [([&whole[..], b"more"].concat(), "another program added 4 bytes"), (whole[..9].to_vec(), "was cut")]
    {
        File::options().write(true).truncate(true).open(&path).unwrap().write_all(&bytes).unwrap();
        let found = journal.append(sender("P2"), &[event(0, "")]).unwrap_err().to_string();
        assert!(found.contains(word) && found.contains("--repair"), "{found}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is written to it");
    }
    File::options().write(true).truncate(true).open(&path).unwrap().write_all(&whole).unwrap();
    assert_eq!(journal.append(sender("P2"), &[event(0, "")]).unwrap(), 1);
}

#[test]
fn a_repair_keeps_each_session_as_far_as_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.ndjson");
    let journal = open(&path);
    for seq in 0..4 {
        for name in ["P1", "P2"] {
            journal.append(sender(name), &[event(seq, name)]).unwrap();
        }
    }
    drop(journal);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // The second event of P1 is damaged; one of P2 stands there twice; a note is added, and the last line is torn.
    let damaged = lines[2].replace("P1 ", "P3 ").replace("\"seq\":1", "\"seq\":7");
    let all =
        [lines[0], lines[1], &damaged, lines[3], lines[3], "a note", lines[4], lines[5], lines[6], &lines[7][..20]];
    fs::write(&path, all.join("\n")).unwrap();
    let done = repair(&path).unwrap().unwrap();
    assert_eq!(recorded(&path, "P1").len(), 1);
    assert_eq!(recorded(&path, "P2").len(), 3);
    assert_eq!(done.n_events, 4);
    assert_eq!(done.set_aside.values().sum::<u64>(), 6, "{:?}", done.set_aside);
    let aside = [&damaged, lines[3], "a note", lines[4], lines[6], &lines[7][..20]];
    assert_eq!(fs::read_to_string(done.aside.unwrap()).unwrap(), aside.join("\n"));
    // A file in which nothing was recorded is none to be repaired.
    fs::write(&path, "a letter\n").unwrap();
    assert!(matches!(repair(&path), Err(JournalError::Foreign { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "a letter\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn every_flipped_bit_of_a_log_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.ndjson");
    let journal = open(&path);
    let first = Event { value: Some("3".to_owned()), event: ASSIGN.to_owned(), ..event(0, "") };
    journal.append(sender("P1"), &[first, event(1, "A2")]).unwrap();
    drop(journal);
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << bit;
            fs::write(&path, &damaged).unwrap();
            match Journal::open(&path, Numbering::default()) {
                Err(JournalError::Foreign { .. } | JournalError::Damaged { .. }) => {
                    assert_eq!(fs::read(&path).unwrap(), damaged, "byte {at}, bit {bit}: the file is as it was");
                }
                // The last line without its end was never confirmed; but one that was is not to be cut.
                other => panic!("byte {at}, bit {bit}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_session_belongs_to_whoever_began_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.ndjson");
    let journal = open(&path);
    journal.append(sender("P1"), &[event(0, "")]).unwrap();
    let stranger = |claim| Sender { claim, ..sender("P1") };
    for claim in [None, Some(claim_of("guessed"))] {
        assert!(matches!(journal.append(stranger(claim), &[event(0, "")]), Err(Refused::NotYours)));
        assert!(matches!(journal.append(stranger(claim), &[event(1, "")]), Err(Refused::NotYours)));
        assert!(matches!(journal.events(stranger(claim), 0), Err(Refused::NotYours)));
    }
    drop(journal);
    let journal = open(&path);
    assert!(matches!(journal.events(stranger(None), 0), Err(Refused::NotYours)), "after a restart too");
    assert_eq!(journal.append(sender("P1"), &[event(0, ""), event(1, "")]).unwrap(), 2);
    assert!(
        !fs::read_to_string(&path).unwrap().contains("\"P1\",\"claim\":\"P1\""),
        "the secret itself is not in the log"
    );
}

#[test]
fn only_the_page_that_opened_a_session_last_adds_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.ndjson");
    let journal = open(&path);
    let page = |journal: &Journal| Sender { lease: journal.lease(sender("P1")).unwrap().lease, ..sender("P1") };
    let is_overtaken = |found: &Result<u64, Refused>| matches!(found, Err(Refused::Overtaken { n_events: 1 }));
    let first = page(&journal);
    assert_eq!(journal.append(first, &[event(0, "")]).unwrap(), 1);
    let second = page(&journal);
    for late in [first, sender("P1")] {
        let found = journal.append(late, &[event(1, "late")]);
        assert!(is_overtaken(&found), "{found:?}");
    }
    assert_eq!(journal.events(sender("P1"), 0).unwrap().lease, None, "who looks alone takes nothing");
    drop(journal);
    let journal = open(&path);
    assert!(is_overtaken(&journal.append(second, &[event(1, "late")])), "a new process knows of no page");
    let third = page(&journal);
    assert_eq!(journal.append(third, &[event(1, "new")]).unwrap(), 2);
    assert!(matches!(journal.lease(Sender { claim: None, ..third }), Err(Refused::NotYours)));
    assert_eq!(journal.append(third, &[event(2, "")]).unwrap(), 3);
}

#[test]
fn a_number_is_given_with_the_first_event() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.ndjson");
    let names = |number: u64| Some(["easy", "hard"][number as usize % 2].to_owned());
    let journal = open(&path);
    for guess in 0..50 {
        assert_eq!(journal.events(sender(&format!("guess {guess}")), 0).unwrap().n_events, 0);
    }
    for name in ["P1", "P2", "P1"] {
        journal.begin(sender(name), "", event(0, ""), names).unwrap();
    }
    let first = |journal: &Journal, name| journal.events(sender(name), 0).unwrap().events.remove(0);
    let told = |event: Event| (event.event, event.action, event.value, event.condition);
    let expected = |number: &str, condition: &str| {
        (ASSIGN.to_owned(), condition.to_owned(), Some(number.to_owned()), Some(condition.to_owned()))
    };
    assert_eq!(told(first(&journal, "P2")), expected("1", "hard"));
    drop(journal);
    let journal = open(&path);
    journal.begin(sender("P3"), "", event(0, ""), names).unwrap();
    let second = Sender { session: "2", ..sender("P1") };
    journal.begin(second, "", event(0, ""), names).unwrap();
    assert_eq!(told(first(&journal, "P3")), expected("2", "easy"));
    assert_eq!(told(journal.events(second, 0).unwrap().events.remove(0)), expected("0", "easy"));
}

#[test]
fn a_session_is_read_in_pages_and_has_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("log.ndjson"));
    let all: Vec<Event> = (0..MOST_EVENTS).map(|seq| event(seq, "")).collect();
    for some in all.chunks(20_000) {
        journal.append(sender("P1"), some).unwrap();
    }
    assert!(matches!(journal.append(sender("P1"), &[event(MOST_EVENTS, "")]), Err(Refused::Full)));
    let long = |seq| event(seq, &"a".repeat(20_000));
    let taken = (0..).take_while(|&seq| journal.append(sender("P2"), &[long(seq)]).is_ok()).count() as u64;
    assert!(taken * 20_000 < MOST_BYTES && (taken + 1) * 20_300 > MOST_BYTES, "{taken}");
    assert!(matches!(journal.append(sender("P2"), &[long(taken)]), Err(Refused::Full)));
    let page = journal.events(sender("P1"), 1_700).unwrap();
    assert_eq!((page.n_events, page.events.as_slice()), (MOST_EVENTS, &all[1_700..1_700 + PAGE_OF_EVENTS]));
    assert!(journal.events(sender("P1"), all.len()).unwrap().events.is_empty());
}

/// A log with two events of P1.
fn begun(folder: &tempfile::TempDir) -> (PathBuf, Journal) {
    let path = folder.path().join("log.ndjson");
    let journal = open(&path);
    journal.append(sender("P1"), &[event(0, ""), event(1, "")]).unwrap();
    (path, journal)
}

#[test]
fn a_log_that_is_removed_while_nobody_plays_is_rescued_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let (path, journal) = begun(&folder);
    let whole = fs::read(&path).unwrap();
    assert_eq!(journal.news(), Vec::<String>::new());
    fs::remove_file(&path).unwrap();
    // Something that is no file has the name now.
    fs::create_dir(&path).unwrap();
    let [news] = journal.news().try_into().unwrap();
    assert!(news.contains("was removed") && news.contains("rescued-1"), "{news}");
    assert!(matches!(journal.check(), Err(Trouble::Removed { .. })));
    drop(journal);
    fs::remove_dir(&path).unwrap();
    // Also where others of its copies were moved away.
    fs::rename(folder.path().join("log.ndjson.rescued-1"), folder.path().join("log.ndjson.rescued-2")).unwrap();
    let Err(JournalError::Removed { copy, .. }) = opened(&path) else { panic!("a new log hides what was removed") };
    assert_eq!(fs::read(&copy).unwrap(), whole);
    fs::rename(&copy, &path).unwrap();
    assert_eq!(open(&path).events(sender("P1"), 0).unwrap().n_events, 2);
}

#[test]
fn an_edit_in_place_is_noticed_even_where_the_length_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (path, journal) = begun(&folder);
    let whole = fs::read(&path).unwrap();
    let write = |bytes: &[u8]| {
        // A clock of files may have ticks of some milliseconds.
        std::thread::sleep(std::time::Duration::from_millis(30));
        File::options().write(true).open(&path).unwrap().write_all(bytes).unwrap();
    };
    write(&String::from_utf8(whole.clone()).unwrap().replace("hint", "move").into_bytes());
    for _ in 0..2 {
        let found = journal.append(sender("P1"), &[event(2, "")]);
        assert!(matches!(&found, Err(Refused::Trouble(Trouble::Changed { .. }))), "{found:?}");
    }
    write(&whole);
    assert_eq!(journal.append(sender("P1"), &[event(2, "")]).unwrap(), 3);
}

#[test]
fn a_full_disk_is_said_until_it_takes_more() {
    let folder = tempfile::tempdir().unwrap();
    let (_, journal) = begun(&folder);
    journal.state().log.room = Some((10, false));
    assert!(matches!(journal.append(sender("P1"), &[event(2, "")]), Err(Refused::Io(_))));
    let [news] = journal.news().try_into().unwrap();
    assert!(news.contains("could not be written to"), "{news}");
    // That it can be read says nothing.
    assert_eq!(journal.events(sender("P1"), 0).unwrap().n_events, 2);
    assert_eq!(journal.news(), Vec::<String>::new());
    journal.state().log.room = None;
    assert_eq!(journal.append(sender("P1"), &[event(2, "")]).unwrap(), 3);
    assert_eq!(journal.news(), ["the log is where it was, and recording goes on"]);
}

#[cfg(unix)]
#[test]
fn lines_that_are_written_count_where_the_log_cannot_be_looked_at_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("place");
    fs::create_dir(&place).unwrap();
    let path = place.join("log.ndjson");
    let journal = open(&path);
    journal.append(sender("P1"), &[event(0, "")]).unwrap();
    // Between the check before a line and that behind it, its folder becomes one that is none.
    let away = folder.path().join("away");
    let (from, to) = (place.clone(), away.clone());
    journal.state().log.behind_write = Some(Box::new(move || {
        fs::rename(&from, &to).unwrap();
        fs::write(&from, "").unwrap();
    }));
    let found = journal.append(sender("P1"), &[event(1, "")]);
    assert!(matches!(&found, Err(Refused::Trouble(Trouble::Unreachable { .. }))), "{found:?}");
    journal.state().log.behind_write = None;
    fs::remove_file(&place).unwrap();
    fs::rename(&away, &place).unwrap();
    assert_eq!(journal.append(sender("P1"), &[event(1, ""), event(2, "")]).unwrap(), 3);
    drop(journal);
    assert_eq!(recorded(&path, "P1").len(), 3);
    assert_eq!(open(&path).events(sender("P1"), 0).unwrap().n_events, 3);
}

#[test]
fn a_repair_takes_a_log_of_which_nothing_is_whole_or_that_an_editor_saved() {
    let folder = tempfile::tempdir().unwrap();
    let (path, journal) = begun(&folder);
    drop(journal);
    let whole = fs::read_to_string(&path).unwrap();
    let second = whole.lines().nth(1).unwrap();
    for (text, n_events, n_aside) in
        [(&whole[..30], 0, 1), (second, 0, 1), (&whole.replacen("\"seq\":0", "\"seq\":5", 1), 0, 2)]
    {
        fs::write(&path, text).unwrap();
        if n_aside == 2 {
            let refused = opened(&path).unwrap_err().to_string();
            assert!(refused.contains(":1 was not recorded there") && refused.contains("--repair"), "{refused}");
        }
        let done = repair(&path).unwrap().unwrap();
        assert_eq!((done.n_events, done.set_aside.values().sum::<u64>()), (n_events, n_aside), "{text}");
        assert_eq!(fs::read_to_string(done.aside.unwrap()).unwrap(), text);
        assert!(opened(&path).is_ok());
    }
    fs::write(&path, format!("\u{feff}{}", whole.replace('\n', "\r\n"))).unwrap();
    assert!(matches!(opened(&path), Err(JournalError::Damaged { line: 1, .. })));
    assert_eq!(repair(&path).unwrap(), Some(Repaired { n_events: 2, set_aside: Default::default(), aside: None }));
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}

#[cfg(unix)]
#[test]
fn a_repair_mends_the_file_that_a_link_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    let (path, journal) = begun(&folder);
    drop(journal);
    let link = folder.path().join("elsewhere").join("recorded.ndjson");
    fs::create_dir(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{whole}a note\n")).unwrap();
    let done = repair(&link).unwrap().unwrap();
    assert_eq!(done.aside.unwrap().file_name().unwrap(), "log.ndjson.aside-1");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}

#[test]
fn who_was_silent_before_a_restart_leaves_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.ndjson");
    let hour = Duration::from_secs(3_600);
    let numbering = Numbering { dropped_after: Some(hour), ..Numbering::default() };
    let number = |journal: &Journal, name: &str| {
        journal.begin(sender(name), "", event(0, ""), |_| None).unwrap();
        journal.events(sender(name), 0).unwrap().events[0].value.clone()
    };
    let journal = Journal::open(&path, numbering).unwrap().0;
    assert_eq!(number(&journal, "P0").as_deref(), Some("0"));
    drop(journal);
    let journal = Journal::open(&path, numbering).unwrap().0;
    assert_eq!(number(&journal, "P1").as_deref(), Some("1"), "P0 was there a moment ago");
    drop(journal);
    let file = File::options().append(true).open(&path).unwrap();
    file.set_modified(std::time::SystemTime::now() - 72 * hour).unwrap();
    drop(file);
    let journal = Journal::open(&path, numbering).unwrap().0;
    assert_eq!(number(&journal, "P2").as_deref(), Some("0"), "and is gone for three days now");
}
