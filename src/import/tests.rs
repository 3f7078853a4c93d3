//! Where studies lie, and how much is looked at before one is proposed.

use std::fmt::Write as _;
use std::fs;

use plymap_puzzles::progress::Silent;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::LoadedLevel;
use tempfile::TempDir;

use super::*;
use crate::log::looks;

#[test]
fn paths_are_seen_from_the_study() {
    let of = |from: &str, to: &str| relative(Path::new(from), Path::new(to)).display().to_string();
    assert_eq!(of("/a/study", "/a/raw/log.csv"), "../raw/log.csv");
    assert_eq!(of("/a", "/a/log.csv"), "log.csv");
}

/// A car that has the whole line to itself.
const BOARD: &str = "......\n......\nAA....>\n......\n......\n......\n";

/// What stands in further columns of a log, by the number of the column and of the row.
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

/// Cells are counted, for times depend on the machine.
#[test]
fn as_many_cells_are_looked_at_for_each_column_however_many_there_are() {
    for ((kind, base, further), moves) in FURTHER.into_iter().flat_map(|of| MOVES.map(|moves| (of, moves))) {
        let of = |n_columns| {
            let folder = log_with(n_columns, base, further, moves);
            let (proposal, n_looks) = proposed(&[folder.path().join("log.csv")]).unwrap();
            assert!(proposal.trial.n_moves >= 24, "{kind}, {n_columns} columns: {:?}", proposal.spec);
            n_looks
        };
        let looked = [100, 200, 400].map(of);
        let (first, second) = (looked[1] - looked[0], looked[2] - looked[1]);
        assert!(10 * second <= 22 * first, "{kind}, {moves:?}: {looked:?}");
    }
}

#[test]
fn of_very_many_columns_fewer_rows_are_looked_at() {
    let folder = log_with(1_000, "q", |column, row| (column + row).to_string(), MOVES[0]);
    let spec = LogSpec { files: vec![folder.path().join("log.csv")], ..LogSpec::default() };
    let all = sample(&spec).unwrap();
    assert_eq!((all.rows.len(), all.n_read), (24, 24));
    let some = crate::log::sample_within(&spec, 5 * 1_005).unwrap();
    assert_eq!((some.rows.len(), some.n_read), (5, 5));
    // Each row of the file becomes a thousand.
    let wide =
        toml::from_str("steps = [{ wide = { columns = { q = 'q{n}' } } }]").map(|wide: LogSpec| wide.steps).unwrap();
    let some = crate::log::sample_within(&LogSpec { steps: wide, ..spec }, 3 * 6 * 1_000).unwrap();
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
