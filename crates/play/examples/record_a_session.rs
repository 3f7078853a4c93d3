//! Events of a browser appended to a log: what is sent twice is recorded once.

use plymap_play::{Event, Journal, Numbering, Sender, claim_of};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("log.ndjson");
    let (journal, _) = Journal::open(&path, Numbering::default())?;
    let sender = Sender { participant: "anna", session: "1", claim: Some(claim_of("secret")), lease: None };
    let event = |seq: u64, action: &str, onset_s: f64| Event {
        seq,
        level: "easy".to_owned(),
        event: "move".to_owned(),
        action: action.to_owned(),
        ..Event::of_no_level(1_000.0 * onset_s, onset_s)
    };

    let events = [event(0, "A+1", 0.8), event(1, "A+3", 1.9)];
    println!("{} events", journal.append(sender, &events).map_err(|refused| format!("{refused:?}"))?);
    // The network failed before the page heard of it: it sends the last event again, and one more.
    let again = [event(1, "A+3", 1.9), event(2, "A-1", 2.4)];
    println!("{} events", journal.append(sender, &again).map_err(|refused| format!("{refused:?}"))?);
    println!("{} lines", std::fs::read_to_string(&path)?.lines().count());
    Ok(())
}
