//! An experiment for jsPsych, completed by npm.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::cli::{Bars, Failure};
use plymap_puzzles::progress::Progress as _;
use tempfile::TempDir;

/// Interval between two checks whether npm has ended, or the user wants to stop.
const PAUSE: Duration = Duration::from_millis(100);

/// A copy of the folder in which npm has installed what is needed and built the page: that of the user stays as it was
/// written.
pub fn by_npm(folder: &Path, bars: &Bars) -> Result<TempDir, Failure> {
    let copy = tempfile::tempdir().map_err(Failure::message)?;
    copy_all(folder, copy.path()).map_err(|error| Failure::message(format!("{}: {error}", folder.display())))?;
    bars.begin("npm", Some(2));
    for arguments in [&["install", "--no-audit", "--no-fund"][..], &["run", "build"]] {
        npm(copy.path(), arguments, bars)?;
        bars.advance(1);
    }
    bars.end();
    Ok(copy)
}

fn npm(folder: &Path, arguments: &[&str], bars: &Bars) -> Result<(), Failure> {
    let said = folder.join("npm.log");
    let log = fs::File::create(&said).map_err(Failure::message)?;
    let errors = log.try_clone().map_err(Failure::message)?;
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    let command = command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(log).stderr(errors);
    let started = command.spawn();
    let mut child = started
        .map_err(|error| Failure::message(format!("npm cannot be started: {error}; install Node.js, which has it")))?;
    loop {
        if let Some(status) = child.try_wait().map_err(Failure::message)? {
            if status.success() {
                return Ok(());
            }
            let said = fs::read_to_string(&said).unwrap_or_default();
            return Err(Failure::message(format!("npm {} failed: {}", arguments.join(" "), said.trim())));
        }
        if bars.is_cancelled() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::Interrupted);
        }
        thread::sleep(PAUSE);
    }
}

fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy_all(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
