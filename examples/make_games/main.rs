//! Writes the logs of the small studies in `data/GAME`: `cargo run --release --example make_games`.
//!
//! Twelve synthetic participants of known skill and tempo play all levels of each study, from a seed: every
//! run writes the same bytes. The studies and their levels are made by hand.

use std::error::Error;
use std::fs;

mod games;

fn main() -> Result<(), Box<dyn Error>> {
    for study in games::studies()? {
        let (file, log) = games::log_of(&study)?;
        fs::write(&file, &log)?;
        println!("{}: {} bytes", file.display(), log.len());
    }
    Ok(())
}
