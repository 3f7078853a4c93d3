//! JSON that holds one table by its columns, as data frames are written: `to_json()` of pandas in each of its forms but
//! `records`, and lists beside each other.

use std::io::{BufRead, Read as _};

use serde_json::{Map, Value};

use super::LogError;
use super::json::as_text;
use super::limit::{read_line, read_whole};
use super::raw::RawRow;
use super::source::{Sink, Source, strip_bom};
use plymap_puzzles::progress::Progress;

/// A table: its columns, and the cells of each row.
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

/// Whether a file is one object that holds a table, rather than one row a line.
pub(super) fn is_table(source: &Source) -> Result<bool, LogError> {
    let mut start = source.open(None)?;
    let mut line = Vec::new();
    read_line(&mut start, &mut line).map_err(|error| source.unreadable(&error))?;
    if !strip_bom(&line).trim_ascii_start().starts_with(b"{") {
        return Ok(false);
    }
    let of_line = serde_json::from_slice::<Map<String, Value>>(strip_bom(&line));
    let has_more =
        |start: Box<dyn BufRead>| start.bytes().any(|byte| byte.is_ok_and(|byte| !byte.is_ascii_whitespace()));
    Ok(match of_line {
        Ok(object) => Table::of(object).is_some() && !has_more(start),
        // One that is too large to be read as a whole, or is cut off, is read line by line.
        Err(_) => read(source).is_ok_and(|table| table.is_some()),
    })
}

/// Its columns.
pub(super) fn columns(source: &Source) -> Result<Vec<String>, LogError> {
    Ok(read(source)?.map(|table| table.columns).unwrap_or_default())
}

/// Hands every row to `sink`; rows count from 1.
pub(super) fn rows(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    let Some(Table { columns, rows }) = read(source)? else { return Ok(()) };
    // Data frames hold whole numbers as fractions where one is missing.
    let is_whole =
        |column: usize| rows.iter().all(|row| row[column].as_f64().is_none_or(|number| number.fract() == 0.0));
    let is_whole: Vec<bool> = (0..columns.len()).map(is_whole).collect();
    for (number, row) in rows.into_iter().enumerate() {
        let text = |(value, is_whole): (Value, &bool)| match value.as_f64() {
            Some(number) if *is_whole && number.abs() < 1e15 => Some(format!("{number:.0}")),
            _ => as_text(value),
        };
        let texts: Vec<Option<String>> = row.into_iter().zip(&is_whole).map(text).collect();
        let cells: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        sink(RawRow { line: number as u64 + 1, cells: &cells, fault: None, notices: &[] })?;
    }
    progress.advance(source.file.bytes);
    Ok(())
}

fn read(source: &Source) -> Result<Option<Table>, LogError> {
    let bytes = read_whole(source.open(None)?).map_err(|error| source.unreadable(&error))?;
    Ok(serde_json::from_slice(strip_bom(&bytes)).ok().and_then(Table::of))
}

impl Table {
    /// The table that an object holds, if it holds one.
    fn of(object: Map<String, Value>) -> Option<Self> {
        let has = |keys: &[&str]| keys.iter().all(|key| object.get(*key).is_some_and(Value::is_array));
        match () {
            () if has(&["columns", "data"]) && object.keys().all(|key| SPLIT.contains(&key.as_str())) => {
                Self::split(object)
            }
            () if object.get("schema").is_some_and(Value::is_object) && has(&["data"]) => Self::records(object),
            () if object.values().all(Value::is_array) => Self::lists(object),
            () if object.values().all(Value::is_object) => Self::labelled(object),
            () => None,
        }
    }

    /// `{"columns": [...], "index": [...], "data": [[...], ...]}`
    fn split(mut object: Map<String, Value>) -> Option<Self> {
        let mut list =
            |key: &str| object.remove(key).map(|list| if let Value::Array(list) = list { list } else { vec![] });
        let columns: Vec<String> = list("columns")?.into_iter().map(as_text).collect::<Option<_>>()?;
        let rows: Vec<Vec<Value>> =
            list("data")?.into_iter().map(|row| row.as_array().cloned()).collect::<Option<_>>()?;
        rows.iter().all(|row| row.len() == columns.len()).then_some(Self { columns, rows })
    }

    /// `{"schema": {...}, "data": [{...}, ...]}`
    fn records(mut object: Map<String, Value>) -> Option<Self> {
        let Some(Value::Array(data)) = object.remove("data") else { return None };
        Self::of_objects(data)
    }

    /// `{"participant": [...], "level": [...]}`
    fn lists(object: Map<String, Value>) -> Option<Self> {
        let mut lists: Vec<(String, std::vec::IntoIter<Value>)> = Vec::new();
        for (key, value) in object {
            let Value::Array(list) = value else { return None };
            lists.push((key, list.into_iter()));
        }
        let n = lists.first()?.1.len();
        if lists.len() < 2 || lists.iter().any(|(_, list)| list.len() != n) {
            return None;
        }
        let rows = (0..n).map(|_| lists.iter_mut().filter_map(|(_, list)| list.next()).collect()).collect();
        Some(Self { columns: lists.into_iter().map(|(name, _)| name).collect(), rows })
    }

    /// `{"participant": {"0": "P1", ...}, ...}`, or the same by rows: the labels of rows are numbers.
    fn labelled(object: Map<String, Value>) -> Option<Self> {
        let is_number = |key: &String| key.parse::<u64>().is_ok();
        let first: Vec<String> = object.values().next()?.as_object()?.keys().cloned().collect();
        if object.keys().all(is_number) && !first.iter().all(is_number) {
            return Self::of_objects(object.into_iter().map(|(_, row)| row).collect());
        }
        let is_same = |value: &Value| value.as_object().is_some_and(|own| own.keys().eq(&first));
        if !first.iter().all(is_number) || !object.values().all(is_same) {
            return None;
        }
        let columns: Vec<String> = object.keys().cloned().collect();
        let cell = |column: &Value, label: &String| column.get(label).cloned().unwrap_or_default();
        let row = |label: &String| object.values().map(|column| cell(column, label)).collect();
        Some(Self { columns, rows: first.iter().map(row).collect() })
    }

    fn of_objects(objects: Vec<Value>) -> Option<Self> {
        let mut columns: Vec<String> = Vec::new();
        for object in &objects {
            let new = object.as_object()?.keys().filter(|key| !columns.contains(key));
            let new: Vec<String> = new.cloned().collect();
            columns.extend(new);
        }
        let row = |object: &Value| columns.iter().map(|name| object.get(name).cloned().unwrap_or_default()).collect();
        let rows = objects.iter().map(row).collect();
        Some(Self { columns, rows })
    }
}

/// Keys of a table whose columns, rows and cells stand apart.
const SPLIT: [&str; 5] = ["columns", "index", "data", "index_names", "column_names"];

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        let table = Table::of(serde_json::from_str(text).unwrap())?;
        Some(format!("{} {}", table.columns.join(","), Value::from(table.rows)))
    }

    #[test]
    fn every_form_of_a_data_frame_is_the_same_table() {
        let rows = Some("p,level [[\"a\",1],[\"b\",null]]".to_owned());
        for text in [
            r#"{"p": {"0": "a", "1": "b"}, "level": {"0": 1, "1": null}}"#,
            r#"{"p": ["a", "b"], "level": [1, null]}"#,
            r#"{"columns": ["p", "level"], "index": [0, 1], "data": [["a", 1], ["b", null]]}"#,
            r#"{"schema": {"fields": []}, "data": [{"p": "a", "level": 1}, {"p": "b", "level": null}]}"#,
            r#"{"0": {"p": "a", "level": 1}, "1": {"p": "b", "level": null}}"#,
        ] {
            assert_eq!(shown(text), rows, "{text}");
        }
    }

    #[test]
    fn a_row_is_no_table() {
        for text in [
            r#"{"p": "a", "moves": [1, 2]}"#,
            r#"{"moves": [1, 2]}"#,
            r#"{"moves": [1, 2], "times": [1]}"#,
            r#"{"start": {"a": 1}, "goal": {"b": 1}}"#,
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
