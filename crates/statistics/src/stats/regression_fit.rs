//! The fit of a regression of events on covariates: what a logistic regression and a Cox model share.

use serde::Serialize;

use super::chi_squared::ChiSquaredTest;
use super::covariate::{Effect, JointTest, count_groups, joint_record};
use crate::apa;
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::newton::Maximum;
use crate::record::*;

/// A regression of events on covariates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RegressionFit {
    /// Number of observations.
    pub n: usize,
    /// Number of observations with the event.
    pub n_events: usize,
    /// Number of clusters, if standard errors allow for them.
    pub n_clusters: Option<usize>,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Log-likelihood of the model without effects; absent where none could be computed.
    pub log_likelihood_null: Option<f64>,
    /// The maximum of the likelihood; absent where Newton's method did not reach it.
    pub maximum: Option<MaximumLikelihood>,
    /// The effect of each covariate on the log odds or the log hazard, in the order of the input, or why they cannot be
    /// estimated.
    pub outcome: Result<Vec<Effect>, NotEstimable>,
    /// Wald test of all covariates by the covariance matrix of the standard errors. Where these allow for clusters, it is
    /// Hotelling's F with the degrees of freedom of the effect that has the fewest; absent where these are too few for it,
    /// and where a two-way matrix is not positive definite.
    pub wald: Option<JointTest>,
}

/// The maximum of a likelihood.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MaximumLikelihood {
    /// Log-likelihood of the model.
    pub log_likelihood: f64,
    /// Likelihood-ratio test of all covariates. It takes the observations as independent, also where there are clusters.
    pub likelihood_ratio: ChiSquaredTest,
    /// Number of steps of Newton's method.
    pub n_iterations: usize,
}

impl RegressionFit {
    /// A regression that is still to be fitted.
    pub(super) fn new(events: &[bool], confidence: Confidence) -> Self {
        Self {
            n: events.len(),
            n_events: events.iter().filter(|&&event| event).count(),
            n_clusters: None,
            confidence,
            log_likelihood_null: None,
            maximum: None,
            outcome: Ok(Vec::new()),
            wald: None,
        }
    }

    /// Counts the clusters, of which two are needed.
    pub(super) fn set_clusters(&mut self, clusters: &[usize]) -> Result<(), NotEstimable> {
        let n_clusters = count_groups("the list of clusters", clusters, self.n)?;
        self.n_clusters = Some(n_clusters);
        check_count("a cluster-robust standard error", "clusters", n_clusters, 2)
    }

    /// Sets the maximum of the likelihood of a model with `p` covariates, and the likelihood without them.
    pub(super) fn set_maximum(&mut self, maximum: &Maximum, null: f64, p: usize) {
        let log_likelihood = maximum.local.value;
        let likelihood_ratio = ChiSquaredTest::new(2.0 * (log_likelihood - null), p);
        let n_iterations = maximum.n_iterations;
        self.maximum = Some(MaximumLikelihood { log_likelihood, likelihood_ratio, n_iterations });
    }

    /// Sets the Wald test from its χ²; `df` are the degrees of freedom of the effects, where standard errors are
    /// cluster-robust.
    pub(super) fn set_wald(&mut self, test: Option<ChiSquaredTest>, df: Option<&[f64]>) {
        self.wald = test.and_then(|test| match df {
            Some(df) => JointTest::estimated(test, df.iter().copied().fold(f64::INFINITY, f64::min)),
            None => Some(JointTest::from(test)),
        });
    }

    /// The effects; none where they cannot be estimated.
    pub fn effects(&self) -> &[Effect] {
        self.outcome.as_deref().unwrap_or_default()
    }

    /// Reason why there are no effects.
    pub fn reason(&self) -> Option<&NotEstimable> {
        self.outcome.as_ref().err()
    }

    /// Log-likelihood of the model; absent without a maximum.
    pub fn log_likelihood(&self) -> Option<f64> {
        self.maximum.map(|maximum| maximum.log_likelihood)
    }

    /// Likelihood-ratio test of all covariates; absent without a maximum.
    pub fn likelihood_ratio(&self) -> Option<ChiSquaredTest> {
        self.maximum.map(|maximum| maximum.likelihood_ratio)
    }

    /// McFadden's R², 1 − ln L / ln L0, from 0 to 1 for a logistic regression; absent without a maximum.
    pub fn mcfadden_r_squared(&self) -> Option<f64> {
        Some(1.0 - self.log_likelihood()? / self.log_likelihood_null?)
    }

    /// Each covariate in the style of a paper: `distance: HR = 0.81, 95 % CI [0.72, 0.91], z = −3.54, p < .001`, or with
    /// clusters t(11.3) in place of z, joined by semicolons; `symbol` names the ratio.
    pub fn sentence(&self, symbol: &str) -> String {
        match &self.outcome {
            Ok(effects) if !effects.is_empty() => {
                let sentence =
                    |effect: &Effect| format!("{}: {}", effect.name, effect.sentence(symbol, self.confidence));
                effects.iter().map(sentence).collect::<Vec<_>>().join("; ")
            }
            outcome => apa::not_estimable(symbol, self.n, outcome.as_ref().err()),
        }
    }

    /// The counts behind all rows of its tables.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_EVENTS, self.n_events)
            .set(N_CLUSTERS, self.n_clusters)
            .set(CONVERGED, self.maximum.is_some())
            .set(REASON, self.reason().cloned())
    }

    /// A row for each effect, or for some of them.
    pub(super) fn effect_record(&self, effect: &Effect, symbol: &str) -> Record {
        effect.record(symbol, self.confidence).set(DF, effect.df)
    }

    /// A row for each test of all covariates: likelihood ratio, Wald, and others.
    pub(super) fn test_records(&self, others: &[(&str, Option<ChiSquaredTest>)]) -> Vec<Record> {
        let tests = [("likelihood-ratio", self.likelihood_ratio().map(JointTest::from)), ("wald", self.wald)];
        let others = others.iter().map(|&(name, test)| (name, test.map(JointTest::from)));
        let row = |(name, test)| joint_record(name, test, self.reason()).set(LOG_LIKELIHOOD, self.log_likelihood());
        tests.into_iter().chain(others).map(row).collect()
    }
}
