//! The result of a test whose statistic is compared with a chi-squared distribution.

use serde::Serialize;

use crate::apa;
use crate::numeric::distribution::chi_squared_upper;

/// A chi-squared statistic with its degrees of freedom and p value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ChiSquaredTest {
    /// The statistic, 0 or more.
    pub statistic: f64,
    /// Degrees of freedom, 1 or more.
    pub df: usize,
    /// Probability of so large a statistic where the hypothesis holds, by the chi-squared
    /// approximation for large samples.
    pub p_value: f64,
}

impl ChiSquaredTest {
    /// The test of a finite statistic; rounding below 0 is taken as 0.
    pub(crate) fn new(statistic: f64, df: usize) -> Self {
        let statistic = statistic.max(0.0);
        Self { statistic, df, p_value: chi_squared_upper(statistic, df as f64) }
    }

    /// `χ²(2) = 7.31, p = .026`.
    pub fn sentence(&self) -> String {
        format!("χ²({}) = {}, {}", self.df, apa::number(self.statistic, 2), apa::p_value(self.p_value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_critical_value_of_the_printed_tables_has_a_p_of_a_twentieth() {
        let test = ChiSquaredTest::new(5.991_464_547_107_979, 2);
        assert!((test.p_value - 0.05).abs() < 1e-14);
        assert_eq!(test.sentence(), "χ²(2) = 5.99, p = .050");
        assert_eq!(ChiSquaredTest::new(-1e-17, 1).p_value, 1.0);
    }
}
