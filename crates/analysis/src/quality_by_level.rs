//! Shares of move qualities at each level.

use super::columns::LOWER_OVER_PARTICIPANTS;
use plymap_measures::label::Quality;
use plymap_measures::measure::Measures;
use plymap_puzzles::game::Unit;
use plymap_statistics::record::*;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::interval::{N_TRUE, proportion_of};
use plymap_tables::Table;

const COLUMNS: &[Column] = &[
    LEVEL,
    QUALITY,
    N_TRUE.shown_as("n").means("number of moves of this quality"),
    N.shown_as("n_moves").means("number of all moves at the level"),
    ESTIMATE.shown_as("share").means("n / n_moves"),
    LOWER.means(LOWER_OVER_PARTICIPANTS),
    UPPER.means("upper end of its interval"),
];
const LEVEL: Column = text("level", "level that was played");
pub(super) const QUALITY: Column = text("quality", "what the move did to the value of the position");

/// The table `quality_by_level`: shares of these qualities of moves, with intervals.
pub fn quality_by_level_table(measures: &Measures, qualities: &[Quality], confidence: Confidence) -> Table {
    let mut records = Vec::new();
    for (number, level) in measures.levels.iter().enumerate() {
        let trials = || measures.trials.iter().filter(|trial| trial.level == number);
        let participants: Vec<usize> = trials().map(|trial| trial.participant).collect();
        let share = |quality: &Quality| {
            let counts = trials().map(|trial| &trial.tally.n_by_quality);
            let counts: Vec<(u64, u64)> = counts.map(|tally| (tally[quality.index()], tally.iter().sum())).collect();
            let record = proportion_of(&counts, Some(&participants), confidence).record();
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
