//! Errors of an expression: of its text, and of its value for a row.

use std::fmt;
use std::ops::Range;

/// An error of the evaluation for a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// The text that cannot be read.
    pub value: String,
    /// Kind of value that is expected.
    pub wanted: &'static str,
    /// Remedy.
    pub help: &'static str,
    /// The part of the expression that gave it, in bytes.
    pub span: Range<usize>,
}

/// Error of an expression, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// The expression.
    pub text: String,
    /// The part of it that is wrong, in bytes.
    pub span: Range<usize>,
    /// The error.
    pub message: String,
    /// Remedy.
    pub help: Option<String>,
}

impl ExpressionError {
    pub(crate) fn new(text: &str, span: Range<usize>, message: impl Into<String>, help: Option<String>) -> Self {
        Self { text: text.to_owned(), span, message: message.into(), help }
    }

    /// The line of the expression that is wrong, and carets below what is wrong in it.
    pub fn marked(&self) -> String {
        let start = self.text[..self.span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[start..].split('\n').next().unwrap_or_default();
        let before = self.text[start..self.span.start].chars().count();
        let end = self.span.end.min(start + line.len());
        let width = self.text[self.span.start..end.max(self.span.start)].chars().count().max(1);
        format!("{line}\n{}{}", " ".repeat(before), "^".repeat(width))
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        if let Some(help) = &self.help {
            write!(formatter, "; {help}")?;
        }
        for line in self.marked().lines() {
            write!(formatter, "\n    {line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ExpressionError {}
