//! A cell with several elements: one row for each of them.

use serde_json::{Map, Value};

use super::super::LogError;
use super::super::json::as_text;
use super::super::raw::Flaw;
use super::super::transform;
use super::{Asked, ColumnSet, Row, Stage};

pub(super) struct Split {
    column: usize,
    name: String,
    by: Option<String>,
    number: Option<usize>,
    /// Columns that the rows had before; keys of elements do not take their names.
    before: Vec<String>,
}

/// The columns of one element, with their values.
type Element = Vec<(String, Option<String>)>;

impl Split {
    pub(super) fn new(split: &transform::Split, columns: &mut ColumnSet, asked: &Asked<'_>) -> Result<Self, LogError> {
        if split.by.as_ref().is_some_and(String::is_empty) {
            return Err(asked.wrong("`by` is empty; name what stands between the elements, or leave it out for JSON"));
        }
        let column = asked.column(&split.column, columns)?;
        let before = columns.there().map(|(_, name)| name.to_owned()).filter(|name| *name != split.column).collect();
        if split.by.is_none() {
            // It comes back if an element is a value of its own.
            columns.remove(column);
        }
        let number = split.number.as_ref().map(|name| columns.add(name));
        Ok(Self { column, name: split.column.clone(), by: split.by.clone(), number, before })
    }

    /// The elements of a cell, each as columns with their values.
    fn elements(&self, cell: &str) -> Result<Vec<Element>, String> {
        let of_cell = |value: Option<String>| vec![(self.name.clone(), value)];
        if let Some(by) = &self.by {
            return Ok(cell.split(by.as_str()).map(|part| of_cell(Some(part.trim().to_owned()))).collect());
        }
        let value: Value = serde_json::from_str(cell).map_err(|error| format!("the cell is no JSON: {error}"))?;
        match value {
            Value::Array(elements) => Ok(elements.into_iter().map(|element| self.element(element)).collect()),
            Value::Object(object) if !object.is_empty() && object.values().all(Value::is_array) => {
                self.side_by_side(object)
            }
            other => Ok(vec![self.element(other)]),
        }
    }

    fn element(&self, element: Value) -> Element {
        match element {
            Value::Object(object) => {
                object.into_iter().map(|(key, value)| (self.column_of(key), as_text(value))).collect()
            }
            Value::Array(values) => values
                .into_iter()
                .enumerate()
                .map(|(place, value)| (format!("{}_{}", self.name, place + 1), as_text(value)))
                .collect(),
            value => vec![(self.name.clone(), as_text(value))],
        }
    }

    /// An object of arrays: the n-th values of all are one element.
    fn side_by_side(&self, object: Map<String, Value>) -> Result<Vec<Element>, String> {
        let mut elements: Vec<Element> = Vec::new();
        let mut first: Option<(String, usize)> = None;
        for (key, values) in object {
            let Value::Array(values) = values else { continue };
            let (first_key, n) = first.get_or_insert_with(|| (key.clone(), values.len()));
            if values.len() != *n {
                return Err(format!("the arrays have different lengths: {first_key:?} {n}, {key:?} {}", values.len()));
            }
            elements.resize(*n, Vec::new());
            for (element, value) in elements.iter_mut().zip(values) {
                element.push((self.column_of(key.clone()), as_text(value)));
            }
        }
        Ok(elements)
    }

    fn column_of(&self, key: String) -> String {
        if self.before.contains(&key) { format!("{}_{key}", self.name) } else { key }
    }
}

impl Stage for Split {
    fn take(&mut self, mut row: Row, columns: &mut ColumnSet, made: &mut Vec<Row>) {
        let Some(cell) = row.take(self.column) else { return };
        let elements = match self.elements(&cell) {
            Ok(elements) => elements,
            Err(rule) => {
                let fix = "restore the cell, or leave the row out with a step { where = \"…\" }";
                return made.push(row.reject(Flaw::new("bad-nested", &self.name, &cell, rule, fix)));
            }
        };
        for (number, element) in elements.into_iter().enumerate() {
            let mut row = row.clone();
            for (name, value) in element {
                row.set(columns.add(&name), value);
            }
            if let Some(column) = self.number {
                row.set(column, Some(number.to_string()));
            }
            made.push(row);
        }
    }

    fn finds_columns(&self) -> bool {
        self.by.is_none()
    }
}
