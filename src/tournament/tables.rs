//! The tables of a tournament.

use std::collections::BTreeSet;
use std::time::Duration;

use super::game::{Game, GameEnding};
use plymap_puzzles::game::Unit;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::describe::quantile;
use plymap_statistics::stats::interval::{Proportion, proportion};
use plymap_statistics::stats::resample::{Bootstrap, BootstrapInterval};
use plymap_tables::{ColumnDoc, Columns, Table, count, number, text, whole};

/// Maximum number of values of an attribute that have a column each.
const MOST_VALUES: usize = 20;

/// Results of a strategy at a level.
#[derive(Clone, Debug)]
pub struct Results {
    /// The strategy.
    pub strategy: String,
    /// The level.
    pub level: String,
    /// Number of games that count.
    pub n_games: u64,
    /// Number of games that were solved, or played to their end.
    pub n_finished: u64,
    /// Number of games that the limit of moves ended.
    pub n_move_limit: u64,
    /// Reason of the disqualification, if there was one.
    pub disqualified: Option<String>,
    /// Scores where values are points, else the costs of the solutions.
    pub scores: Vec<f64>,
    /// Mean of the scores, with its interval.
    pub mean: BootstrapInterval,
    /// Share of games that were finished, with Wilson's interval.
    pub finished: Proportion,
    /// Excess of each solution over the fewest moves.
    pub excesses: Vec<f64>,
    /// Number of moves of all games that count.
    pub n_moves: u64,
    /// Total time of all games that count.
    pub elapsed: Duration,
}

impl Results {
    /// Returns the best score: the highest number of points, or the cheapest solution.
    pub fn best(&self, unit: Unit) -> Option<f64> {
        let scores = self.scores.iter().copied();
        if unit.is_distance() { scores.reduce(f64::min) } else { scores.reduce(f64::max) }
    }

    /// Returns the sort key, ascending from the best strategy to the worst: by mean score where values are points; by
    /// the share of solved games, then by mean cost, where they are distances. Disqualified ones come last.
    fn worth(&self, unit: Unit) -> (bool, f64, f64) {
        let mean = self.mean.estimate.unwrap_or(f64::NAN);
        match unit.is_distance() {
            true => (self.disqualified.is_some(), -self.finished.estimate.unwrap_or(0.0), mean),
            false => (self.disqualified.is_some(), -mean, 0.0),
        }
    }
}

/// The results of all games: by level in the order of the study, the best strategy first.
pub fn results(games: &[Game], unit: Unit, confidence: Confidence, seed: u64) -> Vec<Results> {
    let mut all: Vec<Results> = Vec::new();
    let mut start = 0;
    while start < games.len() {
        let same = |game: &Game| (&game.level, &game.strategy) == (&games[start].level, &games[start].strategy);
        let end = start + games[start..].iter().take_while(|game| same(game)).count();
        all.push(of_one(&games[start..end], unit, confidence, seed));
        start = end;
    }
    let mut sorted: Vec<Results> = Vec::with_capacity(all.len());
    while let Some(level) = all.first().map(|first| first.level.clone()) {
        let (mut of_level, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|result| result.level == level);
        of_level.sort_by(|left, right| {
            let (left, right) = (left.worth(unit), right.worth(unit));
            left.0.cmp(&right.0).then(left.1.total_cmp(&right.1)).then(left.2.total_cmp(&right.2))
        });
        sorted.extend(of_level);
        all = rest;
    }
    sorted
}

fn of_one(games: &[Game], unit: Unit, confidence: Confidence, seed: u64) -> Results {
    let scored = || games.iter().filter(|game| game.is_scored());
    let is_finished = |game: &&Game| game.ending == GameEnding::Finished;
    // An unsolved game has no cost that compares with those of solutions.
    let counts = |game: &&Game| !unit.is_distance() || is_finished(game);
    let scores: Vec<f64> = scored().filter(counts).map(|game| game.cost as f64).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (n_games, n_finished) = (scored().count() as u64, scored().filter(is_finished).count() as u64);
    let disqualified = games.iter().find_map(|game| match &game.ending {
        GameEnding::Disqualified(reason) => Some(reason.clone()),
        _ => None,
    });
    Results {
        strategy: games[0].strategy.clone(),
        level: games[0].level.clone(),
        n_games,
        n_finished,
        n_move_limit: n_games - n_finished,
        disqualified,
        mean: Bootstrap { confidence, ..Bootstrap::new(seed) }.sample(&scores, mean),
        scores,
        finished: proportion(n_finished, n_games, confidence),
        excesses: scored().filter_map(Game::excess).map(|excess| excess as f64).collect(),
        n_moves: scored().map(|game| game.n_moves).sum(),
        elapsed: scored().map(|game| game.elapsed).sum(),
    }
}

/// The table `tournament`: what each strategy reached at each level, the best first.
pub fn results_table(rows: &[Results], unit: Unit) -> Table {
    let (what, finished, meaning) = match unit.is_distance() {
        true => ("cost", "solved", "cost of the solution, over solved games"),
        false => ("score", "played to their end", "points, over all games"),
    };
    let unit_name = unit.name();
    let mut columns = Columns::new()
        .column(rows, text("level", "level that was played"), |row| row.level.clone())
        .column(rows, text("strategy", "strategy of the study"), |row| row.strategy.clone())
        .column(rows, count("n_games", "number of games that count"), |row| row.n_games)
        .column(rows, ColumnDoc::new("n_finished", &format!("games that were {finished}")), |row| row.n_finished)
        .column(rows, count("n_move_limit", "games that the limit of moves ended"), |row| row.n_move_limit)
        .column(rows, number("share_finished", "n_finished / n_games"), |row| row.finished.estimate)
        .column(rows, number("share_lower", "lower end of its interval (Wilson, 1927)"), |row| row.finished.lower)
        .column(rows, number("share_upper", "upper end of its interval"), |row| row.finished.upper)
        .column(rows, ColumnDoc::new(&format!("best_{what}"), &format!("best {meaning}")).unit(unit_name), |row| {
            row.best(unit)
        })
        .column(rows, ColumnDoc::new(&format!("mean_{what}"), &format!("mean {meaning}")).unit(unit_name), |row| {
            row.mean.estimate
        })
        .column(rows, number("mean_lower", "lower end of its interval (bootstrap, BCa)").unit(unit_name), |row| {
            row.mean.lower
        })
        .column(rows, number("mean_upper", "upper end of its interval").unit(unit_name), |row| row.mean.upper)
        .column(rows, ColumnDoc::new(&format!("median_{what}"), &format!("median {meaning}")).unit(unit_name), |row| {
            quantile(&row.scores, 0.5).ok()
        });
    if unit.is_distance() {
        columns = columns.column(
            rows,
            number("mean_excess", "mean of cost - fewest possible, over solved games").unit(unit_name),
            |row| (!row.excesses.is_empty()).then(|| row.excesses.iter().sum::<f64>() / row.excesses.len() as f64),
        );
    }
    columns
        .column(rows, count("n_moves", "number of moves of all these games"), |row| row.n_moves)
        .column(rows, text("disqualified", "why it plays no more, where it broke the rules"), |row| {
            row.disqualified.clone()
        })
        .into_table("tournament", "What each strategy reached at each level, the best strategy first.")
}

/// The table `tournament_times`: how long the games took.
pub fn times_table(games: &[Game]) -> Table {
    struct Time {
        level: String,
        strategy: String,
        n_games: u64,
        n_moves: u64,
        seconds: f64,
    }
    let mut rows: Vec<Time> = Vec::new();
    for game in games.iter().filter(|game| game.is_scored()) {
        let is_same = |row: &Time| (&row.level, &row.strategy) == (&game.level, &game.strategy);
        if !rows.last().is_some_and(is_same) {
            let (level, strategy) = (game.level.clone(), game.strategy.clone());
            rows.push(Time { level, strategy, n_games: 0, n_moves: 0, seconds: 0.0 });
        }
        let Some(row) = rows.last_mut() else { continue };
        row.n_games += 1;
        row.n_moves += game.n_moves;
        row.seconds += game.elapsed.as_secs_f64();
    }
    let rows = &rows[..];
    Columns::new()
        .column(rows, text("level", "level that was played"), |row| row.level.clone())
        .column(rows, text("strategy", "strategy of the study"), |row| row.strategy.clone())
        .column(rows, number("total_s", "time of all games, side by side or not").unit("s"), |row| Some(row.seconds))
        .column(rows, number("mean_game_s", "mean time of a game").unit("s"), |row| Some(row.seconds / row.n_games as f64))
        .column(rows, number("mean_move_ms", "mean time of a move").unit("ms"), |row| {
            (row.n_moves > 0).then(|| 1e3 * row.seconds / row.n_moves as f64)
        })
        .into_table(
            "tournament_times",
            "How long the games took on the machine of this run, with as many side by side as it has threads: the one table that differs from run to run.",
        )
}

/// The table `games`: every game.
pub fn games_table(games: &[Game], unit: Unit) -> Table {
    let what = if unit.is_distance() { "cost" } else { "score" };
    let mut columns = Columns::new()
        .column(games, text("level", "level that was played"), |game| game.level.clone())
        .column(games, text("strategy", "strategy of the study"), |game| game.strategy.clone())
        .column(games, count("game", "number of the game; the same number begins alike for all strategies"), |game| {
            u64::from(game.number)
        })
        .column(
            games,
            text(
                "ending",
                "finished: solved, or played to its end; move-limit: ended by the limit of moves; disqualified",
            ),
            |game| {
                match game.ending {
                    GameEnding::Finished => "finished",
                    GameEnding::MoveLimit => "move-limit",
                    GameEnding::Disqualified(_) => "disqualified",
                }
                .to_owned()
            },
        )
        .column(games, ColumnDoc::new(what, &format!("{what} of all moves")).unit(unit.name()), |game| {
            game.is_scored().then_some(game.cost as i64)
        })
        .column(games, count("n_moves", "number of moves"), |game| game.n_moves);
    if unit.is_distance() {
        columns = columns.column(
            games,
            whole("excess", "cost - fewest possible, of solved games").unit(unit.name()),
            Game::excess,
        );
    }
    for (name, meaning) in attributes(games) {
        let value = |game: &Game| {
            game.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.value.clone())
        };
        let meaning = format!("{meaning}, in the last position");
        let all_whole = games
            .iter()
            .flat_map(|game| &game.attributes)
            .filter(|attribute| attribute.name == name)
            .all(|attribute| attribute.whole().is_some());
        columns = match all_whole {
            true => columns.column(games, ColumnDoc::new(&format!("last_{name}"), &meaning), |game| {
                value(game)?.parse::<i64>().ok()
            }),
            false => columns.column(games, ColumnDoc::new(&format!("last_{name}"), &meaning), value),
        };
    }
    columns.into_table("games", "Every game of the tournament.")
}

/// Names and meanings of the attributes of positions.
fn attributes(games: &[Game]) -> Vec<(&'static str, &'static str)> {
    games.iter().find(|game| !game.attributes.is_empty()).map_or(Vec::new(), |game| {
        game.attributes.iter().map(|attribute| (attribute.name, attribute.meaning)).collect()
    })
}

/// Distribution of an attribute of the last position over the games of each strategy.
pub struct LastPositions {
    /// Name of the attribute.
    pub name: &'static str,
    /// Meaning of the attribute.
    pub meaning: &'static str,
    /// Its values, ascending.
    pub values: Vec<i64>,
    /// Level, strategy, and the number of games for each value.
    pub rows: Vec<(String, String, Vec<u64>)>,
}

/// The attributes of last positions that are whole numbers of a few values, such as the largest tile.
pub fn of_last_positions(games: &[Game]) -> Vec<LastPositions> {
    let counted = |(name, meaning): (&'static str, &'static str)| {
        let value = |game: &Game| game.attributes.iter().find(|attribute| attribute.name == name)?.whole();
        let scored = || games.iter().filter(|game| game.is_scored());
        let values: BTreeSet<i64> = scored().filter_map(value).collect();
        let values: Vec<i64> = values.into_iter().collect();
        if !(2..=MOST_VALUES).contains(&values.len()) {
            return None;
        }
        let mut rows: Vec<(String, String, Vec<u64>)> = Vec::new();
        for game in scored() {
            let is_same = |row: &(String, String, Vec<u64>)| (&row.0, &row.1) == (&game.level, &game.strategy);
            if !rows.last().is_some_and(is_same) {
                rows.push((game.level.clone(), game.strategy.clone(), vec![0; values.len()]));
            }
            let place = value(game).and_then(|value| values.binary_search(&value).ok());
            if let (Some(row), Some(place)) = (rows.last_mut(), place) {
                row.2[place] += 1;
            }
        }
        Some(LastPositions { name, meaning, values, rows })
    };
    attributes(games).into_iter().filter_map(counted).collect()
}

/// A table `last_ATTRIBUTE` for each such attribute.
pub fn last_positions(games: &[Game]) -> Vec<Table> {
    of_last_positions(games).into_iter().map(last_positions_table).collect()
}

fn last_positions_table(last: LastPositions) -> Table {
    let rows = &last.rows[..];
    let mut columns = Columns::new().column(rows, text("level", "level that was played"), |row| row.0.clone()).column(
        rows,
        text("strategy", "strategy of the study"),
        |row| row.1.clone(),
    );
    for (place, value) in last.values.iter().enumerate() {
        let meaning = format!("games that ended with {value}");
        columns = columns.column(rows, ColumnDoc::new(&format!("n_{value}"), &meaning), |row| row.2[place]);
    }
    let caption = format!("In how many games of each strategy the last position had which {}.", last.meaning);
    columns.into_table(&format!("last_{}", last.name), &caption)
}

/// The table `disqualified`: strategies that broke the rules.
pub fn disqualified_table(games: &[Game]) -> Table {
    let rows: Vec<(&Game, &str)> = games
        .iter()
        .filter_map(|game| match &game.ending {
            GameEnding::Disqualified(reason) => Some((game, reason.as_str())),
            _ => None,
        })
        .collect();
    let rows = &rows[..];
    Columns::new()
        .column(rows, text("level", "level that was played"), |row| row.0.level.clone())
        .column(rows, text("strategy", "strategy of the study"), |row| row.0.strategy.clone())
        .column(rows, count("game", "number of the game in which it happened"), |row| u64::from(row.0.number))
        .column(rows, text("reason", "what it did"), |row| row.1.to_owned())
        .into_table("disqualified", "Strategies that broke the rules, and play no more at this level.")
}
