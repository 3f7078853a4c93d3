//! `plymap tournament`

use crate::tournament;
use clap::Args;
use plymap_run::study::Study;
use plymap_tables::{Columns, count, flag, number, text};

use super::error::tell_failed;
use super::output::{print_account, print_account_table, say};
use super::study_arguments::StudyArguments;
use super::{Bars, ExitCode, Failure};

/// Compare strategies in a tournament on the levels of a study.
///
/// Every [[strategy]] of the study plays the same games at each level; a strategy can also be a program of your own.
/// Writes tables, figures and a report to reports/NAME-tournament, unless --out says otherwise. The same study and
/// seed give the same scores, with any number of threads.
///
/// Example: plymap tournament data/2048/tournament.toml
#[derive(Debug, Args)]
pub struct Tournament {
    #[command(flatten)]
    study: StudyArguments,
    /// Number of games of each strategy at each level, instead of that of the study.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Seed, instead of that of the study.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Tournament {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let (mut study, file, target) = self.study.read("-tournament")?;
        if study.strategy.is_empty() {
            let file = file.display();
            return Err(Failure::message(format!(
                "{file} has no [[strategy]]: nobody would play; docs/tournament.md shows how to name some"
            )));
        }
        study.tournament.games = self.games.unwrap_or(study.tournament.games);
        study.simulation.seed = self.seed.unwrap_or(study.simulation.seed);
        say!("{}", outlook(&study));
        let summary = tournament::run(&study, &file, &target, bars)?;
        let what = if summary.unit.is_distance() { "mean cost" } else { "mean score" };
        let results = &summary.results;
        let table = Columns::new()
            .column(results, text("level", "its name"), |row| row.level.clone())
            .column(results, text("strategy", "its name"), |row| row.strategy.clone())
            .column(results, count("games", "games that count"), |row| row.n_games)
            .column(results, count("finished", "games that were solved, or played to their end"), |row| row.n_finished)
            .column(results, number("best", "the best of them"), |row| row.best(summary.unit))
            .column(results, number(what, "the mean of them"), |row| row.mean.estimate)
            .column(results, flag("disqualified", "whether it played against the rules"), |row| {
                Some(row.disqualified.is_some())
            })
            .into_table("results", "What each strategy reached at each level.");
        print_account_table(&table)?;
        print_account(&format!("\nfiles written {}, in {}\n", summary.n_files, target.display()))?;
        Ok(tell_failed(&summary.failed))
    }
}

/// Returns a sentence on what is about to be played: nobody should wait for a quarter of an hour and not know what for.
fn outlook(study: &Study) -> String {
    let (games, strategies) = (study.tournament.games, study.strategy.len());
    format!(
        "{games} {} of each of {strategies} {} at each level; those that look ahead or learn first may take seconds for a \
         game, and minutes to hours in all: --games 5 gives a quick look, Ctrl-C ends it",
        if games == 1 { "game" } else { "games" },
        if strategies == 1 { "strategy" } else { "strategies" }
    )
}
