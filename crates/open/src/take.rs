//! What a study leaves to be taken away: its results, itself, and all of it as one archive.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Component, Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use plymap_report::Manifest;
use plymap_run::study::Study;
use plymap_run::{files_with_ids, named_files, study_files};
use serde::Serialize;
use zip::write::SimpleFileOptions;

use crate::problem::Problem;
use crate::project::Project;
use crate::result::{is_current, results_to_take};

/// Files to take away, by kind.
#[derive(Debug, Serialize)]
pub struct Take {
    items: Vec<Item>,
    /// Files of the study outside its folder, which the archive does not hold: the study would not find them there.
    outside: BTreeSet<String>,
    /// Files with ids for which the results have codes, which the archive does not hold.
    with_ids: BTreeSet<String>,
    /// True if the results are those of a quick preview.
    is_preview: bool,
    /// True if there are results.
    has_results: bool,
    /// True if the study and its files are as the run read them.
    is_current: bool,
    /// Command that makes the results again.
    command: String,
}

/// Files of one kind.
#[derive(Debug, Serialize)]
struct Item {
    key: &'static str,
    files: Vec<TakenFile>,
}

#[derive(Debug, Serialize)]
struct TakenFile {
    name: String,
    address: String,
    n_bytes: u64,
}

/// What is written out in the address of a file: all but the marks of plain names.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');

/// File of the archive that says that its results are of an earlier state of the study.
const OUTDATED: (&str, &str) = (
    "OUTDATED.md",
    "The study, its levels or its logs have changed since the results here were made: run the study again before you pass \
     them on.\n",
);

/// Kinds of files by the beginnings and ends of their paths in the results; the first that fits.
pub const KINDS: [(&str, &str, &str); 12] = [
    ("report", "report.html", ""),
    ("report", "report.docx", ""),
    ("report", "report.md", ""),
    ("codebook", "codebook", ""),
    ("methods", "methods", ""),
    ("figures", "figures/", ""),
    ("tables-excel", "tables/", ".xlsx"),
    ("tables-word", "tables/", ".docx"),
    ("tables", "tables/", ""),
    ("script", "analysis", ""),
    ("manifest", "manifest.json", ""),
    ("more", "", ""),
];

impl Take {
    /// Returns what there is to take away of the study of a project.
    ///
    /// # Errors
    ///
    /// There is no study, or its results cannot be read.
    pub fn new(project: &Project) -> Result<Self, Problem> {
        let study = project.study()?;
        let (results, address) = results_to_take(project, &study);
        let manifest = Manifest::read(&results).ok();
        let mut items: Vec<Item> = Vec::new();
        let study_name = project.name(project.study_file());
        let taken = |path: &Path, name: String, address: String| TakenFile {
            name,
            address,
            n_bytes: path.metadata().map_or(0, |metadata| metadata.len()),
        };
        items.push(Item {
            key: "study",
            files: vec![taken(project.study_file(), study_name.clone(), "study.toml".to_owned())],
        });
        for (path, name) in files_of(&results)? {
            let (key, ..) = KINDS
                .iter()
                .find(|(_, begin, end)| name.starts_with(begin) && name.ends_with(end))
                .expect("the last kind fits all");
            let address = format!("{address}/{}", utf8_percent_encode(&name, PATH));
            let file = taken(&path, name, address);
            match items.iter_mut().find(|item| item.key == *key) {
                Some(item) => item.files.push(file),
                None => items.push(Item { key, files: vec![file] }),
            }
        }
        let named = named_files(&study);
        let outside = named.iter().map(|path| straight(path)).filter(|path| is_outside(project, path));
        Ok(Self {
            items,
            with_ids: paths_with_ids(&study).iter().map(|path| project.name(path)).collect(),
            outside: outside.filter(|path| path.is_file()).map(|path| project.name(&path)).collect(),
            is_preview: manifest.as_ref().is_some_and(Manifest::is_preview),
            has_results: manifest.is_some(),
            is_current: manifest.is_some_and(|manifest| is_current(project, &study, &manifest)),
            command: format!("cd \"{}\" && plymap run {study_name}", project.folder.display()),
        })
    }
}

/// Returns a path without the parts that lead back.
fn straight(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut straight, part| {
        match part {
            Component::ParentDir => drop(straight.pop()),
            part => straight.push(part),
        }
        straight
    })
}

fn paths_with_ids(study: &Study) -> BTreeSet<PathBuf> {
    files_with_ids(study).iter().map(|path| straight(path)).collect()
}

fn is_outside(project: &Project, path: &Path) -> bool {
    !path.starts_with(&project.folder)
}

/// Returns the files below a folder with their paths from it, in the order of these; none if there is no such folder.
fn files_of(folder: &Path) -> Result<Vec<(PathBuf, String)>, Problem> {
    fn collect(folder: &Path, above: &str, files: &mut Vec<(PathBuf, String)>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type()?;
            if kind.is_dir() {
                collect(&entry.path(), &format!("{above}{name}/"), files)?;
            } else if kind.is_file() && !name.starts_with('.') {
                files.push((entry.path(), format!("{above}{name}")));
            }
        }
        Ok(())
    }
    let mut files = Vec::new();
    if folder.try_exists().unwrap_or(true) {
        collect(folder, "", &mut files).map_err(|error| {
            Problem::conflict(format!("the results in {} cannot be read: {error}", folder.display()))
        })?;
    }
    files.sort_by(|left, right| left.1.cmp(&right.1));
    Ok(files)
}

/// Writes the study, the files that it names for any command, and its results as an archive: the same bytes for the same
/// files. Where the results have codes for ids, files with ids are left out; where they are of an earlier state of
/// the study, a file says so.
///
/// # Errors
///
/// A file cannot be read, or the archive not be written.
pub fn write_archive(project: &Project, out: impl Write + Seek) -> Result<(), Problem> {
    let study = project.study()?;
    let failed = |error: &dyn std::fmt::Display| Problem::conflict(format!("the archive cannot be written: {error}"));
    let name = study.study.name.clone();
    let mut archive = zip::ZipWriter::new(out);
    let options = SimpleFileOptions::default().large_file(true);
    let named = study_files(&study, project.study_file())?.into_iter().chain(named_files(&study));
    let with_ids = paths_with_ids(&study);
    let is_taken = |path: &PathBuf| path.is_file() && !is_outside(project, path) && !with_ids.contains(path);
    let inside = named.map(|path| straight(&path)).filter(is_taken);
    let mut inputs: Vec<(PathBuf, String)> = inside.map(|path| (path.clone(), project.name(&path))).collect();
    inputs.sort();
    inputs.dedup();
    let (results, _) = results_to_take(project, &study);
    let folder = project.name(&results);
    inputs.extend(files_of(&results)?.into_iter().map(|(path, file)| (path, format!("{folder}/{file}"))));
    for (path, file) in inputs {
        archive.start_file(format!("{name}/{file}"), options).map_err(|error| failed(&error))?;
        let mut content = File::open(&path).map_err(|error| failed(&error))?;
        io::copy(&mut content, &mut archive).map_err(|error| failed(&error))?;
    }
    if Manifest::read(&results).is_ok_and(|manifest| !is_current(project, &study, &manifest)) {
        archive.start_file(format!("{name}/{}", OUTDATED.0), options).map_err(|error| failed(&error))?;
        archive.write_all(OUTDATED.1.as_bytes()).map_err(|error| failed(&error))?;
    }
    archive.finish().map_err(|error| failed(&error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_cannot_be_read_are_not_taken_for_none() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("tables")).unwrap();
        for name in ["tables/trials.csv", "report.html", ".hidden"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        let names: Vec<String> = files_of(folder.path()).unwrap().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["report.html", "tables/trials.csv"]);
        assert!(files_of(&folder.path().join("nothing")).unwrap().is_empty());
        let problem = files_of(&folder.path().join("report.html")).unwrap_err();
        assert!(problem.error.contains("report.html cannot be read"), "{}", problem.error);
    }
}
