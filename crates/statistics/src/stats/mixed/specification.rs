//! A mixed model as a formula over variables.

use std::sync::Arc;

use super::design::not_defined;
use crate::formula::{Formula, Random, Terms};
use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;
use crate::stats::chi_squared::ChiSquaredTest;
use crate::stats::mixed::design::{Design, Grouping, RandomTerm, Variable};
use crate::stats::mixed::effects::Criterion;
use crate::stats::mixed::model::{MixedModel, logistic_mixed_model, mixed_model};

/// Outcome of a mixed model.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A number, by a linear model.
    Number(Vec<f64>),
    /// An event that happens or does not, by a logistic model.
    Event(Vec<bool>),
}

impl Outcome {
    fn n(&self) -> usize {
        match self {
            Self::Number(values) => values.len(),
            Self::Event(events) => events.len(),
        }
    }
}

/// A model compared with the one without one of its terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The term.
    pub term: String,
    /// The likelihood-ratio test, or why there is none.
    pub test: Result<ChiSquaredTest, NotEstimable>,
}

/// A formula with the observations of all that it names.
///
/// ```
/// use plymap_statistics::stats::Confidence;
/// use plymap_statistics::stats::mixed::{Criterion, Grouping, Outcome, Specification, Variable};
///
/// let seconds = [2.0, 3.1, 4.2, 2.9, 4.1, 5.3, 1.2, 2.4, 2.9, 3.3, 4.0, 5.4];
/// let seconds = Outcome::Number(seconds.to_vec());
/// let moves = Variable::number("moves", &[1.0, 2.0, 3.0].repeat(4))?;
/// let participant = Grouping::new("participant", &["a", "b", "c", "d"].map(|name| [name; 3]).concat());
/// let formula = "seconds ~ moves + (1 | participant)".parse().unwrap();
/// let model = Specification::new(formula, seconds, vec![moves], vec![participant])?;
/// let found = model.fit(Criterion::Reml, Confidence::default())?;
/// assert_eq!(found.term_test("moves").sentence(), "F(1, 7.0) = 210.48, p < .001");
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Specification {
    formula: Formula,
    outcome: Outcome,
    variables: Vec<Arc<Variable>>,
    factors: Vec<Grouping>,
}

impl Specification {
    /// A formula over these observations of the outcome, the predictors, and the columns of factors; others than those that
    /// it names are not used.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if something that the formula names is not there, or not for each observation.
    pub fn new(
        formula: Formula,
        outcome: Outcome,
        variables: Vec<Variable>,
        factors: Vec<Grouping>,
    ) -> Result<Self, NotEstimable> {
        let is_known = |name: &&str| variables.iter().any(|variable| variable.name == **name);
        let is_factor = |name: &&str| factors.iter().any(|factor| factor.name == **name);
        let unknown = formula.predictors().into_iter().find(|name| !is_known(name));
        if let Some(name) = unknown.or_else(|| formula.factors().into_iter().find(|name| !is_factor(name))) {
            return Err(not_defined(format!("{name} is not known to it")));
        }
        let lengths = factors
            .iter()
            .map(|factor| ("a factor", factor.n()))
            .chain(variables.iter().map(|variable| ("a column", variable.n())));
        if let Some((right_name, right)) = lengths.into_iter().find(|(_, n)| *n != outcome.n()) {
            return Err(NotEstimable::UnequalLengths {
                left_name: "the outcome",
                left: outcome.n(),
                right_name,
                right,
            });
        }
        let variables = variables.into_iter().map(Arc::new).collect();
        Ok(Self { formula, outcome, variables, factors })
    }

    /// Fits it. A logistic model is fitted by maximum likelihood, whatever the criterion.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if the formula has no design. Where the design has no fit, the model says why.
    pub fn fit(&self, criterion: Criterion, confidence: Confidence) -> Result<MixedModel, NotEstimable> {
        let (design, terms) = (self.design(&self.formula.fixed)?, self.random_terms()?);
        Ok(match &self.outcome {
            Outcome::Number(y) => mixed_model(y, &design, &terms, criterion, confidence),
            Outcome::Event(events) => logistic_mixed_model(events, &design, &terms, confidence),
        })
    }

    /// The likelihood-ratio test of each fixed term but the intercept, by maximum likelihood: against the model without
    /// the term and its products with others.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if the whole model has no fit.
    pub fn comparisons(&self) -> Result<Vec<Comparison>, NotEstimable> {
        // Restricted likelihoods of models with different fixed effects cannot be compared.
        let whole = self.fit(Criterion::Ml, Confidence::default())?;
        if let Some(reason) = whole.reason {
            return Err(reason);
        }
        let test = |term: &Vec<String>| {
            let mut smaller = self.clone();
            // Without its products too: beside these, the model without the term would depend on the coding of its
            // columns.
            smaller.formula.fixed.products.retain(|product| !term.iter().all(|name| product.contains(name)));
            let smaller = smaller.fit(Criterion::Ml, Confidence::default());
            let smaller = smaller.and_then(|model| model.reason.clone().map_or(Ok(model), Err));
            let test = smaller.and_then(|smaller| whole.likelihood_ratio(&smaller));
            Comparison { term: term.join(" : "), test }
        };
        Ok(self.formula.fixed.products.iter().map(test).collect())
    }

    /// The columns of these terms.
    pub(super) fn design(&self, terms: &Terms) -> Result<Design, NotEstimable> {
        let n = self.outcome.n();
        let mut design = if terms.intercept { Design::with_intercept(n) } else { Design::empty(n) };
        for name in terms.columns() {
            let variable = self.variables.iter().find(|variable| variable.name == name);
            design = design.variable(Arc::clone(variable.expect("new() has looked for it")))?;
        }
        terms.products.iter().try_fold(design, |design, product| design.product(product))
    }

    /// The random terms.
    pub(super) fn random_terms(&self) -> Result<Vec<RandomTerm>, NotEstimable> {
        let term = |random: &Random| {
            let columns =
                random.factor.iter().filter_map(|name| self.factors.iter().find(|factor| factor.name == *name));
            let grouping = Grouping::combined(&columns.collect::<Vec<_>>());
            Ok(RandomTerm { grouping, effects: self.design(&random.terms)?, correlated: random.correlated })
        };
        self.formula.random.iter().map(term).collect()
    }
}
