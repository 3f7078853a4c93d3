//! The ends of an interval by profile likelihood: where the maximum of the likelihood with one parameter
//! held fixed has dropped by a given amount.
//!
//! Venzon & Moolgavkar (1988). A method for computing profile-likelihood-based confidence intervals.
//! *Applied Statistics*, 37, 87–94. The ends are found by halving, not by their method.

/// The value between `estimate` and `limit` at which `drop` reaches `target`; the limit itself if it
/// does not up to there, and absent if the limit is infinite or `drop` cannot be computed.
///
/// `drop` is 0 at the estimate and grows with the distance from it.
pub(super) fn end(
    drop: impl Fn(f64) -> Option<f64>,
    estimate: f64,
    limit: f64,
    first_step: f64,
    target: f64,
) -> Option<f64> {
    let direction = if limit > estimate { 1.0 } else { -1.0 };
    let (mut inside, mut step) = (estimate, first_step);
    for _ in 0..64 {
        let outside = estimate + direction * step;
        let is_beyond = (outside - limit) * direction >= 0.0;
        let outside = if is_beyond { limit } else { outside };
        // A drop to an impossible choice is infinite, and more than enough.
        if drop(outside)? >= target {
            return halve(drop, inside, outside, target);
        }
        if is_beyond {
            return Some(limit);
        }
        (inside, step) = (outside, 2.0 * step);
    }
    None
}

fn halve(drop: impl Fn(f64) -> Option<f64>, mut inside: f64, mut outside: f64, target: f64) -> Option<f64> {
    while (outside - inside).abs() > 1e-10 * (outside.abs() + inside.abs()) {
        let middle = 0.5 * (inside + outside);
        if middle == inside || middle == outside {
            break;
        }
        if drop(middle)? >= target {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    Some(0.5 * (inside + outside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_where_the_drop_is_reached_or_the_range_ends() {
        let parabola = |value: f64| Some((value - 2.0).powi(2));
        let found = end(parabola, 2.0, f64::INFINITY, 0.1, 9.0).unwrap();
        assert!((found - 5.0).abs() < 1e-8);
        let found = end(parabola, 2.0, f64::NEG_INFINITY, 50.0, 9.0).unwrap();
        assert!((found + 1.0).abs() < 1e-8);
        assert_eq!(end(parabola, 2.0, 4.0, 0.1, 9.0), Some(4.0));
        assert_eq!(end(|_| Some(0.0), 2.0, f64::INFINITY, 0.1, 9.0), None);
    }
}
