//! Evaluation of a tree for a row.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::error::EvalError;
use super::number::NumberStyle;
use super::parser::{Comparison, Kind, Node, Operation};
use super::value::{self, Value, number_of};

/// Gives the value of a column, by its place among [`Expression::names`](crate::Expression::names).
pub type Cells<'c, 'v> = dyn Fn(usize) -> Value<'v> + 'c;

/// The value of a tree for a row.
pub(super) fn evaluate<'v>(
    node: &'v Node,
    cells: &Cells<'_, 'v>,
    numbers: &NumberStyle,
) -> Result<Value<'v>, EvalError> {
    Row { cells, numbers }.value(node)
}

/// A row of a table, with the notation of its numbers.
struct Row<'r, 'c, 'v> {
    cells: &'r Cells<'c, 'v>,
    numbers: &'r NumberStyle,
}

impl<'v> Row<'_, '_, 'v> {
    fn value(&self, node: &'v Node) -> Result<Value<'v>, EvalError> {
        Ok(match &node.kind {
            Kind::Missing => Value::Missing,
            Kind::Truth(truth) => Value::Truth(*truth),
            Kind::Number(number) => Value::Number(*number),
            Kind::Text(text) => Value::Text(Cow::Borrowed(text)),
            Kind::Column(place) => (self.cells)(*place),
            Kind::Not(inner) => decided(self.holds(inner)?.map(|truth| !truth)),
            Kind::Negative(inner) => self.number(inner)?.map_or(Value::Missing, |number| (-number).into()),
            Kind::IsMissing(inner) => Value::Truth(self.value(inner)?.into_text().is_none()),
            Kind::And(parts) => decided(self.chained(parts, true)?),
            Kind::Or(parts) => decided(self.chained(parts, false)?),
            Kind::In(inner, list) => decided(self.is_among(inner, list)?),
            Kind::Compare(comparison, left, right) => {
                let sides = ((self.value(left)?, &**left), (self.value(right)?, &**right));
                decided(compare(*comparison, sides.0, sides.1, self.numbers)?)
            }
            Kind::Calculate(first, rest) => {
                let mut so_far = self.number(first)?;
                for (operation, node) in rest {
                    let result = so_far.zip(self.number(node)?);
                    let result = result.map(|(left, right)| calculate(*operation, left, right));
                    // A division by 0 has no value, rather than one that no table can hold.
                    so_far = result.filter(|result| result.is_finite());
                }
                so_far.map_or(Value::Missing, Value::Number)
            }
            Kind::If(condition, branches) => match self.holds(condition)? {
                Some(true) => self.value(&branches[0])?,
                Some(false) => self.value(&branches[1])?,
                None => Value::Missing,
            },
            Kind::Call(function, arguments) => {
                let values = arguments.iter().map(|argument| self.value(argument)).collect::<Result<_, _>>()?;
                function.call(values, &|place| arguments[place].span.clone(), self.numbers)?
            }
        })
    }

    fn number(&self, node: &'v Node) -> Result<Option<f64>, EvalError> {
        number_of(self.value(node)?, &node.span, self.numbers)
    }

    fn holds(&self, node: &'v Node) -> Result<Option<bool>, EvalError> {
        truth(self.value(node)?, node)
    }

    /// Returns true if all parts hold, or with `wanted` false if one does; `None` where what is missing leaves it open:
    /// Kleene's logic of three values, as that of SQL and R. What is decided by one part does not ask those behind it,
    /// which may be unreadable there.
    fn chained(&self, parts: &'v [Node], wanted: bool) -> Result<Option<bool>, EvalError> {
        let mut holds = Some(wanted);
        for part in parts {
            match self.holds(part)? {
                Some(truth) if truth != wanted => return Ok(Some(truth)),
                None => holds = None,
                Some(_) => {}
            }
        }
        Ok(holds)
    }

    /// Returns true if an item of the list is the same value; open where none is, but one is missing.
    fn is_among(&self, inner: &'v Node, list: &'v [Node]) -> Result<Option<bool>, EvalError> {
        let value = self.value(inner)?;
        let mut is_there = Some(false);
        for item in list {
            match equal(&value, &self.value(item)?, self.numbers) {
                Some(true) => return Ok(Some(true)),
                None => is_there = None,
                Some(false) => {}
            }
        }
        Ok(is_there)
    }
}

fn decided(truth: Option<bool>) -> Value<'static> {
    truth.map_or(Value::Missing, Value::Truth)
}

fn calculate(operation: Operation, left: f64, right: f64) -> f64 {
    match operation {
        Operation::Add => left + right,
        Operation::Subtract => left - right,
        Operation::Multiply => left * right,
        Operation::Divide => left / right,
        Operation::Remainder => left.rem_euclid(right),
    }
}

/// Truth value of a value.
pub(super) fn truth(value: Value<'_>, node: &Node) -> Result<Option<bool>, EvalError> {
    match value {
        Value::Missing => Ok(None),
        Value::Truth(truth) => Ok(Some(truth)),
        Value::Number(number) => Ok(Some(number != 0.0)),
        Value::Text(text) => match value::truth(&text) {
            Some(truth) => Ok(Some(truth)),
            None => {
                let help = "write what it should be, as in solved == \"done\"";
                Err(EvalError { value: text.into_owned(), wanted: "true or false", help, span: node.span.clone() })
            }
        },
    }
}

/// Returns true if two values are the same: as numbers or truth values if one of them is, as texts otherwise; `None` if
/// one is missing.
fn equal(left: &Value<'_>, right: &Value<'_>, numbers: &NumberStyle) -> Option<bool> {
    match (left, right) {
        (Value::Missing, _) | (_, Value::Missing) => None,
        (Value::Text(left), Value::Text(right)) => Some(left == right),
        (Value::Truth(truth), Value::Text(text)) | (Value::Text(text), Value::Truth(truth)) => {
            Some(value::truth(text) == Some(*truth))
        }
        (Value::Number(number), Value::Text(text)) | (Value::Text(text), Value::Number(number)) => {
            Some(numbers.number(text) == Some(*number))
        }
        (Value::Number(number), Value::Truth(truth)) | (Value::Truth(truth), Value::Number(number)) => {
            Some(*number == f64::from(u8::from(*truth)))
        }
        (Value::Number(left), Value::Number(right)) => Some(left == right),
        (Value::Truth(left), Value::Truth(right)) => Some(left == right),
    }
}

fn compare(
    comparison: Comparison,
    (left, left_node): (Value<'_>, &Node),
    (right, right_node): (Value<'_>, &Node),
    numbers: &NumberStyle,
) -> Result<Option<bool>, EvalError> {
    match comparison {
        Comparison::Equal => return Ok(equal(&left, &right, numbers)),
        Comparison::Unequal => return Ok(equal(&left, &right, numbers).map(|is_equal| !is_equal)),
        _ => {}
    }
    let order = match (&left, &right) {
        (Value::Missing, _) | (_, Value::Missing) => return Ok(None),
        // Two texts are in the order of numbers where both are some, and of their letters where neither is: dates.
        (Value::Text(first), Value::Text(second))
            if numbers.number(first).is_none() && numbers.number(second).is_none() =>
        {
            first.cmp(second)
        }
        _ => {
            let sides = (number_of(left, &left_node.span, numbers)?, number_of(right, &right_node.span, numbers)?);
            let (Some(left), Some(right)) = sides else { return Ok(None) };
            left.total_cmp(&right)
        }
    };
    Ok(Some(match comparison {
        Comparison::Less => order == Ordering::Less,
        Comparison::AtMost => order != Ordering::Greater,
        Comparison::Greater => order == Ordering::Greater,
        _ => order != Ordering::Less,
    }))
}
