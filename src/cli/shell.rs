//! `plymap completions` and `plymap man`

use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::Shell;

use super::output::{print_data, say};
use super::{ExitCode, Failure};
use plymap_report::OutputFiles;
use plymap_run::files::write as write_file;

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
    pub fn run(self, mut whole: clap::Command) -> Result<ExitCode, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut whole, "plymap", &mut script);
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
    pub fn run(self, whole: clap::Command) -> Result<ExitCode, Failure> {
        let files = OutputFiles::create(&self.folder)?;
        let mut whole = whole.disable_help_subcommand(true);
        whole.build();
        write_pages(&whole, files.path())?;
        files.commit()?;
        say!("man pages are in {}", self.folder.display());
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the page of a command, and those of its own commands.
fn write_pages(command: &clap::Command, folder: &Path) -> Result<(), Failure> {
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        write_pages(command, folder)?;
    }
    let page = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text).map_err(Failure::message)?;
    Ok(write_file(&folder.join(page.get_filename()), &text)?)
}
