"""Reference values of stats::reliability.

Intraclass correlations: pingouin.intraclass_corr at 95 %; the same formulas (McGraw & Wong, 1996) from the mean
squares of statsmodels' analysis of variance, written out here, give the other digits of its rounded intervals.
One-way with unequal sizes: mean squares of statsmodels, n0 of Donner (1986). Alpha: pingouin.cronbach_alpha and
Feldt's interval. Split halves: with few trials, every way to split is listed, so that the mean over all splits
is known; `sd` is the standard deviation over the splits. Odd-even: scipy.stats.pearsonr.
"""

import itertools

import numpy as np
import pandas as pd
import pingouin
import statsmodels
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.stats.anova import anova_lm

import oracle

pingouin.options["round"] = None
rng = np.random.default_rng(20261130)
LEVEL = 0.95
TAIL = (1 - LEVEL) / 2
shrout_fleiss = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7.0]])
tables = {
    "Shrout & Fleiss (1979)": shrout_fleiss,
    "reliable": np.round(rng.normal(0, 3, (20, 1)) + rng.normal(0, 1, (20, 3)), 3),
    "two occasions": np.round(rng.normal(0, 1, (15, 1)) + rng.normal([0, 1], 1, (15, 2)), 3),
    "unreliable": np.round(rng.normal(0, 1, (12, 5)), 3),
    "large offsets": np.round(1e4 + rng.normal(0, 2, (30, 1)) + rng.normal([0, 5, 9, 2], 1, (30, 4)), 3),
}


def long(table):
    n, k = table.shape
    return pd.DataFrame({"row": np.repeat(np.arange(n), k), "column": np.tile(np.arange(k), n), "value": table.ravel()})


def from_squares(table):
    n, k = table.shape
    two = anova_lm(smf.ols("value ~ C(row) + C(column)", long(table)).fit())
    ms_r, ms_c, ms_e = two["sum_sq"] / two["df"]
    one = anova_lm(smf.ols("value ~ C(row)", long(table)).fit())
    ms_w = one["sum_sq"].iloc[1] / one["df"].iloc[1]
    out = []
    f1, f3, d1, d3 = ms_r / ms_w, ms_r / ms_e, n * (k - 1), (n - 1) * (k - 1)

    def ends(f, df2):
        return f / stats.f.isf(TAIL, n - 1, df2), f * stats.f.isf(TAIL, df2, n - 1)

    l1, u1 = ends(f1, d1)
    l3, u3 = ends(f3, d3)
    icc2 = (ms_r - ms_e) / (ms_r + (k - 1) * ms_e + k * (ms_c - ms_e) / n)
    fj = ms_c / ms_e
    a = k * icc2 * fj + n * (1 + (k - 1) * icc2) - k * icc2
    b = (n - 1) * k**2 * icc2**2 * fj**2 + (n * (1 + (k - 1) * icc2) - k * icc2) ** 2
    v = (k - 1) * (n - 1) * a**2 / b
    fl, fu = stats.f.isf(TAIL, n - 1, v), stats.f.isf(TAIL, v, n - 1)
    rest = k * ms_c + (k * n - k - n) * ms_e
    l2, u2 = n * (ms_r - fl * ms_e) / (fl * rest + n * ms_r), n * (fu * ms_r - ms_e) / (rest + n * fu * ms_r)
    sb = lambda r: k * r / (1 + (k - 1) * r)
    out.append(("ICC(1,1)", (ms_r - ms_w) / (ms_r + (k - 1) * ms_w), (l1 - 1) / (l1 + k - 1), (u1 - 1) / (u1 + k - 1), f1, d1))
    out.append(("ICC(2,1)", icc2, l2, u2, f3, d3))
    out.append(("ICC(3,1)", (ms_r - ms_e) / (ms_r + (k - 1) * ms_e), (l3 - 1) / (l3 + k - 1), (u3 - 1) / (u3 + k - 1), f3, d3))
    out.append(("ICC(1,k)", 1 - 1 / f1, 1 - 1 / l1, 1 - 1 / u1, f1, d1))
    out.append(("ICC(2,k)", (ms_r - ms_e) / (ms_r + (ms_c - ms_e) / n), sb(l2), sb(u2), f3, d3))
    out.append(("ICC(3,k)", 1 - 1 / f3, 1 - 1 / l3, 1 - 1 / u3, f3, d3))
    keys = ("form", "estimate", "lower", "upper", "statistic", "df2")
    return [dict(zip(keys, row)) | {"df1": n - 1, "p_value": stats.f.sf(row[4], n - 1, row[5])} for row in out]


intraclass, alphas = [], []
for name, table in tables.items():
    forms = from_squares(table)
    given = pingouin.intraclass_corr(long(table), targets="row", raters="column", ratings="value")
    interval = [c for c in given.columns if c.startswith("CI")][0]
    p_column = [c for c in given.columns if c.startswith("p")][0]
    for ours, (_, theirs) in zip(forms, given.iterrows()):
        assert np.isclose(ours["estimate"], theirs["ICC"], rtol=1e-7), (ours, theirs)
        assert np.isclose(ours["statistic"], theirs["F"], rtol=1e-7) and ours["df2"] == theirs["df2"]
        assert np.isclose(ours["p_value"], theirs[p_column], rtol=1e-6), (ours, theirs)
        assert np.allclose([ours["lower"], ours["upper"]], theirs[interval], atol=0.00501), (ours, theirs)
    intraclass.append({"name": name, "table": table, "confidence": LEVEL, "forms": forms})
    n, k = table.shape
    alpha, given = pingouin.cronbach_alpha(pd.DataFrame(table), ci=LEVEL)
    ends = [1 - (1 - alpha) * stats.f.isf(q, n - 1, (n - 1) * (k - 1)) for q in (TAIL, 1 - TAIL)]
    assert np.allclose(given, ends, atol=0.000501), (given, ends)
    alphas.append({"name": name, "table": table, "confidence": LEVEL, "estimate": alpha, "lower": ends[0], "upper": ends[1]})

one_way = []
for name, sizes, between in (("unequal", (3, 8, 5, 2, 9, 4, 6), 1.5), ("singles", (1, 4, 1, 7, 3), 0.8), ("none", (5, 5, 9, 4), 0.0)):
    group = np.repeat(np.arange(len(sizes)), sizes)
    value = np.round(20 + rng.normal(0, between, len(sizes))[group] + rng.normal(0, 1, len(group)), 3)
    table = anova_lm(smf.ols("v ~ C(g)", pd.DataFrame({"v": value, "g": group})).fit())
    (between_ms, within_ms), f, p = table["mean_sq"], table["F"].iloc[0], table["PR(>F)"].iloc[0]
    n, g = len(group), len(sizes)
    n0 = (n - sum(s * s for s in sizes) / n) / (g - 1)
    low, high = f / stats.f.isf(TAIL, g - 1, n - g), f * stats.f.isf(TAIL, n - g, g - 1)
    one_way.append({
        "name": name, "groups": [value[group == i] for i in range(g)], "confidence": LEVEL, "n0": n0,
        "estimate": (between_ms - within_ms) / (between_ms + (n0 - 1) * within_ms), "statistic": f, "p_value": p,
        "lower": (low - 1) / (low + n0 - 1), "upper": (high - 1) / (high + n0 - 1),
        "mean_reliability": 1 - within_ms / between_ms, "mean_lower": 1 - 1 / low, "mean_upper": 1 - 1 / high,
    })


def halves(trials):
    """The means of both halves, for each choice of the first half."""
    places = range(len(trials))
    return [
        (np.mean(trials[list(first)]), np.mean(trials[[i for i in places if i not in first]]))
        for first in itertools.combinations(places, len(trials) // 2)
    ]


split_half = []
for name, sizes, spread in (("good", (4, 4, 3, 5, 4), 2.0), ("poor", (4, 3, 4, 2, 4, 3), 0.2)):
    trials = [np.round(rng.normal(5 + rng.normal(0, spread), 1, size), 3) for size in sizes]
    of_each = [halves(t) for t in trials]
    every = np.array(list(itertools.product(*of_each)))
    x, y = every[..., 0], every[..., 1]
    x, y = x - x.mean(1, keepdims=True), y - y.mean(1, keepdims=True)
    r = (x * y).sum(1) / np.sqrt((x**2).sum(1) * (y**2).sum(1))
    corrected = 2 * r / (1 + abs(r))
    odd, even = [t[0::2].mean() for t in trials], [t[1::2].mean() for t in trials]
    single = stats.pearsonr(odd, even)
    interval = single.confidence_interval(LEVEL)
    sb = lambda value: 2 * value / (1 + abs(value))
    split_half.append({
        "name": name, "trials": trials, "confidence": LEVEL, "n_ways": len(r), "mean": corrected.mean(),
        "sd": corrected.std(), "half_mean": r.mean(), "half_sd": r.std(),
        "quantiles": np.quantile(corrected, [TAIL, 1 - TAIL]),
        "near_quantiles": np.quantile(corrected, [TAIL - 0.006, TAIL + 0.006, 1 - TAIL - 0.006, 1 - TAIL + 0.006]),
        "odd_even": sb(single.statistic), "odd_even_lower": sb(interval.low), "odd_even_upper": sb(interval.high),
        "odd_even_p": single.pvalue,
    })
oracle.write(
    __file__, {"intraclass": intraclass, "alpha": alphas, "one_way": one_way, "split_half": split_half},
    pingouin=pingouin.__version__, statsmodels=statsmodels.__version__,
)
