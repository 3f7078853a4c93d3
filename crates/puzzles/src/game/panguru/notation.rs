//! The notation of a level: plates, pebbles and lines; `docs/panguru.md` shows it by example.
//!
//! Plates and pebbles are one letter or digit each, in the order of the plates' numbers; white space and `/`
//! between them do not count, so that both may be drawn as triangles. The hole is `-`.

use std::ops::Range;
use std::sync::Arc;

use super::layout::{Layout, MIN_PLATES, cut_off};
use super::lines::{MAX_PLATES, triangle_rows};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::level::Origin;
use crate::level::lines::{LineKind, lines};

mod chains;

use chains::Chain;

/// Mark of the hole.
pub const HOLE: char = '-';

/// `true` if this stands for the plate without a pebble: `-`, other dashes, `.` or `_`.
pub(super) fn is_hole(mark: char) -> bool {
    matches!(mark, HOLE | '.' | '_' | '\u{2013}' | '\u{2014}' | '\u{2212}')
}

/// `true` if this only parts letters from each other.
pub(super) fn is_between(mark: char) -> bool {
    mark.is_whitespace() || mark == '/'
}

/// Reads a level. `text` stands in `source` at byte `offset`, as it is or with the escapes of a JSON string
/// or quoted table cell; the faults point into `source`.
///
/// # Errors
///
/// All faults of the level, at least one, in the order of the file.
pub fn parse(text: &str, source: &Arc<SourceText>, offset: usize) -> Result<Layout, Vec<Diagnostic>> {
    let mut reader = Reader { origin: Origin::new(text, source, offset), faults: Vec::new() };
    let written = reader.read(text);
    let layout = reader.layout(written, 0..text.len());
    let mut faults = reader.faults;
    faults.sort_by_key(|fault| fault.place.span.start);
    match layout {
        Some(layout) if faults.is_empty() => Ok(layout),
        _ => Err(faults),
    }
}

/// A colour or the hole, and the bytes of the level's text that hold it.
#[derive(Clone, Debug)]
struct Mark {
    kind: Kind,
    span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Colour(char),
    Hole,
    /// Neither; already a fault, but it still takes a plate.
    Unknown,
}

/// One row of marks.
type MarkRow = Vec<Mark>;

/// The parts of a level as they are written.
#[derive(Default)]
struct Written {
    plates: Option<MarkRow>,
    pebbles: Option<MarkRow>,
    /// Rows of the lines that are no settings.
    rows: Vec<MarkRow>,
    /// The plates of each line, each with its place in the text.
    chains: Vec<Chain>,
    /// Place where the lines are given, even if they cannot be read.
    lines: Option<Range<usize>>,
}

struct Reader {
    origin: Origin,
    faults: Vec<Diagnostic>,
}

impl Reader {
    fn fault(&mut self, code: &'static str, span: Range<usize>, message: String, label: &str, help: &str) {
        self.faults.push(self.origin.error(code, span, message).labelled(label).with_help(help));
    }

    fn read(&mut self, text: &str) -> Written {
        let mut written = Written::default();
        for line in lines(text) {
            match line.kind {
                LineKind::Blank | LineKind::Comment => {}
                LineKind::Content => {
                    let rows = self.rows(line.text, line.start);
                    written.rows.extend(rows.into_iter().filter(|row| !row.is_empty()));
                }
                LineKind::Setting { key, value, value_start, hashed } => {
                    let whole = line.start..line.start + line.text.len();
                    self.set(&mut written, key, value, value_start, whole, hashed);
                }
            }
        }
        written
    }

    fn set(
        &mut self,
        written: &mut Written,
        key: &str,
        value: &str,
        start: usize,
        line: Range<usize>,
        is_hashed: bool,
    ) {
        match key.to_ascii_lowercase().as_str() {
            // The name of the level is the business of the file that holds it.
            "id" => {}
            name @ ("plates" | "pebbles") => {
                let row = self.rows(value, start).concat();
                let place = if name == "plates" { &mut written.plates } else { &mut written.pebbles };
                if place.replace(row).is_some() {
                    let message = format!("the level gives its {name} twice");
                    self.fault("repeated-setting", line, message, "given before", "keep one of the two lines");
                }
            }
            "line" | "lines" => {
                written.lines.get_or_insert(start..start + value.len());
                let (chains, faults) = chains::read(value, start, &self.origin);
                written.chains.extend(chains);
                self.faults.extend(faults);
            }
            _ if is_hashed => {}
            _ => {
                let message = format!("{key:?} is not a setting");
                let help = "the settings are id, plates, pebbles and lines; a remark starts with #";
                self.fault("unknown-setting", line, message, "not known", help);
            }
        }
    }

    /// The marks of a text, in rows that `/` parts; what follows `#` is a remark.
    fn rows(&mut self, text: &str, start: usize) -> Vec<MarkRow> {
        let text = text.split('#').next().unwrap_or("");
        let mut rows = vec![MarkRow::new()];
        for (at, character) in text.char_indices() {
            if character == '/' {
                rows.push(MarkRow::new());
            }
            if is_between(character) {
                continue;
            }
            let span = start + at..start + at + character.len_utf8();
            let kind = match character {
                mark if is_hole(mark) => Kind::Hole,
                mark if mark.is_ascii_alphanumeric() => Kind::Colour(mark.to_ascii_uppercase()),
                mark => {
                    let message = format!("{mark:?} is neither a colour nor the hole");
                    let help = "a colour is a letter or digit, the hole is -";
                    self.fault("unknown-character", span.clone(), message, "not understood", help);
                    Kind::Unknown
                }
            };
            if let Some(row) = rows.last_mut() {
                row.push(Mark { kind, span });
            }
        }
        rows
    }

    /// The layout, as far as its parts are there; whether it is of use the faults tell.
    fn layout(&mut self, mut written: Written, whole: Range<usize>) -> Option<Layout> {
        let (plates, pebbles) = self.plates_and_pebbles(&mut written, &whole)?;
        let n_plates = plates.len();
        if plates.len() != pebbles.len() {
            self.fault_lengths(&plates, &pebbles, whole);
            return None;
        }
        if !(MIN_PLATES..=MAX_PLATES).contains(&n_plates) {
            let message = format!("the level has {n_plates} plates");
            let code = if n_plates < MIN_PLATES { "too-few-plates" } else { "level-too-large" };
            let help = format!("a level has {MIN_PLATES} to {MAX_PLATES} plates");
            self.fault(code, extent(&plates, whole), message, "these plates", &help);
            return None;
        }
        self.check_hole(&pebbles, &whole);
        self.check_colours(&plates, &pebbles);
        let lines = self.lines(&written, n_plates, extent(&plates, whole));
        let colour = |mark: &Mark| if let Kind::Colour(colour) = mark.kind { Some(colour) } else { None };
        let plates = plates.iter().map(|mark| colour(mark).unwrap_or(HOLE)).collect();
        Some(Layout { plates, pebbles: pebbles.iter().map(colour).collect(), lines })
    }

    /// Plates and pebbles from wherever they are given: settings, two rows, or two halves of all rows.
    fn plates_and_pebbles(&mut self, written: &mut Written, whole: &Range<usize>) -> Option<(MarkRow, MarkRow)> {
        let rows = std::mem::take(&mut written.rows);
        let n_marks: usize = rows.iter().map(Vec::len).sum();
        match (written.plates.take(), written.pebbles.take()) {
            (Some(plates), Some(pebbles)) => {
                if n_marks > 0 {
                    let span = extent(&rows.concat(), whole.clone());
                    let message = "the plates and pebbles are given already".to_owned();
                    self.fault("unexpected-content", span, message, "not needed", "take these lines away");
                }
                Some((plates, pebbles))
            }
            (Some(plates), None) if n_marks > 0 => Some((plates, rows.concat())),
            (None, Some(pebbles)) if n_marks > 0 => Some((rows.concat(), pebbles)),
            (None, None) if n_marks > 0 => self.halves(rows, whole),
            (plates, _) => {
                let missing = if plates.is_some() { "pebbles" } else { "plates" };
                let message = format!("the level has no {missing}");
                let help = "write the plates on one line and the pebbles on the next, such as WAB and -BA";
                self.fault(
                    if plates.is_some() { "missing-pebbles" } else { "missing-plates" },
                    whole.clone(),
                    message,
                    "here",
                    help,
                );
                None
            }
        }
    }

    /// The plates come first; each of two rows is one of the two.
    fn halves(&mut self, mut rows: Vec<MarkRow>, whole: &Range<usize>) -> Option<(MarkRow, MarkRow)> {
        if let [_, _] = rows[..] {
            let pebbles = rows.pop()?;
            return Some((rows.pop()?, pebbles));
        }
        let mut marks = rows.concat();
        if marks.len() % 2 == 1 {
            let message = format!("the level has {} plates and pebbles together, an odd number", marks.len());
            let help = "every plate needs a pebble or the hole (-): write first all plates, then all pebbles";
            self.fault("unequal-lengths", extent(&marks, whole.clone()), message, "plates and pebbles", help);
            return None;
        }
        let pebbles = marks.split_off(marks.len() / 2);
        Some((marks, pebbles))
    }

    fn fault_lengths(&mut self, plates: &MarkRow, pebbles: &MarkRow, whole: Range<usize>) {
        let message = format!("there are {} plates, and {} pebbles with the hole", plates.len(), pebbles.len());
        let help = "every plate needs a pebble or the hole (-)";
        // What is too many is marked; where some are missing, what is there.
        let span = match pebbles.get(plates.len()) {
            Some(first) => first.span.start..extent(pebbles, whole).end,
            None => extent(pebbles, whole),
        };
        self.fault("unequal-lengths", span, message, "not as many as plates", help);
    }

    fn check_hole(&mut self, pebbles: &MarkRow, whole: &Range<usize>) {
        let holes: Vec<&Mark> = pebbles.iter().filter(|mark| mark.kind == Kind::Hole).collect();
        match holes[..] {
            // A character that cannot be read may be meant to be the hole.
            [] if pebbles.iter().any(|mark| mark.kind == Kind::Unknown) => {}
            [] => {
                let message = "every plate has a pebble, so that none can move".to_owned();
                let help = "write - in place of one pebble: the hole";
                self.fault("missing-hole", extent(pebbles, whole.clone()), message, "no hole here", help);
            }
            [_] => {}
            [_, ref others @ ..] => {
                for other in others {
                    let message = format!("there are {} holes", holes.len());
                    let help = "exactly one plate has no pebble";
                    self.fault("several-holes", other.span.clone(), message, "another hole", help);
                }
            }
        }
    }

    /// No colour has more pebbles than plates. As there is one hole, then one colour has one fewer.
    fn check_colours(&mut self, plates: &MarkRow, pebbles: &MarkRow) {
        if is_uncertain(plates) || is_uncertain(pebbles) {
            return;
        }
        for (place, mark) in pebbles.iter().enumerate() {
            let Kind::Colour(colour) = mark.kind else { continue };
            let (n_plates, n_pebbles) = (n_of_kind(plates, mark.kind), n_of_kind(pebbles, mark.kind));
            let n_before = pebbles[..place].iter().filter(|other| other.kind == mark.kind).count();
            if n_before < n_plates {
                continue;
            }
            if n_plates == 0 {
                let message = format!("no plate has the colour {colour}");
                let help = format!("the plates have the colours {}", names(plates));
                self.fault("unknown-colour", mark.span.clone(), message, "no plate of this colour", &help);
            } else {
                let message = format!("there are {n_pebbles} pebbles of the colour {colour}, and {n_plates} plates");
                let help = "each colour has as many pebbles as plates, and one colour has one pebble fewer";
                self.fault("too-many-pebbles", mark.span.clone(), message, "one too many", help);
            }
        }
    }

    /// The lines, checked against the number of plates.
    fn lines(&mut self, written: &Written, n_plates: usize, plates: Range<usize>) -> Option<Vec<Vec<usize>>> {
        let Some(written_lines) = written.lines.clone() else {
            if triangle_rows(n_plates).is_none() {
                let message = format!("{n_plates} plates make no triangle, so the level has to give its lines");
                let help = "say which plates are joined, as in `lines: 0-1-3, 0-2`; \
                            3, 6, 10, 15, 21 or 28 plates make a triangle";
                self.fault("no-lines", plates, message, "no lines for these plates", help);
            }
            return None;
        };
        let n_faults = self.faults.len();
        for (plate, span) in written.chains.iter().flatten() {
            if *plate >= n_plates {
                let message = format!("there is no plate {plate}");
                let help = format!("plates are numbered from 0 to {}", n_plates - 1);
                self.fault("unknown-plate", span.clone(), message, "no such plate", &help);
            }
        }
        let chains: Vec<Vec<usize>> =
            written.chains.iter().map(|chain| chain.iter().map(|&(plate, _)| plate).collect()).collect();
        let is_readable = !self.faults.iter().any(|fault| matches!(fault.code, "bad-line" | "short-line"));
        if is_readable && self.faults.len() == n_faults {
            self.check_connected(n_plates, &chains, written_lines);
        }
        Some(chains)
    }

    fn check_connected(&mut self, n_plates: usize, chains: &[Vec<usize>], span: Range<usize>) {
        let apart: Vec<String> = cut_off(n_plates, chains).iter().map(usize::to_string).collect();
        if !apart.is_empty() {
            let message = format!("no lines lead from plate 0 to {}", apart.join(" "));
            let help = "join them with the other plates, or take them away";
            self.fault("unconnected-plates", span, message, "these lines do not reach all plates", help);
        }
    }
}

fn n_of_kind(row: &MarkRow, kind: Kind) -> usize {
    row.iter().filter(|mark| mark.kind == kind).count()
}

fn is_uncertain(row: &MarkRow) -> bool {
    row.iter().any(|mark| mark.kind == Kind::Unknown)
}

/// From the first to the last of these marks; `whole` if there are none.
fn extent(row: &MarkRow, whole: Range<usize>) -> Range<usize> {
    match (row.first(), row.last()) {
        (Some(first), Some(last)) => first.span.start..last.span.end,
        _ => whole,
    }
}

/// The colours of a row, each once.
fn names(row: &MarkRow) -> String {
    let mut names: Vec<String> = Vec::new();
    for mark in row {
        if let Kind::Colour(colour) = mark.kind
            && !names.contains(&colour.to_string())
        {
            names.push(colour.to_string());
        }
    }
    names.join(" ")
}

#[cfg(test)]
mod tests;
