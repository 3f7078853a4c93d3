//! The file of a log while it is appended to, and whether its name still leads to it.

use super::error::JournalError;
use super::error::{AppendError, LogFileError};
use plymap_tables::checksum::Hashing;
use plymap_tables::cleanup::PartialOutput;
use sha2::{Digest as _, Sha256};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The longest line that is read back; what a page may send is far shorter.
pub(super) const LONGEST_LINE: u64 = 1 << 20;

/// Word in the names of copies of logs that were removed.
const RESCUED: &str = "rescued";

/// Stamp of a file by which a change is noticed: its identity, its length, and the time of the last write.
type Stamp = (u64, u64, u64, Option<SystemTime>);

/// A log that is open for this process alone.
#[cfg_attr(not(test), derive(Debug))]
pub(super) struct LogFile {
    path: PathBuf,
    file: Arc<File>,
    /// Number of bytes in whole lines.
    length: u64,
    /// Number of bytes that may stand behind them, of lines that were not written to their end.
    torn: u64,
    /// Hash of the whole lines.
    digest: Sha256,
    /// The file as it was left.
    stamp: Stamp,
    /// A file that held something else when it was read, so that it need not be read again.
    refused: Option<Stamp>,
    /// The copy of a file that has no name any more.
    rescued: Option<PathBuf>,
    /// Number of bytes that the disk takes, and true if the process ends where it takes no more.
    #[cfg(test)]
    pub room: Option<(u64, bool)>,
    /// Function that is called when lines are written, before that is confirmed.
    #[cfg(test)]
    pub behind_write: Option<BehindWrite>,
}

#[cfg(test)]
pub(super) type BehindWrite = Box<dyn Fn() + Send>;

#[cfg(test)]
impl std::fmt::Debug for LogFile {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("LogFile").field("path", &self.path).finish_non_exhaustive()
    }
}

impl LogFile {
    /// Opens a log, or begins it. Nothing of it is known until it is read.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let io_error = |source| JournalError::Io { path: path.to_owned(), source };
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io_error)?;
        lock(&file, path)?;
        sync_folder(path).map_err(io_error)?;
        Ok(Self {
            path: path.to_owned(),
            stamp: stamp(&file.metadata().map_err(io_error)?),
            refused: None,
            file: Arc::new(file),
            length: 0,
            torn: 0,
            digest: Sha256::new(),
            rescued: None,
            #[cfg(test)]
            room: None,
            #[cfg(test)]
            behind_write: None,
        })
    }

    /// Returns a reader of the log from its beginning.
    pub fn lines(&self) -> BufReader<At> {
        BufReader::new(At { file: Arc::clone(&self.file), place: 0 })
    }

    /// Returns the time of the last write.
    pub fn modified(&self) -> Option<SystemTime> {
        self.stamp.3
    }

    /// Returns the file, from which single lines can be read however the log goes on meanwhile.
    pub fn reader(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }

    /// Returns the place at which the next line will begin, in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Takes note of a line that is there.
    pub fn know(&mut self, line: &[u8]) {
        self.length += line.len() as u64;
        self.digest.update(line);
    }

    /// Writes the end of the last line, which is known, and of which nothing else is missing.
    pub fn end_line(&mut self) -> io::Result<()> {
        (&*self.file).write_all(b"\n")
    }

    /// Cuts off what stands behind the lines that are known.
    pub fn cut(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() != self.length {
            self.file.set_len(self.length)?;
        }
        self.file.sync_all()?;
        self.torn = 0;
        self.stamp = stamp(&self.file.metadata()?);
        Ok(())
    }

    /// Checks that the name still leads to this file, and that it is as it was left. Where another file with the same
    /// content has the name, that becomes the log.
    pub fn check(&mut self) -> Result<(), LogFileError> {
        let metadata = self.file.metadata().map_err(|error| self.unreachable(&error))?;
        match fs::metadata(&self.path) {
            Ok(named) if is_same(&named, &metadata) => self.rescued = None,
            // What cannot be read is no copy of the log.
            Ok(named) if self.adopt(&named).unwrap_or(false) => return Ok(()),
            _ if is_nameless(&metadata) => return Err(self.rescue()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(self.unreachable(&error)),
            _ => return Err(LogFileError::Moved { path: self.path.clone() }),
        }
        let length = metadata.len();
        if length < self.length {
            return Err(LogFileError::Shorter { path: self.path.clone(), missing: self.length - length });
        }
        if length > self.length + self.torn {
            return Err(LogFileError::Longer { path: self.path.clone(), added: length - self.length });
        }
        match self.torn > 0 || self.is_as_left(&metadata).map_err(|error| self.unreachable(&error))? {
            true => Ok(()),
            false => Err(LogFileError::Changed { path: self.path.clone() }),
        }
    }

    fn unreachable(&self, error: &io::Error) -> LogFileError {
        LogFileError::Unreachable { path: self.path.clone(), reason: error.to_string() }
    }

    /// Returns the error of a disk that took nothing.
    pub fn unwritable(&self, error: &io::Error) -> LogFileError {
        LogFileError::Unwritable { path: self.path.clone(), reason: error.to_string() }
    }

    /// Returns true if the file holds what it held when it was left. It is read only if it was written to since.
    fn is_as_left(&mut self, metadata: &Metadata) -> io::Result<bool> {
        let now = stamp(metadata);
        if now == self.stamp {
            return Ok(true);
        }
        let is_same = self.holds_the_same(&Arc::clone(&self.file), now)?;
        if is_same {
            self.stamp = now;
        }
        Ok(is_same)
    }

    /// Returns true if a file holds what is known of the log.
    fn holds_the_same(&mut self, file: &Arc<File>, now: Stamp) -> io::Result<bool> {
        if self.refused == Some(now) {
            return Ok(false);
        }
        let mut hashing = Hashing(Sha256::new());
        io::copy(&mut At { file: Arc::clone(file), place: 0 }, &mut hashing)?;
        let is_same = hashing.0.finalize() == self.digest.clone().finalize();
        self.refused = (!is_same).then_some(now);
        Ok(is_same)
    }

    /// Appends lines, and returns when they are on disk, whether or not they can be confirmed.
    ///
    /// # Errors
    ///
    /// Nothing was written.
    pub fn append(&mut self, lines: &[u8]) -> Result<Result<(), LogFileError>, AppendError> {
        self.check().map_err(AppendError::LogFile)?;
        if self.torn > 0 {
            self.cut().map_err(AppendError::Io)?;
        }
        self.torn = lines.len() as u64;
        if let Err(error) = self.write(lines) {
            // Where even that fails, it is tried again before the next line.
            if !self.is_dead() {
                let _ = self.cut();
            }
            return Err(AppendError::Io(error));
        }
        let left = self.file.metadata().map_err(AppendError::Io)?;
        let added = left.len().saturating_sub(self.length);
        self.torn = 0;
        if added != lines.len() as u64 {
            // Others wrote between the check and now: where these lines stand is not known.
            let path = self.path.clone();
            let missing = (lines.len() as u64).saturating_sub(added);
            let error = if missing > 0 {
                LogFileError::Shorter { path, missing }
            } else {
                LogFileError::Longer { path, added }
            };
            return Err(AppendError::LogFile(error));
        }
        self.know(lines);
        self.stamp = stamp(&left);
        #[cfg(test)]
        self.behind_write.iter().for_each(|happens| happens());
        Ok(self.check())
    }

    #[cfg(not(test))]
    fn write(&self, lines: &[u8]) -> io::Result<()> {
        (&*self.file).write_all(lines)?;
        self.file.sync_data()
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "in tests the process may be taken to have ended")]
    fn is_dead(&self) -> bool {
        false
    }

    /// The same on a disk that has only so much room, without waiting for it.
    #[cfg(test)]
    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        let Some((room, _)) = &mut self.room else { return (&*self.file).write_all(lines) };
        let n_fitting = lines.len().min(*room as usize);
        *room -= n_fitting as u64;
        (&*self.file).write_all(&lines[..n_fitting])?;
        if n_fitting < lines.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    #[cfg(test)]
    fn is_dead(&self) -> bool {
        self.room.is_some_and(|(_, ends)| ends)
    }

    /// Makes the file that has the name now the log, if it holds the same; returns true if it does.
    fn adopt(&mut self, named: &Metadata) -> io::Result<bool> {
        if !named.is_file() || named.len() != self.length || self.refused == Some(stamp(named)) {
            return Ok(false);
        }
        let file = OpenOptions::new().read(true).append(true).open(&self.path)?;
        if file.try_lock().is_err() {
            return Ok(false);
        }
        let (file, now) = (Arc::new(file), stamp(named));
        if !self.holds_the_same(&file, now)? {
            return Ok(false);
        }
        file.sync_all()?;
        sync_folder(&self.path)?;
        (self.file, self.torn, self.rescued, self.stamp) = (file, 0, None, now);
        Ok(true)
    }

    /// Writes what a file without a name holds beside the name that it had, once.
    fn rescue(&mut self) -> LogFileError {
        if !self.rescued.as_ref().is_some_and(|copy| copy.is_file()) {
            let lines = At { file: Arc::clone(&self.file), place: 0 }.take(self.length);
            let permissions = self.file.metadata().map(|metadata| metadata.permissions());
            let copied = |copy: &mut File| {
                io::copy(&mut { lines }, copy)?;
                copy.set_permissions(permissions?)
            };
            self.rescued = beside(&self.path, RESCUED, copied).ok();
        }
        LogFileError::Removed { path: self.path.clone(), rescued: self.rescued.clone() }
    }
}

/// Writes a file NAME.WORD-1, or the next number that is free, beside a file, whole or not at all.
pub(super) fn beside(path: &Path, word: &str, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<PathBuf> {
    let folder = folder_of(path);
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    let _partial = PartialOutput::new(file.path());
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for number in 1_u32.. {
        let target = folder.join(format!("{name}.{word}-{number}"));
        match file.persist_noclobber(&target) {
            Ok(_) => {
                sync_folder(&target)?;
                return Ok(target);
            }
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => file = error.file,
            Err(error) => return Err(error.error),
        }
    }
    unreachable!("a folder has fewer files than there are numbers")
}

/// The newest copy of a log that was removed while it was recorded to, and that nobody has put back.
pub(super) fn rescued_copy(path: &Path) -> Option<PathBuf> {
    let start = format!("{}.{RESCUED}-", path.file_name()?.to_string_lossy());
    let copies = fs::read_dir(folder_of(path)).into_iter().flatten().flatten();
    let copies = copies.filter(|entry| entry.file_name().to_string_lossy().starts_with(&start));
    copies.max_by_key(|entry| entry.metadata().and_then(|copy| copy.modified()).ok()).map(|entry| entry.path())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Holds a log for this process alone.
pub(super) fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    file.try_lock().map_err(|error| match error {
        fs::TryLockError::WouldBlock => JournalError::Locked { path: path.to_owned() },
        fs::TryLockError::Error(source) => JournalError::Io { path: path.to_owned(), source },
    })
}

/// Has the name of a file on disk too: without it a power failure takes a file that was begun, however well it is written.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

#[cfg(unix)]
fn stamp(file: &Metadata) -> Stamp {
    use std::os::unix::fs::MetadataExt as _;
    (file.dev(), file.ino(), file.len(), file.modified().ok())
}

#[cfg(not(unix))]
fn stamp(file: &Metadata) -> Stamp {
    (0, 0, file.len(), file.modified().ok())
}

#[cfg(unix)]
fn is_same(left: &Metadata, right: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (left.dev(), left.ino()) == (right.dev(), right.ino())
}

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
fn is_same(left: &Metadata, right: &Metadata) -> bool {
    left.created().ok() == right.created().ok()
}

#[cfg(unix)]
fn is_nameless(file: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.nlink() == 0
}

#[cfg(not(unix))]
fn is_nameless(_: &Metadata) -> bool {
    false
}

/// A line from where it begins.
pub(super) fn line_at(file: &Arc<File>, place: u64) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let at = At { file: Arc::clone(file), place };
    BufReader::with_capacity(512, at).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// Reads a file from a place on, whoever else reads it.
#[derive(Debug)]
pub(super) struct At {
    file: Arc<File>,
    place: u64,
}

impl Read for At {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let n_read = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.place)?;
        #[cfg(windows)]
        let n_read = std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, self.place)?;
        self.place += n_read as u64;
        Ok(n_read)
    }
}
