//! The marginal likelihood of the Rasch model and its maximum.
//!
//! The integral over each participant's ability is taken by Gauss–Hermite quadrature around the mode
//! of the integrand, in units of its curvature there (Liu & Pierce, 1994, *Biometrika*, 81, 624–629):
//! after many levels the ability is known so well that nodes placed without regard to the responses
//! would miss it. Its maximum is found by Newton's method; where the likelihood does not curve
//! downwards, the information that complete data would have (Bock & Aitkin, 1981) takes the place
//! of the observed one, which always goes uphill.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use crate::numeric::distribution::{logistic, softplus};
use crate::numeric::newton::halving;

/// Largest number of steps.
const MOST_STEPS: usize = 200;

/// Newton's method has converged when it expects to gain less log-likelihood than this.
const ARRIVED: f64 = 1e-11;

/// The fit has converged if no more than this much log-likelihood can be expected.
const CONVERGED: f64 = 1e-7;

/// Largest standard deviation of the abilities; beyond it they are so different that solved or not no longer measures
/// them, and the points of the quadrature are too few.
const LARGEST_SD: f64 = 20.0;

/// Limit on the steps towards the mode of one participant's ability.
const MOST_MODE_STEPS: usize = 200;

/// The levels tried by a participant and whether each was solved.
type Responses = [(usize, bool)];

/// Responses and the rule to integrate with.
pub(super) struct Marginal<'a> {
    pub rows: &'a [Vec<(usize, bool)>],
    pub n_levels: usize,
    pub rule: &'a [(f64, f64)],
}

/// End of the search.
pub(super) struct Estimates {
    pub difficulties: Vec<f64>,
    /// Standard deviation of the abilities.
    pub sd: f64,
    pub log_likelihood: f64,
    /// Covariance of the difficulties and, last, of `sd`; of the difficulties alone if `sd` is 0.
    pub covariance: Option<DMatrix<f64>>,
    pub n_steps: usize,
    /// Reason why the search did not converge.
    pub why: Option<String>,
}

/// The posterior distribution of one participant's ability, in units of `sd`.
struct Posterior {
    /// Places and probabilities.
    nodes: Vec<(f64, f64)>,
    log_likelihood: f64,
}

/// The log-likelihood with its derivatives in the difficulties and, last, in `sd`.
struct Slopes {
    log_likelihood: f64,
    gradient: DVector<f64>,
    /// Information that the responses would have if the abilities were known.
    complete: DMatrix<f64>,
    /// Loss of it because they are not.
    lost: DMatrix<f64>,
}

impl Marginal<'_> {
    /// Climbs to the maximum from the difficulties `start` and a standard deviation of 1.
    pub fn maximise(&self, start: &[f64]) -> Estimates {
        let mut point = DVector::from_column_slice(start).push(1.0);
        let mut n_steps = 0;
        let mut expected = f64::INFINITY;
        while n_steps < MOST_STEPS && expected > ARRIVED && point[self.n_levels] < LARGEST_SD {
            n_steps += 1;
            let slopes = self.slopes(&point);
            let Some((direction, gain)) = ascent(&slopes) else { break };
            expected = gain;
            match self.along(&point, &direction, slopes.log_likelihood) {
                Some(next) => point = next,
                None => break,
            }
        }
        // At 0 the derivative by the standard deviation is 0 whatever the data, so that Newton's method cannot tell
        // whether it is the maximum; the two likelihoods can.
        let without = self.without_spread(start);
        if without.log_likelihood >= self.log_likelihood(&point) - 1e-9 {
            return Estimates { n_steps, ..without };
        }
        self.finish(point, n_steps)
    }

    /// Mean and standard deviation of the posterior of each participant's ability, by the same
    /// quadrature.
    pub fn abilities(&self, difficulties: &[f64], sd: f64) -> Vec<(f64, f64)> {
        let of_row = |row: &Vec<(usize, bool)>| {
            let posterior = self.posterior(row, difficulties, sd);
            let mean: f64 = posterior.nodes.iter().map(|(node, weight)| node * weight).sum();
            let square: f64 = posterior.nodes.iter().map(|(node, weight)| (node - mean).powi(2) * weight).sum();
            (sd * mean, sd * square.sqrt())
        };
        self.rows.iter().map(of_row).collect()
    }

    fn finish(&self, point: DVector<f64>, n_steps: usize) -> Estimates {
        let slopes = self.slopes(&point);
        let decomposed = observed(&slopes);
        let expected =
            decomposed.as_ref().map(|information| 0.5 * slopes.gradient.dot(&information.solve(&slopes.gradient)));
        let covariance = decomposed.map(|information| information.inverse());
        let flat = covariance.as_ref().is_none_or(|covariance| covariance.diagonal().max() > 1e6);
        let sd = point[self.n_levels];
        let why = if sd >= LARGEST_SD {
            Some("the likelihood keeps rising with the differences between participants".to_owned())
        } else if flat {
            Some("the likelihood has no clear maximum: too few participants tried several levels".to_owned())
        } else {
            let expected = expected.unwrap_or(f64::INFINITY);
            (expected > CONVERGED).then(|| format!("the log-likelihood could still rise by {expected:e}"))
        };
        let difficulties = point.rows(0, self.n_levels).iter().copied().collect();
        let log_likelihood = slopes.log_likelihood;
        Estimates { difficulties, sd, log_likelihood, covariance: covariance.filter(|_| !flat), n_steps, why }
    }

    /// The model in which all participants are equally able: each level for itself.
    fn without_spread(&self, start: &[f64]) -> Estimates {
        let mut counts = vec![(0.0, 0.0); start.len()];
        for &(level, solved) in self.rows.iter().flatten() {
            counts[level].0 += 1.0;
            counts[level].1 += f64::from(u8::from(solved));
        }
        let difficulties: Vec<f64> = counts.iter().map(|(n, solved)| ((n - solved) / solved).ln()).collect();
        let variances = counts.iter().map(|(n, solved)| n / (solved * (n - solved)));
        let covariance = DMatrix::from_diagonal(&DVector::from_iterator(start.len(), variances));
        let log_likelihood = self.log_likelihood(&DVector::from_column_slice(&difficulties).push(0.0));
        Estimates { difficulties, sd: 0.0, log_likelihood, covariance: Some(covariance), n_steps: 0, why: None }
    }

    /// The longest of the step, its half, its quarter, … that does not lower the log-likelihood.
    fn along(&self, point: &DVector<f64>, direction: &DVector<f64>, least: f64) -> Option<DVector<f64>> {
        halving(30, |share| {
            let mut next = point + direction * share;
            // The likelihood is the same for a standard deviation and its negative.
            next[self.n_levels] = next[self.n_levels].abs();
            (self.log_likelihood(&next) >= least).then_some(next)
        })
    }

    fn log_likelihood(&self, point: &DVector<f64>) -> f64 {
        let (difficulties, sd) = (&point.as_slice()[..self.n_levels], point[self.n_levels]);
        self.rows.iter().map(|row| self.posterior(row, difficulties, sd).log_likelihood).sum()
    }

    fn posterior(&self, row: &Responses, difficulties: &[f64], sd: f64) -> Posterior {
        let (mode, width) = mode(row, difficulties, sd);
        let mut nodes: Vec<(f64, f64)> = Vec::with_capacity(self.rule.len());
        for &(node, weight) in self.rule {
            let place = mode + width * node;
            nodes.push((place, weight.ln() + 0.5 * node * node + integrand(row, difficulties, sd, place)));
        }
        // The largest is taken out first: likelihoods of many responses underflow.
        let largest = nodes.iter().fold(f64::NEG_INFINITY, |largest, (_, log)| largest.max(*log));
        nodes.iter_mut().for_each(|(_, log)| *log = (*log - largest).exp());
        let sum: f64 = nodes.iter().map(|(_, weight)| weight).sum();
        nodes.iter_mut().for_each(|(_, weight)| *weight /= sum);
        Posterior { nodes, log_likelihood: largest + sum.ln() + width.ln() }
    }

    fn slopes(&self, point: &DVector<f64>) -> Slopes {
        let size = self.n_levels + 1;
        let (difficulties, sd) = (&point.as_slice()[..self.n_levels], point[self.n_levels]);
        let mut total = Slopes {
            log_likelihood: 0.0,
            gradient: DVector::zeros(size),
            complete: DMatrix::zeros(size, size),
            lost: DMatrix::zeros(size, size),
        };
        for row in self.rows {
            let posterior = self.posterior(row, difficulties, sd);
            total.log_likelihood += posterior.log_likelihood;
            total.add(row, difficulties, sd, &posterior);
        }
        total.complete.fill_upper_triangle_with_lower_triangle();
        total.lost.fill_upper_triangle_with_lower_triangle();
        total
    }
}

impl Slopes {
    /// Adds one participant: the derivatives are means over the posterior, and the lost information
    /// is the posterior covariance of the derivatives given the ability (Louis, 1982, *Journal of the
    /// Royal Statistical Society B*, 44, 226–233).
    fn add(&mut self, row: &Responses, difficulties: &[f64], sd: f64, posterior: &Posterior) {
        let (n, last) = (row.len(), self.gradient.len() - 1);
        let place = |index: usize| row.get(index).map_or(last, |&(level, _)| level);
        let mut scores = DMatrix::zeros(n + 1, posterior.nodes.len());
        for (mut score, &(node, weight)) in scores.column_iter_mut().zip(&posterior.nodes) {
            for (place, &(level, solved)) in row.iter().enumerate() {
                let p = logistic(sd * node - difficulties[level]);
                let (residual, variance) = (f64::from(u8::from(solved)) - p, weight * p * (1.0 - p));
                score[place] = -residual;
                score[n] += residual * node;
                self.complete[(level, level)] += variance;
                self.complete[(last, level)] -= variance * node;
                self.complete[(last, last)] += variance * node * node;
            }
        }
        let weights = DVector::from_iterator(posterior.nodes.len(), posterior.nodes.iter().map(|(_, weight)| *weight));
        let means = &scores * &weights;
        for (mut score, weight) in scores.column_iter_mut().zip(weights.iter()) {
            score -= &means;
            score *= weight.sqrt();
        }
        let covariance = &scores * scores.transpose();
        for left in 0..=n {
            self.gradient[place(left)] += means[left];
            for right in left..=n {
                // The row is in the order of the levels, so this is the lower triangle.
                self.lost[(place(right), place(left))] += covariance[(right, left)];
            }
        }
    }
}

fn observed(slopes: &Slopes) -> Option<Cholesky<f64, Dyn>> {
    (&slopes.complete - &slopes.lost).cholesky()
}

/// The search direction, and the expected gain of log-likelihood.
fn ascent(slopes: &Slopes) -> Option<(DVector<f64>, f64)> {
    // The observed information where it is positive definite: steps with the complete one are those of EM, and as
    // slow.
    let information = observed(slopes).or_else(|| slopes.complete.clone().cholesky())?;
    let direction = information.solve(&slopes.gradient);
    let gain = 0.5 * direction.dot(&slopes.gradient);
    gain.is_finite().then_some((direction, gain))
}

/// Log-likelihood of the responses of someone `place` standard deviations above the mean, less
/// place² / 2.
fn integrand(row: &Responses, difficulties: &[f64], sd: f64, place: f64) -> f64 {
    let log_probability = |&(level, solved): &(usize, bool)| {
        let logit = sd * place - difficulties[level];
        -softplus(if solved { -logit } else { logit })
    };
    row.iter().map(log_probability).sum::<f64>() - 0.5 * place * place
}

/// Place and width of the maximum of [`integrand`], which is concave.
fn mode(row: &Responses, difficulties: &[f64], sd: f64) -> (f64, f64) {
    let mut place = 0.0;
    let mut width = 1.0;
    for _ in 0..MOST_MODE_STEPS {
        let (mut slope, mut curvature) = (-place, 1.0);
        for &(level, solved) in row {
            let p = logistic(sd * place - difficulties[level]);
            slope += sd * (f64::from(u8::from(solved)) - p);
            curvature += sd * sd * p * (1.0 - p);
        }
        width = 1.0 / curvature.sqrt();
        let step = slope / curvature;
        // A step of at most two units of the logit keeps Newton's method from overshooting.
        let longest = 2.0 / sd.max(1.0);
        place += step.clamp(-longest, longest);
        if step.abs() < 1e-9 * width {
            break;
        }
    }
    (place, width)
}
