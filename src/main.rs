//! The program: its command line is that of the library.

use std::process::ExitCode;

mod begin;

/// Allocator that gives back what threads have freed: that of Linux keeps for each thread what it once had, so that
/// limits of memory would not hold.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    begin::outlive_files_that_may_not_grow();
    if begin::output_was_closed() {
        plymap::cli::output_is_closed();
    }
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(plymap::cli::main(&arguments).0)
}
