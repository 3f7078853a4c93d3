//! The folder of a run, which appears whole or not at all.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::{Builder, TempDir};

use super::manifest::{MANIFEST_NAME, Manifest, files_below};
use super::{ReportError, failed};

/// Files that systems drop into folders by themselves; they do not make a folder somebody's.
const LITTER: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// A folder of a run that was killed is removed after so long. Until then a run that has just begun may not have
/// locked it yet.
const BEGINNING: Duration = Duration::from_secs(60);

/// The same where folders cannot be locked, and nothing tells whether the run lives.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder in the making. Everything is written to [`OutputFolder::path`], a hidden folder beside the
/// target; [`OutputFolder::commit`] gives it its name. Dropped before that, it is removed and the
/// target is as it was.
#[derive(Debug)]
pub struct OutputFolder {
    target: PathBuf,
    temporary: TempDir,
    /// The temporary folder, locked for as long as this process lives; absent where the system locks no folders.
    _lock: Option<File>,
}

impl OutputFolder {
    /// Begins a folder that will be `target`, making the folders above it. The target may be absent,
    /// empty, or hold an earlier run and nothing else.
    ///
    /// # Errors
    /// A target that is not a folder or holds files that plymap did not write, which is found here,
    /// before hours of work; a place that cannot be written to.
    pub fn create(target: &Path) -> Result<Self, ReportError> {
        // A link is followed, or the link and not the folder behind it would be replaced.
        let target = if target.exists() {
            target.canonicalize().map_err(failed("open", target))?
        } else {
            std::path::absolute(target).map_err(failed("find", target))?
        };
        let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
            return Err(ReportError::ForeignFolder { path: target, why: "it is no folder of its own".to_owned() });
        };
        check_replaceable(&target)?;
        fs::create_dir_all(parent).map_err(failed("create", parent))?;
        let name = name.to_string_lossy();
        remove_leftovers(parent, &name);
        let temporary = hidden_folder(parent, &name, "partial")?;
        let lock = File::open(temporary.path()).ok().filter(|folder| folder.try_lock().is_ok());
        Ok(Self { target, temporary, _lock: lock })
    }

    /// Where to write until the folder is committed.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Gives the folder its name, in place of an earlier run. That run is moved aside first, put back
    /// if anything fails, and deleted last. Returns the path of the target.
    ///
    /// # Errors
    /// A target that came to hold something else meanwhile, or that cannot be moved; in both cases
    /// it is as it was.
    pub fn commit(self) -> Result<PathBuf, ReportError> {
        let Self { target, temporary, _lock } = self;
        if !check_replaceable(&target)? {
            fs::rename(temporary.path(), &target).map_err(failed("name the finished folder", &target))?;
            // It has another name now; there is nothing left to remove.
            let _ = temporary.keep();
            return Ok(target);
        }
        let parent = target.parent().unwrap_or(&target);
        let aside = hidden_folder(parent, &target.file_name().unwrap_or_default().to_string_lossy(), "earlier")?;
        let earlier = aside.path().join("run");
        fs::rename(&target, &earlier).map_err(failed("move aside", &target))?;
        if let Err(error) = fs::rename(temporary.path(), &target) {
            let put_back = fs::rename(&earlier, &target);
            if put_back.is_err() {
                // Better a hidden folder left behind than the only copy deleted.
                let _ = aside.keep();
            }
            return Err(failed("name the finished folder", &target)(error));
        }
        let _ = temporary.keep();
        // The new run is in place; a remainder of the old one is no reason to fail.
        let _ = aside.close();
        Ok(target)
    }
}

/// Whether there is a folder to be replaced.
///
/// # Errors
/// A target that must not be replaced, and why.
fn check_replaceable(target: &Path) -> Result<bool, ReportError> {
    if !target.exists() {
        return Ok(false);
    }
    let foreign = |why: String| Err(ReportError::ForeignFolder { path: target.to_owned(), why });
    if !target.is_dir() {
        return foreign("it is not a folder".to_owned());
    }
    let is_litter = |path: &str| LITTER.contains(&path.rsplit('/').next().unwrap_or(path));
    let files: Vec<String> = files_below(target)?.into_iter().filter(|path| !is_litter(path)).collect();
    if files.is_empty() {
        return Ok(true);
    }
    if !files.iter().any(|path| path == MANIFEST_NAME) {
        return foreign(format!("it holds {} and no {MANIFEST_NAME} of an earlier run", files[0]));
    }
    let Ok(manifest) = Manifest::read(target) else {
        return foreign(format!("its {MANIFEST_NAME} is not one of plymap"));
    };
    let written = |path: &String| path == MANIFEST_NAME || manifest.outputs.iter().any(|entry| entry.path == *path);
    match files.iter().find(|path| !written(path)) {
        Some(path) => foreign(format!("it holds {path}, which the earlier run did not write")),
        None => Ok(true),
    }
}

/// Removes the hidden folders that killed runs to the same target left in `parent`. One that cannot be removed is no
/// reason to fail.
fn remove_leftovers(parent: &Path, name: &str) {
    let prefix = hidden_prefix(name, "partial");
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let file_name = entry.file_name();
        let random = file_name.to_str().and_then(|name| name.strip_prefix(&prefix)).unwrap_or_default();
        // What stands behind the prefix could be the name of another target.
        let is_ours = random.len() == N_RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_left(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether no run writes to a hidden folder any more. The system releases the lock of a process that ends, however it
/// ends.
fn is_left(folder: &Path) -> bool {
    let Some(age) = age(folder) else { return false };
    let lock = File::open(folder).map_err(TryLockError::Error).and_then(|folder| folder.try_lock());
    match lock {
        Ok(()) => age > BEGINNING,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => age > FORGOTTEN,
    }
}

/// How long ago a file was put into a folder; absent if the clock or the system cannot tell.
fn age(folder: &Path) -> Option<Duration> {
    fs::metadata(folder).ok()?.modified().ok()?.elapsed().ok()
}

/// Number of random characters at the end of the name of a hidden folder.
const N_RANDOM: usize = 6;

fn hidden_prefix(name: &str, kind: &str) -> String {
    format!(".{name}.{kind}-")
}

/// A new folder `.NAME.KIND-…` in `parent`, on the same file system, so that renaming is one step.
fn hidden_folder(parent: &Path, name: &str, kind: &str) -> Result<TempDir, ReportError> {
    let prefix = hidden_prefix(name, kind);
    let mut builder = Builder::new();
    builder.prefix(&prefix).rand_bytes(N_RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Temporary folders are private by default; this one is to be shared like any other, within
        // the limits of the user's own mask.
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    builder.tempdir_in(parent).map_err(failed("create a folder in", parent))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    /// A folder with a file in it, both as old as that.
    fn aged(parent: &Path, name: &str, seconds: u64) -> PathBuf {
        let folder = parent.join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("report.md"), "x").unwrap();
        let time = std::time::SystemTime::now() - Duration::from_secs(seconds);
        File::open(&folder).unwrap().set_modified(time).unwrap();
        folder
    }

    #[test]
    fn what_a_killed_run_left_is_removed_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let aged = |name: &str, seconds: u64| aged(parent.path(), name, seconds);
        let left = aged(".demo.partial-Ab12Cd", 3600);
        let kept = [
            aged(".demo.partial-Zz12Cd", 1),
            aged(".demo.partial-x.partial-Ab12Cd", 3600),
            aged(".demo.earlier-Ab12Cd", 3600),
            aged(".other.partial-Ab12Cd", 3600),
            aged("demo.partial-Ab12Cd", 3600),
        ];
        let living = aged(".demo.partial-Li12Cd", 3600);
        let lock = File::open(&living).unwrap();
        lock.try_lock().unwrap();
        let target = parent.path().join("demo");
        let first = OutputFolder::create(&target).unwrap();
        assert!(!left.exists());
        assert!(kept.iter().all(|folder| folder.exists()) && living.exists());
        // A second run to the same target leaves the folder of the first alone.
        let long_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
        File::open(first.path()).unwrap().set_modified(long_ago).unwrap();
        let second = OutputFolder::create(&target).unwrap();
        assert!(first.path().exists());
        drop(second);
        drop(lock);
        let _third = OutputFolder::create(&target).unwrap();
        assert!(!living.exists());
    }
}
