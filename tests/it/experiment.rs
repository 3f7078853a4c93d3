//! `plymap experiment` writes a folder that any host can serve, and what its page saves is read back.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::common::{program, repository};

/// The head of a map file.
pub fn head_of_map(bytes: &[u8]) -> Value {
    let mut content = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut content).expect("gzip");
    let length = u32::from_le_bytes(content[8..12].try_into().expect("four bytes")) as usize;
    assert_eq!(&content[..8], b"plymap2\n");
    let (summed, sum) = content.split_last_chunk().expect("a checksum");
    assert_eq!(crc32fast::hash(summed), u32::from_le_bytes(*sum));
    serde_json::from_slice(&content[12..12 + length]).expect("JSON")
}

/// A study of the demo's levels with what is appended.
fn study(folder: &Path, experiment: &str) {
    let levels = repository().join("data/demo/levels");
    let text = format!("[study]\nname = \"tried\"\n\n[levels]\nfiles = [{levels:?}]\n\n{experiment}");
    fs::write(folder.join("study.toml"), text).expect("written");
}

/// Returns the message of the command on a study that it refuses.
fn refused(folder: &Path, experiment: &str) -> String {
    study(folder, experiment);
    let output =
        program().arg("experiment").arg(folder).arg("--out").arg(folder.join("site")).output().expect("an end");
    assert_eq!(output.status.code(), Some(1));
    assert!(!folder.join("site").exists());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_site_holds_all_that_its_page_asks_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = folder.path().join("site");
    let demo = repository().join("data/demo/study.toml");
    // A second time it takes the place of the first.
    for _ in 0..2 {
        program().arg("experiment").arg(&demo).arg("--out").arg(&site).assert().success();
    }
    let text = |name: &str| fs::read_to_string(site.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let study: Value = serde_json::from_str(&text("study.json")).expect("JSON");
    assert!(text("index.html").contains("data-study=\"study.json\""));
    assert_eq!(study["crc32"].as_str().map(str::len), Some(8), "a page knows a study that was damaged");
    assert_eq!(study["server"], false);
    let conditions: Vec<&str> =
        study["plans"].as_array().expect("plans").iter().filter_map(|plan| plan["condition"].as_str()).collect();
    assert_eq!(conditions, ["speed", "accuracy"]);
    // Practice and two blocks of three: six other levels of the study are not played.
    let levels = study["levels"].as_array().expect("levels");
    assert_eq!(levels.len(), 7);
    for level in levels {
        let map = fs::read(site.join(level["map"].as_str().expect("an address"))).expect("a map");
        let head = head_of_map(&map);
        assert_eq!((&head["level"], &head["distances"], &level["hints"]), (&level["id"], &json!(false), &Value::Null));
    }
    let of_words = |text: &str, before: &str| -> Vec<String> {
        text.split(before).skip(1).filter_map(|rest| rest.split(['"', '\'']).next().map(str::to_owned)).collect()
    };
    // What the page links, what its scripts import, and its images.
    let page = text("index.html");
    let linked: Vec<String> = ["href=\"", "src=\""].iter().flat_map(|before| of_words(&page, before)).collect();
    assert!(linked.len() >= 3, "{linked:?}");
    linked.iter().for_each(|name| drop(text(name)));
    let scripts = fs::read_dir(site.join("play")).expect("files").flatten();
    let scripts: Vec<_> =
        scripts.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "js")).collect();
    assert!(scripts.len() > 10);
    for script in scripts {
        let content = fs::read_to_string(&script).expect("a script");
        for before in [" from './", "import('./"] {
            // Types are for the checker alone.
            let imported = of_words(&content, before).into_iter().filter(|name| name != "types.js");
            imported.for_each(|name| drop(text(&format!("play/{name}"))));
        }
    }
    let images = of_words(study["plans"][0]["instructions"][0].as_str().expect("a text"), "src=\"");
    assert_eq!(images, ["media/1.svg"]);
    drop(text("media/1.svg"));
    // Nothing on the way to a host tells participants what is asked.
    assert!(!text("manifest.json").contains("confirmatory"));
}

#[test]
fn the_same_experiment_for_jspsych_is_a_package_with_its_plugin() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = folder.path().join("site");
    let demo = repository().join("data/demo/study.toml");
    program().arg("experiment").arg(demo).arg("--jspsych").arg("--out").arg(&site).assert().success();
    let json = |name: &str| -> Value { serde_json::from_slice(&fs::read(site.join(name)).expect(name)).expect("JSON") };
    let package = json("package.json");
    assert_eq!(package["dependencies"]["jspsych-plymap"], "file:plugin");
    let is_exact = |version: &Value| version.as_str().is_some_and(|version| !version.starts_with(['^', '~', '>']));
    let dependencies = |package: &Value| package["dependencies"].as_object().expect("dependencies").clone();
    assert!(dependencies(&package).values().all(is_exact));
    assert_eq!(dependencies(&json("package-lock.json")["packages"][""]), dependencies(&package));
    assert_eq!(json("plugin/package.json")["name"], "jspsych-plymap");
    assert_eq!(json("study.json")["levels"].as_array().map(Vec::len), Some(7));
    assert!(site.join("plugin/play/board.js").is_file() && site.join("plugin/LICENSE-MIT").is_file());
}

#[test]
fn hints_and_limits_are_those_of_a_condition() {
    let folder = tempfile::tempdir().expect("a folder");
    study(
        folder.path(),
        "[experiment]\n[[experiment.block]]\nlevels = [\"demo-01\"]\n[[experiment.condition]]\nname = \"alone\"\n[[experiment.condition]]\nname = \"helped\"\nhints = true\nmoves = 30\n",
    );
    let site = folder.path().join("site");
    program().arg("experiment").arg(folder.path()).arg("--out").arg(&site).assert().success();
    let read: Value = serde_json::from_slice(&fs::read(site.join("study.json")).expect("a study")).expect("JSON");
    let plan_settings =
        |plan: usize| (read["plans"][plan]["hints"].as_bool(), read["plans"][plan]["limits"]["moves"].as_u64());
    assert_eq!([plan_settings(0), plan_settings(1)], [(Some(false), None), (Some(true), Some(30))]);
    for (address, has_distances) in [("map", false), ("hints", true)] {
        let map = fs::read(site.join(read["levels"][0][address].as_str().expect("an address"))).expect("a map");
        assert_eq!(head_of_map(&map)["distances"], has_distances);
    }
}

#[test]
fn what_cannot_be_played_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (experiment, words) in [
        ("[experiment]\npractice = [\"demo-99\"]", "the study has no level \"demo-99\""),
        ("[experiment]\nconsent = \"nothing.md\"", "cannot be read"),
        ("[experiment]\nbreaks = \"never\"", "neither a number of levels nor"),
        ("[experiment]\nbreaks = true", "a number of levels, or \"blocks\", is needed here"),
        ("[experiment]\nconsend = \"x\"", "did you mean `consent`"),
        ("[experiment]\n[[experiment.condition]]\nname = \"a\"\nsecond = 1", "did you mean `seconds`"),
    ] {
        let said = refused(folder.path(), experiment);
        assert!(said.contains(words), "{said}");
    }
    // Before anything is written, too.
    self::study(folder.path(), "[experiment]\npractice = [\"demo-99\"]");
    let checked = program().arg("check").arg(folder.path()).output().expect("an end");
    assert_eq!(checked.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&checked.stderr).contains("demo-99"));
    // A game of chance has no map.
    let study = repository().join("data/2048");
    let output =
        program().arg("experiment").arg(study).arg("--out").arg(folder.path().join("site")).output().expect("an end");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("plymap serve"));
}

/// A session as the page of a site saves it: practice, two levels of which the second ends by its limit, and all that stands
/// beside them.
fn session(participant: &str, condition: &str) -> String {
    let mut lines = String::new();
    let mut add = |event: Value| {
        let seq = lines.lines().count();
        let mut line = json!({ "participant": participant, "session": "1", "seq": seq });
        let known = line.as_object_mut().expect("an object");
        known.extend(event.as_object().expect("an object").clone());
        known.insert("condition".to_owned(), json!(condition));
        known.insert("time_ms".to_owned(), json!(1_000.5 * seq as f64));
        known.insert("onset_s".to_owned(), json!(1.0005 * seq as f64));
        lines += &(line.to_string() + "\n");
    };
    let beside = |event: &str, action: &str, value: &str| json!({ "level": "", "attempt": 1, "event": event, "action": action, "value": value });
    let of_level = |level: &str, block: &str, trial: u64, event: &str, action: &str| json!({ "level": level, "attempt": 1, "event": event, "action": action, "block": block, "trial": trial });
    add(beside("assign", condition, "0"));
    add(beside("page", "consent", ""));
    for (level, block, trial, moves, end) in [
        ("demo-01", "practice", 1, vec!["F+1"], "give_up"),
        ("demo-02", "1", 2, vec!["F+1", "F-1", "F+1"], "give_up"),
        ("demo-03", "1", 3, vec!["M-1"], "limit"),
    ] {
        add(of_level(level, block, trial, "start", ""));
        for action in moves {
            add(of_level(level, block, trial, "move", action));
        }
        add(of_level(level, block, trial, end, if end == "limit" { "seconds" } else { "" }));
    }
    add(beside("answer", "strategy", "none, really; \"why\"?"));
    lines
}

#[test]
fn what_a_page_saves_is_imported_and_read_without_a_row_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    for (participant, condition) in [("P1", "speed"), ("P2", "accuracy")] {
        fs::write(folder.path().join(format!("{participant}_1.ndjson")), session(participant, condition))
            .expect("written");
    }
    let levels = repository().join("data/demo/levels");
    let out = folder.path().join("study");
    let files = ["P1", "P2"].map(|name| folder.path().join(format!("{name}_1.ndjson")));
    program().arg("import").args(&files).arg("--levels").arg(&levels).arg("--out").arg(&out).assert().success();
    let text = fs::read_to_string(out.join("study.toml")).expect("a study");
    assert!(text.contains("preset = \"plymap\"") && !text.contains("QUESTION"), "{text}");
    let moves = folder.path().join("moves.csv");
    program().arg("label").arg(&out).arg("--out").arg(&moves).assert().success();
    let mut reader = csv::Reader::from_path(&moves).expect("a table");
    let rows: Vec<std::collections::BTreeMap<String, String>> =
        reader.deserialize().collect::<Result<_, _>>().expect("rows");
    let imported: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {} {} {}", row["participant"], row["condition"], row["level"], row["event"]))
        .collect();
    let expected = |participant: &str, condition: &str| {
        let row = |level: &str, event: &str| format!("{participant} {condition} {level} {event}");
        let second = ["start", "move", "move", "move", "give_up"].map(|event| row("demo-02", event));
        let third = ["start", "move", "limit"].map(|event| row("demo-03", event));
        second.into_iter().chain(third).collect::<Vec<_>>()
    };
    assert_eq!(imported, [expected("P1", "speed"), expected("P2", "accuracy")].concat());
    let checked = program().arg("check").arg(&out).output().expect("an end");
    let said = String::from_utf8_lossy(&checked.stdout).into_owned() + &String::from_utf8_lossy(&checked.stderr);
    assert!(!said.contains("(rejected)") && !said.contains("(excluded)"), "{said}");
}
