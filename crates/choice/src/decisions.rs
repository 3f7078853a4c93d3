//! Decisions: legal moves with the chosen one, the data of the models of choice.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use foldhash::fast::FixedState;
use plymap_statistics::not_estimable::NotEstimable;

use crate::model::N_FEATURES;
use crate::rollouts::{self, RolloutCurve};

/// More legal moves than this in all are refused. Each takes about 20 bytes, and 8 for every depth of
/// look-ahead; while a model is fitted, up to 32 bytes more.
pub const MOST_ALTERNATIVES: usize = 50_000_000;

/// Regrets and values beyond this are refused: their squares, summed, would lose all digits.
const LARGEST_VALUE: f64 = 1e12;

/// One legal move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Alternative<'a> {
    /// Loss against the best legal move, in the unit of the level (moves, or points); at
    /// least 0. Absent if it leads to where no goal can be reached, or its value is unknown.
    pub regret: Option<f64>,
    /// True if no legal move is better.
    pub is_optimal: bool,
    /// True if it leads straight back to the position before the previous move.
    pub is_undo: bool,
    /// True if it moves the piece that was moved last.
    pub is_same_piece: bool,
    /// Value by look-ahead to each of the depths of [`Decisions`], more is better, in any
    /// unit. Finite: the caller decides what a dead end is worth.
    pub look_ahead: &'a [f64],
    /// Features of the position after it, which hill climbing sees. Finite.
    pub features: [f64; N_FEATURES],
    /// Probabilities that a chain of thought backwards from the goal ends in this move, by the number of its steps, from 1;
    /// none if no chain does.
    pub thoughts: &'a [f64],
    /// The probability that a rollout from the position after it comes to a goal; none if it is not known, which counts as 0.
    /// Moves that lead to the same position should share it.
    pub rollouts: Option<&'a Arc<RolloutCurve>>,
}

/// One choice among the legal moves of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Decision<'a> {
    /// The legal moves; at least one.
    pub alternatives: &'a [Alternative<'a>],
    /// The one that was made, from 0.
    pub chosen: usize,
    /// Distance to the goal before the move, where it is known.
    pub distance: Option<u32>,
    /// Number of the level; cross-validation leaves out whole levels.
    pub level: u32,
    /// Probabilities that a chain of thought backwards from the goal ends in no move, by the number of its steps, from 1.
    pub circles: &'a [f64],
}

/// The decisions of one participant, stored flat: all legal moves of all decisions one after another.
#[derive(Clone, Debug, PartialEq)]
pub struct Decisions {
    depths: Vec<u32>,
    /// Place of the first legal move of each decision; one more at the end.
    offsets: Vec<usize>,
    chosen: Vec<u32>,
    distances: Vec<Option<u32>>,
    levels: Vec<u32>,
    regrets: Vec<Option<f64>>,
    flags: Vec<u8>,
    /// Values of each legal move, one for each depth.
    look_ahead: Vec<f64>,
    features: Vec<[f64; N_FEATURES]>,
    lists: Lists,
    /// Numbers of the lists that are the thoughts of each legal move, and the circles of each decision.
    thoughts: Vec<u32>,
    circles: Vec<u32>,
    curves: Curves,
    /// The curves that are the rollouts of each legal move.
    rollouts: Vec<u32>,
}

/// Kind of each legal move; see [`Alternative`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFlags {
    /// True if no legal move is better.
    pub is_optimal: bool,
    /// True if it leads straight back.
    pub is_undo: bool,
    /// True if it moves the piece that was moved last.
    pub is_same_piece: bool,
}

/// Lists of numbers of which many are alike, each kept once. The first is empty.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lists {
    all: Vec<Vec<f64>>,
    places: HashMap<Vec<u64>, u32, FixedState>,
}

impl Default for Lists {
    fn default() -> Self {
        Self { all: vec![Vec::new()], places: [(Vec::new(), 0)].into_iter().collect() }
    }
}

impl Lists {
    /// The number of a list.
    pub fn number(&mut self, list: &[f64]) -> u32 {
        // Most moves end no thought.
        if list.is_empty() {
            return 0;
        }
        let bits: Vec<u64> = list.iter().map(|value| (value + 0.0).to_bits()).collect();
        let next = self.all.len() as u32;
        let number = *self.places.entry(bits).or_insert(next);
        if number == next {
            self.all.push(list.to_vec());
        }
        number
    }

    /// All lists, by number.
    pub fn all(&self) -> &[Vec<f64>] {
        &self.all
    }
}

/// Curves of rollouts of which many are the same, each kept once. The first is that of no rollout.
#[derive(Clone, Debug)]
struct Curves {
    all: Vec<Arc<RolloutCurve>>,
    /// Indices in `all` by address, which stays that of a curve as long as it is kept here.
    places: HashMap<usize, u32, FixedState>,
    /// The same as fits take them, found by the first.
    side_by_side: OnceLock<Arc<rollouts::Curves>>,
}

impl Default for Curves {
    fn default() -> Self {
        Self { all: vec![Arc::default()], places: HashMap::default(), side_by_side: OnceLock::new() }
    }
}

impl PartialEq for Curves {
    /// Addresses say nothing.
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all
    }
}

impl Curves {
    fn number(&mut self, curve: Option<&Arc<RolloutCurve>>) -> u32 {
        let Some(curve) = curve else { return 0 };
        *self.places.entry(Arc::as_ptr(curve).addr()).or_insert_with(|| {
            self.all.push(Arc::clone(curve));
            self.side_by_side = OnceLock::new();
            self.all.len() as u32 - 1
        })
    }
}

const OPTIMAL: u8 = 1;
const UNDO: u8 = 2;
const SAME_PIECE: u8 = 4;

impl Default for Decisions {
    fn default() -> Self {
        Self::new()
    }
}

impl Decisions {
    /// Creates an empty set of decisions without look-ahead.
    pub fn new() -> Self {
        Self::with_depths(&[])
    }

    /// Creates an empty set of decisions whose legal moves will have one value for each of these depths of look-ahead.
    pub fn with_depths(depths: &[u32]) -> Self {
        Self {
            depths: depths.to_vec(),
            offsets: vec![0],
            chosen: Vec::new(),
            distances: Vec::new(),
            levels: Vec::new(),
            regrets: Vec::new(),
            flags: Vec::new(),
            look_ahead: Vec::new(),
            features: Vec::new(),
            lists: Lists::default(),
            thoughts: Vec::new(),
            circles: Vec::new(),
            curves: Curves::default(),
            rollouts: Vec::new(),
        }
    }

    /// Adds a decision.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] without legal moves, for a chosen move that is none of them, a regret that is
    /// negative or not finite, values of look-ahead that are not finite or not one for each depth, features that are not
    /// finite, probabilities out of their range, and beyond [`MOST_ALTERNATIVES`]. The decision is then not added.
    ///
    /// ```
    /// use plymap_choice::{Alternative, Decision, Decisions};
    ///
    /// let good = Alternative { regret: Some(0.0), is_optimal: true, ..Alternative::default() };
    /// let bad = Alternative { regret: Some(2.0), is_undo: true, ..Alternative::default() };
    /// let mut decisions = Decisions::new();
    /// decisions.push(&Decision { alternatives: &[good, bad], chosen: 1, distance: Some(4), ..Decision::default() }).unwrap();
    /// assert_eq!((decisions.n(), decisions.n_alternatives()), (1, 2));
    /// ```
    pub fn push(&mut self, decision: &Decision) -> Result<(), NotEstimable> {
        self.check(decision)?;
        for alternative in decision.alternatives {
            self.regrets.push(alternative.regret);
            self.flags.push(
                flag_if(alternative.is_optimal, OPTIMAL)
                    | flag_if(alternative.is_undo, UNDO)
                    | flag_if(alternative.is_same_piece, SAME_PIECE),
            );
            self.look_ahead.extend(alternative.look_ahead);
            self.features.push(alternative.features);
            self.thoughts.push(self.lists.number(alternative.thoughts));
            self.rollouts.push(self.curves.number(alternative.rollouts));
        }
        self.circles.push(self.lists.number(decision.circles));
        self.offsets.push(self.flags.len());
        self.chosen.push(decision.chosen as u32);
        self.distances.push(decision.distance);
        self.levels.push(decision.level);
        Ok(())
    }

    fn check(&self, decision: &Decision) -> Result<(), NotEstimable> {
        let n = decision.alternatives.len();
        plymap_statistics::not_estimable::check_count("a decision", "legal moves", n, 1)?;
        let out_of_range = |quantity, value, allowed| Err(NotEstimable::OutOfRange { quantity, value, allowed });
        if decision.chosen >= n {
            let value = format!("{} (from 0) of {n} legal moves", decision.chosen);
            return out_of_range("the chosen move", value, "one of the legal moves");
        }
        if n > MOST_ALTERNATIVES - self.n_alternatives() {
            let value = (self.n_alternatives() + n).to_string();
            return out_of_range("the number of legal moves in all", value, "at most 50,000,000");
        }
        for (index, alternative) in decision.alternatives.iter().enumerate() {
            if let Some(regret) = alternative.regret {
                check_value("regret", regret, index)?;
                if regret < 0.0 {
                    return out_of_range("a regret", regret.to_string(), "0 or more: what is lost against the best");
                }
            }
            if alternative.look_ahead.len() != self.depths.len() {
                let (left, right) = (alternative.look_ahead.len(), self.depths.len());
                let (left_name, right_name) = ("look-ahead of a move", "the list of depths");
                return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
            }
            for &value in alternative.look_ahead {
                check_value("look-ahead", value, index)?;
            }
            for value in alternative.features {
                check_value("feature", value, index)?;
            }
            alternative.thoughts.iter().try_for_each(check_probability)?;
        }
        decision.circles.iter().try_for_each(check_probability)
    }

    /// Number of decisions.
    pub fn n(&self) -> usize {
        self.chosen.len()
    }

    /// Number of legal moves of all decisions.
    pub fn n_alternatives(&self) -> usize {
        self.flags.len()
    }

    /// Number of legal moves of a decision.
    ///
    /// # Panics
    ///
    /// If `decision` is not below [`Decisions::n`]; so do the other methods for one decision.
    pub fn n_legal(&self, decision: usize) -> usize {
        self.offsets[decision + 1] - self.offsets[decision]
    }

    /// The chosen move of a decision, from 0.
    pub fn chosen(&self, decision: usize) -> usize {
        self.chosen[decision] as usize
    }

    /// Distance to the goal before a decision.
    pub fn distance(&self, decision: usize) -> Option<u32> {
        self.distances[decision]
    }

    /// Number of the level of a decision.
    pub fn level(&self, decision: usize) -> u32 {
        self.levels[decision]
    }

    /// The depths of look-ahead.
    pub fn depths(&self) -> &[u32] {
        &self.depths
    }

    /// The numbers of the levels, ascending, each once.
    pub fn levels(&self) -> Vec<u32> {
        let mut levels = self.levels.clone();
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    /// The decisions on those levels that `is_kept` accepts, in the same order.
    pub fn on_levels(&self, is_kept: impl Fn(u32) -> bool) -> Self {
        let kept: Vec<usize> = (0..self.n()).filter(|&decision| is_kept(self.levels[decision])).collect();
        self.of(&kept)
    }

    /// Returns the decisions at these indices, in this order.
    pub fn of(&self, decisions: &[usize]) -> Self {
        let mut kept =
            Self { lists: self.lists.clone(), curves: self.curves.clone(), ..Self::with_depths(&self.depths) };
        let n_depths = self.depths.len();
        for &decision in decisions {
            let range = self.range(decision);
            kept.regrets.extend(&self.regrets[range.clone()]);
            kept.flags.extend(&self.flags[range.clone()]);
            kept.look_ahead.extend(&self.look_ahead[range.start * n_depths..range.end * n_depths]);
            kept.features.extend(&self.features[range.clone()]);
            kept.thoughts.extend(&self.thoughts[range.clone()]);
            kept.rollouts.extend(&self.rollouts[range]);
            kept.circles.push(self.circles[decision]);
            kept.offsets.push(kept.flags.len());
            kept.chosen.push(self.chosen[decision]);
            kept.distances.push(self.distances[decision]);
            kept.levels.push(self.levels[decision]);
        }
        kept
    }

    /// The same decisions without moves that lead straight back, for choices that do not: thoughts that end in such a move
    /// end nowhere. Decisions in which such a move was chosen are left out.
    pub fn without_undo(&self) -> Self {
        let mut kept =
            Self { lists: self.lists.clone(), curves: self.curves.clone(), ..Self::with_depths(&self.depths) };
        let n_depths = self.depths.len();
        for decision in 0..self.n() {
            let chosen = self.offsets[decision] + self.chosen(decision);
            if self.is_undo(chosen) {
                continue;
            }
            let mut circles = self.lists.all()[self.circles[decision] as usize].clone();
            for place in self.range(decision) {
                if self.is_undo(place) {
                    let thoughts = &self.lists.all()[self.thoughts[place] as usize];
                    circles.resize(circles.len().max(thoughts.len()), 0.0);
                    circles.iter_mut().zip(thoughts).for_each(|(sum, share)| *sum += share);
                    continue;
                }
                if place == chosen {
                    kept.chosen.push((kept.flags.len() - kept.offsets[kept.offsets.len() - 1]) as u32);
                }
                kept.regrets.push(self.regrets[place]);
                kept.flags.push(self.flags[place]);
                kept.look_ahead.extend(&self.look_ahead[place * n_depths..(place + 1) * n_depths]);
                kept.features.push(self.features[place]);
                kept.thoughts.push(self.thoughts[place]);
                kept.rollouts.push(self.rollouts[place]);
            }
            let circles = kept.lists.number(&circles);
            kept.circles.push(circles);
            kept.offsets.push(kept.flags.len());
            kept.distances.push(self.distances[decision]);
            kept.levels.push(self.levels[decision]);
        }
        kept
    }

    /// The same positions with other choices, such as those that a model draws.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] unless there is one legal move for each decision.
    pub fn with_choices(&self, choices: &[usize]) -> Result<Self, NotEstimable> {
        if choices.len() != self.n() {
            let (left, right) = (choices.len(), self.n());
            let (left_name, right_name) = ("the list of choices", "the list of decisions");
            return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
        }
        for (decision, &choice) in choices.iter().enumerate() {
            if choice >= self.n_legal(decision) {
                let value = format!("{choice} (from 0) of {} legal moves", self.n_legal(decision));
                let (quantity, allowed) = ("the chosen move", "one of the legal moves");
                return Err(NotEstimable::OutOfRange { quantity, value, allowed });
            }
        }
        Ok(Self { chosen: choices.iter().map(|&choice| choice as u32).collect(), ..self.clone() })
    }

    /// Returns true if a legal move is optimal; none is where no goal can be reached any more.
    pub fn has_optimal(&self, decision: usize) -> bool {
        self.range(decision).any(|alternative| self.is_optimal(alternative))
    }

    /// Returns true if an optimal move was chosen.
    pub fn is_optimal_choice(&self, decision: usize) -> bool {
        self.is_optimal(self.offsets[decision] + self.chosen(decision))
    }

    /// A legal move of a decision.
    pub fn flags_of(&self, decision: usize, legal: usize) -> MoveFlags {
        let place = self.offsets[decision] + legal;
        MoveFlags {
            is_optimal: self.is_optimal(place),
            is_undo: self.is_undo(place),
            is_same_piece: self.is_same_piece(place),
        }
    }

    /// Places of the legal moves of a decision among all.
    pub(crate) fn range(&self, decision: usize) -> std::ops::Range<usize> {
        self.offsets[decision]..self.offsets[decision + 1]
    }

    pub(crate) fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    pub(crate) fn regrets(&self) -> &[Option<f64>] {
        &self.regrets
    }

    pub(crate) fn is_optimal(&self, alternative: usize) -> bool {
        self.flags[alternative] & OPTIMAL != 0
    }

    pub(crate) fn is_undo(&self, alternative: usize) -> bool {
        self.flags[alternative] & UNDO != 0
    }

    pub(crate) fn is_same_piece(&self, alternative: usize) -> bool {
        self.flags[alternative] & SAME_PIECE != 0
    }

    /// A feature of the position after a legal move.
    pub(crate) fn feature(&self, alternative: usize, feature: usize) -> f64 {
        self.features[alternative][feature]
    }

    /// The lists of which the three below are numbers.
    pub(crate) fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The curves of all rollouts.
    pub(crate) fn curves(&self) -> Arc<rollouts::Curves> {
        Arc::clone(self.curves.side_by_side.get_or_init(|| Arc::new(rollouts::Curves::new(&self.curves.all))))
    }

    /// The thoughts that end in a legal move.
    pub(crate) fn thoughts(&self, alternative: usize) -> u32 {
        self.thoughts[alternative]
    }

    /// The curve of the rollouts from the position after a legal move.
    pub(crate) fn rollouts(&self, alternative: usize) -> u32 {
        self.rollouts[alternative]
    }

    /// The thoughts of a decision that end in no move.
    pub(crate) fn circles(&self, decision: usize) -> u32 {
        self.circles[decision]
    }

    /// Value of a legal move at the depth of this index in the list of depths.
    pub(crate) fn look_ahead(&self, alternative: usize, depth: usize) -> f64 {
        self.look_ahead[alternative * self.depths.len() + depth]
    }
}

fn flag_if(is_set: bool, flag: u8) -> u8 {
    if is_set { flag } else { 0 }
}

fn check_probability(value: &f64) -> Result<(), NotEstimable> {
    // What is summed from parts can exceed 1 by its rounding.
    if (0.0..=1.0 + 1e-9).contains(value) {
        return Ok(());
    }
    let (quantity, allowed) = ("a probability", "from 0 to 1");
    Err(NotEstimable::OutOfRange { quantity, value: value.to_string(), allowed })
}

fn check_value(variable: &'static str, value: f64, index: usize) -> Result<(), NotEstimable> {
    if value.abs() <= LARGEST_VALUE {
        return Ok(());
    }
    Err(NotEstimable::NotFinite { variable, value: value.to_string(), index })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Alternative = Alternative {
        regret: Some(0.0),
        is_optimal: true,
        is_undo: false,
        is_same_piece: false,
        look_ahead: &[],
        features: [0.0; N_FEATURES],
        thoughts: &[],
        rollouts: None,
    };

    /// A move back that thoughts end in: they end nowhere without it, and the other moves stay as they were.
    #[test]
    fn without_moves_back_their_thoughts_end_nowhere() {
        let back = Alternative { is_undo: true, thoughts: &[0.25, 0.25], ..PLAIN };
        let on = Alternative { thoughts: &[0.0, 0.0, 0.5], ..PLAIN };
        let mut decisions = Decisions::new();
        for (alternatives, chosen) in [([back, on, PLAIN], 1), ([on, PLAIN, back], 2), ([PLAIN, back, on], 2)] {
            decisions.push(&decision(&alternatives, chosen, 1)).unwrap();
        }
        let kept = decisions.without_undo();
        assert_eq!((kept.n(), kept.n_alternatives(), kept.chosen(0), kept.chosen(1)), (2, 4, 0, 1));
        assert_eq!(kept.lists().all()[kept.circles(0) as usize], [0.25, 0.25]);
        let mut expected = Decisions::new();
        for (alternatives, chosen) in [([on, PLAIN], 0), ([PLAIN, on], 1)] {
            let decision = Decision { circles: &[0.25, 0.25], ..decision(&alternatives, chosen, 1) };
            expected.push(&decision).unwrap();
        }
        let [actual, expected] = [&kept, &expected].map(|decisions| {
            crate::fit(decisions, &crate::model::Model::new(crate::model::Rule::AndOrNoSame), &Default::default())
        });
        assert_eq!(actual.log_likelihood, expected.log_likelihood);
    }

    fn decision<'a>(alternatives: &'a [Alternative<'a>], chosen: usize, level: u32) -> Decision<'a> {
        Decision { alternatives, chosen, distance: Some(3), level, circles: &[] }
    }

    #[test]
    fn what_is_no_decision_is_refused_and_not_added() {
        let mut decisions = Decisions::new();
        let mut refused = |alternatives: &[Alternative], chosen| {
            decisions.push(&decision(alternatives, chosen, 0)).unwrap_err().to_string()
        };
        assert_eq!(refused(&[], 0), "a decision needs legal moves, found none");
        assert_eq!(
            refused(&[PLAIN], 1),
            "the chosen move is 1 (from 0) of 1 legal moves, but must be one of the legal moves"
        );
        for regret in [-1.0, f64::NAN, f64::INFINITY] {
            refused(&[PLAIN, Alternative { regret: Some(regret), ..PLAIN }], 0);
        }
        refused(&[Alternative { look_ahead: &[1.0], ..PLAIN }], 0);
        assert_eq!(decisions, Decisions::new());
        let mut deep = Decisions::with_depths(&[1]);
        assert!(deep.push(&decision(&[Alternative { look_ahead: &[f64::NAN], ..PLAIN }], 0, 0)).is_err());
    }

    #[test]
    fn levels_are_kept_whole_and_choices_can_be_replaced() {
        let mut decisions = Decisions::with_depths(&[2, 4]);
        for (level, n) in [(7, 3), (2, 1), (7, 2)] {
            let values = [f64::from(level), 0.5];
            let alternatives = vec![Alternative { look_ahead: &values, ..PLAIN }; n];
            decisions.push(&decision(&alternatives, n - 1, level)).unwrap();
        }
        assert_eq!(decisions.levels(), [2, 7]);
        let seven = decisions.on_levels(|level| level == 7);
        assert_eq!((seven.n(), seven.n_alternatives(), seven.chosen(1)), (2, 5, 1));
        assert_eq!((seven.look_ahead(4, 0), seven.look_ahead(4, 1)), (7.0, 0.5));
        assert_eq!(seven.with_choices(&[0, 0]).unwrap().chosen(0), 0);
        assert!(seven.with_choices(&[0, 2]).is_err() && seven.with_choices(&[0]).is_err());
        assert_eq!(decisions.on_levels(|_| true), decisions);
    }
}
