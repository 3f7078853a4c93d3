//! What went wrong, and how it is said.

use std::fmt;
use std::process::ExitCode;

use miette::{Diagnostic, GraphicalReportHandler, LabeledSpan, SourceCode};
use plymap::run::RunError;
use plymap::search_study::SearchStudyError;
use plymap::study::StudyError;
use plymap_puzzles::fault::{Fault, Severity};
use plymap_puzzles::valuation::LoadError;

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

impl Failure {
    /// A failure that is said in the words of an error.
    pub fn message(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Message(error.into())
    }

    /// The exit code of the program.
    pub fn code(&self) -> ExitCode {
        match self {
            Self::Interrupted => ExitCode::from(130),
            Self::Unused(_) => ExitCode::from(5),
            _ => ExitCode::FAILURE,
        }
    }

    /// Says on standard error what went wrong.
    pub fn print(&self) {
        match self {
            Self::Faults(faults) => print_faults(faults),
            Self::Unused(error) => eprintln!("plymap: {error}"),
            Self::Message(error) => {
                let mut said = error.to_string();
                eprintln!("plymap: {said}");
                let mut cause = error.source();
                while let Some(error) = cause {
                    let reason = error.to_string();
                    if !said.contains(&reason) {
                        eprintln!("  because {reason}");
                        said = reason;
                    }
                    cause = error.source();
                }
            }
            Self::Interrupted => eprintln!("plymap: interrupted; nothing was written"),
        }
    }
}

/// The most faults that are drawn with their source; the others are counted.
const FAULTS_DRAWN: usize = 50;

/// Draws faults on standard error, each with the place it points at.
pub fn print_faults(faults: &[Fault]) {
    let handler = GraphicalReportHandler::new().with_width(100);
    for fault in faults.iter().take(FAULTS_DRAWN) {
        let mut text = String::new();
        match handler.render_report(&mut text, &Rendered(fault)) {
            Ok(()) => eprintln!("{text}"),
            Err(_) => eprintln!("{fault}"),
        }
    }
    if faults.len() > FAULTS_DRAWN {
        eprintln!("… and {} more", faults.len() - FAULTS_DRAWN);
    }
    let errors = faults.iter().filter(|fault| fault.severity == Severity::Error).count();
    eprintln!("plymap: {}", counted(errors, faults.len() - errors));
}

fn counted(errors: usize, warnings: usize) -> String {
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    match (errors, warnings) {
        (errors, 0) => plural(errors, "error"),
        (0, warnings) => plural(warnings, "warning"),
        (errors, warnings) => format!("{}, {}", plural(errors, "error"), plural(warnings, "warning")),
    }
}

/// A fault as miette sees it.
struct Rendered<'a>(&'a Fault);

impl fmt::Debug for Rendered<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.0.line_and_column();
        write!(formatter, "{}:{line}:{column}: {}", self.0.source.path.display(), self.0.message)
    }
}

impl std::error::Error for Rendered<'_> {}

impl Diagnostic for Rendered<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.0.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.0.severity {
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.0.source.text)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = LabeledSpan::new_with_span(Some(self.0.label.clone()), self.0.span.clone());
        Some(Box::new(std::iter::once(label)))
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

impl From<plymap::report::ReportError> for Failure {
    fn from(error: plymap::report::ReportError) -> Self {
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
