//! A column from one notation into another.

use super::super::pipeline_step;
use super::super::raw::RowDiagnostic;
use super::columns::ColumnSet;
use super::step::{Row, Step, StepContext};
use crate::error::LogError;
use crate::pattern::{Part, parts};
use plymap_expression::{Expression, Template, Value};
use std::collections::{BTreeMap, HashMap};

pub(super) struct Rewrite {
    column: usize,
    name: String,
    patterns: Vec<regex::Regex>,
    write: Template,
    words: BTreeMap<String, BTreeMap<String, String>>,
}

impl Rewrite {
    pub(super) fn new(
        notation: &pipeline_step::Notation,
        columns: &mut ColumnSet,
        context: &StepContext<'_>,
    ) -> Result<Self, LogError> {
        let column = context.column(&notation.column, columns)?;
        let write = Template::parse(&notation.write).map_err(|error| context.wrong(error.to_string()))?;
        let mut patterns = Vec::new();
        for read in &notation.read {
            let parts = parts(read).map_err(|reason| context.wrong(reason))?;
            let named: Vec<&str> = parts.iter().filter_map(Part::name).collect();
            if let Some(name) = write.expressions().flat_map(Expression::names).find(|name| !named.contains(name)) {
                return Err(context.wrong(format!("`write` names {{{name}}}, which {read:?} does not have")));
            }
            patterns.push(pattern(&parts, &notation.words).map_err(|error| context.wrong(error.to_string()))?);
        }
        if patterns.is_empty() {
            return Err(
                context.wrong("`read` is empty; say how moves are written, as in [\"{piece} {direction} {n}\"]")
            );
        }
        Ok(Self { column, name: notation.column.clone(), patterns, write, words: notation.words.clone() })
    }

    /// The text in the other notation, and a word that was written in other letter case.
    fn rewritten(&self, text: &str) -> Option<(String, Option<String>)> {
        let captures = self.patterns.iter().find_map(|pattern| pattern.captures(text))?;
        let mut other_case = None;
        let mut parts: HashMap<&str, &str> = HashMap::new();
        for name in self.write.expressions().flat_map(Expression::names) {
            let value = captures.name(name).map_or("", |captures| captures.as_str());
            let word = match self.words.get(name) {
                None => value,
                Some(words) => match words.get(value) {
                    Some(word) => word,
                    None => {
                        let lower = value.to_lowercase();
                        let (_, word) = words.iter().find(|(known, _)| known.to_lowercase() == lower)?;
                        other_case = Some(value.to_owned());
                        word
                    }
                },
            };
            parts.insert(name, word);
        }
        let names: Vec<Vec<&str>> = self.write.expressions().map(|expression| expression.names().collect()).collect();
        let part = |expression: usize, name: usize| Value::Text(parts[names[expression][name]].into());
        let written = self.write.fill(&part).ok()?.into_text()?.into_owned();
        Some((written, other_case))
    }
}

/// A regular expression for a notation: parts with words are one of these, in any letter case; others are as short as
/// they can be. A blank stands for any number of blanks.
fn pattern(parts: &[Part], words: &BTreeMap<String, BTreeMap<String, String>>) -> Result<regex::Regex, regex::Error> {
    let mut text = "^\\s*".to_owned();
    for part in parts {
        match part {
            Part::Text(plain) => {
                let words: Vec<String> = plain.split(' ').map(regex::escape).collect();
                text.push_str(&words.join("\\s+"));
            }
            Part::Name(name) => match words.get(name) {
                Some(words) => {
                    // The longest first: "left" is no "l" with a rest.
                    let mut words: Vec<&String> = words.keys().collect();
                    words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
                    let words: Vec<String> = words.into_iter().map(|word| regex::escape(word)).collect();
                    text.push_str(&format!("(?P<{name}>(?i:{}))", words.join("|")));
                }
                None => text.push_str(&format!("(?P<{name}>.+?)")),
            },
        }
    }
    text.push_str("\\s*$");
    regex::Regex::new(&text)
}

impl Step for Rewrite {
    /// A text that does not fit stays as it is: it may be an event, and if it is a move, the rules refuse it by its
    /// own text.
    fn take(&mut self, mut row: Row, _columns: &mut ColumnSet, output: &mut Vec<Row>) {
        let rewritten = row.get(self.column).and_then(|text| self.rewritten(text));
        if let Some((written, other_case)) = rewritten {
            if let Some(word) = other_case {
                let rule = "the word is known in other letter case, and read as that";
                row.notices.push(RowDiagnostic::new(
                    "letter-case",
                    &self.name,
                    &word,
                    rule,
                    "list the word as it is written",
                ));
            }
            row.set(self.column, Some(written));
        }
        output.push(row);
    }
}
