//! Tables for reading: on a terminal, in a manuscript, in another program.

use std::fmt::{self, Write as _};
use std::path::Path;
use std::str::FromStr;

use crate::cells::{Cell, Cells};
use crate::table::{ColumnDoc, Table};
use crate::text_grid::Grid;
use crate::write::{Dialect, check_table, write_delimited};
use crate::{TableError, failed};
use plymap_statistics::stats::apa;

/// Output format of a printed table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Aligned columns, rounded for reading.
    #[default]
    Table,
    /// A list with one object for each row; exact.
    Json,
    /// CSV, as in the files of a run; exact.
    Csv,
    /// Like CSV with tabs for commas; exact.
    Tsv,
    /// A Markdown table with its caption, rounded for reading.
    Markdown,
    /// A LaTeX document with the table in it, rounded for reading.
    Latex,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] =
        [Format::Table, Format::Json, Format::Csv, Format::Tsv, Format::Markdown, Format::Latex];

    /// The word that asks for it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Table => "table",
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Markdown => "markdown",
            Format::Latex => "latex",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = TableError;

    fn from_str(word: &str) -> Result<Self, TableError> {
        Self::ALL.into_iter().find(|format| format.name() == word).ok_or_else(|| TableError::UnknownFormat {
            word: word.to_owned(),
            known: Self::ALL.map(Format::name).join(", "),
        })
    }
}

/// Limits on the rows, digits and width of a table printed for reading. Files that are read by programs are never
/// rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Print {
    /// Rows to print; all where absent. What is left out is said below the table.
    pub max_rows: Option<usize>,
    /// Significant digits of numbers that are not whole; at least 1.
    pub significant: usize,
    /// Columns of the terminal that a text is for: its columns are narrowed to that, or each row becomes a block of
    /// lines. As wide as it comes where absent.
    pub width: Option<usize>,
}

impl Default for Print {
    fn default() -> Self {
        Self { max_rows: None, significant: 3, width: None }
    }
}

impl Print {
    /// Three significant digits and at most this many rows.
    pub fn rows(max_rows: usize) -> Self {
        Self { max_rows: Some(max_rows), ..Self::default() }
    }
}

/// A whole table in one of the formats, ending in a line feed.
///
/// # Errors
/// What [`check_table`] finds.
pub fn render(table: &Table, format: Format) -> Result<String, TableError> {
    match format {
        Format::Table => to_text(table, &Print::default()),
        Format::Json => to_json(table),
        Format::Csv => to_delimited(table, ','),
        Format::Tsv => to_delimited(table, '\t'),
        Format::Markdown => to_markdown(table, &Print::default()),
        Format::Latex => to_latex(table, &Print::default()),
    }
}

/// A table with aligned columns for a terminal: numbers to the right, text to the left.
///
/// # Errors
/// What [`check_table`] finds.
pub fn to_text(table: &Table, print: &Print) -> Result<String, TableError> {
    let printed = Printed::new(table, print)?;
    // A line break or another control character in a value would tear the columns apart.
    let clean = |row: &Vec<String>| row.iter().map(|text| escape_control(text)).collect();
    let grid = Grid {
        header: table.columns.iter().map(|doc| escape_control(&doc.name)).collect(),
        rows: printed.rows.iter().map(clean).collect(),
        numeric: printed.numeric.clone(),
    };
    let mut out = grid.to_text(print.width);
    if let Some(note) = printed.note() {
        writeln!(out, "({note})").ok();
    }
    Ok(out)
}

/// A table as GitHub-flavoured Markdown, its caption above it.
///
/// # Errors
/// What [`check_table`] finds.
pub fn to_markdown(table: &Table, print: &Print) -> Result<String, TableError> {
    let printed = Printed::new(table, print)?;
    let header: Vec<String> = table.columns.iter().map(|doc| doc.name.clone()).collect();
    let mut out = format!("{}\n\n", escape_markdown(&table.caption));
    out.push_str(&markdown_line(&header));
    let rules: Vec<&str> = printed.numeric.iter().map(|&numeric| if numeric { "---:" } else { "---" }).collect();
    writeln!(out, "| {} |", rules.join(" | ")).ok();
    printed.rows.iter().for_each(|row| out.push_str(&markdown_line(row)));
    if let Some(note) = printed.note() {
        writeln!(out, "\n{note}").ok();
    }
    Ok(out)
}

fn markdown_line(row: &[String]) -> String {
    let cells: Vec<String> = row.iter().map(|text| escape_markdown(text)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// A LaTeX document that compiles alone; the lines between its two markers are the table as a paper
/// takes it in, with the rules of the package booktabs. A table too wide for the line is scaled down.
///
/// # Errors
/// What [`check_table`] finds.
pub fn to_latex(table: &Table, print: &Print) -> Result<String, TableError> {
    let printed = Printed::new(table, print)?;
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let header = line(table.columns.iter().map(|doc| escape_latex(&doc.name)).collect());
    let rows: String = printed
        .rows
        .iter()
        .map(|row| line(row.iter().zip(&printed.numeric).map(|(text, &numeric)| latex_cell(text, numeric)).collect()))
        .collect();
    let alignment: String = printed.numeric.iter().map(|&numeric| if numeric { 'r' } else { 'l' }).collect();
    let note = printed.note().map_or(String::new(), |note| format!("\\par\\smallskip\\footnotesize {note}\n"));
    let caption = escape_latex(&table.caption);
    let label = crate::stem::safe_stem(&table.name).replace('~', "-");
    Ok(format!(
        r"\documentclass{{article}}
\usepackage[T1]{{fontenc}}
\usepackage[utf8]{{inputenc}}
\IfFileExists{{lmodern.sty}}{{\usepackage{{lmodern}}}}{{}}
\usepackage{{booktabs}}
\usepackage{{graphicx}}
\begin{{document}}
% --- the table begins; it needs the packages booktabs and graphicx ---
\begin{{table}}
\centering
\caption{{{caption}}}
\label{{tab:{label}}}
\resizebox{{\ifdim\width>\linewidth\linewidth\else\width\fi}}{{!}}{{%
\begin{{tabular}}{{{alignment}}}
\toprule
{header}\midrule
{rows}\bottomrule
\end{{tabular}}}}
{note}\end{{table}}
% --- the table ends ---
\end{{document}}
"
    ))
}

/// A number with so many significant digits; the digits before the decimal point are all kept.
/// Numbers below 0.0001 and from a billion up are written with an exponent.
pub fn format_significant(value: f64, digits: usize) -> String {
    let digits = digits.max(1);
    if !value.is_finite() {
        return value.to_string();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    // The exponent is read off after rounding: 9.996 is 10.0, not 10.00.
    let scientific = format!("{value:.*e}", digits - 1);
    let exponent: i32 = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    if !(-4..9).contains(&exponent) {
        return scientific;
    }
    let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
    format!("{value:.decimals$}")
}

/// A p-value as the APA prints it, and as sentences do: three decimals, no zero before the point, `< .001` and `> .999`
/// beyond them (American Psychological Association, 2020, Publication Manual, 7th ed., section 6.36).
pub fn format_p(p: f64) -> String {
    if (0.0..=1.0).contains(&p) { apa::probability(p, 3) } else { p.to_string() }
}

/// A number as it is read in a table: a whole one without a point, for 8.00 looks measured and is a count; one
/// below 1 never as 1.
fn format_number(value: f64, significant: usize) -> String {
    if value.fract() == 0.0 && value.abs() < 1e9 {
        return format!("{value:.0}");
    }
    let text = |digits: usize| format_significant(value, digits);
    let is_one = |text: &str| matches!(text.trim_start_matches('-').strip_prefix("1."), Some(rest) if rest.bytes().all(|digit| digit == b'0'));
    let is_below = value.abs() < 1.0;
    let enough = (significant..significant + 3).map(text).find(|text| !is_below || !is_one(text));
    enough.unwrap_or_else(|| {
        let nines = "9".repeat(significant);
        if value < 0.0 { format!("< -0.{nines}") } else { format!("> 0.{nines}") }
    })
}

/// One value as it is printed in a column.
pub fn print_cell(cell: Cell<'_>, doc: &ColumnDoc, significant: usize) -> String {
    let number = |value: f64| match is_p_value(&doc.name, &doc.unit) {
        true => format_p(value),
        false => format_number(value, significant),
    };
    match cell {
        Cell::Missing => "–".to_owned(),
        Cell::Single(value) => number(value.into()),
        Cell::Number(value) => number(value),
        other => other.to_string(),
    }
}

/// Text that Markdown shows as it stands, on one line, within a table or outside.
pub fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '$' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The rows that are printed, and how many there are.
struct Printed {
    rows: Vec<Vec<String>>,
    numeric: Vec<bool>,
    n_rows: usize,
}

impl Printed {
    fn new(table: &Table, print: &Print) -> Result<Self, TableError> {
        check_table(table)?;
        let columns = Cells::of_table(table)?;
        let n_rows = table.data.height();
        let row = |row: usize| {
            let cells = columns.iter().zip(&table.columns);
            cells.map(|(column, doc)| print_cell(column.get(row), doc, print.significant)).collect()
        };
        let rows = (0..n_rows.min(print.max_rows.unwrap_or(n_rows))).map(row).collect();
        Ok(Self { rows, numeric: columns.iter().map(Cells::is_numeric).collect(), n_rows })
    }

    fn note(&self) -> Option<String> {
        let shown = self.rows.len();
        (shown < self.n_rows).then(|| format!("showing {shown} of {} rows", self.n_rows))
    }
}

/// Returns true if a column holds p-values, told by its unit or by its name. A name that merely begins with `p_` is not
/// enough: `p_optimal_by_chance` is a probability, not a p-value.
pub fn is_p_value(name: &str, unit: &str) -> bool {
    let ends = ["_fdr", "p_adjusted", "p_bonferroni", "p_few", "p_holm", "p_longest", "p_shuffled", "p_value"];
    unit == "p-value" || name == "p" || name.ends_with("_p") || ends.iter().any(|end| name.ends_with(end))
}

fn to_json(table: &Table) -> Result<String, TableError> {
    check_table(table)?;
    let columns = Cells::of_table(table)?;
    let row = |row: usize| {
        let cells = columns.iter().zip(&table.columns);
        cells.map(|(column, doc)| (doc.name.clone(), column.get(row).to_json())).collect()
    };
    let rows: Vec<serde_json::Map<String, serde_json::Value>> = (0..table.data.height()).map(row).collect();
    Ok(serde_json::to_string_pretty(&rows)? + "\n")
}

fn to_delimited(table: &Table, delimiter: char) -> Result<String, TableError> {
    check_table(table)?;
    let mut bytes = Vec::new();
    let memory = Path::new(&table.name);
    write_delimited(table, &Cells::of_table(table)?, Dialect { delimiter, missing: "" }, &mut bytes)
        .map_err(failed("print table", memory))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Text with visible escapes where control characters stand, or such that turn the direction of text around.
fn escape_control(text: &str) -> String {
    let is_obeyed = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let escape = |c: char| if is_obeyed(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

fn latex_cell(text: &str, numeric: bool) -> String {
    if !numeric {
        return escape_latex(text);
    }
    match text.split_once('e') {
        Some((mantissa, exponent)) if exponent.parse::<i32>().is_ok() => {
            format!("${mantissa} \\times 10^{{{exponent}}}$")
        }
        _ if text.starts_with(['-', '<', '>']) => format!("${text}$"),
        _ => escape_latex(text),
    }
}

fn escape_latex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            // Two hyphens would run together into a dash, and quotation marks into each other.
            '-' => escaped.push_str("-{}"),
            '"' => escaped.push_str("\\textquotedbl{}"),
            '–' => escaped.push_str("--"),
            '−' => escaped.push_str("$-$"),
            '×' => escaped.push_str("$\\times$"),
            '≤' => escaped.push_str("$\\leq$"),
            '≥' => escaped.push_str("$\\geq$"),
            '±' => escaped.push_str("$\\pm$"),
            '→' => escaped.push_str("$\\rightarrow$"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_has_no_point_and_what_is_below_one_is_not_one() {
        let printed = [8.0, 110.0, 0.0, -3.0, 2.5, 0.9993, -0.99996, 0.9, 1.0].map(|value| format_number(value, 3));
        assert_eq!(printed, ["8", "110", "0", "-3", "2.50", "0.999", "-0.99996", "0.900", "1"]);
        let all_but_one = [0.999_999_9, -0.999_999_9].map(|value| format_number(value, 3));
        assert_eq!(all_but_one, ["> 0.999", "< -0.999"]);
        assert_eq!(all_but_one.map(|text| latex_cell(&text, true)), ["$> 0.999$", "$< -0.999$"]);
    }

    #[test]
    fn p_values_of_cells_are_those_of_sentences() {
        for p in [0.0, 0.0009, 0.001, 0.0431, 0.5, 0.9985, 0.9989, 0.9991, 1.0] {
            let said = apa::p_value(p);
            assert_eq!(format_p(p), said.trim_start_matches("p ").trim_start_matches("= "), "{p}");
        }
        assert_eq!([0.9995, 1.0, 1.5].map(format_p), ["> .999", "> .999", "1.5"]);
    }

    #[test]
    fn p_values_are_told_by_their_columns() {
        let is_p = |name: &str| is_p_value(name, "");
        for name in ["p", "p_value", "p_adjusted", "p_adjusted_fdr", "p_shuffled", "p_few", "p_longest", "wald_p"] {
            assert!(is_p(name), "{name}");
        }
        for name in ["p_optimal_by_chance", "p_start_thinking", "p_method", "participant"] {
            assert!(!is_p(name), "{name}");
        }
    }
}
