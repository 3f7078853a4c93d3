//! Tables as a workbook for Excel: a sheet for each, and one with the meaning of all columns.

use std::collections::HashSet;

use plymap_tables::{Cell, Cells, Table, check_table};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Worksheet};

use crate::DocumentError;

/// The most rows of a sheet, its head included.
const MAX_ROWS: usize = 1_048_576;

/// The most columns of a sheet.
const MAX_COLUMNS: usize = 16_384;

/// The most characters of a cell, counted as Excel counts them (UTF-16).
const MAX_CHARACTERS: usize = 32_767;

/// The largest whole number that Excel, whose numbers are of double precision, holds exactly.
const MAX_WHOLE: u64 = 1 << 53;

/// The most characters of the name of a sheet.
const MAX_NAME: usize = 31;

/// Widths of columns, in letters, between which they fit what stands in them.
const WIDTHS: [usize; 2] = [6, 60];

/// Number of rows by which widths are chosen.
const ROWS_MEASURED: usize = 200;

/// Number of cells from which rows are kept in a temporary file while the workbook is made.
const MANY_CELLS: usize = 2_000_000;

/// A workbook in the making.
pub struct Workbook {
    book: rust_xlsxwriter::Workbook,
    head: Format,
    names: HashSet<String>,
    n_tables: usize,
    has_codebook: bool,
    notices: Vec<String>,
}

impl Workbook {
    /// A workbook without a sheet. It has no date and no user, so that the same tables give the same bytes.
    ///
    /// # Errors
    /// None in practice.
    pub fn new(title: &str, made_by: &str) -> Result<Self, DocumentError> {
        let mut book = rust_xlsxwriter::Workbook::new();
        // The library writes the time of now where none is given, and 1980 is the first one that a package can name.
        let epoch = ExcelDateTime::from_ymd(1980, 1, 1)?;
        book.set_properties(&DocProperties::new().set_title(title).set_author(made_by).set_creation_datetime(&epoch));
        let head = Format::new().set_bold();
        Ok(Self { book, head, names: HashSet::new(), n_tables: 0, has_codebook: false, notices: Vec::new() })
    }

    /// Adds a table as a sheet. What does not fit is said by [`notices`](Self::notices): a table with more rows or columns than
    /// a sheet is left out; a text that is too long is cut; a whole number that Excel would round is a text.
    ///
    /// # Errors
    /// A table that does not agree with its documentation.
    pub fn add(&mut self, table: &Table) -> Result<(), DocumentError> {
        check_table(table)?;
        let (n_rows, n_columns) = (table.n_rows(), table.columns.len());
        if n_rows >= MAX_ROWS || n_columns > MAX_COLUMNS {
            self.notices.push(format!(
                "{}: {n_rows} rows and {n_columns} columns do not fit into a sheet of Excel, which has {} and {MAX_COLUMNS}; the \
                 table is not in the workbook, take its csv or parquet",
                table.name,
                MAX_ROWS - 1
            ));
            return Ok(());
        }
        let name = self.sheet_name(&table.name);
        let sheet = match n_rows * n_columns > MANY_CELLS {
            true => self.book.add_worksheet_with_low_memory()?,
            false => self.book.add_worksheet(),
        };
        sheet.set_name(name)?;
        sheet.set_freeze_panes(1, 0)?;
        let cells = Cells::of_table(table)?;
        let mut unfit = Unfit::default();
        for (place, (doc, column)) in table.columns.iter().zip(&cells).enumerate() {
            sheet.write_string_with_format(0, place as u16, cut(&doc.name), &self.head)?;
            sheet.set_column_width(place as u16, width(&doc.name, column, n_rows) as f64)?;
        }
        for row in 0..n_rows {
            for (place, column) in cells.iter().enumerate() {
                write_cell(sheet, row, place, column.get(row), &mut unfit)?;
            }
        }
        self.n_tables += 1;
        self.notices.extend(unfit.notices(table));
        Ok(())
    }

    /// Adds a table that explains the others: with it alone a workbook is whole only if nothing was left out.
    ///
    /// # Errors
    /// A table that does not agree with its documentation.
    pub fn add_codebook(&mut self, codebook: &Table) -> Result<(), DocumentError> {
        self.add(codebook)?;
        self.has_codebook = true;
        Ok(())
    }

    /// Adds a sentence on what is not in the workbook, and where it is.
    pub fn add_notice(&mut self, notice: String) {
        self.notices.push(notice);
    }

    /// Sentences on what of the tables does not fit into the workbook, or not as it is; may be none.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Returns the bytes of the workbook, with a last sheet that says what does not fit, if anything does not.
    ///
    /// # Errors
    /// No table that fits.
    pub fn finish(mut self) -> Result<Vec<u8>, DocumentError> {
        let is_explained_only = self.has_codebook && self.n_tables == 1 && !self.notices.is_empty();
        if self.n_tables == 0 || is_explained_only {
            let reason = self.notices.first().map_or("there is no table", String::as_str).to_owned();
            return Err(DocumentError::TooLarge { reason });
        }
        if !self.notices.is_empty() {
            let name = self.sheet_name("not as in the tables");
            let sheet = self.book.add_worksheet();
            sheet.set_name(name)?;
            sheet.set_column_width(0, 120.0)?;
            for (row, notice) in self.notices.iter().enumerate() {
                sheet.write_string(row as u32, 0, cut(notice))?;
            }
        }
        Ok(self.book.save_to_buffer()?)
    }

    /// A name for a sheet that Excel takes and that no other sheet has.
    fn sheet_name(&mut self, name: &str) -> String {
        let is_forbidden = |c: char| c.is_control() || "[]:*?/\\'".contains(c);
        let allowed: String = name.chars().map(|c| if is_forbidden(c) { '_' } else { c }).collect();
        // Excel keeps this name for itself.
        let allowed =
            if allowed.eq_ignore_ascii_case("history") || allowed.is_empty() { format!("{allowed}_") } else { allowed };
        let mut name = start(&allowed, MAX_NAME).to_owned();
        let mut n = 1;
        while !self.names.insert(name.to_lowercase()) {
            n += 1;
            let ending = format!("~{n}");
            name = format!("{}{ending}", start(&allowed, MAX_NAME - ending.len()));
        }
        name
    }
}

/// Cells of a table that are not as they were, with the row of the first, from 1, and its column.
#[derive(Default)]
struct Unfit {
    cut: Option<(usize, usize)>,
    n_cut: usize,
    rounded: Option<(usize, usize)>,
    n_rounded: usize,
}

impl Unfit {
    fn notices(&self, table: &Table) -> impl Iterator<Item = String> {
        let place = |(row, column): (usize, usize)| format!("row {row}, column {}", table.columns[column].name);
        let cut = self.cut.map(|first| {
            format!(
                "{}: {} of more than {MAX_CHARACTERS} characters cut, first at {}; the csv has all of it",
                table.name,
                counted(self.n_cut, "text is", "texts are"),
                place(first)
            )
        });
        let rounded = self.rounded.map(|first| {
            format!(
                "{}: {} beyond 2^53 written as text, first at {}, because Excel would round them",
                table.name,
                counted(self.n_rounded, "whole number is", "whole numbers are"),
                place(first)
            )
        });
        cut.into_iter().chain(rounded)
    }
}

fn counted(n: usize, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

fn write_cell(
    sheet: &mut Worksheet,
    row: usize,
    column: usize,
    cell: Cell,
    unfit: &mut Unfit,
) -> Result<(), DocumentError> {
    let (line, place) = (row as u32 + 1, column as u16);
    match cell {
        Cell::Missing => return Ok(()),
        Cell::Boolean(value) => sheet.write_boolean(line, place, value)?,
        Cell::Integer(value) if value.unsigned_abs() <= MAX_WHOLE => sheet.write_number(line, place, value as f64)?,
        Cell::Unsigned(value) if value <= MAX_WHOLE => sheet.write_number(line, place, value as f64)?,
        Cell::Number(value) if value.is_finite() => sheet.write_number(line, place, value)?,
        // Through its shortest decimal form, so that 0.1 stays 0.1.
        Cell::Single(value) if value.is_finite() => {
            sheet.write_number(line, place, value.to_string().parse::<f64>().unwrap_or(value.into()))?
        }
        Cell::Integer(_) | Cell::Unsigned(_) => {
            unfit.n_rounded += 1;
            unfit.rounded.get_or_insert((row + 1, column));
            sheet.write_string(line, place, cell.to_string())?
        }
        // Excel has no infinity, and nothing that is no number.
        Cell::Number(_) | Cell::Single(_) => sheet.write_string(line, place, cell.to_string())?,
        Cell::Text(value) => {
            let shown = cut(value);
            if shown.len() < value.len() {
                unfit.n_cut += 1;
                unfit.cut.get_or_insert((row + 1, column));
            }
            // As a text, whatever it begins with: never a formula.
            sheet.write_string(line, place, shown)?
        }
    };
    Ok(())
}

/// The text, or as much of it as a cell holds.
fn cut(text: &str) -> &str {
    start(text, MAX_CHARACTERS)
}

/// The first so many characters of a text, counted as Excel does.
fn start(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let mut n = 0;
    let end = text.char_indices().find(|(_, c)| {
        n += c.len_utf16();
        n > most
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// Width of a column in letters: of its name and of its first rows.
fn width(name: &str, cells: &Cells, n_rows: usize) -> usize {
    let shown = (0..n_rows.min(ROWS_MEASURED)).map(|row| match cells.get(row) {
        // Shown in a cell with as many digits as fit.
        Cell::Number(_) | Cell::Single(_) => 10,
        Cell::Text(value) => value.chars().count(),
        other => other.to_string().len(),
    });
    shown.max().unwrap_or(0).max(name.chars().count() + 1).clamp(WIDTHS[0], WIDTHS[1])
}
