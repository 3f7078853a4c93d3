//! The language of the labels of figures: words, and how numbers are written.
//!
//! Figures are made in English. A language is a table of phrases: `number of moves = "Anzahl der Züge"`. Numbers in a
//! phrase are written `{}` on both sides, and stand in the same order; a name at its end is written `*`. What has no
//! phrase, such as the name of a level alone, stays as it is.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// The languages that plymap speaks: code, name, phrases.
const KNOWN: [(&str, &str, &str); 2] =
    [("de", "German", include_str!("language/de.toml")), ("fr", "French", include_str!("language/fr.toml"))];

/// Phrases and the writing of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// Its code (ISO 639-1), such as `de`.
    pub code: String,
    /// What stands before the decimals.
    decimal: char,
    /// What stands between groups of three digits.
    group: char,
    phrases: Arc<BTreeMap<String, String>>,
}

/// Why there is no such language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LanguageError {
    /// It is not one of those that there are.
    #[error("there is no language {code:?}; there are {}", .known.join(", "))]
    Unknown {
        /// What was asked for.
        code: String,
        /// The codes of all.
        known: Vec<&'static str>,
    },
    /// A phrase has other numbers than its translation.
    #[error("{english:?} has {n_english} numbers (each written {{}}), and {own:?} has {n_own}")]
    Numbers {
        /// The English phrase.
        english: String,
        /// Its translation.
        own: String,
        /// Number of numbers of the one.
        n_english: usize,
        /// Number of numbers of the other.
        n_own: usize,
    },
}

impl Default for Language {
    fn default() -> Self {
        static ENGLISH: LazyLock<Arc<BTreeMap<String, String>>> = LazyLock::new(Arc::default);
        Self { code: "en".to_owned(), decimal: '.', group: ',', phrases: ENGLISH.clone() }
    }
}

impl Language {
    /// The codes of all languages.
    pub fn codes() -> Vec<&'static str> {
        std::iter::once("en").chain(KNOWN.iter().map(|known| known.0)).collect()
    }

    /// The language of a code. `own` are phrases of the user, which come before those of the language;
    /// `decimal_comma` says whether numbers have one, where it is not as usual in the language.
    ///
    /// # Errors
    ///
    /// [`LanguageError`].
    pub fn new(code: &str, own: &BTreeMap<String, String>, decimal_comma: Option<bool>) -> Result<Self, LanguageError> {
        let mut phrases: BTreeMap<String, String> = match KNOWN.iter().find(|known| known.0 == code) {
            Some((_, _, text)) => toml::from_str(text).unwrap_or_default(),
            None if code == "en" && decimal_comma == Some(true) => phrases_with_numbers(),
            None if code == "en" => BTreeMap::new(),
            None => return Err(LanguageError::Unknown { code: code.to_owned(), known: Self::codes() }),
        };
        for (english, translation) in own {
            let [n_english, n_own] = [english, translation].map(|text| text.matches("{}").count());
            if n_english != n_own {
                let (english, own) = (english.clone(), translation.clone());
                return Err(LanguageError::Numbers { english, own, n_english, n_own });
            }
            phrases.insert(english.clone(), translation.clone());
        }
        let has_comma = decimal_comma.unwrap_or(code != "en");
        let (decimal, group) = match (has_comma, code) {
            (true, "de") => (',', '.'),
            // A narrow space that no line break splits.
            (true, _) => (',', '\u{202f}'),
            (false, _) => ('.', ','),
        };
        Ok(Self { code: code.to_owned(), decimal, group, phrases: Arc::new(phrases) })
    }

    /// Whether texts stay as they are.
    fn is_plain(&self) -> bool {
        self.phrases.is_empty() && self.decimal == '.'
    }

    /// A number that was written in English.
    pub(super) fn number(&self, english: &str) -> String {
        let own = |letter| match letter {
            '.' => self.decimal,
            ',' => self.group,
            other => other,
        };
        english.chars().map(own).collect()
    }

    /// A text of a figure in this language: the phrase that it is, or else each of its parts between semicolons, and
    /// of these each between commas.
    pub(super) fn say<'a>(&self, english: &'a str) -> Cow<'a, str> {
        if self.is_plain() {
            return Cow::Borrowed(english);
        }
        self.said(english, &["; ", ", "]).map_or(Cow::Borrowed(english), Cow::Owned)
    }

    fn said(&self, english: &str, marks: &[&str]) -> Option<String> {
        if let Some(said) = self.phrase(english) {
            return Some(said);
        }
        let (mark, rest) = marks.split_first()?;
        let parts = parts(english, mark);
        let said: Vec<Option<String>> = parts.iter().map(|part| self.said(part, rest)).collect();
        let is_any = said.iter().any(Option::is_some);
        let whole = said.into_iter().zip(&parts).map(|(said, part)| said.unwrap_or_else(|| (*part).to_owned()));
        is_any.then(|| whole.collect::<Vec<_>>().join(mark))
    }

    fn phrase(&self, english: &str) -> Option<String> {
        if let Some(own) = self.phrases.get(english) {
            return Some(own.clone());
        }
        let (pattern, numbers) = pattern(english);
        if numbers.is_empty() {
            return self.named(english);
        }
        let Some(own) = self.phrases.get(&pattern) else { return self.named(english) };
        let mut numbers = numbers.into_iter().map(|number| self.number(number));
        let mut parts = own.split("{}");
        let mut said = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            said.push_str(&numbers.next().unwrap_or_default());
            said.push_str(part);
        }
        Some(said)
    }

    /// A phrase that ends with a name, which is written `*`.
    fn named(&self, english: &str) -> Option<String> {
        let mut named = self.phrases.iter().filter_map(|(phrase, own)| Some((phrase.strip_suffix('*')?, own)));
        let (name, own) = named.find_map(|(words, own)| Some((english.strip_prefix(words)?, own)))?;
        Some(own.replacen('*', name, 1))
    }
}

/// The English phrases in which only the numbers change, where these have a decimal comma.
fn phrases_with_numbers() -> BTreeMap<String, String> {
    let known: BTreeMap<String, String> = toml::from_str(KNOWN[0].2).unwrap_or_default();
    known.into_keys().filter(|phrase| phrase.contains("{}")).map(|phrase| (phrase.clone(), phrase)).collect()
}

/// The parts of a text between such marks that do not stand within brackets.
fn parts<'a>(text: &'a str, mark: &str) -> Vec<&'a str> {
    let (mut parts, mut depth, mut first) = (Vec::new(), 0_i32, 0);
    for (index, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ if depth == 0 && index >= first && text[index..].starts_with(mark) => {
                parts.push(&text[first..index]);
                first = index + mark.len();
            }
            _ => {}
        }
    }
    parts.push(&text[first..]);
    parts
}

/// A text with `{}` for each of its numbers, and the numbers.
fn pattern(text: &str) -> (String, Vec<&str>) {
    let (mut pattern, mut numbers) = (String::with_capacity(text.len()), Vec::new());
    let is_digit = |index: usize| text.as_bytes().get(index).is_some_and(u8::is_ascii_digit);
    let mut index = 0;
    while let Some(letter) = text[index..].chars().next() {
        let sign = if letter == '−' { '−'.len_utf8() } else { 0 };
        let first = index + sign;
        let starts_here = is_digit(first) || (text.as_bytes().get(first) == Some(&b'.') && is_digit(first + 1));
        if !starts_here {
            pattern.push(letter);
            index += letter.len_utf8();
            continue;
        }
        let mut end = first;
        // A mark belongs to the number if a digit follows it.
        while is_digit(end) || (matches!(text.as_bytes().get(end), Some(b'.' | b',')) && is_digit(end + 1)) {
            end += 1;
        }
        numbers.push(&text[index..end]);
        pattern.push_str("{}");
        index = end;
    }
    (pattern, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn german() -> Language {
        let own = [
            ("number of moves", "Anzahl der Züge"),
            ("{} trials", "{} Durchgänge"),
            ("r({}) = {}", "r({}) = {}"),
            ("Map of level *", "Karte des Levels *"),
        ];
        let own = own.map(|(english, own)| (english.to_owned(), own.to_owned()));
        Language::new("de", &BTreeMap::from(own), None).unwrap()
    }

    #[test]
    fn phrases_are_said_and_names_are_not() {
        let german = german();
        assert_eq!(german.say("number of moves"), "Anzahl der Züge");
        assert_eq!(german.say("1,234 trials; r(48) = .35"), "1.234 Durchgänge; r(48) = ,35");
        assert_eq!(german.say("level-1.5"), "level-1.5");
        assert_eq!(german.say("Map of level 1.5"), "Karte des Levels 1.5");
        assert_eq!(german.number("1,234.5"), "1.234,5");
        assert_eq!(Language::default().say("1,234 trials; x"), "1,234 trials; x");
    }

    #[test]
    fn a_decimal_comma_needs_no_other_language() {
        let language = Language::new("en", &BTreeMap::new(), Some(true)).unwrap();
        assert_eq!(
            language.say("ρ(48) = .35, 95 % CI [−.08, .57], p = .012"),
            "ρ(48) = ,35, 95 % CI [−,08, ,57], p = ,012"
        );
        assert_eq!(language.say("level 1.5"), "level 1.5");
        assert_eq!(language.say("number of moves"), "number of moves");
        assert_eq!(language.number("1,234.5"), "1\u{202f}234,5");
    }

    #[test]
    fn wrong_languages_and_phrases_are_refused() {
        let error = Language::new("xx", &BTreeMap::new(), None).unwrap_err();
        assert_eq!(error.to_string(), "there is no language \"xx\"; there are en, de, fr");
        let own = BTreeMap::from([("{} trials".to_owned(), "Durchgänge".to_owned())]);
        let error = Language::new("de", &own, None).unwrap_err().to_string();
        assert!(error.contains("has 1 numbers") && error.contains("has 0"), "{error}");
    }

    #[test]
    fn every_phrase_of_every_language_keeps_its_numbers() {
        for (code, _, text) in KNOWN {
            let phrases: BTreeMap<String, String> =
                toml::from_str(text).unwrap_or_else(|error| panic!("{code}: {error}"));
            assert!(phrases.len() > 20, "{code} has phrases");
            for (english, own) in phrases {
                assert_eq!(english.matches("{}").count(), own.matches("{}").count(), "{code}: {english}");
                assert_eq!(pattern(&english).1, Vec::<&str>::new(), "{code}: numbers are written {{}}: {english}");
            }
        }
    }

    #[test]
    fn numbers_are_found_in_texts() {
        let (pattern, numbers) = pattern("n = 1,234, p < .001, 95 % CI [−.08, 1.5] − 3.");
        assert_eq!(pattern, "n = {}, p < {}, {} % CI [{}, {}] − {}.");
        assert_eq!(numbers, ["1,234", ".001", "95", "−.08", "1.5", "3"]);
    }
}
