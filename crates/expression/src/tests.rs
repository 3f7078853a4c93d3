use std::borrow::Cow;

use super::*;

/// The value of an expression for a row of texts.
fn value(text: &str, row: &[(&str, &str)]) -> Result<Option<String>, String> {
    let expression = Expression::parse(text).map_err(|error| error.to_string())?;
    let names: Vec<String> = expression.names().map(str::to_owned).collect();
    let cell = |name: &str| row.iter().find(|(known, _)| *known == name).map(|(_, cell)| *cell);
    let value = expression.evaluate(&|place| Value::from(cell(&names[place])));
    value.map(|value| value.into_text().map(Cow::into_owned)).map_err(|error| expression.explain(&error).to_string())
}

fn truth(text: &str, row: &[(&str, &str)]) -> Option<bool> {
    let expression = Expression::parse(text).unwrap();
    let names: Vec<String> = expression.names().map(str::to_owned).collect();
    let cell = |name: &str| row.iter().find(|(known, _)| *known == name).map(|(_, cell)| *cell);
    expression.decide(&|place| Value::from(cell(&names[place]))).unwrap()
}

#[test]
fn cells_are_read_as_what_they_are_compared_with() {
    let row = [("rt", "412"), ("limit", "1000"), ("level", "007"), ("solved", "TRUE"), ("day", "2026-03-01")];
    for holds in [
        "rt < 500",
        "rt = 412.0",
        "rt < limit",
        "level == 7",
        "level == '007'",
        "level != '7'",
        "solved",
        "solved == true",
        "day < '2026-04-01'",
        "level in ['R', '007']",
        "level not in (1, 2)",
        "not rt > 500 and (rt > 1 or false)",
        "!(rt > 500) & rt > 1 | false",
    ] {
        assert_eq!(truth(holds, &row), Some(true), "{holds}");
    }
    assert_eq!(truth("level == 'R' or rt >= limit", &row), Some(false));
}

#[test]
fn arithmetic_follows_the_usual_precedence() {
    let row = [("x", "3"), ("y", "-4")];
    for (text, wanted) in [
        ("1 + 2 * x", "7"),
        ("(1 + 2) * x", "9"),
        ("-x - -1", "-2"),
        ("7 % 4 / 2", "1.5"),
        ("y % 3", "2"),
        ("x / 0 is missing", "true"),
        ("floor(x / 2) + ceiling(x / 2)", "3"),
        ("max(x, abs(y), 1)", "4"),
        ("round(2.5) - min(x, 2)", "1"),
        ("signed(x)", "+3"),
        ("signed(y)", "-4"),
    ] {
        assert_eq!(value(text, &row), Ok(Some(wanted.to_owned())), "{text}");
    }
}

#[test]
fn what_is_missing_stays_open_unless_the_rest_decides() {
    let row = [("rt", ""), ("level", "easy")];
    for open in ["rt < 500", "rt == missing", "not rt < 500", "rt < 500 and level == 'easy'", "rt in [1, 2]", "other"] {
        assert_eq!(truth(open, &row), None, "{open}");
    }
    for (text, wanted) in [
        ("rt is missing", true),
        ("rt == ''", true),
        ("level != \"\"", true),
        ("level is not missing", true),
        ("rt < 500 or level == 'easy'", true),
        ("rt < 500 and level == 'hard'", false),
        ("coalesce(rt, 3) == 3", true),
        ("if(level == 'easy', 1, rt) = 1", true),
    ] {
        assert_eq!(truth(text, &row), Some(wanted), "{text}");
    }
}

#[test]
fn texts_are_taken_apart() {
    let row = [("move", "Auto B nach rechts"), ("file", "A-1_2026.csv"), ("mouse.x", "120"), ("Zeit (s)", "2")];
    for (text, wanted) in [
        ("part(move, ' ', 2)", "B"),
        ("upper(part(move, ' ', 4))", "RECHTS"),
        ("extract(file, '^(.+)_')", "A-1"),
        ("extract(file, '[0-9]{4}')", "2026"),
        ("replace(lower(move), 'auto ', '')", "b nach rechts"),
        ("contains(move, 'B') and starts_with(move, 'Auto') and ends_with(move, 'rechts')", "true"),
        ("matches(file, '\\.csv$')", "true"),
        ("length(trim('  ab '))", "2"),
        ("mouse.x / 80", "1.5"),
        ("`Zeit (s)` * 1000", "2000"),
        ("number(move) is missing", "true"),
        ("'it''s'", "it's"),
        ("text(1.50)", "1.5"),
    ] {
        assert_eq!(value(text, &row), Ok(Some(wanted.to_owned())), "{text}");
    }
    assert_eq!(value("part(move, ' ', 9)", &row), Ok(None));
}

#[test]
fn a_text_that_should_be_a_number_is_shown() {
    let shown = value("rt * 2 > limit", &[("rt", "fast"), ("limit", "3")]).unwrap_err();
    assert_eq!(
        shown,
        "\"fast\" is not a number; number(…) makes what is no number missing\n    rt * 2 > limit\n    ^^"
    );
    assert!(value("level and true", &[("level", "easy")]).unwrap_err().contains("not true or false"));
    assert_eq!(truth("false and level", &[("level", "easy")]), Some(false), "nobody asks");
}

#[test]
fn numbers_are_written_as_in_the_cells() {
    let comma = NumberStyle { decimal_comma: true, thousands: None };
    let expression = Expression::parse("zeit > 2.4").unwrap().with_numbers(comma);
    assert_eq!(expression.decide(&|_| Value::from("2,5")), Ok(Some(true)));
    assert!(expression.decide(&|_| Value::from("2.5")).is_err());
    let thousands = NumberStyle { decimal_comma: false, thousands: Some(',') };
    let expression = Expression::parse("rt / 1000").unwrap().with_numbers(thousands);
    assert_eq!(expression.evaluate(&|_| Value::from("1,393")), Ok(Value::from(1.393)));
}

#[test]
fn a_part_of_a_template_may_be_empty() {
    let template = Template::parse("{disk?}{peg}").unwrap();
    let fill = |disk, peg| template.fill(&|expression, _| Value::from([disk, peg][expression])).unwrap();
    assert_eq!([fill("3", "B"), fill("", "B"), fill("3", "")], [Value::from("3B"), Value::from("B"), Value::Missing]);
    assert!(Template::parse("{?}").is_err());
}

#[test]
fn errors_point_at_what_is_wrong() {
    for (text, message, marks) in [
        ("", "the expression is empty", "^"),
        ("rt >", "the expression ends too early", "    ^"),
        ("rt >> 5", "\">\" is not expected here", "    ^"),
        ("level == 'easy", "the quote ' has no end", "         ^^^^^"),
        ("1 < rt < 5", "\"<\" is not expected here", "       ^"),
        ("(rt > 5", "the expression ends too early", "       ^"),
        ("rt > 5 level", "\"level\" is not expected here", "       ^^^^^"),
        ("12ab > 5", "\"12ab\" is not a number", "^^^^"),
        ("rt ? 5", "'?' has no meaning here", "   ^"),
        ("größe is big", "\"big\" is not expected here", "         ^^^"),
        ("sum(rt) > 5", "there is no function \"sum\"", "^^^"),
        ("abs(rt, 2)", "abs takes 1 argument, and has 2", "^^^^^^^^^^"),
        ("matches(file, '(')", "this is no regular expression: unclosed group", "              ^^^"),
        ("matches(file, level)", "a regular expression is written as a text in quotes", "              ^^^^^"),
        ("level in 'easy'", "\"'easy'\" is not expected here", "         ^^^^^^"),
    ] {
        let error = Expression::parse(text).unwrap_err();
        assert_eq!(error.message, message, "{text}");
        assert_eq!(error.marked(), format!("{text}\n{marks}"), "{text}");
    }
    assert!(Expression::parse(&"(".repeat(1000)).unwrap_err().message.contains("nested"));
    assert!(Expression::parse(&"-".repeat(1000)).unwrap_err().message.contains("nested"));
    let expression = Expression::parse("a == 1 and levle == 'R'").unwrap();
    let error = expression.unknown(1, Some("level"));
    assert_eq!(error.marked(), "a == 1 and levle == 'R'\n           ^^^^^");
    assert!(error.to_string().starts_with("there is no column \"levle\"; did you mean \"level\"?"));
}

#[test]
fn templates_join_columns() {
    let template = Template::parse("{piece}@{row * 6 + column} {{x}}").unwrap();
    let cells = [("piece", "B"), ("row", "2"), ("column", "3")];
    let names: Vec<Vec<String>> =
        template.expressions().map(|expression| expression.names().map(str::to_owned).collect()).collect();
    let cell = |expression: usize, name: usize| {
        let name = &names[expression][name];
        Value::from(cells.iter().find(|(known, _)| known == name).map(|(_, cell)| *cell))
    };
    assert_eq!(template.fill(&cell).unwrap(), Value::from("B@15 {x}"));
    assert_eq!(Template::parse("{piece}{missing}").unwrap().fill(&|_, _| Value::from("B")).unwrap(), Value::Missing);
    for (text, message, marks) in [
        ("{piece", "a brace is open", "^^^^^^"),
        ("piece}", "a brace is closed that was never opened", "     ^"),
        ("a{b >}", "the expression ends too early", "     ^"),
    ] {
        let error = Template::parse(text).unwrap_err();
        assert_eq!((error.message.as_str(), error.marked()), (message, format!("{text}\n{marks}")));
    }
}

/// Whatever is typed, the answer is an error or an expression, never a panic.
#[test]
fn any_text_is_answered() {
    let words = [
        "rt", "5", "'a'", "(", ")", "[", "]", ",", "and", "not", "in", "is", "missing", "==", "<", "-", "`x", "é",
        "if(",
    ];
    let mut seed = 7u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..8 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(words[(seed >> 33) as usize % words.len()]);
            text.push(if seed >> 60 == 0 { '\n' } else { ' ' });
        }
        match Expression::parse(&text) {
            Ok(expression) => drop(expression.evaluate(&|_| Value::from("1"))),
            Err(error) => assert!(error.span.end <= text.len() && !error.marked().is_empty(), "{text}"),
        }
    }
}

#[test]
fn a_chain_of_any_length_is_no_deep_tree() {
    let chain = |part: &str, sign: &str| value(&vec![part; 50_000].join(sign), &[("x", "1")]).unwrap().unwrap();
    assert_eq!(chain("1", " + "), "50000");
    assert_eq!(chain("1", " * "), "1");
    assert_eq!(chain("x == 2", " or "), "false");
    assert_eq!(chain("x == 1", " and "), "true");
}

#[test]
fn texts_do_not_grow_without_end() {
    let grown = |n: usize| format!("{}\"x\"{}", "replace(".repeat(n), ", \"x\", \"xxxxxxxxxx\")".repeat(n));
    let length = |text: &str| value(&format!("length({text})"), &[]);
    assert_eq!(length(&grown(6)), Ok(Some("1000000".to_owned())));
    let said = length(&grown(60)).unwrap_err();
    assert!(said.contains("\"a text of 10000000 bytes\" is not short enough; a text can grow to 1 MiB"), "{said}");
    assert!(length(&format!("concat({0}, {0})", grown(6))).is_err());
}
