//! Named entries of the tables that scripts return for pictures.

use std::collections::BTreeMap;

use plymap_lua::{Key, Value};

/// The longest side of a drawing, in cells.
pub(super) const MAX_SIDE: usize = 255;

/// The named entries of a table, all of them known.
pub(super) struct Entries<'a> {
    entries: &'a BTreeMap<Key, Value>,
    pub what: &'a str,
}

impl<'a> Entries<'a> {
    pub fn of(entries: &'a BTreeMap<Key, Value>, what: &'a str, known: &[&str]) -> Result<Self, String> {
        let unknown = entries.keys().find(|key| !matches!(key, Key::Name(name) if known.contains(&name.as_str())));
        match unknown {
            None => Ok(Self { entries, what }),
            Some(key) => {
                let key = match key {
                    Key::Index(index) => index.to_string(),
                    Key::Name(name) => name.clone(),
                };
                Err(format!("{what} has an entry `{key}`; its entries are {}", known.join(", ")))
            }
        }
    }

    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.entries.get(&Key::Name(name.to_owned()))
    }

    pub fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(other) => Err(format!("`{name}` of {} is {other}, and has to be text", self.what)),
        }
    }

    pub fn number(&self, name: &str, default: Option<f64>) -> Result<f64, String> {
        match (self.get(name), default) {
            (Some(Value::Integer(number)), _) => Ok(*number as f64),
            (Some(Value::Number(number)), _) => Ok(*number),
            (None, Some(default)) => Ok(default),
            (None, None) => Err(format!("{} has no `{name}`", self.what)),
            (Some(other), _) => Err(format!("`{name}` of {} is {other}, and has to be a number", self.what)),
        }
    }

    /// Row and column from 0, rows and columns with their default.
    pub fn rectangle(&self, default: Option<f64>) -> Result<[f64; 4], String> {
        let (row, column) = (self.number("row", None)? - 1.0, self.number("column", None)? - 1.0);
        Ok([row, column, self.number("rows", default)?, self.number("columns", default)?])
    }

    pub fn side(&self, name: &str) -> Result<f64, String> {
        let side = self.number(name, None)?;
        let is_side = (1.0..=MAX_SIDE as f64).contains(&side);
        if is_side { Ok(side) } else { Err(format!("`{name}` of {} is {side}; it is from 1 to {MAX_SIDE}", self.what)) }
    }
}
