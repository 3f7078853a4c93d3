//! Order of the effects of several random terms, and the sums over observations that they need.

use nalgebra::{DMatrix, DVector};

use super::basis::Basis;
use super::design::{Grouping, RandomTerm};
use crate::not_estimable::NotEstimable;
use crate::stats::mixed::effects::{MOST_WORK, undefined};

/// The random effects of a model: those of the factor with the most effects first.
pub(in crate::stats) struct Layout {
    /// Terms in the order of the caller.
    terms: Vec<Term>,
    /// Factors by falling number of effects.
    factors: Vec<Factor>,
    n_theta: usize,
}

struct Term {
    factor: usize,
    /// Place of its first effect among those of a label.
    offset: usize,
    /// Number of effects of a label.
    q: usize,
    correlated: bool,
    /// The values of its columns in an orthogonal basis; none for an intercept, which is 1.
    columns: Option<DMatrix<f64>>,
    /// The columns as given are those of the basis · r.
    r: DMatrix<f64>,
    /// See [`Layout::width`].
    width: f64,
}

struct Factor {
    codes: Vec<usize>,
    n_labels: usize,
    /// Number of effects of a label, of all terms.
    q: usize,
    /// Place of its first effect among those of the factors but the first.
    row: usize,
}

/// A θ: an element of the relative covariance factor of a factor's labels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::stats) struct Entry {
    pub term: usize,
    pub factor: usize,
    pub row: usize,
    pub column: usize,
}

/// Sums over observations. The first factor's effects are in blocks of rows, one for each label.
pub(in crate::stats) struct Sums {
    /// Products of the first factor's columns among themselves, for each label.
    pub first: DMatrix<f64>,
    /// Their products with the columns of (other factors, fixed effects, response).
    pub first_by_rest: DMatrix<f64>,
    /// Products of these among themselves.
    pub rest: DMatrix<f64>,
}

impl Sums {
    /// Returns the sums over the observations that are not in `others`.
    pub fn without(&self, others: &Self) -> Self {
        Self {
            first: &self.first - &others.first,
            first_by_rest: &self.first_by_rest - &others.first_by_rest,
            rest: &self.rest - &others.rest,
        }
    }
}

/// The effects of all labels.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::stats) struct Effects {
    /// Effects of the first factor.
    pub first: DVector<f64>,
    /// Effects of the other factors.
    pub rest: DVector<f64>,
}

impl Effects {
    /// The largest of them, in absolute value; no number if one of them is none.
    pub fn largest(&self) -> f64 {
        self.first.iter().chain(self.rest.iter()).map(|value| value.abs()).max_by(f64::total_cmp).unwrap_or(0.0)
    }
}

impl Layout {
    /// The effects of these terms, beside `p` fixed effects.
    pub fn new(terms: &[RandomTerm], p: usize) -> Result<Self, NotEstimable> {
        let mut groupings: Vec<&Grouping> = Vec::new();
        for term in terms {
            if !groupings.contains(&&term.grouping) {
                groupings.push(&term.grouping);
            }
        }
        let q_of = |grouping: &Grouping| {
            terms.iter().filter(|term| term.grouping == *grouping).map(|term| term.effects.names().len()).sum::<usize>()
        };
        groupings.sort_by_key(|grouping| std::cmp::Reverse(grouping.labels.len() * q_of(grouping)));
        let mut row = 0;
        let mut factors = Vec::with_capacity(groupings.len());
        for (place, grouping) in groupings.iter().enumerate() {
            let (n_labels, q) = (grouping.labels.len(), q_of(grouping));
            factors.push(Factor { codes: grouping.codes.clone(), n_labels, q, row });
            row += if place == 0 { 0 } else { n_labels * q };
        }
        check_work(&factors[0], row + p + 1)?;
        let mut layout = Self { terms: Vec::new(), factors, n_theta: 0 };
        for term in terms {
            let factor = groupings.iter().position(|grouping| **grouping == term.grouping).expect("it was put there");
            layout.push(term, factor)?;
        }
        Ok(layout)
    }

    fn push(&mut self, term: &RandomTerm, factor: usize) -> Result<(), NotEstimable> {
        let q = term.effects.names().len();
        let offset = self.terms.iter().filter(|term| term.factor == factor).map(|term| term.q).sum();
        let (columns, r) = if term.effects.is_intercept() {
            (None, DMatrix::identity(1, 1))
        } else {
            let basis = Basis::new(&term.effects);
            let basis = basis.map_err(|why| undefined(format!("in the effects of {}, {why}", term.grouping.name)))?;
            if term.correlated {
                (Some(basis.columns), basis.r)
            } else {
                let columns: Vec<DVector<f64>> = term.effects.columns().map(DVector::from_vec).collect();
                let lengths = DVector::from_iterator(q, columns.iter().map(root_mean_square));
                let scaled: Vec<DVector<f64>> = columns
                    .into_iter()
                    .zip(lengths.iter())
                    .map(|(column, root_mean_square)| column / *root_mean_square)
                    .collect();
                (Some(DMatrix::from_columns(&scaled)), DMatrix::from_diagonal(&lengths))
            }
        };
        let largest = term.grouping.sizes().into_iter().max().unwrap_or(1);
        let width = 1.0 / (largest as f64).sqrt();
        self.n_theta += if term.correlated { q * (q + 1) / 2 } else { q };
        self.terms.push(Term { factor, offset, q, correlated: term.correlated, columns, r, width });
        Ok(())
    }

    /// Number of θ.
    pub fn n_theta(&self) -> usize {
        self.n_theta
    }

    /// Number of effects of all factors but the first.
    pub fn n_rest(&self) -> usize {
        self.factors[1..].iter().map(|factor| factor.n_labels * factor.q).sum()
    }

    /// Element of a factor that each θ is: the lower triangle of a correlated term column by column, the diagonal
    /// of another.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.terms.iter().enumerate().flat_map(|(place, term)| {
            let below = move |column: usize| column..if term.correlated { term.q } else { column + 1 };
            (0..term.q).flat_map(move |column| below(column).map(move |row| (row, column))).map(move |(row, column)| {
                Entry { term: place, factor: term.factor, row: term.offset + row, column: term.offset + column }
            })
        })
    }

    /// The relative covariance factor of the labels of each factor; θ that are not given are 0.
    pub fn lambda(&self, theta: &[f64]) -> Vec<DMatrix<f64>> {
        let mut factors: Vec<DMatrix<f64>> =
            self.factors.iter().map(|factor| DMatrix::zeros(factor.q, factor.q)).collect();
        for (entry, &theta) in self.entries().zip(theta) {
            factors[entry.factor][(entry.row, entry.column)] = theta;
        }
        factors
    }

    /// Covariance of the effects of each term as given, divided by the residual variance.
    pub fn covariances(&self, theta: &[f64]) -> Vec<DMatrix<f64>> {
        let lambda = self.lambda(theta);
        let of_term = |term: &Term| {
            let block = lambda[term.factor].view((term.offset, term.offset), (term.q, term.q)).into_owned();
            let relative = term.r.solve_upper_triangular(&block).expect("no element of the diagonal is 0");
            &relative * relative.transpose()
        };
        self.terms.iter().map(of_term).collect()
    }

    /// Distance from 0 within which the square of a θ of a term acts linearly: 1 / √n of the
    /// largest group of n observations. The deviance is analytic in a circle of this radius around 0.
    pub fn width(&self, term: usize) -> f64 {
        self.terms[term].width
    }

    /// The same covariances from factors whose columns are 0 wherever they can be: an effect that the effects before it
    /// determine has none of its own. Columns `zero` (as places of θ on the diagonal) are made so. What comes behind the θ stays.
    pub fn canonical(&self, theta: &[f64], zero: &[usize]) -> Vec<f64> {
        let lambda = self.lambda(theta);
        let covariances: Vec<DMatrix<f64>> = lambda.iter().map(|factor| factor * factor.transpose()).collect();
        let mut lambda = self.lambda(&[]);
        let mut result = Vec::with_capacity(theta.len());
        for (place, entry) in self.entries().enumerate() {
            let Entry { term, factor, row, column } = entry;
            let random_term = &self.terms[term];
            let columns = random_term.offset..column;
            let dot = |left: usize, right: usize| -> f64 {
                columns.clone().map(|k| lambda[factor][(left, k)] * lambda[factor][(right, k)]).sum()
            };
            let rest = covariances[factor][(row, column)] - dot(row, column);
            let value = if row == column {
                let is_rounding = rest <= 1e-14 * covariances[factor][(row, row)];
                if zero.contains(&place) || is_rounding { 0.0 } else { rest.sqrt() }
            } else {
                let pivot = lambda[factor][(column, column)];
                if pivot == 0.0 { 0.0 } else { rest / pivot }
            };
            lambda[factor][(row, column)] = value;
            result.push(value);
        }
        result.extend(&theta[result.len()..]);
        result
    }

    /// Returns, for each θ, true if its factor has anything in its column.
    pub fn is_free(&self, theta: &[f64]) -> Vec<bool> {
        let entries: Vec<Entry> = self.entries().collect();
        let same = |left: &Entry, right: &Entry| left.term == right.term && left.column == right.column;
        let is_free =
            |wanted: &Entry| entries.iter().zip(theta).any(|(entry, &theta)| same(wanted, entry) && theta != 0.0);
        entries.iter().map(is_free).collect()
    }

    /// The blocks of effects of the factors but the first: factor, first row, and number of effects of a label.
    pub fn rest_blocks(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let of_factor = |(place, factor): (usize, &Factor)| {
            let (row, q) = (factor.row, factor.q);
            (0..factor.n_labels).map(move |label| (place, row + label * q, q))
        };
        self.factors.iter().enumerate().skip(1).flat_map(of_factor)
    }

    /// The rows of the effects of the factors but the first, multiplied by the transposed factors from the left.
    pub fn scaled_rows(&self, lambda: &[DMatrix<f64>], matrix: &DMatrix<f64>) -> DMatrix<f64> {
        let mut scaled = matrix.clone();
        scaled.column_iter_mut().for_each(|mut column| self.scale_rest(lambda, column.as_mut_slice()));
        scaled
    }

    /// Multiplies the effects of the factors but the first by the transposed factors; what comes behind them stays.
    pub(super) fn scale_rest(&self, lambda: &[DMatrix<f64>], rest: &mut [f64]) {
        for (factor, row, q) in self.rest_blocks() {
            let block = &lambda[factor];
            // The elements above are not needed any more once an element is written: λ is lower triangular.
            for left in 0..q {
                rest[row + left] = (left..q).map(|right| block[(right, left)] * rest[row + right]).sum();
            }
        }
    }

    /// The effects of all terms as given, a row for each label, from those of the first factor and of the others.
    pub fn of_terms(&self, scaled: &Effects) -> Vec<DMatrix<f64>> {
        let of_term = |term: &Term| {
            let factor = &self.factors[term.factor];
            let effects = if term.factor == 0 { &scaled.first } else { &scaled.rest };
            let effects_of_term = DMatrix::from_fn(term.q, factor.n_labels, |effect, label| {
                effects[factor.row + label * factor.q + term.offset + effect]
            });
            term.r.solve_upper_triangular(&effects_of_term).expect("no element of the diagonal is 0").transpose()
        };
        self.terms.iter().map(of_term).collect()
    }

    /// Room for the columns of one observation.
    pub fn row_buffer(&self) -> Vec<Vec<f64>> {
        self.factors.iter().map(|factor| vec![0.0; factor.q]).collect()
    }

    /// The columns of an observation, those of each factor for the effects of its own label.
    pub fn fill_row(&self, row: usize, z: &mut [Vec<f64>]) {
        for term in &self.terms {
            for effect in 0..term.q {
                let value = term.columns.as_ref().map_or(1.0, |columns| columns[(row, effect)]);
                z[term.factor][term.offset + effect] = value;
            }
        }
    }

    /// Place at which the effects of an observation's label of a factor begin: among those of the first factor, or of the others.
    pub fn place(&self, factor: usize, row: usize) -> usize {
        self.factors[factor].row + self.factors[factor].codes[row] * self.factors[factor].q
    }

    /// Effects that are all 0.
    pub fn no_effects(&self) -> Effects {
        let n_first = self.factors[0].n_labels * self.factors[0].q;
        Effects { first: DVector::zeros(n_first), rest: DVector::zeros(self.n_rest()) }
    }

    /// Spherical effects multiplied by their relative covariance factors.
    pub fn scaled(&self, lambda: &[DMatrix<f64>], effects: &Effects) -> Effects {
        let mut scaled = effects.clone();
        let q = lambda[0].nrows();
        for row in (0..effects.first.len()).step_by(q) {
            scaled.first.rows_mut(row, q).copy_from(&(&lambda[0] * effects.first.rows(row, q)));
        }
        for (factor, row, q) in self.rest_blocks() {
            scaled.rest.rows_mut(row, q).copy_from(&(&lambda[factor] * effects.rest.rows(row, q)));
        }
        scaled
    }

    /// Effects multiplied by the transposed relative covariance factors.
    pub fn transposed(&self, lambda: &[DMatrix<f64>], effects: &Effects) -> Effects {
        let mut transposed = effects.clone();
        let q = lambda[0].nrows();
        for row in (0..effects.first.len()).step_by(q) {
            transposed.first.rows_mut(row, q).copy_from(&lambda[0].tr_mul(&effects.first.rows(row, q)));
        }
        self.scale_rest(lambda, transposed.rest.as_mut_slice());
        transposed
    }

    /// Adds for each factor the products of the effects `left` of a label with those of `right`.
    pub fn add_outer(&self, left: &Effects, right: &Effects, totals: &mut [DMatrix<f64>]) {
        let q = self.factors[0].q;
        for row in (0..left.first.len()).step_by(q) {
            totals[0].ger(1.0, &left.first.rows(row, q), &right.first.rows(row, q), 1.0);
        }
        for (factor, row, q) in self.rest_blocks() {
            totals[factor].ger(1.0, &left.rest.rows(row, q), &right.rest.rows(row, q), 1.0);
        }
    }

    /// Sums that are all 0, of the effects alone.
    pub fn no_sums(&self) -> Sums {
        let (a, q, n_rest) = (self.factors[0].n_labels * self.factors[0].q, self.factors[0].q, self.n_rest());
        Sums {
            first: DMatrix::zeros(a, q),
            first_by_rest: DMatrix::zeros(a, n_rest),
            rest: DMatrix::zeros(n_rest, n_rest),
        }
    }

    /// The sums of the effects, of the columns of the fixed effects, and of the response, each observation counting with its
    /// weight.
    pub fn sums(&self, fixed: &DMatrix<f64>, response: &DVector<f64>, weights: Option<&DVector<f64>>) -> Sums {
        let first = &self.factors[0];
        let (n_rest, p) = (self.n_rest(), fixed.ncols());
        let (a, width) = (first.n_labels * first.q, n_rest + p + 1);
        let mut sums = Sums {
            first: DMatrix::zeros(a, first.q),
            first_by_rest: DMatrix::zeros(a, width),
            rest: DMatrix::zeros(width, width),
        };
        // The columns in which an observation is not 0, ascending, and its value there.
        let mut nonzero: Vec<(usize, f64)> = Vec::with_capacity(width);
        let mut of_first: Vec<f64> = Vec::with_capacity(first.q);
        let mut z = self.row_buffer();
        for row in (0..response.len()).filter(|&row| weights.is_none_or(|weights| weights[row] > 0.0)) {
            nonzero.clear();
            of_first.clear();
            self.fill_row(row, &mut z);
            of_first.extend(&z[0]);
            for (place, factor) in self.factors.iter().enumerate().skip(1) {
                let from = factor.row + factor.codes[row] * factor.q;
                nonzero.extend(z[place].iter().enumerate().map(|(effect, &value)| (from + effect, value)));
            }
            nonzero.extend((0..p).map(|column| (n_rest + column, fixed[(row, column)])));
            nonzero.push((n_rest + p, response[row]));
            if let Some(weights) = weights {
                let root = weights[row].sqrt();
                of_first.iter_mut().for_each(|value| *value *= root);
                nonzero.iter_mut().for_each(|(_, value)| *value *= root);
            }
            let block = first.codes[row] * first.q;
            for (left, &value) in of_first.iter().enumerate() {
                of_first
                    .iter()
                    .enumerate()
                    .for_each(|(right, other)| sums.first[(block + left, right)] += value * other);
                nonzero.iter().for_each(|&(right, other)| sums.first_by_rest[(block + left, right)] += value * other);
            }
            for (number, &(right, value)) in nonzero.iter().enumerate() {
                nonzero[..=number].iter().for_each(|&(left, other)| sums.rest[(right, left)] += value * other);
            }
        }
        sums.rest.fill_upper_triangle_with_lower_triangle();
        sums
    }
}

fn root_mean_square(column: &DVector<f64>) -> f64 {
    column.norm() / (column.len() as f64).sqrt()
}

/// Refuses problems whose single evaluation would take seconds.
fn check_work(first: &Factor, width: usize) -> Result<(), NotEstimable> {
    let effects = first.n_labels * first.q;
    let work = (effects as f64 + width as f64) * (width as f64).powi(2) + effects as f64 * (first.q as f64).powi(2);
    if work <= MOST_WORK {
        return Ok(());
    }
    let value = format!("{effects} effects of the largest factor and {width} other effects and columns");
    let allowed = "such that (a + b) b², and a times the squared number of effects of a label, are together at most 2,000,000,000 for a effects of the largest factor and b others";
    Err(NotEstimable::OutOfRange { quantity: "the size of the mixed model", value, allowed })
}
