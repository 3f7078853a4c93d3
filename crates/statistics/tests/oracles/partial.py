"""Reference values of stats::partial.

Estimate, df, p and Pearson's interval from pingouin.partial_corr, whose columns are not rounded; checked
against the correlation of the residuals of statsmodels' least squares. Spearman's interval (Bonett &
Wright, 2000, with k fewer pairs) is written out here, because pingouin gives that of Pearson's r.
"""

import numpy as np
import pandas as pd
import pingouin
import statsmodels
import statsmodels.api as sm
from scipy import stats

import oracle

pingouin.options["round"] = None
rng = np.random.default_rng(20261122)


def table(n, k, decimals=3):
    z = rng.normal(0, 1, (n, k))
    x = z.sum(1) + rng.normal(0, 1, n)
    y = 0.6 * x - z @ np.linspace(0.5, 1.5, k) + rng.normal(0, 1, n)
    return tuple(np.round(v, decimals) for v in (10 + 3 * x, 50 + 9 * y, z * np.linspace(1, 100, k) + 7))


samples = {
    "one covariate": table(40, 1),
    "three covariates": table(60, 3),
    "n = 6, one covariate": table(6, 1),
    "n = 5, two covariates": table(5, 2),
    "ties": tuple(np.round(v / s) for v, s in zip(table(50, 2), (2, 8, np.array([0.5, 50])))),
    "far from zero": tuple(1e6 + v for v in table(30, 2)),
    "covariates almost alike": (lambda x, y, z: (x, y, np.column_stack([z[:, 0], z[:, 0] + 1e-3 * z[:, 1]])))(*table(30, 2)),
}
cases = []
for name, (x, y, z) in samples.items():
    n, k = z.shape
    names = [f"z{i}" for i in range(k)]
    frame = pd.DataFrame(np.column_stack([x, y, z]), columns=["x", "y", *names])
    for method in ("pearson", "spearman"):
        ranked = frame if method == "pearson" else frame.rank()
        design = sm.add_constant(ranked[names].to_numpy())
        rest = [sm.OLS(ranked[v].to_numpy(), design).fit().resid for v in ("x", "y")]
        r = stats.pearsonr(*rest).statistic
        result = pingouin.partial_corr(frame, "x", "y", names, method=method)
        given = result["r"].iloc[0]
        # pingouin inverts the covariance matrix, which loses digits where covariates are almost alike.
        assert np.isclose(given, r, rtol=1e-5 if name == "covariates almost alike" else 1e-9), (name, given, r)
        df = n - 2 - k
        t = r * np.sqrt(df / ((1 - r) * (1 + r)))
        p = 2 * stats.t.sf(abs(t), df)
        p_column = [c for c in result.columns if c.startswith("p")][0]
        assert np.isclose(result[p_column].iloc[0], p, rtol=1e-5), (result, p)
        lower, upper = None, None
        if n - k > 3:
            factor = 1 if method == "pearson" else 1 + r**2 / 2
            half = stats.norm.ppf(0.975) * np.sqrt(factor / (n - k - 3))
            lower, upper = np.tanh(np.arctanh(r) - half), np.tanh(np.arctanh(r) + half)
            if method == "pearson":
                interval = result[[c for c in result.columns if c.startswith("CI")][0]].iloc[0]
                assert np.allclose(interval, [lower, upper], atol=0.00501), (interval, lower, upper)
        cases.append({
            "name": name, "method": method, "confidence": 0.95, "x": x, "y": y, "covariates": z.T, "estimate": r,
            "df": df, "statistic": t, "p_value": p, "lower": lower, "upper": upper,
        })
oracle.write(__file__, cases, pingouin=pingouin.__version__, statsmodels=statsmodels.__version__)
