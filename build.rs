//! Tells the program what it is made of: results that are kept from one run to the next are those of the same program.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

fn main() {
    let members = fs::read_dir("crates").into_iter().flatten().flatten().map(|member| member.path().join("src"));
    let roots = ["src", "Cargo.toml", "Cargo.lock"].map(PathBuf::from).into_iter().chain(members);
    let mut files = Vec::new();
    for root in roots.filter(|root| root.exists()) {
        println!("cargo::rerun-if-changed={}", root.display());
        collect(&root, &mut files);
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in &files {
        file.hash(&mut hasher);
        fs::read(file).unwrap_or_default().hash(&mut hasher);
    }
    println!("cargo::rustc-env=PLYMAP_SOURCES={:016x}", hasher.finish());
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        return files.push(path.to_owned());
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        collect(&entry.path(), files);
    }
}
