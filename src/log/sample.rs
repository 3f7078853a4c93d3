//! Rows of a log as they come out of its steps, before anybody asks what their columns mean.

use std::path::Path;

use super::raw::RawRow;
use super::read;
use super::separator::Separator;
use super::source::FileFormat;
use super::spec::LogSpec;
use super::{LogError, LogFile, pipeline};
use plymap_puzzles::progress::Silent;

/// Rows of a log, as texts.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The files.
    pub files: Vec<LogFile>,
    /// Columns of all files behind the steps, in order of appearance.
    pub columns: Vec<String>,
    /// Whether commas separate the fields of a file.
    pub(crate) has_commas: bool,
    /// Rows in the order of the files; those that are faulty are left out.
    pub rows: Vec<SampleRow>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleRow {
    /// Number of its file.
    pub file: usize,
    /// One cell for each column; missing ones are absent.
    pub cells: Vec<Option<String>>,
}

/// Reads the first rows of a log, at most [`LogSpec::max_rows`] of each file.
///
/// # Errors
///
/// As [`read_log`](super::read_log), but for columns: nobody asks for any.
pub fn sample(spec: &LogSpec) -> Result<Sample, LogError> {
    rows(spec, &|_, _| Ok(()))
}

/// Reads a table of any format that logs have; one faulty row is an error, for nobody hears of it otherwise.
///
/// # Errors
///
/// As [`sample`], and a row that is faulty.
pub(crate) fn read_rows(spec: &LogSpec) -> Result<Sample, LogError> {
    rows(spec, &|path, raw| {
        let Some(flaw) = &raw.fault else { return Ok(()) };
        let (path, reason, fix) = (path.to_owned(), flaw.rule.clone(), flaw.fix.clone());
        Err(LogError::Malformed { path, line: raw.line, reason, fix })
    })
}

/// Hands faulty rows to `on_row`, as all others.
fn rows(spec: &LogSpec, on_row: &dyn Fn(&Path, &RawRow<'_>) -> Result<(), LogError>) -> Result<Sample, LogError> {
    let spec = spec.with_preset()?;
    let mut sources = read::sources(&spec)?;
    let mut pipelines = pipeline::pipelines(&mut sources, &spec, &mut Vec::new())?;
    let mut sample = Sample::default();
    for name in sources.iter().flat_map(|source| &source.given) {
        if !sample.columns.contains(name) {
            sample.columns.push(name.clone());
        }
    }
    let nulls = spec.null_values();
    for (file, source) in sources.iter_mut().enumerate() {
        let place = |name: &String| source.given.iter().position(|given| given == name);
        let places: Vec<Option<usize>> = sample.columns.iter().map(place).collect();
        let rows = &mut sample.rows;
        let path = source.file.path.clone();
        let mut take = |raw: RawRow<'_>| {
            on_row(&path, &raw)?;
            if raw.fault.is_none() {
                let cell = |place: &Option<usize>| raw.cells.get((*place)?).copied().flatten();
                let present = |text: &&str| !text.trim().is_empty() && !nulls.contains(&text.trim());
                let cells = places.iter().map(|place| cell(place).filter(present).map(|text| text.trim().to_owned()));
                rows.push(SampleRow { file, cells: cells.collect() });
            }
            Ok(())
        };
        match pipelines.get_mut(file) {
            Some(pipeline) => pipeline.for_each_row(source, &Silent, &mut take)?,
            None => read::for_each_row(source, &Silent, &mut take)?,
        }
    }
    sample.has_commas = sources.iter().any(|source| source.format == FileFormat::Delimited(Separator(b',')));
    sample.files = sources.into_iter().map(|source| source.file).collect();
    Ok(sample)
}
