//! The page of a run: `report.html`, one file that opens without a network, and `report.md`.

use super::canvas::canvas;
use super::error::ReportError;
use super::failed::FailedPart;
use super::figures::Screens;
use super::interactive::{StateMaps, packed};
use super::preview::TablePreview;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, context, escape_formatter,
};
use plymap_figures::Svg;
use plymap_log::StepCount;
use plymap_measures::doctor::Anomaly;
use plymap_measures::selection::SelectionCount;
use plymap_statistics::stats::apa;
use plymap_tables::{escape_markdown, safe_stem};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// File of the page in the folder of a run.
pub const REPORT_PAGE: &str = "report.html";

/// All that a report says, in the order in which it says it. Every text is plain: what looks like
/// HTML or Markdown in it is shown as it stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReportContent {
    /// Name of the study, as in its folder.
    pub study: String,
    /// Heading of the page.
    pub title: String,
    /// Description of the study, one text for each paragraph.
    pub description: Vec<String>,
    /// Program and version that made the report; see [`generated_by`].
    pub generated_by: String,
    /// The command that makes the same report again.
    pub command: String,
    /// How many settings depart from a preregistration, at the head of the answers; empty where there is none.
    pub departures: String,
    /// Questions of the study with their answers; may be empty.
    pub answers: Vec<Answer>,
    /// Numbers of levels, states, participants, attempts ….
    pub counts: Vec<Count>,
    /// Counts of the rows that were read: moves, resets, give-ups; absent where no log was.
    pub rows: Option<RowCounts>,
    /// Counts of the steps of `[log]`, which rows pass before they are read; may be empty.
    pub steps: Vec<StepCount>,
    /// Counts of the selections of the study, in their order; may be empty.
    pub selection: Vec<SelectionCount>,
    /// Diagnostics of rows that were left out, one entry for each rule; may be empty.
    pub diagnostics: Vec<ReportDiagnostic>,
    /// Diagnostics of rows that are used, and of whole files, one entry for each rule; may be empty.
    pub remarks: Vec<ReportDiagnostic>,
    /// The file that lists every diagnostic and remark, from the folder of the run; empty if there is none.
    pub diagnostics_file: String,
    /// Anomalies of the log as a whole; may be empty.
    pub anomalies: Vec<Anomaly>,
    /// The parts of the run that could not be made; may be empty.
    pub failed: Vec<FailedPart>,
    /// Words and rules that the numbers depend on.
    pub definitions: Vec<Definition>,
    /// The results.
    pub sections: Vec<Section>,
    /// Methods in the words of a paper, one text for each paragraph; may be empty.
    pub methods: Vec<String>,
    /// The references of these paragraphs.
    pub references: Vec<String>,
    /// The interactive state-space maps; none of a study without mapped levels.
    #[serde(skip)]
    pub maps: StateMaps,
}

/// A question with its answer, at the head of the report.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    /// The question.
    pub question: String,
    /// Sentences on the results, one or two for each paragraph.
    pub paragraphs: Vec<String>,
    /// The figure that shows it, if there is one; it stands nowhere else.
    pub figure: Option<Figure>,
    /// The section with the details.
    pub section: String,
    /// The heading of that section.
    pub heading: String,
}

/// One number of the summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Noun for the things that are counted, in the plural, such as `levels`.
    pub label: String,
    /// Their number.
    pub n: u64,
}

impl Count {
    /// So many of something.
    pub fn new(label: &str, n: u64) -> Self {
        Self { label: label.to_owned(), n }
    }
}

/// Counts of the rows of a log: `read = accepted + rejected`, `accepted = replayed + excluded + left_out`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    /// Rows in the logs: moves, and resets and give-ups (abandoned attempts) where they are logged.
    pub read: u64,
    /// Rows that could be understood and played.
    pub accepted: u64,
    /// Rows that could not.
    pub rejected: u64,
    /// Accepted rows that are in the table `moves`.
    pub replayed: u64,
    /// Accepted rows that are not: they follow a rejected row, or belong to no level of the study.
    pub excluded: u64,
    /// Rows that were replayed, and that the study leaves out.
    #[serde(default)]
    pub left_out: u64,
}

/// Diagnostic of rows or files by one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportDiagnostic {
    /// Short name of the rule, such as `illegal-move`.
    pub code: String,
    /// Number of rows, or of files.
    pub n: u64,
    /// The first of them, as `file:row`; a whole file without a row.
    pub first: String,
    /// The column that it is about; may be empty.
    pub column: String,
    /// Value that was found there; may be empty.
    pub value: String,
    /// Rule that was broken.
    pub rule: String,
    /// Suggested remedy.
    pub fix: String,
}

/// Definition of a word in this report, or of a rule that was chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The word, such as `goal rule`.
    pub term: String,
    /// Its meaning in this report.
    pub meaning: String,
    /// The rule as a formula or setting, such as `regret = value_after + 1 - value_before`; may be empty.
    pub formula: String,
}

/// A part of the results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Section {
    /// Name for links to it, different from that of any other section.
    pub id: String,
    /// Its heading.
    pub heading: String,
    /// Text before the figures and tables.
    pub paragraphs: Vec<String>,
    /// Its figures, numbered through the whole report.
    pub figures: Vec<Figure>,
    /// The names of figures of its subject that stand in the answers.
    pub figures_above: Vec<String>,
    /// Its tables, numbered through the whole report.
    pub tables: Vec<TablePreview>,
}

/// A figure with the files that hold it and back it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figure {
    /// Name of the figure, different from that of any other figure.
    pub name: String,
    /// The drawings for a wide window and for a narrow one.
    #[serde(skip)]
    pub screens: Arc<Screens>,
    /// One sentence that says what it shows.
    pub caption: String,
    /// Alternative text: what can be seen in it, for those who cannot see it.
    pub alt: String,
    /// The files with the numbers that are drawn, one for each page, from the folder of the run.
    pub data_files: Vec<String>,
    /// The pages as files, from the folder of the run; the SVG among them stand in `report.md`.
    pub files: Vec<String>,
    /// The command that draws it again; may be empty.
    pub command: String,
}

/// The line that says which version of plymap made a report.
pub fn generated_by() -> String {
    concat!("plymap ", env!("CARGO_PKG_VERSION")).to_owned()
}

impl RowCounts {
    /// Checks that no row appeared or vanished between being read and being replayed.
    ///
    /// # Errors
    /// The equation that does not hold.
    pub fn check(&self) -> Result<(), ReportError> {
        let Self { read, accepted, rejected, replayed, excluded, left_out } = *self;
        let equation = if accepted.checked_add(rejected) != Some(read) {
            format!("read {read} is not accepted {accepted} + rejected {rejected}")
        } else if replayed.checked_add(excluded).and_then(|sum| sum.checked_add(left_out)) != Some(accepted) {
            format!("accepted {accepted} is not replayed {replayed} + excluded {excluded} + left out {left_out}")
        } else {
            return Ok(());
        };
        Err(ReportError::Counts { equation })
    }
}

impl ReportContent {
    /// The report as one HTML file that holds its style, its script and its figures, and fetches
    /// nothing: a content security policy in its head forbids it to.
    ///
    /// # Errors
    /// Counts that do not add up, or two parts of one name.
    pub fn to_html(&self) -> Result<String, ReportError> {
        self.check()?;
        let of_answers = self.answers.iter().filter_map(|answer| answer.figure.as_ref());
        let figures = of_answers.chain(self.sections.iter().flat_map(|section| &section.figures));
        let drawings: BTreeMap<&str, Drawings> =
            figures.map(|figure| (figure.name.as_str(), Drawings::new(figure))).collect();
        let pieces = (!self.maps.levels.is_empty()).then(|| self.maps.pieces());
        let style = pieces.as_ref().map_or(STYLE.to_owned(), |pieces| format!("{STYLE}{}", pieces.style));
        let map = pieces.as_ref().map(|pieces| {
            context! {
                markup => &pieces.markup, script => pieces.script, script_hash => csp_hash(pieces.script),
            }
        });
        let context = context! {
            report => Value::from(Serde(self)),
            drawings => Value::from(Serde(&drawings)),
            style => &style, style_hash => csp_hash(&style),
            script => SCRIPT, script_hash => csp_hash(SCRIPT),
            map => map,
        };
        Ok(environment()?.get_template("report.html")?.render(context)?)
    }

    /// The report as Markdown, with links to the figures' files.
    ///
    /// # Errors
    /// Counts that do not add up, or two parts of one name.
    pub fn to_markdown(&self) -> Result<String, ReportError> {
        self.check()?;
        let context = context! { report => Value::from(Serde(self)) };
        Ok(environment()?.get_template("report.md")?.render(context)?)
    }

    /// Takes the p values out of what the report says and shows, for data too few to test anything; the files of tables have
    /// them.
    pub fn without_p(&mut self) {
        let strip = |text: &mut String| *text = apa::without_p(text);
        self.answers.iter_mut().flat_map(|answer| &mut answer.paragraphs).for_each(strip);
        for section in &mut self.sections {
            section.paragraphs.iter_mut().for_each(strip);
            section.tables.iter_mut().for_each(TablePreview::without_p);
        }
    }

    pub(super) fn check(&self) -> Result<(), ReportError> {
        self.rows.as_ref().map_or(Ok(()), RowCounts::check)?;
        distinct("section", self.sections.iter().map(|section| &section.id))?;
        let of_answers = self.answers.iter().filter_map(|answer| answer.figure.as_ref());
        let figures = of_answers.chain(self.sections.iter().flat_map(|section| &section.figures));
        distinct("figure", figures.map(|figure| &figure.name))?;
        distinct("table", self.sections.iter().flat_map(|section| &section.tables).map(|table| &table.name))
    }
}

/// The drawings of a figure as the page holds them.
#[derive(Serialize)]
struct Drawings {
    /// Those for a wide window.
    wide: String,
    /// Those for a narrow one, packed: the script puts them in their place where they are needed.
    narrow: String,
}

impl Drawings {
    fn new(figure: &Figure) -> Self {
        let Screens { wide, narrow } = &*figure.screens;
        let inlined = |svg: &Svg| svg.inlined(&figure.alt).to_string();
        let narrow: String = narrow.iter().map(inlined).collect();
        Self { wide: wide.iter().map(|svg| canvas(&inlined(svg))).collect(), narrow: packed(&[narrow.as_bytes()]) }
    }
}

pub(super) const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Name of the escaping rules for Markdown; those for HTML are built into the engine.
const MARKDOWN: &str = "markdown";

fn distinct<'a>(what: &'static str, names: impl Iterator<Item = &'a String>) -> Result<(), ReportError> {
    let mut seen_names = HashSet::new();
    match names.into_iter().find(|name| !seen_names.insert(name.as_str())) {
        Some(name) => Err(ReportError::Duplicate { what, name: name.clone() }),
        None => Ok(()),
    }
}

/// The engine with all templates. Every value is escaped unless a template says that it is safe.
pub(super) fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build()?);
    environment.set_auto_escape_callback(|name| match name.ends_with(".md") {
        true => AutoEscape::Custom(MARKDOWN.into()),
        false => AutoEscape::Html,
    });
    environment.set_formatter(format_value);
    environment.add_filter("count", |n: u64| apa::count(n));
    environment.add_filter("counted", |n: u64, thing: &str| apa::counted(n, thing));
    environment.add_filter("classes", |column: Value| Value::from_safe_string(classes(&column)));
    environment.add_filter("all_main", |columns: Vec<Value>| columns.iter().all(is_main));
    environment.add_filter("link", |path: &str| Value::from_safe_string(link(path)));
    environment.add_filter("anchor", |name: &str| safe_stem(name));
    environment.add_filter("kind", |path: &str| path.rsplit('.').next().unwrap_or_default().to_uppercase());
    environment.add_filter("minus", |text: &str| text.replace('-', "−"));
    environment.add_filter("code", |text: &str| Value::from_safe_string(code_span(text)));
    environment.add_filter("code_block", |text: &str| Value::from_safe_string(code_block(text)));
    environment.add_filter("drawings", |files: Vec<String>| -> Vec<String> {
        files.into_iter().filter(|file| file.ends_with(".svg")).collect()
    });
    let templates = [
        ("report.html", include_str!("report.html.jinja")),
        ("report.md", include_str!("report.md.jinja")),
        ("codebook.html", include_str!("codebook.html.jinja")),
        ("map_page.html", include_str!("map_page.html.jinja")),
    ];
    for (name, source) in templates {
        environment.add_template(name, source)?;
    }
    Ok(environment)
}

/// Returns true if a column is shown first.
fn is_main(column: &Value) -> bool {
    column.get_attr("is_main").is_ok_and(|value| value.is_true())
}

/// The attribute with the classes of a column's cells: numbers, and what is shown on demand.
fn classes(column: &Value) -> String {
    let is_number = column.get_attr("numeric").is_ok_and(|value| value.is_true());
    let classes: Vec<&str> = [(is_number, "n"), (!is_main(column), "more")]
        .into_iter()
        .filter_map(|(is, name)| is.then_some(name))
        .collect();
    if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) }
}

fn format_value(out: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    match state.auto_escape() {
        AutoEscape::Custom(name) if name == MARKDOWN => {
            let text = value.to_string();
            let text = if value.is_safe() { text } else { escape_markdown(&text) };
            out.write_str(&text).map_err(|error| Error::new(ErrorKind::WriteFailure, "cannot write").with_source(error))
        }
        _ => escape_formatter(out, state, value),
    }
}

/// A relative path as a link. A `:` is encoded too, so that no text can become a scheme.
fn link(path: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte);
    let encoded: String =
        path.bytes().map(|byte| if keep(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") }).collect();
    // Two leading slashes would name another host.
    encoded.trim_start_matches('/').to_owned()
}

/// Text as Markdown code within a line, fenced by more backticks than it holds.
fn code_span(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let fence = fence(&text, 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    if text.is_empty() { text } else { format!("{fence}{space}{}{space}{fence}", text.replace('|', "\\|")) }
}

/// Text as a Markdown block of code.
fn code_block(text: &str) -> String {
    let fence = fence(text, 3);
    format!("{fence}sh\n{text}\n{fence}")
}

/// Backticks, at least so many and more than follow each other anywhere in the text.
fn fence(text: &str, least: usize) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(least.max(longest + 1))
}

/// The hash by which a content security policy knows an inline style or script: SHA-256 in base64.
pub(super) fn csp_hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_never_becomes_a_scheme_or_another_host() {
        assert_eq!(link("figures/a b.svg"), "figures/a%20b.svg");
        assert_eq!(link("javascript:alert(1)"), "javascript%3Aalert%281%29");
        assert_eq!(link("//example.org/x"), "example.org/x");
    }

    #[test]
    fn code_is_fenced_by_more_backticks_than_it_holds() {
        assert_eq!(code_span("a_b|c"), "`a_b\\|c`");
        assert_eq!(code_span("`a``"), "``` `a`` ```");
        assert_eq!(code_block("x"), "```sh\nx\n```");
    }

    #[test]
    fn the_policy_hash_is_the_one_that_browsers_compute() {
        // The example of the Content Security Policy Level 3 specification, section 8.
        assert_eq!(csp_hash("alert('Hello, world.');"), "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
    }

    #[test]
    fn a_row_that_vanished_is_an_error() {
        let counts = RowCounts { read: 10, accepted: 9, rejected: 1, replayed: 7, excluded: 1, left_out: 1 };
        counts.check().unwrap();
        let error = RowCounts { excluded: 2, ..counts }.check().unwrap_err();
        assert!(error.to_string().ends_with("accepted 9 is not replayed 7 + excluded 2 + left out 1"));
        assert!(RowCounts { rejected: 0, ..counts }.check().is_err());
    }
}
