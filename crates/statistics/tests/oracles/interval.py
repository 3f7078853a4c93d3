"""Reference values of stats::interval.

Median: scipy.stats.quantile_test (Conover, 1999), its interval; the coverage from scipy's binomial
distribution. Proportion: statsmodels' proportion_confint, method "wilson". Proportion over participants: the variance
is that of statsmodels' least-squares mean of the single observations, robust to clusters; the interval is
proportion_confint's at the effective number of observations.
"""

import numpy as np
import statsmodels
from scipy import stats
from statsmodels.regression.linear_model import OLS
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


def over_participants(clusters, level):
    k, n = np.array([own for own in clusters if own[1] > 0]).T
    share, total, df = k.sum() / n.sum(), n.sum(), len(n) - 1
    if df == 0:
        return share, None, None
    if 0 < share < 1:
        moves = np.concatenate([np.repeat([1.0, 0.0], [own, m - own]) for own, m in zip(k, n)])
        groups = np.repeat(np.arange(len(n)), n)
        variance = OLS(moves, np.ones(total)).fit(cov_type="cluster", cov_kwds={"groups": groups}).cov_params()[0, 0]
        few = stats.norm.isf((1 - level) / 2) / stats.t.isf((1 - level) / 2, df)
        effective = min(share * (1 - share) / variance * few**2, total)
    else:
        effective = total / np.average(n, weights=n)  # the mean of moves over participants as moves see it
    return share, *proportion_confint(share * effective, effective, alpha=1 - level, method="wilson")


def beta_binomial(n, p, sd):
    a = p * (1 - p) / sd**2 - 1
    return [(int(rng.binomial(m, rng.beta(p * a, (1 - p) * a))), int(m)) for m in n]


studies = {
    "24 people who differ": beta_binomial([100] * 24, 0.3, 0.15),
    "12 people with different numbers of moves": beta_binomial(rng.integers(1, 200, 12), 0.7, 0.1),
    "people who do not differ": [(int(rng.binomial(80, 0.4)), 80) for _ in range(20)],
    "shares nearer to each other than by chance": [(30, 100), (31, 100), (32, 100), (30, 100), (29, 100)],
    "people who always or never do": [(50 * (number % 3 == 0), 50) for number in range(18)],
    "some without a move": [(3, 10), (0, 0), (7, 12), (2, 15), (0, 0)],
    "two people": [(10, 40), (30, 45)],
    "one person": [(12, 40), (0, 0)],
    "never": [(0, 10), (0, 10), (0, 10), (0, 50)],
    "always": [(25, 25)] * 6,
}
clustered = []
for name, clusters in studies.items():
    for level in (0.9, 0.95):
        estimate, lower, upper = over_participants(clusters, level)
        clustered.append({
            "name": name, "clusters": clusters, "confidence": level, "estimate": estimate, "lower": lower, "upper": upper,
        })
lists = {"medians": medians, "proportions": proportions, "clustered": clustered}
oracle.write(__file__, lists, statsmodels=statsmodels.__version__)
