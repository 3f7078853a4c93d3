//! The notations of 2048: levels, positions and moves.
//!
//! A level is rows of tiles, or the size of an empty board; `docs/2048.md` shows each by example.

use std::ops::Range;
use std::sync::Arc;

use super::board::{Board, Grid, tile, value};
use super::level::{SetupError, Twenty48};
use super::moves::{Move, NewTile};
use super::options::{Options, Target, target};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::MoveError;
use crate::game::direction::WORDS;
use crate::level::json::{self, Entry, Value, looks_like_json};
use crate::level::lines::{LineKind, json_behind_settings, lines};
use crate::level::{Origin, Spanned, board_column, board_size, compact_name, same};

/// The shortest and the longest side of a board; columns are named by single letters.
pub const SIDES: std::ops::RangeInclusive<usize> = 2..=26;

/// The largest exponent of a tile that a level may begin with.
const MAX_TILE: u32 = 17;

/// Reads a level. `text` stands in `source` at byte `offset`, as it is or with the escapes of a JSON string
/// or quoted table cell; the faults point into `source`. The options must have passed [`Options::check`].
///
/// # Errors
///
/// All faults of the level, at least one, in the order of the file.
pub fn load(
    text: &str,
    source: &Arc<SourceText>,
    offset: usize,
    options: &Options,
) -> Result<Twenty48, Vec<Diagnostic>> {
    let origin = Origin::new(text, source, offset);
    let mut setup = Setup { whole: origin.span(trimmed(text)), ..Setup::default() };
    if looks_like_json(text) && text.trim_start().starts_with('{') {
        setup.read_json(text, &origin);
    } else {
        setup.read_lines(text, &origin);
    }
    setup.finish(&origin, options).map_err(|mut faults| {
        faults.sort_by_key(|fault| fault.place.span.start);
        faults
    })
}

fn trimmed(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..start.max(text.trim_end().len())
}

/// One cell as it is written.
type Cell = Spanned<String>;

/// A level before it is checked.
#[derive(Default)]
struct Setup {
    /// The bytes to blame where the level as a whole is wrong.
    whole: Range<usize>,
    size: Option<Spanned<(usize, usize)>>,
    target: Option<Spanned<Target>>,
    rows: Vec<Vec<Cell>>,
    /// `true` if the size could not be read, so that what depends on it is not checked.
    is_size_unread: bool,
    faults: Vec<Diagnostic>,
}

impl Setup {
    fn read_lines(&mut self, text: &str, origin: &Origin) {
        let json = json_behind_settings(text).filter(|json| json.trim_start().starts_with('{'));
        for line in lines(text) {
            match line.kind {
                LineKind::Content if json.is_some() => break,
                LineKind::Blank | LineKind::Comment => {}
                LineKind::Content => {
                    let content = line.text.split('#').next().unwrap_or("");
                    self.rows.extend(rows(content).into_iter().map(|row| placed(row, line.start, origin)));
                }
                LineKind::Setting { key, value, value_start, hashed } => {
                    let span = origin.span(value_start..value_start + value.len());
                    let is_known = self.set(key, value, span, origin);
                    if !is_known && !hashed {
                        let start = line.start + line.text.len() - line.text.trim_start().len();
                        let message = format!("{key:?} is no setting of a level of 2048");
                        let fault = origin.error("unknown-setting", start..start + key.len(), message);
                        let help = "the settings are id, size and target; a remark starts with #";
                        self.faults.push(fault.labelled("not known").with_help(help));
                    }
                }
            }
        }
        if let Some(json) = json {
            self.read_json(&json, origin);
        }
        self.take_size_as_content(origin);
    }

    /// Takes what is written under a key; false if it is no setting.
    fn set(&mut self, key: &str, value: &str, span: Range<usize>, origin: &Origin) -> bool {
        match key.to_ascii_lowercase().as_str() {
            // The name of the level is the business of the file that holds it.
            "id" => {}
            "size" | "board" => match board_size(value) {
                Some(size) if self.size.as_ref().is_some_and(|known| known.value != size) => {
                    let message = "the size of the board is given twice, and differently";
                    let fault = Diagnostic::error("repeated-setting", origin.source(), span, message);
                    self.faults.push(fault.with_help("keep one of the two"));
                }
                Some(size) => self.size = Some(Spanned { value: size, span }),
                None => {
                    self.is_size_unread = true;
                    self.faults.push(bad_size(value, span, origin));
                }
            },
            "target" => match target(value) {
                Ok(target) => self.target = Some(Spanned { value: target, span }),
                Err(message) => {
                    let fault = Diagnostic::error("bad-target", origin.source(), span, message);
                    let help = "write the tile that ends the game, as in `target: 2048`, or `target: none`";
                    self.faults.push(fault.labelled("not a target").with_help(help));
                }
            },
            _ => return false,
        }
        true
    }

    /// A level whose only content is a size is an empty board of it.
    fn take_size_as_content(&mut self, origin: &Origin) {
        let [row] = self.rows.as_slice() else { return };
        let [Spanned { value: text, span }] = row.as_slice() else { return };
        if !text.contains(['x', 'X', '×']) {
            return;
        }
        match board_size(text) {
            Some(size) => self.size = Some(Spanned { value: size, span: span.clone() }),
            None => {
                self.is_size_unread = true;
                self.faults.push(bad_size(text, span.clone(), origin));
            }
        }
        self.rows.clear();
    }

    /// Reads an object of JSON with the board as rows of numbers or as text.
    fn read_json(&mut self, text: &str, origin: &Origin) {
        let values = match json::values(text) {
            Ok(values) => values,
            Err(error) => {
                let end = text[error.offset..].chars().next().map_or(0, char::len_utf8);
                let message = format!("this is not JSON: {}", error.message);
                let fault = origin.error("bad-json", error.offset..error.offset + end, message);
                self.faults.push(fault.with_help("fix the JSON here; other faults show once it can be read"));
                self.is_size_unread = true;
                return;
            }
        };
        for entries in values.iter().filter_map(Value::entries) {
            let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
            if let Some(board) = board_column(&keys) {
                self.read_json_board(&entries[board].value, text, origin);
            }
            let side = |name: &str| entries.iter().find(|entry| same(&entry.key, name));
            match (side("width"), side("height")) {
                (Some(width), Some(height)) => {
                    let sides = [width, height].map(|side| side.value.scalar().unwrap_or_default());
                    self.set("size", &sides.join("x"), origin.span(width.value.span.clone()), origin);
                }
                (None, None) => {}
                (Some(side), None) | (None, Some(side)) => {
                    let message = format!("the board has a {:?} and not the other side", side.key);
                    let fault = origin.error("missing-key", side.value.span.clone(), message);
                    self.faults.push(fault.with_help("give width and height, or neither"));
                }
            }
            // The others are columns of the table of levels.
            for Entry { key, value, .. } in entries.iter().filter(is_setting) {
                let written = value.scalar().unwrap_or_else(|| text[value.span.clone()].to_owned());
                self.set(&compact_name(key), &written, origin.span(value.span.clone()), origin);
            }
        }
    }

    fn read_json_board(&mut self, board: &Value, text: &str, origin: &Origin) {
        match board.text() {
            Some(string) => self.read_lines(string, &origin.of_string(string, text, board.span.start + 1)),
            None => {
                let rows = rows(&text[board.span.clone()]);
                self.rows.extend(rows.into_iter().map(|row| placed(row, board.span.start, origin)));
            }
        }
    }

    /// The rules of the level, if nothing is wrong.
    fn finish(mut self, origin: &Origin, options: &Options) -> Result<Twenty48, Vec<Diagnostic>> {
        let exponents = self.exponents(origin);
        let size = self.checked_size(origin);
        let target = self.target.as_ref().map_or(options.target, |target| target.value);
        match (size, exponents) {
            (Some((width, height)), Some(exponents)) if self.faults.is_empty() => {
                let rules = Twenty48::new(width, height, &exponents, Options { target, ..options.clone() });
                rules.map_err(|error| vec![self.setup_fault(&error, origin)])
            }
            _ => Err(self.faults),
        }
    }

    /// The exponents of all cells as they are written.
    fn exponents(&mut self, origin: &Origin) -> Option<Vec<u32>> {
        let mut exponents = Vec::new();
        let mut is_sound = true;
        for Spanned { value: text, span } in self.rows.iter().flatten() {
            match tile(text).filter(|&exponent| exponent <= MAX_TILE) {
                Some(exponent) => exponents.push(exponent),
                None => {
                    is_sound = false;
                    let fault =
                        Diagnostic::error("bad-tile", origin.source(), span.clone(), format!("{text:?} is no tile"));
                    let help = format!("a cell is 2, 4, 8 … {} or, if it is empty, `.` or 0", value(MAX_TILE));
                    self.faults.push(fault.labelled("neither a tile nor an empty cell").with_help(help));
                }
            }
        }
        is_sound.then_some(exponents)
    }

    /// Columns and rows of the board.
    fn checked_size(&mut self, origin: &Origin) -> Option<(usize, usize)> {
        let drawn = self.drawn_size(origin)?;
        let (width, height) = drawn;
        let span = self.size.as_ref().map_or(self.whole.clone(), |size| size.span.clone());
        if !SIDES.contains(&width) || !SIDES.contains(&height) {
            let message = format!("a board of {width}x{height} cannot be played");
            let fault = Diagnostic::error("bad-size", origin.source(), span, message);
            let help = format!("a board has {} to {} columns and as many rows", SIDES.start(), SIDES.end());
            self.faults.push(fault.with_help(help));
            return None;
        }
        Some(drawn)
    }

    fn drawn_size(&mut self, origin: &Origin) -> Option<(usize, usize)> {
        let n_cells: usize = self.rows.iter().map(Vec::len).sum();
        if let [_, _, ..] = self.rows.as_slice() {
            return self.size_of_rows(origin);
        }
        match &self.size {
            _ if self.is_size_unread => None,
            Some(size) if n_cells == 0 || size.value.0.checked_mul(size.value.1) == Some(n_cells) => Some(size.value),
            None if n_cells == 0 => {
                let message = "the level has neither tiles nor a size";
                let fault = Diagnostic::error("empty-level", origin.source(), self.whole.clone(), message);
                self.faults.push(fault.with_help("write rows of tiles, or the size of an empty board, as in 4x4"));
                None
            }
            None if n_cells.isqrt().pow(2) == n_cells => Some((n_cells.isqrt(), n_cells.isqrt())),
            size => {
                let wanted = size.as_ref().map_or("a square board".to_owned(), |size| {
                    format!("a board of {}x{}", size.value.0, size.value.1)
                });
                let message = format!("{n_cells} cells on one line do not make {wanted}");
                let fault = Diagnostic::error("bad-board-length", origin.source(), self.whole.clone(), message);
                let help = "part the rows with / or line ends, or give columns x rows, as in `size: 2x3`";
                self.faults.push(fault.labelled(format!("{n_cells} cells")).with_help(help));
                None
            }
        }
    }

    fn size_of_rows(&mut self, origin: &Origin) -> Option<(usize, usize)> {
        let n_rows = self.rows.len();
        let count = |width: usize| self.rows.iter().filter(|row| row.len() == width).count();
        let width = self.rows.iter().map(Vec::len).rev().max_by_key(|&width| count(width)).unwrap_or(0);
        let mut is_sound = true;
        for (number, row) in self.rows.iter().enumerate().filter(|(_, row)| row.len() != width) {
            is_sound = false;
            let message = format!("row {} has {} cells, the other rows have {width}", number + 1, row.len());
            let end = row.last().map_or(0, |cell| cell.span.end);
            let (span, label) = match row.get(width) {
                Some(extra) => (extra.span.start..end, "too many cells"),
                None => (end..end, "cells are missing here"),
            };
            let fault = Diagnostic::error("ragged-rows", origin.source(), span, message).labelled(label);
            self.faults.push(fault.with_help("write every cell, with blanks between them; an empty one is `.`"));
        }
        if let Some(size) = self.size.as_ref().filter(|size| is_sound && size.value != (width, n_rows)) {
            let message = format!("the board has {width}x{n_rows} cells, not {}x{}", size.value.0, size.value.1);
            let fault = Diagnostic::error("bad-size", origin.source(), size.span.clone(), message);
            let help = "correct the size (columns x rows), or leave it out: the rows show it";
            self.faults.push(fault.labelled("differs from the rows").with_help(help));
        }
        is_sound.then_some((width, n_rows))
    }

    fn setup_fault(&self, error: &SetupError, origin: &Origin) -> Diagnostic {
        let target = self.target.as_ref().map_or(self.whole.clone(), |target| target.span.clone());
        let size = self.size.as_ref().map_or(self.whole.clone(), |size| size.span.clone());
        let (code, span, help) = match error {
            SetupError::TooLarge { .. } => (
                "level-too-large",
                size,
                "make the board smaller, or set a `target`; without one, 25 cells (5x5) are possible".to_owned(),
            ),
            SetupError::UnreachableTarget { max_exponent, .. } => (
                "unreachable-target",
                target,
                format!("the largest tile that can arise here is {}", value(*max_exponent)),
            ),
            SetupError::NoMove => {
                ("no-move", self.whole.clone(), "leave a cell empty, or put equal tiles side by side".into())
            }
        };
        Diagnostic::error(code, origin.source(), span, error.to_string()).with_help(help)
    }
}

fn is_setting(entry: &&Entry) -> bool {
    matches!(compact_name(&entry.key).as_str(), "size" | "target")
}

/// Cells that were read from a part of the text, where they stand in the file.
fn placed(row: Vec<(Range<usize>, &str)>, start: usize, origin: &Origin) -> Vec<Cell> {
    let cell = |(range, text): (Range<usize>, &str)| {
        let span = origin.span(start + range.start..start + range.end);
        Spanned { value: text.to_owned(), span }
    };
    row.into_iter().map(cell).collect()
}

fn bad_size(value: &str, span: Range<usize>, origin: &Origin) -> Diagnostic {
    let fault = Diagnostic::error("bad-size", origin.source(), span, format!("{value:?} is not the size of a board"));
    let help = format!("write columns x rows, each from {} to {}, as in 4x4", SIDES.start(), SIDES.end());
    fault.labelled("not a size").with_help(help)
}

/// The cells of a text with their places, row by row. Rows end at `/`, `;`, `|`, `]` or a line end, cells at
/// white space or a comma.
pub(in crate::game) fn rows(text: &str) -> Vec<Vec<(Range<usize>, &str)>> {
    let mut rows = vec![Vec::new()];
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), '\n')]) {
        let ends_row = matches!(character, '/' | ';' | '|' | ']' | '\n');
        if !ends_row && !matches!(character, ',' | '[') && !character.is_whitespace() {
            start.get_or_insert(at);
            continue;
        }
        if let (Some(start), Some(row)) = (start.take(), rows.last_mut()) {
            row.push((start..at, &text[start..at]));
        }
        if ends_row {
            rows.push(Vec::new());
        }
    }
    rows.retain(|row| !row.is_empty());
    rows
}

/// Reads a position of a level, in any notation of rows; all cells may stand on one line.
pub(super) fn parse_state(rules: &Twenty48, text: &str) -> Result<Board, String> {
    let (grid, max_exponent) = (&rules.grid, rules.max_exponent);
    let (width, height) = (grid.width(), grid.height());
    let rows = rows(text);
    let n_cells: usize = rows.iter().map(Vec::len).sum();
    let is_flat = rows.len() == 1 && n_cells == grid.n_cells();
    if !is_flat && rows.len() != height {
        let rule = format!("a board of {width}x{height} has {height}, separated by / (an empty cell is `.`)");
        return Err(format!("it has {} rows, and {rule}", rows.len()));
    }
    if let Some((number, row)) = rows.iter().enumerate().find(|(_, row)| !is_flat && row.len() != width) {
        return Err(format!("row {} has {} cells, and a board of {width}x{height} has {width}", number + 1, row.len()));
    }
    let mut exponents = Vec::with_capacity(n_cells);
    for (_, text) in rows.into_iter().flatten() {
        let exponent =
            tile(text).ok_or_else(|| format!("{text:?} is no tile: a cell is 2, 4, 8 … or, if empty, `.`"))?;
        if exponent > max_exponent {
            let largest = value(max_exponent);
            return Err(format!("a tile of {text} cannot arise in this level: the largest one is {largest}"));
        }
        exponents.push(exponent);
    }
    Ok(grid.board(exponents))
}

/// The position on one line: `. 2 / 4 .`.
pub(super) fn format_state(grid: &Grid, board: Board) -> String {
    let cells: Vec<String> = grid.tiles(board).map(written).collect();
    let rows: Vec<String> = cells.chunks(grid.width()).map(|row| row.join(" ")).collect();
    rows.join(" / ")
}

/// The position as a plain drawing, columns aligned to the right.
pub(super) fn drawing(grid: &Grid, board: Board) -> String {
    let cells: Vec<String> = grid.tiles(board).map(written).collect();
    let longest = cells.iter().map(String::len).max().unwrap_or(0);
    let line = |row: &[String]| {
        let cells: Vec<String> = row.iter().map(|cell| format!("{cell:>longest$}")).collect();
        cells.join(" ") + "\n"
    };
    cells.chunks(grid.width()).map(line).collect()
}

fn written(exponent: u32) -> String {
    if exponent == 0 { ".".to_owned() } else { value(exponent).to_string() }
}

/// The name of a cell: its column as a letter, its row from the top as a number, as in `b3`.
pub(super) fn cell_name(grid: &Grid, cell: usize) -> String {
    let letter = char::from(b'a' + (cell % grid.width()) as u8);
    format!("{letter}{}", cell / grid.width() + 1)
}

/// The move in the notation of logs.
pub(super) fn format_move(grid: &Grid, action: Move) -> String {
    let direction = action.direction.name();
    match action.tile {
        None => direction.to_owned(),
        Some(NewTile { cell, exponent }) => {
            format!("{direction}+{}@{}", value(exponent.into()), cell_name(grid, cell.into()))
        }
    }
}

/// Reads a move, with or without the new tile.
pub(super) fn parse_move(grid: &Grid, text: &str) -> Result<Move, MoveError> {
    let unreadable = || MoveError::Unreadable {
        text: text.to_owned(),
        expected: "write direction+tile@cell (left+2@b3: column b, row 3 from the top), with up, right, down or left \
                   (or u, r, d, l, or an arrow)"
            .to_owned(),
    };
    let illegal = |reason: String| MoveError::Illegal { text: text.to_owned(), reason };
    let lower = text.trim().to_lowercase();
    let direction_word = WORDS.iter().find_map(|&(word, direction)| Some((lower.strip_prefix(word)?, direction)));
    let (rest, direction) = direction_word.ok_or_else(unreadable)?;
    // An arrow may carry the mark that asks for its picture.
    let rest = rest.trim_start_matches('\u{fe0f}').trim_start();
    if rest.is_empty() {
        return Ok(Move { direction, tile: None });
    }
    let (tile, cell) = rest.strip_prefix('+').and_then(|rest| rest.split_once('@')).ok_or_else(unreadable)?;
    let (tile, cell) = (tile.trim(), cell.trim());
    let column = cell.chars().next().filter(char::is_ascii_lowercase).ok_or_else(unreadable)?;
    if !is_whole(tile) || !is_whole(&cell[1..]) {
        return Err(unreadable());
    }
    let exponent = self::tile(tile).filter(|&exponent| exponent > 0);
    let exponent = exponent.ok_or_else(|| illegal(format!("there is no tile of {tile}: a new tile is 2 or 4")))?;
    let column = usize::from(column as u8 - b'a');
    let row: usize = cell[1..].parse().unwrap_or(usize::MAX);
    if column >= grid.width() || !(1..=grid.height()).contains(&row) {
        let last = cell_name(grid, grid.n_cells() - 1);
        return Err(illegal(format!("cell {cell} is not on the board: its cells go from a1 to {last}")));
    }
    let tile = NewTile { cell: ((row - 1) * grid.width() + column) as u8, exponent: exponent as u8 };
    Ok(Move { direction, tile: Some(tile) })
}

fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
}
