//! A tournament of strategies: every strategy of a study plays the same games at every level.
//!
//! Game number i begins for all strategies with the same chance: the same drawn start, the same seed. Games run side by
//! side; those of a program run one after the other, and end with the game in which it is disqualified. Scores do not
//! depend on the number of threads. Times do; they stand in a table of their own.

use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;

use plymap_players::policy::PolicyError;
use plymap_players::{Persistence, PlayError, PlayedTrial, Player, Policy, Tempo};
use plymap_puzzles::game::Unit;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::FailedPart;
use plymap_run::publish::Publication;
use plymap_run::study::Study;
use plymap_run::{RunError, USUAL, study_levels};

mod content;
mod figures;
mod game;
mod tables;

pub use game::{Game, GameEnding};
pub use tables::{Results, disqualified_table, games_table, results, results_table, times_table};

/// Summary of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentSummary {
    /// The results, the best strategy of each level first.
    pub results: Vec<Results>,
    /// Unit of the values.
    pub unit: Unit,
    /// The parts that could not be made; all others are there.
    pub failed: Vec<FailedPart>,
    /// Number of files written.
    pub n_files: u64,
}

struct Competitor {
    name: String,
    policy: Box<dyn Policy>,
}

/// Lets all strategies play all games, in the order of the study: by level, then strategy, then number.
///
/// # Errors
///
/// [`RunError`] if a strategy cannot play for another reason than its own fault, or the caller asks to stop.
pub fn play_games(study: &Study, levels: &[ValuedLevel], progress: &dyn Progress) -> Result<Vec<Game>, RunError> {
    let mut competitors = Vec::new();
    for strategy in &study.strategy {
        // The study has been checked; a script that was changed since is refused here.
        let policy = strategy.spec(&study.folder).and_then(|spec| spec.build(&study.folder));
        let policy = policy.map_err(|source| plymap_players::cohort::CohortError {
            cohort: strategy.name.clone(),
            source: source.into(),
        })?;
        competitors.push(Competitor { name: strategy.name.clone(), policy });
    }
    let n_games = study.tournament.games;
    progress.begin("playing", Some(levels.len() as u64 * competitors.len() as u64 * u64::from(n_games)));
    let pairs: Vec<(&ValuedLevel, &Competitor)> =
        levels.iter().flat_map(|level| competitors.iter().map(move |competitor| (level, competitor))).collect();
    let of_pair = |(level, competitor): (&ValuedLevel, &Competitor)| -> Result<Vec<Game>, RunError> {
        let play = |number| {
            let game = play_game(study, level, competitor, number, progress)?;
            progress.advance(1);
            Ok(game)
        };
        if competitor.policy.kind() != "external" {
            return (1..=n_games).into_par_iter().map(play).collect();
        }
        let mut games = Vec::new();
        // One after the other: a program that breaks the protocol plays no more games at the level.
        for number in 1..=n_games {
            games.push(play(number)?);
            if games.last().is_some_and(|game| !game.is_scored()) {
                progress.advance(u64::from(n_games - number));
                break;
            }
        }
        Ok(games)
    };
    let games: Vec<Vec<Game>> = pairs.into_par_iter().map(of_pair).collect::<Result<_, _>>()?;
    progress.end();
    Ok(games.concat())
}

fn play_game(
    study: &Study,
    level: &ValuedLevel,
    competitor: &Competitor,
    number: u32,
    progress: &dyn Progress,
) -> Result<Game, RunError> {
    let player = Player {
        // The chance of a game is named after it, and is the same for all strategies.
        participant: format!("game {number}"),
        condition: None,
        policy: &*competitor.policy,
        tempo: Tempo::default(),
        persistence: Persistence::up_to(study.tournament.max_moves),
    };
    let begun = Instant::now();
    let played = player.play(level, study.simulation.seed, progress);
    let elapsed = begun.elapsed();
    let optimum = level.start_distance().map(|distance| distance.0);
    let game = |ending, played: Option<&PlayedTrial>| Game {
        strategy: competitor.name.clone(),
        level: level.id.clone(),
        number,
        ending,
        cost: played.map_or(0, |trial| trial.cost),
        n_moves: played.map_or(0, |trial| trial.n_moves() as u64),
        optimum,
        attributes: played.map(|trial| level.rules.attributes(trial.last_state)).unwrap_or_default(),
        elapsed,
    };
    match played {
        Ok(trial) if trial.is_solved => Ok(game(GameEnding::Finished, Some(&trial))),
        Ok(trial) => Ok(game(GameEnding::MoveLimit, Some(&trial))),
        Err(PlayError::Policy { source: PolicyError::Disqualified { reason, .. }, .. }) => {
            Ok(game(GameEnding::Disqualified(reason.to_string()), None))
        }
        // Whoever reads it knows the strategy, and not how its games are numbered.
        Err(PlayError::Policy { level, source, .. }) => {
            Err(PlayError::Policy { participant: competitor.name.clone(), level, source }.into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Runs a tournament and writes tables, figures and a report into `target`, which appears, or replaces an earlier
/// one, only when everything is done.
///
/// # Errors
///
/// [`RunError`]; nothing was written, and an earlier run is as it was.
pub fn run(
    study: &Study,
    study_file: &Path,
    target: &Path,
    progress: &dyn Progress,
) -> Result<TournamentSummary, RunError> {
    let publication = Publication::new(study, study_file, target, &USUAL, progress)?;
    let (levels, level_files) = study_levels(study, progress)?;
    let games = play_games(study, &levels, progress)?;
    let unit = plymap_measures::label::unit_of(&levels);
    let results = results(&games, unit, study.statistics.confidence, study.simulation.seed);
    let mut tables = vec![results_table(&results, unit)];
    tables.extend(tables::last_positions(&games));
    tables.extend([disqualified_table(&games), games_table(&games, unit), times_table(&games)]);
    publication.write_tables(&tables)?;
    let drawings = publication.draw_figures(figures::figures(&games, &results, unit, study))?;
    let page = publication.page("tournament", &tables, &drawings);
    let failed =
        publication.write_page(content::report(page, study, levels.len(), &games, (&results, unit))?, &drawings)?;
    let mut manifest = publication.manifest(&level_files, None, &levels, failed.clone())?;
    manifest.seeds.insert("games".to_owned(), study.simulation.seed);
    let specs = study.strategy.iter().filter_map(|strategy| strategy.spec(&study.folder).ok());
    manifest.add_inputs(specs.flat_map(|spec| spec.files(&study.folder)), &study.folder)?;
    let n_files = publication.commit(manifest, &levels)?;
    Ok(TournamentSummary { results, unit, failed, n_files })
}
