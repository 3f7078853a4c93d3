//! `plymap open`: from dropped files to a study, its check, its run and its results, by the requests of the page.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use regex::Regex;
use serde_json::{Value, json};

use crate::common::{files_of, program, repository};
use crate::http::{Answer, exchange};

#[cfg(target_os = "linux")]
mod browser;
mod remedies;
mod results;

/// Header of requests that change something.
const OWN: &str = "X-Plymap: open";

/// Requests that change the study.
const CHANGES: [&str; 5] = ["api/study", "api/edit", "api/parts", "api/undo", "api/propose"];

/// Longest time that a task of a test may take, on a machine that does other things too.
const PATIENCE: Duration = Duration::from_secs(300);

/// The program with its page; it is ended with the test.
pub struct Page {
    program: Child,
    host: String,
    token: String,
}

impl Page {
    /// Opens a page with these arguments in a folder.
    pub fn new(folder: &Path, arguments: &[&str]) -> Self {
        let mut program = Command::new(assert_cmd::cargo::cargo_bin("plymap"))
            .args(["open", "--no-browser"])
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a program");
        let mut line = String::new();
        BufReader::new(program.stdout.take().expect("an output")).read_line(&mut line).expect("an address");
        let (host, token) = line.trim().trim_start_matches("http://").split_once('/').expect("an address with a token");
        let (host, token) = (host.to_owned(), token.trim_end_matches('/').to_owned());
        Self { program, host, token }
    }

    fn kill(mut self) {
        self.program.kill().and_then(|()| self.program.wait()).expect("an end");
    }

    fn ask(&self, method: &str, path: &str, head: &[&str], body: &[u8]) -> Answer {
        exchange(&self.host, method, path, head, body).expect("an answer")
    }

    /// Returns the answer at an address.
    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", &format!("/{}/{path}", self.token), &[], &[])
    }

    /// Returns the value at an address, once what it needs is read.
    #[track_caller]
    pub fn value(&self, path: &str) -> Value {
        let begin = Instant::now();
        loop {
            let answer = self.get(path);
            if answer.status != 409 || begin.elapsed() > PATIENCE {
                assert_eq!(answer.status, 200, "{path}: {}", answer.text());
                return answer.json();
            }
            self.value("api/task?seen=0");
        }
    }

    /// Posts a body; a change of the study has seen it as it is now, unless it says otherwise.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let mut body = body.clone();
        if CHANGES.contains(&path) && body["seen"].is_null() {
            body["seen"] = self.value("api/project")["revision"].clone();
        }
        self.ask("POST", &format!("/{}/{path}", self.token), &[OWN], body.to_string().as_bytes())
    }

    #[track_caller]
    pub fn done(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    #[track_caller]
    pub fn drop_file(&self, name: &str, content: &[u8]) -> Value {
        let path = format!("/{}/api/files?name={name}&offset=0&last=true", self.token);
        let answer = self.ask("POST", &path, &[OWN], content);
        assert_eq!(answer.status, 200, "{name}: {}", answer.text());
        answer.json()
    }

    /// Begins a task and waits for its end.
    #[track_caller]
    pub fn task(&self, path: &str, body: &Value) -> Value {
        let mut task = self.done(path, body);
        let begin = Instant::now();
        while task["state"] == "running" && begin.elapsed() < PATIENCE {
            task = self.value(&format!("api/task?seen={}", task["n"]));
        }
        task
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

pub fn data(path: &str) -> Vec<u8> {
    std::fs::read(repository().join("data").join(path)).expect("a file")
}

/// A log whose pieces and distances stand in columns of their own, under names that say nothing.
fn log_of_parts() -> String {
    let moves = [("article-1", "B", "+3"), ("demo-01", "E", "-2"), ("demo-01", "C", "-1")];
    let people = ["x1", "x2", "x3", "x4"];
    let rows = people.iter().flat_map(|person| {
        moves.iter().map(move |(level, piece, distance)| format!("{person},{level},{piece},{distance},1500\n"))
    });
    format!("who,board,q1,q2,q3\n{}", rows.collect::<String>())
}

#[test]
fn dropped_files_become_a_study_that_menus_correct() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = Page::new(folder.path(), &["--out", "study"]);
    assert!(page.get("").text().contains("<title>"), "the page itself");
    for name in ["article-1", "demo-01"] {
        let project = page.drop_file(&format!("{name}.txt"), &data(&format!("demo/levels/{name}.txt")));
        assert_eq!(project["received"]["added"][0], format!("levels/{name}.txt"));
    }
    page.drop_file("log.csv", log_of_parts().as_bytes());
    assert_eq!(page.task("api/propose", &json!({}))["state"], "done");
    let study = folder.path().join("study/study.toml");
    assert!(std::fs::read_to_string(&study).expect("a study").contains("[columns]"));

    // What a proposal found is chosen by nobody, and what somebody chose is lost to the next one, but for an undo.
    let of_proposal = page.value("api/project");
    assert_eq!(of_proposal["chosen"], json!([]));
    page.done("api/edit", &json!({ "edits": [{ "path": ["columns", "participant"], "value": "q3" }] }));
    let chosen = page.value("api/project");
    assert_eq!(chosen["chosen"], json!(["columns.participant"]));
    assert_eq!(page.task("api/propose", &json!({}))["state"], "done");
    assert_eq!(page.value("api/project")["study"], of_proposal["study"]);
    assert_eq!(page.done("api/undo", &json!({}))["study"], chosen["study"]);
    page.done("api/undo", &json!({}));
    // A file that was taken out comes back.
    let removed = page.done("api/files/remove", &json!({ "name": "logs/log.csv" }));
    assert_eq!((&removed["files"]["logs"][0]["is_missing"], removed["can_undo"].clone()), (&json!(true), json!(true)));
    let undone = page.done("api/undo", &json!({}));
    assert_eq!((&undone["files"], &undone["brought_back"]), (&of_proposal["files"], &Value::Null));
    let back = page.done(
        "api/files/back",
        &json!({ "name": page.done("api/files/remove", &json!({ "name": "logs/log.csv" }))["removed"][0] }),
    );
    assert_eq!((&back["files"], &back["removed"]), (&of_proposal["files"], &json!([])));

    // Whatever was guessed: one column alone is no move, and both are.
    page.done("api/edit", &json!({ "edits": [{ "path": ["columns", "action"], "value": "q1" }] }));
    let reading = page.value("api/reading?n=5");
    assert_eq!((&reading["share"], reading["rows"].as_array().map(Vec::len)), (&json!(0.0), Some(5)));
    assert_eq!(reading["rows"][0]["outcome"], "rejected");
    page.done("api/parts", &json!({ "parts": { "piece": "q1", "distance": "q2" } }));
    let time = json!({ "edits": [{ "path": ["columns", "rt"], "value": { "column": "q3", "unit": "ms" } }] });
    page.done("api/edit", &time);
    let reading = page.value("api/reading");
    assert_eq!(
        (&reading["share"], &reading["n_moves"], &reading["n_participants"]),
        (&json!(1.0), &json!(12), &json!(4))
    );
    let of_column = |name: &str| {
        let columns = reading["columns"].as_array().expect("columns");
        columns.iter().find(|column| column["name"] == name).expect("a column").clone()
    };
    assert_eq!((&of_column("q1")["part"], &of_column("q3")["role"]), (&json!("part"), &json!("rt")));
    assert_eq!(reading["attempts"][0]["frames"][1]["time_s"], json!(1.5));

    // It goes on where it was, at the same address.
    let (host, token) = (page.host.clone(), page.token.clone());
    page.kill();
    let page = Page::new(folder.path(), &["--out", "study"]);
    assert_eq!((&page.host, &page.token), (&host, &token));
    assert_eq!(page.value("api/reading")["share"], json!(1.0));
    // A study that cannot be read is not written.
    let before = std::fs::read_to_string(&study).expect("a study");
    let refused = page.post("api/study", &json!({ "text": "[study]\nnam = 1\n" }));
    assert_eq!((refused.status, refused.json()["faults"][0]["line"].as_u64()), (422, Some(2)));
    assert_eq!(std::fs::read_to_string(&study).expect("a study"), before);
}

#[test]
fn an_example_is_checked_explored_run_and_taken_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = Page::new(folder.path(), &[]);
    page.done("api/start", &json!({ "example": "tower-of-london" }));
    let check = page.value("api/check");
    assert_eq!(check["counts"]["read"], check["counts"]["accepted"]);
    let overview = page.value("api/explore");
    let (participant, levels) = (overview["participants"][0]["participant"].clone(), overview["levels"].clone());
    let name = participant.as_str().expect("a name");
    let of_participant = page.value(&format!("api/explore/participant?name={name}"));
    let n_trials = of_participant["trials"].as_array().map(|trials| trials.len() as u64);
    assert_eq!(n_trials, overview["participants"][0]["n_trials"].as_u64());
    let trial = &of_participant["trials"][0];
    let text = |key: &str| trial[key].as_str().expect("a text").to_owned();
    let moves = page.value(&format!("api/explore/trial?of={name}&session={}&at={}", text("session"), text("level")));
    assert!(moves["attempts"][0]["moves"][0]["position"]["shapes"].is_array(), "{moves}");
    // A filter leaves what fits it, and says how much that is.
    let level = levels[0]["level"].as_str().expect("a name");
    let filtered = page.value(&format!("api/explore?level={level}"));
    assert_eq!(filtered["levels"].as_array().map(Vec::len), Some(1));
    assert!(filtered["n_rows"].as_u64() < overview["n_rows"].as_u64());
    let other = levels[1]["level"].as_str().expect("a name");
    let groups = page.value(&format!("api/explore/groups?by=level&a={level}&b={other}&measure=n_moves"));
    assert_eq!((&groups["is_paired"], &groups["test"]), (&json!(true), &json!("wilcoxon")));
    // Of few people there is an estimate, and no test.
    let people = &overview["participants"].as_array().expect("people")[..4];
    let few: String = people
        .iter()
        .map(|person| format!("&participant={}", person["participant"].as_str().expect("a name")))
        .collect();
    let pilot = page.value(&format!("api/explore/groups?by=level&a={level}&b={other}&measure=n_moves{few}"));
    assert_eq!((&pilot["test"], &pilot["p"], &pilot["statistics"]), (&Value::Null, &Value::Null, &json!("")));
    assert!(pilot["estimate"].is_number() && groups["p"].is_number(), "{pilot}");
    // Their table has the numbers that the page shows.
    let table = |format: &str| {
        page.get(&format!("api/table/groups?by=level&a={level}&b={other}&measure=n_moves&format={format}"))
    };
    let csv = table("csv");
    assert!(csv.head.contains("filename=\"groups-n-moves-by-level.csv\""), "{}", csv.head);
    let text = csv.text();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    // By the reader of the answers, which may be off in the last digit.
    let number = |cell: &str| serde_json::from_str::<f64>(cell).ok();
    for (row, group) in rows[1..].iter().zip(["a", "b"]) {
        let shown = ["n", "n_trials", "median", "p25", "p75", "mean"].map(|key| groups[group][key].as_f64());
        assert_eq!(
            (row[0], &row[1..7].iter().map(|cell| number(cell)).collect::<Vec<_>>()[..]),
            (groups[group]["label"].as_str().expect("a name"), &shown[..]),
            "{text}"
        );
    }
    let compared = ["estimate", "lower", "upper", "confidence", "p"].map(|key| groups[key].as_f64());
    assert!(rows.len() == 3 && rows[1][7..].iter().all(|cell| cell.is_empty()) && compared.iter().all(Option::is_some));
    assert_eq!(rows[2][7..12].iter().map(|cell| number(cell)).collect::<Vec<_>>(), compared);
    assert!(["xlsx", "docx"].iter().all(|format| table(format).body.starts_with(b"PK")));
    // The figure of the groups has their numbers, for a window of any width.
    let figure = format!("api/figure?kind=raincloud&name=raincloud-n-moves-by-level&level={level}&level={other}");
    let numbers = page.get(&format!("{figure}&format=csv")).text();
    let n_values = ["a", "b"].map(|group| groups[group]["n"].as_u64().expect("a number"));
    assert_eq!(
        numbers.lines().filter(|line| line.starts_with("participant,")).count() as u64,
        n_values.iter().sum::<u64>(),
        "{numbers}"
    );
    // The group that is named first stands first in it, in whatever order their names are.
    for group in [level, other] {
        let numbers = page.get(&format!("{figure}&first={group}&format=csv")).text();
        let first = numbers.lines().find(|line| line.starts_with("participant,")).expect("a value");
        assert!(first.split(',').any(|cell| cell == group), "{first}");
    }
    let [wide, narrow] = ["wide", "narrow"].map(|screen| page.get(&format!("{figure}&screen={screen}")).text());
    assert!(wide.contains("<svg") && narrow.contains("<svg") && wide != narrow);
    for (path, kind) in [
        ("api/figure?kind=quality&format=svg", "image/svg+xml"),
        ("api/figure?kind=participant-flow&format=pdf", "application/pdf"),
        ("api/figure?kind=quality&format=png&solved=true", "image/png"),
        ("api/table?name=trials&format=csv", "text/csv"),
        ("api/table?name=trials&format=xlsx", "application/vnd.openxmlformats"),
    ] {
        let answer = page.get(path);
        assert!(answer.status == 200 && answer.head.contains(kind), "{path}: {}", answer.head);
    }
    assert_eq!(page.task("api/run", &json!({ "fast": true }))["state"], "done");
    let result = page.value("api/result");
    assert_eq!((&result["has"], &result["is_current"], &result["changes"]), (&json!(true), &json!(true), &json!(null)));
    assert!(page.get("preview/report.html").text().contains("<html"));
    // The next run says what it changed.
    let exclude = json!({ "trials": "n_moves > 8", "reason": "long" });
    page.done("api/edit", &json!({ "edits": [{ "path": ["exclude", "+"], "value": exclude }] }));
    assert_eq!(page.value("api/result")["is_current"], json!(false));
    assert_eq!(page.value("api/check")["selections"][0]["condition"], "n_moves > 8");
    // What cannot be read is tried once: the answer stays, and begins no task, until something changes.
    let unknown = json!({ "trials": "colour == \"red\"", "reason": "red" });
    page.done("api/edit", &json!({ "edits": [{ "path": ["exclude", "+"], "value": unknown }] }));
    let refused = ["api/check", "api/explore", "api/check"].map(|path| page.get(path));
    let n_tasks = page.value("api/task")["n"].clone();
    assert_eq!(refused.each_ref().map(|answer| answer.status), [422; 3]);
    assert!(refused.iter().all(|answer| answer.json()["error"].as_str().is_some_and(|error| error.contains("colour"))));
    assert_eq!((page.get("api/check").status, &page.value("api/task")["n"]), (422, &n_tasks));
    page.done("api/undo", &json!({}));
    assert_eq!(page.value("api/check")["selections"][0]["condition"], "n_moves > 8");
    assert_eq!(page.task("api/run", &json!({ "fast": true }))["state"], "done");
    let result = page.value("api/result");
    assert!(result["changes"]["n"].as_u64() > Some(0) && result["changes_error"].is_null(), "{result}");
    let archive = page.get("take.zip").body;
    let archive = zip::ZipArchive::new(std::io::Cursor::new(archive)).expect("an archive");
    let names: Vec<String> = archive.file_names().map(|name| name.expect("a name").into_owned()).collect();
    assert!(names.iter().any(|name| name.ends_with("/study.toml")), "{names:?}");
    assert!(
        names.iter().any(|name| name.ends_with("report.html")) && names.iter().any(|name| name.ends_with("log.csv"))
    );
}

/// Returns the numbers of trials, the smallest first.
fn trial_numbers(trials: &Value) -> Vec<u64> {
    let rows = trials["rows"].as_array().expect("rows");
    let mut numbers: Vec<u64> = rows.iter().map(|row| row["trial"].as_u64().expect("a number")).collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn filters_are_applied_to_what_the_study_analyses() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = Page::new(folder.path(), &[]);
    page.done("api/start", &json!({ "example": "tower-of-london" }));
    // Everybody has one trial at each of eight levels, and none fewer than seven at the others.
    let edits = [
        json!({ "trials": "level == \"two-moves\"", "reason": "practice" }),
        json!({ "participants": "n_trials < 7", "reason": "too few" }),
    ]
    .map(|exclude| json!({ "path": ["exclude", "+"], "value": exclude }));
    page.done("api/edit", &json!({ "edits": edits }));
    let overview = page.value("api/explore");
    assert_eq!(["n_participants", "n_trials", "last_trial"].map(|key| overview[key].as_u64()), [12, 84, 7].map(Some));
    let at_level = page.value("api/explore/trials?level=three-moves");
    assert_eq!(trial_numbers(&at_level), [1; 12], "the first of those that are left");
    assert_eq!(trial_numbers(&page.value("api/explore/trials?trial=1")), [1; 12]);
    assert_eq!(trial_numbers(&page.value("api/explore/trials?trial=7&trial=2")), [[2; 12], [7; 12]].concat());
    for (query, why) in [
        ("participant=nobody", "there is no participant \"nobody\"; there are: p01, p02, "),
        ("level=two", "there is no level \"two\"; there are: "),
        ("condition=fast", "there is no condition \"fast\"; there are: –"),
    ] {
        let refused = page.get(&format!("api/explore?{query}"));
        let error = refused.json()["error"].as_str().unwrap_or_default().to_owned();
        assert!(refused.status == 404 && error.starts_with(why), "{query}: {error}");
    }
    let none = page.get("api/explore/trials?trial=8");
    assert_eq!((none.status, &none.json()["error"]), (404, &json!("no trial fits these filters")));
}

/// Writes a study of one participant with two trials at one level.
fn write_small_study(folder: &Path) {
    std::fs::write(folder.join("levels.txt"), data("tower_of_london/levels.txt")).expect("levels");
    let study = "[study]\nname = \"s\"\n[levels]\ngame = \"tower-of-london\"\nfiles = [\"levels.txt\"]\n[log]\n\
                 files = [\"log.csv\"]\n";
    std::fs::write(folder.join("study.toml"), study).expect("a study");
    let log = "participant,session,level,attempt,move_index,action,rt_s\n\
               p1,a,two-moves,1,0,2>3,\n\
               p1,a,two-moves,1,1,2>1,\n\
               p1,b,two-moves,1,0,2>3,1.5\n\
               p1,b,two-moves,1,1,3>2,\n\
               p1,b,two-moves,1,2,2>3,0.25\n\
               p1,b,two-moves,1,3,2>1,\n";
    std::fs::write(folder.join("log.csv"), log).expect("a log");
}

#[test]
fn a_check_compares_levels_with_what_is_published_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("levels.csv", "id,board,moves\na,BB...GE..H.GEAAH.GE..H..F...CCF.DDD.,99\n");
    write("log.csv", "participant,level,action\np1,a,B+3\n");
    write(
        "study.toml",
        "[study]\nname = \"s\"\n[levels]\nfiles = [\"levels.csv\"]\n[rules]\nmetric = \"cell\"\n[log]\nfiles = [\"log.csv\"]\n",
    );
    let page = Page::new(folder.path(), &["study.toml"]);
    let remarks = page.value("api/check")["levels"].clone();
    let remarks: Vec<&str> = remarks.as_array().expect("remarks").iter().filter_map(Value::as_str).collect();
    assert!(remarks.iter().any(|remark| remark.contains("a (99 in the column, ")), "{remarks:?}");
    let output = program().current_dir(folder.path()).args(["check", "study.toml"]).output().expect("a check");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(remarks.iter().all(|remark| said.contains(&format!("{remark}\n"))), "{said}");
}

#[test]
fn sessions_count_on_and_missing_times_stay_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    write_small_study(folder.path());
    let page = Page::new(folder.path(), &["study.toml"]);
    let overview = page.value("api/explore");
    assert_eq!((overview["levels"].as_array().map(Vec::len), &overview["last_trial"]), (Some(1), &json!(2)));
    assert_eq!(page.value("api/explore/trials?trial=2")["rows"][0]["session"], "b");
    let times = |session: &str| {
        let trial = page.value(&format!("api/explore/trial?of=p1&session={session}&at=two-moves"));
        let moves = trial["attempts"][0]["moves"].as_array().expect("moves").clone();
        moves.into_iter().map(|one| one["time_s"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(times("a"), [json!(null), json!(null)]);
    assert_eq!(times("b"), [json!(1.5), json!(null), json!(1.75), json!(null)]);
}

#[test]
fn a_level_has_a_map_as_a_page_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = Page::new(folder.path(), &[]);
    page.done("api/start", &json!({ "example": "tower-of-london" }));
    let overview = page.value("api/explore");
    let [level, participant] = [&overview["levels"][0]["level"], &overview["participants"][0]["participant"]]
        .map(|name| name.as_str().expect("a name").to_owned());
    let of_level = page.value(&format!("api/explore/level?name={level}"));
    assert_eq!(of_level["no_map"], Value::Null);
    let map = page.get(&format!("api/map?name={level}"));
    assert!(map.status == 200 && map.head.to_lowercase().contains("content-type: text/html"), "{}", map.head);
    let picture = |text: &str| {
        let (_, rest) = text.split_once("id=\"state-map-0-picture\">").expect("a map");
        rest.split_once('<').expect("an end").0.to_owned()
    };
    let (text, n_attempts) = (map.text(), &of_level["n_attempts"]);
    assert!(text.contains(&format!("attempts: {n_attempts}; all trials.</p>")), "{n_attempts}");
    assert!(text.contains("<h1>") && !text.contains("id=\"state-map-1-picture\""), "one level with a heading");
    // In a frame the play is the same and the heading is that of the view; a filter leaves less play.
    let framed = page.get(&format!("api/map?name={level}&in=frame")).text();
    assert!(picture(&framed) == picture(&text) && !framed.contains("<h1>"));
    let filtered = page.get(&format!("api/map?name={level}&participant={participant}")).text();
    assert!(filtered.contains(&format!("participant {participant}.</p>")) && picture(&filtered) != picture(&text));
    // A map is drawn once, as a task.
    let task = page.value("api/task");
    assert_eq!((&task["kind"], &task["state"]), (&json!("map"), &json!("done")));
    assert_eq!(page.value(&format!("api/map/state?name={level}")), json!({ "is_drawn": true }));
    assert_eq!(page.value("api/task")["n"], task["n"]);
    for (path, status, why) in [
        ("api/map/state?name=nowhere", 404, "no level \"nowhere\""),
        ("api/map?name=nowhere", 404, "no level \"nowhere\""),
        ("api/map?name=a&in=b", 400, "unknown variant `b`"),
        ("api/map", 400, "missing field `name`"),
    ] {
        let refused = page.get(path);
        let error = refused.json()["error"].to_string().replace('\\', "");
        assert!(refused.status == status && error.contains(why), "{path}: {error}");
    }
}

#[test]
fn a_level_without_a_map_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["study.toml", "levels.txt", "log.csv"] {
        std::fs::write(folder.path().join(file), data(&format!("2048/{file}"))).expect("a file");
    }
    let page = Page::new(folder.path(), &["study.toml"]);
    let why = page.value("api/explore/level?name=two")["no_map"].clone();
    assert!(why.as_str().is_some_and(|why| why.contains("\"two\"") && why.contains("points")), "{why}");
    let refused = page.get("api/map?name=two");
    assert_eq!((refused.status, &refused.json()["error"]), (404, &why));
}

#[test]
fn a_change_of_another_study_than_was_seen_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let outside = tempfile::tempdir().expect("a folder");
    let log = outside.path().canonicalize().expect("a path").join("log.csv");
    std::fs::write(&log, "who,board,action,t\nx1,article-1,B+3,1500\n").expect("a file");
    let page = Page::new(folder.path(), &["--out", "study", &log.display().to_string()]);
    page.drop_file("article-1.txt", &data("demo/levels/article-1.txt"));
    let study = folder.path().join("study/study.toml");
    // What is no text in UTF-8 is there, and stays.
    let latin_1 = b"[study]\nname = \"\xe4\"\n";
    std::fs::write(&study, latin_1).expect("a file");
    let state = page.value("api/project");
    assert!(state["has_study"] == true && state["error"].as_str().is_some_and(|why| why.contains("save it as UTF-8")));
    assert_eq!(page.task("api/propose", &json!({}))["state"], "failed");
    assert_eq!(std::fs::read(&study).expect("a study"), latin_1);
    std::fs::remove_file(&study).expect("a study");

    let times = "[{ column = \"t\", unit = \"ms\" }, \"t2\"]";
    let text = format!(
        "[study]\nname = \"a\"\n\n[levels]\ngame = \"rush-hour\"\nfiles = [\"levels\"]\n\n[log]\nfiles = [{:?}]\n\n\
         [columns]\nparticipant = \"who\"\nlevel = \"board\"\nrt = {times}\n",
        log.display().to_string()
    );
    let exclude =
        |reason: &str| json!([{ "path": ["exclude", "+"], "value": { "trials": "n_moves > 8", "reason": reason } }]);
    page.done("api/study", &json!({ "text": text, "seen": page.value("api/project")["revision"] }));
    let reading = page.value("api/reading");
    assert_eq!(reading["spec"]["entries"]["rt"], json!([{ "column": "t", "unit": "ms" }, "t2"]));
    let one = page.done("api/edit", &json!({ "edits": exclude("one") }));
    let two = page.done("api/edit", &json!({ "edits": exclude("two"), "seen": one["revision"] }));
    // The first of a page that knows one selection is not taken out of two.
    let take_out = json!({ "edits": [{ "path": ["exclude", "0"], "value": null }], "seen": one["revision"] });
    let refused = ["api/edit", "api/undo", "api/study"].map(|path| match path {
        "api/edit" => page.post(path, &take_out),
        "api/undo" => page.post(path, &json!({ "seen": one["revision"] })),
        path => page.post(path, &json!({ "text": text, "seen": one["revision"] })),
    });
    for answer in refused {
        assert!(answer.status == 409 && answer.text().contains("changed meanwhile"), "{}", answer.text());
    }
    assert_eq!(page.value("api/project")["study"], two["study"]);
    for path in CHANGES {
        let unseen = page.ask(
            "POST",
            &format!("/{}/{path}", page.token),
            &[OWN],
            b"{\"text\": \"\", \"edits\": [], \"parts\": {}}",
        );
        assert!(unseen.status == 400, "{path}: {}", unseen.text());
    }
    // Nothing to take out is said, and no change.
    let no_entry = page.post("api/edit", &json!({ "edits": [{ "path": ["baseline", "action"], "value": null }] }));
    assert!(no_entry.status == 422 && no_entry.text().contains("no entry to take out"), "{}", no_entry.text());
    let undone = page.done("api/undo", &json!({ "seen": two["revision"] }));
    assert_eq!((&undone["revision"], &undone["study"]), (&one["revision"], &one["study"]));
    // What the archive lacks is told.
    assert_eq!(page.value("api/take")["outside"], json!([log.display().to_string()]));
    assert_eq!(undone["files"]["logs"][0]["is_elsewhere"], true);
}

#[test]
fn a_part_that_does_not_fit_begins_again_and_no_other_refusal_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = Page::new(folder.path(), &["--out", "study"]);
    let send = |name: &str, offset: usize, last: bool, content: &[u8]| {
        let path = format!("/{}/api/files?name={name}&offset={offset}&last={last}&ordered=true", page.token);
        page.ask("POST", &path, &[OWN], content)
    };
    assert_eq!(send("P1/log.csv", 0, false, b"who,").status, 200);
    assert_eq!(send("P1/log.csv", 8, true, b"board\n").status, 416);
    assert_eq!(send("P1/log.csv", 4, true, b"board\n").json()["received"]["added"], json!(["P1/log.csv"]));
    assert_eq!(send("P2/log.csv", 0, true, b"who,board\n").json()["received"]["added"], json!(["P2/log.csv"]));
    assert_eq!(send("P1/log.csv", 0, false, b"who,").status, 200);
    assert_eq!(send("P1/log.csv", 4, true, b"level\n").status, 409);
    // A part is at most 8 MiB, and a larger one is refused as it comes.
    let large = vec![b'a'; plymap_open::MOST_BYTES + 1];
    assert_eq!(
        send("large.csv", 0, false, &large[1..]).json(),
        json!({ "n_bytes": plymap_open::MOST_BYTES, "added": [], "left_out": [] })
    );
    let refused = send("large.csv", plymap_open::MOST_BYTES, true, &large);
    assert!(refused.status == 413 && refused.text().contains("longer than 8388608 bytes"), "{}", refused.text());
}

#[test]
fn the_page_has_a_text_for_each_stage_of_its_work_in_each_language() {
    let stage = Regex::new(r#"(?:progress\.begin\(|&checker,\s*)"([a-z0-9 ]+)""#).expect("a pattern");
    let mut stages = BTreeSet::new();
    for part in [
        "import/src",
        "log/src",
        "players/src",
        "puzzles/src/game/sliding_tiles",
        "puzzles/src/game/twenty48",
        "run/src",
    ] {
        for (_, content) in files_of(&repository().join("crates").join(part)) {
            stages.extend(stage.captures_iter(&String::from_utf8_lossy(&content)).map(|found| found[1].to_owned()));
        }
    }
    assert!(["reading logs", "mapping levels", "analysing"].iter().all(|stage| stages.contains(*stage)), "{stages:?}");
    for language in ["en", "de", "fr"] {
        let file = format!("crates/open/page/texts_{language}.js");
        let texts = std::fs::read_to_string(repository().join(&file)).expect("texts");
        for key in stages.iter().map(|stage| format!("stage_{}", stage.replace(' ', "_"))) {
            assert!(texts.contains(&format!("\n  {key}: '")), "{file} has no text {key}");
        }
    }
}

#[test]
fn nobody_else_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("secret.csv"), "a,b\n1,2\n").expect("a file");
    let page = Page::new(folder.path(), &["--out", "study"]);
    let token = &page.token;
    let status = |method: &str, path: &str, head: &[&str]| page.ask(method, path, head, b"{}").status;
    assert_eq!(status("GET", "/api/project", &[]), 404);
    assert_eq!(status("GET", &format!("/{}x/api/project", &token[1..]), &[]), 404);
    assert_eq!(status("GET", &format!("/{token}/api/project"), &["Host: elsewhere.example"]), 403);
    assert_eq!(status("POST", &format!("/{token}/api/undo"), &[]), 403);
    assert_eq!(status("POST", &format!("/{token}/api/undo"), &[OWN]), 400);
    for path in ["run/../../secret.csv", "run/%2e%2e/%2e%2e/secret.csv", "page/../study.toml", "play/nothing.js"] {
        assert!(matches!(status("GET", &format!("/{token}/{path}"), &[]), 404 | 409), "{path}");
    }
    for name in ["../secret.csv", "%2Fetc%2Fx.csv", "a%2F..%2F..%2Fx.csv", ".hidden", "a%5Cb.csv", ""] {
        let path = format!("/{token}/api/files?name={name}&offset=0&last=true");
        assert_eq!(status("POST", &path, &[OWN]), 400, "{name}");
    }
    // A study that reads elsewhere is refused, and nothing is written.
    let text = "[study]\nname = \"a\"\n[levels]\nfiles = [\"../secret.csv\"]\n";
    let refused = page.post("api/study", &json!({ "text": text }));
    assert!(refused.status == 409 && refused.text().contains("outside the folder"), "{}", refused.text());
    assert!(!folder.path().join("study/study.toml").exists());
}
