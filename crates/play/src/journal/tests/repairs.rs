//! Damaged logs, and their repair.

use super::*;

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
