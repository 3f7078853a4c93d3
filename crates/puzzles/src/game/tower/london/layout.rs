//! The notation of a level of the Tower of London.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::MAX_PEGS;
use super::super::notation::{Part, TextDiagnostic, Written, counted, faults};
use crate::diagnostic::{Diagnostic, SourceText};

/// The capacities of Shallice's apparatus, which hold where neither level nor study gives others.
pub const CAPACITIES: [u8; 3] = [3, 2, 1];

/// The options of the rules, as `[rules]` of a study gives them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Number of balls that each peg has room for, from the left, as in `"3 2 1"`: for levels that do not say.
    pub capacities: String,
}

impl Default for Options {
    fn default() -> Self {
        Self { capacities: CAPACITIES.map(|room| room.to_string()).join(" ") }
    }
}

impl Options {
    /// Checks what the types cannot say.
    ///
    /// # Errors
    ///
    /// What is wrong, with the entry in backticks.
    pub fn check(&self) -> Result<(), String> {
        parse_capacities(&self.capacities).map(drop).map_err(|reason| format!("`capacities`: {reason}"))
    }
}

/// A level as it is laid out: start and target hold the same balls, and no peg more than it has room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    capacities: Vec<u8>,
    start: Vec<Vec<char>>,
    target: Vec<Vec<char>>,
}

impl Layout {
    /// Number of balls that each peg has room for, from the left.
    pub fn capacities(&self) -> &[u8] {
        &self.capacities
    }

    /// The names of the balls on each peg at the start, bottom first.
    pub fn start(&self) -> &[Vec<char>] {
        &self.start
    }

    /// The names of the balls on each peg at the target, bottom first.
    pub fn target(&self) -> &[Vec<char>] {
        &self.target
    }
}

/// The most balls that a peg may have room for.
const MAX_ROOM: usize = 64;

/// Reads a level: `start > target`, each with the balls of every peg from the bottom, as in `RG/B/- > G/RB/-`.
/// `text` stands in `source` at byte `offset`; the faults point into `source`.
///
/// # Errors
///
/// All faults of the level, at least one, in the order of the file.
pub fn parse(
    text: &str,
    source: &Arc<SourceText>,
    offset: usize,
    options: &Options,
) -> Result<Layout, Vec<Diagnostic>> {
    read(text, options).map_err(|diagnostics| faults(diagnostics, text, source, offset))
}

fn read(text: &str, options: &Options) -> Result<Layout, Vec<TextDiagnostic>> {
    let mut diagnostics = Vec::new();
    let written = Written::read(text, &["capacities"], |_| false, &mut diagnostics);
    let setting = written.setting("capacities");
    let capacities = match setting {
        None => parse_capacities(&options.capacities).ok(),
        Some(part) => match parse_capacities(part.text) {
            Ok(capacities) => Some(capacities),
            Err(reason) => {
                let help = "write the room of each peg from the left, as in `# capacities: 3 2 1`";
                diagnostics.push(TextDiagnostic::new("bad-capacities", part.span(), reason, help));
                None
            }
        },
    };
    if diagnostics.iter().any(|wrong| wrong.code == "empty-level") {
        return Err(diagnostics);
    }
    let start = position(written.start, "start", capacities.as_deref(), &mut diagnostics);
    let target = position(written.target, "target", capacities.as_deref(), &mut diagnostics);
    if let (Some(start), Some(target), Some(part)) = (&start, &target, written.target)
        && let Err(message) = compare_balls(target, start, "the start")
    {
        let help = "start and target hold the same balls, a letter for each";
        diagnostics.push(TextDiagnostic::new("different-balls", part.span(), message, help));
    }
    match (capacities, start, target) {
        (Some(capacities), Some(start), Some(target)) if diagnostics.is_empty() => {
            Ok(Layout { capacities, start, target })
        }
        _ => Err(diagnostics),
    }
}

/// One of the two positions of a level.
fn position(
    part: Option<Part>,
    name: &'static str,
    capacities: Option<&[u8]>,
    diagnostics: &mut Vec<TextDiagnostic>,
) -> Option<Vec<Vec<char>>> {
    let Some(part) = part else {
        let code = if name == "start" { "missing-start" } else { "missing-target" };
        let help = "write both on one line, as in `RG/B/- > G/RB/-`";
        diagnostics.push(TextDiagnostic::new(code, 0..0, format!("the level has no {name}"), help));
        return None;
    };
    let pegs = read_position(part, capacities).map_err(|more| diagnostics.extend(more)).ok()?;
    if pegs.iter().all(Vec::is_empty) {
        let help = "write a letter for each ball, bottom first";
        diagnostics.push(TextDiagnostic::new("no-balls", part.span(), format!("the {name} has no balls"), help));
        return None;
    }
    Some(pegs)
}

/// The room of each peg, from the left: numbers with blanks, commas, dots or `/` between them.
///
/// # Errors
///
/// What is wrong.
pub fn parse_capacities(text: &str) -> Result<Vec<u8>, String> {
    let words = text.split([' ', '\t', ',', '.', '/', '-']).filter(|word| !word.is_empty());
    let capacities = words.map(|word| match word.parse::<u8>() {
        Ok(room) if (1..=MAX_ROOM).contains(&usize::from(room)) => Ok(room),
        _ => Err(format!("{word:?} is no room of a peg: it is a whole number from 1 to {MAX_ROOM}")),
    });
    let capacities: Vec<u8> = capacities.collect::<Result<_, _>>()?;
    if (2..=MAX_PEGS).contains(&capacities.len()) {
        Ok(capacities)
    } else {
        Err(format!("{text:?} gives {}; a level has from 2 to {MAX_PEGS}", counted(capacities.len(), "peg")))
    }
}

/// The balls of each peg, bottom first; the room of the pegs is checked where it is known.
pub(super) fn read_position(part: Part, capacities: Option<&[u8]>) -> Result<Vec<Vec<char>>, Vec<TextDiagnostic>> {
    let parts = part.pegs();
    let mut diagnostics = Vec::new();
    let pegs: Vec<Vec<char>> = parts.iter().map(|&peg| balls(peg, &mut diagnostics)).collect();
    let Some(capacities) = capacities else { return if diagnostics.is_empty() { Ok(pegs) } else { Err(diagnostics) } };
    if pegs.len() != capacities.len() {
        let rooms: Vec<String> = capacities.iter().map(u8::to_string).collect();
        let message = format!(
            "the position has {}, and the level has {} with room for {}",
            counted(pegs.len(), "peg"),
            counted(capacities.len(), "peg"),
            rooms.join(", ")
        );
        let help = "write / between the pegs and - for an empty one, or give the room of each, as in \
                    `# capacities: 4 4 4`";
        diagnostics.push(TextDiagnostic::new("peg-count", part.span(), message, help));
        return Err(diagnostics);
    }
    for (number, ((peg, balls), &room)) in parts.iter().zip(&pegs).zip(capacities).enumerate() {
        if balls.len() > usize::from(room) {
            let held = counted(balls.len(), "ball");
            let message = format!("peg {} has room for {room} and holds {held}", number + 1);
            let help = "move balls elsewhere, or give the peg more room, as in `# capacities: 4 4 4`";
            diagnostics.push(TextDiagnostic::new("too-many-balls", peg.span(), message, help));
        }
    }
    if diagnostics.is_empty() { Ok(pegs) } else { Err(diagnostics) }
}

fn balls(peg: Part, diagnostics: &mut Vec<TextDiagnostic>) -> Vec<char> {
    if peg.is_empty_peg() {
        return Vec::new();
    }
    let letters = peg.letters().filter_map(|(letter, span)| {
        if letter.is_alphanumeric() {
            return Some(letter);
        }
        let help = "a ball is one letter or digit; / stands between pegs and - for an empty one";
        diagnostics.push(TextDiagnostic::new("bad-ball", span, format!("{letter:?} is no name of a ball"), help));
        None
    });
    letters.collect()
}

/// Checks that two positions hold the same balls; `whose` says whose the second ones are.
pub(super) fn compare_balls(actual: &[Vec<char>], expected: &[Vec<char>], whose: &str) -> Result<(), String> {
    let (actual, expected) = (sorted_balls(actual), sorted_balls(expected));
    if actual == expected {
        return Ok(());
    }
    Err(format!("its balls are {}, those of {whose} are {}", listed(actual), listed(expected)))
}

fn sorted_balls(pegs: &[Vec<char>]) -> Vec<char> {
    let mut balls: Vec<char> = pegs.iter().flatten().copied().collect();
    balls.sort_unstable();
    balls
}

fn listed(balls: Vec<char>) -> String {
    if balls.is_empty() { "none".to_owned() } else { String::from_iter(balls) }
}

/// A position on one line, as [`parse`] reads it.
pub(super) fn format_position(pegs: &[Vec<char>]) -> String {
    let peg = |balls: &Vec<char>| if balls.is_empty() { "-".to_owned() } else { balls.iter().collect() };
    pegs.iter().map(peg).collect::<Vec<String>>().join("/")
}
