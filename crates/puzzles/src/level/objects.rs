//! Levels in JSON: one level, a list of levels, or lines of JSON.

use std::sync::Arc;

use super::columns::{Chosen, LevelColumns, Unchosen, are_settings, board_column, is_setting_name, same};
use super::found_level::{Cell, FoundLevel};
use super::json::{Entry, Kind, Value, values};
use super::text::is_whole_board;
use crate::diagnostic::{Diagnostic, SourceText};

/// Keys under which an object may hold a list of levels.
pub const LIST_KEYS: [&str; 3] = ["levels", "puzzles", "problems"];

/// Keys that belong to the level itself: an object with one of them is a level as a whole, not a
/// table row with a column of levels.
pub const OWN_KEYS: [&str; 5] = ["width", "height", "walls", "exit", "red"];

/// The levels of a JSON text.
pub(super) fn levels(
    source: &Arc<SourceText>,
    columns: &LevelColumns,
    faults: &mut Vec<Diagnostic>,
) -> Vec<FoundLevel> {
    let values = match values(&source.text) {
        Ok(values) => values,
        Err(error) => {
            let end = source.text[error.offset..].chars().next().map_or(0, char::len_utf8);
            let span = error.offset..error.offset + end;
            let fault = Diagnostic::error("bad-json", source, span, format!("this is not JSON: {}", error.message));
            faults.push(fault.with_help("fix the JSON here; other faults show once it can be read"));
            return Vec::new();
        }
    };
    let reader = Reader { source, columns };
    let items = match values.as_slice() {
        [value] => match reader.items(value) {
            Some(items) => items,
            None if reader.is_row(value) => std::slice::from_ref(value),
            None => match reader.keyed(value) {
                Some(entries) => return reader.keyed_levels(entries, faults),
                None => return vec![reader.whole(value)],
            },
        },
        _ => &values,
    };
    items.iter().filter_map(|item| reader.item(item, faults)).collect()
}

struct Reader<'a> {
    source: &'a Arc<SourceText>,
    columns: &'a LevelColumns,
}

impl Reader<'_> {
    /// The levels that a value lists; absent if the value is one level.
    fn items<'v>(&self, value: &'v Value<'v>) -> Option<&'v [Value<'v>]> {
        if let Some(entries) = value.entries() {
            let listed = entries.iter().find(is_list_key).and_then(|entry| entry.value.items());
            return listed.filter(|_| !self.is_row(value));
        }
        let items = value.items()?;
        let is_board = |item: &Value| item.text().is_some_and(|text| text.contains('\n') || is_whole_board(text));
        let are_levels = items.iter().any(|item| self.is_row(item))
            || (!items.is_empty() && (items.iter().all(holds_objects) || items.iter().all(is_board)));
        are_levels.then_some(items)
    }

    /// The entries of an object whose keys name levels: each of them is an object that is a level, or a board in a
    /// string.
    fn keyed<'v>(&self, value: &'v Value<'v>) -> Option<&'v [Entry<'v>]> {
        let entries = value.entries()?;
        if let [only] = entries
            && LIST_KEYS.contains(&only.key.as_str())
            && let Some(inner) = self.keyed(&only.value)
        {
            return Some(inner);
        }
        let is_board = |text: &str| text.contains(['\n', '/']) || is_whole_board(text);
        let is_level = |entry: &Entry| self.is_row(&entry.value) || entry.value.text().is_some_and(is_board);
        (!entries.is_empty() && entries.iter().all(is_level)).then_some(entries)
    }

    fn keyed_levels(&self, entries: &[Entry], faults: &mut Vec<Diagnostic>) -> Vec<FoundLevel> {
        let level = |entry: &Entry| {
            let mut read = self.item(&entry.value, faults)?;
            read.id.get_or_insert_with(|| (entry.key.clone(), entry.key_span.clone()));
            Some(read)
        };
        entries.iter().filter_map(level).collect()
    }

    fn is_row(&self, value: &Value) -> bool {
        value.entries().is_some_and(|entries| self.columns.have_level(&keys(entries)))
    }

    fn item(&self, value: &Value, faults: &mut Vec<Diagnostic>) -> Option<FoundLevel> {
        let Some(entries) = value.entries() else {
            return Some(self.whole(value));
        };
        match self.row(value, entries) {
            Ok(level) => Some(level),
            Err(unchosen) => {
                let fault = Diagnostic::error(unchosen.code, self.source, value.span.clone(), unchosen.message);
                faults.push(fault.with_help(unchosen.help));
                None
            }
        }
    }

    /// A value that is a level as a whole: the text of a string, the JSON text of anything else.
    fn whole(&self, value: &Value) -> FoundLevel {
        let (span, text) = match value.text() {
            Some(text) => (value.span.start + 1..value.span.end - 1, text.to_owned()),
            None => (value.span.clone(), self.source.text[value.span.clone()].to_owned()),
        };
        FoundLevel { id: None, span, text, column: None, extra: Vec::new() }
    }

    fn row(&self, value: &Value, entries: &[Entry]) -> Result<FoundLevel, Unchosen> {
        let names = keys(entries);
        let Chosen { id, board } = self.columns.choose(&names)?;
        // A key that only the user knows cannot be found again by the game.
        let is_known = board_column(&names) == board;
        let cell = board.map(|board| &entries[board]);
        if cell.and_then(|cell| cell.value.scalar()).is_some_and(|text| text.trim().is_empty()) {
            return Err(Unchosen {
                code: "empty-level",
                message: format!("{:?} is empty", names[board.unwrap_or_default()]),
                help: "fill in the level, or leave the object out".to_owned(),
            });
        }
        let is_whole =
            is_known && (cell.is_none_or(|cell| cell.value.text().is_none()) || entries.iter().any(is_own_entry));
        let mut level = match cell {
            Some(cell) if !is_whole => FoundLevel { column: Some(cell.key.clone()), ..self.whole(&cell.value) },
            _ => self.whole(value),
        };
        level.id = match id {
            Some(id) => Some(self.id(&entries[id])?),
            None => None,
        };
        let extra = (0..entries.len()).filter(|&at| Some(at) != board && Some(at) != id).map(|at| &entries[at]);
        level.extra = extra.map(|entry| self.cell(entry)).collect();
        Ok(level)
    }

    fn cell(&self, entry: &Entry) -> Cell {
        let (span, value) = (&entry.value.span, &entry.value);
        // Without the quotes of a string, as faults point into what is between them.
        let inside = if value.text().is_some() { span.start + 1..span.end - 1 } else { span.clone() };
        Cell { name: entry.key.clone(), value: self.written(value), span: inside }
    }

    fn id(&self, entry: &Entry) -> Result<(String, std::ops::Range<usize>), Unchosen> {
        match &entry.value.kind {
            Kind::Text(text) if !text.trim().is_empty() => Ok((text.trim().to_owned(), entry.value.span.clone())),
            Kind::Number(number) => Ok(((*number).to_owned(), entry.value.span.clone())),
            _ => Err(Unchosen {
                code: "missing-id",
                message: format!("{:?} is {}, not a name", entry.key, self.written(&entry.value)),
                help: "give each level a name of its own, as a string or a number".to_owned(),
            }),
        }
    }

    fn written(&self, value: &Value) -> String {
        value.scalar().unwrap_or_else(|| self.source.text[value.span.clone()].to_owned())
    }
}

fn is_own_entry(entry: &Entry) -> bool {
    let is_setting = || is_setting_name(&entry.key) && is_list(&entry.value);
    OWN_KEYS.iter().any(|key| same(key, &entry.key)) || is_setting()
}

fn holds_objects(item: &Value) -> bool {
    let inner = item.items().unwrap_or_default();
    !inner.is_empty() && inner.iter().all(|value| value.entries().is_some() || value.items().is_some())
}

fn is_list(value: &Value) -> bool {
    value.scalar().is_none()
}

fn is_list_key(entry: &&Entry) -> bool {
    LIST_KEYS.contains(&entry.key.as_str())
}

/// `true` if an object can be a level: it has a key that is known to hold one, or settings.
pub fn is_level_object(entries: &[Entry]) -> bool {
    let names = keys(entries);
    board_column(&names).is_some() || are_settings(&names)
}

fn keys<'e>(entries: &'e [Entry]) -> Vec<&'e str> {
    entries.iter().map(|entry| entry.key.as_str()).collect()
}
