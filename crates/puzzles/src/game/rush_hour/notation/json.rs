//! JSON: a list of pieces, a list of rows, a matrix, or an object that holds one of them.

use std::ops::Range;

use super::board::{self, DrawnRow};
use super::field::{Field, TextDiagnostic};
use super::marks::Marks;
use super::matrix::{self, DEFAULT_BOARD, PIECE_NAMES, USUAL, is_matrix, length, letters, orientation, piece, reading};
use super::reading::{FROM_0, Reading};
use super::red_name::DefaultRed;
use super::settings::{ListedCell, Settings, WrittenExit, is_side, side, whole_number};
use super::setup::Setup;
use crate::diagnostic::Diagnostic;
use crate::game::rush_hour::layout::Piece;
use crate::level::json::{Entry, Kind, Value, values};
use crate::level::lines::json_behind_settings;
use crate::level::{COLUMNS, LENGTHS, ORIENTATIONS, Origin, ROWS, Spanned, board_column, same};

/// Reads a level in JSON, with settings and faults of lines before it.
pub(super) fn read(
    text: &str,
    origin: &Origin,
    settings: Settings,
    faults: Vec<Diagnostic>,
) -> Result<Setup, Vec<Diagnostic>> {
    let reader = Reader { text, origin };
    match values(text) {
        Ok(values) => match values.as_slice() {
            [value] => reader.level(value, settings, faults),
            [_, second, ..] => {
                let fault =
                    reader.wrong("bad-json", second, "one level is one JSON value", "put each level on its own");
                Err(vec![fault.placed(origin)])
            }
            [] => Err(vec![origin.error("empty-level", 0..text.len(), "there is no level here")]),
        },
        Err(error) => {
            let message = format!("this is not JSON: {error}");
            Err(vec![origin.error("bad-json", error.offset..error.offset, message).with_help("fix the JSON here")])
        }
    }
}

/// A drawn board or a matrix, with settings that stand outside of it. It stands here because each holds the other:
/// JSON may follow the settings of a text, and a string of JSON may be such a text.
pub(super) fn read_text(text: &str, origin: &Origin, settings: Settings) -> Result<Setup, Vec<Diagnostic>> {
    let (settings, content, faults) = settings.read_lines(text, origin);
    if let Some(json) = json_behind_settings(text) {
        return read(&json, origin, settings, faults);
    }
    if content.is_empty() {
        let message = "there is no level here".to_owned();
        let fault = origin.error("empty-level", 0..text.len(), message);
        return Err(vec![fault.with_help("draw a board, list the pieces, or leave the level out")]);
    }
    if is_matrix(&content) {
        matrix::read(&content, origin, settings, faults)
    } else {
        let rows = content.iter().flat_map(|line| board::DrawnRow::all_of(line.text, line.start, origin)).collect();
        board::read(rows, origin.source(), settings, faults)
    }
}

struct Reader<'a> {
    text: &'a str,
    origin: &'a Origin,
}

impl Reader<'_> {
    fn level(&self, value: &Value, settings: Settings, mut faults: Vec<Diagnostic>) -> Result<Setup, Vec<Diagnostic>> {
        let Some(entries) = value.entries() else {
            return self.body(value, settings, faults);
        };
        let mut wrong = Vec::new();
        let settings = self.settings(entries, settings, &mut wrong);
        faults.extend(wrong.into_iter().map(|wrong| wrong.placed(self.origin)));
        let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        match board_column(&keys) {
            Some(at) => self.body(&entries[at].value, settings, faults),
            None => {
                let help = "give the pieces as `\"pieces\": \
                    [{\"id\": \"A\", \"position\": 12, \"length\": 2, \"orientation\": \"horizontal\"}]`";
                let missing = self.wrong("missing-key", value, "the level has neither pieces nor a board", help);
                Err(faults.into_iter().chain([missing.placed(self.origin)]).collect())
            }
        }
    }

    /// The pieces, in whatever way they are given.
    fn body(&self, value: &Value, settings: Settings, faults: Vec<Diagnostic>) -> Result<Setup, Vec<Diagnostic>> {
        let items = match &value.kind {
            Kind::Text(text) => {
                let inside = self.origin.of_string(text, self.text, value.span.start + 1);
                return read_text(text, &inside, settings).map(|mut setup| {
                    setup.faults.extend(faults);
                    setup
                });
            }
            Kind::List(items) if !items.is_empty() => items,
            Kind::List(_) => {
                let fault = self.wrong("empty-level", value, "the level has no pieces", "list the pieces");
                return Err(faults.into_iter().chain([fault.placed(self.origin)]).collect());
            }
            _ => {
                let help = "a level is a list of pieces, a list of rows, or a board in a string";
                let fault = self.wrong("unknown-notation", value, "this is not a level", help);
                return Err(faults.into_iter().chain([fault.placed(self.origin)]).collect());
            }
        };
        if items.iter().all(|item| item.text().is_some()) {
            return self.rows(items, settings, faults);
        }
        self.pieces(value, items, settings, faults)
    }

    fn rows(&self, items: &[Value], settings: Settings, faults: Vec<Diagnostic>) -> Result<Setup, Vec<Diagnostic>> {
        let rows = items.iter().map(|item| {
            let row = item.text().unwrap_or_default();
            DrawnRow::of(row, 0, &self.origin.of_string(row, self.text, item.span.start + 1))
        });
        board::read(rows.collect(), self.origin.source(), settings, faults)
    }

    fn pieces(
        &self,
        whole: &Value,
        items: &[Value],
        settings: Settings,
        mut faults: Vec<Diagnostic>,
    ) -> Result<Setup, Vec<Diagnostic>> {
        let (width, height) = settings.board.as_ref().map_or(DEFAULT_BOARD, |board| board.value);
        let is_matrix = items[0].items().is_some();
        let (mut pieces, mut unread) = (Vec::new(), Vec::new());
        let (mut red, mut marks) = (DefaultRed::Named, Marks::default());
        let mut reading = if is_matrix { self.reading(items, (width, height)) } else { FROM_0 };
        for (number, item) in items.iter().enumerate() {
            let read = match (&item.kind, is_matrix) {
                (Kind::List(fields), true) => self.matrix_row(number, item, fields, reading),
                (Kind::Object(entries), false) => self.listed_piece(item, entries, width),
                _ => {
                    let help = "write each piece as an object, or each as a list of four numbers";
                    Err(vec![self.wrong("unknown-notation", item, "this is not a piece like the first one", help)])
                }
            };
            let at = read.is_ok().then_some(pieces.len());
            if is_matrix && number == 0 {
                red = DefaultRed::At(at);
            }
            for entry in item.entries().unwrap_or_default().iter().filter(|entry| !is_piece_key(&entry.key)) {
                let marked = match entry.value.scalar() {
                    Some(_) => marks.add(&entry.key, &self.field(&entry.value), at),
                    None => {
                        marks.not_used(&entry.key);
                        Ok(())
                    }
                };
                faults.extend(marked.err().map(|wrong| wrong.placed(self.origin)));
            }
            match read {
                Ok(piece) => {
                    pieces.push(Spanned { value: piece, span: self.origin.span(item.span.clone()) });
                }
                Err(wrong) => {
                    unread.push(if is_matrix { letters(number) } else { written_name(item) });
                    faults.extend(wrong.into_iter().map(|wrong| wrong.placed(self.origin)));
                }
            }
        }
        let usual = if is_matrix { USUAL } else { FROM_0 };
        let are_pairs = !is_matrix && unread.is_empty() && !items.iter().any(is_numbered);
        if are_pairs {
            let written: Vec<Piece> = pieces.iter().map(|piece| piece.value.clone()).collect();
            reading = Reading::of(&written, usual, !items.iter().all(is_pair), (width, height));
            for Spanned { value: piece, .. } in &mut pieces {
                (piece.row, piece.column) = reading.place(piece.row, piece.column).unwrap_or((piece.row, piece.column));
            }
        }
        let remarks = Vec::from_iter(reading.remark(usual));
        let (source, whole) = (self.origin.source().clone(), self.origin.span(whole.span.clone()));
        let mut setup = Setup { source, whole, width, height, settings, reading, pieces, unread, red, faults, remarks };
        marks.apply(&mut setup, |span| self.origin.span(span));
        Ok(setup)
    }

    /// Reading of the places of a matrix.
    fn reading(&self, rows: &[Value], board: (usize, usize)) -> Reading {
        let fields =
            rows.iter().filter_map(Value::items).map(|row| row.iter().map(|value| self.field(value)).collect());
        let fields: Vec<Vec<Field>> = fields.filter(|row: &Vec<Field>| row.len() == 4).collect();
        reading(fields.iter().map(|row| [&row[0], &row[1], &row[2], &row[3]]), false, board)
    }

    fn matrix_row(
        &self,
        number: usize,
        row: &Value,
        fields: &[Value],
        reading: Reading,
    ) -> Result<Piece, Vec<TextDiagnostic>> {
        let fields: Vec<Field> = fields.iter().map(|value| self.field(value)).collect();
        match fields.as_slice() {
            [size, direction, row, column] => piece(letters(number), [size, direction, row, column], reading),
            _ => {
                let message = format!("the row has {} fields instead of 4", fields.len());
                let help = "a row is size, orientation (1 horizontal, 2 vertical), row and column, as in [2, 1, 3, 2]";
                Err(vec![self.wrong("bad-row", row, message, help)])
            }
        }
    }

    fn listed_piece(&self, item: &Value, entries: &[Entry], width: usize) -> Result<Piece, Vec<TextDiagnostic>> {
        let mut wrong = Vec::new();
        let mut get = |names: &[&str], what: &str| {
            let entry_of_setting = entry(entries, names);
            if entry_of_setting.is_none() {
                let help = "a piece has an id, a position, a length and an orientation";
                wrong.push(self.wrong("missing-key", item, format!("the piece has no {what:?}"), help));
            }
            entry_of_setting
        };
        let id = get(&PIECE_NAMES, "id");
        let pair = entry(entries, &ROWS).zip(entry(entries, &COLUMNS));
        let position = if pair.is_some() { None } else { get(&PLACES, "position") };
        let (size, direction) = (get(&LENGTHS, "length"), get(&ORIENTATIONS, "orientation"));
        let mut keep = |fault: TextDiagnostic| wrong.push(fault);
        let name = id.and_then(|value| self.name(value).map_err(&mut keep).ok());
        let cell = match pair {
            Some((row, column)) => {
                let lines = [row, column].map(|value| whole_number(self.field(value).text));
                if let [Some(row), Some(column)] = lines {
                    Some((row, column))
                } else {
                    let help = "write row and column as whole numbers, from 0";
                    keep(self.wrong("bad-number", item, "row or column of the piece is not a whole number", help));
                    None
                }
            }
            None => position.and_then(|value| self.cell(value).map_err(&mut keep).ok()).map(|cell| match cell {
                ListedCell::Number(number) => (number / width, number % width),
                ListedCell::Pair(row, column) => (row, column),
            }),
        };
        let length = size.and_then(|value| length(&self.field(value)).map_err(&mut keep).ok());
        let orientation = direction.and_then(|value| orientation(&self.field(value)).map_err(&mut keep).ok());
        match (name, cell, length, orientation) {
            (Some(name), Some((row, column)), Some(length), Some(orientation)) => {
                Ok(Piece { name, row, column, length, orientation })
            }
            _ => Err(wrong),
        }
    }

    /// A name, without the blanks before it.
    fn name(&self, value: &Value) -> Result<String, TextDiagnostic> {
        match &value.kind {
            Kind::Text(text) if !text.trim().is_empty() => Ok(text.trim_start().to_owned()),
            Kind::Number(number) => Ok((*number).to_owned()),
            _ => Err(self.wrong("bad-name", value, "this is not a name", "write a string or a number")),
        }
    }

    /// A cell: its number row by row from 0, or its row and column.
    fn cell(&self, value: &Value) -> Result<ListedCell, TextDiagnostic> {
        let number = |value: &Value| whole_number(self.field(value).text);
        let cell = match value.items() {
            Some([row, column]) => number(row).zip(number(column)).map(|(row, column)| ListedCell::Pair(row, column)),
            Some(_) => None,
            None => number(value).map(ListedCell::Number),
        };
        cell.ok_or_else(|| {
            let message = format!("{} is not a cell", &self.text[value.span.clone()]);
            let help = "write the number of the cell, row by row from 0, or [row, column] from 0";
            self.wrong("bad-number", value, message, help)
        })
    }

    fn settings(&self, entries: &[Entry], mut settings: Settings, wrong: &mut Vec<TextDiagnostic>) -> Settings {
        let get = |key: &str| entries.iter().find(|entry| same(&entry.key, key)).map(|entry| &entry.value);
        let mut keep = |fault: TextDiagnostic| wrong.push(fault);
        match (get("width"), get("height")) {
            (Some(width), Some(height)) => {
                let sides = (self.side_length(width).map_err(&mut keep), self.side_length(height).map_err(&mut keep));
                if let (Ok(columns), Ok(rows)) = sides {
                    settings.board = Some(self.marked((columns, rows), width));
                }
            }
            (Some(side), None) | (None, Some(side)) => {
                let message = "the board has a width or a height, but not both";
                keep(self.wrong("missing-key", side, message, "give both, or neither for a board of 6x6"));
            }
            (None, None) => {}
        }
        if let Some(exit) = get("exit").filter(|exit| exit.kind != Kind::Null) {
            match self.exit(exit) {
                Ok(written) => settings.listed_exit = Some(self.marked(written, exit)),
                Err(fault) => keep(fault),
            }
        }
        match get("walls").map(|walls| (walls, walls.items())) {
            Some((_, Some(walls))) => {
                for wall in walls {
                    match self.cell(wall) {
                        Ok(cell) => settings.listed_walls.push(self.marked(cell, wall)),
                        Err(fault) => keep(fault),
                    }
                }
            }
            Some((walls, None)) if walls.kind != Kind::Null => {
                keep(self.wrong(
                    "bad-number",
                    walls,
                    "the walls are not a list",
                    "write a list of cells, as in [3, 17]",
                ));
            }
            _ => {}
        }
        match get("red").map(|red| (red, self.name(red))) {
            Some((red, Ok(name))) => settings.red = Some(self.marked(name, red)),
            Some((red, Err(fault))) if red.kind != Kind::Null => keep(fault),
            _ => {}
        }
        settings
    }

    fn side_length(&self, value: &Value) -> Result<usize, TextDiagnostic> {
        let length = whole_number(self.field(value).text).filter(|&length| is_side(length));
        length.ok_or_else(|| {
            let message = format!("{} is not the side of a board", &self.text[value.span.clone()]);
            self.wrong("bad-board-size", value, message, "write a whole number from 1 to 255")
        })
    }

    /// `{"side": "right", "line": 2}` with a line from 0, or the side alone.
    fn exit(&self, value: &Value) -> Result<WrittenExit, TextDiagnostic> {
        let get = |key: &str| value.entries()?.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
        let name = value.text().or_else(|| get("side")?.text());
        let line = get("line").map(|line| whole_number(self.field(line).text));
        match (name.and_then(side), line) {
            (Some(side), None) => Ok(WrittenExit { side, line: None }),
            (Some(side), Some(Some(line))) => Ok(WrittenExit { side, line: Some(line) }),
            _ => {
                let help = "write {\"side\": \"right\", \"line\": 2}: \
                    left, right, top or bottom, and the row or column from 0";
                Err(self.wrong("bad-exit", value, "this is not an exit", help))
            }
        }
    }

    /// The text of a value as a field of a matrix: without the quotes of a string.
    fn field(&self, value: &Value) -> Field<'_> {
        let mut span = value.span.clone();
        if value.text().is_some() {
            span = span.start + 1..span.end - 1;
        }
        Field { text: &self.text[span.clone()], span }
    }

    fn marked<T>(&self, value: T, at: &Value) -> Spanned<T> {
        Spanned { value, span: self.origin.span(at.span.clone()) }
    }

    fn wrong(
        &self,
        code: &'static str,
        value: &Value,
        message: impl Into<String>,
        help: &'static str,
    ) -> TextDiagnostic {
        let span: Range<usize> = value.span.clone();
        TextDiagnostic { code, span, message: message.into(), help }
    }
}

/// Keys of the place of a piece.
const PLACES: [&str; 3] = ["position", "cell", "place"];

/// `true` if this is a key of the place or name of a piece.
fn is_piece_key(key: &str) -> bool {
    let all: [&[&str]; 6] = [&PIECE_NAMES, &PLACES, &ROWS, &COLUMNS, &LENGTHS, &ORIENTATIONS];
    all.iter().any(|names| names.iter().any(|name| same(name, key)))
}

/// The value of the first of these keys that an object has.
fn entry<'v, 't>(entries: &'v [Entry<'t>], names: &[&str]) -> Option<&'v Value<'t>> {
    names.iter().find_map(|name| entries.iter().find(|entry| same(&entry.key, name))).map(|entry| &entry.value)
}

/// `true` if the place of a piece is the number of its first cell.
fn is_numbered(item: &Value) -> bool {
    entry(item.entries().unwrap_or_default(), &PLACES).is_some_and(|place| place.items().is_none())
}

/// `true` if the place of a piece is two numbers without names.
fn is_pair(item: &Value) -> bool {
    entry(item.entries().unwrap_or_default(), &PLACES).is_some_and(|place| place.items().is_some())
}

/// The name of a piece that is faulty otherwise; empty if it has none.
fn written_name(item: &Value) -> String {
    let id = entry(item.entries().unwrap_or_default(), &PIECE_NAMES);
    id.and_then(Value::scalar).unwrap_or_default().trim_start().to_owned()
}
