//! Feeds one reader of outside input with inputs that libFuzzer makes; `run` builds and starts it.
#![no_main]

use std::sync::LazyLock;

#[path = "../it/fuzz/crates.rs"]
mod crates;
#[cfg(feature = "program")]
#[path = "../it/fuzz/program.rs"]
mod program;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("TARGET").unwrap_or_default();
    let targets = crates::TARGETS.to_vec();
    #[cfg(feature = "program")]
    let targets = [targets, program::TARGETS.to_vec()].concat();
    let known: Vec<&str> = targets.iter().map(|(known, _)| *known).collect();
    let found = targets.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("TARGET is none of {}", known.join(", "))).1
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
