//! What a script says to those who play it: the aim of a level, and by which movement of the hand a move is made.

use std::collections::BTreeMap;

use plymap_lua::{Key, Problem, Value};

use crate::game::direction::Direction;
use crate::game::{Aim, Gesture};

/// The longest aim, in characters: what stands above a board has to be short.
const MAX_AIM: usize = 300;

/// The aim of a text, or of a table with a text for each language; languages that it lacks have the English one, or else the
/// first.
///
/// # Errors
///
/// [`Problem`] if it is neither.
pub(super) fn aim(value: &Value) -> Result<Aim, Problem> {
    let problem = |message: String| {
        let help = "write aim = \"Push all boxes onto the goals.\", or aim = { en = \"…\", de = \"…\", fr = \"…\" }";
        Problem::new("aim", message).with_help(help)
    };
    let checked = |text: &str| -> Result<String, Problem> {
        let is_line = !text.trim().is_empty() && !text.chars().any(char::is_control);
        if is_line && text.chars().count() <= MAX_AIM {
            return Ok(text.to_owned());
        }
        Err(problem(format!("the aim is {text:?}, and has to be one line of at most {MAX_AIM} characters")))
    };
    let texts = match value {
        Value::Text(text) => return checked(text).map(|text| Aim::in_one_language(&text)),
        Value::Table(texts) if !texts.is_empty() => texts,
        other => return Err(problem(format!("the aim is {other}, and has to be text, or a table of texts"))),
    };
    let mut read = BTreeMap::new();
    for (language, text) in texts {
        match (language, text) {
            (Key::Name(language), Value::Text(text)) if ["en", "de", "fr"].contains(&language.as_str()) => {
                read.insert(language.as_str(), checked(text)?);
            }
            _ => return Err(problem("the aim has an entry that is no text for en, de or fr".to_owned())),
        }
    }
    let usual = read.get("en").or_else(|| read.values().next()).cloned().unwrap_or_default();
    let said = |language: &str| read.get(language).unwrap_or(&usual).clone();
    Ok(Aim::new(said("en"), said("de"), said("fr")))
}

/// The gesture of a direction, or of a cell from 1.
///
/// # Errors
///
/// [`Problem`] if it is neither.
pub(super) fn gesture(value: &Value) -> Result<Gesture, Problem> {
    let problem = || {
        let message = format!("it returns {value}, and has to return a direction, a cell or nil");
        Problem::new("gesture", message)
            .with_help("return \"up\", \"down\", \"left\", \"right\" or { row = 1, column = 1 }")
    };
    match value {
        Value::Text(name) => {
            let direction = Direction::ALL.into_iter().find(|direction| direction.name() == name.as_str());
            direction.map(Gesture::Swipe).ok_or_else(problem)
        }
        Value::Table(cell) if cell.len() == 2 => {
            let side = |name: &str| match cell.get(&Key::Name(name.to_owned())) {
                Some(Value::Integer(number)) => usize::try_from(*number).ok().and_then(|number| number.checked_sub(1)),
                _ => None,
            };
            let (Some(row), Some(column)) = (side("row"), side("column")) else { return Err(problem()) };
            Ok(Gesture::Press { row, column })
        }
        _ => Err(problem()),
    }
}

#[cfg(test)]
mod tests;
