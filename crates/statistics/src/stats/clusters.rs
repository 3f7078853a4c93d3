//! Rows that belong to the same participant, level or other group.

use std::collections::HashMap;
use std::hash::Hash;

/// The row numbers of each group, groups in the order in which they first appear.
pub(super) fn rows_by_group<G: Eq + Hash>(groups: &[G]) -> Vec<Vec<usize>> {
    let mut numbers = HashMap::new();
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for (row, group) in groups.iter().enumerate() {
        let number = *numbers.entry(group).or_insert(rows.len());
        if number == rows.len() {
            rows.push(Vec::new());
        }
        rows[number].push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_come_in_the_order_of_their_first_row() {
        assert_eq!(rows_by_group(&["b", "a", "b"]), [vec![0, 2], vec![1]]);
        assert!(rows_by_group::<u32>(&[]).is_empty());
    }
}
