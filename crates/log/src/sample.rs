//! Rows of a log as they come out of its steps, before anybody asks what their columns mean.

use super::columns::positions_of;
use super::error::LogError;
use super::file_format::FileFormat;
use super::log_file::LogFile;
use super::raw::{RawRow, RowDiagnostic};
use super::read;
use super::separator::Separator;
use super::spec::LogSpec;
use super::{columns, pipeline};
use crate::log_file::above_header;
use crate::testing::look;
use plymap_puzzles::progress::Silent;
use plymap_statistics::stats::apa::counted;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows of a log, as texts.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The files.
    pub files: Vec<LogFile>,
    /// Columns of all files behind the steps, in order of appearance.
    pub columns: Vec<String>,
    /// Separator of the fields of the first file, if it is CSV or the like.
    pub separator: Option<char>,
    /// Rows in the order of the files; those that are faulty are left out.
    pub rows: Vec<SampleRow>,
    /// The rows of the files that these were made of.
    pub n_read: u64,
    /// All files of the log, those that are not read among them.
    pub paths: Vec<PathBuf>,
    /// Place of each column.
    places: HashMap<String, usize>,
    /// For each file, where it has each column; files that are alike share theirs.
    places_in_files: Vec<Arc<[Option<usize>]>>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleRow {
    /// Number of its file.
    pub file: usize,
    /// Line in it, as an editor shows, or row of a format without lines.
    pub line: u64,
    /// One cell for each column; missing ones are absent.
    pub cells: Vec<Option<String>>,
}

impl SampleRow {
    /// A cell; nothing where it is missing.
    pub fn cell(&self, place: usize) -> Option<&str> {
        look();
        self.cells[place].as_deref()
    }
}

impl Sample {
    /// Place of a column.
    pub fn place(&self, column: &str) -> Option<usize> {
        self.places.get(column).copied()
    }

    /// `true` if a file has the column at a place, be it with cells or without.
    pub fn file_has(&self, file: usize, place: usize) -> bool {
        self.places_in_files[file][place].is_some()
    }

    /// Remarks on its files as a whole, each as a sentence.
    pub fn notices(&self) -> Vec<String> {
        let mut notices = Vec::new();
        if let [first, others @ ..] = self.files.as_slice()
            && !others.is_empty()
        {
            let n = counted(others.len(), "other file");
            notices.push(format!("{}: the rows of {n} come behind those of it, as one table", first.path.display()));
        }
        for (number, file) in self.files.iter().enumerate() {
            let mut say = |rule: &str| notices.push(format!("{}: {rule}", file.path.display()));
            if file.n_above > 0 {
                say(&above_header(file.n_above));
            }
            for RowDiagnostic { rule, value, .. } in &file.notices {
                say(&if value.is_empty() { rule.clone() } else { format!("{rule}: {value}") });
            }
            if !self.rows.iter().any(|row| row.file == number) {
                say("the file has no rows");
            }
        }
        notices
    }
}

/// Reads the first rows of a log, at most [`LogSpec::max_rows`] of each file.
///
/// # Errors
///
/// As [`read_log`](super::read_log), but for columns: nobody asks for any.
pub fn sample(spec: &LogSpec) -> Result<Sample, LogError> {
    rows(spec, u64::MAX, &|_, _| Ok(()))
}

/// The same, but for rows that would have more cells than so many, which are divided among the files. One row of each
/// file is read all the same.
pub fn sample_within(spec: &LogSpec, most_cells: u64) -> Result<Sample, LogError> {
    rows(spec, most_cells, &|_, _| Ok(()))
}

/// Reads a table of any format that logs have; one faulty row is an error, for nobody hears of it otherwise.
///
/// # Errors
///
/// As [`sample`], an entry of `spec` that cannot be, and a row that is faulty.
pub fn read_rows(spec: &LogSpec) -> Result<Sample, LogError> {
    spec.check()?;
    rows(spec, u64::MAX, &|path, raw| {
        let Some(diagnostic) = &raw.fault else { return Ok(()) };
        let (path, reason, fix) = (path.to_owned(), diagnostic.rule.clone(), diagnostic.fix.clone());
        Err(LogError::Malformed { path, line: raw.line, reason, fix })
    })
}

/// Hands faulty rows to `on_row`, as all others.
fn rows(
    spec: &LogSpec,
    most_cells: u64,
    on_row: &dyn Fn(&Path, &RawRow<'_>) -> Result<(), LogError>,
) -> Result<Sample, LogError> {
    let spec = spec.with_preset()?;
    let mut sources = read::sources(&spec, &Silent)?;
    let mut pipelines = pipeline::pipelines(&mut sources, &spec, &mut Vec::new())?;
    let mut sample = Sample { columns: columns::union(&sources), ..Sample::default() };
    let of_list = |columns: &[String]| columns::positions(&sample.columns, columns);
    let places_of = positions_of(sources.iter().map(|source| &source.output_columns), of_list);
    let nulls: HashSet<&str> = spec.null_values().into_iter().collect();
    let most_of_file = most_cells / sources.len().max(1) as u64;
    for (file, source) in sources.iter_mut().enumerate() {
        let places = &places_of[file];
        let rows = &mut sample.rows;
        let path = source.file.path.clone();
        let (mut n_cells, mut n_rows) = (0, 0);
        let mut take = |raw: RawRow<'_>| {
            if n_cells >= most_of_file {
                return Err(LogError::Cancelled);
            }
            n_cells += places.len() as u64;
            n_rows += 1;
            on_row(&path, &raw)?;
            if raw.fault.is_none() {
                let cell = |place: &Option<usize>| raw.cells.get((*place)?).copied().flatten();
                let present = |text: &&str| !text.trim().is_empty() && !nulls.contains(&text.trim());
                let cells = places.iter().map(|place| cell(place).filter(present).map(|text| text.trim().to_owned()));
                rows.push(SampleRow { file, line: raw.line, cells: cells.collect() });
            }
            Ok(())
        };
        let read = match pipelines.of(file) {
            Some(pipeline) => pipeline.for_each_row(source, &Silent, &mut take),
            None => read::for_each_row(source, &Silent, &mut take),
        };
        match read {
            Err(LogError::Cancelled) if n_cells >= most_of_file => {}
            read => read?,
        }
        sample.n_read += if pipelines.is_empty() { n_rows } else { source.file.n_rows };
    }
    sample.separator = sources.first().and_then(|source| match source.format {
        FileFormat::Delimited(Separator(mark)) => Some(char::from(mark)),
        _ => None,
    });
    sample.places = sample.columns.iter().cloned().zip(0..).collect();
    sample.places_in_files = places_of;
    sample.paths = read::paths(&spec, &sources)?;
    sample.files = sources.into_iter().map(|source| source.file).collect();
    Ok(sample)
}
