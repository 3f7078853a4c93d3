//! `plymap serve` gives levels to pages, answers hints, and neither loses nor doubles what is done.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{program, repository};
use crate::http::{Serving, TOKEN};

const KIND: &str = "Content-Type: application/json";

/// A study of some of the levels of a small study, whose log is what is recorded.
fn study(folder: &Path, game: &str) {
    let source = repository().join("data").join(game);
    fs::copy(source.join("levels.txt"), folder.join("levels.txt")).expect("a copy");
    let game = game.replace('_', "-");
    let text = format!(
        "[study]\nname = \"played\"\n\n[levels]\ngame = \"{game}\"\nfiles = [\"levels.txt\"]\n\n[log]\nfiles = [\"recorded.ndjson\"]\n"
    );
    fs::write(folder.join("study.toml"), text).expect("written");
}

fn serving(folder: &Path, more: &[&str]) -> Serving {
    let study = folder.join("study.toml");
    let arguments = ["serve", study.to_str().expect("a path"), "--port", "0", "--rate", "1000000"];
    Serving::new(&[&arguments[..], more].concat(), |_| ())
}

/// The lines of what was recorded.
fn recorded(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("recorded.ndjson")).expect("a log");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn event(seq: u64, level: &str, event: &str, action: &str) -> Value {
    let time_ms = 1_000.0 + 250.5 * seq as f64;
    json!({ "seq": seq, "level": level, "attempt": 1, "event": event, "action": action, "time_ms": time_ms, "onset_s": time_ms / 1e3 })
}

fn sent(participant: &str, events: &[Value]) -> Value {
    json!({ "participant": participant, "session": "1", "events": events })
}

#[test]
fn hints_are_those_of_the_command_and_positions_those_of_the_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    let serving = serving(folder.path(), &["--hints"]);
    let described = serving.get("/api/study").json();
    let levels = described["levels"].as_array().expect("levels");
    assert_eq!(described["plans"][0]["hints"], true);
    for (address, has_distances) in [("map", false), ("hints", true)] {
        let map = serving.get(&format!("/{}", levels[0][address].as_str().expect("an address")));
        assert_eq!(crate::experiment::head_of_map(&map.body)["distances"], has_distances);
    }
    for level in levels.iter().take(3) {
        let name = level["id"].as_str().expect("a name");
        let start = serving.get(&format!("/api/levels/{name}")).json();
        // Two moves into the level, and what plymap hint prints at each position.
        let mut position = start["start"].clone();
        for _ in 0..2 {
            let state = position["state"].as_str().expect("a position").to_owned();
            let query: String = state.bytes().map(|byte| format!("%{byte:02x}")).collect();
            let hint = serving.get(&format!("/api/levels/{name}/hint?state={query}"));
            assert_eq!(hint.status, 200);
            let file = folder.path().join("study.toml");
            let mut command = program();
            command.arg("hint").arg(&file).args(["--level", name, "--format", "json", &format!("--state={state}")]);
            let printed: Value = serde_json::from_slice(&command.output().expect("an answer").stdout).expect("JSON");
            assert_eq!(hint.json(), printed);
            let moves: Vec<&Value> = position["moves"].as_array().expect("moves").iter().collect();
            let known: Vec<&Value> = printed["moves"].as_array().expect("moves").iter().collect();
            assert_eq!(
                moves.iter().map(|entry| &entry["notation"]).collect::<Vec<_>>(),
                known.iter().map(|entry| &entry["move"]).collect::<Vec<_>>()
            );
            let body = json!({ "state": state, "action": moves[0]["notation"] });
            let played = serving.post(&format!("/api/levels/{name}/play"), &body).json();
            assert_eq!(played["position"]["state"], known[0]["state_after"]);
            // Paints are numbered position by position.
            let places = |drawing: &Value| -> Vec<Vec<Value>> {
                let shapes = drawing.as_array().expect("shapes").iter();
                shapes.map(|shape| [0, 1, 2, 3, 5].map(|place| shape[place].clone()).to_vec()).collect()
            };
            assert_eq!(places(&played["position"]["shapes"]), places(&moves[0]["after"]));
            let again = serving.get(&format!(
                "/api/levels/{name}/position?state={}",
                played["position"]["state"]
                    .as_str()
                    .expect("text")
                    .bytes()
                    .map(|byte| format!("%{byte:02x}"))
                    .collect::<String>()
            ));
            assert_eq!(
                again.json()["moves"].as_array().map(Vec::len),
                played["position"]["moves"].as_array().map(Vec::len)
            );
            position = played["position"].clone();
        }
    }
}

#[test]
fn requests_that_make_no_sense_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    fs::write(folder.path().join("secret.txt"), "secret").expect("written");
    let serving = serving(folder.path(), &[]);
    let name = serving.get("/api/study").json()["levels"][0]["id"].as_str().expect("a name").to_owned();
    let kind = "Content-Type: application/json";
    let level = format!("/api/levels/{name}");
    let fine = sent("P1", &[event(0, &name, "start", "")]).to_string();
    let many = sent("P1", &(0..501).map(|seq| event(seq, &name, "start", "")).collect::<Vec<_>>()).to_string();
    let with = |event: Value| sent("P1", &[event]).to_string();
    let changed = |key: &str, value: Value| {
        let mut event = event(0, &name, "start", "");
        event[key] = value;
        with(event)
    };
    let cases: Vec<(&str, String, Vec<&str>, String, u16)> = vec![
        ("GET", "/api/levels/nothing".into(), vec![], String::new(), 404),
        ("GET", "/nothing".into(), vec![], String::new(), 404),
        ("GET", "/play/../secret.txt".into(), vec![], String::new(), 404),
        ("GET", "/play/%2e%2e%2fsecret.txt".into(), vec![], String::new(), 404),
        ("GET", "/play//etc/passwd".into(), vec![], String::new(), 404),
        ("GET", format!("{level}/position?state=nonsense"), vec![], String::new(), 400),
        ("GET", format!("{level}/position?other=1"), vec![], String::new(), 400),
        ("GET", format!("{level}/hint"), vec![], String::new(), 403),
        ("GET", format!("{level}/map?hints=true"), vec![], String::new(), 403),
        ("GET", format!("{level}/map?hints=perhaps"), vec![], String::new(), 400),
        ("GET", "/media/1.png".into(), vec![], String::new(), 404),
        ("GET", "/media/%2e%2e%2fsecret.txt".into(), vec![], String::new(), 404),
        ("POST", format!("{level}/position"), vec![kind], "{}".into(), 405),
        ("POST", format!("{level}/play"), vec![], r#"{"state":"a","action":"b"}"#.into(), 415),
        ("POST", format!("{level}/play"), vec![kind], r#"{"state":"a","action":"b"}"#.into(), 400),
        ("POST", format!("{level}/play"), vec![kind], "{".into(), 400),
        ("POST", format!("{level}/play"), vec![kind], " ".repeat(300_000), 413),
        ("POST", "/api/events".into(), vec!["Content-Type: text/plain"], fine.clone(), 415),
        ("POST", "/api/events".into(), vec![kind], many, 413),
        ("POST", "/api/events".into(), vec![kind], fine.replace("P1", "../P1"), 400),
        ("POST", "/api/events".into(), vec![kind], changed("level", json!("nothing")), 400),
        ("POST", "/api/events".into(), vec![kind], changed("event", json!("dance")), 400),
        ("POST", "/api/events".into(), vec![kind], changed("attempt", json!(0)), 400),
        ("POST", "/api/events".into(), vec![kind], changed("action", json!("a".repeat(3_000))), 400),
        ("POST", "/api/events".into(), vec![kind], changed("value", json!("a".repeat(30_000))), 400),
        ("POST", "/api/events".into(), vec![kind], changed("block", json!("a".repeat(3_000))), 400),
        ("POST", "/api/events".into(), vec![kind], changed("level", json!("")), 400),
        ("POST", "/api/events".into(), vec![kind], changed("time_ms", json!("soon")), 400),
        ("POST", "/api/events".into(), vec![kind], changed("more", json!(1)), 400),
        ("POST", "/api/events".into(), vec![kind], changed("seq", json!(1)), 409),
        ("GET", "/api/sessions/a b/1".replace(' ', "%20"), vec![], String::new(), 400),
        ("GET", "/".into(), vec!["Host: elsewhere.example"], String::new(), 403),
    ];
    for (method, path, head, body, status) in cases {
        let answer = serving.ask(method, &path, &[&head[..], &[TOKEN]].concat(), body.as_bytes()).expect("an answer");
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text());
        assert!(answer.json()["error"].as_str().is_some_and(|why| why.len() > 10), "{method} {path}");
        assert!(!answer.text().contains("secret"));
    }
    // What is no request at all does not end the server.
    for bytes in [&b"\0\x01\x02"[..], b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", &[b'A'; 70_000]] {
        let mut stream = TcpStream::connect(&serving.address).expect("a connection");
        let _ = stream.write_all(bytes);
    }
    assert!(recorded(folder.path()).is_empty(), "nothing was recorded");
    assert_eq!(serving.post("/api/events", &sent("P1", &[event(0, &name, "start", "")])).json()["n_events"], 1);
}

#[test]
fn a_rate_that_is_too_high_is_refused_for_a_while() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    let study = folder.path().join("study.toml");
    let arguments = ["serve", study.to_str().expect("a path"), "--port", "0", "--rate", "1"];
    let serving = Serving::new(&arguments, |_| ());
    let statuses: Vec<u16> = (0..20).map(|_| serving.get("/api/study").status).collect();
    assert!(statuses[0] == 200 && statuses.contains(&429), "{statuses:?}");
    std::thread::sleep(Duration::from_millis(1_100));
    assert_eq!(serving.get("/api/study").status, 200);
}

/// A session of 200 events, sent in pieces by a page that only knows what was confirmed; the server is killed at 50 moments.
#[test]
fn a_server_that_is_killed_loses_and_doubles_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    let mut server = serving(folder.path(), &[]);
    let name = server.get("/api/study").json()["levels"][0]["id"].as_str().expect("a name").to_owned();
    let all: Vec<Value> = (0..200).map(|seq| event(seq, &name, "hint", &format!("number {seq}"))).collect();
    let mut confirmed = 0;
    let send = |server: &Serving, from: usize| -> Option<usize> {
        let until = all.len().min(from + 4);
        let body = sent("P1", &all[from..until]).to_string();
        let answer = server.ask("POST", "/api/events", &[KIND, TOKEN], body.as_bytes()).ok()?;
        Some(answer.json()["n_events"].as_u64()? as usize)
    };
    for moment in 0..50_u64 {
        // Killed before, while or after it answers: from 0 to 5 ms after the request left.
        let address = server.address.clone();
        let body = sent("P1", &all[confirmed..all.len().min(confirmed + 4)]).to_string();
        let request = server.request("POST", "/api/events", &[KIND, TOKEN], body.as_bytes());
        let asking = std::thread::spawn(move || {
            if let Ok(mut stream) = TcpStream::connect(&address) {
                let _ = stream.write_all(&request);
                let mut answer = Vec::new();
                let _ = std::io::Read::read_to_end(&mut stream, &mut answer);
            }
        });
        std::thread::sleep(Duration::from_micros(moment * 100));
        server.kill();
        asking.join().expect("a request");
        server = serving(folder.path(), &[]);
        // The page sends the same again, and learns what is there; nothing that was confirmed is gone.
        let n_recorded = send(&server, confirmed).expect("an answer");
        assert!(n_recorded >= confirmed, "{n_recorded} of {confirmed} confirmed");
        confirmed = n_recorded;
    }
    while confirmed < all.len() {
        confirmed = send(&server, confirmed).expect("an answer");
    }
    let lines = recorded(folder.path());
    assert_eq!(lines.len(), all.len());
    for (line, event) in lines.iter().zip(&all) {
        assert_eq!((&line["seq"], &line["action"]), (&event["seq"], &event["action"]));
    }
    let session = server.get("/api/sessions/P1/1").json();
    assert_eq!((session["n_events"].as_u64(), session["events"].as_array()), (Some(200), Some(&all)));
}

/// A network that drops every third request, before or after it arrives, and doubles every third other one.
#[test]
fn a_network_that_drops_and_doubles_loses_and_doubles_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    let server = serving(folder.path(), &[]);
    let name = server.get("/api/study").json()["levels"][0]["id"].as_str().expect("a name").to_owned();
    let all: Vec<Value> = (0..60).map(|seq| event(seq, &name, "hint", &seq.to_string())).collect();
    let (mut confirmed, mut number) = (0, 0);
    while confirmed < all.len() {
        number += 1;
        let body = sent("P1", &all[confirmed..all.len().min(confirmed + 2)]);
        if number % 6 == 3 {
            continue;
        }
        let answer = server.post("/api/events", &body).json();
        if number % 3 == 1 {
            assert_eq!(server.post("/api/events", &body).json(), answer, "a second time changes nothing");
        }
        if number % 6 != 0 {
            confirmed = answer["n_events"].as_u64().expect("a number") as usize;
        }
    }
    let numbers: Vec<u64> = recorded(folder.path()).iter().filter_map(|line| line["seq"].as_u64()).collect();
    assert_eq!(numbers, (0..60).collect::<Vec<u64>>());
    // Another page of the same session, and a hole.
    let other = server.post("/api/events", &sent("P1", &[event(3, &name, "hint", "other")]));
    assert_eq!((other.status, other.json()["conflict"].as_bool()), (409, Some(true)));
    let hole = server.post("/api/events", &sent("P1", &[event(99, &name, "hint", "")]));
    assert_eq!(
        (hole.status, hole.json()["n_events"].as_u64(), hole.json()["conflict"].as_bool()),
        (409, Some(60), None)
    );
    // A second server is told that the log is taken.
    let second =
        program().arg("serve").arg(folder.path().join("study.toml")).args(["--port", "0"]).output().expect("an end");
    assert!(!second.status.success() && String::from_utf8_lossy(&second.stderr).contains("another process"));
}

/// A file that nobody recorded to is refused, and left as it is, also without an end of its last line; the beginning of a line
/// of a log is cut off.
#[test]
fn only_what_was_recorded_here_is_cut_or_appended_to() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    let file = folder.path().join("recorded.ndjson");
    for (text, line) in
        [("a letter", 1), ("{\"a\": 1}", 1), ("{\"a\": 1}\n", 1), ("{\"participant\": 1}\n", 1), ("[", 1)]
    {
        fs::write(&file, text).expect("written");
        let output = program()
            .arg("serve")
            .arg(folder.path().join("study.toml"))
            .args(["--port", "0"])
            .output()
            .expect("an end");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && said.contains(&format!("recorded.ndjson:{line} is no recorded event")),
            "{text}: {said}"
        );
        assert_eq!(fs::read_to_string(&file).expect("a file"), text);
    }
    fs::remove_file(&file).expect("removed");
    let server = serving(folder.path(), &[]);
    let name = server.get("/api/study").json()["levels"][0]["id"].as_str().expect("a name").to_owned();
    server.post("/api/events", &sent("P1", &[event(0, &name, "start", "")]));
    drop(server);
    let whole = fs::read_to_string(&file).expect("a log");
    for end in [1, 10, 20, whole.len() - 4] {
        fs::write(&file, format!("{whole}{}", &whole[..end])).expect("written");
        drop(serving(folder.path(), &[]));
        assert_eq!(fs::read_to_string(&file).expect("a log"), whole, "{end}");
    }
}

/// Play of several participants at the levels of a game is a log that is read as it stands: no row is rejected, and the
/// times are those that were sent.
#[test]
fn what_was_recorded_is_read_as_it_stands() {
    for game in ["tower_of_london", "match_the_tiles", "2048"] {
        let folder = tempfile::tempdir().expect("a folder");
        study(folder.path(), game);
        let server = serving(folder.path(), &[]);
        let levels = server.get("/api/study").json()["levels"].clone();
        let levels: Vec<&str> =
            levels.as_array().expect("levels").iter().filter_map(|level| level["id"].as_str()).take(2).collect();
        for participant in ["P1", "P2"] {
            let mut seq = 0;
            let mut send = |level: &str, name: &str, action: &str, state: Option<&Value>| {
                let mut event = event(seq, level, name, action);
                if let Some(state) = state {
                    event["state_after"] = state.clone();
                }
                seq += 1;
                let answer = server.post("/api/events", &sent(participant, &[event]));
                assert_eq!(answer.json()["n_events"], seq, "{}", answer.text());
            };
            for level in &levels {
                let start = server.get(&format!("/api/levels/{level}")).json();
                let is_drawn = start["is_start_drawn"] == true;
                let mut position = start["start"].clone();
                send(level, "start", "", is_drawn.then_some(&position["state"]));
                for _ in 0..3 {
                    let Some(action) = position["moves"][0]["notation"].as_str() else { break };
                    let body = json!({ "state": position["state"], "action": action });
                    let played = server.post(&format!("/api/levels/{level}/play"), &body).json();
                    send(level, "move", played["notation"].as_str().expect("a move"), None);
                    position = played["position"].clone();
                }
                send(level, "give_up", "", None);
            }
        }
        drop(server);
        let out = folder.path().join("moves.csv");
        let labelled = program()
            .arg("label")
            .arg(folder.path().join("study.toml"))
            .arg("--out")
            .arg(&out)
            .output()
            .expect("an end");
        assert!(labelled.status.success(), "{game}: {}", String::from_utf8_lossy(&labelled.stderr));
        let mut rows = csv::Reader::from_path(&out).expect("a table");
        let rows: Vec<BTreeMap<String, String>> = rows.deserialize().collect::<Result<_, _>>().expect("rows");
        assert_eq!(rows.len(), recorded(folder.path()).len(), "{game}");
        let moves: Vec<_> = rows.iter().filter(|row| row["event"] == "move").collect();
        assert!(moves.len() >= 8, "{game}");
        let has_time =
            |row: &&BTreeMap<String, String>| row["rt_s"].parse::<f64>().is_ok_and(|time| (time - 0.2505).abs() < 1e-9);
        assert!(moves.iter().all(has_time), "{game}");
        let checked = program().arg("check").arg(folder.path().join("study.toml")).output().expect("an end");
        let said = String::from_utf8_lossy(&checked.stdout).into_owned() + &String::from_utf8_lossy(&checked.stderr);
        assert!(said.contains("nothing is wrong") && !said.contains("(rejected)"), "{game}: {said}");
    }
}

/// Checks a value against a schema of the description; says where and why if it does not fit.
fn fits(schema: &Value, value: &Value, description: &Value, place: &str) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return fits(&description["components"]["schemas"][name], value, description, &format!("{place} ({name})"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let only = [schema["type"].clone()];
    let kinds = schema["type"].as_array().map_or(&only[..], Vec::as_slice);
    if !kinds.iter().any(|known| known == kind || known == "number" && kind == "integer") {
        return Err(format!("{place}: {kind} instead of {}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|known| !known.contains(value)) {
        return Err(format!("{place}: {value} is not listed"));
    }
    if value.is_null() {
        return Ok(());
    }
    let length = value.as_array().map_or(0, Vec::len) as u64;
    if length < schema["minItems"].as_u64().unwrap_or(0) || length > schema["maxItems"].as_u64().unwrap_or(u64::MAX) {
        return Err(format!("{place}: {length} items"));
    }
    if schema["items"].is_object() {
        for (number, item) in value.as_array().into_iter().flatten().enumerate() {
            fits(&schema["items"], item, description, &format!("{place}[{number}]"))?;
        }
    }
    let has = |key: &str| value.get(key).is_some();
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.into_iter().find(|key| !has(key)) {
        return Err(format!("{place}: {missing} is missing"));
    }
    for (key, field) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(key) {
            Some(property) => fits(property, field, description, &format!("{place}.{key}"))?,
            None if schema["additionalProperties"] == false => return Err(format!("{place}: {key} is not described")),
            None => {}
        }
    }
    Ok(())
}

/// Every path of the description is asked, in a game of distances and one of points, well and badly.
#[test]
fn answers_are_as_they_are_described() {
    assert!(n_described("tower_of_london") >= 16 && n_described("2048") >= 16);
}

/// Asks everything that the description has of a server of the game; returns how many answers were as described.
fn n_described(game: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), game);
    let file = folder.path().join("study.toml");
    let experiment = "\n[experiment]\nconsent = \"Yes?\"\nseconds = 60\nbreaks = 1\nlink = \"https://example.org\"\n\n[[experiment.question]]\nname = \"how\"\ntext = \"How?\"\ntype = \"likert\"\noptions = [\"a\", \"b\"]\npoints = 5\n";
    fs::write(&file, fs::read_to_string(&file).expect("a study") + experiment).expect("written");
    let server = serving(folder.path(), &["--hints"]);
    let description = server.get("/api/openapi.json").json();
    let name = server.get("/api/study").json()["levels"][1]["id"].as_str().expect("a name").to_owned();
    let start = server.get(&format!("/api/levels/{name}")).json()["start"].clone();
    let state: String = start["state"].as_str().expect("text").bytes().map(|byte| format!("%{byte:02x}")).collect();
    let bodies: BTreeMap<&str, (Value, Value)> = [
        (
            "/api/levels/{level}/play",
            (json!({ "state": start["state"], "action": start["moves"][0]["notation"] }), json!({ "state": 1 })),
        ),
        ("/api/events", (sent("P2", &[event(0, &name, "start", "")]), sent("P2", &[event(7, &name, "start", "")]))),
        ("/api/sessions/{participant}/{session}", (json!({ "time_ms": 1.5, "onset_s": 0 }), json!({ "more": 1 }))),
        ("/api/sessions/{participant}/{session}/lease", (json!({}), json!({ "more": 1 }))),
    ]
    .into();
    let mut n_asked = 0;
    for (path, methods) in description["paths"].as_object().expect("paths") {
        let filled = path.replace("{level}", &name).replace("{participant}", "P1").replace("{session}", "1");
        let mut check = |method: &str, answer: &crate::http::Answer| {
            let response = &methods[method]["responses"][answer.status.to_string()];
            assert!(response.is_object(), "{method} {filled}: {} is not described: {}", answer.status, answer.text());
            let schema = &response["content"]["application/json"]["schema"];
            if schema.is_object() {
                assert_eq!(fits(schema, &answer.json(), &description, path), Ok(()));
            }
            n_asked += 1;
            answer.status
        };
        if let Some((good, bad)) = bodies.get(path.as_str()) {
            assert_eq!(check("post", &server.post(&filled, good)), 200);
            assert!(check("post", &server.post(&filled, bad)) >= 400);
        }
        if !methods["get"].is_object() {
            continue;
        }
        check("get", &server.get(&filled));
        if methods["get"]["parameters"]
            .as_array()
            .is_some_and(|parameters| parameters.iter().any(|parameter| parameter["name"] == "state"))
        {
            assert_eq!(check("get", &server.get(&format!("{filled}?state={state}"))), 200);
            assert_eq!(check("get", &server.get(&format!("{filled}?state=?"))), 400);
        }
        if path.contains("{level}") {
            assert_eq!(check("get", &server.get(&path.replace("{level}", "none"))), 404);
        }
    }
    n_asked
}

/// A page of one participant, with the secret that it drew or that its link has.
struct Player<'a> {
    server: &'a Serving,
    name: &'a str,
    secret: Option<&'a str>,
}

impl Player<'_> {
    fn ask(&self, method: &str, path: &str, body: &Value) -> crate::http::Answer {
        let authorization = self.secret.map(|secret| format!("Authorization: Bearer {secret}"));
        let head: Vec<&str> = authorization.as_deref().into_iter().chain((method == "POST").then_some(KIND)).collect();
        let body = if method == "POST" { body.to_string() } else { String::new() };
        self.server.ask(method, path, &head, body.as_bytes()).expect("an answer")
    }

    fn session(&self, session: &str) -> crate::http::Answer {
        self.ask("GET", &format!("/api/sessions/{}/{session}", self.name), &Value::Null)
    }

    fn begin(&self, session: &str, condition: Option<&str>) -> crate::http::Answer {
        let body = json!({ "condition": condition, "time_ms": 12.5, "onset_s": 0 });
        self.ask("POST", &format!("/api/sessions/{}/{session}", self.name), &body)
    }

    /// Opens the session as a page does, and sends what comes next.
    fn send(&self, events: &[Value]) -> crate::http::Answer {
        let opened = self.ask("POST", &format!("/api/sessions/{}/1/lease", self.name), &json!({}));
        let mut request = sent(self.name, events);
        request["lease"] = opened.json()["lease"].clone();
        self.ask("POST", "/api/events", &request)
    }
}

/// A study with conditions that are assigned in this way.
fn study_with_conditions(folder: &Path, assign: &str) {
    study(folder, "tower_of_london");
    let file = folder.join("study.toml");
    let more = format!(
        "\n[experiment]\nassign = \"{assign}\"\n\n[[experiment.condition]]\nname = \"easy\"\n\n[[experiment.condition]]\nname = \"hard\"\n"
    );
    fs::write(&file, fs::read_to_string(&file).expect("a study") + &more).expect("written");
}

/// The number and the condition that the first event of a session tells.
fn assigned(answer: &crate::http::Answer) -> (u64, String) {
    let event = &answer.json()["events"][0];
    assert_eq!((event["event"].as_str(), &event["condition"]), (Some("assign"), &event["action"]), "{}", answer.text());
    let number = event["value"].as_str().and_then(|number| number.parse().ok());
    (number.expect("a number"), event["action"].as_str().expect("a condition").to_owned())
}

/// Participants are numbered as they begin; whoever asks for a session that has not begun takes no number.
#[test]
fn participants_come_to_conditions_one_after_the_other() {
    let folder = tempfile::tempdir().expect("a folder");
    study_with_conditions(folder.path(), "evenly");
    let expected = |number: u64| (number, ["easy", "hard"][number as usize % 2].to_owned());
    let server = serving(folder.path(), &[]);
    for guess in 0..30 {
        let answer = server.get(&format!("/api/sessions/guess-{guess}/1")).json();
        assert_eq!(answer, json!({ "n_events": 0, "events": [] }));
    }
    assert_eq!(["P1", "P2", "P3", "P2"].map(|name| assigned_to(&server, name)), [0, 1, 2, 1].map(expected));
    // Who refuses the consent leaves the number to the next.
    let declined = Player { server: &server, name: "P2", secret: Some("P2") };
    assert_eq!(declined.send(&[event(1, "", "decline", "consent")]).json()["n_events"], 2);
    assert_eq!(["P4", "P5"].map(|name| assigned_to(&server, name)), [1, 3].map(expected));
    // What a page sends again after a log was lost is taken as it is, however large.
    let mut far = event(0, "", "assign", "easy");
    far["value"] = json!(u64::MAX.to_string());
    assert_eq!(Player { server: &server, name: "far", secret: Some("far") }.send(&[far]).status, 200);
    drop(server);
    let server = serving(folder.path(), &[]);
    assert_eq!(["P1", "P3", "P4", "P6"].map(|name| assigned_to(&server, name)), [0, 2, 1, 4].map(expected));
    assert_eq!(
        Player { server: &server, name: "P2", secret: Some("P2") }.session("1").json()["events"][0]["value"],
        "1"
    );
}

fn assigned_to(server: &Serving, name: &str) -> (u64, String) {
    let player = Player { server, name, secret: Some(name) };
    assert_eq!(player.session("1").status, 200);
    assigned(&player.begin("1", None))
}

/// People are counted within the condition that their link names, so that it has all rows of a Latin square.
#[test]
fn numbers_are_those_within_the_condition_of_a_link() {
    let folder = tempfile::tempdir().expect("a folder");
    study_with_conditions(folder.path(), "url");
    let server = serving(folder.path(), &[]);
    let begin =
        |name: &str, condition| Player { server: &server, name, secret: Some(name) }.begin("1", Some(condition));
    let begun = [("P1", "hard"), ("P2", "easy"), ("P3", "hard"), ("P4", "hard"), ("P5", "easy")];
    assert_eq!(begun.map(|(name, condition)| assigned(&begin(name, condition)).0), [0, 0, 1, 2, 1]);
    let none = begin("P6", "nothing");
    assert!(none.status == 400 && none.text().contains("easy, hard"), "{}", none.text());
}

/// Whoever guesses a code neither reads nor writes the session of another browser.
#[test]
fn a_session_is_that_of_the_page_that_began_it() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    let server = serving(folder.path(), &[]);
    let owner = Player { server: &server, name: "P1", secret: Some("drawn by the page") };
    assert_eq!(owner.begin("1", None).status, 200);
    assert_eq!(
        owner.begin("1", None).json()["events"],
        owner.session("1").json()["events"],
        "a second time changes nothing"
    );
    let late = owner.ask("POST", "/api/events", &sent("P1", &[event(1, "", "page", "x")]));
    assert_eq!((late.status, &late.json()["overtaken"]), (409, &json!(true)), "{}", late.text());
    for (secret, words) in [(None, "need a token"), (Some(""), "need a token"), (Some("guessed"), "another browser")] {
        let other = Player { secret, ..owner };
        let answers = [other.session("1"), other.begin("1", None), other.send(&[event(1, "", "page", "x")])];
        for answer in answers {
            assert_eq!((answer.status, answer.text().contains(words)), (401, true), "{}", answer.text());
        }
    }
    // Nobody begins a session that would be anybody's.
    let nobody = Player { name: "P2", secret: None, ..owner };
    for answer in [nobody.session("1"), nobody.begin("1", None), nobody.send(&[event(0, "", "page", "x")])] {
        assert_eq!((answer.status, answer.text().contains("Authorization")), (401, true), "{}", answer.text());
    }
    assert_eq!(recorded(folder.path()).len(), 1);
}

/// A log of sessions without claims is read, and gone on with, by whoever shows a token.
#[test]
fn a_session_that_was_recorded_without_a_claim_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    let log = folder.path().join("recorded.ndjson");
    let server = serving(folder.path(), &[]);
    assert_eq!(Player { server: &server, name: "P1", secret: Some("own") }.begin("1", None).status, 200);
    drop(server);
    let mut line = fs::read_to_string(&log).expect("a log");
    line.truncate(line.find(",\"claim\"").expect("a claim"));
    let sum = crc32fast::hash(line.as_bytes());
    fs::write(&log, format!("{line},\"crc32\":\"{sum:08x}\"}}\n")).expect("written");
    let server = serving(folder.path(), &[]);
    let player = Player { server: &server, name: "P1", secret: Some("another") };
    assert_eq!(player.session("1").json()["n_events"], 1);
    assert_eq!(player.send(&[event(1, "", "page", "x")]).json()["n_events"], 2);
}

/// Links have secrets, which stay when the server is started again, and nobody else takes part.
#[test]
fn those_who_are_invited_take_part_by_their_links() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    let table = folder.path().join("links.csv");
    let links = || -> Vec<BTreeMap<String, String>> {
        let rows = csv::Reader::from_path(&table).expect("a table").into_deserialize();
        rows.collect::<Result<_, _>>().expect("rows")
    };
    let with = |n: &str| serving(folder.path(), &["--participants", n, "--address", "https://lab.example/play/"]);
    let server = with("3");
    let first = links();
    assert_eq!(first.iter().map(|row| row["participant"].as_str()).collect::<Vec<_>>(), ["P01", "P02", "P03"]);
    for row in &first {
        let link = format!("https://lab.example/play/?participant={}&token={}", row["participant"], row["secret"]);
        assert_eq!((&row["link"], row["secret"].len()), (&link, 22));
    }
    let invited = Player { server: &server, name: "P02", secret: Some(&first[1]["secret"]) };
    assert_eq!(invited.begin("1", None).status, 200);
    for other in [
        Player { secret: None, ..invited },
        Player { secret: Some(&first[0]["secret"]), ..invited },
        Player { name: "P99", ..invited },
        Player { name: "P03", secret: None, ..invited },
    ] {
        for answer in [other.session("1"), other.begin("2", None), other.send(&[event(0, "", "page", "x")])] {
            assert_eq!(answer.status, 401, "{}", answer.text());
        }
    }
    drop(server);
    // A row of their own gets a secret; all others keep theirs.
    fs::write(&table, fs::read_to_string(&table).expect("a table") + "anna,,\n").expect("written");
    let server = with("3");
    let second = links();
    assert_eq!(second[..3], first[..]);
    assert!(second[3]["participant"] == "anna" && second[3]["secret"].len() == 22);
    let invited = Player { server: &server, name: "P02", secret: Some(&first[1]["secret"]) };
    assert_eq!(invited.session("1").json()["n_events"], 1);
    drop(server);
    let text = fs::read_to_string(&table).expect("a table");
    let rows = |more: &str| format!("{text}{more}\n");
    let other = first[0]["secret"].replace(|letter: char| letter.is_ascii_digit(), "x").replacen('a', "b", 1) + "x";
    for (text, words) in [
        (rows("anna,,"), "row 5: participant \"anna\" stands there twice"),
        (rows("../x,,"), "\"../x\" is no code"),
        (rows("ben,short,"), "can be guessed"),
        (rows("ben,sixteen letters and more,"), "more than letters"),
        (text.replace(&format!("P01,{}", first[0]["secret"]), &format!("P01,{other}")), "row 1: the link is not that"),
        (text.replace(&format!("P02,{}", first[1]["secret"]), "P02,"), "row 2: the link is not that"),
        (text.replace(',', ";"), "separated by semicolons"),
        (text.replace("participant,secret", "participant,key"), "no column secret"),
        (text.replace(",link\n", ",link,mail\n").replace("\nanna", ",\nanna"), "a column \"mail\""),
        (String::new(), "no column participant"),
        ("participant,secret,link\n".to_owned(), "no participants"),
    ] {
        fs::write(&table, &text).expect("written");
        let said = refused(folder.path(), &["--participants", "3"]);
        assert!(said.contains("links.csv") && said.contains(words) && said.contains("mend it"), "{words}: {said}");
        assert_eq!(fs::read_to_string(&table).expect("a table"), text, "it is left as it was");
    }
}

/// Returns the messages of a server that does not start.
fn refused(folder: &Path, more: &[&str]) -> String {
    let study = folder.join("study.toml");
    let mut command = program();
    command.arg("serve").arg(study).args(["--port", "0"]).args(more);
    let ended = command.timeout(Duration::from_secs(120)).output().expect("an end");
    assert!(!ended.status.success());
    String::from_utf8_lossy(&ended.stderr).into_owned()
}

/// No two codes differ by zeros alone, whatever number of participants was asked for before.
#[test]
fn further_links_go_on_with_the_codes_that_are_there_and_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    let table = folder.path().join("links.csv");
    let with = |n: &str| serving(folder.path(), &["--participants", n]);
    let codes = || -> Vec<String> {
        let mut rows = csv::Reader::from_path(&table).expect("a table");
        let begins_well = |secret: &str| secret.starts_with(|letter: char| letter.is_ascii_alphanumeric());
        let code = |row: csv::StringRecord| {
            assert!(begins_well(&row[1]), "{row:?}");
            row[0].to_owned()
        };
        rows.records().map(|row| code(row.expect("a row"))).collect()
    };
    with("40").said("40 new links, those of P01 to P40");
    with("100").said("60 new links, those of P41 to P100");
    let expected: Vec<String> = (1..=100).map(|number| format!("P{number:02}")).collect();
    assert_eq!(codes(), expected);
    let text = fs::read_to_string(&table).expect("a table");
    let without: String = text.lines().filter(|line| !line.starts_with("P07,")).flat_map(|line| [line, "\n"]).collect();
    fs::write(&table, without).expect("written");
    with("100").said("a new link, that of P07");
    assert!(!with("100").said("Ctrl-C").contains("new link"));
    fs::remove_file(&table).expect("removed");
    with("100").said("100 new links, those of P001 to P100");
}

/// Links lead to where participants can open them.
#[test]
fn links_begin_with_an_address_of_the_web() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    for host in ["0.0.0.0", "::"] {
        let said = refused(folder.path(), &["--participants", "3", "--host", host]);
        assert!(said.contains(host) && said.contains("--address"), "{said}");
    }
    for (address, words) in [
        ("javascript:alert(1)", "no address of the web"),
        ("lab.example/play", "no address of the web"),
        ("https://lab.example/?study=1", "question mark"),
        ("https://lab.example/#play", "hash"),
    ] {
        let said = refused(folder.path(), &["--participants", "3", "--address", address]);
        assert!(said.contains(words), "{address}: {said}");
    }
    assert!(!folder.path().join("links.csv").exists() && !folder.path().join("recorded.ndjson").exists());
}

/// Nothing is confirmed where others move the log, cut it or write to it; the researcher is told, and what to do is
/// done.
#[test]
fn a_log_that_others_touch_confirms_nothing_until_it_is_mended() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    let (log, away) = (folder.path().join("recorded.ndjson"), folder.path().join("away"));
    let server = serving(folder.path(), &[]);
    let post = |server: &Serving, seq: u64| server.post("/api/events", &sent("P1", &[event(seq, "", "page", "x")]));
    assert_eq!(post(&server, 0).status, 200);
    fs::rename(&log, &away).expect("renamed");
    let gone = post(&server, 1);
    assert_eq!((gone.status, &gone.json()["log"]), (503, &json!("gone")), "{}", gone.text());
    assert!(!gone.text().contains("recorded.ndjson"), "where the log is does not concern pages: {}", gone.text());
    assert_eq!(server.get("/api/sessions/P1/1").status, 503);
    let said = server.said("moved or renamed");
    assert!(said.contains("nothing is recorded") && said.contains("move it back"), "{said}");
    fs::rename(&away, &log).expect("renamed");
    assert_eq!(post(&server, 1).json()["n_events"], 2);
    server.said("recording goes on");
    fs::write(&log, fs::read_to_string(&log).expect("a log") + "a note\n").expect("written");
    assert_eq!(post(&server, 2).status, 503);
    server.said("--repair");
    drop(server);
    let refused =
        program().arg("serve").arg(folder.path().join("study.toml")).args(["--port", "0"]).output().expect("an end");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("recorded.ndjson:3") && said.contains("--repair"), "{said}");
    let server = serving(folder.path(), &["--repair"]);
    assert!(server.said("set aside").contains("has 2 events"));
    assert_eq!(fs::read_to_string(folder.path().join("recorded.ndjson.aside-1")).expect("a file"), "a note\n");
    assert_eq!(post(&server, 2).json()["n_events"], 3);
    assert_eq!(recorded(folder.path()).len(), 3);
}

/// A session is read back in pages, of 500 events at most, and of as many bytes as a request may have.
#[test]
fn a_long_session_is_read_back_in_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), "tower_of_london");
    let server = serving(folder.path(), &[]);
    let many: Vec<Value> = (0..2_000).map(|seq| event(seq, "", "page", &seq.to_string())).collect();
    let mut large: Vec<Value> = (0..100).map(|seq| event(seq, "", "answer", "how")).collect();
    large.iter_mut().for_each(|event| event["value"] = json!("ü".repeat(10_000)));
    for (participant, all, n_sent, n_pages) in [("P1", many, 500, 5), ("P2", large, 12, 9)] {
        for some in all.chunks(n_sent) {
            assert_eq!(server.post("/api/events", &sent(participant, some)).status, 200);
        }
        let (mut read, mut n): (Vec<Value>, usize) = (Vec::new(), 0);
        loop {
            let answer = server.get(&format!("/api/sessions/{participant}/1?from={}", read.len()));
            n += 1;
            assert!(answer.body.len() <= (1 << 18) + 100, "{} bytes", answer.body.len());
            let page = answer.json();
            assert_eq!(page["n_events"], all.len());
            match page["events"].as_array().map(Vec::as_slice) {
                Some([]) | None => break,
                Some(events) => {
                    assert!(events.len() <= 500);
                    read.extend(events.iter().cloned());
                }
            }
        }
        assert!(read == all, "{} events of {participant}", read.len());
        assert_eq!(n, n_pages);
    }
}
