//! Feeds one reader of outside input with inputs that libFuzzer makes; `run` builds and starts it.
#![no_main]

use crates::Target;

#[path = "../it/fuzz/crates.rs"]
mod crates;
#[cfg(feature = "program")]
#[path = "../it/fuzz/program.rs"]
mod program;

/// The reader, chosen when this is built: the linker leaves out all that the others need, whose counters libFuzzer would
/// else go through behind each input.
const TARGET: fn(&[u8]) = {
    #[cfg(feature = "program")]
    let program = &program::TARGETS;
    #[cfg(not(feature = "program"))]
    let program = &[];
    match (named(&crates::TARGETS), named(program)) {
        (Some(target), _) | (None, Some(target)) => target,
        (None, None) => panic!("FUZZ_TARGET is no target"),
    }
};

const fn named(targets: &[Target]) -> Option<fn(&[u8])> {
    let wanted = env!("FUZZ_TARGET").as_bytes();
    let mut number = 0;
    while number < targets.len() {
        let (name, target) = (targets[number].0.as_bytes(), targets[number].1);
        let mut n_same = 0;
        while n_same < name.len() && n_same < wanted.len() && name[n_same] == wanted[n_same] {
            n_same += 1;
        }
        if n_same == name.len() && n_same == wanted.len() {
            return Some(target);
        }
        number += 1;
    }
    None
}

libfuzzer_sys::fuzz_target!(
    init: {
        // To hand work to other threads and to wait for them takes longer than most inputs.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("the first pool");
    },
    |data: &[u8]| TARGET(data)
);
