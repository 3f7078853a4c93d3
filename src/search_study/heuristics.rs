//! Quality of a heuristic over all states of a level.

use super::named_heuristic::NamedHeuristic;
use plymap_puzzles::game::Distance;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::correlation::{Correlation, pearson, spearman};

/// A heuristic measured against the distances of a whole map.
#[derive(Clone, Debug, PartialEq)]
pub struct HeuristicQuality {
    /// The level.
    pub level: String,
    /// The heuristic.
    pub heuristic: String,
    /// Meaning of the heuristic, in a few words.
    pub meaning: String,
    /// True if its game claims that it is admissible; absent for sums.
    pub claims_admissible: Option<bool>,
    /// Number of states from which a goal can be reached.
    pub n_states: u64,
    /// Number of states whose distance it overestimates.
    pub n_overestimates: u64,
    /// Largest excess over the distance.
    pub largest_overestimate: f64,
    /// The first state that it overestimates, in the level's notation.
    pub example: Option<String>,
    /// Moves from a state to another one along which it falls by more than the move costs (Pearl 1984), and goals
    /// of which it is not 0.
    pub n_inconsistent: u64,
    /// The first such state.
    pub inconsistent_example: Option<String>,
    /// Number of dead ends, states from which no goal can be reached.
    pub n_dead_ends: u64,
    /// Those among them that it recognises: of which it is infinite.
    pub n_dead_ends_recognised: u64,
    /// Mean of the heuristic divided by the distance, over all states but goals.
    pub mean_ratio: Option<f64>,
    /// Correlation with the distance over all states from which a goal can be reached.
    pub pearson: Correlation,
    /// The same by ranks.
    pub spearman: Correlation,
}

impl HeuristicQuality {
    /// Returns true if it never exceeds the distance.
    pub fn is_admissible(&self) -> bool {
        self.n_overestimates == 0
    }

    /// Returns true if it never falls by more than a move costs, and is 0 at goals.
    pub fn is_consistent(&self) -> bool {
        self.n_inconsistent == 0
    }
}

/// Excess over the distance that is no overestimate: sums of fractions are not exact.
const ROUNDING: f64 = 1e-9;

/// Measures a heuristic over the whole map of a level; none if the level was not mapped.
pub fn heuristic_quality(
    level: &ValuedLevel,
    heuristic: &NamedHeuristic,
    confidence: Confidence,
) -> Option<HeuristicQuality> {
    let whole = level.whole.as_ref()?;
    let (map, distances) = (&whole.map, &whole.distances);
    let estimates: Vec<f64> =
        (0..map.n_states() as u32).map(|node| heuristic.estimate(level, map.code(node))).collect();
    let shown = |node: u32| Some(level.rules.format_state(map.code(node)));
    let mut quality = HeuristicQuality {
        level: level.id.clone(),
        heuristic: heuristic.name.clone(),
        meaning: heuristic.meaning.clone(),
        claims_admissible: heuristic.claims_admissible,
        n_states: 0,
        n_overestimates: 0,
        largest_overestimate: 0.0,
        example: None,
        n_inconsistent: 0,
        inconsistent_example: None,
        n_dead_ends: 0,
        n_dead_ends_recognised: 0,
        mean_ratio: None,
        pearson: pearson(&[], &[], confidence),
        spearman: spearman(&[], &[], confidence),
    };
    let (mut said, mut true_distances, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for node in 0..map.n_states() as u32 {
        let estimate = estimates[node as usize];
        let Some(Distance(distance)) = distances.get(node) else {
            quality.n_dead_ends += 1;
            quality.n_dead_ends_recognised += u64::from(estimate.is_infinite());
            continue;
        };
        let distance = f64::from(distance);
        quality.n_states += 1;
        if estimate > distance + ROUNDING {
            quality.n_overestimates += 1;
            quality.largest_overestimate = quality.largest_overestimate.max(estimate - distance);
            quality.example = quality.example.take().or_else(|| shown(node));
        }
        if estimate.is_finite() {
            said.push(estimate);
            true_distances.push(distance);
            ratios.extend((distance > 0.0).then(|| estimate / distance));
        }
        // Each arc of a map costs 1.
        let falls = |&&after: &&u32| estimate > 1.0 + estimates[after as usize] + ROUNDING;
        let n_falls = map.graph.successors(node).iter().filter(falls).count() as u64
            + u64::from(map.is_goal(node) && estimate > ROUNDING);
        if n_falls > 0 {
            quality.n_inconsistent += n_falls;
            quality.inconsistent_example = quality.inconsistent_example.take().or_else(|| shown(node));
        }
    }
    quality.mean_ratio = (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64);
    quality.pearson = pearson(&said, &true_distances, confidence);
    quality.spearman = spearman(&said, &true_distances, confidence);
    Some(quality)
}
