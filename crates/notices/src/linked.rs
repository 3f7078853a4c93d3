//! The crates that are linked into a package, as Cargo tells them, and where their sources are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use crate::build::Build;
use crate::texts::{self, Text};

/// A crate of which a program is made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crate {
    pub name: String,
    pub version: String,
    /// The licence as the crate states it.
    pub licence: String,
    /// The folder of its sources, where it is here.
    pub folder: Option<PathBuf>,
    /// True if it is a member of this workspace.
    pub is_member: bool,
}

/// Crates whose package has no text of their licence, and one of the same authors and repository that has it.
const SAME_TEXTS: [(&str, &str); 2] = [("alloc-stdlib", "alloc-no-stdlib"), ("mlua-sys", "mlua")];

impl Build {
    /// The crates that are linked into a package, by name; macros and what they are made of among them, whose output is.
    pub(crate) fn linked(&self, package: &str) -> io::Result<Vec<Crate>> {
        self.crates(package, "normal")
    }

    /// The crates of a package that are reached through these edges of `cargo tree`.
    pub(crate) fn crates(&self, package: &str, edges: &str) -> io::Result<Vec<Crate>> {
        let mut command = Command::new(&self.cargo);
        command.args([
            "tree",
            "--frozen",
            "--prefix",
            "none",
            "--format",
            "{p}\t{l}\t",
            "--package",
            package,
            "--edges",
            edges,
        ]);
        if let Some(target) = &self.target {
            command.args(["--target", target]);
        }
        let output = command.current_dir(&self.workspace).output()?;
        if !output.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
        }
        let folders = source_folders();
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        let crates: BTreeSet<Crate> = lines.lines().filter_map(|line| Crate::of_line(line, &folders)).collect();
        Ok(crates.into_iter().collect())
    }
}

impl Crate {
    /// Of a line such as `serde v1.0.0 (proc-macro)`, its licence, and ` (*)` behind it.
    fn of_line(line: &str, folders: &[PathBuf]) -> Option<Self> {
        let mut cells = line.split('\t');
        let (named, licence) = (cells.next()?, cells.next()?);
        let mut words = named.splitn(3, ' ');
        let (name, version) = (words.next()?.to_owned(), words.next()?.trim_start_matches('v').to_owned());
        let behind = words.next().unwrap_or_default().trim_start_matches("(proc-macro)").trim();
        let member = behind.strip_prefix('(').and_then(|path| path.strip_suffix(')')).map(PathBuf::from);
        let unpacked =
            || folders.iter().map(|folder| folder.join(format!("{name}-{version}"))).find(|folder| folder.is_dir());
        let is_member = member.is_some();
        Some(Self { folder: member.or_else(unpacked), name, version, licence: licence.replace('/', " OR "), is_member })
    }

    /// Name, version and licence.
    pub fn title(&self) -> String {
        format!("{} {} ({})", self.name, self.version, self.licence)
    }

    /// Its notices and the texts of its licence.
    pub fn texts(&self, workspace: &Path) -> io::Result<Vec<Text>> {
        if self.is_member {
            return texts::on_top_of(workspace);
        }
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        let in_folder = texts::below(folder)?;
        if texts::on_top_of(folder)?.is_empty() {
            let mut more = match SAME_TEXTS.iter().find(|(name, _)| *name == self.name) {
                Some((_, same)) => texts::on_top_of(&sibling(folder, same).unwrap_or_default())?,
                None => texts::of_authors(&self.licence, &texts::authors(folder)?, workspace)?,
            };
            more.extend(in_folder);
            return Ok(more);
        }
        Ok(in_folder)
    }
}

/// The newest sources of another crate, beside those of a crate.
fn sibling(folder: &Path, name: &str) -> Option<PathBuf> {
    let beside = fs::read_dir(folder.parent()?).ok()?.flatten().map(|entry| entry.path());
    let is_of_name = |path: &PathBuf| {
        let stem = path.file_name().and_then(|file| file.to_str()).and_then(|file| file.strip_prefix(name));
        stem.and_then(|rest| rest.strip_prefix('-'))
            .is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
    };
    beside.filter(is_of_name).max()
}

/// The folders in which Cargo keeps the sources of crates, one for each registry.
fn source_folders() -> Vec<PathBuf> {
    let home =
        || env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).map(|home| Path::new(&home).join(".cargo"));
    let Some(cargo) = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home) else { return Vec::new() };
    let folders = fs::read_dir(cargo.join("registry/src")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = folders.map(|folder| folder.path()).collect();
    folders.sort();
    folders
}
