#!/usr/bin/env bash
# scipy's least squares on the indicators of two crossed factors leaves effects of the factors in the residuals, with no word.
#
# Versions: scipy 1.17.1, numpy 2.4.6.
# Input:    1,400 whole numbers from 0 to 59, of five people at thirteen levels at random; a column of 0 and 1 for each person
#           and each level, 18 in all. As both sets add up to a column of ones, the rank is 17.
# Guess:    lstsq is made for a rank that is not full: residuals are orthogonal to all columns, whichever package computes them.
# Seen:     scipy.linalg.lstsq finds rank 18 in 176 of 200 samples: its cutoff for singular values is the machine epsilon, and
#           rounding makes one of 1e-15 of the largest. Residuals of 24 samples are right; in the others they are not orthogonal
#           to the columns, and off by up to 35. numpy.linalg.lstsq, whose cutoff grows with the number of rows, is right
#           in all 200.
# So:       give scipy's lstsq a cutoff (cond=1e-10), or take numpy's, to centre values within people and levels.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check scipy==1.17.1 numpy==2.4.6
"$folder/python/bin/python" - <<'PYTHON'
import numpy as np
from scipy import linalg

counts, largest = {"scipy": 0, "scipy, cond=1e-10": 0, "numpy": 0}, 0.0
for seed in range(200):
    random = np.random.default_rng(seed)
    person, level = random.integers(0, 5, 1400), random.integers(0, 13, 1400)
    y = random.integers(0, 60, 1400).astype(float)
    columns = np.hstack([np.eye(5)[person], np.eye(13)[level]])
    residuals = {
        "scipy": y - columns @ linalg.lstsq(columns, y)[0],
        "scipy, cond=1e-10": y - columns @ linalg.lstsq(columns, y, cond=1e-10)[0],
        "numpy": y - columns @ np.linalg.lstsq(columns, y, rcond=None)[0],
    }
    for name, left in residuals.items():
        counts[name] += bool(np.abs(columns.T @ left).max() > 1e-6)
    largest = max(largest, np.abs(residuals["scipy"] - residuals["numpy"]).max())
print(f"samples of 200 whose residuals are not orthogonal: {counts}; largest error {largest:.1f}")
# How rounding falls depends on the processor.
assert counts["scipy"] > 100 and largest > 1, f"it behaves otherwise now: {counts}, {largest}"
assert counts["scipy, cond=1e-10"] == counts["numpy"] == 0, f"it behaves otherwise now: {counts}"
PYTHON
