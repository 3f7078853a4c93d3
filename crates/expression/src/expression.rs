//! An expression that was read, with the columns that it names.

use std::fmt;

use super::error::{EvalError, ExpressionError};
use super::evaluate::{self, Cells};
use super::number::NumberStyle;
use super::parser::{self, Name, Node};
use super::value::Value;

/// A condition or computation over the columns of a table.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    root: Node,
    names: Vec<Name>,
    /// Notation of numbers in cells.
    numbers: NumberStyle,
}

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

    /// Returns the expression as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The columns that it names, each once, in the order in which they first appear.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| name.name.as_str())
    }

    /// The error that the table has no column of the name at this place of [`Expression::names`].
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
    /// [`EvalError`] where a text cannot be read as what is needed.
    pub fn evaluate<'v>(&'v self, cells: &Cells<'_, 'v>) -> Result<Value<'v>, EvalError> {
        evaluate::evaluate(&self.root, cells, &self.numbers)
    }

    /// Returns true if it holds for a row; `None` where what is missing leaves it open.
    ///
    /// # Errors
    ///
    /// [`EvalError`] where a text cannot be read as what is needed.
    pub fn decide<'v>(&'v self, cells: &Cells<'_, 'v>) -> Result<Option<bool>, EvalError> {
        evaluate::truth(self.evaluate(cells)?, &self.root)
    }

    /// The error for a row, in words that show the expression.
    pub fn explain(&self, error: &EvalError) -> ExpressionError {
        let message = format!("{:?} is not {}", error.value, error.wanted);
        ExpressionError::new(&self.text, error.span.clone(), message, Some(error.help.to_owned()))
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
