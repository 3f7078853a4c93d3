//! Change over trials in a small dataset, as a table and in the words of a paper.

use plymap_analysis::testing::{dataset, trial};
use plymap_analysis::{Analysis, Context, Settings};
use plymap_statistics::stats::Confidence;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Participants differ in speed, levels in length.
    let speeds = [1.0, 1.4, 0.8, 2.0, 1.1, 1.7];
    let trials = speeds.iter().enumerate().flat_map(|(participant, speed)| {
        let of_level = move |level: usize| {
            let n_moves = (8 + 3 * level + participant * level % 3) as f64;
            trial(participant, level, n_moves, n_moves * speed)
        };
        (0..4).map(of_level)
    });
    let data = dataset(trials.collect());
    let settings = Settings::new(Confidence::new(0.95)?, 1, true);

    let analysis = Analysis::named("learning").ok_or("there is no such analysis")?;
    let findings = analysis.run(&Context::new(&data, &settings), &[]);
    for table in &findings.tables {
        println!("{}: {} rows, {} columns", table.name, table.data.height(), table.data.width());
    }
    for sentence in &findings.sentences {
        println!("{sentence}");
    }
    Ok(())
}
