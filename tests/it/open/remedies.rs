//! The remedies that Check offers: pressed, each answers what it stands at, and nothing else.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::Page;

/// A level that `B+2` and `A+4` solve.
const BOARD: &str = "......\n..B...\nAAB...\n......\n......\n......\n";

/// A log in which something stands that a remedy answers, and what comes of it.
struct Case {
    remedy: &'static str,
    /// Code of what is found.
    code: &'static str,
    /// Rows below the header.
    rows: &'static str,
    /// Entries of `[log]`.
    entries: &'static str,
    /// A number of the check, and its values before and after.
    number: &'static str,
    counts: [u64; 2],
}

/// Columns of a log of times between moves, with somebody in whose play nothing is odd.
const OF_TIMES: [&str; 2] = ["participant,level,event,action,rt_s\n", "P9,easy,move,B+2,5\nP9,easy,move,A+4,1.3\n"];

/// The same of a clock that runs.
const OF_CLOCK: [&str; 2] =
    ["participant,level,event,action,onset_s\n", "P9,easy,start,,1\nP9,easy,move,B+2,5\nP9,easy,move,A+4,6.3\n"];

const CASES: [Case; 9] = [
    Case {
        remedy: "keep-illegal",
        code: "illegal-move",
        rows: "P1,easy,move,A+3,1\nP1,easy,move,B+2,2\nP1,easy,move,A+4,2\n",
        entries: "",
        number: "/totals/n_illegal",
        counts: [0, 1],
    },
    Case {
        remedy: "ignore-event",
        code: "unknown-event",
        rows: "P1,easy,move,B+2,5\nP1,easy,beep,,\nP1,easy,move,A+4,2\n",
        entries: "",
        number: "/counts/rejected",
        counts: [1, 0],
    },
    Case {
        remedy: "clock-trial",
        code: "missing-first-move-latencies",
        rows: "P1,easy,move,B+2,10\nP1,easy,move,A+4,12\n",
        entries: "",
        number: "/totals/n_trials",
        counts: [2, 2],
    },
    Case {
        remedy: "clock-trial",
        code: "clock-jumps",
        rows: "P1,easy,move,B+2,100\nP1,easy,move,A+4,102\nP1,other,move,B+2,10\nP1,other,move,A+4,12\n",
        entries: "",
        number: "/totals/n_trials",
        counts: [3, 3],
    },
    Case {
        remedy: "exclude-missing-times",
        code: "missing-times",
        rows: "P1,easy,move,B+1,2\nP1,easy,move,B-1,\nP1,easy,move,B+1,\nP1,easy,move,B-1,\nP1,easy,move,B+2,\n\
               P1,easy,move,A+4,2\n",
        entries: "",
        number: "/totals/n_trials",
        counts: [2, 1],
    },
    Case {
        remedy: "exclude-speed",
        code: "impossible-speed",
        rows: "P1,easy,move,B+1,5\nP1,easy,move,B+1,0.01\nP1,easy,move,A+4,0.02\n",
        entries: "",
        number: "/totals/n_attempts",
        counts: [2, 1],
    },
    Case {
        remedy: "exclude-idle",
        code: "idle-gaps",
        rows: "P1,easy,move,B+2,5\nP1,easy,move,A+4,700\n",
        entries: "",
        number: "/totals/n_trials",
        counts: [2, 1],
    },
    Case {
        remedy: "drop-null-moves",
        code: "null-drags-kept",
        rows: "P1,easy,move,B+0,1\nP1,easy,move,B+2,2\nP1,easy,move,A+4,2\n",
        entries: "illegal_moves = \"keep\"\n",
        number: "/totals/n_illegal",
        counts: [1, 0],
    },
    Case {
        remedy: "pseudonymise",
        code: "personal-data",
        rows: "ann@example.org,easy,move,B+2,5\nann@example.org,easy,move,A+4,2\n",
        entries: "",
        number: "/totals/n_participants",
        counts: [2, 2],
    },
];

/// The study of a case, which its page opens.
fn opened(folder: &Path, case: &Case) -> Page {
    let study = format!(
        "[study]\nname = \"s\"\n[levels]\nfiles = [\"easy.txt\", \"other.txt\"]\n[log]\nfiles = [\"log.csv\"]\n{}",
        case.entries
    );
    let [header, other] = if case.remedy == "clock-trial" { OF_CLOCK } else { OF_TIMES };
    let log = [header, case.rows, other].concat();
    for (name, text) in [("easy.txt", BOARD), ("other.txt", BOARD), ("log.csv", &log), ("study.toml", &study)] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    Page::new(folder, &["study.toml"])
}

/// What a check found, with its remedies.
fn findings(check: &Value) -> impl Iterator<Item = &Value> {
    ["anomalies", "diagnostics"].into_iter().flat_map(|kind| check[kind].as_array().expect("findings"))
}

/// The edits of a remedy where it stands at a finding.
fn edits<'a>(check: &'a Value, case: &Case) -> Option<&'a Value> {
    let found = findings(check).filter(|finding| finding["code"] == case.code);
    let mut remedies = found.flat_map(|finding| finding["remedies"].as_array().expect("remedies"));
    remedies.find(|remedy| remedy["key"] == case.remedy).map(|remedy| &remedy["edits"])
}

#[test]
fn each_remedy_answers_what_it_stands_at() {
    for case in &CASES {
        let folder = tempfile::tempdir().expect("a folder");
        let page = opened(folder.path(), case);
        let before = page.value("api/check");
        let edits = edits(&before, case).unwrap_or_else(|| panic!("{}: {before}", case.code));
        let finding = findings(&before).find(|finding| finding["code"] == case.code).expect("a finding");
        // Of one of two people; a column of ids is that of all.
        let n_people = if case.code == "personal-data" { 2 } else { 1 };
        let told = finding["n_participants"].as_u64();
        assert!(told.is_none_or(|told| told == n_people), "{}: {finding}", case.code);
        page.done("api/edit", &json!({ "edits": edits }));
        let after = page.value("api/check");
        assert!(findings(&after).all(|other| other != finding), "{}: {after}", case.code);
        assert!(self::edits(&after, case).is_none(), "{}: {after}", case.remedy);
        let counts = [&before, &after].map(|check| check.pointer(case.number).and_then(Value::as_u64));
        assert_eq!(counts, case.counts.map(Some), "{} {}: {after}", case.remedy, case.number);
        // Taken back, it stands there again.
        page.done("api/undo", &json!({}));
        assert_eq!(self::edits(&page.value("api/check"), case), Some(edits), "{}", case.remedy);
    }
}

#[test]
fn every_remedy_is_among_the_cases() {
    let pressed: BTreeSet<&str> = CASES.iter().map(|case| case.remedy).collect();
    assert_eq!(pressed, plymap_open::REMEDIES.iter().copied().collect());
}
