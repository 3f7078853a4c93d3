//! Files for Word and Excel, and what departs from a preregistration, as commands give them.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use plymap_report::Preregistration;
use plymap_tables::Codebook;
use tempfile::TempDir;

use crate::common::{demo_run, program};

/// A first study as `plymap init` writes it.
fn first_study() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    program().current_dir(folder.path()).args(["init", "first"]).assert().success();
    folder
}

/// What a command prints, and says on standard error; it must end with this exit code.
fn said(folder: &Path, words: &[&str], code: i32) -> (Vec<u8>, String) {
    let output = program().current_dir(folder).args(words).assert().code(code);
    let output = output.get_output();
    (output.stdout.clone(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The first bytes of every ZIP archive, and so of these files.
const ARCHIVE: &[u8] = b"PK\x03\x04";

#[test]
fn label_and_stats_give_workbooks_and_documents() {
    let folder = first_study();
    let moves = said(folder.path(), &["label", "first", "--format", "xlsx"], 0).0;
    assert!(moves.starts_with(ARCHIVE));
    said(folder.path(), &["label", "first", "--out", "moves.xlsx"], 0);
    assert!(fs::read(folder.path().join("moves.xlsx")).expect("a workbook") == moves, "the same bytes");
    assert!(!folder.path().join("moves.json").exists(), "the codebook is in the workbook");
    for file in ["correlations.docx", "correlations.xlsx"] {
        said(folder.path(), &["stats", "first", "--table", "correlations", "--out", file], 0);
        assert!(fs::read(folder.path().join(file)).expect("a file").starts_with(ARCHIVE), "{file}");
    }
    said(folder.path(), &["stats", "first", "--out", "all.xlsx"], 0);
    let message = said(folder.path(), &["stats", "first", "--table", "trials", "--out", "trials.doc"], 1).1;
    assert!(message.contains("must end in .csv, .parquet, .docx or .xlsx"), "{message}");
    let message = said(folder.path(), &["hint", "first", "--format", "xlsx"], 2).1;
    assert!(message.contains("xlsx is for tables of label, stats and figures"), "{message}");
}

#[test]
fn a_log_that_nobody_reads_is_no_document() {
    let message = said(Path::new("."), &["label", "data/demo", "--format", "docx"], 1).1;
    assert!(message.contains("11113 rows") && message.contains("write it as xlsx, csv or parquet"), "{message}");
}

#[test]
fn a_run_has_one_codebook_of_all_its_tables() {
    let run = demo_run();
    let codebook = Codebook::read(run).expect("a codebook");
    let listed: usize = codebook.tables.iter().map(|table| table.files.len()).sum();
    let of = |name: &str| fs::read_dir(run.join(name)).expect("a folder").count();
    assert_eq!(listed, of("tables") + of("distances"), "every file of a table is in it, and no other is there");
    let page = fs::read_to_string(run.join("codebook.html")).expect("a page");
    let columns: usize = codebook.tables.iter().map(|table| table.columns.len()).sum();
    assert_eq!(page.matches("<tr><th scope=\"row\">").count(), columns);
}

/// The text of a document for Word, without its marks.
fn text_of_docx(file: &Path) -> String {
    let mut archive = zip::ZipArchive::new(fs::File::open(file).expect("a document")).expect("an archive");
    let mut text = String::new();
    archive.by_name("word/document.xml").expect("a text").read_to_string(&mut text).expect("a text");
    let pieces = text.split('<').filter_map(|piece| piece.split_once('>'));
    pieces.map(|(_, text)| text).collect()
}

#[test]
fn a_run_says_what_departs_from_the_preregistration() {
    let folder = first_study();
    let study = folder.path().join("first/study.toml");
    let text = fs::read_to_string(&study).expect("a study");
    said(folder.path(), &["preregister", "first", "--out", "first/registered.md"], 0);
    let registered = Preregistration::read(&folder.path().join("first/registered.json")).expect("a registration");
    let form = fs::read_to_string(folder.path().join("first/registered.md")).expect("a text");
    assert!(form.contains("## Sampling plan") && form.contains(&registered.sha256), "{form}");
    let with = |more: &str| {
        let text = format!("{text}\n[preregistration]\nfile = \"registered.json\"\n{more}");
        fs::write(&study, text).expect("a study");
        said(folder.path(), &["run", "first", "--fast"], 0);
        fs::read_to_string(folder.path().join("reports/first-preview/report.md")).expect("a report")
    };
    let report = with("");
    let answers = report.split_once("## Answers").expect("answers").1;
    assert!(answers.trim_start().starts_with("Nothing departs from the preregistration registered.json."), "{report}");
    let report = with("\n[[exclude]]\ntrials = \"time_s < 1\"\nreason = \"too fast\"\n");
    // At the head of the answers with a link, in the methods with what they are, and in the section that lists them.
    let answers = report.split_once("## Answers").expect("answers").1;
    let head = "1 entry departs from the preregistration registered.json. See [Preregistration](#preregistration).";
    assert!(answers.trim_start().starts_with(head), "{report}");
    let methods = report.split_once("## Methods, for a paper").expect("methods").1;
    assert!(methods.contains("1 entry departs from the preregistration registered.json. exclude: "), "{report}");
    let page = fs::read_to_string(folder.path().join("reports/first-preview/report.html")).expect("a page");
    let linked = "1 entry departs from the preregistration registered.json. <a href=\"#section-preregistration\">";
    assert!(page.contains(linked) && page.contains("id=\"section-preregistration\""));
    let docx = text_of_docx(&folder.path().join("reports/first-preview/report.docx"));
    assert_eq!(docx.matches("1 entry departs from the preregistration registered.json.").count(), 3, "{docx}");
    assert!(
        report.contains("exclude: registered not set; now { reason = \"too fast\", trials = \"time\\_s &lt; 1\" }."),
        "{report}"
    );
    let file = folder.path().join("first/registered.json");
    let changed = fs::read_to_string(&file).expect("a registration").replace("0.95", "0.5");
    fs::write(&file, changed).expect("a registration");
    let message = said(folder.path(), &["run", "first", "--fast"], 1).1;
    assert!(message.contains("was changed since it was registered"), "{message}");
}

#[test]
fn a_hypothesis_that_was_not_registered_stands_apart() {
    let folder = first_study();
    let study = folder.path().join("first/study.toml");
    let text = fs::read_to_string(&study).expect("a study");
    let with = |hypotheses: &[&str], more: &str| {
        let list = format!("[statistics]\nconfirmatory = [{}]\n", hypotheses.join(", "));
        fs::write(&study, text.replace("[statistics]\n", &list) + more).expect("a study");
    };
    let registered = r#"{ name = "Length takes time", test = "trial-time: start_distance" }"#;
    let added = r#"{ name = "Length costs success", test = "solved: start_distance" }"#;
    with(&[registered], "");
    said(folder.path(), &["preregister", "first", "--out", "first/registered.md"], 0);
    with(&[added, registered], "\n[preregistration]\nfile = \"registered.json\"\n");
    said(folder.path(), &["run", "first", "--fast"], 0);
    let report = fs::read_to_string(folder.path().join("reports/first-preview/report.md")).expect("a report");
    assert!(report.contains("1 entry departs from the preregistration registered.json."), "{report}");
    let later = "Confirmatory hypotheses, added after the registration";
    for (before, between) in
        [("### Preregistered hypotheses", format!("### {later}")), ("## Confirmatory hypotheses", format!("{later}:"))]
    {
        let (_, after) = report.split_once(&format!("\n{before}\n\n")).expect(before);
        let mut paragraphs = after.split("\n\n");
        assert!(paragraphs.next().is_some_and(|text| text.starts_with("Length takes time ")), "{report}");
        assert_eq!(paragraphs.next(), Some(between.as_str()), "{report}");
        assert!(paragraphs.next().is_some_and(|text| text.starts_with("Length costs success ")), "{report}");
    }
}
