//! Figures and tables of a view, as files.

use std::sync::Arc;

use axum::http::StatusCode;
use plymap_figures::Screen;
use plymap_measures::measure::trials_table;
use plymap_puzzles::progress::Silent;
use plymap_report::figures::{Illustration, KINDS, Subject};
use plymap_report::settings::DocumentFormat;
use plymap_report::tables_as;
use plymap_run::{Drawings, NO_SUCH_FIGURE, Results, RunOptions, illustrate, statistics};
use plymap_tables::{Table, TableFormat, write_table};
use serde::{Deserialize, Serialize};

use super::View;
use super::drawn::FiguresRequest;
use crate::problem::Problem;

/// Resolution of PNG pictures, in dots per inch.
const DPI: f64 = 300.0;

/// Content type of drawings.
const SVG: &str = "image/svg+xml";

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

/// Request of a page of a figure. Pages add `asked`, the time at which they ask, to have another address after a change.
#[derive(Clone, Debug, Deserialize)]
pub struct FigureRequest {
    /// The figures of which it is one.
    #[serde(flatten)]
    pub of: FiguresRequest,
    /// Name of the figure; the first where it is not given.
    #[serde(default)]
    pub figure: Option<String>,
    /// Number of the page, from 1.
    #[serde(default)]
    pub page: Option<String>,
    /// Format of the file.
    #[serde(default)]
    pub format: FigureFormat,
    /// Screen that an SVG is drawn for; as printed where it is not given.
    #[serde(default)]
    pub screen: Option<Screen>,
}

/// A figure that is drawn.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct FigureView {
    name: String,
    title: String,
    /// Number of its pages in print, and of its drawings for a wide and for a narrow window.
    n_pages: usize,
    n_wide: usize,
    n_narrow: usize,
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
    /// Returns the figures of a kind, in the order of the report.
    ///
    /// # Errors
    ///
    /// There is no such figure of this view, or it cannot be drawn.
    pub fn figures(&self, request: &FiguresRequest) -> Result<Vec<FigureView>, Problem> {
        let drawings = self.drawings(request, true)?;
        let mut figures: Vec<FigureView> = Vec::new();
        for page in &drawings.illustrations {
            match figures.last_mut().filter(|figure| figure.name == page.name) {
                Some(figure) => figure.n_pages += 1,
                None => figures.push(FigureView {
                    name: page.name.clone(),
                    title: page.title.clone(),
                    n_pages: 1,
                    n_wide: page.screens.wide.len(),
                    n_narrow: page.screens.narrow.len(),
                }),
            }
        }
        Ok(figures)
    }

    /// Draws a page of a figure.
    ///
    /// # Errors
    ///
    /// There is no such page of a figure of this view, or it cannot be drawn.
    pub fn figure(&self, request: &FigureRequest) -> Result<ViewFile, Problem> {
        let drawings = self.drawings(&request.of, request.screen.is_some())?;
        let first = drawings.illustrations.first().map(|page| page.name.clone());
        let name = request.figure.clone().or(first).unwrap_or_default();
        let pages: Vec<&Illustration> = drawings.illustrations.iter().filter(|page| page.name == name).collect();
        let number = request.page.as_deref().unwrap_or("1");
        let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let index = index.ok_or_else(|| Problem::bad(format!("page = {number:?}: say a number from 1")))?;
        let missing = || Problem::missing(format!("the figure {name:?} has no page {number}"));
        if let Some(screen) = request.screen.filter(|_| request.format == FigureFormat::Svg) {
            let drawn = pages.first().and_then(|page| page.screens.of(screen).get(index)).ok_or_else(missing)?;
            return Ok(ViewFile { name: format!("{name}.svg"), kind: SVG, bytes: drawn.as_bytes().to_vec() });
        }
        let figure = &pages.get(index).ok_or_else(missing)?.figure;
        let failed =
            |error: plymap_figures::ChartError| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string());
        let (extension, kind, bytes) = match request.format {
            FigureFormat::Svg => ("svg", SVG, figure.svg.as_bytes().to_vec()),
            FigureFormat::Pdf => ("pdf", "application/pdf", figure.to_pdf().map_err(failed)?),
            FigureFormat::Png => ("png", "image/png", figure.to_png(DPI).map_err(failed)?),
            FigureFormat::Csv => ("csv", CSV, figure.to_csv().map_err(failed)?.into_bytes()),
        };
        Ok(ViewFile { name: format!("{}.{extension}", figure.name), kind, bytes })
    }

    /// Draws the figures of a kind, once.
    fn drawings(&self, request: &FiguresRequest, is_for_page: bool) -> Result<Arc<Drawings>, Problem> {
        self.drawn.get((request.clone(), is_for_page), || self.draw(request, is_for_page))
    }

    fn draw(&self, request: &FiguresRequest, is_for_page: bool) -> Result<Drawings, Problem> {
        let kind = KINDS
            .iter()
            .find(|kind| kind.kind.name() == request.kind && kind.subject != Subject::Baseline)
            .ok_or_else(|| Problem::missing(format!("there is no figure {:?}", request.kind)))?;
        let mut study = self.study.clone();
        study.figures.only = vec![request.name.as_ref().unwrap_or(&request.kind).clone()];
        study.figures.levels.clone_from(&self.filter.level);
        study.figures.first_groups.extend(request.first.clone());
        let analyses: Vec<_> = study
            .statistics
            .analyses()
            .filter(|analysis| kind.analysis().is_some_and(|needed| needed.name == analysis.name))
            .collect();
        let options = RunOptions::default();
        let statistics = statistics(&study, &self.play, &self.levels, &analyses, &options, &Silent)?;
        let results = Results { play: Some(&self.play), comparison: None, statistics: Some(&statistics) };
        let styles = if is_for_page { study.figures.styles_of_page() } else { study.figures.styles() };
        let mut drawings = illustrate(&study, &styles, &self.levels, &results, &options)?;
        let is_meant = |name: &str| request.name.as_ref().is_none_or(|wanted| wanted == name);
        drawings.illustrations.retain(|page| page.kind == kind.kind && is_meant(&page.name));
        if drawings.illustrations.is_empty() {
            let failed = drawings.failed.first().filter(|part| part.reason != NO_SUCH_FIGURE);
            return Err(match failed {
                Some(part) => Problem::missing(format!("{}: {}", request.kind, part.reason)),
                None => Problem::missing(format!("there is no figure {:?} of these rows", request.kind))
                    .says("no_figure", []),
            });
        }
        Ok(drawings)
    }

    /// Writes a table.
    ///
    /// # Errors
    ///
    /// There is no such table.
    pub fn table(&self, request: &TableRequest) -> Result<ViewFile, Problem> {
        self.file_of(&self.named_table(&request.name)?, request.format)
    }

    /// Writes a table as a file of a format.
    pub(super) fn file_of(&self, table: &Table, format: TableFormatWord) -> Result<ViewFile, Problem> {
        let (extension, kind) = match format {
            TableFormatWord::Csv => ("csv", CSV),
            TableFormatWord::Xlsx => ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
            TableFormatWord::Docx => {
                ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
            }
        };
        let bytes = match format {
            TableFormatWord::Csv => csv_of(table)?,
            TableFormatWord::Xlsx => tables_as(DocumentFormat::Xlsx, self.study.title(), &[table])?.0,
            TableFormatWord::Docx => tables_as(DocumentFormat::Docx, self.study.title(), &[table])?.0,
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
