//! Guesses that are tried: what replays is proposed, whatever else could be read.

use std::path::{Path, PathBuf};

use plymap_import::{Certainty, Proposal, StudyText, propose, study_toml};
use plymap_log::{ColumnSpec, LogSpec, PipelineStep, Unit, sample};
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::load_levels;

use super::{happened, played_study};
use crate::common::{program, repository};
use crate::recorded_data::recorded;

/// The proposal for some files, and the study that it becomes.
fn proposal(files: &[PathBuf], levels: &Path, game: &str) -> Result<(Proposal, String), String> {
    let game = Game::find(game).expect("a game");
    let files_of_levels = [levels.to_owned()];
    let loaded = load_levels(&files_of_levels, &LevelColumns::default(), game, &RuleOptions::default());
    let loaded = loaded.map_err(|error| format!("{error:?}"))?;
    let rules: Vec<(&str, &dyn Rules)> = loaded.iter().map(|level| (level.origin.id.as_str(), &*level.rules)).collect();
    let proposal = propose(files, None, &rules, &Silent).map_err(|error| error.to_string())?;
    let text = study_of(&proposal, levels, game.name, Path::new("/"));
    Ok((proposal, text))
}

/// The study that a proposal becomes in a folder.
fn study_of(proposal: &Proposal, levels: &Path, game: &str, folder: &Path) -> String {
    let (levels, rules) = ([levels.to_owned()], toml::Table::new());
    let about = StudyText { name: "lab", game, levels: &levels, rules: &rules, folder };
    study_toml(proposal, &about).expect("a study")
}

/// The proposal for files of `intake3`, which have to be there.
fn of_intake(folder: &str, files: &[&str], levels: &str, game: &str) -> Option<(Proposal, String)> {
    let folder = recorded(&format!("intake3/{folder}"))?;
    let files: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    Some(proposal(&files, &folder.join(levels), game).unwrap_or_else(|error| panic!("{files:?}: {error}")))
}

/// The proposal for a log in memory.
fn of_log(name: &str, log: &str, levels: &str, game: &str) -> Result<(Proposal, String), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, level_file) = (folder.path().join(name), folder.path().join("levels.txt"));
    std::fs::write(&file, log).expect("a file");
    std::fs::write(&level_file, levels).expect("a file");
    proposal(&[file], &level_file, game)
}

fn template(text: &str) -> ColumnSpec {
    ColumnSpec::Template { template: text.to_owned() }
}

fn certainty(proposal: &Proposal, entry: &str) -> Option<Certainty> {
    proposal.notes.iter().find(|note| note.entry == entry).map(|note| note.certainty)
}

fn counts(proposal: &Proposal) -> (usize, u64) {
    (proposal.trial.n_moves, proposal.trial.n_unused)
}

#[test]
fn columns_that_together_are_moves() {
    let hanoi = "tower-of-hanoi";
    for (file, levels, game, action, n) in [
        ("F1_car_delta.csv", "A_levels", "rush-hour", "{car}{signed(delta)}", 219),
        ("C10_von_nach.csv", "C_levels2.txt", hanoi, "{von}>{nach}", 111),
        ("C11_from_to.csv", "C_levels2.txt", hanoi, "{from}>{to}", 111),
        ("C2_pegs123_clean.xlsx", "C_levels2.txt", hanoi, "{von}>{nach}", 111),
        ("A_jspsych", "A_levels", "rush-hour", "{car}{signed(delta)}", 219),
    ] {
        let Some((proposal, text)) = of_intake("guessed_moves", &[file], levels, game) else { return };
        assert_eq!(proposal.spec.columns["action"], template(action), "{file}: {text}");
        assert_eq!(counts(&proposal), (n, 0), "{file}: {text}");
        assert_eq!(certainty(&proposal, "action"), Some(Certainty::Sure), "{file}: {text}");
        assert!(!proposal.is_doubtful());
        // Decimal commas and units in names are times as well.
        assert!(text.contains("rt = ") || text.contains("onset = "), "{file}: {text}");
    }
}

#[test]
fn two_clicks_are_one_move() {
    let Some((proposal, text)) = of_intake("guessed_moves", &["B_psychopy"], "B_levels.txt", "tower-of-london") else {
        return;
    };
    assert_eq!(counts(&proposal), (93, 0), "{text}");
    assert!(text.contains("pair = "), "{text}");
    assert_eq!(certainty(&proposal, "onset"), Some(Certainty::Likely), "the times stand beside the clicks: {text}");
}

#[test]
fn people_are_no_levels_whatever_their_numbers() {
    for (file, levels, game, level, n) in [
        ("lo_a.csv", "lo.txt", "lights-out", "level", 80),
        ("lo_b.csv", "lo.txt", "lights-out", "level", 60),
        ("n0.csv", "levels.csv", "rush-hour", "level", 264),
        ("n3.csv", "levels.csv", "rush-hour", "trial", 264),
    ] {
        let Some((proposal, text)) = of_intake("people_or_levels", &[file], levels, game) else { return };
        let named = proposal.spec.columns.get("level").cloned().unwrap_or(ColumnSpec::column("level"));
        assert_eq!(named, ColumnSpec::column(level), "{file}: {text}");
        assert_eq!(counts(&proposal), (n, 0), "{file}: {text}");
        assert!(text.contains("next best: ") && text.contains("level = \""), "{file}: {text}");
    }
    // The study that comes of it: 5 people, 20 trials, all solved with the fewest moves.
    let Some((proposal, _)) = of_intake("people_or_levels", &["lo_b.csv"], "lo.txt", "lights-out") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let levels = recorded("intake3/people_or_levels/lo.txt").expect("it was there above");
    let played = played_study(folder.path(), &study_of(&proposal, &levels, "lights-out", folder.path()));
    let trials: std::collections::BTreeSet<_> = happened(&played, &[]).into_iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(trials.len(), 20);
}

#[test]
fn files_are_those_that_were_given() {
    let Some(folder) = recorded("intake3/file_list") else { return };
    let raw = folder.join("raw");
    let files: Vec<PathBuf> = (1..=4).map(|number| raw.join(format!("P0{number}.csv"))).collect();
    let levels = folder.join("levels.csv");
    let (_, text) = proposal(&files, &levels, "rush-hour").expect("a proposal");
    assert!(!text.contains('*') && text.contains("P04.csv\""), "{text}");
    let (_, text) = proposal(&[raw.join("P0*.csv")], &levels, "rush-hour").expect("a proposal");
    assert!(text.contains("raw/P0*.csv\"") && !text.contains("P01"), "{text}");
}

#[test]
fn marks_of_thousands_are_told_from_decimal_ones() {
    let Some((plain, _)) = of_intake("thousands", &["c2.csv"], "levels.txt", "lights-out") else { return };
    for number in [1, 3, 4, 5, 6, 7] {
        let file = format!("c{number}.csv");
        let Some((proposal, text)) = of_intake("thousands", &[&file], "levels.txt", "lights-out") else { return };
        assert_eq!(counts(&proposal), (32, 0), "{file}: {text}");
        // Files round otherwise: to a tenth of a millisecond, or to hundredths of a second.
        assert!(
            (median_time(&proposal) - median_time(&plain)).abs() < 0.006,
            "{file}: {} {text}",
            median_time(&proposal)
        );
        assert!(!text.contains("QUESTION"), "{file}: {text}");
    }
}

fn median_time(proposal: &Proposal) -> f64 {
    let rows = &proposal.trial.log.rows;
    let mut times: Vec<f64> = (0..rows.len()).filter_map(|row| rows.at(row).rt_s()).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[test]
fn moves_of_the_tower_of_hanoi_in_many_ways() {
    let hanoi = "tower-of-hanoi";
    let Some((one, _)) = of_intake("hanoi_ways", &["one_ft.csv"], "levels.txt", hanoi) else { return };
    assert_eq!(counts(&one), (70, 0));
    let reached =
        |proposal: &Proposal| -> Vec<_> { proposal.trial.replay.steps.iter().map(|step| step.after).collect() };
    for file in ["zero_ft.csv", "zero_dash.csv", "zero_list.csv"] {
        let Some((proposal, text)) = of_intake("hanoi_ways", &[file], "levels.txt", hanoi) else { return };
        assert_eq!(proposal.trial.n_unused, 0, "{file}: {text}");
        assert_eq!(reached(&proposal), reached(&one), "{file}: {text}");
    }
    // Of all files at once those are read that have positions; no step asks the others for what they lack.
    let files = "lmr one_ft st_bottom st_top state words zero_dash zero_ft zero_list";
    let files: Vec<String> = files.split(' ').map(|file| format!("{file}.csv")).collect();
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let Some((all, text)) = of_intake("hanoi_ways", &names, "levels.txt", hanoi) else { return };
    assert_eq!(counts(&all), (132, 0), "{text}");
    is_read_by_some_files(&all.spec, names.len());
    // Nothing can be read from cells that are all the same; the message says what stands there.
    let folder = recorded("intake3/hanoi_ways").expect("it was there above");
    let error = proposal(&[folder.join("state.csv")], &folder.join("levels.txt"), hanoi).expect_err("no moves");
    assert!(error.contains("\"board\" has \"x\""), "{error}");
}

const LIGHTS: &str = "# id: a\n*..\n...\n...\n\n# id: b\n**.\n*..\n...\n\n# id: c\n.*.\n***\n.*.\n";

/// Play of Lights Out that ends solved: level b needs one press on the lamp at the top left, level c one in the middle.
fn lights(row: impl Fn(usize, usize) -> String, head: &str) -> String {
    let mut log = format!("{head}\n");
    for person in ["P1", "P2", "P3", "P4"] {
        log += &format!("{person},c,{}\n", row(2, 2));
        log += &format!("{person},b,{}\n", row(1, 3));
        log += &format!("{person},b,{}\n", row(1, 1));
        log += &format!("{person},b,{}\n", row(1, 3));
    }
    log
}

/// Every part of the files of a proposal, as a page shows it.
fn is_read_by_some_files(spec: &LogSpec, n_files: usize) {
    for most in 1..=n_files {
        let read = sample(&LogSpec { max_files: Some(most), ..spec.clone() });
        assert!(read.is_ok(), "{most} of {n_files} files: {:?} {:?}", spec.steps, read.err());
    }
}

#[test]
fn steps_name_no_column_that_only_files_without_moves_have() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    };
    let press = |row: usize, column: usize| format!("@{},1.5", 3 * (row - 1) + column - 1);
    let none = |_: usize, _: usize| "x,1.5".to_owned();
    // The first file is one of those that lack the column of moves, so that it is read alone, too.
    let files = [
        file("a.csv", lights(none, "participant,level,board,rt_s")),
        file("b.csv", lights(press, "participant,level,move,rt_s").replace('P', "A")),
        file("c.csv", lights(press, "participant,level,move,rt_s").replace('P', "B")),
        file("d.csv", lights(none, "participant,level,shown,rt_s")),
    ];
    let levels = file("levels.txt", LIGHTS.to_owned());
    let (of_all, text) = proposal(&files, &levels, "lights-out").expect("a proposal");
    assert_eq!(counts(&of_all), (32, 0), "{text}");
    assert_eq!(of_all.spec.steps, [PipelineStep::Where("move is not missing".to_owned())], "{text}");
    assert_eq!(certainty(&of_all, "files"), Some(Certainty::Ask), "{text}");
    is_read_by_some_files(&of_all.spec, files.len());
    // Where somebody left trials unanswered, these count.
    let asked = file("e.csv", lights(press, "participant,level,move,rt_s").replace("P4,c,@4", "P4,c,"));
    let (proposal, text) = proposal(&[files[1].clone(), asked], &levels, "lights-out").expect("a proposal");
    assert!(text.contains("if(move is missing, 'null_move', 'move')"), "{text}");
    is_read_by_some_files(&proposal.spec, 2);
}

#[test]
fn rows_and_columns_are_told_by_goals_and_names() {
    for (head, cells) in [
        ("participant,level,col,row,rt_s", (|row, column| format!("{column},{row},1.5")) as fn(usize, usize) -> String),
        ("participant,level,row,col,rt_s", |row, column| format!("{row},{column},1.5")),
        ("participant,level,x,y,rt_s", |row, column| format!("{column},{row},1.5")),
    ] {
        let (proposal, text) = of_log("log.csv", &lights(cells, head), LIGHTS, "lights-out").expect("a proposal");
        assert_eq!(counts(&proposal), (16, 0), "{text}");
        let named = if head.contains("row") { "{row} {col}" } else { "{y} {x}" };
        assert_eq!(proposal.spec.columns["action"], template(named), "{head}: {text}");
    }
    // Places are numbered row by row, from 0 or from 1.
    for (first, form) in [(0, "@{cell}"), (1, "@{cell - 1}")] {
        let cells = |row: usize, column: usize| format!("{},1.5", 3 * (row - 1) + column - 1 + first);
        let log = lights(cells, "participant,level,cell,rt_s");
        let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
        assert_eq!(proposal.spec.columns["action"], template(form), "{text}");
    }
}

#[test]
fn halves_of_an_action_are_one_move() {
    for (begins, ends) in [("begin", "end"), ("mousedown", "mouseup"), ("start", "complete")] {
        let mut log = "participant,level,phase,press,time_ms\n".to_owned();
        for person in ["P1", "P2", "P3"] {
            let mut time = 1000;
            for press in ["r1c3", "r1c1", "r1c3"] {
                for phase in [begins, ends] {
                    log += &format!("{person},b,{phase},{press},{time}\n");
                    time += 300 + (time % 7) * 10;
                }
            }
        }
        let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
        assert_eq!(counts(&proposal), (9, 0), "{text}");
        assert_eq!(proposal.spec.events[begins], "ignore", "{text}");
    }
}

#[test]
fn of_long_logs_it_says_how_many_rows_were_looked_at() {
    let mut log = "participant,level,press,rt_s\n".to_owned();
    for person in 1..=7_000 {
        log += &format!("P{person},b,r1c3,1.5\nP{person},b,r1c1,0.5\nP{person},b,r1c3,2.5\n");
    }
    let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
    assert_eq!(counts(&proposal), (21_000, 0), "what becomes of rows is told of all");
    assert!(text.contains("it names 6,667 people in the first 20,000 rows that were looked at"), "{text}");
}

#[test]
fn a_trial_without_an_answer_is_a_null_move() {
    let mut log = "participant,level,trial_type,press,rt_s\n".to_owned();
    for person in ["P1", "P2", "P3"] {
        log += &format!("{person},b,instructions,,9.5\n{person},b,press,r1c3,1.5\n{person},b,press,,6.0\n");
        log += &format!("{person},b,press,r1c1,1.5\n{person},b,press,r1c3,0.5\n");
    }
    let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
    assert_eq!(counts(&proposal), (9, 0), "{text}");
    let n_null = proposal.trial.log.rows.len();
    assert_eq!(n_null, 12, "instructions are left out, and what nobody answered is not: {text}");
}

#[test]
fn names_of_people_that_programs_use() {
    for name in [
        "subject_nr",
        "participant.code",
        "ppt",
        "PPN",
        "subj_idx",
        "sona_id",
        "Pp",
        "pp_nr",
        "participant_nr",
        "vp_code",
        "Participant Number",
        "Participant Private ID",
        "workerId",
        "VP-Nr.",
        "SubjectID",
    ] {
        let log = lights(|row, column| format!("r{row}c{column},1.5"), &format!("{name},level,press,rt_s"));
        let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
        assert_eq!(proposal.spec.columns.get("participant"), Some(&ColumnSpec::column(name)), "{text}");
    }
    // What people are like is no name of theirs.
    for name in ["participant_age", "user_agent", "subject_parity", "player.id_in_group"] {
        let log = lights(|row, column| format!("r{row}c{column},1.5"), &format!("{name},level,press,rt_s"));
        let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
        assert_ne!(proposal.spec.columns.get("participant"), Some(&ColumnSpec::column(name)), "{text}");
    }
}

#[test]
fn what_names_no_level_is_shown() {
    let log = "participant,puzzle,press\nP1,nine,r1c1\nP1,ten,r1c2\n";
    let error = of_log("log.csv", log, LIGHTS, "lights-out").expect_err("no level");
    assert!(error.contains("\"puzzle\" has \"nine\", \"ten\", and the levels are \"a\", \"b\", \"c\""), "{error}");
}

#[test]
fn canonical_columns_are_read_and_said() {
    // `rt_s` is taken by its name alone, beside the clock that is found.
    let time = std::cell::Cell::new(0);
    let cells = |row: usize, column: usize| {
        time.set(time.get() + 900 + 70 * (time.get() % 11));
        format!("r{row}c{column},{},1.5", time.get())
    };
    let log = lights(cells, "participant,level,press,clock_ms,rt_s");
    let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
    assert_eq!(certainty(&proposal, "rt"), Some(Certainty::Sure), "{text}");
    assert!(!text.contains("rt ="), "{text}");
    // A time of the trial is none of its moves, whatever it is called.
    let Some((proposal, text)) = of_intake("guessed_moves", &["A_jspsych"], "A_levels", "rush-hour") else { return };
    assert_eq!(proposal.spec.columns["onset"], ColumnSpec::with_unit("t", Unit::Milliseconds), "{text}");
    assert!(!proposal.spec.columns.contains_key("rt"), "{text}");
    assert_eq!(proposal.trial.log.rows.at(0).rt_s(), Some(2.022), "{text}");
}

#[test]
fn averages_are_no_times_and_one_word_no_event() {
    // As OpenSesame has the mean of all responses so far, and oTree the page where somebody is.
    let number = std::cell::Cell::new(0);
    let cells = |row: usize, column: usize| {
        number.set(number.get() + 1);
        let n = number.get();
        format!("r{row}c{column},{},{},Move", 1500 + 10 * (n % 5), 900 + 70 * (7 * n % 11))
    };
    let log = lights(cells, "participant,level,press,average_response_time,player.rt,page");
    let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
    assert_eq!(proposal.spec.columns["rt"], ColumnSpec::with_unit("player.rt", Unit::Milliseconds), "{text}");
    assert!(!proposal.spec.columns.contains_key("event"), "{text}");
    assert_eq!(counts(&proposal), (16, 0), "{text}");
}

#[test]
fn a_number_of_moves_is_no_attempt() {
    let mut number = 0;
    let count = std::cell::RefCell::new(&mut number);
    let cells = |row: usize, column: usize| {
        **count.borrow_mut() += 1;
        format!("r{row}c{column},{},1.5", count.borrow())
    };
    let log = lights(cells, "participant,level,press,try,rt_s");
    let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
    assert!(!proposal.spec.columns.contains_key("attempt"), "{text}");
}

#[test]
fn boards_and_directions_of_2048_are_moves() {
    let levels = "# id: two\ntarget: 8\n2 2\n. .\n";
    let game = ["2 2 / . .,left", "4 . / 2 .,right", "2 4 / . 2,down", "2 4 / 2 2,left"];
    let mut log = "subject,level,board,direction,rt_ms\n".to_owned();
    for person in ["s1", "s2", "s3"] {
        game.iter().for_each(|row| log += &format!("{person},two,{row},900\n"));
    }
    let (proposal, text) = of_log("log.csv", &log, levels, "2048").expect("a proposal");
    let after = |row: usize| {
        let step = proposal.trial.replay.steps[row];
        (step.before, step.after)
    };
    assert_eq!(proposal.spec.columns["state_before"], ColumnSpec::column("board"), "{text}");
    assert_eq!(counts(&proposal), (12, 0), "{text}");
    assert_eq!(after(0).1, after(1).0, "the next row tells what chance did: {text}");
    let codes: Vec<&str> = proposal.trial.replay.diagnostics.iter().map(|diagnostic| &*diagnostic.code).collect();
    assert_eq!(codes, ["last-chance-unknown"; 3], "{text}");
}

#[test]
fn plays_of_the_same_level_are_told_apart() {
    let presses = ["r1c3", "r1c1", "r1c3"];
    // A round, a number of the move, and a number of the row that starts again when the page is loaded again.
    for (head, cell) in [
        ("round", (|round, _, _| round) as fn(usize, usize, usize) -> usize),
        ("press_nr", |_, press, _| press + 1),
        ("step", |_, press, _| press),
        ("row_nr", |_, _, row| row),
    ] {
        let mut log = format!("participant,level,{head},press,rt_ms\n");
        for person in ["P1", "P2", "P3"] {
            let mut row = 0;
            for round in 1..=2 {
                for (number, press) in presses.iter().enumerate() {
                    row = if head == "row_nr" && number == 0 { 10 } else { row + 1 };
                    log +=
                        &format!("{person},b,{},{press},{}\n", cell(round, number, row), 800 + 37 * row + 100 * round);
                }
            }
        }
        let (n, is_whole, text) = guessed_attempts(&log);
        assert_eq!((n, is_whole), (6, true), "{head}: {text}");
    }
}

fn guessed_attempts(log: &str) -> (usize, bool, String) {
    let (proposal, text) = of_log("log.csv", log, LIGHTS, "lights-out").expect("a proposal");
    let rows = &proposal.trial.log.rows;
    let plays: std::collections::BTreeSet<_> = (0..rows.len()).map(|row| rows.at(row).place()).collect();
    (plays.len(), proposal.trial.share() == 1.0, text)
}

#[test]
fn events_that_a_log_has_are_kept() {
    let mut log = "participant,level,event,action,state_before,state_after,rt_s\n".to_owned();
    for person in ["P1", "P2"] {
        log += &format!("{person},three,start,,321/-/-,321/-/-,0\n{person},three,move,1>3,321/-/-,32/-/1,2.5\n");
        log += &format!("{person},three,move,1>2,32/-/1,3/2/1,1.5\n{person},three,give_up,,3/2/1,3/2/1,4.5\n");
    }
    let (proposal, text) =
        of_log("log.csv", &log, "# id: three\n3 disks 3 pegs\n", "tower-of-hanoi").expect("a proposal");
    assert_eq!(counts(&proposal), (4, 0), "{text}");
    assert!(!text.contains("null_move"), "{text}");
}

#[test]
fn a_file_that_calls_a_column_otherwise_is_asked_about() {
    let folder = tempfile::tempdir().expect("a folder");
    let levels = folder.path().join("levels.txt");
    std::fs::write(&levels, LIGHTS).expect("a file");
    for (person, column) in [("P1", "press"), ("P2", "press"), ("P3", "move")] {
        let log =
            format!("participant,level,{column},rt_s\n{person},b,r1c3,1.5\n{person},b,r1c1,1\n{person},b,r1c3,2\n");
        std::fs::write(folder.path().join(format!("{person}.csv")), log).expect("a file");
    }
    let (proposal, text) = proposal(&[folder.path().join("P*.csv")], &levels, "lights-out").expect("a proposal");
    assert_eq!(certainty(&proposal, "files"), Some(Certainty::Ask), "{text}");
    assert!(text.contains("P3.csv\" give no move; some files lack \"press\": if"), "{text}");
}

#[test]
fn a_study_finds_the_script_of_its_game_and_doubt_has_an_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let lua = |file: &str| repository().join("data/lua").join(file);
    let study = folder.path().join("study");
    // The script is named as it is seen from here, and the study lies elsewhere.
    let mut imported = import(lua("river_log.csv"), lua("river_levels.txt"), &study);
    imported.args(["--game", "data/lua/river.lua"]).assert().success();
    program().arg("check").arg(&study).assert().success();
    // Presses on rows of lamps that the levels do not have.
    let (log, levels) = (folder.path().join("log.csv"), folder.path().join("levels.txt"));
    std::fs::write(&levels, LIGHTS).expect("a file");
    std::fs::write(&log, "participant,level,press\nP1,b,r1c1\nP1,b,r4c1\nP1,b,r5c1\n").expect("a file");
    import(log, levels, &folder.path().join("doubt")).args(["--game", "lights-out"]).assert().code(7);
}

fn import(log: PathBuf, levels: PathBuf, out: &Path) -> assert_cmd::Command {
    let mut program = program();
    program.current_dir(repository()).arg("import").arg(log).arg("--levels").arg(levels).arg("--out").arg(out);
    program
}

#[test]
fn steps_into_walls_are_null_moves_where_the_position_stays() {
    let mut log = "participant,level,action,state,next_state,rt_s\n".to_owned();
    for person in ["P1", "P2"] {
        log += &format!("{person},three,1>2,321/-/-,32/1/-,2.5\n{person},three,1>2,32/1/-,32/1/-,1\n");
        log += &format!("{person},three,1>3,32/1/-,3/1/2,1.5\n");
    }
    let (proposal, text) =
        of_log("log.csv", &log, "# id: three\n3 disks 3 pegs\n", "tower-of-hanoi").expect("a proposal");
    assert_eq!(counts(&proposal), (4, 0), "{text}");
    assert!(text.contains("null_moves = \"drop\""), "{text}");
}

#[test]
fn lists_of_lists_are_attempts_also_where_they_go_on_in_another_column() {
    let person = |name: &str| {
        format!(
            "{{\"playerId\": \"{name}\", \"level\": \"b\", \"afterBreakMoves\": [[\"r2c2 r2c2 r1c1\"]], \"beforeBreakMoves\": \
             [[\"r1c3\"], [\"r1c3\"], [\"r2c2 r2c2 r1c1\"], [\"r3c3 r3c3 r1c3\"], [\"r2c1 r2c1 r1c2 r1c2\"]]}}"
        )
    };
    let log = format!("[{}]", ["P1", "P2", "P3"].map(person).join(",\n"));
    let (proposal, text) = of_log("log.json", &log, LIGHTS, "lights-out").expect("a proposal");
    assert_eq!(counts(&proposal), (45, 0), "{text}");
    assert_eq!((proposal.trial.n_attempts, proposal.trial.n_solved), (18, 6), "{text}");
    assert!(text.contains("\"afterBreakMoves\" goes on where \"beforeBreakMoves\" ends"), "{text}");
    let rows = &proposal.trial.log.rows;
    let first: Vec<(i64, Option<&str>)> = (0..6).map(|row| (rows.at(row).attempt(), rows.at(row).action())).collect();
    let press = |attempt, press| (attempt, Some(press));
    let expected =
        [press(1, "r1c3"), press(2, "r1c3"), press(3, "r2c2"), press(3, "r2c2"), press(3, "r1c1"), press(4, "r3c3")];
    assert_eq!(first, expected, "{text}");
}

#[test]
fn lists_and_columns_that_are_left_aside_are_said() {
    let mut log = "participant,level,beforeMoves[0][0],beforeMoves[1][0],beforeMoves[2][0],afterMoves[0][0],\
                   afterMoves[1][0],afterMoves[2][0]\n"
        .to_owned();
    for person in ["P1", "P2", "P3"] {
        log += &format!("{person},b,r1c3 r2c2 r1c3,r1c3,r2c2 r2c2 r1c1,r2c3 r2c3 r1c1,,\n");
    }
    let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
    assert_eq!(counts(&proposal), (21, 0), "{text}");
    assert_eq!((proposal.trial.n_attempts, proposal.trial.n_solved), (9, 3), "{text}");
    let said = proposal.notes.iter().any(|note| note.reason.contains("\"afterMoves[{n}][0]\""));
    assert!(said, "{text}");
    // Lists of lists, of which each is an attempt.
    let log = "[{\"id\": \"P1\", \"level\": \"b\", \"moves\": [[\"r1c3\"], [\"r1c3\"], [\"r2c2\", \"r2c2\", \"r1c1\"]]},\n\
               {\"id\": \"P2\", \"level\": \"b\", \"moves\": [[\"r1c3\", \"r1c3\", \"r3c3\"], [\"r1c1\"]]},\n\
               {\"id\": \"P3\", \"level\": \"c\", \"moves\": [[\"r2c2\"]]}]";
    let (proposal, text) = of_log("log.json", log, LIGHTS, "lights-out").expect("a proposal");
    assert_eq!(counts(&proposal), (10, 0), "{text}");
    assert_eq!((proposal.trial.n_attempts, proposal.trial.n_solved), (6, 3), "{text}");
}

#[test]
fn two_readings_that_fit_alike_are_asked_about() {
    // Both boards and all presses are the same in a mirror, and no name tells rows from columns.
    let board = "# id: a\n.*.\n***\n.*.\n\n# id: b\n*.*\n...\n*.*\n";
    let mut log = "participant,level,pos1,pos2,rt_s\n".to_owned();
    for person in ["P1", "P2", "P3"] {
        log += &format!("{person},a,1,2,1.5\n{person},a,1,2,2.5\n{person},a,2,2,1.5\n");
    }
    let (proposal, text) = of_log("log.csv", &log, board, "lights-out").expect("a proposal");
    assert_eq!(counts(&proposal), (9, 0), "{text}");
    assert_eq!(certainty(&proposal, "action"), Some(Certainty::Ask), "{text}");
    assert!(text.contains("another reading fits as well; next best: action = \"{pos"), "{text}");
}

#[test]
fn a_column_of_small_numbers_is_no_lamp_where_a_text_reaches_goals() {
    let log = lights(
        |row, column| format!("7,{}{row},1.5", ["A", "B", "C"][column - 1]),
        "participant,level,attempt,action,rt_s",
    );
    let log = log.replacen(",7,", ",1,", 4);
    let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
    assert_eq!(counts(&proposal), (16, 0), "{text}");
    assert!(text.contains("column = \"action\", read = [\"{part_1}{part_2}\"]"), "{text}");
}

#[test]
fn a_key_among_words_is_asked_about() {
    let folder = repository().join("data/match_the_tiles");
    let log = std::fs::read_to_string(folder.join("log.csv")).expect("a log").replacen(",right,", ",r,", 1);
    let file = tempfile::tempdir().expect("a folder");
    let path = file.path().join("log.csv");
    std::fs::write(&path, log).expect("a file");
    let (proposal, text) = proposal(&[path], &folder.join("levels.txt"), "match-the-tiles").expect("a proposal");
    assert_eq!(certainty(&proposal, "action"), Some(Certainty::Ask), "{text}");
    assert!(text.contains("is \"r\" a move, or a key for something else?"), "{text}");
}

#[test]
fn columns_behind_the_last_move_are_no_moves() {
    let mut log = "participant,level,move1,move2,move3,move4,item1,item2,item3,item4\n".to_owned();
    for person in ["P1", "P2", "P3"] {
        log += &format!("{person},b,r1c3,r1c1,r1c3,,4,3,5,2\n{person},c,r2c2,,,,1,2,3,3\n");
    }
    let (proposal, text) = of_log("log.csv", &log, LIGHTS, "lights-out").expect("a proposal");
    assert_eq!(counts(&proposal), (12, 0), "{text}");
    assert_eq!(proposal.trial.log.rows.len(), 12, "{text}");
}

/// A clock of trials that stands still at their ends has not started again, and an end that says so is a solved level.
#[test]
fn a_clock_that_stands_still_is_no_counter_of_rows() {
    let Some((proposal, text)) =
        of_intake("other_lab", &["session_7.csv", "session_12.csv"], "levels.csv", "rush-hour")
    else {
        return;
    };
    assert_eq!((counts(&proposal), proposal.trial.n_solved), ((86, 0), 8), "{text}");
    for line in ["onset = { column = \"t_ms\", unit = \"ms\" }", "clock = \"trial\"", "trial_end = \"solved\""] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("row_number"), "{text}");
    assert_eq!(certainty(&proposal, "events.click_empty"), Some(Certainty::Ask));
}
