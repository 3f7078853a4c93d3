//! Comments of a proposal in study.toml: how sure it is of an entry, and which of them hold no longer once somebody changed or
//! confirmed something.

use std::collections::{HashMap, HashSet};

use plymap_import::{NO_QUESTION, QUESTIONS};
use serde::Serialize;

/// Certainties of a proposal, which stand in comments above an entry; an entry that somebody chose has none.
pub const CERTAINTIES: [(&str, &str); 3] = [("sure", "sure"), ("likely", "likely"), ("QUESTION", "ask")];

/// Comment at the head of a proposal that somebody has changed or confirmed.
const CHANGED: &str = "Changed or confirmed by hand since: plymap check tells what becomes of each row.";

/// Reason of a note on an entry of moves of which replay said more before another entry was changed.
const BEFORE: &str = "as proposed, before another entry was changed";

/// Entries whose comments tell what replay made of the whole proposal.
const REPLAYED: [&str; 5] =
    ["columns.action", "columns.state_before", "columns.state_after", "levels.game", "log.files"];

/// Steps of a log, which make the columns that all others are read from.
const STEPS: [&str; 2] = ["log", "steps"];

/// Entries of `[columns]` and `[log]` that change no move.
const BESIDE_MOVES: [&str; 8] = [
    "columns.onset",
    "columns.rt",
    "columns.condition",
    "log.clock",
    "log.decimal_comma",
    "log.thousands",
    "log.time_zone",
    "log.max_unused",
];

/// Certainty of an entry and its reason.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct NoteView {
    entry: String,
    certainty: &'static str,
    reason: String,
    /// Keys that lead to the entry, in which a point may stand.
    #[serde(skip)]
    path: Vec<String>,
}

impl NoteView {
    fn new(section: &str, key: &str, certainty: &'static str, reason: &str) -> Self {
        let path = section.split('.').chain([key]).map(str::to_owned).collect();
        Self { entry: format!("{section}.{key}"), certainty, reason: reason.to_owned(), path }
    }
}

/// Returns what the comments of a study say of the certainty of its entries; an entry of `[columns]` without is chosen by
/// somebody.
pub fn notes(text: &str) -> Vec<NoteView> {
    located(text).into_iter().map(|(_, note)| note).collect()
}

/// Returns true if an entry tells how logs are read, of which a proposal has comments.
pub fn is_of_reading(path: &[String]) -> bool {
    path.first().is_some_and(|section| ["columns", "log", "levels", "rules"].contains(&section.as_str()))
}

/// Returns a study without the comments of a proposal that hold no longer when this entry of the reading has changed.
/// Columns of moves stay proposed, without what replay said of them, and questions stay questions; that on files that give no
/// moves is answered by a column.
pub fn changed(text: &str, path: &[String]) -> String {
    let entry = path.join(".");
    // A time of either kind answers that there is none, and a column of people that files are taken for them.
    let columns = text.parse::<toml::Table>().ok().and_then(|study| study.get("columns").cloned());
    let has_onset = columns.is_some_and(|columns| columns.get("onset").is_some());
    let is_told = |note: &NoteView| match note.entry.as_str() {
        "columns.onset" => entry == "columns.rt" && !has_onset,
        "log.path" => entry == "columns.participant",
        _ => false,
    };
    let is_of_moves = path.len() < 2 || !BESIDE_MOVES.contains(&&*path[..2].join("."));
    let is_own = |note: &NoteView| note.path.starts_with(path) || path.starts_with(&note.path) || is_told(note);
    let is_of_steps = path.len() >= 2 && path[..2] == STEPS;
    let is_replayed = |note: &NoteView| {
        is_of_moves && REPLAYED.contains(&&*note.entry)
            || is_of_steps && note.path.first().is_some_and(|key| key == "columns")
    };
    let is_of_files = |note: &NoteView| note.entry == "log.files" && (note.certainty != "ask" || path[0] == "columns");
    let text = without(text, |note| is_own(note) || is_replayed(note) && is_of_files(note));
    let replayed = located(&text).into_iter().filter(|(_, note)| is_replayed(note) && note.entry != "log.files");
    let word = |note: &NoteView| if note.certainty == "ask" { "QUESTION" } else { "likely" };
    let said: HashMap<usize, NoteView> = replayed.filter_map(|(line, note)| Some((line?, note))).collect();
    let line = |(number, line): (usize, &str)| match said.get(&number) {
        None => line.to_owned(),
        // A note on a meaning without a column says first which.
        Some(note) if is_of_other(line) => format!("# {}: {}: {BEFORE}\n", note.path[1..].join("."), word(note)),
        Some(note) => format!("# {}: {BEFORE}\n", word(note)),
    };
    text.split_inclusive('\n').enumerate().map(line).collect()
}

/// Returns a study without the question of a proposal about this entry; none if it has no such question.
pub fn confirmed(text: &str, entry: &str) -> Option<String> {
    let is_asked = notes(text).iter().any(|note| note.entry == entry && note.certainty == "ask");
    is_asked.then(|| with_head(&without(text, |note| note.entry == entry)))
}

/// Returns a study that somebody has changed or confirmed, whose head says no more than is left to say.
pub fn with_head(text: &str) -> String {
    let has_questions = notes(text).iter().any(|note| note.certainty == "ask");
    let is_past = |line: &str| {
        let comment = line.trim().strip_prefix("# ");
        comment.is_some_and(|comment| comment == NO_QUESTION || comment == QUESTIONS && !has_questions)
    };
    let lines = text.split_inclusive('\n');
    lines.map(|line| if is_past(line) { format!("# {CHANGED}\n") } else { line.to_owned() }).collect()
}

/// True if a comment is a note on a meaning without a column, which stands above the entry of another.
pub fn is_of_other(line: &str) -> bool {
    let comment = line.trim().strip_prefix('#').and_then(|comment| comment.split_once(": "));
    comment.is_some_and(|(_, rest)| certainty(&format!("# {rest}")).is_some())
}

/// Returns a text without some notes.
fn without(text: &str, is_gone: impl Fn(&NoteView) -> bool) -> String {
    let gone = located(text).into_iter().filter(|(_, note)| is_gone(note)).filter_map(|(line, _)| line);
    let gone: HashSet<usize> = gone.collect();
    let lines = text.split_inclusive('\n').enumerate().filter(|(number, _)| !gone.contains(number));
    lines.map(|(_, line)| line).collect()
}

/// Returns the notes with the numbers of their lines, from 0; entries that were chosen have none.
fn located(text: &str) -> Vec<(Option<usize>, NoteView)> {
    let mut notes = Vec::new();
    let mut pending: Vec<(Option<usize>, &'static str, String)> = Vec::new();
    let mut section = String::new();
    for (number, line) in text.lines().map(str::trim).enumerate() {
        if let Some((certainty, reason)) = certainty(line) {
            pending.push((Some(number), certainty, reason.to_owned()));
        } else if let Some(comment) = line.strip_prefix('#') {
            // Of a meaning without a column: its key stands first.
            if let Some((key, rest)) = comment.trim().split_once(": ")
                && let Some((certainty, reason)) = certainty(&format!("# {rest}"))
            {
                notes.push((Some(number), NoteView::new(&section, key, certainty, reason)));
            }
        } else if line.starts_with('[') {
            section = line.trim_matches(['[', ']']).to_owned();
            pending.clear();
        } else if !line.is_empty() {
            let word = line.trim_start_matches(['{', ' ']).split(['=', ' ']).next().unwrap_or_default();
            let key = key(line).unwrap_or_else(|| word.trim_matches('"').to_owned());
            if pending.is_empty() && section == "columns" {
                pending.push((None, "chosen", String::new()));
            }
            let of_entry =
                |(line, certainty, reason): (_, _, String)| (line, NoteView::new(&section, &key, certainty, &reason));
            notes.extend(pending.drain(..).map(of_entry));
        }
    }
    notes
}

/// Returns the key of a line in quotes, in which anything may stand.
fn key(line: &str) -> Option<String> {
    let entry = line.starts_with(['"', '\'']).then(|| line.parse::<toml::Table>().ok())??;
    entry.into_iter().next().map(|(key, _)| key)
}

/// Returns certainty and reason of a comment that says how sure a proposal was.
pub fn certainty(line: &str) -> Option<(&'static str, &str)> {
    let comment = line.trim().strip_prefix('#')?.trim_start();
    let (word, reason) = comment.split_once(": ")?;
    let (_, name) = CERTAINTIES.iter().find(|(written, _)| *written == word)?;
    Some((name, reason.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a proposal with questions and without a column of times.
    fn proposal() -> String {
        format!(
            "# Proposed.\n# {QUESTIONS}\n[levels]\n# likely: it fits\ngame = \"x\"\n[log]\nsteps = [\n    # QUESTION: of \
             two\n    {{ set = {{ a = \"1\" }} }},\n]\n[columns]\n# sure: by name\nparticipant = \"p\"\n# likely: 5 of 9 \
             rows\naction = \"a\"\n# onset: QUESTION: no column tells it\n[log.events]\n# QUESTION: what does it mean?\n\
             \"end of trial\" = \"ignore\"\n"
        )
    }

    fn entries(text: &str, certainty: &str) -> Vec<String> {
        let some = notes(text).into_iter().filter(|note| note.certainty == certainty);
        some.map(|note| note.entry).collect()
    }

    fn path(entry: &[&str]) -> Vec<String> {
        entry.iter().map(|&key| key.to_owned()).collect()
    }

    #[test]
    fn comments_of_a_proposal_are_read_again() {
        let text = "# likely: it reads the levels\n[levels]\n# likely: it fits\ngame = \"x\"\n[columns]\n# sure: by name\n\
                    # QUESTION: or not\nrt = \"t\"\nlevel = \"board\"\n# onset: likely: no column tells it\n[log.events]\n\
                    # likely: so called\nmove = \"move\"\n";
        let said: Vec<(String, &str)> = notes(text).into_iter().map(|note| (note.entry, note.certainty)).collect();
        let expected = [
            ("levels.game", "likely"),
            ("columns.rt", "sure"),
            ("columns.rt", "ask"),
            ("columns.level", "chosen"),
            ("columns.onset", "likely"),
            ("log.events.move", "likely"),
        ];
        assert_eq!(said, expected.map(|(entry, certainty)| (entry.to_owned(), certainty)));
    }

    #[test]
    fn questions_are_confirmed_one_by_one_and_the_head_says_when_none_is_left() {
        let mut text = proposal();
        let questions = ["log.set", "columns.onset", "log.events.end of trial"];
        assert_eq!(entries(&text, "ask"), questions);
        assert_eq!(confirmed(&text, "columns.action"), None, "nothing was asked of it");
        for (number, entry) in questions.into_iter().enumerate() {
            assert!(text.contains(QUESTIONS) && !text.contains(CHANGED), "{text}");
            text = confirmed(&text, entry).unwrap();
            assert_eq!(entries(&text, "ask"), questions[number + 1..]);
        }
        assert!(!text.contains(QUESTIONS) && text.contains(CHANGED) && text.contains("# Proposed."), "{text}");
        assert_eq!(entries(&text, "sure"), ["columns.participant"], "what nobody asked stays");
    }

    #[test]
    fn a_change_takes_its_own_comments_and_what_replay_said_before_it() {
        let with_time = changed(&proposal(), &path(&["columns", "onset"]));
        assert_eq!(entries(&with_time, "ask"), ["log.set", "log.events.end of trial"]);
        assert_eq!(entries(&with_time, "likely"), ["levels.game", "columns.action"], "a time changes no move");
        assert_eq!(
            changed(&proposal(), &path(&["columns", "rt"])),
            with_time,
            "either time answers that there is none"
        );
        let with_event = changed(&with_time, &path(&["log", "events", "end of trial"]));
        assert_eq!(entries(&with_event, "likely"), ["levels.game", "columns.action"]);
        assert!(!with_event.contains("5 of 9") && with_event.contains(BEFORE), "{with_event}");
        // A question stays one until somebody answers it; a value that begins alike is another.
        let asked =
            proposal().replace("# likely: 5 of 9 rows", "# QUESTION: 5 of 9 rows").replace("of trial", "of.trial");
        let of_another = changed(&asked, &path(&["log", "events", "end of"]));
        assert_eq!(entries(&of_another, "ask")[1..3], ["columns.action", "columns.onset"]);
        assert_eq!(entries(&of_another, "ask")[3..], ["log.events.end of.trial"]);
        let files = asked.replace("[log]\n", "[log]\n# QUESTION: one gives no moves\nfiles = [\"a\", \"b\"]\n");
        let has_files = |path: &[String]| entries(&changed(&files, path), "ask").contains(&"log.files".to_owned());
        assert!(has_files(&path(&["log", "events", "x"])) && !has_files(&path(&["columns", "level"])));
        let without_steps = changed(&with_event, &path(&["log", "steps"]));
        assert_eq!(entries(&without_steps, "sure"), [""; 0], "a column may have been made by a step");
        assert_eq!(entries(&without_steps, "likely"), ["levels.game", "columns.participant", "columns.action"]);
        let of_meaning = changed(&proposal(), &path(&["log", "steps"]));
        assert!(of_meaning.contains(&format!("# onset: QUESTION: {BEFORE}")), "{of_meaning}");
        let sure = proposal().replace(QUESTIONS, NO_QUESTION).replace("QUESTION", "likely");
        assert!(with_head(&sure).contains(CHANGED) && !with_head(&sure).contains(NO_QUESTION));
    }
}
