//! Times at which limits ended problems.

use std::collections::BTreeMap;

use super::game::{Game, difference, sum};
use super::imported::{ImportedFile, Micros};
use crate::raw::RowDiagnostic;
use crate::reject::{Consequence, LogDiagnostic};

/// Times at which limits ended problems.
pub(super) struct Limits {
    /// Of each game, the time between its last move and the limit that ended it.
    pub of_game: Vec<Option<Micros>>,
    /// The games that do not tell it, with the time of problems that the others tell, and the number of those.
    pub inferred: Vec<(usize, Micros, usize)>,
}

impl Limits {
    pub fn of(games: &[Game]) -> Self {
        let mut of_game: Vec<Option<Micros>> = games.iter().map(Game::time_to_limit).collect();
        let mut known: BTreeMap<&'static str, Vec<Micros>> = BTreeMap::new();
        for (game, to_limit) in games.iter().zip(&of_game).filter(|(game, _)| is_of_time(game)) {
            known.entry(game.condition).or_default().extend(sum(game.time_of_moves(), *to_limit));
        }
        known.values_mut().for_each(|times| times.sort_unstable());
        let mut inferred = Vec::new();
        for (number, game) in games.iter().enumerate().filter(|(_, game)| is_of_time(game)) {
            let times = &known[game.condition];
            // The median, since one problem with lost rows would move a mean.
            let Some(&middle) = times.get(times.len() / 2) else { continue };
            let rest = game.time_of_moves().and_then(|moves| difference(middle, moves));
            if let (None, Some(rest)) = (of_game[number], rest) {
                of_game[number] = Some(rest);
                inferred.push((number, middle, times.len()));
            }
        }
        Self { of_game, inferred }
    }

    /// Says where the limit is that of other problems.
    pub fn report(&self, games: &[Game], files: &[ImportedFile], diagnostics: &mut Vec<LogDiagnostic>) {
        for &(number, time, n) in &self.inferred {
            let game = &games[number];
            let rule = format!(
                "no row tells how long the problem lasted until its time was up; the {n} others of which it is known \
                 lasted {time} s (their median)"
            );
            let fix = "nothing, if all have the same limit; else empty the rt_s of the event limit in log.csv";
            let diagnostic = RowDiagnostic::uncut("limit-of-others", "time_elapsed", "", rule, fix);
            let line = game.limit.map_or(0, |limit| limit.line);
            diagnostics.push(LogDiagnostic::new(diagnostic, Consequence::Kept, &files[game.file].name, line));
        }
    }
}

fn is_of_time(game: &Game) -> bool {
    game.solved.is_none() && game.limit.is_some_and(|limit| limit.is_of_time)
}
