//! The sheet that figures are drawn on: plotters' drawing area, in millimetres.

use std::borrow::Cow;
use std::sync::LazyLock;

use plotters::coord::Shift;
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon, Text};
use plotters::prelude::{DrawingArea, IntoDrawingArea};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, RGBColor, ShapeStyle, TextStyle, register_font,
};

pub(super) use super::colours::*;
use super::error::ChartError;
use super::figure::{Figure, Heading, PlottedData};
use super::language::Language;
use super::series::{LINE_PT, SeriesMark, Shape};
use super::style::Style;
use super::svg::{BASELINE_EM, FAMILY, Svg, SvgBackend, UNITS_PER_MM, printable, units};

/// Millimetres in a point.
pub(super) const MM_PER_PT: f64 = 25.4 / 72.0;
/// Height from descender to ascender of DejaVu Sans, in em. plotters measures text as if its size
/// were that height.
const FONT_HEIGHT_EM: f64 = (1901.0 + 483.0) / 2048.0;
/// Free border around every figure, in millimetres.
pub(super) const MARGIN: f64 = 1.5;

/// A rectangle in millimetres from the upper left corner of the sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub fn centre(&self) -> (f64, f64) {
        (self.left + self.width / 2.0, self.top + self.height / 2.0)
    }

    pub fn corners(&self) -> [(f64, f64); 4] {
        let (right, bottom) = (self.right(), self.bottom());
        [(self.left, self.top), (right, self.top), (right, bottom), (self.left, bottom)]
    }

    /// The same rectangle without a border on each side.
    pub fn inset(&self, mm: f64) -> Self {
        let (width, height) = ((self.width - 2.0 * mm).max(0.0), (self.height - 2.0 * mm).max(0.0));
        Self { left: self.left + mm, top: self.top + mm, width, height }
    }
}

/// A line's colour and its width in points.
#[derive(Clone, Copy)]
pub struct Pen {
    colour: RGBAColor,
    width_pt: f64,
}

impl Pen {
    pub fn new(colour: RGBColor, width_pt: f64) -> Self {
        Self { colour: colour.mix(1.0), width_pt }
    }

    pub fn alpha(self, alpha: f64) -> Self {
        // Three digits suffice for a screen and keep the file short.
        Self { colour: RGBAColor(self.colour.0, self.colour.1, self.colour.2, (alpha * 1e3).round() / 1e3), ..self }
    }

    fn style(&self) -> ShapeStyle {
        let width = (self.width_pt.max(0.3) * MM_PER_PT * UNITS_PER_MM).ceil() as u32;
        ShapeStyle { color: self.colour, filled: false, stroke_width: width }
    }
}

/// What can be measured and drawn: an English text, a number, or what was said before. Each becomes a text in the
/// language of its type once: `n = 7.736`, said again, would be read as an English number.
pub(super) trait Words {
    /// The text as it is drawn.
    fn translated(&self, kind: &Type) -> Cow<'_, str>;
}

/// An English text: a phrase, or a name, which no language changes.
impl Words for str {
    fn translated(&self, kind: &Type) -> Cow<'_, str> {
        kind.language.map_or(Cow::Borrowed(self), |language| language.translate(self))
    }
}

impl Words for String {
    fn translated(&self, kind: &Type) -> Cow<'_, str> {
        self.as_str().translated(kind)
    }
}

impl<T: Words + ?Sized> Words for &T {
    fn translated(&self, kind: &Type) -> Cow<'_, str> {
        (**self).translated(kind)
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

impl Words for Number {
    fn translated(&self, kind: &Type) -> Cow<'_, str> {
        kind.language.map_or(Cow::Borrowed(&self.0), |language| Cow::Owned(language.number(&self.0)))
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

impl Words for Translated {
    fn translated(&self, _: &Type) -> Cow<'_, str> {
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

/// How a text is set, and in which language.
#[derive(Clone, Copy)]
pub(super) struct Type<'a> {
    pt: f64,
    language: Option<&'a Language>,
    bold: bool,
    colour: RGBColor,
    align: HPos,
    upwards: bool,
}

impl Style {
    /// The type of the title.
    pub(super) fn title(&self) -> Type<'_> {
        Type { language: Some(&self.language), ..Type::new(self.title_pt) }
    }

    /// The type of subtitle, axis titles and panel titles.
    pub(super) fn label(&self) -> Type<'_> {
        Type { language: Some(&self.language), ..Type::new(self.label_pt) }
    }

    /// The type of tick labels, legends and notes.
    pub(super) fn small(&self) -> Type<'_> {
        Type { language: Some(&self.language), ..Type::new(self.small_pt) }
    }
}

impl Type<'_> {
    /// A type in which texts stay as they are, such as the letters on a board.
    pub fn new(pt: f64) -> Self {
        Self { pt, language: None, bold: false, colour: INK, align: HPos::Left, upwards: false }
    }

    /// The words in the language of the type.
    pub fn translate(&self, words: &(impl Words + ?Sized)) -> Translated {
        Translated(words.translated(self).into_owned())
    }

    /// The same type in another size.
    pub fn sized(self, pt: f64) -> Self {
        Self { pt, ..self }
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

    /// How far the base line lies below the middle of digits and capitals, in millimetres.
    pub fn half_cap_mm(&self) -> f64 {
        0.365 * self.em_mm()
    }

    /// Width of a text in millimetres.
    pub fn width_of(&self, words: &(impl Words + ?Sized)) -> Result<f64, ChartError> {
        register_fonts()?;
        let size = self.em_mm() * UNITS_PER_MM * FONT_HEIGHT_EM;
        let style = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = FontDesc::new(FontFamily::Name(FAMILY), size, style);
        let (width, _) = font.box_size(&words.translated(self)).map_err(draw_error)?;
        Ok(f64::from(width) / UNITS_PER_MM)
    }

    /// The text in lines that fit the width, broken between words but not within `r = 0.71` or `[0.52, 0.83]`
    /// where these fit a line; a word that does not fit alone is cut.
    pub fn wrapped(&self, words: &(impl Words + ?Sized), width_mm: f64) -> Result<Vec<Translated>, ChartError> {
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
        words: &(impl Words + ?Sized),
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
        words: &(impl Words + ?Sized),
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
    pub fn cut(&self, words: &(impl Words + ?Sized), width_mm: f64) -> Result<Translated, ChartError> {
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

fn register_fonts() -> Result<(), ChartError> {
    static REGISTERED: LazyLock<bool> = LazyLock::new(|| {
        register_font(FAMILY, FontStyle::Normal, dejavu::sans::regular()).is_ok()
            && register_font(FAMILY, FontStyle::Bold, dejavu::sans::bold()).is_ok()
    });
    if *REGISTERED { Ok(()) } else { Err(ChartError::Draw("the embedded font was refused".to_owned())) }
}

fn draw_error(error: impl std::fmt::Display) -> ChartError {
    ChartError::Draw(error.to_string())
}

/// A shape that stands for a datum or, in a legend, for its meaning.
#[derive(Clone, Copy)]
pub enum Mark {
    Disc(RGBColor),
    Square(RGBColor),
    Diamond(RGBColor),
    Triangle(RGBColor),
    Cross(RGBColor),
    /// A diamond with a dark rim, which stands out among any other marks.
    RimmedDiamond(RGBColor),
    /// A filled field, as of a bar or a band.
    Field(RGBColor, f64),
    Line(Pen),
    Dashed(Pen),
    /// A short upright line, as for a censored observation.
    Tick(Pen),
    /// The mark of one series among several.
    Series(SeriesMark),
}

/// One entry of a legend.
#[derive(Clone)]
pub enum Key {
    /// A mark and what it means.
    Mark(Mark, String),
    /// A ramp of viridis between two shares, with what it means and the values at its ends.
    Ramp { title: String, low: Number, high: Number, from: f64, to: f64 },
    /// The ramp of [`diverging`] from -1 to 1, with what it means.
    Diverging { title: String },
    /// A text in bold and what its boldness means.
    Bold { sample: String, label: String },
}

const RAMP_MM: f64 = 14.0;
const KEY_GAP_MM: f64 = 3.0;
/// The most lines of a label in a legend.
const KEY_LINES: usize = 4;
/// Half the height of [`Mark::Tick`] in millimetres.
const TICK_HALF_MM: f64 = 0.8;
/// Width of a mark in a legend in millimetres.
pub(super) const MARK_MM: f64 = 4.0;

impl Key {
    /// The entry of a mark.
    pub fn mark(mark: Mark, label: &str) -> Self {
        Self::Mark(mark, label.to_owned())
    }

    /// What it says.
    fn label(&self) -> &str {
        match self {
            Self::Mark(_, label) | Self::Bold { label, .. } => label,
            Self::Ramp { title, .. } | Self::Diverging { title } => title,
        }
    }

    /// The values at the ends of its ramp.
    fn ends(&self) -> [Number; 2] {
        match self {
            Self::Ramp { low, high, .. } => [low.clone(), high.clone()],
            _ => ["−1", "1"].map(|end| Number::new(end.to_owned())),
        }
    }

    /// Width of all but its label.
    fn beside_mm(&self, text: &Type) -> Result<f64, ChartError> {
        Ok(match self {
            Self::Mark(..) => MARK_MM + 0.8,
            Self::Ramp { .. } | Self::Diverging { .. } => {
                let [low, high] = self.ends();
                text.width_of(&low)? + text.width_of(&high)? + RAMP_MM + 3.2
            }
            Self::Bold { sample, .. } => text.bold().width_of(sample)? + 0.8,
        })
    }

    /// Its label in lines that fit the width beside the rest of it.
    fn lines(&self, text: &Type, width_mm: f64) -> Result<Vec<Translated>, ChartError> {
        let label = text.translate(self.label());
        let room = width_mm - self.beside_mm(text)?;
        if text.width_of(&label)? <= room { Ok(vec![label]) } else { text.wrapped_within(&label, room, KEY_LINES) }
    }
}

/// The widest of some lines, in millimetres.
pub(super) fn widest(lines: &[Translated], text: &Type) -> Result<f64, ChartError> {
    lines.iter().try_fold(0.0, |widest, line| Ok(text.width_of(line)?.max(widest)))
}

/// An entry of a legend with its place.
struct PlacedKey<'a> {
    left: f64,
    key: &'a Key,
    lines: Vec<Translated>,
}

/// Entries side by side.
#[derive(Default)]
struct KeyRow<'a> {
    keys: Vec<PlacedKey<'a>>,
}

impl KeyRow<'_> {
    fn height_mm(&self, text: &Type) -> f64 {
        let lines = self.keys.iter().map(|key| key.lines.len()).max().unwrap_or(1).max(1);
        1.5 * text.em_mm() + (lines - 1) as f64 * text.line_mm()
    }
}

/// What a figure consists of besides its drawing.
pub(super) struct Draft<'a> {
    pub heading: &'a Heading,
    pub style: &'a Style,
    /// Number of this page, from 1, and of all pages.
    pub page: (usize, usize),
    /// Sentences that follow the subtitle: what was left out or summed up.
    pub notes: Vec<String>,
    pub keys: Vec<Key>,
    /// How to read the figure.
    pub reading: String,
    pub data: PlottedData,
}

impl Draft<'_> {
    /// The title: that of the study as it is, or else its own in the language of the figure.
    fn title(&self) -> Translated {
        let (page, pages) = self.page;
        let suffix = if pages > 1 { format!(" ({page}/{pages})") } else { String::new() };
        let title = match &self.style.title {
            Some(title) => title.clone(),
            None => self.style.language.translate(&self.heading.title).into_owned(),
        };
        Translated(title + &suffix)
    }

    fn subtitle(&self) -> Translated {
        let parts = std::iter::once(&self.heading.subtitle).chain(&self.notes);
        let translated = parts.filter(|part| !part.is_empty()).map(|part| self.style.language.translate(part));
        Translated(translated.collect::<Vec<_>>().join("; "))
    }

    fn inner_width(&self) -> f64 {
        self.style.width.mm() - 2.0 * MARGIN
    }

    fn heading_lines(&self) -> Result<Vec<(Type<'_>, Translated)>, ChartError> {
        let (title, label) = (self.style.title().bold(), self.style.label().colour(SOFT_INK));
        let mut lines = Vec::new();
        for (kind, text) in [(title, self.title()), (label, self.subtitle())] {
            lines.extend(
                kind.wrapped(&Translated(printable(&text)), self.inner_width())?.into_iter().map(|line| (kind, line)),
            );
        }
        Ok(lines)
    }

    /// The keys in rows that fit the width.
    fn key_rows(&self) -> Result<Vec<KeyRow<'_>>, ChartError> {
        let (text, inner) = (self.style.small(), self.inner_width());
        let mut rows: Vec<KeyRow> = Vec::new();
        let mut next = f64::INFINITY;
        for key in &self.keys {
            let lines = key.lines(&text, inner)?;
            let width = key.beside_mm(&text)? + widest(&lines, &text)?;
            if next + width > inner {
                rows.push(KeyRow::default());
                next = 0.0;
            }
            if let Some(row) = rows.last_mut() {
                row.keys.push(PlacedKey { left: MARGIN + next, key, lines });
            }
            next += width + KEY_GAP_MM;
        }
        Ok(rows)
    }

    /// Height of all that stands above the drawing, in millimetres.
    pub fn head_mm(&self) -> Result<f64, ChartError> {
        let lines: f64 = self.heading_lines()?.iter().map(|(kind, _)| kind.line_mm()).sum();
        let rows: f64 = self.key_rows()?.iter().map(|row| row.height_mm(&self.style.small())).sum();
        Ok(MARGIN + lines + rows + 1.2)
    }

    /// The greatest height of a drawing that keeps the figure within its greatest height.
    pub fn max_body_mm(&self) -> Result<f64, ChartError> {
        Ok((self.style.max_height_mm - self.head_mm()? - MARGIN).max(20.0))
    }

    /// Draws the figure; `body` draws into the rectangle below the heading, `body_mm` high.
    pub fn draw(
        self,
        body_mm: f64,
        body: impl FnOnce(&Sheet, Rect) -> Result<(), ChartError>,
    ) -> Result<Figure, ChartError> {
        register_fonts()?;
        let (width_mm, top) = (self.style.width.mm(), self.head_mm()?);
        let height_mm = ((top + body_mm + MARGIN) * 10.0).ceil() / 10.0;
        let (title, subtitle) = (self.title(), self.subtitle());
        let mut drawing = String::new();
        {
            let size = (units(width_mm) as u32, units(height_mm) as u32);
            let area = SvgBackend::new(&mut drawing, size).into_drawing_area();
            let sheet = Sheet { area, style: self.style };
            self.draw_heading(&sheet)?;
            body(&sheet, Rect { left: MARGIN, top, width: self.inner_width(), height: body_mm })?;
            sheet.area.present().map_err(draw_error)?;
        }
        let parts = [&*title, &*subtitle, &self.reading].map(sentence);
        let caption = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let (page, pages) = self.page;
        let name = match pages {
            0 | 1 => self.heading.name.clone(),
            _ => format!("{}-{page}", self.heading.name),
        };
        let svg = Svg::new(&drawing, (width_mm, height_mm), &title, &caption);
        Ok(Figure { name, title: title.0, width_mm, height_mm, svg, caption, data: self.data })
    }

    /// Draws a frame that says that there is nothing to draw, and why.
    pub fn draw_empty(mut self) -> Result<Figure, ChartError> {
        self.keys.clear();
        let reason = match self.heading.no_data_reason.trim() {
            "" => "nothing was left to draw".to_owned(),
            reason => reason.to_owned(),
        };
        self.draw(30.0, |sheet, body| {
            sheet.outline(&body.corners(), Pen::new(PALE, 0.5))?;
            sheet.no_data(body, &reason)
        })
    }

    fn draw_heading(&self, sheet: &Sheet) -> Result<(), ChartError> {
        let mut top = MARGIN;
        for (kind, line) in self.heading_lines()? {
            sheet.text(MARGIN, top + kind.em_mm(), &line, kind)?;
            top += kind.line_mm();
        }
        let small = self.style.small();
        for row in self.key_rows()? {
            for key in &row.keys {
                sheet.key(key, top + 0.75 * small.em_mm())?;
            }
            top += row.height_mm(&small);
        }
        Ok(())
    }
}

/// A text that ends with a full stop, or nothing.
fn sentence(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text if text.ends_with(['.', '!', '?']) => text.to_owned(),
        text => format!("{text}."),
    }
}

/// The sheet of one figure.
pub(super) struct Sheet<'a> {
    area: DrawingArea<SvgBackend<'a>, Shift>,
    pub style: &'a Style,
}

impl Sheet<'_> {
    pub fn line(&self, points: &[(f64, f64)], pen: Pen) -> Result<(), ChartError> {
        self.area.draw(&PathElement::new(in_units(points), pen.style())).map_err(draw_error)
    }

    pub fn dashed(&self, points: &[(f64, f64)], pen: Pen) -> Result<(), ChartError> {
        self.dashed_in(points, pen, 1.0)
    }

    /// A dashed line whose dashes and gaps are this share of the usual ones.
    pub fn dashed_in(&self, points: &[(f64, f64)], pen: Pen, share: f64) -> Result<(), ChartError> {
        let (dash, gap) = (units(1.2 * share), units(0.8 * share));
        self.area
            .draw(&DashedPathElement::new(in_units(points), dash.max(1), gap.max(1), pen.style()))
            .map_err(draw_error)
    }

    /// A closed line.
    pub fn outline(&self, points: &[(f64, f64)], pen: Pen) -> Result<(), ChartError> {
        // The second point again: a closed corner instead of two ends.
        let closed: Vec<_> = points.iter().chain(points.iter().take(2)).copied().collect();
        self.line(&closed, pen)
    }

    pub fn fill(&self, points: &[(f64, f64)], colour: RGBColor, alpha: f64) -> Result<(), ChartError> {
        let alpha = (alpha * 1e3).round() / 1e3;
        self.area.draw(&Polygon::new(in_units(points), colour.mix(alpha).filled())).map_err(draw_error)
    }

    pub fn disc(&self, (x, y): (f64, f64), radius: f64, colour: RGBColor, alpha: f64) -> Result<(), ChartError> {
        let alpha = (alpha * 1e3).round() / 1e3;
        let disc = Circle::new((units(x), units(y)), units(radius).max(1), colour.mix(alpha).filled());
        self.area.draw(&disc).map_err(draw_error)
    }

    /// A circle that is not filled.
    pub fn ring(&self, (x, y): (f64, f64), radius: f64, pen: Pen) -> Result<(), ChartError> {
        let ring = Circle::new((units(x), units(y)), units(radius).max(1), pen.style());
        self.area.draw(&ring).map_err(draw_error)
    }

    /// Text whose base line starts, ends or has its middle at the point, as its alignment says.
    pub fn text(&self, x: f64, y: f64, words: &(impl Words + ?Sized), kind: Type) -> Result<(), ChartError> {
        let size = kind.em_mm() * UNITS_PER_MM;
        let style = if kind.bold { FontStyle::Bold } else { FontStyle::Normal };
        let turn = if kind.upwards { FontTransform::Rotate270 } else { FontTransform::None };
        let drop = BASELINE_EM * kind.em_mm();
        let at = if kind.upwards { (units(x - drop), units(y)) } else { (units(x), units(y - drop)) };
        let font = FontDesc::new(FontFamily::Name(FAMILY), size, style).transform(turn);
        let style = TextStyle::from(font).color(&kind.colour).pos(Pos::new(kind.align, VPos::Top));
        self.area.draw(&Text::new(words.translated(&kind), at, style)).map_err(draw_error)
    }

    /// A mark with its middle at the point; `size` is the radius of a disc of the same weight.
    pub fn mark(&self, (x, y): (f64, f64), size: f64, mark: Mark, alpha: f64) -> Result<(), ChartError> {
        match mark {
            Mark::Disc(colour) => self.disc((x, y), size, colour, alpha),
            Mark::Square(colour) => self.fill(&around((x, y), size * 0.89).corners(), colour, alpha),
            Mark::Diamond(colour) => {
                let r = size * 1.25;
                self.fill(&[(x, y - r), (x + r, y), (x, y + r), (x - r, y)], colour, alpha)
            }
            Mark::RimmedDiamond(colour) => {
                self.mark((x, y), size + 0.4, Mark::Diamond(WHITE), 1.0)?;
                self.mark((x, y), size + 0.22, Mark::Diamond(INK), 1.0)?;
                self.mark((x, y), size, Mark::Diamond(colour), 1.0)
            }
            Mark::Triangle(colour) => {
                let r = size * 1.35;
                self.fill(&[(x, y - r), (x + 0.866 * r, y + 0.5 * r), (x - 0.866 * r, y + 0.5 * r)], colour, alpha)
            }
            Mark::Cross(colour) => {
                let pen = Pen::new(colour, 0.6).alpha(alpha);
                self.line(&[(x - size, y - size), (x + size, y + size)], pen)?;
                self.line(&[(x - size, y + size), (x + size, y - size)], pen)
            }
            Mark::Field(colour, alpha) => {
                let field = Rect { left: x - MARK_MM / 2.0, top: y - 0.9, width: MARK_MM, height: 1.8 };
                self.fill(&field.corners(), colour, alpha)
            }
            Mark::Line(pen) => self.line(&[(x - MARK_MM / 2.0, y), (x + MARK_MM / 2.0, y)], pen),
            Mark::Dashed(pen) => self.dashed(&[(x - MARK_MM / 2.0, y), (x + MARK_MM / 2.0, y)], pen),
            Mark::Tick(pen) => self.line(&[(x, y - TICK_HALF_MM), (x, y + TICK_HALF_MM)], pen),
            Mark::Series(mark) => self.series_mark((x, y), size, mark, alpha),
        }
    }

    fn series_mark(&self, at: (f64, f64), size: f64, mark: SeriesMark, alpha: f64) -> Result<(), ChartError> {
        if mark.joined {
            self.mark(at, size, Mark::Line(Pen::new(mark.colour, LINE_PT)), 1.0)?;
        }
        let pen = Pen::new(mark.colour, 0.6);
        match (mark.shape, mark.open) {
            (Shape::Disc, false) => self.disc(at, size, mark.colour, alpha),
            (Shape::Disc, true) => {
                self.disc(at, size, WHITE, 1.0)?;
                self.ring(at, size, pen)
            }
            (_, false) => self.fill(&mark.corners(at, size), mark.colour, alpha),
            (_, true) => {
                let corners = mark.corners(at, size);
                self.fill(&corners, WHITE, 1.0)?;
                self.outline(&corners, pen)
            }
        }
    }

    /// `no data` and the reason, in the middle of a rectangle.
    pub fn no_data(&self, place: Rect, reason: &str) -> Result<(), ChartError> {
        let kind = self.style.small().colour(SOFT_INK).centre();
        let mut text = kind.translate("no data");
        if !reason.is_empty() {
            text = Translated(format!("{}: {}", text.0, kind.translate(reason).0));
        }
        let lines = kind.wrapped(&text, place.width - 2.0)?;
        let (x, middle) = place.centre();
        let first = middle - (lines.len() as f64 - 1.0) / 2.0 * kind.line_mm() + kind.half_cap_mm();
        for (index, line) in lines.iter().enumerate() {
            self.text(x, first + index as f64 * kind.line_mm(), line, kind)?;
        }
        Ok(())
    }

    /// An entry of the legend, the first line of its label at a height.
    fn key(&self, placed: &PlacedKey, middle: f64) -> Result<(), ChartError> {
        let kind = self.style.small();
        let (base, PlacedKey { left, key, lines }) = (middle + kind.half_cap_mm(), placed);
        let label_left = match key {
            Key::Mark(mark, _) => {
                self.mark((left + MARK_MM / 2.0, middle), 0.8, *mark, 1.0)?;
                left + MARK_MM + 0.8
            }
            Key::Bold { sample, .. } => {
                self.text(*left, base, sample, kind.bold())?;
                left + kind.bold().width_of(sample)? + 0.8
            }
            Key::Ramp { .. } | Key::Diverging { .. } => {
                self.ramp((left + widest(lines, &kind)? + 1.6, middle), key)?;
                *left
            }
        };
        for (index, line) in lines.iter().enumerate() {
            self.text(label_left, base + index as f64 * kind.line_mm(), line, kind)?;
        }
        Ok(())
    }

    /// A ramp of colours with the values at its ends.
    fn ramp(&self, (left, middle): (f64, f64), key: &Key) -> Result<(), ChartError> {
        let colour = |share: f64| match key {
            Key::Ramp { from, to, .. } => viridis(from + (to - from) * share),
            _ => diverging(2.0 * share - 1.0),
        };
        let kind = self.style.small();
        let base = middle + kind.half_cap_mm();
        let [low, high] = key.ends();
        self.text(left, base, &low, kind)?;
        let next = left + kind.width_of(&low)? + 0.8;
        let step = RAMP_MM / 28.0;
        for part in 0..28 {
            // Half a step more than its width: no seam shows between neighbours.
            let width = if part < 27 { 1.5 * step } else { step };
            let field = Rect { left: next + f64::from(part) * step, top: middle - 0.9, width, height: 1.8 };
            self.fill(&field.corners(), colour((f64::from(part) + 0.5) / 28.0), 1.0)?;
        }
        self.text(next + RAMP_MM + 0.8, base, &high, kind)
    }
}

/// The square around a point.
pub(super) fn around((x, y): (f64, f64), half: f64) -> Rect {
    Rect { left: x - half, top: y - half, width: 2.0 * half, height: 2.0 * half }
}

fn in_units(points: &[(f64, f64)]) -> Vec<(i32, i32)> {
    points.iter().map(|&(x, y)| (units(x), units(y))).collect()
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
    fn text_is_measured_as_it_is_drawn() {
        let words = "Distance to goal (moves) 0123456789";
        let heading = Heading { name: "t".to_owned(), title: words.to_owned(), ..Default::default() };
        let style = Style::new(super::super::Width::Double);
        let data = PlottedData::default();
        let draft = Draft {
            heading: &heading,
            style: &style,
            page: (1, 1),
            notes: vec![],
            keys: vec![],
            reading: String::new(),
            data,
        };
        let figure = draft.draw(10.0, |_, _| Ok(())).unwrap();
        let boxes = super::super::legible::text_boxes(&figure);
        let measured = style.title().bold().width_of(words).unwrap();
        // The ink of a text is narrower than its advance by the side bearings of two letters.
        assert!((measured - boxes[0].width).abs() < 0.5, "{measured} mm measured, {} mm drawn", boxes[0].width);
    }

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

    fn german() -> Style {
        let language = Language::new("de", &std::collections::BTreeMap::new(), None).unwrap();
        Style { language, ..Style::new(super::super::Width::Single) }
    }

    #[test]
    fn what_was_translated_is_not_translated_again() {
        let style = german();
        let kind = style.small();
        let once = kind.cut("n = 7,736", 50.0).unwrap();
        assert_eq!(once, "n = 7.736");
        assert_eq!(kind.translate(&once), "n = 7.736");
        assert_eq!(kind.wrapped(&once, 50.0).unwrap(), ["n = 7.736"]);
        assert_eq!(kind.translate(&Number::count(1_348)), "1.348");
        assert_eq!(kind.translate("1.5"), "1.5", "the name of a level");
    }

    #[test]
    fn the_title_of_a_study_is_no_phrase() {
        let (heading, style) = (Heading { title: "moves".to_owned(), ..Default::default() }, german());
        let title = |style: &Style| {
            let (notes, keys, data) = (Vec::new(), Vec::new(), PlottedData::default());
            Draft { heading: &heading, style, page: (1, 1), notes, keys, reading: String::new(), data }
                .title()
                .to_string()
        };
        assert_eq!(title(&style), "Züge");
        assert_eq!(title(&Style { title: Some("moves".to_owned()), ..style }), "moves");
    }

    #[test]
    fn a_wide_entry_of_a_legend_takes_further_lines() {
        let label = "mean difference for each participant to the best model of all and its 95 % interval";
        let heading = Heading { name: "legend".to_owned(), title: "Legend".to_owned(), ..Default::default() };
        let key = |label: &str| Key::mark(Mark::Disc(INK), label);
        let ramp =
            Key::Ramp { title: label.to_owned(), low: Number::count(1), high: Number::count(9), from: 0.0, to: 1.0 };
        for width in [super::super::Width::Single, super::super::Width::Double] {
            let style = Style::new(width);
            let keys = vec![
                key("short"),
                key(label),
                ramp.clone(),
                Key::Diverging { title: label.to_owned() },
                key(&"word ".repeat(99)),
            ];
            let (notes, data) = (Vec::new(), PlottedData::default());
            let draft =
                Draft { heading: &heading, style: &style, page: (1, 1), notes, keys, reading: String::new(), data };
            let figure = draft.draw(10.0, |_, _| Ok(())).unwrap();
            super::super::legible::check(&figure);
            let texts: Vec<&str> =
                figure.svg.split("<text").skip(1).filter_map(|text| text.split(['>', '<']).nth(1)).collect();
            let joined = texts.join(" ");
            assert!(joined.contains(label), "{joined}");
            assert_eq!(texts.iter().filter(|text| text.starts_with("word")).count(), KEY_LINES, "then it is cut");
        }
    }

    #[test]
    fn long_text_is_wrapped_and_cut() {
        let kind = Type::new(7.0);
        let lines = kind.wrapped("one two three four five six seven eight nine ten", 20.0).unwrap();
        assert!(lines.len() > 2 && lines.iter().all(|line| kind.width_of(line).unwrap() <= 20.0));
        assert_eq!(lines.join(" "), "one two three four five six seven eight nine ten");
        assert!(kind.cut("a-very-long-name-of-a-level", 15.0).unwrap().ends_with('…'));
    }
}
