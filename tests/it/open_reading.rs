//! Read and Explore of `plymap open`: what a proposal asks is answered, all rows and columns are seen, and means are those that
//! groups are compared by.

use std::path::Path;

use serde_json::{Value, json};

use crate::open::{Page, data};

/// Moves of two levels with beginnings, a click that nobody explains and an end that says that the level is solved.
fn log_of_events() -> String {
    let rows = |who: &str, level: &str, moves: &[(&str, &str)]| {
        let moves = moves.iter().map(|(piece, distance)| format!("{who},{level},shift,{piece},{distance},false\n"));
        format!(
            "{who},{level},begin,,,false\n{}{who},{level},beep,,,false\n{who},{level},round_over,,,true\n",
            moves.collect::<String>()
        )
    };
    let one = [("E", "-2"), ("C", "-1"), ("A", "+2")];
    let two = [("F", "+1"), ("D", "-2"), ("E", "+2"), ("A", "+3")];
    let of_all = ["x1", "x2", "x3"].map(|who| rows(who, "demo-01", &one) + &rows(who, "demo-02", &two));
    format!("subject,level,event,q1,q2,solved\n{}", of_all.concat())
}

/// Proposes a study for this log at two levels of the demo, and returns its page.
pub fn proposed(folder: &Path, files: &[(&str, &str)]) -> Page {
    let page = Page::new(folder, &["--out", "study"]);
    for name in ["demo-01", "demo-02"] {
        page.drop_file(&format!("{name}.txt"), &data(&format!("demo/levels/{name}.txt")));
    }
    for (name, log) in files {
        page.drop_file(name, log.as_bytes());
    }
    assert_eq!(page.task("api/propose", &json!({}))["state"], "done");
    page
}

/// Returns the entries of which the proposal asks something.
fn questions(reading: &Value) -> Vec<String> {
    let notes = reading["notes"].as_array().expect("notes").iter();
    let asked = notes.filter(|note| note["certainty"] == "ask");
    asked.map(|note| note["entry"].as_str().expect("an entry").to_owned()).collect()
}

#[test]
fn questions_of_a_proposal_are_answered_and_its_comments_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = proposed(folder.path(), &[("log.csv", &log_of_events())]);
    let study = || std::fs::read_to_string(folder.path().join("study/study.toml")).expect("a study");
    let reading = page.value("api/reading");
    let asked = questions(&reading);
    assert_eq!(asked, ["columns.onset", "log.events.beep"], "{}", study());
    assert!(study().contains("# Look at the lines that have QUESTION above them"));
    let meaning = |reading: &Value, value: &str| {
        let events = reading["events"].as_array().expect("events");
        events.iter().find(|event| event["value"] == value).expect("a value")["meaning"].clone()
    };
    assert_eq!(["shift", "beep", "round_over"].map(|value| meaning(&reading, value)), ["move", "ignore", "solved"]);
    // 21 moves of 3 people, 6 beginnings, 6 beeps and 6 ends: the sum is told.
    let parts = json!([{ "key": "move", "n": 21 }, { "key": "start", "n": 6 }, { "key": "solved", "n": 6 }]);
    let account = &reading["account"];
    assert_eq!(["n_files", "n_in_files", "n_read"].map(|key| account[key].as_u64()), [1, 39, 33].map(Some));
    assert_eq!((&account["steps"][0]["n_left_out"], &account["parts"]), (&json!(6), &parts));
    assert_eq!((&reading["n_rows"], &reading["rows"][4]["outcome"]), (&json!(39), &json!("left-out")));

    let revision = || page.value("api/project")["revision"].clone();
    let edit = json!({ "path": ["log", "events", "beep"], "value": "null_move" });
    page.done("api/edit", &json!({ "edits": [edit], "seen": revision() }));
    let reading = page.value("api/reading");
    assert_eq!(
        (questions(&reading), meaning(&reading, "beep")),
        (vec!["columns.onset".to_owned()], json!("null_move"))
    );
    assert_eq!(reading["account"]["parts"][3], json!({ "key": "null_move", "n": 6 }));
    let confirm = |entry: &str| json!({ "edits": [], "confirmed": entry, "seen": revision() });
    page.done("api/edit", &confirm("columns.onset"));
    assert_eq!(questions(&page.value("api/reading")), Vec::<String>::new());
    let text = study();
    assert!(!text.contains("QUESTION") && text.contains("# Changed or confirmed by hand"), "{text}");
    let refused = page.post("api/edit", &confirm("columns.onset"));
    assert!(refused.status == 422 && refused.text().contains("asks nothing of columns.onset"), "{}", refused.text());
}

#[test]
fn steps_are_taken_out_and_parts_take_the_place_of_those_before_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = "subject,level,piece,from_row,from_col,to_row,to_col\nx1,demo-01,E,1,4,1,2\nx1,demo-01,C,2,2,1,2\n";
    std::fs::write(folder.path().join("demo-01.txt"), data("demo/levels/demo-01.txt")).expect("a level");
    std::fs::write(folder.path().join("log.csv"), log).expect("a log");
    let study = "[study]\nname = \"s\"\n[levels]\ngame = \"rush-hour\"\nfiles = [\"demo-01.txt\"]\n[log]\nfiles = \
                 [\"log.csv\"]\nsteps = [\n    { where = \"piece != 'X'\" },\n    # QUESTION: is it so?\n    { set = { d = \
                 \"signed(to_row - from_row + to_col - from_col)\" } },\n]\n[columns]\nparticipant = \"subject\"\naction = \
                 \"{piece}{d}\"\n";
    std::fs::write(folder.path().join("study.toml"), study).expect("a study");
    let page = Page::new(folder.path(), &["study.toml"]);
    let names = |reading: &Value| {
        let steps = reading["spec"]["steps"].as_array().expect("steps");
        steps.iter().map(|step| step["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let reading = page.value("api/reading");
    assert_eq!((names(&reading), questions(&reading)), (vec!["where".into(), "set".into()], vec!["log.set".into()]));
    assert!(reading["part_keys"].as_array().expect("parts").contains(&json!("to_row")));
    let without = json!({ "edits": [{ "path": ["log", "steps", "0"], "value": null }] });
    page.done("api/edit", &without);
    assert_eq!(names(&page.value("api/reading")), ["set"]);
    // What made the moves until now is no longer there, and the question about it neither.
    let parts = json!({ "parts": { "piece": "piece", "to_row": "to_row", "to_column": "to_col" } });
    page.done("api/parts", &parts);
    let reading = page.value("api/reading");
    assert_eq!((names(&reading), questions(&reading), &reading["share"]), (vec![], vec![], &json!(1.0)));
}

#[test]
fn columns_of_every_file_are_shown_and_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let log =
        |who: &str, header: &str| format!("{header}\n{who},demo-01,E-2,1\n{who},demo-01,C-1,1\n{who},demo-01,A+2,1\n");
    let (plain, other) = ("subject,level,action,x", "person,level,action,y");
    let files: Vec<(String, String)> =
        (1..=5).map(|n| (format!("s{n}.csv"), log(&format!("p{n}"), if n < 5 { plain } else { other }))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, log)| (name.as_str(), log.as_str())).collect();
    let page = proposed(folder.path(), &files);
    let study = std::fs::read_to_string(folder.path().join("study/study.toml")).expect("a study");
    assert!(study.contains("# QUESTION: \"logs/s5.csv\" give no move"), "files as the study names them: {study}");
    page.done("api/edit", &json!({ "edits": [{ "path": ["columns", "participant"], "value": "subject" }] }));
    let reading = page.value("api/reading");
    assert_eq!(reading["tables"][0]["n_files"], json!(4));
    assert_eq!(reading["tables"][1], json!({ "files": ["logs/s5.csv"], "n_files": 1, "n_columns": 4 }));
    let names = |reading: &Value| {
        let columns = reading["columns"].as_array().expect("columns");
        columns.iter().map(|column| column["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>().join(",")
    };
    assert_eq!((names(&reading), &reading["n_rows"]), (plain.to_owned(), &json!(12)));
    let of_other = page.value("api/reading?table=1");
    // Those that all files have come first.
    assert_eq!((names(&of_other), &of_other["n_rows"]), ("level,action,person,y".to_owned(), &json!(3)));
    assert_eq!(of_other["rows"][0]["file"], "logs/s5.csv");
    assert_eq!(of_other["n_participants"], json!(4));
    page.done(
        "api/edit",
        &json!({ "edits": [{ "path": ["columns", "participant"], "value": ["subject", "person"] }] }),
    );
    assert_eq!(page.value("api/reading?table=1")["n_participants"], json!(5));
}

#[test]
fn means_of_a_participant_are_those_that_groups_are_compared_by() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = Page::new(folder.path(), &[]);
    page.done("api/start", &json!({ "example": "demo" }));
    let overview = page.value("api/explore");
    let people = overview["participants"].as_array().expect("people");
    let some = people.iter().find(|one| one["n_solved"] != one["n_trials"]).expect("somebody with an unsolved trial");
    let name = some["participant"].as_str().expect("a name");
    let answer = page.value(&format!("api/explore/participant?name={name}"));
    let trials = answer["trials"].as_array().expect("trials").iter();
    let solved: Vec<f64> =
        trials.filter(|trial| trial["solved"] == true).map(|trial| trial["time_s"].as_f64().expect("a time")).collect();
    let geometric = (solved.iter().map(|time| time.ln()).sum::<f64>() / solved.len() as f64).exp();
    let of_key = |key: &str| {
        let measures = answer["measures"].as_array().expect("measures");
        measures.iter().find(|measure| measure["key"] == key).expect("a measure").clone()
    };
    let time = of_key("time_s");
    assert!((time["value"].as_f64().expect("a mean") - geometric).abs() < 1e-9, "{time}: {geometric}");
    assert_eq!((&time["n_trials"], &time["only_solved"]), (&json!(solved.len()), &json!(true)));
    assert_eq!((&of_key("solved")["n_trials"], &of_key("solved")["only_solved"]), (&some["n_trials"], &json!(false)));
    assert_eq!(some["time_s"], time["value"], "the overview says the same");

    // A figure of several pages has each of them, and a kind of several figures all of these.
    let pages = page.value("api/figures?kind=thinking-and-acting");
    let n_pages = pages[0]["n_pages"].as_u64().expect("a number");
    assert!(n_pages > 1 && pages[0]["n_wide"].as_u64() > Some(1), "{pages}");
    let csv = |number: u64| page.get(&format!("api/figure?kind=thinking-and-acting&format=csv&page={number}"));
    let texts: Vec<String> = (1..=n_pages).map(|number| csv(number).text()).collect();
    assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "each page has its own numbers");
    let beyond = csv(n_pages + 1);
    assert!(beyond.status == 404 && beyond.text().contains("has no page"), "{}", beyond.text());
    let several = page.value("api/figures?kind=difficulty-by");
    let last =
        several.as_array().and_then(|figures| figures.last()).expect("figures")["name"].as_str().expect("a name");
    assert_ne!(several[0]["name"], last);
    let drawing = |more: &str| page.get(&format!("api/figure?kind=difficulty-by&screen=wide{more}")).text();
    assert!(drawing(&format!("&figure={last}")) != drawing("") && drawing("").contains("<svg"));
}

#[test]
fn rows_of_unknown_levels_and_columns_without_an_entry_are_told_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = "participant,level,event,action,condition\nx1,demo-01,move,E-2,a\nx1,other,move,C-1,a\nx1,other,reset,,a\n\
               x1,demo-01,beep,,a\n";
    std::fs::write(folder.path().join("demo-01.txt"), data("demo/levels/demo-01.txt")).expect("a level");
    std::fs::write(folder.path().join("log.csv"), log).expect("a log");
    let study = "[study]\nname = \"s\"\n[levels]\ngame = \"rush-hour\"\nfiles = [\"demo-01.txt\"]\n[log]\nfiles = \
                 [\"log.csv\"]\n[log.events]\nbeep = \"ignore\"\n";
    std::fs::write(folder.path().join("study.toml"), study).expect("a study");
    let page = Page::new(folder.path(), &["study.toml"]);
    let reading = page.value("api/reading");
    let parts = json!([{ "key": "move", "n": 1 }, { "key": "unknown_level", "n": 2 }]);
    assert_eq!((&reading["account"]["parts"], &reading["account"]["n_in_files"]), (&parts, &json!(4)));
    // The reset should be no move, though it is left over too.
    let counts = ["n_moves", "n_unused", "n_left_over"].map(|key| reading[key].as_u64());
    assert_eq!((counts, &reading["share"]), ([1, 1, 2].map(Some), &json!(0.5)));
    let column = |reading: &Value| reading["columns"][4].clone();
    let condition = column(&reading);
    assert_eq!((&condition["role"], &condition["source"]), (&json!("condition"), &json!("name")));
    assert_eq!(reading["columns"][0]["leave_out"], Value::Null, "everybody has a participant");
    page.done("api/edit", &json!({ "edits": condition["leave_out"] }));
    let reading = page.value("api/reading");
    assert_eq!((column(&reading)["role"].clone(), &reading["n_moves"]), (Value::Null, &json!(1)));
}
