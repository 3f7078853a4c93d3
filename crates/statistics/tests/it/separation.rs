//! Models of small random data: an estimate is finite, and absent exactly where there is none.

use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::covariate::Covariate;
use plymap_statistics::stats::logit::logit;
use plymap_statistics::stats::survival::cox::cox;
use plymap_statistics::stats::survival::kaplan_meier::{kaplan_meier, kaplan_meier_clustered};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

struct Data {
    times: Vec<f64>,
    events: Vec<bool>,
    columns: Vec<Vec<f64>>,
    clusters: Vec<usize>,
}

/// Few observations of few values, so that ties, separation and constant columns come often.
fn data(generator: &mut ChaCha8Rng, n_columns: usize) -> Data {
    let mut below = |n: u64| generator.next_u64() % n;
    let n = 3 + below(9) as usize;
    let (n_times, n_values) = (2 + below(12), 2 + below(4));
    Data {
        times: (0..n).map(|_| below(n_times) as f64).collect(),
        events: (0..n).map(|_| below(3) > 0).collect(),
        columns: (0..n_columns).map(|_| (0..n).map(|_| below(n_values) as f64 - 1.0).collect()).collect(),
        clusters: (0..n).map(|_| below(4) as usize).collect(),
    }
}

fn covariates(data: &Data) -> Vec<Covariate<'_>> {
    data.columns.iter().map(|values| Covariate { name: "x", values }).collect()
}

#[test]
fn one_covariate_of_a_logistic_regression_has_an_estimate_unless_it_separates() {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let (mut n_separated, mut n_estimated) = (0, 0);
    for _ in 0..3_000 {
        let data = data(&mut generator, 1);
        let range_where = |event: bool| {
            let values = data.columns[0].iter().zip(&data.events).filter(move |(_, occurred)| **occurred == event);
            let values: Vec<f64> = values.map(|(x, _)| *x).collect();
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (values.len(), least, most)
        };
        let (with, without) = (range_where(true), range_where(false));
        let is_constant = with.1.min(without.1) == with.2.max(without.2);
        if with.0 == 0 || without.0 == 0 || is_constant {
            continue;
        }
        let is_separated = with.1 >= without.2 || without.1 >= with.2;
        let model = logit(&data.events, &covariates(&data), None, Confidence::default());
        assert_eq!(
            model.fit.effects().is_empty(),
            is_separated,
            "{:?} {:?}: {:?}",
            data.columns,
            data.events,
            model.fit.reason()
        );
        assert_eq!(
            model.fit.reason().map(|reason| reason.to_string().contains("separated")),
            is_separated.then_some(true)
        );
        n_separated += usize::from(is_separated);
        n_estimated += usize::from(!is_separated);
    }
    assert!(n_separated > 100 && n_estimated > 500, "{n_separated} and {n_estimated}");
}

#[test]
fn one_covariate_of_a_cox_model_has_an_estimate_unless_the_likelihood_is_monotone() {
    let mut generator = ChaCha8Rng::seed_from_u64(2);
    let (mut n_monotone, mut n_estimated) = (0, 0);
    for _ in 0..3_000 {
        let data = data(&mut generator, 1);
        let x = &data.columns[0];
        // Whether each event is that of the largest (sign 1) or smallest (−1) at risk, and one is no tie.
        let extreme = |sign: f64| {
            let (mut is_always, mut is_strict) = (true, false);
            for event in (0..x.len()).filter(|&index| data.events[index]) {
                for other in (0..x.len()).filter(|&index| data.times[index] >= data.times[event]) {
                    is_always &= sign * x[event] >= sign * x[other];
                    is_strict |= x[event] != x[other];
                }
            }
            (is_always, is_strict)
        };
        let (largest, smallest) = (extreme(1.0), extreme(-1.0));
        let is_informative = largest.1;
        let is_monotone = is_informative && (largest.0 || smallest.0);
        let model = cox(&data.times, &data.events, &covariates(&data), None, Confidence::default());
        let is_absent = is_monotone || !is_informative;
        assert_eq!(
            model.fit.effects().is_empty(),
            is_absent,
            "{:?} {x:?} {:?}: {:?}",
            data.times,
            data.events,
            model.fit.reason()
        );
        let says_so = model.fit.reason().is_some_and(|reason| reason.to_string().contains("most extreme"));
        assert_eq!(says_so, is_monotone, "{:?} {x:?} {:?}", data.times, data.events);
        n_monotone += usize::from(is_monotone);
        n_estimated += usize::from(!is_absent);
    }
    assert!(n_monotone > 100 && n_estimated > 500, "{n_monotone} and {n_estimated}");
}

#[test]
fn whatever_the_data_no_number_is_nan_and_what_is_absent_has_a_reason() {
    let mut generator = ChaCha8Rng::seed_from_u64(3);
    for number in 0..3_000 {
        let data = data(&mut generator, 1 + number % 3);
        let clusters = (number % 2 == 0).then_some(&data.clusters[..]);
        let level = Confidence::default();
        let model = logit(&data.events, &covariates(&data), clusters, level);
        assert_eq!(model.fit.effects().is_empty(), model.fit.reason().is_some());
        let survival = cox(&data.times, &data.events, &covariates(&data), clusters, level);
        assert_eq!(survival.fit.effects().is_empty(), survival.fit.reason().is_some());
        for effect in model.intercept.iter().chain(model.fit.effects()).chain(survival.fit.effects()) {
            let numbers = [effect.estimate, effect.standard_error, effect.lower, effect.upper, effect.statistic];
            assert!(numbers.iter().all(|number| number.is_finite()), "{effect:?}");
            assert!(effect.standard_error > 0.0 && (0.0..=1.0).contains(&effect.p_value));
            // At most as many as clusters; at least 1 but for rounding.
            let most = model.fit.n_clusters.max(survival.fit.n_clusters).unwrap_or(0) as f64 + 1e-6;
            assert!(effect.df.is_none_or(|df| 1.0 - 1e-6 < df && df < most), "{effect:?}");
        }
        let curve = kaplan_meier(&data.times, &data.events, level);
        for point in &curve.points {
            let (Some(lower), Some(upper)) = (point.lower, point.upper) else {
                assert!(point.survival == 0.0 || point.survival == 1.0);
                continue;
            };
            assert!(0.0 <= lower && lower < point.survival && point.survival < upper && upper <= 1.0);
        }
        assert_eq!(curve.median.estimate.is_none(), curve.median.reason.is_some());
        let clustered = kaplan_meier_clustered(&data.times, &data.events, &data.clusters, level);
        for (point, plain) in clustered.points.iter().zip(&curve.points) {
            assert_eq!((point.survival, point.n_at_risk), (plain.survival, plain.n_at_risk));
            assert!(point.standard_error.is_none_or(|error| error.is_finite() && error >= 0.0));
            assert!(point.lower.zip(point.upper).is_none_or(|(lower, upper)| lower < upper && upper <= 1.0));
        }
    }
}
