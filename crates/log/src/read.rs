//! Files of a log, whatever their format and compression, as rows of text.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use encoding_rs::UTF_8;

use plymap_tables::{checksum, regular};

use super::archive::{Archive, foreign_message};
use super::delimited::Header;
use super::error::LogError;
use super::file_format::Shape;
use super::file_format::{Compression, FileFormat, decompress, reason, strip_bom, unpacked_name};
use super::file_format::{compression, head, is_archive};
use super::file_settings::{Frame, RepeatedColumns};
use super::files::Found;
use super::limit::Growth;
use super::log_file::LogFile;
use super::paths::Paths;
use super::raw::Sink;
use super::raw::{RawRow, RowDiagnostic};
use super::separator::Separator;
use super::sidecar::Sidecars;
use super::source::Source;
use super::spec::LogSpec;
use super::{delimited, encoding, files, json, json_object, parquet, recorded, sqlite, workbook, xes};
use plymap_puzzles::foreign::foreign;
use plymap_puzzles::progress::{Progress, Silent};
use plymap_statistics::stats::apa::counted;
use plymap_tables::cleanup::TemporaryFile;

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
        columns: Arc::default(),
        output_columns: Arc::default(),
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
        held: None,
    };
    source.columns = parquet::columns(&source)?.into();
    source.output_columns.clone_from(&source.columns);
    Ok(source)
}

/// The files of `spec`, looked at; an archive is the files in it. One of them at least has columns.
pub(super) fn sources(spec: &LogSpec, progress: &dyn Progress) -> Result<Vec<Source>, LogError> {
    if let Some(held) = &spec.held {
        return Ok(held.sources(spec.max_rows));
    }
    let spread = spread(files::expand(spec)?, spec);
    progress.begin("looking at logs", Some(spread.len() as u64));
    let mut sources = Vec::new();
    let mut lists: HashSet<Arc<[String]>> = HashSet::new();
    let mut sidecars = Sidecars::default();
    for Found { path, left_out } in spread {
        if progress.is_cancelled() {
            return Err(LogError::Cancelled);
        }
        let first = sources.len();
        match is_archive(&path) {
            true => sources.extend(of_archive(&path, spec)?),
            false => sources.push(inspect_file(&path, None, spec)?),
        }
        note_left_out(&mut sources[first..], &left_out, "folder");
        for source in &mut sources[first..] {
            source.columns = shared(&mut lists, &source.columns);
            source.output_columns.clone_from(&source.columns);
            if spec.sidecars {
                source.units = sidecars.units(&spec.folder.join(&source.file.path))?;
            }
        }
        progress.advance(1);
    }
    progress.end();
    match sources.first().filter(|_| sources.iter().all(|source| source.is_empty)) {
        Some(first) => Err(LogError::NoRows { path: first.file.path.clone() }),
        None => Ok(sources),
    }
}

/// As many of the files as are read, spread over all.
fn spread(mut files: Vec<Found>, spec: &LogSpec) -> Vec<Found> {
    let (n, most) = (files.len(), spec.max_files.unwrap_or(usize::MAX).max(1));
    if n > most {
        // Spread evenly, since files of one group often stand together.
        let chosen: HashSet<usize> = (0..most).map(|number| number * n / most).collect();
        let mut number = 0..;
        files.retain(|_| number.next().is_some_and(|number| chosen.contains(&number)));
    }
    files
}

/// `true` if the files that are read are only some of those of `spec`.
pub(super) fn is_part(spec: &LogSpec) -> Result<bool, LogError> {
    match (&spec.held, spec.max_files) {
        (None, Some(most)) => Ok(files::expand(spec)?.len() > most.max(1)),
        _ => Ok(false),
    }
}

/// The paths of all files of `spec`, of which these were looked at; of archives those in them.
pub(super) fn paths(spec: &LogSpec, sources: &[Source]) -> Result<Vec<PathBuf>, LogError> {
    if let Some(held) = &spec.held {
        return Ok(held.paths());
    }
    let mut paths: Vec<PathBuf> = sources.iter().map(|source| source.file.path.clone()).collect();
    if spec.max_files.is_some() {
        let known: HashSet<PathBuf> = paths.iter().cloned().collect();
        let others = files::expand(spec)?.into_iter().map(|other| other.path);
        paths.extend(others.filter(|path| !known.contains(path) && !is_archive(path)));
    }
    Ok(paths)
}

/// The list that is there already, if it is the same: of many files most have the same columns.
pub(super) fn shared(lists: &mut HashSet<Arc<[String]>>, list: &Arc<[String]>) -> Arc<[String]> {
    if let Some(known) = lists.get(list) {
        return Arc::clone(known);
    }
    lists.insert(Arc::clone(list));
    Arc::clone(list)
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
    let diagnostic = RowDiagnostic::new("files-left-out", "", &left_out.join(", "), rule, "nothing, if it is meant so");
    first.file.notices.push(diagnostic);
}

/// Finds out what a file is, which was unpacked to `spool` where it lies in an archive.
fn inspect_file(path: &Path, spool: Option<TemporaryFile>, spec: &LogSpec) -> Result<Source, LogError> {
    let spool = match spool {
        None if path == Path::new("-") => Some(spool_input(path)?),
        spool => spool,
    };
    let place = spool.as_ref().map_or_else(|| spec.folder.join(path), |spool| spool.path().to_owned());
    // The hash reads the file once more, on another thread.
    let (digest, source) = rayon::join(|| sha256_file(&place), || look_at(path, place.clone(), spec));
    let (bytes, sha256) = digest.map_err(|error| failed(path, Compression::Plain, &error))?;
    let source = source?;
    Ok(Source { file: LogFile { bytes, sha256, ..source.file }, _spool: spool.map(Arc::new), ..source })
}

fn failed(path: &Path, compression: Compression, error: &io::Error) -> LogError {
    match error.kind() {
        io::ErrorKind::NotFound => LogError::FileMissing { path: path.to_owned() },
        _ => LogError::Unreadable { path: path.to_owned(), reason: reason(compression, error) },
    }
}

/// The file `path` of `spec` as a source, but for its hash; it lies at `place`.
pub(super) fn look_at(path: &Path, place: PathBuf, spec: &LogSpec) -> Result<Source, LogError> {
    let failed = |compression: Compression, error: io::Error| failed(path, compression, &error);
    let unreadable = |error: io::Error| failed(Compression::Plain, error);
    let bytes = std::fs::metadata(&place).map_err(unreadable)?.len();
    let compression = compression(&place).map_err(unreadable)?;
    let head = head(&place, compression).map_err(|error| failed(compression, error))?;
    let binary = binary_format(&head);
    let is_text = binary.is_none();
    if let Some(foreign) = foreign(&head).filter(|_| is_text) {
        return Err(LogError::Unreadable { path: path.to_owned(), reason: foreign_message(foreign) });
    }
    let bytes_again = || decompress(&place, compression, None).map_err(|error| failed(compression, error));
    let encoding = match encoding::named(spec.encoding.as_deref())? {
        _ if !is_text => UTF_8,
        Some(encoding) => encoding,
        // A byte that was damaged must not make another text of it.
        None if recorded::begins(bytes_again()?).map_err(|error| failed(compression, error))? => UTF_8,
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
        columns: Arc::default(),
        output_columns: Arc::default(),
        place,
        format,
        compression,
        encoding,
        table: spec.table.clone(),
        header: spec.header.clone(),
        repeated_columns: spec.repeated_columns.unwrap_or_default(),
        units: BTreeMap::new(),
        max_rows: spec.max_rows,
        frame: None,
        _spool: None,
        held: None,
    };
    if format == FileFormat::Ndjson
        && let Some(shape) = json_object::shape(&source)?
    {
        source.format = FileFormat::JsonObject(shape);
        source.file.format = format_name(source.format, compression);
    }
    match columns(&mut source) {
        Ok(columns) => source.columns = columns.into(),
        // One participant who left early never stops a study.
        Err(LogError::NoRows { .. }) => source.is_empty = true,
        Err(error) => return Err(error),
    }
    source.output_columns.clone_from(&source.columns);
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
                source.file.notices.push(RowDiagnostic::new("sections-left-out", "", &others.join(", "), rule, fix));
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
    // Counted while rows come: no header of a compressed file can be believed.
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
        // Stopping is the only way out of a reader; here it is no fault.
        Err(LogError::Cancelled) if n == most => Ok(()),
        read => read,
    }
}

fn every_row(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    if source.is_empty {
        return Ok(());
    }
    if let Some(held) = &source.held {
        return held.give(sink);
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
    // What tells nothing is refused where it is taken apart.
    let Ok(paths) = Paths::new(spec) else { return Ok(()) };
    for source in sources {
        let Ok(cells) = paths.told_by(source) else { continue };
        let first = *known.entry((source.file.sha256.as_str(), cells)).or_insert(source);
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

/// Kind of a file that is no text, by its first bytes.
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
            sha256_file(place).map(|(_, sum)| Some(sum)).map_err(|error| failed(&path, Compression::Plain, &error))
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

fn sha256_file(place: &Path) -> io::Result<(u64, String)> {
    checksum::sha256(&mut regular::open(place)?)
}

#[cfg(test)]
mod tests;
