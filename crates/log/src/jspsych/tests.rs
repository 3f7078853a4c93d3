use std::io::Write as _;

use super::*;
use plymap_puzzles::progress::Silent;

const HEADER: &str = "subject_id,time_elapsed,task,rt,mouse_click,current_position,tol_num_moves_made,tol_target,\
                      tol_problem_id,tol_correct,tol_min_moves";

/// Rows of a game from G-R on peg 1 and B on peg 2: pick and drop of `1>3`, a put-back, pick and drop of `2>1`.
const GAME: [&str; 7] = [
    r#"x,5000,tol_tohand,2000,tol_peg_1,"[[1,0,0],[3,0],[0]]",1,"[[1,3,0],[0,0],[2]]",7,,2"#,
    r#"x,5501,tol_toboard,500,tol_peg_3,"[[1,0,0],[3,0],[2]]",1,"[[1,3,0],[0,0],[2]]",7,,2"#,
    r#"x,6502,tol_tohand,1000,tol_peg_1,"[[0,0,0],[3,0],[2]]",2,"[[1,3,0],[0,0],[2]]",7,,2"#,
    r#"x,6753,tol_toboard,250,tol_peg_1,"[[1,0,0],[3,0],[2]]",2,"[[1,3,0],[0,0],[2]]",7,,2"#,
    r#"x,7454,tol_tohand,700,tol_peg_2,"[[1,0,0],[0,0],[2]]",3,"[[1,3,0],[0,0],[2]]",7,,2"#,
    r#"x,7755,tol_toboard,300.5,tol_peg_1,"[[1,3,0],[0,0],[2]]",3,"[[1,3,0],[0,0],[2]]",7,,2"#,
    "x,8755,tol_feedback,-1,,,,,,true,",
];

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("plymap-jspsych-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn import(name: &str, rows: &[&str]) -> Imported {
    let folder = Folder::new(name);
    let file = folder.file("x.csv", &format!("{HEADER}\n{}\n", rows.join("\n")));
    let imported = import_tower(&[file], &Silent).unwrap();
    assert_eq!(imported.n_rows(), rows.len());
    assert_eq!(imported.counts().iter().map(|(_, _, count)| count).sum::<usize>(), rows.len());
    assert_eq!(imported.n_of(RowOutcome::Pick), imported.moves().count());
    assert_eq!(imported.n_of(RowOutcome::Drop), imported.moves().count());
    imported
}

fn fates(imported: &Imported) -> Vec<&'static str> {
    imported.rows.iter().map(|row| row.outcome.name()).collect()
}

fn diagnostics(imported: &Imported) -> Vec<(&str, u64)> {
    imported.diagnostics.iter().map(|diagnostic| (&*diagnostic.code, diagnostic.row)).collect()
}

fn actions(imported: &Imported) -> Vec<&str> {
    imported.moves().map(|(_, played)| played.action.as_str()).collect()
}

#[test]
fn picks_and_drops_become_moves() {
    let imported = import("moves", &GAME);
    assert_eq!(fates(&imported), ["pick", "drop", "put-back-pick", "put-back-drop", "pick", "drop", "solved"]);
    assert_eq!(diagnostics(&imported), []);
    let columns = "participant,session,level,attempt,move_index,event,action,state_before,state_after,onset_s,rt_s,\
                   condition,problem,problem_number,pick_s,drop_s,n_put_backs,put_back_s,recorded_number,\
                   recorded_min_moves,raw_file,raw_pick_row,raw_row";
    let log = format!(
        "{columns}\n\
         x,1,7,1,0,move,1>3,GR/B/-,G/B/R,5.501,2.5,test,7,1,2,0.5,0,0,1,2,x.csv,2,3\n\
         x,1,7,1,1,move,2>1,G/B/R,GB/-/R,7.755,2.2505,test,7,1,0.7,0.3005,1,1.25,3,2,x.csv,6,7\n\
         x,1,7,1,,solved,,,,,,test,7,1,,,,,,,x.csv,,8\n"
    );
    assert_eq!(imported.log_csv(), log);
    let levels = "level,board,problem,condition,n_games,recorded_min_moves\n7,GR/B/- > GB/-/R,7,test,1,2\n";
    assert_eq!(imported.levels_csv(), levels);
    let account = "raw_file,raw_row,participant,task,became,level,attempt,move_index,rt_s\n\
                   x.csv,4,x,tol_tohand,put-back-pick,7,1,1,1\n\
                   x.csv,5,x,tol_toboard,put-back-drop,7,1,1,0.25\n\
                   x.csv,8,x,tol_feedback,solved,7,1,,\n";
    assert_eq!(imported.import_csv(), account);
    let json: serde_json::Value = serde_json::from_str(&imported.import_json()).unwrap();
    let folder = Folder::new("written");
    imported.write(&folder.0.join("new"), "tol-\"1\"").unwrap();
    let study = std::fs::read_to_string(folder.0.join("new/study.toml")).unwrap();
    let study: toml::Table = toml::from_str(&study).unwrap();
    assert_eq!(
        (study["study"]["name"].as_str(), study["log"]["files"][0].as_str()),
        (Some("tol-\"1\""), Some("log.csv"))
    );
    assert_eq!((&json["rows_read"], &json["moves"], &json["put_backs"]), (&7.into(), &2.into(), &1.into()));
}

#[test]
fn clicks_without_effect_and_timeouts_are_distinguished() {
    // At the start a click on the empty peg 3; later one on peg 3, which is full; then the time is up.
    let first = r#"x,3000,tol_tohand,400,tol_peg_3,"[[1,2,0],[3,0],[0]]",0,"[[1,3,0],[0,0],[2]]",7,,2"#;
    let full = r#"x,7600,tol_toboard,146,tol_peg_3,"[[1,0,0],[0,0],[2]]",3,"[[1,3,0],[0,0],[2]]",7,,2"#;
    let late = r#"x,9000,tol_tohand,-1,-1,"[[1,3,0],[0,0],[2]]",3,"[[1,3,0],[0,0],[2]]",7,,2"#;
    let rows = [first, GAME[0], GAME[1], GAME[4], full, GAME[5], late, GAME[6]];
    let imported = import("idle", &rows);
    let expected = ["idle-click", "pick", "drop", "pick", "idle-click", "drop", "no-click", "solved"];
    assert_eq!(fates(&imported), expected);
    let times: Vec<_> = imported.moves().map(|(_, played)| (played.rt, played.n_put_backs, played.put_back)).collect();
    let micros = |number| Some(Micros(number));
    assert_eq!(times, [(micros(2_900_000), 0, micros(400_000)), (micros(1_146_500), 0, micros(146_000))]);
    assert_eq!(imported.levels[0].board, "GR/B/- > GB/-/R");
    assert!(diagnostics(&imported).contains(&("no-click", 8)));
}

/// The time is up 17 s after the game of [`GAME`] began, with the ball of this position in the hand or with none.
fn late(task: &str, position: &str) -> String {
    format!(r#"x,20000,{task},-1,-1,"{position}",2,"[[1,3,0],[0,0],[2]]",7,,2"#)
}

const NOT_SOLVED: &str = "x,21000,tol_feedback,-1,,,,,,false,";

/// Event, onset and time of the rows of the log, and what was put back: how often, and its time.
type Happened = (&'static str, Option<f64>, Option<f64>, u32, Option<f64>);

fn happened(imported: &Imported) -> Vec<Happened> {
    let seconds = |time: Option<Micros>| time.map(|time| time.0 as f64 / 1e6);
    let of_row = |row: &LogRow| {
        let of_move = row.played.as_ref().map(|played| (played.onset, played.rt, played.n_put_backs, played.put_back));
        let of_rest = row.rest.as_ref().map(|rest| (rest.onset, rest.rt, rest.n_put_backs, rest.put_back));
        let (onset, rt, n_put_backs, put_back) = of_move.or(of_rest).unwrap_or_default();
        (row.event.name(), seconds(onset), seconds(rt), n_put_backs, seconds(put_back))
    };
    imported.log.iter().map(of_row).collect()
}

#[test]
fn a_problem_lasts_until_its_limit() {
    // The row of the pick, and the one that the task writes for the drop.
    let (pick, drop) = (late("tol_tohand", "[[1,0,0],[3,0],[2]]"), late("tol_toboard", "[[1,0,0],[3,0],[2]]"));
    let imported = import("limit", &[GAME[0], GAME[1], GAME[2], GAME[3], &pick, &drop, NOT_SOLVED]);
    let expected = ["pick", "drop", "put-back-pick", "put-back-drop", "no-click", "no-click", "not-solved"];
    assert_eq!(fates(&imported), expected);
    // 1.25 s of the put-back, and 13.247 s that went by since, by the clock.
    assert_eq!(
        happened(&imported),
        [("move", Some(5.501), Some(2.5), 0, Some(0.0)), ("limit", Some(20.0), Some(14.497), 1, Some(1.25)),]
    );
    let last = "x,1,7,1,,limit,,,,20,14.497,test,7,1,,,1,1.25,,,x.csv,,6\n";
    assert!(imported.log_csv().ends_with(last), "{}", imported.log_csv());
    assert!(diagnostics(&imported).ends_with(&[("no-click", 6), ("no-click", 7), ("not-solved", 8)]));
    // With a ball in the hand when the time was up, no move was made.
    let drop = late("tol_toboard", "[[1,0,0],[3,0],[0]]");
    let imported = import("limit-in-hand", &[GAME[0], &drop, NOT_SOLVED]);
    assert_eq!(fates(&imported), ["pick-without-drop", "no-click", "not-solved"]);
    assert_eq!(happened(&imported), [("limit", Some(20.0), Some(17.0), 0, Some(2.0))]);
    assert_eq!(imported.levels[0].board, "GR/B/- > GB/-/R");
    // Feedback alone tells that the task ended the problem.
    let imported = import("limit-of-feedback", &[GAME[0], GAME[1], GAME[2], GAME[3], NOT_SOLVED]);
    assert_eq!(happened(&imported)[1], ("limit", Some(6.753), Some(1.25), 1, Some(1.25)));
}

#[test]
fn what_rows_say_of_durations_counts_before_the_clock() {
    let durations = |durations: [&str; 4], problem_time: &str| {
        let header = format!("{HEADER},stim_duration,problem_time");
        let pick = late("tol_tohand", "[[1,0,0],[3,0],[2]]");
        let rows = [GAME[0], GAME[1], &pick, NOT_SOLVED];
        let rows: Vec<String> = rows
            .iter()
            .zip(durations)
            .map(|(row, duration)| {
                let of_problem = if *row == NOT_SOLVED { problem_time } else { "" };
                format!("{row},{duration},{of_problem}")
            })
            .collect();
        let folder = Folder::new(&format!("durations-{}-{problem_time}", durations[2]));
        let file = folder.file("x.csv", &format!("{header}\n{}\n", rows.join("\n")));
        happened(&import_tower(&[file], &Silent).unwrap())[1]
    };
    assert_eq!(durations(["2000", "500", "17500", "1000"], "20001").2, Some(17.5));
    assert_eq!(durations(["", "", "", ""], "20001").2, Some(17.501));
    assert_eq!(durations(["", "", "", ""], "").2, Some(14.499));
    // A problem does not last shorter than its moves.
    assert_eq!(durations(["", "", "", ""], "1000").2, Some(14.499));
}

#[test]
fn a_problem_without_a_move_is_one() {
    // A ball is lifted and put back until the time is up.
    let pick = late("tol_tohand", "[[1,0,0],[3,0],[2]]");
    let imported = import("lifted", &[GAME[2], GAME[3], &pick, NOT_SOLVED]);
    assert_eq!(happened(&imported), [("limit", Some(20.0), Some(14.497), 1, Some(1.25))]);
    assert_eq!((imported.levels[0].board.as_str(), imported.levels[0].n_games), ("G/B/R > GB/-/R", 1));
    assert!(imported.import_json().contains("\"games\": 1,"));
    // Where nothing tells how it ended, it did not end before that.
    let imported = import("lifted-only", &[GAME[2], GAME[3]]);
    assert_eq!(happened(&imported), [("null_move", Some(6.753), Some(1.25), 1, Some(1.25))]);
    let imported = import("lifted-last", &GAME[..4]);
    assert_eq!(happened(&imported)[1], ("null_move", Some(6.753), Some(1.25), 1, Some(1.25)));
    // What cannot be read may have been a move.
    let unreadable = GAME[4].replace("[[1,0,0]", "[[0,1,0]");
    assert_eq!(happened(&import("unreadable-last", &[GAME[0], GAME[1], &unreadable])).len(), 1);
    // Nothing is clicked at all. How long that took is not told, but that another problem had a limit.
    let waiting = late("tol_tohand", "[[1,2,0],[3,0],[0]]");
    let imported = import("waiting", &[&waiting, NOT_SOLVED]);
    assert_eq!(happened(&imported), [("limit", Some(20.0), None, 0, Some(0.0))]);
    assert_eq!(imported.levels[0].board, "GR/B/- > GB/-/R");
    let drop = late("tol_toboard", "[[1,0,0],[3,0],[0]]");
    let imported = import("waiting-too", &[GAME[0], &drop, NOT_SOLVED, &waiting, NOT_SOLVED]);
    assert_eq!(happened(&imported)[1], ("limit", Some(20.0), Some(17.0), 0, Some(0.0)));
    assert!(diagnostics(&imported).contains(&("limit-of-others", 5)));
}

#[test]
fn whoever_clicks_behind_a_limit_was_not_stopped() {
    let waiting = late("tol_tohand", "[[1,2,0],[3,0],[0]]").replacen("20000", "3000", 1);
    let after = late("tol_tohand", "[[1,0,0],[3,0],[2]]").replacen("20000", "6753", 1);
    let imported = import("goes-on", &[&waiting, GAME[0], GAME[1], &after, GAME[4], GAME[5], GAME[6]]);
    let events = ["move", "move", "solved"];
    assert_eq!(happened(&imported).iter().map(|row| row.0).collect::<Vec<_>>(), events);
    // The second one took 1.252 s by the clock; of the first one nothing is known.
    assert_eq!(happened(&imported)[0].2, None);
    assert_eq!(happened(&imported)[1].2, Some(2.2525));
}

#[test]
fn a_missing_drop_costs_one_move_and_is_reported() {
    let rows = [GAME[0], GAME[2], GAME[3], GAME[4], GAME[5], GAME[6]];
    let imported = import("missing-drop", &rows);
    assert_eq!(fates(&imported)[0], "pick-without-drop");
    let codes = [("pick-without-drop", 2), ("clock-disagrees", 3), ("position-jump", 3)];
    assert!(codes.iter().all(|code| diagnostics(&imported).contains(code)), "{:?}", imported.diagnostics);
    // Its time is not lost: 2 s of the pick, 1.25 s of the put-back, 1.0005 s of the move itself.
    let rts: Vec<_> = imported.moves().map(|(_, played)| played.rt).collect();
    assert_eq!((actions(&imported), rts), (vec!["2>1"], vec![Some(Micros(4_250_500))]));
}

#[test]
fn a_missing_pick_leaves_the_time_unknown() {
    let rows = [GAME[1], GAME[4], GAME[5], GAME[6]];
    let imported = import("missing-pick", &rows);
    assert_eq!(fates(&imported), ["drop-without-pick", "pick", "drop", "solved"]);
    assert_eq!(imported.moves().map(|(_, played)| played.rt).collect::<Vec<_>>(), [None]);
    assert!(diagnostics(&imported).contains(&("drop-without-pick", 2)));
    // The start of the problem is known from other games only; here it is the first position that can be trusted.
    assert_eq!(imported.levels[0].board, "G/B/R > GB/-/R");
}

#[test]
fn the_start_comes_from_games_that_have_it() {
    let other = GAME.map(|row| row.replacen('x', "y", 1));
    let folder = Folder::new("starts");
    let broken = folder.file("a.csv", &format!("{HEADER}\n{}\n", [GAME[1], GAME[4], GAME[5], GAME[6]].join("\n")));
    let whole = folder.file("b.csv", &format!("{HEADER}\n{}\n", other.join("\n")));
    let imported = import_tower(&[whole.clone(), broken.clone()], &Silent).unwrap();
    let boards: Vec<_> = imported.levels.iter().map(|level| level.board.as_str()).collect();
    assert_eq!(boards, ["GR/B/- > GB/-/R"]);
    assert_eq!(imported, import_tower(&[broken, whole], &Silent).unwrap());
}

#[test]
fn unusable_rows_are_reported_with_place_and_value() {
    let spoiled = |number: usize, from: &str, to: &str| {
        let text = GAME[number].replacen(from, to, 1);
        let mut rows = GAME.to_vec();
        rows[number] = &text;
        let imported = import(&format!("spoiled-{number}-{}", to.len()), &rows);
        let diagnostic = imported.diagnostics.iter().find(|diagnostic| diagnostic.row == number as u64 + 2).cloned();
        let diagnostic = diagnostic.unwrap_or_else(|| panic!("{:?}", imported.diagnostics));
        assert_eq!(diagnostic.file, "x.csv");
        [diagnostic.code.into_owned(), diagnostic.column, imported.rows[number].outcome.name().to_owned()]
    };
    assert_eq!(spoiled(0, "[[1,0,0],[3,0],[0]]", "[[1,0,0],[3,0]"), ["bad-position", "current_position", "unreadable"]);
    assert_eq!(spoiled(0, "[[1,0,0]", "[[0,1,0]"), ["bad-position", "current_position", "unreadable"]);
    assert_eq!(spoiled(0, "[[1,3,0]", "[[1,3]"), ["bad-position", "current_position", "unreadable"]);
    assert_eq!(spoiled(1, "tol_peg_3", ""), ["bad-peg", "mouse_click", "unreadable"]);
    assert_eq!(spoiled(1, "tol_peg_3", "tol_peg_9"), ["bad-peg", "mouse_click", "unreadable"]);
    assert_eq!(spoiled(1, "tol_peg_3", "tol_peg_2"), ["impossible-drop", "current_position", "contradiction"]);
    assert_eq!(spoiled(4, "tol_peg_2", "tol_peg_3"), ["impossible-pick", "current_position", "contradiction"]);
    assert_eq!(spoiled(0, "[3,0]", "[0,0]"), ["task-contradicts-position", "current_position", "contradiction"]);
    assert_eq!(spoiled(4, ",700,", ",fast,"), ["bad-time", "rt", "pick"]);
    assert_eq!(spoiled(4, ",700,", ",7,"), ["clock-disagrees", "rt", "pick"]);
    assert_eq!(spoiled(4, "\",3,", "\",5,"), ["move-count", "tol_num_moves_made", "pick"]);
    assert_eq!(spoiled(6, "true", "false"), ["not-solved", "tol_correct", "not-solved"]);
    assert_eq!(spoiled(6, ",true,", ","), ["ragged-row", "", "unreadable"]);
}

#[test]
fn solved_without_the_target_is_reported() {
    let imported = import("short", &[GAME[0], GAME[1], GAME[6]]);
    assert_eq!(diagnostics(&imported), [("feedback-contradicts-position", 4)]);
    let imported = import("cut", &GAME[..6]);
    assert_eq!(diagnostics(&imported), [("no-feedback", 7)]);
}

#[test]
fn one_id_for_several_problems_gets_names_of_its_own() {
    let again = GAME.map(|row| row.replace("[[1,3,0],[0,0],[2]]\",7", "[[1,3,0],[2,0],[0]]\",7"));
    let again = [&again[0], &again[1], &again[6]].map(String::as_str);
    let rows: Vec<&str> = GAME.into_iter().chain(again).chain(GAME).collect();
    let imported = import("several", &rows);
    let levels: Vec<_> = imported.levels.iter().map(|level| (level.id.as_str(), level.n_games)).collect();
    assert_eq!(levels, [("7-1", 2), ("7-2", 1)]);
    assert!(imported.diagnostics.iter().any(|diagnostic| diagnostic.code == "id-of-several-problems"));
    let attempts: Vec<_> =
        imported.moves().map(|(row, _)| (row.level.as_str(), row.attempt, row.problem_number)).collect();
    assert_eq!(attempts, [("7-1", 1, 1), ("7-1", 1, 1), ("7-2", 1, 2), ("7-1", 2, 3), ("7-1", 2, 3)]);
    // A problem that is really called so keeps its name.
    let other = GAME.map(|row| row.replace("\",7", "\",7-1"));
    let imported =
        import("several-and-one", &rows.into_iter().chain(other.iter().map(String::as_str)).collect::<Vec<_>>());
    let levels: Vec<_> = imported.levels.iter().map(|level| (level.id.as_str(), level.n_games)).collect();
    assert_eq!(levels, [("7-1+", 2), ("7-2", 1), ("7-1", 1)]);
}

#[test]
fn compressed_files_line_ends_and_sessions() {
    let folder = Folder::new("files");
    let text = format!("\u{feff}{HEADER}\r\n\r\n{}\r\n", GAME.join("\r\n"));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    let first = folder.0.join("a.csv.gz");
    std::fs::write(&first, packed.finish().unwrap()).unwrap();
    let second = folder.file("b.csv", &format!("{HEADER}\n{}", GAME.join("\n")));
    let imported = import_tower(&[first.clone(), second.clone()], &Silent).unwrap();
    let lines: Vec<_> = imported.moves().map(|(row, played)| (row.session, played.pick_line, row.line)).collect();
    assert_eq!(lines, [(1, 3, 4), (1, 7, 8), (2, 2, 3), (2, 6, 7)]);
    assert_eq!(diagnostics(&imported), [("several-sessions", 0)]);
}

#[test]
fn what_no_row_of_can_be_trusted_is_refused() {
    let folder = Folder::new("refused");
    let refused = |files: &[PathBuf]| import_tower(files, &Silent).unwrap_err().to_string();
    let good = folder.file("good.csv", &format!("{HEADER}\n{}\n", GAME.join("\n")));
    let copy = folder.file("copy.csv", &format!("{HEADER}\n{}\n", GAME.join("\n")));
    assert!(refused(&[]).contains("no file is given"));
    assert!(refused(&[folder.0.join("none.csv")]).contains("none.csv: the log file does not exist"));
    assert!(refused(&[good.clone(), copy]).contains("good.csv has the same content as"));
    let columns = folder.file("columns.csv", "task,rt\na,1\n");
    assert!(
        refused(&[columns])
            .contains("there is no column \"mouse_click\", which the task writes; the file has task, rt")
    );
    let twice = folder.file("twice.csv", &format!("{HEADER},task\n"));
    assert!(refused(&[twice]).contains("column \"task\" is named twice"));
    let other = folder.file("other.csv", &format!("{HEADER}\n{}\n", GAME[6]));
    assert!(refused(std::slice::from_ref(&other)).contains("no row is one of tol_tohand"));
    let nested =
        folder.file("nested.csv", &format!("{HEADER}\n{}\n", GAME[0].replace("[[1,0,0],[3,0],[0]]", "1,0,0,3,0")));
    let said = refused(&[nested]);
    assert!(said.contains("row 2, column current_position, \"1,0,0,3,0\": this is no position"), "{said}");
    // Beside a good file, one without games is no reason to stop.
    let imported = import_tower(&[good, other], &Silent).unwrap();
    assert_eq!(diagnostics(&imported), [("several-sessions", 0), ("no-games", 0)]);
}

/// The columns and words of the first authors, where these differ.
const FIRST: [(&str, &str); 8] = [
    ("tol_num_moves_made", "num_moves_made"),
    ("tol_target", "target"),
    ("tol_problem_id", "problem_id"),
    ("tol_correct", "correct"),
    ("tol_min_moves", "min_moves"),
    ("tol_tohand", "to_hand"),
    ("tol_toboard", "to_board"),
    ("subject_id", "worker_id"),
];

#[test]
fn the_columns_of_the_first_authors_say_the_same() {
    let as_first = |text: &str| FIRST.iter().fold(text.to_owned(), |text, (name, first)| text.replace(name, first));
    let header = as_first(HEADER).replace(",task,", ",trial_id,");
    let rows = GAME.map(|row| as_first(row).replace("tol_feedback", "feedback"));
    let text = |rows: &[String], header: &str, stage: &str| {
        let staged: Vec<String> = rows.iter().map(|row| format!("{row},{stage}")).collect();
        format!("{header},exp_stage\n{}\n", staged.join("\n"))
    };
    let folder = Folder::new("first-authors");
    let log = |text: &str| import_tower(&[folder.file("x.csv", text)], &Silent).unwrap().log_csv();
    let expected = import("others", &GAME).log_csv();
    assert_eq!(log(&text(&rows, &header, "test")), expected);
    assert_eq!(log(&text(&rows, &header, "practice")), expected.replace(",test,", ",practice,"));
    // Lists as writers of CSV flatten them.
    let flat = rows.clone().map(|row| row.replace(['[', ']'], ""));
    assert_eq!(log(&text(&flat, &header, "test")), expected);
    // JSON, whose rows count from 1 and not from the header.
    let mut json = Vec::new();
    for record in csv::Reader::from_reader(text(&rows, &header, "test").as_bytes()).records() {
        let record = record.unwrap();
        let pairs = format!("{header},exp_stage");
        let pairs = pairs.split(',').zip(record.iter()).filter(|(_, cell)| !cell.is_empty());
        let value = |cell: &str| if cell.starts_with("[[") { cell.to_owned() } else { format!("{cell:?}") };
        let pairs: Vec<String> = pairs.map(|(name, cell)| format!("{name:?}: {}", value(cell))).collect();
        json.push(format!("{{{}}}", pairs.join(", ")));
    }
    let file = folder.file("x.json", &format!("[{}]", json.join(", ")));
    let imported = import_tower(&[file], &Silent).unwrap();
    let places: Vec<_> = imported.moves().map(|(row, played)| (played.pick_line, row.line)).collect();
    assert_eq!((actions(&imported), places), (vec!["1>3", "2>1"], vec![(1, 2), (5, 6)]));
    let diagnostic = |rows: &[String]| {
        let file = folder.file("x.csv", &text(rows, &header, "test"));
        import_tower(&[file], &Silent)
            .unwrap()
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.column.clone())
            .collect::<Vec<_>>()
    };
    let spoiled = [&rows[..4], &[rows[4].replace("\",3,", "\",5,")]].concat();
    assert_eq!(diagnostic(&spoiled)[0], "num_moves_made", "as the file calls it");
}
