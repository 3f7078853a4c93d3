//! Time and quality of moves by a number, such as the distance to the goal: medians above, shares below.

use super::axis::{Scale, within_reach};
use super::chart::{Chart, Page, evenly, with_interval};
use super::key::Key;
use super::label::{Label, note};
use super::message::Message;
use super::quality::colour_of;
use super::series::MOST_SERIES;
use super::sheet::{INK, Mark, Sheet, cell};
use super::{ChartError, Heading, PlottedData, Style};

mod input;
mod layout;

use input::Span;
use layout::{BAND, Layout, Slots, total};

pub use input::{Bin, Binned, Subset};

/// The most bins on one page.
pub const BINS_PER_PAGE: usize = 60;

impl Chart for Binned {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        let qualities = self.qualities.len();
        if qualities > MOST_SERIES {
            return Err(format!("{qualities} qualities, but one figure keeps {MOST_SERIES} apart"));
        }
        for bin in self.bins() {
            let name = layout::name((bin.low, bin.high));
            if bin.low > bin.high {
                return Err(format!("a bin goes from {} to {}: it must rise", bin.low, bin.high));
            }
            if bin.counts.len() != qualities {
                let counts = bin.counts.len();
                return Err(format!("bin {name} has {counts} counts for {qualities} qualities: give one for each"));
            }
            for (what, pair) in [("interval", bin.interval), ("quartiles", bin.quartiles)] {
                let Some((low, high)) = pair else {
                    continue;
                };
                let holds = low <= high && bin.median.is_none_or(|median| low <= median && median <= high);
                if !(low.is_finite() && high.is_finite() && holds) {
                    let median = bin.median.map_or("no median".to_owned(), |median| format!("the median {median}"));
                    let rule = "they must be finite, rise and hold the median";
                    return Err(format!("bin {name} has {median} and the {what} {low} to {high}: {rule}"));
                }
            }
        }
        for pair in self.subsets.iter().flat_map(|subset| subset.bins.windows(2)) {
            let [a, b] = [&pair[0], &pair[1]].map(|bin| layout::name((bin.low, bin.high)));
            if pair[0].high >= pair[1].low {
                return Err(format!("bin {a} comes before bin {b}: bins must rise and not overlap"));
            }
        }
        let spans = self.spans();
        for pair in self.subsets.iter().flat_map(|subset| subset.bins.windows(2)) {
            let [a, b] = [&pair[0], &pair[1]].map(|bin| layout::name((bin.low, bin.high)));
            if let Some(&span) = spans.iter().find(|span| span.0 <= pair[0].low && pair[1].high <= span.1) {
                let (span, rule) = (layout::name(span), "give all groups bins with the same ends");
                return Err(format!("bins {a} and {b} overlap bins of another group within {span}: {rule}"));
            }
        }
        within_reach(Scale::Log, self.subsets.iter().flat_map(Subset::times))
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        self.legend(true)
    }

    /// The longest notes of any page.
    fn notes(&self) -> Vec<Label> {
        let notes = self.subsets.iter().map(|subset| self.notes_of(subset));
        notes.max_by_key(|notes| notes.iter().map(|note| note.english().len()).sum::<usize>()).unwrap_or_default()
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let spans = self.spans();
        let page = |(subset, range): (&'a Subset, std::ops::Range<usize>)| {
            let slots = Slots::new(&spans[range], &subset.bins);
            let data = self.data(slots.bins());
            let page = if subset.has_data() {
                let layout = Layout::new(self, subset.has_times(), slots, style, room_mm)?;
                Page::new(data, layout.height_mm(), move |sheet: &Sheet, body| layout.draw(sheet, body, self))
            } else {
                Page::empty(data)
            };
            let (keys, notes) = (self.legend(subset.has_times()), self.notes_of(subset));
            Ok(Page { keys: Some(keys), notes: Some(notes), reading: Some(self.how_to_read(subset, &spans)), ..page })
        };
        // A subset without data has one page.
        let sheets = |subset: &Subset| if subset.has_data() { spans.len().div_ceil(BINS_PER_PAGE) } else { 1 };
        let parts = |subset: &'a Subset| evenly(spans.len(), sheets(subset)).map(move |part| (subset, part));
        self.subsets.iter().flat_map(parts).map(page).collect()
    }
}

impl Binned {
    /// The places on the horizontal axis that all pages share, at rising numbers.
    fn spans(&self) -> Vec<Span> {
        let mut bins: Vec<Span> = self.bins().map(|bin| (bin.low, bin.high)).collect();
        bins.sort_unstable();
        let mut spans: Vec<Span> = Vec::with_capacity(bins.len());
        for bin in bins {
            match spans.last_mut().filter(|span| bin.0 <= span.1) {
                Some(span) => span.1 = span.1.max(bin.1),
                None => spans.push(bin),
            }
        }
        spans
    }

    /// The legend of a page with or without times.
    fn legend(&self, has_times: bool) -> Vec<Key> {
        let mut keys = Vec::new();
        if has_times && self.bins().any(|bin| bin.median.is_some()) {
            let any_interval = self.bins().any(|bin| bin.interval.is_some());
            keys.push(Key::mark(Mark::Disc(INK), &with_interval("median", &self.confidence, any_interval)));
        }
        if has_times && self.bins().any(|bin| bin.quartiles.is_some()) {
            keys.push(Key::mark(Mark::Field(BAND.0, BAND.1), Message::PercentileRange.with(["25", "75"])));
        }
        for (quality, name) in self.qualities.iter().enumerate() {
            if self.bins().any(|bin| bin.counts[quality] > 0) {
                keys.push(Key::mark(Mark::Field(colour_of(name, quality), 1.0), name));
            }
        }
        keys
    }

    fn notes_of(&self, subset: &Subset) -> Vec<Label> {
        let hidden = |value: &f64| !Scale::Log.shows(*value);
        let medians = subset.bins.iter().filter_map(|bin| bin.median).filter(hidden).count();
        let pairs = subset.bins.iter().flat_map(|bin| bin.interval.into_iter().chain(bin.quartiles));
        let cut = pairs.filter(|(low, _)| hidden(low)).count();
        // What is counted may be cases of any kind; the times are always those of moves.
        let untimed = subset.times().next().is_none().then(|| Message::NoMoveHasTime.into());
        let medians = note(medians, Message::MedianNotShown, Message::MediansNotShown);
        let notes = [
            Some(Label::from(&subset.subtitle)),
            untimed,
            medians,
            note(cut, Message::IntervalOrBandCut, Message::IntervalsOrBandsCut),
        ];
        notes.into_iter().flatten().collect()
    }

    fn how_to_read(&self, subset: &Subset, spans: &[Span]) -> String {
        let counted = self.counted();
        let gaps = match Slots::new(spans, &[]).breaks.is_empty() {
            false => "; the axis is interrupted where longer gaps between numbers are drawn as one free place",
            true => "",
        };
        let shares = format!("shares of the {counted} by their quality, in the order of the legend from below{gaps}");
        if !subset.has_times() {
            return format!("Above: number n of {counted}; below: {shares}");
        }
        let untimed = match subset.bins.iter().any(|bin| bin.n > 0 && bin.median.is_none()) {
            true => ", none where no time was recorded",
            false => "",
        };
        format!(
            "Above: median time on a logarithmic axis, with the band of the interquartile range of the times{untimed}; between: \
             number n of {counted}, with and without a time; below: {shares}"
        )
    }

    fn data<'a>(&self, bins: impl Iterator<Item = &'a Bin>) -> PlottedData {
        let mut data =
            PlottedData::new("low,high,n,kind,quality,count,share,median,interval_low,interval_high,p25,p75");
        for bin in bins {
            let head = |kind: &str| vec![bin.low.to_string(), bin.high.to_string(), bin.n.to_string(), kind.to_owned()];
            let missing = (f64::NAN, f64::NAN);
            let (low, high) = bin.interval.unwrap_or(missing);
            let (p25, p75) = bin.quartiles.unwrap_or(missing);
            let times = [bin.median.unwrap_or(f64::NAN), low, high, p25, p75].map(cell);
            let blank = [const { String::new() }; 3];
            data.rows.push(head("time").into_iter().chain(blank).chain(times).collect());
            let total = total(bin);
            for (name, &count) in self.qualities.iter().zip(&bin.counts) {
                let share = if total > 0 { cell(count as f64 / total as f64) } else { String::new() };
                let cells = [name.clone(), count.to_string(), share];
                data.rows.push(head("quality").into_iter().chain(cells).chain([const { String::new() }; 5]).collect());
            }
        }
        data
    }
}

#[cfg(test)]
mod tests;
