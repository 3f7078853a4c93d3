//! The files of a part: what one shard gave, each with its seal.
//!
//! The account is written last, and says of which shards, levels and rules the part was made. The seals of the others are over
//! that too: a file of another part, or of an earlier labelling, is not taken for one of this.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Shards;
use crate::checksum::seal::{self, Sealing};
use crate::log::LogIssue;
use crate::measure::PlayedAttempt;
use crate::report::{OutputFiles, ReportError};
use crate::run::RunError;
use crate::selection::AttemptParts;
use crate::table::Table;

const ACCOUNT: &str = "account";
const ATTEMPTS: &str = "attempts";
const MOVES: &str = "moves";

/// So hard are parts compressed: they are written and read once or twice.
const COMPRESSION: i32 = 1;

/// What one shard gave, but for its moves and attempts.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Part {
    pub n_read: u64,
    pub n_rejected: u64,
    pub n_excluded: u64,
    pub issues: Vec<LogIssue>,
}

/// A part with the shards, levels and rules that it was made of.
#[derive(Serialize, Deserialize)]
struct Account<P> {
    made_of: Option<String>,
    part: P,
}

impl Shards {
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

    pub(super) fn parts(&self) -> Result<Vec<Part>, RunError> {
        (0..self.n_shards()).map(|number| self.part(number)).collect()
    }

    pub(super) fn moves(&self, number: usize) -> Result<Table, RunError> {
        self.read(number, MOVES)
    }

    /// Whether all files of the parts are as they were written, where nothing is made of them.
    pub(super) fn check_parts(&self) -> Result<(), RunError> {
        let files = (0..self.n_shards()).flat_map(|number| [(number, ATTEMPTS), (number, MOVES)]);
        files.into_iter().try_for_each(|(number, kind)| self.content(number, kind).map(drop))
    }

    /// Refuses files of shards that this log does not have, as where it was divided into more of them before.
    pub(super) fn refuse_others(&self) -> Result<(), RunError> {
        let failed = |source| ReportError::Io { action: "list", path: self.folder.clone(), source };
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let number = path.file_name().and_then(|name| number_of(name.to_str()?));
            if number.is_some_and(|number| !(1..=self.n_shards()).contains(&number)) {
                return Err(RunError::OtherShard { path, n: self.n_shards() });
            }
        }
        Ok(())
    }

    fn write(&self, folder: &Path, number: usize, kind: &str, content: &impl Serialize) -> Result<(), RunError> {
        let path = part_file(folder, number, kind);
        let failed = |source| ReportError::Io { action: "write", path: path.clone(), source };
        let file = File::create(&path).map_err(failed)?;
        let file = Sealing::new(&self.what(number, kind), BufWriter::new(file));
        let mut file = zstd::Encoder::new(file, COMPRESSION).map_err(failed)?;
        postcard::to_io(content, &mut file).map_err(|error| failed(io::Error::other(error)))?;
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
        seal::open(&self.what(number, kind), &path, None).map_err(|error| self.bad_part(number, kind, &error))
    }

    fn bad_part(&self, number: usize, kind: &str, why: &dyn std::fmt::Display) -> RunError {
        RunError::BadPart {
            path: part_file(&self.folder, number, kind),
            why: why.to_string(),
            folder: self.folder.clone(),
            shard: number + 1,
        }
    }

    /// What a file is, for its seal. An account says itself what its part was made of, so that one of other levels is told from
    /// a damaged one.
    fn what(&self, number: usize, kind: &str) -> Vec<u8> {
        let made_of = self.made_of.as_deref().filter(|_| kind != ACCOUNT).unwrap_or_default();
        format!("{kind} of part {number} of {made_of}\n").into_bytes()
    }
}

impl AttemptParts for Shards {
    type Error = RunError;

    fn n_parts(&self) -> usize {
        self.n_shards()
    }

    fn attempts(&self, part: usize) -> Result<Vec<PlayedAttempt>, RunError> {
        self.read(part, ATTEMPTS)
    }
}

/// The file of a part, or one beside it.
fn part_file(folder: &Path, shard: usize, kind: &str) -> PathBuf {
    folder.join(format!("part-{:04}.{kind}", shard + 1))
}

/// The number of the shard that a file of this name is of.
fn number_of(name: &str) -> Option<usize> {
    let (number, kind) = name.split_once('.')?;
    let (number, kinds) = match number.strip_prefix("part-") {
        Some(number) => (number, &[ACCOUNT, ATTEMPTS, MOVES][..]),
        None => (number.strip_prefix("shard-")?, &["rows"][..]),
    };
    kinds.contains(&kind).then(|| number.parse().ok())?
}
