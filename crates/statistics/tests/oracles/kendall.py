"""Reference values of Kendall's tau-b in stats::correlation.

Estimate and p from scipy.stats.kendalltau, which chooses the exact or the asymptotic p itself; the z
statistic of the ties-corrected variance from scipy.stats.mstats.kendalltau's formula (Kendall, 1970),
written out here over all pairs and checked against scipy's asymptotic p. Of up to nine pairs with ties, where
scipy approximates, the p is counted here over all n! orders, in whole numbers; it is checked by
scipy.stats.permutation_test of |tau-b|, which it is asked for at n = 9 without ties too. The interval, which scipy lacks, by
Fisher's z with the standard error sqrt(0.437 / (n - 4)) of Fieller, Hartley & Pearson (1957), as in Bonett &
Wright (2000).
"""

import itertools
import math

import numpy as np
from scipy import stats

import oracle

rng = np.random.default_rng(20261121)


def normal_pair(n, slope):
    x = np.round(rng.normal(20, 5, n), 3)
    return x, np.round(slope * x + rng.normal(0, 5, n), 3)


def tied_pair(n, width):
    x = rng.integers(1, width, n).astype(float)
    return x, np.clip(x + rng.integers(-2, 3, n), 1.0, width)


samples = {
    "n = 3": (np.array([1.0, 2.0, 4.0]), np.array([3.0, 7.0, 5.0])),
    "n = 3, ties": (np.array([1.0, 2.0, 2.0]), np.array([3.0, 5.0, 7.0])),
    "n = 4": (np.array([1.0, 2.0, 4.0, 3.0]), np.array([3.0, 7.0, 5.0, 9.0])),
    "n = 5": (np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([9.0, 7.0, 8.0, 4.0, 5.0])),
    "n = 5, score of zero": (np.arange(1.0, 6.0), np.array([5.0, 2.0, 1.0, 4.0, 3.0])),
    "n = 6, ties": (np.array([1.0, 1.0, 2.0, 3.0, 3.0, 4.0]), np.array([2.0, 1.0, 2.0, 5.0, 4.0, 4.0])),
    "n = 8": (np.array([4.0, 1, 2, 6, 3, 8, 5, 7]), np.array([3.0, 2, 6, 4, 5, 1, 8, 7])),
    "n = 8, perfect": (np.arange(8.0), np.arange(8.0) ** 3),
    "n = 12, perfectly negative": (np.arange(12.0), -np.arange(12.0)),
    "n = 33": normal_pair(33, 0.8),
    "n = 34": normal_pair(34, 0.8),
    "n = 34, ties": tied_pair(34, 6),
    "n = 33, ties in x": (rng.integers(1, 9, 33).astype(float), np.round(rng.normal(0, 1, 33), 3)),
    "n = 100, two values of x": (rng.integers(0, 2, 100).astype(float), np.round(rng.normal(0, 1, 100), 3)),
    "n = 300, weak": normal_pair(300, 0.1),
    "n = 300, strong": normal_pair(300, 4.0),
    "n = 400, many ties": tied_pair(400, 5),
    "n = 4, ties in both": (np.array([1.0, 1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0, 2.0])),
    "n = 5, score of zero with ties": (np.array([1.0, 1.0, 2.0, 3.0, 3.0]), np.array([2.0, 1.0, 3.0, 1.0, 2.0])),
    "n = 8, two values in both": (np.array([0.0, 0, 0, 1, 1, 1, 0, 1]), np.array([1.0, 0, 0, 1, 1, 1, 0, 0])),
    "n = 8, one tie": (np.array([4.0, 1, 2, 6, 3, 8, 5, 7]), np.array([3.0, 2, 6, 4, 5, 1, 8, 8])),
    "n = 8, perfect with ties": (np.array([1.0, 1, 2, 3, 3, 3, 4, 4]), -np.array([1.0, 1, 2, 3, 3, 3, 4, 4])),
    "n = 9": (np.array([4.0, 1, 9, 2, 6, 3, 8, 5, 7]), np.array([3.0, 2, 6, 4, 5, 1, 9, 8, 7])),
    "n = 9, ties": (np.array([4.0, 1, 4, 2, 4, 3, 2, 5, 5]), np.array([3.0, 2, 3, 4, 1, 1, 5, 4, 5])),
    "n = 9, ties in sums": (np.array([0.1 + 0.2, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 1.5, 1.7]), np.array([2.0, 1, 3, 5, 4, 9, 6, 7, 8])),
    "n = 10, ties": (np.array([4.0, 1, 4, 2, 4, 3, 2, 5, 5, 6]), np.array([3.0, 2, 3, 4, 1, 1, 5, 4, 5, 6])),
    "no variance in x": (np.full(6, 0.1), np.array([1.0, 3.0, 2.0, 5.0, 4.0, 6.0])),
}


def signs(values):
    return [np.sign(values[i] - values[j]) for i in range(len(values)) for j in range(i)]


def z_of(x, y):
    n = len(x)
    score = sum(a * b for a, b in zip(signs(x), signs(y)))
    tx, ty = (np.unique(values, return_counts=True)[1].astype(float) for values in (x, y))
    v0 = n * (n - 1) * (2 * n + 5)
    v = (v0 - sum(tx * (tx - 1) * (2 * tx + 5)) - sum(ty * (ty - 1) * (2 * ty + 5))) / 18
    v += sum(tx * (tx - 1)) * sum(ty * (ty - 1)) / (2 * n * (n - 1))
    v += sum(tx * (tx - 1) * (tx - 2)) * sum(ty * (ty - 1) * (ty - 2)) / (9 * n * (n - 1) * (n - 2))
    return score / math.sqrt(v)


def counted_p(x, y):
    """Share of all orders of y, each of the n! counted, whose score is at least as far from 0."""
    n = len(x)
    places = [(i, j) for i in range(n) for j in range(i)]
    of_x = [int(sign) for sign in signs(x)]
    of_y = [[int(np.sign(a - b)) for b in y] for a in y]
    used = [(i, j, sign) for (i, j), sign in zip(places, of_x) if sign]

    def size(order):
        return abs(sum(sign * of_y[order[i]][order[j]] for i, j, sign in used))

    observed = size(range(n))
    p = sum(size(order) >= observed for order in itertools.permutations(range(n))) / math.factorial(n)
    check = stats.permutation_test(
        (x,),
        # Rounded, so that orders with the same score have the same tau-b.
        lambda order: round(abs(stats.kendalltau(order, y, method="asymptotic").statistic), 12),
        permutation_type="pairings",
        n_resamples=np.inf if n <= 6 else 4000,
        alternative="greater",
        rng=np.random.default_rng(n),
    )
    spread = 0 if n <= 6 else math.sqrt(p * (1 - p) / 4000) + 1 / 4000
    assert abs(check.pvalue - p) <= max(4 * spread, 1e-12), (check.pvalue, p)
    return p


def interval(tau, n, level):
    if n < 5 or abs(tau) == 1:
        return None, None
    half = stats.norm.ppf((1 + level) / 2) * math.sqrt(0.437 / (n - 4))
    return np.tanh(np.arctanh(tau) - half), np.tanh(np.arctanh(tau) + half)


cases = []
for name, (x, y) in samples.items():
    n = len(x)
    # Sums that are equal but for rounding are ties.
    x = np.round(x, 12)
    counted = counted_p(x, y) if n <= 9 and not np.all(x == x[0]) else None
    given = samples[name][0]
    for level in (0.95, 0.9):
        case = {"name": name, "confidence": level, "x": given, "y": y}
        if np.all(x == x[0]):
            cases.append(case | dict.fromkeys(("estimate", "p_value", "statistic", "lower", "upper", "exact")))
            continue
        result = stats.kendalltau(x, y)
        tau = result.statistic
        if abs(abs(tau) - 1) < 1e-12:
            tau = round(tau)
        z = z_of(x, y)
        assert np.isclose(stats.kendalltau(x, y, method="asymptotic").pvalue, 2 * stats.norm.sf(abs(z)), rtol=1e-10)
        ties = len(set(x)) < n or len(set(y)) < n
        if counted is not None and not ties:
            assert np.isclose(counted, result.pvalue, rtol=1e-12)
        lower, upper = interval(tau, n, level)
        exact = n <= 33 and not ties or n <= 9
        cases.append(case | {
            "estimate": float(tau), "p_value": result.pvalue if counted is None else counted, "statistic": z, "lower": lower, "upper": upper,
            "exact": exact,
        })
oracle.write(__file__, cases)
