//! Tells the module the notices of what it is made of, which is a little more than the program.

use std::path::PathBuf;

use plymap_notices::Build;

fn main() {
    for file in ["../Cargo.lock", "Cargo.toml", "build.rs"] {
        println!("cargo::rerun-if-changed={file}");
    }
    Build::of_script(PathBuf::from(".."))
        .write_notices("plymap-python")
        .expect("the folder of the build can be written");
}
