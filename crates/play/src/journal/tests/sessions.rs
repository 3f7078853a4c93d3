//! Tests of the access to sessions, and of the numbers of participants.

use super::*;
use std::fs::File;
use std::time::Duration;

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
    let is_overtaken = |result: &Result<u64, Refused>| matches!(result, Err(Refused::Overtaken { n_events: 1 }));
    let first = page(&journal);
    assert_eq!(journal.append(first, &[event(0, "")]).unwrap(), 1);
    let second = page(&journal);
    for late in [first, sender("P1")] {
        let result = journal.append(late, &[event(1, "late")]);
        assert!(is_overtaken(&result), "{result:?}");
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
    let assignment = |event: Event| (event.event, event.action, event.value, event.condition);
    let expected = |number: &str, condition: &str| {
        (ASSIGN.to_owned(), condition.to_owned(), Some(number.to_owned()), Some(condition.to_owned()))
    };
    assert_eq!(assignment(first(&journal, "P2")), expected("1", "hard"));
    drop(journal);
    let journal = open(&path);
    journal.begin(sender("P3"), "", event(0, ""), names).unwrap();
    let second = Sender { session: "2", ..sender("P1") };
    journal.begin(second, "", event(0, ""), names).unwrap();
    assert_eq!(assignment(first(&journal, "P3")), expected("2", "easy"));
    assert_eq!(assignment(journal.events(second, 0).unwrap().events.remove(0)), expected("0", "easy"));
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
    let n_taken = (0..).take_while(|&seq| journal.append(sender("P2"), &[long(seq)]).is_ok()).count() as u64;
    assert!(n_taken * 20_000 < MOST_BYTES && (n_taken + 1) * 20_300 > MOST_BYTES, "{n_taken}");
    assert!(matches!(journal.append(sender("P2"), &[long(n_taken)]), Err(Refused::Full)));
    let page = journal.events(sender("P1"), 1_700).unwrap();
    assert_eq!((page.n_events, page.events.as_slice()), (MOST_EVENTS, &all[1_700..1_700 + PAGE_OF_EVENTS]));
    assert!(journal.events(sender("P1"), all.len()).unwrap().events.is_empty());
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
