//! Results as files: tables, figures and the page that shows both.

use std::path::Path;

use rayon::prelude::*;

use super::RunError;
use crate::figures::Illustration;
use crate::report::{
    Figure, Format, OutputFolder, ReportContent, ReportError, Section, TablePreview, render, write_table,
};
use crate::study::{FigureFormat, ResultFormat, Study};
use crate::table::Table;
use plymap_figures::begins_with;
use plymap_puzzles::progress::Progress;

/// The most rows of a table that the report shows; the file has all.
const ROWS_SHOWN: usize = 20;

/// Writes one file.
fn write(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let failed = |source| ReportError::Io { action: "write", path: path.to_owned(), source };
    Ok(std::fs::write(path, bytes).map_err(failed)?)
}

/// Makes a folder, and those above it.
pub(crate) fn make_folder(path: &Path) -> Result<(), RunError> {
    let failed = |source| ReportError::Io { action: "make the folder", path: path.to_owned(), source };
    Ok(std::fs::create_dir_all(path).map_err(failed)?)
}

/// Writes tables into the folder `tables` of a run.
pub(crate) fn write_tables(
    study: &Study,
    tables: &[Table],
    folder: &OutputFolder,
    progress: &dyn Progress,
) -> Result<(), RunError> {
    let folder = folder.path().join("tables");
    make_folder(&folder)?;
    progress.begin("writing tables", Some(tables.len() as u64));
    for table in tables {
        write_table(table, &folder, &study.output.tables)?;
        progress.advance(1);
        if progress.is_cancelled() {
            return Err(RunError::Interrupted);
        }
    }
    progress.end();
    Ok(())
}

/// Writes tables of statistics for a paper, into the folder `results` of a run.
pub(crate) fn write_results<'a>(
    study: &Study,
    tables: impl Iterator<Item = &'a Table>,
    folder: &OutputFolder,
) -> Result<(), RunError> {
    if study.output.results.is_empty() {
        return Ok(());
    }
    let folder = folder.path().join("results");
    make_folder(&folder)?;
    for table in tables {
        for format in &study.output.results {
            let rendered = match format {
                ResultFormat::Markdown => render(table, Format::Markdown)?,
                ResultFormat::Latex => render(table, Format::Latex)?,
            };
            write(&folder.join(format!("{}.{}", table.name, format.extension())), rendered.as_bytes())?;
        }
    }
    Ok(())
}

/// Writes the page of a run, as HTML and as Markdown.
pub(crate) fn write_report(content: &ReportContent, folder: &OutputFolder) -> Result<(), RunError> {
    write(&folder.path().join("report.html"), content.to_html()?.as_bytes())?;
    write(&folder.path().join("report.md"), content.to_markdown()?.as_bytes())
}

/// Writes the script that redoes the main results from the tables.
pub(crate) fn write_script(folder: &OutputFolder) -> Result<(), RunError> {
    write(&folder.path().join("analysis.py"), include_bytes!("../report/analysis.py"))
}

/// Writes figures into a folder: the numbers of each, and its drawing in the formats of the study.
pub(crate) fn write_figures(
    study: &Study,
    illustrations: &[Illustration],
    folder: &Path,
    progress: &dyn Progress,
) -> Result<(), RunError> {
    make_folder(folder)?;
    progress.begin("writing figures", Some(illustrations.len() as u64));
    illustrations.par_iter().try_for_each(|illustration| {
        let figure = &illustration.figure;
        let file = |extension: &str| folder.join(format!("{}.{extension}", figure.name));
        write(&file("csv"), figure.to_csv()?.as_bytes())?;
        for format in &study.figures.formats {
            match format {
                FigureFormat::Svg => write(&file("svg"), figure.svg.as_bytes())?,
                FigureFormat::Pdf => write(&file("pdf"), &figure.to_pdf()?)?,
                FigureFormat::Png => write(&file("png"), &figure.to_png(f64::from(study.figures.dpi))?)?,
            }
        }
        progress.advance(1);
        if progress.is_cancelled() { Err(RunError::Interrupted) } else { Ok(()) }
    })?;
    progress.end();
    Ok(())
}

/// What a report can show: the tables and figures that were made.
pub(crate) struct Parts<'a> {
    study: &'a Study,
    tables: &'a [Table],
    illustrations: &'a [Illustration],
    /// The command that draws the figures again, without the name of one.
    command: Option<&'a str>,
}

impl<'a> Parts<'a> {
    pub fn new(study: &'a Study, tables: &'a [Table], illustrations: &'a [Illustration]) -> Self {
        Self { study, tables, illustrations, command: None }
    }

    /// The same parts, each figure with the command that draws it again.
    pub fn drawn_by(self, command: &'a str) -> Self {
        Self { command: Some(command), ..self }
    }

    /// A section with the figures whose names are these words or begin with them, and the tables of these names.
    pub fn section(
        &self,
        id: &str,
        heading: &str,
        paragraphs: Vec<String>,
        figures: &[&str],
        tables: &[&str],
    ) -> Result<Section, RunError> {
        let chosen =
            self.illustrations.iter().filter(|one| figures.iter().any(|words| begins_with(&one.figure.name, words)));
        let tables = tables.iter().filter_map(|name| self.tables.iter().find(|table| table.name == *name));
        Ok(Section {
            id: id.to_owned(),
            heading: heading.to_owned(),
            paragraphs,
            figures: chosen.map(|illustration| self.figure(illustration)).collect(),
            tables: tables
                .map(|table| TablePreview::new(table, &self.table_file(&table.name), ROWS_SHOWN))
                .collect::<Result<_, _>>()?,
        })
    }

    fn figure(&self, Illustration { figure, sentence }: &Illustration) -> Figure {
        let file = |extension: &str| format!("figures/{}.{extension}", figure.name);
        Figure {
            name: figure.name.clone(),
            svg: figure.svg.clone(),
            caption: caption(&figure.caption, sentence),
            alt: figure.caption.clone(),
            data_file: file("csv"),
            files: self.study.figures.formats.iter().map(|format| file(format.extension())).collect(),
            command: self.command.map_or(String::new(), |command| format!("{command} --only {}", figure.name)),
        }
    }

    /// The file of a table, from the folder of the run.
    pub fn table_file(&self, name: &str) -> String {
        let extension = self.study.output.tables.first().map_or("csv", |format| format.extension());
        format!("tables/{name}.{extension}")
    }
}

/// What stands under a figure: its title, so that the figures of a set can be told from each other, and the sentence
/// that says what is seen, which may itself begin with the title. What a figure shows begins with its title.
fn caption(shown: &str, sentence: &str) -> String {
    match shown.split_once(". ").map_or(shown.trim_end_matches('.'), |(title, _)| title) {
        title if title.is_empty() || sentence.starts_with(title) => format!("{sentence}."),
        title => format!("{title}. {sentence}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caption_begins_with_the_title_of_its_figure() {
        let seen = "Medians over participants of the trials that they solved first, second, and so on";
        let said = caption("Change over trials: time. 452 solved trials. Marks are computed points.", seen);
        assert_eq!(said, format!("Change over trials: time. {seen}."));
        let named = "Regret of people and simulated players, at the levels that people played";
        assert_eq!(caption("Regret of people and simulated players. 36 people.", named), format!("{named}."));
        assert_eq!(caption("", seen), format!("{seen}."));
        assert_eq!(caption("A title.", "It is so"), "A title. It is so.");
    }
}
