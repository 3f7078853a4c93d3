//! Recorded human play and published answers, which are no part of the project: docs/recorded_data.md.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The folder of the recorded data: the one that `PLYMAP_RECORDED_DATA` names, or `../shared/data`, both as seen from
/// the repository.
pub fn recorded_data() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let repository = package.ancestors().find(|folder| folder.join("Cargo.lock").exists()).unwrap_or(package);
    let named = std::env::var_os("PLYMAP_RECORDED_DATA").filter(|folder| !folder.is_empty());
    repository.join(named.unwrap_or_else(|| "../shared/data".into()))
}

/// A file or folder of the recorded data; where it is absent, the test that asks is seen to be skipped.
pub fn recorded(name: &str) -> Option<PathBuf> {
    let folder = recorded_data();
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    skipped(&format!(
        "{name} is not in {}; PLYMAP_RECORDED_DATA may name another folder (docs/recorded_data.md)",
        folder.display()
    ));
    None
}

/// Says why a test is skipped, past the test harness, which would hide it.
pub fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// The text of a file of the recorded data, decompressed.
pub fn recorded_text(file: &str) -> Option<String> {
    let bytes = std::fs::read(recorded(file)?).expect("a readable file");
    let mut text = String::new();
    if file.ends_with(".gz") {
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("gzip");
    } else {
        text = String::from_utf8(bytes).expect("UTF-8");
    }
    Some(text)
}
