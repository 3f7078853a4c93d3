//! JSON files that are one object: a table by its columns, as data frames are written (`to_json()` of pandas in each
//! of its forms but `records`, and lists beside each other); lists of rows under keys, such as those of people; or one
//! row.

use super::error::LogError;
use super::file_format::Shape;
use super::file_format::strip_bom;
use super::json::as_text;
use super::limit::{read_line, read_whole};
use super::raw::RawRow;
use super::raw::Sink;
use super::source::Source;
use plymap_puzzles::progress::Progress;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::io::{BufRead, Read as _};

/// A table: its columns, and the cells of each row.
struct Table {
    shape: Shape,
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

/// Content of the one object of a file; nothing where the file has one row a line.
pub(super) fn shape(source: &Source) -> Result<Option<Shape>, LogError> {
    let mut start = source.open(None)?;
    let mut line = Vec::new();
    read_line(&mut start, &mut line).map_err(|error| source.unreadable(&error))?;
    if !strip_bom(&line).trim_ascii_start().starts_with(b"{") {
        return Ok(None);
    }
    let of_line = serde_json::from_slice::<Map<String, Value>>(strip_bom(&line));
    let has_more =
        |start: Box<dyn BufRead>| start.bytes().any(|byte| byte.is_ok_and(|byte| !byte.is_ascii_whitespace()));
    Ok(match of_line {
        Ok(object) => Table::of(object).map(|table| table.shape).filter(|_| !has_more(start)),
        // One that is too large to be read as a whole, or is cut off, is read line by line.
        Err(_) => read(source).ok().flatten().map(|table| table.shape),
    })
}

/// Its columns.
pub(super) fn columns(source: &Source) -> Result<Vec<String>, LogError> {
    Ok(read(source)?.map(|table| table.columns).unwrap_or_default())
}

/// Hands every row to `sink`; rows count from 1.
pub(super) fn rows(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    let Some(Table { columns, rows, .. }) = read(source)? else { return Ok(()) };
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
    let object = || serde_json::from_slice(strip_bom(&bytes)).ok();
    Ok(object().and_then(Table::of).or_else(|| object().and_then(Table::of_row)))
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
            () if is_by_key(&object) => Some(Self::by_key(&object)),
            () if object.values().all(is_list_of_rows) => None,
            () if object.values().all(Value::is_array) => Self::lists(object),
            () if object.values().all(Value::is_object) => Self::labelled(object),
            () => None,
        }
    }

    /// `{"participant": "P1", "moves": [...]}` over the whole file.
    fn of_row(object: Map<String, Value>) -> Option<Self> {
        let (columns, cells): (Vec<String>, Vec<Value>) = object.into_iter().unzip();
        (!columns.is_empty()).then_some(Self { shape: Shape::Row, columns, rows: vec![cells] })
    }

    /// `{"P1": [{...}, {...}], "P2": [{...}]}`: the keys become a column, or several where lists lie deeper.
    fn by_key(object: &Map<String, Value>) -> Self {
        let mut lists = Vec::new();
        for_each_list(object, &mut Vec::new(), &mut |keys, rows| {
            lists.extend(rows.iter().map(|row| (keys.to_vec(), row.clone())));
        });
        let depth = lists.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
        let (keys, rows): (Vec<_>, Vec<_>) = lists.into_iter().unzip();
        let mut table =
            Self::of_objects(rows).unwrap_or(Self { shape: Shape::ByKey, columns: Vec::new(), rows: Vec::new() });
        table.shape = Shape::ByKey;
        let name = |number: usize| if depth == 1 { "key".to_owned() } else { format!("key_{}", number + 1) };
        for number in (0..depth).rev() {
            let mut name = name(number);
            while table.columns.contains(&name) {
                name.insert_str(0, "outer_");
            }
            table.columns.insert(0, name);
            let key = |keys: &Vec<String>| keys.get(number).cloned().map_or(Value::Null, Value::String);
            table.rows.iter_mut().zip(&keys).for_each(|(row, keys)| row.insert(0, key(keys)));
        }
        table
    }

    /// `{"columns": [...], "index": [...], "data": [[...], ...]}`
    fn split(mut object: Map<String, Value>) -> Option<Self> {
        let mut list =
            |key: &str| object.remove(key).map(|list| if let Value::Array(list) = list { list } else { vec![] });
        let columns: Vec<String> = list("columns")?.into_iter().map(as_text).collect::<Option<_>>()?;
        let rows: Vec<Vec<Value>> =
            list("data")?.into_iter().map(|row| row.as_array().cloned()).collect::<Option<_>>()?;
        rows.iter().all(|row| row.len() == columns.len()).then_some(Self { shape: Shape::Columns, columns, rows })
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
        Some(Self { shape: Shape::Columns, columns: lists.into_iter().map(|(name, _)| name).collect(), rows })
    }

    /// `{"participant": {"0": "P1", ...}, ...}`, or the same by rows: the labels of rows are numbers.
    fn labelled(object: Map<String, Value>) -> Option<Self> {
        let first: Vec<String> = object.values().next()?.as_object()?.keys().cloned().collect();
        if object.keys().all(|key| is_number(key)) && !first.iter().all(|key| is_number(key)) {
            return Self::of_objects(object.into_iter().map(|(_, row)| row).collect());
        }
        let is_same = |value: &Value| value.as_object().is_some_and(|object| object.keys().eq(&first));
        if !first.iter().all(|key| is_number(key)) || !object.values().all(is_same) {
            return None;
        }
        let columns: Vec<String> = object.keys().cloned().collect();
        let cell = |column: &Value, label: &String| column.get(label).cloned().unwrap_or_default();
        let row = |label: &String| object.values().map(|column| cell(column, label)).collect();
        Some(Self { shape: Shape::Columns, columns, rows: first.iter().map(row).collect() })
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
        Some(Self { shape: Shape::Columns, columns, rows })
    }
}

fn is_number(key: &str) -> bool {
    key.parse::<u64>().is_ok()
}

fn is_list_of_rows(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.iter().all(Value::is_object))
}

/// The most keys under which a row may lie.
const MOST_KEYS: usize = 4;

/// `true` if an object holds lists of rows under its keys: at least two, all as deep, and whose rows have much the
/// same keys. Under one key, or with other keys, they are lists of one row: its moves beside its clicks, for instance.
fn is_by_key(object: &Map<String, Value>) -> bool {
    let mut lists = Vec::new();
    if !for_each_list(object, &mut Vec::new(), &mut |keys, rows| lists.push((keys.len(), rows))) || lists.len() < 2 {
        return false;
    }
    let of_lists: Vec<BTreeSet<String>> =
        lists.iter().map(|(_, rows)| keys_of(rows)).filter(|keys| !keys.is_empty()).collect();
    let Some(first) = of_lists.first() else { return false };
    let is_like = |keys: &BTreeSet<String>| 2 * keys.intersection(first).count() >= keys.union(first).count();
    lists.iter().all(|(depth, _)| *depth == lists[0].0) && of_lists.iter().all(is_like)
}

fn keys_of(rows: &[Value]) -> BTreeSet<String> {
    rows.iter().filter_map(Value::as_object).flat_map(Map::keys).cloned().collect()
}

/// Hands each list to `visit` with the keys that it lies under; whether there is nothing but lists of objects.
fn for_each_list<'v>(
    object: &'v Map<String, Value>,
    keys: &mut Vec<String>,
    visit: &mut impl FnMut(&[String], &'v [Value]),
) -> bool {
    let mut is_all = !object.is_empty() && keys.len() < MOST_KEYS;
    for (key, value) in object {
        keys.push(key.clone());
        is_all &= match value {
            Value::Array(rows) if is_list_of_rows(value) => {
                visit(keys, rows);
                true
            }
            Value::Object(inner) if is_all => for_each_list(inner, keys, visit),
            _ => false,
        };
        keys.pop();
    }
    is_all
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
    fn lists_of_rows_have_their_keys_with_them() {
        let by_key = |text: &str| shown(text).unwrap();
        let people = r#"{"P1": [{"a": 1}, {"a": 2, "b": 3}], "P2": [{"a": 4, "b": null}], "P3": []}"#;
        assert_eq!(by_key(people), r#"key,a,b [["P1",1,null],["P1",2,3],["P2",4,null]]"#);
        let parts = r#"{"P1": {"one": [{"key_1": 1}], "two": []}, "P2": {"one": [{"key_1": 2}]}}"#;
        assert_eq!(by_key(parts), r#"outer_key_1,key_2,key_1 [["P1","one",1],["P2","one",2]]"#);
    }

    #[test]
    fn a_row_is_no_table() {
        for text in [
            r#"{"p": "a", "moves": [1, 2]}"#,
            r#"{"moves": [1, 2]}"#,
            r#"{"moves": [1, 2], "times": [1]}"#,
            r#"{"start": {"a": 1}, "goal": {"b": 1}}"#,
            r#"{"moves": [{"a": 1}]}"#,
            r#"{"moves": [{"a": 1, "t": 1}], "clicks": [{"x": 1, "y": 2, "t": 1}]}"#,
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
