//! The figures of studies: their facets, their languages, and what they need.

use plymap_tables::Named;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use plymap_figures::{Change, Facets, Figure, Language, MessageRecorder, Styles};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::figures::Illustration;
use plymap_run::study::Study;
use plymap_run::{
    Drawings, Play, Results, RunOptions, Statistics, figure_labels, figures_only, illustrate, play, statistics,
    study_levels,
};

use crate::common::{demo_run, files_of, program};

fn study(path: &str) -> Study {
    Study::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(path)).expect("a study of the repository")
}

/// A study with what its figures are drawn from.
struct Run {
    study: Study,
    levels: Vec<ValuedLevel>,
    play: Play,
    statistics: Statistics,
}

impl Run {
    fn new(study: Study, analyses: &[&str]) -> Self {
        let (levels, _) = study_levels(&study, &Silent).expect("levels");
        let play = play(&study, &levels, &Silent).expect("a log without faults").expect("a log");
        let wanted: Vec<_> = study.statistics.analyses().filter(|analysis| analyses.contains(&analysis.name)).collect();
        let statistics =
            statistics(&study, &play, &levels, &wanted, &RunOptions::default(), &Silent).expect("statistics");
        Self { study, levels, play, statistics }
    }

    fn drawn(&self, study: &Study, styles: &Styles) -> Vec<Figure> {
        let results = Results { play: Some(&self.play), comparison: None, statistics: Some(&self.statistics) };
        let drawn = illustrate(study, styles, &self.levels, &results, &RunOptions::default()).expect("figures");
        assert_eq!(drawn.failed, []);
        drawn.illustrations.into_iter().map(|Illustration { figure, .. }| figure).collect()
    }

    /// The names of the figures with these facets, and the values of a column of the CSV of each.
    fn with_facets(&self, facets: Facets) -> BTreeMap<String, String> {
        let study = Study {
            figures: plymap_report::settings::Figures { facets: Some(facets), ..self.study.figures.clone() },
            ..self.study.clone()
        };
        let figures = self.drawn(&study, &study.figures.styles());
        figures.into_iter().map(|figure| (figure.name.clone(), figure.to_csv().expect("numbers"))).collect()
    }
}

/// The demo, of which figures of people are drawn that are made quickly.
fn demo() -> Run {
    let mut study = study("demo/study.toml");
    let only = ["moves-against-time", "quality", "time-by-quality", "time-and-quality", "distance", "inter-move-times"];
    study.figures.only = only.into_iter().chain(["learning", "transitions", "survival"]).map(str::to_owned).collect();
    Run::new(study, &["learning", "sequences", "survival"])
}

#[test]
fn facets_part_every_figure_of_people() {
    let run = demo();
    let conditions = ["accuracy", "speed"];
    let by = run.with_facets(Facets::Condition);
    let of_all = ["moves-against-time", "time-by-quality", "inter-move-times"];
    for name in of_all {
        assert!(by.contains_key(name), "{name} of all data stands beside the panels");
        let panels = &by[&format!("{name}-by-condition")];
        assert!(conditions.iter().all(|condition| panels.contains(condition)), "{name}: {panels}");
        assert!(!by.contains_key(&format!("{name}-by-level")), "{name}");
    }
    for name in ["time-and-quality-by-distance", "time-and-quality-by-legal-moves", "transitions"] {
        assert!(by.contains_key(name), "{name}");
        for page in 1..=2 {
            assert!(by.contains_key(&format!("{name}-by-condition-{page}")), "{name}: {:?}", by.keys());
        }
        assert_ne!(by[&format!("{name}-by-condition-1")], by[&format!("{name}-by-condition-2")], "{name}");
    }
    for name in ["quality-by-condition", "distance-along-attempts", "distance-over-time", "learning-time-s", "survival"]
    {
        assert!(conditions.iter().all(|condition| by[name].contains(condition)), "{name}: {:.300}", by[name]);
        assert!(!by[name].contains("demo-06,"), "{name} has no levels");
    }

    let by = run.with_facets(Facets::None);
    assert!(by.contains_key("quality") && by.contains_key("moves-against-time"), "{:?}", by.keys());
    assert!(!by.keys().any(|name| name.contains("-by-level") || name.contains("-by-condition")), "{:?}", by.keys());
    assert!(!by["survival"].contains("speed"), "one curve for all");

    let by = run.with_facets(Facets::Participant);
    assert_eq!(by.keys().filter(|name| name.starts_with("transitions-by-participant-")).count(), 36);
    assert_eq!(by.keys().filter(|name| name.starts_with("learning-time-s-")).count(), 6, "six curves on a page");
    assert!(by["quality-by-participant"].contains("p36"));
}

#[test]
fn pages_of_groups_share_their_axes() {
    let run = demo();
    let mut study = run.study.clone();
    study.figures.only = vec!["time-and-quality-by-distance".to_owned()];
    let change = Change { facets: Some(Facets::Condition), ..Change::default() };
    study.figures.each = BTreeMap::from([("time-and-quality-by-distance".to_owned(), change)]);
    let figures = run.drawn(&study, &study.figures.styles());
    assert_eq!(figures.len(), 3, "all moves, and each of two conditions");
    // The labels of the ticks stand in the same places.
    assert_eq!(ticks(&figures[1]), ticks(&figures[2]));
}

fn ticks(figure: &Figure) -> BTreeSet<String> {
    let texts = figure.svg.lines().skip_while(|line| !line.contains("distance to goal")).map(str::to_owned);
    texts.filter(|line| line.contains("<text")).collect()
}

/// Returns the labels that remain in English, except for names.
fn left_in_english(run: &Run, code: &str) -> Vec<String> {
    let recorder = MessageRecorder::default();
    let language = Language::new(code, &BTreeMap::new(), None).expect("a language").recorded_by(&recorder);
    run.drawn(&run.study, &Styles { language, ..run.study.figures.styles() });
    assert!(
        recorder.phrases().values().filter(|&&is_translated| is_translated).count() > 60,
        "{code}: {:?}",
        recorder.phrases()
    );
    let measures = &run.play.measures;
    let conditions = measures.trials.iter().filter_map(|trial| trial.condition.as_ref());
    let fits = run.statistics.all_tables().find(|table| table.name == "model_fits").expect("models");
    let models: Vec<String> = (0..fits.data.height()).filter_map(|row| fits.text_at(row, Named("model"))).collect();
    let names: BTreeSet<&String> = measures
        .participants
        .iter()
        .chain(&measures.levels)
        .chain(conditions)
        .chain(&models)
        .chain(run.levels.iter().map(|level| &level.id))
        .collect();
    recorder.missing().into_iter().filter(|text| !names.contains(text) && !is_move(text)).collect()
}

/// Moves are named as the game names them, after their number.
fn is_move(text: &str) -> bool {
    let (number, notation) = text.split_once(". ").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|letter| letter.is_ascii_digit()) && !notation.contains(' ')
}

#[test]
#[ignore = "slow: every analysis and figure of three studies, in two languages"]
fn every_label_is_said_in_german_and_french() {
    let all: Vec<&str> = plymap_analysis::ANALYSES.iter().map(|analysis| analysis.name).collect();
    for file in ["lights_out/study.toml", "2048/study.toml", "demo/study.toml"] {
        // The models of the demo take minutes; those of Lights Out have the same names.
        let analyses: Vec<&str> =
            all.iter().copied().filter(|&name| !file.starts_with("demo") || name != "choice").collect();
        let run = Run::new(study(file), &analyses);
        for code in ["de", "fr"] {
            assert_eq!(left_in_english(&run, code), Vec::<String>::new(), "{file} in {code}");
        }
    }
}

#[test]
fn a_user_gets_all_labels_to_be_filled_in() {
    let mut study = study("lights_out/study.toml");
    study.figures.only = vec!["moves-against-time".to_owned()];
    let labels = figure_labels(&study, &[], &Silent).expect("labels");
    assert_eq!(labels.get("number of moves"), Some(&false), "{labels:?}");
    study.figures.labels = BTreeMap::from([("number of moves".to_owned(), "aantal zetten".to_owned())]);
    let labels = figure_labels(&study, &[], &Silent).expect("labels");
    assert_eq!(labels.get("number of moves"), Some(&true), "{labels:?}");
}

#[test]
fn a_figure_that_shows_no_people_needs_no_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut study = study("demo/study.toml");
    study.figures.only = vec!["state-graph-demo-06".to_owned()];
    study.log.files = vec!["there/is/no/such/log.csv".into()];
    let names = |drawings: Drawings| -> Vec<String> {
        drawings.illustrations.into_iter().map(|illustration| illustration.figure.name).collect()
    };
    let drawn = figures_only(&study, &[], folder.path(), &RunOptions::default(), &Silent).expect("a figure");
    assert_eq!(names(drawn), ["state-graph-demo-06"]);
    // The name of a figure is that one; other words are all that begin with them.
    let only = |wanted: &[&str]| {
        let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
        let log = plymap_log::LogSpec { files: vec!["logs/moves.csv".into()], ..study.log.clone() };
        let study = Study { log, ..study.clone() };
        names(figures_only(&study, &wanted, folder.path(), &RunOptions::default(), &Silent).expect("figures"))
    };
    assert_eq!(only(&["moves-against-time"]), ["moves-against-time"]);
    assert_eq!(only(&["moves"]), ["moves-against-time", "moves-against-time-by-level"]);
    study.figures.only = vec!["quality".to_owned()];
    let error = figures_only(&study, &[], folder.path(), &RunOptions::default(), &Silent).expect_err("no log");
    assert!(error.to_string().contains("no/such/log.csv"), "{error}");
    study.figures.only = vec!["state-graph-demo-66".to_owned()];
    let drawn = figures_only(&study, &[], folder.path(), &RunOptions::default(), &Silent).expect("no figure");
    assert_eq!((drawn.illustrations.len(), drawn.failed.len()), (0, 1));
    assert!(
        drawn.failed[0].to_string().starts_with("figure state-graph-demo-66 could not be made"),
        "{:?}",
        drawn.failed
    );
    study.figures.only = vec!["state-of-affairs".to_owned()];
    let error = figures_only(&study, &[], folder.path(), &RunOptions::default(), &Silent).expect_err("no such figure");
    let error = error.to_string();
    assert!(
        error.starts_with("[figures] names the figure \"state-of-affairs\"") && error.contains("survival"),
        "{error}"
    );
    study.figures.only = Vec::new();
    let wanted = ["state-of-affairs".to_owned()];
    let error =
        figures_only(&study, &wanted, folder.path(), &RunOptions::default(), &Silent).expect_err("no such figure");
    assert!(error.to_string().starts_with("--only names the figure \"state-of-affairs\""), "{error}");
    assert!(figure_labels(&study, &wanted, &Silent).is_err_and(|error| error.to_string().starts_with("--only names")));
}

/// The names of the figures that a command draws of a study, each with its SVG and its numbers.
fn drawn_by(folder: &Path, more: &[&str]) -> BTreeMap<String, [String; 2]> {
    let out = folder.join("out");
    let words = [&["figures", ".", "--out", "out"], more].concat();
    program().current_dir(folder).args(words).assert().success();
    let read =
        |name: &str, ending: &str| std::fs::read_to_string(out.join(format!("{name}.{ending}"))).expect("a file");
    let names =
        files_of(&out).into_iter().filter_map(|(path, _)| Some(path.to_str()?.strip_suffix(".svg")?.to_owned()));
    names.map(|name| (name.clone(), [read(&name, "svg"), read(&name, "csv")])).collect()
}

/// Eight people at two levels that two moves solve. The second takes four times as long as the first, and each second
/// trial half as long as a first one. `orders` are the levels that people of even and of odd number play.
fn write_practice(folder: &Path, orders: [[&str; 2]; 2]) {
    let rows = (0..8).flat_map(|who| {
        orders[who % 2].into_iter().enumerate().map(move |(trial, level)| {
            let move_s = if level == "short" { 2.0 } else { 8.0 } / if trial == 0 { 1.0 } else { 2.0 };
            format!("P{who},{level},B+2,{move_s}\nP{who},{level},A+4,{move_s}\n")
        })
    });
    let log = format!("participant,level,action,rt_s\n{}", rows.collect::<String>());
    let board = "......\n..B...\nAAB...\n......\n......\n......\n";
    let study =
        "[study]\nname = \"s\"\n[levels]\nfiles = [\"short.txt\", \"long.txt\"]\n[log]\nfiles = [\"log.csv\"]\n";
    for (name, text) in [("short.txt", board), ("long.txt", board), ("log.csv", &log), ("study.toml", study)] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
}

/// Where everybody plays the levels in one order, practice and difficulty go together, and the figure says so; where
/// orders differ, the difficulty is taken off, and what is left is practice: half the time.
#[test]
fn practice_is_told_from_difficulty_where_it_can_be() {
    let one = ["short", "long"];
    for (orders, told, ratio) in [
        ([one, one], "order and difficulty of levels are confounded", 2.0),
        ([one, ["long", "short"]], "corrected for the difficulty of levels", 0.5),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        write_practice(folder.path(), orders);
        let figures = drawn_by(folder.path(), &["--only", "learning-time-s"]);
        let [svg, csv] = &figures["learning-time-s"];
        assert!(svg.contains(&format!(">16 solved trials; {told}<")), "{told}: {svg:.1500}");
        let median = |trial: &str| -> f64 {
            let row = csv.lines().find(|row| row.split(',').nth(2) == Some(trial)).unwrap_or_else(|| panic!("{csv}"));
            row.split(',').nth(3).and_then(|value| value.parse().ok()).expect("a median")
        };
        assert!((median("2") / median("1") - ratio).abs() < 1e-9, "{told}: {csv}");
    }
}

/// The line through all trials has the slope that the subtitle tells, though it is drawn from points.
#[test]
fn the_line_of_moves_against_time_is_the_effect_of_its_subtitle() {
    let read = |ending: &str| {
        let file = demo_run().join("figures").join(format!("moves-against-time.{ending}"));
        std::fs::read_to_string(file).expect("a figure of the demo")
    };
    let svg = read("svg");
    let (_, rest) = svg.split_once("solved trials; b = ").expect("an effect in the subtitle");
    let told = rest.split(',').next().expect("a number");
    let csv = read("csv");
    let points: Vec<(f64, f64)> = csv
        .lines()
        .filter_map(|row| row.strip_prefix("fit,"))
        .map(|row| {
            let cells: Vec<f64> = row.split(',').take(2).map(|cell| cell.parse().expect("a number")).collect();
            (cells[0].ln(), cells[1].ln())
        })
        .collect();
    let (first, last) = (points[0], points[points.len() - 1]);
    let slope = (last.1 - first.1) / (last.0 - first.0);
    assert_eq!(format!("{slope:.2}"), told);
    // It is straight in logarithms.
    let is_on = |&(x, y): &(f64, f64)| (first.1 + slope * (x - first.0) - y).abs() < 1e-9;
    assert!(points.len() > 10 && points.iter().all(is_on), "{points:?}");
}

/// The command line chooses the size of text, and whether titles stand above the drawings.
#[test]
fn text_has_the_size_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    write_practice(folder.path(), [["short", "long"], ["long", "short"]]);
    let sizes = |svg: &str| -> BTreeSet<i64> {
        let pieces = svg.split(" font-size=\"").skip(1).filter_map(|piece| piece.split('"').next());
        // From hundredths of a millimetre to points.
        pieces.map(|size| (size.parse::<f64>().expect("a size") / 2540.0 * 72.0).round() as i64).collect()
    };
    let only = ["--only", "moves-against-time,quality-by-level,learning-time-s"];
    for (more, expected) in [
        (&[][..], [7, 8, 9].to_vec()),
        (&["--font-size", "6"], [5, 6, 7].to_vec()),
        (&["--font-size", "14", "--no-titles"], [13, 14].to_vec()),
    ] {
        let figures = drawn_by(folder.path(), &[&only[..], more].concat());
        assert!(figures.len() >= 3, "{:?}", figures.keys());
        for (name, [svg, _]) in &figures {
            let title = svg.split("<title>").nth(1).and_then(|rest| rest.split('<').next()).expect("a title");
            assert_eq!(sizes(svg), expected.iter().copied().collect(), "{name} with {more:?}");
            assert_eq!(svg.contains(&format!(">{title}</text>")), !more.contains(&"--no-titles"), "{name}");
        }
    }
}
