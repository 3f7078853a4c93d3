//! Requirements of every figure, checked on the drawing itself: sizes of text, widths of lines, and
//! that nothing leaves the sheet or covers a text.

use std::borrow::Cow;

use super::label::Label;
use super::sheet::{Rect, TextStyle, Translatable};
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

/// The figure of a chart of one page in print, whose drawings for screens are legible too.
pub(super) fn draw_one(chart: &dyn Chart, style: &Style) -> Figure {
    for screen in [Screen::Wide, Screen::Narrow] {
        draw(chart, &style.clone().on_screen(screen)).unwrap().iter().for_each(check);
    }
    let [figure] = draw(chart, style).unwrap().try_into().expect("one page");
    figure
}

/// Panics where a figure could not go to print.
pub(super) fn check(figure: &Figure) {
    sizes_suit_print(figure);
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

fn sizes_suit_print(figure: &Figure) {
    let values = |attribute: &str| -> Vec<f64> {
        let opening = format!(" {attribute}=\"");
        let pieces = figure.svg.split(&opening).skip(1);
        pieces.map(|piece| piece.split('"').next().unwrap().parse::<f64>().unwrap() / 100.0 / 25.4 * 72.0).collect()
    };
    // 7 points for ticks in print; on a screen 9 points, which are 12 pixels.
    let is_on_screen = [Screen::Wide, Screen::Narrow].iter().any(|screen| screen.px() * MM_PER_PX == figure.width_mm);
    let range = if is_on_screen { 8.99..=11.26 } else { 6.99..=9.01 };
    let sizes = values("font-size");
    assert!(sizes.iter().all(|pt| range.contains(pt)), "{}: text of {sizes:?} pt", figure.name);
    let widths = values("stroke-width");
    assert!(widths.iter().all(|&pt| pt >= 0.3), "{}: lines of {widths:?} pt", figure.name);
}

fn nothing_leaves_the_sheet(figure: &Figure) {
    let tree = figure.tree().unwrap();
    assert!((f64::from(tree.size().width()) * MM_PER_PX - figure.width_mm).abs() < 0.1);
    let ink = tree.root().abs_stroke_bounding_box();
    let edges = [ink.left(), ink.top(), ink.right(), ink.bottom()].map(|px| f64::from(px) * MM_PER_PX);
    let sheet = [-0.01, -0.01, figure.width_mm + 0.01, figure.height_mm + 0.01];
    let inside = edges[0] >= sheet[0] && edges[1] >= sheet[1] && edges[2] <= sheet[2] && edges[3] <= sheet[3];
    assert!(inside, "{}: ink at {edges:?} mm on a sheet of {sheet:?}", figure.name);
}

fn no_text_touches_another(figure: &Figure) {
    let boxes = text_boxes(figure);
    for (index, a) in boxes.iter().enumerate() {
        for b in &boxes[index + 1..] {
            let apart = a.right() < b.left || b.right() < a.left || a.bottom() < b.top || b.bottom() < a.top;
            assert!(apart, "{} ({} mm wide): texts at {a:?} and {b:?} touch", figure.name, figure.width_mm);
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
