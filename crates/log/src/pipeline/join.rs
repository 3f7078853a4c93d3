//! Another file, whose rows are looked up.

use super::super::raw::RowDiagnostic;
use super::super::{pipeline_step, read};
use super::columns::ColumnSet;
use super::rows::key;
use super::step::{Row, Step, StepContext};
use crate::error::LogError;
use crate::log_file::LogFile;
use plymap_puzzles::progress::Silent;
use std::collections::HashMap;
use std::path::Path;

pub(super) struct Join {
    by: Vec<usize>,
    /// New columns.
    made_columns: Vec<usize>,
    rows: HashMap<Vec<Option<String>>, Vec<Option<String>>>,
    file: String,
}

impl Join {
    pub(super) fn new(
        join: &pipeline_step::Join,
        columns: &mut ColumnSet,
        context: &StepContext<'_>,
        joined: &mut Vec<LogFile>,
    ) -> Result<Self, LogError> {
        if join.by.is_empty() {
            return Err(
                context.wrong("`by` names no column that the two files share, as in by = { participant = \"id\" }")
            );
        }
        let by = join.by.keys().map(|name| context.column(name, columns)).collect::<Result<Vec<_>, _>>()?;
        let mut source = read::inspect(&join.file, context.pipeline.spec)?;
        let place = |name: &String| {
            source.columns.iter().position(|known| known == name).ok_or_else(|| LogError::UnknownColumn {
                path: join.file.clone(),
                key: "the step join".into(),
                column: name.as_str().into(),
                nearest: plymap_tables::did_you_mean::nearest(name, source.columns.iter().map(String::as_str)),
                has: source.columns.join(", "),
            })
        };
        let of_file = join.by.values().map(place).collect::<Result<Vec<_>, _>>()?;
        let joined_columns: Vec<usize> = (0..source.columns.len()).filter(|column| !of_file.contains(column)).collect();
        if let Some(&clash) = joined_columns.iter().find(|&&column| columns.has(&source.columns[column])) {
            let name = &source.columns[clash];
            return Err(context.wrong(format!(
                "{} and the log both have a column {name:?}; rename one of them",
                join.file.display()
            )));
        }
        let nulls = context.pipeline.spec.null_values();
        let mut rows: HashMap<Vec<Option<String>>, Vec<Option<String>>> = HashMap::new();
        let mut n_rows = 0;
        read::for_each_row(&source, &Silent, &mut |raw| {
            n_rows += 1;
            if let Some(diagnostic) = raw.fault {
                return Err(malformed(&join.file, raw.line, diagnostic.rule, diagnostic.fix));
            }
            let cell = |column: usize| {
                let cell = raw.cells.get(column).copied().flatten().map(str::trim);
                cell.filter(|cell| !cell.is_empty() && !nulls.contains(cell)).map(str::to_owned)
            };
            let key: Vec<_> = of_file.iter().map(|&column| cell(column)).collect();
            let shown = key.iter().flatten().cloned().collect::<Vec<_>>().join(", ");
            if rows.insert(key, joined_columns.iter().map(|&column| cell(column)).collect()).is_some() {
                let reason = format!("{shown:?} stands in two rows, and nobody knows which is meant");
                return Err(malformed(&join.file, raw.line, reason, "keep one of them".to_owned()));
            }
            Ok(())
        })?;
        source.file.n_rows = n_rows;
        let made_columns = joined_columns.iter().map(|&column| columns.add(&source.columns[column])).collect();
        if !joined.iter().any(|file| file.path == source.file.path) {
            joined.push(source.file);
        }
        Ok(Self { by, made_columns, rows, file: join.file.display().to_string() })
    }
}

fn malformed(path: &Path, line: u64, reason: String, fix: String) -> LogError {
    LogError::Malformed { path: path.to_owned(), line, reason, fix }
}

impl Step for Join {
    fn take(&mut self, mut row: Row, columns: &mut ColumnSet, output: &mut Vec<Row>) {
        let mut key = key(&row, &self.by);
        for part in key.iter_mut().flatten() {
            *part = part.trim().to_owned();
        }
        match self.rows.get(&key) {
            Some(cells) => {
                for (&column, cell) in self.made_columns.iter().zip(cells) {
                    row.set(column, cell.clone());
                }
            }
            None => {
                let shown = key.iter().flatten().cloned().collect::<Vec<_>>().join(", ");
                let rule = format!("{} has no row for it; the columns of that file are missing", self.file);
                row.notices.push(RowDiagnostic::new(
                    "not-joined",
                    columns.name(self.by[0]),
                    &shown,
                    rule,
                    "add the row",
                ));
            }
        }
        output.push(row);
    }
}
