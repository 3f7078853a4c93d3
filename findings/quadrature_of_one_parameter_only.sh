#!/usr/bin/env bash
# More points of quadrature make the coefficients of a logistic mixed model worse in interlace-lme: with any number above one they
# no longer maximise the likelihood.
#
# Versions: interlace-lme 0.3.2, mixedlm 1.3.0, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1.
# Input:    100 people with 4 levels each, solved or not; logit = -.3 + x + person, people with an sd of 2; random intercept,
#           fitted by glmer with nAGQ = 1 (Laplace), 5 and 25. The exact likelihood is integrated by 61 points here.
# Guess:    nAGQ=25 gives the maximum of the likelihood, as in lme4, which the package follows; Laplace is a little below.
# Seen:     the maximum is at .890 for x. Laplace has .884; nAGQ=5 has .772 and nAGQ=25 .774, with a log likelihood .27 below the
#           maximum and "converged"; mixedlm has .890. Only the sd of people is searched by quadrature: the coefficients are
#           those of the joint mode of coefficients and people, as nAGQ=0 of lme4 has them, which are nearer to 0.
# So:       keep nAGQ=1 there: with few trials of each person the better integral loses 13 % of an effect.
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
from scipy.optimize import minimize

PEOPLE, LEVELS = 100, 4
nodes, weights = np.polynomial.hermite_e.hermegauss(61)
weights = weights / weights.sum()
random = np.random.default_rng(1)
person = np.repeat(np.arange(PEOPLE), LEVELS)
x = random.normal(size=len(person))
logit = x - 0.3 + 2 * random.normal(size=PEOPLE)[person]
solved = (random.random(len(person)) < 1 / (1 + np.exp(-logit))).astype(float)
table = pd.DataFrame({"solved": solved, "x": x, "person": [f"p{number:03}" for number in person]})


def log_likelihood(intercept, slope, sd):
    """By 61 points for each person, without a package."""
    at = (intercept + slope * x)[:, None] + sd * nodes
    each = (solved[:, None] * at - np.logaddexp(0, at)).reshape(PEOPLE, LEVELS, -1).sum(axis=1)
    return np.log(np.exp(each) @ weights).sum()


best = minimize(lambda values: -log_likelihood(*values), [0, 0, 1], method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-9})
print(f"maximum: intercept {best.x[0]:.3f}, x {best.x[1]:.3f}, sd {abs(best.x[2]):.3f}, log likelihood {-best.fun:.3f}")
found = {}
for points in (1, 5, 25):
    fit = interlace.glmer("solved ~ x", table, family="binomial", groups="person", nAGQ=points)
    intercept, slope = (float(value) for value in fit.fe_params)
    sd = float(fit.variance_components["person"]) ** 0.5
    found[points] = slope
    print(f"interlace, nAGQ={points}: intercept {intercept:.3f}, x {slope:.3f}, sd {sd:.3f}, log likelihood {fit.llf:.3f} "
          f"(exact there: {log_likelihood(intercept, slope, sd):.3f}), converged {fit.converged}")
family = mixedlm.families.Binomial()
formula = "solved ~ x + (1 | person)"
other = {points: float(mixedlm.glmer(formula, table, family=family, nAGQ=points).fixef()["x"]) for points in (0, 1, 25)}
print("mixedlm: " + ", ".join(f"nAGQ={points}: x {slope:.3f}" for points, slope in other.items()))
assert abs(other[25] - best.x[1]) < 0.005 and abs(found[1] - best.x[1]) < 0.02
assert found[25] < 0.9 * best.x[1] and abs(found[25] - found[5]) < 0.01, "it behaves otherwise now"
PYTHON
