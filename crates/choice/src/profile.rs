//! The ends of an interval by profile likelihood: where the maximum of the likelihood with one parameter
//! held fixed has dropped by a given amount.
//!
//! Venzon & Moolgavkar (1988). A method for computing profile-likelihood-based confidence intervals.
//! *Applied Statistics*, 37, 87–94. The ends are found by Newton's method between bounds, not by theirs.

/// Drop of the maximum at a value of the parameter, and its slope by the value.
#[derive(Clone, Copy)]
pub(crate) struct Drop {
    pub value: f64,
    pub slope: f64,
}

impl Drop {
    /// Drop to nothing: a choice has become impossible.
    pub const ENDLESS: Self = Self { value: f64::INFINITY, slope: f64::NAN };
}

/// The value between `estimate` and `limit` at which `drop` reaches `target`; the limit itself if it
/// does not up to there, and absent if the limit is infinite or `drop` cannot be computed.
///
/// `drop` is 0 at the estimate and grows with the distance from it. Where it may leap, or fall again, as from one peak of the
/// likelihood to the next, the bounds are first halved so many times as `n_halvings` says.
pub(crate) fn end(
    mut drop: impl FnMut(f64) -> Option<Drop>,
    estimate: f64,
    limit: f64,
    first_step: f64,
    target: f64,
    n_halvings: usize,
) -> Option<f64> {
    let direction = if limit > estimate { 1.0 } else { -1.0 };
    let (mut inside, mut step) = (estimate, first_step);
    // Doubled steps: the end lies near the first one where the likelihood is a parabola, and at any distance where it
    // is flat.
    for _ in 0..64 {
        let outside = estimate + direction * step;
        let is_beyond = (outside - limit) * direction >= 0.0;
        let outside = if is_beyond { limit } else { outside };
        // A drop to an impossible choice is infinite, and more than enough.
        let drop_there = drop(outside)?;
        if drop_there.value >= target {
            return between(drop, inside, (outside, drop_there), target, n_halvings);
        }
        if is_beyond {
            return Some(limit);
        }
        (inside, step) = (outside, 2.0 * step);
    }
    None
}

/// Newton's method for the root of the drop, which is nearly linear around a maximum within the range; by halves where that
/// leads out of the bounds, of which the drop is known at the second.
fn between(
    mut drop: impl FnMut(f64) -> Option<Drop>,
    mut inside: f64,
    (mut outside, mut last): (f64, Drop),
    target: f64,
    n_halvings: usize,
) -> Option<f64> {
    const MOST_STEPS: usize = 100;
    let mut at = outside;
    for n_steps in 0..MOST_STEPS {
        let (least, most) = (inside.min(outside), inside.max(outside));
        // On the root of the drop, which is nearly a straight line where the drop is nearly a parabola: Newton's
        // method then takes two or three steps.
        let newton = at - 2.0 * (last.value - (last.value * target).sqrt()) / last.slope;
        let is_between = n_steps >= n_halvings && newton > least && newton < most;
        // A step as short as rounding is the last: the next one would be that of its square.
        if is_between && (newton - at).abs() <= 1e-9 * newton.abs() {
            return Some(newton);
        }
        let middle = 0.5 * (inside + outside);
        if most - least <= 1e-10 * (most.abs() + least.abs()) || middle == inside || middle == outside {
            return Some(middle);
        }
        at = if is_between { newton } else { middle };
        last = drop(at)?;
        if last.value >= target {
            outside = at;
        } else {
            inside = at;
        }
    }
    Some(0.5 * (inside + outside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_where_the_drop_is_reached_or_the_range_ends() {
        let parabola = |value: f64| Some(Drop { value: (value - 2.0).powi(2), slope: 2.0 * (value - 2.0) });
        let upper = end(parabola, 2.0, f64::INFINITY, 0.1, 9.0, 0).unwrap();
        assert!((upper - 5.0).abs() < 1e-8);
        let lower = end(parabola, 2.0, f64::NEG_INFINITY, 50.0, 9.0, 3).unwrap();
        assert!((lower + 1.0).abs() < 1e-8);
        assert_eq!(end(parabola, 2.0, 4.0, 0.1, 9.0, 0), Some(4.0));
        assert_eq!(end(|_| Some(Drop { value: 0.0, slope: 0.0 }), 2.0, f64::INFINITY, 0.1, 9.0, 0), None);
    }
    /// A line is what a likelihood drops along from the end of a range; beyond 7, a choice is impossible.
    #[test]
    fn an_end_takes_few_steps_whatever_the_shape() {
        let line = |value: f64| Drop { value: 3.0 * value, slope: 3.0 };
        let power = |value: f64| Drop { value: value.powi(4), slope: 4.0 * value.powi(3) };
        let wall = |value: f64| if value > 7.0 { Drop::ENDLESS } else { Drop { value: 0.1 * value, slope: 0.1 } };
        let shapes: [(&dyn Fn(f64) -> Drop, f64); 3] = [(&line, 2.0 / 3.0), (&power, 2.0_f64.powf(0.25)), (&wall, 7.0)];
        for (shape, expected) in shapes {
            let mut n_steps = 0;
            let counted = |value: f64| {
                n_steps += 1;
                Some(shape(value))
            };
            let bound = end(counted, 0.0, 1e3, 1e-3, 2.0, 0).unwrap();
            assert!((bound - expected).abs() < 1e-8, "{bound} is not {expected}");
            assert!(n_steps < if expected == 7.0 { 60 } else { 24 }, "{n_steps}");
        }
    }
}
