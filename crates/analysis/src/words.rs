//! Effects of models in words: direction and unit first, `Under speed, participants took 40 % less time …`.

use plymap_statistics::stats::{Confidence, apa};

/// Ratio of the ends of an interval from which on a ratio is not told: the data do not say how large it is.
const WIDEST: f64 = 100.0;

/// What a mixed model of every study is about, as people say it.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    /// Name of the model.
    model: &'static str,
    /// What it is; `{}` is the verb of a trial that came to its end.
    noun: &'static str,
    /// Words before the change, and after it.
    words: (&'static str, &'static str),
    /// Words for more and for less.
    more_less: (&'static str, &'static str),
}

const OUTCOMES: [Outcome; 4] = [
    Outcome {
        model: "trial-time",
        noun: "the time for a {} trial",
        words: ("participants took", "time for a {} trial"),
        more_less: ("more", "less"),
    },
    Outcome {
        model: "trial-moves",
        noun: "the number of moves in a {} trial",
        words: ("participants made", "moves in a {} trial"),
        more_less: ("more", "fewer"),
    },
    Outcome {
        model: "solved",
        noun: "the odds that a trial was {}",
        words: ("the odds that a trial was {} were", ""),
        more_less: ("higher", "lower"),
    },
    Outcome {
        model: "optimal",
        noun: "the odds that a move was optimal",
        words: ("the odds that a move was optimal were", ""),
        more_less: ("higher", "lower"),
    },
];

/// Effect of a category against the reference, as a model of logarithms or log odds has it.
#[derive(Clone, Copy, Debug)]
pub struct CategoryEffect<'a> {
    /// Name of the model.
    pub model: &'a str,
    /// The category, such as the condition `speed`.
    pub category: &'a str,
    /// The category that it is compared with.
    pub reference: &'a str,
    /// Logarithm of the ratio.
    pub estimate: f64,
    /// Ends of its interval, as logarithms.
    pub interval: Option<(f64, f64)>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Verb of a trial that came to its end: solved, or finished.
    pub solved: &'a str,
}

impl CategoryEffect<'_> {
    /// Returns the effect in words; none for a model that has none.
    ///
    /// An interval whose ends differ by a factor above 100 is no result: the sentence says so.
    pub fn sentence(&self) -> Option<String> {
        let Outcome { noun, words: (before, after), more_less, .. } =
            OUTCOMES.into_iter().find(|outcome| outcome.model == self.model)?;
        let Self { category, reference, solved, .. } = self;
        let (before, after) = (before.replace("{}", solved), after.replace("{}", solved));
        if is_too_wide(self.interval) {
            let noun = noun.replace("{}", solved);
            return Some(format!("How {category} and {reference} differ in {noun} cannot be told from these data"));
        }
        let change = change(self.estimate, more_less);
        let after = if after.is_empty() { String::new() } else { format!(" {after}") };
        let interval = interval(self.confidence, self.interval, self.estimate, more_less);
        Some(format!("Under {category}, {before} {change}{after} than under {reference}{interval}"))
    }
}

/// Returns true if the ends of an interval of logarithms are too far apart for a ratio to be a result.
pub fn is_too_wide(interval: Option<(f64, f64)>) -> bool {
    interval.is_some_and(|(lower, upper)| upper - lower > WIDEST.ln())
}

/// Returns a ratio as a change in percent: `40 % less`, `240 % more`.
fn change(log_ratio: f64, (more, less): (&str, &str)) -> String {
    let word = if log_ratio < 0.0 { less } else { more };
    format!("{} {word}", amount(log_ratio))
}

fn amount(log_ratio: f64) -> String {
    let percent = 100.0 * log_ratio.exp_m1().abs();
    format!("{} %", apa::number(percent, if percent < 1.0 { 1 } else { 0 }))
}

/// Returns the interval of a change; where its ends are changes in both directions, each says which.
fn interval(confidence: Confidence, ends: Option<(f64, f64)>, estimate: f64, more_less: (&str, &str)) -> String {
    let Some((lower, upper)) = ends else { return String::new() };
    if lower < 0.0 && upper > 0.0 {
        return format!(", {confidence} CI from {} to {}", change(lower, more_less), change(upper, more_less));
    }
    // The smaller change first.
    let (near, far) = if estimate < 0.0 { (upper, lower) } else { (lower, upper) };
    format!(", {confidence} CI [{}, {}]", amount(near), amount(far))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(model: &str, estimate: f64, interval: (f64, f64)) -> String {
        let effect = CategoryEffect {
            model,
            category: "speed",
            reference: "accuracy",
            estimate,
            interval: Some(interval),
            confidence: Confidence::default(),
            solved: "solved",
        };
        effect.sentence().unwrap()
    }

    #[test]
    fn direction_and_unit_come_first() {
        assert_eq!(
            said("trial-time", 0.6_f64.ln(), (0.49_f64.ln(), 0.73_f64.ln())),
            "Under speed, participants took 40 % less time for a solved trial than under accuracy, 95 % CI [27 %, 51 %]"
        );
        assert_eq!(
            said("trial-moves", 1.19_f64.ln(), (1.06_f64.ln(), 1.33_f64.ln())),
            "Under speed, participants made 19 % more moves in a solved trial than under accuracy, 95 % CI [6 %, 33 %]"
        );
        assert_eq!(
            said("optimal", 0.9_f64.ln(), (0.8_f64.ln(), 1.1_f64.ln())),
            "Under speed, the odds that a move was optimal were 10 % lower than under accuracy, 95 % CI from 20 % lower to 10 % higher"
        );
    }

    #[test]
    fn an_impossible_width_is_no_result() {
        let sentence = said("solved", 0.3_f64.ln(), (0.0002_f64.ln(), 430.0_f64.ln()));
        assert_eq!(
            sentence,
            "How speed and accuracy differ in the odds that a trial was solved cannot be told from these data"
        );
        assert!(!is_too_wide(Some((0.0, 99_f64.ln()))) && is_too_wide(Some((0.0, 101_f64.ln()))));
    }
}
