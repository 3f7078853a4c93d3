//! The command line of plymap.

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::main()
}
