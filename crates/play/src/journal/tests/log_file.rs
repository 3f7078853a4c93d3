//! Tests of changes that other programs make to the file of a log.

use super::*;
use std::fs::File;
use std::io::Write as _;

#[test]
fn a_log_that_is_moved_is_said_and_goes_on_where_it_is_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let (path, away) = (folder.path().join("log.ndjson"), folder.path().join("away"));
    let journal = open(&path);
    let all: Vec<Event> = (0..4).map(|seq| event(seq, "")).collect();
    journal.append(sender("P1"), &all[..1]).unwrap();
    fs::rename(&path, &away).unwrap();
    for _ in 0..2 {
        let result = journal.append(sender("P1"), &all[1..2]);
        assert!(matches!(&result, Err(Refused::LogFile(LogFileError::Moved { .. }))), "{result:?}");
    }
    assert!(
        matches!(journal.append(sender("P1"), &all[..1]), Err(Refused::LogFile(_))),
        "nor what is known is confirmed"
    );
    assert!(matches!(journal.events(sender("P1"), 0), Err(Refused::LogFile(_))), "nor read back");
    let [news] = journal.news().try_into().unwrap();
    assert!(news.contains("log.ndjson was moved or renamed") && news.contains("move it back"), "{news}");
    fs::rename(&away, &path).unwrap();
    assert_eq!(journal.append(sender("P1"), &all[1..2]).unwrap(), 2);
    assert_eq!(journal.news(), ["the log is where it was, and recording goes on"]);

    // Removed: a copy is written beside it, which can be put back.
    fs::remove_file(&path).unwrap();
    let Err(Refused::LogFile(LogFileError::Removed { rescued: Some(copy), .. })) =
        journal.append(sender("P1"), &all[2..3])
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
        let message = journal.append(sender("P2"), &[event(0, "")]).unwrap_err().to_string();
        assert!(message.contains(word) && message.contains("--repair"), "{message}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is written to it");
    }
    File::options().write(true).truncate(true).open(&path).unwrap().write_all(&whole).unwrap();
    assert_eq!(journal.append(sender("P2"), &[event(0, "")]).unwrap(), 1);
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
    assert!(matches!(journal.check(), Err(LogFileError::Removed { .. })));
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
        let result = journal.append(sender("P1"), &[event(2, "")]);
        assert!(matches!(&result, Err(Refused::LogFile(LogFileError::Changed { .. }))), "{result:?}");
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
    let result = journal.append(sender("P1"), &[event(1, "")]);
    assert!(matches!(&result, Err(Refused::LogFile(LogFileError::Unreachable { .. }))), "{result:?}");
    journal.state().log.behind_write = None;
    fs::remove_file(&place).unwrap();
    fs::rename(&away, &place).unwrap();
    assert_eq!(journal.append(sender("P1"), &[event(1, ""), event(2, "")]).unwrap(), 3);
    drop(journal);
    assert_eq!(recorded(&path, "P1").len(), 3);
    assert_eq!(open(&path).events(sender("P1"), 0).unwrap().n_events, 3);
}
