//! What the page can undo: changes of the study, and files that it has moved, taken out ones too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::problem::Problem;
use crate::project::{Change, FileKind, Project, check_seen, checked_name, revision};

/// Folder of files that were taken out, from which undoing brings them back.
const REMOVED: &str = ".removed";

impl Project {
    /// Brings back what was before the last change; `seen` as of [`Project::change`]. Returns the name of a file that came back
    /// under another one, as there is a file in its place.
    ///
    /// # Errors
    ///
    /// There was no change, it cannot be undone any more, or the study or the file cannot be written. What cannot be undone
    /// any more is forgotten, so that the change before it is the next one.
    pub fn undo(&self, seen: &str) -> Result<Option<String>, Problem> {
        let mut changes = self.changes();
        let now = self.text()?;
        check_seen(seen, now.as_deref())?;
        let now = revision(now.as_deref());
        match changes.last() {
            None => Err(Problem::conflict("there is nothing to undo").says("nothing_to_undo", [])),
            Some(Change::Study { before, after }) if *after == now => {
                self.replace(before)?;
                changes.pop();
                Ok(None)
            }
            Some(Change::Study { .. }) => {
                forget_studies(&mut changes, &now);
                let file = self.study_file().display().to_string();
                let why = format!(
                    "{file} was changed elsewhere after the last change of this page, which can no longer be undone here: \
                     undo it there; the next undo is of what was changed before"
                );
                Err(Problem::conflict(why).says("changed_elsewhere", [("file", &file)]))
            }
            Some(Change::Moved { before, after }) if !after.exists() => {
                let [file, folder] = [before, after].map(|path| self.name(path));
                changes.pop();
                let why = format!(
                    "{file} cannot be brought back, as {folder} is no longer there; the next undo is of what was changed before"
                );
                Err(Problem::conflict(why).says("file_gone", [("file", &file), ("place", &folder)]))
            }
            Some(Change::Moved { before, after }) => {
                let (before, after) = (before.clone(), after.clone());
                let back = free_place(&before);
                let failed = |error: io::Error| {
                    Problem::conflict(format!("{} cannot be brought back: {error}", self.name(&before)))
                };
                self.put(&after, &back).map_err(failed)?;
                changes.pop();
                if back == before {
                    return Ok(None);
                }
                rename(&mut changes, &before, &back);
                Ok(Some(self.name(&back)))
            }
        }
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

    /// Takes a file out of the project, into a hidden folder of it, where it keeps its path.
    ///
    /// # Errors
    ///
    /// The name leads elsewhere, is that of the study, or the file cannot be moved.
    pub fn remove(&self, name: &str) -> Result<(), Problem> {
        let file = checked_name(name)?;
        let mut folders = (1..).map(|number: u32| self.folder.join(REMOVED).join(number.to_string()));
        let free = folders.find(|folder| !folder.exists()).expect("there are more numbers than folders");
        self.move_file(name, free.join(file))
    }

    /// Returns the names of the files that were taken out, in the hidden folder where they are.
    pub fn removed(&self) -> Vec<String> {
        let mut files = Vec::new();
        files_below(&self.folder.join(REMOVED), &mut files);
        files.sort();
        files.iter().map(|file| self.name(file)).collect()
    }

    /// Brings a file back that was taken out, whenever that was. Returns its name as of [`Project::undo`].
    ///
    /// # Errors
    ///
    /// There is no such file, or it cannot be moved.
    pub fn bring_back(&self, name: &str) -> Result<Option<String>, Problem> {
        let inside = name.strip_prefix(REMOVED).and_then(|name| name.strip_prefix('/')?.split_once('/'));
        let (number, place) = inside.ok_or_else(|| Problem::bad(format!("{name} was not taken out")))?;
        let before = self.folder.join(REMOVED).join(checked_name(number)?).join(checked_name(place)?);
        let mut changes = self.changes();
        let wanted = self.path(place)?;
        let after = free_place(&wanted);
        self.put(&before, &after).map_err(|error| Problem::missing(format!("{name} cannot be moved: {error}")))?;
        let other = (after != wanted).then(|| self.name(&after));
        changes.push(Change::Moved { before, after });
        Ok(other)
    }

    /// Moves a file; folders of files that were taken out go with the last one in them.
    fn put(&self, from: &Path, to: &Path) -> io::Result<()> {
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::rename(from, to)?;
        let removed = self.folder.join(REMOVED);
        from.ancestors().skip(1).take_while(|folder| folder.starts_with(&removed)).for_each(|folder| {
            let _ = fs::remove_dir(folder);
        });
        Ok(())
    }

    fn move_file(&self, name: &str, after: PathBuf) -> Result<(), Problem> {
        let before = self.path(name)?;
        self.check_within(&after)?;
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
        self.put(&before, &after).map_err(|error| Problem::missing(format!("{name} cannot be moved: {error}")))?;
        changes.push(Change::Moved { before, after });
        Ok(())
    }

    fn is_there(&self, path: &Path) -> Problem {
        let file = self.name(path);
        Problem::conflict(format!("{file} exists already: remove it first")).says("file_exists", [("file", &file)])
    }
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files_below(&entry.path(), files),
            Ok(kind) if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
}

/// Forgets changes of the study after the one that made it as it is now.
fn forget_studies(changes: &mut Vec<Change>, now: &str) {
    let is_last = |change: &Change| matches!(change, Change::Study { after, .. } if after == now);
    let n_kept = changes.iter().rposition(is_last).map_or(0, |last| last + 1);
    let mut later = changes.split_off(n_kept);
    later.retain(|change| matches!(change, Change::Moved { .. }));
    changes.append(&mut later);
}

/// Returns a place where there is no file: this one, else with a number behind its name, such as `a-2.csv`.
fn free_place(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, end) = name.split_at(name.find('.').unwrap_or(name.len()));
    let numbered = (2..).map(|number: u32| path.with_file_name(format!("{stem}-{number}{end}")));
    let mut places = std::iter::once(path.to_owned()).chain(numbered);
    places.find(|place| !place.exists()).expect("there are more numbers than files")
}

/// Has the change that brought a file to a place know that the file is now at another one.
fn rename(changes: &mut [Change], from: &Path, to: &Path) {
    // If the last change there took a file away, the one before it is of that file.
    let last = changes.iter_mut().rev().find_map(|change| match change {
        Change::Moved { before, after } if before == from || after == from => Some(after),
        _ => None,
    });
    if let Some(after) = last.filter(|after| *after == from) {
        to.clone_into(after);
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
        project.sort("logs/a.csv", FileKind::Levels).unwrap();
        assert!(at("levels/a.csv").exists() && !at("logs/a.csv").exists());
        undo().unwrap();
        assert_eq!(fs::read_to_string(at("logs/a.csv")).unwrap(), "2");
        // What has come to lie there is not replaced.
        assert_eq!(undo().unwrap().as_deref(), Some("logs/a-2.csv"));
        assert_eq!(["logs/a.csv", "logs/a-2.csv"].map(|name| fs::read_to_string(at(name)).unwrap()), ["2", "1"]);
        assert!(!project.can_undo() && !at(REMOVED).exists());
        let missing = project.remove("logs/gone.csv").unwrap_err();
        assert!(missing.status == 404 && !project.can_undo(), "{missing:?}");
        project.write("[study]\nname = \"a\"\n[levels]\nfiles = [\"levels\"]\n", &project.revision().unwrap()).unwrap();
        assert!(project.remove(STUDY).unwrap_err().error.contains("the study itself"));
        assert!(project.study_file().exists());
    }

    #[test]
    fn a_file_that_was_taken_out_comes_back_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let opened = || Project::open(&folder.path().join(STUDY), Vec::new()).unwrap();
        fs::create_dir(folder.path().join("logs")).unwrap();
        fs::write(folder.path().join("logs/a.csv"), "1").unwrap();
        assert!(opened().removed().is_empty());
        opened().remove("logs/a.csv").unwrap();
        let project = opened();
        assert_eq!((project.removed(), project.can_undo()), (vec![".removed/1/logs/a.csv".to_owned()], false));
        for name in ["logs/a.csv", ".removed/a.csv", ".removed/../logs/a.csv", ".removed/1/../../a.csv"] {
            assert!(project.bring_back(name).is_err(), "{name}");
        }
        assert_eq!(project.bring_back(".removed/1/logs/a.csv").unwrap(), None);
        let there = || (fs::read_to_string(folder.path().join("logs/a.csv")).ok(), project.removed().len());
        assert_eq!(there(), (Some("1".to_owned()), 0));
        project.undo(&project.revision().unwrap()).unwrap();
        assert_eq!(there(), (None, 1));
        fs::write(folder.path().join("logs/a.csv"), "2").unwrap();
        let other = project.bring_back(".removed/1/logs/a.csv").unwrap();
        assert_eq!((other.as_deref(), there()), (Some("logs/a-2.csv"), (Some("2".to_owned()), 0)));
    }

    #[test]
    fn a_change_that_cannot_be_undone_keeps_none_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::open(&folder.path().join(STUDY), Vec::new()).unwrap();
        let at = |name: &str| folder.path().join(name);
        let undo = || project.undo(&project.revision().unwrap());
        let study = |name: &str| format!("[study]\nname = \"{name}\"\n[levels]\nfiles = [\"levels\"]\n");
        for name in ["a", "b"] {
            project.write(&study(name), &project.revision().unwrap()).unwrap();
        }
        fs::create_dir(at("logs")).unwrap();
        fs::write(at("a.csv.gz"), "1").unwrap();
        project.sort("a.csv.gz", FileKind::Logs).unwrap();
        project.remove("logs/a.csv.gz").unwrap();
        fs::write(at("logs/a.csv.gz"), "2").unwrap();
        project.remove("logs/a.csv.gz").unwrap();
        fs::remove_dir_all(at(".removed/2")).unwrap();
        project.write(&study("c"), &project.revision().unwrap()).unwrap();
        fs::write(project.study_file(), study("editor")).unwrap();

        assert!(undo().unwrap_err().error.contains("was changed elsewhere"));
        assert!(undo().unwrap_err().error.contains(".removed/2/logs/a.csv.gz is no longer there"));
        // A file that came back under another name is the one that was sorted.
        fs::write(at("logs/a.csv.gz"), "3").unwrap();
        assert_eq!(undo().unwrap().as_deref(), Some("logs/a-2.csv.gz"));
        assert_eq!(undo().unwrap(), None);
        assert_eq!(["a.csv.gz", "logs/a.csv.gz"].map(|name| fs::read_to_string(at(name)).unwrap()), ["1", "3"]);
        assert!(!project.can_undo() && project.text().unwrap() == Some(study("editor")));
    }
}
