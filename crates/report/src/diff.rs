//! Two runs compared table by table: what differs, by how much, and what can explain it.
//!
//! Rows are matched on the columns that tell them apart. Numbers are compared with a tolerance, everything else as text.

mod rows;

use super::error::ReportError;
use super::manifest::{Manifest, sha256_file};
use plymap_expression::is_missing;
use plymap_puzzles::progress::Progress;
use plymap_tables::did_you_mean::nearest;
use plymap_tables::{
    CODEBOOK_NAME, Cell, Cells, ColumnDoc, Columns, FileError, Table, TableError, TableFormat, count, number,
    read_table, text,
};
use polars::prelude::{Column, Float64Chunked, IntoColumn as _, StringChunked};
use rows::MatchedRows;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The folders of a run that hold tables. Those of the first go by their names alone.
const FOLDERS: [&str; 3] = ["tables", "distances", "edges"];

/// Number of rows that a table of differences names where one run alone has them.
const ROWS_NAMED: usize = 3;

/// Tolerance of comparisons: numbers a and b are equal if |a - b| ≤ absolute + relative · max(|a|, |b|).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Share of the larger number.
    pub relative: f64,
    /// Distance.
    pub absolute: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { relative: 1e-9, absolute: 1e-12 }
    }
}

impl Tolerance {
    /// Returns true if two numbers are equal within the tolerance; infinities and NaN equal only themselves.
    fn holds(self, left: f64, right: f64) -> bool {
        let apart = (left - right).abs();
        // The tolerance of an infinite number would be infinite too, and make any other number equal to it.
        let is_near = apart.is_finite() && apart <= self.absolute + self.relative * left.abs().max(right.abs());
        is_near || left == right || (left.is_nan() && right.is_nan())
    }
}

/// Kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The version of plymap.
    Version,
    /// An option of the study.
    Option,
    /// A seed.
    Seed,
    /// An input.
    Input,
    /// A file of a table that is not as its run wrote it.
    File,
    /// A table that one run alone has.
    Table,
    /// A column that one run alone has.
    Column,
    /// Rows that the first run alone has.
    Dropped,
    /// Rows that the second run alone has.
    Added,
    /// Cells of a column.
    Cells,
}

impl What {
    const NAMES: [&'static str; 10] =
        ["version", "option", "seed", "input", "file", "table", "column", "dropped", "added", "cells"];

    /// Returns its name in tables.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns true if it is a difference of results rather than an explanation of one.
    fn is_result(self) -> bool {
        matches!(self, Self::Table | Self::Column | Self::Dropped | Self::Added | Self::Cells)
    }
}

/// Difference between two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Kind of the difference.
    pub what: What,
    /// The table; absent for explanations.
    pub table: Option<String>,
    /// The column, option, seed, input or file; absent where the whole table is meant.
    pub name: Option<String>,
    /// The first run; of cells, the one in `cells`.
    pub one: Option<String>,
    /// The second run, likewise.
    pub other: Option<String>,
    /// Differing cells or rows; absent for differences of other kinds.
    pub cells: Option<Differing>,
}

/// The cells of a column that differ, or the rows that one run alone has.
#[derive(Clone, Debug, PartialEq)]
pub struct Differing {
    /// Number of cells compared; of rows, of all that the run has.
    pub n: u64,
    /// Number of those that differ, or that the other run lacks.
    pub n_differ: u64,
    /// The largest absolute difference of numbers; absent where none differ as numbers.
    pub largest_absolute: Option<f64>,
    /// The largest difference of numbers as a share of the larger one.
    pub largest_relative: Option<f64>,
    /// Row of the first run, from 1, of the largest absolute difference, the first of several; where no numbers differ,
    /// the first cell that does; of rows, the first one, in the run that has it.
    pub row: u64,
    /// Key of that row, as `column = value`; of rows, the keys of the first three, with semicolons between them.
    pub key: String,
}

/// Comparison of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Differences: explanations, then results in the order of tables, behind the files of each that were changed.
    pub differences: Vec<Difference>,
    /// Number of tables that both runs have.
    pub n_tables: u64,
    /// Number of cells compared.
    pub n_cells: u64,
    /// The tolerance.
    pub tolerance: Tolerance,
}

/// Error in comparing two runs.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// A manifest or a table cannot be read.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A folder cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Neither run has that table.
    #[error("neither run has a table {name:?}; {hint}")]
    NoTable {
        /// The name.
        name: String,
        /// The name that was meant, or those that there are.
        hint: String,
    },
    /// The caller asked to stop.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

/// Compares two runs, or one table of them.
///
/// # Errors
///
/// [`DiffError`]; a folder without a manifest is no run.
pub fn diff(
    left: &Path,
    right: &Path,
    tolerance: Tolerance,
    only: Option<&str>,
    progress: &dyn Progress,
) -> Result<Comparison, DiffError> {
    let manifests = (Manifest::read(left)?, Manifest::read(right)?);
    let differences = explanations(&manifests.0, &manifests.1);
    let mut comparison = Comparison { differences, n_tables: 0, n_cells: 0, tolerance };
    let (of_one, of_other) = (tables(left)?, tables(right)?);
    let mut names: BTreeSet<&str> = of_one.keys().chain(of_other.keys()).map(String::as_str).collect();
    if let Some(name) = only {
        if !names.contains(name) {
            let hint = match nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean {near:?}?"),
                None => format!("there are {}", names.into_iter().collect::<Vec<_>>().join(", ")),
            };
            return Err(DiffError::NoTable { name: name.to_owned(), hint });
        }
        names.retain(|known| *known == name);
    }
    progress.begin("comparing tables", Some(names.len() as u64));
    for name in names {
        match (of_one.get(name), of_other.get(name)) {
            (Some(formats), Some(others)) => {
                // The same format of both, where there is one: Parquet has the types, CSV what everyone has.
                let common = formats.iter().filter(|format| others.contains(format)).max();
                let format = |formats: &'_ BTreeSet<_>| common.or(formats.iter().max()).copied();
                let (Some(format), Some(with)) = (format(formats), format(others)) else { continue };
                comparison.check_files([(left, &manifests.0, format), (right, &manifests.1, with)], name)?;
                let mut both = [read(left, name, format)?, read(right, name, with)?];
                if format != with {
                    both.iter_mut().try_for_each(drop_what_csv_lacks)?;
                }
                comparison.compare(name, &both[0], &both[1])?;
            }
            (has_one, has_other) => comparison.add(What::Table, name, None, there(has_one), there(has_other)),
        }
        progress.advance(1);
        if progress.is_cancelled() {
            return Err(DiffError::Interrupted);
        }
    }
    progress.end();
    Ok(comparison)
}

/// The tables of a run by name, with the formats in which it has them.
fn tables(run: &Path) -> Result<BTreeMap<String, BTreeSet<TableFormat>>, ReportError> {
    let mut tables: BTreeMap<String, BTreeSet<TableFormat>> = BTreeMap::new();
    for folder in FOLDERS.iter().map(|name| run.join(name)).filter(|folder| folder.is_dir()) {
        let entries = std::fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        for entry in entries.map_err(plymap_tables::failed("list", &folder))? {
            let path = entry.path();
            let part = |part: Option<&std::ffi::OsStr>| part.and_then(|part| part.to_str()).map(str::to_owned);
            let (Some(stem), Some(extension)) = (part(path.file_stem()), part(path.extension())) else { continue };
            let Ok(format) = extension.parse() else { continue };
            let name = if folder.ends_with(FOLDERS[0]) {
                stem
            } else {
                format!("{}/{stem}", part(folder.file_name()).unwrap_or_default())
            };
            tables.entry(name).or_default().insert(format);
        }
    }
    Ok(tables)
}

/// The folder of a table within a run, and the stem of its files.
fn place(name: &str) -> (&str, &str) {
    name.split_once('/').unwrap_or((FOLDERS[0], name))
}

fn read(run: &Path, name: &str, format: TableFormat) -> Result<Table, TableError> {
    let (folder, stem) = place(name);
    read_table(&run.join(folder), stem, format)
}

/// Makes missing what a table read from CSV cannot hold: texts that are read as missing there, and NaN.
fn drop_what_csv_lacks(table: &mut Table) -> Result<(), TableError> {
    let columns: Vec<Column> = table.data.columns().to_vec();
    for column in columns {
        let name = column.name().clone();
        let column = match Cells::of_column(&table.name, &column)? {
            Cells::Text(texts) => {
                let texts: StringChunked = texts.iter().map(|text| text.filter(|text| !is_missing(text))).collect();
                texts.into_column()
            }
            Cells::Number(numbers) => {
                let numbers: Float64Chunked = numbers.iter().map(|x| x.filter(|x| !x.is_nan())).collect();
                numbers.into_column()
            }
            _ => continue,
        };
        table.data.with_column(column.with_name(name.clone())).map_err(|error| TableError::Column {
            table: table.name.clone(),
            column: name.to_string(),
            problem: error.to_string(),
        })?;
    }
    Ok(())
}

fn there<T>(thing: Option<T>) -> Option<String> {
    thing.map(|_| "there".to_owned())
}

impl Comparison {
    /// Returns true if all tables are equal; options, versions and inputs may differ.
    pub fn is_equal(&self) -> bool {
        !self.differences.iter().any(|difference| difference.what.is_result())
    }

    /// Returns a summary of the comparison in one line.
    pub fn summary(&self) -> String {
        let Self { n_tables, n_cells, tolerance: Tolerance { absolute, relative }, .. } = self;
        let results = || self.differences.iter().filter(|difference| difference.what.is_result());
        let compared = format!(
            "tables compared: {n_tables}, cells: {n_cells}, tolerance: {absolute:e} + {relative:e} of the larger number"
        );
        if self.is_equal() {
            let beside = match self.differences.len() {
                0 => String::new(),
                n => format!("; differences of versions, options, seeds, inputs and files: {n}"),
            };
            return format!("{compared}; all tables are equal{beside}");
        }
        let tables: BTreeSet<_> = results().filter_map(|difference| difference.table.as_ref()).collect();
        let number = |kinds: &[What]| -> u64 {
            let cells = results().filter(|diff| kinds.contains(&diff.what)).filter_map(|diff| diff.cells.as_ref());
            cells.map(|cells| cells.n_differ).sum()
        };
        let (n_cells, n_rows) = (number(&[What::Cells]), number(&[What::Dropped, What::Added]));
        let rows = if n_rows > 0 { format!(", rows of one run alone: {n_rows}") } else { String::new() };
        format!("{compared}; tables that differ: {}, cells: {n_cells}{rows}", tables.len())
    }

    /// The differences as a table.
    pub fn table(&self) -> Table {
        let rows = &self.differences;
        let cells = |row: &Difference| row.cells.clone();
        Columns::new()
            .values(
                ColumnDoc::new("what", "what differs: version, option, seed, input and file can explain the others")
                    .levels(&What::NAMES),
                rows.iter().map(|row| row.what.name()).collect(),
            )
            .column(rows, text("table", "the table; empty for explanations"), |row| row.table.clone())
            .column(rows, text("name", "the column, option, seed, input or file"), |row| row.name.clone())
            .column(
                rows,
                text("one", "the first run; of cells, the value in row; of rows, how many; empty where there is none"),
                |row| row.one.clone(),
            )
            .column(rows, text("other", "the second run, likewise"), |row| row.other.clone())
            .values(
                count("n", "number of cells compared; of dropped and added rows, of all that the run has"),
                rows.iter().map(|row| Some(cells(row)?.n)).collect(),
            )
            .values(
                count("n_differ", "number of cells that differ, or of rows that one run alone has"),
                rows.iter().map(|row| Some(cells(row)?.n_differ)).collect(),
            )
            .column(rows, number("largest_absolute", "largest difference of two numbers"), |row| {
                cells(row)?.largest_absolute
            })
            .column(rows, number("largest_relative", "largest difference as a share of the larger number"), |row| {
                cells(row)?.largest_relative
            })
            .values(
                count(
                    "row",
                    "row of the first run, from 1, of the largest absolute difference; of the first one where no numbers \
                     differ; of added rows, that of the second run",
                ),
                rows.iter().map(|row| Some(cells(row)?.row)).collect(),
            )
            .column(rows, text("key", "what tells that row from others; of rows, the first three"), |row| {
                Some(cells(row)?.key)
            })
            .into_table("differences", "What differs between two runs.")
    }

    fn add(&mut self, what: What, table: &str, name: Option<&str>, one: Option<String>, other: Option<String>) {
        let (table, name) = (Some(table.to_owned()), name.map(str::to_owned));
        self.differences.push(Difference { what, table, name, one, other, cells: None });
    }

    /// Adds the files of a table that are not as their runs wrote them.
    fn check_files(&mut self, runs: [(&Path, &Manifest, TableFormat); 2], name: &str) -> Result<(), ReportError> {
        let (folder, stem) = place(name);
        let mut changed: BTreeMap<String, [Option<String>; 2]> = BTreeMap::new();
        for (number, (run, manifest, format)) in runs.into_iter().enumerate() {
            let sidecar = format!("{folder}/{stem}.json");
            let documentation = if run.join(&sidecar).exists() { sidecar } else { CODEBOOK_NAME.to_owned() };
            for path in [format!("{folder}/{stem}.{format}"), documentation] {
                let (_, sum) = sha256_file(&run.join(&path))?;
                let written = manifest.outputs.iter().find(|entry| entry.path == path);
                if written.is_none_or(|entry| entry.sha256 != sum) {
                    changed.entry(path).or_default()[number] = Some("is not as its run wrote it".to_owned());
                }
            }
        }
        for (path, [one, other]) in changed {
            let difference = Difference { what: What::File, table: None, name: Some(path), one, other, cells: None };
            // The codebook is that of all tables.
            if !self.differences.contains(&difference) {
                self.differences.push(difference);
            }
        }
        Ok(())
    }

    /// Compares a table of one run with that of the other.
    fn compare(&mut self, name: &str, left: &Table, right: &Table) -> Result<(), ReportError> {
        self.n_tables += 1;
        let has = |table: &Table, column: &str| table.data.column(column).is_ok();
        for (table, others, is_first) in [(left, right, true), (right, left, false)] {
            for column in table.data.columns().iter().map(|column| column.name().as_str()) {
                if !has(others, column) {
                    let there = Some("there".to_owned());
                    let (left, right) = if is_first { (there, None) } else { (None, there) };
                    self.add(What::Column, name, Some(column), left, right);
                }
            }
        }
        let rows = MatchedRows::new(left, right).map_err(|error| TableError::Column {
            table: name.to_owned(),
            column: "key".to_owned(),
            problem: format!("its rows cannot be matched: {error}"),
        })?;
        let (cells, others) = (named_cells(left)?, named_cells(right)?);
        self.add_rows(What::Dropped, name, &rows.dropped, left, key_of(&cells, &rows.keys));
        self.add_rows(What::Added, name, &rows.added, right, key_of(&others, &rows.keys));
        let key = key_of(&cells, &rows.keys);
        for (column, values) in &cells {
            let Some((_, with)) = others.iter().find(|(right, _)| right == column) else { continue };
            self.n_cells += rows.both.len() as u64;
            let Some((cells, (row, other_row))) = differing(values, with, &rows.both, self.tolerance) else { continue };
            self.add(What::Cells, name, Some(column), shown(values.get(row)), shown(with.get(other_row)));
            if let Some(added) = self.differences.last_mut() {
                added.cells = Some(Differing { key: key(row), ..cells });
            }
        }
        Ok(())
    }

    /// Adds the rows of a table that one run alone has, if there are any.
    fn add_rows(&mut self, what: What, name: &str, rows: &[usize], table: &Table, key: impl Fn(usize) -> String) {
        let Some(&first) = rows.first() else { return };
        let number = Some(rows.len().to_string());
        let (left, right) = if what == What::Dropped { (number, None) } else { (None, number) };
        self.add(what, name, None, left, right);
        let named = rows.iter().take(ROWS_NAMED).map(|&row| key(row));
        let more = (rows.len() > ROWS_NAMED).then(|| "…".to_owned());
        if let Some(added) = self.differences.last_mut() {
            added.cells = Some(Differing {
                n: table.data.height() as u64,
                n_differ: rows.len() as u64,
                largest_absolute: None,
                largest_relative: None,
                row: first as u64 + 1,
                key: named.chain(more).collect::<Vec<_>>().join("; "),
            });
        }
    }
}

fn shown(cell: Cell) -> Option<String> {
    (cell != Cell::Missing).then(|| cell.to_string())
}

/// The columns of a table by name.
fn named_cells(table: &Table) -> Result<Vec<(String, Cells)>, ReportError> {
    let names = table.data.columns().iter().map(|column| column.name().to_string());
    Ok(names.zip(Cells::of_table(table)?).collect())
}

/// The names of rows by these columns, as `column = value`.
fn key_of<'a>(columns: &'a [(String, Cells)], keys: &[String]) -> impl Fn(usize) -> String + use<'a> {
    let keys: Vec<_> = columns.iter().filter(|(name, _)| keys.contains(name)).collect();
    move |row| keys.iter().map(|(key, cells)| format!("{key} = {}", cells.get(row))).collect::<Vec<_>>().join(", ")
}

/// The cells of a column that differ in rows that belong together, and these rows where they differ most; nothing where
/// none differ.
fn differing(
    left: &Cells,
    right: &Cells,
    rows: &[(usize, usize)],
    tolerance: Tolerance,
) -> Option<(Differing, (usize, usize))> {
    let mut differing: Option<(Differing, (usize, usize))> = None;
    for &(row, other_row) in rows {
        let (left, right) = (left.get(row), right.get(other_row));
        let numbers = left.number().zip(right.number());
        let is_equal = match numbers {
            Some((left, right)) => tolerance.holds(left, right),
            None if left == Cell::Missing || right == Cell::Missing => left == right,
            None => left.to_string() == right.to_string(),
        };
        if is_equal {
            continue;
        }
        let (cells, place) = differing.get_or_insert_with(|| {
            let none = Differing {
                n: rows.len() as u64,
                n_differ: 0,
                largest_absolute: None,
                largest_relative: None,
                row: row as u64 + 1,
                key: String::new(),
            };
            (none, (row, other_row))
        });
        cells.n_differ += 1;
        let Some((left, right)) = numbers else { continue };
        let apart = (left - right).abs();
        if cells.largest_absolute.is_none_or(|largest| apart > largest) {
            (cells.largest_absolute, cells.row, *place) = (Some(apart), row as u64 + 1, (row, other_row));
        }
        let relative = apart / left.abs().max(right.abs());
        cells.largest_relative = Some(cells.largest_relative.map_or(relative, |largest| largest.max(relative)));
    }
    differing
}

/// Returns differences that can explain those of results: version, options, seeds and inputs.
fn explanations(left: &Manifest, right: &Manifest) -> Vec<Difference> {
    let versions = [left, right].map(|manifest| BTreeMap::from([("plymap".to_owned(), manifest.plymap.clone())]));
    let options = [left, right].map(|manifest| {
        let mut options = BTreeMap::new();
        flatten(&manifest.study, String::new(), &mut options);
        options
    });
    let seeds = [left, right].map(|manifest| {
        manifest.seeds.iter().map(|(name, seed)| (name.clone(), seed.to_string())).collect::<BTreeMap<_, _>>()
    });
    let inputs = [left, right].map(|manifest| {
        let entry =
            |entry: &crate::FileEntry| (entry.path.clone(), format!("{} bytes, SHA-256 {}", entry.bytes, entry.sha256));
        manifest.inputs.iter().map(entry).collect::<BTreeMap<_, _>>()
    });
    let all = [(What::Version, versions), (What::Option, options), (What::Seed, seeds), (What::Input, inputs)];
    all.into_iter().flat_map(|(what, [left, right])| differing_entries(what, &left, &right)).collect()
}

fn differing_entries(what: What, left: &BTreeMap<String, String>, right: &BTreeMap<String, String>) -> Vec<Difference> {
    let names: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    let differs = names.into_iter().filter(|name| left.get(*name) != right.get(*name));
    differs
        .map(|name| Difference {
            what,
            table: None,
            name: Some(name.clone()),
            one: left.get(name).cloned(),
            other: right.get(name).cloned(),
            cells: None,
        })
        .collect()
}

/// The leaves of a configuration by their path, such as `figures.dpi`.
fn flatten(value: &Value, path: String, leaves: &mut BTreeMap<String, String>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, value)| flatten(value, below(key), leaves)),
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            items.iter().enumerate().for_each(|(place, value)| flatten(value, below(&(place + 1).to_string()), leaves));
        }
        Value::Null => {}
        Value::String(text) => drop(leaves.insert(path, text.clone())),
        value => drop(leaves.insert(path, value.to_string())),
    }
}

#[cfg(test)]
mod tests;
