//! The examples of the pages: level files as they are read, faults as tests find them, the scripts in `data`.

use std::collections::BTreeSet;
use std::sync::Arc;

use plymap_puzzles::diagnostic::SourceText;
use plymap_puzzles::game::rush_hour::notation::parse;
use plymap_puzzles::level::{LevelColumns, levels_of_text};

use super::text_of;
use crate::common::repository;
use crate::recorded_data::skipped;

/// The examples of docs/levels.md that name their file: each holds as many levels as it says.
#[test]
fn the_examples_of_the_manual_are_read() {
    let manual = text_of("docs/levels.md");
    let mut n_examples = 0;
    for block in manual.split("```").skip(1).step_by(2) {
        let (info, text) = block.split_once('\n').expect("lines");
        let mut words = info.split_whitespace();
        let Some((name, count)) = words.next().zip(words.next()) else { continue };
        let source = Arc::new(SourceText { path: name.into(), text: text.to_owned() });
        let levels = levels_of_text(&source, &LevelColumns::default()).unwrap_or_else(|faults| panic!("{faults:#?}"));
        assert_eq!(levels.len().to_string(), count, "{name}\n{text}");
        for level in &levels {
            parse(&level.text, &level.source, level.span.start).unwrap_or_else(|faults| panic!("{}", faults[0]));
        }
        n_examples += 1;
    }
    assert_eq!(n_examples, 16);
}

/// docs/levels.md explains the faults that the tests of level files quote, and no others.
#[test]
fn the_manual_explains_every_fault() {
    let tests = "crates/puzzles/tests/it/levels.rs";
    if !repository().join(tests).exists() {
        return skipped(&format!("{tests} is not in this package"));
    }
    let (manual, tests) = (text_of("docs/levels.md"), text_of(tests));
    let rows = manual.split("## Faults").last().unwrap_or_default().lines();
    let listed: BTreeSet<&str> = rows.filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    // Every quoted word with a hyphen in these tests is a code.
    let is_code =
        |word: &&str| word.contains('-') && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let tested: BTreeSet<&str> = tests.split('"').filter(is_code).collect();
    assert_eq!(tested, listed);
}

#[test]
fn the_example_of_the_docs_is_the_shipped_script() {
    let docs = text_of("docs/lua.md");
    assert!(docs.contains(&text_of("data/lua/river_levels.txt")), "river_levels.txt differs from docs/lua.md");
    // The manual begins with the rules, and shows later how the script draws.
    let river = text_of("data/lua/river.lua");
    let (rules, drawing) = river.split_at(river.find("-- Images, in boxes").expect("what it draws"));
    assert!(docs.contains(rules) && docs.contains(drawing), "river.lua differs from docs/lua.md");
    let script = text_of("data/lua/eight_puzzle.lua");
    let first = script.find("-- A tile that is not at home wants").expect("what `blockers` says");
    let length = script[first..].find("\nend\n").expect("its end");
    assert!(docs.contains(&script[first..first + length]), "`blockers` of eight_puzzle.lua differs from docs/lua.md");
}
