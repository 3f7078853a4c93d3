//! The Rasch model against R's lme4 (marginal) and survival (conditional).
//!
//! `tests/oracles/rasch.R` made the reference values.

use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::rasch::{LevelDifficulty, Rasch, rasch, rasch_conditional};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Largest difference of a difficulty or ability, in logits. lme4 places the quadrature of each
/// participant to about 1e-7 and so knows the deviance to some 1e-8; differences of it by numDeriv give
/// its maximum to some 1e-6 logits.
const LOGIT: f64 = 1e-5;

/// Largest relative difference of standard errors, which take the second differences of the same
/// deviance.
const ERROR: f64 = 1e-4;

/// Largest relative difference of likelihoods, flat at their maximum.
const LIKELIHOOD: f64 = 1e-8;

/// Largest relative difference of conditional estimates: both sides run Newton's method on the exact
/// likelihood to its end.
const CONDITIONAL: f64 = 1e-8;

#[test]
fn difficulties_and_abilities_are_those_of_lme4() {
    for case in cases() {
        let name = case["name"].as_str().unwrap();
        let model = fitted(&case);
        assert!(model.converged && model.reason.is_none(), "{name}: {:?}", model.reason);
        let levels: Vec<&LevelDifficulty> = model.levels.iter().filter(|level| level.difficulty.is_some()).collect();
        assert_eq!(levels.iter().map(|level| &level.level).collect::<Vec<_>>(), labels(&case, "levels"), "{name}");
        for (place, level) in levels.iter().enumerate() {
            let what = format!("{name}, {}", level.level);
            assert_within(level.difficulty, &case["difficulties"][place], LOGIT, 0.0, &what);
            assert_within(level.standard_error, &case["standard_errors"][place], 0.0, ERROR, &format!("{what}: error"));
            assert_within(level.infit, &case["level_infit"][place], 0.0, LOGIT, &format!("{what}: infit"));
            assert_within(level.outfit, &case["level_outfit"][place], 0.0, 10.0 * LOGIT, &format!("{what}: outfit"));
        }
        let people: Vec<_> = model.participants.iter().filter(|person| person.ability.is_some()).collect();
        assert_eq!(people.iter().map(|person| &person.participant).collect::<Vec<_>>(), labels(&case, "participants"));
        for (place, person) in people.iter().enumerate() {
            let what = format!("{name}, {}", person.participant);
            assert_within(person.ability, &case["abilities"][place], LOGIT, 0.0, &what);
            assert_within(person.sd, &case["ability_sds"][place], LOGIT, 0.0, &format!("{what}: sd"));
            assert_within(person.infit, &case["participant_infit"][place], 0.0, LOGIT, &format!("{what}: infit"));
            assert_within(
                person.outfit,
                &case["participant_outfit"][place],
                0.0,
                10.0 * LOGIT,
                &format!("{what}: outfit"),
            );
        }
        assert_within(model.ability_sd, &case["ability_sd"], LOGIT, 0.0, &format!("{name}: sd"));
        assert_eq!(model.ability_sd == Some(0.0), case["singular"], "{name}: singular");
        assert_within(model.ability_sd_error, &case["ability_sd_error"], 0.0, ERROR, &format!("{name}: error of sd"));
        assert_within(model.log_likelihood, &case["log_likelihood"], 0.0, LIKELIHOOD, &format!("{name}: log L"));
        assert_within(model.aic, &case["aic"], 0.0, LIKELIHOOD, &format!("{name}: AIC"));
        assert_within(model.bic, &case["bic"], 0.0, LIKELIHOOD, &format!("{name}: BIC"));
    }
}

#[test]
fn conditional_difficulties_are_those_of_survival() {
    for case in cases() {
        let name = case["name"].as_str().unwrap();
        let (participants, levels, solved) = responses(&case);
        let model = rasch_conditional(&participants, &levels, &solved, Confidence::default());
        assert!(model.converged && model.reason.is_none(), "{name}: {:?}", model.reason);
        let expected = &case["conditional"];
        let levels: Vec<&LevelDifficulty> = model.levels.iter().filter(|level| level.difficulty.is_some()).collect();
        assert_eq!(levels.len(), expected["difficulties"].as_array().unwrap().len());
        for (place, level) in levels.iter().enumerate() {
            let what = format!("{name}, {}", level.level);
            assert_within(level.difficulty, &expected["difficulties"][place], CONDITIONAL, CONDITIONAL, &what);
            let error = &expected["standard_errors"][place];
            assert_within(level.standard_error, error, 0.0, CONDITIONAL, &format!("{what}: error"));
        }
        let log_likelihood = &expected["log_likelihood"];
        assert_within(model.log_likelihood, log_likelihood, 0.0, CONDITIONAL, &format!("{name}: log L"));
    }
}

#[test]
fn levels_that_all_or_none_solved_change_nothing_and_say_why() {
    let case = cases().into_iter().find(|case| case["name"] == "levels that all or none solved").unwrap();
    let whole = fitted(&case);
    let reasons: Vec<String> =
        whole.levels.iter().filter_map(|level| Some(level.reason.as_ref()?.to_string())).collect();
    assert_eq!(
        reasons,
        [
            "the difficulty is not defined here: all 40 participants solved the level",
            "the difficulty is not defined here: none of the 40 participants solved the level"
        ]
    );
    assert!(whole.sentence().contains("40 participants, 5 levels (2 more without a finite difficulty), 200 responses"));
    assert!(whole.levels[0].sentence(whole.confidence).starts_with("difficulty not estimable, n = 40"));
    let (participants, levels, solved) = responses(&case);
    let kept: Vec<usize> = (0..levels.len()).filter(|&row| levels[row] != "l01" && levels[row] != "l07").collect();
    let kept_of = |values: &[String]| kept.iter().map(|&row| values[row].clone()).collect::<Vec<String>>();
    let solved: Vec<bool> = kept.iter().map(|&row| solved[row]).collect();
    let part = rasch(&kept_of(&participants), &kept_of(&levels), &solved, Confidence::default());
    assert_eq!((part.log_likelihood, part.ability_sd), (whole.log_likelihood, whole.ability_sd));
    assert_eq!(part.levels[..], whole.levels[1..6]);
}

#[test]
fn the_order_of_the_responses_does_not_matter() {
    let (participants, levels, solved) = responses(&cases()[1]);
    let forward = rasch(&participants, &levels, &solved, Confidence::default());
    let reversed = |values: Vec<String>| values.into_iter().rev().collect::<Vec<String>>();
    let backwards: Vec<bool> = solved.into_iter().rev().collect();
    let backward = rasch(&reversed(participants), &reversed(levels), &backwards, Confidence::default());
    assert_eq!(forward, backward);
}

#[test]
fn what_cannot_be_fitted_says_why() {
    let (none, _) = reasons(&[], &[], &[]);
    assert_eq!(none, "a Rasch model needs responses, found none");
    let (unequal, _) = reasons(&["a"], &[], &[true]);
    assert_eq!(unequal, "the levels has 0 values but the responses has 1; they must be paired");
    let (twice, _) = reasons(&["a", "a"], &["1", "1"], &[true, false]);
    assert_eq!(twice, "the Rasch model is not defined here: a has two responses to 1; keep one");
    let (alone, other) = reasons(&["a", "b"], &["1", "1"], &[true, false]);
    assert_eq!(alone, "a Rasch model needs at least 2 levels that some but not all solved, found 1");
    assert_eq!(other, "a conditional Rasch model needs at least 2 levels that some but not all solved, found 0");
    // Each participant solves all or nothing: the differences between them have no bound.
    let people = ["a", "a", "b", "b", "c", "c", "d", "d"];
    let (endless, _) = reasons(&people, &["1", "2"].repeat(4), &[true, true, true, true, false, false, false, false]);
    assert!(endless.ends_with("the likelihood keeps rising with the differences between participants"), "{endless}");
    // No participant tried several levels.
    let (single, _) = reasons(&["a", "b", "c", "d"], &["1", "1", "2", "2"], &[true, false, true, false]);
    assert_eq!(single, "a Rasch model needs at least 2 participants with several such levels, found 0");
}

/// Why neither the marginal nor the conditional model can be fitted.
fn reasons(participants: &[&str], levels: &[&str], solved: &[bool]) -> (String, String) {
    let model = rasch(participants, levels, solved, Confidence::default());
    let conditional = rasch_conditional(participants, levels, solved, Confidence::default());
    assert!(!model.converged && !conditional.converged);
    (model.reason.unwrap().to_string(), conditional.reason.unwrap().to_string())
}

#[test]
fn levels_that_no_one_links_cannot_be_compared() {
    let people: Vec<String> = (0..8).flat_map(|person| [format!("p{person}"), format!("p{person}")]).collect();
    let levels: Vec<&str> = (0..8).flat_map(|person| if person < 4 { ["1", "2"] } else { ["3", "4"] }).collect();
    let solved: Vec<bool> = (0..8).flat_map(|person| [person % 2 == 0, person % 2 == 1]).collect();
    let model = rasch_conditional(&people, &levels, &solved, Confidence::default());
    assert!(model.reason.unwrap().to_string().contains("cannot be compared with those of the other"));
}

fn fitted(case: &Value) -> Rasch {
    let (participants, levels, solved) = responses(case);
    rasch(&participants, &levels, &solved, Confidence::default())
}

fn responses(case: &Value) -> (Vec<String>, Vec<String>, Vec<bool>) {
    (get(case, "participant"), get(case, "level"), get(case, "solved"))
}

fn labels<'a>(case: &'a Value, name: &str) -> Vec<&'a str> {
    case[name].as_array().unwrap().iter().map(|label| label.as_str().unwrap()).collect()
}

fn cases() -> Vec<Value> {
    let path = format!("{}/tests/oracles/rasch.json", env!("CARGO_MANIFEST_DIR"));
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    document["cases"].as_array().unwrap().clone()
}

fn get<T: DeserializeOwned>(case: &Value, name: &str) -> T {
    serde_json::from_value(case[name].clone()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Asserts that both are absent, or equal up to `absolute` plus `relative` times the expected value.
#[track_caller]
fn assert_within(actual: Option<f64>, expected: &Value, absolute: f64, relative: f64, what: &str) {
    let expected = expected.as_f64();
    let (Some(actual), Some(expected)) = (actual, expected) else {
        assert_eq!(actual, expected, "{what}");
        return;
    };
    let allowed = absolute + relative * expected.abs();
    assert!((actual - expected).abs() <= allowed, "{what}: found {actual}, expected {expected} ± {allowed:e}");
}
