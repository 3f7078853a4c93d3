//! Two synthetic players at one level: the skill and the tempo that they have, and those that are measured of their play.

use plymap_players::{LapseOptimal, Persistence, Player, Tempo, measures_of, play_all};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::valuation::{LoadError, LoadedLevel, ValuedLevel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = "......\n..B...\nAAB...>\n..B...\n..CC..\n......\n";
    let level = LoadedLevel::from_text("one", board, Default::default(), &Default::default()).map_err(LoadError)?;
    let levels = [ValuedLevel::new(level, "rush-hour", &Default::default())?];
    let players = [("careful", 0.0, 2.0), ("hasty", 0.6, 0.5)].map(|(name, lapse, median_time_s)| Player {
        participant: name.to_owned(),
        condition: None,
        policy: LapseOptimal { lapse },
        tempo: Tempo::steady(median_time_s, 0.3),
        persistence: Persistence::default(),
    });

    let trials = play_all(&players, &levels, 1, &Silent)?;
    let measures = measures_of(&trials, &levels)?;
    for (player, trial) in players.iter().zip(measures.trials.iter()) {
        println!(
            "{}: lapse {}, median {} s; {} moves, {:.0} % optimal, median {:.1} s",
            player.participant,
            player.policy.lapse,
            player.tempo.median_time_s,
            trial.tally.n_moves,
            100.0 * trial.share_optimal.unwrap_or(f64::NAN),
            trial.median_inter_move_s.unwrap_or(f64::NAN),
        );
    }
    Ok(())
}
