"""Reference values of stats::describe and stats::rank, from numpy and scipy."""

import warnings

import numpy as np
from scipy import stats

import oracle

warnings.simplefilter("ignore")  # small and constant samples are among the cases on purpose
rng = np.random.default_rng(20240601)

samples = {
    "log-normal times": np.round(rng.lognormal(1.0, 0.8, 60), 3),
    "ties": rng.integers(1, 8, 40).astype(float),
    "n = 3": np.array([2.0, 9.0, 4.0]),
    "n = 4": np.array([2.0, 9.0, 4.0, 4.0]),
    "n = 2": np.array([2.0, 9.0]),
    "n = 1": np.array([7.5]),
    "no variance": np.full(7, 0.1),
    "negative": np.round(rng.normal(-50, 10, 25), 2),
    "far from zero": 1e6 + np.round(rng.normal(0, 1, 30), 3),
}

cases = []
for name, x in samples.items():
    constant = np.all(x == x[0])
    cases.append({
        "name": name,
        "x": x,
        "n": len(x),
        "mean": np.mean(x),
        "sd": (0.0 if constant else np.std(x, ddof=1)) if len(x) > 1 else None,
        "median": np.median(x),
        "q1": np.quantile(x, 0.25),
        "q3": np.quantile(x, 0.75),
        "mad": stats.median_abs_deviation(x),
        "min": np.min(x),
        "max": np.max(x),
        "skewness": stats.skew(x, bias=False) if len(x) > 2 and not constant else None,
        "quantiles": {str(p): np.quantile(x, p) for p in (0.0, 0.025, 0.1, 0.9, 1.0)},
        "ranks": stats.rankdata(x),
    })
oracle.write(__file__, cases)
