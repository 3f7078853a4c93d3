//! Where tables meet estimators: tables and files of other programs as columns that estimators take, and what
//! estimators found as tables.

use std::fs::File;
use std::path::Path;

use plymap_expression::NumberStyle;
use plymap_puzzles::fault::separator_hint;
use plymap_statistics::estimator::{Estimates, EstimatorError, Frame, Values, Written};
use plymap_statistics::methods::{ESTIMATORS, other_names};
use polars::prelude::{Column, DataFrame, DataType, PolarsError, PolarsResult};

use crate::damage::read_parquet;
use crate::log::{LogError, LogSpec, is_log, read_rows};
use crate::report::{TableFormat, read_table};
use crate::table::{Columns, Table};

/// From here on not every whole number is one of 64-bit floating point.
const EXACT: f64 = (1_u64 << 53) as f64;

/// Whether a file is a table, by its name: one that a log could be.
pub fn is_table(path: &Path) -> bool {
    is_log(path)
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
    /// It is in no form that logs have.
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

/// The columns of a file, which `spec` says how to read, as a log is read: Parquet as it is typed; of all others a column
/// is numbers or truth values if all of its cells are, and text where one is not, or is a number with a leading 0, such
/// as the participant 07. Truth values are `true` and `false` in any case, as R and Python write them too. Numbers keep
/// their text, which they are as labels.
///
/// Where `spec` does not say how numbers are written, the cells tell it if they leave no doubt; the style is given back.
///
/// # Errors
///
/// [`TableReadError::Log`] if the file cannot be read.
pub fn read_frame(path: &Path, spec: &LogSpec) -> Result<(Frame, NumberStyle), TableReadError> {
    let failed = |reason: String| TableReadError::File { path: path.display().to_string(), reason };
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    if extension == "parquet" {
        let hint = |error: &std::io::Error| separator_hint(path, error.kind());
        let file = File::open(path).map_err(|error| failed(format!("{error}{}", hint(&error))))?;
        let data = read_parquet(file).map_err(|error| failed(error.to_string()))?;
        return Ok((frame_of_table(&data)?, spec.numbers()));
    }
    if let Some(data) = with_its_types(path).filter(|_| extension == "csv") {
        return Ok((frame_of_table(&data)?, spec.numbers()));
    }
    let read = read_rows(&LogSpec { files: vec![path.to_owned()], ..spec.clone() })?;
    let mut columns: Vec<Vec<Option<String>>> = vec![Vec::new(); read.columns.len()];
    for row in read.rows {
        columns.iter_mut().zip(row.cells).for_each(|(column, cell)| column.push(cell));
    }
    let said = spec.numbers();
    let style = if said == NumberStyle::default() { style_of(&columns, read.has_commas) } else { said };
    let values = columns.into_iter().map(|cells| values(cells, &style));
    Ok((Frame::new(read.columns.into_iter().zip(values).collect())?, style))
}

/// How the numbers of a table are written, as far as its cells tell. A comma before three digits may be either mark: other
/// columns decide, and commas that separate the fields leave it to stand between thousands.
fn style_of(columns: &[Vec<Option<String>>], has_commas: bool) -> NumberStyle {
    let (comma, groups) = (
        NumberStyle { decimal_comma: true, thousands: None },
        NumberStyle { decimal_comma: false, thousands: Some(',') },
    );
    let both = NumberStyle { decimal_comma: true, thousands: Some('.') };
    let of_column = |cells: &Vec<Option<String>>| -> Vec<NumberStyle> {
        let fits = |style: &NumberStyle| cells.iter().flatten().all(|cell| style.number(cell).is_some());
        let has_mark = cells.iter().flatten().any(|cell| cell.contains(','));
        if !has_mark || fits(&NumberStyle::default()) {
            return Vec::new();
        }
        let found: Vec<NumberStyle> = [comma, groups].into_iter().filter(|style| fits(style)).collect();
        if found.is_empty() && fits(&both) { vec![both] } else { found }
    };
    let found: Vec<Vec<NumberStyle>> = columns.iter().map(of_column).filter(|styles| !styles.is_empty()).collect();
    let mut sure = found.iter().filter(|styles| styles.len() == 1).map(|styles| styles[0]);
    match sure.next() {
        Some(style) if sure.all(|other| other == style) => style,
        None if !found.is_empty() && has_commas => groups,
        _ => NumberStyle::default(),
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

    use super::*;

    fn read(path: &Path) -> Result<Frame, TableReadError> {
        read_frame(path, &LogSpec::default()).map(|(frame, _)| frame)
    }

    /// Numbers of the column `x` of a file of this name and content.
    fn numbers_of(name: &str, content: &[u8], spec: &LogSpec) -> Vec<Option<f64>> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), content).unwrap();
        read_frame(&folder.path().join(name), spec).unwrap().0.numbers("x").unwrap()
    }

    #[test]
    fn tables_are_read_as_logs_are() {
        let default = LogSpec::default();
        let of = |content: &str| numbers_of("own.csv", content.as_bytes(), &default);
        assert_eq!(of("x;y\n1,5;2,25\n0,5;6,125\n"), [Some(1.5), Some(0.5)]);
        assert_eq!(of("x;y\n1,500;2,25\n0,5;6,125\n"), [Some(1.5), Some(0.5)], "other cells decide");
        assert_eq!(of("x,y\n\"1,234\",1\n\"987\",2\n"), [Some(1234.0), Some(987.0)]);
        assert_eq!(of("x;y\n1.234,5;1\n986,5;2\n"), [Some(1234.5), Some(986.5)]);
        assert_eq!(of("x\tn\n1\t1\nn/a\t2\nNone\t3\n.\t4\nnan\t5\n"), [Some(1.0), None, None, None, None]);
        assert_eq!(of("# made by hand\nx,y\n1,2\n"), [Some(1.0)]);
        let lines = b"{\"x\": 1, \"y\": null}\n{\"x\": 2.5}\n";
        assert_eq!(numbers_of("own.jsonl", lines, &default), [Some(1.0), Some(2.5)]);
        assert_eq!(numbers_of("own.csv.zst", &zstd::encode_all(&b"x,y\n3,4\n"[..], 1).unwrap(), &default), [Some(3.0)]);
        let said = LogSpec { decimal_comma: true, ..LogSpec::default() };
        assert_eq!(numbers_of("own.csv", b"x;y\n1,234;1\n", &said), [Some(1.234)]);
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
