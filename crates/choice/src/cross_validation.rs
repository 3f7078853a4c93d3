//! The likelihood of choices on levels that took no part in the fit.
//!
//! Stone (1974). Cross-validatory choice and assessment of statistical predictions. *Journal of the
//! Royal Statistical Society B*, 36, 111–147. Whole levels are left out, because decisions on one level
//! resemble each other.

use plymap_statistics::apa;
use plymap_statistics::not_estimable::{NotEstimable, check_count};
use plymap_statistics::numeric::newton::Local;
use plymap_statistics::numeric::random::stream;
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::climb::Tried;
use crate::climb::{Climb, Promise};
use crate::decisions::Decisions;
use crate::design::grouping::FoldWeights;
use crate::fit::{Prepared, chance, finite};
use crate::model::Model;

/// The decisions that are left out together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Folds {
    /// Each level in turn.
    EachLevel,
    /// Random groups of levels, whose numbers of levels differ by at most 1.
    Groups {
        /// Number of groups; no more than there are levels.
        n_folds: usize,
        /// Seed of the draw.
        seed: u64,
    },
    /// Random groups of decisions, whatever their level, whose sizes differ by at most 1. What is left out then
    /// resembles what is not.
    Decisions {
        /// Number of groups; no more than there are decisions.
        n_folds: usize,
        /// Seed of the draw.
        seed: u64,
    },
}

/// A fold of the cross-validation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fold {
    /// Number of levels left out.
    pub n_levels: usize,
    /// Number of decisions left out.
    pub n: usize,
    /// Number of decisions that the model was fitted to.
    pub n_training: usize,
    /// ln L of the decisions left out.
    pub log_likelihood: Option<f64>,
    /// True if the fit converged.
    pub converged: bool,
    /// Reason why there is no likelihood.
    pub reason: Option<NotEstimable>,
}

/// A model judged by levels that were left out of its fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrossValidation {
    /// The model.
    pub model: Model,
    /// Number of decisions.
    pub n: usize,
    /// The folds; with [`Folds::EachLevel`] in the order of the levels.
    pub folds: Vec<Fold>,
    /// Sum of ln L over all folds; absent if a fold has none.
    pub log_likelihood: Option<f64>,
    /// The same for each decision.
    pub mean_log_likelihood: Option<f64>,
    /// ln L of chance without habits, which needs no fit.
    pub log_likelihood_chance: Option<f64>,
    /// True if the fits of all folds converged.
    pub converged: bool,
    /// Reason why there is no likelihood, or why it cannot be trusted.
    pub reason: Option<NotEstimable>,
}

/// Fits a model to all levels but some, and takes the likelihood of the choices on those, until each
/// level has been left out once.
///
/// Whole numbers (k, d) are chosen anew in every fold; other parameters are sought from their maximum over all decisions. A whole number is
/// not tried in a fold where, from there, four times the gain that one step of Newton's method promises, and 1, would not make it as good as another one. Where the likelihood of a fold is monotone
/// in β, u or s, the value that is carried over gives the smallest difference between two moves log
/// odds of 30. A lapse rate of 0 gives probability 0 to a choice left out that is not optimal; then
/// there is no sum, and the reason says so.
pub fn cross_validate(decisions: &Decisions, model: &Model, folds: Folds) -> CrossValidation {
    Prepared::new(decisions, model).cross_validate(folds)
}

impl Prepared<'_> {
    /// The model judged by what is left out; see [`cross_validate`].
    pub fn cross_validate(&self, folds: Folds) -> CrossValidation {
        let mut result = CrossValidation {
            model: self.model,
            n: self.decisions.n(),
            folds: Vec::new(),
            log_likelihood: None,
            mean_log_likelihood: None,
            log_likelihood_chance: None,
            converged: false,
            reason: None,
        };
        result.reason = result.complete(self, folds).err();
        result
    }
}

impl CrossValidation {
    fn complete(&mut self, prepared: &Prepared, folds: Folds) -> Result<(), NotEstimable> {
        let decisions = prepared.decisions;
        let (folds, n_folds) = numbered(decisions, folds)?;
        let tried = prepared.tried.as_ref().map_err(Clone::clone)?;
        let weights: Vec<FoldWeights> =
            tried.iter().map(|attempt| attempt.design.fold_weights(n_folds, &folds)).collect();
        let without = tried.iter().zip(&weights).map(|(fit, weights)| fit.climb.without_parts(&fit.design, weights));
        let (sizes, only_in) = (sizes(decisions, &folds), only_in(decisions, &folds, tried));
        let all = Partition { sizes, only_in, tried, without: without.collect(), weights };
        self.folds = (0..n_folds).into_par_iter().map(|fold| all.fold(fold, &self.model)).collect();
        self.log_likelihood_chance = Some(chance(decisions));
        self.converged = self.folds.iter().all(|fold| fold.converged);
        if let Some(reason) = self.folds.iter().find_map(|fold| fold.reason.clone()) {
            return Err(reason);
        }
        let sum: f64 = self.folds.iter().filter_map(|fold| fold.log_likelihood).sum();
        self.log_likelihood = Some(sum);
        self.mean_log_likelihood = Some(sum / self.n as f64);
        if self.converged {
            return Ok(());
        }
        let n_failed = self.folds.iter().filter(|fold| !fold.converged).count();
        let why = format!("the fit did not converge in {n_failed} of {} folds", self.folds.len());
        Err(NotEstimable::Undefined { quantity: "the cross-validated likelihood", why })
    }

    /// `lapse-optimal: cross-validated ln L = −812.45 (−2.02 for each decision), 20 folds, n = 402`.
    pub fn sentence(&self) -> String {
        let (Some(sum), Some(mean)) = (self.log_likelihood, self.mean_log_likelihood) else {
            return apa::not_estimable(&self.model.key(), self.n, self.reason.as_ref());
        };
        let (sum, mean) = (apa::number(sum, 2), apa::number(mean, 2));
        let n_folds = self.folds.len();
        format!(
            "{}: cross-validated ln L = {sum} ({mean} for each decision), {n_folds} folds, n = {}",
            self.model,
            apa::count(self.n)
        )
    }
}

/// The decisions in folds, as a model sees them.
struct Partition<'a> {
    /// Numbers of decisions and of levels in each fold.
    sizes: Vec<(usize, usize)>,
    /// The fold that alone has the distance of each whole number, if one does: without that fold it is not tried.
    only_in: Vec<Option<usize>>,
    /// The fit of each whole number, with its maximum over all decisions.
    tried: &'a [Tried],
    /// The contents of each fold, for each of them.
    weights: Vec<FoldWeights>,
    /// The likelihood without each fold at the maximum over all decisions, for each of them, if there is one.
    without: Vec<Option<Vec<Local>>>,
}

impl Partition<'_> {
    fn fold(&self, fold: usize, model: &Model) -> Fold {
        let (n, n_levels) = self.sizes[fold];
        let without_fold = self.fitted_without(fold);
        let converged = without_fold.as_ref().is_ok_and(|(_, _, converged)| *converged);
        let likelihood = |(place, point, _): (usize, Vec<f64>, bool)| {
            let left_out = self.tried[place].design.of_fold(&self.weights[place], fold);
            finite(left_out.log_likelihood(&point), model)
        };
        let (log_likelihood, reason) = match without_fold.and_then(likelihood) {
            Ok(value) => (Some(value), None),
            Err(reason) => (None, Some(reason)),
        };
        Fold {
            n_levels,
            n,
            n_training: self.sizes.iter().map(|(n, _)| n).sum::<usize>() - n,
            log_likelihood,
            converged,
            reason,
        }
    }

    /// The maximum without a fold: which whole number, the other parameters on their scales, and whether the search converged.
    /// Whole numbers that no other fold has are not tried.
    fn fitted_without(&self, fold: usize) -> Result<(usize, Vec<f64>, bool), NotEstimable> {
        let places: Vec<usize> = (0..self.tried.len()).filter(|&place| self.only_in[place] != Some(fold)).collect();
        check_count("eureka", "decisions with a distance", places.len(), 1)?;
        let local = |place: usize| self.without[place].as_ref().map(|folds| &folds[fold]);
        let promises: Vec<Promise> = match &places[..] {
            [_] => vec![Promise::ANY],
            _ => places.iter().map(|&place| self.tried[place].climb.promise(local(place))).collect(),
        };
        let least = promises.iter().map(|promise| promise.least).fold(f64::NEG_INFINITY, f64::max);
        let hopeful = places.into_iter().zip(promises).filter(|(_, promise)| promise.most >= least);
        let (places, tried): (Vec<usize>, Vec<Tried>) = hopeful
            .map(|(place, _)| {
                let Tried { whole, design, climb } = &self.tried[place];
                let design = design.without_fold(&self.weights[place], fold);
                (place, Tried { whole: *whole, climb: Climb::near(&design, climb, local(place)), design })
            })
            .unzip();
        let best = Tried::best(&tried).map(|best| best.whole);
        let place_of_best = tried.iter().position(|attempt| Some(attempt.whole) == best).unwrap_or_default();
        let maximum = &tried[place_of_best].climb.maximum;
        Ok((places[place_of_best], maximum.point.as_slice().to_vec(), maximum.converged))
    }
}

/// Numbers of decisions and of levels in each fold.
fn sizes(decisions: &Decisions, folds: &[usize]) -> Vec<(usize, usize)> {
    let mut levels: Vec<(usize, u32)> =
        folds.iter().enumerate().map(|(decision, &fold)| (fold, decisions.level(decision))).collect();
    levels.sort_unstable();
    let of_folds = levels.chunk_by(|left, right| left.0 == right.0);
    of_folds.map(|levels| (levels.len(), levels.chunk_by(|left, right| left == right).count())).collect()
}

/// The fold that alone has the distance of each whole number, if one does.
fn only_in(decisions: &Decisions, folds: &[usize], tried: &[Tried]) -> Vec<Option<usize>> {
    let only_in = |attempt: &Tried| {
        let distance = attempt.whole.eureka_distance?;
        let has_it = |decision: &usize| decisions.distance(*decision) == Some(distance);
        let mut with_it = (0..folds.len()).filter(has_it).map(|decision| folds[decision]);
        let first = with_it.next()?;
        with_it.all(|fold| fold == first).then_some(first)
    };
    tried.iter().map(only_in).collect()
}

/// The number of the fold of each decision, and how many folds there are.
pub(crate) fn numbered(decisions: &Decisions, folds: Folds) -> Result<(Vec<usize>, usize), NotEstimable> {
    let levels = decisions.levels();
    let (items, of_decision): (usize, Vec<usize>) = match folds {
        Folds::Decisions { .. } => (decisions.n(), (0..decisions.n()).collect()),
        _ => {
            let index_of_level = |decision| levels.binary_search(&decisions.level(decision)).unwrap_or_default();
            (levels.len(), (0..decisions.n()).map(index_of_level).collect())
        }
    };
    let groups = groups(items, folds)?;
    let n_folds = groups.iter().max().map_or(0, |last| last + 1);
    Ok((of_decision.into_iter().map(|item| groups[item]).collect(), n_folds))
}

/// The fold of each of `n` levels or decisions.
fn groups(n: usize, folds: Folds) -> Result<Vec<usize>, NotEstimable> {
    let (unit, n_folds, seed) = match folds {
        Folds::EachLevel => ("levels", n, None),
        Folds::Groups { n_folds, seed } => ("levels", n_folds, Some(seed)),
        Folds::Decisions { n_folds, seed } => ("decisions", n_folds, Some(seed)),
    };
    let quantity = "cross-validation";
    check_count(quantity, unit, n, 2)?;
    let Some(seed) = seed else { return Ok((0..n).collect()) };
    if n_folds < 2 {
        let (value, allowed) = (n_folds.to_string(), "at least 2");
        return Err(NotEstimable::OutOfRange { quantity: "the number of folds", value, allowed });
    }
    check_count(quantity, unit, n, n_folds)?;
    let mut shuffled: Vec<usize> = (0..n).collect();
    let mut generator = stream(seed, 0);
    for last in (1..n).rev() {
        // By multiplication; the bias is below n / 2^64.
        let other = ((u128::from(generator.next_u64()) * (last as u128 + 1)) >> 64) as usize;
        shuffled.swap(last, other);
    }
    let mut groups = vec![0; n];
    for (place, item) in shuffled.into_iter().enumerate() {
        groups[item] = place % n_folds;
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_left_out_once() {
        let sizes = |folds: &[usize]| [0, 1, 2].map(|fold| folds.iter().filter(|&&other| other == fold).count());
        let drawn = groups(7, Folds::Groups { n_folds: 3, seed: 4 }).unwrap();
        assert_eq!((drawn.len(), sizes(&drawn)), (7, [3, 2, 2]));
        assert_ne!(groups(7, Folds::Groups { n_folds: 3, seed: 5 }).unwrap(), drawn);
        assert_eq!(groups(7, Folds::Decisions { n_folds: 3, seed: 4 }).unwrap(), drawn);
        assert_eq!(groups(7, Folds::EachLevel).unwrap(), [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn too_few_levels_or_folds_are_refused() {
        let reason = |n: usize, folds| groups(n, folds).unwrap_err().to_string();
        assert_eq!(reason(1, Folds::EachLevel), "cross-validation needs at least 2 levels, found 1");
        let five = Folds::Groups { n_folds: 5, seed: 0 };
        assert_eq!(reason(3, five), "cross-validation needs at least 5 levels, found 3");
        let decisions = Folds::Decisions { n_folds: 5, seed: 0 };
        assert_eq!(reason(3, decisions), "cross-validation needs at least 5 decisions, found 3");
        let single = Folds::Groups { n_folds: 1, seed: 0 };
        assert_eq!(reason(3, single), "the number of folds is 1, but must be at least 2");
    }
}
