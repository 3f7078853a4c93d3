#![doc = include_str!("../README.md")]

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

mod evaluate;
mod function;
mod lexer;
mod number;
mod parser;
mod template;
mod value;

pub use function::FUNCTIONS;
pub use number::{MISSING, NumberStyle, is_missing};
pub use template::Template;
pub use value::Value;

use parser::Node;

/// A condition or computation over the columns of a table.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    root: Node,
    names: Vec<Name>,
    /// How texts are numbers.
    numbers: NumberStyle,
}

/// A column that an expression names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    name: String,
    /// Where it stands first, in bytes.
    span: Range<usize>,
}

/// Gives the value of a column, by its place among [`Expression::names`].
pub type Cells<'c, 'v> = dyn Fn(usize) -> Value<'v> + 'c;

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// An [`ExpressionError`] that points at what is wrong.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let (root, names) = parser::parse(text)?;
        Ok(Self { text: text.to_owned(), root, names, numbers: NumberStyle::default() })
    }

    /// The same expression for cells in which numbers are written so; in the expression itself they have a point.
    pub fn with_numbers(self, numbers: NumberStyle) -> Self {
        Self { numbers, ..self }
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The columns that it names, each once, in the order in which they first appear.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| name.name.as_str())
    }

    /// That the table has no column of the name at this place of [`Expression::names`].
    pub fn unknown(&self, name: usize, nearest: Option<&str>) -> ExpressionError {
        let Name { name, span } = &self.names[name];
        let help = match nearest {
            Some(nearest) => format!("did you mean {nearest:?}?"),
            None => format!("a text is written in quotes, as in {name:?}"),
        };
        ExpressionError::new(&self.text, span.clone(), format!("there is no column {name:?}"), Some(help))
    }

    /// Its value for a row.
    ///
    /// # Errors
    ///
    /// [`Trouble`] where a text cannot be read as what is needed.
    pub fn evaluate<'v>(&'v self, cells: &Cells<'_, 'v>) -> Result<Value<'v>, Trouble> {
        evaluate::evaluate(&self.root, cells, &self.numbers)
    }

    /// Whether it holds for a row; `None` where what is missing leaves it open.
    ///
    /// # Errors
    ///
    /// [`Trouble`] where a text cannot be read as what is needed.
    pub fn decide<'v>(&'v self, cells: &Cells<'_, 'v>) -> Result<Option<bool>, Trouble> {
        evaluate::truth(self.evaluate(cells)?, &self.root)
    }

    /// What happened for a row, in words that show the expression.
    pub fn explain(&self, trouble: &Trouble) -> ExpressionError {
        let message = format!("{:?} is not {}", trouble.value, trouble.wanted);
        ExpressionError::new(&self.text, trouble.span.clone(), message, Some(trouble.help.to_owned()))
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, self.numbers) == (&other.text, other.numbers)
    }
}

/// Why an expression has no value for a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The text that cannot be read.
    pub value: String,
    /// What it should be.
    pub wanted: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// The part of the expression that gave it, in bytes.
    pub span: Range<usize>,
}

/// What is wrong with an expression, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// The expression.
    pub text: String,
    /// The part of it that is wrong, in bytes.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl ExpressionError {
    fn new(text: &str, span: Range<usize>, message: impl Into<String>, help: Option<String>) -> Self {
        Self { text: text.to_owned(), span, message: message.into(), help }
    }

    /// The line of the expression that is wrong, and carets below what is wrong in it.
    pub fn marked(&self) -> String {
        let start = self.text[..self.span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[start..].split('\n').next().unwrap_or_default();
        let before = self.text[start..self.span.start].chars().count();
        let end = self.span.end.min(start + line.len());
        let width = self.text[self.span.start..end.max(self.span.start)].chars().count().max(1);
        format!("{line}\n{}{}", " ".repeat(before), "^".repeat(width))
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        if let Some(help) = &self.help {
            write!(formatter, "; {help}")?;
        }
        for line in self.marked().lines() {
            write!(formatter, "\n    {line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ExpressionError {}

/// A number as people write it: whole ones without a point, others with as few digits as tell them apart.
fn written(number: f64) -> Cow<'static, str> {
    Cow::Owned(number.to_string())
}

#[cfg(test)]
mod tests;
