//! Test that the hazard ratios of a Cox model stay the same over time.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::partial_likelihood::{EventTime, PartialLikelihood};
use super::sorted::ticks;
use crate::not_estimable::NotEstimable;
use crate::record::*;
use crate::stats::chi_squared::ChiSquaredTest;
use crate::stats::covariate::{JointTest, MODEL_TERM, TEST, inverse, joint_record, joint_test};

/// The function of time with which a hazard ratio might change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeScale {
    /// One less the Kaplan–Meier curve just before the time; little moved by late, lonely events. The
    /// default of R's `cox.zph`.
    KaplanMeier,
    /// The time itself.
    Identity,
    /// The natural logarithm of the time; without a result if an event is at time 0.
    Log,
}

/// The test of one covariate for a hazard ratio that changes over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CovariateTest {
    /// Name of the covariate.
    pub name: String,
    /// The test with one degree of freedom; absent where it cannot be computed.
    pub test: Option<ChiSquaredTest>,
}

/// Tests of the hazard ratios of a Cox model for a change over time.
///
/// Grambsch & Therneau (1994). Proportional hazards tests and diagnostics based on weighted
/// residuals. *Biometrika*, 81, 515–526. As a score test: the model is extended by the product of
/// each covariate with a function of time, and the gradient there is compared with its covariance
/// matrix, as R's `cox.zph` since survival 3.0. lifelines uses an approximation of it that takes the
/// covariance matrix of the risk set as the same at all times, and gives other numbers. It takes the
/// times as independent, also where the model has clusters. Strata share one function of time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProportionalHazards {
    /// The function of time.
    pub scale: TimeScale,
    /// Each covariate alone.
    pub covariates: Vec<CovariateTest>,
    /// All covariates at once; absent where it cannot be computed.
    pub all: Option<ChiSquaredTest>,
}

impl TimeScale {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::KaplanMeier, Self::Identity, Self::Log];
}

/// The tests of a fitted model on every scale, in the order of [`TimeScale::ALL`].
pub(super) fn proportional_hazards(
    times: &[f64],
    events: &[bool],
    likelihood: &PartialLikelihood,
    point: &DVector<f64>,
) -> [ProportionalHazards; 3] {
    let moments = Moment::all(times, events);
    let mut sums = TimeScale::ALL.map(|scale| Sums::new(scale, &moments, likelihood.design.len()));
    likelihood.visit(point, |time| {
        // Strata share one scale of time, as in R: a time can come in several.
        let place = moments.partition_point(|moment| moment.time < time.time);
        if let Some(moment) = moments.get(place) {
            sums.iter_mut().for_each(|sums| sums.add(moment, &time));
        }
    });
    sums.map(|sums| sums.test(&likelihood.design.names))
}

/// A time with events.
#[derive(Clone, Copy)]
struct Moment {
    time: f64,
    /// One less the Kaplan–Meier curve just before.
    share_before: f64,
}

impl Moment {
    fn all(times: &[f64], events: &[bool]) -> Vec<Self> {
        let mut survival = 1.0;
        let mut moments = Vec::new();
        for tick in ticks(times, events).iter().filter(|tick| tick.n_events > 0) {
            moments.push(Self { time: tick.time, share_before: 1.0 - survival });
            survival *= (tick.n_at_risk - tick.n_events) as f64 / tick.n_at_risk as f64;
        }
        moments
    }

    fn on(&self, scale: TimeScale) -> f64 {
        match scale {
            TimeScale::KaplanMeier => self.share_before,
            TimeScale::Identity => self.time,
            TimeScale::Log => self.time.ln(),
        }
    }
}

/// Gradient and information of the extended model: of the covariates (`plain`), of their products with
/// time (`squared`), and between the two (`crossed`).
struct Sums {
    scale: TimeScale,
    /// The test does not depend on what is taken off the values; its rounding does.
    centre: f64,
    gradient: DVector<f64>,
    plain: DMatrix<f64>,
    crossed: DMatrix<f64>,
    squared: DMatrix<f64>,
}

impl Sums {
    fn new(scale: TimeScale, moments: &[Moment], p: usize) -> Self {
        let centre = moments.iter().map(|moment| moment.on(scale)).sum::<f64>() / moments.len() as f64;
        let zeros = || DMatrix::zeros(p, p);
        Self { scale, centre, gradient: DVector::zeros(p), plain: zeros(), crossed: zeros(), squared: zeros() }
    }

    fn add(&mut self, moment: &Moment, time: &EventTime) {
        let weight = moment.on(self.scale) - self.centre;
        self.gradient.axpy(weight, &time.residual, 1.0);
        self.plain += &time.covariance;
        self.crossed += &time.covariance * weight;
        self.squared += &time.covariance * (weight * weight);
    }

    fn test(&self, names: &[String]) -> ProportionalHazards {
        let inverse = inverse(&self.plain).filter(|_| self.centre.is_finite());
        let covariance = inverse.map(|inverse| &self.squared - &self.crossed * inverse * &self.crossed);
        let test = |columns: &[usize]| {
            let covariance = covariance.as_ref()?;
            // Rounding leaves a little of a covariance matrix that is 0, as with a single event.
            if !columns.iter().all(|&column| {
                covariance[(column, column)] > 1e-10 * self.squared[(column, column)].max(f64::MIN_POSITIVE)
            }) {
                return None;
            }
            let part = covariance.select_rows(columns).select_columns(columns);
            let gradient = self.gradient.select_rows(columns);
            joint_test(&gradient, &part)
        };
        let covariates = names.iter().enumerate();
        let covariates = covariates.map(|(column, name)| CovariateTest { name: name.clone(), test: test(&[column]) });
        let all = test(&(0..names.len()).collect::<Vec<_>>());
        ProportionalHazards { scale: self.scale, covariates: covariates.collect(), all }
    }
}

impl ProportionalHazards {
    /// `proportional hazards: χ²(2) = 3.10, p = .212`, for all covariates at once.
    pub fn sentence(&self) -> String {
        let all = self.all.map_or("not estimable".to_owned(), |test| test.sentence());
        format!("proportional hazards: {all}")
    }
}

/// Scale of time.
pub const SCALE: Column = text("scale", "function of time: kaplan-meier, identity, log");

impl ProportionalHazards {
    /// The test of each covariate, and of all at once; `reason` is that of the model.
    pub fn records(&self, reason: Option<&NotEstimable>) -> Vec<Record> {
        let scale = match self.scale {
            TimeScale::KaplanMeier => "kaplan-meier",
            TimeScale::Identity => "identity",
            TimeScale::Log => "log",
        };
        let row = |term: &str, test: Option<ChiSquaredTest>| {
            let record = joint_record(scale, test.map(JointTest::from), reason)
                .unset(TEST)
                .set(SCALE, scale)
                .set(MODEL_TERM, term);
            match test {
                None if self.scale == TimeScale::Log => {
                    record.set(REASON, "an event is at time 0, or all events are at one time")
                }
                _ => record,
            }
        };
        let each = self.covariates.iter().map(|covariate| row(&covariate.name, covariate.test));
        each.chain([row("(all)", self.all).skipping_adjustment()]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::cox::cox;
    use super::*;
    use crate::inference::Confidence;
    use crate::stats::covariate::Covariate;

    #[test]
    fn one_event_time_cannot_tell_a_change() {
        let x = [Covariate { name: "x", values: &[0.0, 1.0, 2.0, 1.0, 3.0] }];
        let events = [true, true, true, false, false];
        let model = cox(&[2.0, 2.0, 2.0, 5.0, 6.0], &events, &x, None, Confidence::default());
        assert_eq!(model.fit.reason(), None);
        let test = model.proportionality(TimeScale::KaplanMeier).unwrap();
        assert_eq!((test.all, test.covariates[0].test), (None, None));
        assert_eq!(test.sentence(), "proportional hazards: not estimable");
        let start = cox(&[0.0, 1.0, 2.0, 3.0, 4.0], &[true; 5], &x, None, Confidence::default());
        assert_eq!(start.proportionality(TimeScale::Log).unwrap().all, None);
        assert!(start.proportionality(TimeScale::Identity).unwrap().all.is_some());
    }
}
