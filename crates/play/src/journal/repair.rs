//! A damaged log brought to its longest whole history.

use super::error::JournalError;
use super::event::{BOM, Line, is_own};
use super::file::{LONGEST_LINE, beside, lock, sync_folder};
use super::index::{Index, Numbering};
use plymap_tables::cleanup::PartialOutput;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Result of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// Number of events that the log has now.
    pub n_events: u64,
    /// Number of lines that were set aside, by the reason.
    pub set_aside: BTreeMap<String, u64>,
    /// The file that has them, if there are any.
    pub aside: Option<PathBuf>,
}

/// Brings a log to its longest whole history: of each session all events that follow one another from the first on, in the order
/// in which they stand in the log, with the ends that they had. All other lines go to a file NAME.aside-1, or the next number that
/// is free, as they are. Nothing is done to a log in which nothing is wrong, or that is not there.
///
/// # Errors
///
/// [`JournalError`]; the log is as it was.
pub fn repair(path: &Path) -> Result<Option<Repaired>, JournalError> {
    let io_error = |source| JournalError::Io { path: path.to_owned(), source };
    // The file itself, where the name is a link to it.
    let real = match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        real => real.map_err(io_error)?,
    };
    let path = real.as_path();
    let io_error = |source| JournalError::Io { path: path.to_owned(), source };
    let file = match OpenOptions::new().read(true).append(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(io_error)?,
    };
    lock(&file, path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let whole = tempfile::NamedTempFile::new_in(folder).map_err(io_error)?;
    let _partial = PartialOutput::new(whole.path());
    let (mut n_events, mut set_aside) = (0, BTreeMap::new());
    let (mut is_ours, mut has_other_ends) = (false, false);
    let sort = |rest: &mut fs::File| {
        let (mut whole, mut rest) = (BufWriter::new(whole.as_file()), BufWriter::new(rest));
        let mut index = Index::new(Numbering::default());
        let mut lines = BufReader::new(&file);
        let mut line = Vec::new();
        loop {
            line.clear();
            if lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            is_ours |= is_own(&line);
            let content = line.strip_prefix(BOM).unwrap_or(&line).trim_ascii_end();
            let ended = [content, b"\n"].concat();
            match follows(&mut index, &ended) {
                Ok(()) => {
                    whole.write_all(&ended)?;
                    n_events += 1;
                    has_other_ends |= ended != line;
                }
                Err(why) => {
                    rest.write_all(&line)?;
                    *set_aside.entry(why).or_default() += 1;
                }
            }
        }
        whole.flush()?;
        rest.flush()
    };
    let aside = beside(path, "aside", sort).map_err(io_error)?;
    // Where nothing is set aside, or nothing is ours, its file goes with this.
    let is_kept = is_ours && !set_aside.is_empty();
    if !is_kept {
        fs::remove_file(&aside).map_err(io_error)?;
    }
    if !is_ours && !set_aside.is_empty() {
        let why = "no line of it is one".to_owned();
        return Err(JournalError::Foreign { path: path.to_owned(), line: 1, why });
    }
    if !is_kept && !has_other_ends {
        return Ok(None);
    }
    let aside = is_kept.then_some(aside);
    whole.as_file().sync_all().map_err(io_error)?;
    whole.as_file().set_permissions(file.metadata().map_err(io_error)?.permissions()).map_err(io_error)?;
    whole.persist(path).map_err(|error| io_error(error.error))?;
    sync_folder(path).map_err(io_error)?;
    Ok(Some(Repaired { n_events, set_aside, aside }))
}

/// Adds a line to the index if it is the next event of its session; the error says why it is not.
fn follows(index: &mut Index, line: &[u8]) -> Result<(), String> {
    let read = Line::read(line)?;
    let n_events = index.session(&read.participant, &read.session).map_or(0, |session| session.places.len() as u64);
    match read.event.seq {
        seq if seq < n_events => Err("an event of its number stands before it".to_owned()),
        seq if seq > n_events => Err("an event before it is missing".to_owned()),
        _ => index.take(0, line.len(), &read, Instant::now()),
    }
}
