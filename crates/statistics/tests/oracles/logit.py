"""Reference values of stats::logit without clusters, from statsmodels: Logit by Newton's method. Those of cluster-robust
errors come from logit_cr2.R, since statsmodels has no CR2."""

import numpy as np
import statsmodels
import statsmodels.api as sm
from scipy import stats

import oracle

rng = np.random.default_rng(20240702)


def simulated(n, slopes, intercept, n_clusters, spread):
    columns = [np.round(rng.normal(8, 3, n), 2) if i % 2 == 0 else rng.integers(0, 2, n).astype(float) for i in range(len(slopes))]
    clusters = rng.integers(0, n_clusters, n)
    own = rng.normal(0, spread, n_clusters)[clusters]
    log_odds = intercept + own + sum(b * x for b, x in zip(slopes, columns))
    return (rng.random(n) < 1 / (1 + np.exp(-log_odds))).astype(int), columns, clusters


samples = {
    "distance and previous error": simulated(300, [0.12, 0.8], -2.5, 15, 0.6),
    "one covariate": simulated(120, [0.3], -3, 10, 0),
    "four covariates": simulated(250, [0.2, -0.5, 0.1, 0.4], -2, 30, 0.4),
    "rare events": simulated(400, [0.2, 0.3], -5.5, 20, 0.5),
    "strong effect": simulated(200, [1.5], -12, 8, 0.2),
}
events, columns, clusters = simulated(150, [0.3], -2.5, 12, 0.3)
samples["far from zero"] = events, [columns[0] * 100 + 1e5], clusters

cases = []
for name, (events, columns, clusters) in samples.items():
    # In columns of mean 0 and deviation 1, so that the reference itself loses no digits; then back.
    x = np.column_stack(columns)
    mean, scale = x.mean(0), x.std(0)
    design = sm.add_constant((x - mean) / scale)
    to_units = np.diag(np.r_[1, 1 / scale])
    to_units[0, 1:] = -mean / scale
    options = {"disp": 0, "method": "newton", "tol": 1e-13, "maxiter": 100}
    fit = sm.Logit(events, design).fit(**options)
    estimate = to_units @ fit.params
    error = np.sqrt(np.diag(to_units @ fit.cov_params() @ to_units.T))
    if name != "far from zero":
        plain = sm.Logit(events, sm.add_constant(x)).fit(**options)
        assert np.allclose(plain.params, estimate, rtol=1e-8) and np.allclose(plain.bse, error, rtol=1e-8)
    z = estimate / error
    wald = fit.wald_test(np.eye(len(estimate))[1:], use_f=False, scalar=True)
    level = 0.95
    half = stats.norm.ppf((1 + level) / 2) * error
    cases.append({
        "name": name, "confidence": level, "events": events, "covariates": columns, "estimate": estimate,
        "standard_error": error, "statistic": z, "p_value": 2 * stats.norm.sf(abs(z)), "lower": estimate - half,
        "upper": estimate + half, "log_likelihood": fit.llf, "log_likelihood_null": fit.llnull,
        "mcfadden_r_squared": fit.prsquared, "likelihood_ratio": [fit.llr, fit.df_model, fit.llr_pvalue],
        "wald": [wald.statistic, len(estimate) - 1, wald.pvalue],
    })
oracle.write(__file__, cases, statsmodels=statsmodels.__version__)
