//! Correlations between measures of solved trials.

use super::columns::{self, COEFFICIENT, CONFIDENCE, LOWER, METHOD, SENTENCE, UPPER};
use super::measures::{PAIRS, TrialMeasure};
use plymap_measures::measure::{Measures, Trial};
use plymap_statistics::record::{Column, DF, N, N_MISSING, P_VALUE, REASON, Record, STATISTIC, X, Y, text};
use plymap_statistics::stats::correlation::{Correlation, CorrelationKind, correlate};
use plymap_statistics::stats::{Confidence, apa};
use plymap_tables::Table;

/// A correlation over solved trials.
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
            for method in [CorrelationKind::Pearson, CorrelationKind::Spearman] {
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

/// The correlation of the number of moves with the time that the table `within_correlations` has, in words; absent where it
/// has no estimate.
pub fn moves_and_time(table: &Table, scope: &str, method: CorrelationKind) -> Option<String> {
    let row = table.row(&[(X, "n_moves"), (Y, "time_s"), (columns::SCOPE, scope), (METHOD, method.key())])?;
    table.number_at(row, COEFFICIENT)?;
    table.text_at(row, SENTENCE)
}

const SCOPE: Column =
    columns::SCOPE.means("all solved trials pooled, or those of one level").levels(&["pooled", "level"]);
const LEVEL: Column = text("level", "the level; empty for the pooled result");

const COLUMNS: &[Column] = &[
    SCOPE,
    LEVEL,
    X.means("first measure, a column of the table trials"),
    Y.means("second measure, a column of the table trials"),
    METHOD.levels(&["pearson", "spearman"]),
    N.means("number of solved trials with both measures"),
    N_MISSING.means(
        "number of solved trials in which one of the two is missing, or of which rows were left out",
    ),
    COEFFICIENT,
    LOWER.means(
        "lower end of the interval: Fisher z; for Spearman with the standard error of Bonett and Wright (2000); empty where n is below 4, where the coefficient is 1 or −1, and of all trials pooled, which are not independent (within_correlations has their interval)",
    ),
    UPPER.means("upper end of the interval; empty with the lower one"),
    CONFIDENCE,
    DF.means("degrees of freedom, n − 2"),
    STATISTIC.means("t; empty where it is infinite because the correlation is perfect, and of all trials pooled"),
    P_VALUE.means(
        "two-sided p: for Pearson from Student's t; for Spearman exact from all permutations of the ranks, ties included, up to n = 9, above that the t approximation. Empty of all trials pooled, as those of one person are not independent",
    ),
    SENTENCE,
    REASON.means("why the result, or its interval, is missing"),
];

impl TrialCorrelation {
    fn record(&self) -> Record {
        let record = self.result.record();
        // Trials of one person are not independent, so that over all of them there is a description alone.
        let record = match (&self.level, self.result.estimate()) {
            (None, Some(estimate)) => {
                let (symbol, r) = (self.result.method.symbol(), apa::bounded(estimate, 2));
                let sentence = format!("{symbol} = {r}, n = {}", apa::count(self.result.n));
                record.without_cells(&[LOWER, UPPER, DF, STATISTIC, P_VALUE]).set(SENTENCE, sentence)
            }
            _ => record,
        };
        record
            .set(SCOPE, if self.level.is_some() { "level" } else { "pooled" })
            .set(LEVEL, self.level.clone())
            .set(X, self.x.column())
            .set(Y, self.y.column())
            .set(METHOD, self.result.method.key())
            .set(N_MISSING, self.n_missing)
    }
}

/// The table `correlations`.
pub fn correlations_table(correlations: &[TrialCorrelation]) -> Table {
    let records: Vec<Record> = correlations.iter().map(TrialCorrelation::record).collect();
    Table::of_records(
        "correlations",
        "Correlations between measures of solved trials, pooled and by level. Those of all trials are descriptions.",
        COLUMNS,
        &records,
    )
}
