//! The functions of the grammar.

use std::borrow::Cow;
use std::ops::Range;

use regex::Regex;

use super::error::EvalError;
use super::number::NumberStyle;
use super::value::{Value, number_of, written};

/// All functions: name, usage and result of each.
pub const FUNCTIONS: [(&str, &str, &str); 26] = [
    ("abs", "abs(x)", "the number without its sign"),
    ("ceiling", "ceiling(x)", "the smallest whole number that is not below x"),
    ("coalesce", "coalesce(a, b, …)", "the first of them that is not missing"),
    ("concat", "concat(a, b, …)", "the texts one behind the other; missing if one is"),
    ("contains", "contains(text, part)", "whether the text has the part in it"),
    ("ends_with", "ends_with(text, end)", "whether the text ends so"),
    ("exp", "exp(x)", "e to the power of x"),
    (
        "extract",
        "extract(text, \"regular expression\")",
        "the part of the text that the first group of the expression matches, or the whole of it where there is none; missing where it does not match",
    ),
    ("floor", "floor(x)", "the largest whole number that is not above x"),
    ("if", "if(condition, a, b)", "a where the condition holds, b where it does not; missing where it is open"),
    ("length", "length(text)", "number of characters"),
    ("log", "log(x)", "natural logarithm; missing for x ≤ 0"),
    ("lower", "lower(text)", "in small letters"),
    ("matches", "matches(text, \"regular expression\")", "whether the expression is found in the text"),
    ("max", "max(a, b, …)", "the largest of them; missing if one is"),
    ("min", "min(a, b, …)", "the smallest of them; missing if one is"),
    ("number", "number(text)", "the number that the text says; missing where it says none"),
    (
        "part",
        "part(text, separator, n)",
        "the n-th part of the text between separators, from 1; missing where there are fewer",
    ),
    ("replace", "replace(text, old, new)", "the text with every old part replaced"),
    ("round", "round(x)", "the nearest whole number; halves away from zero"),
    ("signed", "signed(x)", "the number as text, with its sign: +3, -1, +0"),
    ("sqrt", "sqrt(x)", "square root; missing below 0"),
    ("starts_with", "starts_with(text, start)", "whether the text begins so"),
    ("text", "text(x)", "the value as text"),
    ("trim", "trim(text)", "without blanks around it"),
    ("upper", "upper(text)", "in capital letters"),
];

/// The longest text that a function makes of shorter ones, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

/// Refuses a text before it is made of one of so many bytes: `replace` in `replace` grows with a power of its length.
fn fits(n_bytes: usize, before: usize, span: &dyn Fn(usize) -> Range<usize>) -> Result<(), EvalError> {
    if n_bytes <= LONGEST_TEXT.max(before) {
        return Ok(());
    }
    let help = "a text can grow to 1 MiB";
    Err(EvalError { value: format!("a text of {n_bytes} bytes"), wanted: "short enough", help, span: span(0) })
}

/// A function of the grammar.
#[derive(Clone, Debug)]
pub(super) enum Function {
    /// A function by its place in [`FUNCTIONS`].
    Plain(usize),
    /// The condition on a regular expression, made once.
    Matches(Regex),
    Extract(Regex),
}

/// Error of the arguments of a function, and the number of the wrong one.
pub(super) type ArgumentFault = (String, Option<usize>);

impl Function {
    pub(super) fn named(name: &str) -> Option<usize> {
        FUNCTIONS.iter().position(|(known, ..)| *known == name)
    }

    /// The function at this place of [`FUNCTIONS`], for so many arguments; `pattern` is the second where it is a text in
    /// quotes.
    pub(super) fn of(place: usize, n_arguments: usize, pattern: Option<&str>) -> Result<Self, ArgumentFault> {
        let (name, usage, _) = FUNCTIONS[place];
        let n_wanted = usage.matches(',').count() + 1;
        let is_open = usage.contains('…');
        if (is_open && n_arguments == 0) || (!is_open && n_arguments != n_wanted) {
            let plural = if n_wanted == 1 { "argument" } else { "arguments" };
            let wanted = if is_open { "at least 1 argument".to_owned() } else { format!("{n_wanted} {plural}") };
            return Err((format!("{name} takes {wanted}, and has {n_arguments}"), None));
        }
        if !matches!(name, "matches" | "extract") {
            return Ok(Self::Plain(place));
        }
        let Some(pattern) = pattern else {
            return Err(("a regular expression is written as a text in quotes".to_owned(), Some(1)));
        };
        let pattern = Regex::new(pattern).map_err(|error| {
            let said = error.to_string();
            let reason = said.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            (format!("this is no regular expression: {reason}"), Some(1))
        })?;
        Ok(if name == "matches" { Self::Matches(pattern) } else { Self::Extract(pattern) })
    }

    /// Its value; `span` tells where an argument stands.
    pub(super) fn call<'v>(
        &'v self,
        arguments: Vec<Value<'v>>,
        span: &dyn Fn(usize) -> Range<usize>,
        numbers: &NumberStyle,
    ) -> Result<Value<'v>, EvalError> {
        let name = match self {
            Self::Plain(place) => FUNCTIONS[*place].0,
            Self::Matches(_) => "matches",
            Self::Extract(_) => "extract",
        };
        if name == "coalesce" {
            return Ok(arguments.into_iter().find(|value| *value != Value::Missing).unwrap_or(Value::Missing));
        }
        if arguments.contains(&Value::Missing) {
            return Ok(Value::Missing);
        }
        let number_at = |place: usize| -> Result<f64, EvalError> {
            let value = arguments[place].clone();
            Ok(number_of(value, &span(place), numbers)?.unwrap_or(f64::NAN))
        };
        let text_at = |place: usize| arguments[place].clone().into_text().unwrap_or_default();
        let mapped = |map: fn(f64) -> f64| number_at(0).map(|number| Value::from(map(number)));
        let folded = |map: fn(f64, f64) -> f64| -> Result<Value<'v>, EvalError> {
            let mut folded = number_at(0)?;
            for place in 1..arguments.len() {
                folded = map(folded, number_at(place)?);
            }
            Ok(Value::from(folded))
        };
        let owned = |text: String| Value::Text(Cow::Owned(text));
        match name {
            "abs" => mapped(f64::abs),
            "ceiling" => mapped(f64::ceil),
            "exp" => mapped(f64::exp),
            "floor" => mapped(f64::floor),
            "log" => mapped(|number| if number > 0.0 { number.ln() } else { f64::NAN }),
            "round" => mapped(f64::round),
            "sqrt" => mapped(f64::sqrt),
            "max" => folded(f64::max),
            "min" => folded(f64::min),
            "concat" => {
                let texts: Vec<Cow<'_, str>> = (0..arguments.len()).map(text_at).collect();
                let longest = texts.iter().map(|text| text.len()).max().unwrap_or_default();
                fits(texts.iter().map(|text| text.len()).sum(), longest, span)?;
                Ok(owned(texts.concat()))
            }
            "contains" => Ok(Value::Truth(text_at(0).contains(&*text_at(1)))),
            "starts_with" => Ok(Value::Truth(text_at(0).starts_with(&*text_at(1)))),
            "ends_with" => Ok(Value::Truth(text_at(0).ends_with(&*text_at(1)))),
            "length" => Ok(Value::Number(text_at(0).chars().count() as f64)),
            "lower" => Ok(owned(text_at(0).to_lowercase())),
            "upper" => Ok(owned(text_at(0).to_uppercase())),
            "trim" => Ok(owned(text_at(0).trim().to_owned())),
            "text" => Ok(Value::Text(text_at(0))),
            "replace" => {
                let (text, old, new) = (text_at(0), text_at(1), text_at(2));
                let n_replaced = text.matches(&*old).count();
                let n_bytes =
                    (text.len() - n_replaced * old.len()).saturating_add(n_replaced.saturating_mul(new.len()));
                fits(n_bytes, text.len(), span)?;
                Ok(owned(text.replace(&*old, &new)))
            }
            "part" => {
                let (text, separator) = (text_at(0), text_at(1));
                let part = (number_at(2)? as usize).checked_sub(1).and_then(|n| text.split(&*separator).nth(n));
                Ok(part.map_or(Value::Missing, |part| owned(part.to_owned())))
            }
            "signed" => {
                let number = number_at(0)?;
                Ok(owned(if number < 0.0 { written(number).into_owned() } else { format!("+{}", written(number)) }))
            }
            "number" => Ok(match &arguments[0] {
                Value::Text(text) => numbers.number(text).map_or(Value::Missing, Value::from),
                _ => Value::from(number_at(0)?),
            }),
            _ => Ok(self.search(&text_at(0))),
        }
    }

    fn search<'v>(&self, text: &str) -> Value<'v> {
        match self {
            Self::Matches(pattern) => Value::Truth(pattern.is_match(text)),
            Self::Extract(pattern) => {
                let captures = pattern.captures(text);
                let part = captures.and_then(|captures| captures.get(1).or(captures.get(0)));
                part.map_or(Value::Missing, |part| Value::Text(Cow::Owned(part.as_str().to_owned())))
            }
            Self::Plain(_) => Value::Missing,
        }
    }
}
