//! Documents, by the parts of their package.

use std::io::{Cursor, Read as _};

use plymap_documents::{ApaColumn, ApaTable, Document, DocumentError, Part, Picture, Run, apa};
use plymap_tables::{Columns, number, text};
use zip::ZipArchive;

fn results() -> ApaTable {
    let rows = [("time_s", Some(-0.25)), ("n_moves", None)];
    let table = Columns::new()
        .column(&rows, text("measure", "the measure"), |row| row.0)
        .column(&rows, number("estimate", "the estimate"), |row| row.1)
        .column(&rows, number("lower", "lower limit"), |row| row.1)
        .into_table("correlations", "Correlations of measures. Those of all trials are descriptions.");
    apa::table(&table, 1, &[0, 1, 2], 20, "All rows are in correlations.csv.").unwrap()
}

fn document() -> Document {
    let picture = Picture {
        number: 1,
        title: "Moves & time".to_owned(),
        png: b"\x89PNG".to_vec(),
        width_mm: 180.0,
        height_mm: 90.0,
        alt: "Points that rise \"together\"".to_owned(),
        note: Vec::new(),
    };
    Document {
        title: "A <study>".to_owned(),
        made_by: "plymap 0.1.0".to_owned(),
        parts: vec![
            Part::Heading(1, "Results".to_owned()),
            Part::Paragraph(apa::with_symbols("They rise, r = .50.")),
            Part::Item(vec![Run::code("a\u{0}b\nc")]),
            Part::Table(results()),
            Part::Figure(picture),
        ],
    }
}

fn part(bytes: &[u8], name: &str) -> String {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// The texts of the main part.
fn texts(xml: &str) -> Vec<String> {
    xml.split("<w:t ")
        .skip(1)
        .map(|rest| rest[rest.find('>').unwrap() + 1..rest.find("</w:t>").unwrap()].to_owned())
        .collect()
}

#[test]
fn a_table_has_a_number_a_title_a_head_that_is_repeated_and_a_note() {
    let xml = part(&document().to_docx().unwrap(), "word/document.xml");
    let texts = texts(&xml);
    let table = texts.iter().position(|text| text == "Table ").unwrap();
    let cells = ["Measure", "Estimate", "LL", "time_s", "−0.250", "−0.250", "n_moves", "–", "–", "Note.", " "];
    assert_eq!(texts[table + 1..table + 3], ["1", "Correlations of measures"]);
    assert_eq!(texts[table + 3..table + 14], cells);
    let note =
        "Those of all trials are descriptions. LL = lower limit of the interval. All rows are in correlations.csv.";
    assert_eq!(texts[table + 14], note);
    assert_eq!(xml.matches("<w:tblHeader/>").count(), 1);
    assert_eq!(xml.matches("<w:jc w:val=\"right\"/>").count(), 6, "numbers to the right");
    assert!(xml.contains("<w:rPr><w:i/></w:rPr><w:t xml:space=\"preserve\">r</w:t>"), "a symbol in italics");
}

#[test]
fn a_figure_is_as_wide_as_the_text_and_says_what_is_seen() {
    let bytes = document().to_docx().unwrap();
    let xml = part(&bytes, "word/document.xml");
    // 160 mm of 180, in English Metric Units, and as high in proportion.
    assert!(xml.contains("<wp:extent cx=\"5760000\" cy=\"2880000\"/>"));
    assert_eq!(xml.matches("descr=\"Points that rise &quot;together&quot;\"").count(), 2);
    assert!(part(&bytes, "word/_rels/document.xml.rels").contains("Id=\"rIdImage1\""));
}

#[test]
fn text_is_shown_as_it_stands_and_what_xml_forbids_is_marked() {
    let xml = part(&document().to_docx().unwrap(), "word/document.xml");
    assert!(xml.contains("A &lt;study&gt;"));
    assert!(xml.contains("a\u{fffd}b</w:t><w:br/>"));
}

#[test]
fn the_same_document_is_the_same_bytes_without_a_date() {
    let bytes = document().to_docx().unwrap();
    assert!(bytes == document().to_docx().unwrap());
    let core = part(&bytes, "docProps/core.xml");
    assert!(core.contains("<dc:creator>plymap 0.1.0</dc:creator>") && !core.contains("dcterms"), "{core}");
    let mut archive = ZipArchive::new(Cursor::new(&bytes)).unwrap();
    for place in 0..archive.len() {
        let time = archive.by_index(place).unwrap().last_modified().unwrap();
        assert_eq!((time.year(), time.month(), time.day(), time.hour()), (1980, 1, 1, 0));
    }
}

#[test]
fn a_row_that_does_not_fit_its_columns_is_refused() {
    let columns = vec![ApaColumn::default(); 2];
    let table = ApaTable { title: "Odd".to_owned(), columns, rows: vec![vec![Vec::new(); 2], Vec::new()], ..results() };
    let refused = Document { parts: vec![Part::Table(table)], ..Document::default() }.to_docx().unwrap_err();
    assert!(matches!(refused, DocumentError::Ragged { row: 2, n: 0, n_columns: 2, .. }), "{refused}");
}
