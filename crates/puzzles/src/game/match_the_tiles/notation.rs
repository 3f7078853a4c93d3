//! The notation of a level: drawn rows, one cell a character or, with blanks between them, one cell a word.
//!
//! `docs/match_the_tiles.md` shows it by example.

use std::ops::Range;
use std::sync::Arc;

use super::layout::{Cell, Layout};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::level::Origin;
use crate::level::lines::{Line, LineKind, lines};

/// The longest side of a board.
pub const MAX_SIDE: usize = 255;

/// Marks of a wall.
const WALLS: [&str; 2] = ["x", "#"];
const EMPTY: &str = ".";
const WHAT_CELLS_ARE: &str = "a cell is `.` (empty), `x` or `#` (wall), a lower-case letter (goal), a capital (block), \
                              or both for a block on a goal, as in `Ab`; where one cell has two letters, put blanks \
                              between all cells of its row";

/// One drawn row: its cells as they are written, and where they stand in the text.
struct TileRow<'a> {
    words: Vec<(&'a str, Range<usize>)>,
    end: usize,
}

/// Diagnostic of the drawing of a board, at these bytes of the text.
struct TextDiagnostic {
    code: &'static str,
    span: Range<usize>,
    message: String,
    label: &'static str,
    help: String,
}

/// A drawn cell, with the bytes of the text that it stands on.
struct Drawn {
    cell: Cell,
    span: Range<usize>,
}

/// Reads a level. `text` stands in `source` at byte `offset`, as it is or with the escapes of a JSON string or
/// quoted table cell; the faults point into `source`.
///
/// # Errors
///
/// All faults of the level, at least one, in the order of the file.
pub fn parse(text: &str, source: &Arc<SourceText>, offset: usize) -> Result<Layout, Vec<Diagnostic>> {
    let origin = Origin::new(text, source, offset);
    let mut diagnostics = Vec::new();
    let layout = read_level(text, &mut diagnostics);
    match layout {
        Some(layout) if diagnostics.is_empty() => Ok(layout),
        _ => {
            diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
            let fault = |diagnostic: TextDiagnostic| {
                origin
                    .error(diagnostic.code, diagnostic.span, diagnostic.message)
                    .labelled(diagnostic.label)
                    .with_help(diagnostic.help)
            };
            Err(diagnostics.into_iter().map(fault).collect())
        }
    }
}

/// The board as text, one line a row, a cell in two columns and a blank between cells: it can be read back.
pub fn drawn(cells: &[Cell], width: usize) -> String {
    cells.chunks(width.max(1)).map(drawn_row).collect()
}

fn drawn_row(row: &[Cell]) -> String {
    let words: Vec<String> = row.iter().map(|cell| format!("{:2}", cell.token())).collect();
    format!("{}\n", words.join(" ").trim_end())
}

/// Reads the board of a position, its rows on lines of their own, joined by `/`, or all on one line.
pub(super) fn read_position(text: &str) -> Result<Vec<Vec<Cell>>, String> {
    let mut diagnostics = Vec::new();
    let rows = rows(text.split('\n').map(|line| (line, 0)));
    let rows = rows.map(|row| row.cells(&mut diagnostics).into_iter().map(|drawn| drawn.cell).collect()).collect();
    match diagnostics.into_iter().next() {
        Some(diagnostic) => Err(format!("{}; {}", diagnostic.message, diagnostic.help)),
        None => Ok(rows),
    }
}

fn read_level(text: &str, diagnostics: &mut Vec<TextDiagnostic>) -> Option<Layout> {
    let mut content: Vec<(&str, usize)> = Vec::new();
    for line in lines(text) {
        match line.kind {
            // A board may begin with a wall of `#`; elsewhere that begins a remark.
            LineKind::Content if line.text.trim_start().starts_with('#') => content.push((line.text, line.start)),
            LineKind::Content => content.push((line.text.split('#').next().unwrap_or(""), line.start)),
            LineKind::Setting { key, hashed: false, .. } if !key.eq_ignore_ascii_case("id") => {
                diagnostics.push(unknown_setting(&line, key));
            }
            _ => {}
        }
    }
    // No board has one row, so that blanks part the rows of one that stands on one line.
    if let &[(line, start)] = content.as_slice() {
        let line_start = line.as_ptr() as usize;
        if !line.contains('/') {
            content = line.split_whitespace().map(|row| (row, start + row.as_ptr() as usize - line_start)).collect();
        }
    }
    let rows: Vec<TileRow> = rows(content.into_iter()).collect();
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        diagnostics.push(TextDiagnostic {
            code: "empty-level",
            span: 0..text.len(),
            message: "there is no level here".to_owned(),
            label: "no board",
            help: "draw a board, or leave the level out".to_owned(),
        });
        return None;
    };
    let whole = first.words[0].1.start..last.end;
    let (width, height) = (usual_width(&rows), rows.len());
    check_rows(&rows, width, diagnostics);
    check_size(width, height, &whole, diagnostics);
    let n_flaws = diagnostics.len();
    let drawn: Vec<Drawn> = rows.iter().flat_map(|row| row.cells(diagnostics)).collect();
    // A cell that could not be read may be the goal or block that is missing.
    if diagnostics.len() == n_flaws {
        check_colours(&drawn, &whole, diagnostics);
    }
    Some(Layout { width, height, cells: drawn.into_iter().map(|drawn| drawn.cell).collect() })
}

fn unknown_setting(line: &Line, key: &str) -> TextDiagnostic {
    TextDiagnostic {
        code: "unknown-setting",
        span: line.start..line.start + line.text.len(),
        message: format!("{key:?} is not a setting"),
        label: "unknown",
        help: "the only setting is id; a remark starts with #".to_owned(),
    }
}

/// The rows of lines, each with the byte where it starts; `/` parts rows too, and empty ones do not count.
fn rows<'a>(lines: impl Iterator<Item = (&'a str, usize)>) -> impl Iterator<Item = TileRow<'a>> {
    let parts = lines.flat_map(|(line, start)| {
        let mut start = start;
        line.split('/').map(move |part| {
            let this = start;
            start += part.len() + 1;
            (part, this)
        })
    });
    parts.filter(|(part, _)| !part.trim().is_empty()).map(|(part, start)| TileRow::of(part, start))
}

impl<'a> TileRow<'a> {
    /// The words of a row with blanks in it, the characters of one without.
    fn of(text: &'a str, start: usize) -> Self {
        let trimmed = text.trim();
        let start = start + (text.len() - text.trim_start().len());
        let is_spaced = trimmed.contains(char::is_whitespace);
        let starts_word = |at: usize, character: char| {
            !is_spaced || at == 0 || (!character.is_whitespace() && trimmed[..at].ends_with(char::is_whitespace))
        };
        let ends = |at: usize, character: char| match trimmed[at..].find(char::is_whitespace) {
            _ if !is_spaced => at + character.len_utf8(),
            Some(length) => at + length,
            None => trimmed.len(),
        };
        let words = trimmed.char_indices().filter(|&(at, character)| starts_word(at, character));
        let words = words.map(|(at, character)| (at, ends(at, character)));
        let words = words.map(|(from, to)| (&trimmed[from..to], start + from..start + to)).collect();
        Self { words, end: start + trimmed.len() }
    }

    fn cells(&self, diagnostics: &mut Vec<TextDiagnostic>) -> Vec<Drawn> {
        let mut cells = Vec::with_capacity(self.words.len());
        for (word, span) in &self.words {
            let cell = cell(word).unwrap_or_else(|| {
                diagnostics.push(unknown_cell(word, span.clone()));
                Cell::EMPTY
            });
            cells.push(Drawn { cell, span: span.clone() });
        }
        cells
    }
}

/// The cell that a word means.
fn cell(word: &str) -> Option<Cell> {
    let letters: Vec<char> = word.chars().collect();
    let is_goal = |letter: char| letter.is_ascii_lowercase() && letter != 'x';
    match letters[..] {
        _ if WALLS.contains(&word) => Some(Cell::Wall),
        _ if word == EMPTY => Some(Cell::EMPTY),
        [goal] if is_goal(goal) => floor(None, Some(goal)),
        [block] if is_block(block) => floor(Some(block), None),
        [block, goal] if is_block(block) && is_goal(goal) => floor(Some(block), Some(goal)),
        _ => None,
    }
}

fn floor(block: Option<char>, goal: Option<char>) -> Option<Cell> {
    Some(Cell::Floor { goal, block: block.map(|letter| letter.to_ascii_lowercase()) })
}

fn is_block(letter: char) -> bool {
    letter.is_ascii_uppercase() && letter != 'X'
}

fn unknown_cell(word: &str, span: Range<usize>) -> TextDiagnostic {
    let help = match word {
        "X" => "a wall is a lower-case `x`, and no colour has the letter X".to_owned(),
        _ if word.starts_with(|letter: char| letter.is_ascii_lowercase()) && cell(&reversed(word)).is_some() => {
            format!("write the block before the goal: `{}`", reversed(word))
        }
        _ => WHAT_CELLS_ARE.to_owned(),
    };
    TextDiagnostic { code: "unknown-cell", span, message: format!("{word:?} is not a cell"), label: "not a cell", help }
}

fn reversed(word: &str) -> String {
    word.chars().rev().collect()
}

/// The number of cells of most rows; of equals, that of the row which comes first.
fn usual_width(rows: &[TileRow]) -> usize {
    let count = |width: usize| rows.iter().filter(|row| row.words.len() == width).count();
    rows.iter().map(|row| row.words.len()).rev().max_by_key(|&width| count(width)).unwrap_or(0)
}

fn check_rows(rows: &[TileRow], width: usize, diagnostics: &mut Vec<TextDiagnostic>) {
    for (number, row) in rows.iter().enumerate().filter(|(_, row)| row.words.len() != width) {
        let n_cells = row.words.len();
        let message = format!("row {} has {n_cells} cells, the other rows have {width}", number + 1);
        // Blames the first cell too many, or the end of the row where one is missing.
        let (span, label) = match row.words.get(width) {
            Some((_, extra)) => (extra.start..row.end, "too many cells"),
            None => (row.end..row.end, "cells are missing here"),
        };
        let help = "draw every cell of the board, an empty one as `.`; in a row with blanks in it, each cell stands \
                    between blanks"
            .to_owned();
        diagnostics.push(TextDiagnostic { code: "ragged-rows", span, message, label, help });
    }
}

fn check_size(width: usize, height: usize, whole: &Range<usize>, diagnostics: &mut Vec<TextDiagnostic>) {
    let sides = 2..=MAX_SIDE;
    if !sides.contains(&width) || !sides.contains(&height) {
        diagnostics.push(TextDiagnostic {
            code: "bad-board-size",
            span: whole.clone(),
            message: format!("a board of {height} rows and {width} columns is not possible"),
            label: "this board",
            help: format!(
                "a board has 2 to {MAX_SIDE} rows and columns; write each row on its own line, or join rows by `/`"
            ),
        });
    }
}

fn check_colours(drawn: &[Drawn], whole: &Range<usize>, diagnostics: &mut Vec<TextDiagnostic>) {
    if drawn.iter().all(|drawn| drawn.cell.block().is_none()) {
        diagnostics.push(TextDiagnostic {
            code: "no-blocks",
            span: whole.clone(),
            message: "the level has no block".to_owned(),
            label: "no capital letter",
            help: "draw at least one block, a capital letter, and its goal, the same letter in lower case".to_owned(),
        });
    }
    for colour in ('a'..='z').filter(|&colour| colour != 'x') {
        let blocks = || drawn.iter().filter(|drawn| drawn.cell.block() == Some(colour));
        let goals = || drawn.iter().filter(|drawn| drawn.cell.goal() == Some(colour));
        let (n_blocks, n_goals) = (blocks().count(), goals().count());
        let has_more_blocks = n_blocks > n_goals;
        let surplus = if has_more_blocks { blocks().nth(n_goals) } else { goals().nth(n_blocks) };
        let Some(surplus) = surplus else { continue };
        let capital = colour.to_ascii_uppercase();
        diagnostics.push(TextDiagnostic {
            code: "uneven-goals",
            span: surplus.span.clone(),
            message: format!(
                "{n_blocks} block{} {capital:?} and {n_goals} goal{} {colour:?}: there must be as many of both",
                plural(n_blocks),
                plural(n_goals)
            ),
            label: if has_more_blocks { "a block without a goal" } else { "a goal without a block" },
            help: format!(
                "add or remove a goal `{colour}` or a block `{capital}`; a block on a goal is `{capital}{colour}`"
            ),
        });
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
