//! Inter-move time by the quality of the move.

use super::quality_by_level::{QUALITY, with_qualities};
use plymap_measures::label::Quality;
use plymap_measures::measure::Trial;
use plymap_puzzles::game::Unit;
use plymap_statistics::record::*;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::describe::{columns, describe};
use plymap_statistics::stats::interval::median_interval;
use plymap_tables::Table;

const COLUMNS: &[Column] = &[
    QUALITY,
    N.means("number of moves with a time"),
    ESTIMATE.shown_as("median_s").means("median time").unit("s"),
    LOWER
        .shown_as("lower_s")
        .means("lower end of the interval of the median, from order statistics, as if moves were independent")
        .unit("s"),
    UPPER.shown_as("upper_s").means("upper end of the interval of the median, as if moves were independent").unit("s"),
    columns::Q1.shown_as("q1_s").means("first quartile").unit("s"),
    columns::Q3.shown_as("q3_s").unit("s"),
    columns::MEAN.shown_as("mean_s").means("mean").unit("s"),
    columns::SD.shown_as("sd_s").means("standard deviation").unit("s"),
];

/// Inter-move times of one quality of moves.
#[derive(Clone, Debug, PartialEq)]
pub struct QualityTimes {
    /// The quality.
    pub quality: Quality,
    /// Times of its moves in seconds, in the order of the trials.
    pub times_s: Vec<f64>,
}

/// Inter-move times of trials by the quality of the move, first moves of attempts left out.
pub fn times_by_quality<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> Vec<QualityTimes> {
    let trials: Vec<&Trial> = trials.into_iter().collect();
    let times_of = |(index, quality): (usize, Quality)| {
        let times_s = trials.iter().flat_map(|trial| trial.tally.inter_move_s[index].iter()).collect();
        QualityTimes { quality, times_s }
    };
    Quality::ALL.into_iter().enumerate().map(times_of).filter(|group| !group.times_s.is_empty()).collect()
}

/// The table `time_by_quality`: a description, as moves of one person are not independent.
pub fn time_by_quality_table(groups: &[QualityTimes], unit: Unit, confidence: Confidence) -> Table {
    let record = |group: &QualityTimes| {
        median_interval(&group.times_s, confidence)
            .record()
            .with(describe(&group.times_s).record())
            .set(QUALITY, group.quality.name())
    };
    let records: Vec<Record> = groups.iter().map(record).collect();
    let caption = "Inter-move time by the quality of the move, over all trials up to the first solution; first moves of attempts are left out.";
    with_qualities(Table::of_records("time_by_quality", caption, COLUMNS, &records), unit)
}
