//! The results of a mixed model as they stand in a sentence; see [`apa`](crate::stats::apa).

use super::{Effect, FTest, MixedModel};
use crate::stats::apa::{bounded, count, interval, not_estimable, number, p_value};

impl Effect {
    /// `b = 0.09, 95 % CI [0.07, 0.10], t(32831.0) = 11.01, p < .001`.
    pub fn sentence(&self) -> String {
        let Some(estimate) = self.estimate else { return absent("b", self.reason.as_ref()) };
        let ends = interval(self.confidence, self.lower.zip(self.upper), |value| number(value, 2));
        let mut text = format!("b = {}{ends}", number(estimate, 2));
        if let (Some(df), Some(statistic), Some(p)) = (self.df, self.statistic, self.p_value) {
            text += &format!(", t({}) = {}, {}", number(df, 1), number(statistic, 2), p_value(p));
        }
        text
    }
}

impl FTest {
    /// `F(2, 32940.1) = 61.47, p < .001`.
    pub fn sentence(&self) -> String {
        let (Some(statistic), Some(df1), Some(df2), Some(p)) = (self.statistic, self.df1, self.df2, self.p_value)
        else {
            return absent("F", self.reason.as_ref());
        };
        format!("F({df1}, {}) = {}, {}", number(df2, 1), number(statistic, 2), p_value(p))
    }
}

impl MixedModel {
    /// `n = 33253, R² marginal = .02, R² conditional = .17, ICC = .14 (participant), .01 (level)`,
    /// with a note on a singular fit or one that did not converge.
    pub fn sentence(&self) -> String {
        let (Some(marginal), Some(conditional)) = (self.r2_marginal, self.r2_conditional) else {
            return not_estimable("R²", self.n, self.reason.as_ref());
        };
        let shares: Vec<String> =
            self.random.iter().map(|factor| format!("{} ({})", bounded(factor.icc, 2), factor.name)).collect();
        let (marginal, conditional) = (bounded(marginal, 2), bounded(conditional, 2));
        let mut text = format!("n = {}, R² marginal = {marginal}, R² conditional = {conditional}", count(self.n));
        text += &format!(", ICC = {}", shares.join(", "));
        let zero: Vec<&str> =
            self.random.iter().filter(|factor| factor.theta == 0.0).map(|factor| factor.name.as_str()).collect();
        if !zero.is_empty() {
            text += &format!("; singular: no variance of {}", zero.join(" and "));
        }
        if !self.converged {
            text += "; the search for the variances did not converge";
        }
        text
    }
}

fn absent(symbol: &str, reason: Option<&crate::stats::NotEstimable>) -> String {
    let reason = reason.map_or(String::new(), |reason| format!(" ({reason})"));
    format!("{symbol} not estimable{reason}")
}
