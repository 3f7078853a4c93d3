#!/usr/bin/env bash
# The Hartung-Knapp interval of a meta-analysis in statsmodels takes quantiles of the normal distribution unless it is told
# otherwise.
#
# Versions: statsmodels 0.15.0, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1.
# Input:    six effects with their variances, combined by random effects (Paule and Mandel).
# Guess:    the rows "wls", whose variance is that of Hartung and Knapp, have t with 5 degrees of freedom: that quantile is
#           half of the method, as metafor (test="knha") has it.
# Seen:     combine_effects has use_t=False by default, and all intervals are ± 1.96 standard errors: [0.171, 0.531]. With
#           use_t=True it is [0.115, 0.588], 1.31 times as wide, but then the interval of DerSimonian and Laird has t as well.
# So:       name use_t=True, and read only the row that ends in wls.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check statsmodels==0.15.0 numpy==2.4.6 pandas==2.3.3 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from scipy.stats import norm, t
from statsmodels.stats.meta_analysis import combine_effects

effects, variances = np.array([0.1, 0.3, 0.35, 0.65, 0.45, 0.15]), np.array([0.03, 0.03, 0.05, 0.01, 0.05, 0.02])
found = {}
for use_t in (None, False, True):
    words = {} if use_t is None else {"use_t": use_t}
    rows = combine_effects(effects, variances, method_re="iterated", **words).summary_frame()
    row = rows.loc["random effect wls"]
    found[use_t] = (round(float(row["ci_low"]), 3), round(float(row["ci_upp"]), 3))
    quantile = (row["ci_upp"] - row["ci_low"]) / 2 / row["sd_eff"]
    print(f"use_t={use_t}: {found[use_t]}, quantile {quantile:.3f}; normal {norm.ppf(0.975):.3f}, t(5) {t.ppf(0.975, 5):.3f}")
assert found == {None: (0.171, 0.531), False: (0.171, 0.531), True: (0.115, 0.588)}, f"it behaves otherwise now: {found}"
PYTHON
