//! What the page can undo: changes of the study, and files that it has moved, taken out ones too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::problem::Problem;
use crate::project::{Change, FileKind, Project, check_seen, revision};

/// Folder of files that were taken out, from which undoing brings them back.
const REMOVED: &str = ".removed";

impl Project {
    /// Brings back what was before the last change; `seen` as of [`Project::change`].
    ///
    /// # Errors
    ///
    /// There was no change, the study was changed elsewhere since, or it or the file cannot be written.
    pub fn undo(&self, seen: &str) -> Result<(), Problem> {
        let mut changes = self.changes();
        let nothing = || Problem::conflict("there is nothing to undo").says("nothing_to_undo", []);
        let last = changes.last().ok_or_else(nothing)?;
        let now = self.text()?;
        check_seen(seen, now.as_deref())?;
        match last {
            Change::Study { before, after } if revision(now.as_deref()) == *after => self.replace(before)?,
            Change::Study { .. } => {
                let file = self.study_file().display().to_string();
                let why = format!(
                    "{file} was changed elsewhere after the last change of this page, which would be lost: undo it there"
                );
                return Err(Problem::conflict(why).says("changed_elsewhere", [("file", &file)]));
            }
            Change::Moved { before, after } if !before.exists() => {
                let failed = |error: io::Error| {
                    Problem::conflict(format!("{} cannot be brought back: {error}", self.name(before)))
                };
                before.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
                fs::rename(after, before).map_err(failed)?;
                // Folders of files that were taken out, once they are empty.
                after.ancestors().skip(1).take(2).take_while(|folder| **folder != self.folder).for_each(|folder| {
                    let _ = fs::remove_dir(folder);
                });
            }
            Change::Moved { before, .. } => return Err(self.is_there(before)),
        }
        changes.pop();
        Ok(())
    }

    /// Returns true if a change can be undone.
    pub fn can_undo(&self) -> bool {
        !self.changes().is_empty()
    }

    /// Moves a file of the project to those of another kind.
    ///
    /// # Errors
    ///
    /// The name leads elsewhere, or the file cannot be moved.
    pub fn sort(&self, name: &str, kind: FileKind) -> Result<(), Problem> {
        let path = self.path(name)?;
        let file = path.file_name().ok_or_else(|| Problem::bad("a file has no name"))?;
        let target = self.folder_of(kind).join(file);
        self.move_file(name, target)
    }

    /// Takes a file out of the project, into a hidden folder of it.
    ///
    /// # Errors
    ///
    /// The name leads elsewhere, is that of the study, or the file cannot be moved.
    pub fn remove(&self, name: &str) -> Result<(), Problem> {
        let path = self.path(name)?;
        let file = path.file_name().ok_or_else(|| Problem::bad("a file has no name"))?;
        let mut folders = (1..).map(|number: u32| self.folder.join(REMOVED).join(number.to_string()));
        let free = folders.find(|folder| !folder.exists()).expect("there are more numbers than folders");
        self.move_file(name, free.join(file))
    }

    fn move_file(&self, name: &str, after: PathBuf) -> Result<(), Problem> {
        let before = self.path(name)?;
        if before == self.study_file() {
            let why = "the study itself is no file of levels or logs, and stays: change its text instead";
            return Err(Problem::bad(why).says("study_stays", []));
        }
        if after == before {
            return Ok(());
        }
        if after.exists() {
            return Err(self.is_there(&after));
        }
        let mut changes = self.changes();
        after
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::rename(&before, &after))
            .map_err(|error| Problem::missing(format!("{name} cannot be moved: {error}")))?;
        changes.push(Change::Moved { before, after });
        Ok(())
    }

    fn is_there(&self, path: &Path) -> Problem {
        let file = self.name(path);
        Problem::conflict(format!("{file} exists already: remove it first")).says("file_exists", [("file", &file)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::STUDY;

    #[test]
    fn files_that_were_taken_out_or_sorted_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::open(&folder.path().join(STUDY), Vec::new()).unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("logs")).unwrap();
        let write = |text: &str| fs::write(at("logs/a.csv"), text).unwrap();
        let undo = || project.undo(&project.revision().unwrap());
        write("1");
        project.remove("logs/a.csv").unwrap();
        write("2");
        project.remove("logs/a.csv").unwrap();
        assert!(!at("logs/a.csv").exists());
        undo().unwrap();
        assert_eq!(fs::read_to_string(at("logs/a.csv")).unwrap(), "2");
        // What has come to lie there is not replaced, and the undo waits.
        assert!(undo().unwrap_err().error.contains("logs/a.csv exists already"));
        project.sort("logs/a.csv", FileKind::Levels).unwrap();
        assert!(at("levels/a.csv").exists() && !at("logs/a.csv").exists());
        undo().unwrap();
        assert_eq!(fs::read_to_string(at("logs/a.csv")).unwrap(), "2");
        fs::remove_file(at("logs/a.csv")).unwrap();
        undo().unwrap();
        assert_eq!(fs::read_to_string(at("logs/a.csv")).unwrap(), "1");
        assert!(!project.can_undo() && !at(REMOVED).exists());
        let missing = project.remove("logs/gone.csv").unwrap_err();
        assert!(missing.status == 404 && !project.can_undo(), "{missing:?}");
        project.write("[study]\nname = \"a\"\n[levels]\nfiles = [\"levels\"]\n", &project.revision().unwrap()).unwrap();
        assert!(project.remove(STUDY).unwrap_err().error.contains("the study itself"));
        assert!(project.study_file().exists());
    }
}
