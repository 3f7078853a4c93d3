//! Values of cells and of expressions.

use std::borrow::Cow;
use std::ops::Range;

use super::error::EvalError;
use super::number::NumberStyle;

/// A text, a number, true or false, or nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// No value.
    Missing,
    /// True or false.
    Truth(bool),
    /// A number.
    Number(f64),
    /// A text; of a cell it can be a number or truth value that was not read as such yet.
    Text(Cow<'a, str>),
}

impl<'a> From<&'a str> for Value<'a> {
    /// A text; the empty one is missing.
    fn from(text: &'a str) -> Self {
        if text.is_empty() { Self::Missing } else { Self::Text(Cow::Borrowed(text)) }
    }
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::Missing, Self::from)
    }
}

impl From<f64> for Value<'_> {
    /// A number; not a number is missing.
    fn from(number: f64) -> Self {
        if number.is_nan() { Self::Missing } else { Self::Number(number) }
    }
}

impl From<bool> for Value<'_> {
    fn from(truth: bool) -> Self {
        Self::Truth(truth)
    }
}

impl<'a> Value<'a> {
    /// Returns the value as the text of a cell; `None` where it is missing.
    pub fn into_text(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Missing => None,
            Self::Truth(truth) => Some(Cow::Borrowed(if truth { "true" } else { "false" })),
            Self::Number(number) => Some(written(number)),
            Self::Text(text) => Some(text).filter(|text| !text.is_empty()),
        }
    }
}

/// A number as people write it: whole ones without a point, others with as few digits as tell them apart.
pub(super) fn written(number: f64) -> Cow<'static, str> {
    Cow::Owned(number.to_string())
}

/// Truth value of a text, as programs write it.
pub(crate) fn truth(text: &str) -> Option<bool> {
    let words = [("true", true), ("false", false), ("yes", true), ("no", false), ("1", true), ("0", false)];
    let text = text.trim();
    words.iter().find(|(word, _)| text.eq_ignore_ascii_case(word)).map(|&(_, truth)| truth)
}

/// The number that a value is; `None` where it is missing.
pub(super) fn number_of(
    value: Value<'_>,
    span: &Range<usize>,
    numbers: &NumberStyle,
) -> Result<Option<f64>, EvalError> {
    match value {
        Value::Missing => Ok(None),
        Value::Truth(truth) => Ok(Some(f64::from(u8::from(truth)))),
        Value::Number(number) => Ok(Some(number)),
        Value::Text(text) => match numbers.number(&text) {
            Some(number) => Ok(Some(number)),
            None => {
                let help = "number(…) makes what is no number missing";
                Err(EvalError { value: text.into_owned(), wanted: "a number", help, span: span.clone() })
            }
        },
    }
}
