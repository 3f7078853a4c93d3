//! Association of two categories: a table of counts.

use serde::Serialize;

use crate::apa;
use crate::estimator::fit::{Fitted, Model, Part, Rows};
use crate::estimator::labels::{in_order, index_of_labels};
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, INDEPENDENT, Kind, Need, Role};
use crate::inference::PMethod;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::chi_squared_upper;
use crate::record::{
    Column, DF, ESTIMATE, N, N_MISSING, P_METHOD, P_VALUE, REASON, Record, SENTENCE, STATISTIC, count, number, text,
};

/// More labels than this are refused: their table would be none that anyone can read.
const MOST_LABELS: usize = 100;

const TWO_LABELS: &[Need] = &[Need::one(Role::X, Kind::Label), Need::one(Role::Y, Kind::Label)];
const FIRST_CATEGORY: Column = text("x", "first category");
const SECOND_CATEGORY: Column = text("y", "second category");
const N_LABELS_X: Column = count("n_labels_x", "number of labels of the first category");
const N_LABELS_Y: Column = count("n_labels_y", "number of labels of the second category");
const G: Column = number("g", "likelihood ratio statistic G");
const G_P_VALUE: Column = number("g_p_value", "its p value");
const SMALLEST_EXPECTED: Column = number("smallest_expected", "smallest expected count");
const N_SMALL_EXPECTED: Column =
    count("n_small_expected", "number of cells whose expected count is below 5; at most a fifth should be");
const LABEL_X: Column = text("label_x", "label of the first category");
const LABEL_Y: Column = text("label_y", "label of the second category");
const OBSERVED: Column = count("observed", "number of rows with both labels");
const EXPECTED: Column = number("expected", "expected number under independence");
const RESIDUAL: Column = number("residual", "adjusted residual: standard normal if the categories are independent");

/// The test on the columns of any table.
pub const CHI_SQUARED: Estimator = Estimator {
    name: "chi-squared",
    summary: "χ² test of independence of two categories, with Cramér's V.",
    assumptions: INDEPENDENT,
    source: "Pearson (1900); Cramér (1946), section 21.9.",
    roles: TWO_LABELS,
    columns: &[
        FIRST_CATEGORY,
        SECOND_CATEGORY,
        N,
        N_MISSING,
        N_LABELS_X,
        N_LABELS_Y,
        ESTIMATE.means("Cramér's V, from 0 to 1"),
        STATISTIC.means("Pearson's χ², without continuity correction"),
        DF,
        P_VALUE,
        P_METHOD,
        G,
        G_P_VALUE,
        SMALLEST_EXPECTED,
        N_SMALL_EXPECTED,
        SENTENCE,
        REASON,
    ],
    estimate: Estimate::Tables(&Model { fit: crossed, rows: |table| vec![table.found.record()], parts: &[CELLS] }),
};

/// The cells of the test.
const CELLS: Part<Rows<Crosstab>> = Part {
    name: "chi-squared-cells",
    summary: "The cells of a contingency table: observed and expected counts, with residuals.",
    assumptions: "",
    source: "Haberman (1973).",
    columns: &[
        FIRST_CATEGORY,
        SECOND_CATEGORY,
        LABEL_X,
        LABEL_Y,
        N.means("number of rows with both categories"),
        N_MISSING,
        OBSERVED,
        EXPECTED,
        RESIDUAL,
        REASON,
    ],
    rows: |table| {
        let whole = Record::new().set(REASON, table.found.test.clone().err());
        let row = |cell: &CountedCell| {
            Record::new()
                .set(LABEL_X, table.rows[cell.row].as_str())
                .set(LABEL_Y, table.columns[cell.column].as_str())
                .set(OBSERVED, cell.observed)
                .set(EXPECTED, cell.expected)
                .set(RESIDUAL, cell.residual)
        };
        whole.shared_by(table.found.cells.iter().map(row).collect())
    },
};

/// Counts beyond this sum are refused: they would not be exact as floating-point numbers.
pub const MOST_COUNTED: u64 = 1 << 53;

/// One cell of a table of counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CountedCell {
    /// Number of the row, from 0.
    pub row: usize,
    /// Number of the column, from 0.
    pub column: usize,
    /// Number of rows with both categories.
    pub observed: u64,
    /// Expected number if they were independent; absent if the whole row or column is empty.
    pub expected: Option<f64>,
    /// Standardised (adjusted) residual: (observed − expected) over its standard error; beyond ±2 or
    /// so the cell departs from independence. Absent with `expected`, and if a single row or column
    /// holds all counts.
    pub residual: Option<f64>,
}

/// Tests of independence of the rows and the columns of a table of counts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Association {
    /// Sum of the counts.
    pub n: u64,
    /// Number of rows that are not empty.
    pub n_rows: usize,
    /// Number of columns that are not empty.
    pub n_columns: usize,
    /// All cells, row by row.
    pub cells: Vec<CountedCell>,
    /// The tests, or why there are none.
    pub test: Result<AssociationTest, NotEstimable>,
}

/// Tests of independence. Their p values are an approximation, rough where expected counts are small.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AssociationTest {
    /// Pearson's χ², without continuity correction.
    pub chi_squared: f64,
    /// Degrees of freedom of both statistics.
    pub df: usize,
    /// Probability of so large a χ² under independence.
    pub p_value: f64,
    /// The likelihood ratio statistic G = 2 Σ observed ln(observed / expected).
    pub g: f64,
    /// Probability of so large a G under independence.
    pub g_p_value: f64,
    /// Cramér's V, √(χ² / (n (min(rows, columns) − 1))), from 0 to 1; |φ| for a table of two by two.
    pub cramers_v: f64,
    /// The smallest expected count.
    pub smallest_expected: f64,
    /// Number of cells whose expected count is below 5 (Cochran, 1954: at most a fifth should be).
    pub n_small_expected: usize,
}

/// Tests whether two categories, the rows and the columns, are independent. Rows and columns without
/// any count are left out.
///
/// Pearson (1900). *Philosophical Magazine*, 50, 157–175. Cramér (1946). *Mathematical methods of
/// statistics*, section 21.9. Haberman (1973). The analysis of residuals in cross-classified tables.
/// *Biometrics*, 29, 205–220. Cochran (1954). *Biometrics*, 10, 417–451. Agresti (2013). *Categorical
/// data analysis* (3rd ed.), sections 3.2 and 3.3. The same as scipy's `chi2_contingency` with
/// `correction=False`. The counted events must be independent: moves of the same players are not.
///
/// ```
/// let table = [[30, 10], [15, 25]];
/// let test = plymap_statistics::stats::association::association(&table);
/// assert_eq!((test.n, test.cells[0].expected), (80, Some(22.5)));
/// assert!(test.test?.p_value < 0.001);
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn association<R: AsRef<[u64]>>(table: &[R]) -> Association {
    let rows: Vec<&[u64]> = table.iter().map(AsRef::as_ref).collect();
    let cell = |row, column, &observed: &u64| CountedCell { row, column, observed, expected: None, residual: None };
    let cells_of = |(row, counts): (usize, &&[u64])| -> Vec<CountedCell> {
        counts.iter().enumerate().map(|(column, count)| cell(row, column, count)).collect()
    };
    let cells = rows.iter().enumerate().flat_map(cells_of).collect();
    let mut table = Table { n: 0, n_rows: 0, n_columns: 0, cells };
    let test = table.count(&rows).map(|()| table.test());
    let Table { n, n_rows, n_columns, cells } = table;
    Association { n, n_rows, n_columns, cells, test }
}

impl Association {
    /// `χ²(1, N = 80) = 11.43, p < .001, V = .38`.
    pub fn sentence(&self) -> String {
        apa::outcome("χ²", usize::try_from(self.n).unwrap_or(usize::MAX), &self.test, |test| {
            let (statistic, p) = (apa::number(test.chi_squared, 2), apa::p_value(test.p_value));
            let (df, v) = (test.df, apa::bounded(test.cramers_v, 2));
            format!("χ²({df}, N = {}) = {statistic}, {p}, V = {v}", apa::count(self.n))
        })
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_LABELS_X, self.n_rows)
            .set(N_LABELS_Y, self.n_columns)
            .set(N_SMALL_EXPECTED, 0_usize)
            .set(SENTENCE, self.sentence())
            .outcome(&self.test, |record, test| {
                record
                    .set(ESTIMATE, test.cramers_v)
                    .set(STATISTIC, test.chi_squared)
                    .set(DF, test.df)
                    .set(P_VALUE, test.p_value)
                    .set(P_METHOD, PMethod::ChiSquaredApproximation)
                    .set(G, test.g)
                    .set(G_P_VALUE, test.g_p_value)
                    .set(SMALLEST_EXPECTED, test.smallest_expected)
                    .set(N_SMALL_EXPECTED, test.n_small_expected)
            })
    }
}

/// A table of counts.
struct Table {
    n: u64,
    n_rows: usize,
    n_columns: usize,
    cells: Vec<CountedCell>,
}

impl Table {
    /// Sums the counts, and sets what each cell would hold under independence.
    fn count(&mut self, rows: &[&[u64]]) -> Result<(), NotEstimable> {
        let left = rows.first().map_or(0, |row| row.len());
        if let Some(other) = rows.iter().find(|row| row.len() != left) {
            let (left_name, right_name, right) = ("the first row", "another one", other.len());
            return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
        }
        let sum = self.cells.iter().try_fold(0_u64, |sum, cell| sum.checked_add(cell.observed));
        self.n = sum.filter(|&sum| sum <= MOST_COUNTED).ok_or_else(|| NotEstimable::OutOfRange {
            quantity: "the sum of the counts",
            value: "beyond 2^53".to_owned(),
            allowed: "at most 2^53",
        })?;
        let (mut row_sums, mut column_sums) = (vec![0.0; rows.len()], vec![0.0; left]);
        for cell in &self.cells {
            row_sums[cell.row] += cell.observed as f64;
            column_sums[cell.column] += cell.observed as f64;
        }
        (self.n_rows, self.n_columns) = (n_filled(&row_sums), n_filled(&column_sums));
        check_count("a test of independence", "rows with counts", self.n_rows, 2)?;
        check_count("a test of independence", "columns with counts", self.n_columns, 2)?;
        let n = self.n as f64;
        for cell in &mut self.cells {
            let (of_row, of_column) = (row_sums[cell.row], column_sums[cell.column]);
            if of_row > 0.0 && of_column > 0.0 {
                let expected = of_row * of_column / n;
                let variance = expected * (1.0 - of_row / n) * (1.0 - of_column / n);
                cell.expected = Some(expected);
                cell.residual = Some((cell.observed as f64 - expected) / variance.sqrt());
            }
        }
        Ok(())
    }

    /// Computes the test of a table with two or more rows and columns that hold counts.
    fn test(&self) -> AssociationTest {
        let (mut chi_squared, mut g, mut smallest_expected, mut n_small_expected) = (0.0, 0.0, f64::INFINITY, 0);
        for cell in &self.cells {
            let Some(expected) = cell.expected else { continue };
            let observed = cell.observed as f64;
            chi_squared += (observed - expected).powi(2) / expected;
            if cell.observed > 0 {
                g += 2.0 * observed * (observed / expected).ln();
            }
            smallest_expected = f64::min(smallest_expected, expected);
            n_small_expected += usize::from(expected < 5.0);
        }
        let df = (self.n_rows - 1) * (self.n_columns - 1);
        // Of independent counts, rounding can leave G a little below 0.
        let g = f64::max(g, 0.0);
        let fewer = self.n_rows.min(self.n_columns) - 1;
        AssociationTest {
            chi_squared,
            df,
            p_value: chi_squared_upper(chi_squared, df as f64),
            g,
            g_p_value: chi_squared_upper(g, df as f64),
            cramers_v: (chi_squared / (self.n as f64 * fewer as f64)).sqrt().min(1.0),
            smallest_expected,
            n_small_expected,
        }
    }
}

fn n_filled(sums: &[f64]) -> usize {
    sums.iter().filter(|&&sum| sum > 0.0).count()
}

/// Frequencies of the pairs of labels.
struct Crosstab {
    rows: Vec<String>,
    columns: Vec<String>,
    found: Association,
}

impl Crosstab {
    fn new(x: &[&str], y: &[&str]) -> Result<Self, NotEstimable> {
        let (rows, columns) = (in_order(x.iter().copied()), in_order(y.iter().copied()));
        if let Some(n_labels) = [rows.len(), columns.len()].into_iter().find(|&n| n > MOST_LABELS) {
            let (quantity, value) = ("the number of labels of a category", n_labels.to_string());
            return Err(NotEstimable::OutOfRange { quantity, value, allowed: "at most 100" });
        }
        let (row_indices, column_indices) = (index_of_labels(&rows), index_of_labels(&columns));
        let mut counts = vec![vec![0_u64; columns.len()]; rows.len()];
        for (x, y) in x.iter().zip(y) {
            counts[row_indices[x]][column_indices[y]] += 1;
        }
        Ok(Self { found: association(&counts), rows, columns })
    }
}

/// The records of two categories, or one that says why there are none.
fn crossed(sample: &Sample) -> Fitted<Crosstab> {
    let (x, y) = (sample.one(Role::X), sample.one(Role::Y));
    let complete = sample.complete([x, y]);
    let whole = Record::new()
        .set(FIRST_CATEGORY, x.name.as_str())
        .set(SECOND_CATEGORY, y.name.as_str())
        .set(N, complete.indices.len())
        .set(N_MISSING, complete.n_missing);
    Fitted::new(whole, Crosstab::new(&x.labels(&complete.indices), &y.labels(&complete.indices)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_without_counts_are_left_out() {
        let with = association(&[[30, 0, 10], [0, 0, 0], [15, 0, 25]]);
        let without = association(&[[30, 10], [15, 25]]);
        assert_eq!((with.n_rows, with.n_columns, with.test.clone().unwrap().df), (2, 2, 1));
        assert_eq!(with.test, without.test);
        assert_eq!((with.cells[1].expected, with.cells[2].expected), (None, Some(17.5)));
        assert_eq!(without.sentence(), "χ²(1, N = 80) = 11.43, p < .001, V = .38");
    }

    #[test]
    fn independence_and_full_dependence_are_the_two_ends() {
        let independent = association(&[[10, 20], [30, 60]]).test.unwrap();
        assert_eq!((independent.chi_squared, independent.cramers_v), (0.0, 0.0));
        let dependent = association(&[[7, 0, 0], [0, 4, 0], [0, 0, 9]]).test.unwrap();
        assert!((dependent.cramers_v - 1.0).abs() < 1e-15);
        assert_eq!((dependent.n_small_expected, dependent.smallest_expected), (9, 0.8));
    }

    #[test]
    fn what_cannot_be_tested_says_why() {
        let reason = |table: &[Vec<u64>]| association(table).test.unwrap_err().to_string();
        assert_eq!(reason(&[]), "a test of independence needs at least 2 rows with counts, found 0");
        assert_eq!(
            reason(&[vec![3, 0], vec![5, 0]]),
            "a test of independence needs at least 2 columns with counts, found 1"
        );
        assert!(reason(&[vec![3, 1], vec![5]]).starts_with("the first row has 2 values but another one has 1"));
        assert!(reason(&[vec![u64::MAX, 1], vec![5, 2]]).contains("must be at most 2^53"));
    }
}
