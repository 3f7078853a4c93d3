//! The program: its command line is that of the library.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: plymap::allocator::Allocator = plymap::allocator::Allocator;

fn main() -> ExitCode {
    plymap::allocator::keep_freed_memory();
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(plymap::cli::main(&arguments).0)
}
