//! Words by which columns and events of logs are known, in the languages in which laboratories write them.

use crate::nearest::plain;

pub(super) const PARTICIPANT: [&str; 26] = [
    "participant",
    "participantid",
    "participantprivateid",
    "subject",
    "subjectid",
    "subj",
    "sub",
    "user",
    "userid",
    "player",
    "playerid",
    "person",
    "personid",
    "vp",
    "vpn",
    "vpnr",
    "versuchsperson",
    "proband",
    "teilnehmer",
    "sujet",
    "participante",
    "uniqueid",
    "anonstudentid",
    "prolificpid",
    "workerid",
    "id",
];

pub(super) const LEVEL: [&str; 16] = [
    "level",
    "levelid",
    "puzzle",
    "puzzleid",
    "problem",
    "problemid",
    "problemname",
    "item",
    "instance",
    "stimulus",
    "rätsel",
    "raetsel",
    "aufgabe",
    "niveau",
    "problème",
    "nivel",
];

pub(super) const CONDITION: [&str; 9] =
    ["condition", "group", "cond", "treatment", "arm", "bedingung", "gruppe", "groupe", "condición"];

pub(super) const SESSION: [&str; 6] = ["session", "sessionid", "sitting", "visit", "sitzung", "séance"];

pub(super) const ATTEMPT: [&str; 7] = ["attempt", "attemptno", "try", "run", "durchgang", "versuch", "essai"];

/// Words that durations have in their names.
pub(super) const DURATION: [&str; 10] =
    ["rt", "reaction", "latency", "duration", "zeit", "dauer", "latenz", "temps", "durée", "tiempo"];

/// Words that clocks have in their names.
pub(super) const CLOCK: [&str; 12] = [
    "time",
    "timestamp",
    "clock",
    "onset",
    "elapsed",
    "zeit",
    "zeitstempel",
    "uhrzeit",
    "temps",
    "horodatage",
    "t",
    "tiempo",
];

/// Events by the words that programs have for them.
const EVENTS: [(&str, &[&str]); 10] = [
    ("start", &["start", "begin", "levelstart", "trialstart", "load", "loaded", "show", "shown", "newgame", "beginn"]),
    (
        "move",
        &["move", "drop", "dragend", "mouseup", "touchend", "pointerup", "slide", "swipe", "place", "zug", "coup"],
    ),
    (
        "ignore",
        &[
            "dragstart",
            "pick",
            "pickup",
            "grab",
            "mousedown",
            "touchstart",
            "pointerdown",
            "hover",
            "mousemove",
            "focus",
            "blur",
        ],
    ),
    ("undo", &["undo", "back", "revert", "zurück", "rückgängig", "annuler"]),
    ("reset", &["reset", "restart", "retry", "neustart", "zurücksetzen", "recommencer"]),
    ("hint", &["hint", "help", "tipp", "hilfe", "indice"]),
    ("give_up", &["giveup", "surrender", "skip", "quit", "abandon", "aufgegeben", "aufgeben", "abbruch", "resign"]),
    (
        "solved",
        &[
            "solved",
            "win",
            "won",
            "complete",
            "completed",
            "levelcomplete",
            "success",
            "finished",
            "gelöst",
            "geschafft",
            "résolu",
        ],
    ),
    ("limit", &["limit", "timeout", "timelimit", "timeup", "timesup", "timedout", "zeitlimit", "zeitabgelaufen"]),
    ("null_move", &["nullmove", "miss", "invalid", "noop"]),
];

/// What a value of a log most likely says, as `[log.events]` would translate it.
pub(super) fn event(text: &str) -> Option<&'static str> {
    let plain = plain(text);
    EVENTS.iter().find(|(_, words)| words.contains(&plain.as_str())).map(|(event, _)| *event)
}

/// Words for directions, and the sign that they stand for on a line that grows to the right and downwards.
pub(super) const DIRECTIONS: [(&str, &str); 26] = [
    ("right", "+"),
    ("left", "-"),
    ("down", "+"),
    ("up", "-"),
    ("r", "+"),
    ("l", "-"),
    ("d", "+"),
    ("u", "-"),
    ("rechts", "+"),
    ("links", "-"),
    ("runter", "+"),
    ("hoch", "-"),
    ("unten", "+"),
    ("oben", "-"),
    ("droite", "+"),
    ("gauche", "-"),
    ("bas", "+"),
    ("haut", "-"),
    ("derecha", "+"),
    ("izquierda", "-"),
    ("abajo", "+"),
    ("arriba", "-"),
    ("east", "+"),
    ("west", "-"),
    ("south", "+"),
    ("north", "-"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Event;

    #[test]
    fn every_event_is_one_that_studies_can_name() {
        for (event, _) in EVENTS {
            assert!(event == "ignore" || Event::from_name(event).is_some(), "{event}");
        }
    }

    #[test]
    fn events_are_known_however_they_are_written() {
        assert_eq!(event("RESET"), Some("reset"));
        assert_eq!(event("drag-start"), Some("ignore"));
        assert_eq!(event("Level Complete"), Some("solved"));
        assert_eq!(event("B+3"), None);
    }
}
