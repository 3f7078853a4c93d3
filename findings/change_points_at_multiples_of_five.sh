#!/usr/bin/env bash
# A change in a series can only be found by ruptures before trial 5, 10, 15 and so on, unless one asks for more; and where the true
# place is between, its exact method finds two changes.
#
# Versions: ruptures 1.1.10, numpy 2.4.6, scipy 1.17.1.
# Input:    200 series of 53 trials of a person who has one way to solve 23 trials long, and another for 30: sd 1, 6 apart.
#           Pelt, Dynp and Binseg with the cost "l2", and KernelCPD with kernel="linear", which is the same cost.
# Guess:    Pelt and Dynp are exact, KernelCPD is the same in C: all say 23 each time, as 6 sd are plain to see.
# Seen:     KernelCPD says 23 in all 200. Dynp and Binseg, asked for one change, say 25 in 185 and 20 in 15. Pelt with the penalty
#           of KernelCPD (25) says 25 in 119, and 20 and 25 in 78: a phase of five trials that nobody had. All take every fifth
#           trial alone as a candidate (jump=5); KernelCPD has the same argument and disregards it. With jump=1 all say 23.
# So:       jump=1, whenever the trial of a change, or the number of changes, is the result.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check ruptures==1.1.10 numpy==2.4.6 scipy==1.17.1
"$folder/python/bin/python" -W error - <<'PYTHON'
from collections import Counter

import numpy as np
import ruptures

random = np.random.default_rng(1)
series = [np.concatenate([random.normal(size=23), random.normal(size=30) + 6]) for _ in range(200)]
methods = {
    "Pelt": lambda jump: (ruptures.Pelt(model="l2", min_size=2, **jump), {"pen": 25}),
    "Dynp": lambda jump: (ruptures.Dynp(model="l2", min_size=2, **jump), {"n_bkps": 1}),
    "Binseg": lambda jump: (ruptures.Binseg(model="l2", min_size=2, **jump), {"n_bkps": 1}),
    "KernelCPD": lambda jump: (ruptures.KernelCPD(kernel="linear", min_size=2, **jump), {"pen": 25}),
}
found = {}
for name, method in methods.items():
    for jump in ({}, {"jump": 1}):
        changes = Counter()
        for one in series:
            search, how_many = method(jump)
            changes[tuple(int(trial) for trial in search.fit(one).predict(**how_many)[:-1])] += 1
        found[name, bool(jump)] = dict(changes.most_common(2))
        print(f"{name} {jump or 'as it is'}: {dict(changes.most_common(3))}")
assert found["Pelt", False] == {(25,): 119, (20, 25): 78}, "it behaves otherwise now"
assert all(found[name, False] == {(25,): 185, (20,): 15} for name in ("Dynp", "Binseg")), "it behaves otherwise now"
assert found["KernelCPD", False] == {(23,): 200}, "it behaves otherwise now"
assert all(found[name, True] == {(23,): 200} for name in methods), "jump=1 behaves otherwise now"
PYTHON
