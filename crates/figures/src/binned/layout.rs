//! Places of bins on a page, heights of its three parts, and their drawing.

use super::input::{Bin, Binned, Span};
use crate::message::Message;
use plotters::style::RGBColor;

use crate::axis::{Axis, Plot, TICK_MM};
use crate::quality::colour_of;
use crate::sheet::{INK, Number, Pen, Rect, SOFT_INK, Sheet, TextStyle, Translated, WHITE, grouped};
use crate::{ChartError, Style};

/// Colour and strength of the band of the quartiles.
pub(super) const BAND: (RGBColor, f64) = (SOFT_INK, 0.25);

/// The longest gap, in numbers, that is drawn to scale.
const LONGEST_GAP: i64 = 3;
/// Greatest width of a column in millimetres.
const COLUMN_MM: f64 = 9.0;
/// Height of the bars that stand for n, in millimetres.
const BARS_EM: f64 = 4.4;
/// The greatest width of what stands before numbers of moves, in millimetres.
const LABEL_MM: f64 = 16.0;
/// Space between the parts in millimetres.
const GAP_MM: f64 = 2.0;

/// The numbers of a bin as text.
pub(super) fn name((low, high): Span) -> String {
    let text = |number: i64| format!("{}{}", if number < 0 { "−" } else { "" }, grouped(number.unsigned_abs()));
    if low == high { text(low) } else { format!("{}–{}", text(low), text(high)) }
}

/// One place on the horizontal axis; absent where it is free.
type Place<'a> = Option<(Span, Option<&'a Bin>)>;

/// The bins of a page and the free places between them.
pub(super) struct Slots<'a> {
    places: Vec<Place<'a>>,
    /// The middle of each free place that stands for a longer gap, counted in places from the left.
    pub breaks: Vec<f64>,
}

impl<'a> Slots<'a> {
    /// Places for bins of these numbers, of which some may be missing among `bins`.
    pub fn new(spans: &[Span], bins: &'a [Bin]) -> Self {
        let (mut places, mut breaks) = (Vec::with_capacity(spans.len()), Vec::new());
        let mut last: Option<Span> = None;
        for &(low, high) in spans {
            let gap = last.map_or(0, |last| low.saturating_sub(last.1).saturating_sub(1));
            let single = low == high && last.is_some_and(|last| last.0 == last.1);
            let free = if single && gap <= LONGEST_GAP { gap } else { gap.min(1) };
            if free < gap {
                breaks.push(places.len() as f64 + 0.5);
            }
            places.extend((0..free).map(|_| None));
            places.push(Some(((low, high), bins.iter().find(|bin| low <= bin.low && bin.high <= high))));
            last = Some((low, high));
        }
        Self { places, breaks }
    }

    /// The bins that there are.
    pub fn bins(&self) -> impl Iterator<Item = &'a Bin> {
        self.places.iter().flatten().filter_map(|(_, bin)| *bin)
    }

    /// The places of bins, with their middle, counted in places from the left.
    fn spans(&self) -> impl Iterator<Item = (f64, Span)> {
        self.places.iter().enumerate().filter_map(|(index, place)| Some((index as f64 + 0.5, (*place)?.0)))
    }

    /// The bins with the middle of their places, counted in places from the left.
    fn placed(&self) -> impl Iterator<Item = (f64, &'a Bin)> {
        self.places.iter().enumerate().filter_map(|(index, place)| Some((index as f64 + 0.5, (*place)?.1?)))
    }

    /// Places that are named so that no two names touch: all, or those of round numbers, or every so many; and always
    /// the first one behind a gap that is not to scale.
    fn named(&self, pitch_mm: f64, font: &TextStyle) -> Result<Vec<(f64, Number)>, ChartError> {
        let all: Vec<(f64, Span)> = self.spans().collect();
        let are_single = all.iter().all(|(_, span)| span.0 == span.1);
        let round = [1, 2, 5, 10, 20, 50, 100].into_iter().filter(|_| are_single);
        let round = round.map(|stride| all.iter().map(|(_, span)| span.0 % stride == 0).collect::<Vec<bool>>());
        let every = (1..all.len().max(2)).map(|stride| (0..all.len()).map(|index| index % stride == 0).collect());
        for chosen in round.filter(|chosen| chosen.iter().filter(|chosen| **chosen).count() > 1).chain(every) {
            if let Some(names) = self.fitting(&all, &chosen, pitch_mm, font)? {
                return Ok(names);
            }
        }
        Ok(all.first().map(|(at, span)| (*at, Number::new(name(*span)))).into_iter().collect())
    }

    /// The chosen names and those behind shortened gaps, without chosen ones that these would touch; absent where two
    /// chosen ones or two of the others touch.
    fn fitting(
        &self,
        all: &[(f64, Span)],
        chosen: &[bool],
        pitch_mm: f64,
        font: &TextStyle,
    ) -> Result<Option<Vec<(f64, Number)>>, ChartError> {
        let is_broken = |index: usize| self.breaks.iter().any(|at| (all[index].0 - at - 1.0).abs() < 0.1);
        let named = |index: usize| (all[index].0, Number::new(name(all[index].1)));
        let broken: Vec<(f64, Number)> = (0..all.len()).filter(|&index| is_broken(index)).map(named).collect();
        let mut names: Vec<(f64, Number)> = Vec::new();
        for index in (0..all.len()).filter(|&index| chosen[index] && !is_broken(index)) {
            let label = named(index);
            let mut is_free = true;
            for other in &broken {
                let pair =
                    if other.0 < label.0 { [other.clone(), label.clone()] } else { [label.clone(), other.clone()] };
                is_free &= fits(&pair, pitch_mm, font)?;
            }
            if is_free {
                names.push(label);
            }
        }
        names.extend(broken);
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        let is_good = !names.is_empty() && fits(&names, pitch_mm, font)?;
        Ok(is_good.then_some(names))
    }
}

fn fits(names: &[(f64, Number)], pitch_mm: f64, font: &TextStyle) -> Result<bool, ChartError> {
    for pair in names.windows(2) {
        let needed = (font.width_of(&pair[0].1)? + font.width_of(&pair[1].1)?) / 2.0 + 0.6 * font.em_mm();
        if (pair[1].0 - pair[0].0) * pitch_mm < needed {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Label of the numbers of bins: all moves count, not only those with a time.
fn n_label(chart: &Binned, font: &TextStyle) -> Translated {
    Translated::as_is(format!(
        "{} {}",
        &*font.translate(&Message::Count),
        &*font.translate(&chart.counted().to_owned())
    ))
}

/// Places of neighbouring bins with their quartiles.
type Run = Vec<(f64, (f64, f64))>;

/// Form in which n is shown.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    Level,
    Upright,
    Bars,
}

/// Sizes in millimetres.
pub(super) struct Layout<'a> {
    slots: Slots<'a>,
    /// Absent where there is no time to show.
    time: Option<Axis>,
    shares: Axis,
    n: Axis,
    left_mm: f64,
    pitch_mm: f64,
    above_mm: f64,
    time_mm: f64,
    n_mm: f64,
    shares_mm: f64,
    below_mm: f64,
    numbers: Numbers,
    names: Vec<(f64, Number)>,
}

impl<'a> Layout<'a> {
    pub fn new(
        chart: &Binned,
        has_times: bool,
        slots: Slots<'a>,
        style: &Style,
        room_mm: f64,
    ) -> Result<Self, ChartError> {
        let (small, label) = (style.small(), style.label());
        let shares = Axis::fixed(&format!("share of {} (%)", chart.counted()), 0.0, 100.0, true);
        let (time, most) = (chart.time_axis(), chart.bins().map(|bin| bin.n).max().unwrap_or(0));
        let n = Axis::fixed(Message::Count, 0.0, most.max(1) as f64 * 1.02, true);
        let above_mm = 0.5 * small.em_mm();
        let below_mm = Plot::below_mm(&small) + 1.3 * label.em_mm();
        let width = style.width_mm - 2.0 * crate::sheet::MARGIN;
        let (time_mm, shares_mm) = ((0.4 * width).min(55.0), (0.3 * width).min(42.0));
        let time_mm = if has_times { time_mm } else { 0.0 };
        // The title beside it must not be cut.
        let shares_mm = shares_mm.max(label.width_of(&shares.title)? - 2.5);
        // Pages of groups have their places in common, whether or not one of them has times.
        let mut left_mm =
            Plot::left_mm(&time, time_mm.max(10.0), &small)?.max(Plot::left_mm(&shares, shares_mm, &small)?);
        left_mm = left_mm.max(Plot::left_mm(&n, BARS_EM * label.em_mm(), &small)?) + 1.3 * label.em_mm();
        let n_label = n_label(chart, &label);
        left_mm = left_mm.max(label.width_of(&n_label)?.min(LABEL_MM) + 0.8);
        let count = slots.places.len().max(1);
        let mut pitch_mm = (width - left_mm) / count as f64;
        // The last name must not leave the page.
        let names = slots.named(pitch_mm, &small)?;
        if let Some((at, name)) = names.last() {
            let beyond = (*at * pitch_mm + small.width_of(name)? / 2.0 - (width - left_mm)).max(0.0);
            pitch_mm -= beyond / count as f64;
        }
        let names = slots.named(pitch_mm, &small)?;
        let widest = small.width_of(&Number::count(most))?;
        let (numbers, n_mm) = match () {
            () if widest + 0.6 * small.em_mm() <= pitch_mm => (Numbers::Level, small.em_mm()),
            () if 1.08 * small.em_mm() <= pitch_mm => (Numbers::Upright, widest + 0.6),
            () => (Numbers::Bars, BARS_EM * label.em_mm()),
        };
        let fixed = above_mm + n_mm + if has_times { 2.0 } else { 1.0 } * GAP_MM + below_mm;
        let share = ((room_mm - fixed) / (time_mm + shares_mm)).min(1.0);
        let (time_mm, shares_mm) = (share * time_mm, share * shares_mm);
        Ok(Self {
            slots,
            time: has_times.then_some(time),
            shares,
            n,
            left_mm,
            pitch_mm,
            above_mm,
            time_mm,
            n_mm,
            shares_mm,
            below_mm,
            numbers,
            names,
        })
    }

    pub fn height_mm(&self) -> f64 {
        let gaps = if self.time.is_some() { 2.0 } else { 1.0 };
        self.above_mm + self.time_mm + self.n_mm + self.shares_mm + gaps * GAP_MM + self.below_mm
    }

    pub fn draw(&self, sheet: &Sheet, body: Rect, chart: &Binned) -> Result<(), ChartError> {
        let x = Axis::fixed(&chart.x_title, 0.0, self.slots.places.len() as f64, true);
        let (left, width) = (body.left + self.left_mm, self.pitch_mm * self.slots.places.len() as f64);
        let plot = |top: f64, height: f64, y: &Axis| Plot {
            place: Rect { left, top, width, height },
            x: x.clone(),
            y: y.clone(),
        };
        let time = self.time.as_ref().map(|axis| plot(body.top + self.above_mm, self.time_mm, axis));
        let n_top = time.as_ref().map_or(body.top + self.above_mm, |time| time.place.bottom() + GAP_MM);
        let n = plot(n_top, self.n_mm, &self.n);
        let shares = plot(n.place.bottom() + GAP_MM, self.shares_mm, &self.shares);
        time.iter().try_for_each(|time| self.draw_times(sheet, time))?;
        self.draw_n(sheet, &n)?;
        self.draw_shares(sheet, &shares, chart)?;
        for plot in time.iter().chain([&shares]) {
            plot.draw_frame(sheet)?;
            plot.draw_y_ticks(sheet, true)?;
            self.draw_ticks(sheet, plot.place)?;
            self.draw_breaks(sheet, plot.place)?;
        }
        self.draw_names(sheet, shares.place)?;
        let font = sheet.style.label().colour(SOFT_INK).centre();
        for plot in time.iter().chain([&shares]) {
            let title = font.cut(&plot.y.title, plot.place.height + 3.0)?;
            sheet.text(body.left + 0.78 * font.em_mm(), plot.place.centre().1, &title, font.upwards())?;
        }
        let label = sheet.style.label().colour(SOFT_INK);
        match self.numbers {
            // Beside the labels of its axis there is room for a turned title only.
            Numbers::Bars => {
                let title = label.cut(&n_label(chart, &label), n.place.height + 0.8)?;
                let x = body.left + 0.78 * font.em_mm();
                sheet.text(x, n.place.centre().1, &title, label.centre().upwards())?;
            }
            _ => {
                let title = label.cut(&n_label(chart, &label), self.left_mm - 0.7)?;
                sheet.text(body.left, n.place.centre().1 + label.half_cap_mm(), &title, label)?;
            }
        }
        shares.draw_x_title(sheet, body)
    }

    fn column_mm(&self) -> f64 {
        let share = if self.pitch_mm < 1.5 { 0.9 } else { 0.84 };
        (share * self.pitch_mm).min(COLUMN_MM)
    }

    fn draw_times(&self, sheet: &Sheet, plot: &Plot) -> Result<(), ChartError> {
        let y = &plot.y;
        let runs = self.runs(y);
        let clamped = |x: f64, value: f64| plot.at(x, if y.scale.shows(value) { value } else { y.low });
        let half = self.column_mm() / self.pitch_mm / 2.0;
        for run in runs {
            let mut low = Vec::new();
            let mut high = Vec::new();
            for (index, &(at, (p25, p75))) in run.iter().enumerate() {
                // The band begins and ends with the columns at its ends.
                let first = (index == 0).then_some(at - half);
                let last = (index + 1 == run.len()).then_some(at + half);
                for x in first.into_iter().chain([at]).chain(last) {
                    low.push(clamped(x, p25));
                    high.push(clamped(x, p75));
                }
            }
            let field: Vec<(f64, f64)> = low.into_iter().chain(high.into_iter().rev()).collect();
            sheet.fill(&field, BAND.0, BAND.1)?;
        }
        let radius = (0.3 * self.pitch_mm).clamp(0.4, 0.75);
        for (at, bin) in self.slots.placed() {
            let Some(median) = bin.median.filter(|&median| y.holds(median)) else {
                continue;
            };
            if let Some((low, high)) = bin.interval {
                sheet.line(&[clamped(at, low), clamped(at, high)], Pen::new(INK, 0.9))?;
            }
            sheet.disc(plot.at(at, median), radius + 0.15, WHITE, 1.0)?;
            sheet.disc(plot.at(at, median), radius, INK, 1.0)?;
        }
        Ok(())
    }

    /// Neighbouring bins that have quartiles with a place on the axis.
    fn runs(&self, time: &Axis) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for (at, bin) in self.slots.placed() {
            let Some(quartiles) = bin.quartiles.filter(|(_, high)| time.scale.shows(*high)) else {
                continue;
            };
            match runs.last_mut() {
                Some(run) if run.last().is_some_and(|last| at - last.0 < 1.5) => run.push((at, quartiles)),
                _ => runs.push(vec![(at, quartiles)]),
            }
        }
        runs
    }

    fn draw_n(&self, sheet: &Sheet, plot: &Plot) -> Result<(), ChartError> {
        let font = sheet.style.small();
        let half = self.column_mm() / self.pitch_mm / 2.0;
        for (at, bin) in self.slots.placed() {
            let (x, y) = (plot.at(at, 0.0).0, plot.place.centre().1);
            match self.numbers {
                Numbers::Level => sheet.text(x, y + font.half_cap_mm(), &Number::count(bin.n), font.centre())?,
                Numbers::Upright => {
                    sheet.text(x + font.half_cap_mm(), y, &Number::count(bin.n), font.centre().upwards())?;
                }
                Numbers::Bars => {
                    let ((left, bottom), (right, top)) = (plot.at(at - half, 0.0), plot.at(at + half, bin.n as f64));
                    sheet.fill(&[(left, bottom), (left, top), (right, top), (right, bottom)], SOFT_INK, 0.6)?;
                }
            }
        }
        if self.numbers == Numbers::Bars {
            plot.draw_frame(sheet)?;
            plot.draw_y_ticks(sheet, true)?;
        }
        Ok(())
    }

    fn draw_shares(&self, sheet: &Sheet, plot: &Plot, chart: &Binned) -> Result<(), ChartError> {
        let half = self.column_mm() / self.pitch_mm / 2.0;
        for (at, bin) in self.slots.placed() {
            let total = total(bin);
            let mut before = 0_u128;
            for quality in (0..bin.counts.len()).filter(|&quality| bin.counts[quality] > 0) {
                let after = before + u128::from(bin.counts[quality]);
                let place = |x: f64, cases: u128| plot.at(x, 100.0 * cases as f64 / total as f64);
                let ((left, bottom), (right, top)) = (place(at - half, before), place(at + half, after));
                let colour = colour_of(&chart.qualities[quality], quality);
                sheet.fill(&[(left, bottom), (left, top), (right, top), (right, bottom)], colour, 1.0)?;
                if before > 0 {
                    // White between neighbours keeps them apart in a grey print too.
                    sheet.line(&[(left, bottom), (right, bottom)], Pen::new(WHITE, 0.4))?;
                }
                before = after;
            }
        }
        Ok(())
    }

    fn draw_ticks(&self, sheet: &Sheet, place: Rect) -> Result<(), ChartError> {
        for (at, _) in &self.names {
            let x = place.left + at * self.pitch_mm;
            sheet.line(&[(x, place.bottom()), (x, place.bottom() + TICK_MM)], Pen::new(INK, 0.5))?;
        }
        Ok(())
    }

    /// Interrupts the axis where a gap is not to scale.
    fn draw_breaks(&self, sheet: &Sheet, place: Rect) -> Result<(), ChartError> {
        let y = place.bottom();
        for at in &self.slots.breaks {
            let x = place.left + at * self.pitch_mm;
            let half = (0.3 * self.pitch_mm).clamp(0.25, 0.5);
            sheet.line(&[(x - half, y), (x + half, y)], Pen::new(WHITE, 1.2))?;
            for x in [x - half, x + half] {
                sheet.line(&[(x - 0.3, y + 0.7), (x + 0.3, y - 0.7)], Pen::new(INK, 0.4))?;
            }
        }
        Ok(())
    }

    fn draw_names(&self, sheet: &Sheet, place: Rect) -> Result<(), ChartError> {
        let font = sheet.style.small().centre();
        for (at, name) in &self.names {
            let (x, base) = (place.left + at * self.pitch_mm, place.bottom() + TICK_MM + 0.4 + 0.75 * font.em_mm());
            sheet.text(x, base, name, font)?;
        }
        Ok(())
    }
}

/// Number of moves of a bin that have a quality; as 128 bits, since counts of 64 may sum to more.
pub(super) fn total(bin: &Bin) -> u128 {
    bin.counts.iter().map(|&count| u128::from(count)).sum()
}
