//! What went wrong, and how it is said.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::cli::ExitCode;
use crate::report::FailedPart;
use crate::run::RunError;
use crate::search_study::SearchStudyError;
use crate::study::StudyError;
use miette::{Diagnostic, GraphicalReportHandler, LabeledSpan, SourceCode};
use plymap_puzzles::fault::{Fault, Severity};
use plymap_puzzles::valuation::LoadError;
use plymap_statistics::stats::apa;

use super::output::columns_of;
use super::say::{say, say_drawn, set_quiet, visible};

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Faults of an input, each with its place.
    Faults(Vec<Fault>),
    /// Too many rows of the logs cannot be used.
    Unused(RunError),
    /// Anything else, with its causes.
    Message(Box<dyn std::error::Error + Send + Sync>),
    /// The user asked to stop.
    Interrupted,
}

/// The exit code of a program that was asked to stop, as shells give it for Ctrl-C.
pub const INTERRUPTED: u8 = 130;

impl Failure {
    /// A failure that is said in the words of an error.
    pub fn message(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Message(error.into())
    }

    /// The exit code of the program.
    pub fn code(&self) -> ExitCode {
        match self {
            Self::Interrupted => ExitCode(INTERRUPTED),
            Self::Unused(_) => ExitCode(5),
            _ => ExitCode::FAILURE,
        }
    }

    /// Says on standard error what went wrong, whoever asked for quiet.
    pub fn print(&self) {
        let was_quiet = set_quiet(false);
        self.say();
        set_quiet(was_quiet);
    }

    fn say(&self) {
        match self {
            Self::Faults(faults) => print_faults(faults),
            Self::Unused(error) => say!("plymap: {error}"),
            Self::Message(error) => {
                let mut said = error.to_string();
                say!("plymap: {said}");
                let mut cause = error.source();
                while let Some(error) = cause {
                    let reason = error.to_string();
                    if !said.contains(&reason) {
                        say!("  because {reason}");
                        said = reason;
                    }
                    cause = error.source();
                }
            }
            Self::Interrupted => say!("plymap: interrupted; nothing was written"),
        }
    }
}

/// Says on standard error which parts of the results could not be made, whoever asked for quiet; the exit code that says so.
pub fn tell_failed(parts: &[FailedPart]) -> ExitCode {
    let was_quiet = set_quiet(false);
    parts.iter().for_each(|part| say!("plymap: {part}"));
    set_quiet(was_quiet);
    if parts.is_empty() { ExitCode::SUCCESS } else { ExitCode::PARTIAL }
}

/// The most faults that are drawn with their source; the others are counted.
const FAULTS_DRAWN: usize = 50;

/// The most faults of one rule that are all drawn; of more, such as those of a file in an unknown notation, the first is,
/// and the places of the next are named.
const FAULTS_OF_RULE_DRAWN: usize = 3;

/// Columns of a drawn fault, where the terminal has as many.
const FAULT_WIDTH: usize = 100;

/// Draws faults on standard error, each with the place it points at, rule by rule.
pub fn print_faults(faults: &[Fault]) {
    let width = columns_of(std::io::stderr()).map_or(FAULT_WIDTH, |width| FAULT_WIDTH.min(width));
    let handler = GraphicalReportHandler::new().with_width(width);
    let mut n_said = 0;
    let mut n_drawn = 0;
    // A source may be large, and have many faults.
    let mut texts = HashMap::new();
    for same in by_rule(faults) {
        let n = if same.len() > FAULTS_OF_RULE_DRAWN { 1 } else { same.len() };
        if n_drawn + n > FAULTS_DRAWN {
            break;
        }
        for fault in &same[..n] {
            let text = texts.entry(Arc::as_ptr(&fault.source)).or_insert_with(|| visible(&fault.source.text));
            let mut drawn = String::new();
            match handler.render_report(&mut drawn, &Rendered { fault, text }) {
                Ok(()) => say_drawn(&drawn),
                Err(_) => say!("{fault}"),
            }
        }
        if let Some(more) = more_of_rule(&same[n..]) {
            say!("{more}\n");
        }
        (n_said, n_drawn) = (n_said + same.len(), n_drawn + n);
    }
    if faults.len() > n_said {
        say!("… and {} more", faults.len() - n_said);
    }
    let errors = faults.iter().filter(|fault| fault.severity == Severity::Error).count();
    say!("plymap: {}", counted(errors, faults.len() - errors));
}

/// Faults that break the same rule and need the same to be done, in the order of the first of each.
fn by_rule(faults: &[Fault]) -> Vec<Vec<&Fault>> {
    let mut rules: Vec<Vec<&Fault>> = Vec::new();
    let mut numbers = HashMap::new();
    for fault in faults {
        let number =
            *numbers.entry((fault.code, fault.severity == Severity::Error, &fault.help)).or_insert(rules.len());
        match rules.get_mut(number) {
            Some(same) => same.push(fault),
            None => rules.push(vec![fault]),
        }
    }
    rules
}

/// How many more faults of a rule there are, and where the first of them stand.
fn more_of_rule(faults: &[&Fault]) -> Option<String> {
    let code = faults.first()?.code;
    let place = |fault: &&Fault| format!("{}:{}", fault.source.path.display(), fault.line_and_column().0);
    let mut places: Vec<String> = faults.iter().take(FAULTS_OF_RULE_DRAWN).map(place).collect();
    places.dedup();
    let end = if faults.len() > FAULTS_OF_RULE_DRAWN { ", …" } else { "" };
    Some(format!("… and {} more of {code}, at {}{end}", faults.len(), places.join(", ")))
}

fn counted(errors: usize, warnings: usize) -> String {
    match (errors, warnings) {
        (errors, 0) => apa::counted(errors, "error"),
        (0, warnings) => apa::counted(warnings, "warning"),
        (errors, warnings) => format!("{}, {}", apa::counted(errors, "error"), apa::counted(warnings, "warning")),
    }
}

/// A fault as miette sees it: it adds colours, so that what a terminal would obey is written out before.
struct Rendered<'a> {
    fault: &'a Fault,
    /// The text of its source.
    text: &'a str,
}

impl Rendered<'_> {
    /// Where the fault stands in the text.
    fn span(&self) -> Range<usize> {
        let source = &self.fault.source.text;
        let place = |place: usize| match source.get(..place) {
            Some(before) if self.text.len() != source.len() => visible(before).len(),
            _ => place,
        };
        place(self.fault.span.start)..place(self.fault.span.end)
    }
}

impl fmt::Debug for Rendered<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(formatter)
    }
}

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.fault.line_and_column();
        let said = format!("{}:{line}:{column}: {}", self.fault.source.path.display(), self.fault.message);
        formatter.write_str(&visible(&said))
    }
}

impl std::error::Error for Rendered<'_> {}

impl Diagnostic for Rendered<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.fault.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.fault.severity {
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.fault.help.as_ref().map(|help| Box::new(visible(help)) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.text)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = visible(&self.fault.label).into_owned();
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some(label), self.span()))))
    }
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Faults(faults) => Self::Faults(faults),
            error => Self::message(error),
        }
    }
}

impl From<LoadError> for Failure {
    fn from(LoadError(faults): LoadError) -> Self {
        Self::Faults(faults)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Levels(error) => error.into(),
            RunError::Interrupted => Self::Interrupted,
            error @ RunError::TooManyUnused { .. } => Self::Unused(error),
            error => Self::message(error),
        }
    }
}

impl From<crate::report::ReportError> for Failure {
    fn from(error: crate::report::ReportError) -> Self {
        Self::message(error)
    }
}

impl From<SearchStudyError> for Failure {
    fn from(error: SearchStudyError) -> Self {
        match error {
            SearchStudyError::Run(error) => error.into(),
            error => Self::message(error),
        }
    }
}
