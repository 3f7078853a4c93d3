//! Learning curves against scipy's least squares.

use plymap_statistics::stats::learning::{Shape, compare_curves};

use super::stats::{assert_close, assert_within, cases, confidence, get};

/// The reference is iterative: MINPACK stops when no step can lower the sum of squares in floating point, and near a
/// minimum the sum changes with the square of the parameters' distance from it. A relative rounding of 1e-16 in the
/// sum therefore leaves about 1e-8 of a standard error and more where parameters are correlated; 1e-5 of a standard
/// error is allowed, which is far below anything a reader could see. Standard errors change as fast as parameters:
/// 1e-5 of them. The sum itself, and AICc, agree to 1e-8 as they stand at a minimum.
#[test]
fn curves_are_those_of_scipy() {
    for case in cases("learning", "cases") {
        let (trials, y): (Vec<f64>, Vec<f64>) = (get(&case, "trials"), get(&case, "y"));
        let comparison = compare_curves(&trials, &y, confidence(&case));
        assert_eq!(comparison.best, Some(get::<Shape>(&case, "best")), "{}", case["name"]);
        let ratio: f64 = get(&case, "exponential_over_power");
        // A difference of AICc near 100, exact to 1e-12 or so, in an exponent.
        assert_within(comparison.exponential_over_power.unwrap(), ratio, 1e-8 * ratio, "evidence ratio");
        for (curve, expected) in comparison.curves.iter().zip(case["curves"].as_array().unwrap()) {
            let what = format!("{} curve of {}", expected["shape"], case["name"]);
            assert_eq!(curve.shape, get::<Shape>(expected, "shape"));
            assert!(curve.converged && curve.reason.is_none(), "{what}: {:?}", curve.reason);
            assert_close(curve.residual_sum_of_squares, get(expected, "rss"), &format!("{what}: sum of squares"));
            assert_close(curve.aicc, get(expected, "aicc"), &format!("{what}: AICc"));
            // That of the constant is 0 but for rounding in the reference.
            let r_squared: f64 = get(expected, "r_squared");
            assert_within(curve.r_squared.unwrap(), r_squared, 1e-8, &format!("{what}: R²"));
            let weight: f64 = get(expected, "weight");
            assert_within(curve.weight.unwrap(), weight, 1e-8 * weight, &format!("{what}: weight"));
            let (estimates, errors): (Vec<f64>, Vec<f64>) = (get(expected, "estimates"), get(expected, "errors"));
            let half_widths: Vec<f64> = get(expected, "half_widths");
            assert_eq!(curve.parameters.len(), estimates.len());
            for (number, parameter) in curve.parameters.iter().enumerate() {
                let (error, what) = (errors[number], format!("{what}: {}", parameter.name));
                assert_within(parameter.estimate, estimates[number], 1e-5 * error, &what);
                assert_within(parameter.standard_error.unwrap(), error, 1e-5 * error, &format!("{what}, error"));
                let half = (parameter.upper.unwrap() - parameter.lower.unwrap()) / 2.0;
                assert_within(half, half_widths[number], 1e-5 * error, &format!("{what}, interval"));
            }
        }
    }
}
