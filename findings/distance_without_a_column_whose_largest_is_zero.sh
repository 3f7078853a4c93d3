#!/usr/bin/env bash
# A column whose largest value is 0 does not count in the distances of the package gower.
#
# Versions: gower 0.1.2, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1.
# Input:    five people with a score (the moves that a solution is off the shortest, as a negative number: -8, -4, -2, -1 and 0)
#           and a time; the same with a score that is 1 higher; the same as numbers above 0.
# Guess:    |a - b| / range in each column, which neither moves nor is turned around with the numbers.
# Seen:     by the score alone all distances are 0; with the score 1 higher, or turned around, they are up to 1. With the time
#           beside it, it is as if everyone had the same score: the person off by 8 is nearest to one who is off by 0.
#           Values are divided by the largest, not by the range, before they are compared, and a largest of 0 is left out.
# So:       before gower_matrix, subtract the smallest from each column of numbers, or compute the distances with
#           another package; scores below the best that somebody reaches are the usual case.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check gower==0.1.2 numpy==2.4.6 pandas==2.3.3 scipy==1.17.1
"$folder/python/bin/python" -W error - <<'PYTHON'
import gower
import numpy as np
import pandas as pd

score = np.array([-8.0, -4, -2, -1, 0])
time = np.array([30.0, 70, 40, 90, 31])


def expected(*columns):
    return np.mean([np.abs(np.subtract.outer(column, column)) / np.ptp(column) for column in columns], axis=0)


found = {}
for name, some in (("0 is the largest", score), ("1 is the largest", score + 1), ("turned around", -score)):
    alone = gower.gower_matrix(pd.DataFrame({"score": some}))
    both = gower.gower_matrix(pd.DataFrame({"score": some, "time": time}))
    nearest = int(np.argsort(both[0])[1])
    right = bool(np.allclose(alone, expected(some), atol=1e-6) and np.allclose(both, expected(some, time), atol=1e-6))
    found[name] = (round(float(alone.max()), 3), nearest, round(float(both[0, nearest]), 3), right)
    print(f"{name}: largest distance by score {found[name][0]}, nearest to the first by both: {nearest}, at {found[name][2]}")
assert {name: one[3] for name, one in found.items()} == {
    "0 is the largest": False, "1 is the largest": True, "turned around": True
}, "it behaves otherwise now"
assert found["0 is the largest"][:3] == (0, 4, 0.008) and found["turned around"][1] == 2, "it behaves otherwise now"
PYTHON
