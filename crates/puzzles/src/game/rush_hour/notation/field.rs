//! Fields of lists of pieces, and what can be wrong with them.

use std::ops::Range;

use super::settings::whole_number;
use crate::diagnostic::Diagnostic;
use crate::level::Origin;

/// One field of a row, and where it stands in the level's text.
#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    pub text: &'a str,
    pub span: Range<usize>,
}

impl Field<'_> {
    pub(super) fn is_number(&self) -> bool {
        self.text.strip_suffix('L').unwrap_or(self.text).parse::<i64>().is_ok()
    }

    /// The whole number; R writes some of them with an L behind.
    pub(super) fn number(&self, what: &str) -> Result<usize, TextDiagnostic> {
        whole_number(self.text.strip_suffix('L').unwrap_or(self.text)).ok_or_else(|| TextDiagnostic {
            code: "bad-number",
            span: self.span.clone(),
            message: format!("the {what} {:?} is not a whole number", self.text),
            help: "write a whole number without sign, unit or decimal point",
        })
    }

    /// A row or column, counted from `base` in the matrix and from 0 afterwards.
    pub(super) fn line(&self, what: &str, base: usize) -> Result<usize, TextDiagnostic> {
        self.number(what)?.checked_sub(base).ok_or_else(|| TextDiagnostic {
            code: "bad-number",
            span: self.span.clone(),
            message: format!("the {what} is 0"),
            help: "rows and columns of the matrix count from 1, from the top left",
        })
    }
}

/// Diagnostic of a field or row, before its place in the file is known.
#[derive(Debug)]
pub(super) struct TextDiagnostic {
    pub code: &'static str,
    pub span: Range<usize>,
    pub message: String,
    pub help: &'static str,
}

impl TextDiagnostic {
    pub fn placed(self, origin: &Origin) -> Diagnostic {
        origin.error(self.code, self.span, self.message).with_help(self.help)
    }
}
