//! Files for Word and Excel, and what departs from a preregistration, as commands give them.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use plymap_report::Preregistration;
use plymap_tables::Codebook;
use tempfile::TempDir;

use crate::common::{demo_run, files_of, program, repository};

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

/// A part of a document for Word.
fn part_of_docx(file: &Path, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(fs::File::open(file).expect("a document")).expect("an archive");
    let mut text = String::new();
    archive.by_name(name).expect("a part").read_to_string(&mut text).expect("a text");
    text
}

/// The text of a document for Word, without its marks.
fn text_of_docx(file: &Path) -> String {
    let text = part_of_docx(file, "word/document.xml");
    let pieces = text.split('<').filter_map(|piece| piece.split_once('>'));
    pieces.map(|(_, text)| text).collect()
}

/// The sides of an element that have lines, each with the kind of its line.
fn lines(borders: &str) -> Vec<(&str, &str)> {
    let sides = borders.split("<w:").filter_map(|tag| tag.split_once(" w:val=\""));
    sides.map(|(side, rest)| (side, rest.split('"').next().unwrap_or_default())).collect()
}

/// What stands between the marks of the elements of a name.
fn elements<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let pieces = text.split(&format!("<{name}>")).skip(1).collect::<Vec<_>>();
    pieces.into_iter().filter_map(|piece| piece.split(&format!("</{name}>")).next()).collect()
}

/// Lines above the head, below it and below the last row, and no other: APA style (2020, section 7.10).
#[test]
fn tables_for_word_have_three_lines() {
    let folder = first_study();
    let file = folder.path().join("table.docx");
    for (command, more) in [("stats", &["--table", "correlations"][..]), ("label", &[])] {
        let words = [&[command, "first"], more].concat();
        let printed = said(folder.path(), &[&words[..], &["--format", "docx"]].concat(), 0).0;
        said(folder.path(), &[&words[..], &["--out", "table.docx"]].concat(), 0);
        assert!(fs::read(&file).expect("a document") == printed, "{command}: the same bytes");
        let three = [("top", "single"), ("bottom", "single")];
        let styles = part_of_docx(&file, "word/styles.xml");
        let (_, style) = styles.split_once("w:styleId=\"ApaTable\"").expect("a style of tables");
        let style = style.split("</w:style>").next().expect("its end");
        assert_eq!(
            elements(style, "w:tblBorders").into_iter().map(lines).collect::<Vec<_>>(),
            [three.to_vec()],
            "{command}: of the whole table"
        );
        let document = part_of_docx(&file, "word/document.xml");
        assert!(document.contains("<w:tblStyle w:val=\"ApaTable\"/>") && !document.contains("w:tblBorders"));
        let rows: Vec<&str> = document.split("<w:tr>").skip(1).collect();
        assert!(rows.len() > 2, "{command}: {} rows", rows.len());
        let of_head = elements(rows[0], "w:tcBorders");
        assert_eq!(of_head.len(), rows[0].matches("<w:tc>").count());
        assert!(of_head.iter().all(|cell| lines(cell) == three), "{command}: {of_head:?}");
        assert!(rows[1..].iter().all(|row| !row.contains("w:tcBorders")), "{command}: no line between rows");
    }
}

/// All that a form asks for stands in the study before there are data: several hypotheses as one family, and the experiment.
#[test]
fn a_preregistration_needs_no_log() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, content) in files_of(&repository().join("data/demo")) {
        if !path.starts_with("logs") {
            let target = folder.path().join("demo").join(path);
            fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
            fs::write(target, content).expect("a file");
        }
    }
    said(folder.path(), &["preregister", "demo", "--out", "registered.md"], 0);
    let form = fs::read_to_string(folder.path().join("registered.md")).expect("a text");
    let section = |title: &str| {
        let (_, rest) = form.split_once(&format!("### {title}\n")).unwrap_or_else(|| panic!("no {title}: {form}"));
        rest.split("\n#").next().expect("its end").trim().to_owned()
    };
    let hypotheses = section("Hypotheses");
    for hypothesis in [
        "- H1. Haste saves time: the time of solved trials differs between the conditions.",
        "- H2. Haste costs quality: the odds that a move is optimal differ between the conditions.",
        "- H3. The effect of quality on log(rt\\_s) depends on condition.",
    ] {
        assert!(hypotheses.contains(hypothesis), "{hypotheses}");
    }
    let family = "The 3 hypotheses are one family of tests, whose p values are adjusted by the method of Holm (1979)";
    assert!(section("Inference criteria").contains(family), "{form}");
    let models = section("Statistical models");
    let tested =
        |number: usize| models.lines().find(|line| line.starts_with(&format!("- H{number}. "))).map(str::to_owned);
    assert!(
        tested(1).is_some_and(|line| line.contains("of solved trials, with log(time\\_s) as the outcome")),
        "{models}"
    );
    assert!(tested(2).is_some_and(|line| line.starts_with("- H2. Logistic mixed model")), "{models}");
    assert!(tested(3).is_some_and(|line| line.contains("The term tested is quality × condition")), "{models}");
    assert_eq!(tested(4), None);
    assert!(section("Randomization").contains("Participants are assigned to conditions: evenly."), "{form}");
    let session = section("Session");
    for line in ["- practice: demo-01", "- block hard: levels demo-05, demo-06, demo-07; order latin-square"] {
        assert!(session.lines().any(|there| there == line), "{session}");
    }
    assert!(section("Manipulated variables").contains("speed, accuracy"), "{form}");
    assert!(section("Measured variables").contains("answer to the question difficulty"), "{form}");
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
