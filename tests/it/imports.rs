//! Logs as experiment programs write them, made into studies by `plymap import` alone.

use std::path::{Path, PathBuf};

use plymap_import::{Proposal, StudyText, propose, study_toml};
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::load_levels;
use plymap_run::study::Study;
use plymap_run::{Play, play, study_levels};
use polars::prelude::DataFrame;

use crate::common::repository;

mod forms;
mod guesses;

/// Event of an experiment: participant, level, attempt, event, position after it, seconds since the event before.
pub type Happened = (String, String, i64, String, String, Option<String>);

/// Times to the millisecond, in which the logs have them.
pub fn rounded(seconds: Option<f64>) -> Option<String> {
    seconds.map(|seconds| format!("{seconds:.3}"))
}

/// Play of a study, and the table `moves`.
pub struct Played {
    play: Play,
    pub moves: DataFrame,
}

impl std::ops::Deref for Played {
    type Target = Play;

    fn deref(&self) -> &Play {
        &self.play
    }
}

impl Played {
    pub fn new(study: &Study) -> Self {
        let (levels, _) = study_levels(study, &Silent).expect("levels");
        let play = play(study, &levels, &Silent).unwrap_or_else(|error| panic!("{error}")).expect("a log");
        Self { moves: play.all_moves(&levels).expect("a table").data, play }
    }
}

pub fn played_study(folder: &Path, toml: &str) -> Played {
    let file = folder.join("study.toml");
    std::fs::write(&file, toml).expect("a file");
    Played::new(&Study::read(&file).unwrap_or_else(|error| panic!("{error}")))
}

/// Returns the events that a study made of its log; rows that are neither moves nor ends are left out.
pub fn happened(Played { moves, .. }: &Played, names: &[(&str, &str)]) -> Vec<Happened> {
    let text = |name: &str| moves.column(name).expect(name).str().expect("text").clone();
    let (participant, level, event) = (text("participant"), text("level"), text("event"));
    let attempt = moves.column("attempt").expect("attempts").i64().expect("numbers").clone();
    let rt = moves.column("rt_s").expect("times").f64().expect("numbers").clone();
    let mut rows = Vec::new();
    for number in 0..moves.height() {
        let event = event.get(number).unwrap_or_default();
        if !matches!(event, "move" | "give_up") {
            continue;
        }
        let participant = participant.get(number).unwrap_or_default();
        let name = names.iter().find(|(code, _)| *code == participant).map_or(participant, |(_, name)| name);
        let level = level.get(number).unwrap_or_default();
        let after = text("state_after").get(number).unwrap_or_default().to_owned();
        let attempt = attempt.get(number).unwrap_or_default();
        rows.push((name.to_owned(), level.to_owned(), attempt, event.to_owned(), after, rounded(rt.get(number))));
    }
    rows.sort();
    rows
}

pub fn assert_all_is_truth(play: &Played, truth: Vec<Happened>, names: &[(&str, &str)]) {
    let unused: Vec<String> = play
        .account
        .diagnostic_summaries()
        .iter()
        .filter(|diagnostic| diagnostic.consequence != plymap_log::Consequence::Kept)
        .map(ToString::to_string)
        .collect();
    assert_eq!(unused, [""; 0]);
    let happened = happened(play, names);
    assert_eq!(happened.iter().zip(&truth).find(|(row, truth)| row != truth), None);
    assert_eq!(happened.len(), truth.len());
}

/// The study that `plymap import` writes for these files, unedited, and what comes of it.
pub fn imported(files: &[PathBuf], levels: &Path, preset: Option<&str>) -> Played {
    let folder = tempfile::tempdir().expect("a folder");
    let text = proposed(files, levels, preset, folder.path()).1;
    played_study(folder.path(), &text)
}

fn proposed(files: &[PathBuf], levels: &Path, preset: Option<&str>, folder: &Path) -> (Proposal, String) {
    with_rules(levels, |rules, game| {
        let proposal = propose(files, preset, rules, &Silent).unwrap_or_else(|error| panic!("{error}"));
        let levels = [levels.to_owned()];
        let about = StudyText { name: "lab", game: game.name, levels: &levels, rules: &toml::Table::new(), folder };
        let text = study_toml(&proposal, &about).expect("a study");
        (proposal, text)
    })
}

fn with_rules<T>(levels: &Path, then: impl FnOnce(&[(&str, &dyn Rules)], &Game) -> T) -> T {
    let game = <&Game>::default();
    let loaded = load_levels(&[levels.to_owned()], &LevelColumns::default(), game, &RuleOptions::default());
    let loaded = loaded.expect("levels");
    let rules: Vec<(&str, &dyn Rules)> = loaded.iter().map(|level| (level.origin.id.as_str(), &*level.rules)).collect();
    then(&rules, game)
}

fn demo_levels() -> PathBuf {
    repository().join("data/demo/levels")
}

/// Returns the events of the experiment that all programs logged, without resets. Positions follow from the moves: the
/// truth itself is a log.
fn truth() -> Vec<Happened> {
    let folder = tempfile::tempdir().expect("a folder");
    let log = repository().join("tests/golden/presets/truth.csv");
    let levels = demo_levels();
    let study = format!("[study]\nname = \"truth\"\n[levels]\nfiles = [{levels:?}]\n[log]\nfiles = [{log:?}]\n");
    let truth = happened(&played_study(folder.path(), &study), &[]);
    let n_of = |event: &str| truth.iter().filter(|row| row.3 == event).count();
    assert_eq!((n_of("move"), n_of("give_up")), (96, 1));
    truth
}

/// Returns the play that `plymap import` makes of the files in a folder of `tests/golden/presets`, which end so.
fn of_folder(folder: &str, ending: &str) -> Played {
    imported(&[files(folder, ending)], &demo_levels(), None)
}

fn files(folder: &str, ending: &str) -> PathBuf {
    repository().join("tests/golden/presets").join(folder).join(format!("*{ending}"))
}

#[test]
fn trials_of_jspsych() {
    for (folder, ending) in [
        ("jspsych/8-nested", ".json"),
        ("jspsych/8-nested", ".csv"),
        ("jspsych/8-per-move", ".json"),
        ("jspsych/8-per-move", ".csv"),
        ("jspsych/7-nested", ".json"),
        ("jspsych/7-nested", ".csv"),
        ("jspsych/7-per-move", ".csv"),
    ] {
        eprintln!("{folder} {ending}");
        assert_all_is_truth(&of_folder(folder, ending), truth(), &[]);
    }
}

#[test]
fn clicks_and_lists_of_psychopy_and_pavlovia() {
    for folder in ["psychopy/clicks", "psychopy/lists", "psychojs/clicks", "psychojs/lists"] {
        eprintln!("{folder}");
        assert_all_is_truth(&of_folder(folder, ".csv"), truth(), &[]);
    }
}

#[test]
fn screens_of_labjs() {
    for (folder, ending) in [("labjs/nested", ".json"), ("labjs/nested", ".csv"), ("labjs/per-move", ".csv")] {
        eprintln!("{folder} {ending}");
        assert_all_is_truth(&of_folder(folder, ending), truth(), &[]);
    }
}

#[test]
fn tables_of_bids_and_psych_ds() {
    for (folder, ending) in
        [("bids/sub-*/ses-*/beh", "_beh.tsv"), ("bids/sub-*/ses-*/beh", "_events.tsv"), ("psych-ds/data", "_data.csv")]
    {
        eprintln!("{folder} {ending}");
        let people = [("01", "P01"), ("02", "P02"), ("03", "P03")];
        assert_all_is_truth(&of_folder(folder, ending), truth(), &people);
    }
}

#[test]
fn transactions_of_datashop_rows_of_gorilla_and_traces_of_xes() {
    for (folder, ending) in [("datashop", ".txt"), ("xes", ".xes")] {
        eprintln!("{folder} {ending}");
        assert_all_is_truth(&of_folder(folder, ending), truth(), &[]);
    }
    let people = [("1000001", "P01"), ("1000002", "P02"), ("1000003", "P03")];
    assert_all_is_truth(&of_folder("gorilla", ".csv"), truth(), &people);
}

/// Asserts that `plymap import` finds out by itself what wrote these files, and makes the truth of them.
fn assert_import_is_truth(folder: &str, ending: &str, preset: Option<&str>, names: &[(&str, &str)]) {
    eprintln!("{folder} {ending}");
    let out = tempfile::tempdir().expect("a folder");
    let (proposal, text) = proposed(&[files(folder, ending)], &demo_levels(), None, out.path());
    assert_eq!(proposal.spec.preset.as_deref(), preset);
    assert_all_is_truth(&played_study(out.path(), &text), truth(), names);
}

/// Programs that number people.
const NUMBERS: [(&str, &str); 3] = [("1", "P01"), ("2", "P02"), ("3", "P03")];

#[test]
fn loggers_of_opensesame() {
    // With all variables and a row of instructions, and with a few variables of which two are lists.
    for folder in ["opensesame/per-move", "opensesame/lists"] {
        assert_import_is_truth(folder, ".csv", Some("opensesame"), &NUMBERS);
    }
}

#[test]
fn people_of_osweb_who_share_a_subject_number() {
    let results = [("41", "P01"), ("42", "P02"), ("43", "P03")];
    assert_import_is_truth("opensesame/osweb", ".csv", Some("opensesame"), &results);
    assert_import_is_truth("opensesame/osweb", ".txt", Some("osweb"), &results);
}

#[test]
fn data_files_of_expyriment() {
    for folder in ["expyriment/per-move", "expyriment/lists"] {
        assert_import_is_truth(folder, ".xpd", Some("expyriment"), &NUMBERS);
    }
}

/// The codes that oTree drew.
const CODES: [(&str, &str); 3] = [("y1a2rogu", "P01"), ("bbb8ayn1", "P02"), ("b7o259ow", "P03")];

#[test]
fn exports_of_otree() {
    // Nobody took the fourth place, which has a row at each level.
    for ending in ["all_apps_wide-2026-03-09.csv", "rush_hour-2026-03-09.csv"] {
        assert_import_is_truth("otree", ending, Some("otree"), &CODES);
    }
    // What the app itself says has the names that its author gave.
    assert_import_is_truth("otree", "rush_hour_custom_export-2026-03-09.csv", None, &CODES);
}

#[test]
fn what_two_exports_of_otree_share_was_played_once() {
    let last = "rush_hour-2026-03-09.csv";
    let last_day = std::fs::read_to_string(files("otree", last).with_file_name(last)).expect("a file");
    let (head, rows) = last_day.split_once('\n').expect("a header");
    let first_day: Vec<&str> = rows.lines().filter(|row| row.contains(",y1a2rogu,")).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("rush_hour-2026-03-02.csv", &format!("{head}\n{}\n", first_day.join("\n")));
    write(last, &last_day);
    let play = imported(&[folder.path().join("*.csv")], &demo_levels(), None);
    assert_eq!(happened(&play, &CODES), truth());
}

/// The play of some people.
fn truth_of(people: &[&str]) -> Vec<Happened> {
    truth().into_iter().filter(|row| people.contains(&row.0.as_str())).collect()
}

#[test]
fn records_of_psiturk() {
    // Two people have an object for each move, one has an object of arrays for each attempt.
    let log =
        std::fs::read_to_string(files("psiturk", "trialdata.csv").with_file_name("trialdata.csv")).expect("a file");
    let folder = tempfile::tempdir().expect("a folder");
    let names = [("P01:debugA1", "P01"), ("P02:debugA2", "P02"), ("P03:debugA3", "P03")];
    for (people, other) in [(&["P01", "P03"][..], "P02"), (&["P02"], "")] {
        let rows = log.lines().filter(|line| match other {
            "" => line.starts_with("P02"),
            other => !line.starts_with(other),
        });
        let file = folder.path().join(format!("{}.csv", people.len()));
        std::fs::write(&file, rows.collect::<Vec<_>>().join("\n")).expect("a file");
        assert_all_is_truth(&imported(&[file], &demo_levels(), None), truth_of(people), &names);
    }
    // In the database too, of which import finds the table.
    let database = files("psiturk", "").with_file_name("participants.db");
    let play = imported(&[database], &demo_levels(), None);
    assert_eq!(play.account.steps.first().map(|step| step.step.as_str()), Some("where"));
    assert_all_is_truth(&play, truth_of(&["P01", "P03"]), &names);
}

#[test]
fn moves_in_words_are_translated_and_what_is_not_found_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("log.csv");
    let moves = "Person,Aufgabe,Zug,Dauer\nA,demo-01,E links 1,1.2\nA,demo-01,C hoch 1,0.9\nA,demo-01,A rechts 2,2.2\n";
    std::fs::write(&file, moves).expect("a file");
    let (proposal, text) = proposed(std::slice::from_ref(&file), &demo_levels(), None, folder.path());
    assert_eq!((proposal.trial.n_moves, proposal.trial.n_unused), (3, 0), "{text}");
    assert!(text.contains("notation = "), "{text}");
    assert!(text.contains(r#"links = "-""#), "{text}");
    let moves = moves.replace("Dauer", "time").replace(" links ", "-").replace(" hoch ", "-").replace(" rechts ", "+");
    std::fs::write(&file, moves).expect("a file");
    let (_, text) = proposed(std::slice::from_ref(&file), &demo_levels(), None, folder.path());
    assert!(text.contains("# QUESTION: it does not grow as a clock does"), "{text}");
    // A header that names a column twice, and a preset of one's own.
    std::fs::write(&file, "participant,level,action,note,note\nA,demo-01,E-1,x,y\n").expect("a file");
    let (_, text) = proposed(std::slice::from_ref(&file), &demo_levels(), None, folder.path());
    assert!(text.contains("repeated_columns = \"number\""), "{text}");
    std::fs::write(&file, "vp;level;action\nA;demo-01;E-1\n").expect("a file");
    let preset = folder.path().join("ours.toml");
    let ours = "[preset]\ntitle = 'Ours'\n[columns]\nparticipant = ['code', 'vp']\n";
    std::fs::write(&preset, ours).expect("a file");
    let (proposal, text) =
        proposed(std::slice::from_ref(&file), &demo_levels(), preset.to_str(), &folder.path().join("study"));
    assert!(text.contains("preset = \"../ours.toml\"") && !text.contains("participant ="), "{text}");
    assert_eq!((proposal.trial.n_moves, proposal.source.as_str()), (1, preset.to_str().expect("a path")));
    // Nothing that the rules know: no proposal, and what is missing is said.
    std::fs::write(&file, "participant,level,move\nA,demo-01,jump\n").expect("a file");
    let error = propose_error(&file);
    assert!(error.contains("no column has moves or positions of them: \"move\" has \"jump\""), "{error}");
    std::fs::write(&file, "participant,stage,move\nA,first,A+1\n").expect("a file");
    let error = propose_error(&file);
    assert!(error.contains("no column names a level") && error.contains("participant, stage, move"), "{error}");
}

fn propose_error(file: &Path) -> String {
    with_rules(&demo_levels(), |rules, _| propose(&[file.to_owned()], None, rules, &Silent))
        .expect_err("nothing to propose")
        .to_string()
}
