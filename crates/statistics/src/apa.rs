//! Results as they stand in a sentence, in the style of the American Psychological Association
//! (*Publication manual*, 7th ed., 2020, sections 6.36 to 6.44).
//!
//! Numbers that cannot exceed 1 (correlations, proportions, p) have no zero before the point; the
//! minus sign is U+2212; p is exact to three decimals down to `p < .001`. What could not be
//! estimated is said in words.

use std::fmt;

use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;

/// A number with this many decimals. Where two or more leave nothing of it, it has two significant digits, with up to four
/// decimals more; a result that rounds to zero even so has no sign.
///
/// ```
/// use plymap_statistics::stats::apa;
///
/// assert_eq!(apa::number(-3.14159, 2), "−3.14");
/// assert_eq!(apa::number(0.00383, 2), "0.0038");
/// assert_eq!(apa::bounded(-0.354, 2), "−.35");
/// assert_eq!(apa::p_value(0.0004), "p < .001");
/// ```
pub fn number(value: f64, decimals: usize) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "∞".to_owned() } else { "−∞".to_owned() };
    }
    let size = value.abs();
    let is_lost = decimals >= 2 && is_zero(&fixed(size, decimals));
    let digits = fixed(size, if is_lost { decimals_of_two_digits(size, decimals) } else { decimals });
    if value < 0.0 && !is_zero(&digits) { format!("−{digits}") } else { digits }
}

fn fixed(size: f64, decimals: usize) -> String {
    format!("{size:.decimals$}")
}

fn is_zero(digits: &str) -> bool {
    digits.chars().all(|digit| matches!(digit, '0' | '.'))
}

/// Number of decimals that give a number that `decimals` of them round to zero its two first digits; as many as before
/// where the first of them is farther behind than four more places.
fn decimals_of_two_digits(size: f64, decimals: usize) -> usize {
    let first = (decimals + 1..=decimals + 4).find(|&more| !is_zero(&fixed(size, more)));
    first.map_or(decimals, |first| first + 1)
}

/// A number that cannot exceed 1 in size, without a zero before the point. Where rounding would make 1 of what is
/// less, or 0 of what is more, it has up to two decimals more; what is 0 even so has no sign.
///
/// ```
/// use plymap_statistics::stats::apa;
///
/// assert_eq!([0.9992, 1.0, 0.0032].map(|value| apa::bounded(value, 2)), [".999", "1.00", ".003"]);
/// assert_eq!([-0.00014, -0.00001].map(|value| apa::bounded(value, 2)), ["−.0001", ".00"]);
/// ```
pub fn bounded(value: f64, decimals: usize) -> String {
    let size = value.abs();
    if !(size < 1.0 && size > 0.0) {
        let text = number(value, decimals);
        return text.strip_prefix('0').map_or(text.clone(), str::to_owned);
    }
    let is_told = |digits: &str| digits.starts_with("0.") && !is_zero(digits);
    let more = (decimals..=decimals + 2).map(|decimals| fixed(size, decimals)).find(|digits| is_told(digits));
    let digits = more.unwrap_or_else(|| fixed(size, decimals));
    let sign = if value < 0.0 && !is_zero(&digits) { "−" } else { "" };
    format!("{sign}{}", digits.strip_prefix("0").unwrap_or(&digits))
}

/// A ratio, such as odds to odds, for which 1 says that there is no effect: with two decimals, or as many more, up to
/// four, as show on which side of 1 it lies.
///
/// ```
/// use plymap_statistics::stats::apa;
///
/// assert_eq!([1.52, 0.998, 1.0003, 1.0].map(apa::ratio), ["1.52", "0.998", "1.0003", "1.00"]);
/// ```
pub fn ratio(value: f64) -> String {
    let is_told = |decimals: usize| value == 1.0 || fixed(value, decimals) != fixed(1.0, decimals);
    number(value, (2..4).find(|&decimals| is_told(decimals)).unwrap_or(4))
}

/// A probability that is neither 0 nor 1, with this many decimals: `.012`, or `< .001`, or `> .999`.
pub fn probability(value: f64, decimals: usize) -> String {
    if value < 0.001 {
        "< .001".to_owned()
    } else if value > 0.999 {
        "> .999".to_owned()
    } else {
        bounded(value, decimals)
    }
}

/// A count with commas between its thousands: `1,234`.
pub fn count(n: impl TryInto<u64>) -> String {
    let digits = n.try_into().unwrap_or(u64::MAX).to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number of things: `1 trial`, `1,234 trials`. The thing is one of them; of several words the last one changes.
///
/// ```
/// use plymap_statistics::stats::apa;
///
/// let counted = |n: u64| ["trial", "person", "oddity"].map(|thing| apa::counted(n, thing));
/// assert_eq!(counted(1), ["1 trial", "1 person", "1 oddity"]);
/// assert_eq!(counted(1234), ["1,234 trials", "1,234 people", "1,234 oddities"]);
/// ```
pub fn counted<N: TryInto<u64> + Copy>(n: N, thing: &str) -> String {
    let is_one = matches!(n.try_into(), Ok(1));
    let things = match thing {
        noun if is_one => noun.to_owned(),
        "person" => "people".to_owned(),
        noun => noun.strip_suffix('y').map_or_else(|| format!("{noun}s"), |stem| format!("{stem}ies")),
    };
    format!("{} {things}", count(n))
}

/// Names with commas, at most the first `most` of them, and how many there are beside.
///
/// ```
/// use plymap_statistics::stats::apa;
///
/// assert_eq!(apa::first_of(&["a", "b"], 2), "a, b");
/// assert_eq!(apa::first_of(&["a", "b", "c", "d"], 2), "a, b and 2 more");
/// ```
pub fn first_of(names: &[impl AsRef<str>], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let more = names.len() - shown.len();
    let shown = shown.join(", ");
    if more > 0 { format!("{shown} and {} more", count(more)) } else { shown }
}

/// A p value: `p = .012`, or `p < .001`, or `p > .999`.
pub fn p_value(p: f64) -> String {
    let text = probability(p, 3);
    if text.starts_with(['<', '>']) { format!("p {text}") } else { format!("p = {text}") }
}

/// The sentence of a test with the p value that was adjusted for the other tests of its family in the place of its own,
/// and the family: `U = 217.0, p = .052 (adjusted over 3 tests), δ = .36`. All of a family are said so, also one whose p the
/// others do not change; a test alone stays as it is, and so does a sentence without the p value.
///
/// ```
/// use plymap_statistics::stats::apa::{TestFamily, adjusted};
///
/// let said = adjusted("W = 9.0, p = .250, n = 4", 0.25, 0.75, TestFamily::of_tests(3));
/// assert_eq!(said, "W = 9.0, p = .750 (adjusted over 3 tests), n = 4");
/// ```
pub fn adjusted(sentence: &str, p: f64, p_adjusted: f64, family: TestFamily) -> String {
    if family.n < 2 && p == p_adjusted {
        return sentence.to_owned();
    }
    sentence.replacen(&p_value(p), &format!("{} {family}", p_value(p_adjusted)), 1)
}

/// Tests whose p values are adjusted for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestFamily {
    /// How many there are.
    pub n: usize,
    /// What they are, in the plural: `hypotheses`.
    pub members: &'static str,
}

impl TestFamily {
    /// Creates a family of this many tests.
    pub fn of_tests(n: usize) -> Self {
        Self { n, members: "tests" }
    }
}

impl fmt::Display for TestFamily {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "(adjusted over {} {})", count(self.n), self.members)
    }
}

/// A sentence without its p values, for data too few to test anything: what is estimated and its interval stay.
///
/// ```
/// use plymap_statistics::stats::apa;
///
/// let sentence = "b = 0.94, 95 % CI [0.82, 1.06], t(12.9) = 17.37, p < .001 (adjusted); a mixed model";
/// assert_eq!(apa::without_p(sentence), "b = 0.94, 95 % CI [0.82, 1.06], t(12.9) = 17.37; a mixed model");
/// assert_eq!(apa::without_p("of o, p and q: r = .5, p = .250."), "of o, p and q: r = .5.");
/// ```
pub fn without_p(sentence: &str) -> String {
    let mut left = sentence;
    let mut text = String::new();
    let begin = |text: &str| [", p = ", ", p < ", ", p > "].iter().filter_map(|sign| text.find(sign)).min();
    while let Some(place) = begin(left) {
        let (before, p) = left.split_at(place);
        let rest = &p[", p = ".len()..];
        let n_digits = rest.find(|letter: char| !(letter.is_ascii_digit() || letter == '.')).unwrap_or(rest.len());
        // A full stop behind it ends the sentence.
        let is_end = rest[..n_digits].ends_with('.');
        let after = &rest[n_digits - usize::from(is_end)..];
        text.push_str(before);
        left = match after.strip_prefix(" (adjusted") {
            Some(family) => family.split_once(')').map_or("", |(_, after)| after),
            None => after,
        };
    }
    text + left
}

/// `, 95 % CI [.08, .57]`, or nothing where there is no interval.
pub fn interval(confidence: Confidence, ends: Option<(f64, f64)>, format: impl Fn(f64) -> String) -> String {
    ends.map_or(String::new(), |(lower, upper)| format!(", {confidence} CI [{}, {}]", format(lower), format(upper)))
}

/// `r not estimable, n = 2 (Pearson's r needs at least 3 pairs, found 2)`.
pub fn not_estimable<'r>(symbol: &str, n: usize, reason: impl Into<Option<&'r NotEstimable>>) -> String {
    let reason = reason.into().map_or(String::new(), |reason| format!(" ({reason})"));
    format!("{symbol} not estimable, n = {}{reason}", count(n))
}

/// The sentence of what was estimated, or that it was not and why.
pub fn outcome<T>(
    symbol: &str,
    n: usize,
    outcome: &Result<T, NotEstimable>,
    sentence: impl FnOnce(&T) -> String,
) -> String {
    outcome.as_ref().map_or_else(|reason| not_estimable(symbol, n, reason), sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{P_VALUE, Record, SENTENCE};
    use crate::stats::correlation::CorrelationKind;
    use crate::stats::two_samples::{BRUNNER_MUNZEL, MANN_WHITNEY, WELCH, WILCOXON};
    use crate::stats::{correlation, interval, kruskal, regression, resample};

    #[test]
    fn numbers_are_set_as_the_manual_asks() {
        assert_eq!((number(-4e-8, 2), number(-12.5, 1)), ("0.00".to_owned(), "−12.5".to_owned()));
        assert_eq!((bounded(1.0, 2), bounded(-1.0, 2)), ("1.00".to_owned(), "−1.00".to_owned()));
        assert_eq!((bounded(0.0, 2), bounded(0.5, 2)), (".00".to_owned(), ".50".to_owned()));
        assert_eq!((p_value(0.001), p_value(0.00099)), ("p = .001".to_owned(), "p < .001".to_owned()));
        assert_eq!((p_value(0.0495), p_value(1.0)), ("p = .050".to_owned(), "p > .999".to_owned()));
    }

    #[test]
    fn thousands_are_grouped() {
        let counts = [0, 999, 1000, 33_253, 1_234_567].map(count);
        assert_eq!(counts, ["0", "999", "1,000", "33,253", "1,234,567"]);
    }

    #[test]
    fn rounding_makes_no_zero_of_what_is_more_and_no_one_of_what_is_less() {
        let numbers = [0.00383, -0.0041, 0.000_42, 0.000_04, 0.0049, 0.006].map(|value| number(value, 2));
        assert_eq!((number(0.04, 1), number(0.0, 2)), ("0.0".to_owned(), "0.00".to_owned()));
        assert_eq!(numbers, ["0.0038", "−0.0041", "0.00042", "0.000040", "0.0049", "0.01"]);
        let shares = [0.0022, 0.994, 0.996, 0.9992, -0.999_93, 0.999_999].map(|value| bounded(value, 2));
        assert_eq!(shares, [".002", ".99", ".996", ".999", "−.9999", "1.00"]);
        // Two decimals would say .02 [.02, .02].
        let rare = interval::proportion(204, 10_010, Confidence::default());
        assert_eq!(rare.sentence(), ".020 (204 of 10,010), 95 % CI [.018, .023]");
    }

    #[test]
    fn a_ratio_is_on_its_side_of_one() {
        let ratios = [0.996, 0.994, 0.9999, 1.004, 1.01, 0.003_83, 0.999_99, f64::INFINITY].map(ratio);
        assert_eq!(ratios, ["0.996", "0.99", "0.9999", "1.004", "1.01", "0.0038", "1.0000", "∞"]);
    }

    #[test]
    fn a_probability_is_never_certain() {
        let shares = [0.0, 0.0009, 0.0014, 0.996, 0.9991, 1.0].map(|value| probability(value, 2));
        assert_eq!(shares, ["< .001", "< .001", ".001", ".996", "> .999", "> .999"]);
    }

    #[test]
    fn the_p_of_each_test_is_found_in_its_sentence() {
        let confidence = Confidence::default();
        let mut records: Vec<Record> = Vec::new();
        // From what is all but equal to what is all but apart: p from above .999 to below .001.
        for shift in 0..40 {
            let x: Vec<f64> = (0..30).map(|i| f64::from(i * i % 31)).collect();
            let y: Vec<f64> = (0..30).map(|i| f64::from((7 * i * i + i) % 31 + shift)).collect();
            records.extend([WELCH, MANN_WHITNEY, BRUNNER_MUNZEL, WILCOXON].map(|test| (test.test)(&x, &y, confidence)));
            let z: Vec<f64> = x.iter().zip(&y).map(|(x, y)| y + f64::from(shift) * x / 20.0).collect();
            records.extend(
                [CorrelationKind::Pearson, CorrelationKind::Spearman, CorrelationKind::Kendall]
                    .map(|method| correlation::correlate(method, &x, &z, confidence).record()),
            );
        }
        // Perfect and none at all.
        let line = [1.0, 2.0, 3.0, 4.0, 5.0];
        records.push(correlation::spearman(&line, &line, confidence).record());
        records.push(correlation::pearson(&line, &[1.0, 0.0, 0.0, 0.0, 1.0], confidence).record());
        // The test of Brunner and Munzel has no p where the samples are wholly apart.
        records.retain(|record| record.number(P_VALUE).is_some());
        assert!(records.len() > 200);
        let pair = TestFamily::of_tests(2);
        for record in &records {
            let (sentence, p) = (record.text(SENTENCE).unwrap(), record.number(P_VALUE).unwrap());
            let (replaced, told) = (adjusted(sentence, p, 0.7654, pair), "p = .765 (adjusted over 2 tests)");
            assert_eq!(replaced.matches(&format!(", {told}")).count(), 1, "{sentence} with {p}: {replaced}");
            assert_eq!(replaced.replace(told, &p_value(p)), sentence);
        }
        let p_values = || records.iter().filter_map(|record| record.number(P_VALUE));
        assert!(p_values().any(|p| p > 0.999) && p_values().any(|p| p < 0.001));
        let none = "r not estimable, n = 2 (Pearson's r needs at least 3 pairs, found 2)";
        assert_eq!(adjusted(none, 0.5, 1.0, pair), none);
        // All of a family are told alike, and a test alone by its own p.
        let largest = |n_tests: usize| adjusted("t(9) = 1.20, p = .250", 0.25, 0.25, TestFamily::of_tests(n_tests));
        assert_eq!([1, 2].map(largest), ["t(9) = 1.20, p = .250", "t(9) = 1.20, p = .250 (adjusted over 2 tests)"]);
    }

    #[test]
    fn a_result_is_a_sentence_also_where_there_is_none() {
        let confidence = Confidence::default();
        let three = correlation::pearson(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0], confidence);
        assert_eq!(three.sentence(), "r(1) = .50, p = .667");
        let perfect = correlation::spearman(&[1.0, 2.0, 3.0, 4.0], &[9.0, 7.0, 6.0, 1.0], confidence);
        assert_eq!(perfect.sentence(), "ρ(2) = −1.00, p = .083");
        let two = correlation::pearson(&[1.0, 2.0], &[1.0, 3.0], confidence);
        assert_eq!(two.sentence(), "r not estimable, n = 2 (Pearson's r needs at least 3 pairs, found 2)");
        assert_eq!(interval::proportion(36, 50, confidence).sentence(), ".72 (36 of 50), 95 % CI [.58, .83]");
        assert_eq!(
            interval::median_interval(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], confidence).sentence(1),
            "Mdn = 3.5, 95 % CI [1.0, 6.0], n = 6"
        );
        let line = regression::line(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 5.0], confidence);
        assert_eq!(line.sentence(), "b = 1.10, 95 % CI [−1.14, 3.34], t(2) = 2.12, p = .168, R² = .69");
        let test = kruskal::kruskal_wallis(&[[1.0, 2.0], [3.0, 4.0]]);
        assert_eq!(test.sentence(), "H(1) = 2.40, p = .121, ε² = .80, n = 4");
        let alone = resample::Bootstrap::new(1).sample(&[2.0], |values| values[0]);
        assert_eq!(alone.sentence("M", false), "M = 2.00");
    }
}
