//! The small studies in `data`, one for each game: their logs are what their generator writes, and what it knows of the
//! players is found again.

use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::GAMES;
use plymap_run::study::Study;
use plymap_run::{RunOptions, play, statistics, study_levels};
use rayon::prelude::*;

#[path = "../../examples/make_games/games.rs"]
mod make_games;

/// The logs in `data` are what their generator writes, and every row of them can be replayed and labelled.
#[test]
#[ignore = "slow: synthetic people play every game again"]
fn the_small_studies_are_what_their_generator_writes() {
    let studies = make_games::studies().expect("studies");
    let names: Vec<_> = studies.iter().map(|file| Study::read(file).expect("a study").game().name).collect();
    for game in GAMES.iter().filter(|game| game.name != "rush-hour") {
        assert!(names.contains(&game.name), "the game {} has no study", game.name);
    }
    studies.par_iter().for_each(|file| {
        let (log_file, log) = make_games::log_of(file).expect("a log");
        let there = std::fs::read(&log_file).expect("a log");
        assert!(there == log, "{} differs; run `cargo run --example make_games`", log_file.display());
        let study = Study::read(file).expect("a study");
        let (levels, _) = study_levels(&study, &Silent).expect("levels");
        let play = play(&study, &levels, &Silent).expect("a log without faults").expect("a log");
        let counts = play.account.counts;
        assert!(counts.read > 200, "{}: {counts:?}", file.display());
        assert_eq!((counts.rejected, counts.excluded), (0, 0), "{}", file.display());
        assert_eq!(play.measures.participants.len(), 12, "{}", file.display());
        let analyses: Vec<_> = study.statistics.analyses().collect();
        for table in statistics(&study, &play, &levels, &analyses, &RunOptions::default(), &Silent)
            .expect("statistics")
            .all_tables()
        {
            plymap_tables::check_table(table).expect("a table with its documentation");
        }
    });
}

/// Whoever errs more plays worse: the order of the participants is found again in every game.
#[test]
fn skill_is_found_again_in_every_game() {
    make_games::studies().expect("studies").par_iter().for_each(|file| {
        let study = Study::read(file).expect("a study");
        let (levels, _) = study_levels(&study, &Silent).expect("levels");
        let play = play(&study, &levels, &Silent).expect("a log without faults").expect("a log");
        let share = |names: &[String]| {
            let of_players = play
                .measures
                .trials
                .iter()
                .filter(|trial| names.contains(&play.measures.participants[trial.participant]));
            let mut tally = plymap_measures::measure::Tally::default();
            of_players.for_each(|trial| tally.add(&trial.tally));
            tally.share_optimal().expect("moves")
        };
        let cohort: Vec<String> = make_games::cohort().into_iter().map(|player| player.participant).collect();
        let (sure, lapsing) = (share(&cohort[..4]), share(&cohort[8..]));
        assert!(sure > lapsing, "{}: {sure} and {lapsing}", file.display());
    });
}
