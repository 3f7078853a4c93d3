//! Inter-move time by the quality of the move.

use polars::prelude::{Column, DataFrame, PolarsResult};

use crate::label::{Quality, quality_doc};
use crate::measure::Trial;
use crate::table::{ColumnDoc, Table};
use plymap_puzzles::game::Unit;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::describe::describe;
use plymap_statistics::stats::interval::median_interval;
use plymap_statistics::stats::kruskal::{KruskalWallis, kruskal_wallis};

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
    let of = |(index, quality)| {
        let times_s = trials.iter().flat_map(|trial| &trial.tally.inter_move_s[index]).copied().collect();
        QualityTimes { quality, times_s }
    };
    Quality::ALL.into_iter().enumerate().map(of).filter(|group| !group.times_s.is_empty()).collect()
}

/// The test whether times differ between qualities.
pub fn test_of_times(groups: &[QualityTimes]) -> KruskalWallis {
    kruskal_wallis(&groups.iter().map(|group| group.times_s.as_slice()).collect::<Vec<_>>())
}

/// The table `time_by_quality`.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn time_by_quality_table(groups: &[QualityTimes], unit: Unit, confidence: Confidence) -> PolarsResult<Table> {
    let described: Vec<_> =
        groups.iter().map(|group| (describe(&group.times_s), median_interval(&group.times_s, confidence))).collect();
    let test = test_of_times(groups);
    let number = |name: &str, value: &dyn Fn(usize) -> Option<f64>| {
        Column::new(name.into(), (0..groups.len()).map(value).collect::<Vec<_>>())
    };
    let data = DataFrame::new_infer_height(vec![
        Column::new("quality".into(), groups.iter().map(|group| group.quality.name()).collect::<Vec<_>>()),
        Column::new("n".into(), groups.iter().map(|group| group.times_s.len() as u64).collect::<Vec<_>>()),
        number("median_s", &|row| described[row].1.estimate),
        number("lower_s", &|row| described[row].1.lower),
        number("upper_s", &|row| described[row].1.upper),
        number("q1_s", &|row| described[row].0.q1),
        number("q3_s", &|row| described[row].0.q3),
        number("mean_s", &|row| described[row].0.mean),
        number("sd_s", &|row| described[row].0.sd),
        number("kruskal_wallis_h", &|_| test.statistic),
        number("kruskal_wallis_p", &|_| test.p_value),
        number("epsilon_squared", &|_| test.epsilon_squared),
    ])?;
    Ok(Table {
        name: "time_by_quality".to_owned(),
        caption: "Inter-move time by the quality of the move, over all trials up to the first solution; first moves of attempts are left out.".to_owned(),
        data,
        columns: vec![
            quality_doc(unit),
            ColumnDoc::new("n", "number of moves with a time"),
            ColumnDoc::new("median_s", "median time").unit("s"),
            ColumnDoc::new("lower_s", "lower end of the interval of the median, from order statistics").unit("s"),
            ColumnDoc::new("upper_s", "upper end of the interval of the median").unit("s"),
            ColumnDoc::new("q1_s", "first quartile").unit("s"),
            ColumnDoc::new("q3_s", "third quartile").unit("s"),
            ColumnDoc::new("mean_s", "mean").unit("s"),
            ColumnDoc::new("sd_s", "standard deviation").unit("s"),
            ColumnDoc::new(
                "kruskal_wallis_h",
                "Kruskal-Wallis H over all qualities, the same in each row; moves of one person are not independent: read it as a description",
            ),
            ColumnDoc::new("kruskal_wallis_p", "p of that test from chi-squared"),
            ColumnDoc::new("epsilon_squared", "effect size of that test, 0 to 1"),
        ],
    })
}
