//! `steps` of `[log]`: each verb on a log of a few rows, read as a user writes it.

use plymap_log::{Log, LogError, LogSpec, read_log};
use plymap_puzzles::progress::Silent;

/// Reads files of a folder by the entries of `[log]`; the first file is the log unless `files` names others.
fn read(files: &[(&str, &str)], entries: &str) -> Result<Log, LogError> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        let place = folder.path().join(name);
        std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        std::fs::write(place, content).expect("a file");
    }
    let mut spec: LogSpec = toml::from_str(entries).unwrap_or_else(|error| panic!("{error}"));
    if spec.files.is_empty() {
        spec.files = vec![files[0].0.into()];
    }
    spec.folder = folder.path().to_owned();
    read_log(&spec, &Silent)
}

/// The rows of a log as texts of these columns, missing cells as `-`.
fn rows(log: &Log, columns: &[&str]) -> Vec<String> {
    let table = log.rows.table();
    let cell = |column: &str, row: usize| match table.column(column).expect(column).get(row).expect("a row") {
        polars::prelude::AnyValue::Null => "-".to_owned(),
        value => value.str_value().into_owned(),
    };
    (0..log.rows.len())
        .map(|row| columns.iter().map(|column| cell(column, row)).collect::<Vec<_>>().join(" "))
        .collect()
}

fn codes(log: &Log) -> Vec<String> {
    let rejected = log.diagnostics.iter().filter(|diagnostic| diagnostic.row > 0);
    rejected
        .map(|diagnostic| {
            format!("{}:{} {} {}", diagnostic.file, diagnostic.row, diagnostic.code, diagnostic.consequence)
        })
        .collect()
}

#[test]
fn where_keeps_rows_and_counts_the_others() {
    let log = "participant,level,action,block\nP1,1,A+1,test\nP1,1,B+1,practice\nP1,1,A+2,\n";
    let read = read(&[("log.csv", log)], "steps = [{ where = \"block == 'test'\" }]").unwrap();
    assert_eq!(rows(&read, &["action", "source_row"]), ["A+1 2"]);
    let step = &read.steps[0];
    assert_eq!((step.n_in, step.n_out, step.n_left_out, step.n_undecided), (3, 1, 2, 1));
    assert_eq!((read.n_read, read.files[0].n_rows), (1, 3));
}

#[test]
fn set_computes_from_the_row_as_it_came_and_rejects_what_is_no_number() {
    let log = "participant,level,piece,col,t\nP1,1,A,2,1500\nP1,1,B,1,late\n";
    let steps = "steps = [{ set = { action = \"concat(piece, signed(col))\", rt_s = \"t / 1000\", t = \"0\" } }]";
    let read = read(&[("log.csv", log)], steps).unwrap();
    assert_eq!(rows(&read, &["action", "rt_s", "t"]), ["A+2 1.5 0"]);
    assert_eq!(codes(&read)[0], "log.csv:3 expression rejected");
    let said =
        read.diagnostics.iter().find(|diagnostic| diagnostic.code == "expression").expect("a diagnostic").to_string();
    assert!(said.contains("\"late\": t should be a number in t / 1000"), "{said}");
}

#[test]
fn fill_takes_what_stands_above() {
    let log = "participant,level,action\nP1,easy,A+1\nP2,,A+2\nP1,,A+3\nP2,hard,A+4\nP2,,A+5\n";
    let steps = "steps = [{ fill = { columns = ['level'], by = ['participant'] } }]";
    let read = read(&[("log.csv", log)], steps).unwrap();
    assert_eq!(
        rows(&read, &["participant", "level", "action"]),
        ["P1 easy A+1", "P1 easy A+3", "P2 hard A+4", "P2 hard A+5"]
    );
    assert_eq!(codes(&read)[0], "log.csv:3 missing-level rejected", "nothing stands above it");
}

#[test]
fn split_takes_apart_every_form_of_a_nested_cell() {
    let split_cell = |cell: &str, more: &str| {
        let log = format!("[{{\"participant\": \"P1\", \"level\": 1, \"t\": 9, \"moves\": {cell}}}]");
        let steps = format!("steps = [{{ split = {{ column = 'moves'{more} }} }}]");
        read(&[("log.json", &log)], &steps)
    };
    let objects =
        split_cell("[{\"action\": \"A+1\", \"t\": 5}, {\"action\": \"B-1\", \"rt_s\": 0.5}]", ", number = 'n'")
            .unwrap();
    assert_eq!(rows(&objects, &["action", "rt_s", "t", "moves_t", "n"]), ["A+1 - 9 5 0", "B-1 0.5 9 - 1"]);
    let arrays = split_cell("{\"action\": [\"A+1\", \"B-1\"], \"rt_s\": [1, 2]}", "").unwrap();
    assert_eq!(rows(&arrays, &["action", "rt_s"]), ["A+1 1.0", "B-1 2.0"]);
    let object = split_cell("{\"action\": \"A+1\"}", "").unwrap();
    assert_eq!(rows(&object, &["action"]), ["A+1"]);
    assert!(matches!(split_cell("{\"action\": [\"A+1\"], \"rt_s\": [1, 2]}", ""), Err(LogError::MissingColumn { .. })));

    let text = "participant,level,action\nP1,1,A+1 B-1\nP1,1,\n";
    let words = read(&[("log.csv", text)], "steps = [{ split = { column = 'action', by = ' ' } }]").unwrap();
    assert_eq!(rows(&words, &["action", "source_row"]), ["A+1 2", "B-1 2"]);
    assert_eq!((words.steps[0].n_in, words.steps[0].n_out, words.steps[0].n_left_out), (2, 2, 1));

    let broken = "participant,level,action\nP1,1,\"[{\"\"action\"\": 1}\"\nP1,1,[\"A+1\"]\n"
        .replace("[\"A+1\"]", "\"[\"\"A+1\"\"]\"");
    let read = read(&[("log.csv", &broken)], "steps = [{ split = { column = 'action' } }]").unwrap();
    assert_eq!(
        (rows(&read, &["action"]), codes(&read)[0].as_str()),
        (vec!["A+1".to_owned()], "log.csv:2 bad-nested rejected")
    );
}

#[test]
fn wide_makes_a_row_for_each_number_and_shows_holes() {
    let log = "participant,level,m1,t1,m2,t2,m3,t3,m10,t10\nP1,1,A+1,1,,,A-1,2,,\nP2,1,,,,,,,,\nP3,1,A+1,1,A-1,1,A+1,1,A-1,4\n";
    let steps = "steps = [{ wide = { columns = { action = 'm{n}', rt_s = 't{n}' }, number = 'n' } }]";
    let read_it = read(&[("log.csv", log)], steps).unwrap();
    assert_eq!(
        rows(&read_it, &["participant", "action", "rt_s", "n"]),
        ["P1 A+1 1.0 1", "P1 A-1 2.0 3", "P3 A+1 1.0 1", "P3 A-1 1.0 2", "P3 A+1 1.0 3", "P3 A-1 4.0 10"]
    );
    assert_eq!(codes(&read_it)[0], "log.csv:2 missing-action rejected");
    let wrong = read(&[("log.csv", log)], "steps = [{ wide = { columns = { action = 'zug{n}' } } }]").unwrap_err();
    assert!(wrong.to_string().contains("no column is named \"zug{n}\" with a number"), "{wrong}");
}

#[test]
fn replace_can_depend_on_another_column() {
    let log = "participant,level,action\nP1,1,car\nP1,2,car\nP1,3,car\n";
    let steps = "steps = [{ replace = { column = 'action', by = 'level', values = { 1 = { car = 'A+1' }, 2 = { car = 'B+1' } } } }]";
    assert_eq!(rows(&read(&[("log.csv", log)], steps).unwrap(), &["action"]), ["A+1", "B+1", "car"]);
}

#[test]
fn notation_reads_words_in_any_language_and_says_other_letter_case() {
    let log = "participant,level,move\nP1,1,Auto B nach rechts 2\nP1,1,B NACH LINKS\nP1,1,RESET\n";
    let steps = r#"
        events = { RESET = "reset" }
        steps = [
            { notation = { column = "move", read = ["Auto {piece} {direction} {n}", "{piece} {direction}"], write = "{piece}{direction}", words = { direction = { "nach rechts" = "+", "nach links" = "-" } } } },
            { set = { action = "move" } },
        ]
    "#;
    let read = read(&[("log.csv", log)], steps).unwrap();
    assert_eq!(rows(&read, &["move", "event"]), ["B+ move", "B- move", "RESET reset"]);
    assert_eq!(codes(&read), ["log.csv:3 letter-case kept"]);
}

#[test]
fn pair_joins_pick_and_drop_and_rejects_halves() {
    let log = "participant,level,type,piece,cell,t\nP1,1,pick,A,0,1\nP1,1,drop,A,2,3\nP1,1,drop,A,3,4\nP1,1,pick,B,1,5\nP1,1,restart,,,6\nP1,1,pick,B,1,7\n";
    let entries = r#"
        events = { restart = "reset", drop = "move" }
        steps = [
            { pair = { first = "type == 'pick'", second = "type == 'drop'", by = ["participant"], prefix = "pick_" } },
            { set = { action = "concat(piece, '@', cell)", event = "type", onset_s = "t" } },
        ]
    "#;
    let read = read(&[("log.csv", log)], entries).unwrap();
    assert_eq!(
        rows(&read, &["event", "action", "pick_cell", "pick_t", "onset_s"]),
        ["move A@2 0 1 3.0", "reset - - - 6.0"]
    );
    let halves =
        ["log.csv:4 unpaired-row rejected", "log.csv:5 unpaired-row rejected", "log.csv:7 unpaired-row rejected"];
    assert_eq!(codes(&read).into_iter().filter(|code| code.contains("unpaired")).collect::<Vec<_>>(), halves);
    assert_eq!(read.steps.iter().map(|step| step.n_left_out).sum::<u64>(), 0, "a pick that waits is not left out");
}

#[test]
fn join_adds_the_columns_of_another_file() {
    let log = "vp,level,action\n1,1,A+1\n2,1,A+1\n3,1,A+1\n";
    let people = "id;condition;age\n1;slow;20\n2;fast;30\n";
    let entries = "steps = [{ join = { file = 'people.csv', by = { vp = 'id' } } }, { set = { participant = 'vp' } }]";
    let files = [("log.csv", log), ("people.csv", people)];
    let read_it = read(&files, entries).unwrap();
    assert_eq!(rows(&read_it, &["participant", "condition", "age"]), ["1 slow 20", "2 fast 30", "3 - -"]);
    assert_eq!(codes(&read_it), ["log.csv:4 not-joined kept"]);
    assert_eq!((read_it.joined.len(), read_it.joined[0].n_rows), (1, 2));
    let twice = [("log.csv", log), ("people.csv", "id,age\n1,20\n1,30\n")];
    let error = read(&twice, entries).unwrap_err().to_string();
    assert!(error.contains("people.csv:3: \"1\" stands in two rows"), "{error}");
}

#[test]
fn folders_patterns_and_paths_tell_files_and_columns() {
    let log = |action: &str| format!("level,action\n1,{action}\n");
    let (first, second, third) = (log("A+1"), log("A+2"), log("A+3"));
    let files = [
        ("raw/slow/P1-1.csv", first.as_str()),
        ("raw/fast/P2-1.csv", &second),
        ("raw/fast/P2-2.csv", &third),
        ("raw/notes.md", "no log"),
    ];
    let path = "path = '{condition}/{participant}-{session}.csv'";
    let expected = ["P1 1 slow A+1", "P2 1 fast A+2", "P2 2 fast A+3"];
    for entries in ["files = ['raw/*/*.csv']", "files = ['raw/**/*.csv']", "files = ['raw/slow', 'raw/fast']"] {
        let read = read(&files, &format!("{entries}\n{path}")).unwrap();
        assert_eq!(rows(&read, &["participant", "session", "condition", "action"]), expected, "{entries}");
    }
    let error = |entries: &str| read(&files, entries).unwrap_err().to_string();
    assert!(error("files = ['raw/*.csv']").contains("no file fits the pattern"));
    assert!(error("files = ['raw']").contains("the folder has no log in it"));
    assert!(error("files = ['raw/slow']\npath = '{participant}.tsv'").contains("does not end as the pattern"));
}

/// A workbook of two sheets, made with openpyxl: text, a whole number, a fraction, a date with a time, a truth value.
#[test]
fn sheets_of_a_workbook_are_read_as_text() {
    let book = crate::common::repository().join("tests/golden/workbook.xlsx");
    let spec = |table: Option<&str>| LogSpec {
        files: vec![book.clone()],
        table: table.map(str::to_owned),
        ..LogSpec::default()
    };
    let read = read_log(&spec(Some("moves")), &Silent).unwrap();
    let expected = ["Zoë 7 A+1 0.25 2026-03-01T10:00:00.25 true 2", "Zoë 7 B-1 1.5 - false 4"];
    assert_eq!(rows(&read, &["participant", "level", "action", "rt_s", "when", "done", "source_row"]), expected);
    let error = read_log(&spec(None), &Silent).unwrap_err().to_string();
    assert!(error.contains("the file has several tables; it has moves, notes: name one with `table`"), "{error}");
    assert!(read_log(&spec(Some("move")), &Silent).unwrap_err().to_string().contains("there is no table \"move\""));
}

#[test]
fn tables_of_a_database_are_read_as_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("log.db");
    let database = rusqlite::Connection::open(&file).expect("a database");
    let statements = "CREATE TABLE moves (participant TEXT, level INTEGER, action TEXT, rt_s REAL);
        INSERT INTO moves VALUES ('Zoë', 7, 'A+1', 0.25), ('Zoë', 7, 'B-1', NULL);";
    database.execute_batch(statements).expect("rows");
    let spec = LogSpec { files: vec![file], ..LogSpec::default() };
    let read = read_log(&spec, &Silent).unwrap();
    assert_eq!(
        rows(&read, &["participant", "level", "action", "rt_s", "source_row"]),
        ["Zoë 7 A+1 0.25 1", "Zoë 7 B-1 - 2"]
    );
    assert_eq!(read.files[0].format, "sqlite");
    database.execute_batch("CREATE TABLE people (id TEXT)").expect("a table");
    assert!(read_log(&spec, &Silent).unwrap_err().to_string().contains("it has moves, people: name one"));
}

#[test]
fn errors_of_steps_point_at_what_is_wrong() {
    let log = [("log.csv", "participant,level,action\nP1,1,A+1\n")];
    let error = |entries: &str| read(&log, entries).unwrap_err().to_string();
    let unknown = error("steps = [{ where = \"levle == '1'\" }]");
    assert_eq!(
        unknown,
        "[log] steps, where: there is no column \"levle\"; did you mean \"level\"?\n    levle == '1'\n    ^^^^^"
    );
    assert!(error("steps = [{ fill = { columns = ['levels'] } }]").contains("did you mean \"level\"?"));
    assert_eq!(
        error("steps = [{ where = \"level == 'R'\" }]"),
        "[log] steps: they leave no row: where level == 'R' left 0 of 1"
    );
    assert!(error("encoding = 'utf8x'").contains("is not known"));
    let wrong = toml::from_str::<LogSpec>("steps = [{ filter = 'x' }]").unwrap_err().to_string();
    assert!(wrong.contains("unknown variant `filter`, expected one of `where`, `set`"), "{wrong}");
}

/// A clock that starts with each trial tells first-move latencies; one that runs on does not.
#[test]
fn a_clock_of_trials_gives_first_move_latencies() {
    let log = "participant,level,event,action,onset_s\nP1,1,move,A+1,2.5\nP1,1,move,A-1,3\nP1,1,reset,,4\nP1,1,move,A+1,6\nP1,2,move,A+1,1\n";
    let latencies = |clock: &str| rows(&read(&[("log.csv", log)], clock).unwrap(), &["level", "attempt", "rt_s"]);
    assert_eq!(latencies(""), ["1 1 -", "1 1 0.5", "1 1 1.0", "1 2 2.0", "2 1 -"]);
    assert_eq!(latencies("clock = 'trial'"), ["1 1 2.5", "1 1 0.5", "1 1 1.0", "1 2 2.0", "2 1 1.0"]);
}

#[test]
fn a_preset_of_ones_own_says_what_all_studies_of_a_laboratory_share() {
    let preset = "[preset]\ntitle = 'Ours'\nasks = 'nothing'\n[log]\nnull_values = ['-99']\nsteps = [{ where = \"phase == 'test'\" }]\n\
                  [log.events]\nend = 'give_up'\n[columns]\nparticipant = ['code', 'vp']\naction = '{car}{cells}'\n";
    let log = "vp,level,phase,kind,car,cells\n7,1,warm-up,move,A,+1\n7,1,test,move,A,+2\n7,1,test,end,-99,\n";
    let files = [("log.csv", log), ("ours.toml", preset)];
    let entries = "files = ['log.csv']\npreset = 'ours.toml'";
    let mut spec: LogSpec = toml::from_str(entries).expect("entries");
    spec.columns.insert("event".to_owned(), plymap_log::ColumnSpec::column("kind"));
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).expect("a file");
    }
    spec.folder = folder.path().to_owned();
    let log = read_log(&spec, &Silent).unwrap();
    assert_eq!(rows(&log, &["participant", "event", "action"]), ["7 move A+2", "7 give_up -"]);
    assert_eq!(log.steps.iter().map(|step| step.n_left_out).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn files_without_header_with_repeated_names_and_with_keys_in_their_names() {
    let entries = "header = ['participant', 'level', 'action']";
    let log = read(&[("log.csv", "P1,1,A+1\nP1,1,A+2\n")], entries).unwrap();
    assert_eq!(rows(&log, &["action", "source_row"]), ["A+1 1", "A+2 2"]);

    let repeated = [("log.csv", "participant,level,action,note,note\nP1,1,A+1,x,y\n")];
    assert!(read(&repeated, "").unwrap_err().to_string().contains("repeated_columns = \"number\""));
    let log = read(&repeated, "repeated_columns = 'number'").unwrap();
    assert_eq!(rows(&log, &["note", "note_2"]), ["x y"]);

    let entries = "files = ['*.csv']\nentities = { sub = 'participant', ses = 'session' }";
    let named = [("sub-07_ses-2_beh.csv", "level,action\n1,A+1\n"), ("ses-1_sub-03_beh.csv", "level,action\n1,B+1\n")];
    let log = read(&named, entries).unwrap();
    assert_eq!(rows(&log, &["participant", "session", "action"]), ["03 1 B+1", "07 2 A+1"]);
}

#[test]
fn lists_of_several_columns_are_taken_apart_side_by_side() {
    let log = "participant,level,action,times\nP1,1,\"['A+1', 'B-2']\",\"[1.5, 2.25]\"\nP2,1,\"['A+1']\",\"[1, 2]\"\n";
    let log = read(&[("log.csv", log)], "steps = [{ split = { column = 'action', with = ['times'] } }]").unwrap();
    assert_eq!(rows(&log, &["participant", "action", "times"]), ["P1 A+1 1.5", "P1 B-2 2.25"]);
    let fault =
        log.diagnostics.iter().find(|diagnostic| diagnostic.code == "bad-nested").expect("a diagnostic").to_string();
    assert!(fault.contains("it has 2 elements, and \"action\" has 1"), "{fault}");
}

#[test]
fn events_of_xes_are_rows_with_the_attributes_of_their_trace() {
    let xes = "<?xml version='1.0'?>\n<log>\n<global scope='event'><string key='concept:name' value='?'/></global>\n\
               <trace>\n<string key='level' value='1'/><string key='who' value='P&amp;1'/>\n<event>\n\
               <string key='concept:name' value='A+1'><string key='inner' value='x'/></string>\n\
               <date key='time:timestamp' value='2026-03-02T09:00:00+01:00'/></event>\n</trace>\n</log>\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("log.xes"), xes).expect("a file");
    let entries = "files = ['log.xes']\npreset = 'xes'";
    let mut spec: LogSpec = toml::from_str(entries).expect("entries");
    spec.columns.insert("participant".to_owned(), plymap_log::ColumnSpec::column("case:who"));
    spec.folder = folder.path().to_owned();
    let log = read_log(&spec, &Silent).unwrap();
    assert_eq!(rows(&log, &["participant", "level", "action", "source_row"]), ["P&1 1 A+1 6"]);
    assert_eq!(log.rows.table().column("onset_s").unwrap().f64().unwrap().get(0), Some(1_772_438_400.0));
    assert!(log.rows.table().column("inner").is_err(), "attributes of attributes are no columns");
    std::fs::write(folder.path().join("log.xes"), xes.trim_end_matches("</log>\n")).expect("a file");
    assert!(read_log(&spec, &Silent).unwrap_err().to_string().contains("has no end"));
}
