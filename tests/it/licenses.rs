//! Every part that is linked has its notice, and what is not to be linked is not.

use std::collections::BTreeSet;
use std::process::Command;

/// Returns the output of `cargo tree` for the package; empty where it has no such crate.
fn tree(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--package", "plymap", "--prefix", "none"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn notices() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_plymap")).arg("licenses").output().expect("an output");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_crate_that_is_linked_has_its_notice() {
    let notices = notices();
    let (parts, _) = notices.split_once("\n== Text 1 ").expect("texts");
    let n_texts = notices.matches("\n== Text ").count();
    let linked: BTreeSet<String> = tree(&["--edges", "normal"])
        .lines()
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ").replacen(" v", " ", 1))
        .collect();
    assert!((300..358).contains(&linked.len()), "{} crates: docs/third_parties.md says which stay", linked.len());
    for package in linked {
        let part = parts
            .lines()
            .find(|part| part.starts_with(&format!("{package} (")))
            .unwrap_or_else(|| panic!("no {package}"));
        let (_, numbers) = part.rsplit_once(": ").expect("numbers of texts");
        for number in numbers.split(", ") {
            assert!(number.parse().is_ok_and(|number: usize| (1..=n_texts).contains(&number)), "{part}");
        }
    }
}

#[test]
fn what_crates_carry_has_its_notice() {
    let notices = notices();
    for (part, words) in [
        ("\nLua in lua-src", "Lua.org, PUC-Rio.\n\nPermission is hereby granted"),
        ("\nSQLite in libsqlite3-sys", "The author disclaims copyright to this source code."),
        ("\nRust's own library", "The Rust Standard Library is dual-licensed"),
        ("\nzstd-sys ", "Copyright (c) Meta Platforms, Inc."),
        ("\nlibmimalloc-sys ", "Daan Leijen"),
        ("\ndejavu ", "Bitstream Vera"),
    ] {
        assert!(notices.contains(part) && notices.contains(words), "{part}: {words}");
    }
    // Texts, and nothing of the machine that they were found on.
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME")).expect("a home");
    assert!(!notices.contains(&home) && !notices.contains("\u{fffd}"), "{home}");
    assert!(!notices.contains("GNU GENERAL PUBLIC LICENSE\n"));
}

/// polars could read from the network, and write states by a crate that nobody maintains: docs/third_parties.md.
#[test]
fn no_client_of_the_network_is_linked() {
    let linked = tree(&["--edges", "normal,build"]);
    let names: BTreeSet<&str> = linked.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("polars-io") && names.contains("tokio"), "{names:?}");
    for name in
        ["bincode", "object_store", "reqwest", "rustls", "ring", "native-tls", "openssl-sys", "hyper-rustls", "quinn"]
    {
        assert!(!names.contains(name), "{name} is linked");
    }
}
