//! A log that is larger than memory, divided into shards: sets of participants, each with all their rows.
//!
//! A shard holds the rows behind the steps of the study as they are, each with its place in the log; columns, times, order
//! and replay see no difference between the rows of a shard and those of a whole log. What depends on all rows is found
//! before, and stands beside the shards in `Whole`: which columns tell who somebody is, codes of participants, what rows
//! break that nobody can attribute. The shards follow each other in the order of the canonical log.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
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
use super::pseudonym::{KEY_NAME, KeyFile, Pseudonyms, check_key};
use super::raw::RawRow;
use super::read;
use super::row::{Checker, Reading};
use super::spec::LogSpec;
use super::stray::FarBreaks;
use super::survey::Survey;
use super::whole::{Shard, Whole};
use plymap_puzzles::diagnostic::separator_hint;
use plymap_puzzles::progress::Progress;
use plymap_tables::checksum::json::{Checked, check_document, sign_document};
use plymap_tables::checksum::seal::DAMAGED;
use plymap_tables::regular;
use rows::{RowFile, ShardRow, for_each_row};

mod error;
mod rows;

pub use error::shard_name;
use error::{MOST_SHARDS, failed, unwritten};

/// The file that tells of the whole log.
const WHOLE: &str = "shards.json";

/// How a log is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Into so many shards with about as many rows each; fewer where there are fewer participants.
    Shards(usize),
    /// Into shards of at most so many rows, unless one participant has more.
    Rows(u64),
}

/// A log that was divided into shards.
#[derive(Debug)]
pub struct ShardedLog {
    folder: PathBuf,
    whole: Whole,
    /// SHA-256 of what stands beside the shards, their seals in it: of another log, or divided in another way, they have another.
    sum: [u8; 32],
}

impl ShardedLog {
    /// Divides a log into shards, files in `folder`. The log is read twice, and a third time if it has rows that nobody can
    /// attribute; none of its rows is held but those of people near such rows.
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
        let mut found = Found::new(&mapping, spec)?;
        opened.for_each_row(&checker, "looking through logs", progress, &mut |file, positions, raw, reading| {
            found.push(&checker, file, positions, (raw, reading));
            Ok(())
        })?;
        found.end_run();
        let steps = opened.steps(found.n_read, found.n_ignored)?;
        let Found { survey, pseudonyms, rows_of, levels, first_index, n_read, n_strays, near, .. } = found;
        let facts = survey.finish();
        let mut files: Vec<LogFile> = opened.sources.iter().map(|source| source.file.clone()).collect();
        for (number, file) in files.iter_mut().enumerate() {
            if let Some((pseudonyms, _)) = &pseudonyms {
                file.path = pseudonyms.file_name(&file.path.display().to_string(), number).into();
            }
        }
        let mut lists: HashMap<&[String], usize> = HashMap::new();
        let mut given: Vec<Vec<String>> = Vec::new();
        let mut given_of = Vec::with_capacity(opened.sources.len());
        for source in &opened.sources {
            given_of.push(*lists.entry(&source.given).or_insert_with(|| {
                given.push(source.given.to_vec());
                given.len() - 1
            }));
        }
        let mut whole = Whole {
            identity: identity(spec, program)?,
            given,
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
        let mut whole = told(&text).map_err(|why| failed(&path, &why))?;
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

    /// Compares the key of a study with that of the codes of participants. Who only labels shards needs no key, and may have none.
    ///
    /// # Errors
    ///
    /// If it is gone, or another one.
    pub fn check_key(&self, spec: &LogSpec) -> Result<(), LogError> {
        self.whole.key_sum.as_ref().map_or(Ok(()), |sum| check_key(spec, sum))
    }

    /// What tells these shards apart from all others.
    pub fn sum(&self) -> [u8; 32] {
        self.sum
    }

    /// How many shards there are.
    pub fn n_shards(&self) -> usize {
        self.whole.shards.len()
    }

    /// Rows of the whole log.
    pub fn n_rows(&self) -> u64 {
        self.whole.n_read
    }

    /// Where the key of the codes of participants lies, if they have codes.
    pub fn key(&self) -> Option<KeyFile> {
        self.whole.key.clone()
    }

    /// Rows and participants of each shard, rows that nobody can attribute left out.
    pub fn sizes(&self) -> impl Iterator<Item = (u64, u64)> {
        self.whole.shards.iter().map(|shard| (shard.n_rows, shard.n_participants))
    }

    /// The rows of one shard as a log. The first one has the issues of whole files too.
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
        let of_lists: Vec<_> = whole.given.iter().map(|given| whole.mapping.positions(given)).collect();
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

/// What the file that tells of the whole log says; why it cannot be trusted.
fn told(text: &[u8]) -> Result<Whole, String> {
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

/// Writes each row into its shard, and those that break attempts of other shards into these too. Gives the seals of the files.
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
                let own = whole.strays.home(number).map_or(0, |home| whole.shard_of(home));
                files[own].write(&row)?;
                row.is_ghost = true;
                let broken = people.get(&number).into_iter().flatten().map(|participant| whole.shard_of(participant));
                for shard in broken.collect::<BTreeSet<_>>().into_iter().filter(|&shard| shard != own) {
                    files[shard].write(&row)?;
                }
            }
        }
        number += 1;
        Ok(())
    })?;
    files.into_iter().map(RowFile::finish).collect()
}

/// What a first look at all rows finds.
struct Found<'a> {
    mapping: &'a Mapping,
    survey: Survey<'a>,
    pseudonyms: Option<(Pseudonyms, Option<KeyFile>)>,
    /// Rows of each participant, but for those of the run.
    rows_of: BTreeMap<String, u64>,
    /// The participant of the last rows, and how many these are: rows of one participant mostly stand together.
    run: (String, u64),
    levels: BTreeSet<String>,
    first_index: Option<i64>,
    n_read: u64,
    n_ignored: u64,
    n_strays: u64,
    /// Participants that rows which nobody can attribute stand beside, or name.
    near: HashSet<String>,
    /// The participant of the last row of each file, and whether rows that nobody can attribute follow it.
    last: HashMap<usize, (Option<String>, bool)>,
}

impl<'a> Found<'a> {
    fn new(mapping: &'a Mapping, spec: &LogSpec) -> Result<Self, LogError> {
        Ok(Self {
            mapping,
            survey: Survey::new(mapping, spec),
            pseudonyms: spec.pseudonymise.then(|| Pseudonyms::open(spec)).transpose()?,
            rows_of: BTreeMap::new(),
            run: (String::new(), 0),
            levels: BTreeSet::new(),
            first_index: None,
            n_read: 0,
            n_ignored: 0,
            n_strays: 0,
            near: HashSet::new(),
            last: HashMap::new(),
        })
    }

    fn end_run(&mut self) {
        let (participant, n) = std::mem::take(&mut self.run);
        if n > 0 {
            *self.rows_of.entry(participant).or_default() += n;
        }
    }

    fn push(
        &mut self,
        checker: &Checker<'_>,
        file: usize,
        positions: &[Option<usize>],
        (raw, reading): (&RawRow<'_>, Reading<'_>),
    ) {
        if reading.is_ignored {
            self.n_ignored += 1;
            return;
        }
        self.n_read += 1;
        let code = match (&mut self.pseudonyms, reading.participant) {
            (Some((pseudonyms, _)), Some(id)) => Some(pseudonyms.code(id, file)),
            _ => None,
        };
        let participant = code.as_deref().or(reading.participant);
        let id = reading.participant.filter(|_| code.is_some());
        self.survey.push(checker, (file, positions), raw, &reading, (participant, id));
        if let (Some([_, _, level]), Some(participant)) = (reading.group(self.mapping), participant) {
            if self.run.0 != participant {
                self.end_run();
                participant.clone_into(&mut self.run.0);
            }
            self.run.1 += 1;
            if !self.levels.contains(level) {
                self.levels.insert(level.to_owned());
            }
            self.first_index = match (self.first_index, reading.index) {
                (Some(first), Some(index)) => Some(first.min(index)),
                (first, index) => first.or(index),
            };
            let last = self.last.entry(file).or_default();
            if std::mem::take(&mut last.1) {
                self.near.insert(participant.to_owned());
            }
            if last.0.as_deref() != Some(participant) {
                last.0 = Some(participant.to_owned());
            }
        } else {
            self.n_strays += 1;
            let last = self.last.entry(file).or_default();
            self.near.extend(last.0.clone());
            self.near.extend(participant.map(str::to_owned));
            last.1 = true;
        }
    }
}

/// The shards of participants with so many rows.
fn divided(rows_of: &BTreeMap<String, u64>, division: Division) -> Vec<Shard> {
    let n_rows: u64 = rows_of.values().sum();
    let most = match division {
        Division::Shards(n) => n_rows.div_ceil(n.clamp(1, MOST_SHARDS) as u64),
        Division::Rows(most) => most.max(n_rows.div_ceil(MOST_SHARDS as u64)),
    };
    let mut shards: Vec<Shard> = Vec::new();
    for (participant, &n) in rows_of {
        match shards.last_mut() {
            // Of a wanted number, shards are filled until they have their share.
            Some(last)
                if last.n_rows + n <= most || (matches!(division, Division::Shards(_)) && last.n_rows < most) =>
            {
                last.n_rows += n;
                last.n_participants += 1;
            }
            _ => shards.push(Shard { first: participant.clone(), n_participants: 1, n_rows: n, seal: String::new() }),
        }
    }
    if shards.is_empty() {
        shards.push(Shard { first: String::new(), n_participants: 0, n_rows: 0, seal: String::new() });
    }
    shards
}

/// How a log is read, and by which program.
fn identity(spec: &LogSpec, program: &str) -> Result<String, LogError> {
    // What stands in other sections of a study, or comes from its preset, is no part of `[log]`.
    let elsewhere = (&spec.columns, &spec.usual_columns, &spec.usual_row_number, spec.keep_personal);
    let spec = serde_json::to_string(&(spec, elsewhere)).map_err(|error| failed(Path::new(WHOLE), &error))?;
    Ok(format!("{program} {spec}"))
}
#[cfg(test)]
mod tests {
    const PROGRAM: &str = "this program";

    use super::super::{Consequence, LogIssue, RowPlace, read_log};
    use super::*;
    use crate::CanonicalRow;
    use plymap_puzzles::progress::Silent;
    use plymap_tables::testing::assert_noticed;
    use polars::prelude::{BooleanChunked, DataFrame, NewChunkedArray as _};
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    /// A log as careless programs write it: some rows are broken, repeated, or do not say whose they are.
    fn messy_log(seed: u64, folder: &Path) -> LogSpec {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (has_attempt, has_index) = (rng.random_bool(0.5), rng.random_bool(0.5));
        let n_people = rng.random_range(2..7);
        let mut files = Vec::new();
        for file in 0..rng.random_range(1..3) {
            let mut text = "participant,session,level,attempt,move_index,event,action,onset_s,note,mail\n".to_owned();
            for _ in 0..rng.random_range(1..9) {
                let (who, level) = (rng.random_range(0..n_people), rng.random_range(0..3));
                for index in 0..rng.random_range(1..6) {
                    let mut cells = [
                        format!("p{who}"),
                        if rng.random_bool(0.9) { "1".to_owned() } else { String::new() },
                        format!("level {level}"),
                        if has_attempt { "1".to_owned() } else { String::new() },
                        if has_index { index.to_string() } else { String::new() },
                        if rng.random_bool(0.8) { "move" } else { "reset" }.to_owned(),
                        format!("A+{}", rng.random_range(1..3)),
                        format!("{}", rng.random_range(0..100)),
                        if seed.is_multiple_of(3) { String::new() } else { "said".to_owned() },
                        if seed.is_multiple_of(4) { format!("p{who}@example.org") } else { String::new() },
                    ];
                    match rng.random_range(0..40) {
                        0 => cells[0].clear(),
                        1 => cells[2].clear(),
                        2 => cells[5] = "dance".to_owned(),
                        3 => cells[3] = "first".to_owned(),
                        4 => cells[7] = "late".to_owned(),
                        _ => {}
                    }
                    let row = cells.join(",");
                    let row = match rng.random_range(0..30) {
                        0 => format!("{row},x"),
                        1 => format!("x,{row}"),
                        2 => "?".to_owned(),
                        3 => format!("{row}\n{row}"),
                        4 => format!("{row},{row}"),
                        _ => row,
                    };
                    text.push_str(&row);
                    text.push('\n');
                }
            }
            let name = format!("log{file}.csv");
            std::fs::write(folder.join(&name), text).unwrap();
            files.push(name.into());
        }
        let mut spec = LogSpec { files, folder: folder.to_owned(), ..LogSpec::default() };
        spec.pseudonymise = seed.is_multiple_of(5);
        if !has_attempt || !has_index {
            // A column that is named and empty would reject every row.
            let hidden = [("attempt", has_attempt), ("move_index", has_index)];
            for file in &spec.files {
                let path = folder.join(file);
                let mut text = std::fs::read_to_string(&path).unwrap();
                for (name, _) in hidden.iter().filter(|(_, has)| !has) {
                    text = text.replacen(name, &format!("no_{name}"), 1);
                }
                std::fs::write(path, text).unwrap();
            }
        }
        spec
    }

    fn sorted(issues: &[LogIssue]) -> Vec<String> {
        let mut said: Vec<String> = issues.iter().map(|issue| format!("{issue:?}")).collect();
        said.sort();
        said
    }

    fn behind(log: &Log, first: usize) -> BTreeMap<usize, RowPlace> {
        log.behind_rejected.iter().map(|(row, place)| (row + first, *place)).collect()
    }

    #[test]
    fn shards_of_messy_logs_give_what_the_whole_logs_give() {
        let (mut n_shards, mut n_rejected, mut n_behind, mut n_shared) = (0, 0, 0, 0);
        for seed in 0..600 {
            let folder = tempfile::tempdir().unwrap();
            let spec = messy_log(seed, folder.path());
            let Ok(whole) = read_log(&spec, &Silent) else { continue };
            let place = tempfile::tempdir().unwrap();
            let division = Division::Shards(1 + seed as usize % 4);
            ShardedLog::create(&spec, PROGRAM, division, place.path(), &Silent).unwrap();
            let sharded = ShardedLog::open(&spec, PROGRAM, place.path()).unwrap();
            n_shared += sharded.whole.strays.people().values().filter(|people| people.len() > 1).count();
            n_shards += sharded.n_shards();

            let joined = sharded.of_participants(None, &spec, &Silent).unwrap();
            assert!(joined.rows.table().equals_missing(&whole.rows.table()), "seed {seed}");
            assert_eq!(sorted(&joined.issues), sorted(&whole.issues), "seed {seed}");
            assert_eq!(joined.behind_rejected, whole.behind_rejected, "seed {seed}");
            assert_eq!((joined.n_read, joined.n_rejected), (whole.n_read, whole.n_rejected), "seed {seed}");
            assert_eq!((&joined.files, &joined.steps), (&whole.files, &whole.steps));
            assert_eq!(
                (&joined.personal, &joined.empty_columns),
                (&whole.personal, &whole.empty_columns),
                "seed {seed}"
            );

            let mut moves: Option<DataFrame> = None;
            let (mut issues, mut found, mut sums) = (Vec::new(), BTreeMap::new(), (0, 0));
            for shard in 0..sharded.n_shards() {
                let part = sharded.shard(shard, &spec, &Silent).unwrap();
                found.extend(behind(&part, moves.as_ref().map_or(0, DataFrame::height)));
                issues.extend(part.issues);
                sums = (sums.0 + part.n_read, sums.1 + part.n_rejected);
                match &mut moves {
                    Some(moves) => drop(moves.vstack_mut(&part.rows.table()).unwrap()),
                    None => moves = Some(part.rows.table()),
                }
            }
            assert!(moves.unwrap().equals_missing(&whole.rows.table()), "seed {seed}");
            assert_eq!(sorted(&issues), sorted(&whole.issues), "seed {seed}");
            assert_eq!(found, behind(&whole, 0), "seed {seed}");
            assert_eq!(sums, (whole.n_read, whole.n_rejected), "seed {seed}");

            let names: Vec<&str> = whole.rows.iter().map(CanonicalRow::participant).collect();
            let wanted: HashSet<String> = names.iter().take(1).map(|&name| name.to_owned()).collect();
            let of_some = sharded.of_participants(Some(&wanted), &spec, &Silent).unwrap();
            let rows: Vec<usize> = (0..names.len()).filter(|&row| wanted.contains(names[row])).collect();
            let kept = BooleanChunked::from_iter_values("".into(), names.iter().map(|&name| wanted.contains(name)));
            let own = whole.rows.table().filter(&kept).unwrap();
            assert!(of_some.rows.table().equals_missing(&own), "seed {seed}");
            let expected: BTreeMap<usize, RowPlace> =
                (0..rows.len()).filter_map(|row| Some((row, *whole.behind_rejected.get(&rows[row])?))).collect();
            assert_eq!(behind(&of_some, 0), expected, "seed {seed}");

            n_rejected += whole.issues.iter().filter(|issue| issue.consequence == Consequence::Rejected).count();
            n_behind += whole.behind_rejected.len();
        }
        // The logs are messy enough, and cut into enough pieces, for all this to mean something.
        assert!(
            n_shards > 1000 && n_rejected > 1000 && n_behind > 500 && n_shared > 50,
            "{n_shards} {n_rejected} {n_behind} {n_shared}"
        );
    }

    #[test]
    fn shards_of_another_log_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let spec = messy_log(1, folder.path());
        let said = |spec: &LogSpec, place: &Path| ShardedLog::open(spec, PROGRAM, place).unwrap_err().to_string();
        let place = tempfile::tempdir().unwrap();
        assert!(
            said(&spec, place.path())
                .contains("the shards cannot be used: there are none; make them with plymap shard")
        );
        ShardedLog::create(&spec, PROGRAM, Division::Rows(3), place.path(), &Silent).unwrap();
        let sharded = ShardedLog::open(&spec, PROGRAM, place.path()).unwrap();
        let columns = BTreeMap::from([("condition".to_owned(), super::super::ColumnSpec::column("level"))]);
        for other in [LogSpec { decimal_comma: true, ..spec.clone() }, LogSpec { columns, ..spec.clone() }] {
            assert!(said(&other, place.path()).contains("[log] or [columns] say something else now"));
        }
        sharded.check_files(&spec).unwrap();
        std::fs::write(folder.path().join(&spec.files[0]), "participant,level,action\n").unwrap();
        let changed = sharded.check_files(&spec).unwrap_err().to_string();
        assert!(changed.contains("the files of the log have changed since"), "{changed}");
        let file = place.path().join(shard_name(0));
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
        let cut = ShardedLog::open(&spec, PROGRAM, place.path()).unwrap().of_participants(None, &spec, &Silent);
        let said = cut.map(|log| log.n_read).unwrap_err().to_string();
        assert!(said.contains("the file is damaged or cut off"), "{said}");
    }

    #[test]
    fn shards_are_refused_without_the_key_of_their_codes() {
        let folder = tempfile::tempdir().unwrap();
        let spec = LogSpec { pseudonymise: true, ..messy_log(1, folder.path()) };
        let place = tempfile::tempdir().unwrap();
        let made = ShardedLog::create(&spec, PROGRAM, Division::Rows(3), place.path(), &Silent).unwrap();
        let key = folder.path().join(KEY_NAME);
        assert!(made.key().unwrap().is_new);
        let sharded = ShardedLog::open(&spec, PROGRAM, place.path()).unwrap();
        let check = || sharded.check_key(&spec);
        assert!(check().is_ok());
        assert_eq!(sharded.key(), Some(KeyFile { path: key.clone(), is_new: false }));
        let own = std::fs::read_to_string(&key).unwrap();
        let digits = own.split_whitespace().next().unwrap();
        assert!(!std::fs::read_to_string(place.path().join(WHOLE)).unwrap().contains(digits), "the key itself");
        std::fs::remove_file(&key).unwrap();
        let said = check().unwrap_err().to_string();
        assert!(said.contains("study.key") && said.contains("is gone") && said.contains("restore it"), "{said}");
        assert!(!key.exists(), "nothing is made in its place");
        std::fs::write(&key, "0f".repeat(32)).unwrap();
        let said = check().unwrap_err().to_string();
        assert!(said.contains("study.key: this is another key") && said.contains("plymap shard"), "{said}");
        // Without its checksum, as earlier versions wrote it, it is the same one.
        std::fs::write(&key, digits).unwrap();
        assert!(check().is_ok());
    }

    #[test]
    fn each_flip_in_the_files_of_shards_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let text = "participant,level,action\np1,1,A+1\np1,1,B-1\np2,1,A+1\n";
        std::fs::write(folder.path().join("log.csv"), text).unwrap();
        let files = vec!["log.csv".into()];
        let spec = LogSpec { files, folder: folder.path().to_owned(), ..LogSpec::default() };
        let sharded = ShardedLog::create(&spec, PROGRAM, Division::Shards(2), folder.path(), &Silent).unwrap();
        let rows = |log: &Log| log.rows.iter().map(|row| format!("{} {:?}", row.participant(), row.action())).collect();
        let read = || Some(rows(&sharded.of_participants(None, &spec, &Silent).ok()?));
        let whole: Vec<String> = read().unwrap();
        let file = folder.path().join(shard_name(0));
        let bytes = std::fs::read(&file).unwrap();
        let n_refused = assert_noticed(&bytes, &whole, |bytes| {
            std::fs::write(&file, bytes).unwrap();
            read()
        });
        assert_eq!(n_refused, 8 * bytes.len());
        let said = || sharded.of_participants(None, &spec, &Silent).map(|log| log.n_read).unwrap_err().to_string();
        // The rows of another shard are whole, and not those.
        std::fs::copy(folder.path().join(shard_name(1)), &file).unwrap();
        assert!(said().contains("shard-0001.rows") && said().contains("it is shard-0002.rows under"), "{}", said());
        // So are those of this shard of another log.
        let other = LogSpec { files: vec!["other.csv".into()], ..spec.clone() };
        std::fs::write(folder.path().join("other.csv"), text.replace('3', "2").replace("A+1", "A+2")).unwrap();
        let place = tempfile::tempdir().unwrap();
        ShardedLog::create(&other, PROGRAM, Division::Shards(2), place.path(), &Silent).unwrap();
        std::fs::copy(place.path().join(shard_name(0)), &file).unwrap();
        assert!(said().contains("shard-0001.rows") && said().contains("is not the one that was written"), "{}", said());

        let text = std::fs::read(folder.path().join(WHOLE)).unwrap();
        let shown = |whole: &Whole| format!("{whole:?}");
        let whole = shown(&told(&text).unwrap());
        assert_eq!(assert_noticed(&text, &whole, |text| told(text).ok().as_ref().map(shown)), 8 * text.len());
    }

    #[test]
    fn shards_have_as_many_rows_as_they_may() {
        let rows_of: BTreeMap<String, u64> = (0..10).map(|n| (format!("p{n}"), if n == 3 { 50 } else { 10 })).collect();
        let sizes = |division| divided(&rows_of, division).iter().map(|shard| shard.n_rows).collect::<Vec<_>>();
        assert_eq!(sizes(Division::Rows(30)), [30, 50, 30, 30]);
        assert_eq!(sizes(Division::Rows(1)), [10, 10, 10, 50, 10, 10, 10, 10, 10, 10]);
        assert_eq!(sizes(Division::Shards(1)), [140]);
        assert_eq!(sizes(Division::Shards(3)).iter().sum::<u64>(), 140);
        assert!(sizes(Division::Shards(3)).len() <= 3);
        assert_eq!(sizes(Division::Shards(99)).len(), 10);
    }
}
