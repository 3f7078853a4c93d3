//! Axes: what range they span, where their ticks stand, and how they are drawn.

use super::ChartError;
use super::label::Label;
use super::sheet::{INK, Number, Pen, Rect, SOFT_INK, Sheet, TextStyle, Translated, grouped};

/// Mapping of values to places on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Linear,
    /// Logarithmic; values must be positive.
    Log,
    /// Logarithmic, of ratios, which are labelled as `×½`, `×1` and `×2`.
    Ratio,
}

/// One axis: its title, its range, and the ticks that fit its length.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub title: Label,
    pub scale: Scale,
    /// Least and greatest value, in units of the data.
    pub low: f64,
    pub high: f64,
    /// `true` if only whole numbers may be labelled.
    pub whole: bool,
}

impl Axis {
    /// An axis that shows all of the values with some room at its ends. A linear axis of values that
    /// are not far from 0 starts there. Values that the scale cannot show are passed over.
    pub fn around(title: impl Into<Label>, scale: Scale, whole: bool, values: impl Iterator<Item = f64>) -> Self {
        let shown = values.filter(|&value| scale.shows(value));
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = match (scale, low <= high) {
            (_, false) => (1.0, 10.0),
            (Scale::Log | Scale::Ratio, _) => {
                let room = 1.12_f64.max((high / low).powf(0.05));
                (low / room, high * room)
            }
            (Scale::Linear, _) if low >= 0.0 && low < 0.5 * high => (0.0, high * 1.05),
            (Scale::Linear, _) => {
                // Around one whole number, no other one has a place: it is the one that is labelled.
                let room = match (high > low, whole) {
                    (true, _) => 0.05 * (high - low),
                    (false, true) => 0.5,
                    (false, false) => 0.5_f64.max(0.05 * high.abs()),
                };
                (low - room, high + room)
            }
        };
        Self { title: title.into(), scale, low, high, whole }
    }

    /// An axis of a given range.
    pub fn fixed(title: impl Into<Label>, low: f64, high: f64, whole: bool) -> Self {
        Self { title: title.into(), scale: Scale::Linear, low, high, whole }
    }

    /// Place of a value between the start (0) and the end (1) of the axis.
    pub fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log | Scale::Ratio => (value / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// `true` if the value lies on the axis.
    pub fn holds(&self, value: f64) -> bool {
        self.scale.shows(value) && value >= self.low && value <= self.high
    }

    /// The labelled ticks, as many as fit `length_mm` without touching.
    pub fn ticks(
        &self,
        length_mm: f64,
        font: &TextStyle,
        vertical: bool,
    ) -> Result<Vec<(f64, Translated)>, ChartError> {
        let mut last = Vec::new();
        for values in self.tick_choices() {
            let ticks: Vec<(f64, Translated)> =
                values.iter().map(|&value| (value, font.translate(&Number::new(self.scale.label(value))))).collect();
            if self.fits(&ticks, length_mm, font, vertical)? {
                return Ok(ticks);
            }
            last = ticks;
        }
        // Nothing fits: the ends of the coarsest choice tell at least the range.
        last.truncate(1);
        Ok(last)
    }

    /// Lengths by which the first and the last label of a horizontal axis reach beyond its ends, in millimetres.
    pub fn overhang(&self, length_mm: f64, font: &TextStyle) -> Result<(f64, f64), ChartError> {
        let (mut before, mut behind) = (0.0_f64, 0.0_f64);
        for (value, text) in self.ticks(length_mm, font, false)? {
            let (half, place) = (font.width_of(&text)? / 2.0, self.share(value) * length_mm);
            before = before.max(half - place);
            behind = behind.max(place + half - length_mm);
        }
        Ok((before, behind))
    }

    /// Ticks without a label: the steps of each decade where there are few decades, else the decades.
    pub fn minor_ticks(&self) -> Vec<f64> {
        let steps = match (self.scale, (self.high / self.low).log10()) {
            (Scale::Linear | Scale::Ratio, _) => return Vec::new(),
            (Scale::Log, decades) if decades <= 4.5 => 1..10,
            // Beyond that many, decades would be a grey bar.
            (Scale::Log, decades) if decades <= 20.0 => 1..2,
            (Scale::Log, _) => return Vec::new(),
        };
        self.decades()
            .flat_map(|decade| steps.clone().map(move |step| f64::from(step) * decade))
            .filter(|&v| self.holds(v))
            .collect()
    }

    fn decades(&self) -> impl Iterator<Item = f64> + use<> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        (first..=last).map(|power| 10_f64.powi(power))
    }

    /// Sets of tick values, from the densest to the coarsest.
    fn tick_choices(&self) -> Vec<Vec<f64>> {
        let mut choices = Vec::new();
        if self.scale == Scale::Log {
            let decades: Vec<f64> = self.decades().collect();
            for steps in [&[1.0, 2.0, 5.0][..], &[1.0, 3.0][..], &[1.0][..]] {
                choices.push(decades.iter().flat_map(|decade| steps.iter().map(move |step| step * decade)).collect());
            }
            for stride in 2..8 {
                choices.extend((0..stride).map(|first| decades.iter().copied().skip(first).step_by(stride).collect()));
            }
        }
        if self.scale == Scale::Ratio {
            // Doublings and halvings with the steps between them, then fewer of them.
            let powers: Vec<i32> = (self.low.log2().floor() as i32..=self.high.log2().ceil() as i32).collect();
            let between = powers.iter().flat_map(|&power| [1.0, 1.5].map(|step| step * 2_f64.powi(power)));
            let between: Vec<f64> = between.collect();
            let mut denser: Vec<f64> = between.iter().copied().chain([1.25]).collect();
            denser.sort_by(f64::total_cmp);
            choices.extend([denser, between]);
            for stride in [1, 2, 4, 8] {
                let powers = powers.iter().filter(|&&power| power % stride == 0);
                choices.push(powers.map(|&power| 2_f64.powi(power)).collect());
            }
        }
        let is_short = self.scale == Scale::Linear || self.high / self.low < 6.0;
        if self.scale == Scale::Ratio && is_short {
            // Close to 1, tenths say more than halves and doubles.
            choices.retain(|values| values.iter().filter(|&&value| self.holds(value)).count() > 2);
        }
        // A logarithmic axis within one decade is labelled as a linear one.
        if is_short {
            let power = ((self.high - self.low) / 10.0).log10().floor() as i32;
            let steps = (power..=power + 3).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)));
            choices.extend(steps.filter(|&step| step >= 1.0 || !self.whole).map(|step| self.multiples(step)));
        }
        choices.iter_mut().for_each(|values| values.retain(|&value| self.holds(value)));
        // One tick tells a range only where there is none of two, as on an axis of equal values.
        let least = choices.iter().map(Vec::len).max().unwrap_or(0).min(2);
        choices.retain(|values| !values.is_empty() && values.len() >= least);
        choices
    }

    fn multiples(&self, step: f64) -> Vec<f64> {
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        if last - first > 100 {
            return Vec::new();
        }
        // A step below 1 is divided by: 3 / 10 prints as 0.3, 3 × 0.1 does not.
        (first..=last).map(|n| if step < 1.0 { n as f64 / (1.0 / step).round() } else { n as f64 * step }).collect()
    }

    fn fits(
        &self,
        ticks: &[(f64, Translated)],
        length: f64,
        font: &TextStyle,
        vertical: bool,
    ) -> Result<bool, ChartError> {
        if ticks.len() > 10 {
            return Ok(false);
        }
        for pair in ticks.windows(2) {
            let distance = (self.share(pair[1].0) - self.share(pair[0].0)) * length;
            let needed = match vertical {
                true => 1.5 * font.em_mm(),
                false => (font.width_of(&pair[0].1)? + font.width_of(&pair[1].1)?) / 2.0 + 0.7 * font.em_mm(),
            };
            if distance < needed {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Scale {
    pub fn new(log: bool) -> Self {
        if log { Self::Log } else { Self::Linear }
    }

    /// `true` if a value has a place on such a scale.
    pub fn shows(self, value: f64) -> bool {
        value.is_finite() && (self == Self::Linear || value > 0.0)
    }

    /// A value as a tick label.
    fn label(self, value: f64) -> String {
        const FRACTIONS: [(f64, &str); 5] = [(0.125, "⅛"), (0.25, "¼"), (0.375, "⅜"), (0.5, "½"), (0.75, "¾")];
        if self != Self::Ratio {
            return label(value);
        }
        let fraction = FRACTIONS.iter().find(|(share, _)| *share == value);
        format!("×{}", fraction.map_or_else(|| label(value), |(_, text)| (*text).to_owned()))
    }
}

/// The greatest value that an axis has labels for; its inverse is the least on a logarithmic axis.
const REACH: f64 = 1e15;

/// `true` if no finite value is too great, or on a logarithmic axis too small, for the labels of an axis.
pub(super) fn within_reach(scale: Scale, mut values: impl Iterator<Item = f64>) -> Result<(), String> {
    let is_beyond = |&value: &f64| {
        value.is_finite() && (value.abs() > REACH || (scale != Scale::Linear && value > 0.0 && value < 1.0 / REACH))
    };
    let fault = |value| format!("the value {value:e} is beyond the reach of an axis, {REACH:e}: choose another unit");
    values.find(is_beyond).map_or(Ok(()), |value| Err(fault(value)))
}

/// `true` if the ends of an interval rise and are finite.
pub(super) fn rises(&(low, high): &(f64, f64)) -> bool {
    low.is_finite() && high.is_finite() && low <= high
}

/// A value as a tick label.
pub(super) fn label(value: f64) -> String {
    if value.abs() >= 1.0 && value == value.round() && value.abs() < 1e9 {
        format!("{}{}", if value < 0.0 { "−" } else { "" }, grouped(value.abs() as u64))
    } else {
        let rounded = (value * 1e6).round() / 1e6;
        rounded.to_string().replace('-', "−")
    }
}

/// Length of a labelled tick in millimetres.
pub(super) const TICK_MM: f64 = 0.9;

/// A rectangle with two axes.
pub(super) struct Plot {
    pub place: Rect,
    pub x: Axis,
    pub y: Axis,
}

impl Plot {
    /// Place of a datum on the sheet.
    pub fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (
            self.place.left + self.x.share(x) * self.place.width,
            self.place.bottom() - self.y.share(y) * self.place.height,
        )
    }

    /// `true` if both axes hold the datum.
    pub fn holds(&self, x: f64, y: f64) -> bool {
        self.x.holds(x) && self.y.holds(y)
    }

    /// Room that the labels of the vertical axis need left of it, in millimetres.
    pub fn left_mm(y: &Axis, height: f64, font: &TextStyle) -> Result<f64, ChartError> {
        let mut widest: f64 = 0.0;
        for (_, text) in y.ticks(height, font, true)? {
            widest = widest.max(font.width_of(&text)?);
        }
        Ok(widest + TICK_MM + 0.7)
    }

    /// Room that tick marks and labels need below the horizontal axis, in millimetres.
    pub fn below_mm(font: &TextStyle) -> f64 {
        TICK_MM + 0.5 + font.em_mm()
    }

    /// Draws both axes; labels only where wanted.
    pub fn draw_axes(&self, sheet: &Sheet, x_labels: bool, y_labels: bool) -> Result<(), ChartError> {
        self.draw_frame(sheet)?;
        self.draw_x_ticks(sheet, x_labels)?;
        self.draw_y_ticks(sheet, y_labels)
    }

    /// Draws the lines of both axes without ticks.
    pub fn draw_frame(&self, sheet: &Sheet) -> Result<(), ChartError> {
        let Rect { left, top, .. } = self.place;
        let (right, bottom) = (self.place.right(), self.place.bottom());
        sheet.line(&[(left, top), (left, bottom), (right, bottom)], Pen::new(INK, 0.5))
    }

    /// Draws the ticks of the horizontal axis; labels only where wanted.
    pub fn draw_x_ticks(&self, sheet: &Sheet, labels: bool) -> Result<(), ChartError> {
        let (pen, font) = (Pen::new(INK, 0.5), sheet.style.small());
        let (left, bottom) = (self.place.left, self.place.bottom());
        for value in self.x.minor_ticks() {
            let x = left + self.x.share(value) * self.place.width;
            sheet.line(&[(x, bottom), (x, bottom + TICK_MM / 2.0)], Pen::new(INK, 0.3))?;
        }
        for (value, text) in self.x.ticks(self.place.width, &font, false)? {
            let x = left + self.x.share(value) * self.place.width;
            sheet.line(&[(x, bottom), (x, bottom + TICK_MM)], pen)?;
            if labels {
                sheet.text(x, bottom + TICK_MM + 0.4 + 0.75 * font.em_mm(), &text, font.centre())?;
            }
        }
        Ok(())
    }

    /// Draws the ticks of the vertical axis; labels only where wanted.
    pub fn draw_y_ticks(&self, sheet: &Sheet, labels: bool) -> Result<(), ChartError> {
        let (pen, font) = (Pen::new(INK, 0.5), sheet.style.small());
        let (left, bottom) = (self.place.left, self.place.bottom());
        for value in self.y.minor_ticks() {
            let y = bottom - self.y.share(value) * self.place.height;
            sheet.line(&[(left, y), (left - TICK_MM / 2.0, y)], Pen::new(INK, 0.3))?;
        }
        for (value, text) in self.y.ticks(self.place.height, &font, true)? {
            let y = bottom - self.y.share(value) * self.place.height;
            sheet.line(&[(left, y), (left - TICK_MM, y)], pen)?;
            if labels {
                sheet.text(left - TICK_MM - 0.5, y + font.half_cap_mm(), &text, font.right())?;
            }
        }
        Ok(())
    }

    /// Draws the title of the horizontal axis at the bottom of the body: below the plot where it fits; a longer one may
    /// reach below what stands left of it.
    pub fn draw_x_title(&self, sheet: &Sheet, body: Rect) -> Result<(), ChartError> {
        let font = sheet.style.label().centre().colour(SOFT_INK);
        let title = font.cut(&self.x.title, body.width)?;
        let half = font.width_of(&title)? / 2.0;
        let middle = self.place.centre().0.min(body.right() - half).max(body.left + half);
        sheet.text(middle, body.bottom() - 0.25 * font.em_mm(), &title, font)
    }

    /// The part of a line that lies on both axes, in millimetres; pieces where it leaves them.
    pub fn clipped(&self, points: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
        let mut pieces: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
        for pair in points.windows(2) {
            let usable = pair.iter().all(|&(x, y)| self.x.scale.shows(x) && self.y.scale.shows(y));
            let segment = usable.then(|| self.place.cut(self.at(pair[0].0, pair[0].1), self.at(pair[1].0, pair[1].1)));
            let Some(Some((from, to))) = segment else {
                pieces.push(Vec::new());
                continue;
            };
            match pieces.last_mut() {
                Some(piece) if piece.is_empty() => piece.extend([from, to]),
                Some(piece) if piece.last() == Some(&from) => piece.push(to),
                _ => pieces.push(vec![from, to]),
            }
        }
        pieces.retain(|piece| piece.len() > 1);
        pieces
    }

    /// The horizontal axis' title below `bottom`, the vertical one's right of `left`.
    pub fn axis_titles(
        sheet: &Sheet,
        x: &Axis,
        y: &Axis,
        around: Rect,
        left: f64,
        bottom: f64,
    ) -> Result<(), ChartError> {
        let font = sheet.style.label().colour(SOFT_INK).centre();
        let (middle_x, middle_y) = around.centre();
        sheet.text(middle_x, bottom - 0.25 * font.em_mm(), &font.cut(&x.title, around.width + 8.0)?, font)?;
        sheet.text(left + 0.78 * font.em_mm(), middle_y, &font.cut(&y.title, around.height + 4.0)?, font.upwards())
    }
}

impl Rect {
    /// The part of a segment inside the rectangle (Liang and Barsky, 1984).
    fn cut(&self, from: (f64, f64), to: (f64, f64)) -> Option<((f64, f64), (f64, f64))> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let sides = [
            (-dx, from.0 - self.left),
            (dx, self.right() - from.0),
            (-dy, from.1 - self.top),
            (dy, self.bottom() - from.1),
        ];
        for (step, room) in sides {
            // Half a hundredth of a millimetre forgives rounding at the edge.
            if step == 0.0 && room < -0.005 {
                return None;
            } else if step < 0.0 {
                enter = enter.max((room + 0.005) / step);
            } else if step > 0.0 {
                leave = leave.min((room + 0.005) / step);
            }
        }
        let at = |t: f64| {
            if t == 0.0 {
                from
            } else if t == 1.0 {
                to
            } else {
                (from.0 + t * dx, from.1 + t * dy)
            }
        };
        (enter <= leave).then(|| (at(enter), at(leave)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, length: f64) -> Vec<String> {
        axis.ticks(length, &TextStyle::new(6.0), false).unwrap().into_iter().map(|(_, text)| text.to_string()).collect()
    }

    #[test]
    fn ticks_are_round_and_as_dense_as_the_axis_allows() {
        let log = Axis::around("", Scale::Log, false, [1.5, 1800.0].into_iter());
        assert_eq!(labels(&log, 100.0), ["2", "5", "10", "20", "50", "100", "200", "500", "1,000", "2,000"]);
        assert_eq!(labels(&log, 25.0), ["10", "100", "1,000"]);
        assert_eq!(labels(&log, 18.0), ["10", "1,000"]);
        let narrow = Axis::around("", Scale::Log, false, [22.0, 37.0].into_iter());
        assert_eq!(labels(&narrow, 40.0), ["20", "25", "30", "35", "40"]);
        let linear = Axis::around("", Scale::Linear, true, [0.0, 2.0].into_iter());
        assert_eq!(labels(&linear, 60.0), ["0", "1", "2"]);
        let small = Axis::around("", Scale::Linear, false, [0.0, 0.3].into_iter());
        assert_eq!(labels(&small, 25.0), ["0", "0.1", "0.2", "0.3"]);
    }

    #[test]
    fn ratios_are_labelled_as_factors() {
        let ratio = |low: f64, high: f64| Axis::around("", Scale::Ratio, false, [low, high].into_iter());
        assert_eq!(labels(&ratio(0.3, 2.2), 60.0), ["×⅜", "×½", "×¾", "×1", "×1.5", "×2"]);
        assert_eq!(labels(&ratio(0.45, 1.3), 60.0), ["×½", "×¾", "×1", "×1.25"]);
        assert_eq!(labels(&ratio(0.05, 30.0), 60.0), ["×0.0625", "×¼", "×1", "×4", "×16"]);
        assert_eq!(labels(&ratio(0.85, 1.2), 40.0), ["×0.8", "×1", "×1.2"]);
    }

    #[test]
    fn decades_without_a_label_have_a_tick() {
        let minor =
            |high: f64| Axis { title: Label::none(), scale: Scale::Log, low: 1.0, high, whole: false }.minor_ticks();
        assert_eq!(minor(30.0), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 20.0, 30.0]);
        assert_eq!(minor(2e5), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5]);
        assert!(minor(1e30).is_empty());
    }

    #[test]
    fn equal_and_absent_values_still_make_an_axis() {
        for scale in [Scale::Linear, Scale::Log] {
            for values in [vec![7.0, 7.0], vec![], vec![f64::NAN], vec![0.0, -3.0]] {
                let axis = Axis::around("", scale, false, values.iter().copied());
                assert!(axis.low < axis.high, "{scale:?} {values:?}");
                assert!(!labels(&axis, 40.0).is_empty(), "{scale:?} {values:?}");
            }
        }
    }

    #[test]
    fn an_axis_of_equal_values_shows_the_one() {
        for value in [0.0, 1.0, 7.0, 100.0, 1_023.0] {
            let axis = Axis::around("", Scale::Linear, true, [value, value].into_iter());
            assert!(labels(&axis, 40.0).contains(&label(value)), "{value}: {:?}", labels(&axis, 40.0));
        }
        let log = Axis::around("", Scale::Log, true, [7.0].into_iter());
        assert_eq!(labels(&log, 40.0), ["7"]);
    }

    #[test]
    fn values_without_labels_are_found() {
        let checked = |scale, value| within_reach(scale, [1.0, f64::NAN, value].into_iter());
        assert!(checked(Scale::Linear, -1e300).unwrap_err().contains("the value -1e300"));
        assert!(checked(Scale::Log, 1e-300).unwrap_err().contains("the value 1e-300"));
        for (scale, value) in [(Scale::Linear, 1e-300), (Scale::Linear, 1e15), (Scale::Log, 0.0), (Scale::Log, -5.0)] {
            assert_eq!(checked(scale, value), Ok(()), "{scale:?} {value}");
        }
    }

    #[test]
    fn lines_are_cut_at_the_frame() {
        let place = Rect { left: 0.0, top: 0.0, width: 10.0, height: 10.0 };
        let plot = Plot {
            place,
            x: Axis::fixed(Label::none(), 0.0, 10.0, false),
            y: Axis::fixed(Label::none(), 0.0, 10.0, false),
        };
        let pieces = plot.clipped(&[(5.0, 5.0), (15.0, 5.0), (15.0, 8.0), (5.0, 8.0)]);
        assert_eq!(pieces.len(), 2, "{pieces:?}");
        assert!(pieces.iter().flatten().all(|&(x, _)| x <= 10.01));
    }
}
