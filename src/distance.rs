//! Distances to the goal, and the one question that labelling asks.
//!
//! An [`Oracle`] tells, for any state, its value, the value after each legal move, and so how many
//! legal moves are optimal. A [`DistanceTable`] over a whole map is one such oracle ([`MapOracle`]);
//! other games will answer the same question in other ways.

use std::fmt;

use crate::game::{LegalMove, Rules, StateCode, Unit};
use crate::graph::{LevelMap, StateGraph};

/// The fewest moves from a state to the nearest goal, in the moves of the level's metric.
///
/// Absent (`None` where it is wrapped in an `Option`) if no goal can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Distance(pub u32);

impl fmt::Display for Distance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The distance of every state of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceTable {
    /// `UNREACHABLE` stands for an absent distance.
    values: Vec<u32>,
}

const UNREACHABLE: u32 = u32::MAX;

impl DistanceTable {
    /// The distances of all states by breadth-first search backwards from all goals at once.
    pub fn new(map: &LevelMap) -> Self {
        Self::from_goals(&map.graph, map.goals())
    }

    /// The distances of all nodes to the nearest of `goals`.
    pub fn from_goals(graph: &StateGraph, goals: impl Iterator<Item = u32>) -> Self {
        let mut values = vec![UNREACHABLE; graph.n_states()];
        let mut queue: Vec<u32> = goals.inspect(|&goal| values[goal as usize] = 0).collect();
        let mut next = 0;
        while next < queue.len() {
            let node = queue[next];
            next += 1;
            let distance = values[node as usize] + 1;
            for &before in graph.predecessors(node) {
                let value = &mut values[before as usize];
                if *value == UNREACHABLE {
                    *value = distance;
                    queue.push(before);
                }
            }
        }
        Self { values }
    }

    /// The distance of a state; absent if no goal can be reached from it.
    #[inline]
    pub fn get(&self, node: u32) -> Option<Distance> {
        let value = self.values[node as usize];
        (value != UNREACHABLE).then_some(Distance(value))
    }

    /// The distances of all states in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<Distance>> + '_ {
        (0..self.values.len() as u32).map(|node| self.get(node))
    }

    /// The largest distance; absent if the map has no goal.
    pub fn max(&self) -> Option<Distance> {
        self.iter().flatten().max()
    }

    /// How many states have each distance, from 0 to the largest.
    pub fn histogram(&self) -> Vec<u64> {
        let mut counts = vec![0; self.max().map_or(0, |max| max.0 as usize + 1)];
        for Distance(distance) in self.iter().flatten() {
            counts[distance as usize] += 1;
        }
        counts
    }

    /// Whether the move from one state to a neighbour is optimal: it is one move nearer to a goal.
    #[inline]
    pub fn is_optimal(&self, before: u32, after: u32) -> bool {
        let (before, after) = (self.values[before as usize], self.values[after as usize]);
        before != UNREACHABLE && after < before
    }

    /// How many of a state's moves are optimal.
    pub fn n_optimal(&self, graph: &StateGraph, node: u32) -> usize {
        graph.successors(node).iter().filter(|&&after| self.is_optimal(node, after)).count()
    }

    /// The states in ascending order of distance, those without one left out.
    pub fn by_distance(&self) -> Vec<u32> {
        let histogram = self.histogram();
        let mut next = Vec::with_capacity(histogram.len());
        let mut first = 0usize;
        for count in &histogram {
            next.push(first);
            first += *count as usize;
        }
        let mut order = vec![0; first];
        for node in 0..self.values.len() as u32 {
            if let Some(Distance(distance)) = self.get(node) {
                order[next[distance as usize]] = node;
                next[distance as usize] += 1;
            }
        }
        order
    }

    /// The number of shortest ways from each state to its nearest goals; a goal has one, the empty way.
    /// Absent where no goal can be reached, and where there are 2^64 or more.
    pub fn n_shortest(&self, graph: &StateGraph) -> Vec<Option<u64>> {
        let mut counts: Vec<Option<u64>> = vec![None; self.values.len()];
        for node in self.by_distance() {
            let ways = |&after: &u32| if self.is_optimal(node, after) { counts[after as usize] } else { Some(0) };
            counts[node as usize] = if self.values[node as usize] == 0 {
                Some(1)
            } else {
                graph.successors(node).iter().map(ways).try_fold(0u64, |sum, ways| sum.checked_add(ways?))
            };
        }
        counts
    }
}

/// One legal move of a state with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuedMove {
    /// The move.
    pub legal: LegalMove,
    /// The distance after it; absent if it leads where no goal can be reached.
    pub after: Option<Distance>,
    /// Cost of the move plus the distance after it, less the distance before it: 0 for an optimal
    /// move. Absent if either distance is.
    pub regret: Option<i64>,
}

impl ValuedMove {
    /// Whether no other move leads to a goal sooner.
    pub fn is_optimal(&self) -> bool {
        self.regret == Some(0)
    }
}

/// All that an oracle knows of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The state.
    pub state: StateCode,
    /// Whether the level is solved in it.
    pub is_goal: bool,
    /// Its distance; absent if no goal can be reached.
    pub value: Option<Distance>,
    /// Its legal moves in ascending order, each with its value.
    pub moves: Vec<ValuedMove>,
}

impl Evaluation {
    /// Number of optimal moves. A goal has none: nothing is left to do.
    pub fn n_optimal(&self) -> usize {
        self.moves.iter().filter(|valued| valued.is_optimal()).count()
    }
}

/// Why an oracle does not know a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the position {state} cannot be reached from the start of the level")]
pub struct UnknownState {
    /// The state in the level's notation.
    pub state: String,
}

/// The value of a logged move: of its state, of the state after it, and of the choice there was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Number of legal moves of the state before the move.
    pub n_legal: u32,
    /// Number of optimal ones among them.
    pub n_optimal: u32,
    /// Distance before the move.
    pub before: Option<Distance>,
    /// Distance after the move.
    pub after: Option<Distance>,
}

/// Answers what each move is worth.
pub trait Oracle: Send + Sync {
    /// In what unit the values are.
    fn unit(&self) -> Unit;

    /// The value of a state and of each of its moves.
    ///
    /// # Errors
    ///
    /// [`UnknownState`] if the state does not belong to the level as far as the oracle knows it.
    fn evaluate(&self, state: StateCode) -> Result<Evaluation, UnknownState>;

    /// The value of a move from one state to another, without listing the others.
    ///
    /// # Errors
    ///
    /// [`UnknownState`] as for [`Oracle::evaluate`].
    fn judge(&self, before: StateCode, after: StateCode) -> Result<Judgement, UnknownState>;
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
    fn node(&self, state: StateCode) -> Result<u32, UnknownState> {
        self.map.node(state).ok_or_else(|| UnknownState { state: self.rules.format_state(state) })
    }
}

impl Oracle for MapOracle<'_> {
    fn unit(&self) -> Unit {
        self.rules.unit()
    }

    fn evaluate(&self, state: StateCode) -> Result<Evaluation, UnknownState> {
        let node = self.node(state)?;
        let value = self.distances.get(node);
        let legal = if self.map.graph.successors(node).is_empty() { Vec::new() } else { self.rules.legal_moves(state) };
        let valued = |legal: LegalMove| {
            let after = self.distances.get(self.node(legal.after)?);
            let regret = regret(legal.cost, value, after);
            Ok(ValuedMove { legal, after, regret })
        };
        let moves = legal.into_iter().map(valued).collect::<Result<_, UnknownState>>()?;
        Ok(Evaluation { state, is_goal: self.map.is_goal(node), value, moves })
    }

    fn judge(&self, before: StateCode, after: StateCode) -> Result<Judgement, UnknownState> {
        let (node, next) = (self.node(before)?, self.node(after)?);
        Ok(Judgement {
            n_legal: self.map.graph.successors(node).len() as u32,
            n_optimal: self.distances.n_optimal(&self.map.graph, node) as u32,
            before: self.distances.get(node),
            after: self.distances.get(next),
        })
    }
}

/// What a move loses against the best one: its cost plus the distance after it, less the distance
/// before it. Absent if either distance is.
pub fn regret(cost: u32, before: Option<Distance>, after: Option<Distance>) -> Option<i64> {
    Some(i64::from(cost) + i64::from(after?.0) - i64::from(before?.0))
}
