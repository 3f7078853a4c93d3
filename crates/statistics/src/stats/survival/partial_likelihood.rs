//! The partial likelihood of the proportional hazards model, with Efron's treatment of ties.
//!
//! Cox (1972); Efron (1977). The efficiency of Cox's likelihood function for censored data. *Journal
//! of the American Statistical Association*, 72, 557–565. Of d events at one time, the l-th
//! (l = 0, 1, …) is taken to happen when a share l / d of each of the others has left the risk set.

use nalgebra::{DMatrix, DVector};

use crate::numeric::newton::{Concave, Local};
use crate::stats::covariate::Design;

/// Data of a Cox model, stratum by stratum in descending order of time.
pub(super) struct PartialLikelihood {
    /// Standardised covariates, in the order of the input.
    pub design: Design,
    /// Numbers of the observations, by stratum and then in descending order of time.
    order: Vec<usize>,
    /// The observations that leave at each different time of a stratum, as places in `order`, latest time first.
    groups: Vec<TimePoint>,
}

/// A time with the places of the observations that leave at it: first the events, then those censored.
struct TimePoint {
    start: usize,
    first_censored: usize,
    end: usize,
    time: f64,
    /// True if they are the last ones of their stratum: no one of those before was at risk with them.
    is_latest: bool,
}

/// The risk set at one time with events, averaged over the tied events after Efron.
pub(super) struct EventTime {
    /// The time.
    pub time: f64,
    /// Number of events at the time.
    n_events: usize,
    /// Sum over the events of the covariates less their mean in the risk set (Schoenfeld's residuals).
    pub residual: DVector<f64>,
    /// Sum over the events of the covariance matrix of the covariates in the risk set.
    pub covariance: DMatrix<f64>,
    /// Contribution to the log partial likelihood.
    value: f64,
    /// Sum over the events of the weighted mean of the covariates in the risk set.
    means: DVector<f64>,
    /// Step of the baseline hazard for those at risk without the event, and the same times the mean covariates.
    others: (f64, DVector<f64>),
    /// The same for those with the event, who are partly gone.
    tied: (f64, DVector<f64>),
}

impl PartialLikelihood {
    /// Creates the likelihood. Only those of one stratum are at risk together; without strata, all.
    pub fn new(times: &[f64], events: &[bool], strata: Option<&[usize]>, design: Design) -> Self {
        let stratum = |index: usize| strata.map_or(0, |strata| strata[index]);
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by(|&left, &right| {
            // Latest first, so that the risk set only grows: sums that are taken from again would lose digits.
            let by_time = times[right].total_cmp(&times[left]).then(events[right].cmp(&events[left]));
            stratum(left).cmp(&stratum(right)).then(by_time)
        });
        let mut groups = Vec::new();
        let (mut start, mut last) = (0, None);
        let at_once = |&left: &usize, &right: &usize| times[left] == times[right] && stratum(left) == stratum(right);
        for group in order.chunk_by(at_once) {
            let n_events = group.iter().filter(|&&index| events[index]).count();
            let (first_censored, end) = (start + n_events, start + group.len());
            let stratum_of_group = stratum(group[0]);
            groups.push(TimePoint {
                start,
                first_censored,
                end,
                time: times[group[0]],
                is_latest: last != Some(stratum_of_group),
            });
            (start, last) = (end, Some(stratum_of_group));
        }
        Self { design, order, groups }
    }

    /// Visits the times with events, stratum by stratum, latest first.
    pub fn visit(&self, point: &DVector<f64>, mut visit: impl FnMut(EventTime)) {
        let p = self.design.len();
        let (effects, shift) = self.linear(point);
        let mut all = Sums::new(p);
        for group in &self.groups {
            if group.is_latest {
                all = Sums::new(p);
            }
            let mut tied = Sums::new(p);
            for (place, &index) in self.order[group.start..group.end].iter().enumerate() {
                let row = self.design.row(index);
                let weight = (effects[index] - shift).exp();
                all.add(weight, row);
                if group.start + place < group.first_censored {
                    tied.add(weight, row);
                    tied.plain.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
                    tied.effect += effects[index] - shift;
                }
            }
            if group.first_censored > group.start {
                visit(EventTime::new(group.time, group.first_censored - group.start, &all, &tied));
            }
        }
    }

    /// Contribution of each observation to the gradient (score residuals), row by row as in the design.
    pub fn scores(&self, point: &DVector<f64>) -> Vec<f64> {
        let p = self.design.len();
        let (effects, shift) = self.linear(point);
        let mut times = Vec::new();
        // Without the matrices, which would take memory for nothing.
        self.visit(point, |time| times.push(EventTime { covariance: DMatrix::zeros(0, 0), ..time }));
        let mut scores = vec![0.0; self.design.rows.len()];
        let (mut hazard, mut weighted) = (0.0, DVector::<f64>::zeros(p));
        // From the earliest time on, so that the hazard so far can be summed.
        for group in self.groups.iter().rev() {
            let event_time = if group.first_censored > group.start { times.pop() } else { None };
            let before = (hazard, weighted.clone());
            if let Some(time) = &event_time {
                hazard += time.others.0;
                weighted += &time.others.1;
            }
            for place in group.start..group.end {
                let index = self.order[place];
                let row = self.design.row(index);
                let score = &mut scores[index * p..(index + 1) * p];
                let weight = (effects[index] - shift).exp();
                for (column, score) in score.iter_mut().enumerate() {
                    let x = row[column];
                    *score = match &event_time {
                        Some(time) if place < group.first_censored => {
                            let at_event = x - time.means[column] / time.n_events as f64;
                            let past = x * (before.0 + time.tied.0) - before.1[column] - time.tied.1[column];
                            at_event - weight * past
                        }
                        _ => -weight * (x * hazard - weighted[column]),
                    };
                }
            }
            if group.is_latest {
                (hazard, weighted) = (0.0, DVector::zeros(p));
            }
        }
        scores
    }

    /// The log hazard ratio of each observation, and the largest of them, which is taken off before
    /// exponentials are taken: the partial likelihood does not depend on it.
    pub fn linear(&self, point: &DVector<f64>) -> (Vec<f64>, f64) {
        let effect = |index| self.design.row(index).iter().zip(point).map(|(x, beta)| x * beta).sum::<f64>();
        let effects: Vec<f64> = (0..self.order.len()).map(effect).collect();
        let largest = effects.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (effects, largest)
    }
}

impl Concave for PartialLikelihood {
    const NAME: &'static str = "the maximum of the partial likelihood";

    fn at(&self, point: &DVector<f64>) -> Local {
        let p = self.design.len();
        let mut local = Local { value: 0.0, gradient: DVector::zeros(p), information: DMatrix::zeros(p, p) };
        self.visit(point, |time| {
            local.value += time.value;
            local.gradient += time.residual;
            local.information += time.covariance;
        });
        local
    }

    /// A monotone likelihood: whoever has an event is the one furthest in this direction of all then
    /// at risk.
    fn recedes(&self, direction: &DVector<f64>) -> Option<String> {
        let (effects, largest) = self.linear(direction);
        let smallest = effects.iter().copied().fold(f64::INFINITY, f64::min);
        // The direction is that of a step, known to a few digits: what differs by less is equal.
        let allowed = 1e-6 * (largest - smallest);
        let (mut top, mut bottom, mut is_strict) = (f64::NEG_INFINITY, f64::INFINITY, false);
        for group in &self.groups {
            if group.is_latest {
                (top, bottom) = (f64::NEG_INFINITY, f64::INFINITY);
            }
            for &index in &self.order[group.start..group.end] {
                top = top.max(effects[index]);
                bottom = bottom.min(effects[index]);
            }
            for &index in &self.order[group.start..group.first_censored] {
                if effects[index] < top - allowed {
                    return None;
                }
                is_strict |= effects[index] > bottom + allowed;
            }
        }
        let names = self.design.names_in(direction.as_slice());
        is_strict.then(|| {
            format!("every event is that of the most extreme by {names} of all at risk, so that the hazard ratio has no finite estimate")
        })
    }
}

/// Weighted sums over a set of observations: of 1, of the covariates, and of their products.
struct Sums {
    weight: f64,
    first: DVector<f64>,
    second: DMatrix<f64>,
    /// Unweighted sum of the covariates.
    plain: DVector<f64>,
    /// Sum of the log hazard ratios.
    effect: f64,
}

impl Sums {
    fn new(p: usize) -> Self {
        let (first, second, plain) = (DVector::zeros(p), DMatrix::zeros(p, p), DVector::zeros(p));
        Self { weight: 0.0, first, second, plain, effect: 0.0 }
    }

    fn add(&mut self, weight: f64, row: &[f64]) {
        self.weight += weight;
        for (column, x) in row.iter().enumerate() {
            let weighted = weight * x;
            self.first[column] += weighted;
            let mut products = self.second.column_mut(column);
            products.iter_mut().zip(row).for_each(|(sum, other)| *sum += weighted * other);
        }
    }
}

impl EventTime {
    fn new(time: f64, n_events: usize, all: &Sums, tied: &Sums) -> Self {
        let p = all.first.len();
        let mut result = Self {
            time,
            n_events,
            residual: tied.plain.clone(),
            covariance: DMatrix::zeros(p, p),
            value: tied.effect,
            means: DVector::zeros(p),
            others: (0.0, DVector::zeros(p)),
            tied: (0.0, DVector::zeros(p)),
        };
        for number in 0..n_events {
            let gone = number as f64 / n_events as f64;
            // At least weight / d of the tied is left, so the difference cannot vanish.
            let weight = all.weight - gone * tied.weight;
            let mean = (&all.first - &tied.first * gone) / weight;
            result.value -= weight.ln();
            result.covariance += (&all.second - &tied.second * gone) / weight;
            result.covariance.ger(-1.0, &mean, &mean, 1.0);
            result.residual -= &mean;
            result.others.0 += 1.0 / weight;
            result.others.1.axpy(1.0 / weight, &mean, 1.0);
            result.tied.0 += (1.0 - gone) / weight;
            result.tied.1.axpy((1.0 - gone) / weight, &mean, 1.0);
            result.means += mean;
        }
        result
    }
}
