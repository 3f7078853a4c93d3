//! A level while it is read: rows of lamps and settings, each with its place in the file.

use std::ops::Range;
use std::sync::Arc;

use super::marks::{is_between, lamp};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::lights_out::board::{Board, MAX_LAMPS};
use crate::game::lights_out::neighbourhood::{EXPECTED, Neighbourhood};
use crate::level::{Origin, Spanned, board_size};

/// One row of a drawing.
#[derive(Clone, Debug)]
pub(super) struct LampRow {
    /// Its characters, lamps or not.
    pub marks: Vec<Spanned<char>>,
    /// The bytes of the file that hold the row.
    pub span: Range<usize>,
    /// `true` if a `/` beside it says that it is a row, and no board on one line.
    pub is_split: bool,
}

impl LampRow {
    /// The rows of a line, which starts at byte `start` of the text of `origin`.
    pub fn of_line(line: &str, start: usize, origin: &Origin) -> Vec<Self> {
        let is_split = line.contains('/');
        let mut at = start;
        let mut rows = Vec::new();
        for part in line.split('/') {
            let marks = part.char_indices().filter(|&(_, mark)| !is_between(mark)).map(|(byte, value)| {
                let byte = at + byte;
                Spanned { value, span: origin.span(byte..byte + value.len_utf8()) }
            });
            let row = Self { marks: marks.collect(), span: origin.span(at..at + part.trim_end().len()), is_split };
            at += part.len() + 1;
            rows.push(row);
        }
        // A `/` after the last row separates nothing.
        rows.pop_if(|row| is_split && row.marks.is_empty());
        rows
    }
}

/// A level that may hold faults.
#[derive(Debug)]
pub(super) struct Setup {
    source: Arc<SourceText>,
    /// The bytes of the file that hold the level.
    whole: Range<usize>,
    pub rows: Vec<LampRow>,
    size: Option<Spanned<(usize, usize)>>,
    neighbourhood: Option<Spanned<Neighbourhood>>,
    pub faults: Vec<Diagnostic>,
}

impl Setup {
    pub fn new(source: &Arc<SourceText>, whole: Range<usize>) -> Self {
        let source = source.clone();
        Self { source, whole, rows: Vec::new(), size: None, neighbourhood: None, faults: Vec::new() }
    }

    /// Takes a setting; tells whether there is one of this name.
    pub fn set(&mut self, key: &str, value: &str, span: Range<usize>) -> bool {
        match key.to_ascii_lowercase().as_str() {
            // The name of the level is the business of the file that holds it.
            "id" => {}
            "board" | "size" => match board_size(value).filter(|&(width, height)| width > 0 && height > 0) {
                Some(value) => self.set_size(value, span),
                None => {
                    let message = format!("{value:?} is not the size of a board");
                    let help = "write columns x rows, both 1 or more, as in `# board: 5x5`";
                    self.fault("bad-board-size", span, message, help);
                }
            },
            "neighbourhood" | "neighborhood" | "pattern" => match value.parse() {
                Ok(value) => self.set_neighbourhood(value, span),
                Err(reason) => self.fault("bad-neighbourhood", span, reason, EXPECTED),
            },
            _ => return false,
        }
        true
    }

    pub fn set_size(&mut self, value: (usize, usize), span: Range<usize>) {
        if self.size.as_ref().is_some_and(|size| size.value != value) {
            let message = "the size of the board is given twice, and differently".to_owned();
            self.fault("repeated-setting", span.clone(), message, "keep one of the two");
        }
        self.size = Some(Spanned { value, span });
    }

    pub fn set_neighbourhood(&mut self, value: Neighbourhood, span: Range<usize>) {
        if let Some(earlier) = self.neighbourhood.as_ref().filter(|earlier| earlier.value != value) {
            let message = format!("the level has two neighbourhoods, {} and {value}", earlier.value);
            self.fault("repeated-setting", span.clone(), message, "keep one of the two");
        }
        self.neighbourhood = Some(Spanned { value, span });
    }

    pub fn fault(&mut self, code: &'static str, span: Range<usize>, message: String, help: impl Into<String>) {
        self.faults.push(Diagnostic::error(code, &self.source, span, message).with_help(help));
    }

    /// The level, if it holds no fault.
    pub fn finish(mut self, otherwise: &Neighbourhood) -> Result<Board, Vec<Diagnostic>> {
        if self.rows.iter().all(|row| row.marks.is_empty()) {
            if self.faults.is_empty() {
                let help = "draw the lamps, `*` for one that is on and `.` for one that is off, or leave the level out";
                self.fault("empty-level", self.whole.clone(), "there is no level here".to_owned(), help);
            }
            return Err(self.faults);
        }
        self.fold();
        self.check_marks();
        let width = usual_width(&self.rows);
        let is_rectangle = self.check_rows(width);
        let height = self.rows.len();
        if is_rectangle {
            self.check_size(width, height);
        }
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let marks = self.rows.iter().flat_map(|row| &row.marks).enumerate();
        let lit = marks.filter(|(_, mark)| lamp(mark.value) == Some(true)).map(|(cell, _)| cell).collect();
        let neighbourhood = self.neighbourhood.map_or_else(|| otherwise.clone(), |neighbourhood| neighbourhood.value);
        Ok(Board { width, height, lit, neighbourhood })
    }

    /// Cuts a board that stands on one line into rows: as its size says, else into a square.
    fn fold(&mut self) {
        let [row] = self.rows.as_slice() else { return };
        if row.is_split {
            return;
        }
        let n_lamps = row.marks.len();
        let side = n_lamps.isqrt();
        let width = match self.size {
            Some(Spanned { value: (width, height), .. }) if width.checked_mul(height) == Some(n_lamps) => width,
            None if side * side == n_lamps => side,
            _ => {
                let wanted = match self.size {
                    Some(Spanned { value: (width, height), .. }) => format!("a board of {width}x{height}"),
                    None => "a square board".to_owned(),
                };
                let message = format!("{n_lamps} lamps do not make {wanted}");
                let help = "add or remove lamps, part the rows with `/` or lines, or give the size (columns x rows) as \
                    in `# board: 7x6`";
                let fault = Diagnostic::error("bad-board-length", &self.source, row.span.clone(), message);
                self.faults.push(fault.labelled(format!("{n_lamps} lamps")).with_help(help));
                return;
            }
        };
        let cut = row.marks.chunks(width);
        self.rows = cut.map(|marks| LampRow { marks: marks.to_vec(), span: span_of(marks), is_split: true }).collect();
    }

    fn check_marks(&mut self) {
        for row in &self.rows {
            for run in row.marks.chunk_by(|this, other| is_unknown(this) == is_unknown(other)) {
                if !is_unknown(&run[0]) {
                    continue;
                }
                let text: String = run.iter().map(|mark| mark.value).collect();
                let span = run[0].span.start..run[run.len() - 1].span.end;
                let message = format!("{text:?} means nothing on a board");
                let fault = Diagnostic::error("unknown-character", &self.source, span, message);
                let help = "a lamp that is on is `*`, `1` or `x`, one that is off is `.`, `0` or `o`; `/` parts rows";
                self.faults.push(fault.labelled("no lamp").with_help(help));
            }
        }
    }

    fn check_rows(&mut self, width: usize) -> bool {
        let n_faults = self.faults.len();
        for (number, row) in self.rows.iter().enumerate().filter(|(_, row)| row.marks.len() != width) {
            let n_lamps = row.marks.len();
            let message = format!("row {} has {n_lamps} lamps, the other rows have {width}", number + 1);
            // Blames the first lamp too many, or the end of the row where one is missing.
            let span = match row.marks.get(width) {
                Some(extra) => extra.span.start..row.span.end,
                None => row.span.end..row.span.end,
            };
            let label = if n_lamps > width { "too many lamps" } else { "lamps are missing here" };
            let fault = Diagnostic::error("ragged-rows", &self.source, span, message);
            self.faults.push(fault.labelled(label).with_help("draw every lamp of the board; one that is off is `.`"));
        }
        self.faults.len() == n_faults
    }

    fn check_size(&mut self, width: usize, height: usize) {
        if width * height > MAX_LAMPS {
            let message = format!("the board of {width}x{height} has {} lamps", width * height);
            let help = format!("a board has at most {MAX_LAMPS} lamps, such as 32x32");
            self.fault("level-too-large", self.whole.clone(), message, help);
        }
        let is_known = self.faults.iter().any(|fault| fault.code == "bad-board-length");
        if let Some(Spanned { value, span }) =
            self.size.clone().filter(|size| size.value != (width, height) && !is_known)
        {
            let message = format!("the board is drawn as {width}x{height}, not as {}x{}", value.0, value.1);
            self.fault("bad-board-size", span, message, "correct the size (columns x rows), or leave it out");
        }
    }
}

fn is_unknown(mark: &Spanned<char>) -> bool {
    lamp(mark.value).is_none()
}

fn span_of(marks: &[Spanned<char>]) -> Range<usize> {
    marks[0].span.start..marks[marks.len() - 1].span.end
}

/// The number of lamps of most rows; of equals, that of the row which comes first.
fn usual_width(rows: &[LampRow]) -> usize {
    let count = |width: usize| rows.iter().filter(|row| row.marks.len() == width).count();
    let widths = rows.iter().map(|row| row.marks.len());
    widths.rev().max_by_key(|&width| count(width)).unwrap_or(0)
}
