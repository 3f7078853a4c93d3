//! Levels in JSON: a list of rows, or an object with a board.

use super::marks::lamp;
use super::setup::{LampRow, Setup};
use crate::game::lights_out::neighbourhood::{EXPECTED, Neighbourhood};
use crate::level::Origin;
use crate::level::json::{Entry, Kind, Value, values};
use crate::level::lines::lines;
use crate::level::{Spanned, board_column, compact_name};

/// Reads a list of rows, or an object with the rows under `board`.
pub(super) fn read(text: &str, origin: &Origin) -> Setup {
    let mut reader = Reader { text, origin, setup: Setup::new(origin.source(), origin.span(0..text.trim_end().len())) };
    match values(text).as_deref() {
        Ok([value]) => match value.entries() {
            Some(entries) => reader.level(value, entries),
            None => reader.board(value),
        },
        Ok(_) => reader.fault("bad-json", 0..text.len(), "a level is one value of JSON".to_owned(), ONE_BOARD),
        Err(error) => {
            let end = text[error.offset..].chars().next().map_or(0, char::len_utf8);
            let message = format!("this is not JSON: {}", error.message);
            let help = "fix the JSON here; other faults show once it can be read";
            reader.fault("bad-json", error.offset..error.offset + end, message, help);
        }
    }
    reader.setup
}

const ONE_BOARD: &str = "write a list of rows as in `[\"*.*\", \".*.\"]` or `[[1, 0, 1], [0, 1, 0]]`, or an object \
    with such a list under `board`";

struct Reader<'a> {
    text: &'a str,
    origin: &'a Origin,
    setup: Setup,
}

impl Reader<'_> {
    fn fault(&mut self, code: &'static str, span: std::ops::Range<usize>, message: String, help: &str) {
        self.setup.fault(code, self.origin.span(span), message, help);
    }

    fn level(&mut self, level: &Value, entries: &[Entry]) {
        let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        match board_column(&keys) {
            Some(board) => self.board(&entries[board].value),
            None => self.fault("missing-key", level.span.clone(), "the level has no \"board\"".to_owned(), ONE_BOARD),
        }
        let mut sides = [None, None];
        for entry in entries {
            match compact_name(&entry.key).as_str() {
                "neighbourhood" | "neighborhood" | "pattern" => self.neighbourhood(&entry.value),
                "width" => sides[0] = self.side(&entry.value),
                "height" => sides[1] = self.side(&entry.value),
                // Other keys are columns of the table of levels.
                _ => {}
            }
        }
        match sides {
            [Some(width), Some(height)] => self.setup.set_size((width.value, height.value), width.span),
            [None, None] => {}
            [Some(side), None] | [None, Some(side)] => {
                let message = "one side of the board is given without the other".to_owned();
                self.setup.fault("missing-key", side.span, message, "give \"width\" and \"height\", or neither");
            }
        }
    }

    fn side(&mut self, value: &Value) -> Option<Spanned<usize>> {
        let side =
            if let Kind::Number(number) = value.kind { number.parse().ok().filter(|&side| side > 0) } else { None };
        if side.is_none() {
            let message = format!("{} is not a side of a board", &self.text[value.span.clone()]);
            self.fault("bad-number", value.span.clone(), message, "write a whole number from 1");
        }
        side.map(|side| Spanned { value: side, span: self.origin.span(value.span.clone()) })
    }

    fn neighbourhood(&mut self, value: &Value) {
        let read = match (&value.kind, value.items()) {
            (Kind::Text(text), _) => text.parse(),
            (_, Some(items)) => offsets(items).ok_or_else(no_neighbourhood).and_then(Neighbourhood::pattern),
            _ => Err(no_neighbourhood()),
        };
        match read {
            Ok(neighbourhood) => self.setup.set_neighbourhood(neighbourhood, self.origin.span(value.span.clone())),
            Err(reason) => self.fault("bad-neighbourhood", value.span.clone(), reason, EXPECTED),
        }
    }

    /// The rows of a board: a string with all of them, or a list of strings or of lists.
    fn board(&mut self, board: &Value) {
        if let Some(items) = board.items() {
            items.iter().for_each(|row| self.row(row));
        } else if let Some(text) = board.text() {
            let origin = self.origin.of_string(text, self.text, board.span.start + 1);
            let rows = lines(text).flat_map(|line| LampRow::of_line(line.text, line.start, &origin));
            self.setup.rows.extend(rows.filter(|row| row.is_split || !row.marks.is_empty()));
        } else {
            self.fault("unknown-notation", board.span.clone(), "this is no board".to_owned(), ONE_BOARD);
        }
    }

    fn row(&mut self, row: &Value) {
        let span = self.origin.span(row.span.clone());
        let marks = if let Some(text) = row.text() {
            let origin = self.origin.of_string(text, self.text, row.span.start + 1);
            LampRow::of_line(text, 0, &origin).into_iter().flat_map(|row| row.marks).collect()
        } else if let Some(items) = row.items() {
            let lamps: Option<Vec<_>> = items.iter().map(|item| self.lamp(item)).collect();
            lamps.unwrap_or_default()
        } else {
            Vec::new()
        };
        if marks.is_empty() {
            let help = "write a row as a string (`\"*.*\"`) or as a list (`[1, 0, 1]`)";
            self.fault("unknown-notation", row.span.clone(), "this is no row of lamps".to_owned(), help);
        } else {
            self.setup.rows.push(LampRow { marks, span, is_split: true });
        }
    }

    /// A lamp in a list: 0 or 1, `false` or `true`, or a string of one character.
    fn lamp(&self, item: &Value) -> Option<Spanned<char>> {
        let value = match &item.kind {
            Kind::Bool(true) => '1',
            Kind::Bool(false) => '0',
            Kind::Number(number) => number.parse().ok()?,
            Kind::Text(text) => text.parse().ok()?,
            _ => return None,
        };
        lamp(value).map(|_| Spanned { value, span: self.origin.span(item.span.clone()) })
    }
}

fn no_neighbourhood() -> String {
    "this is not a neighbourhood".to_owned()
}

/// The pairs of `[[0, 0], [0, 1]]`.
fn offsets(items: &[Value]) -> Option<Vec<(i32, i32)>> {
    let number = |value: &Value| if let Kind::Number(number) = value.kind { number.parse().ok() } else { None };
    let pair = |item: &Value| match item.items()? {
        [rows, columns] => Some((number(rows)?, number(columns)?)),
        _ => None,
    };
    items.iter().map(pair).collect()
}
