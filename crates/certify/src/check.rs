//! The proof of a table, from the rules of its level.

use plymap_puzzles::game::StateCode;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::rules::Rules;

use crate::certificate::{Certificate, CertifyError};
use crate::claim::{Claim, NONE};
use crate::index::Index;
use crate::sliding::{self, Verdict};
use crate::violation::{Law, Step, Violation};

/// Number of states between two looks at the clock of the caller.
const STEPS_BETWEEN_REPORTS: usize = 1 << 14;

/// Proves the distances of a level from its rules; see the description of the crate. Takes some 40 bytes for each state.
///
/// # Errors
///
/// [`CertifyError::Violation`] with the first law that is found broken.
pub fn certify(rules: &dyn Rules, claim: &Claim, progress: &dyn Progress) -> Result<Certificate, CertifyError> {
    let verdict = rules.sliding_blocks().map(|level| sliding::verdict(&level, rules.start(), claim));
    match verdict {
        Some(Verdict::Right(certificate)) => {
            progress.advance(certificate.n_states);
            Ok(certificate)
        }
        // Where a law is broken, the rules tell which and where.
        Some(Verdict::Wrong) => match certify_by_rules(rules, claim, progress) {
            Ok(_) => Err(CertifyError::Disagreement { level: claim.level.clone() }),
            Err(error) => Err(error),
        },
        Some(Verdict::Beyond) | None => certify_by_rules(rules, claim, progress),
    }
}

/// Proves the distances of a level state by state and move by move, as its rules list them.
///
/// # Errors
///
/// As of [`certify`].
pub fn certify_by_rules(
    rules: &dyn Rules,
    claim: &Claim,
    progress: &dyn Progress,
) -> Result<Certificate, CertifyError> {
    let broken = |law, number| Checker::broken_at(rules, claim, law, number, None);
    let index = Index::new(&claim.states).map_err(|number| broken(Law::Once, number))?;
    let Some(start) = index.find(rules.start()) else {
        let state = rules.format_state(rules.start());
        let level = claim.level.clone();
        let violation = Violation { level, law: Law::Start, state, number: None, distance: None, step: None };
        return Err(CertifyError::Violation(Box::new(violation)));
    };
    let n_states = claim.n_states();
    let mut checker = Checker { rules, claim, index, is_reached: vec![false; n_states], reached: Vec::new() };
    checker.reach(start);
    let mut certificate = Certificate { n_states: n_states as u64, ..Certificate::default() };
    let mut successors = Vec::new();
    // States are looked at as they are reached: one pass proves what the table says of each, and that it can be reached.
    let mut n_checked = 0;
    while let Some(&number) = checker.reached.get(n_checked) {
        checker.check(number as usize, &mut successors, &mut certificate)?;
        n_checked += 1;
        if n_checked % STEPS_BETWEEN_REPORTS == 0 {
            progress.advance(STEPS_BETWEEN_REPORTS as u64);
            if progress.is_cancelled() {
                return Err(CertifyError::Interrupted);
            }
        }
    }
    progress.advance((n_checked % STEPS_BETWEEN_REPORTS) as u64);
    match checker.is_reached.iter().position(|&is_reached| !is_reached) {
        Some(number) => Err(broken(Law::Reached, number)),
        None => Ok(certificate),
    }
}

/// A table under examination.
struct Checker<'a> {
    rules: &'a dyn Rules,
    claim: &'a Claim,
    index: Index<'a>,
    is_reached: Vec<bool>,
    /// The states that were reached, in the order in which they are looked at.
    reached: Vec<u32>,
}

impl Checker<'_> {
    fn reach(&mut self, number: usize) {
        if !std::mem::replace(&mut self.is_reached[number], true) {
            self.reached.push(number as u32);
        }
    }

    /// Checks one state with its moves.
    fn check(
        &mut self,
        number: usize,
        successors: &mut Vec<StateCode>,
        certificate: &mut Certificate,
    ) -> Result<(), CertifyError> {
        let state = self.claim.states[number];
        let distance = self.claim.distances[number];
        let is_goal = self.rules.is_goal(state);
        if is_goal != (distance == 0) {
            return Err(self.broken(Law::Goal, number, None));
        }
        certificate.n_goals += u64::from(is_goal);
        certificate.n_without_distance += u64::from(distance == NONE);
        successors.clear();
        if !is_goal || self.claim.expand_goals {
            self.rules.successors(state, successors);
        }
        if let Some(message) = self.rules.script_error() {
            return Err(CertifyError::Rules { level: self.claim.level.clone(), message });
        }
        certificate.n_moves += successors.len() as u64;
        // The nearest state after a move, and that move: those without a distance are the farthest.
        let mut best = (NONE, None);
        for (action, &after) in successors.iter().enumerate() {
            let Some(next) = self.index.find(after) else {
                return Err(self.broken(Law::Closed, number, Some(action)));
            };
            let there = self.claim.distances[next];
            if best.1.is_none() || there < best.0 {
                best = (there, Some(action));
            }
            self.reach(next);
        }
        // The distance that the moves give; a goal needs none of them.
        let given = if best.0 == NONE { NONE } else { best.0 + 1 };
        match distance {
            0 => Ok(()),
            _ if given < distance => Err(self.broken(Law::Lowered, number, best.1)),
            _ if given > distance => Err(self.broken(Law::Attained, number, best.1)),
            _ => Ok(()),
        }
    }

    fn broken(&self, law: Law, number: usize, action: Option<usize>) -> CertifyError {
        Self::broken_at(self.rules, self.claim, law, number, action.map(|action| (action, &self.index)))
    }

    /// The violation of a law by a state and, where a move is at fault, the number of that move.
    fn broken_at(
        rules: &dyn Rules,
        claim: &Claim,
        law: Law,
        number: usize,
        action: Option<(usize, &Index)>,
    ) -> CertifyError {
        let state = claim.states[number];
        let step = action.and_then(|(action, index)| {
            let legal = rules.outcomes(state).into_iter().flatten().nth(action)?.0;
            let distance = index.find(legal.next).and_then(|next| claim.distance(next));
            Some(Step { notation: legal.notation, after: rules.format_state(legal.next), distance })
        });
        CertifyError::Violation(Box::new(Violation {
            level: claim.level.clone(),
            law,
            state: rules.format_state(state),
            number: Some(number),
            distance: claim.distance(number),
            step,
        }))
    }
}
