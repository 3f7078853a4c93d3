//! Models find themselves, and their parameters, in choices that they drew.

use std::sync::Arc;

use plymap_choice::selection::select;
use plymap_choice::stopping::{Stopping, StoppingFit};
use plymap_choice::{
    Alternative, Criterion, Decision, Decisions, Estimate, FitOptions, Folds, Model, ModelFit, Parameter,
    ParameterValues, RolloutCurve, Rule, compare, cross_validate, fit, fit_all, generate, log_likelihood,
    rollout_lengths, selection,
};
use plymap_statistics::stats::Confidence;

use super::oracle::estimate_of;

/// Demanded of 20 participants of 400 decisions: the mean of each estimate lies within four standard
/// errors of that mean of the truth, of β and of the lapse rate of lapse-optimal also within 5 %; at
/// least 17 intervals hold the truth, and at least 17 whole numbers are found. If 95 of 100 intervals do,
/// fewer than 17 of 20 have probability .016, once and for all, since the seeds are fixed.
#[test]
fn the_parameters_that_drew_the_choices_are_recovered() {
    let truth = ParameterValues {
        inverse_temperature: Some(1.0),
        undo: Some(-1.0),
        same_piece: Some(0.5),
        ..ParameterValues::default()
    };
    let model = Model::new(Rule::SoftOptimal).with_habits();
    assert_recovered(&model, &truth, &[Parameter::InverseTemperature, Parameter::Undo, Parameter::SamePiece]);
    let truth = ParameterValues { lapse: Some(0.4), ..ParameterValues::default() };
    assert_recovered(&Model::new(Rule::LapseOptimal), &truth, &[Parameter::Lapse]);
    let truth = ParameterValues { lapse: Some(0.2), eureka_distance: Some(5), ..ParameterValues::default() };
    assert_recovered(&Model::new(Rule::Eureka), &truth, &[Parameter::Lapse]);
    let truth = ParameterValues { inverse_temperature: Some(1.5), depth: Some(4), ..ParameterValues::default() };
    assert_recovered(&Model::new(Rule::LookAhead), &truth, &[Parameter::InverseTemperature]);
}

/// Chains of thought of one to five steps, some in circles.
fn thoughtful(seed: u64, n: usize) -> Decisions {
    let positions = positions(seed, n);
    let mut decisions = Decisions::new();
    for decision in 0..n {
        let n_legal = positions.n_legal(decision);
        let shares: [&[f64]; 4] = [&[0.0, 0.3], &[0.0, 0.0, 0.2, 0.1], &[0.0, 0.0, 0.0, 0.0, 0.3], &[]];
        let alternatives: Vec<Alternative> = (0..n_legal)
            .map(|index| Alternative {
                thoughts: if index < 3 { shares[index] } else { shares[3] },
                is_same_piece: (index + decision) % 7 == 0,
                ..Alternative::default()
            })
            .collect();
        let total: f64 = shares.iter().take(n_legal).flat_map(|list| list.iter()).sum();
        let circles = [0.0, 1.0 - total];
        let level = (decision % 20) as u32;
        let decision = Decision { alternatives: &alternatives, chosen: 0, distance: None, level, circles: &circles };
        decisions.push(&decision).unwrap();
    }
    decisions
}

#[test]
fn the_stopping_that_drew_the_choices_is_recovered() {
    let model = Model::new(Rule::AndOr);
    let truth = ParameterValues { stopping: Some(0.15), ..ParameterValues::default() };
    let fits: Vec<ModelFit> = (0..20)
        .map(|seed| {
            let positions = thoughtful(seed, 400);
            let simulated = positions.with_choices(&generate(&positions, &model, &truth, seed).unwrap()).unwrap();
            fit(&simulated, &model, &FitOptions::default())
        })
        .collect();
    assert_found(&fits, &model, &truth, Parameter::Stopping);
}

/// Of 20 participants who try 12 rollouts of 6 moves on average at least 17 intervals hold each number; fewer would come out
/// with probability .016. The fitted values have the likelihood of the fit, also where a number is at the end of its range: as
/// somebody who always finds the best move tries any number of rollouts.
#[test]
fn the_rollouts_that_drew_the_choices_are_recovered() {
    let model = Model::new(Rule::ForwardSearch);
    let truth = ParameterValues { rollout_length: Some(6.0), rollouts: Some(12.0), ..ParameterValues::default() };
    let fitted = |decisions: &Decisions| {
        let fit = fit(decisions, &model, &FitOptions::default());
        let again = log_likelihood(decisions, &model, &fit.values).unwrap();
        assert!(fit.converged && (again - fit.log_likelihood.unwrap()).abs() < 1e-9 * again.abs());
        fit
    };
    let fits: Vec<ModelFit> = (0..20)
        .map(|seed| {
            let positions = positions_with_rollouts(seed, 600);
            fitted(&positions.with_choices(&generate(&positions, &model, &truth, seed).unwrap()).unwrap())
        })
        .collect();
    for parameter in [Parameter::RolloutLength, Parameter::Rollouts] {
        let value = truth.get(parameter).unwrap();
        let holds = |fit: &&ModelFit| {
            let estimate = estimate_of(fit, parameter);
            estimate.lower.unwrap() <= value && estimate.upper.is_none_or(|upper| value <= upper)
        };
        let n_covered = fits.iter().filter(holds).count();
        assert!(n_covered >= 17, "{n_covered} of 20 intervals hold {parameter:?}");
        // Long rollouts are much alike: where the likelihood rises to the end of the range, there is the near end of an interval,
        // and neither an estimate nor an error.
        assert!(fits.iter().all(|fit| is_complete_off_boundary(estimate_of(fit, parameter))));
    }
    let sure = fitted(&positions_with_rollouts(3, 200));
    let number = estimate_of(&sure, Parameter::Rollouts);
    assert!(sure.values.rollouts == Some(1e10) && number.at_boundary);
    assert_eq!((number.estimate, number.standard_error, number.upper), (None, None, None));
    let reason = number.reason.as_ref().unwrap().to_string();
    assert!(reason.ends_with("keeps rising up to 10000000000, the largest value that is tried"), "{reason}");
}

fn positions_with_rollouts(seed: u64, n: usize) -> Decisions {
    let plain = positions(seed, n);
    let mut decisions = Decisions::new();
    for decision in 0..n {
        // Goals at 1 to 9 moves from after the best move, and farther from others.
        let of_move = |place: usize| {
            let distance = (1 + (decision + seed as usize) % 9 + 2 * place) as i32;
            let probabilities = rollout_lengths().map(|length| (0.6 * (1.0 - 1.0 / length)).powi(distance));
            Arc::new(RolloutCurve::new(&probabilities).unwrap())
        };
        let rollouts: Vec<_> = (0..plain.n_legal(decision)).map(of_move).collect();
        let alternatives: Vec<Alternative> =
            rollouts.iter().map(|curve| Alternative { rollouts: Some(curve), ..Alternative::default() }).collect();
        let level = (decision % 20) as u32;
        let decision = Decision { alternatives: &alternatives, level, ..Decision::default() };
        decisions.push(&decision).unwrap();
    }
    decisions
}

/// Returns true if estimate, upper end and standard error are there off the boundary, and neither the error nor both of
/// the others at it.
fn is_complete_off_boundary(term: &Estimate) -> bool {
    let is_known = term.estimate.is_some() && term.upper.is_some();
    term.standard_error.is_some_and(|error| error > 0.0) != term.at_boundary && is_known != term.at_boundary
}

/// Of 20 participants who stop more often at every second move: the mean slope lies within four of its standard errors of
/// the truth, and left-out levels favour it in at least 19; of 20 who do not, in at most 8: cross-validation,
/// which is much like AIC (Stone, 1977), prefers a parameter too many in P(χ² > 2) = .157, and in more than 8 of 20 with
/// probability .002. Selection among both covariates, none of them and both finds which it was.
#[test]
fn a_change_of_stopping_that_drew_the_choices_is_recovered() {
    let model = Model::new(Rule::AndOr);
    let folds = Folds::Groups { n_folds: 5, seed: 3 };
    for (slope, gains, most_frequent) in [(1.5, 19..=20, 1), (0.0, 0..=8, 0)] {
        let mut evidence: Vec<Vec<f64>> = Vec::new();
        let fits: Vec<StoppingFit> = (0..20)
            .map(|seed| {
                let positions = thoughtful(seed, 600);
                let covariate: Vec<f64> = (0..600).map(|decision| f64::from(decision % 2)).collect();
                let generated = |x: f64| {
                    let gamma = 1.0 / (1.0 + (1.5 - slope * (x - 0.5)).exp());
                    let values = ParameterValues { stopping: Some(gamma), ..ParameterValues::default() };
                    generate(&positions, &model, &values, seed).unwrap()
                };
                let (low, high) = (generated(0.0), generated(1.0));
                let choices: Vec<usize> =
                    covariate.iter().enumerate().map(|(at, x)| if *x > 0.0 { high[at] } else { low[at] }).collect();
                let decisions = positions.with_choices(&choices).unwrap();
                let other: Vec<f64> = (0..600).map(|decision| f64::from(decision / 2 % 2)).collect();
                let models: [&[&[f64]]; 4] = [&[], &[&covariate], &[&other], &[&covariate, &other]];
                let held_out = models.map(|model| Stopping::new(&decisions).held_out(model, folds).unwrap());
                evidence.push(held_out.to_vec());
                Stopping::new(&decisions).fit(&covariate, folds)
            })
            .collect();
        // The gain is that of the model with the covariate over that without one.
        for (fit, held_out) in fits.iter().zip(&evidence) {
            assert!((fit.held_out_gain.unwrap() - (held_out[1] - held_out[0])).abs() < 1e-9);
        }
        let selected = select(&evidence).models[most_frequent];
        assert!(selected.protected_exceedance > 0.95, "{selected:?} with a slope of {slope}");
        let mean =
            |value: fn(&StoppingFit) -> Option<f64>| fits.iter().map(|fit| value(fit).unwrap()).sum::<f64>() / 20.0;
        let (mean_slope, mean_error) = (mean(|fit| fit.slope), mean(|fit| fit.slope_error));
        let is_near = (mean_slope - slope).abs() < 4.0 * mean_error / 20.0_f64.sqrt();
        assert!(is_near, "{mean_slope}, drawn with {slope}, error {mean_error}");
        let n_gains = fits.iter().filter(|fit| fit.held_out_gain.unwrap() > 0.0).count();
        assert!(gains.contains(&n_gains), "{n_gains} of 20 gain by a slope of {slope}");
        let constant = fit(&thoughtful(0, 600), &model, &FitOptions::default()).log_likelihood.unwrap();
        let same = Stopping::new(&thoughtful(0, 600)).fit(&(0..600).map(f64::from).collect::<Vec<f64>>(), folds);
        assert!((same.log_likelihood_constant.unwrap() - constant).abs() < 1e-7);
    }
}

/// A participant who never stops at every second move has log odds of minus infinity there, which are no number that a
/// mean could take.
#[test]
fn a_change_of_stopping_without_end_has_no_number() {
    let (model, positions) = (Model::new(Rule::AndOr), thoughtful(1, 600));
    let covariate: Vec<f64> = (0..600).map(|decision| f64::from(decision % 2)).collect();
    let [some, none] = [0.3, 0.0].map(|gamma| {
        let values = ParameterValues { stopping: Some(gamma), ..ParameterValues::default() };
        generate(&positions, &model, &values, 1).unwrap()
    });
    let choices: Vec<usize> = (0..600).map(|at| if at % 2 == 0 { some[at] } else { none[at] }).collect();
    let decisions = positions.with_choices(&choices).unwrap();
    let fit = Stopping::new(&decisions).fit(&covariate, Folds::Groups { n_folds: 5, seed: 3 });
    assert_eq!((fit.slope, fit.slope_error), (None, None), "{fit:?}");
    assert!(fit.log_likelihood > fit.log_likelihood_constant && fit.held_out_gain > Some(0.0), "{fit:?}");
    let reason = fit.reason.unwrap().to_string();
    assert!(reason.ends_with("as the likelihood keeps rising towards minus infinity"), "{reason}");
}

fn assert_found(fits: &[ModelFit], model: &Model, truth: &ParameterValues, parameter: Parameter) {
    assert!(fits.iter().all(|fit| fit.converged));
    let value = truth.get(parameter).unwrap();
    let estimates: Vec<&Estimate> = fits.iter().map(|fit| estimate_of(fit, parameter)).collect();
    let mean = estimates.iter().map(|estimate| estimate.estimate.unwrap()).sum::<f64>() / 20.0;
    let n_covered = estimates.iter().filter(|fit| fit.lower.unwrap() <= value && value <= fit.upper.unwrap()).count();
    let error = estimates.iter().map(|estimate| estimate.standard_error.unwrap()).sum::<f64>() / 20.0;
    let is_close = (mean - value).abs() < 4.0 * error / 20.0_f64.sqrt();
    assert!(is_close, "{model}: mean {mean} of {parameter:?}, drawn with {value}, standard error {error}");
    assert!(n_covered >= 17, "{model}: {n_covered} of 20 intervals hold {parameter:?}");
    if parameter == Parameter::InverseTemperature || model.rule == Rule::LapseOptimal {
        assert!((mean - value).abs() < 0.05 * value, "{model}: mean {mean}, drawn with {value}");
    }
}

fn assert_recovered(model: &Model, truth: &ParameterValues, parameters: &[Parameter]) {
    let fits: Vec<ModelFit> =
        simulated(model, truth).iter().map(|decisions| fit(decisions, model, &FitOptions::default())).collect();
    for &parameter in parameters {
        assert_found(&fits, model, truth, parameter);
    }
    for whole in [Parameter::EurekaDistance, Parameter::Depth] {
        if let Some(value) = truth.get(whole) {
            let n_found = fits.iter().filter(|fit| estimate_of(fit, whole).estimate == Some(value)).count();
            assert!(n_found >= 17, "{model}: {whole:?} found in {n_found} of 20");
        }
    }
}

/// Demanded: the model that drew the choices wins by BIC in at least 18 of 20 participants. It is the
/// best of all for each of the three, but for the chance of BIC of taking one parameter too many, which
/// with 400 decisions is P(χ² > ln 400 = 6.0) = .014 for each such model.
#[test]
fn the_model_that_drew_the_choices_wins() {
    let models = [Rule::Chance, Rule::LapseOptimal, Rule::SoftOptimal].map(Model::new);
    let truth = ParameterValues { lapse: Some(0.5), inverse_temperature: Some(1.0), ..ParameterValues::default() };
    for (place, model) in models.iter().enumerate() {
        let fits = fit_all(&simulated(model, &truth), &models, &FitOptions::default());
        let comparison = compare(&fits, Criterion::Bic, 1, Confidence::default());
        assert_eq!(comparison.best, Some(place), "{}", comparison.sentence());
        let generating = &comparison.models[place];
        assert!(generating.n_best >= 18, "{model} wins for {} of 20", generating.n_best);
        for (other, summary) in comparison.models.iter().enumerate() {
            let sum: f64 = fits.iter().map(|row| row[other].bic.unwrap() - row[place].bic.unwrap()).sum();
            assert!((summary.difference - sum).abs() < 1e-8);
            let interval = summary.mean_difference.as_ref();
            assert_eq!(interval.is_none(), other == place);
            assert!(interval.is_none_or(|interval| (interval.estimate.unwrap() - sum / 20.0).abs() < 1e-9));
            assert!(interval.is_none_or(|interval| interval.lower.unwrap() > 0.0));
        }
        let evidence: Vec<Vec<f64>> =
            fits.iter().map(|row| row.iter().map(|fit| -0.5 * fit.bic.unwrap()).collect()).collect();
        assert!(selection::select(&evidence).models[place].protected_exceedance > 0.95);
    }
}

#[test]
fn levels_left_out_favour_the_model_that_drew_the_choices() {
    let truth = ParameterValues { inverse_temperature: Some(1.0), ..ParameterValues::default() };
    let soft = Model::new(Rule::SoftOptimal);
    let models = [Model::new(Rule::Chance), Model::new(Rule::LapseOptimal), soft];
    let rows: Vec<Vec<_>> = simulated(&soft, &truth)[..8]
        .iter()
        .map(|data| models.map(|model| cross_validate(data, &model, Folds::Groups { n_folds: 5, seed: 3 })).to_vec())
        .collect();
    let comparison = compare(&rows, Criterion::HeldOut, 1, Confidence::default());
    assert_eq!((comparison.best, comparison.n_participants), (Some(2), 8));
    assert!(comparison.models[2].n_best >= 7, "{}", comparison.sentence());
}

/// The choices that were compared with scipy were drawn there; these are drawn here. Their frequencies
/// must be the probabilities: χ² of 20,000 draws of one decision of 5 moves, below the .9999 quantile of 4
/// degrees of freedom (23.5).
#[test]
fn moves_are_drawn_as_often_as_the_model_says() {
    let values = [0.3, -0.4, 1.2, 0.0, 0.9];
    let alternatives: Vec<Alternative> = values
        .iter()
        .map(|value| Alternative { look_ahead: std::slice::from_ref(value), ..Default::default() })
        .collect();
    let mut decisions = Decisions::with_depths(&[1]);
    let n = 20_000;
    for _ in 0..n {
        decisions
            .push(&Decision { alternatives: &alternatives, chosen: 0, distance: None, level: 0, circles: &[] })
            .unwrap();
    }
    let truth = ParameterValues { inverse_temperature: Some(1.0), depth: Some(1), ..Default::default() };
    let drawn = generate(&decisions, &Model::new(Rule::LookAhead), &truth, 11).unwrap();
    let total: f64 = values.iter().map(|value| f64::exp(*value)).sum();
    let chi_squared: f64 = (0..5)
        .map(|choice| {
            let expected = f64::from(n) * values[choice].exp() / total;
            let observed = drawn.iter().filter(|&&drawn| drawn == choice).count() as f64;
            (observed - expected).powi(2) / expected
        })
        .sum();
    assert!(chi_squared < 23.5, "χ² = {chi_squared}");
    assert_ne!(drawn, generate(&decisions, &Model::new(Rule::LookAhead), &truth, 12).unwrap());
}

/// Twenty participants, each with 400 decisions on 20 levels, who choose as the model does.
fn simulated(model: &Model, truth: &ParameterValues) -> Vec<Decisions> {
    let participant = |seed: u64| {
        let positions = positions(seed, 400);
        positions.with_choices(&generate(&positions, model, truth, seed).unwrap()).unwrap()
    };
    (0..20).map(participant).collect()
}

/// Positions of 2 to 12 legal moves that lose 0, 1 or 2, with values of look-ahead that tell less the
/// less deep it is. Numbers come from splitmix64 (Steele, Lea & Flood, 2014), independent of the crate.
fn positions(seed: u64, n: usize) -> Decisions {
    let mut state = seed.wrapping_mul(0x1234_5678_9abc_def1);
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut decisions = Decisions::with_depths(&[2, 4]);
    for number in 0..n {
        let n_legal = 2 + (11.0 * random()) as usize;
        let (best, back) = ((n_legal as f64 * random()) as usize, (n_legal as f64 * random()) as usize);
        let regrets: Vec<f64> =
            (0..n_legal).map(|index| if index == best { 0.0 } else { (3.0 * random()).floor() }).collect();
        let values: Vec<[f64; 2]> =
            regrets.iter().map(|regret| [-0.2 * regret + random(), -0.6 * regret + random()]).collect();
        let alternatives: Vec<Alternative> = (0..n_legal)
            .map(|index| Alternative {
                regret: Some(regrets[index]),
                is_optimal: regrets[index] == 0.0,
                is_undo: index == back,
                is_same_piece: index == back || random() < 0.25,
                look_ahead: &values[index],
                ..Alternative::default()
            })
            .collect();
        let distance = Some(1 + (12.0 * random()) as u32);
        let level = (number % 20) as u32;
        decisions.push(&Decision { alternatives: &alternatives, chosen: 0, distance, level, circles: &[] }).unwrap();
    }
    decisions
}
