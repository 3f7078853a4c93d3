"""Reference values of stats::outliers: limits from scipy.stats.median_abs_deviation(scale="normal") and from
numpy.percentile; places of the values beyond them by numpy."""

import numpy as np
from scipy import stats

import oracle

rng = np.random.default_rng(20261202)
samples = {
    "times": np.round(rng.lognormal(0, 0.8, 60), 3),
    "logarithms": np.round(np.log(rng.lognormal(0, 0.8, 60)), 4),
    "Leys et al. (2013)": np.array([1.0, 3, 3, 6, 8, 10, 10, 1000]),
    "both sides": np.concatenate([np.round(rng.normal(50, 4, 31), 2), [12.0, 90.0, 71.0]]),
    "n = 3": np.array([1.0, 2.0, 40.0]),
}
cases = []
for name, x in samples.items():
    median, mad = np.median(x), stats.median_abs_deviation(x, scale="normal")
    q1, q3 = np.percentile(x, [25, 75])
    for rule, multiple, lower, upper in (
        ("mad", 3.0, median - 3 * mad, median + 3 * mad), ("mad", 2.5, median - 2.5 * mad, median + 2.5 * mad),
        ("tukey-fences", 1.5, q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)),
        ("tukey-fences", 3.0, q1 - 3 * (q3 - q1), q3 + 3 * (q3 - q1)),
    ):
        cases.append({
            "name": name, "x": x, "rule": rule, "multiple": multiple, "lower_limit": lower, "upper_limit": upper,
            "indices": np.flatnonzero((x < lower) | (x > upper)), "n_below": int((x < lower).sum()),
        })
oracle.write(__file__, cases)
