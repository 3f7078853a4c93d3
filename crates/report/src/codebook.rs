//! The codebook of a run for readers: `codebook.html`, and `codebook.xlsx` with all columns in one sheet.

use std::fs;
use std::path::Path;

use minijinja::context;
use minijinja::value::{Serde, Value};
use plymap_documents::Workbook;
use plymap_tables::{Codebook, Columns, Table, failed, text};

use super::error::ReportError;
use super::page::{STYLE, csp_hash, environment, generated_by};

/// Makes the codebook of the tables that were written into the folder of a run, as JSON, HTML and a workbook, in the place of
/// the JSON file beside each table; nothing where there is no table.
///
/// # Errors
/// A file that cannot be read, written or removed.
pub fn write_codebook(run: &Path, title: &str) -> Result<(), ReportError> {
    let Some(codebook) = Codebook::gather(run)? else { return Ok(()) };
    let files =
        [("codebook.html", to_html(&codebook, title)?.into_bytes()), ("codebook.xlsx", to_xlsx(&codebook, title)?)];
    for (name, bytes) in files {
        let path = run.join(name);
        fs::write(&path, bytes).map_err(failed("write", &path))?;
    }
    Ok(())
}

/// The codebook as one HTML file that fetches nothing.
fn to_html(codebook: &Codebook, title: &str) -> Result<String, ReportError> {
    let context = context! {
        codebook => Value::from(Serde(codebook)), title => title, generated_by => generated_by(),
        style => STYLE, style_hash => csp_hash(STYLE),
    };
    Ok(environment()?.get_template("codebook.html")?.render(context)?)
}

fn to_xlsx(codebook: &Codebook, title: &str) -> Result<Vec<u8>, ReportError> {
    let mut workbook = Workbook::new(&format!("Codebook: {title}"), &generated_by())?;
    workbook.add_codebook(&codebook_table(codebook))?;
    Ok(workbook.finish()?)
}

/// Returns a codebook as a table with a row for each column of each table.
pub(super) fn codebook_table(codebook: &Codebook) -> Table {
    let rows: Vec<_> =
        codebook.tables.iter().flat_map(|table| table.columns.iter().map(move |column| (table, column))).collect();
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Columns::new()
        .column(&rows, text("table", "the table"), |(table, _)| table.name.clone())
        .column(&rows, text("column", "the column"), |(_, column)| column.name.clone())
        .column(&rows, text("type", "type of its values"), |(_, column)| column.r#type.clone())
        .column(&rows, text("meaning", "what a value means"), |(_, column)| column.meaning.clone())
        .column(&rows, text("unit", "unit of its values; empty for counts, names and flags"), |(_, column)| {
            some(&column.unit)
        })
        .column(&rows, text("levels", "the values that it can take, where they are few, with semicolons"), |row| {
            some(&row.1.levels.join("; "))
        })
        .column(&rows, text("caption", "what a row of the table is"), |(table, _)| table.caption.clone())
        .into_table("codebook", "What the columns of all tables mean.")
}
