//! Files that a run leaves behind, as its readers and other programs meet them.

use crate::common::demo_run;
use plymap_figures::ranking::Ranking;
use plymap_figures::{Heading, Label, Style, draw};
use plymap_measures::doctor::Anomaly;
use plymap_report::figures::Screens;
use plymap_report::{
    Answer, Count, Definition, Figure, Manifest, Mismatch, OutputFolder, ReportContent, ReportDiagnostic, ReportError,
    RowCounts, Section, TablePreview, generated_by, verify,
};
use plymap_tables::{
    ColumnDoc, Format, Print, Table, TableFormat, format_p, format_significant, render, safe_stem, to_latex,
    to_markdown, write_table, write_table_as,
};
use polars::prelude::{AnyValue, Column, DataFrame, DataType, IntoColumn, NamedFrom, ParquetReader, SerReader, Series};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

/// One column of each type, each with a missing value, and texts that need care.
fn all_types() -> Table {
    let columns = vec![
        column("participant", [Some("a,b"), Some("say \"hi\""), Some(""), None, Some("two\nlines")]),
        column("solved", [Some(true), Some(false), None, Some(true), Some(false)]),
        column("ply", [Some(0i32), None, Some(-7), Some(i32::MAX), Some(1)]),
        column("state", [Some(u64::MAX), Some(0), None, Some(1), Some(2)]),
        column("rt_s", [Some(0.1), Some(2.0), None, Some(1e-7), Some(1e300)]),
        column("weight", [Some(0.1f32), None, Some(0.25), Some(3.0), Some(f32::NAN)]),
        column("p", [Some(0.0004), Some(0.0431), Some(1.0), None, Some(0.5)]),
    ];
    let docs = vec![
        ColumnDoc::new("participant", "who moved"),
        ColumnDoc::new("solved", "whether the goal was reached").levels(&["true", "false"]),
        ColumnDoc::new("ply", "index of the move within its attempt, from 0"),
        ColumnDoc::new("state", "code of the position"),
        ColumnDoc::new("rt_s", "time since the move before").unit("s"),
        ColumnDoc::new("weight", "weight of the row"),
        ColumnDoc::new("p", "p-value of a test"),
    ];
    table("moves", columns, docs)
}

fn column<T>(name: &str, values: impl AsRef<[Option<T>]>) -> Column
where
    Series: NamedFrom<Vec<Option<T>>, [Option<T>]>,
    T: Clone,
{
    Series::new(name.into(), values.as_ref().to_vec()).into_column()
}

fn table(name: &str, columns: Vec<Column>, docs: Vec<ColumnDoc>) -> Table {
    let data = DataFrame::new_infer_height(columns).unwrap();
    Table { name: name.to_owned(), caption: "One row per move.".to_owned(), data, columns: docs }
}

#[test]
fn csv_holds_every_type_exactly_and_keeps_missing_apart_from_empty() {
    let expected = concat!(
        "participant,solved,ply,state,rt_s,weight,p\n",
        "\"a,b\",true,0,18446744073709551615,0.1,0.1,0.0004\n",
        "\"say \"\"hi\"\"\",false,,0,2.0,,0.0431\n",
        "\"\",,-7,,,0.25,1.0\n",
        ",true,2147483647,1,1e-7,3.0,\n",
        "\"two\nlines\",false,1,2,1e300,NaN,0.5\n",
    );
    assert_eq!(render(&all_types(), Format::Csv).unwrap(), expected);
    let folder = tempfile::tempdir().unwrap();
    let written = write_table(&all_types(), folder.path(), &[TableFormat::Csv]).unwrap();
    assert_eq!(written, [folder.path().join("moves.csv"), folder.path().join("moves.json")]);
    assert_eq!(fs::read_to_string(&written[0]).unwrap(), expected);
}

#[test]
fn a_lone_missing_value_is_not_a_blank_line() {
    let table = table("x", vec![column("x", [Some(1), None])], vec![ColumnDoc::new("x", "a number")]);
    assert_eq!(render(&table, Format::Csv).unwrap(), "x\n1\n\"\"\n");
}

#[test]
fn parquet_reads_back_equal_with_its_types() {
    let folder = tempfile::tempdir().unwrap();
    let table = all_types();
    let written = write_table_as(&table, folder.path(), "level~2F1", &[TableFormat::Parquet]).unwrap();
    assert_eq!(written[0], folder.path().join("level~2F1.parquet"));
    let read = ParquetReader::new(File::open(&written[0]).unwrap()).finish().unwrap();
    assert!(read.equals_missing(&table.data));
    assert_eq!(read.schema(), table.data.schema());
}

#[test]
fn the_same_rows_give_the_same_bytes_however_they_are_held() {
    let whole = all_types();
    let mut pieces = all_types();
    pieces.data = whole.data.slice(0, 2);
    pieces.data.vstack_mut(&whole.data.slice(2, 3)).unwrap();
    assert_eq!(pieces.data.columns()[0].as_materialized_series().n_chunks(), 2);
    let folder = tempfile::tempdir().unwrap();
    let bytes = |table: &Table, stem: &str| -> Vec<Vec<u8>> {
        let written = write_table_as(table, folder.path(), stem, &TableFormat::ALL).unwrap();
        written.iter().map(|path| fs::read(path).unwrap()).collect()
    };
    assert_eq!(bytes(&whole, "whole"), bytes(&pieces, "pieces"));
}

#[test]
fn the_sidecar_says_what_each_column_means() {
    let folder = tempfile::tempdir().unwrap();
    write_table(&all_types(), folder.path(), &[]).unwrap();
    let sidecar: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("moves.json")).unwrap()).unwrap();
    assert_eq!(sidecar["name"], "moves");
    assert_eq!(sidecar["caption"], "One row per move.");
    assert_eq!(sidecar["n_rows"], 5);
    let types: Vec<_> = sidecar["columns"].as_array().unwrap().iter().map(|column| &column["type"]).collect();
    assert_eq!(types, ["text", "boolean", "integer", "integer", "number", "number", "number"]);
    let solved = serde_json::json!({
        "name": "solved", "type": "boolean", "meaning": "whether the goal was reached", "unit": "",
        "levels": ["true", "false"],
    });
    assert_eq!(sidecar["columns"][1], solved);
    assert_eq!(sidecar["columns"][4]["unit"], "s");
}

#[test]
fn a_table_whose_columns_are_not_documented_one_by_one_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let fails = |change: fn(&mut Table)| {
        let mut table = all_types();
        change(&mut table);
        write_table(&table, folder.path(), &TableFormat::ALL).unwrap_err().to_string()
    };
    let undocumented = fails(|table| drop(table.columns.remove(4)));
    assert_eq!(undocumented, "table \"moves\", column \"rt_s\": it has no documentation; say what it means");
    assert!(
        fails(|table| table.columns.push(ColumnDoc::new("ghost", "x"))).contains("\"ghost\": it is documented but")
    );
    assert!(
        fails(|table| table.columns.swap(0, 1)).contains("\"participant\": column 1 of the data, where \"solved\"")
    );
    assert!(fails(|table| table.columns.push(ColumnDoc::new("p", "x"))).contains("\"p\": it is documented twice"));
    assert!(fails(|table| table.columns[2].meaning = " ".into()).contains("\"ply\": its meaning is blank"));
    assert!(fails(|table| table.columns[1].levels = vec!["true".into()]).contains("value \"false\" in row 2"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing may be written before the check");
}

#[test]
fn file_names_are_portable_and_different_names_stay_different() {
    assert_eq!(safe_stem("prb24227_7"), "prb24227_7");
    assert_eq!(safe_stem("../a b"), "~2E.~2Fa~20b");
    assert_ne!(safe_stem("a b"), safe_stem("a~20b"));
    // Windows keeps these for devices, whatever they end in.
    assert_eq!(
        ["CON", "aux.1", "lpt9", "console", "com10"].map(safe_stem),
        ["CON~", "aux~.1", "lpt9~", "console", "com10"]
    );
    let refused = write_table_as(&all_types(), Path::new("."), "../up", &[TableFormat::Csv]);
    assert!(matches!(refused, Err(plymap_tables::TableError::Stem { .. })));
}

#[test]
fn printed_numbers_have_three_significant_digits_and_p_values_look_as_in_a_paper() {
    let printed = [0.0, 1.0, 9.996, 12.345, 999.96, 1234.5678, -0.012345, 0.00001234, 2e12, f64::NAN];
    let expected = ["0", "1.00", "10.0", "12.3", "1000", "1235", "-0.0123", "1.23e-5", "2.00e12", "NaN"];
    assert_eq!(printed.map(|value| format_significant(value, 3)), expected);
    assert_eq!(
        [0.0, 0.0009999, 0.001, 0.0431, 0.9999, 1.0].map(format_p),
        ["< .001", "< .001", ".001", ".043", "> .999", "> .999"]
    );
}

#[test]
fn a_terminal_table_is_aligned_and_says_what_it_left_out() {
    let columns =
        vec![column("level", [Some("prb_7"), Some("ä"), None]), column("share", [Some(1.5), Some(-0.25), Some(10.0)])];
    let docs = vec![ColumnDoc::new("level", "its name"), ColumnDoc::new("share", "a share")];
    let table = table("levels", columns, docs);
    let expected = "level   share\n─────  ──────\nprb_7    1.50\nä      -0.250\n–          10\n";
    assert_eq!(render(&table, Format::Table).unwrap(), expected);
    let markdown =
        "One row per move.\n\n| level | share |\n| --- | ---: |\n| prb\\_7 | 1.50 |\n\nshowing 1 of 3 rows\n";
    assert_eq!(to_markdown(&table, &Print::rows(1)).unwrap(), markdown);
    assert_eq!(render(&table, Format::Tsv).unwrap(), "level\tshare\nprb_7\t1.5\nä\t-0.25\n\t10.0\n");
    let json: serde_json::Value = serde_json::from_str(&render(&table, Format::Json).unwrap()).unwrap();
    assert_eq!(json[2], serde_json::json!({ "level": null, "share": 10.0 }));
}

#[test]
fn latex_escapes_what_latex_reads() {
    let columns = vec![column("a_b", [Some(r"50% & \x {~^} <#$>")]), column("x", [Some(-1.5e-9)])];
    let table = table("t", columns, vec![ColumnDoc::new("a_b", "text"), ColumnDoc::new("x", "number")]);
    let latex = to_latex(&table, &Print::default()).unwrap();
    assert!(latex.contains("\\toprule\na\\_b & x \\\\\n\\midrule\n"));
    assert!(latex.contains(
        r"50\% \& \textbackslash{}x \{\textasciitilde{}\textasciicircum{}\} \textless{}\#\$\textgreater{} & $-1.50 \times 10^{-9}$ \\"
    ));
    assert!(latex.starts_with("\\documentclass") && latex.ends_with("\\end{document}\n"));
}

#[test]
fn a_date_becomes_text_and_a_list_is_refused_by_name() {
    let days = Series::new("day".into(), [20_000i32]).cast(&DataType::Date).unwrap();
    let dated = table("t", vec![days.into_column()], vec![ColumnDoc::new("day", "day of the session")]);
    assert_eq!(render(&dated, Format::Csv).unwrap(), "day\n2024-10-04\n");
    let lists = Series::new("moves".into(), [Series::new("".into(), [1, 2])]);
    let listed = table("t", vec![lists.into_column()], vec![ColumnDoc::new("moves", "all of them")]);
    let error = render(&listed, Format::Csv).unwrap_err().to_string();
    assert!(error.starts_with("table \"t\", column \"moves\": a table cannot carry the type list"), "{error}");
}

const HOSTILE: &str = "<script>alert('x')</script>|*_`[a](javascript:x)\"&";

/// A small report in which every text is hostile.
fn hostile() -> ReportContent {
    let text = || HOSTILE.to_owned();
    let label = || Label::untranslated(HOSTILE);
    let heading = Heading { name: "hostile".to_owned(), title: label(), subtitle: text(), no_data_reason: label() };
    let drawn = draw(&Ranking { heading, ..Ranking::default() }, &Style::default()).unwrap();
    let figure = |name: &str| Figure {
        name: name.to_owned(),
        screens: Arc::new(Screens { wide: vec![drawn[0].svg.clone()], narrow: vec![drawn[0].svg.clone()] }),
        caption: HOSTILE.to_owned(),
        alt: HOSTILE.to_owned(),
        data_files: vec![format!("figures/{HOSTILE}.csv")],
        files: vec![format!("figures/{name}.svg"), format!("figures/{name}.pdf")],
        command: HOSTILE.to_owned(),
    };
    let columns = vec![column("level", vec![Some(HOSTILE); 3]), column("n", [Some(-2.5), None, Some(1.0)])];
    let docs = vec![ColumnDoc::new("level", HOSTILE), ColumnDoc::new("n", HOSTILE).unit(HOSTILE)];
    let mut table = TablePreview::new(&table("levels", columns, docs), "tables/levels.csv", 2).unwrap();
    table.caption = HOSTILE.to_owned();
    let diagnostic = ReportDiagnostic {
        code: HOSTILE.to_owned(),
        n: 10,
        first: HOSTILE.to_owned(),
        column: HOSTILE.to_owned(),
        value: HOSTILE.to_owned(),
        rule: HOSTILE.to_owned(),
        fix: HOSTILE.to_owned(),
    };
    ReportContent {
        study: HOSTILE.to_owned(),
        title: HOSTILE.to_owned(),
        description: vec![HOSTILE.to_owned()],
        generated_by: generated_by(),
        command: HOSTILE.to_owned(),
        answers: vec![Answer {
            question: HOSTILE.to_owned(),
            paragraphs: vec![HOSTILE.to_owned()],
            figure: Some(figure("three")),
            section: HOSTILE.to_owned(),
            heading: HOSTILE.to_owned(),
        }],
        counts: vec![Count::new(HOSTILE, 33_253)],
        rows: Some(RowCounts { read: 1010, accepted: 1000, rejected: 10, replayed: 990, excluded: 10, left_out: 0 }),
        diagnostics: vec![diagnostic.clone()],
        remarks: vec![diagnostic],
        anomalies: vec![Anomaly {
            code: HOSTILE.to_owned(),
            n: 10,
            of: 20,
            counted: HOSTILE.to_owned(),
            n_trials: 3,
            n_participants: 2,
            first: vec![HOSTILE.to_owned(); 2],
            message: HOSTILE.to_owned(),
            advice: HOSTILE.to_owned(),
        }],
        diagnostics_file: "tables/rejects.csv".to_owned(),
        definitions: vec![Definition { term: HOSTILE.into(), meaning: HOSTILE.into(), formula: HOSTILE.into() }],
        sections: vec![Section {
            id: HOSTILE.to_owned(),
            heading: HOSTILE.to_owned(),
            paragraphs: vec![HOSTILE.to_owned()],
            figures: vec![figure("one"), figure("two")],
            figures_above: vec!["three".to_owned()],
            tables: vec![table],
        }],
        methods: vec![HOSTILE.to_owned()],
        references: vec![HOSTILE.to_owned()],
        ..ReportContent::default()
    }
}

#[test]
fn the_page_is_one_balanced_file_that_fetches_and_runs_nothing_foreign() {
    let html = hostile().to_html().unwrap();
    assert_eq!(html, hostile().to_html().unwrap());
    for foreign in ["http:", "https:", "<link rel=\"stylesheet", "src=", "@import", "<iframe"] {
        assert!(!html.contains(foreign), "{foreign} in the page");
    }
    assert_eq!(html.matches("<script").count(), 1, "only the page's own script");
    assert!(!html.contains("href=\"javascript"));
    assert_eq!(balance(&html), Ok(()));
    assert_eq!(html.matches("<div class=\"wide\"><svg aria-label=\"&lt;script&gt;").count(), 3);
    for part in
        ["33,253", "= 1,000 accepted + 10 rejected", "Showing 2 of 3 rows", "tables/rejects.csv", "figures/two.pdf"]
    {
        assert!(html.contains(part), "{part} is not in the page");
    }
}

/// Walks the tags of a page as a browser would, and every element must be closed where it ends.
fn balance(html: &str) -> Result<(), String> {
    const VOID: [&str; 4] = ["meta", "link", "br", "input"];
    let mut open = Vec::new();
    let mut ids = std::collections::HashSet::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').ok_or("a tag has no end")?;
        let (tag, after) = (&rest[..end], &rest[end + 1..]);
        rest = after;
        let id = tag.split(" id=\"").nth(1).and_then(|id| id.split('"').next());
        if id.is_some_and(|id| !ids.insert(id.to_owned())) {
            return Err(format!("two ids {id:?}"));
        }
        let name = tag.split([' ', '\n', '/']).next().unwrap_or_default();
        if let Some(closed) = tag.strip_prefix('/') {
            match open.pop() {
                Some(last) if last == closed => {}
                last => return Err(format!("</{closed}> closes {last:?}")),
            }
        } else if name == "script" || name == "style" {
            rest = rest.split_once(&format!("</{name}>")).ok_or("raw text has no end")?.1;
        } else if !tag.ends_with('/') && !tag.starts_with('!') && !VOID.contains(&name) {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("still open: {open:?}")) }
}

#[test]
fn markdown_shows_hostile_text_as_it_stands() {
    let markdown = hostile().to_markdown().unwrap();
    let outside_code: String = markdown.split("```").step_by(2).collect();
    let outside_spans: String = outside_code.split("``").step_by(2).collect();
    assert!(!outside_spans.contains("<script>"));
    assert!(!outside_spans.contains("[a]("));
    assert!(markdown.contains(
        "![&lt;script&gt;alert('x')&lt;/script&gt;\\|\\*\\_\\`\\[a\\](javascript:x)\"&amp;](figures/one.svg)"
    ));
    assert!(markdown.contains("## What was left out"));
    // Every row of a table has as many bars as its header.
    let bars = |line: &str| line.replace("\\|", "").matches('|').count();
    let rows: Vec<usize> = markdown.lines().filter(|line| line.starts_with('|')).map(bars).collect();
    assert_eq!(rows, [8, 8, 8, 8, 8, 8, 9, 9, 9, 3, 3, 3, 3]);
}

#[test]
fn a_report_that_contradicts_itself_is_refused() {
    let mut content = hostile();
    content.rows = Some(RowCounts { read: 5, accepted: 3, rejected: 1, replayed: 3, excluded: 0, left_out: 0 });
    assert!(matches!(content.to_html(), Err(ReportError::Counts { .. })));
    let mut content = hostile();
    content.sections[0].figures[1].name = "one".to_owned();
    assert!(matches!(content.to_markdown(), Err(ReportError::Duplicate { what: "figure", .. })));
}

/// A folder with two outputs, its manifest last.
fn write_run(folder: &Path, text: &str) {
    fs::create_dir_all(folder.join("tables")).unwrap();
    fs::write(folder.join("tables/b.csv"), text).unwrap();
    fs::write(folder.join("report.md"), "# x\n").unwrap();
    let mut manifest = Manifest::new(serde_json::json!({ "name": "demo", "goal_rule": "exit" }));
    manifest.seeds.insert("layout".to_owned(), 7);
    manifest.counts.insert("levels".to_owned(), 10);
    manifest.add_input("logs/moves.csv", &folder.join("report.md")).unwrap();
    manifest.add_input("levels.txt", &folder.join("report.md")).unwrap();
    manifest.write(folder).unwrap();
}

#[test]
fn the_manifest_is_the_same_for_the_same_run_anywhere_and_finds_what_changed() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_run(here.path(), "x\n1\n");
    write_run(there.path(), "x\n1\n");
    let text = fs::read_to_string(here.path().join("manifest.json")).unwrap();
    assert_eq!(text, fs::read_to_string(there.path().join("manifest.json")).unwrap());
    assert!(!text.contains(&*here.path().to_string_lossy()));
    let manifest = Manifest::read(here.path()).unwrap();
    let names =
        |entries: &[plymap_report::FileEntry]| entries.iter().map(|entry| entry.path.clone()).collect::<Vec<_>>();
    assert_eq!(names(&manifest.inputs), ["levels.txt", "logs/moves.csv"]);
    assert_eq!(names(&manifest.outputs), ["report.md", "tables/b.csv"]);
    assert_eq!(manifest.outputs[1].bytes, 4);
    assert_eq!(verify(here.path()).unwrap(), []);

    fs::write(here.path().join("tables/b.csv"), "x\n2\n").unwrap();
    fs::write(here.path().join("notes.txt"), "mine").unwrap();
    fs::remove_file(here.path().join("report.md")).unwrap();
    let mismatches = verify(here.path()).unwrap();
    assert!(matches!(&mismatches[0], Mismatch::Changed { path, .. } if path == "tables/b.csv"));
    assert_eq!(mismatches[1], Mismatch::Missing { path: "report.md".to_owned() });
    assert_eq!(mismatches[2..], [Mismatch::Unlisted { path: "notes.txt".to_owned() }]);
}

#[test]
fn a_run_appears_whole_and_replaces_the_one_before() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("reports/demo");
    for text in ["first", "second"] {
        let folder = OutputFolder::create(&target).unwrap();
        write_run(folder.path(), text);
        assert_ne!(
            fs::read_to_string(target.join("tables/b.csv")).unwrap_or_default(),
            text,
            "not there before commit"
        );
        folder.commit().unwrap();
        assert_eq!(fs::read_to_string(target.join("tables/b.csv")).unwrap(), text);
    }
    assert_eq!(names_in(target.parent().unwrap()), ["demo"], "nothing temporary stays");
    assert_eq!(verify(&target).unwrap(), []);
}

#[test]
fn a_run_that_fails_leaves_the_one_before_as_it_was() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("demo");
    write_run(&target, "first");
    let folder = OutputFolder::create(&target).unwrap();
    write_run(folder.path(), "half of the sec");
    drop(folder);
    assert_eq!(fs::read_to_string(target.join("tables/b.csv")).unwrap(), "first");
    assert_eq!(verify(&target).unwrap(), []);
    assert_eq!(names_in(place.path()), ["demo"]);
}

#[test]
fn a_folder_that_is_not_ours_is_refused_and_not_touched() {
    let place = tempfile::tempdir().unwrap();
    let thesis = place.path().join("thesis");
    fs::create_dir(&thesis).unwrap();
    fs::write(thesis.join("chapter1.tex"), "years of work").unwrap();
    assert_refused(&thesis, "chapter1.tex");
    // A web application has a manifest.json too.
    fs::write(thesis.join("manifest.json"), "{\"short_name\": \"app\"}").unwrap();
    assert_refused(&thesis, "not one of plymap");
    assert_eq!(fs::read_to_string(thesis.join("chapter1.tex")).unwrap(), "years of work");
    assert_refused(&thesis.join("chapter1.tex"), "not a folder");
    // Somebody's notes in the folder of a run are theirs.
    let run = place.path().join("run");
    write_run(&run, "x");
    fs::write(run.join("notes.txt"), "mine").unwrap();
    assert_refused(&run, "notes.txt");
    // It may also turn foreign while the run computes.
    let late = place.path().join("late");
    let folder = OutputFolder::create(&late).unwrap();
    write_run(folder.path(), "x");
    fs::create_dir(&late).unwrap();
    fs::write(late.join("other.txt"), "mine").unwrap();
    assert!(matches!(folder.commit(), Err(ReportError::ForeignFolder { .. })));
    assert_eq!(names_in(&late), ["other.txt"]);
    assert_eq!(names_in(place.path()), ["late", "run", "thesis"]);
}

fn assert_refused(target: &Path, word: &str) {
    let error = OutputFolder::create(target).unwrap_err().to_string();
    assert!(error.contains("was left untouched") && error.contains(word), "{error}");
}

#[test]
fn an_empty_folder_is_taken() {
    let place = tempfile::tempdir().unwrap();
    let folder = OutputFolder::create(place.path().join("new").as_path()).unwrap();
    fs::create_dir(place.path().join("new")).unwrap();
    write_run(folder.path(), "x");
    folder.commit().unwrap();
    assert_eq!(names_in(&place.path().join("new")), ["manifest.json", "report.md", "tables"]);
}

#[cfg(unix)]
#[test]
fn a_finished_folder_is_as_readable_as_any_other() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().unwrap();
    let plain = place.path().join("plain");
    fs::create_dir(&plain).unwrap();
    let target = OutputFolder::create(&place.path().join("run")).unwrap().commit().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&target), mode(&plain));
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_value_read_from_csv_is_the_value_that_was_written() {
    // Shortest forms: the awkward ones of the double format.
    let values = [5e-324, f64::MIN_POSITIVE, 0.1 + 0.2, 1.0 / 3.0, f64::MAX, -0.0, 9007199254740993.0];
    let table = table("t", vec![Series::new("x".into(), values).into_column()], vec![ColumnDoc::new("x", "a number")]);
    let csv = render(&table, Format::Csv).unwrap();
    let read: Vec<u64> = csv.lines().skip(1).map(|line| line.parse::<f64>().unwrap().to_bits()).collect();
    assert_eq!(read, values.map(f64::to_bits));
    assert_eq!(table.data.columns()[0].get(0).unwrap(), AnyValue::Float64(5e-324));
}

/// Returns the questions of a report, which stand before its summary, each with the names of its figures.
fn answers(folder: &Path) -> Vec<(String, Vec<String>)> {
    let report = fs::read_to_string(folder.join("report.md")).expect("the report");
    let (answers, _) = report.split_once("\n## Summary").expect("a summary");
    answers.split("\n### ").skip(1).map(question_and_figures).collect()
}

fn question_and_figures(text: &str) -> (String, Vec<String>) {
    let (question, rest) = text.split_once('\n').expect("a line");
    let files = rest.split("](figures/").skip(1).filter_map(|link| link.split_once(".csv)"));
    (question.to_owned(), files.map(|(name, _)| name.to_owned()).filter(|name| !name.contains(')')).collect())
}

#[test]
fn a_report_begins_with_the_questions_that_its_study_asks_and_can_answer() {
    let answer = |question: &str, figure: &str| (question.to_owned(), vec![figure.to_owned()]);
    let of_demo = [
        ("Hypotheses of the study".to_owned(), Vec::new()),
        answer("Do people who make more moves take more time?", "moves-against-time"),
        answer("Which levels are hard, and what goes with it?", "difficulty-by-start-distance"),
        answer("Does thinking before a move make it better?", "optimal-by-time"),
        answer("Who gives up, and when?", "survival"),
        answer("Do the conditions differ?", "condition-effects"),
    ];
    assert_eq!(answers(demo_run()), of_demo);
    // This study has no conditions, and asks for less.
    let folder = tempfile::tempdir().expect("a folder");
    let from = crate::common::repository().join("data/tower_of_london");
    for file in ["levels.txt", "log.csv"] {
        fs::copy(from.join(file), folder.path().join(file)).expect("a copy");
    }
    let study = fs::read_to_string(from.join("study.toml")).expect("the study");
    let run = |questions: &str| {
        let text = format!("{study}\n[report]\nquestions = [{questions}]\n");
        fs::write(folder.path().join("study.toml"), text).expect("written");
        let target = folder.path().join("report");
        let run = crate::common::program()
            .arg("run")
            .arg(folder.path().join("study.toml"))
            .args(["--quiet", "--fast", "--no-cache", "--out"])
            .arg(&target)
            .output()
            .expect("the program");
        assert!(run.stdout.is_empty(), "{}", String::from_utf8_lossy(&run.stdout));
        (run.status.success(), String::from_utf8(run.stderr).expect("text"), target)
    };
    let (_, said, target) = run("\"conditions\", \"giving-up\", \"moves-and-time\"");
    assert_eq!(said, "");
    assert_eq!(answers(&target), [of_demo[4].clone(), of_demo[1].clone()]);
    let report = fs::read_to_string(target.join("report.md")).expect("the report");
    assert!(report.contains("1 of 96 trials (1.0 %) ended without a solution, by a logged give-up: of 1 of 12"));
    let (_, _, target) = run("");
    assert_eq!(answers(&target), []);
    // Who gave up and comes back to solve the level has solved it.
    let log = fs::read_to_string(from.join("log.csv")).expect("the log");
    let solution = log
        .lines()
        .filter(|line| line.starts_with("p01,equal-pegs,1,"))
        .map(|line| line.replace("p01,equal-pegs,1", "p09,equal-pegs,3"));
    let back: Vec<String> = log
        .lines()
        .flat_map(|line| {
            let is_end = line.starts_with("p09,equal-pegs,2,,give_up");
            std::iter::once(line.to_owned()).chain(solution.clone().filter(move |_| is_end))
        })
        .collect();
    assert!(back.len() > log.lines().count());
    fs::write(folder.path().join("log.csv"), back.join("\n")).expect("written");
    let (_, said, target) = run("\"giving-up\"");
    assert_eq!(said, "");
    let later = fs::read_to_string(target.join("report.md")).expect("the report");
    assert!(later.contains("Nobody: all 96 trials were solved."));
    // What is told in the answers is told in the section where nobody asks.
    let (_, _, target) = run("");
    let report = fs::read_to_string(target.join("report.md")).expect("the report");
    assert!(report.contains("Within people and levels, yes: a solved trial with 10 % more moves takes"));
    for (questions, fault) in
        [("\"time\"", "there is no choice `time`"), ("\"levels\", \"levels\"", "stands there twice")]
    {
        let (has_run, said, _) = run(questions);
        assert!(!has_run && said.contains(fault), "{said}");
    }
}

/// No figure is made that the report does not show.
#[test]
fn every_figure_of_the_demo_stands_in_its_report() {
    let report = std::fs::read_to_string(demo_run().join("report.html")).expect("the report");
    let figures = std::fs::read_dir(demo_run().join("figures")).expect("figures");
    let mut n_figures = 0;
    for file in figures.map(|file| file.expect("a file").file_name().into_string().expect("a name")) {
        if let Some(name) = file.strip_suffix(".csv") {
            assert!(report.contains(&format!("href=\"figures/{name}.csv\"")), "{name} is not in the report");
            n_figures += 1;
        }
    }
    assert!(n_figures > 40, "{n_figures} figures");
}

/// The works that a text cites, `Wilson (1927)` or `(Bock & Aitkin, 1981)`: the last author and the year.
fn cited(text: &str) -> BTreeSet<(&str, &str)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut citations = BTreeSet::new();
    for (place, word) in words.iter().enumerate().skip(3) {
        let year = word.trim_start_matches('(').get(..4).unwrap_or_default();
        let is_year = (1900..2100).contains(&year.parse().unwrap_or(0));
        let ends = word.trim_start_matches('(').get(4..).is_some_and(|rest| rest.starts_with([')', ';']));
        let (before, in_brackets) = match words[place - 1] {
            "al." | "al.," => (words[place - 3], words[place - 1].ends_with(',')),
            name => (name, name.ends_with(',')),
        };
        let name = before.trim_start_matches('(').trim_end_matches(',');
        if is_year && ends && in_brackets != word.starts_with('(') && name.starts_with(char::is_uppercase) {
            citations.insert((name, year));
        }
    }
    citations
}

#[test]
fn every_work_that_the_report_of_the_demo_cites_is_among_its_references() {
    let report = std::fs::read_to_string(demo_run().join("report.md")).expect("the report");
    let report = report.replace("&amp;", "&").replace('\\', "");
    let (text, references) = report.split_once("\nReferences").expect("references");
    let cited = cited(text);
    assert!(cited.len() > 35, "{cited:?}");
    for (author, year) in cited {
        let is_it = |line: &&str| line.contains(author) && line.contains(&format!(" ({year}). "));
        assert!(
            references.lines().any(|line| is_it(&line)),
            "{author} ({year}) has no reference: give it one in the bibliography of crates/report/src/references.rs"
        );
    }
}

/// Numbers of trials and levels that differ from those of the study say of what they are.
#[test]
fn counts_that_differ_are_explained_where_they_stand() {
    let report = std::fs::read_to_string(demo_run().join("report.md")).expect("the report");
    for said in [
        "14 of 466 trials of known outcome (3.0 %) ended without a solution",
        "n = 466 of 468 trials; log-rank test",
        "452 of 468 trials were solved (of 2 it is not known); participants: 36, levels played: 13.",
        "n counts the trials at the 5 of 13 levels that some people solved and some did not.",
    ] {
        assert!(report.contains(said), "{said:?} is not in the report");
    }
}
