//! What the doctor says of a study, with remedies that edit it.

use std::time::Instant;

use plymap_log::{Consequence, DiagnosticSummary};
use plymap_measures::doctor::Anomaly;
use plymap_measures::selection::{SelectionCount, SelectionKind};
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
}

impl Check {
    /// Returns the check of what was played.
    pub fn new(view: &View, began: Instant) -> Self {
        let account = &view.play.account;
        let anomalies = view
            .play
            .anomalies
            .iter()
            .map(|anomaly| AnomalyView { anomaly: anomaly.clone(), remedies: of_anomaly(anomaly) });
        let diagnostics = account
            .diagnostic_summaries()
            .into_iter()
            .map(|diagnostic| DiagnosticView { remedies: of_diagnostic(&diagnostic), diagnostic });
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

/// Keys of all remedies.
pub const REMEDIES: &[&str] = &[
    "clock-trial",
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
    Remedy { key, edits: vec![json!({ "path": path, "value": value })] }
}

/// Returns a remedy that leaves trials out for a reason.
fn exclusion(key: &'static str, of: &str, condition: &str, reason: &str) -> Remedy {
    entry(key, &["exclude", "+"], json!({ of: condition, "reason": reason }))
}

/// Returns the remedies for an anomaly; none where only somebody who knows the experiment can say what is right.
fn of_anomaly(anomaly: &Anomaly) -> Vec<Remedy> {
    let clock = || entry("clock-trial", &["log", "clock"], json!("trial"));
    let code = anomaly.code.as_str();
    match code {
        "missing-times" => vec![exclusion(
            "exclude-missing-times",
            "trials",
            "n_times_missing > 3",
            "more than three moves without a time",
        )],
        "missing-first-move-latencies" | "clock-jumps" => vec![clock()],
        "impossible-speed" => vec![exclusion(
            "exclude-speed",
            "attempts",
            "median_inter_move_s < 0.05",
            "median time between moves below 0.05 s",
        )],
        "idle-gaps" => vec![exclusion("exclude-idle", "trials", "time_s > 600", "took more than ten minutes")],
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::FILES;
    use crate::problem::MESSAGES;

    #[test]
    fn the_page_has_a_text_for_each_message_and_remedy_in_each_language() {
        let texts: Vec<_> = FILES.iter().filter(|(name, ..)| name.starts_with("texts_")).collect();
        assert_eq!(texts.len(), 3);
        let problems = MESSAGES.iter().map(|key| format!("problem_{key}"));
        let remedies = REMEDIES.iter().map(|key| format!("remedy_{}", key.replace('-', "_")));
        for key in problems.chain(remedies) {
            for (name, _, text) in &texts {
                assert!(text.contains(&format!("\n  {key}: '")), "{name} has no text {key}");
            }
        }
    }
}
