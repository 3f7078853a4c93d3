//! Archives (ZIP, tar): the logs in them, and a bound on what they unpack to.

use super::error::LogError;
use super::file_format::decompress;
use super::file_format::{compression, head};
use super::files;
use super::limit::{Growth, Unpacked, Whole};
use flate2::read::DeflateDecoder;
use plymap_puzzles::foreign::{Foreign, foreign};
use plymap_tables::cleanup::TemporaryFile;
use plymap_tables::panic_guard::caught;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// The most logs of one archive.
const MOST_MEMBERS: usize = 10_000;

/// Signature with which every file in a ZIP archive begins.
const BEGIN: &[u8; 4] = b"PK\x03\x04";

/// Content of an archive.
pub(super) struct Archive {
    /// Its logs, each unpacked, in the order of their paths, which begin with that of the archive.
    pub logs: Vec<(PathBuf, TemporaryFile)>,
    /// The files in it that are no logs.
    pub left_out: Vec<String>,
}

impl Archive {
    /// Unpacks the archive `path`, which lies at `place`.
    pub fn open(path: &Path, place: &Path) -> Result<Self, LogError> {
        let unreadable = |reason: String| LogError::Unreadable { path: path.to_owned(), reason };
        let damaged = |error: io::Error| match error.kind() {
            io::ErrorKind::FileTooLarge | io::ErrorKind::StorageFull => unreadable(error.to_string()),
            _ => unreadable(format!("it is no whole archive: {error}; copy or download it again")),
        };
        if !place.exists() {
            return Err(LogError::FileMissing { path: path.to_owned() });
        }
        // By another program, whatever its name.
        let other = compression(place).and_then(|compression| head(place, compression));
        let other = other.ok().filter(|head| !head.starts_with(b"PK")).and_then(|head| foreign(&head));
        if let Some(foreign) = other.filter(|foreign| foreign.what != "a tar archive") {
            return Err(unreadable(foreign.to_string()));
        }
        let mut names = BTreeSet::new();
        let list = &mut |name: &str, _: &mut dyn Read| {
            names.insert(name.to_owned());
            Ok(())
        };
        guarded(|| for_each_member(place, list)).map_err(damaged)?;
        let logs = files::logs_among(names.iter().map(PathBuf::from).collect());
        let logs: BTreeSet<String> = logs.into_iter().map(|log| log.to_string_lossy().into_owned()).collect();
        if logs.is_empty() || logs.len() > MOST_MEMBERS {
            let ends = files::EXTENSIONS.join(", ");
            let reason = match logs.len() {
                0 => {
                    const SHOWN: usize = 5;
                    let mut shown = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
                    if names.len() > SHOWN {
                        shown.push_str(&format!(" and {} more", names.len() - SHOWN));
                    }
                    let shown = if shown.is_empty() { "nothing".to_owned() } else { shown };
                    format!("the archive has no log in it, but {shown}; logs end in {ends}")
                }
                n => format!(
                    "the archive has {n} logs in it, and {MOST_MEMBERS} are the most; unpack it, and name its folder"
                ),
            };
            return Err(LogError::NoMatch { path: path.to_owned(), reason });
        }
        let mut growth = Growth::of_bytes(place.metadata().map_err(damaged)?.len());
        let mut unpacked = BTreeMap::new();
        let unpack = &mut |name: &str, content: &mut dyn Read| {
            if logs.contains(name) {
                let mut content = Unpacked::of_part(content, &mut growth);
                let file = TemporaryFile::new(|file| io::copy(&mut content, file).map(drop))?;
                // What an archive has twice counts as it was added last.
                unpacked.insert(name.to_owned(), file);
            }
            Ok(())
        };
        guarded(|| for_each_member(place, unpack)).map_err(damaged)?;
        let left_out = names.into_iter().filter(|name| !logs.contains(name)).collect();
        Ok(Self { logs: unpacked.into_iter().map(|(name, file)| (path.join(name), file)).collect(), left_out })
    }
}

/// Result of a library that reads a file which may be damaged.
fn guarded(work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    caught(work).map_err(io::Error::other)?
}

type Visit<'v> = dyn FnMut(&str, &mut dyn Read) -> io::Result<()> + 'v;

/// Hands every file of an archive to `visit`, with its path in it.
fn for_each_member(place: &Path, visit: &mut Visit<'_>) -> io::Result<()> {
    let mut file = BufReader::new(plymap_tables::regular::open(place)?);
    if file.fill_buf()?.starts_with(b"PK") {
        let mut archive = ZipArchive::new(file)?;
        for number in 0..archive.len() {
            let mut member = archive.by_index(number)?;
            if let Some(name) = Some(inner_path(member.name()?.as_ref())).filter(|_| member.is_file()) {
                visit(&name, &mut member)?;
            }
        }
        return Ok(());
    }
    let mut archive = tar::Archive::new(decompress(place, compression(place)?, None)?);
    for member in archive.entries()? {
        let mut member = member?;
        if member.header().entry_type().is_file() {
            let name = inner_path(&member.path()?.to_string_lossy());
            visit(&name, &mut member)?;
        }
    }
    Ok(())
}

/// A path in an archive as it is shown: with slashes, and leading nowhere else.
fn inner_path(name: &str) -> String {
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    parts.collect::<Vec<_>>().join("/")
}

/// Refuses a ZIP archive that unpacks to more than what is read as a whole.
///
/// Its files are unpacked to nowhere: what an archive says of their sizes need not be true. They are found by how they
/// begin, and not by the list at the end, which has several forms.
pub(super) fn check_archive(bytes: &[u8]) -> io::Result<()> {
    let mut whole = Whole::default();
    for (place, _) in bytes.windows(BEGIN.len()).enumerate().filter(|(_, window)| *window == BEGIN) {
        let header = &bytes[place..];
        let length =
            |at: usize| header.get(at..at + 2).map_or(0, |pair| usize::from(u16::from_le_bytes([pair[0], pair[1]])));
        // Its name and what else is said of it stand before its data.
        let data = header.get(30 + length(26) + length(28)..).unwrap_or_default();
        // What is no compressed file ends in an error here; what is damaged is for the reader to tell.
        match io::copy(&mut DeflateDecoder::new(data), &mut whole) {
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Message on a file that is no log; of an archive that is called otherwise, how it would be read.
pub(super) fn foreign_message(foreign: Foreign) -> String {
    match foreign.what {
        "a tar archive" => {
            format!("it is {}; unpack it first, or let its name end in .tar, .tar.gz or .tar.zst", foreign.what)
        }
        "a ZIP archive" => format!("it is {}; unpack it first, or let its name end in .zip", foreign.what),
        _ => foreign.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use crate::{LogSpec, read};
    use plymap_puzzles::progress::Silent;

    /// Rows of a KiB each.
    fn rows(n: usize) -> String {
        format!("p,1,{}\n", "a".repeat(1019)).repeat(n)
    }

    /// Packs so many rows into each of some files.
    fn zip(n_files: usize, n_rows: usize) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for number in 0..n_files {
            let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
            writer.start_file(format!("P{number}.csv"), options).unwrap();
            writer.write_all(rows(n_rows).as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn tar_gz(n_files: usize, n_rows: usize) -> Vec<u8> {
        let packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        let mut builder = tar::Builder::new(packed);
        let rows = rows(n_rows);
        for number in 0..n_files {
            let mut header = tar::Header::new_gnu();
            header.set_size(rows.len() as u64);
            builder.append_data(&mut header, format!("P{number}.csv"), rows.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn a_small_archive_that_stands_for_much_is_refused() {
        let folder = tempfile::TempDir::new().unwrap();
        let spec = LogSpec { folder: folder.path().to_owned(), ..LogSpec::default() };
        let read = |name: &str, bytes: Vec<u8>| {
            std::fs::write(folder.path().join(name), bytes).unwrap();
            let spec = LogSpec { files: vec![name.into()], ..spec.clone() };
            let sums = read::digests(&spec);
            let sources = read::sources(&spec, &Silent).map_err(|error| error.to_string())?;
            let same = sources.iter().map(|source| Some(source.file.sha256.clone())).collect::<Vec<_>>();
            assert_eq!(sums.unwrap(), same);
            Ok::<_, String>(sources.len())
        };
        assert_eq!(read("few.zip", zip(3, 1)), Ok(3));
        assert_eq!(read("few.tar.gz", tar_gz(3, 1)), Ok(3));
        let grown = "unpacked, it holds more than 4 MiB and 200 times its size, as no log does";
        // One file that is too large, and many of which none is.
        for (n_files, n_rows) in [(1, 32 << 10), (32, 1 << 10)] {
            for (name, bytes) in [("bomb.zip", zip(n_files, n_rows)), ("bomb.tgz", tar_gz(n_files, n_rows))] {
                let n_bytes = bytes.len();
                let said = read(name, bytes).expect_err(&format!("{name} of {n_files} files, {n_bytes} bytes"));
                assert!(said.contains(&format!("{name}: the log file cannot be read: {grown}")), "{said}");
            }
        }
    }
}
