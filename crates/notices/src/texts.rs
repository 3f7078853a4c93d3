//! Texts of licences and notices in the sources of a crate.

use std::path::Path;
use std::{fs, io};

/// The text of a licence or notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(pub String);

/// Beginnings of the names of files with notices.
const NAMES: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];

/// Endings of files that are texts.
const ENDINGS: [&str; 3] = ["md", "txt", "rst"];

/// Folders of which nothing is built into a crate.
const ASIDE: [&str; 12] = [
    "tests",
    "test",
    "benches",
    "bench",
    "examples",
    "scripts",
    "programs",
    "contrib",
    "images",
    "docs",
    "sqlcipher",
    "target",
];

impl Text {
    /// A text without what machines and editors leave in it.
    pub fn new(text: &str) -> Self {
        let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().map(str::trim_end).collect();
        Self(lines.join("\n").trim_matches('\n').to_owned())
    }

    /// Returns true if it is a licence that nobody here chose: sources of C offer it beside another, or have it for
    /// programs of their own.
    fn is_not_chosen(&self) -> bool {
        self.0.trim_start().starts_with("GNU GENERAL PUBLIC LICENSE")
    }
}

/// The texts in a folder itself.
pub fn on_top_of(folder: &Path) -> io::Result<Vec<Text>> {
    let mut texts = Vec::new();
    collect(folder, 0, &mut texts)?;
    Ok(texts)
}

/// The texts in a folder and in those below: some crates carry sources of others.
pub fn below(folder: &Path) -> io::Result<Vec<Text>> {
    let mut texts = Vec::new();
    collect(folder, 6, &mut texts)?;
    Ok(texts)
}

fn collect(folder: &Path, depth: usize, texts: &mut Vec<Text>) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let (folders, files): (Vec<_>, Vec<_>) =
        entries.into_iter().map(|entry| entry.path()).partition(|path| path.is_dir());
    for file in files.iter().filter(|file| is_notice(file)) {
        let text = Text::new(&String::from_utf8_lossy(&fs::read(file)?));
        if !text.0.is_empty() && !text.is_not_chosen() {
            texts.push(text);
        }
    }
    let is_built =
        |folder: &&std::path::PathBuf| !folder.file_name().is_some_and(|name| ASIDE.iter().any(|aside| name == *aside));
    if depth > 0 {
        folders.iter().filter(is_built).try_for_each(|folder| collect(folder, depth - 1, texts))?;
    }
    Ok(())
}

fn is_notice(file: &Path) -> bool {
    let Some(name) = file.file_name().and_then(|name| name.to_str()).map(str::to_lowercase) else { return false };
    // `LICENSE-MIT`, `LICENSE.Apache-2.0`, `COPYRIGHT.txt`, and no sources such as `licenses.rs`.
    let is_text = match name.rsplit_once('.') {
        Some((_, ending)) => ENDINGS.contains(&ending) || ending.len() > 4 || ["0", "mit", "bsd"].contains(&ending),
        None => true,
    };
    is_text && NAMES.iter().any(|begin| name.starts_with(begin))
}

/// The authors that the manifest of a crate names.
pub fn authors(folder: &Path) -> io::Result<String> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml"))?;
    let list = manifest
        .split_once("\nauthors = [")
        .and_then(|(_, behind)| behind.split_once(']'))
        .map_or("", |(list, _)| list);
    Ok(list.split('"').skip(1).step_by(2).collect::<Vec<_>>().join(", "))
}

/// The texts of a licence for the authors of a crate whose sources have none, as this workspace has them.
pub fn of_authors(licence: &str, authors: &str, workspace: &Path) -> io::Result<Vec<Text>> {
    let mut texts = Vec::new();
    let words: Vec<&str> = licence.split(|letter: char| !letter.is_alphanumeric() && !"-.".contains(letter)).collect();
    if words.contains(&"Apache-2.0") {
        texts.push(Text::new(&fs::read_to_string(workspace.join("LICENSE-APACHE"))?));
    }
    if words.contains(&"MIT") && !authors.is_empty() {
        let ours = fs::read_to_string(workspace.join("LICENSE-MIT"))?;
        let theirs = |line: &str| {
            if line.starts_with("Copyright") { format!("Copyright (c) {authors}") } else { line.to_owned() }
        };
        texts.push(Text::new(&ours.lines().map(theirs).collect::<Vec<_>>().join("\n")));
    }
    Ok(texts)
}
