//! The language of the labels of figures: words, and how numbers are written.
//!
//! A [`Message`] has a text in each language, by its key. Other words of callers are English, and a language has phrases
//! for them: `all trials = "alle Durchgänge"`. Numbers are written `{}` on both sides, and stand in the same order; a
//! name at the end of a phrase is written `*`. What has no phrase, such as the name of a level alone, stays as it is.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use super::message::{Message, filled};

/// The languages of figures: code, name, phrases.
const KNOWN: [(&str, &str, &str); 2] =
    [("de", "German", include_str!("language/de.toml")), ("fr", "French", include_str!("language/fr.toml"))];

/// The texts of a language.
#[derive(Default, serde::Deserialize)]
struct Translations {
    /// Messages of charts, by key.
    messages: BTreeMap<Message, String>,
    /// Phrases of callers, by their English text; once read, also the messages.
    phrases: BTreeMap<String, String>,
}

impl Translations {
    /// The texts of a language file. What a caller says may be what a chart says elsewhere.
    fn read(text: &str) -> Self {
        let mut read: Self = toml::from_str(text).unwrap_or_default();
        read.phrases.extend(read.messages.iter().map(|(message, text)| (message.english().to_owned(), text.clone())));
        read
    }
}

/// Phrases and the writing of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// Its code (ISO 639-1), such as `de`.
    pub code: String,
    /// Mark before the decimals.
    decimal: char,
    /// Mark between groups of three digits.
    group: char,
    phrases: Arc<BTreeMap<String, String>>,
    messages: Arc<BTreeMap<Message, String>>,
    recorder: AttachedRecorder,
}

/// Records the messages of figures: give it to [`Language::recorded_by`], draw, and read it. Clones share one record.
#[derive(Clone, Debug, Default)]
pub struct MessageRecorder(Arc<Mutex<RecordedMessages>>);

#[derive(Debug, Default)]
struct RecordedMessages {
    phrases: BTreeMap<String, bool>,
    missing: BTreeSet<String>,
}

impl MessageRecorder {
    /// Every text, in English and as the phrases of a study are written, numbers as `{}`; and whether the language has
    /// a phrase for it. Names are among those without one.
    pub fn phrases(&self) -> BTreeMap<String, bool> {
        self.messages().phrases.clone()
    }

    /// The texts without a phrase, with their numbers: names, and what is not translated.
    pub fn missing(&self) -> BTreeSet<String> {
        self.messages().missing.clone()
    }

    fn messages(&self) -> MutexGuard<'_, RecordedMessages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, phrase: &str, has_own: bool) {
        self.messages().phrases.insert(phrase.to_owned(), has_own);
    }

    fn record_missing(&self, text: &str) {
        // Signs and numbers alone need no phrase.
        if text.chars().any(char::is_alphabetic) {
            let mut messages = self.messages();
            messages.phrases.entry(pattern(text).0).or_insert(false);
            messages.missing.insert(text.to_owned());
        }
    }
}

/// The recorder of a language. It changes no translation, so it takes no part in comparisons.
#[derive(Clone, Debug, Default)]
struct AttachedRecorder(Option<MessageRecorder>);

impl PartialEq for AttachedRecorder {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for AttachedRecorder {}

/// Reason for which there is no such language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LanguageError {
    /// It is not one of those that there are.
    #[error("there is no language {code:?}; there are {}", .known.join(", "))]
    Unknown {
        /// The code that was asked for.
        code: String,
        /// The codes of all.
        known: Vec<&'static str>,
    },
    /// A phrase has other numbers than its translation.
    #[error(
        "{english:?} and {translation:?} have {n_english} and {n_translation} numbers (each written {{}}), and must have as many"
    )]
    Numbers {
        /// The English phrase.
        english: String,
        /// Its translation.
        translation: String,
        /// Number of numbers of the one.
        n_english: usize,
        /// Number of numbers of the other.
        n_translation: usize,
    },
}

impl Default for Language {
    fn default() -> Self {
        static ENGLISH: LazyLock<Arc<BTreeMap<String, String>>> = LazyLock::new(Arc::default);
        let (phrases, messages, recorder) = (ENGLISH.clone(), Arc::default(), AttachedRecorder::default());
        Self { code: "en".to_owned(), decimal: '.', group: ',', phrases, messages, recorder }
    }
}

impl Language {
    /// The codes of all languages.
    pub fn codes() -> Vec<&'static str> {
        std::iter::once("en").chain(KNOWN.iter().map(|known| known.0)).collect()
    }

    /// The language of a code. `labels` are phrases of the user, which come before those of the language;
    /// `decimal_comma` says whether numbers have one, where it is not as usual in the language.
    ///
    /// # Errors
    ///
    /// [`LanguageError`].
    pub fn new(
        code: &str,
        labels: &BTreeMap<String, String>,
        decimal_comma: Option<bool>,
    ) -> Result<Self, LanguageError> {
        let Translations { mut messages, mut phrases } = match KNOWN.iter().find(|known| known.0 == code) {
            Some((_, _, text)) => Translations::read(text),
            None if code == "en" && decimal_comma == Some(true) => {
                Translations { phrases: phrases_with_numbers(), ..Translations::default() }
            }
            None if code == "en" => Translations::default(),
            None => return Err(LanguageError::Unknown { code: code.to_owned(), known: Self::codes() }),
        };
        for (english, translation) in labels {
            let [n_english, n_translation] = [english, translation].map(|text| text.matches("{}").count());
            if n_english != n_translation {
                let (english, translation) = (english.clone(), translation.clone());
                return Err(LanguageError::Numbers { english, translation, n_english, n_translation });
            }
            phrases.insert(english.clone(), translation.clone());
        }
        let of_user = |message: &Message| Some((*message, labels.get(message.english())?.clone()));
        messages.extend(Message::ALL.iter().filter_map(of_user));
        let has_comma = decimal_comma.unwrap_or(code != "en");
        let (decimal, group) = match (has_comma, code) {
            (true, "de") => (',', '.'),
            // A narrow space that no line break splits.
            (true, _) => (',', '\u{202f}'),
            (false, _) => ('.', ','),
        };
        Ok(Self {
            code: code.to_owned(),
            decimal,
            group,
            phrases: Arc::new(phrases),
            messages: Arc::new(messages),
            recorder: AttachedRecorder::default(),
        })
    }

    /// The same language, which records every message that a figure translates.
    pub fn recorded_by(self, recorder: &MessageRecorder) -> Self {
        Self { recorder: AttachedRecorder(Some(recorder.clone())), ..self }
    }

    /// `true` if texts stay as they are.
    fn is_plain(&self) -> bool {
        self.phrases.is_empty() && self.decimal == '.'
    }

    /// A number that was written in English.
    pub(super) fn number(&self, english: &str) -> String {
        let localised = |letter| match letter {
            '.' => self.decimal,
            ',' => self.group,
            other => other,
        };
        english.chars().map(localised).collect()
    }

    /// A message in this language; its numbers were written in English.
    pub(super) fn say(&self, message: Message, numbers: &[String]) -> String {
        let translation = self.messages.get(&message);
        if let Some(recorder) = &self.recorder.0 {
            recorder.record(message.english(), translation.is_some());
        }
        let text = translation.map_or(message.english(), String::as_str);
        filled(text, numbers.iter().map(|number| self.number(number)))
    }

    /// Words of the caller in this language: the phrase that it is, or else each of its parts between semicolons, and
    /// of these each between commas. Where all parts between plus signs are phrases, as those of a model, each is
    /// translated.
    pub(super) fn translate<'a>(&self, english: &'a str) -> Cow<'a, str> {
        if let Some(recorder) = &self.recorder.0
            && !self.record_parts(english, &MARKS, recorder)
        {
            recorder.record_missing(english);
        }
        if self.is_plain() {
            return Cow::Borrowed(english);
        }
        self.translated(english, &MARKS).map_or(Cow::Borrowed(english), Cow::Owned)
    }

    fn translated(&self, english: &str, marks: &[&str]) -> Option<String> {
        if let Some(translated) = self.phrase(english) {
            return Some(translated);
        }
        let Some((mark, rest)) = marks.split_first() else { return self.joined(english) };
        let parts = parts(english, mark);
        let translated: Vec<Option<String>> = parts.iter().map(|part| self.translated(part, rest)).collect();
        let is_any = translated.iter().any(Option::is_some);
        let whole = translated
            .into_iter()
            .zip(&parts)
            .map(|(translated, part)| translated.unwrap_or_else(|| (*part).to_owned()));
        is_any.then(|| whole.collect::<Vec<_>>().join(mark))
    }

    /// A name made of phrases with plus signs between them.
    fn joined(&self, english: &str) -> Option<String> {
        let translated: Option<Vec<String>> = english.split(PLUS).map(|part| self.phrase(part)).collect();
        translated.filter(|translated| translated.len() > 1).map(|translated| translated.join(" + "))
    }

    fn phrase(&self, english: &str) -> Option<String> {
        let MatchedPhrase { translation, numbers, name, .. } = match_phrase(&self.phrases, english)?;
        let translated = filled(translation, numbers.into_iter().map(|number| self.number(number)));
        Some(name.map_or(translated.clone(), |name| translated.replacen('*', name, 1)))
    }

    /// Records each part of a text, as [`Self::translate`] splits it; whether there is any phrase in it.
    /// What is a phrase is known from another language too, since English has none of its own.
    fn record_parts(&self, english: &str, marks: &[&str], recorder: &MessageRecorder) -> bool {
        let matched = match_phrase(&self.phrases, english);
        if let Some(known) = matched.as_ref().or(match_phrase(any_language(), english).as_ref()) {
            recorder.record(known.phrase, matched.is_some());
            return true;
        }
        let (parts, rest, needs_all) = match marks.split_first() {
            Some((mark, rest)) => (parts(english, mark), rest, false),
            None => (english.split(PLUS).collect(), &[][..], true),
        };
        if parts.len() == 1 {
            return !needs_all && self.record_parts(english, rest, recorder);
        }
        let is_known = |part: &&str| match_phrase(&self.phrases, part).or(match_phrase(any_language(), part)).is_some();
        if needs_all && !parts.iter().all(is_known) {
            return false;
        }
        let missed: Vec<&&str> = parts.iter().filter(|part| !self.record_parts(part, rest, recorder)).collect();
        let is_any = missed.len() < parts.len();
        missed.into_iter().filter(|_| is_any).for_each(|part| recorder.record_missing(part));
        is_any
    }
}

/// Marks between the parts of a text, from the widest to the narrowest.
const MARKS: [&str; 2] = ["; ", ", "];
/// Mark between the parts of the name of a model.
const PLUS: char = '+';

/// The phrases of a language that has all of them.
fn any_language() -> &'static BTreeMap<String, String> {
    static PHRASES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| Translations::read(KNOWN[0].2).phrases);
    &PHRASES
}

/// The phrase that a text is.
struct MatchedPhrase<'a> {
    phrase: &'a str,
    translation: &'a str,
    /// Numbers in place of each `{}`.
    numbers: Vec<&'a str>,
    /// Name in place of `*`.
    name: Option<&'a str>,
}

fn match_phrase<'a>(phrases: &'a BTreeMap<String, String>, text: &'a str) -> Option<MatchedPhrase<'a>> {
    if let Some((phrase, translation)) = phrases.get_key_value(text) {
        return Some(MatchedPhrase { phrase, translation, numbers: Vec::new(), name: None });
    }
    let (pattern, numbers) = pattern(text);
    let numbered = phrases.get_key_value(&pattern).filter(|_| !numbers.is_empty());
    if let Some((phrase, translation)) = numbered {
        return Some(MatchedPhrase { phrase, translation, numbers, name: None });
    }
    // A phrase that ends with a name; behind a mark stands what is no name.
    let mut named =
        phrases.iter().filter_map(|(phrase, translation)| Some((phrase, phrase.strip_suffix('*')?, translation)));
    named.find_map(|(phrase, words, translation)| {
        let name = text.strip_prefix(words).filter(|name| !MARKS.iter().any(|mark| name.contains(mark)))?;
        Some(MatchedPhrase { phrase, translation, numbers: Vec::new(), name: Some(name) })
    })
}

/// The English phrases in which only the numbers change, where these have a decimal comma.
fn phrases_with_numbers() -> BTreeMap<String, String> {
    let numbered = any_language().keys().filter(|phrase| phrase.contains("{}"));
    numbered.map(|phrase| (phrase.clone(), phrase.clone())).collect()
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
        let labels = [
            ("number of moves", "Anzahl der Züge"),
            ("{} trials", "{} Durchgänge"),
            ("r({}) = {}", "r({}) = {}"),
            ("Map of level *", "Karte des Levels *"),
        ];
        let labels = labels.map(|(english, translation)| (english.to_owned(), translation.to_owned()));
        Language::new("de", &BTreeMap::from(labels), None).unwrap()
    }

    #[test]
    fn phrases_are_translated_and_names_are_not() {
        let german = german();
        assert_eq!(german.translate("number of moves"), "Anzahl der Züge");
        assert_eq!(german.translate("1,234 trials; r(48) = .35"), "1.234 Durchgänge; r(48) = ,35");
        assert_eq!(german.translate("level-1.5"), "level-1.5");
        assert_eq!(german.translate("Map of level 1.5"), "Karte des Levels 1.5");
        assert_eq!(german.number("1,234.5"), "1.234,5");
        assert_eq!(Language::default().translate("1,234 trials; x"), "1,234 trials; x");
    }

    #[test]
    fn a_name_ends_where_another_part_begins() {
        let german = Language::new("de", &BTreeMap::new(), None).unwrap();
        assert_eq!(german.translate("participant p06, attempt 1; 11 moves"), "Person p06, Versuch 1; 11 Züge");
    }

    #[test]
    fn a_decimal_comma_needs_no_other_language() {
        let language = Language::new("en", &BTreeMap::new(), Some(true)).unwrap();
        assert_eq!(
            language.translate("ρ(48) = .35, 95 % CI [−.08, .57], p = .012"),
            "ρ(48) = ,35, 95 % CI [−,08, ,57], p = ,012"
        );
        assert_eq!(language.translate("level 1.5"), "level 1.5");
        assert_eq!(language.translate("number of moves"), "number of moves");
        assert_eq!(language.number("1,234.5"), "1\u{202f}234,5");
    }

    #[test]
    fn wrong_languages_and_phrases_are_refused() {
        let error = Language::new("xx", &BTreeMap::new(), None).unwrap_err();
        assert_eq!(error.to_string(), "there is no language \"xx\"; there are en, de, fr");
        let labels = BTreeMap::from([("{} trials".to_owned(), "Durchgänge".to_owned())]);
        let error = Language::new("de", &labels, None).unwrap_err().to_string();
        assert!(error.starts_with("\"{} trials\" and \"Durchgänge\" have 1 and 0 numbers"), "{error}");
    }

    fn translations(code: &str) -> Translations {
        let (.., text) = KNOWN.iter().find(|known| known.0 == code).unwrap();
        toml::from_str(text).unwrap_or_else(|error| panic!("{code}: {error}"))
    }

    #[test]
    fn every_phrase_of_every_language_keeps_its_numbers() {
        for (code, ..) in KNOWN {
            let Translations { messages, phrases } = translations(code);
            assert!(phrases.len() > 20, "{code} has phrases");
            let messages = messages.into_iter().map(|(message, text)| (message.english().to_owned(), text));
            for (english, translation) in phrases.into_iter().chain(messages) {
                assert_eq!(english.matches("{}").count(), translation.matches("{}").count(), "{code}: {english}");
                assert_eq!(pattern(&english).1, Vec::<&str>::new(), "{code}: numbers are written {{}}: {english}");
            }
        }
    }

    #[test]
    fn every_language_has_every_message() {
        for (code, ..) in KNOWN {
            let translated: Vec<Message> = translations(code).messages.into_keys().collect();
            assert_eq!(translated, Message::ALL, "{code}");
        }
        let english: BTreeSet<&str> = Message::ALL.iter().map(|message| message.english()).collect();
        assert_eq!(english.len(), Message::ALL.len(), "labels of a study name messages by their English text");
    }

    #[test]
    fn labels_of_a_study_come_before_messages() {
        let labels = BTreeMap::from([("{} to go".to_owned(), "{} übrig".to_owned())]);
        let recorder = MessageRecorder::default();
        for (code, expected) in [("en", "1,200 übrig"), ("de", "1.200 übrig")] {
            let language = Language::new(code, &labels, None).unwrap().recorded_by(&recorder);
            assert_eq!(language.say(Message::MovesToGo, &["1,200".to_owned()]), expected);
        }
        assert_eq!(Language::default().recorded_by(&recorder).say(Message::NoData, &[]), "no data");
        let phrases: Vec<(String, bool)> = recorder.phrases().into_iter().collect();
        assert_eq!(
            phrases,
            [("no data", false), ("{} to go", true)].map(|(text, is_translated)| (text.to_owned(), is_translated))
        );
    }

    #[test]
    fn the_parts_of_a_name_with_plus_signs_are_translated_where_all_are_phrases() {
        let german = Language::new("de", &BTreeMap::new(), None).unwrap();
        assert_eq!(german.translate("lapse-optimal+undo"), "optimal mit Aussetzern + Rücknahme");
        assert_eq!(german.translate("lapse-optimal+level-1"), "lapse-optimal+level-1");
        assert_eq!(german.translate("−2 ln L of levels left out"), "−2 ln L ausgelassener Level");
    }

    #[test]
    fn messages_are_recorded_with_what_has_no_phrase() {
        let recorder = MessageRecorder::default();
        let german = german();
        let recorded = german.clone().recorded_by(&recorder);
        assert_eq!(recorded, german, "the recorder changes nothing");
        for text in ["1,234 trials; of a kind", "12 trials", "Map of level 1.5", "demo-06", "− 3 %", "chance+undo"] {
            assert_eq!(recorded.translate(text), german.translate(text));
        }
        let phrases = recorder.phrases();
        let known: Vec<&str> =
            phrases.iter().filter(|(_, is_translated)| **is_translated).map(|(phrase, _)| phrase.as_str()).collect();
        assert_eq!(known, ["Map of level *", "chance", "undo", "{} trials"]);
        assert_eq!(recorder.missing(), ["demo-06", "of a kind"].map(str::to_owned).into());
        assert_eq!(phrases.get("demo-{}"), Some(&false));
    }

    #[test]
    fn a_language_of_ones_own_begins_with_all_english_messages() {
        let recorder = MessageRecorder::default();
        let english = Language::default().recorded_by(&recorder);
        assert_eq!(english.translate("n = 1,234, p < .001; chance"), "n = 1,234, p < .001; chance");
        let phrases: Vec<(String, bool)> = recorder.phrases().into_iter().collect();
        assert_eq!(phrases, ["chance", "n = {}", "p < {}"].map(|phrase| (phrase.to_owned(), false)));
        assert!(recorder.missing().is_empty(), "each is a phrase of other languages");
    }

    #[test]
    fn the_languages_have_the_same_phrases() {
        let phrases = KNOWN.map(|(code, ..)| translations(code).phrases.into_keys().collect::<BTreeSet<String>>());
        assert_eq!(phrases[0], phrases[1]);
    }

    #[test]
    fn numbers_are_found_in_texts() {
        let (pattern, numbers) = pattern("n = 1,234, p < .001, 95 % CI [−.08, 1.5] − 3.");
        assert_eq!(pattern, "n = {}, p < {}, {} % CI [{}, {}] − {}.");
        assert_eq!(numbers, ["1,234", ".001", "95", "−.08", "1.5", "3"]);
    }
}
