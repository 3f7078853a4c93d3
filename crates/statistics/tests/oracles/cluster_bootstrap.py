"""Reference values of Bootstrap::clustered_sample in stats::resample: a cluster bootstrap written out here.

scipy has none for clusters. With five clusters all 5^5 resamples can be listed, so the distribution of which a
bootstrap draws is known exactly: `exact` holds the interval read from it (the BCa interval with the jackknife
over clusters). `monte_carlo` holds the mean and the standard deviation, from run to run, of the ends of
N_RESAMPLES draws from it, from which the test derives its tolerance.
"""

import itertools

import numpy as np
from scipy.special import ndtr, ndtri

import oracle

RUNS = 200
N_RESAMPLES = 20_000
LEVEL = 0.9
rng = np.random.default_rng(20261125)
clusters = np.repeat(np.arange(5), [4, 7, 3, 6, 5])
values = np.round(np.exp(rng.normal(0, 0.5, 5)[clusters] + rng.normal(1, 0.6, len(clusters))), 3)
rows = [np.flatnonzero(clusters == c) for c in range(5)]


def ends(replicates, estimate, jackknife, method):
    tails = np.array([(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    if method == "bias-corrected-accelerated":
        bias = ndtri(((replicates < estimate).mean() + (replicates <= estimate).mean()) / 2)
        influence = jackknife.mean() - jackknife
        acceleration = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
        shifted = bias + ndtri(tails)
        tails = ndtr(bias + shifted / (1 - acceleration * shifted))
    return np.percentile(replicates, 100 * tails)


estimate = values.mean()
every = np.array([values[np.concatenate([rows[c] for c in drawn])].mean() for drawn in itertools.product(range(5), repeat=5)])
jackknife = np.array([values[clusters != c].mean() for c in range(5)])
cases = []
for method in ("percentile", "bias-corrected-accelerated"):
    runs = np.array([ends(rng.choice(every, N_RESAMPLES), estimate, jackknife, method) for _ in range(RUNS)])
    cases.append({
        "method": method, "confidence": LEVEL, "clusters": clusters, "values": values, "estimate": estimate,
        "n_resamples": N_RESAMPLES, "runs": RUNS, "all_resamples": ends(every, estimate, jackknife, method),
        "mean_ends": runs.mean(0), "sd_ends": runs.std(0, ddof=1), "standard_error": every.std(),
    })
oracle.write(__file__, cases)
