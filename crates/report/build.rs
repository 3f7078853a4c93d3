//! Takes plotly.js out of the crate that carries it.

use std::env;
use std::fs;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let library =
        plotly_js(&plotly::Plot::offline_js_sources()).expect("the crate plotly carries plotly.js as a script");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo names a folder"));
    fs::write(folder.join("plotly.js"), library).expect("the folder of the build can be written");
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
