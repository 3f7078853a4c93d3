//! The θ of smallest deviance.
//!
//! The deviance depends on θ² alone, so θ is searched without bounds and its sign dropped: a
//! variance of 0 is then an inner point and not an edge. Nelder & Mead's simplex (1965, *The
//! Computer Journal*, 7, 308–313) goes from the best places of a grid; Newton's method polishes what
//! it finds; last, each θ near 0 is compared with 0 itself, so that a singular fit is found as one.

use argmin::core::{CostFunction, Executor, State};
use argmin::solver::neldermead::NelderMead;
use nalgebra::{DMatrix, DVector};

use super::derivative::{Derivatives, derivatives};
use super::profile::Problem;

/// The grid's values of each θ.
const GRID: [f64; 4] = [0.05, 0.25, 1.0, 4.0];

/// From how many places of the grid the simplex starts.
const N_STARTS: usize = 3;

/// Most iterations of the simplex for each θ.
const MOST_SIMPLEX_ITERATIONS: u64 = 150;

/// Most steps of Newton's method.
const MOST_NEWTON_STEPS: usize = 30;

/// Newton's method has converged when it expects to lower the deviance by less than this.
const ARRIVED: f64 = 1e-10;

/// The fit has converged if the deviance cannot be expected to fall by more than this; a likelihood
/// ratio statistic so small never matters.
const CONVERGED: f64 = 1e-6;

/// Beyond this ratio of standard deviations nothing is left to the residuals.
const LARGEST_THETA: f64 = 1e5;

/// Where the search ended.
pub(super) struct Minimum {
    /// The θ, none negative.
    pub theta: Vec<f64>,
    pub converged: bool,
    /// What went wrong if it did not converge.
    pub why: Option<String>,
    /// Number of times the deviance was evaluated.
    pub n_evaluations: usize,
}

/// The deviance as argmin wants it.
struct Cost<'a>(&'a Problem);

impl CostFunction for Cost<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, theta: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        Ok(deviance(self.0, theta))
    }
}

fn deviance(problem: &Problem, theta: &[f64]) -> f64 {
    // Large and finite: the simplex subtracts costs.
    let sensible = theta.iter().all(|theta| theta.abs() <= LARGEST_THETA);
    problem.solve(theta).filter(|_| sensible).map_or(1e300, |solution| solution.deviance)
}

/// Searches the θ of smallest deviance.
pub(super) fn minimise(problem: &Problem, n_factors: usize) -> Minimum {
    let mut search = Search { problem, n_evaluations: 0 };
    let mut best: Option<(f64, Vec<f64>)> = None;
    for start in search.best_of_grid(n_factors) {
        let found = search.simplex(start);
        if best.as_ref().is_none_or(|(least, _)| found.0 < *least) {
            best = Some(found);
        }
    }
    let (_, theta) = best.expect("there is at least one start");
    let theta = search.polish(theta);
    let theta = search.snap_to_zero(theta);
    let why = search.failure(&theta);
    Minimum { converged: why.is_none(), why, theta, n_evaluations: search.n_evaluations }
}

struct Search<'a> {
    problem: &'a Problem,
    n_evaluations: usize,
}

impl Search<'_> {
    fn deviance(&mut self, theta: &[f64]) -> f64 {
        self.n_evaluations += 1;
        deviance(self.problem, theta)
    }

    fn best_of_grid(&mut self, n_factors: usize) -> Vec<Vec<f64>> {
        let mut places: Vec<Vec<f64>> = vec![Vec::new()];
        for _ in 0..n_factors {
            let extended = |place: &Vec<f64>| GRID.map(|value| [place.as_slice(), &[value]].concat());
            places = places.iter().flat_map(extended).collect();
        }
        let mut ranked: Vec<(f64, Vec<f64>)> = places.into_iter().map(|place| (self.deviance(&place), place)).collect();
        ranked.sort_by(|left, right| left.0.total_cmp(&right.0));
        ranked.into_iter().take(N_STARTS).map(|(_, place)| place).collect()
    }

    fn simplex(&mut self, start: Vec<f64>) -> (f64, Vec<f64>) {
        let corners = (0..=start.len()).map(|corner| {
            let stretched = |(k, &theta): (usize, &f64)| if k + 1 == corner { 1.6 * theta } else { theta };
            start.iter().enumerate().map(stretched).collect()
        });
        let most = MOST_SIMPLEX_ITERATIONS * start.len() as u64;
        let fallback = start.clone();
        let run = NelderMead::new(corners.collect()).with_sd_tolerance(1e-7).and_then(|solver| {
            Executor::new(Cost(self.problem), solver).configure(|state| state.max_iters(most)).run()
        });
        let found = run.ok().and_then(|run| {
            let state = run.state();
            self.n_evaluations += state.get_func_counts().get("cost_count").map_or(0, |&count| count as usize);
            state.get_best_param().cloned()
        });
        let theta: Vec<f64> = found.unwrap_or(fallback).into_iter().map(f64::abs).collect();
        (self.deviance(&theta), theta)
    }

    /// Newton's method in the θ that are not 0, as long as it lowers the deviance.
    fn polish(&mut self, mut theta: Vec<f64>) -> Vec<f64> {
        let mut least = self.deviance(&theta);
        for _ in 0..MOST_NEWTON_STEPS {
            let free = free(&theta);
            let Some(step) = self.slopes(&theta, &free).and_then(|slopes| newton_step(&slopes)) else { break };
            let Some((found, next)) = self.along(&theta, &free, &step.direction, least) else { break };
            (least, theta) = (found, next);
            if step.expected < ARRIVED {
                break;
            }
        }
        theta
    }

    /// The longest of the step, its half, its quarter, … that does not raise the deviance.
    fn along(
        &mut self,
        theta: &[f64],
        free: &[usize],
        direction: &DVector<f64>,
        least: f64,
    ) -> Option<(f64, Vec<f64>)> {
        (0..12).find_map(|halvings| {
            let mut next = theta.to_vec();
            for (&k, change) in free.iter().zip(direction.iter()) {
                next[k] = (next[k] + change * 0.5_f64.powi(halvings)).abs();
            }
            let found = self.deviance(&next);
            (found <= least).then_some((found, next))
        })
    }

    /// Sets each θ to 0 that is no better than 0.
    fn snap_to_zero(&mut self, mut theta: Vec<f64>) -> Vec<f64> {
        for k in 0..theta.len() {
            // Farther away from 0, the deviance differs from that at 0 by more than rounding.
            if theta[k] == 0.0 || theta[k] > self.problem.width(k) {
                continue;
            }
            let mut without = theta.clone();
            without[k] = 0.0;
            let without = self.polish(without);
            let (own, other) = (self.deviance(&theta), self.deviance(&without));
            let rounding = 1e-9 + 1e-13 * own.abs();
            if other <= own + rounding {
                theta = without;
            }
        }
        theta
    }

    /// Why `theta` is no minimum, if it is none.
    fn failure(&mut self, theta: &[f64]) -> Option<String> {
        if theta.iter().any(|&theta| theta > 0.5 * LARGEST_THETA) {
            return Some("the random intercepts leave no variance to the residuals".to_owned());
        }
        let free = free(theta);
        if free.is_empty() {
            return None;
        }
        let Some(step) = self.slopes(theta, &free).and_then(|slopes| newton_step(&slopes)) else {
            return Some("the deviance has no clear minimum: the variances are not identified".to_owned());
        };
        let expected = step.expected;
        (expected > CONVERGED).then(|| format!("the deviance could still fall by {expected:e} where the search ended"))
    }

    fn slopes(&mut self, theta: &[f64], free: &[usize]) -> Option<Derivatives> {
        let problem = self.problem;
        let mut n_evaluations = 0;
        let found = derivatives(
            theta,
            free,
            |k, theta| problem.step(k, theta),
            |theta| {
                n_evaluations += 1;
                Some(DVector::from_element(1, problem.solve(theta)?.deviance))
            },
        );
        self.n_evaluations += n_evaluations;
        found
    }
}

/// Places of the θ that are not 0.
pub(super) fn free(theta: &[f64]) -> Vec<usize> {
    (0..theta.len()).filter(|&k| theta[k] > 0.0).collect()
}

struct NewtonStep {
    direction: DVector<f64>,
    /// By how much the deviance falls if it is a parabola.
    expected: f64,
}

/// Absent where the deviance does not curve upwards in every direction.
fn newton_step(slopes: &Derivatives) -> Option<NewtonStep> {
    let size = slopes.gradient.len();
    if size == 0 {
        return None;
    }
    let gradient = DVector::from_fn(size, |k, _| slopes.gradient[k][0]);
    let hessian = DMatrix::from_fn(size, size, |left, right| slopes.second[left][right][0]);
    let direction = -hessian.cholesky()?.solve(&gradient);
    let expected = -0.5 * direction.dot(&gradient);
    (expected.is_finite() && expected >= 0.0).then_some(NewtonStep { direction, expected })
}
