//! Logs of foreign laboratories, read as they lie there: shapes of files, sittings, numbers.

use std::path::Path;

use plymap::run::{Play, play, study_levels};
use plymap::study::Study;
use plymap_puzzles::progress::Silent;

/// Writes files into a folder.
fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, content) in files {
        let place = folder.join(name);
        std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        std::fs::write(place, content).expect("a file");
    }
}

/// What the study in this folder reads, whose entries these are.
fn played(folder: &Path, game: &str, entries: &str) -> Play {
    let file = folder.join("study.toml");
    let head = format!("[study]\nname = \"intake\"\n[levels]\ngame = \"{game}\"\nfiles = ['levels.txt']\n");
    std::fs::write(&file, head + entries).expect("a study");
    let study = Study::read(&file).unwrap_or_else(|error| panic!("{error}"));
    let (levels, _) = study_levels(&study, &Silent).unwrap_or_else(|error| panic!("{error}"));
    play(&study, &levels, &Silent).unwrap_or_else(|error| panic!("{error}")).expect("a log")
}

#[test]
fn positions_alone_are_read_and_the_posed_one_is_no_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = "participant,level,state_after,onset_s\n\
               P,two,21/-/-,0\nP,two,2/1/-,2\nP,two,-/1/2,5\nP,two,-/-/21,6\n\
               Q,two,2/1/-,2\nQ,two,-/1/2,5\n";
    write(folder.path(), &[("levels.txt", "# id: two\n2 disks 3 pegs\n"), ("log.csv", log)]);
    let play = played(folder.path(), "tower-of-hanoi", "[log]\nfiles = ['log.csv']\n");
    let counts = play.account.counts;
    assert_eq!((counts.read, counts.rejected, counts.excluded), (6, 0, 0), "{:?}", play.account.issues);
    let [posed, unposed] = play.measures.trials.as_slice() else { panic!("two trials") };
    assert_eq!((posed.n_moves, posed.is_solved, posed.first_move_latency_s), (Some(3.0), Some(true), Some(2.0)));
    assert_eq!((unposed.n_moves, unposed.is_solved, unposed.first_move_latency_s), (Some(2.0), Some(false), None));
}
