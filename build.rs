//! Writes the notices of what the program is made of.

use std::path::PathBuf;

use plymap_notices::Build;

fn main() {
    println!("cargo::rerun-if-changed=Cargo.lock");
    Build::of_script(PathBuf::from(".")).write_notices("plymap").expect("the folder of the build can be written");
}
