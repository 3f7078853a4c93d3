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
    let of = |node: &'v Node| evaluate(node, cells, numbers);
    let holds = |node: &'v Node| truth(of(node)?, node);
    let decided = |truth: Option<bool>| truth.map_or(Value::Missing, Value::Truth);
    Ok(match &node.kind {
        Kind::Missing => Value::Missing,
        Kind::Truth(truth) => Value::Truth(*truth),
        Kind::Number(number) => Value::Number(*number),
        Kind::Text(text) => Value::Text(Cow::Borrowed(text)),
        Kind::Column(place) => cells(*place),
        Kind::Not(inner) => decided(holds(inner)?.map(|truth| !truth)),
        Kind::Negative(inner) => {
            number_of(of(inner)?, &inner.span, numbers)?.map_or(Value::Missing, |number| (-number).into())
        }
        Kind::IsMissing(inner) => Value::Truth(of(inner)?.into_text().is_none()),
        Kind::And(parts) => decided(chained(parts, true, &holds)?),
        Kind::Or(parts) => decided(chained(parts, false, &holds)?),
        Kind::In(inner, list) => {
            let own = of(inner)?;
            let mut found = Some(false);
            for item in list {
                match equal(&own, &of(item)?, numbers) {
                    Some(true) => return Ok(Value::Truth(true)),
                    None => found = None,
                    Some(false) => {}
                }
            }
            decided(found)
        }
        Kind::Compare(comparison, left, right) => {
            decided(compare(*comparison, (of(left)?, left), (of(right)?, right), numbers)?)
        }
        Kind::Calculate(first, rest) => {
            let mut so_far = number_of(of(first)?, &first.span, numbers)?;
            for (operation, node) in rest {
                let number = number_of(of(node)?, &node.span, numbers)?;
                let result = so_far.zip(number).map(|(left, right)| calculate(*operation, left, right));
                so_far = result.filter(|result| result.is_finite());
            }
            so_far.map_or(Value::Missing, Value::Number)
        }
        Kind::If(condition, branches) => match holds(condition)? {
            Some(true) => of(&branches[0])?,
            Some(false) => of(&branches[1])?,
            None => Value::Missing,
        },
        Kind::Call(function, arguments) => {
            let values = arguments.iter().map(of).collect::<Result<_, _>>()?;
            function.call(values, &|place| arguments[place].span.clone(), numbers)?
        }
    })
}

/// Whether all parts hold, or with `wanted` false whether one does; `None` where what is missing leaves it open.
/// What is decided by one part does not ask those behind it, which may be unreadable there.
fn chained<'v>(
    parts: &'v [Node],
    wanted: bool,
    holds: &dyn Fn(&'v Node) -> Result<Option<bool>, EvalError>,
) -> Result<Option<bool>, EvalError> {
    let mut found = Some(wanted);
    for part in parts {
        match holds(part)? {
            Some(truth) if truth != wanted => return Ok(Some(truth)),
            None => found = None,
            Some(_) => {}
        }
    }
    Ok(found)
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

/// Whether two values are the same: as numbers or truth values if one of them is, as texts otherwise.
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
        (Value::Text(one), Value::Text(other)) if numbers.number(one).is_none() && numbers.number(other).is_none() => {
            one.cmp(other)
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
