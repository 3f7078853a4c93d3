//! Words by which columns and events of logs are known, in the languages in which laboratories write them.

pub(super) use in_time::{InTime, in_time};
use plymap_tables::did_you_mean::plain;

mod in_time;
mod parts;

use parts::words_of;

/// Words for people; `id` alone may be that of anything, and comes last.
const PEOPLE: [&str; 39] = [
    "participant",
    "participante",
    "subject",
    "subj",
    "sub",
    "ppt",
    "ppn",
    "pp",
    "user",
    "player",
    "person",
    "respondent",
    "vpn",
    "vp",
    "versuchsperson",
    "proband",
    "probanden",
    "teilnehmer",
    "sujet",
    "sujeto",
    "unique",
    "anonstudent",
    "student",
    "prolific",
    "sona",
    "mturk",
    "worker",
    "workers",
    "patient",
    "child",
    "kind",
    "observer",
    "pid",
    "uid",
    "runid",
    "sessionid",
    "gameid",
    "key",
    "id",
];

/// The last of them may be names of other things.
const UNSURE: usize = 7;

/// Words that stand beside them in names of columns.
const OF_PEOPLE: [&str; 20] = [
    "id", "ids", "nr", "no", "num", "number", "nummer", "code", "idx", "index", "key", "uuid", "pid", "private",
    "public", "name", "anon", "hash", "the", "n",
];

const LEVELS: [&str; 22] = [
    "level",
    "puzzle",
    "problem",
    "item",
    "instance",
    "stimulus",
    "board",
    "map",
    "maze",
    "task",
    "config",
    "configuration",
    "rätsel",
    "raetsel",
    "aufgabe",
    "niveau",
    "problème",
    "probleme",
    "nivel",
    "trial",
    "game",
    "stim",
];

const OF_LEVELS: [&str; 14] =
    ["id", "nr", "no", "num", "number", "name", "code", "idx", "index", "key", "file", "filename", "label", "n"];

/// Words for pieces, and for how far they go.
pub(super) const PIECES: [&str; 20] = [
    "piece", "car", "vehicle", "block", "disk", "disc", "ball", "tile", "pebble", "bead", "ring", "auto", "stein",
    "scheibe", "kugel", "pièce", "pieza", "truck", "object", "token",
];
pub(super) const STEPS: [&str; 14] = [
    "delta",
    "steps",
    "step",
    "cells",
    "distance",
    "dist",
    "shift",
    "offset",
    "by",
    "amount",
    "displacement",
    "schritte",
    "felder",
    "weite",
];

/// Words for where a move begins and where it ends.
pub(super) const FROM: [&str; 13] =
    ["from", "source", "src", "start", "origin", "pick", "von", "quelle", "de", "desde", "departure", "first", "old"];
pub(super) const TO: [&str; 15] = [
    "to",
    "target",
    "dest",
    "destination",
    "end",
    "drop",
    "nach",
    "zu",
    "ziel",
    "à",
    "vers",
    "a",
    "hasta",
    "second",
    "new",
];

/// Words for places on a board.
pub(super) const ROWS: [&str; 8] = ["row", "y", "zeile", "reihe", "ligne", "fila", "r", "line"];
pub(super) const COLUMNS: [&str; 8] = ["column", "col", "x", "spalte", "colonne", "columna", "c", "kolumne"];
pub(super) const CELLS: [&str; 12] =
    ["cell", "position", "pos", "place", "square", "field", "location", "plate", "lamp", "feld", "index", "case"];

/// Words for moves.
pub(super) const MOVES: [&str; 22] = [
    "presses",
    "coups",
    "action",
    "move",
    "moves",
    "press",
    "click",
    "clicks",
    "response",
    "key",
    "choice",
    "zug",
    "züge",
    "klick",
    "coup",
    "jugada",
    "movimiento",
    "mouvement",
    "direction",
    "swipe",
    "actions",
    "history",
];

/// Words for numbers that count rows, and for what is counted; such columns are no part of a move.
const COUNTERS: [&str; 14] =
    ["n", "nr", "no", "num", "number", "index", "idx", "count", "counter", "seq", "i", "nummer", "trial", "order"];
const COUNTED: [&str; 13] =
    ["move", "moves", "zug", "züge", "coup", "row", "step", "steps", "event", "click", "press", "action", "t"];

/// The place of the word in `words` that a name consists of, with nothing beside it but words of `beside`.
fn place_among(name: &str, words: &[&str], beside: &[&str]) -> Option<usize> {
    let name = plain(name);
    let is_beside = |text: &str| {
        // Whether a text is a chain of these words.
        let mut ends = vec![false; text.len() + 1];
        ends[0] = true;
        for at in 0..text.len() {
            if ends[at] {
                for word in beside.iter().filter(|word| text[at..].starts_with(**word)) {
                    ends[at + word.len()] = true;
                }
            }
        }
        ends[text.len()]
    };
    words.iter().position(|word| {
        name.match_indices(word).any(|(at, _)| is_beside(&name[..at]) && is_beside(&name[at + word.len()..]))
    })
}

/// Distance of a name to those of participants, from 0 for the nearest.
pub(super) fn participant(name: &str) -> Option<usize> {
    place_among(name, &PEOPLE, &OF_PEOPLE).map(|place| if plain(name) == "id" { PEOPLE.len() } else { place })
}

/// `true` if a name says what people are like rather than who they are, such as `participant_age`.
pub(super) fn tells_of_people(name: &str) -> bool {
    participant(name).is_none()
        && (is_called(name, &PEOPLE[..PEOPLE.len() - UNSURE])
            || is_called(name, &["age", "sex", "gender", "geschlecht", "alter"]))
}

/// `true` if a name of people is one that may be that of something else.
pub(super) fn may_be_no_participant(name: &str) -> bool {
    participant(name).is_none_or(|rank| rank + UNSURE > PEOPLE.len())
}

/// Distance of a name to those of levels, from 0 for the nearest.
pub(super) fn level(name: &str) -> Option<usize> {
    place_among(name, &LEVELS, &OF_LEVELS)
}

/// `true` if a name is one of columns that moves or positions stand in.
pub(super) fn tells_play(name: &str) -> bool {
    (is_called(name, &MOVES) && !counts(name))
        || is_called(name, &CELLS)
        || is_called(name, &["board", "state", "pegs"])
}

/// `true` if a name is one of columns that number rows.
pub(super) fn counts(name: &str) -> bool {
    let words = words_of(name);
    words.iter().any(|word| is_in(&COUNTERS, word))
        && words.iter().all(|word| is_in(&COUNTERS, word) || is_in(&COUNTED, word))
}

fn is_in(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

/// `true` if a name can be that of a column that numbers rows.
pub(super) fn may_count(name: &str) -> bool {
    words_of(name).iter().any(|word| COUNTERS.contains(&word.as_str()) || COUNTED.contains(&word.as_str()))
}

/// `true` if a name is one of columns of conditions.
pub(super) fn condition(name: &str) -> bool {
    CONDITION.contains(&plain(name).as_str())
}

/// `true` if a name is one of columns of sessions.
pub(super) fn session(name: &str) -> bool {
    SESSION.contains(&plain(name).as_str())
}

/// `true` if a name is one of columns of events.
pub(super) fn is_of_events(name: &str) -> bool {
    const NAMES: [&str; 10] =
        ["event", "eventtype", "eventname", "type", "kind", "what", "actiontype", "ereignis", "aktion", "evento"];
    NAMES.contains(&plain(name).as_str())
}

/// `true` if a name can be that of a column that numbers sessions.
pub(super) fn session_number(name: &str) -> bool {
    const NAMES: [&str; 11] =
        ["session", "ses", "day", "wave", "timepoint", "tag", "termin", "sitting", "sitzung", "séance", "visit"];
    place_among(name, &NAMES, &OF_LEVELS).is_some()
}

/// `true` if a name can be that of a column that numbers repetitions of levels.
pub(super) fn repetition(name: &str) -> bool {
    const NAMES: [&str; 13] = [
        "repetition",
        "rep",
        "repeat",
        "round",
        "runde",
        "game",
        "block",
        "trial",
        "tour",
        "wiederholung",
        "play",
        "go",
        "presentation",
    ];
    place_among(name, &NAMES, &OF_LEVELS).is_some()
}

/// `true` if a name is one of columns of which a log has one or two, such as that of levels.
pub(super) fn tells_role(name: &str) -> bool {
    participant(name).is_some()
        || level(name).is_some()
        || condition(name)
        || session_number(name)
        || session(name)
        || repetition(name)
        || attempt(name)
        || is_of_events(name)
        || event_in_name(name).is_some()
}

/// `true` if a name has a word in it that columns have which a proposal names or looks for.
pub(super) fn tells_of_log(name: &str) -> bool {
    let words = words_of(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let short =
        [&MOVES[..], &CELLS, &PIECES, &STEPS, &FROM, &TO, &ROWS, &COLUMNS, &COUNTERS, &COUNTED, &DURATION, &CLOCK];
    let letters = plain(name);
    short.into_iter().any(has)
        || has(&["board", "state", "pegs", "date", "datetime", "datum", "id", "code"])
        || DURATION.iter().chain(&CLOCK).any(|word| word.len() > 2 && letters.contains(word))
}

/// `true` if a name is one of columns of attempts.
pub(super) fn attempt(name: &str) -> bool {
    place_among(name, &ATTEMPT, &OF_LEVELS).is_some()
}

/// `true` if one of the words of a name is among `words`; a counter behind it does not count: `pegs_2`.
pub(super) fn is_called(name: &str, words: &[&str]) -> bool {
    words_of(name).iter().any(|word| words.contains(&word.as_str()))
}

const CONDITION: [&str; 9] =
    ["condition", "group", "cond", "treatment", "arm", "bedingung", "gruppe", "groupe", "condición"];

const SESSION: [&str; 6] = ["session", "sessionid", "sitting", "visit", "sitzung", "séance"];

const ATTEMPT: [&str; 6] = ["attempt", "try", "run", "durchgang", "versuch", "essai"];

/// Words that durations have in their names.
pub(super) const DURATION: [&str; 19] = [
    "rt",
    "seconds",
    "secs",
    "millis",
    "reaction",
    "latency",
    "duration",
    "responsetime",
    "resptime",
    "movetime",
    "thinkingtime",
    "thinktime",
    "decisiontime",
    "zeit",
    "dauer",
    "latenz",
    "temps",
    "durée",
    "tiempo",
];

/// Words that averages have in their names.
pub(super) const AVERAGE: [&str; 7] = ["average", "avg", "mean", "median", "mittelwert", "moyenne", "promedio"];

/// Words that clocks have in their names.
pub(super) const CLOCK: [&str; 13] = [
    "ms",
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
    (
        "start",
        &[
            "start",
            "begin",
            "levelstart",
            "trialstart",
            "load",
            "loaded",
            "show",
            "shown",
            "newgame",
            "gamestarted",
            "gamestart",
            "roundstarted",
            "trialstarted",
            "started",
            "beginn",
        ],
    ),
    (
        "move",
        &[
            "move",
            "drop",
            "dragend",
            "mouseup",
            "touchend",
            "pointerup",
            "slide",
            "swipe",
            "place",
            "press",
            "click",
            "tap",
            "drag",
            "toggle",
            "flip",
            "zug",
            "ziehen",
            "klick",
            "coup",
            "déplacement",
            "movimiento",
        ],
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

/// `true` if a name has a word for times in it.
pub(super) fn tells_times(name: &str) -> bool {
    is_called(name, &DURATION) || is_called(name, &CLOCK) || is_called(name, &["date", "datetime", "datum"])
}

/// Most likely meaning of a value of a log, as `[log.events]` would translate it; what stands in brackets behind it
/// does not count.
pub(super) fn event(text: &str) -> Option<&'static str> {
    let plain = plain(text.split('(').next().unwrap_or(text));
    EVENTS.iter().find(|(_, words)| words.contains(&plain.as_str())).map(|(event, _)| *event)
}

/// The event that a column of flags is called after, such as `undoIndicator`, `is_reset`.
pub(super) fn event_in_name(name: &str) -> Option<&'static str> {
    let words = words_of(name);
    let flagged = |word: &String| event(word).filter(|event| ["undo", "reset", "hint", "give_up"].contains(event));
    (words.len() <= 3).then(|| words.iter().find_map(flagged)).flatten()
}

/// Words for the beginning and the end of one action.
const HALVES: [(&str, &str); 25] = [
    ("begin", "end"),
    ("start", "end"),
    ("start", "complete"),
    ("started", "completed"),
    ("start", "stop"),
    ("start", "finish"),
    ("down", "up"),
    ("press", "release"),
    ("mousedown", "mouseup"),
    ("pointerdown", "pointerup"),
    ("touchstart", "touchend"),
    ("keydown", "keyup"),
    ("dragstart", "dragend"),
    ("grab", "drop"),
    ("pick", "drop"),
    ("beginn", "ende"),
    ("pick", "place"),
    ("pickup", "putdown"),
    ("lift", "drop"),
    ("grab", "release"),
    ("select", "place"),
    ("source", "target"),
    ("source", "destination"),
    ("from", "to"),
    ("first", "second"),
];

/// The two values that begin and end an action, in this order.
pub(super) fn halves<'v>(left: &'v str, right: &'v str) -> Option<(&'v str, &'v str)> {
    let is = |begins: &str, ends: &str| HALVES.contains(&(plain(begins).as_str(), plain(ends).as_str()));
    match () {
        () if is(left, right) => Some((left, right)),
        () if is(right, left) => Some((right, left)),
        () => None,
    }
}

/// Words for directions, and the sign that they stand for on a line that grows to the right and downwards.
const DIRECTIONS: [(&str, &str); 28] = [
    ("+", "+"),
    ("-", "-"),
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

/// The sign of a word for a direction, in any letter case.
pub(super) fn sign(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    DIRECTIONS.iter().find(|(known, _)| *known == word).map(|(_, sign)| *sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_log::Event;

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
