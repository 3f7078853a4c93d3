use super::*;

fn source(text: &str) -> Arc<SourceText> {
    Arc::new(SourceText { path: "levels.txt".into(), text: text.to_owned() })
}

fn read(text: &str) -> Layout {
    parse(text, &source(text), 0).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"))
}

/// The codes of all faults, each with the characters that it marks.
fn faults(text: &str) -> Vec<(&'static str, String)> {
    let faults = parse(text, &source(text), 0).expect_err(text);
    assert!(faults.iter().all(|fault| fault.help.is_some()), "{faults:#?}");
    faults.into_iter().map(|fault| (fault.code, text[fault.place.span].to_owned())).collect()
}

fn fault(text: &str) -> (&'static str, String) {
    let mut faults = faults(text);
    assert_eq!(faults.len(), 1, "{text}: {faults:?}");
    faults.remove(0)
}

#[test]
fn plates_and_pebbles_are_read_in_every_form() {
    let expected = read("WABBCA\n-BABAC\n");
    assert_eq!(expected.plates.iter().collect::<String>(), "WABBCA");
    assert_eq!(expected.pebbles[..3], [None, Some('B'), Some('A')]);
    assert_eq!(expected.lines, None);
    for text in [
        "# id: six\nWABBCA\n-BABAC",
        "WABBCA/-BABAC",
        "wabbca\n.babac # a remark",
        "plates: WABBCA\npebbles: -BABAC\n",
        "# Plates: W AB BCA\n-BABAC\n",
        "pebbles: -/BA/BAC\nWAB\nBCA\n",
        "  W\n A B\nB C A\n  -\n B A\nB A C\n",
        "W/AB/BCA/-/BA/BAC",
        "WAB\nBCA\n-BA\nBAC\n",
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn plates_without_a_colour_may_be_dashes() {
    assert_eq!(read("-AB\nBA-").plates, ['-', 'A', 'B']);
}

#[test]
fn lines_are_read_in_every_spelling() {
    let lines = |value: &str| read(&format!("lines: {value}\nWABC\n-ABC\n")).lines.unwrap();
    let expected: Vec<Vec<usize>> = vec![vec![0, 1, 3], vec![0, 2]];
    for value in
        ["0-1-3, 0-2", "0-1-3 0-2", "0 - 1 - 3; 0-2", "0\u{2013}1\u{2013}3,0\u{2212}2 # two lines", "0-1-3,0-2,"]
    {
        assert_eq!(lines(value), expected, "{value}");
    }
    assert_eq!(read("WABC\n-ABC\nline: 0-1-3\n# lines: 0-2\n").lines.unwrap(), expected);
}

#[test]
fn a_fault_tells_value_place_and_help() {
    let text = "# id: six\nWABBCA\n-BABAD\n";
    let faults = parse(text, &source(text), 0).unwrap_err();
    assert_eq!(
        faults[0].to_string(),
        "levels.txt:3:6: no plate has the colour D [unknown-colour] (the plates have the colours W A B C)"
    );
}

#[test]
fn faults_of_plates_and_pebbles_are_found() {
    let owned = |code, marked: &str| (code, marked.to_owned());
    assert_eq!(fault("plates: WAB\n"), owned("missing-pebbles", "plates: WAB\n"));
    assert_eq!(fault("pebbles: -AB"), owned("missing-plates", "pebbles: -AB"));
    assert_eq!(fault("# nothing"), owned("missing-plates", "# nothing"));
    assert_eq!(fault("plates: WAB\npebbles: -BA\nWAB"), owned("unexpected-content", "WAB"));
    assert_eq!(fault("plates: WAB\nplates: WAB\n-BA"), owned("repeated-setting", "plates: WAB"));
    assert_eq!(fault("WAB\n-BAB\n"), owned("unequal-lengths", "B"));
    assert_eq!(fault("WAB\n-B\n"), owned("unequal-lengths", "-B"));
    assert_eq!(fault("W\nAB\n-\nB\n"), owned("unequal-lengths", "W\nAB\n-\nB"));
    assert_eq!(fault("W\n-"), owned("too-few-plates", "W"));
    assert_eq!(fault(&format!("{}\n{}", "A".repeat(36), "-".repeat(36))).0, "level-too-large");
    assert_eq!(fault("AAB\nAAB"), owned("missing-hole", "AAB"));
    assert_eq!(fault("WAB\n-A-"), owned("several-holes", "-"));
    assert_eq!(fault("WAB\n-AX"), owned("unknown-colour", "X"));
    assert_eq!(fault("WAB\n-AA"), owned("too-many-pebbles", "A"));
    assert_eq!(faults("WÄB\n-A?"), [owned("unknown-character", "Ä"), owned("unknown-character", "?")]);
    assert_eq!(fault("size: 3\nWAB\n-AB"), owned("unknown-setting", "size: 3"));
}

#[test]
fn faults_of_lines_are_found() {
    let owned = |code, marked: &str| (code, marked.to_owned());
    let of_lines = |value: &str| fault(&format!("lines: {value}\nWABC\n-ABC\n"));
    assert_eq!(fault("WABC\n-ABC"), owned("no-lines", "WABC"));
    assert_eq!(of_lines("0-1-2-3, 1+2"), owned("bad-line", "+"));
    assert_eq!(of_lines("0-1-2-3-"), owned("bad-line", "-"));
    assert_eq!(of_lines("-0-1-2-3"), owned("bad-line", "-"));
    assert_eq!(of_lines("0-1--2-3"), owned("bad-line", "-"));
    assert_eq!(of_lines("0-1-2-3, 2"), owned("short-line", "2"));
    assert_eq!(of_lines("0-1-2-3, 2-1-2"), owned("repeated-plate", "2"));
    assert_eq!(of_lines("0-1-2-3-4"), owned("unknown-plate", "4"));
    assert_eq!(of_lines("0-1-2-3-99999999999999999999").0, "unknown-plate");
    assert_eq!(of_lines("0-1, 2-3"), owned("unconnected-plates", "0-1, 2-3"));
}

#[test]
fn all_faults_of_a_level_are_reported_at_once() {
    let text = "colour: red\nlines: 0-1-1, 0-9\nWABC\n-AB?\n";
    let codes: Vec<&str> = faults(text).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["unknown-setting", "repeated-plate", "unknown-plate", "unknown-character"]);
}

#[test]
fn faults_point_into_a_quoted_cell() {
    let file = "{\"board\": \"WAB\\n-AX\"}";
    let text = "WAB\n-AX";
    let faults = parse(text, &source(file), 11).unwrap_err();
    assert_eq!(&file[faults[0].place.span.clone()], "X");
}

/// No text makes the reader fail in another way than by faults.
#[test]
fn no_text_is_too_strange_to_be_read() {
    let pieces = ["W", "A", "-", "/", "\n", "lines:", "plates:", "0", "1", "-", ",", " ", "é", "#", ":", "99", "\t"];
    let mut state = 7_u64;
    for _ in 0..5_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        match parse(&text, &source(&text), 0) {
            Ok(layout) => assert_eq!(layout.plates.len(), layout.pebbles.len()),
            Err(faults) => assert!(!faults.is_empty(), "{text}"),
        }
    }
}
