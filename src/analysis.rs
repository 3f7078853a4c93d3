//! The statistics of a study: which measures meet which estimators, as tables.
//!
//! The estimators are in [`crate::stats`]; here they are applied, and their results written beside the
//! number of observations and what was left out.

use std::collections::BTreeMap;

use polars::prelude::{Column, DataFrame, PolarsResult};

use crate::game::Unit;
use crate::label::Quality;
use crate::measure::{Measures, Trial};
use crate::stats::correlation::{Correlation, Method, correlate};
use crate::stats::describe::describe;
use crate::stats::interval::{median_interval, proportion};
use crate::stats::kruskal::{KruskalWallis, kruskal_wallis};
use crate::stats::{Confidence, apa};
use crate::table::{ColumnDoc, Table};

/// A measure of a solved trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TrialMeasure {
    /// Number of moves, over all attempts.
    NMoves,
    /// Time, over all attempts.
    Time,
    /// Moves beyond the fewest possible.
    ExcessMoves,
    /// Share of optimal moves.
    ShareOptimal,
    /// Time of the first move of the first attempt.
    FirstMoveLatency,
}

impl TrialMeasure {
    /// Name of the column of the table `trials`.
    pub fn column(self) -> &'static str {
        match self {
            Self::NMoves => "n_moves",
            Self::Time => "time_s",
            Self::ExcessMoves => "excess_moves",
            Self::ShareOptimal => "share_optimal",
            Self::FirstMoveLatency => "first_move_latency_s",
        }
    }

    /// The measure in words.
    pub fn title(self) -> &'static str {
        match self {
            Self::NMoves => "number of moves",
            Self::Time => "time to solve",
            Self::ExcessMoves => "excess moves",
            Self::ShareOptimal => "share of optimal moves",
            Self::FirstMoveLatency => "first-move latency",
        }
    }

    /// The value of a trial; absent where it could not be measured, or rows of the trial were left out.
    pub fn of(self, trial: &Trial) -> Option<f64> {
        if !trial.is_whole() {
            return None;
        }
        match self {
            Self::NMoves => Some(trial.tally.n_moves as f64),
            Self::Time => trial.tally.time_s(),
            Self::ExcessMoves => trial.excess_moves().map(|moves| moves as f64),
            Self::ShareOptimal => trial.tally.share_optimal(),
            Self::FirstMoveLatency => trial.first_move_latency_s,
        }
    }
}

/// The pairs of measures that are correlated, the article's question first. Within a level, moves and
/// excess moves differ by a constant, so that pair is left out.
pub const PAIRS: [(TrialMeasure, TrialMeasure); 9] = {
    use TrialMeasure::{ExcessMoves, FirstMoveLatency, NMoves, ShareOptimal, Time};
    [
        (NMoves, Time),
        (ExcessMoves, Time),
        (ShareOptimal, Time),
        (FirstMoveLatency, Time),
        (NMoves, ShareOptimal),
        (NMoves, FirstMoveLatency),
        (ExcessMoves, ShareOptimal),
        (ExcessMoves, FirstMoveLatency),
        (ShareOptimal, FirstMoveLatency),
    ]
};

/// One correlation over solved trials.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialCorrelation {
    /// The level; absent for all levels pooled.
    pub level: Option<String>,
    /// First measure.
    pub x: TrialMeasure,
    /// Second measure.
    pub y: TrialMeasure,
    /// Solved trials in which one of the two is missing.
    pub n_missing: usize,
    /// The result.
    pub result: Correlation,
}

/// All correlations of a study, Pearson and Spearman for each pair of measures: all levels pooled first,
/// then each level.
pub fn correlations(measures: &Measures, confidence: Confidence) -> Vec<TrialCorrelation> {
    let solved: Vec<&Trial> = measures.trials.iter().filter(|trial| trial.solution.is_some()).collect();
    let mut by_level: BTreeMap<&str, Vec<&Trial>> =
        measures.levels().into_iter().map(|level| (level, Vec::new())).collect();
    for trial in &solved {
        by_level.entry(&trial.level).or_default().push(trial);
    }
    let scopes = std::iter::once((None, &solved)).chain(by_level.iter().map(|(level, trials)| (Some(*level), trials)));
    let mut results = Vec::new();
    for (level, trials) in scopes {
        for (x, y) in PAIRS {
            let pairs: Vec<(f64, f64)> = trials.iter().filter_map(|trial| Some((x.of(trial)?, y.of(trial)?))).collect();
            let (xs, ys): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
            for method in [Method::Pearson, Method::Spearman] {
                results.push(TrialCorrelation {
                    level: level.map(str::to_owned),
                    x,
                    y,
                    n_missing: trials.len() - pairs.len(),
                    result: correlate(method, &xs, &ys, confidence),
                });
            }
        }
    }
    results
}

/// The table `correlations`.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn correlations_table(correlations: &[TrialCorrelation]) -> PolarsResult<Table> {
    let text = |name: &str, value: &dyn Fn(&TrialCorrelation) -> Option<String>| {
        Column::new(name.into(), correlations.iter().map(value).collect::<Vec<_>>())
    };
    let number = |name: &str, value: &dyn Fn(&Correlation) -> Option<f64>| {
        Column::new(name.into(), correlations.iter().map(|row| value(&row.result)).collect::<Vec<_>>())
    };
    let count = |name: &str, value: &dyn Fn(&TrialCorrelation) -> Option<u64>| {
        Column::new(name.into(), correlations.iter().map(value).collect::<Vec<_>>())
    };
    let data = DataFrame::new_infer_height(vec![
        text("scope", &|row| Some(if row.level.is_some() { "level" } else { "pooled" }.to_owned())),
        text("level", &|row| row.level.clone()),
        text("x", &|row| Some(row.x.column().to_owned())),
        text("y", &|row| Some(row.y.column().to_owned())),
        text("method", &|row| Some(row.result.method.key().to_owned())),
        count("n", &|row| Some(row.result.n as u64)),
        count("n_missing", &|row| Some(row.n_missing as u64)),
        number("estimate", &|result| result.estimate),
        number("lower", &|result| result.lower),
        number("upper", &|result| result.upper),
        number("confidence", &|result| Some(result.confidence.level())),
        count("df", &|row| row.result.df.map(|df| df as u64)),
        number("statistic", &|result| result.statistic.filter(|value| value.is_finite())),
        number("p_value", &|result| result.p_value),
        text("sentence", &|row| Some(apa::correlation(&row.result))),
        text("reason", &|row| row.result.reason.as_ref().map(ToString::to_string)),
    ])?;
    Ok(Table {
        name: "correlations".to_owned(),
        caption: "Correlations between measures of solved trials, pooled and by level.".to_owned(),
        data,
        columns: vec![
            ColumnDoc::new("scope", "all solved trials pooled, or those of one level").levels(&["pooled", "level"]),
            ColumnDoc::new("level", "the level; empty for the pooled result"),
            ColumnDoc::new("x", "first measure, a column of the table trials"),
            ColumnDoc::new("y", "second measure, a column of the table trials"),
            ColumnDoc::new("method", "coefficient").levels(&["pearson", "spearman"]),
            ColumnDoc::new("n", "number of solved trials with both measures"),
            ColumnDoc::new(
                "n_missing",
                "number of solved trials in which one of the two is missing, or of which rows were left out",
            ),
            ColumnDoc::new("estimate", "the coefficient"),
            ColumnDoc::new(
                "lower",
                "lower end of the interval: Fisher z; for Spearman with the standard error of Bonett and Wright (2000); empty where the coefficient is 1 or -1",
            ),
            ColumnDoc::new("upper", "upper end of the interval"),
            ColumnDoc::new("confidence", "level of the interval"),
            ColumnDoc::new("df", "degrees of freedom, n - 2"),
            ColumnDoc::new("statistic", "t; empty where it is infinite because the correlation is perfect"),
            ColumnDoc::new(
                "p_value",
                "two-sided p: for Pearson from Student's t; for Spearman exact from all permutations of the ranks up to n = 9, above that the t approximation. Pooled trials of one person are not independent: read it with care",
            ),
            ColumnDoc::new("sentence", "the result as a paper prints it"),
            ColumnDoc::new("reason", "why the result is missing, where it is"),
        ],
    })
}

/// Inter-move times of one quality of moves.
#[derive(Clone, Debug, PartialEq)]
pub struct QualityTimes {
    /// The quality.
    pub quality: Quality,
    /// Times of its moves in seconds, in the order of the trials.
    pub times_s: Vec<f64>,
}

/// Inter-move times of all trials by the quality of the move, first moves of attempts left out.
pub fn times_by_quality(measures: &Measures) -> Vec<QualityTimes> {
    let of = |(index, quality)| {
        let times_s = measures.trials.iter().flat_map(|trial| &trial.tally.inter_move_s[index]).copied().collect();
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

fn quality_doc(unit: Unit) -> ColumnDoc {
    let names: Vec<&str> = Quality::of_unit(unit).iter().map(|quality| quality.name()).collect();
    ColumnDoc::new("quality", "what the move did to the value of the position").levels(&names)
}

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
