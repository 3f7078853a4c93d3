//! Conditions that choose rows, such as `solved=true` or `n_moves<=100`.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::frame::{flag, is_same_number, number};
use super::sample::in_order;
use super::{EstimatorError, Frame, Values, Written};

/// So many values of a column are named where none of them meets a condition.
const MOST_NAMED: usize = 10;

/// A condition on one column. A row without a value in it meets no condition but `column=`, with nothing after
/// it, which asks for such rows; `column!=` asks for the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Condition {
    /// The column.
    pub column: String,
    /// How it is compared.
    pub operator: Operator,
    /// With what.
    pub value: String,
}

/// How a column is compared with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Operator {
    /// Equal.
    #[serde(rename = "=")]
    Equal,
    /// Not equal.
    #[serde(rename = "!=")]
    Unequal,
    /// Less; of numbers only, as are the following.
    #[serde(rename = "<")]
    Less,
    /// Less or equal.
    #[serde(rename = "<=")]
    AtMost,
    /// Greater.
    #[serde(rename = ">")]
    Greater,
    /// Greater or equal.
    #[serde(rename = ">=")]
    AtLeast,
}

/// The rows that meet all conditions, and how many do not.
#[derive(Clone, Debug, PartialEq)]
pub struct Filtered {
    /// The rows that meet them.
    pub frame: Frame,
    /// Number of the other rows.
    pub n_left_out: usize,
    /// How many of those have no value in a column that a condition compares, and do not fail another one.
    pub n_undecided: usize,
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Equal, Self::Unequal, Self::Less, Self::AtMost, Self::Greater, Self::AtLeast];

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }

    fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Greater => left > right,
            Self::AtLeast => left >= right,
        }
    }
}

impl FromStr for Condition {
    type Err = EstimatorError;

    fn from_str(text: &str) -> Result<Self, EstimatorError> {
        let is_sign = |sign: char| matches!(sign, '=' | '!' | '<' | '>' | '~');
        let bad = || EstimatorError::BadCondition { condition: text.to_owned() };
        let start = text.find(is_sign).ok_or_else(bad)?;
        let (column, rest) = text.split_at(start);
        let (symbol, value) = rest.split_at(rest.find(|sign| !is_sign(sign)).unwrap_or(rest.len()));
        let (column, value) = (column.trim().to_owned(), value.trim().to_owned());
        if column.is_empty() {
            return Err(bad());
        }
        let operator = Operator::ALL.into_iter().find(|operator| operator.symbol() == symbol);
        let operator = operator.ok_or_else(|| EstimatorError::UnknownOperator {
            operator: symbol.to_owned(),
            condition: text.to_owned(),
        })?;
        if value.is_empty() && !matches!(operator, Operator::Equal | Operator::Unequal) {
            return Err(bad());
        }
        Ok(Self { column, operator, value })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}{}", self.column, self.operator.symbol(), self.value)
    }
}

impl Condition {
    /// For each row whether it meets the condition; `None` where the column has no value to compare.
    fn verdicts(&self, frame: &Frame) -> Result<Vec<Option<bool>>, EstimatorError> {
        let is_equality = matches!(self.operator, Operator::Equal | Operator::Unequal);
        if self.value.is_empty() {
            let wants_missing = self.operator == Operator::Equal;
            let verdict = |value: Option<String>| Some(value.is_none() == wants_missing);
            return Ok(frame.text(&self.column)?.into_iter().map(verdict).collect());
        }
        let bad = |wanted| EstimatorError::BadValue {
            condition: self.to_string(),
            column: self.column.clone(),
            value: self.value.clone(),
            wanted,
        };
        let equal = |is_equal: bool| is_equal == (self.operator == Operator::Equal);
        match frame.values(&self.column)? {
            Values::Text(values) if is_equality => {
                Ok(values.iter().map(|own| own.as_ref().map(|own| equal(*own == self.value))).collect())
            }
            Values::Written(values) if is_equality => {
                number(&self.value).ok_or_else(|| bad("a number"))?;
                let is_value = |own: &Written| equal(is_same_number(&own.text, &self.value));
                Ok(values.iter().map(|own| own.as_ref().map(is_value)).collect())
            }
            Values::Flags(values) if is_equality => {
                let value = flag(&self.value).ok_or_else(|| bad("true or false"))?;
                Ok(values.iter().map(|own| own.map(|own| equal(own == value))).collect())
            }
            _ => {
                let values = frame.numbers(&self.column)?;
                let value = number(&self.value).ok_or_else(|| bad("a number"))?;
                Ok(values.into_iter().map(|own| own.map(|own| self.operator.holds(own, value))).collect())
            }
        }
    }
}

impl Condition {
    /// That no row meets the condition, with the values that there are.
    fn unmet(&self, frame: &Frame) -> Result<EstimatorError, EstimatorError> {
        let texts = frame.text(&self.column)?;
        let mut found = in_order(texts.iter().flatten().map(String::as_str));
        let n_more = found.len().saturating_sub(MOST_NAMED);
        found.truncate(MOST_NAMED);
        Ok(EstimatorError::NothingMeets { condition: self.to_string(), column: self.column.clone(), found, n_more })
    }
}

impl Frame {
    /// The rows that meet all conditions.
    ///
    /// # Errors
    ///
    /// [`EstimatorError`] if a condition names no column, or a value that the column cannot be compared with; if a
    /// condition holds in no row, or all together do.
    pub fn filter(&self, conditions: &[Condition]) -> Result<Filtered, EstimatorError> {
        let mut verdicts = vec![Some(true); self.n_rows()];
        for condition in conditions {
            let own = condition.verdicts(self)?;
            if !own.is_empty() && !own.contains(&Some(true)) {
                return Err(condition.unmet(self)?);
            }
            for (verdict, own) in verdicts.iter_mut().zip(own) {
                *verdict = match (*verdict, own) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (None, _) | (_, None) => None,
                    _ => Some(true),
                };
            }
        }
        let kept: Vec<usize> = (0..verdicts.len()).filter(|&index| verdicts[index] == Some(true)).collect();
        if kept.is_empty() && !verdicts.is_empty() {
            let conditions = conditions.iter().map(ToString::to_string).collect();
            return Err(EstimatorError::NothingMeetsAll { conditions });
        }
        Ok(Filtered {
            n_left_out: verdicts.len() - kept.len(),
            n_undecided: verdicts.iter().filter(|verdict| verdict.is_none()).count(),
            frame: self.at(&kept),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        let condition = ["speed", "accuracy", "speed"].map(|name| Some(name.to_owned()));
        Frame::new(vec![
            ("solved".to_owned(), Values::Flags(vec![Some(true), None, Some(false), Some(true)])),
            ("n_moves".to_owned(), Values::Numbers(vec![Some(8.0), Some(12.0), Some(40.0), None])),
            ("condition".to_owned(), Values::Text([condition.to_vec(), vec![None]].concat())),
        ])
        .unwrap()
    }

    fn kept(conditions: &[&str]) -> Vec<usize> {
        let conditions: Vec<Condition> = conditions.iter().map(|text| text.parse().unwrap()).collect();
        frame().filter(&conditions).unwrap().frame.rows().to_vec()
    }

    #[test]
    fn rows_are_chosen_by_each_kind_of_column() {
        assert_eq!(kept(&["solved=true"]), [1, 4]);
        assert_eq!(kept(&["solved != yes"]), [3]);
        assert_eq!(kept(&["n_moves<=12"]), [1, 2]);
        assert_eq!(kept(&["n_moves > 8", "n_moves<40"]), [2]);
        assert_eq!(kept(&["condition=speed"]), [1, 3]);
        assert_eq!(kept(&["condition!=speed"]), [2]);
        assert_eq!(kept(&["solved>0"]), [1, 4]);
        assert_eq!(kept(&[]), [1, 2, 3, 4]);
    }

    #[test]
    fn rows_without_a_value_are_left_out_and_counted_and_can_be_asked_for() {
        assert_eq!((kept(&["n_moves="]), kept(&["n_moves!="])), (vec![4], vec![1, 2, 3]));
        let filter = |texts: &[&str]| {
            let conditions: Vec<Condition> = texts.iter().map(|text| text.parse().unwrap()).collect();
            let found = frame().filter(&conditions).unwrap();
            (found.n_left_out, found.n_undecided)
        };
        assert_eq!(filter(&["n_moves<=12"]), (2, 1));
        assert_eq!(filter(&["solved=true", "n_moves>=0"]), (3, 2));
        // Row 2 fails the second condition, whatever the first would say of it.
        assert_eq!(filter(&["solved=true", "condition=speed"]), (3, 1));
    }

    #[test]
    fn a_condition_that_no_row_meets_is_told_what_there_is() {
        let filter = |texts: &[&str]| {
            let conditions: Vec<Condition> = texts.iter().map(|text| text.parse().unwrap()).collect();
            frame().filter(&conditions).unwrap_err().to_string()
        };
        assert_eq!(
            filter(&["condition=Speed"]),
            "no row meets condition=Speed; the values of \"condition\" are \"accuracy\", \"speed\""
        );
        assert_eq!(
            filter(&["n_moves>40"]),
            "no row meets n_moves>40; the values of \"n_moves\" are \"8\", \"12\", \"40\""
        );
        assert_eq!(filter(&["n_moves>9", "n_moves<9"]), "no row meets all of n_moves>9, n_moves<9");
        // Where there are no rows, that is what the result says.
        let empty = Frame::new(vec![("n_moves".to_owned(), Values::Numbers(Vec::new()))]).unwrap();
        assert_eq!(empty.filter(&["n_moves>40".parse().unwrap()]).unwrap().n_left_out, 0);
    }

    #[test]
    fn numbers_are_compared_as_numbers_and_large_whole_ones_to_the_last_digit() {
        let written = |texts: [&str; 3]| {
            let cell = |text: &str| Some(Written { number: text.parse().unwrap(), text: text.to_owned() });
            Values::written(texts.map(cell).to_vec())
        };
        let ids = ["90071992547409931", "90071992547409932", "90071992547409933"];
        let columns = vec![("id".to_owned(), written(ids)), ("x".to_owned(), written(["1.10", "1.1", "1e5"]))];
        let frame = Frame::new(columns).unwrap();
        let kept = |text: &str| frame.filter(&[text.parse().unwrap()]).unwrap().frame.rows().to_vec();
        assert_eq!((kept("id=90071992547409932"), kept("id!=90071992547409932")), (vec![2], vec![1, 3]));
        assert_eq!((kept("x=1.1"), kept("x=100000"), kept("x<2")), (vec![1, 2], vec![3], vec![1, 2]));
    }

    #[test]
    fn a_condition_that_makes_no_sense_says_why() {
        let parse = |text: &str| text.parse::<Condition>().unwrap_err().to_string();
        assert!(parse("solved").starts_with("\"solved\" is no condition"));
        assert!(parse("=3").contains("is no condition"));
        assert!(parse("n_moves<").contains("is no condition"));
        assert_eq!(
            parse("n_moves==3"),
            "there is no operator \"==\" (in \"n_moves==3\"); the operators are =, !=, <, <=, > and >="
        );
        assert!(parse("n_moves~3").contains("\"~\""));
        let filter = |text: &str| frame().filter(&[text.parse().unwrap()]).unwrap_err().to_string();
        assert_eq!(
            filter("n_moves>many"),
            "\"n_moves>many\" compares column \"n_moves\" with \"many\", but must compare it with a number"
        );
        assert!(filter("solved=perhaps").contains("true or false"));
        assert_eq!(filter("condition<3"), "column \"condition\" is no number: row 1 holds \"speed\"");
        assert!(filter("moves=3").contains("did you mean \"n_moves\"?"));
    }
}
