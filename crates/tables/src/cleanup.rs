//! Partial output of this process, removed when it stops on request.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tempfile::TempPath;

/// Everything that is being written.
static PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Held while something comes to be or gets its name: the process does not stop in between.
static NAMING: Mutex<()> = Mutex::new(());

/// Attempts at removing a folder, into which other threads may still write meanwhile.
const ATTEMPTS: usize = 20;

/// A file or folder that [`stop`] removes while this lives.
#[derive(Debug)]
pub struct PartialOutput(PathBuf);

impl PartialOutput {
    /// Registers a file or folder.
    pub fn new(path: &Path) -> Self {
        lock(&PATHS).insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for PartialOutput {
    fn drop(&mut self) {
        lock(&PATHS).remove(&self.0);
    }
}

/// A file outside the results that is needed while this lives.
#[derive(Debug)]
pub struct TemporaryFile {
    path: TempPath,
    _partial: PartialOutput,
}

impl TemporaryFile {
    /// A file in the folder that the system has for such, with what is written into it here.
    ///
    /// # Errors
    ///
    /// That of `write`. Where the file cannot be written, it is of the kind [`io::ErrorKind::StorageFull`], names the file, and
    /// says what to do.
    pub fn new(write: impl FnOnce(&mut TemporaryWriter) -> io::Result<()>) -> io::Result<Self> {
        let (file, path) = tempfile::NamedTempFile::new()?.into_parts();
        let unfinished = PartialOutput::new(&path);
        write(&mut TemporaryWriter { file, path: path.to_owned() })?;
        Ok(Self { path, _partial: unfinished })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Writer of a temporary file.
#[derive(Debug)]
pub struct TemporaryWriter {
    file: File,
    path: PathBuf,
}

impl Write for TemporaryWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            _ => {
                let path = self.path.display();
                let fix = "make room there, or name another folder in TMPDIR";
                let said = format!("the temporary file {path} cannot be written: {error}; {fix}");
                io::Error::new(io::ErrorKind::StorageFull, said)
            }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A folder that is needed while this lives.
#[derive(Debug)]
pub struct TemporaryFolder {
    path: PathBuf,
    _partial: PartialOutput,
}

impl TemporaryFolder {
    /// A folder at `place`, whose name begins like that.
    ///
    /// # Errors
    ///
    /// A place that cannot be written to.
    pub fn new(prefix: &str, place: &Path) -> io::Result<Self> {
        let path = tempfile::TempDir::with_prefix_in(prefix, place)?.keep();
        Ok(Self { _partial: PartialOutput::new(&path), path })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = remove_folder(&self.path);
    }
}

/// Removes a folder with what is in it, where need be with one open file at a time: what ended the work may have been that
/// there are no more of these.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    fs::remove_dir_all(path).or_else(|_| remove_piece_by_piece(path))
}

fn remove_piece_by_piece(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()? {
        match entry.file_type()?.is_dir() {
            true => remove_piece_by_piece(&entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    fs::remove_dir(folder)
}

/// Holds [`stop`] off for as long as the guard lives.
pub fn naming() -> MutexGuard<'static, ()> {
    lock(&NAMING)
}

/// True once a result has got its name.
static IS_NAMED: AtomicBool = AtomicBool::new(false);

/// Says that results are in their places.
pub fn named() {
    IS_NAMED.store(true, Ordering::Relaxed);
}

/// Removes what is unfinished and ends the process with this exit code. What was being named is finished first; `say` is
/// told whether results are in their places.
///
/// For programs whose work does not answer a request to stop within moments: a fit under way, a read that waits.
pub fn stop(code: i32, say: impl FnOnce(bool)) -> ! {
    let _naming = naming();
    say(IS_NAMED.load(Ordering::Relaxed));
    for path in lock(&PATHS).iter() {
        for _ in 0..ATTEMPTS {
            let removed = if path.is_dir() { remove_folder(path) } else { fs::remove_file(path) };
            if removed.is_ok() || !path.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    std::process::exit(code)
}

fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    // A thread that panicked while it held the lock left nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_with_what_is_in_it() {
        let place = tempfile::tempdir().unwrap();
        for remove in [remove_folder, remove_piece_by_piece] {
            let folder = TemporaryFolder::new(".shards-", place.path()).unwrap();
            fs::create_dir_all(folder.path().join("a/b")).unwrap();
            fs::write(folder.path().join("a/b/c"), "x").unwrap();
            fs::write(place.path().join("kept"), "x").unwrap();
            #[cfg(unix)]
            std::os::unix::fs::symlink(place.path(), folder.path().join("a/link")).unwrap();
            remove(folder.path()).unwrap();
            assert!(!folder.path().exists() && place.path().join("kept").exists());
        }
        drop(TemporaryFolder::new(".shards-", place.path()).unwrap());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
