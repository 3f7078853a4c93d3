//! Rows of two tables that belong together: a join on the columns that tell the rows of a table apart.

use plymap_tables::Table;
use polars::prelude::{
    Column, DataFrame, DataFrameJoinOps as _, DataType, GroupsIndicator, IdxSize, IntoColumn as _, JoinArgs, JoinType,
    PlSmallStr, PolarsResult, StringChunked,
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
    /// Matches the rows of these tables.
    ///
    /// # Errors
    ///
    /// If a key cannot be written as text, which the cells of every table can.
    pub fn new(left: &Table, right: &Table) -> PolarsResult<Self> {
        let mut texts = Texts { data: [&left.data, &right.data], texts: [DataFrame::empty(), DataFrame::empty()] };
        let keys = texts.label_keys()?;
        let in_order = texts.matched(&keys)?;
        let Some(further) = texts.further_keys(&keys)? else { return Ok(in_order) };
        let keyed = texts.matched(&[keys, further.clone()].concat())?;
        // A row that one table alone has counts as one that differs, as does a pair with other further keys.
        let n_same = texts.n_same(&further, &in_order.both)?;
        Ok(if 2 * keyed.both.len() >= in_order.both.len() + n_same { keyed } else { in_order })
    }
}

/// Keys of two tables as text: what is a whole number in one may be text or a real number in the other.
struct Texts<'a> {
    data: [&'a DataFrame; 2],
    /// The columns that were needed so far.
    texts: [DataFrame; 2],
}

impl Texts<'_> {
    /// The columns that both tables have, in the order of the first.
    fn shared(&self) -> impl Iterator<Item = (&Column, &Column)> {
        let [left, right] = self.data;
        left.columns().iter().filter_map(|column| Some((column, right.column(column.name()).ok()?)))
    }

    /// Those of the labels that stand first which tell rows apart: those of a log, and as many others as are needed.
    fn label_keys(&mut self) -> PolarsResult<Vec<PlSmallStr>> {
        let labels = self.shared().take_while(|(left, right)| is_label(left) || is_label(right));
        let labels: Vec<PlSmallStr> = labels.map(|(column, _)| column.name().clone()).collect();
        let (mut keys, others): (Vec<_>, Vec<_>) =
            labels.into_iter().partition(|label| LOG_KEYS.contains(&label.as_str()));
        keys.iter().try_for_each(|key| self.add(key))?;
        for label in others {
            if !keys.is_empty() && self.is_unique(&keys)? {
                break;
            }
            self.add(&label)?;
            keys.push(label);
        }
        Ok(keys)
    }

    /// The columns that tell rows with the same keys apart, as few as are needed, from the left; none if
    /// keys are unique, or if rows are the same in all columns.
    fn further_keys(&mut self, keys: &[PlSmallStr]) -> PolarsResult<Option<Vec<PlSmallStr>>> {
        let names: Vec<_> = self.shared().map(|(column, _)| column.name().clone()).collect();
        let mut all = keys.to_vec();
        let mut n_groups = self.n_groups(&all)?;
        for name in names.into_iter().filter(|name| !keys.contains(name)) {
            if n_groups == self.n_rows() {
                break;
            }
            self.add(&name)?;
            all.push(name);
            let n_more = self.n_groups(&all)?;
            if n_more == n_groups {
                all.pop();
            }
            n_groups = n_more;
        }
        if n_groups != self.n_rows() || all.len() == keys.len() {
            return Ok(None);
        }
        // What a column on the left tells apart, such as a count, one behind it may tell apart too.
        let mut place = keys.len();
        while place < all.len() {
            let name = all.remove(place);
            if !self.is_unique(&all)? {
                all.insert(place, name);
                place += 1;
            }
        }
        Ok(Some(all.split_off(keys.len())))
    }

    fn add(&mut self, key: &PlSmallStr) -> PolarsResult<()> {
        for (data, texts) in self.data.iter().zip(&mut self.texts) {
            let text = key_text(data.column(key)?)?;
            if texts.width() == 0 {
                *texts = text.into_frame();
            } else {
                texts.with_column(text)?;
            }
        }
        Ok(())
    }

    fn n_rows(&self) -> [usize; 2] {
        self.data.map(DataFrame::height)
    }

    /// Number of rows of each table with different keys.
    fn n_groups(&self, keys: &[PlSmallStr]) -> PolarsResult<[usize; 2]> {
        let mut n_groups = self.n_rows();
        for (n, texts) in n_groups.iter_mut().zip(&self.texts).filter(|(n, _)| **n > 0) {
            *n = if keys.is_empty() { 1 } else { texts.group_by(keys)?.get_groups().len() };
        }
        Ok(n_groups)
    }

    fn is_unique(&self, keys: &[PlSmallStr]) -> PolarsResult<bool> {
        Ok(self.n_groups(keys)? == self.n_rows())
    }

    /// Number of these rows whose keys are the same in both tables.
    fn n_same(&self, keys: &[PlSmallStr], rows: &[(usize, usize)]) -> PolarsResult<usize> {
        let [left, right] = &self.texts;
        let columns = keys.iter().map(|key| Ok((left.column(key)?.str()?, right.column(key)?.str()?)));
        let columns = columns.collect::<PolarsResult<Vec<_>>>()?;
        let is_same =
            |&&(row, with): &&(usize, usize)| columns.iter().all(|(left, right)| left.get(row) == right.get(with));
        Ok(rows.iter().filter(is_same).count())
    }

    /// The rows with the same keys; those that share them within a table in their order.
    fn matched(&self, keys: &[PlSmallStr]) -> PolarsResult<MatchedRows> {
        let [left, right] = [(0, ONE), (1, OTHER)].map(|(table, place)| self.numbered(table, keys, place));
        let (first, second) = (left?, right?);
        let on: Vec<PlSmallStr> = first.get_column_names_owned().into_iter().filter(|name| name != ONE).collect();
        let args = JoinArgs { nulls_equal: true, ..JoinArgs::new(JoinType::Full) };
        let joined = first.join(&second, &on, &on, args, None)?;
        let (mut both, mut dropped, mut added) = (Vec::new(), Vec::new(), Vec::new());
        for rows in joined.column(ONE)?.u32()?.iter().zip(joined.column(OTHER)?.u32()?.iter()) {
            match rows {
                (Some(left), Some(right)) => both.push((left as usize, right as usize)),
                (Some(left), None) => dropped.push(left as usize),
                (None, right) => added.extend(right.map(|right| right as usize)),
            }
        }
        both.sort_unstable();
        dropped.sort_unstable();
        added.sort_unstable();
        Ok(MatchedRows { keys: keys.iter().map(ToString::to_string).collect(), both, dropped, added })
    }

    /// The keys of each row of a table, its number among the rows that share them, and its place.
    fn numbered(&self, table: usize, keys: &[PlSmallStr], place: &str) -> PolarsResult<DataFrame> {
        let (texts, n_rows) = (&self.texts[table], self.data[table].height());
        let text =
            |(index, key): (usize, &PlSmallStr)| Ok(texts.column(key)?.clone().with_name(index.to_string().into()));
        let mut columns = keys.iter().enumerate().map(text).collect::<PolarsResult<Vec<Column>>>()?;
        let mut numbers: Vec<u32> = (0..n_rows as IdxSize).collect();
        if !keys.is_empty() && n_rows > 0 {
            let groups = texts.group_by(keys)?.into_groups();
            for group in groups.iter() {
                let rows = match group {
                    GroupsIndicator::Idx((_, rows)) => rows.to_vec(),
                    GroupsIndicator::Slice([first, n_rows]) => (first..first + n_rows).collect(),
                };
                rows.into_iter().zip(0..).for_each(|(row, number)| numbers[row as usize] = number);
            }
        }
        columns.push(Column::new("number".into(), numbers));
        columns.push(Column::new(place.into(), (0..n_rows as IdxSize).collect::<Vec<_>>()));
        DataFrame::new(n_rows, columns)
    }
}

/// `true` if the values of a column can name rows: text, or whole numbers that are no counts.
fn is_label(column: &Column) -> bool {
    let name = column.name();
    let is_count = name == "n" || name.starts_with("n_");
    column.dtype().is_string() || (column.dtype().is_integer() && !is_count)
}

/// The values of a key as text: whole numbers without decimals, and the empty text as a missing value.
fn key_text(column: &Column) -> PolarsResult<Column> {
    let text = column.cast(&DataType::String)?;
    let texts = text.str()?.iter().map(|text| text.filter(|text| !text.is_empty()));
    let texts: StringChunked = if column.dtype().is_float() {
        let numbers = column.cast(&DataType::Float64)?;
        let whole = |x: f64| (x.fract() == 0.0 && x.abs() < 1e18).then(|| (x as i64).to_string());
        let texts = texts.zip(numbers.f64()?.iter());
        texts.map(|(text, x)| x.and_then(whole).or_else(|| text.map(str::to_owned))).collect()
    } else {
        texts.collect()
    };
    Ok(texts.into_column().with_name(column.name().clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_tables::{Columns, count, number, text};
    use polars::prelude::{NamedFrom as _, Series};

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
        let left = attempts(&[("a", Some("x"), "solved", 1), ("a", None, "solved", 2), ("b", Some("x"), "left", 3)]);
        let right = attempts(&[("b", Some("x"), "solved", 3), ("c", Some("x"), "left", 1), ("a", None, "solved", 2)]);
        let rows = MatchedRows::new(&left, &right).unwrap();
        assert_eq!(rows.keys, ["participant", "level"], "how an attempt ended is needed for no row");
        assert_eq!((rows.both, rows.dropped, rows.added), (vec![(1, 2), (2, 0)], vec![0], vec![1]));
    }

    #[test]
    fn texts_from_the_left_are_keys_where_more_are_needed_and_equal_keys_are_matched_in_order() {
        let left = attempts(&[("a", Some("x"), "solved", 1), ("a", Some("x"), "left", 2), ("a", Some("x"), "left", 3)]);
        let right = attempts(&[("a", Some("x"), "left", 2), ("a", Some("x"), "left", 5)]);
        let rows = MatchedRows::new(&left, &right).unwrap();
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
        let rows = MatchedRows::new(&counts(&[1, 2, 3]), &counts(&[4, 5])).unwrap();
        assert_eq!((rows.keys.len(), rows.both, rows.dropped), (0, vec![(0, 0), (1, 1)], vec![2]));
        let rows = MatchedRows::new(&counts(&[1, 2, 2]), &counts(&[2, 2])).unwrap();
        assert_eq!((rows.keys.len(), rows.both, rows.dropped), (0, vec![(0, 0), (1, 1)], vec![2]), "no row has a name");
        let rows = MatchedRows::new(&counts(&[1, 2, 3]), &counts(&[2, 3])).unwrap();
        assert_eq!((&rows.keys[..], rows.both, rows.dropped), (&["n".to_owned()][..], vec![(1, 0), (2, 1)], vec![0]));
    }

    #[test]
    fn results_that_have_the_name_of_a_column_of_a_log_are_no_keys() {
        let diagnostics = |rows: &[(&str, u64, &str)]| {
            Columns::new()
                .column(rows, text("model", "which"), |row| row.0.to_owned())
                .column(rows, count("n", "observations"), |row| row.1)
                .column(rows, text("participant", "the most influential one"), |row| row.2.to_owned())
                .into_table("own", "Own.")
        };
        let rows = MatchedRows::new(
            &diagnostics(&[("x", 1, "a"), ("y", 2, "b"), ("z", 3, "c")]),
            &diagnostics(&[("x", 1, "b"), ("z", 3, "a")]),
        );
        let rows = rows.unwrap();
        assert_eq!((&rows.keys[..], rows.both), (&["model".to_owned()][..], vec![(0, 0), (2, 1)]));
        assert_eq!((rows.dropped, rows.added), (vec![1], vec![]));
    }

    #[test]
    fn an_empty_key_is_a_missing_one_and_a_whole_number_is_one_with_decimals() {
        let left = attempts(&[("a", Some(""), "solved", 1), ("a", Some("x"), "left", 2)]);
        let right = attempts(&[("a", Some("x"), "left", 2), ("a", None, "solved", 1)]);
        assert_eq!(MatchedRows::new(&left, &right).unwrap().both, [(0, 1), (1, 0)]);
        let numbered = |numbers: Series| {
            let mut table = attempts(&[("a", Some("x"), "left", 1); 3]);
            table.data = numbers.with_name("bin".into()).into_frame();
            table
        };
        let whole = numbered(Series::new("".into(), [-1_i64, 0, 12]));
        let real = numbered(Series::new("".into(), [12.0, -1.0, -0.0]));
        for (left, right, both) in
            [(&whole, &real, [(0, 1), (1, 2), (2, 0)]), (&real, &whole, [(0, 2), (1, 0), (2, 1)])]
        {
            let rows = MatchedRows::new(left, right).unwrap();
            assert_eq!((&rows.keys[..], &rows.both[..]), (&["bin".to_owned()][..], &both[..]));
        }
    }

    /// A curve: group, number of observations, place, and value.
    fn curve(rows: &[(&str, u64, f64, f64)]) -> Table {
        Columns::new()
            .column(rows, text("group", "which"), |row| row.0.to_owned())
            .column(rows, count("n", "observations"), |row| row.1)
            .column(rows, number("x", "where"), |row| row.2)
            .column(rows, number("y", "how much"), |row| row.3)
            .into_table("own", "Own.")
    }

    #[test]
    fn numbers_are_keys_where_rows_repeat_without_them_and_fewer_rows_differ_with_them() {
        let points: Vec<_> = (0..9_u32).map(|place| ("a", u64::from(place) / 2, f64::from(place) / 4.0, 1.0)).collect();
        let (whole, mut fewer) = (curve(&points), points.clone());
        fewer.remove(2);
        let rows = MatchedRows::new(&whole, &curve(&fewer)).unwrap();
        assert_eq!((rows.keys, rows.both.len()), (vec!["group".to_owned(), "x".to_owned()], 8), "n is not needed");
        assert_eq!((rows.dropped, rows.added), (vec![2], vec![]));
        let mut changed = points.clone();
        changed[4].3 = 2.0;
        assert_eq!(MatchedRows::new(&whole, &curve(&changed)).unwrap().keys, ["group", "x"]);
        // A value of a key differs, or all do: as many rows are there, so they are the same ones.
        changed[4].2 = 1.01;
        let shifted: Vec<_> = points.iter().map(|row| (row.0, row.1, row.2 + 0.25, row.3)).collect();
        let apart: Vec<_> = points.iter().map(|row| (row.0, row.1, row.2 + 0.1, row.3)).collect();
        for (other, is_in_order) in [(changed, true), (apart, true), (shifted, false)] {
            let rows = MatchedRows::new(&whole, &curve(&other)).unwrap();
            assert_eq!(rows.keys.len() == 1, is_in_order, "{:?}", rows);
            assert_eq!(rows.both.len(), if is_in_order { 9 } else { 8 });
        }
    }
}
