//! Positions that are written as lists of JSON.

use crate::game::tower::pegs_in_order;
use crate::level::json::{Kind, Value, looks_like_json, values};

/// A value of JSON as text: the rows of a list with `/` between them, their cells with blanks; a list of numbers
/// alone is one row. The keys of an object are the pegs that its lists are on. Absent where lists nest deeper, or
/// keys are no pegs.
pub(crate) fn rows(value: &Value) -> Option<String> {
    if let Some(scalar) = value.scalar() {
        return Some(scalar);
    }
    let parts: Vec<&Value> = match &value.kind {
        Kind::Object(entries) => {
            let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
            pegs_in_order(&keys)?.into_iter().map(|at| &entries[at].value).collect()
        }
        _ => value.items().unwrap_or_default().iter().collect(),
    };
    let between = if parts.iter().all(|part: &&Value| matches!(part.kind, Kind::Number(_))) { " " } else { "/" };
    let cells = |part: &Value| match part.items() {
        Some(cells) => {
            let cells: Vec<String> = cells.iter().map(Value::scalar).collect::<Option<_>>()?;
            Some(if cells.is_empty() { "-".to_owned() } else { cells.join(" ") })
        }
        None => part.scalar(),
    };
    Some(parts.into_iter().map(cells).collect::<Option<Vec<_>>>()?.join(between))
}

/// `true` if a text is JSON with a list of several things in a list.
pub(crate) fn has_lists(text: &str) -> bool {
    fn holds(value: &Value) -> bool {
        let items = value.items().unwrap_or_default();
        let inside = value.entries().unwrap_or_default().iter().any(|entry| holds(&entry.value));
        inside || items.iter().any(|item| holds(item) || item.items().is_some_and(|inner| inner.len() > 1))
    }
    looks_like_json(text) && values(text).is_ok_and(|read| read.iter().any(holds))
}

/// A position that is written as a list in JSON, as text; absent where it is none.
pub(crate) fn rows_of_list(text: &str) -> Option<String> {
    if !looks_like_json(text) {
        return None;
    }
    match values(text).ok()?.as_slice() {
        [list] => rows(list).filter(|_| list.scalar().is_none()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_rows() {
        let rows = |text: &str| rows_of_list(text);
        assert_eq!(rows("[[3, 2, 1], [], []]").as_deref(), Some("3 2 1/-/-"));
        assert_eq!(rows(r#"["GR", "B", ""]"#).as_deref(), Some("GR/B/"));
        for keys in
            [["A", "B", "C"], ["1", "2", "3"], ["0", "1", "2"], ["left", "middle", "right"], ["peg1", "Peg 2", "peg_3"]]
        {
            let [one, two, three] = keys;
            let text = format!(r#"{{"{three}": ["B"], "{one}": ["G", "R"], "{two}": []}}"#);
            assert_eq!(rows(&text).as_deref(), Some("G R/-/B"), "{text}");
        }
        assert_eq!(rows(r#"{"1": [3], "2": [2], "4": [1]}"#), None);
        assert_eq!(rows(r#"{"moves": 3, "time": 5}"#), None);
        assert_eq!(rows("[3, 2, 1]").as_deref(), Some("3 2 1"));
        assert_eq!(rows("[[[1]]]"), None);
        assert_eq!(rows("321/-/-"), None);
        assert_eq!(rows("[1, 2"), None);
    }
}
