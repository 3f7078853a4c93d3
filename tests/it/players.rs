//! Simulated players: as logs, in experiments, in tournaments, and beside people.

use plymap_tables::Named;
use std::path::{Path, PathBuf};
use std::process::Command;

use plymap::calibration::{Design, calibrate, coverage};
use plymap::power::power_curve;
use plymap::simulation::simulate;
use plymap::tournament::{Game, GameEnding, play_games, results};
use plymap_players::policy::{History, LevelContext, PolicySpec, Previous, Situation};
use plymap_puzzles::game::{StateCode, Unit};
use plymap_puzzles::progress::Silent;
use plymap_run::baseline;
use plymap_run::study::{Power, Study, StudyError};
use plymap_run::{play, study_levels};
use plymap_statistics::stats::Confidence;

use crate::common::{demo_run, repository};

/// A study of three small levels of the Tower of London, with more entries.
fn london(more: &str) -> Study {
    of_levels("tower-of-london", "data/tower_of_london/levels.txt", more)
}

fn of_levels(game: &str, levels: &str, more: &str) -> Study {
    parsed(game, levels, more).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

fn parsed(game: &str, levels: &str, more: &str) -> Result<Study, Vec<plymap_puzzles::diagnostic::Diagnostic>> {
    let text = format!("{more}\n[study]\nname = 'players'\n[levels]\ngame = '{game}'\nfiles = ['{levels}']\n");
    let source = plymap_puzzles::diagnostic::SourceText { path: "study.toml".into(), text };
    Study::parse(&std::sync::Arc::new(source), repository())
}

fn files_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let file =
        |path: PathBuf| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap());
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    files
}

const COHORTS: &str = "
cohort = [
  { name = 'a', n = 4, policy = { kind = 'lapse-optimal', lapse = { from = 0.1, to = 0.5 } } },
  { name = 'b', n = 3, policy = { kind = 'chance', undo = 0 }, persistence = { max_moves = 30, reset_chance = 0.3 } },
]";

#[test]
fn a_simulated_log_is_read_without_a_fault_and_is_the_same_on_one_thread() {
    let study = london(COHORTS);
    let file = repository().join("data/tower_of_london/study.toml");
    let out = tempfile::tempdir().expect("a folder");
    let (first, second) = (out.path().join("first"), out.path().join("second"));
    let summary = simulate(&study, &file, &first, &Silent).expect("a simulation");
    let levels = study_levels(&study, &Silent).expect("levels").0;
    assert_eq!((summary.n_participants, summary.n_trials), (7, 7 * levels.len()));
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    one_thread.install(|| simulate(&study, &file, &second, &Silent)).expect("a simulation");
    assert_eq!(files_in(&first), files_in(&second));

    let of_log = Study::read(&first).expect("the study that was written");
    let levels = study_levels(&of_log, &Silent).expect("its levels").0;
    let played = play(&of_log, &levels, &Silent).expect("a log").expect("a log");
    let counts = played.account.counts;
    assert_eq!((counts.read, counts.rejected, counts.excluded), (summary.n_rows as u64, 0, 0));
    let n_solved = played.measures.trials.iter().filter(|trial| trial.solution.is_some()).count();
    assert_eq!((played.measures.trials.len(), n_solved), (summary.n_trials, summary.n_solved));
    assert_eq!(played.measures.participants.len(), 7);

    let players = String::from_utf8(std::fs::read(first.join("players.csv")).unwrap()).unwrap();
    let header = players.lines().next().expect("a header");
    assert!(header.starts_with("participant,cohort,condition,policy,lapse,undo,same_piece,median_time_s"), "{header}");
    assert!(players.lines().nth(5).expect("the fifth player").starts_with("b-1,b,b,chance,,0.0,1.0,"), "{players}");
}

#[test]
fn another_seed_gives_other_play_and_another_cohort_changes_none() {
    let study = london(COHORTS);
    let all = simulated_log(&study);
    let mut other = study.clone();
    other.simulation.seed = 2;
    assert_ne!(simulated_log(&other), all);
    let mut fewer = study;
    fewer.cohort.remove(0);
    let of_b: Vec<&str> = all.lines().filter(|line| !line.starts_with("a-")).collect();
    assert_eq!(simulated_log(&fewer).lines().collect::<Vec<_>>(), of_b);
}

fn simulated_log(study: &Study) -> String {
    let out = tempfile::tempdir().expect("a folder");
    let target = out.path().join("out");
    simulate(study, &repository().join("data/tower_of_london/study.toml"), &target, &Silent).expect("a simulation");
    std::fs::read_to_string(target.join("log.csv")).expect("a log")
}

fn powers(more: &str, repeats: u32) -> Vec<f64> {
    let mut study = london(more);
    let mut power = study.power.take().expect("a question");
    power.repeats = repeats;
    let levels = study_levels(&study, &Silent).expect("levels").0;
    let curve = power_curve(&study, &power, &levels, &Silent).expect("a curve");
    assert!(curve.points.iter().all(|point| point.n_failed == 0));
    curve.points.iter().map(|point| point.power.estimate.expect("experiments")).collect()
}

/// Two cohorts that do not differ differ significantly in one of twenty experiments. 300 have a standard error of .0126;
/// within three of them of .05 is neither a test that never finds anything nor one that finds too much.
#[test]
fn without_an_effect_power_is_alpha() {
    let same = "{ kind = 'lapse-optimal', lapse = { from = 0.2, to = 0.6 } }";
    let cohorts = format!("cohort = [{{ name = 'a', policy = {same} }}, {{ name = 'b', policy = {same} }}]");
    for test in ["welch", "kruskal-wallis"] {
        let power = format!("power = {{ cohorts = ['a', 'b'], measure = 'share_optimal', test = '{test}', n = [12] }}");
        let rate = powers(&format!("{cohorts}\n{power}"), 300)[0];
        assert!((rate - 0.05).abs() < 3.0 * 0.0126, "{test}: {rate}");
    }
}

/// The same as above by a mixed model of the trials: 300 experiments with a standard error of .0126.
#[test]
#[ignore = "slow: hundreds of mixed models"]
fn power_of_a_mixed_model_is_alpha_without_an_effect_and_rises_with_it() {
    let cohorts = |other: &str| {
        format!(
            "cohort = [
              {{ name = 'b', policy = {{ kind = 'lapse-optimal', lapse = {{ from = 0.2, to = 0.6 }} }} }},
              {{ name = 'a', policy = {{ kind = 'lapse-optimal', lapse = {{ {other} }} }} }},
            ]"
        )
    };
    let power = |n: &str| format!("power = {{ cohorts = ['b', 'a'], model = 'trial-moves', n = [{n}] }}");
    let same = powers(&format!("{}\n{}", cohorts("from = 0.2, to = 0.6"), power("12")), 300)[0];
    assert!((same - 0.05).abs() < 3.0 * 0.0126, "{same}");
    let more = format!("{}\n{}", cohorts("from = 0.5, to = 0.9"), power("4, 12, 40"));
    let by_n = powers(&more, 60);
    assert!(by_n[0] < by_n[1] && by_n[1] <= by_n[2] && by_n[2] > 0.95, "{by_n:?}");
    // The second cohort less the first, whatever comes first in the alphabet: who errs more needs more moves.
    let mut study = london(&more);
    let question = Power { repeats: 10, ..study.power.take().unwrap() };
    let levels = study_levels(&study, &Silent).unwrap().0;
    assert!(power_curve(&study, &question, &levels, &Silent).unwrap().points[2].effect.unwrap() > 0.05);
}

#[test]
fn power_rises_with_the_number_of_participants() {
    let more = "cohort = [
      { name = 'a', policy = { kind = 'lapse-optimal', lapse = { from = 0.2, to = 0.6 } } },
      { name = 'b', policy = { kind = 'lapse-optimal', lapse = { from = 0.4, to = 0.8 } } },
    ]
    power = { cohorts = ['a', 'b'], measure = 'share_optimal', n = [4, 12, 40] }";
    let by_n = powers(more, 100);
    assert!(by_n[0] < by_n[1] && by_n[1] < by_n[2] && by_n[2] > 0.95, "{by_n:?}");
    // The time of a move has nothing to do with its quality.
    let within = "cohort = [{ name = 'a', policy = { kind = 'lapse-optimal', lapse = { from = 0.2, to = 0.6 } },
      tempo = { median_time_s = { from = 0.5, to = 4 } } }]
    power = { cohorts = ['a'], measure = 'share_optimal', with = 'median_inter_move_s', test = 'spearman', n = [30] }";
    assert!(powers(within, 100)[0] < 0.2);
    let excess = within.replace("median_inter_move_s", "mean_excess_moves");
    assert!(powers(&excess, 100)[0] > 0.95, "who errs more needs more moves");
}

#[test]
fn what_a_study_of_players_gets_wrong_is_named() {
    let fault =
        |more: &str| parsed("tower-of-london", "data/tower_of_london/levels.txt", more).unwrap_err()[0].to_string();
    let cohort = "cohort = [{ name = 'a', policy = { kind = 'chance' } }]\n";
    assert!(
        fault("cohort = [{ name = 'a', policy = { kind = 'none' } }]").contains("the kinds of policies are chance")
    );
    let power = |entries: &str| fault(&format!("{cohort}power = {{ {entries} }}"));
    assert!(power("cohorts = ['b'], measure = 'n_moves'").contains("there is no cohort \"b\"; there are a"));
    assert!(power("cohorts = ['a'], measure = 'n_moves'").contains("a comparison is between 2 of the cohorts, not 1"));
    assert!(power("cohorts = ['a'], measure = 'speed', with = 'time_s'").contains("there is no measure \"speed\""));
    assert!(power("cohorts = ['a'], measure = 'n_moves', with = 'time_s', test = 'welch'").contains("pearson"));
    let two = "cohort = [{ name = 'a', policy = { kind = 'chance' } }, { name = 'b', policy = { kind = 'chance' } }]\n";
    let model = |entries: &str| fault(&format!("{two}power = {{ cohorts = ['a', 'b'], {entries} }}"));
    assert!(model("n = [9]").contains("neither a `measure` nor a `model`"));
    assert!(model("measure = 'n_moves', model = 'optimal'").contains("not both"));
    assert!(model("model = 'optimum'").contains("there is no model \"optimum\"; the models are time-of-moves"));
    assert!(model("model = 'time-of-moves'").contains("has no condition; it has within(log(n_moves))"));
    assert!(model("model = 'optimal', test = 'welch'").contains("leave out `with` and `test`"));
    assert!(fault("strategy = [{ name = 'x', policy = { kind = 'greedy' } }]").contains("`heuristic` is missing"));
    let twice =
        "strategy = [{ name = 'x', policy = { kind = 'chance' } }, { name = 'x', policy = { kind = 'chance' } }]";
    assert!(fault(twice).contains("that of another one"));
    let missing = Study::read(Path::new("there/is/no/such/study.toml")).unwrap_err();
    assert!(matches!(missing, StudyError::Io { .. }));
}

/// The 2x2 board of 2048: its optimal play is known exactly, 66.964149 points from the start.
fn small_2048(strategies: &str, games: u32) -> (Study, Vec<Game>) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("two.txt");
    std::fs::write(&file, "# id: two\n2x2\n").expect("a file");
    let more = format!("strategy = [{strategies}]\ntournament = {{ games = {games} }}");
    let study = of_levels("2048", &file.to_string_lossy(), &more);
    let levels = study_levels(&study, &Silent).expect("levels").0;
    let games = play_games(&study, &levels, &Silent).expect("games");
    (study, games)
}

#[test]
fn the_best_play_of_a_tournament_has_its_exact_mean() {
    let strategies = "{ name = 'random', policy = { kind = 'chance' } },
      { name = 'cyclic', policy = { kind = 'cyclic' } },
      { name = 'best', policy = { kind = 'lapse-optimal' } }";
    let (_, games) = small_2048(strategies, 2000);
    assert_eq!(games.len(), 6000);
    assert!(games.iter().all(|game| game.ending == GameEnding::Finished));
    let results = results(&games, Unit::Points, Confidence::default(), 1);
    assert_eq!(results[0].strategy, "best", "the best stands first");
    let scores = &results[0].scores;
    let mean = scores.iter().sum::<f64>() / 2000.0;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / 1999.0;
    assert!((mean - 66.964149).abs() < 4.0 * (variance / 2000.0).sqrt(), "{mean}");
    assert!(results.iter().skip(1).all(|other| other.mean.estimate.unwrap() < mean));
    // All strategies meet the same starts, and two games do not.
    let (_, again) = small_2048("{ name = 'best', policy = { kind = 'lapse-optimal' } }", 2000);
    let of_best = games.iter().filter(|game| game.strategy == "best");
    assert!(of_best.zip(&again).all(|(left, right)| (left.cost, &left.attributes) == (right.cost, &right.attributes)));
}

#[test]
fn programs_compete_and_those_that_cheat_are_disqualified() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3");
        return;
    }
    let program = |name: &str, arguments: &str| {
        format!(
            "{{ name = '{name}', policy = {{ kind = 'external', command = ['python3', {arguments}], start-limit-s = 60.0, time-limit-s = 20.0 }} }}"
        )
    };
    let strategies = [
        program("honest", "'examples/player.py'"),
        program("crashing", "'-c', 'import sys; sys.exit(\"out of luck\")'"),
        program("cheating", "'-c', 'while True: input(); print(\"sideways\", flush=True)'"),
        "{ name = 'random', policy = { kind = 'chance' } }".to_owned(),
    ];
    let (_, games) = small_2048(&strategies.join(","), 5);
    let results = results(&games, Unit::Points, Confidence::default(), 1);
    let order: Vec<&str> = results.iter().map(|result| result.strategy.as_str()).collect();
    assert_eq!(order[2..].iter().collect::<std::collections::BTreeSet<_>>(), ["cheating", "crashing"].iter().collect());
    let reason = |name: &str| {
        let result = results.iter().find(|result| result.strategy == name).expect("a strategy");
        (result.n_games, result.disqualified.clone())
    };
    assert_eq!(reason("honest"), (5, None));
    assert_eq!(reason("crashing"), (0, Some("it ended before it answered (exit code 1): out of luck".to_owned())));
    let (n_games, cheated) = reason("cheating");
    assert!(n_games == 0 && cheated.as_deref().is_some_and(|reason| reason.contains("\"sideways\"")), "{cheated:?}");
}

#[test]
fn optimal_people_stand_at_one_and_chance_at_nought() {
    let out = tempfile::tempdir().expect("a folder");
    let target = out.path().join("out");
    let study = london(
        "cohort = [
          { name = 'best', n = 3, policy = { kind = 'lapse-optimal' } },
          { name = 'dice', n = 40, policy = { kind = 'chance' } },
        ]",
    );
    simulate(&study, &repository().join("data/tower_of_london/study.toml"), &target, &Silent).expect("a log");
    let of_log = Study::read(&target).expect("its study");
    let levels = study_levels(&of_log, &Silent).expect("levels").0;
    let people = play(&of_log, &levels, &Silent).expect("a log").expect("a log").measures;
    let comparison = baseline::compare(&of_log, &levels, &people, &Silent).expect("players").expect("mapped levels");
    let score = |name: &str| {
        let scores: Vec<f64> = comparison
            .scores
            .iter()
            .filter(|row| row.player.starts_with(name))
            .map(|row| row.chance_normalised_score.expect("moves"))
            .collect();
        (scores.len(), scores.iter().sum::<f64>() / scores.len() as f64)
    };
    assert_eq!(score("best"), (3, 1.0));
    let (n, mean) = score("dice");
    assert!(n == 40 && mean.abs() < 0.05, "people who move by chance: {mean}");
    let (n, mean) = score("chance");
    assert!(n == 20 && mean.abs() < 0.05, "the cohort itself: {mean}");
    let (n, mean) = score("look-ahead-2");
    assert!(n == 5 && mean > 0.05 && mean < 1.0, "better than chance, and not optimal: {mean}");
    let mut without = of_log;
    without.baseline = Some(Vec::new());
    assert!(baseline::compare(&without, &levels, &people, &Silent).expect("nothing").is_none());
}

/// The demo's moves of `participant` as (level, attempt, position, position after).
fn recorded_moves(participant: &str) -> Vec<[String; 4]> {
    let path = demo_run().join("tables/moves.csv");
    let mut reader = csv::Reader::from_path(path).expect("the demo's moves");
    let header = reader.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|other| other == name).expect("a column");
    let [who, is_after_goal, event] = ["participant", "is_after_goal", "event"].map(column);
    let wanted = ["level", "attempt", "state_before", "state_after"].map(column);
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.filter(|row| &row[who] == participant && &row[is_after_goal] == "false" && &row[event] == "move")
        .map(|row| wanted.map(|column| row[column].to_owned()))
        .collect()
}

/// The log-likelihood of a participant's moves under a policy.
fn log_likelihood(spec: &PolicySpec, study: &Study, moves: &[[String; 4]]) -> f64 {
    let policy = spec.build("".as_ref()).expect("a policy");
    let levels = study_levels(study, &Silent).expect("levels").0;
    let mut sum = 0.0;
    for attempt in moves.chunk_by(|left, right| left[..2] == right[..2]) {
        let level = levels.iter().find(|level| level.id == attempt[0][0]).expect("a level");
        let oracle = level.oracle();
        let (rules, game) = (&*level.rules, "rush-hour");
        let context = LevelContext { rules, oracle: Some(&oracle), game, level: &level.id, seed: 1 };
        let mut policy_state = policy.start_level(&context).expect("a level that starts");
        let mut history = History::default();
        let state = |text: &str| -> StateCode { rules.parse_state(text).expect("a position") };
        for [_, _, before, after] in attempt {
            let (before, after) = (state(before), state(after));
            let moves = rules.legal_moves(before);
            let probabilities =
                policy_state.probabilities(&Situation::new(&context, before, &moves, &history)).expect("a choice");
            let chosen = moves.iter().position(|legal| legal.after == after).expect("a legal move");
            sum += probabilities[chosen].ln();
            let notation = String::new();
            history.previous = Some(Previous { state: before, piece: moves[chosen].piece, notation });
            history.n_moves += 1;
        }
    }
    sum
}

#[test]
fn a_fitted_player_gives_the_moves_of_its_participant_the_likelihood_of_the_fit() {
    let study = Study::read(&repository().join("data/demo/study.toml")).expect("the demo");
    let tables = demo_run().join("tables");
    let moves = recorded_moves("p03");
    let mut reader = csv::Reader::from_path(tables.join("choice_models.csv")).expect("the demo's models");
    let header = reader.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|other| other == name).expect("a column");
    let (model, likelihood) = (column("model"), column("log_likelihood"));
    let mut n_compared = 0;
    for row in reader.records().map(|row| row.expect("a row")).filter(|row| &row[0] == "p03") {
        let Ok(expected) = row[likelihood].parse::<f64>() else { continue };
        let policy = format!(
            "kind = 'fitted'\nparameters = 'choice_parameters.csv'\nparticipant = 'p03'\nmodel = '{}'",
            &row[model]
        );
        let spec = PolicySpec::read(&policy.parse().expect("TOML"), &tables, 0);
        // Nobody who plays has the whole map.
        if row[model].starts_with("forward-search") {
            assert!(spec.is_err());
            continue;
        }
        let spec = spec.expect("a fitted policy");
        let actual = log_likelihood(&spec, &study, &moves);
        // Both add the logarithms of some 300 probabilities; habits are stored with 16 digits.
        assert!(
            (actual - expected).abs() < 1e-8 * expected.abs(),
            "{}: {actual}, and the fit has {expected}",
            &row[model]
        );
        n_compared += 1;
    }
    assert!(n_compared >= 14, "{n_compared} models");
}

#[test]
fn calibration_counts_every_study_and_is_the_same_twice() {
    let study = Study::read(&repository().join("data/demo/study.toml")).unwrap();
    let (levels, _) = study_levels(&study, &Silent).unwrap();
    let play = play(&study, &levels, &Silent).unwrap().unwrap();
    let people = Design { n_studies: 3, n_participants: Some(12), n_levels: Some(5), ..Design::default() };
    let design = Design { restart: Some(0.05), give_up: Some(0.02), ..people };
    let calibration = calibrate(&study, &play, &levels, design, &Silent).unwrap();
    let tests: Vec<String> =
        (0..calibration.data.height()).filter_map(|row| calibration.text_at(row, Named("test"))).collect();
    let counts: Vec<_> = tests.iter().zip(numbers(&calibration, "n")).zip(numbers(&calibration, "n_failed")).collect();
    assert!(counts.len() > 15);
    for ((test, n), failed) in &counts {
        assert_eq!(n.unwrap() + failed.unwrap(), 3.0, "{test}");
    }
    // What is rare cannot always be explained by who did it where; all else can be tested in any study.
    let is_rare = |test: &str| {
        ["solved trials", "restarts", "give-ups", "any test whether errors"].iter().any(|words| test.starts_with(words))
    };
    for ((test, n), _) in &counts {
        let least = if is_rare(test) { 1.0 } else { 3.0 };
        assert!(n.unwrap() >= least, "{test}: {n:?}");
    }
    for rate in numbers(&calibration, "rate").into_iter().flatten() {
        assert!((3.0 * rate - (3.0 * rate).round()).abs() < 1e-9, "{rate}");
    }
    // Where nobody gives up, neither that nor what is solved can be explained.
    let sure = calibrate(&study, &play, &levels, Design { give_up: Some(0.0), ..design }, &Silent).unwrap();
    for test in ["give-ups after an error, logistic mixed model", "solved trials by condition, logistic mixed model"] {
        assert_eq!(sure.number_at(sure.row(&[(Named("test"), test)]).unwrap(), Named("n")), Some(0.0), "{test}");
    }
    let again = calibrate(&study, &play, &levels, design, &Silent).unwrap();
    assert!(calibration.data.equals_missing(&again.data));
    // With effects, the medians of six estimates are near what was put in: within three standard
    // errors of such a median. Of six intervals at 95 %, fewer than four hold it in two of a thousand studies.
    let covered = coverage(&study, &play, &levels, Design { n_studies: 6, ..people }, &Silent).unwrap();
    let number = |test: &str, column: &str| {
        covered.number_at(covered.row(&[(Named("test"), test)]).unwrap(), Named(column)).unwrap()
    };
    let by_legal_moves = "time of moves by number of legal moves, mixed model";
    assert_eq!((number(by_legal_moves, "n"), number(by_legal_moves, "truth")), (6.0, 0.25));
    for (test, within) in [
        (by_legal_moves, 0.2),
        ("time of moves by condition, mixed model", 0.3),
        ("time of trials by number of the trial, mixed model", 0.06),
    ] {
        assert!((number(test, "median_estimate") - number(test, "truth")).abs() < within, "{test}");
        assert!(number(test, "coverage") > 0.6, "{test}");
    }
}

fn numbers(table: &plymap_tables::Table, column: &str) -> Vec<Option<f64>> {
    (0..table.data.height()).map(|row| table.number_at(row, Named(column))).collect()
}
