//! Readers of outside input on their kept inputs and on seeded changes of them: what `tests/fuzz` does without end, bounded.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::common::{on_all_cores, repository};

mod crates;
mod program;

use crates::Target;

/// Changed inputs of each target, by how long it takes over one.
fn n_changed(target: &str) -> u64 {
    match target {
        "expression" | "claims" | "protocol" => 3_000,
        "level_file" | "level" | "sidecar" | "jspsych" => 1_000,
        "import" => 50,
        _ => 300,
    }
}

/// The kept inputs of a target, in the order of their names.
fn kept(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = repository().join("tests/golden/fuzz").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files.into_iter().map(|file| (file.clone(), fs::read(&file).expect("a file"))).collect()
}

/// Gives an input to a target. Where that panics, the input is left in `target/tmp`.
fn feed((name, target): Target, said: &Path, input: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| target(input))).is_err() {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}"));
        fs::write(&file, input).expect("a file");
        panic!("{name} panics at {}, an input made of {}", file.display(), said.display());
    }
}

fn try_targets(targets: &[Target]) {
    for &(name, target) in targets {
        let kept = kept(name);
        kept.iter().for_each(|(file, input)| feed((name, target), file, input));
        on_all_cores(n_changed(name), |seed| {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            let (file, input) = &kept[generator.random_range(0..kept.len())];
            let (_, other) = &kept[generator.random_range(0..kept.len())];
            feed((name, target), file, &changed(input, other, &mut generator));
        });
    }
}

/// An input with one to four changes, some of them parts of another one.
fn changed(input: &[u8], other: &[u8], generator: &mut ChaCha8Rng) -> Vec<u8> {
    const WORDS: [&[u8]; 16] = [
        b"\0",
        b"\xff",
        b"\"",
        b"'",
        b"\n",
        b",",
        b"\t",
        b"{",
        b"[[",
        b"-1",
        b"99999999999999999999",
        b"1e308",
        b"NaN",
        b"\xef\xbb\xbf",
        "\u{2013}".as_bytes(),
        "ẞ".as_bytes(),
    ];
    let mut bytes = input.to_vec();
    for _ in 0..generator.random_range(1..=4) {
        let place = generator.random_range(0..=bytes.len());
        let end = (place + generator.random_range(1..=8)).min(bytes.len());
        match generator.random_range(0..6) {
            0 if place < bytes.len() => bytes[place] ^= 1 << generator.random_range(0..8_u32),
            1 => bytes.truncate(place),
            2 => drop(bytes.drain(place..end)),
            3 => drop(bytes.splice(place..place, bytes[place..end].to_vec())),
            4 if !other.is_empty() => {
                let from = generator.random_range(0..other.len());
                let to = (from + generator.random_range(1..=40)).min(other.len());
                drop(bytes.splice(place..end, other[from..to].iter().copied()));
            }
            _ => drop(bytes.splice(place..end, WORDS[generator.random_range(0..WORDS.len())].iter().copied())),
        }
    }
    bytes
}

#[test]
fn no_input_of_the_member_crates_ends_in_a_panic() {
    try_targets(&crates::TARGETS);
}

#[test]
fn no_input_of_the_program_ends_in_a_panic() {
    try_targets(&program::TARGETS);
}
