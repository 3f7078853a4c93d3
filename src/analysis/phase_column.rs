//! The column `phase` of the table `moves`: which moves were made while thinking, and which while acting.

use std::collections::HashMap;

use polars::prelude::Column;

use crate::label::keep_logged;
use crate::table::{ColumnDoc, Table};
use plymap_statistics::phase::Mode;

/// Whether moves were made while thinking or while acting, by their rows in the table `moves`.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MovePhases {
    /// Number of a row of the table, from 0, and what its move was made while; numbers rise.
    pub rows: Vec<(u32, Mode)>,
}

impl MovePhases {
    /// The phases of rows of another table, each with its number here, if it has one; numbers rise.
    pub(crate) fn of_rows(&self, numbers: &[Option<u32>]) -> Self {
        let mut known = numbers.iter().flatten();
        let modes: HashMap<u32, Mode> = match known.next() {
            Some(first) => {
                let last = known.next_back().unwrap_or(first);
                let below = |most: &u32| self.rows.partition_point(|(row, _)| row < most);
                let end = self.rows.partition_point(|(row, _)| row <= last);
                self.rows[below(first)..end].iter().copied().collect()
            }
            None => HashMap::new(),
        };
        let rows = numbers.iter().enumerate().filter_map(|(row, number)| Some((row as u32, *modes.get(&(*number)?)?)));
        Self { rows: rows.collect() }
    }

    /// The table `moves` with the column `phase`, behind all others; `empty` are the columns of the log without any value.
    pub fn added_to(&self, moves: &Table, empty: &[String]) -> Table {
        let mut table = moves.clone();
        let mut phases: Vec<Option<&str>> = vec![None; table.data.height()];
        for (row, mode) in &self.rows {
            if let Some(phase) = phases.get_mut(*row as usize) {
                *phase = Some(match mode {
                    Mode::Thinking => "thinking",
                    Mode::Acting => "acting",
                });
            }
        }
        match keep_logged(&mut table.data, NAME, empty.iter().any(|name| name == NAME)) {
            Some(kept) => {
                table.columns.iter_mut().filter(|doc| doc.name == NAME).for_each(|doc| doc.name = kept.clone())
            }
            None => table.columns.retain(|doc| doc.name != NAME),
        }
        table.data.with_column(Column::new(NAME.into(), phases)).expect("there is a phase for each row");
        table.columns.push(
            ColumnDoc::new(NAME, "whether the player paused before the move, by the hidden Markov model with two states of the analysis phases, fitted to each participant; empty for first moves, those without a time, those behind the solution, and where the model could not be fitted")
                .levels(&["thinking", "acting"]),
        );
        table
    }
}

const NAME: &str = "phase";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture::{Cells, check_cells};
    use crate::table::Columns;

    fn moves() -> Columns {
        Columns::new().count(&[4u64, 5, 6], "ply", "number of the move", |ply| *ply)
    }

    #[test]
    fn rows_without_a_phase_are_empty() {
        let table = moves().into_table("moves", "Moves.");
        let phases = MovePhases { rows: vec![(2, Mode::Thinking), (0, Mode::Acting), (9, Mode::Acting)] };
        let with = phases.added_to(&table, &[]);
        check_cells(&with);
        let expected = [Some("acting"), None, Some("thinking")].map(|phase| phase.map(str::to_owned));
        assert_eq!(with.texts("phase"), expected);
        let names: Vec<&str> = with.columns.iter().map(|doc| doc.name.as_str()).collect();
        assert_eq!(names, ["ply", "phase"]);
    }

    #[test]
    fn a_logged_column_of_this_name_is_kept_beside_it() {
        let own = ["a", "b", "c"];
        let table = moves().text(&own, "phase", "a column of the log", |own| (*own).to_owned());
        let table = table.into_table("moves", "Moves.");
        let with = MovePhases::default().added_to(&table, &[]);
        check_cells(&with);
        assert_eq!(with.texts("log_phase"), own.map(|own| Some(own.to_owned())));
        assert_eq!(with.texts("phase"), [None, None, None]);
        let names: Vec<&str> = with.columns.iter().map(|doc| doc.name.as_str()).collect();
        assert_eq!(names, ["ply", "log_phase", "phase"]);
        assert_eq!(with.data.get_column_names_owned().iter().map(|name| name.as_str()).collect::<Vec<_>>(), names);
    }
}
