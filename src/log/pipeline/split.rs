//! A cell with several elements: one row for each of them.

use serde_json::{Map, Value};

use super::super::LogError;
use super::super::json::as_text;
use super::super::raw::Flaw;
use super::super::transform;
use super::{Asked, ColumnSet, Row, Stage};

pub(super) struct Split {
    /// Numbers and names of the columns that are taken apart, side by side.
    cells: Vec<(usize, String)>,
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
        let names = std::iter::once(&split.column).chain(&split.with);
        let cells =
            names.map(|name| Ok((asked.column(name, columns)?, name.clone()))).collect::<Result<Vec<_>, _>>()?;
        let is_kept = |name: &str| !cells.iter().any(|(_, known)| known == name);
        let before = columns.there().map(|(_, name)| name.to_owned()).filter(|name| is_kept(name)).collect();
        if split.by.is_none() {
            // They come back if an element is a value of its own.
            cells.iter().for_each(|(column, _)| columns.remove(*column));
        }
        let number = split.number.as_ref().map(|name| columns.add(name));
        Ok(Self { cells, by: split.by.clone(), number, before })
    }

    /// The elements of a cell, each as columns with their values.
    fn elements(&self, name: &str, cell: &str) -> Result<Vec<Element>, String> {
        let of_cell = |value: Option<String>| vec![(name.to_owned(), value)];
        if let Some(by) = &self.by {
            return Ok(cell.split(by.as_str()).map(|part| of_cell(Some(part.trim().to_owned()))).collect());
        }
        match nested(cell).map_err(|error| format!("the cell is no JSON: {error}"))? {
            Value::Array(elements) => Ok(elements.into_iter().map(|element| self.element(name, element)).collect()),
            Value::Object(object) if !object.is_empty() && object.values().all(Value::is_array) => {
                self.side_by_side(name, object)
            }
            other => Ok(vec![self.element(name, other)]),
        }
    }

    fn element(&self, name: &str, element: Value) -> Element {
        match element {
            Value::Object(object) => {
                object.into_iter().map(|(key, value)| (self.column_of(name, key), as_text(value))).collect()
            }
            Value::Array(values) => values
                .into_iter()
                .enumerate()
                .map(|(place, value)| (format!("{name}_{}", place + 1), as_text(value)))
                .collect(),
            value => vec![(name.to_owned(), as_text(value))],
        }
    }

    /// An object of arrays: the n-th values of all are one element.
    fn side_by_side(&self, name: &str, object: Map<String, Value>) -> Result<Vec<Element>, String> {
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
                element.push((self.column_of(name, key.clone()), as_text(value)));
            }
        }
        Ok(elements)
    }

    fn column_of(&self, name: &str, key: String) -> String {
        if self.before.contains(&key) { format!("{name}_{key}") } else { key }
    }

    /// The elements of all cells of a row: the n-th of each together.
    fn of_row(&self, cells: &[(String, String)]) -> Result<Vec<Element>, (String, String, String)> {
        let mut joined: Vec<Element> = Vec::new();
        for (number, (name, cell)) in cells.iter().enumerate() {
            let fault = |rule: String| (name.clone(), cell.clone(), rule);
            let elements = self.elements(name, cell).map_err(fault)?;
            if number > 0 && elements.len() != joined.len() {
                let rule = format!("it has {} elements, and {:?} has {}", elements.len(), cells[0].0, joined.len());
                return Err(fault(rule));
            }
            joined.resize(elements.len(), Element::new());
            joined.iter_mut().zip(elements).for_each(|(all, element)| all.extend(element));
        }
        Ok(joined)
    }
}

/// A cell with a structure: JSON, or what Python prints for lists and dictionaries, with texts in single quotes.
pub(in crate::log) fn nested(cell: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(cell).or_else(|error| serde_json::from_str(&from_python(cell)).map_err(|_| error))
}

fn from_python(cell: &str) -> String {
    let mut text = String::new();
    let mut word = String::new();
    let mut quote = None;
    let mut letters = cell.chars();
    while let Some(letter) = letters.next() {
        if quote.is_none() && letter.is_ascii_alphabetic() {
            word.push(letter);
            continue;
        }
        text.push_str(match std::mem::take(&mut word).as_str() {
            "None" => "null",
            "True" => "true",
            "False" => "false",
            other => other,
        });
        match (quote, letter) {
            (Some(_), '\\') => match letters.next() {
                // JSON knows no \'.
                Some('\'') => text.push('\''),
                next => text.extend([Some('\\'), next].into_iter().flatten()),
            },
            (Some(open), _) if letter == open => {
                quote = None;
                text.push('"');
            }
            (Some(_), '"') => text.push_str("\\\""),
            (None, '\'' | '"') => {
                quote = Some(letter);
                text.push('"');
            }
            _ => text.push(letter),
        }
    }
    text
}

impl Stage for Split {
    fn take(&mut self, mut row: Row, columns: &mut ColumnSet, made: &mut Vec<Row>) {
        let take = |(column, name): &'_ (usize, String)| (name.clone(), row.take(*column));
        let cells: Vec<(String, Option<String>)> = self.cells.iter().map(take).collect();
        if cells[0].1.is_none() {
            return;
        }
        let present = |(name, cell): &(String, Option<String>)| Some((name.clone(), cell.clone()?));
        let cells: Vec<(String, String)> = cells.iter().filter_map(present).collect();
        let elements = match self.of_row(&cells) {
            Ok(elements) => elements,
            Err((name, cell, rule)) => {
                let fix = "restore the cell, or leave the row out with a step { where = \"…\" }";
                return made.push(row.reject(Flaw::new("bad-nested", &name, &cell, rule, fix)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_python_are_read() {
        let of = |cell: &str| nested(cell).map(|value| value.to_string()).unwrap_or_default();
        assert_eq!(of("['E-1', 'C-1', None, True]"), r#"["E-1","C-1",null,true]"#);
        assert_eq!(of(r#"["it's", 'say "None"', 'it\'s', 1e-3]"#), r#"["it's","say \"None\"","it's",0.001]"#);
        assert_eq!(of("{'t': [1, 2]}"), r#"{"t":[1,2]}"#);
        assert!(nested("['E-1'").is_err());
    }
}
