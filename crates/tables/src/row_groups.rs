//! A Parquet file, row group by row group. Groups are encoded and compressed side by side: that takes longer than making
//! their rows.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use foldhash::fast::RandomState;
use polars::io::parquet::write::{BatchedWriter, StatisticsOptions, get_encodings};
use polars::prelude::{
    ArrowSchema, Column, CompatLevel, DataFrame, KeyValueMetadata, ParquetCompression, ParquetWriter, PolarsError,
    PolarsResult, StringChunked,
};
use polars_arrow::array::{Array as _, DictionaryArray, PrimitiveArray, Utf8ViewArray, View};
use polars_arrow::compute::concatenate::concatenate_validities;
use polars_arrow::datatypes::{ArrowDataType, IntegerType};
use polars_parquet::write::{
    CompressedPage, Encoding, SchemaDescriptor, Version, WriteOptions, array_to_columns, compress, to_parquet_schema,
};

use crate::interner::Interner;

/// Rows of a group, but for the last one: fixed, because the default of the library may change.
pub const ROW_GROUP_SIZE: usize = 1 << 17;

/// The most groups that are encoded at once: each holds its rows.
const MOST_AHEAD: usize = 8;

/// The largest share of different texts for which numbers pay, and so few texts that they always do: as the library has it.
const MOST_DIFFERENT: f64 = 0.75;
const FEW: usize = 128;

/// A file in the making.
pub struct RowGroups {
    writer: BatchedWriter<BufWriter<Watched>>,
    /// Error of the system at the last refused write, if there was one.
    refusal: Refusal,
    encoder: Arc<Encoder>,
    /// Rows that do not fill a group yet.
    pending: DataFrame,
    /// Groups that are being encoded, in their order.
    ahead: VecDeque<JoinHandle<PolarsResult<Group>>>,
    is_empty: bool,
}

/// Error of writing a file.
#[derive(Debug)]
pub enum Unwritten {
    /// The error of the system.
    System(io::Error),
    /// The error of polars.
    Library(PolarsError),
}

/// Error with which the system refused to write, shared with the file.
#[derive(Clone, Debug, Default)]
struct Refusal(Arc<Mutex<Option<io::Error>>>);

impl Refusal {
    /// Returns the result of work with the file; where the system refused to write, its error, which the library may
    /// not pass on.
    fn told<T>(&self, result: PolarsResult<T>) -> Result<T, Unwritten> {
        result.map_err(|error| match self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(refusal) => Unwritten::System(refusal),
            None => Unwritten::Library(error),
        })
    }
}

/// A file that takes down when the system refuses to write it.
struct Watched {
    file: File,
    refusal: Refusal,
}

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).inspect_err(|error| {
            let said = error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error);
            *self.refusal.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(said);
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Settings for the encoding of row groups.
struct Encoder {
    schema: SchemaDescriptor,
    encodings: Vec<Vec<Encoding>>,
    options: WriteOptions,
}

/// An encoded group.
struct Group {
    n_rows: u64,
    columns: Vec<Vec<CompressedPage>>,
}

impl RowGroups {
    /// A file for rows with the columns of `head`.
    pub fn new(head: &DataFrame, metadata: Option<KeyValueMetadata>, file: File) -> Result<Self, Unwritten> {
        let refusal = Refusal::default();
        let file = BufWriter::new(Watched { file, refusal: refusal.clone() });
        let compression = ParquetCompression::Zstd(None);
        let begun = ParquetWriter::new(file)
            .with_compression(compression)
            .with_key_value_metadata(metadata)
            .batched(head.schema());
        let writer = refusal.told(begun)?;
        let schema = arrow_schema(head);
        let options = WriteOptions {
            statistics: StatisticsOptions::default(),
            version: Version::V1,
            compression: compression.into(),
            data_page_size: None,
        };
        let parquet_schema = to_parquet_schema(&schema).map_err(Unwritten::Library)?;
        let encoder = Encoder { schema: parquet_schema, encodings: get_encodings(&schema).to_vec(), options };
        let (encoder, pending) = (Arc::new(encoder), head.clone());
        Ok(Self { writer, refusal, encoder, pending, ahead: VecDeque::new(), is_empty: true })
    }

    /// Adds rows. Groups are of one size, however the rows come.
    pub fn append(&mut self, data: &DataFrame) -> Result<(), Unwritten> {
        let appended = self.add(data);
        self.refusal.told(appended)
    }

    fn add(&mut self, data: &DataFrame) -> PolarsResult<()> {
        self.pending.vstack_mut(data)?;
        while self.pending.height() >= ROW_GROUP_SIZE {
            let group = self.pending.slice(0, ROW_GROUP_SIZE);
            self.pending = self.pending.slice(ROW_GROUP_SIZE as i64, usize::MAX);
            self.is_empty = false;
            self.encode(group)?;
        }
        Ok(())
    }

    /// Encodes a group beside the work of this thread, if there is another one for it.
    fn encode(&mut self, group: DataFrame) -> PolarsResult<()> {
        // As many as there are threads: this one and those that make rows wait for them now and then.
        let n_threads = rayon::current_num_threads();
        let most_ahead = if n_threads > 1 { MOST_AHEAD.min(n_threads) } else { 0 };
        if self.ahead.len() >= most_ahead {
            self.write_next()?;
        }
        let (encoder, group_copy) = (self.encoder.clone(), group.clone());
        let thread = std::thread::Builder::new();
        match (most_ahead > 0).then(|| thread.spawn(move || encoder.encode(&group_copy))) {
            Some(Ok(thread)) => self.ahead.push_back(thread),
            // Where the system has no thread either.
            _ => {
                while !self.ahead.is_empty() {
                    self.write_next()?;
                }
                let group = self.encoder.encode(&group)?;
                self.write(&group)?;
            }
        }
        Ok(())
    }

    /// Writes what is left, and the end of the file.
    pub fn finish(mut self) -> Result<(), Unwritten> {
        let finished = self.end();
        self.refusal.told(finished)
    }

    fn end(&mut self) -> PolarsResult<()> {
        while !self.ahead.is_empty() {
            self.write_next()?;
        }
        if self.pending.height() > 0 || self.is_empty {
            let rest = std::mem::take(&mut self.pending);
            let group = self.encoder.encode(&rest)?;
            self.write(&group)?;
        }
        self.writer.finish()?;
        Ok(())
    }

    /// Writes the first of the groups that are being encoded, when it is.
    fn write_next(&mut self) -> PolarsResult<()> {
        let Some(thread) = self.ahead.pop_front() else { return Ok(()) };
        let group = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        self.write(&group)
    }

    fn write(&mut self, group: &Group) -> PolarsResult<()> {
        if group.n_rows == 0 { Ok(()) } else { self.writer.write_row_group(group.n_rows, &group.columns) }
    }
}

/// The columns of a frame, as files tell of them.
pub fn arrow_schema(data: &DataFrame) -> ArrowSchema {
    let field = |column: &Column| {
        let name = column.name().clone();
        (name.clone(), column.dtype().to_arrow_field(name, CompatLevel::newest()))
    };
    data.columns().iter().map(field).collect()
}

/// After an error nothing goes on behind the back of the caller.
impl Drop for RowGroups {
    fn drop(&mut self) {
        self.ahead.drain(..).for_each(|thread| drop(thread.join()));
    }
}

impl Encoder {
    fn encode(&self, rows: &DataFrame) -> PolarsResult<Group> {
        let mut columns = Vec::new();
        let typed = self.schema.fields().iter().zip(&self.encodings);
        for (column, (kind, encodings)) in rows.columns().iter().zip(typed) {
            let series = column.as_materialized_series();
            let array = match series.str().ok().and_then(coded) {
                Some(coded) => coded.boxed(),
                // A chunk of the column would be a page of its own.
                None => series.rechunk().to_arrow(0, CompatLevel::newest()),
            };
            for pages in array_to_columns(&*array, kind.clone(), self.options, encodings)? {
                let compressed = pages.map(|page| Ok(compress(page?, Vec::new(), self.options.compression)?));
                columns.push(compressed.collect::<PolarsResult<Vec<CompressedPage>>>()?);
            }
        }
        Ok(Group { n_rows: rows.height() as u64, columns })
    }
}

/// Texts as numbers of the different ones, in the order in which they first come; nothing where most of them differ.
///
/// The library would look at each text twice to find those that are the same. Cells that were taken from one text are views of
/// the same bytes, and one of them tells what all say.
fn coded(texts: &StringChunked) -> Option<DictionaryArray<u32>> {
    let mut of_views: HashMap<u128, u32, RandomState> = HashMap::default();
    let mut met = Interner::default();
    let mut numbers: Vec<u32> = Vec::with_capacity(texts.len());
    for chunk in texts.downcast_iter() {
        // Views tell where in their own chunk a text stands.
        of_views.clear();
        let mut last = None;
        let mut number = |row: usize, view: View| {
            let view = view.as_u128();
            match last {
                Some((known, number)) if known == view => number,
                _ => {
                    let number = *of_views.entry(view).or_insert_with(|| met.number(chunk.value(row)));
                    last = Some((view, number));
                    number
                }
            }
        };
        let views = chunk.views().iter().copied().enumerate();
        match chunk.validity() {
            None => numbers.extend(views.map(|(row, view)| number(row, view))),
            // What stands for a missing text is no number of any.
            Some(is_there) => {
                let of_row = |((row, view), is_there)| if is_there { number(row, view) } else { 0 };
                numbers.extend(views.zip(is_there).map(of_row));
            }
        }
    }
    let numbers = PrimitiveArray::new(ArrowDataType::UInt32, numbers.into(), concatenate_validities(texts.chunks()));
    let met = met.into_items();
    if met.len() as f64 > MOST_DIFFERENT * texts.len() as f64 && texts.len() > FEW {
        return None;
    }
    let kind = ArrowDataType::Dictionary(IntegerType::UInt32, Box::new(ArrowDataType::Utf8View), false);
    DictionaryArray::try_new(kind, numbers, Utf8ViewArray::from_slice_values(met).boxed()).ok()
}

#[cfg(test)]
mod tests {
    use polars::prelude::{
        IdxCa, IntoColumn as _, NamedFrom as _, NewChunkedArray as _, ParquetReader, SerReader as _, Series,
    };

    use super::*;

    /// Short and long texts, missing ones among them, as they are and taken from a few.
    fn texts(n: u32) -> Column {
        let few = (0..50).map(|n| (n % 9 > 0).then(|| "x".repeat(if n % 2 == 0 { 1 } else { 40 }) + &n.to_string()));
        let few = Series::new("few".into(), few.collect::<Vec<_>>());
        let numbers = (0..n).map(|row| (row % 13 > 0).then_some(row * row % 50));
        few.into_column().take(&IdxCa::from_iter_options("".into(), numbers)).unwrap()
    }

    #[test]
    fn texts_by_their_numbers_are_those_that_were_written() {
        let different =
            |n: usize| Series::new("different".into(), (0..n).map(|row| format!("text {row}")).collect::<Vec<_>>());
        let n = 3_000;
        let data = DataFrame::new_infer_height(vec![texts(n as u32), different(n).into_column()]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("texts.parquet");
        let written = |parts: &[DataFrame]| {
            let file = File::create(&path).unwrap();
            let mut groups = RowGroups::new(&data.clear(), None, file).unwrap();
            parts.iter().for_each(|part| groups.append(part).unwrap());
            groups.finish().unwrap();
            std::fs::read(&path).unwrap()
        };
        let whole = written(std::slice::from_ref(&data));
        assert_eq!(ParquetReader::new(File::open(&path).unwrap()).finish().unwrap(), data);
        // The same texts, each part with its own bytes of them.
        let part = |start: i64, n: usize| {
            let copied = |column: &Column| {
                let part = column.slice(start, n);
                let texts = part.as_materialized_series().str().unwrap().iter().collect::<Vec<_>>();
                Series::new(column.name().clone(), texts).into_column()
            };
            DataFrame::new_infer_height(data.columns().iter().map(copied).collect()).unwrap()
        };
        assert!(written(&[part(0, 13), part(13, 1), part(14, 1_000), part(1_014, n)]) == whole);
    }

    #[test]
    fn few_texts_have_numbers_in_their_order_and_many_have_none() {
        let numbers_of = |column: Column| {
            let coded = coded(column.as_materialized_series().str().unwrap())?;
            let values = coded.values().as_any().downcast_ref::<Utf8ViewArray>().unwrap().clone();
            Some((coded.keys().iter().map(|key| key.copied()).collect::<Vec<_>>(), values))
        };
        let (numbers, values) = numbers_of(texts(500)).unwrap();
        let column = texts(500);
        let decoded: Vec<Option<&str>> = numbers.iter().map(|number| Some(values.value((*number)? as usize))).collect();
        assert_eq!(decoded, column.as_materialized_series().str().unwrap().iter().collect::<Vec<_>>());
        let mut met = 0;
        for number in numbers.into_iter().flatten() {
            assert!(number <= met, "{number} before {met}");
            met = met.max(number + 1);
        }
        assert_eq!(values.len(), met as usize);
        let different =
            |n: usize| Series::new("different".into(), (0..n).map(|row| row.to_string()).collect::<Vec<_>>());
        assert!(numbers_of(different(FEW).into_column()).is_some());
        assert!(numbers_of(different(FEW + 1).into_column()).is_none());
    }
}
