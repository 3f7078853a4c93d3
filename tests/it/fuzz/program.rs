//! Readers of outside input in the program, each as a function of bytes that panics where it finds a fault.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use plymap_import::{StudyText, propose, study_toml};
use plymap_log::jspsych::import_tower;
use plymap_log::replay::replay;
use plymap_log::{Consequence, Log, LogSpec, presets, read_log, sample};
use plymap_players::policy::answers;
use plymap_puzzles::diagnostic::SourceText;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::LoadedLevel;
use plymap_report::claims::parse_claims;
use plymap_run::study::Study;
use plymap_tables::{Columns, Table, count, flag, number, text};

use super::crates::{Target, check_diagnostics, with_files};

/// The targets of this file.
pub const TARGETS: [Target; 9] = [
    ("study", study),
    ("claims", claims),
    ("protocol", protocol),
    ("log_text", log_text),
    ("log_binary", log_binary),
    ("log_steps", log_steps),
    ("sidecar", sidecar),
    ("import", import),
    ("jspsych", jspsych),
];

/// A study.toml. A study that is read is written as it is kept in a manifest, and read again.
pub fn study(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some(study) = parsed_study(text) else { return };
    let _ = (study.title(), study.level_files(), study.rule_options(), study.statistics.analyses().count());
    let written = toml::to_string(&study).expect("a study as text");
    let again = parsed_study(&written).unwrap_or_else(|| panic!("{written}"));
    assert_eq!(toml::to_string(&again).expect("a study as text"), written);
}

fn parsed_study(text: &str) -> Option<Study> {
    let source = Arc::new(SourceText { path: "study.toml".into(), text: text.to_owned() });
    // The folder is not there, so that no study reads a file.
    Study::parse(&source, PathBuf::from("no-such-folder")).map_err(|faults| check_diagnostics(&faults)).ok()
}

/// A file of claims, checked against a small table.
pub fn claims(data: &[u8]) {
    static TABLES: LazyLock<[Table; 1]> = LazyLock::new(|| {
        let rows = [("one", Some(0.5), 3), ("two", None, 7)];
        let columns = Columns::new()
            .column(&rows, text("level", "Name."), |row| row.0.to_owned())
            .column(&rows, number("r", "Correlation."), |row| row.1)
            .column(&rows, count("n", "Number."), |row| row.2)
            .column(&rows, flag("solved", "Whether."), |row| Some(row.2 > 3));
        [columns.into_table("trials", "Trials.")]
    });
    let Ok(text) = std::str::from_utf8(data) else { return };
    match parse_claims(Path::new("claims.toml"), text) {
        Ok(claims) => claims.iter().for_each(|claim| drop(claim.check(&*TABLES))),
        Err(error) => assert!(error.to_string().starts_with("claims.toml: "), "{error}"),
    }
}

/// Standard output of a program that plays.
pub fn protocol(data: &[u8]) {
    let n_lines = data.split(|&byte| byte == b'\n').count();
    let mut n_answers = 0;
    for answer in answers(data) {
        n_answers += 1;
        assert!(answer.map_or_else(|error| !error.to_string().is_empty(), |chosen| chosen.len() <= 3 << 20));
    }
    assert!(n_answers <= n_lines);
}

/// A log as text. The first byte chooses the name of the file, the second one what wrote it.
pub fn log_text(data: &[u8]) {
    const NAMES: [&str; 8] =
        ["log.csv", "log.tsv", "log.ndjson", "log.json", "log.xes", "log.txt", "sub-01_ses-2_beh.tsv", "log"];
    let [name, preset, content @ ..] = data else { return };
    let name = NAMES[usize::from(*name & 0x7f) % NAMES.len()];
    let spec = LogSpec { decimal_comma: data[0] >= 0x80, preset: preset_named(*preset), ..LogSpec::default() };
    read(name, content, spec);
}

/// A log that is no text, or that is packed.
pub fn log_binary(data: &[u8]) {
    read("log", data, LogSpec::default());
}

/// A `[log]` with its steps, and behind a NUL byte a log.
pub fn log_steps(data: &[u8]) {
    let Some(end) = data.iter().position(|&byte| byte == 0) else { return };
    let Ok(text) = std::str::from_utf8(&data[..end]) else { return };
    let about = "[study]\nname = \"x\"\n[levels]\nfiles = [\"levels\"]\n";
    let Some(spec) = parsed_study(&format!("{about}{text}")).and_then(|study| study.log_spec()) else { return };
    // Only what lies in the folder of the target is read, and nothing is written.
    if spec.preset.is_none() && spec.steps.iter().all(|step| !format!("{step:?}").starts_with("Join")) {
        read("log.csv", &data[end + 1..], spec);
    }
}

/// Units told in files beside a log.
pub fn sidecar(data: &[u8]) {
    let log = b"participant\tlevel\taction\trt\np\tlevel\tA+1\t2\n";
    let files: [(&str, &[u8]); 3] =
        [("task-rush_beh.tsv", log), ("task-rush_beh.json", data), ("dataset_description.json", data)];
    let read = |folder: &Path| {
        let files = vec!["task-rush_beh.tsv".into()];
        let folder = folder.to_owned();
        read_log(&LogSpec { files, folder, sidecars: true, writes_nothing: true, ..LogSpec::default() }, &Silent)
    };
    match with_files(&files, read) {
        Ok(log) => check_account(&log),
        Err(error) => assert!(error.to_string().contains(".json: the units of the log"), "{error}"),
    }
}

/// A log of which nothing is known. What is proposed is a study.
pub fn import(data: &[u8]) {
    let Some((first, content)) = data.split_first() else { return };
    let name = ["log.csv", "log.json", "log.tsv"][usize::from(*first) % 3];
    with_files(&[(name, content)], |folder| {
        let file = folder.join(name);
        let levels = [("level", &*LEVEL.rules)];
        let proposal = match propose(std::slice::from_ref(&file), None, &levels, &Silent) {
            Ok(proposal) => proposal,
            Err(error) => return assert!(error.to_string().contains("log."), "{error}"),
        };
        check_account(&proposal.trial.log);
        let (levels, rules) = (vec![file], toml::Table::new());
        let about = StudyText { name: "x", game: "rush-hour", levels: &levels, rules: &rules, folder };
        let text = study_toml(&proposal, &about).expect("a study");
        assert!(parsed_study(&text).is_some(), "{text}");
    });
}

/// A raw file of the Tower of London task.
pub fn jspsych(data: &[u8]) {
    match with_files(&[("raw.csv", data)], |folder| import_tower(&[folder.join("raw.csv")], &Silent)) {
        Ok(imported) => {
            let n_told: usize = imported.counts().iter().map(|(_, _, n)| n).sum();
            assert_eq!(n_told, imported.n_rows());
        }
        Err(error) => assert!(error.to_string().contains("raw.csv"), "{error}"),
    }
}

/// Level 1 of "a Game About Rectangles".
static LEVEL: LazyLock<LoadedLevel> = LazyLock::new(|| {
    let text = "BB...G\nE..H.G\nEAAH.G\nE..H..\nF...CC\nF.DDD.\n";
    let game = Game::named("rush-hour").expect("a game");
    LoadedLevel::from_text("level", text, game, &RuleOptions::default()).unwrap_or_else(|faults| panic!("{faults:?}"))
});

/// Reads and replays a log, and checks the account of its rows.
fn read(name: &str, content: &[u8], spec: LogSpec) {
    with_files(&[(name, content)], |folder| {
        let (files, folder) = (vec![name.into()], folder.to_owned());
        read_as(name, &LogSpec { files, folder, writes_nothing: true, ..spec }, content.len().is_multiple_of(4));
    });
}

fn read_as(name: &str, spec: &LogSpec, is_sampled: bool) {
    // Its rows come as those of the whole log do: a driver takes one input in four for it.
    if (cfg!(test) || is_sampled)
        && let Err(error) = sample(&LogSpec { max_rows: Some(5), ..spec.clone() })
    {
        assert!(!error.to_string().is_empty());
    }
    let log = match read_log(spec, &Silent) {
        Ok(log) => log,
        Err(error) => return assert!(error.to_string().contains(name) || error.to_string().contains('['), "{error}"),
    };
    check_account(&log);
    let spec = spec.with_preset().expect("the preset that was used");
    let played = replay(&log, 0..log.rows.len(), &[("level", &*LEVEL.rules)], &spec);
    let n_accounted = played.steps.len() as u64 + played.n_rejected + played.n_excluded;
    assert_eq!(n_accounted, log.rows.len() as u64, "replayed, rejected and excluded are all rows");
}

/// Every row that was read is in the log, or is rejected by one diagnostic.
fn check_account(log: &Log) {
    let n_rejected =
        log.diagnostics.iter().filter(|diagnostic| diagnostic.consequence == Consequence::Rejected).count() as u64;
    assert_eq!((log.n_rejected, log.n_read), (n_rejected, log.rows.len() as u64 + n_rejected));
}

/// Returns the preset of a log by its number; none for 0, as of a log of which nothing is known.
fn preset_named(number: u8) -> Option<String> {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| presets().iter().map(|(name, _)| *name).collect());
    usize::from(number).checked_sub(1).map(|number| NAMES[number % NAMES.len()].to_owned())
}
