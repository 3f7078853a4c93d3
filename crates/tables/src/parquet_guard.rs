//! Parquet files whose footer and pages are checked before polars reads them: where these are damaged, it would ask for memory
//! without end, or panic.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use polars::io::parquet::metadata::FileMetadataRef;
use polars::prelude::{DataFrame, ParquetReader, PolarsError, PolarsResult, SerReader as _, polars_err};
use polars_parquet::parquet::metadata::{ColumnChunkMetadata, FileMetadata};
use polars_parquet_format::thrift::protocol::TCompactInputProtocol;
use polars_parquet_format::{FileMetaData, PageHeader};

use crate::panic_guard::caught;

/// The largest header of a page: it may hold the least and the greatest text of the page.
const LARGEST_HEADER: usize = 64 << 20;

/// Limit on the different values of a page for each of its bytes: a value takes a bit at least.
const MOST_PER_BYTE: u64 = 8;

/// A Parquet file as a table.
pub fn read_parquet(mut file: File) -> PolarsResult<DataFrame> {
    read(|| {
        checked(&mut file, |file| Ok(ParquetReader::new(file).get_metadata()?.clone()))?;
        ParquetReader::new(file).finish()
    })
}

/// Returns the metadata of a Parquet file, as `tell` reads it, once its footer and its pages were checked: the library
/// makes room for as much as they say that they hold, and where there is not so much, the system or the language ends
/// the program.
pub fn checked<F: Read + Seek>(
    file: &mut F,
    tell: impl FnOnce(&mut F) -> PolarsResult<FileMetadataRef>,
) -> PolarsResult<FileMetadataRef> {
    check_footer(file)?;
    let metadata = tell(file)?;
    check_pages(file, &metadata)?;
    Ok(metadata)
}

/// Refuses a Parquet file whose footer says that it lists more than it has room for; to be asked before the library reads it.
pub fn check_footer(file: &mut (impl Read + Seek)) -> PolarsResult<()> {
    // Bytes of texts count, and eight for each entry of a list: whole footers need no more.
    check_footer_within(file, |n_bytes| 2 * n_bytes + 1024)
}

/// Refuses a footer that takes more than `room` allows for its bytes.
fn check_footer_within(file: &mut (impl Read + Seek), room: impl Fn(u64) -> u64) -> PolarsResult<()> {
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
    let most = usize::try_from(room(length)).unwrap_or(usize::MAX);
    let mut footer = TCompactInputProtocol::new(BufReader::new(file.take(length)), most);
    let damaged =
        |_| polars_err!(ComputeError: "the file is damaged (its footer does not hold what it lists); write it anew");
    FileMetaData::read_from_in_protocol(&mut footer).map(drop).map_err(damaged)
}

/// Refuses a Parquet file with a page that does not hold as many values as it says.
fn check_pages(file: &mut (impl Read + Seek), metadata: &FileMetadata) -> PolarsResult<()> {
    let mut file = BufReader::new(file);
    for group in &metadata.row_groups {
        for column in group.parquet_columns() {
            if !holds(&mut file, column, group.num_rows(), MOST_PER_BYTE)? {
                let name = column.descriptor().path_in_schema.join(".");
                return Err(polars_err!(
                    ComputeError: "the file is damaged (a page of column {name:?} does not hold as many values as it says); write it anew"
                ));
            }
        }
    }
    Ok(())
}

/// Returns true if the pages of a column say that they hold the values that it has, and no more than `per_byte` allows
/// for their bytes.
fn holds(
    file: &mut (impl Read + Seek),
    column: &ColumnChunkMetadata,
    n_rows: usize,
    per_byte: u64,
) -> PolarsResult<bool> {
    let is_flat = column.descriptor().descriptor.max_rep_level == 0;
    let Ok(mut n_left) = u64::try_from(column.num_values()) else { return Ok(false) };
    if is_flat && n_left > n_rows as u64 {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(column.byte_range().start))?;
    while n_left > 0 {
        let header = PageHeader::read_from_in_protocol(&mut TCompactInputProtocol::new(&mut *file, LARGEST_HEADER));
        let Ok(header) = header else { return Ok(false) };
        let of_data = header.data_page_header.as_ref().map(|page| page.num_values);
        let n_values = of_data.or(header.data_page_header_v2.as_ref().map(|page| page.num_values)).unwrap_or(0);
        let n_different = header.dictionary_page_header.as_ref().map_or(0, |page| page.num_values);
        let most_different = u64::try_from(header.uncompressed_page_size).ok().map(|n_bytes| n_bytes * per_byte);
        let different = most_different.and_then(|most| left_of(most, n_different));
        let (Some(left), Some(_), Ok(size)) =
            (left_of(n_left, n_values), different, u32::try_from(header.compressed_page_size))
        else {
            return Ok(false);
        };
        n_left = left;
        file.seek(SeekFrom::Current(size.into()))?;
    }
    Ok(true)
}

/// Returns the number of values left after those that a page says it holds; absent where there are not that many.
fn left_of(n_left: u64, n_values: i32) -> Option<u64> {
    n_left.checked_sub(n_values.try_into().ok()?)
}

/// Returns the result of a reader of polars, or an error where it panics.
pub fn read<T>(reader: impl FnOnce() -> PolarsResult<T>) -> PolarsResult<T> {
    caught(reader).unwrap_or_else(|reason| Err(PolarsError::ComputeError(reason.into())))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use polars::prelude::{Column, ParquetCompression, ParquetWriter, df};
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn written(table: &mut DataFrame) -> Vec<u8> {
        let mut written = Vec::new();
        ParquetWriter::new(&mut written).with_compression(ParquetCompression::Uncompressed).finish(table).unwrap();
        written
    }

    fn metadata_of(written: &[u8]) -> FileMetadataRef {
        ParquetReader::new(Cursor::new(written)).get_metadata().unwrap().clone()
    }

    /// Three rows are more than a footer of two tells.
    #[test]
    fn a_page_with_more_values_than_its_column_is_refused() {
        let [two, three] =
            [["a", "b"].as_slice(), &["a", "b", "c"]].map(|level| written(&mut df!("level" => level).unwrap()));
        check_pages(&mut Cursor::new(&two), &metadata_of(&two)).unwrap();
        check_pages(&mut Cursor::new(&three), &metadata_of(&three)).unwrap();
        let message = check_pages(&mut Cursor::new(&three), &metadata_of(&two)).unwrap_err().to_string();
        assert!(message.contains("a page of column \"level\" does not hold as many values as it says"), "{message}");
    }

    /// With other limits than its own, a whole file is refused.
    #[test]
    fn columns_have_no_more_values_than_rows_and_dictionaries_no_more_than_bits() {
        let whole = written(&mut df!("level" => ["a", "b", "a"]).unwrap());
        let metadata = metadata_of(&whole);
        let column = &metadata.row_groups[0].parquet_columns()[0];
        let holds = |n_rows, per_byte| holds(&mut Cursor::new(&whole), column, n_rows, per_byte).unwrap();
        assert!(column.dictionary_page_offset().is_some(), "the writer keeps texts in a dictionary");
        assert_eq!([holds(3, MOST_PER_BYTE), holds(2, MOST_PER_BYTE), holds(3, 0)], [true, false, false]);
    }

    #[test]
    fn no_page_takes_more_values_than_are_left() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..10_000 {
            let (n_left, n_values) = (random.random_range(0..1 << 32), random.random());
            let left = i64::try_from(n_left).unwrap() - i64::from(n_values);
            let expected = u64::try_from(left).ok().filter(|&left| left <= n_left);
            assert_eq!(left_of(n_left, n_values), expected, "{n_values} of {n_left}");
        }
    }

    /// With less room than it takes, a whole footer is refused.
    #[test]
    fn a_footer_has_the_room_that_its_bytes_allow() {
        let small = written(&mut df!("level" => ["a", "b", "c"]).unwrap());
        let message = check_footer_within(&mut Cursor::new(&small), |n_bytes| n_bytes / 8).unwrap_err().to_string();
        assert!(message.contains("the file is damaged (its footer does not hold what it lists)"), "{message}");
        let column = |number: usize| Column::new(format!("{number}").into(), ["a", "b"]);
        let mut wide = DataFrame::new_infer_height((0..3_000).map(column).collect()).unwrap();
        let mut empty = DataFrame::new_infer_height(vec![Column::new("".into(), Vec::<i64>::new())]).unwrap();
        for whole in [small, written(&mut wide), written(&mut empty)] {
            check_footer(&mut Cursor::new(whole)).unwrap();
        }
    }

    /// With zeros where the footer or a page begins: the library says of itself that it cannot read them.
    #[test]
    fn a_file_is_looked_at_before_the_library_reads_it() {
        let whole = written(&mut df!("level" => ["a", "b", "c"]).unwrap());
        let footer = whole.len() - 8 - usize::from(whole[whole.len() - 8]) - 256 * usize::from(whole[whole.len() - 7]);
        let read = |bytes: &[u8]| {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(bytes).unwrap();
            read_parquet(file).map(|table| table.height()).map_err(|error| error.to_string())
        };
        assert_eq!(read(&whole), Ok(3));
        for (place, words) in [(footer, "its footer does not hold what it lists"), (4, "a page of column \"level\"")] {
            let mut zeroed = whole.clone();
            zeroed[place..place + 4].fill(0);
            assert!(ParquetReader::new(Cursor::new(&zeroed)).finish().is_err(), "{words}");
            let said = read(&zeroed).unwrap_err();
            assert!(said.contains(&format!("the file is damaged ({words}")), "{said}");
        }
    }
}
