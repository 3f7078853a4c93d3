//! The deviance of a logistic mixed model by Laplace's approximation.
//!
//! The random effects are integrated out by a normal approximation at their mode, which penalised iteratively reweighted
//! least squares find (Breslow & Clayton, 1993, *Journal of the American Statistical Association*, 88, 9–25; Bates et
//! al., 2015; Pinheiro & Chao, 2006, *Journal of Computational and Graphical Statistics*, 15, 58–81). Fixed effects are
//! parameters like θ: nothing is profiled out. As R's `glmer` with `nAGQ = 1`.

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use nalgebra::{DMatrix, DVector};

use super::basis::Basis;
use super::cells::Cells;
use super::design::{Design, RandomTerm};
use super::equations::Equations;
use super::layout::{Effects, Layout, Sums};
use super::optimise::Objective;
use crate::not_estimable::NotEstimable;
use crate::numeric::distribution::{logistic, softplus};
use crate::numeric::newton::halving;
use crate::numeric::vector::{add, dot, exponentials};
use crate::numeric::wide::{self, Work};
use crate::stats::mixed::effects::undefined;

/// Limit on the steps to the mode of the random effects, and to the fixed effects without them.
const MOST_STEPS: usize = 100;

/// A step of the random effects this short, in their standard deviations, is the last.
const LAST_STEP: f64 = 1e-11;

/// A logistic mixed model whose deviance is sought.
pub(super) struct Logistic {
    pub layout: Layout,
    pub basis: Basis,
    cells: Cells,
    /// Events, and columns of the basis, in the order of the cells.
    events: Vec<f64>,
    columns: Vec<Vec<f64>>,
    /// Fixed effects in the basis, as they are without random effects.
    start: Vec<f64>,
    /// End of the last search for the mode: the next one starts there.
    last: RefCell<Effects>,
    /// The last mode, with its point: deviance and derivatives are asked for one after the other.
    known: RefCell<Option<(Vec<f64>, Rc<Mode>)>>,
}

/// The effects at the minimum.
pub(super) struct Found {
    /// The fixed effects as given.
    pub fixed: DVector<f64>,
    pub covariance: DMatrix<f64>,
    /// Modes of the labels of each random term, one row for each label.
    pub modes: Vec<DMatrix<f64>>,
}

/// The mode of the random effects at one point.
struct Mode {
    effects: Effects,
    local: Local,
    equations: Equations,
    deviance: f64,
}

/// The events where the random effects have these values; observations are in the order of the cells.
struct Local {
    /// Deviance of the events given the random effects, and the squares of these.
    penalised: f64,
    /// Event less its probability.
    residuals: Vec<f64>,
    /// p (1 − p).
    weights: Vec<f64>,
    /// Sums of residuals, for each effect.
    scores: Effects,
    sums: Sums,
}

impl Logistic {
    pub fn new(events: &[bool], design: &Design, terms: &[RandomTerm]) -> Result<Self, NotEstimable> {
        let layout = Layout::new(terms, design.names().len())?;
        let basis = Basis::new(design).map_err(undefined)?;
        let events = DVector::from_iterator(events.len(), events.iter().map(|&event| f64::from(u8::from(event))));
        let start = without_random_effects(&events, &basis.columns)?;
        let cells = Cells::new(&layout, events.len());
        let columns = basis.columns.column_iter().map(|column| cells.sorted(column.as_slice())).collect();
        let (last, events) = (RefCell::new(layout.no_effects()), cells.sorted(events.as_slice()));
        Ok(Self { layout, basis, cells, events, columns, start, last, known: RefCell::new(None) })
    }

    /// The fixed effects as given with their covariance, and for each random term the modes of its labels.
    pub fn effects(&self, point: &[f64], curvature: Option<&DMatrix<f64>>) -> Result<Found, NotEstimable> {
        let why = || undefined("the deviance does not curve upwards in all parameters at its minimum".to_owned());
        let (_, fixed) = point.split_at(self.layout.n_theta());
        let mode = self.mode(point).ok_or_else(why)?;
        let modes = self.layout.of_terms(&self.layout.scaled(&mode.equations.lambda, &mode.effects));
        let none = DMatrix::zeros(0, 0);
        // Without fixed effects, and all variances 0, nothing is free.
        let curvature = curvature.or_else(|| fixed.is_empty().then_some(&none));
        // The curvature is that of the deviance, −2 ln L: its inverse times 2 is the covariance.
        let inverse = curvature.and_then(|curvature| curvature.clone().cholesky()).ok_or_else(why)?.inverse() * 2.0;
        let (p, n_free) = (fixed.len(), inverse.nrows() - fixed.len());
        let of_fixed = inverse.view((n_free, n_free), (p, p)).into_owned();
        let half = self.basis.of_design(&of_fixed);
        let covariance = self.basis.of_design(&half.transpose());
        let fixed = self.basis.of_design(&DMatrix::from_column_slice(p, 1, fixed));
        Ok(Found { fixed: DVector::from_column_slice(fixed.as_slice()), covariance, modes })
    }

    fn mode(&self, point: &[f64]) -> Option<Rc<Mode>> {
        if let Some((_, mode)) = self.known.borrow().as_ref().filter(|(known, _)| known == point) {
            return Some(Rc::clone(mode));
        }
        let mode = Rc::new(self.new_mode(point)?);
        self.known.replace(Some((point.to_vec(), Rc::clone(&mode))));
        Some(mode)
    }

    fn new_mode(&self, point: &[f64]) -> Option<Mode> {
        let (theta, fixed) = point.split_at(self.layout.n_theta());
        let lambda = self.layout.lambda(theta);
        let mut offset = vec![0.0; self.events.len()];
        self.columns.iter().zip(fixed).for_each(|(column, &effect)| add(effect, column, &mut offset));
        // From the last mode: a step of the search moves it little.
        let mut effects = self.last.borrow().clone();
        // Two, in turn: memory for all observations costs more to get than to fill.
        let (mut local, mut moved_local) = (self.no_local(), self.no_local());
        self.set_local(&mut local, &offset, &lambda, &effects);
        if !local.penalised.is_finite() {
            return None;
        }
        for _ in 0..MOST_STEPS {
            let equations = self.layout.equations(&local.sums, theta)?;
            let scores = self.layout.transposed(&lambda, &local.scores);
            let slope = Effects { first: scores.first - &effects.first, rest: scores.rest - &effects.rest };
            let step = self.layout.solve(&equations, &slope)?;
            if step.largest() <= LAST_STEP {
                self.last.replace(effects.clone());
                let deviance = local.penalised + equations.log_determinant(self.layout.n_rest());
                return Some(Mode { effects, local, equations, deviance });
            }
            // A rise as small as rounding is no reason to halve: near the mode, the true fall is smaller than that.
            let floor = local.penalised + 1e-10 * (1.0 + local.penalised.abs());
            let nearer = halving(30, |share| {
                let (first, rest) = (&effects.first + &step.first * share, &effects.rest + &step.rest * share);
                let moved = Effects { first, rest };
                self.set_local(&mut moved_local, &offset, &lambda, &moved);
                (moved_local.penalised <= floor).then_some(moved)
            });
            effects = nearer?;
            mem::swap(&mut local, &mut moved_local);
        }
        None
    }

    /// Room for the events at a point.
    fn no_local(&self) -> Local {
        Local {
            penalised: 0.0,
            residuals: vec![0.0; self.events.len()],
            weights: vec![0.0; self.events.len()],
            scores: self.layout.no_effects(),
            sums: self.layout.no_sums(),
        }
    }

    /// Sets the events to what they are with the fixed part `offset` of their log odds and these spherical effects.
    fn set_local(&self, local: &mut Local, offset: &[f64], lambda: &[DMatrix<f64>], effects: &Effects) {
        let scaled = self.layout.scaled(lambda, effects);
        let Local { scores, sums, .. } = local;
        [&mut scores.first, &mut scores.rest].into_iter().for_each(|scores| scores.fill(0.0));
        [&mut sums.first, &mut sums.first_by_rest, &mut sums.rest].into_iter().for_each(|sums| sums.fill(0.0));
        let fit = wide::run(Pass { cells: &self.cells, events: &self.events, offset, scaled: &scaled, local });
        // Cells add to one triangle only, which halves the work of the innermost loop.
        local.sums.rest.fill_upper_triangle_with_lower_triangle();
        local.penalised = 2.0 * fit + effects.first.norm_squared() + effects.rest.norm_squared();
    }

    /// Returns the derivative of log |H| by the log odds of each observation.
    fn by_weight(&self, mode: &Mode) -> Option<Vec<f64>> {
        let covariance = self.layout.covariance(&mode.equations)?;
        let mut by_weight = vec![0.0; self.events.len()];
        for cell in self.cells.iter() {
            self.cells.variances(cell, &covariance, &mut by_weight[cell.rows.clone()]);
        }
        let rows = by_weight.iter_mut().zip(&mode.local.weights).zip(mode.local.residuals.iter().zip(&self.events));
        // 1 − 2p, as the residual is the event less p.
        rows.for_each(|((product, weight), (residual, event))| *product *= weight * (1.0 - 2.0 * (event - residual)));
        Some(by_weight)
    }

    /// Sums of `values` for each effect.
    fn products(&self, values: &[f64]) -> Effects {
        let mut products = self.layout.no_effects();
        self.cells.iter().for_each(|cell| self.cells.add_products(cell, &values[cell.rows.clone()], &mut products));
        products
    }
}

/// A pass over the observations, which gives half the deviance of their events.
struct Pass<'a> {
    cells: &'a Cells,
    events: &'a [f64],
    /// The fixed part of the log odds.
    offset: &'a [f64],
    /// Effects multiplied by their relative covariance factors.
    scaled: &'a Effects,
    /// Takes what is known of each observation, and the sums to which they are added.
    local: &'a mut Local,
}

impl Work for Pass<'_> {
    type Result = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Self { cells, events, offset, scaled, local } = self;
        let mut effects = vec![0.0; cells.width()];
        let mut fit = 0.0;
        for cell in cells.iter() {
            let rows = cell.rows.clone();
            let (log_odds, weights) = (&mut local.residuals[rows.clone()], &mut local.weights[rows.clone()]);
            log_odds.copy_from_slice(&offset[rows.clone()]);
            cells.copy_effects(cell, scaled, &mut effects);
            cells.add_random_part(cell, &effects, log_odds);
            fit += binomial(&events[rows], log_odds, weights);
            cells.add_products(cell, log_odds, &mut local.scores);
            cells.add_squares(cell, weights, &mut local.sums);
        }
        fit
    }
}

/// The deviance of the `events` of a cell, halved. Log odds are replaced by residuals, and `weights` written.
#[inline(always)]
fn binomial(events: &[f64], log_odds: &mut [f64], weights: &mut [f64]) -> f64 {
    weights.iter_mut().zip(&*log_odds).for_each(|(rest, log_odds)| *rest = -log_odds.abs());
    exponentials(weights);
    let (mut fit, mut product) = (0.0, 1.0);
    for ((event, log_odds), weight) in events.iter().zip(log_odds).zip(weights) {
        let rest = *weight;
        let larger = 1.0 / (1.0 + rest);
        let probability = if *log_odds >= 0.0 { larger } else { rest * larger };
        // The sum of ln(1 + exp(x)) is one logarithm, of a product.
        fit += log_odds.max(0.0) - event * *log_odds;
        product *= 1.0 + rest;
        *weight = (rest * larger * larger).max(f64::MIN_POSITIVE);
        *log_odds = event - probability;
    }
    fit + f64::ln(product)
}

impl Objective for Logistic {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn others(&self) -> &[f64] {
        &self.start
    }

    fn step_of_others(&self, place: usize) -> f64 {
        // No log odds change by more than this, far from the poles of the logistic function at ±πi.
        0.3 / self.basis.columns.column(place).amax()
    }

    fn deviance(&self, point: &[f64]) -> Option<f64> {
        self.mode(point).map(|mode| mode.deviance)
    }

    /// Returns the derivatives of the deviance. With H for the equations of the random effects, whose weights change
    /// with the log odds, and u for their mode, each is that at a fixed u, of log |H| by θ, and of log |H| by the
    /// weights, of which a part comes by way of u.
    fn slopes(&self, point: &[f64]) -> Option<Vec<f64>> {
        let (layout, mode) = (&self.layout, self.mode(point)?);
        let lambda = &mode.equations.lambda;
        let mut by_log_odds = self.by_weight(&mode)?;
        let shift = layout.solve(&mode.equations, &layout.transposed(lambda, &self.products(&by_log_odds)))?;
        let scaled = layout.scaled(lambda, &shift);
        let mut effects = vec![0.0; self.cells.width()];
        let mut room = Vec::new();
        for cell in self.cells.iter() {
            let rows = cell.rows.clone();
            room.clear();
            room.resize(rows.len(), 0.0);
            self.cells.copy_effects(cell, &scaled, &mut effects);
            self.cells.add_random_part(cell, &effects, &mut room);
            let local = mode.local.weights[rows.clone()].iter().zip(&mode.local.residuals[rows.clone()]);
            let of_rows = by_log_odds[rows].iter_mut().zip(&room).zip(local);
            of_rows.for_each(|((slope, shifted), (weight, residual))| *slope -= weight * shifted + 2.0 * residual);
        }
        let products = self.products(&by_log_odds);
        let mut totals =
            layout.unexplained(&mode.local.sums, &mode.equations, &DVector::from_element(layout.n_rest(), 1.0))?;
        totals.iter_mut().zip(lambda).for_each(|(total, lambda)| *total = &*total * lambda * 2.0);
        layout.add_outer(&products, &mode.effects, &mut totals);
        layout.add_outer(&mode.local.scores, &shift, &mut totals);
        let mut slopes: Vec<f64> =
            layout.entries().map(|entry| totals[entry.factor][(entry.row, entry.column)]).collect();
        slopes.extend(self.columns.iter().map(|column| dot(column, &by_log_odds)));
        slopes.iter().all(|slope| slope.is_finite()).then_some(slopes)
    }
}

/// The fixed effects where there are no random ones, by Newton's method. Where predictors separate the events it has no
/// end: the step does not become short, or the curvature vanishes.
fn without_random_effects(events: &DVector<f64>, columns: &DMatrix<f64>) -> Result<Vec<f64>, NotEstimable> {
    let mut fixed = DVector::zeros(columns.ncols());
    if fixed.is_empty() {
        return Ok(Vec::new());
    }
    let deviance = |fixed: &DVector<f64>| {
        let log_odds = columns * fixed;
        events.iter().zip(log_odds.iter()).map(|(event, odds)| softplus(*odds) - event * odds).sum::<f64>()
    };
    let mut least = deviance(&fixed);
    for _ in 0..MOST_STEPS {
        let probabilities = (columns * &fixed).map(logistic);
        let mut weighted = columns.clone();
        for (row, p) in probabilities.iter().enumerate() {
            weighted.row_mut(row).scale_mut(p * (1.0 - p));
        }
        let slope = columns.tr_mul(&(events - probabilities));
        let step = columns.tr_mul(&weighted).cholesky().ok_or_else(separated)?.solve(&slope);
        if step.amax() <= 1e-8 * (1.0 + fixed.amax()) {
            return Ok((fixed + step).as_slice().to_vec());
        }
        let floor = least + 1e-10 * (1.0 + least.abs());
        let nearer = halving(30, |share| {
            let moved = &fixed + &step * share;
            let moved_deviance = deviance(&moved);
            (moved_deviance <= floor).then_some((moved, moved_deviance))
        });
        (fixed, least) = nearer.ok_or_else(separated)?;
    }
    Err(separated())
}

fn separated() -> NotEstimable {
    undefined("the predictors separate the events from the others; the estimator logistic says which do".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::design::Grouping;
    use super::*;

    #[test]
    fn no_bit_depends_on_the_processor() {
        let n = 400;
        let events: Vec<bool> = (0..n).map(|row| row * 37 % 11 < 4).collect();
        let x: Vec<f64> = (0..n).map(|row| (row * 17 % 23) as f64 / 5.0 - 2.0).collect();
        let design = Design::with_intercept(n).numeric("x", &x).unwrap();
        let grouping = |name: &str, label: fn(usize) -> usize| {
            Grouping::new(name, &(0..n).map(|row| label(row).to_string()).collect::<Vec<String>>())
        };
        let people = grouping("person", |row| row * row % 11);
        let slopes = RandomTerm { grouping: people, effects: design.clone(), correlated: true };
        let terms = [slopes, RandomTerm::intercepts(grouping("level", |row| row % 3))];
        let logistic = Logistic::new(&events, &design, &terms).unwrap();
        let mut scaled = logistic.layout.no_effects();
        scaled.first.iter_mut().enumerate().for_each(|(place, effect)| *effect = (place % 5) as f64 - 1.7);
        let pass = |by: fn(Pass<'_>) -> f64| {
            let mut local = logistic.no_local();
            let (cells, events) = (&logistic.cells, &logistic.events);
            let fit = by(Pass { cells, events, offset: &x, scaled: &scaled, local: &mut local });
            let Local { residuals, weights, scores, sums, .. } = local;
            let of_sums = [sums.first.as_slice(), sums.first_by_rest.as_slice(), sums.rest.as_slice()].concat();
            let of_scores = [scores.first.as_slice(), scores.rest.as_slice()].concat();
            [vec![fit], residuals, weights, of_scores, of_sums]
                .concat()
                .into_iter()
                .map(f64::to_bits)
                .collect::<Vec<u64>>()
        };
        assert_eq!(pass(|pass| pass.run()), pass(|pass| wide::run(pass)));
    }
}
