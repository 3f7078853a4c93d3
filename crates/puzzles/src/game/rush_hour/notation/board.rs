//! Drawn boards: a letter for each cell of a piece, row by row, on one line or several.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::reading::FROM_0;
use super::red_name::{DefaultRed, is_red_name};
use super::settings::{MAX_SIDE, Settings, WrittenExit};
use super::setup::Setup;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::picture::Side;
use crate::game::rush_hour::layout::{Orientation, Piece};
use crate::level::{Origin, Spanned};

/// The mark of a wall.
pub(super) const WALL: char = 'x';

/// Marks of empty cells.
const EMPTY: [char; 2] = ['.', 'o'];

/// `true` if this is the letter of a piece: any from A to Z and a to z but `o` (empty) and `x` (wall).
pub(super) fn is_piece(mark: char) -> bool {
    mark.is_ascii_alphabetic() && mark != WALL && !EMPTY.contains(&mark)
}

/// One row of a drawing.
pub(super) struct DrawnRow {
    marks: Vec<Mark>,
    /// The bytes of the file that hold the row.
    span: Range<usize>,
}

/// One character of a drawing.
#[derive(Clone)]
struct Mark {
    character: char,
    /// Its place in the line, in characters; aligns the marks of an exit above or below the board.
    place: usize,
    /// The bytes of the file that hold it.
    span: Range<usize>,
}

impl DrawnRow {
    /// The rows drawn by `text`, with `/` between them; a `/` behind the last one parts nothing.
    pub fn all_of(text: &str, start: usize, origin: &Origin) -> Vec<Self> {
        let mut at = start;
        let rows = text.split('/').map(|part| {
            let row = Self::of(part, at, origin);
            at += part.len() + 1;
            row
        });
        let mut rows: Vec<Self> = rows.collect();
        rows.pop_if(|row| text.contains('/') && row.marks.is_empty());
        rows
    }

    /// The row drawn by `text`, which starts at byte `start` of the text of `origin`. White space,
    /// commas and semicolons between the cells do not count.
    pub fn of(text: &str, start: usize, origin: &Origin) -> Self {
        let marks = text.char_indices().enumerate().filter(|&(_, (_, character))| is_mark(character));
        let marks = marks.map(|(place, (byte, character))| {
            let byte = start + byte;
            Mark { character, place, span: origin.span(byte..byte + character.len_utf8()) }
        });
        Self { marks: marks.collect(), span: origin.span(start..start + text.trim_end().len()) }
    }
}

fn is_mark(character: char) -> bool {
    !character.is_whitespace() && character != ',' && character != ';'
}

/// Reads the rows of a drawing, marks of exits among them.
pub(super) fn read(
    mut rows: Vec<DrawnRow>,
    source: &Arc<SourceText>,
    mut settings: Settings,
    mut faults: Vec<Diagnostic>,
) -> Result<Setup, Vec<Diagnostic>> {
    let whole = rows.first().map_or(0, |row| row.span.start)..rows.last().map_or(0, |row| row.span.end);
    let n_exits = settings.exits.len();
    take_exits(&mut rows, source, &mut settings, &mut faults);
    let is_drawn = settings.exits.len() > n_exits;
    if let (false, [row]) = (is_drawn, rows.as_mut_slice()) {
        rows = fold(std::mem::take(&mut row.marks), &whole, source, &settings, &mut faults);
    }
    check_marks(&rows, source, &mut faults);
    let (width, height) = (usual_width(&rows), rows.len());
    let is_rectangle = check_rows(&rows, width, source, &mut faults);
    check_size(&settings, width, height, &whole, source, &mut faults);
    let is_readable = is_rectangle && width <= MAX_SIDE && height <= MAX_SIDE;
    let mut setup = Setup {
        source: source.clone(),
        whole,
        width,
        height,
        settings,
        reading: FROM_0,
        pieces: Vec::new(),
        unread: Vec::new(),
        red: DefaultRed::Letter,
        faults,
        remarks: Vec::new(),
    };
    if is_readable {
        find_pieces(&rows, &mut setup);
        return Ok(setup);
    }
    // Pieces of a board with holes would be blamed for what is missing, so only their letters count.
    if setup.settings.red.is_none() && !rows.iter().flat_map(|row| &row.marks).any(is_red) {
        setup.missing_red();
    }
    Err(setup.faults)
}

fn is_red(mark: &Mark) -> bool {
    is_red_name(mark.character.encode_utf8(&mut [0; 4]))
}

/// Takes the marks of exits out of the drawing: `<` before a row, `>` after it, `^` on a line above
/// the board, `v` on a line below it.
fn take_exits(
    rows: &mut Vec<DrawnRow>,
    source: &Arc<SourceText>,
    settings: &mut Settings,
    faults: &mut Vec<Diagnostic>,
) {
    let alone = |row: &DrawnRow, mark: char| matches!(row.marks.as_slice(), [only] if only.character == mark);
    let is_wide = rows.iter().any(|row| row.marks.len() > 1);
    let above = (is_wide && alone(&rows[0], '^')).then(|| rows.remove(0));
    let below = (is_wide && rows.last().is_some_and(|row| alone(row, 'v'))).then(|| rows.pop()).flatten();
    for (number, row) in rows.iter_mut().enumerate() {
        let mut drawn = |side: Side, mark: &Mark| {
            let value = WrittenExit { side, line: Some(number) };
            settings.exits.push(Spanned { value, span: mark.span.clone() });
        };
        if let Some(mark) = row.marks.pop_if(|mark| mark.character == '>') {
            drawn(Side::Right, &mark);
        }
        if row.marks.first().is_some_and(|mark| mark.character == '<') {
            drawn(Side::Left, &row.marks.remove(0));
        }
    }
    for (line, side, beside) in [(above, Side::Top, rows.first()), (below, Side::Bottom, rows.last())] {
        let (Some(line), Some(beside)) = (line, beside) else { continue };
        let mark = &line.marks[0];
        match beside.marks.iter().position(|cell| cell.place == mark.place) {
            Some(column) => {
                let value = WrittenExit { side, line: Some(column) };
                settings.exits.push(Spanned { value, span: mark.span.clone() });
            }
            None => faults.push(
                Diagnostic::error("bad-exit", source, mark.span.clone(), "the mark of the exit stands beside no cell")
                    .labelled("no cell in this column")
                    .with_help("write the mark right above or below a cell of the board"),
            ),
        }
    }
}

/// The rows of a board whose cells stand on one line: as the settings say, else a square.
fn fold(
    marks: Vec<Mark>,
    whole: &Range<usize>,
    source: &Arc<SourceText>,
    settings: &Settings,
    faults: &mut Vec<Diagnostic>,
) -> Vec<DrawnRow> {
    let side = marks.len().isqrt();
    let width = match settings.board {
        Some(Spanned { value: (width, height), .. }) if width * height == marks.len() => width,
        None if side * side == marks.len() => side,
        _ => {
            let wanted = match settings.board {
                Some(Spanned { value: (width, height), .. }) => format!("a board of {width}x{height}"),
                None => "a square board".to_owned(),
            };
            let message = format!("{} cells do not make {wanted}", marks.len());
            let fault = Diagnostic::error("bad-board-length", source, whole.clone(), message);
            let help = "add or remove cells, or give the size (columns x rows) as in `# board: 7x6`";
            faults.push(fault.labelled(format!("{} cells", marks.len())).with_help(help));
            marks.len()
        }
    };
    marks.chunks(width.max(1)).map(|row| DrawnRow { marks: row.to_vec(), span: span_of(row) }).collect()
}

fn span_of(row: &[Mark]) -> Range<usize> {
    row[0].span.start..row[row.len() - 1].span.end
}

fn check_marks(rows: &[DrawnRow], source: &Arc<SourceText>, faults: &mut Vec<Diagnostic>) {
    let is_unknown =
        |mark: &Mark| !is_piece(mark.character) && mark.character != WALL && !EMPTY.contains(&mark.character);
    for row in rows {
        for run in row.marks.chunk_by(|this, other| is_unknown(this) == is_unknown(other)) {
            if !is_unknown(&run[0]) {
                continue;
            }
            let text: String = run.iter().map(|mark| mark.character).collect();
            let span = run[0].span.start..run[run.len() - 1].span.end;
            let fault =
                Diagnostic::error("unknown-character", source, span, format!("{text:?} means nothing on a board"));
            let help = "a cell is a letter (piece), `.` or `o` (empty) or `x` (wall); \
                `<`, `>`, `^`, `v` outside of the board mark the exit";
            faults.push(fault.labelled("neither piece, wall nor empty cell").with_help(help));
        }
    }
}

/// The number of cells of most rows; of equals, that of the row which comes first.
fn usual_width(rows: &[DrawnRow]) -> usize {
    let count = |width: usize| rows.iter().filter(|row| row.marks.len() == width).count();
    let widths = rows.iter().map(|row| row.marks.len());
    widths.rev().max_by_key(|&width| count(width)).unwrap_or(0)
}

fn check_rows(rows: &[DrawnRow], width: usize, source: &Arc<SourceText>, faults: &mut Vec<Diagnostic>) -> bool {
    let mut is_rectangle = true;
    for (number, row) in rows.iter().enumerate().filter(|(_, row)| row.marks.len() != width) {
        is_rectangle = false;
        let n_cells = row.marks.len();
        let message = format!("row {} has {n_cells} cells, the other rows have {width}", number + 1);
        // Blames the first cell too many, or the end of the row where one is missing.
        let span = match row.marks.get(width) {
            Some(extra) => extra.span.start..row.span.end,
            None => row.span.end..row.span.end,
        };
        let label = if n_cells > width { "too many cells" } else { "cells are missing here" };
        let help = "draw every cell of the board; an empty one is `.`";
        faults.push(Diagnostic::error("ragged-rows", source, span, message).labelled(label).with_help(help));
    }
    is_rectangle
}

fn check_size(
    settings: &Settings,
    width: usize,
    height: usize,
    whole: &Range<usize>,
    source: &Arc<SourceText>,
    faults: &mut Vec<Diagnostic>,
) {
    let known = faults.iter().any(|fault| fault.code == "bad-board-length" || fault.code == "ragged-rows");
    if width > MAX_SIDE || height > MAX_SIDE {
        let message = format!("the board of {width}x{height} is too large");
        let help = format!("a board has at most {MAX_SIDE} columns and {MAX_SIDE} rows");
        faults.push(Diagnostic::error("bad-board-size", source, whole.clone(), message).with_help(help));
    } else if let Some(Spanned { value, span }) = &settings.board
        && *value != (width, height)
        && !known
    {
        let message = format!("the board is drawn as {width}x{height}, not as {}x{}", value.0, value.1);
        let help = "correct the size (columns x rows), or leave it out: the drawing shows it";
        faults.push(Diagnostic::error("bad-board-size", source, span.clone(), message).with_help(help));
    }
}

/// Adds the walls and the pieces, in the order of their letters.
fn find_pieces(rows: &[DrawnRow], setup: &mut Setup) {
    let mut cells_of: BTreeMap<char, Vec<Cell>> = BTreeMap::new();
    for (row, drawn) in rows.iter().enumerate() {
        for (column, mark) in drawn.marks.iter().enumerate() {
            if mark.character == WALL {
                setup.settings.walls.push(Spanned { value: (row, column), span: mark.span.clone() });
            } else if is_piece(mark.character) {
                let cell = Cell { row, column, span: mark.span.clone() };
                cells_of.entry(mark.character).or_default().push(cell);
            }
        }
    }
    for (letter, cells) in cells_of {
        match shape(letter, &cells) {
            Ok(piece) => setup.pieces.push(Spanned { value: piece, span: cells[0].span.clone() }),
            Err(misshapen) => {
                let fault =
                    Diagnostic::error(misshapen.code, &setup.source, misshapen.cell.span.clone(), misshapen.message);
                setup.faults.push(fault.labelled(misshapen.label).with_help(misshapen.help));
                setup.unread.push(letter.to_string());
            }
        }
    }
}

struct Cell {
    row: usize,
    column: usize,
    span: Range<usize>,
}

struct Misshapen<'a> {
    code: &'static str,
    cell: &'a Cell,
    message: String,
    label: &'static str,
    help: &'static str,
}

/// The piece that these cells make, which are in the order of the board.
fn shape(letter: char, cells: &[Cell]) -> Result<Piece, Misshapen<'_>> {
    let name = letter.to_string();
    let first = &cells[0];
    if cells.len() == 1 {
        return Err(Misshapen {
            code: "single-cell-piece",
            cell: first,
            message: format!("the piece {name:?} has one cell, so that nobody knows which way it moves"),
            label: "a single cell",
            help: "give it two cells or more, or draw a wall `x` if it never moves",
        });
    }
    if let Some(cell) = first_detached(cells) {
        return Err(Misshapen {
            code: "split-piece",
            cell,
            message: format!("the piece {name:?} is in more than one place"),
            label: "not connected with its first cell",
            help: "give each piece a letter of its own, and leave no gap in it",
        });
    }
    let orientation = if first.row == cells[1].row { Orientation::Horizontal } else { Orientation::Vertical };
    let on_line = |cell: &&Cell| match orientation {
        Orientation::Horizontal => cell.row == first.row,
        Orientation::Vertical => cell.column == first.column,
    };
    if let Some(cell) = cells.iter().find(|cell| !on_line(cell)) {
        return Err(Misshapen {
            code: "bent-piece",
            cell,
            message: format!("the piece {name:?} is bent"),
            label: "leaves the line of its first cells",
            help: "a piece lies in one row or one column; give each piece a letter of its own",
        });
    }
    Ok(Piece { name, row: first.row, column: first.column, length: cells.len(), orientation })
}

/// The first cell, in the order of the board, that no chain of neighbours joins with the first one.
fn first_detached(cells: &[Cell]) -> Option<&Cell> {
    let index_of: HashMap<(usize, usize), usize> =
        cells.iter().enumerate().map(|(index, cell)| ((cell.row, cell.column), index)).collect();
    let mut joined = vec![false; cells.len()];
    let mut open = vec![0];
    joined[0] = true;
    while let Some(at) = open.pop() {
        let Cell { row, column, .. } = cells[at];
        // Left of column 0 and above row 0 there is no cell, so wrapping finds none either.
        let neighbours =
            [(row.wrapping_sub(1), column), (row + 1, column), (row, column.wrapping_sub(1)), (row, column + 1)];
        for next in neighbours.iter().filter_map(|neighbour| index_of.get(neighbour)) {
            if !std::mem::replace(&mut joined[*next], true) {
                open.push(*next);
            }
        }
    }
    joined.iter().position(|&joined| !joined).map(|at| &cells[at])
}
