//! Places of the files of tests. The tests in `tests/it` include this module too.

use std::path::{Path, PathBuf};

/// The folder that holds `data`: the package, or the repository where the package's link to its `data` is no folder, as
/// in a checkout without symbolic links.
pub fn project() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    if package.join("data").is_dir() { package.to_owned() } else { package.join("../..") }
}

/// A file of `tests/golden`, such as `games/lua.json`.
pub fn golden(file: &str) -> serde_json::Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}
