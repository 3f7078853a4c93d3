//! The notations of sliding tiles: levels, positions and moves.
//!
//! A level is rows of tiles, and maybe a goal; `docs/sliding_tiles.md` shows each by example.

use std::ops::Range;
use std::sync::Arc;

use super::frame::{Frame, MAX_CELLS, SIDES};
use super::layout::{Goal, Layout};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::MoveError;
use crate::game::direction::{Direction, WORDS};
use crate::game::lights_out::notation::row_and_column;
use crate::game::tower::notation::{TextDiagnostic, faults, first_reason};
use crate::game::twenty48::notation::rows;
use crate::level::board_size;
use crate::level::lines::{LineKind, lines};

/// Reads a level. `text` stands in `source` at byte `offset`, as it is or with the escapes of a JSON string or quoted
/// table cell; the faults point into `source`. `otherwise` is the goal of a level that does not give one.
///
/// # Errors
///
/// All faults of the level, at least one, in the order of the file.
pub fn parse(text: &str, source: &Arc<SourceText>, offset: usize, otherwise: Goal) -> Result<Layout, Vec<Diagnostic>> {
    read(text, otherwise).map_err(|diagnostics| faults(diagnostics, text, source, offset))
}

/// A cell as it is written, and where.
type Cell<'a> = (Range<usize>, &'a str);

/// A level before it is checked.
#[derive(Default)]
struct Written<'a> {
    rows: Vec<Vec<Cell<'a>>>,
    goal: Option<Cell<'a>>,
    width: Option<usize>,
    height: Option<usize>,
    diagnostics: Vec<TextDiagnostic>,
}

fn read(text: &str, otherwise: Goal) -> Result<Layout, Vec<TextDiagnostic>> {
    let mut written = Written::default();
    for line in lines(text) {
        match line.kind {
            LineKind::Blank | LineKind::Comment => {}
            LineKind::Content => {
                let content = line.text.split('#').next().unwrap_or_default();
                written.rows.extend(placed(rows(content), line.start));
            }
            LineKind::Setting { key, value, value_start, hashed } => {
                let is_known = written.set(key, (value_start..value_start + value.len(), value));
                if !is_known && !hashed {
                    let span = line.start..line.start + line.text.len();
                    let help = "the settings are id, goal, size, width and height; a remark starts with #";
                    written.fault("unknown-setting", span, format!("{key:?} is not a setting"), help);
                }
            }
        }
    }
    written.finish(text, otherwise)
}

/// Rows of a part of the text that starts at this byte.
fn placed(mut rows: Vec<Vec<Cell<'_>>>, start: usize) -> Vec<Vec<Cell<'_>>> {
    for (span, _) in rows.iter_mut().flatten() {
        *span = start + span.start..start + span.end;
    }
    rows
}

impl<'a> Written<'a> {
    fn fault(&mut self, code: &'static str, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(TextDiagnostic::new(code, span, message, help));
    }

    /// Takes a setting; tells whether there is one of this name.
    fn set(&mut self, key: &str, (span, value): Cell<'a>) -> bool {
        let number = |text: &str| text.parse().ok().filter(|side| SIDES.contains(side));
        let (width, height) = match key.to_ascii_lowercase().as_str() {
            // The name of the level is the business of the file that holds it.
            "id" => return true,
            "goal" | "target" => {
                if self.goal.replace((span.clone(), value)).is_some() {
                    self.fault("repeated-setting", span, "the goal is given a second time", "keep one of the two");
                }
                return true;
            }
            "size" | "board" => board_size(value)
                .filter(|(width, height)| SIDES.contains(width) && SIDES.contains(height))
                .map_or((None, None), |(width, height)| (Some(width), Some(height))),
            "width" => (number(value), None),
            "height" => (None, number(value)),
            _ => return false,
        };
        if width.is_none() && height.is_none() {
            let help =
                format!("a side has {} to {} cells; a size is columns x rows, as in 4x4", SIDES.start(), SIDES.end());
            self.fault("bad-size", span, format!("{value:?} is not the size of a frame"), help);
            return true;
        }
        (self.width, self.height) = (width.or(self.width), height.or(self.height));
        true
    }

    fn finish(mut self, text: &str, otherwise: Goal) -> Result<Layout, Vec<TextDiagnostic>> {
        if self.rows.is_empty() {
            if self.diagnostics.is_empty() {
                let help = "write rows of tiles with `.` for the blank, or leave the level out";
                self.fault("empty-level", 0..text.trim_end().len(), "there is no level here", help);
            }
            return Err(self.diagnostics);
        }
        let sides = (self.width, self.height);
        let mut diagnostics = self.diagnostics;
        let mut checked = |rows, sides| board(rows, sides).map_err(|more| diagnostics.extend(more)).ok();
        let start = checked(self.rows, sides);
        let goal = start.as_ref().and_then(|(width, height, tiles)| match self.goal {
            None => Some(otherwise.tiles(tiles.len())),
            Some((span, text)) => match Goal::named(text) {
                Some(goal) => Some(goal.tiles(tiles.len())),
                None => {
                    let sides = (Some(*width), Some(*height));
                    checked(placed(rows(text), span.start), sides).map(|(_, _, tiles)| tiles)
                }
            },
        });
        match (start, goal) {
            (Some((width, height, start)), Some(goal)) if diagnostics.is_empty() => {
                Ok(Layout { width, height, start, goal })
            }
            _ => Err(diagnostics),
        }
    }
}

/// The sides of a board and its tiles, row by row. Its cells may stand on one line: then the sides cut them into rows,
/// and without sides they are a square. Where no row has more than one word, each character is a cell.
fn board(
    rows: Vec<Vec<Cell<'_>>>,
    sides: (Option<usize>, Option<usize>),
) -> Result<(usize, usize, Vec<u8>), Vec<TextDiagnostic>> {
    let rows = if rows.iter().all(|row| row.len() == 1) { rows.into_iter().map(letters).collect() } else { rows };
    let (width, height) = sides_of(&rows, sides)?;
    let cells: Vec<Cell<'_>> = rows.into_iter().flatten().collect();
    let n_tiles = cells.len() - 1;
    let mut diagnostics = Vec::new();
    let mut places: Vec<Vec<Range<usize>>> = vec![Vec::new(); cells.len()];
    let mut tiles = Vec::with_capacity(cells.len());
    for (span, text) in &cells {
        match tile(text) {
            Some(tile) if tile <= n_tiles => {
                places[tile].push(span.clone());
                tiles.push(tile as u8);
            }
            read => {
                let message = match read {
                    Some(tile) => format!("there is no tile {tile} in a frame of {width}x{height}"),
                    None => format!("{text:?} is no tile"),
                };
                let help = format!("tiles go from 1 to {n_tiles}, and the blank is `.`, `_`, `-` or 0");
                diagnostics.push(TextDiagnostic::new("bad-tile", span.clone(), message, help));
            }
        }
    }
    let name = |tile: usize| if tile == 0 { "the blank".to_owned() } else { format!("tile {tile}") };
    for (tile, spans) in places.iter().enumerate() {
        if let [_, again, ..] = spans.as_slice() {
            let message = format!("{} is there {} times", name(tile), spans.len());
            diagnostics.push(TextDiagnostic::new(
                "tile-twice",
                again.clone(),
                message,
                "write each tile and the blank once",
            ));
        }
    }
    if diagnostics.is_empty() {
        return Ok((width, height, tiles));
    }
    // There are as many cells as tiles: where one is wrong, another one is missing.
    let missing: Vec<String> = (0..=n_tiles).filter(|&tile| places[tile].is_empty()).map(name).collect();
    for wrong in &mut diagnostics {
        wrong.help = format!("{}; missing: {}", wrong.help, missing.join(", "));
    }
    Err(diagnostics)
}

/// The characters of the one word of a row.
fn letters(row: Vec<Cell<'_>>) -> Vec<Cell<'_>> {
    let mut letters = Vec::new();
    for (span, text) in row {
        letters.extend(text.char_indices().map(|(at, letter)| {
            let end = at + letter.len_utf8();
            (span.start + at..span.start + end, &text[at..end])
        }));
    }
    letters
}

/// Columns and rows of a board.
fn sides_of(
    rows: &[Vec<Cell<'_>>],
    sides: (Option<usize>, Option<usize>),
) -> Result<(usize, usize), Vec<TextDiagnostic>> {
    let n_cells: usize = rows.iter().map(Vec::len).sum();
    let first = rows.first().and_then(|row| row.first()).map_or(0, |(span, _)| span.start);
    let whole = first..rows.last().and_then(|row| row.last()).map_or(first, |(span, _)| span.end);
    let fault = |code, span, message: String, help: &str| TextDiagnostic::new(code, span, message, help);
    let (width, height) = match (rows, sides) {
        ([_], (Some(width), Some(height))) => (width, height),
        ([_], (Some(width), None)) => (width, n_cells / width),
        ([_], (None, Some(height))) => (n_cells / height, height),
        ([_], (None, None)) => (n_cells.isqrt(), n_cells.isqrt()),
        _ => (usual_width(rows), rows.len()),
    };
    if rows.len() == 1 && width * height != n_cells {
        let help = "part the rows with / or line ends, or give columns x rows, as in `size: 3x2`";
        let message = format!("{n_cells} cells on one line do not make a frame of {width}x{height}");
        return Err(vec![fault("bad-board-length", whole, message, help)]);
    }
    let ragged = rows.iter().enumerate().filter(|(_, row)| rows.len() > 1 && row.len() != width);
    let ragged: Vec<TextDiagnostic> = ragged
        .map(|(number, row)| {
            let span = row.get(width).or(row.last()).map_or(whole.clone(), |(span, _)| span.clone());
            let message = format!("row {} has {} cells, the other rows have {width}", number + 1, row.len());
            fault("ragged-rows", span, message, "write every cell, with blanks between them; the blank one is `.`")
        })
        .collect();
    if !ragged.is_empty() {
        return Err(ragged);
    }
    if sides.0.is_some_and(|side| side != width) || sides.1.is_some_and(|side| side != height) {
        let message = format!("the board has {width}x{height} cells, and the frame another size");
        return Err(vec![fault(
            "size-differs",
            whole,
            message,
            "give the same size, or leave it out: the rows show it",
        )]);
    }
    if !SIDES.contains(&width) || !SIDES.contains(&height) || n_cells > MAX_CELLS {
        let message = format!("a frame of {width}x{height} cells cannot be played");
        let help = format!("a frame has 2 columns and 2 rows at least, and {MAX_CELLS} cells at most");
        return Err(vec![fault("bad-size", whole, message, &help)]);
    }
    Ok((width, height))
}

/// The length that most rows have; of lengths that are as frequent, the first.
fn usual_width(rows: &[Vec<Cell<'_>>]) -> usize {
    let count = |width: usize| rows.iter().filter(|row| row.len() == width).count();
    rows.iter().map(Vec::len).rev().max_by_key(|&width| count(width)).unwrap_or(0)
}

/// The tile that a cell has, 0 for the blank.
fn tile(text: &str) -> Option<usize> {
    match text {
        "." | "_" | "-" | "\u{2013}" | "\u{2212}" => Some(0),
        _ if text.bytes().all(|digit| digit.is_ascii_digit()) => Some(text.parse().unwrap_or(usize::MAX)),
        // Where each character is a cell, A is 10.
        _ => match text.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => Some(usize::from(letter.to_ascii_uppercase() - b'A') + 10),
            _ => None,
        },
    }
}

/// Reads a position of a frame: the tile on each cell.
///
/// # Errors
///
/// What is wrong, in words.
pub(super) fn tiles_of_state(frame: &Frame, text: &str) -> Result<Vec<u8>, String> {
    let rows = rows(text);
    if rows.is_empty() {
        return Err("there are no tiles".to_owned());
    }
    board(rows, (Some(frame.width), Some(frame.height))).map(|(_, _, tiles)| tiles).map_err(first_reason)
}

/// The position on one line: `1 2 3/4 5 6/7 8 .`.
pub(super) fn format_state(frame: &Frame, tile: impl Fn(usize) -> u8) -> String {
    let cell = |cell: usize| match tile(cell) {
        0 => ".".to_owned(),
        tile => tile.to_string(),
    };
    let cells: Vec<String> = (0..frame.n_cells()).map(cell).collect();
    cells.chunks(frame.width).map(|row| row.join(" ")).collect::<Vec<_>>().join("/")
}

/// The name of a cell for people.
pub(super) fn cell_name(frame: &Frame, cell: usize) -> String {
    format!("row {}, column {}", cell / frame.width + 1, cell % frame.width + 1)
}

/// A move as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenMove {
    /// The tile that slides.
    Tile(u8),
    /// The cell that is pressed.
    Press(usize),
    /// The direction of the tile or of the blank.
    Direction(Direction),
}

/// Reads a move, which need not be legal.
pub(super) fn read_move(frame: &Frame, text: &str) -> Result<WrittenMove, MoveError> {
    let text = text.trim();
    let illegal = |reason: String| MoveError::Illegal { text: text.to_owned(), reason };
    let last = frame.n_cells() - 1;
    let lower = text.to_lowercase();
    let tile = ["tile", "t"].into_iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(&lower).trim();
    if !tile.is_empty() && tile.bytes().all(|digit| digit.is_ascii_digit()) {
        let number = tile.parse().ok().filter(|&number: &usize| (1..=last).contains(&number));
        let number = number.ok_or_else(|| illegal(format!("there is no tile {tile}: tiles go from 1 to {last}")))?;
        return Ok(WrittenMove::Tile(number as u8));
    }
    // An arrow may carry the mark that asks for its picture.
    let word = lower.trim_end_matches('\u{fe0f}');
    if let Some(&(_, direction)) = WORDS.iter().find(|(known, _)| *known == word) {
        return Ok(WrittenMove::Direction(direction));
    }
    let (row, column) = row_and_column(text).ok_or_else(|| MoveError::Unreadable {
        text: text.to_owned(),
        expected: "write the number of the tile (8), the direction in which it slides (up, U, or an arrow), or its \
                   cell by row and column from 1 (r3c2)"
            .to_owned(),
    })?;
    for (what, number, last) in [("row", row, frame.height), ("column", column, frame.width)] {
        if !(1..=last).contains(&number) {
            return Err(illegal(format!("there is no {what} {number}: {what}s go from 1 to {last}")));
        }
    }
    Ok(WrittenMove::Press((row - 1) * frame.width + column - 1))
}
