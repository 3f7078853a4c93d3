//! Texts with names in braces, such as `{participant}-{session}.csv`, and names that differ in numbers alone.

use super::error::LogError;
use std::collections::BTreeMap;
use std::path::Path;

/// A name with 0 in place of each number.
pub fn without_numbers(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter.is_ascii_digit() {
            true if text.ends_with('0') => {}
            true => text.push('0'),
            false => text.push(letter),
        }
    }
    text
}

/// A part of such a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    Name(String),
}

impl Part {
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Text(_) => None,
        }
    }
}

/// Takes a text apart.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts: Vec<Part> = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, behind) = rest.split_at(open);
        let close = behind.find('}').ok_or_else(|| format!("a brace in {text:?} is not closed"))?;
        let name = &behind[1..close];
        let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if !is_name {
            return Err(format!("{{{name}}} in {text:?} is no name; names have letters, digits and _"));
        }
        if parts.iter().any(|part| part.name() == Some(name)) {
            return Err(format!("{text:?} names {{{name}}} twice"));
        }
        if !before.is_empty() {
            parts.push(Part::Text(before.to_owned()));
        }
        parts.push(Part::Name(name.to_owned()));
        rest = &behind[close + 1..];
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.to_owned()));
    }
    Ok(parts)
}

/// A pattern of the end of paths, whose parts are columns.
#[derive(Debug)]
pub(super) struct PathPattern {
    text: String,
    parts: Vec<Part>,
    expression: regex::Regex,
}

impl PathPattern {
    pub(super) fn new(pattern: &str) -> Result<Self, LogError> {
        let wrong = |reason| LogError::BadStep { step: "path".to_owned(), reason };
        let parts = parts(pattern).map_err(wrong)?;
        let mut text = "(?:^|/)".to_owned();
        for part in &parts {
            match part {
                Part::Text(plain) => text.push_str(&regex::escape(plain)),
                Part::Name(name) => text.push_str(&format!("(?P<{name}>[^/]+?)")),
            }
        }
        text.push('$');
        let expression = regex::Regex::new(&text).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { text: pattern.to_owned(), parts, expression })
    }

    /// The columns that the path of a file tells; none of those whose names begin with `_`.
    pub(super) fn columns_of(&self, path: &Path) -> Result<Vec<(String, String)>, LogError> {
        let shown = path.display().to_string().replace('\\', "/");
        let captures = self
            .expression
            .captures(&shown)
            .ok_or_else(|| LogError::PathMismatch { path: path.to_owned(), pattern: self.text.clone() })?;
        let named = |name: &str| captures.name(name).map(|captures| (name.to_owned(), captures.as_str().to_owned()));
        Ok(self.parts.iter().filter_map(Part::name).filter(|name| !name.starts_with('_')).filter_map(named).collect())
    }
}

/// The `key-value` parts of a name, as in `sub-01_ses-2_task-rush_beh`.
pub(super) fn entities(name: &str) -> Vec<(String, String)> {
    name.split('_').filter_map(key_value).collect()
}

fn key_value(part: &str) -> Option<(String, String)> {
    part.split_once('-').map(|(key, value)| (key.to_owned(), value.to_owned()))
}

/// The columns that the `key-value` parts of a file's name tell, by the key of each; what is not told is missing.
pub(super) fn columns_of_entities(keys: &BTreeMap<String, String>, path: &Path) -> Vec<(String, Option<String>)> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let pairs = entities(stem);
    let mut columns: Vec<(String, Option<String>)> = Vec::new();
    for (key, column) in keys {
        let value = pairs.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
        match columns.iter_mut().find(|(known, _)| known == column) {
            Some((_, known)) => *known = known.take().or(value),
            None => columns.push((column.clone(), value)),
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_columns() {
        let columns_of = |pattern: &str, path: &str| {
            let columns = PathPattern::new(pattern).and_then(|pattern| pattern.columns_of(Path::new(path)));
            columns.map_err(|error| error.to_string())
        };
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(columns_of("{participant}.json", "raw/A-1.json"), Ok(vec![pair("participant", "A-1")]));
        assert_eq!(
            columns_of("{condition}/{participant}-{session}.csv", "raw/slow/A-1-2.csv"),
            Ok(vec![pair("condition", "slow"), pair("participant", "A"), pair("session", "1-2")])
        );
        assert_eq!(
            columns_of("sub-{participant}_{_task}_beh.tsv", "sub-07/sub-07_rush_beh.tsv"),
            Ok(vec![pair("participant", "07")])
        );
        let keys = [("sub", "participant"), ("subject", "participant"), ("ses", "session"), ("task", "task")]
            .map(|(key, column)| (key.to_owned(), column.to_owned()))
            .into();
        let columns = columns_of_entities(&keys, Path::new("sub-07/sub-07_task-rush_beh.tsv.gz"));
        let some = |text: &str| Some(text.to_owned());
        let expected = [("session", None), ("participant", some("07")), ("task", some("rush"))];
        assert_eq!(columns, expected.map(|(column, value)| (column.to_owned(), value)));
        assert!(columns_of("{participant}.json", "raw/A-1.csv").unwrap_err().contains("does not end as the pattern"));
        assert!(columns_of("{participant", "raw/A-1.csv").unwrap_err().contains("is not closed"));
        assert!(columns_of("{a}{a}", "raw/A-1.csv").unwrap_err().contains("twice"));
    }
}
