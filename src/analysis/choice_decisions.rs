//! The decisions of each participant, as models of choice take them.

use std::collections::HashMap;

use rayon::prelude::*;

use super::Context;
use super::dataset::MoveRow;
use super::look_ahead::{DEPTHS, LookAhead};
use plymap_puzzles::distance::{Evaluation, Oracle as _};
use plymap_puzzles::game::Value;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::model::{Alternative, Decision, Decisions};

/// Positions beyond which games that value positions themselves are not asked: each can take milliseconds.
const MOST_POSITIONS: usize = 20_000;

/// Decisions, and what kept others from being among them.
pub(super) struct ChoiceDecisions {
    /// Of each participant.
    pub of: Vec<Decisions>,
    /// Moves of each participant from positions that could not be evaluated.
    pub n_unknown: Vec<u64>,
    /// Why there are none, where the study asks too much.
    pub reason: Option<String>,
    /// Why they have no values of look-ahead, if they have none.
    pub no_look_ahead: Option<String>,
}

impl ChoiceDecisions {
    /// Evaluates each position that was met, and looks ahead from it where [`LookAhead`] can.
    pub fn new(context: &Context, levels: &[ValuedLevel]) -> Self {
        let data = context.data;
        let by_name: HashMap<&str, &ValuedLevel> = levels.iter().map(|level| (level.id.as_str(), level)).collect();
        let is_mapped = levels.iter().all(|level| level.whole.is_some());
        let is_too_much = !is_mapped && data.positions.len() > MOST_POSITIONS;
        let reason = is_too_much.then(|| {
            format!(
                "{} positions would have to be valued by the game; at most {MOST_POSITIONS} are",
                data.positions.len()
            )
        });
        let evaluations: Vec<Option<Evaluation>> = match is_too_much {
            true => vec![None; data.positions.len()],
            false => data
                .positions
                .par_iter()
                .map(|(level, text)| {
                    let level = by_name.get(data.levels[*level].as_str())?;
                    let state = level.rules.parse_state(text).ok()?;
                    level.oracle().evaluate(state).ok()
                })
                .collect(),
        };
        let look_ahead = LookAhead::new(data, &by_name, &evaluations);
        let (look_ahead, no_look_ahead) = match look_ahead {
            Ok(found) => (Some(found), None),
            Err(reason) => (None, Some(reason)),
        };
        let depths: &[u32] = if look_ahead.is_some() { &DEPTHS } else { &[] };
        let mut all: Vec<Decisions> = data.participants.iter().map(|_| Decisions::with_depths(depths)).collect();
        let mut n_unknown = vec![0; all.len()];
        for attempt in &data.attempts {
            let rules = by_name.get(data.levels[attempt.level].as_str()).map(|level| &*level.rules);
            let mut previous: Option<(Option<&Evaluation>, Option<u32>)> = None;
            for row in data.moves_of(attempt) {
                // Only the move that this one follows can be taken back by it, or go on with its piece.
                previous = previous.filter(|_| row.is_next);
                let position = row.before as usize;
                let evaluation = evaluations[position].as_ref();
                let pushed = evaluation.zip(rules).and_then(|(evaluation, rules)| {
                    let after = rules.parse_state(&data.positions[row.after as usize].1).ok()?;
                    let chosen = chosen(evaluation, after, row, rules)?;
                    let alternatives: Vec<Alternative> = evaluation
                        .moves
                        .iter()
                        .enumerate()
                        .map(|(number, valued)| Alternative {
                            regret: valued.regret,
                            is_optimal: valued.is_optimal(),
                            is_undo: previous
                                .and_then(|(before, _)| before)
                                .is_some_and(|before| valued.legal.after == before.state),
                            is_same_piece: previous
                                .and_then(|(_, piece)| piece)
                                .is_some_and(|piece| valued.legal.piece == Some(piece)),
                            look_ahead: look_ahead.as_ref().map_or(&[], |values| values.of(position, number)),
                        })
                        .collect();
                    let decision = Decision {
                        alternatives: &alternatives,
                        chosen,
                        distance: evaluation.value.and_then(Value::as_distance).map(|distance| distance.0),
                        level: attempt.level as u32,
                    };
                    all[attempt.participant].push(&decision).ok()?;
                    Some(evaluation.moves[chosen].legal.piece)
                });
                n_unknown[attempt.participant] += u64::from(pushed.is_none());
                previous = Some((evaluation, pushed.flatten()));
            }
        }
        Self { of: all, n_unknown, reason, no_look_ahead }
    }
}

/// Which of the legal moves was made: the one that leads to the position after it, before or after chance.
fn chosen(
    evaluation: &Evaluation,
    after: plymap_puzzles::game::StateCode,
    row: &MoveRow,
    rules: &dyn plymap_puzzles::rules::Rules,
) -> Option<usize> {
    if !rules.has_chance() {
        return evaluation.moves.iter().position(|valued| valued.legal.after == after);
    }
    let outcomes = rules.outcomes(evaluation.state);
    let leads_there =
        |outcomes: &Vec<(plymap_puzzles::rules::LegalMove, f64)>| outcomes.iter().any(|(one, _)| one.next == after);
    let mut places = outcomes.iter().enumerate().filter(|(_, outcomes)| leads_there(outcomes)).map(|(place, _)| place);
    // Two directions can lead to one position; then the one that lost as much as the row says.
    let first = places.clone().next();
    places.find(|&place| evaluation.moves[place].regret == row.regret).or(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dataset::Dataset;
    use crate::analysis::fixture::{add_attempt, context, dataset, step, trial};
    use crate::analysis::look_ahead::tests::level;
    use crate::label::Quality;

    /// The smallest disk goes to one peg, and from there to another one: it could have gone back, if nothing was between.
    #[test]
    fn only_the_move_that_a_move_follows_can_be_taken_back() {
        let level = level("tower-of-hanoi", "3 disks 3 pegs\n", "");
        let start = level.rules.start();
        let [first, second] = [0, 1].map(|number| level.rules.legal_moves(start)[number].after);
        let made = |before, after| MoveRow { before, after, ..step(Quality::Better, None) };
        let study = |attempts: &[&[MoveRow]]| {
            let mut data = dataset(vec![trial(0, 0, 9.0, 9.0)]);
            data.positions = [start, first, second].map(|code| (0, level.rules.format_state(code))).to_vec();
            attempts.iter().for_each(|moves| add_attempt(&mut data, 0, 0, moves.to_vec()));
            data
        };
        let decisions = |data: &Dataset| {
            let found = ChoiceDecisions::new(&context(data), std::slice::from_ref(&level));
            assert_eq!(found.n_unknown, [0]);
            found.of
        };
        let mut one = study(&[&[made(0, 1), made(1, 2)]]);
        let two = study(&[&[made(0, 1)], &[made(1, 2)]]);
        assert_ne!(decisions(&one), decisions(&two));
        // Between the two moves the log has an undo, and the same position again: nobody comes from anywhere.
        one.moves[1].is_next = false;
        assert_eq!(decisions(&one), decisions(&two));
    }
}
