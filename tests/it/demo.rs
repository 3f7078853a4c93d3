//! The demo study: what lies in `data/demo` is what its generator writes, and the truth that the generator
//! knows can be found again in the log.

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use plymap_log::replay::{Replay, replay};
use plymap_log::{Log, LogSpec, read_log};
use plymap_measures::label::label;
use plymap_measures::measure::{Measures, Multiset};
use plymap_players::{Mode, Player, TYPICAL_CHOICE, Tempo, measures_of, play_all, write_log};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::{ValuedLevel, load_levels};
use plymap_report::{Manifest, verify};
use plymap_run::play;
use plymap_run::study::Study;
use polars::prelude::DataFrame;

#[path = "../../examples/make_demo/boards.rs"]
mod boards;
#[path = "../../examples/make_demo/demo.rs"]
mod make_demo;

use make_demo::Demo;

use crate::common::{demo_run, repository, updates_golden};

/// Made once: the search for levels takes a second or two.
static DEMO: LazyLock<Demo> = LazyLock::new(|| Demo::new().expect("the demo can be made"));

fn folder() -> PathBuf {
    repository().join("data/demo")
}

fn replayed(log: &Log, levels: &[ValuedLevel]) -> Replay {
    let rules: Vec<(&str, &dyn Rules)> = levels.iter().map(|level| (level.id.as_str(), &*level.rules)).collect();
    replay(log, 0..log.rows.len(), &rules, &LogSpec::default())
}

/// The log in `data/demo` with the labels of every move that could be replayed.
fn labelled_demo() -> DataFrame {
    let study = Study::read(&folder()).expect("a study");
    let play = play(&study, &DEMO.levels, &Silent).expect("a readable log").expect("a log");
    play.all_moves(&DEMO.levels).expect("a table").data
}

#[test]
fn the_generator_writes_the_files_that_are_there() {
    for (name, content) in DEMO.files().expect("files") {
        let there = std::fs::read(folder().join(&name)).unwrap_or_else(|error| panic!("data/demo/{name}: {error}"));
        assert!(there == content, "data/demo/{name} differs; run `cargo run --example make_demo`");
    }
    let of_levels = std::fs::read_dir(folder().join("levels")).expect("levels").count();
    assert_eq!(of_levels, DEMO.level_texts.len(), "files of levels that the generator does not write");
    let log = std::fs::metadata(folder().join("logs/moves.csv")).expect("a log").len();
    assert!(log < 2_500_000, "the log has {log} bytes");
}

/// `examples/make_demo/boards.rs` starts each level at its distance; the article's level is 8 moves long.
#[test]
fn levels_rise_in_difficulty() {
    let study = Study::read(&folder()).expect("a study");
    let options = study.rule_options();
    let levels = load_levels(&study.level_files(), &study.level_columns(), study.game(), &options).expect("levels");
    let distances: Vec<u32> = levels
        .into_iter()
        .map(|level| ValuedLevel::new(level, "rush-hour", &Default::default()).expect("small levels"))
        .map(|level| level.start_distance().expect("solvable").0)
        .collect();
    assert_eq!((distances[0], &distances[1..]), (8, &boards::DISTANCES[..]));
}

#[test]
fn the_readme_tells_levels_columns_and_counts() {
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("a README");
    for level in &DEMO.levels {
        let distance = level.start_distance().expect("solvable");
        let row = format!("| {} | {distance} | {} |", level.id, level.n_states().expect("a mapped level"));
        assert!(readme.contains(&row), "README.md lacks the row {row}");
    }
    let headers =
        ["players.csv", "logs/moves.csv"].map(|file| std::fs::read_to_string(folder().join(file)).expect("a file"));
    for column in headers.iter().flat_map(|text| text.lines().next().expect("a header").split(',')) {
        assert!(readme.contains(&format!("| `{column}` |")), "README.md lacks the column {column}");
    }
}

/// The same definitions by two ways: rows counted as they are played, and the log replayed and labelled.
#[test]
fn play_measured_at_once_is_play_measured_from_its_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("log.csv");
    write_log(&DEMO.trials, std::fs::File::create(&file).expect("a file")).expect("a log");
    let log = read_log(&LogSpec { files: vec![file], ..LogSpec::default() }, &Silent).expect("a readable log");
    let (labelled, _) = label(&log, 0..log.rows.len(), &DEMO.levels, &LogSpec::default(), &Silent);
    let mut from_log = Measures::new(&labelled, &[], &DEMO.levels);
    // Only a log has an order of trials.
    assert!(std::sync::Arc::make_mut(&mut from_log.trials).iter_mut().all(|trial| trial.order.take().is_some()));
    let mut rounded = DEMO.trials.clone();
    for row in rounded.iter_mut().flat_map(|trial| &mut trial.rows) {
        row.rt_s = format!("{:.3}", row.rt_s).parse().expect("a time");
    }
    assert_eq!(measures_of(&rounded, &DEMO.levels).expect("measures"), from_log);
}

#[test]
fn the_log_has_three_defects_and_no_more() {
    let study = Study::read(&folder()).expect("a study");
    let log = read_log(&study.log_spec().expect("a log"), &Silent).expect("a readable log");
    assert_eq!((log.n_rejected, &log.diagnostics[..]), (0, &[][..]), "the reader finds nothing; only the rules do");
    let replay = replayed(&log, &DEMO.levels);
    let defects: Vec<_> = replay
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code != "after-rejected-row")
        .map(|diagnostic| {
            (
                diagnostic.row,
                &*diagnostic.code,
                diagnostic.participant.as_deref().unwrap_or_default(),
                diagnostic.value.as_str(),
            )
        })
        .collect();
    let expected = [
        (2080, "illegal-move", "p07", "A+5"),
        (5523, "unreadable-move", "p18", "[object Object]"),
        (7021, "unknown-level", "p23", "practice"),
    ];
    assert_eq!(defects, expected);
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("a README");
    for (row, code, participant, _) in expected {
        let is_listed = |line: &&str| line.starts_with(&format!("| {row} | {participant}, ")) && line.contains(code);
        assert!(readme.lines().any(|line| is_listed(&line)), "README.md lacks line {row}");
    }
    for (participant, level) in [("p07", "demo-05"), ("p18", "demo-07")] {
        let trial = DEMO.trials.iter().find(|trial| trial.participant == participant && trial.level == level);
        let trial = trial.expect("everyone played everything");
        assert!(trial.is_solved && trial.rows.iter().all(|row| row.attempt == 1), "{participant}: README.md says so");
    }
    assert_eq!(replay.n_rejected, 2);
    assert_eq!(log.n_read, replay.steps.len() as u64 + replay.n_rejected + replay.n_excluded);
}

/// Error of an estimate, in standard errors.
struct Miss {
    participant: String,
    z: f64,
}

/// Asserts that estimates are unbiased and their standard errors right: then the z are standard normal, so that the sum
/// of their 36 squares lies between the 0.5 % and the 99.5 % quantile of chi-squared with 36 degrees of freedom (17.89
/// and 61.58), their mean within 3 / √36 of 0, and each within 4 of 0 (p = 0.002 for the largest).
fn assert_recovered(misses: &[Miss]) {
    assert_eq!(misses.len(), 36);
    for Miss { participant, z } in misses {
        assert!(z.abs() < 4.0, "{participant} is {z} standard errors away");
    }
    let squares: f64 = misses.iter().map(|miss| miss.z * miss.z).sum();
    assert!((17.89..61.58).contains(&squares), "the squares sum to {squares}");
    let mean = misses.iter().map(|miss| miss.z).sum::<f64>() / 36.0;
    assert!(mean.abs() < 0.5, "the mean is {mean}");
}

/// A move is not optimal with probability lapse · (1 − c), c = n_optimal / n_legal. So the moment
/// estimator is the number of such moves over the sum of 1 − c; its standard error is the root of the sum
/// of p (1 − p), p = lapse · (1 − c), over the sum of 1 − c. When a participant stops depends only on
/// what came before, so the excess of each move over its expectation has mean 0 all the same.
#[test]
fn lapse_rates_are_recovered_from_the_log() {
    let moves = labelled_demo();
    let participant = moves.column("participant").unwrap().str().unwrap();
    let is_optimal = moves.column("is_optimal").unwrap().bool().unwrap();
    let chance = moves.column("p_optimal_by_chance").unwrap().f64().unwrap();
    let mut rows: BTreeMap<&str, Vec<(bool, f64)>> = BTreeMap::new();
    for ((participant, is_optimal), chance) in participant.iter().zip(is_optimal.iter()).zip(chance.iter()) {
        let (Some(participant), Some(is_optimal), Some(chance)) = (participant, is_optimal, chance) else { continue };
        rows.entry(participant).or_default().push((is_optimal, 1.0 - chance));
    }
    let misses: Vec<Miss> = DEMO
        .players
        .iter()
        .map(|player| {
            let (rows, lapse) = (&rows[player.participant.as_str()], player.policy.lapse);
            let n_not_optimal = rows.iter().filter(|(is_optimal, _)| !is_optimal).count() as f64;
            let possible: f64 = rows.iter().map(|(_, room)| room).sum();
            let variance: f64 = rows.iter().map(|(_, room)| lapse * room * (1.0 - lapse * room)).sum();
            let z = (n_not_optimal - lapse * possible) / variance.sqrt();
            Miss { participant: player.participant.clone(), z }
        })
        .collect();
    assert_recovered(&misses);
}

/// With thinking and acting known, as only a synthetic log knows them, the logarithm of each inter-move
/// time less its known effects has mean ln median and standard deviation sigma.
#[test]
fn times_have_the_medians_of_the_participants() {
    let misses: Vec<Miss> = DEMO
        .players
        .iter()
        .map(|player| {
            let tempo = &player.tempo;
            let trials = DEMO.trials.iter().filter(|trial| trial.participant == player.participant);
            let logs: Vec<f64> = trials
                .flat_map(|trial| &trial.rows)
                .filter_map(|row| {
                    let thinking = if row.mode? == Mode::Thinking { tempo.thinking_factor.ln() } else { 0.0 };
                    let choice = (f64::from(row.n_legal) / f64::from(TYPICAL_CHOICE)).ln();
                    Some(row.rt_s.ln() - thinking - tempo.choice_exponent * choice)
                })
                .collect();
            let n = logs.len() as f64;
            let mean = logs.iter().sum::<f64>() / n;
            let z = (mean - tempo.median_time_s.ln()) / (tempo.sigma / n.sqrt());
            Miss { participant: player.participant.clone(), z }
        })
        .collect();
    assert_recovered(&misses);
}

/// The same participants without pauses and effects of choice, from the written log alone: the median
/// inter-move time that plymap measures is the true one. On the logarithmic scale the standard error of a
/// median of n normal values is sigma √(π / 2n).
#[test]
fn median_times_are_recovered_from_a_log() {
    let steady = |player: &Player| Player {
        tempo: Tempo::steady(player.tempo.median_time_s, player.tempo.sigma),
        ..player.clone()
    };
    let players: Vec<Player> = DEMO.players.iter().map(steady).collect();
    let trials = play_all(&players, &DEMO.levels, 2, &Silent).expect("players");
    let folder = tempfile::tempdir().expect("a folder");
    let file = std::fs::File::create(folder.path().join("steady.csv")).expect("a file");
    write_log(&trials, file).expect("a log");
    let spec = LogSpec { files: vec!["steady.csv".into()], folder: folder.path().to_owned(), ..LogSpec::default() };
    let log = read_log(&spec, &Silent).expect("a readable log");
    let (labelled, _) = label(&log, 0..log.rows.len(), &DEMO.levels, &LogSpec::default(), &Silent);
    let measures = Measures::new(&labelled, &[], &DEMO.levels);

    let misses: Vec<Miss> = players
        .iter()
        .map(|player| {
            let trials =
                measures.trials.iter().filter(|trial| measures.participants[trial.participant] == player.participant);
            let mut all = plymap_measures::measure::Tally::default();
            trials.for_each(|trial| all.add(&trial.tally));
            let median = all.median_inter_move_s().expect("times");
            let error = player.tempo.sigma
                * (PI / 2.0 / all.inter_move_s.iter().map(Multiset::len).sum::<usize>() as f64).sqrt();
            let z = (median.ln() - player.tempo.median_time_s.ln()) / error;
            Miss { participant: player.participant.clone(), z }
        })
        .collect();
    assert_recovered(&misses);
}

#[test]
fn play_does_not_depend_on_order_or_threads() {
    let mut backwards: Vec<Player> = DEMO.players.clone();
    backwards.reverse();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let again = one_thread.install(|| play_all(&backwards, &DEMO.levels, make_demo::SEED, &Silent)).expect("players");
    for trial in &DEMO.trials {
        let same = |other: &&_| {
            let other: &plymap_players::PlayedTrial = other;
            (&other.participant, &other.level) == (&trial.participant, &trial.level)
        };
        assert_eq!(again.iter().find(same), Some(trial));
    }
}

/// The files of the demo by which a change of results is noticed, as `sha256sum` lists them: every table, every
/// distance, every figure with its numbers.
fn hashes(run: &Path) -> String {
    assert_eq!(verify(run).expect("a run"), [], "the manifest has the hashes of its files");
    let is_compared = |path: &str| ["tables/", "distances/", "figures/"].iter().any(|part| path.starts_with(part));
    let outputs = Manifest::read(run).expect("a manifest").outputs.into_iter();
    let mut lines: Vec<_> = outputs.filter(|file| is_compared(&file.path)).collect();
    lines.sort_by(|left, right| left.path.cmp(&right.path));
    lines.iter().map(|file| format!("{}  {}\n", file.sha256, file.path)).collect()
}

/// The paths that a list of hashes tells, each with its hash.
fn by_path(list: &str) -> BTreeMap<&str, &str> {
    list.lines()
        .map(|line| line.split_once("  ").expect("a hash and a path"))
        .map(|(hash, path)| (path, hash))
        .collect()
}

/// Results of the demo are not kept in git; `tests/golden/demo.sha256` has the hash of each file instead.
#[test]
fn the_files_of_the_demo_have_the_hashes_that_are_listed() {
    let file = repository().join("tests/golden/demo.sha256");
    let computed = hashes(demo_run());
    if updates_golden() {
        std::fs::write(&file, &computed).expect("a file");
    }
    let listed = std::fs::read_to_string(&file).expect("the list");
    if listed == computed {
        return;
    }
    let (listed, computed) = (by_path(&listed), by_path(&computed));
    let lines =
        |what: &str, paths: Vec<&str>| -> String { paths.iter().map(|path| format!("  {what} {path}\n")).collect() };
    let differ = computed.iter().filter(|(path, hash)| listed.get(*path).is_some_and(|listed| listed != *hash));
    let differ = lines("differs:", differ.map(|(path, _)| *path).collect());
    let missing = lines("missing:", listed.keys().filter(|path| !computed.contains_key(*path)).copied().collect());
    let new = lines("new:    ", computed.keys().filter(|path| !listed.contains_key(*path)).copied().collect());
    panic!(
        "the demo does not give the files that tests/golden/demo.sha256 lists:\n{differ}{missing}{new}\
         This run lies in {run}. To see what changed, run the demo as it was in the last commit, and compare:\n\
         \x20   git worktree add target/before HEAD\n\
         \x20   cargo run --manifest-path target/before/Cargo.toml --target-dir target -- run data/demo/study.toml --out target/demo-before\n\
         \x20   diff --recursive --brief --exclude='*.p[dn][fg]' target/demo-before {run}\n\
         If the change is wanted, UPDATE_GOLDEN=1 cargo test the_files_of_the_demo writes the list anew.",
        run = demo_run().display(),
    );
}

#[test]
fn the_readme_tells_what_a_run_of_the_demo_gives() {
    let manifest = Manifest::read(demo_run()).expect("a manifest");
    let n_figures = manifest.outputs.iter().filter(|file| file.path.ends_with(".svg")).count();
    // The run of the tests has no PDF and no PNG, and no manifest lists itself.
    let n_files = manifest.outputs.len() + 2 * n_figures + 1;
    let count = |name: &str| manifest.counts[name];
    let account = [
        format!("levels        {:>9}\nstates        {:>9}\n", count("levels"), count("states")),
        format!("participants  {:>9}\nrows read     {:>9} = ", count("participants"), count("rows_read")),
        format!("accepted      {:>9} = {} replayed", count("rows_accepted"), count("rows_replayed")),
        format!("files written {n_files:>9}, in reports/demo"),
    ];
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("a README");
    for lines in account {
        assert!(readme.contains(&lines), "README.md lacks {lines}");
    }
}

#[test]
fn the_page_of_the_demo_can_be_sent_by_mail() {
    let page = std::fs::metadata(demo_run().join("report.html")).expect("a page");
    assert!(page.len() <= 4_000_000, "{} bytes, of drawings, tables and maps of 13 levels", page.len());
}

#[test]
fn the_picture_of_the_readme_is_a_figure_of_the_demo() {
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("a README");
    let shown: Vec<&str> = readme.split("](docs/images/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    let [name] = shown[..] else { panic!("README.md shows one picture, not {shown:?}") };
    let drawn = std::fs::read(demo_run().join("figures").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let picture = repository().join("docs/images").join(name);
    if updates_golden() {
        std::fs::write(&picture, &drawn).expect("a file");
    }
    let kept = std::fs::read(picture).expect("a picture");
    assert!(kept == drawn, "docs/images/{name} differs; UPDATE_GOLDEN=1 cargo test the_picture_of writes it anew");
    let n_lines = readme.lines().count();
    assert!(n_lines <= 130, "README.md has {n_lines} lines");
}
