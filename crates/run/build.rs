//! Tells the crate what it is made of, for results that are kept from one run to the next are those of the same program.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// Crates above this one: no result that is kept depends on them, and a change of them builds nothing anew here.
const ABOVE: [&str; 2] = ["open", "server"];

fn main() {
    let members = fs::read_dir("..").into_iter().flatten().flatten().map(|member| member.path());
    let below = members.filter(|member| !ABOVE.iter().any(|above| member.ends_with(above)));
    let roots = ["../../Cargo.toml", "../../Cargo.lock"].map(PathBuf::from).into_iter();
    let mut files = Vec::new();
    roots
        .chain(below.map(|member| member.join("src")))
        .filter(|root| root.exists())
        .for_each(|root| collect(&root, &mut files));
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in &files {
        // Each file and no folder: a changed test is none of them, and what is added is named in one that is there.
        println!("cargo::rerun-if-changed={}", file.display());
        file.hash(&mut hasher);
        fs::read(file).unwrap_or_default().hash(&mut hasher);
    }
    println!("cargo::rustc-env=PLYMAP_SOURCES={:016x}", hasher.finish());
}

/// Collects the files below a path, without those of tests.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.file_stem().is_some_and(|stem| stem == "tests") {
        return;
    }
    if !path.is_dir() {
        return files.push(path.to_owned());
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        collect(&entry.path(), files);
    }
}
