//! Files and folders that are written.

use std::path::Path;

use super::RunError;
use plymap_tables::failed;

/// Writes one file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    Ok(std::fs::write(path, bytes).map_err(failed("write", path))?)
}

/// Makes a folder, and those above it.
pub fn make_folder(path: &Path) -> Result<(), RunError> {
    Ok(std::fs::create_dir_all(path).map_err(failed("make the folder", path))?)
}
