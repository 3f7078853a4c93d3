//! Files of a log, whatever their format and compression, as rows of text.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use encoding_rs::UTF_8;
use sha2::{Digest, Sha256};

use super::archive::{Archive, is_archive};
use super::delimited::Header;
use super::files::Found;
use super::json_object::Shape;
use super::limit::Growth;
use super::raw::{Flaw, RawRow};
use super::separator::Separator;
use super::source::{Compression, FileFormat, Sink, Source, decompress, reason, strip_bom, unpacked_name};
use super::spec::{Frame, LogSpec, RepeatedColumns};
use super::{
    LogError, LogFile, delimited, encoding, files, json, json_object, parquet, pipeline, sidecar, sqlite, workbook, xes,
};
use crate::unfinished::TemporaryFile;
use plymap_puzzles::progress::{Progress, Silent};
use plymap_statistics::stats::apa::counted;

/// A table in memory, called as `files` of `spec` calls it.
pub(super) fn inspect_frame(frame: &Frame, spec: &LogSpec) -> Result<Source, LogError> {
    let path = spec.files.first().cloned().unwrap_or_else(|| "table".into());
    let format = format_name(FileFormat::Frame, Compression::Plain);
    let bytes = frame.0.estimated_size() as u64;
    let mut source = Source {
        file: LogFile {
            path: path.clone(),
            bytes,
            sha256: String::new(),
            format,
            n_rows: 0,
            n_above: 0,
            notices: Vec::new(),
            encoding: None,
        },
        is_empty: false,
        columns: Vec::new(),
        given: Vec::new(),
        place: path,
        format: FileFormat::Frame,
        compression: Compression::Plain,
        encoding: UTF_8,
        table: None,
        header: Vec::new(),
        repeated_columns: RepeatedColumns::default(),
        units: BTreeMap::new(),
        max_rows: spec.max_rows,
        frame: Some(frame.clone()),
        _spool: None,
    };
    source.columns = parquet::columns(&source)?;
    source.given.clone_from(&source.columns);
    Ok(source)
}

/// The files of `spec`, looked at; an archive is the files in it. One of them at least has columns.
pub(super) fn sources(spec: &LogSpec) -> Result<Vec<Source>, LogError> {
    let mut sources = Vec::new();
    for Found { path, left_out } in files::expand(spec)? {
        let first = sources.len();
        match is_archive(&path) {
            true => sources.extend(of_archive(&path, spec)?),
            false => sources.push(inspect_file(&path, None, spec)?),
        }
        note_left_out(&mut sources[first..], &left_out, "folder");
    }
    match sources.first().filter(|_| sources.iter().all(|source| source.is_empty)) {
        Some(first) => Err(LogError::NoRows { path: first.file.path.clone() }),
        None => Ok(sources),
    }
}

/// Finds out what the file `path` of `spec` is, or the only one in it if it is an archive.
pub(super) fn inspect(path: &Path, spec: &LogSpec) -> Result<Source, LogError> {
    if !is_archive(path) {
        return inspect_file(path, None, spec);
    }
    let mut sources = of_archive(path, spec)?;
    match (sources.pop(), sources.len()) {
        (Some(only), 0) => Ok(only),
        (_, n) => {
            let reason =
                format!("the archive has {} files in it, and one is asked for; unpack it, and name that one", n + 1);
            Err(LogError::NoMatch { path: path.to_owned(), reason })
        }
    }
}

fn of_archive(path: &Path, spec: &LogSpec) -> Result<Vec<Source>, LogError> {
    let Archive { logs, left_out } = Archive::open(path, &spec.folder.join(path))?;
    let looked = logs.into_iter().map(|(path, file)| inspect_file(&path, Some(file), spec));
    let mut sources = looked.collect::<Result<Vec<_>, _>>()?;
    note_left_out(&mut sources, &left_out, "archive");
    Ok(sources)
}

/// Notes in the first of the files of an archive or folder which others of it are no logs.
fn note_left_out(sources: &mut [Source], left_out: &[String], container: &str) {
    let (Some(first), false) = (sources.first_mut(), left_out.is_empty()) else { return };
    let are = if left_out.len() == 1 { "is no log, and was" } else { "are no logs, and were" };
    let rule = format!("{} of the {container} {are} left out", counted(left_out.len(), "file"));
    let flaw = Flaw::new("files-left-out", "", &left_out.join(", "), rule, "nothing, if it is meant so");
    first.file.notices.push(flaw);
}

/// Finds out what a file is, which was unpacked to `spool` where it lies in an archive.
fn inspect_file(path: &Path, spool: Option<TemporaryFile>, spec: &LogSpec) -> Result<Source, LogError> {
    let spool = match spool {
        None if path == Path::new("-") => Some(spool_input(path)?),
        spool => spool,
    };
    let place = spool.as_ref().map_or_else(|| spec.folder.join(path), |spool| spool.path().to_owned());
    let (digest, source) = rayon::join(|| digest(&place), || look_at(path, place.clone(), spec));
    let (bytes, sha256) = digest.map_err(|error| failed(path, Compression::Plain, &error))?;
    let source = source?;
    Ok(Source { file: LogFile { bytes, sha256, ..source.file }, _spool: spool, ..source })
}

fn failed(path: &Path, compression: Compression, error: &io::Error) -> LogError {
    match error.kind() {
        io::ErrorKind::NotFound => LogError::FileMissing { path: path.to_owned() },
        _ => LogError::Unreadable { path: path.to_owned(), reason: reason(compression, error) },
    }
}

/// What the file `path` of `spec` is, but for its hash; it lies at `place`.
pub(super) fn look_at(path: &Path, place: PathBuf, spec: &LogSpec) -> Result<Source, LogError> {
    let failed = |compression: Compression, error: io::Error| failed(path, compression, &error);
    let unreadable = |error: io::Error| failed(Compression::Plain, error);
    let bytes = std::fs::metadata(&place).map_err(unreadable)?.len();
    let compression = compression(&place).map_err(unreadable)?;
    let mut start = decompress(&place, compression, None).map_err(unreadable)?;
    let bytes_seen = start.fill_buf().map_err(|error| failed(compression, error))?;
    let binary = binary_format(bytes_seen);
    let is_text = binary.is_none();
    drop(start);
    let bytes_again = || decompress(&place, compression, None).map_err(|error| failed(compression, error));
    let encoding = match encoding::named(spec)? {
        _ if !is_text => UTF_8,
        Some(encoding) => encoding,
        None => encoding::sniff(bytes_again()?).map_err(|error| failed(compression, error))?,
    };
    let format = match binary {
        Some(format) => format,
        None => {
            let start = encoding::decoded(bytes_again()?, encoding);
            let mut start = start.map_err(|error| failed(compression, error))?;
            format(path, spec, start.fill_buf().map_err(|error| failed(compression, error))?)
        }
    };
    let file = LogFile {
        path: path.to_owned(),
        bytes,
        sha256: String::new(),
        format: format_name(format, compression),
        n_rows: 0,
        n_above: 0,
        notices: Vec::new(),
        encoding: (encoding != UTF_8).then(|| encoding.name().to_lowercase()),
    };
    let mut source = Source {
        file,
        is_empty: false,
        columns: Vec::new(),
        given: Vec::new(),
        place,
        format,
        compression,
        encoding,
        table: spec.table.clone(),
        header: spec.header.clone(),
        repeated_columns: spec.repeated_columns.unwrap_or_default(),
        units: if spec.sidecars { sidecar::units(&spec.folder.join(path))? } else { BTreeMap::new() },
        max_rows: spec.max_rows,
        frame: None,
        _spool: None,
    };
    if format == FileFormat::Ndjson
        && let Some(shape) = json_object::shape(&source)?
    {
        source.format = FileFormat::JsonObject(shape);
        source.file.format = format_name(source.format, compression);
    }
    match columns(&mut source) {
        Ok(columns) => source.columns = columns,
        // One participant who left early never stops a study.
        Err(LogError::NoRows { .. }) => source.is_empty = true,
        Err(error) => return Err(error),
    }
    source.given.clone_from(&source.columns);
    Ok(source)
}

fn columns(source: &mut Source) -> Result<Vec<String>, LogError> {
    match source.format {
        FileFormat::Delimited(separator) => {
            let Header { names, n_above, sections } = delimited::header(source, separator)?;
            source.file.n_above = n_above;
            if let Some((section, others)) = sections {
                let rule = format!("the section {section:?} of the file is read, and the others are left out");
                let fix = "nothing, if it is meant so; else name another one, as in table = \"…\" in [log]";
                source.file.notices.push(Flaw::new("sections-left-out", "", &others.join(", "), rule, fix));
            }
            Ok(names)
        }
        FileFormat::Ndjson => json::columns_of_lines(source),
        FileFormat::Json => json::columns_of_array(source),
        FileFormat::JsonObject(_) => json_object::columns(source),
        FileFormat::Parquet | FileFormat::Frame => parquet::columns(source),
        FileFormat::Workbook => workbook::columns(source),
        FileFormat::Sqlite => sqlite::columns(source),
        FileFormat::Xes => xes::columns(source),
    }
}

/// Hands every row of `source` to `sink`, and its bytes as they are read to `progress`.
pub(super) fn for_each_row(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    let mut growth = Growth::of_rows(source.file.bytes);
    let sink = &mut |row: RawRow<'_>| {
        growth.add_row(row.cells).map_err(|error| source.unreadable(&error))?;
        sink(row)
    };
    let Some(most) = source.max_rows else { return every_row(source, progress, sink) };
    let mut n = 0;
    let read = every_row(source, progress, &mut |row| match n < most {
        true => {
            n += 1;
            sink(row)
        }
        false => Err(LogError::Cancelled),
    });
    match read {
        Err(LogError::Cancelled) if n == most => Ok(()),
        read => read,
    }
}

fn every_row(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    if source.is_empty {
        return Ok(());
    }
    match source.format {
        FileFormat::Delimited(separator) => delimited::rows(source, separator, progress, sink),
        FileFormat::Ndjson => json::rows_of_lines(source, progress, sink),
        FileFormat::Json => json::rows_of_array(source, progress, sink),
        FileFormat::JsonObject(_) => json_object::rows(source, progress, sink),
        FileFormat::Parquet | FileFormat::Frame => parquet::rows(source, progress, sink),
        FileFormat::Workbook => workbook::rows(source, progress, sink),
        FileFormat::Sqlite => sqlite::rows(source, progress, sink),
        FileFormat::Xes => xes::rows(source, progress, sink),
    }
}

/// The same content twice would count every move twice, unless the paths tell that it is of two people. Files without a
/// row may be as many as there are people who left early.
pub(super) fn refuse_repeated_files(sources: &[Source], spec: &LogSpec) -> Result<(), LogError> {
    let mut known: HashMap<_, &Source> = HashMap::new();
    for source in sources {
        // A path that tells nothing is refused where it is taken apart.
        let Ok(told) = pipeline::told_by_path(spec, source) else { continue };
        let first = *known.entry((source.file.sha256.as_str(), told)).or_insert(source);
        if !std::ptr::eq(first, source) && has_rows(source)? {
            return Err(LogError::SameFile { path: source.file.path.clone(), first: first.file.path.clone() });
        }
    }
    Ok(())
}

fn has_rows(source: &Source) -> Result<bool, LogError> {
    match every_row(source, &Silent, &mut |_| Err(LogError::Cancelled)) {
        Err(LogError::Cancelled) => Ok(true),
        other => other.map(|()| false),
    }
}

/// What a file is that is no text, by its first bytes.
fn binary_format(start: &[u8]) -> Option<FileFormat> {
    match start {
        [b'P', b'A', b'R', b'1', ..] => Some(FileFormat::Parquet),
        [b'P', b'K', 3, 4, ..] | [0xd0, 0xcf, 0x11, 0xe0, ..] => Some(FileFormat::Workbook),
        _ if start.starts_with(b"SQLite format 3\0") => Some(FileFormat::Sqlite),
        _ => None,
    }
}

/// Standard input as a file, for it is read several times: for its hash, its columns and its rows.
fn spool_input(path: &Path) -> Result<TemporaryFile, LogError> {
    TemporaryFile::new(|file| io::copy(&mut io::stdin().lock(), file).map(drop))
        .map_err(|error| LogError::Unreadable { path: path.to_owned(), reason: error.to_string() })
}

/// SHA-256 of each file of `spec`, those in archives apart; nothing of standard input, which is not there any more.
pub(super) fn digests(spec: &LogSpec) -> Result<Vec<Option<String>>, LogError> {
    let mut sums = Vec::new();
    for Found { path, .. } in files::expand(spec)? {
        let place = spec.folder.join(&path);
        let sum = |place: &Path| {
            digest(place).map(|(_, sum)| Some(sum)).map_err(|error| failed(&path, Compression::Plain, &error))
        };
        match is_archive(&path) {
            _ if path == Path::new("-") => sums.push(None),
            true => {
                for (_, file) in Archive::open(&path, &place)?.logs {
                    sums.push(sum(file.path())?);
                }
            }
            false => sums.push(sum(&place)?),
        }
    }
    Ok(sums)
}

fn digest(place: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(place)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        let n = file.read(&mut buffer)?;
        if n == 0 {
            break;
        }
        bytes += n as u64;
        hasher.update(&buffer[..n]);
    }
    Ok((bytes, hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}

pub(super) fn compression(place: &Path) -> io::Result<Compression> {
    let mut magic = Vec::new();
    File::open(place)?.take(4).read_to_end(&mut magic)?;
    Ok(match magic.as_slice() {
        [0x1f, 0x8b, ..] => Compression::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd] => Compression::Zstd,
        _ => Compression::Plain,
    })
}

/// The format: by the first bytes where they are beyond doubt, then by the name, then by the first mark.
fn format(path: &Path, spec: &LogSpec, start: &[u8]) -> FileFormat {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = unpacked_name(&name);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let first = strip_bom(start).iter().find(|byte| !byte.is_ascii_whitespace());
    let separator = || match (spec.separator, extension) {
        (Some(mark), _) => Separator(u8::try_from(mark).unwrap_or(b',')),
        (None, "tsv" | "tab") => Separator(b'\t'),
        (None, _) => Separator::guess(strip_bom(start)),
    };
    match (extension, first) {
        ("csv" | "tsv" | "tab", _) => FileFormat::Delimited(separator()),
        ("ndjson" | "jsonl", Some(b'[')) | ("json", Some(b'[')) => FileFormat::Json,
        ("ndjson" | "jsonl" | "json", _) => FileFormat::Ndjson,
        ("parquet" | "pq", _) => FileFormat::Parquet,
        ("xes", _) => FileFormat::Xes,
        (_, Some(b'<')) if xes::is_xes(start) => FileFormat::Xes,
        (_, Some(b'[')) => FileFormat::Json,
        (_, Some(b'{')) => FileFormat::Ndjson,
        _ => FileFormat::Delimited(separator()),
    }
}

fn format_name(format: FileFormat, compression: Compression) -> String {
    let name = match format {
        FileFormat::Delimited(Separator(b'\t')) => "tsv",
        FileFormat::Delimited(_) => "csv",
        FileFormat::Ndjson => "ndjson",
        FileFormat::Json => "json",
        FileFormat::JsonObject(Shape::Columns) => "json-columns",
        FileFormat::JsonObject(Shape::ByKey) => "json-by-key",
        FileFormat::JsonObject(Shape::Row) => "json-object",
        FileFormat::Parquet => "parquet",
        FileFormat::Frame => "table",
        FileFormat::Workbook => "workbook",
        FileFormat::Sqlite => "sqlite",
        FileFormat::Xes => "xes",
    };
    let compression = match compression {
        Compression::Plain => "",
        Compression::Gzip => "+gzip",
        Compression::Zstd => "+zstd",
    };
    format!("{name}{compression}")
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use polars::prelude::{ParquetReader, ParquetWriter, SerReader as _};

    use super::super::{ColumnSpec, Frame, Log, LogSpec, read_log};
    use plymap_puzzles::progress::Silent;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    fn read_as(name: &str, content: &[u8], set: impl FnOnce(&mut LogSpec)) -> Result<Log, String> {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::write(folder.path().join(name), content).unwrap();
        let mut spec = LogSpec { files: vec![name.into()], folder: folder.path().to_owned(), ..LogSpec::default() };
        set(&mut spec);
        read_log(&spec, &Silent).map_err(|error| error.to_string())
    }

    fn refusal(name: &str, content: &[u8]) -> String {
        read_as(name, content, |_| {}).map(|log| log.n_read).unwrap_err()
    }

    #[test]
    fn a_workbook_that_is_none_is_refused() {
        let damaged = "log.xlsx: the log file cannot be read: it is no whole workbook: ";
        assert!(refusal("log.xlsx", b"PK\x03\x04\x14\0\0\0").starts_with(damaged));
        assert!(refusal("log.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1").contains("it is no whole workbook"));
        assert!(refusal("log.csv", b"PK\x03\x04\x14\0\0\0").contains("it is no whole workbook"));
        assert!(
            refusal("log.zip", b"PK\x03\x04\x14\0\0\0")
                .starts_with("log.zip: the log file cannot be read: it is no whole archive")
        );
    }

    /// With zeros where the footer or a page begins: the library says of itself that it cannot read them.
    #[test]
    fn a_parquet_file_is_looked_at_before_the_library_reads_it() {
        let mut table = polars::df!("participant" => ["p"; 3], "level" => [1; 3], "action" => ["A+1"; 3]).unwrap();
        let mut whole = Vec::new();
        ParquetWriter::new(&mut whole).finish(&mut table).unwrap();
        assert_eq!(read_as("log.parquet", &whole, |_| {}).unwrap().n_read, 3);
        let end = whole.len() - 8;
        let footer = end - usize::from(u16::from_le_bytes([whole[end], whole[end + 1]]));
        for (place, told) in
            [(footer, "its footer does not hold what it lists"), (4, "a page of column \"participant\"")]
        {
            let mut zeroed = whole.clone();
            zeroed[place..place + 4].fill(0);
            assert!(ParquetReader::new(Cursor::new(&zeroed)).finish().is_err(), "{told}");
            let said = refusal("log.parquet", &zeroed);
            assert!(said.contains(&format!("the file is damaged ({told}")), "{said}");
        }
    }

    /// What is written into a compressed file.
    fn packed(write: impl FnOnce(&mut dyn Write)) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        write(&mut encoder);
        encoder.finish().unwrap()
    }

    #[test]
    fn a_small_file_that_stands_for_a_large_one_is_refused_in_every_format() {
        let folder = tempfile::TempDir::new().unwrap();
        let database = |schema: &str| {
            let file = folder.path().join("made.sqlite");
            rusqlite::Connection::open(&file).unwrap().execute_batch(schema).unwrap();
            let bytes = std::fs::read(&file).unwrap();
            std::fs::remove_file(file).unwrap();
            bytes
        };
        let text = |head: &str, row: &str, n: usize| {
            packed(|file| {
                file.write_all(head.as_bytes()).unwrap();
                (0..n).for_each(|_| file.write_all(row.as_bytes()).unwrap());
            })
        };
        let head = "participant,level,action\n";
        let grown = "more than 4 MiB and 200 times its size, as no log does";
        let whole = "unpacked, it holds more than 4 MiB, which no log has";
        let many = "CREATE VIEW log AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) \
                    SELECT 'p' AS participant, '1' AS level, 'A+1' AS action FROM n";
        let large = "CREATE VIEW log AS SELECT zeroblob((64 << 20) + 1) AS participant, '1' AS level, 'A+1' AS action";
        let zeros = [0; 1 << 16];
        // Begins as a database, and has some noise among zeros.
        let database_of = |file: &mut dyn Write, n_noisy: usize| {
            file.write_all(b"SQLite format 3\0").unwrap();
            let mut noise = ChaCha8Rng::seed_from_u64(1);
            for _ in 0..100 {
                let mut block = zeros;
                noise.fill(&mut block[..n_noisy]);
                file.write_all(&block).unwrap();
            }
        };
        let mut archive = [&b"PK\x03\x04"[..], &[0; 22], &[5, 0, 0, 0], b"a.xml"].concat();
        let mut encoder = flate2::write::DeflateEncoder::new(&mut archive, flate2::Compression::best());
        (0..100).for_each(|_| encoder.write_all(&zeros).unwrap());
        encoder.finish().unwrap();
        let long = vec!["a".repeat(3 << 20); 5];
        let mut table =
            polars::df!("participant" => long.as_slice(), "level" => [1; 5], "action" => ["A+1"; 5]).unwrap();
        let mut parquet = Vec::new();
        ParquetWriter::new(&mut parquet).finish(&mut table).unwrap();
        for (name, bytes, expected) in [
            ("rows.csv.zst", text(head, "p,1,A+1\n", 600_000), grown),
            ("short-rows.csv.zst", text(head, ",,\n", 50_000), grown),
            ("blank.csv.zst", text(head, "\n", 5_000_000), grown),
            ("rows.ndjson.zst", text("", "{\"participant\": \"p\", \"level\": 1}\n", 200_000), grown),
            ("zeros.sqlite.zst", packed(|file| database_of(file, 0)), grown),
            ("noise.sqlite.zst", packed(|file| database_of(file, 1 << 9)), whole),
            ("book.xlsx", archive, whole),
            ("texts.parquet", parquet, whole),
            ("many.sqlite", database(many), grown),
            ("large.sqlite", database(large), "a row of it has more than 64 MiB, which no log has"),
        ] {
            assert!(bytes.len() < 60_000, "{name} has {} bytes", bytes.len());
            let said = refusal(name, &bytes);
            assert!(said.starts_with(name) && said.contains(expected), "{said}");
        }
        // A small one is read.
        let table = "CREATE TABLE log (participant, level, action); INSERT INTO log VALUES ('p', '1', 'A+1')";
        let small = packed(|file| file.write_all(&database(table)).unwrap());
        assert_eq!(read_as("log.sqlite.zst", &small, |_| {}).unwrap().n_read, 1);
    }

    #[test]
    fn a_table_in_memory_is_read_as_the_file_that_holds_it() {
        let columns = |level: &[i64]| {
            let (people, actions) = (["p1", "p1", "p2"], [Some("A+1"), Some("B-2"), None]);
            polars::df!("participant" => people, "level" => level, "action" => actions, "rt_s" => [0.25, 1.5, f64::NAN])
        };
        let mut table = columns(&[1, 1, 2]).unwrap();
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes).finish(&mut table).unwrap();
        let file = read_as("log.parquet", &bytes, |_| {}).unwrap();
        let spec = LogSpec { files: vec!["log.parquet".into()], frame: Some(Frame(table)), ..LogSpec::default() };
        let frame = read_log(&spec, &Silent).unwrap();
        let said = |log: &Log| -> Vec<String> {
            let rows = (0..log.rows.len()).map(|number| log.rows.at(number));
            rows.map(|row| {
                format!("{} {} {:?} {:?} {}", row.participant(), row.level(), row.action(), row.rt_s(), row.line())
            })
            .collect()
        };
        assert_eq!(said(&frame), ["p1 1 Some(\"A+1\") Some(0.25) 1", "p1 1 Some(\"B-2\") Some(1.5) 2"]);
        assert_eq!((said(&file), &file.issues, file.n_rejected), (said(&frame), &frame.issues, 1));
        // In pieces, too, and with columns that no log can have.
        let (first, rest) = (columns(&[1, 1, 2]).unwrap(), columns(&[3, 3, 3]).unwrap());
        let spec = LogSpec { frame: Some(Frame(first.vstack(&rest).unwrap())), ..spec };
        assert_eq!(read_log(&spec, &Silent).unwrap().n_read, 6);
        let lists = polars::df!("participant" => ["p"], "level" => [polars::prelude::Series::from_iter([1])]).unwrap();
        let spec = LogSpec { frame: Some(Frame(lists)), ..spec };
        let refused = read_log(&spec, &Silent).map(|log| log.n_read).unwrap_err();
        assert_eq!(refused.place().column, Some("level"), "{refused}");
    }

    #[test]
    fn a_truncated_file_is_reported_as_truncated() {
        let rows: String = (0..20_000).map(|row: u64| format!("p,1,A+{}\n", row * row * 7919 % 104_729)).collect();
        let content = format!("participant,level,action\n{rows}");
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content.as_bytes()).unwrap();
        let whole = encoder.finish().unwrap();
        for length in [whole.len() - 30, whole.len() / 2, 20] {
            assert!(refusal("log.csv.gz", &whole[..length]).contains("it is cut off"), "{length} bytes");
        }
        let whole = zstd::encode_all(content.as_bytes(), 1).unwrap();
        assert!(refusal("log.csv.zst", &whole[..whole.len() / 2]).contains("it is cut off"));
        assert!(read_as("log.csv.zst", &whole, |_| {}).is_ok());
    }

    #[test]
    fn a_first_line_may_tell_the_separator() {
        for content in
            ["sep=;\nparticipant;level;action\np;1;A+1\n", "\u{feff}SEP=;\r\nparticipant;level;action\r\np;1;A+1\r\n"]
        {
            let log = read_as("log.csv", content.as_bytes(), |_| {}).unwrap();
            assert_eq!(log.rows.len(), 1);
            assert_eq!(log.rows.at(0).line(), 3, "the line that an editor shows");
        }
    }

    #[test]
    fn a_header_that_is_not_taken_apart_asks_for_its_separator() {
        let piped = refusal("log.csv", b"participant|level|action\np|1|A+1\n");
        assert_eq!(
            piped,
            "log.csv: the header \"participant|level|action\" is read as one column; say `separator = \"|\"` in [log]"
        );
        let content = b"participant;level;action\np;1;A+1\n";
        let wrong = read_as("log.csv", content, |spec| spec.separator = Some(',')).map(|log| log.n_read).unwrap_err();
        assert!(wrong.contains("say `separator = \";\"`"), "{wrong}");
    }

    #[test]
    fn a_column_that_is_taken_for_another_is_named() {
        let content = b"participant,level,action\np,1,A+1\n";
        let message = read_as("log.csv", content, |spec| {
            spec.columns.insert("participant".to_owned(), ColumnSpec::column("level"));
        });
        assert_eq!(
            message.map(|log| log.n_read).unwrap_err(),
            "log.csv: no column gives level: [columns] takes participant from \"level\"; name another column for one of \
             the two"
        );
    }
}
