//! Shares of move qualities at each level.

use polars::prelude::{Column, DataFrame, PolarsResult};

use crate::label::{Quality, quality_doc};
use crate::measure::Measures;
use crate::table::{ColumnDoc, Table};
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::interval::proportion;

/// The table `quality_by_level`: shares of move qualities with intervals.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn quality_by_level_table(measures: &Measures, confidence: Confidence) -> PolarsResult<Table> {
    let mut rows: Vec<(String, Quality, u64, u64)> = Vec::new();
    for level in measures.levels() {
        let mut counts = [0u64; Quality::ALL.len()];
        for trial in measures.trials.iter().filter(|trial| trial.level == level) {
            for (sum, count) in counts.iter_mut().zip(trial.tally.n_by_quality) {
                *sum += count;
            }
        }
        let n_moves = counts.iter().sum();
        let qualities = Quality::of_unit(measures.unit).iter();
        rows.extend(qualities.map(|&quality| (level.to_owned(), quality, counts[quality.index()], n_moves)));
    }
    let shares: Vec<_> = rows.iter().map(|&(_, _, count, n_moves)| proportion(count, n_moves, confidence)).collect();
    let data = DataFrame::new_infer_height(vec![
        Column::new("level".into(), rows.iter().map(|row| row.0.clone()).collect::<Vec<_>>()),
        Column::new("quality".into(), rows.iter().map(|row| row.1.name()).collect::<Vec<_>>()),
        Column::new("n".into(), rows.iter().map(|row| row.2).collect::<Vec<_>>()),
        Column::new("n_moves".into(), rows.iter().map(|row| row.3).collect::<Vec<_>>()),
        Column::new("share".into(), shares.iter().map(|share| share.estimate).collect::<Vec<_>>()),
        Column::new("lower".into(), shares.iter().map(|share| share.lower).collect::<Vec<_>>()),
        Column::new("upper".into(), shares.iter().map(|share| share.upper).collect::<Vec<_>>()),
    ])?;
    Ok(Table {
        name: "quality_by_level".to_owned(),
        caption: "Share of each move quality at each level.".to_owned(),
        data,
        columns: vec![
            ColumnDoc::new("level", "level that was played"),
            quality_doc(measures.unit),
            ColumnDoc::new("n", "number of moves of this quality"),
            ColumnDoc::new("n_moves", "number of all moves at the level"),
            ColumnDoc::new("share", "n / n_moves"),
            ColumnDoc::new("lower", "lower end of the interval (Wilson 1927); moves of one person are not independent"),
            ColumnDoc::new("upper", "upper end of the interval"),
        ],
    })
}
