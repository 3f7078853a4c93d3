//! The system calls by which folders come to be, get their names and go, so that a test can end the process after each.

use std::path::Path;
use std::{fs, io};

use plymap_tables::cleanup::remove_folder as remove_folder_by_system;

#[cfg(all(test, unix))]
use super::killed;

/// Renames a file or folder; on most systems a file that is there is replaced, a folder only if it is empty.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to).inspect(|()| taken())
}

/// Exchanges two folders in one step.
pub(super) fn exchange(left: &Path, right: &Path) -> io::Result<()> {
    #[cfg(all(test, unix))]
    if killed::is_in_two_steps() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    exchange_by_system(left, right).inspect(|()| taken())
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange_by_system(left: &Path, right: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, left, CWD, right, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange_by_system(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Makes a folder, and those above it.
pub(super) fn create_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path).inspect(|()| taken())
}

/// Removes a folder with what is in it.
pub(super) fn remove_folder(path: &Path) -> io::Result<()> {
    #[cfg(all(test, unix))]
    killed::empty_piece_by_piece(path)?;
    remove_folder_by_system(path).inspect(|()| taken())
}

/// Says that a system call has changed something on the disk.
pub(super) fn taken() {
    #[cfg(all(test, unix))]
    killed::step_taken();
}
