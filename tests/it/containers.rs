//! Containers of the rows of a log: archives, JSON that is one object, files in sections, lists in cells.

use std::io::Write as _;
use std::path::Path;

use plymap_run::Play;

use crate::common::program;
use crate::intake::{played, said, write};

/// A tower of two disks, and its three moves.
const LEVEL: (&str, &str) = ("levels.txt", "# id: two\n2 disks 3 pegs\n");
const MOVES: [&str; 3] = ["1>2", "1>3", "2>3"];

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &[&[LEVEL], files].concat());
    folder
}

fn hanoi(folder: &Path, entries: &str) -> Play {
    played(folder, "tower-of-hanoi", "levels.txt", entries)
}

/// Each trial: who, how many moves, and whether it was solved.
fn trials(play: &Play) -> Vec<(String, Option<f64>, Option<bool>)> {
    let participants = &play.measures.participants;
    let trials = play.measures.trials.iter();
    trials.map(|trial| (participants[trial.participant].clone(), trial.n_moves, trial.is_solved)).collect()
}

fn solved(who: &str) -> (String, Option<f64>, Option<bool>) {
    (who.to_owned(), Some(3.0), Some(true))
}

/// The files of an archive as its author packed them: logs in folders, and what is none.
fn packed() -> Vec<(String, Vec<u8>)> {
    let rows = |moves: &[&str]| {
        format!("level,action\n{}\n", moves.iter().map(|text| format!("two,{text}")).collect::<Vec<_>>().join("\n"))
    };
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(rows(&MOVES).as_bytes()).expect("written");
    let files = [
        ("data/readme.md", b"# What this is".to_vec()),
        ("data/P1.csv", rows(&MOVES).into_bytes()),
        ("__MACOSX/data/._P1.csv", b"\0\x05\x16\x07".to_vec()),
        ("../../data/P2.csv.gz", encoder.finish().expect("packed")),
        ("LICENSE.txt", b"Do what you want".to_vec()),
        ("data/more/P3.json", br#"[{"level": "two", "action": "1>3"}]"#.to_vec()),
    ];
    files.map(|(name, content)| (name.to_owned(), content)).into()
}

fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).expect("a file");
        writer.write_all(content).expect("written");
    }
    writer.finish().expect("an archive").into_inner()
}

fn tar(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        // The library itself writes no name that leads out of its folder.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, content.as_slice()).expect("a file");
    }
    builder.into_inner().expect("an archive")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("packed")
}

#[test]
fn an_archive_is_the_logs_in_it() {
    let (zip, tar) = (zip(&packed()), tar(&packed()));
    for (name, bytes) in [("all.zip", &zip), ("all.tar", &tar), ("all.tar.gz", &gzip(&tar)), ("all.tgz", &gzip(&tar))] {
        let folder = folder(&[]);
        std::fs::write(folder.path().join(name), bytes).expect("an archive");
        let play = hanoi(folder.path(), &format!("files = ['{name}']\npath = '{{participant}}.{{_}}'\n"));
        let unsolved = ("P3".to_owned(), Some(1.0), Some(false));
        assert_eq!(trials(&play), [solved("P1"), solved("P2"), unsolved], "{name}");
        let files: Vec<String> = play.account.files.iter().map(|file| file.path.display().to_string()).collect();
        let inner = ["data/P1.csv", "data/P2.csv.gz", "data/more/P3.json"].map(|inner| format!("{name}/{inner}"));
        assert_eq!(files, inner);
        let left_out = said(&play, "files-left-out");
        assert_eq!(left_out, [format!("{name}/data/P1.csv  3 files of the archive are no logs, and were left out")]);
        // A folder of nothing else, and a pattern.
        let of_folder = hanoi(folder.path(), "files = ['all.*']\npath = '{participant}.{_}'\n");
        assert_eq!(trials(&of_folder), trials(&play));
    }
}

#[test]
fn what_is_wrong_with_an_archive_is_said() {
    let folder = folder(&[]);
    let refusal = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
        let study = "[study]\nname = \"x\"\n[levels]\ngame = \"tower-of-hanoi\"\nfiles = [\"levels.txt\"]\n[log]\n";
        std::fs::write(folder.path().join("study.toml"), format!("{study}files = ['{name}']\n")).expect("a study");
        let output = program().current_dir(folder.path()).args(["check", "study.toml"]).output().expect("an output");
        assert!(!output.status.success(), "{name}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let whole = zip(&packed());
    let damaged = |name: &str, bytes: &[u8]| {
        let said = refusal(name, bytes);
        assert!(said.contains(&format!("{name}: the log file cannot be read: it is no whole archive")), "{said}");
    };
    damaged("cut.zip", &whole[..whole.len() / 2]);
    damaged("text.zip", b"participant,level,action\nP1,two,1>3\n");
    let packed_tar = gzip(&tar(&packed()));
    damaged("cut.tar.gz", &packed_tar[..packed_tar.len() / 2]);
    damaged("rows.tar.gz", &gzip("participant,level,action\n".repeat(100).as_bytes()));
    let none = refusal("none.zip", &zip(&packed()[..1]));
    assert!(
        none.contains("none.zip: the archive has no log in it, but data/readme.md; logs end in .csv, .tsv"),
        "{none}"
    );
}

#[test]
fn lists_under_keys_are_the_rows_of_people() {
    let rows = |moves: &[&str]| {
        let rows: Vec<String> =
            moves.iter().map(|text| format!("{{\"level\": \"two\", \"action\": \"{text}\"}}")).collect();
        format!("[{}]", rows.join(", "))
    };
    let people = format!("{{\"w01\": {},\n \"w02\": {},\n \"w03\": []}}\n", rows(&MOVES), rows(&MOVES[1..2]));
    let parts =
        format!("{{\"w01\": {{\"a\": {0}, \"b\": {1}}}, \"w02\": {{\"a\": {1}}}}}", rows(&MOVES), rows(&MOVES[1..2]));
    let folder = folder(&[("people.json", &people), ("parts.json", &parts)]);
    let unsolved = ("w02".to_owned(), Some(1.0), Some(false));
    let play = hanoi(folder.path(), "files = ['people.json']\n[columns]\nparticipant = 'key'\n");
    assert_eq!(trials(&play), [solved("w01"), unsolved.clone()]);
    assert_eq!(play.account.files[0].format, "json-by-key");
    let columns = "[columns]\nparticipant = 'key_1'\nsession = 'key_2'\n";
    let play = hanoi(folder.path(), &format!("files = ['parts.json']\n{columns}"));
    assert_eq!(trials(&play), [solved("w01"), ("w01".to_owned(), Some(1.0), Some(false)), unsolved]);
}

#[test]
fn one_object_over_the_whole_file_is_one_row() {
    let text = "{\n  \"participant\": \"P1\",\n  \"level\": \"two\",\n  \"moves\": [\n    \"1>2\",\n    \"1>3\",\n    \"2>3\"\n  ]\n}\n";
    let folder = folder(&[("P1.json", text)]);
    let steps = "steps = [{ split = { column = 'moves' } }]\n[columns]\naction = 'moves'\n";
    let play = hanoi(folder.path(), &format!("files = ['P1.json']\n{steps}"));
    assert_eq!((trials(&play), play.account.files[0].format.as_str()), (vec![solved("P1")], "json-object"));
}

#[test]
fn a_file_in_sections_is_read_by_one_of_them() {
    let text = "[Actions]\r\nparticipant,level,action\r\nP1,two,1>2\r\nP1,two,1>3\r\nP1,two,2>3\r\n\r\n[Others]\r\n\
                participant,level,action,note\r\nP2,two,1>3,x\r\n\r\nPeople\r\nid,age\r\nP1,30\r\n";
    let folder = folder(&[("log.csv", text)]);
    let play = hanoi(folder.path(), "files = ['log.csv']\n");
    assert_eq!(trials(&play), [solved("P1")]);
    let left_out =
        play.account.diagnostics.iter().find(|diagnostic| diagnostic.code == "sections-left-out").expect("it is said");
    assert_eq!((left_out.value.as_str(), play.account.counts.rejected), ("Others, People", 0));
    let play = hanoi(folder.path(), "files = ['log.csv']\ntable = 'Others'\n");
    assert_eq!(trials(&play), [("P2".to_owned(), Some(1.0), Some(false))]);
    assert_eq!(play.rows.at(0).line(), 9, "as an editor shows it");
    let study = std::fs::read_to_string(folder.path().join("study.toml")).expect("a study");
    std::fs::write(folder.path().join("study.toml"), study.replace("'Others'", "'Other'")).expect("a study");
    let output = program().current_dir(folder.path()).args(["check", "study.toml"]).output().expect("an output");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("there is no table \"Other\"; it has Actions, Others, People"), "{said}");
}

#[test]
fn runs_of_letters_lists_behind_each_other_and_numbered_columns_are_moves() {
    let maze = "participant,level,moves\nP1,1,R2D-U\n";
    let lists = "participant,level,before,after\nP1,two,\"['1>2']\",\"['1>3', '2>3']\"\nP2,two,,\"['1>3']\"\n";
    let wide = "participant,level,m[0][0],m[0][1],m[1][0],m[1][1],m[1][2]\nP1,two,1>2,,1>3,2>3,\nP2,two,1>3,,,,\n";
    let folder = folder(&[("runs.csv", maze), ("lists.csv", lists), ("wide.csv", wide)]);
    let unsolved = ("P2".to_owned(), Some(1.0), Some(false));
    let steps = "steps = [{ split = { column = 'before', then = ['after'] } }]\n[columns]\naction = 'before'\n";
    let play = hanoi(folder.path(), &format!("files = ['lists.csv']\n{steps}"));
    assert_eq!(trials(&play), [solved("P1"), unsolved.clone()]);
    let steps = "steps = [{ wide = { columns = { action = 'm[{n}][{n}]' }, number = 'place' } }]\n";
    let play = hanoi(folder.path(), &format!("files = ['wide.csv']\n{steps}"));
    assert_eq!(trials(&play), [solved("P1"), unsolved]);
    let steps = "steps = [{ split = { column = 'moves', by = '', times = true } }]\nillegal_moves = 'keep'\n[columns]\naction = 'moves'\n";
    std::fs::write(folder.path().join("levels.txt"), "# id: 1\n2 disks 3 pegs\n").expect("levels");
    let play = hanoi(folder.path(), &format!("files = ['runs.csv']\n{steps}"));
    assert_eq!(play.account.counts.read, 5, "R R D - U");
}
