//! The program: its command line is that of the library.

use std::process::ExitCode;

mod begin;

/// Allocator that gives back what threads have freed: that of Linux keeps for each thread what it once had, so that
/// limits of memory would not hold.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Number of the option `purge_delay` among those of mimalloc 3.
const PURGE_DELAY: std::ffi::c_int = 15;

#[expect(unsafe_code, reason = "the allocator has its options in C alone")]
unsafe extern "C" {
    safe fn mi_option_set(option: std::ffi::c_int, value: std::ffi::c_long);
}

fn main() -> ExitCode {
    // What is freed goes back at once, and not after 10 ms: lists of states that grow leave as much behind as they take. A
    // map of 541,934 states takes 104 MB instead of 125, for 1 % of the time of a run.
    mi_option_set(PURGE_DELAY, 0);
    begin::outlive_files_that_may_not_grow();
    if begin::output_was_closed() {
        plymap::cli::output_is_closed();
    }
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(plymap::cli::main(&arguments).0)
}
