//! The folder of a run, which appears whole or not at all.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::Builder;

use super::error::ReportError;
use super::manifest::{MANIFEST_NAME, Manifest, files_below};
use plymap_tables::cleanup::{PartialOutput, named, naming};
use plymap_tables::failed;

#[cfg(all(test, unix))]
mod killed;
mod step;

/// Files that systems drop into folders by themselves; they do not make a folder somebody's.
const LITTER: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// Kinds of hidden folders: results in the making, and an earlier run that is replaced in two steps, in a folder in it.
const PARTIAL: &str = "partial";
const EARLIER: &str = "earlier";
const EARLIER_RUN: &str = "run";
/// Name of that run once it has been replaced, and is only to be removed.
const REPLACED: &str = "replaced";

/// First part of the name of the hidden folder in which [`OutputFiles`] are made.
const FILES: &str = "plymap";

/// Age from which on the folder of a killed run is removed, if it is empty or lies where many write. Until then a
/// run that has just begun may not have locked it yet.
const BEGINNING: Duration = Duration::from_secs(60);

/// The same age where folders cannot be locked, and nothing tells whether the run lives.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder in the making. Everything is written to [`OutputFolder::path`], a hidden folder beside the
/// target; [`OutputFolder::commit`] gives it its name. Dropped before that, it is removed and the
/// target is as it was.
#[derive(Debug)]
pub struct OutputFolder {
    target: PathBuf,
    hidden: Hidden,
}

impl OutputFolder {
    /// Begins a folder that will be `target`, making the folders above it. The target may be absent,
    /// empty, or hold an earlier run and nothing else. What killed runs left of the target is removed, and an earlier
    /// run that one of them had moved aside is put back.
    ///
    /// # Errors
    /// A target that is not a folder or holds files that plymap did not write, which is found here,
    /// before hours of work; one that another run is writing to; a place that cannot be written to.
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
        let name = name.to_string_lossy();
        put_back(parent, &name, &target);
        check_replaceable(&target)?;
        step::create_folder(parent).map_err(failed("create", parent))?;
        remove_leftovers(parent, &name, is_left);
        let hidden = new_hidden(parent, &name)?;
        if let Some(other) = leftovers(parent, &name, PARTIAL).find(|other| other != hidden.path() && is_locked(other))
        {
            return Err(ReportError::Busy { path: target, other });
        }
        Ok(Self { target, hidden })
    }

    /// Returns the folder to write to until it is committed.
    pub fn path(&self) -> &Path {
        self.hidden.path()
    }

    /// Gives the folder its name, in place of an earlier run: the two are exchanged in one step where the system can.
    /// Elsewhere that run is moved aside first, put back if anything fails, and deleted last. Returns the path of the
    /// target.
    ///
    /// # Errors
    /// A target that came to hold something else meanwhile, or that cannot be moved; in both cases
    /// it is as it was.
    pub fn commit(self) -> Result<PathBuf, ReportError> {
        let Self { target, hidden } = self;
        let _naming = naming();
        if !check_replaceable(&target)? {
            step::rename(hidden.path(), &target).map_err(failed("name the finished folder", &target))?;
            hidden.keep();
            named();
            return Ok(target);
        }
        // After an exchange the hidden folder is the earlier run, and is removed.
        if step::exchange(hidden.path(), &target).is_err() {
            replace(hidden, &target)?;
        }
        named();
        Ok(target)
    }
}

/// Files in the making that get their places in a folder beside what may be there. They are written to
/// [`OutputFiles::path`], a hidden folder in it; [`OutputFiles::commit`] moves them, each in one step. Dropped before
/// that, the folder is as it was.
#[derive(Debug)]
pub struct OutputFiles {
    folder: PathBuf,
    /// True if the folder was made here.
    is_new: bool,
    hidden: Option<Hidden>,
}

impl OutputFiles {
    /// Begins files in `folder`, which is made where it does not exist.
    ///
    /// # Errors
    /// A place that cannot be written to.
    pub fn create(folder: &Path) -> Result<Self, ReportError> {
        let is_new = !folder.exists();
        step::create_folder(folder).map_err(failed("create", folder))?;
        remove_leftovers(folder, FILES, is_long_left);
        let hidden = Some(new_hidden(folder, FILES)?);
        Ok(Self { folder: folder.to_owned(), is_new, hidden })
    }

    /// Returns the folder to write to until the files are committed.
    pub fn path(&self) -> &Path {
        self.hidden.as_ref().map_or(&self.folder, Hidden::path)
    }

    /// Moves the files to their places, where they replace those of the same names.
    ///
    /// # Errors
    /// A file that cannot be moved; those before it are in their places.
    pub fn commit(mut self) -> Result<(), ReportError> {
        let _naming = naming();
        for file in files_below(self.path())? {
            let target = self.folder.join(&file);
            if let Some(parent) = target.parent() {
                step::create_folder(parent).map_err(failed("create", parent))?;
            }
            step::rename(&self.path().join(&file), &target).map_err(failed("write", &target))?;
        }
        self.is_new = false;
        named();
        Ok(())
    }
}

impl Drop for OutputFiles {
    fn drop(&mut self) {
        self.hidden = None;
        if self.is_new {
            // It stays if something else was put into it meanwhile.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// A hidden folder, removed when it is dropped or the process is asked to stop.
#[derive(Debug)]
struct Hidden {
    path: PathBuf,
    /// It has another name now, or must not be removed.
    is_kept: bool,
    _partial: PartialOutput,
    /// The folder, locked for as long as this process lives; absent where the system opens no folders. It is the open file
    /// that removing the folder takes, too, if there may be no more.
    lock: Option<File>,
}

impl Hidden {
    /// A new folder `.NAME.KIND-…` in `parent`, on the same file system, so that renaming is one step.
    fn new(parent: &Path, name: &str, kind: &str) -> Result<Self, ReportError> {
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
        let path = builder.tempdir_in(parent).map_err(failed("create a folder in", parent))?.keep();
        let unfinished = PartialOutput::new(&path);
        step::taken();
        let lock = locked(&path).inspect_err(|_| drop(fs::remove_dir(&path))).map_err(failed("open", &path))?;
        Ok(Self { path, is_kept: false, _partial: unfinished, lock })
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        if !self.is_kept {
            self.lock = None;
            // What cannot be removed is left to the next start.
            let _ = step::remove_folder(&self.path);
        }
    }
}

/// A new folder, locked where the system can.
fn locked(folder: &Path) -> io::Result<Option<File>> {
    match File::open(folder) {
        Ok(folder) => {
            // Another run holds it for the moment in which it looks whether this one lives.
            let _ = folder.lock();
            Ok(Some(folder))
        }
        Err(error) if cfg!(unix) => Err(error),
        Err(_) => Ok(None),
    }
}

fn new_hidden(parent: &Path, name: &str) -> Result<Hidden, ReportError> {
    let _naming = naming();
    Hidden::new(parent, name, PARTIAL)
}

/// Puts a folder in the place of the target in two steps: a process that is killed in between leaves the earlier run
/// where [`put_back`] finds it.
fn replace(hidden: Hidden, target: &Path) -> Result<(), ReportError> {
    let parent = target.parent().unwrap_or(target);
    let aside = Hidden::new(parent, &target.file_name().unwrap_or_default().to_string_lossy(), EARLIER)?;
    let earlier = aside.path().join(EARLIER_RUN);
    step::rename(target, &earlier).map_err(failed("move aside", target))?;
    if let Err(error) = step::rename(hidden.path(), target) {
        if step::rename(&earlier, target).is_err() {
            // Better a hidden folder left behind than the only copy deleted.
            aside.keep();
        }
        return Err(failed("name the finished folder", target)(error).into());
    }
    hidden.keep();
    // A process that is killed while it removes this run must not leave it where it would be put back.
    let _ = step::rename(&earlier, &aside.path().join(REPLACED));
    Ok(())
}

/// Returns true if there is a folder to be replaced.
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
    let Some(listed) = Manifest::listed(target) else {
        return foreign(format!("its {MANIFEST_NAME} is not one of plymap"));
    };
    let written = |path: &String| path == MANIFEST_NAME || listed.iter().any(|entry| entry.path == *path);
    match files.iter().find(|path| !written(path)) {
        Some(path) => foreign(format!("it holds {path}, which the earlier run did not write")),
        None => Ok(true),
    }
}

/// Puts an earlier run back that a killed run had moved aside and not replaced.
fn put_back(parent: &Path, name: &str, target: &Path) {
    if target.exists() {
        return;
    }
    let is_whole = |folder: &PathBuf| folder.join(EARLIER_RUN).join(MANIFEST_NAME).exists() && !is_locked(folder);
    if let Some(aside) = leftovers(parent, name, EARLIER).find(is_whole)
        && step::rename(&aside.join(EARLIER_RUN), target).is_ok()
    {
        let _ = step::remove_folder(&aside);
    }
}

/// Removes the hidden folders that killed runs to the same target left in `parent`. One that cannot be removed is no
/// reason to fail.
fn remove_leftovers(parent: &Path, name: &str, is_left: fn(&Path) -> bool) {
    for kind in [PARTIAL, EARLIER] {
        for folder in leftovers(parent, name, kind).filter(|folder| is_left(folder)) {
            let _ = step::remove_folder(&folder);
        }
    }
}

/// The hidden folders of this kind that runs to the same target made in `parent`.
fn leftovers(parent: &Path, name: &str, kind: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let prefix = hidden_prefix(name, kind);
    // What stands behind the prefix could be the name of another target.
    let is_ours = move |entry: &fs::DirEntry| {
        let file_name = entry.file_name();
        let random = file_name.to_str().and_then(|name| name.strip_prefix(&prefix)).unwrap_or_default();
        random.len() == N_RANDOM
            && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    entries.filter(is_ours).map(|entry| entry.path())
}

/// Returns true if a living process writes to a hidden folder.
fn is_locked(folder: &Path) -> bool {
    matches!(lock_of(folder), Err(TryLockError::WouldBlock))
}

/// Returns true if no run writes to a hidden folder any more. The system releases the lock of a process that ends,
/// however it ends.
fn is_left(folder: &Path) -> bool {
    // Asked first: a run puts something into its folder only when it has locked it.
    let had_content = has_content(folder);
    is_long_left(folder) || (had_content && lock_of(folder).is_ok())
}

/// The same of a folder among those of many processes, which may be of several machines that see no locks of each other.
fn is_long_left(folder: &Path) -> bool {
    let Some(age) = age(folder) else { return false };
    match lock_of(folder) {
        Ok(()) => age > BEGINNING,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => age > FORGOTTEN,
    }
}

fn has_content(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

fn lock_of(folder: &Path) -> Result<(), TryLockError> {
    File::open(folder).map_err(TryLockError::Error).and_then(|folder| folder.try_lock())
}

/// Returns the time since a file was put into a folder; none if the clock or the system cannot tell.
fn age(folder: &Path) -> Option<Duration> {
    fs::metadata(folder).ok()?.modified().ok()?.elapsed().ok()
}

/// Number of random characters at the end of the name of a hidden folder.
const N_RANDOM: usize = 6;

fn hidden_prefix(name: &str, kind: &str) -> String {
    format!(".{name}.{kind}-")
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
        let just_left = aged(".demo.partial-Aa12Cd", 1);
        let just_begun = aged(".demo.partial-Zz12Cd", 1);
        fs::remove_file(just_begun.join("report.md")).unwrap();
        let kept = [
            just_begun,
            aged(".demo.partial-x.partial-Ab12Cd", 3600),
            aged(".demo.other-Ab12Cd", 3600),
            aged(".other.partial-Ab12Cd", 3600),
            aged("demo.partial-Ab12Cd", 3600),
        ];
        let living = aged(".demo2.partial-Li12Cd", 3600);
        let lock = File::open(&living).unwrap();
        lock.try_lock().unwrap();
        let target = parent.path().join("demo");
        let first = OutputFolder::create(&target).unwrap();
        assert!(!left.exists() && !just_left.exists());
        assert!(kept.iter().all(|folder| folder.exists()) && living.exists());
        drop(first);
        drop(lock);
        let _third = OutputFolder::create(&parent.path().join("demo2")).unwrap();
        assert!(!living.exists());
    }

    #[test]
    fn two_runs_at_once_to_one_target_are_told() {
        let parent = tempfile::tempdir().unwrap();
        let target = parent.path().join("demo");
        let first = OutputFolder::create(&target).unwrap();
        let second = OutputFolder::create(&target).unwrap_err().to_string();
        assert!(second.contains("another run is writing to it"), "{second}");
        assert!(first.path().exists());
        drop(first);
        OutputFolder::create(&target).unwrap();
    }

    /// An earlier run, as its manifest tells.
    fn run(folder: &Path, text: &str) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("report.md"), text).unwrap();
        Manifest::new(serde_json::json!({})).write(folder).unwrap();
    }

    #[test]
    fn a_run_is_replaced_whole_in_one_step_or_in_two() {
        for in_two_steps in [false, true] {
            let parent = tempfile::tempdir().unwrap();
            let target = parent.path().join("demo");
            run(&target, "old");
            let folder = OutputFolder::create(&target).unwrap();
            run(folder.path(), "new");
            if in_two_steps {
                replace(folder.hidden, &target).unwrap();
            } else {
                folder.commit().unwrap();
            }
            assert_eq!(fs::read_to_string(target.join("report.md")).unwrap(), "new");
            assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1, "nothing is left beside it");
        }
    }

    #[test]
    fn a_run_that_was_moved_aside_when_another_was_killed_is_put_back() {
        let parent = tempfile::tempdir().unwrap();
        let target = parent.path().join("demo");
        let aside = parent.path().join(".demo.earlier-Ab12Cd");
        run(&aside.join(EARLIER_RUN), "old");
        drop(OutputFolder::create(&target).unwrap());
        assert_eq!(fs::read_to_string(target.join("report.md")).unwrap(), "old");
        assert!(!aside.exists());
    }

    #[test]
    fn files_get_their_places_together_or_not_at_all() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("figures");
        let files = OutputFiles::create(&folder).unwrap();
        fs::write(files.path().join("a.svg"), "new").unwrap();
        drop(files);
        assert!(!folder.exists());
        fs::create_dir(&folder).unwrap();
        for (name, text) in [("a.svg", "old"), ("b.svg", "old")] {
            fs::write(folder.join(name), text).unwrap();
        }
        let files = OutputFiles::create(&folder).unwrap();
        fs::create_dir(files.path().join("tables")).unwrap();
        fs::write(files.path().join("a.svg"), "new").unwrap();
        fs::write(files.path().join("tables/c.csv"), "new").unwrap();
        files.commit().unwrap();
        let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!((text("a.svg"), text("b.svg"), text("tables/c.csv")), ("new".into(), "old".into(), "new".into()));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
    }
}
