//! Arithmetic on many numbers at once, in loops that a compiler turns into instructions for several of them.

/// Σ left · right, in four sums side by side.
#[inline(always)]
pub fn dot(left: &[f64], right: &[f64]) -> f64 {
    let (left, last) = left.as_chunks::<4>();
    let (right, other_last) = right.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (left, right) in left.iter().zip(right) {
        (0..4).for_each(|lane| sums[lane] += left[lane] * right[lane]);
    }
    let rest: f64 = last.iter().zip(other_last).map(|(left, right)| left * right).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// Σ w, Σ w · (x − centre) and Σ w · (x − centre)² of `values` x with `weights` w: what [`sum`] and [`dot`] give, in one
/// pass.
#[inline]
pub fn moments(weights: &[f64], values: &[f64], centre: f64) -> [f64; 3] {
    let terms = |weight: f64, value: f64| {
        let deviation = value - centre;
        [weight, weight * deviation, weight * (deviation * deviation)]
    };
    let (weights, last_weights) = weights.as_chunks::<4>();
    let (values, last_values) = values.as_chunks::<4>();
    let mut sums = [[0.0; 4]; 3];
    for (weights, values) in weights.iter().zip(values) {
        for lane in 0..4 {
            let terms = terms(weights[lane], values[lane]);
            (0..3).for_each(|power| sums[power][lane] += terms[power]);
        }
    }
    let mut rests = [0.0; 3];
    for (&weight, &value) in last_weights.iter().zip(last_values) {
        rests.iter_mut().zip(terms(weight, value)).for_each(|(rest, term)| *rest += term);
    }
    std::array::from_fn(|power| {
        let sums = sums[power];
        (sums[0] + sums[2]) + (sums[1] + sums[3]) + rests[power]
    })
}

/// Σ values, in four sums side by side.
#[inline(always)]
pub fn sum(values: &[f64]) -> f64 {
    let (values, last) = values.as_chunks::<4>();
    let mut sums = [0.0; 4];
    values.iter().for_each(|values| (0..4).for_each(|lane| sums[lane] += values[lane]));
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + last.iter().sum::<f64>()
}

/// Adds `factor` times `values` to `total`.
#[inline(always)]
pub fn add(factor: f64, values: &[f64], total: &mut [f64]) {
    total.iter_mut().zip(values).for_each(|(total, value)| *total += factor * value);
}

/// ln 2 in two parts, of which the first has so few digits that small multiples of it are exact.
const LN_2: (f64, f64) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);

/// Added to a number of less than 2⁵¹ it leaves no room for digits behind the point: they are rounded.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// Somewhat below it the exponential function is no normal number.
const LOWEST: f64 = -708.0;

/// 1 / n!, the factors of the Taylor series: with the whole powers of 2 taken off, |x| is at most ln 2 / 2, and what comes
/// behind the thirteenth power is less than rounding.
const FACTORS: [f64; 14] = {
    let mut factors = [1.0; 14];
    let mut power = 1;
    while power < 14 {
        factors[power] = factors[power - 1] / power as f64;
        power += 1;
    }
    factors
};

/// Replaces numbers up to 700 by their exponential function, to within 4e-16 of itself; numbers below −708 by 0.
#[inline(always)]
pub fn exponentials(values: &mut [f64]) {
    for value in values {
        let is_low = *value < LOWEST;
        let x = if is_low { LOWEST } else { *value };
        let rounded = x * std::f64::consts::LOG2_E + ROUNDER;
        let power = rounded - ROUNDER;
        let rest = (x - power * LN_2.0) - power * LN_2.1;
        // Even and odd powers apart: neither waits for the other.
        let square = rest * rest;
        let (mut even, mut odd) = (FACTORS[12], FACTORS[13]);
        for power in (0..6).rev() {
            even = even * square + FACTORS[2 * power];
            odd = odd * square + FACTORS[2 * power + 1];
        }
        let series = even + odd * rest;
        // The lowest bits of `rounded` are the power of 2; they are brought to where a number has its exponent.
        let exponential = series * f64::from_bits((rounded.to_bits() << 52).wrapping_add(1.0_f64.to_bits()));
        *value = if is_low { 0.0 } else { exponential };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_have_nearly_all_digits() {
        let mut worst: f64 = 0.0;
        for place in 0..200_001 {
            let x = -708.0 + 1408.0 * f64::from(place) / 200_000.0;
            let mut exponential = [x];
            exponentials(&mut exponential);
            worst = worst.max((exponential[0] / x.exp() - 1.0).abs());
        }
        assert!(worst < 4.5e-16, "{worst:e}");
        let mut edge_cases = [0.0, -0.0, -1e4, f64::NEG_INFINITY, 1e-300, f64::NAN];
        exponentials(&mut edge_cases);
        assert_eq!(edge_cases[..5], [1.0, 1.0, 0.0, 0.0, 1.0]);
        assert!(edge_cases[5].is_nan());
    }

    #[test]
    fn products_are_summed_whatever_their_number() {
        for n in 0..11 {
            let values: Vec<f64> = (1..=n).map(f64::from).collect();
            assert_eq!(dot(&values, &values), f64::from(n * (n + 1) * (2 * n + 1) / 6));
        }
        let mut total = [1.0, 2.0];
        add(3.0, &[1.0, -1.0], &mut total);
        assert_eq!(total, [4.0, -1.0]);
        assert_eq!(sum(&[1.0, 2.0, 3.0, 4.0, 5.0]), 15.0);
    }

    #[test]
    fn moments_are_the_sums_and_products_bit_by_bit() {
        let numbers =
            |factor: usize| (0..70).map(|place| (place * factor % 71) as f64 / 7.0 - 3.0).collect::<Vec<f64>>();
        let (weights, values) = (numbers(29), numbers(31));
        for n in 0..=70 {
            let (weights, values) = (&weights[..n], &values[..n]);
            let deviations: Vec<f64> = values.iter().map(|value| value - 0.3).collect();
            let squares: Vec<f64> = deviations.iter().map(|deviation| deviation * deviation).collect();
            let expected = [sum(weights), dot(weights, &deviations), dot(weights, &squares)];
            assert_eq!(moments(weights, values, 0.3).map(f64::to_bits), expected.map(f64::to_bits), "{n} numbers");
        }
    }
}
