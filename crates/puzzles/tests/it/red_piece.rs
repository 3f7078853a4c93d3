//! Tests of the red piece of Rush Hour, and of the first row and column, where a level does not say them.

use plymap_puzzles::diagnostic::Diagnostic;
use plymap_puzzles::registry::RuleOptions;
use plymap_puzzles::valuation::LoadedLevel;

use crate::level_settings::{distance, loaded};

/// Card 1 of a well-known set, with the letters of its cars: X is red, and 8 moves are the fewest.
const CARD: &str = "AA...O\nP..Q.O\nPXXQ.O\nP..Q..\nB...CC\nB.RRR.\n";

/// The same card as a table; x and y count from 1.
const CARS: &str = "car,orientation,col,row,length\nA,H,1,1,2\nB,V,1,5,2\nC,H,5,5,2\nO,V,6,1,3\nP,V,1,2,3\nQ,V,4,2,3\n\
                    R,H,3,6,3\nX,H,2,3,2\n";

fn read(name: &str, text: &str) -> Result<Vec<LoadedLevel>, Vec<Diagnostic>> {
    loaded("rush-hour", name, text, &RuleOptions::default())
}

fn only(name: &str, text: &str) -> LoadedLevel {
    read(name, text).unwrap_or_else(|faults| panic!("{text}\n{}", faults[0])).remove(0)
}

#[test]
fn the_piece_before_the_exit_is_red_and_it_is_said() {
    let board = only("card.txt", CARD);
    let cars = only("cars.csv", CARS);
    let zero = "x,y,id,length,orientation\n0,0,A,2,h\n0,4,B,2,v\n4,4,C,2,h\n5,0,O,3,v\n0,1,P,3,v\n3,1,Q,3,v\n2,5,R,3,h\n1,2,X,2,h\n";
    let zero = only("zero.csv", zero);
    let json = |base: usize| {
        let pieces = CARS.lines().skip(1).map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |at: usize| cells[at].parse::<usize>().unwrap() - 1 + base;
            format!(
                r#"{{"car": "{}", "row": {}, "col": {}, "length": {}, "direction": "{}"}}"#,
                cells[0],
                number(3),
                number(2),
                cells[4],
                cells[1]
            )
        });
        only("cars.json", &format!("[{}]", pieces.collect::<Vec<_>>().join(", ")))
    };
    for level in [&board, &cars, &zero, &json(0), &json(1)] {
        assert_eq!(distance(level), 8);
        assert_eq!(level.rules.format_state(level.rules.start()), CARD.replace('\n', ""), "names are kept");
        assert!(level.rules.play(level.rules.start(), "C-2").is_ok());
        let said = &level.remarks[level.remarks.len() - 1];
        assert!(said.starts_with("\"X\" is taken for the red piece, not \"A\" or \"R\""), "{said}");
    }
    let first = |level: &LoadedLevel| level.remarks[0].clone();
    assert!(first(&zero).contains("counted from 0"), "{:?}", zero.remarks);
    assert!(zero.remarks[1].contains("x is taken for the column"), "{:?}", zero.remarks);
    assert!(first(&json(1)).contains("counted from 1"), "{:?}", json(1).remarks);
    assert_eq!((board.remarks.len(), json(0).remarks.len()), (1, 1));
}

/// An exit that says its side alone is where one that says nothing is.
#[test]
fn a_side_of_the_exit_leaves_the_card_as_it_is() {
    let line = only("card.txt", &format!("# exit: right\n{CARD}"));
    let column = only("card.csv", &format!("board,exit_side\n{},right\n", CARD.replace('\n', "/")));
    for level in [line, column] {
        assert_eq!(distance(&level), 8);
        assert!(level.remarks[0].starts_with("\"X\" is taken for the red piece"), "{:?}", level.remarks);
    }
    // R stands before the middle of the lower side, A beside it.
    let upright = only("a.txt", "# exit: bottom\nA...\nAR..\n.R..\n....\n");
    assert!(upright.remarks[0].starts_with("\"R\" is taken for the red piece"), "{:?}", upright.remarks);
    assert_eq!(distance(&upright), 1);
}

/// Walls and exit of an object are counted as its pieces are, which leave the board when they are counted from 0.
#[test]
fn walls_and_exit_are_counted_as_pieces_are() {
    let level = |walls: &str, line: usize, base: usize| {
        let piece = |id: &str, row: usize, column: usize, direction: &str| {
            let (row, column) = (row + base, column + base);
            format!(r#"{{"id": "{id}", "row": {row}, "col": {column}, "length": 2, "orientation": "{direction}"}}"#)
        };
        let pieces = [piece("A", 2, 0, "h"), piece("B", 4, 5, "v"), piece("C", 5, 3, "h")].join(", ");
        read(
            "a.json",
            &format!(r#"{{"walls": {walls}, "exit": {{"side": "right", "line": {line}}}, "pieces": [{pieces}]}}"#),
        )
    };
    let loaded = level("[[2, 4]]", 3, 1).unwrap_or_else(|faults| panic!("{}", faults[0])).remove(0);
    let state = |level: &LoadedLevel| level.rules.format_state(level.rules.start());
    assert_eq!(state(&loaded), ".........x..AA...............B...CCB");
    assert!(
        loaded.remarks.iter().any(|remark| remark.contains("walls and exit are counted from 1")),
        "{:?}",
        loaded.remarks
    );
    let zero = level("[[1, 3]]", 2, 0).unwrap_or_else(|faults| panic!("{}", faults[0])).remove(0);
    assert_eq!((state(&zero), zero.remarks.len()), (state(&loaded), 0));
    // The same board, its places written as [x, y] from 1: row 6 is the last one, so that they cannot be rows and
    // columns from 0.
    let pieces = [("A", 1, 3, "h"), ("B", 6, 5, "v"), ("C", 4, 6, "h"), ("D", 4, 1, "v"), ("E", 1, 4, "v")];
    let pieces = pieces.map(|(id, x, y, direction)| {
        format!(r#"{{"id": "{id}", "position": [{x}, {y}], "length": 2, "orientation": "{direction}"}}"#)
    });
    let swapped = only("a.json", &format!(r#"{{"walls": [[3, 2]], "pieces": [{}]}}"#, pieces.join(", ")));
    assert_eq!(state(&swapped), "...D....xD..AA....E.....E....B...CCB", "{:?}", swapped.remarks);
    for (walls, line) in [("[9]", 3), ("[[0, 3]]", 3), ("[]", 0)] {
        let faults = level(walls, line, 1).unwrap_err();
        assert_eq!((faults.len(), faults[0].code), (1, "ambiguous-base"), "{walls} {line}: {}", faults[0]);
    }
    let matrix = only("a.json", r#"{"matrix": [[2, 1, 3, 1], [2, 2, 5, 6], [2, 1, 6, 4]], "walls": [[2, 4]]}"#);
    assert_eq!(state(&matrix), state(&loaded));
}

#[test]
fn a_player_that_is_no_piece_is_said() {
    let table = |player: &str| only("card.csv", &format!("board,player\n{},{player}\n", CARD.replace('\n', "/")));
    assert_eq!((distance(&table("X")), table("X").remarks.len()), (8, 0));
    let person = table("P01");
    assert_eq!((distance(&person), person.remarks.len()), (8, 2));
    assert_eq!(person.remarks[0], "\"player\" changes nothing here: no piece is called \"P01\"");
}

#[test]
fn a_level_that_names_its_red_piece_needs_no_remark() {
    let named = only("card.txt", &format!("# red: X\n{CARD}"));
    let column = only("card.csv", &format!("board,red\n{},X\n", CARD.replace('\n', "/")));
    for level in [named, column] {
        assert_eq!((distance(&level), level.remarks.len()), (8, 0));
    }
    let first = only("a.txt", "...\nAA.\n...\n");
    assert_eq!(first.remarks, [""; 0], "A is the only piece that can be red");
    assert_eq!(only("x.txt", "...\nXX.\n...\n").remarks, [""; 0]);
    assert_eq!(read("r.txt", "...\n...\nRRR\n").unwrap_err()[0].code, "missing-red-piece", "R may be any letter");
}

#[test]
fn the_names_of_a_matrix_tell_the_red_piece() {
    let level = only("cars.csv", "name,row,column,length,orientation\ntruck,1,6,3,v\n\"red car\",3,2,2,h\n");
    assert!(level.remarks[0].starts_with("\"red car\" is taken for the red piece"), "{:?}", level.remarks);
    let level = only("cars.csv", "name,row,column,length,orientation\nhero,3,2,2,h\ntruck,1,6,3,v\n");
    assert_eq!((level.remarks.len(), distance(&level)), (0, 2), "the first one, where no name tells");
}

#[test]
fn a_published_number_of_moves_decides_or_plymap_asks() {
    // A needs one move, R two. Neither lies in the row of the exit.
    let table = |moves: &str| format!("id,board,moves\na,AA../..../...B/RR.B,{moves}\n");
    let faults = read("a.csv", &table("3")).unwrap_err();
    assert_eq!((faults.len(), faults[0].code), (1, "ambiguous-red-piece"));
    assert!(faults[0].message.contains("\"A\", \"R\""), "{}", faults[0]);
    assert_eq!(faults[0].choices, [("red", "A".to_owned()), ("red", "R".to_owned())]);
    for (moves, red, fewest) in [("1", "A", 1), ("2", "R", 2)] {
        let level = only("a.csv", &table(moves));
        assert_eq!(distance(&level), fewest);
        assert!(level.remarks[0].starts_with(&format!("\"{red}\" is taken for \"red\"")), "{:?}", level.remarks);
    }
    let pieces = r#"[{"id": "A", "position": 0, "length": 2, "orientation": "h"},
        {"id": "R", "position": 12, "length": 2, "orientation": "h"}, {"id": "B", "position": 11, "length": 2, "orientation": "v"}]"#;
    let json = format!(r#"[{{"id": 1, "width": 4, "height": 4, "pieces": {pieces}, "moves": 2}}]"#);
    assert_eq!(distance(&only("a.json", &json)), 2);
}

#[test]
fn settings_in_cells_hold_beside_pieces_in_json() {
    let pieces = r#"[{""id"": ""A"", ""position"": 1, ""length"": 2, ""orientation"": ""h""}, {""id"": ""X"", ""position"": 7, ""length"": 2, ""orientation"": ""h""}]"#;
    let level = only("a.csv", &format!("id,pieces,red,exit\na,\"{pieces}\",X,left 2\n"));
    assert_eq!((distance(&level), level.remarks.len()), (1, 0));
    let faults = read("a.csv", &format!("id,pieces,red,exit\na,\"{pieces}\",X,left 1\n")).unwrap_err();
    assert_eq!(faults[0].code, "exit-not-on-red-line");
}

#[test]
fn a_list_of_pieces_says_which_one_is_red() {
    let table = |column: &str, [b, g, t]: [&str; 3]| {
        let text = format!("car,orientation,row,col,length,{column}\nb,V,1,6,3,{b}\ng,H,1,1,2,{g}\nt,H,3,2,2,{t}\n");
        only("cars.csv", &text)
    };
    let named = [
        ("red", ["0", "0", "1"]),
        ("target", ["0", "0", "1"]),
        ("is_target", ["no", "no", "yes"]),
        ("isRed", ["false", "false", "true"]),
        ("player", ["FALSE", "FALSE", "TRUE"]),
        ("color", ["blue", "green", "red"]),
        ("Colour", ["blue", "green", "Red"]),
    ];
    for (column, cells) in named {
        let level = table(column, cells);
        assert_eq!((distance(&level), level.remarks.len()), (2, 0), "{column}: {:?}", level.remarks);
    }
    // Without a mark the first car is red, which stands upright.
    let unused = table("weight", ["1", "2", "3"]);
    assert_eq!(unused.remarks, ["of the pieces, \"weight\" is not used"]);
    let marked = "car,orientation,row,col,length,red\nb,V,1,6,3,0\ng,H,1,1,2,1\nt,H,3,2,2,1\n";
    let faults = read("cars.csv", marked).unwrap_err();
    assert_eq!((faults[0].code, faults[0].place.line_and_column()), ("ambiguous-red-piece", (4, 11)));
    let faults = read("cars.csv", &marked.replace("2,1\n", "2,maybe\n")).unwrap_err();
    assert_eq!((faults[0].code, faults[0].place.line_and_column()), ("bad-mark", (3, 11)));
}

#[test]
fn a_list_of_pieces_in_json_says_which_one_is_red() {
    let pieces = |other: &str, red: &str| {
        let a = format!(r#"{{"id":"A","row":0,"col":0,"length":2,"orientation":"h"{other}}}"#);
        let b = format!(r#"{{"id":"B","row":2,"col":1,"length":2,"orientation":"h"{red}}}"#);
        let c = r#"{"id":"C","row":0,"col":5,"length":3,"orientation":"v"}"#;
        only("cars.json", &format!(r#"[{{"id":"one","cars":[{a},{b},{c}]}}]"#))
    };
    let marks = [
        ("", r#", "isRed": true"#),
        (r#", "color": "green""#, r#", "color": "red""#),
        (r#", "player": false"#, r#", "player": true"#),
        (r#", "target": 0"#, r#", "target": 1"#),
    ];
    for (other, red) in marks {
        let level = pieces(other, red);
        // C leaves the row of B downwards, and B passes.
        assert_eq!((distance(&level), level.remarks.len()), (2, 0), "{red}");
    }
    let level = pieces(r#", "skin": [1], "weight": 3"#, r#", "red": true"#);
    assert_eq!(level.remarks, ["of the pieces, \"skin\", \"weight\" is not used"]);
}

#[test]
fn pieces_of_several_levels_in_one_table_are_refused() {
    let text = "level,car,orientation,row,col,length\n1,A,H,3,1,2\n1,B,V,1,6,3\n2,A,H,3,2,2\n";
    let faults = read("cars.csv", text).unwrap_err();
    assert_eq!((faults[0].code, faults[0].place.line_and_column()), ("several-levels", (4, 1)));
    let level = only("cars.csv", &text.replace("2,A,H,3,2,2\n", ""));
    assert_eq!(level.remarks, ["of the pieces, \"level\" is not used"]);
}
