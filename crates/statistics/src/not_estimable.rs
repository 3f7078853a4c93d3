//! Reasons why a quantity cannot be estimated, and checks of the values that estimators get.

use serde::Serialize;

/// `at least 3 pairs, found 1`, or `pairs, found none` where one would do.
fn too_few(needed: usize, n: usize, unit: &str) -> String {
    match (needed, n) {
        (1, 0) => format!("{unit}, found none"),
        _ => format!("at least {needed} {unit}, found {n}"),
    }
}

/// Reason why a quantity could not be estimated; its `Display` is a phrase for a table's `reason` column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum NotEstimable {
    /// There are fewer observations than the formula needs.
    #[error("{quantity} needs {}", too_few(*.needed, *.found, .unit))]
    TooFew {
        /// The quantity that could not be estimated.
        quantity: &'static str,
        /// The unit that is counted, in the plural.
        unit: &'static str,
        /// The smallest number that would do.
        needed: usize,
        /// The number that is there.
        found: usize,
    },
    /// All values of a variable are equal.
    #[error("all values of {variable} are equal")]
    NoVariance {
        /// The variable.
        variable: &'static str,
    },
    /// A value is NaN, infinite, or so large that its powers would overflow.
    #[error("{variable} holds {value} at position {index} (from 0), which cannot be computed with; remove it before")]
    NotFinite {
        /// The variable.
        variable: &'static str,
        /// The value, as text because NaN has no JSON form.
        value: String,
        /// Its index in the slice, from 0.
        index: usize,
    },
    /// Slices that belong together differ in length.
    #[error("{left_name} has {left} values but {right_name} has {right}; they must be paired")]
    UnequalLengths {
        /// Name of the first slice.
        left_name: &'static str,
        /// Length of the first slice.
        left: usize,
        /// Name of the second slice.
        right_name: &'static str,
        /// Length of the second slice.
        right: usize,
    },
    /// An argument is outside the values that make sense.
    #[error("{quantity} is {value}, but must be {allowed}")]
    OutOfRange {
        /// The argument.
        quantity: &'static str,
        /// Its value.
        value: String,
        /// The values that it may take.
        allowed: &'static str,
    },
    /// The method breaks down on these data.
    #[error("{quantity} is not defined here: {why}")]
    Undefined {
        /// The quantity that could not be estimated.
        quantity: &'static str,
        /// The cause.
        why: String,
    },
}

/// Values beyond this are refused: their third powers, summed, would leave the range of `f64`.
const LARGEST_MAGNITUDE: f64 = 1e100;

/// Refuses values that no estimator can work with.
pub(crate) fn check_values(variable: &'static str, values: &[f64]) -> Result<(), NotEstimable> {
    match values.iter().position(|value| value.is_nan() || value.abs() > LARGEST_MAGNITUDE) {
        Some(index) => Err(NotEstimable::NotFinite { variable, value: values[index].to_string(), index }),
        None => Ok(()),
    }
}

/// Refuses pairs of unequal length, or with values that no estimator can work with.
pub(crate) fn check_pairs(x: &[f64], y: &[f64]) -> Result<(), NotEstimable> {
    if x.len() != y.len() {
        let (left, right) = (x.len(), y.len());
        return Err(NotEstimable::UnequalLengths { left_name: "x", left, right_name: "y", right });
    }
    check_values("x", x)?;
    check_values("y", y)
}

/// Refuses two samples with values that no estimator can work with.
pub(crate) fn check_samples(x: &[f64], y: &[f64]) -> Result<(), NotEstimable> {
    check_values("x", x)?;
    check_values("y", y)
}

/// Refuses samples that are too small.
pub fn check_count(
    quantity: &'static str,
    unit: &'static str,
    found: usize,
    needed: usize,
) -> Result<(), NotEstimable> {
    if found < needed { Err(NotEstimable::TooFew { quantity, unit, needed, found }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_is_said_in_the_number_that_is_needed() {
        let said = |n, needed| check_count("a median", "values", n, needed).unwrap_err().to_string();
        assert_eq!(said(0, 1), "a median needs values, found none");
        assert_eq!(said(1, 3), "a median needs at least 3 values, found 1");
    }

    #[test]
    fn a_reason_can_be_read_and_be_sorted_by_its_code() {
        let reason = check_count("Pearson's r", "pairs", 2, 3).unwrap_err();
        assert_eq!(reason.to_string(), "Pearson's r needs at least 3 pairs, found 2");
        assert_eq!(serde_json::to_value(&reason).unwrap()["code"], "too-few");
        assert_eq!(
            check_values("x", &[1.0, f64::NAN]).unwrap_err().to_string().split(',').next().unwrap(),
            "x holds NaN at position 1 (from 0)"
        );
    }
}
