//! Tests of where studies lie, and of how much is looked at before one is proposed.

use super::*;
use crate::write::relative;
use plymap_log::testing::looks;
use plymap_log::{ColumnSpec, Unit};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::LoadedLevel;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

#[test]
fn paths_are_seen_from_the_study() {
    let path_between = |from: &str, to: &str| relative(Path::new(from), Path::new(to)).display().to_string();
    assert_eq!(path_between("/a/study", "/a/raw/log.csv"), "../raw/log.csv");
    assert_eq!(path_between("/a", "/a/log.csv"), "log.csv");
}

/// A car that has the whole line to itself.
const BOARD: &str = "......\n......\nAA....>\n......\n......\n......\n";

/// Cells of further columns of a log, by the number of the column and of the row.
type Further = fn(usize, usize) -> String;

/// Columns that have nothing to do with moves, and such as could have.
const FURTHER: [(&str, &str, Further); 9] = [
    ("numbers", "item_x", |column, row| ((7 * column + 13 * row) % 97).to_string()),
    ("words", "word_x", |column, row| format!("{}{}", ["yes", "no", "maybe"][(column + row) % 3], column % 5)),
    ("the same everywhere", "same_x", |_, _| "x".to_owned()),
    (
        "some missing",
        "some_x",
        |column, row| if (column + row).is_multiple_of(3) { format!("v{column}") } else { String::new() },
    ),
    ("numbered columns", "q", |column, row| ((column + row) % 5).to_string()),
    ("lists of lists of numbers", "list_x", |column, row| {
        format!("\"[{}]\"", ["1", "1,2", "1,2,3"][(column + row) % 3])
    }),
    ("texts of several parts", "parts_x", |column, row| ["a-b-c", "a-b-c-d", "b-c-a"][(column + row) % 3].to_owned()),
    ("moves that some rows lack", "try_x", |column, row| {
        ["A+1", "", "A+2", "A+3", "A+4"][(column * column + row) % 5].to_owned()
    }),
    ("pairs of numbered columns", "pair", |column, row| ((column + row) % 7).to_string()),
];

/// A name for each of these columns: with a number, in pairs that differ before it, or in letters alone.
fn name(base: &str, column: usize) -> String {
    let letters = |number: usize| -> String {
        [number / 676, number / 26, number].map(|part| char::from(b'a' + (part % 26) as u8)).iter().collect()
    };
    match base {
        "q" => format!("q{column}"),
        "pair" => format!("{}{}", letters(column / 2), column % 2),
        _ => format!("{base}{}", letters(column)),
    }
}

/// The moves of each person: to the goal, and to and fro, so that other readings are looked for.
const MOVES: [[&str; 4]; 2] = [["A+1"; 4], ["A+1", "A-1", "A+1", "A-1"]];

fn log_with(n_columns: usize, base: &str, further: Further, moves: [&str; 4]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "subject,level,attempt,move,rt_ms".to_owned();
    (0..n_columns).for_each(|column| write!(text, ",{}", name(base, column)).unwrap());
    for row in 0..24 {
        let (person, move_made) = (row / 4, moves[row % 4]);
        write!(text, "\np{person},one,1,{move_made},{}", 700 + 13 * row).unwrap();
        (0..n_columns).for_each(|column| write!(text, ",{}", further(column, row)).unwrap());
    }
    fs::write(folder.path().join("log.csv"), text + "\n").unwrap();
    folder
}

fn proposed(files: &[PathBuf]) -> Result<(Proposal, u64), ProposalError> {
    let level = LoadedLevel::from_text("one", BOARD, Default::default(), &Default::default()).unwrap();
    let rules: [(&str, &dyn Rules); 1] = [("one", &*level.rules)];
    let before = looks();
    let proposal = propose(files, None, &rules, &Silent)?;
    Ok((proposal, looks() - before))
}

/// Each person is in one group, so that its name says nothing of single rows.
#[test]
fn a_group_that_is_called_after_an_event_is_a_condition() {
    let folder = tempfile::tempdir().unwrap();
    let rows = (0..24).map(|row| {
        let person = row / 4;
        format!("p{person},{},one,1,A+1,{}\n", ["plan", "start"][person % 2], 700 + 13 * row)
    });
    let text = "subject,group,level,attempt,move,rt_ms\n".to_owned() + &rows.collect::<String>();
    let file = folder.path().join("log.csv");
    fs::write(&file, text).unwrap();
    let (proposal, _) = proposed(&[file]).unwrap();
    assert_eq!((proposal.trial.n_moves, proposal.trial.n_unused), (24, 0));
    let condition = proposal.spec.columns.get("condition").unwrap();
    assert!(matches!(condition, ColumnSpec::Column { column, .. } if column == "group"), "{:?}", proposal.spec);
    assert!(!proposal.spec.columns.contains_key("event"));
}

/// Cells are counted, for times depend on the machine.
#[test]
fn as_many_cells_are_looked_at_for_each_column_however_many_there_are() {
    for ((kind, base, further), moves) in
        FURTHER.into_iter().flat_map(|further_kind| MOVES.map(|moves| (further_kind, moves)))
    {
        let log_of = |n_columns| {
            let folder = log_with(n_columns, base, further, moves);
            let (proposal, n_looks) = proposed(&[folder.path().join("log.csv")]).unwrap();
            assert!(proposal.trial.n_moves >= 24, "{kind}, {n_columns} columns: {:?}", proposal.spec);
            n_looks
        };
        let looked = [100, 200, 400].map(log_of);
        let (first, second) = (looked[1] - looked[0], looked[2] - looked[1]);
        assert!(10 * second <= 22 * first, "{kind}, {moves:?}: {looked:?}");
    }
}

/// The log as objects, one a line; cells without quotes.
fn as_objects(folder: &TempDir) -> PathBuf {
    let table = fs::read_to_string(folder.path().join("log.csv")).unwrap();
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut text = String::new();
    for line in lines {
        let cell = |(name, cell): (&&str, &str)| match cell.parse::<i64>() {
            Ok(number) => format!("{name:?}: {number}"),
            Err(_) => format!("{name:?}: {cell:?}"),
        };
        let cells: Vec<String> = names.iter().zip(line.split(',')).map(cell).collect();
        writeln!(text, "{{{}}}", cells.join(", ")).unwrap();
    }
    let path = folder.path().join("log.ndjson");
    fs::write(&path, text).unwrap();
    path
}

/// Of a very wide table each cell is looked at a few times to find the columns that may tell of play, and then those
/// alone.
#[test]
fn of_very_many_columns_those_that_may_tell_of_play_are_looked_at() {
    const N: usize = 20_000;
    const ROWS: usize = 24;
    let of_kind = |kind: &str| FURTHER.into_iter().find(|(known, _, _)| *known == kind).unwrap();
    let looked_at = |kind: &str, n_columns: usize, is_table: bool| {
        let (_, base, further) = of_kind(kind);
        let folder = log_with(n_columns, base, further, MOVES[0]);
        let path = if is_table { folder.path().join("log.csv") } else { as_objects(&folder) };
        let (Proposal { spec, trial, notes, .. }, n_looks) = proposed(&[path]).unwrap();
        let rt = ColumnSpec::Column { column: "rt_ms".to_owned(), unit: Some(Unit::Milliseconds), first: None };
        let columns =
            [("action", ColumnSpec::column("move")), ("participant", ColumnSpec::column("subject")), ("rt", rt)];
        assert_eq!(spec.columns, columns.map(|(key, column)| (key.to_owned(), column)).into(), "{kind}");
        assert_eq!((spec.steps, spec.held), (vec![], None), "{kind}");
        assert_eq!((trial.n_moves, trial.n_unused), (ROWS, 0), "{kind}");
        let is_told = notes.iter().any(|note| note.entry == "files" && note.reason.contains("looked at"));
        assert_eq!(is_told, n_columns > narrow::COLUMNS, "{kind}: {notes:?}");
        n_looks
    };
    let few = looked_at("numbers", narrow::COLUMNS - 10, true);
    for (kind, n_columns, is_table) in [
        ("numbers", N / 5, true),
        ("the same everywhere", N / 5, true),
        ("numbered columns", N, true),
        ("numbered columns", N, false),
    ] {
        let n_looks = looked_at(kind, n_columns, is_table);
        let most = (2 * ROWS * n_columns) as u64 + 2 * few;
        assert!(n_looks <= most, "{kind}: {n_looks} cells of {n_columns} columns, {few} of a few");
    }
}

/// Moves in columns that are numbered, beside thousands of others that are.
#[test]
fn columns_that_tell_of_play_are_found_among_thousands() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    let others = |text: &dyn Fn(usize) -> String| (0..2_000).map(|n| format!(",{}", text(n))).collect::<String>();
    let mut text = format!("subject{}", others(&|n| format!("item_{n}")));
    text += &format!(",stage{}", others(&|n| format!("note_{n}")));
    (0..60).for_each(|n| write!(text, ",go_{n}").unwrap());
    for person in 0..8 {
        write!(text, "\np{person}{},one", others(&|n| ((n + person) % 9).to_string())).unwrap();
        text += &others(&|n| ["fine", "none", "so so"][(n + person) % 3].to_owned());
        let move_made = |n: usize| if n % 8 < 4 { "A+1" } else { "A-1" };
        (0..60).for_each(|n| write!(text, ",{}", move_made(n)).unwrap());
    }
    fs::write(&path, text + "\n").unwrap();
    let (proposal, _) = proposed(&[path]).unwrap();
    assert_eq!((proposal.trial.n_moves, proposal.trial.n_unused), (8 * 60, 0), "{:?}", proposal.spec);
}

/// Columns that are called after steps stand before all others.
#[test]
fn columns_of_one_kind_take_no_room_from_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    let mut text = (0..1_000).map(|column| format!("{},", name("step_", column))).collect::<String>();
    text += "run,sujet,what\n";
    for row in 0..24 {
        (0..1_000).for_each(|column| write!(text, "{},", (7 * row + column) % 13).unwrap());
        writeln!(text, "{},p{},A+1", 1 + row / 4 % 2, row / 8).unwrap();
    }
    fs::write(&path, text).unwrap();
    let (proposal, _) = proposed(&[path]).unwrap();
    let column_of = |key: &str| proposal.spec.columns.get(key).cloned();
    let columns = ["participant", "attempt", "action"].map(column_of);
    assert_eq!(columns, ["sujet", "run", "what"].map(|column| Some(ColumnSpec::column(column))));
    assert_eq!((proposal.trial.n_moves, proposal.trial.n_unused), (24, 0));
}

#[test]
fn of_very_many_columns_fewer_rows_are_looked_at() {
    let folder = log_with(1_000, "q", |column, row| (column + row).to_string(), MOVES[0]);
    let spec = LogSpec { files: vec![folder.path().join("log.csv")], ..LogSpec::default() };
    let all = sample(&spec).unwrap();
    assert_eq!((all.rows.len(), all.n_read), (24, 24));
    let some = plymap_log::sample_within(&spec, 5 * 1_005).unwrap();
    assert_eq!((some.rows.len(), some.n_read), (5, 5));
    // Each row of the file becomes a thousand.
    let wide =
        toml::from_str("steps = [{ wide = { columns = { q = 'q{n}' } } }]").map(|wide: LogSpec| wide.steps).unwrap();
    let some = plymap_log::sample_within(&LogSpec { steps: wide, ..spec }, 3 * 6 * 1_000).unwrap();
    assert_eq!((some.rows.len(), some.n_read), (3_000, 4), "the row in which it was enough was read");
}

#[test]
fn of_very_many_columns_some_are_named_where_nothing_is_found() {
    let folder = log_with(100, "q", |column, row| (column + row).to_string(), ["nothing"; 4]);
    let Err(error) = proposed(&[folder.path().join("log.csv")]) else { panic!("nothing is a move") };
    let said = error.to_string();
    assert!(
        said.contains("The columns are subject, level, attempt, move, rt_ms, q") && said.contains(" and 75 more. "),
        "{said}"
    );
}

#[test]
fn of_very_many_files_some_are_looked_at_and_all_are_replayed() {
    const N: usize = 3 * FILES;
    let folder = tempfile::tempdir().unwrap();
    // What the names of all have in common is less than what those of some have.
    let file = |person: usize| folder.path().join(format!("{}-{person}.csv", if person == 1 { "x" } else { "xy" }));
    for person in 0..N {
        fs::write(file(person), format!("level,move,rt_ms\none,A+1,{}\none,A+3,500\n", 600 + person)).unwrap();
    }
    let plain = LogSpec { files: vec![folder.path().to_owned()], max_files: Some(FILES), ..LogSpec::default() };
    let some = sample(&plain).unwrap();
    assert_eq!((some.files.len(), some.paths.len()), (FILES, N));
    let (proposal, n_looks) = proposed(&[folder.path().to_owned()]).unwrap();
    assert_eq!((proposal.trial.n_moves, proposal.trial.log.files.len()), (2 * N, N));
    assert!(proposal.spec.path.as_deref().is_some_and(|path| path == "{participant}.csv"), "{:?}", proposal.spec.path);
    assert!(n_looks < 2_000 * 2 * FILES as u64, "{n_looks}");
}
