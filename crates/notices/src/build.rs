//! The environment of a build, in which linked crates are looked for.

use std::env;
use std::path::PathBuf;

/// The environment in which Cargo builds: what the linked crates are asked of.
#[derive(Clone, Debug)]
pub struct Build {
    /// The program that is Cargo.
    pub cargo: PathBuf,
    /// The compiler whose library is linked.
    pub rustc: PathBuf,
    /// The folder of the workspace.
    pub workspace: PathBuf,
    /// The target, such as `x86_64-unknown-linux-gnu`; that of the compiler where it is absent.
    pub target: Option<String>,
}

impl Build {
    /// That of the script of a build, which Cargo tells in the environment. `workspace` is the folder of Cargo.lock.
    pub fn of_script(workspace: PathBuf) -> Self {
        let program = |name: &str, else_: &str| env::var_os(name).map_or_else(|| else_.into(), PathBuf::from);
        Self {
            cargo: program("CARGO", "cargo"),
            rustc: program("RUSTC", "rustc"),
            workspace,
            target: env::var("TARGET").ok(),
        }
    }
}
