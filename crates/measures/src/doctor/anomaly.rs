//! Something odd about a log, and the tally of the rows that it concerns.

use crate::label::{LabelledAttempt, LabelledLog, LabelledRow};
use crate::measure::Measures;
use plymap_log::{Event, FileRow, Log, LogDiagnostic, LogSpec};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::stats::apa;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// Input of the rules.
#[derive(Clone, Copy)]
pub struct DoctorInput<'a> {
    /// The canonical log.
    pub log: &'a Log,
    /// Diagnostics of its rows, without what was said of attempts that the study leaves out.
    pub diagnostics: &'a [LogDiagnostic],
    /// The replayed rows that the selections of the study leave.
    pub labelled: &'a LabelledLog,
    /// Measures of them.
    pub measures: &'a Measures,
    /// The levels of the study.
    pub levels: &'a [ValuedLevel],
    /// Settings by which the study reads its log.
    pub spec: &'a LogSpec,
}

/// Something that is odd about a log, with how much of it is concerned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anomaly {
    /// Short stable name of the rule, such as `implausible-times`.
    pub code: String,
    /// Number of cases that are concerned.
    pub n: u64,
    /// Number of cases in all.
    pub of: u64,
    /// Kind of the cases, in the plural: rows, moves, attempts, trials or participants.
    pub counted: String,
    /// Trials in which it occurs.
    pub n_trials: u64,
    /// Participants in whose play it occurs.
    pub n_participants: u64,
    /// The first places, as `file:row`.
    pub first: Vec<String>,
    /// Description.
    pub message: String,
    /// Treatment by plymap, and how to choose otherwise.
    pub advice: String,
}

impl fmt::Display for Anomaly {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, n, of, counted, n_trials, n_participants, first, message, advice } = self;
        write!(
            formatter,
            "{code}: {message} ({n} of {}, in {} of {}",
            apa::counted(*of, counted.trim_end_matches('s')),
            apa::counted(*n_trials, "trial"),
            apa::counted(*n_participants, "participant")
        )?;
        if !first.is_empty() {
            write!(formatter, "; first at {}", first.join(", "))?;
        }
        write!(formatter, "); {advice}")
    }
}

/// So many places are named.
pub(crate) const PLACES: usize = 3;

/// Cases that a rule is about, and those that break it.
pub(crate) struct Concerned<'a> {
    pub(super) n: u64,
    pub(super) of: u64,
    pub(super) trials: BTreeSet<[&'a str; 3]>,
    /// Places of the first ones.
    pub(super) first: BTreeSet<FileRow>,
    pub(super) files: &'a [String],
}

impl<'a> Concerned<'a> {
    pub(super) fn new(play: &DoctorInput<'a>) -> Self {
        Self { n: 0, of: 0, trials: BTreeSet::new(), first: BTreeSet::new(), files: &play.labelled.files }
    }

    /// One more that breaks the rule, in this trial and at this place.
    pub(super) fn add(&mut self, attempt: &'a LabelledAttempt, place: Option<FileRow>) {
        self.n += 1;
        self.add_trial([&attempt.participant, &attempt.session, &attempt.level], place);
    }

    /// A trial in which the rule is broken.
    pub(super) fn add_trial(&mut self, trial: [&'a str; 3], place: Option<FileRow>) {
        self.trials.insert(trial);
        // The order of play is not that of the file.
        self.first.extend(place);
        // Only the smallest are held, so that a log of broken rows takes no memory here.
        if self.first.len() > PLACES {
            self.first.pop_last();
        }
    }

    pub(super) fn anomaly(self, code: &str, counted: &str, message: &str, advice: &str) -> Option<Anomaly> {
        let people: BTreeSet<&str> = self.trials.iter().map(|[participant, ..]| *participant).collect();
        (self.n > 0).then(|| Anomaly {
            code: code.to_owned(),
            n: self.n,
            of: self.of,
            counted: counted.to_owned(),
            n_trials: self.trials.len() as u64,
            n_participants: people.len() as u64,
            first: self.first.iter().map(|&place| shown_place(self.files, place)).collect(),
            message: message.to_owned(),
            advice: advice.to_owned(),
        })
    }
}

pub(crate) fn shown_place(files: &[String], place: FileRow) -> String {
    format!("{}:{}", files.get(place.file()).map_or("", String::as_str), place.row())
}

/// Of the rows that `is_asked` is about, those for which `is_odd` holds.
pub(crate) fn rows<'a>(
    play: &DoctorInput<'a>,
    is_asked: impl Fn(&LabelledRow) -> bool,
    is_odd: impl Fn(&LabelledRow) -> bool,
) -> Concerned<'a> {
    let log = play.labelled;
    let mut concerned = Concerned::new(play);
    for attempt in &log.attempts {
        for number in attempt.rows.clone() {
            let row = &log.rows.at(number);
            // Such rows have their time in the next move, and would be counted twice.
            if row.event == Event::NullMove || !is_asked(row) {
                continue;
            }
            concerned.of += 1;
            if is_odd(row) {
                concerned.add(attempt, Some(log.places[number]));
            }
        }
    }
    concerned
}
