//! The folder of a run, which appears whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{Builder, TempDir};

use super::manifest::{MANIFEST_NAME, Manifest, files_below};
use super::{ReportError, failed};

/// Files that systems drop into folders by themselves; they do not make a folder somebody's.
const LITTER: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// A folder in the making. Everything is written to [`OutputFolder::path`], a hidden folder beside the
/// target; [`OutputFolder::commit`] gives it its name. Dropped before that, it is removed and the
/// target is as it was.
#[derive(Debug)]
pub struct OutputFolder {
    target: PathBuf,
    temporary: TempDir,
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
        let temporary = hidden_folder(parent, &name.to_string_lossy(), "partial")?;
        Ok(Self { target, temporary })
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
        let Self { target, temporary } = self;
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

/// A new folder `.NAME.KIND-…` in `parent`, on the same file system, so that renaming is one step.
fn hidden_folder(parent: &Path, name: &str, kind: &str) -> Result<TempDir, ReportError> {
    let prefix = format!(".{name}.{kind}-");
    let mut builder = Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Temporary folders are private by default; this one is to be shared like any other, within
        // the limits of the user's own mask.
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    builder.tempdir_in(parent).map_err(failed("create a folder in", parent))
}
