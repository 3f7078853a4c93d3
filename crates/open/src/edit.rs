//! Edits of study.toml that leave all else in it as it is, comments too.

use serde::Deserialize;
use serde_json::Value as Json;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};

use crate::notes::{certainty, changed, is_of_other, is_of_reading, with_head};

mod ends;

use ends::keeping_ends;

/// Change of one entry.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// Keys that lead to the entry, from its section on; a number is the place in a list, `+` its end.
    pub path: Vec<String>,
    /// New value; null takes the entry out.
    pub value: Json,
}

/// Entries that every proposal finds anew.
const PROPOSED: [&str; 4] = ["study.name", "levels.game", "levels.files", "log.files"];

/// Returns the entries that somebody chose, such as `columns.rt`, and lists of tables; a text that cannot be read is one.
pub fn chosen(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    match text.parse::<DocumentMut>() {
        Ok(document) => collect_chosen(document.as_table(), "", &mut found),
        Err(_) => found.push("study.toml".to_owned()),
    }
    found
}

fn collect_chosen(table: &Table, above: &str, found: &mut Vec<String>) {
    for (name, item) in table {
        let path = format!("{above}{name}");
        match item {
            Item::Table(inner) => collect_chosen(inner, &format!("{path}."), found),
            Item::ArrayOfTables(tables) => found.push(format!("{path} ({})", tables.len())),
            item => {
                let prefix = table.key(name).and_then(|key| key.leaf_decor().prefix()?.as_str()).unwrap_or_default();
                // Steps of a log have theirs within.
                let comments = format!("{prefix}\n{item}");
                let is_proposed =
                    PROPOSED.contains(&path.as_str()) || comments.lines().any(|line| certainty(line).is_some());
                found.extend((!is_proposed).then_some(path));
            }
        }
    }
}

/// Returns a text of TOML with these edits, and without the comments of a proposal that hold no longer.
///
/// # Errors
///
/// Why an edit cannot be made, in words.
pub fn edited(text: &str, edits: &[Edit]) -> Result<String, String> {
    // First, while each comment stands above its entry.
    let of_reading = edits.iter().filter(|edit| is_of_reading(&edit.path));
    let text = of_reading.clone().fold(text.to_owned(), |text, edit| changed(&text, &edit.path));
    let text = keeping_ends(&text, |text| {
        let mut document: DocumentMut =
            text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
        for edit in edits {
            let (last, sections) = edit.path.split_last().ok_or("an edit names no entry")?;
            change(document.as_item_mut(), sections, last, &edit.value)
                .map_err(|why| format!("{}: {why}", edit.path.join(".")))?;
        }
        Ok(document.to_string())
    })?;
    Ok(if of_reading.count() > 0 { with_head(&text) } else { text })
}

fn change(item: &mut Item, sections: &[String], last: &str, value: &Json) -> Result<(), String> {
    let Some((section, rest)) = sections.split_first() else { return set(item, last, value) };
    let inner = match item {
        Item::ArrayOfTables(tables) => {
            let place = section.parse::<usize>().map_err(|_| format!("{section:?} is no place in a list"))?;
            let table = tables.get_mut(place).ok_or_else(|| format!("there is no number {place}"))?;
            return match rest.split_first() {
                None => set_in_table(table, last, value),
                Some((section, rest)) => match entry(table, section, rest, last, value) {
                    Some(inner) => change(inner, rest, last, value),
                    None => Ok(()),
                },
            };
        }
        Item::Table(table) => entry(table, section, rest, last, value),
        Item::Value(Value::InlineTable(_)) => return Err("it is written in one line: edit the text".to_owned()),
        _ => return Err(format!("{section:?} is no section")),
    };
    inner.map_or(Ok(()), |inner| change(inner, rest, last, value))
}

/// Returns the entry of a table, which becomes a section, or a list of them, where there is none; none where there is
/// nothing to take out of it.
fn entry<'a>(table: &'a mut Table, key: &str, rest: &[String], last: &str, value: &Json) -> Option<&'a mut Item> {
    if value.is_null() {
        return table.get_mut(key);
    }
    let is_list = rest.first().map_or(last, String::as_str) == "+";
    Some(table.entry(key).or_insert_with(|| match is_list {
        true if value.is_string() => Item::Value(Array::new().into()),
        true => Item::ArrayOfTables(ArrayOfTables::new()),
        false => Item::Table(Table::new()),
    }))
}

fn set(item: &mut Item, last: &str, value: &Json) -> Result<(), String> {
    match item {
        Item::Table(table) => set_in_table(table, last, value),
        Item::ArrayOfTables(tables) if last == "+" => {
            let Json::Object(entries) = value else { return Err("an entry of a list has to be a table".to_owned()) };
            let mut table = Table::new();
            for (key, value) in entries {
                set_in_table(&mut table, key, value)?;
            }
            tables.push(table);
            Ok(())
        }
        Item::ArrayOfTables(tables) if value.is_null() => {
            let place = last.parse::<usize>().ok().filter(|place| *place < tables.len());
            tables.remove(place.ok_or_else(|| format!("there is no number {last:?}"))?);
            Ok(())
        }
        Item::Value(Value::Array(values)) if last == "+" => {
            values.push(toml_value(value)?);
            Ok(())
        }
        Item::Value(Value::Array(values)) if value.is_null() => {
            let place = last.parse::<usize>().ok().filter(|place| *place < values.len());
            values.remove(place.ok_or_else(|| format!("there is no number {last:?}"))?);
            Ok(())
        }
        _ => Err("it is no section".to_owned()),
    }
}

fn set_in_table(table: &mut Table, key: &str, value: &Json) -> Result<(), String> {
    if value.is_null() {
        remove(table, key);
        return Ok(());
    }
    let value = toml_value(value)?;
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        _ => {
            table.insert(key, Item::Value(value));
        }
    }
    Ok(())
}

/// Takes an entry out of a table; comments of a proposal above it that are about others go to the entry behind it.
fn remove(table: &mut Table, key: &str) {
    let comments = |table: &Table, key: &str| {
        let prefix = table.key(key).and_then(|key| key.leaf_decor().prefix()?.as_str());
        prefix.unwrap_or_default().to_owned()
    };
    let above = comments(table, key);
    let others: String = above.split_inclusive('\n').filter(|line| is_of_other(line)).collect();
    let next = table.iter().map(|(key, _)| key.to_owned()).skip_while(|other| other != key).nth(1);
    table.remove(key);
    if let Some(next) = next.filter(|_| !others.is_empty()) {
        let comments = others + &comments(table, &next);
        if let Some(mut next) = table.key_mut(&next) {
            next.leaf_decor_mut().set_prefix(comments);
        }
    }
}

fn toml_value(json: &Json) -> Result<Value, String> {
    Ok(match json {
        Json::Null => return Err("a list cannot hold nothing".to_owned()),
        Json::Bool(value) => (*value).into(),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(real)) => real.into(),
            (None, None) => return Err(format!("{number} is no number of TOML")),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(values) => {
            let mut array = Array::new();
            for value in values {
                array.push(toml_value(value)?);
            }
            array.into()
        }
        Json::Object(entries) => {
            let mut table = InlineTable::new();
            for (key, value) in entries.iter().filter(|(_, value)| !value.is_null()) {
                table.insert(key, toml_value(value)?);
            }
            table.into()
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const STUDY: &str = "# A study.\n[study]\nname = \"a\"\n\n[columns]\n# sure: it is called so\nparticipant = \"subject\"\n\
                         # QUESTION: which of both?\n# by hand\nrt = { column = \"t\", unit = \"ms\" } # checked\n";

    fn edit(path: &[&str], value: Json) -> Edit {
        Edit { path: path.iter().map(|&key| key.to_owned()).collect(), value }
    }

    #[test]
    fn an_entry_is_changed_and_all_else_stays() {
        let text = edited(STUDY, &[edit(&["columns", "rt"], json!({ "column": "rt", "unit": "s" }))]).unwrap();
        let expected = STUDY
            .replace("{ column = \"t\", unit = \"ms\" }", "{ column = \"rt\", unit = \"s\" }")
            .replace("# QUESTION: which of both?\n", "");
        assert_eq!(text, expected);
        let text = edited(STUDY, &[edit(&["columns", "participant"], Json::Null)]).unwrap();
        assert!(!text.contains("subject") && text.contains("rt ="), "{text}");
    }

    #[test]
    fn entries_that_somebody_chose_are_told_from_those_of_a_proposal() {
        assert_eq!(chosen(STUDY), [""; 0]);
        let exclude = json!({ "trials": "n_moves < 2", "reason": "too short" });
        let edits = [
            edit(&["columns", "rt"], json!("rt")),
            edit(&["log", "events", "x"], json!("ignore")),
            edit(&["exclude", "+"], exclude),
        ];
        assert_eq!(chosen(&edited(STUDY, &edits).unwrap()), ["columns.rt", "log.events.x", "exclude (1)"]);
        assert_eq!(chosen("[a"), ["study.toml"]);
    }

    #[test]
    fn comments_at_the_end_of_a_section_stay_there() {
        let tidy = "[log]\nfiles = [\"a.csv\"]\n# time_zone: likely: none\n\n# What columns mean.\n[columns]\n# rt: sure: by \
                    name\n# by hand\n";
        let exclude = json!({ "trials": "n_moves < 2", "reason": "too short" });
        let added = edited(tidy, &[edit(&["exclude", "+"], exclude)]).unwrap();
        let said = "\n[[exclude]]\ntrials = \"n_moves < 2\"\nreason = \"too short\"\n";
        assert_eq!(added, format!("{tidy}{said}"));
        // What somebody wrote above an exclusion goes with it.
        let (tidy, added) = (tidy.replace("# by hand\n", ""), added.replace("# by hand\n", ""));
        assert_eq!(edited(&added, &[edit(&["exclude", "0"], Json::Null)]).unwrap(), tidy);
        let event = edited(&tidy, &[edit(&["log", "events", "x"], json!("ignore"))]).unwrap();
        let of_log =
            "\"a.csv\"]\n# time_zone: likely: none\n\n[log.events]\nx = \"ignore\"\n\n# What columns mean.\n[columns]";
        assert!(event.contains(of_log), "{event}");
        let of_rt = edited(&format!("{tidy}# by hand\n"), &[edit(&["columns", "rt"], json!("t"))]).unwrap();
        assert!(of_rt.ends_with("[columns]\nrt = \"t\"\n# by hand\n"), "{of_rt}");
        let last = edited(&format!("{added}# the end\n"), &[edit(&["exclude", "0"], Json::Null)]).unwrap();
        assert_eq!(last, format!("{tidy}# the end\n"));
    }

    #[test]
    fn a_value_is_added_to_a_list() {
        let text = "[log]\nfiles = [\"a.csv\"]\n";
        let added = edited(text, &[edit(&["log", "files", "+"], json!("b.csv"))]).unwrap();
        assert_eq!(added, "[log]\nfiles = [\"a.csv\", \"b.csv\"]\n");
        let made = edited("[levels]\n", &[edit(&["log", "files", "+"], json!("b.csv"))]).unwrap();
        assert!(made.ends_with("[log]\nfiles = [\"b.csv\"]\n"), "{made}");
    }

    #[test]
    fn sections_and_lists_are_made_where_there_are_none() {
        let exclude = json!({ "trials": "n_moves < 2", "reason": "too short" });
        let edits = [edit(&["log", "clock"], json!("trial")), edit(&["exclude", "+"], exclude.clone())];
        let text = edited(STUDY, &edits).unwrap();
        let study: toml::Table = text.parse().unwrap();
        assert_eq!(study["log"]["clock"].as_str(), Some("trial"));
        assert_eq!(study["exclude"][0]["reason"].as_str(), Some("too short"));
        let twice = edited(&text, &[edit(&["exclude", "+"], exclude)]).unwrap();
        assert_eq!(twice.parse::<toml::Table>().unwrap()["exclude"].as_array().unwrap().len(), 2);
        let once = edited(&twice, &[edit(&["exclude", "0"], Json::Null)]).unwrap();
        assert_eq!(once.parse::<toml::Table>().unwrap()["exclude"].as_array().unwrap().len(), 1);
        let reason = edited(&once, &[edit(&["exclude", "0", "reason"], json!("another"))]).unwrap();
        assert!(reason.contains("reason = \"another\""), "{reason}");
    }

    #[test]
    fn what_is_not_there_is_taken_out_without_a_trace() {
        for path in [&["log", "clock"][..], &["columns", "onset"], &["log", "events", "move"], &["exclude", "0"]] {
            assert_eq!(edited(STUDY, &[edit(path, Json::Null)]).as_deref(), Ok(STUDY), "{path:?}");
        }
    }

    #[test]
    fn a_value_of_a_list_is_taken_out_and_notes_on_others_stay() {
        let text = "[log]\nsteps = [\n    # likely: one\n    { where = \"a\" },\n    # QUESTION: two\n    { set = { b = \"1\" } },\n]\n\
                    [columns]\n# condition: QUESTION: no column\n# sure: by name\nrt = \"t\"\n# mine\nlevel = \"l\"\n";
        let without = edited(text, &[edit(&["log", "steps", "0"], Json::Null)]).unwrap();
        assert!(!without.contains("where") && without.contains("# QUESTION: two\n    { set"), "{without}");
        assert!(edited(text, &[edit(&["log", "steps", "2"], Json::Null)]).unwrap_err().contains("no number"));
        let without = edited(text, &[edit(&["columns", "rt"], Json::Null)]).unwrap();
        assert!(without.ends_with("[columns]\n# condition: QUESTION: no column\n# mine\nlevel = \"l\"\n"), "{without}");
        let answered = edited(text, &[edit(&["columns", "condition"], json!("o"))]).unwrap();
        assert!(!answered.contains("# condition") && answered.contains("# sure: by name"), "{answered}");
    }

    #[test]
    fn edits_that_cannot_be_say_why() {
        let said = |path: &[&str], value| edited(STUDY, &[edit(path, value)]).unwrap_err();
        assert!(said(&["columns", "rt", "unit", "x"], json!(1)).contains("columns.rt.unit.x"));
        assert!(said(&["study", "name", "x"], json!(1)).contains("study.name.x"));
        assert!(said(&["exclude", "+"], json!(1)).contains("has to be a table"));
        assert!(edited("[a", &[]).is_err());
    }
}
