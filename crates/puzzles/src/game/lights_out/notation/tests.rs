use proptest::prelude::*;

use super::super::board::MAX_LAMPS;
use super::*;

fn source(text: &str) -> Arc<SourceText> {
    Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() })
}

fn parsed(text: &str) -> Result<Board, Vec<Diagnostic>> {
    parse(text, &source(text), 0, &Neighbourhood::Plus)
}

fn drawn(text: &str) -> String {
    let board = parsed(text).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"));
    write_state(board.width, board.height, |cell| board.lit.contains(&cell))
}

/// Code and marked text of each fault.
fn faults(text: &str) -> Vec<(&'static str, String)> {
    let faults = parsed(text).expect_err(text);
    assert!(faults.iter().all(|fault| fault.help.is_some()), "{faults:#?}");
    faults.into_iter().map(|fault| (fault.code, text[fault.place.span].to_owned())).collect()
}

#[test]
fn one_board_in_every_notation() {
    let board = "*../.*.";
    for text in [
        "*..\n.*.",
        "# a remark\n# id: first\n* . .\r\n. * .  # the second row\n",
        "1,0,0\n0,1,0\n",
        "XoO/oxo",
        "*../.*./",
        "# board: 3x2\n*...*.",
        "board: 3 x 2\n*..\n.*.",
        "[\"*..\", \".*.\"]",
        "[[1, 0, 0], [false, true, false]]",
        "[[\"*\", \".\", \".\"], \".*.\"]",
        "{\"id\": 1, \"board\": [\"*..\", \"0 1 0\"], \"difficulty\": \"easy\"}",
        "{\"grid\": \"*..\\n.*.\\n\"}",
        "{\"width\": 3, \"height\": 2, \"board\": \"*...*.\"}",
    ] {
        assert_eq!(drawn(text), board, "{text}");
    }
    // A board on one line is a square; a `/` makes it a row.
    assert_eq!(drawn("*..*"), "*./.*");
    assert_eq!(drawn("*..*/"), "*..*");
    assert_eq!(drawn("# board: 4x1\n*..*"), "*..*");
    // All lamps off, and a single one, are levels too.
    assert_eq!(drawn("...\n..."), ".../...");
    assert_eq!(drawn("*"), "*");
}

#[test]
fn the_level_says_its_neighbourhood_or_the_study_does() {
    let neighbourhood = |text: &str| parsed(text).unwrap().neighbourhood;
    assert_eq!(neighbourhood("..\n.."), Neighbourhood::Plus);
    assert_eq!(parse("..", &source(".."), 0, &Neighbourhood::Torus).unwrap_err()[0].code, "bad-board-length");
    assert_eq!(parse("../..", &source("../.."), 0, &Neighbourhood::Torus).unwrap().neighbourhood, Neighbourhood::Torus);
    assert_eq!(neighbourhood("neighbourhood: King\n..\n.."), Neighbourhood::Moore);
    assert_eq!(neighbourhood("# neighborhood: torus\n..\n.."), Neighbourhood::Torus);
    let pattern = Neighbourhood::Pattern(vec![(0, 0), (0, 1), (1, 0)]);
    assert_eq!(neighbourhood("# pattern: 0,0 0,1 1,0\n..\n.."), pattern);
    assert_eq!(neighbourhood("pattern: .../.**/.*.\n..\n.."), pattern);
    assert_eq!(neighbourhood("{\"board\": [\"..\", \"..\"], \"pattern\": [[0, 0], [1, 0], [0, 1]]}"), pattern);
    assert_eq!(
        neighbourhood("{\"board\": [\"..\", \"..\"], \"neighbourhood\": \"diagonal\"}"),
        Neighbourhood::Diagonal
    );
}

#[test]
fn faults_name_the_characters_at_fault() {
    let cases: &[(&str, &[(&str, &str)])] = &[
        ("# only a remark", &[("empty-level", "# only a remark")]),
        ("*.*\n*.\n...", &[("ragged-rows", "")]),
        ("*.*\n*...*\n...", &[("ragged-rows", ".*")]),
        ("*.*\n.ab\n.?.", &[("unknown-character", "ab"), ("unknown-character", "?")]),
        ("*.*.*", &[("bad-board-length", "*.*.*")]),
        ("# board: 2x2\n*.*.*", &[("bad-board-length", "*.*.*")]),
        ("# board: 0x2\n../..", &[("bad-board-size", "0x2")]),
        ("# board: 3x2\n..\n..", &[("bad-board-size", "3x2")]),
        ("# board: 2x2\n# board: 1x4\n../..", &[("repeated-setting", "1x4"), ("bad-board-size", "1x4")]),
        ("# neighbourhood: star\n../..", &[("bad-neighbourhood", "star")]),
        ("# pattern: 0,0 0,0\n../..", &[("bad-neighbourhood", "0,0 0,0")]),
        ("# neighbourhood: torus\n# pattern: 0,0\n../..", &[("repeated-setting", "0,0")]),
        ("colour: red\n../..", &[("unknown-setting", "colour: red")]),
        ("{\"width\": 2}", &[("missing-key", "{\"width\": 2}"), ("missing-key", "2")]),
        ("{\"board\": 7}", &[("unknown-notation", "7")]),
        ("[\"..\", 3, [0, 2]]", &[("unknown-notation", "3"), ("unknown-notation", "[0, 2]")]),
        ("{\"board\": \"..\\n.?\"}", &[("unknown-character", "?")]),
        ("{\"board\": [\"..\"], \"width\": 0, \"height\": 1}", &[("bad-number", "0"), ("missing-key", "1")]),
        ("{\"board\": [\"..\"], \"pattern\": [[0]]}", &[("bad-neighbourhood", "[[0]]")]),
        ("[\"..\"", &[("bad-json", "")]),
    ];
    for (text, expected) in cases {
        let reported = faults(text);
        let pairs: Vec<(&str, &str)> = reported.iter().map(|(code, marked)| (*code, marked.as_str())).collect();
        assert_eq!(pairs, *expected, "{text}");
    }
    let large = vec![".".repeat(40); 26].join("\n");
    assert_eq!(faults(&large)[0].0, "level-too-large");
    assert_eq!(parsed(&vec![".".repeat(32); 32].join("\n")).unwrap().n_lamps(), MAX_LAMPS);
}

#[test]
fn positions_are_read_in_the_notations_of_levels() {
    for text in ["*../.*.", "*...*.", "100/010", "1,0,0;0,1,0", "*..\n.*.\n", " X.. / .X. "] {
        assert_eq!(read_state(text, 3, 2), Ok(vec![0, 4]), "{text}");
    }
    for (text, reason) in [
        ("*..", "it has 3 lamps, and a board of 3x2 has 6"),
        ("*./.*/..", "it has 3 rows, and a board of 3x2 has 2"),
        ("*../.*", "row 2 has 2 lamps, and a board of 3x2 has 3"),
        ("*../.A.", "'A' is no lamp"),
        ("", "it has 0 lamps"),
    ] {
        let error = read_state(text, 3, 2).unwrap_err();
        assert!(error.starts_with(reason), "{text}: {error}");
    }
}

#[test]
fn presses_are_read_in_several_notations() {
    let read = |text: &str| read_press(text, 5, 4).map(|press| write_press(press.cell as usize, 5));
    for text in [
        "r3c4",
        "R3C4",
        " r3 c4 ",
        "c4r3",
        "Row 3 Col 4",
        "3:4",
        "3;4",
        "3,4",
        "3 4",
        "(3 4)",
        "(3, 4)",
        "[3,4]",
        "(r3c4)",
        "@13",
        "r03c04",
    ] {
        assert_eq!(read(text), Ok("r3c4".to_owned()), "{text}");
    }
    for text in ["", "34", "r3", "c4", "3-4", "-3 4", "r3c4x", "r3r4", "a3b4", "@", "@x", "r3c4.0", "3::4", "\u{664} 3"]
    {
        assert!(matches!(read(text), Err(MoveError::Unreadable { .. })), "{text}");
    }
    for (text, reason) in [
        ("r5c1", "there is no row 5: rows go from 1 to 4"),
        ("r1c6", "there is no column 6: columns go from 1 to 5"),
        ("0 1", "there is no row 0: rows go from 1 to 4"),
        ("@20", "there is no cell 20: cells go from 0 to 19"),
    ] {
        assert_eq!(read(text), Err(MoveError::Illegal { text: text.to_owned(), reason: reason.to_owned() }));
    }
}

proptest! {
    #[test]
    fn no_text_breaks_the_readers(text in "[*.01xo/ ,;\n#:\"'()@rc\\[\\]{}é-]{0,60}", before in "[aé\n]{0,3}") {
        let file = source(&format!("{before}{text}"));
        if let Err(faults) = parse(&text, &file, before.len(), &Neighbourhood::Plus) {
            prop_assert!(!faults.is_empty());
            for fault in faults {
                prop_assert!(file.text.get(fault.place.span.clone()).is_some(), "{:?}", fault);
            }
        }
        let _ = read_state(&text, 3, 3);
        let _ = read_press(&text, 3, 3);
        let _ = text.parse::<Neighbourhood>();
    }

    #[test]
    fn no_json_breaks_the_reader(
        values in prop::collection::vec(
            prop::sample::select(vec![
                "0", "-1", "2", "1e9", "99999999999999999999", "\"*.\"", "\"..\\n.?\"", "\"\"", "null", "true", "[]",
                "[1, 0]", "{}", "[[0, 1], [1, 0]]", "[\"*.\", \"..\"]", "\"torus\"",
            ]),
            4,
        )
    ) {
        let [board, width, height, pattern] = values[..] else { unreachable!() };
        let text = format!("{{\"board\": {board}, \"width\": {width}, \"height\": {height}, \"pattern\": {pattern}}}");
        let file = source(&text);
        for fault in parse(&text, &file, 0, &Neighbourhood::Plus).err().unwrap_or_default() {
            prop_assert!(file.text.get(fault.place.span.clone()).is_some(), "{:?}", fault);
        }
        let _ = parse(board, &source(board), 0, &Neighbourhood::Plus);
    }

    #[test]
    fn positions_read_back(width in 1..9_usize, height in 1..9_usize, lit in any::<u64>()) {
        let text = write_state(width, height, |cell| lit >> cell & 1 == 1);
        let cells: Vec<usize> = (0..width * height).filter(|cell| lit >> cell & 1 == 1).collect();
        prop_assert_eq!(read_state(&text, width, height), Ok(cells.clone()));
        if height > 1 {
            prop_assert_eq!(parsed(&text).map(|board| board.lit), Ok(cells));
        }
    }
}
