//! Tells the program what it is made of, for results that are kept from one run to the next are those of the same program, and
//! the notices of it; and takes plotly.js out of the crate that carries it.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use plymap_notices::Build;

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
    let library =
        plotly_js(&plotly::Plot::offline_js_sources()).expect("the crate plotly carries plotly.js as a script");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo names a folder"));
    fs::write(folder.join("plotly.js"), library).expect("the folder of the build can be written");
    Build::of_script(PathBuf::from(".")).write_notices("plymap").expect("the folder of the build can be written");
}

/// The text of plotly.js among the scripts of the crate, which hold MathJax too.
fn plotly_js(sources: &str) -> Option<String> {
    let mut scripts = sources.split("<script").skip(1).filter_map(|part| {
        let (_, text) = part.split_once('>')?;
        Some(text.split_once("</script>")?.0)
    });
    let is_plotly = |text: &&str| text.trim_start().get(..200).is_some_and(|head| head.contains("plotly.js v"));
    scripts.find(is_plotly).map(str::to_owned)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        return files.push(path.to_owned());
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        collect(&entry.path(), files);
    }
}
