//! The decisions of each participant, as models of choice take them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::dataset::{AttemptRow, Dataset, MoveRow};
use super::look_ahead::{DEPTHS, LookAhead};
use super::rollouts::Rollouts;
use super::trees::{TreeOfPosition, Trees};
use plymap_choice::model::DEAD_END_REGRET;
use plymap_choice::{Alternative, Decision, Decisions, FitOptions, Model, ModelFit, N_FEATURES, Rule, fit};
use plymap_puzzles::distance::{Evaluation, Oracle as _, ValuedMove};
use plymap_puzzles::game::{StateCode, Value};
use plymap_puzzles::rules::{LegalMove, Rules};
use plymap_puzzles::valuation::ValuedLevel;

/// Positions beyond which games that value positions themselves are not asked: each can take milliseconds.
const MOST_POSITIONS: usize = 20_000;

/// Source of the decisions of each participant, made one participant at a time: those of all at once would take a
/// kilobyte for each move.
pub(super) struct ChoiceDecisions<'a> {
    data: &'a Dataset,
    attempts: Vec<Vec<&'a AttemptRow>>,
    /// The rules of each level of the data, where it is known.
    rules: Vec<Option<&'a dyn Rules>>,
    pub positions: Arc<Positions>,
    fits: Arc<Fits>,
}

/// Fits of models without habits that an analysis made, by participant and rule, for the others.
#[derive(Default)]
pub(super) struct Fits(Mutex<HashMap<(usize, Rule), ModelFit>>);

impl Fits {
    fn known(&self) -> MutexGuard<'_, HashMap<(usize, Rule), ModelFit>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Data that the rules of choice need on each position that was met.
pub(super) struct Positions {
    /// The code of each.
    codes: Vec<Option<StateCode>>,
    evaluations: Vec<Option<Evaluation>>,
    look_ahead: Option<LookAhead>,
    rollouts: Option<Rollouts>,
    trees: Option<Trees>,
    /// Reason why there are none, where the study asks too much.
    pub reason: Option<String>,
    /// Reasons why some rules cannot be tried, if they cannot.
    no_look_ahead: Option<String>,
    no_rollouts: Option<String>,
    no_trees: Option<String>,
    no_features: Option<String>,
}

/// The decisions of a participant, and what kept others from being among them.
pub(super) struct ParticipantDecisions<'a> {
    pub decisions: Decisions,
    /// The move of each decision.
    pub moves: Vec<&'a MoveRow>,
    /// Moves from positions that could not be evaluated.
    pub n_unknown: u64,
    /// For each decision, true if it follows the one before it.
    pub follows: Vec<bool>,
}

impl Positions {
    /// Evaluates each position that was met, and finds what the rules of choice need to know of it.
    pub fn new(data: &Dataset, levels: &[ValuedLevel]) -> Self {
        let by_name: HashMap<&str, &ValuedLevel> = levels.iter().map(|level| (level.id.as_str(), level)).collect();
        let level_of = |level: usize| by_name.get(data.levels[level].as_str()).copied();
        let is_mapped = levels.iter().all(|level| level.whole.is_some());
        let is_too_much = !is_mapped && data.positions.len() > MOST_POSITIONS;
        let reason = is_too_much.then(|| {
            format!(
                "{} positions would have to be valued by the game; at most {MOST_POSITIONS} are",
                data.positions.len()
            )
        });
        let code = |(level, text): &(usize, String)| level_of(*level)?.rules.parse_state(text).ok();
        let codes: Vec<Option<StateCode>> = data.positions.par_iter().map(code).collect();
        let evaluations: Vec<Option<Evaluation>> = match is_too_much {
            true => vec![None; data.positions.len()],
            false => data
                .positions
                .par_iter()
                .zip(&codes)
                .map(|((level, _), code)| level_of(*level)?.oracle().evaluate((*code)?).ok())
                .collect(),
        };
        let rules = rules_of(data, levels);
        let (look_ahead, no_look_ahead) = value_or_reason(LookAhead::new(data, &by_name, &evaluations));
        let (rollouts, no_rollouts) = value_or_reason(Rollouts::new(data, &by_name, &evaluations));
        let (trees, no_trees) = value_or_reason(Trees::new(data, &rules, &codes));
        let has_features = rules.iter().flatten().all(|rules| !rules.features().is_empty());
        let no_features = (!has_features).then(|| "the rules do not say what is seen of a position".to_owned());
        Self {
            codes,
            evaluations,
            look_ahead,
            rollouts,
            trees,
            reason,
            no_look_ahead,
            no_rollouts,
            no_trees,
            no_features,
        }
    }

    /// Returns the reason why a rule cannot be tried on these levels, if it cannot.
    pub fn missing(&self, rule: Rule) -> Option<&String> {
        match rule {
            Rule::LookAhead => self.no_look_ahead.as_ref(),
            Rule::ForwardSearch => self.no_rollouts.as_ref(),
            Rule::HillClimbing => self.no_features.as_ref(),
            Rule::AndOr | Rule::AndOrLapse | Rule::AndOrNoSame => self.no_trees.as_ref(),
            Rule::Chance | Rule::LapseOptimal | Rule::SoftOptimal | Rule::Eureka => None,
        }
    }

    /// The tree of a position, if it has one.
    pub fn tree(&self, position: u32) -> Option<&TreeOfPosition> {
        self.trees.as_ref()?.of(position as usize)
    }
}

/// The rules of each level of the data, where it is known.
fn rules_of<'a>(data: &Dataset, levels: &'a [ValuedLevel]) -> Vec<Option<&'a dyn Rules>> {
    let by_name: HashMap<&str, &'a dyn Rules> =
        levels.iter().map(|level| (level.id.as_str(), &*level.rules as &dyn Rules)).collect();
    data.levels.iter().map(|name| by_name.get(name.as_str()).copied()).collect()
}

impl<'a> ChoiceDecisions<'a> {
    /// The decisions of these people, at positions of these levels.
    pub fn new(data: &'a Dataset, levels: &'a [ValuedLevel], positions: Arc<Positions>, fits: Arc<Fits>) -> Self {
        Self { data, attempts: data.attempts_by_participant(), rules: rules_of(data, levels), positions, fits }
    }

    /// A rule without habits fitted to the decisions of the participant of this number. A fit that was kept is given away:
    /// those of all people take much memory.
    pub fn fit(&self, participant: usize, decisions: &Decisions, rule: Rule, options: &FitOptions) -> ModelFit {
        let kept = self.fits.known().remove(&(participant, rule));
        kept.unwrap_or_else(|| fit(decisions, &Model::new(rule), options))
    }

    /// Keeps a fit for [`Self::fit`].
    pub fn keep_fit(&self, participant: usize, fit: &ModelFit) {
        if fit.model == Model::new(fit.model.rule) {
            self.fits.known().insert((participant, fit.model.rule), fit.clone());
        }
    }

    /// The decisions of the participant of this number.
    pub fn of(&self, participant: usize) -> ParticipantDecisions<'a> {
        let depths: &[u32] = if self.positions.look_ahead.is_some() { &DEPTHS } else { &[] };
        let mut result = ParticipantDecisions {
            decisions: Decisions::with_depths(depths),
            moves: Vec::new(),
            n_unknown: 0,
            follows: Vec::new(),
        };
        for attempt in &self.attempts[participant] {
            let mut previous = Previous::default();
            let mut is_known = false;
            for row in self.data.moves_of(attempt) {
                // Only the move that this one follows can be taken back by it, or go on with its piece.
                if !row.is_next {
                    previous = Previous::default();
                }
                let piece = self.push(attempt.level, row, previous, &mut result.decisions);
                result.n_unknown += u64::from(piece.is_none());
                if piece.is_some() {
                    result.follows.push(row.is_next && is_known);
                    result.moves.push(row);
                }
                is_known = piece.is_some();
                previous = Previous { from: self.positions.codes[row.before as usize], piece: piece.flatten() };
            }
        }
        result
    }

    /// Adds a decision; the piece that was moved, or nothing where the position could not be evaluated.
    fn push(&self, level: usize, row: &MoveRow, previous: Previous, decisions: &mut Decisions) -> Option<Option<u32>> {
        let position = row.before as usize;
        let known = &self.positions;
        let evaluation = known.evaluations[position].as_ref()?;
        let chosen = chosen(evaluation, known.codes[row.after as usize]?, row, self.rules[level]?)?;
        let tree = known.tree(row.before);
        let features = self.features(evaluation, self.rules[level]?);
        let alternatives: Vec<Alternative> = evaluation
            .moves
            .iter()
            .zip(features)
            .enumerate()
            .map(|(number, (valued, features))| Alternative {
                regret: valued.regret,
                is_optimal: valued.is_optimal(),
                is_undo: previous.from == Some(valued.legal.after),
                is_same_piece: previous.piece.is_some() && valued.legal.piece == previous.piece,
                look_ahead: known.look_ahead.as_ref().map_or(&[], |values| values.of(position, number)),
                features,
                thoughts: tree.map_or(&[], |tree| tree.thoughts(number)),
                rollouts: known.rollouts.as_ref().and_then(|values| values.of(position, number)),
            })
            .collect();
        let decision = Decision {
            alternatives: &alternatives,
            chosen,
            distance: evaluation.value.and_then(Value::as_distance).map(|distance| distance.0),
            level: level as u32,
            circles: tree.map_or(&[], |tree| tree.circles()),
        };
        decisions.push(&decision).ok()?;
        Some(evaluation.moves[chosen].legal.piece)
    }

    /// Returns the features of the position after each move. A heuristic that knows that no goal can be reached is
    /// infinite; it counts as a dead end does elsewhere.
    fn features(&self, evaluation: &Evaluation, rules: &dyn Rules) -> Vec<[f64; N_FEATURES]> {
        let mut all = vec![[0.0; N_FEATURES]; evaluation.moves.len()];
        for number in 0..rules.features().len().min(N_FEATURES) {
            let feature = |valued: &ValuedMove| rules.feature(number, valued.legal.after);
            let values: Vec<f64> = evaluation.moves.iter().map(feature).collect();
            let largest = values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
            for (features, value) in all.iter_mut().zip(values) {
                features[number] = if value.is_finite() { value } else { largest + DEAD_END_REGRET };
            }
        }
        all
    }
}

/// Splits a result into the value and the reason for its absence.
fn value_or_reason<T>(result: Result<T, String>) -> (Option<T>, Option<String>) {
    match result {
        Ok(value) => (Some(value), None),
        Err(reason) => (None, Some(reason)),
    }
}

/// The move before.
#[derive(Clone, Copy, Default)]
struct Previous {
    /// The position that it was made from.
    from: Option<StateCode>,
    /// The piece that it moved.
    piece: Option<u32>,
}

/// Returns the index of the legal move that was made: the one that leads to the position after it, before or after
/// chance.
fn chosen(evaluation: &Evaluation, after: StateCode, row: &MoveRow, rules: &dyn Rules) -> Option<usize> {
    if !rules.has_chance() {
        return evaluation.moves.iter().position(|valued| valued.legal.after == after);
    }
    let outcomes = rules.outcomes(evaluation.state);
    let leads_there = |outcomes: &Vec<(LegalMove, f64)>| outcomes.iter().any(|(legal, _)| legal.next == after);
    let mut places = outcomes.iter().enumerate().filter(|(_, outcomes)| leads_there(outcomes)).map(|(place, _)| place);
    // Two directions can lead to one position; then the one that lost as much as the row says.
    let first = places.clone().next();
    places.find(|&place| evaluation.moves[place].regret == row.regret).or(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look_ahead::tests::level;
    use crate::testing::{add_attempt, dataset, step, trial};
    use plymap_measures::label::Quality;

    /// The smallest disk goes to one peg, and from there to another one: it could have gone back, if nothing was between.
    #[test]
    fn only_the_move_that_a_move_follows_can_be_taken_back() {
        let level = level("tower-of-hanoi", "3 disks 3 pegs\n", "");
        let start = level.rules.start();
        let [first, second] = [0, 1].map(|number| level.rules.legal_moves(start)[number].after);
        let step_between =
            |before, after| step(Quality::Better, None).but(|fact| (fact.before, fact.after) = (before, after));
        let study = |attempts: &[&[MoveRow]]| {
            let mut data = dataset(vec![trial(0, 0, 9.0, 9.0)]);
            data.positions = [start, first, second].map(|code| (0, level.rules.format_state(code))).to_vec();
            attempts.iter().for_each(|moves| add_attempt(&mut data, 0, 0, moves.to_vec()));
            data
        };
        let decisions = |data: &Dataset| {
            let levels = std::slice::from_ref(&level);
            let participant =
                ChoiceDecisions::new(data, levels, Arc::new(Positions::new(data, levels)), Arc::default()).of(0);
            assert_eq!(participant.n_unknown, 0);
            participant.decisions
        };
        let mut one_attempt = study(&[&[step_between(0, 1), step_between(1, 2)]]);
        let two_attempts = study(&[&[step_between(0, 1)], &[step_between(1, 2)]]);
        assert_ne!(decisions(&one_attempt), decisions(&two_attempts));
        // Between the two moves the log has an undo, and the same position again: nobody comes from anywhere.
        one_attempt.moves[1].is_next = false;
        assert_eq!(decisions(&one_attempt), decisions(&two_attempts));
    }
}
