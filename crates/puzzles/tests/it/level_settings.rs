//! Settings of levels in columns of tables and keys of JSON: they count as the same lines in text do, or are refused.

use std::path::PathBuf;
use std::sync::Arc;

use plymap_puzzles::diagnostic::{Diagnostic, SourceText};
use plymap_puzzles::graph::MapOptions;
use plymap_puzzles::level::{LevelColumns, is_setting_name, levels_of_text};
use plymap_puzzles::registry::{GAMES, Game, RuleOptions};
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel, load_levels, published_moves};

use crate::fixtures::options;

/// The levels of a text, as if it were a file of this name.
pub fn loaded(game: &str, name: &str, text: &str, options: &RuleOptions) -> Result<Vec<LoadedLevel>, Vec<Diagnostic>> {
    let source = Arc::new(SourceText { path: name.into(), text: text.to_owned() });
    let levels = levels_of_text(&source, &LevelColumns::default())?;
    let game = Game::named(game).expect("a game");
    let loaded: Vec<_> = levels.into_iter().map(|level| LoadedLevel::new(level, game, options)).collect();
    let (levels, faults): (Vec<_>, Vec<_>) = loaded.into_iter().partition(Result::is_ok);
    let faults: Vec<Diagnostic> = faults.into_iter().filter_map(Result::err).flatten().collect();
    if faults.is_empty() { Ok(levels.into_iter().filter_map(Result::ok).collect()) } else { Err(faults) }
}

/// The start of a level, the number of its states and the distance of its start.
fn described(level: &LoadedLevel) -> (String, usize, String) {
    let start = level.rules.format_state(level.rules.start());
    let n_states = level.rules.map(&MapOptions::default()).expect("a small level").n_states();
    let valued = ValuedLevel::new(level.clone(), "a game", &Default::default()).expect("a small level");
    (start, n_states, format!("{:?}", valued.start_value))
}

fn only(game: &str, name: &str, text: &str) -> LoadedLevel {
    let levels = loaded(game, name, text, &RuleOptions::default());
    let mut levels = levels.unwrap_or_else(|faults| panic!("{game} {text}\n{}", faults[0]));
    assert_eq!(levels.len(), 1, "{text}");
    levels.remove(0)
}

/// A game; a level with settings in lines, as a table and as JSON.
const SAME: [(&str, &str, &str, &str); 15] = [
    (
        "rush-hour",
        "# red: X\n# exit: left 2\n# wall: 3 3, 1 1\n...\nXX.\n...\n",
        "id,board,exit,red,walls\na,.../XX./...,left 2,X,\"3 3, 1 1\"\n",
        r#"{"board": "...XX....", "exit": {"side": "left", "line": 1}, "red": "X", "walls": [8, 0]}"#,
    ),
    (
        "rush-hour",
        "# board: 4x2\nAA..BB..\n",
        "board,Width,height\nAA..BB..,4,2\n",
        r#"{"board": "AA..BB..", "size": "4x2"}"#,
    ),
    (
        "lights-out",
        "# neighbourhood: torus\n*..\n...\n..*\n",
        "board,Neighbourhood\n*../.../..*,torus\n",
        r#"[{"board": "*../.../..*", "pattern": "torus"}]"#,
    ),
    (
        "lights-out",
        "# board: 4x2\n*..*.*..\n",
        "board,size\n*..*.*..,4x2\n",
        r#"{"board": "*..*.*..", "width": 4, "height": 2}"#,
    ),
    (
        "tower-of-london",
        "GR/B/- > B/G/R",
        "problem,board,goal\n1,GR/B/-,B/G/R\n",
        r#"{"start": ["GR", "B", ""], "goal": [["B"], ["G"], ["R"]]}"#,
    ),
    (
        "tower-of-london",
        "# capacities: 3 3 3\nGR/B/- > B/-/GR",
        "id,start,target,capacities\n1,GR/B/-,B/-/GR,3 3 3\n",
        r#"{"board": [["G", "R"], ["B"], []], "target": "B/-/GR", "capacities": [3, 3, 3]}"#,
    ),
    (
        "tower-of-hanoi",
        "32/1/- > -/32/1",
        "id,start_board,target\nb,32/1/-,-/32/1\n",
        r#"[{"board": [[3, 2], [1], []], "goal": "-/32/1"}]"#,
    ),
    (
        "tower-of-hanoi",
        "321/-/- > -/321/-",
        "id,start,goal\na,\"321\n-\n-\n\",\"-\n321\n-\"\n",
        r#"{"start": "321\n-\n-\n", "goal": "\n-\n321\n-"}"#,
    ),
    (
        "tower-of-hanoi",
        "321/-/- > -/321/-",
        "id,start,goal\r\na,\"321\r\n-\r\n-\r\n\",\"-\r\n321\r\n-\"\r\n",
        r#"{"start": "321\r\n-\r\n-\r\n", "goal": "-\r\n321\r\n-"}"#,
    ),
    (
        "tower-of-hanoi",
        "321/-/- > -/321/-",
        "id,start,goal\na,\"{\"\"C\"\":[],\"\"B\"\":[],\"\"A\"\":[3,2,1]}\",-/321/-\n",
        r#"{"start": {"C": [], "B": [], "A": [3, 2, 1]}, "goal": {"3": [], "2": [3, 2, 1], "1": []}}"#,
    ),
    ("tower-of-hanoi", "4 disks 4 pegs", "id,disks,pegs\nb,4,4\n", r#"[{"disks": 4, "pegs": 4}]"#),
    (
        "2048",
        "target: 8\n2 4\n2 .\n",
        "id,board,target\na,2 4 / 2 .,8\n",
        r#"{"board": [[2, 4], [2, 0]], "target": 8}"#,
    ),
    (
        "2048",
        "size: 2x2\ntarget: 8\n",
        "id,size,target\na,2x2,8\n",
        r#"{"id": "a", "width": 2, "height": 2, "target": "8"}"#,
    ),
    ("panguru", "RRG\nR-G\n", "id,plates,pebbles\na,RRG,R-G\n", r#"{"plates": ["R", "R", "G"], "pebbles": "R-G"}"#),
    ("match-the-tiles", "..A\n..x\na..\n", "id,board\na,..A/..x/a..\n", r#"{"board": ["..A", "..x", "a.."]}"#),
];

/// The fewest moves of a level.
pub fn distance(level: &LoadedLevel) -> u32 {
    ValuedLevel::new(level.clone(), "a game", &Default::default()).unwrap().start_distance().expect("solvable").0
}

#[test]
fn a_column_and_a_key_count_as_the_line_does() {
    for (game, text, table, json) in SAME {
        let expected = described(&only(game, "level.txt", text));
        assert_eq!(described(&only(game, "level.csv", table)), expected, "{table}");
        assert_eq!(described(&only(game, "level.json", json)), expected, "{json}");
    }
}

#[test]
fn the_bottom_of_a_list_is_said_where_its_top_could_be_meant() {
    let json = |peg: &str| format!(r#"{{"start": [{peg}, ["B"], []], "goal": "B/G/R"}}"#);
    let london = only("tower-of-london", "a.json", &json(r#"["G", "R"]"#));
    assert!(london.remarks[0].contains("read from the bottom"), "{:?}", london.remarks);
    assert_eq!(only("tower-of-london", "a.json", &json(r#""GR""#)).remarks, [""; 0]);
    let hanoi = only("tower-of-hanoi", "a.json", r#"{"start": [[1, 2, 3], [], []]}"#);
    assert_eq!(hanoi.remarks, [""; 0], "the sizes tell");
    assert_eq!(hanoi.rules.format_state(hanoi.rules.start()), "321/-/-");
}

#[test]
fn scripts_take_the_columns_that_they_list() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/lua");
    let rules = RuleOptions { folder, ..options("script = \"water_jugs.lua\"") };
    let text = "capacities: 8 5 3\nstart: 8 0 0\ngoal: 4 4 0\n";
    let start = |name: &str, text: &str| {
        let levels = loaded("lua", name, text, &rules).unwrap_or_else(|faults| panic!("{text}\n{}", faults[0]));
        described(&levels[0])
    };
    let expected = start("level.txt", text);
    assert_eq!(start("level.csv", "id,capacities,start,goal\na,8 5 3,8 0 0,4 4 0\n"), expected);
    assert_eq!(start("level.json", r#"[{"capacities": [8, 5, 3], "start": "8 0 0", "goal": "4 4 0"}]"#), expected);
    let faults = loaded("lua", "level.csv", "id,capacities,goal,red\na,5 3,4,X\n", &rules).unwrap_err();
    assert_eq!((faults[0].code, faults[0].place.line_and_column()), ("foreign-setting", (2, 9)));
}

#[test]
fn a_setting_of_another_game_is_refused_with_its_name() {
    let cases = [
        ("lights-out", "board,red\n*../.../..*,X\n", "\"red\" is no setting of a level of lights-out"),
        ("rush-hour", "board,goal\nAA.......,exit\n", "\"goal\" is no setting of a level of rush-hour"),
        ("tower-of-hanoi", "board,size\n321/-/-,3\n", "\"size\" is no setting of a level of tower-of-hanoi"),
    ];
    for (game, text, message) in cases {
        let faults = loaded(game, "level.csv", text, &RuleOptions::default()).unwrap_err();
        assert_eq!(
            (faults.len(), faults[0].code, faults[0].place.line_and_column().0),
            (1, "foreign-setting", 2),
            "{text}"
        );
        assert!(faults[0].message.starts_with(message), "{}", faults[0]);
    }
    let json = r#"{"board": [[2, 4], [2, 0]], "exit": "left"}"#;
    let faults = loaded("2048", "level.json", json, &RuleOptions::default()).unwrap_err();
    assert_eq!((faults[0].code, faults[0].place.line_and_column()), ("foreign-setting", (1, 38)));
}

#[test]
fn a_fault_in_such_a_cell_names_row_and_column() {
    let cases = [
        ("rush-hour", "board,exit\nAA.......,\nAA.......,\"up, left\"\n", "bad-exit", (3, 12), "exit"),
        ("lights-out", "board,neighbourhood\n*../.../..*,star\n", "bad-neighbourhood", (2, 13), "neighbourhood"),
        ("tower-of-hanoi", "board,target\n321/-/-,-/-/32x\n", "bad-disk", (2, 15), "target"),
        ("2048", "board,target\n2 4/2 .,7\n", "bad-target", (2, 9), "target"),
        ("tower-of-hanoi", "board,target\n32x/-/-,-/-/321\n", "bad-disk", (2, 3), ""),
        ("tower-of-hanoi", "board,target\n321/-/-,\"-\r\n-\r\n32x\"\n", "bad-disk", (4, 3), "target"),
        ("tower-of-hanoi", "disks,target_peg\n3,0\n", "peg-count", (2, 3), "there is no peg 0 among 3"),
    ];
    for (game, text, code, place, column) in cases {
        let faults = loaded(game, "level.csv", text, &RuleOptions::default()).unwrap_err();
        assert_eq!((faults[0].code, faults[0].place.line_and_column()), (code, place), "{}", faults[0]);
        assert!(column.is_empty() || faults[0].message.contains(column), "{}", faults[0]);
    }
}

#[test]
fn missing_words_are_no_settings_and_no_properties() {
    let levels = loaded(
        "tower-of-hanoi",
        "level.csv",
        "id,board,target,moves,note\na,32/1/-,undefined,n/a,na\nb,32/1/-,-/32/1,6,.\n,,,,\n",
        &RuleOptions::default(),
    );
    let levels = levels.unwrap_or_else(|faults| panic!("{}", faults[0]));
    assert_eq!(levels.len(), 2, "an empty row is no level");
    assert_eq!(levels[0].properties, []);
    assert_eq!(levels[1].properties, [("moves".to_owned(), "6".to_owned())]);
    let none = described(&only("2048", "a.csv", "id,size,target\na,2x2,none\n"));
    assert_eq!(none, described(&only("2048", "a.txt", "size: 2x2\ntarget: none\n")), "a value, and not a missing one");
}

#[test]
fn near_names_of_settings_are_settings() {
    let same = [
        ("tower-of-hanoi", "321/-/- > -/321/-", "level,start,end\na,321/-/-,-/321/-\n"),
        ("tower-of-hanoi", "321/-/- > -/321/-", "level,start,goalState\na,321/-/-,-/321/-\n"),
        ("tower-of-hanoi", "321/-/- > -/321/-", "level,initial,final\na,321/-/-,-/321/-\n"),
        ("tower-of-hanoi", "321/-/- > -/321/-", "level,start,target_peg,disks\na,321/-/-,2,3\n"),
        ("tower-of-hanoi", "321/-/- > -/321/-", r#"[{"id":"a","startState":"321/-/-","goalState":"-/321/-"}]"#),
        ("tower-of-hanoi", "4 disks 3 pegs", r#"[{"id":"a","nDisks":4,"nPegs":3}]"#),
        ("tower-of-hanoi", "4 disks 4 pegs", r#"[{"id":"a","numDisks":4,"numPegs":4}]"#),
        (
            "lights-out",
            "# neighbourhood: torus\n*.*.\n...*\n.***\n..**",
            r#"[{"id":"a","board":"*.*./...*/.***/..**","boundary":"torus"}]"#,
        ),
        (
            "lights-out",
            "# neighbourhood: torus\n*.*.\n...*\n.***\n..**",
            r#"[{"id":"a","board":"*.*./...*/.***/..**","Neighbours":"torus"}]"#,
        ),
        (
            "lights-out",
            "# neighbourhood: torus\n*.*.\n...*\n.***\n..**",
            r#"[{"id":"a","board":["*.*.","...*",".***","..**"],"torus":true}]"#,
        ),
        ("lights-out", "*.*.\n...*\n.***\n..**", "id,board,wrap\na,*.*./...*/.***/..**,FALSE\n"),
        ("rush-hour", "# exit: left\n...\n.AA\n...", "id,board,exit_side\na,.../.AA/...,left\n"),
        ("rush-hour", "# red: T\nA..\nATT\n...", "id,board,target_car\na,A../ATT/...,T\n"),
        ("rush-hour", "# red: T\nA..\nATT\n...", r#"[{"id":"a","board":"A../ATT/...","player":"T"}]"#),
        ("rush-hour", "# red: T\nA..\nATT\n...", r#"[{"id":"a","board":["A..","ATT","..."],"redCar":"T"}]"#),
    ];
    for (game, text, other) in same {
        let name = if other.starts_with('[') { "level.json" } else { "level.csv" };
        assert_eq!(described(&only(game, name, other)), described(&only(game, "level.txt", text)), "{other}");
    }
    // From peg 1 to peg 2, by hand: three disks go first to where they end.
    let level = only("tower-of-hanoi", "level.csv", "level,start,target_peg,disks\na,321/-/-,2,3\n");
    assert_eq!(distance(&level), 7);
    assert_eq!(level.remarks, ["peg 2 is taken for the middle one: pegs are counted from 1"]);
}

/// That no disk can go to peg 3 of such a level tells that it has three pegs, and the moves which of them is which.
#[test]
fn line_breaks_make_no_pegs() {
    for text in ["id,start,goal\na,\"321\n-\n-\n\",-/321/-\n", "id,start,goal\r\na,\"321\r\n-\r\n-\",-/321/-\r\n"] {
        let level = only("tower-of-hanoi", "level.csv", text);
        assert_eq!((distance(&level), level.rules.format_state(level.rules.start())), (7, "321/-/-".to_owned()));
    }
}

#[test]
fn keys_that_are_no_pegs_are_refused() {
    let text = r#"{"start": {"x": [3, 2, 1], "y": [], "z": []}}"#;
    let faults = loaded("tower-of-hanoi", "level.json", text, &RuleOptions::default()).unwrap_err();
    assert_eq!((faults[0].code, faults[0].place.line_and_column()), ("bad-pegs", (1, 11)));
    assert_eq!(faults[0].message, "the keys of \"start\" are no pegs");
}

#[test]
fn a_row_with_a_size_may_have_an_empty_board() {
    let levels =
        loaded("2048", "a.csv", "id,board,target,size\na,2 4 / 2 .,8,2x2\nb,,8,2x2\n", &RuleOptions::default());
    let levels = levels.unwrap_or_else(|faults| panic!("{}", faults[0]));
    assert_eq!(described(&levels[1]), described(&only("2048", "a.txt", "size: 2x2\ntarget: 8\n")));
}

#[test]
fn an_object_keyed_by_names_holds_levels() {
    let cases = [
        ("rush-hour", r#"{"one": {"board": "AA......."}, "two": {"board": "...AA....", "red": "A"}}"#),
        ("tower-of-hanoi", r#"{"levels": {"one": {"disks": 3}, "two": {"start": [[3, 2, 1], [], []], "goalPeg": 2}}}"#),
        (
            "tower-of-london",
            r#"{"one": {"start": "GR/B/-", "goal": "B/G/R"}, "two": {"start": "GR/B/-", "goal": "R/BG/-"}}"#,
        ),
        ("match-the-tiles", r#"{"one": "x.A./..../a...", "two": "..A/..x/a.."}"#),
        ("panguru", r#"{"one": {"plates": "RRG", "pebbles": "R-G"}, "two": {"plates": "RRG", "pebbles": "R-G"}}"#),
        ("2048", r#"{"one": {"board": [[2, 4], [2, 0]], "target": 8}, "two": {"size": "2x2", "target": 8}}"#),
        ("lights-out", r#"{"one": {"board": "*../.../..*"}, "two": {"board": ["*..", "...", "..*"]}}"#),
    ];
    for (game, text) in cases {
        let levels = loaded(game, "a.json", text, &RuleOptions::default());
        let levels = levels.unwrap_or_else(|faults| panic!("{text}\n{}", faults[0]));
        let ids: Vec<&str> = levels.iter().map(|level| level.origin.id.as_str()).collect();
        assert_eq!(ids, ["one", "two"], "{text}");
    }
}

#[test]
fn blanks_part_the_rows_of_a_board_of_tiles_on_one_line() {
    let text = "m1: 2: x.A. .... a...\nm2: 2: x.A./..../a...\n";
    let levels = loaded("match-the-tiles", "a.txt", text, &RuleOptions::default());
    let levels = levels.unwrap_or_else(|faults| panic!("{}", faults[0]));
    assert_eq!((levels.len(), described(&levels[0])), (2, described(&levels[1])));
    // A wall is no remark, where the board begins with it.
    let text = "m1: 2: #####/#A.a#/##### # a remark\nm2: 2: xxxxx/xA.ax/xxxxx # another: one\n";
    let levels = loaded("match-the-tiles", "a.txt", text, &RuleOptions::default());
    let levels = levels.unwrap_or_else(|faults| panic!("{}", faults[0]));
    assert_eq!((levels.len(), described(&levels[0])), (2, described(&levels[1])));
    assert_eq!((levels[0].origin.id.as_str(), distance(&levels[0])), ("m1", 1));
}

#[test]
fn sokoban_is_read_as_it_is_published() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/lua");
    let rules = RuleOptions { folder, ..options("script = \"sokoban.lua\"") };
    let (first_board, second_board) = ("#######\n#@ $ .#\n#######\n", "  ####\n###  #\n#@$ .#\n######\n");
    for [first, second] in [["; one", "; two"], ["Title: one\nAuthor: me", "Title: two"]] {
        for between in ["", "\n"] {
            let text = format!("{first}\n{between}{first_board}\n{second}\n{between}{second_board}");
            let levels = loaded("lua", "a.txt", &text, &rules).unwrap_or_else(|faults| panic!("{text}\n{}", faults[0]));
            let ids: Vec<&str> = levels.iter().map(|level| level.origin.id.as_str()).collect();
            assert_eq!(ids, ["one", "two"], "{text}");
            // Two pushes to the right each.
            assert!(levels.iter().all(|level| distance(level) == 2), "{:?}", described(&levels[0]));
        }
    }
}

#[test]
fn what_is_close_to_a_setting_is_refused_or_said() {
    let cases = [
        ("rush-hour", "board,exit_row\nAA.......,1\n", "\"exit_row\" is no setting"),
        ("tower-of-hanoi", "board,goalTower\n321/-/-,2\n", "\"goalTower\" is no setting"),
    ];
    for (game, text, message) in cases {
        let faults = loaded(game, "level.csv", text, &RuleOptions::default()).unwrap_err();
        assert_eq!((faults.len(), faults[0].code), (1, "foreign-setting"), "{text}");
        assert!(faults[0].message.starts_with(message), "{}", faults[0]);
    }
    for name in ["goal_hierarchy", "goalType", "exit_x", "initial_heuristic", "start_year", "red_mobility"] {
        let level = only("rush-hour", "level.csv", &format!("board,{name}\nAA.......,1\n"));
        let remark = format!("{name:?} changes nothing here: it is no setting of a level of rush-hour");
        assert_eq!((level.properties, level.remarks), (vec![(name.to_owned(), "1".to_owned())], vec![remark]));
    }
    let level =
        only("rush-hour", "level.csv", "board,n_walls,goal_distance,exit_time,max_d_red_at_exit\nAA.......,1,2,3,4\n");
    assert_eq!((level.properties.len(), level.remarks.len()), (4, 0), "measures are no settings");
}

/// Words of every day name settings of some games, and are ordinary columns of the others.
#[test]
fn ordinary_columns_with_names_of_settings_are_properties() {
    let cases = [
        ("rush-hour", "board,player,start,end\nAA.......,P01,10:00,10:05\n", "player, start, end"),
        (
            "rush-hour",
            "board,lines,rules,boundary,initial,final\nAA.......,3,old,6,x,y\n",
            "lines, rules, boundary, initial, final",
        ),
        ("tower-of-london", "start,target,disks,n_disks\nGR/B/-,B/G/R,3,3\n", "disks, n_disks"),
        ("rush-hour", "board,walls\nAA.......,none\n", ""),
        ("lights-out", "board,boundary\n*../.../..*,none\n", ""),
        ("lights-out", "board,wrap,walls\n*../.../..*,no,none\n", ""),
        ("rush-hour", "board,goal,target,torus\nAA.......,none,no,FALSE\n", ""),
        ("lights-out", "board,walls,exit\n*../.../..*,[],off\n", ""),
    ];
    for (game, text, said) in cases {
        let level = only(game, "level.csv", text);
        let remark = |name| format!("{name:?} changes nothing here");
        let starts: Vec<String> = said.split(", ").filter(|name| !name.is_empty()).map(remark).collect();
        assert_eq!(level.remarks.len(), starts.len(), "{:?}", level.remarks);
        for (remark, start) in level.remarks.iter().zip(starts) {
            assert!(remark.starts_with(&start), "{remark}");
        }
    }
    assert_eq!(described(&only("lights-out", "a.csv", "board,boundary\n*../.../..*,none\n")).1, 512);
}

#[test]
fn names_count_whatever_parts_their_words() {
    let level = only("tower-of-hanoi", "level.csv", "disks,optimalMoves\n3,7\n");
    assert_eq!(published_moves(&level.properties), Some(("optimalMoves", 7)));
    let two = "size: 2x2\ntarget: 8\n";
    let expected = described(&only("2048", "a.txt", two));
    assert_eq!(described(&only("2048", "a.csv", "board,boardSize,target\n,2x2,8\n")), expected);
    assert_eq!(described(&only("2048", "a.json", r#"{"boardSize": "2x2", "Target": 8}"#)), expected);
}

#[test]
fn a_table_of_other_things_is_no_level() {
    for column in ["exit", "goal", "target", "red", "walls", "player", "end"] {
        let text = format!("id,cardtext,{column}\na,AA.......,x\n");
        let faults = loaded("rush-hour", "level.csv", &text, &RuleOptions::default()).unwrap_err();
        assert_eq!((faults.len(), faults[0].code), (1, "no-board-column"), "{text}");
        assert!(faults[0].message.contains("cardtext"), "{}", faults[0]);
    }
}

#[test]
fn columns_that_may_name_levels_do_where_their_values_differ() {
    let boards = ["AA.......", "...AA....", "......AA."];
    let ids = |column: &str, names: [&str; 3]| {
        let rows = boards.iter().zip(names).map(|(board, name)| format!("{name},{board}\n"));
        let text = format!("{column},board\n{}", rows.collect::<String>());
        let levels = loaded("rush-hour", "level.csv", &text, &RuleOptions::default());
        levels
            .unwrap_or_else(|faults| panic!("{}", faults[0]))
            .into_iter()
            .map(|level| level.origin.id)
            .collect::<Vec<_>>()
    };
    for column in [
        "card",
        "stimulus",
        "stim",
        "board_id",
        "problem_id",
        "puzzle_name",
        "level_name",
        "levelID",
        "item_id",
        "level_nr",
        "Aufgabe",
        "trial",
        "task",
        "config",
        "number",
        "key",
        "Puzzle ID",
    ] {
        assert_eq!(ids(column, ["k1", "k2", "k3"]), ["k1", "k2", "k3"], "{column}");
    }
    assert_eq!(ids("task", ["rush", "rush", "rush"]), ["level-0001", "level-0002", "level-0003"]);
    assert_eq!(ids("weight", ["1", "2", "3"]), ["level-0001", "level-0002", "level-0003"]);
}

#[test]
fn a_table_whose_levels_are_numbered_says_so_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cards.csv");
    std::fs::write(&file, "weight,board\n1,AA.......\n1,...AA....\n").unwrap();
    let game = Game::named("rush-hour").unwrap();
    let levels = load_levels(&[file], &LevelColumns::default(), game, &RuleOptions::default()).unwrap();
    assert!(levels[0].remarks[0].contains("--id-column"), "{:?}", levels[0].remarks);
    assert_eq!((levels[0].origin.id.as_str(), levels[1].remarks.len()), ("cards-0001", 0));
}

#[test]
fn every_setting_of_a_game_is_known_to_all_of_them() {
    for game in GAMES {
        for (name, _) in (game.settings_of_levels)(&RuleOptions::default()).names {
            assert!(is_setting_name(&name), "{name} of {}", game.name);
        }
    }
}

/// A text is read by the game that it was written for and refused by all others, with faults that stand in it.
#[test]
fn a_wrong_game_refuses_levels() {
    let texts = [
        ("rush-hour", "a.csv", "id,board,exit,red\na,AA...O/P..Q.O/PXXQ.O/P..Q../B...CC/B.RRR.,right 3,X\n"),
        ("rush-hour", "a.csv", "car,orientation,col,row,length\nA,H,1,1,2\nX,H,2,3,2\n"),
        ("rush-hour", "a.json", r#"[{"id":"A","position":[0,0],"length":2,"orientation":"h"}]"#),
        ("rush-hour", "a.txt", "p01:  3: GBBCCC GIDDEE HIAAMN HJKoMN oJKLMO FFKLoO  # a remark\n"),
        (
            "tower-of-hanoi",
            "a.json",
            r#"[{"id":"a","board":"321/-/-","target":"-/321/-"},{"id":"b","board":"32/1/-","goal":"-/32/1"}]"#,
        ),
        ("no game", "a.json", r#"{"disks": [[[1]]], "pegs": null}"#),
        ("no game", "a.json", r#"{"start": {}, "goal": []}"#),
        ("no game", "a.json", "[[], [[]]]"),
        ("no game", "a.csv", "plates,pebbles,size,target,start\n,,,,\n1,,,,\n,1,é,,\"[1,\"\n"),
    ];
    let script = |game: &Game| if game.name == "lua" { "script = \"water_jugs.lua\"" } else { "" };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/lua");
    for game in GAMES {
        let rules = RuleOptions { folder: folder.clone(), ..options(script(game)) };
        for (reader, name, text) in texts {
            let read = loaded(game.name, name, text, &rules);
            assert_eq!(read.is_ok(), reader == game.name, "{} {text}", game.name);
            for fault in read.err().unwrap_or_default() {
                assert!(fault.place.source.text.get(fault.place.span.clone()).is_some(), "{fault}");
            }
        }
    }
}
