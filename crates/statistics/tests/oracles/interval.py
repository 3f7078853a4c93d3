"""Reference values of stats::interval.

Median: scipy.stats.quantile_test (Conover, 1999), its interval; the coverage from scipy's binomial
distribution. Proportion: statsmodels' proportion_confint, method "wilson".
"""

import numpy as np
import statsmodels
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import oracle

rng = np.random.default_rng(20240603)
samples = {n: np.round(rng.lognormal(2, 0.7, n), 3) for n in (4, 5, 6, 7, 8, 9, 15, 20, 34, 101, 1000)}
samples[40] = rng.integers(1, 9, 40).astype(float)  # ties

medians = []
for n, x in samples.items():
    for level in (0.8, 0.9, 0.95, 0.99):
        interval = stats.quantile_test(x, p=0.5).confidence_interval(level)
        # The largest number of values that may be left out at either end.
        outside = int(stats.binom.ppf((1 - level) / 2, n, 0.5))
        found = outside > 0
        medians.append({
            "x": x,
            "confidence": level,
            "estimate": np.median(x),
            "lower": interval.low if found else None,
            "upper": interval.high if found else None,
            "coverage": 1 - 2 * stats.binom.cdf(outside - 1, n, 0.5) if found else None,
        })

proportions = []
for successes, n in ((0, 1), (1, 1), (0, 20), (20, 20), (1, 3), (36, 50), (7, 1000), (33_000, 33_253)):
    for level in (0.9, 0.95, 0.99):
        lower, upper = proportion_confint(successes, n, alpha=1 - level, method="wilson")
        proportions.append({
            "successes": successes, "n": n, "confidence": level,
            "estimate": successes / n, "lower": lower, "upper": upper,
        })
oracle.write(__file__, {"medians": medians, "proportions": proportions}, statsmodels=statsmodels.__version__)
