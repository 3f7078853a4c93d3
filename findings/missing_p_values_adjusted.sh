#!/usr/bin/env bash
# A test that could not be made (a missing p) is adjusted for in four ways by three packages of Python.
#
# Versions: statsmodels 0.15.0, pingouin 0.7.0, scipy 1.17.1, numpy 2.4.6, pandas 2.3.3.
# Input:    the p values .01, missing, .03.
# Guess:    the missing one is left out, and the two others are adjusted as two tests (as p.adjust of R does), or refused.
# Seen:     pingouin: as guessed. scipy: refused. statsmodels by Holm: .03 and .06, so the missing test is counted; by
#           Benjamini and Hochberg: every p is missing, nothing is significant, and nothing is said.
# So:       leave out missing p values before multipletests, and say how many tests the family has.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check statsmodels==0.15.0 pingouin==0.7.0 scipy==1.17.1 \
    numpy==2.4.6 pandas==2.3.3
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import pingouin
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

p = [0.01, np.nan, 0.03]
rounded = lambda values: [None if np.isnan(value) else round(float(value), 3) for value in values]
found = {f"statsmodels {method}": rounded(multipletests(p, method=method)[1]) for method in ("holm", "fdr_bh")}
found |= {f"pingouin {method}": rounded(pingouin.multicomp(p, method=method)[1]) for method in ("holm", "fdr_bh")}
try:
    found["scipy"] = rounded(false_discovery_control(p))
except ValueError as error:
    found["scipy"] = str(error)
for name, values in found.items():
    print(f"{name}: {values}")
assert found == {
    "statsmodels holm": [0.03, None, 0.06],
    "statsmodels fdr_bh": [None, None, None],
    "pingouin holm": [0.02, None, 0.03],
    "pingouin fdr_bh": [0.02, None, 0.03],
    "scipy": "`ps` must include only numbers between 0 and 1.",
}, "it behaves otherwise now"
PYTHON
