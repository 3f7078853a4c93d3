//! Writes the demo study: `cargo run --example make_demo`.
//!
//! Levels, log and the true parameters of the synthetic participants, all from seeds: every run writes the
//! same bytes into `data/demo`. What is in the files and why stands in `data/demo/README.md`.

use std::error::Error;
use std::fs;
use std::path::Path;

use plymap_players::PlayedTrial;

mod boards;
mod demo;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/demo");
    let demo = demo::Demo::new()?;
    for (name, content) in demo.files()? {
        let path = folder.join(&name);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        fs::write(path, &content)?;
        println!("{name}: {} bytes", content.len());
    }
    for level in &demo.levels {
        let trials = demo.trials.iter().filter(|trial| trial.level == level.id);
        let n_solved = trials.filter(|trial| trial.is_solved).count();
        let distance = level.start_distance().ok_or("a level cannot be solved")?;
        let n_states = level.n_states().ok_or("a level is not mapped")?;
        println!("{}: {distance} moves, {n_states} states, {n_solved} solved it", level.id);
    }
    let n_moves: usize = demo.trials.iter().map(PlayedTrial::n_moves).sum();
    println!("{n_moves} moves of {} participants", demo.players.len());
    Ok(())
}
