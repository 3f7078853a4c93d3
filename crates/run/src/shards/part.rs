//! The files of a part: what one shard gave, each with its seal.
//!
//! The account is written last, and says of which shards, levels and rules the part was made. The seals of the others are over
//! that too: a file of another part, or of an earlier labelling, is not taken for one of this.

use crate::RunError;
use plymap_log::LogDiagnostic;
use plymap_log::shard::shard_name;
use plymap_measures::measure::PlayedAttempt;
use plymap_measures::selection::AttemptParts;
use plymap_report::OutputFiles;
use plymap_tables::checksum::seal;
use plymap_tables::checksum::seal::Sealing;
use plymap_tables::{FileError, Table};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const ACCOUNT: &str = "account";
const ATTEMPTS: &str = "attempts";
const MOVES: &str = "moves";

/// The kinds of files of a part, each the end of a name.
const KINDS: [&str; 3] = [ACCOUNT, ATTEMPTS, MOVES];

/// Level of compression by zstd: parts are written and read once or twice.
const COMPRESSION: i32 = 1;

/// Part of a log that one shard gives, without its moves and attempts.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Part {
    pub n_read: u64,
    pub n_rejected: u64,
    pub n_excluded: u64,
    pub diagnostics: Vec<LogDiagnostic>,
}

/// A part with the shards, levels and rules that it was made of.
#[derive(Serialize, Deserialize)]
struct Account<P> {
    made_of: Option<String>,
    part: P,
}

/// The files of the parts of a log, in one folder.
#[derive(Debug)]
pub(super) struct PartFiles {
    pub folder: PathBuf,
    /// Number of shards that the log is divided into.
    pub n_shards: usize,
    /// Key of these shards, and of the levels and rules of the study, in hexadecimal.
    pub made_of: Option<String>,
}

impl PartFiles {
    /// Writes a part.
    pub(super) fn keep(
        &self,
        number: usize,
        moves: &Table,
        attempts: &[PlayedAttempt],
        part: &Part,
    ) -> Result<(), RunError> {
        let files = OutputFiles::create(&self.folder)?;
        self.write(files.path(), number, MOVES, moves)?;
        self.write(files.path(), number, ATTEMPTS, &attempts)?;
        files.commit()?;
        // Only with its account is a part there.
        let files = OutputFiles::create(&self.folder)?;
        self.write(files.path(), number, ACCOUNT, &Account { made_of: self.made_of.clone(), part })?;
        Ok(files.commit()?)
    }

    fn part(&self, number: usize) -> Result<Part, RunError> {
        if !part_file(&self.folder, number, ACCOUNT).exists() {
            return Err(RunError::NoPart { folder: self.folder.clone(), shard: number + 1 });
        }
        let Account { made_of, part } = self.read(number, ACCOUNT)?;
        match made_of == self.made_of {
            true => Ok(part),
            false => Err(RunError::OtherPart { folder: self.folder.clone(), shard: number + 1 }),
        }
    }

    pub(super) fn all(&self) -> Result<Vec<Part>, RunError> {
        (0..self.n_shards).map(|number| self.part(number)).collect()
    }

    pub(super) fn moves(&self, number: usize) -> Result<Table, RunError> {
        self.read(number, MOVES)
    }

    /// Checks that all files of the parts are as they were written, where nothing is made of them.
    pub(super) fn check(&self) -> Result<(), RunError> {
        let files = (0..self.n_shards).flat_map(|number| [(number, ATTEMPTS), (number, MOVES)]);
        files.into_iter().try_for_each(|(number, kind)| self.content(number, kind).map(drop))
    }

    /// Refuses files that have the names of shards or parts, and of none of this log, as where it was divided into more shards
    /// before, or a name was written by hand: what they hold would be missed.
    pub(super) fn refuse_others(&self) -> Result<(), RunError> {
        let failed = |source| FileError { action: "list", path: self.folder.clone(), source };
        let expected: HashSet<String> = (0..self.n_shards)
            .flat_map(|number| KINDS.map(|kind| part_name(number, kind)).into_iter().chain([shard_name(number)]))
            .collect();
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if is_of_shards(&name) && !expected.contains(&*name) {
                return Err(RunError::OtherShard { path: entry.path(), n: self.n_shards });
            }
        }
        Ok(())
    }

    fn write(&self, folder: &Path, number: usize, kind: &str, content: &impl Serialize) -> Result<(), RunError> {
        let path = part_file(folder, number, kind);
        let failed = |source| FileError { action: "write", path: path.clone(), source };
        let file = File::create(&path).map_err(failed)?;
        let file = Sealing::new(&self.what(number, kind), BufWriter::new(file));
        let mut file = zstd::Encoder::new(file, COMPRESSION).map_err(failed)?;
        write_value(content, &mut file).map_err(failed)?;
        file.finish().and_then(Sealing::finish).map_err(failed)?;
        Ok(())
    }

    fn read<T: DeserializeOwned>(&self, number: usize, kind: &str) -> Result<T, RunError> {
        let file = self.content(number, kind)?;
        let content = zstd::decode_all(BufReader::new(file)).map_err(|error| self.bad_part(number, kind, &error))?;
        postcard::from_bytes(&content).map_err(|error| self.bad_part(number, kind, &error))
    }

    fn content(&self, number: usize, kind: &str) -> Result<io::Take<File>, RunError> {
        let path = part_file(&self.folder, number, kind);
        seal::open(&self.what(number, kind), &path, None).map_err(|error| {
            let mut all = (0..self.n_shards).flat_map(|number| KINDS.map(|kind| (number, kind)));
            let whats = all.clone().map(|(number, kind)| self.what(number, kind));
            match seal::which(&path, whats).and_then(|other| all.nth(other)) {
                Some((other, of)) => {
                    self.bad_part(number, kind, &format_args!("it is {} under another name", part_name(other, of)))
                }
                None => self.bad_part(number, kind, &error),
            }
        })
    }

    fn bad_part(&self, number: usize, kind: &str, why: &dyn std::fmt::Display) -> RunError {
        RunError::BadPart {
            path: part_file(&self.folder, number, kind),
            why: why.to_string(),
            folder: self.folder.clone(),
            shard: number + 1,
        }
    }

    /// Returns the identity of a file, for its seal. An account says itself what its part was made of, so that one of
    /// other levels is told from a damaged one.
    fn what(&self, number: usize, kind: &str) -> Vec<u8> {
        let made_of = self.made_of.as_deref().filter(|_| kind != ACCOUNT).unwrap_or_default();
        format!("{kind} of part {number} of {made_of}\n").into_bytes()
    }
}

impl AttemptParts for PartFiles {
    type Error = RunError;

    fn n_parts(&self) -> usize {
        self.n_shards
    }

    fn attempts(&self, part: usize) -> Result<Vec<PlayedAttempt>, RunError> {
        self.read(part, ATTEMPTS)
    }
}

/// The file of a part.
fn part_file(folder: &Path, shard: usize, kind: &str) -> PathBuf {
    folder.join(part_name(shard, kind))
}

fn part_name(shard: usize, kind: &str) -> String {
    format!("part-{:04}.{kind}", shard + 1)
}

/// Returns true if a file has a name of the form that those of shards or parts have.
fn is_of_shards(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, kind)| {
        (stem.starts_with("part-") && KINDS.contains(&kind)) || (stem.starts_with("shard-") && kind == "rows")
    })
}

/// Writes a value as postcard does.
///
/// # Errors
///
/// What the writer says: postcard knows of one that fails only that it does.
fn write_value(value: &impl Serialize, to: impl Write) -> io::Result<()> {
    let mut to = Noting { to, error: None };
    match postcard::to_io(value, &mut to) {
        Ok(_) => Ok(()),
        Err(error) => Err(to.error.unwrap_or_else(|| io::Error::other(error))),
    }
}

/// A writer that remembers why it failed.
struct Noting<W> {
    to: W,
    error: Option<io::Error>,
}

impl<W> Noting<W> {
    fn noted<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            // One that was interrupted is called again.
            self.error = Some(error);
            kind.into()
        })
    }
}

impl<W: Write> Write for Noting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes);
        self.noted(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.to.flush();
        self.noted(flushed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Division, Shards, divide, label_shard};
    use super::*;
    use crate::study::Study;
    use crate::{RunOptions, run, study_levels};
    use plymap_puzzles::progress::Silent;
    use plymap_tables::testing::assert_noticed;

    const STUDY: &str = "[study]\nname = \"small\"\n[levels]\nfiles = [\"level.txt\"]\n[log]\nfiles = [\"log.csv\"]\n";

    /// A log of two people in two shards, both labelled.
    fn labelled(folder: &Path) -> (Study, Shards) {
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        write("study.toml", STUDY);
        write("level.txt", "......\n......\nAA....>\n......\n......\n......\n");
        write("log.csv", "participant,level,action\np1,level,A+1\np1,level,A+3\np2,level,A+4\n");
        let study = Study::read(&folder.join("study.toml")).unwrap();
        let (levels, _) = study_levels(&study, &Silent).unwrap();
        let place = folder.join("shards");
        fs::create_dir(&place).unwrap();
        divide(&study, Division::Shards(2), &place, &Silent).unwrap();
        let shards = Shards::open(&study, &place).unwrap();
        (0..2).for_each(|number| label_shard(&study, &levels, &shards, number, 1, &Silent).unwrap());
        (study, shards)
    }

    #[test]
    fn why_a_value_cannot_be_written_is_told() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::FileTooLarge)?;
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                if self.0 == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
            }
        }
        let why = |n| write_value(&vec![7_u8; 9], Full(n)).map_err(|error| error.kind());
        assert_eq!(
            [why(9), why(10), why(11)],
            [Err(io::ErrorKind::FileTooLarge), Err(io::ErrorKind::StorageFull), Ok(())]
        );
        assert!(write_value(&Unwritable, Full(9)).unwrap_err().to_string().contains("Serde"));
    }

    /// A value that does not let itself be written.
    struct Unwritable;

    impl Serialize for Unwritable {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no"))
        }
    }

    #[test]
    fn each_flip_in_a_part_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let (_, shards) = labelled(folder.path());
        let shown = |kind: &str| match kind {
            ACCOUNT => shards.parts.part(0).ok().map(|part| format!("{part:?}")),
            ATTEMPTS => shards.parts.attempts(0).ok().map(|attempts| format!("{attempts:?}")),
            _ => shards.parts.moves(0).ok().map(|moves| format!("{moves:?}")),
        };
        for kind in [ACCOUNT, ATTEMPTS, MOVES] {
            let path = part_file(&shards.parts.folder, 0, kind);
            let (bytes, whole) = (fs::read(&path).unwrap(), shown(kind).unwrap());
            let n_refused = assert_noticed(&bytes, &whole, |bytes| {
                fs::write(&path, bytes).unwrap();
                shown(kind)
            });
            assert_eq!(n_refused, 8 * bytes.len(), "{kind}");
            // That of another part is whole, and is not this one.
            fs::copy(part_file(&shards.parts.folder, 1, kind), &path).unwrap();
            let said = shards.parts.content(0, kind).unwrap_err().to_string();
            assert!(said.contains(&format!("part-0001.{kind}: it is part-0002.{kind} under another name")), "{said}");
            fs::write(&path, bytes).unwrap();
        }
    }

    #[test]
    fn parts_are_refused_by_name_whether_anything_is_made_of_them_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let (study, shards) = labelled(folder.path());
        let said = |max_moves: u64| {
            let mut study = study.clone();
            study.statistics.max_moves = max_moves;
            let options = RunOptions { shards: Some(shards.parts.folder.clone()), ..RunOptions::default() };
            let target = folder.path().join("results");
            run(&study, &folder.path().join("study.toml"), &target, &options, &Silent).unwrap_err().to_string()
        };
        for kind in [ACCOUNT, ATTEMPTS, MOVES] {
            let path = part_file(&shards.parts.folder, 1, kind);
            let bytes = fs::read(&path).unwrap();
            let damaged = [&bytes[..20], &[bytes[20] ^ 1], &bytes[21..]].concat();
            fs::write(&path, damaged).unwrap();
            for max_moves in [1, 1_000] {
                let said = said(max_moves);
                let message = format!("part-0002.{kind}: the file is damaged or cut off");
                assert!(said.contains(&message) && said.contains("--shard 2 labels this shard anew"), "{said}");
            }
            fs::write(&path, bytes).unwrap();
        }
        for name in [
            "part-0003.moves",
            "shard-0003.rows",
            "part-1.moves",
            "part-00001.attempts",
            "part-+001.account",
            "part-0001 (1).moves",
            "shard-2.rows",
            "shard-.rows",
        ] {
            let path = shards.parts.folder.join(name);
            fs::write(&path, "").unwrap();
            let said = said(1);
            assert!(said.contains(name) && said.contains("divided into 2 shards"), "{said}");
            fs::remove_file(path).unwrap();
        }
    }
}
