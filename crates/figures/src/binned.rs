//! Time and quality of moves by a number, such as the distance to the goal: medians above, shares below.

use std::ops::Range;

use plotters::style::RGBColor;

use super::axis::{Axis, Scale, beyond_reach, reach_fault};
use super::quality::colour_of;
use super::series::MOST_SERIES;
use super::sheet::{Draft, INK, Key, Mark, SOFT_INK, cell, grouped};
use super::{ChartError, Figure, Heading, PlottedData, Style};

mod layout;

use layout::{Layout, Slots};

/// The most bins on one page.
pub const BINS_PER_PAGE: usize = 60;

/// The moves at one number, or at several neighbouring ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bin {
    /// Least number of the bin.
    pub low: i64,
    /// Greatest number of the bin; the same where the bin is one number.
    pub high: i64,
    /// Number of moves, with and without a time: those of [`Self::counts`], where these are known.
    pub n: u64,
    /// Median of their times, in the unit of the vertical axis; absent where there is none, and nothing is drawn then.
    pub median: Option<f64>,
    /// Interval of the median.
    pub interval: Option<(f64, f64)>,
    /// 25th and 75th percentile of the times.
    pub quartiles: Option<(f64, f64)>,
    /// Number of moves of each quality, in the order of [`Input::qualities`].
    pub counts: Vec<u64>,
}

/// Time and quality by a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis with its unit, such as `distance to goal (moves)`.
    pub x_title: String,
    /// Title of the axis of time with its unit; empty for `inter-move time (s)`. The axis is logarithmic.
    pub y_title: String,
    /// What is counted, in the plural; empty for `moves`.
    pub counted: String,
    /// Level of the intervals for the legend, such as `95 %`; may be empty.
    pub confidence: String,
    /// Names of the qualities from the lowest part of each column upwards, at most 8, such as `better`, `same`,
    /// `worse`. Those that never occur are not drawn.
    pub qualities: Vec<String>,
    /// The bins at rising numbers. Up to three numbers that are missing between two bins leave their places free; a
    /// longer gap is one free place.
    pub bins: Vec<Bin>,
}

/// Draws medians, numbers of moves and shares above each other, on a page for each 60 bins. All pages share the
/// vertical axes. Where no move has a time, the medians and their axis are left out, and the figure says so.
///
/// # Errors
///
/// [`ChartError::Input`] if the bins do not rise or overlap, a bin has not one count for each quality, an interval or
/// a pair of quartiles does not rise or leaves the median outside, there are more than 8 qualities, or a time is beyond
/// 10¹⁵ or below 10⁻¹⁵.
pub fn draw(input: &Input, style: &Style) -> Result<Vec<Figure>, ChartError> {
    draw_groups(std::slice::from_ref(input), style)
}

/// Draws each input as [`draw`] does, one after the other, such as one for each group. All pages share the axes: each
/// number has the same place on the page of every input. Bins of different inputs that overlap share a place.
///
/// # Errors
///
/// As [`draw`], and [`ChartError::Input`] if the inputs have different qualities, or two bins of one input overlap the
/// same bin of another.
pub fn draw_groups(inputs: &[Input], style: &Style) -> Result<Vec<Figure>, ChartError> {
    inputs.iter().try_for_each(check)?;
    let Some(first) = inputs.first() else { return Ok(Vec::new()) };
    let common = Common::new(first, inputs)?;
    let has_count = |bin: &Bin| bin.counts.iter().any(|&count| count > 0);
    let has_data = |input: &Input| has_times(input) || input.bins.iter().any(has_count);
    let spans = &common.spans;
    // What stands on each page: an input and a range of its bins; an input without data has one page.
    let sheets = |input: &Input| if has_data(input) { spans.len().div_ceil(BINS_PER_PAGE) } else { 1 };
    let part = |sheet: usize, of: usize| (sheet * spans.len() / of)..((sheet + 1) * spans.len() / of);
    let parts = |input| (0..sheets(input)).map(move |sheet| (input, part(sheet, sheets(input))));
    let pages: Vec<(&Input, Range<usize>)> = inputs.iter().flat_map(parts).collect();
    let figure = |(page, (input, range)): (usize, &(&Input, Range<usize>))| {
        let slots = Slots::new(&spans[range.clone()], &input.bins);
        let draft = Draft {
            heading: &input.heading,
            style,
            page: (page + 1, pages.len()),
            notes: notes(input),
            keys: keys(inputs, has_times(input)),
            reading: reading(input, spans),
            data: data(input, slots.bins()),
        };
        if !has_data(input) {
            return draft.draw_empty();
        }
        let layout = Layout::new(input, slots, style, &common, draft.max_body_mm()?)?;
        draft.draw(layout.height_mm(), |sheet, body| layout.draw(sheet, body, input))
    };
    pages.iter().enumerate().map(figure).collect()
}

/// Least and greatest number of a place on the horizontal axis.
type Span = (i64, i64);

/// What the pages of all inputs share.
struct Common {
    /// The places on the horizontal axis, at rising numbers.
    spans: Vec<Span>,
    time: Axis,
    /// The greatest number of moves of any bin.
    most: u64,
}

impl Common {
    fn new(first: &Input, inputs: &[Input]) -> Result<Self, ChartError> {
        let fault = |what: String| Err(ChartError::Input { figure: first.heading.name.clone(), what });
        if let Some(other) = inputs.iter().find(|input| input.qualities != first.qualities) {
            let (one, other) = (&first.qualities, &other.qualities);
            return fault(format!("groups have the qualities {one:?} and {other:?}: give all of them the same"));
        }
        let mut bins: Vec<Span> = inputs.iter().flat_map(|input| &input.bins).map(|bin| (bin.low, bin.high)).collect();
        bins.sort_unstable();
        let mut spans: Vec<Span> = Vec::with_capacity(bins.len());
        for bin in bins {
            match spans.last_mut().filter(|span| bin.0 <= span.1) {
                Some(span) => span.1 = span.1.max(bin.1),
                None => spans.push(bin),
            }
        }
        for pair in inputs.iter().flat_map(|input| input.bins.windows(2)) {
            let of_both = spans.iter().find(|span| span.0 <= pair[0].low && pair[1].high <= span.1);
            if let Some(&span) = of_both {
                let [a, b] = [0, 1].map(|bin| layout::name((pair[bin].low, pair[bin].high)));
                let rule = "give all groups bins with the same ends";
                return fault(format!(
                    "bins {a} and {b} overlap bins of another group within {}: {rule}",
                    layout::name(span)
                ));
            }
        }
        let title = if first.y_title.is_empty() { "inter-move time (s)" } else { &first.y_title };
        let time = Axis::around(title, Scale::Log, false, inputs.iter().flat_map(times));
        let most = inputs.iter().flat_map(|input| &input.bins).map(|bin| bin.n).max().unwrap_or(0);
        Ok(Self { spans, time, most })
    }
}

/// All times that the bins ask to be shown.
fn times(input: &Input) -> impl Iterator<Item = f64> {
    let pairs = |bin: &Bin| bin.interval.into_iter().chain(bin.quartiles).flat_map(|(low, high)| [low, high]);
    input.bins.iter().flat_map(move |bin| bin.median.into_iter().chain(pairs(bin)))
}

/// Whether any time has a place on the axis.
fn has_times(input: &Input) -> bool {
    times(input).any(|time| Scale::Log.shows(time))
}

fn counted(input: &Input) -> &str {
    if input.counted.is_empty() { "moves" } else { &input.counted }
}

/// The qualities that occur in any of some inputs.
fn occurring(inputs: &[Input]) -> Vec<usize> {
    let bins = || inputs.iter().flat_map(|input| &input.bins);
    let occurs = |quality: &usize| bins().any(|bin| bin.counts[*quality] > 0);
    (0..inputs.first().map_or(0, |input| input.qualities.len())).filter(occurs).collect()
}

/// Colour and strength of the band of the quartiles.
const BAND: (RGBColor, f64) = (SOFT_INK, 0.25);

/// The legend of some inputs, for a page with or without times.
fn keys(inputs: &[Input], has_times: bool) -> Vec<Key> {
    let bins = || inputs.iter().flat_map(|input| &input.bins);
    let mut keys = Vec::new();
    if has_times && bins().any(|bin| bin.median.is_some()) {
        let confidence = inputs.first().map_or("", |input| &input.confidence);
        let label = match bins().any(|bin| bin.interval.is_some()) {
            true => ["median and its", confidence, "interval"].join(" ").replace("  ", " "),
            false => "median".to_owned(),
        };
        keys.push(Key::mark(Mark::Disc(INK), &label));
    }
    if has_times && bins().any(|bin| bin.quartiles.is_some()) {
        keys.push(Key::mark(Mark::Field(BAND.0, BAND.1), "25th to 75th percentile"));
    }
    for quality in occurring(inputs) {
        let name = &inputs[0].qualities[quality];
        keys.push(Key::mark(Mark::Field(colour_of(name, quality), 1.0), name));
    }
    keys
}

fn notes(input: &Input) -> Vec<String> {
    let hidden = |value: &f64| !Scale::Log.shows(*value);
    let medians = input.bins.iter().filter_map(|bin| bin.median).filter(hidden).count();
    let pairs = input.bins.iter().flat_map(|bin| bin.interval.into_iter().chain(bin.quartiles));
    let cut = pairs.filter(|(low, _)| hidden(low)).count();
    let mut notes = Vec::new();
    if times(input).next().is_none() {
        // What is counted may be cases of any kind; the times are always those of moves.
        notes.push("no move has a recorded time".to_owned());
    }
    if medians > 0 {
        let who = if medians == 1 { "median" } else { "medians" };
        notes.push(format!("{} {who} not shown (not positive)", grouped(medians as u64)));
    }
    if cut > 0 {
        let who = if cut == 1 { "interval or band cut" } else { "intervals or bands cut" };
        notes.push(format!("{} {who} at the edge of the axis (not positive below it)", grouped(cut as u64)));
    }
    notes
}

fn reading(input: &Input, spans: &[Span]) -> String {
    let counted = counted(input);
    let gaps = match Slots::new(spans, &[]).breaks.is_empty() {
        false => "; the axis is interrupted where longer gaps between numbers are drawn as one free place",
        true => "",
    };
    let shares = format!("shares of the {counted} by their quality, in the order of the legend from below{gaps}");
    if !has_times(input) {
        return format!("Above: number n of {counted}; below: {shares}");
    }
    let untimed = match input.bins.iter().any(|bin| bin.n > 0 && bin.median.is_none()) {
        true => ", none where no time was recorded",
        false => "",
    };
    format!(
        "Above: median time on a logarithmic axis, with the band of the interquartile range of the times{untimed}; between: \
         number n of {counted}, with and without a time; below: {shares}"
    )
}

fn check(input: &Input) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: input.heading.name.clone(), what });
    let qualities = input.qualities.len();
    if qualities > MOST_SERIES {
        return fault(format!("{qualities} qualities, but one figure keeps {MOST_SERIES} apart"));
    }
    for bin in &input.bins {
        let name = layout::name((bin.low, bin.high));
        if bin.low > bin.high {
            return fault(format!("a bin goes from {} to {}: it must rise", bin.low, bin.high));
        }
        if bin.counts.len() != qualities {
            let counts = bin.counts.len();
            return fault(format!("bin {name} has {counts} counts for {qualities} qualities: give one for each"));
        }
        for (what, pair) in [("interval", bin.interval), ("quartiles", bin.quartiles)] {
            let Some((low, high)) = pair else {
                continue;
            };
            let holds = low <= high && bin.median.is_none_or(|median| low <= median && median <= high);
            if !(low.is_finite() && high.is_finite() && holds) {
                let median = bin.median.map_or("no median".to_owned(), |median| format!("the median {median}"));
                let rule = "they must be finite, rise and hold the median";
                return fault(format!("bin {name} has {median} and the {what} {low} to {high}: {rule}"));
            }
        }
    }
    if let Some(pair) = input.bins.windows(2).find(|pair| pair[0].high >= pair[1].low) {
        let (a, b) = (layout::name((pair[0].low, pair[0].high)), layout::name((pair[1].low, pair[1].high)));
        return fault(format!("bin {a} comes before bin {b}: bins must rise and not overlap"));
    }
    match beyond_reach(Scale::Log, times(input)) {
        Some(value) => fault(reach_fault(value)),
        None => Ok(()),
    }
}

fn data<'a>(input: &Input, bins: impl Iterator<Item = &'a Bin>) -> PlottedData {
    let header = [
        "low",
        "high",
        "n",
        "kind",
        "quality",
        "count",
        "share",
        "median",
        "interval_low",
        "interval_high",
        "p25",
        "p75",
    ];
    let mut data = PlottedData::new(&header);
    for bin in bins {
        let head = |kind: &str| vec![bin.low.to_string(), bin.high.to_string(), bin.n.to_string(), kind.to_owned()];
        let missing = (f64::NAN, f64::NAN);
        let (low, high) = bin.interval.unwrap_or(missing);
        let (p25, p75) = bin.quartiles.unwrap_or(missing);
        let times = [bin.median.unwrap_or(f64::NAN), low, high, p25, p75].map(cell);
        let blank = [const { String::new() }; 3];
        data.rows.push(head("time").into_iter().chain(blank).chain(times).collect());
        let total = total(bin);
        for (name, &count) in input.qualities.iter().zip(&bin.counts) {
            let share = if total > 0 { cell(count as f64 / total as f64) } else { String::new() };
            let cells = [name.clone(), count.to_string(), share];
            data.rows.push(head("quality").into_iter().chain(cells).chain([const { String::new() }; 5]).collect());
        }
    }
    data
}

/// How many moves of a bin have a quality; as 128 bits, since counts of 64 may sum to more.
fn total(bin: &Bin) -> u128 {
    bin.counts.iter().map(|&count| u128::from(count)).sum()
}

#[cfg(test)]
mod tests;
