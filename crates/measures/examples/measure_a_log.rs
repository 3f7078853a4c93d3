//! A log of two attempts at Rush Hour: every move labelled by the map of the level, and the measures of the trials.

use plymap_log::{LogSpec, read_log};
use plymap_measures::label::label;
use plymap_measures::measure::Measures;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::valuation::{LoadError, LoadedLevel, ValuedLevel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = "......\n......\nAA....>\n......\n......\n......\n";
    let level = LoadedLevel::from_text("easy", board, Default::default(), &Default::default()).map_err(LoadError)?;
    let levels = [ValuedLevel::new(level, "rush-hour", &Default::default())?];

    let folder = tempfile::tempdir()?;
    let text = "participant,level,action,rt_s\nanna,easy,A+1,2.5\nanna,easy,A-1,1\nanna,easy,A+4,1.5\nben,easy,A+4,4\n";
    std::fs::write(folder.path().join("log.csv"), text)?;
    let spec = LogSpec { files: vec!["log.csv".into()], folder: folder.path().to_owned(), ..LogSpec::default() };
    let log = read_log(&spec, &Silent)?;

    let (labelled, _) = label(&log, 0..log.rows.len(), &levels, &spec, &Silent);
    for attempt in &labelled.attempts {
        let moves = labelled.rows.range(attempt.rows.clone()).filter_map(|row| row.label);
        let qualities: Vec<&str> = moves.map(|label| label.quality.name()).collect();
        println!("{}: {}", attempt.participant, qualities.join(", "));
    }
    let measures = Measures::new(&labelled, &log.diagnostics, &levels);
    for trial in measures.trials.iter() {
        let participant = &measures.participants[trial.participant];
        if let (Some(n_moves), Some(excess), Some(time_s)) = (trial.n_moves, trial.excess_moves, trial.time_s) {
            println!("{participant}: {n_moves} moves, {excess} more than needed, {time_s} s");
        }
    }
    Ok(())
}
