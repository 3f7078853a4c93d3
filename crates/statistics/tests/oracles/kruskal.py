"""Reference values of stats::kruskal, from scipy.stats.kruskal; the effect size by its definition."""

import numpy as np
from scipy import stats

import oracle

rng = np.random.default_rng(20240606)
samples = {
    "times by quality": [np.round(rng.lognormal(m, 0.6, n), 3) for m, n in ((0.5, 40), (0.7, 25), (0.9, 12))],
    "ties": [rng.integers(low, low + 5, n).astype(float) for low, n in ((1, 20), (2, 15), (2, 30), (3, 8))],
    "two groups": [np.array([1.0, 5.0, 3.0]), np.array([2.0, 8.0, 9.0, 11.0])],
    "n = 3": [np.array([1.0, 2.0]), np.array([3.0])],
    "n = 4, ties": [np.array([1.0, 2.0]), np.array([2.0, 3.0])],
    "alike": [np.array([1.0, 4.0]), np.array([2.0, 3.0])],
    "far apart": [np.arange(0.0, 30.0), np.arange(100.0, 130.0), np.arange(200.0, 230.0)],
}
cases = []
for name, groups in samples.items():
    result = stats.kruskal(*groups)
    pooled = np.concatenate(groups)
    ranks = np.split(stats.rankdata(pooled), np.cumsum([len(group) for group in groups])[:-1])
    cases.append({
        "name": name, "groups": groups, "n": len(pooled), "statistic": result.statistic, "p_value": result.pvalue,
        "tie_correction": stats.tiecorrect(stats.rankdata(pooled)),
        "mean_ranks": [np.mean(group) for group in ranks],
        "epsilon_squared": result.statistic / ((len(pooled) ** 2 - 1) / (len(pooled) + 1)),
    })
oracle.write(__file__, cases)
