//! Hazard ratios before and after a time.

use super::cox::{Cox, CoxGroups};
use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;
use crate::stats::covariate::{Covariate, Effect};

/// The hazard ratio of a covariate before and after a time.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitHazard {
    /// Change of the log hazard per unit of the covariate, until the time.
    pub before: f64,
    /// The same after it, of those that go on.
    pub after: f64,
    /// The difference `after − before`, with the test that there is none.
    pub change: Effect,
}

/// Splits the effect of each covariate at a time, in the order of the covariates: a Cox model in which all who go on after it
/// begin anew, in strata of their own, and each covariate has a product with being among them (Therneau & Grambsch, 2000,
/// *Modeling survival data*, section 6.5). The effects are those of two models, of times until `at`, at which those that go
/// on are censored, and of times after it; being in one model, with clusters they have a robust standard error of their
/// difference, with degrees of freedom as those of [`cox_grouped`](super::cox::cox_grouped).
///
/// # Errors
///
/// [`NotEstimable`] as the model is, if an effect of one of the parts cannot be estimated.
pub fn split_hazards(
    times: &[f64],
    events: &[bool],
    covariates: &[Covariate],
    groups: CoxGroups,
    at: f64,
    confidence: Confidence,
) -> Result<Vec<SplitHazard>, NotEstimable> {
    let n = times.len();
    let late: Vec<usize> = (0..n).filter(|&row| times[row] > at).collect();
    let rows: Vec<usize> = (0..n).chain(late.iter().copied()).collect();
    let split_times: Vec<f64> =
        times.iter().map(|time| time.min(at)).chain(late.iter().map(|&row| times[row])).collect();
    let split_events: Vec<bool> =
        (0..n).map(|row| events[row] && times[row] <= at).chain(late.iter().map(|&row| events[row])).collect();
    let names: Vec<String> = covariates.iter().map(|covariate| format!("{} after the split", covariate.name)).collect();
    let whole: Vec<Vec<f64>> =
        covariates.iter().map(|covariate| rows.iter().map(|&row| covariate.values[row]).collect()).collect();
    let products: Vec<Vec<f64>> = whole.iter().map(|values| [&vec![0.0; n], &values[n..]].concat()).collect();
    let of_whole = covariates.iter().zip(&whole).map(|(covariate, values)| Covariate { name: covariate.name, values });
    let of_products = names.iter().zip(&products).map(|(name, values)| Covariate { name, values });
    let of_rows =
        |groups: Option<&[usize]>| groups.map(|groups| rows.iter().map(|&row| groups[row]).collect::<Vec<usize>>());
    let (clusters, second_clusters) = (of_rows(groups.clusters), of_rows(groups.second_clusters));
    // An even number before the time, an odd one after it.
    let strata: Vec<usize> = rows
        .iter()
        .enumerate()
        .map(|(place, &row)| 2 * groups.strata.map_or(0, |strata| strata[row]) + usize::from(place >= n))
        .collect();
    let split_groups =
        CoxGroups { clusters: clusters.as_deref(), second_clusters: second_clusters.as_deref(), strata: Some(&strata) };
    let all: Vec<Covariate> = of_whole.chain(of_products).collect();
    let model = Cox::of_blocks(&split_times, &split_events, &all, 2, split_groups, confidence);
    let effects = model.fit.outcome?;
    let (whole, changes) = effects.split_at(covariates.len());
    let splits = whole.iter().zip(changes).map(|(before, change)| SplitHazard {
        before: before.estimate,
        after: before.estimate + change.estimate,
        change: change.clone(),
    });
    Ok(splits.collect())
}
