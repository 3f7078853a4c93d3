//! A log in shards gives the tables of the whole log.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use plymap_puzzles::progress::Silent;
use plymap_run::study::Study;
use plymap_run::{RunOptions, run};
use plymap_tables::{Codebook, CodebookTable};
use tempfile::TempDir;

use crate::common::{files_of, program, python, repository};
use crate::recorded_data::skipped;

/// The demo with fewer analyses and figures, a selection of each kind, and a bound on the moves that are analysed.
struct Place {
    folder: TempDir,
}

const SELECTIONS: &str = r#"
[[exclude]]
levels = "n_participants < 30 or share_solved < 0.1"
reason = "too hard"
[[exclude]]
participants = "n_trials < 3 or participant == 'p07'"
reason = "left early"
[[include]]
trials = "n_left_out == 0"
reason = "whole trials"
[[exclude]]
attempts = "n_moves < 2"
reason = "tried nothing"
"#;

impl Place {
    fn new(max_moves: u64, analyses: &[&str], rest: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let text = fs::read_to_string(repository().join("data/demo/study.toml")).expect("a study");
        let bound = format!("[statistics]\nmax_moves = {max_moves}\nanalyses = {analyses:?}\n");
        let text = text.replacen("[statistics]\n", &bound, 1);
        // Its hypotheses are about models, which these analyses may leave out.
        let start = text.find("confirmatory = [\n").expect("hypotheses");
        let end = start + text[start..].find("\n]\n").expect("their end") + 3;
        let text = format!("{}{}", &text[..start], &text[end..]);
        let text = text.replacen("formats = [\"svg\", \"pdf\", \"png\"]", "formats = [\"svg\"]", 1);
        // Ends that follow from what a person does next must be found in each shard as in the whole log.
        let text = text.replacen("[log]\n", "[log]\nimplied_ends = true\n", 1);
        fs::create_dir_all(folder.path().join("logs")).expect("a folder");
        fs::create_dir_all(folder.path().join("levels")).expect("a folder");
        for entry in fs::read_dir(repository().join("data/demo/levels")).expect("levels") {
            let entry = entry.expect("a level");
            fs::copy(entry.path(), folder.path().join("levels").join(entry.file_name())).expect("a copy");
        }
        // Lines that nobody can attribute, between people and within an attempt.
        let log = fs::read_to_string(repository().join("data/demo/logs/moves.csv")).expect("a log");
        let mut lines: Vec<&str> = log.lines().collect();
        for number in [11_000, 7_301, 7_300, 4_000, 321] {
            lines.insert(number, "?");
        }
        fs::write(folder.path().join("logs/moves.csv"), lines.join("\n")).expect("a log");
        fs::write(folder.path().join("study.toml"), text + rest).expect("a study");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, target: &str, memory: Option<u64>) -> BTreeMap<PathBuf, Vec<u8>> {
        let study = Study::read(&self.path("study.toml")).expect("a study");
        let options = RunOptions { memory, ..RunOptions::default() };
        run(&study, &self.path("study.toml"), &self.path(target), &options, &Silent).expect("a run");
        files_of(&self.path(target)).into_iter().collect()
    }

    /// The job array of docs/scale.md: processes that know nothing of each other.
    fn job_array(&self, n: usize, target: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let (study, shards) = (self.path("study.toml"), self.path("shards"));
        let run = |arguments: &[&str]| {
            let mut program = std::process::Command::new(program().get_program());
            program.env("PLYMAP_NO_CACHE", "1").stdout(Stdio::null()).stderr(Stdio::null());
            program.arg(arguments[0]).arg(&study).args(&arguments[1..]);
            program
        };
        let text = |path: &Path| path.to_str().expect("a plain path").to_owned();
        let shards = text(&shards);
        assert!(run(&["shard", "--n", &n.to_string(), "--out", &shards]).status().expect("runs").success());
        let jobs: Vec<_> = (1..=n)
            .map(|shard| run(&["run", "--shards", &shards, "--shard", &shard.to_string()]).spawn().expect("runs"))
            .collect();
        for mut job in jobs {
            assert!(job.wait().expect("ends").success());
        }
        assert!(
            run(&["merge", "--shards", &shards, "--out", &text(&self.path(target))]).status().expect("runs").success()
        );
        files_of(&self.path(target)).into_iter().collect()
    }
}

#[track_caller]
fn assert_same(left: &BTreeMap<PathBuf, Vec<u8>>, right: &BTreeMap<PathBuf, Vec<u8>>) {
    assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
    let different: Vec<_> = left.iter().filter(|(name, bytes)| right[*name] != **bytes).map(|(name, _)| name).collect();
    assert!(different.is_empty(), "{different:?}");
}

/// The codebook of a run.
fn codebook(run: &BTreeMap<PathBuf, Vec<u8>>) -> Codebook {
    serde_json::from_slice(&run[Path::new("codebook.json")]).expect("a codebook")
}

/// The entry of a table in the codebook of a run.
fn entry(run: &BTreeMap<PathBuf, Vec<u8>>, name: &str) -> CodebookTable {
    codebook(run).tables.into_iter().find(|table| table.name == name).expect("an entry")
}

/// Tables of all people, whoever was drawn for the analyses.
const OF_ALL: [&str; 7] = ["attempts", "conditions", "level_play", "levels", "participants", "rejects", "trials"];

#[test]
fn shards_give_the_tables_of_the_whole_log() {
    let analyses = ["description", "learning"];
    let whole = Place::new(1_000_000, &analyses, SELECTIONS).run("whole", None);
    let bounded = Place::new(3_000, &analyses, SELECTIONS);
    // Memory for few rows, and for all.
    let sampled = bounded.run("sampled", Some(0));
    assert_same(&sampled, &bounded.run("at-once", Some(1 << 40)));
    for name in OF_ALL.iter().chain(&["moves"]) {
        for extension in ["csv", "parquet"] {
            let file = PathBuf::from(format!("tables/{name}.{extension}"));
            assert!(sampled[&file] == whole[&file], "{} differs", file.display());
        }
        assert_eq!(entry(&sampled, name), entry(&whole, name));
    }
    assert!(!sampled.keys().any(|file| file.to_string_lossy().contains("shards")), "shards are gone");

    // What is made of the sample says so, and nothing else does.
    let remark = "Of a sample of ";
    for table in codebook(&sampled).tables.into_iter().filter(|table| table.name != "distances") {
        let name = table.name.as_str();
        let says = table.caption.contains(remark);
        assert_eq!(says, !OF_ALL.contains(&name) && !["moves", "sample"].contains(&name), "{name}");
    }
    let report = String::from_utf8(sampled[Path::new("report.md")].clone()).expect("text");
    assert!(report.contains("drawn at random with seed 1"), "the methods say so");
    let captions: Vec<&str> = report.lines().filter(|line| line.starts_with("**Figure")).collect();
    // The way of the rows is of all, the graphs of levels are of nobody.
    let of_nobody = ["From the log to the analysis", "State graph of level", "Solution of level"];
    for caption in &captions {
        let is_of_people = !of_nobody.iter().any(|title| caption.contains(title));
        assert_eq!(caption.contains("; of a sample of"), is_of_people, "{caption}");
    }
    assert!(captions.len() > 10);
    assert!(!String::from_utf8_lossy(&whole[Path::new("report.md")]).contains("a sample of"));
    let manifest: serde_json::Value = serde_json::from_slice(&sampled[Path::new("manifest.json")]).expect("JSON");
    let n = |name: &str| manifest["counts"][name].as_u64().expect("a count");
    assert!(n("rows_drawn") <= 3_000 && n("rows_drawn") > 2_000 && n("rows_replayed") > 9_000);
    assert!(n("participants_drawn") < n("participants"));

    // The boxes of conditions count those of the box above them.
    let flow = String::from_utf8(sampled[Path::new("figures/participant-flow.csv")].clone()).expect("text");
    let people = |box_of: &str| {
        let rows = flow.lines().filter(|line| line.contains(box_of) && line.contains(",participants,"));
        rows.map(|line| line.rsplit(',').next().and_then(|n| n.parse::<u64>().ok()).expect("a count")).sum::<u64>()
    };
    assert_eq!(people(",Drawn at random for the analyses,"), n("participants_drawn"));
    assert_eq!(people(",group,"), n("participants_drawn"));
}

/// The script beside the report takes those who were drawn.
#[test]
fn the_script_of_a_sampled_report_finds_its_numbers_again() {
    let place = Place::new(1_500, &["description", "learning", "models", "survival", "choice"], "");
    place.run("sampled", None);
    let script = place.path("sampled/analysis.py");
    let Ok(output) = std::process::Command::new(python()).arg(script).arg("--short").output() else {
        return skipped("analysis.py of a sample: there is no Python");
    };
    let said = String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(2) => skipped(&format!("analysis.py of a sample: {}", said.trim())),
        code => assert_eq!(code, Some(0), "{said}"),
    }
    let study = place.path("study.toml");
    for table in ["correlations", "trials"] {
        let output = program().arg("stats").arg(&study).args(["--table", table, "--format", "json"]).output();
        let rows = serde_json::from_slice::<serde_json::Value>(&output.expect("runs").stdout).expect("JSON");
        let rows = rows.as_array().expect("rows").len();
        assert!(rows > 10 && (table != "trials" || rows < 200), "{rows} rows of {table}");
    }
}

#[test]
fn a_job_array_writes_what_one_run_writes() {
    for max_moves in [2_500, 1_000_000] {
        let place = Place::new(max_moves, &["phases"], "");
        assert_same(&place.job_array(4, "merged"), &place.run("one", Some(1)));
    }
}

#[test]
fn moves_are_labelled_shard_by_shard_into_the_same_file() {
    let place = Place::new(1_000_000, &[], SELECTIONS);
    let label = |out: &str, memory: &str| {
        let (study, out) = (place.path("study.toml"), place.path(out));
        let output = program().arg("label").arg(study).arg("--out").arg(&out).args(["--memory", memory]).output();
        let output = output.expect("runs");
        assert!(output.status.success());
        (fs::read(out).expect("a table"), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for extension in ["csv", "parquet"] {
        let (whole, said) = label(&format!("whole.{extension}"), "1TiB");
        assert!(label(&format!("shards.{extension}"), "1B") == (whole, said.clone()));
        assert!(said.contains("left-out") && said.contains("illegal-move"), "{said}");
    }
    let explained = |name: &str| fs::read(place.path(name)).expect("a sidecar");
    assert_eq!(explained("whole.json"), explained("shards.json"));
}

#[test]
fn a_shard_that_was_not_labelled_is_missed() {
    let place = Place::new(2_500, &[], "");
    let (study, shards) = (place.path("study.toml"), place.path("shards"));
    let (study, shards) = (study.to_str().expect("a path"), shards.to_str().expect("a path"));
    assert!(succeeded_and_said(&["shard", study, "--n", "3", "--out", shards]).0);
    let (is_done, missing) = succeeded_and_said(&["merge", study, "--shards", shards, "--out", "nowhere"]);
    assert!(!is_done && missing.contains("shard 1 was not labelled yet"), "{missing}");
    let log = place.path("logs/moves.csv");
    let rows = fs::read(&log).expect("a log");
    fs::write(&log, &rows[..rows.len() - 40]).expect("a log");
    let (is_done, changed) = succeeded_and_said(&["merge", study, "--shards", shards, "--out", "nowhere"]);
    assert!(!is_done && changed.contains("the files of the log have changed since"), "{changed}");
    fs::write(&log, rows).expect("a log");
    let (is_done, beyond) = succeeded_and_said(&["run", study, "--shards", shards, "--shard", "4"]);
    assert!(!is_done && beyond.contains("there is no shard 4; they are numbered from 1 to 3"), "{beyond}");
    // Levels decide what a shard gives.
    (1..=3).for_each(|shard| {
        assert!(succeeded_and_said(&["run", study, "--shards", shards, "--shard", &shard.to_string()]).0)
    });
    let text = fs::read_to_string(study).expect("a study");
    fs::write(study, text.replace("metric = \"slide\"", "metric = \"cell\"")).expect("a study");
    let (is_done, other) = succeeded_and_said(&["merge", study, "--shards", shards, "--out", "nowhere"]);
    assert!(!is_done && other.contains("labelled with other levels or rules"), "{other}");
    // So does the division: parts of an earlier one may lie in the folder.
    let text = fs::read_to_string(study).expect("a study");
    fs::write(study, text.replace("metric = \"cell\"", "metric = \"slide\"")).expect("a study");
    assert!(succeeded_and_said(&["shard", study, "--n", "2", "--out", shards]).0);
    let (is_done, beyond) = succeeded_and_said(&["merge", study, "--shards", shards, "--out", "nowhere"]);
    assert!(!is_done && beyond.contains("-0003.") && beyond.contains("divided into 2 shards"), "{beyond}");
    for name in ["shard-0003.rows", "part-0003.account", "part-0003.attempts", "part-0003.moves"] {
        fs::remove_file(Path::new(shards).join(name)).expect("of the third");
    }
    let (is_done, other) = succeeded_and_said(&["merge", study, "--shards", shards, "--out", "nowhere"]);
    assert!(!is_done && other.contains("shard 1 was labelled") && other.contains("divided anew"), "{other}");
    assert!(!Path::new("nowhere").exists());
}

fn succeeded_and_said(arguments: &[&str]) -> (bool, String) {
    let output = program().args(arguments).output().expect("runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn shards_are_not_put_together_with_another_key_than_that_of_their_codes() {
    let place = Place::new(1_000_000, &["description"], "");
    let (study, shards, key) = (place.path("study.toml"), place.path("shards"), place.path("study.key"));
    let text = fs::read_to_string(&study).expect("a study");
    fs::write(&study, text.replacen("[log]\n", "[log]\npseudonymise = true\n", 1)).expect("a study");
    let said = |arguments: &[&str]| {
        let mut program = program();
        program.arg(arguments[0]).arg(&study).args(&arguments[1..]).current_dir(place.folder.path());
        let output = program.output().expect("runs");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (is_done, message) = said(&["shard", "--n", "2", "--out", "shards"]);
    assert!(is_done && message.contains("the key was written to") && message.contains("study.key"), "{message}");
    (1..=2).for_each(|shard| assert!(said(&["run", "--shards", "shards", "--shard", &shard.to_string()]).0));
    let own_key = fs::read_to_string(&key).expect("a key");
    let merge: &[&str] = &["merge", "--shards", "shards", "--out", "merged", "--only", "levels"];
    for (other, why) in [(None, "is gone"), (Some("0123456789abcdef".repeat(4)), "this is another key")] {
        match &other {
            Some(other) => fs::write(&key, other).expect("a key"),
            None => fs::remove_file(&key).expect("a key"),
        }
        for arguments in [&["run", "--shards", "shards", "--shard", "1"], merge] {
            let (is_done, message) = said(arguments);
            assert!(
                !is_done && message.contains("study.key") && message.contains(why) && message.contains("restore it"),
                "{message}"
            );
        }
        assert!(!place.path("merged").exists() && key.exists() == other.is_some());
    }
    fs::write(&key, own_key).expect("a key");
    let (is_done, message) = said(merge);
    assert!(is_done && shards.exists(), "{message}");
}
