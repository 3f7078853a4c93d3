//! Policies from the tables of studies.

use std::collections::BTreeMap;

use super::*;

fn refused(toml: &str) -> String {
    let table: toml::Table = toml.parse().expect("TOML");
    PolicySpec::new(table).unwrap_err().to_string()
}

#[test]
fn every_kind_is_listed_under_the_name_that_it_has() {
    let minimal = BTreeMap::from([
        ("greedy", "heuristic = 'distance'"),
        ("game", "strategy = 'x'"),
        ("lua", "source = 'return { choose = function() return 1 end }'"),
        ("external", "command = ['true']"),
    ]);
    for kind in KINDS {
        let text = format!("kind = '{}'\n{}", kind.name, minimal.get(kind.name).unwrap_or(&""));
        let spec: PolicySpec = toml::from_str(&text).expect("a policy");
        assert_eq!(spec.build("".as_ref()).expect("a policy").kind(), kind.name);
        // Every entry of its list has a value, and no other does.
        let mut named: Vec<String> = spec.settings().into_iter().map(|(name, _)| name).collect();
        let mut listed: Vec<&str> = kind.entries.iter().copied().chain(["kind", "undo", "same-piece"]).collect();
        named.sort();
        listed.sort_unstable();
        assert_eq!(named, listed, "{}", kind.name);
    }
}

#[test]
fn numbers_may_be_whole_and_infinite() {
    let spec: PolicySpec = toml::from_str("kind = 'soft-optimal'\nbeta = 2\nundo = 0").expect("a policy");
    let setting = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let expected =
        [("kind", "soft-optimal"), ("beta", "2.0"), ("dead-end-loss", "inf"), ("undo", "0"), ("same-piece", "1")];
    assert_eq!(spec.settings(), expected.map(|(name, value)| setting(name, value)));
    let spec: PolicySpec = toml::from_str("kind = 'look-ahead'").expect("a policy");
    assert!(spec.settings().contains(&setting("beta", "inf")), "{spec:?}");
}

#[test]
fn what_is_wrong_is_named() {
    let kinds = "chance, cyclic, greedy, look-ahead, lapse-optimal, soft-optimal, eureka, hill-climbing, and-or, game, lua, external, fitted";
    assert_eq!(refused("lapse = 1"), format!("`kind` is missing; the kinds of policies are {kinds}"));
    assert_eq!(refused("kind = 'random'"), format!("`kind` is \"random\"; the kinds of policies are {kinds}"));
    assert_eq!(
        refused("kind = 'soft-optimal'\nbetta = 1"),
        "a policy of the kind soft-optimal has no entry `betta`; its entries are beta, dead-end-loss, undo, same-piece"
    );
    assert_eq!(refused("kind = 'lapse-optimal'\nlapse = 1.5"), "policy lapse-optimal: lapse = 1.5 is not from 0 to 1");
    assert_eq!(refused("kind = 'lapse-optimal'\nlapse = nan"), "policy lapse-optimal: lapse = NaN is not from 0 to 1");
    assert_eq!(refused("kind = 'chance'\nundo = -1"), "policy chance: undo = -1 is not from 0 to 1000000");
    assert_eq!(refused("kind = 'chance'\nundo = 'no'"), "policy chance: `undo` is a number, not \"no\"");
    assert_eq!(refused("kind = 'look-ahead'\ndepth = 0"), "policy look-ahead: depth = 0 is not from 1 to 100");
    let mistyped = refused("kind = 'look-ahead'\nbeta = 1\ndepth = 'three'");
    assert!(mistyped.starts_with("policy look-ahead: `depth`: invalid type: string \"three\""), "{mistyped}");
    assert!(refused("kind = 'greedy'").contains("`heuristic` is missing"));
    assert!(refused("kind = 'external'").contains("`command` is missing"));
    assert!(refused("kind = 'lua'").contains("`file` is missing"));
}

#[test]
fn files_that_results_depend_on_are_listed() {
    let folder = &std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let spec: PolicySpec = toml::from_str("kind = 'external'\ncommand = ['python3', 'examples/player.py']").unwrap();
    assert_eq!(spec.files(folder), [folder.join("examples/player.py")]);
    let spec: PolicySpec = toml::from_str("kind = 'lua'\nfile = 'missing.lua'").expect("a policy");
    assert_eq!(spec.files(folder), [folder.join("missing.lua")]);
    let missing = spec.build(folder).unwrap_err().to_string();
    assert!(missing.contains("cannot read the script") && missing.contains("missing.lua"), "{missing}");
}
