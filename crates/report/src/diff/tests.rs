//! Comparisons of tables and options.

use super::*;

#[test]
fn numbers_are_equal_within_the_tolerance_and_what_is_none_equals_itself() {
    let tolerance = Tolerance { relative: 0.1, absolute: 0.5 };
    for (left, right, is_equal) in [
        (10.0, 11.5, true),
        (10.0, 11.8, false),
        (0.0, -0.5, true),
        (f64::NAN, f64::NAN, true),
        (f64::NAN, 0.0, false),
        (f64::INFINITY, f64::INFINITY, true),
        (f64::INFINITY, 1e300, false),
    ] {
        assert_eq!(tolerance.holds(left, right), is_equal, "{left} and {right}");
    }
    assert!(Tolerance::default().holds(1.0, 1.0 + 1e-10) && !Tolerance::default().holds(1.0, 1.0 + 1e-8));
}

/// A table of a text and numbers that may be missing.
fn table(names: &[&str], values: &[Option<f64>]) -> Table {
    let rows: Vec<_> = names.iter().zip(values).collect();
    Columns::new()
        .column(&rows, text("name", "a name"), |(name, _)| (**name).to_owned())
        .column(&rows, number("x", "a number"), |(_, x)| **x)
        .into_table("own", "Own.")
}

#[test]
fn a_difference_has_its_size_and_place() {
    let mut comparison =
        Comparison { differences: Vec::new(), n_tables: 0, n_cells: 0, tolerance: Tolerance::default() };
    let left = table(&["a", "b", "c", "d"], &[Some(1.0), Some(2.0), None, Some(0.1 + 0.2)]);
    comparison.compare("own", &left, &left).unwrap();
    assert!(comparison.is_equal(), "{:?}", comparison.differences);
    let right = table(&["a", "b", "C", "d"], &[Some(1.5), Some(4.0), Some(0.0), Some(0.3)]);
    comparison.compare("own", &left, &right).unwrap();
    let [dropped, added, numbers] = &comparison.differences[..] else { panic!("{:?}", comparison.differences) };
    assert_eq!((dropped.what, dropped.one.as_deref(), dropped.other.as_deref()), (What::Dropped, Some("1"), None));
    assert_eq!((added.what, added.one.as_deref(), added.other.as_deref()), (What::Added, None, Some("1")));
    let place = |difference: &Difference| difference.cells.clone().map(|cells| (cells.n, cells.row, cells.key));
    assert_eq!(place(dropped), Some((4, 3, "name = c".to_owned())));
    assert_eq!(place(added), Some((4, 3, "name = C".to_owned())));
    let cells = numbers.cells.as_ref().unwrap();
    assert_eq!((cells.n, cells.n_differ, cells.row, cells.key.as_str()), (3, 2, 2, "name = b"));
    assert_eq!((numbers.one.as_deref(), numbers.other.as_deref()), (Some("2.0"), Some("4.0")));
    assert_eq!((cells.largest_absolute, cells.largest_relative), (Some(2.0), Some(0.5)));
    // Rows more, a column fewer, and a text that differs.
    let names = table(&["a", "b", "c", "d", "e", "f", "g", "h"], &[None; 8]);
    let longer = Table { data: names.data.select(["name"]).unwrap(), ..left.clone() };
    comparison.differences.clear();
    comparison.compare("own", &left, &longer).unwrap();
    let differences: Vec<_> = comparison.differences.iter().map(|diff| (diff.what, diff.name.as_deref())).collect();
    assert_eq!(differences, [(What::Column, Some("x")), (What::Added, None)]);
    let cells = comparison.differences[1].cells.as_ref().unwrap();
    assert_eq!((cells.n, cells.n_differ, cells.key.as_str()), (8, 4, "name = e; name = f; name = g; …"));
    assert!(comparison.summary().ends_with("tables that differ: 1, cells: 0, rows of one run alone: 4"));
}

#[test]
fn a_text_that_differs_has_its_place() {
    let noted = |notes: [&str; 3]| {
        let rows: Vec<_> = ["a", "b", "c"].into_iter().zip(notes).collect();
        let table = Columns::new().column(&rows, text("name", "a name"), |row| row.0.to_owned());
        table.column(&rows, text("note", "a note"), |row| row.1.to_owned()).into_table("own", "Own.")
    };
    let mut comparison =
        Comparison { differences: Vec::new(), n_tables: 0, n_cells: 0, tolerance: Tolerance::default() };
    comparison.compare("own", &noted(["x", "y", "z"]), &noted(["x", "y", "Z"])).unwrap();
    let [notes] = &comparison.differences[..] else { panic!("{:?}", comparison.differences) };
    let cells = notes.cells.as_ref().unwrap();
    assert_eq!((cells.n_differ, cells.row, cells.largest_absolute, cells.key.as_str()), (1, 3, None, "name = c"));
    assert_eq!((notes.one.as_deref(), notes.other.as_deref()), (Some("z"), Some("Z")));
    assert_eq!((cells.n, comparison.n_cells), (3, 6));
}

/// A trial that one run lacks is one row; those behind it are the same.
#[test]
fn a_dropped_row_is_named_and_those_behind_it_are_equal() {
    let names: Vec<String> = (0..50).map(|number| format!("p{number:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let values: Vec<Option<f64>> = (0..50).map(|number| Some(f64::from(number))).collect();
    let (mut fewer, mut fewer_values) = (names.clone(), values.clone());
    (_, _) = (fewer.remove(7), fewer_values.remove(7));
    let (whole, shorter) = (table(&names, &values), table(&fewer, &fewer_values));
    for (left, right, what) in [(&whole, &shorter, What::Dropped), (&shorter, &whole, What::Added)] {
        let mut comparison =
            Comparison { differences: Vec::new(), n_tables: 0, n_cells: 0, tolerance: Tolerance::default() };
        comparison.compare("own", left, right).unwrap();
        let [only] = &comparison.differences[..] else { panic!("{:?}", comparison.differences) };
        let cells = only.cells.as_ref().unwrap();
        assert_eq!((only.what, cells.n_differ, cells.row, cells.key.as_str()), (what, 1, 8, "name = p07"));
        assert_eq!(comparison.n_cells, 98);
    }
}

/// CSV holds neither the empty text nor what is no number; Parquet of both runs does.
#[test]
fn tables_of_different_formats_are_equal_where_csv_cannot_tell_them_apart() {
    let names = ["", "NA", "a"];
    let mut whole = table(&names, &[Some(f64::NAN), Some(1.0), None]);
    let folder = tempfile::tempdir().unwrap();
    plymap_tables::write_table(&whole, folder.path(), &[TableFormat::Csv]).unwrap();
    let mut read = read_table(folder.path(), "own", TableFormat::Csv).unwrap();
    let compared = |left: &Table, right: &Table| {
        let mut comparison =
            Comparison { differences: Vec::new(), n_tables: 0, n_cells: 0, tolerance: Tolerance::default() };
        comparison.compare("own", left, right).unwrap();
        comparison
    };
    assert!(!compared(&whole, &read).is_equal());
    let empty = table(&["a", ""], &[None; 2]);
    let mut missing = empty.clone();
    drop_what_csv_lacks(&mut missing).unwrap();
    let [cells] = &compared(&empty, &missing).differences[..] else { panic!("one row is dropped and another added") };
    assert_eq!((cells.what, cells.name.as_deref()), (What::Cells, Some("name")));
    for table in [&mut whole, &mut read] {
        drop_what_csv_lacks(table).unwrap();
    }
    let equal = compared(&whole, &read);
    assert!(equal.is_equal() && equal.n_cells == 6, "{:?}", equal.differences);
}

#[test]
fn options_are_compared_leaf_by_leaf() {
    let mut left =
        Manifest::new(serde_json::json!({ "figures": { "dpi": 150, "only": ["a"] }, "rules": [{ "x": 1 }] }));
    let mut right = left.clone();
    right.study["figures"]["dpi"] = 300.into();
    right.study["rules"][0]["x"] = 2.into();
    right.plymap = "0.0.9".to_owned();
    left.seeds.insert("analyses".to_owned(), 1);
    let explanations = explanations(&left, &right);
    let explained: Vec<_> =
        explanations.iter().map(|diff| (diff.what, diff.name.as_deref(), diff.other.as_deref())).collect();
    let expected = [
        (What::Version, Some("plymap"), Some("0.0.9")),
        (What::Option, Some("figures.dpi"), Some("300")),
        (What::Option, Some("rules.1.x"), Some("2")),
        (What::Seed, Some("analyses"), None),
    ];
    assert_eq!(explained, expected);
}
