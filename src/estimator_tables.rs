//! Where tables meet estimators: tables and files of other programs as columns that estimators take, and what
//! estimators found as tables.

use std::fs::File;
use std::path::Path;

use plymap_puzzles::fault::separator_hint;
use plymap_statistics::estimator::{Estimates, EstimatorError, Frame, Values, Written};
use plymap_statistics::methods::{ESTIMATORS, other_names};
use polars::prelude::{Column, DataFrame, DataType, PolarsError, PolarsResult};

use crate::damage::read_parquet;
use crate::report::{TableFormat, read_table};
use crate::table::{Columns, Table};

/// Cells that stand for no value.
const MISSING: [&str; 4] = ["", "NA", "NaN", "null"];

/// From here on not every whole number is one of 64-bit floating point.
const EXACT: f64 = (1_u64 << 53) as f64;

/// What the names of files end with that can be read.
const ENDINGS: [&str; 3] = ["csv", "tsv", "parquet"];

/// Whether a file is a table, by its name: CSV, TSV or Parquet.
pub fn is_table(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    ENDINGS.contains(&extension.as_str())
}

/// Why a table cannot be read as columns for an estimator.
#[derive(Debug, thiserror::Error)]
pub enum TableReadError {
    /// A file could not be read as a table.
    #[error("cannot read {path} as a table: {reason}")]
    File {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Its columns are no table.
    #[error(transparent)]
    Frame(#[from] EstimatorError),
    /// A column is of a type that tables do not have.
    #[error(transparent)]
    Column(#[from] PolarsError),
}

/// The columns of a table that plymap made.
///
/// # Errors
///
/// [`TableReadError::Column`] for a column of a type that tables do not have.
pub fn frame_of_table(data: &DataFrame) -> Result<Frame, TableReadError> {
    let columns = data.columns().iter().map(|column| {
        let values = || -> PolarsResult<Values> {
            Ok(match column.dtype() {
                DataType::Boolean => Values::Flags(column.bool()?.iter().collect()),
                dtype if dtype.is_primitive_numeric() => {
                    let numbers: Vec<Option<f64>> = column.cast(&DataType::Float64)?.f64()?.iter().collect();
                    // Only whole numbers can be too large for a number of 64 bits to keep all of their digits.
                    if dtype.is_integer() && numbers.iter().flatten().any(|number| number.abs() >= EXACT) {
                        let written = numbers.into_iter().zip(texts(column)?);
                        let cell = |(number, text)| Some(Written { number: number?, text: text? });
                        Values::written(written.map(cell).collect())
                    } else {
                        Values::Numbers(numbers)
                    }
                }
                _ => Values::Text(texts(column)?),
            })
        };
        Ok((column.name().to_string(), values()?))
    });
    Ok(Frame::new(columns.collect::<PolarsResult<_>>()?)?)
}

/// The columns of a file: Parquet as it is typed; of CSV and TSV a column is numbers or truth values if all of its
/// cells are, and text where one is not, or is a number with a leading 0, such as the participant 07. Truth values
/// are `true` and `false` in any case, as R and Python write them too. Empty cells, `NA`, `NaN` and `null` are
/// missing. Numbers keep their text, which they are as labels.
///
/// # Errors
///
/// [`TableReadError::File`] if the file cannot be read.
pub fn read_frame(path: &Path) -> Result<Frame, TableReadError> {
    let failed = |reason: String| TableReadError::File { path: path.display().to_string(), reason };
    let hint = |error: &std::io::Error| separator_hint(path, error.kind());
    let file = File::open(path).map_err(|error| failed(format!("{error}{}", hint(&error))))?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    match extension.as_str() {
        "parquet" => {
            let data = read_parquet(file).map_err(|error| failed(error.to_string()))?;
            frame_of_table(&data)
        }
        "tsv" => Ok(read_text(file, b'\t').map_err(failed)??),
        "csv" => match with_its_types(path) {
            Some(data) => frame_of_table(&data),
            None => Ok(read_text(file, b',').map_err(failed)??),
        },
        _ => Err(failed(format!("its name ends with none of {}", ENDINGS.join(", ")))),
    }
}

/// A CSV file that plymap wrote, with the types that the JSON file beside it tells; absent where there is none that fits.
fn with_its_types(path: &Path) -> Option<DataFrame> {
    let (folder, stem) = (path.parent()?, path.file_stem()?.to_str()?);
    read_table(folder, stem, TableFormat::Csv).ok().map(|table| table.data)
}

/// All estimators as a table.
pub fn table_of_estimators() -> Table {
    Columns::new()
        .text(ESTIMATORS, "estimator", "its name", |own| own.name.to_owned())
        .text(ESTIMATORS, "required", "roles that it needs; … where it takes several columns", |own| own.listed(true))
        .text(ESTIMATORS, "optional", "roles that it can take besides", |own| own.listed(false))
        .text(ESTIMATORS, "summary", "what it does", |own| own.summary.to_owned())
        .text(ESTIMATORS, "other_names", "what other programs call it", |own| {
            other_names(own.name).collect::<Vec<_>>().join(", ")
        })
        .text(ESTIMATORS, "source", "who described the method", |own| own.source.to_owned())
        .into_table("estimators", "Estimators for --estimator: what they do, and which columns they need.")
}

/// What an estimator found, as a table with the meaning of each column.
pub fn table_of_estimates(estimates: &Estimates) -> Table {
    let rows: Vec<usize> = (0..estimates.n_rows()).collect();
    let mut columns = Columns::new();
    for key in estimates.keys() {
        let meaning = "label of the group, as --by asks for; empty for rows that have none";
        columns = columns.label(&rows, key, meaning, |&row| estimates.text(row, key).map(str::to_owned));
    }
    for column in estimates.columns() {
        columns = columns.records(*column, estimates.records());
    }
    columns.into_table(&estimates.estimator.replace('-', "_"), &estimates.caption)
}

fn texts(column: &Column) -> PolarsResult<Vec<Option<String>>> {
    Ok(column.cast(&DataType::String)?.str()?.iter().map(|cell| cell.map(str::to_owned)).collect())
}

fn read_text(file: File, separator: u8) -> Result<Result<Frame, EstimatorError>, String> {
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(file);
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let mut columns: Vec<Vec<Option<String>>> = header.iter().map(|_| Vec::new()).collect();
    for row in reader.records() {
        let row = row.map_err(|error| error.to_string())?;
        for (column, cell) in columns.iter_mut().zip(row.iter()) {
            let cell = cell.trim();
            column.push((!MISSING.contains(&cell)).then(|| cell.to_owned()));
        }
    }
    let name = |name: &str| name.trim_start_matches('\u{feff}').trim().to_owned();
    Ok(Frame::new(header.iter().map(name).zip(columns.into_iter().map(values)).collect()))
}

/// The values of cells, by what all of them are.
fn values(cells: Vec<Option<String>>) -> Values {
    let all = |holds: &dyn Fn(&str) -> bool| cells.iter().flatten().all(|cell| holds(cell));
    let is_none = cells.iter().flatten().next().is_none();
    let says = |cell: &str, word: &str| cell.eq_ignore_ascii_case(word);
    if !is_none && all(&|cell| says(cell, "true") || says(cell, "false")) {
        return Values::Flags(cells.into_iter().map(|cell| cell.map(|cell| says(&cell, "true"))).collect());
    }
    let is_number = |cell: &str| {
        let digits = cell.trim_start_matches(['-', '+']);
        let has_leading_zero = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
        !has_leading_zero && cell.parse::<f64>().is_ok_and(f64::is_finite)
    };
    if !is_none && all(&is_number) {
        let written = |text: Option<String>| {
            let text = text?;
            Some(Written { number: text.parse().ok()?, text })
        };
        return Values::written(cells.into_iter().map(written).collect());
    }
    Values::Text(cells)
}

#[cfg(test)]
mod tests {
    use plymap_statistics::estimator::{Request, Role};
    use plymap_statistics::methods;

    use super::*;

    #[test]
    fn a_file_is_read_by_what_its_cells_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.csv");
        std::fs::write(&path, "id,n,share,solved,note\n07,3,0.5,true,a\n08,,NA,false,\n09,-1,1e-3,,\"b, c\"\n")
            .unwrap();
        let frame = read_frame(&path).unwrap();
        assert_eq!(frame.text("id").unwrap(), ["07", "08", "09"].map(|id| Some(id.to_owned())));
        assert_eq!(frame.numbers("n").unwrap(), [Some(3.0), None, Some(-1.0)]);
        assert_eq!(frame.numbers("share").unwrap(), [Some(0.5), None, Some(0.001)]);
        assert_eq!(frame.values("solved").unwrap(), &Values::Flags(vec![Some(true), Some(false), None]));
        assert_eq!(frame.text("note").unwrap(), [Some("a".to_owned()), None, Some("b, c".to_owned())]);
        assert!(read_frame(&folder.path().join("none.csv")).unwrap_err().to_string().contains("none.csv"));
        std::fs::write(&path, "a,b\n1\n").unwrap();
        assert!(read_frame(&path).unwrap_err().to_string().contains("own.csv"));
        assert!(is_table(&path) && !is_table(Path::new("study.toml")));
    }

    #[test]
    fn labels_that_differ_in_writing_alone_stay_different_and_truth_may_be_capital() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.csv");
        let rows = ["90071992547409931,1.1,True", "90071992547409932,1.10,FALSE", "90071992547409933,1e5,true"];
        std::fs::write(&path, format!("id,item,solved\n{}\n", rows.join("\n"))).unwrap();
        let frame = read_frame(&path).unwrap();
        let texts = |column: &str| frame.text(column).unwrap().into_iter().flatten().collect::<Vec<_>>();
        assert_eq!(texts("id"), ["90071992547409931", "90071992547409932", "90071992547409933"]);
        assert_eq!(texts("item"), ["1.1", "1.10", "1e5"]);
        assert_eq!(frame.numbers("item").unwrap(), [Some(1.1), Some(1.1), Some(1e5)]);
        assert_eq!(frame.values("solved").unwrap(), &Values::Flags(vec![Some(true), Some(false), Some(true)]));
    }

    #[test]
    fn large_whole_numbers_of_a_table_keep_all_digits() {
        let large = [Some((1_i64 << 53) + 1), Some(1 << 53), None];
        let data = DataFrame::new_infer_height(vec![Column::new("id".into(), large)]).unwrap();
        let frame = frame_of_table(&data).unwrap();
        assert_eq!(
            frame.text("id").unwrap(),
            [Some("9007199254740993".to_owned()), Some("9007199254740992".to_owned()), None]
        );
        assert_eq!(frame.numbers("id").unwrap()[1], Some(EXACT));
    }

    #[test]
    fn a_table_of_plymap_keeps_its_types() {
        let rows = [1_u64, 2];
        let table = Columns::new()
            .count(&rows, "n", "a count", |n| *n)
            .flag(&rows, "is_one", "a flag", |n| Some(*n == 1))
            .text(&rows, "name", "a name", |n| format!("p{n}"))
            .into_table("own", "Own.");
        let frame = frame_of_table(&table.data).unwrap();
        assert_eq!(frame.numbers("n").unwrap(), [Some(1.0), Some(2.0)]);
        assert_eq!(frame.flags("is_one").unwrap(), [Some(true), Some(false)]);
        assert_eq!(frame.text("name").unwrap(), ["p1", "p2"].map(|name| Some(name.to_owned())));
    }

    #[test]
    fn estimates_become_a_table_with_the_columns_of_groups_first() {
        let texts = |values: [&str; 6]| Values::Text(values.map(|value| Some(value.to_owned())).to_vec());
        let numbers = |values: [f64; 6]| Values::Numbers(values.map(Some).to_vec());
        let frame = Frame::new(vec![
            ("level".to_owned(), texts(["a", "a", "a", "b", "b", "b"])),
            ("n_moves".to_owned(), numbers([8.0, 12.0, 9.0, 30.0, 21.0, 25.0])),
        ])
        .unwrap();
        let request = Request { by: vec!["level".to_owned()], ..Request::new(&frame) }.role(Role::X, &["n_moves"]);
        let estimates = methods::named("median").unwrap().estimate(&request).unwrap();
        let table = table_of_estimates(&estimates);
        assert_eq!((table.name.as_str(), table.data.height()), ("median", 2));
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, estimates.names().collect::<Vec<_>>());
        assert_eq!(names[0], "level");
        let medians = frame_of_table(&table.data).unwrap().numbers("estimate").unwrap();
        assert_eq!(medians, [Some(9.0), Some(25.0)]);
    }
}
