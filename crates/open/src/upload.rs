//! Files that are dropped on the page: received in parts, put in their place when they are whole, archives unpacked.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::problem::{Message, Problem};
use crate::project::{FileKind, MOST_FILES, Project, STUDY, checked_name, kind_by_content, revision};

/// Maximum size of a dropped file, in bytes.
const LARGEST: u64 = 8 << 30;

/// Maximum size of all files of an archive together, in bytes.
const LARGEST_ARCHIVE: u64 = 8 << 30;

/// A part of a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Name of the file, with the folders above it that keep their order.
    pub name: String,
    /// Place of the part in the file, in bytes.
    pub offset: u64,
    /// True if the file ends with it.
    pub last: bool,
    /// Kind of the file; found by its content where it is not given.
    #[serde(default)]
    pub kind: Option<FileKind>,
    /// True if it stays where its name says: it was dropped in a folder, or with its study.
    #[serde(default)]
    pub ordered: bool,
}

/// What became of a part.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Received {
    /// Bytes of the file that are there.
    pub n_bytes: u64,
    /// Names of the files that were added, if it was the last part.
    pub added: Vec<String>,
    /// Files of an archive that were left out.
    pub left_out: Vec<LeftOut>,
}

/// A file of an archive that was left out.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    error: String,
    message: Option<Message>,
}

impl From<Problem> for LeftOut {
    fn from(Problem { error, message, .. }: Problem) -> Self {
        Self { error, message }
    }
}

impl Project {
    /// Takes a part of a file; the last one puts the file in its place.
    ///
    /// # Errors
    ///
    /// The name is none, parts are missing, the file exists already with another content, or the disk refuses.
    pub fn receive(&self, part: &Part, bytes: &[u8]) -> Result<Received, Problem> {
        let name = checked_name(&part.name)?;
        // Of one length, however long the name is.
        let whole = self.folder.join(format!(".{}.part", revision(Some(&part.name))));
        let again = |n_there: u64| {
            let why =
                format!("{}: a part begins at byte {}, and {n_there} are there: begin again", part.name, part.offset);
            Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, why)
        };
        let failed = |error: io::Error| Problem::conflict(format!("{} cannot be written: {error}", part.name));
        let mut file = match part.offset {
            0 => File::create(&whole).map_err(failed),
            _ => OpenOptions::new().write(true).open(&whole).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => again(0),
                _ => failed(error),
            }),
        }?;
        let n_there = file.seek(SeekFrom::End(0)).map_err(failed)?;
        if n_there != part.offset {
            return Err(again(n_there));
        }
        let n_bytes = part.offset + bytes.len() as u64;
        if n_bytes > LARGEST {
            let _ = fs::remove_file(&whole);
            return Err(Problem::bad(format!(
                "{} is larger than {} GiB: name it behind plymap open",
                part.name,
                LARGEST >> 30
            )));
        }
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed)?;
        drop(file);
        let mut received = Received { n_bytes, added: Vec::new(), left_out: Vec::new() };
        if part.last {
            let placed = match name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) {
                true => self.unpack(&whole, LARGEST_ARCHIVE, &mut received),
                false => self
                    .target(&whole, &name, part.kind, part.ordered)
                    .and_then(|target| self.place(&whole, &target, &mut received)),
            };
            let _ = fs::remove_file(&whole);
            placed?;
        }
        Ok(received)
    }

    /// Moves a whole file to its place.
    fn place(&self, whole: &Path, target: &Path, received: &mut Received) -> Result<(), Problem> {
        let name = self.name(target);
        self.check_within(target)?;
        if target.exists() {
            return match is_same(whole, target) {
                true => Ok(()),
                false => {
                    let why = format!("{name} exists already with another content: remove it first");
                    Err(Problem::conflict(why).says("file_other", [("file", &name)]))
                }
            };
        }
        let folder = target.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)
            .and_then(|()| fs::rename(whole, target))
            .map_err(|error| Problem::conflict(format!("{name} cannot be written: {error}")))?;
        received.added.push(name);
        Ok(())
    }

    /// Returns the place of a file: one of a dropped folder keeps its order, a single file goes to those of its kind.
    fn target(&self, whole: &Path, name: &Path, kind: Option<FileKind>, is_ordered: bool) -> Result<PathBuf, Problem> {
        if name == Path::new(STUDY) {
            return Ok(self.study_file().to_owned());
        }
        if is_ordered || name.components().count() > 1 {
            return Ok(self.folder.join(name));
        }
        if let Some(kind) = kind {
            return Ok(self.folder_of(kind).join(name));
        }
        // Games know files by the end of their names.
        let temporary = tempfile::tempdir_in(&self.folder).map_err(|error| Problem::conflict(error.to_string()))?;
        let copy = temporary.path().join(name);
        let n_bytes = fs::hard_link(whole, &copy)
            .or_else(|_| fs::copy(whole, &copy).map(drop))
            .and_then(|()| copy.metadata())
            .map_err(|error| Problem::conflict(error.to_string()))?
            .len();
        let is_script = name.extension().is_some_and(|extension| extension == "lua");
        match kind_by_content(&copy, n_bytes) {
            _ if is_script => Ok(self.folder.join(name)),
            Some(kind) => Ok(self.folder_of(kind).join(name)),
            None => {
                let file = name.display().to_string();
                let why = format!(
                    "{file}: no game reads levels in it, and it has no format of logs (docs/logs.md lists them)"
                );
                Err(Problem::bad(why).says("file_kind", [("file", &file)]))
            }
        }
    }

    /// Unpacks an archive file by file; one whose files have more than `most` bytes together is refused whole.
    fn unpack(&self, whole: &Path, most: u64, received: &mut Received) -> Result<(), Problem> {
        let failed = |error: &dyn std::fmt::Display| Problem::bad(format!("the archive cannot be read: {error}"));
        let file = File::open(whole).map_err(|error| failed(&error))?;
        let mut archive = zip::ZipArchive::new(file).map_err(|error| failed(&error))?;
        if archive.len() > MOST_FILES {
            return Err(Problem::bad(format!("the archive has more than {MOST_FILES} files")));
        }
        let unpacked = tempfile::tempdir_in(&self.folder).map_err(|error| failed(&error))?;
        let mut left = most;
        let mut copies = Vec::new();
        for place in 0..archive.len() {
            let mut entry = archive.by_index(place).map_err(|error| failed(&error))?;
            if entry.is_dir() {
                continue;
            }
            let Ok(name) = entry.name().map(std::borrow::Cow::into_owned) else {
                let file = format!("file {} of the archive", place + 1);
                let problem = Problem::bad(format!("{file}: its name cannot be read"));
                received.left_out.push(problem.says("file_name", [("file", &file)]).into());
                continue;
            };
            let name = name.trim_start_matches("./");
            // What leads elsewhere is told, and what a system keeps for itself is not.
            if name.split('/').any(|part| (part.starts_with('.') && part != "..") || part == "__MACOSX") {
                continue;
            }
            let path = match checked_name(name) {
                Ok(path) if entry.is_file() => path,
                Ok(_) => {
                    let problem = Problem::bad(format!("{name}: it is no plain file"));
                    received.left_out.push(problem.says("file_kind", [("file", name)]).into());
                    continue;
                }
                Err(problem) => {
                    received.left_out.push(problem.into());
                    continue;
                }
            };
            let copy = unpacked.path().join(format!("{place}"));
            let mut target = File::create(&copy).map_err(|error| failed(&error))?;
            let n = io::copy(&mut (&mut entry).take(left + 1), &mut target).map_err(|error| failed(&error))?;
            left = left.checked_sub(n).ok_or_else(|| {
                Problem::bad(format!("the files of the archive have more than {} GiB together", most >> 30))
            })?;
            drop(target);
            copies.push((copy, path));
        }
        let is_in_folder = copies.iter().any(|(_, path)| path.components().count() > 1);
        cut_common_folder(&mut copies);
        let is_ordered = is_in_folder || copies.iter().any(|(_, path)| path == Path::new(STUDY));
        for (copy, path) in copies {
            let target = self.target(&copy, &path, None, is_ordered);
            if let Err(problem) = target.and_then(|target| self.place(&copy, &target, received)) {
                received.left_out.push(problem.into());
            }
        }
        Ok(())
    }
}

/// Takes the folder off the names that all of them lie in.
fn cut_common_folder(files: &mut [(PathBuf, PathBuf)]) {
    let top = |path: &Path| {
        let mut parts = path.components();
        let first = parts.next().map(|part| part.as_os_str().to_owned());
        first.filter(|_| parts.next().is_some())
    };
    let Some(first) = files.first().and_then(|(_, name)| top(name)) else { return };
    if files.iter().all(|(_, name)| top(name).as_ref() == Some(&first)) {
        for (_, name) in files {
            *name = name.components().skip(1).collect();
        }
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    let hash = |path: &Path| plymap_report::sha256_file(path).ok();
    hash(one).is_some() && hash(one) == hash(other)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    const BOARD: &[u8] = b"BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n";

    fn part(name: &str, offset: u64, last: bool) -> Part {
        Part { name: name.to_owned(), offset, last, kind: None, ordered: false }
    }

    fn project(folder: &Path) -> Project {
        Project::open(&folder.join(STUDY), Vec::new()).unwrap()
    }

    #[test]
    fn parts_make_a_file_in_the_place_of_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        let project = project(folder.path());
        project.receive(&part("board.txt", 0, false), &BOARD[..10]).unwrap();
        let gap = project.receive(&part("board.txt", 12, true), &BOARD[12..]).unwrap_err();
        assert!(gap.status == 416 && gap.error.contains("begin again"), "{gap:?}");
        assert_eq!(project.receive(&part("other.txt", 12, true), &BOARD[12..]).unwrap_err().status, 416);
        let whole = project.receive(&part("board.txt", 10, true), &BOARD[10..]).unwrap();
        assert_eq!(whole.added, ["levels/board.txt"]);
        let log = project.receive(&part("log.csv", 0, true), b"participant,level,action\nP1,board,A+1\n").unwrap();
        assert_eq!(log.added, ["logs/log.csv"]);
        let again = project.receive(&part("board.txt", 0, true), BOARD).unwrap();
        assert!(again.added.is_empty());
        let other = Part { kind: Some(FileKind::Levels), ..part("board.txt", 0, true) };
        let other = project.receive(&other, &BOARD[..20]).unwrap_err();
        assert!(other.status == 409 && other.error.contains("another content"), "{other:?}");
        // The longest name that there may be.
        let long = format!("{}{}.csv", format!("{}/", "a".repeat(200)).repeat(11), "b".repeat(196));
        assert_eq!(project.receive(&part(&long, 0, true), b"participant\n").unwrap().added, [long]);
        let hidden = fs::read_dir(folder.path()).unwrap().flatten();
        assert!(hidden.into_iter().all(|file| !file.file_name().to_string_lossy().starts_with('.')));
    }

    fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn a_folder_is_cut_where_all_files_lie_in_it() {
        let cut = |names: &[&str]| {
            let folder = tempfile::tempdir().unwrap();
            let files: Vec<(&str, &[u8])> = names.iter().map(|&name| (name, name.as_bytes())).collect();
            project(folder.path()).receive(&part("a.zip", 0, true), &zip_of(&files)).unwrap().added
        };
        assert_eq!(cut(&["a/study.toml", "a/levels/a.txt", "a/log.csv"]), ["study.toml", "levels/a.txt", "log.csv"]);
        let ordered = ["study.toml", "levels/a.csv", "logs/a.csv", "log.csv"];
        assert_eq!(cut(&ordered), ordered);
        assert_eq!(cut(&["study.toml", "log.csv"]), ["study.toml", "log.csv"]);
        assert_eq!(cut(&["P1/log.csv", "P2/log.csv"]), ["P1/log.csv", "P2/log.csv"]);
        assert_eq!(cut(&["log.csv"]), ["logs/log.csv"]);
    }

    #[test]
    fn files_keep_their_order_where_they_were_dropped_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let project = project(folder.path());
        let ordered = |name: &str| Part { ordered: true, ..part(name, 0, true) };
        for name in ["P1/log.csv", "P2/log.csv", "log.csv", "study.toml"] {
            assert_eq!(project.receive(&ordered(name), name.as_bytes()).unwrap().added, [name]);
        }
        let refused = project.sort(STUDY, FileKind::Logs).unwrap_err();
        assert!(refused.error.contains("the study itself"), "{refused:?}");
        assert!(project.study_file().exists());
    }

    #[test]
    fn an_archive_is_unpacked_and_what_leads_elsewhere_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let project = project(folder.path());
        let bytes = zip_of(&[
            ("demo/levels/board.txt", BOARD),
            ("demo/moves.csv", b"participant,level,action\n"),
            ("demo/c:odd.csv", b"a,b\n"),
            ("../above.csv", b"a,b\n"),
            ("demo/../../above.csv", b"a,b\n"),
            ("./demo/more.csv", b"a,b\n"),
            ("demo/.hidden.csv", b"a,b\n"),
        ]);
        let received = project.receive(&part("demo.zip", 0, true), &bytes).unwrap();
        assert_eq!(received.added, ["levels/board.txt", "moves.csv", "more.csv"]);
        let said = ["a character that not every system", "leads out of its folder", "leads out of its folder"];
        let left_out = &received.left_out;
        assert_eq!(left_out.len(), said.len(), "{received:?}");
        assert!(left_out.iter().zip(said).all(|(left_out, said)| left_out.error.contains(said)), "{received:?}");
        assert!(!folder.path().parent().unwrap().join("above.csv").exists());
        assert!(project.receive(&part("no.zip", 0, true), b"PK").unwrap_err().error.contains("archive"));
    }

    #[test]
    fn an_archive_of_too_many_bytes_is_refused_whole() {
        let folder = tempfile::tempdir().unwrap();
        let project = project(folder.path());
        let zip = folder.path().join(".a.zip");
        // What the archive says of the sizes is not asked: bytes are counted as they come.
        fs::write(&zip, zip_of(&[("a/one.csv", &[b'a'; 600]), ("a/two.csv", &[b'b'; 600])])).unwrap();
        let mut received = Received { n_bytes: 0, added: Vec::new(), left_out: Vec::new() };
        let refused = project.unpack(&zip, 1_199, &mut received).unwrap_err();
        assert!(refused.error.contains("the files of the archive have more than"), "{refused:?}");
        assert!(received.added.is_empty() && !folder.path().join("one.csv").exists());
        project.unpack(&zip, 1_200, &mut received).unwrap();
        assert_eq!(received.added, ["one.csv", "two.csv"]);
    }
}
