#!/usr/bin/env bash
# Where nobody solves one of two levels and not the other, McNemar's test is as significant as can be: p = 0, by default in
# mlxtend, and in statsmodels without exact. Of many pairs of levels the equal ones are the first in the list.
#
# Versions: mlxtend 0.25.0, statsmodels 0.15.0, scikit-learn 1.9.1, numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, matplotlib 3.11.2.
# Input:    pairs of levels that 12 people have tried both: 5 solve both and 7 none of them; and six pairs of levels as easy as
#           each other, of which a person solves one alone with a chance of .1: 500 studies, adjusted by Holm.
# Guess:    p is 1, as by the exact test, or missing, as without the correction for continuity.
# Seen:     the statistic is infinite and p is 0, with a RuntimeWarning: (|0 - 0| - 1)² / 0. In the studies at least one p is
#           below .05 in 86 % (after Holm, too), as there is a pair of levels in which nobody differs in so many; never by the
#           exact test. Where as many change one way as the other, p is below 1 for the same reason (.68 for 3 and 3).
#           mcnemar.test of R does not correct where both are equal: NaN and 1.
# So:       exact=True (the default of statsmodels, not of mlxtend); look for p of 0 before adjusting.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check mlxtend==0.25.0 statsmodels==0.15.0 scikit-learn==1.9.1 \
    numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 matplotlib==3.11.2
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from mlxtend.evaluate import mcnemar as of_mlxtend
from statsmodels.stats.contingency_tables import mcnemar as of_statsmodels
from statsmodels.stats.multitest import multipletests

for changes in ((0, 0), (3, 3), (0, 1), (5, 2)):
    table = np.array([[5, changes[0]], [changes[1], 7]])
    p = {
        "mlxtend": of_mlxtend(table)[1],
        "mlxtend, exact": of_mlxtend(table, exact=True)[1],
        "statsmodels, exact=False": of_statsmodels(table, exact=False).pvalue,
        "statsmodels": of_statsmodels(table).pvalue,
        "uncorrected": of_statsmodels(table, exact=False, correction=False).pvalue,
    }
    print(f"{changes[0]} change one way, {changes[1]} the other:", ", ".join(f"{name} {value:.2f}" for name, value in p.items()))
    if changes == (0, 0):
        none = [float(value) for value in p.values()]
    if changes == (3, 3):
        equal = float(p["mlxtend"])

significant = np.zeros(3)
for seed in range(500):
    random = np.random.default_rng(seed)
    default, exact = [], []
    for pair in range(6):
        alone = random.random(12) < 0.1
        first = int((alone & (random.random(12) < 0.5)).sum())
        table = np.array([[12 - int(alone.sum()), first], [int(alone.sum()) - first, 0]])
        default.append(of_mlxtend(table)[1])
        exact.append(of_mlxtend(table, exact=True)[1])
    significant += [min(default) < 0.05, multipletests(default, method="holm")[0].any(), min(exact) < 0.05]
shares = significant / 500
print(f"studies with a significant pair: {shares[0]:.0%}, after Holm {shares[1]:.0%}, by the exact test {shares[2]:.0%}")
assert none[:4] == [0, 1, 0, 1] and np.isnan(none[4]) and round(equal, 2) == 0.68, "it behaves otherwise now"
assert shares[0] == shares[1] > 0.7 and shares[2] < 0.02, "it behaves otherwise now"
PYTHON
