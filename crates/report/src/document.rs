//! The report as a document for Word: findings, methods, figures and the headline tables, for a manuscript.

use std::collections::BTreeMap;

use plymap_documents::{ApaColumn, ApaTable, Document, Part, Picture, Run, apa};
use plymap_measures::selection::SelectionCount;
use plymap_statistics::stats::apa::{count, counted};

use super::error::ReportError;
use super::page::{Answer, Figure, ReportContent, ReportDiagnostic, RowCounts, Section};
use super::preview::{PreviewCell, PreviewColumn, TablePreview};

/// A figure as a PNG file with its size in print.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// The file.
    pub png: Vec<u8>,
    /// Width, in millimetres.
    pub width_mm: f64,
    /// Height, in millimetres.
    pub height_mm: f64,
}

/// Pictures of figures, by the names of the figures.
pub type Pictures = BTreeMap<String, Drawn>;

/// A document in the making.
struct Writer<'a> {
    pictures: &'a Pictures,
    parts: Vec<Part>,
    n_figures: usize,
    n_tables: usize,
}

impl ReportContent {
    /// The figures that the document shows: those of answers, and the first one of each section.
    pub fn headline_figures(&self) -> impl Iterator<Item = &Figure> {
        let of_answers = self.answers.iter().filter_map(|answer| answer.figure.as_ref());
        of_answers.chain(self.sections.iter().filter_map(|section| section.figures.first()))
    }

    /// Returns the report as a document for Word. A figure without a picture is named, with its files.
    ///
    /// # Errors
    /// Counts that do not add up, or two parts of one name.
    pub fn to_document(&self, pictures: &Pictures) -> Result<Document, ReportError> {
        self.check()?;
        let mut writer = Writer { pictures, parts: Vec::new(), n_figures: 0, n_tables: 0 };
        for paragraph in &self.description {
            writer.paragraph(paragraph);
        }
        writer.parts.push(Part::Paragraph(vec![
            Run::plain("Study "),
            Run::code(&self.study),
            Run::plain(format!(", made by {}.", self.generated_by)),
        ]));
        writer.failed(self);
        if !self.answers.is_empty() || !self.departures.is_empty() {
            writer.heading(1, "Answers");
            if !self.departures.is_empty() {
                writer.paragraph(&format!("{} They are listed below, under Preregistration.", self.departures));
            }
            self.answers.iter().for_each(|answer| writer.answer(answer));
        }
        if !self.methods.is_empty() {
            writer.heading(1, "Methods");
            self.methods.iter().for_each(|paragraph| writer.paragraph(paragraph));
        }
        writer.heading(1, "Data");
        writer.data(self);
        for section in &self.sections {
            writer.section(section);
        }
        if !self.definitions.is_empty() {
            writer.heading(1, "Definitions");
            for definition in &self.definitions {
                let mut runs = vec![Run::bold(&definition.term), Run::plain(": ")];
                runs.extend(apa::with_symbols(&definition.meaning));
                if !definition.formula.is_empty() {
                    runs.extend([Run::plain(" "), Run::code(&definition.formula)]);
                }
                writer.parts.push(Part::Item(runs));
            }
        }
        if !self.references.is_empty() {
            writer.heading(1, "References");
            let references = self.references.iter().map(|reference| Part::Reference(vec![Run::plain(reference)]));
            writer.parts.extend(references);
        }
        writer.heading(1, "How to reproduce");
        writer.paragraph(
            "This command makes the same report from the same inputs; manifest.json has the settings, the seeds and \
                          the checksums of all files.",
        );
        writer.parts.push(Part::Paragraph(vec![Run::code(&self.command)]));
        Ok(Document { title: self.title.clone(), made_by: self.generated_by.clone(), parts: writer.parts })
    }
}

impl Writer<'_> {
    fn heading(&mut self, depth: u8, text: &str) {
        self.parts.push(Part::Heading(depth, text.to_owned()));
    }

    fn paragraph(&mut self, text: &str) {
        self.parts.push(Part::Paragraph(apa::with_symbols(text)));
    }

    fn item(&mut self, text: &str) {
        self.parts.push(Part::Item(apa::with_symbols(text)));
    }

    fn failed(&mut self, content: &ReportContent) {
        if content.failed.is_empty() {
            return;
        }
        self.heading(1, "What could not be made");
        for part in &content.failed {
            self.item(&part.to_string());
        }
    }

    fn answer(&mut self, answer: &Answer) {
        self.heading(2, &answer.question);
        answer.paragraphs.iter().for_each(|paragraph| self.paragraph(paragraph));
        answer.figure.iter().for_each(|figure| self.figure(figure));
    }

    /// Numbers of the study, and what was left out.
    fn data(&mut self, content: &ReportContent) {
        for number in &content.counts {
            self.item(&format!("{}: {}", number.label, count(number.n)));
        }
        if let Some(rows) = &content.rows {
            self.item(&rows_sentence(rows));
        }
        content.selection.iter().for_each(|step| self.item(&selection_sentence(step)));
        if !content.diagnostics.is_empty() {
            self.diagnostics(content);
        }
    }

    /// The rules by which rows were left out.
    fn diagnostics(&mut self, content: &ReportContent) {
        let row = |diagnostic: &ReportDiagnostic| {
            let first = apa::cell(&count(diagnostic.n), true);
            vec![vec![Run::code(&diagnostic.code)], first, vec![Run::plain(&diagnostic.rule)]]
        };
        let column = |head: &str, is_number| ApaColumn { head: vec![Run::plain(head)], is_number };
        let note = match content.diagnostics_file.as_str() {
            "" => String::new(),
            file => format!("Every row is listed in {file}."),
        };
        self.n_tables += 1;
        self.parts.push(Part::Table(ApaTable {
            number: self.n_tables,
            title: "Rows left out".to_owned(),
            columns: vec![column("Rule", false), column("Rows", true), column("What should be so", false)],
            rows: content.diagnostics.iter().map(row).collect(),
            note: apa::note_of(&[&note]),
        }));
    }

    /// The text of a section with its first figure and its first table, which are its headline; the others are named.
    fn section(&mut self, section: &Section) {
        self.heading(1, &section.heading);
        section.paragraphs.iter().for_each(|paragraph| self.paragraph(paragraph));
        let tables = || section.tables.iter().filter(|table| !table.rows.is_empty());
        section.figures.first().iter().for_each(|figure| self.figure(figure));
        tables().take(1).for_each(|table| self.table(table));
        let figures = section.figures.iter().skip(1);
        let figures = figures.filter_map(|figure| {
            Some((apa::title(&figure.caption), figure.files.first().or(figure.data_files.first())?))
        });
        let tables = tables().skip(1).map(|table| (apa::title(&table.caption), &table.file));
        let further: Vec<(&str, &String)> = figures.chain(tables).collect();
        if further.is_empty() {
            return;
        }
        self.paragraph("Further figures and tables:");
        for (title, file) in further {
            self.parts.push(Part::Item(vec![Run::plain(format!("{title}: ")), Run::code(file)]));
        }
    }

    fn figure(&mut self, figure: &Figure) {
        self.n_figures += 1;
        let Some(Drawn { png, width_mm, height_mm }) = self.pictures.get(&figure.name).cloned() else {
            let files = figure.files.join(", ");
            let place = if files.is_empty() { String::new() } else { format!(" ({files})") };
            return self.paragraph(&format!("Figure {}. {}{place}", self.n_figures, figure.caption));
        };
        let numbers = match figure.data_files.as_slice() {
            [] => String::new(),
            files => format!("The numbers are in {}.", files.join(", ")),
        };
        self.parts.push(Part::Figure(Picture {
            number: self.n_figures,
            title: apa::title(&figure.caption).to_owned(),
            png,
            width_mm,
            height_mm,
            alt: figure.alt.clone(),
            note: apa::note_of(&[apa::rest(&figure.caption), &numbers]),
        }));
    }

    fn table(&mut self, table: &TablePreview) {
        self.n_tables += 1;
        self.parts.push(Part::Table(table.to_apa(self.n_tables, MOST_ROWS, &format!("all are in {}", table.file))));
    }
}

/// The most rows of a table in the document of a report.
const MOST_ROWS: usize = 12;

impl TablePreview {
    /// Returns the main columns and first rows as a table in the style of the APA. Its note says what of it is shown, and where
    /// the rest is, as in `all are in tables/trials.csv`.
    pub fn to_apa(&self, number: usize, most_rows: usize, place_of_rest: &str) -> ApaTable {
        let main = || self.columns.iter().enumerate().filter(|(_, column)| column.is_main);
        let column = |(_, column): (usize, &PreviewColumn)| ApaColumn {
            head: apa::head(&column.name, &column.unit),
            is_number: column.numeric,
        };
        let row = |row: &Vec<PreviewCell>| {
            main().map(|(place, column)| apa::cell(&row[place].text, column.numeric)).collect::<Vec<_>>()
        };
        let n_shown = self.rows.len().min(most_rows);
        let (rows, n_columns) = (n_shown < self.n_rows, main().count());
        let columns = n_columns < self.columns.len();
        let shown = [
            rows.then(|| format!("the first {n_shown} of {}", counted(self.n_rows, "row"))),
            columns.then(|| format!("{n_columns} of {}", counted(self.columns.len(), "column"))),
        ];
        let shown: Vec<String> = shown.into_iter().flatten().collect();
        let shown = match shown.is_empty() {
            true => String::new(),
            false => format!("Shown are {}; {place_of_rest}.", shown.join(" and ")),
        };
        let abbreviations = apa::abbreviations(main().map(|(_, column)| column.name.as_str()));
        ApaTable {
            number,
            title: apa::title(&self.caption).to_owned(),
            columns: main().map(column).collect(),
            rows: self.rows.iter().take(most_rows).map(row).collect(),
            note: apa::note_of(&[apa::rest(&self.caption), &abbreviations, &shown]),
        }
    }
}

/// Says what became of the rows that were read.
fn rows_sentence(rows: &RowCounts) -> String {
    let left_out =
        if rows.left_out > 0 { format!(" + {} left out by the study", count(rows.left_out)) } else { String::new() };
    format!(
        "rows read: {} = {} accepted + {} rejected; accepted = {} replayed{left_out} + {} excluded",
        count(rows.read),
        count(rows.accepted),
        count(rows.rejected),
        count(rows.replayed),
        count(rows.excluded)
    )
}

/// Says what a step of the selection left out.
fn selection_sentence(step: &SelectionCount) -> String {
    let (out, left) = (&step.left_out, &step.left);
    format!(
        "{} {} {} ({}): left out {}, {}; left {}, {}",
        step.kind.name(),
        step.of,
        step.condition,
        step.reason,
        counted(out.n_trials, "trial"),
        counted(out.n_participants, "participant"),
        counted(left.n_trials, "trial"),
        counted(left.n_participants, "participant"),
    )
}
