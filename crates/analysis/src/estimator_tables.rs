//! Adapter between tables and estimators: tables and files of other programs as columns for estimators, and estimates
//! as tables.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use plymap_expression::NumberStyle;
use plymap_log::{LogError, LogSpec, is_log, read_rows};
use plymap_puzzles::diagnostic::separator_hint;
use plymap_statistics::estimator::{Estimates, EstimatorError, Frame, ResultTable, Values, Written};
use plymap_statistics::methods::{other_names, tables};
use plymap_tables::parquet_guard::read_parquet;
use plymap_tables::{ColumnDoc, Columns, Table, TableFormat, read_table, text};
use polars::prelude::{Column, DataFrame, DataType, PolarsError, PolarsResult};

mod style;

use style::{Cells, is_word, style_of};

/// Bound up to which 64-bit floating point represents every whole number.
const EXACT: f64 = (1_u64 << 53) as f64;

/// Returns true if a file is a table by its name: one that a log could have.
pub fn is_table(path: &Path) -> bool {
    is_log(path)
}

/// Error of reading a table as columns for an estimator.
#[derive(Debug, thiserror::Error)]
pub enum TableReadError {
    /// A file could not be read as a table.
    #[error("cannot read {path} as a table: {reason}")]
    File {
        /// The file.
        path: String,
        /// Reason of the failure.
        reason: String,
    },
    /// The file cannot be read in any of the formats of logs.
    #[error(transparent)]
    Log(#[from] LogError),
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

/// A file as columns for estimators.
#[derive(Debug)]
pub struct ReadTable {
    /// Its columns.
    pub frame: Frame,
    /// Number format of its cells.
    pub style: NumberStyle,
    /// Notices of what was left out or put together, each a sentence.
    pub notices: Vec<String>,
    /// First cell that is not a number, as a sentence, by name of the column; only of columns that have one.
    pub words: BTreeMap<String, String>,
}

/// The columns of a file, which `spec` says how to read, as a log is read: Parquet, and CSV that plymap wrote, as they are
/// typed if `spec` says nothing; of all others a column is numbers or truth values if all of its cells are, and text where
/// one is not, or is a number with a leading 0, such as the participant 07. Truth values are `true` and `false` in any
/// case, as R and Python write them too. Numbers keep their text, which they are as labels.
///
/// Where `spec` does not say how numbers are written, the cells tell it.
///
/// # Errors
///
/// [`TableReadError::Log`] if the file cannot be read.
pub fn read_frame(path: &Path, spec: &LogSpec) -> Result<ReadTable, TableReadError> {
    // Whoever says how cells are to be read means those of typed tables, too.
    if *spec == LogSpec::default()
        && let Some(data) = typed(path)?
    {
        let (style, notices, words) = (spec.numbers(), Vec::new(), BTreeMap::new());
        return Ok(ReadTable { frame: frame_of_table(&data)?, style, notices, words });
    }
    let read = read_rows(&LogSpec { files: vec![path.to_owned()], ..spec.clone() }).map_err(|error| match error {
        // Its path starts from no folder of a study.
        LogError::FileMissing { path } => missing(&path),
        error => error.into(),
    })?;
    let mut columns: Vec<Vec<Option<String>>> = vec![Vec::new(); read.columns.len()];
    let mut places = Vec::new();
    let notices = read.notices();
    for row in read.rows {
        places.push((row.file, row.line));
        columns.iter_mut().zip(row.cells).for_each(|(column, cell)| column.push(cell));
    }
    let cells = match read.separator {
        None => Cells::Typed,
        Some(',') => Cells::CommaSeparated,
        Some(_) => Cells::OtherwiseSeparated,
    };
    let said = spec.numbers();
    let style = if said == NumberStyle::default() { style_of(&columns, cells) } else { said };
    let mut words = BTreeMap::new();
    for (name, cells) in read.columns.iter().zip(&columns) {
        let first = |is: &dyn Fn(&str) -> bool| cells.iter().position(|cell| cell.as_deref().is_some_and(is));
        if let Some(row) = first(&is_word).or_else(|| first(&|cell| style.number(cell).is_none())) {
            let (file, line) = places[row];
            let (path, value) = (read.files[file].path.display(), cells[row].as_deref().unwrap_or_default());
            words.insert(name.clone(), format!("{path}:{line}: {value:?} in column {name:?} is no number"));
        }
    }
    let values = columns.into_iter().map(|cells| values(cells, &style));
    let frame = Frame::new(read.columns.into_iter().zip(values).collect())?;
    Ok(ReadTable { frame, style, notices, words })
}

/// A table with its types: Parquet, or CSV that plymap wrote.
fn typed(path: &Path) -> Result<Option<DataFrame>, TableReadError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    match extension.as_str() {
        "parquet" => {
            let failed = |reason: String| TableReadError::File { path: path.display().to_string(), reason };
            let file = plymap_tables::regular::open(path).map_err(|error| match error.kind() {
                ErrorKind::NotFound => missing(path),
                _ => failed(error.to_string()),
            })?;
            Ok(Some(read_parquet(file).map_err(|error| failed(error.to_string()))?))
        }
        "csv" => Ok(with_its_types(path)),
        _ => Ok(None),
    }
}

fn missing(path: &Path) -> TableReadError {
    let reason = format!("there is no such file{}", separator_hint(path, ErrorKind::NotFound));
    TableReadError::File { path: path.display().to_string(), reason }
}

/// A CSV file that plymap wrote, with the types that the JSON file beside it tells; absent where there is none that fits.
fn with_its_types(path: &Path) -> Option<DataFrame> {
    let (folder, stem) = (path.parent()?, path.file_stem()?.to_str()?);
    read_table(folder, stem, TableFormat::Csv).ok().map(|table| table.data)
}

/// The tables of all estimators as a table.
pub fn table_of_estimators() -> Table {
    let tables: Vec<ResultTable> = tables().collect();
    Columns::new()
        .column(&tables, text("estimator", "its name, or that of a further table of its fit"), |table| {
            table.name.to_owned()
        })
        .column(&tables, text("method", "name of the method whose fit gives the table"), |table| {
            table.estimator.name.to_owned()
        })
        .column(&tables, text("required", "roles that it needs; … where it takes several columns"), |table| {
            table.estimator.listed(true)
        })
        .column(&tables, text("optional", "roles that it can take besides"), |table| table.estimator.listed(false))
        .column(&tables, text("summary", "what it does"), |table| table.summary.to_owned())
        .column(&tables, text("other_names", "what other programs call it"), |table| {
            other_names(table.name).collect::<Vec<_>>().join(", ")
        })
        .column(&tables, text("source", "who described the method"), |table| table.source.to_owned())
        .into_table("estimators", "Estimators for --estimator: what they do, and which columns they need.")
}

/// Returns the estimates as a table with the meaning of each column.
pub fn table_of_estimates(estimates: &Estimates) -> Table {
    let rows: Vec<usize> = (0..estimates.n_rows()).collect();
    let mut columns = Columns::new();
    for key in estimates.keys() {
        let meaning = "label of the group, as --by asks for; empty for rows that have none";
        columns =
            columns.column(&rows, ColumnDoc::new(key, meaning), |&row| estimates.text(row, key).map(str::to_owned));
    }
    for column in estimates.columns() {
        columns = columns.records(*column, estimates.records());
    }
    columns.into_table(&estimates.table.replace('-', "_"), &estimates.caption)
}

fn texts(column: &Column) -> PolarsResult<Vec<Option<String>>> {
    Ok(column.cast(&DataType::String)?.str()?.iter().map(|cell| cell.map(str::to_owned)).collect())
}

/// The values of cells, by what all of them are.
fn values(cells: Vec<Option<String>>, style: &NumberStyle) -> Values {
    let all = |holds: &dyn Fn(&str) -> bool| cells.iter().flatten().all(|cell| holds(cell));
    let is_none = cells.iter().flatten().next().is_none();
    let says = |cell: &str, word: &str| cell.eq_ignore_ascii_case(word);
    if !is_none && all(&|cell| says(cell, "true") || says(cell, "false")) {
        return Values::Flags(cells.into_iter().map(|cell| cell.map(|cell| says(&cell, "true"))).collect());
    }
    let is_number = |cell: &str| {
        let Some(plain) = style.plain(cell) else { return false };
        let digits = plain.trim_start_matches(['-', '+']);
        // `0e0` is a number, and `07` somebody.
        let has_leading_zero = digits.starts_with('0') && digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        !has_leading_zero && style.number(cell).is_some()
    };
    if !is_none && all(&is_number) {
        let written = |text: Option<String>| {
            let text = text?;
            Some(Written { number: style.number(&text)?, text })
        };
        return Values::written(cells.into_iter().map(written).collect());
    }
    Values::Text(cells)
}

#[cfg(test)]
mod tests {
    use plymap_statistics::estimator::{Request, Role};
    use plymap_statistics::methods;
    use plymap_tables::{count, flag, number};

    use super::*;

    fn read(path: &Path) -> Result<Frame, TableReadError> {
        read_frame(path, &LogSpec::default()).map(|table| table.frame)
    }

    /// Numbers of the column `x` of a file of this name and content.
    fn numbers_of(name: &str, content: &[u8], spec: &LogSpec) -> Vec<Option<f64>> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), content).unwrap();
        read_frame(&folder.path().join(name), spec).unwrap().frame.numbers("x").unwrap()
    }

    #[test]
    fn tables_are_read_as_logs_are() {
        let default = LogSpec::default();
        let numbers = |content: &str| numbers_of("own.csv", content.as_bytes(), &default);
        assert_eq!(numbers("x;y\n1,5;2,25\n0,5;6,125\n"), [Some(1.5), Some(0.5)]);
        assert_eq!(numbers("x;y\n1,500;2,25\n0,5;6,125\n"), [Some(1.5), Some(0.5)], "other cells decide");
        assert_eq!(numbers("x,y\n\"1,234\",1\n\"987\",2\n"), [Some(1234.0), Some(987.0)]);
        assert_eq!(numbers("x;y\n1.234,5;1\n986,5;2\n"), [Some(1234.5), Some(986.5)]);
        assert_eq!(numbers("x\tn\n1\t1\nn/a\t2\nNone\t3\n.\t4\nnan\t5\n"), [Some(1.0), None, None, None, None]);
        assert_eq!(numbers("# made by hand\nx,y\n1,2\n"), [Some(1.0)]);
        let lines = b"{\"x\": 1, \"y\": null}\n{\"x\": 2.5}\n";
        assert_eq!(numbers_of("own.jsonl", lines, &default), [Some(1.0), Some(2.5)]);
        assert_eq!(numbers_of("own.csv.zst", &zstd::encode_all(&b"x,y\n3,4\n"[..], 1).unwrap(), &default), [Some(3.0)]);
        let said = LogSpec { decimal_comma: true, ..LogSpec::default() };
        assert_eq!(numbers_of("own.csv", b"x;y\n1,234;1\n", &said), [Some(1.234)]);
    }

    /// Whoever names words for missing values means those of typed tables, too.
    #[test]
    fn typed_tables_are_read_as_it_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let rows = [1.5, -99.0];
        let table = Columns::new().column(&rows, number("x", "a number"), |x| Some(*x)).into_table("own", "Own.");
        let missing = ["-99", "-99.0"].map(str::to_owned).to_vec();
        let said = LogSpec { null_values: Some(missing), ..LogSpec::default() };
        for kind in [TableFormat::Csv, TableFormat::Parquet] {
            plymap_tables::write_table_as(&table, folder.path(), "own", &[kind]).unwrap();
            let path = folder.path().join(if kind == TableFormat::Csv { "own.csv" } else { "own.parquet" });
            assert_eq!(read(&path).unwrap().numbers("x").unwrap(), [Some(1.5), Some(-99.0)]);
            let frame = read_frame(&path, &said).unwrap().frame;
            assert_eq!(frame.numbers("x").unwrap(), [Some(1.5), None], "{}", path.display());
        }
    }

    #[test]
    fn what_is_no_number_and_what_is_left_out_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let read_text = |name: &str, content: &str, spec: &LogSpec| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            read_frame(&path, spec)
        };
        let default = LogSpec::default();
        let table = read_text("own.csv", "x;y\n1,5;1\n2,5;2\nlost;3\n", &default).unwrap();
        assert!(table.words["x"].ends_with("own.csv:4: \"lost\" in column \"x\" is no number"), "{:?}", table.words);
        assert!(!table.words.contains_key("y"));
        let above = read_text("own.csv", "# by hand\nx,y\n1,2\n", &default).unwrap();
        assert!(above.notices[0].ends_with("own.csv: 1 line above the header is none of the table, and was left out"));
        let empty = read_text("own.csv", "", &default).map(|table| table.notices).unwrap_err().to_string();
        assert!(empty.ends_with("own.csv: the log has no rows; a header alone is not a log"), "{empty}");
        let none = read(&folder.path().join("none.csv")).unwrap_err().to_string();
        assert!(none.ends_with("none.csv as a table: there is no such file"), "{none}");
        let digit = LogSpec { thousands: Some('5'), ..LogSpec::default() };
        let refused = read_text("own.csv", "x,y\n1,2\n", &digit).map(|table| table.notices).unwrap_err().to_string();
        assert!(refused.starts_with("[log] thousands: '5' cannot stand between digits"), "{refused}");
    }

    #[test]
    fn a_file_is_read_by_what_its_cells_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.csv");
        std::fs::write(&path, "id,n,share,solved,note\n07,3,0.5,true,a\n08,,NA,false,\n09,-1,1e-3,,\"b, c\"\n")
            .unwrap();
        let frame = read(&path).unwrap();
        assert_eq!(frame.text("id").unwrap(), ["07", "08", "09"].map(|id| Some(id.to_owned())));
        assert_eq!(frame.numbers("n").unwrap(), [Some(3.0), None, Some(-1.0)]);
        assert_eq!(frame.numbers("share").unwrap(), [Some(0.5), None, Some(0.001)]);
        assert_eq!(frame.values("solved").unwrap(), &Values::Flags(vec![Some(true), Some(false), None]));
        assert_eq!(frame.text("note").unwrap(), [Some("a".to_owned()), None, Some("b, c".to_owned())]);
        assert!(read(&folder.path().join("none.csv")).unwrap_err().to_string().contains("none.csv"));
        std::fs::write(&path, "a,b\n1\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("own.csv"));
        assert!(is_table(&path) && !is_table(Path::new("study.toml")));
    }

    #[test]
    fn labels_that_differ_in_writing_alone_stay_different_and_truth_may_be_capital() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.csv");
        let rows = ["90071992547409931,1.1,True", "90071992547409932,1.10,FALSE", "90071992547409933,1e5,true"];
        std::fs::write(&path, format!("id,item,solved\n{}\n", rows.join("\n"))).unwrap();
        let frame = read(&path).unwrap();
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
            .column(&rows, count("n", "a count"), |n| *n)
            .column(&rows, flag("is_one", "a flag"), |n| Some(*n == 1))
            .column(&rows, text("name", "a name"), |n| format!("p{n}"))
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
