//! The log as a dataset of the Brain Imaging Data Structure (Gorgolewski et al., 2016), in its part for behaviour.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::attempts::Attempts;
use super::dataset::{label, labels, write_json};
use super::error::ExportError;
use plymap_measures::label::LabelledAttempt;
use plymap_puzzles::progress::Progress;
use plymap_report::MANIFEST_NAME;
use plymap_run::continues;
use plymap_run::files::{make_folder, write as write_file};
use plymap_tables::{ColumnDoc, Columns, Dialect, Table, text, write_delimited_file};

/// The version of BIDS that is written.
const VERSION: &str = "1.10.0";

/// Tables of BIDS: separated by tabs, `n/a` for what is missing.
const TSV: Dialect = Dialect { delimiter: '\t', missing: "n/a" };

pub(super) fn write(attempts: &Attempts, folder: &Path, progress: &dyn Progress) -> Result<(), ExportError> {
    let study = attempts.study;
    let task = label(&study.study.name, "puzzle");
    let subjects = labels(attempts.chosen.iter().map(|attempt| attempt.participant.as_str()), "participant");
    let session_labels = labels(attempts.chosen.iter().map(|attempt| attempt.session.as_str()), "session");
    let mut sessions: BTreeMap<(&str, &str), Vec<&LabelledAttempt>> = BTreeMap::new();
    for attempt in &attempts.chosen {
        sessions.entry((&attempt.participant, &attempt.session)).or_default().push(attempt);
    }
    progress.begin("writing participants", Some(sessions.len() as u64));
    for ((participant, session), played) in sessions {
        let mut stem = format!("sub-{}", subjects[participant]);
        let mut place = folder.join(&stem);
        // A dataset has folders of sessions for all participants or for none.
        if session_labels.len() > 1 {
            let session = format!("ses-{}", session_labels[session]);
            place.push(&session);
            stem = format!("{stem}_{session}");
        }
        place.push("beh");
        make_folder(&place)?;
        write_delimited_file(
            &unreserved(attempts.rows_of(&played)?)?,
            &place.join(format!("{stem}_task-{task}_beh.tsv")),
            TSV,
        )?;
        progress.advance(1);
        continues(progress)?;
    }
    progress.end();
    let about = json!({
        "Name": study.title(),
        "BIDSVersion": VERSION,
        "DatasetType": "raw",
        "GeneratedBy": [{ "Name": "plymap", "Version": env!("CARGO_PKG_VERSION") }],
    });
    write_json(&folder.join("dataset_description.json"), &about)?;
    // At the root it holds for the files of all participants, by the inheritance principle.
    let of_task = [("TaskName", study.study.name.as_str()), ("TaskDescription", attempts.description())];
    let of_task = of_task.into_iter().map(|(key, value)| (key.to_owned(), value.into()));
    let sidecar = of_task.chain(entries(&renamed(&attempts.moves.columns))).collect();
    write_json(&folder.join(format!("task-{task}_beh.json")), &Value::Object(sidecar))?;
    let subjects: Vec<(&str, String)> = subjects.into_iter().collect();
    let participants = Columns::new()
        .column(&subjects, text("participant_id", "label in this dataset"), |(_, label)| format!("sub-{label}"))
        .column(&subjects, text("participant", "who played, as the log has it"), |(name, _)| (*name).to_owned())
        .into_table("participants", "Each participant.");
    write_delimited_file(&participants, &folder.join("participants.tsv"), TSV)?;
    write_json(&folder.join("participants.json"), &Value::Object(entries(&participants.columns).collect()))?;
    write_file(&folder.join("README"), readme(attempts, &task).as_bytes())?;
    // BIDS knows no such file.
    Ok(write_file(&folder.join(".bidsignore"), format!("{MANIFEST_NAME}\n").as_bytes())?)
}

/// Names of columns that BIDS gives a meaning of its own, which none of those that plymap writes has.
const RESERVED: [&str; 9] =
    ["onset", "duration", "response_time", "trial_type", "stim_file", "sample", "value", "channel", "HED"];

/// The names of columns, but for those that BIDS takes for something else: these get new ones, which no other has.
fn new_names(columns: &[ColumnDoc]) -> Vec<String> {
    let mut used_names: HashSet<String> = columns.iter().map(|column| column.name.clone()).collect();
    let new_name = |column: &ColumnDoc| {
        let mut name = column.name.clone();
        if RESERVED.contains(&name.as_str()) {
            while !used_names.insert(name.clone()) {
                name.insert_str(0, "log_");
            }
        }
        name
    };
    columns.iter().map(new_name).collect()
}

/// Columns of the log under names that BIDS does not take for something else.
fn renamed(columns: &[ColumnDoc]) -> Vec<ColumnDoc> {
    columns.iter().zip(new_names(columns)).map(|(column, name)| ColumnDoc { name, ..column.clone() }).collect()
}

fn unreserved(mut table: Table) -> Result<Table, ExportError> {
    let columns = renamed(&table.columns);
    for (column, new) in table.columns.iter().zip(&columns) {
        table.data.rename(&column.name, new.name.as_str().into())?;
    }
    table.columns = columns;
    Ok(table)
}

/// Returns the entries of columns in a sidecar: description, unit and levels.
fn entries(columns: &[ColumnDoc]) -> impl Iterator<Item = (String, Value)> {
    columns.iter().map(|column| {
        let mut entry = json!({ "Description": column.meaning });
        if !column.unit.is_empty() {
            entry["Units"] = column.unit.as_str().into();
        }
        if !column.levels.is_empty() {
            // The words explain themselves, and BIDS wants an explanation of each.
            let levels = column.levels.iter().map(|level| (level.clone(), level.as_str().into()));
            entry["Levels"] = Value::Object(levels.collect::<Map<_, _>>());
        }
        (column.name.clone(), entry)
    })
}

fn readme(attempts: &Attempts, task: &str) -> String {
    format!(
        "{}\n\n{}\n\n*_task-{task}_beh.tsv: {} A missing value is n/a; task-{task}_beh.json says what each column means. \
         participants.tsv has the names of participants as the log has them.\n",
        attempts.study.title(),
        attempts.description(),
        attempts.moves.caption
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_name_is_of_no_other_column() {
        let columns = ["value", "log_value", "level", "sample"].map(|name| ColumnDoc::new(name, ""));
        assert_eq!(new_names(&columns), ["log_log_value", "log_value", "level", "log_sample"]);
    }
}
