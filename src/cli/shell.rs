//! `plymap completions` and `plymap man`

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::command_line;
use super::error::Failure;
use super::output::{print_data, say};
use crate::cli::ExitCode;

/// Print completions for a shell.
///
/// Example: plymap completions bash > ~/.local/share/bash-completion/completions/plymap
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command_line(), "plymap", &mut script);
        print_data(&String::from_utf8_lossy(&script))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Write man pages, one for each command.
///
/// Example: plymap man ~/.local/share/man/man1
#[derive(Debug, Args)]
pub struct Man {
    /// Folder to write to.
    folder: PathBuf,
}

impl Man {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let failed =
            |error| Failure::message(format!("cannot write man pages into {}: {error}", self.folder.display()));
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        clap_mangen::generate_to(command_line(), &self.folder).map_err(failed)?;
        say!("man pages are in {}", self.folder.display());
        Ok(ExitCode::SUCCESS)
    }
}
