//! Numbers as tables write them, and the words that stand for a missing one.

use std::borrow::Cow;

/// Texts that programs write where there is no value; the empty one is among them. `none` is not: people write it, for a
/// condition or a neighbour that there is none of, and no program does.
pub const MISSING: [&str; 14] =
    ["", "n/a", "N/A", "#N/A", "<NA>", "NA", "na", "NaN", "nan", "NULL", "null", "None", "undefined", "."];

/// Returns true if a cell holds no value, as far as its text tells: see [`MISSING`].
pub fn is_missing(cell: &str) -> bool {
    MISSING.contains(&cell.trim())
}

/// Notation of the numbers of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberStyle {
    /// True if two and a half is `2,5` rather than `2.5`.
    pub decimal_comma: bool,
    /// Mark between groups of three digits, such as the comma of `1,393`; a blank stands for non-breaking ones too.
    pub thousands: Option<char>,
}

impl NumberStyle {
    /// The number as programs write it, with a decimal point and nothing between its digits; nothing where a text has a
    /// mark that this style does not know, or has at another place.
    pub fn plain<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        let text = text.trim();
        let text = match self.thousands {
            Some(mark) if text.chars().any(|letter| is_mark(mark, letter)) => Cow::Owned(self.ungrouped(text, mark)?),
            _ => Cow::Borrowed(text),
        };
        match self.decimal_comma {
            true if text.contains('.') => None,
            true if text.contains(',') => Some(Cow::Owned(text.replacen(',', ".", 1))),
            _ => Some(text),
        }
    }

    /// The number that a text says, if that is finite.
    pub fn number(&self, text: &str) -> Option<f64> {
        self.plain(text)?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// The text without the marks between groups; nothing where a group has not three digits.
    fn ungrouped(&self, text: &str, mark: char) -> Option<String> {
        let decimal = if self.decimal_comma { ',' } else { '.' };
        let end = text.find([decimal, 'e', 'E']).unwrap_or(text.len());
        let (whole, rest) = text.split_at(end);
        let digits = whole.trim_start_matches(['+', '-']);
        let mut groups = digits.split(|letter| is_mark(mark, letter));
        let is_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
        let fits = groups.next().is_some_and(|first| matches!(first.len(), 1..=3) && is_digits(first))
            && groups.all(|group| group.len() == 3 && is_digits(group));
        (fits && !rest.contains(|letter| is_mark(mark, letter)))
            .then(|| text.chars().filter(|&letter| !is_mark(mark, letter)).collect())
    }
}

fn is_mark(mark: char, letter: char) -> bool {
    letter == mark || mark == ' ' && matches!(letter, '\u{a0}' | '\u{202f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_three_digits() {
        let english = NumberStyle { decimal_comma: false, thousands: Some(',') };
        let read = ["987", "1,393", "-1,234,567.5", "1,2", "12,34", ",123", "1.5,000", "1,000e2"]
            .map(|text| english.number(text));
        let expected = [Some(987.0), Some(1393.0), Some(-1_234_567.5), None, None, None, None, Some(100_000.0)];
        assert_eq!(read, expected);
        let german = NumberStyle { decimal_comma: true, thousands: Some('.') };
        let read = ["1.444,5", "986,5", "1.444", "0.987", "1.44"].map(|text| german.number(text));
        assert_eq!(read, [Some(1444.5), Some(986.5), Some(1444.0), Some(987.0), None]);
        let french = NumberStyle { decimal_comma: true, thousands: Some(' ') };
        assert_eq!(french.number("1\u{202f}234,5"), Some(1234.5));
    }

    #[test]
    fn words_for_missing_are_whole_cells() {
        assert!(MISSING.iter().all(|word| is_missing(word)) && is_missing(" NA "));
        assert!(!is_missing("0") && !is_missing("NAN1") && !is_missing("-") && !is_missing("none"));
    }
}
