//! Survival analysis: times until an event, some of them censored.

use super::predictors::{columns, covariates, numbered, predictors};
use super::regression::{MODEL_TERM, RATIO, RATIO_LOWER, RATIO_UPPER, TEST, effect, joint};
use super::sample::{Input, Sample, in_order, index_of_labels};
use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::NotEstimable;
use crate::stats::chi_squared::ChiSquaredTest;
use crate::stats::covariate::Effect;
use crate::stats::survival::cox::{Cox, Groups, cox_grouped};
use crate::stats::survival::kaplan_meier::{KaplanMeier, SurvivalPoint, kaplan_meier};
use crate::stats::survival::log_rank::{LogRank, log_rank};
use crate::stats::survival::proportional_hazards::TimeScale;

/// The shares of all whose times are given.
const SHARES: [f64; 3] = [0.25, 0.5, 0.75];

const TIMES: &[Need] = &[Need::one(Role::Time, Kind::Number), Need::one(Role::Event, Kind::Flag)];
const GROUPED: &[Need] =
    &[Need::one(Role::Time, Kind::Number), Need::one(Role::Event, Kind::Flag), Need::one(Role::Group, Kind::Label)];
const MODEL: &[Need] = &[
    Need::one(Role::Time, Kind::Number),
    Need::one(Role::Event, Kind::Flag),
    Need::several(Role::Predictor, Kind::NumberOrCategory, 1),
    Need::optional(Role::Participant, Kind::Label),
    Need::optional(Role::Stratum, Kind::Label),
];
const N_CENSORED: Column = count("n_censored", "number of censored rows, in which the event did not happen");
const SHARE: Column = number("share", "share of all that has had the event by that time");
const TIME: Column = number("time", "the time");
const N_AT_RISK: Column = count("n_at_risk", "number at risk at this time");
const AT_TIME: Column = count("n_events_at_time", "number of events at this time");
const CENSORED_AT_TIME: Column = count("n_censored_at_time", "number censored at this time");
const N_STRATA: Column = count("n_strata", "number of strata, each with a baseline hazard of its own; empty without");
const GROUP: Column = text("group", "the label of the group");
const EXPECTED: Column = number("expected", "expected number of events if the groups have one survival curve");
const CONCORDANCE: Column = number(
    "concordance",
    "concordance index (Harrell's C): share of pairs that the model orders correctly; empty with strata",
);
const CONCORDANCE_ERROR: Column = number("concordance_error", "its standard error");
const SCALE: Column = text("scale", "function of time: kaplan-meier, identity, log");
const CENSORING: &str = "Assumes non-informative censoring.";

pub(super) const KAPLAN_MEIER: Estimator = Estimator {
    name: "kaplan-meier",
    summary: "Times by which a quarter, half and three quarters have had the event.",
    assumptions: CENSORING,
    source: "Kaplan and Meier (1958); Brookmeyer and Crowley (1982).",
    roles: TIMES,
    columns: &[
        SHARE,
        N,
        N_EVENTS,
        N_CENSORED,
        N_MISSING,
        ESTIMATE.means("the time; empty where the curve does not fall so low"),
        LOWER,
        UPPER.means("upper end of its interval; empty where it is open"),
        CONFIDENCE,
        SENTENCE.means("APA-formatted median"),
        REASON,
    ],
    estimate: |sample| {
        of_curve(sample, |curve| {
            let row = |share| {
                let found = curve.quantile(share);
                Record::new()
                    .set(SHARE, share)
                    .set(ESTIMATE, found.estimate)
                    .set(LOWER, found.lower)
                    .set(UPPER, found.upper)
                    .set(SENTENCE, (share == 0.5).then(|| curve.sentence(2)))
                    .set(REASON, curve.reason.clone().or(found.reason))
            };
            SHARES.into_iter().map(row).collect()
        })
    },
};

pub(super) const SURVIVAL_CURVE: Estimator = Estimator {
    name: "survival-curve",
    summary: "The share that has not had the event yet, at each time at which something happened.",
    source: "Kaplan and Meier (1958); Greenwood (1926).",
    columns: &[
        TIME,
        N,
        N_MISSING,
        N_AT_RISK,
        AT_TIME,
        CENSORED_AT_TIME,
        ESTIMATE.means("share without the event after this time"),
        STANDARD_ERROR,
        LOWER,
        UPPER,
        CONFIDENCE,
        REASON,
    ],
    estimate: |sample| {
        of_curve(sample, |curve| {
            let row = |point: &SurvivalPoint| {
                Record::new()
                    .set(TIME, point.time)
                    .set(N_AT_RISK, point.n_at_risk)
                    .set(AT_TIME, point.n_events)
                    .set(CENSORED_AT_TIME, point.n_censored)
                    .set(ESTIMATE, point.survival)
                    .set(STANDARD_ERROR, point.standard_error)
                    .set(LOWER, point.lower)
                    .set(UPPER, point.upper)
            };
            curve.points.iter().map(row).collect()
        })
    },
    ..KAPLAN_MEIER
};

pub(super) const LOG_RANK: Estimator = Estimator {
    name: "log-rank",
    summary: "Log-rank test that all groups have one survival curve.",
    assumptions: "Assumes independent rows, which those of one participant are not: cox accounts for that.",
    source: "Mantel (1966); Peto and Peto (1972).",
    roles: GROUPED,
    columns: &[N, N_EVENTS, N_GROUPS, N_MISSING, STATISTIC.means("χ²"), DF, P_VALUE, SENTENCE, REASON],
    estimate: |sample| {
        of_groups(sample, |found, labels| {
            let test = found.test;
            vec![
                Record::new()
                    .set(N, found.n)
                    .set(N_EVENTS, found.n_events)
                    .set(N_GROUPS, labels.len())
                    .set(STATISTIC, test.map(|test| test.statistic))
                    .set(DF, test.map(|test| test.df))
                    .set(P_VALUE, test.map(|test| test.p_value))
                    .set(SENTENCE, found.sentence())
                    .set(REASON, found.reason.clone()),
            ]
        })
    },
};

pub(super) const LOG_RANK_GROUPS: Estimator = Estimator {
    name: "log-rank-groups",
    summary: "Events of each group, and how many there would be if all groups had one survival curve.",
    columns: &[
        GROUP,
        N.means("number of rows of the group"),
        N_EVENTS.means("number of events of the group"),
        N_MISSING,
        EXPECTED,
        REASON,
    ],
    estimate: |sample| {
        of_groups(sample, |found, labels| {
            let row = |(own, label): (&crate::stats::survival::log_rank::GroupEvents, &String)| {
                Record::new()
                    .set(GROUP, label.as_str())
                    .set(N, own.n)
                    .set(N_EVENTS, own.observed)
                    .set(EXPECTED, own.expected)
                    .set(REASON, found.reason.clone())
            };
            found.groups.iter().zip(labels).map(row).collect()
        })
    },
    ..LOG_RANK
};

pub(super) const COX: Estimator = Estimator {
    name: "cox",
    summary: "Proportional hazards model: the effect of each predictor on the log hazard of the event.",
    assumptions: super::NAME_PARTICIPANTS,
    source: "Cox (1972); Efron (1977); participants: Lin and Wei (1989).",
    roles: MODEL,
    columns: &[
        MODEL_TERM,
        N,
        N_EVENTS,
        N_CLUSTERS,
        N_STRATA,
        N_MISSING,
        ESTIMATE.means("change of the log hazard per unit of the predictor"),
        STANDARD_ERROR,
        LOWER,
        UPPER,
        CONFIDENCE,
        RATIO,
        RATIO_LOWER,
        RATIO_UPPER,
        STATISTIC.means("z"),
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_cox(sample, |found| {
            let row = |own: &Effect| effect(own, "HR", found.confidence).set(REASON, found.reason.clone());
            found.effects.iter().map(row).collect()
        })
    },
};

pub(super) const COX_FIT: Estimator = Estimator {
    name: "cox-fit",
    summary: "Tests of all predictors of a proportional hazards model at once, and its concordance.",
    assumptions: "Likelihood-ratio and score test assume independent rows, also with --participant.",
    source: "Cox (1972); Harrell, Lee and Mark (1996).",
    columns: &[
        TEST.means("likelihood-ratio, wald or score"),
        N,
        N_EVENTS,
        N_CLUSTERS,
        N_STRATA,
        N_MISSING,
        CONCORDANCE,
        CONCORDANCE_ERROR,
        LOG_LIKELIHOOD.means("log partial likelihood of the model"),
        STATISTIC.means("χ²"),
        DF,
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_cox(sample, |found| {
            let row = |(name, test): (&str, Option<ChiSquaredTest>)| {
                joint(name, test, found.reason.as_ref())
                    .set(CONCORDANCE, found.concordance.map(|own| own.estimate))
                    .set(CONCORDANCE_ERROR, found.concordance.map(|own| own.standard_error))
                    .set(LOG_LIKELIHOOD, found.log_likelihood)
            };
            let tests = [("likelihood-ratio", found.likelihood_ratio), ("wald", found.wald), ("score", found.score)];
            tests.into_iter().map(row).collect()
        })
    },
    ..COX
};

pub(super) const PROPORTIONAL_HAZARDS: Estimator = Estimator {
    name: "proportional-hazards",
    summary: "Tests whether the hazard ratios of a proportional hazards model stay the same over time.",
    assumptions: "They assume independent rows, also with --participant.",
    source: "Grambsch and Therneau (1994).",
    columns: &[
        SCALE,
        MODEL_TERM.means("the predictor, or (all) at once"),
        N,
        N_EVENTS,
        N_CLUSTERS,
        N_STRATA,
        N_MISSING,
        STATISTIC.means("χ²"),
        DF,
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_cox(sample, |found| {
            let of_scale = |scale: TimeScale| {
                let name = match scale {
                    TimeScale::KaplanMeier => "kaplan-meier",
                    TimeScale::Identity => "identity",
                    TimeScale::Log => "log",
                };
                let row = |term: &str, test: Option<ChiSquaredTest>| {
                    let record = joint("", test, found.reason.as_ref()).unset(TEST);
                    let record = record.set(SCALE, name).set(MODEL_TERM, term).family(name);
                    if test.is_none() && scale == TimeScale::Log {
                        return record.set(REASON, "an event is at time 0, or all events are at one time");
                    }
                    record
                };
                let Some(tests) = found.proportionality(scale) else { return Vec::new() };
                let mut rows: Vec<Record> = tests.covariates.iter().map(|own| row(&own.name, own.test)).collect();
                rows.push(row("(all)", tests.all).aside());
                rows
            };
            TimeScale::ALL.into_iter().flat_map(of_scale).collect()
        })
    },
    ..COX
};

fn of_curve(sample: &Sample, rows: impl Fn(&KaplanMeier) -> Vec<Record>) -> Vec<Record> {
    let (time, event) = (sample.one(Role::Time), sample.one(Role::Event));
    let complete = sample.complete([time, event]);
    let (times, events) = (time.numbers(&complete.indices), event.flags(&complete.indices));
    let curve = kaplan_meier(&times, &events, sample.request.confidence);
    let whole = |record: Record, is_summary: bool| {
        let record =
            record.set(N, curve.n).set(N_MISSING, complete.n_missing).set(CONFIDENCE, curve.confidence.level());
        if is_summary { record.set(N_EVENTS, curve.n_events).set(N_CENSORED, curve.n_censored) } else { record }
    };
    let found = rows(&curve);
    if found.is_empty() {
        return vec![whole(Record::new().set(REASON, curve.reason.clone()), false)];
    }
    found
        .into_iter()
        .map(|record| {
            let is_summary = *record.cell(SHARE.name) != Cell::Missing;
            whole(record, is_summary)
        })
        .collect()
}

fn of_groups(sample: &Sample, rows: impl Fn(&LogRank, &[String]) -> Vec<Record>) -> Vec<Record> {
    let [time, event, group] = [Role::Time, Role::Event, Role::Group].map(|role| sample.one(role));
    let complete = sample.complete([time, event, group]);
    let (times, events) = (time.numbers(&complete.indices), event.flags(&complete.indices));
    let own = group.labels(&complete.indices);
    let labels = in_order(own.iter().copied());
    let mut groups = vec![(Vec::new(), Vec::new()); labels.len()];
    let indices = index_of_labels(&labels);
    for ((label, time), event) in own.into_iter().zip(times).zip(events) {
        let group = &mut groups[indices[label]];
        group.0.push(time);
        group.1.push(event);
    }
    let slices: Vec<(&[f64], &[bool])> =
        groups.iter().map(|(times, events)| (times.as_slice(), events.as_slice())).collect();
    let found = log_rank(&slices);
    let mut records = rows(&found, &labels);
    if records.is_empty() {
        records.push(Record::new().set(N, 0_usize).set(REASON, found.reason));
    }
    records.into_iter().map(|record| record.set(N_MISSING, complete.n_missing)).collect()
}

fn of_cox(sample: &Sample, rows: impl Fn(&Cox) -> Vec<Record>) -> Vec<Record> {
    let (time, event, participant) = (sample.one(Role::Time), sample.one(Role::Event), sample.maybe(Role::Participant));
    let stratum = sample.maybe(Role::Stratum);
    let inputs = [time, event].into_iter().chain(sample.all(Role::Predictor)).chain(participant).chain(stratum);
    let complete = sample.complete(inputs);
    let (times, events) = (time.numbers(&complete.indices), event.flags(&complete.indices));
    let whole = |record: Record| {
        let n_events = events.iter().filter(|&&event| event).count();
        record.set(N, times.len()).set(N_EVENTS, n_events).set(N_MISSING, complete.n_missing)
    };
    let found = predictors(sample, &complete).map(|found| {
        let columns = columns(&found);
        let numbers = |own: &Input| numbered(&own.labels(&complete.indices));
        let (clusters, strata) = (participant.map(numbers), stratum.map(numbers));
        let groups = Groups { clusters: clusters.as_deref(), strata: strata.as_deref() };
        cox_grouped(&times, &events, &covariates(&columns), groups, sample.request.confidence)
    });
    match found {
        Ok(found) => {
            let mut records = rows(&found);
            if records.is_empty() {
                let why = || NotEstimable::Undefined { quantity: "the model", why: "there is no fit".to_owned() };
                records.push(Record::without(found.reason.clone().unwrap_or_else(why)));
            }
            let own = |record: Record| {
                record.set(N_CLUSTERS, found.n_clusters).set(N_STRATA, found.n_strata).set(CONVERGED, found.converged)
            };
            records.into_iter().map(own).map(whole).collect()
        }
        Err(reason) => vec![whole(Record::without(reason))],
    }
}
