//! Notation that the levels of both games have in common: `start > target` on one line, and settings.

use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText};
use crate::level::Origin;
use crate::level::lines::{LineKind, lines};

/// A part of a text, and the byte at which it starts there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part<'a> {
    pub text: &'a str,
    pub start: usize,
}

impl<'a> Part<'a> {
    pub fn whole(text: &'a str) -> Self {
        Self { text, start: 0 }.trimmed()
    }

    pub fn span(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    pub fn trimmed(self) -> Self {
        let text = self.text.trim_start();
        Self { text: text.trim_end(), start: self.start + self.text.len() - text.len() }
    }

    /// The parts between the characters that separate, without white space around them.
    pub fn split(self, separates: impl Fn(char) -> bool) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut from = 0;
        for (at, letter) in self.text.char_indices().filter(|&(_, letter)| separates(letter)) {
            parts.push(Self { text: &self.text[from..at], start: self.start + from }.trimmed());
            from = at + letter.len_utf8();
        }
        parts.push(Self { text: &self.text[from..], start: self.start + from }.trimmed());
        parts
    }

    /// The pegs of a position, from the left.
    pub fn pegs(self) -> Vec<Self> {
        self.split(|letter| matches!(letter, '/' | '|'))
    }

    /// Its characters without white space, and where they stand.
    pub fn letters(self) -> impl Iterator<Item = (char, Range<usize>)> + 'a {
        let Self { text, start } = self;
        text.char_indices()
            .filter(|(_, letter)| !letter.is_whitespace())
            .map(move |(at, letter)| (letter, start + at..start + at + letter.len_utf8()))
    }

    /// `true` if it says that a peg is empty.
    pub fn is_empty_peg(self) -> bool {
        matches!(self.text, "" | "-" | "_" | "\u{2013}" | "\u{2212}")
    }

    /// Its whole number, if it is one.
    pub fn number(self) -> Option<usize> {
        self.text.parse().ok().filter(|_| self.text.bytes().all(|byte| byte.is_ascii_digit()))
    }
}

/// Diagnostic of a part of a text, before its place in the file is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) struct TextDiagnostic {
    pub code: &'static str,
    pub span: Range<usize>,
    pub message: String,
    pub help: String,
}

impl TextDiagnostic {
    pub fn new(code: &'static str, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { code, span, message: message.into(), help: help.into() }
    }

    fn placed(self, origin: &Origin) -> Diagnostic {
        origin.error(self.code, self.span, self.message).with_help(self.help)
    }
}

/// A level as it is written.
#[derive(Debug, Default)]
pub(super) struct Written<'a> {
    pub start: Option<Part<'a>>,
    pub target: Option<Part<'a>>,
    /// A line that is no position but says how large the tower is, such as `4 disks 3 pegs`.
    pub size: Option<Part<'a>>,
    /// Other settings, in the order of the text.
    pub settings: Vec<(&'static str, Part<'a>)>,
}

impl<'a> Written<'a> {
    /// Reads the lines of a level; `settings` are the settings of the game beside `start` and `target`, and
    /// `is_size` tells a line that gives the size of the tower.
    pub fn read(
        text: &'a str,
        settings: &'static [&'static str],
        is_size: fn(&str) -> bool,
        diagnostics: &mut Vec<TextDiagnostic>,
    ) -> Self {
        let mut written = Self::default();
        for line in lines(text) {
            match line.kind {
                LineKind::Blank | LineKind::Comment => {}
                LineKind::Content => {
                    let content = line.text.split('#').next().unwrap_or_default();
                    written.read_content(Part { text: content, start: line.start }.trimmed(), is_size, diagnostics);
                }
                LineKind::Setting { key, value, value_start, hashed } => {
                    let value = Part { text: value, start: value_start };
                    let whole = line.start..line.start + line.text.len();
                    written.read_setting(key, value, whole, hashed, settings, diagnostics);
                }
            }
        }
        if written.start.is_none() && written.target.is_none() && written.size.is_none() && written.settings.is_empty()
        {
            let message = "there is no level here";
            diagnostics.push(TextDiagnostic::new(
                "empty-level",
                0..text.len(),
                message,
                "write the start and the target on one line",
            ));
        }
        written
    }

    fn read_content(&mut self, content: Part<'a>, is_size: fn(&str) -> bool, diagnostics: &mut Vec<TextDiagnostic>) {
        if is_size(content.text) {
            return keep(&mut self.size, content, "the size of the tower", diagnostics);
        }
        let arrow =
            ["->", "=>", ">", "\u{2192}"].into_iter().find_map(|arrow| Some((content.text.find(arrow)?, arrow)));
        let Some((at, arrow)) = arrow else { return keep(&mut self.start, content, "the start", diagnostics) };
        let behind = at + arrow.len();
        let start = Part { text: &content.text[..at], start: content.start };
        let target = Part { text: &content.text[behind..], start: content.start + behind };
        keep(&mut self.start, start.trimmed(), "the start", diagnostics);
        keep(&mut self.target, target.trimmed(), "the target", diagnostics);
    }

    fn read_setting(
        &mut self,
        key: &str,
        value: Part<'a>,
        line: Range<usize>,
        hashed: bool,
        settings: &'static [&'static str],
        diagnostics: &mut Vec<TextDiagnostic>,
    ) {
        match key.to_ascii_lowercase().as_str() {
            // The name of the level is the business of the file that holds it.
            "id" => {}
            "start" => keep(&mut self.start, value, "the start", diagnostics),
            "target" | "goal" => keep(&mut self.target, value, "the target", diagnostics),
            other => match settings.iter().find(|known| **known == other) {
                Some(known) => self.settings.push((known, value)),
                None if hashed => {}
                None => {
                    let known = settings.join(", ");
                    let help = format!("the settings are id, start, target, {known}; a remark starts with #");
                    diagnostics.push(TextDiagnostic::new(
                        "unknown-setting",
                        line,
                        format!("{key:?} is not a setting"),
                        help,
                    ));
                }
            },
        }
    }

    /// The last value of a setting.
    pub fn setting(&self, key: &str) -> Option<Part<'a>> {
        self.settings.iter().rev().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }
}

fn keep<'a>(place: &mut Option<Part<'a>>, value: Part<'a>, name: &str, diagnostics: &mut Vec<TextDiagnostic>) {
    if place.is_some() {
        let help = "a level has one start and one target: write them as `start > target` on one line, and part levels \
                    by blank lines";
        diagnostics.push(TextDiagnostic::new(
            "repeated-position",
            value.span(),
            format!("{name} is given a second time"),
            help,
        ));
    } else {
        *place = Some(value);
    }
}

/// The faults of a level, in the order of its file.
pub(in crate::game) fn faults(
    diagnostics: Vec<TextDiagnostic>,
    text: &str,
    source: &Arc<SourceText>,
    offset: usize,
) -> Vec<Diagnostic> {
    let origin = Origin::new(text, source, offset);
    let mut faults: Vec<Diagnostic> = diagnostics.into_iter().map(|wrong| wrong.placed(&origin)).collect();
    faults.sort_by_key(|fault| (fault.place.span.start, fault.place.span.end));
    faults
}

/// The first thing that is wrong, as the reason of a state that cannot be read.
pub(in crate::game) fn first_reason(diagnostics: Vec<TextDiagnostic>) -> String {
    diagnostics.into_iter().next().map_or_else(String::new, |wrong| format!("{}; {}", wrong.message, wrong.help))
}

/// Number of things in words: `1 peg`, `3 pegs`.
pub(super) fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
