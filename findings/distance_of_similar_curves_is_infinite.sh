#!/usr/bin/env bash
# The fast distance of dtaidistance between two learning curves is infinite for 15 of 100 pairs: of those that are compared best
# point by point, one in four.
#
# Versions: dtaidistance 2.5.1, numpy 2.4.6, scipy 1.17.1.
# Input:    60 people and 30 levels: a time of each person that goes down or up evenly (a straight line, seed 1). All 1,770 pairs by
#           dtw.distance_fast with what it has by default, by dtw.distance, by the formula of its documentation, and as a
#           matrix. The same with a window of 1, where only equal levels are compared.
# Guess:    distance_fast is distance, in C; it prunes what cannot be on the best path, and the value is the same.
# Seen:     271 of 1,770 are infinite, where distance and the formula have the same numbers: the Euclidean distances. With the
#           window of 1, for which all are Euclidean, 413 are. It takes the Euclidean distance as a bound that nothing may pass;
#           where this is the distance, its root squared is a little too small for one in four, by rounding. The median is 120.3
#           instead of 102.3. With use_pruning=False, and in distance_matrix_fast, none is infinite; with use_pruning=True
#           there, the same 271.
# So:       use_pruning=False, or the matrix; look for inf before a mean, a median or a nearest neighbour, which takes the most
#           similar pairs for the farthest.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check dtaidistance==2.5.1 numpy==2.4.6 scipy==1.17.1
"$folder/python/bin/python" - <<'PYTHON'
from itertools import combinations

import numpy as np
from dtaidistance import dtw


def formula(a, b, window=30):
    costs = np.full((len(a) + 1, len(b) + 1), np.inf)
    costs[0, 0] = 0
    for i, j in np.ndindex(len(a), len(b)):
        if abs(i - j) < window:
            costs[i + 1, j + 1] = (a[i] - b[j]) ** 2 + min(costs[i, j], costs[i, j + 1], costs[i + 1, j])
    return np.sqrt(costs[-1, -1])


random = np.random.default_rng(1)
curves = [random.normal(60, 20) + random.uniform(-1, 1) * np.arange(30) for _ in range(60)]
pairs = [*combinations(curves, 2)]
for name, window in (("as by default", {}), ("with a window of 1", {"window": 1})):
    fast = np.array([dtw.distance_fast(*pair, **window) for pair in pairs])
    right = np.array([formula(*pair, **window) for pair in pairs])
    infinite, euclidean = np.isinf(fast), np.isclose(right, [np.linalg.norm(a - b) for a, b in pairs])
    matrices = [np.isinf(dtw.distance_matrix_fast(curves, compact=True, use_pruning=pruned, **window)).sum()
                for pruned in (False, True)]
    print(f"{name}: {infinite.sum()} of {len(pairs)} pairs are infinite; {euclidean.sum()} have the Euclidean distance by the formula, "
          f"all that are infinite among them: {euclidean[infinite].all()}")
    print(f"  median {np.median(fast):.1f} instead of {np.median(right):.1f}; infinite in a matrix: {matrices[0]}, pruned {matrices[1]}")
    for others in ([dtw.distance(*pair, **window) for pair in pairs],
                   [dtw.distance_fast(*pair, use_pruning=False, **window) for pair in pairs],
                   dtw.distance_matrix_fast(curves, compact=True, **window)):
        assert np.allclose(others, right), "without pruning it behaves otherwise now"
    assert np.allclose(fast[~infinite], right[~infinite]) and euclidean[infinite].all(), "it behaves otherwise now"
    assert 0.15 < infinite.sum() / euclidean.sum() < 0.35, "another share is infinite now"
    assert np.median(fast) > np.median(right) + 10 and matrices == [0, infinite.sum()], "it behaves otherwise now"
PYTHON
