//! Results as files: tables, figures and the page that shows both.

use crate::study::Study;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::claims::Checked;
use plymap_report::figures::section::PLAYERS;
use plymap_report::figures::{Illustration, Kind, Sketch};
use plymap_report::settings::{DocumentFormat, ResultFormat};
use plymap_report::{
    ANALYSIS_SCRIPT, Count, Definition, FailedPart, Figure, Manifest, OutputFolder, PartKind, REPORT_PAGE,
    ReportContent, ReportError, Section, TablePreview, claims, generated_by, write_codebook,
};
use plymap_tables::parallel::map_in_order;
use plymap_tables::{Format, Table, render, write_table};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::answers::Answer;
use super::documents::{write_document, write_workbook};
use super::drawings::{Drawings, pictures, write_figures};
use super::files::{make_folder, write};
use super::options::CLAIMS;
use super::parts::attempt;
use super::{Play, RunError, RunOptions, continues, manifest, no_script_error};

/// The most rows of a table that the report shows; the file has all.
pub(super) const ROWS_SHOWN: usize = 20;

/// The section that is of everybody, whoever was drawn for the others.
const OF_ALL: &str = PLAYERS;

/// The folder of a run while it is written. It appears, or replaces an earlier run, when it is committed.
pub struct Publication<'a> {
    study: &'a Study,
    study_file: &'a Path,
    folder: OutputFolder,
    options: &'a RunOptions,
    progress: &'a dyn Progress,
}

impl<'a> Publication<'a> {
    /// A hidden folder beside `target`.
    pub fn new(
        study: &'a Study,
        study_file: &'a Path,
        target: &Path,
        options: &'a RunOptions,
        progress: &'a dyn Progress,
    ) -> Result<Self, RunError> {
        Ok(Self { study, study_file, folder: OutputFolder::create(target)?, options, progress })
    }

    /// Returns the folder in which the publication lies until it is committed.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes tables into the folder `tables`.
    pub fn write_tables<'t>(&self, tables: impl IntoIterator<Item = &'t Table>) -> Result<(), RunError> {
        let folder = self.path().join("tables");
        make_folder(&folder)?;
        let tables: Vec<&Table> = tables.into_iter().collect();
        self.progress.begin("writing tables", Some(tables.len() as u64));
        map_in_order(tables.clone(), |table| {
            write_table(table, &folder, &self.study.output.tables)?;
            self.progress.advance(1);
            continues(self.progress)
        })?;
        self.progress.end();
        if self.study.output.documents.contains(&DocumentFormat::Xlsx) {
            write_workbook(self.path(), self.study, &tables)?;
        }
        Ok(())
    }

    /// Writes tables of statistics for a paper, into the folder `results`.
    pub fn write_results<'t>(&self, tables: impl Iterator<Item = &'t Table>) -> Result<(), RunError> {
        if self.study.output.results.is_empty() {
            return Ok(());
        }
        let folder = self.path().join("results");
        make_folder(&folder)?;
        let tables: Vec<&Table> = tables.collect();
        self.progress.begin("writing results", Some(tables.len() as u64));
        map_in_order(tables, |table| {
            for format in &self.study.output.results {
                let rendered = match format {
                    ResultFormat::Markdown => render(table, Format::Markdown)?,
                    ResultFormat::Latex => render(table, Format::Latex)?,
                };
                write(&folder.join(format!("{}.{}", table.name, format.extension())), rendered.as_bytes())?;
            }
            self.progress.advance(1);
            continues(self.progress)
        })?;
        self.progress.end();
        Ok(())
    }

    /// Draws figures, and writes them into the folder `figures`.
    pub fn draw_figures(&self, sketches: Vec<Sketch>) -> Result<Drawings, RunError> {
        self.write_figures(|| {
            let mut drawings = Drawings::default();
            drawings.draw(sketches, &self.study.figures.styles_of_page(), "")?;
            Ok(drawings)
        })
    }

    /// Writes figures that are drawn here into the folder `figures`.
    pub fn write_figures(&self, draw: impl FnOnce() -> Result<Drawings, RunError>) -> Result<Drawings, RunError> {
        self.progress.begin("drawing figures", None);
        let mut drawings = draw()?;
        self.progress.end();
        let folder = self.path().join("figures");
        let (settings, cache) = (&self.study.figures, self.options.cache.as_ref());
        drawings.failed.extend(write_figures(settings, &drawings.illustrations, &folder, cache, self.progress)?);
        Ok(drawings)
    }

    /// The page that `plymap COMMAND` of this study writes, with these tables and figures to show.
    pub fn page<'p>(&'p self, command: &str, tables: &'p [Table], drawings: &'p Drawings) -> Page<'p> {
        let study = self.study;
        let file = self.study_file.file_name().unwrap_or_default().to_string_lossy();
        let content = ReportContent {
            study: study.study.name.clone(),
            title: study.title().to_owned(),
            generated_by: generated_by(),
            command: format!("plymap {command} {file}{}", self.options.words()),
            failed: drawings.failed.clone(),
            ..ReportContent::default()
        };
        let options = self.options;
        Page {
            study,
            tables,
            n_rows: BTreeMap::new(),
            remark: None,
            illustrations: &drawings.illustrations,
            file: file.into_owned(),
            can_redraw: false,
            options,
            content,
        }
    }

    /// Writes the page, as HTML, as Markdown and, with these figures, for Word; what of the run could not be made, pages
    /// included.
    pub fn write_page(&self, mut content: ReportContent, drawings: &Drawings) -> Result<Vec<FailedPart>, RunError> {
        type Render = fn(&ReportContent) -> Result<String, ReportError>;
        let pages: [(&str, Render); 2] =
            [(REPORT_PAGE, ReportContent::to_html), ("report.md", ReportContent::to_markdown)];
        for (name, render) in pages {
            match attempt(PartKind::Page, name, || render(&content))? {
                Ok(page) => write(&self.path().join(name), page.as_bytes())?,
                Err(failed) => content.failed.push(failed),
            }
        }
        if self.study.output.documents.contains(&DocumentFormat::Docx) {
            let shown: BTreeSet<&str> = content.headline_figures().map(|figure| figure.name.as_str()).collect();
            let drawn = drawings.illustrations.iter().map(|page| &page.figure);
            let drawn = drawn.filter(|figure| shown.contains(figure.name.as_str()));
            let folder = self.path().join("figures");
            let pictures = pictures(drawn, &self.study.figures, &folder, self.options.cache.as_ref(), self.progress)?;
            if let Err(failed) =
                attempt(PartKind::Page, "report.docx", || write_document(self.path(), &content, &pictures))?
            {
                content.failed.push(failed);
            }
        }
        Ok(content.failed)
    }

    /// Writes the script that redoes the main results from the tables.
    pub fn write_script(&self) -> Result<(), RunError> {
        write(&self.path().join("analysis.py"), ANALYSIS_SCRIPT.as_bytes())
    }

    /// Returns the manifest of every run of this study, see [`manifest()`], with the parts that could not be made.
    pub fn manifest(
        &self,
        level_files: &[PathBuf],
        play: Option<&Play>,
        levels: &[ValuedLevel],
        failed: Vec<FailedPart>,
    ) -> Result<Manifest, RunError> {
        let mut manifest = manifest(self.study, self.study_file, level_files, play, levels)?;
        manifest.failed = failed;
        if !self.options.are_usual() {
            let RunOptions { only, is_fast, .. } = self.options;
            manifest.study["run"] = serde_json::json!({ "only": only, "fast": is_fast });
        }
        Ok(manifest)
    }

    /// Writes the manifest and lets the folder appear; the number of its files, the manifest included.
    pub fn commit(self, mut manifest: Manifest, levels: &[ValuedLevel]) -> Result<u64, RunError> {
        write_codebook(self.path(), self.study.title())?;
        manifest.write(self.path())?;
        no_script_error(levels)?;
        continues(self.progress)?;
        self.folder.commit()?;
        Ok(manifest.outputs.len() as u64 + 1)
    }
}

/// A report page in the making, and the tables and figures that its sections can show.
pub struct Page<'a> {
    study: &'a Study,
    tables: &'a [Table],
    /// Numbers of rows of those tables of which only the first are held.
    n_rows: BTreeMap<String, usize>,
    /// Remark on the sample that the analyses are of; none if they are of everybody.
    remark: Option<String>,
    illustrations: &'a [Illustration],
    /// Name of the file of the study, as commands take it.
    file: String,
    /// True if `plymap figures` draws its figures.
    can_redraw: bool,
    /// Options of the run, which choose the sections.
    pub options: &'a RunOptions,
    /// Content of the page so far.
    pub content: ReportContent,
}

impl Page<'_> {
    /// Says of whom the analyses are, and how many rows tables have of which only the first are held.
    pub fn of(mut self, play: Option<&Play>, n_rows: BTreeMap<String, usize>) -> Self {
        let sample = play.and_then(|play| play.sample.as_ref());
        self.remark = sample.map(|sample| format!("What is said of people here is of {sample}."));
        self.n_rows = n_rows;
        self
    }

    /// Says in the title what the study was asked.
    pub fn about(&mut self, what: &str) -> &mut Self {
        self.content.title = format!("{}: {what}", self.study.title());
        self
    }

    /// Shows with each figure the command that draws it again.
    pub fn can_redraw(&mut self) -> &mut Self {
        self.can_redraw = true;
        self
    }

    /// Adds a number with its label.
    pub fn count(&mut self, label: &str, n: u64) -> &mut Self {
        self.content.counts.push(Count::new(label, n));
        self
    }

    /// Adds the definition of a term; the rule as a formula or setting may be empty.
    pub fn define(&mut self, term: &str, meaning: impl Into<String>, formula: impl Into<String>) -> &mut Self {
        let (meaning, formula) = (meaning.into(), formula.into());
        self.content.definitions.push(Definition { term: term.to_owned(), meaning, formula });
        self
    }

    /// The game of the study and its settings.
    pub fn define_game(&mut self) -> &mut Self {
        let settings = (self.study.game().settings)(&self.study.rule_options());
        let rules = settings.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join("; ");
        self.define("game", format!("the rules are those of {}", self.study.game().title), rules)
    }

    /// A section with the figures of these kinds, and the tables of these names.
    pub fn section(
        &mut self,
        id: &str,
        heading: &str,
        paragraphs: Vec<String>,
        figures: &[Kind],
        tables: &[&str],
    ) -> Result<&mut Self, RunError> {
        if !self.options.shows(id) {
            return Ok(self);
        }
        let chosen = self.illustrations.iter().filter(|illustration| figures.contains(&illustration.kind));
        let tables = tables.iter().filter_map(|name| self.tables.iter().find(|table| table.name == *name));
        let section = Section {
            id: id.to_owned(),
            heading: heading.to_owned(),
            paragraphs: match &self.remark {
                Some(remark) if id != OF_ALL => std::iter::once(remark.clone()).chain(paragraphs).collect(),
                _ => paragraphs,
            },
            figures: chosen
                .collect::<Vec<_>>()
                .chunk_by(|page, next| page.name == next.name)
                .map(|pages| self.figure(pages))
                .collect(),
            figures_above: Vec::new(),
            tables: tables.map(|table| self.preview(table)).collect::<Result<_, _>>()?,
        };
        self.content.sections.push(section);
        Ok(self)
    }

    /// An answer at the head of the page, with its figure out of the section that has it. Nothing where there is no answer, or
    /// the page does not have the section with the details.
    pub(super) fn answer(&mut self, Answer { question, sentences, figure, section }: Answer) {
        let Some(place) = self.content.sections.iter().position(|known| known.id == section) else { return };
        if sentences.is_empty() {
            return;
        }
        let is_meant = |illustration: &&Illustration| figure.is_some_and(|figure| figure.is_shown_by(illustration));
        let names: Vec<&str> = self.illustrations.iter().filter(is_meant).map(|page| page.name.as_str()).collect();
        let shown = |figure: &Figure| names.contains(&figure.name.as_str());
        let of_section = self.content.sections.iter_mut().find(|section| section.figures.iter().any(shown));
        let figure = of_section.and_then(|section| {
            let place = section.figures.iter().position(shown)?;
            let figure = section.figures.remove(place);
            section.figures_above.push(figure.name.clone());
            Some(figure)
        });
        let heading = self.content.sections[place].heading.clone();
        let answer =
            plymap_report::Answer { question, paragraphs: sentences, figure, section: section.to_owned(), heading };
        self.content.answers.push(answer);
    }

    /// The claims of the study, if it makes any.
    pub fn claims(&mut self, claims: &[Checked]) -> Result<&mut Self, RunError> {
        if claims.is_empty() {
            return Ok(self);
        }
        self.section(CLAIMS, "Claims", vec![claims::sentence(claims)], &[], &["claims"])
    }

    fn preview(&self, table: &Table) -> Result<TablePreview, ReportError> {
        let mut preview = TablePreview::new(table, &self.table_file(&table.name), ROWS_SHOWN)?;
        preview.n_rows = self.n_rows.get(&table.name).copied().unwrap_or(preview.n_rows);
        Ok(preview)
    }

    /// A figure of the page: all pages of one sketch.
    fn figure(&self, pages: &[&Illustration]) -> Figure {
        let first = pages[0];
        let named = |extension: &'static str| pages.iter().map(move |page| format!("{}.{extension}", page.figure.name));
        let is_made = |name: &String| !self.content.failed.iter().any(|part| part.name == *name);
        let file = |name: String| format!("figures/{name}");
        let formats = self.study.figures.formats.iter().map(|format| format.extension());
        // What does not stand above the drawing is said below it.
        let statistic = if self.study.figures.titles { "" } else { first.figure.subtitle.as_str() };
        let sentence = match statistic {
            "" => first.sentence.clone(),
            statistic => format!("{statistic}. {}", first.sentence),
        };
        Figure {
            name: first.name.clone(),
            screens: first.screens.clone(),
            caption: caption(&first.title, &sentence),
            alt: first.figure.caption.clone(),
            data_files: named("csv").filter(is_made).map(file).collect(),
            files: formats.flat_map(named).filter(is_made).map(file).collect(),
            command: match self.can_redraw {
                true => format!("plymap figures {} --out figures --only {}", self.file, first.name),
                false => String::new(),
            },
        }
    }

    /// The tables that it can show.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter()
    }

    /// The file of a table, from the folder of the run.
    pub fn table_file(&self, name: &str) -> String {
        let extension = self.study.output.tables.first().map_or("csv", |format| format.extension());
        format!("tables/{name}.{extension}")
    }
}

/// Returns the caption of a figure: its title, so that the figures of a set can be told from each other, and the
/// sentence that says what is seen, which may itself begin with the title.
fn caption(title: &str, sentence: &str) -> String {
    match title.trim_end_matches('.') {
        title if title.is_empty() || sentence.starts_with(title) => format!("{sentence}."),
        title => format!("{title}. {sentence}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caption_begins_with_the_title_of_its_figure() {
        let sentence = "Medians over participants of the trials that they solved first, second, and so on";
        assert_eq!(caption("Change over trials: time", sentence), format!("Change over trials: time. {sentence}."));
        let named = "Regret of people and simulated players, at the levels that people played";
        assert_eq!(caption("Regret of people and simulated players", named), format!("{named}."));
        assert_eq!(caption("", sentence), format!("{sentence}."));
        assert_eq!(caption("A title.", "It is so"), "A title. It is so.");
    }
}
