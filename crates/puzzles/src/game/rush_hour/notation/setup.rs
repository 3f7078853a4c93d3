//! A level whose pieces are known but not yet checked against each other and the board.

use std::ops::Range;
use std::sync::Arc;

use super::reading::Reading;
use super::red_name::DefaultRed;
use super::settings::Settings;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::rush_hour::layout::Piece;
use crate::level::Spanned;

/// A level before the checks that all notations share.
pub(super) struct Setup {
    pub source: Arc<SourceText>,
    /// The bytes to blame if something is missing.
    pub whole: Range<usize>,
    pub width: usize,
    pub height: usize,
    pub settings: Settings,
    /// Reading of rows and columns of walls and exit in JSON: that of the pieces.
    pub reading: Reading,
    pub pieces: Vec<Spanned<Piece>>,
    /// The names of pieces that are there but faulty, empty where even the name is; they are not missing.
    pub unread: Vec<String>,
    /// Red piece unless the settings name one.
    pub red: DefaultRed,
    /// Diagnostics so far.
    pub faults: Vec<Diagnostic>,
    /// Remarks on what was taken for granted.
    pub remarks: Vec<String>,
}

impl Setup {
    pub(super) fn fault(&mut self, code: &'static str, span: Range<usize>, message: String, label: &str, help: &str) {
        let fault = Diagnostic::error(code, &self.source, span, message);
        self.faults.push(fault.labelled(label).with_help(help));
    }

    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.value.name == name)
    }

    pub(super) fn names(&self) -> String {
        let names: Vec<&str> = self.pieces.iter().map(|piece| piece.value.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}
