//! The Rasch model by marginal maximum likelihood.

use serde::Serialize;

use super::levels::{Ability, LevelDifficulty, new_places, start};
use super::marginal::{Estimates, Marginal};
use super::quadrature;
use super::table::{Table, undefined};
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::logistic;

/// Refused where Σ (levels tried by a participant)² exceeds this: one step, of some ten, would take
/// seconds.
pub const MOST_WORK: usize = 400_000_000;

/// More levels than this are refused; their covariances alone would take 32 MB.
pub const MOST_LEVELS: usize = 2_000;

/// Number of points of the quadrature; as many as lme4 allows. Twice as many change no digit that is
/// printed.
const N_NODES: usize = 25;

/// A Rasch model with normally distributed abilities.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Rasch {
    /// Number of participants.
    pub n_participants: usize,
    /// Number of responses to levels with a finite difficulty.
    pub n_responses: usize,
    /// The levels in alphabetical order.
    pub levels: Vec<LevelDifficulty>,
    /// The participants in alphabetical order.
    pub participants: Vec<Ability>,
    /// Standard deviation of the abilities in logits; their mean is 0. It is 0 where participants
    /// differ no more than chance makes them.
    pub ability_sd: Option<f64>,
    /// Standard error of `ability_sd`; absent where that is 0.
    pub ability_sd_error: Option<f64>,
    /// Maximum of the marginal log-likelihood.
    pub log_likelihood: Option<f64>,
    /// Number of parameters: a difficulty for each level that has one, and `ability_sd`.
    pub n_parameters: usize,
    /// Akaike information criterion (AIC).
    pub aic: Option<f64>,
    /// Bayesian information criterion (BIC), with the number of responses as the number of observations.
    pub bic: Option<f64>,
    /// True if the optimiser converged to a maximum of the likelihood.
    pub converged: bool,
    /// Number of steps to get there.
    pub n_steps: usize,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Reason why there is no model, or why the search did not converge.
    pub reason: Option<NotEstimable>,
}

/// Fits the Rasch model by marginal maximum likelihood: abilities are normal with mean 0, their
/// standard deviation is estimated. `participants`, `levels` and `solved` have one element for each
/// response.
///
/// Bock & Aitkin (1981). Marginal maximum likelihood estimation of item parameters: Application of
/// an EM algorithm. *Psychometrika*, 46, 443–459. The same maximum as R's
/// `glmer(solved ~ 0 + level + (1 | participant), family = binomial, nAGQ = 25)`, whose coefficients
/// are the negative difficulties. Infit and outfit: Wright & Masters (1982). *Rating scale analysis*,
/// chapter 5, here at the EAP abilities (Bock & Mislevy, 1982, *Applied Psychological Measurement*,
/// 6, 431–444), which makes them a little smaller than at maximum-likelihood abilities.
///
/// Limits: [`MOST_WORK`], [`MOST_LEVELS`].
///
/// ```
/// use plymap_statistics::stats::{Confidence, rasch::rasch};
///
/// let participants = ["a", "a", "a", "b", "b", "b", "c", "c", "c", "d", "d", "d", "e", "e", "e"];
/// let levels = ["1", "2", "3"].repeat(5);
/// let solved = [1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1].map(|solved| solved == 1);
/// let model = rasch(&participants, &levels, &solved, Confidence::default());
/// assert!(model.converged);
/// assert!(model.levels[1].difficulty > model.levels[2].difficulty);
/// assert_eq!(model.levels[0].reason.as_ref().unwrap().to_string(),
///     "the difficulty is not defined here: all 5 participants solved the level");
/// ```
pub fn rasch<P: AsRef<str>, L: AsRef<str>>(
    participants: &[P],
    levels: &[L],
    solved: &[bool],
    confidence: Confidence,
) -> Rasch {
    let mut model = Rasch { confidence, ..Rasch::default() };
    model.reason = Table::new(participants, levels, solved).and_then(|table| model.fit(&table)).err();
    model
}

impl Rasch {
    fn fit(&mut self, table: &Table) -> Result<(), NotEstimable> {
        let counts = table.of_levels();
        self.n_participants = table.participants.len();
        self.levels = LevelDifficulty::all(table);
        self.participants = Ability::all(table);
        let finite: Vec<usize> = (0..counts.len()).filter(|&level| !counts[level].is_extreme()).collect();
        let rows = table.restricted(&new_places(&finite, counts.len()));
        self.n_responses = rows.iter().map(Vec::len).sum();
        self.n_parameters = finite.len() + 1;
        let needed = "levels that some but not all solved";
        check_count("a Rasch model", needed, finite.len(), 2)?;
        let several = rows.iter().filter(|row| row.len() > 1).count();
        check_count("a Rasch model", "participants with several such levels", several, 2)?;
        check_work(&rows, finite.len())?;
        let rule = quadrature::standard_normal_rule(N_NODES);
        let marginal = Marginal { rows: &rows, n_levels: finite.len(), rule: &rule };
        let start = start(finite.iter().map(|&level| counts[level]));
        let maximum = marginal.maximise(&start);
        let abilities = marginal.abilities(&maximum.difficulties, maximum.sd);
        self.set_estimates(&maximum, &finite);
        self.set_abilities(&rows, &abilities);
        self.set_fit(&rows, &finite, &maximum.difficulties, &abilities);
        match maximum.why {
            Some(why) => Err(undefined(why)),
            None => {
                self.converged = true;
                Ok(())
            }
        }
    }

    fn set_estimates(&mut self, maximum: &Estimates, finite: &[usize]) {
        let error = |place: usize| maximum.covariance.as_ref().map(|covariance| covariance[(place, place)].sqrt());
        for (place, &level) in finite.iter().enumerate() {
            self.levels[level].set(maximum.difficulties[place], error(place), self.confidence);
        }
        self.ability_sd = Some(maximum.sd);
        self.ability_sd_error = if maximum.sd > 0.0 { error(finite.len()) } else { None };
        self.n_steps = maximum.n_steps;
        let (deviance, k) = (-2.0 * maximum.log_likelihood, self.n_parameters as f64);
        self.log_likelihood = Some(maximum.log_likelihood);
        self.aic = Some(deviance + 2.0 * k);
        self.bic = Some(deviance + (self.n_responses as f64).ln() * k);
    }

    fn set_abilities(&mut self, rows: &[Vec<(usize, bool)>], abilities: &[(f64, f64)]) {
        for ((participant, row), &(mean, sd)) in self.participants.iter_mut().zip(rows).zip(abilities) {
            if row.is_empty() {
                let (quantity, why) = ("the ability", "only levels that all or none solved were tried".to_owned());
                participant.reason = Some(NotEstimable::Undefined { quantity, why });
            } else {
                (participant.ability, participant.sd) = (Some(mean), Some(sd));
            }
        }
    }

    fn set_fit(
        &mut self,
        rows: &[Vec<(usize, bool)>],
        finite: &[usize],
        difficulties: &[f64],
        abilities: &[(f64, f64)],
    ) {
        let mut of_levels = vec![MeanSquares::default(); finite.len()];
        for ((participant, row), &(ability, _)) in self.participants.iter_mut().zip(rows).zip(abilities) {
            let mut squares = MeanSquares::default();
            for &(level, solved) in row {
                let p = logistic(ability - difficulties[level]);
                squares.add(p, solved);
                of_levels[level].add(p, solved);
            }
            (participant.infit, participant.outfit) = squares.infit_and_outfit();
        }
        for (&level, squares) in finite.iter().zip(of_levels) {
            (self.levels[level].infit, self.levels[level].outfit) = squares.infit_and_outfit();
        }
    }
}

/// Sums for infit and outfit.
#[derive(Clone, Copy, Default)]
struct MeanSquares {
    n: f64,
    squares: f64,
    variances: f64,
    standardised: f64,
}

impl MeanSquares {
    fn add(&mut self, p: f64, solved: bool) {
        let (residual, variance) = (f64::from(u8::from(solved)) - p, p * (1.0 - p));
        self.n += 1.0;
        self.squares += residual * residual;
        self.variances += variance;
        // The odds against what happened, (1 − p) / p or p / (1 − p), without a difference of numbers near 1.
        self.standardised += if solved { (1.0 - p) / p } else { p / (1.0 - p) };
    }

    fn infit_and_outfit(self) -> (Option<f64>, Option<f64>) {
        (finite(self.squares / self.variances), finite(self.standardised / self.n))
    }
}

fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

fn check_work(rows: &[Vec<(usize, bool)>], n_levels: usize) -> Result<(), NotEstimable> {
    if n_levels > MOST_LEVELS {
        let (quantity, value) = ("the number of levels of a Rasch model", n_levels.to_string());
        return Err(NotEstimable::OutOfRange { quantity, value, allowed: "at most 2,000" });
    }
    let work: usize = rows.iter().map(|row| row.len() * row.len()).sum();
    if work > MOST_WORK {
        let quantity = "the sum of the squared numbers of levels tried";
        return Err(NotEstimable::OutOfRange { quantity, value: work.to_string(), allowed: "at most 400,000,000" });
    }
    Ok(())
}
