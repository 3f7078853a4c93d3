#!/usr/bin/env bash
# With cluster-robust errors, statsmodels has two p values for one hypothesis: its F test has the degrees of freedom of the
# clusters, its test of the same coefficient is against the normal distribution.
#
# Versions: statsmodels 0.15.0, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1.
# Input:    8 people with 10 values each and a predictor; least squares with cov_type="cluster", clusters are people.
# Guess:    for one coefficient F is z², so that f_test and the table of coefficients have the same p.
# Seen:     the statistic is the same (3.49² = 12.18), the p values are .0005 in the table (z) and .010 in f_test (7 degrees
#           of freedom): twenty times as large. With use_t=True both are .010.
# So:       ask for use_t=True with few people; which of the two p values a script prints decides what a paper says.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check statsmodels==0.15.0 numpy==2.4.6 pandas==2.3.3 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

random = np.random.default_rng(3)
person = np.repeat(np.arange(8), 10)
x = random.normal(size=80)
data = pd.DataFrame({"y": random.normal(size=80) + 0.2 * x, "x": x, "person": person})
found = {}
for use_t in (None, True):
    fit = smf.ols("y ~ x", data).fit(cov_type="cluster", cov_kwds={"groups": data["person"]}, use_t=use_t)
    joint = fit.f_test("x = 0")
    assert abs(float(joint.fvalue) - float(fit.tvalues["x"]) ** 2) < 1e-9
    found[use_t] = (round(float(fit.pvalues["x"]), 4), round(float(joint.pvalue), 4), float(joint.df_denom))
    print(f"use_t={use_t}: p of the coefficient {found[use_t][0]}, of the F test {found[use_t][1]}, df {found[use_t][2]}")
assert found == {None: (0.0005, 0.0101, 7.0), True: (0.0101, 0.0101, 7.0)}, f"it behaves otherwise now: {found}"
PYTHON
