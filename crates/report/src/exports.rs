//! Tables and figures as documents of their own: for Word and for Excel.

use plymap_documents::{Document, DocumentError, Part, Picture, Workbook, apa};
use plymap_figures::Figure;
use plymap_tables::{Codebook, ColumnDoc, Columns, Table, count, text};

use super::codebook::codebook_table;
use super::document::Pictures;
use super::error::ReportError;
use super::figures::Illustration;
use super::page::generated_by;
use super::preview::TablePreview;
use super::settings::DocumentFormat;

/// The most rows of a table in a document for Word.
const MOST_ROWS: usize = 1_000;

/// A document as bytes, and sentences on what it does not hold as it is.
pub type Exported = (Vec<u8>, Vec<String>);

/// Returns tables as a document of this format. A workbook has all of them; a document for Word has all rows of the main columns,
/// and says in a note which columns it leaves out.
///
/// # Errors
/// A table with more rows than a document for Word is for, or than fit into a sheet; one that does not agree with its
/// documentation.
pub fn tables_as(format: DocumentFormat, title: &str, tables: &[&Table]) -> Result<Exported, ReportError> {
    match format {
        DocumentFormat::Docx => Ok((tables_to_document(title, tables)?.to_docx()?, Vec::new())),
        DocumentFormat::Xlsx => {
            let workbook = workbook_of(title, tables)?;
            let notices = workbook.notices().to_vec();
            Ok((workbook.finish()?, notices))
        }
    }
}

fn tables_to_document(title: &str, tables: &[&Table]) -> Result<Document, ReportError> {
    let mut parts = Vec::new();
    for (place, table) in tables.iter().enumerate() {
        let (name, n_rows, most) = (table.name.clone(), table.n_rows(), MOST_ROWS);
        if n_rows > most {
            return Err(DocumentError::TooLong { table: name, n_rows, most }.into());
        }
        let preview = TablePreview::new(table, &name, most)?;
        parts.push(Part::Table(preview.to_apa(place + 1, most, "the format xlsx has all")));
    }
    Ok(Document { title: title.to_owned(), made_by: generated_by(), parts })
}

/// Returns a workbook with the codebook of these tables in its first sheet, and each table in one of its own.
///
/// # Errors
/// A table that does not agree with its documentation.
pub fn workbook_of(title: &str, tables: &[&Table]) -> Result<Workbook, ReportError> {
    let mut workbook = Workbook::new(title, &generated_by())?;
    workbook.add_codebook(&codebook_table(&Codebook::of(tables)))?;
    for table in tables {
        workbook.add(table)?;
    }
    Ok(workbook)
}

/// Returns figures as a document of this format: for Word the pictures with their captions, for Excel the numbers that are
/// drawn.
///
/// # Errors
/// Numbers that do not fit into a workbook.
pub fn figures_as(
    format: DocumentFormat,
    title: &str,
    illustrations: &[Illustration],
    pictures: &Pictures,
) -> Result<Exported, ReportError> {
    match format {
        DocumentFormat::Docx => Ok((figures_to_document(title, illustrations, pictures).to_docx()?, Vec::new())),
        DocumentFormat::Xlsx => {
            let mut workbook = Workbook::new(title, &generated_by())?;
            workbook.add_codebook(&contents(illustrations))?;
            for illustration in illustrations {
                workbook.add(&table_of_numbers(&illustration.figure))?;
            }
            let notices = workbook.notices().to_vec();
            Ok((workbook.finish()?, notices))
        }
    }
}

fn figures_to_document(title: &str, illustrations: &[Illustration], pictures: &Pictures) -> Document {
    let mut parts = Vec::new();
    for (place, Illustration { figure, sentence, .. }) in illustrations.iter().enumerate() {
        let Some(drawn) = pictures.get(&figure.name).cloned() else { continue };
        let is_told = sentence.starts_with(&figure.title);
        parts.push(Part::Figure(Picture {
            number: place + 1,
            title: if figure.title.is_empty() { sentence.clone() } else { figure.title.clone() },
            png: drawn.png,
            width_mm: drawn.width_mm,
            height_mm: drawn.height_mm,
            alt: figure.caption.clone(),
            note: if is_told { Vec::new() } else { apa::note_of(&[&format!("{sentence}.")]) },
        }));
    }
    Document { title: title.to_owned(), made_by: generated_by(), parts }
}

/// The first sheet of a workbook of figures: what each of them shows.
fn contents(illustrations: &[Illustration]) -> Table {
    Columns::new()
        .column(illustrations, text("figure", "the figure"), |page| page.figure.name.clone())
        .column(illustrations, text("title", "its title"), |page| page.figure.title.clone())
        .column(illustrations, text("shows", "what it shows"), |page| page.sentence.clone())
        .column(illustrations, text("caption", "how it is read"), |page| page.figure.caption.clone())
        .column(illustrations, count("n_rows", "rows of its numbers"), |page| page.figure.data.rows.len() as u64)
        .into_table("figures", "What the figures show.")
}

/// The numbers behind a figure as a table: columns of which all cells are numbers hold numbers.
fn table_of_numbers(figure: &Figure) -> Table {
    let meaning = "drawn in the figure; the sheet of all figures says what it shows";
    let mut columns = Columns::new();
    for (place, name) in figure.data.header.iter().enumerate() {
        let cells = || figure.data.rows.iter().map(|row| row[place].as_str());
        let filled = || cells().map(|cell| (!cell.is_empty()).then_some(cell));
        let doc = ColumnDoc::new(name, meaning);
        columns = match cells().all(|cell| cell.is_empty() || is_number(cell)) {
            true => columns.values(
                doc,
                filled().map(|cell| cell.and_then(|cell| cell.parse().ok())).collect::<Vec<Option<f64>>>(),
            ),
            false => columns.values(doc, filled().map(|cell| cell.map(str::to_owned)).collect::<Vec<_>>()),
        };
    }
    columns.into_table(&figure.name, "Numbers of a figure.")
}

/// Returns true if a text is a number and not a name of digits, such as the participant 007.
fn is_number(cell: &str) -> bool {
    let digits = cell.trim_start_matches('-').as_bytes();
    let is_name = matches!(digits, [b'0', b'0'..=b'9', ..]) || cell.starts_with('+');
    !is_name && cell.parse::<f64>().is_ok_and(f64::is_finite)
}
