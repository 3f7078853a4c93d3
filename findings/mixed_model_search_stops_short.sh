#!/usr/bin/env bash
# The default search of a mixed model in statsmodels stops short of the maximum for most small studies, once in a while with
# "converged"; another of its own methods reaches it each time.
#
# Versions: statsmodels 0.15.0, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1.
# Input:    40 simulated studies of 8 people with 10 times each: y = 0.3 · person + error, both standard normal, and a
#           predictor without effect; the model y ~ x with a random intercept of people, by restricted likelihood.
# Guess:    two unknown variances and two slopes are an easy search: all methods end at the same maximum.
# Seen:     by default 16 fits converge and 24 do not, after warnings; method="powell" converges in all 40 and is never below.
#           The default ends up to 0.47 of log-likelihood lower: the variance of people is 0.160 where the maximum has 0.050,
#           and the standard error of the mean 0.177 where it is 0.135. Of the fits that call themselves converged one has a
#           variance of 0.121 instead of 0.046. statsmodels 0.14.1 with scipy 1.11.4 ended in the same points.
# So:       fit with powell too, and keep the larger likelihood, before a variance from statsmodels goes into a paper.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check statsmodels==0.15.0 numpy==2.4.6 pandas==2.3.3 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

n_converged, gaps = 0, []
for seed in range(40):
    random = np.random.default_rng(seed)
    person = np.repeat(np.arange(8), 10)
    x = random.normal(size=80)
    y = random.normal(size=80) + 0.3 * random.normal(size=8)[person]
    model = smf.mixedlm("y ~ x", pd.DataFrame({"y": y, "x": x, "person": person}), groups="person")
    usual, powell = model.fit(), model.fit(method="powell")
    assert powell.converged
    n_converged += usual.converged
    variances = [round(float(fit.cov_re.iloc[0, 0]), 3) for fit in (usual, powell)]
    errors = [round(float(fit.bse["Intercept"]), 3) for fit in (usual, powell)]
    gaps.append((round(float(powell.llf - usual.llf), 2), variances, errors, bool(usual.converged)))
gaps.sort(reverse=True)
largest, of_converged = gaps[0], next(gap for gap in gaps if gap[3])
print(f"{n_converged} of 40 converge by default")
print(f"farthest below the maximum: {largest}")
print(f"farthest of those that converge: {of_converged}")
assert min(gaps)[0] >= 0
assert n_converged == 16, "it behaves otherwise now"
assert largest == (0.47, [0.16, 0.05], [0.177, 0.135], False), "it behaves otherwise now"
assert of_converged[1] == [0.121, 0.046], "it behaves otherwise now"
PYTHON
