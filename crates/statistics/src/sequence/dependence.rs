//! Dependence of the next code on those before it.

use std::f64::consts::LN_2;

use serde::Serialize;

use super::check_codes;
use crate::apa;
use crate::not_estimable::{NotEstimable, check_count};
use crate::stats::chi_squared::ChiSquaredTest;

const QUANTITY: &str = "a test of dependence";

/// A test of the order of dependence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OrderTest {
    /// The order that is tested against the order one below: 1 asks whether the code before tells
    /// anything of the next, 2 whether the one before that tells anything more.
    pub order: usize,
    /// Number of runs of `order` + 1 codes within attempts.
    pub n: u64,
    /// Number of cells with fewer than 5 expected; with many of them the p values are rough.
    pub n_small_cells: usize,
    /// The dependence and its tests, or why there are none.
    pub outcome: Result<Dependence, NotEstimable>,
}

/// Dependence of the next code on an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Dependence {
    /// Likelihood-ratio test (G²).
    pub likelihood_ratio: ChiSquaredTest,
    /// Pearson's test (X²).
    pub pearson: ChiSquaredTest,
    /// Mutual information in bits: how much the earlier code tells of the next (order 2: beyond what
    /// the one between tells). It is G² / (2 n ln 2), and above 0 by chance by about
    /// `df` / (2 n ln 2) (Miller, 1955).
    pub mutual_information: f64,
    /// The same as a share of the entropy of the next code (order 2: given the one between), from 0 to
    /// 1; absent if that entropy is 0.
    pub share_of_entropy: Option<f64>,
}

/// Tests whether the next code depends on the one before it, against independence.
///
/// Codes that never come first or second in a pair do not count in the degrees of freedom. People
/// and attempts differ in how often they err, which alone makes pooled codes look dependent; the
/// test by shuffling within attempts, [`Shuffles::pairs`](super::shuffle::Shuffles::pairs), does not take
/// that for dependence.
///
/// Anderson & Goodman (1957). Statistical inference about Markov chains. *Annals of Mathematical
/// Statistics*, 28, 89–110. Miller (1955). Note on the bias of information estimates. In Quastler
/// (ed.), *Information theory in psychology*, 95–100.
pub fn first_order<A: AsRef<[u8]>>(attempts: &[A], n_codes: usize) -> OrderTest {
    // The code between is the same for all pairs.
    order_test(1, attempts, n_codes, 1, |pair| (0, pair[0], pair[1]))
}

/// Tests whether the next code depends on the code two before it, given the one between: a chain of
/// second order against one of first order.
///
/// One table for each code between, whose statistics and degrees of freedom are added; in each, codes
/// that never come do not count in the degrees of freedom. Anderson & Goodman (1957), section 3.3.
pub fn second_order<A: AsRef<[u8]>>(attempts: &[A], n_codes: usize) -> OrderTest {
    order_test(2, attempts, n_codes, n_codes, |triple| (triple[1], triple[0], triple[2]))
}

impl OrderTest {
    /// `G²(4) = 31.20, p < .001, MI = 0.04 bits, n = 560`.
    pub fn sentence(&self) -> String {
        apa::outcome("G²", self.n as usize, &self.outcome, |dependence| {
            let test = dependence.likelihood_ratio.sentence().replacen("χ²", "G²", 1);
            let information = apa::number(dependence.mutual_information, 2);
            format!("{test}, MI = {information} bits, n = {}", apa::count(self.n))
        })
    }
}

/// `place` gives the table, row and column of a run of codes.
fn order_test<A: AsRef<[u8]>>(
    order: usize,
    attempts: &[A],
    n_codes: usize,
    n_tables: usize,
    place: impl Fn(&[u8]) -> (u8, u8, u8),
) -> OrderTest {
    if let Err(reason) = check_codes(attempts, n_codes) {
        return OrderTest { order, n: 0, n_small_cells: 0, outcome: Err(reason) };
    }
    let mut tables = vec![vec![0_u64; n_codes * n_codes]; n_tables];
    for attempt in attempts {
        for codes in attempt.as_ref().windows(order + 1) {
            let (table, row, column) = place(codes);
            tables[usize::from(table)][usize::from(row) * n_codes + usize::from(column)] += 1;
        }
    }
    let n = tables.iter().flatten().sum();
    if let Err(reason) = check_count(QUANTITY, "moves with enough moves before them", n as usize, 1) {
        return OrderTest { order, n, n_small_cells: 0, outcome: Err(reason) };
    }
    let parts: Vec<TableFit> = tables.iter().map(|table| TableFit::new(table, n_codes)).collect();
    let n_small_cells = parts.iter().map(|part| part.n_small_cells).sum();
    OrderTest { order, n, n_small_cells, outcome: Dependence::new(&parts, n) }
}

impl Dependence {
    fn new(parts: &[TableFit], n: u64) -> Result<Self, NotEstimable> {
        let sum = |part: fn(&TableFit) -> f64| parts.iter().map(part).sum::<f64>();
        let df: usize = parts.iter().map(|part| part.df).sum();
        if df == 0 {
            let why = "either the earlier or the next code never varies".to_owned();
            return Err(NotEstimable::Undefined { quantity: QUANTITY, why });
        }
        let likelihood_ratio = ChiSquaredTest::new(sum(|part| part.g), df);
        let mutual_information = likelihood_ratio.statistic / (2.0 * n as f64 * LN_2);
        // In the unit of G²: twice the number times the entropy in nats.
        let entropy = sum(|part| part.entropy) / (2.0 * n as f64 * LN_2);
        let share_of_entropy = (entropy > 0.0).then(|| mutual_information / entropy);
        let pearson = ChiSquaredTest::new(sum(|part| part.x), df);
        Ok(Self { likelihood_ratio, pearson, mutual_information, share_of_entropy })
    }
}

/// Statistics of independence in one table.
#[derive(Default)]
struct TableFit {
    g: f64,
    x: f64,
    df: usize,
    /// 2 n times the entropy of the columns, in nats.
    entropy: f64,
    n_small_cells: usize,
}

impl TableFit {
    fn new(table: &[u64], n_codes: usize) -> Self {
        let (rows, columns) = margins(table, n_codes);
        let n = rows.iter().sum::<u64>() as f64;
        let mut fit = Self {
            g: g_statistic(table, &rows, &columns),
            df: n_further_kinds(&rows) * n_further_kinds(&columns),
            ..Self::default()
        };
        for (index, &count) in table.iter().enumerate() {
            let expected = rows[index / n_codes] as f64 * columns[index % n_codes] as f64 / n;
            if expected > 0.0 {
                fit.x += (count as f64 - expected).powi(2) / expected;
                fit.n_small_cells += usize::from(expected < 5.0);
            }
        }
        let surprise = |&column: &u64| 2.0 * column as f64 * (n / column as f64).ln();
        fit.entropy = columns.iter().filter(|&&column| column > 0).map(surprise).sum();
        fit
    }
}

/// Degrees of freedom of a margin: the codes that occur, less one.
fn n_further_kinds(margin: &[u64]) -> usize {
    margin.iter().filter(|&&count| count > 0).count().saturating_sub(1)
}

/// Sums of the rows and of the columns of a square table.
pub(super) fn margins(table: &[u64], n_codes: usize) -> (Vec<u64>, Vec<u64>) {
    let rows = table.chunks_exact(n_codes).map(|row| row.iter().sum()).collect();
    let columns = (0..n_codes).map(|column| table.iter().skip(column).step_by(n_codes).sum()).collect();
    (rows, columns)
}

/// The likelihood-ratio statistic of independence, 2 Σ n ln(n / expected); empty cells add nothing.
pub(super) fn g_statistic(table: &[u64], rows: &[u64], columns: &[u64]) -> f64 {
    let n = rows.iter().sum::<u64>() as f64;
    let width = columns.len();
    let term = |(index, &count): (usize, &u64)| {
        let expected = rows[index / width] as f64 * columns[index % width] as f64 / n;
        if count == 0 { 0.0 } else { 2.0 * count as f64 * (count as f64 / expected).ln() }
    };
    table.iter().enumerate().map(term).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_always_follows_the_same_tells_all_of_it() {
        // 0 1 0 1 …: each code is known from the one before; half of the codes are 0, so one bit.
        let codes: Vec<u8> = (0..101).map(|i| i % 2).collect();
        let test = first_order(&[&codes], 2);
        let dependence = test.outcome.clone().unwrap();
        assert_eq!((test.n, dependence.likelihood_ratio.df), (100, 1));
        assert!((dependence.mutual_information - 1.0).abs() < 1e-14);
        assert!((dependence.share_of_entropy.unwrap() - 1.0).abs() < 1e-14);
        assert_eq!(test.sentence(), "G²(1) = 138.63, p < .001, MI = 1.00 bits, n = 100");
        // Nothing is left for the code before that.
        assert!(second_order(&[&codes], 2).outcome.is_err());
    }

    #[test]
    fn a_chain_of_second_order_is_seen_as_one() {
        // 0 0 1 1 0 0 1 1 …: from one code the next is a toss, from two it is known.
        let codes: Vec<u8> = (0..402).map(|i| u8::from(i % 4 >= 2)).collect();
        assert!(first_order(&[&codes], 2).outcome.unwrap().likelihood_ratio.p_value > 0.9);
        let second = second_order(&[&codes], 2).outcome.unwrap();
        assert_eq!(second.likelihood_ratio.df, 2);
        assert!((second.share_of_entropy.unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn codes_that_never_vary_or_stand_alone_cannot_be_tested() {
        let reason = |attempts: &[Vec<u8>]| first_order(attempts, 3).outcome.unwrap_err().to_string();
        assert_eq!(
            reason(&[vec![1, 1, 1]]),
            "a test of dependence is not defined here: either the earlier or the next code never varies"
        );
        assert!(reason(&[vec![1], vec![]]).contains("needs moves"));
        assert!(reason(&[vec![3]]).contains("a code is 3"));
        assert!(second_order(&[[0, 1]], 2).outcome.is_err());
    }
}
