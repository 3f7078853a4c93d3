//! Texts with expressions in braces.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::{Expression, ExpressionError, Trouble, Value};

/// A text with expressions in braces, such as `{piece}@{cell}`; `{{` and `}}` stand for braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Expression(Expression),
}

impl Template {
    /// Whether a text has braces, and so is a template.
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
                let expression = Expression::parse(&rest[1..end]).map_err(|error| {
                    let span = at + 1 + error.span.start..at + 1 + error.span.end;
                    ExpressionError::new(text, span, error.message, error.help)
                })?;
                parts.push(Part::Expression(expression));
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

    /// The same template for cells in which numbers have a decimal comma.
    pub fn with_decimal_comma(self, decimal_comma: bool) -> Self {
        let parts = self.parts.into_iter().map(|part| match part {
            Part::Expression(expression) => Part::Expression(expression.with_decimal_comma(decimal_comma)),
            text => text,
        });
        Self { parts: parts.collect(), ..self }
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its expressions, in their order.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.parts.iter().filter_map(|part| match part {
            Part::Expression(expression) => Some(expression),
            Part::Text(_) => None,
        })
    }

    /// Its text for a row; missing where one of its expressions is. `cells` gives the value of a column by the place
    /// of its expression and its place among the names of that.
    ///
    /// # Errors
    ///
    /// [`Trouble`] of an expression, with the place of that.
    pub fn fill<'v>(&'v self, cells: &dyn Fn(usize, usize) -> Value<'v>) -> Result<Value<'static>, (usize, Trouble)> {
        let mut text = String::new();
        let mut place = 0;
        for part in &self.parts {
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Expression(expression) => {
                    let value = expression.evaluate(&|name| cells(place, name)).map_err(|trouble| (place, trouble))?;
                    let Some(value) = value.into_text() else { return Ok(Value::Missing) };
                    let _ = write!(text, "{value}");
                    place += 1;
                }
            }
        }
        Ok(Value::Text(Cow::Owned(text)))
    }
}
