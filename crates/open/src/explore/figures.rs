//! Figures and tables of a view, as files.

use axum::http::StatusCode;
use plymap_figures::Screen;
use plymap_measures::measure::trials_table;
use plymap_puzzles::progress::Silent;
use plymap_report::figures::{KINDS, Subject};
use plymap_report::settings::DocumentFormat;
use plymap_report::tables_as;
use plymap_run::{Results, RunOptions, illustrate, statistics};
use plymap_tables::{Table, TableFormat, write_table};
use serde::Deserialize;

use super::View;
use crate::problem::Problem;

/// Resolution of PNG pictures, in dots per inch.
const DPI: f64 = 300.0;

/// Content type of text with commas.
const CSV: &str = "text/csv; charset=utf-8";

/// Format of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FigureFormat {
    /// Vectors, for pages.
    #[default]
    Svg,
    /// Vectors, for print.
    Pdf,
    /// Pixels.
    Png,
    /// The numbers that are drawn.
    Csv,
}

/// Request of a figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureRequest {
    /// Kind of the figure, as `plymap figures` names it.
    pub kind: String,
    /// Format of the file.
    #[serde(default)]
    pub format: FigureFormat,
    /// Name of the figure, where there are several of a kind; the first where it is not given.
    #[serde(default)]
    pub name: Option<String>,
    /// Screen that an SVG is drawn for; as printed where it is not given.
    #[serde(default)]
    pub screen: Option<Screen>,
}

/// Format of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableFormatWord {
    /// Text with commas.
    #[default]
    Csv,
    /// A workbook, with the meaning of each column.
    Xlsx,
    /// A table in the style of the APA.
    Docx,
}

/// Request of a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableRequest {
    /// Name of the table.
    pub name: String,
    /// Format of the file.
    #[serde(default)]
    pub format: TableFormatWord,
}

/// A file to look at or to save.
#[derive(Debug)]
pub struct ViewFile {
    /// Name of the file.
    pub name: String,
    /// Content type.
    pub kind: &'static str,
    /// Content.
    pub bytes: Vec<u8>,
}

impl View {
    /// Draws a figure.
    ///
    /// # Errors
    ///
    /// There is no such figure of this view, or it cannot be drawn.
    pub fn figure(&self, request: &FigureRequest) -> Result<ViewFile, Problem> {
        let kind = KINDS
            .iter()
            .find(|kind| kind.kind.name() == request.kind && kind.subject != Subject::Baseline)
            .ok_or_else(|| Problem::missing(format!("there is no figure {:?}", request.kind)))?;
        let mut study = self.study.clone();
        study.figures.only = vec![request.name.as_ref().unwrap_or(&request.kind).clone()];
        let levels = &self.filter.level;
        study.figures.levels = levels.clone();
        let analyses: Vec<_> = study
            .statistics
            .analyses()
            .filter(|analysis| kind.analysis().is_some_and(|needed| needed.name == analysis.name))
            .collect();
        let options = RunOptions::default();
        let statistics = statistics(&study, &self.play, &self.levels, &analyses, &options, &Silent)?;
        let results = Results { play: Some(&self.play), comparison: None, statistics: Some(&statistics) };
        let styles = if request.screen.is_some() { study.figures.styles_of_page() } else { study.figures.styles() };
        let drawings = illustrate(&study, &styles, &self.levels, &results, &options)?;
        let illustration = drawings
            .illustrations
            .iter()
            .find(|illustration| request.name.as_ref().is_none_or(|name| *name == illustration.figure.name));
        let Some(illustration) = illustration else {
            let reason = drawings
                .failed
                .first()
                .map_or("there is nothing to draw it from".to_owned(), |part| part.reason.clone());
            return Err(Problem::missing(format!("{}: {reason}", request.kind)));
        };
        let figure = &illustration.figure;
        let failed =
            |error: plymap_figures::ChartError| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string());
        let (extension, kind, bytes) = match request.format {
            FigureFormat::Svg => {
                let drawn = request.screen.and_then(|screen| illustration.screens.of(screen).first());
                ("svg", "image/svg+xml", drawn.unwrap_or(&figure.svg).as_bytes().to_vec())
            }
            FigureFormat::Pdf => ("pdf", "application/pdf", figure.to_pdf().map_err(failed)?),
            FigureFormat::Png => ("png", "image/png", figure.to_png(DPI).map_err(failed)?),
            FigureFormat::Csv => ("csv", CSV, figure.to_csv().map_err(failed)?.into_bytes()),
        };
        Ok(ViewFile { name: format!("{}.{extension}", figure.name), kind, bytes })
    }

    /// Writes a table.
    ///
    /// # Errors
    ///
    /// There is no such table.
    pub fn table(&self, request: &TableRequest) -> Result<ViewFile, Problem> {
        let table = self.named_table(&request.name)?;
        let (extension, kind) = match request.format {
            TableFormatWord::Csv => ("csv", CSV),
            TableFormatWord::Xlsx => ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
            TableFormatWord::Docx => {
                ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
            }
        };
        let bytes = match request.format {
            TableFormatWord::Csv => csv_of(&table)?,
            TableFormatWord::Xlsx => tables_as(DocumentFormat::Xlsx, self.study.title(), &[&table])?.0,
            TableFormatWord::Docx => tables_as(DocumentFormat::Docx, self.study.title(), &[&table])?.0,
        };
        Ok(ViewFile { name: format!("{}.{extension}", table.name), kind, bytes })
    }

    fn named_table(&self, name: &str) -> Result<Table, Problem> {
        if name == "trials" {
            return Ok(trials_table(&self.play.measures));
        }
        let tables = self.play.tables(&self.levels)?;
        let table = tables.into_iter().find(|table| table.name == name);
        table.ok_or_else(|| Problem::missing(format!("there is no table {name:?}")))
    }
}

fn csv_of(table: &Table) -> Result<Vec<u8>, Problem> {
    let failed = |error: std::io::Error| Problem::conflict(format!("the table cannot be written: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let written = write_table(table, folder.path(), &[TableFormat::Csv])?;
    std::fs::read(written.first().expect("one format is one file")).map_err(failed)
}
