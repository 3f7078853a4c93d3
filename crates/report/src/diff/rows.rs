//! Rows of two tables that belong together: a join on the columns that tell the rows of a table apart.

use plymap_tables::Table;
use polars::prelude::{
    Column, DataFrame, DataFrameJoinOps as _, DataType, GroupsIndicator, IdxSize, JoinArgs, JoinType, PlSmallStr,
    PolarsResult,
};

/// Columns that tell the rows of a log apart.
const LOG_KEYS: [&str; 5] = ["participant", "session", "level", "attempt", "move_index"];

/// The place of a row in each of the two tables, as a column of what is joined.
const ONE: &str = "one";
const OTHER: &str = "other";

/// Rows of two tables, matched on their keys; each row by its place, from 0.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MatchedRows {
    /// The columns on which they were matched. Rows with the same keys were matched in their order.
    pub keys: Vec<String>,
    /// Rows of the first and the second table with the same keys, in the order of the first.
    pub both: Vec<(usize, usize)>,
    /// Rows that the first table alone has.
    pub dropped: Vec<usize>,
    /// Rows that the second table alone has.
    pub added: Vec<usize>,
}

impl MatchedRows {
    /// The rows of these tables.
    ///
    /// # Errors
    ///
    /// If a key cannot be written as text, which the cells of every table can.
    pub fn new(one: &Table, other: &Table) -> PolarsResult<Self> {
        let keys = keys(&one.data, &other.data)?;
        let (first, second) = (numbered(&one.data, &keys, ONE)?, numbered(&other.data, &keys, OTHER)?);
        let on: Vec<PlSmallStr> = first.get_column_names_owned().into_iter().filter(|name| name != ONE).collect();
        let args = JoinArgs { nulls_equal: true, ..JoinArgs::new(JoinType::Full) };
        let joined = first.join(&second, &on, &on, args, None)?;
        let (mut both, mut dropped, mut added) = (Vec::new(), Vec::new(), Vec::new());
        for rows in joined.column(ONE)?.u32()?.iter().zip(joined.column(OTHER)?.u32()?.iter()) {
            match rows {
                (Some(one), Some(other)) => both.push((one as usize, other as usize)),
                (Some(one), None) => dropped.push(one as usize),
                (None, other) => added.extend(other.map(|other| other as usize)),
            }
        }
        both.sort_unstable();
        dropped.sort_unstable();
        added.sort_unstable();
        Ok(Self { keys: keys.into_iter().map(|key| key.to_string()).collect(), both, dropped, added })
    }
}

/// The columns of both tables that tell rows apart: those of a log, and of those from the left, up to the first count
/// or real number, so many as are needed.
fn keys(one: &DataFrame, other: &DataFrame) -> PolarsResult<Vec<PlSmallStr>> {
    let shared = || one.columns().iter().filter(|column| other.column(column.name()).is_ok());
    let is_logged = |column: &&Column| LOG_KEYS.contains(&column.name().as_str());
    let mut keys: Vec<PlSmallStr> = shared().filter(is_logged).map(|column| column.name().clone()).collect();
    let further = shared().take_while(|column| is_label(column)).filter(|column| !is_logged(column));
    for column in further {
        if !keys.is_empty() && is_unique(one, &keys)? && is_unique(other, &keys)? {
            break;
        }
        keys.push(column.name().clone());
    }
    Ok(keys)
}

/// `true` if the values of a column can name rows: text, or whole numbers that are no counts.
fn is_label(column: &Column) -> bool {
    let name = column.name();
    let is_count = name == "n" || name.starts_with("n_");
    column.dtype().is_string() || (column.dtype().is_integer() && !is_count)
}

fn is_unique(data: &DataFrame, keys: &[PlSmallStr]) -> PolarsResult<bool> {
    Ok(data.height() == 0 || data.group_by(keys)?.get_groups().len() == data.height())
}

/// The keys of each row as text, its number among the rows that share them, and its place. What is a number in Parquet
/// may be text in the other table.
fn numbered(data: &DataFrame, keys: &[PlSmallStr], place: &str) -> PolarsResult<DataFrame> {
    let text = |(index, key): (usize, &PlSmallStr)| {
        Ok(data.column(key)?.cast(&DataType::String)?.with_name(index.to_string().into()))
    };
    let mut columns = keys.iter().enumerate().map(text).collect::<PolarsResult<Vec<Column>>>()?;
    let mut numbers: Vec<u32> = (0..data.height() as IdxSize).collect();
    if !keys.is_empty() && data.height() > 0 {
        let groups = data.group_by(keys)?.into_groups();
        for group in groups.iter() {
            let rows = match group {
                GroupsIndicator::Idx((_, rows)) => rows.to_vec(),
                GroupsIndicator::Slice([first, n_rows]) => (first..first + n_rows).collect(),
            };
            rows.into_iter().zip(0..).for_each(|(row, number)| numbers[row as usize] = number);
        }
    }
    columns.push(Column::new("number".into(), numbers));
    columns.push(Column::new(place.into(), (0..data.height() as IdxSize).collect::<Vec<_>>()));
    DataFrame::new(data.height(), columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_tables::{Columns, count, text};

    /// A table of attempts: participant, level, how the attempt ended, and its number of moves.
    fn attempts(rows: &[(&str, Option<&str>, &str, u64)]) -> Table {
        Columns::new()
            .column(rows, text("end", "how it ended"), |row| row.2.to_owned())
            .column(rows, text("participant", "who"), |row| row.0.to_owned())
            .column(rows, text("level", "which"), |row| row.1.map(str::to_owned))
            .column(rows, count("n_moves", "moves"), |row| row.3)
            .into_table("own", "Own.")
    }

    #[test]
    fn rows_are_matched_on_the_columns_of_a_log_and_a_missing_key_equals_a_missing_one() {
        let one = attempts(&[("a", Some("x"), "solved", 1), ("a", None, "solved", 2), ("b", Some("x"), "left", 3)]);
        let other = attempts(&[("b", Some("x"), "solved", 3), ("c", Some("x"), "left", 1), ("a", None, "solved", 2)]);
        let rows = MatchedRows::new(&one, &other).unwrap();
        assert_eq!(rows.keys, ["participant", "level"], "how an attempt ended is needed for no row");
        assert_eq!((rows.both, rows.dropped, rows.added), (vec![(1, 2), (2, 0)], vec![0], vec![1]));
    }

    #[test]
    fn texts_from_the_left_are_keys_where_more_are_needed_and_equal_keys_are_matched_in_order() {
        let one = attempts(&[("a", Some("x"), "solved", 1), ("a", Some("x"), "left", 2), ("a", Some("x"), "left", 3)]);
        let other = attempts(&[("a", Some("x"), "left", 2), ("a", Some("x"), "left", 5)]);
        let rows = MatchedRows::new(&one, &other).unwrap();
        assert_eq!(rows.keys, ["participant", "level", "end"]);
        assert_eq!((rows.both, rows.dropped, rows.added), (vec![(1, 0), (2, 1)], vec![0], vec![]));
    }

    #[test]
    fn tables_without_rows_or_without_names_of_rows_are_matched_in_order() {
        let none = attempts(&[]);
        let some = attempts(&[("a", Some("x"), "solved", 1)]);
        assert_eq!(MatchedRows::new(&some, &none).unwrap().dropped, [0]);
        assert_eq!(MatchedRows::new(&none, &some).unwrap().added, [0]);
        let counts =
            |counts: &[u64]| Columns::new().column(counts, count("n", "a count"), |n| *n).into_table("own", "Own.");
        let rows = MatchedRows::new(&counts(&[1, 2, 3]), &counts(&[2, 3])).unwrap();
        assert_eq!((rows.keys.len(), rows.both, rows.dropped), (0, vec![(0, 0), (1, 1)], vec![2]));
    }
}
