#!/usr/bin/env bash
# The default search of interlace-lme says of every second ordinary study that people do not differ at all, and that it has
# converged; the likelihood is higher where they differ.
#
# Versions: interlace-lme 0.3.2, mixedlm 1.3.0, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1.
# Input:    30 simulated studies of 30 people with 6 times each, y = person / 2 + error, and a predictor without effect that
#           differs between people; random intercept, restricted likelihood. The maximum is found on a grid, without a package.
# Guess:    one parameter, a likelihood with one maximum, and the gradient in closed form: each package finds the maximum, and a
#           variance of 0 ("singular") means that the likelihood falls from there on, as in lme4.
# Seen:     in 14 studies the variance is 1e-16, with converged=True and the note of a singular fit that lme4 has; all of them
#           have their maximum elsewhere, 2 to 10 points of deviance lower. The parameter is a standard deviation, so that the
#           derivative at 0 is 0 by symmetry, minimum or not: a first step that is too long ends there. From
#           theta0=[0.4], or with optimizer="nelder-mead", the same function gets to the maximum, as mixedlm does.
# So:       a singular fit of it says nothing about people, and the standard error of what differs between them is then that of
#           independent rows: too small by a quarter. Give theta0 a small number, and fit twice.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export MPLCONFIGDIR="$folder"
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check interlace-lme==0.3.2 mixedlm==1.3.0 numpy==2.4.6 \
    pandas==2.3.3 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import interlace
import mixedlm
import numpy as np
import pandas as pd

PEOPLE, TIMES = 30, 6
GRID = np.arange(0, 3, 0.005)


def deviance(table, ratio):
    """-2 log restricted likelihood of a standard deviation of people of ratio times that of the error, without a package."""
    rows = len(table)
    same = table["person"].to_numpy()[:, None] == table["person"].to_numpy()
    root = np.linalg.cholesky(np.eye(rows) + ratio**2 * same)
    x = np.linalg.solve(root, np.column_stack([np.ones(rows), table["x"]]))
    y = np.linalg.solve(root, table["y"])
    left = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    free = rows - 2
    return (2 * np.log(np.diag(root)).sum() + np.linalg.slogdet(x.T @ x)[1]
            + free * (1 + np.log(2 * np.pi * (left @ left) / free)))


zero, wrong, gaps, errors = 0, 0, [], []
for seed in range(30):
    random = np.random.default_rng(seed)
    person = np.repeat(np.arange(PEOPLE), TIMES)
    y = random.normal(size=PEOPLE)[person] / 2 + random.normal(size=len(person))
    table = pd.DataFrame({"y": y, "x": (person % 2).astype(float), "person": [f"p{number:02}" for number in person]})
    fit = interlace.fit("y ~ x", table, groups="person")
    if fit.theta[0] > 1e-4:
        continue
    zero += 1
    started = interlace.fit("y ~ x", table, groups="person", theta0=np.array([0.4]))
    gap = deviance(table, 0) - deviance(table, float(started.theta[0]))
    if gap < 0.1:
        continue
    wrong += 1
    gaps.append(gap)
    errors.append(float(fit.fe_bse["x"]) / float(started.fe_bse["x"]))
    assert fit.converged and abs(-2 * fit.llf - deviance(table, 0)) < 1e-3
    assert abs(-2 * started.llf - deviance(table, float(started.theta[0]))) < 1e-3
    if wrong <= 3:
        best = GRID[np.argmin([deviance(table, ratio) for ratio in GRID[::4]]) * 4]
        other = mixedlm.lmer("y ~ x + (1 | person)", table)
        nelder = interlace.fit("y ~ x", table, groups="person", optimizer="nelder-mead")
        variances = [float(some.variance_components["person"]) for some in (fit, started, nelder)]
        print(f"study {seed}: variance {variances[0]:.1e}, from 0.4 {variances[1]:.3f}, by nelder-mead {variances[2]:.3f}, ratio "
              f"of the best on a grid {best:.2f} (theta {started.theta[0]:.2f}); deviance {gap:.2f} above the least")
        assert abs(best - started.theta[0]) < 0.03 and abs(variances[2] - variances[1]) < 0.01
        assert abs(float(other.theta[0]) - float(started.theta[0])) < 0.01
print(f"{zero} of 30 studies at 0 and converged; {wrong} of these have a maximum elsewhere, {np.min(gaps):.1f} to {np.max(gaps):.1f} "
      f"lower in deviance; standard error of x {np.median(errors):.2f} of what it is there (median)")
assert wrong >= 6 and max(gaps) > 4 and np.median(errors) < 0.9, "it behaves otherwise now"
PYTHON
