use plymap_tables::Named;
use std::collections::BTreeMap;

use super::*;
use crate::Settings;
use crate::dataset::{AttemptEnd, Dataset, Trial};
use crate::testing::{Cells, add_attempt, check_cells, context, dataset, hard_cases, step, trial};
use plymap_measures::label::Quality;

/// Eight participants at five levels, half of them in each condition, with an attempt of twelve moves each.
fn small() -> Dataset {
    let noise = |n: usize| ((n * 7919 + 13) % 101) as f64 / 101.0;
    let condition = |p: usize| Some(["calm", "hurry"][p % 2].to_owned());
    let trial_at = |(p, l): (usize, usize)| {
        let moves = 8.0 + 3.0 * l as f64 + (6.0 * noise(p * 5 + l)).floor();
        let time = moves * (1.5 + 0.2 * p as f64) * (0.8 + 0.5 * noise(p * 31 + l * 17));
        let is_solved = Some((p * 3 + l * 2) % 7 != 0);
        let start_distance = Some(5 + (l * l % 4) as u32);
        let order = Some((l + p) % 5);
        Trial { is_solved, start_distance, order, condition: condition(p), ..trial(p, l, moves, time) }
    };
    let places = || (0..8).flat_map(|p| (0..5).map(move |l| (p, l)));
    let mut data = dataset(places().map(trial_at).collect());
    for (p, l) in places() {
        let move_at = |ply: usize| {
            let n = p * 601 + l * 97 + ply * 11;
            let quality = [Quality::Better, Quality::Better, Quality::Same, Quality::Worse][n % 4];
            let rt_s = Some(0.5 + 3.0 * noise(n) + 0.2 * p as f64);
            step(quality, rt_s).but(|fact| {
                fact.n_legal = 3 + (n % 3) as u32;
                fact.value_before = Some((n % 9 + 1) as f64);
            })
        };
        add_attempt(&mut data, p, l, (0..12).map(move_at).collect());
        let attempt = data.attempts.last_mut().unwrap();
        attempt.condition = condition(p);
        attempt.end = if (p + l) % 4 == 0 { AttemptEnd::Reset } else { AttemptEnd::Finished };
    }
    data
}

fn table(data: &Dataset, place: usize) -> Table {
    Models::new(&context(data)).tables().swap_remove(place)
}

/// The cell of the row of a model, and of a term where one is given.
fn cell(table: &Table, model: &str, term: Option<&str>, column: &str) -> Option<String> {
    let models = table.cells("model");
    let terms = term.map(|_| table.cells("term"));
    let is_match = |row: &usize| {
        models[*row].as_deref() == Some(model) && terms.as_ref().is_none_or(|terms| terms[*row].as_deref() == term)
    };
    table.cells(column)[(0..models.len()).find(is_match).unwrap_or_else(|| panic!("no row {model} {term:?}"))].clone()
}

/// The values less effects of participants and of levels, by Gauss and Seidel's method on the normal equations.
fn less_both_means(rows: &[&Trial], values: Vec<f64>) -> Vec<f64> {
    let mut effects = [[0.0; 8]; 2];
    let places: Vec<[usize; 2]> = rows.iter().map(|trial| [trial.participant, trial.level]).collect();
    for _ in 0..1000 {
        for factor in 0..2 {
            for place in 0..8 {
                let rest = |(&value, places): (&f64, &[usize; 2])| value - effects[1 - factor][places[1 - factor]];
                let of_place = values.iter().zip(&places).filter(|(_, places)| places[factor] == place);
                let rests: Vec<f64> = of_place.map(rest).collect();
                effects[factor][place] = rests.iter().sum::<f64>() / rests.len().max(1) as f64;
            }
        }
    }
    let less = |(value, places): (&f64, &[usize; 2])| value - effects[0][places[0]] - effects[1][places[1]];
    values.iter().zip(&places).map(less).collect()
}

#[test]
fn a_model_is_that_of_the_estimator() {
    let data = small();
    let rows: Vec<&Trial> = data.trials.iter().filter(|trial| trial.is_solved == Some(true)).collect();
    let logs = |value: fn(&Trial) -> Option<f64>| rows.iter().map(|row| value(row).unwrap().ln()).collect::<Vec<f64>>();
    let (y, x) = (logs(|trial| trial.time_s), logs(|trial| trial.n_moves));
    let x = Variable::number("x", &less_both_means(&rows, x)).unwrap();
    let labels = |names: &[String], place: fn(&Trial) -> usize| {
        rows.iter().map(|trial| names[place(trial)].clone()).collect::<Vec<String>>()
    };
    let groups = vec![
        Grouping::new("p", &labels(&data.participants, |trial| trial.participant)),
        Grouping::new("l", &labels(&data.levels, |trial| trial.level)),
    ];
    let formula = "y ~ x + (1 + x || p) + (1 + x || l)".parse().unwrap();
    let specification = Specification::new(formula, Outcome::Number(y), vec![x], groups).unwrap();
    let expected = specification.fit(Criterion::Reml, Default::default()).unwrap();
    let table = table(&data, 0);
    for (term, effect) in ["intercept", TIME_OF_MOVES.1].into_iter().zip(&expected.fixed) {
        let number = |column: &str| cell(&table, "time-of-moves", Some(term), column).unwrap().parse::<f64>().unwrap();
        let pairs = [(number("estimate"), effect.estimate.unwrap()), (number("df"), effect.df.unwrap())];
        assert!(pairs.iter().all(|(left, right)| (left - right).abs() < 1e-6 * right.abs()), "{term}: {pairs:?}");
    }
}

#[test]
fn each_model_has_what_the_log_has() {
    let mut data = small();
    let formula = |data: &Dataset, model: &str| cell(&table(data, 3), model, None, "formula").unwrap();
    assert_eq!(
        formula(&data, "trial-time"),
        "log(time_s) ~ 1 + condition + trial_number + start_distance + (1 + trial_number || participant) + (1 | level)"
    );
    assert_eq!(cell(&table(&data, 0), "trial-time", Some("condition = hurry"), "reason"), None);
    // As many conditions as people: what differs between the former differs between the latter.
    let mut alone = small();
    alone.trials_mut().iter_mut().for_each(|trial| trial.condition = Some(format!("c{}", trial.participant)));
    assert!(!formula(&alone, "trial-time").contains("condition"));
    // Of two levels each has a start distance of its own.
    let mut pair = small();
    pair.trials_mut().retain(|trial| trial.level < 2);
    assert!(!formula(&pair, "trial-time").contains("start_distance"), "{}", formula(&pair, "trial-time"));
    // Nobody has a condition, and the order is not known.
    data.trials_mut().iter_mut().for_each(|trial| (trial.condition, trial.order) = (None, None));
    assert_eq!(formula(&data, "trial-time"), "log(time_s) ~ 1 + start_distance + (1 || participant) + (1 | level)");
    // Everybody has both.
    let both = |level: usize| Some(["calm", "hurry"][level % 2].to_owned());
    data.trials_mut().iter_mut().for_each(|trial| trial.condition = both(trial.level));
    assert!(formula(&data, "trial-moves").contains("(1 + condition || participant)"));
    // A single level is no factor, and has one start distance.
    data.trials_mut().retain(|trial| trial.level == 0);
    data.attempts.retain(|attempt| attempt.level == 0);
    assert!(formula(&data, "optimal").ends_with("(1 + value_before + log(n_legal) + ply || participant)"));
}

#[test]
fn rows_without_a_value_are_counted() {
    let mut data = small();
    let n = |data: &Dataset, column: &str| cell(&table(data, 3), "move-time", None, column).unwrap();
    // Eleven of twelve moves follow another.
    assert_eq!((n(&data, "n"), n(&data, "n_left_out")), ("440".to_owned(), "0".to_owned()));
    data.moves[1].rt_s = Some(0.0);
    data.moves[2].value_before = None;
    assert_eq!((n(&data, "n"), n(&data, "n_left_out")), ("438".to_owned(), "2".to_owned()));
    let fits = table(&data, 3);
    assert_eq!(cell(&fits, "restart", None, "n_events"), Some("10".to_owned()));
    assert_eq!(cell(&fits, "give-up", None, "n_events"), Some("0".to_owned()));
    assert!(cell(&fits, "give-up", None, "reason").unwrap().contains("needs observations with the event"));
}

#[test]
fn the_tests_of_a_question_are_one_family() {
    let terms = table(&small(), 1);
    let number = |column: &str| -> Vec<Option<f64>> {
        terms.cells(column).iter().map(|cell| cell.as_deref().map(|cell| cell.parse().unwrap())).collect()
    };
    let (p_values, adjusted, questions) = (number("p_value"), number("p_adjusted"), terms.cells("question"));
    let family = |model: &str, term: &str| {
        let cell_of = |column: &str| cell(&terms, model, Some(term), column);
        (cell_of("question"), cell_of("p_adjusted").is_some())
    };
    assert_eq!(family("trial-time", "condition"), (Some("conditions".to_owned()), true));
    assert_eq!(family("optimal", "condition"), (Some("conditions".to_owned()), true));
    assert_eq!(family(OPTIMAL_OF_TIME.0, OPTIMAL_OF_TIME.1).0, family(QUALITY_OF_TIME.0, QUALITY_OF_TIME.1).0);
    // Everybody makes the same moves at a level: what is left to be tested is rounding, and weakens no other test.
    let mut same = small();
    same.trials_mut().iter_mut().for_each(|trial| trial.n_moves = Some((4 + trial.level) as f64));
    let of_same = table(&same, 1);
    let same_cell = |model: &str, column: &str| cell(&of_same, model, Some("condition"), column);
    assert!(same_cell("trial-moves", "reason").is_some() && same_cell("trial-moves", "p_value").is_some());
    assert_eq!(
        (same_cell("trial-moves", "p_adjusted"), same_cell("trial-time", "question").as_deref()),
        (None, Some("conditions"))
    );
    // What is held constant is no question.
    assert_eq!(family("move-time", "within(ply)"), (None, false));
    let mut n_tests = BTreeMap::new();
    for question in questions.iter().flatten() {
        let rows: Vec<usize> = (0..p_values.len()).filter(|&row| questions[row].as_ref() == Some(question)).collect();
        let values_of = |values: &[Option<f64>]| rows.iter().map(|&row| values[row]).collect::<Vec<_>>();
        assert_eq!(values_of(&adjusted), Adjustment::BenjaminiHochberg.apply(&values_of(&p_values)), "{question}");
        n_tests.insert(question.as_str(), values_of(&p_values).iter().flatten().count());
    }
    assert_eq!((n_tests["practice"], n_tests["positions"]), (3, 4));
    assert_eq!(family(TIME_OF_MOVES.0, TIME_OF_MOVES.1).0.as_deref(), Some("moves and time"));
    assert_eq!(cell(&terms, "move-time", Some("quality"), "df_numerator"), Some("2".to_owned()));
}

#[test]
fn sentences_tell_the_terms() {
    let said = Models::new(&context(&small())).sentences();
    let begin = "Time of solved trials by their number of moves (34 solved trials, 8 participants): ln number of moves, less the means of the person and of the level, of a size that cannot be told from these data.";
    assert!(said[0].starts_with(begin), "{said:#?}");
    assert!(said.iter().any(|sentence| sentence.contains("condition = hurry against calm, b = ")), "{said:#?}");
    assert!(said.iter().any(|sentence| sentence.contains("quality of the move, F(2, ")), "{said:#?}");
}

#[test]
fn the_largest_effect_is_one_that_is_a_result() {
    let said = |is_ratio: bool, rows: &[(f64, f64)]| {
        let of_row = |&(estimate, width): &(f64, f64)| TermEffect {
            label: estimate.to_string(),
            estimate: Some(estimate),
            interval: Some((estimate - width, estimate)),
            is_ratio,
            sentence: String::new(),
        };
        let effects: Vec<TermEffect> = rows.iter().map(of_row).collect();
        format!("{}{}", largest(&effects).unwrap().label, left_out(&effects))
    };
    // A ratio is no result from e to the power of 4.6 on; a difference of seconds is one.
    let rows = [(1.0, 4.0), (-2.0, 4.0), (9.0, 5.0)];
    assert_eq!(said(true, &rows), "-2 (without 1 that cannot be told from these data)");
    assert_eq!(said(false, &rows), "9");
    assert_eq!(said(true, &[(1.0, 5.0), (9.0, 5.0)]), "9");
}

fn own(rows: Rows, formula: &str) -> ModelSpec {
    ModelSpec { name: "own".to_owned(), rows, formula: formula.to_owned(), about: Vec::new() }
}

#[test]
fn a_study_can_have_models_of_its_own() {
    let data = small();
    let formula = "log(rt_s) ~ quality * condition + (1 + quality | participant) + (1 | participant:level)";
    let settings = Settings::new(Default::default(), 7, false).with_models(&[own(Rows::LaterMoves, formula)]);
    let tables = Models::new(&Context::new(&data, &settings)).tables();
    let fitted = cell(&tables[3], "own", None, "formula").unwrap();
    assert!(fitted.ends_with("(1 + quality | participant) + (1 | participant:level)"), "{fitted}");
    assert!(cell(&tables[1], "own", Some("quality : condition"), "p_adjusted").is_some());
    // The intercept and two qualities go together in three ways, value and moves made in one.
    let n_covariances = |model: &str| {
        let rows = (0..tables[2].cells("model").len())
            .filter(|&row| tables[2].text_at(row, Named("model")).as_deref() == Some(model));
        let flags =
            |row| (tables[2].text_at(row, Named("with")).is_some(), tables[2].number_at(row, Named("sd")).is_some());
        rows.map(flags).filter(|&(is_covariance, has_sd)| is_covariance && !has_sd).count()
    };
    assert_eq!((n_covariances("own"), n_covariances("move-time"), n_covariances("optimal")), (3, 1, 0));
    // The usual models are as they were.
    assert_eq!(cell(&tables[3], "move-time", None, "formula"), cell(&table(&data, 3), "move-time", None, "formula"));
    // A model without data says so, where a usual one would not be there.
    let mut unsolved = data.clone();
    unsolved.trials_mut().iter_mut().for_each(|trial| trial.is_solved = None);
    let settings = Settings::new(Default::default(), 7, false)
        .with_models(&[own(Rows::Trials, "solved ~ condition + (1 | participant)")]);
    let tables = Models::new(&Context::new(&unsolved, &settings)).tables();
    assert!(cell(&tables[3], "own", None, "reason").unwrap().contains("none of the trials has a value of solved"));
}

#[test]
fn a_model_of_a_study_is_checked() {
    let refused = |spec: ModelSpec, words: &str| {
        let why = ModelSpec::check(std::slice::from_ref(&spec)).unwrap_err();
        assert!(why.contains(words), "{why}");
    };
    let good = own(Rows::Choices, "is_optimal ~ log(rt_s) * condition + n_states + (1 | participant)");
    assert_eq!(ModelSpec::check(std::slice::from_ref(&good)), Ok(()));
    refused(own(Rows::Trials, "solved ~ quality + (1 | participant)"), "there is no column \"quality\"");
    refused(own(Rows::Trials, "solved ~ condition"), "it has no random effects");
    refused(own(Rows::Trials, "solved ~ condition + (1 | session)"), "not of session");
    refused(own(Rows::Trials, "solved ~ condition + "), "is not understood");
    refused(own(Rows::Trials, "solved ~ 1 + (1 | level)"), "no predictor");
    refused(ModelSpec { about: vec!["ply".to_owned()], ..good.clone() }, "there is no term \"ply\"");
    refused(ModelSpec { name: "solved".to_owned(), ..good.clone() }, "another model");
    assert!(ModelSpec::check(&[good.clone(), good]).is_err());
}

#[test]
fn an_effect_belongs_to_the_term_of_its_columns() {
    assert!(belongs_to("ply", "ply") && belongs_to("quality = same", "quality"));
    assert!(belongs_to("quality = same : condition = b", "quality : condition"));
    assert!(!belongs_to("quality = same : condition = b", "quality") && !belongs_to("quality = same", "qual"));
}

#[test]
fn successive_residuals_are_those_of_an_attempt_or_of_a_participant() {
    let data = small();
    let diagnostics = table(&data, 4);
    let n_pairs = |model: &str| cell(&diagnostics, model, None, "n_pairs").unwrap();
    // Eleven of the twelve moves of each of the forty attempts follow a move, ten of them one that is modelled.
    assert_eq!(n_pairs("move-time"), "400");
    let solved = |trial: &&Trial| trial.is_solved == Some(true);
    let follows = |trial: &&Trial| {
        let before =
            |other: &&Trial| other.participant == trial.participant && other.order.map(|n| n + 1) == trial.order;
        data.trials.iter().filter(solved).any(|other| before(&other))
    };
    assert_eq!(n_pairs("trial-time"), data.trials.iter().filter(solved).filter(follows).count().to_string());
}

#[test]
fn who_moves_an_effect_is_named() {
    let mut data = small();
    // One person is ten times as slow after good moves.
    let attempts: Vec<_> =
        data.attempts.iter().filter(|attempt| attempt.participant == 3).map(|attempt| attempt.moves.clone()).collect();
    for row in attempts.into_iter().flatten() {
        let move_row = &mut data.moves[row];
        move_row.rt_s = move_row.rt_s.map(|time| if move_row.quality == Quality::Better { 20.0 * time } else { time });
    }
    let diagnostics = table(&data, 4);
    let name = data.participants[3].clone();
    assert_eq!(cell(&diagnostics, "move-time", None, "participant"), Some(name.clone()));
    let models = Models::new(&context(&data));
    let said = models.sentences().pop().unwrap();
    assert!(said.starts_with("What the diagnostics in the appendix say against models: "), "{said}");
}

#[test]
fn hard_cases_have_rows_and_reasons() {
    for data in hard_cases() {
        let models = Models::new(&context(&data));
        for table in &models.tables() {
            check_cells(table);
        }
        let effects = &models.tables()[0];
        for (estimate, reason) in effects.cells("estimate").iter().zip(effects.cells("reason")) {
            assert!(estimate.is_some() || reason.is_some());
        }
        models.sentences();
    }
}
