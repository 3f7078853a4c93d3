//! docs/gallery.md: every kind of figure with its picture and the command that draws it. After a wanted change,
//! `UPDATE_GOLDEN=1 cargo test --test it gallery` runs all these commands and writes pictures and page anew.

use std::collections::BTreeSet;
use std::path::PathBuf;

use plymap_figures::{Styles, Width};
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::{ValuedLevel, load_levels};
use plymap_report::figures::{Kind, position};
use tempfile::TempDir;

use crate::common::{demo_run, files_of, program, repository, updates_golden};
use crate::documentation::check;

/// Limit of all pictures together, in bytes.
const MOST_BYTES: u64 = 1_500_000;

const DEMO: &str = "figures data/demo/study.toml";
const TOWER: &str = "figures data/tower_of_london/study.toml";
const SIMULATED: &str = "data/tutorial/simulation.toml";
const LEVEL: &str = "data/demo/levels/article-1.txt";

/// Returns the figure that shows a kind, with the arguments of the command that draws it. Those of the state graph are of
/// a game with 36 states, whose pictures are small.
fn example(kind: Kind) -> (String, &'static str) {
    let name = match kind {
        Kind::ParticipantFlow => "participant-flow",
        Kind::MovesAgainstTime => "moves-against-time",
        Kind::Quality => "quality-by-level",
        Kind::TimeByQuality => "time-by-quality",
        Kind::DistanceAlongAttempts => return of(TOWER, "distance-along-attempts"),
        Kind::TimeAndQualityByDistance => "time-and-quality-by-distance",
        Kind::DistanceOverTime => return of(TOWER, "distance-over-time"),
        Kind::TimeAndQualityByLegalMoves => "time-and-quality-by-legal-moves",
        Kind::InterMoveTimes => "inter-move-times",
        Kind::ThinkingAndActing => return of(TOWER, "thinking-and-acting"),
        Kind::Learning => "learning-time-s",
        Kind::Raincloud => "raincloud-time-s-by-condition",
        Kind::CorrelationsOfParticipants => "correlations-of-participants",
        Kind::Transitions => "transitions",
        Kind::Survival => "survival",
        Kind::TimeModel => "time-model",
        Kind::OptimalByTime => "optimal-by-time",
        Kind::ConditionEffects => "condition-effects",
        Kind::DifficultyBy => "difficulty-by-start-distance",
        Kind::ModelResiduals => "model-residuals",
        Kind::ModelQuantiles => "model-quantiles",
        Kind::ModelShares => "model-shares",
        Kind::ModelInfluence => "model-influence",
        Kind::ModelsOfChoice => "models-of-choice",
        Kind::ThoughtByDistance => "thought-by-distance-in-tree",
        Kind::ThoughtTimes => "thought-times-depth",
        Kind::Players => "players-chance-normalised-score",
        Kind::StateGraph => return of(TOWER, "state-graph-four-moves"),
        Kind::Solution => return of(TOWER, "solution-four-moves"),
        Kind::Game => return of("figures data/2048/study.toml", "game-two-to-16"),
        Kind::Traffic => return of(TOWER, "traffic-four-moves"),
        Kind::Trajectory => return of(TOWER, "trajectory-four-moves"),
        Kind::Attempt => return of(TOWER, "attempt-four-moves"),
        Kind::Traps => return of(TOWER, "traps-four-moves"),
        Kind::Position => return (String::new(), "position-article-1"),
        Kind::ThoughtTree => return (format!("explain {LEVEL} --thought"), "thought-tree"),
        Kind::Power => return (format!("power {SIMULATED}"), "power"),
        Kind::Tournament => return (format!("tournament {SIMULATED}"), "tournament-score-six"),
        Kind::SearchesByLevel => return (format!("search-study {SEARCHED}"), "search-expanded-by-level"),
        Kind::SearchesByHeuristic => return (format!("search-study {SEARCHED}"), "search-expanded-by-heuristic"),
    };
    of(DEMO, name)
}

/// Study whose levels are searched.
const SEARCHED: &str = "data/tower_of_london/study.toml";

fn of(command: &str, name: &'static str) -> (String, &'static str) {
    (format!("{command} --only {name}"), name)
}

fn pictures() -> PathBuf {
    repository().join("docs/images/gallery")
}

/// The start of a level as a figure, as `level.draw()` in Python draws it.
fn drawn_position() -> String {
    let (files, options) = ([repository().join(LEVEL)], RuleOptions::default());
    let levels = load_levels(&files, &LevelColumns::default(), <&Game>::default(), &options).expect("levels");
    let level = ValuedLevel::new(levels.into_iter().next().expect("a level"), "rush-hour", &Default::default());
    let level = level.expect("a small level");
    let sketch = position(&level, level.rules.start(), "article-1");
    let pages = sketch.draw(&Styles::new(Width::Double)).expect("a figure");
    pages[0].figure.svg.to_string()
}

/// Runs a command of the gallery, and returns the figure of this name among its files.
fn drawn(arguments: &str, name: &str) -> String {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("gallery");
    let mut program = program();
    program.current_dir(repository()).args(arguments.split(' ')).arg("--out").arg(&out).assert().success();
    let file = PathBuf::from(format!("{name}.svg"));
    let is_figure = |(path, _): &(PathBuf, Vec<u8>)| path.file_name() == Some(file.as_os_str());
    let (_, picture) = files_of(&out).into_iter().find(is_figure).unwrap_or_else(|| panic!("{arguments}: no {name}"));
    String::from_utf8(picture).expect("SVG")
}

/// Holds a picture to what is drawn.
fn check_picture(name: &str, picture: &str) {
    let file = pictures().join(format!("{name}.svg"));
    if updates_golden() {
        std::fs::create_dir_all(pictures()).expect("a folder");
        std::fs::write(&file, picture).expect("a picture");
        return;
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        there == picture,
        "{} differs; UPDATE_GOLDEN=1 cargo test --test it gallery writes it anew",
        file.display()
    );
}

#[test]
fn the_pictures_of_the_gallery_are_those_of_the_demo() {
    for kind in Kind::ALL {
        let (arguments, name) = example(*kind);
        if arguments.starts_with(DEMO) {
            let file = demo_run().join("figures").join(format!("{name}.svg"));
            check_picture(name, &std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}")));
        }
    }
}

#[test]
fn the_pictures_of_the_gallery_are_those_of_its_commands() {
    let mut n_drawn = 0;
    for kind in Kind::ALL {
        let (arguments, name) = example(*kind);
        if arguments.starts_with(DEMO) {
            continue;
        }
        let picture = if arguments.is_empty() { drawn_position() } else { drawn(&arguments, name) };
        check_picture(name, &picture);
        n_drawn += 1;
    }
    assert!(n_drawn >= 16, "{n_drawn} drawn");
}

/// Returns the section of a kind in the page.
fn section(kind: Kind) -> Vec<String> {
    let (arguments, name) = example(kind);
    let command = match arguments.is_empty() {
        true => format!("    plymap.read_levels(\"{LEVEL}\")[0].draw()"),
        false => format!("    plymap {arguments} --out gallery"),
    };
    let meaning = kind.meaning();
    let (first, rest) = meaning.split_at(1);
    let meaning = format!("{}{rest}.", first.to_uppercase());
    let picture = format!("![{meaning}](images/gallery/{name}.svg)");
    let lines = [format!("## {}", kind.names()), meaning, picture, command];
    lines.into_iter().flat_map(|line| [String::new(), line]).collect()
}

#[test]
fn the_gallery_has_every_kind_of_figure() {
    check("docs/gallery.md", |marker, _| {
        (marker == "gallery").then(|| Kind::ALL.iter().copied().flat_map(section).collect())
    });
    let page = std::fs::read_to_string(repository().join("docs/gallery.md")).expect("the page");
    let list = program().args(["figures", "--list"]).output().expect("a list").stdout;
    let list = String::from_utf8(list).expect("text");
    let names: Vec<&str> = list.lines().skip(2).filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(names.len(), Kind::ALL.len(), "{list}");
    for name in names {
        assert!(page.contains(&format!("\n## {name}\n")), "docs/gallery.md lacks {name}");
    }
}

#[test]
fn every_picture_of_the_gallery_is_shown_and_they_are_small() {
    if updates_golden() {
        return;
    }
    let shown: BTreeSet<String> = Kind::ALL.iter().map(|kind| format!("{}.svg", example(*kind).1)).collect();
    let there = files_of(&pictures());
    let names = there.iter().map(|(name, _)| name.display().to_string());
    assert_eq!(names.collect::<BTreeSet<_>>(), shown);
    let n_bytes: u64 = there.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    assert!(n_bytes <= MOST_BYTES, "{n_bytes} bytes");
}
