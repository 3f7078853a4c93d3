//! The deviance of a logistic mixed model by Laplace's approximation.
//!
//! The random effects are integrated out by a normal approximation at their mode, which penalised iteratively reweighted
//! least squares find (Breslow & Clayton, 1993, *Journal of the American Statistical Association*, 88, 9–25; Bates et
//! al., 2015; Pinheiro & Chao, 2006, *Journal of Computational and Graphical Statistics*, 15, 58–81). Fixed effects are
//! parameters like θ: nothing is profiled out. As R's `glmer` with `nAGQ = 1`.

use std::cell::RefCell;
use std::rc::Rc;

use nalgebra::{DMatrix, DVector};

use super::basis::Basis;
use super::design::{Design, RandomTerm};
use super::layout::{Effects, Equations, Layout};
use super::optimise::Objective;
use super::undefined;
use crate::stats::NotEstimable;
use crate::stats::distribution::{logistic, softplus};
use crate::stats::newton::halving;

/// Most steps to the mode of the random effects, and to the fixed effects without them.
const MOST_STEPS: usize = 100;

/// A step of the random effects this short, in their standard deviations, is the last.
const LAST_STEP: f64 = 1e-9;

/// A logistic mixed model whose deviance is sought.
pub(super) struct Logistic {
    pub layout: Layout,
    events: DVector<f64>,
    pub basis: Basis,
    /// Fixed effects in the basis, as they are without random effects.
    start: Vec<f64>,
    /// Where the last search for the mode ended: the next one starts there.
    last: RefCell<Effects>,
    /// The last mode, with its point: deviance and derivatives are asked for one after the other.
    known: RefCell<Option<(Vec<f64>, Rc<Mode>)>>,
}

/// The effects at the minimum.
pub(super) struct Found {
    /// The fixed effects as given.
    pub fixed: DVector<f64>,
    pub covariance: DMatrix<f64>,
    /// For each random term the modes of its labels, one row for each.
    pub modes: Vec<DMatrix<f64>>,
}

/// The mode of the random effects at one point.
struct Mode {
    effects: Effects,
    /// Event less its probability.
    residuals: DVector<f64>,
    probabilities: DVector<f64>,
    weights: DVector<f64>,
    equations: Equations,
    deviance: f64,
}

impl Logistic {
    pub fn new(events: &[bool], design: &Design, terms: &[RandomTerm]) -> Result<Self, NotEstimable> {
        let layout = Layout::new(terms, design.names().len())?;
        let basis = Basis::new(design).map_err(undefined)?;
        let events = DVector::from_iterator(events.len(), events.iter().map(|&event| f64::from(u8::from(event))));
        let start = without_random_effects(&events, &basis.columns)?;
        let none = layout.no_effects();
        Ok(Self { layout, events, basis, start, last: RefCell::new(none), known: RefCell::new(None) })
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
        let inverse = curvature.and_then(|own| own.clone().cholesky()).ok_or_else(why)?.inverse() * 2.0;
        let (p, n_free) = (fixed.len(), inverse.nrows() - fixed.len());
        let own = inverse.view((n_free, n_free), (p, p)).into_owned();
        let half = self.basis.of_design(&own);
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
        let offset = &self.basis.columns * DVector::from_column_slice(fixed);
        let no_columns = DMatrix::zeros(self.events.len(), 0);
        let lambda = self.layout.lambda(theta);
        let mut effects = self.last.borrow().clone();
        let mut random = self.random_part(&self.layout.scaled(&lambda, &effects));
        let mut least = self.penalised(&offset, &random, &effects);
        if !least.is_finite() {
            return None;
        }
        for _ in 0..MOST_STEPS {
            let probabilities = (&offset + &random).map(logistic);
            let weights = probabilities.map(|p| (p * (1.0 - p)).max(f64::MIN_POSITIVE));
            let residuals = &self.events - &probabilities;
            let response = &random + residuals.component_div(&weights);
            let equations = self.layout.equations(&self.layout.sums(&no_columns, &response, Some(&weights)), theta)?;
            let (next, _) = self.layout.solution(&equations)?;
            let (first, rest) = (&next.first - &effects.first, &next.rest - &effects.rest);
            let length = first.amax().max(if rest.is_empty() { 0.0 } else { rest.amax() });
            if length <= LAST_STEP {
                self.last.replace(effects.clone());
                let deviance = least + equations.log_determinant(self.layout.n_rest());
                return Some(Mode { effects, residuals, probabilities, weights, equations, deviance });
            }
            let floor = least + 1e-10 * (1.0 + least.abs());
            let nearer = halving(30, |share| {
                let moved = Effects { first: &effects.first + &first * share, rest: &effects.rest + &rest * share };
                let part = self.random_part(&self.layout.scaled(&lambda, &moved));
                let found = self.penalised(&offset, &part, &moved);
                (found <= floor).then_some((moved, part, found))
            });
            (effects, random, least) = nearer?;
        }
        None
    }

    /// What the random effects add to the log odds of each observation.
    fn random_part(&self, scaled: &Effects) -> DVector<f64> {
        let mut z = self.layout.row_buffer();
        let of_row = |row: usize| {
            self.layout.fill_row(row, &mut z);
            let of_factor = |(factor, z): (usize, &Vec<f64>)| {
                let place = self.layout.place(factor, row);
                let own = if factor == 0 { &scaled.first } else { &scaled.rest };
                z.iter().enumerate().map(|(effect, z)| z * own[place + effect]).sum::<f64>()
            };
            z.iter().enumerate().map(of_factor).sum::<f64>()
        };
        DVector::from_iterator(self.events.len(), (0..self.events.len()).map(of_row))
    }

    /// Deviance of the events given the random effects, and their squares.
    fn penalised(&self, offset: &DVector<f64>, random: &DVector<f64>, effects: &Effects) -> f64 {
        let log_odds = offset + random;
        let fit: f64 =
            self.events.iter().zip(log_odds.iter()).map(|(event, odds)| softplus(*odds) - event * odds).sum();
        2.0 * fit + effects.first.norm_squared() + effects.rest.norm_squared()
    }
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

    /// With H for the equations of the random effects, whose weights change with the log odds, and u for their mode:
    /// the derivative of the deviance is that at a fixed u, of log |H| by θ, and of log |H| by the weights, of which a part
    /// comes by way of u.
    fn slopes(&self, point: &[f64]) -> Option<Vec<f64>> {
        let layout = &self.layout;
        let mode = self.mode(point)?;
        let inverse = Inverse::new(layout, &mode.equations)?;
        let n = self.events.len();
        let mut z = layout.row_buffer();
        let n_columns: usize = z.iter().map(Vec::len).sum();
        // For each observation the elements of H⁻¹Λ′z at its own labels.
        let mut own_inverse = DMatrix::zeros(n_columns, n);
        let mut by_weight = DVector::zeros(n);
        let mut sum = layout.no_effects();
        let mut scaled = layout.row_buffer();
        let mut buffer = DVector::zeros(layout.n_rest());
        for row in 0..n {
            layout.fill_row(row, &mut z);
            inverse.scale(&z, &mut scaled);
            let mut own = own_inverse.column_mut(row);
            let leverage = inverse.solve_row(layout, row, &scaled, &mut buffer, own.as_mut_slice());
            by_weight[row] = leverage * mode.weights[row] * (1.0 - 2.0 * mode.probabilities[row]);
            for (factor, scaled) in scaled.iter().enumerate() {
                let place = layout.place(factor, row);
                let total = if factor == 0 { &mut sum.first } else { &mut sum.rest };
                scaled.iter().enumerate().for_each(|(effect, value)| total[place + effect] += value * by_weight[row]);
            }
        }
        let shift = inverse.solve(&sum)?;
        let shifted = self.random_part(&layout.scaled(&mode.equations.lambda, &shift));
        let by_log_odds = &by_weight - mode.weights.component_mul(&shifted) - &mode.residuals * 2.0;
        let mut totals: Vec<DMatrix<f64>> = layout.lambda(&[]);
        for row in 0..n {
            layout.fill_row(row, &mut z);
            let mut column = 0;
            for (factor, z) in z.iter().enumerate() {
                let place = layout.place(factor, row);
                let of = |effects: &Effects, effect: usize| {
                    if factor == 0 { effects.first[place + effect] } else { effects.rest[place + effect] }
                };
                for effect in 0..z.len() {
                    let slope = of(&mode.effects, effect) * by_log_odds[row]
                        + 2.0 * mode.weights[row] * own_inverse[(column, row)]
                        + of(&shift, effect) * mode.residuals[row];
                    z.iter().enumerate().for_each(|(left, z)| totals[factor][(left, effect)] += z * slope);
                    column += 1;
                }
            }
        }
        let mut slopes: Vec<f64> =
            layout.entries().map(|entry| totals[entry.factor][(entry.row, entry.column)]).collect();
        slopes.extend(self.basis.columns.tr_mul(&by_log_odds).iter());
        slopes.iter().all(|slope| slope.is_finite()).then_some(slopes)
    }
}

/// The inverse of the equations of the random effects, as far as single observations need it.
struct Inverse<'a> {
    equations: &'a Equations,
    /// Inverse of the Cholesky factor of the factors but the first.
    rest: DMatrix<f64>,
    /// The same times the columns that they share with the effects of the first factor.
    rest_by_first: DMatrix<f64>,
    /// The columns of the others after the first factor, multiplied by λ, a row for each of the others.
    first_by_rest: DMatrix<f64>,
}

impl<'a> Inverse<'a> {
    fn new(layout: &Layout, equations: &'a Equations) -> Option<Self> {
        let n_rest = layout.n_rest();
        let factor = equations.rest.view((0, 0), (n_rest, n_rest));
        let rest = factor.solve_lower_triangular(&DMatrix::identity(n_rest, n_rest))?;
        let columns = equations.first_by_rest.columns(0, n_rest).transpose();
        let first_by_rest = layout.scaled_rows(&equations.lambda, &columns);
        let rest_by_first = factor.solve_lower_triangular(&first_by_rest)?;
        Some(Self { equations, rest, rest_by_first, first_by_rest })
    }

    /// Λ′z of each factor.
    fn scale(&self, z: &[Vec<f64>], scaled: &mut [Vec<f64>]) {
        for ((z, lambda), scaled) in z.iter().zip(&self.equations.lambda).zip(scaled) {
            for (column, own) in scaled.iter_mut().enumerate() {
                *own = (column..z.len()).map(|row| lambda[(row, column)] * z[row]).sum();
            }
        }
    }

    /// The leverage of an observation, (Λ′z)′H⁻¹Λ′z; the elements of H⁻¹Λ′z at its own labels are written into `own`.
    /// `rest` is room for the effects of the factors but the first.
    fn solve_row(
        &self,
        layout: &Layout,
        row: usize,
        scaled: &[Vec<f64>],
        rest: &mut DVector<f64>,
        own: &mut [f64],
    ) -> f64 {
        let q = scaled[0].len();
        let place = layout.place(0, row);
        let factor = &self.equations.first;
        let (first, others) = own.split_at_mut(q);
        for left in 0..q {
            let solved: f64 = (0..left).map(|right| factor[(place + left, right)] * first[right]).sum();
            first[left] = (scaled[0][left] - solved) / factor[(place + left, left)];
        }
        rest.fill(0.0);
        for (effect, value) in first.iter().enumerate() {
            rest.axpy(-value, &self.rest_by_first.column(place + effect), 1.0);
        }
        for (other, scaled) in scaled.iter().enumerate().skip(1) {
            let place = layout.place(other, row);
            scaled
                .iter()
                .enumerate()
                .for_each(|(effect, value)| rest.axpy(*value, &self.rest.column(place + effect), 1.0));
        }
        let leverage = first.iter().map(|value| value * value).sum::<f64>() + rest.norm_squared();
        for (effect, value) in first.iter_mut().enumerate() {
            *value -= self.rest_by_first.column(place + effect).dot(rest);
        }
        for left in (0..q).rev() {
            let solved: f64 = (left + 1..q).map(|right| factor[(place + right, left)] * first[right]).sum();
            first[left] = (first[left] - solved) / factor[(place + left, left)];
        }
        let places = scaled.iter().enumerate().skip(1);
        let places = places.flat_map(|(other, scaled)| (0..scaled.len()).map(move |effect| (other, effect)));
        for ((other, effect), own) in places.zip(others) {
            *own = self.rest.column(layout.place(other, row) + effect).dot(rest);
        }
        leverage
    }

    /// H⁻¹ times a vector.
    fn solve(&self, right: &Effects) -> Option<Effects> {
        let q = self.equations.first.ncols();
        let mut first = right.first.clone();
        for row in (0..first.len()).step_by(q) {
            let solved = self.equations.first.rows(row, q).solve_lower_triangular(&first.rows(row, q))?;
            first.rows_mut(row, q).copy_from(&solved);
        }
        let rest = &self.rest * (&right.rest - &self.first_by_rest * &first);
        let rest = self.rest.tr_mul(&rest);
        first -= self.first_by_rest.tr_mul(&rest);
        for row in (0..first.len()).step_by(q) {
            let upper = self.equations.first.rows(row, q).transpose();
            let solved = upper.solve_upper_triangular(&first.rows(row, q))?;
            first.rows_mut(row, q).copy_from(&solved);
        }
        Some(Effects { first, rest })
    }
}

/// The fixed effects where there are no random ones, by Newton's method. Where predictors separate the events it has no
/// end: the step does not become short, or the curvature vanishes.
fn without_random_effects(events: &DVector<f64>, columns: &DMatrix<f64>) -> Result<Vec<f64>, NotEstimable> {
    let separated =
        || undefined("the predictors separate the events from the others (see the estimator logit)".to_owned());
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
            let found = deviance(&moved);
            (found <= floor).then_some((moved, found))
        });
        (fixed, least) = nearer.ok_or_else(separated)?;
    }
    Err(separated())
}
