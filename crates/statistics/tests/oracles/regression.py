"""Reference values of stats::regression, from statsmodels' OLS and its prediction intervals."""

import warnings

import numpy as np
import statsmodels
import statsmodels.api as sm

import oracle

warnings.simplefilter("ignore")
rng = np.random.default_rng(20240604)

x50 = np.round(rng.uniform(5, 60, 50), 1)
samples = {
    "moves and seconds": (x50, np.round(3 + 2.1 * x50 + rng.normal(0, 20, 50), 2)),
    "falling": (x50, np.round(80 - 0.9 * x50 + rng.normal(0, 5, 50), 2)),
    "weak": (x50, np.round(rng.normal(0, 5, 50), 2)),
    "tied x": (np.repeat([1.0, 2.0, 3.0, 4.0], 6), np.round(rng.normal(10, 3, 24), 2)),
    "far from zero": (1e4 + x50, np.round(1e4 + 0.3 * x50 + rng.normal(0, 2, 50), 2)),
    "n = 3": (np.array([1.0, 2.0, 4.0]), np.array([3.0, 7.0, 5.0])),
    "n = 4": (np.array([1.0, 2.0, 4.0, 3.0]), np.array([3.0, 7.0, 5.0, 9.0])),
}

cases = []
for name, (x, y) in samples.items():
    fitted = sm.OLS(y, sm.add_constant(x)).fit()
    for level in (0.95, 0.8):
        at = np.array([x.min() - 2, x.min(), x.mean(), x.max(), x.max() + 2])
        band = fitted.get_prediction(np.column_stack([np.ones_like(at), at])).summary_frame(alpha=1 - level)
        limits = fitted.conf_int(alpha=1 - level)

        def coefficient(i):
            return {
                "estimate": fitted.params[i], "standard_error": fitted.bse[i], "lower": limits[i][0],
                "upper": limits[i][1], "statistic": fitted.tvalues[i], "p_value": fitted.pvalues[i],
            }

        cases.append({
            "name": name, "x": x, "y": y, "confidence": level,
            "intercept": coefficient(0), "slope": coefficient(1),
            "r_squared": fitted.rsquared, "residual_sd": np.sqrt(fitted.mse_resid),
            "band": [
                {"x": at[i], "mean": row["mean"], "standard_error": row["mean_se"],
                 "lower": row["mean_ci_lower"], "upper": row["mean_ci_upper"]}
                for i, row in band.iterrows()
            ],
        })
oracle.write(__file__, cases, statsmodels=statsmodels.__version__)
