//! Residuals of a mixed model, and influence of single labels of its factors on its fixed effects.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use super::basis::Basis;
use super::design::{Grouping, RandomTerm};
use super::layout::{Layout, Sums};

/// Residuals, and the influence of the labels of the factors on the fixed effects.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Diagnostics {
    /// The expected value of each observation, with the random effects of its labels; of events their probability.
    pub fitted: Vec<f64>,
    /// Residual of each: observed less fitted, divided by its standard deviation (of events by that of their
    /// probability: Pearson's residuals).
    pub residuals: Vec<f64>,
    /// Change of the fixed effects without each label of each factor.
    pub influence: Vec<Influence>,
}

/// Change of the fixed effects without the observations of one label.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Influence {
    /// Name of the factor.
    pub factor: String,
    /// The label, such as the participant.
    pub label: String,
    /// Number of its observations.
    pub n: usize,
    /// Increase of each fixed effect without them, in its standard errors, variances as they are (DFBETAS of Belsley,
    /// Kuh & Welsch, 1980, of a group); of events by a single step from the fit.
    pub changes: Vec<f64>,
}

/// Of a factor with more labels than this, only those of the greatest influence to the first order are left out in turn.
const MOST_LABELS: usize = 100;

/// A fit, as far as its diagnostics need it.
pub(super) struct Fit<'a> {
    pub layout: &'a Layout,
    pub basis: &'a Basis,
    pub terms: &'a [RandomTerm],
    pub theta: &'a [f64],
    /// Standard errors of the fixed effects.
    pub errors: Vec<f64>,
    /// Residual of each observation.
    pub left: Vec<Left>,
}

/// Residual of an observation.
pub(super) struct Left {
    pub fitted: f64,
    pub residual: f64,
    /// Input of the equations of the effects: the response, and its weight.
    pub response: f64,
    pub weight: f64,
}

impl Fit<'_> {
    pub fn diagnostics(self) -> Option<Diagnostics> {
        let influence = self.influence()?;
        Some(Diagnostics {
            fitted: self.left.iter().map(|left| left.fitted).collect(),
            residuals: self.left.iter().map(|left| left.residual).collect(),
            influence,
        })
    }

    /// Leaves each label out in turn: its observations are taken off the sums of which the equations are made.
    fn influence(&self) -> Option<Vec<Influence>> {
        let response = DVector::from_iterator(self.left.len(), self.left.iter().map(|left| left.response));
        let weights = DVector::from_iterator(self.left.len(), self.left.iter().map(|left| left.weight));
        let all = self.layout.sums(&self.basis.columns, &response, Some(&weights));
        let whole = self.fixed(&all)?;
        let mut influences = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for term in self.terms {
            let grouping = &term.grouping;
            if names.contains(&grouping.name.as_str()) {
                continue;
            }
            names.push(&grouping.name);
            let sizes = grouping.sizes();
            for code in self.most_influential(grouping) {
                let of_label =
                    weights.map_with_location(|row, _, weight| if grouping.codes[row] == code { weight } else { 0.0 });
                let sums_of_label = self.layout.sums(&self.basis.columns, &response, Some(&of_label));
                // Without it an effect may not be estimable any more.
                let Some(without) = self.fixed(&all.without(&sums_of_label)) else { continue };
                let changes = (without - &whole).iter().zip(&self.errors).map(|(by, error)| by / error).collect();
                let (factor, label) = (grouping.name.clone(), grouping.labels[code].clone());
                influences.push(Influence { factor, label, n: sizes[code], changes });
            }
        }
        Some(influences)
    }

    /// The labels, or those of many whose scores are largest.
    fn most_influential(&self, grouping: &Grouping) -> Vec<usize> {
        let mut codes: Vec<usize> = (0..grouping.labels.len()).collect();
        if codes.len() > MOST_LABELS {
            let columns = &self.basis.columns;
            let mut scores = DMatrix::<f64>::zeros(columns.ncols(), codes.len());
            for (row, rest) in self.left.iter().enumerate() {
                let score = rest.residual * rest.weight.sqrt();
                let mut of_label = scores.column_mut(grouping.codes[row]);
                of_label.iter_mut().zip(columns.row(row).iter()).for_each(|(sum, value)| *sum += score * value);
            }
            codes.sort_by(|&left, &right| scores.column(right).norm().total_cmp(&scores.column(left).norm()));
            codes.truncate(MOST_LABELS);
            codes.sort_unstable();
        }
        codes
    }

    /// The fixed effects as given that solve the equations.
    fn fixed(&self, sums: &Sums) -> Option<DVector<f64>> {
        let (_, fixed) = self.layout.solution(&self.layout.equations(sums, self.theta)?)?;
        let coefficients = self.basis.of_design(&DMatrix::from_column_slice(fixed.len(), 1, fixed.as_slice()));
        coefficients.iter().all(|value| value.is_finite()).then(|| coefficients.column(0).into_owned())
    }
}
