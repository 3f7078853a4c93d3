#!/usr/bin/env bash
# The maximum likelihood of moves in deeptime makes people go back as often as on: a cycle that everybody ran in one direction
# has half of its probability in moves that nobody made.
#
# Versions: deeptime 0.5.0, numpy 2.3.5, scipy 1.17.1, scikit-learn 1.9.1.
# Input:    states 0, 1, 2 in a circle, passed in this order 30 times; and the same with a few moves at random. The default
#           MaximumLikelihoodMSM, and with reversible=False.
# Guess:    the maximum likelihood of a chain is the counts divided by the sum of their row: 0 to 1 with probability 1.
# Seen:     1/2 to the next and 1/2 to the one before, without a warning. The likelihood is maximal among the chains that
#           look the same backwards (detailed balance, for molecules), and the count of 0 to 2 is none. reversible=False gives
#           the rows of the counts; then a state that is never left cannot be fitted at all.
# So:       reversible=False for people and puzzles; moves that cannot be undone otherwise have a way back in every number that
#           is computed from the chain: times to the goal, committors, clusters of states.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check deeptime==0.5.0 numpy==2.3.5 scipy==1.17.1 \
    scikit-learn==1.9.1
"$folder/python/bin/python" -W error::UserWarning - <<'PYTHON'
import numpy as np
from deeptime.markov.msm import MaximumLikelihoodMSM

random = np.random.default_rng(1)
circle = np.array([0, 1, 2] * 30 + [0])
wandering = [0]
for _ in range(300):
    wandering.append((wandering[-1] + (1 if random.random() < 0.9 else 2)) % 3)
found = {}
for name, play in (("circle", circle), ("nine of ten moves onward", np.array(wandering))):
    counts = np.zeros((3, 3))
    np.add.at(counts, (play[:-1], play[1:]), 1)
    rows = counts / counts.sum(axis=1, keepdims=True)
    default = MaximumLikelihoodMSM(lagtime=1).fit_fetch([play]).transition_matrix
    one_way = MaximumLikelihoodMSM(lagtime=1, reversible=False).fit_fetch([play]).transition_matrix
    assert np.allclose(one_way, rows), "reversible=False behaves otherwise now"
    found[name] = [round(float(matrix[0, state]), 2) for matrix in (default, rows) for state in (1, 2)]
    print(f"{name}: from 0 to 1 and to 2 {found[name][:2]}, by the rows of the counts {found[name][2:]}")
assert found["circle"] == [0.5, 0.5, 1, 0], "it behaves otherwise now"
assert abs(found["nine of ten moves onward"][0] - 0.5) < 0.05 < 0.8 < found["nine of ten moves onward"][2]
PYTHON
