//! The command line of plymap.

// `cli/output.rs` writes out what a terminal would obey.
#![deny(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

mod cli;

/// Gives back what threads have freed: that of Linux keeps for each thread what it once had, so that limits of memory would
/// not hold.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
