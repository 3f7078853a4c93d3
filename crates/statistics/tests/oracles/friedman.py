"""Reference values of stats::friedman: scipy.stats.friedmanchisquare, and Kendall's W of pingouin.friedman."""

import numpy as np
import pandas as pd
import pingouin
from scipy import stats

import oracle

pingouin.options["round"] = None
rng = np.random.default_rng(20261128)
samples = {
    "medians of three qualities": np.round(np.exp(rng.normal(0, 0.5, (25, 1)) + rng.normal([0, 0.2, 0.4], 0.4, (25, 3))), 3),
    "ties": rng.integers(1, 5, (14, 4)).astype(float) + np.array([0, 0, 1, 1]),
    "five conditions": np.round(rng.normal([0, 1, 2, 1, 0], 1.5, (12, 5)), 2),
    "n = 2": np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 3.0]]),
    "one row without differences": np.array([[1.0, 2.0, 3.0], [2.0, 2.0, 2.0], [2.0, 1.0, 3.0]]),
    "alike": np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0]]),
}
cases = []
for name, table in samples.items():
    result = stats.friedmanchisquare(*table.T)
    w = result.statistic / (len(table) * (table.shape[1] - 1))
    if len(table) > 2:
        second = pingouin.friedman(pd.DataFrame(table))
        assert np.isclose(second["Q"].iloc[0], result.statistic, rtol=1e-9, atol=1e-12)
        assert np.isclose(second["W"].iloc[0], w, rtol=1e-9, atol=1e-12)
    cases.append({
        "name": name, "table": table, "statistic": result.statistic, "p_value": result.pvalue, "kendalls_w": w,
        "mean_ranks": stats.rankdata(table, axis=1).mean(0),
    })
oracle.write(__file__, cases, pingouin=pingouin.__version__)
