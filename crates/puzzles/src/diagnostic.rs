//! Diagnostics of input files: each names the place, the value, the rule that is broken and the fix.
//!
//! Readers collect all of an input before they give up; the binary renders them with their source.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the input is used as it is.
    Warning,
    /// The input cannot be used.
    Error,
}

/// A text file as it was read, shared by the places in it.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceText {
    /// Path that it was read from.
    pub path: PathBuf,
    /// Its whole text, after decompression.
    pub text: String,
}

/// A place in an input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub source: Arc<SourceText>,
    /// Its bytes; empty for the whole file.
    pub span: Range<usize>,
}

impl Place {
    /// Line and column, both from 1; columns count characters.
    pub fn line_and_column(&self) -> (usize, usize) {
        let before = &self.source.text[..self.span.start.min(self.source.text.len())];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// One thing that is wrong with an input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Short stable name of the rule that is broken, such as `bent-piece`.
    pub code: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// Message that names the value; lower case, no final period.
    pub message: String,
    /// The place that it is about.
    pub place: Place,
    /// A few words to stand at the marked place.
    pub label: String,
    /// Remedy.
    pub help: Option<String>,
    /// Settings of the level, as name and value, of which any one would mend it.
    pub choices: Vec<(&'static str, String)>,
}

impl Diagnostic {
    /// An error at `span` of `source`.
    pub fn error(code: &'static str, source: &Arc<SourceText>, span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            place: Place { source: source.clone(), span },
            label: "here".to_owned(),
            help: None,
            choices: Vec::new(),
        }
    }

    /// The same diagnostic as a warning.
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// The same diagnostic with the words that stand at the marked place.
    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same diagnostic with what to do about it.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same diagnostic with settings of the level of which any one would mend it.
    pub fn with_choices(mut self, choices: Vec<(&'static str, String)>) -> Self {
        self.choices = choices;
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.place.line_and_column();
        write!(formatter, "{}:{line}:{column}: {} [{}]", self.place.source.path.display(), self.message, self.code)?;
        if let Some(help) = &self.help {
            write!(formatter, " ({help})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

/// A diagnostic of an entry of a configuration, before its place in the file is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryDiagnostic {
    /// Short stable name of the rule that is broken.
    pub code: &'static str,
    /// The keys that lead to the entry, from the name of its section on.
    pub entry: Vec<String>,
    /// Message that names the value; lower case, no final period.
    pub message: String,
    /// Remedy.
    pub help: String,
}

impl EntryDiagnostic {
    /// A diagnostic of the entry to which these keys lead.
    pub fn new(code: &'static str, entry: &[&str], message: impl Into<String>, help: impl Into<String>) -> Self {
        let entry = entry.iter().map(|&key| key.to_owned()).collect();
        Self { code, entry, message: message.into(), help: help.into() }
    }
}

/// Hint behind a message that a file cannot be read, where its path was written with backslashes: on systems where
/// they separate no folders, and in a string of double quotes in which they begin escapes. Empty where that is not
/// why it is missing.
pub fn separator_hint(path: &Path, kind: io::ErrorKind) -> &'static str {
    let text = path.to_string_lossy();
    if kind != io::ErrorKind::NotFound {
        ""
    } else if text.contains(['\u{8}', '\t', '\n', '\u{c}', '\r', '\u{1b}']) {
        "; a backslash in double quotes begins an escape, such as \\n for a line break: write / between folders, or put \
         the path into single quotes"
    } else if MAIN_SEPARATOR != '\\' && text.contains('\\') {
        "; a backslash is part of a name here: write / between folders"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_backslashes_is_explained_where_it_is_missing() {
        let hint = |path: &str| separator_hint(Path::new(path), io::ErrorKind::NotFound);
        assert_eq!(hint("logs/moves.csv"), "");
        assert_eq!(hint(r"logs\moves.csv").contains("write / between folders"), cfg!(unix));
        assert!(hint("logs\new.csv").contains("single quotes"), "as TOML reads \"logs\\new.csv\"");
        assert_eq!(separator_hint(Path::new(r"logs\moves.csv"), io::ErrorKind::PermissionDenied), "");
    }
}
