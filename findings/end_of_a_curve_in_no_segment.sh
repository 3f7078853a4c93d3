#!/usr/bin/env bash
# The segments into which tslearn divides a curve (PAA, SAX) leave out its end, of 19 levels in 10 segments the last nine, and
# two people who differ only there have a distance of 0.
#
# Versions: tslearn 0.10.0, scikit-learn 1.9.1, numpy 2.4.6, scipy 1.17.1.
# Input:    a time for each of 19 levels, which is the number of the level; in 10 segments. Two people with the same times up to
#           level 10, of which one is 5 s slower in each from level 11 on. Then 10, 11, 15, 19, 20, 99 and 100 levels.
# Guess:    all levels count: segments of 1.9 levels, as in the paper on PAA where the length is no multiple, or some of two
#           levels and some of one.
# Seen:     the segments are 1, 2, ..., 10: the lengths of all are rounded down, and what is left at the end is in none. The distance of
#           the two people is 0 by PAA, SAX and 1d-SAX, their words are the same, and without segments it is 15. Of 15 levels five are
#           left out, of 99 nine, of 20 and 100 none. inverse_transform gives 0 for them. No warning.
# So:       take a number of segments that divides the length, or np.array_split; the end of a curve is where people
#           have learnt a puzzle, or give up.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check tslearn==0.10.0 scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from tslearn.piecewise import (OneD_SymbolicAggregateApproximation, PiecewiseAggregateApproximation,
                               SymbolicAggregateApproximation)

levels = np.arange(1.0, 20)
segments = PiecewiseAggregateApproximation(10)
means = segments.fit_transform([levels]).ravel()
back = segments.inverse_transform(segments.fit_transform([levels])).ravel()
print(f"segments {means}, by array_split {np.array([part.mean() for part in np.array_split(levels, 10)])}")
print(f"back {back}")
first = np.random.default_rng(1).normal(0, 1, 19)
second = first + 5 * (np.arange(19) >= 10)
people = np.array([first, second])
distances = {}
for name, way in (("PAA", PiecewiseAggregateApproximation(10)), ("SAX", SymbolicAggregateApproximation(10, 8)),
                  ("1d-SAX", OneD_SymbolicAggregateApproximation(10, 8, 4))):
    words = way.fit(people).transform(people)
    distances[name] = float(way.distance(first, second))
    print(f"{name}: distance {distances[name]}, the same words: {np.array_equal(words[0], words[1])}")
    assert np.array_equal(words[0], words[1]), "words are otherwise now"
whole = float(np.linalg.norm(first - second))
print(f"distance without segments {whole}")
left_out = {}
for n in (10, 11, 15, 19, 20, 99, 100):
    changed = np.zeros((n, n))
    np.fill_diagonal(changed, 1)
    left_out[n] = int((PiecewiseAggregateApproximation(10).fit_transform(changed).squeeze(-1) == 0).all(axis=1).sum())
print(f"levels that no segment depends on: {left_out}")
assert np.array_equal(means, np.arange(1, 11)) and (back[10:] == 0).all(), "segments are otherwise now"
assert distances == {"PAA": 0, "SAX": 0, "1d-SAX": 0} and abs(whole - 15) < 1e-9, f"distances are otherwise now: {distances}"
assert left_out == {10: 0, 11: 1, 15: 5, 19: 9, 20: 0, 99: 9, 100: 0}, f"it behaves otherwise now: {left_out}"
PYTHON
