//! Tables of a run, read back as they were written.

use std::fs::File;
use std::path::Path;

use crate::codebook::{CodebookColumn, Sidecar};
use crate::format::TableFormat;
use crate::parquet_guard::read_parquet;
use crate::table::{ColumnDoc, Table};
use crate::{TableError, failed, regular};
use plymap_expression::is_missing;
use polars::prelude::{Column, DataFrame, NamedFrom, Series};

/// Reads a table that [`write_table`](crate::write::write_table) wrote into `folder` under this stem. Its sidecar, or the
/// codebook of the run that the folder is of, tells the types of the columns of a CSV file; in one, the empty text cannot be told from a missing value and is read as that. So are
/// the words that R, pandas and others write for it (`NA`, `nan`), if one of them saved the table again.
///
/// # Errors
/// A file that is not there, that is no such table, or whose cells are not of the types that its sidecar gives.
pub fn read_table(folder: &Path, stem: &str, format: TableFormat) -> Result<Table, TableError> {
    let sidecar = Sidecar::of(folder, stem, format)?;
    let path = folder.join(format!("{stem}.{format}"));
    let file = regular::open(&path).map_err(failed("open", &path))?;
    let data = match format {
        TableFormat::Parquet => read_parquet(file).map_err(|error| TableError::bad(&path, error))?,
        TableFormat::Csv => read_csv(file, &path, &sidecar.columns)?,
    };
    Ok(Table {
        name: sidecar.name,
        caption: sidecar.caption,
        data,
        columns: sidecar.columns.into_iter().map(ColumnDoc::from).collect(),
    })
}

fn read_csv(file: File, path: &Path, docs: &[CodebookColumn]) -> Result<DataFrame, TableError> {
    let mut reader = csv::Reader::from_reader(file);
    let header = reader.headers().map_err(|error| TableError::bad(path, error))?;
    if !header.iter().eq(docs.iter().map(|doc| doc.name.as_str())) {
        return Err(TableError::bad(
            path,
            "its header is not the list of columns in its .json file or the codebook; run the study again",
        ));
    }
    let mut cells: Vec<Vec<Option<String>>> = docs.iter().map(|_| Vec::new()).collect();
    for record in reader.records() {
        let record = record.map_err(|error| TableError::bad(path, error))?;
        for (column, cell) in cells.iter_mut().zip(&record) {
            column.push((!is_missing(cell)).then(|| cell.to_owned()));
        }
    }
    let n_rows = cells.first().map_or(0, Vec::len);
    let columns =
        docs.iter().zip(cells).map(|(doc, cells)| column(doc, cells).map_err(|problem| TableError::bad(path, problem)));
    DataFrame::new(n_rows, columns.collect::<Result<_, _>>()?).map_err(|error| TableError::bad(path, error))
}

/// The cells of a column as values of its type; the first one that is none. R writes `TRUE`, and pandas `3.0` where whole
/// numbers are missing.
fn column(doc: &CodebookColumn, mut cells: Vec<Option<String>>) -> Result<Column, String> {
    fn parsed<T: std::str::FromStr>(doc: &CodebookColumn, cells: &[Option<String>]) -> Result<Vec<Option<T>>, String> {
        let value = |(row, cell): (usize, &Option<String>)| {
            let Some(cell) = cell else { return Ok(None) };
            cell.parse().map(Some).map_err(|_| {
                let CodebookColumn { name, r#type, .. } = doc;
                format!(
                    "row {}, column {name:?}: {cell:?} is not of the type {type:?} that its .json file or the codebook gives",
                    row + 1
                )
            })
        };
        cells.iter().enumerate().map(value).collect()
    }
    let name = doc.name.as_str().into();
    match doc.r#type.as_str() {
        "boolean" => cells.iter_mut().flatten().for_each(|cell| cell.make_ascii_lowercase()),
        "integer" => cells.iter_mut().flatten().for_each(|cell| cell.truncate(cell.trim_end_matches(".0").len())),
        _ => {}
    }
    Ok(match doc.r#type.as_str() {
        "boolean" => Series::new(name, parsed::<bool>(doc, &cells)?),
        // Counts of paths go beyond what a signed number holds.
        "integer" => match parsed::<i64>(doc, &cells) {
            Ok(values) => Series::new(name, values),
            Err(_) => Series::new(name, parsed::<u64>(doc, &cells)?),
        },
        "number" => Series::new(name, parsed::<f64>(doc, &cells)?),
        _ => Series::new(name, cells),
    }
    .into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Columns;
    use crate::write::write_table;
    use crate::{flag, number, text};

    #[test]
    fn a_table_is_read_back_as_it_was_written() {
        let rows = [Some(1_u64), None, Some(u64::MAX)];
        let table = Columns::new()
            .values(ColumnDoc::new("n", "a count"), rows.to_vec())
            .column(&rows, text("name", "a name"), |n| n.map(|n| format!("0{n}, \"x\"")))
            .column(&rows, number("x", "a number").unit("s"), |n| n.map(|n| n as f64 / 3.0))
            .column(&rows, flag("is_one", "a flag"), |n| n.map(|n| n == 1))
            .into_table("own", "Own.");
        let folder = tempfile::tempdir().unwrap();
        write_table(&table, folder.path(), &TableFormat::ALL).unwrap();
        for format in TableFormat::ALL {
            let read = read_table(folder.path(), "own", format).unwrap();
            assert!(read.data.equals_missing(&table.data), "{format}: {:?}", read.data);
            assert_eq!((read.columns, read.caption), (table.columns.clone(), table.caption.clone()));
        }
        let saved_again = "n,name,x,is_one\n1.0,\"01, \"\"x\"\"\",0.3333333333333333,TRUE\nNA,NA,nan,\n\
                           18446744073709551615,\"018446744073709551615, \"\"x\"\"\",6.148914691236517e18,False\n";
        std::fs::write(folder.path().join("own.csv"), saved_again).unwrap();
        let read = read_table(folder.path(), "own", TableFormat::Csv).unwrap();
        assert!(read.data.equals_missing(&table.data), "{:?}", read.data);
        std::fs::write(folder.path().join("own.csv"), "n,name,x,is_one\n1,a,b,true\n").unwrap();
        let said = read_table(folder.path(), "own", TableFormat::Csv).unwrap_err().to_string();
        assert!(said.contains("own.csv") && said.contains("row 1, column \"x\": \"b\""), "{said}");
    }
}
