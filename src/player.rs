//! Synthetic players: participants whose skill and tempo are known.
//!
//! A [`Player`] plays levels by the oracle alone and knows no game. What it logs has the form of a real
//! log, so that every later stage can be tried on data whose truth is known: an estimator of skill must
//! find the player's `lapse`, one of tempo its `median_time_s`.
//!
//! Three parts make a player: a [`Policy`] chooses moves, a [`Tempo`] takes time over them, and
//! [`Persistence`] says when it starts over and when it stops.
//!
//! # Streams
//!
//! All chance comes from ChaCha8 generators, one for each seed, participant and level. So the play of a
//! participant at a level depends neither on what else is played nor on order or threads. Choices and
//! times draw from separate streams: the same player with another tempo makes the same moves.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::distance::{Evaluation, Oracle, OracleError};
use crate::game::{Distance, StateCode, Value};
use crate::log::Event;
use crate::rules::Rules;
use crate::valuation::ValuedLevel;

mod policy;
mod record;
mod stream;
mod tempo;

pub use policy::{LapseOptimal, Policy};
pub use record::{LOG_COLUMNS, players_table, write_log};
pub use tempo::{Mode, TYPICAL_CHOICE, Tempo};

use stream::{Purpose, stream};
use tempo::Clock;

/// A synthetic participant.
#[derive(Clone, Debug, PartialEq)]
pub struct Player<P = LapseOptimal> {
    /// Name in the log; not empty, without blanks around it.
    pub participant: String,
    /// Experimental condition in the log, where there is one.
    pub condition: Option<String>,
    /// How it chooses moves.
    pub policy: P,
    /// How long it takes over them.
    pub tempo: Tempo,
    /// When it starts over, and when it stops.
    pub persistence: Persistence,
}

/// When a player puts a level back to its start, and when it gives up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Persistence {
    /// How far a player is astray: when the distance to the goal is this much above the least distance
    /// of the attempt, in the level's metric; from 1. Where no goal can be reached, it always is.
    pub astray_by: u32,
    /// Probability that a player who is astray resets the level, drawn before each move; from 0 to 1.
    pub reset_chance: f64,
    /// Number of moves at a level, over all attempts, after which the player gives up; from 1.
    pub max_moves: u32,
}

impl Persistence {
    /// Never resets; gives up after so many moves.
    pub fn up_to(max_moves: u32) -> Self {
        Self { astray_by: 1, reset_chance: 0.0, max_moves }
    }

    fn check(&self) -> Result<(), ParameterError> {
        within("astray_by", f64::from(self.astray_by), 1.0, f64::from(u32::MAX))?;
        within("reset_chance", self.reset_chance, 0.0, 1.0)?;
        within("max_moves", f64::from(self.max_moves), 1.0, f64::from(u32::MAX))
    }

    fn is_astray(&self, best: Option<Distance>, now: Option<Distance>) -> bool {
        match (best, now) {
            (Some(Distance(best)), Some(Distance(now))) => now.saturating_sub(best) >= self.astray_by,
            _ => true,
        }
    }
}

/// A parameter of a player is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{parameter} = {value} is not from {least} to {most}")]
pub struct ParameterError {
    /// The parameter.
    pub parameter: &'static str,
    /// Its value.
    pub value: f64,
    /// The least value that it can have.
    pub least: f64,
    /// The largest value that it can have.
    pub most: f64,
}

/// Not a number is in no range.
fn within(parameter: &'static str, value: f64, least: f64, most: f64) -> Result<(), ParameterError> {
    if (least..=most).contains(&value) { Ok(()) } else { Err(ParameterError { parameter, value, least, most }) }
}

/// Why a player could not play.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayError {
    /// A name that a log could not carry.
    #[error("a participant cannot be named {name:?}; use a name that is not empty, without blanks around it")]
    Name {
        /// The name.
        name: String,
    },
    /// Two players would have the same name, and so the same chance.
    #[error("two participants are named {name:?}; give each its own name")]
    RepeatedName {
        /// The name.
        name: String,
    },
    /// A parameter is out of its range.
    #[error("participant {participant:?}: {source}")]
    Parameter {
        /// The participant.
        participant: String,
        /// The parameter.
        source: ParameterError,
    },
    /// The oracle does not know a position of the level.
    #[error("participant {participant:?} at level {level:?}: {source}")]
    Position {
        /// The participant.
        participant: String,
        /// The level.
        level: String,
        /// The position.
        source: OracleError,
    },
}

/// What a player did at a level.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedTrial {
    /// Who played.
    pub participant: String,
    /// In which condition.
    pub condition: Option<String>,
    /// At which level.
    pub level: String,
    /// What happened, in order. The last move of a solved trial reaches the goal.
    pub rows: Vec<PlayedRow>,
    /// Whether the goal was reached; otherwise the last row is a `give_up`.
    pub is_solved: bool,
}

impl PlayedTrial {
    /// Number of moves, over all attempts.
    pub fn n_moves(&self) -> usize {
        self.rows.iter().filter(|row| row.event == Event::Move).count()
    }
}

/// One row of a synthetic log, with what a real log would not know.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedRow {
    /// Run at the level between resets, from 1. A reset belongs to the attempt that it ends.
    pub attempt: u32,
    /// Number of the move within its attempt, from 0; absent for other events.
    pub move_index: Option<u32>,
    /// `start`, `move`, `reset` or `give_up`; `start` only where chance draws the start.
    pub event: Event,
    /// The move in the notation of logs, with what chance did.
    pub action: Option<String>,
    /// The position after a `start` event.
    pub state_after: Option<String>,
    /// Seconds since the row before, or since the attempt began.
    pub rt_s: f64,
    /// Number of legal moves there were; never logged.
    pub n_legal: u32,
    /// Whether the player was thinking or acting; absent for an attempt's first move and other events.
    /// Never logged.
    pub mode: Option<Mode>,
}

impl<P: Policy> Player<P> {
    /// Whether every parameter is in its range.
    ///
    /// # Errors
    ///
    /// [`PlayError::Name`] or [`PlayError::Parameter`].
    pub fn check(&self) -> Result<(), PlayError> {
        if self.participant.is_empty() || self.participant.trim() != self.participant {
            return Err(PlayError::Name { name: self.participant.clone() });
        }
        let checks = self.policy.check().and_then(|()| self.tempo.check()).and_then(|()| self.persistence.check());
        checks.map_err(|source| PlayError::Parameter { participant: self.participant.clone(), source })
    }

    /// Plays a level until it is solved or given up; a function of the player, the level and the seed.
    ///
    /// # Errors
    ///
    /// As [`Player::check`].
    pub fn play(&self, level: &ValuedLevel, seed: u64) -> Result<PlayedTrial, PlayError> {
        let table = Table { rules: Some(&*level.rules), start: level.rules.start(), oracle: &level.oracle() };
        self.play_at(&level.id, &table, seed)
    }

    /// Plays from a position with any oracle, without chance. `level` is the name in the log, and part of the
    /// seed.
    ///
    /// # Errors
    ///
    /// As [`Player::check`], and [`PlayError::Position`] if the oracle does not know a position.
    pub fn play_by(
        &self,
        level: &str,
        start: StateCode,
        oracle: &dyn Oracle,
        seed: u64,
    ) -> Result<PlayedTrial, PlayError> {
        self.play_at(level, &Table { rules: None, start, oracle }, seed)
    }

    fn play_at(&self, level: &str, table: &Table, seed: u64) -> Result<PlayedTrial, PlayError> {
        self.check()?;
        let game = Sitting {
            player: self,
            choices: stream(seed, &self.participant, level, Purpose::Choices),
            fortune: stream(seed, &self.participant, level, Purpose::Fortune),
            clock: Clock::new(self.tempo, stream(seed, &self.participant, level, Purpose::Times)),
            attempt: 1,
            n_moves: 0,
            next_index: 0,
            best: None,
            rows: Vec::new(),
        };
        let (rows, is_solved) = game.play(table).map_err(|source| PlayError::Position {
            participant: self.participant.clone(),
            level: level.to_owned(),
            source,
        })?;
        let (participant, condition) = (self.participant.clone(), self.condition.clone());
        Ok(PlayedTrial { participant, condition, level: level.to_owned(), rows, is_solved })
    }
}

/// Lets every player play every level, on all threads. The trials come by player, then by level.
///
/// # Errors
///
/// [`PlayError`], if two players share a name or one of them cannot play.
pub fn play_all<P: Policy>(
    players: &[Player<P>],
    levels: &[ValuedLevel],
    seed: u64,
) -> Result<Vec<PlayedTrial>, PlayError> {
    let mut names: Vec<&str> = players.iter().map(|player| player.participant.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(PlayError::RepeatedName { name: pair[0].to_owned() });
    }
    let trials = players.par_iter().flat_map(|player| levels.par_iter().map(move |level| player.play(level, seed)));
    trials.collect()
}

/// What a player sits before.
struct Table<'a> {
    /// Tells what chance does; none in a game without chance.
    rules: Option<&'a dyn Rules>,
    start: StateCode,
    oracle: &'a dyn Oracle,
}

/// One player at one level.
struct Sitting<'a, P> {
    player: &'a Player<P>,
    choices: ChaCha8Rng,
    /// The dice of the game.
    fortune: ChaCha8Rng,
    clock: Clock,
    attempt: u32,
    /// Over all attempts.
    n_moves: u32,
    next_index: u32,
    /// The least distance of the attempt.
    best: Option<Distance>,
    rows: Vec<PlayedRow>,
}

impl<P: Policy> Sitting<'_, P> {
    /// Ends because every attempt but the last has a move, and moves are limited.
    fn play(mut self, table: &Table) -> Result<(Vec<PlayedRow>, bool), OracleError> {
        let mut state = self.begin(table);
        loop {
            let evaluation = table.oracle.evaluate(state)?;
            let is_over = evaluation.moves.is_empty() && !table.oracle.unit().is_distance();
            if evaluation.is_goal || is_over {
                return Ok((self.rows, true));
            }
            if self.n_moves >= self.player.persistence.max_moves {
                return Ok(self.give_up(&evaluation));
            }
            if self.next_index == 0 {
                self.best = evaluation.value.and_then(Value::as_distance);
            } else if self.starts_over(&evaluation) {
                self.reset(&evaluation);
                state = self.begin(table);
                continue;
            }
            self.best = self.best.into_iter().chain(evaluation.value.and_then(Value::as_distance)).min();
            let uniform = self.choices.random();
            let Some(chosen) = draw(&self.player.policy.probabilities(&evaluation), uniform) else {
                return Ok(self.give_up(&evaluation));
            };
            state = self.make(table, &evaluation, chosen);
        }
    }

    /// The position in which an attempt starts; one that chance draws is logged.
    fn begin(&mut self, table: &Table) -> StateCode {
        let Some(rules) = table.rules.filter(|rules| rules.is_start_drawn()) else { return table.start };
        let (starts, chances): (Vec<StateCode>, Vec<f64>) = rules.starts().into_iter().unzip();
        let state = draw(&chances, self.fortune.random()).map_or(table.start, |drawn| starts[drawn]);
        self.rows.push(PlayedRow {
            attempt: self.attempt,
            move_index: None,
            event: Event::Start,
            action: None,
            state_after: Some(rules.format_state(state)),
            rt_s: 0.0,
            n_legal: 0,
            mode: None,
        });
        state
    }

    fn starts_over(&mut self, evaluation: &Evaluation) -> bool {
        let persistence = &self.player.persistence;
        let now = evaluation.value.and_then(Value::as_distance);
        let has_distances = evaluation.value.is_none_or(|value| value.as_distance().is_some());
        has_distances
            && persistence.is_astray(self.best, now)
            && self.choices.random::<f64>() < persistence.reset_chance
    }

    fn make(&mut self, table: &Table, evaluation: &Evaluation, chosen: usize) -> StateCode {
        let n_legal = evaluation.moves.len() as u32;
        let (rt_s, mode) = match self.next_index {
            0 => (self.clock.first_move(n_legal), None),
            _ => {
                let (rt_s, mode) = self.clock.next_move(n_legal);
                (rt_s, Some(mode))
            }
        };
        let outcomes = match table.rules.filter(|rules| rules.has_chance()) {
            Some(rules) => rules.outcomes(evaluation.state).swap_remove(chosen),
            None => vec![(evaluation.moves[chosen].legal.clone(), 1.0)],
        };
        let chances: Vec<f64> = outcomes.iter().map(|(_, chance)| *chance).collect();
        let uniform = if outcomes.len() > 1 { self.fortune.random() } else { 0.0 };
        let chosen = &outcomes[draw(&chances, uniform).unwrap_or(0)].0;
        let (move_index, action) = (Some(self.next_index), Some(chosen.notation.clone()));
        self.rows.push(PlayedRow {
            attempt: self.attempt,
            move_index,
            event: Event::Move,
            action,
            state_after: None,
            rt_s,
            n_legal,
            mode,
        });
        self.next_index += 1;
        self.n_moves += 1;
        chosen.next
    }

    fn reset(&mut self, evaluation: &Evaluation) {
        self.log_event(Event::Reset, evaluation);
        self.attempt += 1;
        self.next_index = 0;
    }

    fn give_up(mut self, evaluation: &Evaluation) -> (Vec<PlayedRow>, bool) {
        self.log_event(Event::GiveUp, evaluation);
        (self.rows, false)
    }

    fn log_event(&mut self, event: Event, evaluation: &Evaluation) {
        let (rt_s, n_legal) = (self.clock.decision(), evaluation.moves.len() as u32);
        self.rows.push(PlayedRow {
            attempt: self.attempt,
            move_index: None,
            event,
            action: None,
            state_after: None,
            rt_s,
            n_legal,
            mode: None,
        });
    }
}

/// The alternative that a number from 0 up to 1 falls to; none if no alternative has a probability.
fn draw(probabilities: &[f64], uniform: f64) -> Option<usize> {
    let mut left = uniform * probabilities.iter().sum::<f64>();
    let possible = || probabilities.iter().enumerate().filter(|(_, probability)| **probability > 0.0);
    for (index, probability) in possible() {
        left -= probability;
        if left < 0.0 {
            return Some(index);
        }
    }
    // Rounding may leave a rest behind the last one.
    possible().next_back().map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::{Judgement, ValuedMove, regret};
    use crate::game::Unit;
    use crate::rules::LegalMove;

    /// A corridor of five cells: the goal is cell 0, `-` and `+` walk, and `o` stays on the spot.
    struct Corridor;

    const CELLS: u128 = 5;

    fn value(cell: u128) -> Option<Value> {
        Some(Value::distance(cell as u32))
    }

    impl Oracle for Corridor {
        fn unit(&self) -> Unit {
            Unit::Moves
        }

        fn evaluate(&self, state: StateCode) -> Result<Evaluation, OracleError> {
            let StateCode(cell) = state;
            let moves = [("+", cell + 1), ("-", cell.wrapping_sub(1)), ("o", cell)];
            let moves = moves.into_iter().filter(|(_, after)| *after < CELLS).map(|(name, after)| ValuedMove {
                legal: LegalMove {
                    notation: name.to_owned(),
                    after: StateCode(after),
                    next: StateCode(after),
                    cost: 1,
                    piece: None,
                },
                after: value(after),
                regret: regret(1, value(cell), value(after)),
            });
            Ok(Evaluation { state, is_goal: cell == 0, value: value(cell), moves: moves.collect() })
        }

        fn judge(&self, _before: StateCode, _after: StateCode, _cost: u32) -> Result<Judgement, OracleError> {
            unreachable!("players ask for whole evaluations")
        }
    }

    fn player(lapse: f64, persistence: Persistence) -> Player {
        let (participant, tempo) = ("p1".to_owned(), Tempo::steady(1.0, 0.5));
        Player { participant, condition: None, policy: LapseOptimal { lapse }, tempo, persistence }
    }

    fn actions(trial: &PlayedTrial) -> String {
        trial.rows.iter().map(|row| row.action.as_deref().unwrap_or(row.event.name())).collect()
    }

    #[test]
    fn without_lapses_the_shortest_way_is_taken() {
        let trial = player(0.0, Persistence::up_to(9)).play_by("corridor", StateCode(4), &Corridor, 1).unwrap();
        assert_eq!((actions(&trial).as_str(), trial.is_solved), ("----", true));
        let indices: Vec<_> = trial.rows.iter().map(|row| row.move_index).collect();
        assert_eq!(indices, [Some(0), Some(1), Some(2), Some(3)]);
    }

    #[test]
    fn a_player_gives_up_after_the_largest_number_of_moves() {
        let trial = player(0.0, Persistence::up_to(3)).play_by("corridor", StateCode(4), &Corridor, 1).unwrap();
        assert_eq!((actions(&trial).as_str(), trial.is_solved), ("---give_up", false));
        let at_once = player(0.0, Persistence::up_to(4)).play_by("corridor", StateCode(0), &Corridor, 1).unwrap();
        assert!(at_once.is_solved && at_once.rows.is_empty());
    }

    /// By chance alone, three steps towards the goal come before one away from it in one attempt of eight.
    #[test]
    fn resets_happen_astray_and_begin_a_new_attempt() {
        let persistence = Persistence { astray_by: 1, reset_chance: 1.0, max_moves: 1000 };
        let mut n_resets = 0;
        for seed in 0..20 {
            let trial = player(1.0, persistence).play_by("corridor", StateCode(3), &Corridor, seed).unwrap();
            let (mut cell, mut best, mut attempt) = (3, 3, 1);
            for row in &trial.rows {
                assert_eq!(row.event == Event::Reset, cell > best, "a reset exactly where the goal is farther");
                assert_eq!(row.attempt, attempt);
                match row.action.as_deref() {
                    Some("+") => cell += 1,
                    Some("-") => cell -= 1,
                    Some(_) => {}
                    None => (cell, best, attempt) = (3, 3, attempt + 1),
                }
                best = best.min(cell);
            }
            assert!(trial.is_solved);
            n_resets += attempt - 1;
        }
        assert!(n_resets > 20, "{n_resets}");
    }

    #[test]
    fn choices_depend_on_seed_participant_and_level_and_not_on_tempo() {
        let play = |player: &Player, level: &str, seed| player.play_by(level, StateCode(4), &Corridor, seed).unwrap();
        let one = player(0.9, Persistence::up_to(500));
        let trial = play(&one, "corridor", 1);
        assert_eq!(play(&one, "corridor", 1), trial);
        let other = Player { participant: "p2".to_owned(), ..one.clone() };
        for different in [play(&one, "corridor", 2), play(&one, "hall", 1), play(&other, "corridor", 1)] {
            assert_ne!(actions(&different), actions(&trial));
        }
        let slow = Player { tempo: Tempo { median_time_s: 2.0, ..one.tempo }, ..one };
        let slowed = play(&slow, "corridor", 1);
        assert_eq!(actions(&slowed), actions(&trial));
        for (slow, quick) in slowed.rows.iter().zip(&trial.rows).skip(1) {
            assert!((slow.rt_s / quick.rt_s - 2.0).abs() < 1e-12);
        }
    }

    #[test]
    fn what_cannot_be_is_said() {
        let refused = |player: Player| player.check().unwrap_err().to_string();
        let fine = player(0.5, Persistence::up_to(9));
        assert_eq!(
            refused(Player { policy: LapseOptimal { lapse: 1.5 }, ..fine.clone() }),
            "participant \"p1\": lapse = 1.5 is not from 0 to 1"
        );
        assert!(refused(Player { participant: " p1".to_owned(), ..fine.clone() }).contains("cannot be named \" p1\""));
        assert!(refused(Player { persistence: Persistence::up_to(0), ..fine.clone() }).contains("max_moves = 0"));
        let repeated = play_all(&[fine.clone(), fine], &[], 1).unwrap_err();
        assert_eq!(repeated, PlayError::RepeatedName { name: "p1".to_owned() });
    }

    #[test]
    fn a_draw_falls_to_alternatives_by_their_probability() {
        let quarters = [0.25, 0.0, 0.5, 0.25];
        let drawn = [0.0, 0.24, 0.25, 0.74, 0.75, 0.999].map(|uniform| draw(&quarters, uniform));
        assert_eq!(drawn, [Some(0), Some(0), Some(2), Some(2), Some(3), Some(3)]);
        assert_eq!(draw(&[1.0, 0.0], 1.0), Some(0), "never an impossible alternative");
        assert_eq!(draw(&[], 0.5), None);
    }
}
