//! The matrix of pieces: size, orientation (1 horizontal, 2 vertical), row and column from 1.

use std::ops::Range;

use super::field::{Field, TextDiagnostic};
use super::marks::Marks;
use super::reading::{FROM_0, Reading};
use super::red_name::DefaultRed;
use super::settings::{Content, Settings};
use super::setup::Setup;
use crate::diagnostic::Diagnostic;
use crate::game::rush_hour::layout::{Orientation, Piece};
use crate::level::{COLUMNS, LENGTHS, ORIENTATIONS, Origin, ROWS, Spanned, compact_name};

/// The board if the level does not give its size, as columns and rows.
pub(super) const DEFAULT_BOARD: (usize, usize) = (6, 6);

/// `true` if these lines are a matrix: one of them is a row as R writes it, or holds two whole numbers.
pub(super) fn is_matrix(lines: &[Content]) -> bool {
    lines.iter().any(|line| r_rows(line).next().is_some() || n_numbers(line) >= 2)
}

fn n_numbers(line: &Content) -> usize {
    fields(line.text, line.start).filter(|field| field.is_number()).count()
}

/// Reads the rows of a matrix, the red piece first.
pub(super) fn read(
    lines: &[Content],
    origin: &Origin,
    settings: Settings,
    mut faults: Vec<Diagnostic>,
) -> Result<Setup, Vec<Diagnostic>> {
    let whole = lines[0].start..lines.last().map_or(0, |line| line.start + line.text.trim_end().len());
    let mut table = PieceRows::of(lines);
    let header = table.take_header();
    let board = settings.board.as_ref().map_or(DEFAULT_BOARD, |board| board.value);
    let reading = header.reading(&table.rows, board);
    let (mut pieces, mut unread) = (Vec::new(), Vec::new());
    let (mut red, mut marks) = (None, Marks::default());
    for (number, row) in table.rows.iter().enumerate() {
        let span = origin.span(row.span.clone());
        let n_read = pieces.len();
        match header.piece(number, row, reading) {
            Ok(piece) => {
                red = red.or((number == 0).then_some(0));
                pieces.push(Spanned { value: piece, span });
            }
            Err(wrong) => {
                unread.push(header.name(number, row));
                faults.extend(wrong.into_iter().map(|wrong| wrong.placed(origin)));
            }
        }
        let at = (pieces.len() > n_read).then_some(n_read);
        faults.extend(header.marks(row, at, &mut marks).into_iter().map(|wrong| wrong.placed(origin)));
    }
    let mut remarks = Vec::from_iter(reading.remark(USUAL));
    if header.is_xy {
        remarks.push("x is taken for the column and y for the row, both from the top left".to_owned());
    }
    let whole = origin.span(whole);
    let (width, height) = board;
    if table.rows.is_empty() {
        let fault = Diagnostic::error("empty-level", origin.source(), whole.clone(), "the matrix has no rows");
        faults.push(fault.with_help("write a line for each piece, the red one first, as in `2 1 3 2`"));
    }
    let has_names = table.rows.iter().any(|row| header.given_name(row).is_some());
    let red = if has_names { DefaultRed::NamedOrFirst(red) } else { DefaultRed::At(red) };
    let source = origin.source().clone();
    let mut setup = Setup { source, whole, width, height, settings, reading, pieces, unread, red, faults, remarks };
    marks.apply(&mut setup, |span| origin.span(span));
    Ok(setup)
}

/// The length of a piece, from its text.
pub(super) fn length(field: &Field) -> Result<usize, TextDiagnostic> {
    let length = field.number("size")?;
    if length >= 2 {
        return Ok(length);
    }
    Err(TextDiagnostic {
        code: "bad-size",
        span: field.span.clone(),
        message: format!("the size {length} is too small for a piece"),
        help: "a piece covers 2 cells or more; for a cell that is never free, set a wall",
    })
}

/// The orientation of a piece, from its text.
pub(super) fn orientation(field: &Field) -> Result<Orientation, TextDiagnostic> {
    match field.text.to_ascii_lowercase().as_str() {
        "1" | "1l" | "h" | "horizontal" => Ok(Orientation::Horizontal),
        "2" | "2l" | "v" | "vertical" => Ok(Orientation::Vertical),
        _ => Err(TextDiagnostic {
            code: "bad-orientation",
            span: field.span.clone(),
            message: format!("{:?} is not an orientation", field.text),
            help: "write 1, h or horizontal; or 2, v or vertical",
        }),
    }
}

/// The name of a piece that has none: A, B … Z, AA, AB … as columns of a spreadsheet.
pub(super) fn letters(index: usize) -> String {
    let last = char::from(b'A' + (index % 26) as u8);
    let before = if index < 26 { String::new() } else { letters(index / 26 - 1) };
    format!("{before}{last}")
}

/// The usual reading of a matrix.
pub(super) const USUAL: Reading = Reading { is_swapped: false, base: 1 };

/// Reading of the places of a matrix. Each piece is given by the fields of its size, orientation, row and column.
pub(super) fn reading<'a>(
    mut pieces: impl Iterator<Item = [&'a Field<'a>; 4]>,
    has_names: bool,
    board: (usize, usize),
) -> Reading {
    let written = pieces.try_fold(Vec::new(), |mut written, fields| {
        written.push(piece(String::new(), fields, FROM_0).ok()?);
        Some(written)
    });
    written.map_or(USUAL, |written| Reading::of(&written, USUAL, has_names, board))
}

/// The piece of a row of four fields: size, orientation, row, column; its place is read so.
pub(super) fn piece(name: String, fields: [&Field; 4], reading: Reading) -> Result<Piece, Vec<TextDiagnostic>> {
    let [size, direction, first, second] = fields;
    let (row, column) = if reading.is_swapped { (second, first) } else { (first, second) };
    let mut wrong = Vec::new();
    let length = length(size).map_err(|fault| wrong.push(fault));
    let orientation = orientation(direction).map_err(|fault| wrong.push(fault));
    let row = row.line("row", reading.base).map_err(|fault| wrong.push(fault));
    let column = column.line("column", reading.base).map_err(|fault| wrong.push(fault));
    match (length, orientation, row, column) {
        (Ok(length), Ok(orientation), Ok(row), Ok(column)) => Ok(Piece { name, row, column, length, orientation }),
        _ => Err(wrong),
    }
}

struct PieceRows<'a> {
    rows: Vec<PieceRow<'a>>,
}

struct PieceRow<'a> {
    fields: Vec<Field<'a>>,
    span: Range<usize>,
}

impl<'a> PieceRows<'a> {
    fn of(lines: &[Content<'a>]) -> Self {
        let is_r = lines.iter().any(|line| r_rows(line).next().is_some());
        let rows = if is_r { lines.iter().flat_map(r_rows).collect() } else { lines.iter().map(plain_row).collect() };
        Self { rows }
    }

    /// Takes the first row away if it holds no whole number, and says which field means what.
    fn take_header(&mut self) -> Header {
        let has_header = self.rows.first().is_some_and(|first| !first.fields.iter().any(Field::is_number));
        if !has_header {
            return Header::default();
        }
        let written: Vec<String> = self.rows.remove(0).fields.iter().map(|field| field.text.to_owned()).collect();
        let names: Vec<String> = written.iter().map(|name| compact_name(name)).collect();
        let place = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        match (place(&LENGTHS), place(&ORIENTATIONS), place(&ROWS), place(&COLUMNS)) {
            (Some(size), Some(direction), Some(row), Some(column)) => {
                let name = place(&PIECE_NAMES);
                let is_used = |at: usize| [size, direction, row, column].contains(&at) || name == Some(at);
                Header {
                    places: [size, direction, row, column],
                    name,
                    n_fields: names.len(),
                    is_xy: names[row] == "y" || names[column] == "x",
                    has_names: true,
                    others: written.into_iter().enumerate().filter(|&(at, _)| !is_used(at)).collect(),
                }
            }
            _ => Header::default(),
        }
    }
}

fn plain_row<'a>(line: &Content<'a>) -> PieceRow<'a> {
    let start = line.start + line.text.len() - line.text.trim_start().len();
    PieceRow { fields: fields(line.text, line.start).collect(), span: start..line.start + line.text.trim_end().len() }
}

/// Names of columns and keys that name pieces, the first one found wins.
pub(super) const PIECE_NAMES: [&str; 8] = ["piece", "name", "id", "car", "vehicle", "letter", "block", "label"];

/// Meanings of the fields of a row.
struct Header {
    /// Places of size, orientation, row and column.
    places: [usize; 4],
    /// Place of the name.
    name: Option<usize>,
    n_fields: usize,
    /// `true` if column and row are called x and y.
    is_xy: bool,
    /// `true` if the fields have names.
    has_names: bool,
    /// The fields that are neither place nor name: where they stand, and their names.
    others: Vec<(usize, String)>,
}

impl Default for Header {
    fn default() -> Self {
        Self { places: [0, 1, 2, 3], name: None, n_fields: 4, is_xy: false, has_names: false, others: Vec::new() }
    }
}

impl Header {
    fn piece(&self, number: usize, row: &PieceRow, reading: Reading) -> Result<Piece, Vec<TextDiagnostic>> {
        let Some(fields) = self.fields(row) else {
            let n_fields = row.fields.len() - usize::from(self.has_row_name(row));
            let help = "a row is size, orientation (1 horizontal, 2 vertical), row and column, as in `2 1 3 2`; \
                empty cells of a drawn board are `.`";
            let message = format!("the row has {n_fields} fields instead of {}", self.n_fields);
            return Err(vec![TextDiagnostic { code: "bad-row", span: row.span.clone(), message, help }]);
        };
        piece(self.name(number, row), fields, reading)
    }

    /// Reading of places.
    fn reading(&self, rows: &[PieceRow], board: (usize, usize)) -> Reading {
        reading(rows.iter().filter_map(|row| self.fields(row)), self.has_names, board)
    }

    /// Size, orientation, row and column; absent where the row has more or fewer fields than its header.
    fn fields<'a>(&self, row: &'a PieceRow) -> Option<[&'a Field<'a>; 4]> {
        let fields = &row.fields[usize::from(self.has_row_name(row))..];
        (fields.len() == self.n_fields).then(|| self.places.map(|at| &fields[at]))
    }

    /// Takes note of what the row says beside the place; gives what is wrong with it.
    fn marks(&self, row: &PieceRow, at: Option<usize>, marks: &mut Marks) -> Vec<TextDiagnostic> {
        let fields = &row.fields[usize::from(self.has_row_name(row))..];
        if fields.len() != self.n_fields {
            return Vec::new();
        }
        self.others.iter().filter_map(|(place, name)| marks.add(name, &fields[*place], at).err()).collect()
    }

    /// `true` if the row starts with a name that the header does not count.
    fn has_row_name(&self, row: &PieceRow) -> bool {
        self.name.is_none() && row.fields.len() == self.n_fields + 1 && !row.fields[0].is_number()
    }

    /// The name that the row gives its piece, or a letter.
    fn name(&self, number: usize, row: &PieceRow) -> String {
        self.given_name(row).map_or_else(|| letters(number), str::to_owned)
    }

    fn given_name<'a>(&self, row: &'a PieceRow) -> Option<&'a str> {
        let place = if self.has_row_name(row) { Some(0) } else { self.name };
        place.and_then(|at| row.fields.get(at)).map(|field| field.text)
    }
}

/// The fields of a line, with white space, commas or semicolons between them and no quotes around.
fn fields<'a>(line: &'a str, start: usize) -> impl Iterator<Item = Field<'a>> {
    // R prints `[1,]` before a row and `[,1]` above a column.
    let index_end = line
        .trim_start()
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .filter(|(index, _)| index.strip_suffix(',').is_some_and(|number| number.parse::<usize>().is_ok()));
    let skipped = index_end.map_or(0, |(_, rest)| line.len() - rest.len());
    split(&line[skipped..], start + skipped)
}

fn split<'a>(text: &'a str, start: usize) -> impl Iterator<Item = Field<'a>> {
    let (mut at, mut quoted) = (0, false);
    let ends_field = move |letter: char| {
        quoted ^= letter == '"';
        !quoted && is_separator(letter)
    };
    text.split_inclusive(ends_field).filter_map(move |piece| {
        let begin = start + at;
        at += piece.len();
        let field = piece.trim_end_matches(is_separator);
        let bare = field.trim_matches(['"', '\'']);
        let begin = begin + field.find(bare).unwrap_or(0);
        (!bare.is_empty()).then(|| Field { text: bare, span: begin..begin + bare.len() })
    })
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || letter == ',' || letter == ';'
}

/// The vectors `c(…)` of a line of R, one for each piece.
fn r_rows<'a>(line: &Content<'a>) -> impl Iterator<Item = PieceRow<'a>> + use<'a> {
    let (text, start) = (line.text, line.start);
    text.match_indices("c(").filter_map(move |(at, opening)| {
        let is_name = text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == '.');
        let inside = at + opening.len();
        let end = text[inside..].find(')').map_or(text.len(), |length| inside + length);
        let fields = || split(&text[inside..end], start + inside).collect();
        (!is_name).then(|| PieceRow { fields: fields(), span: start + at..start + (end + 1).min(text.len()) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_on_after_z() {
        let names = [0, 25, 26, 27, 51, 52, 701, 702].map(letters);
        assert_eq!(names, ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]);
    }
}
