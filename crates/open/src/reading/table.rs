//! Files with the same columns as one table: the meaning of each column, and the first rows.

use std::collections::{BTreeSet, HashMap};

use plymap_import::Trial;
use plymap_log::{Consequence, LogDiagnostic, LogSpec, Role, Sample, SampleRow, Unit};
use serde::Serialize;
use serde_json::Value as Json;

use super::meaning::{Meanings, without};

/// What becomes of a row.
pub const OUTCOMES: [&str; 6] = ["move", "kept", "rejected", "excluded", "left-out", "unread"];
/// Number of different values of a column that are shown.
const EXAMPLES_SHOWN: usize = 3;
/// Number of files of a table that are named.
const FILES_NAMED: usize = 3;

/// A column of the files.
#[derive(Debug, Serialize)]
pub struct ColumnView {
    name: String,
    role: Option<&'static str>,
    unit: Option<Unit>,
    /// What says its meaning: `study`, `preset` or `name`.
    source: Option<&'static str>,
    /// Edits that leave it out; none where nothing does.
    leave_out: Option<Vec<Json>>,
    /// `part` if moves are made of it and of others.
    part: Option<&'static str>,
    /// True if a template, a step or a filter reads it.
    is_used: bool,
    examples: Vec<String>,
}

/// Files that have the same columns.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct FilesView {
    /// Names of the first ones.
    files: Vec<String>,
    n_files: usize,
    n_columns: usize,
}

/// A row of the files.
#[derive(Debug, Serialize)]
pub struct RowView {
    file: String,
    line: u64,
    cells: Vec<Option<String>>,
    outcome: &'static str,
    code: String,
    reason: String,
    fix: String,
}

/// Files with the same columns.
pub struct FilesAlike<'a> {
    sample: &'a Sample,
    /// Numbers of the files.
    files: BTreeSet<usize>,
    /// Places of their columns.
    places: Vec<usize>,
}

impl<'a> FilesAlike<'a> {
    /// Returns the files of a sample by their columns, in the order of the first of each, without those `made` of others.
    pub fn all(sample: &'a Sample, made: &BTreeSet<&str>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
        for file in 0..sample.files.len() {
            let is_in_file = |&place: &usize| sample.file_has(file, place) && !made.contains(&*sample.columns[place]);
            let places: Vec<usize> = (0..sample.columns.len()).filter(is_in_file).collect();
            let number = *known.entry(places.clone()).or_insert(all.len());
            if number == all.len() {
                all.push(Self { sample, files: BTreeSet::new(), places });
            }
            all[number].files.insert(file);
        }
        // A file without a column has no row either.
        all.retain(|alike| !alike.places.is_empty());
        all
    }

    /// Returns how many files these are, and the names of the first.
    pub fn view(&self) -> FilesView {
        let name = |&file: &usize| self.sample.files[file].path.display().to_string();
        FilesView {
            files: self.files.iter().take(FILES_NAMED).map(name).collect(),
            n_files: self.files.len(),
            n_columns: self.places.len(),
        }
    }

    /// Returns the number of their rows in a log, as they come out of its steps; none where these are not counted file by
    /// file.
    pub fn n_rows(&self, trial: &Trial) -> Option<u64> {
        let log = &trial.log;
        match log.files.len() == self.files.len() {
            true => Some(
                log.n_read + log.steps.last().filter(|step| step.step == "events").map_or(0, |step| step.n_left_out),
            ),
            false if log.steps.iter().all(|step| step.step == "events") => {
                Some(self.files.iter().map(|&file| log.files[file].n_rows).sum())
            }
            false => None,
        }
    }

    fn rows(&self) -> impl Iterator<Item = &'a SampleRow> {
        self.sample.rows.iter().filter(|row| self.files.contains(&row.file))
    }

    /// Returns their columns with what these mean; `own` is how the study reads the log, and `spec` has its preset.
    pub fn columns(&self, own: &LogSpec, spec: &LogSpec, meanings: &Meanings) -> Vec<ColumnView> {
        let steps: String = spec
            .steps
            .iter()
            .filter_map(|step| toml::Value::try_from(step).ok())
            .map(|step| step.to_string())
            .collect();
        let view = |&place: &usize| {
            let name = &self.sample.columns[place];
            let meaning = meanings.of(name);
            let mut columns = spec.columns.values().chain(spec.usual_columns.values());
            let is_in_template = columns.any(|column| column.template_names().contains(name));
            ColumnView {
                name: name.clone(),
                role: meaning.map(|meaning| meaning.role.key()),
                unit: meaning.and_then(|meaning| meaning.unit),
                source: meaning.map(|meaning| meaning.source),
                leave_out: meaning.and_then(|meaning| without(meaning.role, name, own, meanings, self.sample)),
                part: is_part(name, spec).then_some("part"),
                is_used: is_in_template || steps.contains(&format!("\"{name}\"")),
                examples: self.examples(place),
            }
        };
        self.places.iter().map(view).collect()
    }

    fn examples(&self, place: usize) -> Vec<String> {
        let mut examples: Vec<String> = Vec::new();
        for cell in self.rows().filter_map(|row| row.cell(place)) {
            if !examples.iter().any(|example| example == cell) {
                examples.push(cell.to_owned());
            }
            if examples.len() == EXAMPLES_SHOWN {
                break;
            }
        }
        examples
    }

    /// Returns `n` rows from number `first` on, with what becomes of each.
    pub fn row_views(&self, diagnostics: &[&LogDiagnostic], trial: Option<&Trial>, first: u64, n: u64) -> Vec<RowView> {
        // By numbers of files: in the names that the log has of them there may be codes.
        let files = trial.iter().flat_map(|trial| &trial.log.files).map(|file| file.path.display().to_string());
        let numbers: HashMap<String, usize> = files.zip(0..).collect();
        let mut said: HashMap<(usize, u64), &LogDiagnostic> = HashMap::new();
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.row > 0) {
            let Some(&file) = numbers.get(&diagnostic.file) else { continue };
            let known = said.entry((file, diagnostic.row)).or_insert(diagnostic);
            if diagnostic.consequence < known.consequence {
                *known = diagnostic;
            }
        }
        // Rows of the log, and whether they are moves.
        let mut used: HashMap<(usize, u64), bool> = HashMap::new();
        for step in trial.iter().flat_map(|trial| trial.replay.steps.iter().map(move |step| (trial, step))) {
            let (trial, step) = step;
            let row = trial.log.rows.at(step.row as usize);
            *used.entry((row.file(), row.line())).or_default() |= step.played.is_some();
        }
        let view = |row: &SampleRow| {
            let place = (row.file, row.line);
            let diagnostic = said.get(&place);
            let [played, kept, rejected, excluded, left_out, unread] = OUTCOMES;
            let outcome = match (diagnostic.map(|diagnostic| diagnostic.consequence), used.get(&place)) {
                (Some(Consequence::Rejected), _) => rejected,
                (Some(Consequence::Excluded), _) => excluded,
                (Some(Consequence::LeftOut), _) => left_out,
                _ if trial.is_none() => unread,
                (_, Some(true)) => played,
                (_, Some(false)) => kept,
                (_, None) => left_out,
            };
            let text = |part: fn(&LogDiagnostic) -> &str| diagnostic.map_or_else(String::new, |it| part(it).to_owned());
            RowView {
                file: self.sample.files[row.file].path.display().to_string(),
                line: row.line,
                cells: self.places.iter().map(|&place| row.cell(place).map(str::to_owned)).collect(),
                outcome,
                code: text(|diagnostic| &diagnostic.code),
                reason: text(|diagnostic| &diagnostic.rule),
                fix: text(|diagnostic| &diagnostic.fix),
            }
        };
        self.rows().skip(first as usize).take(n as usize).map(view).collect()
    }
}

/// Returns true if moves are made of a column and of others.
fn is_part(name: &String, spec: &LogSpec) -> bool {
    spec.columns.get(Role::Action.key()).is_some_and(|column| column.template_names().contains(name))
}

#[cfg(test)]
mod tests {
    use plymap_log::ColumnSpec;

    use super::*;

    #[test]
    fn a_column_is_part_of_a_move_where_its_whole_name_stands() {
        let template = |template: &str| ColumnSpec::Template { template: template.to_owned() };
        let action = template("{piece_id} far{`how far`}{step + 1}");
        let spec = LogSpec { columns: [("action".to_owned(), action)].into(), ..LogSpec::default() };
        let is_part = |name: &str| is_part(&name.to_owned(), &spec);
        assert_eq!(["piece_id", "how far", "step"].map(is_part), [true; 3]);
        assert_eq!(["id", "piece", "far", "how", ""].map(is_part), [false; 5]);
    }
}
