//! Damaged input: a clear error or a true account, and no panic.

use std::fs;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use plymap_log::Consequence;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::claims::read_claims;
use plymap_run::study::Study;
use plymap_run::{Play, play, study_levels};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::common::{on_all_cores, program, repository};

/// The first study that `plymap init` writes, with its labelled moves as a log in Parquet.
fn first_study(folder: &Path) -> (Study, PathBuf) {
    let run = |arguments: &[&str]| {
        program().current_dir(folder).args(arguments).assert().success();
    };
    run(&["init", "first"]);
    run(&["label", "first", "--out", "first/logs/moves.parquet"]);
    let (file, log) = (folder.join("first/study.toml"), folder.join("first/logs/moves.parquet"));
    let text = fs::read_to_string(&file).expect("a study");
    let text = text.replace("logs/moves.csv", "logs/moves.parquet");
    let columns = text.find("[columns]").map_or(text.len(), |place| place);
    fs::write(&file, &text[..columns]).expect("a study");
    (Study::read(&file).unwrap_or_else(|error| panic!("{error}")), log)
}

/// Bytes of a file with one to three bits flipped, or cut off somewhere.
fn damaged(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut bytes = bytes.to_vec();
    if seed.is_multiple_of(8) {
        let end = generator.random_range(0..bytes.len());
        bytes.truncate(end);
        return bytes;
    }
    for _ in 0..1 + seed % 3 {
        // Half of the flips are in what the file says of itself, which stands at its end.
        let first = if generator.random_bool(0.5) { bytes.len().saturating_sub(2_000) } else { 0 };
        let place = generator.random_range(first..bytes.len());
        bytes[place] ^= 1 << generator.random_range(0..8_u32);
    }
    bytes
}

#[test]
fn a_damaged_parquet_file_is_told_or_read_and_never_ends_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let (study, log) = first_study(folder.path());
    let whole = fs::read(&log).expect("a table");
    let (levels, _) = study_levels(&study, &Silent).expect("levels");
    let (mut n_told, mut n_read) = (0, 0);
    for seed in 0..400 {
        fs::write(&log, damaged(&whole, seed)).expect("a file");
        match play(&study, &levels, &Silent) {
            Ok(play) => {
                n_read += 1;
                play.expect("a log").account.counts.check().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            }
            Err(error) => {
                n_told += 1;
                assert!(error.to_string().contains("moves.parquet"), "seed {seed}: {error}");
            }
        }
    }
    assert!(n_told > 100 && n_told + n_read == 400, "{n_told} told, {n_read} read");
}

/// Reads a log of the demo's levels; returns its number of rows, or the error.
fn said_of(log: &Path) -> Result<u64, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, levels) = (folder.path().join("study.toml"), repository().join("data/demo/levels"));
    let text = format!("[study]\nname = \"log\"\n[levels]\nfiles = [{levels:?}]\n[log]\nfiles = [{log:?}]\n");
    fs::write(&file, text).expect("a study");
    let study = Study::read(&file).expect("a study");
    let (levels, _) = study_levels(&study, &Silent).expect("levels");
    let play = play(&study, &levels, &Silent).map_err(|error| error.to_string())?;
    Ok(play.expect("a log").account.counts.read)
}

#[test]
fn a_small_file_that_unpacks_to_a_row_without_end_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, begin) in
        [("log.csv.gz", "participant,level,action\n"), ("log.ndjson.gz", ""), ("log.json.gz", "[{\"a\": \"")]
    {
        let log = folder.path().join(name);
        let file = fs::File::create(&log).expect("a file");
        let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::best());
        packed.write_all(begin.as_bytes()).expect("bytes");
        let block = vec![b'a'; 1 << 20];
        for _ in 0..65 {
            packed.write_all(&block).expect("bytes");
        }
        packed.finish().expect("a file");
        assert!(fs::metadata(&log).expect("a file").len() < 100_000);
        let said = said_of(&log).expect_err("no log");
        assert!(said.contains(name) && said.contains("a row of it has more than 64 MiB"), "{said}");
    }
}

/// A workbook of two rows, made with openpyxl, with one more cell, in row 4,000 and column 1,000.
const DISTANT: &str = "tests/golden/distant_cell.xlsx";

#[test]
fn a_cell_far_away_makes_no_rows_in_between() {
    assert_eq!(said_of(&repository().join(DISTANT)), Ok(2));
}

/// Four million cells would take 128 MB.
#[cfg(target_os = "linux")]
#[test]
fn a_cell_far_away_takes_no_room_for_those_in_between() {
    let folder = tempfile::tempdir().expect("a folder");
    let near = folder.path().join("log.csv");
    fs::write(&near, "participant,level,action\na,demo-01,E-1\n").expect("a log");
    let (distant, near) = (peak_of_check(&repository().join(DISTANT)), peak_of_check(&near));
    assert!(distant < near + 45, "{distant} MB, and {near} MB without that cell");
}

/// The most memory of `plymap check` with a log, in units of 1,048,576 bytes.
#[cfg(target_os = "linux")]
fn peak_of_check(log: &Path) -> u64 {
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("level.txt"), "AA.\n...\n...\n").expect("a level");
    let text = format!("[study]\nname = \"log\"\n[levels]\nfiles = [\"level.txt\"]\n[log]\nfiles = [{log:?}]\n");
    fs::write(folder.path().join("study.toml"), text).expect("a study");
    let mut program = Command::new(assert_cmd::cargo::cargo_bin("plymap"));
    program.env("PLYMAP_NO_CACHE", "1").arg("check").arg(folder.path());
    let program = program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let (code, said, peak) = crate::scripts::ended(program.expect("a program"));
    assert_eq!(code, Some(3), "the level of the log is not that of the study: {said}");
    peak
}

/// The files of the first study, with units beside the log and claims.
const FILES: [(&str, &str); 5] = [
    ("study.toml", include_str!("../../src/cli/init/study.toml")),
    ("levels/level-1.txt", include_str!("../../src/cli/init/level-1.txt")),
    ("logs/moves.csv", include_str!("../../src/cli/init/moves.csv")),
    ("logs/moves.json", r#"{"rt_ms": {"Units": "ms", "Description": "Seit dem Zug davor, für \"anna\""}}"#),
    (
        "claims.toml",
        "[[claim]]\nsentence = \"Anna moved 20 times\"\ntable = \"trials\"\nwhere = \"participant == 'anna'\"\n\
         column = \"n_moves\"\nexpected = 20\n",
    ),
];

/// The name and the text of one of them; the study knows of all others.
fn file(number: usize) -> (&'static str, String) {
    let (name, text) = FILES[number];
    let text = text.replace("name = \"my-study\"", "claims = \"claims.toml\"\nname = \"my-study\"");
    (name, text.replace("[columns]", "sidecars = true\n\n[columns]"))
}

/// The name of a file of the study and its bytes, damaged in one of eight ways.
fn damaged_file(seed: u64) -> (&'static str, Vec<u8>) {
    const HOSTILE: [&[u8]; 12] = [
        b"\0",
        b"\xff\xfe",
        b"\xc3(",
        b"\"",
        b"'",
        b",",
        b";",
        b"\t",
        b"\r",
        b"\xef\xbb\xbf",
        b"[[",
        "\u{202e}".as_bytes(),
    ];
    const NUMBERS: [&str; 8] = ["99999999999999999999", "-1", "1e308", "1e-400", "NaN", "inf", "0x10", "4294967296"];
    let generator = &mut ChaCha8Rng::seed_from_u64(seed);
    // The log is what people bring; every second damage is there.
    let (name, text) = file([2, 0, 2, 1, 2, 3, 2, 4, 2, 0, 2, 1][seed as usize % 12]);
    let text = text.as_str();
    let mut bytes = text.as_bytes().to_vec();
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (first, second) = (generator.random_range(0..lines.len()), generator.random_range(0..lines.len()));
    let place = generator.random_range(0..bytes.len());
    // The place of something that reaches from one sign that parts to the next.
    let parts = |byte: &u8| b",\n\"= .:".contains(byte);
    let begin = bytes[..place].iter().rposition(parts).map_or(0, |before| before + 1);
    let end = bytes[place..].iter().position(parts).map_or(bytes.len(), |behind| place + behind).max(begin);
    match generator.random_range(0..8) {
        0 => {
            for _ in 0..=seed % 3 {
                let place = generator.random_range(0..bytes.len());
                bytes[place] ^= 1 << generator.random_range(0..8_u32);
            }
        }
        1 => bytes.truncate(place),
        2 => {
            lines.insert(second, lines[first]);
            bytes = lines.concat().into_bytes();
        }
        3 => {
            lines.swap(first, second);
            bytes = lines.concat().into_bytes();
        }
        4 => {
            lines.remove(first);
            bytes = lines.concat().into_bytes();
        }
        5 => drop(bytes.splice(place..place, HOSTILE[generator.random_range(0..HOSTILE.len())].iter().copied())),
        6 => drop(bytes.splice(begin..end, NUMBERS[generator.random_range(0..NUMBERS.len())].bytes())),
        _ => drop(bytes.drain(begin..end)),
    }
    (name, bytes)
}

/// Rows below the header of a log; unknown where quotes may join lines, or where the text is no UTF-8.
fn n_rows(log: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(log).ok().filter(|text| !text.contains(['"', '\0']))?;
    let n_lines = text.split('\n').filter(|line| !line.trim_matches('\r').is_empty()).count();
    (n_lines as u64).checked_sub(1)
}

/// Every row is counted once, and every row that is not analysed has an entry that says why.
fn check_account(play: &Play, log: &[u8]) {
    let counts = play.account.counts;
    counts.check().unwrap_or_else(|error| panic!("{error}"));
    assert!(n_rows(log).is_none_or(|n_rows| n_rows == counts.read), "{counts:?}");
    assert_eq!(counts.read, counts.accepted + counts.rejected, "{counts:?}");
    assert_eq!(counts.accepted, counts.replayed + counts.excluded + counts.left_out, "{counts:?}");
    let diagnostics = || play.account.diagnostics.iter();
    let n_told = |consequence| diagnostics().filter(|diagnostic| diagnostic.consequence == consequence).count() as u64;
    assert_eq!(n_told(Consequence::Rejected), counts.rejected, "{counts:?}");
    assert_eq!(n_told(Consequence::Excluded), counts.excluded, "{counts:?}");
}

/// Reads a study one of whose files is damaged; returns its error, or nothing where the account of its rows is true.
fn said_of_study(folder: &Path, damaged: &str, log: &[u8], levels: &[ValuedLevel]) -> Result<(), String> {
    let study = Study::read(folder).map_err(|error| error.to_string())?;
    if let Some(claims) = &study.study.claims {
        read_claims(&folder.join(claims)).map_err(|error| error.to_string())?;
    }
    // The levels take longest: they are mapped anew where they may be others.
    let remapped = match damaged {
        "study.toml" | "levels/level-1.txt" => study_levels(&study, &Silent).map_err(|error| error.to_string())?.0,
        _ => Vec::new(),
    };
    let levels = if remapped.is_empty() { levels } else { &remapped };
    // A study that is cut off before [log] is one of its levels.
    let play = play(&study, levels, &Silent).map_err(|error| error.to_string())?;
    play.iter().for_each(|play| check_account(play, log));
    Ok(())
}

#[test]
fn a_study_with_a_damaged_file_is_told_or_has_a_true_account() {
    let whole = tempfile::tempdir().expect("a folder");
    write_all(whole.path());
    let study = Study::read(whole.path()).unwrap_or_else(|error| panic!("{error}"));
    let (levels, _) = study_levels(&study, &Silent).expect("levels");
    let log = FILES[2].1.as_bytes();
    assert_eq!((said_of_study(whole.path(), "", log, &levels), n_rows(log)), (Ok(()), Some(32)));

    let n_told = AtomicU32::new(0);
    on_all_cores(2_000, |seed| {
        let (name, bytes) = damaged_file(seed);
        let folder = tempfile::tempdir().expect("a folder");
        write_all(folder.path());
        fs::write(folder.path().join(name), &bytes).expect("a file");
        let log = if name == "logs/moves.csv" { &bytes } else { log };
        let said = catch_unwind(AssertUnwindSafe(|| said_of_study(folder.path(), name, log, &levels)));
        let said = said.unwrap_or_else(|_| panic!("seed {seed}: {name}: {}", String::from_utf8_lossy(&bytes)));
        // What a study says of its files may be wrong of them rather than of itself.
        let is_clear = |said: &String| name == "study.toml" && !said.is_empty() || said.contains(name);
        assert!(said.as_ref().err().is_none_or(is_clear), "seed {seed}: {name}: {said:?}");
        n_told.fetch_add(u32::from(said.is_err()), Ordering::Relaxed);
    });
    // Either way there are many of them: neither is all that the test tries.
    let n_told = n_told.into_inner();
    assert!((300..1_700).contains(&n_told), "{n_told} told");
}

fn write_all(folder: &Path) {
    for (name, text) in (0..FILES.len()).map(file) {
        fs::create_dir_all(folder.join(name).parent().expect("a folder")).expect("a folder");
        fs::write(folder.join(name), text).expect("a file");
    }
}

/// Files that are no text are named as what they are, wherever a text is read.
#[test]
fn files_of_other_programs_are_told_wherever_a_text_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    program().current_dir(folder.path()).args(["init", "first"]).assert().success();
    let first = folder.path().join("first");
    let study = fs::read_to_string(first.join("study.toml")).expect("a study");
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    for name in
        ["photo.png", "level.txt", "table.csv", "claims.toml", "preset.toml", "script.lua", "player.lua", "text.md"]
    {
        fs::write(first.join(name), picture).expect("a file");
    }
    let with = |old: &str, new: &str| {
        assert!(study.contains(old), "{old}");
        fs::write(first.join("other.toml"), study.replace(old, new)).expect("a study");
    };
    let refused = |arguments: &[&str]| {
        let output = program().current_dir(&first).args(arguments).output().expect("runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // A line that is too long goes on below.
        let words: Vec<&str> = said.split_whitespace().filter(|word| !["|", "│"].contains(word)).collect();
        let is_told = words.join(" ").contains("it is a picture (PNG); name the file that was meant");
        assert!(is_told && !output.status.success(), "{arguments:?}: {said}");
    };
    refused(&["run", "photo.png"]);
    refused(&["solve", "levels", "--game", "script.lua"]);
    refused(&["solve", "level.txt"]);
    refused(&["stats", "table.csv", "--estimator", "mean", "--y", "a"]);
    refused(&["import", "table.csv", "--levels", "levels", "--preview"]);
    for (old, new) in [
        ("[levels]", "claims = 'claims.toml'\n[levels]"),
        ("[log]", "[log]\npreset = 'preset.toml'"),
        ("logs/moves.csv", "table.csv"),
        ("files = [\"levels\"]", "files = ['level.txt']"),
        ("[statistics]", "[[cohort]]\nname = 'one'\npolicy = { kind = 'lua', file = 'player.lua' }\n[statistics]"),
        ("[statistics]", "[experiment]\nconsent = 'text.md'\n[statistics]"),
    ] {
        with(old, new);
        let command = if new.contains("cohort") { "simulate" } else { "check" };
        refused(&[command, "other.toml"]);
    }
}
