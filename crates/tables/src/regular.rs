//! Files that are read back, and not whatever has come to stand in their places.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a file to read it.
///
/// # Errors
///
/// As for [`File::open`]; and a pipe, for whose writer one would wait without end, a socket or a device.
pub fn open(path: &Path) -> io::Result<File> {
    let metadata = fs::metadata(path)?;
    // The system says of a folder what it is.
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file, but a pipe, socket or device"));
    }
    File::open(path)
}

/// The bytes of a file.
///
/// # Errors
///
/// As for [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, file) = (folder.path().join("pipe"), folder.path().join("file"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(read(&pipe).unwrap_err().to_string().contains("but a pipe"));
        assert!(read(Path::new("/dev/null")).is_err() && read(folder.path()).is_err());
        fs::write(&file, "x").unwrap();
        assert_eq!(read(&file).unwrap(), b"x");
    }
}
