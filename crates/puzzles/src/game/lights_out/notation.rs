//! The notations of Lights Out: levels, positions and presses.
//!
//! A level is a drawn board, on several lines or on one, or JSON; `docs/lights_out.md` shows each by example.

use std::sync::Arc;

use super::board::{Board, Press};
use super::neighbourhood::Neighbourhood;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::MoveError;
use crate::level::Origin;
use crate::level::json::looks_like_json;
use crate::level::lines::{LineKind, json_behind_settings, lines};

mod json;
mod marks;
mod setup;

use marks::{is_between, lamp};
use setup::{LampRow, Setup};

/// Reads a level in any notation. `text` stands in `source` at byte `offset`, as it is or with the escapes of a
/// JSON string or quoted table cell; the faults point into `source`. `otherwise` is the neighbourhood of levels
/// that do not give one.
///
/// # Errors
///
/// All faults of the level, at least one, in the order of the file.
pub fn parse(
    text: &str,
    source: &Arc<SourceText>,
    offset: usize,
    otherwise: &Neighbourhood,
) -> Result<Board, Vec<Diagnostic>> {
    let origin = Origin::new(text, source, offset);
    let setup = if looks_like_json(text) { json::read(text, &origin) } else { read_text(text, &origin) };
    setup.finish(otherwise).map_err(|mut faults| {
        faults.sort_by_key(|fault| fault.place.span.start);
        faults
    })
}

/// A drawn board with its settings.
fn read_text(text: &str, origin: &Origin) -> Setup {
    let json = json_behind_settings(text);
    let whole = || Setup::new(origin.source(), origin.span(0..text.trim_end().len()));
    let mut setup = json.as_ref().map_or_else(whole, |json| json::read(json, origin));
    for line in lines(text) {
        match line.kind {
            LineKind::Content if json.is_some() => break,
            LineKind::Blank | LineKind::Comment => {}
            LineKind::Content => {
                let content = line.text.split('#').next().unwrap_or("");
                setup.rows.extend(LampRow::of_line(content, line.start, origin));
            }
            LineKind::Setting { key, value, value_start, hashed } => {
                let known = setup.set(key, value, origin.span(value_start..value_start + value.len()));
                if !known && !hashed {
                    let span = line.start..line.start + line.text.len();
                    let fault = origin.error("unknown-setting", span, format!("{key:?} is not a setting"));
                    let help =
                        "the settings are id, board (or size) and neighbourhood (or pattern); a remark starts with #";
                    setup.faults.push(fault.with_help(help));
                }
            }
        }
    }
    setup
}

/// The board on one line: `*` for a lamp that is on, `.` for one that is off, `/` between the rows.
pub(super) fn write_state(width: usize, height: usize, is_lit: impl Fn(usize) -> bool) -> String {
    let mark = |cell: usize| if is_lit(cell) { '*' } else { '.' };
    let rows = (0..height).map(|row| (row * width..(row + 1) * width).map(mark).collect::<String>());
    rows.collect::<Vec<_>>().join("/")
}

/// The lit cells of a position on one line or several, with or without `/` between the rows.
///
/// # Errors
///
/// What is wrong, in words.
pub(super) fn read_state(text: &str, width: usize, height: usize) -> Result<Vec<usize>, String> {
    let rows: Vec<Vec<char>> =
        text.trim().split(['/', '\n']).map(|row| row.chars().filter(|&mark| !is_between(mark)).collect()).collect();
    let board = format!("a board of {width}x{height}");
    if let [row] = rows.as_slice() {
        if row.len() != width * height {
            return Err(format!("it has {} lamps, and {board} has {}", row.len(), width * height));
        }
    } else if rows.len() != height {
        return Err(format!("it has {} rows, and {board} has {height}", rows.len()));
    } else if let Some(row) = rows.iter().position(|row| row.len() != width) {
        return Err(format!("row {} has {} lamps, and {board} has {width}", row + 1, rows[row].len()));
    }
    let mut lit = Vec::new();
    for (cell, &mark) in rows.iter().flatten().enumerate() {
        match lamp(mark) {
            Some(true) => lit.push(cell),
            Some(false) => {}
            None => {
                return Err(format!("{mark:?} is no lamp: `*` or `1` is one that is on, `.` or `0` one that is off"));
            }
        }
    }
    Ok(lit)
}

/// The press of a cell in the notation of logs.
pub(super) fn write_press(cell: usize, width: usize) -> String {
    format!("r{}c{}", cell / width + 1, cell % width + 1)
}

/// Reads a press: `r3c4`, or another notation that names row and column in this order, or the number of the cell
/// after `@`.
pub(super) fn read_press(text: &str, width: usize, height: usize) -> Result<Press, MoveError> {
    let text = text.trim();
    let unreadable = || MoveError::Unreadable {
        text: text.to_owned(),
        expected:
            "write the row and the column of the lamp from 1 (r3c4, 3:4, (3 4)), or @ and its number from 0 (@23)"
                .to_owned(),
    };
    let illegal = |reason: String| MoveError::Illegal { text: text.to_owned(), reason };
    if let Some(number) = text.strip_prefix('@') {
        let cell = whole_number(number).ok_or_else(unreadable)?;
        if cell >= width * height {
            return Err(illegal(format!("there is no cell {cell}: cells go from 0 to {}", width * height - 1)));
        }
        return Ok(Press { cell: cell as u16 });
    }
    let (row, column) = row_and_column(text).ok_or_else(unreadable)?;
    for (what, number, last) in [("row", row, height), ("column", column, width)] {
        if !(1..=last).contains(&number) {
            return Err(illegal(format!("there is no {what} {number}: {what}s go from 1 to {last}")));
        }
    }
    Ok(Press { cell: ((row - 1) * width + column - 1) as u16 })
}

/// The numbers of `r3c4`, `row 3 column 4`, `c4r3`, `3:4`, `(3, 4)`, `[3 4]`, `3;4`.
pub(in crate::game) fn row_and_column(text: &str) -> Option<(usize, usize)> {
    let lower = text.to_ascii_lowercase();
    let inner = ["()", "[]"].into_iter().find_map(|pair| lower.strip_prefix(&pair[..1])?.strip_suffix(&pair[1..]));
    let inner = inner.unwrap_or(&lower).trim();
    let digits = |text: &str| text.find(|mark: char| !mark.is_ascii_digit()).unwrap_or(text.len());
    let first_at = inner.find(|mark: char| mark.is_ascii_digit())?;
    let (before, rest) = inner.split_at(first_at);
    let (first, rest) = rest.split_at(digits(rest));
    let second_at = rest.find(|mark: char| mark.is_ascii_digit())?;
    let (between, second) = rest.split_at(second_at);
    let (first, second) = (whole_number(first)?, whole_number(second)?);
    match (before.trim(), between.trim()) {
        ("r" | "row", "c" | "col" | "column") => Some((first, second)),
        ("c" | "col" | "column", "r" | "row") => Some((second, first)),
        ("", "" | ":" | "," | ";") => Some((first, second)),
        _ => None,
    }
}

/// A number of digits only; the largest one stands for all that are larger.
fn whole_number(text: &str) -> Option<usize> {
    let is_number = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests;
