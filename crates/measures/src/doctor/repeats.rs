//! Attempts that stand in a log twice.

use super::anomaly::{Anomaly, DoctorInput};
use super::anomaly::{Concerned, PLACES};
use crate::label::{LabelledAttempt, LabelledRow};
use plymap_log::{Consequence, Event, LogDiagnostic};
use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Rules of what is repeated.
pub(super) fn anomalies(play: &DoctorInput<'_>) -> Vec<Anomaly> {
    [repeated_rows(play), repeated_solves(play)].into_iter().flatten().collect()
}

type AttemptKey<'a> = (&'a str, &'a str, &'a str, i64);

/// Whole attempts of which every row was written twice. Single rows that are repeated are diagnostics of their own.
fn repeated_rows(play: &DoctorInput<'_>) -> Option<Anomaly> {
    let mut repeated: BTreeMap<AttemptKey<'_>, Vec<&LogDiagnostic>> = BTreeMap::new();
    for diagnostic in
        play.diagnostics.iter().filter(|diagnostic| matches!(&*diagnostic.code, "duplicate-row" | "repeated-row"))
    {
        let LogDiagnostic { participant: Some(participant), session: Some(session), level: Some(level), .. } =
            diagnostic
        else {
            continue;
        };
        repeated
            .entry((participant, session, level, diagnostic.attempt.unwrap_or_default()))
            .or_default()
            .push(diagnostic);
    }
    if repeated.is_empty() {
        return None;
    }
    let (n_rows, n_of) = rows_of_attempts(play);
    repeated.retain(|key, diagnostics| {
        // What was rejected is not among the rows any more. A move that was made twice is no copy.
        let n = n_of.get(key).copied().unwrap_or_default() + diagnostics.iter().filter(is_rejected).count();
        diagnostics.len() > 1 && diagnostics.len() * 2 >= n
    });
    let diagnostics: Vec<&LogDiagnostic> = repeated.values().flatten().copied().collect();
    if diagnostics.is_empty() {
        return None;
    }
    let n_rejected = diagnostics.iter().filter(|diagnostic| diagnostic.consequence == Consequence::Rejected).count();
    let trials: BTreeSet<_> = repeated.keys().map(|key| (key.0, key.1, key.2)).collect();
    let people: BTreeSet<_> = repeated.keys().map(|key| key.0).collect();
    let advice = match n_rejected {
        0 => {
            "nothing numbers the moves, so both copies are played; take one out of the log, or name a column that numbers \
              the moves as move_index in [columns]: the second copies are then left out"
        }
        _ => "the second copies are left out; find out how they came into the log",
    };
    // Places are named in the order of the log, not in that of the keys.
    let known: HashMap<(&str, u64), usize> = play
        .diagnostics
        .iter()
        .enumerate()
        .map(|(number, diagnostic)| ((diagnostic.file.as_str(), diagnostic.row), number))
        .collect();
    let mut first: Vec<&LogDiagnostic> = diagnostics.clone();
    first.sort_by_key(|diagnostic| known.get(&(diagnostic.file.as_str(), diagnostic.row)).copied());
    Some(Anomaly {
        code: "duplicate-rows".to_owned(),
        n: diagnostics.len() as u64,
        of: n_rows as u64 + n_rejected as u64,
        counted: "rows".to_owned(),
        n_trials: trials.len() as u64,
        n_participants: people.len() as u64,
        first: first.iter().take(PLACES).map(|diagnostic| format!("{}:{}", diagnostic.file, diagnostic.row)).collect(),
        message: format!("the rows of {} stand in the log twice", counted(repeated.len(), "attempt")),
        advice: advice.to_owned(),
    })
}

fn is_rejected(diagnostic: &&&LogDiagnostic) -> bool {
    diagnostic.consequence == Consequence::Rejected
}

/// Number of moves in the canonical log, and in each of its attempts.
fn rows_of_attempts<'a>(play: &DoctorInput<'a>) -> (usize, HashMap<AttemptKey<'a>, usize>) {
    let mut n_of: HashMap<AttemptKey<'a>, usize> = HashMap::new();
    for row in play.log.rows.iter().filter(|row| row.event().is_play()) {
        *n_of.entry((row.participant(), row.session(), row.level(), row.attempt())).or_default() += 1;
    }
    (n_of.values().sum(), n_of)
}

/// Solves that repeat another one of the same participant at the same level, move by move and time by time, and
/// attempts that say `solved` twice.
fn repeated_solves(play: &DoctorInput<'_>) -> Option<Anomaly> {
    let log = play.labelled;
    let mut concerned = Concerned::new(play);
    let mut known: HashMap<(&str, &str, Vec<Made>), &LabelledAttempt> = HashMap::new();
    let (mut n_copies, mut n_twice) = (0, 0);
    for attempt in &log.attempts {
        let rows: &Vec<LabelledRow> = &log.rows.range(attempt.rows.clone()).collect();
        let is_solved =
            rows.iter().any(|row| row.event == Event::Solved || row.label.is_some_and(|label| label.is_goal));
        if !is_solved {
            continue;
        }
        concerned.of += 1;
        // Compared by bits of times: two people, or two attempts, do not agree to the last digit.
        let is_copy = sequence(rows)
            .is_some_and(|moves| known.insert((&attempt.participant, &attempt.level, moves), attempt).is_some());
        let is_twice = says_solved_twice(rows);
        n_copies += u64::from(is_copy);
        n_twice += u64::from(is_twice);
        if is_copy || is_twice {
            concerned.add(attempt, log.places.get(attempt.rows.start).copied());
        }
    }
    let said = [
        (n_copies, "repeat", "another one of the same participant at the same level, move by move and time by time"),
        (n_twice, "say", "solved twice"),
    ];
    let said: Vec<String> = said.into_iter().filter(|said| said.0 > 0).map(of_attempts).collect();
    let advice = "they are used as they are, each for its own: look for a part of the log that was written twice under another \
                  attempt or session, and take it out of the files or leave it out with [[exclude]]. A second solved within an \
                  attempt changes nothing";
    concerned.anomaly("duplicate-solves", "solved attempts", &said.join("; "), advice)
}

fn of_attempts((n, verb, text): (u64, &str, &str)) -> String {
    format!("{} {verb}{} {text}", counted(n, "solved attempt"), if n == 1 { "s" } else { "" })
}

/// A move: the position that it led to, and the bits of its time.
type Made = (u128, Option<u64>);

/// The moves of an attempt, if these and their times are too many to be the same by chance.
fn sequence(rows: &[LabelledRow]) -> Option<Vec<Made>> {
    let moves = || rows.iter().filter_map(|row| Some((row, row.step.played?)));
    let n_timed = moves().filter(|(row, _)| row.rt_s.is_some()).count();
    let played = moves().map(|(row, _)| (row.step.after.0, row.rt_s.map(f64::to_bits))).collect();
    // Short solutions without times are the same by chance.
    (n_timed > 1).then_some(played)
}

/// `true` if a row says `solved` and so does one before it, with nothing done in between.
fn says_solved_twice(rows: &[LabelledRow]) -> bool {
    let mut was_said = false;
    rows.iter().any(|row| {
        let is_solved = row.event == Event::Solved;
        let is_twice = is_solved && was_said;
        was_said = (was_said || is_solved) && row.event != Event::Reset;
        is_twice
    })
}
