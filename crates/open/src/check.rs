//! What the doctor says of a study, with remedies that edit it.

use std::time::Instant;

use plymap_log::{Consequence, DiagnosticSummary, TimeSource};
use plymap_measures::doctor::Anomaly;
use plymap_measures::measure::{Attempt, PlayedAttempt};
use plymap_measures::selection::{AttemptParts, Selected, Selection, SelectionCount, SelectionError, SelectionKind};
use plymap_report::RowCounts;
use plymap_run::Totals;
use serde::Serialize;
use serde_json::{Value, json};

use crate::explore::View;

/// The check of a study.
#[derive(Debug, Serialize)]
pub struct Check {
    /// Rows of the files.
    n_in_files: u64,
    /// Rows that steps and events of the log left out, and that steps made, before any is read.
    n_left_out_before: u64,
    n_made_before: u64,
    counts: RowCounts,
    totals: Totals,
    /// Remarks on the levels.
    levels: Vec<String>,
    anomalies: Vec<AnomalyView>,
    diagnostics: Vec<DiagnosticView>,
    selections: Vec<SelectionView>,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct AnomalyView {
    #[serde(flatten)]
    anomaly: Anomaly,
    remedies: Vec<Remedy>,
}

#[derive(Debug, Serialize)]
struct DiagnosticView {
    #[serde(flatten)]
    diagnostic: DiagnosticSummary,
    remedies: Vec<Remedy>,
}

#[derive(Debug, Serialize)]
struct SelectionView {
    kind: SelectionKind,
    /// Place among the selections of its kind in the study.
    index: usize,
    of: String,
    condition: String,
    reason: String,
    n_rows: u64,
    n_trials: u64,
    n_participants: u64,
    n_undecided: u64,
}

/// Change of the study that answers what was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Remedy {
    /// Key of its text in the page, one of [`REMEDIES`].
    key: &'static str,
    edits: Vec<Value>,
    /// What it leaves out.
    #[serde(skip)]
    exclusion: Option<Selection>,
}

impl Remedy {
    /// Returns true if the study would be another with it, and something is left of its play.
    fn helps(&self, view: &View) -> bool {
        if let Some(exclusion) = &self.exclusion {
            let selected = Selected::new(&Measured(view), &[(SelectionKind::Exclude, exclusion)], &view.levels);
            return selected.is_ok_and(|selected| selected.counts[0].left_out.n_rows > 0);
        }
        let study = json!(view.study);
        let is_said = |edit: &Value| {
            let keys = edit["path"].as_array().into_iter().flatten();
            keys.fold(&study, |entry, key| &entry[key.as_str().unwrap_or_default()]) == &edit["value"]
        };
        !self.edits.iter().all(is_said) && (self.key != CLOCK_TRIAL || has_onset_of_untimed_start(view))
    }
}

/// The attempts that were measured, as one part; each with one row, where it has any.
struct Measured<'a>(&'a View);

impl AttemptParts for Measured<'_> {
    type Error = SelectionError;

    fn n_parts(&self) -> usize {
        1
    }

    fn attempts(&self, _: usize) -> Result<Vec<PlayedAttempt>, SelectionError> {
        let attempts = self.0.play.measures.attempts.iter();
        let played = |attempt: &Attempt| PlayedAttempt {
            attempt: attempt.clone(),
            n_rows: attempt.has_rows.into(),
            first: None,
        };
        Ok(attempts.map(played).collect())
    }
}

/// Returns true if a first move without a time has an onset that is none of added durations, so that a clock of each trial
/// tells its time.
fn has_onset_of_untimed_start(view: &View) -> bool {
    let (labelled, rows) = (&view.play.labelled, &view.play.rows);
    labelled.rows.iter().any(|row| {
        let is_untimed_start = row.rt_s.is_none() && row.step.played.is_some_and(|played| played.ply == 0);
        let logged = || rows.at(row.step.row as usize);
        is_untimed_start && logged().onset_s().is_some() && logged().time_source() != Some(TimeSource::OnsetFromRt)
    })
}

fn helping(mut remedies: Vec<Remedy>, view: &View) -> Vec<Remedy> {
    remedies.retain(|remedy| remedy.helps(view));
    remedies
}

impl Check {
    /// Returns the check of what was played.
    pub fn new(view: &View, began: Instant) -> Self {
        let account = &view.play.account;
        let anomalies = view
            .play
            .anomalies
            .iter()
            .map(|anomaly| AnomalyView { anomaly: anomaly.clone(), remedies: helping(of_anomaly(anomaly), view) });
        let diagnostics = account
            .diagnostic_summaries()
            .into_iter()
            .map(|diagnostic| DiagnosticView { remedies: helping(of_diagnostic(&diagnostic), view), diagnostic });
        let steps = || account.steps.iter();
        Self {
            n_in_files: account.files.iter().map(|file| file.n_rows).sum(),
            n_left_out_before: steps().map(|step| step.n_in.saturating_sub(step.n_out)).sum(),
            n_made_before: steps().map(|step| step.n_out.saturating_sub(step.n_in)).sum(),
            counts: account.counts,
            totals: account.totals,
            levels: view.remarks.to_vec(),
            anomalies: anomalies.collect(),
            diagnostics: diagnostics.collect(),
            selections: selections(&account.selection),
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}

fn selections(counts: &[SelectionCount]) -> Vec<SelectionView> {
    let mut n_of_kind = [0, 0];
    let view = |count: &SelectionCount| {
        let index = &mut n_of_kind[usize::from(count.kind == SelectionKind::Exclude)];
        *index += 1;
        SelectionView {
            kind: count.kind,
            index: *index - 1,
            of: count.of.clone(),
            condition: count.condition.clone(),
            reason: count.reason.clone(),
            n_rows: count.left_out.n_rows,
            n_trials: count.left_out.n_trials,
            n_participants: count.left_out.n_participants,
            n_undecided: count.n_undecided,
        }
    };
    counts.iter().map(view).collect()
}

/// Key of the remedy by which clocks start with each trial.
const CLOCK_TRIAL: &str = "clock-trial";

/// Keys of all remedies.
pub const REMEDIES: &[&str] = &[
    CLOCK_TRIAL,
    "drop-null-moves",
    "exclude-idle",
    "exclude-missing-times",
    "exclude-speed",
    "ignore-event",
    "keep-illegal",
    "pseudonymise",
];

fn entry(key: &'static str, path: &[&str], value: Value) -> Remedy {
    debug_assert!(REMEDIES.contains(&key), "{key}");
    Remedy { key, edits: vec![json!({ "path": path, "value": value })], exclusion: None }
}

/// Returns a remedy that leaves trials out for a reason.
fn exclusion(key: &'static str, exclusion: Selection) -> Remedy {
    Remedy { exclusion: Some(exclusion.clone()), ..entry(key, &["exclude", "+"], json!(exclusion)) }
}

/// Returns an exclusion for a reason, still of nothing.
fn for_reason(reason: &str) -> Selection {
    let reason = reason.to_owned();
    Selection { reason, participants: None, levels: None, trials: None, attempts: None }
}

/// Returns the remedies for an anomaly; none where only somebody who knows the experiment can say what is right.
fn of_anomaly(anomaly: &Anomaly) -> Vec<Remedy> {
    let clock = || entry(CLOCK_TRIAL, &["log", "clock"], json!("trial"));
    let trials = |condition: &str, reason| Selection { trials: Some(condition.to_owned()), ..for_reason(reason) };
    let code = anomaly.code.as_str();
    match code {
        "missing-times" => {
            let many = trials("n_times_missing > 3", "more than three moves without a time");
            vec![exclusion("exclude-missing-times", many)]
        }
        "missing-first-move-latencies" | "clock-jumps" => vec![clock()],
        "impossible-speed" => {
            let attempts = Some("median_inter_move_s < 0.05".to_owned());
            let fast = Selection { attempts, ..for_reason("median time between moves below 0.05 s") };
            vec![exclusion("exclude-speed", fast)]
        }
        "idle-gaps" => vec![exclusion("exclude-idle", trials("time_s > 600", "took more than ten minutes"))],
        "null-drags-kept" => {
            vec![entry("drop-null-moves", &["log", "null_moves"], json!("drop"))]
        }
        "personal-data" => {
            vec![entry("pseudonymise", &["log", "pseudonymise"], json!(true))]
        }
        _ => Vec::new(),
    }
}

/// Returns the remedies for a kind of diagnostic.
fn of_diagnostic(diagnostic: &DiagnosticSummary) -> Vec<Remedy> {
    let is_out = matches!(diagnostic.consequence, Consequence::Rejected | Consequence::Excluded);
    match diagnostic.code.as_str() {
        "illegal-move" if is_out => {
            vec![entry("keep-illegal", &["log", "illegal_moves"], json!("keep"))]
        }
        "unknown-event" if is_out && !diagnostic.value.is_empty() => {
            vec![entry("ignore-event", &["log", "events", &diagnostic.value], json!("ignore"))]
        }
        _ => Vec::new(),
    }
}
