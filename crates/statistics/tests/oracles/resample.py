"""Reference values of stats::resample.

Two kinds. `exact`: the replicates of one scipy.stats.bootstrap run, its jackknife, and the interval
that scipy reads from them, for a comparison digit by digit. `monte_carlo`: the same interval with
other random numbers, from RUNS independent runs of N_RESAMPLES resamples each: the mean of each end
over the runs, and its standard deviation from run to run, from which the test derives its tolerance.
scipy has no cluster bootstrap: there the resampling is written out here in numpy, and the interval is
read as scipy does.
"""

import numpy as np
from scipy import stats
from scipy.special import ndtr, ndtri

import oracle

RUNS = 30
N_RESAMPLES = 4_000
LEVEL = 0.95
METHODS = {"percentile": "percentile", "bias-corrected-accelerated": "BCa"}
rng = np.random.default_rng(20240607)

times = np.round(rng.lognormal(1.5, 0.8, 30), 3)
moves = np.round(rng.normal(30, 8, 40), 2)
seconds = np.round(2 * moves + rng.normal(0, 18, 40), 2)
# Participants differ in their level, so that trials of one participant go together.
clusters = np.repeat(np.arange(18), rng.integers(3, 9, 18))
tempo = rng.normal(0, 12, 18)[clusters]
trial_moves = np.round(rng.normal(30, 8, len(clusters)) + 0.5 * tempo, 2)
trial_seconds = np.round(trial_moves + tempo + rng.normal(0, 10, len(clusters)), 2)


def correlation(x, y, axis=-1):
    x = x - x.mean(axis, keepdims=True)
    y = y - y.mean(axis, keepdims=True)
    return (x * y).sum(axis) / np.sqrt((x**2).sum(axis) * (y**2).sum(axis))


def ends(replicates, estimate, jackknife, method):
    """The interval as scipy reads it (checked against scipy itself below)."""
    alpha = (1 - LEVEL) / 2
    tails = np.array([alpha, 1 - alpha])
    if method == "BCa":
        bias = ndtri(((replicates < estimate).mean() + (replicates <= estimate).mean()) / 2)
        influence = (len(jackknife) - 1) * (jackknife.mean() - jackknife)
        acceleration = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
        shifted = bias + ndtri(tails)
        tails = ndtr(bias + shifted / (1 - acceleration * shifted))
    return np.percentile(replicates, 100 * tails)


def leave_one_out(statistic, columns):
    n = len(columns[0])
    return np.array([statistic(*(np.delete(column, i) for column in columns)) for i in range(n)])


def scipy_run(columns, statistic, method, run):
    return stats.bootstrap(
        columns, statistic, paired=True, vectorized=True, n_resamples=N_RESAMPLES, method=METHODS[method],
        confidence_level=LEVEL, rng=np.random.default_rng([run, len(columns[0])]),
    )


def cluster_run(method, run):
    generator = np.random.default_rng([run, 7])
    rows = [np.flatnonzero(clusters == c) for c in range(18)]
    replicates = np.empty(N_RESAMPLES)
    for b in range(N_RESAMPLES):
        drawn = np.concatenate([rows[c] for c in generator.integers(0, 18, 18)])
        replicates[b] = correlation(trial_moves[drawn], trial_seconds[drawn])
    keep = [clusters != c for c in range(18)]
    jackknife = np.array([correlation(trial_moves[k], trial_seconds[k]) for k in keep])
    interval = ends(replicates, correlation(trial_moves, trial_seconds), jackknife, METHODS[method])
    return interval, replicates.std(ddof=1)


problems = {
    "mean": ((times,), lambda x, axis=-1: np.mean(x, axis=axis)),
    "median": ((times,), lambda x, axis=-1: np.median(x, axis=axis)),
    "correlation": ((moves, seconds), correlation),
}
exact, monte_carlo = [], []
for name, (columns, statistic) in problems.items():
    for method in METHODS:
        results = [scipy_run(columns, statistic, method, run) for run in range(RUNS)]
        first = results[0]
        estimate = statistic(*columns)
        jackknife = leave_one_out(statistic, columns)
        interval = [first.confidence_interval.low, first.confidence_interval.high]
        assert np.allclose(interval, ends(first.bootstrap_distribution, estimate, jackknife, METHODS[method]), rtol=1e-9)
        if name != "median":  # the replicates of the median teach nothing more, and are long
            small = np.round(first.bootstrap_distribution[:500], 6)
            exact.append({
                "name": name, "method": method, "confidence": LEVEL, "estimate": estimate, "jackknife": jackknife,
                "replicates": small, "interval": ends(small, estimate, jackknife, METHODS[method]),
            })
        lows_and_highs = np.array([list(result.confidence_interval) for result in results])
        errors = np.array([result.standard_error for result in results])
        monte_carlo.append({"name": name, "method": method, "estimate": estimate, "columns": columns,
                            "ends": lows_and_highs, "errors": errors})
for method in METHODS:
    results = [cluster_run(method, run) for run in range(RUNS)]
    monte_carlo.append({
        "name": "clustered correlation", "method": method, "estimate": correlation(trial_moves, trial_seconds),
        "columns": (trial_moves, trial_seconds), "clusters": clusters,
        "ends": np.array([interval for interval, _ in results]), "errors": np.array([error for _, error in results]),
    })
for case in monte_carlo:
    lows_and_highs, errors = case.pop("ends"), case.pop("errors")
    case |= {
        "n_resamples": N_RESAMPLES, "runs": RUNS, "confidence": LEVEL,
        "mean_ends": lows_and_highs.mean(0), "sd_ends": lows_and_highs.std(0, ddof=1),
        "mean_error": errors.mean(), "sd_error": errors.std(ddof=1),
    }
oracle.write(__file__, {"exact": exact, "monte_carlo": monte_carlo})
