//! Transitions that come more or less often than independence would make them.

use serde::Serialize;

use super::dependence::margins;
use super::{check_codes, count_pairs};
use crate::apa;
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::{normal_cdf, normal_upper_quantile};

/// One transition against independence.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TransitionResidual {
    /// The code before.
    pub from: u8,
    /// The code after.
    pub to: u8,
    /// Frequency of the transition.
    pub n: u64,
    /// Expected frequency if the next code did not depend on the one before.
    pub expected: f64,
    /// The adjusted residual: the difference in units of its standard error, approximately standard
    /// normal under independence (Haberman, 1973). Absent if one of the two codes never comes, or no
    /// other does.
    pub residual: Option<f64>,
    /// Two-sided p value of the residual, not adjusted for the number of transitions.
    pub p_value: Option<f64>,
    /// Odds of `to` after `from`, divided by its odds after other codes; absent if one of the four
    /// counts is 0.
    pub odds_ratio: Option<f64>,
    /// Lower end of its interval (Woolf, 1955).
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// The adjusted residual and the odds ratio of each transition, by the code before and then the code
/// after; transitions are counted within attempts.
///
/// Adjust the p values for the number of transitions, for example with
/// [`Adjustment`](crate::adjust::Adjustment).
///
/// Haberman (1973). The analysis of residuals in cross-classified tables. *Biometrics*, 29, 205–220.
/// Woolf (1955). On estimating the relation between blood group and disease. *Annals of Human
/// Genetics*, 19, 251–253.
///
/// # Errors
///
/// [`NotEstimable`] if there is no transition, or a code is not below `n_codes`.
pub fn transition_residuals<A: AsRef<[u8]>>(
    attempts: &[A],
    n_codes: usize,
    confidence: Confidence,
) -> Result<Vec<TransitionResidual>, NotEstimable> {
    check_codes(attempts, n_codes)?;
    let counts = count_pairs(attempts, n_codes);
    let n: u64 = counts.iter().sum();
    check_count("a transition", "moves after another move", n as usize, 1)?;
    let (rows, columns) = margins(&counts, n_codes);
    let cells = counts.iter().enumerate().map(|(index, &count)| {
        let (from, to) = (index / n_codes, index % n_codes);
        let table = FourCounts {
            both: count,
            only_from: rows[from] - count,
            only_to: columns[to] - count,
            neither: n + count - rows[from] - columns[to],
        };
        table.residual(from as u8, to as u8, confidence)
    });
    Ok(cells.collect())
}

impl TransitionResidual {
    /// `z = 3.21, p = .001, OR = 1.80, 95 % CI [1.25, 2.60], n = 48`.
    pub fn sentence(&self) -> String {
        let (Some(residual), Some(p)) = (self.residual, self.p_value) else {
            return apa::not_estimable("z", self.n as usize, self.reason.as_ref());
        };
        let number = |value| apa::number(value, 2);
        let interval = apa::interval(self.confidence, self.lower.zip(self.upper), number);
        let odds = self.odds_ratio.map_or(String::new(), |ratio| format!(", OR = {}{interval}", number(ratio)));
        format!("z = {}, {}{odds}, n = {}", number(residual), apa::p_value(p), apa::count(self.n))
    }
}

/// The transitions by whether they start with one code and whether they end with another.
struct FourCounts {
    both: u64,
    only_from: u64,
    only_to: u64,
    neither: u64,
}

impl FourCounts {
    fn residual(&self, from: u8, to: u8, confidence: Confidence) -> TransitionResidual {
        let [both, only_from, only_to, neither] =
            [self.both, self.only_from, self.only_to, self.neither].map(|count| count as f64);
        let (n_from, n_to, n) = (both + only_from, both + only_to, both + only_from + only_to + neither);
        let expected = n_from * n_to / n;
        let mut result =
            TransitionResidual { from, to, n: self.both, expected, confidence, ..TransitionResidual::default() };
        let variance = expected * (1.0 - n_from / n) * (1.0 - n_to / n);
        // A code that comes always or never has no variance: the residual would be 0 / 0.
        if [
            self.both + self.only_from,
            self.both + self.only_to,
            self.neither + self.only_from,
            self.neither + self.only_to,
        ]
        .contains(&0)
        {
            let (quantity, why) = ("the residual of a transition", "a code comes always or never");
            result.reason = Some(NotEstimable::Undefined { quantity, why: why.to_owned() });
            return result;
        }
        let residual = (both - expected) / variance.sqrt();
        result.residual = Some(residual);
        result.p_value = Some(2.0 * normal_cdf(-residual.abs()));
        if [self.both, self.only_from, self.only_to, self.neither].contains(&0) {
            let (quantity, why) = ("an odds ratio", "one of its four counts is 0");
            result.reason = Some(NotEstimable::Undefined { quantity, why: why.to_owned() });
            return result;
        }
        let ratio = both * neither / (only_from * only_to);
        let error = (1.0 / both + 1.0 / only_from + 1.0 / only_to + 1.0 / neither).sqrt();
        let factor = (normal_upper_quantile(confidence.tail()) * error).exp();
        result.odds_ratio = Some(ratio);
        (result.lower, result.upper) = (Some(ratio / factor), Some(ratio * factor));
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_table_of_two_codes_all_residuals_are_of_one_size() {
        // Pairs 00, 01, 10, 11: 3, 3, 2, 3. Expected of the first 30/11, variance 30/11 · 5/11 · 6/11.
        let codes = [0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1];
        let cells = transition_residuals(&[codes], 2, Confidence::default()).unwrap();
        let size = cells[0].residual.unwrap();
        let sizes: Vec<f64> = cells.iter().map(|cell| cell.residual.unwrap()).collect();
        for (actual, expected) in sizes.iter().zip([size, -size, -size, size]) {
            assert!((actual - expected).abs() < 1e-14);
        }
        assert_eq!(cells[0].sentence(), "z = 0.33, p = .740, OR = 1.50, 95 % CI [0.14, 16.54], n = 3");
        assert!((cells[0].odds_ratio.unwrap() * cells[1].odds_ratio.unwrap() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn codes_that_never_come_have_no_residual() {
        let cells = transition_residuals(&[[0, 1, 0, 0]], 3, Confidence::default()).unwrap();
        assert_eq!((cells[8].residual, cells[8].expected), (None, 0.0));
        assert!(cells[8].sentence().contains("a code comes always or never"));
        // After 1 comes 0 only: a residual, but no odds ratio.
        assert!(cells[3].residual.is_some() && cells[3].odds_ratio.is_none() && cells[3].reason.is_some());
        assert!(transition_residuals(&[[0]], 1, Confidence::default()).is_err());
    }
}
