//! Conditions that choose rows: expressions such as `solved and n_moves <= 100`.

use plymap_expression::{Expression, Value};

use crate::estimator::error::EstimatorError;
use crate::estimator::frame::{Frame, Values};
use crate::estimator::labels::in_order;

/// Limit on the values of a column that are named where none of them meets a condition.
const MOST_NAMED: usize = 10;

/// The rows that meet all conditions, and of how many others that is open.
#[derive(Clone, Debug, PartialEq)]
pub struct Filtered {
    /// The rows that meet them.
    pub frame: Frame,
    /// Number of the others without a value in a column that a condition asks for, that do not fail another one.
    pub n_undecided: usize,
}

impl Frame {
    /// The rows that meet all conditions.
    ///
    /// # Errors
    ///
    /// [`EstimatorError`] if a condition names no column, or has a text where it needs a number; if a condition holds in
    /// no row, or all together do.
    pub fn filter(&self, conditions: &[Expression]) -> Result<Filtered, EstimatorError> {
        let mut verdicts = vec![Some(true); self.n_rows()];
        for condition in conditions {
            let of_condition = self.verdicts(condition)?;
            if !of_condition.is_empty() && !of_condition.contains(&Some(true)) {
                return Err(self.unmet(condition)?);
            }
            for (verdict, truth) in verdicts.iter_mut().zip(of_condition) {
                *verdict = match (*verdict, truth) {
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
        Ok(Filtered { n_undecided: verdicts.iter().filter(|verdict| verdict.is_none()).count(), frame: self.at(&kept) })
    }

    /// Returns, for each row, true if it meets the condition; `None` where what is missing leaves it open.
    fn verdicts(&self, condition: &Expression) -> Result<Vec<Option<bool>>, EstimatorError> {
        let mut columns = Vec::new();
        for (place, name) in condition.names().enumerate() {
            let near = match self.values(name) {
                Ok(values) => {
                    columns.push(values);
                    continue;
                }
                Err(EstimatorError::UnknownColumn { nearest, .. }) => nearest,
                Err(error) => return Err(error),
            };
            return Err(EstimatorError::Condition(Box::new(
                condition.unknown(place, near.first().map(String::as_str)),
            )));
        }
        (0..self.n_rows())
            .map(|row| {
                let cell = |place: usize| value(columns[place], row);
                let decided = condition.decide(&cell);
                decided.map_err(|trouble| EstimatorError::Condition(Box::new(condition.explain(&trouble))))
            })
            .collect()
    }

    /// Returns the error that no row meets the condition, with the values that there are if it is on one column.
    fn unmet(&self, condition: &Expression) -> Result<EstimatorError, EstimatorError> {
        let mut names = condition.names();
        let (Some(column), None) = (names.next(), names.next()) else {
            return Ok(EstimatorError::NothingMeetsAll { conditions: vec![condition.to_string()] });
        };
        let texts = self.text(column)?;
        let mut labels = in_order(texts.iter().flatten().map(String::as_str));
        let n_more = labels.len().saturating_sub(MOST_NAMED);
        labels.truncate(MOST_NAMED);
        let (condition, column) = (condition.to_string(), column.to_owned());
        Ok(EstimatorError::NothingMeets { condition, column, found: labels, n_more })
    }
}

/// A cell as expressions read it. Numbers that were written otherwise than they are written here stay texts, which are
/// numbers where they are compared with one.
fn value(values: &Values, row: usize) -> Value<'_> {
    match values {
        Values::Numbers(values) => values[row].map_or(Value::Missing, Value::from),
        Values::Written(values) => Value::from(values[row].as_ref().map(|written| written.text.as_str())),
        Values::Text(values) => Value::from(values[row].as_deref()),
        Values::Flags(values) => values[row].map_or(Value::Missing, Value::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::frame::Written;

    fn frame() -> Frame {
        let condition = ["speed", "accuracy", "speed"].map(|name| Some(name.to_owned()));
        Frame::new(vec![
            ("solved".to_owned(), Values::Flags(vec![Some(true), None, Some(false), Some(true)])),
            ("n_moves".to_owned(), Values::Numbers(vec![Some(8.0), Some(12.0), Some(40.0), None])),
            ("condition".to_owned(), Values::Text([condition.to_vec(), vec![None]].concat())),
        ])
        .unwrap()
    }

    fn conditions(texts: &[&str]) -> Vec<Expression> {
        texts.iter().map(|text| Expression::parse(text).unwrap()).collect()
    }

    fn kept(texts: &[&str]) -> Vec<usize> {
        frame().filter(&conditions(texts)).unwrap().frame.rows().to_vec()
    }

    #[test]
    fn rows_are_chosen_by_each_kind_of_column() {
        assert_eq!(kept(&["solved=true"]), [1, 4]);
        assert_eq!(kept(&["solved"]), [1, 4]);
        assert_eq!(kept(&["solved != true"]), [3]);
        assert_eq!(kept(&["n_moves<=12"]), [1, 2]);
        assert_eq!(kept(&["n_moves > 8", "n_moves<40"]), [2]);
        assert_eq!(kept(&["n_moves > 8 and n_moves<40"]), [2]);
        assert_eq!(kept(&["condition == 'speed'"]), [1, 3]);
        assert_eq!(kept(&["condition != 'speed'"]), [2]);
        assert_eq!(kept(&["solved > 0"]), [1, 4]);
        assert_eq!(kept(&["n_moves / 4 == 2 or condition in ['accuracy']"]), [1, 2]);
        assert_eq!(kept(&[]), [1, 2, 3, 4]);
    }

    #[test]
    fn rows_without_a_value_are_left_out_and_counted_and_can_be_asked_for() {
        assert_eq!((kept(&["n_moves is missing"]), kept(&["n_moves is not missing"])), (vec![4], vec![1, 2, 3]));
        let filter = |texts: &[&str]| {
            let filtered = frame().filter(&conditions(texts)).unwrap();
            (filtered.frame.n_rows(), filtered.n_undecided)
        };
        assert_eq!(filter(&["n_moves<=12"]), (2, 1));
        assert_eq!(filter(&["solved=true", "n_moves>=0"]), (1, 2));
        // Row 2 fails the second condition, whatever the first would say of it.
        assert_eq!(filter(&["solved=true", "condition='speed'"]), (1, 1));
    }

    #[test]
    fn a_condition_that_no_row_meets_is_told_what_there_is() {
        let filter = |texts: &[&str]| frame().filter(&conditions(texts)).unwrap_err().to_string();
        assert_eq!(
            filter(&["condition='Speed'"]),
            "no row meets condition='Speed'; the values of \"condition\" are \"accuracy\", \"speed\""
        );
        assert_eq!(
            filter(&["n_moves>40"]),
            "no row meets n_moves>40; the values of \"n_moves\" are \"8\", \"12\", \"40\""
        );
        assert_eq!(filter(&["n_moves>9", "n_moves<9"]), "no row meets all of n_moves>9, n_moves<9");
        // Where there are no rows, that is what the result says.
        let empty = Frame::new(vec![("n_moves".to_owned(), Values::Numbers(Vec::new()))]).unwrap();
        assert_eq!(empty.filter(&conditions(&["n_moves>40"])).unwrap().frame.n_rows(), 0);
    }

    #[test]
    fn numbers_are_compared_as_numbers_and_large_whole_ones_as_text_to_the_last_digit() {
        let written = |texts: [&str; 3]| {
            let cell = |text: &str| Some(Written { number: text.parse().unwrap(), text: text.to_owned() });
            Values::written(texts.map(cell).to_vec())
        };
        let ids = ["90071992547409931", "90071992547409932", "90071992547409933"];
        let columns = vec![("id".to_owned(), written(ids)), ("x".to_owned(), written(["1.10", "1.1", "1e5"]))];
        let frame = Frame::new(columns).unwrap();
        let kept = |text: &str| frame.filter(&conditions(&[text])).unwrap().frame.rows().to_vec();
        assert_eq!((kept("id='90071992547409932'"), kept("id!='90071992547409932'")), (vec![2], vec![1, 3]));
        assert_eq!((kept("x=1.1"), kept("x=100000"), kept("x<2")), (vec![1, 2], vec![3], vec![1, 2]));
    }

    #[test]
    fn a_condition_that_makes_no_sense_says_why() {
        let filter = |text: &str| frame().filter(&conditions(&[text])).unwrap_err().to_string();
        assert!(filter("condition < 3").starts_with("\"speed\" is not a number"), "{}", filter("condition < 3"));
        assert!(filter("moves=3").starts_with("there is no column \"moves\"; did you mean \"n_moves\"?"));
        // Without quotes a word is a column.
        assert!(filter("condition = speed").contains("a text is written in quotes, as in \"speed\""));
    }
}
