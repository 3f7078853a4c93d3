//! Cones of few dimensions: in which directions a concave likelihood never falls.

use nalgebra::{DMatrix, DVector};

/// Length below which a part of a vector of length 1 is rounding.
const ROUNDING: f64 = 1e-9;

/// The steps of the search for a combination that vanishes; some ten are enough in few dimensions.
const MOST_STEPS: usize = 300;

/// The directions d with c · d ≤ 0 for all of given vectors c, told by two subspaces.
///
/// A log-likelihood Σ −ln Σ exp(c · θ) rises without end in each of them but those with c · d = 0 for all c, in which it stays
/// the same (Albert and Anderson, 1984, *Biometrika*, 71, 1–10, for logistic regression).
#[derive(Clone, Debug)]
pub(crate) struct Directions {
    /// An orthonormal basis of what all of them are perpendicular to: the vectors c of which -c is a sum of c with weights
    /// above 0. A coordinate axis within this space takes part in none of the directions.
    bounded: Vec<DVector<f64>>,
    /// An orthonormal basis of the vectors c.
    determined: Vec<DVector<f64>>,
    /// The units of the coordinates in both.
    units: DVector<f64>,
}

/// Dependence of a likelihood of several parameters on one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tendency {
    /// The likelihood falls on both sides, whatever becomes of the others.
    Bounded,
    /// It stays the same where the parameter is changed together with others.
    Flat,
    /// It rises without end as the parameter, alone or together with others, goes to one side.
    Endless,
}

impl Directions {
    /// Finds the directions for vectors c of `n` numbers. `ends` are further conditions on the directions, of
    /// parameters that have an end.
    pub fn new(vectors: &[DVector<f64>], ends: &[DVector<f64>], n: usize) -> Self {
        // Which coordinates a direction has is the same in any unit of them.
        let largest = |place: usize| vectors.iter().map(|vector| vector[place].abs()).fold(0.0, f64::max);
        let units = DVector::from_fn(n, |place, _| Some(largest(place)).filter(|unit| *unit > 0.0).unwrap_or(1.0));
        let scaled = |vector: &DVector<f64>| vector.component_div(&units);
        let data: Vec<DVector<f64>> =
            vectors.iter().map(scaled).filter_map(|vector| vector.try_normalize(0.0)).collect();
        let mut determined = Vec::new();
        data.iter().for_each(|vector| extend(&mut determined, vector));
        let all: Vec<DVector<f64>> =
            data.into_iter().chain(ends.iter().map(scaled).filter_map(|vector| vector.try_normalize(0.0))).collect();
        let mut bounded = Vec::new();
        loop {
            let rest: Vec<DVector<f64>> = all.iter().filter_map(|vector| beside(&bounded, vector)).collect();
            let vanishing = vanishing_combination(&rest);
            if vanishing.is_empty() {
                return Self { bounded, determined, units };
            }
            vanishing.into_iter().for_each(|place| extend(&mut bounded, &rest[place]));
        }
    }

    /// Returns true if the likelihood rises without end in some direction.
    pub fn has_endless(&self) -> bool {
        self.determined.iter().any(|vector| beside(&self.bounded, vector).is_some())
    }

    /// Dependence of the likelihood on a parameter.
    pub fn of(&self, place: usize, n: usize) -> Tendency {
        let axis = DVector::from_fn(n, |other, _| f64::from(u8::from(other == place)));
        match (beside(&self.determined, &axis).is_some(), beside(&self.bounded, &axis).is_some()) {
            (true, _) => Tendency::Flat,
            (false, true) => Tendency::Endless,
            (false, false) => Tendency::Bounded,
        }
    }

    /// Number of dimensions of what the likelihood depends on.
    pub fn rank(&self) -> usize {
        self.determined.len()
    }

    /// A basis of what the directions are perpendicular to. What is 0 but for rounding is 0: there may be hardly any information
    /// on that coordinate, by which it is divided.
    pub fn bounded(&self) -> impl Iterator<Item = DVector<f64>> {
        let clean = |part: f64| if part.abs() < ROUNDING { 0.0 } else { part };
        self.bounded.iter().map(move |vector| vector.map(clean).component_mul(&self.units))
    }
}

/// A vector of length 1 as seen beside an orthonormal basis, again with length 1; none where it lies within.
fn beside(basis: &[DVector<f64>], vector: &DVector<f64>) -> Option<DVector<f64>> {
    // Modified Gram and Schmidt: each part is taken off what is left, not off the vector, which keeps the rest
    // perpendicular.
    let rest = basis.iter().fold(vector.clone(), |rest, axis| {
        let part = axis.dot(&rest);
        rest - axis * part
    });
    rest.try_normalize(ROUNDING)
}

fn extend(basis: &mut Vec<DVector<f64>>, vector: &DVector<f64>) {
    let further = beside(basis, vector);
    // Once more, as what is left may be short, and its rounding long beside it.
    basis.extend(further.and_then(|further| beside(basis, &further)));
}

/// The vectors that have weights above 0 in a sum that vanishes; none if some direction is at an obtuse angle to all. Where
/// rounding leaves both unproved, all.
///
/// The sum is the least-squares solution with weights that are not negative and add up to 1 (Lawson and Hanson, 1974, *Solving
/// least squares problems*, chapter 23): what it leaves is such a direction, if it leaves anything.
fn vanishing_combination(vectors: &[DVector<f64>]) -> Vec<usize> {
    let Some(first) = vectors.first() else { return Vec::new() };
    let n = first.len();
    let column = |place: usize| vectors[place].push(1.0);
    let target = DVector::from_fn(n + 1, |row, _| f64::from(u8::from(row == n)));
    let mut chosen: Vec<usize> = Vec::new();
    let mut weights: Vec<f64> = Vec::new();
    let mut rest = target.clone();
    for _ in 0..MOST_STEPS {
        let towards = |place: usize| vectors[place].dot(&rest.rows(0, n)) + rest[n];
        let best = (0..vectors.len()).filter(|place| !chosen.contains(place)).map(|place| (towards(place), place));
        let best = best.max_by(|left, right| left.0.total_cmp(&right.0));
        let Some((_, place)) = best.filter(|(gain, _)| *gain > 1e-13) else { break };
        chosen.push(place);
        weights.push(0.0);
        loop {
            let columns = DMatrix::from_columns(&chosen.iter().map(|&place| column(place)).collect::<Vec<_>>());
            let Ok(solution) = columns.svd(true, true).solve(&target, 1e-12) else {
                return (0..vectors.len()).collect();
            };
            let backwards = weights.iter().zip(&solution).filter(|(_, new)| **new <= 0.0);
            // As far towards the solution as no weight falls below 0; the one that reaches it leaves (Lawson and
            // Hanson).
            let share = backwards.map(|(old, new)| old / (old - new)).fold(1.0, f64::min);
            weights.iter_mut().zip(&solution).for_each(|(old, new)| *old += share * (new - *old));
            if share == 1.0 {
                break;
            }
            let is_left = |weight: &f64| *weight > 1e-14;
            let mut left = weights.iter().map(is_left);
            chosen.retain(|_| left.next().unwrap_or(false));
            weights.retain(is_left);
        }
        rest =
            chosen.iter().zip(&weights).fold(target.clone(), |rest, (&place, weight)| rest - column(place) * *weight);
        if rest.norm() < ROUNDING {
            let is_part = |(&place, weight): (&usize, &f64)| (*weight > ROUNDING).then_some(place);
            return chosen.iter().zip(&weights).filter_map(is_part).collect();
        }
    }
    let is_proved = vectors.iter().all(|vector| vector.dot(&rest.rows(0, n)) < 0.0);
    if is_proved { Vec::new() } else { (0..vectors.len()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directions(vectors: &[[f64; 2]], ends: &[[f64; 2]]) -> Directions {
        let columns = |all: &[[f64; 2]]| all.iter().map(|values| DVector::from_row_slice(values)).collect::<Vec<_>>();
        Directions::new(&columns(vectors), &columns(ends), 2)
    }

    #[test]
    fn who_prefers_each_of_two_things_now_and_then_has_bounds() {
        let tendencies = directions(&[[1.0, 0.0], [-2.0, 0.0], [0.0, 3.0], [1.0, -1.0]], &[]);
        assert_eq!([tendencies.of(0, 2), tendencies.of(1, 2)], [Tendency::Bounded; 2]);
        assert!(!tendencies.has_endless() && tendencies.rank() == 2);
    }

    #[test]
    fn a_separation_may_need_two_weights_at_once() {
        // Each coordinate has both signs, and (−2, −1) is at an obtuse angle to all.
        let tendencies = directions(&[[3.0, -2.0], [-1.0, 4.0], [1.0, 0.5]], &[]);
        assert_eq!([tendencies.of(0, 2), tendencies.of(1, 2)], [Tendency::Endless; 2]);
        assert!(tendencies.has_endless());
        // With an end at 0 of the first, d₁ ≥ 0, no direction is left: 3 d₁ ≤ 2 d₂, d₁ + d₂ / 2 ≤ 0.
        assert!(!directions(&[[3.0, -2.0], [-1.0, 4.0], [1.0, 0.5]], &[[-1.0, 0.0]]).has_endless());
    }

    #[test]
    fn one_weight_can_be_bounded_beside_one_that_is_not() {
        let tendencies = directions(&[[1.0, 0.0], [-1.0, 0.0], [5.0, -1.0], [-5.0, -1.0]], &[]);
        assert_eq!([tendencies.of(0, 2), tendencies.of(1, 2)], [Tendency::Bounded, Tendency::Endless]);
        // And weights of which only the sum counts have none of their own.
        let tendencies = directions(&[[1.0, 1.0], [-2.0, -2.0]], &[]);
        assert_eq!([tendencies.of(0, 2), tendencies.of(1, 2)], [Tendency::Flat; 2]);
        assert_eq!((tendencies.has_endless(), tendencies.rank()), (false, 1));
    }
}
