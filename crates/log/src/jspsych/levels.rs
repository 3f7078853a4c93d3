//! The levels that were played.

use std::collections::BTreeMap;

use super::game::Game;
use super::imported::ImportedLevel;
use super::position::Pegs;
use crate::raw::RowDiagnostic;
use crate::reject::{Consequence, LogDiagnostic};

/// The problems that were played.
pub(super) struct Levels {
    pub levels: Vec<ImportedLevel>,
    /// The level of each game; absent where no row of it can be used.
    pub of_game: Vec<Option<usize>>,
}

impl Levels {
    pub fn of(games: &[Game]) -> Self {
        let mut keys: Vec<(&str, &'static str, &Pegs, &Pegs)> = Vec::new();
        let mut of_game = Vec::with_capacity(games.len());
        for game in games {
            let Some(start) = usual_start(game, games) else {
                of_game.push(None);
                continue;
            };
            let key = (game.problem.as_str(), game.condition, start, &game.target);
            of_game.push(keys.iter().position(|known| *known == key).or(Some(keys.len())));
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let levels = keys.iter().enumerate().map(|(number, &(problem, condition, start, target))| {
            let same = |other: &&(&str, &'static str, &Pegs, &Pegs)| other.0 == problem;
            let place = keys[..=number].iter().filter(same).count();
            let is_alone = keys.iter().filter(same).count() == 1;
            let name = if problem.is_empty() { "problem" } else { problem };
            let mut id = if is_alone { name.to_owned() } else { format!("{name}-{place}") };
            // Another problem may have just this id.
            while !is_alone && keys.iter().any(|key| key.0 == id) {
                id.push('+');
            }
            let board = start.level_to(target);
            ImportedLevel { id, problem: problem.to_owned(), condition, board, n_games: 0, recorded_min_moves: None }
        });
        Self { levels: levels.collect(), of_game }
    }

    pub fn count(&mut self, level: usize, game: &Game) {
        let is_first = self.levels[level].n_games == 0;
        self.levels[level].n_games += 1;
        let recorded = &mut self.levels[level].recorded_min_moves;
        if is_first {
            *recorded = game.min_moves;
        } else if *recorded != game.min_moves {
            *recorded = None;
        }
    }

    /// Says where one id stands for several problems.
    pub fn report(&self, diagnostics: &mut Vec<LogDiagnostic>) {
        let mut by_problem: BTreeMap<&str, Vec<&ImportedLevel>> = BTreeMap::new();
        for level in &self.levels {
            by_problem.entry(&level.problem).or_default().push(level);
        }
        for (problem, levels) in by_problem.into_iter().filter(|(_, levels)| levels.len() > 1) {
            let names: Vec<&str> = levels.iter().map(|level| level.id.as_str()).collect();
            let rule = format!(
                "this id stands for {} problems with different starts or targets; they are the levels {}",
                levels.len(),
                names.join(", ")
            );
            let fix = "nothing, if it is meant so, as in practice; else look at the starts in levels.csv";
            let diagnostic = RowDiagnostic::uncut("id-of-several-problems", "tol_problem_id", problem, rule, fix);
            diagnostics.push(LogDiagnostic::new(diagnostic, Consequence::Kept, "", 0));
        }
    }
}

/// The start of a game; where its first row cannot be used, the most frequent start of the same problem.
pub(super) fn usual_start<'a>(game: &'a Game, games: &'a [Game]) -> Option<&'a Pegs> {
    game.first_known.as_ref()?;
    if let Some(start) = &game.start {
        return Some(start);
    }
    let mut counts: BTreeMap<&Pegs, usize> = BTreeMap::new();
    let same = games.iter().filter(|other| (&other.problem, &other.target) == (&game.problem, &game.target));
    same.filter_map(|other| other.start.as_ref()).for_each(|start| *counts.entry(start).or_insert(0) += 1);
    // The smaller of two that are as frequent, so that the order of files does not matter.
    let usual = counts.into_iter().max_by_key(|&(start, count)| (count, std::cmp::Reverse(start)));
    usual.map(|(start, _)| start).or(game.first_known.as_ref())
}
