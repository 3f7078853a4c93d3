//! The first rows of tables as reports and documents show them.

use plymap_analysis::words::{CANNOT_BE_TOLD, is_too_wide};
use plymap_statistics::stats::apa;
use plymap_tables::{Cells, Print, Table, check_table, is_p_value, print_cell};
use serde::{Deserialize, Serialize};

use super::error::ReportError;

/// Number of letters of a table that fit a page of usual width, with [`GAP`] around each column.
const PAGE_WIDTH: usize = 110;
const GAP: usize = 3;

/// Columns with the size of an effect.
const SIZES: [&str; 10] = [
    "estimate",
    "standard_error",
    "lower",
    "upper",
    "factor",
    "factor_lower",
    "factor_upper",
    "ratio",
    "ratio_lower",
    "ratio_upper",
];

/// The first rows of a table and where to find the rest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TablePreview {
    /// Name of the table, different from that of any other table of the report.
    pub name: String,
    /// One sentence: what a row is and what the table is for.
    pub caption: String,
    /// The file with all rows, unrounded, from the folder of the run.
    pub file: String,
    /// Its columns.
    pub columns: Vec<PreviewColumn>,
    /// The rows that are shown, each with one cell per column.
    pub rows: Vec<Vec<PreviewCell>>,
    /// Number of rows of the whole table.
    pub n_rows: usize,
}

/// A column of a [`TablePreview`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewColumn {
    /// Name of the column.
    pub name: String,
    /// Meaning of a value in it.
    pub meaning: String,
    /// Unit of its values; may be empty.
    pub unit: String,
    /// True if it holds numbers.
    pub numeric: bool,
    /// True if it is among those that a page shows first: the others are shown on demand.
    pub is_main: bool,
}

/// A value of a [`TablePreview`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewCell {
    /// As it is shown, numbers rounded.
    pub text: String,
    /// As it is in the file, by which rows are sorted; empty where missing.
    pub exact: String,
}

impl TablePreview {
    /// The first `max_rows` rows of a table that was written to `file`, a path from the folder of the run.
    ///
    /// # Errors
    /// What [`check_table`] finds.
    pub fn new(table: &Table, file: &str, max_rows: usize) -> Result<Self, ReportError> {
        check_table(table)?;
        let columns = Cells::of_table(table)?;
        let n_rows = table.data.height();
        let significant = Print::default().significant;
        let row = |row: usize| {
            let cells = columns.iter().zip(&table.columns).map(|(column, doc)| (column.get(row), doc));
            cells
                .map(|(cell, doc)| PreviewCell { text: print_cell(cell, doc, significant), exact: cell.to_string() })
                .collect()
        };
        let heads = columns.iter().zip(&table.columns).map(|(column, doc)| PreviewColumn {
            name: doc.name.clone(),
            meaning: doc.meaning.clone(),
            unit: doc.unit.clone(),
            numeric: column.is_numeric(),
            is_main: false,
        });
        let mut preview = Self {
            name: table.name.clone(),
            caption: table.caption.clone(),
            file: file.to_owned(),
            columns: heads.collect(),
            rows: (0..n_rows.min(max_rows)).map(row).collect(),
            n_rows,
        };
        preview.hide_impossible_widths();
        let varies = |column: &Cells| (1..n_rows).any(|row| column.get(row) != column.get(0));
        let varies: Vec<bool> = columns.iter().map(varies).collect();
        for place in main_columns(&preview.columns, &preview.rows, &varies) {
            preview.columns[place].is_main = true;
        }
        Ok(preview)
    }

    /// Shows no size of a ratio whose interval is too wide for one, such as odds between 0.0002 and 430 times as high: it
    /// stands in the file alone.
    fn hide_impossible_widths(&mut self) {
        let place = |name: &str| self.columns.iter().position(|column| column.name == name);
        let ends = ["factor", "ratio"]
            .into_iter()
            .find_map(|ratio| Some((place(&format!("{ratio}_lower"))?, place(&format!("{ratio}_upper"))?)));
        let Some((lower, upper)) = ends else { return };
        let is_size: Vec<bool> = self.columns.iter().map(|column| SIZES.contains(&column.name.as_str())).collect();
        let said = place("sentence");
        let mut n_hidden = 0;
        for row in &mut self.rows {
            let end = |place: usize| Some(row[place].exact.parse::<f64>().ok()?.ln());
            if !is_too_wide(end(lower).zip(end(upper))) {
                continue;
            }
            n_hidden += 1;
            row.iter_mut()
                .zip(&is_size)
                .filter(|(_, is_size)| **is_size)
                .for_each(|(cell, _)| "–".clone_into(&mut cell.text));
            said.into_iter().for_each(|place| CANNOT_BE_TOLD.clone_into(&mut row[place].text));
        }
        if n_hidden > 0 {
            self.caption += " Where a size is missing, its interval is too wide to tell one from these data.";
        }
    }

    /// Takes out the columns of p values, and the p values of sentences.
    pub(super) fn without_p(&mut self) {
        let is_kept: Vec<bool> = self.columns.iter().map(|column| !is_p_value(&column.name, &column.unit)).collect();
        for row in &mut self.rows {
            let cells = std::mem::take(row).into_iter().zip(&is_kept).filter(|(_, is_kept)| **is_kept);
            *row = cells.map(|(cell, _)| cell).collect();
            row.iter_mut().for_each(|cell| cell.text = apa::without_p(&cell.text));
        }
        let columns = std::mem::take(&mut self.columns).into_iter().zip(&is_kept);
        self.columns = columns.filter(|(_, is_kept)| **is_kept).map(|(column, _)| column).collect();
    }
}

/// The columns that a page shows first: as many as it has place for, labels, play and results before the rest; never those that
/// are empty, or say the same in every row, or in words what others say in numbers. A label that `varies` in rows that are
/// not shown tells what these are about.
fn main_columns(columns: &[PreviewColumn], rows: &[Vec<PreviewCell>], varies: &[bool]) -> Vec<usize> {
    const PLAY: [&str; 8] = ["action", "solved", "n_moves", "time_s", "rt_s", "value_before", "value_after", "quality"];
    const RESULTS: [&str; 7] = ["estimate", "share", "median", "mean", "lower", "upper", "p_adjusted"];
    let cells = |place: usize| rows.iter().map(move |row| row[place].text.as_str());
    let width = |place: usize| {
        // A head has room for the mark by which rows are sorted.
        let head = columns[place].name.chars().count() + 2;
        cells(place).map(|cell| cell.chars().count()).max().unwrap_or(0).max(head) + GAP
    };
    let n_labels = columns.iter().take_while(|column| !column.numeric).count();
    let has = |name: &str| columns.iter().any(|column| column.name == name);
    let rank = |place: usize| {
        let name = columns[place].name.as_str();
        let is_same = rows.len() > 1 && cells(place).all(|cell| cell == rows[0][place].text);
        match name {
            _ if !rows.is_empty() && rows.iter().all(|row| row[place].exact.is_empty()) => None,
            "sentence" | "confidence" => None,
            _ if PLAY.contains(&name) => Some(1),
            "p_value" if !has("p_adjusted") => Some(2),
            _ if RESULTS.iter().any(|result| name.starts_with(result)) => Some(2),
            _ if place == 0 => Some(0),
            _ if is_same && !(place < n_labels && varies[place]) => (place < n_labels).then_some(4),
            _ if place < n_labels => Some(0),
            "n" => Some(2),
            _ => Some(3),
        }
    };
    let mut ranked: Vec<(i32, usize)> = (0..columns.len()).filter_map(|place| Some((rank(place)?, place))).collect();
    ranked.sort_unstable();
    let mut left = PAGE_WIDTH;
    let fits = |place: &usize| {
        let width = width(*place);
        let is_first = left == PAGE_WIDTH;
        left = left.saturating_sub(width);
        is_first || left > 0
    };
    let mut main: Vec<usize> = ranked.into_iter().map(|(_, place)| place).take_while(fits).collect();
    main.sort_unstable();
    // Half an interval tells nothing.
    let shows = |name: &str| main.iter().any(|&place| columns[place].name == name);
    if shows("lower") && !shows("upper") {
        main.retain(|&place| columns[place].name != "lower");
    }
    main
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_statistics::record::{self, Record};
    use plymap_statistics::stats::covariate::{RATIO, RATIO_LOWER, RATIO_UPPER};

    fn column(name: &str, numeric: bool) -> PreviewColumn {
        PreviewColumn { name: name.to_owned(), numeric, ..PreviewColumn::default() }
    }

    #[test]
    fn labels_and_results_are_shown_first() {
        let names = ["level", "n", "estimate", "confidence", "df", "lower", "upper", "p_value", "sentence", "empty"];
        let columns: Vec<PreviewColumn> =
            names.iter().map(|&name| column(name, !["level", "sentence", "empty"].contains(&name))).collect();
        let row = |n: usize| -> Vec<PreviewCell> {
            let text = |name: &&str| match *name {
                "confidence" => "0.95".to_owned(),
                "empty" => String::new(),
                "sentence" => "ρ = .99, ".repeat(3),
                name => format!("{name}{n}"),
            };
            names.iter().map(|name| PreviewCell { text: text(name), exact: text(name) }).collect()
        };
        let shown = |columns: &[PreviewColumn]| -> Vec<String> {
            let rows = [row(1), row(2)];
            main_columns(columns, &rows, &vec![false; columns.len()])
                .into_iter()
                .map(|place| columns[place].name.clone())
                .collect()
        };
        assert_eq!(shown(&columns), ["level", "n", "estimate", "df", "lower", "upper", "p_value"]);
        // What does not fit is left to those who ask for it: first what is neither a label nor a result.
        let mut wide = columns.clone();
        wide[4].name = "degrees_of_freedom".repeat(5);
        assert_eq!(shown(&wide), ["level", "n", "estimate", "lower", "upper", "p_value"]);
        // What was played comes before shares, which are many.
        let trials = ["level", "share_optimal", "share_same", "n_moves", "solved", "time_s"];
        let mut trials = trials.map(|name| column(name, name != "level"));
        trials[1..3].iter_mut().for_each(|column| column.name = column.name.repeat(4));
        assert_eq!(shown(&trials), ["level", &trials[1].name, "n_moves", "solved", "time_s"]);
    }

    #[test]
    fn the_size_of_a_ratio_is_shown_where_it_can_be_told() {
        let row = |estimate: f64, [lower, upper]: [f64; 2]| {
            let ratio = Record::new().set(RATIO, estimate).set(RATIO_LOWER, lower).set(RATIO_UPPER, upper);
            ratio.set(record::ESTIMATE, estimate.ln()).set(record::SENTENCE, "OR")
        };
        let rows = [row(0.3, [0.0002, 430.0]), row(2.0, [1.0, 4.0]), row(3.0, [0.0, 4.0])];
        let columns = [record::ESTIMATE, RATIO, RATIO_LOWER, RATIO_UPPER, record::SENTENCE];
        let table = Table::of_records("models", "Effects.", &columns, &rows);
        let preview = TablePreview::new(&table, "models.csv", 10).unwrap();
        let texts = |row: usize| preview.rows[row].iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>();
        assert_eq!(texts(0), ["–", "–", "–", "–", CANNOT_BE_TOLD]);
        assert_eq!(texts(1), ["0.693", "2", "1", "4", "OR"]);
        assert_eq!(texts(2), texts(0), "down to nothing");
        assert_eq!(preview.rows[0][3].exact, "430.0");
        assert!(
            preview.caption.ends_with("its interval is too wide to tell one from these data."),
            "{}",
            preview.caption
        );
        let told = TablePreview::new(&Table::of_records("models", "Effects.", &columns, &rows[1..2]), "m.csv", 10);
        assert_eq!(told.unwrap().caption, "Effects.");
    }
}
