//! The results of a mixed model as they stand in a sentence; see [`apa`](crate::apa).

use crate::apa::{bounded, count, interval, not_estimable, number, p_value, ratio};
use crate::stats::mixed::design::INTERCEPT;
use crate::stats::mixed::effects::{Effect, FTest, Family, RandomEffects};
use crate::stats::mixed::model::MixedModel;

impl Effect {
    /// `b = 0.09, 95 % CI [0.07, 0.10], t(32831.0) = 11.01, p < .001`, or of log odds
    /// `OR = 1.52, 95 % CI [1.10, 2.10], t(22) = 2.54, p = .019`, with z where
    /// it has no degrees of freedom.
    pub fn sentence(&self) -> String {
        if self.family == Family::Logistic {
            return self.odds_ratio();
        }
        let Some(estimate) = self.estimate else { return absent("b", self.reason.as_ref()) };
        let ends = interval(self.confidence, self.lower.zip(self.upper), |value| number(value, 2));
        let mut text = format!("b = {}{ends}", number(estimate, 2));
        if let (Some(df), Some(statistic), Some(p)) = (self.df, self.statistic, self.p_value) {
            text += &format!(", t({}) = {}, {}", number(df, 1), number(statistic, 2), p_value(p));
        }
        text
    }
}

impl Effect {
    fn odds_ratio(&self) -> String {
        let (Some(estimate), Some(statistic), Some(p)) = (self.estimate, self.statistic, self.p_value) else {
            return absent("OR", self.reason.as_ref());
        };
        let ends = self.lower.zip(self.upper).map(|(lower, upper)| (lower.exp(), upper.exp()));
        let ends = interval(self.confidence, ends, ratio);
        let symbol = self.df.map_or_else(|| "z".to_owned(), |df| format!("t({})", number(df, 0)));
        format!("OR = {}{ends}, {symbol} = {}, {}", ratio(estimate.exp()), number(statistic, 2), p_value(p))
    }
}

impl FTest {
    /// `F(2, 32940.1) = 61.47, p < .001`, or without denominator degrees of freedom `χ²(2) = 12.31, p = .002`.
    pub fn sentence(&self) -> String {
        if let (Some(statistic), Some(df1), None, Some(p)) = (self.statistic, self.df1, self.df2, self.p_value) {
            return format!("χ²({df1}) = {}, {}", number(statistic * df1 as f64, 2), p_value(p));
        }
        let (Some(statistic), Some(df1), Some(df2), Some(p)) = (self.statistic, self.df1, self.df2, self.p_value)
        else {
            return absent("F", self.reason.as_ref());
        };
        format!("F({df1}, {}) = {}, {}", number(df2, 1), number(statistic, 2), p_value(p))
    }
}

impl RandomEffects {
    /// `participant`, or with slopes `participant: intercept, distance`.
    pub fn name(&self) -> String {
        match self.effects.as_slice() {
            [only] if only == INTERCEPT => self.factor.clone(),
            effects => format!("{}: {}", self.factor, effects.join(", ")),
        }
    }

    /// Estimates at the edge of what is possible, if any.
    pub fn singularity(&self) -> Option<String> {
        let effect_by = |effect: &String| if effect == INTERCEPT { String::new() } else { format!("{effect} by ") };
        let zero = (0..self.effects.len()).filter(|&effect| self.sd(effect) == 0.0);
        let zero: Vec<String> =
            zero.map(|effect| format!("no variance of {}{}", effect_by(&self.effects[effect]), self.factor)).collect();
        match zero.as_slice() {
            _ if !self.singular => None,
            [] => Some(format!("effects of {} that determine each other", self.name())),
            _ => Some(zero.join(" and ")),
        }
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
            self.random.iter().map(|term| format!("{} ({})", bounded(term.icc, 2), term.name())).collect();
        let (marginal, conditional) = (bounded(marginal, 2), bounded(conditional, 2));
        let mut text = format!("n = {}, R² marginal = {marginal}, R² conditional = {conditional}", count(self.n));
        text += &format!(", ICC = {}", shares.join(", "));
        let singular: Vec<String> = self.random.iter().filter_map(RandomEffects::singularity).collect();
        if !singular.is_empty() {
            text += &format!("; singular: {}", singular.join(" and "));
        }
        if !self.converged {
            text += "; the search for the variances did not converge";
        }
        text
    }
}

fn absent(symbol: &str, reason: Option<&crate::not_estimable::NotEstimable>) -> String {
    let reason = reason.map_or(String::new(), |reason| format!(" ({reason})"));
    format!("{symbol} not estimable{reason}")
}
