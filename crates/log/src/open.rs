//! The files of a log, opened and read through: taken apart in one thread, checked in others, assembled in their order.

use super::error::LogError;
use super::log::Log;
use super::log_file::LogFile;
use super::pipeline_step::StepCount;
use super::spec::LogSpec;
use crate::batch::{Batch, TextBatch};
use crate::columns::positions_of;
use crate::{assemble, columns, parquet, pipeline, raw, read, row, source};
use plymap_puzzles::progress::Progress;
use plymap_tables::parallel::each_in_order;
use plymap_tables::threads::spawn;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

/// Reads the files of `spec`, in their order, into one canonical log.
///
/// Rows that cannot be used do not stop the reading: each becomes a [`LogDiagnostic`](crate::LogDiagnostic).
///
/// # Errors
///
/// A [`LogError`] where no row could be trusted: a file that is missing, unreadable or not in the
/// form of its format, columns that no file has, or no row at all.
pub fn read_log(spec: &LogSpec, progress: &dyn Progress) -> Result<Log, LogError> {
    read_log_within(spec, u64::MAX, progress)
}

/// Reads a log that has at most so many rows. It is given up early where the first rows take so few of the bytes that
/// there are likely more.
///
/// # Errors
///
/// As for [`read_log`], and [`LogError::TooManyRows`].
pub fn read_log_within(spec: &LogSpec, most: u64, progress: &dyn Progress) -> Result<Log, LogError> {
    // Rows are numbered with 32 bits.
    let most = most.min(u64::from(u32::MAX));
    let spec = &spec.with_preset()?;
    spec.check()?;
    let mut opened = Opened::new(spec, progress)?;
    let mapping = columns::Mapping::new(spec, &opened.sources)?;
    let checker = row::Checker::new(spec, &mapping);
    let file_names = opened.sources.iter().map(|source| source.file.path.display().to_string()).collect();
    let mut assembly = assemble::Assembly::new(&mapping, file_names, spec)?;
    let n_bytes: u64 = opened.sources.iter().map(|source| source.file.bytes).sum();
    let counted = Counted { progress, n: AtomicU64::new(0) };
    let mut is_measured = false;
    let mut continues = |assembly: &mut assemble::Assembly<'_>| {
        let n = assembly.n_read();
        if n >= FIRST_ROWS && !is_measured {
            is_measured = true;
            let share = counted.n.load(Ordering::Relaxed) as f64 / n_bytes as f64;
            let likely = if share > 0.0 { n as f64 / share } else { 0.0 };
            if likely > 1.5 * most as f64 {
                return Err(LogError::TooManyRows { most });
            }
            // The reader is ahead of this row, so that there are more.
            assembly.reserve((1.25 * likely) as usize);
        }
        if n > most { Err(LogError::TooManyRows { most }) } else { Ok(()) }
    };
    match assembly.parts() {
        Some(new_part) => opened.for_each_batch(
            &checker,
            "reading logs",
            &counted,
            |file, positions, mut batch, give_back| {
                let mut part = new_part();
                batch.with_rows(|rows| {
                    for raw in rows {
                        part.push(&checker, file, positions, (raw, checker.read(raw, positions)), None);
                    }
                })?;
                batch.give_back(give_back);
                Ok(part)
            },
            |_, _, part, _| {
                assembly.append(part);
                continues(&mut assembly)
            },
        ),
        // Who comes first has the first code.
        None => opened.for_each_row(&checker, "reading logs", &counted, &mut |file, positions, raw, reading| {
            assembly.push(&checker, file, positions, (raw, reading), None);
            continues(&mut assembly)
        }),
    }?;
    let steps = opened.steps(assembly.n_read(), assembly.n_ignored())?;
    let Opened { sources, joined, .. } = opened;
    let log = assembly.finish(sources.into_iter().map(|source| source.file).collect());
    Ok(Log { steps, joined, ..log })
}

/// From so many rows one may tell how many a log has.
const FIRST_ROWS: u64 = 100_000;

/// Counts the bytes that are read.
struct Counted<'a> {
    progress: &'a dyn Progress,
    n: AtomicU64,
}

impl Progress for Counted<'_> {
    fn begin(&self, stage: &str, total: Option<u64>) {
        self.progress.begin(stage, total);
    }

    fn advance(&self, steps: u64) {
        self.n.fetch_add(steps, Ordering::Relaxed);
        self.progress.advance(steps);
    }

    fn end(&self) {
        self.progress.end();
    }

    fn is_cancelled(&self) -> bool {
        self.progress.is_cancelled()
    }
}

/// The files of a log, looked at and ready to be read through.
pub struct Opened {
    pub sources: Vec<source::Source>,
    pub pipelines: pipeline::Pipelines,
    pub joined: Vec<LogFile>,
}

/// Receives the rows of a log: the number of the file of each, where the columns of the mapping lie in it, the row,
/// and what it says.
type RowSink<'s> = dyn FnMut(usize, &[Option<usize>], &raw::RawRow<'_>, row::Reading<'_>) -> Result<(), LogError> + 's;

impl Opened {
    pub fn new(spec: &LogSpec, progress: &dyn Progress) -> Result<Self, LogError> {
        let mut sources = match &spec.frame {
            Some(frame) => vec![read::inspect_frame(frame, spec)?],
            None => read::sources(spec, progress)?,
        };
        read::refuse_repeated_files(&sources, spec)?;
        let mut joined = Vec::new();
        let pipelines = pipeline::pipelines(&mut sources, spec, &mut joined)?;
        Ok(Self { sources, pipelines, joined })
    }

    /// Makes it ready to be read through once more.
    pub fn again(&mut self, spec: &LogSpec) -> Result<(), LogError> {
        self.pipelines = pipeline::pipelines(&mut self.sources, spec, &mut Vec::new())?;
        Ok(())
    }

    /// Hands all rows, as the steps of the study leave and make them, to `sink`.
    pub fn for_each_row(
        &mut self,
        checker: &row::Checker<'_>,
        task: &'static str,
        progress: &dyn Progress,
        sink: &mut RowSink<'_>,
    ) -> Result<(), LogError> {
        let whole = |_, _: &[Option<usize>], batch: Batch, _: &mpsc::Sender<TextBatch>| Ok(batch);
        self.for_each_batch(checker, task, progress, whole, |number, positions, mut batch, give_back| {
            batch.with_rows(|rows| {
                let read = rows.par_iter().with_min_len(ROWS_AT_ONCE).map(|raw| checker.read(raw, positions));
                let readings: Vec<row::Reading<'_>> = read.collect();
                let mut read = rows.iter().zip(readings);
                read.try_for_each(|(raw, reading)| sink(number, positions, raw, reading))
            })??;
            batch.give_back(give_back);
            Ok(())
        })
    }

    /// Hands what `work` makes of the rows, batch by batch on all threads, to `sink`, in their order. Both are told
    /// the number of the file, where the columns of the mapping lie in it, and where batches go that are not needed
    /// any more.
    fn for_each_batch<T: Send>(
        &mut self,
        checker: &row::Checker<'_>,
        task: &'static str,
        progress: &dyn Progress,
        work: impl Fn(usize, &[Option<usize>], Batch, &mpsc::Sender<TextBatch>) -> Result<T, LogError> + Sync,
        mut sink: impl FnMut(usize, &[Option<usize>], T, &mpsc::Sender<TextBatch>) -> Result<(), LogError>,
    ) -> Result<(), LogError> {
        progress.begin(task, Some(self.sources.iter().map(|source| source.file.bytes).sum()));
        let positions =
            positions_of(self.sources.iter().map(|source| &source.output_columns), |list| checker.positions(list));
        let Self { sources, pipelines, .. } = self;
        // One thread takes files apart, all of them work, and this one takes what they made, in its order.
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(BATCHES_AHEAD);
            let (give_back, empty) = mpsc::channel();
            let read = move || take_apart(sources, pipelines, &sender, &empty, progress);
            let reader = spawn(scope, read).map_err(|error| LogError::NoThread { reason: error.to_string() })?;
            let give_back = &give_back;
            each_in_order(
                receiver,
                rayon::current_num_threads(),
                BATCHES_AHEAD,
                |(number, batch): (usize, Batch)| Ok((number, work(number, &positions[number], batch, give_back)?)),
                |(number, result)| sink(number, &positions[number], result, give_back),
            )?;
            reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        progress.end();
        Ok(())
    }

    /// Counts of the steps of the study, of which so many rows came, and so many were ignored behind them.
    ///
    /// # Errors
    ///
    /// If no row came.
    pub fn steps(&self, n_read: u64, n_ignored: u64) -> Result<Vec<StepCount>, LogError> {
        let steps = self.pipelines.counts(n_read, n_ignored);
        if n_read == 0 && !steps.is_empty() {
            let of_step =
                |count: &StepCount| format!("{} {} left {} of {}", count.step, count.detail, count.n_out, count.n_in);
            let said: Vec<String> = steps.iter().map(of_step).collect();
            let reason = format!("they leave no row: {}", said.join("; "));
            return Err(LogError::BadStep { step: "steps".to_owned(), reason });
        }
        if n_read == 0 {
            return Err(LogError::NoRows { path: self.sources[0].file.path.clone() });
        }
        Ok(steps)
    }
}

/// Rows of a batch are read by one thread in pieces of so many at least.
const ROWS_AT_ONCE: usize = 256;

/// So many batches may wait to be taken.
const BATCHES_AHEAD: usize = 4;

/// Sends the rows of all files, with the number of their file, until nobody wants more of them. Batches that were
/// taken come back `empty`.
fn take_apart(
    sources: &mut [source::Source],
    pipelines: &mut pipeline::Pipelines,
    batches: &mpsc::SyncSender<(usize, Batch)>,
    empty: &mpsc::Receiver<TextBatch>,
    progress: &dyn Progress,
) -> Result<(), LogError> {
    for (number, source) in sources.iter_mut().enumerate() {
        let mut n_given = 0;
        let send = |batch| batches.send((number, batch)).map_err(|_| LogError::Cancelled);
        if pipelines.is_empty() && source.is_table() && source.max_rows.is_none() {
            parquet::parts(source, progress, &mut |part| {
                n_given += part.len() as u64;
                if progress.is_cancelled() { Err(LogError::Cancelled) } else { send(Batch::Columns(part)) }
            })?;
            source.file.n_rows = n_given;
            continue;
        }
        let mut batch = TextBatch::default();
        let mut take = |raw: raw::RawRow<'_>| {
            n_given += 1;
            if n_given % 1024 == 0 && progress.is_cancelled() {
                return Err(LogError::Cancelled);
            }
            match batch.push(raw) {
                true => send(Batch::Texts(std::mem::replace(&mut batch, empty.try_recv().unwrap_or_default()))),
                false => Ok(()),
            }
        };
        let read = match pipelines.of(number) {
            Some(pipeline) => pipeline.for_each_row(source, progress, &mut take),
            None => read::for_each_row(source, progress, &mut take),
        };
        // What stands before a fault counts.
        send(Batch::Texts(batch))?;
        read?;
        if pipelines.is_empty() {
            source.file.n_rows = n_given;
        }
    }
    Ok(())
}
