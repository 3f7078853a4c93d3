"""Reference values of stats::correlation.

Pearson: scipy.stats.pearsonr with its own interval (Fisher's z), and pingouin.corr as a second
opinion. Spearman: scipy.stats.spearmanr; up to nine pairs the p value of all permutations of the
ranks, counted here in fractions and checked with scipy.stats.permutation_test; its interval, which
scipy lacks, by the formula of Bonett & Wright (2000) written out here. Perfect correlations have no
interval.
"""

import itertools
import math
import operator
import warnings

import numpy as np
import pingouin
from scipy import stats

import oracle

warnings.simplefilter("ignore")  # constant samples are among the cases on purpose
rng = np.random.default_rng(20240602)


def pair(n, slope, noise, decimals=3):
    x = rng.normal(20, 5, n)
    return np.round(x, decimals), np.round(slope * x + rng.normal(0, noise, n), decimals)


def tied_pair(n):
    x = rng.integers(1, 6, n).astype(float)
    return x, np.clip(x + rng.integers(-2, 3, n), 1.0, 5.0)


samples = {
    "moderate, n = 50": pair(50, 0.5, 6),
    "negative, n = 34": pair(34, -1.0, 4),
    "almost none, n = 200": pair(200, 0.0, 1),
    "strong, n = 300": pair(300, 2.0, 2),
    "clear, n = 300": pair(300, 0.6, 5),
    "ties": tied_pair(45),
    "skewed": (np.round(rng.lognormal(2, 1, 40), 2), np.round(rng.lognormal(2, 1, 40), 2)),
    "n = 3": (np.array([1.0, 2.0, 4.0]), np.array([3.0, 7.0, 5.0])),
    "n = 4": (np.array([1.0, 2.0, 4.0, 3.0]), np.array([3.0, 7.0, 5.0, 9.0])),
    "n = 4, ties": (np.array([1.0, 2.0, 2.0, 3.0]), np.array([3.0, 7.0, 5.0, 5.0])),
    "n = 5": (np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([9.0, 7.0, 8.0, 4.0, 5.0])),
    "n = 5, perfect": (np.arange(1.0, 6.0), np.arange(1.0, 6.0) ** 2),
    "n = 6, no correlation": (np.arange(1.0, 7.0), np.array([3.0, 6.0, 2.0, 1.0, 5.0, 4.0])),
    "n = 7": (np.array([2.0, 7.5, 3.1, 9.0, 4.4, 1.0, 6.0]), np.array([1.1, 3.0, 2.9, 2.0, 4.0, 0.5, 3.5])),
    "n = 7, ties": (np.array([1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 4.0]), np.array([2.0, 1.0, 2.0, 5.0, 4.0, 4.0, 4.0])),
    "n = 8, two values": (np.array([0.0, 0, 0, 1, 1, 1, 0, 1]), np.array([5.0, 3, 1, 6, 7, 8, 2, 4])),
    "n = 9": (np.array([4.0, 1, 9, 2, 6, 3, 8, 5, 7]), np.array([3.0, 2, 6, 4, 5, 1, 9, 8, 7])),
    "n = 9, ties": (np.array([4.0, 1, 4, 2, 4, 3, 2, 5, 5]), np.array([3.0, 2, 3, 4, 1, 1, 5, 4, 5])),
    "n = 10": (np.array([4.0, 1, 9, 2, 6, 3, 8, 5, 7, 10]), np.array([3.0, 2, 6, 4, 5, 1, 9, 8, 10, 7])),
    "perfect": (np.arange(1.0, 11.0), 2.0 * np.arange(1.0, 11.0) + 1.0),
    "perfectly negative": (np.arange(1.0, 11.0), 40.0 - 3.0 * np.arange(1.0, 11.0)),
    "monotone, not linear": (np.arange(1.0, 13.0), np.arange(1.0, 13.0) ** 3),
    "no variance in x": (np.full(6, 0.1), np.array([1.0, 3.0, 2.0, 5.0, 4.0, 6.0])),
    "no variance in y": (np.array([1.0, 3.0, 2.0, 5.0, 4.0, 6.0]), np.full(6, 3.0)),
    "far from zero": tuple(1e6 + v for v in pair(30, 1.0, 5)),
}

# Exactly 1 or -1 by construction: small whole numbers on a line, or in the same order.
PERFECT = {
    ("perfect", "pearson"): 1.0,
    ("perfect", "spearman"): 1.0,
    ("perfectly negative", "pearson"): -1.0,
    ("perfectly negative", "spearman"): -1.0,
    ("monotone, not linear", "spearman"): 1.0,
    ("n = 5, perfect", "spearman"): 1.0,
}


def bonett_wright(rho, n, level):
    if n < 4:
        return None, None
    half = stats.norm.ppf((1 + level) / 2) * np.sqrt((1 + rho**2 / 2) / (n - 3))
    with np.errstate(divide="ignore"):
        z = np.arctanh(rho)
    return np.tanh(z - half), np.tanh(z + half)


def exact_p(x, y):
    """Share of all pairings of the ranks whose |rho| is at least the observed one."""
    a, b = ([int(2 * rank) for rank in stats.rankdata(values)] for values in (x, y))
    # n times the sum of products, less what it would be without correlation; whole numbers.
    expected = sum(a) * sum(b)

    def size(order):
        return abs(len(a) * sum(map(operator.mul, a, order)) - expected)

    observed = size(b)
    p = sum(size(order) >= observed for order in itertools.permutations(b)) / math.factorial(len(b))

    def abs_rho(ranks, axis):
        return np.abs(stats.pearsonr(ranks, np.broadcast_to(b, ranks.shape), axis=axis).statistic)

    check = stats.permutation_test(
        (np.array(a, float),),
        abs_rho,
        permutation_type="pairings",
        n_resamples=np.inf,
        alternative="greater",
        vectorized=True,
        batch=10_000,
    )
    assert np.isclose(check.statistic, abs(stats.spearmanr(x, y).statistic), rtol=1e-12)
    assert np.isclose(check.pvalue, p, rtol=1e-12), (check.pvalue, p)
    return p


def t_of(r, n):
    return r * np.sqrt((n - 2) / ((1 - r) * (1 + r))) if abs(r) < 1 else None


cases = []
for name, (x, y) in samples.items():
    n = len(x)
    estimable = not (np.all(x == x[0]) or np.all(y == y[0]))
    for level in (0.95, 0.9):
        for method in ("pearson", "spearman"):
            case = {"name": name, "method": method, "confidence": level, "x": x, "y": y, "n": n}
            keys = ("estimate", "p_value", "statistic", "lower", "upper")
            if not estimable:
                cases.append(case | dict.fromkeys(keys))
                continue
            if method == "pearson":
                result = stats.pearsonr(x, y)
                estimate, p = result.statistic, result.pvalue
                lower, upper = result.confidence_interval(level) if n > 3 else (None, None)
                if n > 3 and abs(estimate) < 1:
                    second = pingouin.corr(x, y, method="pearson")
                    assert np.isclose(second["r"].iloc[0], estimate, rtol=1e-10)
            else:
                result = stats.spearmanr(x, y)
                estimate, p = result.statistic, result.pvalue
                lower, upper = bonett_wright(estimate, n, level)
            truth = PERFECT.get((name, method))
            if truth is not None:
                # Known without computing; scipy's rounding can leave it a unit of the last place beside.
                assert np.isclose(estimate, truth, rtol=1e-14, atol=0)
                estimate, p, lower, upper = truth, 0.0, None, None
            if method == "spearman" and n <= 9:
                p = exact_p(x, y)
            cases.append(case | dict(zip(keys, (estimate, p, t_of(estimate, n), lower, upper))))
oracle.write(__file__, cases, pingouin=pingouin.__version__)
