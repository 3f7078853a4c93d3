//! Conditional maximum likelihood: difficulties without any assumption about the abilities.
//!
//! Given how many levels a participant solved, which ones does not depend on the ability (Andersen,
//! 1972, *Journal of the Royal Statistical Society B*, 34, 42–54). The probability of each number
//! is taken at the ability for which it is expected, where it is not small: the elementary symmetric
//! functions of which the likelihood is usually written leave the range of `f64` with many levels.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use serde::Serialize;

use super::table::{Count, Table};
use crate::apa::first_of;
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::logistic;
use crate::numeric::newton::{Local, Maximum, halving};
use crate::stats::rasch::levels::{LevelDifficulty, new_places, start};
use crate::stats::rasch::table::undefined;

/// Limit on the levels that are named of those that cannot be compared.
const SHOWN: usize = 10;

/// Refused where the sum of the cubed numbers of levels, over all different sets of levels tried and
/// numbers solved, exceeds this: one step would take seconds.
pub const MOST_CONDITIONAL_WORK: f64 = 2e9;

/// Largest number of steps.
const MOST_STEPS: usize = 100;

/// A step that promises less log-likelihood than this is the last.
const ARRIVED: f64 = 1e-12;

/// The fit has converged if no more than this much log-likelihood can be expected.
const CONVERGED: f64 = 1e-7;

/// Difficulties farther from their mean than this are not searched for.
const LARGEST: f64 = 30.0;

/// A Rasch model fitted by conditional maximum likelihood.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ConditionalRasch {
    /// Number of participants who solved some but not all of their levels; the others say nothing
    /// about difficulties.
    pub n_participants: usize,
    /// The levels in alphabetical order. The mean of their difficulties is 0, and their standard
    /// errors are those of differences from this mean. No infit and outfit: there are no abilities.
    pub levels: Vec<LevelDifficulty>,
    /// Maximum of the conditional log-likelihood.
    pub log_likelihood: Option<f64>,
    /// True if the optimiser converged to a maximum of the likelihood.
    pub converged: bool,
    /// Number of steps to get there.
    pub n_steps: usize,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Reason why there is no model, or why the search did not converge.
    pub reason: Option<NotEstimable>,
}

/// Fits the difficulties of the Rasch model by conditional maximum likelihood, as a check of
/// [`rasch`](crate::stats::rasch::model::rasch()): where abilities are not normal, the two differ.
///
/// There is a maximum exactly where each division of the levels into two is crossed in both directions: someone solved
/// a level of the one part and failed one of the other, and the other way round (Fischer, 1981, *Psychometrika*, 46,
/// 59–77). Else `reason` names the two parts.
///
/// Andersen (1972), see above. The same as R's `clogit(solved ~ level + strata(participant),
/// method = "exact")`, centred. A level that all or none of the telling participants solved has no
/// finite difficulty and is left out, then participants who solved all or none of the rest, and so
/// on. Limit: [`MOST_CONDITIONAL_WORK`].
pub fn rasch_conditional<P: AsRef<str>, L: AsRef<str>>(
    participants: &[P],
    levels: &[L],
    solved: &[bool],
    confidence: Confidence,
) -> ConditionalRasch {
    let mut model = ConditionalRasch { confidence, ..ConditionalRasch::default() };
    model.reason = Table::new(participants, levels, solved).and_then(|table| model.fit(&table)).err();
    model
}

impl ConditionalRasch {
    fn fit(&mut self, table: &Table) -> Result<(), NotEstimable> {
        self.levels = LevelDifficulty::all(table);
        let (finite, rows) = telling(table);
        for (level, difficulty) in self.levels.iter_mut().enumerate() {
            if difficulty.reason.is_none() && !finite.contains(&level) {
                let (quantity, why) = ("the difficulty", "all or none of the telling participants solved the level");
                difficulty.reason = Some(NotEstimable::Undefined { quantity, why: why.to_owned() });
            }
        }
        self.n_participants = rows.len();
        check_count("a conditional Rasch model", "levels that some but not all solved", finite.len(), 2)?;
        let groups = groups(&rows);
        check_work(&groups)?;
        check_links(table, &finite, &rows)?;
        let mut counts = vec![Count::default(); finite.len()];
        for &(level, solved) in rows.iter().flatten() {
            counts[level].n += 1;
            counts[level].n_solved += usize::from(solved);
        }
        let conditional = Conditional { groups: &groups, counts: &counts };
        let Maximum { point: difficulties, local, n_iterations, .. } = conditional.maximise();
        self.n_steps = n_iterations;
        self.log_likelihood = Some(local.value);
        let diverged = difficulties.amax() > LARGEST;
        let Some(covariance) = local.information.clone().cholesky().filter(|_| !diverged) else {
            return Err(undefined(format!("difficulties are more than {LARGEST} logits from their mean")));
        };
        let expected = 0.5 * local.gradient.dot(&covariance.solve(&local.gradient));
        // The part along equal shifts of all difficulties was added to make the matrix invertible.
        let covariance = covariance.inverse().add_scalar(-1.0 / finite.len() as f64);
        for (place, &level) in finite.iter().enumerate() {
            let error = covariance[(place, place)].max(0.0).sqrt();
            self.levels[level].set(difficulties[place], Some(error), self.confidence);
        }
        self.converged = expected <= CONVERGED;
        let why = || undefined(format!("the log-likelihood could still rise by {expected:e}"));
        if self.converged { Ok(()) } else { Err(why()) }
    }
}

/// The levels with a finite difficulty, and the rows of the participants who tell about them.
fn telling(table: &Table) -> (Vec<usize>, Vec<Vec<(usize, bool)>>) {
    let mut finite: Vec<usize> = (0..table.levels.len()).collect();
    loop {
        let mut rows = table.restricted(&new_places(&finite, table.levels.len()));
        rows.retain(|row| !Table::of_participant(row).is_extreme());
        let mut counts = vec![Count::default(); finite.len()];
        for &(level, solved) in rows.iter().flatten() {
            counts[level].n += 1;
            counts[level].n_solved += usize::from(solved);
        }
        let kept: Vec<usize> =
            finite.iter().zip(&counts).filter(|(_, count)| !count.is_extreme()).map(|(&level, _)| level).collect();
        if kept.len() == finite.len() {
            return (finite, rows);
        }
        finite = kept;
    }
}

/// Participants who tried the same levels and solved the same number.
struct ScoreGroup {
    levels: Vec<usize>,
    n_solved: usize,
    n_participants: f64,
}

fn groups(rows: &[Vec<(usize, bool)>]) -> Vec<ScoreGroup> {
    let mut sizes: BTreeMap<(Vec<usize>, usize), usize> = BTreeMap::new();
    for row in rows {
        let levels = row.iter().map(|&(level, _)| level).collect();
        *sizes.entry((levels, Table::of_participant(row).n_solved)).or_default() += 1;
    }
    let group = |((levels, n_solved), n): ((Vec<usize>, usize), usize)| ScoreGroup {
        levels,
        n_solved,
        n_participants: n as f64,
    };
    sizes.into_iter().map(group).collect()
}

fn check_work(groups: &[ScoreGroup]) -> Result<(), NotEstimable> {
    let work: f64 = groups.iter().map(|group| (group.levels.len() as f64).powi(3)).sum();
    if work <= MOST_CONDITIONAL_WORK {
        return Ok(());
    }
    let quantity = "the sum of the cubed numbers of levels tried";
    Err(NotEstimable::OutOfRange { quantity, value: work.to_string(), allowed: "at most 2,000,000,000" })
}

/// Refuses responses for which the likelihood has no maximum (Fischer, 1981): the graph with an arrow from each level
/// that someone solved to each that the same participant failed must be strongly connected.
fn check_links(table: &Table, finite: &[usize], rows: &[Vec<(usize, bool)>]) -> Result<(), NotEstimable> {
    let n_levels = finite.len();
    // Each participant is a node between the levels solved and those failed, so that there are as many arrows as
    // responses and not as many as pairs of them.
    let arrows = rows.iter().enumerate().flat_map(|(row, responses)| {
        let participant = n_levels + row;
        let arrow =
            move |&(level, solved): &(usize, bool)| if solved { (level, participant) } else { (participant, level) };
        responses.iter().map(arrow)
    });
    let graph = DiGraph::<(), (), usize>::from_edges(arrows);
    // Arrows between the parts go from later to earlier ones. So none enters the last.
    let parts = kosaraju_scc(&graph);
    let is_level = |node: &NodeIndex<usize>| node.index() < n_levels;
    let Some(last) = parts.iter().rev().find(|part| part.iter().any(is_level)) else { return Ok(()) };
    let mut places: Vec<usize> = last.iter().filter(|node| is_level(node)).map(|node| node.index()).collect();
    if places.len() == n_levels {
        return Ok(());
    }
    places.sort_unstable();
    let names = |in_last: bool| {
        let in_group = (0..n_levels).filter(|place| places.binary_search(place).is_ok() == in_last);
        first_of(&in_group.map(|place| table.levels[finite[place]].as_str()).collect::<Vec<_>>(), SHOWN)
    };
    let (easy, hard) = (names(true), names(false));
    Err(undefined(format!(
        "the likelihood has no maximum: no one failed one of ({easy}) and solved one of ({hard}), so that the levels of \
         the one group cannot be compared with those of the other"
    )))
}

struct Conditional<'a> {
    groups: &'a [ScoreGroup],
    counts: &'a [Count],
}

impl Conditional<'_> {
    fn maximise(&self) -> Maximum {
        let mut point = centred(DVector::from_vec(start(self.counts.iter().copied())));
        let mut local = self.at(&point);
        let (mut n_iterations, mut converged) = (0, false);
        while n_iterations < MOST_STEPS && !converged {
            n_iterations += 1;
            let Some(information) = local.information.clone().cholesky() else { break };
            let direction = information.solve(&local.gradient);
            let expected = 0.5 * direction.dot(&local.gradient);
            let longer = halving(30, |share| {
                let next = centred(&point + &direction * share);
                let next_local = self.at(&next);
                (next_local.value >= local.value).then_some((next, next_local))
            });
            let Some(better) = longer else { break };
            (point, local) = better;
            converged = expected < ARRIVED;
            if point.amax() > LARGEST {
                break;
            }
        }
        Maximum { point, local, is_bound: Vec::new(), converged, n_iterations }
    }

    /// The conditional log-likelihood with its derivatives in the difficulties. To the information 1/n is added in each
    /// of its n × n elements: a shift of all difficulties changes nothing, so that without it the matrix had no inverse.
    fn at(&self, point: &DVector<f64>) -> Local {
        let n = self.counts.len();
        let solved = DVector::from_iterator(n, self.counts.iter().map(|count| count.n_solved as f64));
        let mut local = Local {
            value: -solved.dot(point),
            gradient: -solved,
            information: DMatrix::from_element(n, n, 1.0 / n as f64),
        };
        self.groups.iter().for_each(|group| group.add_to(&mut local, point));
        local
    }
}

impl ScoreGroup {
    fn add_to(&self, local: &mut Local, point: &DVector<f64>) {
        let difficulties: Vec<f64> = self.levels.iter().map(|&level| point[level]).collect();
        let (n, score, weight) = (difficulties.len(), self.n_solved, self.n_participants);
        let ability = ability_of_score(&difficulties, score as f64);
        let p: Vec<f64> = difficulties.iter().map(|difficulty| logistic(ability - difficulty)).collect();
        let all = p.iter().fold(vec![1.0], |others, &p| with_level(&others, p));
        // The logarithm of the elementary symmetric function of the easinesses exp(−difficulty).
        let log_failures: f64 = p.iter().map(|p| (-p).ln_1p()).sum();
        local.value -= weight * (all[score].ln() - log_failures - ability * score as f64);
        let mut solved = vec![0.0; n];
        let mut both = DMatrix::zeros(n, n);
        for left in 0..n {
            let others = without_level(&all, p[left]);
            solved[left] = p[left] * others[score - 1] / all[score];
            for right in 0..left {
                let rest = if score < 2 { 0.0 } else { without_level(&others, p[right])[score - 2] };
                both[(left, right)] = p[left] * p[right] * rest / all[score];
            }
        }
        for left in 0..n {
            let level = self.levels[left];
            local.gradient[level] += weight * solved[left];
            local.information[(level, level)] += weight * solved[left] * (1.0 - solved[left]);
            for right in 0..left {
                let other = self.levels[right];
                let covariance = weight * (both[(left, right)] - solved[left] * solved[right]);
                local.information[(level, other)] += covariance;
                local.information[(other, level)] += covariance;
            }
        }
    }
}

/// The ability at which `score` of the levels are expected to be solved; a rough value will do.
fn ability_of_score(difficulties: &[f64], score: f64) -> f64 {
    let (mut low, mut high) = (-2.0 * LARGEST, 2.0 * LARGEST);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        let expected: f64 = difficulties.iter().map(|difficulty| logistic(middle - difficulty)).sum();
        if expected < score { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The probabilities of each number of solved levels with one more level.
fn with_level(others: &[f64], p: f64) -> Vec<f64> {
    let mut all = vec![0.0; others.len() + 1];
    for (solved, probability) in others.iter().enumerate() {
        all[solved] += probability * (1.0 - p);
        all[solved + 1] += probability * p;
    }
    all
}

/// The inverse of [`with_level`], begun at the end from which errors shrink.
fn without_level(all: &[f64], p: f64) -> Vec<f64> {
    let n = all.len() - 1;
    let mut others = vec![0.0; n];
    if p <= 0.5 {
        let mut before = 0.0;
        for solved in 0..n {
            before = (all[solved] - p * before) / (1.0 - p);
            others[solved] = before;
        }
    } else {
        let mut after = 0.0;
        for solved in (0..n).rev() {
            after = (all[solved + 1] - (1.0 - p) * after) / p;
            others[solved] = after;
        }
    }
    others
}

fn centred(values: DVector<f64>) -> DVector<f64> {
    let mean = values.mean();
    values.add_scalar(-mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_taken_away_leaves_the_others() {
        for p in [0.001, 0.3, 0.5, 0.7, 0.999] {
            let others = with_level(&with_level(&with_level(&[1.0], 0.2), 0.6), 0.9);
            for (actual, expected) in without_level(&with_level(&others, p), p).iter().zip(&others) {
                assert!((actual - expected).abs() < 1e-14, "without {p}");
            }
        }
    }

    /// Fits sets of responses to the levels `L1`, `L2`, …, each as often as it says: 1 solved, 0 failed, `.` not tried.
    fn fit(patterns: &[(&str, usize)]) -> ConditionalRasch {
        let (mut participants, mut levels, mut solved) = (Vec::new(), Vec::new(), Vec::new());
        let each = patterns.iter().flat_map(|&(pattern, n)| std::iter::repeat_n(pattern, n));
        for (participant, pattern) in each.enumerate() {
            for (level, response) in pattern.chars().enumerate().filter(|(_, response)| *response != '.') {
                participants.push(participant.to_string());
                levels.push(format!("L{}", level + 1));
                solved.push(response == '1');
            }
        }
        rasch_conditional(&participants, &levels, &solved, Confidence::default())
    }

    #[test]
    fn without_a_maximum_the_levels_are_named_that_cannot_be_compared() {
        // No one failed L1 or L2 and solved L3 or L4: the two groups drift apart without end.
        let model = fit(&[("1000", 4), ("0100", 3), ("1110", 5), ("1101", 4)]);
        assert!(!model.converged && model.levels.iter().all(|level| level.difficulty.is_none()));
        let reason = model.reason.unwrap().to_string();
        assert!(reason.contains("no one failed one of (L1, L2) and solved one of (L3, L4)"), "{reason}");
        // One who does is enough.
        let model = fit(&[("1000", 4), ("0100", 3), ("1110", 5), ("1101", 4), ("0110", 1)]);
        assert!(model.converged && model.reason.is_none());
        assert!(model.levels.iter().all(|level| level.standard_error.unwrap() < 3.0));
    }

    #[test]
    fn groups_of_levels_that_no_one_links_are_named_too() {
        let model = fit(&[("10..", 4), ("01..", 3), ("..10", 4), ("..01", 3)]);
        let reason = model.reason.unwrap().to_string();
        assert!(reason.contains("(L1, L2)") && reason.contains("(L3, L4)"), "{reason}");
    }

    #[test]
    fn many_levels_neither_overflow_nor_lose_digits() {
        let p: Vec<f64> = (0..400).map(|level| logistic(f64::from(level - 200) / 40.0)).collect();
        let all = p.iter().fold(vec![1.0], |others, &p| with_level(&others, p));
        let direct = p[1..].iter().fold(vec![1.0], |others, &p| with_level(&others, p));
        assert!((without_level(&all, p[0])[200] / direct[200] - 1.0).abs() < 1e-11);
    }
}
