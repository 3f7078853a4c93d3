//! Diagnostics of the mixed models: their residuals, and the influence of single people or levels on their effects.

#![expect(missing_docs, reason = "what a column means is said once, as its meaning")]

use crate::columns::MIXED_MODEL as MODEL;
use crate::model_specification::{Said, belongs_to};
use plymap_statistics::record::*;
use plymap_statistics::stats::correlation::{CorrelationKind, correlate};
use plymap_statistics::stats::describe::{describe, quantile};
use plymap_statistics::stats::distribution::normal_upper_quantile;
use plymap_statistics::stats::interval::proportion;
use plymap_statistics::stats::mixed::{Diagnostics, Family, INTERCEPT, MixedModel};
use plymap_statistics::stats::mixed::{EFFECT, FACTOR};
use plymap_statistics::stats::{Confidence, apa};
use plymap_tables::Table;

/// The tables of diagnostics, which stand in an appendix.
pub const DIAGNOSTIC_TABLES: [&str; 3] = ["model_diagnostics", "model_residuals", "model_influence"];

/// Bins of fitted values.
const N_BINS: usize = 20;
/// Residuals beyond so many standard deviations are outlying.
const OUTLYING: f64 = 3.0;

// From here on a sentence says that something is wrong.
const MUCH_SKEWNESS: f64 = 1.0;
const MANY_OUTLYING: f64 = 0.02;
const UNEQUAL_SPREAD: f64 = 1.5;
const MUCH_AUTOCORRELATION: f64 = 0.1;
const MANY_BINS_OFF: usize = 4;
const MUCH_INFLUENCE: f64 = 1.0;

pub const SKEWNESS: Column = number("skewness", "skewness G1 of the residuals; of a linear model");
const SHARE_OUTLYING: Column = number(
    "share_outlying",
    "share of residuals beyond three standard deviations; .0027 of normal ones; of a linear model",
);
pub const SPREAD_RATIO: Column = number(
    "spread_ratio",
    "standard deviation of the residuals in the highest third of fitted values over that in the lowest; of a linear model",
);
pub const N_BINS_OFF: Column = count(
    "n_bins_off",
    "of 20 bins of the fitted probability those whose observed share is farther from the mean probability than its interval allows; about one of 20 by chance; of a logistic model",
);
const AUTOCORRELATION: Column = number(
    "autocorrelation",
    "correlation of the residual with the next one: of the next move of the attempt, or of the next trial of the participant",
);
const N_PAIRS: Column = count("n_pairs", "number of such pairs");
const PARTICIPANT: Column = text("participant", "the participant without whom a tested effect would change most");
pub const PARTICIPANT_CHANGE: Column = number("participant_change", CHANGE_MEANING);
const LEVEL: Column = text("level", "the level without which a tested effect would change most");
pub const LEVEL_CHANGE: Column = number("level_change", CHANGE_MEANING);
const CHANGE_MEANING: &str =
    "by how many of its standard errors, variances staying as they are (DFBETAS of Belsley, Kuh and Welsch, 1980)";
const REMARK: Column = text(
    "remark",
    "what is wrong: skewness beyond 1, more than 2 % of residuals outlying, a ratio of spreads beyond 1.5, an autocorrelation beyond .1, more than 4 bins off, or a change beyond 1 standard error",
);
const ROWS: &[Column] = &[
    MODEL,
    N.means("number of trials or moves in the model"),
    SKEWNESS,
    SHARE_OUTLYING,
    SPREAD_RATIO,
    N_BINS_OFF,
    AUTOCORRELATION,
    N_PAIRS,
    PARTICIPANT,
    PARTICIPANT_CHANGE,
    LEVEL,
    LEVEL_CHANGE,
    REMARK,
];

pub const PART: Column = text(
    "part",
    "fitted: standardised residuals of a linear model by its fitted values, in bins of equal size; quantiles: residuals against the normal distribution; shares: what happened against the fitted probability, in bins of equal size",
)
.levels(&["fitted", "quantiles", "shares"]);
pub const X: Column = number(
    "x",
    "mean fitted value of the bin; of quantiles the standard normal one; of shares the mean fitted probability",
);
pub const Y: Column =
    number("y", "median residual of the bin; of quantiles that of the residuals; of shares the observed one");
pub const LOWEST: Column = number("lowest", "5th percentile of the residuals of the bin");
pub const Q1: Column = number("q1", "25th percentile; of shares the lower end of the interval (Wilson, 1927)");
pub const Q3: Column = number("q3", "75th percentile; of shares the upper end of the interval");
pub const HIGHEST: Column = number("highest", "95th percentile");
const RESIDUALS: &[Column] = &[
    MODEL,
    PART,
    N.means("number of observations in the bin; of quantiles in the model"),
    X,
    Y,
    LOWEST,
    Q1,
    Q3,
    HIGHEST,
];

const LABEL: Column = text("label", "the participant or level that is left out");
pub const CHANGE: Column = number("change", CHANGE_MEANING);
const INFLUENCE: &[Column] = &[
    MODEL,
    FACTOR.means("participant or level"),
    LABEL,
    N.means("number of trials or moves of it"),
    EFFECT.means("the tested effect that would change most without it"),
    CHANGE,
];

/// The rows of the three tables that one model gives.
#[derive(Debug, Default)]
pub(super) struct Report {
    row: Record,
    residuals: Vec<Record>,
    influence: Vec<Record>,
}

impl Report {
    /// The diagnostics of a model that is about these terms; `next` are pairs of observations that follow each other.
    pub fn new(
        name: &str,
        model: &MixedModel,
        said: &[Said],
        next: &[(usize, usize)],
        confidence: Confidence,
    ) -> Option<Self> {
        let diagnostics = model.diagnostics()?;
        let named = Record::new().set(MODEL, name);
        let (first, second): (Vec<f64>, Vec<f64>) =
            next.iter().map(|&(earlier, later)| (diagnostics.residuals[earlier], diagnostics.residuals[later])).unzip();
        let autocorrelation = correlate(CorrelationKind::Pearson, &first, &second, confidence).estimate();
        let influence: Vec<Record> = influence(model, diagnostics, said).collect();
        let mut row = named.clone().set(N, model.n).set(AUTOCORRELATION, autocorrelation).set(N_PAIRS, next.len());
        let mut residuals = Vec::new();
        match model.family {
            Family::Normal => {
                let n_outlying = diagnostics.residuals.iter().filter(|residual| residual.abs() > OUTLYING).count();
                row = row
                    .set(SKEWNESS, describe(&diagnostics.residuals).skewness)
                    .set(SHARE_OUTLYING, n_outlying as f64 / model.n as f64)
                    .set(SPREAD_RATIO, spread_ratio(diagnostics));
                residuals.extend(by_fitted(diagnostics));
                residuals.extend(quantiles(diagnostics));
            }
            Family::Logistic => {
                let bins: Vec<Record> = shares(diagnostics, confidence).collect();
                let is_off = |bin: &&Record| {
                    let at = |column| bin.number(column).unwrap_or(f64::NAN);
                    !(at(Q1)..=at(Q3)).contains(&at(X))
                };
                row = row.set(N_BINS_OFF, bins.iter().filter(is_off).count());
                residuals.extend(bins);
            }
        }
        for (factor, label, change) in
            [("participant", PARTICIPANT, PARTICIPANT_CHANGE), ("level", LEVEL, LEVEL_CHANGE)]
        {
            let of_factor = influence.iter().filter(|record| record.text(FACTOR) == Some(factor));
            let size = |record: &&Record| record.number(CHANGE).unwrap_or(0.0).abs();
            if let Some(most) = of_factor.max_by(|left, right| size(left).total_cmp(&size(right))) {
                row = row.set(label, most.text(LABEL).unwrap_or_default()).set(change, most.number(CHANGE));
            }
        }
        let remark = remark(&row, &influence);
        let row = if remark.is_empty() { row } else { row.set(REMARK, remark) };
        Some(Self { row, residuals: named.clone().shared_by(residuals), influence: named.shared_by(influence) })
    }

    /// Returns the problems of the model in words; `None` where none is seen.
    pub fn remark(&self) -> Option<&str> {
        self.row.text(REMARK)
    }
}

/// The three tables.
pub(super) fn tables(reports: &[&Report]) -> [Table; 3] {
    let all = |rows: fn(&Report) -> &Vec<Record>| {
        reports.iter().flat_map(|report| rows(report).clone()).collect::<Vec<Record>>()
    };
    let rows: Vec<Record> = reports.iter().map(|report| report.row.clone()).collect();
    let [of_models, of_residuals, of_influence] = DIAGNOSTIC_TABLES;
    [
        Table::of_records(
            of_models,
            "What speaks against the mixed models: a row for each that has a fit.",
            ROWS,
            &rows,
        ),
        Table::of_records(
            of_residuals,
            "Residuals of the mixed models, as their figures show them.",
            RESIDUALS,
            &all(|report| &report.residuals),
        ),
        Table::of_records(
            of_influence,
            "What single participants and levels do to the tested effects of the mixed models; of more than 100, the 100 of the greatest influence.",
            INFLUENCE,
            &all(|report| &report.influence),
        ),
    ]
}

fn remark(row: &Record, influence: &[Record]) -> String {
    let beyond = |column: Column, limit: f64| row.number(column).filter(|value| value.abs() > limit);
    let mut all = Vec::new();
    if let Some(skewness) = beyond(SKEWNESS, MUCH_SKEWNESS) {
        all.push(format!("residuals are skewed (G1 = {})", apa::number(skewness, 1)));
    }
    if let Some(share) = beyond(SHARE_OUTLYING, MANY_OUTLYING) {
        all.push(format!("{} % of residuals are beyond three standard deviations", apa::number(100.0 * share, 1)));
    }
    if let Some(ratio) = row.number(SPREAD_RATIO).filter(|ratio| ratio.max(1.0 / ratio) > UNEQUAL_SPREAD) {
        let (times, than) = if ratio > 1.0 { (ratio, "high") } else { (1.0 / ratio, "low") };
        all.push(format!("residuals spread {} times as much where fitted values are {than}", apa::number(times, 1)));
    }
    if let Some(n) = beyond(N_BINS_OFF, MANY_BINS_OFF as f64) {
        all.push(format!("in {n} of {N_BINS} bins the observed share is not that of the fitted probability"));
    }
    if let Some(r) = beyond(AUTOCORRELATION, MUCH_AUTOCORRELATION) {
        all.push(format!("successive residuals are alike (r = {})", apa::bounded(r, 2)));
    }
    for (label, change) in [(PARTICIPANT, PARTICIPANT_CHANGE), (LEVEL, LEVEL_CHANGE)] {
        let (Some(name), Some(by)) = (row.text(label), beyond(change, MUCH_INFLUENCE)) else { continue };
        let effect =
            influence.iter().find(|record| record.text(LABEL) == Some(name) && record.number(CHANGE) == Some(by));
        let effect = effect.and_then(|record| record.text(EFFECT)).unwrap_or_default();
        all.push(format!(
            "without the {} {name} the effect of {effect} would change by {} standard errors",
            label.name,
            apa::number(by.abs(), 1)
        ));
    }
    all.join("; ")
}

/// Returns, for each label, the tested effect that it moves most.
fn influence<'a>(
    model: &'a MixedModel,
    diagnostics: &'a Diagnostics,
    said: &'a [Said],
) -> impl Iterator<Item = Record> + 'a {
    let is_tested = |place: &usize| {
        let name = model.fixed[*place].name.as_str();
        name != INTERCEPT && said.iter().any(|said| belongs_to(name, &said.term))
    };
    let tested: Vec<usize> = (0..model.fixed.len()).filter(is_tested).collect();
    diagnostics.influence.iter().filter(|group| ["participant", "level"].contains(&group.factor.as_str())).filter_map(
        move |group| {
            let size = |place: &&usize| group.changes[**place].abs();
            let most = *tested.iter().max_by(|left, right| size(left).total_cmp(&size(right)))?;
            let row = Record::new().set(FACTOR, group.factor.as_str()).set(LABEL, group.label.as_str()).set(N, group.n);
            Some(row.set(EFFECT, model.fixed[most].name.as_str()).set(CHANGE, group.changes[most]))
        },
    )
}

/// The observations in bins of equal numbers by their fitted values; fewer bins where there are few of them.
fn bins(diagnostics: &Diagnostics) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..diagnostics.fitted.len()).collect();
    order.sort_by(|&left, &right| diagnostics.fitted[left].total_cmp(&diagnostics.fitted[right]));
    let n_bins = N_BINS.min(order.len() / 5).max(1);
    (0..n_bins).map(|bin| order[bin * order.len() / n_bins..(bin + 1) * order.len() / n_bins].to_vec()).collect()
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count() as f64
}

fn by_fitted(diagnostics: &Diagnostics) -> impl Iterator<Item = Record> + '_ {
    bins(diagnostics).into_iter().map(|rows| {
        let residuals: Vec<f64> = rows.iter().map(|&row| diagnostics.residuals[row]).collect();
        let at = |share: f64| quantile(&residuals, share).ok();
        let record = Record::new().set(PART, "fitted").set(N, rows.len());
        let record = record.set(X, mean(rows.iter().map(|&row| diagnostics.fitted[row]))).set(Y, at(0.5));
        record.set(LOWEST, at(0.05)).set(Q1, at(0.25)).set(Q3, at(0.75)).set(HIGHEST, at(0.95))
    })
}

/// Residuals at 99 quantiles, and the least and the greatest.
fn quantiles(diagnostics: &Diagnostics) -> impl Iterator<Item = Record> + '_ {
    let n = diagnostics.residuals.len();
    let end = 0.5 / n as f64;
    let inner =
        (1..100).map(|percent| f64::from(percent) / 100.0).filter(move |&share| share > end && share < 1.0 - end);
    let shares = std::iter::once(end).chain(inner).chain([1.0 - end]);
    shares.map(move |share| {
        let record = Record::new().set(PART, "quantiles").set(N, n).set(X, normal_upper_quantile(1.0 - share));
        record.set(Y, quantile(&diagnostics.residuals, share).ok())
    })
}

/// Computes the share of events in bins of the fitted probability.
fn shares(diagnostics: &Diagnostics, confidence: Confidence) -> impl Iterator<Item = Record> + '_ {
    bins(diagnostics).into_iter().map(move |rows| {
        // What happened is above its probability.
        let n_events = rows.iter().filter(|&&row| diagnostics.residuals[row] > 0.0).count();
        let share = proportion(n_events as u64, rows.len() as u64, confidence);
        let record = Record::new().set(PART, "shares").set(N, rows.len());
        let record = record.set(X, mean(rows.iter().map(|&row| diagnostics.fitted[row]))).set(Y, share.estimate);
        record.set(Q1, share.lower).set(Q3, share.upper)
    })
}

fn spread_ratio(diagnostics: &Diagnostics) -> Option<f64> {
    let mut order: Vec<usize> = (0..diagnostics.fitted.len()).collect();
    order.sort_by(|&left, &right| diagnostics.fitted[left].total_cmp(&diagnostics.fitted[right]));
    let third = order.len() / 3;
    let sd = |rows: &[usize]| {
        let residuals: Vec<f64> = rows.iter().map(|&row| diagnostics.residuals[row]).collect();
        describe(&residuals).sd
    };
    let (low, high) = (sd(&order[..third])?, sd(&order[order.len() - third..])?);
    (low > 0.0).then(|| high / low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(fitted: &[f64], residuals: &[f64]) -> Diagnostics {
        Diagnostics { fitted: fitted.to_vec(), residuals: residuals.to_vec(), influence: Vec::new() }
    }

    #[test]
    fn bins_have_equal_numbers_in_the_order_of_fitted_values() {
        let fitted: Vec<f64> = (0..100).map(|n| f64::from((n * 37) % 100)).collect();
        let rows: Vec<Record> = by_fitted(&found(&fitted, &fitted)).collect();
        assert_eq!((rows.len(), rows[0].number(N), rows[0].number(X)), (20, Some(5.0), Some(2.0)));
        assert_eq!((rows[19].number(Y), rows[19].number(LOWEST)), (Some(97.0), Some(95.2)));
        // Few observations make fewer bins.
        assert_eq!(by_fitted(&found(&fitted[..12], &fitted[..12])).count(), 2);
    }

    #[test]
    fn shares_are_compared_with_probabilities() {
        // What happened is above its probability; here it happened to nine of ten, expected of half of them.
        let residuals: Vec<f64> = (0..100).map(|n| if n % 10 == 0 { -1.0 } else { 1.0 }).collect();
        let rows: Vec<Record> = shares(&found(&[0.5; 100], &residuals), Confidence::default()).collect();
        assert!(rows.iter().all(|row| row.number(X) == Some(0.5)));
        let n: f64 = rows.iter().map(|row| row.number(Y).unwrap() * row.number(N).unwrap()).sum();
        assert!((n - 90.0).abs() < 1e-9);
    }

    #[test]
    fn the_spread_is_that_of_high_fitted_values_over_that_of_low_ones() {
        let fitted: Vec<f64> = (0..90).map(f64::from).collect();
        let residuals: Vec<f64> =
            (0..90).map(|n| if n % 2 == 0 { 1.0 } else { -1.0 } * f64::from(n / 30 + 1)).collect();
        assert!((spread_ratio(&found(&fitted, &residuals)).unwrap() - 3.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_wrong_is_said_and_nothing_else() {
        let fine = Record::new().set(SKEWNESS, 0.9).set(SHARE_OUTLYING, 0.01).set(SPREAD_RATIO, 0.7);
        let fine = fine.set(AUTOCORRELATION, -0.09).set(LEVEL, "l1").set(LEVEL_CHANGE, 0.9);
        assert_eq!(remark(&fine, &[]), "");
        let influence = Record::new().set(LABEL, "l1").set(EFFECT, "ply").set(CHANGE, -2.0);
        let wrong = fine.set(SKEWNESS, -1.4).set(SPREAD_RATIO, 0.5).set(LEVEL_CHANGE, -2.0);
        assert_eq!(
            remark(&wrong, &[influence]),
            "residuals are skewed (G1 = −1.4); residuals spread 2.0 times as much where fitted values are low; without the level l1 the effect of ply would change by 2.0 standard errors"
        );
    }
}
