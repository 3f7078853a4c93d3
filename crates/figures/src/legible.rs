//! Requirements of every figure, checked on the drawing itself: sizes of text, widths of lines, and
//! that nothing leaves the sheet or covers a text.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::label::Label;
use super::sheet::{Rect, TextStyle, Translatable};
use super::style::FONT_PT;
use super::{Chart, Figure, Language, Screen, Style, Width, draw};

/// A pixel of CSS, in which SVG is measured, in millimetres.
const MM_PER_PX: f64 = 25.4 / 96.0;

/// The boxes of all texts, in millimetres and in the order of the drawing.
pub(super) fn text_boxes(figure: &Figure) -> Vec<Rect> {
    fn collect(group: &usvg::Group, boxes: &mut Vec<Rect>) {
        for node in group.children() {
            match node {
                usvg::Node::Group(inner) => collect(inner, boxes),
                usvg::Node::Text(text) => {
                    let ink = text.flattened().bounding_box().transform(text.abs_transform()).unwrap();
                    let [left, top, width, height] =
                        [ink.x(), ink.y(), ink.width(), ink.height()].map(|px| f64::from(px) * MM_PER_PX);
                    boxes.push(Rect { left, top, width, height });
                }
                _ => {}
            }
        }
    }
    let mut boxes = Vec::new();
    collect(figure.tree().unwrap().root(), &mut boxes);
    boxes
}

/// The points of a line or polygon of a drawing, from the value of its attribute `points` on.
pub(super) fn points(text: &str) -> Vec<(f64, f64)> {
    let pairs = text.split('"').next().unwrap().split_whitespace().map(|pair| pair.split_once(',').unwrap());
    pairs.map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).collect()
}

/// The figure of a chart of one page in print, whose drawings for screens are legible too, and so are those with other
/// sizes of text and without titles.
pub(super) fn draw_one(chart: &dyn Chart, style: &Style) -> Figure {
    for screen in [Screen::Wide, Screen::Narrow] {
        draw(chart, &style.clone().on_screen(screen)).unwrap().iter().for_each(check);
    }
    for (font_pt, has_titles) in [(6.0, true), (10.0, false), (14.0, true)] {
        let language = style.language.clone();
        let sized = Style { language, has_titles, ..Style::sized(style.width_mm, font_pt) };
        draw(chart, &sized).unwrap().iter().for_each(|figure| check_sized(figure, font_pt));
    }
    let [figure] = draw(chart, style).unwrap().try_into().expect("one page");
    figure
}

/// Panics where a figure could not go to print.
pub(super) fn check(figure: &Figure) {
    check_sized(figure, FONT_PT);
}

/// As [`check`], for text of this size.
fn check_sized(figure: &Figure, font_pt: f64) {
    sizes_suit_print(figure, font_pt);
    nothing_leaves_the_sheet(figure);
    no_text_touches_another(figure);
    only_draws(figure);
}

/// A page holds the SVG of many figures as it is: nothing in it may run, be fetched, or meet a name of another.
fn only_draws(figure: &Figure) {
    for foreign in ["<script", "<style", " id=\"", "href=\"", "=\"url(", " on"] {
        let mut tags = figure.svg.split('<').filter_map(|tag| tag.split('>').next());
        assert!(!tags.any(|tag| format!("<{tag}").contains(foreign)), "{}: {foreign} in the SVG", figure.name);
    }
}

fn sizes_suit_print(figure: &Figure, font_pt: f64) {
    let texts = texts(figure);
    // On a screen 9 points, which are 12 pixels.
    let is_on_screen = [Screen::Wide, Screen::Narrow].iter().any(|screen| screen.px() * MM_PER_PX == figure.width_mm);
    let range = if is_on_screen { 8.99..=11.26 } else { font_pt - 1.01..=font_pt + 1.01 };
    assert!(texts.iter().all(|(pt, _)| range.contains(pt)), "{}: texts of {texts:?} pt", figure.name);
    if !is_on_screen {
        let names = names(figure);
        let is_tick = |words: &String| {
            let is_number = words.chars().all(|letter| !letter.is_alphabetic() || letter == 'e');
            // The letter of a piece on a board is no word of the numbers.
            let is_piece = words.len() == 1 && words.chars().all(char::is_uppercase);
            // Measures of a matrix have their numbers before them.
            let name = words.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start_matches(". ");
            let name = name.trim_end_matches('…');
            is_number || is_piece || names.iter().any(|full| full.contains(name))
        };
        for (_, words) in texts.iter().filter(|(pt, _)| *pt < font_pt - 0.01) {
            assert!(
                is_tick(words),
                "{}: {words:?} is no label of a tick, and is smaller than {font_pt} pt",
                figure.name
            );
        }
    }
    let widths = values(&figure.svg, "stroke-width");
    assert!(widths.iter().all(|&(pt, _)| pt >= 0.3), "{}: lines of {widths:?} pt", figure.name);
}

/// The values of an attribute in points, each with what follows it up to the next.
fn values<'a>(svg: &'a str, attribute: &str) -> Vec<(f64, &'a str)> {
    let opening = format!(" {attribute}=\"");
    let pieces = svg.split(&opening).skip(1).map(|piece| piece.split_once('"').unwrap());
    pieces.map(|(value, rest)| (value.parse::<f64>().unwrap() / 100.0 / 25.4 * 72.0, rest)).collect()
}

/// All texts with their sizes in points.
pub(super) fn texts(figure: &Figure) -> Vec<(f64, String)> {
    let mut all = Vec::new();
    for (pt, group) in values(&figure.svg, "font-size") {
        for text in group.split("<text").skip(1) {
            let (_, words) = text.split("</text>").next().unwrap().split_once('>').unwrap();
            let words = words.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
            all.push((pt, words));
        }
    }
    all
}

/// Names in the numbers of a figure, in English and in German: what stands at a tick or beside a row, and the parts of
/// a plot that have a name, such as moves.
fn names(figure: &Figure) -> BTreeSet<String> {
    let style = Style::german(Width::Double);
    let cells: BTreeSet<&String> = figure.data.rows.iter().flatten().collect();
    let both = |cell: &&String| [(*cell).clone(), style.label().translate(&Label::from(*cell)).to_string()];
    cells.iter().flat_map(both).collect()
}

fn nothing_leaves_the_sheet(figure: &Figure) {
    let tree = figure.tree().unwrap();
    assert!((f64::from(tree.size().width()) * MM_PER_PX - figure.width_mm).abs() < 0.1);
    let ink = tree.root().abs_stroke_bounding_box();
    let edges = [ink.left(), ink.top(), ink.right(), ink.bottom()].map(|px| f64::from(px) * MM_PER_PX);
    let sheet = [-0.01, -0.01, figure.width_mm + 0.01, figure.height_mm + 0.01];
    let inside = edges[0] >= sheet[0] && edges[1] >= sheet[1] && edges[2] <= sheet[2] && edges[3] <= sheet[3];
    let texts = texts(figure);
    assert!(inside, "{}: ink at {edges:?} mm on a sheet of {sheet:?}: {texts:?}", figure.name);
}

fn no_text_touches_another(figure: &Figure) {
    // Both are in the order of the drawing.
    let (boxes, texts) = (text_boxes(figure), texts(figure));
    for (index, a) in boxes.iter().enumerate() {
        for (other, b) in boxes.iter().enumerate().skip(index + 1) {
            let apart = a.right() < b.left || b.right() < a.left || a.bottom() < b.top || b.bottom() < a.top;
            let (one, other) = (&texts[index], &texts[other]);
            assert!(
                apart,
                "{}, {} mm wide: {one:?} at {a:?} and {other:?} at {b:?} touch",
                figure.name, figure.width_mm
            );
        }
    }
}

impl Style {
    /// The style for a width, in German.
    pub(super) fn german(width: Width) -> Self {
        let language = Language::new("de", &Default::default(), None).expect("there is German");
        Self { language, ..Self::new(width) }
    }
}

/// Words of the caller in tests; charts have no label from a `&str`.
impl From<&str> for Label {
    fn from(text: &str) -> Self {
        Self::Given(text.to_owned())
    }
}

impl Translatable for str {
    fn translated(&self, font: &TextStyle) -> Cow<'_, str> {
        Cow::Owned(Label::from(self).translated(font).into_owned())
    }
}
