//! Files that a library reads, and at which it panics, or asks for memory without end, where they are damaged: no input
//! ends the program.

use std::any::Any;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use polars::prelude::{DataFrame, ParquetReader, PolarsError, PolarsResult, SerReader as _, polars_err};
use polars_parquet::parquet::metadata::{ColumnChunkMetadata, FileMetadata};
use polars_parquet_format::thrift::protocol::TCompactInputProtocol;
use polars_parquet_format::{FileMetaData, PageHeader};

/// Reads that are under way in any thread: what panics meanwhile says so by an error, and not on standard error.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// The largest header of a page: it may hold the least and the greatest text of the page.
const LARGEST_HEADER: usize = 64 << 20;

/// A Parquet file as a table.
pub(crate) fn read_parquet(mut file: File) -> PolarsResult<DataFrame> {
    read(|| {
        check_footer(&mut file)?;
        let metadata = ParquetReader::new(&mut file).get_metadata()?.clone();
        check_pages(&mut file, &metadata)?;
        ParquetReader::new(file).finish()
    })
}

/// Refuses a Parquet file whose footer says that it lists more than it has room for; to be asked before the library reads it,
/// which would make room for as much as it says.
pub(crate) fn check_footer(file: &mut (impl Read + Seek)) -> PolarsResult<()> {
    let size = file.seek(SeekFrom::End(0))?;
    let Some(place) = size.checked_sub(8) else { return Ok(()) };
    file.seek(SeekFrom::Start(place))?;
    let mut end = [0; 8];
    file.read_exact(&mut end)?;
    let [length @ .., _, _, _, _] = end;
    let length = u64::from(u32::from_le_bytes(length));
    // What is no such file, the library says.
    let Some(start) = place.checked_sub(length).filter(|_| end.ends_with(b"PAR1")) else { return Ok(()) };
    file.seek(SeekFrom::Start(start))?;
    // Bytes of texts count, and eight for each entry of a list: whole footers need no more.
    let most = usize::try_from(2 * length + 1024).unwrap_or(usize::MAX);
    let mut footer = TCompactInputProtocol::new(BufReader::new(file.take(length)), most);
    let damaged =
        |_| polars_err!(ComputeError: "the file is damaged (its footer does not hold what it lists); write it anew");
    FileMetaData::read_from_in_protocol(&mut footer).map(drop).map_err(damaged)
}

/// Refuses a Parquet file with a page that says it holds more values than there are rows. The library would make room for
/// all of them, and where there is not so much, the system or the language ends the program.
pub(crate) fn check_pages(file: &mut (impl Read + Seek), metadata: &FileMetadata) -> PolarsResult<()> {
    let mut file = BufReader::new(file);
    for group in &metadata.row_groups {
        for column in group.parquet_columns() {
            if !holds(&mut file, column, group.num_rows())? {
                let name = column.descriptor().path_in_schema.join(".");
                return Err(polars_err!(
                    ComputeError: "the file is damaged (a page of column {name:?} does not hold as many values as it says); write it anew"
                ));
            }
        }
    }
    Ok(())
}

/// Whether the pages of a column say that they hold the values that it has.
fn holds(file: &mut (impl Read + Seek), column: &ColumnChunkMetadata, n_rows: usize) -> PolarsResult<bool> {
    let is_flat = column.descriptor().descriptor.max_rep_level == 0;
    let Ok(mut n_left) = u64::try_from(column.num_values()) else { return Ok(false) };
    if is_flat && n_left > n_rows as u64 {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(column.byte_range().start))?;
    while n_left > 0 {
        let header = PageHeader::read_from_in_protocol(&mut TCompactInputProtocol::new(&mut *file, LARGEST_HEADER));
        let header = header.map_err(|error| polars_err!(ComputeError: "the file is damaged ({error})"))?;
        let of_data = header.data_page_header.as_ref().map(|own| own.num_values);
        let n_values = of_data.or(header.data_page_header_v2.as_ref().map(|own| own.num_values)).unwrap_or(0);
        let n_different = header.dictionary_page_header.as_ref().map_or(0, |own| own.num_values);
        // A value takes a bit at least.
        let most_different = i64::from(header.uncompressed_page_size) * 8;
        let left = u64::try_from(n_values).ok().and_then(|n_values| n_left.checked_sub(n_values));
        let (Some(left), Ok(size)) = (left, u32::try_from(header.compressed_page_size)) else { return Ok(false) };
        if i64::from(n_different) > most_different {
            return Ok(false);
        }
        n_left = left;
        file.seek(SeekFrom::Current(size.into()))?;
    }
    Ok(true)
}

/// What a reader of polars gives, or an error where it panics.
pub(crate) fn read<T>(reader: impl FnOnce() -> PolarsResult<T>) -> PolarsResult<T> {
    caught(reader).unwrap_or_else(|reason| Err(PolarsError::ComputeError(reason.into())))
}

/// What a reader gives, or where it panics, what to tell the user.
pub(crate) fn caught<T>(reader: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if UNDER_WAY.load(Ordering::Relaxed) == 0 {
                usual(panic);
            }
        }));
    });
    UNDER_WAY.fetch_add(1, Ordering::Relaxed);
    // The reader and what it has read are dropped with the panic.
    let found = catch_unwind(AssertUnwindSafe(reader));
    UNDER_WAY.fetch_sub(1, Ordering::Relaxed);
    found.map_err(|panic| format!("the file is damaged ({})", message(&*panic)))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("its reader stopped")
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use polars::prelude::{Column, ParquetCompression, ParquetWriter, df};

    use super::*;

    /// Three rows: the header of their only page says so by the bytes of the field, and of 3 in zigzag.
    #[test]
    fn a_page_with_more_values_than_rows_or_a_negative_number_is_refused() {
        let mut written = Vec::new();
        let mut table = df!("level" => ["a", "b", "c"]).unwrap();
        ParquetWriter::new(&mut written).with_compression(ParquetCompression::Uncompressed).finish(&mut table).unwrap();
        let field = [0x2c, 0x15, 6];
        let place = written.windows(3).position(|bytes| bytes == field).unwrap() + 2;
        for (zigzag, is_refused) in [(6, false), (8, true), (5, true)] {
            written[place] = zigzag;
            let mut file = Cursor::new(&written);
            let metadata = ParquetReader::new(&mut file).get_metadata().unwrap().clone();
            let found = check_pages(&mut file, &metadata);
            assert_eq!(found.is_err(), is_refused, "{zigzag}: {found:?}");
            assert!(found.is_ok() || found.unwrap_err().to_string().contains("a page of column \"level\""));
        }
    }

    /// Its schema lists two elements, a count that stands with the type of the list in one byte; larger ones stand behind it.
    #[test]
    fn a_footer_that_lists_more_than_it_has_is_refused_and_a_wide_one_is_not() {
        let written = |table: &mut DataFrame| {
            let mut written = Vec::new();
            ParquetWriter::new(&mut written).finish(table).unwrap();
            written
        };
        let mut damaged = written(&mut df!("level" => ["a", "b", "c"]).unwrap());
        check_footer(&mut Cursor::new(&damaged)).unwrap();
        let field = [0x19, 0x2c];
        let place = damaged.windows(2).rposition(|bytes| bytes == field).unwrap() + 1;
        damaged.splice(place..=place, [0xfc, 0xff, 0xff, 0xff, 0xff, 0x07]);
        let place = damaged.len() - 8;
        damaged[place] += 5;
        let found = check_footer(&mut Cursor::new(&damaged)).unwrap_err().to_string();
        assert!(found.contains("the file is damaged (its footer does not hold what it lists)"), "{found}");
        let column = |number: usize| Column::new(format!("{number}").into(), ["a", "b"]);
        let mut wide = DataFrame::new_infer_height((0..3_000).map(column).collect()).unwrap();
        check_footer(&mut Cursor::new(written(&mut wide))).unwrap();
        let empty = DataFrame::new_infer_height(vec![Column::new("".into(), Vec::<i64>::new())]).unwrap();
        check_footer(&mut Cursor::new(written(&mut empty.clone()))).unwrap();
    }

    #[test]
    fn a_reader_that_panics_gives_an_error() {
        let index = std::hint::black_box(5);
        let found = read(|| Ok([1, 2, 3][index])).unwrap_err().to_string();
        assert!(found.contains("the file is damaged (index out of bounds"), "{found}");
        assert_eq!(read(|| Ok(7)).unwrap(), 7);
    }
}
