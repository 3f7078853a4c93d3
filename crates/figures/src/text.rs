//! Texts of a figure: in its language, measured, and broken into lines.

use std::borrow::Cow;
use std::sync::LazyLock;

use plotters::style::text_anchor::HPos;
use plotters::style::{FontDesc, FontFamily, FontStyle, RGBColor, register_font};

use super::colours::INK;
use super::error::ChartError;
use super::language::Language;
use super::style::Style;
use super::svg::{FAMILY, UNITS_PER_MM};

/// Millimetres in a point.
pub(super) const MM_PER_PT: f64 = 25.4 / 72.0;

/// Height from descender to ascender of DejaVu Sans, in em. plotters measures text as if its size
/// were that height.
const FONT_HEIGHT_EM: f64 = (1901.0 + 483.0) / 2048.0;

/// A text that can be measured and drawn: words of the caller, a message, a number, or what was said before. Each
/// becomes a text in the language of its type once: `n = 7.736`, said again, would be read as an English number.
pub(super) trait Translatable {
    /// The text as it is drawn.
    fn translated(&self, font: &TextStyle) -> Cow<'_, str>;
}

/// Words of the caller: an English phrase, or a name, which no language changes. There is none for `&str`, so that what
/// a chart says itself can only be a [`super::message::Message`].
impl Translatable for String {
    fn translated(&self, font: &TextStyle) -> Cow<'_, str> {
        font.language.map_or(Cow::Borrowed(self), |language| language.translate(self))
    }
}

impl<T: Translatable + ?Sized> Translatable for &T {
    fn translated(&self, font: &TextStyle) -> Cow<'_, str> {
        (**self).translated(font)
    }
}

/// A number, which needs no phrase; a name that is a number, such as that of level 1.5, is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Number(String);

impl Number {
    /// A number that was written in English: `1,234.5`, `<0.1` or `20 %`.
    pub fn new(english: String) -> Self {
        Self(english)
    }

    /// A whole number, its digits in groups of three.
    pub fn count(number: u64) -> Self {
        Self(grouped(number))
    }
}

impl Translatable for Number {
    fn translated(&self, font: &TextStyle) -> Cow<'_, str> {
        font.language.map_or(Cow::Borrowed(&self.0), |language| Cow::Owned(language.number(&self.0)))
    }
}

/// A text, or a part of one, that was said before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Translated(String);

impl Translated {
    /// A text that is in the language of the figure, or in none.
    pub fn as_is(text: String) -> Self {
        Self(text)
    }
}

impl Translatable for Translated {
    fn translated(&self, _: &TextStyle) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }
}

impl std::ops::Deref for Translated {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for Translated {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<&str> for Translated {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// Style of a text, and its language.
#[derive(Clone, Copy)]
pub(super) struct TextStyle<'a> {
    pt: f64,
    language: Option<&'a Language>,
    pub bold: bool,
    pub colour: RGBColor,
    pub align: HPos,
    /// Turned by 90 degrees, to be read from below.
    pub upwards: bool,
}

impl Style {
    /// The type of the title.
    pub(super) fn title(&self) -> TextStyle<'_> {
        TextStyle { language: Some(&self.language), ..TextStyle::new(self.title_pt) }
    }

    /// The type of subtitle, legends, axis titles and panel titles.
    pub(super) fn label(&self) -> TextStyle<'_> {
        TextStyle { language: Some(&self.language), ..TextStyle::new(self.label_pt) }
    }

    /// The type of ticks, and of names and numbers within a plot.
    pub(super) fn small(&self) -> TextStyle<'_> {
        TextStyle { language: Some(&self.language), ..TextStyle::new(self.small_pt) }
    }
}

impl TextStyle<'_> {
    /// A type in which texts stay as they are, such as the letters on a board.
    pub fn new(pt: f64) -> Self {
        Self { pt, language: None, bold: false, colour: INK, align: HPos::Left, upwards: false }
    }

    /// The language of the text; none where it stays as it is.
    pub fn language(&self) -> Option<&Language> {
        self.language
    }

    /// The words in the language of the style.
    pub fn translate(&self, words: &(impl Translatable + ?Sized)) -> Translated {
        Translated(words.translated(self).into_owned())
    }

    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub fn colour(self, colour: RGBColor) -> Self {
        Self { colour, ..self }
    }

    pub fn centre(self) -> Self {
        Self { align: HPos::Center, ..self }
    }

    pub fn right(self) -> Self {
        Self { align: HPos::Right, ..self }
    }

    /// Turned by 90 degrees, to be read from below.
    pub fn upwards(self) -> Self {
        Self { upwards: true, ..self }
    }

    /// Distance from one line to the next, in millimetres.
    pub fn line_mm(&self) -> f64 {
        1.25 * self.em_mm()
    }

    /// Size in millimetres.
    pub fn em_mm(&self) -> f64 {
        self.pt * MM_PER_PT
    }

    /// Distance from the middle of digits and capitals down to the base line, in millimetres.
    pub fn half_cap_mm(&self) -> f64 {
        0.365 * self.em_mm()
    }

    /// Width of a text in millimetres.
    pub fn width_of(&self, words: &(impl Translatable + ?Sized)) -> Result<f64, ChartError> {
        register_fonts()?;
        let size = self.em_mm() * UNITS_PER_MM * FONT_HEIGHT_EM;
        let style = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = FontDesc::new(FontFamily::Name(FAMILY), size, style);
        let (width, _) = font.box_size(&words.translated(self)).map_err(draw_error)?;
        Ok(f64::from(width) / UNITS_PER_MM)
    }

    /// The text in lines that fit the width, broken between words but not within `r = 0.71` or `[0.52, 0.83]`
    /// where these fit a line; a word that does not fit alone is cut.
    pub fn wrapped(&self, words: &(impl Translatable + ?Sized), width_mm: f64) -> Result<Vec<Translated>, ChartError> {
        let mut lines: Vec<Translated> = Vec::new();
        for phrase in phrases(&words.translated(self)).into_iter().map(Translated) {
            let words: Vec<Translated> = match self.width_of(&phrase)? <= width_mm {
                true => vec![phrase],
                false => phrase.split(' ').map(|word| Translated(word.to_owned())).collect(),
            };
            for word in words {
                let longer = lines.last().map(|line| Translated(format!("{} {}", line.0, word.0)));
                match (longer, lines.last_mut()) {
                    (Some(longer), Some(line)) if self.width_of(&longer)? <= width_mm => *line = longer,
                    _ => lines.push(self.cut(&word, width_mm)?),
                }
            }
        }
        Ok(lines)
    }

    /// As [`Self::wrapped`], in so many lines at most; the last one is cut where more would be needed.
    pub fn wrapped_within(
        &self,
        words: &(impl Translatable + ?Sized),
        width_mm: f64,
        most: usize,
    ) -> Result<Vec<Translated>, ChartError> {
        let mut lines = self.wrapped(words, width_mm)?;
        if lines.len() > most {
            let rest = Translated(lines.split_off(most - 1).join(" "));
            lines.push(self.cut(&rest, width_mm)?);
        }
        Ok(lines)
    }

    /// A name in so many lines at most, broken behind spaces, hyphens and underscores, and anywhere in a part that is
    /// wider than a line; the last line is cut where more would be needed.
    pub fn wrapped_name(
        &self,
        words: &(impl Translatable + ?Sized),
        width_mm: f64,
        most: usize,
    ) -> Result<Vec<Translated>, ChartError> {
        let name = self.translate(words);
        let (mut lines, mut rest) = (Vec::new(), name.trim());
        while !rest.is_empty() {
            if lines.len() + 1 >= most {
                lines.push(self.cut(&Translated(rest.to_owned()), width_mm)?);
                break;
            }
            let mut end = 0;
            // Behind the last mark that fits, or else behind the last letter.
            for (letter, index) in rest.char_indices().map(|(index, letter)| (letter, index + letter.len_utf8())) {
                let fits = self.width_of(&Translated(rest[..index].trim_end().to_owned()))? <= width_mm;
                if fits && (index == rest.len() || matches!(letter, ' ' | '-' | '_' | '–')) {
                    end = index;
                }
            }
            if end == 0 {
                for index in rest.char_indices().map(|(index, letter)| index + letter.len_utf8()) {
                    let fits = self.width_of(&Translated(rest[..index].to_owned()))? <= width_mm;
                    // One letter at least: no width is too narrow for an end.
                    end = if fits || end == 0 { index } else { end };
                }
            }
            lines.push(Translated(rest[..end].trim_end().to_owned()));
            rest = rest[end..].trim_start();
        }
        Ok(lines)
    }

    /// The text, cut with an ellipsis where it is wider than `width_mm`.
    pub fn cut(&self, words: &(impl Translatable + ?Sized), width_mm: f64) -> Result<Translated, ChartError> {
        let text = self.translate(words);
        if self.width_of(&text)? <= width_mm {
            return Ok(text);
        }
        let mut kept: Vec<char> = text.chars().collect();
        while kept.pop().is_some() {
            let shorter = Translated(kept.iter().collect::<String>().trim_end().to_owned() + "…");
            if self.width_of(&shorter)? <= width_mm {
                return Ok(shorter);
            }
        }
        Ok(Translated::default())
    }
}

/// Words, those of one relation (`p < 0.001`) or one bracket kept together.
fn phrases(text: &str) -> Vec<String> {
    let relation = |word: &str| matches!(word, "=" | "<" | ">" | "≤" | "≥" | "≈" | "±" | "%");
    // Of a number too: `95 %`, `95 %-Intervall`.
    let follows = |word: &str| relation(word) || word.starts_with("%-");
    let depth = |text: &str| text.matches(['[', '(']).count() > text.matches([']', ')']).count();
    let mut phrases: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match phrases.last_mut() {
            Some(phrase)
                if follows(word)
                    || depth(phrase)
                    || phrase.rsplit(' ').next().is_some_and(|last| last != "%" && relation(last)) =>
            {
                phrase.push(' ');
                phrase.push_str(word);
            }
            _ => phrases.push(word.to_owned()),
        }
    }
    phrases
}

pub(super) fn register_fonts() -> Result<(), ChartError> {
    static REGISTERED: LazyLock<bool> = LazyLock::new(|| {
        register_font(FAMILY, FontStyle::Normal, dejavu::sans::regular()).is_ok()
            && register_font(FAMILY, FontStyle::Bold, dejavu::sans::bold()).is_ok()
    });
    if *REGISTERED { Ok(()) } else { Err(ChartError::Draw("the embedded font was refused".to_owned())) }
}

pub(super) fn draw_error(error: impl std::fmt::Display) -> ChartError {
    ChartError::Draw(error.to_string())
}

/// The widest of some lines, in millimetres.
pub(super) fn widest(lines: &[Translated], text: &TextStyle) -> Result<f64, ChartError> {
    lines.iter().try_fold(0.0, |widest, line| Ok(text.width_of(line)?.max(widest)))
}

/// A whole number with a comma between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number as a cell of the data: the shortest text that reads back the same; missing is empty.
pub(super) fn cell(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn statistics_are_not_torn_apart() {
        let text = "n = 34, r = 0.71 [0.52, 0.83], p < 0.001, 95 % interval, 95 %-Intervall";
        let expected = ["n = 34,", "r = 0.71", "[0.52, 0.83],", "p < 0.001,", "95 %", "interval,", "95 %-Intervall"];
        assert_eq!(phrases(text), expected);
    }

    #[test]
    fn what_was_translated_is_not_translated_again() {
        let style = Style::german(super::super::Width::Single);
        let font = style.small();
        let once = font.cut("n = 7,736", 50.0).unwrap();
        assert_eq!(once, "n = 7.736");
        assert_eq!(font.translate(&once), "n = 7.736");
        assert_eq!(font.wrapped(&once, 50.0).unwrap(), ["n = 7.736"]);
        assert_eq!(font.translate(&Number::count(1_348)), "1.348");
        assert_eq!(font.translate("1.5"), "1.5", "the name of a level");
    }

    #[test]
    fn long_text_is_wrapped_and_cut() {
        let font = TextStyle::new(7.0);
        let lines = font.wrapped("one two three four five six seven eight nine ten", 20.0).unwrap();
        assert!(lines.len() > 2 && lines.iter().all(|line| font.width_of(line).unwrap() <= 20.0));
        assert_eq!(lines.join(" "), "one two three four five six seven eight nine ten");
        assert!(font.cut("a-very-long-name-of-a-level", 15.0).unwrap().ends_with('…'));
    }
}
