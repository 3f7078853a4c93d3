//! The folder in which a study is made: study.toml, and the files that it reads.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use plymap_import::levels_of_games;
use plymap_log::{is_log, make_key};
use plymap_puzzles::diagnostic::SourceText;
use plymap_puzzles::level::LevelColumns;
use plymap_run::study::Study;
use plymap_run::{RunOptions, named_files};
use plymap_tables::checksum;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// Name of the file that holds all that is decided.
pub const STUDY: &str = "study.toml";

/// Folders of files that are dropped one by one.
const FOLDERS: [(&str, FileKind); 2] = [("levels", FileKind::Levels), ("logs", FileKind::Logs)];

/// Folders that hold results and nothing to read.
const RESULTS: &str = "reports";

/// Number of earlier texts of the study that can be brought back.
const MOST_UNDONE: usize = 100;

/// The most files that are listed; more are as a rule a folder that was named by mistake.
pub const MOST_FILES: usize = 20_000;

/// Size of a file up to which it may hold levels, in bytes.
const LARGEST_LEVELS: u64 = 64 << 20;

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// Levels, or the script of a game.
    Levels,
    /// Logs.
    Logs,
}

/// A file that the study reads or could read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProjectFile {
    /// Path from the folder of the project, with slashes; absolute where it lies elsewhere.
    pub name: String,
    /// Size in bytes.
    pub n_bytes: u64,
    /// True if the study names it and it is not there.
    pub is_missing: bool,
    /// True if there is a study, and it does not read the file.
    pub is_left_out: bool,
    /// True if it lies outside the folder, where nothing is moved or removed.
    pub is_elsewhere: bool,
}

/// Size and time of a file, by which a change of it shows.
type Stamp = (u64, Option<SystemTime>);

/// A change that can be undone.
#[derive(Debug)]
pub enum Change {
    /// Another text of the study.
    Study {
        /// Text before it.
        before: String,
        /// Revision that it made.
        after: String,
    },
    /// Another place of a file.
    Moved {
        /// Place before it.
        before: PathBuf,
        /// Place after it.
        after: PathBuf,
    },
}

/// Revision of a study that is not there.
const NONE: &str = "none";

/// Returns what tells a text of the study from all others.
pub fn revision(text: Option<&str>) -> String {
    let hash = |text: &str| checksum::sha256(&mut text.as_bytes()).expect("a text can be read").1;
    text.map_or_else(|| NONE.to_owned(), hash)
}

/// The folder in which a study is made.
#[derive(Debug)]
pub struct Project {
    /// The folder, absolute.
    pub folder: PathBuf,
    /// Files and folders elsewhere that were named when the page was opened.
    pub named: Vec<PathBuf>,
    study_file: PathBuf,
    /// Held from the reading of the study until it is written, so that no change is lost to another.
    changes: Mutex<Vec<Change>>,
    kinds: Mutex<HashMap<PathBuf, (Stamp, Option<FileKind>)>>,
    /// Held while the key of the codes of participants is made.
    key: Mutex<()>,
}

impl Project {
    /// Opens the project of a study file, or of a folder that has none yet.
    ///
    /// # Errors
    ///
    /// The folder cannot be found or made.
    pub fn open(study_file: &Path, named: Vec<PathBuf>) -> io::Result<Self> {
        let folder = study_file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let folder = folder.canonicalize()?;
        let study_file = folder.join(study_file.file_name().unwrap_or(STUDY.as_ref()));
        let named = named.iter().map(fs::canonicalize).collect::<io::Result<_>>()?;
        Ok(Self {
            folder,
            named,
            study_file,
            changes: Mutex::default(),
            kinds: Mutex::default(),
            key: Mutex::default(),
        })
    }

    /// Returns the path of the study.
    pub fn study_file(&self) -> &Path {
        &self.study_file
    }

    /// Returns the text of the study; none while there is none.
    ///
    /// # Errors
    ///
    /// There is one that cannot be read.
    pub fn text(&self) -> Result<Option<String>, Problem> {
        let why = match fs::read_to_string(&self.study_file) {
            Ok(text) => return Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                "it is no text in UTF-8: save it as UTF-8 in your editor, or move it elsewhere to begin anew".to_owned()
            }
            Err(error) => format!("{error}: make it a file that you may read, or move it elsewhere to begin anew"),
        };
        Err(Problem::conflict(format!("{} cannot be read: {why}", self.study_file.display())))
    }

    /// Returns the revision of the study.
    ///
    /// # Errors
    ///
    /// There is one that cannot be read.
    pub fn revision(&self) -> Result<String, Problem> {
        Ok(revision(self.text()?.as_deref()))
    }

    /// Reads the study.
    ///
    /// # Errors
    ///
    /// There is none yet, or it has faults.
    pub fn study(&self) -> Result<Study, Problem> {
        let text = self.text()?.ok_or_else(|| {
            Problem::conflict("there is no study yet: add levels and logs first").says("no_study", [])
        })?;
        let study = self.parsed(text)?;
        if study.log.pseudonymise {
            // Without it each reading would give other codes.
            let _one_at_a_time = self.key.lock().unwrap_or_else(PoisonError::into_inner);
            make_key(&self.folder)?;
        }
        Ok(study)
    }

    fn parsed(&self, text: String) -> Result<Study, Problem> {
        let source = Arc::new(SourceText { path: self.study_file.clone(), text });
        let mut study = Study::parse(&source, self.folder.clone()).map_err(|faults| Problem::of_faults(&faults))?;
        if let Some(path) = named_files(&study).iter().find(|path| !self.may_read(path)) {
            let [file, folder] = [path, &self.folder].map(|path| path.display().to_string());
            let why = format!(
                "{file} lies outside the folder of the study and was not named when the page was opened: copy it into \
                 {folder}, or name it behind plymap open"
            );
            return Err(Problem::conflict(why).says("outside", [("file", &file), ("folder", &folder)]));
        }
        study.log.writes_nothing = true;
        Ok(study)
    }

    /// Returns true if a path lies in the folder of the project, or in what was named.
    fn may_read(&self, path: &Path) -> bool {
        let real = real(path);
        real.starts_with(&self.folder) || self.named.iter().any(|named| real.starts_with(named))
    }

    /// Changes the text of the study, if the new one can be read; the one before it can be brought back. `seen` is the
    /// revision on which the change was decided.
    ///
    /// # Errors
    ///
    /// The study is another than was seen, the faults of the new text, or why it cannot be written. The study is as it was.
    pub fn change(
        &self,
        seen: &str,
        make: impl FnOnce(Option<&str>) -> Result<String, Problem>,
    ) -> Result<(), Problem> {
        let mut changes = self.changes();
        let before = self.text()?;
        check_seen(seen, before.as_deref())?;
        let text = make(before.as_deref())?;
        self.parsed(text.clone())?;
        self.replace(&text)?;
        if let Some(before) = before.filter(|before| *before != text) {
            changes.push(Change::Study { before, after: revision(Some(&text)) });
            let n_over = changes.len().saturating_sub(MOST_UNDONE);
            changes.drain(..n_over);
        }
        Ok(())
    }

    /// Puts another text in the place of the study, as [`Project::change`] does.
    ///
    /// # Errors
    ///
    /// As of [`Project::change`].
    pub fn write(&self, text: &str, seen: &str) -> Result<(), Problem> {
        self.change(seen, |_| Ok(text.to_owned()))
    }

    /// Writes the study in one step, through a file of its own.
    pub(crate) fn replace(&self, text: &str) -> Result<(), Problem> {
        let written = || {
            let mut builder = tempfile::Builder::new();
            // A temporary file is for the eyes of its user alone, and others may read the study as the system has it.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut new = builder.prefix(".study.toml.").tempfile_in(&self.folder)?;
            new.write_all(text.as_bytes())?;
            new.persist(&self.study_file)?;
            Ok(())
        };
        written().map_err(|error: io::Error| {
            Problem::conflict(format!("{} cannot be written: {error}", self.study_file.display()))
        })
    }

    pub(crate) fn changes(&self) -> MutexGuard<'_, Vec<Change>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes sure that a file that is made or renamed at a path comes to lie in the folder, whatever links there are on the
    /// way to it.
    ///
    /// # Errors
    ///
    /// A link leads out of the folder.
    pub(crate) fn check_inside(&self, path: &Path) -> io::Result<()> {
        let place = real(path.parent().unwrap_or(path));
        let why = "a link leads out of the folder of the study: put a folder in its place";
        if place.starts_with(&self.folder) { Ok(()) } else { Err(io::Error::other(why)) }
    }

    /// Returns the files of one kind, by their names.
    ///
    /// # Errors
    ///
    /// There are too many.
    pub fn paths(&self, kind: FileKind) -> Result<Vec<PathBuf>, Problem> {
        let mut files = Vec::new();
        for place in std::iter::once(&self.folder).chain(&self.named) {
            collect(place, &mut files, self.study_file())?;
        }
        files.sort();
        files.dedup();
        files.retain(|file| self.kind(file) == Some(kind));
        Ok(files)
    }

    /// Returns the files of one kind as pages see them, with those of the study that are not there.
    ///
    /// # Errors
    ///
    /// There are too many.
    pub fn files(&self, kind: FileKind) -> Result<Vec<ProjectFile>, Problem> {
        let study = self.study().ok();
        let named = study.iter().flat_map(named_files);
        let read: HashSet<PathBuf> = named.map(|path| real(&path)).collect();
        let is_read = |path: &Path| real(path).ancestors().any(|above| read.contains(above));
        let file = |path: &PathBuf| ProjectFile { is_left_out: study.is_some() && !is_read(path), ..self.file(path) };
        let mut files: Vec<ProjectFile> = self.paths(kind)?.iter().map(file).collect();
        if let Some(study) = &study {
            let of_study = match kind {
                FileKind::Levels => study.level_files(),
                FileKind::Logs => {
                    let files = study.log_spec().map(|spec| spec.files).unwrap_or_default();
                    files.iter().map(|file| self.folder.join(file)).collect()
                }
            };
            let is_pattern = |path: &PathBuf| path.to_string_lossy().contains(['*', '?', '[']);
            files
                .extend(of_study.iter().filter(|path| !path.exists() && !is_pattern(path)).map(|path| self.file(path)));
        }
        Ok(files)
    }

    fn file(&self, path: &Path) -> ProjectFile {
        let metadata = path.metadata().ok();
        ProjectFile {
            name: self.name(path),
            n_bytes: metadata.as_ref().map_or(0, fs::Metadata::len),
            is_missing: metadata.is_none(),
            is_left_out: false,
            is_elsewhere: !path.starts_with(&self.folder),
        }
    }

    /// Returns a path as pages name it.
    pub fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.folder).unwrap_or(path).display().to_string().replace('\\', "/")
    }

    /// Returns the path of a file of the project that a page names.
    ///
    /// # Errors
    ///
    /// The name leads elsewhere.
    pub fn path(&self, name: &str) -> Result<PathBuf, Problem> {
        checked_name(name).map(|name| self.folder.join(name))
    }

    /// Returns what a file is read as: as the folder says that it lies in, else by its content; none if it is neither.
    pub fn kind(&self, path: &Path) -> Option<FileKind> {
        let first = path.strip_prefix(&self.folder).ok().and_then(|path| path.components().next());
        let of_folder = FOLDERS.iter().find(|(name, _)| first == Some(Component::Normal(name.as_ref())));
        if let Some((_, kind)) = of_folder {
            return Some(*kind);
        }
        let metadata = path.metadata().ok()?;
        let stamp = (metadata.len(), metadata.modified().ok());
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, kind)) = kinds.get(path).filter(|(known, _)| *known == stamp) {
            return *kind;
        }
        let kind = kind_by_content(path, metadata.len());
        kinds.insert(path.to_owned(), (stamp, kind));
        kind
    }

    /// Returns the folder in which files of a kind lie that are dropped one by one.
    pub fn folder_of(&self, kind: FileKind) -> PathBuf {
        let (name, _) = FOLDERS.iter().find(|(_, of)| *of == kind).expect("each kind has a folder");
        self.folder.join(name)
    }

    /// Returns the folder of the results of the study, or that of a quick preview of them.
    pub fn results(&self, study: &Study, is_fast: bool) -> PathBuf {
        self.folder.join(RunOptions { is_fast, ..RunOptions::default() }.target(study))
    }
}

/// Makes sure that the study is the one that was seen.
pub fn check_seen(seen: &str, text: Option<&str>) -> Result<(), Problem> {
    let changed = "the study was changed meanwhile, in another window or in an editor; nothing was changed: look at it as it \
                   is now, and say again what to change";
    match seen == revision(text) {
        true => Ok(()),
        false => Err(Problem::conflict(changed).says("study_changed", [])),
    }
}

/// Returns what a file holds: levels if any game reads it as such, else a log if its name is that of one.
pub fn kind_by_content(path: &Path, n_bytes: u64) -> Option<FileKind> {
    let is_script = path.extension().is_some_and(|extension| extension == "lua");
    let reads = || !levels_of_games(&[path.to_owned()], &LevelColumns::default(), &toml::Table::new()).0.is_empty();
    let is_text = path.extension().is_some_and(|extension| extension == "txt");
    if is_script || ((is_text || is_log(path)) && n_bytes <= LARGEST_LEVELS && reads()) {
        return Some(FileKind::Levels);
    }
    if is_log(path) {
        return Some(FileKind::Logs);
    }
    // A drawn board with a fault: what is wrong is said where levels are read.
    is_text.then_some(FileKind::Levels)
}

/// Returns a path as it is on the disk, also one that leads to nothing yet.
fn real(path: &Path) -> PathBuf {
    let known = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    known.map_or_else(|| path.to_owned(), |(above, real)| real.join(path.strip_prefix(above).unwrap_or(Path::new(""))))
}

/// Collects the files below a path, without hidden ones, results and the study itself.
fn collect(path: &Path, files: &mut Vec<PathBuf>, study_file: &Path) -> Result<(), Problem> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if !path.is_dir() {
        let is_other = path != study_file && !name.starts_with('.');
        files.extend(is_other.then(|| path.to_owned()));
        return Ok(());
    }
    let entries = fs::read_dir(path)
        .map_err(|error| Problem::conflict(format!("cannot read the folder {}: {error}", path.display())))?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_result = name == RESULTS && entry.path().parent() == study_file.parent();
        // A link may lead out of the folder, or in a circle.
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if !name.starts_with('.') && !is_result && !is_link {
            collect(&entry.path(), files, study_file)?;
        }
        if files.len() > MOST_FILES {
            return Err(Problem::conflict(format!(
                "{} has more than {MOST_FILES} files: open a folder that holds this study alone",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Returns a name that a page gives as a path below the project.
///
/// # Errors
///
/// It is empty, too long, hidden, or leads elsewhere.
pub fn checked_name(name: &str) -> Result<PathBuf, Problem> {
    const LONGEST: usize = 200;
    const DEEPEST: usize = 12;
    let refused = |why: &str| {
        let why = format!("the name {name:?} of a file {why}; rename the file");
        Problem::bad(why).says("file_name", [("file", name)])
    };
    let parts: Vec<&str> = name.split('/').collect();
    if name.is_empty() || parts.iter().any(|part| part.is_empty()) {
        return Err(refused("has an empty part"));
    }
    if parts.len() > DEEPEST || parts.iter().any(|part| part.len() > LONGEST) {
        return Err(refused("is too long"));
    }
    if parts.contains(&"..") {
        return Err(refused("leads out of its folder"));
    }
    if parts.iter().any(|part| part.starts_with('.')) {
        return Err(refused("begins with a dot"));
    }
    let is_odd = |letter: char| letter.is_control() || "\\:*?\"<>|".contains(letter);
    if name.contains(is_odd) || parts.iter().any(|part| part.ends_with(['.', ' ']) || part.starts_with(' ')) {
        return Err(refused("has a character that not every system can have in a name"));
    }
    Ok(parts.iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen_now(project: &Project) -> String {
        project.revision().unwrap_or_default()
    }

    #[test]
    fn names_of_pages_lead_into_the_folder_or_nowhere() {
        assert_eq!(checked_name("raw/p 1.csv").unwrap(), Path::new("raw/p 1.csv"));
        for name in ["", "/etc/x", "../x", "a/../x", ".hidden", "a//b", "a\\b", "c:x", "a\0b", "a/.b", "x. ", "a\n"] {
            assert!(checked_name(name).is_err(), "{name:?}");
        }
        assert!(checked_name(&"a/".repeat(20)).is_err() && checked_name(&"a".repeat(300)).is_err());
    }

    #[test]
    fn a_study_is_written_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::open(&folder.path().join(STUDY), Vec::new()).unwrap();
        assert!(project.study().unwrap_err().error.contains("no study yet"));
        let text = "[study]\nname = \"a\"\n[levels]\nfiles = [\"levels\"]\n";
        project.write(text, NONE).unwrap();
        assert!(!project.can_undo());
        let problem = project.write("[study]\nnam = 1\n", &seen_now(&project)).unwrap_err();
        assert_eq!((problem.faults[0].line, project.text().unwrap().as_deref()), (2, Some(text)));
        let elsewhere = tempfile::tempdir().unwrap();
        let script = elsewhere.path().join("game.lua");
        fs::write(&script, "return {}").unwrap();
        let levels = text.replace("\"levels\"", "\"../../elsewhere\"");
        fs::create_dir(folder.path().join("levels")).unwrap();
        let game = format!("{text}game = {:?}\n", script.display().to_string());
        // One pattern without a file hides nothing that the others name.
        fs::write(elsewhere.path().join("secret.csv"), "a,b\n1,2\n").unwrap();
        let secret = elsewhere.path().join("secret.csv").display().to_string();
        let joined = format!(
            "{text}[log]\nfiles = [\"none/*.csv\"]\n[[log.steps]]\njoin = {{ file = {secret:?}, by = {{ a = \"a\" }} }}\n"
        );
        let above = elsewhere.path().file_name().unwrap().to_string_lossy();
        let through = format!("{text}[log]\nfiles = [\"none/*.csv\", \"level*/../../{above}/secret.csv\"]\n");
        for outside in [levels, game, joined, through] {
            assert!(
                project.write(&outside, &seen_now(&project)).unwrap_err().error.contains("outside the folder"),
                "{outside}"
            );
        }
        project.write(&text.replace("\"a\"", "\"b\""), &seen_now(&project)).unwrap();
        project.undo(&seen_now(&project)).unwrap();
        assert_eq!(project.text().unwrap().as_deref(), Some(text));
        assert!(project.undo(&seen_now(&project)).is_err());
        let hidden = fs::read_dir(folder.path()).unwrap().flatten();
        assert!(hidden.into_iter().all(|file| !file.file_name().to_string_lossy().starts_with('.')));
    }

    #[test]
    fn a_study_that_cannot_be_read_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::open(&folder.path().join(STUDY), Vec::new()).unwrap();
        let utf_16: Vec<u8> = "\u{feff}[study]\nname = \"ä\"\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [&utf_16[..], b"[study]\nname = \"\xe4\"\n"] {
            fs::write(project.study_file(), bytes).unwrap();
            let text = "[study]\nname = \"a\"\n[levels]\nfiles = [\"levels\"]\n";
            let problems =
                [project.text().map(drop), project.study().map(drop), project.write(text, &seen_now(&project))];
            assert!(problems.iter().all(|problem| problem.as_ref().unwrap_err().error.contains("save it as UTF-8")));
            assert_eq!(fs::read(project.study_file()).unwrap(), bytes);
        }
    }

    #[test]
    fn changes_of_another_study_than_was_seen_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::open(&folder.path().join(STUDY), Vec::new()).unwrap();
        let text = |name: &str| format!("[study]\nname = \"{name}\"\n[levels]\nfiles = [\"levels\"]\n");
        let now = || project.text().unwrap().unwrap();
        project.write(&text("a"), &seen_now(&project)).unwrap();
        let seen = revision(Some(&text("a")));
        project.write(&text("b"), &seen).unwrap();
        let refused = project.write(&text("c"), &seen).unwrap_err();
        assert!(refused.status == 409 && refused.error.contains("changed meanwhile"), "{refused:?}");
        assert!(project.undo(&seen).is_err());
        assert_eq!(now(), text("b"));
        // What an editor wrote is not undone unseen, whatever the page changed before and after it.
        fs::write(project.study_file(), text("editor")).unwrap();
        project.write(&text("d"), &seen_now(&project)).unwrap();
        project.undo(&seen_now(&project)).unwrap();
        assert!(project.undo(&seen_now(&project)).unwrap_err().error.contains("changed elsewhere"));
        assert_eq!(now(), text("editor"));
        assert!(!project.can_undo());
    }

    #[test]
    fn changes_at_the_same_time_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::open(&folder.path().join(STUDY), Vec::new()).unwrap();
        project.write("[study]\nname = \"a\"\n[levels]\nfiles = [\"levels\"]\n", &seen_now(&project)).unwrap();
        let append =
            |n: usize| project.change(&seen_now(&project), |text| Ok(format!("{}# {n}\n", text.unwrap_or_default())));
        std::thread::scope(|scope| {
            for n in 0..16 {
                // One is taken, and the others look at the study anew.
                scope.spawn(move || while append(n).is_err_and(|problem| problem.status == 409) {});
            }
        });
        let text = project.text().unwrap().unwrap();
        assert!((0..16).all(|n| text.contains(&format!("# {n}\n"))), "{text}");
    }

    #[test]
    fn files_are_sorted_by_their_content() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::open(&folder.path().join(STUDY), Vec::new()).unwrap();
        fs::create_dir_all(folder.path().join("logs")).unwrap();
        fs::write(folder.path().join("board.txt"), "BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n").unwrap();
        fs::write(folder.path().join("moves.csv"), "participant,level,action\nP1,board,A+1\n").unwrap();
        fs::write(folder.path().join("logs/odd.txt"), "participant;level\n").unwrap();
        fs::write(folder.path().join("notes.docx"), "x").unwrap();
        let names = |kind| project.files(kind).unwrap().into_iter().map(|file| file.name).collect::<Vec<_>>();
        assert_eq!(names(FileKind::Levels), ["board.txt"]);
        assert_eq!(names(FileKind::Logs), ["logs/odd.txt", "moves.csv"]);
        let text =
            "[study]\nname = \"a\"\n[levels]\nfiles = [\"board.txt\"]\n[log]\nfiles = [\"moves.csv\", \"gone.csv\"]\n";
        project.write(text, &seen_now(&project)).unwrap();
        let files: Vec<(String, bool)> =
            project.files(FileKind::Logs).unwrap().into_iter().map(|file| (file.name, file.is_missing)).collect();
        let files: Vec<(&str, bool)> = files.iter().map(|(name, is_missing)| (name.as_str(), *is_missing)).collect();
        assert_eq!(files, [("logs/odd.txt", false), ("moves.csv", false), ("gone.csv", true)]);
    }
}
