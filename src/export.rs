//! The log and the state graphs of a study in the formats of other programs.
//!
//! What is exported is what a run analyses: the rows of the table `moves`, after the selections of the study. A folder
//! appears whole or not at all, with a manifest in it; so does the one file of XES.

use crate::run::publish::Publication;
use crate::run::{Play, RunError, USUAL, errors_of_a_run, level_stems, no_script_error, play_all, study_levels};
use crate::study::Study;
use plymap_measures::label::LabelledAttempt;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::{OutputFiles, ReportError};
use plymap_tables::did_you_mean::nearest;
use plymap_tables::{FileError, Table, TableError, failed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use polars::prelude::{IdxCa, PolarsError};

mod bids;
mod graph;
mod psych_ds;
mod xes;
mod xml;

/// A format of other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// Psych-DS, a folder: the log as CSV with schema.org metadata.
    PsychDs,
    /// The Brain Imaging Data Structure, a folder: the log as one TSV file for each participant and session.
    Bids,
    /// The eXtensible Event Stream (IEEE 1849), a file: each attempt a trace.
    Xes,
    /// GraphML, a folder: the state graph of each level.
    Graphml,
    /// GEXF, a folder: the state graph of each level.
    Gexf,
}

impl ExportFormat {
    /// All of them by their names.
    const ALL: [(&str, Self); 5] = [
        ("psych-ds", Self::PsychDs),
        ("bids", Self::Bids),
        ("xes", Self::Xes),
        ("graphml", Self::Graphml),
        ("gexf", Self::Gexf),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }
}

impl FromStr for ExportFormat {
    type Err = TableError;

    fn from_str(word: &str) -> Result<Self, TableError> {
        let known = || Self::ALL.map(|(name, _)| name).join(", ");
        let named = Self::ALL.iter().find(|(name, _)| *name == word).map(|(_, format)| *format);
        named.ok_or_else(|| TableError::UnknownFormat { word: word.to_owned(), known: known() })
    }
}

/// What an export did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportSummary {
    /// Number of files written, the manifest included.
    pub n_files: u64,
    /// Number of rows of the log in them; 0 for graphs.
    pub n_rows: u64,
    /// Number of levels whose graphs or rows were asked for.
    pub n_levels: u64,
}

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// What a run can fail of too.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The study has no level of that name.
    #[error("--level names {level:?}, and the study has no such level; {hint}")]
    UnknownLevel {
        /// The name.
        level: String,
        /// The name that was meant, or those that there are.
        hint: String,
    },
    /// The format is of logs, and there is none.
    #[error("the study has no log, and {format} is a format of logs; name one in files of [log]")]
    NoLog {
        /// The format.
        format: &'static str,
    },
    /// No row is left to be written.
    #[error("no row of the logs was replayed at these levels; plymap check says why")]
    NothingPlayed,
    /// The graph of a level is not known.
    #[error("level {level:?} is not mapped: its game values positions without a map, so that there is no graph")]
    NotMapped {
        /// The level.
        level: String,
    },
}

errors_of_a_run!(ExportError: ReportError, FileError, TableError, PolarsError);

/// Exports a study to `target`, a file for XES and a folder for the other formats: the levels of these names, or all
/// where none is given.
///
/// # Errors
///
/// [`ExportError`]; nothing was written, and what was at `target` is as it was.
pub fn export(
    study: &Study,
    study_file: &Path,
    format: ExportFormat,
    only: &[String],
    target: &Path,
    progress: &dyn Progress,
) -> Result<ExportSummary, ExportError> {
    let has_log = study.log_spec().is_some();
    if !has_log && !matches!(format, ExportFormat::Graphml | ExportFormat::Gexf) {
        return Err(ExportError::NoLog { format: format.name() });
    }
    // A place that cannot be written to is refused before levels are mapped.
    let place = match format {
        ExportFormat::Xes => Place::file(target)?,
        _ => Place::Folder(Publication::new(study, study_file, target, &USUAL, progress)?),
    };
    let (levels, level_files) = study_levels(study, progress)?;
    let chosen = chosen(&levels, only)?;
    let played = play_all(study, &levels, progress)?;
    let attempts = || Attempts::new(study, played.as_ref(), (&levels, &chosen), format);
    let path = match &place {
        Place::File(files, name) => &files.path().join(name),
        Place::Folder(publication) => publication.path(),
    };
    let graphs = |kind| graph::write(kind, &chosen, &level_stems(&levels), played.as_ref(), path, progress).map(|()| 0);
    let written = |write: &dyn Fn(&Attempts<'_>) -> Result<(), ExportError>| {
        let attempts = attempts()?;
        write(&attempts).map(|()| attempts.n_rows())
    };
    let n_rows = match format {
        ExportFormat::Graphml => graphs(graph::Kind::Graphml)?,
        ExportFormat::Gexf => graphs(graph::Kind::Gexf)?,
        ExportFormat::Bids => written(&|attempts| bids::write(attempts, path, progress))?,
        ExportFormat::PsychDs => written(&|attempts| psych_ds::write(attempts, path))?,
        ExportFormat::Xes => written(&|attempts| xes::write(attempts, path, progress))?,
    };
    let n_files = match place {
        Place::File(files, _) => {
            no_script_error(&levels)?;
            files.commit()?;
            1
        }
        Place::Folder(publication) => {
            let manifest = publication.manifest(&level_files, played.as_ref(), &levels, Vec::new())?;
            publication.commit(manifest, &levels)?
        }
    };
    Ok(ExportSummary { n_files, n_rows, n_levels: chosen.len() as u64 })
}

/// Where an export goes.
enum Place<'a> {
    /// A file of this name.
    File(OutputFiles, PathBuf),
    Folder(Publication<'a>),
}

impl Place<'_> {
    fn file(target: &Path) -> Result<Self, ReportError> {
        let name = target.file_name().filter(|_| !target.is_dir());
        let name = name.ok_or_else(|| failed("write", target)(std::io::ErrorKind::IsADirectory.into()))?;
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self::File(OutputFiles::create(parent)?, name.into()))
    }
}

/// The levels of these names, in the order of the study; all where none is given.
fn chosen<'a>(levels: &'a [ValuedLevel], only: &[String]) -> Result<Vec<&'a ValuedLevel>, ExportError> {
    let known = || levels.iter().map(|level| level.id.as_str());
    if let Some(level) = only.iter().find(|name| known().all(|known| known != *name)) {
        let hint = match nearest(level, known()) {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!("it has {}", known().collect::<Vec<_>>().join(", ")),
        };
        return Err(ExportError::UnknownLevel { level: level.clone(), hint });
    }
    Ok(levels.iter().filter(|level| only.is_empty() || only.contains(&level.id)).collect())
}

/// What people did at the chosen levels.
struct Attempts<'a> {
    study: &'a Study,
    /// The table `moves`, of all levels.
    moves: Table,
    /// The attempts at the chosen levels; their rows are those of `moves`.
    chosen: Vec<&'a LabelledAttempt>,
}

impl<'a> Attempts<'a> {
    fn new(
        study: &'a Study,
        play: Option<&'a Play>,
        (levels, chosen): (&[ValuedLevel], &[&ValuedLevel]),
        format: ExportFormat,
    ) -> Result<Self, ExportError> {
        let play = play.ok_or(ExportError::NoLog { format: format.name() })?;
        let is_chosen = |attempt: &&LabelledAttempt| chosen.iter().any(|level| level.id == attempt.level);
        let chosen: Vec<_> = play.labelled.attempts.iter().filter(is_chosen).collect();
        if chosen.is_empty() {
            return Err(ExportError::NothingPlayed);
        }
        Ok(Self { study, moves: play.all_moves(levels)?, chosen })
    }

    fn n_rows(&self) -> u64 {
        self.chosen.iter().map(|attempt| attempt.rows.len() as u64).sum()
    }

    /// The rows of `moves` that belong to these attempts.
    fn rows_of(&self, attempts: &[&LabelledAttempt]) -> Result<Table, PolarsError> {
        let rows = attempts.iter().flat_map(|attempt| attempt.rows.clone()).map(|row| row as u32).collect();
        let data = self.moves.data.take(&IdxCa::from_vec("row".into(), rows))?;
        Ok(Table { data, ..self.moves.clone() })
    }

    /// What the study says of itself, or what a row is.
    fn description(&self) -> &str {
        self.study.study.description.as_deref().unwrap_or(&self.moves.caption)
    }
}

/// Letters and digits for each name, which is all that names of files may hold in BIDS and Psych-DS. Names that have
/// nothing else stay as they are. Of others what is left stays; where that is nothing or is taken already, be it in
/// capitals, a number makes it another.
fn labels<'a>(names: impl Iterator<Item = &'a str>, if_empty: &str) -> BTreeMap<&'a str, String> {
    let letters = |name: &str| name.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let mut names: Vec<(bool, &str)> = names.map(|name| (name.is_empty() || letters(name) != name, name)).collect();
    names.sort_unstable();
    names.dedup();
    let mut labels = BTreeMap::new();
    let mut taken = std::collections::HashSet::new();
    for (_, name) in names {
        let kept = letters(name);
        let stem = if kept.is_empty() { if_empty } else { &kept };
        let numbered = (2_u64..).map(|number| format!("{stem}{number}"));
        // Some systems do not tell small letters from capitals in names of files.
        let label = std::iter::once(stem.to_owned()).chain(numbered).find(|label| taken.insert(label.to_lowercase()));
        labels.extend(label.map(|label| (name, label)));
    }
    labels
}

/// The label of one name.
fn label(name: &str, if_empty: &str) -> String {
    labels(std::iter::once(name), if_empty).remove(name).unwrap_or_default()
}

/// JSON with its line break.
fn write_json(path: &Path, value: &serde_json::Value) -> Result<(), ExportError> {
    let text = serde_json::to_string_pretty(value).map_err(ReportError::from)? + "\n";
    Ok(crate::run::publish::write(path, text.as_bytes())?)
}

fn continues(progress: &dyn Progress) -> Result<(), RunError> {
    if progress.is_cancelled() { Err(RunError::Interrupted) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_letters_and_digits_and_differ() {
        let names = ["p-01", "p01", "P01", "é", "", "p_01", "p 2"];
        let labels = labels(names.into_iter(), "none");
        let expected = [
            ("", "none"),
            ("P01", "P01"),
            ("p 2", "p2"),
            ("p-01", "p013"),
            ("p01", "p012"),
            ("p_01", "p014"),
            ("é", "none2"),
        ];
        assert_eq!(labels, expected.map(|(name, label)| (name, label.to_owned())).into());
        assert_eq!(label("tower-of-hanoi", "study"), "towerofhanoi");
    }
}
