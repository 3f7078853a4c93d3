//! What is left for any move where all rollouts may fail.

use plymap_statistics::numeric::wide::Work;

use super::jet::{Jet, constant};

/// Number of decisions that are computed side by side.
const N_LANES: usize = 4;

/// s / ((1 − s)^−K − 1) of several decisions, with its derivatives by t and ln K, from s with those by t; 1 where s is 0.
pub struct Failures<'a, const M: usize> {
    pub means: &'a [[f64; 3]],
    pub k: f64,
}

/// The same numbers of decisions side by side.
type Lanes = [f64; N_LANES];

impl<const M: usize> Work for Failures<'_, M> {
    type Result = Vec<Jet<M>>;

    #[inline(always)]
    fn run(self) -> Vec<Jet<M>> {
        let k = self.k;
        let mut all = vec![constant(1.0); self.means.len()];
        for (jets, means) in all.chunks_mut(N_LANES).zip(self.means.chunks(N_LANES)) {
            // The logarithm is ln s − ln(e^y − 1), y = K x, x = −ln(1 − s).
            let ([mut s, mut s_t, mut s_tt], [mut y, mut odds]) = ([[0.0; N_LANES]; 3], [[0.0; N_LANES]; 2]);
            for (lane, mean) in means.iter().enumerate().filter(|(_, mean)| mean[0] > 0.0) {
                [s[lane], s_t[lane], s_tt[lane]] = *mean;
                y[lane] = k * -(-s[lane]).ln_1p();
                odds[lane] = y[lane].exp_m1();
            }
            if M == 0 {
                let lanes = jets.iter_mut().zip(s.iter().zip(&y).zip(&odds)).filter(|(_, ((s, _), _))| **s > 0.0);
                lanes.for_each(|(jet, ((s, y), odds))| jet.value = if is_least(*y) { 0.0 } else { s * (1.0 / odds) });
                continue;
            }
            let [value, first, other, second, mixed, last] = derivatives(k, &s, &s_t, &s_tt, &y, &odds);
            for (lane, jet) in jets.iter_mut().enumerate().filter(|(lane, _)| s[*lane] > 0.0) {
                *jet = constant(0.0);
                if is_least(y[lane]) {
                    continue;
                }
                jet.value = value[lane];
                let (rows, columns) =
                    ([first[lane], other[lane]], [[second[lane], mixed[lane]], [mixed[lane], last[lane]]]);
                for row in 0..M.min(2) {
                    jet.first[row] = rows[row];
                    (0..M.min(2)).for_each(|column| jet.second[row][column] = columns[row][column]);
                }
            }
        }
        all
    }
}

/// From there on it is below 1e-300.
fn is_least(y: f64) -> bool {
    y.is_nan() || y > 690.0
}

/// The value, its derivatives by t and ln K, and the second ones by t twice, by both, and by ln K twice.
#[inline(always)]
fn derivatives(k: f64, s: &Lanes, s_t: &Lanes, s_tt: &Lanes, y: &Lanes, odds: &Lanes) -> [Lanes; 6] {
    let mut all = [[0.0; N_LANES]; 6];
    for lane in 0..N_LANES {
        let (s, s_t, y) = (s[lane], s_t[lane], y[lane]);
        let inverse = 1.0 / odds[lane];
        let value = s * inverse;
        let slope = (odds[lane] + 1.0) * inverse;
        let bend = slope * (1.0 - slope);
        let (x_s, s_inverse) = (1.0 / (1.0 - s), 1.0 / s);
        let by_s = s_inverse - slope * k * x_s;
        let by_ss = -s_inverse * s_inverse - slope * k * (x_s * x_s) - bend * ((k * x_s) * (k * x_s));
        let by_su = -k * x_s * (slope + bend * y);
        let (by_t, by_u) = (by_s * s_t, -slope * y);
        let by_tt = by_ss * s_t * s_t + by_s * s_tt[lane] + by_t * by_t;
        let by_tu = by_su * s_t + by_t * by_u;
        let by_uu = -slope * y - bend * y * y + by_u * by_u;
        all[0][lane] = value;
        for (row, by) in [by_t, by_u, by_tt, by_tu, by_uu].into_iter().enumerate() {
            all[1 + row][lane] = value * by;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_statistics::numeric::wide;

    /// The derivatives are those by differences of the function itself.
    #[test]
    fn derivatives_are_those_of_the_function() {
        let close = |left: f64, right: f64, scale: f64| (left - right).abs() <= 1e-5 * (scale.abs() + left.abs());
        let failure = |mean: [f64; 3], k: f64| -> Jet<2> { wide::run(Failures::<2> { means: &[mean], k })[0] };
        // s as a function of t: e^(t / 3) / 50.
        let s = |t: f64| {
            let value = (t / 3.0).exp() / 50.0;
            [value, value / 3.0, value / 9.0]
        };
        for (t, u) in [(0.0, 0.0), (1.0, 2.5), (3.0, 4.0), (-4.0, 7.0)] {
            let failure_at = |t: f64, u: f64| failure(s(t), u.exp());
            let at = |t: f64, u: f64| failure_at(t, u).value;
            let jet = failure_at(t, u);
            let h = 1e-3;
            let by_t = (at(t + h, u) - at(t - h, u)) / (2.0 * h);
            let by_u = (at(t, u + h) - at(t, u - h)) / (2.0 * h);
            let by_tt = (at(t + h, u) + at(t - h, u) - 2.0 * jet.value) / (h * h);
            let by_uu = (at(t, u + h) + at(t, u - h) - 2.0 * jet.value) / (h * h);
            let by_tu = (at(t + h, u + h) + at(t - h, u - h) - at(t + h, u - h) - at(t - h, u + h)) / (4.0 * h * h);
            assert!(close(jet.first[0], by_t, jet.value) && close(jet.first[1], by_u, jet.value), "{t} {u}");
            assert!(close(jet.second[0][0], by_tt, jet.value) && close(jet.second[1][1], by_uu, jet.value), "{t} {u}");
            assert!(close(jet.second[0][1], by_tu, jet.value), "{t} {u}");
        }
        // One rollout that fails leaves any move: s / (1 / (1 − s) − 1) = 1 − s.
        assert!((failure([0.2, 0.0, 0.0], 1.0).value - 0.8).abs() < 1e-15);
        assert_eq!(failure([0.5, 0.1, 0.0], 12.0_f64.exp()).value, 0.0);
    }

    #[test]
    fn both_ways_of_compiling_give_the_same_bits_and_values_are_those_beside_derivatives() {
        let means: Vec<[f64; 3]> =
            (0..19).map(|place| [0.05 * f64::from(place), 0.3, -0.1 * f64::from(place)]).collect();
        for k in [1.0, 7.5, 400.0] {
            let work = || Failures::<2> { means: &means, k };
            let (left, right) = (work().run(), wide::run(work()));
            let values = Failures::<0> { means: &means, k }.run();
            for ((left, right), value) in left.iter().zip(&right).zip(values) {
                assert_eq!((left.value, left.first, left.second), (right.value, right.first, right.second));
                assert_eq!(left.value, value.value);
            }
        }
    }
}
