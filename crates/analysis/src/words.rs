//! Effects of models in words: direction and unit first, `Under speed, participants took 40 % less time …`.

use super::model_specification::CONDITION;
use plymap_statistics::stats::{Confidence, apa};

/// Ratio of the ends of an interval from which on a ratio is not told: the data do not say how large it is.
const WIDEST: f64 = 100.0;

/// What stands in the place of a ratio whose interval is wider than that.
pub const CANNOT_BE_TOLD: &str = "of a size that cannot be told from these data";

/// Ratio from which on a change is told as a multiple: 815 % more is read as 8.15 times as much, which is 9.15 times.
pub const MULTIPLE: f64 = 2.0;

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
    /// Word for the multiple of it: so many times as `much`.
    times_as: &'static str,
}

const OUTCOMES: [Outcome; 4] = [
    Outcome {
        model: "trial-time",
        noun: "the time for a {} trial",
        words: ("participants took", "time for a {} trial"),
        more_less: ("more", "less"),
        times_as: "much",
    },
    Outcome {
        model: "trial-moves",
        noun: "the number of moves in a {} trial",
        words: ("participants made", "moves in a {} trial"),
        more_less: ("more", "fewer"),
        times_as: "many",
    },
    Outcome {
        model: "solved",
        noun: "the odds that a trial was {}",
        words: ("the odds that a trial was {} were", ""),
        more_less: ("higher", "lower"),
        times_as: "high",
    },
    Outcome {
        model: "optimal",
        noun: "the odds that a move was optimal",
        words: ("the odds that a move was optimal were", ""),
        more_less: ("higher", "lower"),
        times_as: "high",
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
        let Outcome { noun, words: (before, after), more_less, times_as, .. } =
            OUTCOMES.into_iter().find(|outcome| outcome.model == self.model)?;
        let Self { category, reference, solved, .. } = self;
        let (before, after) = (before.replace("{}", solved), after.replace("{}", solved));
        if is_too_wide(self.interval) {
            let noun = noun.replace("{}", solved);
            return Some(format!("How {category} and {reference} differ in {noun} cannot be told from these data"));
        }
        let after = if after.is_empty() { String::new() } else { format!(" {after}") };
        let ends = self.interval.map_or_else(Vec::new, |(lower, upper)| vec![lower, upper]);
        if ends.iter().chain([&self.estimate]).any(|&log_ratio| log_ratio >= MULTIPLE.ln()) {
            let times = apa::ratio(self.estimate.exp());
            let interval = apa::interval(self.confidence, self.interval, |end| apa::ratio(end.exp()));
            return Some(format!(
                "Under {category}, {before} {times} times as {times_as}{after} as under {reference}{interval}"
            ));
        }
        let change = change(self.estimate, more_less);
        let interval = interval(self.confidence, self.interval, self.estimate, more_less);
        Some(format!("Under {category}, {before} {change}{after} than under {reference}{interval}"))
    }
}

/// Returns what a mixed model is about as a noun, where it is one of every study.
pub fn outcome_noun(model: &str, solved: &str) -> Option<String> {
    OUTCOMES.iter().find(|outcome| outcome.model == model).map(|outcome| outcome.noun.replace("{}", solved))
}

/// Says whether groups differ in an outcome, by a test of several effects at once: `the time for a solved trial differed
/// between the 3 conditions`. A product of columns is an interaction: the effect of one differs by the other.
pub fn differs(outcome: &str, term: &str, n_effects: usize, is_shown: bool) -> String {
    let (what, among) = match term.rsplit_once(" : ") {
        Some((first, by)) => {
            (format!("the effect of {} on {outcome}", first.replace(" : ", " and ")), format!("by {by}"))
        }
        None if term == CONDITION => (outcome.to_owned(), format!("between the {} conditions", n_effects + 1)),
        None => (outcome.to_owned(), format!("between the {} categories of {term}", n_effects + 1)),
    };
    let differ = if outcome.starts_with("the odds") && !term.contains(" : ") { "differ" } else { "differs" };
    match is_shown {
        true => format!("{what} differed {among}"),
        false => format!("it is not shown that {what} {differ} {among}"),
    }
}

/// Returns true if the ends of an interval of logarithms are too far apart for a ratio to be a result.
pub fn is_too_wide(interval: Option<(f64, f64)>) -> bool {
    interval.is_some_and(|(lower, upper)| upper - lower > WIDEST.ln())
}

/// Returns a ratio as a change in percent: `40 % less`, `24 % more`.
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
    fn from_twice_as_much_on_a_change_is_a_multiple() {
        // 815 % higher would be the same number said as another one.
        assert_eq!(
            said("solved", 9.15_f64.ln(), (1.5_f64.ln(), 55.8_f64.ln())),
            "Under speed, the odds that a trial was solved were 9.15 times as high as under accuracy, 95 % CI [1.50, 55.80]"
        );
        assert_eq!(
            said("trial-time", 1.4_f64.ln(), (0.7_f64.ln(), 2.8_f64.ln())),
            "Under speed, participants took 1.40 times as much time for a solved trial as under accuracy, 95 % CI [0.70, 2.80]"
        );
        assert_eq!(
            said("trial-moves", 2_f64.ln(), (1.6_f64.ln(), 2.5_f64.ln())),
            "Under speed, participants made 2.00 times as many moves in a solved trial as under accuracy, 95 % CI [1.60, 2.50]"
        );
    }

    #[test]
    fn a_test_of_several_effects_is_a_sentence() {
        let time = "the time for a solved trial";
        assert_eq!(differs(time, CONDITION, 2, true), "the time for a solved trial differed between the 3 conditions");
        assert_eq!(
            differs(time, "quality", 2, false),
            "it is not shown that the time for a solved trial differs between the 3 categories of quality"
        );
        assert_eq!(
            differs("log(rt_s)", "quality : condition", 2, false),
            "it is not shown that the effect of quality on log(rt_s) differs by condition"
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
