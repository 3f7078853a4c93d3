//! Distances to the goal, and the one question that labelling asks.
//!
//! An [`Oracle`] tells, for any state, its value, the value after each legal move, and so how many
//! legal moves are optimal. A [`DistanceTable`] over a whole map is one such oracle ([`MapOracle`]); a
//! game that values positions by an algorithm of its own is another ([`GameOracle`]).

pub use crate::game::Distance;
pub use crate::graph::DistanceTable;

use crate::game::{StateCode, Unit, Value, ValueError};
use crate::graph::LevelMap;
use crate::rules::{LegalMove, Rules};

/// One legal move of a state with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValuedMove {
    /// The move.
    pub legal: LegalMove,
    /// The value after it; absent if it leads where no goal can be reached.
    pub after: Option<Value>,
    /// Loss against the best move, see [`regret`].
    pub regret: Option<f64>,
}

impl ValuedMove {
    /// `true` if no other move is better.
    pub fn is_optimal(&self) -> bool {
        self.regret == Some(0.0)
    }

    /// The value of the choice: its cost and what comes after it, better ones first in ascending order.
    fn badness(&self) -> f64 {
        badness(self.legal.cost, self.after)
    }
}

/// All that an oracle knows of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The state.
    pub state: StateCode,
    /// `true` if the level is solved in it.
    pub is_goal: bool,
    /// Its value; absent if no goal can be reached.
    pub value: Option<Value>,
    /// Its legal moves in ascending order, each with its value.
    pub moves: Vec<ValuedMove>,
}

impl Evaluation {
    /// Number of optimal moves. A goal has none: nothing is left to do.
    pub fn n_optimal(&self) -> usize {
        self.moves.iter().filter(|valued| valued.is_optimal()).count()
    }

    /// The rank of a move that costs `cost` and leads to a position worth `after`: 1 + the number of legal
    /// moves that are better.
    pub fn rank(&self, cost: u32, after: Option<Value>) -> u32 {
        let badness_of_move = badness(cost, after);
        // Expected points that differ by rounding only are equal; a dead end is worse than any number.
        let tolerance = if badness_of_move.is_finite() { 1e-9 * badness_of_move.abs().max(1.0) } else { 0.0 };
        1 + self.moves.iter().filter(|valued| valued.badness() < badness_of_move - tolerance).count() as u32
    }
}

/// Cost of a move with what is left to be spent after it: ascending from the best move to the worst.
fn badness(cost: u32, after: Option<Value>) -> f64 {
    match after {
        None => f64::INFINITY,
        Some(Value::Distance(Distance(moves))) => f64::from(cost) + f64::from(moves),
        Some(Value::Points(points)) => -(f64::from(cost) + points),
    }
}

/// Reason why an oracle cannot tell the value of a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OracleError {
    /// The map of the level does not have it.
    #[error("the position {state} cannot be reached from the start of the level")]
    UnknownState {
        /// The state in the level's notation.
        state: String,
    },
    /// The game cannot value it.
    #[error("the position {state} cannot be valued: {source}")]
    Value {
        /// The state in the level's notation.
        state: String,
        /// Reason.
        source: ValueError,
    },
}

/// The value of a logged move: of its state, of the state after it, and of the choice there was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveEvaluation {
    /// Number of legal moves of the state before the move.
    pub n_legal: u32,
    /// Number of optimal ones among them.
    pub n_optimal: u32,
    /// Value before the move.
    pub before: Option<Value>,
    /// Value after the move, before chance had its turn.
    pub after: Option<Value>,
    /// 1 + the number of legal moves that are better.
    pub rank: u32,
}

/// Answers what each move is worth.
pub trait Oracle: Send + Sync {
    /// Unit of the values.
    fn unit(&self) -> Unit;

    /// The value of a state and of each of its moves.
    ///
    /// # Errors
    ///
    /// [`OracleError`] if the state does not belong to the level as far as the oracle knows it.
    fn evaluate(&self, state: StateCode) -> Result<Evaluation, OracleError>;

    /// The value of a move of some cost that leads from one state to another, chance not yet told.
    ///
    /// # Errors
    ///
    /// [`OracleError`] as for [`Oracle::evaluate`].
    fn evaluate_move(&self, before: StateCode, after: StateCode, cost: u32) -> Result<MoveEvaluation, OracleError>;
}

/// The oracle of a level that is mapped whole.
#[derive(Clone, Copy)]
pub struct MapOracle<'a> {
    /// The rules of the level.
    pub rules: &'a dyn Rules,
    /// All its states.
    pub map: &'a LevelMap,
    /// Their distances.
    pub distances: &'a DistanceTable,
}

impl MapOracle<'_> {
    fn node(&self, state: StateCode) -> Result<u32, OracleError> {
        self.map.node(state).ok_or_else(|| OracleError::UnknownState { state: self.rules.format_state(state) })
    }

    fn value(&self, node: u32) -> Option<Value> {
        self.distances.get(node).map(Value::Distance)
    }
}

impl Oracle for MapOracle<'_> {
    fn unit(&self) -> Unit {
        self.rules.unit()
    }

    fn evaluate(&self, state: StateCode) -> Result<Evaluation, OracleError> {
        let node = self.node(state)?;
        let value = self.value(node);
        let legal = if self.map.graph.successors(node).is_empty() { Vec::new() } else { self.rules.legal_moves(state) };
        let valued = |legal: LegalMove| {
            let after = self.value(self.node(legal.after)?);
            let regret = regret(legal.cost, value, after);
            Ok(ValuedMove { legal, after, regret })
        };
        let moves = legal.into_iter().map(valued).collect::<Result<_, OracleError>>()?;
        Ok(Evaluation { state, is_goal: self.map.is_goal(node), value, moves })
    }

    fn evaluate_move(&self, before: StateCode, after: StateCode, cost: u32) -> Result<MoveEvaluation, OracleError> {
        let (node, next) = (self.node(before)?, self.node(after)?);
        let successors = self.map.graph.successors(node);
        let after = self.value(next);
        let badness_of_move = badness(cost, after);
        // Each arc of a map costs 1.
        let n_better = successors.iter().filter(|&&other| badness(1, self.value(other)) < badness_of_move).count();
        Ok(MoveEvaluation {
            n_legal: successors.len() as u32,
            n_optimal: self.distances.n_optimal(&self.map.graph, node) as u32,
            before: self.value(node),
            after,
            rank: 1 + n_better as u32,
        })
    }
}

/// The oracle of a level whose game values positions by an algorithm of its own.
#[derive(Clone, Copy)]
pub struct GameOracle<'a> {
    /// The rules of the level, prepared.
    pub rules: &'a dyn Rules,
}

impl GameOracle<'_> {
    fn ask<T>(&self, state: StateCode, answer: Result<T, ValueError>) -> Result<T, OracleError> {
        answer.map_err(|source| OracleError::Value { state: self.rules.format_state(state), source })
    }
}

impl Oracle for GameOracle<'_> {
    fn unit(&self) -> Unit {
        self.rules.unit()
    }

    fn evaluate(&self, state: StateCode) -> Result<Evaluation, OracleError> {
        let rules = self.rules;
        let afters = self.ask(state, rules.values_after(state))?;
        let valued = |(legal, after)| ValuedMove { legal, after, regret: None };
        let mut moves: Vec<ValuedMove> = rules.legal_moves(state).into_iter().zip(afters).map(valued).collect();
        // Where values are points, a position is worth its best move: an estimate is then one of the same depth.
        let best = moves.iter().map(ValuedMove::badness).fold(f64::INFINITY, f64::min);
        let value = match rules.unit() {
            Unit::Points if best.is_finite() => Some(Value::Points(-best)),
            _ => self.ask(state, rules.value(state))?,
        };
        for valued in &mut moves {
            valued.regret = regret(valued.legal.cost, value, valued.after);
        }
        Ok(Evaluation { state, is_goal: rules.is_goal(state), value, moves })
    }

    fn evaluate_move(&self, before: StateCode, after: StateCode, cost: u32) -> Result<MoveEvaluation, OracleError> {
        let evaluation = self.evaluate(before)?;
        let known = evaluation.moves.iter().find(|valued| valued.legal.after == after);
        let after = match known {
            Some(valued) => valued.after,
            // A move that changed nothing, as an illegal one that a log keeps.
            None if after == before => evaluation.value,
            None => self.ask(after, self.rules.value_after(after))?,
        };
        Ok(MoveEvaluation {
            n_legal: evaluation.moves.len() as u32,
            n_optimal: evaluation.n_optimal() as u32,
            before: evaluation.value,
            after,
            rank: evaluation.rank(cost, after),
        })
    }
}

/// Loss of a move against the best one, never less than 0 under the values of an oracle. For distances
/// its cost plus the distance after it, less the distance before it, in moves; for points the value before
/// it, less what it gains and the value after it. Absent if either value is.
pub fn regret(cost: u32, before: Option<Value>, after: Option<Value>) -> Option<f64> {
    let cost = f64::from(cost);
    match (before?, after?) {
        (Value::Distance(Distance(before)), Value::Distance(Distance(after))) => {
            Some(cost + f64::from(after) - f64::from(before))
        }
        (before, after) => {
            let loss = before.number() - cost - after.number();
            // Rounding in sums of expected points is no loss.
            Some(if loss.abs() <= 1e-9 * before.number().abs().max(1.0) { 0.0 } else { loss })
        }
    }
}
