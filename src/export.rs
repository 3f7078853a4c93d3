//! The log and the state graphs of a study in the formats of other programs.
//!
//! Exports have what a run analyses: the rows of the table `moves`, after the selections of the study. A folder
//! appears whole or not at all, with a manifest in it; so does the one file of XES.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use attempts::Attempts;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::{OutputFiles, ReportError};
use plymap_run::publish::Publication;
use plymap_run::study::Study;
use plymap_run::{USUAL, level_stems, no_script_error, play_all, study_levels};
use plymap_tables::did_you_mean::nearest;
use plymap_tables::{TableError, failed};

mod attempts;
mod bids;
mod dataset;
mod error;
mod graph;
mod psych_ds;
mod xes;
mod xml;

pub use error::ExportError;

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

/// Summary of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportSummary {
    /// Number of files written, the manifest included.
    pub n_files: u64,
    /// Number of rows of the log in them; 0 for graphs.
    pub n_rows: u64,
    /// Number of levels whose graphs or rows were asked for.
    pub n_levels: u64,
}

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
    let attempts = || Attempts::new(study, played.as_ref(), (&levels, &chosen), format.name());
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

/// Destination of an export.
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
