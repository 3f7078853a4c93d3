//! Labels: their order, their places, and their pairs.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use crate::not_estimable::NotEstimable;

/// More labels than this are refused where all pairs of them are compared.
pub const MOST_COMPARED: usize = 20;

/// The pairs of `n` labels, unless there are too few or too many.
pub(crate) fn pairs(n: usize) -> Result<Vec<(usize, usize)>, NotEstimable> {
    if n < 2 {
        return Err(NotEstimable::TooFew { quantity: "a comparison", unit: "labels with values", needed: 2, found: n });
    }
    if n > MOST_COMPARED {
        let (quantity, value) = ("the number of labels whose pairs are compared", n.to_string());
        return Err(NotEstimable::OutOfRange { quantity, value, allowed: "at most 20" });
    }
    Ok((0..n).flat_map(|first| (first + 1..n).map(move |second| (first, second))).collect())
}

/// The index of each label.
pub(crate) fn index_of_labels(labels: &[String]) -> HashMap<&str, usize> {
    labels.iter().enumerate().map(|(place, label)| (label.as_str(), place)).collect()
}

/// The different labels in natural order.
pub(crate) fn in_order<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<String> {
    let different: BTreeSet<&str> = labels.collect();
    let mut ordered: Vec<String> = different.into_iter().map(str::to_owned).collect();
    ordered.sort_by(|left, right| natural(left, right));
    ordered
}

/// Numbers by size and before other labels, those by letter.
pub(crate) fn natural(left: &str, right: &str) -> Ordering {
    match (left.parse::<f64>(), right.parse::<f64>()) {
        (Ok(left_number), Ok(right_number)) => left_number.total_cmp(&right_number).then_with(|| left.cmp(right)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => left.cmp(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_are_numbers_are_ordered_by_size() {
        assert_eq!(in_order(["10", "b", "2", "a", "2"].into_iter()), ["2", "10", "a", "b"]);
    }

    #[test]
    fn all_pairs_come_once() {
        assert_eq!(pairs(3).unwrap(), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(pairs(1).unwrap_err().to_string(), "a comparison needs at least 2 labels with values, found 1");
        assert!(pairs(21).unwrap_err().to_string().ends_with("must be at most 20"));
    }
}
