//! Estimates of an estimator: rows of results that can become a table.

use super::request::{Labels, Prepared};
use crate::adjust::Adjustment;
use crate::estimator::definition::ResultTable;
use crate::estimator::request::Request;
use crate::record::{Cell, Column, N_FILTERED, N_MISSING, P_VALUE, REASON, Record, number};

/// A table of results of an estimator.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimates {
    /// Name of the table.
    pub table: &'static str,
    /// Meaning of a row, and what was left out.
    pub caption: String,
    /// Names of the columns that identify the groups, in the order of `by`.
    keys: Vec<String>,
    columns: Vec<Column>,
    rows: Vec<EstimateRow>,
}

/// A row of results.
#[derive(Clone, Debug, PartialEq)]
struct EstimateRow {
    /// The labels of its group.
    labels: Labels,
    record: Record,
}

impl Estimates {
    pub(super) fn new(
        table: &ResultTable,
        request: &Request,
        prepared: &Prepared,
        found: Vec<(Labels, Vec<Record>)>,
    ) -> Self {
        let mut columns = table.columns.to_vec();
        let mut rows: Vec<EstimateRow> = found
            .into_iter()
            .flat_map(|(labels, records)| {
                records.into_iter().map(move |record| EstimateRow { labels: labels.clone(), record: explained(record) })
            })
            .collect();
        if let Some(adjusted) =
            adjusted(request.adjust).filter(|_| columns.iter().any(|column| column.name == P_VALUE.name))
        {
            request.adjust.apply_to(rows.iter_mut().map(|row| &mut row.record), adjusted);
            insert_after(&mut columns, P_VALUE, adjusted);
        }
        if !request.conditions.is_empty() {
            insert_after(&mut columns, N_MISSING, N_FILTERED);
            for row in &mut rows {
                let n = prepared.n_left_out.get(&row.labels).copied().unwrap_or_default();
                row.record = std::mem::take(&mut row.record).set(N_FILTERED, n);
            }
        }
        let is_taken = |name: &str| columns.iter().any(|column| column.name == name);
        let mut keys: Vec<String> = Vec::new();
        for name in &request.by {
            let mut key = name.clone();
            while is_taken(&key) || keys.contains(&key) {
                key = format!("by_{key}");
            }
            keys.push(key);
        }
        let caption = caption(table, request, prepared);
        Self { table: table.name, caption, keys, columns, rows }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// Names of the columns, those of the groups first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(String::as_str).chain(self.columns.iter().map(|column| column.name))
    }

    /// A number; absent where it is missing, and if there is no such row or column.
    pub fn number(&self, row: usize, column: &str) -> Option<f64> {
        self.rows.get(row)?.record.cell(column).number()
    }

    /// A text, such as a label of the group; absent where it is missing, and if there is no such row or column.
    pub fn text(&self, row: usize, column: &str) -> Option<&str> {
        let row = self.rows.get(row)?;
        match self.keys.iter().position(|key| key == column) {
            Some(index) => row.labels[index].as_deref(),
            None => row.record.cell(column).text(),
        }
    }

    /// A yes or no; absent where it is missing, and if there is no such row or column.
    pub fn flag(&self, row: usize, column: &str) -> Option<bool> {
        self.rows.get(row)?.record.cell(column).flag()
    }

    /// Names of the columns that tell the groups apart, in the order of `by`.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// The columns of results, without those of the groups.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows of results.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.rows.iter().map(|row| &row.record)
    }

    /// The names that rows set without there being such a column.
    #[cfg(test)]
    pub(crate) fn unlisted(&self) -> Vec<&'static str> {
        let is_listed = |name: &str| self.columns.iter().any(|column| column.name == name);
        self.rows.iter().flat_map(|row| row.record.names()).filter(|name| !is_listed(name)).collect()
    }
}

/// The record with a reason where a value is missing because it is no number.
fn explained(record: Record) -> Record {
    if !record.has_nan || *record.cell(REASON.name) != Cell::Missing {
        return record;
    }
    record.set(REASON, "some of it is no number: the values are too small, too large or too near to each other")
}

/// The column of adjusted p values.
fn adjusted(adjustment: Adjustment) -> Option<Column> {
    let meaning = match adjustment {
        Adjustment::None => return None,
        Adjustment::Holm => {
            "p after Holm (1979), over the hypotheses of this table: tests of one hypothesis in several ways (test, form, \
             scale) are families of their own; those of intercepts and of joint tests beside their parts are left out"
        }
        Adjustment::BenjaminiHochberg => {
            "p after Benjamini and Hochberg (1995), over the hypotheses of this table: tests of one hypothesis in several \
             ways (test, form, scale) are families of their own; those of intercepts and of joint tests beside their \
             parts are left out"
        }
    };
    Some(number("p_adjusted", meaning))
}

fn insert_after(columns: &mut Vec<Column>, index: Column, new: Column) {
    let index = columns.iter().position(|column| column.name == index.name).map_or(columns.len(), |index| index + 1);
    columns.insert(index, new);
}

fn caption(table: &ResultTable, request: &Request, prepared: &Prepared) -> String {
    let mut text = table.summary.to_owned();
    for part in [table.assumptions, table.source] {
        if !part.is_empty() {
            text += &format!(" {part}");
        }
    }
    if !request.conditions.is_empty() {
        let conditions: Vec<String> = request.conditions.iter().map(ToString::to_string).collect();
        let (kept, all) = (prepared.rows.len(), request.frame.n_rows());
        let meet = if kept == 1 { "meets" } else { "meet" };
        text += &format!(" {kept} of {} {meet} {}", crate::apa::counted(all, "row"), conditions.join(" and "));
        if prepared.n_undecided > 0 {
            text += &format!("; {} have no value to compare and are left out", prepared.n_undecided);
        }
        text += ".";
    }
    text
}
