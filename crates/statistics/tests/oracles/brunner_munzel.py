"""Reference values of stats::two_samples::brunner_munzel: scipy.stats.brunnermunzel; effect and interval by counting."""

import numpy as np
from scipy import stats

import oracle

rng = np.random.default_rng(20261122)
samples = {
    "pain scores of Brunner and Munzel": (
        [1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1], [3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4]),
    "unequal variances": (np.round(rng.normal(0, 1, 40), 3), np.round(rng.normal(0.4, 4, 15), 3)),
    "times": (np.round(np.exp(rng.normal(2, 0.6, 23)), 2), np.round(np.exp(rng.normal(2.3, 0.6, 31)), 2)),
    "many ties": (rng.integers(1, 5, 60), rng.integers(2, 6, 55)),
    "alike": ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]),
    "one sample within another": ([2, 2, 2], [1, 3, 4]),
    "two and two": ([1, 3], [2, 4]),
    "large offset": (1e9 + rng.integers(0, 50, 12), 1e9 + rng.integers(10, 60, 9)),
}
cases = []
for name, (x, y) in samples.items():
    x, y = np.asarray(x, float), np.asarray(y, float)
    result = stats.brunnermunzel(x, y)
    above = np.sign(y[None, :] - x[:, None]) / 2 + 0.5  # 1 where x < y, one half where they are equal
    effect, (n_x, n_y) = above.mean(), above.shape
    errors = above.mean(1).var(ddof=1) / n_x, above.mean(0).var(ddof=1) / n_y
    df = sum(errors) ** 2 / (errors[0] ** 2 / (n_x - 1) + errors[1] ** 2 / (n_y - 1))
    error = np.sqrt(sum(errors))
    assert np.isclose((effect - 0.5) / error, result.statistic, rtol=1e-9, atol=1e-12)
    assert np.isclose(2 * stats.t.sf(abs(result.statistic), df), result.pvalue, rtol=1e-9)
    for confidence in (0.95, 0.8):
        half = stats.t.ppf((1 + confidence) / 2, df) * error
        cases.append({
            "name": name, "x": x, "y": y, "confidence": confidence, "relative_effect": effect, "df": df,
            "statistic": result.statistic, "p_value": result.pvalue,
            "lower": max(effect - half, 0), "upper": min(effect + half, 1),
        })
oracle.write(__file__, cases)
