//! `plymap licenses`

use std::sync::OnceLock;

use clap::Args;

use super::output::print_data;
use super::{ExitCode, Failure};

/// The notices that the script of the build wrote, or why it could not.
const NOTICES: Result<&str, &str> = include!(concat!(env!("OUT_DIR"), "/notices.rs"));

/// Notices of a program that is made of more than this library.
static CARRIED: OnceLock<Result<&str, &str>> = OnceLock::new();

/// Has `plymap licenses` print these notices: those of a program that is made of more than this library. The first that are
/// told stay.
pub fn carry_notices(notices: Result<&'static str, &'static str>) {
    let _ = CARRIED.set(notices);
}

/// Print the licences and copyright notices of everything that this program is made of.
///
/// Example: plymap licenses > NOTICES.txt
#[derive(Debug, Args)]
pub struct Licenses {}

impl Licenses {
    pub fn run(self) -> Result<ExitCode, Failure> {
        match CARRIED.get().unwrap_or(&NOTICES) {
            Ok(notices) => print_data(notices)?,
            Err(reason) => {
                return Err(Failure::message(format!(
                    "this program was built without the notices of its crates; build it in a copy of the repository that \
                     has Cargo.lock, with crates from a registry ({reason})"
                )));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
