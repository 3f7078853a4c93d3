//! Data that tell who somebody is.

use super::anomaly::shown_place;
use super::anomaly::{Anomaly, DoctorInput};

/// The rule of personal data.
pub(super) fn anomalies(play: &DoctorInput<'_>) -> Vec<Anomaly> {
    let personal = &play.log.personal;
    if personal.columns.is_empty() {
        return Vec::new();
    }
    let named: Vec<String> =
        personal.columns.iter().map(|column| format!("{} ({})", column.name, column.kind.words())).collect();
    let message = format!("columns of the log tell who people are: {}", named.join(", "));
    let has_ids = personal.columns.iter().any(|column| column.is_participant);
    let mut extras = personal.columns.iter().filter(|column| !column.is_participant).peekable();
    let of_extras = extras.peek().map(|column| match column.is_kept {
        true => "they are written into the outputs, as keep_personal = true in [output] says",
        false => "these columns are not written; keep_personal = true in [output] writes them",
    });
    let of_ids = has_ids.then_some(
        "the ids of participants are written as they are: say pseudonymise = true in [log] to have codes in all outputs",
    );
    vec![Anomaly {
        code: "personal-data".to_owned(),
        n: personal.n_rows,
        of: play.log.rows.len() as u64,
        counted: "rows".to_owned(),
        n_trials: personal.n_trials,
        n_participants: personal.n_participants,
        first: personal.first.iter().map(|&place| shown_place(&play.labelled.files, place)).collect(),
        message,
        advice: [of_extras, of_ids].into_iter().flatten().collect::<Vec<_>>().join("; "),
    }]
}
