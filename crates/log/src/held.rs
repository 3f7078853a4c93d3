//! Rows of a log that are held in memory, with some of its columns: where a table has very many, it is read through twice
//! rather than for each question that is asked of it.

use super::columns;
use super::error::LogError;
use super::raw::Sink;
use super::read;
use super::source::Source;
use super::spec::LogSpec;
use crate::held_files::Held;
use crate::held_rows::HeldRow;
use crate::held_rows::HeldRows;
use crate::testing::look;
use plymap_puzzles::progress::Silent;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// The files of a log, looked at, before it is decided which of their columns are held.
pub struct Files {
    sources: Vec<Source>,
    paths: Vec<PathBuf>,
    columns: Vec<String>,
}

impl Files {
    /// Opens the files.
    ///
    /// # Errors
    ///
    /// As for [`sample`](crate::sample).
    pub fn open(spec: &LogSpec) -> Result<Self, LogError> {
        let spec = spec.with_preset()?;
        let sources = read::sources(&spec, &Silent)?;
        Ok(Self { paths: read::paths(&spec, &sources)?, columns: columns::union(&sources), sources })
    }

    /// The columns of all files before the steps, in order of appearance.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Number of files.
    pub fn n_files(&self) -> usize {
        self.sources.len()
    }

    /// Hands the cells of the first rows of each file to `look`, each with the place of its column. It says whether it wants
    /// to see more of that column.
    pub fn look(&self, rows_of_file: u64, look: &mut dyn FnMut(usize, &str) -> bool) -> Result<(), LogError> {
        let mut is_wanted = vec![true; self.columns.len()];
        for source in &self.sources {
            let places: Vec<usize> = columns::positions(&source.columns, &self.columns)
                .into_iter()
                .map(|place| place.unwrap_or(0))
                .collect();
            first_rows(source, rows_of_file, &mut |row| {
                for (&place, cell) in places.iter().zip(row.cells).filter(|_| row.fault.is_none()) {
                    if let Some(cell) = cell.map(str::trim).filter(|cell| is_wanted[place] && !cell.is_empty()) {
                        is_wanted[place] = look(place, cell);
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Reads the first rows of each file, and keeps these columns of them.
    pub fn hold(self, rows_of_file: u64, kept: &HashSet<String>) -> Result<Held, LogError> {
        let mut lists = HashSet::new();
        let hold = |source: Source| {
            let places: Vec<usize> =
                (0..source.columns.len()).filter(|&place| kept.contains(&source.columns[place])).collect();
            let mut rows = Vec::new();
            first_rows(&source, rows_of_file, &mut |row| {
                let cell = |&place: &usize| row.cells.get(place).copied().flatten().map(Box::from);
                let cells = places.iter().map(cell).collect();
                rows.push(HeldRow { line: row.line, cells, fault: row.fault, notices: row.notices.into() });
                Ok(())
            })?;
            let columns: Arc<[String]> = places.iter().map(|&place| source.columns[place].clone()).collect();
            let columns = read::shared(&mut lists, &columns);
            Ok(Source { output_columns: Arc::clone(&columns), columns, held: Some(HeldRows(rows.into())), ..source })
        };
        let sources = self.sources.into_iter().map(hold).collect::<Result<Vec<_>, LogError>>()?;
        Ok(Held { sources: sources.into(), paths: self.paths.into() })
    }
}

/// Hands the first rows of a file to `sink`.
fn first_rows(source: &Source, most: u64, sink: &mut Sink<'_>) -> Result<(), LogError> {
    let most = source.max_rows.unwrap_or(u64::MAX).min(most);
    read::for_each_row(&Source { max_rows: Some(most), ..source.clone() }, &Silent, &mut |row| {
        row.cells.iter().for_each(|_| look());
        sink(row)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Sample, sample};
    use super::*;

    #[test]
    fn held_rows_are_those_of_the_files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.csv"), "p,x,y\n1,2,3\n4,,6\n7,8\n\n9,10,11\n").unwrap();
        std::fs::write(folder.path().join("b.ndjson"), "{\"y\": \"u\"}\n{\"z\": [1], \"p\": true}\n").unwrap();
        let plain = LogSpec { files: vec![folder.path().to_owned()], ..LogSpec::default() };
        let files = Files::open(&plain).unwrap();
        assert_eq!((files.columns(), files.n_files()), (["p", "x", "y", "z"].map(str::to_owned).as_slice(), 2));
        let mut cell_texts = Vec::new();
        files
            .look(3, &mut |place, cell| {
                cell_texts.push(format!("{place}{cell}"));
                place != 2
            })
            .unwrap();
        assert_eq!(cell_texts, ["01", "12", "23", "04", "3[1]", "0true"], "a ragged row says nothing");
        let kept = HashSet::from(["p".to_owned(), "y".to_owned()]);
        let held = LogSpec { held: Some(files.hold(100, &kept).unwrap()), ..plain.clone() };
        let cells = |sample: &Sample, names: &[&str]| -> Vec<(usize, u64, Vec<Option<String>>)> {
            let cell = |row: &super::super::SampleRow, name: &str| row.cell(sample.place(name)?).map(str::to_owned);
            let row = |row: &super::super::SampleRow| names.iter().map(|name| cell(row, name)).collect();
            sample.rows.iter().map(|sampled| (sampled.file, sampled.line, row(sampled))).collect()
        };
        let (all, some) = (sample(&plain).unwrap(), sample(&held).unwrap());
        assert_eq!(some.columns, ["p", "y"]);
        assert_eq!(cells(&some, &["p", "y"]), cells(&all, &["p", "y"]));
        assert_eq!((some.rows.len(), some.n_read, &some.paths), (5, all.n_read, &all.paths));
        let first = sample(&LogSpec { max_rows: Some(1), ..held }).unwrap();
        assert_eq!(cells(&first, &["p"]).len(), 2);
    }
}
