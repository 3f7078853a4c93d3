//! Damaged input: a clear error or a true account, and no panic.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use plymap::run::{play, study_levels};
use plymap::study::Study;
use plymap_puzzles::progress::Silent;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::common::{program, repository};

/// The first study that `plymap init` writes, with its labelled moves as a log in Parquet.
fn first_study(folder: &Path) -> (Study, PathBuf) {
    let run = |arguments: &[&str]| {
        program().current_dir(folder).args(arguments).assert().success();
    };
    run(&["init", "first"]);
    run(&["label", "first", "--out", "first/logs/moves.parquet"]);
    let (file, log) = (folder.join("first/study.toml"), folder.join("first/logs/moves.parquet"));
    let text = std::fs::read_to_string(&file).expect("a study");
    let text = text.replace("logs/moves.csv", "logs/moves.parquet");
    let columns = text.find("[columns]").map_or(text.len(), |place| place);
    std::fs::write(&file, &text[..columns]).expect("a study");
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
    let whole = std::fs::read(&log).expect("a table");
    let (levels, _) = study_levels(&study, &Silent).expect("levels");
    let (mut n_told, mut n_read) = (0, 0);
    for seed in 0..400 {
        std::fs::write(&log, damaged(&whole, seed)).expect("a file");
        match play(&study, &levels, &Silent) {
            Ok(play) => {
                n_read += 1;
                play.expect("a log").counts().check().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            }
            Err(error) => {
                n_told += 1;
                assert!(error.to_string().contains("moves.parquet"), "seed {seed}: {error}");
            }
        }
    }
    assert!(n_told > 100 && n_told + n_read == 400, "{n_told} told, {n_read} read");
}

/// What is said of a log of the demo's levels.
fn said_of(log: &Path) -> Result<u64, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, levels) = (folder.path().join("study.toml"), repository().join("data/demo/levels"));
    let text = format!("[study]\nname = \"log\"\n[levels]\nfiles = [{levels:?}]\n[log]\nfiles = [{log:?}]\n");
    std::fs::write(&file, text).expect("a study");
    let study = Study::read(&file).expect("a study");
    let (levels, _) = study_levels(&study, &Silent).expect("levels");
    let play = play(&study, &levels, &Silent).map_err(|error| error.to_string())?;
    Ok(play.expect("a log").counts().read)
}

#[test]
fn a_small_file_that_unpacks_to_a_row_without_end_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, begin) in
        [("log.csv.gz", "participant,level,action\n"), ("log.ndjson.gz", ""), ("log.json.gz", "[{\"a\": \"")]
    {
        let log = folder.path().join(name);
        let file = std::fs::File::create(&log).expect("a file");
        let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::best());
        packed.write_all(begin.as_bytes()).expect("bytes");
        let block = vec![b'a'; 1 << 20];
        for _ in 0..65 {
            packed.write_all(&block).expect("bytes");
        }
        packed.finish().expect("a file");
        assert!(std::fs::metadata(&log).expect("a file").len() < 100_000);
        let said = said_of(&log).expect_err("no log");
        assert!(said.contains(name) && said.contains("a row of it has more than 64 MiB"), "{said}");
    }
}

/// A workbook of two rows, made with openpyxl, with one more cell in the last row and column that a sheet can have.
#[test]
fn a_cell_at_the_end_of_the_sheet_takes_no_room_for_those_in_between() {
    assert_eq!(said_of(&repository().join("tests/golden/far_cell.xlsx")), Ok(2));
}
