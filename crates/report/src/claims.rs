//! Claims: sentences of a paper, checked against the tables of a run.
//!
//! A claim names a table, the rows that it is about, a column, and how these cells become one number; and what that
//! number is said to be. `docs/claims.md` describes the file.

use std::fmt;
use std::path::{Path, PathBuf};

use plymap_expression::{Expression, ExpressionError};
use plymap_puzzles::diagnostic::separator_hint;
use plymap_puzzles::foreign::read_text;
use polars::prelude::{DataFrame, DataType};
use serde::Deserialize;

use plymap_measures::selection::decide;
use plymap_statistics::stats::describe::quantile;
use plymap_tables::{Columns, Table, count, number, text};

/// Claim: a sentence of a paper, with the cells of a table that check it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Claim {
    /// Sentence of the paper.
    pub sentence: String,
    /// Source of the sentence, such as `Smith (2020), p. 12`.
    #[serde(default)]
    pub source: Option<String>,
    /// Name of a table of the run.
    pub table: String,
    /// Expression that selects the rows; all rows if it is absent.
    #[serde(default, rename = "where")]
    pub filter: Option<String>,
    /// Name of the column.
    pub column: String,
    /// Statistic that reduces the cells to one number.
    #[serde(default)]
    pub summary: Summary,
    /// Expected number: a number, or a text with the digits that are printed, such as `".496"`.
    #[serde(default)]
    pub expected: Option<toml::Value>,
    /// Largest deviation from `expected`; by default half a unit of the last printed digit, or 0 for a number.
    #[serde(default)]
    pub tolerance: Option<f64>,
    /// Lower bound of the number.
    #[serde(default)]
    pub at_least: Option<Bound>,
    /// Upper bound of the number.
    #[serde(default)]
    pub at_most: Option<Bound>,
}

/// Bound of a claimed number.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Bound {
    /// A number of the paper.
    Number(f64),
    /// Other cells of the tables.
    Cells(SummarisedCells),
}

/// Cells that become one number; what is not given is as in the claim itself.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SummarisedCells {
    /// Name of the table.
    #[serde(default)]
    pub table: Option<String>,
    /// Expression that selects the rows; all rows if it is absent.
    #[serde(default, rename = "where")]
    pub filter: Option<String>,
    /// Name of the column.
    #[serde(default)]
    pub column: Option<String>,
    /// Statistic that reduces the cells to one number.
    #[serde(default)]
    pub summary: Option<Summary>,
}

/// Statistic that reduces cells to one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Summary {
    /// The cell itself; there must be exactly one.
    #[default]
    Value,
    /// Their mean; of truth values the share of true ones.
    Mean,
    /// Their median.
    Median,
    /// Their sum; of truth values the number of true ones.
    Sum,
    /// Number of cells that are not empty.
    Count,
    /// The smallest.
    Min,
    /// The largest.
    Max,
}

impl Summary {
    fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Mean => "mean",
            Self::Median => "median",
            Self::Sum => "sum",
            Self::Count => "count",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// Error in reading a file of claims.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}; docs/claims.md says how claims are written", path.display())]
pub struct ClaimsError {
    /// The file.
    pub path: PathBuf,
    /// Description of the error.
    pub reason: String,
}

/// Result of checking a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The number is what it is said to be.
    Confirmed,
    /// It differs from that by so much.
    Differs(f64),
    /// It could not be computed, and why.
    NotComputed(String),
}

/// A claim with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The claim.
    pub claim: Claim,
    /// The number that was found.
    pub found: Option<f64>,
    /// Number of cells that it rests on.
    pub n: usize,
    /// The least and the most that the claim allows; infinite where it sets no bound.
    pub bounds: Option<(f64, f64)>,
    /// The verdict.
    pub verdict: Verdict,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimsFile {
    claim: Vec<Claim>,
}

/// Reads a file of claims.
///
/// # Errors
///
/// [`ClaimsError`] if it cannot be read, or a claim says nothing that can be checked.
pub fn read_claims(path: &Path) -> Result<Vec<Claim>, ClaimsError> {
    let text = read_text(path).map_err(|error| {
        let reason = format!("{error}{}", separator_hint(path, error.kind()));
        ClaimsError { path: path.to_owned(), reason }
    })?;
    parse_claims(path, &text)
}

/// Reads the text of a file of claims.
///
/// # Errors
///
/// As [`read_claims`].
pub fn parse_claims(path: &Path, text: &str) -> Result<Vec<Claim>, ClaimsError> {
    let failed = |reason: String| ClaimsError { path: path.to_owned(), reason };
    let file: ClaimsFile = toml::from_str(text).map_err(|error| failed(error.to_string().trim_end().to_owned()))?;
    for claim in &file.claim {
        claim.check_filters().map_err(|error| failed(format!("the claim {:?}: {error}", claim.sentence)))?;
        // No run is at hand, so bounds by other cells are open, and only those by numbers can contradict each other.
        claim.bounds(|_| Ok(None)).map_err(|reason| failed(format!("the claim {:?}: {reason}", claim.sentence)))?;
    }
    Ok(file.claim)
}

/// Returns a sentence with the numbers of claims that are confirmed, that differ and that could not be computed.
pub fn sentence(checked: &[Checked]) -> String {
    let n = |holds: fn(&Verdict) -> bool| checked.iter().filter(|checked| holds(&checked.verdict)).count();
    format!(
        "Of {} claims, {} are confirmed, {} differ and {} could not be computed.",
        checked.len(),
        n(|verdict| matches!(verdict, Verdict::Confirmed)),
        n(|verdict| matches!(verdict, Verdict::Differs(_))),
        n(|verdict| matches!(verdict, Verdict::NotComputed(_)))
    )
}

impl Claim {
    /// Returns the lower and the upper bound of the number; `number` gives that of other cells, or none if it is not
    /// known yet.
    fn bounds(&self, number: impl Fn(&SummarisedCells) -> Result<Option<f64>, String>) -> Result<(f64, f64), String> {
        let bound = |bound: &Option<Bound>, without: f64| match bound {
            None => Ok::<f64, String>(without),
            Some(Bound::Number(bound)) => Ok(*bound),
            Some(Bound::Cells(cells)) => Ok(number(cells)?.unwrap_or(without)),
        };
        let mut bounds = (bound(&self.at_least, f64::NEG_INFINITY)?, bound(&self.at_most, f64::INFINITY)?);
        if let Some(expected) = &self.expected {
            let (value, printed) = match expected {
                toml::Value::Float(value) => (*value, 0.0),
                toml::Value::Integer(value) => (*value as f64, 0.0),
                toml::Value::String(text) => printed(text).ok_or(format!("`expected` = {text:?} is no number"))?,
                other => return Err(format!("`expected` = {other} is no number")),
            };
            let tolerance = self.tolerance.unwrap_or(printed);
            bounds = (bounds.0.max(value - tolerance), bounds.1.min(value + tolerance));
        }
        match bounds {
            _ if self.expected.is_none() && self.at_least.is_none() && self.at_most.is_none() => {
                Err("give `expected`, `at-least` or `at-most`".to_owned())
            }
            (low, high) if low > high => Err(format!("nothing lies between {low} and {high}")),
            bounds => Ok(bounds),
        }
    }

    /// Compares the claim with the tables of a run.
    pub fn check(&self, tables: &[Table]) -> Checked {
        let result = compute(tables, &self.cells());
        let (n, number) = match &result {
            Ok((n, number)) => (*n, Some(*number)),
            Err(_) => (0, None),
        };
        let other = |cells: &SummarisedCells| compute(tables, &self.completed(cells)).map(|(_, number)| Some(number));
        let bounds = self.bounds(other);
        let known_bounds = bounds.as_ref().ok().copied();
        let verdict = match result.and_then(|(_, number)| Ok((number, bounds?))) {
            Err(reason) => Verdict::NotComputed(reason),
            // Decimal fractions are not exact: half a unit of the last digit is met by its own rounding.
            Ok((number, (low, high))) => match () {
                () if number < low - 1e-12 * low.abs() => Verdict::Differs(number - low),
                () if number > high + 1e-12 * high.abs() => Verdict::Differs(number - high),
                () => Verdict::Confirmed,
            },
        };
        Checked { claim: self.clone(), found: number, n, bounds: known_bounds, verdict }
    }

    /// Returns true if the claim or one of its bounds refers to cells of this table.
    pub fn is_about(&self, table: &str) -> bool {
        let of_bound = |bound: &Option<Bound>| match bound {
            Some(Bound::Cells(cells)) => self.completed(cells).table,
            _ => None,
        };
        let tables = [self.cells().table, of_bound(&self.at_least), of_bound(&self.at_most)];
        tables.iter().flatten().any(|known| known == table)
    }

    /// Checks that all conditions parse as expressions.
    fn check_filters(&self) -> Result<(), ExpressionError> {
        let of_bound = |bound: &'_ Option<Bound>| match bound {
            Some(Bound::Cells(cells)) => cells.filter.clone(),
            _ => None,
        };
        let filters = [self.filter.clone(), of_bound(&self.at_least), of_bound(&self.at_most)];
        filters.iter().flatten().try_for_each(|filter| Expression::parse(filter).map(|_| ()))
    }

    /// Returns the cells that the claim refers to.
    fn cells(&self) -> SummarisedCells {
        self.completed(&SummarisedCells { table: None, filter: self.filter.clone(), column: None, summary: None })
    }

    /// Cells with what is given only in the claim.
    fn completed(&self, cells: &SummarisedCells) -> SummarisedCells {
        SummarisedCells {
            table: Some(cells.table.clone().unwrap_or_else(|| self.table.clone())),
            filter: cells.filter.clone(),
            column: Some(cells.column.clone().unwrap_or_else(|| self.column.clone())),
            summary: Some(cells.summary.unwrap_or(self.summary)),
        }
    }

    /// Describes the cells that bound the number; empty if all bounds are numbers of the paper.
    fn compared_with(&self) -> String {
        let bound_words = |words: &str, bound: &Option<Bound>| match bound {
            Some(Bound::Cells(cells)) => format!("{words} {}", self.completed(cells)),
            _ => String::new(),
        };
        bound_words("; at least", &self.at_least) + &bound_words("; at most", &self.at_most)
    }
}

impl fmt::Display for SummarisedCells {
    /// `mean of trials.time_s where level == "a"`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [table, column] = [&self.table, &self.column].map(|name| name.as_deref().unwrap_or_default());
        write!(formatter, "{} of {table}.{column}", self.summary.unwrap_or_default().name())?;
        self.filter.as_ref().map_or(Ok(()), |filter| write!(formatter, " where {filter}"))
    }
}

/// The number of cells, and the number that they become.
fn compute(tables: &[Table], cells: &SummarisedCells) -> Result<(usize, f64), String> {
    let [name, column] = [&cells.table, &cells.column].map(|name| name.as_deref().unwrap_or_default());
    let table = tables.iter().find(|table| table.name == name).ok_or_else(|| {
        let known: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        format!("there is no table {name:?}; there are {}", known.join(", "))
    })?;
    let kept = match &cells.filter {
        Some(filter) => Expression::parse(filter)
            .and_then(|filter| decide(&filter, table))
            .map_err(|error| error.to_string())?
            .into_iter()
            .map(|decision| decision == Some(true))
            .collect(),
        None => vec![true; table.data.height()],
    };
    let n_rows = kept.iter().filter(|kept| **kept).count();
    let numbers = numbers(&table.data, column)?;
    let values: Vec<f64> =
        numbers.into_iter().zip(&kept).filter(|(_, kept)| **kept).filter_map(|(cell, _)| cell).collect();
    let n = values.len();
    let none = || match n_rows {
        1 => "the row that was asked for has no value".to_owned(),
        n => format!("none of the {n} rows that were asked for has a value"),
    };
    let number = match cells.summary.unwrap_or_default() {
        Summary::Count => Some(n as f64),
        Summary::Sum => Some(values.iter().sum()),
        Summary::Value if n > 1 => {
            return Err(format!("{n} rows have a value: narrow `where`, or give `summary`"));
        }
        Summary::Value => values.first().copied(),
        Summary::Mean => (n > 0).then(|| values.iter().sum::<f64>() / n as f64),
        Summary::Median => quantile(&values, 0.5).ok(),
        Summary::Min => values.iter().copied().reduce(f64::min),
        Summary::Max => values.iter().copied().reduce(f64::max),
    };
    Ok((n, number.ok_or_else(none)?))
}

/// A printed number, such as `.496` or `−1.20`, and half a unit of its last digit.
fn printed(text: &str) -> Option<(f64, f64)> {
    let text = text.trim().replace('−', "-");
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    let n_decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    Some((value, 0.5 * 10f64.powi(-(n_decimals as i32))))
}

fn column<'a>(data: &'a DataFrame, name: &str) -> Result<&'a polars::prelude::Column, String> {
    data.column(name).map_err(|_| {
        let known: Vec<&str> = data.get_column_names().into_iter().map(|name| name.as_str()).collect();
        format!("the table has no column {name:?}; it has {}", known.join(", "))
    })
}

fn numbers(data: &DataFrame, name: &str) -> Result<Vec<Option<f64>>, String> {
    let column = column(data, name)?;
    if column.dtype() == &DataType::String {
        return Err(format!("the column {name} holds text, and no numbers"));
    }
    let column = column.cast(&DataType::Float64).map_err(|error| error.to_string())?;
    Ok(column.f64().map_err(|error| error.to_string())?.iter().collect())
}

/// The table `claims`.
pub fn claims_table(rows: &[Checked]) -> Table {
    let bound =
        |pick: fn((f64, f64)) -> f64| move |row: &Checked| row.bounds.map(pick).filter(|bound| bound.is_finite());
    Columns::new()
        .column(rows, text("sentence", "what is claimed"), |row| row.claim.sentence.clone())
        .column(rows, text("source", "where it is claimed"), |row| row.claim.source.clone())
        .column(rows, text("verdict", "confirmed; differs; not computed: see reason"), |row| {
            match row.verdict {
                Verdict::Confirmed => "confirmed",
                Verdict::Differs(_) => "differs",
                Verdict::NotComputed(_) => "not computed",
            }
            .to_owned()
        })
        .column(rows, number("found", "the number that the tables give"), |row| row.found)
        .column(rows, number("at_least", "the least that the claim allows"), bound(|bounds| bounds.0))
        .column(rows, number("at_most", "the most that the claim allows"), bound(|bounds| bounds.1))
        .column(rows, number("differs_by", "how far the number lies outside of these"), |row| match row.verdict {
            Verdict::Differs(by) => Some(by),
            _ => None,
        })
        .column(rows, count("n", "number of cells that the number rests on"), |row| row.n as u64)
        .column(rows, text("computed_as", "how it was computed, from a table of this run"), |row| {
            format!("{}{}", row.claim.cells(), row.claim.compared_with())
        })
        .column(rows, text("reason", "why it could not be computed"), |row| match &row.verdict {
            Verdict::NotComputed(reason) => Some(reason.clone()),
            _ => None,
        })
        .into_table("claims", "The sentences of a paper, checked against the tables of this run.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_tables::flag;

    fn table() -> Table {
        struct PlayRow(&'static str, u64, Option<f64>, bool);
        let rows = [PlayRow("a", 1, Some(0.25), true), PlayRow("a", 2, Some(0.5), false), PlayRow("b", 1, None, true)];
        Columns::new()
            .column(&rows, text("level", "level"), |row| row.0.to_owned())
            .column(&rows, count("n", "count"), |row| row.1)
            .column(&rows, number("share", "share"), |row| row.2)
            .column(&rows, flag("solved", "flag"), |row| Some(row.3))
            .into_table("play", "Play.")
    }

    fn checked(claim: &str) -> Checked {
        let claim: Claim = toml::from_str(&format!("sentence = 's'\ntable = 'play'\n{claim}")).unwrap();
        claim.check(&[table()])
    }

    #[test]
    fn numbers_are_found_by_filter_and_summary() {
        let number = |claim: &str| checked(&format!("{claim}\nat-least = 0")).found;
        assert_eq!(number("column = 'share'\nwhere = \"level == 'a' and n == 2\""), Some(0.5));
        assert_eq!(number("column = 'share'\nsummary = 'mean'"), Some(0.375));
        assert_eq!(number("column = 'solved'\nsummary = 'mean'"), Some(2.0 / 3.0));
        assert_eq!(number("column = 'solved'\nsummary = 'sum'\nwhere = \"level in ['a', 'b']\""), Some(2.0));
        assert_eq!(number("column = 'share'\nsummary = 'count'"), Some(2.0));
        assert_eq!(number("column = 'n'\nsummary = 'max'\nwhere = 'solved'"), Some(1.0));
    }

    #[test]
    fn printed_digits_say_how_exact_a_claim_is() {
        let verdict = |bounds: &str| checked(&format!("column = 'share'\nsummary = 'mean'\n{bounds}")).verdict;
        assert_eq!(verdict("expected = '.38'"), Verdict::Confirmed, "0.375 is printed as .38 or .37");
        assert_eq!(verdict("expected = '.37'"), Verdict::Confirmed);
        assert_eq!(verdict("expected = '.375'"), Verdict::Confirmed);
        assert_eq!(verdict("expected = 0.375"), Verdict::Confirmed);
        assert!(matches!(verdict("expected = '.370'"), Verdict::Differs(by) if (by - 0.0045).abs() < 1e-12));
        assert!(matches!(verdict("at-most = 0.3"), Verdict::Differs(by) if (by - 0.075).abs() < 1e-12));
        assert_eq!(verdict("expected = 0.3\ntolerance = 0.1"), Verdict::Confirmed);
    }

    #[test]
    fn a_number_is_compared_with_other_cells() {
        let claim = |bound: &str| checked(&format!("column = 'share'\nwhere = 'n == 1'\nsummary = 'max'\n{bound}"));
        let smaller = claim("at-most = { where = 'n == 2' }");
        assert_eq!((smaller.verdict, smaller.bounds), (Verdict::Confirmed, Some((f64::NEG_INFINITY, 0.5))));
        assert_eq!(claim("at-least = { where = 'n == 2' }").verdict, Verdict::Differs(-0.25));
        // 0.25 is the least of all shares, and less than the mean of n.
        assert_eq!(claim("at-most = { summary = 'min' }").verdict, Verdict::Confirmed);
        assert_eq!(claim("at-least = { column = 'n', summary = 'mean' }").verdict, Verdict::Differs(0.25 - 4.0 / 3.0));
        assert!(matches!(claim("at-most = { column = 'x' }").verdict, Verdict::NotComputed(_)));
        let shown = claims_table(&[claim("at-most = { where = 'n == 2' }")]);
        let cell = shown.data.column("computed_as").unwrap().str().unwrap().get(0).unwrap().to_owned();
        assert_eq!(cell, "max of play.share where n == 1; at most max of play.share where n == 2");
    }

    #[test]
    fn what_cannot_be_computed_says_why() {
        let reason = |claim: &str| match checked(&format!("{claim}\nat-least = 0")).verdict {
            Verdict::NotComputed(reason) => reason,
            other => panic!("{other:?}"),
        };
        assert_eq!(reason("column = 'share'"), "2 rows have a value: narrow `where`, or give `summary`");
        assert!(reason("column = 'shares'").contains("it has level, n, share, solved"));
        assert!(reason("column = 'level'").contains("holds text"));
        assert!(
            reason("column = 'share'\nwhere = \"level == 'b'\"").contains("the row that was asked for has no value")
        );
        let unknown: Claim = toml::from_str("sentence = 's'\ntable = 't'\ncolumn = 'n'\nat-most = 1").unwrap();
        assert!(
            matches!(unknown.check(&[table()]).verdict, Verdict::NotComputed(reason) if reason.contains("there are play"))
        );
    }

    #[test]
    fn a_file_of_claims_is_read_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("claims.toml");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read_claims(&path).map_err(|error| error.to_string())
        };
        let claim = "[[claim]]\nsentence = 's'\ntable = 't'\ncolumn = 'c'\n";
        assert_eq!(read(&format!("{claim}expected = '1.5'")).unwrap().len(), 1);
        assert!(read(claim).unwrap_err().contains("give `expected`, `at-least` or `at-most`"));
        assert!(read(&format!("{claim}expected = 'many'")).unwrap_err().contains("is no number"));
        assert!(
            read(&format!("{claim}at-least = 2\nat-most = 1")).unwrap_err().contains("nothing lies between 2 and 1")
        );
        assert!(read(&format!("{claim}expects = 1")).unwrap_err().contains("unknown field `expects`"));
    }
}
