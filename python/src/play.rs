//! Logs read, replayed, labelled and measured.

use std::path::PathBuf;
use std::sync::Arc;

use plymap::plymap_figures::Width;
use plymap::plymap_puzzles::diagnostic::SourceText;
use plymap_log::Frame;
use plymap_report::figures::kinds_table;
use plymap_run::study::Study;
use plymap_run::{RunOptions, named_figures, play_all, study_levels};
use polars::prelude::DataFrame;
use pyo3::prelude::*;
use serde_json::json;

use crate::arrow::frame;
use crate::error::{Failed, word};
use crate::figure::Figure;
use crate::level::Level;
use crate::table::Table;
use crate::work::work;

/// Tables; what was noticed, one sentence for each kind; and the same with the counts of rows, in JSON.
type Found = (Vec<Table>, Vec<String>, String);

/// Returns the study of a file, or of settings in JSON; its log may be a table.
fn study_of(file: Option<PathBuf>, settings: Option<String>, table: Option<DataFrame>) -> Result<Study, Failed> {
    let mut study = match (file, settings) {
        (Some(file), _) => Study::read(&file)?,
        (None, settings) => {
            let settings = settings.unwrap_or_default();
            let settings: toml::Table =
                serde_json::from_str(&settings).map_err(|error| Failed::new(format!("settings: {error}")))?;
            let text = toml::to_string(&settings).map_err(|error| Failed::of(&error))?;
            let source = SourceText { path: "settings".into(), text };
            Study::parse(&Arc::new(source), PathBuf::new())?
        }
    };
    study.log.frame = table.map(Frame);
    Ok(study)
}

/// Returns the figures of these names of a study or log, each with its page.
#[pyfunction]
#[pyo3(signature = (name, file, settings, table, width, show=None))]
pub fn figures(
    py: Python<'_>,
    name: String,
    file: Option<PathBuf>,
    settings: Option<String>,
    table: Option<&Bound<'_, PyAny>>,
    width: &str,
    show: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<Figure>> {
    let table = table.map(frame).transpose()?;
    work(py, show.as_ref(), |progress| {
        let mut study = study_of(file, settings, table)?;
        study.figures.width = word::<Width>("width", width)?;
        let drawings = named_figures(&study, &[name], &RunOptions::default(), progress)?;
        if let (true, Some(part)) = (drawings.illustrations.is_empty(), drawings.failed.first()) {
            return Err(Failed::new(format!("{}: {}; {}", part.name, part.reason, part.remedy)));
        }
        Ok(drawings.illustrations.into_iter().map(|illustration| Figure(illustration.figure)).collect())
    })
}

/// Returns the table of all kinds of figures.
#[pyfunction]
pub fn figure_kinds() -> Table {
    Table(kinds_table())
}

/// Returns the tables of what was played: labelled moves, what was measured of them, and what was rejected; and what
/// was noticed. The study is a file, or settings in JSON whose log may be `table` and whose levels may be `levels`.
#[pyfunction]
#[pyo3(signature = (file, settings, table, levels, show=None))]
pub fn play(
    py: Python<'_>,
    file: Option<PathBuf>,
    settings: Option<String>,
    table: Option<&Bound<'_, PyAny>>,
    levels: Option<Vec<Py<Level>>>,
    show: Option<Bound<'_, PyAny>>,
) -> PyResult<Found> {
    let table = table.map(frame).transpose()?;
    work(py, show.as_ref(), |progress| {
        let study = study_of(file, settings, table)?;
        let levels = match levels {
            Some(levels) => {
                levels.iter().map(|level| level.get().valued(progress)).collect::<Result<Vec<_>, Failed>>()?
            }
            None => study_levels(&study, progress)?.0,
        };
        let play = play_all(&study, &levels, progress)?.ok_or_else(|| Failed::new("the study has no log"))?;
        let mut tables = play.tables(&levels).map_err(|error| Failed::of(&error))?;
        tables.push(play.account.rejects());
        let diagnostics = play.account.diagnostic_summaries();
        let notices = diagnostics.iter().map(ToString::to_string);
        let notices = notices.chain(play.anomalies.iter().map(ToString::to_string)).collect();
        let account = json!({ "rows": play.account.counts, "diagnostics": diagnostics, "anomalies": play.anomalies });
        Ok((tables.into_iter().map(Table).collect(), notices, account.to_string()))
    })
}
