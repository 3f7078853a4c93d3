//! The share that has not had the event yet, over time.

use serde::Serialize;

use super::between_clusters::variances;
use super::sorted::ticks;
use crate::apa;
use crate::estimator::fit::{Fitted, Model, Part, Rows};
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Kind, Need, Role};
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::{normal_upper_quantile, student_upper_quantile};
use crate::record::*;
use crate::stats::covariate::count_clusters;
use crate::stats::predictors::numbered;
use crate::stats::survival::ticks::{Tick, check_some, check_times, greenwood};

/// Two shares that differ by less are taken as equal: the steps of a curve of a million times are larger.
const SAME_SHARE: f64 = 1e-9;

/// A Kaplan–Meier curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KaplanMeier {
    /// Number of times.
    pub n: usize,
    /// Number of events.
    pub n_events: usize,
    /// Number of times that are censored.
    pub n_censored: usize,
    /// Number of clusters, if intervals allow for them.
    pub n_clusters: Option<usize>,
    /// The curve at each different time, in ascending order; it is flat between them, and 1 before
    /// the first.
    pub points: Vec<SurvivalPoint>,
    /// The time by which half have had the event.
    pub median: SurvivalQuantile,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Reason why there is no curve.
    pub reason: Option<NotEstimable>,
}

/// A Kaplan–Meier curve from one time to the next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SurvivalPoint {
    /// The time, in the unit of the data.
    pub time: f64,
    /// Number at risk just before it.
    pub n_at_risk: usize,
    /// Number of events at it.
    pub n_events: usize,
    /// Number of times censored at it.
    pub n_censored: usize,
    /// Estimated share without the event after it.
    pub survival: f64,
    /// Standard error of the share; absent where the share is 0, or the clusters balance each other.
    pub standard_error: Option<f64>,
    /// Lower end of the pointwise interval; absent where the share is 1, and with the standard error.
    pub lower: Option<f64>,
    /// Upper end of the pointwise interval; absent with the lower one.
    pub upper: Option<f64>,
}

/// The time by which a share of all has had the event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurvivalQuantile {
    /// The share, such as 0.5 for the median.
    pub share: f64,
    /// The time; absent if the curve does not fall so low.
    pub estimate: Option<f64>,
    /// Lower end of its interval; absent if the lower limit of the curve does not fall so low.
    pub lower: Option<f64>,
    /// Upper end of its interval; absent if the upper limit of the curve does not fall so low, which
    /// leaves the interval open.
    pub upper: Option<f64>,
    /// Reason why the estimate is absent.
    pub reason: Option<NotEstimable>,
}

/// One column of the table of numbers at risk under a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AtRisk {
    /// The time.
    pub time: f64,
    /// Number still at risk just before it.
    pub n_at_risk: usize,
    /// Number of events before it.
    pub n_events: usize,
    /// Number of times censored before it. The three numbers add up to all.
    pub n_censored: usize,
}

/// Estimates the share without the event over time, of independent times, with Greenwood's standard errors and pointwise
/// intervals on the scale of ln(−ln S), which stay between 0 and 1.
///
/// The interval of the median is where the limits of the curve first reach one half. Where the curve
/// itself is exactly one half, the median is the middle of that stretch, so that without censoring
/// it is the plain median; lifelines takes its beginning. At a share of 1 or 0 the formula gives no
/// interval.
///
/// Kaplan & Meier (1958). Nonparametric estimation from incomplete observations. *Journal of the
/// American Statistical Association*, 53, 457–481. Greenwood (1926). *Reports on Public Health and
/// Medical Subjects*, 33. Interval: Kalbfleisch & Prentice (1980). *The statistical analysis of
/// failure time data*, p. 15. Median: Brookmeyer & Crowley (1982). A confidence interval for the
/// median survival time. *Biometrics*, 38, 29–41. The same as R's
/// `survfit(Surv(time, event) ~ 1, conf.type = "log-log")`.
///
/// ```
/// use plymap_statistics::stats::{Confidence, survival::kaplan_meier::kaplan_meier};
///
/// // Four attempts, of which the one of 3 s was given up.
/// let curve = kaplan_meier(&[1.0, 2.0, 3.0, 4.0], &[true, true, false, true], Confidence::default());
/// assert_eq!(curve.survival_at(3.5), Some(0.5));
/// assert_eq!(curve.median.estimate, Some(3.0));
/// ```
pub fn kaplan_meier(times: &[f64], events: &[bool], confidence: Confidence) -> KaplanMeier {
    estimate(times, events, None, confidence)
}

/// As [`kaplan_meier`], with standard errors and intervals that allow for dependence within clusters, such as the
/// trials of a participant: `clusters` holds the cluster of each time. The curve is the same.
///
/// The variance of S(t) is S(t)² Σ U², over the clusters, where U is the sum of the influences on ln S(t) of a cluster's
/// times, the derivatives of ln S(t) by their weights (the infinitesimal jackknife; the linearised values of Williams,
/// 1995, without his factor G / (G − 1) for G clusters):
///
/// −Σ (dN(u) − Y(u) d(u) / n(u)) / (n(u) − d(u)) over the times u ≤ t,
///
/// with dN(u) 1 at the time's own event and Y(u) 1 while it is at risk, where of n(u) at risk d(u) have the event.
/// Intervals take the quantile of t with G − 1 degrees of freedom: those of z are too narrow where clusters are few.
/// Where clusters balance each other, as those that are all alike, there is no interval. Two clusters are needed.
///
/// Williams (1995). Product-limit survival functions with correlated survival times. *Lifetime Data Analysis*, 1,
/// 171–186. Standard errors are those of R's `survfit(Surv(time, event) ~ 1, cluster = cluster, robust = TRUE)`, whose
/// intervals take z. Time grows with n · ln n for n times.
pub fn kaplan_meier_clustered(
    times: &[f64],
    events: &[bool],
    clusters: &[usize],
    confidence: Confidence,
) -> KaplanMeier {
    estimate(times, events, Some(clusters), confidence)
}

fn estimate(times: &[f64], events: &[bool], clusters: Option<&[usize]>, confidence: Confidence) -> KaplanMeier {
    let n_events = events.iter().filter(|&&event| event).count();
    let n = times.len();
    let (points, n_clusters, reason) = match curve(times, events, clusters, confidence) {
        Ok((points, n_clusters)) => (points, n_clusters, None),
        Err(reason) => (Vec::new(), None, Some(reason)),
    };
    let median = quantile_of(&points, 0.5);
    let n_censored = n.saturating_sub(n_events);
    KaplanMeier { n, n_events, n_censored, n_clusters, points, median, confidence, reason }
}

impl KaplanMeier {
    /// The estimated share without the event at a time; absent after the last time if the last was
    /// censored, and where there is no curve.
    pub fn survival_at(&self, time: f64) -> Option<f64> {
        let last = self.points.last()?;
        if time.is_nan() || time > last.time && last.survival > 0.0 {
            return None;
        }
        let n_until = self.points.partition_point(|point| point.time <= time);
        Some(if n_until == 0 { 1.0 } else { self.points[n_until - 1].survival })
    }

    /// The time by which a share of all has had the event, such as 0.25 for the first quartile.
    pub fn quantile(&self, share: f64) -> SurvivalQuantile {
        quantile_of(&self.points, share)
    }

    /// The mean time without the event until a time, which is the area under the curve until then (Irwin, 1949, *Journal of
    /// Hygiene*, 47, 188–189; Royston & Parmar, 2013, *BMC Medical Research Methodology*, 13, 152). Absent where the curve is
    /// not known so far, as for [`KaplanMeier::survival_at`].
    pub fn restricted_mean(&self, until: f64) -> Option<f64> {
        self.survival_at(until)?;
        let (mut area, mut before, mut share) = (0.0, 0.0, 1.0);
        for point in self.points.iter().take_while(|point| point.time < until) {
            area += share * (point.time - before);
            (before, share) = (point.time, point.survival);
        }
        Some(area + share * (until - before))
    }

    /// The numbers at risk at chosen times, such as the ticks of a figure's axis.
    pub fn at_risk(&self, times: &[f64]) -> Vec<AtRisk> {
        let before = |time: f64| {
            let past = self.points.iter().take_while(move |point| point.time < time);
            past.fold((0, 0), |(events, censored), point| (events + point.n_events, censored + point.n_censored))
        };
        let column = |&time: &f64| {
            let (n_events, n_censored) = before(time);
            let n_all: usize = self.points.first().map_or(0, |point| point.n_at_risk);
            AtRisk { time, n_at_risk: n_all - n_events - n_censored, n_events, n_censored }
        };
        times.iter().map(column).collect()
    }

    /// `Mdn = 31.0, 95 % CI [24.0, 40.0], n = 52 (7 censored)`, or an interval that is open above:
    /// `95 % CI [24.0, not reached]`.
    pub fn sentence(&self, decimals: usize) -> String {
        let Some(median) = self.median.estimate else {
            let reason = self.reason.as_ref().or(self.median.reason.as_ref());
            return apa::not_estimable("Mdn", self.n, reason);
        };
        let end = |end: Option<f64>| end.map_or("not reached".to_owned(), |end| apa::number(end, decimals));
        let interval = match (self.median.lower, self.median.upper) {
            (None, None) => String::new(),
            (lower, upper) => format!(", {} CI [{}, {}]", self.confidence, end(lower), end(upper)),
        };
        let median = apa::number(median, decimals);
        let (n, censored) = (apa::count(self.n), apa::count(self.n_censored));
        format!("Mdn = {median}{interval}, n = {n} ({censored} censored)")
    }
}

/// The curve, and the number of clusters.
fn curve(
    times: &[f64],
    events: &[bool],
    clusters: Option<&[usize]>,
    confidence: Confidence,
) -> Result<(Vec<SurvivalPoint>, Option<usize>), NotEstimable> {
    check_times(times, events)?;
    check_some("a survival curve", times)?;
    let ticks = ticks(times, events);
    let greenwood = greenwood(&ticks);
    let Some(clusters) = clusters else {
        let independent: Vec<Option<f64>> = greenwood.into_iter().map(Some).collect();
        return Ok((points(&ticks, &independent, normal_upper_quantile(confidence.tail())), None));
    };
    let n_clusters = count_clusters(clusters, times.len())?;
    check_count("a cluster-robust standard error", "clusters", n_clusters, 2)?;
    let between = variances(&ticks, &greenwood, times, events, clusters);
    let quantile = student_upper_quantile(confidence.tail(), (n_clusters - 1) as f64);
    Ok((points(&ticks, &between, quantile), Some(n_clusters)))
}

/// The curve at each tick, from the variances of its logarithm and the quantile of its intervals.
fn points(ticks: &[Tick], variances: &[Option<f64>], quantile: f64) -> Vec<SurvivalPoint> {
    let mut survival = 1.0;
    let point = |(tick, variance): (&Tick, &Option<f64>)| {
        survival *= tick.share_without();
        let error = variance.filter(|_| survival > 0.0).map(f64::sqrt);
        // The standard error of ln(−ln S) by the delta method.
        let half = error.filter(|_| survival < 1.0).map(|error| quantile * error / f64::ln(survival).abs());
        SurvivalPoint {
            time: tick.time,
            n_at_risk: tick.n_at_risk,
            n_events: tick.n_events,
            n_censored: tick.n_censored,
            survival,
            standard_error: error.map(|error| survival * error),
            lower: half.map(|half| survival.powf(half.exp())),
            upper: half.map(|half| survival.powf((-half).exp())),
        }
    };
    ticks.iter().zip(variances).map(point).collect()
}

fn quantile_of(points: &[SurvivalPoint], share: f64) -> SurvivalQuantile {
    let mut quantile = SurvivalQuantile { share, estimate: None, lower: None, upper: None, reason: None };
    if !(share > 0.0 && share < 1.0) {
        let (value, allowed) = (share.to_string(), "between 0 and 1");
        quantile.reason =
            Some(NotEstimable::OutOfRange { quantity: "the share of a survival quantile", value, allowed });
        return quantile;
    }
    quantile.estimate = crossing(points, 1.0 - share, |point| Some(point.survival));
    quantile.lower = crossing(points, 1.0 - share, |point| point.lower);
    quantile.upper = crossing(points, 1.0 - share, |point| point.upper);
    if quantile.estimate.is_none() {
        let why = match points.last() {
            Some(last) => format!("the curve falls to {:.3} only", last.survival),
            None => "there is no survival curve".to_owned(),
        };
        quantile.reason = Some(NotEstimable::Undefined { quantity: "the survival quantile", why });
    }
    quantile
}

/// The first time at which a falling curve is at a level or below; where it is exactly at it and
/// falls further, the middle of that stretch.
fn crossing(points: &[SurvivalPoint], level: f64, curve: impl Fn(&SurvivalPoint) -> Option<f64>) -> Option<f64> {
    let known = |point: &&SurvivalPoint| curve(point).is_some();
    let first = points.iter().filter(known).find(|point| curve(point) <= Some(level + SAME_SHARE))?;
    if curve(first) < Some(level - SAME_SHARE) {
        return Some(first.time);
    }
    let next = points.iter().filter(known).find(|point| curve(point) < Some(level - SAME_SHARE));
    Some(next.map_or(first.time, |next| 0.5 * (first.time + next.time)))
}

/// The shares of all whose times an estimator gives.
const SHARES: [f64; 3] = [0.25, 0.5, 0.75];

/// Number of censored observations.
pub const N_CENSORED: Column = count("n_censored", "number of censored rows, in which the event did not happen");
/// The share of a quantile.
pub const SHARE: Column = number("share", "share of all that has had the event by that time");
/// A time of a curve.
pub const TIME: Column = number("time", "the time");
/// Number at risk just before it.
pub const N_AT_RISK: Column = count("n_at_risk", "number at risk at this time");
/// Number of events at it.
pub const AT_TIME: Column = count("n_events_at_time", "number of events at this time");
/// Number censored at it.
pub const CENSORED_AT_TIME: Column = count("n_censored_at_time", "number censored at this time");

impl KaplanMeier {
    /// Counts behind the curve.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_EVENTS, self.n_events)
            .set(N_CENSORED, self.n_censored)
            .set(N_CLUSTERS, self.n_clusters)
            .set(CONFIDENCE, self.confidence.level())
            .set(REASON, self.reason.clone())
    }

    /// A quantile of the curve, with what it rests on.
    pub fn quantile_record(&self, quantile: &SurvivalQuantile) -> Record {
        self.record()
            .set(SHARE, quantile.share)
            .set(ESTIMATE, quantile.estimate)
            .set(LOWER, quantile.lower)
            .set(UPPER, quantile.upper)
            .set(REASON, self.reason.clone().or(quantile.reason.clone()))
    }
}

impl SurvivalPoint {
    /// The curve from this time on.
    pub fn record(&self) -> Record {
        Record::new()
            .set(TIME, self.time)
            .set(N_AT_RISK, self.n_at_risk)
            .set(AT_TIME, self.n_events)
            .set(CENSORED_AT_TIME, self.n_censored)
            .set(ESTIMATE, self.survival)
            .set(STANDARD_ERROR, self.standard_error)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
    }
}

/// Quantiles of the survival curve of any table.
pub const KAPLAN_MEIER: Estimator = Estimator {
    name: "kaplan-meier",
    summary: "Times by which a quarter, half and three quarters have had the event.",
    assumptions: "Assumes non-informative censoring, and independent rows, which those of one participant are not; \
                  --participant accounts for that.",
    source: "Kaplan and Meier (1958); Brookmeyer and Crowley (1982); participants: Williams (1995).",
    roles: &[
        Need::one(Role::Time, Kind::Number),
        Need::one(Role::Event, Kind::Flag),
        Need::optional(Role::Participant, Kind::Label),
    ],
    columns: &[
        SHARE,
        N,
        N_EVENTS,
        N_CENSORED,
        N_CLUSTERS,
        N_MISSING,
        ESTIMATE.means("the time; empty where the curve does not fall so low"),
        LOWER,
        UPPER.means("upper end of its interval; empty where it is open"),
        CONFIDENCE,
        SENTENCE.means("APA-formatted median"),
        REASON,
    ],
    estimate: Estimate::Tables(&Model {
        fit: curve_of_sample,
        rows: |curve| {
            let row = |share: f64| {
                let sentence = (share == 0.5).then(|| curve.sentence(2));
                curve.quantile_record(&curve.quantile(share)).set(SENTENCE, sentence)
            };
            SHARES.into_iter().map(row).collect()
        },
        parts: &[SURVIVAL_CURVE],
    }),
};

/// The curve itself.
const SURVIVAL_CURVE: Part<Rows<KaplanMeier>> = Part {
    name: "survival-curve",
    summary: "The share that has not had the event yet, at each time at which something happened.",
    assumptions: "",
    source: "Kaplan and Meier (1958); Greenwood (1926); participants: Williams (1995).",
    columns: joined!(
        &[
            TIME,
            N,
            N_CLUSTERS,
            N_MISSING,
            N_AT_RISK,
            AT_TIME,
            CENSORED_AT_TIME,
            ESTIMATE.means("share without the event after this time")
        ],
        INTERVAL_COLUMNS,
        &[REASON]
    ),
    rows: |curve| {
        let whole = curve.record().unset(N_EVENTS).unset(N_CENSORED);
        whole.shared_by(curve.points.iter().map(SurvivalPoint::record).collect())
    },
};

fn curve_of_sample(sample: &Sample) -> Fitted<KaplanMeier> {
    let (time, event) = (sample.one(Role::Time), sample.one(Role::Event));
    let participant = sample.maybe(Role::Participant);
    let complete = sample.complete([time, event].into_iter().chain(participant));
    let (times, events) = (time.numbers(&complete.indices), event.flags(&complete.indices));
    let clusters = participant.map(|input| numbered(&input.labels(&complete.indices)));
    let curve = estimate(&times, &events, clusters.as_deref(), sample.request.confidence);
    Fitted { whole: Record::new().set(N_MISSING, complete.n_missing), model: Some(curve) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve_of(times: &[f64], events: &[u8]) -> KaplanMeier {
        let events: Vec<bool> = events.iter().map(|&event| event == 1).collect();
        kaplan_meier(times, &events, Confidence::default())
    }

    #[test]
    fn without_censoring_the_curve_is_the_share_left_and_the_median_the_plain_one() {
        let curve = curve_of(&[4.0, 1.0, 3.0, 2.0], &[1; 4]);
        let shares: Vec<f64> = curve.points.iter().map(|point| point.survival).collect();
        assert_eq!(shares, [0.75, 0.5, 0.25, 0.0]);
        assert_eq!(curve.median.estimate, Some(2.5));
        // Greenwood's error of a plain share is that of a binomial: √(p (1 − p) / n).
        assert!((curve.points[0].standard_error.unwrap() - (0.75_f64 * 0.25 / 4.0).sqrt()).abs() < 1e-15);
        assert_eq!((curve.points[3].standard_error, curve.points[3].lower), (None, None));
    }

    #[test]
    fn what_is_censored_leaves_the_risk_set_and_lets_the_end_open() {
        let curve = curve_of(&[1.0, 2.0, 3.0, 3.0], &[1, 0, 0, 0]);
        assert_eq!(curve.survival_at(0.5), Some(1.0));
        assert_eq!((curve.survival_at(3.0), curve.survival_at(3.1)), (Some(0.75), None));
        let table = curve.at_risk(&[0.0, 2.0, 2.5, 9.0]);
        let rows: Vec<_> = table.iter().map(|row| (row.n_at_risk, row.n_events, row.n_censored)).collect();
        assert_eq!(rows, [(4, 0, 0), (3, 1, 0), (2, 1, 1), (0, 1, 3)]);
        assert_eq!(
            curve.sentence(1),
            "Mdn not estimable, n = 4 (the survival quantile is not defined here: the curve falls to 0.750 only)"
        );
    }

    #[test]
    fn an_open_interval_says_so() {
        let curve = curve_of(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1, 1, 1, 0, 1]);
        assert_eq!(curve.sentence(1), "Mdn = 3.0, 95 % CI [1.0, not reached], n = 5 (1 censored)");
    }

    #[test]
    fn nothing_and_nonsense_have_no_curve() {
        for curve in [curve_of(&[], &[]), curve_of(&[f64::NAN], &[1]), curve_of(&[1.0], &[1, 1])] {
            assert!(curve.points.is_empty() && curve.reason.is_some() && curve.median.estimate.is_none());
            assert_eq!(curve.survival_at(1.0), None);
        }
        let all_at_once = curve_of(&[2.0, 2.0], &[1, 1]);
        assert_eq!((all_at_once.median.estimate, all_at_once.median.upper), (Some(2.0), None));
        assert!(all_at_once.quantile(1.0).reason.is_some());
    }
}
