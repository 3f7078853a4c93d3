//! The folder of a run, written as a whole, and a later change of one of its files found by the manifest.

use plymap_report::{Manifest, OutputFolder, verify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let place = tempfile::tempdir()?;
    let output = OutputFolder::create(&place.path().join("results"))?;
    std::fs::write(output.path().join("trials.csv"), "participant,n_moves\nanna,14\n")?;
    Manifest::new(serde_json::json!({ "name": "demo" })).write(output.path())?;
    let folder = output.commit()?;
    println!("after the run: {} departures", verify(&folder)?.len());

    std::fs::write(folder.join("trials.csv"), "participant,n_moves\nanna,12\n")?;
    for mismatch in verify(&folder)? {
        println!("after a change: {mismatch}");
    }
    Ok(())
}
