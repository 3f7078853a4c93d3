"""Reference values of stats::two_samples.

Mann-Whitney and Wilcoxon: scipy.stats.mannwhitneyu and wilcoxon with their own choice of method. With ties and a
sample of at most eight values, where scipy approximates, the p of all divisions of the pooled values is counted
here one by one, and checked by scipy.stats.permutation_test of |U - n m / 2|. With ties and 14 to 50 pairs, where
scipy approximates too, the p of all 2^n signs is counted in whole numbers. Cliff's delta, its variance (Cliff, 1993; Feng & Cliff, 2004) and the shifts from the full matrix of
pairs, in numpy. Welch: scipy.stats.ttest_ind with its interval; Hedges' g by its definition, its interval by
scipy.stats.nct. two_samples.R repeats shifts and g in R.
"""

import itertools
import math
import warnings

import numpy as np
from scipy import optimize, special, stats

import oracle

warnings.simplefilter("ignore")
rng = np.random.default_rng(20261126)


def lognormal(n, mean):
    return np.round(rng.lognormal(mean, 0.7, n), 3)


def whole(n, low, high):
    return rng.integers(low, high, n).astype(float)


independent = {
    "small": (lognormal(6, 1.0), lognormal(7, 1.6)),
    "8 and 30": (lognormal(8, 1.0), lognormal(30, 1.3)),
    "9 and 9": (lognormal(9, 1.0), lognormal(9, 1.1)),
    "1 and 12": (lognormal(1, 1.0), lognormal(12, 1.0)),
    "ties, small": (np.array([1.0, 2.0, 2.0, 4.0]), np.array([2.0, 3.0, 5.0, 5.0, 6.0])),
    "ties": (whole(40, 1, 7), whole(25, 2, 9)),
    "large": (lognormal(120, 1.0), lognormal(90, 1.2)),
    "ties, 1 and 6": (np.array([3.0]), np.array([1.0, 1.0, 2.0, 3.0, 3.0, 2.0])),
    "ties, 5 and 9": (np.array([1.0, 1.0, 1.0, 2.0, 1.0]), np.array([2.0, 3.0, 1.0, 2.0, 5.0, 4.0, 2.0, 3.0, 1.0])),
    "ties, 8 and 3": (np.array([4.0, 2.0, 2.0, 3.0, 5.0, 4.0, 4.0, 2.0]), np.array([2.0, 1.0, 2.0])),
    "ties, 8 and 12": (np.arange(8.0) // 3 + 2, np.arange(12.0) // 4 + 2),
    "ties, no overlap": (np.array([1.0, 1.0, 2.0]), np.array([3.0, 4.0, 4.0, 3.0])),
    "two values": (np.array([0.0, 1, 1, 1, 1, 0]), np.array([0.0, 0, 0, 1, 0, 0, 0])),
    "equal medians": (np.array([1.0, 4.0, 6.0, 7.0]), np.array([2.0, 3.0, 5.0, 8.0])),
    "no overlap": (np.arange(10.0), np.arange(20.0, 31.0)),
    "far from zero": (1e6 + lognormal(12, 1.0), 1e6 + lognormal(15, 1.4)),
}


def cliff(x, y, level):
    n, m = len(x), len(y)
    d = np.sign(x[:, None] - y[None, :])
    delta = d.mean()
    if n < 2 or m < 2 or abs(delta) == 1:
        return delta, None, None
    rows = ((d.mean(1) - delta) ** 2).sum()
    columns = ((d.mean(0) - delta) ** 2).sum()
    s2 = (m**2 * rows + n**2 * columns - ((d - delta) ** 2).sum()) / (n * m * (n - 1) * (m - 1))
    s2 = max(s2, (1 - delta**2) / (n * m - 1))
    z = stats.norm.ppf((1 + level) / 2)
    root = z * math.sqrt(s2) * math.sqrt((1 - delta**2) ** 2 + z**2 * s2)
    ends = [(delta - delta**3 + sign * root) / (1 - delta**2 + z**2 * s2) for sign in (-1, 1)]
    return delta, max(ends[0], -1.0), min(ends[1], 1.0)


def counts_of_u(n, m):
    """Orders of n and m values with each U, by the recursion of Mann and Whitney."""
    table = {(0, j): [1] for j in range(m + 1)}
    for i in range(1, n + 1):
        table[i, 0] = [1]
        for j in range(1, m + 1):
            counts = [0] * (i * j + 1)
            for u, c in enumerate(table[i - 1, j]):
                counts[u + j] += c
            for u, c in enumerate(table[i, j - 1]):
                counts[u] += c
            table[i, j] = counts
    return table[n, m]


def outside(counts, tail):
    total, below, k = sum(counts), 0, 0
    for c in counts:
        below += c
        if below / total > tail:
            return k
        k += 1
    return k


def order_ends(pairs, k):
    pairs = np.sort(pairs)
    return (pairs[k - 1], pairs[len(pairs) - k]) if k > 0 else (None, None)


def counted_p(x, y):
    """Share of all divisions of the pooled values whose rank sum is at least as far from its mean."""
    n, all_n = len(x), len(x) + len(y)
    ranks = [round(2 * rank) for rank in stats.rankdata(np.concatenate([x, y]))]
    far = [abs(sum(own) - n * (all_n + 1)) for own in itertools.combinations(ranks, n)]
    p = sum(own >= far[0] for own in far) / len(far)
    if n == 1:
        return p  # scipy refuses a sample of one value.
    check = stats.permutation_test(
        (x, y), lambda a, b: abs(stats.mannwhitneyu(a, b, method="asymptotic").statistic - len(a) * len(b) / 2),
        n_resamples=np.inf if len(far) < 3000 else 3000, alternative="greater", rng=np.random.default_rng(n),
    )
    spread = 0 if len(far) < 3000 else math.sqrt(p * (1 - p) / 3000) + 1 / 3000
    assert abs(check.pvalue - p) <= max(4 * spread, 1e-12), (check.pvalue, p)
    return p


mann_whitney = []
for name, (x, y) in independent.items():
    n, m = len(x), len(y)
    ties = len(set(x) | set(y)) < n + m
    exact = min(n, m) <= 8
    counted = counted_p(x, y) if exact and ties else None
    for level in (0.95, 0.9):
        result = stats.mannwhitneyu(x, y)
        tail = (1 - level) / 2
        sd = math.sqrt(n * m * (n + m + 1) / 12)
        k = outside(counts_of_u(n, m), tail) if min(n, m) <= 8 else round(n * m / 2 - stats.norm.isf(tail) * sd)
        differences = (x[:, None] - y[None, :]).ravel()
        lower, upper = order_ends(differences, max(k, 0))
        delta, delta_lower, delta_upper = cliff(x, y, level)
        tie_sizes = np.unique(np.concatenate([x, y]), return_counts=True)[1].astype(float)
        variance = n * m / 12 * (n + m + 1 - (tie_sizes**3 - tie_sizes).sum() / ((n + m) * (n + m - 1)))
        mann_whitney.append({
            "name": name, "x": x, "y": y, "confidence": level, "u": result.statistic,
            "p_value": result.pvalue if counted is None else counted,
            "exact": exact, "z": (result.statistic - n * m / 2) / math.sqrt(variance), "cliffs_delta": delta,
            "cliffs_delta_lower": delta_lower, "cliffs_delta_upper": delta_upper, "shift": np.median(differences),
            "shift_lower": lower, "shift_upper": upper, "superiority": result.statistic / (n * m),
        })

paired = {
    "small": (lognormal(7, 1.3), lognormal(7, 1.0)),
    "n = 20": (lognormal(20, 1.3), lognormal(20, 1.0)),
    "n = 50": (lognormal(50, 1.1), lognormal(50, 1.0)),
    "n = 51": (lognormal(51, 1.1), lognormal(51, 1.0)),
    "ties, n = 12": (whole(12, 1, 9), whole(12, 1, 7)),
    "ties, n = 40": (whole(40, 1, 9), whole(40, 1, 8)),
    "ties, n = 80": (whole(80, 1, 9), whole(80, 1, 8)),
    "all larger": (np.arange(6.0) + 1.0, np.arange(6.0) / 2),
}


def counts_of_w(ranks):
    counts = {0: 1}
    for rank in ranks:
        following = dict(counts)
        for total, c in counts.items():
            following[total + rank] = following.get(total + rank, 0) + c
        counts = following
    return counts


wilcoxon = []
for name, (x, y) in paired.items():
    d = x - y
    different = d[d != 0]
    n = len(different)
    ranks = stats.rankdata(abs(different))
    plus = ranks[different > 0].sum()
    minus = ranks[different < 0].sum()
    result = stats.wilcoxon(x, y)
    p = result.pvalue
    exact = n <= 50
    ties = len(set(ranks)) < n or n < len(d)
    if exact:
        counts = counts_of_w([round(2 * r) for r in ranks])
        counted = min(1.0, 2 * sum(c for total, c in counts.items() if total <= 2 * min(plus, minus)) / 2**n)
        if not ties or len(d) <= 13:
            assert np.isclose(counted, p, rtol=1e-10), (name, counted, p)
        p = counted
    z = None
    tie_sizes = np.unique(ranks, return_counts=True)[1].astype(float)
    sd = math.sqrt((n * (n + 1) * (2 * n + 1) - (tie_sizes**3 - tie_sizes).sum() / 2) / 24)
    z = (plus - n * (n + 1) / 4) / sd
    assert np.isclose(abs(z), abs(stats.wilcoxon(x, y, method="asymptotic").zstatistic), rtol=1e-10)
    size = len(d)
    walsh = ((d[:, None] + d[None, :]) / 2)[np.triu_indices(size)]
    for level in (0.95, 0.9):
        tail = (1 - level) / 2
        if size <= 50:
            by_sum = counts_of_w(range(1, size + 1))
            k = outside([by_sum[s] for s in range(size * (size + 1) // 2 + 1)], tail)
        else:
            k = round(size * (size + 1) / 4 - stats.norm.isf(tail) * math.sqrt(size * (size + 1) * (2 * size + 1) / 24))
        lower, upper = order_ends(walsh, k)
        wilcoxon.append({
            "name": name, "x": x, "y": y, "confidence": level, "n_different": n, "w_plus": plus, "w_minus": minus,
            "z": z, "p_value": p, "exact": exact, "rank_biserial": (plus - minus) / (plus + minus),
            "shift": np.median(walsh), "shift_lower": lower, "shift_upper": upper,
        })

welch = []
for name, (x, y) in independent.items():
    n, m = len(x), len(y)
    if min(n, m) < 2:
        continue
    for level in (0.95, 0.9):
        result = stats.ttest_ind(x, y, equal_var=False)
        lower, upper = result.confidence_interval(level)
        df = n + m - 2
        pooled = math.sqrt(((n - 1) * x.var(ddof=1) + (m - 1) * y.var(ddof=1)) / df)
        d = (x.mean() - y.mean()) / pooled
        j = math.exp(special.gammaln(df / 2) - special.gammaln((df - 1) / 2)) / math.sqrt(df / 2)
        factor = math.sqrt(1 / n + 1 / m)
        t = d / factor

        def noncentrality(p):
            # Not too far out, where scipy's series gives NaN.
            reach = 4 * math.sqrt(1 + t * t / (2 * df))
            return optimize.brentq(lambda nc: stats.nct.cdf(t, df, nc) - p, t - reach, t + reach, xtol=1e-13, rtol=1e-14)

        tail = (1 - level) / 2
        welch.append({
            "name": name, "x": x, "y": y, "confidence": level, "difference": x.mean() - y.mean(), "lower": lower,
            "upper": upper, "statistic": result.statistic, "df": result.df, "p_value": result.pvalue,
            "hedges_g": d * j, "hedges_g_lower": noncentrality(1 - tail) * factor * j,
            "hedges_g_upper": noncentrality(tail) * factor * j, "sd_x": x.std(ddof=1), "sd_y": y.std(ddof=1),
        })
oracle.write(__file__, {"mann_whitney": mann_whitney, "wilcoxon": wilcoxon, "welch": welch})
