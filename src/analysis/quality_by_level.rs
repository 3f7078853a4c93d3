//! Shares of move qualities at each level.

use crate::label::Quality;
use crate::measure::Measures;
use crate::table::Table;
use plymap_puzzles::game::Unit;
use plymap_statistics::record::*;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::interval::{N_TRUE, proportion};

const COLUMNS: &[Column] = &[
    LEVEL,
    QUALITY,
    N_TRUE.shown_as("n").means("number of moves of this quality"),
    N.shown_as("n_moves").means("number of all moves at the level"),
    ESTIMATE.shown_as("share").means("n / n_moves"),
    LOWER.means("lower end of the interval (Wilson 1927); moves of one person are not independent"),
    UPPER.means("upper end of the interval"),
];
const LEVEL: Column = text("level", "level that was played");
pub(super) const QUALITY: Column = text("quality", "what the move did to the value of the position");

/// The table `quality_by_level`: shares of these qualities of moves, with intervals.
pub fn quality_by_level_table(measures: &Measures, qualities: &[Quality], confidence: Confidence) -> Table {
    let mut records = Vec::new();
    for (number, level) in measures.levels.iter().enumerate() {
        let mut counts = [0u64; Quality::ALL.len()];
        for trial in measures.trials.iter().filter(|trial| trial.level == number) {
            for (sum, count) in counts.iter_mut().zip(trial.tally.n_by_quality) {
                *sum += count;
            }
        }
        let n_moves = counts.iter().sum();
        let share = |quality: &Quality| {
            let record = proportion(counts[quality.index()], n_moves, confidence).record();
            record.set(LEVEL, level.as_str()).set(QUALITY, quality.name())
        };
        records.extend(qualities.iter().map(share));
    }
    let caption = "Share of each move quality at each level.";
    with_qualities(Table::of_records("quality_by_level", caption, COLUMNS, &records), measures.unit)
}

/// The table with the qualities that moves can have in this unit as those that its column can take.
pub(super) fn with_qualities(mut table: Table, unit: Unit) -> Table {
    let names = || Quality::of_unit(unit).iter().map(|quality| quality.name().to_owned()).collect();
    table.columns.iter_mut().filter(|doc| doc.name == QUALITY.name).for_each(|doc| doc.levels = names());
    table
}
