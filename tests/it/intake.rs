//! Logs of foreign laboratories, read as they lie there: shapes of files, sessions, numbers.

use std::path::Path;

use plymap_measures::measure::AttemptEnd;
use plymap_puzzles::progress::Silent;
use plymap_run::study::Study;
use plymap_run::{Play, play, study_levels};

use crate::common::{files_of, program};
use crate::recorded_data::recorded;

/// Writes files into a folder.
pub fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, content) in files {
        let place = folder.join(name);
        std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        std::fs::write(place, content).expect("a file");
    }
}

/// Returns the play of a study in this folder at these levels, whose entries of `[log]` and behind it these are.
pub fn played(folder: &Path, game: &str, levels: &str, entries: &str) -> Play {
    let file = folder.join("study.toml");
    let head = format!("[study]\nname = \"intake\"\n[levels]\ngame = \"{game}\"\nfiles = ['{levels}']\n[log]\n");
    std::fs::write(&file, head + entries).expect("a study");
    let study = Study::read(&file).unwrap_or_else(|error| panic!("{error}"));
    let (levels, _) = study_levels(&study, &Silent).unwrap_or_else(|error| panic!("{error}"));
    play(&study, &levels, &Silent).unwrap_or_else(|error| panic!("{error}")).expect("a log")
}

#[test]
fn positions_alone_are_read_and_the_posed_one_is_no_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = "participant,level,state_after,onset_s\n\
               P,two,21/-/-,0\nP,two,2/1/-,2\nP,two,-/1/2,5\nP,two,-/-/21,6\n\
               Q,two,2/1/-,2\nQ,two,-/1/2,5\n";
    write(folder.path(), &[("levels.txt", "# id: two\n2 disks 3 pegs\n"), ("log.csv", log)]);
    let play = played(folder.path(), "tower-of-hanoi", "levels.txt", "files = ['log.csv']\n");
    let counts = play.account.counts;
    assert_eq!((counts.read, counts.rejected, counts.excluded), (6, 0, 0), "{:?}", play.account.diagnostics);
    let [posed, unposed] = play.measures.trials.as_slice() else { panic!("two trials") };
    assert_eq!((posed.n_moves, posed.is_solved, posed.first_move_latency_s), (Some(3.0), Some(true), Some(2.0)));
    assert_eq!((unposed.n_moves, unposed.is_solved, unposed.first_move_latency_s), (Some(2.0), Some(false), None));
}

/// Copies of the small logs of foreign shape, in a folder of one's own.
fn foreign(name: &str) -> Option<tempfile::TempDir> {
    let from = recorded(&format!("intake3/{name}"))?;
    let folder = tempfile::tempdir().expect("a folder");
    for (file, content) in files_of(&from) {
        let place = folder.path().join(file);
        std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        std::fs::write(place, content).expect("a file");
    }
    Some(folder)
}

/// Returns the diagnostics of the log with this code: file, column and rule of each.
pub fn said(play: &Play, code: &str) -> Vec<String> {
    let of_code = play.account.diagnostics.iter().filter(|diagnostic| diagnostic.code == code);
    of_code.map(|diagnostic| format!("{} {} {}", diagnostic.file, diagnostic.column, diagnostic.rule)).collect()
}

#[test]
fn files_whose_columns_differ_are_read_together() {
    let Some(folder) = foreign("differing_columns") else { return };
    let entries = "files = ['s1.csv', 's2.csv', 's3.csv']\npreset = 'jspsych'\nsteps = [{ where = 'puzzle is not missing' }]\n\
                   [columns]\nparticipant = 'subject'\nlevel = 'puzzle'\naction = 'response'\n";
    let play = played(folder.path(), "rush-hour", "levels.csv", entries);
    assert_eq!((play.account.counts.rejected, play.account.counts.excluded), (0, 0));
    assert_eq!(play.measures.participants, ["anna", "ben", "cleo"]);
    assert_eq!(said(&play, "column-missing").len(), 1);
    assert!(said(&play, "column-missing")[0].contains("2 of 3 files have no column \"comment\""));
}

#[test]
fn data_frames_as_json_are_read_in_every_form() {
    let Some(folder) = foreign("pandas_json") else { return };
    for file in ["h.json", "g.json"] {
        let entries = format!(
            "files = ['{file}']\nsteps = [{{ where = \"event == 'move'\" }}]\n[columns]\nparticipant = 'subject'\n\
             attempt = 'trial'\naction = 'move'\nrt = {{ column = 'rt', unit = 'ms' }}\n"
        );
        let play = played(folder.path(), "lights-out", "levels.txt", &entries);
        let counts = play.account.counts;
        assert_eq!((counts.read, counts.rejected, counts.excluded), (33, 0, 0), "{file}");
        assert_eq!(play.measures.participants, ["101", "102", "103"]);
    }
}

#[test]
fn lines_above_the_header_are_left_out_and_said() {
    let Some(folder) = foreign("other_lab") else { return };
    let study = std::fs::read_to_string(folder.path().join("study.toml")).expect("a study");
    let log = study.split_once("[log]\n").expect("a log").1.replace("nsession", "session");
    let play = played(folder.path(), "rush-hour", "levels.csv", &log);
    assert_eq!((play.account.counts.read, play.account.counts.rejected, play.account.counts.excluded), (134, 0, 0));
    assert_eq!(said(&play, "lines-above-header").len(), 2);
}

/// Someone who left before the first row leaves a file of 0 bytes, a header, or an empty list.
#[test]
fn people_who_left_early_stop_no_study() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = "participant,level,moves\n";
    let row = format!("{header}P,two,\"[{{\"\"move\"\": \"\"1>3\"\", \"\"t\"\": 2}}]\"\n");
    let none = format!("{header}Q,two,[]\n");
    write(folder.path(), &[("levels.txt", "# id: two\n2 disks 3 pegs\n"), ("a.csv", ""), ("b.csv", header)]);
    write(
        folder.path(),
        &[("c.csv", header), ("d.json", "[]"), ("e.csv", "\"\"\n"), ("f.csv", &none), ("g.csv", &row)],
    );
    let entries = "files = ['?.csv', 'd.json']\nsteps = [{ split = { column = 'moves' } }, { where = 't > 1' }]\n\
                   [columns]\naction = 'move'\n";
    let play = played(folder.path(), "tower-of-hanoi", "levels.txt", entries);
    assert_eq!((play.account.counts.read, play.account.counts.rejected), (1, 0));
    assert_eq!(said(&play, "empty-file").len(), 5);
}

/// Two people may press the same keys, as long as something tells that they are two.
#[test]
fn equal_files_of_different_people_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = "level,action\ntwo,1>3\n";
    write(folder.path(), &[("levels.txt", "# id: two\n2 disks 3 pegs\n"), ("raw/P1.csv", log), ("raw/P2.csv", log)]);
    let entries = "files = ['raw']\npath = 'raw/{participant}.csv'\n";
    let play = played(folder.path(), "tower-of-hanoi", "levels.txt", entries);
    assert_eq!(play.measures.participants, ["P1", "P2"]);
}

#[test]
fn a_data_set_is_read_as_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = "level\taction\ntwo\t1>3\n";
    write(folder.path(), &[("levels.txt", "# id: two\n2 disks 3 pegs\n"), ("set/dataset_description.json", "{}")]);
    write(folder.path(), &[("set/participants.tsv", "participant_id\nsub-1\n"), ("set/task-x_beh.json", "{}")]);
    write(folder.path(), &[("set/sub-1/beh/sub-1_task-x_beh.tsv", log), ("set/derivatives/sub-1_task-x_beh.tsv", log)]);
    let play = played(folder.path(), "tower-of-hanoi", "levels.txt", "files = ['set']\npreset = 'bids'\n");
    assert_eq!((play.account.files.len(), play.account.counts.read), (1, 1));
}

const RELOAD: &str =
    "preset = 'jspsych'\n[columns]\nlevel = 'puzzle'\naction = 'response'\nparticipant = 'subject_id'\n";

/// Session, level, whether it was solved and number of moves of each trial of somebody.
fn trials_of<'p>(play: &'p Play, participant: &str) -> Vec<(&'p str, &'p str, Option<bool>, Option<f64>)> {
    let Some(number) = play.measures.participants.iter().position(|name| name == participant) else {
        return Vec::new();
    };
    let trials = play.measures.trials.iter().filter(|trial| trial.participant == number);
    trials
        .map(|trial| {
            let level = play.measures.levels[trial.level].as_str();
            (trial.session.as_str(), level, trial.is_solved, trial.n_moves)
        })
        .collect()
}

#[test]
fn whoever_loads_the_page_again_begins_a_session() {
    let Some(folder) = foreign("reload") else { return };
    for raw in ["raw", "raw2"] {
        let play = played(folder.path(), "lights-out", "levels.txt", &format!("files = ['{raw}']\n{RELOAD}"));
        assert_eq!((play.account.counts.rejected, play.account.counts.excluded), (0, 0), "{raw}");
        let of_a = trials_of(&play, "A");
        assert_eq!(of_a[0], ("1", "two", Some(false), Some(3.0)), "{raw}");
        assert_eq!(of_a[2], ("2", "two", Some(true), Some(6.0)), "{raw}");
        assert_eq!(of_a[1].0, "2", "{raw}");
        let first = play.measures.attempts.iter().find(|attempt| attempt.session == "1" && attempt.tally.n_moves == 3);
        assert_eq!(first.map(|attempt| attempt.end), Some(AttemptEnd::Interrupted), "{raw}");
        assert!(trials_of(&play, "B").iter().all(|trial| trial.0 == "1"), "{raw}");
        assert_eq!(said(&play, "session-derived").len(), 1);
        let undivided = played(
            folder.path(),
            "lights-out",
            "levels.txt",
            &format!("files = ['{raw}']\nsessions = 'one'\n{RELOAD}"),
        );
        assert_eq!(trials_of(&undivided, "A")[1], ("1", "two", Some(false), Some(9.0)), "as the study says");
    }
}

/// Sessions of a column end attempts as those do that files and counters tell.
#[test]
fn an_attempt_that_is_open_at_the_end_of_a_session_of_a_column_is_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = ["1,one,1>2", "1,two,1>3", "2,one,1>3", "2,two,1>2"].map(|row| format!("P,{row}")).join("\n");
    let log = format!("participant,session,level,action\n{rows}\nQ,1,one,1>2\n");
    let levels = "# id: one\n2 disks 3 pegs\n\n# id: two\n2 disks 3 pegs\n";
    write(folder.path(), &[("levels.txt", levels), ("log.csv", &log)]);
    use AttemptEnd::{GaveUp, Interrupted, Open};
    for (entries, left) in [("", Open), ("implied_ends = true\n", GaveUp)] {
        let play = played(folder.path(), "tower-of-hanoi", "levels.txt", &format!("files = ['log.csv']\n{entries}"));
        let ends: Vec<AttemptEnd> = play.measures.attempts.iter().map(|attempt| attempt.end).collect();
        assert_eq!(ends, [left, Interrupted, left, Open, Open], "{entries}");
    }
}

/// The page saved some rows twice: the counter and the clock of jsPsych tell it.
#[test]
fn a_row_that_was_saved_again_is_no_second_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = ["1,1>3,1,900,P", "2,1>2,1,1800,P", "2,1>2,1,1800,P", "1,1>3,1,900,P", "3,3>2,1,2500,P"];
    let log = format!("trial_index,response,trial_type,time_elapsed,subject\n{}\n", rows.join("\n"));
    write(folder.path(), &[("levels.txt", "# id: two\n2 disks 3 pegs\n"), ("log.csv", &log)]);
    let entries =
        "files = ['log.csv']\npreset = 'jspsych'\n[columns]\nlevel = { value = 'two' }\naction = 'response'\n";
    let play = played(folder.path(), "tower-of-hanoi", "levels.txt", entries);
    assert_eq!((play.account.counts.rejected, play.account.counts.excluded), (2, 0));
    assert_eq!(trials_of(&play, "P"), [("1", "two", Some(false), Some(3.0))]);
    assert_eq!(said(&play, "duplicate-row").len(), 2);
    assert_eq!(said(&play, "repeated-row"), [""; 0]);
}

/// Returns what `plymap stats` of such a table prints on standard error.
fn said_by_stats(folder: &Path, table: &str, options: &[&str]) -> String {
    let arguments = [&["stats", table, "--estimator", "median", "--x", "rt"], options].concat();
    let output = program().current_dir(folder).args(arguments).output().expect("an output");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn stats_say_what_they_read_and_what_they_leave_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        ("groups.csv", "id;rt\na;987\nb;1.393\nc;1.204\n"),
        ("word.csv", "id;rt\na;1,5\nb;lost\n"),
        ("sections.csv", "[A]\nid,rt\na,1\n\n[B]\nid,rt\nc,3\n"),
        ("header.csv", "id,rt\n"),
    ];
    write(folder.path(), &files);
    let said = |table: &str, options: &[&str]| said_by_stats(folder.path(), table, options);
    assert!(said("groups.csv", &[]).starts_with("numbers are read with a decimal comma (--decimal-comma) and '.'"));
    assert!(said("groups.csv", &["--thousands", "."]).starts_with("Median of each column"), "as it was said");
    assert!(said("groups.csv", &["--thousands", "5"]).contains("thousands: '5' cannot stand between digits"));
    assert!(said("word.csv", &[]).contains("word.csv:3: \"lost\" in column \"rt\" is no number; mend the cell"));
    assert!(said("sections.csv", &[]).starts_with("sections.csv: the section \"A\" of the file is read"));
    assert!(said("header.csv", &[]).starts_with("header.csv: the file has no rows"));
    assert!(said("none.csv", &[]).contains("cannot read none.csv as a table: there is no such file"));
    assert!(said("study.toml", &["--missing", "-99"]).contains("a study was given: its [log] says how logs are read"));
}

#[test]
fn what_is_no_log_in_a_folder_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = ("raw/P.csv", "participant,level,action\nP,two,1>3\n");
    write(folder.path(), &[("levels.txt", "# id: two\n2 disks 3 pegs\n"), log, ("raw/.hidden", ""), ("raw/a.png", "")]);
    let play = played(folder.path(), "tower-of-hanoi", "levels.txt", "files = ['raw']\n");
    assert_eq!(said(&play, "files-left-out"), ["raw/P.csv  1 file of the folder is no log, and was left out"]);
}
