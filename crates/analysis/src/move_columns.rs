//! Columns of single moves that analyses add to the table `moves`, behind those of the log and its labels.

use std::collections::HashMap;

use polars::prelude::Column;
use serde::{Deserialize, Serialize};

use plymap_measures::label::keep_logged;
use plymap_tables::{ColumnDoc, Table};

/// Columns of the table `moves` that an analysis made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveColumns {
    /// Numbers of the rows of the table that have values, from 0, rising.
    pub rows: Vec<u32>,
    /// The columns.
    pub columns: Vec<MoveColumn>,
}

/// A column of the table `moves`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveColumn {
    /// Its name.
    pub name: String,
    /// Meaning of its values.
    pub meaning: String,
    /// Type of its values.
    pub kind: CellKind,
    /// A value for each row that has one; NaN where it has none in this column.
    pub values: Vec<f64>,
}

/// Type of the values of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CellKind {
    /// Places in this list of labels.
    Label(Vec<String>),
    /// 1 for yes, 0 for no.
    Flag,
    /// Whole numbers.
    Whole,
    /// Numbers, in this unit.
    Number(String),
}

impl MoveColumns {
    /// The values of one column by row.
    pub fn by_row(&self, name: &str) -> HashMap<u32, f64> {
        let column = self.columns.iter().find(|column| column.name == name);
        let values = column.into_iter().flat_map(|column| self.rows.iter().copied().zip(column.values.iter().copied()));
        values.filter(|(_, value)| !value.is_nan()).collect()
    }

    /// The table `moves` with these columns, behind all others. `numbers` are those of its rows here, rising where they are
    /// known; `empty` are the columns of the log without any value.
    pub fn added_to(&self, moves: &Table, numbers: &[Option<u32>], empty: &[String]) -> Table {
        let mut table = moves.clone();
        let place = |number: &Option<u32>| self.rows.binary_search(&(*number)?).ok();
        let places: Vec<Option<usize>> = numbers.iter().map(place).collect();
        for column in &self.columns {
            column.add_to(&mut table, &places, empty);
        }
        table
    }
}

impl MoveColumn {
    fn add_to(&self, table: &mut Table, places: &[Option<usize>], empty: &[String]) {
        let name = &self.name;
        match keep_logged(&mut table.data, name, empty.iter().any(|column| column == name)) {
            Some(kept) => {
                table.columns.iter_mut().filter(|doc| doc.name == *name).for_each(|doc| doc.name = kept.clone());
            }
            None => table.columns.retain(|doc| doc.name != *name),
        }
        let values = || places.iter().map(|place| Some(self.values[(*place)?]).filter(|value| !value.is_nan()));
        let mut doc = ColumnDoc::new(name, &self.meaning);
        let column = match &self.kind {
            CellKind::Label(labels) => {
                doc = doc.levels(&labels.iter().map(String::as_str).collect::<Vec<_>>());
                let texts: Vec<Option<&str>> =
                    values().map(|value| labels.get(value? as usize).map(String::as_str)).collect();
                Column::new(name.into(), texts)
            }
            CellKind::Flag => {
                Column::new(name.into(), values().map(|value| Some(value? != 0.0)).collect::<Vec<Option<bool>>>())
            }
            CellKind::Whole => {
                Column::new(name.into(), values().map(|value| Some(value? as i64)).collect::<Vec<Option<i64>>>())
            }
            CellKind::Number(unit) => {
                doc = if unit.is_empty() { doc } else { doc.unit(unit) };
                Column::new(name.into(), values().collect::<Vec<Option<f64>>>())
            }
        };
        table.data.with_column(column).expect("there is a value for each row");
        table.columns.push(doc);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Cells, check_cells};
    use plymap_tables::Columns;
    use plymap_tables::Named;
    use plymap_tables::{count, text};

    fn moves() -> Columns {
        Columns::new().column(&[4u64, 5, 6], count("ply", "number of the move"), |ply| *ply)
    }

    fn phases(rows: &[u32], values: &[f64]) -> MoveColumns {
        let kind = CellKind::Label(["thinking", "acting"].map(str::to_owned).to_vec());
        let column = MoveColumn { name: "phase".into(), meaning: "a phase".into(), kind, values: values.to_vec() };
        MoveColumns { rows: rows.to_vec(), columns: vec![column] }
    }

    const NUMBERS: [Option<u32>; 3] = [Some(0), Some(1), Some(2)];

    #[test]
    fn rows_without_a_value_are_empty() {
        let table = moves().into_table("moves", "Moves.");
        let columns = phases(&[0, 2, 9], &[1.0, 0.0, 1.0]);
        let with = columns.added_to(&table, &NUMBERS, &[]);
        check_cells(&with);
        let expected = [Some("acting"), None, Some("thinking")].map(|phase| phase.map(str::to_owned));
        assert_eq!(with.cells("phase"), expected);
        let names: Vec<&str> = with.columns.iter().map(|doc| doc.name.as_str()).collect();
        assert_eq!(names, ["ply", "phase"]);
        let part = columns.added_to(&table, &[Some(9), None, Some(1)], &[]);
        assert_eq!(part.cells("phase"), [Some("acting".to_owned()), None, None]);
        assert_eq!(columns.by_row("phase"), HashMap::from([(0, 1.0), (2, 0.0), (9, 1.0)]));
    }

    #[test]
    fn a_logged_column_of_this_name_is_kept_beside_it() {
        let values = ["a", "b", "c"];
        let table = moves().column(&values, text("phase", "a column of the log"), |value| (*value).to_owned());
        let table = table.into_table("moves", "Moves.");
        let with = phases(&[], &[]).added_to(&table, &NUMBERS, &[]);
        check_cells(&with);
        assert_eq!(with.cells("log_phase"), values.map(|value| Some(value.to_owned())));
        assert_eq!(with.cells("phase"), [None, None, None]);
        let names: Vec<&str> = with.columns.iter().map(|doc| doc.name.as_str()).collect();
        assert_eq!(names, ["ply", "log_phase", "phase"]);
        assert_eq!(with.data.get_column_names_owned().iter().map(|name| name.as_str()).collect::<Vec<_>>(), names);
    }

    #[test]
    fn cells_are_of_their_kind() {
        let column = |name: &str, kind, values: [f64; 3]| MoveColumn {
            name: name.into(),
            meaning: "a column".into(),
            kind,
            values: values.to_vec(),
        };
        let columns = vec![
            column("flag", CellKind::Flag, [1.0, 0.0, f64::NAN]),
            column("whole", CellKind::Whole, [3.0, f64::NAN, 7.0]),
            column("number", CellKind::Number("bit".into()), [0.5, 1.25, f64::NAN]),
        ];
        let with = MoveColumns { rows: vec![0, 1, 2], columns }.added_to(
            &moves().into_table("moves", "Moves."),
            &NUMBERS,
            &[],
        );
        check_cells(&with);
        assert_eq!(with.number_at(1, Named("number")), Some(1.25));
        assert_eq!((with.number_at(0, Named("whole")), with.number_at(1, Named("whole"))), (Some(3.0), None));
        assert_eq!(with.columns[3].unit, "bit");
    }
}
