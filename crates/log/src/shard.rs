//! A log that is larger than memory, divided into shards: sets of participants, each with all their rows.
//!
//! A shard holds the rows behind the steps of the study as they are, each with its place in the log; columns, times,
//! order and replay see no difference between the rows of a shard and those of a whole log. What depends on all rows
//! is found before, and stands beside the shards in `Whole`: which columns tell who somebody is, codes of
//! participants, what rows break that nobody can attribute. The shards follow each other in the order of the canonical
//! log.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::assemble::{Assembly, PartRow};
use super::columns::Mapping;
use super::entry::FileRow;
use super::error::LogError;
use super::log::Log;
use super::log_file::LogFile;
use super::open::Opened;
use super::pseudonym::{KEY_NAME, KeyFile, check_key};
use super::raw::RawRow;
use super::read;
use super::row::Checker;
use super::spec::LogSpec;
use super::stray::FarBreaks;
use super::whole::Whole;
use plymap_puzzles::diagnostic::separator_hint;
use plymap_puzzles::progress::Progress;
use plymap_tables::checksum::json::{Checked, check_document, sign_document};
use plymap_tables::checksum::seal::DAMAGED;
use plymap_tables::regular;
use rows::{RowFile, ShardRow, for_each_row};

mod division;
mod error;
mod first_pass;
mod rows;

pub use division::Division;
use division::divided;
pub use error::shard_name;
use error::{failed, unwritten};
use first_pass::FirstPass;

/// The file that tells of the whole log.
const WHOLE: &str = "shards.json";

/// A log that was divided into shards.
#[derive(Debug)]
pub struct ShardedLog {
    folder: PathBuf,
    whole: Whole,
    /// SHA-256 of what stands beside the shards, their seals in it: of another log, or divided in another way, they
    /// have another.
    sum: [u8; 32],
}

impl ShardedLog {
    /// Divides a log into shards, files in `folder`. The log is read twice, and a third time if it has rows that
    /// nobody can attribute; none of its rows is held but those of people near such rows.
    ///
    /// # Errors
    ///
    /// As for [`read_log`](crate::read_log), and a file that cannot be written.
    pub fn create(
        spec: &LogSpec,
        program: &str,
        division: Division,
        folder: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, LogError> {
        let spec = &spec.with_preset()?;
        spec.check()?;
        let mut opened = Opened::new(spec, progress)?;
        let mapping = Mapping::new(spec, &opened.sources)?;
        let checker = Checker::new(spec, &mapping);
        let mut first_pass = FirstPass::new(&mapping, spec)?;
        opened.for_each_row(&checker, "looking through logs", progress, &mut |file, positions, raw, reading| {
            first_pass.push(&checker, file, positions, (raw, reading));
            Ok(())
        })?;
        first_pass.end_run();
        let steps = opened.steps(first_pass.n_read, first_pass.n_ignored)?;
        let FirstPass { survey, pseudonyms, rows_of, levels, first_index, n_read, n_strays, near, .. } = first_pass;
        let facts = survey.finish();
        let mut files: Vec<LogFile> = opened.sources.iter().map(|source| source.file.clone()).collect();
        for (number, file) in files.iter_mut().enumerate() {
            if let Some((pseudonyms, _)) = &pseudonyms {
                file.path = pseudonyms.file_name(&file.path.display().to_string(), number).into();
            }
        }
        // Files of one experiment have the same columns, which are written once.
        let mut lists: HashMap<&[String], usize> = HashMap::new();
        let mut column_lists: Vec<Vec<String>> = Vec::new();
        let mut given_of = Vec::with_capacity(opened.sources.len());
        for source in &opened.sources {
            given_of.push(*lists.entry(&source.output_columns).or_insert_with(|| {
                column_lists.push(source.output_columns.to_vec());
                column_lists.len() - 1
            }));
        }
        let mut whole = Whole {
            identity: identity(spec, program)?,
            given: column_lists,
            given_of,
            files,
            joined: std::mem::take(&mut opened.joined),
            steps,
            codes: pseudonyms.as_ref().map(|(pseudonyms, _)| pseudonyms.codes()),
            // A key that was not written gives codes for once.
            key_sum: pseudonyms.as_ref().filter(|(_, key)| key.is_some()).map(|(pseudonyms, _)| pseudonyms.key_sum()),
            key: pseudonyms.and_then(|(_, key)| key),
            n_read,
            facts,
            levels,
            first_index,
            strays: FarBreaks::default(),
            shards: divided(&rows_of, division),
            mapping,
        };
        // The third reading, which most logs do not need.
        if n_strays > 0 {
            whole.strays = search_strays(&whole, &mut opened, spec, &near, progress)?;
        }
        let seals = write_rows(&whole, &mut opened, spec, folder, progress)?;
        whole.shards.iter_mut().zip(seals).for_each(|(shard, seal)| shard.seal = seal);
        let path = folder.join(WHOLE);
        let mut text = serde_json::to_vec_pretty(&whole).map_err(|error| failed(&path, &error))?;
        sign_document(&mut text);
        std::fs::write(&path, &text).map_err(|error| unwritten(&path, &error))?;
        Ok(Self { folder: folder.to_owned(), whole, sum: Sha256::digest(&text).into() })
    }

    /// The shards that lie in a folder, which this `program` made.
    ///
    /// # Errors
    ///
    /// If there are none, what tells of them is damaged, or they are of a log that is read in another way.
    pub fn open(spec: &LogSpec, program: &str, folder: &Path) -> Result<Self, LogError> {
        let spec = &spec.with_preset()?;
        let path = folder.join(WHOLE);
        let text = regular::read(&path).map_err(|error| match error.kind() {
            kind @ io::ErrorKind::NotFound => failed(&path, &format!("there are none{}", separator_hint(folder, kind))),
            _ => failed(&path, &error),
        })?;
        let mut whole = parse_whole(&text).map_err(|why| failed(&path, &why))?;
        if whole.identity != identity(spec, program)? {
            return Err(failed(
                &path,
                &"[log] or [columns] say something else now, or they are of another version of plymap",
            ));
        }
        if let Some(key) = &mut whole.key {
            // The study may lie elsewhere now, and whoever made the key was told.
            *key = KeyFile { path: spec.folder.join(KEY_NAME), is_new: false };
        }
        Ok(Self { folder: folder.to_owned(), whole, sum: Sha256::digest(&text).into() })
    }

    /// Compares the files of the log with those of which the shards were made. Standard input is not there any more.
    ///
    /// # Errors
    ///
    /// If they are others, or cannot be read.
    pub fn check_files(&self, spec: &LogSpec) -> Result<(), LogError> {
        let spec = &spec.with_preset()?;
        let sums = read::digests(spec)?;
        let known = self.whole.files.iter();
        let is_same = |(sum, known): (&Option<String>, &LogFile)| sum.as_ref().is_none_or(|sum| *sum == known.sha256);
        match sums.len() == known.len() && sums.iter().zip(known).all(is_same) {
            true => Ok(()),
            false => Err(failed(&self.folder.join(WHOLE), &"the files of the log have changed since")),
        }
    }

    /// Compares the key of a study with that of the codes of participants. Who only labels shards needs no key, and
    /// may have none.
    ///
    /// # Errors
    ///
    /// If it is gone, or another one.
    pub fn check_key(&self, spec: &LogSpec) -> Result<(), LogError> {
        self.whole.key_sum.as_ref().map_or(Ok(()), |sum| check_key(spec, sum))
    }

    /// Checksum that tells these shards apart from all others.
    pub fn sum(&self) -> [u8; 32] {
        self.sum
    }

    /// Number of shards.
    pub fn n_shards(&self) -> usize {
        self.whole.shards.len()
    }

    /// Rows of the whole log.
    pub fn n_rows(&self) -> u64 {
        self.whole.n_read
    }

    /// Path of the key of the codes of participants, if they have codes.
    pub fn key(&self) -> Option<KeyFile> {
        self.whole.key.clone()
    }

    /// Rows and participants of each shard, rows that nobody can attribute left out.
    pub fn sizes(&self) -> impl Iterator<Item = (u64, u64)> {
        self.whole.shards.iter().map(|shard| (shard.n_rows, shard.n_participants))
    }

    /// The rows of one shard as a log. The first one has the diagnostics of whole files too.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or the request to stop.
    pub fn shard(&self, number: usize, spec: &LogSpec, progress: &dyn Progress) -> Result<Log, LogError> {
        self.read(number..number + 1, None, number == 0, spec, progress)
    }

    /// The rows of some participants as a log, or of all.
    ///
    /// # Errors
    ///
    /// As for [`ShardedLog::shard`].
    pub fn of_participants(
        &self,
        participants: Option<&HashSet<String>>,
        spec: &LogSpec,
        progress: &dyn Progress,
    ) -> Result<Log, LogError> {
        self.read(0..self.n_shards(), participants, true, spec, progress)
    }

    fn read(
        &self,
        shards: std::ops::Range<usize>,
        participants: Option<&HashSet<String>>,
        tells_of_files: bool,
        spec: &LogSpec,
        progress: &dyn Progress,
    ) -> Result<Log, LogError> {
        let spec = &spec.with_preset()?;
        let whole = &self.whole;
        let checker = Checker::new(spec, &whole.mapping);
        let of_lists: Vec<_> = whole.given.iter().map(|columns| whole.mapping.positions(columns)).collect();
        let positions: Vec<_> = whole.given_of.iter().map(|&list| &of_lists[list]).collect();
        let mut assembly = Assembly::of_part(whole, tells_of_files, spec);
        let strays = whole.strays.people();
        progress.begin("reading shards", Some(shards.len() as u64));
        for shard in shards {
            for_each_row(&self.folder, shard, &whole.shards[shard].seal, &mut |row| {
                let ShardRow { number, is_ghost, at: place, cells, fault, notices } = row;
                let (file, line) = (place.file(), place.row());
                let raw = RawRow { line, cells: &cells, fault, notices: &notices };
                let Some(positions) = positions.get(file) else { return Ok(()) };
                // Asked seldom: an atomic read for each row would be felt.
                if number.is_multiple_of(1024) && progress.is_cancelled() {
                    return Err(LogError::Cancelled);
                }
                let mut at = PartRow { number, is_ghost };
                let reading = checker.read(&raw, positions);
                if let Some(wanted) = participants {
                    let is_wanted = match reading.group(&whole.mapping) {
                        Some([participant, ..]) => wanted.contains(whole.name(participant)),
                        // What breaks attempts of those who are wanted is needed too, though it may be somebody else's.
                        None => {
                            at.is_ghost |= whole.strays.home(number).is_some_and(|home| !wanted.contains(home));
                            let mut broken = strays.get(&number).into_iter().flatten();
                            !at.is_ghost || broken.any(|participant| wanted.contains(*participant))
                        }
                    };
                    if !is_wanted {
                        return Ok(());
                    }
                }
                assembly.push(&checker, file, positions, (&raw, reading), Some(at));
                Ok(())
            })?;
            progress.advance(1);
        }
        progress.end();
        let log = assembly.finish(whole.files.clone());
        Ok(Log { steps: whole.steps.clone(), joined: whole.joined.clone(), ..log })
    }
}

/// Content of the file that describes the whole log, or the reason why it cannot be trusted.
fn parse_whole(text: &[u8]) -> Result<Whole, String> {
    match check_document(text) {
        Checked::Whole => serde_json::from_slice(text).map_err(|error| error.to_string()),
        Checked::Wrong => Err(DAMAGED.to_owned()),
        Checked::Absent => Err("it has no checksum, and is of another version of plymap".to_owned()),
    }
}

/// Finds what rows break that nobody can attribute, among them and the rows of the people near them.
fn search_strays(
    whole: &Whole,
    opened: &mut Opened,
    spec: &LogSpec,
    near: &HashSet<String>,
    progress: &dyn Progress,
) -> Result<FarBreaks, LogError> {
    let checker = Checker::new(spec, &whole.mapping);
    let mut assembly = Assembly::of_part(whole, false, spec);
    let mut number = 0;
    opened.again(spec)?;
    opened.for_each_row(&checker, "attributing rows", progress, &mut |file, positions, raw, reading| {
        if reading.is_ignored {
            return Ok(());
        }
        let group = reading.group(&whole.mapping);
        if group.is_none_or(|[participant, ..]| near.contains(whole.name(participant))) {
            let at = PartRow { number, is_ghost: false };
            assembly.push(&checker, file, positions, (raw, reading), Some(at));
        }
        number += 1;
        Ok(())
    })?;
    Ok(assembly.far_breaks(whole))
}

/// Writes each row into its shard, and those that break attempts of other shards into these too. Gives the seals of
/// the files.
fn write_rows(
    whole: &Whole,
    opened: &mut Opened,
    spec: &LogSpec,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Vec<String>, LogError> {
    let checker = Checker::new(spec, &whole.mapping);
    let people = whole.strays.people();
    let files = (0..whole.shards.len()).map(|shard| RowFile::create(folder, shard));
    let mut files = files.collect::<Result<Vec<_>, _>>()?;
    let mut number = 0;
    opened.again(spec)?;
    opened.for_each_row(&checker, "writing shards", progress, &mut |file, _, raw, reading| {
        if reading.is_ignored {
            return Ok(());
        }
        let mut row = ShardRow {
            number,
            is_ghost: false,
            at: FileRow::new(file, raw.line),
            cells: raw.cells.to_vec(),
            fault: raw.fault.clone(),
            notices: raw.notices.to_vec(),
        };
        match reading.group(&whole.mapping) {
            Some([participant, ..]) => files[whole.shard_of(whole.name(participant))].write(&row)?,
            None => {
                let home_shard = whole.strays.home(number).map_or(0, |home| whole.shard_of(home));
                files[home_shard].write(&row)?;
                // The shards of those whose attempts it breaks need the row too, and must not count it.
                row.is_ghost = true;
                let broken = people.get(&number).into_iter().flatten().map(|participant| whole.shard_of(participant));
                for shard in broken.collect::<BTreeSet<_>>().into_iter().filter(|&shard| shard != home_shard) {
                    files[shard].write(&row)?;
                }
            }
        }
        number += 1;
        Ok(())
    })?;
    files.into_iter().map(RowFile::finish).collect()
}

/// Settings by which a log is read, and the program.
fn identity(spec: &LogSpec, program: &str) -> Result<String, LogError> {
    // What stands in other sections of a study, or comes from its preset, is no part of `[log]`.
    let elsewhere = (&spec.columns, &spec.usual_columns, &spec.usual_row_number, spec.keep_personal);
    let spec = serde_json::to_string(&(spec, elsewhere)).map_err(|error| failed(Path::new(WHOLE), &error))?;
    Ok(format!("{program} {spec}"))
}
#[cfg(test)]
mod tests;
