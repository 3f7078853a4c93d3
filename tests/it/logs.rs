//! Logs in every format that laboratories write, whole and damaged, read into the canonical log.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use plymap_log::{ColumnSpec, Consequence, Log, LogError, LogSpec, Unit, diagnostics_table, read_log, summarise};
use plymap_puzzles::progress::Silent;
use plymap_tables::testing::with_threads;
use polars::prelude::*;
use proptest::prelude::*;
use tempfile::TempDir;

/// A log with canonical names: two participants, the second of them with a hint and a second attempt.
const LOG: &str = "\
participant,level,attempt,move_index,event,action,rt_s,mood
P1,easy,1,0,move,A+1,1.5,good
P1,easy,1,1,move,B-2,0.25,good
P2,easy,1,0,move,A+1,2,07
P2,easy,1,,hint,,,
P2,easy,1,1,undo,,0.5,
P2,easy,2,0,move,B-2,3,
";

/// Reads one file with this content.
fn read(name: &str, content: impl AsRef<[u8]>) -> Result<Log, LogError> {
    read_as(name, content, |_| {})
}

fn read_as(name: &str, content: impl AsRef<[u8]>, set: impl FnOnce(&mut LogSpec)) -> Result<Log, LogError> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(name), content).unwrap();
    let mut spec = LogSpec { files: vec![name.into()], folder: folder.path().to_owned(), ..LogSpec::default() };
    set(&mut spec);
    read_log(&spec, &Silent)
}

fn columns(pairs: &[(&str, ColumnSpec)]) -> BTreeMap<String, ColumnSpec> {
    pairs.iter().map(|(key, column)| ((*key).to_owned(), column.clone())).collect()
}

/// Some columns of the log as text, `-` where a value is missing.
fn show(log: &Log, columns: &[&str]) -> Vec<String> {
    let table = log.rows.table();
    let cell = |name: &str, row| match table.column(name).unwrap().get(row).unwrap() {
        AnyValue::Null => "-".to_owned(),
        AnyValue::String(text) => text.to_owned(),
        AnyValue::StringOwned(text) => text.to_string(),
        AnyValue::Float64(number) => format!("{number:?}"),
        other => other.to_string(),
    };
    (0..log.rows.len()).map(|row| columns.iter().map(|name| cell(name, row)).collect::<Vec<_>>().join(" ")).collect()
}

/// `file:row code consequence` of each diagnostic about a row.
fn diagnostics(log: &Log) -> Vec<String> {
    let of_rows = log.diagnostics.iter().filter(|diagnostic| diagnostic.row > 0);
    of_rows
        .map(|diagnostic| {
            format!("{}:{} {} {}", diagnostic.file, diagnostic.row, diagnostic.code, diagnostic.consequence)
        })
        .collect()
}

fn refusal(result: Result<Log, LogError>) -> String {
    result.map(|log| log.n_read).unwrap_err().to_string()
}

fn assert_conserved(log: &Log) {
    assert_eq!(log.n_read, log.rows.len() as u64 + log.n_rejected);
    assert_eq!(log.n_read, log.files.iter().map(|file| file.n_rows).sum::<u64>());
    let rejected: Vec<_> =
        log.diagnostics.iter().filter(|diagnostic| diagnostic.consequence == Consequence::Rejected).collect();
    assert_eq!(rejected.len() as u64, log.n_rejected, "one diagnostic for each rejected row");
    let places: HashSet<_> = rejected.iter().map(|diagnostic| (&diagnostic.file, diagnostic.row)).collect();
    assert_eq!(places.len(), rejected.len());
}

#[test]
fn the_canonical_log_has_its_columns_and_types() {
    let log = read("log.csv", LOG).unwrap();
    let schema: Vec<String> =
        log.rows.table().schema().iter().map(|(name, dtype)| format!("{name}: {dtype}")).collect();
    assert_eq!(
        schema.join(", "),
        "participant: str, session: str, level: str, attempt: i64, move_index: i64, event: str, action: str, \
         state_before: str, state_after: str, onset_s: f64, rt_s: f64, time_source: str, condition: str, mood: str, \
         source_file: str, source_row: u64"
    );
    assert_eq!(
        show(
            &log,
            &[
                "participant",
                "session",
                "attempt",
                "move_index",
                "event",
                "action",
                "onset_s",
                "rt_s",
                "time_source",
                "mood",
                "source_row"
            ]
        ),
        [
            "P1 1 1 0 move A+1 1.5 1.5 onset from rt good 2",
            "P1 1 1 1 move B-2 1.75 0.25 onset from rt good 3",
            "P2 1 1 0 move A+1 2.0 2.0 onset from rt 07 4",
            "P2 1 1 - hint - - - - - 5",
            "P2 1 1 1 undo - 2.5 0.5 onset from rt - 6",
            "P2 1 2 0 move B-2 3.0 3.0 onset from rt - 7",
        ]
    );
    assert!(log.diagnostics.is_empty(), "{:?}", log.diagnostics);
    assert_conserved(&log);
}

/// The rows of [`LOG`] as JSON objects, with numbers as numbers.
fn objects() -> Vec<String> {
    let mut lines = LOG.lines().map(|line| line.split(','));
    let names: Vec<&str> = lines.next().unwrap().collect();
    lines
        .map(|fields| {
            let pairs =
                names.iter().zip(fields).filter(|(_, field)| !field.is_empty()).map(|(name, field)| match *name {
                    "attempt" | "move_index" | "rt_s" => format!("\"{name}\": {field}"),
                    _ => format!("\"{name}\": \"{field}\""),
                });
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        })
        .collect()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn parquet() -> Vec<u8> {
    let text =
        |name: &str, texts: [Option<&str>; 6]| StringChunked::from_slice_options(name.into(), &texts).into_column();
    let mut frame = DataFrame::new(
        6,
        vec![
            text("participant", [Some("P1"), Some("P1"), Some("P2"), Some("P2"), Some("P2"), Some("P2")]),
            text("level", [Some("easy"); 6]),
            UInt8Chunked::from_slice("attempt".into(), &[1, 1, 1, 1, 1, 2]).into_column(),
            Float64Chunked::from_slice_options(
                "move_index".into(),
                &[Some(0.0), Some(1.0), Some(0.0), None, Some(1.0), Some(0.0)],
            )
            .into_column(),
            text("event", [Some("move"), Some("move"), Some("move"), Some("hint"), Some("undo"), Some("move")]),
            text("action", [Some("A+1"), Some("B-2"), Some("A+1"), None, None, Some("B-2")]),
            Float64Chunked::from_slice("rt_s".into(), &[1.5, 0.25, 2.0, f64::NAN, 0.5, 3.0]).into_column(),
            text("mood", [Some("good"), Some("good"), Some("07"), None, None, None]),
        ],
    )
    .unwrap();
    let mut bytes = Cursor::new(Vec::new());
    ParquetWriter::new(&mut bytes).finish(&mut frame).unwrap();
    bytes.into_inner()
}

#[test]
fn every_format_and_compression_gives_the_same_log() {
    let expected = read("log.csv", LOG).unwrap().rows.table().drop_many(["source_file", "source_row"]);
    let lines = objects().join("\n") + "\n";
    let array = format!("[\n{}\n]\n", objects().join(",\n"));
    let files: Vec<(&str, Vec<u8>, &str, [u64; 2])> = vec![
        ("log.csv", format!("\u{feff}{}", LOG.replace('\n', "\r\n")).into_bytes(), "csv", [2, 7]),
        ("log.csv", LOG.replace(',', ";").into_bytes(), "csv", [2, 7]),
        ("log.tsv", LOG.replace(',', "\t").into_bytes(), "tsv", [2, 7]),
        ("log.txt", LOG.replace(',', "\t").into_bytes(), "tsv", [2, 7]),
        ("log.csv.gz", gzip(LOG.as_bytes()), "csv+gzip", [2, 7]),
        ("log.csv", zstd::encode_all(LOG.as_bytes(), 1).unwrap(), "csv+zstd", [2, 7]),
        ("log.ndjson", lines.clone().into_bytes(), "ndjson", [1, 6]),
        ("log.jsonl.zst", zstd::encode_all(lines.as_bytes(), 1).unwrap(), "ndjson+zstd", [1, 6]),
        ("log.json", array.into_bytes(), "json", [2, 7]),
        ("log.parquet", parquet(), "parquet", [1, 6]),
        ("log", gzip(&parquet()), "parquet+gzip", [1, 6]),
    ];
    for (name, content, format, rows) in files {
        let log = read(name, &content).unwrap();
        assert_eq!(log.files[0].format, format);
        assert_eq!(log.files[0].bytes, content.len() as u64);
        assert_eq!([0, 5].map(|row| log.rows.at(row).line()), rows, "{format}");
        let moves = log.rows.table().drop_many(["source_file", "source_row"]);
        assert!(moves.equals_missing(&expected), "{format}\n{moves:?}\n{expected:?}");
    }
}

#[test]
fn the_hash_is_that_of_the_file() {
    let log = read("log.csv", "participant,level,action\nP1,1,A+1\n").unwrap();
    // printf 'participant,level,action\nP1,1,A+1\n' | sha256sum
    assert_eq!(log.files[0].sha256, "d3fc55e1521261738df8626b3bb097ed7251aa7b4dfe8422394cd4216fb185d1");
}

#[test]
fn columns_are_mapped_and_the_rest_is_kept() {
    let content = "subject,level,prb,Move,rt_ms,move_no\nP1 ,x,07,A+1,1500.5,1\nP1,y,07,B-1,20,2\n";
    let log = read_as("log.csv", content, |spec| {
        spec.columns = columns(&[
            ("participant", ColumnSpec::column("subject")),
            ("level", ColumnSpec::column("prb")),
            ("action", ColumnSpec::column("Move")),
            ("rt", ColumnSpec::with_unit("rt_ms", Unit::Milliseconds)),
            ("move_index", ColumnSpec::Column { column: "move_no".to_owned(), unit: None, first: Some(1) }),
            ("condition", ColumnSpec::Value { value: "pilot".to_owned() }),
        ]);
    })
    .unwrap();
    assert_eq!(
        show(&log, &["participant", "level", "move_index", "rt_s", "condition", "log_level"]),
        ["P1 07 0 1.5005 pilot x", "P1 07 1 0.02 pilot y"]
    );
}

#[test]
fn durations_come_from_onsets() {
    let content = "\
participant,level,event,action,when
P1,1,start,,2026-03-01T10:00:00.100Z
P1,1,move,A+1,2026-03-01T11:00:01.200+01:00
P1,1,move,A-1,2026-03-01T10:00:01.300Z
P2,1,move,A+1,2026-03-01 10:00:05
P2,1,move,A-1,2026-03-01 10:00:04
P2,1,move,A+1,soon
P2,1,move,A-1,2026-03-01 10:00:08
";
    let log = read_as("log.csv", content, |spec| {
        spec.columns = columns(&[("onset", ColumnSpec::with_unit("when", Unit::Iso8601))]);
    })
    .unwrap();
    assert_eq!(
        show(&log, &["participant", "rt_s", "time_source"]),
        [
            "P1 - logged",
            "P1 1.1 rt from onset",
            "P1 0.1 rt from onset",
            "P2 - logged",
            "P2 - logged",
            "P2 - -",
            "P2 - logged"
        ],
        "the first move after a start has a latency; nothing is derived across a time that is wrong or missing"
    );
    assert_eq!(diagnostics(&log), ["log.csv:6 time-backwards time_missing", "log.csv:7 bad-time time_missing"]);
    let whole: Vec<_> =
        log.diagnostics.iter().filter(|diagnostic| diagnostic.row == 0).map(|diagnostic| &*diagnostic.code).collect();
    assert_eq!(whole, ["attempt-derived", "move-index-derived", "time-without-zone"]);
}

#[test]
fn the_time_behind_a_reset_belongs_to_the_attempt_that_it_begins() {
    let rows = "\
P1,1,move,A+1,10
P1,1,reset,,12
P1,1,move,A+1,15.5
P2,1,move,A+1,11
P1,1,reset,,16
P1,1,start,,18
P1,1,move,B+1,19
P2,1,reset,,12
P2,2,move,A+1,30
P2,1,move,A+1,45
P3,1,move,A+1,1
P3,1,reset,,2
P3,1,nonsense,A+1,3
P3,1,move,A+1,4
P4,1,move,A+1,8
P4,1,reset,,9
P4,1,move,A+1,1
";
    let content = format!("participant,level,event,action,onset_s\n{rows}");
    let log = read("log.csv", content).unwrap();
    assert_eq!(
        show(&log, &["participant", "level", "attempt", "event", "rt_s", "time_source"]),
        [
            "P1 1 1 move - logged",
            "P1 1 1 reset 2.0 rt from onset",
            "P1 1 2 move 3.5 rt from onset",
            "P1 1 2 reset 0.5 rt from onset",
            "P1 1 3 start 2.0 rt from onset",
            "P1 1 3 move 1.0 rt from onset",
            "P2 1 1 move - logged",
            "P2 1 1 reset 1.0 rt from onset",
            "P2 1 2 move - logged",
            "P2 2 1 move - logged",
            "P3 1 1 move - logged",
            "P3 1 1 reset 1.0 rt from onset",
            "P3 1 2 move - logged",
            "P4 1 1 move - logged",
            "P4 1 1 reset 1.0 rt from onset",
            "P4 1 2 move - logged",
        ],
        "but not across another level, a lost row, or a clock that goes back"
    );
    assert_eq!(diagnostics(&log), ["log.csv:14 unknown-event rejected", "log.csv:18 time-backwards time_missing"]);

    let numbered =
        "participant,level,attempt,event,action,onset_s\nP1,1,1,move,A,1\nP1,1,1,reset,,2\nP1,1,2,move,A,4\n";
    let log = read("log.csv", numbered).unwrap();
    assert_eq!(show(&log, &["rt_s"]), ["-", "1.0", "-"], "attempts that the log identifies may each have their clock");
}

#[test]
fn instants_of_parquet_are_read() {
    let instants = |zone| {
        let ticks = Int64Chunked::from_slice("onset".into(), &[1_767_268_800_250_000, 1_767_268_801_500_000]);
        ticks.into_datetime(TimeUnit::Microseconds, zone).into_column()
    };
    for zone in [None, Some(TimeZone::UTC)] {
        let text = |name: &str, text: &str| StringChunked::from_slice(name.into(), &[text, text]).into_column();
        let columns = vec![text("participant", "P1"), text("level", "1"), text("action", "A"), instants(zone.clone())];
        let mut bytes = Cursor::new(Vec::new());
        ParquetWriter::new(&mut bytes).finish(&mut DataFrame::new(2, columns).unwrap()).unwrap();
        let log = read_as("log.parquet", bytes.into_inner(), |spec| {
            spec.columns = self::columns(&[("onset", ColumnSpec::with_unit("onset", Unit::Iso8601))]);
        })
        .unwrap();
        assert_eq!(show(&log, &["onset_s", "rt_s"]), ["1767268800.25 -", "1767268801.5 1.25"]);
        assert_eq!(log.diagnostics.iter().any(|diagnostic| diagnostic.code == "time-without-zone"), zone.is_none());
    }
}

#[test]
fn categories_and_small_numbers_of_parquet_are_read_as_text() {
    let texts = |name: &str, texts: [Option<&str>; 3]| StringChunked::from_slice_options(name.into(), &texts);
    let categories = |name: &str, values: [Option<&str>; 3], dtype: &DataType| {
        texts(name, values).into_column().cast(dtype).expect("categories")
    };
    let global = DataType::from_categories(Categories::global());
    let mood = DataType::from_categories(Categories::new("mood".into(), "".into(), CategoricalPhysical::U8));
    let frozen = DataType::from_frozen_categories(FrozenCategories::new(["easy", "hard"]).unwrap());
    let mut frame = DataFrame::new(
        3,
        vec![
            categories("participant", [Some("P1"), Some("P1"), Some("P2")], &global),
            categories("level", [Some("hard"), Some("hard"), Some("easy")], &frozen),
            texts("action", [Some("A+1"), Some("B-2"), Some("A+1")]).into_column(),
            categories("mood", [Some("07"), None, Some("good")], &mood),
            Int16Chunked::from_slice("attempt".into(), &[300, 300, 1]).into_column(),
            Int8Chunked::from_slice_options("rating".into(), &[Some(-3), None, Some(7)]).into_column(),
        ],
    )
    .unwrap();
    let mut bytes = Cursor::new(Vec::new());
    ParquetWriter::new(&mut bytes).finish(&mut frame).unwrap();
    let log = read("log.parquet", bytes.into_inner()).unwrap();
    assert_eq!(
        show(&log, &["participant", "level", "attempt", "action", "mood", "rating"]),
        ["P1 hard 300 A+1 07 -3", "P1 hard 300 B-2 - -", "P2 easy 1 A+1 good 7"]
    );
}

#[test]
fn categories_of_other_programs_are_read_whatever_their_keys() {
    let log = read("log.parquet", include_bytes!("../data/categories.parquet")).unwrap();
    let shown = show(&log, &["participant", "level", "attempt", "action", "condition", "rating", "source_row"]);
    assert_eq!(shown.len(), 160);
    assert_eq!((shown[0].as_str(), shown[79].as_str()), ("P1 7 1 A+1 - -3 1", "P1 7 159 A+1 - -3 159"));
    assert_eq!(shown[80], "P2 8 2 B-2 b - 2");
}

#[test]
fn attempts_come_from_resets_and_falling_indices() {
    let content = "\
participant,level,move_index,event,action
P1,1,0,move,A+1
P1,1,1,reset,
P1,1,0,move,A+1
P1,1,1,move,B+1
P1,1,0,move,B+1
";
    let log = read("log.csv", content).unwrap();
    assert_eq!(
        show(&log, &["attempt", "move_index", "event"]),
        ["1 0 move", "1 1 reset", "2 0 move", "2 1 move", "3 0 move"]
    );
}

#[test]
fn each_fault_is_told_with_its_place_and_the_rest_is_read() {
    let content = "\
participant,level,attempt,move_index,event,action,rt_s
P1,1,1,0,move,A+1,1
P1,1,1,1,Move,A+1,1
P1,1,1,2,move,NA,1
,1,1,3,move,A+1,1
P1,NA,1,3,move,A+1,1
P1,1,one,3,move,A+1,1
P1,1,1,3.5,move,A+1,1
P1,1,1,3,move,A+1
P1,1,1,3,move,\"A+1,1
P1,1,1,3,move,A+1,-2
P1,1,1,4,move,A+1,1s
P1,1,1,0,move,A+1,1
P1,1,1,0,move,B+1,9
P2,1,1,1,move,A+1,
";
    let log = read("log.csv", content).unwrap();
    assert_eq!(
        diagnostics(&log),
        [
            "log.csv:3 unknown-event rejected",
            "log.csv:4 missing-action rejected",
            "log.csv:5 missing-participant rejected",
            "log.csv:6 missing-level rejected",
            "log.csv:7 bad-attempt rejected",
            "log.csv:8 bad-move-index rejected",
            "log.csv:9 ragged-row rejected",
            "log.csv:10 unclosed-quote rejected",
            "log.csv:11 negative-time time_missing",
            "log.csv:11 index-gap kept",
            "log.csv:12 bad-time time_missing",
            "log.csv:13 duplicate-row rejected",
            "log.csv:14 repeated-index kept",
            "log.csv:15 index-not-from-0 kept",
        ]
    );
    assert_eq!(
        show(&log, &["participant", "move_index", "rt_s", "onset_s"]),
        ["P1 0 1.0 1.0", "P1 0 9.0 10.0", "P1 3 - -", "P1 4 - -", "P2 1 - -"]
    );
    let message_of = |row| log.diagnostics.iter().find(|diagnostic| diagnostic.row == row).unwrap().to_string();
    assert_eq!(
        message_of(3),
        "log.csv:3, column event, \"Move\": this is no event; events are start, move, undo, reset, hint, give_up, \
         solved, null_move, limit; translate it in [log.events], as in \"Move\" = \"move\", or = \"ignore\" to leave such rows \
         out [unknown-event, rejected]"
    );
    assert_eq!(
        message_of(13),
        "log.csv:13, column move_index, \"0\": the row says the same as row 2; nothing is lost; find out how the row \
         came to be written twice [duplicate-row, rejected]"
    );
    let placed = log.diagnostics.iter().find(|diagnostic| diagnostic.code == "missing-action").unwrap();
    assert_eq!(
        (placed.participant.as_deref(), placed.level.as_deref(), placed.attempt),
        (Some("P1"), Some("1"), Some(1))
    );
    let unreadable = log.diagnostics.iter().find(|diagnostic| diagnostic.code == "unclosed-quote").unwrap();
    assert_eq!(unreadable.participant.as_deref(), Some("P1"), "its attempt goes on before and behind it");
    assert_conserved(&log);
    let table = diagnostics_table(&log.diagnostics);
    assert_eq!((table.name.as_str(), table.data.height()), ("rejects", log.diagnostics.len()));
    assert_eq!(summarise(&log.diagnostics).iter().map(|kind| kind.n).sum::<u64>(), log.diagnostics.len() as u64);
}

#[test]
fn a_lost_row_leaves_a_hole_where_moves_are_numbered_here() {
    let content = "participant,level,action\nP1,1,A+1\nP1,1,\nP1,1,A-1\nP1,1,A+1,?\nP1,1,A+2\n";
    let log = read("log.csv", content).unwrap();
    assert_eq!(show(&log, &["move_index", "source_row"]), ["0 2", "2 4", "4 6"]);
}

#[test]
fn lines_are_counted_through_quoted_boards() {
    let content = "participant,level,action,board\n\nP1,1,A+1,\"ab\ncd\"\nP1,1,B+1,\"x\"\"y\"\n";
    let log = read("log.csv", content).unwrap();
    assert_eq!(show(&log, &["source_row", "board"]), ["3 ab\ncd", "5 x\"y"]);
}

#[test]
fn bytes_that_are_no_text_cost_their_row_only() {
    let damaged = b"participant,level,action\nZo\xc3\xab,1,A+1\nM\xfcller,1,A+1\nP1,1,A\0\nP1,1,A-1\n";
    let log = read("log.csv", damaged).unwrap();
    assert_eq!(diagnostics(&log), ["log.csv:3 not-utf8 rejected", "log.csv:4 nul-byte rejected"]);
}

#[test]
fn text_in_other_encodings_is_converted_and_said() {
    let text = "participant,level,action\nZoë,1,A+1\n";
    let utf16 = |to_bytes: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
        format!("{mark}{text}").encode_utf16().flat_map(to_bytes).collect()
    };
    let latin: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
    for (content, encoding) in [
        (latin, "windows-1252"),
        (utf16(u16::to_le_bytes, "\u{feff}"), "utf-16le"),
        (utf16(u16::to_be_bytes, "\u{feff}"), "utf-16be"),
        (utf16(u16::to_le_bytes, ""), "utf-16le"),
    ] {
        let log = read("log.csv", &content).unwrap();
        assert_eq!(log.rows.table().column("participant").unwrap().str().unwrap().get(0), Some("Zoë"), "{encoding}");
        assert!(
            log.diagnostics.iter().any(|diagnostic| diagnostic.code == "encoding" && diagnostic.value == encoding),
            "{encoding}"
        );
        assert_eq!(log.files[0].encoding.as_deref(), Some(encoding));
    }
}

#[test]
fn broken_json_rows_are_rejected_and_an_array_is_read_up_to_its_break() {
    let lines = "{\"participant\": \"P1\", \"level\": 7, \"action\": \"A+1\", \"tags\": [1, {\"a\": null}]}\n\n{\"participant\"\n[1]\n";
    let log = read("log.ndjson", lines).unwrap();
    assert_eq!(show(&log, &["level", "tags"]), ["7 [1,{\"a\":null}]"]);
    assert_eq!(diagnostics(&log), ["log.ndjson:3 invalid-json rejected", "log.ndjson:4 not-an-object rejected"]);
    assert_conserved(&log);
    let cut = "[\n{\"participant\": \"P1\", \"level\": 7, \"action\": \"A+1\"},\n{\"participant\":";
    let log = read("log.json", cut).unwrap();
    assert_eq!((log.n_read, log.rows.len()), (1, 1));
    let said = log.diagnostics.iter().find(|diagnostic| diagnostic.code == "no-end-of-array").unwrap();
    assert_eq!((said.file.as_str(), said.value.as_str()), ("log.json", "{\"participant\":"));
    assert!(said.rule.starts_with("the array of rows has no end (line 3)"), "{}", said.rule);
}

#[test]
fn what_no_row_could_survive_is_refused_with_what_to_do() {
    assert_eq!(
        refusal(read("log.csv", "particpant,level,action\nP1,1,A+1\n")),
        "log.csv: no column gives participant (did you mean \"particpant\"?); the file has particpant, level, action; \
         name the right one in [columns], as in `participant = \"particpant\"`"
    );
    let mapped = read_as("log.csv", LOG, |spec| spec.columns = columns(&[("rt", ColumnSpec::column("rt_ms"))]));
    assert!(refusal(mapped).starts_with(
        "log.csv: [columns] rt names the column \"rt_ms\", which the file does not have (did you mean \"rt_s\"?)"
    ));
    assert!(refusal(read("log.csv", "participant,level,action,level\n")).contains("column \"level\" is named twice"));
    assert!(refusal(read("log.csv", "participant,level\nP1,1\n")).contains("what was done"));
    assert!(refusal(read("log.csv", "participant,level,action\n")).contains("the log has no rows"));
    assert!(refusal(read("log.csv", "")).contains("the log has no rows"));
    assert!(refusal(read("log.parquet", "PAR1 and then nothing")).contains("cannot be read"));
    assert!(refusal(read("log.csv.gz", &gzip(LOG.as_bytes())[..40])).contains("cannot be read"));
    let missing = LogSpec { files: vec!["nowhere.csv".into()], ..LogSpec::default() };
    assert!(refusal(read_log(&missing, &Silent)).contains("nowhere.csv: the log file does not exist"));
    assert!(matches!(read_log(&LogSpec::default(), &Silent), Err(LogError::NoFiles)));
}

#[test]
fn files_are_joined_in_their_order() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    let read = |names: &[&str]| {
        let files = names.iter().map(Into::into).collect();
        read_log(&LogSpec { files, folder: folder.path().to_owned(), ..LogSpec::default() }, &Silent)
    };
    file("b.csv", "participant,level,action,age\nP2,1,A+1,30\n");
    file("a.csv", "age,action,level,participant\n31,A+1,1,P1\n");
    file("c.csv", "participant,level,action,sex\nP3,1,A+1,f\n");
    file("d.ndjson", "{\"participant\": \"P4\", \"level\": \"1\", \"action\": \"A+1\", \"sex\": \"m\"}\n");
    file("copy.csv", "participant,level,action,age\nP2,1,A+1,30\n");
    let log = read(&["b.csv", "a.csv", "d.ndjson"]).unwrap();
    assert_eq!(
        show(&log, &["participant", "age", "sex", "source_file"]),
        ["P1 31 - a.csv", "P2 30 - b.csv", "P4 - m d.ndjson"]
    );
    assert_eq!(
        log.files.iter().map(|file| file.path.as_path()).collect::<Vec<_>>(),
        ["b.csv", "a.csv", "d.ndjson"].map(Path::new)
    );
    let differing = read(&["b.csv", "c.csv"]).unwrap();
    assert_eq!(show(&differing, &["participant", "age", "sex"]), ["P2 30 -", "P3 - f"]);
    assert!(refusal(read(&["b.csv", "copy.csv"])).contains("copy.csv has the same content as b.csv"));
}

#[test]
fn the_published_log_of_34_participants_is_read_as_it_stands() {
    let Some(file) = crate::recorded_data::recorded("rush_hour/moves_34subj.csv.gz") else { return };
    let folder = file.parent().expect("a folder").to_owned();
    let spec = LogSpec {
        files: vec!["moves_34subj.csv.gz".into()],
        folder,
        columns: columns(&[
            ("participant", ColumnSpec::column("subject")),
            ("level", ColumnSpec::column("instance")),
            ("attempt", ColumnSpec::column("trial")),
            ("move_index", ColumnSpec::column("move_no")),
            ("action", ColumnSpec::column("move")),
            ("rt", ColumnSpec::with_unit("rt_ms", Unit::Milliseconds)),
        ]),
        ..LogSpec::default()
    };
    let log = read_log(&spec, &Silent).unwrap();
    assert_eq!((log.n_read, log.n_rejected, log.rows.len()), (33_253, 0, 33_253));
    let n_different = |names: &[&str]| show(&log, names).into_iter().collect::<HashSet<_>>().len();
    assert_eq!(n_different(&["participant"]), 34);
    assert_eq!(n_different(&["level"]), 70);
    assert_eq!(n_different(&["participant", "level", "attempt"]), 1_335);
    let table = log.rows.table();
    let is_text = |name: &&str| table.column(name).unwrap().dtype() == &DataType::String;
    assert!(["d_before", "d_after", "n_legal"].iter().all(is_text));
    let kinds = summarise(&log.diagnostics);
    let counted: Vec<_> = kinds.iter().map(|kind| (kind.code.as_str(), kind.n)).collect();
    // Counted in the file itself: seven times a trial has two different moves of the same number, and
    // once a number is left out.
    assert_eq!(counted, [("repeated-index", 7), ("index-not-from-0", 2), ("index-gap", 1)]);
    assert_conserved(&log);
}

/// Damage to a log between the laboratory and the desk.
#[derive(Clone, Debug)]
enum Damage {
    DropLine(usize),
    RepeatLine(usize),
    SwapLines(usize, usize),
    /// A byte replaced by one that means something, or that is no text.
    Replace(usize, u8),
    Insert(usize, u8),
    CutOff(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let byte = || prop::sample::select(b",\"\n\r\0\xff 7-;x".to_vec());
    prop_oneof![
        any::<usize>().prop_map(Damage::DropLine),
        any::<usize>().prop_map(Damage::RepeatLine),
        any::<(usize, usize)>().prop_map(|(first, second)| Damage::SwapLines(first, second)),
        (any::<usize>(), byte()).prop_map(|(place, byte)| Damage::Replace(place, byte)),
        (any::<usize>(), byte()).prop_map(|(place, byte)| Damage::Insert(place, byte)),
        any::<usize>().prop_map(Damage::CutOff),
    ]
}

/// Damages what is below the header.
fn damaged(header: &str, rows: &str, damages: &[Damage]) -> Vec<u8> {
    let mut body = rows.as_bytes().to_vec();
    for damage in damages.iter().filter(|_| !rows.is_empty()) {
        let mut lines: Vec<Vec<u8>> = body.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        let (n, m) = (lines.len().max(1), body.len().max(1));
        match *damage {
            _ if body.is_empty() => break,
            Damage::DropLine(line) => drop(lines.remove(line % n)),
            Damage::RepeatLine(line) => lines.push(lines[line % n].clone()),
            Damage::SwapLines(one, other) => lines.swap(one % n, other % n),
            Damage::Replace(place, byte) => {
                body[place % m] = byte;
                continue;
            }
            Damage::Insert(place, byte) => {
                body.insert(place % m, byte);
                continue;
            }
            Damage::CutOff(place) => {
                body.truncate(place % m);
                continue;
            }
        }
        body = lines.concat();
    }
    [header.as_bytes(), &body].concat()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever happened to a file, every row is in the log or has a diagnostic that says why it is not,
    /// and reading it again gives the same.
    #[test]
    fn rows_are_conserved_in_damaged_logs(damages in prop::collection::vec(damage(), 0..12), as_json: bool) {
        let (name, content) = if as_json {
            ("log.ndjson", damaged(&(objects()[0].clone() + "\n"), &(objects().join("\n") + "\n"), &damages))
        } else {
            let (header, rows) = LOG.split_at(LOG.find('\n').unwrap() + 1);
            ("log.csv", damaged(header, &rows.repeat(3), &damages))
        };
        match read(name, &content) {
            Ok(log) => {
                assert_conserved(&log);
                let again = read(name, &content).unwrap();
                prop_assert!(log.rows.table().equals_missing(&again.rows.table()));
                prop_assert_eq!(log.diagnostics, again.diagnostics);
            }
            Err(error) => prop_assert!(matches!(error, LogError::NoRows { .. }), "{}", error),
        }
    }
}

#[test]
fn a_log_that_no_thread_can_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("log.csv"), "participant,level,action\np,1,A+1\n").unwrap();
    let spec = LogSpec { files: vec!["log.csv".into()], folder: folder.path().to_owned(), ..LogSpec::default() };
    let read =
        |n| with_threads(n, || read_log(&spec, &Silent).map(|log| log.n_read).map_err(|error| error.to_string()));
    assert!(read(0).unwrap_err().starts_with("the system gives no thread to read the log: "));
    assert_eq!(read(1), Ok(1));
}
