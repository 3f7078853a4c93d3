"""Reference values of stats::association: scipy.stats.chi2_contingency without continuity correction (Pearson and
log-likelihood), scipy.stats.contingency.association, and the standardized residuals of statsmodels' Table."""

import numpy as np
import statsmodels
from scipy import stats
from statsmodels.stats.contingency_tables import Table

import oracle

rng = np.random.default_rng(20261203)
tables = {
    "two by two": np.array([[30, 10], [15, 25]]),
    "quality by condition": rng.poisson([[40, 30, 12], [35, 41, 22], [12, 9, 30]]),
    "with zeros": np.array([[12, 0, 3, 1], [0, 7, 2, 0], [5, 1, 0, 9]]),
    "large": rng.poisson(np.outer([900, 4000, 15000], [0.2, 0.5, 0.3, 0.05, 0.1])),
    "independent": np.outer([2, 3, 5], [4, 6]),
    "wholly dependent": np.diag([7, 4, 9]),
}
cases = []
for name, table in tables.items():
    pearson = stats.chi2_contingency(table, correction=False)
    g = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood")
    cases.append({
        "name": name, "table": table, "chi_squared": pearson.statistic, "df": pearson.dof, "p_value": pearson.pvalue,
        "g": g.statistic, "g_p_value": g.pvalue, "expected": pearson.expected_freq.ravel(),
        "residuals": Table(table, shift_zeros=False).standardized_resids.ravel(),
        "cramers_v": stats.contingency.association(table, method="cramer"),
    })
oracle.write(__file__, cases, statsmodels=statsmodels.__version__)
