//! The notation of a level of the Tower of Hanoi.

use std::ops::Range;
use std::sync::Arc;

use super::super::MAX_PEGS;
use super::super::notation::{Part, TextDiagnostic, Written, counted, faults};
use crate::diagnostic::{Diagnostic, SourceText};

/// A level as it is laid out; no disk lies on a smaller one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    n_pegs: usize,
    start: Vec<u8>,
    target: Vec<u8>,
    remarks: Vec<String>,
}

impl Layout {
    /// Number of pegs, from 3 to [`MAX_PEGS`].
    pub fn n_pegs(&self) -> usize {
        self.n_pegs
    }

    /// The peg of each disk at the start, from 0, smallest disk first.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// The peg of each disk at the target, from 0, smallest disk first.
    pub fn target(&self) -> &[u8] {
        &self.target
    }

    /// Remarks on what was taken for granted when the level was read.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }
}

/// The most disks: as many as a code of 64 bits holds on three or four pegs.
const MAX_DISKS: usize = 32;

/// The most disks that are written without dots.
const MAX_PLAIN: usize = 9;

/// Reads a level: `4 disks 3 pegs`, or a start and maybe a target, as in `431/2/- > -/-/4321`. Without a start all
/// disks are on the first peg, without a target they go to the last one. `text` stands in `source` at byte
/// `offset`; the faults point into `source`.
///
/// # Errors
///
/// All faults of the level, at least one, in the order of the file.
pub fn parse(text: &str, source: &Arc<SourceText>, offset: usize) -> Result<Layout, Vec<Diagnostic>> {
    read(text).map_err(|diagnostics| faults(diagnostics, text, source, offset))
}

/// A number, and where it stands.
type Given = Option<(usize, Range<usize>)>;

fn read(text: &str) -> Result<Layout, Vec<TextDiagnostic>> {
    let mut diagnostics = Vec::new();
    let written = Written::read(text, &["disks", "pegs"], is_size, &mut diagnostics);
    let (mut n_disks, mut n_pegs): (Given, Given) = (None, None);
    if let Some(size) = written.size {
        read_size(size, &mut n_disks, &mut n_pegs, &mut diagnostics);
    }
    for (key, place, limits) in [("disks", &mut n_disks, 1..=MAX_DISKS), ("pegs", &mut n_pegs, 3..=MAX_PEGS)] {
        if let Some(part) = written.setting(key) {
            take_number(part, key, limits, place, &mut diagnostics);
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let mut places = Vec::new();
    for part in [written.start, written.target] {
        let place = part.map(|part| match part.text.parse() {
            Ok(number @ 0..=MAX_PEGS) => Ok(Place::Peg(number, part.span())),
            _ => position(part, &mut n_disks, &mut n_pegs).map(Place::Position),
        });
        places.push(place.transpose().unwrap_or_else(|more| {
            diagnostics.extend(more);
            None
        }));
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let Some((n_disks, _)) = n_disks else {
        let help = "write `4 disks 3 pegs`, or a position such as `4321/-/-`";
        return Err(vec![TextDiagnostic::new(
            "missing-disks",
            0..0,
            "the level does not say how many disks it has",
            help,
        )]);
    };
    let n_pegs = n_pegs.map_or(3, |(number, _)| number);
    let mut remarks = Vec::new();
    let mut disks_of = |place: Option<Place>, usual: usize| match place {
        Some(Place::Position(position)) => Ok(position),
        Some(Place::Peg(peg, span)) if !(1..=n_pegs).contains(&peg) => {
            let message = format!("there is no peg {peg} among {n_pegs}");
            Err(vec![TextDiagnostic::new("peg-count", span, message, "pegs are numbered from 1, from the left")])
        }
        Some(Place::Peg(peg, _)) => {
            remarks.push(peg_taken(peg, n_pegs));
            Ok(vec![peg as u8 - 1; n_disks])
        }
        None => Ok(vec![usual as u8 - 1; n_disks]),
    };
    let target = places.pop().flatten();
    let start = places.pop().flatten();
    let (start, target) = (disks_of(start, 1)?, disks_of(target, n_pegs)?);
    remarks.dedup();
    Ok(Layout { n_pegs, start, target, remarks })
}

/// Remark on the peg that a bare number is taken for, for some count pegs from 0.
fn peg_taken(peg: usize, n_pegs: usize) -> String {
    let place = match peg {
        1 => "the left one".to_owned(),
        _ if peg == n_pegs => "the right one".to_owned(),
        _ if 2 * peg == n_pegs + 1 => "the middle one".to_owned(),
        _ => format!("number {peg} of {n_pegs} from the left"),
    };
    format!("peg {peg} is taken for {place}: pegs are counted from 1")
}

/// The start or the target as it is written.
enum Place {
    Position(Vec<u8>),
    /// All disks on the peg of this number, counted from 1, and where it stands.
    Peg(usize, Range<usize>),
}

/// `true` if a line gives the size of the tower.
fn is_size(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    lower.contains("dis") || lower.contains("peg")
}

/// Reads `4 disks 3 pegs`; either part may be missing, and `on`, `and` and `with` may stand between them.
fn read_size(size: Part, n_disks: &mut Given, n_pegs: &mut Given, diagnostics: &mut Vec<TextDiagnostic>) {
    let words: Vec<Part> = size.split(|letter| letter.is_whitespace() || letter == ',');
    let words = words.into_iter().filter(|word| !matches!(word.text, "" | "on" | "and" | "with"));
    let words: Vec<Part> = words.collect();
    for pair in words.chunks(2) {
        let unit = pair.get(1).map(|unit| unit.text.to_ascii_lowercase()).unwrap_or_default();
        match unit.as_str() {
            "disk" | "disks" | "disc" | "discs" => take_number(pair[0], "disks", 1..=MAX_DISKS, n_disks, diagnostics),
            "peg" | "pegs" => take_number(pair[0], "pegs", 3..=MAX_PEGS, n_pegs, diagnostics),
            _ => {
                let message = format!("{:?} is neither a position nor the size of a tower", size.text);
                diagnostics.push(TextDiagnostic::new("bad-size", size.span(), message, "write `4 disks 3 pegs`"));
                return;
            }
        }
    }
}

fn take_number(
    part: Part,
    what: &str,
    limits: std::ops::RangeInclusive<usize>,
    place: &mut Given,
    diagnostics: &mut Vec<TextDiagnostic>,
) {
    match (part.number().filter(|number| limits.contains(number)), &place) {
        (Some(number), Some((other, _))) if number != *other => {
            let message = format!("the level is said to have {other} {what} and {number} {what}");
            diagnostics.push(TextDiagnostic::new("size-differs", part.span(), message, "say it once"));
        }
        (Some(number), _) => *place = Some((number, part.span())),
        (None, _) => {
            let (least, most) = (limits.start(), limits.end());
            let message = format!("{:?} is no number of {what}", part.text);
            diagnostics.push(TextDiagnostic::new(
                "bad-number",
                part.span(),
                message,
                format!("write a number from {least} to {most}"),
            ));
        }
    }
}

/// One of the two positions of a level, which has to agree with what is known of its size.
fn position(part: Part, n_disks: &mut Given, n_pegs: &mut Given) -> Result<Vec<u8>, Vec<TextDiagnostic>> {
    let (disks, pegs) = read_position(part, n_disks.as_ref().map(|(number, _)| *number))?;
    if !(3..=MAX_PEGS).contains(&pegs) {
        let message = format!("the position has {}", counted(pegs, "peg"));
        let help = format!("a level has from 3 to {MAX_PEGS} pegs: write / between them and - for an empty one");
        return Err(vec![TextDiagnostic::new("peg-count", part.span(), message, help)]);
    }
    if let Some((known, _)) = n_pegs.as_ref().filter(|(known, _)| *known != pegs) {
        let message = format!("the position has {}, and the level has {known}", counted(pegs, "peg"));
        let help = "write / between the pegs and - for an empty one";
        return Err(vec![TextDiagnostic::new("peg-count", part.span(), message, help)]);
    }
    *n_disks = Some((disks.len(), part.span()));
    *n_pegs = Some((pegs, part.span()));
    Ok(disks)
}

/// The peg of each disk, smallest first, and the number of pegs. Where it is known how many disks there are, each of
/// them must be there; else those up to the largest one.
pub(super) fn read_position(part: Part, n_disks: Option<usize>) -> Result<(Vec<u8>, usize), Vec<TextDiagnostic>> {
    let mut diagnostics = Vec::new();
    let parts = part.pegs();
    let is_dotted = n_disks.is_some_and(|number| number > MAX_PLAIN)
        || parts.iter().any(|peg| peg.text.contains(|letter: char| letter == '.' || letter.is_whitespace()));
    let mut placed: Vec<(usize, u8, Range<usize>)> = Vec::new();
    let largest = n_disks.unwrap_or(MAX_DISKS);
    let mut pegs: Vec<Vec<_>> =
        parts.iter().map(|&part| disks_of_peg(part, is_dotted, largest, &mut diagnostics)).collect();
    // No other position can be meant where the disks of all pegs grow to the end: they are written from the top.
    if pegs.iter().all(|disks| disks.iter().map(|(disk, _)| disk).is_sorted()) {
        pegs.iter_mut().for_each(|disks| disks.reverse());
    }
    for (peg, disks) in pegs.into_iter().enumerate() {
        for (below, above) in disks.iter().zip(disks.iter().skip(1)).filter(|(below, above)| below.0 < above.0) {
            let message = format!("disk {} lies on disk {}, which is smaller", above.0, below.0);
            let help = "write the disks of a peg from the bottom, the largest first";
            diagnostics.push(TextDiagnostic::new("disk-on-smaller", above.1.clone(), message, help));
        }
        placed.extend(disks.into_iter().map(|(disk, span)| (disk, peg as u8, span)));
    }
    placed.sort_by_key(|(disk, _, span)| (*disk, span.start));
    for (_, again) in placed.iter().zip(placed.iter().skip(1)).filter(|(this, other)| this.0 == other.0) {
        let message = format!("disk {} is there twice", again.0);
        diagnostics.push(TextDiagnostic::new("disk-twice", again.2.clone(), message, "write each disk once"));
    }
    let largest = n_disks.or_else(|| placed.last().map(|(disk, ..)| *disk)).unwrap_or(0);
    let missing = (1..=largest).filter(|disk| !placed.iter().any(|(placed, ..)| placed == disk));
    let missing: Vec<String> = missing.map(|disk| disk.to_string()).collect();
    if largest == 0 || (!missing.is_empty() && diagnostics.is_empty()) {
        let list = if largest == 0 { "every disk".to_owned() } else { format!("disk {}", missing.join(", ")) };
        let help = format!("write every disk from 1 to {}, with dots between them from 10 on", largest.max(1));
        diagnostics.push(TextDiagnostic::new("disk-missing", part.span(), format!("{list} is missing"), help));
    }
    if diagnostics.is_empty() {
        Ok((placed.into_iter().map(|(_, peg, _)| peg).collect(), parts.len()))
    } else {
        Err(diagnostics)
    }
}

/// The disks of a peg from the bottom, and where each is written.
fn disks_of_peg(
    peg: Part,
    is_dotted: bool,
    largest: usize,
    diagnostics: &mut Vec<TextDiagnostic>,
) -> Vec<(usize, Range<usize>)> {
    if peg.is_empty_peg() {
        return Vec::new();
    }
    let words: Vec<Part> = if is_dotted {
        peg.split(|letter| letter == '.' || letter.is_whitespace())
            .into_iter()
            .filter(|word| !word.text.is_empty())
            .collect()
    } else {
        let single = |(_, span): (char, Range<usize>)| {
            let text = &peg.text[span.start - peg.start..span.end - peg.start];
            Part { text, start: span.start }
        };
        peg.letters().map(single).collect()
    };
    let mut disks = Vec::new();
    for word in words {
        match word.number().filter(|number| (1..=largest).contains(number)) {
            Some(disk) => disks.push((disk, word.span())),
            None => {
                let message = format!("{:?} is no disk", word.text);
                let help = format!(
                    "the disks go from 1, the smallest, to {largest}; / stands between pegs, - for an empty one"
                );
                diagnostics.push(TextDiagnostic::new("bad-disk", word.span(), message, help));
            }
        }
    }
    disks
}

/// A position on one line, as [`parse`] reads it.
pub(super) fn format_position(pegs: &[Vec<usize>], n_disks: usize) -> String {
    let separator = if n_disks > MAX_PLAIN { "." } else { "" };
    let peg = |disks: &Vec<usize>| match disks.is_empty() {
        true => "-".to_owned(),
        false => disks.iter().map(usize::to_string).collect::<Vec<_>>().join(separator),
    };
    pegs.iter().map(peg).collect::<Vec<_>>().join("/")
}
