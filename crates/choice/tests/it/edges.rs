//! Models of choice that cannot be fitted, or only in part.

use plymap_choice::{
    Alternative, Criterion, Decision, Decisions, FitOptions, Folds, Limit, Model, ModelFit, Parameter, ParameterValues,
    Rule, compare, cross_validate, fit, generate, log_likelihood, selection,
};
use plymap_statistics::stats::Confidence;

use super::oracle::estimate_of;

const GOOD: Alternative = Alternative {
    regret: Some(0.0),
    is_optimal: true,
    is_undo: false,
    is_same_piece: false,
    look_ahead: &[],
    features: [0.0; 2],
    thoughts: &[],
    rollouts: None,
};
const BAD: Alternative = Alternative { regret: Some(1.0), is_optimal: false, ..GOOD };
const DEAD_END: Alternative = Alternative { regret: None, ..BAD };

/// One decision for each of the chosen moves, all at distance 3; levels 0, 1, 2, 0, 1, 2, ...
fn decisions(alternatives: &[Alternative], choices: &[usize]) -> Decisions {
    let mut decisions = Decisions::new();
    for (number, &chosen) in choices.iter().enumerate() {
        let level = (number % 3) as u32;
        decisions.push(&Decision { alternatives, chosen, distance: Some(3), level, circles: &[] }).unwrap();
    }
    decisions
}

fn fitted(decisions: &Decisions, model: Model) -> ModelFit {
    fit(decisions, &model, &FitOptions::default())
}

#[test]
fn without_decisions_there_is_no_fit() {
    for rule in Rule::ALL {
        let none = fitted(&Decisions::new(), Model::new(rule).with_habits());
        assert_eq!((none.log_likelihood, none.aic, none.converged, none.parameters.len()), (None, None, false, 0));
        assert_eq!(none.reason.unwrap().to_string(), "a model of choice needs decisions, found none");
    }
    let sentence = fitted(&Decisions::new(), Model::new(Rule::Chance)).sentence();
    assert_eq!(sentence, "chance not estimable, n = 0 (a model of choice needs decisions, found none)");
}

#[test]
fn forced_moves_tell_nothing_but_count() {
    let forced = decisions(&[GOOD], &[0, 0, 0]);
    for rule in [Rule::Chance, Rule::LapseOptimal, Rule::SoftOptimal, Rule::Eureka] {
        let fit = fitted(&forced, Model::new(rule).with_habits());
        assert_eq!((fit.log_likelihood, fit.r_squared), (Some(0.0), None), "{rule:?}");
        assert_eq!((fit.converged, fit.bic), (true, Some(fit.n_parameters as f64 * 3.0_f64.ln())));
        for estimate in fit.parameters.iter().filter(|estimate| !estimate.parameter.is_whole()) {
            let reason = estimate.reason.as_ref().unwrap().to_string();
            assert_eq!((estimate.estimate, estimate.at_boundary), (None, false));
            assert!(reason.ends_with("is not defined here: no decision depends on it"), "{reason}");
        }
    }
    assert_eq!(fitted(&forced, Model::new(Rule::SoftOptimal)).n_parameters, 0);
}

#[test]
fn a_habit_that_no_decision_shows_is_no_parameter() {
    let plain = decisions(&[GOOD, BAD], &[0, 0, 1]);
    let (with, without) = (Model { undo: true, ..Model::new(Rule::SoftOptimal) }, Model::new(Rule::SoftOptimal));
    let (with, without) = (fitted(&plain, with), fitted(&plain, without));
    assert_eq!((with.aic, with.n_parameters), (without.aic, 1));
    assert_eq!(estimate_of(&with, Parameter::Undo).estimate, None);
    assert_eq!(estimate_of(&with, Parameter::InverseTemperature), estimate_of(&without, Parameter::InverseTemperature));
    assert_eq!(with.values.undo, Some(0.0));
}

#[test]
fn who_never_goes_back_has_no_finite_weight_of_undoing() {
    let undo = Alternative { is_undo: true, ..BAD };
    let forward = decisions(&[GOOD, BAD, undo], &[0, 1, 0, 0, 1]);
    let fit = fitted(&forward, Model { undo: true, ..Model::new(Rule::SoftOptimal) });
    let weight = estimate_of(&fit, Parameter::Undo);
    assert_eq!((weight.estimate, weight.standard_error, weight.at_boundary), (None, None, true));
    assert_eq!(weight.limit, Some(Limit::MinusInfinity));
    assert!(Limit::NAMES.iter().all(|name| name.parse::<f64>().is_err()), "a column of such names stays text");
    assert!(weight.lower.is_none() && weight.upper.is_some_and(|upper| upper < 1.0));
    // What is left is the choice between the two others: the odds are 3 to 2.
    let beta = estimate_of(&fit, Parameter::InverseTemperature).estimate.unwrap();
    assert!((beta - 1.5_f64.ln()).abs() < 1e-8);
    let limit = 3.0 * 0.6_f64.ln() + 2.0 * 0.4_f64.ln();
    assert!((fit.log_likelihood.unwrap() - limit).abs() < 1e-10);
    assert_eq!((fit.n_parameters, fit.converged, fit.reason), (2, true, None));
}

#[test]
fn two_habits_that_are_one_cannot_be_told_apart() {
    let back = Alternative { is_undo: true, is_same_piece: true, ..BAD };
    let both = decisions(&[GOOD, BAD, back], &[0, 1, 2, 0, 2]);
    let fit = fitted(&both, Model::new(Rule::Chance).with_habits());
    for parameter in [Parameter::Undo, Parameter::SamePiece] {
        let estimate = estimate_of(&fit, parameter);
        assert_eq!((estimate.estimate, estimate.standard_error), (None, None));
        assert!(estimate.reason.as_ref().unwrap().to_string().contains("changed together with others"));
    }
    assert_eq!(fit.n_parameters, 1);
    // Two of five go back, against three for two other moves: only the sum of the weights is known.
    let sum = fit.values.undo.unwrap() + fit.values.same_piece.unwrap();
    assert!((sum - (2.0 / 1.5_f64).ln()).abs() < 1e-6, "{fit:?}");
}

#[test]
fn a_dead_end_is_a_large_regret_and_can_be_chosen() {
    let model = Model::new(Rule::SoftOptimal);
    let beta = |value: f64| ParameterValues { inverse_temperature: Some(value), ..ParameterValues::default() };
    let chosen = decisions(&[GOOD, DEAD_END], &[1]);
    let expected = -(1.0 + 5.0_f64.exp()).ln();
    assert!((log_likelihood(&chosen, &model, &beta(0.5)).unwrap() - expected).abs() < 1e-12);
    // Where another move loses more than a dead end would, the dead end loses as much as that.
    let worse = Alternative { regret: Some(40.0), ..BAD };
    let tie = decisions(&[GOOD, DEAD_END, worse], &[1]);
    let expected = -(2.0 + 20.0_f64.exp()).ln();
    assert!((log_likelihood(&tie, &model, &beta(0.5)).unwrap() - expected).abs() < 1e-12);
    // With nothing but dead ends, every model chooses like chance.
    let lost = decisions(&[DEAD_END, DEAD_END], &[1, 0]);
    for rule in [Rule::Chance, Rule::LapseOptimal, Rule::Eureka, Rule::SoftOptimal] {
        assert!((fitted(&lost, Model::new(rule)).log_likelihood.unwrap() + 2.0 * 2.0_f64.ln()).abs() < 1e-12);
    }
    let refused = fitted(&lost, Model { dead_end_regret: f64::NAN, ..model });
    assert!(refused.reason.unwrap().to_string().starts_with("the regret of a dead end is NaN"));
}

#[test]
fn whole_numbers_need_something_to_choose_from() {
    let mut unknown = Decisions::new();
    unknown.push(&Decision { alternatives: &[GOOD, BAD], chosen: 0, distance: None, level: 0, circles: &[] }).unwrap();
    let reason = |rule| fitted(&unknown, Model::new(rule)).reason.unwrap().to_string();
    assert_eq!(reason(Rule::Eureka), "eureka needs decisions with a distance, found none");
    assert_eq!(reason(Rule::LookAhead), "look-ahead needs depths, found none");
    // All moves at one distance: that distance is the only one to try, and the interval is a point.
    let near = fitted(&decisions(&[GOOD, BAD], &[0, 0, 1]), Model::new(Rule::Eureka));
    let distance = estimate_of(&near, Parameter::EurekaDistance);
    assert_eq!((distance.estimate, distance.lower, distance.upper), (Some(3.0), Some(3.0), Some(3.0)));
}

#[test]
fn values_that_make_no_sense_are_refused() {
    let plain = decisions(&[GOOD, BAD], &[0, 1]);
    let refused = |rule, values: ParameterValues| {
        let model = Model::new(rule);
        assert!(generate(&plain, &model, &values, 1).is_err());
        log_likelihood(&plain, &model, &values).unwrap_err().to_string()
    };
    let none = ParameterValues::default();
    assert_eq!(refused(Rule::LapseOptimal, none), "the lapse rate is absent, but must be given");
    let lapse = |lapse| ParameterValues { lapse: Some(lapse), ..none };
    assert_eq!(refused(Rule::LapseOptimal, lapse(1.5)), "the lapse rate is 1.5, but must be from 0 to 1");
    refused(Rule::LapseOptimal, lapse(f64::NAN));
    let beta = |beta| ParameterValues { inverse_temperature: Some(beta), depth: Some(2), ..none };
    refused(Rule::SoftOptimal, beta(-0.1));
    refused(Rule::SoftOptimal, beta(f64::INFINITY));
    refused(Rule::LookAhead, beta(1.0));
    let impossible = log_likelihood(&plain, &Model::new(Rule::LapseOptimal), &lapse(0.0)).unwrap_err().to_string();
    assert!(impossible.ends_with("a choice has probability 0 under the model lapse-optimal"));
}

#[test]
fn a_level_left_out_can_be_impossible_and_is_then_reported() {
    // The only choice that is not optimal is on level 2: without it the lapse rate is 0.
    let one_error = decisions(&[GOOD, BAD], &[0, 0, 1, 0, 0]);
    let validation = cross_validate(&one_error, &Model::new(Rule::LapseOptimal), Folds::EachLevel);
    assert_eq!((validation.log_likelihood, validation.folds.len()), (None, 3));
    assert!(validation.folds[0].log_likelihood.is_some() && validation.folds[2].log_likelihood.is_none());
    assert!(validation.reason.as_ref().unwrap().to_string().contains("probability 0"));
    let chance = cross_validate(&one_error, &Model::new(Rule::Chance), Folds::EachLevel);
    assert_eq!(chance.log_likelihood, chance.log_likelihood_chance);
    // Such a participant is left out of the comparison, and counted.
    let others = decisions(&[GOOD, BAD], &[0, 1, 1, 0, 0, 1]);
    let models = [Model::new(Rule::Chance), Model::new(Rule::LapseOptimal)];
    let row = |decisions: &Decisions| models.map(|model| cross_validate(decisions, &model, Folds::EachLevel)).to_vec();
    let rows = [row(&one_error), row(&others)];
    let comparison = compare(&rows, Criterion::HeldOut, 1, Confidence::default());
    assert_eq!((comparison.n_participants, comparison.n_excluded, comparison.best), (1, 1, Some(0)));
    let nobody = compare(&rows[..1], Criterion::HeldOut, 1, Confidence::default());
    assert_eq!(nobody.reason.unwrap().to_string(), "a comparison needs participants with all models, found none");
}

#[test]
fn comparisons_are_of_the_same_models() {
    let plain = decisions(&[GOOD, BAD], &[0, 1, 0]);
    let chance = fitted(&plain, Model::new(Rule::Chance));
    let lapse = fitted(&plain, Model::new(Rule::LapseOptimal));
    let reason =
        |rows: &[Vec<ModelFit>]| compare(rows, Criterion::Aic, 1, Confidence::default()).reason.unwrap().to_string();
    assert_eq!(reason(&[]), "a comparison needs participants, found none");
    assert_eq!(reason(&[vec![chance.clone()]]), "a comparison needs at least 2 models, found 1");
    let mixed = [vec![chance.clone(), lapse.clone()], vec![lapse.clone(), chance.clone()]];
    assert!(reason(&mixed).ends_with("participant 1 (from 0) has other models than the first"));
    let two = compare(&[vec![chance, lapse]], Criterion::Aic, 1, Confidence::default());
    // Two of three: ln L = 2 ln (2/3) + ln (1/3) against 3 ln (1/2), and one parameter more.
    let difference = 2.0 - 2.0 * (2.0 * (4.0_f64 / 3.0).ln() + (2.0_f64 / 3.0).ln());
    assert!((two.models[1].difference - difference).abs() < 1e-10);
    assert!((two.models[1].weight - 1.0 / (1.0 + (difference / 2.0).exp())).abs() < 1e-12);
    assert_eq!(two.sentence(), "best by AIC over 1 participant: chance (best for 1); next lapse-optimal, ΔAIC = 1.66");
}

#[test]
fn selection_needs_evidence_of_several_models() {
    let reason = |rows: &[Vec<f64>]| selection::select(rows).reason.unwrap().to_string();
    assert_eq!(reason(&[]), "model selection needs participants, found none");
    assert_eq!(reason(&[vec![-3.0]]), "model selection needs at least 2 models, found 1");
    assert!(reason(&[vec![-3.0, f64::NAN]]).starts_with("log evidence holds NaN"));
    assert!(reason(&[vec![-3.0, -2.0], vec![-1.0]]).contains("must be paired"));
    let alike = selection::select(&[vec![-5.0, -5.0], vec![-7.0, -7.0]]);
    assert!((alike.models[0].protected_exceedance - 0.5).abs() < 1e-9);
}

#[test]
fn a_fit_is_a_sentence() {
    let plain = decisions(&[GOOD, BAD, BAD], &[0, 0, 1, 0, 0, 2, 0, 0, 0]);
    // Seven of nine are optimal: 1 − 2λ/3 = 7/9, and the rest by hand.
    assert_eq!(
        fitted(&plain, Model::new(Rule::LapseOptimal)).sentence(),
        "lapse-optimal: λ = .33, 95 % CI [.07, .76], ln L = −6.15, AIC = 14.31, BIC = 14.50, R² = .38, n = 9"
    );
    let always = fitted(&decisions(&[GOOD, BAD], &[0, 0]), Model::new(Rule::SoftOptimal)).sentence();
    assert_eq!(
        always,
        "soft-optimal: β without finite estimate, ln L = 0.00, AIC = 2.00, BIC = 0.69, R² = 1.00, n = 2"
    );
    assert_eq!(
        cross_validate(&plain, &Model::new(Rule::Chance), Folds::EachLevel).sentence(),
        "chance: cross-validated ln L = −9.89 (−1.10 for each decision), 3 folds, n = 9"
    );
    // All nine surely follow the first: α = (10, 1), the exceedance probability is 1 − 1/2^10. Their evidence
    // is ∫ r⁹ dr = 1/10 against 1/2⁹, so the risk is 1 / (1 + 51.2).
    let clear = selection::select(&vec![vec![-100.0, -130.0]; 9]).sentence();
    assert_eq!(
        clear,
        "model 1 of 2: expected frequency .91, protected exceedance probability .99, Bayes omnibus risk .02, n = 9"
    );
}
