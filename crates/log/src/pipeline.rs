//! The steps of a log, row by row: each takes a row and gives none, one or several.
//!
//! Nothing is held but what a step needs: the row above (`fill`), the first half of a pair, a joined file. A row that
//! is faulty in its file, or that a step cannot read, goes past the rest of the steps and is rejected with its reason.

use crate::paths::PathColumn;
use crate::paths::Paths;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::error::LogError;
use super::log_file::LogFile;
use super::pipeline_step::{PipelineStep, StepCount};
use super::raw::RawRow;
use super::raw::Sink;
use super::read;
use super::source::Source;
use super::spec::{ColumnSpec, IGNORE, LogSpec};
use plymap_puzzles::progress::{Progress, Silent};

mod columns;
mod expression;
mod join;
mod notation;
mod pair;
mod python;
mod rows;
mod split;
mod step;
#[cfg(test)]
mod tests;
mod wide;

use step::{PipelineContext, Row, Step, StepContext};

pub(super) use columns::ColumnSet;
pub use split::n_nested;

/// The steps of files with the same columns.
pub(super) struct Pipeline {
    steps: Vec<Box<dyn Step>>,
    counts: Vec<StepCount>,
    columns: ColumnSet,
    /// Of the file, then of its path.
    n_of_file: usize,
    /// Cells from the path of the file that is read, by the numbers of columns.
    of_path: Vec<(usize, String)>,
    nulls: HashSet<String>,
    /// Numbers of the columns that rows have in the end.
    output_columns: Vec<usize>,
    /// Their names.
    names: Arc<[String]>,
}

impl Pipeline {
    /// Prepares the steps for `source`. Files that are joined are put into `joined`.
    fn new(
        source: &Source,
        of_path: &[PathColumn],
        templates: &[&str],
        context: &PipelineContext<'_>,
        joined: &mut Vec<LogFile>,
    ) -> Result<Self, LogError> {
        let mut columns = ColumnSet::default();
        for name in source.columns.iter() {
            columns.add(name);
        }
        let n_of_file = source.columns.len();
        for (name, _) in of_path {
            if columns.has(name) {
                let reason = format!("the file has a column {name:?} already; give that part another name");
                return Err(LogError::BadStep { step: "path".to_owned(), reason });
            }
            columns.add(name);
        }
        let nulls = context.spec.null_values().into_iter().map(str::to_owned).collect();
        let mut pipeline = Self {
            steps: Vec::new(),
            counts: Vec::new(),
            columns,
            n_of_file,
            of_path: Vec::new(),
            nulls,
            output_columns: Vec::new(),
            names: Arc::default(),
        };
        pipeline.tell(of_path);
        for setting in &context.spec.steps {
            let step = new_step(setting, source, &mut pipeline.columns, context, joined)?;
            let finds_columns = step.finds_columns();
            pipeline.steps.push(step);
            pipeline.counts.push(StepCount {
                step: setting.name().to_owned(),
                detail: detail(setting),
                ..StepCount::default()
            });
            // The steps behind it look columns up when they are made, so that they must be known now.
            if finds_columns {
                pipeline.find_columns(source)?;
            }
        }
        for template in templates {
            let step_context = StepContext { step: "columns", path: &source.file.path, pipeline: context };
            pipeline.steps.push(Box::new(rows::Compose::new(template, &mut pipeline.columns, &step_context)?));
            let detail = (*template).to_owned();
            pipeline.counts.push(StepCount { step: "columns".to_owned(), detail, ..StepCount::default() });
        }
        pipeline.output_columns = pipeline.columns.there().map(|(number, _)| number).collect();
        pipeline.names = pipeline.columns.there().map(|(_, name)| name.to_owned()).collect();
        Ok(pipeline)
    }

    /// Takes over what the path of a file says.
    fn tell(&mut self, of_path: &[PathColumn]) {
        let numbered = |(name, text): &PathColumn| Some((self.columns.number(name), text.clone()?));
        self.of_path = of_path.iter().filter_map(numbered).collect();
    }

    /// Goes through the whole file, so that the last step so far sees all columns that it makes. Nothing is kept of it
    /// but these.
    fn find_columns(&mut self, source: &Source) -> Result<(), LogError> {
        let counts = self.counts.clone();
        read::for_each_row(source, &Silent, &mut |raw| {
            let row = self.row(&raw);
            self.push(0, row, &mut |_| Ok(()))
        })?;
        self.counts = counts;
        for step in &mut self.steps {
            step.end(&mut Vec::new());
            step.take_undecided();
        }
        Ok(())
    }

    /// `true` if a step makes columns that only the rows tell.
    fn finds_columns(&self) -> bool {
        self.steps.iter().any(|step| step.finds_columns())
    }

    /// Hands what the steps make of the rows of `source` to `sink`.
    pub(super) fn for_each_row(
        &mut self,
        source: &mut Source,
        progress: &dyn Progress,
        sink: &mut Sink<'_>,
    ) -> Result<(), LogError> {
        let columns = self.output_columns.clone();
        let mut give = |row: Row| {
            let cells: Vec<Option<&str>> = columns.iter().map(|&number| row.get(number)).collect();
            sink(RawRow { line: row.line, cells: &cells, fault: row.fault.clone(), notices: &row.notices })
        };
        let mut n_rows = 0;
        // Rows go through all steps one by one: nothing is held but what a step waits for.
        let read = read::for_each_row(source, progress, &mut |raw| {
            n_rows += 1;
            let row = self.row(&raw);
            self.push(0, row, &mut give)
        });
        source.file.n_rows = n_rows;
        read?;
        for step in 0..self.steps.len() {
            let mut rows = Vec::new();
            self.steps[step].end(&mut rows);
            for row in rows {
                self.counts[step].n_out += 1;
                self.push(step + 1, row, &mut give)?;
            }
        }
        for (count, step) in self.counts.iter_mut().zip(&mut self.steps) {
            count.n_undecided += step.take_undecided();
        }
        Ok(())
    }

    fn row(&self, raw: &RawRow<'_>) -> Row {
        let present = |text: &&str| !text.is_empty() && !self.nulls.contains(*text);
        let mut cells: Vec<Option<String>> =
            raw.cells.iter().take(self.n_of_file).map(|cell| cell.filter(present).map(str::to_owned)).collect();
        cells.resize(self.n_of_file, None);
        let cells = Arc::new(cells);
        let mut row = Row { line: raw.line, cells, fault: raw.fault.clone(), ..Row::default() };
        for (number, text) in &self.of_path {
            row.set(*number, Some(text.clone()));
        }
        row
    }

    /// Takes a row through the stages from the one at `first` on.
    fn push(
        &mut self,
        first: usize,
        row: Row,
        give: &mut dyn FnMut(Row) -> Result<(), LogError>,
    ) -> Result<(), LogError> {
        // No step may look at cells that cannot be trusted.
        if first == self.steps.len() || row.fault.is_some() {
            return give(row);
        }
        let mut rows = Vec::new();
        self.steps[first].take(row, &mut self.columns, &mut rows);
        let count = &mut self.counts[first];
        count.n_in += 1;
        count.n_out += rows.len() as u64;
        count.n_left_out += u64::from(rows.is_empty() && self.steps[first].leaves_out());
        for row in rows {
            self.push(first + 1, row, give)?;
        }
        Ok(())
    }
}

/// The steps of all files; those with the same columns share theirs, so that many files take no more memory than few.
#[derive(Default)]
pub(super) struct Pipelines {
    distinct: Vec<Pipeline>,
    /// Of each file, which of them, and what its path tells.
    of_files: Vec<(usize, Vec<PathColumn>)>,
    /// By what makes them alike: where no row has to be looked at, the columns of the file and of its path, else also
    /// those that were found, with whether rows have them.
    known: HashMap<Alike, usize>,
}

/// Columns of a file, and of its path; those behind the steps.
type Alike = (Arc<[String]>, Vec<String>, Option<ColumnSet>);

impl Pipelines {
    /// `true` if the rows of the files are used as they are.
    pub(super) fn is_empty(&self) -> bool {
        self.distinct.is_empty()
    }

    /// The steps of a file, ready for its rows.
    pub(super) fn of(&mut self, file: usize) -> Option<&mut Pipeline> {
        let (number, cells) = self.of_files.get(file)?;
        let pipeline = &mut self.distinct[*number];
        pipeline.tell(cells);
        Some(pipeline)
    }

    /// Number of pipelines.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.distinct.len()
    }

    /// The number of the steps for a file, which are made where there are none that fit.
    fn fitting(
        &mut self,
        source: &Source,
        path_columns: &[PathColumn],
        templates: &[&str],
        context: &PipelineContext<'_>,
        joined: &mut Vec<LogFile>,
    ) -> Result<usize, LogError> {
        let of_path: Vec<String> = path_columns.iter().map(|(name, _)| name.clone()).collect();
        let mut alike = (Arc::clone(&source.columns), of_path, None);
        if let Some(&number) = self.known.get(&alike) {
            return Ok(number);
        }
        let pipeline = Pipeline::new(source, path_columns, templates, context, joined)?;
        if pipeline.finds_columns() {
            alike.2 = Some(pipeline.columns.clone());
        }
        let number = *self.known.entry(alike).or_insert(self.distinct.len());
        if number == self.distinct.len() {
            self.distinct.push(pipeline);
        }
        Ok(number)
    }

    /// Counts of the steps over all files, with the rows that were ignored after them.
    pub(super) fn counts(&self, n_read: u64, n_ignored: u64) -> Vec<StepCount> {
        let mut sums: Vec<StepCount> = Vec::new();
        for pipeline in &self.distinct {
            match sums.is_empty() {
                true => sums.clone_from(&pipeline.counts),
                false => {
                    for (sum, count) in sums.iter_mut().zip(&pipeline.counts) {
                        sum.n_in += count.n_in;
                        sum.n_out += count.n_out;
                        sum.n_left_out += count.n_left_out;
                        sum.n_undecided += count.n_undecided;
                    }
                }
            }
        }
        if n_ignored > 0 {
            let (step, detail) = ("events".to_owned(), IGNORE.to_owned());
            let n_in = n_read + n_ignored;
            sums.push(StepCount { step, detail, n_in, n_out: n_read, n_left_out: n_ignored, n_undecided: 0 });
        }
        sums
    }
}

/// The steps of all files, whose columns become those behind the last step; none where the rows of the files are used
/// as they are.
pub(super) fn pipelines(
    sources: &mut [Source],
    spec: &LogSpec,
    joined: &mut Vec<LogFile>,
) -> Result<Pipelines, LogError> {
    let mut pipelines = Pipelines::default();
    let templates: Vec<&str> = spec
        .columns
        .values()
        .chain(spec.usual_columns.values())
        .filter_map(|column| match column {
            ColumnSpec::Template { template } => Some(template.as_str()),
            _ => None,
        })
        .collect();
    if spec.steps.is_empty() && spec.path.is_none() && spec.entities.is_empty() && templates.is_empty() {
        return Ok(pipelines);
    }
    let mut lists = HashSet::new();
    let of_files = sources.iter().map(|source| read::shared(&mut lists, &source.columns));
    let known = of_files.collect::<HashSet<_>>().iter().flat_map(|list| list.iter().cloned()).collect();
    let mut context = PipelineContext { spec, known, is_part: read::is_part(spec)? };
    let paths = Paths::new(spec)?;
    let mut of_files: Vec<(Result<usize, LogError>, Vec<PathColumn>)> = Vec::with_capacity(sources.len());
    for source in sources.iter() {
        let cells = paths.told_by(source)?;
        of_files.push((pipelines.fitting(source, &cells, &templates, &context, joined), cells));
    }
    // What steps make of the rows of one file, another may lack: of a participant who left before the first move.
    context.known.extend(pipelines.distinct.iter().flat_map(|pipeline| pipeline.columns.names()));
    // Where no file fits the setting is wrong, and its first error says more than a second try.
    let none_fits = of_files.iter().all(|(number, _)| number.is_err());
    for (source, (number, told)) in sources.iter_mut().zip(of_files) {
        let number = match number {
            Err(_) if !none_fits => pipelines.fitting(source, &told, &templates, &context, joined)?,
            number => number?,
        };
        source.output_columns = Arc::clone(&pipelines.distinct[number].names);
        pipelines.of_files.push((number, told));
    }
    Ok(pipelines)
}

fn new_step(
    setting: &PipelineStep,
    source: &Source,
    columns: &mut ColumnSet,
    context: &PipelineContext<'_>,
    joined: &mut Vec<LogFile>,
) -> Result<Box<dyn Step>, LogError> {
    let path: &Path = &source.file.path;
    let step_context = StepContext { step: setting.name(), path, pipeline: context };
    Ok(match setting {
        PipelineStep::Where(text) => Box::new(rows::Where::new(text, columns, &step_context)?),
        PipelineStep::Set(set) => Box::new(rows::Set::new(set, columns, &step_context)?),
        PipelineStep::Fill(fill) => Box::new(rows::Fill::new(fill, columns, &step_context)?),
        PipelineStep::Replace(replace) => Box::new(rows::Replace::new(replace, columns, &step_context)?),
        PipelineStep::Notation(notation) => Box::new(notation::Rewrite::new(notation, columns, &step_context)?),
        PipelineStep::Split(split) => Box::new(split::Split::new(split, columns, &step_context)?),
        PipelineStep::Wide(wide) => Box::new(wide::Wide::new(wide, columns, &step_context)?),
        PipelineStep::Pair(pair) => Box::new(pair::Pair::new(pair, columns, &step_context)?),
        PipelineStep::Join(join) => Box::new(join::Join::new(join, columns, &step_context, joined)?),
    })
}

/// Setting of a step, on one line.
fn detail(step: &PipelineStep) -> String {
    let list = |names: &[String]| names.join(", ");
    match step {
        PipelineStep::Where(text) => text.clone(),
        PipelineStep::Set(set) => {
            set.iter().map(|(name, text)| format!("{name} = {text}")).collect::<Vec<_>>().join(", ")
        }
        PipelineStep::Fill(fill) => list(&fill.columns),
        PipelineStep::Split(split) => list(&[std::slice::from_ref(&split.column), &split.with, &split.into].concat()),
        PipelineStep::Wide(wide) => wide.columns.values().cloned().collect::<Vec<_>>().join(", "),
        PipelineStep::Replace(replace) => replace.column.clone(),
        PipelineStep::Notation(notation) => list(&notation.read),
        PipelineStep::Pair(pair) => format!("{} with {}", pair.first, pair.second),
        PipelineStep::Join(join) => join.file.display().to_string(),
    }
}
