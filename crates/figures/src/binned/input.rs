//! Bins of moves by a number: the chart's input.

use crate::Heading;
use crate::axis::{Axis, Scale};
use crate::label::Label;
use crate::message::Message;

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
    /// Number of moves of each quality, in the order of [`Binned::qualities`].
    pub counts: Vec<u64>,
}

/// Moves that stand on pages of their own, such as those of one group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subset {
    /// Text behind the subtitle, such as the name of the group; may be empty.
    pub subtitle: String,
    /// The bins at rising numbers. Up to three numbers that are missing between two bins leave their places free; a
    /// longer gap is one free place.
    pub bins: Vec<Bin>,
}

/// Time and quality by a number: medians, numbers of moves and shares above each other, on a page for each 60 bins, one
/// subset after the other. All pages share the axes: each number has the same place on the page of every subset, and
/// bins of different subsets that overlap share a place. Where no move has a time, the medians and their axis are left
/// out, and the figure says so.
///
/// Bins must rise and not overlap, nor two of one subset the same bin of another; each must have one count for each
/// quality. Intervals and quartiles must rise and hold the median. There must be at most 8 qualities, and no time may
/// be beyond 10¹⁵ or below 10⁻¹⁵.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Binned {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis with its unit, such as `distance to goal (moves)`.
    pub x_title: Label,
    /// Title of the axis of time with its unit; empty for `inter-move time (s)`. The axis is logarithmic.
    pub y_title: Label,
    /// Noun for the things that are counted, in the plural; empty for `moves`.
    pub counted: String,
    /// Level of the intervals for the legend, such as `95 %`; may be empty.
    pub confidence: String,
    /// Names of the qualities from the lowest part of each column upwards, at most 8, such as `better`, `same`,
    /// `worse`. Those that never occur are not drawn.
    pub qualities: Vec<String>,
    /// The subsets, in the order of their pages.
    pub subsets: Vec<Subset>,
}

impl Subset {
    /// All times that the bins ask to be shown.
    pub(super) fn times(&self) -> impl Iterator<Item = f64> {
        let pairs = |bin: &Bin| bin.interval.into_iter().chain(bin.quartiles).flat_map(|(low, high)| [low, high]);
        self.bins.iter().flat_map(move |bin| bin.median.into_iter().chain(pairs(bin)))
    }

    /// `true` if any time has a place on the axis.
    pub(super) fn has_times(&self) -> bool {
        self.times().any(|time| Scale::Log.shows(time))
    }

    pub(super) fn has_data(&self) -> bool {
        self.has_times() || self.bins.iter().flat_map(|bin| &bin.counts).any(|&count| count > 0)
    }
}

/// Least and greatest number of a place on the horizontal axis.
pub(super) type Span = (i64, i64);

impl Binned {
    pub(super) fn bins(&self) -> impl Iterator<Item = &Bin> {
        self.subsets.iter().flat_map(|subset| &subset.bins)
    }

    /// The axis of time that all pages share.
    pub(super) fn time_axis(&self) -> Axis {
        let title = Label::given_or(&self.y_title, Message::InterMoveTime);
        Axis::around(title, Scale::Log, false, self.subsets.iter().flat_map(Subset::times))
    }

    pub(super) fn counted(&self) -> &str {
        if self.counted.is_empty() { "moves" } else { &self.counted }
    }
}
