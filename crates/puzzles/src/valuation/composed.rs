//! The text of a level whose settings stand in other cells of its table row, or which is an object of JSON: as if all
//! of it had been written in lines.

use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::LevelText;
use crate::game::lists::{rows, rows_of_list};
use crate::level::json::{looks_like_json, values};
use crate::level::{Cell, LevelSource, Origin, board_column, is_level_object, is_setting_name};
use crate::registry::LevelSettings;

/// A text that was put together, with the places in the file that its parts come from.
pub(super) struct Composed {
    source: Arc<SourceText>,
    parts: Vec<Part>,
    /// Place of the level, for faults of all of it.
    level: (Arc<SourceText>, Range<usize>),
}

/// A part of the text.
struct Part {
    /// The bytes of the text.
    range: Range<usize>,
    /// Places in the file; absent where they are written differently there.
    origin: Option<Origin>,
    /// The bytes of the file that the part comes from.
    span: Range<usize>,
    /// The column or key.
    name: Option<String>,
}

impl Composed {
    /// The text of a level with the settings of its row, if it has any or is JSON that its game does not read itself.
    ///
    /// # Errors
    ///
    /// JSON that cannot be read.
    pub fn new(
        level: &LevelSource,
        entries: &[(String, Cell)],
        settings: &LevelSettings,
    ) -> Result<Option<Self>, Vec<Diagnostic>> {
        let mut writer = Writer::default();
        let is_converted = settings.json_keys.is_empty() && looks_like_json(&level.text);
        let is_object = is_converted && writer.read_json(level, settings)?;
        let own_setting = level.column.as_ref().and_then(|name| settings.named(name));
        let own_setting = own_setting.filter(|name| !settings.takes_any || is_setting_name(name));
        if entries.is_empty() && !is_object && own_setting.is_none() {
            return Ok(None);
        }
        for (setting, cell) in entries {
            let rows = rows_of_list(&cell.value).filter(|_| settings.json_keys.is_empty());
            let origin = rows.is_none().then(|| Origin::new(&cell.value, &level.source, cell.span.start));
            writer.set(setting, rows.as_ref().unwrap_or(&cell.value), origin, cell);
        }
        if !is_object {
            let origin = Origin::new(&level.text, &level.source, level.span.start);
            if let Some(setting) = &own_setting {
                let name = level.column.clone().unwrap_or_default();
                let cell = Cell { name, value: level.text.clone(), span: level.span.clone() };
                writer.set(setting, &cell.value, Some(origin.clone()), &cell);
            }
            // A script that does not list its settings may read either.
            if own_setting.is_none() || settings.takes_any {
                writer.push(&level.text, Some(origin), level.span.clone(), None);
            }
        }
        let source = Arc::new(SourceText { path: level.source.path.clone(), text: writer.text });
        Ok(Some(Self { source, parts: writer.parts, level: (level.source.clone(), level.span.clone()) }))
    }

    /// The text as a game takes it.
    pub fn text(&self) -> LevelText<'_> {
        LevelText { text: &self.source.text, source: &self.source, span: 0..self.source.text.len() }
    }

    /// The same fault where it stands in the file of the level.
    pub fn located(&self, mut fault: Diagnostic) -> Diagnostic {
        if !Arc::ptr_eq(&fault.place.source, &self.source) {
            return fault;
        }
        let (source, level) = &self.level;
        fault.place.source = source.clone();
        let Range { start, end } = fault.place.span;
        let holds = |part: &&Part| part.range.start <= start && start <= part.range.end;
        let Some(part) = self.parts.iter().rev().find(holds).filter(|_| end > 0) else {
            fault.place.span = level.clone();
            return fault;
        };
        let inside = |byte: usize| byte.clamp(part.range.start, part.range.end) - part.range.start;
        fault.place.span = match &part.origin {
            Some(origin) => origin.span(inside(start)..inside(end)),
            None => part.span.clone(),
        };
        if let Some(name) = &part.name {
            fault.message = format!("in {name:?}: {}", fault.message);
        }
        fault
    }
}

#[derive(Default)]
struct Writer {
    text: String,
    parts: Vec<Part>,
}

impl Writer {
    /// A line `setting: value`. Line breaks within the value part rows, as `/` does; each byte keeps its place.
    fn set(&mut self, setting: &str, value: &str, origin: Option<Origin>, cell: &Cell) {
        self.text.push_str(setting);
        self.text.push_str(": ");
        let rows = value.trim();
        let blanks = " ".repeat(value.len() - value.trim_start().len());
        let value = format!("{blanks}{}", rows.replace("\r\n", " /").replace(['\n', '\r'], "/"));
        self.push(&value, origin, cell.span.clone(), Some(cell.name.clone()));
        self.text.push('\n');
    }

    fn push(&mut self, value: &str, origin: Option<Origin>, span: Range<usize>, name: Option<String>) {
        let start = self.text.len();
        self.text.push_str(value);
        self.parts.push(Part { range: start..self.text.len(), origin, span, name });
    }

    /// Writes a level in JSON as lines: the settings among the keys of an object and the rows of its board, or a list
    /// as such rows. Tells whether it is a level.
    fn read_json(&mut self, level: &LevelSource, settings: &LevelSettings) -> Result<bool, Vec<Diagnostic>> {
        let origin = Origin::new(&level.text, &level.source, level.span.start);
        let read = values(&level.text);
        let value = match read.as_deref() {
            Ok([value]) => value,
            Err(error) if !settings.takes_any => {
                let message = format!("this is not JSON: {}", error.message);
                let fault = origin.error("bad-json", error.offset..error.offset, message);
                return Err(vec![fault.with_help("fix the JSON here; other faults show once it can be read")]);
            }
            _ => return Ok(false),
        };
        let Some(entries) = value.entries().filter(|entries| is_level_object(entries)) else {
            let is_position = value.items().is_some() || (value.entries().is_some() && !settings.takes_any);
            let Some(rows) = rows(value).filter(|_| is_position) else { return Ok(false) };
            let span = origin.span(value.span.clone());
            match level.column.as_ref().and_then(|name| settings.named(name)) {
                Some(setting) => {
                    let name = level.column.clone().unwrap_or_default();
                    self.set(&setting, &rows, None, &Cell { name, value: rows.clone(), span });
                }
                None => {
                    self.push(&rows, None, span, None);
                    self.text.push('\n');
                }
            }
            return Ok(true);
        };
        let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        let board = board_column(&keys);
        let mut faults = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let span = origin.span(entry.value.span.clone());
            let setting = settings.named(&entry.key).filter(|_| !settings.takes_any || board != Some(at));
            let written = || rows(&entry.value).unwrap_or_else(|| level.text[entry.value.span.clone()].to_owned());
            let cell = Cell { name: entry.key.clone(), value: written(), span: span.clone() };
            let is_used = setting.is_some() || board == Some(at);
            if is_used && !settings.takes_any && entry.value.entries().is_some() && rows(&entry.value).is_none() {
                let message = format!("the keys of {:?} are no pegs", entry.key);
                let fault = Diagnostic::error("bad-pegs", origin.source(), span, message);
                faults.push(fault.with_help("name the pegs A, B, C or 1, 2, 3, one list for each, or write `321/-/-`"));
                continue;
            }
            match setting {
                Some(_) if cell.is_missing() => {}
                Some(setting) => self.set(&setting, &cell.value, None, &cell),
                None if board == Some(at) => {
                    self.push(&cell.value, None, span, Some(cell.name));
                    self.text.push('\n');
                }
                None => {}
            }
        }
        if faults.is_empty() { Ok(true) } else { Err(faults) }
    }
}
