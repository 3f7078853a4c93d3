//! Rows of Parquet files, and of tables in memory, as text.

use super::cells::Cells;
use super::error::LogError;
use super::file_settings::Frame;
use super::limit::{Growth, check_whole, read_whole};
use super::raw::RawRow;
use super::raw::Sink;
use super::source::Source;
use jiff::Timestamp;
use jiff::tz::Offset;
use plymap_puzzles::progress::Progress;
use plymap_tables::parquet_guard::{check_footer, checked, read};
use polars::io::mmap::MmapBytesReader;
use polars::io::parquet::metadata::FileMetadataRef;
use polars::prelude::*;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

/// Rows that are read at a time. A row group is unpacked from its beginning for each part of it that is read; groups
/// mostly have as many rows, or fewer.
const BATCH: usize = 1 << 18;

/// Rows of a part; in tests so few that small tables come in several parts, too.
const PART: usize = if cfg!(test) { 2 } else { 1 << 12 };

/// The columns of the file, or of the table in memory.
pub(super) fn columns(source: &Source) -> Result<Vec<String>, LogError> {
    let schema = match &source.frame {
        Some(Frame(frame)) => Arc::new(frame.schema().to_arrow(CompatLevel::newest())),
        None => {
            let mut bytes = open(source)?;
            let schema = read(|| {
                check_footer(&mut bytes)?;
                ParquetReader::new(bytes).schema()
            });
            schema.map_err(|error| source.unreadable(&error))?
        }
    };
    for (name, field) in schema.iter() {
        if !is_read(&field.dtype) {
            let (path, column) = (source.file.path.clone(), name.to_string());
            return Err(LogError::UnsupportedType { path, column, dtype: format!("{:?}", field.dtype) });
        }
    }
    Ok(schema.iter_names().map(|name| name.to_string()).collect())
}

/// Rows of a table that are still in its columns: whoever takes them makes their texts, on its own thread.
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    columns: DataFrame,
    /// Number of its first row, from 1.
    first: u64,
}

impl Part {
    pub(super) fn len(&self) -> usize {
        self.columns.height()
    }

    /// Hands the rows, as texts, to `take`.
    pub(super) fn with_rows<T>(&self, take: impl FnOnce(&[RawRow<'_>]) -> T) -> Result<T, LogError> {
        let columns: Vec<ColumnTexts> = read(|| self.columns.columns().iter().map(ColumnTexts::new).collect())
            .map_err(|error| LogError::Unreadable { path: self.path.clone(), reason: error.to_string() })?;
        let width = columns.len();
        let mut cells = vec![None; self.len() * width];
        for (number, column) in columns.iter().enumerate() {
            column.tell(cells[number..].iter_mut().step_by(width));
        }
        let row = |number: usize| RawRow {
            line: self.first + number as u64,
            cells: &cells[number * width..(number + 1) * width],
            fault: None,
            notices: &[],
        };
        Ok(take(&(0..self.len()).map(row).collect::<Vec<_>>()))
    }

    /// Bytes that its texts take, about.
    fn n_bytes(&self) -> PolarsResult<u64> {
        self.columns.columns().iter().map(n_bytes).sum()
    }
}

/// Hands every row to `sink`.
pub(super) fn rows(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    parts(source, progress, &mut |part| {
        part.with_rows(|rows| rows.iter().try_for_each(|row| sink(RawRow { fault: None, ..*row })))?
    })
}

/// Hands all rows to `sink`, part by part.
pub(super) fn parts(
    source: &Source,
    progress: &dyn Progress,
    sink: &mut dyn FnMut(Part) -> Result<(), LogError>,
) -> Result<(), LogError> {
    let unreadable = |error: PolarsError| source.unreadable(&error);
    match &source.frame {
        Some(Frame(frame)) => {
            in_parts(source, frame.height(), progress, sink, |begin| Ok(frame.slice(begin as i64, BATCH)))?;
        }
        None => {
            let mut bytes = open(source)?;
            let metadata = read(|| checked(&mut bytes, |bytes| plain_metadata(&mut ParquetReader::new(bytes))));
            let metadata = metadata.map_err(unreadable)?;
            in_parts(source, metadata.num_rows, progress, sink, |begin| {
                let mut reader = ParquetReader::new(&mut bytes).with_slice(Some((begin, BATCH)));
                reader.set_metadata(metadata.clone());
                reader.finish()
            })?;
        }
    }
    Ok(())
}

/// Hands `n_rows` rows to `sink`; `batch_from` reads a batch of them. Each row is told to `progress` as its share of
/// the file.
fn in_parts(
    source: &Source,
    n_rows: usize,
    progress: &dyn Progress,
    sink: &mut dyn FnMut(Part) -> Result<(), LogError>,
    mut batch_from: impl FnMut(usize) -> PolarsResult<DataFrame>,
) -> Result<(), LogError> {
    let unreadable = |error: PolarsError| source.unreadable(&error);
    let mut growth = Growth::of_rows(source.file.bytes);
    let n_bytes_until = |row: usize| (u128::from(source.file.bytes) * row as u128 / n_rows as u128) as u64;
    for begin in (0..n_rows).step_by(BATCH) {
        let batch = read(|| batch_from(begin)).map_err(unreadable)?;
        if batch.columns().iter().any(|column| column.len() != batch.height()) {
            return Err(source.malformed(1, "its columns differ in length", "write the file anew"));
        }
        for start in (0..batch.height()).step_by(PART) {
            let columns = batch.slice(start as i64, PART);
            let part = Part { path: source.file.path.clone(), columns, first: (begin + start + 1) as u64 };
            // A text that stands in the file once may be in every row.
            let n_bytes = read(|| part.n_bytes()).map_err(unreadable)?;
            check_whole(n_bytes)
                .and_then(|()| growth.add_rows(part.len(), n_bytes))
                .map_err(|error| source.unreadable(&error))?;
            let rows = begin + start..begin + start + part.len();
            sink(part)?;
            progress.advance(n_bytes_until(rows.end) - n_bytes_until(rows.start));
        }
    }
    Ok(())
}

/// A Parquet file is read from its end, so that a compressed one has to be unpacked first.
fn open(source: &Source) -> Result<Box<dyn MmapBytesReader>, LogError> {
    if source.is_packed() {
        let bytes = read_whole(source.open(None)?).map_err(|error| source.unreadable(&error))?;
        return Ok(Box::new(Cursor::new(bytes)));
    }
    Ok(Box::new(File::open(&source.place).map_err(|error| source.unreadable(&error))?))
}

/// Metadata of the file, with categories (of pandas, R or polars) as the texts that they stand for.
///
/// In the file they are texts; only the writer's own schema, kept beside that of Parquet, calls them
/// categories. Not all of them polars could make into categories again.
fn plain_metadata<R: MmapBytesReader>(reader: &mut ParquetReader<R>) -> PolarsResult<FileMetadataRef> {
    let has_categories =
        reader.schema()?.iter_values().any(|field| matches!(field.dtype, ArrowDataType::Dictionary(..)));
    let mut metadata = reader.get_metadata()?.clone();
    if has_categories {
        Arc::make_mut(&mut metadata).key_value_metadata = None;
    }
    Ok(metadata)
}

/// Types that are turned into text without loss. Anything else is refused before polars meets it.
pub fn is_read(dtype: &ArrowDataType) -> bool {
    use ArrowDataType as Type;
    match dtype {
        Type::Null | Type::Boolean | Type::Utf8 | Type::LargeUtf8 | Type::Utf8View => true,
        Type::UInt8 | Type::UInt16 | Type::UInt32 | Type::UInt64 => true,
        Type::Int8 | Type::Int16 | Type::Int32 | Type::Int64 => true,
        Type::Float32 | Type::Float64 | Type::Date32 | Type::Date64 => true,
        // A timestamp with a zone is an instant, whatever the zone is called.
        Type::Timestamp(..) => true,
        // Categories; those of other types than text come as these types.
        Type::Dictionary(_, values, _) => matches!(**values, Type::Utf8 | Type::LargeUtf8 | Type::Utf8View),
        _ => false,
    }
}

/// The bytes of the texts of a column; of what is not text, a few for each value.
fn n_bytes(column: &Column) -> PolarsResult<u64> {
    const OF_VALUE: usize = 16;
    Ok(match column.dtype() {
        DataType::String => {
            let texts = column.as_materialized_series().str()?;
            texts.downcast_iter().map(|texts| texts.total_bytes_len()).sum::<usize>() as u64
        }
        _ => (column.len() * OF_VALUE) as u64,
    })
}

/// The cells of a column.
enum ColumnTexts {
    /// As the table has them.
    Kept(StringChunked),
    Written(Cells),
}

impl ColumnTexts {
    fn new(column: &Column) -> PolarsResult<Self> {
        let series = column.as_materialized_series();
        let mut texts = Cells::with_capacity(column.len());
        // What most columns of logs are made of is taken from its own array, not value by value by its type.
        match series.dtype() {
            DataType::String => return Ok(Self::Kept(series.str()?.clone())),
            DataType::Int64 => {
                let mut buffer = itoa::Buffer::new();
                series.i64()?.iter().for_each(|cell| texts.push(cell.map(|number| buffer.format(number))));
            }
            // Not a number is a missing one.
            DataType::Float64 => series.f64()?.iter().for_each(|cell| match cell.filter(|number| !number.is_nan()) {
                Some(number) => push_number(number, &mut texts),
                None => texts.push(None),
            }),
            // A category is held once, and may be in every row.
            _ => series.iter().try_for_each(|value| {
                texts.push_written(|text| add_text(value, text))?;
                check_whole(texts.n_bytes() as u64).map_err(|error| polars_err!(ComputeError: "{error}"))
            })?,
        }
        Ok(Self::Written(texts))
    }

    /// Writes the cells, or as many of them as there is room for.
    fn tell<'t, 'c>(&'t self, to: impl Iterator<Item = &'c mut Option<&'t str>>)
    where
        't: 'c,
    {
        match self {
            Self::Kept(texts) => to.zip(texts.downcast_iter().flatten()).for_each(|(to, text)| *to = text),
            Self::Written(texts) => to.zip(texts.iter()).for_each(|(to, text)| *to = text),
        }
    }
}

/// Adds the shortest text that reads back as the same number. It has no exponent.
fn push_number(number: f64, texts: &mut Cells) {
    let mut buffer = zmij::Buffer::new();
    let shown = buffer.format(number);
    match shown.contains('e') {
        true => texts.push_shown(number),
        false => texts.push(Some(shown.strip_suffix(".0").unwrap_or(shown))),
    }
}

/// Adds the text of a value of the rarer types; whether it has one.
fn add_text(value: AnyValue<'_>, text: &mut String) -> PolarsResult<bool> {
    let beyond = || polars_err!(ComputeError: "a date lies beyond the calendar");
    let written = match value {
        AnyValue::Null => return Ok(false),
        AnyValue::Float32(number) if number.is_nan() => return Ok(false),
        AnyValue::Float32(number) => write!(text, "{number}"),
        AnyValue::Boolean(truth) => write!(text, "{truth}"),
        AnyValue::Categorical(category, categories) | AnyValue::Enum(category, categories) => {
            text.push_str(categories.cat_to_str(category).unwrap_or_default());
            Ok(())
        }
        AnyValue::Date(days) => {
            let instant = Timestamp::from_second(i64::from(days) * 86_400).map_err(|_| beyond())?;
            write!(text, "{}", Offset::UTC.to_datetime(instant).date())
        }
        AnyValue::Datetime(ticks, unit, zone) => {
            let instant = match unit {
                TimeUnit::Nanoseconds => Timestamp::from_nanosecond(i128::from(ticks)),
                TimeUnit::Microseconds => Timestamp::from_microsecond(ticks),
                TimeUnit::Milliseconds => Timestamp::from_millisecond(ticks),
            };
            let instant = instant.map_err(|_| beyond())?;
            match zone {
                Some(_) => write!(text, "{instant}"),
                None => write!(text, "{}", Offset::UTC.to_datetime(instant)),
            }
        }
        other => write!(text, "{other}"),
    };
    written.expect("a text takes everything");
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Mutex;

    use plymap_puzzles::progress::Silent;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::super::read::{inspect_frame, look_at};
    use super::super::spec::LogSpec;
    use super::*;

    fn texts_of(column: &Column) -> Vec<Option<String>> {
        let texts = ColumnTexts::new(column).unwrap();
        let mut cells = vec![None; column.len()];
        texts.tell(cells.iter_mut());
        cells.into_iter().map(|cell: Option<&str>| cell.map(str::to_owned)).collect()
    }

    #[test]
    fn values_are_written_as_logs_write_them() {
        let texts = |series: Series| texts_of(&series.into_column());
        let some = |text: &str| Some(text.to_owned());
        let numbers = [Some(2783.0), Some(0.1), Some(1e-7), Some(f64::NAN), None];
        let shown = [some("2783"), some("0.1"), some("0.0000001"), None, None];
        assert_eq!(texts(numbers.into_iter().collect()), shown);
        let rarer: Float32Chunked = [Some(2783.0), Some(0.1), Some(f32::NAN), None].into_iter().collect();
        assert_eq!(texts(rarer.into_series()), [some("2783"), some("0.1"), None, None]);
        assert_eq!(texts([Some(-7_i64), None].into_iter().collect()), [some("-7"), None]);
        assert_eq!(texts([Some(7_u32), None].into_iter().collect()), [some("7"), None]);
        assert_eq!(texts([Some("A+1"), Some(""), None].into_iter().collect()), [some("A+1"), some(""), None]);
        let quarter: Series = [1_767_268_800_250_i64].into_iter().collect();
        let quarter = quarter.cast(&DataType::Datetime(TimeUnit::Milliseconds, None)).unwrap();
        assert_eq!(texts(quarter), [some("2026-01-01T12:00:00.25")]);
    }

    #[test]
    fn numbers_have_the_shortest_text_that_reads_back() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut numbers = vec![0.0, -0.0, 1e15, 1e16, 123_456_789_012_345_680.0, 5e-324, f64::MAX, f64::INFINITY];
        for _ in 0..20_000 {
            let (bits, seconds): (u64, f64) = (random.random(), random.random_range(0.0..1e5));
            numbers.extend([f64::from_bits(bits), seconds, (seconds * 1e3).round() / 1e3, seconds.round()]);
        }
        numbers.retain(|number| !number.is_nan());
        let mut texts = Cells::default();
        numbers.iter().for_each(|&number| push_number(number, &mut texts));
        for (number, text) in numbers.iter().zip(texts.iter()) {
            // Of two that are as near the language may take the other one.
            let (text, usual) = (text.unwrap(), number.to_string());
            assert!(text == usual || text.len() == usual.len() && text.parse() == Ok(*number), "{text}: {usual}");
        }
    }

    #[test]
    fn categories_are_their_texts_and_no_more_of_these_than_fit() {
        let categories = |text: &str| {
            let texts: Series = [Some(text), None, Some(text)].into_iter().collect();
            texts.cast(&DataType::from_categories(Categories::global())).unwrap().into_column()
        };
        assert_eq!(texts_of(&categories("P1")), [Some("P1".to_owned()), None, Some("P1".to_owned())]);
        let said = ColumnTexts::new(&categories(&"a".repeat(3 << 20))).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains("unpacked, it holds more than 4 MiB"), "{said}");
    }

    /// The file calls them categories beside what Parquet says of them.
    #[test]
    fn categories_of_a_file_are_read_as_their_texts() {
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/categories.parquet");
        let schema = ParquetReader::new(File::open(&place).unwrap()).schema().unwrap();
        let named = schema.iter().filter(|(_, field)| matches!(field.dtype, ArrowDataType::Dictionary(..)));
        let names: Vec<String> = named.map(|(name, _)| name.to_string()).collect();
        assert_eq!(names, ["participant", "action", "condition"]);
        let source = look_at(Path::new("log.parquet"), place, &LogSpec::default()).unwrap();
        parts(&source, &Silent, &mut |part| {
            for name in &names {
                assert_eq!(*part.columns.column(name).unwrap().dtype(), DataType::String, "{name}");
            }
            Ok(())
        })
        .unwrap();
    }

    /// Room for all rows is made by how much of the file has given how many.
    #[test]
    fn each_part_tells_its_share_of_the_file() {
        #[derive(Default)]
        struct Advances(Mutex<Vec<u64>>);
        impl Progress for Advances {
            fn begin(&self, _: &str, _: Option<u64>) {}
            fn advance(&self, steps: u64) {
                self.0.lock().unwrap().push(steps);
            }
            fn end(&self) {}
            fn is_cancelled(&self) -> bool {
                false
            }
        }
        let table = df!("participant" => ["p"; 5], "level" => [1; 5], "action" => ["A+1"; 5]).unwrap();
        let source = inspect_frame(&Frame(table), &LogSpec::default()).unwrap();
        let (advances, mut n_rows) = (Advances::default(), Vec::new());
        parts(&source, &advances, &mut |part| {
            n_rows.push(part.len());
            Ok(())
        })
        .unwrap();
        let advances = advances.0.into_inner().unwrap();
        assert_eq!((n_rows, advances.len()), (vec![2, 2, 1], 3));
        assert_eq!(advances.iter().sum::<u64>(), source.file.bytes);
        assert_eq!(advances[0], source.file.bytes * 2 / 5);
    }

    #[test]
    fn only_types_that_have_a_text_are_read() {
        let categories = DataType::from_categories(Categories::global()).to_arrow(CompatLevel::newest());
        assert!(!is_read(&ArrowDataType::Struct(Vec::new())) && !is_read(&ArrowDataType::Float16));
        assert!(is_read(&categories) && is_read(&ArrowDataType::Int8) && is_read(&ArrowDataType::Float64));
    }
}
