#!/usr/bin/env bash
# In factor_analyzer communalities, uniquenesses and the explained share of the variance change with an oblique rotation, which
# changes none of them.
#
# Versions: factor_analyzer 0.5.1, scikit-learn 1.5.2, numpy 1.26.4, pandas 2.2.3, scipy 1.13.1.
# Input:    400 people and eight measures: three of each of two factors, which correlate .6, and two of both; two factors, by
#           minres, without rotation and by varimax, promax and oblimin.
# Guess:    a rotation moves the axes of the same fit, so that communalities are the same in all; of a correlated solution they are
#           the diagonal of L Phi L', as fa of psych in R has it.
# Seen:     by varimax the same as without. By promax that of the seventh is .49 instead of .82, and its uniqueness .51 instead
#           of .18; the third rises from .68 to .78. All are sums of squares of the pattern, as if the correlation of the
#           factors (phi_) were none. The explained share is .63 instead of .67. With phi_ all are what they were.
# So:       compute them as np.diag(L @ fa.phi_ @ L.T), or before the rotation; by this table the two best measures are the first
#           to be dropped.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check factor_analyzer==0.5.1 scikit-learn==1.5.2 numpy==1.26.4 \
    pandas==2.2.3 scipy==1.13.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from factor_analyzer import FactorAnalyzer

random = np.random.default_rng(1)
factors = random.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 400)
loadings = np.array([[0.8, 0]] * 3 + [[0, 0.8]] * 3 + [[0.5, 0.5]] * 2)
noise = np.array([0.6] * 6 + [0.4] * 2)
measures = factors @ loadings.T + noise * random.normal(size=(400, 8))

found = {}
for rotation in (None, "varimax", "promax", "oblimin"):
    fit = FactorAnalyzer(2, rotation=rotation, method="minres").fit(measures)
    pattern = fit.loadings_
    between = np.eye(2) if fit.phi_ is None else fit.phi_
    with_phi = np.diag(pattern @ between @ pattern.T)
    found[rotation] = {
        "given": fit.get_communalities().round(2).tolist(),
        "with phi": with_phi.round(2).tolist(),
        "share": round(float(fit.get_factor_variance()[2][-1]), 2),
    }
    assert np.allclose(fit.get_uniquenesses(), 1 - fit.get_communalities())
    print(f"{rotation}: {found[rotation]['given']}, share {found[rotation]['share']}; with phi {found[rotation]['with phi']}")
plain = found[None]["given"]
assert all(one["with phi"] == plain for one in found.values()), "the fits differ now"
assert found["varimax"]["given"] == plain and plain[6] == 0.82 and found[None]["share"] == 0.67
assert (found["promax"]["given"][6], found["promax"]["given"][2], found["promax"]["share"]) == (0.49, 0.78, 0.63), \
    "it behaves otherwise now"
assert found["oblimin"]["given"][6] == 0.5, "it behaves otherwise now"
PYTHON
