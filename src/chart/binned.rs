//! Time and quality of moves by a number, such as the distance to the goal: medians above, shares below.

use super::axis::{Axis, Scale, beyond_reach, reach_fault};
use super::quality::colour_of;
use super::series::{MOST_SERIES, key};
use super::sheet::{Draft, INK, Key, Mark, SKY, cell, grouped};
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
    /// Number of moves.
    pub n: u64,
    /// Median of their times, in the unit of the vertical axis; absent where there is none.
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
/// vertical axes.
///
/// # Errors
///
/// [`ChartError::Input`] if the bins do not rise or overlap, a bin has not one count for each quality, an interval or
/// a pair of quartiles does not rise or leaves the median outside, there are more than 8 qualities, or a time is beyond
/// 10¹⁵ or below 10⁻¹⁵.
pub fn draw(input: &Input, style: &Style) -> Result<Vec<Figure>, ChartError> {
    check(input)?;
    let (keys, notes) = (keys(input, style)?, notes(input));
    let draft = |page: (usize, usize), bins: &[Bin]| Draft {
        heading: &input.heading,
        style,
        page,
        notes: notes.clone(),
        keys: keys.clone(),
        reading: reading(input),
        data: data(input, bins),
    };
    let has_count = |bin: &Bin| bin.counts.iter().any(|&count| count > 0);
    if !times(input).any(|time| Scale::Log.shows(time)) && !input.bins.iter().any(has_count) {
        return Ok(vec![draft((1, 1), &input.bins).draw_empty()?]);
    }
    let title = if input.y_title.is_empty() { "inter-move time (s)" } else { &input.y_title };
    let y = Axis::around(title, Scale::Log, false, times(input));
    let pages = input.bins.len().div_ceil(BINS_PER_PAGE);
    let page_of = |page: usize| {
        let range = (page * input.bins.len() / pages)..((page + 1) * input.bins.len() / pages);
        let bins = &input.bins[range];
        let draft = draft((page + 1, pages), bins);
        let layout = Layout::new(input, Slots::new(bins), style, &y, draft.max_body_mm()?)?;
        draft.draw(layout.height_mm(), |sheet, body| layout.draw(sheet, body, input))
    };
    (0..pages).map(page_of).collect()
}

/// All times that the bins ask to be shown.
fn times(input: &Input) -> impl Iterator<Item = f64> {
    let pairs = |bin: &Bin| bin.interval.into_iter().chain(bin.quartiles).flat_map(|(low, high)| [low, high]);
    input.bins.iter().flat_map(move |bin| bin.median.into_iter().chain(pairs(bin)))
}

fn counted(input: &Input) -> &str {
    if input.counted.is_empty() { "moves" } else { &input.counted }
}

/// The qualities that occur.
fn occurring(input: &Input) -> Vec<usize> {
    let occurs = |quality: &usize| input.bins.iter().any(|bin| bin.counts[*quality] > 0);
    (0..input.qualities.len()).filter(occurs).collect()
}

/// How strong the band of the quartiles is.
const BAND_ALPHA: f64 = 0.4;

fn keys(input: &Input, style: &Style) -> Result<Vec<Key>, ChartError> {
    let mut keys = Vec::new();
    let has_interval = input.bins.iter().any(|bin| bin.interval.is_some());
    if input.bins.iter().any(|bin| bin.median.is_some()) {
        let label = match has_interval {
            true => ["median and its", &input.confidence, "interval"].join(" ").replace("  ", " "),
            false => "median".to_owned(),
        };
        keys.push(key(style, Mark::Disc(INK), &label)?);
    }
    if input.bins.iter().any(|bin| bin.quartiles.is_some()) {
        keys.push(key(style, Mark::Field(SKY, BAND_ALPHA), "25th to 75th percentile")?);
    }
    for quality in occurring(input) {
        let name = &input.qualities[quality];
        keys.push(key(style, Mark::Field(colour_of(name, quality), 1.0), name)?);
    }
    Ok(keys)
}

fn notes(input: &Input) -> Vec<String> {
    let hidden = |value: &f64| !Scale::Log.shows(*value);
    let medians = input.bins.iter().filter_map(|bin| bin.median).filter(hidden).count();
    let pairs = input.bins.iter().flat_map(|bin| bin.interval.into_iter().chain(bin.quartiles));
    let cut = pairs.filter(|(low, _)| hidden(low)).count();
    let mut notes = Vec::new();
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

fn reading(input: &Input) -> String {
    let counted = counted(input);
    let gaps = match Slots::new(&input.bins).breaks.is_empty() {
        false => "; the axis is interrupted where longer gaps between numbers are drawn as one free place",
        true => "",
    };
    format!(
        "Above: median time on a logarithmic axis, with the band of the middle half of the times; between: number n of \
         {counted}; below: shares of the {counted} by their quality, in the order of the legend from below{gaps}"
    )
}

fn check(input: &Input) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: input.heading.name.clone(), what });
    let qualities = input.qualities.len();
    if qualities > MOST_SERIES {
        return fault(format!("{qualities} qualities, but one figure keeps {MOST_SERIES} apart"));
    }
    for bin in &input.bins {
        let name = layout::name(bin);
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
        let (a, b) = (layout::name(&pair[0]), layout::name(&pair[1]));
        return fault(format!("bin {a} comes before bin {b}: bins must rise and not overlap"));
    }
    match beyond_reach(Scale::Log, times(input)) {
        Some(value) => fault(reach_fault(value)),
        None => Ok(()),
    }
}

fn data(input: &Input, bins: &[Bin]) -> PlottedData {
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
