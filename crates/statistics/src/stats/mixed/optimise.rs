//! The point of smallest deviance: θ, and behind it the fixed effects where they cannot be profiled out.
//!
//! The deviance does not change with the sign of a column of a relative covariance factor, so θ is searched without
//! bounds: a variance of 0, or a correlation of ±1, is then an inner point and not an edge. A quasi-Newton method
//! (BFGS: Nocedal & Wright, 2006, *Numerical Optimization*, chapters 6 and 18) goes from the best places of a grid;
//! Newton's method polishes what it finds; last, each column near 0 is compared with 0 itself, so that a singular fit is
//! found as one.
//!
//! A fixed effect changes the deviance of a whole study, a θ that of its labels: the second derivatives of the two differ
//! by orders of magnitude. The quasi-Newton method therefore begins with those at the best place, by differences, and not
//! with a multiple of the identity, from which it takes hundreds of steps.

use nalgebra::{DMatrix, DVector};

use super::derivative::{Precision, derivatives};
use super::descent::Place;
use super::layout::{Entry, Layout};
use super::profile::Problem;

/// The grid's values of each term.
const GRID: [f64; 4] = [0.05, 0.25, 1.0, 4.0];

/// Largest number of terms that have values of their own in the grid; of more, all have the same value.
const MOST_IN_GRID: usize = 3;

/// Number of places of the grid from which the search starts.
const N_STARTS: usize = 2;

/// Limit on the steps of the quasi-Newton method from one place.
const MOST_STEPS: usize = 200;

/// Expected fall of the deviance at which the search from each place ends; from the best of them, it goes on to its
/// end. Minima that differ by less are the same to every test.
const NEAR: f64 = 1e-4;

/// Expected fall at which the quasi-Newton method ends. Its expectation is not as good as Newton's.
const AT_END: f64 = 1e-15;

/// Largest change of a θ in one step, in units of its own size or of 1.
const LARGEST_CHANGE: f64 = 2.0;

/// Limit on the steps of Newton's method.
const MOST_NEWTON_STEPS: usize = 30;

/// Newton's method has converged when it expects to lower the deviance by less than this.
const ARRIVED: f64 = 1e-13;

/// The fit has converged if the deviance cannot be expected to fall by more than this; a likelihood
/// ratio statistic so small never matters.
const CONVERGED: f64 = 1e-6;

/// Largest ratio of standard deviations; beyond it nothing is left to the residuals.
const LARGEST_THETA: f64 = 1e5;

/// A deviance whose minimum is sought.
pub(super) trait Objective {
    /// Layout of the θ, which come first.
    fn layout(&self) -> &Layout;

    /// Parameters behind the θ at the start of the search.
    fn others(&self) -> &[f64];

    /// A step for numerical derivatives in what comes at this place behind the θ.
    fn step_of_others(&self, _place: usize) -> f64 {
        1.0
    }

    /// The deviance; absent where the numbers break down.
    fn deviance(&self, point: &[f64]) -> Option<f64>;

    /// Its derivatives.
    fn slopes(&self, point: &[f64]) -> Option<Vec<f64>>;
}

impl Objective for Problem {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn others(&self) -> &[f64] {
        &[]
    }

    fn deviance(&self, theta: &[f64]) -> Option<f64> {
        self.solve(theta).map(|solution| solution.deviance)
    }

    fn slopes(&self, theta: &[f64]) -> Option<Vec<f64>> {
        self.slopes(theta, &self.solve(theta)?, self.df())
    }
}

/// End of the search.
pub(super) struct Minimum {
    /// The θ, none negative on the diagonal, and what comes behind them.
    pub point: Vec<f64>,
    pub converged: bool,
    /// Reason why it did not converge.
    pub why: Option<String>,
    /// Number of times the deviance or its derivatives were evaluated.
    pub n_evaluations: usize,
    /// Second derivatives there, in the places of the point that are free; absent where they could not be computed, or
    /// the deviance does not curve upwards in every direction.
    pub curvature: Option<DMatrix<f64>>,
}

fn deviance(objective: &dyn Objective, point: &[f64]) -> f64 {
    // Large and finite: the line search subtracts costs.
    let sensible = point.iter().all(|value| value.abs() <= LARGEST_THETA);
    Some(point).filter(|_| sensible).and_then(|point| objective.deviance(point)).unwrap_or(1e300)
}

/// Searches the point of smallest deviance.
pub(super) fn minimise(objective: &dyn Objective, n_terms: usize) -> Minimum {
    let mut search = Search { objective, n_evaluations: 0, last: None };
    let starts = search.best_of_grid(n_terms);
    // Of the best place only: second derivatives cost as much as many steps, and the other starts lie in the same
    // units.
    let curvature = search.curvature(&starts[0]);
    let mut best: Option<Place> = None;
    for start in &starts {
        let Some(place) = search.place(start, curvature.as_ref()) else { continue };
        let lowest = search.descend(place, NEAR);
        if best.as_ref().is_none_or(|best| lowest.value < best.value) {
            best = Some(lowest);
        }
    }
    let point = match best {
        Some(best) => search.descend(best, AT_END).point.as_slice().to_vec(),
        None => starts[0].clone(),
    };
    let point = search.polish(point);
    // After the polish, not before: a column counts as 0 by comparison of deviances, which must be those of minima.
    let point = search.snap_to_zero(point);
    let why = search.failure(&point);
    let curvature = search.newton_step(&point).map(|step| step.curvature);
    Minimum { converged: why.is_none(), why, point, n_evaluations: search.n_evaluations, curvature }
}

struct Search<'a> {
    objective: &'a dyn Objective,
    n_evaluations: usize,
    /// Last point at which Newton's method was asked for, and its step: the end of the search is its last place.
    last: Option<(Vec<f64>, Option<NewtonStep>)>,
}

impl Search<'_> {
    fn deviance(&mut self, theta: &[f64]) -> f64 {
        self.n_evaluations += 1;
        deviance(self.objective, theta)
    }

    fn slopes(&mut self, theta: &[f64]) -> Option<Vec<f64>> {
        self.n_evaluations += 1;
        self.objective.slopes(theta)
    }

    fn best_of_grid(&mut self, n_terms: usize) -> Vec<Vec<f64>> {
        let mut places: Vec<Vec<f64>> = vec![Vec::new()];
        if n_terms > MOST_IN_GRID {
            places = GRID.map(|value| vec![value; n_terms]).to_vec();
        } else {
            for _ in 0..n_terms {
                let extended = |place: &Vec<f64>| GRID.map(|value| [place.as_slice(), &[value]].concat());
                places = places.iter().flat_map(extended).collect();
            }
        }
        let theta_of = |place: &Vec<f64>| -> Vec<f64> {
            let value = |entry: Entry| if entry.row == entry.column { place[entry.term] } else { 0.0 };
            self.objective.layout().entries().map(value).chain(self.objective.others().iter().copied()).collect()
        };
        let starts: Vec<Vec<f64>> = places.iter().map(theta_of).collect();
        let mut ranked: Vec<(f64, Vec<f64>)> = starts.into_iter().map(|theta| (self.deviance(&theta), theta)).collect();
        ranked.sort_by(|left, right| left.0.total_cmp(&right.0));
        ranked.into_iter().take(N_STARTS).map(|(_, theta)| theta).collect()
    }

    fn place(&mut self, start: &[f64], curvature: Option<&DMatrix<f64>>) -> Option<Place> {
        let value = self.deviance(start);
        Some(Place::new(start.to_vec(), value, self.slopes(start)?, curvature))
    }

    /// The quasi-Newton method until it expects to lower the deviance by less than `enough`, or to no end.
    fn descend(&mut self, mut place: Place, enough: f64) -> Place {
        let n_theta = self.objective.layout().n_theta();
        for _ in 0..MOST_STEPS {
            if place.expected() < enough {
                break;
            }
            let largest = |k: usize| {
                if k < n_theta { LARGEST_CHANGE * place.point[k].abs().max(1.0) } else { f64::INFINITY }
            };
            let objective = self.objective;
            let value = |point: &[f64]| {
                self.n_evaluations += 1;
                deviance(objective, point)
            };
            let Some(next) = place.next(largest, value, |point| objective.slopes(point)) else { break };
            self.n_evaluations += 1;
            place = next;
        }
        place
    }

    /// Newton's method in the θ whose column is not 0, as long as it lowers the deviance.
    fn polish(&mut self, mut theta: Vec<f64>) -> Vec<f64> {
        let mut least = self.deviance(&theta);
        for _ in 0..MOST_NEWTON_STEPS {
            let Some(step) = self.newton_step(&theta) else { break };
            if step.expected < ARRIVED {
                break;
            }
            // The longest of the step, its half, its quarter, … that does not raise the deviance.
            let lower = (0..12).find_map(|halvings| {
                let mut next = theta.clone();
                step.direction.iter().for_each(|&(k, change)| next[k] += change * 0.5_f64.powi(halvings));
                let next_deviance = self.deviance(&next);
                (next_deviance <= least).then_some((next_deviance, next))
            });
            let Some((deviance, next)) = lower else { break };
            (least, theta) = (deviance, next);
        }
        theta
    }

    /// Sets each column to 0 that is no better than 0.
    fn snap_to_zero(&mut self, theta: Vec<f64>) -> Vec<f64> {
        let layout = self.objective.layout();
        let free = layout.is_free(&theta);
        let mut zero: Vec<usize> = (0..free.len()).filter(|&place| !free[place]).collect();
        let mut theta = layout.canonical(&theta, &zero);
        for (place, entry) in layout.entries().enumerate() {
            // Farther away from 0, the deviance differs from that at 0 by more than rounding.
            let is_near = entry.row == entry.column && theta[place].abs() <= layout.width(entry.term);
            if !is_near || theta[place] == 0.0 && !layout.is_free(&theta)[place] {
                continue;
            }
            let with = [zero.as_slice(), &[place]].concat();
            let without = self.polish(layout.canonical(&theta, &with));
            let (free_deviance, held_deviance) = (self.deviance(&theta), self.deviance(&without));
            // Ties go to 0: where both explain the data alike, a singular fit has fewer parameters, and its report is
            // the honest one.
            let rounding = 1e-9 + 1e-13 * free_deviance.abs();
            if held_deviance <= free_deviance + rounding {
                theta = layout.canonical(&without, &with);
                zero = with;
            }
        }
        theta
    }

    /// Reason that `theta` is no minimum, if it is none.
    fn failure(&mut self, theta: &[f64]) -> Option<String> {
        // The search stops short of the bound, so half of it shows already that there is no minimum within.
        if theta.iter().any(|&theta| theta.abs() > 0.5 * LARGEST_THETA) {
            return Some("the random effects leave no variance to the residuals".to_owned());
        }
        if free(self.objective.layout(), theta).is_empty() {
            return None;
        }
        let Some(step) = self.newton_step(theta) else {
            return Some("the deviance has no clear minimum: the variances are not identified".to_owned());
        };
        let expected = step.expected;
        (expected > CONVERGED).then(|| format!("the deviance could still fall by {expected:e} where the search ended"))
    }

    /// Absent where the deviance does not curve upwards in every direction.
    fn newton_step(&mut self, theta: &[f64]) -> Option<NewtonStep> {
        if self.last.as_ref().is_none_or(|(last, _)| last != theta) {
            self.last = Some((theta.to_vec(), self.new_newton_step(theta)));
        }
        self.last.as_ref().and_then(|(_, step)| step.clone())
    }

    fn new_newton_step(&mut self, theta: &[f64]) -> Option<NewtonStep> {
        let free = free(self.objective.layout(), theta);
        if free.is_empty() {
            return None;
        }
        let slopes = self.slopes(theta)?;
        let curvature = self.curvature(theta)?;
        let gradient = DVector::from_iterator(free.len(), free.iter().map(|&k| slopes[k]));
        let direction = -curvature.clone().cholesky()?.solve(&gradient);
        let expected = -0.5 * direction.dot(&gradient);
        let direction = free.into_iter().zip(direction.iter().copied()).collect();
        (expected.is_finite() && expected >= 0.0).then_some(NewtonStep { direction, expected, curvature })
    }

    /// The second derivatives in the places that are free.
    fn curvature(&mut self, theta: &[f64]) -> Option<DMatrix<f64>> {
        let objective = self.objective;
        let free = free(objective.layout(), theta);
        let evaluate = |theta: &[f64]| self.slopes(theta).map(DVector::from_vec);
        let of_slopes = derivatives(theta, &free, Precision::Narrow, |k| step(objective, theta, k), evaluate)?;
        Some(symmetric(&free, |left, k| of_slopes[left][k]))
    }
}

/// Places of the θ in columns that are not 0, and of all that comes behind them.
pub(super) fn free(layout: &Layout, point: &[f64]) -> Vec<usize> {
    let is_free = layout.is_free(point);
    (0..point.len()).filter(|&k| is_free.get(k).copied().unwrap_or(true)).collect()
}

/// A step for numerical derivatives: a tenth of the distance to the nearest pole of the deviance.
pub(super) fn step(objective: &dyn Objective, point: &[f64], k: usize) -> f64 {
    let layout = objective.layout();
    match layout.entries().nth(k) {
        Some(entry) => 0.1 * point[k].hypot(layout.width(entry.term)),
        None => objective.step_of_others(k - layout.n_theta()),
    }
}

/// The second derivatives in the θ `free` from the derivatives of the first, whose two orders differ by rounding.
pub(super) fn symmetric(free: &[usize], derivative: impl Fn(usize, usize) -> f64) -> DMatrix<f64> {
    DMatrix::from_fn(free.len(), free.len(), |left, right| {
        0.5 * (derivative(left, free[right]) + derivative(right, free[left]))
    })
}

#[derive(Clone, Debug)]
struct NewtonStep {
    /// Changes of θ.
    direction: Vec<(usize, f64)>,
    /// Fall of the deviance, if it is a parabola.
    expected: f64,
    /// Its second derivatives.
    curvature: DMatrix<f64>,
}
