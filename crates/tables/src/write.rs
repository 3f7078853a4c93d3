//! Tables as files: CSV, Parquet, and the sidecar that says what each column means.

use base64::Engine as _;
use foldhash::fast::RandomState;
use polars::prelude::{Column as PolarsColumn, KeyValueMetadata};
use polars_arrow::io::ipc::write::{default_ipc_fields, schema_to_bytes};
use rayon::prelude::*;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::cells::{Cell, Cells};
use crate::codebook::{CodebookColumn, Sidecar};
use crate::format::TableFormat;
use crate::row_groups::{RowGroups, Unwritten, arrow_schema};
use crate::stem::is_portable;
use crate::table::{ColumnDoc, Table};
use crate::{TableError, failed};

/// Writes a table into an existing folder under its own name: one file for each format, and
/// `NAME.json`, which holds its caption and the type, meaning, unit and levels of each column.
/// Returns the files in the order of `formats`, the sidecar last. The same table gives the same bytes.
///
/// # Errors
/// Whatever [`check_table`] finds, before anything is written; a name that is no portable file name;
/// a file that cannot be written.
pub fn write_table(table: &Table, folder: &Path, formats: &[TableFormat]) -> Result<Vec<PathBuf>, TableError> {
    write_table_as(table, folder, &table.name, formats)
}

/// Writes a table like [`write_table`], but with another stem for its files, as for the distance
/// tables, which share a name and differ by level.
///
/// # Errors
/// As for [`write_table`].
pub fn write_table_as(
    table: &Table,
    folder: &Path,
    stem: &str,
    formats: &[TableFormat],
) -> Result<Vec<PathBuf>, TableError> {
    let mut writer = TableWriter::create(table, folder, stem, formats)?;
    writer.append(table)?;
    writer.finish()
}

/// The files of a table while its rows come, part by part.
pub struct TableWriter {
    head: Table,
    n_rows: usize,
    csv: Option<Output<BufWriter<File>>>,
    parquet: Option<Output<RowGroups>>,
    sidecar: PathBuf,
    written: Vec<PathBuf>,
}

/// Destination of one format.
struct Output<W> {
    path: PathBuf,
    writer: W,
}

impl TableWriter {
    /// Begins the files of a table that has the columns of this one, but none of its rows yet.
    ///
    /// # Errors
    /// Whatever [`check_table`] finds, before anything is written; a stem that is no portable file name; a file that cannot
    /// be made.
    pub fn create(table: &Table, folder: &Path, stem: &str, formats: &[TableFormat]) -> Result<Self, TableError> {
        if !is_portable(stem) {
            return Err(TableError::Stem { stem: stem.to_owned() });
        }
        // Its rows too: what is wrong with a table that comes whole is found before a file is there.
        check_table(table)?;
        let head = Table { data: table.data.clear(), ..table.clone() };
        let mut files = Self {
            head,
            n_rows: 0,
            csv: None,
            parquet: None,
            sidecar: folder.join(format!("{stem}.json")),
            written: Vec::with_capacity(formats.len() + 1),
        };
        for format in formats {
            let path = folder.join(format!("{stem}.{format}"));
            let file = File::create(&path).map_err(failed("create", &path))?;
            files.written.push(path.clone());
            match format {
                TableFormat::Csv => {
                    let mut file = BufWriter::new(file);
                    write_header(&files.head, Dialect::CSV, &mut file).map_err(failed("write", &path))?;
                    files.csv = Some(Output { path, writer: file });
                }
                TableFormat::Parquet => {
                    let writer =
                        RowGroups::new(&files.head.data, pandas_types(&files.head), file).map_err(unwritten(&path))?;
                    files.parquet = Some(Output { path, writer });
                }
            }
        }
        Ok(files)
    }

    /// Adds the rows of a table with the same columns.
    ///
    /// # Errors
    /// Whatever [`check_table`] finds, and a file that cannot be written.
    pub fn append(&mut self, table: &Table) -> Result<(), TableError> {
        // Of the types of its columns there is nothing more to be found.
        check_documented(table)?;
        self.n_rows += table.data.height();
        if let Some(Output { path, writer }) = &mut self.csv {
            write_rows(table, &Cells::of_table(table)?, Dialect::CSV, writer).map_err(failed("write", path))?;
        }
        if let Some(Output { path, writer }) = &mut self.parquet {
            writer.append(&table.data).map_err(unwritten(path))?;
        }
        Ok(())
    }

    /// Ends the files; returns them in the order of their formats, the sidecar last.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(mut self) -> Result<Vec<PathBuf>, TableError> {
        if let Some(Output { path, mut writer }) = self.csv {
            writer.flush().map_err(failed("write", &path))?;
        }
        if let Some(Output { path, writer }) = self.parquet {
            writer.finish().map_err(unwritten(&path))?;
        }
        fs::write(&self.sidecar, sidecar(&self.head, self.n_rows)?).map_err(failed("write", &self.sidecar))?;
        self.written.push(self.sidecar);
        Ok(self.written)
    }
}

fn unwritten(path: &Path) -> impl FnOnce(Unwritten) -> TableError + '_ {
    |error| match error {
        Unwritten::System(error) => failed("write", path)(error).into(),
        Unwritten::Library(source) => TableError::Parquet { path: path.to_owned(), source },
    }
}

/// Checks that a table says what each of its columns means: every column of the data is documented
/// in the same place, nothing else is, no meaning is blank, and where levels are listed no other
/// value occurs.
///
/// # Errors
/// The first column that fails, by name.
pub fn check_table(table: &Table) -> Result<(), TableError> {
    check_documented(table)?;
    Cells::of_table(table).map(drop)
}

/// The same, but for types that no table can carry.
fn check_documented(table: &Table) -> Result<(), TableError> {
    let present: Vec<&str> = table.data.columns().iter().map(|column| column.name().as_str()).collect();
    let documented: Vec<&str> = table.columns.iter().map(|doc| doc.name.as_str()).collect();
    let wrong = |column: &str, problem: String| TableError::Column {
        table: table.name.clone(),
        column: column.into(),
        problem,
    };
    // A log may have very many columns.
    let (is_found, is_documented): (HashSet<&str>, HashSet<&str>) =
        (present.iter().copied().collect(), documented.iter().copied().collect());
    if let Some(column) = present.iter().find(|column| !is_documented.contains(**column)) {
        return Err(wrong(column, "it has no documentation; say what it means".to_owned()));
    }
    if let Some(column) = documented.iter().find(|column| !is_found.contains(**column)) {
        return Err(wrong(column, "it is documented but not in the data; drop one or add the other".to_owned()));
    }
    for (position, (column, documented)) in present.iter().zip(&documented).enumerate() {
        if column != documented {
            let problem =
                format!("column {} of the data, where {documented:?} is documented; align them", position + 1);
            return Err(wrong(column, problem));
        }
    }
    if documented.len() > present.len() {
        return Err(wrong(documented[present.len()], "it is documented twice; keep one".to_owned()));
    }
    for (column, doc) in table.data.columns().iter().zip(&table.columns) {
        if doc.meaning.trim().is_empty() {
            return Err(wrong(&doc.name, "its meaning is blank; say what a value means".to_owned()));
        }
        if !doc.levels.is_empty() {
            check_levels(&Cells::of_column(&table.name, column)?, doc, table.data.height())
                .map_err(|problem| wrong(&doc.name, problem))?;
        }
    }
    Ok(())
}

/// Dialect of delimited text.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// Separator between cells.
    pub delimiter: char,
    /// Text of a missing value.
    pub missing: &'static str,
}

impl Dialect {
    /// The CSV of runs.
    pub const CSV: Self = Self { delimiter: ',', missing: "" };
}

/// Writes all rows of a table as delimited text, header first.
pub fn write_delimited(table: &Table, columns: &[Cells], dialect: Dialect, mut out: impl Write) -> io::Result<()> {
    write_header(table, dialect, &mut out)?;
    write_rows(table, columns, dialect, &mut out)?;
    out.flush()
}

fn write_header(table: &Table, dialect: Dialect, out: &mut impl Write) -> io::Result<()> {
    let names = table.data.columns().iter().map(|column| Cell::Text(column.name().as_str()));
    write_record(names, dialect, out)
}

/// Number of rows that are text at once, before they are written.
const ROWS_AT_ONCE: usize = 1 << 15;

/// Number of those that one thread puts into text.
const ROWS_OF_THREAD: usize = 1 << 11;

fn write_rows(table: &Table, columns: &[Cells], dialect: Dialect, out: &mut impl Write) -> io::Result<()> {
    let n_rows = table.data.height();
    let text_from = |first: usize| {
        let mut text = Vec::new();
        for row in first..n_rows.min(first + ROWS_OF_THREAD) {
            write_record(columns.iter().map(|column| column.get(row)), dialect, &mut text)?;
        }
        Ok(text)
    };
    for start in (0..n_rows).step_by(ROWS_AT_ONCE) {
        let firsts: Vec<usize> = (start..n_rows.min(start + ROWS_AT_ONCE)).step_by(ROWS_OF_THREAD).collect();
        let texts: Vec<Vec<u8>> = firsts.into_par_iter().map(text_from).collect::<io::Result<_>>()?;
        texts.iter().try_for_each(|text| out.write_all(text))?;
    }
    Ok(())
}

/// Writes the rows of a table as a file of delimited text, without a sidecar.
pub fn write_delimited_file(table: &Table, path: &Path, dialect: Dialect) -> Result<(), TableError> {
    let file = File::create(path).map_err(failed("create", path))?;
    Ok(write_delimited(table, &Cells::of_table(table)?, dialect, BufWriter::new(file))
        .map_err(failed("write", path))?)
}

/// Returns the column types for pandas in a Parquet file: without them, truth values of which some are missing become
/// objects.
///
/// pandas reads them from the Arrow schema in the file, which polars writes without them.
fn pandas_types(table: &Table) -> Option<KeyValueMetadata> {
    let flags = table.data.columns().iter().filter(|column| column.dtype().is_bool());
    let columns: Vec<_> = flags.map(pandas_column).collect();
    if columns.is_empty() {
        return None;
    }
    let pandas = serde_json::json!({ "index_columns": [], "column_indexes": [], "columns": columns });
    let schema = arrow_schema(&table.data);
    let metadata = [("pandas".into(), pandas.to_string().into())].into_iter().collect();
    let message = schema_to_bytes(&schema, &default_ipc_fields(schema.iter_values()), Some(&metadata));
    // A message is preceded by a mark and by its length (the format of Arrow IPC).
    let framed = [&[0xff; 4][..], &(message.len() as u32).to_le_bytes(), &message].concat();
    let schema = base64::engine::general_purpose::STANDARD.encode(framed);
    let entries = vec![("ARROW:schema".to_owned(), schema), ("pandas".to_owned(), pandas.to_string())];
    Some(KeyValueMetadata::from_static(entries))
}

fn pandas_column(column: &PolarsColumn) -> serde_json::Value {
    let name = column.name().as_str();
    serde_json::json!({
        "name": name, "field_name": name, "pandas_type": "bool", "numpy_type": "boolean", "metadata": null,
    })
}

fn write_record<'a>(
    cells: impl ExactSizeIterator<Item = Cell<'a>>,
    Dialect { delimiter, missing }: Dialect,
    out: &mut impl Write,
) -> io::Result<()> {
    let alone = cells.len() == 1;
    for (position, cell) in cells.enumerate() {
        if position > 0 {
            write!(out, "{delimiter}")?;
        }
        match cell {
            Cell::Text(text) if needs_quotes(text, delimiter) => write!(out, "\"{}\"", text.replace('"', "\"\""))?,
            // A blank line is skipped by most readers, and the row would be lost.
            Cell::Missing if alone && missing.is_empty() => write!(out, "\"\"")?,
            Cell::Missing => write!(out, "{missing}")?,
            cell => write!(out, "{cell}")?,
        }
    }
    writeln!(out)
}

fn needs_quotes(text: &str, delimiter: char) -> bool {
    text.is_empty() || text.bytes().any(|byte| matches!(byte, b'"' | b'\n' | b'\r')) || text.contains(delimiter)
}

fn check_levels(column: &Cells, doc: &ColumnDoc, n_rows: usize) -> Result<(), String> {
    let levels: HashSet<&str, RandomState> = doc.levels.iter().map(String::as_str).collect();
    let unknown = match column {
        Cells::Text(texts) => {
            // Rows beside each other mostly say the same.
            let mut last = None;
            let is_known = |text: &str| levels.contains(text);
            texts
                .iter()
                .position(|text| text.is_some() && last.replace(text) != Some(text) && !text.is_some_and(is_known))
        }
        _ => (0..n_rows).find(|&row| match column.get(row) {
            Cell::Missing => false,
            other => !levels.contains(other.to_string().as_str()),
        }),
    };
    match unknown {
        Some(row) => {
            let value = column.get(row).to_string();
            let row = row + 1;
            Err(format!("value {value:?} in row {row} is not one of its levels {:?}; document it", doc.levels))
        }
        None => Ok(()),
    }
}

fn sidecar(table: &Table, n_rows: usize) -> Result<String, TableError> {
    let (name, caption) = (table.name.clone(), table.caption.clone());
    let sidecar = Sidecar { name, caption, n_rows, columns: CodebookColumn::of_table(table) };
    Ok(serde_json::to_string_pretty(&sidecar)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_groups::ROW_GROUP_SIZE;
    use crate::table::Columns;
    use crate::{count, flag, text};

    #[test]
    fn rows_that_come_in_parts_make_the_same_files() {
        let table = |rows: std::ops::Range<u64>| {
            let rows: Vec<u64> = rows.collect();
            Columns::new()
                .column(&rows, count("n", "number of the row"), |n| *n)
                .column(&rows, text("word", "a word for it"), |n| (n % 7 > 0).then(|| format!("word {}", n % 1000)))
                .column(&rows, flag("is_even", "whether it is even"), |n| (n % 5 > 0).then_some(n % 2 == 0))
                .into_table("rows", "Rows.")
        };
        let n = 2 * ROW_GROUP_SIZE as u64 + 1000;
        let bytes_of = |cuts: &[u64]| {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = TableWriter::create(&table(0..0), folder.path(), "rows", &TableFormat::ALL).unwrap();
            let mut start = 0;
            for &end in cuts.iter().chain(&[n]) {
                writer.append(&table(start..end)).unwrap();
                start = end;
            }
            let files = writer.finish().unwrap();
            files.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>()
        };
        let whole = bytes_of(&[]);
        assert!(whole.len() == 3 && whole.iter().all(|file| !file.is_empty()));
        assert!(bytes_of(&[1, ROW_GROUP_SIZE as u64 + 3, ROW_GROUP_SIZE as u64 + 3, n - 1]) == whole);
        assert!(bytes_of(&[ROW_GROUP_SIZE as u64]) == whole);
        assert!(String::from_utf8_lossy(&whole[2]).contains(&format!("\"n_rows\": {n}")));
    }
}
