//! The log as a dataset of Psych-DS (<https://psych-ds.github.io>).

use std::path::Path;

use serde_json::{Value, json};

use super::attempts::Attempts;
use super::dataset::{label, write_json};
use super::error::ExportError;
use plymap_report::MANIFEST_NAME;
use plymap_run::files::{make_folder, write as write_file};
use plymap_tables::{ColumnDoc, Dialect, write_delimited_file};

pub(super) fn write(attempts: &Attempts, folder: &Path) -> Result<(), ExportError> {
    let study = attempts.study;
    let name = format!("study-{}_data.csv", label(&study.study.name, "puzzle"));
    let data = folder.join("data");
    make_folder(&data)?;
    write_delimited_file(&attempts.rows_of(&attempts.chosen)?, &data.join(&name), Dialect::CSV)?;
    let variables: Vec<Value> = attempts.moves.columns.iter().map(variable).collect();
    let description = json!({
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.title(),
        "description": attempts.description(),
        "variableMeasured": variables,
    });
    write_json(&folder.join("dataset_description.json"), &description)?;
    write_file(&folder.join("README.md"), readme(attempts, &name).as_bytes())?;
    let changes = format!("# Changes\n\nWritten by plymap {} as a whole.\n", env!("CARGO_PKG_VERSION"));
    write_file(&folder.join("CHANGES.md"), changes.as_bytes())?;
    // Psych-DS knows no such file.
    Ok(write_file(&folder.join(".psychds-ignore"), format!("{MANIFEST_NAME}\n").as_bytes())?)
}

/// Returns the description of a column as a `PropertyValue` of schema.org.
fn variable(column: &ColumnDoc) -> Value {
    let mut variable = json!({ "@type": "PropertyValue", "name": column.name, "description": column.meaning });
    if !column.unit.is_empty() {
        variable["unitText"] = column.unit.as_str().into();
    }
    if !column.levels.is_empty() {
        variable["valueReference"] = column.levels.join("; ").into();
    }
    variable
}

fn readme(attempts: &Attempts, name: &str) -> String {
    format!(
        "# {}\n\n{}\n\n`data/{name}`: {} A missing value is an empty cell; `variableMeasured` in \
         `dataset_description.json` says what each column means.\n",
        attempts.study.title(),
        attempts.description(),
        attempts.moves.caption
    )
}
