//! The power of an experiment by its number of participants.

use plymap_run::study::PowerTest;
use plymap_statistics::stats::interval::Proportion;
use plymap_tables::{Columns, Table, count, number};

/// Results of the experiments of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerPoint {
    /// Number of participants of each cohort.
    pub n: u32,
    /// Share of experiments whose p value is below α, with Wilson's interval.
    pub power: Proportion,
    /// Median of the effects: the difference of the means of the two cohorts, second less first, or the correlation.
    pub effect: Option<f64>,
    /// Experiments whose test could not be made; they count as having found nothing.
    pub n_failed: u64,
}

/// The power of an experiment.
#[derive(Clone, Debug)]
pub struct PowerCurve {
    /// One point for each number of participants, ascending.
    pub points: Vec<PowerPoint>,
    /// The fewest participants of each cohort, between the numbers that were tried, at which the power reaches the
    /// target; by a straight line between the two points around it. Absent if it is not reached.
    pub needed: Option<u32>,
    /// The test.
    pub test: PowerTest,
}

impl PowerCurve {
    /// The table `power`.
    pub fn table(&self) -> Table {
        let rows = &self.points[..];
        let effect = match self.test.compares() {
            true => {
                "median over experiments of the mean of the second cohort less that of the first; of a model its effect of the condition, on the scale of the model"
            }
            false => "median over experiments of the correlation",
        };
        Columns::new()
            .column(rows, count("n", "number of participants of each cohort"), |row| u64::from(row.n))
            .column(rows, count("n_experiments", "number of simulated experiments"), |row| row.power.n)
            .column(rows, count("n_found", "experiments whose p value is below alpha"), |row| row.power.successes)
            .column(rows, number("power", "n_found / n_experiments"), |row| row.power.estimate)
            .column(rows, number("lower", "lower end of its interval (Wilson, 1927)"), |row| row.power.lower)
            .column(rows, number("upper", "upper end of its interval"), |row| row.power.upper)
            .column(rows, number("median_effect", effect), |row| row.effect)
            .column(rows, count("n_failed", "experiments whose test could not be made; they found nothing"), |row| {
                row.n_failed
            })
            .into_table("power", "How often simulated experiments of each size find the effect.")
    }
}

/// Returns the number of participants at which straight lines between the points first reach the target, rounded up.
pub(super) fn needed(points: &[PowerPoint], target: f64) -> Option<u32> {
    let at = |point: &PowerPoint| Some((f64::from(point.n), point.power.estimate?));
    let first = at(points.first()?)?;
    if first.1 >= target {
        return Some(points.first()?.n);
    }
    points.windows(2).find_map(|pair| {
        let ((n, power), (more, higher)) = (at(&pair[0])?, at(&pair[1])?);
        // A crossing at a whole number is that number, whatever rounding says.
        let crossing = || n + (more - n) * (target - power) / (higher - power) - 1e-9;
        (power < target && higher >= target).then(|| crossing().ceil() as u32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_statistics::stats::Confidence;
    use plymap_statistics::stats::interval::proportion;

    #[test]
    fn the_number_needed_lies_between_the_points_around_the_target() {
        let point = |n, successes| PowerPoint {
            n,
            power: proportion(successes, 100, Confidence::default()),
            effect: None,
            n_failed: 0,
        };
        // From .6 at 10 to 1 at 20 the line reaches .8 at 15.
        assert_eq!(needed(&[point(5, 20), point(10, 60), point(20, 100)], 0.8), Some(15));
        assert_eq!(needed(&[point(5, 90), point(10, 95)], 0.8), Some(5));
        assert_eq!(needed(&[point(5, 20), point(10, 60)], 0.8), None);
    }
}
