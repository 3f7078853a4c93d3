//! The command line of plymap.

// `cli/output.rs` writes out what a terminal would obey.
#![deny(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::main()
}
