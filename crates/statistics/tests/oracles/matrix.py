"""Reference values of stats::matrix: scipy's correlation of each pair of columns without missing values, and
statsmodels' multipletests over all pairs. n is above nine and there are ties, so that the p values of scipy's
spearmanr (t) and kendalltau (normal) are those of our rule; pandas' corr gives the coefficients again."""

import numpy as np
import pandas as pd
import statsmodels
from scipy import stats
from statsmodels.stats.multitest import multipletests

import oracle

rng = np.random.default_rng(20261124)
n = 45
difficulty = rng.normal(0, 1, n)
frame = pd.DataFrame({
    "distance": np.round(12 + 6 * difficulty + rng.normal(0, 4, n)),
    "states": np.round(np.exp(8 + 0.4 * difficulty + rng.normal(0, 1, n))),
    "moves": np.round(20 + 9 * difficulty + rng.normal(0, 9, n)),
    "time": np.round(40 + 12 * difficulty + rng.normal(0, 20, n), 2),
    "noise": np.round(rng.normal(0, 1, n), 1),
})
frame.loc[rng.choice(n, 6, replace=False), "moves"] = np.nan
frame.loc[rng.choice(n, 4, replace=False), "time"] = np.nan
tests = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
adjustments = {"holm": "holm", "benjamini-hochberg": "fdr_bh"}
cases = []
for method, test in tests.items():
    pairs = []
    for i, x in enumerate(frame):
        for y in list(frame)[i + 1:]:
            both = frame[[x, y]].dropna()
            result = test(both[x], both[y])
            assert np.isclose(frame.corr(method=method).loc[x, y], result.statistic, rtol=1e-10)
            pairs.append({"x": x, "y": y, "n": len(both), "estimate": result.statistic, "p_value": result.pvalue})
    for name, key in adjustments.items():
        adjusted = multipletests([pair["p_value"] for pair in pairs], method=key)[1]
        cases.append({
            "method": method, "adjustment": name, "names": list(frame), "columns": frame.to_numpy().T,
            "pairs": [pair | {"p_adjusted": p} for pair, p in zip(pairs, adjusted)],
        })
oracle.write(__file__, cases, statsmodels=statsmodels.__version__)
