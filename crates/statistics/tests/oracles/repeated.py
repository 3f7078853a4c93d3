"""Reference values of stats::repeated.

Repeated-measures correlation: pingouin.rm_corr, checked against the analysis of covariance of statsmodels
(one intercept per participant, a common slope). The interval is Fisher's z with df + 2 pairs, written out
here and compared with pingouin's rounded one. Decomposition: pandas' group means and numpy's correlations.
"""

import numpy as np
import pandas as pd
import pingouin
import statsmodels
import statsmodels.formula.api as smf
from scipy import stats

import oracle

pingouin.options["round"] = None
rng = np.random.default_rng(20261123)


def players(sizes, within, between):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    level = rng.normal(0, 3, len(sizes))
    x = 10 + level[groups] + rng.normal(0, 1, len(groups))
    y = 30 + between * level[groups] + within * (x - level[groups]) + rng.normal(0, 1.5, len(groups))
    return groups, np.round(x, 3), np.round(y, 3)


samples = {
    "twelve players": players([6] * 12, -0.7, 1.5),
    "unequal": players([2, 9, 4, 3, 12, 5, 2, 7], 0.4, -1.0),
    "two players": players([3, 4], 1.0, 1.0),
    "with single pairs": players([1, 5, 1, 4, 6, 3, 1], 0.8, 0.2),
    "one degree of freedom": players([2, 2], 1.0, 0.0),
}
cases = []
for name, (groups, x, y) in samples.items():
    frame = pd.DataFrame({"g": groups, "x": x, "y": y})
    several = frame[frame.groupby("g")["x"].transform("size") > 1]
    model = smf.ols("y ~ C(g) + x", several).fit()
    df = int(model.df_resid)
    sign = np.sign(model.params["x"])
    reduced = smf.ols("y ~ C(g)", several).fit()
    explained = reduced.ssr - model.ssr
    r = sign * np.sqrt(explained / reduced.ssr)
    t, p = model.tvalues["x"], model.pvalues["x"]
    if several["g"].nunique() >= 3:
        result = pingouin.rm_corr(several, "x", "y", "g")
        assert np.isclose(result["r"].iloc[0], r, rtol=1e-9), (result, r)
        assert result["dof"].iloc[0] == df
        p_column = [c for c in result.columns if c.startswith("p") and c != "power"][0]
        assert np.isclose(result[p_column].iloc[0], p, rtol=1e-6), (result, p)
    lower = upper = None
    if df > 1:
        half = stats.norm.ppf(0.975) / np.sqrt(df - 1)
        lower, upper = np.tanh(np.arctanh(r) - half), np.tanh(np.arctanh(r) + half)
        if several["g"].nunique() >= 3:
            interval = result[[c for c in result.columns if c.startswith("CI")][0]].iloc[0]
            assert np.allclose(interval, [lower, upper], atol=0.00501), (interval, lower, upper)
    means = frame.groupby("g")[["x", "y"]].mean()
    spread = frame.groupby("g")[["x", "y"]].transform("mean")
    between = stats.pearsonr(means["x"], means["y"]) if len(means) > 2 else None
    cases.append({
        "name": name, "groups": groups, "x": x, "y": y, "confidence": 0.95, "n": len(several),
        "n_groups": several["g"].nunique(), "n_singletons": frame["g"].nunique() - several["g"].nunique(),
        "estimate": r, "lower": lower, "upper": upper, "slope": model.params["x"], "df": df, "statistic": t,
        "p_value": p, "pooled": np.corrcoef(x, y)[0, 1],
        "between": None if between is None else between.statistic,
        "between_p": None if between is None else between.pvalue,
        "between_weighted": np.corrcoef(spread["x"], spread["y"])[0, 1],
        "eta_squared_x": spread["x"].var() / frame["x"].var(), "eta_squared_y": spread["y"].var() / frame["y"].var(),
    })
oracle.write(__file__, cases, pingouin=pingouin.__version__, statsmodels=statsmodels.__version__)
