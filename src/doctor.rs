//! What is odd about a log as a whole, though each of its rows may be in order.
//!
//! Rules of rows stand where rows are read and replayed ([`LogIssue`](crate::log::LogIssue)). The rules here look at what
//! came of all of them: units that people cannot play in, times that are missing, outcomes that nobody knows.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::label::{LabelledAttempt, LabelledLog, LabelledRow};
use crate::log::Event;
use crate::measure::Measures;
use plymap_statistics::stats::describe::quantile;

/// What the rules look at.
#[derive(Clone, Copy)]
pub struct Examined<'a> {
    /// The replayed rows that the selections of the study leave.
    pub labelled: &'a LabelledLog,
    /// What is measured of them.
    pub measures: &'a Measures,
}

/// Something that is odd about a log, with how much of it is concerned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anomaly {
    /// Short stable name of the rule, such as `implausible-times`.
    pub code: String,
    /// How many of what is counted are concerned.
    pub n: u64,
    /// How many there are.
    pub of: u64,
    /// What is counted: rows, moves, attempts, trials or participants.
    pub counted: String,
    /// Trials in which it occurs.
    pub n_trials: u64,
    /// Participants in whose play it occurs.
    pub n_participants: u64,
    /// The first places, as `file:row`.
    pub first: Vec<String>,
    /// What is odd.
    pub message: String,
    /// What plymap does, and how to choose otherwise.
    pub advice: String,
}

impl fmt::Display for Anomaly {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, n, of, counted, n_trials, n_participants, first, message, advice } = self;
        write!(
            formatter,
            "{code}: {message} ({n} of {of} {counted}, in {n_trials} trials of {n_participants} participants"
        )?;
        if !first.is_empty() {
            write!(formatter, "; first at {}", first.join(", "))?;
        }
        write!(formatter, "); {advice}")
    }
}

/// The shortest and the longest median time between moves that people are believed to have, in seconds.
const PLAUSIBLE_MEDIAN: [f64; 2] = [0.05, 120.0];
/// People do not see a board and act on it in less, in seconds (simple reactions take some 0.2 s).
const FASTEST: f64 = 0.05;
/// A pause of more is rather a break than thought, in seconds.
const LONGEST: f64 = 300.0;
/// So many places are named.
const PLACES: usize = 3;

/// Everything that is odd about what was played.
pub fn anomalies(play: &Examined<'_>) -> Vec<Anomaly> {
    let made = |row: &LabelledRow| row.step.played.is_some();
    let is_later = |row: &LabelledRow| row.step.played.is_some_and(|played| played.ply > 0);
    let is_first = |row: &LabelledRow| row.step.played.is_some_and(|played| played.ply == 0);
    let times: Vec<f64> =
        play.labelled.rows.iter().filter(|row| is_later(row)).filter_map(|row| row.rt_s).collect();
    let mut found = Vec::new();
    if times.is_empty() {
        let advice = "nothing about times is computed; name the column of times as rt or onset in [columns]";
        found.extend(rows(play, made, |row| row.rt_s.is_none()).anomaly("no-times", "no move has a time", advice));
        found.extend(outcomes(play));
        return found;
    }
    let median = quantile(&times, 0.5).unwrap_or_default();
    if !(PLAUSIBLE_MEDIAN[0]..=PLAUSIBLE_MEDIAN[1]).contains(&median) {
        let message = format!("the median time between moves is {} s, and people take seconds", shown(median));
        found.extend(rows(play, is_later, |row| row.rt_s.is_some()).anomaly(
            "implausible-times",
            &message,
            &units(median),
        ));
    }
    let advice = "they are left out of all results about times. A time is lost behind a gap in move_index, behind a row that \
                  was rejected, and where a clock runs backwards: rejects names the rows";
    found.extend(rows(play, is_later, |row| row.rt_s.is_none()).anomaly("missing-times", "moves have no time", advice));
    let advice = "first-move latencies are computed from the others alone. If the clock starts with each trial, say clock = \
                  \"trial\" in [log]; if the log tells when a level appeared, make that row a start event in [log.events]";
    found.extend(rows(play, is_first, |row| row.rt_s.is_none()).anomaly(
        "missing-first-move-latencies",
        "nothing tells how long first moves took",
        advice,
    ));
    let message = format!("moves were made in less than {FASTEST} s");
    let advice =
        "they are used as they are; leave such attempts out with [[exclude]], or look for rows that were written twice";
    found.extend(rows(play, is_later, |row| row.rt_s.is_some_and(|time| time < FASTEST)).anomaly(
        "impossible-speed",
        &message,
        advice,
    ));
    let message = format!("moves took more than {} minutes", LONGEST / 60.0);
    let advice =
        "they are used as they are, and means feel them more than medians; leave such trials out with [[exclude]]";
    found.extend(rows(play, made, |row| row.rt_s.is_some_and(|time| time > LONGEST)).anomaly(
        "idle-gaps",
        &message,
        advice,
    ));
    found.extend(outcomes(play));
    found
}

/// What to do about times with this median, in seconds.
fn units(median: f64) -> String {
    let other = [("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9), ("s", 1e3)];
    let fits = |factor: f64| (PLAUSIBLE_MEDIAN[0]..=PLAUSIBLE_MEDIAN[1]).contains(&(median * factor));
    match other.into_iter().find(|&(_, factor)| fits(factor)) {
        Some((unit, factor)) => format!(
            "look at the unit of the column of times in [columns]: with unit = {unit:?} instead of {} the median would be {} s",
            if factor > 1.0 { "\"ms\"" } else { "seconds" },
            shown(median * factor)
        ),
        None => "look at the unit of the column of times in [columns]".to_owned(),
    }
}

/// Trials of which nobody knows whether they were solved, and what that leaves open.
fn outcomes(play: &Examined<'_>) -> Option<Anomaly> {
    let trials = &play.measures.trials;
    let unknown: Vec<_> = trials.iter().filter(|trial| trial.is_solved.is_none()).collect();
    if unknown.is_empty() {
        return None;
    }
    let people: BTreeSet<usize> = unknown.iter().map(|trial| trial.participant).collect();
    let n_solved = trials.iter().filter(|trial| trial.is_solved == Some(true)).count();
    let percent = |n: usize| format!("{:.1}", 100.0 * n as f64 / trials.len() as f64);
    Some(Anomaly {
        code: "unknown-outcomes".to_owned(),
        n: unknown.len() as u64,
        of: trials.len() as u64,
        counted: "trials".to_owned(),
        n_trials: unknown.len() as u64,
        n_participants: people.len() as u64,
        first: Vec::new(),
        message: format!(
            "the outcome of {} of {} trials is not known, for rows of them were left out: between {} % and {} % were solved",
            unknown.len(),
            trials.len(),
            percent(n_solved),
            percent(n_solved + unknown.len())
        ),
        advice: "shares of solved trials are of those whose outcome is known; rejects names the rows".to_owned(),
    })
}

/// Rows that a rule is about, and those of them that break it.
struct Concerned {
    n: u64,
    of: u64,
    trials: BTreeSet<[String; 3]>,
    /// Number of the file and row in it, of the first ones.
    first: BTreeSet<(usize, u64)>,
    files: Vec<String>,
}

impl Concerned {
    fn anomaly(self, code: &'static str, message: &str, advice: &str) -> Option<Anomaly> {
        let people: BTreeSet<&str> = self.trials.iter().map(|[participant, ..]| participant.as_str()).collect();
        (self.n > 0).then(|| Anomaly {
            code: code.to_owned(),
            n: self.n,
            of: self.of,
            counted: "moves".to_owned(),
            n_trials: self.trials.len() as u64,
            n_participants: people.len() as u64,
            first: self.first.iter().map(|&(file, line)| format!("{}:{line}", self.files[file])).collect(),
            message: message.to_owned(),
            advice: advice.split_whitespace().collect::<Vec<_>>().join(" "),
        })
    }
}

/// Of the rows that `is_asked` is about, those for which `is_odd` holds.
fn rows(play: &Examined<'_>, is_asked: impl Fn(&LabelledRow) -> bool, is_odd: impl Fn(&LabelledRow) -> bool) -> Concerned {
    let log = play.labelled;
    let mut found =
        Concerned { n: 0, of: 0, trials: BTreeSet::new(), first: BTreeSet::new(), files: log.files.clone() };
    for attempt in &log.attempts {
        let LabelledAttempt { participant, session, level, .. } = attempt;
        for number in attempt.rows.clone() {
            let row = &log.rows[number];
            if row.event == Event::NullMove || !is_asked(row) {
                continue;
            }
            found.of += 1;
            if !is_odd(row) {
                continue;
            }
            found.n += 1;
            found.trials.insert([participant.clone(), session.clone(), level.clone()]);
            // The order of play is not that of the file.
            found.first.insert(log.places[number]);
            if found.first.len() > PLACES {
                found.first.pop_last();
            }
        }
    }
    found
}

/// A time with three significant digits.
fn shown(seconds: f64) -> String {
    let digits = (2 - seconds.abs().log10().floor() as i32).clamp(0, 9) as usize;
    format!("{seconds:.digits$}")
}
