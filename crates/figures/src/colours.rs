//! The colours of figures.

use plotters::style::RGBColor;

pub(super) const INK: RGBColor = RGBColor(0, 0, 0);
pub(super) const SOFT_INK: RGBColor = RGBColor(89, 89, 89);
pub(super) const PALE: RGBColor = RGBColor(217, 217, 217);
pub(super) const WHITE: RGBColor = RGBColor(255, 255, 255);
pub(super) const BLUE: RGBColor = RGBColor(0, 114, 178);
pub(super) const SKY: RGBColor = RGBColor(86, 180, 233);
pub(super) const ORANGE: RGBColor = RGBColor(230, 159, 0);
pub(super) const GREEN: RGBColor = RGBColor(0, 158, 115);
pub(super) const YELLOW: RGBColor = RGBColor(240, 228, 66);
pub(super) const VERMILION: RGBColor = RGBColor(213, 94, 0);
pub(super) const PURPLE: RGBColor = RGBColor(204, 121, 167);
/// Colours that readers with any colour vision can distinguish (Okabe and Ito, 2008), in order of use.
pub(super) const OKABE_ITO: [RGBColor; 7] = [BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, INK];

/// A colour of viridis (van der Walt and Smith, 2015) for a share between 0 (dark) and 1 (bright),
/// from eleven of its values.
pub(super) fn viridis(share: f64) -> RGBColor {
    const STOPS: [(u8, u8, u8); 11] = [
        (68, 1, 84),
        (72, 36, 117),
        (65, 68, 135),
        (53, 95, 141),
        (42, 120, 142),
        (33, 145, 140),
        (34, 168, 132),
        (68, 191, 112),
        (122, 209, 81),
        (189, 223, 38),
        (253, 231, 37),
    ];
    let position = if share.is_finite() { share.clamp(0.0, 1.0) * 10.0 } else { 0.0 };
    let below = (position.floor() as usize).min(9);
    let part = position - below as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    let (a, b) = (STOPS[below], STOPS[below + 1]);
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// A colour between blue (-1), white (0) and vermilion (1), for values whose sign matters.
pub(super) fn diverging(value: f64) -> RGBColor {
    let (end, part) = if value < 0.0 { (BLUE, -value) } else { (VERMILION, value) };
    let part = if part.is_finite() { part.min(1.0) } else { 0.0 };
    let mix = |end: u8| (255.0 - part * (255.0 - f64::from(end))).round() as u8;
    RGBColor(mix(end.0), mix(end.1), mix(end.2))
}

/// Relative luminance of an sRGB colour, 0 for black to 1 for white (WCAG 2.1, 2018).
pub(super) fn luminance(colour: RGBColor) -> f64 {
    0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2)
}

/// A channel of sRGB as linear light, 0 to 1.
fn linear(part: u8) -> f64 {
    let share = f64::from(part) / 255.0;
    if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}

/// Black or white, whichever stands out more: of the greater contrast ratio (L1 + 0.05) / (L2 + 0.05) of the WCAG 2.1.
pub(super) fn readable_on(ground: RGBColor) -> RGBColor {
    let luminance = luminance(ground);
    if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 { WHITE } else { INK }
}
