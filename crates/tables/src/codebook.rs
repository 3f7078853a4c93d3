//! What the columns of tables mean, as files: the sidecar of one table, and the codebook of all tables of a folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cells::type_name;
use crate::format::TableFormat;
use crate::table::{ColumnDoc, Table};
use crate::{TableError, failed, regular};

/// Name of the codebook in the folder of a run.
pub const CODEBOOK_NAME: &str = "codebook.json";

/// The folders of a run that hold tables, with the caption of their tables where each level has one.
const FOLDERS: [(&str, Option<&str>); 3] = [
    ("tables", None),
    ("distances", Some("Every state of a level that can be reached from its start. Each level has a file.")),
    ("edges", Some("Every legal move of every state of a level. Each level has a file.")),
];

/// The meaning of the columns of all tables of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Codebook {
    /// The tables, in the order of their folders and names.
    pub tables: Vec<CodebookTable>,
}

/// A table in a codebook, or the tables of levels with the same columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodebookTable {
    /// Name of the table; of tables of levels, that of their folder.
    pub name: String,
    /// One sentence: what a row is and what the table is for.
    pub caption: String,
    /// The files that hold it.
    pub files: Vec<CodebookFile>,
    /// Its columns.
    pub columns: Vec<CodebookColumn>,
}

/// A file of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodebookFile {
    /// Its path from the folder of the run, with `/`.
    pub path: String,
    /// Number of its rows.
    pub n_rows: usize,
}

/// A column in a codebook. Every key is written every time, so that readers need not ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodebookColumn {
    /// Name of the column.
    pub name: String,
    /// Type of its values: `text`, `integer`, `number`, `boolean` ….
    pub r#type: String,
    /// Meaning of its values.
    pub meaning: String,
    /// Unit of its values; empty for counts, names and flags.
    pub unit: String,
    /// The values that it can take, where they are few.
    pub levels: Vec<String>,
}

impl CodebookColumn {
    /// Returns the columns of a table.
    pub fn of_table(table: &Table) -> Vec<Self> {
        let columns = table.data.columns().iter().zip(&table.columns);
        columns
            .map(|(column, doc)| Self {
                name: doc.name.clone(),
                r#type: type_name(column.dtype()).to_owned(),
                meaning: doc.meaning.clone(),
                unit: doc.unit.clone(),
                levels: doc.levels.clone(),
            })
            .collect()
    }
}

impl From<CodebookColumn> for ColumnDoc {
    fn from(CodebookColumn { name, meaning, unit, levels, .. }: CodebookColumn) -> Self {
        Self { name, meaning, unit, levels }
    }
}

/// Content of the JSON file beside a table, which documents it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Sidecar {
    pub name: String,
    pub caption: String,
    #[serde(default)]
    pub n_rows: usize,
    pub columns: Vec<CodebookColumn>,
}

impl Sidecar {
    fn read(path: &Path) -> Result<Self, TableError> {
        let text = regular::read(path).map_err(failed("read", path))?;
        serde_json::from_slice(&text).map_err(|error| TableError::bad(path, error))
    }

    /// Reads the documentation of a table: the file beside it, or its entry in the codebook of its folder.
    pub fn of(folder: &Path, stem: &str, format: TableFormat) -> Result<Self, TableError> {
        match Self::read(&folder.join(format!("{stem}.json"))) {
            Err(TableError::File(error)) if error.source.kind() == ErrorKind::NotFound => {
                Codebook::entry(folder, stem, format)?.ok_or(TableError::File(error))
            }
            read => read,
        }
    }
}

impl Codebook {
    /// Reads the codebook of a run.
    ///
    /// # Errors
    /// A file that is not there, or that is no codebook.
    pub fn read(run: &Path) -> Result<Self, TableError> {
        let path = run.join(CODEBOOK_NAME);
        let text = regular::read(&path).map_err(failed("read", &path))?;
        serde_json::from_slice(&text).map_err(|error| TableError::bad(&path, error))
    }

    /// The codebook of tables that are not written as files of their own.
    pub fn of(tables: &[&Table]) -> Self {
        let entry = |table: &&Table| CodebookTable {
            name: table.name.clone(),
            caption: table.caption.clone(),
            files: Vec::new(),
            columns: CodebookColumn::of_table(table),
        };
        Self { tables: tables.iter().map(entry).collect() }
    }

    /// Makes the codebook of the tables that were written into the folder of a run, in the place of the JSON file beside
    /// each of them, and writes it; nothing where the folder holds no table.
    ///
    /// # Errors
    /// A file that cannot be read, written or removed.
    pub fn gather(run: &Path) -> Result<Option<Self>, TableError> {
        let mut codebook = Self::default();
        let mut gathered = Vec::new();
        for (folder, caption) in FOLDERS {
            for path in sidecars(&run.join(folder))? {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let sidecar = Sidecar::read(&path)?;
                let written = |format: &TableFormat| path.with_file_name(format!("{stem}.{format}")).is_file();
                let n_rows = sidecar.n_rows;
                let file = |format| CodebookFile { path: format!("{folder}/{stem}.{format}"), n_rows };
                let files = TableFormat::ALL.into_iter().filter(written).map(file).collect();
                codebook.add(sidecar, files, caption.map(|caption| (folder, caption)));
                gathered.push(path);
            }
        }
        if codebook.tables.is_empty() {
            return Ok(None);
        }
        let path = run.join(CODEBOOK_NAME);
        fs::write(&path, serde_json::to_string_pretty(&codebook)? + "\n").map_err(failed("write", &path))?;
        for path in gathered {
            fs::remove_file(&path).map_err(failed("remove", &path))?;
        }
        Ok(Some(codebook))
    }

    /// Adds a table; one of a level to the others of its folder that have the same columns.
    fn add(&mut self, sidecar: Sidecar, files: Vec<CodebookFile>, of_levels: Option<(&str, &str)>) {
        let Sidecar { name, caption, columns, .. } = sidecar;
        let Some((folder, caption_of_all)) = of_levels else {
            return self.tables.push(CodebookTable { name, caption, files, columns });
        };
        match self.tables.iter_mut().find(|table| table.name == folder && table.columns == columns) {
            Some(table) => table.files.extend(files),
            None => {
                let (name, caption) = (folder.to_owned(), caption_of_all.to_owned());
                self.tables.push(CodebookTable { name, caption, files, columns });
            }
        }
    }

    /// Returns the documentation of a table in a folder, from the codebook in the folder above it.
    fn entry(folder: &Path, stem: &str, format: TableFormat) -> Result<Option<Sidecar>, TableError> {
        let folder = folder.canonicalize().unwrap_or_else(|_| PathBuf::from(folder));
        let (Some(run), Some(name)) = (folder.parent(), folder.file_name()) else { return Ok(None) };
        let codebook = match Self::read(run) {
            Err(TableError::File(error)) if error.source.kind() == ErrorKind::NotFound => return Ok(None),
            read => read?,
        };
        let wanted = format!("{}/{stem}.{format}", name.to_string_lossy());
        let found = codebook.tables.into_iter().find_map(|table| {
            let n_rows = table.files.iter().find(|file| file.path == wanted)?.n_rows;
            let is_of_level = FOLDERS.iter().any(|(folder, caption)| caption.is_some() && *folder == table.name);
            let name = if is_of_level { stem.to_owned() } else { table.name };
            Some(Sidecar { name, caption: table.caption, n_rows, columns: table.columns })
        });
        Ok(found)
    }
}

/// The JSON files of a folder in the order of their names; none where there is no such folder.
fn sidecars(folder: &Path) -> Result<Vec<PathBuf>, TableError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed("read", folder))?,
    };
    // By their names, whatever the system says first.
    let mut paths = BTreeMap::new();
    for entry in entries {
        let path = entry.map_err(failed("read", folder))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            paths.insert(path.file_stem().map(ToOwned::to_owned), path);
        }
    }
    Ok(paths.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_table;
    use crate::table::Columns;
    use crate::write::{write_table, write_table_as};
    use crate::{count, text};

    #[test]
    fn the_codebook_takes_the_place_of_the_file_beside_each_table() {
        let run = tempfile::tempdir().unwrap();
        let table = |name: &str| {
            let rows = [1_u64, 2];
            let columns = Columns::new().column(&rows, count("n", "a count").unit("moves"), |n| *n);
            columns.column(&rows, text("word", "a word"), |n| format!("0{n}")).into_table(name, "Rows of a level.")
        };
        let folders = ["tables", "distances"].map(|name| run.path().join(name));
        folders.iter().for_each(|folder| fs::create_dir(folder).unwrap());
        write_table(&table("trials"), &folders[0], &TableFormat::ALL).unwrap();
        for level in ["b", "a"] {
            write_table_as(&table(level), &folders[1], level, &[TableFormat::Csv]).unwrap();
        }
        let gathered = Codebook::gather(run.path()).unwrap().unwrap();
        assert_eq!(Codebook::read(run.path()).unwrap(), gathered);
        let files: Vec<Vec<&str>> =
            gathered.tables.iter().map(|table| table.files.iter().map(|file| file.path.as_str()).collect()).collect();
        assert_eq!(files, [["tables/trials.csv", "tables/trials.parquet"], ["distances/a.csv", "distances/b.csv"]]);
        assert_eq!(gathered.tables[1].name, "distances");
        assert!(folders.iter().all(|folder| sidecars(folder).unwrap().is_empty()));
        for (folder, name) in [(&folders[0], "trials"), (&folders[1], "b")] {
            let read = read_table(folder, name, TableFormat::Csv).unwrap();
            assert!(read.data.equals(&table(name).data), "types are those of the codebook: {:?}", read.data);
            assert_eq!((read.name.as_str(), read.columns), (name, table(name).columns));
        }
        let missing = read_table(&folders[0], "moves", TableFormat::Csv).unwrap_err().to_string();
        assert!(missing.contains("moves.json"), "{missing}");
    }
}
