//! Files of all kinds as they are read, and those that are refused.

use std::io::{Cursor, Write};

use polars::prelude::{ParquetReader, ParquetWriter, SerReader as _};

use super::super::{ColumnSpec, Frame, Log, LogSpec, read_log};
use plymap_puzzles::progress::Silent;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

fn read_as(name: &str, content: &[u8], set: impl FnOnce(&mut LogSpec)) -> Result<Log, String> {
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join(name), content).unwrap();
    let mut spec = LogSpec { files: vec![name.into()], folder: folder.path().to_owned(), ..LogSpec::default() };
    set(&mut spec);
    read_log(&spec, &Silent).map_err(|error| error.to_string())
}

fn refusal(name: &str, content: &[u8]) -> String {
    read_as(name, content, |_| {}).map(|log| log.n_read).unwrap_err()
}

#[test]
fn a_workbook_that_is_none_is_refused() {
    let damaged = "log.xlsx: the log file cannot be read: it is no whole workbook: ";
    assert!(refusal("log.xlsx", b"PK\x03\x04\x14\0\0\0").starts_with(damaged));
    assert!(refusal("log.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1").contains("it is no whole workbook"));
    assert!(refusal("log.csv", b"PK\x03\x04\x14\0\0\0").contains("it is no whole workbook"));
    assert!(
        refusal("log.zip", b"PK\x03\x04\x14\0\0\0")
            .starts_with("log.zip: the log file cannot be read: it is no whole archive")
    );
}

/// With zeros where the footer or a page begins: the library says of itself that it cannot read them.
#[test]
fn a_parquet_file_is_looked_at_before_the_library_reads_it() {
    let mut table = polars::df!("participant" => ["p"; 3], "level" => [1; 3], "action" => ["A+1"; 3]).unwrap();
    let mut whole = Vec::new();
    ParquetWriter::new(&mut whole).finish(&mut table).unwrap();
    assert_eq!(read_as("log.parquet", &whole, |_| {}).unwrap().n_read, 3);
    let end = whole.len() - 8;
    let footer = end - usize::from(u16::from_le_bytes([whole[end], whole[end + 1]]));
    for (place, words) in [(footer, "its footer does not hold what it lists"), (4, "a page of column \"participant\"")]
    {
        let mut zeroed = whole.clone();
        zeroed[place..place + 4].fill(0);
        assert!(ParquetReader::new(Cursor::new(&zeroed)).finish().is_err(), "{words}");
        let said = refusal("log.parquet", &zeroed);
        assert!(said.contains(&format!("the file is damaged ({words}")), "{said}");
    }
}

/// Content of a compressed file.
fn packed(write: impl FnOnce(&mut dyn Write)) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    write(&mut encoder);
    encoder.finish().unwrap()
}

#[test]
fn a_small_file_that_stands_for_a_large_one_is_refused_in_every_format() {
    let folder = tempfile::TempDir::new().unwrap();
    let database = |schema: &str| {
        let file = folder.path().join("made.sqlite");
        rusqlite::Connection::open(&file).unwrap().execute_batch(schema).unwrap();
        let bytes = std::fs::read(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        bytes
    };
    let text = |head: &str, row: &str, n: usize| {
        packed(|file| {
            file.write_all(head.as_bytes()).unwrap();
            (0..n).for_each(|_| file.write_all(row.as_bytes()).unwrap());
        })
    };
    let head = "participant,level,action\n";
    let grown = "more than 4 MiB and 200 times its size, as no log does";
    let whole = "unpacked, it holds more than 4 MiB, which no log has";
    let many = "CREATE VIEW log AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) \
                SELECT 'p' AS participant, '1' AS level, 'A+1' AS action FROM n";
    let large = "CREATE VIEW log AS SELECT zeroblob((64 << 20) + 1) AS participant, '1' AS level, 'A+1' AS action";
    let zeros = [0; 1 << 16];
    // Begins as a database, and has some noise among zeros.
    let database_of = |file: &mut dyn Write, n_noisy: usize| {
        file.write_all(b"SQLite format 3\0").unwrap();
        let mut noise = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..100 {
            let mut block = zeros;
            noise.fill(&mut block[..n_noisy]);
            file.write_all(&block).unwrap();
        }
    };
    let mut archive = [&b"PK\x03\x04"[..], &[0; 22], &[5, 0, 0, 0], b"a.xml"].concat();
    let mut encoder = flate2::write::DeflateEncoder::new(&mut archive, flate2::Compression::best());
    (0..100).for_each(|_| encoder.write_all(&zeros).unwrap());
    encoder.finish().unwrap();
    let long = vec!["a".repeat(3 << 20); 5];
    let mut table = polars::df!("participant" => long.as_slice(), "level" => [1; 5], "action" => ["A+1"; 5]).unwrap();
    let mut parquet = Vec::new();
    ParquetWriter::new(&mut parquet).finish(&mut table).unwrap();
    for (name, bytes, expected) in [
        ("rows.csv.zst", text(head, "p,1,A+1\n", 600_000), grown),
        ("short-rows.csv.zst", text(head, ",,\n", 50_000), grown),
        ("blank.csv.zst", text(head, "\n", 5_000_000), grown),
        ("rows.ndjson.zst", text("", "{\"participant\": \"p\", \"level\": 1}\n", 200_000), grown),
        ("zeros.sqlite.zst", packed(|file| database_of(file, 0)), grown),
        ("noise.sqlite.zst", packed(|file| database_of(file, 1 << 9)), whole),
        ("book.xlsx", archive, whole),
        ("texts.parquet", parquet, whole),
        ("many.sqlite", database(many), grown),
        ("large.sqlite", database(large), "a row of it has more than 64 MiB, which no log has"),
    ] {
        assert!(bytes.len() < 60_000, "{name} has {} bytes", bytes.len());
        let said = refusal(name, &bytes);
        assert!(said.starts_with(name) && said.contains(expected), "{said}");
    }
    // A small one is read.
    let table = "CREATE TABLE log (participant, level, action); INSERT INTO log VALUES ('p', '1', 'A+1')";
    let small = packed(|file| file.write_all(&database(table)).unwrap());
    assert_eq!(read_as("log.sqlite.zst", &small, |_| {}).unwrap().n_read, 1);
}

#[test]
fn a_table_in_memory_is_read_as_the_file_that_holds_it() {
    let columns = |level: &[i64]| {
        let (people, actions) = (["p1", "p1", "p2"], [Some("A+1"), Some("B-2"), None]);
        polars::df!("participant" => people, "level" => level, "action" => actions, "rt_s" => [0.25, 1.5, f64::NAN])
    };
    let mut table = columns(&[1, 1, 2]).unwrap();
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes).finish(&mut table).unwrap();
    let file = read_as("log.parquet", &bytes, |_| {}).unwrap();
    let spec = LogSpec { files: vec!["log.parquet".into()], frame: Some(Frame(table)), ..LogSpec::default() };
    let frame = read_log(&spec, &Silent).unwrap();
    let said = |log: &Log| -> Vec<String> {
        let rows = (0..log.rows.len()).map(|number| log.rows.at(number));
        rows.map(|row| {
            format!("{} {} {:?} {:?} {}", row.participant(), row.level(), row.action(), row.rt_s(), row.line())
        })
        .collect()
    };
    assert_eq!(said(&frame), ["p1 1 Some(\"A+1\") Some(0.25) 1", "p1 1 Some(\"B-2\") Some(1.5) 2"]);
    assert_eq!((said(&file), &file.diagnostics, file.n_rejected), (said(&frame), &frame.diagnostics, 1));
    // In pieces, too, and with columns that no log can have.
    let (first, rest) = (columns(&[1, 1, 2]).unwrap(), columns(&[3, 3, 3]).unwrap());
    let spec = LogSpec { frame: Some(Frame(first.vstack(&rest).unwrap())), ..spec };
    assert_eq!(read_log(&spec, &Silent).unwrap().n_read, 6);
    let lists = polars::df!("participant" => ["p"], "level" => [polars::prelude::Series::from_iter([1])]).unwrap();
    let spec = LogSpec { frame: Some(Frame(lists)), ..spec };
    let refused = read_log(&spec, &Silent).map(|log| log.n_read).unwrap_err();
    assert_eq!(refused.place().column, Some("level"), "{refused}");
}

/// Whatever their names are, and compressed too.
#[test]
fn files_of_other_programs_are_named_as_what_they_are() {
    let zip = |names: &[&str]| {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(b"participant,level,action\n").unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    let tar = || {
        let mut builder = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(6);
        builder.append_data(&mut header, "a.csv", &b"a,b\n1\n"[..]).unwrap();
        builder.into_inner().unwrap()
    };
    let word = zip(&["[Content_Types].xml", "_rels/.rels", "word/document.xml"]);
    let to_unpack = "unpack it first, and name what is in it";
    let (pdf, xz) = (b"%PDF-1.7\n".to_vec(), b"\xfd7zXZ\0\0\x04".to_vec());
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let objects = b"X\n\0\0\0\x03\0\x04\x03\x01";
    for (name, bytes, expected) in [
        ("log.csv", pdf.clone(), "a PDF document; save what it says as text or as a table, and name that".to_owned()),
        ("log.json", b"\x89PNG\r\n\x1a\n\0".to_vec(), "a picture (PNG); name the file that was meant".to_owned()),
        ("log.csv.xz", xz.clone(), format!("compressed with xz; {to_unpack}")),
        ("log.tar.xz", xz.clone(), format!("compressed with xz; {to_unpack}")),
        ("log.csv.gz", gzip(&xz), format!("compressed with xz; {to_unpack}")),
        ("log.csv.gz", gzip(&gzip(b"participant,level\n")), format!("compressed with gzip; {to_unpack}")),
        ("log.csv.bz2", b"BZh91AY&SY\0".to_vec(), format!("compressed with bzip2; {to_unpack}")),
        ("log.zip", b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(), format!("an archive of 7-Zip; {to_unpack}")),
        ("log.tar", xz, format!("compressed with xz; {to_unpack}")),
        (
            "log.csv",
            tar(),
            "a tar archive; unpack it first, or let its name end in .tar, .tar.gz or .tar.zst".to_owned(),
        ),
        (
            "log.csv.gz",
            gzip(&tar()),
            "a tar archive; unpack it first, or let its name end in .tar, .tar.gz or .tar.zst".to_owned(),
        ),
        ("log.csv", zip(&["a.csv"]), "a ZIP archive; unpack it first, or let its name end in .zip".to_owned()),
        (
            "log.xlsx",
            word.clone(),
            "a Word document; save what it says as text or as a table, and name that".to_owned(),
        ),
        ("log.docx", word, "a Word document; save what it says as text or as a table, and name that".to_owned()),
        ("log.csv", gzip(objects), "an object of R (RDS); write it with write.csv in R, and name that".to_owned()),
        (
            "log.txt",
            b"<!DOCTYPE html><html>".to_vec(),
            "a web page; servers send one in place of a file where somebody has to sign in; download the file itself"
                .to_owned(),
        ),
    ] {
        assert_eq!(refusal(name, &bytes), format!("{name}: the log file cannot be read: it is {expected}"));
    }
}

#[test]
fn a_truncated_file_is_reported_as_truncated() {
    let rows: String = (0..20_000).map(|row: u64| format!("p,1,A+{}\n", row * row * 7919 % 104_729)).collect();
    let content = format!("participant,level,action\n{rows}");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content.as_bytes()).unwrap();
    let whole = encoder.finish().unwrap();
    for length in [whole.len() - 30, whole.len() / 2, 20] {
        assert!(refusal("log.csv.gz", &whole[..length]).contains("it is cut off"), "{length} bytes");
    }
    let whole = zstd::encode_all(content.as_bytes(), 1).unwrap();
    assert!(refusal("log.csv.zst", &whole[..whole.len() / 2]).contains("it is cut off"));
    assert!(read_as("log.csv.zst", &whole, |_| {}).is_ok());
}

#[test]
fn a_first_line_may_tell_the_separator() {
    for content in
        ["sep=;\nparticipant;level;action\np;1;A+1\n", "\u{feff}SEP=;\r\nparticipant;level;action\r\np;1;A+1\r\n"]
    {
        let log = read_as("log.csv", content.as_bytes(), |_| {}).unwrap();
        assert_eq!(log.rows.len(), 1);
        assert_eq!(log.rows.at(0).line(), 3, "the line that an editor shows");
    }
}

#[test]
fn a_header_that_is_not_taken_apart_asks_for_its_separator() {
    let piped = refusal("log.csv", b"participant|level|action\np|1|A+1\n");
    assert_eq!(
        piped,
        "log.csv: the header \"participant|level|action\" is read as one column; say `separator = \"|\"` in [log]"
    );
    let content = b"participant;level;action\np;1;A+1\n";
    let wrong = read_as("log.csv", content, |spec| spec.separator = Some(',')).map(|log| log.n_read).unwrap_err();
    assert!(wrong.contains("say `separator = \";\"`"), "{wrong}");
}

#[test]
fn a_column_that_is_taken_for_another_is_named() {
    let content = b"participant,level,action\np,1,A+1\n";
    let message = read_as("log.csv", content, |spec| {
        spec.columns.insert("participant".to_owned(), ColumnSpec::column("level"));
    });
    assert_eq!(
        message.map(|log| log.n_read).unwrap_err(),
        "log.csv: no column gives level: [columns] takes participant from \"level\"; name another column for one of \
         the two"
    );
}
