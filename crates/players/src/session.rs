//! One player at one level, from the first move to the last.

use super::played::{MadeMove, PlayedRow, PlayedTrial};
use super::player::{Player, Setting};
use super::stream::{Purpose, stream};
use super::tempo::{Clock, Mode};
use crate::policy::{Ending, History, LevelContext, PolicyState, Previous, Situation};
use crate::policy::{Policy, PolicyError};
use plymap_log::Event;
use plymap_puzzles::distance::Evaluation;
use plymap_puzzles::game::{Distance, StateCode, Value};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::rules::LegalMove;
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;

/// Session of a player at a level.
pub(super) struct Session<'a, P> {
    player: &'a Player<P>,
    setting: &'a Setting<'a>,
    policy_state: Box<dyn PolicyState + 'a>,
    choices: ChaCha8Rng,
    /// The dice of the game.
    fortune: ChaCha8Rng,
    clock: Clock,
    attempt: u32,
    /// True if each position is valued. Where neither the policy nor the player's persistence asks for it, it is not,
    /// as it can take long.
    is_evaluated: bool,
    /// Over all attempts.
    n_moves: u32,
    next_index: u32,
    /// The least distance of the attempt.
    best: Option<Distance>,
    history: History,
    rows: Vec<PlayedRow>,
}

impl<P: Policy> Session<'_, P> {
    /// Plays the level; nothing if the caller asks to stop.
    pub fn play(
        player: &Player<P>,
        setting: &Setting,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Option<PlayedTrial>, PolicyError> {
        let generator_for = |purpose| stream(seed, &player.participant, setting.level, purpose);
        let context = LevelContext {
            rules: setting.rules,
            oracle: setting.oracle,
            game: setting.game,
            level: setting.level,
            seed: generator_for(Purpose::Policy).next_u64(),
        };
        let session = Session {
            player,
            setting,
            policy_state: player.policy.start_level(&context)?,
            choices: generator_for(Purpose::Choices),
            fortune: generator_for(Purpose::Fortune),
            clock: Clock::new(player.tempo, generator_for(Purpose::Times)),
            attempt: 1,
            is_evaluated: player.policy.needs_oracle() || player.persistence.reset_chance > 0.0,
            n_moves: 0,
            next_index: 0,
            best: None,
            history: History::default(),
            rows: Vec::new(),
        };
        session.go_on(&context, progress)
    }

    /// Plays until the level is solved or given up. It ends because every attempt but the last has a move, and moves
    /// are limited.
    fn go_on(mut self, context: &LevelContext, progress: &dyn Progress) -> Result<Option<PlayedTrial>, PolicyError> {
        let rules = self.setting.rules;
        let mut state = self.begin()?;
        loop {
            if progress.is_cancelled() {
                return Ok(None);
            }
            let oracle = self.setting.oracle.filter(|_| self.is_evaluated);
            let evaluation = oracle.map(|oracle| oracle.evaluate(state)).transpose()?;
            let moves = match &evaluation {
                Some(evaluation) => evaluation.moves.iter().map(|valued| valued.legal.clone()).collect(),
                None if rules.is_goal(state) => Vec::new(),
                None => rules.legal_moves(state),
            };
            let is_goal = evaluation.as_ref().map_or_else(|| rules.is_goal(state), |known| known.is_goal);
            // A position without moves is the end of a game of points, but a dead end where there is a goal.
            let is_over = moves.is_empty() && !rules.unit().is_distance();
            if is_goal || is_over {
                return Ok(Some(self.end(state, true)));
            }
            if self.n_moves >= self.player.persistence.max_moves {
                return Ok(Some(self.give_up(state, moves.len())));
            }
            let distance = evaluation.as_ref().and_then(|known| known.value).and_then(Value::as_distance);
            if self.next_index == 0 {
                self.best = distance;
            } else if self.starts_over(evaluation.as_ref()) {
                self.reset(moves.len());
                state = self.begin()?;
                continue;
            }
            self.best = self.best.into_iter().chain(distance).min();
            let uniform = self.choices.random();
            let probabilities = {
                let situation = Situation::new(context, state, &moves, &self.history);
                let situation = match evaluation {
                    Some(evaluation) => situation.with_evaluation(evaluation),
                    None => situation,
                };
                self.policy_state.probabilities(&situation)?
            };
            let Some(chosen) = draw(&probabilities, uniform) else {
                return Ok(Some(self.give_up(state, moves.len())));
            };
            state = self.make(state, &moves, chosen);
        }
    }

    /// Begins an attempt and returns its first position; one that chance draws is logged.
    fn begin(&mut self) -> Result<StateCode, PolicyError> {
        let rules = self.setting.rules;
        let mut state = rules.start();
        self.history = History::default();
        if rules.is_start_drawn() {
            let (starts, chances): (Vec<StateCode>, Vec<f64>) = rules.starts().into_iter().unzip();
            state = draw(&chances, self.fortune.random()).map_or(state, |drawn| starts[drawn]);
            self.log_event(Event::Start, 0, 0.0);
            if let Some(row) = self.rows.last_mut() {
                row.state_after = Some(rules.format_state(state));
            }
        }
        self.policy_state.begin_attempt(state)?;
        Ok(state)
    }

    fn starts_over(&mut self, evaluation: Option<&Evaluation>) -> bool {
        let Some(evaluation) = evaluation else { return false };
        let persistence = &self.player.persistence;
        let now = evaluation.value.and_then(Value::as_distance);
        // Only where values are distances can a position have none: no goal can be reached.
        let has_distances = evaluation.value.is_none_or(|value| value.as_distance().is_some());
        has_distances
            && persistence.is_astray(self.best, now)
            && self.choices.random::<f64>() < persistence.reset_chance
    }

    fn make(&mut self, before: StateCode, moves: &[LegalMove], chosen: usize) -> StateCode {
        let rules = self.setting.rules;
        let n_legal = moves.len() as u32;
        let (rt_s, mode): (f64, Option<Mode>) = match self.next_index {
            0 => (self.clock.first_move(n_legal), None),
            _ => {
                let (rt_s, mode) = self.clock.next_move(n_legal);
                (rt_s, Some(mode))
            }
        };
        let outcomes = match rules.has_chance() {
            true => rules.outcomes(before).swap_remove(chosen),
            false => vec![(moves[chosen].clone(), 1.0)],
        };
        let chances: Vec<f64> = outcomes.iter().map(|(_, chance)| *chance).collect();
        let uniform = if outcomes.len() > 1 { self.fortune.random() } else { 0.0 };
        let step = &outcomes[draw(&chances, uniform).unwrap_or(0)].0;
        self.rows.push(PlayedRow {
            attempt: self.attempt,
            move_index: Some(self.next_index),
            event: Event::Move,
            action: Some(step.notation.clone()),
            state_after: None,
            rt_s,
            made: Some(MadeMove { before, after: step.after, next: step.next, cost: step.cost, piece: step.piece }),
            n_legal,
            mode,
        });
        self.next_index += 1;
        self.n_moves += 1;
        let notation = moves[chosen].notation.clone();
        self.history = History {
            previous: Some(Previous { state: before, piece: step.piece, notation }),
            n_moves: self.history.n_moves + 1,
            cost: self.history.cost + u64::from(step.cost),
        };
        step.next
    }

    fn reset(&mut self, n_legal: usize) {
        let rt_s = self.clock.decision();
        self.log_event(Event::Reset, n_legal, rt_s);
        self.attempt += 1;
        self.next_index = 0;
    }

    fn give_up(mut self, state: StateCode, n_legal: usize) -> PlayedTrial {
        let rt_s = self.clock.decision();
        self.log_event(Event::GiveUp, n_legal, rt_s);
        self.end(state, false)
    }

    fn log_event(&mut self, event: Event, n_legal: usize, rt_s: f64) {
        self.rows.push(PlayedRow {
            attempt: self.attempt,
            move_index: None,
            event,
            action: None,
            state_after: None,
            rt_s,
            made: None,
            n_legal: n_legal as u32,
            mode: None,
        });
    }

    fn end(mut self, last_state: StateCode, is_solved: bool) -> PlayedTrial {
        let cost = self.history.cost;
        self.policy_state.end(Ending { is_solved, cost });
        PlayedTrial {
            participant: self.player.participant.clone(),
            condition: self.player.condition.clone(),
            level: self.setting.level.to_owned(),
            rows: self.rows,
            is_solved,
            last_state,
            cost,
        }
    }
}

/// The alternative that a number from 0 up to 1 falls to; none if no alternative has a probability.
pub(super) fn draw(probabilities: &[f64], uniform: f64) -> Option<usize> {
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
