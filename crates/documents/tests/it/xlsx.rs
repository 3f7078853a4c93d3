//! Workbooks, read by another library.

use std::io::Cursor;

use calamine::{Data, Reader as _, Xlsx};
use plymap_documents::{DocumentError, Workbook};
use plymap_tables::{ColumnDoc, Columns, Table, flag, number, text};

fn table(name: &str) -> Table {
    let rows = [0_usize, 1, 2];
    Columns::new()
        .values(ColumnDoc::new("n", "a count"), vec![Some(1_u64 << 53), Some((1 << 53) + 1), None])
        .column(&rows, number("x", "a number").unit("s"), |&row| [Some(0.1), None, Some(f64::INFINITY)][row])
        .column(&rows, flag("is_even", "a flag"), |&row| [Some(true), Some(false), None][row])
        .column(&rows, text("word", "a text"), |&row| [Some("=1+1"), Some(""), None][row])
        .into_table(name, "Three rows.")
}

fn made(tables: &[Table]) -> (Vec<u8>, Vec<String>) {
    let mut workbook = Workbook::new("A study", "plymap").unwrap();
    for table in tables {
        workbook.add(table).unwrap();
    }
    let notices = workbook.notices().to_vec();
    (workbook.finish().unwrap(), notices)
}

fn read(bytes: Vec<u8>) -> Xlsx<Cursor<Vec<u8>>> {
    Xlsx::new(Cursor::new(bytes)).unwrap()
}

#[test]
fn cells_keep_their_types_and_what_excel_would_round_is_text() {
    let (bytes, notices) = made(&[table("trials")]);
    let mut book = read(bytes);
    let sheet = book.worksheet_range("trials").unwrap();
    let rows: Vec<Vec<Data>> = sheet.rows().map(<[Data]>::to_vec).collect();
    let words = |texts: [&str; 4]| texts.map(|text| Data::String(text.to_owned())).to_vec();
    assert_eq!(rows[0], words(["n", "x", "is_even", "word"]));
    let formula_as_text = Data::String("=1+1".to_owned());
    assert_eq!(rows[1], [Data::Float(9_007_199_254_740_992.0), Data::Float(0.1), Data::Bool(true), formula_as_text]);
    assert_eq!(rows[2][..3], [Data::String("9007199254740993".to_owned()), Data::Empty, Data::Bool(false)]);
    assert_eq!(rows[3][..3], [Data::Empty, Data::String("inf".to_owned()), Data::Empty]);
    let said = "trials: 1 whole number is beyond 2^53 written as text, first at row 2, column n, because Excel would round them";
    assert_eq!(notices, [said]);
    assert_eq!(
        book.worksheet_range("not as in the tables").unwrap().get_value((0, 0)),
        Some(&Data::String(said.to_owned()))
    );
}

#[test]
fn a_text_that_does_not_fit_is_cut_and_said() {
    let long = format!("{}x", "é".repeat(32_767));
    let table = Columns::new()
        .values(ColumnDoc::new("position", "a position"), vec!["short", &long])
        .into_table("moves", "Moves.");
    let (bytes, notices) = made(&[table]);
    let sheet = read(bytes).worksheet_range("moves").unwrap();
    assert_eq!(sheet.get_value((2, 0)), Some(&Data::String("é".repeat(32_767))));
    assert!(
        notices[0].starts_with("moves: 1 text is of more than 32767 characters cut, first at row 2, column position")
    );
}

#[test]
fn a_table_that_is_too_long_is_left_out_and_said() {
    let long =
        Columns::new().values(ColumnDoc::new("n", "a count"), vec![1_u8; 1_048_576]).into_table("moves", "Moves.");
    let (bytes, notices) = made(&[long.clone(), table("trials")]);
    assert_eq!(read(bytes).sheet_names(), ["trials", "not as in the tables"]);
    assert!(notices[0].starts_with("moves: 1048576 rows and 1 columns do not fit"), "{notices:?}");
    let mut alone = Workbook::new("A study", "plymap").unwrap();
    alone.add(&long).unwrap();
    assert!(matches!(alone.finish(), Err(DocumentError::TooLarge { .. })));
}

#[test]
fn sheets_have_names_that_excel_takes() {
    let long = "a_table_with_a_name_that_is_longer_than_a_sheet";
    let names = ["History", "a/b", "A\\B", long, long];
    let (bytes, _) = made(&names.map(table));
    let sheets = read(bytes).sheet_names();
    assert_eq!(sheets[..4], ["History_", "a_b", "A_B~2", "a_table_with_a_name_that_is_lon"]);
    assert_eq!(sheets[4], "a_table_with_a_name_that_is_l~2");
}

#[test]
fn the_same_tables_are_the_same_bytes() {
    let tables = [table("trials"), table("attempts")];
    assert!(made(&tables).0 == made(&tables).0);
    // The time of now would stand in the properties: its year is that of no table.
    let mut archive = zip::ZipArchive::new(Cursor::new(made(&tables).0)).unwrap();
    let properties = std::io::read_to_string(archive.by_name("docProps/core.xml").unwrap()).unwrap();
    assert_eq!(properties.matches("1980-01-01T00:00:00Z").count(), 2, "{properties}");
}
