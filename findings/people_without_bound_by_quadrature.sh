#!/usr/bin/env bash
# With more than one point of quadrature the people of each study differ by the same sd in lme-python, 8, which is the end of its
# search; it is "converged", and the likelihood that it prints cannot be.
#
# Versions: lme-python 0.2.7, polars 2.1.0, numpy 2.4.6, scipy 1.17.1.
# Input:    six studies (seeds 0 to 5): 60 people with 6 levels each, solved or not; logit = x / 2 + person, people with an sd
#           of 1; s ~ x + (1 | p), binomial, by glmer with n_agq = 1, 3, 9 and 25. The exact likelihood is integrated here.
# Guess:    as in lme4, after which the package is made: 1 is Laplace, and with each number above it one is nearer to the
#           maximum of the likelihood.
# Seen:     with one point sd and slope are a little low (sd .92 and x .46 on average, at the maximum .97 and .51), as the
#           slope is found by the penalised fit alone. With 3, 9 and 25 points the sd is 8.00 in all six studies, x is .61, and
#           the printed log likelihood, say -190.5, is above the maximum that is possible, -223.8; the exact one at the
#           printed estimates is -288.2. "converged" is True.
# So:       keep n_agq=1 there, and look at the sd before the slope: a likelihood that jumps by 30 with the number of points is
#           no better fit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check lme-python==0.2.7 polars==2.1.0 numpy==2.4.6 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import lme_python
import numpy as np
import polars as pl
from scipy.optimize import minimize
from scipy.special import expit, logsumexp, roots_hermitenorm

nodes, weights = roots_hermitenorm(201)
weights = np.log(np.maximum(weights, 1e-300) / np.sqrt(2 * np.pi))
people, levels = 60, 6
x = np.arange(levels) - 2.5


def log_likelihood(beta, sd, solved):
    logit = beta[0] + beta[1] * x[None, :, None] + sd * nodes
    of_rows = -np.logaddexp(0, np.where(solved[:, :, None] == 1, -logit, logit))
    return logsumexp(of_rows.sum(1) + weights, axis=1).sum()


found = {points: [] for points in (1, 3, 9, 25)}
best = []
for seed in range(6):
    draw = np.random.default_rng(seed)
    person = draw.normal(size=people)
    solved = (draw.uniform(size=(people, levels)) < expit(x / 2 + person[:, None])).astype(float)
    names = np.repeat([f"p{p:02}" for p in range(people)], levels)
    table = pl.DataFrame({"p": names, "x": np.tile(x, people), "s": solved.ravel()})
    maximum = minimize(lambda v: -log_likelihood(v[:2], np.exp(v[2]), solved), [0.0, 0.5, 0.0], method="BFGS")
    best.append((np.exp(maximum.x[2]), maximum.x[1], -maximum.fun))
    line = f"study {seed}: maximum sd {best[-1][0]:.2f}, x {best[-1][1]:.3f}, log likelihood {best[-1][2]:.2f};"
    for points in found:
        fit = lme_python.glmer("s ~ x + (1 | p)", table, "binomial", n_agq=points)
        exact = log_likelihood(fit.coefficients, fit.theta[0], solved)
        found[points].append((fit.theta[0], fit.coefficients[1], fit.log_likelihood, exact, fit.converged))
        line += f"\n   n_agq {points}: sd {fit.theta[0]:.2f}, x {fit.coefficients[1]:.3f}, log likelihood {fit.log_likelihood:.2f}"
        line += f" (exact: {exact:.2f}), converged {fit.converged}"
    print(line)
means = {points: np.mean([fit[:2] for fit in fits], axis=0) for points, fits in found.items()}
sd, slope = np.mean(best, axis=0)[:2]
of_points = "; ".join(f"n_agq {points}: {mean[0]:.2f}, {mean[1]:.2f}" for points, mean in means.items())
print(f"mean sd and slope: maximum {sd:.2f}, {slope:.2f}; {of_points}")
assert 0.95 < sd < 1 and 0.49 < slope < 0.52
assert 0.9 < means[1][0] < 0.93 and 0.45 < means[1][1] < 0.47, "one point behaves otherwise now"
for points in (3, 9, 25):
    for (fitted, _, printed, exact, converged), maximum in zip(found[points], best):
        assert converged and abs(fitted - 8) < 1e-6 and printed > maximum[2] + 20 > exact + 70, "it behaves otherwise now"
PYTHON
