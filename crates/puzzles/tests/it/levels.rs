//! Level files as researchers have them: what is read, and what is said of a faulty one.
//!
//! The codes of faults that are quoted here are those that docs/levels.md explains: tests/it/documentation.rs of the
//! repository compares the two.

use std::sync::Arc;

use plymap_puzzles::diagnostic::SourceText;
use plymap_puzzles::game::picture::Side;
use plymap_puzzles::game::rush_hour::layout::{Exit, Layout, Orientation};
use plymap_puzzles::game::rush_hour::notation::{parse, to_board_string};
use plymap_puzzles::level::{LevelColumns, LevelError, LevelSource, levels_of_text, read_levels};

/// The article's level 1 as its matrix: size, orientation, row, column; the red piece first.
const ARTICLE: &str = "2 1 3 2\n2 1 1 1\n2 1 5 5\n3 1 6 3\n3 2 2 1\n2 2 5 1\n3 2 1 6\n3 2 2 4\n";

/// The same level drawn; its pieces are A to H in the order of the matrix.
const ARTICLE_BOARD: &str = "BB...G\nE..H.G\nEAAH.G\nE..H..\nF...CC\nF.DDD.\n";

fn file(name: &str, text: &str) -> Arc<SourceText> {
    Arc::new(SourceText { path: name.into(), text: text.to_owned() })
}

fn layout(text: &str) -> Layout {
    parse(text, &file("level.txt", text), 0).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"))
}

/// The levels of a text, as if it were a file of this name.
fn levels(name: &str, text: &str) -> Vec<LevelSource> {
    levels_of_text(&file(name, text), &LevelColumns::default()).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn ids(levels: &[LevelSource]) -> Vec<&str> {
    levels.iter().map(|level| level.id.as_str()).collect()
}

/// The columns beside a level, with what they hold.
fn extra(level: &LevelSource) -> Vec<(&str, &str)> {
    level.extra.iter().map(|cell| (cell.name.as_str(), cell.value.as_str())).collect()
}

/// Reads the one level of a file in all steps, as a study does.
fn only_layout(name: &str, text: &str) -> Layout {
    let levels = levels(name, text);
    assert_eq!(levels.len(), 1, "{:?}", ids(&levels));
    let level = &levels[0];
    parse(&level.text, &level.source, level.span.start).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"))
}

/// Code, line and column of each fault that keeps a file from being read, in containers or notation.
fn faults(name: &str, text: &str) -> Vec<(&'static str, usize, usize)> {
    let described = |faults: Vec<plymap_puzzles::diagnostic::Diagnostic>| {
        let place = |fault: &plymap_puzzles::diagnostic::Diagnostic| {
            assert!(fault.help.is_some(), "{fault}");
            assert!(text.get(fault.place.span.clone()).is_some(), "{fault}: {:?}", fault.place.span);
            let (line, column) = fault.place.line_and_column();
            (fault.code, line, column)
        };
        faults.iter().map(place).collect::<Vec<_>>()
    };
    match levels_of_text(&file(name, text), &LevelColumns::default()) {
        Err(faults) => described(faults),
        Ok(levels) => {
            let parsed = levels.iter().map(|level| parse(&level.text, &level.source, level.span.start));
            described(parsed.filter_map(Result::err).flatten().collect())
        }
    }
}

mod notations {
    use super::*;

    #[test]
    fn every_notation_of_the_article_level_is_the_same_level() {
        let article = layout(ARTICLE);
        assert_eq!((article.width, article.height, article.pieces.len(), article.red), (6, 6, 8, 0));
        assert_eq!(article.exit, Exit { side: Side::Right, line: 2 });
        let one_line = ARTICLE_BOARD.replace('\n', "");
        let spaced = ARTICLE_BOARD.replace("", " ");
        let in_r = "p1=c(2,1,3,2) p2=c(2,1,1,1) p3=c(2,1,5,5)\np4=c(3,1,6,3) p5=c(3,2,2,1) p6=c(2,2,5,1)\n\
            lvl1=rbind(p1,p2,p3,p4,p5,p6, c(3, 2, 1, 6), c(3L, 2L, 2L, 4L)) # two more";
        let printed: String =
            ARTICLE.lines().enumerate().map(|(row, line)| format!("[{},]  {line}\n", row + 1)).collect();
        let printed = format!("     [,1] [,2] [,3] [,4]\n{printed}");
        let json_rows = format!("[\"{}\"]", ARTICLE_BOARD.trim().replace('\n', "\",\n \""));
        let json_matrix = format!("[[{}]]", ARTICLE.trim().replace(' ', ",").replace('\n', "], ["));
        let texts = [
            ("level.txt", ARTICLE_BOARD.to_owned()),
            ("level.txt", one_line.clone()),
            ("level.txt", one_line.replace('.', "o")),
            ("level.txt", spaced),
            ("level.txt", ARTICLE.replace('\n', "\r\n")),
            ("level.txt", ARTICLE.replace(' ', ";\t")),
            ("level.csv", ARTICLE.replace(' ', ",")),
            ("level.csv", format!("size,orientation,row,column\n{}", ARTICLE.replace(' ', ","))),
            ("level.csv", ARTICLE_BOARD.replace("", ",").replace(",\n,", "\n").trim_matches(',').trim_end().to_owned()),
            ("level.txt", format!("# the article\n{ARTICLE}# board: 6x6\nexit: right 3\n")),
            ("level.txt", in_r.to_owned()),
            ("level.txt", printed),
            ("level.json", json_rows),
            ("level.json", json_matrix),
            ("level.json", format!("{{\"id\": 1, \"board\": \"{}\"}}", ARTICLE_BOARD.replace('\n', "\\n"))),
            ("level.json", format!("{{\"board\": \"{one_line}\", \"exit\": \"right\"}}")),
        ];
        for (name, text) in texts {
            assert_eq!(only_layout(name, &text), article, "{name}\n{text}");
        }
        assert_eq!(to_board_string(&article), one_line);
    }

    #[test]
    fn a_matrix_takes_names_and_order_from_its_header() {
        let level = layout("name;column;row;direction;length\nhero;2;3;h;2\nb2;6;1;V;3\n");
        assert_eq!(level.pieces.iter().map(|piece| piece.name.as_str()).collect::<Vec<_>>(), ["hero", "b2"]);
        let truck = &level.pieces[1];
        assert_eq!((truck.row, truck.column, truck.length, truck.orientation), (0, 5, 3, Orientation::Vertical));
    }

    #[test]
    fn a_name_before_the_numbers_of_a_row_is_kept() {
        let level = layout("     [,1] [,2] [,3] [,4]\nhero 2 1 3 2\nb2   3 2 1 6\n");
        assert_eq!(level.pieces.iter().map(|piece| piece.name.as_str()).collect::<Vec<_>>(), ["hero", "b2"]);
    }

    #[test]
    fn boards_have_any_shape_walls_and_names() {
        //     The board: 4 columns, 3 rows; the red piece B stands upright.
        let level = layout("# red: B\nx..a\nB..a\nB.xx\n");
        assert_eq!((level.width, level.height), (4, 3));
        assert_eq!(level.walls, [(0, 0), (2, 2), (2, 3)]);
        assert_eq!((level.pieces[level.red].name.as_str(), level.pieces[1].name.as_str()), ("B", "a"));
        assert_eq!(level.exit, Exit { side: Side::Bottom, line: 0 });
        assert_eq!(layout("AA..BB..OO......").width, 4, "a capital O is a piece");
        assert_eq!(layout("# board: 9x4\nAA.......BB................CC.......").height, 4);
    }

    #[test]
    fn drawn_exits_are_read() {
        let exit = |text: &str| layout(text).exit;
        assert_eq!(exit("...\nAA.>\n..."), Exit { side: Side::Right, line: 1 });
        assert_eq!(exit(" ...\n<.AA\n ..."), Exit { side: Side::Left, line: 1 });
        assert_eq!(exit("  ^\n..A\n..A\n..."), Exit { side: Side::Top, line: 2 });
        assert_eq!(exit("A . v\nA . v\n. . .\nv"), Exit { side: Side::Bottom, line: 0 });
        assert_eq!(exit("AA..>"), Exit { side: Side::Right, line: 0 }, "one row, not a square of two");
        assert_eq!(exit("# exit: left\n...\nAA.\n..."), Exit { side: Side::Left, line: 1 });
    }

    #[test]
    fn lists_of_pieces_keep_their_names() {
        let list = r#"[{"id": 7, "position": [0, 4], "length": 3, "orientation": 2},
            {"id": "r", "position": 12, "length": "2", "orientation": "horizontal"}]"#;
        let level = layout(list);
        assert_eq!((level.pieces[0].name.as_str(), level.red, level.width), ("7", 1, 6));
        assert_eq!((level.pieces[1].row, level.pieces[1].column, level.pieces[0].column), (2, 0, 4));
        let object = format!(
            r#"{{"width": 7, "height": 5, "red": "7", "walls": [0, [4, 6]], "exit": {{"side": "top", "line": 4}}, "pieces": {list}}}"#
        );
        let level = layout(&object);
        assert_eq!((level.width, level.height, level.red), (7, 5, 0));
        assert_eq!(level.walls, [(0, 0), (4, 6)]);
        assert_eq!(level.exit, Exit { side: Side::Top, line: 4 });
        assert_eq!((level.pieces[1].row, level.pieces[1].column), (1, 5));
    }

    #[test]
    fn a_list_may_mark_the_piece_of_the_player() {
        let text = r#"{"cars": [{"player": false, "position": 10, "length": 2, "id": "A", "orientation": "vertical"},
            {"player": true, "position": 14, "length": 2, "id": "me", "orientation": "h"}], "id": "prb0000"}"#;
        let read = levels("levels.json", text);
        assert_eq!(ids(&read), ["prb0000"]);
        assert_eq!(parse(&read[0].text, &read[0].source, read[0].span.start).unwrap().red, 1);
    }
}

mod containers {
    use super::*;

    #[test]
    fn a_file_with_one_level_gives_it_its_name() {
        assert_eq!(ids(&levels("data/level1.txt.gz", ARTICLE)), ["level1"]);
        assert_eq!(ids(&levels("level1", ARTICLE_BOARD)), ["level1"]);
        assert_eq!(ids(&levels("level.1.board", &format!("\n\n# id: first\n\n{ARTICLE}"))), ["first"]);
    }

    #[test]
    fn blank_lines_and_names_part_levels() {
        let text = "# My levels\n\n# id: easy\nAA.\n...\n...\n\n...\nAA.\n...\nid: hard\n...\n...\nAA.\n\n# the end\n";
        let read = levels("mine.txt", text);
        assert_eq!(ids(&read), ["easy", "mine-0002", "hard"]);
        assert_eq!(&text[read[1].span.clone()], "...\nAA.\n...");
        let rows: Vec<usize> =
            read.iter().map(|level| parse(&level.text, &level.source, level.span.start).unwrap().exit.line).collect();
        assert_eq!(rows, [0, 1, 2]);
    }

    #[test]
    fn lists_with_one_level_a_line_keep_their_other_fields() {
        let board = ARTICLE_BOARD.replace('\n', "");
        let read = levels("list.txt", &format!("# moves board size\n08 {board} 1247\n\n09 {board}   12\n"));
        assert_eq!(ids(&read), ["list-0001", "list-0002"]);
        assert_eq!(extra(&read[1]), [("moves", "09"), ("cluster_size", "12")]);
        assert_eq!(read[1].span, 68..104);
        let read = levels("list.txt", &format!("level board stars\nfirst {board} ***\n"));
        assert_eq!((ids(&read), read[0].extra[0].name.as_str()), (vec!["first"], "stars"));
        let read = levels("list.txt", &format!("{board}\n{board}\n"));
        assert_eq!(ids(&read), ["list-0001", "list-0002"]);
        let columns = LevelColumns { id: Some("field_2".to_owned()), board: None };
        let read = levels_of_text(&file("list.txt", &format!("{board} easy\n{board} hard\n")), &columns).unwrap();
        assert_eq!(ids(&read), ["easy", "hard"]);
    }

    #[test]
    fn tables_are_read_with_any_separator_and_quotes() {
        let board = ARTICLE_BOARD.replace('\n', "");
        for (name, separator) in [("t.csv", ","), ("t.csv", ";"), ("t.csv", "|"), ("t.tsv", "\t"), ("t.txt", ",")] {
            let text = ["\"n, of\",Level,Board\r\n", "1,a,", &board, "\r\n\"2\",\"b\",\"", &board, "\"\r\n"].concat();
            let text = text.replace("n, of", "n of").replace(',', separator);
            let read = levels(name, &text);
            assert_eq!(ids(&read), ["a", "b"], "{text}");
            assert_eq!(extra(&read[1]), [("n of", "2")]);
            assert!(read.iter().all(|level| text[level.span.clone()] == board && level.text == board));
        }
        // A drawn board and JSON within quotes: faults and levels alike are found where they stand.
        let text =
            format!("id,board\na,\"{ARTICLE_BOARD}\"\nb,\"[[2,1,3,1]]\"\nc,\"{{\"\"pieces\"\":[[2,1,3,1]]}}\"\n");
        let read = levels("t.csv", &text);
        let layouts = read.iter().map(|level| parse(&level.text, &level.source, level.span.start).unwrap());
        assert_eq!(layouts.map(|layout| layout.pieces.len()).collect::<Vec<_>>(), [8, 1, 1]);
    }

    #[test]
    fn json_holds_levels_as_lists_objects_or_lines() {
        let list = r#"[{"id": "A", "position": 12, "length": 2, "orientation": "h"}]"#;
        let board = ARTICLE_BOARD.replace('\n', "");
        let first = format!(r#"{{"level": 1, "board": "{board}", "moves": 8, "note": null}}"#);
        let second = format!(r#"{{"id": "two", "pieces": {list}, "exit": {{"side": "right"}}, "moves": 1}}"#);
        let texts = [
            ("l.json", format!("[{first},\n{second}]"), ["1", "two"]),
            ("l.json", format!("{{\"levels\": [{first}, {second}]}}"), ["1", "two"]),
            ("l.ndjson", format!("{first}\n{second}\n"), ["1", "two"]),
            ("l.txt", format!("{first}\n{second}\n"), ["1", "two"]),
            ("l.json", format!("[{list}, {list}]"), ["l-0001", "l-0002"]),
            ("l.json", format!("[\"{board}\", \"{board}\"]"), ["l-0001", "l-0002"]),
            ("l.jsonl", format!("\"{board}\"\n{list}"), ["l-0001", "l-0002"]),
        ];
        for (name, text, expected) in texts {
            let read = levels(name, &text);
            assert_eq!(ids(&read), expected, "{text}");
            for level in &read {
                assert!(parse(&level.text, &level.source, level.span.start).is_ok(), "{level:?}");
            }
        }
        let read = levels("l.json", &format!("[{first}, {second}]"));
        assert_eq!(extra(&read[0]), [("moves", "8"), ("note", "")]);
        // The game reads the exit from the object itself.
        assert_eq!(extra(&read[1]), [("exit", "{\"side\": \"right\"}"), ("moves", "1")]);
    }

    #[test]
    fn a_folder_is_read_in_the_order_of_names() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("b.txt", ARTICLE);
        write("a.board", ARTICLE_BOARD);
        write("README.md", "not a level");
        write(".hidden.txt", "not a level");
        let read = read_levels(folder.path(), &LevelColumns::default()).unwrap();
        assert_eq!(ids(&read), ["a", "b"]);
        // Faults of all files come together; the same name in two files is one of them.
        write("b.csv", "level,board\nb,AA..\nb,\n");
        let Err(LevelError::Diagnostics(faults)) = read_levels(folder.path(), &LevelColumns::default()) else {
            panic!("two levels are called b")
        };
        let codes: Vec<_> = faults.iter().map(|fault| (fault.code, fault.place.line_and_column())).collect();
        assert_eq!(codes, [("empty-level", (3, 3)), ("duplicate-id", (1, 1))]);
        assert!(faults[1].help.as_ref().unwrap().contains("b.csv, line 2"), "{}", faults[1]);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = read_levels(&folder.path().join("none.txt"), &LevelColumns::default()).unwrap_err();
        assert!(missing.to_string().contains("none.txt"), "{missing}");
        let empty = read_levels(folder.path(), &LevelColumns::default()).unwrap_err();
        assert!(matches!(empty, LevelError::NoFiles { .. }), "{empty}");
    }
}

mod faulty_containers {
    use super::*;

    #[test]
    fn a_container_is_blamed_where_it_breaks() {
        let board = ARTICLE_BOARD.replace('\n', "");
        let cases = [
            ("a.txt", "\n# nothing\n".to_owned(), vec![("empty-level", 1, 1)]),
            ("a.csv", String::new(), vec![("empty-level", 1, 1)]),
            ("a.json", "[{\"id\": 1}\n 2]".to_owned(), vec![("bad-json", 2, 2)]),
            ("a.csv", "nr,begin\n1,AA..\n".to_owned(), vec![("no-board-column", 1, 1)]),
            ("a.csv", format!("nr,n,begin\n1,2,{board}\n"), vec![("no-board-column", 1, 1)]),
            ("a.json", "[{\"board\": \"AA..\"}, {\"id\": 1}]".to_owned(), vec![("no-board-column", 1, 21)]),
            (
                "a.csv",
                "id,board\na,AA..\nb\n,AA..\nc,\n".to_owned(),
                vec![("ragged-table", 3, 1), ("missing-id", 4, 1), ("empty-level", 5, 3)],
            ),
            ("a.csv", "id,board\na,AA..\nb,AA..\na,AA..\n".to_owned(), vec![("duplicate-id", 4, 1)]),
            ("a.txt", "# id: a\nAA..\n\n# id: a\nAA..".to_owned(), vec![("duplicate-id", 4, 7)]),
            ("a.json", "[{\"id\":[],\"board\":\"AA..\"}]".to_owned(), vec![("missing-id", 1, 2)]),
            ("a.txt", format!("8 {board} 1\n9 {board} 2\n{board} 3\n"), vec![("ragged-table", 3, 1)]),
            ("a.txt", format!("id board\na 8 {board}\n"), vec![("ragged-table", 1, 1)]),
            ("a.txt", format!("{board} {board}\n"), vec![("no-board-column", 1, 1)]),
        ];
        for (name, text, expected) in cases {
            assert_eq!(faults(name, &text), expected, "{name}\n{text}");
        }
    }
}

mod columns {
    use super::*;

    #[test]
    fn columns_that_the_user_names_have_to_be_there() {
        let columns = |id: &str, board: &str| LevelColumns { id: Some(id.to_owned()), board: Some(board.to_owned()) };
        let table = file("t.csv", "nr,start,board\n7,AA..,BB..\n");
        let read = levels_of_text(&table, &columns("nr", "start")).unwrap();
        assert_eq!((ids(&read), read[0].text.as_str()), (vec!["7"], "AA.."));
        let codes = |columns| levels_of_text(&table, &columns).unwrap_err()[0].code;
        assert_eq!(codes(columns("number", "start")), "no-id-column");
        assert_eq!(codes(columns("nr", "begin")), "no-board-column");
    }
}

mod faulty_levels {
    use super::*;

    #[test]
    fn a_setting_that_is_given_twice_is_blamed() {
        check("# red: A\n# red: B\nAA.\n...\nBB.\n", &[("repeated-setting", 2, 8)]);
        check("# board: 3x3\n# board: 9x1\nAA.......\n", &[("repeated-setting", 2, 10)]);
    }

    fn check(text: &str, expected: &[(&'static str, usize, usize)]) {
        assert_eq!(faults("level.txt", text), expected, "{text}");
    }

    #[test]
    fn pieces_are_straight_and_whole() {
        check("AAB\n.BB\n...", &[("bent-piece", 2, 2)]);
        check("AA.\nBB.\nBB.", &[("bent-piece", 3, 1)]);
        check("AA.\nB.B\n...", &[("split-piece", 2, 3)]);
        check("AAC\nBB.\n...", &[("single-cell-piece", 1, 3)]);
        // A faulty red piece is faulty, not missing.
        check("A.A\n...\n...", &[("split-piece", 1, 3)]);
    }

    #[test]
    fn rows_and_characters_are_checked() {
        check("AA.\n..\n....\n...", &[("ragged-rows", 2, 3), ("ragged-rows", 3, 4)]);
        check("AA?!\n..é.\n....\n....", &[("unknown-character", 1, 3), ("unknown-character", 2, 3)]);
        check("BB.\n..", &[("missing-red-piece", 1, 1), ("ragged-rows", 2, 3)]);
        check("AA.....", &[("bad-board-length", 1, 1)]);
        check("# board: 3x2\nAA.....", &[("bad-board-length", 2, 1)]);
        check("# board: 3x2\nAA.\n...\n...", &[("bad-board-size", 1, 10)]);
    }

    #[test]
    fn pieces_lie_on_the_board_and_apart() {
        check(
            "2 1 3 6\n3 2 5 1\n2 1 7 1",
            &[("piece-outside-board", 1, 1), ("piece-outside-board", 2, 1), ("piece-outside-board", 3, 1)],
        );
        check("2 1 3 2\n  3 2 2 3", &[("overlapping-pieces", 2, 3)]);
        check("# wall: 3 3, 9 1\n2 1 3 2", &[("wall-outside-board", 1, 9), ("piece-on-wall", 2, 1)]);
        check("name,size,orientation,row,column\na,2,1,1,1\na,2,1,2,1", &[("duplicate-piece", 3, 1)]);
    }

    #[test]
    fn numbers_of_a_matrix_are_checked_one_by_one() {
        check(
            "2 1 3 2\n1 1 1 1\n2 3 1 x\n2.5 1 0 -1\n2 1 3\n",
            &[
                ("bad-size", 2, 1),
                ("bad-orientation", 3, 3),
                ("bad-number", 3, 7),
                ("bad-number", 4, 1),
                ("bad-number", 4, 7),
                ("bad-number", 4, 9),
                ("bad-row", 5, 1),
            ],
        );
        check("p1=c(2,1,3,2) p2=c(2,1,1)", &[("bad-row", 1, 18)]);
        check("2 1 99999999999999999999 4294967295", &[("bad-number", 1, 5)]);
        check("2 1 4294967295 4294967295", &[("piece-outside-board", 1, 1)]);
    }

    #[test]
    fn the_red_piece_and_its_exit_are_there() {
        check("BB.\n...\n...", &[("missing-red-piece", 1, 1)]);
        check("# red: C\nAA.\nBB.\n...", &[("missing-red-piece", 1, 8)]);
        check("AA.\n..B>\n..B", &[("exit-not-on-red-line", 2, 4)]);
        check("# exit: top 1\nAA.\n...\n...", &[("exit-not-on-red-line", 1, 9)]);
        check("# exit: right 2\nAA.>\n...\n...", &[("several-exits", 2, 4)]);
        check("# exit: up 2\nAA.\n...\n...", &[("bad-exit", 1, 9)]);
        check("     ^\nA..\nA..\n...", &[("bad-exit", 1, 6)]);
        check("exti: right 1\nAA.\n...\n...", &[("unknown-setting", 1, 1)]);
    }

    #[test]
    fn json_is_blamed_where_it_stands() {
        let check = |text: &str, expected: &[(&'static str, usize, usize)]| {
            assert_eq!(faults("level.json", text), expected, "{text}");
        };
        let piece = |id: &str, rest: &str| format!("{{\"id\": \"{id}\", {rest}}}");
        let good = "\"position\": 0, \"length\": 2, \"orientation\": \"h\"";
        check("[]", &[("empty-level", 1, 1)]);
        check("{\"pieces\": 3}", &[("unknown-notation", 1, 12)]);
        check("{\"width\": 3}", &[("missing-key", 1, 1), ("missing-key", 1, 11)]);
        check(&format!("[{}]", piece("B", good)), &[("missing-red-piece", 1, 1)]);
        check(
            &format!("[{},\n {}]", piece("A", good), piece("r", &good.replace('0', "6"))),
            &[("ambiguous-red-piece", 2, 2)],
        );
        check(&format!("[{}]", piece("A", &format!("{good}, \"target\": \"maybe\""))), &[("bad-mark", 1, 73)]);
        check(
            &format!(
                "[{},\n {}]",
                piece("A", good),
                piece("B", "\"position\": -1, \"length\": 1, \"orientation\": \"x\"")
            ),
            &[("bad-number", 2, 26), ("bad-size", 2, 40), ("bad-orientation", 2, 59)],
        );
        check(&format!("[{}]", piece("A", "\"position\": 0")), &[("missing-key", 1, 2), ("missing-key", 1, 2)]);
        check(&format!("[{}]", piece("A", &good.replace('0', "[5, 5]"))), &[("piece-outside-board", 1, 2)]);
        check("{\"walls\": [9], \"matrix\": [[2, 1, 3, 1]]}", &[("ambiguous-base", 1, 12)]);
        check("[{\"id\": [], \"position\": 0, \"length\": 2, \"orientation\": 1}]", &[("bad-name", 1, 9)]);
        // The bent piece stands after an escaped line end, in the second row of the board.
        check("{\"board\": \"AAB\\n.BB\\n...\"}", &[("bent-piece", 1, 18)]);
        check("[\"AAB\",\n \".BB\", \"...\"]", &[("bent-piece", 2, 4)]);
    }

    #[test]
    fn all_faults_of_all_levels_come_with_their_place_in_the_file() {
        let text = "id,board\na,\"AAB\n.BB\n...\"\nb,BB..\n";
        assert_eq!(faults("levels.csv", text), [("bent-piece", 3, 2), ("missing-red-piece", 5, 3)]);
    }
}

mod any_text {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_file_breaks_the_readers(
            text in "(board|id|[AB.o0-9 ,;\"\\n\r\\[\\]{}:#é]|[A-Z.]{25}){0,40}",
            name in "a\\.(txt|csv|tsv|json)",
        ) {
            let source = file(&name, &text);
            match levels_of_text(&source, &LevelColumns::default()) {
                Ok(levels) => {
                    for level in levels {
                        prop_assert!(text.get(level.span.clone()).is_some(), "{:?}", level);
                    }
                }
                Err(faults) => {
                    prop_assert!(!faults.is_empty());
                    for fault in faults {
                        prop_assert!(text.get(fault.place.span.clone()).is_some(), "{:?}", fault);
                    }
                }
            }
        }
    }
}
