//! Correlations between measures of solved trials.

use polars::prelude::{Column, DataFrame, PolarsResult};

use super::measures::{PAIRS, TrialMeasure};
use crate::measure::{Measures, Trial};
use crate::table::{ColumnDoc, Table};
use plymap_statistics::stats::correlation::{Correlation, Method, correlate};
use plymap_statistics::stats::{Confidence, apa};

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
    let mut by_level: Vec<(&str, Vec<&Trial>)> =
        measures.levels.iter().map(|level| (level.as_str(), Vec::new())).collect();
    for trial in &solved {
        by_level[trial.level].1.push(trial);
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
                "lower end of the interval: Fisher z; for Spearman with the standard error of Bonett and Wright (2000); empty where n is below 4, and where the coefficient is 1 or −1",
            ),
            ColumnDoc::new("upper", "upper end of the interval; empty with the lower one"),
            ColumnDoc::new("confidence", "level of the interval"),
            ColumnDoc::new("df", "degrees of freedom, n − 2"),
            ColumnDoc::new("statistic", "t; empty where it is infinite because the correlation is perfect"),
            ColumnDoc::new(
                "p_value",
                "two-sided p: for Pearson from Student's t; for Spearman exact from all permutations of the ranks, ties included, up to n = 9, above that the t approximation. Pooled trials of one person are not independent: read it with care",
            ),
            ColumnDoc::new("sentence", "APA-formatted result"),
            ColumnDoc::new("reason", "why the result, or its interval, is missing"),
        ],
    })
}
