#!/usr/bin/env bash
# AIC and BIC of semopy prefer the model that leaves out what is in the data: their likelihood is the misfit, per row, and it counts
# in favour.
#
# Versions: semopy 2.3.11, statsmodels 0.15.0, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1, scikit-learn 1.9.1.
# Input:    300 people with four measures of a trait, a training z and a score y = .5 trait + .5 z + error; the model with both
#           paths to y, and without either or both. The log likelihood of the normal distribution is computed here from the
#           model's own covariances.
# Guess:    calc_stats has the AIC 2k - 2 log L, lowest for the model with both paths, with differences like those of chi².
# Seen:     chi² is 15 with both paths and 127 without, and right; but LogLik is .05 and .42: it is the minimum of the fit
#           function, which is 0 for a perfect fit. AIC is 2k - 2 LogLik: 21.9 with both paths and 17.2 without; by the
#           likelihood it is 4542 and 4650. As the misfit is per row it never grows to the size of k, so the fewest
#           parameters always win; between two models of as many, the worse one.
# So:       compare models by chi² (2k + chi² is AIC up to a constant), not by these.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export MPLCONFIGDIR="$folder"
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check semopy==2.3.11 statsmodels==0.15.0 numpy==2.4.6 \
    pandas==2.3.3 scipy==1.17.1 scikit-learn==1.9.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import pandas as pd
import semopy
from scipy.stats import multivariate_normal

PEOPLE = 300
random = np.random.default_rng(0)
trait = random.normal(size=PEOPLE)
table = pd.DataFrame({f"x{number}": 0.8 * trait + 0.6 * random.normal(size=PEOPLE) for number in range(4)})
table["z"] = random.normal(size=PEOPLE)
table["y"] = 0.5 * trait + 0.5 * table["z"] + random.normal(size=PEOPLE)
found = {}
for name, paths in {"both": "F + z", "no z": "F + 0*z", "no trait": "0*F + z", "neither": "0*F + 0*z"}.items():
    model = semopy.Model(f"F =~ x0 + x1 + x2 + x3\ny ~ {paths}")
    model.fit(table)
    said = semopy.calc_stats(model).T["Value"]
    free = len(model.param_vals)
    observed = table[model.vars["observed"]]
    rows = multivariate_normal(np.zeros(observed.shape[1]), model.calc_sigma()[0]).logpdf(observed - observed.mean())
    right = 2 * free - 2 * rows.sum()
    found[name] = said["AIC"], said["BIC"], right, said["chi2"], said["LogLik"], free
    print(f"{name}: {free} parameters, chi² {said['chi2']:.1f}, LogLik {said['LogLik']:.3f}, AIC {said['AIC']:.2f}, BIC "
          f"{said['BIC']:.2f}; by the likelihood log L {rows.sum():.1f}, AIC {right:.1f}")
    assert abs(said["chi2"] / PEOPLE - said["LogLik"]) < 1e-3, "it behaves otherwise now"
best = min(found, key=lambda name: found[name][2])
chosen = [min(found, key=lambda name: found[name][column]) for column in (0, 1)]
print(f"best by the likelihood: {best}; by AIC and BIC of semopy: {chosen[0]}, {chosen[1]}")
differences = [found["neither"][column] - found["both"][column] for column in (2, 3)]
assert best == "both" and abs(differences[0] - (differences[1] - 2 * (found["both"][5] - found["neither"][5]))) < 2
assert chosen == ["neither", "neither"] and found["no trait"][0] < found["no z"][0], "it behaves otherwise now"
PYTHON
