//! Small studies of every ordinary and odd shape, made from seeds: whatever `check` passes, `run` makes whole.
//!
//! `PLYMAP_SEEDED_STUDIES` says how many; 2,000 are made by hand before a release, a tenth of them in each run of the tests.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use plymap_log::Event;
use plymap_players::{LapseOptimal, Persistence, PlayedTrial, Player, Tempo, play_all};
use plymap_puzzles::progress::Silent;
use plymap_run::study::Study;
use plymap_run::{RunOptions, check_figures, play, run, study_levels};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::common::{on_all_cores, program};

/// Number of studies that are made where nobody says how many.
const N_STUDIES: u64 = 200;

/// The games with small levels, from easy to hard.
const GAMES: [(&str, &[&str]); 7] = [
    (
        "tower-of-london",
        &["R/GB/- > RG/-/B", "-/RB/G > BRG/-/-", "RGB/-/- > RBG/-/-", "RGB/-/- > GBR/-/-", "BG/R/- > -/BR/G"],
    ),
    ("tower-of-hanoi", &["2 disks 3 pegs", "3 disks 3 pegs", "321/-/- > -/321/-", "3/2/1 > 321/-/-"]),
    ("lights-out", &["***\n***\n..*", "*.\n.*", "*.*\n...\n*.*"]),
    ("match-the-tiles", &["Ax..\na...\n...x", ".x..\nA...\n...x\n..a.", "..a.x\n...x.\nx....\n...A.\n....."]),
    (
        "rush-hour",
        &["CC.HHH\nGG.E..\n.AAE.. >\n.FDDBB\n.F....\n......", "......\n......\nAA..B.\n....B.\n......\n......"],
    ),
    ("sliding-tiles", &["3 1/2 .", ". 2 5/1 3 4", "1 2 ./4 5 3/7 8 6"]),
    ("2048", &["2x2"]),
];

/// A study as its seed makes it.
struct Drawn {
    study: String,
    levels: String,
    log: String,
    /// Oddities of the study, for the message of a failure.
    shape: String,
}

fn player(number: usize, lapse: f64, random: &mut ChaCha8Rng) -> Player {
    Player {
        participant: format!("p{number:02}"),
        condition: None,
        policy: LapseOptimal { lapse },
        tempo: Tempo {
            median_time_s: random.random_range(0.4..3.0),
            sigma: random.random_range(0.05..0.8),
            first_move_median_s: random.random_range(0.5..8.0),
            choice_exponent: 0.25,
            p_start_thinking: 0.1,
            p_keep_thinking: 0.4,
            thinking_factor: 3.0,
        },
        persistence: Persistence {
            astray_by: 3,
            reset_chance: [0.0, 0.3].choose(random).copied().expect("one of two"),
            max_moves: random.random_range(3..40),
        },
    }
}

/// Shapes of the times of a log.
const TIMES: [&str; 9] = [
    "usual",
    "whole seconds",
    "with zeros",
    "all zero",
    "all the same",
    "half missing",
    "all missing",
    "ties",
    "hours",
];

/// Conditions of people and trials.
const CONDITIONS: [&str; 6] = ["none", "between", "one person alone", "within", "of some", "many"];

/// Shapes of play.
const PLAY: [&str; 6] = ["usual", "optimal", "nobody solves", "one move", "all the same", "reset and stop"];

fn drawn(seed: u64, folder: &Path) -> Drawn {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // The first seeds go through all combinations of one kind with ordinary others; later ones mix all.
    let (times, conditions, play) =
        (pick(&mut random, &TIMES), pick(&mut random, &CONDITIONS), pick(&mut random, &PLAY));
    let (game, texts) = *GAMES.choose(&mut random).expect("a game");
    let n_levels = if random.random_bool(0.2) { 1 } else { random.random_range(1..=texts.len()) };
    let n_people = *[1, 2, 3, 5, 8, 14].choose(&mut random).expect("a number");
    let shape =
        format!("{game}, {n_levels} levels, {n_people} people, times {times}, conditions {conditions}, play {play}");

    let mut levels = String::new();
    for (number, text) in texts[..n_levels].iter().enumerate() {
        writeln!(levels, "# id: L{number}\n{text}\n").expect("a text");
    }
    let mut study = format!(
        "[study]\nname = \"seeded\"\n[levels]\ngame = \"{game}\"\nfiles = [\"levels.txt\"]\n[log]\nfiles = [\"log.csv\"]\n[simulation]\nseed = {seed}\n"
    );
    if random.random_bool(0.3) {
        let facets = ["none", "level", "condition", "participant"].choose(&mut random).expect("a facet");
        let width = ["single", "onehalf", "double"].choose(&mut random).expect("a width");
        let language = ["en", "de", "fr"].choose(&mut random).expect("a language");
        write!(study, "[figures]\nfacets = \"{facets}\"\nwidth = \"{width}\"\nlanguage = \"{language}\"\n")
            .expect("a text");
    }
    std::fs::write(folder.join("levels.txt"), &levels).expect("a file");
    let only_levels = study.replace("[log]\nfiles = [\"log.csv\"]\n", "");
    std::fs::write(folder.join("study.toml"), &only_levels).expect("a file");
    let valued = study_levels(&Study::read(&folder.join("study.toml")).expect("a study"), &Silent).expect("levels").0;

    let lapse = if play == "optimal" { 0.0 } else { random.random_range(0.05..0.95) };
    let players: Vec<Player> = (0..n_people).map(|number| player(number, lapse, &mut random)).collect();
    let mut trials = play_all(&players, &valued, seed, &Silent).expect("play");
    match play {
        "nobody solves" => {
            for trial in &mut trials {
                let last = trial.rows.iter().rposition(|row| row.event == Event::Move).expect("a move");
                trial.rows.truncate(last.max(1));
            }
        }
        "one move" => {
            for trial in &mut trials {
                let first = trial.rows.iter().position(|row| row.event == Event::Move).expect("a move");
                trial.rows.truncate(first + 1);
            }
        }
        "all the same" => {
            let of_first: Vec<PlayedTrial> =
                trials.iter().filter(|trial| trial.participant == "p00").cloned().collect();
            for trial in &mut trials {
                let same = of_first.iter().find(|first| first.level == trial.level).expect("the same level");
                trial.rows.clone_from(&same.rows);
            }
        }
        "reset and stop" => {
            for trial in &mut trials {
                let n = trial.rows.len();
                trial.rows.truncate(if random.random_bool(0.5) { random.random_range(1..=n) } else { n });
            }
        }
        _ => {}
    }
    if random.random_bool(0.2) {
        let first = trials.remove(0);
        trials.retain(|_| random.random_bool(0.7));
        trials.insert(0, first);
    }
    if random.random_bool(0.3) {
        trials.shuffle(&mut random);
        trials.sort_by(|left, right| left.participant.cmp(&right.participant));
    }
    let log = log(&trials, times, conditions, &mut random);
    Drawn { study, levels, log, shape }
}

/// The first kind in four of ten draws, and any of them in the others.
fn pick(random: &mut ChaCha8Rng, kinds: &[&'static str]) -> &'static str {
    if random.random_bool(0.4) { kinds[0] } else { kinds.choose(random).copied().expect("a kind") }
}

fn log(trials: &[PlayedTrial], times: &str, conditions: &str, random: &mut ChaCha8Rng) -> String {
    let has_starts = trials.iter().flat_map(|trial| &trial.rows).any(|row| row.state_after.is_some());
    let mut log = "participant,level,attempt,event,action,rt_s".to_owned();
    log.push_str(if conditions == "none" { "" } else { ",condition" });
    log.push_str(if has_starts { ",state_after\n" } else { "\n" });
    for (number, trial) in trials.iter().enumerate() {
        let person: usize = trial.participant[1..].parse().expect("a number");
        let condition = match conditions {
            "between" => ["slow", "fast"][person % 2].to_owned(),
            "one person alone" => if person == 0 { "alone" } else { "others" }.to_owned(),
            "within" => ["first", "second"][number % 2].to_owned(),
            "of some" => {
                if person.is_multiple_of(3) {
                    String::new()
                } else {
                    format!("c{}", person % 2)
                }
            }
            _ => format!("c{}", person % 12),
        };
        for row in &trial.rows {
            let time = match times {
                "whole seconds" => format!("{}", row.rt_s.round()),
                "with zeros" => {
                    if random.random_bool(0.2) {
                        "0".to_owned()
                    } else {
                        row.rt_s.to_string()
                    }
                }
                "all zero" => "0".to_owned(),
                "all the same" => "1.5".to_owned(),
                "half missing" => {
                    if random.random_bool(0.5) {
                        String::new()
                    } else {
                        row.rt_s.to_string()
                    }
                }
                "all missing" => String::new(),
                "ties" => format!("{}", (row.rt_s * 2.0).ceil() / 2.0),
                "hours" => format!("{}", row.rt_s * 3600.0),
                _ => row.rt_s.to_string(),
            };
            let (participant, level, attempt) = (&trial.participant, &trial.level, row.attempt);
            let (event, action) = (row.event.name(), row.action.as_deref().unwrap_or_default());
            write!(log, "{participant},{level},{attempt},{event},\"{action}\",{time}").expect("a text");
            if conditions != "none" {
                write!(log, ",{condition}").expect("a text");
            }
            if has_starts {
                write!(log, ",\"{}\"", row.state_after.as_deref().unwrap_or_default()).expect("a text");
            }
            log.push('\n');
        }
    }
    log
}

/// Returns the fault of the run of a study; none if it is whole.
fn fault(seed: u64) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let Drawn { study, levels, log, shape } = drawn(seed, folder.path());
    for (name, text) in [("study.toml", &study), ("levels.txt", &levels), ("log.csv", &log)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let file = folder.path().join("study.toml");
    let study = match Study::read(&file) {
        Ok(study) => study,
        Err(error) => return Some(format!("seed {seed} ({shape}): the study is refused: {error:?}")),
    };
    // What check looks at.
    let (valued, _) = study_levels(&study, &Silent).expect("levels");
    check_figures(&study, &valued).expect("figures");
    play(&study, &valued, &Silent).expect("a log");
    let ran = plymap_run::run(&study, &file, &folder.path().join("run"), &RunOptions::default(), &Silent);
    match ran {
        Ok(summary) if summary.failed.is_empty() => None,
        Ok(summary) => Some(format!(
            "seed {seed} ({shape}): {}",
            summary.failed.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        )),
        Err(error) => Some(format!("seed {seed} ({shape}): no results: {error}")),
    }
}

/// Every analysis and every figure of every such study is made.
#[test]
#[ignore = "slow: runs of many seeded studies"]
fn whatever_check_passes_run_makes_whole() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let (n, first) = (number("PLYMAP_SEEDED_STUDIES").unwrap_or(N_STUDIES), number("PLYMAP_FIRST_SEED").unwrap_or(0));
    let faults = Mutex::new(Vec::new());
    let n_made = AtomicU64::new(0);
    on_all_cores(n, |number| {
        let problem = std::panic::catch_unwind(|| fault(first + number))
            .unwrap_or_else(|_| Some(format!("seed {}: a panic", first + number)));
        faults.lock().expect("no panic holds it").extend(problem);
        n_made.fetch_add(1, Ordering::Relaxed);
    });
    let faults = faults.into_inner().expect("no panic holds it");
    assert_eq!(n_made.into_inner(), n);
    assert!(faults.is_empty(), "{} of {n} studies:\n{}", faults.len(), faults.join("\n"));
}

/// A drawing that is too large for a PNG: it is named, and everything else is there, its SVG and its numbers too.
#[test]
fn a_file_that_cannot_be_made_is_named_and_takes_nothing_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = "[study]\nname = \"large\"\n[levels]\ngame = \"tower-of-london\"\nfiles = [\"levels.txt\"]\n[log]\nfiles = \
                 [\"log.csv\"]\n[figures]\nonly = [\"attempt\"]\nformats = [\"svg\", \"png\"]\ndpi = 1200\n";
    // Back and forth: the strip of boards is as high as a page.
    let moves = ["1>3", "3>1"].repeat(29).iter().map(|action| format!("p1,L0,{action},2\n")).collect::<String>();
    let log = &format!("participant,level,action,rt_s\n{moves}");
    for (name, text) in [("study.toml", study), ("levels.txt", "# id: L0\nR/GB/- > RG/-/B\n"), ("log.csv", log)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let target = folder.path().join("run");
    let file = folder.path().join("study.toml");
    let mut study = Study::read(&file).expect("a study");
    // More than a study may ask for.
    study.figures.dpi = 2400;
    let failed = run(&study, &file, &target, &RunOptions::default(), &Silent).expect("a run").failed;
    let said = failed.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(said.starts_with("figure attempt-L0.png could not be made: "), "{said}");
    let read = |name: &str| std::fs::read_to_string(target.join(name)).expect("a file");
    let manifest: serde_json::Value = serde_json::from_str(&read("manifest.json")).expect("JSON");
    assert_eq!(manifest["failed"][0]["name"], "attempt-L0.png");
    assert!(manifest["failed"][0]["reason"].as_str().is_some_and(|reason| reason.contains("2400 dpi")), "{manifest}");
    for page in ["report.html", "report.md"] {
        let page = read(page);
        assert!(page.contains("What could not be made") && page.contains("attempt-L0.png"), "{page}");
        assert!(!page.contains("figures/attempt-L0.png") && page.contains("figures/attempt-L0.svg"), "{page}");
    }
    assert!(!target.join("figures/attempt-L0.png").exists());
    for there in ["figures/attempt-L0.svg", "figures/attempt-L0.csv", "tables/trials.csv", "tables/survival.csv"] {
        assert!(target.join(there).exists(), "{there}");
    }
    program().arg("verify").arg(&target).assert().success();
}
