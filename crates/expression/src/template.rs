//! Texts with expressions in braces.

use std::borrow::Cow;

use super::error::{EvalError, ExpressionError};
use super::expression::Expression;
use super::number::NumberStyle;
use super::value::Value;

/// A text with expressions in braces, such as `{piece}@{cell}`; `{{` and `}}` stand for braces. A part that ends in a
/// question mark, such as `{piece?}`, is empty where it is missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Expression {
        expression: Expression,
        /// True if the text does without it.
        is_optional: bool,
    },
}

impl Template {
    /// Returns true if a text has braces, and so is a template.
    pub fn is_template(text: &str) -> bool {
        text.contains(['{', '}'])
    }

    /// Reads a template.
    ///
    /// # Errors
    ///
    /// An [`ExpressionError`] that points into the template.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut at = 0;
        let wrong = |span, message: &str| {
            let help = "a column stands in braces, as in {piece}@{cell}; a brace itself is doubled".to_owned();
            ExpressionError::new(text, span, message, Some(help))
        };
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            if rest.starts_with("{{") || rest.starts_with("}}") {
                plain.push(first);
                at += 2;
            } else if first == '{' {
                let end = rest.find('}').ok_or_else(|| wrong(at..text.len(), "a brace is open"))?;
                if !plain.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                }
                let written = &rest[1..end];
                let needed = written.strip_suffix('?');
                let expression = Expression::parse(needed.unwrap_or(written)).map_err(|error| {
                    let span = at + 1 + error.span.start..at + 1 + error.span.end;
                    ExpressionError::new(text, span, error.message, error.help)
                })?;
                parts.push(Part::Expression { expression, is_optional: needed.is_some() });
                at += end + 1;
            } else if first == '}' {
                return Err(wrong(at..at + 1, "a brace is closed that was never opened"));
            } else {
                plain.push(first);
                at += first.len_utf8();
            }
        }
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Self { text: text.to_owned(), parts })
    }

    /// The same template for cells in which numbers are written so.
    pub fn with_numbers(self, numbers: NumberStyle) -> Self {
        let parts = self.parts.into_iter().map(|part| match part {
            Part::Expression { expression, is_optional } => {
                Part::Expression { expression: expression.with_numbers(numbers), is_optional }
            }
            text => text,
        });
        Self { parts: parts.collect(), ..self }
    }

    /// Returns the template as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its expressions, in their order.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.parts.iter().filter_map(|part| match part {
            Part::Expression { expression, .. } => Some(expression),
            Part::Text(_) => None,
        })
    }

    /// Its text for a row; missing where one of its expressions is that it needs. `cells` gives the value of a column by the place
    /// of its expression and its place among the names of that.
    ///
    /// # Errors
    ///
    /// [`EvalError`] of an expression, with the place of that.
    pub fn fill<'v>(&'v self, cells: &dyn Fn(usize, usize) -> Value<'v>) -> Result<Value<'static>, (usize, EvalError)> {
        let mut text = String::new();
        let mut place = 0;
        for part in &self.parts {
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Expression { expression, is_optional } => {
                    let value = expression.evaluate(&|name| cells(place, name)).map_err(|error| (place, error))?;
                    match value.into_text() {
                        Some(value) => text.push_str(&value),
                        None if *is_optional => {}
                        None => return Ok(Value::Missing),
                    }
                    place += 1;
                }
            }
        }
        // All of it may be missing.
        Ok(if text.is_empty() { Value::Missing } else { Value::Text(Cow::Owned(text)) })
    }
}
