//! A study whose log is larger than memory: its shards are labelled one after the other, or by many machines, and the
//! parts put together.
//!
//! A part holds what one shard gave: the rows of `moves`, attempts as they were measured, what was noticed. Everything that
//! depends on all people is decided from the parts: what selections leave out, who is drawn for the analyses, levels and
//! conditions. Tables of all people are written part by part; nothing else is made of more rows than the study analyses.

use crate::cache::{Key, PROGRAM};
use crate::study::Study;
use plymap_analysis::MoveColumns;
use plymap_log::{DiagnosticSummary, KeyFile, Log, LogDiagnostic, LogError, read_log_within, summarise};
use plymap_measures::doctor::Anomaly;
use plymap_measures::label::moves_table::{SOURCE_FILE, SOURCE_ROW};
use plymap_measures::label::{LabelledLog, LabelledRows, moves_table};
use plymap_measures::measure::{
    Attempt, Conditions, LevelPlay, Measures, PlayedAttempt, attempts_table, participants_table, played_attempts,
    trials_table,
};
use plymap_measures::selection::{AttemptParts, PlayCount, Selected, leave_out, left_out, select};
use plymap_puzzles::progress::{CancelOnly, Progress};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_tables::cleanup::TemporaryFolder;
use plymap_tables::parallel::map_in_order;
use plymap_tables::threads::spawn;
use plymap_tables::{Table, TableFormat, TableWriter, failed, write_table};
use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use polars::prelude::{BooleanChunked, NewChunkedArray as _};

use super::inputs::levels_key;
use super::play::{Play, Replayed, RowAccounting, Totals, counts, each_labelled, in_order, log_spec, pieces, play_of};
use super::publish::ROWS_SHOWN;
use super::sample::Sample;
use super::{RunError, RunOptions, continues};
use part::{Part, PartFiles};
pub use plymap_log::shard::{Division, ShardedLog};

mod part;

/// Bytes of memory that a row takes while it is labelled: 75 to 290 were measured, with two columns of texts; where hardly
/// any move is made twice it is more.
const BYTES_PER_ROW: u64 = 700;

/// The same in a shard, whose table is held as a whole; 560 were measured while it is labelled, and 840 while parts are put
/// together.
const BYTES_PER_SHARD_ROW: u64 = 1_400;

/// The fewest rows of a shard: below that, more shards save nothing.
const FEWEST_ROWS: u64 = 10_000;

/// Divides the log of a study into shards, files in `folder`.
///
/// # Errors
///
/// A study without a log, a log that cannot be read, or a file that cannot be written.
pub fn divide(
    study: &Study,
    division: Division,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<ShardedLog, RunError> {
    Ok(ShardedLog::create(&log_spec(study)?, PROGRAM, division, folder, progress)?)
}

/// Shards that can be labelled one at a time in so many bytes of memory.
pub fn division_within(memory: u64) -> Division {
    Division::Rows((memory / BYTES_PER_SHARD_ROW).max(FEWEST_ROWS))
}

/// Reads, replays, labels and measures the logs of a study: of everybody, or, where a log has more rows than the study
/// analyses, of participants who were drawn. Nothing if it has no log.
///
/// # Errors
///
/// A log that cannot be read at all, or the request to stop.
pub fn play(study: &Study, levels: &[ValuedLevel], progress: &dyn Progress) -> Result<Option<Play>, RunError> {
    Ok(play_within(study, levels, &RunOptions::default(), &std::env::temp_dir(), progress)?.0)
}

/// Result of labelling all moves of a study.
#[derive(Debug)]
pub struct LabelledMoves {
    /// Diagnostics, by kind.
    pub diagnostics: Vec<DiagnosticSummary>,
    /// File with the key of the codes of participants, if they have codes.
    pub key: Option<KeyFile>,
}

/// Reads, replays and labels the logs of a study, and hands the table `moves`, without what the study leaves out, to `sink`:
/// piece by piece, or shard by shard where so many bytes of memory do not hold the log; the first piece may be empty. Nothing
/// is measured but what selections ask for; nothing is done if the study has no log.
///
/// # Errors
///
/// A log that cannot be read at all, what `sink` says, or the request to stop.
pub fn label_moves<E: From<RunError> + Send>(
    study: &Study,
    levels: &[ValuedLevel],
    memory: Option<u64>,
    progress: &dyn Progress,
    sink: &mut dyn FnMut(&Table) -> Result<(), E>,
) -> Result<Option<LabelledMoves>, E> {
    let Some(spec) = study.log_spec() else { return Ok(None) };
    let selections = study.selections();
    let most = memory.unwrap_or_else(usual_memory) / BYTES_PER_ROW;
    let log = match read_log_within(&spec, most, progress) {
        Ok(log) => log,
        Err(LogError::TooManyRows { .. }) => {
            let shards = Shards::within(study, levels, memory, &std::env::temp_dir(), progress)?;
            let parts = shards.parts.all()?;
            let selected = Selected::new(&shards.parts, &selections, levels)?;
            let merged = Merged { shards, selected, drawn: None };
            let n_parts = merged.shards.n_shards();
            progress.begin("writing moves", Some(n_parts as u64));
            for part in 0..n_parts {
                sink(&merged.part_of_moves(part, &merged.shards.parts.attempts(part)?, &[], &[], &mut 0)?)?;
                progress.advance(1);
                continues(progress)?;
            }
            progress.end();
            let diagnostics = merged.diagnostics(parts.into_iter().flat_map(|part| part.diagnostics).collect())?;
            return Ok(Some(LabelledMoves { diagnostics: summarise(&diagnostics), key: merged.shards.log.key() }));
        }
        Err(error) => return Err(RunError::from(error).into()),
    };
    let (spec, key) = (log_spec(study)?, log.key.clone());
    let table_of = |log: &Log, labelled: &LabelledRows, rows: Range<usize>| {
        moves_table(&log.rows, &log.empty_columns, labelled, rows, levels).map_err(RunError::from)
    };
    // A log of which nothing can be played has a table too.
    sink(&table_of(&log, &LabelledRows::default(), 0..0)?)?;
    let diagnostics = if selections.is_empty() {
        let mut diagnostics = log.diagnostics.clone();
        let make = |labelled: LabelledLog| table_of(&log, &labelled.rows, 0..labelled.rows.len());
        each_labelled(&log, levels, &spec, progress, rayon::current_num_threads(), make, |table, replay| {
            diagnostics.extend(replay.diagnostics);
            sink(&table)
        })?;
        diagnostics
    } else {
        // What they leave in is known only when everything was measured.
        let mut replayed = Replayed::new(log, levels, &spec, rayon::current_num_threads(), progress)?;
        let mut diagnostics = replayed.diagnostics.clone();
        let selected = select(&mut replayed.labelled, &mut replayed.diagnostics, &selections, levels);
        let (.., left_out) = selected.map_err(RunError::from)?;
        diagnostics.extend(left_out);
        let labelled = &replayed.labelled.rows;
        for rows in pieces(labelled.len()) {
            sink(&table_of(&replayed.log, labelled, rows)?)?;
        }
        diagnostics
    };
    Ok(Some(LabelledMoves { diagnostics: summarise(&in_order(diagnostics)), key }))
}

/// The play of a study, whose log goes through shards where it has more rows than the study analyses; `place` is where
/// these may lie meanwhile. Nothing if it has no log.
pub(super) fn play_within(
    study: &Study,
    levels: &[ValuedLevel],
    options: &RunOptions,
    place: &Path,
    progress: &dyn Progress,
) -> Result<(Option<Play>, Option<Merged>), RunError> {
    let Some(spec) = study.log_spec() else { return Ok((None, None)) };
    let shards = match &options.shards {
        Some(folder) => {
            let shards = Shards::open(study, folder)?;
            shards.log.check_key(&spec)?;
            shards.log.check_files(&spec)?;
            shards
        }
        None => match read_log_within(&spec, study.statistics.max_moves, progress) {
            Ok(log) => return Ok((Some(play_of(study, log, levels, progress)?), None)),
            Err(LogError::TooManyRows { .. }) => Shards::within(study, levels, options.memory, place, progress)?,
            Err(error) => return Err(error.into()),
        },
    };
    let (play, merged) = shards.play(study, levels, progress)?;
    Ok((Some(play), merged))
}

/// Returns half of the memory that is free, or that the process may have, in bytes.
fn usual_memory() -> u64 {
    let system = sysinfo::System::new_with_specifics(
        sysinfo::RefreshKind::nothing().with_memory(sysinfo::MemoryRefreshKind::nothing().with_ram()),
    );
    // Not what is said to be free of it: that leaves out what files take that were read, which the system gives back.
    let allowed = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory.saturating_sub(limits.rss));
    system.available_memory().min(allowed) / 2
}

/// Labels one shard on so many threads, and writes what it gives beside it. Shards are numbered from 0.
///
/// # Errors
///
/// A shard that cannot be read, a part that cannot be written, or the request to stop.
pub fn label_shard(
    study: &Study,
    levels: &[ValuedLevel],
    shards: &Shards,
    number: usize,
    n_threads: usize,
    progress: &dyn Progress,
) -> Result<(), RunError> {
    let spec = log_spec(study)?;
    let log = shards.log.shard(number, &spec, progress)?;
    let replayed = Replayed::new(log, levels, &spec, n_threads, progress)?;
    let attempts = played_attempts(&replayed.labelled, &replayed.diagnostics, levels);
    let Log { rows, empty_columns, .. } = &replayed.log;
    let labelled = &replayed.labelled.rows;
    let moves = moves_table(rows, empty_columns, labelled, 0..labelled.len(), levels)?;
    let part = Part {
        n_read: replayed.log.n_read,
        n_rejected: replayed.n_rejected,
        n_excluded: replayed.n_excluded,
        diagnostics: replayed.diagnostics,
    };
    shards.parts.keep(number, &moves, &attempts, &part)
}

/// The shards of a log and their parts, in one folder.
#[derive(Debug)]
pub struct Shards {
    log: ShardedLog,
    parts: PartFiles,
    /// Removes the folder in the end, where it was made for one run.
    _temporary: Option<TemporaryFolder>,
}

impl Shards {
    /// Opens the shards that were made of the log of a study.
    ///
    /// # Errors
    ///
    /// A folder without shards, with those of another log, or with files of shards that the log does not have.
    pub fn open(study: &Study, folder: &Path) -> Result<Self, RunError> {
        let log = ShardedLog::open(&log_spec(study)?, PROGRAM, folder)?;
        let shards = Self::of(study, log, folder)?;
        shards.parts.refuse_others()?;
        Ok(shards)
    }

    fn of(study: &Study, log: ShardedLog, folder: &Path) -> Result<Self, RunError> {
        let made_of = levels_key(study)?.and_then(|levels| Key::new("part", &(levels, log.sum())));
        let made_of = made_of.map(Key::hexadecimal);
        let parts = PartFiles { folder: folder.to_owned(), n_shards: log.n_shards(), made_of };
        Ok(Self { log, parts, _temporary: None })
    }

    /// Makes the shards of the log of a study and labels them, in a folder at `place` that is removed with them.
    fn within(
        study: &Study,
        levels: &[ValuedLevel],
        memory: Option<u64>,
        place: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, RunError> {
        let folder = TemporaryFolder::new(".shards-", place).map_err(failed("make a folder in", place))?;
        // As many as there are threads are labelled side by side.
        let memory = memory.unwrap_or_else(usual_memory) / rayon::current_num_threads() as u64;
        let log = divide(study, division_within(memory), folder.path(), progress)?;
        let shards = Self::of(study, log, folder.path())?;
        progress.begin("labelling shards", Some(shards.n_shards() as u64));
        map_in_order((0..shards.n_shards()).collect(), |number| {
            label_shard(study, levels, &shards, number, 1, &CancelOnly(progress))?;
            progress.advance(1);
            Ok::<_, RunError>(())
        })?;
        progress.end();
        Ok(Self { _temporary: Some(folder), ..shards })
    }

    /// Refuses another key of a study than that of the codes of participants, or none.
    ///
    /// # Errors
    ///
    /// As for `ShardedLog::check_key`.
    pub fn check_key(&self, study: &Study) -> Result<(), RunError> {
        Ok(self.log.check_key(&log_spec(study)?)?)
    }

    /// Returns the number from 0 of a shard that is numbered from 1.
    ///
    /// # Errors
    ///
    /// There is no such shard.
    pub fn index(&self, number: usize) -> Result<usize, RunError> {
        let n = self.n_shards();
        let index = number.checked_sub(1).filter(|&index| index < n);
        index.ok_or_else(|| RunError::NoShard { folder: self.parts.folder.clone(), number, n })
    }

    /// Returns the number of shards.
    pub fn n_shards(&self) -> usize {
        self.log.n_shards()
    }

    /// Returns the play that the parts tell: of everybody where the study analyses so many moves, else of a sample.
    pub(super) fn play(
        self,
        study: &Study,
        levels: &[ValuedLevel],
        progress: &dyn Progress,
    ) -> Result<(Play, Option<Merged>), RunError> {
        let most = study.statistics.max_moves;
        let parts = self.parts.all()?;
        if self.log.n_rows() <= most {
            self.parts.check()?;
            let log = self.log.of_participants(None, &log_spec(study)?, progress)?;
            return Ok((play_of(study, log, levels, progress)?, None));
        }
        progress.begin("putting shards together", Some(parts.len() as u64));
        let selected = Selected::new(&self.parts, &study.selections(), levels)?;
        let mut totals = Totals::default();
        let mut people: Vec<(String, u64)> = Vec::new();
        for number in 0..parts.len() {
            let attempts = selected.kept(number, self.parts.attempts(number)?);
            for PlayedAttempt { attempt, n_rows, .. } in &attempts {
                match people.last_mut() {
                    Some((name, n)) if *name == attempt.participant => *n += n_rows,
                    _ => people.push((attempt.participant.clone(), *n_rows)),
                }
            }
            totals.add(&Measures::of_played(attempts, levels));
            progress.advance(1);
            continues(progress)?;
        }
        progress.end();
        let drawn = Sample::draw(people, most, study.simulation.seed);
        let merged = Merged { shards: self, selected, drawn };
        let diagnostics =
            merged.diagnostics(parts.iter().flat_map(|part| part.diagnostics.iter().cloned()).collect())?;
        let (mut n_read, mut n_rejected, mut n_excluded) = (0, 0, 0);
        for part in &parts {
            n_read += part.n_read;
            n_rejected += part.n_rejected;
            n_excluded += part.n_excluded;
        }
        let (log, analysed) = merged.sampled(study, levels, progress)?;
        let account = RowAccounting {
            counts: counts(n_read, n_rejected, n_excluded, &merged.selected),
            files: log.files,
            joined: log.joined,
            steps: log.steps,
            key: log.key,
            analysed: merged.selected.left,
            selection: merged.selected.counts.clone(),
            totals,
            diagnostics,
            empty_columns: log.empty_columns,
        };
        let Analysed { labelled, measures, mut anomalies, count } = analysed;
        for anomaly in anomalies.iter_mut().filter(|_| merged.drawn.is_some()) {
            anomaly.message.push_str(" among those who were drawn");
        }
        let sample = merged.drawn.as_ref().map(|(sample, _)| Sample { count, ..sample.clone() });
        let play = Play { account: account.checked()?, labelled, rows: log.rows, measures, anomalies, sample };
        Ok((play, Some(merged)))
    }
}

/// Parts of a log of which a sample is analysed.
#[derive(Debug)]
pub(super) struct Merged {
    shards: Shards,
    selected: Selected,
    /// Sample, with the names of those who were drawn; none where what the study leaves in is no more than it analyses.
    drawn: Option<(Sample, HashSet<String>)>,
}

/// Play of those who were drawn.
struct Analysed {
    labelled: LabelledLog,
    measures: Measures,
    anomalies: Vec<Anomaly>,
    count: PlayCount,
}

/// Table of which only the first rows are held.
#[derive(Clone, Debug)]
pub(super) struct LongTable {
    pub head: Table,
    pub n_rows: usize,
}

impl Merged {
    /// Returns all diagnostics, with those of the rows that the study leaves out.
    fn diagnostics(&self, of_parts: Vec<LogDiagnostic>) -> Result<Vec<LogDiagnostic>, RunError> {
        let mut diagnostics = of_parts;
        for part in (0..self.shards.n_shards()).filter(|_| !self.selected.counts.is_empty()) {
            let moves = self.shards.parts.moves(part)?.data;
            let (files, rows) = (moves.column(SOURCE_FILE.name)?.str()?, moves.column(SOURCE_ROW.name)?.u64()?);
            let mut row = 0;
            for (played, reason) in self.shards.parts.attempts(part)?.iter().zip(self.selected.reasons(part)) {
                let attempt_rows = row..row + played.n_rows as usize;
                row = attempt_rows.end;
                let Some(reason) = reason else { continue };
                diagnostics.extend(attempt_rows.map(|row| {
                    let place = (files.get(row).unwrap_or_default(), rows.get(row).unwrap_or_default());
                    left_out(&played.attempt, place, &reason)
                }));
            }
        }
        Ok(in_order(diagnostics))
    }

    /// Returns the play of those who were drawn, and the log that it was read from.
    fn sampled(
        &self,
        study: &Study,
        levels: &[ValuedLevel],
        progress: &dyn Progress,
    ) -> Result<(Log, Analysed), RunError> {
        let spec = log_spec(study)?;
        let people = self.drawn.as_ref().map(|(_, people)| people);
        let log = self.shards.log.of_participants(people, &spec, progress)?;
        let mut replayed = Replayed::new(log, levels, &spec, rayon::current_num_threads(), progress)?;
        let attempts = played_attempts(&replayed.labelled, &replayed.diagnostics, levels);
        let is_drawn = |attempt: &Attempt| people.is_none_or(|people| people.contains(&attempt.participant));
        let selected = self.selected.of(&self.shards.parts, &is_drawn)?;
        if !selected.counts.is_empty() {
            leave_out(&mut replayed.labelled, &mut replayed.diagnostics, &attempts, &selected, 0);
        }
        let attempts = selected.kept(0, attempts);
        let count = PlayCount::of(&attempts);
        let measures = Measures::of_played(attempts, levels);
        let anomalies = replayed.anomalies(&measures, levels, &spec);
        Ok((replayed.log, Analysed { labelled: replayed.labelled, measures, anomalies, count }))
    }

    /// Writes the tables of all people. Those of levels and conditions are whole, of the others the first rows are.
    pub fn write_tables(
        &self,
        account: &RowAccounting,
        levels: &[ValuedLevel],
        columns: &[&MoveColumns],
        folder: &Path,
        formats: &[TableFormat],
        progress: &dyn Progress,
    ) -> Result<Vec<LongTable>, RunError> {
        let n_parts = self.shards.n_shards();
        progress.begin("writing tables of all people", Some(n_parts as u64));
        let (mut conditions, mut level_play) = (Conditions::default(), LevelPlay::default());
        let mut long = [const { None }; 4].map(|none: Option<LongWriter>| none);
        let mut n_drawn = 0;
        let mut load = |part| -> Result<(Measures, Table), RunError> {
            let attempts = self.shards.parts.attempts(part)?;
            let moves = self.part_of_moves(part, &attempts, columns, &account.empty_columns, &mut n_drawn)?;
            Ok((Measures::of_played(self.selected.kept(part, attempts), levels), moves))
        };
        let mut write = |(measures, moves): (Measures, Table)| -> Result<(), RunError> {
            conditions.push(&measures);
            level_play.push(&measures);
            let tables = [participants_table(&measures), trials_table(&measures), attempts_table(&measures), moves];
            for (writer, table) in long.iter_mut().zip(&tables) {
                LongWriter::append(writer, table, folder, formats)?;
            }
            progress.advance(1);
            continues(progress)
        };
        // While one part is written, the next is loaded.
        std::thread::scope(|scope| {
            let (sender, receiver) = std::sync::mpsc::sync_channel(0);
            let load = move || (0..n_parts).map(&mut load).try_for_each(|part| sender.send(part).map_err(drop));
            spawn(scope, load).map_err(|error| RunError::from(LogError::NoThread { reason: error.to_string() }))?;
            receiver.into_iter().try_for_each(|part| write(part?))
        })?;
        progress.end();
        let mut written = Vec::new();
        for table in [conditions.into_table(), level_play.into_table()] {
            write_table(&table, folder, formats)?;
            written.push(LongTable { n_rows: table.data.height(), head: table });
        }
        for writer in long.into_iter().flatten() {
            written.push(writer.finish()?);
        }
        Ok(written)
    }

    /// The rows of `moves` of a part that the study leaves in, with what analyses say of those who were drawn, of whom so many rows
    /// came before.
    fn part_of_moves(
        &self,
        part: usize,
        attempts: &[PlayedAttempt],
        columns: &[&MoveColumns],
        empty: &[String],
        n_drawn: &mut u32,
    ) -> Result<Table, RunError> {
        let mut table = self.shards.parts.moves(part)?;
        let mut is_kept: Vec<bool> = Vec::with_capacity(table.data.height());
        // For each row that is left its number among those of people who were drawn.
        let mut numbers: Vec<Option<u32>> = Vec::new();
        for (played, is_out) in attempts.iter().zip(self.selected.is_out(part)) {
            let n = played.n_rows as usize;
            is_kept.extend(std::iter::repeat_n(!is_out, n));
            if is_out {
                continue;
            }
            let is_drawn = self.drawn.as_ref().is_none_or(|(_, people)| people.contains(&played.attempt.participant));
            for _ in 0..n {
                numbers.push(is_drawn.then_some(*n_drawn));
                *n_drawn += u32::from(is_drawn);
            }
        }
        table.data = table.data.filter(&BooleanChunked::from_slice("kept".into(), &is_kept))?;
        Ok(columns.iter().fold(table, |table, columns| columns.added_to(&table, &numbers, empty)))
    }
}

/// The files of a table, and its first rows.
pub(super) struct LongWriter {
    files: TableWriter,
    table: LongTable,
}

impl LongWriter {
    pub fn append(
        writer: &mut Option<Self>,
        table: &Table,
        folder: &Path,
        formats: &[TableFormat],
    ) -> Result<(), RunError> {
        let long = match writer {
            Some(long) => long,
            None => {
                let files = TableWriter::create(table, folder, &table.name, formats)?;
                let head = Table { data: table.data.clear(), ..table.clone() };
                writer.insert(Self { files, table: LongTable { head, n_rows: 0 } })
            }
        };
        long.files.append(table)?;
        long.table.n_rows += table.data.height();
        let missing = ROWS_SHOWN.saturating_sub(long.table.head.data.height());
        long.table.head.data.vstack_mut(&table.data.head(Some(missing)))?;
        Ok(())
    }

    pub fn finish(self) -> Result<LongTable, RunError> {
        self.files.finish()?;
        Ok(self.table)
    }
}
