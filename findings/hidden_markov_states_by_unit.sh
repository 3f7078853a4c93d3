#!/usr/bin/env bash
# How many hidden states a series has depends on whether its times are in seconds or in milliseconds, in hmmlearn.
#
# Versions: hmmlearn 0.3.3, numpy 2.4.6, scipy 1.17.1, scikit-learn 1.9.1.
# Input:    60 times between key presses, drawn from a chain with two states, .12 s (sd .015) and .17 s (sd .020), each kept
#           with probability .9; the same numbers once in seconds and once in milliseconds. Gaussian models with one and two
#           states, the best of five starts each, compared by BIC.
# Guess:    fit() is maximum likelihood, so that a change of unit moves every BIC by the same constant, and no choice.
# Seen:     fit() maximises a posterior. Its prior of variances (covars_prior = 0.01) has the unit of the data squared: in
#           seconds it is as if .01 s² had been seen beside deviations of .0003 s². In seconds one state is chosen for seeds
#           1, 4, 9 and 11 (BIC better by 8 to 10), in milliseconds two are (better by 4 to 17). With covars_prior = 0 and
#           min_covar = 0 two are chosen in both units.
# So:       give times in a unit in which variances are far above .01, or set both to 0; BIC of the default fit is none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check hmmlearn==0.3.3 numpy==2.4.6 scipy==1.17.1 \
    scikit-learn==1.9.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import logging

import numpy as np
from hmmlearn.hmm import GaussianHMM

logging.disable(logging.CRITICAL)


def times(seed):
    random = np.random.default_rng(seed)
    state, states = 0, []
    for _ in range(60):
        state = state if random.random() < 0.9 else 1 - state
        states.append(state)
    states = np.array(states)
    return np.where(states == 0, random.normal(0.12, 0.015, 60), random.normal(0.17, 0.020, 60))[:, None]


def chosen(data, **settings):
    def best(n):
        fits = [GaussianHMM(n, n_iter=500, tol=1e-9, random_state=start, **settings).fit(data) for start in range(5)]
        return min(fits, key=lambda fit: fit.bic(data))

    one, two = best(1), best(2)
    return 1 if one.bic(data) < two.bic(data) else 2


by_unit = {}
for seed in (0, 1, 3, 4, 9, 11):
    data = times(seed)
    seconds, milliseconds = chosen(data), chosen(1000 * data)
    plain = dict(covars_prior=0, min_covar=0)
    free = chosen(data, **plain), chosen(1000 * data, **plain)
    by_unit[seed] = (seconds, milliseconds, free)
    print(f"seed {seed:2}: {seconds} in seconds, {milliseconds} in milliseconds; without a prior {free}")
seen = {seed: (2 if seed in (0, 3) else 1, 2, (2, 2)) for seed in by_unit}
assert by_unit == seen, f"it behaves otherwise now: {by_unit}"
PYTHON
