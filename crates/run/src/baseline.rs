//! Participants compared with simulated baselines, on a scale from chance to optimal play.
//!
//! The simulated players of a study play the levels that people played, and are measured by the same definitions.
//! A person's regret per move is then divided by that of the player who moves by chance, at the same levels, each
//! level weighted by the person's number of moves there:
//!
//! chance-normalised score = 1 − Σₗ nₗ rₗ / Σₗ nₗ Rₗ
//!
//! with nₗ moves of the person at level l, rₗ their mean regret, and Rₗ the mean regret of chance at l. It is 1 for
//! optimal play and 0 for play that loses as much as chance; play that loses more is negative. Moves without a
//! regret, such as those after a dead end, do not count.

use crate::study::Study;
use plymap_measures::measure;
use plymap_measures::measure::{MeasureColumns, Measures, Summary, Trial};
use plymap_players::cohort::{Cohort, CohortError, Member, members};
use plymap_players::{PlayError, PlayerRow, measures_of, play_all, players_table};
use plymap_puzzles::game::Unit;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_tables::{ColumnDoc, Columns, Table, number, text};
use std::collections::{BTreeMap, HashSet};

mod figures;

pub use figures::figures;

/// Name of the cohort whose regret is taken as that of chance.
pub const CHANCE: &str = "chance";

/// Error of comparing participants with simulated baselines.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// A cohort of simulated players is not one.
    #[error(transparent)]
    Cohort(#[from] CohortError),
    /// A simulated player could not play, or the caller asked to stop.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Returns the cohorts of a study that names none and has all of its levels mapped: 20 players who move by chance and 5
/// who look two moves ahead, up to 200 moves at each level.
pub fn usual() -> Vec<Cohort> {
    vec![
        cohort(CHANCE, 20, &[("kind", "chance".into())]),
        cohort("look-ahead-2", 5, &[("kind", "look-ahead".into()), ("depth", 2.into())]),
    ]
}

/// A cohort whose players differ from the usual ones by their policy alone.
fn cohort(name: &str, n: u32, policy: &[(&str, toml::Value)]) -> Cohort {
    Cohort {
        name: name.to_owned(),
        n,
        condition: None,
        policy: policy.iter().map(|(entry, value)| ((*entry).to_owned(), value.clone())).collect(),
        tempo: toml::Table::new(),
        persistence: toml::Table::new(),
    }
}

/// Score of a player, person or simulated.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PlayerScore {
    /// Name of the player.
    pub player: String,
    /// The cohort of a simulated player; absent for a person.
    pub cohort: Option<String>,
    /// Condition of a person.
    pub condition: Option<String>,
    /// Summary of all trials of the player.
    pub summary: Summary,
    /// Regret per move of chance at the same levels, weighted by the player's moves.
    pub chance_regret: Option<f64>,
    /// Chance-normalised score: 1 for optimal play, 0 for play that loses as much as chance, negative for worse.
    pub chance_normalised_score: Option<f64>,
}

/// People and simulated players, measured alike.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct Comparison {
    /// The simulated players.
    pub players: Vec<PlayerRow>,
    /// People by name, then the simulated players in the order of the study.
    pub scores: Vec<PlayerScore>,
    /// Unit of regrets.
    pub unit: Unit,
}

/// Sum of regrets and number of moves that have one.
#[derive(Clone, Copy, Debug, Default)]
struct Regrets {
    sum: f64,
    n: u64,
}

/// The cohorts with which the participants of a study are compared: those that it names, or the usual ones if all of
/// its levels were mapped.
pub fn cohorts(study: &Study, levels: &[ValuedLevel]) -> Vec<Cohort> {
    match &study.baseline {
        Some(cohorts) => cohorts.clone(),
        None if levels.iter().all(|level| level.whole.is_some()) => usual(),
        None => Vec::new(),
    }
}

/// Lets the simulated players of a study play what people played, and measures both. Nothing if the study wants no
/// such players, or names none and has levels that were not mapped.
///
/// # Errors
///
/// [`BaselineError`] if a player cannot play, or the caller asks to stop.
pub fn compare(
    study: &Study,
    levels: &[ValuedLevel],
    people: &Measures,
    progress: &dyn Progress,
) -> Result<Option<Comparison>, BaselineError> {
    let cohorts = cohorts(study, levels);
    let played: HashSet<&str> = people.levels.iter().map(String::as_str).collect();
    let played: Vec<&ValuedLevel> = levels.iter().filter(|level| played.contains(level.id.as_str())).collect();
    if cohorts.is_empty() || played.is_empty() {
        return Ok(None);
    }
    let members = members(&cohorts, study.simulation.seed, &study.folder)?;
    let rows: Vec<PlayerRow> = members.iter().map(PlayerRow::from).collect();
    let cohort_of: BTreeMap<String, String> =
        members.iter().map(|member| (member.player.participant.clone(), member.cohort.clone())).collect();
    let order: Vec<String> = members.iter().map(|member| member.player.participant.clone()).collect();
    let players: Vec<_> = members.into_iter().map(|Member { player, .. }| player).collect();
    let trials = play_all(&players, &played, study.simulation.seed, progress)?;
    let simulated = measures_of(&trials, levels)?;
    let by_chance = regrets_of_chance(&simulated, &cohort_of);
    let mut scores = of_all(people, &by_chance, |_| None);
    let mut others = of_all(&simulated, &by_chance, |name| cohort_of.get(name).cloned());
    others.sort_by_key(|score| order.iter().position(|name| *name == score.player));
    scores.extend(others);
    Ok(Some(Comparison { players: rows, scores, unit: people.unit }))
}

/// The regrets of chance at each level.
fn regrets_of_chance(simulated: &Measures, cohort_of: &BTreeMap<String, String>) -> BTreeMap<String, Regrets> {
    let mut by_level: BTreeMap<String, Regrets> = BTreeMap::new();
    let is_chance = |trial: &&Trial| {
        cohort_of.get(&simulated.participants[trial.participant]).is_some_and(|cohort| cohort == CHANCE)
    };
    for trial in simulated.trials.iter().filter(is_chance) {
        let regrets = by_level.entry(simulated.levels[trial.level].clone()).or_default();
        regrets.sum += trial.tally.regret_sum;
        regrets.n += trial.tally.n_regrets;
    }
    by_level
}

/// The scores of all players, by name.
fn of_all(
    measures: &Measures,
    by_chance: &BTreeMap<String, Regrets>,
    cohort: impl Fn(&str) -> Option<String>,
) -> Vec<PlayerScore> {
    let mut by_player: Vec<Vec<&Trial>> = vec![Vec::new(); measures.participants.len()];
    for trial in &*measures.trials {
        by_player[trial.participant].push(trial);
    }
    let by_chance: Vec<Option<Regrets>> = measures.levels.iter().map(|level| by_chance.get(level).copied()).collect();
    let players = measures.participants.iter().zip(by_player);
    players.map(|(player, trials)| player_score(player, cohort(player), &trials, &by_chance)).collect()
}

fn player_score(player: &str, cohort: Option<String>, trials: &[&Trial], by_chance: &[Option<Regrets>]) -> PlayerScore {
    // Levels at which chance made no move tell nothing.
    let mut regrets = Regrets::default();
    let mut expected = 0.0;
    for trial in trials {
        let Some(chance) = by_chance[trial.level].filter(|chance| chance.n > 0) else { continue };
        regrets.sum += trial.tally.regret_sum;
        regrets.n += trial.tally.n_regrets;
        expected += trial.tally.n_regrets as f64 * chance.sum / chance.n as f64;
    }
    PlayerScore {
        player: player.to_owned(),
        condition: trials.iter().find_map(|trial| trial.condition.clone()).filter(|_| cohort.is_none()),
        cohort,
        summary: Summary::new(trials.iter().copied()),
        chance_regret: (regrets.n > 0).then(|| expected / regrets.n as f64),
        chance_normalised_score: (expected > 0.0).then(|| 1.0 - regrets.sum / expected),
    }
}

impl Comparison {
    /// The table `chance_normalised_scores`: people and simulated players, one row each.
    pub fn scores_table(&self) -> Table {
        let (rows, unit) = (&self.scores[..], self.unit.name());
        let finished = if self.unit.is_distance() { "solved" } else { "played to their end" };
        let columns = Columns::new()
            .column(rows, text("player", "who played"), |row| row.player.clone())
            .column(rows, text("cohort", "cohort of a simulated player; empty for people"), |row| row.cohort.clone())
            .column(rows, text("condition", "experimental condition of a person"), |row| row.condition.clone())
            .measure(rows, &measure::N_TRIALS, self.unit, |row| measure::N_TRIALS.of(&row.summary))
            .column(rows, ColumnDoc::new("n_solved", &format!("trials that were {finished}")), |row| {
                row.summary.n_solved
            });
        let compared = [
            measure::N_MOVES,
            measure::SHARE_OPTIMAL,
            measure::SHARE_OPTIMAL_BY_CHANCE.means("mean of n_optimal / n_legal over the same positions"),
            measure::MEAN_EXCESS_MOVES,
            measure::MEAN_REGRET.means("mean regret of a move"),
        ];
        let compared = compared.iter().filter(|measure| measure.is_for(self.unit));
        compared
            .fold(columns, |columns, measure| {
                columns.measure(rows, measure, self.unit, |row| measure.of(&row.summary))
            })
            .column(rows, number("chance_regret", "mean regret of a move of the cohort chance at the same levels, weighted by the player's moves").unit(unit), |row| row.chance_regret)
            .column(rows, number("chance_normalised_score", "1 - mean_regret / chance_regret, at the levels where chance moved: 1 is optimal play, 0 loses as much as chance"), |row| row.chance_normalised_score)
            .into_table(
                "chance_normalised_scores",
                "Participants and simulated players at the same levels, with chance-normalised scores: 0 is chance, 1 is optimal play.",
            )
    }

    /// The table `simulated_players`: the parameters of the simulated players.
    pub fn players_table(&self) -> Table {
        let table = players_table(&self.players);
        let caption = "The parameters of the simulated players with whom participants are compared.".to_owned();
        Table { name: "simulated_players".to_owned(), caption, ..table }
    }

    /// Returns the scores of people, without those of simulated players.
    pub fn people(&self) -> impl Iterator<Item = &PlayerScore> {
        self.scores.iter().filter(|score| score.cohort.is_none())
    }

    /// The cohorts in their order, each with its players.
    pub fn cohorts(&self) -> Vec<(&str, Vec<&PlayerScore>)> {
        let mut cohorts: Vec<(&str, Vec<&PlayerScore>)> = Vec::new();
        for score in &self.scores {
            let Some(cohort) = &score.cohort else { continue };
            match cohorts.iter_mut().find(|(name, _)| name == cohort) {
                Some((_, members)) => members.push(score),
                None => cohorts.push((cohort, vec![score])),
            }
        }
        cohorts
    }
}
